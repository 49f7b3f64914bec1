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

static int read_standing(store_db *db, const char *game,
                         const struct result_seat *s, struct standing *out) {
  *out = (struct standing){glicko_newcomer, 0, 0};
  struct sql_query *q =
      sql_ask(db,
              "SELECT rating, deviation, volatility, games, at FROM rating"
              " WHERE game = ?1 AND person = ?2 AND bot = ?3",
              "tit", game, s->person, s->bot);
  if (sql_row(q))
    *out = (struct standing){
        {sql_double(q, 0), sql_double(q, 1), sql_double(q, 2)},
        sql_int(q, 3),
        sql_int(q, 4)};
  return sql_end(q);
}

/* Who has left for good, and so has no name any more, has no rating either. */
static int write_standing(store_db *db, const struct result *r,
                          const struct result_seat *s,
                          const struct standing *now) {
  return sql_do(
      db,
      "INSERT INTO rating (game, person, bot, rating, deviation,"
      " volatility, games, at) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 WHERE NOT"
      " EXISTS (SELECT 1 FROM person WHERE id = ?2 AND name = '')"
      " ON CONFLICT (game, person, bot) DO UPDATE SET rating = excluded.rating,"
      " deviation = excluded.deviation, volatility = excluded.volatility,"
      " games = excluded.games, at = excluded.at",
      "titdddii", r->game, s->person, s->bot, now->glicko.rating,
      now->glicko.deviation, now->glicko.volatility, now->games, r->at);
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

/* How often the two have met within a day before this game; -1: it could not be
 * read. One of them is a person; bots among themselves always count. */
static int met_before(store_db *db, const struct result *r,
                      const struct result_seat *a,
                      const struct result_seat *b) {
  const struct result_seat *person = a->person ? a : b;
  const struct result_seat *other = a->person ? b : a;
  if (!person->person)
    return 0;
  return (int)sql_number(
      sql_ask(
          db,
          "SELECT count(*) FROM (SELECT n FROM result_seat WHERE person = ?1"
          " AND n < ?2 AND counts <> 0 ORDER BY n DESC LIMIT ?3) mine"
          " JOIN result r ON r.n = mine.n AND r.game = ?4 AND r.rated <> 0"
          " AND r.at > ?5 WHERE EXISTS (SELECT 1 FROM result_seat o"
          " WHERE o.n = r.n AND o.person = ?6 AND o.bot = ?7 AND o.counts <> 0)",
          "iiitiit", person->person, r->n, (int64_t)LOOKED_AT, r->game,
          r->at - day_ms, other->person, other->bot),
      -1);
}

typedef double weights[SAL_SEATS_MAX][SAL_SEATS_MAX];

/* How much it counts that two seats have met in this game; 0: not at all. */
static int weigh_result(store_db *db, const struct result *r, weights out) {
  for (int i = 0; i < r->seats; i++)
    for (int k = 0; k < i; k++) {
      const struct result_seat *a = &r->seat[i], *b = &r->seat[k];
      out[i][k] = out[k][i] = 0;
      if (!a->counts || !b->counts || same_player(a, b))
        continue;
      const int before = met_before(db, r, a, b);
      if (before < 0)
        return SAL_STORE;
      out[i][k] = out[k][i] = weight_after(before);
    }
  return 0;
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
static int rate_result(store_db *db, struct result *r, weights w) {
  struct standing before[SAL_SEATS_MAX];
  int error = 0;
  for (int i = 0; i < r->seats && !error; i++) {
    error = read_standing(db, r->game, &r->seat[i], &before[i]);
    const double idle = (double)(r->at - before[i].at) / period_ms;
    if (before[i].at > 0 && idle > 0)
      before[i].glicko = glicko_idle(&before[i].glicko, idle);
  }
  for (int i = 0; i < r->seats && !error; i++) {
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
      error = write_standing(db, r, &r->seat[i], &after);
  }
  return error;
}

/* ---- Writing -------------------------------------------------------------- */

/* Who has left for good has no name any more. */
static int write_result_seat(store_db *db, const struct result *r, int seat) {
  const struct result_seat *s = &r->seat[seat];
  return sql_do(
      db,
      "INSERT INTO result_seat (n, seat, person, bot, name, place, score, gone,"
      " before, after, counts)"
      " VALUES (?1, ?2, ?3, ?4, CASE WHEN EXISTS (SELECT 1 FROM person"
      " WHERE id = ?3 AND name = '') THEN '' ELSE ?5 END, ?6, ?7, ?8, ?9, ?10,"
      " ?11)",
      "iiittiiiddi", r->n, (int64_t)seat, s->person, s->bot, s->name,
      (int64_t)s->place, s->score, (int64_t)s->gone, s->before, s->after,
      (int64_t)s->counts);
}

/* The row of the result itself; not `fresh` if the room has one. */
static int write_result_head(store_db *db, struct result *r, bool *fresh) {
  struct sql_query *q = sql_ask(
      db,
      "INSERT INTO result (room, game, at, rated)"
      " VALUES (?1, ?2, ?3, ?4) ON CONFLICT (room) DO NOTHING RETURNING n",
      "ttii", r->room, r->game, r->at, (int64_t)r->rated);
  *fresh = sql_row(q);
  r->n = *fresh ? sql_int(q, 0) : 0;
  return sql_end(q);
}

/* Guests do not count: anybody can be as many of them as they like. */
static int find_guests(store_db *db, struct result *r) {
  for (int i = 0; i < r->seats; i++) {
    if (!r->seat[i].person)
      continue;
    const int64_t accounts =
        sql_number(sql_ask(db, "SELECT count(*) FROM account WHERE person = ?1",
                           "i", r->seat[i].person),
                   -1);
    if (accounts < 0)
      return SAL_STORE;
    if (accounts == 0) {
      r->seat[i].counts = false;
      r->unrated = r->unrated ? r->unrated : "guests";
    }
  }
  return 0;
}

/* A game is rated if it counts for a person; else says why not. */
static void decide_rating(struct result *r, weights w) {
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

int result_write(store_db *db, struct result *r, bool *fresh) {
  weights w = {{0}};
  int error = sql_lock(db);
  if (!error)
    error = find_guests(db, r);
  r->n = INT64_MAX; /* after all others */
  if (!error)
    error = weigh_result(db, r, w);
  if (!error) {
    decide_rating(r, w);
    error = write_result_head(db, r, fresh);
  }
  if (!error && *fresh && r->rated)
    error = rate_result(db, r, w);
  for (int i = 0; i < r->seats && !error && *fresh; i++)
    error = write_result_seat(db, r, i);
  return error;
}

int store_finish_game(struct store_job *job, store_db *db) {
  struct finish_job *f = (struct finish_job *)job;
  return result_write(db, &f->result, &f->fresh);
}

/* ---- Again ---------------------------------------------------------------- */

static void read_row(struct sql_query *q, struct result *r) {
  if (r->n != sql_int(q, 0)) {
    memset(r, 0, sizeof *r);
    r->n = sql_int(q, 0);
    snprintf(r->game, sizeof r->game, "%s", sql_string(q, 1));
    r->at = sql_int(q, 2);
  }
  if (r->seats == SAL_SEATS_MAX)
    return;
  struct result_seat *s = &r->seat[r->seats++];
  s->person = sql_int(q, 3);
  snprintf(s->bot, sizeof s->bot, "%s", sql_string(q, 4));
  s->place = (int)sql_int(q, 5);
  s->counts = sql_int(q, 6);
}

/* Also what histories tell of it. */
static int rate_again(store_db *db, struct result *r) {
  weights w = {{0}};
  int error = weigh_result(db, r, w);
  if (!error)
    error = rate_result(db, r, w);
  for (int i = 0; i < r->seats && !error; i++)
    error =
        sql_do(db,
               "UPDATE result_seat SET before = ?1, after = ?2"
               " WHERE n = ?3 AND seat = ?4",
               "ddii", r->seat[i].before, r->seat[i].after, r->n, (int64_t)i);
  return error;
}

int ratings_recompute(store_db *db) {
  struct result r = {0};
  int error = sql_lock(db);
  if (!error)
    error = sql_do(db, "DELETE FROM rating", "");
  struct sql_query *q = sql_ask(
      db,
      "SELECT r.n, r.game, r.at, s.person, s.bot, s.place, s.counts FROM result"
      " r JOIN result_seat s ON s.n = r.n WHERE r.rated <> 0 ORDER BY r.n, s.seat",
      "");
  while (!error && sql_row(q)) {
    if (r.seats > 0 && r.n != sql_int(q, 0))
      error = rate_again(db, &r);
    read_row(q, &r);
  }
  if (!error && r.seats > 0)
    error = rate_again(db, &r);
  const int end = sql_end(q);
  return error ? error : end;
}
