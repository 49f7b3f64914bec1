/* Accounts with passwords. See accounts.h.
 *
 * Main invariant: a password is hashed (Argon2id) on a worker thread, from a
 * copy that is wiped when the answer is there; neither the loop nor the store
 * ever waits for it or keeps it. Whether an account exists takes no time to
 * tell: an unknown name is checked against a password that nobody has. */
#include "accounts.h"
#include "keeper.h"

#include <sodium.h>
#include <stdio.h>
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
  union {
    struct store_job job; /* first, so that `done` finds the rest */
    struct deed deed;     /* which begins with one */
  };
  uv_work_t request;
  struct accounts *accounts;
  int64_t person; /* whose account it is, or will be */
  char name[STORE_NAME_MAX + 1];
  bool known; /* the name has an account */
  int result; /* of libsodium */
  uint64_t conn;
  people_done *done;
  accounts_proven *then;
  char agent[STORE_AGENT_MAX + 1];
  char secret[STORE_SECRET_MAX + 1];
  char password[PASSWORD_MAX + 1];
};

static struct work *make_work(struct accounts *a, const char *password,
                              uint64_t conn) {
  struct work *w = a->works < WORKS_MAX ? calloc(1, sizeof *w) : NULL;
  if (!w)
    return NULL;
  w->accounts = a;
  w->conn = conn;
  w->request.data = w;
  strcpy(w->password, password);
  return w;
}

static struct work *new_work(struct accounts *a, const char *password,
                             uint64_t conn, people_done *done) {
  struct work *w = make_work(a, password, conn);
  if (w)
    w->done = done;
  else
    done(a->house, conn, NULL, NULL, SAL_SLOW_DOWN);
  return w;
}

static void free_work(struct work *w) {
  sodium_memzero(w, sizeof *w);
  free(w);
}

static void finish(struct work *w, int error) {
  struct house *h = w->accounts->house;
  struct person *person = error ? NULL : people_get(h->people, w->person);
  if (w->then)
    w->then(h, w->conn, w->person, error);
  else /* whoever is gone by now has no connection to answer either */
    w->done(h, w->conn, person, NULL, person || error ? error : SAL_NO_MEMORY);
  free_work(w);
}

static void queue(struct work *w, uv_work_cb run, uv_after_work_cb after) {
  struct house *h = w->accounts->house;
  if (uv_queue_work(&h->loop, &w->request, run, after) != 0) {
    finish(w, SAL_NO_MEMORY);
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
  finish(w, error == SAL_LATE ? SAL_SEAT_TAKEN : error);
}

static void password_is_hashed(uv_work_t *request, int status) {
  struct work *w = work_is_over(request);
  if (status != 0 || w->result != 0) {
    finish(w, SAL_NO_MEMORY);
    return;
  }
  struct store_account *facts = &w->job.account;
  facts->person = w->person;
  facts->at = house_time();
  strcpy(facts->name, w->name);
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
  w->person = person->id;
  strcpy(w->name, person->name);
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
    finish(w, SAL_NOT_ALLOWED);
    return;
  }
  const struct store_account *facts = &w->job.account;
  if (keeper_bans_person(w->accounts->house->keeper, facts->person)) {
    finish(w, SAL_BANNED);
    return;
  }
  people_enter(w->accounts->house->people, facts->person, facts->name, w->agent,
               w->conn, w->done);
  free_work(w);
}

void accounts_enter(struct accounts *a, const char *name, const char *password,
                    const char *agent, uint64_t conn, people_done *done) {
  struct account *found = *place_of(a, name);
  if (found &&
      !bucket_take(&found->tries, house_now(a->house), try_rate, try_burst)) {
    done(a->house, conn, NULL, NULL, SAL_SLOW_DOWN);
    return;
  }
  struct work *w = new_work(a, password, conn, done);
  if (!w)
    return;
  if (agent)
    snprintf(w->agent, sizeof w->agent, "%s", agent);
  w->known = found != NULL;
  if (found)
    w->job.account = found->facts;
  strcpy(w->secret, found ? found->facts.secret : a->nobody);
  queue(w, check_password, password_is_checked);
}

/* ---- For who has one ------------------------------------------------------ */

/* The name of an account is always that of its person. */
static struct account **account_of(struct accounts *a,
                                   const struct person *person) {
  struct account **at = place_of(a, person->name);
  return *at && (*at)->facts.person == person->id ? at : NULL;
}

bool accounts_has(struct accounts *a, const struct person *person) {
  return account_of(a, person) != NULL;
}

static void password_is_proven(uv_work_t *request, int status) {
  struct work *w = work_is_over(request);
  finish(w, status != 0 || w->result != 0 ? SAL_NOT_ALLOWED : 0);
}

void accounts_prove(struct accounts *a, const struct person *person,
                    const char *password, uint64_t conn,
                    accounts_proven *then) {
  struct account **at = account_of(a, person);
  struct work *w = NULL;
  int error = 0;
  if (at && !password)
    error = SAL_NOT_ALLOWED;
  else if (at && !bucket_take(&(*at)->tries, house_now(a->house), try_rate,
                              try_burst))
    error = SAL_SLOW_DOWN;
  else if (at && !(w = make_work(a, password, conn)))
    error = SAL_SLOW_DOWN;
  if (!w) {
    then(a->house, conn, person->id, error);
    return;
  }
  w->then = then;
  w->person = person->id;
  strcpy(w->secret, (*at)->facts.secret);
  queue(w, check_password, password_is_proven);
}

static void change_is_durable(struct store_job *job, int error) {
  struct work *w = (struct work *)job;
  struct people *people = w->accounts->house->people;
  const struct person *person = people_get(people, w->person);
  struct account **at = person ? account_of(w->accounts, person) : NULL;
  if (!error && at)
    strcpy((*at)->facts.secret, w->deed.secret);
  if (!error)
    people_end(people, w->person, NULL, w->deed.hash);
  finish(w, error);
}

static void change_is_hashed(uv_work_t *request, int status) {
  struct work *w = work_is_over(request);
  if (status != 0 || w->result != 0) {
    finish(w, SAL_NO_MEMORY);
    return;
  }
  w->deed.person = w->person;
  strcpy(w->deed.secret, w->secret);
  w->deed.job.task = STORE_CALL;
  w->deed.job.call = ledger_password;
  w->deed.job.done = change_is_durable;
  store_post(w->accounts->house->store, &w->job);
}

void accounts_change(struct accounts *a, const struct person *person,
                     const char *password, const uint8_t hash[STORE_HASH],
                     uint64_t conn, people_done *done) {
  struct work *w = new_work(a, password, conn, done);
  if (!w)
    return;
  w->person = person->id;
  memcpy(w->deed.hash, hash, STORE_HASH);
  queue(w, hash_password, change_is_hashed);
}

void accounts_renamed(struct accounts *a, const struct person *person,
                      const char *name) {
  struct account **at = account_of(a, person);
  if (!at)
    return;
  struct account *it = *at;
  *at = it->next;
  it->next = NULL;
  if (!name) {
    sodium_memzero(it, sizeof *it);
    free(it);
    return;
  }
  strcpy(it->facts.name, name);
  *place_of(a, name) = it;
}
