// Whole games of each kind, in two browsers at once: Anna with a mouse and in English, Bruno in Italian, with
// his fingers on a phone.
import { assert, equal } from "./lib.mjs";
import { playOut } from "./play.mjs";

/** Anna opens a table with the form, Bruno comes by the link; bots fill the rest. */
export async function seatTwo(world, game, { players, bots = "regular", options = {}, anna = {}, bruno = {} } = {}) {
  const a = await world.person("Anna", { path: `/new/${game}`, ...anna });
  await a.page.waitForSelector("form select");
  const count = a.page.locator(`input[name=players]`);
  if (players && (await count.count())) {
    const first = Number(await a.page.locator(".pill").first().innerText());
    await count.nth(players - first).check();
  }
  const seats = a.page.locator("fieldset", { hasText: /Seats|Posti/ }).locator("select");
  for (let n = 2; n < (await seats.count()); n++) await seats.nth(n).selectOption(bots);
  for (const [label, value] of Object.entries(options)) await a.page.getByLabel(new RegExp(`^${label}`)).selectOption(value);
  await a.page.locator("form button.primary").click();
  await a.page.waitForURL("**/t/*");
  const link = await a.page.locator(".invite input").inputValue();
  const b = await world.person("Bruno", { path: new URL(link).pathname + new URL(link).search, ...bruno });
  await b.page.locator("[data-testid=sit]").click();
  await Promise.all([a, b].map((p) => p.page.waitForSelector("[data-testid=board]")));
  return [a, b];
}

function whole(world, pick, game, more) {
  return async () => {
    const people = await seatTwo(world, game, more);
    if (more?.watched) people.push(await world.person("Carla", { path: new URL(people[0].page.url()).pathname }));
    const steps = await playOut(people, pick, more);
    for (const p of people) {
      const last = p.told.at(-1).state;
      assert(last.over, "the last message is not of the end");
      equal(await p.page.locator(".game-result h2").count(), 1, "result");
      if (process.env.SALOTTO_STEPS) console.log(`# ${game}: ${p.told.length} messages, ${steps} rounds of choices`);
      assert(steps > 3, "the game was no game");
      await p.close();
    }
  };
}

const bruno = { lang: "it", touch: true, size: [390, 844] };

export function gameCases(world, chooser) {
  return [
    // Louis XIV of four rounds and Favor of three days, whole, are also among the endings of table.mjs.
    ["louis: a whole game of two rounds, with the expansion",
      whole(world, chooser(4), "louis", { players: 2, words: true, options: { Rounds: "2" }, bruno })],
    ["doors: a whole game of two people and one who watches", whole(world, chooser(1), "doors", { bruno, watched: true })],
    ["favor: a whole game, Italian edition", whole(world, chooser(2), "favor", { players: 2, bruno })],
    ["favor: a whole game of one day, three with a bot, English edition",
      whole(world, chooser(5), "favor", { players: 3, options: { Edition: "en", Days: "1" }, bruno })],
    ["traps: a whole game of three with a bot", whole(world, chooser(3), "traps", { players: 3, bruno })],
  ];
}
