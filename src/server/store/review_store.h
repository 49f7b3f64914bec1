/* Reviews that were asked for and are not done, so that whoever serves next goes on with
 * them. */
#ifndef SAL_SERVER_REVIEW_STORE_H
#define SAL_SERVER_REVIEW_STORE_H

#include "base/crew.h"
#include "store.h"

enum { REVIEWS_STORED = 32, REVIEW_TRIES = 5 };

struct stored_review {
  char room[STORE_ROOM_MAX + 1];
  struct crew_payer payer; /* a person or 0, and where they are */
};

struct review_job {
  struct store_job job; /* first, so that the calls find the rest */
  struct stored_review review;
};
/* Adds it, unless it is there; removes that of its room. */
store_call review_store_add, review_store_remove;

struct reviews_job {
  struct store_job job; /* first, so that the call finds the rest */
  size_t count;
  struct stored_review review[REVIEWS_STORED];
};
/* All that are there. Each can be had REVIEW_TRIES times and is forgotten then: it may be
 * what the server has died of. */
store_call review_store_take;

#endif
