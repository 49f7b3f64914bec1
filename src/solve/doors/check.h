/* The walk behind the check: a round of Doors with its rules written once more,
 * one side by a policy's answers, the other as well as can be. See check.c, and
 * explore.c, which asks it what single actions are worth. */
#ifndef SAL_SOLVE_CHECK_H
#define SAL_SOLVE_CHECK_H

#include "player.h"

enum { CARD_KINDS = 6, PEOPLE = 4, LAST_TURN = 5 };

struct table {
  uint8_t deck[CARD_KINDS], offer[CARD_KINDS], taken[CARD_KINDS];
  unsigned cards; /* in the deck */
  int turn;
  struct sal_doors_history history;
};

/* A number for each identity. */
struct four {
  double of[PEOPLE];
};

struct check {
  const sal_doors_policy *policy;
  sal_doors_player *player;
  struct sal_doors_worth worth;
  struct sal_doors_effort effort;
  int blueprint;
  bool collector; /* which side the policy plays */
  bool promised;  /* second discards are worth what the blueprint says */
  bool broken;    /* the policy gave no sound answer */
  unsigned fifths;
};

/* The table before the first take, and where a history has come to. */
void table_deal(struct table *t, const uint8_t *offer);
void table_at(struct table *t, const struct sal_doors_history *h);
/* Does the collection hold four cards of a trait of this identity? */
bool table_has_set(const struct table *t, int identity);

/* Everybody but this identity. */
double check_met(const struct four *reach, int identity);
/* What the policy answers here. */
struct sal_doors_chances check_ask(struct check *c, const struct table *t);
void check_picks_sound(struct check *c, const struct table *t,
                       const struct sal_doors_chances *p);

/* Values are what the Collector wins, by the identity of the opponent of the
 * policy, times the chance to meet each; reaches are those of the policy's own
 * side. From after a take on, from a discard on, and of single actions of the
 * opponent: to pick a card (the Collector's take, or a discard), to say
 * something after the discard. */
struct four check_claim(struct check *c, struct table *t,
                        const struct four *reach);
struct four check_discard(struct check *c, struct table *t,
                          const struct four *reach);
struct four check_pick(struct check *c, struct table *t, int kind,
                       const struct four *reach);
struct four check_say(struct check *c, struct table *t, int saying,
                      const struct four *reach);

/* The better for the opponent: the Collector wants more, the Guesser less. */
void check_choose(const struct check *c, struct four *best,
                  const struct four *v);
struct four check_worst(const struct check *c);
void add_scaled(struct four *to, const struct four *from, double scale);

#endif
