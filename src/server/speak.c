/* A room in words. See speak.h. */
#include "speak.h"

#include <string.h>

enum { SAY_MAX = 8192, LEGAL_SAID = 200 };

/* ---- Names ---------------------------------------------------------------- */

static void name_seat(struct speech *s, const struct room *r, int seat) {
  const struct room_seat *at = &r->seat[seat];
  struct sal_text t;
  sal_text_init(&t, s->names[seat], sizeof s->names[seat]);
  if (*at->name)
    sal_text_add(&t, at->name);
  else if (at->kind == SEAT_BOT)
    sal_text_add(&t, sal_catalogue_text(s->speaker.catalogue, at->bot->title));
  char *first = s->names[seat];
  if (!*at->name && *first >= 'a' && *first <= 'z')
    *first = (char)(*first - 'a' + 'A'); /* a title used as a name */
  s->name[seat] = t.len ? first : NULL;  /* NULL: "Player 1", … */
}

/* Whoever shares a name with another is told apart by the number. */
static void number_seat(struct speech *s, int seat, const char *plain) {
  struct sal_text t;
  sal_text_init(&t, s->names[seat], sizeof s->names[seat]);
  sal_text_add(&t, plain);
  sal_text_char(&t, ' ');
  sal_text_int(&t, seat + 1);
}

void speech_init(struct speech *s, const struct sal_catalogue *catalogue,
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

/* ---- Sentences ------------------------------------------------------------ */

/* The rule that an event names as its reason, or NULL. */
static const char *rule_of(const sal_table *t, size_t n, int viewer) {
  static const char key[] = "\"reason\":\"";
  char facts[1024], id[64];
  struct sal_text out;
  struct sal_json j;
  sal_text_init(&out, facts, sizeof facts);
  sal_json_init(&j, &out);
  sal_table_event_facts(t, n, viewer, &j);
  const char *at = strstr(facts, key);
  if (!at)
    return NULL;
  at += sizeof key - 1;
  sal_text_init(&out, id, sizeof id);
  sal_text_addn(&out, at, strcspn(at, "\""));
  const struct sal_rule *rule = sal_rule_find(sal_table_game(t), id);
  return rule ? rule->id : NULL;
}

void speak_event(struct sal_json *j, const struct speech *s, const sal_table *t,
                 size_t n, int viewer) {
  char text[SAY_MAX];
  struct sal_text out;
  sal_text_init(&out, text, sizeof text);
  sal_table_event_say(t, n, viewer, &s->speaker.words, &out);
  const char *rule = rule_of(t, n, viewer);
  sal_json_object(j, NULL);
  sal_json_string(j, "text", text);
  if (rule)
    sal_json_string(j, "rule", rule);
  sal_json_end(j, '}');
}

void speak_view(struct sal_json *j, const struct speech *s, const sal_table *t,
                int viewer) {
  const struct sal_game *g = sal_table_game(t);
  union sal_view_box v;
  char text[SAY_MAX];
  struct sal_text out;
  sal_table_view(t, viewer, (sal_view *)v.bytes);
  sal_text_init(&out, text, sizeof text);
  g->prompt((const sal_view *)v.bytes, &s->speaker.words, &out);
  sal_json_string(j, "prompt", text);
  sal_text_clear(&out);
  g->position((const sal_view *)v.bytes, &s->speaker.words, &out);
  sal_json_string(j, "position", text);
}

static void speak_legal(struct sal_json *j, const struct speech *s,
                        const struct room *r, int viewer,
                        const sal_action *legal, size_t count) {
  union sal_view_box v;
  sal_table_view(r->table, viewer, (sal_view *)v.bytes);
  sal_json_list(j, "legal_say");
  for (size_t i = 0; i < count && i < LEGAL_SAID; i++) {
    char text[SAY_MAX];
    struct sal_text out;
    sal_text_init(&out, text, sizeof text);
    r->head.game->action_say((const sal_view *)v.bytes, legal[i],
                             &s->speaker.words, &out);
    sal_json_string(j, NULL, text);
  }
  sal_json_end(j, ']');
}

void speak_play(struct sal_json *j, const struct speech *s,
                const struct room *r, int viewer, size_t since,
                const sal_action *legal, size_t count) {
  const size_t events = sal_table_event_count(r->table);
  sal_json_list(j, "words");
  for (size_t n = since; n < events; n++)
    speak_event(j, s, r->table, n, viewer);
  sal_json_end(j, ']');
  speak_view(j, s, r->table, viewer);
  if (viewer >= 0)
    speak_legal(j, s, r, viewer, legal, count);
}

/* ---- Refusals ------------------------------------------------------------- */

/* Whose turn it is follows from public facts, as in the engine. */
static void speak_turn(const struct sal_catalogue *catalogue,
                       const struct room *r, struct sal_text *out) {
  struct speech s;
  union sal_view_box v;
  speech_init(&s, catalogue, r);
  sal_table_view(r->table, SAL_SPECTATOR, (sal_view *)v.bytes);
  r->head.game->prompt((const sal_view *)v.bytes, &s.speaker.words, out);
}

void speak_refusal(const struct sal_catalogue *catalogue, const struct room *r,
                   const struct sal_refusal *why, struct sal_text *out) {
  const char *message = why->message;
  if (r && why->code == SAL_ILLEGAL && why->rule)
    message = sal_rule_find(r->head.game, why->rule)->text;
  else if (why->code == SAL_BAD_ACTION)
    message = sal_error_text(why->code);
  if (r && r->table && why->code == SAL_NOT_YOUR_TURN)
    speak_turn(catalogue, r, out);
  else
    sal_text_add(out, sal_catalogue_text(catalogue, message));
}
