/* The terminal in full screen: see the header. */
#define _GNU_SOURCE /* ppoll */
#define NCURSES_WIDECHAR 1
#include "screen.h"

#include <curses.h>
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <time.h>
#include <unistd.h>

static SCREEN *terminal;
static volatile sig_atomic_t ended_by, stop_asked;
static bool may_stop; /* the shell has jobs */
static bool coloured;
static int click_row, click_column;

static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { ENDS = sizeof ends / sizeof *ends };

static void note_end(int number) { ended_by = number; }

static void note_stop(int number) { stop_asked = number; }

int screen_signal(void) { return ended_by; }

bool screen_speaks_utf8(void) {
  setlocale(LC_CTYPE, "");
  return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

bool screen_possible(void) {
  const char *name = getenv("TERM");
  int error;
  if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || !name || !*name ||
      strcmp(name, "dumb") == 0)
    return false;
  if (setupterm(NULL, STDOUT_FILENO, &error) != OK)
    return false;
  const char *move = tigetstr((char *)"cup"),
             *clear = tigetstr((char *)"clear");
  const bool can = move && move != (char *)-1 && clear && clear != (char *)-1;
  del_curterm(cur_term);
  return can;
}

/* ---- Colours --------------------------------------------------------------- */

static void choose_colours(void) {
  const char *none = getenv("NO_COLOR");
  coloured = has_colors() && !(none && *none);
  if (!coloured)
    return;
  start_color();
  const short paper = use_default_colors() == OK ? -1 : COLOR_BLACK;
  init_pair(1, COLOR_RED, paper);
  init_pair(2, COLORS >= 256 ? 75 : COLOR_CYAN, paper);
  init_pair(3, COLOR_MAGENTA, paper);
  init_pair(4, COLOR_YELLOW, paper);
  init_pair(5, COLOR_GREEN, paper);
  init_pair(6, COLOR_WHITE, COLOR_BLUE);
}

static attr_t style_of(uint8_t style, short *pair) {
  static const struct {
    attr_t attributes;
    short pair;
  } styles[STYLES] = {
      [STYLE_BOLD] = {A_BOLD, 0},      [STYLE_DIM] = {A_DIM, 0},
      [STYLE_RED] = {A_BOLD, 1},       [STYLE_BLUE] = {A_BOLD, 2},
      [STYLE_BOTH] = {A_BOLD, 3},      [STYLE_HIDDEN] = {A_DIM, 0},
      [STYLE_GOLD] = {A_NORMAL, 4},    [STYLE_BAR] = {A_REVERSE, 0},
      [STYLE_CHOSEN] = {A_REVERSE, 0}, [STYLE_YOURS] = {A_BOLD, 5}};
  *pair = coloured ? styles[style].pair : 0;
  if (coloured && style == STYLE_BAR) {
    *pair = 6;
    return A_NORMAL;
  }
  return styles[style].attributes;
}

/* ---- Opening and closing ---------------------------------------------------- */

/* Ctrl-Z is ours: where ncurses finds no handler it sets its own, which is
 * ignored while it draws, and a key that is pressed then would be lost. */
static void watch_stop(void) {
  const struct sigaction stop = {.sa_handler = note_stop,
                                 .sa_flags = SA_RESTART};
  struct sigaction before;
  stop_asked = 0;
  may_stop =
      sigaction(SIGTSTP, NULL, &before) == 0 && before.sa_handler != SIG_IGN;
  if (may_stop)
    sigaction(SIGTSTP, &stop, NULL);
}

void screen_attend(void) {
  sigset_t stop, usual;
  if (!terminal || !stop_asked)
    return;
  endwin();
  signal(SIGTSTP, SIG_DFL);
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  sigprocmask(SIG_UNBLOCK, &stop, &usual);
  raise(SIGTSTP); /* comes back in the foreground */
  sigprocmask(SIG_SETMASK, &usual, NULL);
  watch_stop();
  def_shell_mode(); /* as the user may have set it meanwhile */
  clearok(curscr, TRUE);
  refresh();
  raise(SIGWINCH); /* the window may have another size now */
}

bool screen_open(void) {
  setlocale(LC_CTYPE, "");
  ended_by = 0;
  watch_stop();
  terminal = newterm(NULL, stdout, stdin);
  if (!terminal)
    return false;
  set_term(terminal);
  struct sigaction end = {.sa_handler = note_end};
  for (int i = 0; i < ENDS; i++)
    sigaction(ends[i], &end, NULL);
  cbreak();
  noecho();
  nonl();
  intrflush(stdscr, FALSE);
  keypad(stdscr, TRUE);
  nodelay(stdscr, TRUE);
  set_escdelay(25);
  /* what terminals send whose description says otherwise */
  static const struct {
    const char *bytes;
    int key;
  } known[] = {
      {"\033[1~", KEY_HOME}, {"\033[4~", KEY_END},   {"\033[H", KEY_HOME},
      {"\033[F", KEY_END},   {"\033OH", KEY_HOME},   {"\033OF", KEY_END},
      {"\033[A", KEY_UP},    {"\033[B", KEY_DOWN},   {"\033[C", KEY_RIGHT},
      {"\033[D", KEY_LEFT},  {"\033[5~", KEY_PPAGE}, {"\033[6~", KEY_NPAGE},
      {"\033[3~", KEY_DC}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    define_key(known[i].bytes, known[i].key);
  choose_colours();
  /* All of them: for one that was not asked for, ncurses reads on and waits. */
  mousemask(ALL_MOUSE_EVENTS, NULL);
  mouseinterval(0);
  return true;
}

void screen_close(void) {
  if (!terminal)
    return;
  mousemask(0, NULL);
  curs_set(1);
  endwin();
  delscreen(terminal);
  terminal = NULL;
  for (int i = 0; i < ENDS; i++)
    signal(ends[i], SIG_DFL);
  if (may_stop)
    signal(SIGTSTP, SIG_DFL);
  if (stop_asked) /* between the last look and here */
    raise(SIGTSTP);
}

bool screen_fit(struct canvas *c) {
  if (c->cells && c->width == COLS && c->height == LINES)
    return true;
  canvas_free(c);
  return canvas_make(c, COLS, LINES, !screen_speaks_utf8());
}

/* ---- Showing ----------------------------------------------------------------- */

void screen_show(const struct canvas *c, int cursor_row, int cursor_column) {
  erase();
  for (int row = 0; row < c->height && row < LINES; row++)
    for (int i = 0; i < c->width && i < COLS; i++) {
      const struct cell *cell = &c->cells[row * c->width + i];
      const wchar_t letter[2] = {cell->letter, 0};
      cchar_t out;
      short pair;
      if (!cell->letter || (cell->letter == L' ' && cell->style == STYLE_PLAIN))
        continue;
      const attr_t attributes = style_of(cell->style, &pair);
      setcchar(&out, letter, attributes, pair, NULL);
      mvadd_wch(row, i, &out);
    }
  curs_set(cursor_row > 0);
  if (cursor_row > 0)
    move(cursor_row, cursor_column < COLS ? cursor_column : COLS - 1);
  refresh();
}

/* ---- Keys -------------------------------------------------------------------- */

static int mouse(void) {
  MEVENT e;
  if (getmouse(&e) != OK)
    return SCREEN_REDRAW;
  click_row = e.y;
  click_column = e.x;
  if (e.bstate & BUTTON4_PRESSED)
    return SCREEN_WHEEL_UP;
  if (e.bstate & BUTTON5_PRESSED)
    return SCREEN_WHEEL_DOWN;
  return e.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED) ? SCREEN_CLICK
                                                        : SCREEN_REDRAW;
}

void screen_click(int *row, int *column) {
  *row = click_row;
  *column = click_column;
}

static int named_key(wint_t key) {
  static const struct {
    int curses, ours;
  } keys[] = {{KEY_UP, SCREEN_UP},         {KEY_DOWN, SCREEN_DOWN},
              {KEY_LEFT, SCREEN_LEFT},     {KEY_RIGHT, SCREEN_RIGHT},
              {KEY_HOME, SCREEN_HOME},     {KEY_END, SCREEN_END},
              {KEY_PPAGE, SCREEN_PAGE_UP}, {KEY_NPAGE, SCREEN_PAGE_DOWN},
              {KEY_ENTER, SCREEN_ENTER},   {KEY_BACKSPACE, SCREEN_BACK},
              {KEY_DC, SCREEN_DELETE},     {KEY_RESIZE, SCREEN_REDRAW},
              {KEY_A1, SCREEN_HOME},       {KEY_A3, SCREEN_PAGE_UP},
              {KEY_C1, SCREEN_END},        {KEY_C3, SCREEN_PAGE_DOWN}};
  if (key == KEY_MOUSE)
    return mouse();
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if ((wint_t)keys[i].curses == key)
      return keys[i].ours;
  return SCREEN_REDRAW;
}

static int character(wint_t key) {
  switch (key) {
  case '\r':
  case '\n': return SCREEN_ENTER;
  case 27: return SCREEN_ESCAPE;
  case 8:
  case 127: return SCREEN_BACK;
  case '\t': return SCREEN_TAB;
  case 12: clearok(curscr, TRUE); return SCREEN_REDRAW;
  default: return key < 32 ? SCREEN_REDRAW : (int)key;
  }
}

/* A key, or why there is none: ended, to be drawn again, other news, or after
 * that time nothing. Signals come only while it waits, so that none is
 * missed that comes between the look and the wait. */
static int wait_for_key(int milliseconds, int other, const sigset_t *usual) {
  const struct timespec time = {milliseconds / 1000,
                                milliseconds % 1000 * 1000000L};
  for (;;) {
    wint_t key;
    if (ended_by)
      return SCREEN_ENDED;
    screen_attend();
    const int kind = get_wch(&key);
    if (kind != ERR)
      return kind == KEY_CODE_YES ? named_key(key) : character(key);
    struct pollfd watched[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                               {.fd = other, .events = POLLIN}};
    const int n = ppoll(watched, other >= 0 ? 2 : 1,
                        milliseconds < 0 ? NULL : &time, usual);
    if (n < 0 && errno == EINTR)
      continue; /* ended, stopped, or another size */
    if (n == 0)
      return SCREEN_NONE;
    if (watched[0].revents & (POLLHUP | POLLERR | POLLNVAL)) {
      ended_by = SIGHUP;
      return SCREEN_ENDED;
    }
    if (!(watched[0].revents & POLLIN) && other >= 0 && watched[1].revents)
      return SCREEN_READY;
  }
}

int screen_key(int milliseconds, int other) {
  sigset_t held, usual;
  sigemptyset(&held);
  for (int i = 0; i < ENDS; i++)
    sigaddset(&held, ends[i]);
  sigaddset(&held, SIGWINCH);
  sigaddset(&held, SIGTSTP);
  sigprocmask(SIG_BLOCK, &held, &usual);
  const int key = wait_for_key(milliseconds, other, &usual);
  sigprocmask(SIG_SETMASK, &usual, NULL);
  return key;
}
