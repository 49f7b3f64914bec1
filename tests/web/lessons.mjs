// Playing lessons as a pupil does: read, and do what is asked.
import { assert, until } from "./lib.mjs";
import { choose } from "./play.mjs";

/** Every lesson, as its path says it. */
export const LESSONS = ["doors", "favor", "traps", "louis/1", "louis/2"];

/** What the lesson asks for next; null when it is over. */
const next = (page) => until(() => page.evaluate(() => {
  const stage = document.querySelector("dialog.stage[open]");
  if (stage) {
    stage.querySelector("[data-testid=go-on]")?.click();
    return false;
  }
  const coach = document.querySelector("[data-testid=coach]");
  if (!coach) return { done: true };
  const { wanted, step, points } = coach.dataset;
  const can = (inside) => wanted && document.querySelector(`${inside} [data-action="${wanted}"].can`);
  const words = !!can("[data-testid=in-words]"), read = !!coach.querySelector("[data-testid=next]");
  const pointed = !points || document.querySelectorAll(".board .pointed").length > 0;
  return read || words || can("[data-testid=board]") ? { wanted, words, read, step, pointed } : false;
}), "the lesson does not go on");

/** Plays a lesson to its end; `look` sees the page before each step. */
export async function playLesson(person, look = () => {}) {
  const { page } = person;
  for (let step; !(step = await next(page)).done; ) {
    assert(step.pointed, `step ${step.step} points at nothing`);
    await look(step);
    // Not with the mouse: what a round came to may still come up and cover the button.
    if (step.read) await page.evaluate(() => document.querySelector("[data-testid=next]")?.click());
    else await choose(person, step.wanted, { words: step.words });
  }
}
