/* Reading and writing the shipped policy; see policy.h. */
#include "policy.h"
#include "bytes.h"
#include "coder.h"

#include <stdlib.h>
#include <string.h>

/* ---- Blueprints ---------------------------------------------------------- */

enum { BYTE_BITS = 8, SIZE_BITS = 4, MOST_BITS = 12, TOP_BITS = 2 };

/* What is likely on a blueprint; both ways start with the same. */
struct model {
  odds chance[2 * OFFER + OFFER + GUESS_KINDS][1 << BYTE_BITS];
  odds size[2][MOST_BITS + 2][1 << SIZE_BITS];
  odds top[2][MOST_BITS + 2][1 << TOP_BITS];
  odds rest;
};

static void model_begin(struct model *m) {
  odds *o = (odds *)m;
  for (size_t i = 0; i < sizeof *m / sizeof *o; i++)
    o[i] = ODDS_EVEN;
}

/* Chances of actions, IDENTITIES bytes an action, `n` actions a node; `whole`
 * says that they add up to 255, so that the last need not be told. */
static void code_chances(struct coder *c, struct model *m, unsigned from,
                         uint8_t *at, size_t nodes, unsigned n, bool whole) {
  for (size_t i = 0; i < nodes; i++, at += n * IDENTITIES)
    for (unsigned id = 0; id < IDENTITIES; id++) {
      unsigned sum = 0;
      for (unsigned k = 0; k < n; k++) {
        uint8_t *byte = &at[k * IDENTITIES + id];
        if (whole && k == n - 1)
          *byte = (uint8_t)(sum < 255 ? 255 - sum : 0);
        else
          *byte = (uint8_t)coder_tree(c, m->chance[from + k], BYTE_BITS, *byte);
        sum += *byte;
      }
    }
}

/* A difference: the number of its bits, its upper bits, its lower bits. */
static unsigned code_difference(struct coder *c, struct model *m, int side,
                                unsigned context, unsigned value) {
  unsigned size = 0;
  while (value >> size)
    size++;
  size = coder_tree(c, m->size[side][context], SIZE_BITS, size);
  if (size < 2)
    return size;
  if (size > MOST_BITS + 1)
    size = MOST_BITS + 1; /* only in a file that lies */
  const int below = (int)size - 1;
  const int top = below < TOP_BITS ? below : TOP_BITS;
  unsigned out = 1;
  out = out << top | coder_tree(c, m->top[side][size], top,
                                value >> (below - top) & ((1u << top) - 1));
  for (int i = below - top - 1; i >= 0; i--) {
    odds even = ODDS_EVEN;
    out = out << 1 | coder_bit(c, &even, value >> i & 1);
  }
  return out;
}

static unsigned size_of(unsigned value) {
  unsigned size = 0;
  while (value >> size)
    size++;
  return size <= MOST_BITS + 1 ? size : MOST_BITS + 1;
}

static unsigned rounded(unsigned value, int bits) {
  const unsigned most = (1u << bits) - 1;
  return (value * most + 32767) / 65535;
}

/* Values, as differences to those of the node before; near nodes are alike. */
static void code_values(struct coder *c, struct model *m, int side, int bits,
                        uint16_t (*at)[IDENTITIES]) {
  const unsigned most = (1u << bits) - 1;
  unsigned before[IDENTITIES] = {0}, context[IDENTITIES] = {0};
  for (size_t i = 0; i < SECOND_DISCARDS; i++)
    for (unsigned id = 0; id < IDENTITIES; id++) {
      const int value = (int)rounded(at[i][id], bits);
      const int by = value - (int)before[id];
      unsigned coded = by < 0 ? 2 * (unsigned)-by - 1 : 2 * (unsigned)by;
      coded = code_difference(c, m, side, context[id], coded);
      const unsigned now =
          coded & 1 ? before[id] - (coded + 1) / 2 : before[id] + coded / 2;
      before[id] = now <= most ? now : most; /* more only if the file lies */
      context[id] = size_of(coded);
      at[i][id] = (uint16_t)(before[id] * 65535 / most);
    }
}

/* The same for both ways; writing rounds the blueprint. */
static void code_blueprint(struct coder *c, struct blueprint *s, int bits) {
  struct model *m = malloc(sizeof *m);
  if (!m) {
    c->full = true;
    return;
  }
  model_begin(m);
  code_chances(c, m, 0, s->first_take[0][0], OFFERS, OFFER, true);
  code_chances(c, m, 0, s->second_take[0][0], FIRST_GUESSES, OFFER, true);
  code_chances(c, m, OFFER, s->discard[0][0], FIRST_DISCARDS, OFFER, true);
  code_chances(c, m, 2 * OFFER, s->guess[0][0], FIRST_GUESSES, GUESS_KINDS,
               false);
  code_values(c, m, 0, bits, s->collector);
  code_values(c, m, 1, bits, s->guesser);
  free(m);
}

size_t policy_pack_blueprint(const struct blueprint *s, int bits,
                             unsigned char *out, size_t room) {
  struct blueprint *copy = malloc(sizeof *copy);
  struct coder c;
  if (!copy)
    return 0;
  *copy = *s;
  coder_write_begin(&c, out, room);
  code_blueprint(&c, copy, bits);
  const size_t n = coder_write_end(&c);
  free(copy);
  return c.full ? 0 : n;
}

bool policy_unpack(const sal_doors_policy *p, int number,
                   struct blueprint *out) {
  struct coder c;
  coder_read_begin(&c, p->bytes + p->blueprint[number].at,
                   p->blueprint[number].size);
  code_blueprint(&c, out, p->blueprint[number].bits);
  return !c.full;
}

/* If two threads unpack the same blueprint, the first that is done is kept. */
const struct blueprint *policy_blueprint(const sal_doors_policy *p,
                                         int number) {
  _Atomic(struct blueprint *) *place = &p->unpacked->blueprint[number];
  struct blueprint *kept = atomic_load(place);
  if (kept)
    return kept;
  struct blueprint *fresh = calloc(1, sizeof *fresh);
  if (!fresh || !policy_unpack(p, number, fresh)) {
    free(fresh);
    return NULL;
  }
  if (atomic_compare_exchange_strong(place, &kept, fresh))
    return fresh;
  free(fresh);
  return kept;
}

/* ---- Files --------------------------------------------------------------- */

enum {
  MARK_BYTES = 8,
  HEAD_BYTES = MARK_BYTES + 4 + 4,
  ENTRY_BYTES = 6 * 4 + 4 + 4,
  SUM_BYTES = 8
};
static const char mark[MARK_BYTES] = {'s', 'a', 'l', 'd', 'o', 'o', 'r', '2'};

/* Changes with every bit; by words, since a policy is large and read at every
 * start. */
static uint64_t word_checksum(const unsigned char *bytes, size_t n) {
  uint64_t h = UINT64_C(0xcbf29ce484222325) ^ n;
  size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    h = (h ^ get(bytes + i, 8)) * UINT64_C(0xbf58476d1ce4e5b9);
    h ^= h >> 29;
  }
  for (; i < n; i++)
    h = (h ^ bytes[i]) * UINT64_C(0x100000001b3);
  return h;
}

static void put_worth(unsigned char *out, const struct worth *w) {
  const float f[6] = {w->set,         w->wrong,    w->trait,
                      w->guesser_set, w->deck_out, w->both};
  for (int i = 0; i < 6; i++) {
    uint32_t bits;
    memcpy(&bits, &f[i], sizeof bits);
    put(out + 4 * i, bits, 4);
  }
}

/* False if the numbers are not in the order that the solver needs. */
static bool get_worth(const unsigned char *in, struct worth *w) {
  float f[6];
  for (int i = 0; i < 6; i++) {
    const uint32_t bits = (uint32_t)get(in + 4 * i, 4);
    memcpy(&f[i], &bits, sizeof bits);
    if (!(f[i] >= -100 && f[i] <= 100) || (i > 0 && f[i] > f[i - 1]))
      return false;
  }
  *w = (struct worth){f[0], f[1], f[2], f[3], f[4], f[5]};
  return f[0] > f[5];
}

size_t policy_pack(const struct packed_blueprint blueprints[BLUEPRINTS],
                   const char *note, unsigned char *out, size_t room) {
  const size_t length = strlen(note);
  size_t at = HEAD_BYTES + BLUEPRINTS * (size_t)ENTRY_BYTES + length, size = at;
  for (int i = 0; i < BLUEPRINTS; i++)
    size += blueprints[i].size;
  if (length >= SAL_DOORS_NOTE_MAX || size + SUM_BYTES > room)
    return 0;
  memcpy(out, mark, MARK_BYTES);
  put(out + MARK_BYTES, BLUEPRINTS, 4);
  put(out + MARK_BYTES + 4, length, 4);
  memcpy(out + at - length, note, length);
  for (int i = 0; i < BLUEPRINTS; i++) {
    unsigned char *entry = out + HEAD_BYTES + (size_t)i * ENTRY_BYTES;
    put_worth(entry, &blueprints[i].worth);
    put(entry + 24, blueprints[i].bits, 4);
    put(entry + 28, blueprints[i].size, 4);
    memcpy(out + at, blueprints[i].bytes, blueprints[i].size);
    at += blueprints[i].size;
  }
  put(out + size, word_checksum(out, size), SUM_BYTES);
  return size + SUM_BYTES;
}

/* Where everything lies; false if it does not add up. */
static bool read_doors_head(sal_doors_policy *p, const unsigned char *bytes,
                            size_t n) {
  const size_t blueprints = HEAD_BYTES + BLUEPRINTS * (size_t)ENTRY_BYTES;
  if (n < blueprints + SUM_BYTES || memcmp(bytes, mark, MARK_BYTES) != 0 ||
      get(bytes + MARK_BYTES, 4) != BLUEPRINTS)
    return false;
  const size_t length = get(bytes + MARK_BYTES + 4, 4);
  size_t at = blueprints + length;
  if (length >= SAL_DOORS_NOTE_MAX || at > n - SUM_BYTES)
    return false;
  memcpy(p->note, bytes + blueprints, length);
  for (int i = 0; i < BLUEPRINTS; i++) {
    const unsigned char *entry = bytes + HEAD_BYTES + (size_t)i * ENTRY_BYTES;
    const uint64_t bits = get(entry + 24, 4), size = get(entry + 28, 4);
    if (!get_worth(entry, &p->blueprint[i].worth) || bits < 1 ||
        bits > MOST_BITS || size > n - SUM_BYTES - at)
      return false;
    p->blueprint[i].bits = (uint8_t)bits;
    p->blueprint[i].at = at;
    p->blueprint[i].size = size;
    at += size;
  }
  return at == n - SUM_BYTES &&
         get(bytes + at, SUM_BYTES) == word_checksum(bytes, at);
}

sal_doors_policy *sal_doors_policy_open(const unsigned char *bytes, size_t n) {
  sal_doors_policy *p = calloc(1, sizeof *p);
  if (!p)
    return NULL;
  p->bytes = bytes;
  p->unpacked = calloc(1, sizeof *p->unpacked);
  if (p->unpacked && read_doors_head(p, bytes, n))
    return p;
  sal_doors_policy_close(p);
  return NULL;
}

void sal_doors_policy_close(sal_doors_policy *p) {
  for (int i = 0; p && p->unpacked && i < BLUEPRINTS; i++)
    free(atomic_load(&p->unpacked->blueprint[i]));
  if (p)
    free(p->unpacked);
  free(p);
}

const char *sal_doors_policy_note(const sal_doors_policy *p) { return p->note; }

struct sal_doors_worth sal_doors_policy_worth(const sal_doors_policy *p,
                                              int blueprint) {
  const struct worth *w = &p->blueprint[blueprint].worth;
  return (struct sal_doors_worth){w->set,         w->wrong,    w->trait,
                                  w->guesser_set, w->deck_out, w->both};
}
