/* Packing blueprints into a policy; see pack.h. */
#include "pack.h"
#include "policy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bits of a value: the round is measured closely, and a match has many blueprints. */
enum { ROUND_BITS = 12, MATCH_BITS = 8, MOST_BLUEPRINT = 1 << 20 };
enum { MOST_POLICY = 20000000 };

void list_scores(struct score out[SCORES]) {
  int n = 0;
  for (int sum = 2 * (WIN - 1); sum >= 0; sum--)
    for (int i = 0; i < WIN; i++) {
      const int c = sum % 2 ? WIN - 1 - i : i;
      if (sum - c >= 0 && sum - c < WIN)
        out[n++] = (struct score){c, sum - c};
    }
}

/* Reads the next blueprint of a file and packs it. */
static bool pack_next(FILE *f, int bits, struct packed_blueprint *out) {
  static struct blueprint blueprint;
  static unsigned char room[MOST_BLUEPRINT];
  if (!f || fread(&out->worth, sizeof out->worth, 1, f) != 1 ||
      fread(&blueprint, sizeof blueprint, 1, f) != 1)
    return false;
  out->bits = (uint8_t)bits;
  out->size = policy_pack_blueprint(&blueprint, bits, room, sizeof room);
  unsigned char *bytes = malloc(out->size + 1);
  if (!bytes || !out->size)
    return false;
  memcpy(bytes, room, out->size);
  out->bytes = bytes;
  return true;
}

static bool pack_all(FILE *round, FILE *match,
                     struct packed_blueprint *blueprints) {
  struct score scores[SCORES];
  list_scores(scores);
  bool ok = pack_next(round, ROUND_BITS, &blueprints[0]);
  for (int i = 0; ok && i < SCORES; i++)
    ok = pack_next(match, MATCH_BITS,
                   &blueprints[sal_doors_policy_score(scores[i].collector,
                                                      scores[i].guesser)]);
  return ok;
}

bool pack_policy(const char *round, const char *match, const char *note,
                 const char *out) {
  static struct packed_blueprint blueprints[BLUEPRINTS];
  FILE *r = fopen(round, "rb"), *m = fopen(match, "rb");
  unsigned char *bytes = malloc(MOST_POLICY);
  size_t n = 0;
  if (bytes && pack_all(r, m, blueprints))
    n = policy_pack(blueprints, note, bytes, MOST_POLICY);
  FILE *o = n ? fopen(out, "wb") : NULL;
  const bool ok = o && fwrite(bytes, 1, n, o) == n && fclose(o) == 0;
  fprintf(stderr, ok ? "%zu bytes\n" : "nothing was packed\n", n);
  if (r)
    fclose(r);
  if (m)
    fclose(m);
  for (int i = 0; i < BLUEPRINTS; i++)
    free((void *)blueprints[i].bytes);
  free(bytes);
  return ok;
}
