// What a page says seldom, provoked: answers of the server that need months of games, a hand with a joker, a
// victory that is shared, a clock of days. In Italian, for tools/seen.
import { spawnSync } from "node:child_process";
import { readFileSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { equal, noteShown, Server, until, World } from "./lib.mjs";
import { act, asked, sitAt, tableOf } from "./fit.mjs";
import { withBots } from "./play.mjs";

/** What the server answers at this path, changed. */
const answer = (page, path, change) => page.route(path, async (route) => {
  const response = await route.fetch();
  await route.fulfill({ response, json: change(await response.json()) });
});

/** Past the ends of rounds to the result. */
const over = (p) => until(async () => {
  await p.page.evaluate(() => document.querySelector("dialog.stage [data-testid=go-on]")?.click());
  return p.over();
}, "the result does not come");

/** A veteran: ranks, a curve, games of many days, somebody who resigned. */
async function veteran(world, withAccount) {
  const p = await withAccount(world, "Zita");
  const { page } = p;
  const { you } = await (await p.context.request.get("/api/me")).json();
  await page.goto(`/p/${you.person}`);
  await page.getByText("Ancora nessuna partita").first().waitFor();
  const rated = { rank: 1, person: you.person, name: "Zita", rating: 1600, deviation: 50, games: 12 };
  await answer(page, "**/api/leaders*", (m) => ({ ...m, leaders: [rated], you: rated }));
  await page.goto("/leaders/doors");
  await page.getByText("1600").first().waitFor();
  await answer(page, "**/api/profile*", (m) => ({ ...m, ratings: [{ game: "doors", ...rated }],
    results: [{ game: "doors", against: "mixed", games: 3, won: 1, lost: 2, shared: 0 }],
    streaks: [], curve: [1500, 1540, 1600].map((rating) => ({ game: "doors", rating })) }));
  await page.goto(`/p/${you.person}`);
  await page.waitForSelector("figure.curve");
  const seats = [{ name: "Zita", score: 4, place: 2, gone: true, before: 1610, after: 1600 }, { level: "novice", score: 10, place: 1 }];
  await answer(page, "**/api/history*", () => ({ ok: true, next: 1, games: [{ n: 2, table: "a".repeat(16), game: "doors", at: 1.7e12, seat: 0, seats }] }));
  await page.goto("/history");
  await page.getByText("(").first().waitFor();
  await answer(page, "**/api/mine", (m) => ({ ...m, tables: [{ table: "a".repeat(16), game: "favor", started: true, spectators: true, over: true,
    seats: [{ kind: "person", name: "Zita" }, { kind: "bot", level: "novice" }] }] }));
  await page.goto("/");
  await page.locator(".your-games").waitFor();
  await page.locator("[data-game=doors] button.primary").click();
  await page.locator(".bot-sheet summary").click();
  await page.locator("dialog[open] .bot-sheet").getByText("Classificata").first().waitFor();
  await answer(page, "**/api/sessions", (m) => ({ ...m, sessions: m.sessions.map((s) => ({ ...s, agent: "" })) }));
  await page.goto("/me");
  await page.getByText("browser sconosciuto").first().waitFor();
  await p.close();
}

// What mistakes are told by: the first words of the actions of each game (docs/protocol.md).
const VERBS = {
  doors: "take discard guess claim end", favor: "add auction bid pass", traps: "place build bet pass reveal stop give",
  louis: "favour withdraw swap exchange foothold play jump recover intrigue tie pay put keep recoup fulfil trade done draw",
};

/** Progress of somebody who has made every kind of mistake; none is told by a word of the notation. */
async function mistakes(world) {
  const p = await world.person("Olga", { lang: "it" });
  const games = Object.entries(VERBS).map(([game, all], n) => {
    const verbs = all.split(" "), better = verbs.slice(1).concat(verbs[0]);
    const pairs = verbs.map((did, i) => ({ role: "", did, better: better[i], count: 1, lost: 0.1 })).filter((_, i) => i % 2 === 0);
    return { table: String(n).repeat(16), game, at: n, accuracy: 0.5, lost: 1, luck: 0, won: 0, players: 2,
      roles: [{ role: "", decisions: 9, lost: 1, stake: 2 }], mistakes: pairs };
  });
  await p.page.route("**/api/progress*", (route) => route.fulfill({ json: { ok: true, games } }));
  await p.page.goto("/progress");
  for (const { game, mistakes: told } of games) {
    await p.page.locator(".progress-page select").selectOption(game);
    await until(async () => (await p.page.locator(".progress-page table.list").last().locator("tbody tr").count()) === told.length, `mistakes of ${game}`);
    const cells = await p.page.locator(".progress-page table.list").last().locator("tbody td:not(.right)").allTextContents();
    equal(cells.filter((words) => VERBS[game].split(" ").includes(words)).join(), "", "told by their notation");
  }
  await p.close();
}

/** The explorer of Doors where a set has been completed, after a discard at a score, and at an end in tokens. */
async function explored(world) {
  const p = await world.person("", { lang: "it", path: "/rules/doors" });
  for (const [line, score, said] of [["RL,RL,RL,BL.RL:RT.RT:RT.RL:RT.RT:BT.RL:BT.RT:BT.BL:BL", "", "l'ha già dichiarato"],
    ["RL,BL,RT,BR.RL:BT.BL:RT", "&score=3-7", "tenta un'ipotesi o chiude il turno"], ["RL,BL,RT,BR.RL:BT.BL:RT.guess:red", "", "in segnalini"]]) {
    await p.page.goto(`/explore/doors?line=${line}${score}`);
    const fetch = p.page.locator(".explore > p > button.primary");
    await until(async () => (await fetch.count()) > 0 || (await p.page.locator(".explore select").count()) > 0, "the explorer");
    if (await fetch.count()) await fetch.click(); // the policy, once
    await p.page.locator(".explore[data-busy=no]", { hasText: said }).waitFor();
  }
  await p.close();
}

/** A record whose draws are fixed, one whose player kept a part to themselves, and a commitment that was swapped. */
async function strangeRecords(world, program) {
  const p = await world.person(null, { lang: "it" });
  const { page } = p;
  const file = join(mkdtempSync(join(tmpdir(), "salotto-rare-")), "game.salotto");
  spawnSync(program, ["play", "doors", "--plain", "--seed", "5", "--option", "first=0", "--record", file], { input: "take BL\nquit\n" });
  const whole = readFileSync(file, "utf8");
  const check = async (record) => {
    await page.locator("main textarea").fill(record);
    await page.locator("main form button.primary").click();
    await page.waitForSelector("main [role=status]");
  };
  await page.goto("/verify");
  await check(whole.replace("\n= ", "\ndeal 1 identities 0 BT RL\n= "));
  const strange = join(mkdtempSync(join(tmpdir(), "salotto-rare-")), "louis.salotto"), court = strange + ".json";
  writeFileSync(court, spawnSync(program, ["court", "show", "--json"]).stdout.toString().replace('"gold":5', '"gold":6'));
  spawnSync(program, ["play", "louis", "--plain", "--seed", "5", "--option", `court=${court}`, "--record", strange], { input: "quit\n" });
  await page.goto("/verify");
  await page.locator("main textarea").fill(readFileSync(strange, "utf8"));
  await page.locator("main form button.primary").click();
  await page.getByText("le pagine verificano solo le partite con la corte predefinita").first().waitFor();
  await noteShown(page, "pages check only games with the built-in court; use 'salotto verify'.");
  await page.goto("/verify");
  const [ones, zeros] = ["1", "0"].map((digit) => digit.repeat(64));
  await check(`${whole.split("\ncommit")[0]}\npledge 0 ${ones}\npart 0 ${zeros}\npart 1 ${ones}\n`);
  const id = "b".repeat(16);
  await page.route(`**/api/record/${id}`, (route) => route.fulfill({ body: whole, contentType: "text/plain" }));
  await page.evaluate((told) => localStorage.setItem("salotto-commitments", JSON.stringify([told])), [id, zeros]);
  await page.goto(`/verify?table=${id}`);
  await page.waitForSelector("main [role=status]");
  await page.goto("/play/doors?id=local-none");
  await page.waitForSelector("main [role=status]");
  await p.close();
  const q = await world.person(null, { lang: "it", worker: false, path: "/verify" });
  await q.page.route(/\.wasm$/, (route) => route.abort());
  await q.page.locator("main textarea").fill(whole);
  await q.page.locator("main form button.primary").click();
  await q.page.locator("main .notice.bad").waitFor();
  await q.context.close();
}

/** A victory that is shared, as whoever shares it and as others read it. */
async function shared(world) {
  for (const winners of [[0, 1], [1, 2]]) {
    const p = await world.person("Isa", { lang: "it" });
    await p.page.routeWebSocket(/\/ws$/, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((text) => {
        const m = JSON.parse(text);
        if (m.state?.over) m.state.winners = winners;
        socket.send(JSON.stringify(m));
      });
    });
    await p.page.goto("/");
    const table = await tableOf(p, { game: "favor", players: 3, seats: ["open", "novice", "novice"], options: { days: "1" }, clock: { kind: "slow", days: 7 } });
    for (let m; (m = await asked(p)); ) await act(p, table, m.legal[0]);
    await over(p);
    await p.close();
  }
}

/** Stories of equal points, by what decides then, and of crowns: the page is told that the game is over as soon as it has begun. */
async function stories(world) {
  const even = { scores: [5, 5] }, crown = (seat) => ({ event: "crown", seat, tile: 1 });
  for (const [game, change, said, first] of [["favor", { ...even, gems: [2, 1] }, "hanno deciso i segnalini"],
    ["favor", { ...even, gems: [2, 2] }, "ordine di gioco"], ["louis", { ...even, fulfilled: [["L01"], []] }, "hanno deciso le missioni"],
    ["louis", even, "luigi rimasti"], ["louis", { scores: [6, 5] }, "hai avuto 1 corona da Luigi", crown(0)],
    ["louis", { scores: [6, 5] }, "Lilla ha avuto 1 corona da Luigi", crown(1)]]) {
    const p = await world.person("Ugo", { lang: "it" });
    await p.page.routeWebSocket(/\/ws$/, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((text) => {
        const m = JSON.parse(text);
        if (m.state) Object.assign(m.state, { over: true, winners: [0], ...change });
        if (m.events?.length) Object.assign(m.events[0], first);
        socket.send(JSON.stringify(m));
      });
    });
    await p.page.goto("/");
    await sitAt(p, { game, players: 2, seats: ["open", "novice"] });
    await p.page.locator(".story", { hasText: said }).waitFor();
    await p.close();
  }
}

/** Keeps all that is ever on the stage, and what bots say at the end. */
const hearing = (p) => p.context.addInitScript(() => {
  window.heard = "";
  new MutationObserver(() => document.querySelectorAll("dialog.stage[open], .game-result").forEach((e) => (window.heard += e.textContent)))
    .observe(document, { subtree: true, childList: true });
});

/** Plays tables of this plan until all these words were read. */
async function playUntil(p, plan, choice, words) {
  const wanted = new Set(words);
  const listen = async () => {
    const heard = await p.page.evaluate(() => window.heard);
    for (const said of wanted) if (heard.includes(said)) wanted.delete(said);
  };
  for (let tables = 0; tables < 20 && wanted.size; tables++) {
    const table = await tableOf(p, plan);
    for (let m; wanted.size && (m = await asked(p)); await listen()) await act(p, table, choice(m.legal));
    if (!wanted.size) break;
    await over(p);
    await listen();
  }
  equal([...wanted].join(), "", "what was not said");
}

/** Doors where whoever has a set claims it. */
async function guesserClaims(world) {
  const p = await world.person("Eva", { lang: "it" });
  await hearing(p);
  await p.page.goto("/");
  await playUntil(p, { game: "doors", players: 2, seats: ["open", "random"] },
    (legal) => legal.find((action) => action.startsWith("claim")) ?? legal.find((action) => !action.startsWith("guess")),
    ["Indovinatore ha dichiarato un set"]);
  await p.close();
}

/** Rounds of Traps that end by one's own trap while all others have four. */
async function ownTraps(world) {
  const p = await world.person("Eva", { lang: "it" });
  await p.page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((text) => {
      const m = JSON.parse(text);
      for (const e of m.events ?? []) if (e.event === "bet_failed") e.event = "all_four";
      socket.send(JSON.stringify(m));
    });
  });
  await hearing(p);
  await p.page.goto("/");
  await playUntil(p, { game: "traps", players: 2, seats: ["open", "random"] }, boldly, ["trappola propria"]);
  await p.close();
}

const boldly = (legal) => (legal.includes("bet 99") ? "bet 99" : legal[0]);

// What bots say, by their temper (src/bots/bots.c), after rounds and at the end: who always bets 99 loses at Traps,
// and random guesses lose at Doors.
const against = (...bots) => ({ game: "traps", players: 1 + bots.length, seats: ["open", ...bots] });
const REMARKS = [
  [against("random"), boldly, ["Ben giocato.", "Avanti.", "Bella partita. Un'altra?", "La fortuna era dalla mia."]],
  [against("novice"), boldly, ["E ci hai creduto?", "Non ho mai detto di averla."]],
  [against("regular"), boldly, ["Avrei preferito aspettare.", "Chi va piano va sano e va lontano."]],
  [against("novice", "novice"), boldly, ["È costato caro.", "Io conto tutto, fino all'ultimo."]],
  [against("regular", "regular"), boldly, ["La prossima volta più in alto!", "Chi non risica non rosica."]],
  [{ game: "doors", players: 2, seats: ["open", "random"] }, (legal) => legal[0],
    ["Bella vittoria. Voglio la rivincita!", "Mi hai letto nel pensiero."]],
];

/** Every word that bots say; each time with a new guest, for a guest may not open many tables in a minute. */
async function remarks(world) {
  for (const plan of REMARKS) {
    const p = await world.person("Eva", { lang: "it" });
    await hearing(p);
    await p.page.goto("/");
    await playUntil(p, ...plan);
    await p.close();
  }
}

/** What the server may say to a page at any moment. */
async function words(world) {
  const p = await world.person("Lia", { lang: "it" });
  let table = "", tell;
  await p.page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer();
    tell = (m) => socket.send(JSON.stringify(m));
    server.onMessage((text) => {
      const m = JSON.parse(text);
      if (m.op === "why") delete m.message;
      socket.send(JSON.stringify(m));
    });
  });
  await p.page.goto("/");
  table = await tableOf(p, { game: "doors", players: 2, seats: ["open", "novice"], options: { first: 0 } });
  await asked(p);
  await p.page.locator("[data-testid=board] [data-action]:not(.can)").first().click({ force: true });
  await p.page.locator(".notice.bad").waitFor();
  tell({ op: "left", table });
  await p.page.getByText("spettatori").first().waitFor();
  await p.close();
}

/** Somebody pledges a random part and never tells it: the game begins without, and both read so. */
async function withheld(world, program) {
  const server = await new Server(program, ["--reveal-seconds", "1"]).open();
  const there = new World(world.browser, server);
  const a = await there.person("Ines", { lang: "it" });
  const table = await sitAt(a, { game: "doors", players: 2, seats: ["open", "open"] });
  const b = await there.person("Remo", { lang: "it" });
  await b.page.routeWebSocket(/\/ws$/, (socket) => {
    const onward = socket.connectToServer();
    socket.onMessage((text) => JSON.parse(text).op === "part" || onward.send(text));
  });
  await b.page.goto(`/t/${table}`);
  await b.page.locator("[data-testid=sit]").first().click();
  for (const p of [a, b]) {
    const notice = p.page.locator(".over-board .notice", { hasText: "Remo: parte casuale non rivelata in tempo." });
    await notice.getByRole("button", { name: "Chiudi" }).click();
    await notice.waitFor({ state: "detached" });
  }
  for (const p of [a, b]) await p.close();
  await server.done();
}

/** Between a page and its server: `last` is what the page was last asked, `tell` sends it a message of ours. */
async function relay(p) {
  const asking = {};
  await p.page.routeWebSocket(/\/ws$/, (socket) => {
    asking.tell = (m) => socket.send(JSON.stringify(m));
    socket.connectToServer().onMessage((text) => {
      const m = JSON.parse(text);
      if (m.legal?.length) asking.last = { ...m, op: "moved", kind: "act" };
      socket.send(text);
    });
  });
  return asking;
}

// Every phase that has a tip: the `help` of each game.
const TIPS = {
  doors: { take: "Prendi una carta", claim: "Tra le carte raccolte", discard: "Per prima cosa scarta", guess: "Nomina una caratteristica" },
  favor: { turn: "Aggiungi una carta al lotto", bid: "Per questo lotto", final: "È l'ultimo lotto" },
  traps: { place: "Metti una carta coperta", build: "Metti un'altra carta", bet: "Scommetti più punti", reveal: "Scopri la carta", give: "Una delle trappole" },
  louis: { setup: "Sposta un segnalino", influence: "Scegli una carta", pay: "Sei presente senza", tie: "Qui c'è una parità",
    intrigue: "Qui puoi giocare", mission: "Completa una missione", draw: "Pesca una nuova", favourite: "Metti segnalini" },
};

/** The tip of every phase, in one's first games: the page is told one phase after the other. */
async function tips(world) {
  for (const [game, phases] of Object.entries(TIPS)) {
    const p = await world.person("Pia", { lang: "it", tips: true });
    const asking = await relay(p);
    await p.page.goto("/");
    await tableOf(p, { game, players: 2, seats: ["open", "novice"], options: { first: 0 } });
    for (const [phase, words] of Object.entries(phases)) {
      await until(() => asking.last, "nothing is asked");
      asking.tell({ ...asking.last, events: [], words: [], state: { ...asking.last.state, phase } });
      const tip = p.page.locator("[data-testid=help]", { hasText: words });
      await tip.getByRole("button", { name: "Ho capito" }).click();
      await tip.waitFor({ state: "detached" });
    }
    await p.close();
  }
}

/** Louis XIV on the board: a joker, markers on a tile, a mission and what completes it. */
async function jokers(world) {
  const p = await world.person("Ada", { lang: "it" });
  const board = p.page.locator("[data-testid=board]");
  const seen = new Set();
  for (let tables = 0; tables < 6 && seen.size < 2; tables++) {
    const table = await tableOf(p, { game: "louis", players: 2, seats: ["open", "novice"], options: { rounds: "2" } });
    for (let m; seen.size < 2 && (m = await asked(p)); ) {
      if (m.state.phase === "influence" && !seen.has("J") && m.legal.some((a) => a.startsWith("play J"))) {
        await board.locator(".hands [data-card=J]").first().click();
        await board.locator("[data-tile].can").first().click();
        seen.add("J");
      }
      const done = m.legal.find((a) => a.startsWith("fulfil"));
      if (done) {
        await board.locator(`.own-missions [data-part="${done.split(" ")[1]}"]`).click();
        await board.locator(`[data-action="${done}"]`).first().waitFor();
        seen.add("mission");
      }
      await act(p, table, done ?? m.legal[0]);
    }
  }
  await p.close();
}

/** Louis XIV: a path with privilege 2, on the board. */
async function jumps(world) {
  const p = await world.person("Gaia", { lang: "it" });
  const board = p.page.locator("[data-testid=board]");
  const table = await tableOf(p, { game: "louis", players: 2, seats: ["open", "random"], options: { rounds: "2" } });
  let m, jump;
  while (!(jump = (m = await asked(p)).legal.find((a) => /^jump \w+( \d+:1)+$/.test(a))))
    await act(p, table, m.legal.find((a) => a === "favour 2") ?? (m.state.phase === "withdraw" ? "pass" : m.legal[0]));
  const [, card, ...path] = jump.split(" ");
  await board.locator(`.hands [data-card="${card}"]`).first().click();
  for (const step of path) await board.locator(`[data-tile="${step.split(":")[0]}"].can`).first().click();
  await board.getByText("Piazzali con il privilegio 2").first().waitFor();
  await p.close();
}

/** Louis XIV: an intrigue card with privilege 3; the page is told that one is asked so. */
async function thirdPrivilege(world) {
  const p = await world.person("Gaia", { lang: "it" });
  const asking = await relay(p);
  await p.page.goto("/");
  await tableOf(p, { game: "louis", players: 2, seats: ["open", "novice"], options: { first: 0 } });
  await until(() => asking.last, "nothing is asked");
  const legal = ["intrigue general 2 favour", "intrigue personal 3 favour", "pass"];
  asking.tell({ ...asking.last, events: [], words: [], legal, legal_say: legal, state: { ...asking.last.state, phase: "intrigue", evaluating: 1 } });
  for (const said of ["+2 dalla riserva con il privilegio 3", "+3 dai pronti con il privilegio 3"])
    await p.page.locator("[data-testid=board]").getByText(said).first().waitFor();
  await p.close();
}

/** A review of decisions without a choice that led others astray. */
async function ledAstray(world) {
  const p = await world.person("Rita", { lang: "it" });
  const { page } = p;
  const table = await tableOf(p, { game: "doors", players: 2, seats: ["open", "random"], options: { goal: "5" } });
  for (let m; (m = await asked(p)); ) await act(p, table, m.legal.find((a) => a.startsWith("guess")) ?? m.legal[0]);
  await over(p);
  const astray = (b) => ({ ...b, model: "habit", bits: -1 });
  await answer(page, "**/api/review/*", (m) => ({ ...m, steps: m.steps?.map((s) =>
    (s.mark ? { ...s, mark: "forced", beliefs: s.beliefs?.map(astray) } : s)) }));
  await page.goto(`/replay/${table}?seat=0&at=0&review`);
  await page.waitForSelector(".review[data-done=yes] .summary");
  const said = (words) => page.locator(".decision").getByText(words).count();
  for (let at = 0; !((await said("obbligata")) && (await said("fuori strada"))); at++) {
    await page.waitForSelector(`.replay[data-step="${at}"]`);
    await page.keyboard.press("ArrowRight");
  }
  await p.close();
}

/** In a lesson, something else than what it asks for: before one has read on, and then. */
async function otherThanAsked(world) {
  const p = await world.person("Anna", { lang: "it", path: "/learn/doors" });
  const { page } = p;
  const press = (action) => page.locator(`[data-testid=board] [data-action="${action}"]`).first().click({ force: true });
  await page.waitForSelector("[data-testid=next]");
  await press("take RT");
  await page.getByText("prima continua a leggere").first().waitFor();
  while (await page.locator("[data-testid=next]").count()) await page.locator("[data-testid=next]").click();
  await press("take RT");
  await page.getByText("Per questa lezione, fai come si chiede").first().waitFor();
  await p.close();
}

/** Louis XIV: a single marker where at least two or three are wanted, so that a tile pays nobody; tables follow
 * each other until no bot has put more there. */
async function nobodyPaid(world) {
  const p = await world.person("Nina", { lang: "it", motion: true });
  const walk = () => p.page.evaluate(() => {
    const stage = document.querySelector("dialog.stage");
    return stage && (stage.querySelector(".step.shown") ? "over" : stage.querySelector(".walk-line").textContent || "…");
  });
  const choose = ({ legal, state }) => (state.phase === "influence" && legal.find((a) => / (6|7|12):1( |$)/.test(a)))
    || legal.find((a) => /^(recover|done|pass)/.test(a)) || legal[0];
  for (let seen = false; !seen; ) {
    const table = await tableOf(p, { game: "louis", players: 2, seats: ["open", "random"], options: { first: 0 } });
    seen = await until(async () => {
      const said = await walk(), m = p.told.at(-1);
      if (said?.includes("Nessuno ottiene nulla")) return "seen";
      if (said === "over") return "another";
      if (!said && m?.table === table && m.legal?.length) await act(p, table, choose(m));
    }, "the round has no end") === "seen";
  }
  await p.close();
}

/** Somebody has been away for minutes; the next game that waits; a replay that runs. */
async function waiting(world) {
  const a = await world.person("Ida", { lang: "it" });
  await a.page.clock.install();
  const table = await sitAt(a, { game: "doors", players: 2, seats: ["open", "open"], options: { first: 0 } });
  const b = await world.person("Ugo", { lang: "it", path: `/t/${table}` });
  await b.page.locator("[data-testid=sit]").first().click();
  for (const p of [a, b]) await p.page.waitForSelector("[data-testid=board]");
  await b.close();
  await a.page.locator(".seat-line .sign.warn").first().waitFor();
  await a.page.clock.fastForward(130000);
  await until(() => a.page.evaluate(() => /2 minuti|minuti fa/.test(document.querySelector(".aside").textContent)), "nobody is missed");
  await answer(a.page, "**/api/mine", (m) => ({ ...m, tables: [{ table: "c".repeat(16), game: "favor", seats: [], started: true, spectators: true, asked: true }] }));
  await a.page.getByRole("button", { name: "Abbandona" }).click();
  await a.page.locator("dialog[open] button.primary").click();
  await a.page.locator("[data-testid=next-game][href^='/t/']").waitFor();
  await a.page.goto(`/replay/${table}`);
  await a.page.waitForSelector(".replay-bar");
  await a.page.getByRole("button", { name: "Riproduci" }).first().click();
  await a.page.close();
  await a.context.close();
}

export const rareCases = (world, program, withAccount) => [
  ["a veteran", () => veteran(world, withAccount)],
  ["every kind of mistake", () => mistakes(world)],
  ["seldom places of the explorer", () => explored(world)],
  ["records that are strange", () => strangeRecords(world, program)],
  ["a victory that is shared", () => shared(world)],
  ["stories of equal points and of crowns", () => stories(world)],
  ["the Guesser claims a set", () => guesserClaims(world)],
  ["one's own traps", () => ownTraps(world)],
  ["every word of bots", () => remarks(world)],
  ["what the server may say at any moment", () => words(world)],
  ["a random part that is not told", () => withheld(world, program)],
  ["tips of every phase", () => tips(world)],
  ["jokers and missions of Louis XIV", () => jokers(world)],
  ["Louis XIV: a path with privilege 2", () => jumps(world)],
  ["Louis XIV: a tile that pays nobody", () => nobodyPaid(world)],
  ["Louis XIV: an intrigue card with privilege 3", () => thirdPrivilege(world)],
  ["a review of what led others astray", () => ledAstray(world)],
  ["in a lesson, something else than asked", () => otherThanAsked(world)],
  ["who is away, and what is next", () => waiting(world)],
];
