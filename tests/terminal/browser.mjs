// A person with a browser, for tables that somebody opened from a terminal.
//   node browser.mjs ORIGIN        reads a table's link a line, sits down there, and plays to the end
//
// Says "over WINNER..." for each, or "failed WHY". Whenever the page offers something it is pressed; the
// other side plays at its own pace, so nothing here expects whose turn it is.
import { createInterface } from "node:readline";
import { chromium, until, World } from "../web/lib.mjs";

/** One look at the page: presses what it offers. What it did, or "over", or "". */
function lookAndPress() {
  const press = (e) => (e.click(), true);
  if (document.querySelector(".game-result")) return "over";
  for (const asks of ["[data-testid=go-on]", "dialog[open]:not(.stage) button.primary"]) {
    const button = document.querySelector(asks);
    if (button) return press(button) && asks;
  }
  const board = document.querySelector("[data-testid=board]");
  if (!board || board.classList.contains("busy")) return "";
  const list = board.querySelector("[data-testid=in-words]") ?? board;
  const offered = [...list.querySelectorAll("[data-action].can")];
  // Who passes ends the betting of Traps; all others take what comes first.
  const choice = offered.find((e) => e.dataset.action === "pass" && board.dataset.phase === "bet") ?? offered[0];
  return choice ? press(choice) && choice.dataset.action : "";
}

async function play(world, link) {
  const path = new URL(link).pathname + new URL(link).search;
  const person = await world.person("Bruna", { path });
  await person.page.locator("[data-testid=sit]").click();
  await person.page.waitForSelector("[data-testid=board]");
  let pressed = "";
  await until(async () => {
    const told = person.told.length;
    pressed = await person.page.evaluate(lookAndPress);
    // What was pressed is answered, or the page shows something else: then look again.
    if (pressed && pressed !== "over")
      for (let i = 0; i < 40 && person.told.length === told; i++) await new Promise((go) => setTimeout(go, 25));
    await person.check();
    return pressed === "over";
  }, "the game does not end");
  const last = person.told.at(-1).state;
  await person.close();
  return last;
}

const [origin] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.SALOTTO_CHROMIUM ?? "/usr/bin/chromium",
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
const world = new World(browser, { url: origin });
for await (const link of createInterface({ input: process.stdin })) {
  const said = await play(world, link.trim()).then((state) => `over ${state.winners.join(" ")}`, (e) => `failed ${e.stack.replaceAll("\n", " ")}`);
  console.log(said);
}
await browser.close();
