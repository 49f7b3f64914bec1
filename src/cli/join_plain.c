/* salotto join in lines of text: what comes from the server is printed above the
 * line that is being typed. */
#include "join.h"
#include "local.h"
#include "play_plain.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static size_t print_log(const struct scene *s, size_t from) {
  for (; from < s->logged; from++) {
    char text[1000];
    snprintf(text, sizeof text, "* %s", s->log[from]);
    print_lines(text, 2);
  }
  return s->logged;
}

static void print_choices(const struct scene *s) {
  for (size_t i = 0; i < s->count; i++) {
    char text[1000];
    snprintf(text, sizeof text, "%4zu  %s  %s", i + 1, s->choices[i].say,
             s->choices[i].notation);
    print_lines(text, 6);
  }
}

/* What is new since it was last printed. */
static void print_news(const struct scene *s, const json_t **shown,
                       size_t *logged) {
  *logged = print_log(s, *logged);
  if (s->told && *shown != s->told) {
    *shown = s->told;
    if (s->count || scene_over(s) || s->seat < 0) {
      putchar('\n');
      print_block(s->position);
    }
    print_lines(s->prompt, 0);
    print_choices(s);
  }
  if (s->notice[0])
    print_lines(s->notice, 0);
}

/* The table in lines. */
struct lines {
  struct join *j;
  const json_t *shown; /* what was told when it was printed last */
  size_t logged;
  const char **offered; /* to be freed */
  bool lost;            /* the connection, and it was said */
};

static int news_descriptor(void *self) {
  const struct lines *l = self;
  return link_descriptor(l->j->link);
}

/* The connection once more; false: not yet. */
static bool connect_again(struct lines *l) {
  if (!l->lost) {
    hide_line();
    print_lines(_("The connection is lost; trying again."), 0);
  }
  l->lost = !join_again(l->j);
  return !l->lost;
}

/* False: it is over, and nobody can type more. */
static bool hear_news(void *self) {
  struct lines *l = self;
  struct scene *s = l->j->scene;
  if (link_descriptor(l->j->link) < 0 && !connect_again(l))
    return true;
  if (join_hear(l->j) && !l->j->failed) {
    hide_line();
    print_news(s, &l->shown, &l->logged);
    s->notice[0] = '\0';
  }
  return !l->j->failed && (!scene_over(s) || isatty(STDIN_FILENO));
}

/* The legal actions and the commands. */
static const char *const *offered(void *self) {
  static const char *const commands[] = {
      N_("help"),   N_("hint"),    N_("why"),    N_("undo"), N_("say"),
      N_("resign"), N_("rematch"), N_("review"), N_("quit")};
  const size_t more = sizeof commands / sizeof *commands;
  struct lines *l = self;
  const struct scene *s = l->j->scene;
  const char **texts =
      realloc(l->offered, (s->count + more + 1) * sizeof *texts);
  if (!texts)
    return NULL;
  l->offered = texts;
  for (size_t i = 0; i < s->count; i++)
    texts[i] = s->choices[i].notation;
  for (size_t i = 0; i < more; i++)
    texts[s->count + i] = _(commands[i]);
  texts[s->count + more] = NULL;
  return texts;
}

static void show_help(void) {
  print_block(_(
      "Type an action in the notation or its beginning (take RL, RL), an amount\n"
      "(5 bets 5), the number of a choice (#3, or 3 where nothing is an amount), or:\n"
      "  help         this list\n"
      "  look         the position and your choices again\n"
      "  hint         what the expert would do here, and why\n"
      "  why ACTION   whether an action is allowed, and by which rule not\n"
      "  rules [RULE] the rules of the game, or one of them\n"
      "  undo         undo your last action, if it revealed nothing\n"
      "  say TEXT     say something in the chat\n"
      "  save FILE    save the record of the finished game\n"
      "  review       what each decision was worth, when the game is over\n"
      "  resign       resign the game\n"
      "  rematch      play again with the same people\n"
      "  quit         leave the table; the same command comes back to it"));
  putchar('\n');
}

static void print_review(struct join *j) {
  const char *names[SAL_SEATS_MAX];
  char *record = scene_over(j->scene) ? join_record(j) : NULL;
  for (int i = 0; i < SAL_SEATS_MAX; i++)
    names[i] = j->scene->names[i];
  if (record)
    review_lines(&(struct replay_wish){.text = record,
                                       .length = strlen(record),
                                       .viewer = j->scene->seat,
                                       .names = names});
  else
    print_lines(scene_over(j->scene)
                    ? _(join_no_record)
                    : _("The game is not over: only finished games are "
                        "reviewed."),
                0);
  free(record);
}

/* What only prints something; false: it is no such line. */
static bool print_what(struct lines *l, const char *line) {
  const char *rest;
  if (command_argument(line, N_("help"))) {
    show_help();
  } else if (command_argument(line, N_("look"))) {
    l->shown = NULL;
    print_news(l->j->scene, &l->shown, &l->logged);
  } else if (command_argument(line, N_("review"))) {
    print_review(l->j);
  } else if ((rest = command_argument(line, N_("rules"))) && l->j->game) {
    if (!print_rules_of(l->j->game, *rest ? rest : NULL))
      puts(_("The game has no such rule."));
  } else if ((rest = command_argument(line, N_("save"))) && *rest) {
    join_save(l->j, rest);
    print_lines(l->j->scene->notice, 0);
    l->j->scene->notice[0] = '\0';
  } else {
    return false;
  }
  return true;
}

static void answer_line(struct lines *l, const char *line, bool *more) {
  struct scene *s = l->j->scene;
  if (!*line || print_what(l, line))
    return;
  *more = join_obey(l->j, line);
  if (s->notice[0])
    print_lines(s->notice, 0);
  s->notice[0] = '\0';
}

int join_plain(struct join *j) {
  static struct scene s;
  struct sal_speaker words;
  struct lines l = {.j = j};
  const struct beside news = {&l, news_descriptor, hear_news, offered};
  char typed[LINE_MAX_LEN + 2];
  bool more = true;
  cli_words_init(&words, NULL);
  s.words = &words.words;
  s.seat = SAL_SPECTATOR;
  j->scene = &s;
  while (more && hear_news(&l) && read_line_beside(typed, &news))
    answer_line(&l, typed, &more);
  const int status = j->failed ? complain(FAILED, "%s", s.notice) : DONE;
  scene_free(&s);
  free(l.offered);
  return status;
}
