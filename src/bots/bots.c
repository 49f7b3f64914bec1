/* The list of bots, from the weakest to the strongest. */
#include "search.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- By rule of thumb ---------------------------------------------------- */

static void think_random(const struct sal_question *q, struct sal_rng *rng,
                         struct sal_thought *out) {
  memset(out, 0, sizeof *out);
  out->action = q->legal[sal_rng_below(rng, (uint32_t)q->count)];
}

void think_habit(habit_fn *habit, const struct sal_question *q,
                 struct sal_rng *rng, struct sal_thought *out) {
  double *weight = calloc(2 * q->count, sizeof *weight);
  memset(out, 0, sizeof *out);
  out->action = q->legal[0];
  if (!weight)
    return;
  ask_habit(habit, q, weight);
  const size_t chosen = draw_weighted(weight, q->count, rng);
  double sum = 0;
  for (size_t i = 0; i < q->count; i++)
    sum += weight[i];
  for (size_t i = 0; i < q->count; i++)
    weight[q->count + i] = weight[i] / sum;
  report(q, weight + q->count, weight + q->count, out);
  out->action = q->legal[chosen];
  free(weight);
}

static void think_novice(const struct sal_question *q, struct sal_rng *rng,
                         struct sal_thought *out) {
  think_habit(habits_of(q->game)->novice, q, rng, out);
}

static void think_regular(const struct sal_question *q, struct sal_rng *rng,
                          struct sal_thought *out) {
  think_habit(habits_of(q->game)->regular, q, rng, out);
}

/* ---- The list ------------------------------------------------------------ */

/* clang-format off */
static const struct sal_bot
  bot_random = {"random", N_("random"), N_("Does anything that is allowed."), think_random, NULL, false},
  bot_novice = {"novice", N_("novice"), N_("Has simple habits and is now and then wrong."), think_novice, NULL, false},
  bot_regular = {"regular", N_("intermediate"), N_("Plays by sound rules of thumb."), think_regular, NULL, false},
  bot_ismcts = {"ismcts", N_("textbook search"), N_("Searches worlds that fit, as the textbooks do; the yardstick for the expert."), think_ismcts, NULL, true},
  bot_expert = {"expert", N_("expert"), N_("Searches, weighs what the others did, and minds what its own moves give away."), think_expert, NULL, false},
  bot_master = {"master", N_("master"), N_("Plays Doors as it was solved, and mixes as best play does; the expert in other games."), think_master, "doors", false};
/* clang-format on */

const struct sal_bot *const sal_bots[] = {
    &bot_random, &bot_novice, &bot_regular, &bot_ismcts,
    &bot_expert, &bot_master, NULL};

const struct sal_bot *sal_bot_find(const char *id) {
  for (size_t i = 0; sal_bots[i]; i++)
    if (strcmp(sal_bots[i]->id, id) == 0)
      return sal_bots[i];
  return NULL;
}

/* ---- Budgets and reasons ------------------------------------------------- */

static double monotonic(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct sal_budget sal_budget_seconds(double seconds) {
  return (struct sal_budget){.seconds = seconds, .clock = monotonic};
}

struct sal_budget sal_budget_simulations(uint32_t simulations) {
  return (struct sal_budget){.simulations = simulations};
}

/* How often best play does what was done. */
static double often(const struct sal_thought *t) {
  for (size_t i = 0; i < t->count; i++)
    if (t->candidate[i].action == t->action)
      return t->candidate[i].share;
  return 0;
}

void sal_thought_say(const struct sal_question *q, const struct sal_thought *t,
                     const struct sal_words *w, struct sal_text *out) {
  char action[256], other[256];
  struct sal_text text;
  sal_text_init(&text, action, sizeof action);
  q->game->action_say(q->view, t->action, w, &text);
  sal_text_init(&text, other, sizeof other);
  if (t->count > 1)
    q->game->action_say(q->view, t->candidate[1].action, w, &text);
  const struct sal_place places[] = {
      {"action", SAL_PLACE_TEXT, action, 0},
      {"percent", SAL_PLACE_NUMBER, NULL,
       t->count ? (int64_t)(100 * t->candidate[0].value + 0.5) : 0},
      {"often", SAL_PLACE_NUMBER, NULL, (int64_t)(100 * often(t) + 0.5)},
      {"other", SAL_PLACE_TEXT, other, 0},
      {"less", SAL_PLACE_NUMBER, NULL,
       t->count > 1 ? (int64_t)(100 * t->candidate[1].value + 0.5) : 0}};
  if (q->count == 1)
    sal_say(out, w, false, N_("{action}: there is no other choice."), places,
            5);
  else if (t->mixed)
    sal_say(out, w, false,
            /* xgettext:no-c-format */
            N_("{action}: optimal play does this {often} % of the time."),
            places, 5);
  else if (t->simulations == 0)
    sal_say(out, w, false, N_("{action}: a good rule of thumb here."), places,
            5);
  else if (t->count > 1)
    sal_say(out, w, false,
            N_("{action}: estimate {percent} %; next best: {other}, {less} %."),
            places, 5);
  else
    sal_say(out, w, false, N_("{action}: estimate {percent} %."), places, 5);
}
