// Problems as people meet them: of the day and by theme, solved and not, in both languages, without a server.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, equal, leaksOf, eventLeaks, Server, top, World } from "./lib.mjs";
import { axe, fits } from "./eyes.mjs";

const lines = (game) => readFileSync(join(top, `share/problems/${game}.jsonl`), "utf8").trimEnd().split("\n").slice(1).map((l) => JSON.parse(l));

/** All that workers tell a page is noted, as the page hears it. */
const listen = (page) => page.addInitScript(() => {
  const Usual = Worker;
  globalThis.heard = [];
  globalThis.Worker = class extends Usual {
    constructor(...args) {
      super(...args);
      this.addEventListener("message", ({ data }) => heard.push(data));
    }
  };
});

const state = (page, wanted) => page.waitForSelector(`.problem[data-state=${wanted}]`);
const kept = (page) => page.evaluate(() => JSON.parse(localStorage.getItem("salotto-problems") ?? "{}"));
const right = (p) => p.weighed.filter(([, value]) => p.weighed[0][1] - value < 0.025).map(([action]) => action);

/** Chooses in words, which every board has. */
async function chooseInWords(page, action) {
  const words = page.locator("[data-testid=in-words]");
  if ((await words.getAttribute("open")) === null) await words.locator("summary").click();
  await words.locator(`button[data-action="${action}"]`).click();
}

/** What the page was told of a position before a try: the seat's view, and nothing of the answer. */
function checkTold(heard, problem) {
  const shown = heard.map((m) => m.result).filter((r) => r?.told);
  assert(shown.length > 0, "no position was told");
  for (const { told, seat } of shown) {
    equal(seat, problem.seat, "the seat");
    equal(leaksOf(told.state, seat), [], "what the view shows of others");
    told.events.forEach((e, i) => equal(eventLeaks(e, told.words[i].text, seat), [], "events"));
  }
  const text = JSON.stringify(heard);
  for (const secret of ["weighed", "record", "solved", "seed", problem.record.match(/seed 0*(\w+)/)[1]])
    assert(!text.includes(`"${secret}"`), `the page was told: ${secret}`);
}

async function solved(world, game) {
  const problem = lines(game).find((p) => p.choices === p.weighed.length && right(p).length === 1);
  const p = await world.person("", { path: "/rules/doors" });
  await listen(p.page);
  await p.page.goto(`/problems/${game}/${problem.n}`);
  await state(p.page, "asked");
  await p.page.waitForSelector("[data-testid=board]");
  checkTold(await p.page.evaluate(() => heard), problem);
  await axe(p.page, `a problem of ${game}`);
  await fits(p.page, `a problem of ${game}`);
  if (game === "doors") { // a Collector cannot guess, and who cannot claim is told so
    await p.page.locator("[data-testid=board] .pick[aria-disabled=true]").first().click({ force: true });
    await p.page.getByText("This is not possible here.").waitFor();
  }
  await chooseInWords(p.page, problem.weighed.at(-1)[0]);
  await state(p.page, "wrong");
  equal(await p.page.locator(".candidates").count(), 0, "the answer is not told yet");
  const after = await kept(p.page);
  assert(after.rating < 1200 && after.seen[`${game}-${problem.n}`] === 0, "a wrong first try counts");
  await p.page.locator("[data-testid=again]").click();
  await state(p.page, "asked");
  await chooseInWords(p.page, right(problem)[0]);
  await state(p.page, "right");
  equal((await kept(p.page)).rating, after.rating, "a second try does not");
  equal((await kept(p.page)).seen[`${game}-${problem.n}`], 2, "solved later");
  equal(await p.page.locator(".candidates .verdict.good").count(), 1, "one choice is right");
  assert((await p.page.locator("[data-testid=why]").innerText()).includes("of 10 cases"), "one sentence why");
  await axe(p.page, `the answer of ${game}`);
  await p.page.locator("[data-testid=play-on]").click();
  await p.page.waitForURL("**/play/*");
  await p.page.waitForSelector("[data-testid=board]");
  assert(!p.errors.length, p.errors.join("; "));
  await p.close();
}

/** A choice that the file has not weighed is weighed in the page. */
async function weighedHere(world) {
  const problem = lines("traps").find((p) => p.theme === "raise" && p.choices > p.weighed.length && p.record.includes("players 2"));
  const listed = problem.weighed.map(([action]) => action);
  const high = Array.from({ length: 99 }, (_, n) => `bet ${n + 1}`).filter((a) => !listed.includes(a)).at(-1);
  const p = await world.person("", { path: `/problems/traps/${problem.n}` });
  await state(p.page, "asked");
  await chooseInWords(p.page, high);
  await p.page.waitForSelector(".problem[data-state=right], .problem[data-state=wrong]");
  await p.page.waitForSelector("[data-testid=fresh]");
  await p.close();
}

/** By the day: the same for everybody; and the days in a row. By theme, the answer shown, the next one. */
async function overview(world) {
  const p = await world.person("", { path: "/problems", lang: "it", size: [360, 740], dark: true, touch: true });
  await p.page.waitForSelector(".themes");
  await axe(p.page, "problems");
  await fits(p.page, "problems");
  const day = await p.page.locator("[data-testid=solve-today]").getAttribute("href");
  const other = await world.person("", { path: "/problems" });
  equal(await other.page.locator("[data-testid=solve-today]").getAttribute("href"), day, "the same for everybody");
  await other.close();
  await p.page.locator("[data-testid=solve-today]").click();
  await state(p.page, "asked");
  const [, game, n] = /problems\/(\w+)\/(\d+)/.exec(p.page.url());
  const problem = lines(game).find((x) => x.n === Number(n));
  await p.page.waitForSelector("[data-testid=board]");
  await fits(p.page, "the problem of the day");
  await chooseInWords(p.page, right(problem)[0]);
  await state(p.page, "right");
  await axe(p.page, "its answer");
  equal((await kept(p.page)).days.length, 1, "days");
  assert((await kept(p.page)).rating > 1200, "a right first try counts");
  await p.page.goto("/problems/traps");
  await p.page.getByText("1 giorno di fila").waitFor();
  await p.page.locator(".themes [data-theme=place]").click();
  await state(p.page, "asked");
  await p.page.locator("[data-testid=drawer]").click();
  await p.page.locator("[data-testid=show]").click();
  await state(p.page, "shown");
  const first = p.page.url();
  await p.page.locator("[data-testid=next]").click();
  await p.page.waitForURL((u) => u.href !== first && u.search === "?theme=place");
  await state(p.page, "asked");
  await p.page.goto("/problems/traps/999999");
  await p.page.locator("main a[href='/problems']").waitFor();
  assert(!p.errors.length, p.errors.join("; "));
  await p.close();
}

/** Right and wrong without a server, after one visit of the lobby. */
async function offline(world, program) {
  const server = await new Server(program).open();
  const p = await new World(world.browser, server).person("");
  await p.page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await p.page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await server.close();
  const [one, two] = lines("doors").filter((x) => x.choices === x.weighed.length);
  await p.page.goto(`/problems/doors/${one.n}`);
  await state(p.page, "asked");
  await chooseInWords(p.page, right(one)[0]);
  await state(p.page, "right");
  await p.page.goto(`/problems/doors/${two.n}`);
  await state(p.page, "asked");
  await chooseInWords(p.page, two.weighed.at(-1)[0]);
  await state(p.page, "wrong");
  equal(Object.values((await kept(p.page)).seen), [1, 0], "what was tried");
  assert(!p.errors.length, p.errors.join("; "));
  await p.close();
  await server.done();
}

export function problemCases(world, program) {
  return [
    ["problems: wrong, right, and played on from (Doors)", () => solved(world, "doors")],
    ["problems: wrong, right, and played on from (Louis XIV)", () => solved(world, "louis")],
    ["problems: a choice that was not weighed before", () => weighedHere(world)],
    ["problems: of the day, by theme, in Italian on a phone", () => overview(world)],
    ["problems: without a server", () => offline(world, program)],
  ];
}
