/* A room in words. See translate.h. */
#include "translate.h"

#include <string.h>

/* ---- Names ---------------------------------------------------------------- */

static void name_seat(struct translator *s, const struct room *r, int seat) {
  const struct room_seat *at = &r->seat[seat];
  struct sal_text t;
  sal_text_init(&t, s->names[seat], sizeof s->names[seat]);
  if (*at->name)
    sal_text_add(&t, at->name);
  else if (at->kind == SEAT_BOT)
    sal_text_add(&t, sal_catalogue_text(s->speaker.catalogue,
                                        sal_bot_name(at->bot, seat)));
  char *first = s->names[seat];
  if (!*at->name && *first >= 'a' && *first <= 'z')
    *first = (char)(*first - 'a' + 'A'); /* a title used as a name */
  s->name[seat] = t.len ? first : NULL;  /* NULL: "Player 1", … */
}

/* Whoever shares a name with another is told apart by the number. */
static void number_seat(struct translator *s, int seat, const char *plain) {
  struct sal_text t;
  sal_text_init(&t, s->names[seat], sizeof s->names[seat]);
  sal_text_add(&t, plain);
  sal_text_char(&t, ' ');
  sal_text_int(&t, seat + 1);
}

void translator_init(struct translator *s,
                     const struct sal_catalogue *catalogue,
                     const struct room *r) {
  const int players = r->head.setup.players;
  char plain[SAL_SEATS_MAX][sizeof s->names[0]];
  memset(s, 0, sizeof *s);
  sal_speaker_init(&s->speaker, catalogue, s->name);
  for (int i = 0; i < players; i++) {
    name_seat(s, r, i);
    strcpy(plain[i], s->names[i]);
  }
  for (int i = 0; i < players; i++)
    for (int other = 0; other < players; other++)
      if (other != i && *plain[i] && strcmp(plain[i], plain[other]) == 0) {
        number_seat(s, i, plain[i]);
        break;
      }
}

/* ---- Refusals ------------------------------------------------------------- */

/* Whose turn it is follows from public facts, as in the engine. */
static void translate_turn(const struct sal_catalogue *catalogue,
                           const struct room *r, struct sal_text *out) {
  struct translator s;
  union sal_view_box v;
  translator_init(&s, catalogue, r);
  sal_table_view(r->table, SAL_SPECTATOR, (sal_view *)v.bytes);
  r->head.game->prompt((const sal_view *)v.bytes, &s.speaker.words, out);
}

void translate_refusal(const struct sal_catalogue *catalogue,
                       const struct room *r, const struct sal_refusal *why,
                       struct sal_text *out) {
  const char *message = why->message;
  if (r && why->code == SAL_ILLEGAL && why->rule)
    message = sal_rule_find(r->head.game, why->rule)->text;
  else if (why->code == SAL_BAD_ACTION)
    message = sal_error_text(why->code);
  if (r && r->table && why->code == SAL_NOT_YOUR_TURN)
    translate_turn(catalogue, r, out);
  else
    sal_text_add(out, sal_catalogue_text(catalogue, message));
}
