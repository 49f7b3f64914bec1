/* What the arena and an outside program say to each other: docs/arena.md.
 *
 * Main invariant: a program hears of its seat only what the seat may see, and
 * whatever it answers or fails to answer is a fault of that seat, never an
 * error of the arena. */
#include "match.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* ---- Writing ------------------------------------------------------------- */

typedef void write_fn(const struct desk *d, int seat, size_t count,
                      struct sal_json *j);

struct message {
  const struct desk *desk;
  int seat;
  size_t count;
  write_fn *what;
};

static void write_message(struct sal_json *j, const void *context) {
  const struct message *m = context;
  sal_json_object(j, NULL);
  m->what(m->desk, m->seat, m->count, j);
  sal_json_end(j, '}');
  sal_text_char(j->out, '\n');
}

/* One line of JSON in d->message. */
static void compose_message(struct desk *d, int seat, size_t count,
                            write_fn *what) {
  const struct message m = {d, seat, count, what};
  if (!sal_buffer_compose(&d->message, write_message, &m, SIZE_MAX))
    d->trouble = ARENA_NO_MEMORY;
}

static enum heard send_message(struct desk *d, struct program *p,
                               double until) {
  return program_tell(p, d->message.at, d->message.len, until);
}

static int milliseconds(double seconds) { return (int)(seconds * 1e3 + 0.5); }

static void write_new(const struct desk *d, int seat, size_t count,
                      struct sal_json *j) {
  (void)count;
  sal_json_string(j, "type", "new");
  sal_json_string(j, "game", d->plan->game->info.id);
  sal_json_int(j, "players", d->plan->setup.players);
  sal_json_int(j, "seat", seat);
  sal_state_options(d->plan->game, desk_state(d), true, j, "options");
  /* 53 bits: a number that every JSON reader keeps exactly. */
  sal_json_int(j, "seed", (int64_t)(match_seat_seed(d, seat) >> 11));
  sal_json_int(j, "time_ms", milliseconds(d->plan->move_seconds));
}

static void write_events(const struct desk *d, int seat, struct sal_json *j) {
  sal_json_list(j, "events");
  for (size_t n = d->told[seat]; n < d->event_count; n++) {
    struct sal_event cut;
    sal_event_cut(&d->events[n], seat, &cut);
    sal_event_facts(d->plan->game, &cut, n, j);
  }
  sal_json_end(j, ']');
}

/* The view for a program that is linked with the same library. */
static void write_packed(const struct desk *d, int seat, struct sal_json *j) {
  char text[SAL_PACKED_MAX];
  union sal_view_box view;
  struct sal_text out;
  d->plan->game->view(desk_state(d), seat, (sal_view *)view.bytes);
  sal_text_init(&out, text, sizeof text);
  sal_view_pack(d->plan->game, (const sal_view *)view.bytes, &out);
  sal_json_string(j, "packed", text);
}

static void write_move(const struct desk *d, int seat, size_t count,
                       struct sal_json *j) {
  const struct sal_game *g = d->plan->game;
  sal_json_string(j, "type", "move");
  sal_state_facts(g, desk_state(d), d->plan->setup.players, seat,
                  d->game->length, j, "view");
  write_packed(d, seat, j);
  sal_json_list(j, "legal");
  for (size_t i = 0; i < count; i++) {
    char action[SAL_ACTION_TEXT_MAX];
    struct sal_text text;
    sal_text_init(&text, action, sizeof action);
    g->action_text(d->legal[i], &text);
    sal_json_string(j, NULL, action);
  }
  sal_json_end(j, ']');
  sal_json_int(j, "time_ms", milliseconds(d->plan->move_seconds));
  write_events(d, seat, j);
}

static void write_over(const struct desk *d, int seat, size_t count,
                       struct sal_json *j) {
  (void)count;
  sal_json_string(j, "type", "over");
  sal_json_list(j, "winners");
  for (int i = 0; i < d->plan->setup.players; i++)
    if (d->game->rank[i] == 0)
      sal_json_int(j, NULL, i);
  sal_json_end(j, ']');
  sal_json_list(j, "scores");
  for (int i = 0; i < d->plan->setup.players; i++)
    sal_json_int(j, NULL, d->game->score[i]);
  sal_json_end(j, ']');
  if (d->game->fault[seat])
    sal_json_string(j, "fault", arena_fault_id(d->game->fault[seat]));
  else
    sal_json_null(j, "fault");
  write_events(d, seat, j);
}

/* ---- Asking -------------------------------------------------------------- */

static double time_is_up(const struct desk *d, const struct program *p) {
  return program_clock() + d->plan->move_seconds +
         (p->fresh ? d->plan->start_seconds : 0);
}

static enum heard greet(struct desk *d, int seat) {
  struct program *p = d->program[seat];
  if (p->pid == 0 && !program_start(p, desk_bot(d, seat)->command)) {
    d->trouble = ARENA_NO_PROCESS;
    return HEARD_END;
  }
  compose_message(d, seat, 0, write_new);
  return send_message(d, p, time_is_up(d, p));
}

/* A program may have ended after its last game without our noticing: that is
 * no fault of this game, so it is started again, once. */
static enum heard greet_again(struct desk *d, int seat) {
  struct program *p = d->program[seat];
  program_stop(p, 0);
  return greet(d, seat);
}

static enum heard exchange_line(struct desk *d, int seat, size_t count,
                                char **line) {
  struct program *p = d->program[seat];
  compose_message(d, seat, count, write_move);
  const double until = time_is_up(d, p);
  const enum heard sent = send_message(d, p, until);
  return sent == HEARD ? program_hear(p, until, line) : sent;
}

/* A program that did not answer properly is not trusted to be in step with us
 * any more; the next game starts it anew. */
static enum arena_fault judge(struct program *p, enum heard heard) {
  static const enum arena_fault faults[] = {[HEARD] = ARENA_FINE,
                                            [HEARD_LATE] = ARENA_LATE,
                                            [HEARD_END] = ARENA_ENDED,
                                            [HEARD_GARBAGE] = ARENA_GARBLED};
  if (heard != HEARD)
    program_stop(p, 0);
  return faults[heard];
}

enum arena_fault talk_new(struct desk *d, int seat) {
  struct program *p = d->program[seat];
  p->kept = p->pid != 0;
  enum heard heard = greet(d, seat);
  if (heard == HEARD_END && p->kept)
    heard = greet_again(d, seat);
  return judge(p, heard);
}

/* Keeps what was answered, for a note that can be shown anywhere: no control
 * characters, and of what may not be UTF-8 only ASCII. */
static void keep_answer(struct desk *d, const char *answer, bool utf8) {
  struct sal_text kept;
  sal_text_init(&kept, d->answer, sizeof d->answer);
  sal_text_clip(&kept, answer, sizeof d->answer - 8);
  for (char *c = d->answer; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 0x7f)
      *c = ' ';
    else if (!utf8 && (*c & 0x80))
      *c = '?';
}

/* The action that a line answers; false: it is no answer. */
static bool read_answer(struct desk *d, const char *line, sal_action *out) {
  json_t *answer = json_loads(line, 0, NULL);
  const char *action = json_string_value(json_object_get(answer, "action"));
  *out = action ? d->plan->game->action_parse(action) : 0;
  const bool understood = action != NULL;
  keep_answer(d, understood ? action : line, understood);
  json_decref(answer);
  return understood;
}

enum arena_fault talk_move(struct desk *d, int seat, size_t count,
                           sal_action *out) {
  struct program *p = d->program[seat];
  char *line = NULL;
  enum heard heard = exchange_line(d, seat, count, &line);
  if (heard == HEARD_END && p->kept) {
    heard = greet_again(d, seat);
    if (heard == HEARD)
      heard = exchange_line(d, seat, count, &line);
  }
  p->kept = false;
  d->told[seat] = d->event_count;
  if (heard == HEARD && !read_answer(d, line, out))
    heard = HEARD_GARBAGE;
  return judge(p, heard);
}

void talk_over(struct desk *d, int seat) {
  struct program *p = d->program[seat];
  if (p->pid == 0)
    return;
  compose_message(d, seat, 0, write_over);
  if (send_message(d, p, program_clock() + d->plan->move_seconds) != HEARD)
    program_stop(p, 0);
}
