/* What the files of the referee share. */
#ifndef SAL_CLI_REFEREE_INSIDE_H
#define SAL_CLI_REFEREE_INSIDE_H

#include "referee.h"
#include "salotto/salotto.h"

#include <jansson.h>

enum { TABLES_MAX = 64, NAME_SIZE = 41 };

struct seating {
  char name[NAME_SIZE]; /* empty: the one without a name */
  sal_table *table;     /* NULL: the place is free */
  char *deal;           /* the deal as it was given, as JSON; NULL: none */
};

struct referee {
  struct seating tables[TABLES_MAX];
  /* Those of the request being answered. */
  sal_table *table;
  char *deal;

  /* The request being answered. */
  FILE *out;
  const json_t *request;
  char *id; /* its id as it was written, or NULL */
  const char *seed_text;
  char scratch[1 << 16]; /* one state or event as JSON */
};

/* A reply: its beginning, what stands in it, its end; or a refusal. */
void referee_begin(struct referee *r, bool ok);
void referee_end(struct referee *r);
void referee_refuse(struct referee *r, const struct sal_refusal *why);
void referee_refuse_as(struct referee *r, int code, const char *message);
void referee_text(struct referee *r, sal_action a);
void referee_actions(struct referee *r, int seat);

/* A field that is there and not null. */
const json_t *referee_present(const json_t *object, const char *key);
/* The seat of a request whose shape is right, SAL_SPECTATOR for null. False:
 * refused. */
bool referee_seat(struct referee *r, int *seat);

/* referee_ask.c */
void referee_bot(struct referee *r);
void referee_sample(struct referee *r);
void referee_tensor(struct referee *r);

#endif
