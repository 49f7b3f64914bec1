/* Key chains and addressed draws, on libsodium. */
#include "salotto/fair.h"

#include <assert.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* randombytes and the hashes need no sodium_init() to be right, only to be
 * safe and fast from several threads; it may be called any number of times. */
static void ready(void) {
  if (sodium_init() < 0)
    abort(); /* no random source: nothing drawn from here on would be fair */
}

void sal_key_random(struct sal_key *out) {
  ready();
  randombytes_buf(out->bytes, sizeof out->bytes);
}

void sal_key_number(uint64_t number, struct sal_key *out) {
  memset(out, 0, sizeof *out);
  for (int i = 0; i < 8; i++)
    out->bytes[SAL_KEY_SIZE - 1 - i] = (uint8_t)(number >> (8 * i));
}

bool sal_key_equal(const struct sal_key *a, const struct sal_key *b) {
  return sodium_memcmp(a->bytes, b->bytes, SAL_KEY_SIZE) == 0;
}

static void link_hash(const struct sal_key *in, struct sal_key *out) {
  struct sal_key h;
  crypto_generichash(h.bytes, sizeof h.bytes, in->bytes, sizeof in->bytes, NULL,
                     0);
  *out = h;
}

void sal_chain_key(const struct sal_key *seed, int d, struct sal_key *out) {
  assert(d >= 0 && d <= SAL_CHAIN);
  link_hash(seed, out);
  for (int i = SAL_CHAIN; i > d; i--)
    link_hash(out, out);
}

void sal_key_cache_fill(const struct sal_key *seed, struct sal_key_cache *out) {
  struct sal_key key = *seed;
  for (int d = SAL_CHAIN; d >= 0; d--) {
    link_hash(&key, &key);
    if (d % SAL_KEY_CACHE_STEP == 0)
      out->kept[d / SAL_KEY_CACHE_STEP] = key;
  }
}

void sal_key_cache_get(const struct sal_key_cache *l, int d,
                       struct sal_key *out) {
  assert(d >= 0 && d <= SAL_CHAIN);
  const int above = (d + SAL_KEY_CACHE_STEP - 1) / SAL_KEY_CACHE_STEP;
  *out = l->kept[above];
  for (int i = above * SAL_KEY_CACHE_STEP; i > d; i--)
    link_hash(out, out);
}

bool sal_chain_check(const struct sal_key *commitment, int d,
                     const struct sal_key *key) {
  struct sal_key k = *key;
  for (int i = 0; i < d; i++)
    link_hash(&k, &k);
  return sal_key_equal(&k, commitment);
}

void sal_part_pledge(const struct sal_key *part, struct sal_key *out) {
  link_hash(part, out);
}

void sal_key_mix(const struct sal_key *key, const struct sal_key *parts,
                 size_t count, struct sal_key *out) {
  crypto_generichash_state h;
  crypto_generichash_init(&h, key->bytes, sizeof key->bytes, SAL_KEY_SIZE);
  for (size_t i = 0; i < count; i++)
    crypto_generichash_update(&h, parts[i].bytes, SAL_KEY_SIZE);
  crypto_generichash_final(&h, out->bytes, SAL_KEY_SIZE);
}

static void little(uint8_t *at, uint32_t v) {
  for (int i = 0; i < 4; i++)
    at[i] = (uint8_t)(v >> (8 * i));
}

uint32_t sal_key_below(const struct sal_key *mixed,
                       const struct sal_address *where, uint32_t n) {
  assert(n > 0);
  uint8_t nonce[crypto_stream_chacha20_IETF_NONCEBYTES];
  little(nonce, (uint32_t)where->entry);
  little(nonce + 4, (uint32_t)where->pile);
  little(nonce + 8, (uint32_t)where->list);
  /* Each address owns 2^12 blocks of 16 words; one word is nearly always
   * enough, and running out of them has a chance below 2^-900000. */
  const uint32_t reject = (0u - n) % n;
  for (uint32_t block = 0;; block++) {
    uint8_t words[64] = {0};
    crypto_stream_chacha20_ietf_xor_ic(words, words, sizeof words, nonce,
                                       ((uint32_t)where->index << 12) + block,
                                       mixed->bytes);
    for (size_t i = 0; i < sizeof words; i += 4) {
      const uint32_t w = (uint32_t)words[i] | (uint32_t)words[i + 1] << 8 |
                         (uint32_t)words[i + 2] << 16 |
                         (uint32_t)words[i + 3] << 24;
      const uint64_t m = (uint64_t)w * n;
      if ((uint32_t)m >= reject)
        return (uint32_t)(m >> 32);
    }
  }
}
