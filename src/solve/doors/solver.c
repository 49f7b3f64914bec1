/* The solver of a round of Doors: memory, tasks, threads, iterations.
 *
 * Main invariant: the histories are cut into tasks in a way that depends on
 * the start alone, a task is walked by one thread, and results are added in
 * the order of the tasks. So any number of threads gives the same numbers, and any
 * number of processes, each of which walks the top of the tree and some tasks. */
#include "salotto/solve.h"

#include "solver.h"
#include "together.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { DEALS = 12 };

/* ---- Tasks -------------------------------------------------------------- */

/* The picks and refills of the first turn, and the symmetries of the start:
 * histories that one of them carries into each other are the same but for the
 * names of the identities. */
enum { FIRST_TURN = 4 };
struct plan {
  sal_doors_solver *solver;
  unsigned symmetry[SYMMETRIES], symmetries;
  uint8_t history[MOST_TASKS][FIRST_TURN];
};

static void find_symmetries(struct plan *p, const struct position *start) {
  for (unsigned s = 0; s < SYMMETRIES; s++)
    if (symmetry_bag(s, start->offer) == start->offer &&
        symmetry_bag(s, start->collection) == start->collection &&
        symmetry_bag(s, start->deck) == start->deck)
      p->symmetry[p->symmetries++] = s;
}

/* The earliest task whose history this one's is carried into; tasks come in
 * the order of their histories, so none is passed over. Both have the same
 * reaches but for rounding in the top of the tree, which does not grow: each is given
 * the same values, renamed. */
static void find_source(const struct plan *p, uint32_t number) {
  struct task *t = &p->solver->tasks[number];
  t->source = number;
  for (unsigned i = 0; i < p->symmetries; i++) {
    uint8_t image[FIRST_TURN];
    uint32_t other = 0;
    for (int k = 0; k < FIRST_TURN; k++)
      image[k] = (uint8_t)symmetry_kind(p->symmetry[i], p->history[number][k]);
    while (other <= number &&
           memcmp(p->history[other], image, sizeof image) != 0)
      other++;
    if (other > t->source || (i > 0 && other == t->source))
      continue;
    t->source = other;
    for (unsigned c = 0; c < IDENTITIES; c++)
      t->renamed[c] = (uint8_t)symmetry_kind(p->symmetry[i], c);
  }
}

static void add_task(struct plan *p, const struct public_state *state,
                     const uint8_t *history) {
  sal_doors_solver *s = p->solver;
  const uint32_t number = s->task_count++;
  memcpy(p->history[number], history, FIRST_TURN);
  s->tasks[number].state = state;
  find_source(p, number);
  if (s->tasks[number].source == number) {
    s->rows += GUESS_ROWS + state->rows;
    s->histories += state->histories;
  }
}

/* The kind that a refill brought: what one position has more in its offer. */
static uint8_t refilled(const struct position *before, unsigned picked,
                        const struct position *after) {
  const bag card = after->offer - (before->offer - one(picked));
  return (uint8_t)(__builtin_ctz(card) / 2);
}

/* Both turns of the top of the tree: a state of the Collector, then of the Guesser. */
static void plan_state(struct plan *p, const struct public_state *s,
                       uint8_t *history, unsigned depth) {
  const struct board *b = &p->solver->board;
  p->solver->top += state_rows(s);
  for (unsigned i = 0; i < s->choices; i++)
    for (unsigned r = 0; r < s->choice[i].refills; r++) {
      const struct public_state *to =
          &b->states[b->branches[s->choice[i].first + r].to];
      history[depth] = s->choice[i].kind;
      history[depth + 1] =
          refilled(&s->position, s->choice[i].kind, &to->position);
      if (depth == 0)
        plan_state(p, to, history, 2);
      else
        add_task(p, to, history);
    }
}

/* Threads begin with the large tasks, so that none is left with one when the
 * others are done. */
static void order_tasks(sal_doors_solver *s) {
  for (uint32_t i = 0; i < s->task_count; i++) {
    if (s->tasks[i].source != i)
      continue;
    uint32_t at = s->ordered++;
    for (; at > 0 &&
           s->tasks[s->order[at - 1]].state->rows < s->tasks[i].state->rows;
         at--)
      s->order[at] = s->order[at - 1];
    s->order[at] = (uint16_t)i;
  }
}

/* Lays out the memory; false without enough of it. */
static bool plan_all(sal_doors_solver *s, bool mirrors) {
  struct plan *p = calloc(1, sizeof *p);
  uint8_t history[FIRST_TURN];
  if (!p)
    return false;
  p->solver = s;
  find_symmetries(p, &s->board.states[0].position);
  if (!mirrors)
    p->symmetries = 1;
  plan_state(p, &s->board.states[0], history, 0);
  s->rows += s->top;
  if (s->task_count == 0)
    s->histories = s->board.states[0].histories;
  s->memory = calloc(s->rows, sizeof *s->memory);
  vec *at = s->memory ? s->memory + s->top : NULL;
  for (uint32_t i = 0; at && i < s->task_count; i++)
    if (s->tasks[i].source == i) {
      s->tasks[i].memory = at;
      at += GUESS_ROWS + s->tasks[i].state->rows;
    }
  order_tasks(s);
  free(p);
  return at != NULL;
}

/* ---- Threads ------------------------------------------------------------ */

struct job {
  sal_doors_solver *solver;
  struct walk walk; /* each thread walks with a copy */
  bool learning;
  atomic_uint next;
};

/* Reaches become ever smaller where nobody goes; numbers below the normal ones
 * would be slow and change nothing. */
static void forget_tiny_numbers(void) {
#ifdef __SSE__
  _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
}

/* The process that walks a task, by its place in the order: so all get large ones. */
static int owner_of(const sal_doors_solver *s, uint32_t place) {
  return (int)(place % (uint32_t)s->team.count);
}

/* The results of each process become those of all. */
static void merge_results(sal_doors_solver *s) {
  vec result[MOST_TASKS] = {{0}};
  if (s->team.count == 1)
    return;
  for (uint32_t i = 0; i < s->ordered; i++)
    if (owner_of(s, i) == s->team.number)
      result[i] = s->tasks[s->order[i]].result;
  s->team.merge(result, s->ordered * sizeof *result);
  for (uint32_t i = 0; i < s->ordered; i++)
    s->tasks[s->order[i]].result = result[i];
}

static void *solve_tasks(void *context) {
  struct job *j = context;
  struct walk w = j->walk;
  forget_tiny_numbers(); /* each thread its own */
  w.stage = SUBTREE;
  for (uint32_t i; (i = atomic_fetch_add(&j->next, 1)) < j->solver->ordered;) {
    struct task *t = &j->solver->tasks[j->solver->order[i]];
    if (owner_of(j->solver, i) != j->solver->team.number)
      continue;
    w.at = t->memory;
    t->result = j->learning
                    ? learn_guess(&w, t->state, t->collector, t->guesser)
                    : best_guess(&w, t->state, t->collector);
  }
  return NULL;
}

/* ---- Passes ------------------------------------------------------------- */

static vec walk_top(struct job *j, enum stage stage, vec reach) {
  struct walk w = j->walk;
  w.stage = stage;
  w.at = j->solver->memory;
  const struct public_state *root = &j->solver->board.states[0];
  return j->learning ? learn_take(&w, root, reach, reach) : best_take(&w, root);
}

/* Later iterations are better ones. */
static float weight_at(uint32_t iteration) {
  return (float)iteration * (float)iteration;
}

double solver_weights(uint32_t iterations) {
  const double n = (double)iterations;
  return iterations ? n * (n + 1) * (2 * n + 1) / 6 : 1;
}

/* One pass for one side; returns the sum over the identities. */
static double solver_pass(sal_doors_solver *s, enum side side, bool learning) {
  struct job j = {.solver = s,
                  .learning = learning,
                  .walk = {.board = &s->board,
                           .worth = &s->worth,
                           .side = side,
                           .tasks = s->tasks,
                           .weight = weight_at(s->done),
                           .present = weight_at(s->done + (side == GUESSER)),
                           .softness = softness_at(&s->worth, s->done)}};
#ifdef __SSE__
  const unsigned mode = _mm_getcsr();
#endif
  forget_tiny_numbers();
  if (s->task_count > 0) {
    walk_top(&j, SPREAD, splat(1));
    work_together(solve_tasks, &j, s->task_count > 1 ? s->threads : 1);
    merge_results(s);
  }
  const vec v = walk_top(&j, GATHER, splat(1));
#ifdef __SSE__
  _mm_setcsr(mode);
#endif
  return (double)v[0] + (double)v[1] + (double)v[2] + (double)v[3];
}

void sal_doors_solver_iterate(sal_doors_solver *s) {
  s->done++;
  solver_pass(s, COLLECTOR, true);
  solver_pass(s, GUESSER, true);
}

struct sal_doors_bounds sal_doors_solver_bounds(sal_doors_solver *s) {
  const double scale = 1 / (DEALS * solver_weights(s->done));
  return (struct sal_doors_bounds){solver_pass(s, GUESSER, false) * scale,
                                   solver_pass(s, COLLECTOR, false) * scale};
}

/* ---- Solvers ------------------------------------------------------------ */

sal_doors_solver *sal_doors_solver_new(const struct sal_doors_start *start,
                                       const struct sal_doors_worth *worth,
                                       int threads) {
  return solver_new(start, worth, threads, true);
}

sal_doors_solver *solver_new(const struct sal_doors_start *start,
                             const struct sal_doors_worth *worth, int threads,
                             bool mirrors) {
  const struct position p = start_position(start);
  sal_doors_solver *s = calloc(1, sizeof *s);
  if (!s)
    return NULL;
  s->worth = worth_of(worth);
  s->threads = threads < MOST_THREADS ? threads : MOST_THREADS;
  s->team.count = 1;
  s->tasks =
      aligned_alloc(_Alignof(struct task), MOST_TASKS * sizeof *s->tasks);
  if (s->tasks)
    memset(s->tasks, 0, MOST_TASKS * sizeof *s->tasks);
  if (s->tasks && board_make(&s->board, &p) && plan_all(s, mirrors))
    return s;
  sal_doors_solver_free(s);
  return NULL;
}

void sal_doors_solver_free(sal_doors_solver *s) {
  if (!s)
    return;
  board_free(&s->board);
  free(s->tasks);
  free(s->memory);
  free(s);
}

struct sal_doors_size sal_doors_solver_size(const sal_doors_solver *s) {
  return (struct sal_doors_size){s->histories, s->rows * sizeof(vec)};
}

uint32_t sal_doors_solver_done(const sal_doors_solver *s) { return s->done; }

void sal_doors_solver_resume(sal_doors_solver *s, uint32_t done) {
  s->done = done;
}

void *sal_doors_solver_memory(sal_doors_solver *s, uint64_t *bytes) {
  *bytes = s->rows * sizeof(vec);
  return s->memory;
}

void sal_doors_solver_divide(sal_doors_solver *s,
                             const struct sal_solve_team *team) {
  s->team = *team;
}

bool sal_doors_solver_piece(sal_doors_solver *s, uint32_t number,
                            struct sal_doors_piece *out) {
  if (number > s->ordered)
    return false;
  *out = (struct sal_doors_piece){s->memory, s->top * sizeof(vec), -1};
  if (number == 0)
    return true;
  const struct task *t = &s->tasks[s->order[number - 1]];
  out->bytes = t->memory;
  out->size = (GUESS_ROWS + t->state->rows) * sizeof(vec);
  out->owner = owner_of(s, number - 1);
  return true;
}
