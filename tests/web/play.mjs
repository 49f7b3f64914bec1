// Playing by hand: finding what can be chosen on a page, and choosing it with the mouse.
import { assert, until } from "./lib.mjs";

const BOARD = "[data-testid=board]";

/** From the lobby to a table with bots, as the sheet offers it; `atServer`: one that the server keeps. */
export async function withBots(page, game, { atServer = false } = {}) {
  await page.locator(`[data-game=${game}] button.primary`).click();
  const sheet = page.locator("dialog[open] .bot-sheet");
  // Who plays before the connection stands plays in the browser.
  if (atServer) await sheet.getByText(/This table is on the server|Questo tavolo è sul server/).waitFor();
  await sheet.locator("button.primary").click();
}

/** What can be pressed now, as its action; [] when it is somebody else's turn. */
export async function choices(person, { words = false } = {}) {
  return person.page.evaluate(([board, inWords]) => {
    // What a round came to is read; then one goes on.
    const on = document.querySelector("[data-testid=go-on]");
    if (on) {
      on.click();
      return [];
    }
    const root = document.querySelector(board);
    if (!root || root.classList.contains("busy")) return [];
    const list = root.querySelector("[data-testid=in-words]");
    const all = [...(inWords && list ? list : root).querySelectorAll("[data-action].can")];
    return [...new Set(all.filter((e) => inWords || (e.offsetParent && !list?.contains(e))).map((e) => e.dataset.action))];
  }, [BOARD, words]);
}

/** Waits until one of these has something to choose, past what others still do and past the ends of rounds;
 * says who, and what. Nobody, and nothing, when the game is over. */
export async function turnOf(...people) {
  return until(async () => {
    for (const p of people) {
      const list = await choices(p, { words: p.told.at(-1)?.state?.game === "louis" });
      if (list.length) return [p, list];
      if (await p.over()) return [null, []];
    }
  }, "nobody is asked anything");
}

/** What one can choose, once one is asked. */
export async function asked(person) {
  return (await turnOf(person))[1];
}

/** One that ends no round of Doors, if there is such: then a game lasts for as long as a test needs. */
export const quiet = (list) => list.find((action) => !/^(guess|claim)/.test(action)) ?? list[0];

/** The question whether one is sure, which offers not to be asked again. */
const SURE = ".table-page dialog:has(label.check)";

/** Presses a choice, or finds that it is gone: where several are asked at once others may have acted. */
async function press({ page, touch }, choice) {
  return until(async () => {
    if (await page.locator(SURE).count()) return "pressed";
    if (!(await choice.count())) return "gone";
    return (touch ? choice.tap({ timeout: 10000 }) : choice.click({ timeout: 10000 })).then(() => "pressed", () => null);
  }, "a choice cannot be pressed");
}

/** Presses what makes this action, and says yes if asked whether one is sure; waits until the table has moved. */
export async function choose(person, action, { words = false } = {}) {
  const { page } = person;
  const before = await person.seq();
  const list = page.locator("[data-testid=in-words]");
  if (words && (await list.evaluate((e) => e.tagName === "DETAILS" && !e.open))) {
    // It is shut at each question: opened by hand the first time, then in short.
    if (person.opened) await list.evaluate((e) => void (e.open = true));
    else await list.locator("summary").click();
    person.opened = true;
  }
  const choice = words ? list.locator(`[data-action="${action}"]`) : page.locator(`${BOARD} [data-action="${action}"].can`);
  if ((await press(person, choice.first())) === "gone") return;
  const sure = page.locator(`${SURE} button.primary`);
  await until(async () => {
    if ((await person.seq()) > before) return true;
    if (await sure.count()) await sure.click({ timeout: 10000 }).catch(() => {});
    return false;
  }, "the choice has no effect");
}

/** A short game: at Traps one bets high once, and turns up cards for it, but then lets others win; elsewhere any
 * choice will do. `memory` is of one person at one table. */
export function soon(game, legal, pick, memory) {
  const bets = game === "traps" ? legal.filter((a) => a.startsWith("bet")) : [];
  if (!bets.length) return legal[pick(legal.length)];
  if (!memory.dared) {
    memory.dared = true;
    return bets.at(-1);
  }
  return legal.includes("pass") ? "pass" : bets[0];
}

/** The shortest way to the end of a game of Doors: a guess ends the round, whether it is right or not. */
export const hasty = (list) => list.find((action) => action.startsWith("guess")) ?? list.at(-1);

/** Everybody plays, each on their own page, until all have seen the end. Checks after every step. */
export async function playOut(people, pick, { words = false, limit = 900 } = {}) {
  for (let step = 0; step < limit; step++) {
    let moved = false;
    for (const person of people) {
      const list = await choices(person, { words });
      if (!list.length) continue;
      await choose(person, pick ? soon(person.told.at(-1).state.game, list, pick, person) : hasty(list), { words });
      moved = true;
      for (const p of people) await p.check();
    }
    if (moved) continue;
    const ended = async () => (await Promise.all(people.map((p) => p.over()))).every(Boolean);
    const asked = async () => {
      for (const p of people) if ((await choices(p, { words })).length) return true;
      return ended();
    };
    await until(asked, "nobody is asked anything, and the game is not over");
    if (await ended()) return step;
  }
  assert(false, "the game does not end");
}
