/* Where the tokens of Traps came from. */
#include "earned.h"

#include "traps.h"

enum { BEGUN, MET, SPRUNG, THEIRS, FAILED, STOPPING, OWN };
static const struct sal_cause causes[] = {
    {"traps.setup.tokens", N_("at the start")},
    {"traps.success", N_("bet met")},
    {"traps.reveal.trap", N_("own traps that others turned up")},
    {"traps.trap.theirs", N_("given by others")},
    {"traps.fail.pay", N_("bet failed")},
    {"traps.stop", N_("stopped")},
    {"traps.trap.own-all-four", N_("own trap, all others have four")},
    {NULL, NULL}};

/* What the one who acts gets or pays. */
static void note_own(const struct sal_event *e, int32_t *sum) {
  switch (e->kind) {
  case BET_MET: sum[MET] += e->value[0]; return;
  case BET_FAILED: sum[FAILED] -= e->value[0]; return;
  case ALL_FOUR: sum[OWN] -= e->value[0]; return;
  case STOPPED: sum[STOPPING] -= PAY_STOP; return;
  default: return;
  }
}

static void note(const struct sal_event *e, const char *rule, int seat,
                 int32_t *sum) {
  (void)rule;
  if (e->seat == seat)
    note_own(e, sum);
  else if (e->kind == TRAP && e->value[0] == seat)
    sum[SPRUNG] += PAY_TRAP;
  else if (e->kind == GIVEN && e->value[0] == seat)
    sum[THEIRS] += PAY_TRAP;
}

static void count_start(const sal_state *last, int seat, int32_t *sum) {
  (void)last;
  (void)seat;
  sum[BEGUN] = START;
}

const struct earned_kind earned_traps = {.game = "traps",
                                         .title = N_("Where the tokens came "
                                                     "from"),
                                         .cause = causes,
                                         .note = note,
                                         .count = count_start};
