/* Studies behind docs/review.md: the measure held against many games of bots. */
#include "review_report.h"

#include "arena/arena.h"
#include "salotto/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 20, ASKED = 200, EVERY = 16, DEPTH = 200 };

/* ---- Games of bots ------------------------------------------------------------ */

/* Asked before each decision with a choice. */
typedef void look_fn(const struct sal_question *q, const sal_table *t,
                     struct sal_rng *rng, void *context);

struct desk {
  sal_table *table;
  sal_action *legal;
  struct sal_memory memory;
  union sal_view_box view;
};

static void ask_bot(const struct review_study *s, struct desk *d, int seat,
                    struct sal_rng *rng, look_fn *look, void *context) {
  char text[SAL_ACTION_TEXT_MAX];
  struct sal_text t;
  struct sal_thought thought;
  memset(&d->view, 0, sizeof d->view);
  sal_table_view(d->table, seat, (sal_view *)d->view.bytes);
  sal_table_memory(d->table, seat, &d->memory);
  const struct sal_question q = {
      .game = s->game,
      .players = s->setup.players,
      .seat = seat,
      .view = (const sal_view *)d->view.bytes,
      .legal = d->legal,
      .count = sal_table_legal(d->table, seat, d->legal),
      .memory = &d->memory,
      .budget = sal_budget_simulations(s->simulations)};
  if (look && q.count > 1)
    look(&q, d->table, rng, context);
  s->bot[seat]->think(&q, rng, &thought);
  sal_text_init(&t, text, sizeof text);
  s->game->action_text(thought.action, &t);
  sal_table_act(d->table, seat, text, NULL);
}

/* A game to its end; NULL without memory. */
static sal_table *play_study(const struct review_study *s, long number,
                             look_fn *look, void *context) {
  struct sal_plan plan = {.game = s->game, .setup = s->setup};
  struct sal_rng rng;
  struct desk d = {.legal = calloc(s->game->info.legal_max, sizeof *d.legal)};
  const uint64_t seed = arena_seed((uint64_t)s->seed, (uint64_t)number);
  sal_key_number(seed, &plan.seed);
  sal_rng_seed(&rng, seed);
  if (d.legal)
    d.table = sal_table_new(&plan);
  for (unsigned asked; d.table && (asked = sal_table_to_act(d.table)) != 0;)
    ask_bot(s, &d, __builtin_ctz(asked), &rng, look, context);
  free(d.legal);
  return d.table;
}

/* ---- Calibration ---------------------------------------------------------------- */

/* One position that was asked about. */
struct claim {
  int32_t told;
  int seat;
};

struct bin {
  uint64_t count;
  double told, won;
};

struct calibration {
  const struct review_study *study;
  struct claim claim[ASKED];
  uint32_t met; /* positions of the game so far */
  struct bin bin[BINS];
};

/* One decision in sixteen, whatever comes later: so many of each game would ask
 * more about games that end soon, which are those that the leader wins. */
static void look_at(const struct sal_question *q, const sal_table *t,
                    struct sal_rng *rng, void *context) {
  struct calibration *c = context;
  const uint32_t playouts = c->study->playouts ? c->study->playouts : DEPTH;
  (void)t;
  if (c->met == ASKED || sal_rng_below(rng, EVERY) != 0)
    return;
  c->claim[c->met++] =
      (struct claim){sal_chance_to_win(q, playouts, rng, NULL), q->seat};
}

static void settle_bins(struct calibration *c, const sal_table *t) {
  const unsigned winners = sal_table_winners(t);
  for (uint32_t i = 0; i < c->met; i++) {
    const struct claim *claim = &c->claim[i];
    const int at = (int)((int64_t)claim->told * BINS / SAL_SURE);
    struct bin *b = &c->bin[at < BINS ? at : BINS - 1];
    b->count++;
    b->told += (double)claim->told / SAL_SURE;
    b->won += (double)(winners >> claim->seat & 1) /
              (double)__builtin_popcount(winners);
  }
  c->met = 0;
}

static void print_bins(const struct calibration *c) {
  double worst = 0, sum = 0, all = 0;
  printf("%8s %10s %8s %8s %8s\n", _("bin"), _("positions"), _("estimate"),
         _("won"), "±");
  for (int i = 0; i < BINS; i++) {
    const double n = (double)c->bin[i].count;
    if (n == 0)
      continue;
    const double told = 100 * c->bin[i].told / n;
    const double won = 100 * c->bin[i].won / n;
    const double error = 100 * sqrt(won * (100 - won) / 1e4 / n);
    printf("%3d–%3d %% %9.0f %7.1f%% %7.1f%% %7.1f\n", 100 * i / BINS,
           100 * (i + 1) / BINS, n, told, won, error);
    sum += n * fabs(told - won);
    all += n;
    if (n >= 500 && fabs(told - won) > worst)
      worst = fabs(told - won);
  }
  printf(_("Mean distance %.2f points; the largest in a bin with 500 positions "
           "or more %.2f.\n"),
         all > 0 ? sum / all : 0, worst);
}

/* A line for tools/review-figures, which adds several runs. */
static void print_bins_json(const struct calibration *c) {
  const struct review_study *s = c->study;
  printf("{\"game\":\"%s\",\"players\":%d,\"games\":%ld,\"seed\":%ld,"
         "\"playouts\":%u,\"bins\":[",
         s->game->info.id, s->setup.players, s->games, s->seed,
         s->playouts ? s->playouts : DEPTH);
  for (int i = 0; i < BINS; i++)
    printf("%s[%.0f,%.4f,%.1f]", i ? "," : "", (double)c->bin[i].count,
           c->bin[i].told, c->bin[i].won);
  puts("]}");
}

int review_calibrate(const struct review_study *s) {
  struct calibration c = {.study = s};
  for (long n = 0; n < s->games; n++) {
    sal_table *t = play_study(s, n, look_at, &c);
    if (!t)
      return complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
    settle_bins(&c, t);
    sal_table_free(t);
  }
  if (s->json)
    print_bins_json(&c);
  else
    print_bins(&c);
  return DONE;
}

/* ---- Levels ---------------------------------------------------------------------- */

struct tally {
  double n, sum, squares;
};

static void add_to_tally(struct tally *t, double x) {
  t->n++;
  t->sum += x;
  t->squares += x * x;
}

static double tally_mean(const struct tally *t) {
  return t->n > 0 ? t->sum / t->n : 0;
}

static double error_of(const struct tally *t) {
  const double m = tally_mean(t);
  return t->n > 1 ? sqrt(fabs(t->squares / t->n - m * m) / (t->n - 1)) : 0;
}

struct level_tally {
  struct tally accuracy, lost, luck, hidden, play, result;
};

/* Each with playouts of its own: else all would share one error of the chances at
 * the start, which all games have in common. */
static bool review_into(const struct review_study *s, long number,
                        const sal_table *t, struct level_tally *out) {
  struct sal_review_wish wish = {
      .seed = arena_seed((uint64_t)s->seed, (uint64_t)number),
      .playouts = s->playouts,
      .worlds = (s->playouts + 3) / 4};
  sal_review *r = sal_review_new(t, &wish, NULL);
  if (!r)
    return false;
  while (sal_review_next(r))
    ;
  for (int i = 0; i < s->setup.players; i++) {
    struct sal_review_seat seat;
    sal_review_seat(r, i, &seat);
    add_to_tally(&out[i].accuracy, 1e-4 * seat.accuracy);
    add_to_tally(&out[i].lost, seat.decisions
                                   ? 1e-4 * seat.lost / (double)seat.decisions
                                   : 0);
    add_to_tally(&out[i].luck, 1e-4 * seat.luck);
    add_to_tally(&out[i].hidden, 1e-4 * seat.hidden);
    add_to_tally(&out[i].play, 1e-4 * seat.play);
    add_to_tally(&out[i].result, 1e-4 * sal_review_result(r)[i]);
  }
  sal_review_free(r);
  return true;
}

const struct sal_bot bot_of_hints = {.id = "hint", .think = sal_advise};

int review_levels(const struct review_study *s) {
  struct level_tally seat[SAL_SEATS_MAX] = {0};
  for (long n = 0; n < s->games; n++) {
    sal_table *t = play_study(s, n, NULL, NULL);
    const bool ok = t && review_into(s, n, t, seat);
    sal_table_free(t);
    if (!ok)
      return complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
  }
  printf("%-9s %15s %15s %15s %15s %15s %8s\n", _("level"), _("accuracy"),
         _("lost per move"), _("luck"), _("hidden cards"), _("own play"),
         _("wins"));
  for (int i = 0; i < s->setup.players; i++) {
    const struct level_tally *l = &seat[i];
    printf("%-9s %7.2f ± %4.2f  %6.2f ± %5.2f %7.2f ± %4.2f  %7.2f ± %4.2f "
           " %7.2f ± %4.2f %7.1f\n",
           s->bot[i]->id, tally_mean(&l->accuracy), error_of(&l->accuracy),
           tally_mean(&l->lost), error_of(&l->lost), tally_mean(&l->luck),
           error_of(&l->luck), tally_mean(&l->hidden), error_of(&l->hidden),
           tally_mean(&l->play), error_of(&l->play), tally_mean(&l->result));
  }
  return DONE;
}

/* ---- Hints ------------------------------------------------------------------- */

enum { WORLDS_OF_HINTS = 32 };

struct hint_tally {
  long wanted, asked, mixed, wrong;
};

/* The number before a part of a sentence, where it stands last; -1: none. */
static long number_before(const char *text, const char *part) {
  const char *at = NULL;
  for (const char *s = strstr(text, part); s; s = strstr(s + 1, part))
    at = s;
  const char *end = at;
  while (at && at > text && at[-1] >= '0' && at[-1] <= '9')
    at--;
  return at && at < end ? strtol(at, NULL, 10) : -1;
}

/* Whether the two numbers of a reason speak for the action that is named. */
static bool speaks_for(const char *text, const struct sal_thought *t) {
  if (t->reason == SAL_REASON_TELLS)
    return number_before(text, " of 10 cases; after ") <
           number_before(text, ".");
  if (t->mixed)
    return true; /* how often best play does it is the reason */
  if (t->reason == SAL_REASON_NONE)
    return strstr(text, " It is hardly better than the next best.") != NULL;
  if (t->reason == SAL_REASON_GAINS)
    return number_before(text, " % on average, ") > number_before(text, " %.");
  const long of10 = number_before(text, " of 10 cases that fit ");
  const long of100 = number_before(text, " of 100 cases that fit ");
  const long better = of10 >= 0 ? of10 : of100;
  const long worse = number_before(text, ".");
  return better > worse && better + worse <= (of10 >= 0 ? 10 : 100);
}

/* Whether the numbers of a sentence are those of the thought, and none told is
 * higher than the one of the action that is named. */
static bool agrees(const struct sal_question *q, const struct sal_thought *t) {
  char text[2000], action[256], number[32];
  struct sal_text out;
  sal_text_init(&out, text, sizeof text);
  sal_advice_say(q, t, &sal_words_plain, &out);
  sal_text_init(&out, action, sizeof action);
  q->game->action_say(q->view, t->action, &sal_words_plain, &out);
  snprintf(number, sizeof number, ": estimate %d %%",
           (int)(100 * t->candidate[0].value + 0.5));
  bool ok = t->count > 1 && t->action == t->candidate[0].action &&
            strncmp(text, action, strlen(action)) == 0 &&
            strncmp(text + strlen(action), number, strlen(number)) == 0;
  for (size_t i = 1; i < t->count; i++)
    ok &= t->candidate[i].value <= t->candidate[0].value &&
          (!t->mixed || t->candidate[i].value < t->candidate[0].value ||
           t->candidate[i].share <= t->candidate[0].share);
  return ok && speaks_for(text, t);
}

static void look_for_hint(const struct sal_question *q, const sal_table *t,
                          struct sal_rng *rng, void *context) {
  struct hint_tally *n = context;
  struct sal_question asked = *q;
  struct sal_thought thought;
  (void)t;
  if (n->asked == n->wanted)
    return;
  asked.budget = sal_budget_simulations(WORLDS_OF_HINTS);
  sal_advise(&asked, rng, &thought);
  n->asked++;
  n->mixed += thought.mixed;
  n->wrong += !agrees(&asked, &thought);
}

int review_hints(const struct review_study *s) {
  struct hint_tally n = {.wanted = s->games};
  for (long number = 0; n.asked < n.wanted; number++) {
    sal_table *t = play_study(s, number, look_for_hint, &n);
    if (!t)
      return complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
    sal_table_free(t);
  }
  printf(_("%ld hints, %ld of them from the master; %ld contradict "
           "themselves.\n"),
         n.asked, n.mixed, n.wrong);
  return n.wrong ? FAILED : DONE;
}
