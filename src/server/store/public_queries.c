/* Questions that anybody may ask. See public_queries.h. */
#include "public_queries.h"
#include "sql.h"

#include <stdio.h>
#include <stdlib.h>

int query_game_of_room(struct store_job *job, store_db *db) {
  struct game_query *q = (struct game_query *)job;
  char *game = sql_text(
      sql_ask(db, "SELECT game FROM result WHERE room = ?1", "t", q->room));
  snprintf(q->game, sizeof q->game, "%s", game ? game : "");
  free(game);
  return 0;
}

/* ---- Profiles -------------------------------------------------------------- */

/* The last games of a person, each with whom it was against: people, bots of one
 * level, or some of both; and what came of it. Who shares the first place has
 * drawn. */
#define PLAYED                                                                                      \
  "WITH mine AS MATERIALIZED (SELECT n, seat, place, after FROM result_seat"                        \
  " WHERE person = ?1 ORDER BY n DESC LIMIT " PROFILE_GAMES "),"                                    \
  " played AS MATERIALIZED (SELECT r.n, r.game, r.at, r.rated, m.after,"                            \
  " CASE WHEN m.place = 1 AND o.first = 0 THEN 1 ELSE 0 END AS won,"                                \
  " CASE WHEN m.place = 1 AND o.first > 0 THEN 1 ELSE 0 END AS drawn,"                              \
  " o.against FROM mine m JOIN result r ON r.n = m.n JOIN (SELECT m.n,"                             \
  " sum(CASE s.place WHEN 1 THEN 1 ELSE 0 END) AS first, CASE WHEN min(s.person) > 0 THEN 'people'" \
  " WHEN max(s.person) = 0 AND min(s.bot) = max(s.bot) THEN min(s.bot)"                             \
  " ELSE 'mixed' END AS against FROM mine m JOIN result_seat s"                                     \
  " ON s.n = m.n AND s.seat <> m.seat GROUP BY m.n) o ON o.n = m.n)"

static const char results_sql[] =
    PLAYED " SELECT game, against, count(*) AS games, sum(won) AS won,"
           " sum(drawn) AS drawn FROM played GROUP BY game, against"
           " ORDER BY game, against";

/* A streak is a run of games of a kind that were all won: its number is how many
 * were not won before it. */
static const char streaks_sql[] =
    PLAYED ", runs AS (SELECT game, won, n, sum(1 - won) OVER (PARTITION BY"
           " game ORDER BY n) AS run FROM played), lengths AS (SELECT game,"
           " run, sum(won) AS length FROM runs GROUP BY game, run)"
           " SELECT game, max(length) AS longest, (SELECT length FROM lengths l"
           " WHERE l.game = lengths.game ORDER BY run DESC LIMIT 1) AS now"
           " FROM lengths GROUP BY game ORDER BY game";

static const char curve_sql[] =
    PLAYED " SELECT game, at, CAST(round(after) AS BIGINT) AS rating FROM"
           " (SELECT * FROM played WHERE rated <> 0 AND after > 0"
           " ORDER BY n DESC LIMIT " PROFILE_POINTS ") last ORDER BY n";

static const char ratings_sql[] =
    "SELECT game, CAST(round(rating) AS BIGINT) AS rating,"
    " CAST(round(deviation) AS BIGINT) AS deviation, games FROM rating"
    " WHERE person = ?1 ORDER BY game";

static const char owner_sql[] =
    "SELECT p.id AS person, p.name, a.face, a.at FROM account a JOIN person p"
    " ON p.id = a.person WHERE a.person = ?1";

int query_profile(struct store_job *job, store_db *db) {
  static const struct {
    const char *name, *sql;
  } parts[] = {{"results", results_sql},
               {"streaks", streaks_sql},
               {"curve", curve_sql},
               {"ratings", ratings_sql}};
  struct query_job *q = (struct query_job *)job;
  json_t *owner = sql_rows(sql_ask(db, owner_sql, "i", q->about));
  if (owner && json_array_size(owner) == 0) {
    json_decref(owner);
    return SAL_NO_TABLE;
  }
  json_t *all = json_pack("{s:b}", "ok", 1);
  bool ok = owner && json_object_update(all, json_array_get(owner, 0)) == 0;
  for (size_t i = 0; ok && i < sizeof parts / sizeof *parts; i++) {
    json_t *list = sql_rows(sql_ask(db, parts[i].sql, "i", q->about));
    ok = list && json_object_set_new(all, parts[i].name, list) == 0;
  }
  q->text = ok ? json_dumps(all, JSON_COMPACT) : NULL;
  json_decref(owner);
  json_decref(all);
  return q->text ? 0 : SAL_STORE;
}
