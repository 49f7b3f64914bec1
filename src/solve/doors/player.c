/* Playing by the shipped policy; see salotto/solve.h.
 *
 * The first turn is on the blueprint; from the second discard on the rest of the
 * round is solved again. Main invariant: everything is looked up and solved for
 * the turned history, and answers are turned back. */
#include "player.h"
#include "guess.h"

#include <stdlib.h>
#include <string.h>

enum { TO_SECOND_DISCARD = 3, LAST_DISCARD = 7, FOURTH_GUESS = 8 };

/* ---- Turning back --------------------------------------------------------- */

struct answer {
  struct history history; /* turned */
  unsigned symmetry;
  struct sal_doors_chances *out;
};

/* Chances of a kind, by identity: all turned. */
static void tell_pick(const struct answer *a, unsigned kind, vec chance) {
  for (unsigned k = 0; k < KINDS; k++)
    for (unsigned i = 0; i < IDENTITIES; i++)
      if (symmetry_kind(a->symmetry, k) == kind)
        a->out->pick[k][i] = chance[symmetry_kind(a->symmetry, i)];
}

/* The guess that is right for just these identities, which are turned. */
static unsigned guess_for(const struct answer *a, unsigned turned) {
  unsigned mask = 0, guess = 0;
  for (unsigned i = 0; i < IDENTITIES; i++)
    mask |= (turned >> symmetry_kind(a->symmetry, i) & 1) << i;
  while (guess_right[guess] != mask)
    guess++;
  return guess;
}

/* What a turned identity g guesses, as in guess.h. */
static void tell_guess(const struct answer *a, unsigned guess, unsigned i,
                       float chance) {
  static const uint8_t others[GUESS_WAYS] = {1 << 1, 1 << 2, 1 << 3,
                                             1 << 1 | 1 << 3, 1 << 2 | 1 << 3};
  const unsigned g = symmetry_kind(a->symmetry, i);
  unsigned mask = 0;
  for (unsigned e = 1; e < IDENTITIES; e++)
    if (others[guess] >> e & 1)
      mask |= 1u << (g ^ e);
  a->out->say[guess_for(a, mask)][i] += chance;
}

/* Guesses, a row each, then further sayings. */
static void tell_guesses(const struct answer *a, const vec *guess, unsigned n) {
  for (unsigned i = 0; i < IDENTITIES; i++)
    for (unsigned k = 0; k < n; k++)
      tell_guess(a, k, i, guess[k][symmetry_kind(a->symmetry, i)]);
}

static void tell_saying(const struct answer *a, int saying, vec chance) {
  for (unsigned i = 0; i < IDENTITIES; i++)
    a->out->say[saying][i] = chance[symmetry_kind(a->symmetry, i)];
}

/* ---- From the blueprint ------------------------------------------------------- */

static vec part(const uint8_t (*parts)[IDENTITIES], unsigned n, unsigned k) {
  vec out;
  for (unsigned i = 0; i < IDENTITIES; i++) {
    unsigned sum = 0;
    for (unsigned j = 0; j < n; j++)
      sum += parts[j][i];
    out[i] = sum ? (float)parts[k][i] / (float)sum : 1 / (float)n;
  }
  return out;
}

static struct position position_after(const struct history *h, unsigned picks) {
  struct history first = *h;
  struct position p;
  first.picks = (uint8_t)picks;
  if (!history_position(&first, &p))
    p = position_first(h->offer); /* cannot be: the whole history was sound */
  return p.step == GUESS && picks % 2 == 0 ? position_end(p) : p;
}

/* The parts of the pick that follows so many. */
static const uint8_t (*parts_of(const sal_doors_player *player,
                                const struct history *h,
                                unsigned picks))[IDENTITIES] {
  const struct blueprint *s = player->blueprint;
  switch (picks) {
  case 0: {
    uint8_t offer[SAL_DOORS_KINDS];
    for (unsigned k = 0; k < KINDS; k++)
      offer[k] = (uint8_t)count(h->offer, k);
    return s->first_take[sal_doors_offer_number(offer)];
  }
  case 1: return s->discard[blueprint_first_discard(h)];
  default: return s->second_take[blueprint_first_guess(h)];
  }
}

/* How a pick of the history was made. */
static vec pick_chance(const sal_doors_player *player, const struct history *h,
                       unsigned picks) {
  const struct position p = position_after(h, picks);
  return part(parts_of(player, h, picks), kinds_before(p.offer, KINDS),
              kinds_before(p.offer, h->pick[picks]));
}

static void tell_blueprint_pick(const sal_doors_player *player,
                                const struct answer *a) {
  const unsigned picks = a->history.picks;
  const struct position p = position_after(&a->history, picks);
  const uint8_t(*parts)[IDENTITIES] = parts_of(player, &a->history, picks);
  const unsigned n = kinds_before(p.offer, KINDS);
  for (unsigned kind = 0, k = 0; kind < KINDS; kind++)
    if (count(p.offer, kind))
      tell_pick(a, kind, part(parts, n, k++));
}

/* The guesses of the first turn; returns what goes on. */
static vec first_guesses(const sal_doors_player *player,
                         const struct history *h, vec guess[GUESS_WAYS]) {
  const uint8_t(*parts)[IDENTITIES] =
      player->blueprint->guess[blueprint_first_guess(h)];
  vec sum = splat(0);
  for (unsigned k = 0; k < GUESS_WAYS; k++) {
    for (unsigned i = 0; i < IDENTITIES; i++)
      guess[k][i] = (float)parts[k][i];
    sum += guess[k];
  }
  /* Parts that were rounded up may be more than all. */
  const vec all = larger(sum, splat(255));
  for (unsigned k = 0; k < GUESS_WAYS; k++)
    guess[k] /= all;
  return (all - sum) / all;
}

/* ---- Solving --------------------------------------------------------------- */

/* The blueprint's counterfactual values for the opponent of `side` at a second
 * discard, by identity: what safe re-solving must not exceed. */
static vec counterfactual_values(const sal_doors_player *player, enum side side,
                                 const struct history *h) {
  const struct worth *w = &player->policy->blueprint[player->number].worth;
  const uint32_t number = blueprint_second_discard(h);
  const uint16_t *parts = side == COLLECTOR
                              ? player->blueprint->guesser[number]
                              : player->blueprint->collector[number];
  vec out;
  for (unsigned i = 0; i < IDENTITIES; i++)
    out[i] = w->both + (w->set - w->both) * (float)parts[i] / 65535;
  return out;
}

/* The reach probability of a second discard by `side`'s own choices, by
 * identity: its range there, not yet made to sum to one. */
static vec reach_probability(const sal_doors_player *player, enum side side,
                             const struct history *h) {
  vec guess[GUESS_WAYS];
  if (side == COLLECTOR)
    return pick_chance(player, h, 0) * pick_chance(player, h, 2);
  return pick_chance(player, h, 1) * first_guesses(player, h, guess);
}

static bool same_start(const struct history *a, const struct history *b) {
  return a->offer == b->offer &&
         memcmp(a->pick, b->pick, TO_SECOND_DISCARD) == 0 &&
         memcmp(a->refill, b->refill, TO_SECOND_DISCARD) == 0;
}

static bool begin_round(sal_doors_player *player, enum side side,
                        const struct history *h) {
  if (player->ready && player->resolve.side == side &&
      same_start(&player->solved, h))
    return true;
  if (player->ready)
    resolve_free(&player->resolve);
  const struct position p = position_after(h, TO_SECOND_DISCARD);
  player->solved = *h;
  player->ready = resolve_begin(
      &player->resolve, &p, &player->policy->blueprint[player->number].worth,
      side, reach_probability(player, side, h),
      counterfactual_values(player, side, h));
  if (player->ready && player->whole && side == GUESSER)
    return resolve_note(&player->resolve, 0,
                        (uint32_t)player->resolve.board.states[0].histories);
  return player->ready;
}

/* Solves up to the question; false without memory. */
static bool solve_position(sal_doors_player *player, enum side side,
                           const struct history *h,
                           const struct sal_doors_effort *effort) {
  struct resolve *r = &player->resolve;
  if (!begin_round(player, side, h))
    return false;
  const struct resolve_place at = resolve_seek(r, h);
  if (at.ending && (at.last < r->from || at.last >= r->to) &&
      !resolve_note(r, at.last, at.last + 1))
    return false;
  if (r->done > effort->iterations)
    resolve_forget(r);
  const uint32_t before = r->done;
  while (r->done == 0 || (r->done < effort->iterations &&
                          (!effort->more || effort->more(effort->context))))
    resolve_iterate(r);
  player->effort = r->done - before;
  return true;
}

/* Averages of sums, a row an action; all the same where nobody comes, or the
 * last where `last` says so. */
static void average(const vec *sums, unsigned n, bool last, vec *out) {
  vec total = {0};
  for (unsigned i = 0; i < n; i++)
    total += sums[i];
  const lanes some = some_of(total);
  const vec scale = splat(1) / chosen(some, total, splat(1));
  for (unsigned i = 0; i < n; i++)
    out[i] = chosen(some, sums[i] * scale,
                    last ? splat(i == n - 1) : splat(1 / (float)n));
}

static void tell_solved_pick(const sal_doors_player *player,
                             const struct answer *a) {
  const struct resolve_place at = resolve_seek(&player->resolve, &a->history);
  vec chance[OFFER];
  average(at.picks, at.state->choices, false, chance);
  for (unsigned i = 0; i < at.state->choices; i++)
    tell_pick(a, at.state->choice[i].kind, chance[i]);
}

static void tell_solved_guess(const sal_doors_player *player,
                              const struct answer *a) {
  const struct resolve_place at = resolve_seek(&player->resolve, &a->history);
  vec chance[GUESS_ACTIONS];
  average(at.guesses, GUESS_ACTIONS, true, chance);
  tell_guesses(a, chance, GUESS_WAYS);
  tell_saying(a, SAL_DOORS_END, chance[GUESS_WAYS]);
}

/* ---- Endings ---------------------------------------------------------------- */

static const struct ending_sums *notes_at(const sal_doors_player *player,
                                          const struct resolve_place *at) {
  const struct resolve *r = &player->resolve;
  return &r->notes[(size_t)(at->last - r->from) * OFFER + at->choice];
}

static void tell_last_discard(const sal_doors_player *player,
                              const struct answer *a) {
  const struct resolve_place at = resolve_seek(&player->resolve, &a->history);
  const struct position p = position_after(&a->history, LAST_DISCARD);
  vec chance[KINDS];
  ending_discards(at.ending, notes_at(player, &at), &p, chance);
  for (unsigned k = 0; k < KINDS; k++)
    tell_pick(a, k, chance[k]);
}

/* The fourth guess, or the fifth. */
static void tell_last_guess(const sal_doors_player *player,
                            const struct answer *a) {
  const struct resolve_place at = resolve_seek(&player->resolve, &a->history);
  const struct position p = position_after(&a->history, FOURTH_GUESS);
  struct ending_choice c;
  ending_guesses(at.ending, notes_at(player, &at),
                 set_seekers(p.collection, p.offer), &c);
  if (a->history.picks > FOURTH_GUESS) {
    tell_guesses(a, c.last, NAMES);
    tell_saying(a, SAL_DOORS_END, c.last[NAMES]);
    return;
  }
  tell_guesses(a, c.guess, GUESS_WAYS);
  tell_saying(a, SAL_DOORS_CLAIM, c.guess[GUESS_WAYS]);
  tell_saying(a, SAL_DOORS_END, c.end);
}

/* Who can complete a set does; all others look alike. */
static void tell_fifth_take(const struct answer *a) {
  const struct position p = position_after(&a->history, FOURTH_GUESS);
  unsigned first = 0;
  while (!count(p.offer, first))
    first++;
  vec chance[KINDS];
  for (unsigned i = 0; i < IDENTITIES; i++) {
    unsigned kind = 0;
    while (kind < KINDS && !(count(p.offer, kind) &&
                             set_owners(p.collection + one(kind)) >> i & 1))
      kind++;
    for (unsigned k = 0; k < KINDS; k++)
      chance[k][i] = k == (kind < KINDS ? kind : first);
  }
  for (unsigned k = 0; k < KINDS; k++)
    tell_pick(a, k, chance[k]);
}

static void tell_fifth_discard(const struct answer *a) {
  const struct position p = position_after(&a->history, a->history.picks);
  unsigned first = 0;
  while (!count(p.offer, first))
    first++;
  tell_pick(a, first, splat(1));
}

/* ---- Questions --------------------------------------------------------------- */

static bool answer_collector(sal_doors_player *player, const struct answer *a,
                             const struct sal_doors_effort *effort) {
  switch (a->history.picks) {
  case 0:
  case 2: tell_blueprint_pick(player, a); return true;
  case 8: tell_fifth_take(a); return true;
  default:
    if (!solve_position(player, COLLECTOR, &a->history, effort))
      return false;
    tell_solved_pick(player, a);
    return true;
  }
}

static bool answer_guesser(sal_doors_player *player, const struct answer *a,
                           const struct sal_doors_effort *effort) {
  const unsigned picks = a->history.picks;
  vec guess[GUESS_WAYS];
  if (picks == 1) {
    tell_blueprint_pick(player, a);
    return true;
  }
  if (picks == 2) {
    const vec on = first_guesses(player, &a->history, guess);
    tell_guesses(a, guess, GUESS_WAYS);
    tell_saying(a, SAL_DOORS_END, on);
    return true;
  }
  if (picks == 9) {
    tell_fifth_discard(a);
    return true;
  }
  if (!solve_position(player, GUESSER, &a->history, effort))
    return false;
  if (picks == LAST_DISCARD)
    tell_last_discard(player, a);
  else if (picks >= FOURTH_GUESS)
    tell_last_guess(player, a);
  else if (picks % 2)
    tell_solved_pick(player, a);
  else
    tell_solved_guess(player, a);
  return true;
}

/* Turns the history; false if it cannot be. */
static bool read_history(const struct sal_doors_history *h, bool collector,
                         struct answer *a) {
  struct history own = {.picks = h->picks};
  struct position p;
  unsigned cards = 0;
  for (unsigned k = 0; k < KINDS; k++) {
    if (h->offer[k] > count(ALL_CLUES, k))
      return false;
    own.offer += h->offer[k] * one(k);
    cards += h->offer[k];
  }
  if (cards != OFFER || h->picks > SAL_DOORS_PICKS ||
      (collector ? h->picks % 2 || h->picks > 8 : h->picks == 0))
    return false;
  memcpy(own.pick, h->pick, h->picks);
  memcpy(own.refill, h->refill, h->picks);
  if (!history_position(&own, &p))
    return false;
  a->history = history_turned(&own, &a->symmetry);
  return true;
}

static bool choose_blueprint(sal_doors_player *player, int blueprint) {
  if (blueprint < 0 || blueprint >= BLUEPRINTS)
    return false;
  if (player->number == blueprint)
    return true;
  if (player->ready)
    resolve_free(&player->resolve);
  player->ready = false;
  player->number = -1;
  player->blueprint = policy_blueprint(player->policy, blueprint);
  if (!player->blueprint)
    return false;
  player->number = blueprint;
  return true;
}

bool sal_doors_player_ask(sal_doors_player *player, int blueprint,
                          const struct sal_doors_history *h, bool collector,
                          const struct sal_doors_effort *effort,
                          struct sal_doors_chances *out) {
  struct answer a = {.out = out};
  memset(out, 0, sizeof *out);
  if (!read_history(h, collector, &a) || !choose_blueprint(player, blueprint))
    return false;
  player->effort = 0;
  return collector ? answer_collector(player, &a, effort)
                   : answer_guesser(player, &a, effort);
}

bool player_promise(sal_doors_player *player, int blueprint,
                    const struct sal_doors_history *h, bool collector,
                    double value[IDENTITIES]) {
  struct answer a = {.out = NULL};
  if (h->picks != TO_SECOND_DISCARD || !read_history(h, false, &a) ||
      !choose_blueprint(player, blueprint))
    return false;
  const vec turned = counterfactual_values(
      player, collector ? COLLECTOR : GUESSER, &a.history);
  for (unsigned i = 0; i < IDENTITIES; i++)
    value[i] = (double)turned[symmetry_kind(a.symmetry, i)];
  return true;
}

uint32_t sal_doors_player_effort(const sal_doors_player *player) {
  return player->effort;
}

void player_note_all(sal_doors_player *player) { player->whole = true; }

sal_doors_player *sal_doors_player_new(const sal_doors_policy *p) {
  sal_doors_player *player = calloc(1, sizeof *player);
  if (player) {
    player->policy = p;
    player->number = -1;
  }
  return player;
}

void sal_doors_player_free(sal_doors_player *player) {
  if (player && player->ready)
    resolve_free(&player->resolve);
  free(player);
}

int sal_doors_policy_score(int collector, int guesser) {
  return 1 + 10 * collector + guesser;
}
