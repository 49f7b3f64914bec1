/* What the others could infer of a seat's secret, by Bayes.
 *
 * Where a secret can be exchanged for another one (an identity), the chance of
 * the action is computed for each; where many hands make the same secret
 * (missions), it is the mean over hands that are drawn. Elsewhere worlds that
 * fit what the viewer saw are weighed by how well they explain what everybody
 * did, as bots do. */
#ifndef SAL_REVIEW_SECRET_H
#define SAL_REVIEW_SECRET_H

#include "measure.h"
#include "salotto/review.h"

enum seat_role { ROLE_NONE, ROLE_COLLECTOR, ROLE_GUESSER, ROLES };

/* What a game keeps secret: of each seat one of `count` possibilities. */
struct secret_kind {
  const char *game, *name, *title; /* the title is for people */
  int count;
  const char *label[SAL_SECRETS];
  /* Which one it is for a seat; -1: there is none at present. */
  int (*truth)(const sal_state *s, int seat);
  /* Makes a state in which it is another one, and `viewer` sees the same; false:
   * the viewer knows that it is not. NULL: worlds are sampled. */
  bool (*suppose)(sal_state *s, int viewer, int seat, int other,
                  struct sal_rng *rng);
  /* Where such states differ: how many are drawn for each possibility (0: they
   * do not), how likely each is before anybody acts, and a number that changes
   * when the secret is another one. */
  int draws;
  void (*prior)(const sal_state *s, int seat, struct sal_rng *rng, double *p);
  uint64_t (*stamp)(const sal_state *s, int seat);
  /* Whether an action makes the secret by what the others do not see: a card is
   * laid face down. Those of a position look alike. NULL: none does. */
  bool (*covered)(sal_action a);
  /* Which role the seat plays; NULL: there are none. */
  enum seat_role (*role)(const sal_view *view, int seat);
};
extern const struct secret_kind secret_doors, secret_favor, secret_traps,
    secret_louis;
/* NULL: none is told. */
const struct secret_kind *secret_of(const struct sal_game *g);

/* What each seat believes of each other's secret, by model. */
struct beliefs {
  bool fresh; /* nothing is believed yet but what the rules say */
  int truth;  /* which one `p` is asked for, where worlds are sampled */
  uint64_t stamp[SAL_SEATS_MAX]; /* of the secret that is believed in */
  double p[SAL_SEATS_MAX][SAL_SEATS_MAX][2][SAL_SECRETS]; /* by, of, model */
};

/* A seat is about to act. */
struct observed {
  struct measure *m;
  const sal_state *state;
  const struct sal_memory *memory; /* by seat */
  const struct sal_question *q;
  sal_action action;
  struct sal_rng *rng;
};
/* Before the action, and after it was done and everybody has noted it: fills in
 * the step's inferences. */
void beliefs_before(struct beliefs *b, const struct observed *o,
                    struct sal_review_step *out);
void beliefs_after(struct beliefs *b, const struct observed *o,
                   struct sal_review_step *out);

#endif
