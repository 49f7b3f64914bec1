/* PostgreSQL as the store's database: any number of processes may serve it. */
#ifndef SAL_SERVER_POSTGRES_H
#define SAL_SERVER_POSTGRES_H

#include "sql.h"

#include "salotto/buffer.h"

/* postgres_schema.c: the migrations, and what it says in its own way. */
enum { POSTGRES_NEWEST = 5 };
extern const char *const postgres_steps[];
extern const struct sql_words postgres_words;

#endif
