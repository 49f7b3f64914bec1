/* What a review says of each seat when it is done. */
#include "inside.h"

#include <math.h>
#include <string.h>

int32_t review_stake(const struct sal_review_step *s) {
  int32_t least = s->kind == SAL_REVIEW_RESIGNED ? 0 : s->best;
  for (size_t i = 0; i < s->count; i++)
    least = s->weighed[i].value < least ? s->weighed[i].value : least;
  return s->best - least;
}

static int32_t value_before(const sal_review *r, size_t i, int seat) {
  return i ? r->steps[i - 1].value[seat] : r->start[seat];
}

static int32_t moved(const sal_review *r, size_t i, int seat) {
  const int32_t by = r->steps[i].value[seat] - value_before(r, i, seat);
  return by < 0 ? -by : by;
}

/* The three steps that moved the seat's chance most, in their order. */
static void find_moments(const sal_review *r, int seat,
                         struct sal_review_seat *out) {
  for (size_t i = 0; i < r->done; i++) {
    size_t at = out->moments;
    while (at > 0 && moved(r, out->moment[at - 1], seat) < moved(r, i, seat))
      at--;
    if (at == 3 || moved(r, i, seat) == 0)
      continue;
    if (out->moments < 3)
      out->moments++;
    for (size_t k = out->moments - 1; k > at; k--)
      out->moment[k] = out->moment[k - 1];
    out->moment[at] = i;
  }
  for (size_t i = 1; i < out->moments; i++)
    for (size_t k = i; k > 0 && out->moment[k - 1] > out->moment[k]; k--) {
      const size_t other = out->moment[k];
      out->moment[k] = out->moment[k - 1];
      out->moment[k - 1] = other;
    }
}

static void count_bits(const struct sal_review_step *s, int seat,
                       struct sal_review_seat *out) {
  for (size_t i = 0; i < s->inferences; i++) {
    const struct sal_inference *n = &s->inference[i];
    if (n->model != SAL_BY_HABIT)
      continue;
    out->gave += s->seat == seat ? n->bits : 0;
    out->read += n->by == seat ? n->bits : 0;
  }
}

bool sal_review_bluffed(const struct sal_review_step *s) {
  for (size_t i = 0; i < s->inferences; i++)
    if (s->inference[i].model == SAL_BY_HABIT &&
        s->inference[i].bits <= -SAL_BLUFF_BITS)
      return true;
  return false;
}

void sal_review_seat(const sal_review *r, int seat,
                     struct sal_review_seat *out) {
  int64_t stake = 0;
  *out = (struct sal_review_seat){.deserved = r->start[seat]};
  for (size_t i = 0; i < r->done; i++) {
    const struct sal_review_step *s = &r->steps[i];
    out->luck += s->luck[seat];
    out->hidden += s->hidden[seat];
    out->deserved += s->play[seat];
    *(s->seat == seat ? &out->play : &out->others) += s->play[seat];
    count_bits(s, seat, out);
    if (s->seat != seat)
      continue;
    out->marks[s->mark]++;
    out->bluffs += sal_review_bluffed(s);
    if (s->mark == SAL_MARK_FORCED)
      continue;
    out->decisions++;
    out->lost += s->lost;
    stake += review_stake(s);
  }
  out->accuracy =
      stake ? (int32_t)(SAL_SURE - (int64_t)SAL_SURE * out->lost / stake)
            : SAL_SURE;
  find_moments(r, seat, out);
  review_earned(r, seat, out->earned);
}

int sal_review_deserved(const sal_review *r) {
  int best = 0;
  int32_t most = INT32_MIN;
  for (int seat = 0; seat < r->players; seat++) {
    struct sal_review_seat s;
    sal_review_seat(r, seat, &s);
    if (s.deserved > most) {
      most = s.deserved;
      best = seat;
    }
  }
  return best;
}

/* ---- The measure alone ------------------------------------------------------- */

int32_t sal_chance_to_win(const struct sal_question *q, uint32_t playouts,
                          struct sal_rng *rng, int32_t *error) {
  struct measure *m = measure_new(q->game, q->players);
  double share[SAL_SEATS_MAX], spread;
  if (!m)
    return 0;
  measure_question(m, q, playouts, rng, share, &spread);
  measure_free(m);
  if (error)
    *error = (int32_t)lround(SAL_SURE * spread);
  return (int32_t)lround(SAL_SURE * share[q->seat]);
}
