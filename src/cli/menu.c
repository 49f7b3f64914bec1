/* The menu without arguments: which game, with whom, or the game that was left.
 *
 * Main invariant: what the menu offers can be played; a seat that a game does
 * not have is not shown. */
#include "local.h"

#include "terminal/draw.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { ROWS_MAX = 24 };

enum row_kind {
  ROW_RESUME,
  ROW_GAME,
  ROW_OPTION,
  ROW_PLAYERS,
  ROW_SEAT,
  ROW_START
};

struct row {
  enum row_kind kind;
  int index; /* of the option or the seat */
};

struct menu {
  struct sal_speaker words;
  int game; /* in sal_games */
  int players;
  int option[SAL_OPTIONS_MAX];
  int seat[SAL_SEATS_MAX]; /* 0: a person; n: the n-th bot that is offered */
  char saved[SAVE_PATH_MAX];
  bool can_resume;
  char resume[200];
  struct row row[ROWS_MAX];
  int rows, at;
};

static const struct sal_game *game_of(const struct menu *m) {
  return sal_games[m->game];
}

/* The n-th bot that people are offered at the game, from 1; NULL: none. */
static const struct sal_bot *bot_at(const struct menu *m, int n) {
  for (size_t i = 0; sal_bots[i]; i++)
    if (sal_bot_offered(sal_bots[i], game_of(m)) && --n == 0)
      return sal_bots[i];
  return NULL;
}

static int bot_count(const struct menu *m) {
  int n = 0;
  while (bot_at(m, n + 1))
    n++;
  return n;
}

/* ---- Rows -------------------------------------------------------------------- */

static void add_menu_row(struct menu *m, enum row_kind kind, int index) {
  if (m->rows < ROWS_MAX)
    m->row[m->rows++] = (struct row){kind, index};
}

static void list_rows(struct menu *m) {
  const struct sal_option *o = game_of(m)->info.options;
  m->rows = 0;
  if (m->can_resume)
    add_menu_row(m, ROW_RESUME, 0);
  add_menu_row(m, ROW_GAME, 0);
  for (int i = 0; o[i].name; i++)
    if (o[i].kind == SAL_OPTION_WORD)
      add_menu_row(m, ROW_OPTION, i);
  add_menu_row(m, ROW_PLAYERS, 0);
  for (int i = 0; i < m->players; i++)
    add_menu_row(m, ROW_SEAT, i);
  add_menu_row(m, ROW_START, 0);
}

static void choose_game(struct menu *m, int game) {
  m->game = game;
  m->players = game_of(m)->info.players_usual;
  if (m->players < game_of(m)->info.players_min)
    m->players = game_of(m)->info.players_min;
  memset(m->option, 0, sizeof m->option);
  const struct sal_option *o = game_of(m)->info.options;
  for (int i = 0; o[i].name; i++)
    for (int k = 0; o[i].by_language && o[i].words[k]; k++)
      if (strcmp(o[i].words[k], language()) == 0)
        m->option[i] = k;
  for (int i = 0; i < SAL_SEATS_MAX; i++) {
    m->seat[i] = 0;
    for (int n = 1; i > 0 && bot_at(m, n); n++)
      if (strcmp(bot_at(m, n)->id, "regular") == 0)
        m->seat[i] = n;
  }
  list_rows(m);
}

static int turned(int value, int by, int count) {
  return (value + by + count) % count;
}

static void change(struct menu *m, int by) {
  const struct row *r = &m->row[m->at];
  const struct sal_info *info = &game_of(m)->info;
  int count = 0;
  switch (r->kind) {
  case ROW_GAME:
    while (sal_games[count])
      count++;
    choose_game(m, turned(m->game, by, count));
    break;
  case ROW_OPTION:
    while (info->options[r->index].words[count])
      count++;
    m->option[r->index] = turned(m->option[r->index], by, count);
    break;
  case ROW_PLAYERS:
    m->players =
        info->players_min + turned(m->players - info->players_min, by,
                                   info->players_max - info->players_min + 1);
    list_rows(m);
    break;
  case ROW_SEAT:
    m->seat[r->index] = turned(m->seat[r->index], by, bot_count(m) + 1);
    break;
  default: break;
  }
  if (m->at >= m->rows)
    m->at = m->rows - 1;
}

/* ---- Drawing ------------------------------------------------------------------ */

static void draw_row(const struct menu *m, struct canvas *c, int n, int row) {
  const struct row *r = &m->row[n];
  const struct sal_info *info = &game_of(m)->info;
  const enum style style = n == m->at ? STYLE_CHOSEN : STYLE_PLAIN;
  char label[100] = "", value[200] = "";
  const struct sal_option *o;
  switch (r->kind) {
  case ROW_RESUME:
    snprintf(value, sizeof value, "%s", m->resume);
    snprintf(label, sizeof label, "%s", _("Resume"));
    break;
  case ROW_GAME:
    snprintf(label, sizeof label, "%s", _("Game"));
    snprintf(value, sizeof value, "‹ %s ›", _(info->title));
    break;
  case ROW_OPTION:
    o = &info->options[r->index];
    snprintf(label, sizeof label, "%s", _(o->title ? o->title : o->name));
    snprintf(value, sizeof value, "‹ %s ›",
             o->says ? _(o->says[m->option[r->index]])
                     : o->words[m->option[r->index]]);
    break;
  case ROW_PLAYERS:
    snprintf(label, sizeof label, "%s", _("Seats"));
    snprintf(value, sizeof value, "‹ %d ›", m->players);
    break;
  case ROW_SEAT:
    snprintf(label, sizeof label, _("Seat %d"), r->index + 1);
    snprintf(value, sizeof value, "‹ %s ›",
             m->seat[r->index] ? _(bot_at(m, m->seat[r->index])->title)
                               : _("a person at this keyboard"));
    break;
  default: snprintf(label, sizeof label, "%s", _("Start")); break;
  }
  const bool button = r->kind == ROW_START || r->kind == ROW_RESUME;
  canvas_put(c, row, 6, 2, STYLE_YOURS, n == m->at ? "▸" : " ");
  canvas_put(c, row, 8, 22, button ? STYLE_BOLD : STYLE_DIM, label);
  canvas_put(c, row, 32, c->width - 33, style, value);
  if (r->kind == ROW_START && n == m->at)
    canvas_put(c, row, 8, 22, STYLE_CHOSEN, label);
}

static void draw_menu(const struct menu *m, struct canvas *c) {
  const struct sal_info *info = &game_of(m)->info;
  canvas_clear(c);
  canvas_put(c, 0, 1, c->width - 2, STYLE_BAR, "Salotto");
  canvas_bar(c, 0, STYLE_BAR);
  canvas_put(c, 2, 6, c->width - 7, STYLE_PLAIN,
             _("A parlour for games of hidden cards and quiet bluffs."));
  const int first = 4;
  for (int i = 0; i < m->rows; i++)
    draw_row(m, c, i, first + i + (m->can_resume && i > 0));
  const int about = first + m->rows + 2;
  int rows = c->height - about - 2;
  const int used = canvas_wrap(c, about, 6, c->width - 12, rows, 0, STYLE_BOLD,
                               _(info->tagline));
  rows -= used + 1;
  if (info->goal && rows > 0)
    canvas_wrap(c, about + used, 6, c->width - 12, rows, 0, STYLE_DIM,
                _(info->goal));
  canvas_put(c, c->height - 1, 1, c->width - 2, STYLE_BAR,
             _("↑↓ move · ←→ change · Enter start · r rules · q quit"));
  canvas_bar(c, c->height - 1, STYLE_BAR);
}

/* ---- Keys ---------------------------------------------------------------------- */

static void show_rules(const struct menu *m, int *ended) {
  const struct scene s = {.words = &m->words.words};
  char *text = rules_text(game_of(m), NULL);
  if (text)
    *ended = parlour_page(&s, _(game_of(m)->info.title), text);
  free(text);
}

/* A click on a row goes there; on the row where one is, it does what Enter
 * does. */
static bool click(struct menu *m) {
  int row, column;
  screen_click(&row, &column);
  int n = row - 4;
  if (m->can_resume && n > 0)
    n--;
  if (n < 0 || n >= m->rows)
    return false;
  const bool again = n == m->at;
  m->at = n;
  return again;
}

/* True: go on with what is chosen. */
static bool enter_row(struct menu *m) {
  const enum row_kind kind = m->row[m->at].kind;
  if (kind == ROW_START || kind == ROW_RESUME)
    return true;
  change(m, 1);
  return false;
}

/* True: something was chosen; `left` if the menu is closed. */
static bool press(struct menu *m, int key, bool *left, int *ended) {
  switch (key) {
  case SCREEN_UP:
  case SCREEN_WHEEL_UP:
  case 'k': m->at = turned(m->at, -1, m->rows); return false;
  case SCREEN_DOWN:
  case SCREEN_WHEEL_DOWN:
  case SCREEN_TAB:
  case 'j': m->at = turned(m->at, 1, m->rows); return false;
  case SCREEN_LEFT: change(m, -1); return false;
  case SCREEN_RIGHT:
  case ' ': change(m, 1); return false;
  case SCREEN_HOME: m->at = 0; return false;
  case SCREEN_END: m->at = m->rows - 1; return false;
  case SCREEN_ENTER: return enter_row(m);
  case SCREEN_CLICK: return click(m) && enter_row(m);
  case 'r': show_rules(m, ended); return false;
  case 'q':
  case SCREEN_ESCAPE: *left = true; return false;
  default: return false;
  }
}

/* ---- What was chosen -------------------------------------------------------------- */

static void fill_wishes(const struct menu *m, struct wishes *w) {
  static char option[SAL_OPTIONS_MAX][100];
  const struct sal_option *o = game_of(m)->info.options;
  if (m->row[m->at].kind == ROW_RESUME) {
    w->resume = true;
    return;
  }
  w->game = game_of(m)->info.id;
  w->players = m->players;
  w->people = 0;
  for (int i = 0; o[i].name; i++)
    if (o[i].kind == SAL_OPTION_WORD && w->options < 16) {
      snprintf(option[i], sizeof option[i], "%s=%s", o[i].name,
               o[i].words[m->option[i]]);
      w->option[w->options++] = option[i];
    }
  for (int i = 0; i < m->players; i++)
    if (m->seat[i])
      w->bots[i] = bot_at(m, m->seat[i])->id;
    else
      w->people++;
}

static void find_save(struct menu *m) {
  struct stat s;
  m->can_resume = save_latest(m->saved) && stat(m->saved, &s) == 0;
  if (!m->can_resume)
    return;
  const char *slash = strrchr(m->saved, '/');
  const char *name = slash ? slash + 1 : m->saved;
  char id[32], when[40];
  struct tm t;
  snprintf(id, sizeof id, "%.*s", (int)strcspn(name, "-"), name);
  const struct sal_game *g = sal_game_find(id);
  strftime(when, sizeof when, "%Y-%m-%d %H:%M", localtime_r(&s.st_mtime, &t));
  snprintf(m->resume, sizeof m->resume, "%s, %s", g ? _(g->info.title) : id,
           when);
}

bool menu_choose(struct wishes *w, int *ended) {
  struct menu m = {0};
  struct canvas c = {0};
  bool chosen = false, left = false;
  *ended = 0;
  if (!screen_open())
    return false;
  cli_words_init(&m.words, NULL);
  find_save(&m);
  choose_game(&m, 0);
  while (!chosen && !left && !*ended) {
    if (!screen_fit(&c))
      break;
    draw_menu(&m, &c);
    screen_show(&c, 0, 0);
    const int key = screen_key(-1, -1);
    if (key == SCREEN_ENDED)
      *ended = screen_signal();
    else
      chosen = press(&m, key, &left, ended);
  }
  if (chosen)
    fill_wishes(&m, w);
  canvas_free(&c);
  screen_close();
  return chosen;
}
