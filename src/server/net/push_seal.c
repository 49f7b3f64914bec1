/* Sealing and signing. See push_seal.h.
 *
 * Main invariant: every message has a key pair and a salt of its own, so a key
 * and a nonce never seal twice. */
#include "push_seal.h"

#include "salotto/text.h"

#include <fcntl.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SALT = 16, KEY = 16, NONCE = 12, TAG = 16, HASH = 32, RECORD = 4096 };

struct push_keys {
  EVP_PKEY *pair;
  char text[PUSH_POINT * 2];
};

static void base64(const uint8_t *bytes, size_t n, char *out, size_t size) {
  sodium_bin2base64(out, size, bytes, n,
                    sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

/* ---- Keys ------------------------------------------------------------------ */

static bool public_point(EVP_PKEY *pair, uint8_t out[PUSH_POINT]) {
  size_t n = 0;
  return EVP_PKEY_get_octet_string_param(pair,
                                         OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY,
                                         out, PUSH_POINT, &n) == 1 &&
         n == PUSH_POINT;
}

static EVP_PKEY *key_of_point(const uint8_t point[PUSH_POINT]) {
  char curve[] = "P-256";
  uint8_t copy[PUSH_POINT];
  memcpy(copy, point, sizeof copy);
  OSSL_PARAM params[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, curve, 0),
      OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, copy,
                                        sizeof copy),
      OSSL_PARAM_construct_end()};
  EVP_PKEY *key = NULL;
  EVP_PKEY_CTX *c = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
  if (!c || EVP_PKEY_fromdata_init(c) != 1 ||
      EVP_PKEY_fromdata(c, &key, EVP_PKEY_PUBLIC_KEY, params) != 1)
    key = NULL;
  EVP_PKEY_CTX_free(c);
  return key;
}

bool push_is_point(const uint8_t point[PUSH_POINT]) {
  EVP_PKEY *key = point[0] == 4 ? key_of_point(point) : NULL;
  EVP_PKEY_CTX *c = key ? EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL) : NULL;
  const bool is = c && EVP_PKEY_public_check(c) == 1;
  EVP_PKEY_CTX_free(c);
  EVP_PKEY_free(key);
  return is;
}

struct push_keys *push_keys_read(const char *path) {
  uint8_t point[PUSH_POINT];
  FILE *f = fopen(path, "re");
  struct push_keys *k = f ? calloc(1, sizeof *k) : NULL;
  if (k)
    k->pair = PEM_read_PrivateKey(f, NULL, NULL, NULL);
  if (f)
    fclose(f);
  if (k && k->pair && public_point(k->pair, point)) {
    base64(point, sizeof point, k->text, sizeof k->text);
    return k;
  }
  push_keys_free(k);
  return NULL;
}

void push_keys_free(struct push_keys *k) {
  if (k)
    EVP_PKEY_free(k->pair);
  free(k);
}

bool push_keys_make(const char *path) {
  EVP_PKEY *pair = EVP_EC_gen("P-256");
  const int fd =
      pair ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
  FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
  bool ok = f && PEM_write_PrivateKey(f, pair, NULL, NULL, 0, NULL, NULL) == 1;
  if (f)
    ok = fflush(f) == 0 && fsync(fd) == 0 && fclose(f) == 0 && ok;
  EVP_PKEY_free(pair);
  return ok;
}

const char *push_keys_public(const struct push_keys *k) { return k->text; }

/* ---- Tokens ---------------------------------------------------------------- */

/* A signature as a token has it: two numbers of 32 bytes. */
static bool sign(EVP_PKEY *pair, const char *text, size_t n, uint8_t out[64]) {
  uint8_t der[80];
  const uint8_t *at = der;
  size_t length = sizeof der;
  EVP_MD_CTX *c = EVP_MD_CTX_new();
  bool ok = c && EVP_DigestSignInit(c, NULL, EVP_sha256(), NULL, pair) == 1 &&
            EVP_DigestSign(c, der, &length, (const uint8_t *)text, n) == 1;
  ECDSA_SIG *s = ok ? d2i_ECDSA_SIG(NULL, &at, (long)length) : NULL;
  ok = s && BN_bn2binpad(ECDSA_SIG_get0_r(s), out, 32) == 32 &&
       BN_bn2binpad(ECDSA_SIG_get0_s(s), out + 32, 32) == 32;
  ECDSA_SIG_free(s);
  EVP_MD_CTX_free(c);
  return ok;
}

bool push_token(const struct push_keys *k, const char *audience,
                const char *contact, int64_t until, char out[PUSH_TOKEN_MAX]) {
  static const char head[] = "{\"typ\":\"JWT\",\"alg\":\"ES256\"}";
  char claims[256], encoded[360], token[480], signature[100];
  uint8_t raw[64];
  struct sal_text t;
  struct sal_json j;
  sal_text_init(&t, claims, sizeof claims);
  sal_json_init(&j, &t);
  sal_json_object(&j, NULL);
  sal_json_string(&j, "aud", audience);
  sal_json_int(&j, "exp", until);
  sal_json_string(&j, "sub", contact);
  sal_json_end(&j, '}');
  if (t.lost)
    return false;
  base64((const uint8_t *)head, strlen(head), token, sizeof token);
  base64((const uint8_t *)claims, t.len, encoded, sizeof encoded);
  strcat(token, ".");
  strcat(token, encoded);
  if (!sign(k->pair, token, strlen(token), raw))
    return false;
  base64(raw, sizeof raw, signature, sizeof signature);
  const int n =
      snprintf(out, PUSH_TOKEN_MAX, "Authorization: vapid t=%s.%s, k=%s", token,
               signature, k->text);
  return n > 0 && n < PUSH_TOKEN_MAX;
}

/* ---- Sealing --------------------------------------------------------------- */

static bool derive(const uint8_t *salt, size_t salt_length,
                   const uint8_t *secret, size_t secret_length,
                   const char *info, size_t info_length, uint8_t *out,
                   size_t length) {
  char digest[] = "SHA256";
  EVP_KDF *kdf = EVP_KDF_fetch(NULL, "HKDF", NULL);
  EVP_KDF_CTX *c = kdf ? EVP_KDF_CTX_new(kdf) : NULL;
  OSSL_PARAM params[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)secret,
                                        secret_length),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)salt,
                                        salt_length),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)info,
                                        info_length),
      OSSL_PARAM_construct_end()};
  const bool ok = c && EVP_KDF_derive(c, out, length, params) == 1;
  EVP_KDF_CTX_free(c);
  EVP_KDF_free(kdf);
  return ok;
}

static bool shared_secret(EVP_PKEY *own, EVP_PKEY *theirs, uint8_t out[HASH]) {
  size_t n = HASH;
  EVP_PKEY_CTX *c = EVP_PKEY_CTX_new(own, NULL);
  const bool ok = c && EVP_PKEY_derive_init(c) == 1 &&
                  EVP_PKEY_derive_set_peer(c, theirs) == 1 &&
                  EVP_PKEY_derive(c, out, &n) == 1 && n == HASH;
  EVP_PKEY_CTX_free(c);
  return ok;
}

/* The input of all keys (RFC 8291, 3.4): from the shared secret, the secret of
 * the subscription and both public keys. */
static bool make_input(EVP_PKEY *own, const uint8_t own_point[PUSH_POINT],
                       const uint8_t point[PUSH_POINT],
                       const uint8_t auth[PUSH_AUTH], uint8_t out[HASH]) {
  static const char label[] = "WebPush: info"; /* with its zero */
  char info[sizeof label + 2 * PUSH_POINT];
  uint8_t shared[HASH];
  EVP_PKEY *theirs = key_of_point(point);
  memcpy(info, label, sizeof label);
  memcpy(info + sizeof label, point, PUSH_POINT);
  memcpy(info + sizeof label + PUSH_POINT, own_point, PUSH_POINT);
  const bool ok =
      theirs && shared_secret(own, theirs, shared) &&
      derive(auth, PUSH_AUTH, shared, HASH, info, sizeof info, out, HASH);
  sodium_memzero(shared, sizeof shared);
  EVP_PKEY_free(theirs);
  return ok;
}

static bool encrypt(const uint8_t key[KEY], const uint8_t nonce[NONCE],
                    const uint8_t *plain, int length, uint8_t *out) {
  int n = 0, more = 0;
  EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
  const bool ok =
      c && EVP_EncryptInit_ex(c, EVP_aes_128_gcm(), NULL, key, nonce) == 1 &&
      EVP_EncryptUpdate(c, out, &n, plain, length) == 1 && n == length &&
      EVP_EncryptFinal_ex(c, out + n, &more) == 1 && more == 0 &&
      EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_GCM_GET_TAG, TAG, out + n) == 1;
  EVP_CIPHER_CTX_free(c);
  return ok;
}

/* The head of the one record (RFC 8188): salt, its size, our public key. */
static uint8_t *write_head(uint8_t *out, const uint8_t salt[SALT],
                           const uint8_t point[PUSH_POINT]) {
  memcpy(out, salt, SALT);
  out += SALT;
  *out++ = 0;
  *out++ = 0;
  *out++ = RECORD >> 8;
  *out++ = RECORD & 255;
  *out++ = PUSH_POINT;
  memcpy(out, point, PUSH_POINT);
  return out + PUSH_POINT;
}

bool push_seal(const uint8_t point[PUSH_POINT], const uint8_t auth[PUSH_AUTH],
               const char *plain, size_t length, uint8_t out[PUSH_SEALED_MAX],
               size_t *sealed) {
  static const char key_label[] = "Content-Encoding: aes128gcm";
  static const char nonce_label[] = "Content-Encoding: nonce";
  uint8_t salt[SALT], own_point[PUSH_POINT], input[HASH], key[KEY],
      nonce[NONCE], padded[PUSH_PLAIN_MAX + 1];
  if (length > PUSH_PLAIN_MAX)
    return false;
  memcpy(padded, plain, length);
  padded[length] = 2; /* the last record */
  randombytes_buf(salt, sizeof salt);
  EVP_PKEY *own = EVP_EC_gen("P-256");
  bool ok =
      own && public_point(own, own_point) &&
      make_input(own, own_point, point, auth, input) &&
      derive(salt, SALT, input, HASH, key_label, sizeof key_label, key, KEY) &&
      derive(salt, SALT, input, HASH, nonce_label, sizeof nonce_label, nonce,
             NONCE);
  if (ok) {
    uint8_t *body = write_head(out, salt, own_point);
    ok = encrypt(key, nonce, padded, (int)length + 1, body);
    *sealed = (size_t)(body - out) + length + 1 + TAG;
  }
  sodium_memzero(input, sizeof input);
  sodium_memzero(key, sizeof key);
  EVP_PKEY_free(own);
  return ok;
}
