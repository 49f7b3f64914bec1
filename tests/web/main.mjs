// The parlour as people meet it: browsers against a real house.
//   node tests/web/main.mjs SALOTTO [PART OF A NAME]
import { chooser, chromium, House, runAll, World } from "./lib.mjs";
import { fitCases } from "./fit.mjs";
import { gameCases } from "./games.mjs";
import { momentCases } from "./moments.mjs";
import { pageCases } from "./pages.mjs";

const [program, wanted = ""] = process.argv.slice(2);
const house = await new House(program).open();
const browser = await chromium.launch({
  executablePath: process.env.SALOTTO_CHROMIUM ?? "/usr/bin/chromium",
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
const world = new World(browser, house);
const cases = [...fitCases(world, chooser), ...momentCases(world, chooser), ...gameCases(world, chooser), ...pageCases(world, program)].filter(([name]) => name.includes(wanted));
// SALOTTO_SHOTS=FOLDER keeps what every open page shows when a case fails.
const failures = await runAll(cases, async (name) => {
  if (!process.env.SALOTTO_SHOTS) return;
  const pages = browser.contexts().flatMap((c) => c.pages());
  for (const [i, page] of pages.entries())
    await page.screenshot({ path: `${process.env.SALOTTO_SHOTS}/${name.replace(/\W+/g, "-")}-${i}.png` }).catch(() => {});
});
await browser.close();
await house.done();
process.exit(failures ? 1 : 0);
