/* Accounts with passwords. See accounts.h.
 *
 * Main invariant: what a password has proved holds for the account as it was
 * then. Between the check and what comes of it the password may change or the
 * account be deleted; so whatever is done in its name carries the hash that was
 * checked (its proof), and the store does it only if the account still has
 * that one. */
#include "accounts.h"
#include "base/hash.h"
#include "moderation.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* By their names as the store compares them: without regard to the case of A to
 * Z. */
struct account {
  struct hash_link link;
  char key[STORE_NAME_MAX + 1]; /* zeros after the name */
  struct store_account facts;
};

struct accounts {
  struct server *server;
  struct passwords *passwords;
  struct hash_table table;
  struct looks *looks; /* of their names */
};

/* ---- The set -------------------------------------------------------------- */

static void fold_name(const char *name, char key[STORE_NAME_MAX + 1]) {
  memset(key, 0, STORE_NAME_MAX + 1);
  for (int i = 0; i < STORE_NAME_MAX && name[i]; i++)
    key[i] = (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] + 32 : name[i]);
}

static struct account *find_account(const struct accounts *a,
                                    const char *name) {
  char key[STORE_NAME_MAX + 1];
  fold_name(name, key);
  return strlen(name) <= STORE_NAME_MAX ? hash_find(&a->table, key) : NULL;
}

static void free_account(void *gone) {
  sodium_memzero(gone, sizeof(struct account));
  free(gone);
}

static int add_account(void *context, const struct store_account *facts) {
  struct accounts *a = context;
  struct account *new = calloc(1, sizeof *new);
  if (!new)
    return SAL_NO_MEMORY;
  new->facts = *facts;
  fold_name(facts->name, new->key);
  if (hash_add(&a->table, new))
    return 0;
  free_account(new);
  return SAL_NO_MEMORY;
}

/* Two that look alike from before that was looked at stay both. */
static int load_account(void *context, const struct store_account *facts) {
  struct accounts *a = context;
  looks_take(a->looks, facts->person, facts->name);
  return add_account(a, facts);
}

struct accounts *accounts_new(struct server *srv) {
  struct accounts *a = calloc(1, sizeof *a);
  if (!a)
    return NULL;
  a->server = srv;
  hash_init(&a->table, offsetof(struct account, key), STORE_NAME_MAX + 1);
  a->passwords = passwords_new(srv);
  a->looks = looks_new();
  if (a->passwords && a->looks)
    return a;
  accounts_free(a);
  return NULL;
}

void accounts_free(struct accounts *a) {
  if (!a)
    return;
  hash_free(&a->table, free_account);
  passwords_free(a->passwords);
  looks_free(a->looks);
  free(a);
}

void accounts_tick(struct accounts *a) { passwords_tick(a->passwords); }
void accounts_stop(struct accounts *a) { passwords_stop(a->passwords); }

int accounts_load(struct accounts *a) {
  return store_each_account(a->server->store, load_account, a);
}

/* The name of an account is always that of its person. */
static struct account *account_of(const struct accounts *a,
                                  const struct person *person) {
  struct account *found = find_account(a, person->name);
  return found && found->facts.person == person->id ? found : NULL;
}

bool accounts_has(struct accounts *a, const struct person *person) {
  return account_of(a, person) != NULL;
}

int accounts_face(struct accounts *a, const struct person *person) {
  const struct account *found = account_of(a, person);
  return found ? found->facts.face : 0;
}

void accounts_set_face(struct accounts *a, const struct person *person,
                       int face) {
  struct account *found = account_of(a, person);
  if (found)
    found->facts.face = face;
}

bool accounts_keep_from(struct accounts *a, const struct person *person) {
  const int64_t owner = looks_owner(a->looks, &person->looks);
  return owner != 0 && owner != person->id && !accounts_has(a, person);
}

bool accounts_name_is_free(struct accounts *a, const char *name) {
  struct name_looks looks;
  return name_looks(name, &looks) && looks_owner(a->looks, &looks) == 0;
}

bool accounts_claim(struct accounts *a, const struct person *person,
                    const char *name) {
  return looks_take(a->looks, person->id, name);
}

void accounts_unclaim(struct accounts *a, int64_t person, const char *name) {
  looks_drop(a->looks, person, name);
}

/* ---- Work ----------------------------------------------------------------- */

struct work {
  struct account_job job; /* first, so that the store's calls find the rest */
  struct password_work password;
  struct accounts *accounts;
  bool known; /* the name has an account */
  uint64_t conn;
  people_done *done;     /* one of these two */
  accounts_proven *then; /* */
  char token[TOKEN_MAX + 1];
  char claimed[STORE_NAME_MAX + 1]; /* kept for the person meanwhile, or "" */
};

static struct work *work_of(struct password_work *w) {
  return (struct work *)((char *)w - offsetof(struct work, password));
}

/* NULL, and refused: no memory. */
static struct work *new_work(struct accounts *a, struct accounts_asker who,
                             people_done *done) {
  struct work *w = calloc(1, sizeof *w);
  if (!w) {
    done(a->server, who.conn, NULL, NULL, SAL_NO_MEMORY);
    return NULL;
  }
  w->accounts = a;
  w->conn = who.conn;
  w->done = done;
  return w;
}

static void free_work(struct work *w) {
  sodium_memzero(w, sizeof *w);
  free(w);
}

static void finish_work(struct work *w, int error) {
  struct server *srv = w->accounts->server;
  struct person *person = error ? NULL : people_get(srv->people, w->job.person);
  if (error && *w->claimed)
    looks_drop(w->accounts->looks, w->job.person, w->claimed);
  /* Whoever is gone by now has no connection to answer either. */
  w->done(srv, w->conn, person, w->token,
          person || error ? error : SAL_NO_MEMORY);
  free_work(w);
}

/* To the store, with another token for the session. */
static void post_work(struct work *w, account_call *call, store_done *done) {
  people_new_token(w->token, w->job.fresh);
  w->job.now = server_time();
  w->job.job.call = call;
  w->job.job.done = done;
  store_post(w->accounts->server->store, &w->job.job);
}

/* ---- Opening -------------------------------------------------------------- */

/* The name is the account's: what was kept meanwhile is of no more use if the
 * person was renamed, and guests have to give it up. */
static void settle_claim(struct work *w) {
  struct accounts *a = w->accounts;
  struct name_looks looks;
  if (strcmp(w->claimed, w->job.name) != 0) {
    looks_take(a->looks, w->job.person, w->job.name);
    looks_drop(a->looks, w->job.person, w->claimed);
  }
  if (name_looks(w->job.name, &looks))
    people_yield_names(a->server->people, &looks);
}

static void account_is_durable(struct store_job *job, int error) {
  struct work *w = (struct work *)job;
  struct store_account facts = {.person = w->job.person, .at = w->job.now};
  if (!error) {
    strcpy(facts.name, w->job.name); /* as the store has it */
    strcpy(facts.secret, w->job.secret);
    people_change_token(w->accounts->server->people, w->job.hash, w->job.fresh);
    error = add_account(w->accounts, &facts);
  }
  if (!error)
    settle_claim(w);
  finish_work(w, error == SAL_LATE ? SAL_NAME_TAKEN : error);
}

static void password_is_hashed(struct password_work *p, int error) {
  struct work *w = work_of(p);
  if (error) {
    finish_work(w, error);
    return;
  }
  strcpy(w->job.secret, p->secret);
  post_work(w, account_store_open, account_is_durable);
}

void accounts_open(struct accounts *a, struct person *person,
                   const char *password, const uint8_t hash[STORE_HASH],
                   struct accounts_asker who, people_done *done) {
  if (find_account(a, person->name) ||
      !looks_take(a->looks, person->id, person->name)) {
    done(a->server, who.conn, NULL, NULL, SAL_NAME_TAKEN);
    return;
  }
  struct work *w = new_work(a, who, done);
  if (!w) {
    looks_drop(a->looks, person->id, person->name);
    return;
  }
  w->job.person = person->id;
  strcpy(w->claimed, person->name);
  memcpy(w->job.hash, hash, STORE_HASH);
  w->password.done = password_is_hashed;
  passwords_hash(a->passwords, &w->password, password, who.address);
}

/* ---- Entering ------------------------------------------------------------- */

static void entry_is_durable(struct store_job *job, int error) {
  struct work *w = (struct work *)job;
  struct store_session session = {
      .person = w->job.person, .at = w->job.now, .seen = w->job.now};
  if (!error) {
    memcpy(session.hash, w->job.fresh, STORE_HASH);
    strcpy(session.name, w->job.name);
    error = people_add_session(w->accounts->server->people, &session);
  }
  finish_work(w, error);
}

static void password_is_checked(struct password_work *p, int error) {
  struct work *w = work_of(p);
  struct server *srv = w->accounts->server;
  if (!error && !w->known)
    error = SAL_NOT_ALLOWED;
  if (!error && moderation_bans_person(srv->moderation, w->job.person))
    error = SAL_BANNED;
  if (error) {
    finish_work(w, error);
    return;
  }
  strcpy(w->job.proof, p->secret);
  post_work(w, account_store_enter, entry_is_durable);
}

/* By the name as it was typed, or in the form in which names are kept. */
static const struct account *account_named(struct accounts *a,
                                           const char *name) {
  char clean[NAME_SIZE];
  const char *problem;
  const struct account *found = find_account(a, name);
  return found || !name_clean(name, clean, &problem) ? found
                                                     : find_account(a, clean);
}

void accounts_enter(struct accounts *a, const char *name, const char *password,
                    const char *agent, struct accounts_asker who,
                    people_done *done) {
  const struct account *found = account_named(a, name);
  struct work *w = new_work(a, who, done);
  if (!w)
    return;
  w->known = found != NULL;
  if (found)
    w->job.person = found->facts.person;
  people_agent(agent, w->job.agent);
  w->password.done = password_is_checked;
  passwords_check(a->passwords, &w->password, name, password,
                  found ? found->facts.secret : NULL, who.address);
}

/* ---- For who has one ------------------------------------------------------ */

static void password_is_proven(struct password_work *p, int error) {
  struct work *w = work_of(p);
  w->then(w->accounts->server, w->conn, w->job.person, error ? "" : p->secret,
          error);
  free_work(w);
}

void accounts_prove(struct accounts *a, const struct person *person,
                    const char *password, struct accounts_asker who,
                    accounts_proven *then) {
  const struct account *at = account_of(a, person);
  struct work *w = at && password ? calloc(1, sizeof *w) : NULL;
  if (!w) {
    then(a->server, who.conn, person->id, "",
         !at         ? 0
         : !password ? SAL_NOT_ALLOWED
                     : SAL_NO_MEMORY);
    return;
  }
  w->accounts = a;
  w->conn = who.conn;
  w->then = then;
  w->job.person = person->id;
  w->password.done = password_is_proven;
  passwords_check(a->passwords, &w->password, person->name, password,
                  at->facts.secret, who.address);
}

static void change_is_durable(struct store_job *job, int error) {
  struct work *w = (struct work *)job;
  struct people *people = w->accounts->server->people;
  const struct person *person = people_get(people, w->job.person);
  struct account *at = person ? account_of(w->accounts, person) : NULL;
  if (!error && at)
    strcpy(at->facts.secret, w->job.secret);
  if (!error) {
    people_end(people, w->job.person, NULL, w->job.hash);
    people_change_token(people, w->job.hash, w->job.fresh);
  }
  finish_work(w, error);
}

static void change_is_hashed(struct password_work *p, int error) {
  struct work *w = work_of(p);
  if (error) {
    finish_work(w, error);
    return;
  }
  strcpy(w->job.secret, p->secret);
  post_work(w, account_store_password, change_is_durable);
}

void accounts_change(struct accounts *a, const struct person *person,
                     const char *proof, const char *password,
                     const uint8_t hash[STORE_HASH], struct accounts_asker who,
                     people_done *done) {
  struct work *w = new_work(a, who, done);
  if (!w)
    return;
  w->job.person = person->id;
  memcpy(w->job.hash, hash, STORE_HASH);
  strcpy(w->job.proof, proof);
  w->password.done = change_is_hashed;
  passwords_hash(a->passwords, &w->password, password, who.address);
}

void accounts_set_name(struct accounts *a, int64_t person, const char *name) {
  const struct account *at = hash_next(&a->table, NULL);
  while (at && at->facts.person != person)
    at = hash_next(&a->table, at);
  if (!at)
    return;
  struct person as_was = {.id = person};
  strcpy(as_was.name, at->facts.name);
  accounts_claim(a, &as_was, name);
  accounts_renamed(a, &as_was, name);
}

void accounts_renamed(struct accounts *a, const struct person *person,
                      const char *name) {
  struct account *it = account_of(a, person);
  if (!it) { /* a guest, for whom nothing is kept */
    if (name)
      looks_drop(a->looks, person->id, name);
    return;
  }
  looks_drop(a->looks, person->id, it->facts.name);
  hash_remove(&a->table, it);
  if (!name) {
    free_account(it);
    return;
  }
  strcpy(it->facts.name, name);
  fold_name(name, it->key);
  hash_add(&a->table, it); /* where one has just been there is room */
}
