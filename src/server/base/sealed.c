/* Sealed messages between servers. See sealed.h. */
#include "sealed.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

_Static_assert(SEALED_KEY == crypto_secretbox_KEYBYTES &&
                   SEALED_MORE == crypto_secretbox_MACBYTES &&
                   SEALED_SECRET == crypto_generichash_KEYBYTES_MAX,
               "as libsodium has them");

static void random_text(char *out, size_t digits) {
  uint8_t bytes[SEALED_SECRET / 2];
  randombytes_buf(bytes, digits / 2);
  sodium_bin2hex(out, digits + 1, bytes, digits / 2);
}

void sealed_new_secret(char out[SEALED_SECRET + 1]) {
  random_text(out, SEALED_SECRET);
}

void sealed_random(char out[SEALED_RANDOM + 1]) {
  random_text(out, SEALED_RANDOM);
}

/* ---- The program ------------------------------------------------------------ */

static uint8_t program[crypto_generichash_BYTES];
static bool is_known;

void sealed_know_program(void) {
  static uint8_t part[1 << 16];
  crypto_generichash_state state;
  FILE *f =
      is_known || sodium_init() < 0 ? NULL : fopen("/proc/self/exe", "rb");
  if (!f)
    return;
  crypto_generichash_init(&state, NULL, 0, sizeof program);
  for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;)
    crypto_generichash_update(&state, part, n);
  is_known = !ferror(f);
  fclose(f);
  crypto_generichash_final(&state, program, sizeof program);
}

/* ---- The proof -------------------------------------------------------------- */

static void hash(const char *secret, const void *a, size_t a_size,
                 const void *b, size_t b_size, uint8_t out[SEALED_KEY]) {
  crypto_generichash_state state;
  crypto_generichash_init(&state, (const uint8_t *)secret, SEALED_SECRET,
                          SEALED_KEY);
  crypto_generichash_update(&state, a, a_size);
  crypto_generichash_update(&state, b, b_size);
  crypto_generichash_final(&state, out, SEALED_KEY);
}

bool sealed_proof(const char *secret, const char *random,
                  char out[SEALED_PROOF + 1]) {
  uint8_t bytes[SEALED_PROOF / 2];
  if (!is_known || strlen(secret) != SEALED_SECRET)
    return false;
  hash(secret, random, SEALED_RANDOM, program, sizeof program, bytes);
  sodium_bin2hex(out, SEALED_PROOF + 1, bytes, sizeof bytes);
  return true;
}

bool sealed_is_proven(const char *secret, const char *random,
                      const char *proof) {
  char right[SEALED_PROOF + 1];
  return random && strlen(random) == SEALED_RANDOM && proof &&
         strlen(proof) == SEALED_PROOF && sealed_proof(secret, random, right) &&
         sodium_memcmp(proof, right, SEALED_PROOF) == 0;
}

/* ---- Letters ---------------------------------------------------------------- */

void sealed_begin(struct sealed_line *l, const char *secret,
                  const char *callers_random, const char *answers_random,
                  bool calls) {
  hash(secret, callers_random, SEALED_RANDOM, answers_random, SEALED_RANDOM,
       l->key);
  l->written = calls ? 0 : 1;
  l->read = calls ? 1 : 0;
}

struct nonce {
  uint8_t bytes[crypto_secretbox_NONCEBYTES];
};

/* The key is this line's alone, so a number is enough. */
static struct nonce take_number(uint64_t *next) {
  struct nonce n = {{0}};
  memcpy(n.bytes, next, sizeof *next);
  *next += 2;
  return n;
}

void sealed_write(struct sealed_line *l, const void *letter, size_t size,
                  uint8_t *out) {
  const struct nonce n = take_number(&l->written);
  crypto_secretbox_easy(out, letter, size, n.bytes, l->key);
}

bool sealed_read(struct sealed_line *l, const uint8_t *in, size_t size,
                 void *out) {
  const struct nonce n = take_number(&l->read);
  return crypto_secretbox_open_easy(out, in, size, n.bytes, l->key) == 0;
}
