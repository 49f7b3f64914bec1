/* The list of bots, from the weakest to the strongest. */
#include "rollout.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- From a policy to an answer ---------------------------------------- */

/* Whether `a` is to be told before `b`: the better first, or the likelier. */
static bool comes_first(const struct sal_policy *o, size_t a, size_t b) {
  const double *one = o->valued ? o->value : o->chance;
  const double *two = o->valued ? o->chance : o->value;
  return one[a] > one[b] || (one[a] == one[b] && two[a] > two[b]);
}

/* The candidates, the best first; what was not looked at is left out. */
static void report_candidates(const struct sal_question *q,
                              const struct sal_policy *o,
                              struct sal_thought *out) {
  size_t number[SAL_CANDIDATES + 1];
  for (size_t i = 0; i < q->count; i++) {
    size_t at = out->count;
    if (o->valued && o->value[i] < 0)
      continue;
    for (; at > 0 && comes_first(o, i, number[at - 1]); at--)
      number[at] = number[at - 1];
    number[at] = i;
    out->count += out->count < SAL_CANDIDATES;
  }
  for (size_t i = 0; i < out->count; i++)
    out->candidate[i] = (struct sal_candidate){
        q->legal[number[i]], o->value[number[i]], o->chance[number[i]]};
}

void think_by(policy_fn *policy, const struct sal_question *q,
              struct sal_rng *rng, struct sal_thought *out) {
  double *room = calloc(2 * q->count, sizeof *room);
  struct sal_policy o = {.value = room,
                         .chance = room ? room + q->count : NULL};
  memset(out, 0, sizeof *out);
  out->action = q->legal[0];
  if (!room)
    return;
  policy(q, rng, &o);
  report_candidates(q, &o, out);
  out->simulations = o.simulations;
  out->mixed = o.mixed;
  out->action = q->advice ? out->candidate[0].action
                          : q->legal[draw_weighted(o.chance, q->count, rng)];
  free(room);
}

/* ---- By rule of thumb ---------------------------------------------------- */

void policy_heuristic(heuristic_fn *heuristic, const struct sal_question *q,
                      struct sal_policy *out) {
  double sum = 0;
  heuristic(q, out->chance);
  for (size_t i = 0; i < q->count; i++)
    sum += out->chance[i];
  for (size_t i = 0; i < q->count; i++)
    out->value[i] = out->chance[i] /= sum;
}

static void policy_random(const struct sal_question *q, struct sal_rng *rng,
                          struct sal_policy *out) {
  (void)rng;
  for (size_t i = 0; i < q->count; i++)
    out->value[i] = out->chance[i] = 1.0 / (double)q->count;
}

/* For a game without heuristics: the expert's search, cut short after so many
 * playouts of an action. */
static void policy_shallow(const struct sal_question *q, uint32_t playouts,
                           struct sal_rng *rng, struct sal_policy *out) {
  struct sal_question asked = *q;
  uint32_t *most = &asked.budget.simulations;
  const uint32_t actions = (uint32_t)(q->count < BREADTH ? q->count : BREADTH);
  if (*most == 0 || *most > playouts * actions)
    *most = playouts * actions;
  policy_expert(&asked, rng, out);
}

enum { NOVICE_PLAYOUTS = 8, REGULAR_PLAYOUTS = 50 };
/* So often the novice does anything at all in a game without heuristics. */
static const double novice_errs = 0.4;

static void policy_novice(const struct sal_question *q, struct sal_rng *rng,
                          struct sal_policy *out) {
  const struct heuristics *h = heuristics_of(q->game);
  const double errs = h->game ? h->errs : novice_errs;
  if (h->game)
    policy_heuristic(h->novice, q, out);
  else
    policy_shallow(q, NOVICE_PLAYOUTS, rng, out);
  temper_policy(q, out);
  for (size_t i = 0; i < q->count; i++)
    out->chance[i] = (1 - errs) * out->chance[i] + errs / (double)q->count;
}

static void policy_regular(const struct sal_question *q, struct sal_rng *rng,
                           struct sal_policy *out) {
  const struct heuristics *h = heuristics_of(q->game);
  if (h->game)
    policy_heuristic(h->regular, q, out);
  else
    policy_shallow(q, REGULAR_PLAYOUTS, rng, out);
  temper_policy(q, out);
}

static void policy_tempered(const struct sal_question *q, struct sal_rng *rng,
                            struct sal_policy *out) {
  policy_expert(q, rng, out);
  temper_policy(q, out);
}

/* ---- The list ------------------------------------------------------------ */

#define THINKS(level)                                                          \
  static void think_##level(const struct sal_question *q, struct sal_rng *rng, \
                            struct sal_thought *out) {                         \
    think_by(policy_##level, q, rng, out);                                     \
  }
THINKS(random)
THINKS(novice)
THINKS(regular)
THINKS(ismcts)
THINKS(tempered)
THINKS(master)

/* Nobody meets the same person twice at a table. Who does anything at all has
 * no temper, and neither has who plays as well as can be. */
static const struct sal_bot_person
    random_people[] = {{"Zefiro"},   {"Girella"}, {"Folletto"},
                       {"Trottola"}, {"Dado"},    {"Coriandola"}},
    novice_people[] = {{"Tonino", SAL_CAUTIOUS}, {"Lilla", SAL_BLUFFER},
                       {"Beppe", SAL_MISER},     {"Nina", SAL_DARING},
                       {"Mimmo", SAL_EVEN},      {"Rosetta", SAL_BLUFFER}},
    regular_people[] = {{"Elvira", SAL_BLUFFER},  {"Oreste", SAL_CAUTIOUS},
                        {"Carlotta", SAL_DARING}, {"Ettore", SAL_MISER},
                        {"Adele", SAL_EVEN},      {"Gustavo", SAL_CAUTIOUS}},
    expert_people[] = {{"Leonora", SAL_EVEN},   {"Amedeo", SAL_BLUFFER},
                       {"Ginevra", SAL_MISER},  {"Corrado", SAL_CAUTIOUS},
                       {"Ottavia", SAL_DARING}, {"Rinaldo", SAL_BLUFFER}},
    master_people[] = {{"Sibilla"},  {"Archimede"}, {"Minerva"},
                       {"Salomone"}, {"Urania"},    {"Merlino"}};

/* clang-format off */
static const struct sal_bot
  bot_random = {"random", N_("random"), N_("Plays any legal move."), think_random, policy_random, NULL, 0, false, random_people},
  bot_novice = {"novice", N_("novice"), N_("Has simple habits and sometimes goes wrong."), think_novice, policy_novice, NULL, 0, false, novice_people},
  bot_regular = {"regular", N_("intermediate"), N_("Plays by sound rules of thumb."), think_regular, policy_regular, NULL, 0, false, regular_people},
  bot_ismcts = {"ismcts", N_("textbook search"), N_("Textbook search over the possible worlds; the yardstick for the expert."), think_ismcts, policy_ismcts, NULL, 0, true, NULL},
  bot_expert = {"expert", N_("expert"), N_("Searches, weighs what the others did, and is careful about what its own moves give away."), think_tempered, policy_tempered, NULL, 0, false, expert_people},
  bot_master = {"master", N_("master"), N_("Plays Doors, and Favor and Traps for two, by computed strategies, mixing its moves as optimal play does; in other games it plays like the expert."), think_master, policy_master, "doors favor traps", 2, false, master_people};
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

/* ---- Budgets ------------------------------------------------------------- */

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
