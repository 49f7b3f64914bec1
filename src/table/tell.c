/* What a seat is told, as JSON: the same for a server and for an engine inside
 * a page.
 *
 * Main invariant: everything here comes from the seat's view, its legal
 * actions and its events, through the table's public functions. */
#include "salotto/table.h"

enum { SENTENCE_MAX = 2048, POSITION_MAX = 16384 };

static void say_event(const sal_table *t, size_t n, int viewer,
                      const struct sal_words *words, struct sal_json *j) {
  struct sal_event e;
  char text[SENTENCE_MAX];
  struct sal_text out;
  sal_text_init(&out, text, sizeof text);
  sal_table_event(t, n, viewer, &e);
  sal_table_event_say(t, n, viewer, words, &out);
  sal_json_object(j, NULL);
  sal_json_string(j, "text", text);
  if (e.kind != SAL_EVENT_UNDONE && e.kind != SAL_EVENT_RESIGNED)
    sal_json_string(j, "rule", sal_table_game(t)->event_rule(&e));
  sal_json_end(j, '}');
}

static void tell_events(const sal_table *t, int viewer, size_t since,
                        const struct sal_words *words, struct sal_json *j) {
  const size_t count = sal_table_event_count(t);
  sal_json_list(j, "events");
  for (size_t i = since; i < count; i++)
    sal_table_event_facts(t, i, viewer, j);
  sal_json_end(j, ']');
  sal_json_int(j, "next", (int64_t)count);
  if (!words)
    return;
  sal_json_list(j, "words");
  for (size_t i = since; i < count; i++)
    say_event(t, i, viewer, words, j);
  sal_json_end(j, ']');
}

static void tell_legal(const sal_table *t, int seat, const sal_view *view,
                       const struct sal_words *words, struct sal_json *j) {
  const struct sal_game *g = sal_table_game(t);
  size_t n;
  const sal_action *legal = sal_table_choices(t, seat, &n);
  char text[SENTENCE_MAX];
  struct sal_text out;
  sal_text_init(&out, text, sizeof text);
  sal_json_list(j, "legal");
  for (size_t i = 0; i < n && i < SAL_TOLD_MAX; i++) {
    sal_text_clear(&out);
    g->action_text(legal[i], &out);
    sal_json_string(j, NULL, text);
  }
  sal_json_end(j, ']');
  sal_json_int(j, "legal_count", (int64_t)n);
  sal_json_bool(j, "may_undo", sal_table_may_undo(t, seat, NULL) == 0);
  sal_json_bool(j, "may_rewind", sal_table_may_rewind(t, seat, NULL) == 0);
  if (words) {
    sal_json_list(j, "legal_say");
    for (size_t i = 0; i < n && i < SAL_TOLD_MAX; i++) {
      sal_text_clear(&out);
      g->action_say(view, legal[i], words, &out);
      sal_json_string(j, NULL, text);
    }
    sal_json_end(j, ']');
  }
}

static void tell_seat(const sal_table *t, int viewer, const sal_view *view,
                      size_t since, const struct sal_words *words,
                      struct sal_json *j) {
  const struct sal_game *g = sal_table_game(t);
  tell_events(t, viewer, since, words, j);
  sal_table_facts(t, viewer, j, "state");
  if (words && !sal_table_waiting(t)) {
    char text[POSITION_MAX];
    struct sal_text out;
    sal_text_init(&out, text, sizeof text);
    if (sal_table_resigned(t) >= 0) /* the last event says it */
      sal_table_event_say(t, sal_table_event_count(t) - 1, viewer, words, &out);
    else
      g->prompt(view, words, &out);
    sal_json_string(j, "prompt", text);
    sal_text_clear(&out);
    g->position(view, words, &out);
    sal_json_string(j, "position", text);
  }
}

void sal_table_show(const sal_table *t, int viewer, size_t since,
                    const struct sal_words *words, struct sal_json *j) {
  union sal_view_box box;
  sal_view *view = (sal_view *)&box;
  sal_table_view(t, viewer, view);
  tell_seat(t, viewer, view, since, words, j);
}

void sal_table_tell(const sal_table *t, int viewer, size_t since,
                    const struct sal_words *words, struct sal_json *j) {
  union sal_view_box box;
  sal_view *view = (sal_view *)&box;
  sal_table_view(t, viewer, view);
  tell_seat(t, viewer, view, since, words, j);
  if (viewer >= 0)
    tell_legal(t, viewer, view, words, j);
}
