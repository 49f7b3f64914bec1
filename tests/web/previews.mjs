// The pictures that a shared link shows: web/public/previews, one a game and one for all, 1200 by
// 630 as Open Graph wants them. Drawn by the browser from the art of the lobby, without words, so that
// they serve every language. To make them again after a change of the art:
//   node tests/web/previews.mjs build/salotto
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium, Server, top, World } from "./lib.mjs";

const folder = join(top, "web/public/previews");
mkdirSync(folder, { recursive: true });
const server = await new Server(process.argv[2]).open();
const browser = await chromium.launch({
  executablePath: process.env.SALOTTO_CHROMIUM ?? "/usr/bin/chromium",
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
const world = new World(browser, server);
for (const name of ["doors", "favor", "traps", "louis", "salotto"]) {
  const { page, ...person } = await world.person("", { size: [1200, 630] });
  await page.waitForFunction(() => [...document.querySelectorAll(".game-tile .scene")].every((e) => e.querySelector("svg")));
  await page.evaluate((wanted) => {
    const scenes = [...document.querySelectorAll(".game-tile")].map((t) => [t.dataset.game, t.querySelector(".scene")]);
    const shown = scenes.filter(([game]) => wanted === "salotto" || game === wanted).map(([, scene]) => scene);
    const stage = document.createElement("div");
    const columns = shown.length > 1 ? 2 : 1;
    Object.assign(stage.style, { position: "fixed", inset: "0", zIndex: "99", display: "grid",
      gridTemplateColumns: `repeat(${columns}, 1fr)`, background: "var(--felt)" });
    for (const scene of shown) {
      scene.style.zoom = String(shown.length > 1 ? 2.2 : 4.2);
      Object.assign(scene.style, { height: "auto", alignItems: "center", borderRadius: "0", background: "none" });
      for (const svg of scene.querySelectorAll("svg")) svg.style.filter = "none"; // gradients and shadows triple the size
      stage.append(scene);
    }
    document.body.replaceChildren(stage);
  }, name);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await person.context.close();
}
await browser.close();
await server.done();
