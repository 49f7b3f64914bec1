/* Where the tokens of Doors came from: how the rounds ended. */
#include "earned.h"

#include <string.h>

static const struct sal_cause causes[] = {
    {"doors.claim.collector", N_("the Collector claimed a set")},
    {"doors.guess.wrong", N_("the guess was wrong")},
    {"doors.guess.trait", N_("one trait was guessed")},
    {"doors.guess.both", N_("both traits were guessed")},
    {"doors.claim.guesser", N_("the Guesser claimed a set")},
    {"doors.deck-out", N_("the fifth turn ended")},
    {NULL, NULL}};

/* Only the end of a round follows one of these rules; it pays one seat. */
static void note(const struct sal_event *e, const char *rule, int seat,
                 int32_t *sum) {
  for (int i = 0; causes[i].rule && e->seat == seat; i++)
    if (strcmp(causes[i].rule, rule) == 0)
      sum[i] += e->value[0];
}

const struct earned_kind earned_doors = {.game = "doors",
                                         .title = N_("Where the tokens came "
                                                     "from"),
                                         .cause = causes,
                                         .note = note};
