/* Reviews under way in the store. See review_store.h. */
#include "review_store.h"
#include "sql.h"

#include <sodium.h>
#include <string.h>

int review_store_add(struct store_job *job, store_db *db) {
  const struct stored_review *r = &((const struct review_job *)job)->review;
  char network[2 * CREW_NETWORK + 1];
  sodium_bin2hex(network, sizeof network, r->payer.network, CREW_NETWORK);
  return sql_do(db,
                "INSERT INTO review (room, payer, network, tries)"
                " VALUES (?1, ?2, ?3, 0) ON CONFLICT DO NOTHING",
                "tit", r->room, r->payer.person, network);
}

int review_store_remove(struct store_job *job, store_db *db) {
  const struct stored_review *r = &((const struct review_job *)job)->review;
  return sql_do(db, "DELETE FROM review WHERE room = ?1", "t", r->room);
}

static bool read_review(struct sql_query *q, struct stored_review *r) {
  const char *network = sql_string(q, 2);
  size_t size;
  r->payer.person = sql_int(q, 1);
  return sql_copy(q, 0, r->room, sizeof r->room) &&
         sodium_hex2bin(r->payer.network, CREW_NETWORK, network,
                        strlen(network), NULL, &size, NULL) == 0 &&
         size == CREW_NETWORK;
}

int review_store_take(struct store_job *job, store_db *db) {
  struct reviews_job *all = (struct reviews_job *)job;
  all->count = 0;
  if (sql_do(db, "UPDATE review SET tries = tries + 1", "") ||
      sql_do(db, "DELETE FROM review WHERE tries > ?1", "i",
             (int64_t)REVIEW_TRIES))
    return SAL_STORE;
  struct sql_query *q =
      sql_ask(db, "SELECT room, payer, network FROM review ORDER BY room", "");
  while (all->count < REVIEWS_STORED && sql_row(q))
    all->count += read_review(q, &all->review[all->count]);
  return sql_end(q);
}
