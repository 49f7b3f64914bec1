/* The arena from inside: seating, duplicate deals, faults, figures. */
#include "figures.h"
#include "program.h"
#include "sprt.h"

#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

extern const struct sal_game sal_null;

/* ---- Tools --------------------------------------------------------------- */

static struct arena_plan plan_of(const struct sal_game *g, int players) {
  struct arena_plan p = {.game = g, .seed = 11, .deals = 40, .threads = 2};
  sal_setup_default(g, players, &p.setup);
  return p;
}

static void add_bot(struct arena_plan *p, const char *id, uint32_t sims) {
  p->bot[p->bots++] =
      (struct arena_bot){.name = id,
                         .inside = sal_bot_find(id),
                         .budget = sal_budget_simulations(sims)};
}

static struct arena_game *play(const struct arena_plan *p) {
  struct arena_game *games =
      calloc(p->deals * arena_games_per_deal(p), sizeof *games);
  assert_non_null(games);
  assert_int_equal(arena_run(p, games), ARENA_DONE);
  return games;
}

static bool near(double a, double b, double by) { return fabs(a - b) <= by; }

/* ---- Seating ------------------------------------------------------------- */

static void check_seating(int bots, int players) {
  struct arena_plan p = plan_of(&sal_null, players);
  int had[ARENA_BOTS_MAX][SAL_SEATS_MAX] = {0};
  p.bots = bots;
  const size_t each = arena_games_per_deal(&p);
  for (size_t g = 0; g < each; g++) {
    uint8_t bot[SAL_SEATS_MAX], again[SAL_SEATS_MAX];
    unsigned seen = 0;
    arena_seating(&p, g, bot);
    arena_seating(&p, g + 7 * each, again);
    assert_memory_equal(bot, again, (size_t)players);
    for (int s = 0; s < players; s++) {
      had[bot[s]][s]++;
      seen |= 1u << bot[s];
    }
    assert_int_equal(__builtin_popcount(seen), bots < players ? bots : players);
  }
  for (int b = 0; b < bots; b++)
    for (int s = 0; s < players; s++) {
      assert_true(had[b][s] > 0);
      assert_int_equal(had[b][s], had[0][0]);
    }
}

static void test_seating(void **state) {
  (void)state;
  for (int bots = 1; bots <= ARENA_BOTS_MAX; bots++)
    for (int players = 2; players <= SAL_SEATS_MAX; players++)
      check_seating(bots, players);
}

/* ---- Duplicate deals ----------------------------------------------------- */

/* A bot that notes what it sees when it is the first to act. */
enum { NOTES = 400 };
static uint64_t note[NOTES];
static size_t notes;

static void think_spy(const struct sal_question *q, struct sal_rng *rng,
                      struct sal_thought *out) {
  if (q->memory->count == 0 && q->memory->closed == 0 && notes < NOTES) {
    uint64_t h = 1;
    for (size_t i = 0; i < q->game->info.view_size; i++)
      h = (h ^ ((const unsigned char *)q->view)[i]) * UINT64_C(0x100000001b3);
    note[notes++] = h;
  }
  sal_bot_find("regular")->think(q, rng, out);
}

static const struct sal_bot spy = {"spy", "spy", "Looks.", think_spy};

static void test_same_cards(void **state) {
  (void)state;
  struct arena_plan p = plan_of(sal_game_find("doors"), 2);
  p.threads = 1; /* the notes are in order then */
  p.bots = 2;
  p.bot[0] = p.bot[1] = (struct arena_bot){.name = "spy", .inside = &spy};
  notes = 0;
  free(play(&p));
  assert_int_equal(notes, 2 * p.deals);
  for (size_t d = 0; d < p.deals; d++) {
    assert_true(note[2 * d] == note[2 * d + 1]);
    assert_true(d == 0 || note[2 * d] != note[2 * d - 1]);
  }
}

/* Whoever sits at a seat draws the same luck there; so a bot against itself
 * plays each deal twice alike and gets exactly half. */
static void check_mirror(const char *id, uint32_t sims, size_t deals) {
  struct arena_plan p = plan_of(sal_game_find("doors"), 2);
  struct figures f;
  p.deals = deals;
  add_bot(&p, id, sims);
  add_bot(&p, id, sims);
  struct arena_game *games = play(&p);
  for (size_t d = 0; d < deals; d++) {
    const struct arena_game *a = &games[2 * d], *b = a + 1;
    assert_int_equal(a->length, b->length);
    assert_memory_equal(a->score, b->score, sizeof a->score);
    assert_memory_equal(a->rank, b->rank, sizeof a->rank);
    assert_int_equal(a->bot[0], b->bot[1]);
    assert_int_equal(a->bot[1], b->bot[0]);
  }
  assert_true(figures_take(&p, games, &f));
  assert_true(f.bot[0].wins.mean == 0.5 && f.bot[1].wins.mean == 0.5);
  assert_true(f.bot[0].wins.low < 0.5 && f.bot[0].wins.high > 0.5);
  assert_true(f.bot[0].wins.high - f.bot[0].wins.low < 2.0 / (double)deals);
  assert_true(fabs(f.bot[0].rating.mean - 1500) < 1e-6);
  free(games);
}

static void test_mirror(void **state) {
  (void)state;
  check_mirror("random", 0, 40);
  check_mirror("novice", 0, 40);
  check_mirror("regular", 0, 40);
  check_mirror("ismcts", 20, 10);
  check_mirror("expert", 20, 4);
}

static void test_threads(void **state) {
  (void)state;
  struct arena_plan p = plan_of(sal_game_find("doors"), 2);
  p.deals = 5;
  add_bot(&p, "novice", 0);
  add_bot(&p, "regular", 0);
  add_bot(&p, "expert", 10);
  const size_t size =
      p.deals * arena_games_per_deal(&p) * sizeof(struct arena_game);
  p.threads = 1;
  struct arena_game *one = play(&p);
  for (int threads = 2; threads <= 5; threads += 3) {
    p.threads = threads;
    struct arena_game *more = play(&p);
    assert_memory_equal(one, more, size);
    free(more);
  }
  p.seed++;
  struct arena_game *other = play(&p);
  assert_memory_not_equal(one, other, size);
  free(one);
  free(other);
}

/* ---- Faults -------------------------------------------------------------- */

static void think_lie(const struct sal_question *q, struct sal_rng *rng,
                      struct sal_thought *out) {
  (void)q;
  (void)rng;
  memset(out, 0, sizeof *out);
  out->action = 0x5a5a;
}

static const struct sal_bot liar = {"liar", "liar", "Lies.", think_lie};

static void test_liar_of_two(void **state) {
  (void)state;
  struct arena_plan p = plan_of(sal_game_find("doors"), 2);
  struct figures f;
  add_bot(&p, "random", 0);
  p.bot[p.bots++] = (struct arena_bot){.name = "liar", .inside = &liar};
  struct arena_game *games = play(&p);
  for (size_t i = 0; i < 2 * p.deals; i++) {
    const int lying = games[i].bot[0] == 1 ? 0 : 1;
    assert_int_equal(games[i].fault[lying], ARENA_ILLEGAL);
    assert_int_equal(games[i].fault[!lying], ARENA_FINE);
    assert_int_equal(games[i].rank[lying], 1);
    assert_int_equal(games[i].rank[!lying], 0);
    assert_false(games[i].whole);
  }
  assert_true(figures_take(&p, games, &f));
  assert_true(f.bot[0].wins.mean == 1 && f.bot[1].wins.mean == 0);
  assert_int_equal(f.bot[1].faults[ARENA_ILLEGAL], 2 * p.deals);
  assert_int_equal(f.whole, 0);
  free(games);
}

/* Four at the table: the game goes on, and the others stand as it says. */
static void test_liar_of_four(void **state) {
  (void)state;
  struct arena_plan p = plan_of(&sal_null, 4);
  add_bot(&p, "random", 0);
  add_bot(&p, "random", 0);
  p.bot[p.bots++] = (struct arena_bot){.name = "liar", .inside = &liar};
  struct arena_game *games = play(&p);
  for (size_t i = 0; i < p.deals * arena_games_per_deal(&p); i++) {
    int best = 0, out = 0;
    for (int s = 0; s < 4; s++) {
      best |= games[i].bot[s] != 2 && games[i].score[s];
      out += games[i].bot[s] == 2;
    }
    assert_int_equal(games[i].length, 4);
    for (int s = 0; s < 4; s++)
      if (games[i].bot[s] == 2) {
        assert_int_equal(games[i].fault[s], ARENA_ILLEGAL);
        assert_int_equal(games[i].rank[s], 4 - out);
      } else {
        assert_int_equal(games[i].fault[s], ARENA_FINE);
        assert_int_equal(games[i].rank[s] == 0, games[i].score[s] == best);
      }
  }
  free(games);
}

static void test_stop(void **state) {
  (void)state;
  const atomic_bool stop = true;
  struct arena_plan p = plan_of(sal_game_find("doors"), 2);
  struct arena_game games[80];
  add_bot(&p, "random", 0);
  p.stop = &stop;
  assert_int_equal(arena_run(&p, games), ARENA_STOPPED);
}

/* ---- Figures ------------------------------------------------------------- */

static void test_intervals(void **state) {
  (void)state;
  struct spread s = {0};
  struct interval i;
  assert_true(isnan(spread_interval(&s).mean));
  spread_add(&s, 1);
  i = spread_rate(&s);
  assert_true(near(i.low, 0.206549, 1e-6) && i.high == 1); /* 1 of 1 */
  spread_add(&s, 1);
  i = spread_rate(&s); /* Wilson for 2 of 2 */
  assert_true(near(i.low, 0.342380, 1e-6) && i.high == 1);
  for (int k = 0; k < 99; k++)
    spread_add(&s, k < 49);
  i = spread_rate(&s); /* 51 of 101: the spread is worth some 100 trials */
  assert_true(near(i.mean, 51 / 101.0, 1e-12));
  assert_true(near(i.low, 0.408608, 1e-5) && near(i.high, 0.600927, 1e-5));
  i = spread_interval(&s);
  assert_true(
      near(i.high - i.mean, 1.959964 * sqrt(51. * 50 / 101 / 101 / 100), 1e-6));
}

/* Games of two in which the outcomes are given. */
static void test_two_ratings(void **state) {
  (void)state;
  struct arena_plan p = plan_of(&sal_null, 2);
  struct arena_game games[80] = {0};
  struct figures f;
  p.bots = 2;
  for (size_t i = 0; i < 80; i++) {
    games[i].whole = true;
    games[i].length = 10 + (uint32_t)i;
    arena_seating(&p, i, games[i].bot);
    const int winner = i % 4 == 3; /* bot 0 wins three of four */
    games[i].rank[games[i].bot[0] == winner] = 1;
    games[i].score[games[i].bot[0] == winner ? 0 : 1] = -7;
  }
  assert_true(figures_take(&p, games, &f));
  assert_true(near(f.bot[0].wins.mean, 0.75, 1e-12));
  assert_true(near(f.bot[0].rating.mean - f.bot[1].rating.mean,
                   400 * log10(60.5 / 20.5), 1e-6));
  assert_true(near(f.bot[0].rating.mean + f.bot[1].rating.mean, 3000, 1e-6));
  assert_true(f.bot[0].rating.low < f.bot[0].rating.mean);
  assert_true(near(f.before[0][1], 60, 0) && near(f.met[0][1], 80, 0));
  assert_true(near(f.bot[0].score.mean, -7 * 0.75, 1e-12));
  size_t counted = 0, scores = 0;
  for (int b = 0; b < f.lengths.bins; b++)
    counted += f.lengths.count[b];
  for (int b = 0; b < f.bot[1].scores.bins; b++)
    scores += f.bot[1].scores.count[b];
  assert_true(counted == 80 && scores == 80 && f.lengths.width == 5);
  assert_true(f.length_quartile[0] == 10 && f.length_quartile[4] == 89);
}

/* Whether bot a finishes before bot b, drawn by their true ratings. */
static bool beats(const double *rating, int a, int b, struct sal_rng *rng) {
  const double p = 1 / (1 + pow(10, (rating[b] - rating[a]) / 400));
  return (double)(sal_rng_next(rng) >> 11) * 0x1p-53 < p;
}

/* The intervals hold the truth about 19 times of 20, also when the games of a
 * deal all come out alike. */
static void check_coverage(bool alike) {
  static const double truth[] = {1350, 1500, 1650};
  struct arena_plan p = plan_of(&sal_null, 2);
  struct arena_game games[600] = {0};
  struct sal_rng rng;
  int held = 0;
  sal_rng_seed(&rng, 5);
  p.bots = 3;
  p.deals = 100;
  for (int trial = 0; trial < 200; trial++) {
    struct figures f;
    for (size_t i = 0; i < 600; i++) {
      struct arena_game *g = &games[i];
      *g = (struct arena_game){.whole = true, .length = 1};
      arena_seating(&p, i, g->bot);
      if (alike && i % 2 == 1)
        g->rank[0] = games[i - 1].rank[1];
      else
        g->rank[0] = !beats(truth, g->bot[0], g->bot[1], &rng);
      g->rank[1] = !g->rank[0];
    }
    assert_true(figures_take(&p, games, &f));
    for (int b = 0; b < 3; b++)
      held +=
          f.bot[b].rating.low <= truth[b] && truth[b] <= f.bot[b].rating.high;
  }
  assert_in_range(held, 600 * 92 / 100, 600 * 98 / 100);
}

static void test_coverage(void **state) {
  (void)state;
  check_coverage(false);
  check_coverage(true);
}

/* A table of three counts as three comparisons. */
static void test_ranks_of_three(void **state) {
  (void)state;
  struct arena_plan p = plan_of(&sal_null, 3);
  struct arena_game games[120] = {0};
  struct figures f;
  p.bots = 3;
  for (size_t i = 0; i < 120; i++) {
    games[i].whole = true;
    arena_seating(&p, i, games[i].bot);
    for (int s = 0; s < 3; s++) /* 0 wins; 1 and 2 are even, or 2 is last */
      games[i].rank[s] = (uint8_t)(games[i].bot[s] == 0            ? 0
                                   : games[i].bot[s] == 2 && i % 2 ? 2
                                                                   : 1);
  }
  assert_true(figures_take(&p, games, &f));
  assert_true(f.bot[0].wins.mean == 1 && f.before[0][2] == 120);
  assert_true(f.before[1][2] == 90 && f.before[2][1] == 30);
  assert_true(f.bot[0].rating.mean > f.bot[1].rating.mean);
  assert_true(f.bot[1].rating.mean > f.bot[2].rating.mean);
}

/* How often the test says "stronger", of so many tournaments for two with bots
 * that differ by `elo`; both games of a deal may come out alike. */
static int said_stronger(double elo, bool alike, int times) {
  const double question[] = {0, 30}, win = 1 / (1 + pow(10, -elo / 400));
  struct arena_plan p = plan_of(&sal_null, 2);
  struct sal_rng rng;
  int stronger = 0;
  p.bots = 2;
  sal_rng_seed(&rng, 5);
  for (int i = 0; i < times; i++) {
    struct sprt s;
    sprt_begin(&s, &p, question);
    assert_true(near(s.share[0], 0.5, 1e-12));
    for (bool decided = false; !decided;) {
      const double first = sal_rng_below(&rng, 1000000) < win * 1e6;
      const double second = sal_rng_below(&rng, 1000000) < win * 1e6;
      decided = sprt_add(&s, alike ? first : (first + second) / 2);
    }
    assert_true(fabs(s.ratio) >= SPRT_BOUND);
    stronger += s.verdict == SPRT_STRONGER;
  }
  return stronger;
}

/* The risk is 5 % either way; of 1000 that is 50, and 75 is beyond chance. */
static void test_sprt(void **state) {
  (void)state;
  for (int alike = 0; alike < 2; alike++) {
    assert_in_range(said_stronger(0, alike, 1000), 10, 75);
    assert_in_range(1000 - said_stronger(30, alike, 1000), 10, 75);
    assert_int_equal(said_stronger(200, alike, 100), 100);
  }
}

/* ---- Programs ------------------------------------------------------------ */

static atomic_bool all_started;

static void do_nothing(int number) { (void)number; }

static void *press_ctrl_z(void *unused) {
  while (!all_started)
    kill(0, SIGTSTP); /* to the whole group, as a terminal does */
  return unused;
}

/* In a group of its own, so that nobody else is stopped. */
static void start_while_stopped(void) {
  static struct program p;
  pthread_t presses;
  setpgid(0, 0);
  signal(SIGTSTP, do_nothing);
  signal(SIGPIPE, SIG_IGN);
  if (pthread_create(&presses, NULL, press_ctrl_z, NULL) != 0)
    _exit(2);
  for (int i = 0; i < 30; i++) {
    if (!program_start(&p, "exec true"))
      _exit(1);
    program_stop(&p, 60);
  }
  all_started = true;
  pthread_join(presses, NULL);
  _exit(0);
}

/* A program that is stopped before it is one would hold whoever starts it for
 * ever. */
static void test_ctrl_z(void **state) {
  (void)state;
  int status;
  const pid_t pid = fork();
  assert_true(pid >= 0);
  if (pid == 0)
    start_while_stopped();
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_int_equal(status, 0);
}

/* Waits until something of what it says has come. */
static void wait_for_bytes(const struct program *p) {
  struct pollfd one = {.fd = p->from, .events = POLLIN};
  assert_int_equal(poll(&one, 1, -1), 1);
}

/* A line may come in pieces. What has come when the time is up counts if it is a
 * whole line, also the second of two that came together. */
static void test_lines(void **state) {
  (void)state;
  static struct program p;
  char *line;
  assert_true(program_start(&p, "printf 'in '; sleep 0.3; echo pieces"));
  assert_int_equal(program_hear(&p, program_clock() + 600, &line), HEARD);
  assert_string_equal(line, "in pieces");
  program_stop(&p, 0);
  assert_true(program_start(&p, "printf 'one\\ntwo\\n'; sleep 600"));
  wait_for_bytes(&p);
  assert_int_equal(program_hear(&p, 0, &line), HEARD);
  assert_string_equal(line, "one");
  assert_int_equal(program_hear(&p, 0, &line), HEARD);
  assert_string_equal(line, "two");
  assert_int_equal(program_hear(&p, 0, &line), HEARD_LATE);
  program_stop(&p, 0);
  assert_true(program_start(&p, "printf half; sleep 600"));
  wait_for_bytes(&p);
  assert_int_equal(program_hear(&p, 0, &line), HEARD_LATE);
  program_stop(&p, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      {"every bot has every seat equally often", test_seating},
      {"all rotations of a deal see the same cards", test_same_cards},
      {"a bot against itself gets exactly half of every deal", test_mirror},
      {"the number of threads changes nothing", test_threads},
      {"an illegal action loses the game, of two", test_liar_of_two},
      {"an illegal action comes last, the others play on", test_liar_of_four},
      {"a tournament can be stopped", test_stop},
      {"intervals of rates and means", test_intervals},
      {"two bots: ratings, scores, lengths", test_two_ratings},
      {"95 % intervals of ratings hold the truth so often", test_coverage},
      {"three at a table: ratings by ranks", test_ranks_of_three},
      {"a sequential test errs as often as it says", test_sprt},
      {"Ctrl-Z while a program starts", test_ctrl_z},
      {"lines of a program: in pieces, two at once, late", test_lines},
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
