/* Laying out all histories level by level; see trees.h. */
#include "trees.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ENDINGS = 4096, MOST_TASKS = 1024, FIRST_TURN = 4 };

struct grower {
  struct game_trees *trees;
  struct board board;
  uint32_t state_offset; /* of the board's states in the trees */
  uint16_t *ending;      /* of the board's endings in the trees */
  unsigned symmetry[SYMMETRIES], symmetries;
  /* The tasks of the offer that have nodes: their history and node. */
  uint8_t history[MOST_TASKS][FIRST_TURN];
  uint32_t node[MOST_TASKS];
  uint32_t tasks;
};

/* ---- Room --------------------------------------------------------------- */

static void *larger_array(struct game_trees *f, void *old, size_t count,
                          size_t size) {
  void *p = realloc(old, count * size);
  if (!p)
    f->whole = false;
  return p ? p : old;
}

static uint32_t add_node(struct game_trees *f, int depth) {
  struct level *l = &f->lean.level[depth];
  if (l->count == l->room) {
    const uint32_t room = l->room ? 2 * l->room : 1024;
    l->parent = larger_array(f, l->parent, room, sizeof *l->parent);
    l->state = larger_array(f, l->state, room, sizeof *l->state);
    l->chance = larger_array(f, l->chance, room, sizeof *l->chance);
    if (depth < T4) {
      l->first = larger_array(f, l->first, room, sizeof *l->first);
      l->path = larger_array(f, l->path, room, sizeof *l->path);
    }
    if (!f->whole)
      return 0;
    l->room = room;
  }
  return l->count++;
}

static void add_link(struct game_trees *f, uint32_t child, float chance,
                     uint32_t renamed) {
  if (f->lean.link_count == f->link_room) {
    const uint32_t room = f->link_room ? 2 * f->link_room : 1024;
    f->lean.links = larger_array(f, f->lean.links, room, sizeof *f->lean.links);
    if (!f->whole)
      return;
    f->link_room = room;
  }
  f->lean.links[f->lean.link_count++] = (struct link){child, chance, renamed};
}

/* ---- Boards ------------------------------------------------------------- */

_Static_assert(sizeof(struct lean_ending) == sizeof(struct ending),
               "the card's endings are those of the solver");

static uint16_t ending_number(struct game_trees *f, const struct ending *e) {
  uint32_t i = 0;
  while (i < f->lean.ending_count &&
         memcmp(&f->lean.endings[i], e, sizeof *e) != 0)
    i++;
  if (i == f->lean.ending_count && i < MOST_ENDINGS)
    memcpy(&f->lean.endings[f->lean.ending_count++], e, sizeof *e);
  if (i == MOST_ENDINGS)
    f->whole = false;
  return (uint16_t)i;
}

static void add_states(struct grower *g) {
  struct game_trees *f = g->trees;
  const struct board *b = &g->board;
  g->state_offset = f->lean.state_count;
  const uint32_t count = f->lean.state_count + b->state_count;
  f->lean.states =
      larger_array(f, f->lean.states, count, sizeof *f->lean.states);
  f->positions = larger_array(f, f->positions, count, sizeof *f->positions);
  g->ending = larger_array(f, NULL, b->ending_count, sizeof *g->ending);
  if (!f->whole)
    return;
  for (uint32_t i = 0; i < b->ending_count; i++)
    g->ending[i] = ending_number(f, &b->endings[i]);
  for (uint32_t i = 0; i < b->state_count; i++) {
    const struct public_state *s = &b->states[i];
    struct lean_state lean = {.choices = s->choices};
    for (unsigned k = 0; k < s->choices; k++) {
      lean.refills[k] = s->choice[k].refills;
      if (s->position.step == TAKE && s->position.turn == LAST_TAKE)
        lean.ending[k] = g->ending[s->choice[k].first];
    }
    f->positions[f->lean.state_count] = s->position;
    f->lean.states[f->lean.state_count++] = lean;
  }
}

/* ---- Nodes -------------------------------------------------------------- */

static uint32_t add_subtree(struct grower *g, int depth, uint32_t parent,
                            unsigned action, const struct public_state *s,
                            float chance, float path);

static void add_children(struct grower *g, int depth, uint32_t node,
                         const struct public_state *s, float path) {
  const struct board *b = &g->board;
  for (unsigned i = 0; i < s->choices; i++)
    for (unsigned r = 0; r < s->choice[i].refills; r++) {
      const struct branch *way = &b->branches[s->choice[i].first + r];
      add_subtree(g, depth + 1, node, i, &b->states[way->to], way->chance,
                  path * way->chance);
    }
}

/* A take but the last, or a discard but the first. */
static uint32_t add_subtree(struct grower *g, int depth, uint32_t parent,
                            unsigned action, const struct public_state *s,
                            float chance, float path) {
  struct game_trees *f = g->trees;
  const uint32_t node = add_node(f, depth);
  struct level *l = &f->lean.level[depth];
  if (!f->whole)
    return 0;
  l->parent[node] = parent * 4 + action;
  l->state[node] = g->state_offset + (uint32_t)(s - g->board.states);
  l->chance[node] = chance;
  if (depth == T4)
    return node;
  l->path[node] = path;
  l->first[node] = f->lean.level[depth + 1].count;
  add_children(g, depth, node, s, path);
  return node;
}

/* The kind that a refill brought: what one position has more in its offer. */
static uint8_t refilled(const struct position *before, unsigned picked,
                        const struct position *after) {
  const bag card = after->offer - (before->offer - one(picked));
  return (uint8_t)(__builtin_ctz(card) / 2);
}

/* The task that a symmetry of the offer carries this history into, if it comes
 * earlier; `copies` counts the histories that are carried into this one. */
static bool find_mirror(const struct grower *g, const uint8_t *history,
                        uint32_t *node, uint32_t *renamed, float *copies) {
  unsigned same = 0;
  uint8_t least[FIRST_TURN];
  unsigned by = 0;
  memcpy(least, history, FIRST_TURN);
  for (unsigned i = 0; i < g->symmetries; i++) {
    uint8_t image[FIRST_TURN];
    for (int k = 0; k < FIRST_TURN; k++)
      image[k] = (uint8_t)symmetry_kind(g->symmetry[i], history[k]);
    same += memcmp(image, history, FIRST_TURN) == 0;
    if (memcmp(image, least, FIRST_TURN) < 0) {
      memcpy(least, image, FIRST_TURN);
      by = g->symmetry[i];
    }
  }
  *copies = (float)(g->symmetries / same);
  *renamed = 0;
  for (unsigned c = 0; c < IDENTITIES; c++)
    *renamed |= symmetry_kind(by, c) << (2 * c);
  if (memcmp(least, history, FIRST_TURN) == 0)
    return false;
  uint32_t t = 0;
  while (t < g->tasks && memcmp(g->history[t], least, FIRST_TURN) != 0)
    t++;
  *node = g->node[t];
  return t < g->tasks;
}

static void add_task(struct grower *g, uint32_t parent, unsigned action,
                     const struct branch *way, float path,
                     const uint8_t *history) {
  struct game_trees *f = g->trees;
  uint32_t node, renamed;
  float copies;
  if (!find_mirror(g, history, &node, &renamed, &copies)) {
    node = add_subtree(g, T2, parent, action, &g->board.states[way->to],
                       way->chance, path * way->chance * copies);
    if (g->tasks == MOST_TASKS) {
      f->whole = false;
      return;
    }
    memcpy(g->history[g->tasks], history, FIRST_TURN);
    g->node[g->tasks++] = node;
  }
  add_link(f, node, way->chance, renamed);
}

/* The first turn: its discards list their children. */
static void add_first_discard(struct grower *g, uint32_t parent,
                              unsigned action, const struct branch *way,
                              float path, uint8_t *history) {
  struct game_trees *f = g->trees;
  const struct board *b = &g->board;
  const struct public_state *s = &b->states[way->to];
  const uint32_t node = add_node(f, D1);
  struct level *l = &f->lean.level[D1];
  if (!f->whole)
    return;
  l->parent[node] = parent * 4 + action;
  l->state[node] = g->state_offset + way->to;
  l->chance[node] = way->chance;
  l->path[node] = path * way->chance;
  l->first[node] = f->lean.link_count;
  for (unsigned i = 0; i < s->choices; i++)
    for (unsigned r = 0; r < s->choice[i].refills; r++) {
      const struct branch *next = &b->branches[s->choice[i].first + r];
      history[2] = s->choice[i].kind;
      history[3] = refilled(&s->position, s->choice[i].kind,
                            &b->states[next->to].position);
      add_task(g, node, i, next, path * way->chance, history);
    }
}

static void add_offer(struct grower *g, double chance) {
  struct game_trees *f = g->trees;
  const struct board *b = &g->board;
  const struct public_state *s = &b->states[0];
  const uint32_t node = add_node(f, T1);
  if (!f->whole)
    return;
  f->lean.level[T1].parent[node] = 0;
  f->lean.level[T1].state[node] = g->state_offset;
  f->lean.level[T1].chance[node] = 1;
  f->lean.level[T1].path[node] = (float)chance;
  f->lean.level[T1].first[node] = f->lean.level[D1].count;
  for (unsigned i = 0; i < s->choices; i++)
    for (unsigned r = 0; r < s->choice[i].refills; r++) {
      const struct branch *way = &b->branches[s->choice[i].first + r];
      uint8_t history[FIRST_TURN] = {s->choice[i].kind,
                                     refilled(&s->position, s->choice[i].kind,
                                              &b->states[way->to].position)};
      add_first_discard(g, node, i, way, (float)chance, history);
    }
}

void game_trees_make(struct game_trees *f, const struct sal_doors_offer *offers,
                     int count) {
  memset(f, 0, sizeof *f);
  f->whole = true;
  f->offers = count;
  f->lean.endings =
      larger_array(f, NULL, MOST_ENDINGS, sizeof *f->lean.endings);
  struct grower *g = calloc(1, sizeof *g);
  f->whole = f->whole && g;
  for (int i = 0; i < count && f->whole; i++) {
    const struct position p = start_position(&offers[i].start);
    f->offer[i] = offers[i];
    memset(g, 0, sizeof *g);
    g->trees = f;
    for (unsigned s = 0; s < SYMMETRIES; s++)
      if (symmetry_bag(s, p.offer) == p.offer)
        g->symmetry[g->symmetries++] = s;
    f->whole = board_make(&g->board, &p);
    if (f->whole)
      add_states(g);
    if (f->whole)
      add_offer(g, offers[i].chance);
    board_free(&g->board);
    free(g->ending);
  }
  free(g);
}

void game_trees_free(struct game_trees *f) {
  for (int d = 0; d < LEVELS; d++) {
    free(f->lean.level[d].parent);
    free(f->lean.level[d].state);
    free(f->lean.level[d].first);
    free(f->lean.level[d].chance);
    free(f->lean.level[d].path);
  }
  free(f->lean.links);
  free(f->lean.states);
  free(f->positions);
  free(f->lean.endings);
  memset(f, 0, sizeof *f);
}
