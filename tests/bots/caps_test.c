/* Every bot answers, legally and within its budget, in many positions of a
 * game. No clock of the machine is asked: a clock that moves on by itself each
 * time somebody looks shows how often a bot looked, and so how far it can run
 * past its time.
 *
 *   caps_test GAME */
#include "salotto/salotto.h"

#include "../tap.h"
#include "../teach.h"

#include <stdlib.h>
#include <string.h>

enum {
  POSITIONS = 10000, /* for each bot of each game */
  REMEMBERED = 16,   /* in one of so many the bot is told what it remembers */
  STAGES = 3,        /* of thought, each of which finds out that time is up */
  BETWEEN_LOOKS = 16 /* simulations that a bot may do without looking */
};

static int looks;

/* Each look takes a millisecond. */
static double ticking(void) { return 1e-3 * looks++; }

struct walk {
  const struct sal_game *g;
  struct sal_setup setup;
  union sal_state_box state;
  sal_action *legal;
  struct sal_memory memory[SAL_SEATS_MAX];
  struct sal_rng rng;
};

static sal_state *state_of(struct walk *w) {
  return (sal_state *)w->state.bytes;
}

static void step(struct walk *w, int seat, sal_action a) {
  const unsigned hidden = sal_memory_apply(w->g, state_of(w), seat, a);
  for (int i = 0; i < w->setup.players; i++)
    sal_memory_note(&w->memory[i], w->g, i, state_of(w), seat, a,
                    hidden >> i & 1);
}

/* Plays chance; starts a new game when one is over. Returns who is asked. */
static int go_on(struct walk *w) {
  unsigned asked;
  while ((asked = w->g->to_act(state_of(w))) == SAL_CHANCE_BIT || !asked) {
    if (!asked) {
      memset(&w->state, 0, sizeof w->state);
      w->g->init(state_of(w), &w->setup);
      for (int i = 0; i < SAL_SEATS_MAX; i++)
        sal_memory_clear(&w->memory[i]);
      continue;
    }
    struct sal_chance c;
    w->g->chance(state_of(w), &c);
    step(w, SAL_CHANCE, sal_chance_draw(&c, &w->rng));
  }
  return __builtin_ctz(asked);
}

static bool listed(const struct walk *w, size_t count, sal_action a) {
  for (size_t i = 0; i < count; i++)
    if (w->legal[i] == a)
      return true;
  return false;
}

/* NULL, or what is wrong with the answer. */
static const char *ask(struct walk *w, const struct sal_bot *bot, int seat,
                       size_t count, int number) {
  union sal_view_box view;
  struct sal_thought t;
  const bool timed = number % 2;
  const int ticks = 1 + number / 2 % 3;
  memset(&view, 0, sizeof view);
  w->g->view(state_of(w), seat, (sal_view *)view.bytes);
  const struct sal_question q = {
      .game = w->g,
      .players = w->setup.players,
      .seat = seat,
      .view = (const sal_view *)view.bytes,
      .legal = w->legal,
      .count = count,
      .memory = number % REMEMBERED < 2 ? &w->memory[seat] : NULL,
      .budget =
          timed ? (struct sal_budget){.seconds = 1e-3 * ticks, .clock = ticking}
                : sal_budget_simulations(1)};
  looks = 0;
  bot->think(&q, &w->rng, &t);
  if (!listed(w, count, t.action))
    return "answered an illegal action";
  if (timed && looks > ticks + STAGES)
    return "went on after its time was up";
  if (timed && t.simulations > (uint64_t)looks * BETWEEN_LOOKS)
    return "looks at the clock too seldom";
  if (!timed && t.simulations > 1)
    return "did more simulations than it was given";
  return NULL;
}

static const char *run(struct walk *w, const struct sal_bot *bot,
                       int positions) {
  const char *problem = NULL;
  sal_rng_seed(&w->rng, (uint64_t)w->setup.players);
  memset(&w->state, 0, sizeof w->state);
  w->g->init(state_of(w), &w->setup);
  for (int i = 0; i < SAL_SEATS_MAX; i++)
    sal_memory_clear(&w->memory[i]);
  for (int n = 0; n < positions && !problem; n++) {
    const int seat = go_on(w);
    const size_t count = w->g->legal(state_of(w), seat, w->legal);
    problem = ask(w, bot, seat, count, n);
    step(w, seat, w->legal[sal_rng_below(&w->rng, (uint32_t)count)]);
  }
  return problem;
}

/* The positions of a game are shared out over its numbers of players. */
static void check(const struct sal_game *g, const struct sal_bot *bot) {
  static struct walk w;
  char name[128];
  const char *problem = NULL;
  const int ways = g->info.players_max - g->info.players_min + 1;
  w.g = g;
  w.legal = calloc(g->info.legal_max, sizeof *w.legal);
  for (int players = g->info.players_min;
       w.legal && players <= g->info.players_max && !problem; players++) {
    sal_setup_default(g, players, &w.setup);
    problem = run(&w, bot, (POSITIONS + ways - 1) / ways);
  }
  if (!w.legal)
    problem = "had no memory";
  free(w.legal);
  if (problem)
    tap_note("the bot %s", problem);
  snprintf(name, sizeof name, "%s: %s answers within its cap in %d positions",
           g->info.id, bot->id, POSITIONS);
  tap_ok(problem == NULL, name);
}

int main(int argc, char **argv) {
  const struct sal_game *g = argc == 2 ? sal_game_find(argv[1]) : NULL;
  if (!g) {
    fprintf(stderr, "usage: caps_test GAME\n");
    return 2;
  }
  sal_master_teach(shipped_policy());
  sal_master_teach_favor(shipped_favor());
  sal_master_teach_traps(shipped_traps());
  for (size_t b = 0; sal_bots[b]; b++)
    check(g, sal_bots[b]);
  sal_master_teach(NULL);
  sal_master_teach_favor(NULL);
  sal_master_teach_traps(NULL);
  return tap_done();
}
