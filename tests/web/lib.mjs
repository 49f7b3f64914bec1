// What the tests in the browser share: a server of their own, people with their browsers, and the eyes
// that watch what a page shows and is told.
//
// Main invariant: whatever a test does, `Person.check` runs after every step and throws if the page
// was told, or shows, a card that its seat may not know.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { finish, report } from "./tap.mjs";

export const top = fileURLToPath(new URL("../../", import.meta.url));
const require = createRequire(join(top, "web/package.json"));
export const { chromium } = require("playwright-core");
export const axeSource = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

// ---- Cases --------------------------------------------------------------------------------------

/** Milliseconds after which something hangs. Nothing else is measured by it. */
const CAP = Number(process.env.SALOTTO_CAP ?? 300000);

/** Runs the cases, two at a time; each gets its own people and closes them. */
export async function runAll(cases, failed, width = 2) {
  const left = [...cases];
  const worker = async () => {
    for (let next; (next = left.shift()); ) {
      const [name, body] = next;
      let timer;
      const begun = Date.now();
      const late = new Promise((_, no) => (timer = setTimeout(() => no(new Error("hangs")), 10 * CAP)));
      await Promise.race([body(), late]).then(() => report(name), async (error) => {
        await failed?.(name);
        report(name, error);
      });
      clearTimeout(timer);
      if (process.env.SALOTTO_TIMES) console.error(`${Math.round((Date.now() - begun) / 1000)} s: ${name}`);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return finish();
}

export function assert(truth, message) {
  if (!truth) throw new Error(message);
}

export function equal(a, b, what) {
  if (JSON.stringify(a) !== JSON.stringify(b)) throw new Error(`${what}: ${JSON.stringify(a)} is not ${JSON.stringify(b)}`);
}

// ---- The server ---------------------------------------------------------------------------------

// What a failed case has left running ends with the script.
const running = new Set();
process.once("exit", () => running.forEach((child) => child.kill("SIGKILL")));

export class Server {
  constructor(program, more = []) {
    this.program = program;
    this.more = more;
    this.data = mkdtempSync(join(tmpdir(), "salotto-web-"));
    this.port = 0;
  }

  /** A server that comes back wants its old port; somebody's outgoing connection may have it for a moment. */
  async open() {
    const again = this.port !== 0;
    await until(async () => (await this.start()) || (assert(again, "the server does not open"), false), "the server does not come back");
    return this;
  }

  async start() {
    // Pages on a busy machine may take long to tell their random part.
    const args = ["serve", "--listen", `127.0.0.1:${this.port}`, "--data", this.data, "--bot-seconds", "0.02",
      "--reveal-seconds", "90", ...this.more];
    const child = spawn(this.program, args, { stdio: ["ignore", "pipe", "ignore"], env: { ...process.env, LANGUAGE: "en" } });
    running.add(child.once("exit", () => running.delete(child)));
    this.process = child;
    let said = "";
    for await (const chunk of this.process.stdout) {
      said += chunk;
      const found = /http:\/\/[\d.]+:(\d+)/.exec(said);
      if (!found) continue;
      this.port = Number(found[1]);
      this.url = found[0];
      return true;
    }
    return false;
  }

  async close(signal = "SIGTERM") {
    const gone = once(this.process, "exit");
    this.process.kill(signal);
    await gone;
  }

  async done() {
    if (this.process.exitCode === null && this.process.signalCode === null) await this.close();
    rmSync(this.data, { recursive: true, force: true });
  }
}

// ---- What a seat may know -----------------------------------------------------------------------

const hiddenList = (list) => Array.isArray(list) && list.every((c) => c === "??");

/** What of a state the seat should not see: a list of complaints. */
export function leaksOf(state, seat) {
  if (!state || state.over) return [];
  const out = [];
  for (let s = 0; s < state.players; s++) {
    if (s === seat) continue;
    if (state.identities && state.identities[s] !== "??") out.push(`identity of ${s}`);
    for (const name of ["hands", "piles", "influence", "intrigue", "missions", "shields"])
      if (state[name] && !hiddenList(state[name][s])) out.push(`${name} of ${s}`);
  }
  return out;
}

const CARD_WORDS = /\b(Red|Blue) (Lady|Tiger)\b|\bBlue\/Red\b|\bLady\/Tiger\b|\b(Signora|Tigre) (Rossa|Blu)\b/;

/** The same for an event and the sentence about it. */
export function eventLeaks(event, text, seat) {
  const hidden = ["dealt", "placed", "built"].includes(event.event) && event.seat !== seat;
  if (!hidden) return [];
  const out = [];
  for (const name of ["card", "cards"]) {
    const value = event[name];
    const shown = Array.isArray(value) ? !hiddenList(value) : value !== undefined && value !== "??";
    if (shown) out.push(`${event.event} tells ${name} of ${event.seat}`);
  }
  if (text && CARD_WORDS.test(text)) out.push(`a sentence tells a card: ${text}`);
  return out;
}

// ---- The messages that are shown ----------------------------------------------------------------

/** Notes every message that pages show, with the address, for tools/seen: not what is only looked up, but what
 * then stands on the page, as text, in its title, or as the name of something. */
async function noteMessages(context) {
  const file = join(process.env.SALOTTO_SEEN, `${process.pid}.pages`);
  const escaped = (m) => m.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n");
  await context.exposeBinding("salottoNote", (source, message) => appendFileSync(file, `${source.page.url()}\t${escaped(message)}\n`));
  await context.addInitScript(() => {
    const told = new Set(), wanted = new Map(); // a message -> what it reads as
    const plain = (text) => text.replace(/\s+/g, " ").trim().toLowerCase();
    const page = () => plain([document.title, document.documentElement?.textContent ?? "",
      ...[...document.querySelectorAll("[aria-label], [title], [placeholder], [alt]")].flatMap((e) =>
        ["aria-label", "title", "placeholder", "alt"].map((name) => e.getAttribute(name) ?? ""))].join("\n"));
    const look = () => {
      const shown = wanted.size ? page() : "";
      for (const [message, text] of wanted)
        if (shown.includes(text)) {
          wanted.delete(message);
          told.add(message);
          window.salottoNote(message);
        }
    };
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    window.salottoSeen = (message, text) => {
      if (!told.has(message)) wanted.set(message, plain(text));
    };
  });
}

/** Notes what stands on the page and the engine has said there. */
export const noteShown = (page, message) =>
  process.env.SALOTTO_SEEN ? page.evaluate((m) => window.salottoNote(m), message) : null;

// ---- A person with a browser --------------------------------------------------------------------

export class Person {
  constructor(name, context, page, server) {
    Object.assign(this, { name, context, page, server, told: [], leaks: [], errors: [] });
  }

  /** A page that is watched from its first byte. */
  static async watch(page, person) {
    page.on("pageerror", (e) => person.errors.push(String(e)));
    page.on("console", (m) => {
      if (m.type() === "error" && !/Failed to load resource|WebSocket connection/.test(m.text())) person.errors.push(m.text());
    });
    page.on("websocket", (socket) =>
      socket.on("framereceived", ({ payload }) => person.hear(JSON.parse(String(payload)))));
  }

  hear(m) {
    if (m.op !== "table" && m.op !== "moved") return;
    this.told.push(m);
    const seat = m.seat ?? null;
    for (const leak of leaksOf(m.state, seat)) this.leaks.push(`${m.op} ${m.seq}: ${leak}`);
    (m.events ?? []).forEach((e, i) => {
      for (const leak of eventLeaks(e, m.words?.[i]?.text, seat)) this.leaks.push(`event ${e.n}: ${leak}`);
    });
    const game = m.state?.game;
    if (m.state && !m.state.over && m.position && (game === "doors" || game === "favor")) {
      // Only one's own identity stands in the position; the cards on the table are all open.
      const named = (m.position.match(/(You are|Sei) [^.\n]*/g) ?? []).length;
      if (named > 1) this.leaks.push(`position ${m.seq} names ${named} identities`);
    }
  }

  /** After every step: nothing told, nothing shown, nothing broken. */
  async check() {
    assert(!this.leaks.length, `${this.name} was told too much: ${this.leaks.slice(0, 3).join("; ")}`);
    assert(!this.errors.length, `the page of ${this.name} complains: ${this.errors.slice(0, 3).join("; ")}`);
    const shown = await this.page.evaluate(() => {
      const board = document.querySelector("[data-testid=board]");
      if (!board || board.dataset.phase === "over") return [];
      // Doors of others stay shut, hands and piles of others show backs.
      return [...board.querySelectorAll("[data-zone]")].map((e) => [e.dataset.zone, e.dataset.card ?? ""]);
    });
    // Of this table: the news of one that was left may come late.
    const here = new URL(this.page.url()).pathname;
    const told = this.told.filter((m) => here.endsWith(m.table));
    const last = told.at(-1);
    const seat = last?.seat ?? null;
    // While a round's end is on the stage, the board behind it is still that of the round before.
    const recent = told.filter((m) => m.state && (m.state.round ?? 0) >= (last.state?.round ?? 0) - 1);
    for (const [zone, card] of shown) {
      const of = /^(door|pile)(\d)$/.exec(zone);
      if (!of || Number(of[2]) === seat || !card || card === "??") continue;
      const open = of[1] === "pile" ? recent.flatMap((m) => m.state.revealed?.[Number(of[2])] ?? []) : [];
      if (!open.includes(card)) throw new Error(`${this.name} sees ${card} at ${zone}`);
    }
  }

  seq() {
    return this.page.evaluate(() => Number(document.querySelector(".table-page")?.dataset.seq ?? -1));
  }

  over() {
    return this.page.evaluate(() => !!document.querySelector(".game-result"));
  }

  async close() {
    await this.context.close();
  }
}

/** The first choice by a fixed rule, so that games differ by their deals only. */
export function chooser(seed) {
  let x = seed >>> 0 || 1;
  return (n) => {
    x ^= x << 13;
    x >>>= 0;
    x ^= x >>> 17;
    x ^= x << 5;
    x >>>= 0;
    return x % n;
  };
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** What `find` gives as soon as it gives something; an error when it hangs. */
export async function until(find, what) {
  for (const end = Date.now() + CAP; Date.now() < end; await pause(25)) {
    const found = await find();
    if (found) return found;
  }
  throw new Error(what);
}

export class World {
  constructor(browser, server) {
    Object.assign(this, { browser, server });
  }

  async person(name, { lang = "en", size = [1280, 860], dark = false, path = "/", touch = false, motion = false, tips = false, worker = true } = {}) {
    const context = await this.browser.newContext({
      baseURL: this.server.url,
      viewport: { width: size[0], height: size[1] },
      locale: lang === "it" ? "it-IT" : "en-GB",
      colorScheme: dark ? "dark" : "light",
      hasTouch: touch,
      reducedMotion: motion ? "no-preference" : "reduce",
      serviceWorkers: worker ? "allow" : "block",
    });
    if (!tips)
      await context.addInitScript(() => {
        if (!localStorage.getItem("salotto")) localStorage.setItem("salotto", JSON.stringify({ help: false }));
      });
    if (process.env.SALOTTO_SEEN) await noteMessages(context);
    const page = await context.newPage();
    page.setDefaultTimeout(CAP);
    page.setDefaultNavigationTimeout(CAP);
    const person = Object.assign(new Person(name, context, page, this.server), { touch });
    await Person.watch(page, person);
    if (name) {
      const answer = await context.request.post("/api/guest", { data: { name } });
      assert(answer.ok(), `${name} is not let in: ${await answer.text()}`);
    }
    await page.goto(path);
    return person;
  }
}
