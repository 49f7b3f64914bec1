/* Rows of four numbers, one an identity: what the solver of Doors computes
 * with.
 *
 * A row over the Guesser's identities g often needs the Collector's number for
 * g ^ e, e = 1, 2, 3 (the other colour, the other role, both): `turned` brings
 * it there, and is its own inverse. */
#ifndef SAL_SOLVE_VEC_H
#define SAL_SOLVE_VEC_H

#include <stdint.h>

#ifdef __SSE__
#include <xmmintrin.h>
#endif

typedef float vec __attribute__((vector_size(16)));
typedef int32_t lanes __attribute__((vector_size(16)));

static inline vec splat(float x) { return (vec){x, x, x, x}; }

static inline vec chosen(lanes which, vec yes, vec no) {
  return (vec)((which & (lanes)yes) | (~which & (lanes)no));
}

#ifdef __SSE__
static inline vec larger(vec a, vec b) { return (vec)_mm_max_ps(a, b); }
static inline vec smaller(vec a, vec b) { return (vec)_mm_min_ps(a, b); }
#else
static inline vec larger(vec a, vec b) { return chosen(a > b, a, b); }
static inline vec smaller(vec a, vec b) { return chosen(a < b, a, b); }
#endif

static inline vec turned_1(vec a) {
  return __builtin_shufflevector(a, a, 1, 0, 3, 2);
}
static inline vec turned_2(vec a) {
  return __builtin_shufflevector(a, a, 2, 3, 0, 1);
}
static inline vec turned_3(vec a) {
  return __builtin_shufflevector(a, a, 3, 2, 1, 0);
}

/* Where a sum is worth dividing by: less is a trace that rounding left. */
static inline lanes some_of(vec sum) { return sum > splat(1e-30f); }

/* A number for each other identity: of[e - 1] belongs to e. */
struct others {
  vec of[3];
};

static inline struct others others_of(vec a) {
  return (struct others){{turned_1(a), turned_2(a), turned_3(a)}};
}

static inline vec others_sum(const struct others *o) {
  return o->of[0] + o->of[1] + o->of[2];
}

/* The lanes of a mask of identities. */
static inline lanes lanes_of(unsigned mask) {
  return (lanes){-(int32_t)(mask & 1), -(int32_t)(mask >> 1 & 1),
                 -(int32_t)(mask >> 2 & 1), -(int32_t)(mask >> 3 & 1)};
}

static inline vec without(vec a, lanes which) {
  return (vec)(~which & (lanes)a);
}

#endif
