/* The lease. See lease.h. */
#include "lease.h"

#include <stdatomic.h>
#include <stdlib.h>

struct lease {
  int64_t id;
  store_db *db; /* of the thread */
  uv_thread_t thread;
  uv_mutex_t lock;
  uv_cond_t wake;
  bool end;
  atomic_bool lost;
};

/* By the clock of the database; that of this machine may be wrong. */
#define UNTIL "now() + ?1 * interval '1 millisecond'"

/* ---- Keeping it ----------------------------------------------------------- */

/* A database that does not answer proves nothing; one where the row is gone
 * does. */
static void renew(struct lease *l) {
  const int64_t rows =
      sql_count(l->db, "UPDATE server SET until = " UNTIL " WHERE id = ?2",
                "ii", (int64_t)LEASE_MS, l->id);
  if (rows == 0)
    atomic_store(&l->lost, true);
}

static void renew_until_the_end(void *context) {
  struct lease *l = context;
  uv_mutex_lock(&l->lock);
  while (!l->end) {
    uv_cond_timedwait(&l->wake, &l->lock, LEASE_RENEW_MS * UINT64_C(1000000));
    if (l->end || atomic_load(&l->lost))
      continue;
    uv_mutex_unlock(&l->lock);
    renew(l);
    uv_mutex_lock(&l->lock);
  }
  uv_mutex_unlock(&l->lock);
}

static struct lease *start_keeping(int64_t id, const char *where) {
  struct sal_refusal why;
  struct lease *l = calloc(1, sizeof *l);
  if (!l)
    return NULL;
  l->id = id;
  atomic_init(&l->lost, false);
  if (uv_mutex_init(&l->lock) != 0 || uv_cond_init(&l->wake) != 0)
    abort();
  if (sql_open(where, SQL_CHANGE, &l->db, &why) == 0 &&
      uv_thread_create(&l->thread, renew_until_the_end, l) == 0)
    return l;
  sql_close(l->db);
  free(l);
  return NULL;
}

bool lease_is_lost(const struct lease *l) { return atomic_load(&l->lost); }

void lease_doubt(struct lease *l) { atomic_store(&l->lost, true); }

bool lease_check(store_db *db, const struct lease *l) {
  return sql_later(db, NULL, NULL, "SELECT check_lease(?1)", "i", l->id) == 0;
}

void lease_leave(struct lease *l) {
  uv_mutex_lock(&l->lock);
  l->end = true;
  uv_cond_signal(&l->wake);
  uv_mutex_unlock(&l->lock);
  uv_thread_join(&l->thread);
  /* Twice: that the connection is lost is known only after it was tried. */
  for (int i = 0; i < 2; i++)
    if (sql_do(l->db, "DELETE FROM server WHERE id = ?1", "i", l->id) == 0)
      break;
  sql_close(l->db);
  uv_cond_destroy(&l->wake);
  uv_mutex_destroy(&l->lock);
  free(l);
}

/* ---- Taking it ------------------------------------------------------------ */

int lease_is_held(store_db *db) {
  return (int)sql_number(
      sql_ask(db, "SELECT count(*) FROM server WHERE until > now()", ""), -1);
}

static bool read_holder(store_db *db, char holder[LEASE_ADDRESS]) {
  return sql_text_into(
             sql_ask(db, "SELECT address FROM server WHERE until > now()", ""),
             holder, LEASE_ADDRESS) == 0;
}

/* One at a time, in a transaction. To remove a row waits for who holds it. The
 * number, 0: somebody has it. */
static int64_t insert_row(store_db *db, const char *address) {
  if (sql_lock(db) || sql_do(db, "DELETE FROM server WHERE until <= now()", ""))
    return -1;
  return sql_number(sql_ask(db,
                            "INSERT INTO server (until, address) SELECT " UNTIL
                            ", ?2 WHERE NOT EXISTS (SELECT 1 FROM server)"
                            " RETURNING id",
                            "it", (int64_t)LEASE_MS, address),
                    0);
}

struct lease *lease_take(store_db *db, const char *where, const char *address,
                         char holder[LEASE_ADDRESS]) {
  holder[0] = '\0';
  if (sql_begin(db) && read_holder(db, holder)) {
    sql_rollback(db);
    return NULL;
  }
  const int64_t id = insert_row(db, address);
  if (id > 0 && sql_commit(db))
    return start_keeping(id, where);
  sql_rollback(db);
  return NULL;
}
