/* A game in this program on the whole screen.
 *
 * Main invariant: with several people at the keyboard, the scene of one is
 * forgotten before the curtain for the next is drawn. */
#include "local.h"
#include "play_plain.h"

#include <stdlib.h>
#include <string.h>

struct local {
  struct session *p;
  size_t heard; /* events that the scene has */
  char curtain[500];
  int next;  /* who is behind the curtain */
  int pause; /* milliseconds between actions where nobody plays */
  bool stopped;
};

static struct local *self(const struct host *h) { return h->self; }

static void notice(struct host *h, const char *text) {
  snprintf(h->scene.notice, SCENE_NOTICE_MAX, "%s", text);
}

/* ---- Looking ---------------------------------------------------------------- */

static void look(struct host *h) {
  struct local *l = self(h);
  json_t *told =
      told_to(l->p->table, l->p->watcher, l->heard, &l->p->words.words);
  if (!told || !scene_tell(&h->scene, told)) {
    notice(h, _(sal_error_text(SAL_NO_MEMORY)));
    return;
  }
  h->scene.seat = l->p->watcher;
  l->heard = sal_table_event_count(l->p->table);
}

static void look_anew(struct host *h) {
  scene_forget(&h->scene);
  self(h)->heard = 0;
  look(h);
}

static void draw_curtain(struct host *h, int seat) {
  struct local *l = self(h);
  char name[64], say[200], hex[2 * SAL_KEY_SIZE + 1];
  struct sal_text t;
  sal_text_init(&t, name, sizeof name);
  l->p->words.words.seat(&l->p->words.words, seat, &t);
  snprintf(say, sizeof say,
           _("%s, it is your turn: press Enter when nobody else is looking."),
           name);
  sal_text_init(&t, l->curtain, sizeof l->curtain);
  sal_text_add(&t, say);
  if (session_commitment(l->p, hex)) {
    sal_text_add(&t, "\n\n");
    snprintf(say, sizeof say,
             _("Commitment to the deals, for 'salotto verify':\n  %s\n"), hex);
    sal_text_add(&t, say);
  }
  scene_forget(&h->scene);
  h->scene.notice[0] = '\0';
  l->next = seat;
  h->curtain = l->curtain;
}

static void keep(struct host *h) {
  char buffer[SCENE_NOTICE_MAX];
  struct sal_text problem;
  sal_text_init(&problem, buffer, sizeof buffer);
  session_keep(self(h)->p, &problem);
  if (problem.len)
    notice(h, buffer);
}

/* Who comes next: a bot soon, a person now, or nobody any more. */
static enum host_said go_on(struct host *h) {
  struct local *l = self(h);
  struct session *p = l->p;
  const unsigned asked = sal_table_to_act(p->table);
  h->wait = -1;
  if (p->people)
    h->status = "";
  if (sal_table_waiting(p->table)) {
    look(h);
    notice(h, _(session_no_seed));
    return HOST_CHANGED;
  }
  if (!asked) {
    if (p->people != 1) {
      p->watcher = SAL_SPECTATOR;
      look_anew(h);
    } else {
      look(h);
    }
    return HOST_CHANGED;
  }
  const int seat = session_next(p, asked);
  if (session_is_bot(p, seat)) {
    h->wait = l->stopped ? -1 : l->pause;
    if (p->people)
      h->status = _("thinking…");
    if (p->people < 2)
      look(h);
    return HOST_CHANGED;
  }
  if (session_passes_again(p, seat)) {
    keep(h);
    return go_on(h);
  }
  if (p->people > 1 && p->watcher != seat)
    draw_curtain(h, seat);
  else
    look(h);
  return HOST_CHANGED;
}

/* ---- What the loop asks for --------------------------------------------------- */

static enum host_said go(struct host *h) {
  struct local *l = self(h);
  const unsigned asked = sal_table_to_act(l->p->table);
  char buffer[SCENE_NOTICE_MAX];
  struct sal_text problem;
  if (!asked || l->stopped || h->curtain || sal_table_waiting(l->p->table))
    return HOST_SAME;
  const int seat = session_next(l->p, asked);
  if (!session_is_bot(l->p, seat))
    return HOST_SAME;
  sal_text_init(&problem, buffer, sizeof buffer);
  const bool done = session_bot_acts(l->p, seat, &problem);
  if (problem.len)
    notice(h, buffer);
  if (!done)
    return HOST_GONE;
  keep(h);
  return go_on(h);
}

static enum host_said opened(struct host *h) {
  struct local *l = self(h);
  l->p->watcher = l->next;
  h->curtain = NULL;
  look_anew(h);
  return HOST_CHANGED;
}

static bool asked_now(const struct local *l) {
  return l->p->watcher >= 0 &&
         (sal_table_to_act(l->p->table) >> l->p->watcher & 1);
}

static enum host_said played(struct host *h) {
  keep(h);
  return go_on(h);
}

static enum host_said act(struct host *h, const char *action) {
  struct local *l = self(h);
  char buffer[SCENE_NOTICE_MAX];
  const char *rule = NULL;
  struct sal_text t;
  sal_text_init(&t, buffer, sizeof buffer);
  if (!asked_now(l))
    return HOST_SAME;
  if (session_act(l->p, l->p->watcher, action, &rule, &t))
    return played(h);
  notice(h, buffer);
  snprintf(h->scene.refused_by, sizeof h->scene.refused_by, "%s",
           rule ? rule : "");
  return HOST_SAME;
}

static enum host_said undo(struct host *h) {
  struct local *l = self(h);
  char buffer[SCENE_NOTICE_MAX];
  struct sal_refusal why;
  struct sal_text t;
  sal_text_init(&t, buffer, sizeof buffer);
  if (l->p->watcher >= 0 &&
      sal_table_undo(l->p->table, l->p->watcher, &why) == 0)
    return played(h);
  if (l->p->watcher >= 0)
    session_refusal(l->p, &why, &t);
  notice(h, buffer);
  return HOST_SAME;
}

static enum host_said hint(struct host *h) {
  struct local *l = self(h);
  char buffer[SCENE_NOTICE_MAX];
  struct sal_text t;
  if (!asked_now(l))
    return HOST_SAME;
  sal_text_init(&t, buffer, sizeof buffer);
  session_hint(l->p, l->p->watcher, &t);
  notice(h, buffer);
  return HOST_SAME;
}

static enum host_said save(struct host *h, const char *path) {
  char buffer[SCENE_NOTICE_MAX];
  struct sal_text t;
  sal_text_init(&t, buffer, sizeof buffer);
  session_save(self(h)->p, path, &t);
  notice(h, buffer);
  return HOST_SAME;
}

/* A line as it was typed: a command of the plain mode, or an action. */
static enum host_said line(struct host *h, const char *typed) {
  struct local *l = self(h);
  char buffer[SCENE_NOTICE_MAX];
  const char *rest, *rule = NULL;
  struct sal_refusal why;
  struct sal_text t;
  sal_text_init(&t, buffer, sizeof buffer);
  if (command_argument(typed, N_("quit")))
    return HOST_GONE;
  if (command_argument(typed, N_("hint")))
    return hint(h);
  if (command_argument(typed, N_("undo")))
    return undo(h);
  if ((rest = command_argument(typed, N_("save"))))
    return save(h, rest);
  if (!asked_now(l))
    return HOST_SAME;
  if (command_argument(typed, N_("pass all"))) {
    if (session_pass_all(l->p, l->p->watcher, &why))
      return played(h);
    session_refusal(l->p, &why, &t);
  } else if ((rest = command_argument(typed, N_("why")))) {
    session_why(l->p, l->p->watcher, rest, &rule, &t);
  } else {
    return act(h, typed);
  }
  notice(h, buffer);
  snprintf(h->scene.refused_by, sizeof h->scene.refused_by, "%s",
           rule ? rule : "");
  return HOST_SAME;
}

static char *rules(struct host *h, const char *rule) {
  return rules_text(self(h)->p->game, rule);
}

static enum host_said review(struct host *h) {
  struct local *l = self(h);
  char *record = sal_table_record(l->p->table, true);
  struct sal_text problem;
  sal_text_init(&problem, h->scene.notice, SCENE_NOTICE_MAX);
  if (record)
    review_screen(&(struct replay_wish){.text = record,
                                        .length = strlen(record),
                                        .viewer = l->p->people == 1
                                                      ? l->p->watcher
                                                      : SAL_EVERYTHING,
                                        .names = l->p->names},
                  -1, &problem);
  free(record);
  return HOST_SAME;
}

static enum host_said change_pace(struct host *h, int faster) {
  struct local *l = self(h);
  if (faster)
    l->pause = faster > 0 ? l->pause / 2 : l->pause * 2 + 10;
  else
    l->stopped = !l->stopped;
  if (l->pause > 60000)
    l->pause = 60000;
  h->status = l->stopped ? _("paused") : "";
  return go_on(h);
}

int play_screen(struct session *p, double seconds) {
  struct local l = {.p = p, .pause = (int)(seconds * 1000)};
  struct host h = {.self = &l,
                   .other = -1,
                   .go = go,
                   .opened = opened,
                   .act = act,
                   .line = line,
                   .undo = undo,
                   .hint = hint,
                   .save = save,
                   .rules = rules,
                   .review = review,
                   .run = change_pace};
  h.can = HOST_SAVES | HOST_REVIEWS |
          (p->people ? HOST_ACTS | HOST_HINTS | HOST_UNDOES : HOST_RUNS);
  scene_of_table(&h.scene, p->table, &p->words);
  print_welcome(p);
  fflush(stdout);
  if (!screen_open())
    return complain(FAILED, "%s", _("the terminal cannot be used."));
  keep(&h);
  go_on(&h);
  const int ended = parlour_run(&h);
  screen_close();
  scene_free(&h.scene);
  char end[SAVE_PATH_MAX + 300];
  struct sal_text t;
  sal_text_init(&t, end, sizeof end);
  const bool over = sal_table_to_act(p->table) == 0;
  if (over)
    print_prompt(p);
  session_finish(p, over, &t);
  if (t.len)
    print_lines(end, 0);
  return ended ? 128 + ended : DONE;
}
