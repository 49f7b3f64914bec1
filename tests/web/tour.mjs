// A tour through what the other tests in browsers pass by, in Italian: every lesson to its end, pages that
// have nothing to show, refusals, and what cannot be fetched. For tools/seen.
//   node tests/web/tour.mjs SALOTTO [PART OF A NAME]
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { equal, until } from "./lib.mjs";
import { act, asked, sitAt, tableOf } from "./fit.mjs";
import { LESSONS, playLesson } from "./lessons.mjs";
import { rareCases } from "./rare.mjs";
import { run } from "./run.mjs";

async function lesson(world, path) {
  const person = await world.person("Anna", { lang: "it", path: `/learn/${path}` });
  await person.page.waitForSelector("[data-testid=coach]");
  await playLesson(person);
  await person.close();
}

/** Until a page shows what it is about, and waits for nothing more. */
async function loaded(page) {
  await page.waitForLoadState("networkidle");
  await page.waitForFunction(() => {
    const said = document.querySelector("main")?.innerText ?? "";
    return said && !said.includes("Un momento");
  });
}

async function emptyPages(world) {
  const person = await world.person(null, { lang: "it" });
  for (const path of ["/nothing", "/me", "/history", "/p/999", "/play/doors/none", "/t/aaaaaaaaaaaaaaaaaaaaaa", "/learn/nothing", "/leaders/doors", "/new/nothing", "/play/nothing"]) {
    await person.page.goto(path);
    await loaded(person.page);
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
  await page.locator("main input[type=text], main input[type=url], main input:not([type])").first().fill("no");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#link-problem");
  await page.goto("/play/louis");
  await page.locator("form button.primary").click();
  await page.waitForSelector("[data-testid=board]");
  for (const summary of await page.locator("summary").all()) await summary.click().catch(() => {});
  await person.close();
}

/** Another password, and another name. */
async function changes(page) {
  const passwords = page.locator("section", { hasText: "Cambia password" }).last();
  await passwords.getByLabel("Password attuale").fill("long enough");
  await passwords.getByLabel("Nuova password").fill("longer still");
  await passwords.getByRole("button").click();
  await page.getByText("Cambiata. Gli altri tuoi dispositivi sono stati scollegati.").waitFor();
  const names = page.locator("section", { hasText: "Cambia nome" }).last();
  await names.getByLabel("Nome").fill("Turista");
  await names.getByLabel("Password").fill("longer still");
  await names.getByRole("button").click();
  await page.getByText("Il nome è stato cambiato.").waitFor();
}

async function account(world) {
  const person = await withAccount(world, "Tourist");
  const { page } = person;
  await signIn(world, "Tourist");
  await page.reload();
  await page.locator(".sessions li").nth(1).waitFor();
  await changes(page);
  await page.goto("/history");
  await page.getByText("Nessuna partita è ancora finita.").waitFor();
  await page.goto("/me");
  await page.locator("button", { hasText: "Elimina account" }).click();
  await page.waitForSelector("dialog[open]");
  await person.close();
}

/** The same account from elsewhere, with a program that says nothing of itself. */
async function signIn(world, name) {
  const context = await world.browser.newContext({ baseURL: world.server.url, userAgent: "" });
  const answer = await context.request.post("/api/enter", { data: { name, password: "long enough" } });
  equal(answer.status(), 200, "signing in elsewhere");
  await context.close();
}

/** A person with an account: rated games need one. */
async function withAccount(world, name) {
  const p = await world.person(name, { lang: "it", path: "/me" });
  await p.page.locator("input[type=password]").first().fill("long enough");
  const made = p.page.waitForResponse((r) => r.url().endsWith("/api/account"));
  await p.page.locator("form button.primary").first().click();
  equal((await made).status(), 200, "making an account");
  return p;
}

// What the server may answer to one who sits down, and what the page says then.
const REFUSALS = [
  ["closing", "Il server si sta riavviando"], ["slow-down", "Troppe richieste"], ["store", "non è stata"],
  ["seat-taken", "posto"], ["name-taken", "nome"], ["full", "Non ha funzionato"],
];

/** Each refusal as the page tells it. */
async function refusals(world) {
  const anna = await world.person("Anna", { lang: "it" });
  const table = await sitAt(anna, { game: "doors", players: 2, seats: ["open", "open"] });
  let code = "";
  const bruno = await world.person("Bruno", { lang: "it" });
  await bruno.page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((text) => {
      const { op, id } = JSON.parse(text);
      if (op === "sit") socket.send(JSON.stringify({ op: "error", re: "sit", id, code, rule: null, message: "" }));
      else server.send(text);
    });
  });
  await bruno.page.goto(`/t/${table}`);
  for (const [wanted, says] of REFUSALS) {
    code = wanted;
    await bruno.page.locator("[data-testid=sit]").first().click();
    await bruno.page.locator("main").getByText(says).first().waitFor();
  }
  await bruno.close();
  await anna.close();
}

/** A rated game that one resigns: in the history, the profile and the leaderboard. */
async function ratedGame(world) {
  const a = await withAccount(world, "Adele"), b = await withAccount(world, "Berto");
  for (let n = 0; n < 2; n++) {
    const table = await sitAt(a, { game: "doors", players: 2, seats: ["open", "open"], rated: true, options: { first: 0 } });
    await b.page.goto(`/t/${table}`);
    await b.page.locator("[data-testid=sit]").first().click();
    for (const p of [a, b]) await p.page.waitForSelector("[data-testid=board]");
    await b.page.goto("/"); // it is not b's turn
    await b.page.locator(".your-games", { hasText: "in corso" }).waitFor();
    await until(() => a.told.at(-1)?.legal?.length, "nothing is asked");
    await act(a, table, a.told.at(-1).legal[0]);
    await b.page.evaluate((id) => new Promise((done) => {
      const socket = new WebSocket(`ws://${location.host}/ws`);
      socket.onopen = () => socket.send(JSON.stringify({ op: "resign", id: 1, table: id }));
      socket.onmessage = ({ data }) => JSON.parse(data).id === 1 && done();
    }), table);
    await a.page.waitForSelector("dialog[open] .game-result");
  }
  for (const p of [a, b]) {
    for (const path of ["/history", "/leaders/doors", "/me"]) {
      await p.page.goto(path);
      await loaded(p.page);
    }
    await p.page.goto(await p.page.locator("a[href^='/p/']").first().getAttribute("href"));
    await p.page.waitForSelector("[data-testid=all-games]");
    await loaded(p.page);
  }
  for (const p of [a, b]) await p.close();
}

/** Pages, rules and the engine that cannot be fetched. */
async function notFetched(world) {
  const p = await world.person(null, { lang: "it", worker: false });
  const { page } = p;
  await page.waitForSelector(".game-tile");
  await page.route(/\.wasm$/, (route) => route.abort());
  await page.goto("/learn/doors");
  await page.locator("main").getByText("Il motore").first().waitFor();
  await page.route(/doors\.it-[^/]*\.html$/, (route) => route.abort());
  await page.goto("/rules/doors");
  await page.getByText("Non è stato possibile caricare le regole.").waitFor();
  await page.goto("/");
  await page.waitForSelector(".game-tile");
  await page.route(/\.js$/, (route) => route.abort());
  await page.locator("a[href='/rules/doors']").first().click();
  await page.locator("main .notice.bad").waitFor();
  await p.context.close();
}

/** What the browser itself offers or refuses. */
async function browserSays(world) {
  const p = await world.person("Carla", { lang: "it" });
  const { page } = p;
  await page.waitForSelector(".game-tile");
  await page.evaluate(() => dispatchEvent(new Event("beforeinstallprompt")));
  await page.waitForSelector("button.install");
  await p.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await p.context.addInitScript(() => (navigator.share = () => Promise.resolve()));
  await page.goto("/");
  await sitAt(p, { game: "traps", players: 3, seats: ["open", "open", "open"], clock: { kind: "slow", days: 7 } });
  const copy = page.getByRole("button", { name: "Copia", exact: true }).first();
  await copy.click();
  await page.getByText("Copiato").first().waitFor();
  await p.close();
}

/** Who has no name yet is asked for one, and what cannot be one is refused. */
async function nameless(world) {
  const p = await world.person(null, { lang: "it", path: "/new/doors" });
  const { page } = p;
  await page.locator("form button.primary").click();
  await page.locator("dialog[open] input").first().fill("  ");
  await page.evaluate(() => document.querySelector("dialog[open] form").requestSubmit());
  await page.getByText("Un nome ha da 1 a 24 caratteri").first().waitFor();
  await p.close();
}

/** Sound off and on; notifications that the browser does not allow. */
async function preferences(world) {
  const p = await world.person("Elio", { lang: "it", path: "/me" });
  const { page } = p;
  await loaded(page);
  await page.getByRole("button", { name: "Togli l'audio" }).click();
  await page.evaluate(() => (Notification.requestPermission = async () => "denied"));
  await page.getByLabel("Avvisami", { exact: false }).first().click();
  await page.getByText("Il browser non permette").first().waitFor();
  await p.close();
}

/** A card of Louis XIV played on the board: card, tile, and anew. */
async function onTheBoard(world) {
  const p = await world.person("Febe", { lang: "it" });
  const table = await tableOf(p, { game: "louis", players: 2, seats: ["open", "random"] });
  for (let m; (m = await asked(p)).state.phase !== "influence"; ) await act(p, table, m.legal[0]);
  await p.page.locator("[data-testid=board] .hands button.can").first().click();
  await p.page.getByRole("button", { name: "Ricomincia" }).first().waitFor();
  await p.close();
}

/** A table as text, with the legend of Louis XIV. */
async function overview(world) {
  const p = await world.person("Dora", { lang: "it" });
  const { page } = p;
  await page.goto("/play/louis");
  await page.locator("form button.primary").click();
  await page.waitForSelector("[data-testid=board]");
  await page.evaluate(() => document.querySelector("#tab-overview").click());
  await page.waitForSelector(".legend");
  await p.close();
}

await run((world, program) => [
  ...LESSONS.map((path) => [`lesson ${path}, in Italian`, () => lesson(world, path)]),
  ["pages with nothing to show", () => emptyPages(world)],
  ["records", () => records(world, program)],
  ["a link that is none, and the legend", () => links(world)],
  ["an account", () => account(world)],
  ["what the server refuses", () => refusals(world)],
  ["a rated game that was resigned", () => ratedGame(world)],
  ["pages that cannot be fetched", () => notFetched(world)],
  ["what the browser offers", () => browserSays(world)],
  ["a name that is none", () => nameless(world)],
  ["sound and notifications", () => preferences(world)],
  ["a card on the board of Louis XIV", () => onTheBoard(world)],
  ["the table as text, and its legend", () => overview(world)],
  ...rareCases(world, program, withAccount),
]);
