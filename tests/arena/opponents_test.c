/* The opponents of the gauntlet, and our own bots beside them: they answer
 * legally within their budget, the same seed gives the same answer, and none sees
 * a hidden card (twin worlds). What they answer has a signature, as games have
 * (docs/testing.md): whoever changes how a bot plays knows it. */
#include "opponents.h"

#include "salotto/memory.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { STEPS = 160, SIMULATIONS = 24 };

struct walk {
  const struct sal_game *g;
  struct sal_setup setup;
  union sal_state_box state;
  struct sal_memory memory[SAL_SEATS_MAX];
  struct sal_rng rng;
  sal_action *legal;
  double *room;
  uint64_t signature; /* of all answers so far */
};

static sal_state *now(struct walk *w) { return (sal_state *)w->state.bytes; }

static void begin(struct walk *w) {
  memset(&w->state, 0, sizeof w->state);
  w->g->init(now(w), &w->setup);
  for (int i = 0; i < SAL_SEATS_MAX; i++)
    sal_memory_clear(&w->memory[i]);
}

static void step(struct walk *w, int seat, sal_action a) {
  const unsigned hidden = sal_memory_apply(w->g, now(w), seat, a);
  for (int i = 0; i < w->setup.players; i++)
    sal_memory_note(&w->memory[i], w->g, i, now(w), seat, a, hidden >> i & 1);
}

static int go_on(struct walk *w) {
  unsigned asked;
  while ((asked = w->g->to_act(now(w))) == SAL_CHANCE_BIT || !asked) {
    struct sal_chance c;
    if (!asked) {
      begin(w);
      continue;
    }
    w->g->chance(now(w), &c);
    step(w, SAL_CHANCE, sal_chance_draw(&c, &w->rng));
  }
  return __builtin_ctz(asked);
}

/* The chances of a bot at a seat of a world, with luck of its own. */
static size_t ask(struct walk *w, const struct sal_bot *bot,
                  const sal_state *world, int seat, double *chance) {
  union sal_view_box seen;
  struct sal_rng luck;
  memset(&seen, 0, sizeof seen);
  w->g->view(world, seat, (sal_view *)seen.bytes);
  const struct sal_question q = {.game = w->g,
                                 .players = w->setup.players,
                                 .seat = seat,
                                 .view = (const sal_view *)seen.bytes,
                                 .legal = w->legal,
                                 .count = w->g->legal(world, seat, w->legal),
                                 .memory = &w->memory[seat],
                                 .budget = sal_budget_simulations(SIMULATIONS)};
  struct sal_policy p = {.chance = chance,
                         .value = w->room + 2 * w->g->info.legal_max};
  double sum = 0;
  sal_rng_seed(&luck, 3);
  bot->policy(&q, &luck, &p);
  assert_true(p.simulations <= SIMULATIONS);
  for (size_t i = 0; i < q.count; i++) {
    assert_true(chance[i] >= 0);
    sum += chance[i];
  }
  assert_true(fabs(sum - 1) < 1e-9);
  return q.count;
}

/* In fiftieths: how a machine rounds does not matter. */
static void sign(struct walk *w, const double *chance, size_t count) {
  for (size_t i = 0; i < count; i++) {
    w->signature ^= (uint64_t)lround(50 * chance[i]);
    w->signature *= UINT64_C(0x100000001b3);
  }
}

static void check(struct walk *w, const struct sal_bot *bot) {
  double *mine = w->room, *twins = w->room + w->g->info.legal_max;
  sal_rng_seed(&w->rng, 8);
  begin(w);
  for (int n = 0; n < STEPS; n++) {
    const int seat = go_on(w);
    if (n % 4 == 0) {
      union sal_state_box twin;
      union sal_view_box seen;
      memset(&twin, 0, sizeof twin);
      memset(&seen, 0, sizeof seen);
      w->g->view(now(w), seat, (sal_view *)seen.bytes);
      w->g->resample((const sal_view *)seen.bytes, &w->rng,
                     (sal_state *)twin.bytes);
      const size_t count = ask(w, bot, now(w), seat, mine);
      assert_int_equal(ask(w, bot, (sal_state *)twin.bytes, seat, twins),
                       count);
      assert_memory_equal(mine, twins, count * sizeof *mine);
      sign(w, mine, count);
    }
    const size_t count = w->g->legal(now(w), seat, w->legal);
    step(w, seat, w->legal[sal_rng_below(&w->rng, (uint32_t)count)]);
  }
}

static void check_in(struct walk *w, const struct sal_game *g,
                     const struct sal_bot *bot) {
  const int most = g->info.players_max, least = g->info.players_min;
  w->g = g;
  w->legal = calloc(g->info.legal_max, sizeof *w->legal);
  w->room = calloc(3 * g->info.legal_max, sizeof *w->room);
  assert_true(w->legal && w->room);
  for (int players = least; players <= most; players += most - least) {
    sal_setup_default(g, players, &w->setup);
    if (opponent_plays(bot, g, players))
      check(w, bot);
    if (most == least)
      break;
  }
  free(w->legal);
  free(w->room);
}

/* After a change that is meant to change how a bot plays, put in what the test
 * prints, and say in the commit why it plays differently. */
static const struct signature {
  const char *bot;
  uint64_t of;
} signatures[] = {
    {"flat", 0x4eed9ed21314e10f},    {"tree", 0xae2aad7797eb0764},
    {"rollout", 0x7b4f7df128221646}, {"reader", 0xb39240348fd8dda5},
    {"learner", 0x0de6748e3529aca7}, {"shy", 0x8194380564c324e3},
    {"honest", 0x0bbc88f7a84bc8e3},  {"bluffer", 0x178be35ff4f1135f},
    {"shader", 0x5c0fdf19b1517159},  {"denier", 0xe008b3e083553151},
    {"rusher", 0x67ed60df7ab0d54f},  {"flooder", 0xffb5c02944177835},
    {"random", 0xadb03aac0fbb5872},  {"novice", 0x476a82fd03f610fd},
    {"regular", 0x61463d7a2e127485}, {"ismcts", 0xbcebd83031c86467},
    {"expert", 0x848fb8bcb40b2d97},  {"master", 0x71612a2e28076e8a},
};

static bool is_signed(const struct sal_bot *bot, uint64_t signature) {
  for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++)
    if (strcmp(signatures[i].bot, bot->id) == 0 &&
        signatures[i].of == signature)
      return true;
  print_message("# plays differently now: {\"%s\", 0x%016" PRIx64 "},\n",
                bot->id, signature);
  return false;
}

/* Whether all of them play as their signatures say. */
static bool check_all(const struct sal_bot *const *bots) {
  static struct walk w;
  bool known = true;
  for (size_t b = 0; bots[b]; b++) {
    w.signature = UINT64_C(0xcbf29ce484222325);
    for (size_t k = 0; sal_games[k]; k++)
      check_in(&w, sal_games[k], bots[b]);
    known &= is_signed(bots[b], w.signature);
  }
  return known;
}

static void test_opponents(void **state) {
  (void)state;
  const struct sal_budget none = {0};
  reader_study(sal_bot_find("regular"), &none);
  assert_true(check_all(arena_opponents));
}

static void test_bots(void **state) {
  (void)state;
  assert_true(check_all(sal_bots));
}

/* The one with a name of its own keeps to its idea. */
static void test_shy_never_guesses(void **state) {
  (void)state;
  static struct walk w;
  const struct sal_bot *shy = opponent_find("shy");
  size_t guesses = 0;
  w.g = sal_game_find("doors");
  w.legal = calloc(w.g->info.legal_max, sizeof *w.legal);
  w.room = calloc(3 * w.g->info.legal_max, sizeof *w.room);
  assert_true(shy && w.legal && w.room);
  sal_setup_default(w.g, 2, &w.setup);
  sal_rng_seed(&w.rng, 2);
  begin(&w);
  for (int n = 0; n < 400; n++) {
    const int seat = go_on(&w);
    const size_t count = ask(&w, shy, now(&w), seat, w.room);
    for (size_t i = 0; i < count; i++) {
      char text[SAL_ACTION_TEXT_MAX];
      struct sal_text t;
      sal_text_init(&t, text, sizeof text);
      w.g->action_text(w.legal[i], &t);
      if (sal_skip(text, "guess ")) {
        assert_true(w.room[i] == 0);
        guesses++;
      }
    }
    step(&w, seat, w.legal[sal_rng_below(&w.rng, (uint32_t)count)]);
  }
  assert_true(guesses > 100);
  free(w.legal);
  free(w.room);
}

/* The number of an action, drawn by the chances that were asked last. */
static size_t draw(struct walk *w, size_t count) {
  double x = (double)(sal_rng_next(&w->rng) >> 11) * 0x1p-53;
  for (size_t i = 0; i + 1 < count; i++)
    if ((x -= w->room[i]) < 0)
      return i;
  return count - 1;
}

static bool reads(struct walk *w, sal_action a, const char *beginning) {
  char text[SAL_ACTION_TEXT_MAX];
  struct sal_text t;
  sal_text_init(&t, text, sizeof text);
  w->g->action_text(a, &t);
  return sal_skip(text, beginning) != NULL;
}

/* Whether this guess brings its seat something. */
static bool is_right(struct walk *w, int seat, sal_action guess) {
  union sal_state_box then = w->state;
  int32_t before[SAL_SEATS_MAX], after[SAL_SEATS_MAX];
  w->g->scores(now(w), before);
  sal_memory_apply(w->g, (sal_state *)then.bytes, seat, guess);
  w->g->scores((sal_state *)then.bytes, after);
  return after[seat] > before[seat];
}

/* The reader's chances of right guesses in the rounds of a Collector who takes
 * what fits, summed up, if it takes the other for this bot. It does not guess,
 * so that every round goes on to its end. */
static double right_guesses(struct walk *w, const char *believed) {
  const struct sal_bot *honest = opponent_find("honest"),
                       *reader = opponent_find("reader");
  const struct sal_budget none = {0};
  double right = 0;
  reader_study(opponent_find(believed), &none);
  sal_rng_seed(&w->rng, 5);
  begin(w);
  for (int n = 0; n < 200; n++) {
    const int seat = go_on(w);
    const size_t count = ask(w, honest, now(w), seat, w->room);
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
      best = w->room[i] > w->room[best] ? i : best;
    if (reads(w, w->legal[0], "guess") || reads(w, w->legal[0], "end")) {
      ask(w, reader, now(w), seat, w->room);
      for (size_t i = 0; i < count; i++) {
        if (reads(w, w->legal[i], "end"))
          best = i;
        else if (is_right(w, seat, w->legal[i]))
          right += w->room[i];
      }
    }
    step(w, seat, w->legal[best]);
  }
  return right;
}

/* Who knows that the other takes what fits guesses better than who thinks that
 * the same cards are a bluff. */
static void test_reader_reads(void **state) {
  (void)state;
  static struct walk w;
  w.g = sal_game_find("doors");
  w.legal = calloc(w.g->info.legal_max, sizeof *w.legal);
  w.room = calloc(3 * w.g->info.legal_max, sizeof *w.room);
  assert_true(w.legal && w.room);
  sal_setup_default(w.g, 2, &w.setup);
  const double known = right_guesses(&w, "honest"),
               mistaken = right_guesses(&w, "bluffer");
  print_message("# right guesses: %.1f where it knows, %.1f where it errs\n",
                known, mistaken);
  assert_true(known > 1.3 * mistaken);
  free(w.legal);
  free(w.room);
}

/* How a bot takes the others: for a bot, by a picture or none. */
struct taking {
  const char *for_bot;
  const struct picture *picture;
};

static void take(const struct taking *t) {
  const struct sal_budget none = {0};
  reader_study(opponent_find(t->for_bot), &none);
  learner_try(t->picture);
}

/* How many questions of a game of regulars a bot answers otherwise when it takes
 * the others in the second way instead of the first. */
static int answers_that_differ(const char *game, int players, const char *id,
                               struct taking one, struct taking two) {
  static struct walk w;
  const struct sal_bot *bot = opponent_find(id),
                       *regular = sal_bot_find("regular");
  int differ = 0;
  w.g = sal_game_find(game);
  w.legal = calloc(w.g->info.legal_max, sizeof *w.legal);
  w.room = calloc(3 * w.g->info.legal_max, sizeof *w.room);
  assert_true(bot && w.legal && w.room);
  double *others = w.room + w.g->info.legal_max;
  sal_setup_default(w.g, players, &w.setup);
  sal_rng_seed(&w.rng, 4);
  begin(&w);
  for (int n = 0; n < STEPS / 2; n++) {
    const int seat = go_on(&w);
    take(&one);
    const size_t count = ask(&w, bot, now(&w), seat, w.room);
    take(&two);
    ask(&w, bot, now(&w), seat, others);
    differ += memcmp(w.room, others, count * sizeof *w.room) != 0;
    ask(&w, regular, now(&w), seat, w.room);
    step(&w, seat, w.legal[draw(&w, count)]);
  }
  learner_try(NULL);
  print_message("# %s, %s: %d of %d answers differ\n", game, id, differ,
                STEPS / 2);
  free(w.legal);
  free(w.room);
  return differ;
}

/* Hands of Louis XIV cannot be counted: those that fit are drawn and weighed. */
static void test_reader_weighs_hands(void **state) {
  (void)state;
  assert_true(answers_that_differ("louis", 2, "reader",
                                  (struct taking){"regular", NULL},
                                  (struct taking){"flooder", NULL}) > 0);
}

/* It tells novices from regulars, and goes by a picture that is tried. */
static void test_learner_knows(void **state) {
  (void)state;
  const struct picture wild = {.faith = 0.9, .sharp = 0.5, .risk = 2};
  const struct taking regular = {"regular", NULL};
  assert_true(answers_that_differ("traps", 3, "learner", regular,
                                  (struct taking){"novice", NULL}) > 0);
  assert_true(answers_that_differ("traps", 3, "learner", regular,
                                  (struct taking){"regular", &wild}) > 0);
  assert_int_equal(answers_that_differ("traps", 3, "learner", regular, regular),
                   0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      {"opponents: chances, budgets, seeds, and no hidden card", test_opponents,
       NULL, NULL, NULL},
      {"bots: the same", test_bots, NULL, NULL, NULL},
      {"opponents: the shy one never guesses", test_shy_never_guesses, NULL,
       NULL, NULL},
      {"opponents: the reader reads", test_reader_reads, NULL, NULL, NULL},
      {"opponents: the reader weighs hands of Louis XIV",
       test_reader_weighs_hands, NULL, NULL, NULL},
      {"opponents: the learner knows whom it sits among", test_learner_knows,
       NULL, NULL, NULL},
  };
  return cmocka_run_group_tests_name("opponents", tests, NULL, NULL);
}
