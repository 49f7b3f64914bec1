/* Where browsers want to be called while no page is open (Web Push): each
 * subscription once, with the person it is for. */
#ifndef SAL_SERVER_PUSH_STORE_H
#define SAL_SERVER_PUSH_STORE_H

#include "store.h"

enum {
  PUSH_ENDPOINT_MAX = 600,
  PUSH_KEY_TEXT = 87,  /* 65 bytes in base64url: a point of P-256 */
  PUSH_AUTH_TEXT = 22, /* 16 bytes likewise */
  PUSH_LANG_MAX = 7,
  PUSH_PER_PERSON = 5
};

struct push_target {
  char endpoint[PUSH_ENDPOINT_MAX + 1]; /* a secret address, of https */
  char key[PUSH_KEY_TEXT + 1], auth[PUSH_AUTH_TEXT + 1];
  char lang[PUSH_LANG_MAX + 1];
};

struct push_job {
  struct store_job job; /* first, so that the calls find the rest */
  int64_t person, now;
  struct push_target target;
};
/* Adds the subscription; beyond PUSH_PER_PERSON the oldest goes. */
store_call push_store_add;
/* Removes the endpoint; of `person` only, unless that is 0. */
store_call push_store_remove;

/* A question: the subscriptions of a person who has a session still. */
struct push_query {
  struct store_job job; /* first, so that the call finds the rest */
  int64_t person;
  int count;
  struct push_target target[PUSH_PER_PERSON];
};
store_call query_push;

#endif
