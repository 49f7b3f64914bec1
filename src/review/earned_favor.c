/* Where the points of Favor came from: cards, and the bonus for gems. */
#include "earned.h"

#include "favor.h"

enum { CARDS, BONUS };
static const struct sal_cause causes[] = {{"favor.score.best", N_("cards")},
                                          {"favor.score.gems", N_("gem bonus")},
                                          {NULL, NULL}};

static void note(const struct sal_event *e, const char *rule, int seat,
                 int32_t *sum) {
  (void)rule;
  if (e->kind != DAY_OVER)
    return;
  const struct result r = get_result(e, seat);
  sum[CARDS] += r.card_points;
  sum[BONUS] += r.bonus;
}

const struct earned_kind earned_favor = {.game = "favor",
                                         .title = N_("Where the points came "
                                                     "from"),
                                         .cause = causes,
                                         .note = note};
