/* The thread that takes messages to push services. */
#ifndef SAL_SERVER_PUSH_SENDER_H
#define SAL_SERVER_PUSH_SENDER_H

#include "push_seal.h"
#include "store/push_store.h"

#include <uv.h>

/* One message on its way; it belongs to the sender until it is told. */
struct push_letter {
  struct push_letter *next;
  struct push_target target;
  char text[PUSH_PLAIN_MAX + 1];
  long status; /* what the push service said; 0: it was not reached */
};

struct push_sender;
/* On the loop: the letter has been sent or not, and is freed after this. */
typedef void push_told(void *context, const struct push_letter *letter);

struct push_sending {
  const struct push_keys *keys;
  const char *contact; /* the server's own address */
  bool anywhere;       /* for tests: this machine too, and without TLS */
  push_told *told;
  void *context;
};

/* Starts the thread; NULL: it could not. What it is given stays the caller's. */
struct push_sender *push_sender_new(uv_loop_t *loop,
                                    const struct push_sending *how);
/* Takes the letter; false: too many wait, and it is the caller's. */
bool push_sender_take(struct push_sender *s, struct push_letter *letter);
/* Gives up what waits and ends the thread; the loop must run once more before
 * the sender is freed. */
void push_sender_close(struct push_sender *s);
void push_sender_free(struct push_sender *s);

/* Whether that is an address of a push service: https, with a host, and of plain
 * characters; or http too, if it may be anywhere. */
bool push_endpoint_is_sound(const char *endpoint, bool anywhere);

#endif
