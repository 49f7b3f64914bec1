/* Leases. See lease.h. */
#include "lease.h"

static uint64_t now_ms(void) { return uv_hrtime() / 1000000; }

/* By the clock of the database; that of this machine may be wrong. */
#define UNTIL "now() + ?1 * interval '1 millisecond'"

bool lease_take(store_db *db, struct lease *l) {
  *l = (struct lease){.renewed = now_ms()};
  l->id =
      sql_number(sql_ask(db,
                         "INSERT INTO server (fence, until) VALUES (1, " UNTIL
                         ") RETURNING id",
                         "i", (int64_t)LEASE_MS),
                 0);
  l->fence = 1;
  return l->id != 0 &&
         !sql_do(db,
                 "DELETE FROM server WHERE until < now() - interval '1 day'",
                 "");
}

bool lease_is_due(const struct lease *l) {
  return now_ms() - l->renewed >= LEASE_RENEW_MS;
}

bool lease_renew(store_db *db, struct lease *l) {
  const uint64_t asked = now_ms();
  struct sql_query *q =
      sql_ask(db,
              "UPDATE server SET until = " UNTIL
              ", fence = CASE WHEN until > now() THEN fence ELSE fence + 1 END"
              " WHERE id = ?2 RETURNING fence",
              "ii", (int64_t)LEASE_MS, l->id);
  const bool there = sql_row(q);
  if (there) {
    l->fence = sql_int(q, 0);
    l->renewed = asked;
  }
  if (sql_end(q) != 0)
    return false;
  return there || lease_take(db, l); /* it was out for a day */
}

bool lease_check(store_db *db, const struct lease *l) {
  return sql_later(db, NULL, NULL, "SELECT check_lease(?1, ?2)", "ii", l->id,
                   l->fence) == 0;
}

void lease_leave(store_db *db, struct lease *l) {
  if (l->id)
    sql_do(db, "DELETE FROM server WHERE id = ?1", "i", l->id);
  l->id = 0;
}

int lease_others(store_db *db, const struct lease *l) {
  return (int)sql_number(
      sql_ask(db,
              "SELECT count(*) FROM server WHERE until > now() AND id <> ?1",
              "i", l->id),
      -1);
}
