/* What a bot thinks about. See mind.h. */
#include "mind.h"

#include "salotto/review.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Time ------------------------------------------------------------------ */

static atomic_bool hurried;

void minds_hurry(bool up) { atomic_store(&hurried, up); }

static double clock_of_bots(void) {
  struct timespec t;
  if (atomic_load_explicit(&hurried, memory_order_relaxed))
    return 1e300;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- The question ----------------------------------------------------------- */

struct mind *mind_new(const struct sal_game *g, const struct sal_bot *bot) {
  struct mind *m = calloc(1, sizeof *m + g->info.legal_max * sizeof *m->legal);
  if (!m)
    return NULL;
  snprintf(m->game, sizeof m->game, "%s", g->info.id);
  snprintf(m->bot, sizeof m->bot, "%s", bot ? bot->id : "");
  return m;
}

size_t mind_size(const struct mind *m) {
  return sizeof *m + m->count * sizeof *m->legal;
}

static bool ends(const char id[MIND_ID]) { return memchr(id, '\0', MIND_ID); }

bool mind_is_whole(const struct mind *m, size_t size) {
  const struct sal_game *g =
      size > sizeof *m && ends(m->game) ? sal_game_find(m->game) : NULL;
  return g && ends(m->bot) && (!m->bot[0] || sal_bot_find(m->bot)) &&
         m->count <= g->info.legal_max && size == mind_size(m) &&
         m->seat >= 0 && m->seat < m->players && m->players <= SAL_SEATS_MAX;
}

void mind_question(const struct mind *m, struct sal_question *out) {
  *out = (struct sal_question){
      .game = sal_game_find(m->game),
      .players = m->players,
      .seat = m->seat,
      .view = (const sal_view *)m->view.bytes,
      .legal = m->legal,
      .count = m->count,
      .memory = &m->memory,
      .budget = {.seconds = m->seconds, .clock = clock_of_bots},
      .temper = m->temper};
}

/* ---- The answer ------------------------------------------------------------- */

void mind_think(struct mind *m, struct sal_thought *out) {
  struct sal_question q;
  mind_question(m, &q);
  if (m->bot[0])
    sal_bot_find(m->bot)->think(&q, &m->rng, out);
  else
    sal_advise(&q, &m->rng, out);
}

static bool is_legal(const struct mind *m, sal_action a) {
  for (size_t i = 0; i < m->count; i++)
    if (m->legal[i] == a)
      return true;
  return false;
}

bool mind_accepts(const struct mind *m, const struct sal_thought *answer) {
  if (!is_legal(m, answer->action) || answer->count > SAL_CANDIDATES ||
      answer->reason > SAL_REASON_TELLS || answer->viewer < 0 ||
      answer->viewer >= m->players || !isfinite(answer->here) ||
      !isfinite(answer->there))
    return false;
  for (size_t i = 0; i < answer->count; i++) {
    const struct sal_candidate *c = &answer->candidate[i];
    if (!is_legal(m, c->action) || !isfinite(c->value) || !isfinite(c->share))
      return false;
  }
  return true;
}
