/* What problems of Favor are about. */
#include "theme.h"

#include "favor.h"

enum { THEME_CALL, THEME_BID, THEME_PASS, THEME_FINAL, THEME_ENDING };
static const struct sal_theme list[] = {
    {"call", N_("Call an auction or add a card")},
    {"bid", N_("A lot worth a bid")},
    {"pass", N_("A lot to let go")},
    {"final", N_("The final auction")},
    {"ending", N_("The last cards of the game")},
    {NULL, NULL}};

/* The last day, and so few cards in the deck. */
enum { LAST_CARDS = 3 };

static int theme_of(const sal_view *v, int seat, const struct sal_weighing *w) {
  const struct favor *s = &as_view(v)->s;
  (void)seat;
  if (s->phase == FINAL)
    return THEME_FINAL;
  if (s->day == last_day(s) && total(s->deck) <= LAST_CARDS)
    return THEME_ENDING;
  if (s->phase == TURN)
    return THEME_CALL;
  return verb_of(w->weighed[0].action) == PASSES ? THEME_PASS : THEME_BID;
}

const struct theme_kind themes_favor = {"favor", list, theme_of};
