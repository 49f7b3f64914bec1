// The first minute and the company: playing without a name, games that this browser keeps, several people
// at one device, the waiting room, reactions, and who is there.
import { execFileSync } from "node:child_process";
import { createECDH, createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, equal, Server, top, until, World } from "./lib.mjs";
import { axe, fits } from "./eyes.mjs";
import { seatTwo } from "./games.mjs";
import { LESSONS, playLesson } from "./lessons.mjs";
import { load } from "./load.mjs";
import { asked, choices, choose, hasty, turnOf, withBots } from "./play.mjs";

const logged = (p) => p.page.locator(".log li").count();

/** No name, nothing refused, one press, and the game is still there after a reload. */
async function firstVisit(world) {
  const p = await world.person("", { path: "/rules/doors", tips: true });
  const refused = [];
  p.page.on("response", (r) => r.status() >= 400 && refused.push(`${r.status()} ${r.url()}`));
  await p.page.goto("/");
  await p.page.locator("[data-game=favor] button.primary").click();
  const sheet = p.page.locator("dialog[open] .bot-sheet");
  await sheet.waitFor();
  assert((await sheet.innerText()).includes("three days of auctions"), "the goal is not said");
  equal(await sheet.locator("select").first().inputValue(), "en", "the edition in an English page");
  equal(await sheet.locator("a[href='/learn/favor']").count(), 1, "the lesson is not offered");
  await p.page.keyboard.press("Escape");
  await withBots(p.page, "doors");
  await p.page.waitForURL("**/play/doors?id=local-*");
  const [first] = await asked(p);
  await p.page.locator("[data-testid=help]").waitFor();
  await axe(p.page, "a first game");
  await p.page.locator("[data-testid=help] button.quiet").click();
  equal(await p.page.locator("[data-testid=help]").count(), 0, "tips after they were turned off");
  await choose(p, first);
  await asked(p);
  equal(refused, [], "requests that were refused");
  const seats = await p.page.locator(".aside").innerText();
  assert(/Lilla/.test(seats) && /Novice/.test(seats), `the bot is nobody: ${seats}`);
  const lines = await logged(p);
  await p.page.reload();
  await asked(p);
  equal(await logged(p), lines, "the log after a reload");
  await p.page.goto("/");
  await p.page.locator(".your-games a").click();
  await asked(p);
  equal(await logged(p), lines, "the log after coming back");
  await p.page.goto("/");
  await p.page.locator(".your-games li button").click();
  await p.page.waitForSelector(".your-games", { state: "detached" });
  assert(!p.errors.length, p.errors.join("; "));
  await p.close();
  const it = await world.person("", { lang: "it" });
  await it.page.locator("[data-game=favor] button.primary").click();
  equal(await it.page.locator(".bot-sheet select").first().inputValue(), "it", "the edition in an Italian page");
  await it.close();
}

/** Undo goes back to one's own last decision, past what bots did and cards that came. */
async function practice(world, name) {
  const p = await world.person(name);
  await withBots(p.page, "doors", { atServer: !!name });
  await p.page.waitForURL(name ? "**/t/*" : "**/play/*");
  const undo = p.page.locator("[data-testid=undo]");
  const before = await asked(p);
  const lines = await logged(p);
  await undo.click({ force: true }); // nothing to undo: it says so
  await p.page.locator(".notice").waitFor();
  await choose(p, before[0]);
  await asked(p);
  await p.page.waitForFunction((n) => document.querySelectorAll(".log li").length > n + 1, lines);
  await undo.click();
  await p.page.waitForFunction((n) => document.querySelectorAll(".log li").length === n, lines + 1);
  equal(await asked(p), before, "the choices after undo");
  assert((await undo.getAttribute("title")).length > 0, "undo says nothing");
  if (name) await p.check();
  assert(!p.errors.length, p.errors.join("; "));
  await p.close();
}

/** Who has no name is called "you" at the table, and what stands beside it is said to you: here in Italian, where the
 * verb would tell. */
async function addressed(world) {
  const p = await world.person("", { lang: "it" });
  await withBots(p.page, "favor");
  await p.page.waitForSelector("[data-testid=board]");
  const said = () => p.page.evaluate(() => window.said);
  await p.page.evaluate(() => {
    window.said = [];
    const look = () => window.said.push(document.querySelector(".plate.own header")?.textContent ?? "");
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  for (let list; (list = await asked(p)).length; ) {
    const calls = list.includes("auction");
    await choose(p, calls ? "auction" : "pass");
    if (calls) break;
  }
  await until(async () => (await said()).some((text) => text.includes("hai chiamato")), "nobody says that you have called");
  await asked(p); // past what the bots say to it
  const wrong = (await said()).filter((text) => !/^▸?Tu(hai chiamato)?(passi|offri \d+)?$/.test(text));
  equal(wrong, [], "what stands beside you");
  await p.close();
}

/** Two people at one device: while the curtain hangs, nobody's secret is on the page. */
async function hotSeat(world) {
  const p = await world.person("");
  await p.page.locator("[data-game=doors] button.primary").click();
  const sheet = p.page.locator(".bot-sheet");
  await sheet.locator("summary").click();
  await sheet.getByLabel("People at this device").selectOption("2");
  await sheet.getByLabel("Player 1").fill("Ada");
  await sheet.getByLabel("Player 2").fill("Ugo");
  await sheet.locator("button.primary").click();
  await p.page.waitForURL("**/play/doors?id=*");
  const faces = () => p.page.evaluate(() => [...document.querySelectorAll("[data-testid=board] [data-zone^=door]")]
    .map((e) => e.dataset.card ?? "??"));
  const seen = new Set();
  for (let i = 0; i < 4; i++) {
    const lift = p.page.locator("dialog[open] button.primary", { hasText: "I am" });
    await lift.waitFor();
    equal((await faces()).filter((c) => c !== "??"), [], "identities behind the curtain");
    if (i === 0) await axe(p.page, "the curtain");
    const who = (await lift.innerText()).replace("I am ", "");
    seen.add(who);
    await lift.click();
    const list = await asked(p);
    equal((await faces()).filter((c) => c !== "??").length, 1, "identities that one person sees");
    await choose(p, list.at(-1));
    await until(async () => {
      if (await lift.count()) return true;
      const [more] = (await choices(p)).slice(-1);
      if (more) await choose(p, more);
      return false;
    }, "the curtain does not fall");
  }
  equal([...seen].sort(), ["Ada", "Ugo"], "who was asked");
  assert(!p.errors.length, p.errors.join("; "));
  await p.close();
}

/** The master is offered where he is: at Traps for two, with his book fetched once. */
async function masterHere(world) {
  const p = await world.person("");
  const master = p.page.locator(".bot-sheet input[value=master]");
  await p.page.locator("[data-game=traps] button.primary").click();
  await p.page.waitForSelector(".bot-sheet");
  equal(await master.count(), 0, "the master at a table of more than two");
  await p.page.locator(".bot-sheet input[name=players]").first().check();
  await master.check();
  await p.page.getByText("The master's book is 1 MB").waitFor();
  await p.page.locator(".bot-sheet button.primary").click();
  await asked(p);
  const kept = await p.page.evaluate(() => caches.open("policy").then((c) => c.keys()).then((k) => k.map((r) => new URL(r.url).search)));
  equal(kept, ["?game=traps"], "the books that are kept");
  assert(!p.errors.length, p.errors.join("; "));
  await p.close();
}

/** A lesson to its end: each step points at what it speaks of, and the last one says where to go from there. */
async function taught(world, path, further) {
  const p = await world.person("", { path: `/learn/${path}` });
  await p.page.waitForSelector("[data-testid=coach]");
  let ways = [];
  const offered = (where) => p.page.locator(`${where} :is([data-testid=next-lesson], [data-testid=real-game])`)
    .evaluateAll((all) => all.map((a) => a.getAttribute("href")));
  await playLesson(p, async () => (ways = await offered(".coach")));
  equal(ways, [`/learn/${further}`, `/play/${path.split("/")[0]}`], "where to go from there");
  if (/doors|traps/.test(path)) { // these end with the game
    await turnOf(p);
    equal(await offered("dialog"), ways, "where to go from the result");
  }
  assert(!p.errors.length, p.errors.join("; "));
  await p.close();
}

/** A kept game that is over can be seen again, from each seat and open. */
async function localReplay(world) {
  const p = await world.person("");
  await withBots(p.page, "doors");
  await p.page.waitForSelector("[data-testid=board]");
  for (let list; (list = await asked(p)).length; ) await choose(p, hasty(list));
  equal(await p.page.locator("[data-testid=next-game]").getAttribute("href"), "/play/doors", "the next game");
  await p.page.locator(".game-result a[href^='/replay/local-'][href$=review]").click();
  await p.page.waitForSelector(".replay-bar");
  await p.page.waitForSelector(".review[data-done=yes] .summary");
  const last = Number(await p.page.locator(".replay-bar input").getAttribute("max"));
  assert(last > 3, `${last} steps`);
  await p.page.locator(".replay-bar button").last().click();
  await p.page.waitForSelector(".game-result");
  await axe(p.page, "a replay from this browser");
  await p.page.goto("/progress"); // it counts there, until it is forgotten
  await p.page.waitForSelector(".progress-page[data-games='1'] figure svg .dot");
  await axe(p.page, "progress");
  await p.page.locator(".progress-page .acts button").click();
  await p.page.waitForSelector(".progress-page[data-games='0']");
  assert(!p.errors.length, p.errors.join("; "));
  await p.close();
}

/** A round of Doors by optimal play: to a place by its address, on by buttons and keys, back. */
async function explorer(world) {
  const p = await world.person("", { path: "/rules/doors" });
  await p.page.locator("a[href='/explore/doors']").click();
  await p.page.locator(".explore button.primary").click();
  for (const card of ["Red Lady", "Blue Lady", "Red Tiger", "Blue/Red"]) await p.page.locator(`.explore .deal button[aria-label='${card}']`).click();
  const at = (line, place) => p.page.waitForSelector(`.explore[data-line='${line}'][data-busy=no] ${place}`);
  await at("RL,BL,RT,BR", ".options");
  await p.page.locator(".options [data-do=RL]").click();
  await at("RL,BL,RT,BR RL", ".deal");
  await p.page.locator(".explore .deal button[aria-label^='Blue Tiger']").click();
  await at("RL,BL,RT,BR RL:BT", ".options");
  const often = await p.page.locator(".options td:nth-child(2) .often").allInnerTexts();
  const sum = often.reduce((all, text) => all + parseInt(text, 10), 0);
  assert(sum >= 98 && sum <= 102, `${sum} % in all`);
  await axe(p.page, "the explorer");
  await p.page.keyboard.press("1");
  await at("RL,BL,RT,BR RL:BT BL", ".deal");
  equal(new URL(p.page.url()).searchParams.get("line"), "RL,BL,RT,BR.RL:BT.BL", "the line in the address");
  await p.page.keyboard.press("Backspace");
  await at("RL,BL,RT,BR RL:BT", ".options");
  await p.page.goto(`${world.server.url}/explore/doors?line=RL,BL,RT,BR.RL:BT.BL:RT.guess:red&score=3-7`);
  await at("RL,BL,RT,BR RL:BT BL:RT guess:red", ".options caption");
  await p.page.goto(`${world.server.url}/explore/doors?line=RL,BL,RT,BR.BT`);
  await p.page.getByText("No round can go like that.").waitFor();
  assert(!p.errors.length, p.errors.join("; "));
  await p.close();
}

/** Chat and reactions while one waits, a bot for a free seat, and the game begins. */
async function waitingRoom(world) {
  const a = await world.person("Anna", { path: "/new/traps" });
  await a.page.locator("form button.primary").click();
  await a.page.waitForURL("**/t/*");
  await a.page.waitForSelector(".qr");
  const link = new URL(await a.page.locator(".invite input").inputValue());
  await a.page.locator(".chat input").fill("Welcome!");
  await a.page.locator(".chat form button").click();
  await a.page.locator(".chat li", { hasText: "Welcome!" }).waitFor();
  const b = await world.person("Bruno", { path: link.pathname });
  equal(await b.page.locator("h1").innerText(), "Anna invites you to Traps", "the invitation");
  await b.page.locator("[data-testid=sit]").click();
  await b.page.locator(".chat li", { hasText: "Welcome!" }).waitFor();
  await b.page.locator(".reactions button").first().click();
  await a.page.locator(".chat li .reaction").waitFor();
  await axe(a.page, "a waiting room");
  await fits(a.page, "a waiting room");
  await a.page.getByRole("button", { name: "Add one bot" }).click();
  await a.page.locator(".seat-line", { hasText: "Intermediate" }).waitFor();
  await a.page.getByRole("button", { name: "Fill up with bots and start" }).click();
  for (const p of [a, b]) await p.page.waitForSelector("[data-testid=board]");
  // What was said is there after a reload; one's own words are not new to oneself.
  await b.page.reload();
  await b.page.getByRole("tab", { name: "Chat" }).click();
  equal((await b.page.locator(".chat li").allInnerTexts())[0], "Anna Welcome!", "the chat after a reload");
  await b.page.locator(".chat li .reaction").waitFor();
  equal(await b.page.locator(".chat li .reaction").count(), 1, "reactions in the chat after a reload");
  equal(await b.page.locator(".unread").count(), 0, "what is unread");
  await b.page.close();
  await a.page.locator(".seat-line .sign.warn").waitFor();
  const gone = a.page.locator(".board .plate .gone"); // phones have only this
  await gone.waitFor();
  equal([await gone.count(), await gone.getAttribute("aria-label")], [1, "not connected; the table waits"], "who has left, on the board");
  await a.check();
  for (const p of [a, b]) await p.close();
}

/** Who has no name yet sees the tables that wait, in the lobby and by their link. */
async function openTables(world) {
  const a = await world.person("Olga", { path: "/new/favor" });
  await a.page.getByLabel("Show it in the lobby").check();
  await a.page.locator("form button.primary").click();
  await a.page.waitForURL("**/t/*");
  await a.page.waitForSelector(".seat-line");
  const p = await world.person("");
  await p.page.locator(".tables a", { hasText: "Olga" }).click();
  await p.page.waitForSelector("input[name=name]");
  equal(await p.page.locator("h1").innerText(), "Olga invites you to Favor", "the invitation");
  for (const q of [a, p]) await q.close();
}

/** Games in play are in the lobby where spectators are welcome; who plays finds theirs first. */
async function watching(world) {
  const open = async (name, spectators) => {
    const p = await world.person(name, { path: "/new/doors" });
    await p.page.getByLabel("Show it in the lobby").check();
    await p.page.locator("select:has(option[value=invited])").nth(1).selectOption("novice");
    await p.page.locator("form summary").click();
    await p.page.getByLabel("Spectators").setChecked(spectators);
    await p.page.locator("form button.primary").click();
    await p.page.waitForSelector("[data-testid=board]");
    return p;
  };
  const a = await open("Tecla", true), b = await open("Ugolina", false);
  const p = await world.person("");
  const game = p.page.locator(".tables a", { hasText: "Tecla" });
  await game.filter({ hasText: "you may watch" }).waitFor();
  equal(await p.page.locator(".tables a", { hasText: "Ugolina" }).count(), 0, "a table without spectators is offered");
  await game.click();
  await p.page.locator("input[name=name]").fill("Vanni");
  await p.page.getByRole("button", { name: "Watch the game" }).click();
  await p.page.waitForSelector("[data-testid=board]");
  equal(await choices(p), [], "a spectator can choose");
  await p.check();
  const own = new URL(a.page.url()).pathname;
  await a.page.goto("/");
  await a.page.locator(".your-games a", { hasText: "Doors" }).waitFor();
  equal(await a.page.locator("main section").first().getAttribute("class"), "panel your-games", "what comes first");
  // Others find it among the open tables; to oneself it is not offered there.
  await a.page.locator(".columns section").first().getByText("One moment…").waitFor({ state: "detached" });
  equal(await a.page.locator(`.columns a[href="${own}"]`).count(), 0, "one's own game is offered");
  for (const q of [a, b, p]) await q.close();
}

/** Reactions at the table, beside the seat of who reacts. */
async function reactions(world) {
  const [a, b] = await seatTwo(world, "doors");
  await a.page.getByRole("tab", { name: "Chat" }).click();
  await a.page.locator(".reactions button").nth(2).click();
  await b.page.locator(".seat-line .reaction").waitFor();
  for (const p of [a, b]) {
    await p.check();
    await p.close();
  }
}

/** A face is chosen with an account, seen at the table, and beside the results in the profile. */
async function profile(world) {
  const a = await world.person("Paola", { path: "/rules/doors" });
  await a.context.request.post("/api/account", { data: { password: "correct horse" } });
  await a.page.goto("/me");
  await a.page.getByLabel("Face 5", { exact: true }).check();
  const me = async () => (await (await a.context.request.get("/api/me")).json()).you;
  await until(async () => (await me()).face === 5, "the face is not kept");
  const drawn = await a.page.locator("label:has(input[name=face]:checked) svg").innerHTML();
  assert(drawn !== await a.page.locator("label:has(input[name=face]) svg").first().innerHTML(), "all faces are the same");
  await axe(a.page, "the account");
  await fits(a.page, "the account");
  await a.page.goto("/new/doors");
  await a.page.locator("form button.primary").click();
  await a.page.waitForURL("**/t/*");
  const link = new URL(await a.page.locator(".invite input").inputValue());
  const b = await world.person("Quinto", { path: link.pathname });
  equal(await b.page.locator(".invited svg.face").innerHTML(), drawn, "the face of the invitation");
  await b.page.locator("[data-testid=sit]").click();
  for (const p of [a, b]) await p.page.waitForSelector("[data-testid=board]");
  equal(await b.page.locator(".seat-line", { hasText: "Paola" }).locator("svg.face").innerHTML(), drawn, "the face at the table");
  await b.page.getByRole("button", { name: "Resign" }).click();
  await b.page.locator("dialog[open] button.primary").click();
  await b.page.waitForSelector(".game-result");
  const { person } = await me();
  await until(async () => (await (await b.context.request.get(`/api/profile?person=${person}`)).json()).results.length, "no result");
  for (const lang of ["en", "it"]) {
    const p = await world.person("", { path: `/p/${person}`, lang, size: lang === "it" ? [360, 640] : [1280, 860] });
    await p.page.getByRole("heading", { name: "Paola" }).waitFor();
    equal(await p.page.locator(".profile-head svg.face").innerHTML(), drawn, "the face of the profile");
    equal(await p.page.locator("[data-testid=all-games]").innerText(), lang === "it" ? "1 partita, 1 vinta" : "1 game, 1 won", "the games");
    equal(await p.page.locator("[data-game=doors] [data-against=people] td").allInnerTexts(), ["1", "1", "0", "0"], "the results");
    await axe(p.page, "a profile");
    await p.page.setViewportSize({ width: 360, height: 640 });
    await fits(p.page, "a profile");
    const wide = await p.page.evaluate(() => [...document.querySelectorAll(".profile .scroll")].some((e) => e.scrollWidth > e.clientWidth));
    equal(wide, false, "a table of results is cut on a phone");
    await p.page.goto("/p/999999");
    await p.page.locator(".notice.bad").waitFor();
    await p.close();
  }
  for (const p of [a, b]) await p.close();
}

/** A court file of one's own: refused with the line, or drawn at a private table. */
async function courtFile(world) {
  const court = JSON.parse(readFileSync(join(top, "src/games/court.json"), "utf8"));
  court.setup.rounds = 2;
  court.tiles[4].name = "Madame X";
  const file = (text) => ({ name: "mine.json", mimeType: "application/json", buffer: Buffer.from(text) });
  const p = await world.person("Renata", { path: "/new/louis" });
  const input = p.page.locator("[data-testid=court-file]");
  await p.page.getByLabel("Show it in the lobby").check();
  const seats = p.page.locator("select:has(option[value=invited])");
  for (let n = 1; n < (await seats.count()); n++) await seats.nth(n).selectOption("novice");
  await input.setInputFiles(file(JSON.stringify({ ...court, tiles: [] }, null, 1)));
  await p.page.locator("form button.primary").click();
  const told = p.page.locator("form .notice.bad");
  await told.waitFor();
  assert(/^line \d+, tiles: /.test(await told.innerText()), `it says: ${await told.innerText()}`);
  await axe(p.page, "a court file that is refused");
  await input.setInputFiles(file(JSON.stringify(court, null, 1)));
  await p.page.locator("form button.primary").click();
  await p.page.waitForURL("**/t/*");
  await p.page.waitForSelector("[data-testid=board].louis, [data-testid=board] .louis-grid");
  const board = p.page.locator("[data-testid=board]");
  assert((await board.locator("[data-tile='5']").innerText()).includes("Madame X"), "the tile of the file is not drawn");
  assert((await board.innerText()).includes("Round 1 of 2"), "the rounds of the file are not told");
  equal((await (await p.context.request.get("/api/lobby")).json()).tables.filter((t) => p.page.url().endsWith(t.table)), [], "it is listed");
  const [, [first]] = await turnOf(p);
  await choose(p, first, { words: true });
  await p.check();
  await p.close();
}

/** Who is rude is reported from the table: the administrator reads who, why, and what was said. */
async function reporting(world) {
  const [a, b] = await seatTwo(world, "doors");
  await b.page.getByRole("tab", { name: "Chat" }).click();
  await b.page.locator(".chat form input").fill("What a silly move");
  await b.page.locator(".chat form input").press("Enter");
  await a.page.getByRole("tab", { name: "Chat" }).click();
  await a.page.locator(".chat li", { hasText: "What a silly move" }).waitFor();
  await a.page.getByRole("button", { name: "Report…" }).click();
  const dialog = a.page.locator("dialog[open]");
  equal(await dialog.locator("option").allInnerTexts(), ["Bruno"], "who can be reported");
  await axe(a.page, "a report");
  const send = dialog.getByRole("button", { name: "Send" });
  equal(await send.isDisabled(), true, "a report without a reason can be sent");
  await dialog.getByLabel("What happened?").fill("He is rude");
  await send.click();
  await a.page.locator(".notice", { hasText: "The administrator will read it" }).waitFor();
  equal(await dialog.count(), 0, "dialogs after it was sent");
  const admin = (...words) => execFileSync(a.server.program, ["admin", "--data", a.server.data, ...words],
    { encoding: "utf8", env: { ...process.env, LANGUAGE: "en" } });
  const line = admin("list", "reports").split("\n").find((l) => l.includes("He is rude"));
  assert(line?.includes("Bruno"), `the list of reports: ${line}`);
  const told = admin("report", line.trim().split(/\s+/)[0]);
  for (const word of ["Anna", "Bruno", "He is rude", "What a silly move"]) assert(told.includes(word), `${word} is not in ${told}`);
  for (const p of [a, b]) {
    await p.check();
    await p.close();
  }
}

/** Whoever allows notifications is subscribed, and a push is shown while the page does nothing. The push
 * service is played by this test. */
async function pushed(world) {
  const server = new Server(world.server.program);
  execFileSync(server.program, ["admin", "push-keys", "--data", server.data]);
  await server.open();
  const p = await new World(world.browser, server).person("Sveva", { path: "/rules/doors" });
  await p.context.grantPermissions(["notifications"]);
  const keys = { p256dh: createECDH("prime256v1").generateKeys().toString("base64url"), auth: randomBytes(16).toString("base64url") };
  await p.context.addInitScript((given) => {
    const made = { endpoint: "https://push.example/1", options: { applicationServerKey: null }, unsubscribe: async () => true,
      toJSON: () => ({ endpoint: made.endpoint, keys: given }) };
    let now = null;
    PushManager.prototype.getSubscription = async () => now;
    PushManager.prototype.subscribe = async ({ applicationServerKey: key }) => {
      if (key.length !== 65) throw new Error("not a key");
      return (now = made);
    };
  }, keys);
  await p.page.goto("/me");
  const told = (remove) => p.page.waitForResponse((r) => r.url().endsWith("/api/push") && r.request().method() === "POST"
    && !!r.request().postDataJSON().remove === remove);
  const wish = p.page.getByLabel("Notify me when it is my turn", { exact: false });
  const [subscribed] = await Promise.all([told(false), wish.check()]);
  equal([subscribed.status(), subscribed.request().postDataJSON().endpoint], [200, "https://push.example/1"], "the subscription");
  const [again] = await Promise.all([told(false), p.page.reload()]);
  equal(again.status(), 200, "the subscription after a reload");
  const session = await p.context.newCDPSession(p.page);
  const registered = new Promise((found) => session.on("ServiceWorker.workerRegistrationUpdated",
    ({ registrations }) => {
      const ours = registrations.find((r) => r.scopeURL.startsWith(server.url));
      if (ours) found(ours.registrationId);
    }));
  await session.send("ServiceWorker.enable");
  const registrationId = await registered;
  const shown = await until(async () => {
    // A worker that is just being replaced does not get what is pushed: then it is pushed again.
    await session.send("ServiceWorker.deliverPushMessage", { origin: server.url, registrationId,
      data: JSON.stringify({ title: "Doors", body: "Sveva, it is your turn.", table: "abcdefghijkmnpqr" }) });
    return p.page.evaluate(async () => (await (await navigator.serviceWorker.ready).getNotifications())
      .map((n) => [n.title, n.body, n.data.path])[0]);
  }, "nothing is shown");
  equal(shown, ["Doors", "Sveva, it is your turn.", "/t/abcdefghijkmnpqr"], "the notification");
  const [gone] = await Promise.all([told(true), wish.uncheck()]);
  equal(gone.status(), 200, "the end of the subscription");
  assert(!p.errors.length, p.errors.join("; "));
  await p.close();
  await server.done();
}

/** The picture of a text that a reader of QR codes (zbarimg) has read. */
async function qr() {
  const { qrCode } = await load("web/src/qr.ts");
  const rows = qrCode("https://salotto.example.org/t/abcdefghijklmnop?key=qrstuvwxyz234567");
  equal(rows.length, 37, "modules");
  const hash = createHash("sha256").update(rows.map((r) => r.map(Number).join("")).join("\n")).digest("hex").slice(0, 16);
  equal(hash, "668e0ad1a7ab5f9a", "the picture");
  equal(qrCode("x".repeat(107)), null, "a text that is too long");
}

export function companyCases(world) {
  return [
    ["a first visit: no name, nothing refused, kept over a reload", () => firstVisit(world)],
    ["practice in the browser: undo goes back to one's last decision", () => practice(world, "")],
    ["practice at the server: undo goes back to one's last decision", () => practice(world, "Anna")],
    ["who has no name is addressed", () => addressed(world)],
    ["two people at one device, with a curtain", () => hotSeat(world)],
    ...LESSONS.map((path, n) => [`the lesson ${path}`, () => taught(world, path, [...LESSONS.slice(1), "doors"][n].replace("/1", ""))]),
    ["the master of Traps in the browser", () => masterHere(world)],
    ["the explorer of Doors", () => explorer(world)],
    ["a game that the browser kept, shown again", () => localReplay(world)],
    ["the waiting room: chat, reactions, bots for free seats", () => waitingRoom(world)],
    ["open tables for who has no name yet", () => openTables(world)],
    ["games in play may be watched where the table allows; one's own come first", () => watching(world)],
    ["reactions at the table", () => reactions(world)],
    ["who is rude is reported from the table", () => reporting(world)],
    ["a profile: a face that one has chosen, and results", () => profile(world)],
    ["a court file: refused with its line, or drawn at a private table", () => courtFile(world)],
    ["Web Push: the page subscribes, the worker shows what comes", () => pushed(world)],
    ["the QR code of a link", qr],
  ];
}
