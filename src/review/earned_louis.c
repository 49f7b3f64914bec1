/* Where the points of Louis XIV came from: missions, shields, and most of a kind
 * of shield. */
#include "earned.h"

#include "louis.h"

enum { MISSIONS, SHIELDS, MAJORITIES };
static const struct sal_cause causes[] = {
    {"louis.mission.fulfil", N_("missions")},
    {"louis.end.shields", N_("shields gained")},
    {"louis.end.majority", N_("most of a kind of shield")},
    {NULL, NULL}};

static void count_points(const sal_state *last, int seat, int32_t *sum) {
  const struct louis *s = (const struct louis *)last;
  int32_t points[SEATS], majorities[SEATS];
  louis_points(s, points, majorities);
  sum[MISSIONS] = court_of(s)->mission_points * s->fulfilled[seat];
  sum[MAJORITIES] = majorities[seat];
  sum[SHIELDS] = points[seat] - sum[MISSIONS] - sum[MAJORITIES];
}

const struct earned_kind earned_louis = {.game = "louis",
                                         .title = N_("Where the points came "
                                                     "from"),
                                         .cause = causes,
                                         .count = count_points};
