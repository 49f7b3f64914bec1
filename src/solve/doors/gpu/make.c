/* Blueprints from sums; see make.h.
 *
 * Main invariant: a position and all its mirror images share one entry; what
 * the card adds up by state is added to the entry under every symmetry that
 * leads there, as in book.c. */
#include "make.h"
#include "book.h"
#include "blueprint.h"

#include <stdlib.h>
#include <string.h>

struct maker {
  const struct game_trees *trees;
  uint64_t key[BOOK_POSITIONS];
  uint32_t keys;
  /* Of each state where the Collector takes: its entry, and the symmetries that
   * lead there; NONE elsewhere. */
  uint32_t *entry;
  uint8_t *symmetries;
  float *rows; /* room for the sums of a level */
  float *states;
  float first[SAL_DOORS_OFFERS * OFFER * IDENTITIES];
  float weight[BOOK_POSITIONS][IDENTITIES][KINDS];
  struct blueprint blueprint;
};
enum { NONE = UINT32_MAX };

/* ---- Positions ------------------------------------------------------------ */

static int by_size(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* All keys, sorted, each once; false if they are not as many as they must be. */
static bool list_keys(struct maker *m) {
  const struct game_trees *f = m->trees;
  uint64_t *all = malloc((f->lean.state_count + 1) * sizeof *all);
  size_t n = 0, kept = 0;
  unsigned symmetries;
  for (uint32_t i = 0; all && i < f->lean.state_count; i++)
    if (f->positions[i].step == TAKE)
      all[n++] = book_key(&f->positions[i], &symmetries);
  if (!all)
    return false;
  qsort(all, n, sizeof *all, by_size);
  for (size_t i = 0; i < n; i++)
    if (i == 0 || all[i] != all[i - 1]) {
      if (kept < BOOK_POSITIONS)
        m->key[kept] = all[i];
      kept++;
    }
  free(all);
  m->keys = (uint32_t)kept;
  return kept <= BOOK_POSITIONS;
}

static bool place_states(struct maker *m) {
  const struct game_trees *f = m->trees;
  m->entry = malloc(f->lean.state_count * sizeof *m->entry);
  m->symmetries = malloc(f->lean.state_count);
  for (uint32_t i = 0; m->entry && m->symmetries && i < f->lean.state_count;
       i++) {
    unsigned symmetries;
    m->entry[i] = NONE;
    if (f->positions[i].step != TAKE)
      continue;
    const uint64_t key = book_key(&f->positions[i], &symmetries);
    const uint64_t *found = bsearch(&key, m->key, m->keys, sizeof key, by_size);
    m->entry[i] = (uint32_t)(found - m->key);
    m->symmetries[i] = (uint8_t)symmetries;
  }
  return m->entry && m->symmetries;
}

static void free_maker(struct maker *m) {
  free(m->entry);
  free(m->symmetries);
  free(m->rows);
  free(m->states);
  free(m);
}

struct maker *maker_new(const struct game_trees *f) {
  struct maker *m = calloc(1, sizeof *m);
  if (!m)
    return NULL;
  m->trees = f;
  m->rows = malloc((size_t)f->lean.level[T3].count * 4 * 6 * sizeof *m->rows);
  m->states = malloc((size_t)f->lean.state_count * 16 * sizeof *m->states);
  if (m->rows && m->states && list_keys(m) && place_states(m))
    return m;
  free_maker(m);
  return NULL;
}

/* ---- The Collector's book -------------------------------------------------- */

static void add_state(struct maker *m, uint32_t state, const float *sums) {
  const struct position *p = &m->trees->positions[state];
  unsigned i = 0;
  for (unsigned k = 0; k < KINDS; k++) {
    if (!count(p->offer, k))
      continue;
    for (unsigned s = 0; s < SYMMETRIES; s++)
      for (unsigned c = 0; m->symmetries[state] >> s & 1 && c < IDENTITIES; c++)
        m->weight[m->entry[state]][symmetry_kind(s, c)][symmetry_kind(s, k)] +=
            sums[4 * i + c];
    i++;
  }
}

/* The takes of a level but the last, weighed by their paths. */
static void add_level(struct maker *m, const struct device *d, int l) {
  const struct level *level = &m->trees->lean.level[l];
  const size_t n = level->count;
  device_pick_sums(d, l, m->rows);
  for (uint32_t i = 0; i < n; i++)
    for (unsigned k = 0; k < OFFER; k++)
      for (unsigned c = 0; c < IDENTITIES; c++)
        m->states[level->state[i] * 16 + 4 * k + c] +=
            m->rows[(k * n + i) * 4 + c] * level->path[i];
}

static uint8_t in_255ths(float part, float sum) {
  return sum > 0 ? (uint8_t)(255 * (part / sum) + 0.5f) : 0;
}

static void make_book(struct maker *m, const struct device *d) {
  device_last_takes(d, m->states);
  add_level(m, d, T1);
  add_level(m, d, T2);
  add_level(m, d, T3);
  memset(m->weight, 0, sizeof m->weight);
  for (uint32_t s = 0; s < m->trees->lean.state_count; s++)
    if (m->entry[s] != NONE)
      add_state(m, s, &m->states[(size_t)s * 16]);
  for (uint32_t e = 0; e < m->keys; e++)
    for (unsigned c = 0; c < IDENTITIES; c++) {
      const bag offer = m->key[e] & 0xfff;
      const float *w = m->weight[e][c];
      float sum = 0;
      unsigned i = 0;
      for (unsigned k = 0; k < KINDS; k++)
        sum += w[k];
      for (unsigned k = 0; k < KINDS; k++)
        if (count(offer, k))
          m->blueprint.book[e][c][i++] = in_255ths(w[k], sum);
    }
}

/* ---- The first turns ------------------------------------------------------- */

/* Chances from sums: `out` holds actions of IDENTITIES bytes. */
static void make_picks(struct maker *m, const struct device *d, int l,
                       uint8_t *out) {
  const size_t n = m->trees->lean.level[l].count;
  device_pick_sums(d, l, m->rows);
  for (size_t i = 0; i < n; i++)
    for (unsigned g = 0; g < IDENTITIES; g++) {
      float sum = 0;
      for (unsigned k = 0; k < OFFER; k++)
        sum += m->rows[(k * n + i) * 4 + g];
      for (unsigned k = 0; k < OFFER; k++)
        out[(i * OFFER + k) * IDENTITIES + g] =
            in_255ths(m->rows[(k * n + i) * 4 + g], sum);
    }
}

static void make_guesses(struct maker *m, const struct device *d) {
  const size_t n = m->trees->lean.level[T2].count;
  device_guess_sums(d, T2, m->rows);
  for (size_t i = 0; i < n; i++)
    for (unsigned g = 0; g < IDENTITIES; g++) {
      float sum = 0;
      for (unsigned k = 0; k <= GUESS_KINDS; k++)
        sum += m->rows[(k * n + i) * 4 + g];
      for (unsigned k = 0; k < GUESS_KINDS; k++)
        m->blueprint.guess[i][k][g] =
            in_255ths(m->rows[(k * n + i) * 4 + g], sum);
    }
}

/* ---- The second discards --------------------------------------------------- */

/* How an opponent of each identity comes to a second discard. */
static const float *way_of(const struct maker *m, bool collector, uint32_t i) {
  const uint32_t parent = m->trees->lean.level[D2].parent[i];
  const size_t n = m->trees->lean.level[T2].count;
  return m->rows +
         ((collector ? parent % 4 : GUESS_KINDS) * n + parent / 4) * 4;
}

/* The others of the identities: who comes to meet each. */
static float others_way(const float *way, unsigned identity) {
  float sum = 0;
  for (unsigned k = 0; k < IDENTITIES; k++)
    sum += k == identity ? 0 : way[k];
  return sum;
}

/* Values of a side by identity, over the ways of the other, which are in
 * `rows`. */
static void make_seconds(struct maker *m, const struct lean_worth *w,
                         const float *value, bool collector,
                         uint16_t (*out)[IDENTITIES]) {
  for (uint32_t i = 0; i < m->trees->lean.level[D2].count; i++)
    for (unsigned k = 0; k < IDENTITIES; k++) {
      const float way = others_way(way_of(m, !collector, i), k);
      const float nobody = collector ? w->set : w->both;
      const float mean = way > 0 ? value[(size_t)i * 4 + k] / way : nobody;
      float part = (mean - w->both) / (w->set - w->both);
      part = part < 0 ? 0 : part > 1 ? 1 : part;
      out[i][k] = (uint16_t)(65535 * part + 0.5f);
    }
}

bool maker_write(struct maker *m, const struct device *d,
                 const struct lean_worth *w, FILE *out) {
  struct blueprint *s = &m->blueprint;
  float *collector = m->states;
  float *guesser = collector + (size_t)m->trees->lean.level[D2].count * 4;
  make_book(m, d);
  make_picks(m, d, T1, s->first_take[0][0]);
  make_picks(m, d, D1, s->discard[0][0]);
  device_second_discards(d, collector, guesser);
  make_guesses(m, d);
  make_seconds(m, w, collector, true, s->collector);
  make_picks(m, d, T2, s->second_take[0][0]);
  make_seconds(m, w, guesser, false, s->guesser);
  return fwrite(w, sizeof *w, 1, out) == 1 &&
         fwrite(s, sizeof *s, 1, out) == 1 && fflush(out) == 0;
}

/* ---- Back ------------------------------------------------------------------ */

static float chance_of(const uint8_t *in_parts, unsigned n, unsigned i) {
  unsigned sum = 0;
  for (unsigned k = 0; k < n; k++)
    sum += in_parts[k * IDENTITIES];
  return sum ? (float)in_parts[i * IDENTITIES] / (float)sum : 1 / (float)n;
}

static unsigned picks_of(const struct maker *m, int l, uint32_t i) {
  return m->trees->lean.states[m->trees->lean.level[l].state[i]].choices;
}

/* Who comes to the guess before a second take, and what is guessed there. */
static void realise_guesses(struct maker *m) {
  const struct level *takes = &m->trees->lean.level[T2];
  const size_t n = takes->count;
  for (size_t i = 0; i < n; i++) {
    const uint32_t d = takes->parent[i] / 4, action = takes->parent[i] % 4;
    for (unsigned g = 0; g < IDENTITIES; g++) {
      const float reach =
          chance_of(&m->blueprint.discard[d][0][g], picks_of(m, D1, d), action);
      float rest = reach;
      for (unsigned k = 0; k < GUESS_KINDS; k++) {
        const float part = reach * (float)m->blueprint.guess[i][k][g] / 255;
        m->rows[(k * n + i) * 4 + g] = part;
        rest -= part;
      }
      m->rows[(GUESS_KINDS * n + i) * 4 + g] = rest > 0 ? rest : 0;
    }
  }
}

static void realise_takes(struct maker *m) {
  const struct level *takes = &m->trees->lean.level[T2];
  const struct level *discards = &m->trees->lean.level[D1];
  const size_t n = takes->count;
  const int roots = m->trees->offers;
  for (int i = 0; i < roots; i++)
    for (unsigned k = 0; k < picks_of(m, T1, (uint32_t)i); k++)
      for (unsigned c = 0; c < IDENTITIES; c++)
        m->first[(k * (unsigned)roots + (unsigned)i) * 4 + c] = chance_of(
            &m->blueprint.first_take[i][0][c], picks_of(m, T1, (uint32_t)i), k);
  for (size_t i = 0; i < n; i++) {
    const uint32_t above = discards->parent[takes->parent[i] / 4];
    for (unsigned k = 0; k < picks_of(m, T2, (uint32_t)i); k++)
      for (unsigned c = 0; c < IDENTITIES; c++)
        m->rows[(k * n + i) * 4 + c] =
            m->first[(above % 4 * (unsigned)roots + above / 4) * 4 + c] *
            chance_of(&m->blueprint.second_take[i][0][c],
                      picks_of(m, T2, (uint32_t)i), k);
  }
}

bool maker_read(struct maker *m, FILE *in, struct lean_worth *w) {
  return fread(w, sizeof *w, 1, in) == 1 &&
         fread(&m->blueprint, sizeof m->blueprint, 1, in) == 1;
}

struct lean_top maker_top(struct maker *m, const struct lean_worth *w,
                          bool collector) {
  const uint16_t(*counterfactual)[IDENTITIES] =
      collector ? m->blueprint.guesser : m->blueprint.collector;
  if (collector)
    realise_takes(m);
  else
    realise_guesses(m);
  for (uint32_t i = 0; i < m->trees->lean.level[D2].count; i++)
    for (unsigned k = 0; k < IDENTITIES; k++)
      m->states[(size_t)i * 4 + k] =
          others_way(way_of(m, collector, i), k) *
          (w->both + (w->set - w->both) * (float)counterfactual[i][k] / 65535);
  return (struct lean_top){.collector = collector,
                           .takes = m->first,
                           .second_takes = m->rows,
                           .guesses = m->rows,
                           .counterfactual = m->states};
}
