/* Where tokens or points came from, by cause. See earned.h. */
#include "earned.h"
#include "inside.h"

#include <string.h>

static const struct earned_kind *kind_of(const struct sal_game *g) {
  static const struct earned_kind *const kinds[] = {
      &earned_doors, &earned_favor, &earned_traps, &earned_louis};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kinds[i]->game, g->info.id) == 0)
      return kinds[i];
  return NULL;
}

const struct sal_cause *sal_causes(const struct sal_game *g) {
  static const struct sal_cause none[] = {{NULL, NULL}};
  const struct earned_kind *k = kind_of(g);
  return k ? k->cause : none;
}

const char *sal_causes_title(const struct sal_game *g) {
  const struct earned_kind *k = kind_of(g);
  return k ? k->title : NULL;
}

/* The events of a step, as they are made. */
struct noting {
  struct sal_log log; /* first, so that `emit` finds the rest */
  const struct earned_kind *kind;
  const struct sal_game *game;
  int seat;
  int32_t *sum;
};

static void note_event(struct sal_log *log, const struct sal_event *e) {
  const struct noting *n = (const struct noting *)log;
  n->kind->note(e, n->game->event_rule(e), n->seat, n->sum);
}

/* Plays the game again, without what was undone. */
void review_earned(const sal_review *r, int seat, int32_t *sum) {
  const struct earned_kind *k = kind_of(r->game);
  struct noting n = {{note_event}, k, r->game, seat, sum};
  union sal_state_box box;
  sal_state *s = (sal_state *)box.bytes;
  memset(sum, 0, SAL_CAUSES_MAX * sizeof *sum);
  if (!k)
    return;
  memset(&box, 0, sizeof box);
  r->game->init(s, sal_table_setup(r->table));
  for (size_t i = 0; i < sal_table_steps(r->table); i++) {
    const struct sal_step step = sal_table_step(r->table, i);
    r->game->apply(s, step.seat, step.action, k->note ? &n.log : NULL);
  }
  if (k->count)
    k->count(s, seat, sum);
}
