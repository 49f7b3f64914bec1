/* Playing Traps for two by a policy; see salotto/solve_traps.h.
 *
 * Main invariant: whatever is solved or read is computed for all hands, and
 * only then looked up for the own one. */
#include "belief.h"

#include <stdlib.h>
#include <string.h>

struct sal_traps_player {
  const sal_traps_policy *policy;
  struct task task; /* of the round that was solved */
  struct round *round;
  uint32_t effort;
};

sal_traps_player *sal_traps_player_new(const sal_traps_policy *p) {
  sal_traps_player *player = calloc(1, sizeof *player);
  if (player)
    player->policy = p;
  return player;
}

void sal_traps_player_free(sal_traps_player *player) {
  if (player)
    round_free(player->round);
  free(player);
}

uint32_t sal_traps_player_effort(const sal_traps_player *player) {
  return player->effort;
}

/* ---- Solving at the table --------------------------------------------------------- */

/* The first player may stop building with two cards, the second with two
 * against three: the rest is worth less than a hundredth of a token. */
enum { FIRST_CUT = 2, SECOND_CUT = 3 };

static bool same_task(const struct task *a, const struct task *b) {
  return a->cut == b->cut && a->keep == b->keep &&
         memcmp(a->deals, b->deals, sizeof a->deals) == 0 &&
         memcmp(a->pay[0].of, b->pay[0].of, sizeof a->pay[0].of) == 0 &&
         memcmp(a->pay[1].of, b->pay[1].of, sizeof a->pay[1].of) == 0;
}

static bool solve_round(sal_traps_player *player, const struct task *t,
                        const struct sal_traps_effort *effort) {
  round_free(player->round);
  player->task = *t;
  player->round = round_new(t);
  if (!player->round)
    return false;
  do {
    round_iterate(player->round);
    player->effort++;
  } while (player->effort < effort->iterations &&
           (!effort->more || effort->more(effort->context)));
  return player->effort >= SAL_TRAPS_FEWEST;
}

/* Solves a later round of a deal, or finds it solved. */
static bool solved(sal_traps_player *player, const struct sal_traps_deal *d,
                   const struct sal_traps_effort *effort) {
  const struct sal_traps_round *r = &d->round[d->rounds - 1];
  const int side = d->me[d->rounds - 1];
  struct task t = match_task(&player->policy->equity, r->tokens[0],
                             r->tokens[1], side == 0 ? FIRST_CUT : SECOND_CUT);
  t.keep = 1u << side;
  if (d->rounds == 1 || effort->iterations < SAL_TRAPS_FEWEST ||
      !belief_deals(player->policy, d, t.deals))
    return false;
  if (player->round && same_task(&player->task, &t))
    return round_done(player->round) >= SAL_TRAPS_FEWEST;
  return solve_round(player, &t, effort);
}

/* ---- The own place in it ------------------------------------------------------------ */

struct own {
  int class, type; /* hand; hand and pile */
};

/* The type of the own hand and pile; -1: too many cards. */
static int own_type(const struct sal_traps_deal *d, int class, int target) {
  const struct model *m = traps_model();
  int type = class;
  if (d->laid > PILE)
    return -1;
  for (int i = 0; i < d->laid; i++) {
    type = m->piles[i].type[type].child[card_worth(d->pile[i], target)];
    if (type == NO_TYPE)
      return -1;
  }
  return type;
}

/* ---- Answers ------------------------------------------------------------------------- */

/* Of cards of the same worth each is as likely as any other. */
static void spread_card(const struct sal_traps_deal *d, int target, int worth,
                        float chance, struct sal_traps_chances *out) {
  uint8_t held[KINDS];
  int all = 0;
  memcpy(held, d->hand, sizeof held);
  for (int i = 0; i < d->laid; i++)
    held[d->pile[i]]--;
  for (int k = 0; k < KINDS; k++)
    all += card_worth(k, target) == worth ? held[k] : 0;
  for (int k = 0; k < KINDS; k++)
    if (held[k] && card_worth(k, target) == worth)
      out->card[k] = chance * (float)held[k] / (float)all;
}

static void answer_place(const struct sal_traps_deal *d, const struct line *l,
                         int class, int target, struct sal_traps_chances *out) {
  const struct type *t = &traps_model()->piles[0].type[class];
  for (int w = 0; w < WORTHS; w++)
    if (t->child[w] != NO_TYPE)
      spread_card(d, target, w, l->placed[t->child[w]], out);
}

static void answer_bet(const struct sal_traps_deal *d, const struct line *l,
                       const struct course *c, const struct own *own,
                       int target, struct sal_traps_chances *out) {
  const int lead = history_lead(c->bets), high = bet_high(c->bets);
  const int top = position_top(c->p);
  if (!l->decides || c->over) { /* never comes by the policy, or overbid */
    if (c->bets || c->over)
      out->pass = 1;
    else
      out->bet[1] = 1;
    return;
  }
  if (c->bets)
    out->pass = l->chance[0][own->type];
  else
    for (int w = 0; w < BUILDS; w++)
      if (l->chance[w][own->type] > 0)
        spread_card(d, target, w, l->chance[w][own->type], out);
  for (int b = high + 1; b <= top; b++)
    out->bet[b] = l->chance[lead + b - high - 1][own->type];
  out->bet[SAL_TRAPS_BETS] = l->chance[lead + top - high][own->type];
}

/* ---- Digging ------------------------------------------------------------------------- */

/* The digging so far, by worths. */
struct dug {
  int own[SAL_TRAPS_CARDS]; /* the own pile from its top */
  int traps;                /* in it */
  int turned;
  bool trap;              /* an own one was turned up */
  int free, points;       /* own cards above the first trap */
  int node;               /* what was seen of theirs */
  bool theirs_trap;       /* one of theirs was turned up */
  bool left, theirs_left; /* cards still lie face down */
};

static struct dug dug_so_far(const struct sal_traps_deal *d,
                             const struct sal_traps_round *r, int side,
                             int cards) {
  struct dug g = {.turned = r->turned[side]};
  const struct piles *theirs = &traps_model()->piles[cards];
  for (int i = 0; i < d->laid; i++) {
    g.own[i] = card_worth(d->pile[d->laid - 1 - i], r->target);
    g.traps += g.own[i] == 0;
    g.trap |= g.own[i] == 0 && i < g.turned;
  }
  while (g.free < d->laid && g.own[g.free] > 0)
    g.points += g.own[g.free++];
  for (int i = 0; i < r->turned[!side]; i++) {
    const int worth = card_worth(d->seen[i], r->target);
    g.node = theirs->node[g.node].child[worth];
    g.theirs_trap |= worth == 0;
    if (g.node < 0)
      break;
  }
  g.left = g.turned < d->laid;
  g.theirs_left = r->turned[!side] < cards;
  return g;
}

/* Who cannot stop turns up everything. Against three tokens a single own trap
 * saves the match as the second, and against four as the first. */
static void dig_on(const struct dug *g, int their_tokens,
                   struct sal_traps_chances *out) {
  const bool theirs_first =
      their_tokens == GOAL - 2 && g->traps == 1 && !g->trap && !g->theirs_trap;
  if ((theirs_first && g->theirs_left) || !g->left)
    out->theirs = 1;
  else
    out->own = 1;
}

/* By the shares of the point at hand. Whether to stop at the very beginning is
 * decided before free cards are turned up, so that who stops shows nothing. */
static void answer_point(const struct dug *g, const float *share,
                         struct sal_traps_chances *out) {
  const bool begun = g->free && g->turned == g->free && g->node == 0;
  const float on = share[TURNS] + share[DIGS];
  const float stop = begun && on > 0 ? 0 : share[STOPS];
  out->stop = stop / (stop + on);
  out->theirs = share[TURNS] / (stop + on);
  out->own = share[DIGS] / (stop + on);
}

static void answer_reveal(const struct dug *g, const struct line *l, int bet,
                          const uint8_t tokens[2],
                          struct sal_traps_chances *out) {
  const bool fresh = g->turned == 0 && g->node == 0;
  const bool free = g->left && g->own[g->turned] > 0;
  if (free && (!fresh || g->points >= bet)) {
    out->own = 1;
  } else if (l->digs && free) {
    out->stop = l->share[STOPS];
    out->own = l->share[TURNS] + l->share[DIGS];
  } else if (l->digs) {
    answer_point(g, l->share, out);
  } else if (tokens[0]) {
    out->stop = 1;
  } else {
    dig_on(g, tokens[1], out);
  }
}

/* ---- Asking --------------------------------------------------------------------------- */

/* Whether the description is of a decision of mine that can be. */
static bool sound(const struct sal_traps_deal *d, const struct course *c) {
  const struct sal_traps_round *r = &d->round[d->rounds - 1];
  const int side = d->me[d->rounds - 1];
  const int theirs = position_pile(c->p, !side);
  int cards = 0;
  for (int k = 0; k < KINDS; k++)
    cards += d->hand[k];
  if (cards != HAND || r->target > 3 || r->turned[side] > d->laid ||
      r->turned[!side] > theirs || r->tokens[0] >= GOAL || r->tokens[1] >= GOAL)
    return false;
  if (d->laid == 0)
    return c->p == 0 && r->bets == 0;
  if (d->laid != position_pile(c->p, side))
    return false;
  /* After a pass the last bettor digs. */
  return (course_actor(c) == side) != c->passed && (!c->passed || r->bets > 0);
}

static bool follow_round(sal_traps_player *player,
                         const struct sal_traps_deal *d,
                         const struct sal_traps_effort *effort,
                         struct line *l) {
  const struct sal_traps_round *r = &d->round[d->rounds - 1];
  if (solved(player, d, effort)) {
    line_by_round(l, player->round, player->task.cut);
    return true;
  }
  return line_by_blueprint(l, player->policy,
                           sal_traps_score(r->tokens[0], r->tokens[1]));
}

bool sal_traps_player_ask(sal_traps_player *player,
                          const struct sal_traps_deal *d,
                          const struct sal_traps_effort *effort,
                          struct sal_traps_chances *out) {
  const struct sal_traps_round *r = &d->round[d->rounds - 1];
  const int side = d->me[d->rounds - 1];
  struct course c;
  struct line l;
  struct own own;
  struct dug g = {.node = 0};
  memset(out, 0, sizeof *out);
  player->effort = 0;
  if (!course_of(r, &c) || !sound(d, &c))
    return false;
  own.class = hand_class(d->hand, r->target);
  own.type = own.class < 0 ? -1 : own_type(d, own.class, r->target);
  if (own.type < 0)
    return false;
  line_begin(&l, &c, side);
  if (c.passed) {
    g = dug_so_far(d, r, side, position_pile(c.p, !side));
    if (g.node < 0)
      return false;
    const struct piles *piles = &traps_model()->piles[d->laid];
    line_digs(&l, piles->type[own.type].class, own.class, g.node, g.trap);
  }
  if (!follow_round(player, d, effort, &l))
    return false;
  const uint8_t tokens[2] = {r->tokens[side], r->tokens[!side]};
  if (d->laid == 0)
    answer_place(d, &l, own.class, r->target, out);
  else if (c.passed)
    answer_reveal(&g, &l, r->bet[r->bets - 1], tokens, out);
  else
    answer_bet(d, &l, &c, &own, r->target, out);
  return true;
}
