/* salotto-gpu: solves all initial offers of Doors on a graphics card, for
 * tokens and for every score of a match, and writes the blueprints of a policy.
 *
 *   salotto-gpu test                   holds the card against the solver
 *   salotto-gpu round N E LOG BLUEPRINTS   N iterations at most, or until E
 *   salotto-gpu match N E LOG BLUEPRINTS   the same for each score of a match
 *   salotto-gpu pipeline N BLUEPRINTS LOG  what best opponents leave and win who
 *                                      meet somebody who plays by a blueprint and
 *                                      solves again with N iterations
 *   salotto-gpu pack ROUND MATCH NOTE FILE   the policy from both blueprints
 *
 * Main invariant: a score is solved when all scores that can follow it are. */
#include "trees.h"
#include "make.h"
#include "pack.h"
#include "tokens.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DEALS = 12 };

struct run {
  struct game_trees trees;
  struct device *device;
  struct maker *maker;
  struct lean_worth worth;
  uint32_t done, from; /* iterations that count begin after `from` */
  struct sal_doors_bounds offer[SAL_DOORS_OFFERS], all;
  uint32_t most;
  double until;
  double begun;
  FILE *log, *blueprints;
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int fail(const char *what) {
  fprintf(stderr, "salotto-gpu: %s\n", what);
  return 1;
}

/* ---- One solution -------------------------------------------------------- */

static double weights(const struct run *r) {
  double sum = 0;
  for (uint32_t i = r->from + 1; i <= r->done; i++)
    sum += (double)i * i;
  return sum;
}

static double added(const float *row) {
  return (double)row[0] + (double)row[1] + (double)row[2] + (double)row[3];
}

static void measure(struct run *r) {
  float low[SAL_DOORS_OFFERS][4], high[SAL_DOORS_OFFERS][4];
  const double scale = 1 / (DEALS * weights(r));
  device_bounds(r->device, low[0], high[0]);
  r->all = (struct sal_doors_bounds){0, 0};
  for (int i = 0; i < r->trees.offers; i++) {
    r->offer[i].low = added(low[i]) * scale;
    r->offer[i].high = added(high[i]) * scale;
    r->all.low += r->trees.offer[i].chance * r->offer[i].low;
    r->all.high += r->trees.offer[i].chance * r->offer[i].high;
  }
}

static void begin_run(struct run *r, const struct lean_worth *w, float keep,
                      uint32_t from) {
  device_begin(r->device, w, keep);
  r->worth = *w;
  r->done = r->from = from;
}

static void iterate(struct run *r, uint32_t until) {
  while (r->done < until)
    device_iterate(r->device, ++r->done);
}

static void write_log(struct run *r, const char *name, bool offers) {
  if (!r->log)
    return;
  for (int i = 0; offers && i < r->trees.offers; i++)
    fprintf(r->log,
            "{\"solve\":\"%s\",\"offer\":%d,\"iteration\":%u,\"low\":%.6f,"
            "\"high\":%.6f,\"seconds\":%.2f}\n",
            name, i, r->done, r->offer[i].low, r->offer[i].high,
            now() - r->begun);
  fprintf(r->log,
          "{\"solve\":\"%s\",\"offer\":\"all\",\"iteration\":%u,\"low\":%.6f,"
          "\"high\":%.6f,\"seconds\":%.2f,\"worth\":[%.6f,%.6f,%.6f,%.6f,%.6f,"
          "%.6f]}\n",
          name, r->done, r->all.low, r->all.high, now() - r->begun,
          (double)r->worth.set, (double)r->worth.wrong, (double)r->worth.trait,
          (double)r->worth.guesser_set, (double)r->worth.deck_out,
          (double)r->worth.both);
  fflush(r->log);
}

/* Until the wish is fulfilled; `until` counts in tokens, and in proportion
 * where the worth is another. */
static void improve(struct run *r, const char *name, uint32_t step,
                    bool offers) {
  const double until = r->until * (double)(r->worth.set - r->worth.both) / 11;
  for (;;) {
    uint32_t next = r->done + (offers ? 8 + r->done / 16 : step);
    if (next > r->most)
      next = r->most;
    iterate(r, next);
    measure(r);
    const bool over = r->done >= r->most || r->all.high - r->all.low <= until;
    if (offers || over)
      write_log(r, name, offers);
    if (over)
      return;
  }
}

/* ---- A match ------------------------------------------------------------- */

/* The chance that the Collector wins the match, by tokens of the Collector and
 * the Guesser. */
struct match {
  double wins[WIN][WIN];
};

/* The same, after a round, for who was the Collector: the roles swap. */
static float after(const struct match *m, int collector, int guesser) {
  if (collector >= WIN)
    return 1;
  if (guesser >= WIN)
    return 0;
  return (float)(1 - m->wins[guesser][collector]);
}

static float at_most(float x, float most) { return x < most ? x : most; }

/* Values are only near the truth, so neighbours might be out of order by the
 * error; the solver needs the order. */
static struct lean_worth worth_at(const struct match *m, int c, int g) {
  struct lean_worth w;
  w.set = after(m, c + TOKENS_SET, g);
  w.wrong = at_most(after(m, c + TOKENS_WRONG, g), w.set);
  w.trait = at_most(after(m, c, g + TOKENS_TRAIT), w.wrong);
  w.guesser_set = at_most(after(m, c, g + TOKENS_GUESSER_SET), w.trait);
  w.deck_out = at_most(after(m, c, g + TOKENS_DECK_OUT), w.guesser_set);
  w.both = at_most(after(m, c, g + TOKENS_BOTH), w.deck_out);
  return w;
}

/* A score begins with most of the regrets of the one before, in proportion to
 * the worth, and counts its iterations from here; found by trial. */
enum { WARM_FROM = 12, FIRST_IDEA = 200 };
static const float WARM_SHARE = 0.7f;

static bool solve_score(struct run *r, struct match *m, int c, int g) {
  char name[16];
  const struct lean_worth w = worth_at(m, c, g);
  const float before = r->worth.set - r->worth.both;
  snprintf(name, sizeof name, "%d-%d", c, g);
  begin_run(r, &w, WARM_SHARE * (w.set - w.both) / before, WARM_FROM);
  improve(r, name, 16, false);
  m->wins[c][g] = (r->all.low + r->all.high) / 2;
  return maker_write(r->maker, r->device, &r->worth, r->blueprints);
}

static bool solve_match(struct run *r) {
  struct match m = {{{0}}};
  struct score scores[SCORES];
  list_scores(scores);
  for (int i = 0; i < SCORES; i++)
    if (!solve_score(r, &m, scores[i].collector, scores[i].guesser))
      return false;
  return true;
}

/* ---- The test ------------------------------------------------------------ */

static const struct lean_worth tokens = TOKENS_WORTH;

static bool near(double a, double b, double error) {
  return fabs(a - b) <= error;
}

/* The same iterations by the solver, for one offer. */
static bool test_offer(const struct sal_doors_offer *o, uint32_t iterations) {
  struct run r = {.most = iterations};
  game_trees_make(&r.trees, o, 1);
  r.device = r.trees.whole ? device_new(&r.trees.lean) : NULL;
  sal_doors_solver *s = sal_doors_solver_new(&o->start, &sal_doors_tokens, 16);
  bool ok = r.device && s;
  if (ok) {
    begin_run(&r, &tokens, 0, 0);
    for (uint32_t i = 1; i <= iterations; i++) {
      iterate(&r, i);
      sal_doors_solver_iterate(s);
      if (i > 2 && i < iterations)
        continue;
      measure(&r);
      const struct sal_doors_bounds b = sal_doors_solver_bounds(s);
      const struct sal_doors_bounds *d = &r.offer[0];
      printf("iteration %u: solver %+.5f to %+.5f, card %+.5f to %+.5f\n", i,
             b.low, b.high, d->low, d->high);
      /* Where two actions are equally good rounding decides, and that grows;
       * the solver built with and without fused products differs as much. */
      const double error = i == 1 ? 1e-4 : i == 2 ? 0.02 : 0.15;
      ok = ok && near(b.low, d->low, error) && near(b.high, d->high, error);
    }
  }
  device_free(r.device);
  sal_doors_solver_free(s);
  game_trees_free(&r.trees);
  return ok && device_sound();
}

static int test(void) {
  static const int small[] = {7, 5, 12, 4};
  struct sal_doors_offer offers[SAL_DOORS_OFFERS];
  sal_doors_offers(offers);
  for (size_t i = 0; i < sizeof small / sizeof *small; i++)
    if (!test_offer(&offers[small[i]], 24)) {
      printf("offer %d: DIFFERENT %s\n", small[i], device_problem());
      return 1;
    }
  printf("the card and the solver agree\n");
  return 0;
}

/* ---- The pipeline ---------------------------------------------------------- */

static bool measure_side(struct run *r, const struct lean_worth *w,
                         bool collector, struct sal_doors_bounds *out) {
  float value[SAL_DOORS_OFFERS][4];
  const struct lean_top t = maker_top(r->maker, w, collector);
  if (!device_pipeline(r->device, w, &t, r->most, value[0]))
    return false;
  for (int i = 0; i < r->trees.offers; i++)
    *(collector ? &out[i].low : &out[i].high) = added(value[i]) / DEALS;
  return true;
}

static bool measure_pipelines(struct run *r) {
  struct lean_worth w;
  for (int n = 0; maker_read(r->maker, r->blueprints, &w); n++) {
    if (!measure_side(r, &w, true, r->offer) ||
        !measure_side(r, &w, false, r->offer))
      return false;
    r->all = (struct sal_doors_bounds){0, 0};
    for (int i = 0; i < r->trees.offers; i++) {
      r->all.low += r->trees.offer[i].chance * r->offer[i].low;
      r->all.high += r->trees.offer[i].chance * r->offer[i].high;
    }
    char name[32];
    snprintf(name, sizeof name, "blueprint %d", n);
    r->worth = w;
    r->done = r->most;
    write_log(r, name, true);
  }
  return true;
}

/* ---- The program ---------------------------------------------------------- */

static bool prepare(struct run *r) {
  struct sal_doors_offer offers[SAL_DOORS_OFFERS];
  sal_doors_offers(offers);
  r->begun = now();
  game_trees_make(&r->trees, offers, SAL_DOORS_OFFERS);
  if (!r->trees.whole)
    return false;
  r->device = device_new(&r->trees.lean);
  r->maker = maker_new(&r->trees);
  fprintf(stderr, "%u histories, ready after %.1f s\n",
          r->trees.lean.level[T4].count, now() - r->begun);
  return r->device && r->maker;
}

static int solve(struct run *r, bool match) {
  if (!prepare(r))
    return fail(device_problem());
  bool ok = true;
  begin_run(r, &tokens, 0, 0);
  if (match) {
    iterate(r, FIRST_IDEA);
    ok = solve_match(r);
  } else {
    improve(r, "tokens", 0, true);
    ok = maker_write(r->maker, r->device, &r->worth, r->blueprints);
  }
  ok = ok && device_sound();
  fprintf(stderr, "%.1f s, value %+.5f to %+.5f\n", now() - r->begun,
          r->all.low, r->all.high);
  return ok ? 0 : fail(device_problem());
}

static int pipeline(struct run *r) {
  if (!prepare(r) || !measure_pipelines(r) || !device_sound())
    return fail(device_problem());
  fprintf(stderr, "%.1f s, value %+.5f to %+.5f\n", now() - r->begun,
          r->all.low, r->all.high);
  return 0;
}

static int usage(void) {
  return fail(
      "test\n   or: round|match ITERATIONS EXPLOITABILITY LOG BLUEPRINTS"
      "\n   or: pipeline ITERATIONS BLUEPRINTS LOG"
      "\n   or: pack ROUND MATCH NOTE FILE");
}

int main(int argc, char **argv) {
  struct run r = {0};
  if (argc == 2 && strcmp(argv[1], "test") == 0)
    return test();
  if (argc == 6 && strcmp(argv[1], "pack") == 0)
    return pack_policy(argv[2], argv[3], argv[4], argv[5]) ? 0 : 1;
  const bool again = argc == 5 && strcmp(argv[1], "pipeline") == 0;
  if (!again && argc != 6)
    return usage();
  r.most = (uint32_t)strtoul(argv[2], NULL, 10);
  r.until = again ? 0 : strtod(argv[3], NULL);
  r.log = fopen(argv[4], "w");
  r.blueprints = again ? fopen(argv[3], "rb") : fopen(argv[5], "wb");
  if (!r.log || !r.blueprints)
    return fail("a file cannot be opened");
  return again ? pipeline(&r) : solve(&r, strcmp(argv[1], "match") == 0);
}
