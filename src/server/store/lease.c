/* The lease. See lease.h. */
#include "lease.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct lease {
  int64_t id;
  char secret[SEALED_SECRET + 1];
  store_db *db; /* of the thread */
  uv_thread_t thread;
  uv_mutex_t lock;
  uv_cond_t wake;
  bool look, end;
  atomic_bool lost;
  atomic_uint_fast64_t renewed; /* by uv_hrtime */
};

/* By the clock of the database; that of this machine may be wrong. It is the time of
 * the look and not of the transaction's beginning, which a row that was renewed since
 * would be too new for. If that clock was set back, a row that counts for longer than
 * any can is out; by less than a second, it was put right. */
#define NOW "clock_timestamp()"
#define UNTIL NOW " + 3000 * interval '1 millisecond'"
#define COUNTS                                                                 \
  "until > " NOW " AND until < " NOW " + 4000 * interval '1 millisecond'"
_Static_assert(LEASE_MS == 3000, "as in UNTIL");
#define NOTIFY "pg_notify('salotto_lease', '')"

/* ---- Keeping it ----------------------------------------------------------- */

/* A database that does not answer proves nothing; one where the row is gone
 * does. */
static void renew_lease(struct lease *l) {
  const uint64_t now = uv_hrtime();
  const int64_t rows = sql_count(
      l->db, "UPDATE server SET until = " UNTIL " WHERE id = ?1", "i", l->id);
  if (rows == 0)
    atomic_store(&l->lost, true);
  else if (rows > 0)
    atomic_store(&l->renewed, now);
}

bool lease_is_silent(const struct lease *l) {
  return uv_hrtime() - atomic_load(&l->renewed) >
         LEASE_SILENCE_MS * UINT64_C(1000000);
}

/* Twice: that the connection is lost is known only after it was tried. */
static void remove_row(struct lease *l) {
  for (int i = 0; i < 2; i++)
    if (sql_do(l->db,
               "WITH gone AS (DELETE FROM server WHERE id = ?1 RETURNING id)"
               " SELECT " NOTIFY " FROM gone",
               "i", l->id) == 0)
      return;
}

static void keep_lease(void *context) {
  struct lease *l = context;
  uv_mutex_lock(&l->lock);
  while (!l->end) {
    if (!l->look)
      uv_cond_timedwait(&l->wake, &l->lock, LEASE_RENEW_MS * UINT64_C(1000000));
    l->look = false;
    if (l->end || atomic_load(&l->lost))
      continue;
    uv_mutex_unlock(&l->lock);
    renew_lease(l);
    uv_mutex_lock(&l->lock);
  }
  uv_mutex_unlock(&l->lock);
  if (!lease_is_silent(l)) /* to try would take long */
    remove_row(l);
}

/* The connection is the lease's from now on. First it is renewed: where lines are slow,
 * time has passed since it was taken. */
static struct lease *start_keeping(int64_t id, const char *secret,
                                   store_db *db) {
  struct lease *l = calloc(1, sizeof *l);
  if (!l)
    return NULL;
  l->id = id;
  strcpy(l->secret, secret);
  l->db = db;
  l->look = true;
  atomic_init(&l->lost, false);
  atomic_init(&l->renewed, uv_hrtime());
  if (uv_mutex_init(&l->lock) != 0 || uv_cond_init(&l->wake) != 0)
    abort();
  db->driver->watch(db, NULL, NULL);
  db->driver->serve(db);
  if (uv_thread_create(&l->thread, keep_lease, l) == 0)
    return l;
  free(l);
  return NULL;
}

const char *lease_secret(const struct lease *l) { return l->secret; }

bool lease_is_lost(const struct lease *l) {
  return atomic_load(&l->lost) || lease_is_silent(l);
}

void lease_doubt(struct lease *l) { atomic_store(&l->lost, true); }

bool lease_check(store_db *db, const struct lease *l) {
  return sql_later(db, NULL, NULL, "SELECT check_lease(?1)", "i", l->id) == 0;
}

static void wake_lease(struct lease *l, bool *wish) {
  uv_mutex_lock(&l->lock);
  *wish = true;
  uv_cond_signal(&l->wake);
  uv_mutex_unlock(&l->lock);
}

void lease_look(struct lease *l) { wake_lease(l, &l->look); }

void lease_let_go(struct lease *l) { wake_lease(l, &l->end); }

void lease_leave(struct lease *l) {
  lease_let_go(l);
  uv_thread_join(&l->thread);
  sql_close(l->db);
  uv_cond_destroy(&l->wake);
  uv_mutex_destroy(&l->lock);
  free(l);
}

/* ---- Taking it ------------------------------------------------------------ */

int lease_is_held(store_db *db) {
  return (int)sql_number(
      sql_ask(db, "SELECT count(*) FROM server WHERE " COUNTS, ""), -1);
}

static bool read_holder(store_db *db, struct lease_holder *who) {
  struct sql_query *q =
      sql_ask(db,
              "SELECT address, (extract(epoch FROM until - " NOW
              ") * 1000)::int, secret"
              " FROM server WHERE " COUNTS,
              "");
  const bool there = sql_row(q) &&
                     sql_copy(q, 0, who->address, sizeof who->address) &&
                     sql_copy(q, 2, who->secret, sizeof who->secret);
  if (there)
    who->left = (int)sql_int(q, 1);
  who->known = sql_end(q) == 0;
  return who->known && there;
}

/* What is told while the transaction ends. */
struct taking {
  int64_t gone, id;
};

static void row_is_out(void *context, int64_t gone) {
  ((struct taking *)context)->gone = gone;
}

static void row_is_there(void *context, int64_t id) {
  ((struct taking *)context)->id = id;
}

/* One at a time, in a transaction that is one round trip. To remove a row waits for who
 * holds it. The number; 0: somebody has it, or it could not be. */
static int64_t insert_row(store_db *db, const char *address, const char *secret,
                          bool *out) {
  struct taking t = {0, 0};
  const bool sent =
      sql_begin(db) &&
      !sql_later(db, NULL, NULL, db->driver->words->lock, "") &&
      !sql_later(db, row_is_out, &t,
                 "WITH gone AS (DELETE FROM server WHERE NOT (" COUNTS
                 ") RETURNING id) SELECT count(*) FROM gone",
                 "") &&
      !sql_later(
          db, row_is_there, &t,
          "WITH mine AS (INSERT INTO server (until, address, secret) SELECT"
          " " UNTIL ", ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM server)"
          " RETURNING id) SELECT id, " NOTIFY " FROM mine",
          "tt", address, secret);
  const bool done = sent && sql_commit(db);
  if (!done)
    sql_rollback(db);
  *out = done && t.gone > 0;
  return done && t.id > 0 ? t.id : 0;
}

struct lease *lease_take(store_db *db, const char *address,
                         struct lease_holder *who) {
  *who = (struct lease_holder){0};
  if (sql_later(db, NULL, NULL, "LISTEN salotto_lease", "") ||
      read_holder(db, who) || !who->known)
    return NULL;
  char secret[SEALED_SECRET + 1];
  sealed_new_secret(secret);
  const int64_t id = insert_row(db, address, secret, &who->out);
  return id ? start_keeping(id, secret, db) : NULL;
}
