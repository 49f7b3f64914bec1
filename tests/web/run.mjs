// A server, a browser, and cases that are played in them; what both files of cases share.
import { chromium, Server, runAll, World } from "./lib.mjs";

/** Runs the cases whose name holds the second argument of the command line; then ends the process. */
export async function run(casesOf) {
  const [program, wanted = ""] = process.argv.slice(2);
  const server = await new Server(program).open();
  const browser = await chromium.launch({
    executablePath: process.env.SALOTTO_CHROMIUM ?? "/usr/bin/chromium",
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
  const world = new World(browser, server);
  const cases = casesOf(world, program).filter(([name]) => name.includes(wanted));
  // What every open page says when a case fails; SALOTTO_SHOTS=FOLDER keeps pictures too.
  const failures = await runAll(cases, async (name) => {
    const pages = browser.contexts().flatMap((c) => c.pages());
    for (const page of pages) {
      const words = await page.evaluate(() => document.body.innerText.replace(/\s+/g, " ").slice(0, 600)).catch((e) => String(e));
      console.log(`# ${page.url()}: ${words}`);
    }
    for (const [i, page] of process.env.SALOTTO_SHOTS ? pages.entries() : [])
      await page.screenshot({ path: `${process.env.SALOTTO_SHOTS}/${name.replace(/\W+/g, "-")}-${i}.png` }).catch(() => {});
  });
  await browser.close();
  await server.done();
  process.exit(failures ? 1 : 0);
}
