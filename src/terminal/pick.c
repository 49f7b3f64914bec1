/* A list to choose from: see the header. */
#include "pick.h"

#include "draw.h"
#include "screen.h"

enum { FIRST_ROW = 2 };

struct pick {
  const struct scene *scene;
  const char *title, *empty;
  const char *const *lines;
  int count, at, top;
};

static void draw_list(struct pick *p, struct canvas *c) {
  const int rows = c->height - FIRST_ROW - 2;
  if (p->top > p->at)
    p->top = p->at;
  if (p->top < p->at - rows + 1)
    p->top = p->at - rows + 1;
  canvas_clear(c);
  canvas_put(c, 0, 1, c->width - 2, STYLE_BAR, p->title);
  canvas_bar(c, 0, STYLE_BAR);
  for (int i = p->top; i < p->count && i - p->top < rows; i++) {
    const int row = FIRST_ROW + i - p->top;
    canvas_put(c, row, 2, 1, STYLE_YOURS, i == p->at ? "▸" : " ");
    canvas_put(c, row, 4, c->width - 6, i == p->at ? STYLE_CHOSEN : STYLE_PLAIN,
               p->lines[i]);
  }
  if (p->count == 0)
    canvas_wrap(c, FIRST_ROW, 4, c->width - 8, rows, 0, STYLE_PLAIN, p->empty);
  canvas_put(
      c, c->height - 1, 1, c->width - 2, STYLE_BAR,
      scene_say(p->scene, N_("↑↓ move · Enter sit down · r refresh · q quit")));
  canvas_bar(c, c->height - 1, STYLE_BAR);
}

/* True: it is chosen. */
static bool click_list(struct pick *p) {
  int row, column;
  screen_click(&row, &column);
  const int n = row - FIRST_ROW + p->top;
  if (row < FIRST_ROW || n >= p->count)
    return false;
  const bool again = n == p->at;
  p->at = n;
  return again;
}

/* What a key comes to: a line, PICK_NONE, PICK_AGAIN; anything smaller: nothing
 * yet. */
static int press_list(struct pick *p, int key) {
  enum { NOT_YET = -3 };
  switch (key) {
  case SCREEN_UP:
  case SCREEN_WHEEL_UP:
  case 'k': p->at -= p->at > 0; return NOT_YET;
  case SCREEN_DOWN:
  case SCREEN_WHEEL_DOWN:
  case SCREEN_TAB:
  case 'j': p->at += p->at < p->count - 1; return NOT_YET;
  case SCREEN_HOME: p->at = 0; return NOT_YET;
  case SCREEN_END: p->at = p->count ? p->count - 1 : 0; return NOT_YET;
  case SCREEN_ENTER: return p->count ? p->at : NOT_YET;
  case SCREEN_CLICK: return click_list(p) ? p->at : NOT_YET;
  case 'r': return PICK_AGAIN;
  case 'q':
  case SCREEN_ESCAPE: return PICK_NONE;
  default: return NOT_YET;
  }
}

int pick_line(const struct scene *s, const char *title,
              const char *const *lines, int count, const char *empty,
              int *ended) {
  struct pick p = {s, title, empty, lines, count, 0, 0};
  struct canvas c = {0};
  int chosen = PICK_AGAIN - 1;
  while (chosen < PICK_AGAIN) {
    if (!screen_fit(&c))
      return PICK_NONE;
    draw_list(&p, &c);
    screen_show(&c, 0, 0);
    const int key = screen_key(-1, -1);
    if (key == SCREEN_ENDED) {
      *ended = screen_signal();
      chosen = PICK_NONE;
    } else {
      chosen = press_list(&p, key);
    }
  }
  canvas_free(&c);
  return chosen;
}
