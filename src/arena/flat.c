/* Flat rollouts, the plainest searcher that is any good: the regular's favourite
 * actions in worlds it believes in, the regular at all seats to the end of the
 * deal, the best mean; the worse half is dropped by and by. It does not mix,
 * does not pair its worlds, and takes 400 playouts unless told otherwise. */
#include "kinds.h"

#include <stdlib.h>
#include <string.h>

enum { FAVOURITES = 8, PLAYOUTS = 400 };

struct flat {
  const struct belief *belief;
  struct rollout rollout;
  size_t number[FAVOURITES];
  double sum[FAVOURITES], count[FAVOURITES];
};

static double action_mean(const struct flat *f, size_t i) {
  return f->count[i] > 0 ? f->sum[i] / f->count[i] : 0;
}

static void play_out(struct flat *f, size_t i, struct sal_rng *rng) {
  const struct sal_question *q = f->rollout.q;
  union sal_state_box world;
  float value[SAL_SEATS_MAX];
  memset(&world, 0, q->game->info.state_size);
  belief_draw(f->belief, rng, (sal_state *)world.bytes, NULL);
  rollout_play(&f->rollout, (sal_state *)world.bytes, q->legal[f->number[i]],
               rng, value);
  f->sum[i] += value[q->seat];
  f->count[i]++;
}

static void sort(struct flat *f, size_t alive) {
  for (size_t i = 1; i < alive; i++)
    for (size_t k = i; k > 0 && action_mean(f, k - 1) < action_mean(f, k);
         k--) {
      const double sum = f->sum[k], count = f->count[k];
      const size_t number = f->number[k];
      f->sum[k] = f->sum[k - 1];
      f->count[k] = f->count[k - 1];
      f->number[k] = f->number[k - 1];
      f->sum[k - 1] = sum;
      f->count[k - 1] = count;
      f->number[k - 1] = number;
    }
}

static void search_flat(struct flat *f, size_t alive, struct timer *timer,
                        struct sal_rng *rng) {
  const double seconds = timer->budget.seconds;
  const uint64_t all = timer->budget.simulations;
  int stages = 1;
  for (size_t n = alive; n > 2; n = (n + 1) / 2)
    stages++;
  for (int stage = 1; stage <= stages; stage++) {
    for (size_t i = 0;
         (all == 0 || timer->done * (uint64_t)stages < all * (uint64_t)stage) &&
         (seconds <= 0 || timer->now < timer->from + seconds * stage / stages);
         i = (i + 1) % alive) {
      if (!timer_more(timer))
        return;
      play_out(f, i, rng);
    }
    sort(f, alive);
    alive = stage < stages ? (alive + 1) / 2 : alive;
  }
}

void flat_search(const struct sal_question *q, const struct belief *b,
                 heuristic_fn *others, struct timer *timer, struct sal_rng *rng,
                 struct sal_policy *out) {
  struct flat *f = calloc(1, sizeof *f);
  if (!f)
    return;
  f->belief = b;
  const size_t alive = favourites(q, out->chance, FAVOURITES, f->number);
  rollout_begin(&f->rollout, q, rng);
  f->rollout.by[1] = others;
  for (int seat = 0; seat < q->players; seat++)
    f->rollout.kind[seat] = seat != q->seat;
  search_flat(f, alive, timer, rng);
  size_t best = 0;
  for (size_t i = 0; i < alive; i++)
    if (action_mean(f, i) > action_mean(f, best))
      best = i;
  for (size_t i = 0; f->count[best] > 0 && i < q->count; i++) {
    out->value[i] = -1;
    out->chance[i] = i == f->number[best];
  }
  for (size_t i = 0; i < alive; i++)
    if (f->count[i] > 0)
      out->value[f->number[i]] = action_mean(f, i);
  out->valued = f->count[best] > 0;
  out->simulations = timer->done;
  free(f);
}

void policy_flat(const struct sal_question *q, struct sal_rng *rng,
                 struct sal_policy *out) {
  struct timer timer;
  struct belief *b = malloc(sizeof *b);
  timer_start(&timer, &q->budget, PLAYOUTS);
  policy_heuristic(heuristics_of(q->game)->regular, q, out);
  if (b && q->count > 1 && q->game->info.legal_max <= LEGAL_MAX) {
    belief_of_seat(b, q, &trust_little, &timer, rng);
    flat_search(q, b, heuristics_of(q->game)->regular, &timer, rng, out);
  }
  free(b);
}
