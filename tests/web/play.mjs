// Playing by hand: finding what can be chosen on a page, and choosing it with the mouse.
import { assert, until } from "./lib.mjs";

const BOARD = "[data-testid=board]";

/** From the lobby to a table with bots, as the sheet offers it. */
export async function withBots(page, game) {
  await page.locator(`[data-game=${game}] button.primary`).click();
  await page.locator("dialog[open] .bot-sheet button.primary").click();
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

/** The table has moved on, or asks whether one is sure, which one is. */
async function settled(page, before) {
  const moved = (n) => Number(document.querySelector(".table-page")?.dataset.seq) > n;
  const asked = await page.waitForFunction((n) => Number(document.querySelector(".table-page")?.dataset.seq) > n
    ? "moved" : document.querySelector("dialog[open]:not(.stage)") ? "asked" : false, before);
  if ((await asked.jsonValue()) === "moved") return;
  await page.locator("dialog[open]:not(.stage) button.primary").click();
  await page.waitForFunction(moved, before);
}

/** Presses what makes this action; waits until the table has moved. */
export async function choose(person, action, { words = false } = {}) {
  const { page } = person;
  const before = await person.seq();
  if (words) {
    const list = page.locator("[data-testid=in-words]");
    const shut = await list.evaluate((e) => e.tagName === "DETAILS" && !e.open);
    if (shut) await list.locator("summary").click();
    await list.locator(`[data-action="${action}"]`).first().click();
  } else {
    const choice = page.locator(`${BOARD} [data-action="${action}"].can`).first();
    await choice.click();
  }
  await settled(page, before);
}

/** Mostly the last of the legal actions: high bets end a game of Traps soon. */
function boldly(person, list, pick) {
  const legal = person.told.at(-1).legal.filter((a) => list.includes(a));
  return legal.length && pick(4) ? legal.at(-1) : list[pick(list.length)];
}

/** Everybody plays, each on their own page, until all have seen the end. Checks after every step. */
export async function playOut(people, pick, { words = false, limit = 900, bold = false, each } = {}) {
  for (let step = 0; step < limit; step++) {
    let moved = false;
    for (const person of people) {
      const list = await choices(person, { words });
      if (!list.length) continue;
      await choose(person, bold ? boldly(person, list, pick) : list[pick(list.length)], { words });
      moved = true;
      for (const p of people) await p.check();
      await each?.(person, step);
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
