/* The battery: what every game must pass, present and future.
 *
 *   battery GAME        runs it; battery GAME --sign prints the signatures
 *
 * Each part runs for every number of players and every value of every word
 * option; it returns NULL, or what is wrong. */
#ifndef SAL_TESTS_BATTERY_H
#define SAL_TESTS_BATTERY_H

#include "salotto/salotto.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 1 << 16, STEPS_MAX = 200000 };

/* One way to set the game up. */
struct trial {
  const struct sal_game *g;
  struct sal_setup setup;
  char name[96];
};

typedef const char *part_fn(const struct trial *t);

/* battery_rules.c */
part_fn part_random_games, part_refusals, part_sample_law, part_playouts,
    part_no_allocation, part_words;
/* battery_table.c */
part_fn part_records, part_undo, part_twin_tables;
/* battery_leak.c */
part_fn part_views, part_twins, part_thinking;
/* battery_recall.c */
part_fn part_information;
/* The hash over many seeded games. */
uint64_t signature(const struct trial *t, int games);

/* ---- Tools -------------------------------------------------------------- */

static inline const sal_view *look(const struct trial *t, const sal_state *s,
                                   int viewer, union sal_view_box *box) {
  memset(box, 0, sizeof *box);
  memset(box, 0xa5, t->g->info.view_size); /* every byte must be written */
  t->g->view(s, viewer, (sal_view *)box->bytes);
  return (const sal_view *)box->bytes;
}

static inline void facts_of(const struct trial *t, const sal_state *s,
                            int viewer, char *out) {
  union sal_view_box box;
  struct sal_text text;
  struct sal_json j;
  sal_text_init(&text, out, TEXT_SIZE);
  sal_json_init(&j, &text);
  sal_json_object(&j, NULL);
  t->g->facts(look(t, s, viewer, &box), &j);
  sal_json_end(&j, '}');
}

static inline void action_name(const struct trial *t, sal_action a, char *out) {
  struct sal_text text;
  sal_text_init(&text, out, SAL_ACTION_TEXT_MAX);
  t->g->action_text(a, &text);
}

/* A seat that is asked, at random. */
static inline int any_seat(unsigned asked, struct sal_rng *rng) {
  const int n = __builtin_popcount(asked);
  for (int skip = (int)sal_rng_below(rng, (uint32_t)n);; asked &= asked - 1)
    if (skip-- == 0)
      return __builtin_ctz(asked);
}

static inline void play_chance(const struct trial *t, sal_state *s,
                               struct sal_log *log, struct sal_rng *rng) {
  while (t->g->to_act(s) == SAL_CHANCE_BIT) {
    struct sal_chance c;
    t->g->chance(s, &c);
    t->g->apply(s, SAL_CHANCE, sal_chance_draw(&c, rng), log);
  }
}

/* A text that lives until the next call, for what is wrong. */
const char *wrong(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

#endif
