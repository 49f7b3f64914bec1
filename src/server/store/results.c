/* Results and ratings in the store. See results.h; docs/server.md has the rule
 * of what counts.
 *
 * One game is one rating period for those who played it. A game of more than
 * two counts as a meeting of every two; two seats of the same bot do not meet,
 * and what both achieved against others counts for the one bot. */
#include "results.h"
#include "base/glicko.h"
#include "sql.h"

#include <stdio.h>
#include <string.h>

static const double tau = 0.5;
static const double period_ms = 7.0 * 86400 * 1000; /* without a game */

/* ---- Ratings -------------------------------------------------------------- */

static bool same_player(const struct result_seat *a,
                        const struct result_seat *b) {
  return a->person == b->person && strcmp(a->bot, b->bot) == 0;
}

/* A rating as it stands in the store. */
struct standing {
  struct glicko glicko;
  int64_t games, at;
};

static int read_standing(sqlite3 *db, const char *game,
                         const struct result_seat *s, struct standing *out) {
  *out = (struct standing){glicko_newcomer, 0, 0};
  sqlite3_stmt *q =
      sql_keep(db, "SELECT rating, deviation, volatility, games, at FROM rating"
                   " WHERE game = ?1 AND person = ?2 AND bot = ?3");
  int code = sqlite3_errcode(db);
  if (q) {
    sqlite3_bind_text(q, 1, game, -1, SQLITE_STATIC);
    sqlite3_bind_int64(q, 2, s->person);
    sqlite3_bind_text(q, 3, s->bot, -1, SQLITE_STATIC);
    code = sqlite3_step(q);
    if (code == SQLITE_ROW)
      *out = (struct standing){{sqlite3_column_double(q, 0),
                                sqlite3_column_double(q, 1),
                                sqlite3_column_double(q, 2)},
                               sqlite3_column_int64(q, 3),
                               sqlite3_column_int64(q, 4)};
    code = code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
  }
  sqlite3_reset(q);
  return code;
}

/* Who has left for good, and so has no name any more, has no rating either. */
static int write_standing(sqlite3 *db, const struct result *r,
                          const struct result_seat *s,
                          const struct standing *now) {
  sqlite3_stmt *q = sql_keep(
      db,
      "INSERT OR REPLACE INTO rating (game, person, bot, rating, deviation,"
      " volatility, games, at) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 WHERE NOT"
      " EXISTS (SELECT 1 FROM person WHERE id = ?2 AND name = '')");
  int code = sqlite3_errcode(db);
  if (q) {
    sqlite3_bind_text(q, 1, r->game, -1, SQLITE_STATIC);
    sqlite3_bind_int64(q, 2, s->person);
    sqlite3_bind_text(q, 3, s->bot, -1, SQLITE_STATIC);
    sqlite3_bind_double(q, 4, now->glicko.rating);
    sqlite3_bind_double(q, 5, now->glicko.deviation);
    sqlite3_bind_double(q, 6, now->glicko.volatility);
    sqlite3_bind_int64(q, 7, now->games);
    sqlite3_bind_int64(q, 8, r->at);
    code = sqlite3_step(q) == SQLITE_DONE ? SQLITE_OK : sqlite3_errcode(db);
  }
  sqlite3_reset(q);
  return code;
}

/* ---- How much a meeting counts -------------------------------------------- */

/* Between the same two players at the same game: of the meetings of one day the
 * first ones count in full, then each half of the one before, then none. */
enum { FULL_A_DAY = 3, HALVED_A_DAY = 3, LOOKED_AT = 200 };
static const int64_t day_ms = INT64_C(86400) * 1000;

static double weight_after(int meetings) {
  if (meetings >= FULL_A_DAY + HALVED_A_DAY)
    return 0;
  return meetings < FULL_A_DAY ? 1 : 1.0 / (2 << (meetings - FULL_A_DAY));
}

/* How often the two have met within a day before this game. One of them is a
 * person; bots among themselves always count. */
static int met_before(sqlite3 *db, const struct result *r,
                      const struct result_seat *a, const struct result_seat *b,
                      int *count) {
  const struct result_seat *person = a->person ? a : b;
  const struct result_seat *other = a->person ? b : a;
  *count = 0;
  if (!person->person)
    return SQLITE_OK;
  sqlite3_stmt *q = sql_keep(
      db, "SELECT count(*) FROM (SELECT n FROM result_seat WHERE person = ?1"
          " AND n < ?2 AND counts ORDER BY n DESC LIMIT ?3) mine"
          " JOIN result r ON r.n = mine.n AND r.game = ?4 AND r.rated"
          " AND r.at > ?5 WHERE EXISTS (SELECT 1 FROM result_seat o"
          " WHERE o.n = r.n AND o.person = ?6 AND o.bot = ?7 AND o.counts)");
  int code = sqlite3_errcode(db);
  if (q) {
    sqlite3_bind_int64(q, 1, person->person);
    sqlite3_bind_int64(q, 2, r->n);
    sqlite3_bind_int(q, 3, LOOKED_AT);
    sqlite3_bind_text(q, 4, r->game, -1, SQLITE_STATIC);
    sqlite3_bind_int64(q, 5, r->at - day_ms);
    sqlite3_bind_int64(q, 6, other->person);
    sqlite3_bind_text(q, 7, other->bot, -1, SQLITE_STATIC);
    code = sqlite3_step(q);
    if (code == SQLITE_ROW)
      *count = sqlite3_column_int(q, 0);
    code = code == SQLITE_ROW ? SQLITE_OK : code;
  }
  sqlite3_reset(q);
  return code;
}

typedef double weights[SAL_SEATS_MAX][SAL_SEATS_MAX];

/* How much it counts that two seats have met in this game; 0: not at all. */
static int weigh(sqlite3 *db, const struct result *r, weights out) {
  int code = SQLITE_OK;
  for (int i = 0; i < r->seats; i++)
    for (int k = 0; k < i && code == SQLITE_OK; k++) {
      const struct result_seat *a = &r->seat[i], *b = &r->seat[k];
      int before = 0;
      out[i][k] = 0;
      if (a->counts && b->counts && !same_player(a, b)) {
        code = met_before(db, r, a, b, &before);
        out[i][k] = weight_after(before);
      }
      out[k][i] = out[i][k];
    }
  return code;
}

/* What a player has achieved at all their seats, against all others. */
static size_t meetings_of(const struct result *r, int player,
                          const struct standing *before, weights w,
                          struct glicko_meeting *out) {
  size_t n = 0;
  for (int mine = 0; mine < r->seats; mine++)
    for (int k = 0; k < r->seats; k++) {
      const struct result_seat *a = &r->seat[mine], *b = &r->seat[k];
      if (k == mine || !same_player(a, &r->seat[player]) || w[mine][k] <= 0)
        continue;
      out[n++] = (struct glicko_meeting){before[k].glicko,
                                         a->place < b->place   ? 1
                                         : a->place > b->place ? 0
                                                               : 0.5,
                                         w[mine][k]};
    }
  return n;
}

static bool is_first_of_player(const struct result *r, int seat) {
  for (int i = 0; i < seat; i++)
    if (same_player(&r->seat[i], &r->seat[seat]))
      return false;
  return true;
}

/* Everybody's rating after a game, from those before it. */
static int rate(sqlite3 *db, struct result *r, weights w) {
  struct standing before[SAL_SEATS_MAX];
  int code = SQLITE_OK;
  for (int i = 0; i < r->seats && code == SQLITE_OK; i++) {
    code = read_standing(db, r->game, &r->seat[i], &before[i]);
    const double idle = (double)(r->at - before[i].at) / period_ms;
    if (before[i].at > 0 && idle > 0)
      before[i].glicko = glicko_idle(&before[i].glicko, idle);
  }
  for (int i = 0; i < r->seats && code == SQLITE_OK; i++) {
    struct glicko_meeting met[SAL_SEATS_MAX * SAL_SEATS_MAX];
    const size_t n = meetings_of(r, i, before, w, met);
    struct standing after = before[i];
    if (n > 0) {
      after.glicko = glicko_after(&before[i].glicko, met, n, tau);
      after.games++;
    }
    r->seat[i].before = before[i].glicko.rating;
    r->seat[i].after = after.glicko.rating;
    if (n > 0 && is_first_of_player(r, i))
      code = write_standing(db, r, &r->seat[i], &after);
  }
  return code;
}

/* ---- Writing -------------------------------------------------------------- */

/* Who has left for good has no name any more. */
static int write_result_seat(sqlite3 *db, const struct result *r, int seat) {
  const struct result_seat *s = &r->seat[seat];
  sqlite3_stmt *q = sql_keep(
      db,
      "INSERT INTO result_seat (n, seat, person, bot, name, place, score, gone,"
      " before, after, counts)"
      " VALUES (?1, ?2, ?3, ?4, CASE WHEN EXISTS (SELECT 1 FROM person"
      " WHERE id = ?3 AND name = '') THEN '' ELSE ?5 END, ?6, ?7, ?8, ?9, ?10,"
      " ?11)");
  int code = sqlite3_errcode(db);
  if (q) {
    sqlite3_bind_int64(q, 1, r->n);
    sqlite3_bind_int(q, 2, seat);
    sqlite3_bind_int64(q, 3, s->person);
    sqlite3_bind_text(q, 4, s->bot, -1, SQLITE_STATIC);
    sqlite3_bind_text(q, 5, s->name, -1, SQLITE_STATIC);
    sqlite3_bind_int(q, 6, s->place);
    sqlite3_bind_int64(q, 7, s->score);
    sqlite3_bind_int(q, 8, s->gone);
    sqlite3_bind_double(q, 9, s->before);
    sqlite3_bind_double(q, 10, s->after);
    sqlite3_bind_int(q, 11, s->counts);
    code = sqlite3_step(q) == SQLITE_DONE ? SQLITE_OK : sqlite3_errcode(db);
  }
  sqlite3_reset(q);
  return code;
}

/* The row of the result itself; not `fresh` if the room has one. */
static int write_result_head(sqlite3 *db, struct result *r, bool *fresh) {
  sqlite3_stmt *q = sql_keep(
      db, "INSERT INTO result (room, game, at, rated) VALUES (?1, ?2, ?3, ?4)"
          " ON CONFLICT (room) DO NOTHING");
  int code = sqlite3_errcode(db);
  if (q) {
    sqlite3_bind_text(q, 1, r->room, -1, SQLITE_STATIC);
    sqlite3_bind_text(q, 2, r->game, -1, SQLITE_STATIC);
    sqlite3_bind_int64(q, 3, r->at);
    sqlite3_bind_int(q, 4, r->rated);
    code = sqlite3_step(q) == SQLITE_DONE ? SQLITE_OK : sqlite3_errcode(db);
  }
  *fresh = code == SQLITE_OK && sqlite3_changes(db) > 0;
  r->n = sqlite3_last_insert_rowid(db);
  sqlite3_reset(q);
  return code;
}

/* Guests do not count: anybody can be as many of them as they like. */
static int find_guests(sqlite3 *db, struct result *r) {
  sqlite3_stmt *q = sql_keep(db, "SELECT 1 FROM account WHERE person = ?1");
  int code = q ? SQLITE_OK : sqlite3_errcode(db);
  for (int i = 0; i < r->seats && code == SQLITE_OK; i++) {
    if (!r->seat[i].person)
      continue;
    sqlite3_bind_int64(q, 1, r->seat[i].person);
    const int step = sqlite3_step(q);
    code = step == SQLITE_ROW || step == SQLITE_DONE ? SQLITE_OK : step;
    if (step == SQLITE_DONE) {
      r->seat[i].counts = false;
      r->unrated = r->unrated ? r->unrated : "guests";
    }
    sqlite3_reset(q);
  }
  return code;
}

/* A game is rated if it counts for a person; else says why not. */
static void settle(struct result *r, weights w) {
  bool real = false, fresh = false;
  if (!r->rated)
    return;
  for (int i = 0; i < r->seats; i++)
    for (int k = 0; k < r->seats; k++) {
      const struct result_seat *a = &r->seat[i], *b = &r->seat[k];
      if (!a->person || !a->counts || !b->counts || same_player(a, b))
        continue;
      real = true;
      fresh |= w[i][k] > 0;
    }
  r->rated = fresh;
  if (fresh)
    r->unrated = NULL;
  else if (real)
    r->unrated = "repeated";
  else if (!r->unrated)
    r->unrated = "short";
}

int result_write(sqlite3 *db, struct result *r, bool *fresh) {
  weights w = {{0}};
  int code = find_guests(db, r);
  r->n = INT64_MAX; /* after all others */
  if (code == SQLITE_OK)
    code = weigh(db, r, w);
  if (code == SQLITE_OK) {
    settle(r, w);
    code = write_result_head(db, r, fresh);
  }
  if (code == SQLITE_OK && *fresh && r->rated)
    code = rate(db, r, w);
  for (int i = 0; i < r->seats && code == SQLITE_OK && *fresh; i++)
    code = write_result_seat(db, r, i);
  return code;
}

int store_finish_game(struct store_job *job, store_db *db) {
  struct finish_job *f = (struct finish_job *)job;
  return result_write(db, &f->result, &f->fresh) == SQLITE_OK ? 0 : SAL_STORE;
}

/* ---- Again ---------------------------------------------------------------- */

static void read_row(sqlite3_stmt *q, struct result *r) {
  if (r->n != sqlite3_column_int64(q, 0)) {
    memset(r, 0, sizeof *r);
    r->n = sqlite3_column_int64(q, 0);
    snprintf(r->game, sizeof r->game, "%s", sqlite3_column_text(q, 1));
    r->at = sqlite3_column_int64(q, 2);
  }
  struct result_seat *s = &r->seat[r->seats++];
  s->person = sqlite3_column_int64(q, 3);
  snprintf(s->bot, sizeof s->bot, "%s", sqlite3_column_text(q, 4));
  s->place = sqlite3_column_int(q, 5);
  s->counts = sqlite3_column_int(q, 6);
}

/* What a game did to ratings, as histories tell it. */
static int rewrite_seats(sqlite3 *db, const struct result *r) {
  sqlite3_stmt *q = NULL;
  int code = sqlite3_prepare_v2(
      db,
      "UPDATE result_seat SET before = ?1, after = ?2 WHERE n = ?3"
      " AND seat = ?4",
      -1, &q, NULL);
  for (int i = 0; i < r->seats && code == SQLITE_OK; i++) {
    sqlite3_bind_double(q, 1, r->seat[i].before);
    sqlite3_bind_double(q, 2, r->seat[i].after);
    sqlite3_bind_int64(q, 3, r->n);
    sqlite3_bind_int(q, 4, i);
    code = sqlite3_step(q) == SQLITE_DONE ? SQLITE_OK : sqlite3_errcode(db);
    sqlite3_reset(q);
  }
  sqlite3_finalize(q);
  return code;
}

static int rate_again(sqlite3 *db, struct result *r) {
  weights w = {{0}};
  int code = weigh(db, r, w);
  if (code == SQLITE_OK)
    code = rate(db, r, w);
  return code == SQLITE_OK ? rewrite_seats(db, r) : code;
}

int ratings_recompute(sqlite3 *db) {
  sqlite3_stmt *q = NULL;
  struct result r = {0};
  int code = sqlite3_exec(db, "DELETE FROM rating", NULL, NULL, NULL);
  if (code == SQLITE_OK)
    code = sqlite3_prepare_v2(
        db,
        "SELECT r.n, r.game, r.at, s.person, s.bot, s.place, s.counts"
        " FROM result r"
        " JOIN result_seat s ON s.n = r.n WHERE r.rated ORDER BY r.n, s.seat",
        -1, &q, NULL);
  while (code == SQLITE_OK) {
    const int step = sqlite3_step(q);
    const bool more = step == SQLITE_ROW;
    if (!more && step != SQLITE_DONE) {
      code = step;
    } else {
      if (r.seats > 0 && (!more || r.n != sqlite3_column_int64(q, 0)))
        code = rate_again(db, &r);
      if (!more)
        break;
      if (r.seats < SAL_SEATS_MAX || r.n != sqlite3_column_int64(q, 0))
        read_row(q, &r);
    }
  }
  sqlite3_finalize(q);
  return code;
}
