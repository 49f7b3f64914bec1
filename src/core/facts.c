/* States, options and events as JSON, with the fields of docs/protocol.md that
 * every game has.
 *
 * Main invariant: what is written about hidden things comes from the view or
 * the cut event alone; the state is only asked for public facts. */
#include "salotto/game.h"

static void json_option(const struct sal_game *g, int i, int32_t value,
                        bool whole, struct sal_json *j) {
  const struct sal_option *o = &g->info.options[i];
  if (o->kind == SAL_OPTION_SEAT) {
    sal_json_int(j, o->name, value);
  } else if (o->kind == SAL_OPTION_WORD) {
    sal_json_string(j, o->name, o->words[value]);
  } else if (value == 0) {
    sal_json_null(j, o->name);
  } else if (!whole) {
    sal_json_string(j, o->name, "given");
  } else {
    char text[SAL_OPTION_TEXT_MAX];
    struct sal_text line;
    sal_text_init(&line, text, sizeof text);
    g->option_write(i, value, &line);
    sal_json_string(j, o->name, text);
  }
}

void sal_state_options(const struct sal_game *g, const sal_state *s, bool whole,
                       struct sal_json *j, const char *key) {
  int32_t values[SAL_OPTIONS_MAX];
  g->options(s, values);
  sal_json_object(j, key);
  for (int i = 0; g->info.options[i].name; i++)
    json_option(g, i, values[i], whole, j);
  sal_json_end(j, '}');
}

void sal_course_facts(const struct sal_game *g, const sal_state *s,
                      const struct sal_course *course, int viewer,
                      struct sal_json *j, const char *key) {
  union sal_view_box v;
  int32_t scores[SAL_SEATS_MAX];
  g->view(s, viewer, (sal_view *)v.bytes);
  g->scores(s, scores);
  sal_json_object(j, key);
  sal_json_string(j, "game", g->info.id);
  sal_json_int(j, "players", course->players);
  sal_state_options(g, s, false, j, "options");
  sal_json_bits(j, "to_act", course->asked & ~SAL_CHANCE_BIT);
  sal_json_bool(j, "over", course->asked == 0);
  sal_json_bits(j, "winners", course->winners);
  sal_json_list(j, "scores");
  for (int i = 0; i < course->players; i++)
    sal_json_int(j, NULL, scores[i]);
  sal_json_end(j, ']');
  sal_json_int(j, "log_length", (int64_t)course->actions);
  g->facts((const sal_view *)v.bytes, j);
  sal_json_end(j, '}');
}

void sal_state_facts(const struct sal_game *g, const sal_state *s, int players,
                     int viewer, size_t actions, struct sal_json *j,
                     const char *key) {
  const struct sal_course course = {players, actions, g->to_act(s),
                                    g->winners(s)};
  sal_course_facts(g, s, &course, viewer, j, key);
}

void sal_event_facts(const struct sal_game *g, const struct sal_event *cut,
                     size_t n, struct sal_json *j) {
  sal_json_object(j, NULL);
  sal_json_int(j, "n", (int64_t)n);
  if (cut->kind == SAL_EVENT_UNDONE) {
    sal_json_string(j, "event", "undone");
    sal_json_int(j, "seat", cut->seat);
    sal_json_int(j, "from", cut->value[0]);
  } else if (cut->kind == SAL_EVENT_RESIGNED) {
    sal_json_string(j, "event", "resigned");
    sal_json_int(j, "seat", cut->seat);
  } else {
    g->event_facts(cut, j);
  }
  sal_json_end(j, '}');
}
