/* People and their sessions. See people.h. */
#include "people.h"
#include "accounts.h"
#include "connections.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t hour_ms = 3600 * 1000;

/* By the first bytes of its hash, which are its name; they are as good as
 * random. */
struct session {
  struct hash_link link;
  uint8_t hash[STORE_HASH];
  int64_t seen;
  struct person *person;
};

struct people {
  struct server *server;
  struct hash_table sessions, persons;
};

void people_hash(const char *token, uint8_t out[STORE_HASH]) {
  crypto_generichash(out, STORE_HASH, (const uint8_t *)token, strlen(token),
                     NULL, 0);
}

static struct session *find_session(struct people *p, const uint8_t *hash) {
  struct session *s = hash_find(&p->sessions, hash);
  return s && sodium_memcmp(s->hash, hash, STORE_HASH) == 0 ? s : NULL;
}

/* Without memory for it, a name looks like no other. */
void people_renamed(struct person *person, const char *name) {
  snprintf(person->name, sizeof person->name, "%s", name);
  if (!name_looks(name, &person->looks))
    randombytes_buf(&person->looks, sizeof person->looks);
}

static struct person *add_person(struct people *p, int64_t id,
                                 const char *name) {
  struct person *new = calloc(1, sizeof *new);
  if (!new)
    return NULL;
  new->id = id;
  people_renamed(new, name);
  if (hash_add(&p->persons, new))
    return new;
  free(new);
  return NULL;
}

/* The person with that id, made if there is none; NULL: no memory. */
static struct person *person_of(struct people *p, int64_t id,
                                const char *name) {
  struct person *found = people_get(p, id);
  return found ? found : add_person(p, id, name);
}

static int add_session(void *context, const struct store_session *m) {
  struct people *p = context;
  struct session *s = calloc(1, sizeof *s);
  struct person *person = person_of(p, m->person, m->name);
  if (!s || !person) {
    free(s);
    return SAL_NO_MEMORY;
  }
  memcpy(s->hash, m->hash, STORE_HASH);
  s->seen = m->seen > m->at ? m->seen : m->at;
  s->person = person;
  if (hash_add(&p->sessions, s))
    return 0;
  free(s);
  return SAL_NO_MEMORY;
}

struct people *people_new(struct server *srv) {
  struct people *p = calloc(1, sizeof *p);
  if (!p)
    return NULL;
  p->server = srv;
  hash_init(&p->sessions, offsetof(struct session, hash), SESSION_NAME / 2);
  hash_init(&p->persons, offsetof(struct person, id), sizeof(int64_t));
  return p;
}

int people_load(struct people *p) {
  return store_each_session(p->server->store, add_session, p);
}

void people_free(struct people *p) {
  if (!p)
    return;
  hash_free(&p->sessions, NULL);
  hash_free(&p->persons, NULL);
  free(p);
}

size_t people_count(const struct people *p) { return p->persons.count; }

static void name_session(const uint8_t hash[STORE_HASH],
                         char out[SESSION_NAME + 1]) {
  sodium_bin2hex(out, SESSION_NAME + 1, hash, SESSION_NAME / 2);
}

void people_session_name(const char *token, char out[SESSION_NAME + 1]) {
  uint8_t hash[STORE_HASH];
  people_hash(token, hash);
  name_session(hash, out);
}

static void touched(struct store_job *job, int error) {
  (void)error; /* it is tried again in an hour */
  free(job);
}

/* That a session is in use is noted once an hour. */
static void touch(struct people *p, struct session *s, int64_t now) {
  struct account_job *d = calloc(1, sizeof *d);
  s->seen = now;
  if (!d)
    return;
  d->job.call = account_store_touch;
  d->job.done = touched;
  d->now = now;
  memcpy(d->hash, s->hash, STORE_HASH);
  store_post(p->server->store, &d->job);
}

struct person *people_find(struct people *p, const char *token) {
  uint8_t hash[STORE_HASH];
  people_hash(token, hash);
  struct session *s = find_session(p, hash);
  const int64_t now = server_time();
  if (!s || now - s->seen > SESSION_DAYS * 24 * hour_ms)
    return NULL;
  if (now - s->seen > hour_ms)
    touch(p, s, now);
  return s->person;
}

struct person *people_get(struct people *p, int64_t id) {
  return hash_find(&p->persons, &id);
}

void people_set_name(struct people *p, int64_t id, const char *name) {
  struct person *person = people_get(p, id);
  if (person)
    people_renamed(person, name);
}

int people_add_session(struct people *p, const struct store_session *s) {
  return add_session(p, s);
}

void people_change_token(struct people *p, const uint8_t old[STORE_HASH],
                         const uint8_t fresh[STORE_HASH]) {
  char before[SESSION_NAME + 1], after[SESSION_NAME + 1];
  struct session *s = find_session(p, old);
  if (!s)
    return;
  hash_remove(&p->sessions, s);
  memcpy(s->hash, fresh, STORE_HASH);
  hash_add(&p->sessions, s); /* where one has just been there is room */
  name_session(old, before);
  name_session(fresh, after);
  connections_rename_session(p->server, before, after);
}

void people_new_token(char token[TOKEN_MAX + 1], uint8_t hash[STORE_HASH]) {
  uint8_t secret[TOKEN_BYTES];
  randombytes_buf(secret, sizeof secret);
  sodium_bin2base64(token, TOKEN_MAX + 1, secret, sizeof secret,
                    sodium_base64_VARIANT_URLSAFE_NO_PADDING);
  sodium_memzero(secret, sizeof secret);
  people_hash(token, hash);
}

void people_agent(const char *agent, char out[STORE_AGENT_MAX + 1]) {
  const bool fit = agent && strlen(agent) <= STORE_AGENT_MAX &&
                   text_is_clean(agent, STORE_AGENT_MAX);
  strcpy(out, fit ? agent : "");
}

/* ---- Changes, which the store makes durable first ------------------------- */

struct change {
  struct store_job job; /* first, so that `done` finds the rest */
  struct people *people;
  uint64_t conn;
  people_done *done;
  char token[TOKEN_MAX + 1];
};

static struct change *new_change(struct people *p, uint64_t conn,
                                 people_done *done) {
  struct change *c = calloc(1, sizeof *c);
  if (!c) {
    done(p->server, conn, NULL, NULL, SAL_NO_MEMORY);
    return NULL;
  }
  c->people = p;
  c->conn = conn;
  c->done = done;
  c->job.session.at = server_time();
  return c;
}

/* ---- Names that go to accounts --------------------------------------------- */

static void guest_is_renamed(struct store_job *job, int error) {
  (void)error; /* it is tried again when the server starts the next time */
  free(job);
}

static void rename_guest(struct people *p, struct person *person) {
  char name[NAME_SIZE];
  snprintf(name, sizeof name, "Guest %lld", (long long)person->id);
  people_renamed(person, name);
  while (accounts_keep_from(p->server->accounts, person)) {
    snprintf(name, sizeof name, "Guest %lld-%u", (long long)person->id,
             randombytes_uniform(100000));
    people_renamed(person, name);
  }
  struct account_job *job = calloc(1, sizeof *job);
  if (!job)
    return;
  job->person = person->id;
  strcpy(job->name, name);
  job->job.call = account_store_rename;
  job->job.done = guest_is_renamed;
  store_post(p->server->store, &job->job);
}

void people_yield_names(struct people *p, const struct name_looks *look) {
  for (struct person *s = NULL; (s = hash_next(&p->persons, s));)
    if ((!look || name_alike(&s->looks, look)) &&
        accounts_keep_from(p->server->accounts, s))
      rename_guest(p, s);
}

static void free_change(struct change *c) {
  sodium_memzero(c->token, sizeof c->token);
  free(c);
}

static void session_is_durable(struct store_job *job, int error) {
  struct change *c = (struct change *)job;
  struct people *p = c->people;
  if (!error)
    error = add_session(p, &job->session);
  struct person *person =
      error ? NULL : person_of(p, job->session.person, job->session.name);
  if (person && accounts_keep_from(p->server->accounts, person))
    rename_guest(p, person); /* an account took the name in the meantime */
  c->done(p->server, c->conn, person, c->token, error);
  free_change(c);
}

void people_guest(struct people *p, const char *name, const char *agent,
                  uint64_t conn, people_done *done) {
  struct change *c = new_change(p, conn, done);
  if (!c)
    return;
  people_new_token(c->token, c->job.session.hash);
  c->job.session.seen = c->job.session.at;
  strcpy(c->job.session.name, name);
  people_agent(agent, c->job.session.agent);
  c->job.call = store_add_person;
  c->job.done = session_is_durable;
  store_post(p->server->store, &c->job);
}

/* What the session has opened is closed with it. */
static void end_session(struct people *p, struct session *gone) {
  char name[SESSION_NAME + 1];
  name_session(gone->hash, name);
  connections_end_session(p->server, name);
  hash_remove(&p->sessions, gone);
  free(gone);
}

void people_end(struct people *p, int64_t person, const char *name,
                const uint8_t *but) {
  for (struct session *s = hash_next(&p->sessions, NULL), *next; s; s = next) {
    char mine[SESSION_NAME + 1];
    next = hash_next(&p->sessions, s);
    name_session(s->hash, mine);
    const bool meant = name  ? strcmp(name, mine) == 0
                       : but ? memcmp(s->hash, but, STORE_HASH) != 0
                             : true;
    if (meant && s->person->id == person)
      end_session(p, s);
  }
}

void people_expire(struct people *p, const char *name) {
  uint8_t hash[STORE_HASH] = {0};
  sodium_hex2bin(hash, STORE_HASH, name, strlen(name), NULL, NULL, NULL);
  struct session *s = hash_find(&p->sessions, hash);
  if (s)
    end_session(p, s);
}

void people_forget_unused(struct people *p) {
  for (struct person *q = NULL; (q = hash_next(&p->persons, q));)
    q->held = false;
  for (const struct session *s = NULL; (s = hash_next(&p->sessions, s));)
    s->person->held = true;
  connections_hold_people(p->server);
  for (struct person *q = hash_next(&p->persons, NULL), *next; q; q = next) {
    next = hash_next(&p->persons, q);
    if (q->held)
      continue;
    hash_remove(&p->persons, q);
    free(q);
  }
}

static void forgotten(struct store_job *job, int error) {
  struct change *c = (struct change *)job;
  struct session *gone = find_session(c->people, job->session.hash);
  if (!error && gone)
    end_session(c->people, gone);
  c->done(c->people->server, c->conn, NULL, NULL, error);
  free_change(c);
}

void people_forget(struct people *p, const char *token, uint64_t conn,
                   people_done *done) {
  struct change *c = new_change(p, conn, done);
  if (!c)
    return;
  people_hash(token, c->job.session.hash);
  c->job.call = store_end_session;
  c->job.done = forgotten;
  store_post(p->server->store, &c->job);
}

/* ---- Texts ---------------------------------------------------------------- */

/* The next character of sound UTF-8. */
static uint32_t next_char(const unsigned char **s) {
  uint32_t c = *(*s)++;
  const int more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : c >= 0xc0 ? 1 : 0;
  c &= more ? 0x3fu >> more : 0x7fu;
  for (int i = 0; i < more && **s; i++)
    c = c << 6 | (*(*s)++ & 0x3fu);
  return c;
}

static bool is_odd(uint32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad ||
         (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
         (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || c >= 0xe0000;
}

bool text_is_clean(const char *text, size_t most) {
  const unsigned char *s = (const unsigned char *)text;
  size_t n = 0;
  uint32_t last = ' ';
  if (*s == ' ')
    return false;
  for (; *s; n++)
    if (is_odd(last = next_char(&s)))
      return false;
  return n > 0 && n <= most && last != ' ';
}
