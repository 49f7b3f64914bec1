/* A rollout ends with the deal, with the round in games where a deal is long, or
 * with the game; then chances are guessed from what everybody has. */
#include "rollout.h"

#include <string.h>

enum { STEPS = 600 };

void rollout_begin(struct rollout *r, const struct sal_question *q,
                   struct sal_rng *rng) {
  const struct heuristics *h = heuristics_of(q->game);
  r->q = q;
  r->by[0] = h->regular;
  memcpy(r->by + 1, h->other, sizeof h->other);
  memset(r->kind, 0, sizeof r->kind);
  r->by_round = h->by_round;
  r->round_of = h->round;
  prospect_at(&r->prospect, q, rng);
  r->prospect.kind = r->kind;
  if (r->round_of)
    r->round = r->round_of(q->view);
}

/* Whether the draw that is due begins another round. */
static bool round_over(const struct rollout *r, const sal_state *s) {
  return !r->round_of || round_seen(r->round_of, r->q->game, s) != r->round;
}

static sal_action by_heuristic(struct rollout *r, const sal_state *s, int seat,
                               struct sal_rng *rng) {
  const struct sal_game *g = r->q->game;
  const size_t count = g->legal(s, seat, r->legal);
  union sal_view_box box;
  if (count == 1)
    return r->legal[0];
  g->view(s, seat, (sal_view *)box.bytes);
  const struct sal_question asked = {.game = g,
                                     .players = r->q->players,
                                     .seat = seat,
                                     .view = (const sal_view *)box.bytes,
                                     .legal = r->legal,
                                     .count = count};
  r->by[r->kind[seat]](&asked, r->weight);
  return r->legal[draw_weighted(r->weight, count, rng)];
}

void rollout_play(struct rollout *r, sal_state *s, sal_action first,
                  struct sal_rng *rng, float *value) {
  const struct sal_game *g = r->q->game;
  const int closed = g->closed(s);
  unsigned asked;
  g->apply(s, r->q->seat, first, NULL);
  for (int steps = 0; steps < STEPS && (asked = g->to_act(s)) != 0; steps++) {
    if (g->closed(s) != closed)
      break; /* the deal is over */
    if (asked == SAL_CHANCE_BIT) {
      if (r->by_round && round_over(r, s))
        break;
      g->sample(s, rng);
      continue;
    }
    const int seat = __builtin_ctz(asked);
    g->apply(s, seat, by_heuristic(r, s, seat, rng), NULL);
  }
  prospects(&r->prospect, s, value);
}

size_t favourites(const struct sal_question *q, const double *weight,
                  size_t most, size_t *out) {
  size_t count = 0;
  for (size_t i = 0; i < q->count; i++) {
    size_t at = count;
    while (at > 0 && weight[out[at - 1]] < weight[i])
      at--;
    if (at == most)
      continue;
    if (count < most)
      count++;
    memmove(&out[at + 1], &out[at], (count - at - 1) * sizeof *out);
    out[at] = i;
  }
  return count;
}

void belief_of_seat(struct belief *b, const struct sal_question *q,
                    const struct trust *trust, const struct timer *timer,
                    struct sal_rng *rng) {
  const struct sal_memory *m = q->memory && q->memory->begun ? q->memory : NULL;
  const bool by_round = heuristics_of(q->game)->by_round;
  struct timer part = *timer;
  part.until -= 0.85 * timer->budget.seconds;
  const sal_view *start =
      m ? (const sal_view *)(by_round ? &m->round : &m->start)->bytes : NULL;
  belief_form(b, q, trust, q->seat, q->view, start,
              m && by_round ? m->since : 0, &part, rng);
}
