/* salotto bench: how fast the engine and the search are, measured here and now.
 *
 * Absolute rates swing with the machine. Each run therefore also measures a
 * bare loop that plays a simplified Doors without any interface, the practical
 * limit, so that ratios can be compared across machines. */
#include "cli.h"
#include "solve/doors/doors_s.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 5, SEARCH = 10000 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- The interface ------------------------------------------------------ */

struct tally {
  uint64_t games, decisions;
};

/* One random game through the interface: legal, choose, apply, chance; with
 * `look` also a view for the seat that acts at each decision. */
static inline void play_game(const struct sal_game *g,
                             const struct sal_setup *setup, sal_action *legal,
                             struct sal_rng *rng, struct tally *n, bool look) {
  union sal_state_box box;
  union sal_view_box seen;
  sal_state *s = (sal_state *)box.bytes;
  g->init(s, setup);
  for (unsigned asked; (asked = g->to_act(s)) != 0;) {
    if (asked == SAL_CHANCE_BIT) {
      g->sample(s, rng);
      continue;
    }
    const int seat = __builtin_ctz(asked);
    if (look)
      g->view(s, seat, (sal_view *)seen.bytes);
    const size_t count = g->legal(s, seat, legal);
    g->apply(s, seat, legal[sal_rng_below(rng, (uint32_t)count)], NULL);
    n->decisions++;
  }
  n->games++;
}

static void playout(const struct sal_game *g, const struct sal_setup *setup,
                    sal_action *legal, struct sal_rng *rng, struct tally *n) {
  play_game(g, setup, legal, rng, n, false);
}

static void viewed_playout(const struct sal_game *g,
                           const struct sal_setup *setup, sal_action *legal,
                           struct sal_rng *rng, struct tally *n) {
  play_game(g, setup, legal, rng, n, true);
}

/* ---- Rows --------------------------------------------------------------- */

struct bench {
  bool json;
  double seconds; /* a run */
};

static void print_row(const struct bench *b, const char *game, const char *what,
                      double value, const char *unit) {
  if (b->json)
    printf("{\"name\":\"%s.%s\",\"value\":%.6g,\"unit\":\"%s\"}\n", game, what,
           value, unit);
  else if (value >= 1e5)
    printf("%-9s %-22s %10.2f million %s\n", game, what, value / 1e6, unit);
  else
    printf("%-9s %-22s %10.3g %s\n", game, what, value, unit);
  fflush(stdout);
}

/* Other work on the machine only ever slows a run down, so the fastest tells
 * most of the program. */
static double best(const double *rates) {
  double most = rates[0];
  for (int i = 1; i < RUNS; i++)
    if (rates[i] > most)
      most = rates[i];
  return most;
}

typedef void play_fn(const struct sal_game *g, const struct sal_setup *setup,
                     sal_action *legal, struct sal_rng *rng, struct tally *n);

static void measure(const struct bench *b, const struct sal_game *g,
                    play_fn *play, sal_action *legal, double *games,
                    double *decisions) {
  struct sal_setup setup;
  struct sal_rng rng;
  double game_rate[RUNS], decision_rate[RUNS];
  sal_setup_default(g, g->info.players_min, &setup);
  sal_rng_seed(&rng, 1);
  for (int run = 0; run < RUNS; run++) {
    struct tally n = {0, 0};
    const double from = now();
    double spent;
    do
      for (int i = 0; i < 64; i++)
        play(g, &setup, legal, &rng, &n);
    while ((spent = now() - from) < b->seconds);
    game_rate[run] = (double)n.games / spent;
    decision_rate[run] = (double)n.decisions / spent;
  }
  *games = best(game_rate);
  *decisions = best(decision_rate);
}

static double measure_bare(const struct bench *b) {
  struct sal_rng rng;
  double rate[RUNS];
  sal_rng_seed(&rng, 1);
  for (int run = 0; run < RUNS; run++) {
    uint64_t n = 0;
    const double from = now();
    double spent;
    do
      for (int i = 0; i < 64; i++)
        n += doors_s_match(&rng);
    while ((spent = now() - from) < b->seconds);
    rate[run] = (double)n / spent;
  }
  return best(rate);
}

/* Simulations a second of the textbook search, asked for the first move of a
 * round of Doors-S. */
static double measure_search(const struct bench *b) {
  const struct sal_bot *bot = sal_bot_find("ismcts");
  struct sal_rng rng;
  double rate[RUNS];
  sal_rng_seed(&rng, 1);
  for (int run = 0; run < RUNS; run++) {
    uint64_t n = 0;
    const double from = now();
    double spent;
    do {
      union sal_state_box box;
      union sal_view_box seen;
      sal_action legal[4];
      sal_state *s = (sal_state *)box.bytes;
      struct sal_thought thought;
      doors_s.init(s, NULL);
      doors_s.sample(s, &rng);
      doors_s.view(s, 0, (sal_view *)seen.bytes);
      const struct sal_question q = {.game = &doors_s,
                                     .players = 2,
                                     .view = (const sal_view *)seen.bytes,
                                     .legal = legal,
                                     .count = doors_s.legal(s, 0, legal),
                                     .budget = sal_budget_simulations(SEARCH)};
      bot->think(&q, &rng, &thought);
      n += thought.simulations;
    } while ((spent = now() - from) < b->seconds);
    rate[run] = (double)n / spent;
  }
  return best(rate);
}

/* ---- Batches -------------------------------------------------------------- */

enum { BATCH = 256 };

/* Decisions a second of a batch that plays at random, so many a call; what the
 * next seats see and may do is written out after each call. */
static double measure_batch(const struct bench *b, sal_batch *batch,
                            size_t steps, const struct sal_batch_out *out) {
  double rate[RUNS];
  for (int run = 0; run < RUNS; run++) {
    uint64_t n = 0;
    const double from = now();
    double spent;
    do
      n += sal_batch_random(batch, steps, out);
    while ((spent = now() - from) < b->seconds);
    rate[run] = (double)n / spent;
  }
  return best(rate);
}

static int bench_batch(const struct bench *b, const struct sal_game *g) {
  struct sal_batch_plan plan = {.game = g, .count = BATCH, .seed = 1};
  struct sal_refusal why;
  sal_setup_default(g, g->info.players_min, &plan.setup);
  sal_batch *batch = sal_batch_new(&plan, &why);
  const struct sal_batch_out nowhere = {0};
  struct sal_batch_out out = {
      .seat = calloc(BATCH, sizeof *out.seat),
      .observation = calloc(BATCH * g->info.tensor_size, sizeof(float)),
      .mask = calloc(BATCH, g->info.action_count)};
  const bool ready = batch && out.seat && out.observation && out.mask;
  if (ready) {
    print_row(b, g->info.id, "batch", measure_batch(b, batch, 16, &nowhere),
              "1/s");
    print_row(b, g->info.id, "batch_observed", measure_batch(b, batch, 1, &out),
              "1/s");
  }
  sal_batch_free(batch);
  free(out.seat);
  free(out.observation);
  free(out.mask);
  return ready ? DONE
               : complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
}

static int bench_game(const struct bench *b, const struct sal_game *g,
                      double bare) {
  sal_action *legal = calloc(g->info.legal_max, sizeof *legal);
  if (!legal)
    return complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
  double games, decisions, viewed_games, viewed;
  measure(b, g, playout, legal, &games, &decisions);
  measure(b, g, viewed_playout, legal, &viewed_games, &viewed);
  free(legal);
  print_row(b, g->info.id, "playouts", games, "1/s");
  print_row(b, g->info.id, "decisions", decisions, "1/s");
  print_row(b, g->info.id, "apply_legal_view", viewed, "1/s");
  print_row(b, g->info.id, "decisions_to_bare", decisions / bare, "ratio");
  print_row(b, g->info.id, "state", (double)g->info.state_size, "bytes");
  return g->info.action_count ? bench_batch(b, g) : DONE;
}

static int run_bench(int argc, char **argv) {
  static const struct option longs[] = {
      {"game", required_argument, NULL, 'g'},
      {"json", no_argument, NULL, 'j'},
      {"seconds", required_argument, NULL, 's'},
      {NULL, 0, NULL, 0}};
  struct bench b = {false, 0.3};
  const struct sal_game *only = NULL;
  opterr = 0;
  for (int c; (c = getopt_long(argc, argv, "", longs, NULL)) != -1;) {
    char *end;
    switch (c) {
    case 'g':
      if (!(only = sal_game_find(optarg)))
        return misused(&command_bench, _("there is no game '%s'."), optarg);
      break;
    case 'j': b.json = true; break;
    case 's':
      b.seconds = strtod(optarg, &end);
      if (*end || end == optarg || !(b.seconds > 0 && b.seconds <= 60))
        return misused(&command_bench,
                       _("'%s' is not a time from 0 to 60 seconds."), optarg);
      break;
    default:
      return misused(&command_bench, _("'%s' is not recognised."),
                     argv[optind - 1]);
    }
  }
  if (optind < argc)
    return misused(&command_bench, _("'%s' is not recognised."), argv[optind]);
  const double bare = measure_bare(&b);
  const double searched = measure_search(&b);
  print_row(&b, "doors-s", "bare_decisions", bare, "1/s");
  print_row(&b, "doors-s", "simulations", searched, "1/s");
  print_row(&b, "doors-s", "simulations_to_bare", searched / bare, "ratio");
  int status = DONE;
  for (size_t i = 0; sal_games[i] && status == DONE; i++)
    if (!only || only == sal_games[i])
      status = bench_game(&b, sal_games[i], bare);
  return status;
}

const struct command command_bench = {
    "bench", N_("measure the speed of the engine"),
    "[--game GAME] [--json] [--seconds S]",
    N_("Each row is the best of five runs on one core.\n"
       "  --game GAME  only this game\n"
       "  --json       one JSON object a line: name, value, unit\n"
       "  --seconds S  how long a run takes (0.3)\n"
       "\n"
       "'decisions' are random games through the game interface: legal, choose, "
       "apply,\nchance. 'apply_legal_view' makes a view at each decision too. "
       "'doors-s' is a\nsimplified Doors: 'bare_decisions' by a bare loop without "
       "an interface, the\npractical limit of the machine, and 'simulations' of "
       "the textbook search through\nthe interface. 'decisions_to_bare' and "
       "'simulations_to_bare' are ratios to the\nbare loop. 'batch' steps 256 games "
       "together, 'batch_observed' writes observations\nand masks as well.\n"),
    run_bench};
