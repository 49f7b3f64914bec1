/* A question at a table, and all that it points to. */
#ifndef SAL_REVIEW_ASKING_H
#define SAL_REVIEW_ASKING_H

#include "salotto/bot.h"
#include "salotto/error.h"
#include "salotto/table.h"

struct asking {
  struct sal_question q;
  union sal_view_box view;
  struct sal_memory memory;
};

/* To be freed; NULL: refused. The choices are the table's. */
struct asking *asking_new(const sal_table *t, int seat,
                          const struct sal_budget *budget, int *error,
                          struct sal_refusal *why);

#endif
