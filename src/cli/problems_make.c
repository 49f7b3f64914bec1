/* Making problems: games of bots of several levels, some of their decisions
 * looked at shortly, and those that look clear searched long, several times. */
#include "problems.h"

#include "arena/arena.h"
#include "salotto/ask.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* From the weakest. */
static const char *const solver_levels[SOLVERS] = {"novice", "regular",
                                                   "expert"};
/* What they count as among people who solve problems: a convention. */
static const double solver_rating[SOLVERS] = {1000, 1400, 1800};

enum {
  ACTIONS_MAX = 600,  /* a game that goes on for longer is given up */
  LOOKS = 12,         /* decisions of a game that are looked at; fewer where */
  LOOKS_MORE = 4,     /* more play than have to, which takes longer */
  EXPERT_PLAYS = 30,  /* simulations of the expert in these games */
  EXPERT_SOLVES = 400 /* and when it is asked for the answer */
};
/* A first look is shorter than what a review does, and a search longer. */
enum { SHORTER = 8, LONGER = 2 };
/* What even a novice mostly finds is no problem; and what the expert nearly never
 * finds is a matter of opinion. */
static const double TOO_EASY = 0.75, TOO_HARD = 0.1;
/* In optimal play what is wrong is done less than this. */
static const int32_t NEVER = 10000;

uint32_t making_worlds(const struct making *m) {
  struct sal_review_wish usual;
  sal_review_wish_default(m->game, &usual);
  return m->worlds ? m->worlds : LONGER * usual.worlds;
}

int problem_rating(const double solved[SOLVERS]) {
  double low = 400, high = 2600, want = 0;
  for (int i = 0; i < SOLVERS; i++)
    want += solved[i];
  while (high - low > 0.5) {
    const double middle = (low + high) / 2;
    double expected = 0;
    for (int i = 0; i < SOLVERS; i++)
      expected += 1 / (1 + pow(10, (middle - solver_rating[i]) / 400));
    if (expected > want)
      low = middle;
    else
      high = middle;
  }
  return (int)lround(low);
}

/* ---- The game ------------------------------------------------------------------ */

struct played {
  struct sal_plan plan;
  size_t count;
  struct {
    int seat;
    sal_action action;
    bool choice;
  } act[ACTIONS_MAX];
};

/* Four tables of five are as small as can be; in Favor both editions. */
static void plan_game(const struct making *m, uint64_t seed,
                      struct sal_rng *rng, struct sal_plan *out) {
  const struct sal_info *info = &m->game->info;
  enum { FOUR = 4 };
  const int most = info->players_max < FOUR ? info->players_max : FOUR;
  const int more = most - info->players_min;
  int players = info->players_min;
  if (more > 0 && sal_rng_below(rng, 5) == 0)
    players += 1 + (int)sal_rng_below(rng, (uint32_t)more);
  *out = (struct sal_plan){.game = m->game};
  sal_setup_default(m->game, players, &out->setup);
  const int edition = sal_option_find(m->game, "edition");
  if (edition >= 0)
    out->setup.option[edition] = (int32_t)sal_rng_below(rng, 2);
  sal_key_number(seed >> 16, &out->seed);
}

static bool play_one(sal_table *t, const struct sal_bot *const *bots,
                     struct sal_rng *rng, struct played *out) {
  const struct sal_budget budget = sal_budget_simulations(EXPERT_PLAYS);
  const int seat = __builtin_ctz(sal_table_to_act(t));
  struct sal_thought thought;
  size_t choices;
  sal_table_choices(t, seat, &choices);
  if (sal_table_ask(t, seat, bots[seat], &budget, rng, &thought, NULL) ||
      sal_table_play(t, seat, thought.action, NULL))
    return false;
  out->act[out->count].seat = seat;
  out->act[out->count].action = thought.action;
  out->act[out->count++].choice = choices > 1;
  return true;
}

static bool play_game(const struct making *m, struct sal_rng *rng,
                      struct played *out) {
  const struct sal_bot *bots[SAL_SEATS_MAX];
  for (int i = 0; i < out->plan.setup.players; i++)
    bots[i] = sal_bot_find(solver_levels[sal_rng_below(rng, SOLVERS)]);
  sal_table *t = sal_table_new(&out->plan);
  while (t && sal_table_to_act(t) && out->count < ACTIONS_MAX && !*m->stop &&
         play_one(t, bots, rng, out))
    ;
  const bool over = t && sal_table_to_act(t) == 0;
  sal_table_free(t);
  return over;
}

/* The table before an action. */
static sal_table *table_before(const struct played *p, size_t at) {
  sal_table *t = sal_table_new(&p->plan);
  for (size_t i = 0; t && i < at; i++)
    sal_table_play(t, p->act[i].seat, p->act[i].action, NULL);
  return t;
}

/* ---- A decision ---------------------------------------------------------------- */

static bool wanted(const struct making *m, const struct sal_theme *theme) {
  return theme && (m->themes >> (theme - sal_themes(m->game)) & 1);
}

/* A short look: is something wrong by far, and the rest not by a little? */
static bool promising(const struct sal_weighing *w) {
  const size_t right = sal_weighing_right(w);
  return right > 0 && 2 * right <= w->count &&
         sal_weighing_lost(w, right) >= SAL_PROBLEM_CLEAR - SAL_PROBLEM_CLOSE;
}

static size_t find_action(const struct sal_weighing *w, sal_action a) {
  size_t i = 0;
  while (i < w->count && w->weighed[i].action != a)
    i++;
  return i;
}

static void sort_weighed(struct sal_weighing *w) {
  for (size_t i = 1; i < w->count; i++) {
    const struct sal_weighed one = w->weighed[i];
    size_t at = i;
    for (; at > 0 && w->weighed[at - 1].value < one.value; at--)
      w->weighed[at] = w->weighed[at - 1];
    w->weighed[at] = one;
  }
}

/* The mean of several searches, which had the same candidates. */
static bool merge(const struct sal_weighing *all, struct sal_weighing *out) {
  *out = all[0];
  for (size_t i = 0; i < out->count; i++) {
    int64_t value = 0, error = 0;
    for (int s = 0; s < SEARCHES; s++) {
      const size_t at = find_action(&all[s], out->weighed[i].action);
      if (at == all[s].count)
        return false;
      value += all[s].weighed[at].value;
      error += all[s].weighed[at].error;
    }
    /* What was given up early may have been told a little less than nothing. */
    out->weighed[i].value = value > 0 ? (int32_t)(value / SEARCHES) : 0;
    out->weighed[i].error =
        (int32_t)lround((double)error / SEARCHES / sqrt(SEARCHES));
  }
  sort_weighed(out);
  return true;
}

/* The reason of a search with the same best choice; none: it is not clear
 * enough which one that is. */
static bool take_reason(const struct sal_weighing *all,
                        struct sal_weighing *out) {
  for (int s = 0; s < SEARCHES; s++) {
    const struct sal_weighing *one = &all[s];
    if (one->weighed[0].action != out->weighed[0].action)
      continue;
    out->other = find_action(out, one->weighed[one->other].action);
    out->reason = one->reason;
    out->viewer = one->viewer;
    out->here = one->here;
    out->there = one->there;
    return true;
  }
  return false;
}

static bool agrees(const struct sal_weighing *one,
                   const struct sal_weighing *all) {
  const size_t right = sal_weighing_right(all);
  if (sal_weighing_right(one) != right)
    return false;
  for (size_t i = 0; i < right; i++)
    if (find_action(all, one->weighed[i].action) >= right)
      return false;
  return true;
}

static bool never_done(const struct sal_weighing *w) {
  for (size_t i = sal_weighing_right(w); i < w->count; i++)
    if (w->mixed && w->weighed[i].often >= NEVER)
      return false;
  return true;
}

/* Several long searches that agree. */
static bool search_long(const struct making *m, const sal_table *t,
                        uint64_t seed, struct problem *out) {
  struct sal_weighing all[SEARCHES];
  for (int s = 0; s < SEARCHES; s++) {
    struct sal_rng rng;
    sal_rng_seed(&rng, arena_seed(seed, (uint64_t)s));
    if (*m->stop || sal_table_weigh(t, out->seat, 0, making_worlds(m), &rng,
                                    &all[s], NULL) != 0)
      return false;
    if (!promising(&all[s]) || !never_done(&all[s]))
      return false;
  }
  if (!merge(all, &out->w) || !sal_weighing_clear(&out->w) ||
      !take_reason(all, &out->w))
    return false;
  for (int s = 0; s < SEARCHES; s++)
    if (!agrees(&all[s], &out->w))
      return false;
  return true;
}

/* How likely a bot is right. */
static double solved_by(const char *level, const sal_table *t,
                        const struct problem *p, struct sal_rng *rng) {
  const struct sal_budget budget = sal_budget_simulations(EXPERT_SOLVES);
  double sum = 0;
  size_t count;
  const sal_action *legal = sal_table_choices(t, p->seat, &count);
  double *room = calloc(2 * count, sizeof *room);
  struct sal_policy policy = {.chance = room,
                              .value = room ? room + count : NULL};
  if (room && sal_table_policy(t, p->seat, sal_bot_find(level), &budget, rng,
                               &policy, NULL) == 0)
    for (size_t i = 0; i < count; i++)
      if (find_action(&p->w, legal[i]) < sal_weighing_right(&p->w))
        sum += policy.chance[i];
  free(room);
  return sum < 1 ? sum : 1;
}

static bool within_reach(const sal_table *t, uint64_t seed,
                         struct problem *out) {
  struct sal_rng rng;
  sal_rng_seed(&rng, seed);
  for (int i = 0; i < SOLVERS; i++)
    out->solved[i] = solved_by(solver_levels[i], t, out, &rng);
  out->rating = problem_rating(out->solved);
  return out->solved[0] < TOO_EASY && out->solved[SOLVERS - 1] > TOO_HARD;
}

/* A short look, without the solver of Doors and the master of Favor, which take
 * longer than all the rest. */
static bool glance(const struct making *m, const sal_table *t, uint64_t seed,
                   struct problem *out) {
  struct sal_rng rng;
  sal_rng_seed(&rng, seed);
  sal_master_teach(NULL);
  sal_master_teach_favor(NULL);
  const uint32_t worlds = making_worlds(m) / LONGER / SHORTER + 1;
  const int refused =
      sal_table_weigh(t, out->seat, 0, worlds, &rng, &out->w, NULL);
  teach_master();
  return !refused && promising(&out->w) &&
         wanted(m, sal_problem_theme(t, out->seat, &out->w));
}

/* A search, if a decision may be worth it. */
static bool look_at(const struct making *m, const sal_table *t, uint64_t seed,
                    struct problem *out) {
  if (!glance(m, t, seed, out) || !search_long(m, t, seed, out))
    return false;
  out->theme = sal_problem_theme(t, out->seat, &out->w);
  return wanted(m, out->theme) && within_reach(t, seed, out);
}

/* ---- All of it ------------------------------------------------------------------ */

/* Another decision with a choice each time, at random; the count if there is no
 * more. */
static size_t draw_decision(struct played *p, struct sal_rng *rng) {
  uint32_t left = 0;
  for (size_t i = 0; i < p->count; i++)
    left += p->act[i].choice;
  if (left == 0)
    return p->count;
  uint32_t skip = sal_rng_below(rng, left);
  size_t at = 0;
  while (!p->act[at].choice || skip-- > 0)
    at++;
  p->act[at].choice = false;
  return at;
}

static sal_table *search_game(const struct making *m, uint64_t seed,
                              struct sal_rng *rng, struct played *p,
                              struct problem *out) {
  const bool more = p->plan.setup.players > m->game->info.players_min;
  const uint64_t looks = more ? LOOKS_MORE : LOOKS;
  for (uint64_t look = 0; look < looks && !*m->stop; look++) {
    const size_t at = draw_decision(p, rng);
    sal_table *t = at < p->count ? table_before(p, at) : NULL;
    if (!t)
      return NULL;
    out->seat = p->act[at].seat;
    if (look_at(m, t, arena_seed(seed, look), out))
      return t;
    sal_table_free(t);
  }
  return NULL;
}

sal_table *problem_make(const struct making *m, long number,
                        struct problem *out) {
  const uint64_t seed = arena_seed(m->seed, (uint64_t)number);
  struct sal_rng rng;
  struct played *p = calloc(1, sizeof *p);
  if (!p)
    return NULL;
  sal_rng_seed(&rng, seed);
  *out = (struct problem){.number = number};
  plan_game(m, seed, &rng, &p->plan);
  sal_table *t =
      play_game(m, &rng, p) ? search_game(m, seed, &rng, p, out) : NULL;
  free(p);
  return t;
}
