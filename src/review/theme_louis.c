/* What problems of Louis XIV are about. */
#include "theme.h"

#include "louis.h"

enum {
  THEME_MAJORITY,
  THEME_RECOVER,
  THEME_FAVOURITE,
  THEME_INTRIGUE,
  THEME_REWARD,
  THEME_MISSION,
  THEME_CARDS
};
static const struct sal_theme list[] = {
    {"majority", N_("The fight for majorities")},
    {"recover", N_("Markers to recover")},
    {"favourite", N_("The Favourite board")},
    {"intrigue", N_("Intrigue cards")},
    {"reward", N_("What a reward is worth")},
    {"mission", N_("Missions")},
    {"cards", N_("The hand of influence cards")},
    {NULL, NULL}};

static int theme_of(const sal_view *v, int seat, const struct sal_weighing *w) {
  (void)seat;
  switch (as_view(v)->s.station) {
  case AT_SETUP:
  case AT_WITHDRAW:
  case AT_FAVOURITE: return THEME_FAVOURITE;
  case AT_SWAP:
  case AT_EXCHANGE: return THEME_CARDS;
  case AT_FOOTHOLD: return THEME_MAJORITY;
  case AT_INFLUENCE:
    return verb_of(w->weighed[0].action) == DO_RECOVER ? THEME_RECOVER
                                                       : THEME_MAJORITY;
  case AT_INTRIGUE: return THEME_INTRIGUE;
  case AT_TIE:
  case AT_PAY:
  case AT_PUT:
  case AT_RECOUP: return THEME_REWARD;
  case AT_MISSION:
  case AT_DRAW:
  case AT_KEEP: return THEME_MISSION;
  default: return -1;
  }
}

const struct theme_kind themes_louis = {"louis", list, theme_of};
