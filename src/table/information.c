/* What a seat has seen happen, and the numbers of it; see
 * salotto/information.h.
 *
 * Main invariant: the digest is a function of what the viewer has seen and of
 * nothing else: who acted, which action where it was seen, and the bytes of the
 * view after every step. */
#include "inside.h"
#include "salotto/information.h"

#include <string.h>

/* One more word of what was seen; each bit of it reaches all of the digest. */
static void stir(uint64_t *digest, uint64_t word) {
  uint64_t x = *digest ^ (word * UINT64_C(0xff51afd7ed558ccd));
  *digest = sal_splitmix(&x);
}

static void stir_view(struct sal_recall *r, const struct sal_game *g,
                      int viewer, const sal_state *s) {
  union sal_view_box box;
  const size_t words = (g->info.view_size + 7) / 8;
  memset(box.bytes + 8 * (words - 1), 0, 8);
  g->view(s, viewer, (sal_view *)box.bytes);
  for (size_t i = 0; i < words; i++) {
    uint64_t word;
    memcpy(&word, box.bytes + 8 * i, sizeof word);
    stir(&r->digest, word);
  }
}

static size_t window(const struct sal_game *g) {
  const size_t n = g->info.recall ? g->info.recall : SAL_RECALL_USUAL;
  return n < SAL_RECALL_MAX ? n : SAL_RECALL_MAX;
}

void sal_recall_begin(struct sal_recall *r, const struct sal_game *g,
                      int viewer, const sal_state *start) {
  memset(r, 0, sizeof *r);
  r->closed = g->closed(start);
  stir_view(r, g, viewer, start);
}

void sal_recall_note(struct sal_recall *r, const struct sal_game *g, int viewer,
                     const sal_state *after, int seat, sal_action action,
                     bool hidden) {
  const sal_action seen = hidden ? 0 : action;
  const int closed = g->closed(after);
  stir(&r->digest, (uint64_t)(seat + 2));
  stir(&r->digest, seen);
  stir_view(r, g, viewer, after);
  if (closed != r->closed) { /* what ended a deal belongs to it */
    r->closed = closed;
    r->count = 0;
    return;
  }
  r->step[r->count++ % window(g)] = (struct sal_seen){seen, (int8_t)seat};
}

struct watch {
  struct sal_log log;
  unsigned hidden;
  bool told;
};

static void note_event(struct sal_log *log, const struct sal_event *e) {
  struct watch *w = (struct watch *)log;
  w->told = true;
  if (e->count > e->open)
    w->hidden |= ~(unsigned)e->seen_by;
}

unsigned sal_recall_apply(const struct sal_game *g, sal_state *s, int seat,
                          sal_action action) {
  struct watch w = {{note_event}, 0, false};
  g->apply(s, seat, action, &w.log);
  if (seat == SAL_CHANCE && !w.told)
    w.hidden = ~0u;
  return w.hidden & ((1u << SAL_SEATS_MAX) - 1);
}

void sal_table_recall(const sal_table *t, int seat, struct sal_recall *r) {
  const struct sal_game *g = t->plan.game;
  union sal_state_box box;
  sal_state *s = (sal_state *)box.bytes;
  g->init(s, &t->plan.setup);
  sal_recall_begin(r, g, seat, s);
  for (size_t i = 0; i < t->step_count; i++) {
    const struct step *step = &t->steps[i];
    const unsigned hidden = sal_recall_apply(g, s, step->seat, step->action);
    sal_recall_note(r, g, seat, s, step->seat, step->action,
                    seat < 0 ? hidden != 0 : hidden >> seat & 1);
  }
}

/* ---- Numbers --------------------------------------------------------------- */

static uint64_t bits_of(const struct sal_game *g) {
  return g->info.action_bits ? g->info.action_bits : ~UINT64_C(0);
}

size_t sal_step_size(const struct sal_game *g) {
  return SAL_STEP_ACTION + (size_t)__builtin_popcountll(bits_of(g));
}

size_t sal_information_size(const struct sal_game *g) {
  return g->info.tensor_size + SAL_DIGEST + window(g) * sal_step_size(g);
}

static void write_step(const struct sal_game *g, int players, int me,
                       const struct sal_seen *seen, float *out) {
  if (seen->seat == SAL_CHANCE)
    out[SAL_STEP_CHANCE] = 1;
  else
    out[SAL_STEP_SEAT + (seen->seat - me + players) % players] = 1;
  out[SAL_STEP_HIDDEN] = seen->action == 0;
  float *bit = out + SAL_STEP_ACTION;
  for (uint64_t rest = bits_of(g); rest; rest &= rest - 1)
    *bit++ = (float)(seen->action >> __builtin_ctzll(rest) & 1);
}

void sal_information(const struct sal_game *g, int players, int viewer,
                     const struct sal_recall *r, const sal_view *v,
                     float *out) {
  const size_t most = window(g), size = sal_step_size(g);
  const int me = viewer < 0 ? 0 : viewer;
  g->tensor(v, out);
  out += g->info.tensor_size;
  for (int i = 0; i < SAL_DIGEST; i++)
    *out++ = (float)(r->digest >> i & 1);
  memset(out, 0, most * size * sizeof *out);
  const size_t shown = r->count < most ? r->count : most;
  for (size_t i = 0; i < shown; i++)
    write_step(g, players, me, &r->step[(r->count - shown + i) % most],
               out + i * size);
}
