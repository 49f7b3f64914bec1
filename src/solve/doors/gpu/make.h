/* From what the card has reached to a blueprint (see blueprint.h). */
#ifndef SAL_GPU_MAKE_H
#define SAL_GPU_MAKE_H

#include "trees.h"

#include <stdio.h>

struct maker;
struct maker *maker_new(const struct game_trees *f);

/* Appends the worth and the blueprint to a file; the bounds of the device are to
 * be those of now. */
bool maker_write(struct maker *m, const struct device *d,
                 const struct lean_worth *w, FILE *out);

/* Reads the next worth and blueprint of a file; false at its end. Then the first
 * turns of one side, as device_pipeline needs them. */
bool maker_read(struct maker *m, FILE *in, struct lean_worth *w);
struct lean_top maker_top(struct maker *m, const struct lean_worth *w,
                          bool collector);

#endif
