// Playing with the keyboard alone: Tab leads from group to group, arrows lead within one, Enter chooses.
import { assert, until } from "./lib.mjs";

/** One look at the page: the key that leads on to this action. "wait" while the page is busy, "over" when the
 * choice is gone or a dialog has come in between, "choose" when Enter would choose it. */
function nextKey(page, action) {
  return page.evaluate((wanted) => {
    const at = document.activeElement;
    if (document.querySelector("dialog[open]")) return "over";
    const board = document.querySelector("[data-testid=board]");
    if (board.classList.contains("busy")) return "wait";
    const choice = `[data-action="${wanted}"].can`;
    const list = board.querySelector("[data-testid=in-words]");
    const drawn = [...board.querySelectorAll(choice)].find((e) => !list?.contains(e) && e.checkVisibility({ visibilityProperty: true }));
    const target = drawn ?? (list?.open ? list.querySelector(choice) : list?.querySelector("summary"));
    if (!target) return "over";
    if (at === target) return target.tagName === "SUMMARY" ? "Enter" : "choose";
    const row = target.closest("[role=group]");
    const all = [...(row?.querySelectorAll("button, summary") ?? [])];
    if (!all.includes(at)) return "Tab";
    const ahead = (all.indexOf(target) - all.indexOf(at) + all.length) % all.length;
    return ahead <= all.length / 2 ? "ArrowRight" : "ArrowLeft";
  }, action);
}

/** Whether the question "are you sure?" is there and has the focus: on yes. */
const askedWhetherSure = (page) => page.evaluate(() =>
  !!document.querySelector(".table-page dialog[open]:has(label.check)")?.contains(document.activeElement));

/** Chooses this action by keys, and waits until the table has moved. Where several are asked at once somebody
 * may be faster: then nothing is chosen, and one is asked again. */
export async function chooseByKeys(person, action) {
  const { page } = person;
  const before = await person.seq();
  const moved = async () => (await person.seq()) > before;
  for (let pressed = 0; !(await moved()); ) {
    const key = await until(async () => {
      const next = await nextKey(page, action);
      return next !== "wait" && next;
    }, "the page stays busy");
    if (key === "over") return;
    await page.keyboard.press(key === "choose" ? "Enter" : key);
    assert(++pressed < 400, `the keys do not lead to ${action}`);
    if (key !== "choose") continue;
    await until(async () => {
      if (await moved()) return true;
      if (await askedWhetherSure(page)) await page.keyboard.press("Enter");
      return false;
    }, `${action} has no effect`);
  }
}
