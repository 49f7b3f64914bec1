/* CFR+ for all offers at once on a graphics card: the solver of src/solve/doors with
 * a thread for each identity of each node, level by level.
 *
 * Main invariant: no two threads add to one number, so a run gives the same
 * numbers every time. They are those of src/solve/doors but for rounding. Plain C
 * types only: this header is read by the compiler of the card too. */
#ifndef SAL_GPU_DEVICE_H
#define SAL_GPU_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Takes and discards of the first turns; a take but the first comes with the
 * guess before it. */
enum { T1, D1, T2, D2, T3, D3, T4, LEVELS };

enum { MOST_PICKS = 4 };

struct level {
  uint32_t count, room;
  uint32_t *parent; /* number of the node above, times 4, plus the action */
  uint32_t *state;  /* number in the trees */
  uint32_t *first;  /* number of the first child; under D1, of its link */
  float *chance;    /* of the draw that leads here */
  float *path;      /* of all draws and mirrors that lead here; not for T4 */
};

/* From D1 down: a child, and where in it the value of each identity lies (two
 * bits an identity). */
struct link {
  uint32_t child;
  float chance;
  uint32_t renamed;
};

/* What the card needs of a state, and of an ending (see ending.h). */
struct lean_state {
  uint8_t choices;
  uint8_t refills[MOST_PICKS];
  uint16_t ending[MOST_PICKS];
};

enum { LEAN_MASKS = 3, LEAN_SCENES = 2, LEAN_DISCARDS = 2 };
struct lean_ending {
  uint8_t owners, masks, scenes;
  uint8_t mask[LEAN_MASKS];
  float settled[LEAN_MASKS];
  struct {
    float chance;
    uint8_t discards;
    float mask_chance[LEAN_DISCARDS][LEAN_MASKS];
  } scene[LEAN_SCENES];
};

struct lean_worth {
  float set, wrong, trait, guesser_set, deck_out, both;
};

struct lean_trees {
  struct level level[LEVELS];
  struct link *links;
  uint32_t link_count;
  struct lean_state *states;
  uint32_t state_count;
  struct lean_ending *endings;
  uint32_t ending_count;
};

struct device;

/* NULL without a card or memory; `device_problem` says which. */
struct device *device_new(const struct lean_trees *f);
void device_free(struct device *d);
const char *device_problem(void);

/* Begins anew: everything is forgotten, or (warm) the averages are and the
 * regrets kept, times `keep`. */
void device_begin(struct device *d, const struct lean_worth *w, float keep);
void device_iterate(struct device *d, uint32_t number);

/* Of each root and identity: what the best Guesser leaves (low), what the best
 * Collector wins (high), not yet divided by weights and deals. After it the
 * values of the second discards for both are there. */
void device_bounds(struct device *d, float *low, float *high);
void device_second_discards(const struct device *d, float *collector,
                            float *guesser);

/* The sums of a level: rows of an action, then nodes, then identities. The
 * guesses are those before the take of the level. */
void device_pick_sums(const struct device *d, int level, float *out);
void device_guess_sums(const struct device *d, int level, float *out);
/* The sums of all fourth takes of a state, weighed by their paths: a state,
 * then its actions, then identities. */
void device_last_takes(const struct device *d, float *out);

/* The first turns as somebody plays them who solves again from every second
 * discard on: what each action is played, as realised from the start (rows of
 * an action, then nodes, then identities). The Collector has first and second
 * takes, the Guesser the guesses before the second take. `counterfactual` is the
 * value that the other side is sure of at a second discard. */
struct lean_top {
  bool collector;
  const float *takes, *second_takes, *guesses;
  const float *counterfactual;
};
/* Then: what the best opponent leaves or wins, of each root and identity. False
 * without memory. */
bool device_pipeline(struct device *d, const struct lean_worth *w,
                     const struct lean_top *t, uint32_t iterations,
                     float *value);

/* False if the card reported a fault since the start. */
bool device_sound(void);

#ifdef __cplusplus
}
#endif

#endif
