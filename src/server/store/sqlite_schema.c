/* The schema in SQLite and how it came about: a list of migrations, each applied
 * once.
 *
 * Main invariant: `schema_version` holds the number of migrations that the file
 * has; each runs in one transaction with the change of that number. A file from
 * a newer program is refused, not guessed at. */
#include "sqlite.h"

/* The list of moves of a row of `recent` or `chapter`. One that was spoilt is
 * empty: so its games are found to miss moves, and no other. */
#define LIST "json_each(CASE WHEN json_valid(moves) THEN moves ELSE '[]' END)"

/* Moves where they lie, and those of rooms that are open. */
#define IN_MOVE "SELECT room, seq, at, seat, kind, text FROM move"
#define IN_CHAPTER "SELECT room, seq, at, seat, 'act', text FROM settled_act"
#define IN_RECENT "SELECT room, seq, at, seat, 'act', text FROM recent_act"
#define NOT_ENDED                                                              \
  " WHERE room NOT IN (SELECT room FROM move WHERE kind = 'end')"

/* Never change one that was released; add another at the end. */
static const char *const migrations[] = {
    "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL,"
    " at INTEGER NOT NULL) STRICT;"
    "CREATE TABLE session (hash BLOB PRIMARY KEY, person INTEGER NOT NULL"
    " REFERENCES person (id), at INTEGER NOT NULL) STRICT, WITHOUT ROWID;"
    "CREATE TABLE move (room TEXT NOT NULL, seq INTEGER NOT NULL,"
    " at INTEGER NOT NULL, seat INTEGER NOT NULL, kind TEXT NOT NULL,"
    " text TEXT NOT NULL, PRIMARY KEY (room, seq)) STRICT, WITHOUT ROWID;"
    "CREATE INDEX move_end ON move (room) WHERE kind = 'end';",
    "CREATE TABLE account (name TEXT PRIMARY KEY COLLATE NOCASE,"
    " person INTEGER NOT NULL UNIQUE REFERENCES person (id),"
    " secret TEXT NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;",
    /* Until when the server was open; results, and what they make of ratings. */
    "CREATE TABLE house (id INTEGER PRIMARY KEY CHECK (id = 1),"
    " alive INTEGER NOT NULL) STRICT;"
    "CREATE TABLE result (n INTEGER PRIMARY KEY AUTOINCREMENT,"
    " room TEXT NOT NULL UNIQUE, game TEXT NOT NULL, at INTEGER NOT NULL,"
    " rated INTEGER NOT NULL) STRICT;"
    "CREATE TABLE result_seat (n INTEGER NOT NULL REFERENCES result (n),"
    " seat INTEGER NOT NULL, person INTEGER NOT NULL, bot TEXT NOT NULL,"
    " name TEXT NOT NULL, place INTEGER NOT NULL, score INTEGER NOT NULL,"
    " gone INTEGER NOT NULL, before REAL NOT NULL, after REAL NOT NULL,"
    " PRIMARY KEY (n, seat)) STRICT, WITHOUT ROWID;"
    "CREATE INDEX result_person ON result_seat (person, n);"
    "CREATE TABLE rating (game TEXT NOT NULL, person INTEGER NOT NULL,"
    " bot TEXT NOT NULL, rating REAL NOT NULL, deviation REAL NOT NULL,"
    " volatility REAL NOT NULL, games INTEGER NOT NULL, at INTEGER NOT NULL,"
    " PRIMARY KEY (game, person, bot)) STRICT, WITHOUT ROWID;",
    "ALTER TABLE session ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE session ADD COLUMN agent TEXT NOT NULL DEFAULT '';"
    "UPDATE session SET seen = at;"
    "CREATE INDEX session_person ON session (person);"
    "CREATE INDEX move_sitter ON move (json_extract(text, '$.person'))"
    " WHERE kind = 'sit';"
    "CREATE TABLE ban (id INTEGER PRIMARY KEY, person INTEGER, network TEXT,"
    " why TEXT NOT NULL, at INTEGER NOT NULL) STRICT;"
    "CREATE TABLE wish (room TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT;",
    /* Moves in the order in which they came; see journal.h. */
    "CREATE TABLE recent (id INTEGER PRIMARY KEY, room TEXT NOT NULL,"
    " seq INTEGER NOT NULL, at INTEGER NOT NULL, seat INTEGER NOT NULL,"
    " kind TEXT NOT NULL, text TEXT NOT NULL) STRICT;"
    "CREATE VIEW moves AS SELECT room, seq, at, seat, kind, text FROM move"
    " UNION ALL SELECT room, seq, at, seat, kind, text FROM recent r"
    " WHERE NOT EXISTS (SELECT 1 FROM move m WHERE m.room = r.room"
    " AND m.seq = r.seq);",
    /* Acts together: those of a transaction, those of a game. */
    "INSERT OR IGNORE INTO move SELECT room, seq, at, seat, kind, text"
    " FROM recent;"
    "DROP VIEW moves; DROP TABLE recent;"
    "CREATE TABLE recent (id INTEGER PRIMARY KEY, moves TEXT NOT NULL"
    " CHECK (json_valid(moves))) STRICT;"
    "CREATE TABLE chapter (id INTEGER PRIMARY KEY, room TEXT NOT NULL,"
    " first INTEGER NOT NULL, last INTEGER NOT NULL, moves TEXT NOT NULL"
    " CHECK (json_valid(moves))) STRICT;"
    "CREATE UNIQUE INDEX chapter_room ON chapter (room, first, last);"
    "CREATE VIEW settled_act AS SELECT c.room, m.value ->> 0 AS seq,"
    " m.value ->> 1 AS at, m.value ->> 2 AS seat, m.value ->> 3 AS text"
    " FROM chapter c, " LIST " m;"
    /* What was carried over may still lie in `recent` for a while. */
    "CREATE VIEW recent_act AS SELECT r.id AS row, m.id AS n,"
    " m.value ->> 0 AS room, m.value ->> 1 AS seq, m.value ->> 2 AS at,"
    " m.value ->> 3 AS seat, m.value ->> 4 AS text FROM recent r, " LIST " m"
    " WHERE NOT EXISTS (SELECT 1 FROM chapter c WHERE c.room = m.value ->> 0"
    " AND c.first <= m.value ->> 1 AND c.last >= m.value ->> 1);"
    "CREATE VIEW settled AS " IN_MOVE " UNION ALL " IN_CHAPTER ";"
    "CREATE VIEW moves AS " IN_MOVE " UNION ALL " IN_CHAPTER
    " UNION ALL " IN_RECENT ";"
    "CREATE VIEW live AS " IN_MOVE NOT_ENDED " UNION ALL " IN_CHAPTER NOT_ENDED
    " UNION ALL " IN_RECENT NOT_ENDED ";",
    /* One log of moves, a row each, in the order in which they came; and a row
     * for each room that has ended, which says where its moves are. */
    "CREATE TABLE log (n INTEGER PRIMARY KEY, room TEXT NOT NULL,"
    " seq INTEGER NOT NULL, at INTEGER NOT NULL, seat INTEGER NOT NULL,"
    " kind TEXT NOT NULL, text TEXT NOT NULL) STRICT;"
    "INSERT INTO log (room, seq, at, seat, kind, text)"
    " SELECT room, seq, at, seat, kind, text FROM moves ORDER BY at, room, seq;"
    "DROP VIEW live; DROP VIEW moves; DROP VIEW settled; DROP VIEW recent_act;"
    "DROP VIEW settled_act; DROP TABLE chapter; DROP TABLE recent;"
    "DROP TABLE move; ALTER TABLE log RENAME TO move;"
    "CREATE TABLE game (room TEXT PRIMARY KEY, moves TEXT NOT NULL"
    " CHECK (json_valid(moves))) STRICT, WITHOUT ROWID;"
    "CREATE INDEX move_room ON move (room, seq);"
    "INSERT INTO game SELECT room, (SELECT json_group_array(n) FROM (SELECT n"
    " FROM move m WHERE m.room = e.room ORDER BY seq)) FROM move e"
    " WHERE kind = 'end' GROUP BY room;"
    "DROP INDEX move_room;"
    "CREATE UNIQUE INDEX move_open ON move (room) WHERE kind = 'open';"
    "CREATE INDEX move_end ON move (room) WHERE kind = 'end';"
    "CREATE INDEX move_sitter ON move (json_extract(text, '$.person'))"
    " WHERE kind = 'sit';"
    "CREATE INDEX rating_surely ON rating (game,"
    " (rating - 2 * deviation) DESC);"
    "ALTER TABLE house RENAME TO heartbeat;"
    "ALTER TABLE heartbeat RENAME COLUMN alive TO at;",
    /* Moderation: reports with the chat of their tables, who may not chat, and
     * what administrators have done. */
    "CREATE TABLE report (id INTEGER PRIMARY KEY, room TEXT NOT NULL,"
    " person INTEGER NOT NULL, about INTEGER NOT NULL, why TEXT NOT NULL,"
    " at INTEGER NOT NULL, done INTEGER NOT NULL) STRICT;"
    "CREATE TABLE chat (room TEXT NOT NULL, n INTEGER NOT NULL,"
    " at INTEGER NOT NULL, person INTEGER NOT NULL, seat INTEGER NOT NULL,"
    " name TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (room, n)) STRICT,"
    " WITHOUT ROWID;"
    "CREATE TABLE mute (person INTEGER PRIMARY KEY, why TEXT NOT NULL,"
    " at INTEGER NOT NULL) STRICT;"
    "CREATE TABLE admin_log (id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " at INTEGER NOT NULL, act TEXT NOT NULL, who TEXT NOT NULL,"
    " name TEXT NOT NULL, why TEXT NOT NULL) STRICT;",
    /* Whether a seat of a rated game counts; see results.c. */
    "ALTER TABLE result_seat ADD COLUMN counts INTEGER NOT NULL DEFAULT 1;",
    /* Which of the drawn faces an account has chosen; 0: none. */
    "ALTER TABLE account ADD COLUMN face INTEGER NOT NULL DEFAULT 0;",
    /* Court files that tables are played with; see court_store.h. */
    "CREATE TABLE court (id TEXT PRIMARY KEY, text TEXT NOT NULL,"
    " at INTEGER NOT NULL) STRICT, WITHOUT ROWID;",
    /* Where browsers want to be called; see push_store.h. */
    "CREATE TABLE push (endpoint TEXT PRIMARY KEY, person INTEGER NOT NULL,"
    " key TEXT NOT NULL, auth TEXT NOT NULL, lang TEXT NOT NULL,"
    " at INTEGER NOT NULL) STRICT, WITHOUT ROWID;"
    "CREATE INDEX push_person ON push (person);",
    /* What reviews have said of people; see progress_store.h. */
    "CREATE TABLE progress (person INTEGER NOT NULL, room TEXT NOT NULL,"
    " at INTEGER NOT NULL, game TEXT NOT NULL, text TEXT NOT NULL"
    " CHECK (json_valid(text)), PRIMARY KEY (person, room)) STRICT,"
    " WITHOUT ROWID;",
    /* What limits have counted, and reviews under way; see limit_store.h and
     * review_store.h. */
    "CREATE TABLE allowance (name TEXT PRIMARY KEY, used REAL NOT NULL,"
    " at INTEGER NOT NULL, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;"
    "CREATE TABLE review (room TEXT PRIMARY KEY, payer INTEGER NOT NULL,"
    " network TEXT NOT NULL, tries INTEGER NOT NULL) STRICT, WITHOUT ROWID;",
};

_Static_assert(sizeof migrations / sizeof *migrations == SQLITE_NEWEST,
               "the number of migrations is the version");

int sqlite_migrate(store_db *db, int version) {
  return sql_migrate(db, migrations, SQLITE_NEWEST, version);
}
