/* Problems as lines of JSON. docs/problems.md has the format. */
#include "problems.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 1 };

/* ---- Writing ------------------------------------------------------------------- */

/* Chances with four digits: more than the searches know. */
static json_t *chance(double part) {
  return json_real(round(1e4 * part) / 1e4);
}
static json_t *parts(int32_t millionths) {
  return chance((double)millionths / SAL_SURE);
}

json_t *problems_head(const struct making *m) {
  return json_pack("{s:i,s:s,s:s,s:I,s:o,s:I,s:i}", "problems", (int)VERSION,
                   "game", m->game->info.id, "version", SAL_VERSION, "seed",
                   (json_int_t)m->seed, "margin", parts(SAL_PROBLEM_MARGIN),
                   "worlds", (json_int_t)making_worlds(m), "searches",
                   (int)SEARCHES);
}

static bool is_draw(const char *line) {
  static const char *const left_out[] = {"= ", "pile ", "commit ", "key "};
  for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
    if (strncmp(line, left_out[i], strlen(left_out[i])) == 0)
      return true;
  return false;
}

/* The record with its seed and without the draws, which the seed tells. */
static json_t *short_record(const sal_table *t) {
  char *text = sal_table_record(t, true);
  char *to = text;
  for (const char *line = text; line && *line;) {
    const size_t length = strcspn(line, "\n") + 1;
    if (!is_draw(line)) {
      memmove(to, line, length);
      to += length;
    }
    line += length;
  }
  json_t *out = text ? json_stringn(text, (size_t)(to - text)) : NULL;
  free(text);
  return out;
}

static json_t *candidates(const struct problem *p, const struct sal_game *g) {
  json_t *list = json_array();
  for (size_t i = 0; i < p->w.count; i++) {
    const struct sal_weighed *c = &p->w.weighed[i];
    char action[SAL_ACTION_TEXT_MAX];
    struct sal_text text;
    sal_text_init(&text, action, sizeof action);
    g->action_text(c->action, &text);
    json_t *one =
        json_pack("[s,o,o]", action, parts(c->value), parts(c->error));
    if (p->w.mixed)
      json_array_append_new(one, parts(c->often));
    json_array_append_new(list, one);
  }
  return list;
}

static const char *const reason_names[] = {[SAL_REASON_NONE] = NULL,
                                           [SAL_REASON_WORLDS] = "worlds",
                                           [SAL_REASON_GAINS] = "gains",
                                           [SAL_REASON_TELLS] = "tells"};

json_t *problem_line(const struct problem *p, const sal_table *t) {
  const char *reason = reason_names[p->w.reason];
  json_t *line = json_pack(
      "{s:I,s:i,s:s,s:i,s:[o,o,o],s:I,s:o,s:I}", "n", (json_int_t)p->number,
      "seat", p->seat, "theme", p->theme->id, "rating", p->rating, "solved",
      chance(p->solved[0]), chance(p->solved[1]), chance(p->solved[2]),
      "choices", (json_int_t)p->w.choices, "weighed",
      candidates(p, sal_table_game(t)), "other", (json_int_t)p->w.other);
  if (line && reason)
    json_object_set_new(
        line, reason,
        json_pack("[o,o]", chance(p->w.here), chance(p->w.there)));
  if (line && p->w.reason == SAL_REASON_TELLS)
    json_object_set_new(line, "viewer", json_integer(p->w.viewer));
  json_object_set_new(line, "record", short_record(t));
  return line;
}

bool write_json(json_t *object, FILE *out) {
  char *text =
      object ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(6)) : NULL;
  json_decref(object);
  if (text)
    fprintf(out, "%s\n", text);
  fflush(out);
  free(text);
  return text != NULL;
}

/* ---- Reading ------------------------------------------------------------------- */

static int32_t read_parts(const json_t *list, size_t i) {
  const json_t *number = json_array_get(list, i);
  return json_is_number(number)
             ? (int32_t)lround(SAL_SURE * json_number_value(number))
             : -1;
}

static bool read_candidate(const json_t *told, const sal_table *t,
                           struct problem *p) {
  const char *action = json_string_value(json_array_get(told, 0));
  struct sal_weighed *c = &p->w.weighed[p->w.count];
  const size_t size = json_array_size(told);
  if (!action || size < 3)
    return false;
  *c = (struct sal_weighed){.action = sal_table_read(t, p->seat, action, NULL),
                            .value = read_parts(told, 1),
                            .error = read_parts(told, 2),
                            .often = size > 3 ? read_parts(told, 3) : -1};
  p->w.mixed |= size > 3;
  for (size_t i = 0; i < p->w.count; i++)
    if (p->w.weighed[i].action == c->action || p->w.weighed[i].value < c->value)
      return false;
  p->w.count++;
  return c->action && c->value >= 0 && c->error >= 0 &&
         sal_table_try(t, p->seat, action, NULL) == 0;
}

static bool is_chance(double part) { return part >= 0 && part <= 1; }

/* The reason must speak for what is right; only where optimal play is known it
 * may be that alone. */
static bool read_reason(const json_t *line, int players, struct problem *p) {
  const json_t *pair = NULL, *viewer = json_object_get(line, "viewer");
  for (int k = SAL_REASON_WORLDS; k <= SAL_REASON_TELLS && !pair; k++) {
    pair = json_object_get(line, reason_names[k]);
    p->w.reason = pair ? (enum sal_reason)k : SAL_REASON_NONE;
  }
  p->w.here = json_number_value(json_array_get(pair, 0));
  p->w.there = json_number_value(json_array_get(pair, 1));
  p->w.viewer = (int)json_integer_value(viewer);
  p->w.other = (size_t)json_integer_value(json_object_get(line, "other"));
  if (p->w.other < sal_weighing_right(&p->w) || p->w.other >= p->w.count)
    return false;
  if (p->w.reason == SAL_REASON_NONE)
    return p->w.mixed;
  const bool fits = json_array_size(pair) == 2 && is_chance(p->w.here) &&
                    is_chance(p->w.there);
  if (p->w.reason != SAL_REASON_TELLS)
    return fits && p->w.here > p->w.there;
  return fits && p->w.here < p->w.there && json_is_integer(viewer) &&
         p->w.viewer >= 0 && p->w.viewer < players && p->w.viewer != p->seat;
}

static bool read_solved(const json_t *line, struct problem *p) {
  const json_t *list = json_object_get(line, "solved");
  for (size_t i = 0; i < SOLVERS; i++) {
    p->solved[i] = json_number_value(json_array_get(list, i));
    if (p->solved[i] < 0 || p->solved[i] > 1)
      return false;
  }
  p->rating = (int)json_integer_value(json_object_get(line, "rating"));
  /* Four digits of each are kept. */
  return json_array_size(list) == SOLVERS &&
         abs(p->rating - problem_rating(p->solved)) <= 2;
}

/* What else a line says, held against its table; what is wrong, or NULL. */
static const char *read_rest(const json_t *line, const sal_table *t,
                             struct problem *p) {
  const json_t *weighed = json_object_get(line, "weighed");
  const json_t *seat = json_object_get(line, "seat");
  const char *theme = json_string_value(json_object_get(line, "theme"));
  p->number = (long)json_integer_value(json_object_get(line, "n"));
  p->seat = (int)json_integer_value(seat);
  if (!json_is_integer(seat) || sal_table_asks(t, p->seat, NULL) != 0)
    return N_("the seat is not asked");
  sal_table_choices(t, p->seat, &p->w.choices);
  if (json_array_size(weighed) > SAL_WEIGHED ||
      json_integer_value(json_object_get(line, "choices")) !=
          (json_int_t)p->w.choices)
    return N_("the list of choices does not fit the position");
  for (size_t i = 0; i < json_array_size(weighed); i++)
    if (!read_candidate(json_array_get(weighed, i), t, p))
      return N_("a candidate is not legal, or not in its place");
  if (!sal_weighing_clear(&p->w))
    return N_("right and wrong choices are too close");
  if (!read_reason(line, sal_table_players(t), p))
    return N_("the reason cannot be read");
  if (!read_solved(line, p))
    return N_("the rating does not fit the shares of the bots");
  p->theme = sal_problem_theme(t, p->seat, &p->w);
  return p->theme && theme && strcmp(theme, p->theme->id) == 0
             ? NULL
             : N_("the theme does not fit");
}

/* Reads a line, everything in it held against the rules: the table, to be freed;
 * or NULL, and `why` says what is wrong. */
static sal_table *problem_read(const json_t *line, const struct sal_game *g,
                               struct problem *out, struct sal_text *why) {
  struct sal_refusal refused;
  const json_t *record = json_object_get(line, "record");
  *out = (struct problem){0};
  if (!json_is_string(record)) {
    sal_text_add(why, _("it has no record"));
    return NULL;
  }
  sal_table *t = load_record(json_string_value(record),
                             json_string_length(record), NULL, &refused);
  if (!t) {
    sal_text_add(why, refused.message);
    return NULL;
  }
  const char *wrong = sal_table_game(t) == g ? read_rest(line, t, out)
                                             : N_("it is of another game");
  if (!wrong)
    return t;
  sal_text_add(why, _(wrong));
  sal_table_free(t);
  return NULL;
}

int problems_each(const char *path, const char *text, const struct sal_game *g,
                  problem_fn *tell, void *context) {
  long last = -1;
  size_t number = 1;
  for (const char *at = text + strcspn(text, "\n"); at[0] && at[1]; number++) {
    const size_t length = strcspn(++at, "\n");
    char buffer[300];
    struct sal_text why;
    struct problem p;
    json_t *line = json_loadb(at, length, 0, NULL);
    sal_text_init(&why, buffer, sizeof buffer);
    sal_table *t = problem_read(line, g, &p, &why);
    json_decref(line);
    if (t && p.number <= last) {
      sal_text_add(&why, _("it is out of order"));
      sal_table_free(t);
      t = NULL;
    }
    if (!t)
      return complain(FAILED, _("%s: line %zu is not a valid problem: %s."),
                      path, number + 1, buffer);
    last = p.number;
    const bool on = tell(&p, t, context);
    sal_table_free(t);
    if (!on)
      return DONE;
    at += length;
  }
  return DONE;
}
