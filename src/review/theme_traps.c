/* What problems of Traps are about. */
#include "theme.h"

#include "traps.h"

enum {
  THEME_PLACE,
  THEME_BUILD,
  THEME_RAISE,
  THEME_CALL,
  THEME_REVEAL,
  THEME_STOP,
  THEME_GIVE
};
static const struct sal_theme list[] = {
    {"place", N_("The first card")},        {"build", N_("Build or bet")},
    {"raise", N_("A bet to raise")},        {"call", N_("A bluff to call")},
    {"reveal", N_("Which card to reveal")}, {"stop", N_("Reveal or stop")},
    {"give", N_("Who gets the token")},     {NULL, NULL}};

static bool offers_stop(const struct sal_weighing *w) {
  for (size_t i = 0; i < w->count; i++)
    if (verb_of(w->weighed[i].action) == STOPS)
      return true;
  return false;
}

static int theme_of(const sal_view *v, int seat, const struct sal_weighing *w) {
  const struct traps *s = &as_view(v)->s;
  (void)seat;
  switch (s->phase) {
  case PLACE: return THEME_PLACE;
  case BUILD: return THEME_BUILD;
  case BET:
    return verb_of(w->weighed[0].action) == PASSES ? THEME_CALL : THEME_RAISE;
  case REVEAL: return offers_stop(w) ? THEME_STOP : THEME_REVEAL;
  case GIVE: return THEME_GIVE;
  default: return -1;
  }
}

const struct theme_kind themes_traps = {"traps", list, theme_of};
