/* Endings of the engine's Favor; see favor_engine.h. */
#include "favor_engine.h"

#include "favor.h"

static const struct favor *read_state(const sal_state *s) {
  return (const struct favor *)s;
}

static bool at_ending(const struct favor *s, int day, int cards) {
  return s->day == day && s->phase == TURN && (int)total(s->deck) <= cards;
}

/* Rich players tell more: bids are low mostly. */
static sal_action any_action(const sal_state *s, int seat,
                             struct sal_rng *rng) {
  sal_action legal[64];
  const size_t n = sal_favor.legal(s, seat, legal);
  if (read_state(s)->phase != TURN && sal_rng_below(rng, 2))
    return sal_rng_below(rng, 2) ? legal[n - 1] : legal[0];
  return legal[sal_rng_below(rng, (uint32_t)n)];
}

void engine_ending(int edition, int day, int cards, struct sal_rng *rng,
                   sal_state *out) {
  const struct sal_setup setup = {2, {edition, (int)sal_rng_below(rng, 2)}};
  const int most = 1 + (int)sal_rng_below(rng, (uint32_t)cards);
  do {
    memset(out, 0, sizeof(struct favor));
    sal_favor.init(out, &setup);
    while (sal_favor.to_act(out) && !at_ending(read_state(out), day, most)) {
      const unsigned asked = sal_favor.to_act(out);
      if (asked == SAL_CHANCE_BIT) {
        struct sal_chance c;
        sal_favor.chance(out, &c);
        sal_favor.apply(out, SAL_CHANCE, sal_chance_draw(&c, rng), NULL);
      } else {
        const int seat = __builtin_ctz(asked);
        sal_favor.apply(out, seat, any_action(out, seat, rng), NULL);
      }
    }
  } while (!sal_favor.to_act(out));
}

static void read_cards(hand h, uint8_t *out) {
  for (unsigned k = 0; k < KINDS; k++)
    out[k] = (uint8_t)count(h, k);
}

struct sal_favor_ending engine_read(const sal_state *state) {
  const struct favor *s = read_state(state);
  struct sal_favor_ending e = {.gems = {s->gems[0], s->gems[1]},
                               .turn = s->turn,
                               .first = s->first,
                               .day = s->day,
                               .last = s->day == last_day(s),
                               .english = s->edition == ENGLISH,
                               .lead = (int8_t)(points(s, 0) - points(s, 1))};
  read_cards(s->deck, e.deck);
  read_cards(s->lot, e.lot);
  for (int i = 0; i < 2; i++) {
    read_cards(s->collection[i], e.collection[i]);
    for (int id = 0; id < DOORS; id++)
      e.range[i][id] = 1;
  }
  return e;
}

struct sal_favor_step engine_step(int seat, sal_action a) {
  static const uint8_t did[] = {[DRAWS] = SAL_FAVOR_DREW,
                                [ADDS] = SAL_FAVOR_ADDED,
                                [CALLS] = SAL_FAVOR_CALLED,
                                [BIDS] = SAL_FAVOR_BIDDED,
                                [PASSES] = SAL_FAVOR_PASSED};
  return (struct sal_favor_step){did[verb_of(a)], (uint8_t)number_of(a),
                                 (int8_t)seat};
}

sal_action engine_action(enum sal_favor_did did, int number) {
  static const enum verb verbs[] = {[SAL_FAVOR_DREW] = DRAWS,
                                    [SAL_FAVOR_ADDED] = ADDS,
                                    [SAL_FAVOR_CALLED] = CALLS,
                                    [SAL_FAVOR_BIDDED] = BIDS,
                                    [SAL_FAVOR_PASSED] = PASSES};
  return act(verbs[did], (unsigned)number);
}

bool engine_in_final(const sal_state *s) {
  return read_state(s)->phase == FINAL;
}

bool engine_day_over(const sal_state *s, int day) {
  return days_done(read_state(s)) == day;
}

void engine_set_identities(sal_state *s, int first, int second) {
  ((struct favor *)s)->identity[0] = (uint8_t)first;
  ((struct favor *)s)->identity[1] = (uint8_t)second;
}

int engine_identity(const sal_state *s, int seat) {
  return read_state(s)->identity[seat];
}

int engine_lead(const sal_state *s) {
  return points(read_state(s), 0) - points(read_state(s), 1);
}

int engine_first(const sal_state *s) { return read_state(s)->first; }

/* ---- A game of its own ------------------------------------------------------ */

static struct favor begin;
static int ranges[2][DOORS];

static void init_ending(sal_state *s, const struct sal_setup *setup) {
  (void)setup;
  memcpy(s, &begin, sizeof begin);
}

/* The first gets an identity by how likely it is with any of the other's. */
static void chance_ending(const sal_state *s, struct sal_chance *c) {
  const struct favor *f = read_state(s);
  sal_favor.chance(s, c);
  if (f->phase != DEAL_IDENTITY)
    return;
  const bool second = f->identity[0] != NO_CARD;
  c->count = 0;
  for (unsigned id = 0; id < DOORS; id++) {
    int weight = ranges[second][id], others = 0;
    for (unsigned j = 0; j < DOORS; j++)
      others += j == id ? 0 : ranges[1][j];
    if (second ? f->identity[0] == id : others == 0)
      weight = 0;
    if (weight)
      c->outcome[c->count++] = (struct sal_outcome){
          act(DRAWS, id), (uint32_t)(second ? weight : weight * others)};
  }
}

static void apply_ending(sal_state *s, int seat, sal_action a,
                         struct sal_log *log) {
  struct favor *f = (struct favor *)s;
  const bool dealing = f->phase == DEAL_IDENTITY;
  sal_favor.apply(s, seat, a, log);
  if (dealing && f->phase == OPEN_LOT)
    f->phase = TURN;
}

const struct sal_game *engine_from(const sal_state *s, const int range[2][4]) {
  static struct sal_game game;
  game = sal_favor;
  game.init = init_ending;
  game.chance = chance_ending;
  game.apply = apply_ending;
  begin = *read_state(s);
  begin.phase = DEAL_IDENTITY;
  memset(begin.identity, NO_CARD, sizeof begin.identity);
  memcpy(ranges, range, sizeof ranges);
  return &game;
}
