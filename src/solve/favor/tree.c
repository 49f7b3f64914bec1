/* Makes the tree of an ending; see tree.h.
 *
 * Main invariant: the children of a node lie in a row, and a node that was made
 * room for is filled before the next one is. */
#include "tree.h"

#include <stdlib.h>
#include <string.h>

struct maker {
  struct tree *t;
  const struct sal_favor_ending *e;
  const struct sal_favor_worth *w;
  const struct sal_favor_effort *effort;
  uint32_t look; /* at the time again when there are so many nodes */
  bool failed;
};

enum { BETWEEN_LOOKS = 4096 };

/* ---- Room ------------------------------------------------------------------ */

static bool grow(void **items, uint32_t *room, uint32_t need, size_t size) {
  if (need <= *room)
    return true;
  const uint32_t more = need + need / 2 + 256;
  void *larger = realloc(*items, more * size);
  if (!larger)
    return false;
  *items = larger;
  *room = more;
  return true;
}

/* The first of so many new nodes. */
static uint32_t add_nodes(struct maker *m, uint32_t count) {
  struct tree *t = m->t;
  const uint32_t at = t->nodes, need = at + count;
  if (m->failed || need > m->effort->nodes ||
      !grow((void **)&t->node, &t->node_room, need, sizeof *t->node)) {
    m->failed = true;
    return 0;
  }
  if (need >= m->look) {
    m->look = need + BETWEEN_LOOKS;
    m->failed = m->effort->more && !m->effort->more(m->effort->context);
  }
  memset(t->node + at, 0, count * sizeof *t->node);
  t->nodes = need;
  return at;
}

static uint32_t branch(struct maker *m, uint32_t at, enum node_kind kind,
                       int actor, int high, int count) {
  const uint32_t child = add_nodes(m, (uint32_t)count);
  if (m->failed)
    return 0;
  struct node *n = &m->t->node[at];
  n->child = child;
  n->count = (uint8_t)count;
  n->kind = (unsigned)kind & 3;
  n->actor = (unsigned)actor & 1;
  n->high = (unsigned)high & 31;
  if (kind != DRAW_NODE) {
    n->row = m->t->rows;
    m->t->rows += (uint32_t)count;
  }
  return child;
}

/* ---- Payoffs --------------------------------------------------------------- */

static uint32_t hash_payoff(const struct payoff *p) {
  uint32_t word[sizeof *p / 4], h = 2166136261u;
  memcpy(word, p, sizeof word);
  for (size_t i = 0; i < sizeof word / sizeof *word; i++) {
    h = (h ^ word[i]) * 16777619u;
    h ^= h >> 15;
  }
  return h;
}

static uint32_t *slot_of(const struct tree *t, const struct payoff *p) {
  uint32_t at = hash_payoff(p) & (t->seen_size - 1);
  while (t->seen[at] && memcmp(&t->payoff[t->seen[at] - 1], p, sizeof *p) != 0)
    at = (at + 1) & (t->seen_size - 1);
  return &t->seen[at];
}

static bool grow_seen(struct tree *t) {
  if (2 * t->payoffs < t->seen_size)
    return true;
  uint32_t *seen = calloc(2 * (size_t)t->seen_size + 512, sizeof *seen);
  if (!seen)
    return false;
  free(t->seen);
  t->seen = seen;
  t->seen_size = t->seen_size ? 2 * t->seen_size : 512;
  for (uint32_t i = 0; i < t->payoffs; i++)
    *slot_of(t, &t->payoff[i]) = i + 1;
  return true;
}

/* Many ends pay the same: each payoff is kept once. */
static uint32_t number_of_payoff(struct maker *m, const struct payoff *p) {
  struct tree *t = m->t;
  if (!grow_seen(t)) {
    m->failed = true;
    return 0;
  }
  uint32_t *slot = slot_of(t, p);
  if (*slot)
    return *slot - 1;
  if (t->payoffs == t->payoff_room) { /* aligned, so not by realloc */
    const uint32_t room = 2 * t->payoff_room + 64;
    struct payoff *larger = aligned_alloc(64, room * sizeof *larger);
    if (!larger) {
      m->failed = true;
      return 0;
    }
    if (t->payoffs)
      memcpy(larger, t->payoff, t->payoffs * sizeof *larger);
    free(t->payoff);
    t->payoff = larger;
    t->payoff_room = room;
  }
  t->payoff[t->payoffs] = *p;
  *slot = ++t->payoffs;
  return t->payoffs - 1;
}

static void end(struct maker *m, uint32_t at, const struct position *p,
                int next) {
  struct payoff pay;
  memset(&pay, 0, sizeof pay);
  for (int i = 0; i < TYPES; i++)
    for (int j = 0; j < TYPES; j++)
      if (i != j) {
        const float u = model_worth(m->e, m->w, p, next, i, j);
        pay.of[0][j][i] = u;
        pay.of[1][i][j] = -u;
      }
  const uint32_t number = number_of_payoff(m, &pay);
  if (m->failed)
    return;
  m->t->node[at].kind = END_NODE;
  m->t->node[at].child = number;
}

/* ---- The course of an ending ----------------------------------------------- */

static void make_turn(struct maker *m, uint32_t at, const struct position *p);
static void first_bid(struct maker *m, uint32_t at, const struct position *p,
                      bool final);

/* favor.final.trigger */
static void add_next_turn(struct maker *m, uint32_t at,
                          const struct position *p) {
  if (model_cards(p->deck) == 0)
    first_bid(m, at, p, true);
  else
    make_turn(m, at, p);
}

/* Turns up so many cards; then `p->turn` is on turn. */
static void add_draw(struct maker *m, uint32_t at, const struct position *p,
                     int cards) {
  struct lot lots[LOTS_MAX];
  const int count = model_lots(p->deck, cards, lots);
  const uint32_t child = branch(m, at, DRAW_NODE, 0, 0, count);
  for (int i = 0; i < count && !m->failed; i++) {
    struct position then = *p;
    struct node *n = &m->t->node[child + (uint32_t)i];
    n->chance = lots[i].chance;
    n->drawn = pack_cards(lots[i].cards);
    for (int k = 0; k < KINDS; k++) {
      then.deck[k] = (uint8_t)(then.deck[k] - lots[i].cards[k]);
      then.lot[k] = (uint8_t)(then.lot[k] + lots[i].cards[k]);
    }
    add_next_turn(m, child + (uint32_t)i, &then);
  }
}

/* An auction is over; `p->turn` spoke first and is on turn next. */
static void sell(struct maker *m, uint32_t at, const struct position *p,
                 bool final, int winner, int price) {
  struct position then = *p;
  model_sell(&then, winner, price, final);
  if (final) {
    end(m, at, &then, winner < 0 ? p->turn : winner); /* favor.setup.first */
  } else { /* favor.lot.next, favor.lot.short */
    const int deck = model_cards(p->deck);
    add_draw(m, at, &then, m->e->day < deck ? m->e->day : deck);
  }
}

static void last_bid(struct maker *m, uint32_t at, const struct position *p,
                     bool final, int high) {
  const int me = !p->turn, other = high ? p->turn : -1;
  if (p->gems[me] <= high) {
    sell(m, at, p, final, other, high);
    return;
  }
  const uint32_t child = branch(m, at, BID_NODE, me, high, 2);
  if (!m->failed)
    sell(m, child, p, final, other, high);
  if (!m->failed)
    sell(m, child + 1, p, final, me, high + 1);
}

static void first_bid(struct maker *m, uint32_t at, const struct position *p,
                      bool final) {
  const int top = model_top_bid(p, p->turn);
  if (top == 0) {
    last_bid(m, at, p, final, 0);
    return;
  }
  const uint32_t child = branch(m, at, BID_NODE, p->turn, 0, top + 1);
  for (int bid = 0; bid <= top && !m->failed; bid++)
    last_bid(m, child + (uint32_t)bid, p, final, bid);
}

/* favor.turn.choice; either way the other is on turn after it. */
static void make_turn(struct maker *m, uint32_t at, const struct position *p) {
  struct position then = *p;
  const uint32_t child = branch(m, at, TURN_NODE, p->turn, 0, 2);
  then.turn = !p->turn;
  if (!m->failed)
    add_draw(m, child, &then, 1);
  if (!m->failed)
    first_bid(m, child + 1, &then, false);
}

/* ---- A tree ---------------------------------------------------------------- */

static bool is_sound(const struct sal_favor_ending *e) {
  static const uint8_t stock[KINDS] = {3, 3, 3, 3, 1, 1};
  int cards = 0;
  for (int k = 0; k < KINDS; k++) {
    const int n =
        e->deck[k] + e->lot[k] + e->collection[0][k] + e->collection[1][k];
    if (n > stock[k])
      return false;
    cards += e->lot[k];
  }
  return cards > 0 && e->gems[0] + e->gems[1] <= 10 && e->turn < 2 &&
         e->first < 2 && e->day >= 1 && e->day <= 3 && e->lead >= -44 &&
         e->lead <= 44;
}

bool favor_tree_make(struct tree *t, const struct sal_favor_ending *e,
                     const struct sal_favor_worth *w,
                     const struct sal_favor_effort *effort) {
  struct maker m = {
      .t = t, .e = e, .w = w, .effort = effort, .look = BETWEEN_LOOKS};
  struct position p = {.gems = {e->gems[0], e->gems[1]}, .turn = e->turn};
  memset(t, 0, sizeof *t);
  if (!is_sound(e))
    return false;
  memcpy(p.deck, e->deck, sizeof p.deck);
  memcpy(p.lot, e->lot, sizeof p.lot);
  memcpy(p.collection, e->collection, sizeof p.collection);
  const uint32_t root = add_nodes(&m, 1);
  if (!m.failed)
    add_next_turn(&m, root, &p);
  free(t->seen);
  t->seen = NULL;
  if (m.failed)
    favor_tree_free(t);
  return !m.failed;
}

void favor_tree_free(struct tree *t) {
  free(t->node);
  free(t->payoff);
  memset(t, 0, sizeof *t);
}
