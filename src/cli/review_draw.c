/* A review on the whole screen: title, chart, text of the step, board. On a
 * large screen all of it, on a small one the chart or the board. */
#include "review_draw.h"

#include "review_report.h"

#include <stdlib.h>
#include <string.h>

enum {
  BOARD_WIDTH = 82,
  TEXT_LEAST = 28,
  HIGH = 34, /* enough for board and chart */
  LABELS = 5,
  TEXT = 4000
};

/* ---- The chart ---------------------------------------------------------------- */

size_t review_step_at(const struct review_view *v, int column) {
  const int x = column - v->chart_column;
  if (x <= 0 || v->chart_width < 2)
    return 0;
  const size_t step = ((size_t)x * v->total + (size_t)v->chart_width / 2) /
                      (size_t)(v->chart_width - 1);
  return step < v->total ? step : v->total;
}

static int column_of(const struct review_view *v, size_t step) {
  return v->chart_column +
         (v->total ? (int)(step * (size_t)(v->chart_width - 1) / v->total) : 0);
}

/* The chance after so many steps. */
static int32_t chance_after(const struct review_view *v, size_t steps) {
  return (steps ? sal_review_at(v->review, steps - 1)->value
                : sal_review_start(v->review))[v->seat];
}

static void draw_bar(struct canvas *c, const struct review_view *v, int x,
                     int32_t chance, bool here) {
  static const char *const eighths[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const int parts = v->fine ? 8 : 2, rows = v->chart_rows;
  const int high =
      (int)(((int64_t)chance * rows * parts + SAL_SURE / 2) / SAL_SURE);
  for (int k = 0; k < rows; k++) {
    const int row = v->chart_row + rows - 1 - k, part = high - k * parts;
    const enum style style = here ? STYLE_YOURS : STYLE_GOLD;
    if (part > 0)
      canvas_put(c, row, x, 1, style,
                 eighths[(part < parts ? part : parts) * 8 / parts - 1]);
    else if (here)
      canvas_put(c, row, x, 1, STYLE_YOURS, "│");
    else if (k == rows / 2)
      canvas_put(c, row, x, 1, STYLE_DIM, "·");
  }
}

/* Under the chart: moments, mistakes of the seat, and where one is. */
static void draw_signs(struct canvas *c, const struct review_view *v) {
  const int row = v->chart_row + v->chart_rows;
  struct sal_review_seat seat = {0};
  if (v->review && v->done == v->total)
    sal_review_seat(v->review, v->seat, &seat);
  for (size_t i = 0; i < seat.moments; i++)
    canvas_put(c, row, column_of(v, seat.moment[i] + 1), 1, STYLE_GOLD, "◆");
  for (size_t i = 0; i < v->done; i++) {
    const struct sal_review_step *s = sal_review_at(v->review, i);
    if (s->seat == v->seat && s->mark >= SAL_MARK_MISTAKE)
      canvas_put(c, row, column_of(v, i + 1), 1, STYLE_RED, "✕");
  }
  canvas_put(c, row, column_of(v, v->at < v->total ? v->at + 1 : v->total), 1,
             STYLE_YOURS, "▲");
}

/* "Chance to win: Anna 45.2 %" */
static void chart_title(const struct review_view *v, char out[TEXT]) {
  char number[PERCENT_TEXT] = "";
  const size_t after = v->at < v->total ? v->at + 1 : v->total;
  if (v->review && after <= v->done)
    percent_text(chance_after(v, after), false, number);
  snprintf(out, TEXT, "%s: %s%s%s", scene_say(v->scene, N_("Chance to win")),
           v->scene->names[v->seat], *number ? " " : "", number);
}

/* So many rows, of which the first is the title and the last has the signs. */
static void draw_chart(struct canvas *c, struct review_view *v, int row,
                       int rows) {
  char title[TEXT];
  chart_title(v, title);
  canvas_rule(c, row, 0, c->width, title);
  v->chart_row = row + 1;
  v->chart_rows = rows - 2;
  v->chart_column = LABELS;
  v->chart_width = c->width - LABELS - 1;
  canvas_put(c, v->chart_row, 0, 4, STYLE_DIM, " 100");
  canvas_put(c, v->chart_row + v->chart_rows - 1 - v->chart_rows / 2, 0, 4,
             STYLE_DIM, "  50");
  canvas_put(c, v->chart_row + v->chart_rows - 1, 0, 4, STYLE_DIM, "   0");
  const int here = column_of(v, v->at < v->total ? v->at + 1 : v->total);
  for (int x = v->chart_column; x < v->chart_column + v->chart_width; x++) {
    const size_t step = review_step_at(v, x);
    if (v->review && step <= v->done)
      draw_bar(c, v, x, chance_after(v, step), x == here);
  }
  draw_signs(c, v);
}

/* ---- The text -------------------------------------------------------------------- */

/* Lines one below the other, as far as there is room. */
struct column {
  struct canvas *c;
  int row, end, skip, lines;
};

static void put_line(struct column *p, enum style style, int indent,
                     const char *text) {
  const int room = canvas_room(p->c) - 2 - indent;
  const int all = canvas_wrap(p->c, -1, 0, room, 0, 0, style, text);
  const int above = p->skip < all ? p->skip : all;
  const int left = p->end - p->row, below = all - above;
  if (left > 0)
    canvas_wrap(p->c, p->row, 1 + indent, room, below < left ? below : left,
                above, style, text);
  p->skip -= above;
  p->row += below;
  p->lines += all;
}

static enum style style_of(enum sal_mark m) {
  return m >= SAL_MARK_MISTAKE      ? STYLE_RED
         : m == SAL_MARK_INACCURACY ? STYLE_GOLD
                                    : STYLE_YOURS;
}

/* "▸ 45.2 % ± 0.8 %": the sign, the chance and, where there is room, its
 * error; the columns that are taken. */
static int put_chance(struct column *p, const struct sal_weighed *w,
                      enum style style, bool played) {
  const bool wide = canvas_room(p->c) >= 60;
  char value[PERCENT_TEXT], error[PERCENT_TEXT];
  percent_text(w->value, false, value);
  percent_text(w->error, false, error);
  if (p->skip == 0 && p->row < p->end) {
    canvas_put(p->c, p->row, 1, 1, STYLE_YOURS, played ? "▸" : " ");
    canvas_put(p->c, p->row, 10 - text_columns(value), 8, style, value);
    if (wide)
      canvas_print(p->c, p->row, 11, 9, STYLE_DIM, "± %s", error);
  }
  return wide ? 20 : 10;
}

static void put_candidate(struct column *p, const struct review_view *v,
                          const struct sal_review_step *s, size_t i) {
  const struct sal_weighed *w = &s->weighed[i];
  const bool played = w->action == s->action;
  const enum style style = played ? STYLE_BOLD : STYLE_PLAIN;
  char line[TEXT], often[PERCENT_TEXT];
  struct sal_text t;
  percent_text(w->often, false, often);
  sal_text_init(&t, line, sizeof line);
  sal_review_say_action(v->review, v->at, w->action, v->scene->words, &t);
  if (w->often >= 0) {
    sal_text_add(&t, " · ");
    sal_text_add(&t, scene_say(v->scene, review_best_player(v->review)));
    sal_text_char(&t, ' ');
    sal_text_add(&t, often);
  }
  put_line(p, style, put_chance(p, w, style, played), line);
}

static void put_decision(struct column *p, const struct review_view *v,
                         const struct sal_review_step *s) {
  char line[TEXT];
  struct sal_text t;
  sal_text_init(&t, line, sizeof line);
  if (s->mark == SAL_MARK_FORCED) {
    put_line(p, STYLE_DIM, 0, scene_say(v->scene, N_("There was no choice.")));
    return;
  }
  review_say_mark(v->review, v->at, v->scene->words, &t);
  put_line(p, style_of(s->mark), 0, line);
  for (size_t i = 0; i < s->count; i++)
    put_candidate(p, v, s, i);
  for (size_t n = 0; n < s->inferences; n++)
    if (review_notable(&s->inference[n])) {
      sal_text_clear(&t);
      review_say_inference(v->review, &s->inference[n], v->scene->words, &t);
      put_line(p, STYLE_PLAIN, 0, line);
    }
}

static void put_events(struct column *p, const struct review_view *v,
                       const struct sal_review_step *s) {
  char line[TEXT];
  for (size_t n = s->event; n < s->event + s->events; n++) {
    struct sal_text t;
    sal_text_init(&t, line, sizeof line);
    sal_table_event_say(sal_review_table(v->review), n, SAL_EVERYTHING,
                        v->scene->words, &t);
    if (t.len)
      put_line(p, STYLE_DIM, 2, line);
  }
}

static void put_step(struct column *p, const struct review_view *v) {
  const struct sal_review_step *s = sal_review_at(v->review, v->at);
  char line[TEXT];
  struct sal_text t;
  sal_text_init(&t, line, sizeof line);
  sal_text_int(&t, (int)v->at + 1);
  sal_text_add(&t, ". ");
  review_say_step(v->review, v->at, v->scene->words, &t);
  put_line(p, STYLE_BOLD, 0, line);
  if (s->kind != SAL_REVIEW_DRAW)
    put_decision(p, v, s);
  sal_text_clear(&t);
  review_say_luck(v->review, s, v->scene->words, &t);
  put_line(p, STYLE_PLAIN, 0, line);
  put_events(p, v, s);
}

static void draw_seat_row(struct column *p, const struct review_view *v,
                          int seat) {
  struct sal_review_seat s;
  char line[TEXT];
  struct sal_text t;
  sal_review_seat(v->review, seat, &s);
  sal_text_init(&t, line, sizeof line);
  review_say_seat(v->review, &s, seat, v->scene->words, &t);
  put_line(p, seat == v->seat ? STYLE_BOLD : STYLE_PLAIN, 0, line);
  sal_text_clear(&t);
  review_say_marks(&s, &t);
  put_line(p, STYLE_DIM, 2, line);
  sal_text_clear(&t);
  review_say_earned(v->review, &s, &t);
  if (t.len)
    put_line(p, STYLE_PLAIN, 2, line);
  sal_text_clear(&t);
  review_say_bluffs(v->review, &s, seat, &t);
  if (t.len)
    put_line(p, STYLE_PLAIN, 2, line);
  for (size_t i = 0; i < s.moments; i++) {
    sal_text_clear(&t);
    sal_text_add(&t, "◆ ");
    review_say_moment(v->review, s.moment[i], seat, v->scene->words, &t);
    put_line(p, STYLE_PLAIN, 2, line);
  }
}

static void put_summary(struct column *p, const struct review_view *v) {
  char line[TEXT];
  struct sal_text t;
  sal_text_init(&t, line, sizeof line);
  review_say_verdict(v->review, v->scene->words, &t);
  put_line(p, STYLE_YOURS, 0, line);
  draw_seat_row(p, v, v->seat);
  for (int i = 0; i < v->scene->players; i++)
    if (i != v->seat)
      draw_seat_row(p, v, i);
}

static void put_progress(struct column *p, const struct review_view *v) {
  char line[TEXT];
  snprintf(line, sizeof line,
           scene_say(v->scene, N_("Computing: %zu of %zu steps are done.")),
           v->done, v->total);
  put_line(p, STYLE_YOURS, 0, line);
}

static void draw_text(struct canvas *c, struct review_view *v, int row,
                      int end) {
  struct column p = {.c = c, .row = row, .end = end, .skip = v->skip};
  if (v->review && v->at < v->done)
    put_step(&p, v);
  else if (v->done < v->total)
    put_progress(&p, v);
  else
    put_summary(&p, v);
  v->more = p.row > end ? p.row - end : 0;
  if (v->more)
    canvas_put(c, end - 1, canvas_room(c) - 1, 1, STYLE_YOURS, "↓");
  if (v->skip)
    canvas_put(c, row, canvas_room(c) - 1, 1, STYLE_YOURS, "↑");
}

/* ---- All of it -------------------------------------------------------------------- */

static void draw_title(struct canvas *c, const struct review_view *v) {
  char status[200];
  const int percent = v->total ? (int)(100 * v->done / v->total) : 100;
  const char *eyes = v->open ? scene_say(v->scene, N_("everything open"))
                             : v->scene->names[v->seat];
  snprintf(status, sizeof status, "%zu/%zu · %s",
           v->at < v->total ? v->at + 1 : v->total, v->total, eyes);
  if (percent < 100)
    snprintf(status + strlen(status), sizeof status - strlen(status),
             " · %d %%", percent);
  const int at = canvas_put(c, 0, 1, c->width - 2, STYLE_BAR, v->scene->title);
  canvas_print(c, 0, at, c->width - at, STYLE_BAR, " · %s",
               scene_say(v->scene, N_("Review")));
  canvas_bar(c, 0, STYLE_BAR);
  canvas_put(c, 0, c->width - 2 - text_columns(status), c->width, STYLE_BAR,
             status);
}

static void draw_keys(struct canvas *c, const struct review_view *v) {
  const char *keys = scene_say(
      v->scene, N_("← → step · m moment · n mistake · Tab board · 1-6 o view "
                   "· ? help · q close"));
  if (text_columns(keys) > c->width - 2)
    keys = scene_say(v->scene, N_("← → step · ? help · q close"));
  canvas_put(c, c->height - 2, 1, c->width - 2, STYLE_YOURS, v->notice);
  canvas_put(c, c->height - 1, 1, c->width - 2, STYLE_BAR, keys);
  canvas_bar(c, c->height - 1, STYLE_BAR);
}

/* A board may want more rows than there are: what comes below is wiped. */
static void wipe(struct canvas *c, int row) {
  for (; row < c->height; row++)
    canvas_print(c, row, 0, c->width, STYLE_PLAIN, "%*s", c->width, "");
}

static void draw_large(struct canvas *c, struct review_view *v, int last) {
  const int chart = c->height >= HIGH + 6 ? 12 : 9;
  c->within = BOARD_WIDTH;
  draw_board(c, v->scene, 1, last - chart - 1);
  c->within = 0;
  wipe(c, last - chart);
  c->shift = BOARD_WIDTH;
  for (int r = 1; r < last - chart; r++)
    canvas_put(c, r, 0, 1, STYLE_DIM, "│");
  c->shift++;
  draw_text(c, v, 1, last - chart);
  c->shift = 0;
  draw_chart(c, v, last - chart, chart);
}

void draw_review(struct canvas *c, struct review_view *v) {
  const int last = c->height - 2;
  canvas_clear(c);
  draw_title(c, v);
  v->chart_rows = 0;
  if (c->width >= BOARD_WIDTH + TEXT_LEAST && c->height >= HIGH) {
    draw_large(c, v, last);
  } else if (v->board) {
    const int text = last > 16 ? 5 : 2;
    const int used = draw_board(c, v->scene, 1, last - text - 1);
    int row = 1 + used;
    if (row > last - text)
      row = last - text;
    wipe(c, row);
    canvas_rule(c, row, 0, c->width, NULL);
    draw_text(c, v, row + 1, last);
  } else {
    const int chart = c->height >= 30 ? 11 : c->height >= 20 ? 8 : 5;
    draw_chart(c, v, 1, chart);
    draw_text(c, v, 1 + chart, last);
  }
  draw_keys(c, v);
}
