/* salotto arena --gauntlet: one bot against opponents of every kind, the worst
 * match-up first. */
#include "arena_gauntlet.h"

#include "arena_report.h"
#include "opponents.h"
#include "play_plain.h"

#include <stdlib.h>

/* ---- Who runs ------------------------------------------------------------ */

static bool listed(const struct gauntlet *g, const struct sal_bot *bot) {
  for (int i = 0; i < g->rows; i++)
    if (g->row[i].bot.inside == bot)
      return true;
  return false;
}

static void add_opponent(struct gauntlet *g, const struct sal_bot *bot) {
  const bool same = bot == g->level.inside && g->level.budget.seconds <= 0 &&
                    g->level.budget.simulations == 0;
  if (same || listed(g, bot) || g->rows == GAUNTLET_MAX ||
      !opponent_plays(bot, g->plan.game, g->plan.setup.players))
    return;
  g->row[g->rows++].bot = (struct arena_bot){.name = bot->id, .inside = bot};
}

/* Those that bots are tuned on; the others are for reports alone. */
static const char *const for_tuning[] = {"flat",   "tree",   "regular",
                                         "honest", "shader", "flooder"};

void gauntlet_fill(struct gauntlet *g, bool tuning) {
  if (tuning) {
    for (size_t i = 0; i < sizeof for_tuning / sizeof *for_tuning; i++)
      add_opponent(g, opponent_find(for_tuning[i]));
    return;
  }
  for (size_t i = 0; arena_opponents[i]; i++)
    add_opponent(g, arena_opponents[i]);
  for (size_t i = 0; sal_bots[i]; i++)
    add_opponent(g, sal_bots[i]);
}

/* ---- Running ------------------------------------------------------------- */

/* To standard error: the table is for the figures. */
static void tell_faults(const struct arena_plan *p,
                        const struct arena_notes *notes) {
  for (int i = 0; i < notes->count; i++) {
    char sentence[FAULT_SAY_MAX];
    struct sal_text t;
    sal_text_init(&t, sentence, sizeof sentence);
    fault_say(p, &notes->note[i], &t);
    fprintf(stderr, "%s\n%s", sentence,
            notes->note[i].position ? notes->note[i].position : "");
  }
}

/* Who studies the others at the table is told whom it meets there; of each other
 * they learn nothing. */
static void let_study(const struct arena_bot *level,
                      const struct arena_bot *opponent) {
  const bool alone = level->inside && opponent_studies(level->inside);
  const struct arena_bot *whom = alone ? opponent : level;
  const bool open = whom->inside && !opponent_studies(whom->inside);
  reader_study(open ? whom->inside : NULL, &whom->budget);
}

/* Plays against one opponent; what was played of it counts also if it ends
 * early. */
static int play_row(struct gauntlet *g, int number, int games) {
  struct gauntlet_row *row = &g->row[number];
  struct arena_plan p = g->plan;
  static struct figures figures;
  static struct arena_outcome outcome;
  p.bots = p.setup.players;
  p.bot[0] = g->level;
  for (int i = 1; i < p.bots; i++)
    p.bot[i] = row->bot;
  let_study(&g->level, &row->bot);
  const size_t each = arena_games_per_deal(&p);
  p.deals = ((size_t)games + each - 1) / each;
  struct arena_game *played = calloc(p.deals * each, sizeof *played);
  if (!played)
    return complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
  int status = arena_play(g->duty, number, &p, played, &outcome);
  if (p.deals && !figures_take(&p, played, &figures))
    status = complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
  else if (p.deals) {
    row->games = figures.games;
    row->wins = figures.bot[0].wins;
    row->sprt = outcome.sprt;
    fprintf(stderr, "%s: %.1f %%\n", row->bot.name, 100 * row->wins.mean);
  }
  tell_faults(&p, &outcome.notes);
  arena_outcome_free(&outcome);
  free(played);
  return status;
}

static int worse(const void *a, const void *b) {
  const double x = ((const struct gauntlet_row *)a)->wins.mean;
  const double y = ((const struct gauntlet_row *)b)->wins.mean;
  return (x > y) - (x < y);
}

static bool repeatable(const struct gauntlet *g) {
  bool yes = g->level.budget.seconds <= 0 && !g->level.command;
  for (int i = 0; i < g->rows; i++)
    yes &= g->row[i].bot.budget.seconds <= 0 && !g->row[i].bot.command;
  return yes;
}

static void write_text(const struct gauntlet *g) {
  printf(_("%s at %s, %d players, seed %llu. Its wins, the worst match-up "
           "first:\n\n"),
         g->level.name, _(g->plan.game->info.title), g->plan.setup.players,
         (unsigned long long)g->plan.seed);
  for (int i = 0; i < g->rows; i++) {
    const struct gauntlet_row *r = &g->row[i];
    printf("%-24s %6.1f %%  %5.1f–%5.1f %%  %7zu\n", r->bot.name,
           100 * r->wins.mean, 100 * r->wins.low, 100 * r->wins.high, r->games);
    if (g->duty->asks) {
      char text[SPRT_SAY_MAX];
      print_sentence("  %s", sprt_say(&r->sprt, g->level.name, text));
    }
  }
  printf("%-24s %6.1f %%\n", _("all alike"), 100.0 / g->plan.setup.players);
  if (!repeatable(g))
    fputs(
        _("A clock or an outside program took part: another run may come out differently.\n"),
        stdout);
}

static void write_json(const struct gauntlet *g) {
  static char text[16384];
  struct sal_text out;
  struct sal_json j;
  sal_text_init(&out, text, sizeof text);
  sal_json_init(&j, &out);
  sal_json_object(&j, NULL);
  sal_json_string(&j, "gauntlet", g->level.name);
  sal_json_string(&j, "game", g->plan.game->info.id);
  sal_json_int(&j, "players", g->plan.setup.players);
  sal_json_int(&j, "seed", (int64_t)g->plan.seed);
  sal_json_bool(&j, "repeatable", repeatable(g));
  json_figure(&j, "share", 1.0 / g->plan.setup.players);
  sal_json_list(&j, "rows");
  for (int i = 0; i < g->rows; i++) {
    const struct gauntlet_row *r = &g->row[i];
    sal_json_object(&j, NULL);
    sal_json_string(&j, "opponent", r->bot.name);
    sal_json_int(&j, "games", (int64_t)r->games);
    sal_json_object(&j, "wins");
    json_figure(&j, "mean", r->wins.mean);
    json_figure(&j, "low", r->wins.low);
    json_figure(&j, "high", r->wins.high);
    sal_json_end(&j, '}');
    if (g->duty->asks)
      json_sprt(&j, &r->sprt);
    sal_json_end(&j, '}');
  }
  sal_json_end(&j, ']');
  sal_json_end(&j, '}');
  puts(text);
}

/* Leaves out opponents that nobody has played against. */
static void drop_unplayed(struct gauntlet *g) {
  int kept = 0;
  for (int i = 0; i < g->rows; i++)
    if (g->row[i].games)
      g->row[kept++] = g->row[i];
  g->rows = kept;
}

int gauntlet_run(struct gauntlet *g, int games, bool json) {
  int status = DONE;
  for (int i = 0; i < g->rows && status == DONE; i++)
    status = play_row(g, i, games);
  drop_unplayed(g);
  if (g->rows == 0)
    return status;
  qsort(g->row, (size_t)g->rows, sizeof *g->row, worse);
  if (json)
    write_json(g);
  else
    write_text(g);
  return status;
}
