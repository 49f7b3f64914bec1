/* Makes game trees level by level; see game_tree.h.
 *
 * Main invariant: of the level that is read and of the one that is made each
 * node has a place: its state, and for each seat the key of what it has seen. */
#include "game_tree.h"

#include <stdlib.h>
#include <string.h>

struct key {
  uint64_t half[2];
};

/* A node of a level, while the tree is made. */
struct place {
  struct key seen[SEATS];
  uint64_t state[]; /* as many as the game's state needs */
};

struct list {
  void *items;
  size_t count, room;
};

struct maker {
  const struct sal_game *game;
  enum sal_cfr_goal goal;
  size_t nodes_max;
  size_t place_size, view_room;
  struct list nodes, sets, actions, views, levels;
  struct list level, below; /* places */
  size_t *table;            /* sets by key, number + 1; open addressing */
  size_t table_size;
  sal_action *legal;
  enum sal_cfr_problem problem;
};

/* ---- Lists ----------------------------------------------------------------- */

/* Room for `more` items at the end; NULL without memory. */
static void *add_items(struct maker *m, struct list *l, size_t size,
                       size_t more) {
  if (l->count + more > l->room) {
    const size_t room = 2 * l->room + more + 16;
    void *items = realloc(l->items, room * size);
    if (!items) {
      m->problem = SAL_CFR_NO_MEMORY;
      return NULL;
    }
    l->items = items;
    l->room = room;
  }
  l->count += more;
  return (char *)l->items + (l->count - more) * size;
}

static struct tree_node *node_at(const struct maker *m, size_t n) {
  return (struct tree_node *)m->nodes.items + n;
}

static struct information_set *set_at(const struct maker *m, size_t n) {
  return (struct information_set *)m->sets.items + n;
}

static const sal_state *state_of(const struct place *p) {
  return (const sal_state *)p->state;
}

/* ---- What a seat has seen ---------------------------------------------------- */

static uint64_t mixed(uint64_t x) {
  x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
  x = (x ^ x >> 29) * 0xa0761d6478bd642fu;
  return x ^ x >> 32;
}

static void fold_word(struct key *k, uint64_t word) {
  k->half[0] = mixed(k->half[0] ^ word);
  k->half[1] = mixed(k->half[1] + 0x9e3779b97f4a7c15u * (word | 1) + word);
}

/* Two keys are taken for the same when both their halves are: among 2^32 sets
 * the chance of a mistake is less than 2^-64. */
static void fold(struct key *k, const void *bytes, size_t n) {
  const unsigned char *at = bytes;
  for (; n; at += 8, n = n > 8 ? n - 8 : 0) {
    uint64_t word = 0;
    memcpy(&word, at, n < 8 ? n : 8);
    fold_word(k, word);
  }
}

/* What each seat sees now is added to what it saw before. */
static void look_at_state(const struct maker *m, struct place *p) {
  for (int s = 0; s < SEATS; s++) {
    union sal_view_box v = {.bytes = {0}};
    m->game->view(state_of(p), s, (sal_view *)&v);
    fold(&p->seen[s], &v, m->game->info.view_size);
  }
}

/* ---- Information sets --------------------------------------------------------- */

static size_t slot_of(const struct maker *m, const struct key *k, int seat) {
  size_t at = (size_t)(k->half[0] ^ k->half[1]) & (m->table_size - 1);
  for (;; at = (at + 1) & (m->table_size - 1)) {
    if (!m->table[at])
      return at;
    const struct information_set *s = set_at(m, m->table[at] - 1);
    if (s->seat == seat && s->key[0] == k->half[0] && s->key[1] == k->half[1])
      return at;
  }
}

static bool grow_table(struct maker *m) {
  const size_t size = m->table_size ? 2 * m->table_size : 1024;
  size_t *table = calloc(size, sizeof *table);
  if (!table) {
    m->problem = SAL_CFR_NO_MEMORY;
    return false;
  }
  free(m->table);
  m->table = table;
  m->table_size = size;
  for (size_t i = 0; i < m->sets.count; i++) {
    const struct information_set *s = set_at(m, i);
    const struct key k = {{s->key[0], s->key[1]}};
    m->table[slot_of(m, &k, s->seat)] = i + 1;
  }
  return true;
}

static bool add_set(struct maker *m, size_t node, const struct place *p,
                    int seat, size_t count) {
  const struct key *k = &p->seen[seat];
  struct information_set *s = add_items(m, &m->sets, sizeof *s, 1);
  sal_action *actions = add_items(m, &m->actions, sizeof *actions, count);
  void *view = add_items(m, &m->views, m->view_room, 1);
  if (!s || !actions || !view)
    return false;
  *s = (struct information_set){.key = {k->half[0], k->half[1]},
                                .first = node,
                                .action = m->actions.count - count,
                                .count = (uint32_t)count,
                                .seat = seat};
  memcpy(actions, m->legal, count * sizeof *actions);
  memset(view, 0, m->view_room);
  m->game->view(state_of(p), seat, view);
  return true;
}

/* The set of a place where a seat is asked; its actions are in `legal`. */
static bool find_set(struct maker *m, size_t node, const struct place *p,
                     int seat, size_t count) {
  if (2 * (m->sets.count + 1) > m->table_size && !grow_table(m))
    return false;
  const size_t at = slot_of(m, &p->seen[seat], seat);
  if (!m->table[at]) {
    if (!add_set(m, node, p, seat, count))
      return false;
    m->table[at] = m->sets.count;
  }
  const struct information_set *s = set_at(m, m->table[at] - 1);
  const sal_action *known = (sal_action *)m->actions.items + s->action;
  if (s->count != count || memcmp(known, m->legal, count * sizeof *known) != 0)
    m->problem = SAL_CFR_UNSOUND;
  node_at(m, node)->set = (uint32_t)(m->table[at] - 1);
  return m->problem == SAL_CFR_FINE;
}

/* ---- Nodes -------------------------------------------------------------------- */

static double payoff(const struct maker *m, const sal_state *s) {
  if (m->goal == SAL_CFR_WIN) {
    const unsigned won = m->game->winners(s) & 3;
    return won == 1 ? 1 : won == 2 ? 0 : 0.5;
  }
  int32_t score[SAL_SEATS_MAX] = {0};
  m->game->scores(s, score);
  return ((double)score[0] - score[1]) / 2;
}

/* A child of a place: its node on the next level, and its own place. */
static bool add_child(struct maker *m, const struct place *p, int seat,
                      sal_action a, double chance) {
  if (m->nodes.count >= m->nodes_max) {
    m->problem = SAL_CFR_TOO_LARGE;
    return false;
  }
  struct tree_node *n = add_items(m, &m->nodes, sizeof *n, 1);
  struct place *to = add_items(m, &m->below, m->place_size, 1);
  if (!n || !to)
    return false;
  *n = (struct tree_node){.chance = chance};
  memcpy(to, p, m->place_size);
  m->game->apply((sal_state *)to->state, seat, a, NULL);
  if (seat >= 0)
    fold_word(&to->seen[seat], a);
  look_at_state(m, to);
  return true;
}

static bool add_outcomes(struct maker *m, size_t node, const struct place *p) {
  struct sal_chance c;
  uint64_t weights = 0;
  m->game->chance(state_of(p), &c);
  for (size_t i = 0; i < c.count; i++)
    weights += c.outcome[i].weight;
  node_at(m, node)->actor = NODE_CHANCE;
  node_at(m, node)->count = (uint32_t)c.count;
  for (size_t i = 0; i < c.count; i++)
    if (!add_child(m, p, SAL_CHANCE, c.outcome[i].action,
                   (double)c.outcome[i].weight / (double)weights))
      return false;
  return true;
}

static bool add_actions(struct maker *m, size_t node, const struct place *p,
                        int seat) {
  const size_t count = m->game->legal(state_of(p), seat, m->legal);
  node_at(m, node)->actor = seat;
  node_at(m, node)->count = (uint32_t)count;
  if (!find_set(m, node, p, seat, count))
    return false;
  for (size_t i = 0; i < count; i++)
    if (!add_child(m, p, seat, m->legal[i], 1))
      return false;
  return true;
}

static bool expand(struct maker *m, size_t node, const struct place *p) {
  const sal_state *s = state_of(p);
  const unsigned asked = m->game->to_act(s);
  node_at(m, node)->child = m->nodes.count;
  if (asked == SAL_CHANCE_BIT)
    return add_outcomes(m, node, p);
  if (asked)
    return add_actions(m, node, p, __builtin_ctz(asked));
  node_at(m, node)->actor = NODE_END;
  node_at(m, node)->payoff = payoff(m, s);
  return true;
}

/* ---- Levels -------------------------------------------------------------------- */

static size_t words(size_t bytes) { return (bytes + 7) / 8 * 8; }

static bool add_root(struct maker *m, const struct sal_setup *setup) {
  m->place_size = sizeof(struct place) + words(m->game->info.state_size);
  m->view_room = words(m->game->info.view_size);
  struct tree_node *root = add_items(m, &m->nodes, sizeof *root, 1);
  struct place *p = add_items(m, &m->below, m->place_size, 1);
  m->legal = malloc((m->game->info.legal_max + 1) * sizeof *m->legal);
  if (!root || !p || !m->legal) {
    m->problem = SAL_CFR_NO_MEMORY;
    return false;
  }
  *root = (struct tree_node){.chance = 1};
  memset(p, 0, m->place_size);
  m->game->init((sal_state *)p->state, setup);
  look_at_state(m, p);
  return true;
}

/* What was below becomes the level; its nodes are the last. */
static bool next_level(struct maker *m) {
  const struct list read = m->level;
  m->level = m->below;
  m->below = read;
  m->below.count = 0;
  const size_t first = m->nodes.count - m->level.count;
  size_t *level = add_items(m, &m->levels, sizeof *level, 1);
  if (!level)
    return false;
  *level = first;
  for (size_t i = 0; i < m->level.count; i++) {
    const char *at = (const char *)m->level.items + i * m->place_size;
    if (!expand(m, first + i, (const struct place *)(const void *)at))
      return false;
  }
  return true;
}

bool game_tree_make(struct game_tree *t, const struct sal_game *g,
                    const struct sal_setup *setup, enum sal_cfr_goal goal,
                    size_t nodes_max, enum sal_cfr_problem *problem) {
  struct maker m = {.game = g, .goal = goal, .nodes_max = nodes_max};
  bool fine = setup->players == SEATS;
  if (!fine)
    m.problem = SAL_CFR_NOT_TWO;
  fine = fine && add_root(&m, setup);
  while (fine && m.below.count)
    fine = next_level(&m);
  *t = (struct game_tree){.nodes = m.nodes.items,
                          .sets = m.sets.items,
                          .actions = m.actions.items,
                          .views = m.views.items,
                          .levels = m.levels.items,
                          .view_room = m.view_room,
                          .node_count = m.nodes.count,
                          .set_count = m.sets.count,
                          .action_count = m.actions.count,
                          .level_count = m.levels.count};
  free(m.level.items);
  free(m.below.items);
  free(m.table);
  free(m.legal);
  *problem = m.problem;
  if (!fine)
    game_tree_free(t);
  return fine;
}

void game_tree_free(struct game_tree *t) {
  free(t->nodes);
  free(t->sets);
  free(t->actions);
  free(t->views);
  free(t->levels);
  *t = (struct game_tree){0};
}
