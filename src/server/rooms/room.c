/* One room and its moves. See room.h. */
#include "room.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* ---- Life ------------------------------------------------------------------ */

/* As it is before anybody sits there. */
static void clear_seat(struct room *r, int i) {
  struct room_seat *s = &r->seat[i];
  memset(s, 0, sizeof *s);
  s->bot = r->head.bot[i];
  s->kind = s->bot ? SEAT_BOT : r->head.invited[i] ? SEAT_INVITED : SEAT_OPEN;
}

struct room *room_open(const struct store_move *first,
                       struct sal_refusal *why) {
  if (first->seq != 0 || strcmp(first->kind, "open") != 0 ||
      strlen(first->room) != ROOM_ID) {
    sal_refuse(why, SAL_BAD_RECORD, NULL, NULL);
    return NULL;
  }
  struct room *r = calloc(1, sizeof *r);
  if (r && !(r->key_cache = malloc(sizeof *r->key_cache))) {
    free(r);
    r = NULL;
  }
  if (!r) {
    sal_refuse(why, SAL_NO_MEMORY, NULL, NULL);
    return NULL;
  }
  json_t *j = json_loads(first->text, JSON_REJECT_DUPLICATES, NULL);
  const int error = room_head_read(j, true, &r->head, why);
  json_decref(j);
  if (error) {
    room_free(r);
    return NULL;
  }
  strcpy(r->id, first->room);
  sal_key_cache_fill(&r->head.seed, r->key_cache);
  sal_key_cache_get(r->key_cache, 0, &r->commitment);
  for (int i = 0; i < r->head.setup.players; i++)
    clear_seat(r, i);
  r->last_at = first->at;
  r->seq = 1;
  return r;
}

void room_free(struct room *r) {
  if (r) {
    sal_table_free(r->table);
    free(r->key_cache);
  }
  free(r);
}

/* ---- Looking -------------------------------------------------------------- */

int room_seat_of(const struct room *r, int64_t person) {
  for (int i = 0; i < r->head.setup.players; i++)
    if (r->seat[i].kind == SEAT_PERSON && r->seat[i].person == person)
      return i;
  return -1;
}

bool room_has_people(const struct room *r) {
  for (int i = 0; i < r->head.setup.players; i++)
    if (r->seat[i].person != 0)
      return true;
  return false;
}

bool room_is_full(const struct room *r) {
  for (int i = 0; i < r->head.setup.players; i++)
    if (r->seat[i].kind == SEAT_OPEN || r->seat[i].kind == SEAT_INVITED)
      return false;
  return true;
}

unsigned room_unrevealed(const struct room *r) {
  unsigned mask = 0;
  if (r->table || !room_is_full(r))
    return 0;
  for (int i = 0; i < r->head.setup.players; i++)
    if (r->seat[i].pledged && !r->seat[i].has_part)
      mask |= 1u << i;
  return mask;
}

const struct sal_bot *room_bot_at(const struct room *r, int seat) {
  const struct room_seat *s = &r->seat[seat];
  return s->kind == SEAT_BOT ? s->bot : s->away ? r->head.stand_in : NULL;
}

bool room_is_rated(const struct room *r) {
  return r->head.rated && !r->helped && !r->withheld;
}

bool room_is_practice(const struct room *r) {
  int people = 0;
  for (int i = 0; i < r->head.setup.players; i++)
    people += r->seat[i].kind != SEAT_BOT || r->seat[i].person;
  return people == 1 && !r->head.rated;
}

unsigned room_asked(const struct room *r) {
  return r->table ? sal_table_to_act(r->table) : 0;
}

bool room_in_play(const struct room *r) { return room_asked(r) != 0; }

bool room_watched_by(const struct room *r, int64_t person) {
  return room_in_play(r) && room_seat_of(r, person) < 0;
}

/* ---- The kinds of moves --------------------------------------------------- */

static bool read_sit_move(const char *text, struct room_sitting *out) {
  json_t *j = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
  const json_t *person = json_object_get(j, "person");
  const char *name = json_string_value(json_object_get(j, "name"));
  const char *key = json_string_value(json_object_get(j, "key"));
  const char *part = json_string_value(json_object_get(j, "part"));
  const char *hash = json_string_value(json_object_get(j, "part_hash"));
  memset(out, 0, sizeof *out);
  const bool ok =
      json_is_integer(person) && name && strlen(name) < sizeof out->name &&
      (!key || strlen(key) == ROOM_ID) &&
      (!part || sal_hex_read(part, out->part.bytes, SAL_KEY_SIZE)) &&
      (!hash || (!part && sal_hex_read(hash, out->pledge.bytes, SAL_KEY_SIZE)));
  if (ok) {
    out->pledged = hash != NULL;
    out->person = json_integer_value(person);
    out->has_part = part != NULL;
    strcpy(out->name, name);
    strcpy(out->key, key ? key : "");
  }
  json_decref(j);
  return ok;
}

void room_sit_write(const struct room_sitting *s, struct sal_text *out) {
  struct sal_json j;
  sal_json_init(&j, out);
  sal_json_object(&j, NULL);
  sal_json_int(&j, "person", s->person);
  sal_json_string(&j, "name", s->name);
  if (*s->key)
    sal_json_string(&j, "key", s->key);
  if (s->has_part)
    room_hex_write(&j, "part", &s->part);
  if (s->pledged)
    room_hex_write(&j, "part_hash", &s->pledge);
  sal_json_end(&j, '}');
}

/* Whether the seat waits for this person. */
static bool is_asked_to_sit(const struct room *r, int seat,
                            const struct room_sitting *s) {
  if (r->seat[seat].kind != SEAT_INVITED)
    return true;
  return r->head.kept[seat] == s->person ||
         (strlen(s->key) == ROOM_ID &&
          sodium_memcmp(s->key, r->head.key, ROOM_ID) == 0);
}

static int check_sit(const struct room *r, const struct store_move *m,
                     int64_t known_seq, struct sal_refusal *why) {
  struct room_sitting s;
  const enum room_seat_kind kind = r->seat[m->seat].kind;
  (void)known_seq;
  if (!read_sit_move(m->text, &s))
    return sal_refuse(why, SAL_BAD_REQUEST, NULL, NULL);
  if (r->table || (kind != SEAT_OPEN && kind != SEAT_INVITED))
    return sal_refuse(why, SAL_SEAT_TAKEN, NULL, NULL);
  if (!is_asked_to_sit(r, m->seat, &s))
    return sal_refuse(why, SAL_NOT_ALLOWED, NULL,
                      N_("This seat is reserved for an invited player."));
  if (room_seat_of(r, s.person) >= 0)
    return sal_refuse(why, SAL_SEAT_TAKEN, NULL,
                      N_("You already have this seat."));
  return 0;
}

static int make_sit(struct room *r, const struct store_move *m) {
  struct room_seat *seat = &r->seat[m->seat];
  struct room_sitting s;
  read_sit_move(m->text, &s);
  seat->kind = SEAT_PERSON;
  seat->person = s.person;
  seat->has_part = s.has_part;
  seat->part = s.part;
  seat->pledged = s.pledged;
  seat->pledge = s.pledge;
  strcpy(seat->name, s.name);
  return 0;
}

static int check_leave(const struct room *r, const struct store_move *m,
                       int64_t known_seq, struct sal_refusal *why) {
  (void)known_seq;
  if (r->seat[m->seat].kind != SEAT_PERSON)
    return sal_refuse(why, SAL_NOT_SEATED, NULL, NULL);
  if (r->table)
    return sal_refuse(why, SAL_NOT_ALLOWED, NULL,
                      N_("The game has begun; you can resign."));
  if (room_unrevealed(r))
    return sal_refuse(why, SAL_NOT_ALLOWED, NULL, N_("The game is beginning."));
  return 0;
}

static int make_leave(struct room *r, const struct store_move *m) {
  clear_seat(r, m->seat);
  return 0;
}

/* Somebody at the table gives a free seat to a bot. */
static int check_bot(const struct room *r, const struct store_move *m,
                     int64_t known_seq, struct sal_refusal *why) {
  const enum room_seat_kind kind = r->seat[m->seat].kind;
  (void)known_seq;
  if (r->table || (kind != SEAT_OPEN && kind != SEAT_INVITED))
    return sal_refuse(why, SAL_SEAT_TAKEN, NULL, NULL);
  return sal_bot_find(m->text) ? 0
                               : sal_refuse(why, SAL_BAD_REQUEST, NULL, NULL);
}

static int make_bot(struct room *r, const struct store_move *m) {
  r->head.bot[m->seat] = sal_bot_find(m->text);
  r->head.invited[m->seat] = false;
  r->head.kept[m->seat] = 0;
  clear_seat(r, m->seat);
  return 0;
}

static int check_start(const struct room *r, const struct store_move *m,
                       int64_t known_seq, struct sal_refusal *why) {
  (void)known_seq;
  if (r->table)
    return sal_refuse(why, SAL_LATE, NULL, NULL);
  if (!room_is_full(r))
    return sal_refuse(why, SAL_NOT_STARTED, NULL, "A seat is still open.");
  if (room_unrevealed(r) && strcmp(m->text, "zeros") != 0)
    return sal_refuse(why, SAL_NOT_STARTED, NULL, "A part is still missing.");
  return 0;
}

/* Somebody tells the part that they had pledged. What is another one is
 * refused: they may find the right one until the time is up. */
static int check_part(const struct room *r, const struct store_move *m,
                      int64_t known_seq, struct sal_refusal *why) {
  struct sal_key part, hash;
  (void)known_seq;
  if (!(room_unrevealed(r) >> m->seat & 1))
    return sal_refuse(why, SAL_NOT_ALLOWED, NULL,
                      "No part of yours is waited for.");
  if (!sal_hex_read(m->text, part.bytes, SAL_KEY_SIZE))
    return sal_refuse(why, SAL_BAD_REQUEST, NULL, NULL);
  sal_part_pledge(&part, &hash);
  return sal_key_equal(&hash, &r->seat[m->seat].pledge)
             ? 0
             : sal_refuse(why, SAL_BAD_REQUEST, NULL,
                          "This is not the part that you had pledged.");
}

static int make_part(struct room *r, const struct store_move *m) {
  struct room_seat *s = &r->seat[m->seat];
  sal_hex_read(m->text, s->part.bytes, SAL_KEY_SIZE);
  s->has_part = true;
  return 0;
}

/* The parts of those who gave one; of the others, zeros. */
static void gather_parts(const struct room *r, struct sal_plan *plan) {
  for (int i = 0; i < r->head.setup.players; i++) {
    const struct room_seat *s = &r->seat[i];
    plan->part[i] = s->part;
    plan->pledge[i] = s->pledge;
    plan->pledged |= s->pledged ? 1u << i : 0;
    if (s->has_part || s->pledged)
      plan->parts = r->head.setup.players;
  }
}

static int make_start(struct room *r, const struct store_move *m) {
  clock_start(&r->clock, &r->head.clock, m->at);
  struct sal_plan plan = {.game = r->head.game,
                          .setup = r->head.setup,
                          .seed = r->head.seed,
                          .key_cache = r->key_cache};
  r->withheld = room_unrevealed(r) != 0;
  gather_parts(r, &plan);
  r->table = sal_table_new(&plan);
  if (!r->table)
    return SAL_NO_MEMORY;
  free(r->key_cache);
  r->key_cache = NULL;
  return 0;
}

static int check_act(const struct room *r, const struct store_move *m,
                     int64_t known_seq, struct sal_refusal *why) {
  if (!r->table)
    return sal_refuse(why, SAL_NOT_STARTED, NULL, NULL);
  const bool asked = room_asked(r) >> m->seat & 1;
  const bool late = asked ? known_seq < r->asked_since[m->seat]
                          : known_seq < r->seq - 1 && room_in_play(r);
  if (late || known_seq >= r->seq)
    return sal_refuse(why, SAL_LATE, NULL, NULL);
  return 0; /* as far as the room knows; the table is asked next */
}

static int make_act(struct room *r, const struct store_move *m,
                    sal_action action) {
  const int error = sal_table_play(r->table, m->seat, action, NULL);
  if (!error)
    clock_acted(&r->clock, m->seat);
  return error;
}

/* How often a seat may take a move back in one game, and how many moves beside
 * the game a table may have. */
enum { UNDO_MAX = 100, ASIDES_MAX = 4000 };

static int check_undo(const struct room *r, const struct store_move *m,
                      int64_t known_seq, struct sal_refusal *why) {
  if (!r->table)
    return sal_refuse(why, SAL_NOT_STARTED, NULL, NULL);
  if (r->seat[m->seat].kind != SEAT_PERSON || r->seat[m->seat].away)
    return sal_refuse(why, SAL_NOT_SEATED, NULL, NULL);
  if (!r->head.undo)
    return sal_refuse(why, SAL_NOT_ALLOWED, NULL, NULL);
  if (r->undone[m->seat] >= UNDO_MAX)
    return sal_refuse(why, SAL_NO_UNDO, NULL,
                      N_("You have undone as many moves in this game as is "
                         "allowed."));
  if (known_seq < r->played || known_seq >= r->seq)
    return sal_refuse(why, SAL_LATE, NULL, NULL);
  return room_is_practice(r) ? sal_table_may_rewind(r->table, m->seat, why)
                             : sal_table_may_undo(r->table, m->seat, why);
}

static int make_undo(struct room *r, const struct store_move *m) {
  const int error = room_is_practice(r)
                        ? sal_table_rewind(r->table, m->seat, NULL)
                        : sal_table_undo(r->table, m->seat, NULL);
  if (!error) {
    clock_undone(&r->clock, m->seat);
    r->undone[m->seat]++;
    r->helped = true;
  }
  return error;
}

/* Advice itself is no move; that somebody asked for it is. */
static int check_hint(const struct room *r, const struct store_move *m,
                      int64_t known_seq, struct sal_refusal *why) {
  (void)known_seq;
  if (!r->table)
    return sal_refuse(why, SAL_NOT_STARTED, NULL, NULL);
  if (r->seat[m->seat].kind != SEAT_PERSON || r->seat[m->seat].away)
    return sal_refuse(why, SAL_NOT_SEATED, NULL, NULL);
  if (!r->head.hints)
    return sal_refuse(why, SAL_NOT_ALLOWED, NULL, NULL);
  if (!(room_asked(r) >> m->seat & 1))
    return sal_refuse(why, SAL_NOT_YOUR_TURN, NULL, NULL);
  return 0;
}

static int make_hint(struct room *r, const struct store_move *m) {
  (void)m;
  r->helped = true;
  return 0;
}

static int check_away(const struct room *r, const struct store_move *m,
                      int64_t known_seq, struct sal_refusal *why) {
  (void)known_seq;
  return r->table && r->seat[m->seat].kind == SEAT_PERSON &&
                 (clock_out(&r->clock, m->at) >> m->seat & 1)
             ? 0
             : sal_refuse(why, SAL_LATE, NULL, NULL);
}

static int make_away(struct room *r, const struct store_move *m) {
  r->seat[m->seat].away = true;
  return 0;
}

static int check_back(const struct room *r, const struct store_move *m,
                      int64_t known_seq, struct sal_refusal *why) {
  (void)known_seq;
  if (r->seat[m->seat].kind != SEAT_PERSON || !r->seat[m->seat].away)
    return sal_refuse(why, SAL_NOT_ALLOWED, NULL, N_("You are not away."));
  return room_in_play(r) ? 0 : sal_refuse(why, SAL_GAME_OVER, NULL, NULL);
}

static int make_back(struct room *r, const struct store_move *m) {
  r->seat[m->seat].away = false;
  clock_back(&r->clock, m->seat);
  return 0;
}

/* The server has been closed since the moment that the text tells. */
static int check_woke(const struct room *r, const struct store_move *m,
                      int64_t known_seq, struct sal_refusal *why) {
  char *end;
  (void)known_seq;
  (void)strtoll(m->text, &end, 10);
  return r->table && *m->text && !*end
             ? 0
             : sal_refuse(why, SAL_BAD_REQUEST, NULL, NULL);
}

static int make_woke(struct room *r, const struct store_move *m) {
  clock_skip(&r->clock, m->at);
  return 0;
}

static int check_rematch(const struct room *r, const struct store_move *m,
                         int64_t known_seq, struct sal_refusal *why) {
  (void)known_seq;
  if (*r->next)
    return sal_refuse(why, SAL_LATE, NULL, NULL);
  if (r->seat[m->seat].kind != SEAT_PERSON)
    return sal_refuse(why, SAL_NOT_SEATED, NULL, NULL);
  if (!r->table || room_in_play(r))
    return sal_refuse(why, SAL_NOT_STARTED, NULL,
                      N_("The game is not over yet."));
  return strlen(m->text) == ROOM_ID
             ? 0
             : sal_refuse(why, SAL_BAD_REQUEST, NULL, NULL);
}

static int make_rematch(struct room *r, const struct store_move *m) {
  strcpy(r->next, m->text);
  return 0;
}

static int check_resign(const struct room *r, const struct store_move *m,
                        int64_t known_seq, struct sal_refusal *why) {
  (void)known_seq;
  if (r->seat[m->seat].kind != SEAT_PERSON)
    return sal_refuse(why, SAL_NOT_SEATED, NULL, NULL);
  if (!r->table)
    return sal_refuse(why, SAL_NOT_STARTED, NULL, NULL);
  return room_in_play(r) ? 0 : sal_refuse(why, SAL_GAME_OVER, NULL, NULL);
}

const char *room_resign_text(const struct room *r, bool for_good) {
  return r->head.setup.players > 2 ? "" : for_good ? "gone" : "over";
}

/* Without a text, as all once were, the game goes on. */
static int make_resign(struct room *r, const struct store_move *m) {
  const int error =
      *m->text ? sal_table_resign(r->table, m->seat, NULL) : SAL_OK;
  if (error || strcmp(m->text, "over") == 0)
    return error;
  r->seat[m->seat].kind = SEAT_BOT;
  r->seat[m->seat].bot = r->head.stand_in;
  r->seat[m->seat].away = false;
  return 0;
}

static int check_end(const struct room *r, const struct store_move *m,
                     int64_t known_seq, struct sal_refusal *why) {
  (void)r, (void)m, (void)known_seq, (void)why;
  return 0;
}

static int make_end(struct room *r, const struct store_move *m) {
  (void)m;
  r->ended = true;
  return 0;
}

static const struct kind {
  const char *name;
  bool seated; /* it is a seat's move */
  bool plays;  /* it changes the game itself */
  bool asks;   /* its seat is asked anew */
  int (*check)(const struct room *r, const struct store_move *m,
               int64_t known_seq, struct sal_refusal *why);
  /* NULL: make_act, which needs to know the action. */
  int (*make)(struct room *r, const struct store_move *m);
} kinds[] = {
    {"act", true, true, true, check_act, NULL},
    {"sit", true, false, true, check_sit, make_sit},
    {"leave", true, false, true, check_leave, make_leave},
    {"bot", true, false, true, check_bot, make_bot},
    {"part", true, false, false, check_part, make_part},
    {"start", false, true, false, check_start, make_start},
    {"undo", true, true, true, check_undo, make_undo},
    {"hint", true, false, false, check_hint, make_hint},
    {"away", true, false, true, check_away, make_away},
    {"back", true, false, true, check_back, make_back},
    {"woke", false, false, false, check_woke, make_woke},
    {"resign", true, false, true, check_resign, make_resign},
    {"rematch", true, false, false, check_rematch, make_rematch},
    {"end", false, false, false, check_end, make_end},
};

static const struct kind *kind_of(const struct store_move *m) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kinds[i].name, m->kind) == 0)
      return &kinds[i];
  return NULL;
}

/* What people can do as often as they like, without the game coming to an end:
 * sitting down and standing up, hints, undo. It has a bound, so that a table can
 * always be read again (STORE_MOVES_MAX). */
static bool is_aside(const struct kind *k) {
  return k->make == make_sit || k->make == make_leave || k->make == make_undo ||
         k->make == make_hint || k->make == make_back;
}

int room_check(const struct room *r, const struct store_move *m,
               int64_t known_seq, sal_action *action, struct sal_refusal *why) {
  const struct kind *k = kind_of(m);
  struct sal_refusal ours;
  if (!why)
    why = &ours;
  *action = 0;
  if (r->ended)
    return sal_refuse(why, SAL_NO_TABLE, NULL, N_("This table is closed."));
  if (!k || (k->seated && (m->seat < 0 || m->seat >= r->head.setup.players)))
    return sal_refuse(why, SAL_BAD_REQUEST, NULL, N_("There is no such seat."));
  if (is_aside(k) && r->asides >= ASIDES_MAX)
    return sal_refuse(
        why, SAL_FULL, NULL,
        N_("Too many people have come, gone or changed things at this table. Open another one."));
  if (k->check(r, m, known_seq, why) != 0)
    return why->code;
  if (k->make)
    return 0;
  *action = sal_table_read(r->table, m->seat, m->text, why);
  return *action ? 0 : why->code;
}

/* ---- Questions ------------------------------------------------------------ */

/* What a seat is asked, as one number; 0 if it is not asked. */
static uint64_t question(const struct room *r, int seat) {
  if (!(room_asked(r) >> seat & 1))
    return 0;
  size_t n;
  const sal_action *legal = sal_table_choices(r->table, seat, &n);
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < n; i++)
    hash = (hash ^ legal[i]) * 1099511628211u;
  return hash | 1;
}

/* Whose time runs after the move: people who are there. Who takes a move back
 * goes on with the time that was left. */
static void set_clock(struct room *r, const struct store_move *m) {
  unsigned seats = 0, fresh = 0;
  for (int s = 0; s < r->head.setup.players; s++) {
    if ((room_asked(r) >> s & 1) && !room_bot_at(r, s))
      seats |= 1u << s;
    if (r->asked_since[s] == r->seq &&
        (s != m->seat || strcmp(m->kind, "undo") != 0))
      fresh |= 1u << s;
  }
  clock_ask(&r->clock, seats, fresh);
}

/* A person acts, and could have acted otherwise. */
static bool is_decision(const struct room *r, const struct store_move *m) {
  size_t count = 0;
  if (strcmp(m->kind, "act") == 0 && !room_bot_at(r, m->seat))
    sal_table_choices(r->table, m->seat, &count);
  return count > 1;
}

/* A seat is asked anew when it has acted itself, when it was not asked before,
 * or when what it may do is not what it was: else another's move, made at the
 * same time, would make its answer late. */
int room_make(struct room *r, const struct store_move *m, sal_action action,
              struct sal_refusal *why) {
  uint64_t before[SAL_SEATS_MAX] = {0};
  const int players = r->head.setup.players;
  const struct kind *kind = kind_of(m);
  for (int s = 0; s < players; s++)
    before[s] = s == m->seat && kind->asks ? 0 : question(r, s);
  const bool decides = is_decision(r, m);
  const int64_t until =
      strcmp(m->kind, "woke") == 0 ? strtoll(m->text, NULL, 10) : m->at;
  clock_pass(&r->clock, until < m->at ? until : m->at);
  const int error = kind->make ? kind->make(r, m) : make_act(r, m, action);
  if (error)
    return sal_refuse(why, error, NULL, NULL);
  for (int s = 0; s < players; s++)
    if (!before[s] || question(r, s) != before[s])
      r->asked_since[s] = r->seq;
  if (kind->plays)
    r->played = r->seq;
  if ((kind->plays || kind->make == make_resign) && !room_in_play(r))
    r->over_at = m->at;
  if (decides)
    r->decisions[m->seat]++;
  r->asides += is_aside(kind);
  set_clock(r, m);
  r->last_at = m->at;
  r->seq++;
  return 0;
}

int room_replay(struct room *r, const struct store_move *m,
                struct sal_refusal *why) {
  sal_action action;
  const int error = room_check(r, m, r->seq - 1, &action, why);
  return error ? error : room_make(r, m, action, why);
}
