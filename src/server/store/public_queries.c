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
