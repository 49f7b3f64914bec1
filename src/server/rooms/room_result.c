/* How a game ended. See room_result.h. */
#include "room_result.h"

#include <stdio.h>
#include <string.h>

/* Whether seat a did better than seat b. Who is gone has lost to who stayed;
 * the game's winners have won; the others go by their scores. */
static int compare_seats(const struct result_seat *a, bool a_won,
                         const struct result_seat *b, bool b_won) {
  if (a->gone != b->gone)
    return a->gone ? -1 : 1;
  if (a->gone)
    return 0;
  if (a_won != b_won)
    return a_won ? 1 : -1;
  if (a_won || a->score == b->score)
    return 0;
  return a->score > b->score ? 1 : -1;
}

/* Fewer decisions of a person make no game of theirs: who resigns in the first
 * moves, or lets a bot play, or has nothing to choose. */
enum { REAL_DECISIONS = 3 };

static void read_result_seat(const struct room *r, int i,
                             struct result_seat *s) {
  const struct room_seat *from = &r->seat[i];
  s->person = from->person;
  s->gone = from->person && (from->kind == SEAT_BOT || from->away) &&
            sal_table_resigned(r->table) < 0;
  s->counts = !from->person || r->decisions[i] >= REAL_DECISIONS;
  if (from->person)
    strcpy(s->name, from->name);
  else
    snprintf(s->bot, sizeof s->bot, "%s", from->bot->id);
}

void result_of(const struct room *r, struct result *out) {
  int32_t scores[SAL_SEATS_MAX] = {0};
  const unsigned winners = sal_table_winners(r->table);
  memset(out, 0, sizeof *out);
  sal_table_scores(r->table, scores);
  strcpy(out->room, r->id);
  snprintf(out->game, sizeof out->game, "%s", r->head.game->info.id);
  out->at = r->over_at;
  out->seats = r->head.setup.players;
  for (int i = 0; i < out->seats; i++) {
    read_result_seat(r, i, &out->seat[i]);
    out->seat[i].score = scores[i];
  }
  for (int i = 0; i < out->seats; i++) {
    out->seat[i].place = 1;
    for (int k = 0; k < out->seats; k++)
      out->seat[i].place += compare_seats(&out->seat[k], winners >> k & 1,
                                          &out->seat[i], winners >> i & 1) > 0;
  }
  out->unrated = r->withheld      ? "withheld"
                 : r->helped      ? "helped"
                 : !r->head.rated ? "asked"
                                  : NULL;
  out->rated = !out->unrated;
}
