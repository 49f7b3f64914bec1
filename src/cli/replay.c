/* salotto replay: a record step by step, through any seat's eyes. */
#include "local.h"
#include "play_plain.h"
#include "positions.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { RUN_PAUSE = 900 };

struct replay {
  struct replay_wish wish;
  struct positions positions;
  int at;
  int pause;
  bool running;
  sal_table *table;
  struct record_names names;
  char status[80];
};

static bool go_to(struct replay *r, int step, struct sal_refusal *why) {
  const int last = r->positions.steps;
  step = step < 0 ? 0 : step > last ? last : step;
  sal_table *t = positions_at(&r->positions, step, why);
  if (!t)
    return false;
  sal_table_free(r->table);
  r->table = t;
  r->at = step;
  return true;
}

static bool replay_open(struct replay *r, const struct replay_wish *w,
                        struct sal_refusal *why) {
  *r = (struct replay){.wish = *w, .pause = RUN_PAUSE};
  why->message[0] = '\0';
  if (!positions_open(&r->positions, w->text, w->length) || !go_to(r, 0, why))
    return false;
  record_names(w, sal_table_players(r->table), &r->names);
  return true;
}

static void replay_close(struct replay *r) {
  sal_table_free(r->table);
  positions_close(&r->positions);
}

/* Through whose eyes, in words. */
static void eyes_of(const struct replay *r, struct sal_text *out) {
  const int v = r->wish.viewer;
  if (v == SAL_EVERYTHING)
    sal_text_add(out, _("everything open"));
  else if (v == SAL_SPECTATOR)
    sal_text_add(out, _("as a spectator"));
  else
    r->names.words.words.seat(&r->names.words.words, v, out);
}

/* ---- On the whole screen -------------------------------------------------------- */

static struct replay *self(const struct host *h) { return h->self; }

static enum host_said show_step(struct host *h) {
  struct replay *r = self(h);
  struct sal_text t;
  scene_forget(&h->scene);
  json_t *told = told_to(r->table, r->wish.viewer, 0, &r->names.words.words);
  if (told) {
    json_object_del(told, "legal");
    scene_tell(&h->scene, told);
  }
  h->scene.seat = r->wish.viewer;
  sal_text_init(&t, r->status, sizeof r->status);
  sal_text_int(&t, r->at);
  sal_text_char(&t, '/');
  sal_text_int(&t, r->positions.steps);
  sal_text_add(&t, " · ");
  eyes_of(r, &t);
  h->status = r->status;
  h->wait = r->running && r->at < r->positions.steps ? r->pause : -1;
  return HOST_CHANGED;
}

static enum host_said step(struct host *h, enum host_jump how, int n) {
  struct sal_refusal why;
  struct replay *r = self(h);
  go_to(r, how == JUMP_BY ? r->at + n : n, &why);
  return show_step(h);
}

static enum host_said go(struct host *h) {
  return self(h)->running ? step(h, JUMP_BY, 1) : HOST_SAME;
}

static enum host_said run_or_stop(struct host *h, int faster) {
  struct replay *r = self(h);
  if (faster)
    r->pause = faster > 0 ? r->pause / 2 + 1 : r->pause * 2;
  else
    r->running = !r->running;
  if (r->pause > 60000)
    r->pause = 60000;
  return show_step(h);
}

static enum host_said eyes(struct host *h, int viewer) {
  struct replay *r = self(h);
  if (viewer >= sal_table_players(r->table))
    return HOST_SAME;
  r->wish.viewer = viewer;
  return show_step(h);
}

static char *rules(struct host *h, const char *rule) {
  return rules_text(sal_table_game(self(h)->table), rule);
}

static enum host_said review(struct host *h) {
  struct replay *r = self(h);
  struct sal_text problem;
  sal_text_init(&problem, h->scene.notice, SCENE_NOTICE_MAX);
  review_screen(&r->wish, r->at, &problem);
  return HOST_SAME;
}

/* On the whole screen, which is open; the signal that ended it, or 0. */
static int replay_screen(const struct replay_wish *w) {
  struct replay r;
  struct sal_refusal why;
  if (!replay_open(&r, w, &why)) {
    replay_close(&r);
    return 0;
  }
  struct host h = {.self = &r,
                   .can = HOST_STEPS | HOST_RUNS | HOST_REVIEWS,
                   .other = -1,
                   .wait = -1,
                   .go = go,
                   .step = step,
                   .run = run_or_stop,
                   .eyes = eyes,
                   .rules = rules,
                   .review = review};
  scene_of_table(&h.scene, r.table, &r.names.words);
  show_step(&h);
  const int ended = parlour_run(&h);
  scene_free(&h.scene);
  replay_close(&r);
  return ended;
}

/* ---- In lines --------------------------------------------------------------------- */

static void print_events(struct replay *r, size_t from) {
  for (size_t n = from; n < sal_table_event_count(r->table); n++) {
    char buffer[SAY_MAX] = "* ";
    struct sal_text t;
    sal_text_init(&t, buffer, sizeof buffer);
    sal_text_add(&t, "* ");
    sal_table_event_say(r->table, n, r->wish.viewer, &r->names.words.words, &t);
    if (t.len > 2)
      print_lines(buffer, 2);
  }
}

static void print_position(struct replay *r) {
  union sal_view_box v;
  char buffer[SAY_MAX];
  struct sal_text t;
  const struct sal_game *g = sal_table_game(r->table);
  sal_text_init(&t, buffer, sizeof buffer);
  sal_table_view(r->table, r->wish.viewer, (sal_view *)v.bytes);
  g->position((const sal_view *)v.bytes, &r->names.words.words, &t);
  print_block(buffer);
  sal_text_clear(&t);
  g->prompt((const sal_view *)v.bytes, &r->names.words.words, &t);
  print_lines(buffer, 0);
}

static void print_step(struct replay *r, size_t events) {
  char eyes_text[64], line[200];
  struct sal_text t;
  sal_text_init(&t, eyes_text, sizeof eyes_text);
  eyes_of(r, &t);
  print_events(r, events);
  snprintf(line, sizeof line, _("\nStep %d of %d (%s)\n"), r->at,
           r->positions.steps, eyes_text);
  print_block(line);
  print_position(r);
}

static bool obey(struct replay *r, const char *line) {
  struct sal_refusal why;
  const char *rest;
  int n;
  size_t events = sal_table_event_count(r->table);
  if (!*line || command_argument(line, N_("next"))) {
    go_to(r, r->at + 1, &why);
  } else if (command_argument(line, N_("back"))) {
    go_to(r, r->at - 1, &why);
    events = sal_table_event_count(r->table);
  } else if ((rest = command_argument(line, N_("jump"))) &&
             sscanf(rest, "%d", &n) == 1) {
    go_to(r, n, &why);
    if (sal_table_event_count(r->table) < events)
      events = sal_table_event_count(r->table);
  } else if (command_argument(line, N_("open"))) {
    r->wish.viewer = SAL_EVERYTHING;
  } else if (command_argument(line, N_("spectator"))) {
    r->wish.viewer = SAL_SPECTATOR;
  } else if ((rest = command_argument(line, N_("seat"))) &&
             sscanf(rest, "%d", &n) == 1 && n >= 0 &&
             n < sal_table_players(r->table)) {
    r->wish.viewer = n;
  } else if (command_argument(line, N_("review"))) {
    review_lines(&r->wish);
    return true;
  } else if (command_argument(line, N_("quit"))) {
    return false;
  } else {
    print_lines(
        _("Enter or 'next': a step on; 'back'; 'jump N'; 'seat S', 'open', "
          "'spectator': whose view; 'review'; 'quit'.\n"),
        0);
    return true;
  }
  print_step(r, events);
  return true;
}

static const char *const *offered(void) {
  static const char *words[9];
  static const char *const commands[] = {
      N_("next"),      N_("back"), N_("jump"),   N_("open"),
      N_("spectator"), N_("seat"), N_("review"), N_("quit")};
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    words[i] = _(commands[i]);
  return words;
}

static int replay_lines(const struct replay_wish *w, bool all,
                        const char *path) {
  struct replay r;
  struct sal_refusal why;
  char line[LINE_MAX_LEN + 2];
  if (!replay_open(&r, w, &why)) {
    replay_close(&r);
    return complain(FAILED, "%s: %s", path, why.message);
  }
  if (all)
    go_to(&r, r.positions.steps, &why);
  print_step(&r, 0);
  while (!all && read_line(line, offered()) && obey(&r, line))
    ;
  replay_close(&r);
  return DONE;
}

/* ---- The command -------------------------------------------------------------------- */

struct wish {
  struct replay_wish what;
  long seat;
  bool plain, all;
};

static bool read_replay_option(int c, char *text, void *wish) {
  struct wish *w = wish;
  switch (c) {
  case 's': return read_number(text, 0, SAL_SEATS_MAX - 1, &w->seat);
  case 'o': w->what.viewer = SAL_EVERYTHING; return true;
  case 'p': w->plain = true; return true;
  case 'a': w->plain = w->all = true; return true;
  default: return read_language(text);
  }
}

/* A record that can be read, and a seat that is at its table. */
static int check_record(const struct wish *w, const char *path) {
  struct sal_refusal why;
  sal_table *t = load_record(w->what.text, w->what.length, NULL, &why);
  int status = DONE;
  if (!t)
    status = complain(FAILED, "%s: %s", path, why.message);
  else if (w->seat >= sal_table_players(t))
    status = misused(&command_replay, _("there are only %d seats."),
                     sal_table_players(t));
  sal_table_free(t);
  return status;
}

static int show_record(const struct wish *w, const char *path) {
  if (w->plain || !screen_possible())
    return replay_lines(&w->what, w->all, path);
  if (!screen_open())
    return complain(FAILED, "%s", _("the terminal cannot be used."));
  const int ended = replay_screen(&w->what);
  screen_close();
  return ended ? 128 + ended : DONE;
}

static int run_replay(int argc, char **argv) {
  static const struct option longs[] = {
      {"seat", required_argument, NULL, 's'}, {"open", no_argument, NULL, 'o'},
      {"plain", no_argument, NULL, 'p'},      {"all", no_argument, NULL, 'a'},
      {"lang", required_argument, NULL, 'L'}, {NULL, 0, NULL, 0}};
  struct wish w = {.what = {.viewer = SAL_SPECTATOR}, .seat = -1};
  const int misread =
      take_options(&command_replay, argc, argv, longs, read_replay_option, &w);
  if (misread != DONE)
    return misread;
  if (optind >= argc)
    return misused(&command_replay, "%s", _("which record?"));
  if (optind + 1 < argc)
    return misused(&command_replay, _("unexpected argument '%s'."),
                   argv[optind + 1]);
  char *text = read_file(argv[optind], &w.what.length);
  if (!text)
    return FAILED;
  w.what.text = text;
  if (w.seat >= 0)
    w.what.viewer = (int)w.seat;
  int status = check_record(&w, argv[optind]);
  if (status == DONE)
    status = show_record(&w, argv[optind]);
  free(text);
  return status;
}

const struct command command_replay = {
    "replay", N_("look at a game record step by step"),
    N_("RECORD [--seat S | --open] [--plain | --all]"),
    N_("  RECORD            the file, or - for standard input\n"
       "  --seat S          what the player at that seat saw, from 0; otherwise\n"
       "                    what spectators saw\n"
       "  --open            everything, hidden cards too\n"
       "  --plain           lines of text instead of the whole screen\n"
       "  --all             all of it at once, as lines\n"
       "  --lang LANG       en or it; otherwise as LANG says\n"),
    run_replay};
