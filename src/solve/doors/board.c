/* Card positions of Doors and their order; see board.h. */
#include "board.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Room enough for any start: there are fewer states than this in a round, and
 * fewer after the second take. */
struct room {
  uint32_t states, branches, endings, slots;
};
static const struct room whole_round = {1 << 16, 1 << 20, 1 << 13, 1 << 18};
static const struct room after_second_take = {1 << 11, 6144, 1 << 9, 1 << 13};

struct maker {
  struct board *board;
  uint32_t *slot; /* hash table of states, number + 1 */
  uint32_t *ending_slot;
  struct room room;
};

static uint64_t mixed(uint64_t x) {
  x *= UINT64_C(0x9e3779b97f4a7c15);
  return x ^ x >> 32;
}

static uint32_t *find_slot(const struct maker *m, const struct position *p) {
  const uint64_t key =
      p->deck | (uint64_t)p->offer << 12 | (uint64_t)p->collection << 24;
  for (uint64_t i = mixed(key);; i++) {
    uint32_t *slot = &m->slot[i % m->room.slots];
    if (!*slot)
      return slot;
    const struct position *q = &m->board->states[*slot - 1].position;
    if (q->deck == p->deck && q->offer == p->offer &&
        q->collection == p->collection)
      return slot;
  }
}

static uint32_t add_ending(struct maker *m, const struct position *p,
                           unsigned kind) {
  struct board *b = m->board;
  struct ending *e = &b->endings[b->ending_count];
  ending_make(e, p, kind);
  uint64_t hash = 0;
  for (size_t i = 0; i < sizeof *e; i++)
    hash = mixed(hash + ((const unsigned char *)e)[i] + 1);
  for (uint64_t i = hash;; i++) {
    uint32_t *slot = &m->ending_slot[i % m->room.slots];
    if (*slot && memcmp(&b->endings[*slot - 1], e, sizeof *e) == 0)
      return *slot - 1;
    if (!*slot) {
      *slot = ++b->ending_count;
      return *slot - 1;
    }
  }
}

static uint32_t add_state(struct maker *m, const struct position *p);

/* The state after a pick and a refill: no claim comes before the fourth take,
 * and a turn that ends leads to the next. */
static uint32_t add_next(struct maker *m, struct position p, unsigned refill) {
  p = position_refill(p, refill);
  if (p.step == GUESS)
    p = position_end(p);
  return add_state(m, &p);
}

/* Each refill of a pick; returns their number. */
static unsigned add_refills(struct maker *m, const struct position *picked,
                            uint32_t *first) {
  struct board *b = m->board;
  unsigned n = 0;
  for (unsigned kind = 0; kind < KINDS; kind++)
    n += count(picked->deck, kind) != 0;
  *first = b->branch_count;
  b->branch_count += n;
  assert(b->branch_count <= m->room.branches);
  struct branch *branch = &b->branches[*first];
  for (unsigned kind = 0; kind < KINDS; kind++)
    if (count(picked->deck, kind))
      *branch++ = (struct branch){(float)count(picked->deck, kind) /
                                      (float)total(picked->deck),
                                  add_next(m, *picked, kind)};
  return n;
}

static void measure_state(const struct board *b, struct public_state *s) {
  const bool take = s->position.step == TAKE;
  s->rows = state_rows(s);
  s->histories = take && s->position.turn == LAST_TAKE;
  for (unsigned i = 0; i < s->choices; i++)
    for (unsigned r = 0; r < s->choice[i].refills; r++) {
      const struct public_state *to =
          &b->states[b->branches[s->choice[i].first + r].to];
      s->rows += to->rows + (take ? 0 : GUESS_ROWS);
      s->histories += to->histories;
    }
}

static uint32_t add_state(struct maker *m, const struct position *p) {
  uint32_t *slot = find_slot(m, p);
  if (*slot)
    return *slot - 1;
  const uint32_t at = m->board->state_count++;
  assert(at < m->room.states);
  *slot = at + 1;
  struct public_state *s = &m->board->states[at];
  s->position = *p;
  for (unsigned kind = 0; kind < KINDS; kind++) {
    if (!count(p->offer, kind))
      continue;
    struct choice *c = &s->choice[s->choices++];
    c->kind = (uint8_t)kind;
    if (p->step == TAKE && p->turn == LAST_TAKE) {
      c->first = add_ending(m, p, kind);
      continue;
    }
    const struct position picked = position_pick(*p, kind);
    c->refills = (uint8_t)add_refills(m, &picked, &c->first);
  }
  measure_state(m->board, s);
  return at;
}

/* Gives back what was reserved and not used. */
static void shrink(void **items, size_t count, size_t size) {
  void *less = realloc(*items, (count ? count : 1) * size);
  if (less)
    *items = less;
}

bool board_make(struct board *b, const struct position *start) {
  const bool late = start->turn > 2 || (start->turn == 2 && start->step > TAKE);
  const struct room room = late ? after_second_take : whole_round;
  memset(b, 0, sizeof *b);
  struct maker m = {b, calloc(room.slots, sizeof *m.slot),
                    calloc(room.slots, sizeof *m.ending_slot), room};
  b->states = calloc(room.states, sizeof *b->states);
  b->branches = calloc(room.branches, sizeof *b->branches);
  b->endings = calloc(room.endings, sizeof *b->endings);
  const bool enough =
      m.slot && m.ending_slot && b->states && b->branches && b->endings;
  if (enough) {
    add_state(&m, start);
    shrink((void **)&b->states, b->state_count, sizeof *b->states);
    shrink((void **)&b->branches, b->branch_count, sizeof *b->branches);
    shrink((void **)&b->endings, b->ending_count, sizeof *b->endings);
  } else {
    board_free(b);
  }
  free(m.slot);
  free(m.ending_slot);
  return enough;
}

void board_free(struct board *b) {
  free(b->states);
  free(b->branches);
  free(b->endings);
  memset(b, 0, sizeof *b);
}
