// Pictures of every page and table, for people to look at: tests/web/screens.
//   node tests/web/screens.mjs build/salotto [PART OF A NAME]
// Each table at three sizes, light and dark; Doors also as people with other eyes see it. WebP, made
// by the browser itself, so that all of them together stay small.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chooser, chromium, Server, top, World } from "./lib.mjs";
import { choices, choose, withBots } from "./play.mjs";

const [program, wanted = ""] = process.argv.slice(2);
const folder = join(top, "tests/web/screens");
mkdirSync(folder, { recursive: true });
const server = await new Server(program).open();
const browser = await chromium.launch({
  executablePath: process.env.SALOTTO_CHROMIUM ?? "/usr/bin/chromium",
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
const world = new World(browser, server);
const press = await browser.newPage();

async function keep(page, name, width = 720) {
  const png = (await page.screenshot()).toString("base64");
  const webp = await press.evaluate(async ([data, limit]) => {
    const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const scale = Math.min(1, limit / image.width);
    const canvas = new OffscreenCanvas(Math.round(image.width * scale), Math.round(image.height * scale));
    const context = canvas.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.6 });
    return [...new Uint8Array(await blob.arrayBuffer())];
  }, [png, width]);
  writeFileSync(join(folder, `${name}.webp`), Uint8Array.from(webp));
}

const SIZES = { phone: [360, 740], tablet: [834, 1000], desktop: [1440, 900] };

async function table(game, person) {
  await person.page.goto("/");
  await withBots(person.page, game);
  await person.page.waitForSelector("[data-testid=board]");
  const pick = chooser(7);
  const words = game === "louis";
  for (let i = 0, made = 0; i < 400 && made < 6; i++) {
    const list = await choices(person, { words });
    if (!list.length) await person.page.waitForTimeout(30);
    else if (++made < 6) await choose(person, list[pick(list.length)], { words });
  }
  await person.page.evaluate(() => {
    document.querySelector("[data-testid=in-words]")?.removeAttribute("open");
    scrollTo(0, 0);
  });
  await person.page.mouse.move(2, 2); // nothing is pointed at
}

for (const game of ["doors", "favor", "traps", "louis"]) {
  if (!game.includes(wanted)) continue;
  const person = await world.person("Anna", { size: SIZES.desktop });
  await table(game, person);
  for (const [name, [width, height]] of Object.entries(SIZES))
    for (const scheme of ["light", "dark"]) {
      await person.page.setViewportSize({ width, height });
      await person.page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      await person.page.waitForTimeout(150);
      await keep(person.page, `${game}-${name}-${scheme}`);
    }
  if (game === "doors") {
    const session = await person.context.newCDPSession(person.page);
    await person.page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    for (const type of ["protanopia", "deuteranopia", "tritanopia", "achromatopsia"]) {
      await session.send("Emulation.setEmulatedVisionDeficiency", { type });
      await keep(person.page, `doors-desktop-${type}`);
    }
  }
  await person.close();
}

const PAGES = [["lobby", "/", ".game-tile"], ["create", "/new/favor", "form"], ["rules", "/rules/doors", ".rules h1"],
  ["lesson", "/learn/doors", "[data-testid=coach]"], ["account", "/me", ".sessions li"]];
for (const [name, path, ready] of PAGES) {
  if (!name.includes(wanted)) continue;
  for (const [size, lang, dark] of [["phone", "it", true], ["desktop", "en", false]]) {
    const person = await world.person("Anna", { size: SIZES[size], lang, dark, path });
    await person.page.waitForSelector(ready);
    await person.page.waitForTimeout(500);
    await keep(person.page, `${name}-${size}-${lang}`);
    await person.close();
  }
}
await browser.close();
await server.done();
