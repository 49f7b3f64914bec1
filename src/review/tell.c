/* Reviews as JSON: docs/review.md. */
#include "inside.h"

enum { SENTENCE = 1024 };

/* A number with so many decimals, exactly. */
static void write_decimal(struct sal_json *j, const char *key, int64_t value,
                          int decimals) {
  int64_t unit = 1;
  for (int i = 0; i < decimals; i++)
    unit *= 10;
  sal_json_key(j, key);
  if (value < 0)
    sal_text_char(j->out, '-');
  const int64_t size = value < 0 ? -value : value;
  sal_text_int(j->out, size / unit);
  sal_text_char(j->out, '.');
  for (int64_t rest = size % unit, u = unit / 10; u > 0; u /= 10) {
    sal_text_char(j->out, (char)('0' + rest / u));
    rest %= u;
  }
}

void review_write_part(struct sal_json *j, const char *key, int64_t parts) {
  write_decimal(j, key, parts, 6);
}

static void write_parts(struct sal_json *j, const char *key,
                        const int32_t *parts, int count) {
  sal_json_list(j, key);
  for (int i = 0; i < count; i++)
    review_write_part(j, NULL, parts[i]);
  sal_json_end(j, ']');
}

void sal_review_say_action(const sal_review *r, size_t i, sal_action a,
                           const struct sal_words *w, struct sal_text *out) {
  r->game->action_say((const sal_view *)r->views[i].bytes, a, w, out);
}

void sal_review_say_known(const sal_review *r, size_t i,
                          const struct sal_words *w, struct sal_text *out) {
  r->game->position((const sal_view *)r->views[i].bytes, w, out);
}

static void write_action(const sal_review *r, size_t step, sal_action a,
                         const struct sal_words *w, struct sal_json *j) {
  char text[SENTENCE];
  struct sal_text out;
  sal_text_init(&out, text, sizeof text);
  r->game->action_text(a, &out);
  sal_json_string(j, "action", text);
  if (!w)
    return;
  sal_text_clear(&out);
  sal_review_say_action(r, step, a, w, &out);
  sal_json_string(j, "say", text);
}

/* ---- The beginning ---------------------------------------------------------- */

static void write_secret(const sal_review *r, struct sal_json *j) {
  if (!sal_secret_name(r->game)) {
    sal_json_null(j, "secret");
    return;
  }
  sal_json_object(j, "secret");
  sal_json_string(j, "name", sal_secret_name(r->game));
  sal_json_list(j, "labels");
  for (int i = 0; sal_secret_label(r->game, i); i++)
    sal_json_string(j, NULL, sal_secret_label(r->game, i));
  sal_json_end(j, ']');
  sal_json_end(j, '}');
}

void sal_review_tell_head(const sal_review *r, struct sal_json *j) {
  char seed[24];
  struct sal_text out;
  sal_text_init(&out, seed, sizeof seed);
  sal_text_int(&out, (int64_t)r->wish.seed);
  sal_json_int(j, "review", 2);
  sal_json_string(j, "game", r->game->info.id);
  sal_json_int(j, "players", r->players);
  sal_json_string(j, "seed", seed); /* JavaScript's numbers are shorter */
  sal_json_int(j, "playouts", r->wish.playouts);
  sal_json_int(j, "worlds", r->wish.worlds);
  sal_json_int(j, "total", (int64_t)r->count);
  sal_json_object(j, "thresholds");
  for (int m = SAL_MARK_BEST; m < SAL_MARKS; m++)
    review_write_part(j, sal_mark_name((enum sal_mark)m),
                      sal_mark_threshold((enum sal_mark)m));
  sal_json_end(j, '}');
  write_secret(r, j);
  write_parts(j, "start", r->start, r->players);
  write_parts(j, "result", r->result, r->players);
}

/* ---- Steps ------------------------------------------------------------------ */

static void write_words(const sal_review *r, const struct sal_review_step *s,
                        const struct sal_words *w, struct sal_json *j) {
  char text[SENTENCE];
  struct sal_text out;
  sal_json_list(j, "words");
  for (size_t n = s->event; n < s->event + s->events; n++) {
    sal_text_init(&out, text, sizeof text);
    sal_table_event_say(r->table, n, SAL_EVERYTHING, w, &out);
    sal_json_string(j, NULL, text);
  }
  sal_json_end(j, ']');
}

static void write_weighed(const sal_review *r, size_t step,
                          const struct sal_words *w, struct sal_json *j) {
  const struct sal_review_step *s = &r->steps[step];
  sal_json_list(j, "weighed");
  for (size_t i = 0; i < s->count; i++) {
    sal_json_object(j, NULL);
    write_action(r, step, s->weighed[i].action, w, j);
    review_write_part(j, "value", s->weighed[i].value);
    review_write_part(j, "error", s->weighed[i].error);
    review_write_part(j, "habit", s->weighed[i].habit);
    if (s->weighed[i].often >= 0)
      review_write_part(j, "often", s->weighed[i].often);
    sal_json_end(j, '}');
  }
  sal_json_end(j, ']');
}

static void write_beliefs(const sal_review *r, const struct sal_review_step *s,
                          struct sal_json *j) {
  const struct secret_kind *k = secret_of(r->game);
  sal_json_list(j, "beliefs");
  for (size_t i = 0; i < s->inferences; i++) {
    const struct sal_inference *n = &s->inference[i];
    sal_json_object(j, NULL);
    sal_json_int(j, "by", n->by);
    sal_json_string(j, "model",
                    n->model == SAL_BY_HABIT ? "habit" : "best-play");
    sal_json_int(j, "truth", n->truth);
    write_parts(j, "before", n->before, k->count);
    write_parts(j, "after", n->after, k->count);
    write_decimal(j, "bits", n->bits, 3);
    sal_json_end(j, '}');
  }
  sal_json_end(j, ']');
}

static void write_decision(const sal_review *r, size_t step,
                           const struct sal_words *w, struct sal_json *j) {
  const struct sal_review_step *s = &r->steps[step];
  sal_json_string(j, "mark", sal_mark_name(s->mark));
  review_write_part(j, "lost", s->lost);
  if (s->kind == SAL_REVIEW_RESIGNED || s->mark == SAL_MARK_FORCED)
    return;
  sal_json_int(j, "choices", (int64_t)s->choices);
  review_write_part(j, "known", s->known);
  review_write_part(j, "best", s->best);
  review_write_part(j, "error", s->error);
  sal_json_bool(j, "mixed", s->mixed);
  write_weighed(r, step, w, j);
  write_beliefs(r, s, j);
}

void sal_review_tell_step(const sal_review *r, size_t i,
                          const struct sal_words *w, struct sal_json *j) {
  static const char *const kinds[] = {"draw", "move", "resigned"};
  const struct sal_review_step *s = &r->steps[i];
  sal_json_object(j, NULL);
  sal_json_int(j, "step", (int64_t)i);
  sal_json_string(j, "kind", kinds[s->kind]);
  if (s->kind != SAL_REVIEW_DRAW)
    sal_json_int(j, "seat", s->seat);
  if (s->kind == SAL_REVIEW_MOVE)
    write_action(r, i, s->action, w, j);
  sal_json_int(j, "actions", (int64_t)s->actions);
  sal_json_int(j, "event", (int64_t)s->event);
  sal_json_int(j, "events", (int64_t)s->events);
  if (w)
    write_words(r, s, w, j);
  write_parts(j, "value", s->value, r->players);
  write_parts(j, "luck", s->luck, r->players);
  write_parts(j, "hidden", s->hidden, r->players);
  write_parts(j, "play", s->play, r->players);
  if (s->kind != SAL_REVIEW_DRAW)
    write_decision(r, i, w, j);
  sal_json_end(j, '}');
}

/* ---- The end ---------------------------------------------------------------- */

/* Where the tokens or points came from. */
static void write_earned(const sal_review *r, const struct sal_review_seat *s,
                         const struct sal_words *w, struct sal_json *j) {
  const struct sal_cause *cause = sal_causes(r->game);
  char text[SENTENCE];
  struct sal_text out;
  sal_json_list(j, "earned");
  for (int i = 0; cause[i].rule; i++) {
    sal_json_object(j, NULL);
    sal_json_string(j, "rule", cause[i].rule);
    sal_json_int(j, "points", s->earned[i]);
    if (w) {
      sal_text_init(&out, text, sizeof text);
      sal_say(&out, w, false, cause[i].title, NULL, 0);
      sal_json_string(j, "say", text);
    }
    sal_json_end(j, '}');
  }
  sal_json_end(j, ']');
}

static void write_bluffs(const sal_review *r, int seat, struct sal_json *j) {
  sal_json_list(j, "bluffs");
  for (size_t i = 0; i < r->done; i++)
    if (r->steps[i].seat == seat && sal_review_bluffed(&r->steps[i]))
      sal_json_int(j, NULL, (int64_t)i);
  sal_json_end(j, ']');
}

static void write_seat(const sal_review *r, int seat, const struct sal_words *w,
                       struct sal_json *j) {
  struct sal_review_seat s;
  char name[SENTENCE];
  struct sal_text out;
  sal_review_seat(r, seat, &s);
  sal_json_object(j, NULL);
  sal_json_int(j, "seat", seat);
  if (w) {
    sal_text_init(&out, name, sizeof name);
    w->seat(w, seat, &out);
    sal_json_string(j, "name", name);
  }
  sal_json_int(j, "decisions", (int64_t)s.decisions);
  sal_json_object(j, "marks");
  for (int m = SAL_MARK_BEST; m < SAL_MARKS; m++)
    sal_json_int(j, sal_mark_name((enum sal_mark)m), (int64_t)s.marks[m]);
  sal_json_end(j, '}');
  review_write_part(j, "accuracy", s.accuracy);
  review_write_part(j, "lost", s.lost);
  review_write_part(j, "luck", s.luck);
  review_write_part(j, "hidden", s.hidden);
  review_write_part(j, "play", s.play);
  review_write_part(j, "others", s.others);
  review_write_part(j, "deserved", s.deserved);
  write_decimal(j, "gave", s.gave, 3);
  write_decimal(j, "read", s.read, 3);
  sal_json_list(j, "moments");
  for (size_t i = 0; i < s.moments; i++)
    sal_json_int(j, NULL, (int64_t)s.moment[i]);
  sal_json_end(j, ']');
  write_earned(r, &s, w, j);
  write_bluffs(r, seat, j);
  review_write_kinds(r, seat, j);
  sal_json_end(j, '}');
}

void sal_review_tell_seats(const sal_review *r, const struct sal_words *w,
                           struct sal_json *j) {
  sal_json_list(j, "seats");
  for (int seat = 0; seat < r->players; seat++)
    write_seat(r, seat, w, j);
  sal_json_end(j, ']');
  sal_json_int(j, "deserved", sal_review_deserved(r));
}

void sal_review_tell(const sal_review *r, size_t since,
                     const struct sal_words *w, struct sal_json *j) {
  sal_review_tell_head(r, j);
  sal_json_int(j, "done", (int64_t)r->done);
  sal_json_list(j, "steps");
  for (size_t i = since; i < r->done; i++)
    sal_review_tell_step(r, i, w, j);
  sal_json_end(j, ']');
  if (r->done == r->count)
    sal_review_tell_seats(r, w, j);
}
