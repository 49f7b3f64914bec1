/* Passwords on threads of their own. See passwords.h. */
#include "passwords.h"
#include "base/network.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  OPEN_MAX = 256,      /* in all, and as many more for each better rank */
  OF_ADDRESS_MAX = 8,  /* of them from one address */
  ADDRESS_WRONGS = 20, /* before an address is refused */
  NAME_WRONGS = 10,    /* before a name is answered later */
  STEP_MS = 100,       /* later by so much for each more, */
  LATER_MAX_MS = 500   /* up to this */
};

/* Who comes first: a name that has signed in from this address before; then
 * addresses that have got nothing wrong. */
enum { RANK_FAMILIAR, RANK_FRESH = PASSWORDS_URGENT, RANK_WRONG };

struct passwords {
  struct server *server;
  char nobody[STORE_SECRET_MAX + 1];
  struct password_work *later; /* who has to wait */
  size_t open;                 /* waiting, in the line or being hashed */
  int test_ms;
};

/* Tests have hashes that cost little and take long: a race needs time to be lost
 * in, not the processor's. Only in builds with assertions. */
static int read_test_ms(void) {
#ifdef NDEBUG
  return 0;
#else
  const char *text = getenv("SALOTTO_TEST_HASH_MS");
  return text ? atoi(text) : 0;
#endif
}

static int make_hash(const struct passwords *p, char out[STORE_SECRET_MAX + 1],
                     const char *password, size_t length) {
  const bool cheap = p->test_ms > 0;
  return crypto_pwhash_str(
      out, password, length,
      cheap ? crypto_pwhash_OPSLIMIT_MIN : crypto_pwhash_OPSLIMIT_INTERACTIVE,
      cheap ? crypto_pwhash_MEMLIMIT_MIN : crypto_pwhash_MEMLIMIT_INTERACTIVE);
}

struct passwords *passwords_new(struct server *srv) {
  struct passwords *p = calloc(1, sizeof *p);
  char random[32];
  if (!p)
    return NULL;
  p->server = srv;
  p->test_ms = read_test_ms();
  randombytes_buf(random, sizeof random);
  if (make_hash(p, p->nobody, random, sizeof random) == 0)
    return p;
  free(p);
  return NULL;
}

void passwords_free(struct passwords *p) { free(p); }

/* ---- On a thread ----------------------------------------------------------- */

/* What libsodium writes: $argon2id$v=19$m=KIB,t=OPS,p=1$SALT$HASH. */
struct secret {
  unsigned kib, ops;
  uint8_t salt[crypto_pwhash_SALTBYTES], hash[32];
};

/* Reads so many bytes of base64; what follows them, or NULL. */
static const char *read_bytes(const char *text, uint8_t *out, size_t size) {
  const char *end;
  size_t n;
  return sodium_base642bin(out, size, text, strlen(text), NULL, &n, &end,
                           sodium_base64_VARIANT_ORIGINAL_NO_PADDING) == 0 &&
                 n == size
             ? end
             : NULL;
}

static bool read_secret(const char *text, struct secret *out) {
  int at = 0;
  if (sscanf(text, "$argon2id$v=19$m=%u,t=%u,p=1$%n", &out->kib, &out->ops,
             &at) != 2 ||
      at == 0)
    return false;
  const char *rest = read_bytes(text + at, out->salt, sizeof out->salt);
  if (!rest || *rest != '$')
    return false;
  rest = read_bytes(rest + 1, out->hash, sizeof out->hash);
  return rest && !*rest;
}

/* crypto_pwhash_str_verify says the same of a wrong password and of memory that
 * ran out; so the hash is made here and compared. */
static void run_check(struct password_work *w) {
  struct secret s;
  uint8_t hash[sizeof s.hash];
  if (!read_secret(w->secret, &s)) {
    w->error = SAL_STORE;
    return;
  }
  if (crypto_pwhash(hash, sizeof hash, w->password, strlen(w->password), s.salt,
                    s.ops, (size_t)s.kib * 1024,
                    crypto_pwhash_ALG_ARGON2ID13) != 0)
    w->error = SAL_NO_MEMORY;
  else
    w->error =
        sodium_memcmp(hash, s.hash, sizeof hash) == 0 ? 0 : SAL_NOT_ALLOWED;
  sodium_memzero(hash, sizeof hash);
}

static void run_hash(struct password_work *w) {
  const int result =
      make_hash(w->owner, w->secret, w->password, strlen(w->password));
  w->error = result == 0 ? 0 : SAL_NO_MEMORY;
}

static void hash_password(struct crew_task *task) {
  struct password_work *w = (struct password_work *)task;
  if (w->owner->test_ms > 0)
    uv_sleep((unsigned)w->owner->test_ms);
  if (w->checks)
    run_check(w);
  else
    run_hash(w);
}

/* ---- On the loop ------------------------------------------------------------ */

/* As names are compared: without regard to the case of A to Z. */
static void name_key(const char *name, uint8_t out[LIMIT_KEY]) {
  char small[STORE_NAME_MAX + 1] = "";
  for (size_t i = 0; name[i] && i < STORE_NAME_MAX; i++)
    small[i] =
        (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] + 32 : name[i]);
  crypto_generichash(out, LIMIT_KEY, (const uint8_t *)small, strlen(small),
                     NULL, 0);
}

/* For who has signed in: which name, from which address. */
static void pair_key(const struct password_work *w, uint8_t out[LIMIT_KEY]) {
  crypto_generichash(out, LIMIT_KEY, w->name, LIMIT_KEY, w->task.payer.network,
                     CREW_NETWORK);
}

/* Once is enough: so it is forgotten in a month. */
static void note_right(struct passwords *p, const struct password_work *w) {
  uint8_t pair[LIMIT_KEY];
  pair_key(w, pair);
  if (limits_used(p->server->limits, LIMIT_RIGHT, pair) < 0.5)
    limits_use(p->server->limits, LIMIT_RIGHT, pair);
}

static void finish_password(struct password_work *w, int error) {
  struct passwords *p = w->owner;
  sodium_memzero(w->password, sizeof w->password);
  p->open--;
  p->server->work_open--;
  if (error == SAL_NOT_ALLOWED) {
    limits_use(p->server->limits, LIMIT_WRONG_FROM, w->task.payer.network);
    limits_use(p->server->limits, LIMIT_WRONG_FOR, w->name);
  } else if (error == 0 && w->checks) {
    note_right(p, w);
  }
  w->done(w, error);
}

static void crew_is_done(struct crew_task *task, bool ran) {
  struct password_work *w = (struct password_work *)task;
  w->owner->server->counters.passwords += ran;
  finish_password(w, ran                         ? w->error
                     : w->owner->server->closing ? SAL_CLOSING
                                                 : SAL_NO_MEMORY);
}

/* Those of an address that wait and those that the crew has. */
static size_t open_of(const struct passwords *p, const uint8_t *network) {
  size_t n = crew_open_of(p->server->hashers, network);
  for (const struct password_work *w = p->later; w; w = w->next)
    n += memcmp(w->task.payer.network, network, CREW_NETWORK) == 0;
  return n;
}

static bool is_familiar(struct passwords *p, const struct password_work *w) {
  uint8_t pair[LIMIT_KEY];
  pair_key(w, pair);
  return w->checks && limits_used(p->server->limits, LIMIT_RIGHT, pair) > 0;
}

static int rank_of(struct passwords *p, const struct password_work *w) {
  const double wrong =
      limits_used(p->server->limits, LIMIT_WRONG_FROM, w->task.payer.network);
  return is_familiar(p, w) ? RANK_FAMILIAR
         : wrong < 1       ? RANK_FRESH
                           : RANK_WRONG;
}

/* False: it is done already, with SAL_SLOW_DOWN. */
static bool take_on(struct passwords *p, struct password_work *w,
                    const char *password, const char *address) {
  w->owner = p;
  w->task.run = hash_password;
  w->task.done = crew_is_done;
  w->task.payer.person = 0;
  network_key(address, w->task.payer.network);
  w->task.rank = rank_of(p, w);
  if (p->open >= (size_t)(OPEN_MAX * (1 + RANK_WRONG - w->task.rank)) ||
      open_of(p, w->task.payer.network) >= OF_ADDRESS_MAX) {
    w->done(w, SAL_SLOW_DOWN);
    return false;
  }
  strcpy(w->password, password);
  p->open++;
  p->server->work_open++;
  return true;
}

void passwords_hash(struct passwords *p, struct password_work *w,
                    const char *password, const char *address) {
  w->checks = false;
  if (take_on(p, w, password, address))
    crew_post(p->server->hashers, &w->task);
}

/* Its owner, where they are known, does not wait for others' guesses. */
static uint64_t wait_for_name(struct passwords *p,
                              const struct password_work *w) {
  const double over =
      limits_used(p->server->limits, LIMIT_WRONG_FOR, w->name) - NAME_WRONGS;
  const double wait = over > 0 && !is_familiar(p, w) ? STEP_MS * over : 0;
  return (uint64_t)(wait < LATER_MAX_MS ? wait : LATER_MAX_MS);
}

void passwords_check(struct passwords *p, struct password_work *w,
                     const char *name, const char *password, const char *secret,
                     const char *address) {
  w->checks = true;
  network_key(address, w->task.payer.network);
  if (limits_used(p->server->limits, LIMIT_WRONG_FROM, w->task.payer.network) >=
      ADDRESS_WRONGS) {
    w->done(w, SAL_SLOW_DOWN);
    return;
  }
  name_key(name, w->name);
  if (!take_on(p, w, password, address))
    return;
  strcpy(w->secret, secret ? secret : p->nobody);
  const uint64_t wait = wait_for_name(p, w);
  if (wait == 0) {
    crew_post(p->server->hashers, &w->task);
    return;
  }
  w->due = server_now(p->server) + wait;
  w->next = p->later;
  p->later = w;
}

void passwords_tick(struct passwords *p) {
  const uint64_t now = server_now(p->server);
  for (struct password_work **at = &p->later; *at;) {
    struct password_work *w = *at;
    if (w->due > now) {
      at = &w->next;
      continue;
    }
    *at = w->next;
    crew_post(p->server->hashers, &w->task);
  }
}

void passwords_stop(struct passwords *p) {
  while (p->later) {
    struct password_work *w = p->later;
    p->later = w->next;
    finish_password(w, SAL_CLOSING);
  }
  crew_stop(p->server->hashers);
}
