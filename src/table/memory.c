/* What each seat remembers of the deal in play. */
#include "inside.h"
#include "salotto/memory.h"

#include <string.h>

void sal_memory_clear(struct sal_memory *m) {
  m->begun = false;
  m->closed = 0;
  m->count = m->since = 0;
  m->rounds = 0;
}

/* The round is over. */
static void keep_round(struct sal_memory *m) {
  if (!m->begun)
    return;
  struct sal_round_seen *kept = &m->kept[m->rounds++ % SAL_ROUNDS_KEPT];
  kept->start = m->round;
  kept->count = 0;
  for (size_t i = m->since; i < m->count && kept->count < SAL_ROUND_STEPS; i++)
    kept->step[kept->count++] = m->step[i];
}

void sal_memory_note(struct sal_memory *m, const struct sal_game *g, int viewer,
                     const sal_state *after, int seat, sal_action action,
                     bool hidden) {
  const int closed = g->closed(after);
  if (m->begun && closed == m->closed) {
    if (m->count < SAL_MEMORY_MAX)
      m->step[m->count++] =
          (struct sal_seen){hidden ? 0 : action, (int8_t)seat};
    if (seat == SAL_CHANCE && g->to_act(after) != SAL_CHANCE_BIT) {
      keep_round(m);
      memset(&m->round, 0, sizeof m->round);
      g->view(after, viewer, (sal_view *)m->round.bytes);
      m->since = m->count;
    }
    return;
  }
  /* A new deal: remember from its first decision on. */
  keep_round(m);
  m->begun = g->to_act(after) != SAL_CHANCE_BIT && g->to_act(after) != 0;
  m->closed = closed;
  m->count = m->since = 0;
  if (m->begun) {
    memset(&m->start, 0, sizeof m->start); /* views are compared byte by byte */
    g->view(after, viewer, (sal_view *)m->start.bytes);
    m->round = m->start;
  }
}

struct watch {
  struct sal_log log;
  unsigned hidden;
};

static void note_hidden(struct sal_log *log, const struct sal_event *e) {
  struct watch *w = (struct watch *)log;
  if (e->count > e->open)
    w->hidden |= ~(unsigned)e->seen_by;
}

unsigned sal_memory_apply(const struct sal_game *g, sal_state *s, int seat,
                          sal_action action) {
  struct watch w = {{note_hidden}, 0};
  g->apply(s, seat, action, &w.log);
  return w.hidden & ((1u << SAL_SEATS_MAX) - 1);
}

void sal_table_memory(const sal_table *t, int seat, struct sal_memory *m) {
  const struct sal_game *g = t->plan.game;
  union sal_state_box box;
  sal_state *s = (sal_state *)box.bytes;
  sal_memory_clear(m);
  g->init(s, &t->plan.setup);
  for (size_t i = 0; i < t->step_count; i++) {
    const struct step *step = &t->steps[i];
    const unsigned hidden = sal_memory_apply(g, s, step->seat, step->action);
    sal_memory_note(m, g, seat, s, step->seat, step->action,
                    hidden >> seat & 1);
  }
}
