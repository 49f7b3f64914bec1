/* From the solver to the Collector's book and back: averaging over histories,
 * and the best response to what comes out.
 *
 * Main invariant: the walk that collects goes over the memory in the order of
 * walk.c; a mirrored task is counted with the task it mirrors, since the book
 * does not tell them apart. */
#include "book.h"
#include "guess.h"
#include "solver.h"

#include <stdlib.h>

/* ---- Averaging ---------------------------------------------------------- */

struct harvest {
  const sal_doors_solver *solver;
  const vec *at;
  vec *sum; /* OFFER rows a state */
  uint32_t next;
  uint16_t copies[MOST_TASKS];
  bool in_top;
};

static void harvest_guess(struct harvest *h, const struct public_state *next,
                          float chance);

static void harvest_branches(
    struct harvest *h, const struct public_state *s, float chance,
    void (*below)(struct harvest *, const struct public_state *, float)) {
  const struct board *board = &h->solver->board;
  for (unsigned i = 0; i < s->choices; i++) {
    const struct branch *b = &board->branches[s->choice[i].first];
    for (unsigned r = 0; r < s->choice[i].refills; r++)
      below(h, &board->states[b[r].to], chance * b[r].chance);
  }
}

static void harvest_discard(struct harvest *h, const struct public_state *s,
                            float chance) {
  h->at += state_rows(s);
  harvest_branches(h, s, chance, harvest_guess);
}

static void harvest_take(struct harvest *h, const struct public_state *s,
                         float chance) {
  vec *sum = &h->sum[(s - h->solver->board.states) * OFFER];
  for (unsigned i = 0; i < s->choices; i++)
    sum[i] += h->at[s->choices + i] * chance;
  h->at += state_rows(s);
  harvest_branches(h, s, chance, harvest_discard); /* none at the last take */
}

static void harvest_guess(struct harvest *h, const struct public_state *next,
                          float chance) {
  if (!h->in_top) {
    h->at += GUESS_ROWS;
    harvest_take(h, next, chance);
    return;
  }
  const uint32_t number = h->next++;
  const vec *top = h->at;
  if (h->solver->tasks[number].source != number)
    return;
  h->in_top = false;
  h->at = h->solver->tasks[number].memory;
  harvest_guess(h, next, chance * h->copies[number]);
  h->at = top;
  h->in_top = true;
}

static void enter_state(sal_doors_book *b, const struct public_state *s,
                        const vec *sum) {
  for (unsigned i = 0; i < s->choices; i++)
    for (unsigned c = 0; c < IDENTITIES; c++)
      book_add(b, &s->position, c, s->choice[i].kind, sum[i][c]);
}

bool sal_doors_book_add(sal_doors_book *b, sal_doors_solver *s, double chance) {
  struct harvest *h = calloc(1, sizeof *h);
  vec *sum = calloc((size_t)s->board.state_count * OFFER, sizeof *sum);
  if (h && sum) {
    h->solver = s;
    h->at = s->memory;
    h->sum = sum;
    h->in_top = true;
    for (uint32_t i = 0; i < s->task_count; i++)
      h->copies[s->tasks[i].source]++;
    harvest_take(h, &s->board.states[0],
                 (float)(chance / solver_weights(s->done)));
    for (uint32_t i = 0; i < s->board.state_count; i++)
      if (s->board.states[i].position.step == TAKE)
        enter_state(b, &s->board.states[i], &sum[i * OFFER]);
  }
  const bool ok = h && sum;
  free(h);
  free(sum);
  return ok;
}

/* ---- The best response to a book ---------------------------------------- */

struct reply {
  struct board board;
  struct worth worth;
  vec *strategy; /* OFFER rows a state */
};

static vec reply_guess(const struct reply *r, const struct public_state *next,
                       vec reach);

static vec reply_discard(const struct reply *r, const struct public_state *s,
                         vec reach) {
  vec best = splat(1e30f);
  for (unsigned i = 0; i < s->choices; i++) {
    const struct branch *b = &r->board.branches[s->choice[i].first];
    vec value = {0};
    for (unsigned k = 0; k < s->choice[i].refills; k++)
      value += reply_guess(r, &r->board.states[b[k].to], reach) * b[k].chance;
    best = smaller(best, value);
  }
  return best;
}

static vec reply_take(const struct reply *r, const struct public_state *s,
                      vec reach) {
  const vec *strategy = &r->strategy[(s - r->board.states) * OFFER];
  vec value = {0};
  for (unsigned i = 0; i < s->choices; i++) {
    const vec on = reach * strategy[i];
    const struct branch *b = &r->board.branches[s->choice[i].first];
    if (s->position.turn == LAST_TAKE)
      value +=
          ending_best(&r->board.endings[s->choice[i].first], &r->worth, on);
    for (unsigned k = 0; k < s->choice[i].refills; k++)
      value += reply_discard(r, &r->board.states[b[k].to], on) * b[k].chance;
  }
  return value;
}

static vec reply_guess(const struct reply *r, const struct public_state *next,
                       vec reach) {
  const struct others p = others_of(reach);
  vec best = reply_take(r, next, reach), value[GUESS_WAYS];
  guess_values(&r->worth, &p, others_sum(&p), value);
  for (int i = 0; i < GUESS_WAYS; i++)
    best = smaller(best, value[i]);
  return best;
}

/* Looks the whole board up in the book; false if a position is not in it. */
static bool look_up(struct reply *r, const sal_doors_book *book) {
  for (uint32_t i = 0; i < r->board.state_count; i++) {
    const struct public_state *s = &r->board.states[i];
    for (unsigned c = 0; s->position.step == TAKE && c < IDENTITIES; c++) {
      float chance[KINDS];
      if (!book_chances(book, &s->position, c, chance))
        return false;
      for (unsigned k = 0; k < s->choices; k++)
        r->strategy[i * OFFER + k][c] = chance[s->choice[k].kind];
    }
  }
  return true;
}

bool sal_doors_book_wins(const sal_doors_book *b,
                         const struct sal_doors_start *start,
                         const struct sal_doors_worth *worth, double *wins) {
  const struct position p = start_position(start);
  struct reply r = {.worth = worth_of(worth)};
  if (!board_make(&r.board, &p))
    return false;
  r.strategy = calloc((size_t)r.board.state_count * OFFER, sizeof *r.strategy);
  const bool whole = r.strategy && look_up(&r, b);
  if (whole) {
    const vec v = reply_take(&r, &r.board.states[0], splat(1));
    *wins = ((double)v[0] + (double)v[1] + (double)v[2] + (double)v[3]) / 12;
  }
  free(r.strategy);
  board_free(&r.board);
  return whole;
}
