/* Moves in the order in which they came. See journal.h.
 *
 * All acts of a transaction make one row of `recent`, which has the next
 * number. What they say is kept by their rooms too, as JSON that is ready to be
 * put in place. A room is carried over whole; so the oldest row that is needed
 * is the first one of the room that waits longest, and those before it are
 * deleted, many at once. */
#include "journal.h"
#include "schema.h"
#include "salotto/text.h"

#include <stdlib.h>
#include <string.h>

enum {
  BUCKETS = 1 << 12,
  ROWS_MOST = 1 << 14, /* then the oldest game is carried over; */
  ACTS_MOST = 1 << 16, /* likewise */
  DELETE_AT_ONCE = 1 << 6,
  GAMES_AT_ONCE = 8
};

struct bytes {
  char *at;
  size_t length, size;
};

struct chapter {
  char room[STORE_ROOM_MAX + 1];
  int64_t last;      /* the number of its last move */
  struct bytes acts; /* not carried over: a list in JSON without its end */
  size_t count;
  int64_t first_act, last_act, first_row;
  struct chapter *older, *newer; /* of those that have some */
  bool due, ended;               /* to be carried over; then to be forgotten */
  struct chapter *next, *next_due;
};

#define SQL(X)                                                                 \
  X(APPEND, "INSERT INTO recent (id, moves) VALUES (?1, ?2)")                  \
  X(INSERT, "INSERT INTO move (room, seq, at, seat, kind, text)"               \
            " VALUES (?1, ?2, ?3, ?4, ?5, ?6)")                                \
  X(CARRY, "INSERT INTO chapter (room, first, last, moves)"                    \
           " VALUES (?1, ?2, ?3, ?4)")                                         \
  X(CUT, "DELETE FROM recent WHERE id < ?1")                                   \
  X(LAST, "SELECT max((SELECT coalesce(max(seq), -1) FROM move"                \
          " WHERE room = ?1), (SELECT coalesce(max(last), -1) FROM chapter"    \
          " WHERE room = ?1))")                                                \
  X(ROWS, "SELECT coalesce(min(id), 1), coalesce(max(id), 0) + 1 FROM recent") \
  X(READ, "SELECT row, room, seq, at, seat, text, EXISTS (SELECT 1 FROM move"  \
          " e WHERE e.room = a.room AND e.kind = 'end') FROM recent_act a"     \
          " ORDER BY row, n")                                                  \
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
  struct chapter *oldest, *newest; /* of those with acts, by their first row */
  struct chapter *due, **due_end;
  struct bytes fresh;    /* of this transaction, not written yet: as `acts` */
  size_t waiting;        /* acts in all chapters */
  int64_t next, deleted; /* rows: free; deleted up to there */
};

/* ---- Life ----------------------------------------------------------------- */

struct journal *journal_new(sqlite3 *db) {
  struct journal *j = calloc(1, sizeof *j);
  if (!j)
    return NULL;
  j->db = db;
  j->next = j->deleted = 1;
  j->due_end = &j->due;
  return j;
}

static void clear_bytes(struct bytes *b) {
  free(b->at);
  *b = (struct bytes){0};
}

static void free_chapter(struct chapter *c) {
  clear_bytes(&c->acts);
  free(c);
}

void journal_forget(struct journal *j) {
  for (size_t i = 0; i < BUCKETS; i++) {
    for (struct chapter *c = j->bucket[i], *next; c; c = next) {
      next = c->next;
      free_chapter(c);
    }
    j->bucket[i] = NULL;
  }
  j->oldest = j->newest = j->due = NULL;
  j->due_end = &j->due;
  j->fresh.length = j->waiting = 0;
  j->next = j->deleted = 1;
  j->known = false;
}

void journal_free(struct journal *j) {
  if (!j)
    return;
  journal_forget(j);
  for (int i = 0; i < SQL_COUNT; i++)
    sqlite3_finalize(j->statement[i]);
  clear_bytes(&j->fresh);
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
static int run_statement(struct journal *j, sqlite3_stmt *q) {
  if (!q)
    return sqlite3_extended_errcode(j->db);
  const int code = sqlite3_step(q);
  sqlite3_reset(q);
  return code == SQLITE_DONE                  ? SQLITE_OK
         : (code & 0xff) == SQLITE_CONSTRAINT ? SQLITE_CORRUPT
                                              : code;
}

static int insert_move(struct journal *j, const struct store_move *m) {
  sqlite3_stmt *q = prepared(j, INSERT);
  if (q) {
    sqlite3_bind_text(q, 1, m->room, -1, SQLITE_STATIC);
    sqlite3_bind_int64(q, 2, m->seq);
    sqlite3_bind_int64(q, 3, m->at);
    sqlite3_bind_int(q, 4, m->seat);
    sqlite3_bind_text(q, 5, m->kind, -1, SQLITE_STATIC);
    sqlite3_bind_text(q, 6, m->text, -1, SQLITE_STATIC);
  }
  return run_statement(j, q);
}

/* ---- Bytes ----------------------------------------------------------------- */

static bool make_room(struct bytes *b, size_t n) {
  if (b->length + n <= b->size)
    return true;
  size_t size = b->size ? b->size : 64;
  while (size < b->length + n)
    size *= 2;
  char *more = realloc(b->at, size);
  if (!more)
    return false;
  b->at = more;
  b->size = size;
  return true;
}

static void add_bytes(struct bytes *b, const char *from, size_t n) {
  memcpy(b->at + b->length, from, n);
  b->length += n;
}

/* The list with its end, which is not part of the bytes; there is room. */
static void bind_list(sqlite3_stmt *q, int n, struct bytes *b) {
  b->at[b->length] = ']';
  sqlite3_bind_text(q, n, b->at, (int)b->length + 1, SQLITE_STATIC);
}

/* ---- Rooms ----------------------------------------------------------------- */

static struct chapter **find(struct journal *j, const char *room) {
  struct chapter **at = &j->bucket[store_room_hash(room) % BUCKETS];
  while (*at && strcmp((*at)->room, room) != 0)
    at = &(*at)->next;
  return at;
}

/* The chapter of a room, begun if it is new: what came before is in place. */
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
  const int64_t last = sqlite3_column_int64(q, 0);
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
  free_chapter(gone);
}

static void list_newest(struct journal *j, struct chapter *c) {
  c->older = j->newest;
  c->newer = NULL;
  *(j->newest ? &j->newest->newer : &j->oldest) = c;
  j->newest = c;
}

static void unlist(struct journal *j, struct chapter *c) {
  *(c->older ? &c->older->newer : &j->oldest) = c->newer;
  *(c->newer ? &c->newer->older : &j->newest) = c->older;
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

/* ---- Rows ------------------------------------------------------------------ */

static int64_t first_needed(const struct journal *j) {
  return j->oldest ? j->oldest->first_row : j->next;
}

static int cut_to(struct journal *j, int64_t row) {
  sqlite3_stmt *q = prepared(j, CUT);
  if (q)
    sqlite3_bind_int64(q, 1, row);
  j->deleted = row;
  return run_statement(j, q);
}

/* Deletes the oldest rows, once there are many that nobody needs. */
static int cut(struct journal *j) {
  const int64_t first = first_needed(j);
  return first - j->deleted < DELETE_AT_ONCE ? SQLITE_OK : cut_to(j, first);
}

static int carry_over(struct journal *j, struct chapter *c) {
  sqlite3_stmt *q = prepared(j, CARRY);
  if (c->count == 0)
    return SQLITE_OK;
  if (q) {
    sqlite3_bind_text(q, 1, c->room, -1, SQLITE_STATIC);
    sqlite3_bind_int64(q, 2, c->first_act);
    sqlite3_bind_int64(q, 3, c->last_act);
    bind_list(q, 4, &c->acts);
  }
  const int code = run_statement(j, q);
  if (code != SQLITE_OK)
    return code;
  j->waiting -= c->count;
  c->count = 0;
  clear_bytes(&c->acts);
  unlist(j, c);
  return cut(j);
}

/* ---- Acts ------------------------------------------------------------------ */

/* The act lies in the row that is next. Its text goes to the room's, and as
 * `fresh` to the transaction's. */
static bool note_act(struct journal *j, struct chapter *c,
                     const struct store_move *m, bool fresh) {
  char text[6 * STORE_TEXT_MAX + STORE_ROOM_MAX + 100];
  struct sal_text t;
  struct sal_json list;
  sal_text_init(&t, text, sizeof text);
  sal_json_init(&list, &t);
  sal_json_list(&list, NULL);
  sal_json_string(&list, NULL, m->room);
  const size_t rest = t.len; /* from the comma on */
  sal_json_int(&list, NULL, m->seq);
  sal_json_int(&list, NULL, m->at);
  sal_json_int(&list, NULL, m->seat);
  sal_json_string(&list, NULL, m->text);
  sal_json_end(&list, ']');
  if (!make_room(&c->acts, t.len + 2) ||
      (fresh && !make_room(&j->fresh, t.len + 2)))
    return false;
  add_bytes(&c->acts, c->count ? ",[" : "[[", 2);
  add_bytes(&c->acts, text + rest + 1, t.len - rest - 1);
  if (fresh) {
    add_bytes(&j->fresh, j->fresh.length ? "," : "[", 1);
    add_bytes(&j->fresh, text, t.len);
  }
  if (c->count == 0) {
    c->first_act = m->seq;
    c->first_row = j->next;
    list_newest(j, c);
  }
  c->last_act = m->seq;
  c->count++;
  j->waiting++;
  return true;
}

static int add_act(struct journal *j, struct chapter *c,
                   const struct store_move *m) {
  int code = SQLITE_OK;
  while (code == SQLITE_OK && j->oldest &&
         (j->next - first_needed(j) >= ROWS_MOST || j->waiting >= ACTS_MOST))
    code = carry_over(j, j->oldest);
  if (code == SQLITE_OK && !note_act(j, c, m, true))
    code = SQLITE_NOMEM;
  return code;
}

/* ---- What lies there already ------------------------------------------------ */

static int read_act(struct journal *j, sqlite3_stmt *q) {
  struct store_move m = {.seq = sqlite3_column_int64(q, 2),
                         .at = sqlite3_column_int64(q, 3),
                         .seat = sqlite3_column_int(q, 4)};
  const bool ended = sqlite3_column_int(q, 6);
  struct chapter *c;
  if (!schema_text(q, 1, m.room, sizeof m.room) ||
      !schema_text(q, 5, m.text, sizeof m.text))
    return SQLITE_CORRUPT;
  const int code = open_chapter(j, m.room, &c);
  if (code != SQLITE_OK)
    return code;
  j->next = sqlite3_column_int64(q, 0);
  if (!note_act(j, c, &m, false))
    return SQLITE_NOMEM;
  if (m.seq > c->last)
    c->last = m.seq;
  if (ended) {
    c->ended = true;
    put_off(j, c);
  }
  return SQLITE_OK;
}

/* Writes nothing: on a disk that is full there may be room for a move, and not
 * for carrying games over. */
static int read_back(struct journal *j) {
  sqlite3_stmt *rows = prepared(j, ROWS), *q = prepared(j, READ);
  int code = SQLITE_OK, step = SQLITE_ERROR;
  journal_forget(j);
  if (!rows || !q)
    return sqlite3_extended_errcode(j->db);
  if ((step = sqlite3_step(rows)) == SQLITE_ROW) {
    const int64_t next = sqlite3_column_int64(rows, 1);
    j->deleted = sqlite3_column_int64(rows, 0);
    while (code == SQLITE_OK && (step = sqlite3_step(q)) == SQLITE_ROW)
      code = read_act(j, q);
    j->next = next;
  }
  sqlite3_reset(rows);
  sqlite3_reset(q);
  if (code == SQLITE_OK && step != SQLITE_DONE)
    code = step;
  j->known = code == SQLITE_OK;
  return code;
}

/* ---- What the store does ---------------------------------------------------- */

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
  return read_back(j);
}

int journal_end(struct journal *j) {
  sqlite3_stmt *q = prepared(j, APPEND);
  if (j->fresh.length == 0)
    return SQLITE_OK;
  if (q) {
    sqlite3_bind_int64(q, 1, j->next);
    bind_list(q, 2, &j->fresh);
  }
  const int code = run_statement(j, q);
  j->fresh.length = 0;
  j->next++;
  return code;
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
    if (c->ended && code == SQLITE_OK)
      close_chapter(j, c);
  }
  return code;
}

int journal_settle_all(struct journal *j) {
  int code = SQLITE_OK;
  while (code == SQLITE_OK && j->oldest)
    code = carry_over(j, j->oldest);
  return code == SQLITE_OK ? cut_to(j, j->next) : code;
}

int journal_add(struct journal *j, const struct store_move *m) {
  struct chapter *c;
  int code = open_chapter(j, m->room, &c);
  if (code != SQLITE_OK)
    return code;
  if (m->seq <= c->last)
    return SQLITE_CONSTRAINT;
  code = strcmp(m->kind, "act") == 0 ? add_act(j, c, m) : insert_move(j, m);
  if (code != SQLITE_OK)
    return code;
  c->last = m->seq;
  c->ended = strcmp(m->kind, "end") == 0;
  if (c->ended)
    put_off(j, c);
  return SQLITE_OK;
}
