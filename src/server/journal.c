/* Moves in the order in which they came. See journal.h.
 *
 * A row of `recent` has the next number; `place` knows for each number since
 * the oldest one that is still needed whose move it is, and chains those of a
 * room. Rows are deleted from the oldest on, many at once: to delete those of
 * one game would touch as many pages as they were meant to spare. */
#include "journal.h"

#include <stdlib.h>
#include <string.h>

enum {
  BUCKETS = 1 << 12,
  PLACES_FIRST = 1 << 10,
  PLACES_MOST = 1 << 16, /* rows; then the oldest game is carried over */
  DELETE_AT_ONCE = 1 << 9,
  GAMES_AT_ONCE = 8
};

struct chapter {
  char room[STORE_ROOM_MAX + 1];
  int64_t last;      /* the number of its last move */
  int64_t head, end; /* its first and last row in `recent`, or 0 */
  bool due, ended;   /* to be carried over; then to be forgotten */
  struct chapter *next, *next_due;
};

struct place {
  struct chapter *of; /* NULL: carried over */
  int64_t next;       /* row of the same room, or 0 */
};

#define SQL(X)                                                                 \
  X(APPEND, "INSERT INTO recent (id, room, seq, at, seat, kind, text)"         \
            " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")                            \
  X(INSERT, "INSERT INTO move (room, seq, at, seat, kind, text)"               \
            " VALUES (?2, ?3, ?4, ?5, ?6, ?7)")                                \
  X(CARRY, "INSERT INTO move SELECT room, seq, at, seat, kind, text"           \
           " FROM recent WHERE id = ?1")                                       \
  X(CUT, "DELETE FROM recent WHERE id < ?1")                                   \
  X(LAST, "SELECT max(seq) FROM move WHERE room = ?1")                         \
  X(READ, "SELECT id, room, seq, EXISTS (SELECT 1 FROM move m WHERE"           \
          " m.room = r.room AND m.seq = r.seq), EXISTS (SELECT 1 FROM move m"  \
          " WHERE m.room = r.room AND m.kind = 'end') FROM recent r"           \
          " ORDER BY id")                                                      \
  X(CARRY_ALL, "INSERT OR IGNORE INTO move SELECT room, seq, at, seat, kind,"  \
               " text FROM recent ORDER BY room, seq")                         \
  X(CUT_ALL, "DELETE FROM recent")                                             \
  X(VERSION, "PRAGMA data_version")

enum sql {
#define X(id, text) id,
  SQL(X)
#undef X
      SQL_COUNT
};

struct journal {
  sqlite3 *db;
  sqlite3_stmt *statement[SQL_COUNT];
  bool known;      /* what lies in `recent` is what stands below */
  int64_t version; /* changes when anybody else writes to the file */
  struct chapter *bucket[BUCKETS];
  struct place *place;          /* by the number of the row */
  int64_t places;               /* a power of two */
  int64_t first, next, deleted; /* rows: needed; free; deleted up to there */
  struct chapter *due, **due_end;
};

/* ---- Life ----------------------------------------------------------------- */

struct journal *journal_new(sqlite3 *db) {
  struct journal *j = calloc(1, sizeof *j);
  if (!j)
    return NULL;
  j->db = db;
  j->places = PLACES_FIRST;
  j->first = j->next = j->deleted = 1;
  j->due_end = &j->due;
  j->place = malloc((size_t)j->places * sizeof *j->place);
  if (j->place)
    return j;
  free(j);
  return NULL;
}

void journal_forget(struct journal *j) {
  for (size_t i = 0; i < BUCKETS; i++) {
    for (struct chapter *c = j->bucket[i], *next; c; c = next) {
      next = c->next;
      free(c);
    }
    j->bucket[i] = NULL;
  }
  j->first = j->next = j->deleted = 1;
  j->due = NULL;
  j->due_end = &j->due;
  j->known = false;
}

void journal_free(struct journal *j) {
  if (!j)
    return;
  journal_forget(j);
  for (int i = 0; i < SQL_COUNT; i++)
    sqlite3_finalize(j->statement[i]);
  free(j->place);
  free(j);
}

/* ---- Statements ------------------------------------------------------------ */

static sqlite3_stmt *prepared(struct journal *j, enum sql which) {
  static const char *const texts[] = {
#define X(id, text) text,
      SQL(X)
#undef X
  };
  if (!j->statement[which])
    sqlite3_prepare_v3(j->db, texts[which], -1, SQLITE_PREPARE_PERSISTENT,
                       &j->statement[which], NULL);
  return j->statement[which];
}

/* Runs one that yields nothing. Numbers are looked at before, so that a row is
 * there already means that the file is not sound. */
static int run(struct journal *j, sqlite3_stmt *q) {
  if (!q)
    return sqlite3_extended_errcode(j->db);
  const int code = sqlite3_step(q);
  sqlite3_reset(q);
  return code == SQLITE_DONE                  ? SQLITE_OK
         : (code & 0xff) == SQLITE_CONSTRAINT ? SQLITE_CORRUPT
                                              : code;
}

static int run_with(struct journal *j, enum sql which, int64_t row) {
  sqlite3_stmt *q = prepared(j, which);
  if (q)
    sqlite3_bind_int64(q, 1, row);
  return run(j, q);
}

static int write_move(struct journal *j, enum sql which, int64_t row,
                      const struct store_move *m) {
  sqlite3_stmt *q = prepared(j, which);
  if (q && which == APPEND)
    sqlite3_bind_int64(q, 1, row);
  if (q) {
    sqlite3_bind_text(q, 2, m->room, -1, SQLITE_STATIC);
    sqlite3_bind_int64(q, 3, m->seq);
    sqlite3_bind_int64(q, 4, m->at);
    sqlite3_bind_int(q, 5, m->seat);
    sqlite3_bind_text(q, 6, m->kind, -1, SQLITE_STATIC);
    sqlite3_bind_text(q, 7, m->text, -1, SQLITE_STATIC);
  }
  return run(j, q);
}

/* ---- Rooms ----------------------------------------------------------------- */

static struct chapter **find(struct journal *j, const char *room) {
  struct chapter **at = &j->bucket[store_room_hash(room) % BUCKETS];
  while (*at && strcmp((*at)->room, room) != 0)
    at = &(*at)->next;
  return at;
}

/* The chapter of a room, begun if it is new: what came before lies in `move`. */
static int open_chapter(struct journal *j, const char *room,
                        struct chapter **out) {
  struct chapter **at = find(j, room);
  if ((*out = *at))
    return SQLITE_OK;
  sqlite3_stmt *q = prepared(j, LAST);
  if (!q)
    return sqlite3_extended_errcode(j->db);
  sqlite3_bind_text(q, 1, room, -1, SQLITE_STATIC);
  const int code = sqlite3_step(q);
  const int64_t last = sqlite3_column_type(q, 0) == SQLITE_NULL
                           ? -1
                           : sqlite3_column_int64(q, 0);
  sqlite3_reset(q);
  if (code != SQLITE_ROW)
    return code;
  struct chapter *c = calloc(1, sizeof *c);
  if (!c)
    return SQLITE_NOMEM;
  strcpy(c->room, room);
  c->last = last;
  *out = *at = c;
  return SQLITE_OK;
}

static void close_chapter(struct journal *j, struct chapter *gone) {
  *find(j, gone->room) = gone->next;
  free(gone);
}

/* ---- Rows ------------------------------------------------------------------ */

static struct place *place_of(struct journal *j, int64_t row) {
  return &j->place[row & (j->places - 1)];
}

static bool grow(struct journal *j) {
  struct place *more = malloc(2 * (size_t)j->places * sizeof *more);
  if (!more)
    return false;
  for (int64_t row = j->first; row < j->next; row++)
    more[row & (2 * j->places - 1)] = *place_of(j, row);
  free(j->place);
  j->place = more;
  j->places *= 2;
  return true;
}

/* Deletes the oldest rows, once there are many that nobody needs. */
static int cut(struct journal *j) {
  while (j->first < j->next && !place_of(j, j->first)->of)
    j->first++;
  if (j->first - j->deleted < DELETE_AT_ONCE)
    return SQLITE_OK;
  j->deleted = j->first;
  return run_with(j, CUT, j->first);
}

static int carry_over(struct journal *j, struct chapter *c) {
  for (int64_t row = c->head; row;) {
    struct place *p = place_of(j, row);
    const int code = run_with(j, CARRY, row);
    if (code != SQLITE_OK)
      return code;
    row = p->next;
    p->of = NULL;
  }
  c->head = c->end = 0;
  return cut(j);
}

/* There is no room for one more row, and none can be made. */
static bool is_full(struct journal *j) {
  return j->next - j->first == j->places &&
         (j->places == PLACES_MOST || !grow(j));
}

/* The next row is the room's; of nobody, if it was carried over. */
static void note_row(struct journal *j, struct chapter *c) {
  *place_of(j, j->next) = (struct place){c, 0};
  if (c && c->end)
    place_of(j, c->end)->next = j->next;
  else if (c)
    c->head = j->next;
  if (c)
    c->end = j->next;
  j->next++;
}

static int append(struct journal *j, struct chapter *c,
                  const struct store_move *m) {
  int code = SQLITE_OK;
  if (is_full(j))
    code = carry_over(j, place_of(j, j->first)->of);
  if (code == SQLITE_OK)
    code = write_move(j, APPEND, j->next, m);
  if (code == SQLITE_OK)
    note_row(j, c);
  return code;
}

/* Some time it is to be carried over. */
static void put_off(struct journal *j, struct chapter *c) {
  if (c->due)
    return;
  c->due = true;
  c->next_due = NULL;
  *j->due_end = c;
  j->due_end = &c->next_due;
}

/* ---- What lies there already ------------------------------------------------ */

/* SQLITE_CORRUPT: this run would not have left it so. */
static int read_row(struct journal *j, sqlite3_stmt *q) {
  const int64_t id = sqlite3_column_int64(q, 0);
  const char *room = (const char *)sqlite3_column_text(q, 1);
  const bool carried = sqlite3_column_int(q, 3);
  struct chapter *c = NULL;
  if (!room || strlen(room) > STORE_ROOM_MAX)
    return SQLITE_CORRUPT;
  if (j->first == j->next) {
    if (j->deleted == 0)
      j->deleted = id;
    j->first = j->next = id + carried;
    if (carried)
      return SQLITE_OK;
  }
  if (id != j->next || is_full(j))
    return SQLITE_CORRUPT;
  const int code = carried ? SQLITE_OK : open_chapter(j, room, &c);
  if (code != SQLITE_OK)
    return code;
  note_row(j, c);
  if (c && sqlite3_column_int64(q, 2) > c->last)
    c->last = sqlite3_column_int64(q, 2);
  if (c && sqlite3_column_int(q, 4)) {
    c->ended = true;
    put_off(j, c);
  }
  return SQLITE_OK;
}

/* Writes nothing: on a disk that is full there may be room for a move, and not
 * for carrying games over. */
static int read_back(struct journal *j) {
  sqlite3_stmt *q = prepared(j, READ);
  int code = SQLITE_OK, step = SQLITE_ERROR;
  journal_forget(j);
  j->deleted = 0;
  while (q && code == SQLITE_OK && (step = sqlite3_step(q)) == SQLITE_ROW)
    code = read_row(j, q);
  sqlite3_reset(q);
  if (j->deleted == 0)
    j->deleted = j->first;
  if (code == SQLITE_OK && step != SQLITE_DONE)
    code = q ? step : sqlite3_extended_errcode(j->db);
  j->known = code == SQLITE_OK;
  return code;
}

/* ---- What the store does ---------------------------------------------------- */

int journal_settle_all(struct journal *j) {
  journal_forget(j);
  int code = run(j, prepared(j, CARRY_ALL));
  if (code == SQLITE_OK)
    code = run(j, prepared(j, CUT_ALL));
  j->known = code == SQLITE_OK;
  return code;
}

int journal_begin(struct journal *j) {
  sqlite3_stmt *q = prepared(j, VERSION);
  const int code = q ? sqlite3_step(q) : sqlite3_extended_errcode(j->db);
  if (code != SQLITE_ROW)
    return code;
  const int64_t version = sqlite3_column_int64(q, 0);
  sqlite3_reset(q);
  if (j->known && version == j->version)
    return SQLITE_OK;
  j->version = version;
  const int read = read_back(j);
  return read == SQLITE_CORRUPT ? journal_settle_all(j) : read;
}

int journal_settle(struct journal *j, const char *room) {
  struct chapter *c = *find(j, room);
  return c ? carry_over(j, c) : SQLITE_OK;
}

void journal_settle_later(struct journal *j, const char *room) {
  struct chapter *c = *find(j, room);
  if (c)
    put_off(j, c);
}

bool journal_is_behind(const struct journal *j) { return j->due != NULL; }

int journal_catch_up(struct journal *j) {
  int code = SQLITE_OK;
  for (int i = 0; i < GAMES_AT_ONCE && j->due && code == SQLITE_OK; i++) {
    struct chapter *c = j->due;
    j->due = c->next_due;
    if (!j->due)
      j->due_end = &j->due;
    c->due = false;
    code = carry_over(j, c);
    if (c->ended)
      close_chapter(j, c);
  }
  return code;
}

int journal_add(struct journal *j, const struct store_move *m) {
  struct chapter *c;
  int code = open_chapter(j, m->room, &c);
  if (code != SQLITE_OK)
    return code;
  if (m->seq <= c->last)
    return SQLITE_CONSTRAINT;
  code = strcmp(m->kind, "act") == 0 ? append(j, c, m)
                                     : write_move(j, INSERT, 0, m);
  if (code != SQLITE_OK)
    return code;
  c->last = m->seq;
  c->ended = strcmp(m->kind, "end") == 0;
  if (c->ended)
    put_off(j, c);
  return SQLITE_OK;
}
