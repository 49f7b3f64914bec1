/* The games of a tournament in a file: a line of JSON that says which tournament
 * it is, then a line for each game that was played, in the order they ended.
 *
 *   {"arena":1,"game":"doors","players":2,…,"seed":7}
 *   {"row":0,"n":3,"length":42,"whole":true,"seats":[[0,10,""],[1,4,""]]} */
#include "arena_keep.h"

#include "journal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct arena_keep {
  struct journal file;
  json_t *notes; /* of the game that comes next */
};

/* ---- Writing --------------------------------------------------------------- */

void arena_keep_note(struct arena_keep *k, const struct arena_note *n) {
  if (!k->notes)
    k->notes = json_array();
  json_array_append_new(
      k->notes, json_pack("{s:i,s:i,s:s,s:s,s:s}", "seat", n->seat, "fault",
                          (int)n->fault, "answer", n->answer, "rule", n->rule,
                          "position", n->position ? n->position : ""));
}

bool arena_keep_add(struct arena_keep *k, int row, size_t number, int players,
                    const struct arena_game *g) {
  json_t *seats = json_array(),
         *line = json_pack("{s:i,s:I,s:I,s:b,s:o}", "row", row, "n",
                           (json_int_t)number, "length", (json_int_t)g->length,
                           "whole", (int)g->whole, "seats", seats);
  for (int i = 0; i < players; i++)
    json_array_append_new(seats, json_pack("[i,i,s]", g->rank[i], g->score[i],
                                           arena_fault_id(g->fault[i])));
  if (k->notes)
    json_object_set_new(line, "notes", k->notes);
  k->notes = NULL;
  return journal_add(&k->file, line);
}

/* ---- Reading --------------------------------------------------------------- */

static bool read_kept_seat(const json_t *told, struct arena_game *g, int seat) {
  const char *fault = json_string_value(json_array_get(told, 2));
  const json_int_t rank = json_integer_value(json_array_get(told, 0));
  if (!fault || !json_is_integer(json_array_get(told, 1)) || rank < 0 ||
      rank >= SAL_SEATS_MAX)
    return false;
  g->rank[seat] = (uint8_t)rank;
  g->score[seat] = (int32_t)json_integer_value(json_array_get(told, 1));
  enum arena_fault f = ARENA_FINE;
  while (f < ARENA_FAULTS && strcmp(arena_fault_id(f), fault) != 0)
    f++;
  g->fault[seat] = (uint8_t)f;
  return f < ARENA_FAULTS;
}

static bool read_game(const json_t *line, const struct arena_plan *p, size_t n,
                      struct arena_game *g) {
  const json_t *seats = json_object_get(line, "seats");
  const json_t *length = json_object_get(line, "length");
  struct arena_game read = {.played = true};
  bool ok = json_is_integer(length) &&
            json_array_size(seats) == (size_t)p->setup.players;
  read.length = (uint32_t)json_integer_value(length);
  read.whole = json_is_true(json_object_get(line, "whole"));
  arena_seating(p, n, read.bot);
  for (int i = 0; ok && i < p->setup.players; i++)
    ok = read_kept_seat(json_array_get(seats, (size_t)i), &read, i);
  if (ok)
    *g = read;
  return ok;
}

static void read_note(const json_t *told, size_t game,
                      void (*failed)(void *self, const struct arena_note *n),
                      void *self) {
  struct arena_note n = {.game = game};
  const char *answer, *rule, *position;
  int seat, fault;
  if (json_unpack((json_t *)told, "{s:i,s:i,s:s,s:s,s:s}", "seat", &seat,
                  "fault", &fault, "answer", &answer, "rule", &rule, "position",
                  &position) != 0 ||
      seat < 0 || seat >= SAL_SEATS_MAX || fault < 0 || fault >= ARENA_FAULTS)
    return;
  n.seat = seat;
  n.fault = (enum arena_fault)fault;
  snprintf(n.answer, sizeof n.answer, "%s", answer);
  snprintf(n.rule, sizeof n.rule, "%s", rule);
  n.position = strdup(position);
  failed(self, &n);
  free(n.position);
}

int arena_keep_restore(struct arena_keep *k, int row,
                       const struct arena_plan *p, struct arena_game *games,
                       void (*failed)(void *self, const struct arena_note *n),
                       void *self) {
  const size_t count = p->deals * arena_games_per_deal(p);
  size_t number = 1;
  const char *at = strchr(k->file.text, '\n');
  for (at = at ? at + 1 : ""; *at; number++) {
    const size_t length = strcspn(at, "\n");
    json_t *line = json_loadb(at, length, 0, NULL);
    const json_t *n = json_object_get(line, "n");
    const json_int_t game = json_integer_value(n);
    bool ok = json_is_integer(n) && game >= 0;
    if (ok && json_integer_value(json_object_get(line, "row")) == row &&
        (size_t)game < count) {
      ok = read_game(line, p, (size_t)game, &games[game]);
      const json_t *notes = json_object_get(line, "notes");
      for (size_t i = 0; ok && i < json_array_size(notes); i++)
        read_note(json_array_get(notes, i), (size_t)game, failed, self);
    }
    json_decref(line);
    if (!ok)
      return journal_damaged(&k->file, number + 1);
    at += length + (at[length] == '\n');
  }
  return DONE;
}

/* ---- Opening --------------------------------------------------------------- */

/* The seed is a number that JSON readers might round: as text. */
static bool same_tournament(json_t *head, json_t *kept, bool given,
                            uint64_t *seed) {
  const char *text = json_string_value(json_object_get(kept, "seed"));
  uint64_t read;
  if (!text || sscanf(text, "%" SCNu64, &read) != 1 || (given && read != *seed))
    return false;
  json_object_set_new(head, "seed", json_string(text));
  *seed = read;
  return json_equal(head, kept);
}

/* The first line: what is there must fit, and if nothing is there it is
 * written. */
static int begin_file(struct arena_keep *k, json_t *head, bool given,
                      uint64_t *seed) {
  if (!*k->file.text) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, *seed);
    json_object_set_new(head, "seed", json_string(text));
    return journal_add(&k->file, json_incref(head))
               ? DONE
               : journal_unwritten(&k->file);
  }
  json_t *kept = json_loadb(k->file.text, strcspn(k->file.text, "\n"), 0, NULL);
  const bool same = same_tournament(head, kept, given, seed);
  json_decref(kept);
  return same ? DONE
              : complain(FAILED,
                         _("%s: belongs to another tournament. Move it away "
                           "to begin anew."),
                         k->file.path);
}

struct arena_keep *arena_keep_open(const char *path, json_t *head, bool given,
                                   uint64_t *seed) {
  struct arena_keep *k = calloc(1, sizeof *k);
  bool ok = k && head;
  if (!ok)
    complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
  ok = ok &&
       journal_open(&k->file, path,
                    _("%s: another tournament is writing to it.")) &&
       begin_file(k, head, given, seed) == DONE;
  json_decref(head);
  if (ok)
    return k;
  arena_keep_close(k);
  return NULL;
}

void arena_keep_close(struct arena_keep *k) {
  if (!k)
    return;
  journal_close(&k->file);
  json_decref(k->notes);
  free(k);
}

const char *arena_keep_path(const struct arena_keep *k) { return k->file.path; }
