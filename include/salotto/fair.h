/* Fair deals: randomness that nobody at the table chose and anybody can check
 * afterwards.
 *
 * From a secret seed a chain of keys is hashed, link by link:
 *
 *   key[SAL_CHAIN] = H(seed),  key[d] = H(key[d + 1]),  commitment = key[0].
 *
 * Shuffle e of a game is drawn with key[e + 1]. The commitment is told before
 * the first card. When a shuffle is over its key is opened: hashing it e + 1
 * times must give the commitment, and it says nothing of later keys. Each
 * person may add a random part of their own, told after the commitment.
 *
 * Shuffles beyond the chain share its last key,
 * which is opened when the game is over.
 *
 * H is BLAKE2b-256. The draw at address (entry, pile, list, index) reads the
 * ChaCha20 block of that address under H(key, parts), so a draw depends on
 * nothing but its key and address. This shows that nobody chose the cards; it
 * does not show that the host did not look at them.
 *
 * Threads: any number at once.
 * Memory: nothing is allocated; keys are the caller's, who also wipes them. */
#ifndef SALOTTO_FAIR_H
#define SALOTTO_FAIR_H

#include "salotto/api.h"

SAL_BEGIN

enum { SAL_KEY_SIZE = 32, SAL_CHAIN = 256, SAL_KEY_CACHE_STEP = 16 };

struct sal_key {
  uint8_t bytes[SAL_KEY_SIZE];
};

SAL_API void sal_key_random(struct sal_key *out);
/* A seed written as a whole number: big-endian in the last eight bytes. */
SAL_API void sal_key_number(uint64_t number, struct sal_key *out);
SAL_API bool sal_key_equal(const struct sal_key *a, const struct sal_key *b);

/* key[d] of the seed's chain, 0 <= d <= SAL_CHAIN. */
SAL_API void sal_chain_key(const struct sal_key *seed, int d,
                           struct sal_key *out);
/* A key cache, for who needs several: one key in SAL_KEY_CACHE_STEP is kept, and
 * any other is a few steps below one of them. */
struct sal_key_cache {
  struct sal_key kept[SAL_CHAIN / SAL_KEY_CACHE_STEP + 1];
};
SAL_API void sal_key_cache_fill(const struct sal_key *seed,
                                struct sal_key_cache *out);
SAL_API void sal_key_cache_get(const struct sal_key_cache *l, int d,
                               struct sal_key *out);
/* Whether `key` is key[d] of the chain with this commitment. */
SAL_API bool sal_chain_check(const struct sal_key *commitment, int d,
                             const struct sal_key *key);

/* What a seat tells before the parts are told, so that nobody can choose theirs
 * by the others': H of its part. */
SAL_API void sal_part_pledge(const struct sal_key *part, struct sal_key *out);

/* The key of the draws: a chain key with the seats' parts mixed in. */
SAL_API void sal_key_mix(const struct sal_key *key, const struct sal_key *parts,
                         size_t count, struct sal_key *out);

/* Where a draw stands in the game; see struct sal_chance. */
struct sal_address {
  int entry, pile, list, index;
};

/* Uniform in [0, n), n > 0, for one address, without bias. */
SAL_API uint32_t sal_key_below(const struct sal_key *mixed,
                               const struct sal_address *where, uint32_t n);

SAL_END

#endif
