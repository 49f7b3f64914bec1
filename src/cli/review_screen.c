/* The review of a finished game on the whole screen.
 *
 * Main invariant: it is computed beside (review_work.h), so that every key is
 * answered at once, and closing it ends the work. */
#include "local.h"
#include "positions.h"
#include "review_draw.h"
#include "review_work.h"

#include <stdlib.h>
#include <string.h>

struct reviewing {
  struct positions positions;
  sal_table *table; /* of the whole game */
  int *actions;     /* by step: after how many actions it is looked at */
  struct record_names names;
  struct scene scene;
  struct review_work *work;
  struct review_view view;
  int shown, shown_to; /* the position in the scene; whose eyes */
};

/* ---- Opening ------------------------------------------------------------------ */

/* A decision is looked at in the position where it was made, draws after
 * them. The steps are those of the review: draws in a row are one. */
static bool map_steps(struct reviewing *r) {
  const size_t all = sal_table_steps(r->table);
  int actions = 0;
  bool drawing = false;
  r->actions = calloc(all + 2, sizeof *r->actions);
  if (!r->actions)
    return false;
  for (size_t i = 0; i < all; i++) {
    const bool draw = sal_table_step(r->table, i).seat == SAL_CHANCE;
    if (!draw || !drawing)
      r->actions[r->view.total++] = actions;
    drawing = draw;
    actions += !draw;
  }
  if (sal_table_resigned(r->table) >= 0)
    r->actions[r->view.total++] = actions;
  r->actions[r->view.total] = r->positions.steps;
  return true;
}

static bool reviewing_open(struct reviewing *r, const struct replay_wish *w,
                           struct sal_text *problem) {
  struct sal_refusal why = {0};
  *r = (struct reviewing){.shown = -1};
  if (!positions_open(&r->positions, w->text, w->length) ||
      !(r->table = positions_at(&r->positions, r->positions.steps, &why))) {
    sal_text_add(problem, why.message[0] ? why.message
                                         : _(sal_error_text(SAL_NO_MEMORY)));
    return false;
  }
  if (sal_table_to_act(r->table) != 0) {
    sal_text_add(problem, _("The game is not over: only finished games are "
                            "reviewed."));
    return false;
  }
  record_names(w, sal_table_players(r->table), &r->names);
  scene_of_table(&r->scene, r->table, &r->names.words);
  teach_master();
  if (!map_steps(r) || !(r->work = review_work_start(r->table))) {
    sal_text_add(problem, _(sal_error_text(SAL_NO_MEMORY)));
    return false;
  }
  return true;
}

static void reviewing_close(struct reviewing *r) {
  if (r->work)
    review_work_stop(r->work);
  scene_free(&r->scene);
  sal_table_free(r->table);
  free(r->actions);
  positions_close(&r->positions);
}

/* ---- Showing ------------------------------------------------------------------ */

/* The board as it was at the step, through the eyes that were asked for. */
static void show_position(struct reviewing *r) {
  const struct review_view *v = &r->view;
  const int step = r->actions[v->at], eyes = v->open ? SAL_EVERYTHING : v->seat;
  struct sal_refusal why;
  if (step == r->shown && eyes == r->shown_to)
    return;
  sal_table *t = positions_at(&r->positions, step, &why);
  json_t *told = t ? told_to(t, eyes, 0, &r->names.words.words) : NULL;
  if (told) {
    scene_forget(&r->scene);
    scene_tell(&r->scene, told);
    r->scene.seat = eyes;
    r->shown = step;
    r->shown_to = eyes;
  }
  sal_table_free(t);
}

static void show_review(struct reviewing *r, struct canvas *c) {
  if (!screen_fit(c))
    return;
  r->view.review = review_work_look(r->work, &r->view.done);
  show_position(r);
  draw_review(c, &r->view);
  screen_show(c, 0, 0);
}

/* ---- Keys ---------------------------------------------------------------------- */

static void go_to(struct review_view *v, long step) {
  v->at = step < 0 ? 0 : (size_t)step > v->total ? v->total : (size_t)step;
  v->skip = 0;
}

/* The next of the steps that moved the chance most, and round again. */
static void next_moment(struct review_view *v) {
  struct sal_review_seat s;
  if (!v->review || v->done < v->total) {
    v->notice =
        _("Moments and mistakes are known when all steps are computed.");
    return;
  }
  sal_review_seat(v->review, v->seat, &s);
  size_t next = v->total, first = v->total;
  for (size_t i = 0; i < s.moments; i++) {
    const size_t m = s.moment[i];
    if (m < first)
      first = m;
    if (m < next && v->at < v->total && m > v->at)
      next = m;
  }
  go_to(v, (long)(next < v->total ? next : first));
}

/* The next mistake of the player, and round again. */
static void next_mistake(struct review_view *v) {
  for (size_t n = 1; n <= v->total + 1; n++) {
    const size_t i = (v->at + n) % (v->total + 1);
    if (i >= v->done)
      continue;
    const struct sal_review_step *s = sal_review_at(v->review, i);
    if (s->seat == v->seat && s->mark >= SAL_MARK_INACCURACY) {
      go_to(v, (long)i);
      return;
    }
  }
  v->notice =
      v->done < v->total
          ? _("Moments and mistakes are known when all steps are computed.")
          : _("This player made no mistake.");
}

static void click(struct review_view *v) {
  int row, column;
  screen_click(&row, &column);
  if (v->chart_rows && row >= v->chart_row &&
      row <= v->chart_row + v->chart_rows) {
    const size_t after = review_step_at(v, column);
    go_to(v, after == v->total ? (long)after : (long)after - 1);
  }
}

static int show_help(const struct reviewing *r) {
  return parlour_page(
      &r->scene, _("Help"),
      _("The chart has a player's chance to win after each step. Below it: ▲ "
        "where you are, ✕ a mistake of that player, ◆ a moment that moved "
        "the chance most. A click on the chart goes there.\n"
        "\n"
        "A decision is shown in the position where it was made, with what "
        "else could be done and the chance to win after it, as the player "
        "could know it; ▸ was played. The end has the summary.\n"
        "\n"
        "← →        a step back, a step on\n"
        "PgUp PgDn  ten steps\n"
        "Home End   the first step, the end\n"
        "m          the next decisive moment\n"
        "n          the player's next mistake\n"
        "↑ ↓        scroll the text\n"
        "Tab        the board, or the chart (a large screen has both)\n"
        "1-6        chances and view of that player\n"
        "o          all cards open, or what the player saw\n"
        "q          close the review\n"));
}

static bool step_key(struct review_view *v, int key) {
  const long at = (long)v->at;
  switch (key) {
  case SCREEN_RIGHT:
  case SCREEN_ENTER:
  case SCREEN_WHEEL_DOWN:
  case ' ': go_to(v, at + 1); return true;
  case SCREEN_LEFT:
  case SCREEN_BACK:
  case SCREEN_WHEEL_UP: go_to(v, at - 1); return true;
  case SCREEN_PAGE_DOWN: go_to(v, at + 10); return true;
  case SCREEN_PAGE_UP: go_to(v, at - 10); return true;
  case SCREEN_HOME: go_to(v, 0); return true;
  case SCREEN_END: go_to(v, (long)v->total); return true;
  case 'm': next_moment(v); return true;
  case 'n': next_mistake(v); return true;
  case SCREEN_CLICK: click(v); return true;
  default: return false;
  }
}

static void look_key(struct review_view *v, int key) {
  switch (key) {
  case SCREEN_DOWN: v->skip += v->more > 0; break;
  case SCREEN_UP: v->skip -= v->skip > 0; break;
  case SCREEN_TAB:
  case 'b': v->board = !v->board; break;
  case 'o': v->open = !v->open; break;
  default:
    if (key >= '1' && key < '1' + v->scene->players) {
      v->seat = key - '1';
      v->open = false;
    }
  }
}

/* Until it is closed; the signal that ended it, or 0. */
static int run_review_screen(struct reviewing *r) {
  struct canvas c = {0};
  int ended = 0;
  for (bool open = true; open && !ended;) {
    show_review(r, &c);
    const bool computing = r->view.done < r->view.total;
    const int key =
        screen_key(-1, computing ? review_work_descriptor(r->work) : -1);
    if (key == SCREEN_REDRAW || key == SCREEN_READY)
      continue;
    r->view.notice = "";
    if (key == SCREEN_ENDED)
      ended = screen_signal();
    else if (key == 'q' || key == 'v' || key == SCREEN_ESCAPE)
      open = false;
    else if (key == '?')
      ended = show_help(r);
    else if (!step_key(&r->view, key))
      look_key(&r->view, key);
  }
  canvas_free(&c);
  return ended;
}

int review_screen(const struct replay_wish *w, int from,
                  struct sal_text *problem) {
  struct reviewing *r = malloc(sizeof *r); /* large: it holds a log */
  int ended = 0;
  if (!r) {
    sal_text_add(problem, _(sal_error_text(SAL_NO_MEMORY)));
    return 0;
  }
  if (reviewing_open(r, w, problem)) {
    const char *terminal = getenv("TERM");
    struct review_view *v = &r->view;
    v->scene = &r->scene;
    v->notice = "";
    v->seat = w->viewer >= 0 ? w->viewer : 0;
    v->open = w->viewer < 0;
    v->fine = !terminal || strncmp(terminal, "linux", 5) != 0;
    v->at = v->total;
    while (from >= 0 && v->at > 0 && r->actions[v->at - 1] >= from)
      v->at--;
    ended = run_review_screen(r);
  }
  reviewing_close(r);
  free(r);
  return ended;
}
