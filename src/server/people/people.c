/* People and their sessions. See people.h. */
#include "people.h"
#include "accounts.h"
#include "connections.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1 << 14 };

static const int64_t hour_ms = 3600 * 1000;

struct session {
  uint8_t hash[STORE_HASH];
  int64_t seen;
  struct person *person;
  struct session *next;
};

/* Tables, for each message a second that one may send. */
static const double table_rate = 0.01, table_burst = 0.5;

struct people {
  struct server *server;
  struct session *sessions[BUCKETS];
  struct person *persons[BUCKETS];
  size_t count;
};

/* One at least, however slow the server is. */
static double most_tables(const struct people *p) {
  const double most = table_burst * p->server->options.pace;
  return most > 1 ? most : 1;
}

void people_hash(const char *token, uint8_t out[STORE_HASH]) {
  crypto_generichash(out, STORE_HASH, (const uint8_t *)token, strlen(token),
                     NULL, 0);
}

static struct session **bucket_of(struct people *p, const uint8_t *hash) {
  return &p->sessions[(hash[0] << 8 | hash[1]) % BUCKETS];
}

static struct session **place_of_person(struct people *p, const uint8_t *hash) {
  struct session **at = bucket_of(p, hash);
  while (*at && sodium_memcmp((*at)->hash, hash, STORE_HASH) != 0)
    at = &(*at)->next;
  return at;
}

/* Without memory for it, a name looks like no other. */
void people_renamed(struct person *person, const char *name) {
  snprintf(person->name, sizeof person->name, "%s", name);
  if (!name_looks(name, &person->looks))
    randombytes_buf(&person->looks, sizeof person->looks);
}

/* The person with that id, made if there is none; NULL: no memory. */
static struct person *person_of(struct people *p, int64_t id,
                                const char *name) {
  struct person **at = &p->persons[(uint64_t)id % BUCKETS];
  while (*at && (*at)->id != id)
    at = &(*at)->next;
  if (!*at && (*at = calloc(1, sizeof **at))) {
    (*at)->id = id;
    people_renamed(*at, name);
    bucket_fill(&(*at)->reports, server_now(p->server), 5);
    bucket_fill(&(*at)->chat, server_now(p->server), 5);
    bucket_fill(&(*at)->tables, server_now(p->server), most_tables(p));
    p->count++;
  }
  return *at;
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
  *place_of_person(p, m->hash) = s;
  return 0;
}

struct people *people_new(struct server *srv) {
  struct people *p = calloc(1, sizeof *p);
  if (p)
    p->server = srv;
  return p;
}

int people_load(struct people *p) {
  return store_each_session(p->server->store, add_session, p);
}

void people_free(struct people *p) {
  for (size_t i = 0; p && i < BUCKETS; i++) {
    for (struct session *s = p->sessions[i], *next; s; s = next) {
      next = s->next;
      free(s);
    }
    for (struct person *s = p->persons[i], *next; s; s = next) {
      next = s->next;
      free(s);
    }
  }
  free(p);
}

size_t people_count(const struct people *p) { return p->count; }

bool people_may_open(const struct people *p, struct person *person) {
  return bucket_take(&person->tables, server_now(p->server),
                     table_rate * p->server->options.pace, most_tables(p));
}

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
  struct session *s = *place_of_person(p, hash);
  const int64_t now = server_time();
  if (!s || now - s->seen > SESSION_DAYS * 24 * hour_ms)
    return NULL;
  if (now - s->seen > hour_ms)
    touch(p, s, now);
  return s->person;
}

struct person *people_get(struct people *p, int64_t id) {
  struct person *at = p->persons[(uint64_t)id % BUCKETS];
  while (at && at->id != id)
    at = at->next;
  return at;
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
  struct session **at = place_of_person(p, old), *s = *at;
  if (!s)
    return;
  *at = s->next;
  s->next = NULL;
  memcpy(s->hash, fresh, STORE_HASH);
  *place_of_person(p, fresh) = s;
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
  for (size_t i = 0; i < BUCKETS; i++)
    for (struct person *s = p->persons[i]; s; s = s->next)
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
static void end_session(struct people *p, struct session **at) {
  struct session *gone = *at;
  char name[SESSION_NAME + 1];
  name_session(gone->hash, name);
  connections_end_session(p->server, name);
  *at = gone->next;
  free(gone);
}

void people_end(struct people *p, int64_t person, const char *name,
                const uint8_t *but) {
  for (size_t i = 0; i < BUCKETS; i++)
    for (struct session **at = &p->sessions[i]; *at;) {
      const struct session *s = *at;
      char mine[SESSION_NAME + 1];
      name_session(s->hash, mine);
      const bool meant = name  ? strcmp(name, mine) == 0
                         : but ? memcmp(s->hash, but, STORE_HASH) != 0
                               : true;
      if (meant && s->person->id == person)
        end_session(p, at);
      else
        at = &(*at)->next;
    }
}

void people_expire(struct people *p, const char *name) {
  uint8_t hash[STORE_HASH] = {0};
  sodium_hex2bin(hash, STORE_HASH, name, strlen(name), NULL, NULL, NULL);
  for (struct session **at = bucket_of(p, hash); *at; at = &(*at)->next)
    if (memcmp((*at)->hash, hash, SESSION_NAME / 2) == 0) {
      end_session(p, at);
      return;
    }
}

void people_forget_unused(struct people *p) {
  for (size_t i = 0; i < BUCKETS; i++)
    for (struct person *q = p->persons[i]; q; q = q->next)
      q->held = false;
  for (size_t i = 0; i < BUCKETS; i++)
    for (const struct session *s = p->sessions[i]; s; s = s->next)
      s->person->held = true;
  connections_hold_people(p->server);
  for (size_t i = 0; i < BUCKETS; i++)
    for (struct person **at = &p->persons[i]; *at;) {
      struct person *gone = *at;
      if (gone->held) {
        at = &gone->next;
        continue;
      }
      *at = gone->next;
      free(gone);
      p->count--;
    }
}

static void forgotten(struct store_job *job, int error) {
  struct change *c = (struct change *)job;
  if (!error && *place_of_person(c->people, job->session.hash))
    end_session(c->people, place_of_person(c->people, job->session.hash));
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
