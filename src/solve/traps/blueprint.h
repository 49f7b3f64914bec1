/* One side's strategy of a round as bytes: a blueprint.
 *
 * Chances are in 4095ths and coded in the order of the tree. Main invariant:
 * writer and reader follow the same whole numbers, how likely a type of the
 * side comes to a history by its own choices, and pass over types that come
 * less often than once in 16384 rounds. These do what is simplest: pass, bet one,
 * stop.
 *
 * What follows each opening bet is coded by itself, so that a reader who wants
 * one course of betting can pass over the others. */
#ifndef SAL_SOLVE_TRAPS_BLUEPRINT_H
#define SAL_SOLVE_TRAPS_BLUEPRINT_H

#include "round.h"

#include <stddef.h>

/* A chance, in 4095ths. */
typedef uint16_t quota;
enum { WHOLE = 4095 };

/* How often each option is taken at a point. */
typedef quota quotas[OPTIONS][LANES];

/* What a reader hears; functions may be NULL. Histories that no type of the
 * side comes to are not told. */
struct blueprint_reader {
  void *context;
  /* Whether to tell what follows an opening bet; NULL: always. */
  bool (*wants)(void *context, int p, int bet);
  /* By the types with one card. */
  void (*placed)(void *context, const quota *chance);
  /* Where the side decides: rows as long as there are types, one an option. */
  void (*row)(void *context, int p, unsigned bets, const quota *chance);
  /* Where the side digs. */
  void (*dug)(void *context, int p, unsigned bets, const struct plan *plan,
              const quotas *chance);
};

/* What a blueprint is for. The cut must be the side's: even for the first, odd for
 * the second. */
struct blueprint_kind {
  int side, cut;
  struct pay pay; /* of the side, when it digs */
};

/* The number of bytes; 0 without room or memory. The round must have kept the
 * side's digging. */
size_t blueprint_pack(const struct round *r, const struct blueprint_kind *kind,
                      unsigned char *out, size_t room);
/* False without memory, or for fewer bytes than any blueprint has. Bytes that lie
 * do no harm. */
bool blueprint_read(const unsigned char *bytes, size_t n,
                    const struct blueprint_kind *kind,
                    const struct blueprint_reader *to);

#endif
