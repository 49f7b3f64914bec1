/* Games shown again. See replay.h. */
#include "replay.h"
#include "translate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What goes out at once; a connection takes no more than a MiB. */
enum { SHOWN_MAX = 900 * 1024, TAIL = 256 };

/* Who may look: everybody where spectators may, else who has sat there. */
static bool may_look(const struct replay *p, const struct room *r) {
  bool may = r->head.spectators;
  for (int s = 0; s < r->head.setup.players; s++)
    may |= p->person != 0 && r->seat[s].person == p->person;
  return may;
}

static bool make_next(struct replay *p, struct room *r, size_t i) {
  const struct store_move *m = p->moves->at[i];
  if (m->seq == r->seq && room_replay(r, m, &p->why) == 0)
    return true;
  sal_refuse(&p->why, SAL_BAD_RECORD, NULL, NULL);
  return false;
}

/* The room after all its moves, or NULL. */
static struct room *last_state(struct replay *p) {
  struct room *r =
      p->moves->count > 0 ? room_open(p->moves->at[0], &p->why) : NULL;
  for (size_t i = 1; r && i < p->moves->count; i++)
    if (!make_next(p, r, i)) {
      room_free(r);
      return NULL;
    }
  return r;
}

/* ---- Steps ---------------------------------------------------------------- */

static bool is_shown(const struct store_move *m) {
  static const char *const kinds[] = {"start",  "act",  "undo",
                                      "resign", "away", "back"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kinds[i], m->kind) == 0)
      return true;
  return false;
}

static void write_step(struct sal_json *j, const struct replay *p,
                       const struct room *r, const struct store_move *m,
                       size_t since) {
  struct translator s;
  if (p->catalogue)
    translator_init(&s, p->catalogue, r);
  sal_json_object(j, NULL);
  sal_json_int(j, "n", m->seq);
  sal_json_string(j, "kind", m->kind);
  sal_json_int(j, "at", m->at);
  sal_json_int(j, "actions", (int64_t)sal_table_length(r->table));
  if (m->seat >= 0)
    sal_json_int(j, "by", m->seat);
  if (strcmp(m->kind, "act") == 0) {
    if (sal_table_saw(r->table, sal_table_length(r->table) - 1, p->viewer))
      sal_json_string(j, "action", m->text);
    else
      sal_json_null(j, "action");
  }
  sal_table_show(r->table, p->viewer, since,
                 p->catalogue ? &s.speaker.words : NULL, j);
  sal_json_end(j, '}');
}

static void replay_seat(struct sal_json *j, const struct room *r, int i) {
  const struct room_seat *s = &r->seat[i];
  sal_json_object(j, NULL);
  if (s->person) {
    sal_json_string(j, "name", s->name);
    sal_json_int(j, "person", s->person);
  }
  if (s->kind == SEAT_BOT)
    sal_json_string(j, "level", s->bot->id);
  sal_json_end(j, '}');
}

static void replay_head(struct sal_json *j, const struct replay *p,
                        const struct room *r) {
  struct translator s;
  sal_json_bool(j, "ok", true);
  sal_json_object(j, "table");
  sal_json_string(j, "id", r->id);
  sal_json_string(j, "game", r->head.game->info.id);
  sal_json_int(j, "players", r->head.setup.players);
  room_options_write(&r->head, j, "options");
  sal_json_list(j, "seats");
  for (int i = 0; i < r->head.setup.players; i++)
    replay_seat(j, r, i);
  sal_json_end(j, ']');
  room_clock_write(&r->head.clock, j, "clock");
  sal_json_bool(j, "rated", room_is_rated(r));
  room_hex_write(j, "commitment", &r->commitment);
  sal_json_int(j, "over_at", r->over_at);
  sal_json_end(j, '}');
  translator_init(&s, p->catalogue ? p->catalogue : &(struct sal_catalogue){0},
                  r);
  sal_json_list(j, "names");
  for (int i = 0; i < r->head.setup.players; i++)
    sal_json_string(j, NULL, s.name[i] ? s.name[i] : "");
  sal_json_end(j, ']');
  if (p->viewer >= 0)
    sal_json_int(j, "seat", p->viewer);
  else if (p->viewer == SAL_EVERYTHING)
    sal_json_string(j, "seat", "open");
  else
    sal_json_null(j, "seat");
}

/* Steps until the text is full; then the last one is undone, and the rest
 * is for another request. */
static bool write_steps(struct replay *p, struct sal_text *t,
                        struct sal_json *j) {
  struct room *r = room_open(p->moves->at[0], &p->why);
  int64_t next = -1;
  bool ok = r != NULL;
  sal_json_list(j, "steps");
  for (size_t i = 1; ok && next < 0 && i < p->moves->count; i++) {
    const size_t since = r->table ? sal_table_event_count(r->table) : 0;
    const struct sal_text text = *t;
    const struct sal_json json = *j;
    ok = make_next(p, r, i);
    if (!ok || !is_shown(p->moves->at[i]) || p->moves->at[i]->seq < p->from)
      continue;
    write_step(j, p, r, p->moves->at[i], since);
    if (t->lost > 0) {
      *t = text;
      *j = json;
      next = p->moves->at[i]->seq;
    }
  }
  t->size += TAIL;
  sal_json_end(j, ']');
  if (next >= 0)
    sal_json_int(j, "next", next);
  else
    sal_json_null(j, "next");
  room_free(r);
  return ok;
}

static bool write_replay(struct replay *p, const struct room *last) {
  struct sal_text t;
  struct sal_json j;
  p->text = malloc(SHOWN_MAX);
  if (!p->text) {
    sal_refuse(&p->why, SAL_NO_MEMORY, NULL, NULL);
    return false;
  }
  sal_text_init(&t, p->text, SHOWN_MAX - TAIL);
  sal_json_init(&j, &t);
  sal_json_object(&j, NULL);
  replay_head(&j, p, last);
  const bool ok = write_steps(p, &t, &j);
  sal_json_end(&j, '}');
  p->length = t.len;
  return ok;
}

static bool replay_record(struct replay *p, const struct room *r) {
  struct translator s;
  translator_init(&s, p->catalogue ? p->catalogue : &(struct sal_catalogue){0},
                  r);
  for (int i = 0; i < r->head.setup.players; i++) {
    snprintf(p->name[i], sizeof p->name[i], "%s", s.name[i] ? s.name[i] : "");
    p->sitter[i] = r->seat[i].person;
  }
  p->at = r->over_at;
  p->over = !room_in_play(r) && sal_table_to_act(r->table) == 0;
  /* With the seed when nothing is secret any more: it can be played on. */
  p->text = sal_table_record(r->table, p->over);
  p->length = p->text ? strlen(p->text) : 0;
  if (!p->text)
    sal_refuse(&p->why, SAL_NO_MEMORY, NULL, NULL);
  return p->text != NULL;
}

int replay_make(struct replay *p) {
  if (p->moves->count == 0)
    return sal_refuse(&p->why, SAL_NO_TABLE, NULL,
                      N_("There is no such table."));
  struct room *r = last_state(p);
  bool ok = r != NULL;
  if (ok && !may_look(p, r)) {
    sal_refuse(&p->why, SAL_NOT_ALLOWED, NULL,
               N_("This table has no spectators."));
    ok = false;
  } else if (ok && !r->table) {
    sal_refuse(&p->why, SAL_NOT_STARTED, NULL, NULL);
    ok = false;
  } else if (ok && !p->record && room_in_play(r)) {
    sal_refuse(&p->why, SAL_NOT_ALLOWED, NULL, N_("The game is not over yet."));
    ok = false;
  } else if (ok && p->viewer >= r->head.setup.players) {
    sal_refuse(&p->why, SAL_BAD_REQUEST, NULL, N_("There is no such seat."));
    ok = false;
  }
  if (ok)
    ok = p->record ? replay_record(p, r) : write_replay(p, r);
  room_free(r);
  return ok ? 0 : p->why.code;
}
