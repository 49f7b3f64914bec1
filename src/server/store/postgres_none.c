/* A program that was built without PostgreSQL says so. */
#include "sql.h"

static int refuse(const char *where, enum sql_use use, store_db **out,
                  struct sal_refusal *why) {
  (void)where, (void)use, (void)out;
  return sal_refuse(why, SAL_STORE, NULL,
                    N_("this program was built without PostgreSQL"));
}

const struct sql_driver postgres_driver = {.open = refuse};
