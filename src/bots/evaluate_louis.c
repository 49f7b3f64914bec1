/* Louis XIV between two rounds, as the expert sees it. See evaluate.h. */
#include "evaluate.h"

#include "louis.h"

/* What is counted of each seat. Points hold five for each mission, which may be
 * worth more or less; its power depends on which it is. */
enum {
  POINTS,
  GOLDS,
  GENERAL,
  MARKERS, /* that stay on tiles */
  CARDS,
  INTRIGUES,
  CROWNS,
  CHIPS,
  FULFILLED,
  MEDIUMS, /* missions held */
  DARKS,
  POWER,
  ALL = POWER + POWERS
};
_Static_assert((int)ALL == (int)LOUIS_ASSETS, "fitted.c has a weight for each");

int louis_stage(const sal_state *state) {
  const struct louis *s = as_const_state(state);
  const int left = (int)rounds_of(s) - s->round;
  return left > 2 ? 0 : left < 0 ? 2 : 2 - left;
}

void louis_assets(const sal_state *state, int seat, double *number) {
  const struct louis *s = as_const_state(state);
  int32_t points[SEATS], majorities[SEATS];
  louis_points(s, points, majorities);
  number[POINTS] = points[seat];
  number[GOLDS] = s->gold[seat];
  number[GENERAL] = s->general[seat];
  number[MARKERS] = 0;
  for (int tile = 0; tile < TILES; tile++)
    number[MARKERS] += s->markers[tile][seat];
  number[CARDS] = s->influence_size[seat];
  number[INTRIGUES] = s->intrigue_size[seat];
  number[CROWNS] = s->chips[seat][CROWN];
  number[CHIPS] = chip_total(s->chips[seat]) - s->chips[seat][CROWN];
  number[FULFILLED] = s->fulfilled[seat];
  number[MEDIUMS] = s->tiers[seat][MEDIUM];
  number[DARKS] = s->tiers[seat][DARK];
  for (int power = 0; power < POWERS; power++)
    number[POWER + power] = s->power[seat][power];
}

void evaluate_louis(const struct sal_game *g, const sal_state *s, int players,
                    const uint8_t *kind, double *out) {
  (void)g;
  (void)kind;
  evaluate_by(s, players, louis_assets, fitted_assets + louis_stage(s) * ALL,
              ALL, out);
}
