/* Louis XIV between two rounds: what one has less what the other has. */
#include "standing.h"

#include "louis.h"

/* What is counted of each seat; `FIRST` is there once, for who begins. */
enum {
  POINTS,
  GOLDS,
  PERSONAL,
  GENERAL,
  MARKERS,
  CARDS,
  INTRIGUES,
  CROWNS,
  CHIPS,
  HALF,
  WANTED,
  FULFILLED,
  BOARD,
  FIRST,
  ALL
};
_Static_assert((int)ALL == (int)LOUIS_NUMBERS,
               "fitted.c has a weight for each");

/* Missions that lack one chip (those that lack none were fulfilled), and chips
 * that some mission asks for. */
static void count_missions(const struct louis *s, int seat, double *sum) {
  const uint8_t *chips = s->chips[seat];
  bool asked[CHIP_KINDS + 1] = {false};
  for (uint64_t left = s->missions[seat]; left; left &= left - 1) {
    const uint8_t *cost = court_of(s)->mission[__builtin_ctzll(left)].cost;
    bool half = false;
    for (int i = 0; i < 2; i++) {
      asked[cost[i]] = true;
      half |= cost[i] == ANY_CHIP ? chip_total(chips) > 0 : chips[cost[i]] > 0;
    }
    sum[HALF] += half;
  }
  for (int kind = CROWN + 1; kind < CHIP_KINDS; kind++)
    sum[WANTED] += asked[kind] ? chips[kind] : 0;
}

static void count_seat(const struct louis *s, int seat, double *sum) {
  int32_t points[SEATS], majorities[SEATS];
  louis_points(s, points, majorities);
  sum[POINTS] = points[seat];
  sum[GOLDS] = s->gold[seat];
  sum[PERSONAL] = s->personal[seat];
  sum[GENERAL] = s->general[seat];
  for (int tile = 0; tile < TILES; tile++)
    sum[MARKERS] += s->markers[tile][seat];
  sum[CARDS] = s->influence_size[seat];
  sum[INTRIGUES] = s->intrigue_size[seat];
  sum[CROWNS] = s->chips[seat][CROWN];
  sum[CHIPS] = chip_total(s->chips[seat]) - s->chips[seat][CROWN];
  sum[FULFILLED] = s->fulfilled[seat];
  sum[BOARD] = __builtin_popcount(s->board[seat]);
  count_missions(s, seat, sum);
}

static void read(const sal_state *state, struct standing *out) {
  const struct louis *s = (const struct louis *)state;
  double mine[ALL] = {0}, theirs[ALL] = {0};
  count_seat(s, 0, mine);
  count_seat(s, 1, theirs);
  mine[FIRST] = s->start == 0;
  theirs[FIRST] = s->start == 1;
  out->stage =
      s->round < STAGES_MAX ? s->round - (s->round > 0) : STAGES_MAX - 1;
  for (int i = 0; i < ALL; i++)
    out->number[i] = mine[i] - theirs[i];
}

const struct standing_kind standing_louis = {.game = "louis",
                                             .stages = STAGES_MAX,
                                             .count = LOUIS_NUMBERS,
                                             .read = read,
                                             .weight = fitted_louis};
