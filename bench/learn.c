/* What one seat can learn about the others: cross-entropy search for the
 * learner's picture of a level (src/arena/opponents.h), by games that it plays
 * alone among them. All candidates of a generation meet the same deals, each
 * generation others. The last mean is what was learnt; how good it is, other
 * seeds must tell. */
#include "arena.h"
#include "figures.h"
#include "opponents.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CANDIDATES = 6, ELITE = 2 };

typedef double numbers[PICTURE_NUMBERS];

static struct picture picture_from(const double *x) {
  return (struct picture){.faith = fmin(fmax(x[0], 0), 0.98),
                          .sharp = fmin(fmax(x[1], 0.1), 4),
                          .risk = x[2],
                          .deceit = x[3],
                          .spending = x[4]};
}

static double normal(struct sal_rng *rng) {
  double sum = -6;
  for (int i = 0; i < 12; i++)
    sum += (double)(sal_rng_next(rng) >> 11) * 0x1p-53;
  return sum;
}

/* The part of the games that the learner wins with this picture. */
static double wins(const struct arena_plan *plan, const struct picture *p) {
  static struct figures figures;
  struct arena_game *games =
      calloc(plan->deals * arena_games_per_deal(plan), sizeof *games);
  learner_try(p);
  if (!games || arena_run(plan, games) != ARENA_DONE ||
      !figures_take(plan, games, &figures)) {
    fputs("learn: memory or a thread is short.\n", stderr);
    exit(1);
  }
  free(games);
  return figures.bot[0].wins.mean;
}

/* The numbers of those that won most come first. */
static void rank(numbers *x, double *won, int count) {
  for (int i = 1; i < count; i++)
    for (int k = i; k > 0 && won[k - 1] < won[k]; k--) {
      numbers other;
      const double w = won[k];
      memcpy(other, x[k], sizeof other);
      memcpy(x[k], x[k - 1], sizeof other);
      memcpy(x[k - 1], other, sizeof other);
      won[k] = won[k - 1];
      won[k - 1] = w;
    }
}

/* The mean and the spread of the elite, the latter half from before: few games
 * say little. */
static void follow(numbers *x, double *mean, double *spread) {
  for (int n = 0; n < PICTURE_NUMBERS; n++) {
    double sum = 0, squares = 0;
    for (int i = 0; i < ELITE; i++)
      sum += x[i][n] / ELITE;
    for (int i = 0; i < ELITE; i++)
      squares += (x[i][n] - sum) * (x[i][n] - sum) / ELITE;
    mean[n] = sum;
    spread[n] = 0.5 * spread[n] + 0.5 * sqrt(squares);
  }
}

static void learn(struct arena_plan *plan, int generations, uint64_t seed) {
  numbers mean = {0.5, 1, 0, 0, 0}, spread = {0.3, 0.4, 0.7, 0.7, 0.7};
  struct sal_rng rng;
  sal_rng_seed(&rng, seed);
  for (int g = 0; g < generations; g++) {
    numbers x[CANDIDATES];
    double won[CANDIDATES], all = 0;
    plan->seed = arena_seed(seed, (uint64_t)g);
    for (int i = 0; i < CANDIDATES; i++) {
      for (int n = 0; n < PICTURE_NUMBERS; n++)
        x[i][n] = mean[n] + (i == 0 ? 0 : spread[n] * normal(&rng));
      const struct picture p = picture_from(x[i]);
      all += won[i] = wins(plan, &p);
    }
    rank(x, won, CANDIDATES);
    follow(x, mean, spread);
    fprintf(stderr, "generation %d: %.1f %% on average, %.1f %% at best\n",
            g + 1, 100 * all / CANDIDATES, 100 * won[0]);
  }
  const struct picture p = picture_from(mean);
  printf("{\"%s\", %d, \"%s\", {%.2f, %.2f, %.2f, %.2f, %.2f}},\n",
         plan->game->info.id, plan->setup.players, plan->bot[1].inside->id,
         p.faith, p.sharp, p.risk, p.deceit, p.spending);
}

int main(int argc, char **argv) {
  struct arena_plan plan = {.threads = argc > 9 ? atoi(argv[9]) : 1};
  const int players = argc > 2 ? atoi(argv[2]) : 0;
  plan.game = argc > 1 ? sal_game_find(argv[1]) : NULL;
  const struct sal_bot *level = argc > 3 ? sal_bot_find(argv[3]) : NULL;
  if (argc < 9 || argc > 10 || plan.threads < 1 || !plan.game || !level ||
      players > plan.game->info.players_max ||
      !opponent_plays(opponent_find("learner"), plan.game, players)) {
    fputs("usage: learn GAME PLAYERS LEVEL SIMULATIONS "
          "SIMULATIONS-OF-THE-LEARNER DEALS GENERATIONS SEED [THREADS]\n",
          stderr);
    return 2;
  }
  sal_setup_default(plan.game, players, &plan.setup);
  plan.bots = players;
  for (int i = 0; i < players; i++)
    plan.bot[i] = (struct arena_bot){
        .name = level->id,
        .inside = level,
        .budget = sal_budget_simulations((uint32_t)atoi(argv[4]))};
  plan.bot[0].name = "learner";
  plan.bot[0].inside = opponent_find("learner");
  plan.bot[0].budget = sal_budget_simulations((uint32_t)atoi(argv[5]));
  plan.deals = strtoull(argv[6], NULL, 10);
  reader_study(level, &plan.bot[1].budget);
  learn(&plan, atoi(argv[7]), strtoull(argv[8], NULL, 10));
  return 0;
}
