/* Accounts with passwords. See accounts.h.
 *
 * Main invariant: a password is hashed (Argon2id) on a worker thread, from a
 * copy that is wiped when the answer is there; neither the loop nor the store
 * ever waits for it or keeps it. Whether an account exists takes no time to
 * tell: an unknown name is checked against a password that nobody has. */
#include "accounts.h"
#include "moderation.h"

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
  struct server *server;
  struct account *bucket[BUCKETS];
  char nobody[crypto_pwhash_STRBYTES];
  size_t works; /* passwords being hashed */
};

/* ---- The set -------------------------------------------------------------- */

/* Names are alike as the store compares them: without regard to the case of
 * A to Z. */
static struct account **place_of_account(struct accounts *a, const char *name) {
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
  bucket_fill(&new->tries, server_now(a->server), try_burst);
  *place_of_account(a, facts->name) = new;
  return 0;
}

struct accounts *accounts_new(struct server *srv) {
  struct accounts *a = calloc(1, sizeof *a);
  char random[32];
  if (!a)
    return NULL;
  a->server = srv;
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
  return store_each_account(a->server->store, add_account, a);
}

/* ---- Work ----------------------------------------------------------------- */

struct work {
  union {
    struct store_job job;           /* first, so that `done` finds the rest */
    struct account_job account_job; /* which begins with one */
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
    done(a->server, conn, NULL, NULL, SAL_SLOW_DOWN);
  return w;
}

static void free_work(struct work *w) {
  sodium_memzero(w, sizeof *w);
  free(w);
}

static void finish_work(struct work *w, int error) {
  struct server *srv = w->accounts->server;
  struct person *person = error ? NULL : people_get(srv->people, w->person);
  if (w->then)
    w->then(srv, w->conn, w->person, error);
  else /* whoever is gone by now has no connection to answer either */
    w->done(srv, w->conn, person, NULL,
            person || error ? error : SAL_NO_MEMORY);
  free_work(w);
}

static void queue_work(struct work *w, uv_work_cb run, uv_after_work_cb after) {
  struct server *srv = w->accounts->server;
  if (uv_queue_work(&srv->loop, &w->request, run, after) != 0) {
    finish_work(w, SAL_NO_MEMORY);
    return;
  }
  w->accounts->works++;
  srv->work_open++;
}

static struct work *work_is_over(uv_work_t *request) {
  struct work *w = request->data;
  w->accounts->works--;
  w->accounts->server->work_open--;
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
  finish_work(w, error == SAL_LATE ? SAL_SEAT_TAKEN : error);
}

static void password_is_hashed(uv_work_t *request, int status) {
  struct work *w = work_is_over(request);
  if (status != 0 || w->result != 0) {
    finish_work(w, SAL_NO_MEMORY);
    return;
  }
  struct store_account *facts = &w->job.account;
  facts->person = w->person;
  facts->at = server_time();
  strcpy(facts->name, w->name);
  strcpy(facts->secret, w->secret);
  w->job.task = STORE_ACCOUNT;
  w->job.done = account_is_durable;
  store_post(w->accounts->server->store, &w->job);
}

void accounts_open(struct accounts *a, struct person *person,
                   const char *password, uint64_t conn, people_done *done) {
  if (*place_of_account(a, person->name)) {
    done(a->server, conn, NULL, NULL, SAL_SEAT_TAKEN);
    return;
  }
  struct work *w = new_work(a, password, conn, done);
  if (!w)
    return;
  w->person = person->id;
  strcpy(w->name, person->name);
  queue_work(w, hash_password, password_is_hashed);
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
    finish_work(w, SAL_NOT_ALLOWED);
    return;
  }
  const struct store_account *facts = &w->job.account;
  if (moderation_bans_person(w->accounts->server->moderation, facts->person)) {
    finish_work(w, SAL_BANNED);
    return;
  }
  people_enter(w->accounts->server->people, facts->person, facts->name,
               w->agent, w->conn, w->done);
  free_work(w);
}

void accounts_enter(struct accounts *a, const char *name, const char *password,
                    const char *agent, uint64_t conn, people_done *done) {
  struct account *found = *place_of_account(a, name);
  if (found &&
      !bucket_take(&found->tries, server_now(a->server), try_rate, try_burst)) {
    done(a->server, conn, NULL, NULL, SAL_SLOW_DOWN);
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
  queue_work(w, check_password, password_is_checked);
}

/* ---- For who has one ------------------------------------------------------ */

/* The name of an account is always that of its person. */
static struct account **account_of(struct accounts *a,
                                   const struct person *person) {
  struct account **at = place_of_account(a, person->name);
  return *at && (*at)->facts.person == person->id ? at : NULL;
}

bool accounts_has(struct accounts *a, const struct person *person) {
  return account_of(a, person) != NULL;
}

static void password_is_proven(uv_work_t *request, int status) {
  struct work *w = work_is_over(request);
  finish_work(w, status != 0 || w->result != 0 ? SAL_NOT_ALLOWED : 0);
}

void accounts_prove(struct accounts *a, const struct person *person,
                    const char *password, uint64_t conn,
                    accounts_proven *then) {
  struct account **at = account_of(a, person);
  struct work *w = NULL;
  int error = 0;
  if (at && !password)
    error = SAL_NOT_ALLOWED;
  else if (at && !bucket_take(&(*at)->tries, server_now(a->server), try_rate,
                              try_burst))
    error = SAL_SLOW_DOWN;
  else if (at && !(w = make_work(a, password, conn)))
    error = SAL_SLOW_DOWN;
  if (!w) {
    then(a->server, conn, person->id, error);
    return;
  }
  w->then = then;
  w->person = person->id;
  strcpy(w->secret, (*at)->facts.secret);
  queue_work(w, check_password, password_is_proven);
}

static void change_is_durable(struct store_job *job, int error) {
  struct work *w = (struct work *)job;
  struct people *people = w->accounts->server->people;
  const struct person *person = people_get(people, w->person);
  struct account **at = person ? account_of(w->accounts, person) : NULL;
  if (!error && at)
    strcpy((*at)->facts.secret, w->account_job.secret);
  if (!error)
    people_end(people, w->person, NULL, w->account_job.hash);
  finish_work(w, error);
}

static void change_is_hashed(uv_work_t *request, int status) {
  struct work *w = work_is_over(request);
  if (status != 0 || w->result != 0) {
    finish_work(w, SAL_NO_MEMORY);
    return;
  }
  w->account_job.person = w->person;
  strcpy(w->account_job.secret, w->secret);
  w->account_job.job.task = STORE_CALL;
  w->account_job.job.call = account_store_password;
  w->account_job.job.done = change_is_durable;
  store_post(w->accounts->server->store, &w->job);
}

void accounts_change(struct accounts *a, const struct person *person,
                     const char *password, const uint8_t hash[STORE_HASH],
                     uint64_t conn, people_done *done) {
  struct work *w = new_work(a, password, conn, done);
  if (!w)
    return;
  w->person = person->id;
  memcpy(w->account_job.hash, hash, STORE_HASH);
  queue_work(w, hash_password, change_is_hashed);
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
  *place_of_account(a, name) = it;
}
