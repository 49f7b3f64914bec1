// Looking at a page the way machines can: rules of accessibility, sizes of what one presses, and what
// is left of the cards without colour.
import { assert, axeSource } from "./lib.mjs";

/** axe-core finds nothing against WCAG 2.2 AA, nor against its own good practice. */
export async function axe(page, what) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
  const found = await page.evaluate(async () => {
    const { violations } = await window.axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      resultTypes: ["violations"],
      // An experiment of axe that takes the letters drawn on a card for the words of a button.
      rules: { "label-content-name-mismatch": { enabled: false } },
    });
    return violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => `${n.target} ${n.failureSummary?.split("\n")[1] ?? ""}`).join(" | ")}`);
  });
  assert(!found.length, `${what}: ${found.join("\n")}`);
}

/** Nothing sticks out to the side, and what one presses is large enough (24 px, WCAG 2.5.8). */
export async function fits(page, what) {
  const wide = await page.evaluate(() => {
    const limit = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= limit) return null;
    return [...document.querySelectorAll("body *")]
      .filter((e) => e.getBoundingClientRect().right > limit + 1).slice(0, 3)
      .map((e) => `${e.tagName}.${e.className?.baseVal ?? e.className}`);
  });
  assert(!wide, `${what} is wider than the window: ${wide}`);
  const small = await page.evaluate(() =>
    [...document.querySelectorAll("button, select, input, summary, nav a, .button")]
      .filter((e) => e.offsetParent && !e.closest("label.check") && !e.closest(".hidden-visually"))
      .map((e) => [e.outerHTML.slice(0, 90), e.getBoundingClientRect()])
      .filter(([, r]) => r.width && (r.width < 24 || r.height < 24))
      .map(([html, r]) => `${html} ${Math.round(r.width)}x${Math.round(r.height)}`));
  assert(!small.length, `${what}: too small to press: ${small.slice(0, 3).join(" | ")}`);
}

/** How different each two of these elements look, 0 to 1: [one, other, difference]. */
export async function differences(page, elements) {
  const shots = [];
  for (const locator of elements) shots.push((await locator.screenshot()).toString("base64"));
  return page.evaluate(async (all) => {
    const pixels = [];
    for (const data of all) {
      const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const canvas = new OffscreenCanvas(60, 84);
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0, 60, 84);
      pixels.push(context.getImageData(0, 0, 60, 84).data);
    }
    const apart = (a, b) => {
      let sum = 0;
      for (let i = 0; i < a.length; i += 4)
        sum += Math.abs(a[i] - b[i]) * 0.3 + Math.abs(a[i + 1] - b[i + 1]) * 0.59 + Math.abs(a[i + 2] - b[i + 2]) * 0.11;
      return sum / (a.length / 4) / 255;
    };
    return pixels.flatMap((a, i) => pixels.slice(0, i).map((b, j) => [j, i, apart(a, b)]));
  }, shots);
}
