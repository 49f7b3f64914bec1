/* What problems of Doors are about. */
#include "theme.h"

#include "doors.h"

enum { THEME_GUESS, THEME_CLAIM, THEME_COLLECT, THEME_BLUFF, THEME_DENY };
static const struct sal_theme list[] = {
    {"guess", N_("Guess or wait")},   {"claim", N_("Claim the set or guess")},
    {"collect", N_("Collect cards")}, {"bluff", N_("Bluff with a card")},
    {"deny", N_("Deny a card")},      {NULL, NULL}};

static bool offers_claim(const struct sal_weighing *w) {
  for (size_t i = 0; i < w->count; i++)
    if (verb_of(w->weighed[i].action) == CLAIMS)
      return true;
  return false;
}

/* A bluff: every card that is right has no trait of the one who takes it. */
static bool misleads(const struct doors *s, int seat,
                     const struct sal_weighing *w) {
  for (size_t i = 0; i < sal_weighing_right(w); i++) {
    const unsigned card = number_of(w->weighed[i].action);
    if (card >= DOORS || match(card, s->identity[seat]) > 0)
      return false;
  }
  return true;
}

static int theme_of(const sal_view *v, int seat, const struct sal_weighing *w) {
  const struct doors *s = &as_view(v)->s;
  switch (s->phase) {
  case TAKE: return misleads(s, seat, w) ? THEME_BLUFF : THEME_COLLECT;
  case DISCARD: return THEME_DENY;
  case GUESS: return offers_claim(w) ? THEME_CLAIM : THEME_GUESS;
  default: return -1; /* a Collector claims what can be claimed */
  }
}

const struct theme_kind themes_doors = {"doors", list, theme_of};
