// Doors-S, a simplified Doors: no guessing, claims come by themselves, always four choices. As at
// Salotto's tables the Guesser, who could have guessed after a discard, says that the turn ends.
// Identities 0 to 3: bit 0 is the colour, bit 1 the role. Cards 0 to 3 are the same, three of
// each; 4 has any colour and no role, 5 any role and no colour.
const { PlayerView } = require('boardgame.io/core');

const CARDS = [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 5];

function newRound(G, random, collector) {
  const cards = random.Shuffle(CARDS);
  const identities = random.Shuffle([0, 1, 2, 3]);
  G.offer = cards.slice(0, 4);
  G.secret = { deck: cards.slice(4) };
  G.players = { 0: { identity: identities[0] }, 1: { identity: identities[1] } };
  G.collection = [];
  G.discards = [];
  G.collector = collector;
  G.turn = 0;
}

// Four cards of one trait of the identity.
function hasSet(collection, identity) {
  let colour = 0;
  let role = 0;
  for (const card of collection) {
    colour += card === 4 || (card < 4 && (card & 1) === (identity & 1));
    role += card === 5 || (card < 4 && card >> 1 === identity >> 1);
  }
  return colour >= 4 || role >= 4;
}

function score(G, random, player, tokens) {
  G.tokens[player] += tokens;
  newRound(G, random, 1 - G.collector);
}

function next({ G, events }) {
  events.endTurn({ next: String(G.turn % 2 === 0 ? G.collector : 1 - G.collector) });
}

function end({ G, events }) {
  if (!G.ending) return 'INVALID_MOVE';
  G.ending = false;
  next({ G, events });
}

function pick({ G, ctx, random, events }, slot) {
  const player = Number(ctx.currentPlayer);
  const collects = player === G.collector;
  const card = G.offer[slot];
  if (card === undefined || G.ending) return 'INVALID_MOVE';
  (collects ? G.collection : G.discards).push(card);
  G.offer[slot] = G.secret.deck.pop();
  if (G.offer[slot] === undefined) G.offer.splice(slot, 1);
  G.turn++;
  if (hasSet(G.collection, G.players[player].identity)) score(G, random, player, collects ? 6 : 2);
  else if (G.turn === 10) score(G, random, 1 - G.collector, 3);
  else if (!collects) {
    G.ending = true;
    return;
  }
  next({ G, events });
}

module.exports = {
  name: 'doors',
  minPlayers: 2,
  maxPlayers: 2,
  setup: ({ random }) => {
    const G = { tokens: [0, 0] };
    newRound(G, random, 0);
    return G;
  },
  moves: { pick: { move: pick, client: false }, end: { move: end, client: false } },
  endIf: ({ G }) => {
    const winner = G.tokens.findIndex((t) => t >= 10);
    return winner < 0 ? undefined : { winner };
  },
  playerView: PlayerView.STRIP_SECRETS,
};
