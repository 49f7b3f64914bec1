/* salotto problems: positions with a clearly best move, made and verified. */
#include "problems.h"

#include "interrupt.h"
#include "ranks.h"
#include "ticker.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

struct wish {
  struct making making;
  const char *keep, *verify, *check;
  long count, worlds, seed;
  bool seeded, json;
};

static int was_interrupted(long done) {
  return interrupted
             ? complain(INTERRUPTED, _("interrupted after %ld problems."), done)
             : DONE;
}

/* ---- For people ------------------------------------------------------------------ */

enum { ACTION_SAID = 256 };

static const char *say_action(const sal_table *t, const struct problem *p,
                              sal_action a, char out[ACTION_SAID]) {
  struct sal_text text;
  struct sal_speaker words;
  union sal_view_box view;
  cli_words_init(&words, NULL);
  sal_text_init(&text, out, ACTION_SAID);
  sal_table_view(t, p->seat, (sal_view *)view.bytes);
  sal_table_game(t)->action_say((const sal_view *)view.bytes, a, &words.words,
                                &text);
  return out;
}

void problem_print(const struct problem *p, const sal_table *t, FILE *file) {
  char text[8000];
  struct sal_text out;
  struct sal_speaker words;
  union sal_view_box view;
  cli_words_init(&words, NULL);
  sal_text_init(&out, text, sizeof text);
  sal_table_view(t, p->seat, (sal_view *)view.bytes);
  sal_table_game(t)->position((const sal_view *)view.bytes, &words.words, &out);
  fprintf(file, "%ld. %s, %s %d\n\n%s\n", p->number, _(p->theme->title),
          _("rating"), p->rating, text);
  for (size_t i = 0; i < p->w.count; i++) {
    char said[ACTION_SAID];
    fprintf(file, "  %c %5.1f %%  %s\n",
            i < sal_weighing_right(&p->w) ? '+' : '-',
            1e-4 * p->w.weighed[i].value,
            say_action(t, p, p->w.weighed[i].action, said));
  }
  fputc('\n', file);
}

/* ---- Verifying -------------------------------------------------------------------- */

struct verifying {
  const struct wish *wish;
  uint32_t worlds;
  long all, held;
  long of_theme[THEMES_MAX];
  json_t *failed;
};

/* Whether everything is on the same side of the margin as in the file. */
static bool holds(const struct problem *p, const struct sal_weighing *again) {
  const size_t right = sal_weighing_right(&p->w);
  for (size_t i = 0; i < again->count; i++) {
    size_t at = 0;
    while (at < p->w.count &&
           p->w.weighed[at].action != again->weighed[i].action)
      at++;
    if ((at < right) != (i < sal_weighing_right(again)))
      return false;
  }
  return true;
}

static void print_failed(const struct problem *p, const sal_table *t,
                         const struct sal_weighing *again) {
  ticker_hide();
  char kept[ACTION_SAID], now[ACTION_SAID];
  printf(_("Game %ld did not hold. Kept as best: %s. Now: %s.\n"), p->number,
         say_action(t, p, p->w.weighed[0].action, kept),
         say_action(t, p, again->weighed[0].action, now));
}

static bool verify_one(const struct problem *p, const sal_table *t,
                       void *context) {
  struct verifying *v = context;
  struct sal_weighing again;
  struct sal_rng rng;
  char what[60];
  snprintf(what, sizeof what, _("Problems: %ld done, %ld held"), v->all,
           v->held);
  ticker_say(what);
  sal_rng_seed(&rng, (uint64_t)v->wish->seed + (uint64_t)p->number);
  if (interrupted ||
      sal_table_weigh(t, p->seat, 0, v->worlds, &rng, &again, NULL) != 0)
    return false;
  const bool ok = holds(p, &again);
  v->all++;
  v->held += ok;
  if (ok)
    return true;
  if (v->failed)
    json_array_append_new(v->failed, json_integer(p->number));
  else
    print_failed(p, t, &again);
  return true;
}

static bool pass_one(const struct problem *p, const sal_table *t,
                     void *context) {
  struct verifying *v = context;
  v->of_theme[p->theme - sal_themes(sal_table_game(t))]++;
  v->all++;
  v->held++;
  return true;
}

static void print_themes(const struct verifying *v) {
  const struct sal_theme *list = sal_themes(v->wish->making.game);
  for (int i = 0; list[i].id; i++)
    printf("%6ld  %s\n", v->of_theme[i], _(list[i].title));
}

static int tell_share(struct verifying *v) {
  if (v->failed)
    write_json(json_pack("{s:I,s:I,s:I,s:o}", "problems", (json_int_t)v->all,
                         "held", (json_int_t)v->held, "worlds",
                         (json_int_t)v->worlds, "failed", v->failed),
               stdout);
  else if (v->wish->verify)
    printf(_("%ld of %ld problems held (%.1f %%), in %u worlds.\n"), v->held,
           v->all, v->all ? 100.0 * (double)v->held / (double)v->all : 0,
           v->worlds);
  else {
    printf(_("%ld problems, all valid.\n"), v->all);
    print_themes(v);
  }
  return was_interrupted(v->all);
}

/* So much longer than the searches that made a problem. */
enum { AGAIN = 4 };

static int verify_problems(struct wish *wish) {
  const char *path = wish->verify ? wish->verify : wish->check;
  struct verifying v = {.wish = wish};
  size_t length;
  char *text = read_file(path, &length);
  if (!text)
    return FAILED;
  v.worlds = wish->worlds ? (uint32_t)wish->worlds
                          : AGAIN * making_worlds(&wish->making);
  v.failed = wish->json ? json_array() : NULL;
  ticker_start("");
  const int status = problems_each(path, text, wish->making.game,
                                   wish->verify ? verify_one : pass_one, &v);
  ticker_stop();
  free(text);
  return status == DONE ? tell_share(&v) : status;
}

/* ---- The command ------------------------------------------------------------------- */

static bool read_problems_option(int option, char *value, void *wish) {
  struct wish *w = wish;
  switch (option) {
  case 'c': return read_number(value, 1, 100000, &w->count);
  case 'S': w->seeded = true; return read_number(value, 0, INT32_MAX, &w->seed);
  case 'w': return read_number(value, 1, SAL_PLAYOUTS_MAX, &w->worlds);
  case 'k': w->keep = value; return true;
  case 'v': w->verify = value; return true;
  case 'C': w->check = value; return true;
  case 'j': w->json = true; return true;
  default: return read_language(value);
  }
}

static int do_problems(int argc, char **argv) {
  static const struct option longs[] = {
      {"count", required_argument, NULL, 'c'},
      {"seed", required_argument, NULL, 'S'},
      {"worlds", required_argument, NULL, 'w'},
      {"keep", required_argument, NULL, 'k'},
      {"verify", required_argument, NULL, 'v'},
      {"check", required_argument, NULL, 'C'},
      {"json", no_argument, NULL, 'j'},
      {"lang", required_argument, NULL, 'l'},
      {NULL, 0, NULL, 0}};
  struct wish w = {.count = 10, .seed = 1};
  const int wrong = take_options(&command_problems, argc, argv, longs,
                                 read_problems_option, &w);
  if (wrong)
    return wrong;
  if (optind + 1 != argc)
    return misused(&command_problems, "%s", _("name one game."));
  struct making *m = &w.making;
  m->game = sal_game_find(argv[optind]);
  if (!m->game || !sal_themes(m->game)->id)
    return misused(&command_problems, _("there is no game '%s'."),
                   argv[optind]);
  m->seed = (uint64_t)w.seed;
  m->stop = &interrupted;
  if (!w.verify && !w.check)
    m->worlds = (uint32_t)w.worlds;
  else if (!w.seeded)
    w.seed = 1000003; /* another than the one they were made with */
  /* The others end at once: mpirun tells all of them. */
  if (ranks_number() == 0)
    catch_interrupts();
  teach_master();
  if (!w.verify && !w.check)
    return problems_make_all(m, w.count, w.keep, w.json);
  return ranks_number() == 0 ? verify_problems(&w) : DONE;
}

static int run_problems(int argc, char **argv) {
  ranks_start();
  const int status = do_problems(argc, argv);
  if (status != INTERRUPTED)
    ranks_end();
  return status;
}

const struct command command_problems = {
    "problems", N_("make positions with a clearly best move, and verify them"),
    N_("GAME [--count N] [--seed N] [--worlds N]\n"
       "                 [--keep FILE] [--json]\n"
       "       salotto problems GAME --verify FILE [--seed N] [--worlds N] "
       "[--json]\n"
       "       salotto problems GAME --check FILE [--json]"),
    N_("Lets bots of several levels play and looks for decisions in which some "
       "choices\nare clearly better than all others, by the measure of the "
       "review, in several\nlong searches that agree. docs/problems.md says "
       "more.\n\n"
       "  --count N      so many (10)\n"
       "  --seed N       of the games; the same seed gives the same problems "
       "(1)\n"
       "  --worlds N     compared in each search (twice as many as in a "
       "review)\n"
       "  --keep FILE    add them to a file, and go on with what it has\n"
       "  --json         JSON, one object a line\n"
       "  --lang LANG    en or it\n\n"
       "  --verify FILE  search each problem of a file again, four times as "
       "long and\n                 with other luck, and tell how many held\n"
       "  --check FILE   only read them: positions, choices, ratings, "
       "themes\n"),
    run_problems};
