/* Accounts with passwords. See accounts.h.
 *
 * Main invariant: a password is hashed (Argon2id) on a worker thread, from a
 * copy that is wiped when the answer is there; neither the loop nor the store
 * ever waits for it or keeps it. Whether an account exists takes no time to
 * tell: an unknown name is checked against a password that nobody has. */
#include "accounts.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { BUCKETS = 1 << 12, WORKS_MAX = 32 };

/* How often one account's password may be tried. */
static const double try_rate = 0.2, try_burst = 10;

struct account {
  struct store_account facts;
  struct bucket tries;
  struct account *next;
};

struct accounts {
  struct house *house;
  struct account *bucket[BUCKETS];
  char nobody[crypto_pwhash_STRBYTES];
  size_t works; /* passwords being hashed */
};

/* ---- The set -------------------------------------------------------------- */

/* Names are alike as the store compares them: without regard to the case of
 * A to Z. */
static struct account **place_of(struct accounts *a, const char *name) {
  uint32_t hash = 2166136261u;
  for (const char *s = name; *s; s++) {
    const unsigned char c = (unsigned char)*s;
    hash = (hash ^ (c >= 'A' && c <= 'Z' ? c + 32u : c)) * 16777619u;
  }
  struct account **at = &a->bucket[hash % BUCKETS];
  while (*at && strcasecmp((*at)->facts.name, name) != 0)
    at = &(*at)->next;
  return at;
}

static int add_account(void *context, const struct store_account *facts) {
  struct accounts *a = context;
  struct account *new = calloc(1, sizeof *new);
  if (!new)
    return SAL_NO_MEMORY;
  new->facts = *facts;
  bucket_fill(&new->tries, house_now(a->house), try_burst);
  *place_of(a, facts->name) = new;
  return 0;
}

struct accounts *accounts_new(struct house *h) {
  struct accounts *a = calloc(1, sizeof *a);
  char random[32];
  if (!a)
    return NULL;
  a->house = h;
  randombytes_buf(random, sizeof random);
  if (crypto_pwhash_str(a->nobody, random, sizeof random,
                        crypto_pwhash_OPSLIMIT_INTERACTIVE,
                        crypto_pwhash_MEMLIMIT_INTERACTIVE) == 0)
    return a;
  free(a);
  return NULL;
}

void accounts_free(struct accounts *a) {
  for (size_t i = 0; a && i < BUCKETS; i++)
    for (struct account *at = a->bucket[i], *next; at; at = next) {
      next = at->next;
      free(at);
    }
  free(a);
}

int accounts_load(struct accounts *a) {
  return store_each_account(a->house->store, add_account, a);
}

/* ---- Work ----------------------------------------------------------------- */

struct work {
  struct store_job job; /* first, so that `done` finds the rest */
  uv_work_t request;
  struct accounts *accounts;
  struct person *person; /* who opens an account */
  bool known;            /* the name has an account */
  int result;            /* of libsodium */
  uint64_t conn;
  people_done *done;
  char secret[STORE_SECRET_MAX + 1];
  char password[PASSWORD_MAX + 1];
};

static struct work *new_work(struct accounts *a, const char *password,
                             uint64_t conn, people_done *done) {
  struct work *w = a->works < WORKS_MAX ? calloc(1, sizeof *w) : NULL;
  if (!w) {
    done(a->house, conn, NULL, NULL, SAL_SLOW_DOWN);
    return NULL;
  }
  w->accounts = a;
  w->conn = conn;
  w->done = done;
  w->request.data = w;
  strcpy(w->password, password);
  return w;
}

static void free_work(struct work *w) {
  sodium_memzero(w, sizeof *w);
  free(w);
}

static void finish(struct work *w, struct person *person, int error) {
  w->done(w->accounts->house, w->conn, person, NULL, error);
  free_work(w);
}

static void queue(struct work *w, uv_work_cb run, uv_after_work_cb after) {
  struct house *h = w->accounts->house;
  if (uv_queue_work(&h->loop, &w->request, run, after) != 0) {
    finish(w, NULL, SAL_NO_MEMORY);
    return;
  }
  w->accounts->works++;
  h->work_open++;
}

static struct work *work_is_over(uv_work_t *request) {
  struct work *w = request->data;
  w->accounts->works--;
  w->accounts->house->work_open--;
  sodium_memzero(w->password, sizeof w->password);
  return w;
}

/* ---- Opening -------------------------------------------------------------- */

static void hash_password(uv_work_t *request) {
  struct work *w = request->data;
  w->result = crypto_pwhash_str(w->secret, w->password, strlen(w->password),
                                crypto_pwhash_OPSLIMIT_INTERACTIVE,
                                crypto_pwhash_MEMLIMIT_INTERACTIVE);
}

static void account_is_durable(struct store_job *job, int error) {
  struct work *w = (struct work *)job;
  if (!error)
    error = add_account(w->accounts, &job->account);
  finish(w, error ? NULL : w->person,
         error == SAL_LATE ? SAL_SEAT_TAKEN : error);
}

static void password_is_hashed(uv_work_t *request, int status) {
  struct work *w = work_is_over(request);
  if (status != 0 || w->result != 0) {
    finish(w, NULL, SAL_NO_MEMORY);
    return;
  }
  struct store_account *facts = &w->job.account;
  facts->person = w->person->id;
  facts->at = house_time();
  strcpy(facts->name, w->person->name);
  strcpy(facts->secret, w->secret);
  w->job.task = STORE_ACCOUNT;
  w->job.done = account_is_durable;
  store_post(w->accounts->house->store, &w->job);
}

void accounts_open(struct accounts *a, struct person *person,
                   const char *password, uint64_t conn, people_done *done) {
  if (*place_of(a, person->name)) {
    done(a->house, conn, NULL, NULL, SAL_SEAT_TAKEN);
    return;
  }
  struct work *w = new_work(a, password, conn, done);
  if (!w)
    return;
  w->person = person;
  queue(w, hash_password, password_is_hashed);
}

/* ---- Entering ------------------------------------------------------------- */

static void check_password(uv_work_t *request) {
  struct work *w = request->data;
  w->result =
      crypto_pwhash_str_verify(w->secret, w->password, strlen(w->password));
}

static void password_is_checked(uv_work_t *request, int status) {
  struct work *w = work_is_over(request);
  if (status != 0 || w->result != 0 || !w->known) {
    finish(w, NULL, SAL_NOT_ALLOWED);
    return;
  }
  const struct store_account *facts = &w->job.account;
  people_enter(w->accounts->house->people, facts->person, facts->name, w->conn,
               w->done);
  free_work(w);
}

void accounts_enter(struct accounts *a, const char *name, const char *password,
                    uint64_t conn, people_done *done) {
  struct account *found = *place_of(a, name);
  if (found &&
      !bucket_take(&found->tries, house_now(a->house), try_rate, try_burst)) {
    done(a->house, conn, NULL, NULL, SAL_SLOW_DOWN);
    return;
  }
  struct work *w = new_work(a, password, conn, done);
  if (!w)
    return;
  w->known = found != NULL;
  if (found)
    w->job.account = found->facts;
  strcpy(w->secret, found ? found->facts.secret : a->nobody);
  queue(w, check_password, password_is_checked);
}
