/* How much can be won against somebody who plays by a policy: an independent
 * check of the whole pipeline, blueprints and solving at the table included.
 *
 * Main invariant: nothing here comes from the solver. The rules are written
 * once more, as counts of cards; of the policy only its answers are known; the
 * opponent may do whatever the rules allow, and every history is walked. One
 * thing is taken from the player's promise and tested on a part of the
 * histories: what is said on the Guesser's fifth turn does not depend on the
 * cards of that turn. */
#include "check.h"
#include "together.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { CHECK_DEALS = 12, MOST_CHECK_PARTS = 64 };

/* ---- Parts ------------------------------------------------------------------------ */

/* The first take and what comes cut the histories; each part is walked by one
 * thread with a player of its own. */
struct part {
  struct table table;
  int kind; /* that was taken */
  struct four reach, value;
  double chance;
};

struct job {
  struct check check;
  struct part part[MOST_CHECK_PARTS];
  int parts;
  atomic_int next;
  atomic_bool broken;
};

static void cut_into_tasks(struct job *j, struct table *t) {
  struct check *c = &j->check;
  struct sal_doors_chances p = {0};
  if (c->collector) {
    p = check_ask(c, t);
    check_picks_sound(c, t, &p);
  }
  for (int k = 0; k < CARD_KINDS; k++)
    for (int r = 0; t->offer[k] && r < CARD_KINDS; r++) {
      if (!t->deck[r])
        continue;
      struct part *part = &j->part[j->parts++];
      *part = (struct part){.table = *t, .kind = k};
      part->chance = t->deck[r] / (double)t->cards;
      part->table.offer[k]--;
      part->table.taken[k]++;
      part->table.offer[r]++;
      part->table.deck[r]--;
      part->table.cards--;
      part->table.history.pick[0] = (uint8_t)k;
      part->table.history.refill[0] = (uint8_t)r;
      part->table.history.picks = 1;
      for (int i = 0; i < PEOPLE; i++)
        part->reach.of[i] = c->collector ? (double)p.pick[k][i] : 1;
    }
}

static void *check_parts(void *context) {
  struct job *j = context;
  struct check c = j->check;
  c.player = sal_doors_player_new(c.policy);
  c.broken = c.player == NULL;
  if (c.player)
    player_note_all(c.player);
  for (int i; !c.broken && (i = atomic_fetch_add(&j->next, 1)) < j->parts;)
    j->part[i].value = check_claim(&c, &j->part[i].table, &j->part[i].reach);
  if (c.broken)
    atomic_store(&j->broken, true);
  sal_doors_player_free(c.player);
  return NULL;
}

/* The policy's Collector mixes the takes; the best Collector chooses one. */
static double sum_up(const struct job *j) {
  struct four by_kind[CARD_KINDS] = {{{0}}}, total;
  bool some[CARD_KINDS] = {false};
  for (int i = 0; i < j->parts; i++) {
    add_scaled(&by_kind[j->part[i].kind], &j->part[i].value, j->part[i].chance);
    some[j->part[i].kind] = true;
  }
  total = j->check.collector ? (struct four){{0}} : check_worst(&j->check);
  for (int k = 0; k < CARD_KINDS; k++)
    if (some[k] && j->check.collector)
      add_scaled(&total, &by_kind[k], 1);
    else if (some[k])
      check_choose(&j->check, &total, &by_kind[k]);
  return (total.of[0] + total.of[1] + total.of[2] + total.of[3]) / CHECK_DEALS;
}

bool policy_check_from(const sal_doors_policy *p, int blueprint,
                       const struct sal_doors_history *h, bool collector,
                       uint32_t iterations, const double reach[PEOPLE],
                       double value[PEOPLE]) {
  struct check c = {.policy = p,
                    .player = sal_doors_player_new(p),
                    .worth = sal_doors_policy_worth(p, blueprint),
                    .effort = {.iterations = iterations},
                    .blueprint = blueprint,
                    .collector = collector};
  struct table t;
  struct four r;
  if (!c.player)
    return false;
  player_note_all(c.player);
  table_at(&t, h);
  memcpy(r.of, reach, sizeof r.of);
  const struct four v = check_discard(&c, &t, &r);
  memcpy(value, v.of, sizeof v.of);
  sal_doors_player_free(c.player);
  return !c.broken;
}

bool sal_doors_policy_check(const sal_doors_policy *p, int blueprint,
                            const uint8_t offer[SAL_DOORS_KINDS],
                            bool collector, uint32_t iterations, int threads,
                            double *wins) {
  struct job *j = calloc(1, sizeof *j);
  struct table t = {.turn = 1};
  if (!j)
    return false;
  table_deal(&t, offer);
  memcpy(t.history.offer, offer, CARD_KINDS);
  j->check = (struct check){.policy = p,
                            .player = sal_doors_player_new(p),
                            .worth = sal_doors_policy_worth(p, blueprint),
                            .effort = {.iterations = iterations},
                            .blueprint = blueprint,
                            .collector = collector};
  bool ok = j->check.player != NULL;
  if (ok) {
    cut_into_tasks(j, &t);
    sal_doors_player_free(j->check.player);
    work_together(check_parts, j, threads);
    ok = !j->check.broken && !atomic_load(&j->broken);
    *wins = sum_up(j);
  }
  free(j);
  return ok;
}
