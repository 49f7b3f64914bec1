/* Outside programs at the seats of a game in this program; they speak the
 * language of the arena (docs/arena.md). */
#include "session.h"

#include "arena/program.h"
#include "terminal/screen.h"

#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { START_SECONDS = 5, MOVE_SECONDS = 30 };

struct outside {
  struct program program;
  char *command;
  bool greeted;
  size_t told; /* events */
};

struct outside *outside_new(const char *command) {
  struct outside *o = calloc(1, sizeof *o);
  signal(SIGPIPE, SIG_IGN); /* one that has ended is told so by `write` */
  if (o && !(o->command = strdup(command))) {
    free(o);
    return NULL;
  }
  return o;
}

void outside_free(struct outside *o) {
  if (!o)
    return;
  if (o->program.pid)
    program_stop(&o->program, 0.2);
  free(o->command);
  free(o);
}

struct telling {
  const struct outside *outside;
  const struct session *session;
  int seat;
};

static void write_new(struct sal_json *j, const void *what) {
  const struct telling *t = what;
  const struct session *p = t->session;
  sal_json_object(j, NULL);
  sal_json_string(j, "type", "new");
  sal_json_string(j, "game", p->game->info.id);
  sal_json_int(j, "players", sal_table_players(p->table));
  sal_json_int(j, "seat", t->seat);
  sal_table_options(p->table, true, j, "options");
  struct sal_rng rng = p->rng;
  sal_json_int(j, "seed", (int64_t)(sal_rng_next(&rng) >> 11));
  sal_json_int(j, "time_ms", MOVE_SECONDS * 1000);
  sal_json_end(j, '}');
}

static void write_move(struct sal_json *j, const void *what) {
  const struct telling *told = what;
  const struct session *p = told->session;
  const int seat = told->seat;
  sal_json_object(j, NULL);
  const size_t count = sal_table_legal(p->table, seat, p->legal);
  sal_json_string(j, "type", "move");
  sal_table_facts(p->table, seat, j, "view");
  sal_json_list(j, "legal");
  for (size_t i = 0; i < count; i++) {
    char action[SAL_ACTION_TEXT_MAX];
    struct sal_text t;
    sal_text_init(&t, action, sizeof action);
    p->game->action_text(p->legal[i], &t);
    sal_json_string(j, NULL, action);
  }
  sal_json_end(j, ']');
  sal_json_int(j, "time_ms", MOVE_SECONDS * 1000);
  sal_json_list(j, "events");
  for (size_t n = told->outside->told; n < sal_table_event_count(p->table); n++)
    sal_table_event_facts(p->table, n, seat, j);
  sal_json_end(j, ']');
  sal_json_end(j, '}');
}

static enum heard tell_outside(struct outside *o, const struct session *p,
                               int seat, sal_write *write, double until) {
  const struct telling what = {o, p, seat};
  struct sal_buffer line = {0};
  const enum heard heard =
      sal_buffer_compose(&line, write, &what, SIZE_MAX) &&
              sal_buffer_add(&line, "\n", 1)
          ? program_tell(&o->program, line.at, line.len, until)
          : HEARD_END;
  sal_buffer_free(&line);
  return heard;
}

static bool read_answer(const char *line, char action[SAL_ACTION_TEXT_MAX]) {
  json_t *answer = json_loads(line, 0, NULL);
  const char *text = json_string_value(json_object_get(answer, "action"));
  const bool fits = text && strlen(text) < SAL_ACTION_TEXT_MAX;
  if (fits)
    strcpy(action, text);
  json_decref(answer);
  return fits;
}

/* The answer; meanwhile somebody may press Ctrl-Z, or end the program. */
static enum heard hear_program(struct outside *o, double until, char **line) {
  enum heard heard;
  do {
    const double soon = program_clock() + 0.1;
    heard = program_hear(&o->program, soon < until ? soon : until, line);
    const double stopped = program_clock();
    screen_attend();
    until += program_clock() - stopped;
  } while (heard == HEARD_LATE && program_clock() < until && !screen_signal());
  return heard;
}

bool outside_asks(struct outside *o, const struct session *p, int seat,
                  char action[SAL_ACTION_TEXT_MAX], const char **fault) {
  static const char *const faults[] = {[HEARD_LATE] = N_("too late"),
                                       [HEARD_END] = N_("it has ended"),
                                       [HEARD_GARBAGE] = N_("no answer")};
  const double until = program_clock() + MOVE_SECONDS + START_SECONDS;
  enum heard heard = HEARD;
  if (!o->greeted) {
    if (!program_start(&o->program, o->command))
      heard = HEARD_END;
    else
      heard = tell_outside(o, p, seat, write_new, until);
    o->greeted = true;
  }
  if (heard == HEARD)
    heard = tell_outside(o, p, seat, write_move, until);
  o->told = sal_table_event_count(p->table);
  char *line = NULL;
  if (heard == HEARD)
    heard = hear_program(o, until, &line);
  if (heard == HEARD && !read_answer(line, action))
    heard = HEARD_GARBAGE;
  *fault = faults[heard];
  return heard == HEARD;
}
