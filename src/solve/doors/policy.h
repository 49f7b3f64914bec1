/* The shipped policy: the blueprints of the round and of all scores of a match in
 * one file.
 *
 * The file: a mark, the number of blueprints, the length of the note, for each blueprint
 * its worth, bits and length; the note; the blueprints; a checksum. Numbers have
 * their low byte first. Main invariant: a file whose checksum fits and whose
 * lengths add up is read without looking outside it. */
#ifndef SAL_SOLVE_POLICY_H
#define SAL_SOLVE_POLICY_H

#include "salotto/solve.h"

#include "blueprint.h"

#include <stdatomic.h>

enum { BLUEPRINTS = SAL_DOORS_BLUEPRINTS };

/* Blueprints that somebody has asked for, kept: to unpack one takes as long as a
 * few iterations at the table. */
struct unpacked {
  _Atomic(struct blueprint *) blueprint[BLUEPRINTS];
};

struct sal_doors_policy {
  const unsigned char *bytes;
  struct unpacked *unpacked;
  char note[SAL_DOORS_NOTE_MAX];
  struct {
    struct worth worth;
    uint8_t bits;
    size_t at, size;
  } blueprint[BLUEPRINTS];
};

/* A blueprint but for its book, unpacked; NULL without memory. */
const struct blueprint *policy_blueprint(const sal_doors_policy *p, int number);
/* The same into a place that is all 0. */
bool policy_unpack(const sal_doors_policy *p, int number,
                   struct blueprint *out);

/* For who makes a file: packs a blueprint, with values of so many bits; returns
 * the number of bytes, 0 without room. */
size_t policy_pack_blueprint(const struct blueprint *s, int bits,
                             unsigned char *out, size_t room);
/* The whole file from packed blueprints, in the order of their numbers; returns
 * the number of bytes, 0 without room. */
struct packed_blueprint {
  struct worth worth;
  uint8_t bits;
  const unsigned char *bytes;
  size_t size;
};
size_t policy_pack(const struct packed_blueprint blueprints[BLUEPRINTS],
                   const char *note, unsigned char *out, size_t room);

#endif
