/* salotto bench: how fast the engine and the search are, measured here and now.
 *
 * Absolute rates swing with the machine. Each run therefore also measures a
 * bare loop that plays a simplified Doors without any interface, the practical
 * limit, so that ratios can be compared across machines. */
#include "cli.h"
#include "referee.h"
#include "solve/doors/doors_bare.h"
#include "solve/doors/doors_s.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 5, SEARCH = 10000 };

static double processor_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- The interface ------------------------------------------------------ */

struct tally {
  uint64_t games, decisions;
};

enum look { LOOK_NOT, LOOK_VIEW, LOOK_TENSOR };

/* One random game through the interface: legal, choose, apply, chance; and at
 * each decision a view for the seat that acts, or its numbers. */
static inline void play_game(const struct sal_game *g,
                             const struct sal_setup *setup, sal_action *legal,
                             float *tensor, struct sal_rng *rng,
                             struct tally *n, enum look look) {
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
    if (look != LOOK_NOT)
      g->view(s, seat, (sal_view *)seen.bytes);
    if (look == LOOK_TENSOR)
      g->tensor((const sal_view *)seen.bytes, tensor);
    const size_t count = g->legal(s, seat, legal);
    g->apply(s, seat, legal[sal_rng_below(rng, (uint32_t)count)], NULL);
    n->decisions++;
  }
  n->games++;
}

/* ---- Rows --------------------------------------------------------------- */

enum { OLD_MAX = 400, NAME_SIZE = 64 };

/* What an earlier run has measured. */
struct old_rows {
  size_t count;
  struct {
    char name[NAME_SIZE];
    double value;
  } row[OLD_MAX];
};

struct bench {
  bool json;
  double seconds;             /* a run */
  const struct old_rows *old; /* NULL: nothing to compare with */
};

/* The best of the runs, and the slowest: other work on the machine only ever
 * slows a run down, so the best tells most of the program, and the distance how
 * quiet the machine was. */
struct figure {
  double best, low;
};

static double old_value(const struct old_rows *old, const char *name) {
  for (size_t i = 0; old && i < old->count; i++)
    if (strcmp(old->row[i].name, name) == 0)
      return old->row[i].value;
  return 0;
}

static void print_row(const struct bench *b, const char *game, const char *what,
                      struct figure f, const char *unit) {
  char name[NAME_SIZE];
  snprintf(name, sizeof name, "%s.%s", game, what);
  const double before = old_value(b->old, name);
  if (b->json) {
    printf("{\"name\":\"%s\",\"value\":%.6g,\"low\":%.6g,\"unit\":\"%s\"", name,
           f.best, f.low, unit);
    if (before > 0)
      printf(",\"to_old\":%.4g", f.best / before);
    puts("}");
  } else {
    const bool large = f.best >= 1e5;
    const double scale = large ? 1e6 : 1;
    printf("%-9s %-22s %10.*f %s%s", game, what, f.best < 10 * scale ? 3 : 2,
           f.best / scale, large ? "million " : "", unit);
    if (f.low < f.best)
      printf("  (%.0f %%)", 100 * f.low / f.best);
    if (before > 0)
      printf("  x%.3f", f.best / before);
    putchar('\n');
  }
  fflush(stdout);
}

static struct figure exactly(double value) {
  return (struct figure){value, value};
}

/* Some work, and how much it was. */
typedef uint64_t work_fn(void *context);

static struct figure measure_figure(const struct bench *b, work_fn *work,
                                    void *context) {
  struct figure f = {0, 0};
  for (int run = 0; run < RUNS; run++) {
    uint64_t n = 0;
    const double from = processor_seconds();
    double spent;
    do
      n += work(context);
    while ((spent = processor_seconds() - from) < b->seconds);
    const double rate = (double)n / spent;
    if (run == 0 || rate > f.best)
      f.best = rate;
    if (run == 0 || rate < f.low)
      f.low = rate;
  }
  return f;
}

/* ---- Bare loops and the search -------------------------------------------- */

static uint64_t work_doors_s(void *rng) {
  uint64_t n = 0;
  for (int i = 0; i < 64; i++)
    n += doors_s_match(rng);
  return n;
}

static uint64_t work_doors(void *rng) {
  uint64_t n = 0;
  bool first;
  for (int i = 0; i < 64; i++)
    n += doors_bare_match(rng, &first);
  return n;
}

/* Simulations of the textbook search, asked for the first move of a round of
 * Doors-S. */
static uint64_t work_search(void *rng) {
  const struct sal_bot *bot = sal_bot_find("ismcts");
  union sal_state_box box;
  union sal_view_box seen;
  sal_action legal[4];
  sal_state *s = (sal_state *)box.bytes;
  struct sal_thought thought;
  doors_s.init(s, NULL);
  doors_s.sample(s, rng);
  doors_s.view(s, 0, (sal_view *)seen.bytes);
  const struct sal_question q = {.game = &doors_s,
                                 .players = 2,
                                 .view = (const sal_view *)seen.bytes,
                                 .legal = legal,
                                 .count = doors_s.legal(s, 0, legal),
                                 .budget = sal_budget_simulations(SEARCH)};
  bot->think(&q, rng, &thought);
  return thought.simulations;
}

/* ---- One game in every way ------------------------------------------------ */

struct player {
  const struct sal_game *game;
  struct sal_setup setup;
  struct sal_rng rng;
  sal_action *legal;
  struct tally tally;
  sal_table *table;
  float *tensor;
  struct referee *referee;
  FILE *nowhere;
  char text[1 << 16];
};

static uint64_t work_play(struct player *p, enum look look) {
  const uint64_t before = p->tally.decisions;
  for (int i = 0; i < 16; i++)
    play_game(p->game, &p->setup, p->legal, p->tensor, &p->rng, &p->tally,
              look);
  return p->tally.decisions - before;
}

/* The same games by `sal_playout`, as batches play them. */
static uint64_t work_playouts(void *context) {
  struct player *p = context;
  union sal_state_box box;
  sal_state *s = (sal_state *)box.bytes;
  uint64_t n = 0;
  for (int i = 0; i < 16; i++) {
    p->game->init(s, &p->setup);
    n += sal_playout(p->game, s, &p->rng, UINT64_MAX, p->legal);
  }
  return n;
}

static uint64_t work_decisions(void *p) { return work_play(p, LOOK_NOT); }
static uint64_t work_views(void *p) { return work_play(p, LOOK_VIEW); }
static uint64_t work_tensors(void *p) { return work_play(p, LOOK_TENSOR); }

/* A table that is there, with a seat asked; after the end a new one. */
static sal_table *table_of(struct player *p) {
  if (p->table && sal_table_to_act(p->table) != 0)
    return p->table;
  struct sal_plan plan = {.game = p->game, .setup = p->setup};
  sal_key_number(sal_rng_next(&p->rng), &plan.seed);
  sal_table_free(p->table);
  return p->table = sal_table_new(&plan);
}

/* Decisions at a table: history, events, fair draws. */
static uint64_t work_table(void *context) {
  struct player *p = context;
  enum { CHUNK = 64 };
  for (int i = 0; i < CHUNK; i++) {
    sal_table *t = table_of(p);
    if (!t)
      return CHUNK;
    size_t count;
    const int seat = __builtin_ctz(sal_table_to_act(t));
    const sal_action *list = sal_table_choices(t, seat, &count);
    sal_table_play(t, seat, list[sal_rng_below(&p->rng, (uint32_t)count)],
                   NULL);
  }
  return CHUNK;
}

/* Views as JSON. */
static uint64_t work_json(void *context) {
  struct player *p = context;
  enum { CHUNK = 64 };
  sal_table *t = table_of(p);
  for (int i = 0; t && i < CHUNK; i++) {
    struct sal_text text;
    struct sal_json j;
    sal_text_init(&text, p->text, sizeof p->text);
    sal_json_init(&j, &text);
    sal_table_facts(t, 0, &j, NULL);
  }
  return CHUNK;
}

static void ask_referee(struct player *p, const char *line) {
  rewind(p->nowhere);
  referee_line(p->referee, line, strlen(line), p->nowhere);
}

/* Decisions through the referee, pipes left out: a game is played at a table and
 * there, `act` and `legal` for each. */
static uint64_t work_referee(void *context) {
  struct player *p = context;
  uint64_t n = 0;
  char line[200];
  sal_table_free(p->table);
  p->table = NULL;
  struct sal_plan plan = {.game = p->game, .setup = p->setup};
  sal_key_number(n, &plan.seed);
  sal_table *t = p->table = sal_table_new(&plan);
  snprintf(line, sizeof line,
           "{\"op\":\"new\",\"game\":\"%s\",\"players\":%d,\"seed\":0}",
           p->game->info.id, p->setup.players);
  ask_referee(p, line);
  for (unsigned asked; t && n < 100 && (asked = sal_table_to_act(t)) != 0;
       n++) {
    char action[SAL_ACTION_TEXT_MAX];
    struct sal_text text;
    size_t count;
    const int seat = __builtin_ctz(asked);
    const sal_action *list = sal_table_choices(t, seat, &count);
    sal_text_init(&text, action, sizeof action);
    p->game->action_text(list[sal_rng_below(&p->rng, (uint32_t)count)], &text);
    snprintf(line, sizeof line, "{\"op\":\"legal\",\"seat\":%d}", seat);
    ask_referee(p, line);
    snprintf(line, sizeof line,
             "{\"op\":\"act\",\"seat\":%d,\"action\":\"%s\"}", seat, action);
    ask_referee(p, line);
    sal_table_act(t, seat, action, NULL);
  }
  return n;
}

/* ---- Batches -------------------------------------------------------------- */

enum { BATCH = 256 };

struct batch_work {
  sal_batch *batch;
  size_t steps; /* a call */
  const struct sal_batch_out *out;
};

/* A batch that plays at random; what the next seats see and may do is written
 * out after each call. */
static uint64_t work_batch(void *context) {
  const struct batch_work *w = context;
  return sal_batch_random(w->batch, w->steps, w->out);
}

static int bench_batch(const struct bench *b, const struct sal_game *g,
                       double decisions) {
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
    struct batch_work blind = {batch, 16, &nowhere}, seeing = {batch, 1, &out};
    const struct figure f = measure_figure(b, work_batch, &blind);
    print_row(b, g->info.id, "batch", f, "1/s");
    print_row(b, g->info.id, "batch_to_decisions", exactly(f.best / decisions),
              "ratio");
    print_row(b, g->info.id, "batch_observed",
              measure_figure(b, work_batch, &seeing), "1/s");
  }
  sal_batch_free(batch);
  free(out.seat);
  free(out.observation);
  free(out.mask);
  return ready ? DONE
               : complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
}

static void measure_game(const struct bench *b, struct player *p, double bare,
                         double *decisions) {
  const char *id = p->game->info.id;
  const struct figure f = measure_figure(b, work_decisions, p);
  const double games = (double)p->tally.games / (double)p->tally.decisions;
  *decisions = f.best;
  print_row(b, id, "playouts", (struct figure){games * f.best, games * f.low},
            "1/s");
  print_row(b, id, "decisions", f, "1/s");
  const struct figure playout = measure_figure(b, work_playouts, p);
  print_row(b, id, "playout_decisions", playout, "1/s");
  print_row(b, id, "apply_legal_view", measure_figure(b, work_views, p), "1/s");
  print_row(b, id, "apply_legal_tensor", measure_figure(b, work_tensors, p),
            "1/s");
  print_row(b, id, "table", measure_figure(b, work_table, p), "1/s");
  print_row(b, id, "json", measure_figure(b, work_json, p), "1/s");
  print_row(b, id, "referee", measure_figure(b, work_referee, p), "1/s");
  print_row(b, id, "decisions_to_bare", exactly(f.best / bare), "ratio");
  if (strcmp(id, "doors") == 0) {
    const struct figure own = measure_figure(b, work_doors, &p->rng);
    print_row(b, id, "bare_decisions", own, "1/s");
    print_row(b, id, "decisions_to_own_bare", exactly(f.best / own.best),
              "ratio");
    print_row(b, id, "playout_to_own_bare", exactly(playout.best / own.best),
              "ratio");
  }
  print_row(b, id, "state", exactly((double)p->game->info.state_size), "bytes");
}

static int bench_game(const struct bench *b, const struct sal_game *g,
                      double bare) {
  struct player *p = calloc(1, sizeof *p);
  double decisions = 1;
  if (p) {
    p->game = g;
    p->legal = calloc(g->info.legal_max, sizeof *p->legal);
    p->tensor = calloc(g->info.tensor_size, sizeof *p->tensor);
    p->referee = referee_new();
    p->nowhere = fopen("/dev/null", "w");
    sal_setup_default(g, g->info.players_min, &p->setup);
    sal_rng_seed(&p->rng, 1);
  }
  const bool ready = p && p->legal && p->tensor && p->referee && p->nowhere;
  if (ready)
    measure_game(b, p, bare, &decisions);
  if (p) {
    if (p->nowhere)
      fclose(p->nowhere);
    referee_free(p->referee);
    sal_table_free(p->table);
    free(p->tensor);
    free(p->legal);
    free(p);
  }
  if (!ready)
    return complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
  return g->info.action_count ? bench_batch(b, g, decisions) : DONE;
}

/* Reads what `bench --json` has written; NULL: it has not. */
static struct old_rows *read_old(const char *path) {
  struct old_rows *old = calloc(1, sizeof *old);
  FILE *f = old ? fopen(path, "r") : NULL;
  char line[400], *at;
  while (f && old->count < OLD_MAX && fgets(line, sizeof line, f)) {
    char *name = old->row[old->count].name;
    if (sscanf(line, "{\"name\":\"%63[a-z0-9._-]\"", name) == 1 &&
        (at = strstr(line, "\"value\":")))
      old->row[old->count++].value = strtod(at + 8, NULL);
  }
  if (f)
    fclose(f);
  if (old && old->count == 0) {
    free(old);
    return NULL;
  }
  return old;
}

static int run_bench(int argc, char **argv) {
  static const struct option longs[] = {
      {"game", required_argument, NULL, 'g'},
      {"json", no_argument, NULL, 'j'},
      {"seconds", required_argument, NULL, 's'},
      {"compare", required_argument, NULL, 'c'},
      {NULL, 0, NULL, 0}};
  struct bench b = {false, 0.3, NULL};
  const char *compare = NULL;
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
    case 'c': compare = optarg; break;
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
  struct old_rows *old = compare ? read_old(compare) : NULL;
  if (compare && !old)
    return complain(FAILED, _("'%s' has no rows of 'salotto bench --json'."),
                    compare);
  b.old = old;
  struct sal_rng rng;
  sal_rng_seed(&rng, 1);
  const struct figure bare = measure_figure(&b, work_doors_s, &rng);
  const struct figure searched = measure_figure(&b, work_search, &rng);
  print_row(&b, "doors-s", "bare_decisions", bare, "1/s");
  print_row(&b, "doors-s", "simulations", searched, "1/s");
  print_row(&b, "doors-s", "simulations_to_bare",
            exactly(searched.best / bare.best), "ratio");
  int status = DONE;
  for (size_t i = 0; sal_games[i] && status == DONE; i++)
    if (!only || only == sal_games[i])
      status = bench_game(&b, sal_games[i], bare.best);
  free(old);
  return status;
}

const struct command command_bench = {
    "bench", N_("measure the speed of the engine"),
    N_("[--game GAME] [--json] [--seconds S] [--compare F]"),
    N_("Each row is the best of five runs on one core, and in brackets the slowest,\n"
       "as a share of it.\n"
       "  --game GAME  only this game\n"
       "  --json       one JSON object a line: name, value, low, unit\n"
       "  --seconds S  how long a run takes (0.3)\n"
       "  --compare F  each row as a multiple of the same row in F, a file that\n"
       "               'bench --json' has written\n"
       "\n"
       "'decisions' are random games through the game interface: legal, choose, apply,\n"
       "chance; 'playout_decisions' are the same games by one call each.\n"
       "'apply_legal_view' and 'apply_legal_tensor' make a view or its numbers at each\n"
       "decision. 'table' keeps history, events and fair draws, 'json' writes views,\n"
       "'referee' answers legal and act, without pipes. 'batch' steps 256 games\n"
       "together, 'batch_observed' writes observations and masks as well. 'doors-s' is a\n"
       "simplified Doors: 'bare_decisions' by a bare loop without an interface, the\n"
       "practical limit of the machine, and 'simulations' of the textbook search through\n"
       "the interface. Rows that end in '_to_bare' are ratios to that loop, in\n"
       "'_to_own_bare' to a bare loop of the whole of Doors.\n"),
    run_bench};
