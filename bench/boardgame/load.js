// node load.js PORT PAIRS SECONDS THINK_MS [PID]: the same load as bench/load.c, over socket.io,
// with the same last line.
const fs = require('fs');
const { io } = require('socket.io-client');

const [port, pairs, seconds, thinkText, pid] = process.argv.slice(2);
const think = Number(thinkText);
const times = [];
let counting = false;

function resident() {
  const status = fs.readFileSync(`/proc/${pid || 'self'}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)[1]);
}

class Pair {
  constructor(number) {
    this.number = number;
    this.match = 0;
    this.sockets = [0, 1].map(() => io(`http://127.0.0.1:${port}/doors`,
      { transports: ['websocket'], forceNew: true }));
    this.begin();
  }

  async begin() {
    await Promise.all(this.sockets.map((s) => s.connected ||
      new Promise((done) => s.once('connect', done))));
    this.sockets.forEach((s, player) => {
      s.on('sync', (id, info) => this.view(player, id, info.state));
      s.on('update', (id, state) => this.view(player, id, state));
    });
    this.open();
  }

  open() {
    this.id = `${process.pid}-${this.number}-${this.match++}`;
    this.waiting = -1;
    this.synced = 0;
    // One after the other: the first makes the match.
    this.sockets[0].emit('sync', this.id, '0', undefined, 2);
  }

  view(player, id, state) {
    if (id !== this.id) return;
    if (this.synced === 0) {
      this.synced = 1;
      this.sockets[1].emit('sync', this.id, '1', undefined, 2);
      return;
    }
    if (this.synced === 1) {
      if (player !== 1) return;
      this.synced = 2;
      this.plan(state);
      return;
    }
    if (state._stateID !== this.waiting || ++this.views < 2) return;
    if (counting) times.push(performance.now() - this.sent);
    this.waiting = -1;
    if (state.ctx.gameover) this.open();
    else this.plan(state);
  }

  plan(state) {
    if (think) setTimeout(() => this.move(state), think / 2 + Math.random() * think);
    else this.move(state);
  }

  move(state) {
    const player = state.ctx.currentPlayer;
    const slot = Math.floor(Math.random() * state.G.offer.length);
    const move = state.G.ending ? { type: 'end', args: [] } : { type: 'pick', args: [slot] };
    this.waiting = state._stateID + 1;
    this.views = 0;
    this.sent = performance.now();
    this.sockets[player].emit('update', { type: 'MAKE_MOVE',
      payload: { ...move, playerID: player } }, state._stateID, this.id, player);
  }
}

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

async function main() {
  const before = resident();
  const all = [];
  for (let i = 0; i < Number(pairs); i++) {
    all.push(new Pair(i));
    if (i % 20 === 19) await sleep(20);
  }
  while (all.some((p) => p.synced < 2)) await sleep(50);
  await sleep(1500);
  counting = true;
  const began = performance.now();
  await sleep(1000 * Number(seconds));
  counting = false;
  const took = (performance.now() - began) / 1000;
  const after = resident();
  times.sort((a, b) => a - b);
  const at = (part) => (times.length ? times[Math.floor(part * (times.length - 1))] : 0);
  const round = (x) => Math.round(100 * x) / 100;
  console.log(JSON.stringify({ moves: times.length, seconds: round(took),
    rate: Math.round(times.length / took), p50: round(at(0.5)), p99: round(at(0.99)),
    max: round(at(1)), kb_before: before, kb_after: after }));
  process.exit(0);
}

main();
