// A tour through what the other tests in browsers pass by, in Italian: every lesson to its end, and pages
// that have nothing to show. For tools/seen.
//   node tests/web/tour.mjs SALOTTO [PART OF A NAME]
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "./lib.mjs";
import { choose } from "./play.mjs";
import { run } from "./run.mjs";

const LESSONS = ["doors", "favor", "traps", "louis/1", "louis/2"];

/** Reads or does what the lesson asks for next; false when it is over. */
async function step(person) {
  const { page } = person;
  const state = await until(() => page.evaluate(() => {
    const stage = document.querySelector("dialog.stage[open]");
    if (stage) {
      stage.querySelector("[data-testid=go-on]")?.click();
      return false;
    }
    const coach = document.querySelector("[data-testid=coach]");
    if (!coach) return { done: true };
    const next = coach.querySelector("[data-testid=next]"), wanted = coach.dataset.wanted;
    const can = (inside) => wanted && document.querySelector(`${inside} [data-action="${wanted}"].can`);
    const words = !!can("[data-testid=in-words]");
    return next ? { next: true } : words || can("[data-testid=board]") ? { wanted, words } : false;
  }), "the lesson does not go on");
  if (state.done) return false;
  // Not with the mouse: what a round came to may still come up and cover the button.
  if (state.next) await page.evaluate(() => document.querySelector("[data-testid=next]")?.click());
  else await choose(person, state.wanted, { words: state.words });
  return true;
}

async function lesson(world, path) {
  const person = await world.person("Anna", { lang: "it", path: `/learn/${path}` });
  await person.page.waitForSelector("[data-testid=coach]");
  while (await step(person));
  await person.close();
}

async function emptyPages(world) {
  const person = await world.person(null, { lang: "it" });
  for (const path of ["/nothing", "/history", "/p/999", "/play/doors/none", "/t/aaaaaaaaaaaaaaaaaaaaaa", "/learn/nothing", "/leaders/doors"]) {
    await person.page.goto(path);
    await person.page.waitForFunction(() => document.body.innerText.length > 120);
  }
  await person.close();
}

/** Records that prove nothing, little, and something else than was played. */
async function records(world, program) {
  const person = await world.person(null, { lang: "it" });
  const { page } = person;
  const file = join(mkdtempSync(join(tmpdir(), "salotto-tour-")), "game.salotto");
  const play = (...more) => spawnSync(program, ["play", "doors", "--plain", "--seed", "5", "--record", file, ...more],
    { input: "take BL\nquit\n" });
  play("--option", "first=0");
  const whole = readFileSync(file, "utf8");
  const without = (start) => whole.split("\n").filter((line) => !line.startsWith(start)).join("\n");
  for (const record of [whole, without("seed"), without("commit"), whole.replace("take BL", "take RT"), "nothing"]) {
    await page.goto("/verify");
    await page.locator("main textarea").fill(record);
    await page.locator("main form button.primary").click();
    await page.waitForSelector("main [role=status], main [role=alert], main .problem, main .verdict");
  }
  await person.close();
}

async function links(world) {
  const person = await world.person("Anna", { lang: "it" });
  const { page } = person;
  await page.locator("main input[type=text], main input[type=url], main input:not([type])").first().fill("nothing");
  await page.keyboard.press("Enter");
  await page.goto("/play/louis");
  await page.locator("form button.primary").click();
  await page.waitForSelector("[data-testid=board]");
  for (const summary of await page.locator("summary").all()) await summary.click().catch(() => {});
  await person.close();
}

async function account(world) {
  const person = await world.person("Tourist", { lang: "it", path: "/me" });
  const { page } = person;
  await page.locator("input[type=password]").first().fill("long enough");
  await page.locator("form button.primary").first().click();
  await page.waitForSelector(".sessions li");
  await person.context.request.post("/api/enter", { data: { name: "Tourist", password: "long enough" } });
  await page.reload();
  await page.waitForSelector(".sessions li");
  await page.locator("button", { hasText: "Elimina account" }).click();
  await page.waitForSelector("dialog[open]");
  await person.close();
}

await run((world, program) => [
  ...LESSONS.map((path) => [`lesson ${path}, in Italian`, () => lesson(world, path)]),
  ["pages with nothing to show", () => emptyPages(world)],
  ["records", () => records(world, program)],
  ["a link that is none, and the legend", () => links(world)],
  ["an account", () => account(world)],
]);
