/* The loop of a table on the whole screen: see the header. */
#include "parlour.h"

#include "draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TYPED_MAX = 300 };

struct parlour {
  struct host *host;
  struct canvas canvas;
  struct choose choose;
  struct draw_state drawn;
  bool typing;
  char prefix; /* what the line is for: 0 an action, 'c' chat, 's' save, 'g' */
  char typed[TYPED_MAX];
  size_t length, at; /* in bytes */
  char last[TYPED_MAX];
  int ended;
  bool leaving;
};

/* ---- Pages ----------------------------------------------------------------- */

int parlour_page(const struct scene *s, const char *title, const char *text) {
  struct canvas c = {0};
  int from = 0, ended = 0;
  for (bool open = true; open && screen_fit(&c);) {
    const int rows = draw_page_rows(&c),
              all = draw_page(&c, s, title, text, from);
    const int most = all > rows ? all - rows : 0;
    if (from > most) {
      from = most;
      continue;
    }
    screen_show(&c, 0, 0);
    switch (screen_key(-1, -1)) {
    case SCREEN_UP:
    case SCREEN_WHEEL_UP:
    case 'k': from -= from > 0; break;
    case SCREEN_DOWN:
    case SCREEN_WHEEL_DOWN:
    case 'j': from += from < most; break;
    case SCREEN_PAGE_UP:
    case 'b': from = from > rows ? from - rows : 0; break;
    case SCREEN_PAGE_DOWN:
    case ' ': from = from + rows < most ? from + rows : most; break;
    case SCREEN_HOME: from = 0; break;
    case SCREEN_END: from = most; break;
    case SCREEN_ENDED:
      ended = screen_signal();
      open = false;
      break;
    case 'q':
    case SCREEN_ESCAPE:
    case SCREEN_ENTER: open = false; break;
    default: break;
    }
  }
  canvas_free(&c);
  return ended;
}

static void page(struct parlour *p, const char *title, const char *text) {
  const int ended = parlour_page(&p->host->scene, title, text);
  if (ended)
    p->ended = ended;
}

static void show_help(struct parlour *p) {
  const struct scene *s = &p->host->scene;
  const unsigned can = p->host->can;
  char text[4000];
  struct sal_text t;
  sal_text_init(&t, text, sizeof text);
  if (can & HOST_ACTS)
    sal_text_add(
        &t,
        scene_say(
            s,
            N_("Arrow keys move among the choices, Enter takes one, Esc goes "
               "back a step. A digit takes the choice with that number; "
               "where the action is an amount, type the amount.\n\n"
               "You can also type an action in the notation: the first letter "
               "opens the line, ':' always does. Tab completes it, Enter plays "
               "it. 'why ACTION' says which rule forbids an action.\n\n")));
  if (can & HOST_STEPS)
    sal_text_add(&t, scene_say(s, N_("← →     a step back, a step on\n"
                                     "PgUp PgDn  ten steps\n"
                                     "Home End   the beginning, the end\n"
                                     "g       jump to a step by its number\n"
                                     "1-6     what that player saw\n"
                                     "o       everything open\n"
                                     "e       what a spectator saw\n")));
  if (can & HOST_RUNS)
    sal_text_add(&t, scene_say(s, N_("space   let it run, or stop it\n"
                                     "+ -     faster, slower\n")));
  if (can & HOST_HINTS)
    sal_text_add(&t, scene_say(s, N_("h       a hint from the expert\n")));
  sal_text_add(&t, scene_say(s, N_("r       the rule in question; again from "
                                   "there: all rules\n"
                                   "l       the whole log\n")));
  if (can & HOST_UNDOES)
    sal_text_add(&t, scene_say(s, N_("u       undo your last action, if it "
                                     "revealed nothing\n")));
  if (can & HOST_SAVES)
    sal_text_add(&t, scene_say(s, N_("s       save the game in a file\n")));
  if (can & HOST_CHATS)
    sal_text_add(&t, scene_say(s, N_("c       say something in the chat\n")));
  if (can & HOST_REVIEWS)
    sal_text_add(&t, scene_say(s, N_("v       review the game when it is over: "
                                     "chances, luck, mistakes\n")));
  sal_text_add(&t, scene_say(s, N_("Ctrl-L  draw the screen again\n"
                                   "q       leave the table\n")));
  page(p, scene_say(s, N_("Help")), text);
}

static void show_log(struct parlour *p) {
  const struct scene *s = &p->host->scene;
  size_t size = 1;
  for (size_t i = 0; i < s->logged; i++)
    size += strlen(s->log[i]) + 40;
  char *text = malloc(size);
  struct sal_text t;
  if (!text)
    return;
  sal_text_init(&t, text, size);
  for (size_t i = 0; i < s->logged; i++) {
    sal_text_add(&t, s->log[i]);
    if (s->times[i] > 1) {
      sal_text_add(&t, " ×");
      sal_text_int(&t, s->times[i]);
    }
    sal_text_char(&t, '\n');
  }
  page(p, scene_say(s, N_("Log")), text);
  free(text);
}

/* The rule that the last refusal or event follows, then all of them. */
static void show_rule(struct parlour *p) {
  struct host *h = p->host;
  const char *id = scene_rule(&h->scene);
  char rule[100] = "";
  if (id)
    snprintf(rule, sizeof rule, "%s", id);
  char *one = *rule ? h->rules(h, rule) : NULL, *all = h->rules(h, NULL);
  const size_t size =
      (one ? strlen(one) : 0) + (all ? strlen(all) : 0) + strlen(rule) + 300;
  char *text = malloc(size);
  if (text) {
    struct sal_text t;
    sal_text_init(&t, text, size);
    if (one) {
      sal_text_add(&t, scene_say(&h->scene, N_("The last thing that happened "
                                               "follows this rule:")));
      sal_text_add(&t, "\n\n");
      sal_text_add(&t, one);
      sal_text_add(&t, "\n\n\n");
    }
    sal_text_add(&t, all ? all : "");
    page(p, *rule ? rule : scene_say(&h->scene, N_("Rules")), text);
  }
  free(text);
  free(one);
  free(all);
}

/* ---- Drawing --------------------------------------------------------------- */

static const char *keys_of(const struct parlour *p) {
  const struct scene *s = &p->host->scene;
  const unsigned can = p->host->can;
  if (p->typing)
    return scene_say(s, N_("Enter confirm · Tab complete · Esc cancel"));
  if (can & HOST_STEPS)
    return scene_say(
        s, N_("← → step · space run · g jump · 1-6 o e view · v review · ? "
              "help · q close"));
  if (scene_over(s))
    return scene_say(
        s, N_("v review · l log · r rules · s save · ? help · q leave"));
  if (can & HOST_ACTS && can & HOST_CHATS)
    return scene_say(s,
                     N_("↑↓ Enter choose · h hint · u undo · c chat · l log · "
                        "r rule · ? help · q leave"));
  if (can & HOST_ACTS)
    return scene_say(s,
                     N_("↑↓ Enter choose · h hint · u undo · r rule · l log · "
                        "s save · ? help · q leave"));
  if (can & HOST_RUNS)
    return scene_say(
        s, N_("space stop, go on · + - speed · l log · r rule · ? help · q "
              "leave"));
  return scene_say(s, N_("c chat · l log · r rule · ? help · q leave"));
}

static void draw_curtain(struct parlour *p) {
  struct canvas *c = &p->canvas;
  canvas_clear(c);
  canvas_put(c, 0, 1, c->width, STYLE_BAR, p->host->scene.title);
  canvas_bar(c, 0, STYLE_BAR);
  const int room = c->width > 70 ? 66 : c->width - 4,
            column = (c->width - room) / 2;
  canvas_wrap(c, c->height / 3, column, room, c->height / 2, 0, STYLE_YOURS,
              p->host->curtain);
}

static void draw_parlour(struct parlour *p) {
  if (!screen_fit(&p->canvas))
    return;
  struct scene *s = &p->host->scene;
  if (s->state && (text_columns(s->notice) > p->canvas.width - 2 ||
                   strchr(s->notice, '\n'))) { /* too long for its line */
    char notice[SCENE_NOTICE_MAX];
    strcpy(notice, s->notice);
    s->notice[0] = '\0';
    page(p, s->title, notice);
  }
  p->drawn.cursor_row = 0;
  if (p->host->curtain) {
    draw_curtain(p);
  } else {
    char before[TYPED_MAX];
    snprintf(before, sizeof before, "%.*s", (int)p->at, p->typed);
    p->drawn.typed = p->typing ? p->typed : NULL;
    p->drawn.typed_cursor = text_columns(before);
    p->drawn.keys = keys_of(p);
    if (text_columns(p->drawn.keys) > p->canvas.width - 2)
      p->drawn.keys = scene_say(s, N_("? help · q leave"));
    p->drawn.status = p->host->status ? p->host->status : "";
    draw_scene(&p->canvas, &p->host->scene, &p->choose, &p->drawn);
  }
  screen_show(&p->canvas, p->drawn.cursor_row, p->drawn.cursor_column);
}

/* ---- What came of it ------------------------------------------------------- */

static void hear_host(struct parlour *p, enum host_said said) {
  if (said == HOST_GONE)
    p->leaving = true;
  if (said == HOST_CHANGED)
    choose_start(&p->choose, &p->host->scene);
}

static void take_entry(struct parlour *p, int entry) {
  struct host *h = p->host;
  if (entry < 0 || entry >= p->choose.count)
    return;
  const int action = choose_take(&p->choose, &h->scene, entry);
  if (action < 0)
    return;
  char notation[SAL_ACTION_TEXT_MAX];
  snprintf(notation, sizeof notation, "%s", h->scene.choices[action].notation);
  h->scene.notice[0] = '\0';
  hear_host(p, h->act(h, notation));
}

/* ---- The input line --------------------------------------------------------- */

static void type_letter(struct parlour *p, int letter) {
  char bytes[8];
  const wchar_t w = (wchar_t)letter;
  struct sal_text t;
  sal_text_init(&t, bytes, sizeof bytes);
  if (w < 0x80) {
    sal_text_char(&t, (char)w);
  } else if (w < 0x800) {
    sal_text_char(&t, (char)(0xc0 | w >> 6));
    sal_text_char(&t, (char)(0x80 | (w & 0x3f)));
  } else if (w < 0x10000) {
    sal_text_char(&t, (char)(0xe0 | w >> 12));
    sal_text_char(&t, (char)(0x80 | (w >> 6 & 0x3f)));
    sal_text_char(&t, (char)(0x80 | (w & 0x3f)));
  } else {
    sal_text_char(&t, (char)(0xf0 | w >> 18));
    sal_text_char(&t, (char)(0x80 | (w >> 12 & 0x3f)));
    sal_text_char(&t, (char)(0x80 | (w >> 6 & 0x3f)));
    sal_text_char(&t, (char)(0x80 | (w & 0x3f)));
  }
  if (p->length + t.len >= TYPED_MAX)
    return;
  memmove(p->typed + p->at + t.len, p->typed + p->at, p->length - p->at + 1);
  memcpy(p->typed + p->at, bytes, t.len);
  p->length += t.len;
  p->at += t.len;
}

static size_t character_before(const struct parlour *p) {
  size_t at = p->at;
  while (at > 0 && (p->typed[--at] & 0xc0) == 0x80)
    ;
  return at;
}

static size_t character_after(const struct parlour *p) {
  size_t at = p->at;
  while (at < p->length && (p->typed[++at] & 0xc0) == 0x80)
    ;
  return at;
}

static void cut_line(struct parlour *p, size_t from, size_t to) {
  memmove(p->typed + from, p->typed + to, p->length - to + 1);
  p->length -= to - from;
  p->at = from;
}

/* As far as all legal actions that begin like the line agree. */
static void complete(struct parlour *p) {
  const struct scene *s = &p->host->scene;
  char common[TYPED_MAX] = "";
  if (p->prefix)
    return;
  for (size_t i = 0; i < s->count; i++) {
    const char *action = s->choices[i].notation;
    if (strncmp(action, p->typed, p->length) != 0)
      continue;
    if (!*common)
      snprintf(common, sizeof common, "%s", action);
    size_t same = 0;
    while (common[same] && common[same] == action[same])
      same++;
    common[same] = '\0';
  }
  if (strlen(common) > p->length) {
    strcpy(p->typed, common);
    p->at = p->length = strlen(common);
  }
}

static void open_line(struct parlour *p, char prefix) {
  p->typing = true;
  p->prefix = prefix;
  p->typed[0] = '\0';
  p->length = p->at = 0;
  p->host->scene.notice[0] = '\0';
  const struct scene *s = &p->host->scene;
  if (prefix == 's')
    snprintf(p->host->scene.notice, SCENE_NOTICE_MAX, "%s",
             scene_say(s, N_("Save in which file?")));
}

static void enter_line(struct parlour *p) {
  struct host *h = p->host;
  int n;
  p->typing = false;
  h->scene.notice[0] = '\0';
  if (!p->length)
    return;
  snprintf(p->last, sizeof p->last, "%s", p->typed);
  if (p->prefix == 'c')
    hear_host(p, h->chat(h, p->typed));
  else if (p->prefix == 's')
    hear_host(p, h->save(h, p->typed));
  else if (p->prefix == 'g' && sscanf(p->typed, "%d", &n) == 1)
    hear_host(p, h->step(h, JUMP_TO, n));
  else if (p->prefix == 0)
    hear_host(p, h->line(h, p->typed));
}

static void edit(struct parlour *p, int key) {
  switch (key) {
  case SCREEN_ENTER: enter_line(p); return;
  case SCREEN_ESCAPE:
    p->typing = false;
    p->host->scene.notice[0] = '\0';
    return;
  case SCREEN_BACK:
    if (p->length == 0)
      p->typing = false;
    else if (p->at > 0)
      cut_line(p, character_before(p), p->at);
    return;
  case SCREEN_DELETE: cut_line(p, p->at, character_after(p)); return;
  case SCREEN_LEFT: p->at = character_before(p); return;
  case SCREEN_RIGHT: p->at = character_after(p); return;
  case SCREEN_HOME: p->at = 0; return;
  case SCREEN_END: p->at = p->length; return;
  case SCREEN_UP:
    strcpy(p->typed, p->last);
    p->at = p->length = strlen(p->typed);
    return;
  case SCREEN_TAB: complete(p); return;
  default:
    if (key >= 32 && key < SCREEN_NONE)
      type_letter(p, key);
  }
}

/* ---- Keys ------------------------------------------------------------------- */

static void move_cursor(struct parlour *p, int by) {
  const int to = p->choose.cursor + by;
  if (to >= 0 && to < p->choose.count)
    p->choose.cursor = to;
}

static void click(struct parlour *p) {
  int row, column;
  screen_click(&row, &column);
  const struct draw_state *d = &p->drawn;
  const int r = row - d->choice_row;
  if (!d->choice_rows || r < 0 || r >= d->choice_rows || d->choice_width < 1)
    return;
  const int k = column / d->choice_width;
  const int entry = (r + p->choose.top) * d->choice_columns + k;
  if (k >= d->choice_columns || entry >= p->choose.count)
    return;
  if (entry == p->choose.cursor)
    take_entry(p, entry);
  else
    p->choose.cursor = entry;
}

/* Keys of what runs by itself. */
static bool run_key(struct parlour *p, int key) {
  struct host *h = p->host;
  if (!(h->can & HOST_RUNS) || (key != ' ' && key != '+' && key != '-'))
    return false;
  hear_host(p, h->run(h, key == '+' ? 1 : key == '-' ? -1 : 0));
  return true;
}

/* Keys of a record. */
static bool step_key(struct parlour *p, int key) {
  struct host *h = p->host;
  if (!(h->can & HOST_STEPS))
    return false;
  switch (key) {
  case SCREEN_RIGHT:
  case SCREEN_ENTER: hear_host(p, h->step(h, JUMP_BY, 1)); return true;
  case SCREEN_LEFT:
  case SCREEN_BACK: hear_host(p, h->step(h, JUMP_BY, -1)); return true;
  case SCREEN_PAGE_DOWN: hear_host(p, h->step(h, JUMP_BY, 10)); return true;
  case SCREEN_PAGE_UP: hear_host(p, h->step(h, JUMP_BY, -10)); return true;
  case SCREEN_HOME: hear_host(p, h->step(h, JUMP_TO, 0)); return true;
  case SCREEN_END: hear_host(p, h->step(h, JUMP_TO, 1 << 20)); return true;
  case 'g': open_line(p, 'g'); return true;
  case 'o': hear_host(p, h->eyes(h, SAL_EVERYTHING)); return true;
  case 'e': hear_host(p, h->eyes(h, SAL_SPECTATOR)); return true;
  default:
    if (key < '1' || key > '6')
      return false;
    hear_host(p, h->eyes(h, key - '1'));
    return true;
  }
}

static bool choice_key(struct parlour *p, int key) {
  const int columns = p->drawn.choice_columns > 0 ? p->drawn.choice_columns : 1;
  switch (key) {
  case SCREEN_UP:
  case SCREEN_WHEEL_UP: move_cursor(p, -columns); return true;
  case SCREEN_DOWN:
  case SCREEN_WHEEL_DOWN: move_cursor(p, columns); return true;
  case SCREEN_LEFT: move_cursor(p, -1); return true;
  case SCREEN_RIGHT:
  case SCREEN_TAB: move_cursor(p, 1); return true;
  case SCREEN_HOME: p->choose.cursor = 0; return true;
  case SCREEN_END:
    p->choose.cursor = p->choose.count ? p->choose.count - 1 : 0;
    return true;
  case SCREEN_ENTER: take_entry(p, p->choose.cursor); return true;
  case SCREEN_ESCAPE:
  case SCREEN_BACK: choose_back(&p->choose, &p->host->scene); return true;
  case SCREEN_CLICK: click(p); return true;
  default: return false;
  }
}

/* Only what is over: a record says so at any of its steps. */
static bool may_review(const struct host *h) {
  return h->can & HOST_STEPS || scene_over(&h->scene);
}

/* Keys with a letter that ask for something. */
static bool command_key(struct parlour *p, int key) {
  struct host *h = p->host;
  const unsigned can = h->can;
  switch (key) {
  case '?': show_help(p); return true;
  case 'l': show_log(p); return true;
  case 'r': show_rule(p); return true;
  case 'q': p->leaving = true; return true;
  case 'h':
    if (can & HOST_HINTS)
      hear_host(p, h->hint(h));
    return can & HOST_HINTS;
  case 'u':
    if (can & HOST_UNDOES)
      hear_host(p, h->undo(h));
    return can & HOST_UNDOES;
  case 's':
    if (can & HOST_SAVES)
      open_line(p, 's');
    return can & HOST_SAVES;
  case 'c':
    if (can & HOST_CHATS)
      open_line(p, 'c');
    return can & HOST_CHATS;
  case 'v':
    if (can & HOST_REVIEWS && may_review(h))
      hear_host(p, h->review(h));
    else if (can & HOST_REVIEWS)
      snprintf(
          h->scene.notice, SCENE_NOTICE_MAX, "%s",
          scene_say(&h->scene, N_("The review comes at the end of the game.")));
    return can & HOST_REVIEWS;
  default: return false;
  }
}

/* A digit takes a choice where nothing is an amount and one digit is enough. */
static bool digit_key(struct parlour *p, int key) {
  const struct scene *s = &p->host->scene;
  if (key < '1' || key > '9' || scene_amounts(s) || p->choose.count > 9)
    return false;
  take_entry(p, key - '1');
  return true;
}

static void press(struct parlour *p, int key) {
  struct host *h = p->host;
  if (h->curtain) {
    if (key == SCREEN_ENTER)
      hear_host(p, h->opened(h));
    else if (key == 'q')
      p->leaving = true;
    return;
  }
  if (p->typing) {
    edit(p, key);
    return;
  }
  if (run_key(p, key) || step_key(p, key) || choice_key(p, key) ||
      command_key(p, key) || digit_key(p, key))
    return;
  if ((h->can & HOST_ACTS) && key > ' ' && key < SCREEN_NONE) {
    open_line(p, 0);
    if (key != ':')
      type_letter(p, key);
  }
}

int parlour_run(struct host *h) {
  struct parlour p = {.host = h};
  choose_start(&p.choose, &h->scene);
  while (!p.leaving && !p.ended) {
    draw_parlour(&p);
    const int key = screen_key(h->wait, h->other);
    if (key == SCREEN_ENDED)
      p.ended = screen_signal();
    else if (key == SCREEN_NONE || key == SCREEN_READY)
      hear_host(&p, h->go(h));
    else if (key != SCREEN_REDRAW)
      press(&p, key);
  }
  choose_free(&p.choose);
  canvas_free(&p.canvas);
  return p.ended;
}
