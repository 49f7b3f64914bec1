/* Playing for `salotto arena`: see the header. */
#include "arena_play.h"
#include "ranks.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Interruptions ----------------------------------------------------------- */

/* Ranks other than 0 end at once: mpirun tells all of them. */
static void catch_signals(void) {
  const struct sigaction ignore = {.sa_handler = SIG_IGN};
  sigaction(SIGPIPE, &ignore, NULL);
  if (ranks_number() == 0)
    catch_interrupts();
}

static void show_progress(size_t done, size_t all, double seconds) {
  enum { WIDTH = 30 };
  char bar[WIDTH + 1];
  const size_t filled = done * WIDTH / all;
  for (size_t i = 0; i < WIDTH; i++)
    bar[i] = i < filled ? '#' : '.';
  bar[WIDTH] = '\0';
  fprintf(stderr, "\r[%s] %3zu %%", bar, done * 100 / all);
  if (done > 0) {
    const long left = (long)(seconds * (double)(all - done) / (double)done);
    fprintf(stderr, _(", %ld:%02ld:%02ld left "), left / 3600, left / 60 % 60,
            left % 60);
  }
  fflush(stderr);
}

/* ---- Listening ---------------------------------------------------------------- */

struct listening {
  const struct arena_duty *duty;
  int row;
  const struct arena_plan *plan;
  struct arena_outcome *out;
  char *unwritten; /* a file, or NULL */
  int error;       /* errno: why */
};

static bool comes_before(const struct arena_note *a,
                         const struct arena_note *b) {
  return a->game != b->game ? a->game < b->game : a->seat < b->seat;
}

/* Keeps the first ones, so that any number of threads tells the same. */
static void take_note(void *self, const struct arena_note *n) {
  struct arena_notes *notes = &((struct listening *)self)->out->notes;
  int at = notes->count;
  notes->all++;
  while (at > 0 && comes_before(n, &notes->note[at - 1]))
    at--;
  if (at == NOTES_MAX)
    return;
  if (notes->count == NOTES_MAX)
    free(notes->note[--notes->count].position);
  memmove(&notes->note[at + 1], &notes->note[at],
          (size_t)(notes->count - at) * sizeof *notes->note);
  notes->note[at] = *n;
  notes->note[at].position = n->position ? strdup(n->position) : NULL;
  notes->count++;
}

static void failed(void *self, const struct arena_note *n) {
  const struct listening *l = self;
  take_note(self, n);
  if (l->duty->keep)
    arena_keep_note(l->duty->keep, n);
}

/* "DIR/00012.salotto", in a gauntlet "DIR/03-00012.salotto". */
static char *record_path(const struct listening *l, size_t number) {
  const size_t size = strlen(l->duty->records) + 64;
  char *path = malloc(size), row[16] = "";
  if (l->row >= 0)
    snprintf(row, sizeof row, "%02d-", l->row + 1);
  if (path)
    snprintf(path, size, "%s/%s%05zu.salotto", l->duty->records, row, number);
  return path;
}

static bool write_record(struct listening *l, size_t number,
                         const char *record) {
  char *path = record_path(l, number);
  FILE *f = path ? fopen(path, "w") : NULL;
  bool ok = f && fputs(record, f) >= 0;
  ok = f && fclose(f) == 0 && ok;
  if (ok) {
    free(path);
  } else {
    l->error = errno;
    l->unwritten = path;
  }
  return ok;
}

/* The record first: a game that is kept has one. */
static bool played(void *self, size_t number, const struct arena_game *g,
                   const char *record) {
  struct listening *l = self;
  if (record && !write_record(l, number, record))
    return false;
  if (!l->duty->keep || arena_keep_add(l->duty->keep, l->row < 0 ? 0 : l->row,
                                       number, l->plan->setup.players, g))
    return true;
  l->error = errno;
  l->unwritten = strdup(arena_keep_path(l->duty->keep));
  return false;
}

static bool dealt(void *self, const struct arena_game *games) {
  struct listening *l = self;
  return l->duty->asks && sprt_deal(&l->out->sprt, l->plan, games);
}

/* ---- Playing ------------------------------------------------------------------- */

/* The deals at the beginning that were played whole. */
static size_t deals_played(const struct arena_plan *p,
                           const struct arena_game *games) {
  const size_t each = arena_games_per_deal(p);
  size_t n = 0;
  while (n < p->deals * each && games[n].played)
    n++;
  return n / each;
}

static int tell_end(enum arena_end end, const struct listening *l) {
  switch (end) {
  case ARENA_DONE:
  case ARENA_ENOUGH: return DONE;
  case ARENA_STOPPED:
    return complain(INTERRUPTED, "%s", _("the tournament was interrupted."));
  case ARENA_NO_THREAD:
  case ARENA_NO_PROCESS:
    return complain(FAILED, "%s",
                    _("the machine cannot start another program."));
  case ARENA_NO_KEEPING:
    if (l->unwritten)
      return complain(FAILED, _("%s: cannot be written: %s."), l->unwritten,
                      strerror(l->error));
    break;
  case ARENA_NO_MEMORY: break;
  }
  return complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
}

int arena_play(const struct arena_duty *duty, int row, struct arena_plan *p,
               struct arena_game *games, struct arena_outcome *out) {
  struct listening l = {.duty = duty, .row = row, .plan = p, .out = out};
  const struct arena_listener listener = {.self = &l,
                                          .failed = failed,
                                          .played = played,
                                          .records = duty->records != NULL,
                                          .dealt = dealt};
  struct sal_speaker words;
  *out = (struct arena_outcome){0};
  cli_words_init(&words, NULL);
  if (duty->asks)
    sprt_begin(&out->sprt, p, duty->elo);
  if (duty->keep) {
    const int status = arena_keep_restore(duty->keep, row < 0 ? 0 : row, p,
                                          games, take_note, &l);
    if (status != DONE) {
      p->deals = 0;
      return status;
    }
  }
  const bool shown = ranks_watched();
  catch_signals();
  p->stop = &interrupted;
  p->progress = shown ? show_progress : NULL;
  p->words = &words.words;
  p->listener = &listener;
  const enum arena_end end = arena_run(p, games);
  p->words = NULL;
  p->listener = NULL;
  if (shown)
    fputs("\r\033[K", stderr);
  if (ranks_number() > 0)
    p->deals = 0; /* rank 0 tells all of it */
  else
    p->deals =
        end == ARENA_ENOUGH ? out->sprt.seen.count : deals_played(p, games);
  const int status = tell_end(end, &l);
  free(l.unwritten);
  return status;
}

void arena_outcome_free(struct arena_outcome *o) {
  while (o->notes.count > 0)
    free(o->notes.note[--o->notes.count].position);
}
