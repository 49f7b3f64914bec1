/* Making problems on all ranks, and writing them down.
 *
 * Which problem a game gives, if any, hangs on the themes that are still wanted when
 * its turn comes. Ranks play games ahead of their turn, with the themes that are
 * wanted then; what they give is taken in the order of the games. Themes only become
 * less: a game that has given nothing would give nothing with fewer of them, and one
 * that has given something is played again if they have changed. So any number of
 * ranks makes the same problems. */
#include "problems.h"

#include "interrupt.h"
#include "journal.h"
#include "ranks.h"
#include "ticker.h"

#include <stdlib.h>
#include <string.h>

/* A game that was played ahead of its turn, and what it has given: the number of the
 * theme as a byte, and the problem as it will be written; or nothing. */
struct given {
  long game;
  uint32_t themes; /* that were wanted */
  struct given *next;
  size_t size;
  char bytes[];
};

struct work {
  struct making *m;
  long wanted, found;
  long made[THEMES_MAX]; /* by theme */
  struct given *ahead;
  long next;  /* game that nobody has played */
  long due;   /* game whose turn it is */
  long again; /* game that is to be played again, or -1 */
  struct journal file;
  bool json;
  int status;
};

/* ---- Which themes ---------------------------------------------------------------- */

static long limit_of(const struct work *w) {
  long themes = 0;
  for (const struct sal_theme *t = sal_themes(w->m->game); t->id; t++)
    themes++;
  return 2 * w->wanted / (themes ? themes : 1) + 1;
}

/* Of themes that are met often there are enough at some point. */
static uint32_t themes_wanted(const struct work *w) {
  const long limit = limit_of(w);
  uint32_t themes = 0;
  for (int i = 0; i < THEMES_MAX; i++)
    themes |= (uint32_t)(w->made[i] < limit) << i;
  return themes;
}

/* A task is a game and the themes that are wanted. */
enum { THEMES_AT = 40 };
_Static_assert(THEMES_AT + THEMES_MAX < 8 * sizeof(size_t), "a task");

static size_t task_of(long game, uint32_t themes) {
  return (size_t)game | (size_t)themes << THEMES_AT;
}

static long game_of(size_t task) {
  return (long)(task & (((size_t)1 << THEMES_AT) - 1));
}

static uint32_t themes_of(size_t task) { return (uint32_t)(task >> THEMES_AT); }

/* ---- A game, at any rank ----------------------------------------------------------- */

enum { NO_THEME = THEMES_MAX }; /* there was no memory */

static bool write_problem(const struct work *w, const struct problem *p,
                          const sal_table *t, FILE *out) {
  if (w->json)
    return write_json(problem_line(p, t), out);
  problem_print(p, t, out);
  return true;
}

static char *play_game(void *self, size_t task, size_t *n) {
  struct work *w = self;
  struct problem p;
  struct making m = *w->m;
  char *bytes = NULL;
  m.themes = themes_of(task);
  *n = 0;
  sal_table *t = problem_make(&m, game_of(task), &p);
  if (!t)
    return NULL;
  FILE *out = open_memstream(&bytes, n);
  bool ok = out && fputc((int)(p.theme - sal_themes(m.game)), out) != EOF &&
            write_problem(w, &p, t, out);
  ok = out && fclose(out) == 0 && ok;
  sal_table_free(t);
  if (!ok && bytes)
    bytes[0] = NO_THEME;
  return bytes;
}

/* ---- In their order, at rank 0 ------------------------------------------------------ */

static bool is_done(void *self) {
  const struct work *w = self;
  return w->found >= w->wanted || w->status != DONE || interrupted;
}

static size_t next_game(void *self) {
  struct work *w = self;
  char what[60];
  if (is_done(w))
    return RANKS_NONE;
  const long game = w->again >= 0 ? w->again : w->next++;
  w->again = -1;
  snprintf(what, sizeof what, _("Problems: %ld of %ld, game %ld"), w->found,
           w->wanted, game + 1);
  ticker_say(what);
  return task_of(game, themes_wanted(w));
}

static bool print_given(struct work *w, const struct given *g) {
  ticker_hide();
  if (w->file.path)
    return journal_add(&w->file,
                       json_loadb(g->bytes + 1, g->size - 1, 0, NULL)) ||
           (journal_unwritten(&w->file), false);
  fwrite(g->bytes + 1, 1, g->size - 1, stdout);
  fflush(stdout);
  return true;
}

static void count_given(struct work *w, const struct given *g) {
  const int theme = g->bytes[0];
  if (theme == NO_THEME)
    w->status = complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
  else if (!print_given(w, g))
    w->status = FAILED;
  else
    w->made[theme]++;
  w->found++;
}

/* Takes the game whose turn it is; NULL: it is still being played. */
static struct given *take_due(struct work *w) {
  struct given **at = &w->ahead;
  while (*at && (*at)->game != w->due)
    at = &(*at)->next;
  struct given *g = *at;
  if (g)
    *at = g->next;
  return g;
}

static void count_due(struct work *w) {
  for (struct given *g; !is_done(w) && (g = take_due(w)); free(g)) {
    if (g->size > 0 && g->themes != themes_wanted(w)) {
      w->again = g->game;
      continue; /* nobody has played it now */
    }
    if (g->size > 0)
      count_given(w, g);
    w->due++;
  }
}

static void take_game(void *self, size_t task, const char *bytes, size_t n) {
  struct work *w = self;
  if (is_done(w))
    return; /* somebody wants it to end, also this game */
  struct given *g = malloc(sizeof *g + n);
  if (!g) {
    w->status = complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
    return;
  }
  *g = (struct given){game_of(task), themes_of(task), w->ahead, n};
  if (n)
    memcpy(g->bytes, bytes, n);
  w->ahead = g;
  count_due(w);
}

static bool is_interrupted(void *self) {
  (void)self;
  return interrupted;
}

/* ---- The file ------------------------------------------------------------------------ */

static bool count_kept(const struct problem *p, const sal_table *t,
                       void *context) {
  struct work *w = context;
  (void)t;
  w->made[p->theme - sal_themes(w->m->game)]++;
  w->next = p->number + 1;
  w->found++;
  return true;
}

/* What the file has already; or its first line. */
static int begin_file(struct work *w, const char *path) {
  if (!journal_open(&w->file, path, _("%s: another program is writing to it.")))
    return FAILED;
  json_t *head = problems_head(w->m);
  if (!*w->file.text)
    return journal_add(&w->file, head) ? DONE : journal_unwritten(&w->file);
  json_t *kept = json_loadb(w->file.text, strcspn(w->file.text, "\n"), 0, NULL);
  const bool same = json_equal(head, kept);
  json_decref(head);
  json_decref(kept);
  if (!same)
    return complain(FAILED,
                    _("%s: was made with other settings, or by another "
                      "version. Move it away to begin anew."),
                    path);
  return problems_each(path, w->file.text, w->m->game, count_kept, w);
}

/* ---- All of it ----------------------------------------------------------------------- */

static int run_work(struct work *w) {
  const struct ranks_job job = {.self = w,
                                .next = next_game,
                                .work = play_game,
                                .take = take_game,
                                .hurried = is_interrupted};
  ticker_start("");
  const bool run = ranks_run(&job);
  ticker_stop();
  if (!run)
    return complain(FAILED, "%s",
                    _("the machine cannot start another program."));
  if (interrupted && w->status == DONE)
    return complain(INTERRUPTED, _("interrupted after %ld problems."),
                    w->found);
  return w->status;
}

int problems_make_all(struct making *m, long count, const char *file,
                      bool json) {
  struct work w = {.m = m,
                   .wanted = count,
                   .again = -1,
                   .file = {.file = -1},
                   .json = json || file};
  if (ranks_number() == 0 && file)
    w.status = begin_file(&w, file);
  else if (ranks_number() == 0 && json)
    write_json(problems_head(m), stdout);
  ranks_share(&w.status, sizeof w.status);
  w.due = w.next;
  const int status = w.status == DONE ? run_work(&w) : w.status;
  while (w.ahead) {
    struct given *g = w.ahead;
    w.ahead = g->next;
    free(g);
  }
  journal_close(&w.file);
  return status;
}
