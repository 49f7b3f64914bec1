/* Solving again from the second discard; see resolve.h. */
#include "resolve.h"
#include "guess.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLUEPRINT_PICKS = 3 };

void resolve_forget(struct resolve *r) {
  memset(r->memory, 0, r->board.states[0].rows * sizeof *r->memory);
  if (r->notes)
    memset(r->notes, 0, (size_t)(r->to - r->from) * OFFER * sizeof *r->notes);
  r->play = r->stop = splat(0);
  r->done = 0;
}

bool resolve_begin(struct resolve *r, const struct position *at,
                   const struct worth *w, enum side side, vec own, vec mean) {
  memset(r, 0, sizeof *r);
  if (!board_make(&r->board, at))
    return false;
  const size_t size = r->board.states[0].rows * sizeof *r->memory;
  r->memory = aligned_alloc(sizeof *r->memory, size);
  if (!r->memory) {
    board_free(&r->board);
    return false;
  }
  r->worth = *w;
  r->side = side;
  /* Only proportions count, and all of one size rounds best. */
  for (int i = 0; i < IDENTITIES; i++)
    r->scale = own[i] > r->scale ? own[i] : r->scale;
  r->own = r->scale > 0 ? own / splat(r->scale) : splat(1);
  const struct others others = others_of(r->own);
  r->counterfactual = mean * others_sum(&others);
  resolve_forget(r);
  return true;
}

void resolve_free(struct resolve *r) {
  board_free(&r->board);
  free(r->memory);
  free(r->notes);
  memset(r, 0, sizeof *r);
}

bool resolve_note(struct resolve *r, uint32_t from, uint32_t to) {
  const size_t n = (size_t)(to - from) * OFFER;
  struct ending_sums *notes = aligned_alloc(sizeof(vec), n * sizeof *notes);
  if (!notes)
    return false;
  memset(notes, 0, n * sizeof *notes);
  free(r->notes);
  r->notes = notes;
  r->from = from;
  r->to = to;
  resolve_forget(r);
  return true;
}

/* ---- Iterating ----------------------------------------------------------- */

static vec playing(const struct resolve *r) {
  const vec sum = r->play + r->stop;
  const lanes some = some_of(sum);
  return chosen(some, r->play / chosen(some, sum, splat(1)), splat(0.5f));
}

/* The Guesser is glad of small values. */
static void learn_gate(struct resolve *r, vec plays, vec value) {
  const vec sign = splat(r->side == GUESSER ? 1 : -1);
  const vec on = value * sign, off = r->counterfactual * sign;
  const vec mean = plays * on + (splat(1) - plays) * off;
  r->play = larger(r->play + on - mean, splat(0));
  r->stop = larger(r->stop + off - mean, splat(0));
}

static float square(uint32_t n) { return (float)n * (float)n; }

static void resolve_pass(struct resolve *r, enum side side) {
  const vec plays = playing(r);
  struct walk w = {.board = &r->board,
                   .worth = &r->worth,
                   .side = side,
                   .stage = SUBTREE,
                   .weight = square(r->done),
                   .present = square(r->done + (side == GUESSER)),
                   .softness = softness_at(&r->worth, r->done),
                   .at = r->memory,
                   .notes = r->notes,
                   .from = r->from,
                   .to = r->to};
  const bool collects = r->side == COLLECTOR;
  const vec v =
      learn_discard(&w, &r->board.states[0], collects ? r->own : plays,
                    collects ? plays : r->own);
  if (side != r->side)
    learn_gate(r, plays, v);
}

void resolve_iterate(struct resolve *r) {
  r->done++;
  resolve_pass(r, COLLECTOR);
  resolve_pass(r, GUESSER);
}

vec resolve_best(const struct resolve *r) {
  struct walk w = {.board = &r->board,
                   .worth = &r->worth,
                   .side = r->side == COLLECTOR ? GUESSER : COLLECTOR,
                   .stage = SUBTREE,
                   .at = r->memory};
  double weights = 0;
  for (uint32_t i = 1; i <= r->done; i++)
    weights += (double)square(i);
  const vec v =
      best_discard(&w, &r->board.states[0], r->own * splat((float)weights));
  return v * splat((float)(r->scale / weights));
}

/* ---- Seeking ------------------------------------------------------------- */

/* Which of its choices a pick is. */
static unsigned choice_of(const struct public_state *s, unsigned kind) {
  unsigned i = 0;
  while (i + 1u < s->choices && s->choice[i].kind != kind)
    i++;
  return i;
}

/* Steps over what lies in memory before one way on from a state. */
static const struct public_state *go(const struct resolve *r,
                                     const struct public_state *s,
                                     unsigned kind, unsigned refill,
                                     const vec **at, uint32_t *last) {
  const struct branch *b = r->board.branches;
  const bool guess = s->position.step == DISCARD;
  const unsigned choice = choice_of(s, kind);
  const unsigned number = kinds_before(s->position.deck, refill);
  *at += state_rows(s);
  for (unsigned i = 0; i <= choice; i++)
    for (unsigned k = 0; k < s->choice[i].refills; k++) {
      const struct public_state *to =
          &r->board.states[b[s->choice[i].first + k].to];
      if (i == choice && k == number)
        return to;
      *at += to->rows + (guess ? GUESS_ROWS : 0);
      *last += (uint32_t)to->histories;
    }
  return s;
}

struct resolve_place resolve_seek(const struct resolve *r,
                                  const struct history *h) {
  struct resolve_place p = {.state = &r->board.states[0]};
  const vec *at = r->memory;
  const vec *guess = NULL;
  for (unsigned i = BLUEPRINT_PICKS; i < h->picks; i++) {
    const struct public_state *s = p.state;
    if (s->position.step == TAKE && s->position.turn == LAST_TAKE) {
      p.choice = choice_of(s, h->pick[i]);
      p.ending = &r->board.endings[s->choice[p.choice].first];
      return p;
    }
    p.state = go(r, s, h->pick[i], h->refill[i], &at, &p.last);
    guess = NULL;
    if (s->position.step == DISCARD) {
      guess = at;
      at += GUESS_ROWS;
    }
  }
  p.guesses = guess ? guess + GUESS_ACTIONS : NULL;
  p.picks = at + p.state->choices;
  return p;
}
