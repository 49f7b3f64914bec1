/* People and their sessions. See people.h. */
#include "people.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1 << 14 };

static const int64_t session_days = 180;

struct session {
  uint8_t hash[STORE_HASH];
  int64_t at;
  struct person *person;
  struct session *next;
};

/* Addresses that make people. Two that fall on one place share its bucket, or
 * push each other out; the memory is bounded, and a flood stays one. */
struct source {
  char address[46];
  struct bucket made;
};

enum { SOURCES = 1024 };
static const double made_rate = 0.5, made_burst = 100;

struct people {
  struct house *house;
  struct session *sessions[BUCKETS];
  struct person *persons[BUCKETS];
  size_t count;
  struct source sources[SOURCES];
};

static void hash_token(const char *token, uint8_t out[STORE_HASH]) {
  crypto_generichash(out, STORE_HASH, (const uint8_t *)token, strlen(token),
                     NULL, 0);
}

static struct session **place_of(struct people *p, const uint8_t *hash) {
  struct session **at = &p->sessions[(hash[0] << 8 | hash[1]) % BUCKETS];
  while (*at && sodium_memcmp((*at)->hash, hash, STORE_HASH) != 0)
    at = &(*at)->next;
  return at;
}

/* The person with that id, made if there is none; NULL: no memory. */
static struct person *person_of(struct people *p, int64_t id,
                                const char *name) {
  struct person **at = &p->persons[(uint64_t)id % BUCKETS];
  while (*at && (*at)->id != id)
    at = &(*at)->next;
  if (!*at && (*at = calloc(1, sizeof **at))) {
    (*at)->id = id;
    strcpy((*at)->name, name);
    bucket_fill(&(*at)->chat, house_now(p->house), 5);
    bucket_fill(&(*at)->tables, house_now(p->house), 10);
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
  s->at = m->at;
  s->person = person;
  *place_of(p, m->hash) = s;
  return 0;
}

struct people *people_new(struct house *h) {
  struct people *p = calloc(1, sizeof *p);
  if (p)
    p->house = h;
  return p;
}

int people_load(struct people *p) {
  return store_each_session(p->house->store, add_session, p);
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

struct person *people_find(struct people *p, const char *token) {
  uint8_t hash[STORE_HASH];
  hash_token(token, hash);
  const struct session *s = *place_of(p, hash);
  const int64_t oldest = house_time() - session_days * 86400 * 1000;
  return s && s->at > oldest ? s->person : NULL;
}

bool people_address_may(struct people *p, const char *address) {
  uint8_t hash[16];
  const uint64_t now = house_now(p->house);
  crypto_generichash(hash, sizeof hash, (const uint8_t *)address,
                     strlen(address), NULL, 0);
  struct source *s = &p->sources[(hash[0] << 8 | hash[1]) % SOURCES];
  if (strcmp(s->address, address) != 0) {
    snprintf(s->address, sizeof s->address, "%s", address);
    bucket_fill(&s->made, now, made_burst);
  }
  return bucket_take(&s->made, now, made_rate, made_burst);
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
    done(p->house, conn, NULL, NULL, SAL_NO_MEMORY);
    return NULL;
  }
  c->people = p;
  c->conn = conn;
  c->done = done;
  c->job.session.at = house_time();
  return c;
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
  c->done(p->house, c->conn, person, c->token, error);
  free_change(c);
}

static void post_session(struct change *c, enum store_task task,
                         const char *name) {
  uint8_t secret[TOKEN_BYTES];
  randombytes_buf(secret, sizeof secret);
  sodium_bin2base64(c->token, sizeof c->token, secret, sizeof secret,
                    sodium_base64_VARIANT_URLSAFE_NO_PADDING);
  sodium_memzero(secret, sizeof secret);
  hash_token(c->token, c->job.session.hash);
  strcpy(c->job.session.name, name);
  c->job.task = task;
  c->job.done = session_is_durable;
  store_post(c->people->house->store, &c->job);
}

void people_guest(struct people *p, const char *name, uint64_t conn,
                  people_done *done) {
  struct change *c = new_change(p, conn, done);
  if (c)
    post_session(c, STORE_PERSON, name);
}

void people_enter(struct people *p, int64_t person, const char *name,
                  uint64_t conn, people_done *done) {
  struct change *c = new_change(p, conn, done);
  if (!c)
    return;
  c->job.session.person = person;
  post_session(c, STORE_SESSION, name);
}

static void forgotten(struct store_job *job, int error) {
  struct change *c = (struct change *)job;
  struct session **at = place_of(c->people, job->session.hash);
  if (!error && *at) {
    struct session *gone = *at;
    *at = gone->next;
    free(gone);
  }
  c->done(c->people->house, c->conn, NULL, NULL, error);
  free_change(c);
}

void people_forget(struct people *p, const char *token, uint64_t conn,
                   people_done *done) {
  struct change *c = new_change(p, conn, done);
  if (!c)
    return;
  hash_token(token, c->job.session.hash);
  c->job.task = STORE_FORGET;
  c->job.done = forgotten;
  store_post(p->house->store, &c->job);
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
