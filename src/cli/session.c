/* A game that is played in this program: see the header. */
#include "session.h"

#include "arena/program.h"
#include "terminal/input.h"
#include "terminal/screen.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* ---- Commands in both languages, whichever is spoken ---------------------- */

static const char *after_word(const char *line, const char *word) {
  const size_t n = strlen(word);
  if (strncasecmp(line, word, n) != 0 || (line[n] && line[n] != ' '))
    return NULL;
  return line + n + strspn(line + n, " ");
}

const char *command_argument(const char *line, const char *command) {
  const char *rest = after_word(line, command);
  return rest ? rest : after_word(line, in_italian(command));
}

/* ---- Bots ------------------------------------------------------------------ */

bool session_level(const char *level) {
  return sal_bot_find(level) || sal_skip(level, "cmd:");
}

bool session_is_bot(const struct session *p, int seat) {
  return p->bot[seat] || p->program[seat];
}

int session_next(const struct session *p, unsigned asked) {
  for (int s = 0; s < SAL_SEATS_MAX; s++)
    if ((asked >> s & 1) && session_is_bot(p, s))
      return s;
  if (p->watcher >= 0 && (asked >> p->watcher & 1))
    return p->watcher;
  return __builtin_ctz(asked);
}

/* On the whole screen signals are only noted: who thinks looks up for them, and
 * has no more time once the program is to end. */
static double attentive_clock(void) {
  screen_attend();
  return screen_signal() ? HUGE_VAL : program_clock();
}

static void consult(struct session *p, const struct sal_bot *bot, int seat,
                    struct sal_question *q, union sal_view_box *view,
                    struct sal_thought *thought) {
  memset(view, 0, sizeof *view);
  sal_table_view(p->table, seat, (sal_view *)view->bytes);
  sal_table_memory(p->table, seat, &p->memory);
  *q = (struct sal_question){
      .game = p->game,
      .players = sal_table_players(p->table),
      .seat = seat,
      .view = (const sal_view *)view->bytes,
      .legal = p->legal,
      .count = sal_table_legal(p->table, seat, p->legal),
      .memory = &p->memory,
      .budget = {.seconds = p->seconds, .clock = attentive_clock},
      .temper = bot ? sal_bot_temper(bot, seat) : SAL_EVEN};
  if (bot)
    bot->think(q, &p->rng, thought);
  else
    sal_advise(q, &p->rng, thought);
}

/* Asks the program of a seat; if it fails the regular plays on. */
static bool ask_program(struct session *p, int seat,
                        char text[SAL_ACTION_TEXT_MAX],
                        struct sal_text *problem) {
  const char *fault = NULL;
  const bool heard = outside_asks(p->program[seat], p, seat, text, &fault);
  if (screen_signal() ||
      (heard && sal_table_try(p->table, seat, text, NULL) == 0))
    return true;
  const struct sal_place places[] = {
      {"seat", SAL_PLACE_SEAT, NULL, seat},
      {"fault", SAL_PLACE_WORD, fault ? fault : N_("illegal action"), 0}};
  sal_say(problem, &p->words.words, false,
          N_("The program of {seat} has failed ({fault}); the intermediate bot "
             "plays on."),
          places, 2);
  outside_free(p->program[seat]);
  p->program[seat] = NULL;
  p->bot[seat] = sal_bot_find("regular");
  return false;
}

const char *const session_no_seed =
    N_("The record goes no further: it does not hold the seed.");

bool session_bot_acts(struct session *p, int seat, struct sal_text *problem) {
  char text[SAL_ACTION_TEXT_MAX];
  struct sal_text t;
  struct sal_refusal why;
  if (!p->program[seat] || !ask_program(p, seat, text, problem)) {
    union sal_view_box view;
    struct sal_question q;
    struct sal_thought thought;
    consult(p, p->bot[seat], seat, &q, &view, &thought);
    sal_text_init(&t, text, sizeof text);
    p->game->action_text(thought.action, &t);
  }
  if (screen_signal()) /* what was thought of in a hurry is not played */
    return true;
  if (sal_table_act(p->table, seat, text, &why) == 0)
    return true;
  session_refusal(p, &why, problem); /* no memory */
  return false;
}

void session_hint(struct session *p, int seat, struct sal_text *out) {
  union sal_view_box view;
  struct sal_question q;
  struct sal_thought thought;
  if (sal_table_waiting(p->table)) {
    sal_text_add(out, _(session_no_seed));
    return;
  }
  consult(p, NULL, seat, &q, &view, &thought);
  sal_advice_say(&q, &thought, &p->words.words, out);
}

/* ---- What is typed --------------------------------------------------------- */

void session_refusal(const struct session *p, const struct sal_refusal *why,
                     struct sal_text *out) {
  if (why->code == SAL_ILLEGAL) {
    sal_text_add(out, _(sal_rule_find(p->game, why->rule)->text));
    sal_text_add(out, " (");
    sal_text_add(out, why->rule);
    sal_text_char(out, ')');
  } else if (why->code == SAL_BAD_ACTION) {
    sal_text_add(out, _("Unknown action; 'help' lists what you can type."));
  } else {
    sal_text_add(out, _(why->message));
  }
}

/* The legal actions in the notation: `count` texts in one block, and pointers to
 * them; freed together with the pointers. */
static const char **legal_texts(const struct session *p, size_t count) {
  char *block = malloc((count + 1) * (sizeof(char *) + SAL_ACTION_TEXT_MAX));
  const char **texts = (const char **)block;
  char *at = block ? block + (count + 1) * sizeof(char *) : NULL;
  for (size_t i = 0; block && i < count; i++) {
    struct sal_text t;
    sal_text_init(&t, at, SAL_ACTION_TEXT_MAX);
    p->game->action_text(p->legal[i], &t);
    texts[i] = at;
    at += SAL_ACTION_TEXT_MAX;
  }
  return texts;
}

static void unclear(const struct input *in, const char *line,
                    struct sal_text *out) {
  char text[600];
  switch (in->kind) {
  case INPUT_NO_CHOICE:
    snprintf(text, sizeof text, _("There is no choice %s."),
             line + (*line == '#'));
    break;
  case INPUT_AMBIGUOUS:
    snprintf(text, sizeof text,
             _("'%s' could mean more than one action, for example '%s'."), line,
             in->action);
    break;
  default:
    sal_text_add(out, _("Unknown action; 'help' lists what you can type."));
    text[0] = '\0';
    if (in->action[0]) {
      sal_text_char(out, '\n');
      snprintf(text, sizeof text, _("Did you mean '%s'?"), in->action);
    }
  }
  sal_text_add(out, text);
}

bool session_act(struct session *p, int seat, const char *line,
                 const char **rule, struct sal_text *out) {
  struct sal_refusal why;
  const size_t n = sal_table_legal(p->table, seat, p->legal);
  const char **texts = legal_texts(p, n);
  if (!texts) {
    sal_text_add(out, _(sal_error_text(SAL_NO_MEMORY)));
    return false;
  }
  const struct input in = input_read(p->game, texts, n, line);
  free(texts);
  *rule = NULL;
  if (in.kind != INPUT_ACTION) {
    unclear(&in, line, out);
    return false;
  }
  if (sal_table_act(p->table, seat, in.action, &why) == 0)
    return true;
  *rule = why.rule;
  session_refusal(p, &why, out);
  return false;
}

void session_why(struct session *p, int seat, const char *action,
                 const char **rule, struct sal_text *out) {
  struct sal_refusal why;
  *rule = NULL;
  if (!*action) {
    sal_text_add(out, _("Say which action: why ACTION."));
  } else if (sal_table_try(p->table, seat, action, &why) == 0) {
    sal_text_add(out, _("This is allowed now."));
  } else {
    *rule = why.code == SAL_ILLEGAL ? why.rule : NULL;
    session_refusal(p, &why, out);
  }
}

/* ---- Passing for good ------------------------------------------------------- */

/* A field of the position as JSON, up to its end, added to a text. */
static void add_field(const char *facts, const char *key,
                      struct sal_text *out) {
  const char *at = strstr(facts, key);
  if (at)
    sal_text_addn(out, at, strcspn(at, ",}"));
}

/* Where the game stands, as far as passing goes: the phase and the round. */
static void step_of(const struct session *p, char step[SESSION_STEP_MAX]) {
  char facts[1 << 15];
  struct sal_text t;
  struct sal_json j;
  sal_text_init(&t, facts, sizeof facts);
  sal_json_init(&j, &t);
  sal_table_facts(p->table, SAL_SPECTATOR, &j, NULL);
  sal_text_init(&t, step, SESSION_STEP_MAX);
  add_field(facts, "\"phase\":", &t);
  add_field(facts, "\"round\":", &t);
}

bool session_pass_all(struct session *p, int seat, struct sal_refusal *why) {
  char step[SESSION_STEP_MAX];
  step_of(p, step);
  if (sal_table_act(p->table, seat, "pass", why) != 0)
    return false;
  strcpy(p->passing[seat], step);
  return true;
}

bool session_passes_again(struct session *p, int seat) {
  char step[SESSION_STEP_MAX];
  if (!p->passing[seat][0])
    return false;
  step_of(p, step);
  return strcmp(step, p->passing[seat]) == 0 &&
         sal_table_act(p->table, seat, "pass", NULL) == 0;
}

/* ---- Nothing is lost --------------------------------------------------------- */

void session_keep(struct session *p, struct sal_text *problem) {
  if (p->people == 0 || (!p->saved[0] && !sal_table_to_act(p->table)))
    return;
  const bool kept =
      p->saved[0] && save_write(p->saved, p->table, &p->seats) == DONE;
  if (!kept && !p->unsaved)
    sal_text_add(problem, _("The game cannot be kept: the disk is full, or the "
                            "folder cannot be written. Save it elsewhere."));
  p->unsaved = !kept; /* the next move tries again */
}

/* A file that exists is only written over if it is a record itself. */
static bool may_write(const char *path) {
  if (access(path, F_OK) != 0)
    return true;
  FILE *f = fopen(path, "r");
  char start[15] = "";
  if (f) {
    const size_t n = fread(start, 1, sizeof start - 1, f);
    start[n] = '\0';
    fclose(f);
  }
  return strcmp(start, "salotto record") == 0;
}

void session_save(struct session *p, const char *path, struct sal_text *out) {
  char text[SAVE_PATH_MAX + 200];
  if (!*path)
    snprintf(text, sizeof text, "%s", _("Say where: save FILE."));
  else if (!may_write(path))
    snprintf(text, sizeof text,
             _("%s exists and is not a saved game; choose another name."),
             path);
  else if (save_write(path, p->table, &p->seats) == DONE)
    snprintf(text, sizeof text, _("Saved in %s."), path);
  else
    snprintf(text, sizeof text, _("%s: the game cannot be saved: %s."), path,
             strerror(errno));
  sal_text_add(out, text);
}

void session_finish(struct session *p, bool over, struct sal_text *out) {
  if (over && p->saved[0])
    save_finish(p->saved);
  else if (!over && p->saved[0] && !p->unsaved)
    sal_text_add(out,
                 _("'salotto play --resume' continues where you left off."));
  if (p->record) {
    if (out->len)
      sal_text_char(out, '\n');
    session_save(p, p->record, out);
  }
}

bool session_commitment(const struct session *p,
                        char hex[2 * SAL_KEY_SIZE + 1]) {
  struct sal_key key;
  struct sal_text t;
  if (!sal_table_commitment(p->table, &key))
    return false;
  sal_text_init(&t, hex, 2 * SAL_KEY_SIZE + 1);
  sal_text_hex(&t, key.bytes, SAL_KEY_SIZE);
  return true;
}

/* ---- Setting up --------------------------------------------------------------- */

static int read_seed(const char *text, const struct command *c,
                     struct sal_key *out) {
  char *end;
  if (!text) {
    sal_key_random(out);
    return DONE;
  }
  if (sal_hex_read(text, out->bytes, SAL_KEY_SIZE))
    return DONE;
  errno = 0;
  const unsigned long long n = strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end || errno)
    return misused(
        c, _("'%s' is not a seed: it takes a whole number or 64 hex digits."),
        text);
  sal_key_number(n, out);
  return DONE;
}

static int open_saved(struct session *p, const char *path) {
  size_t length;
  char *text = read_file(path, &length);
  if (!text)
    return FAILED;
  struct sal_refusal why;
  p->table = load_record(text, length, NULL, &why);
  if (p->table) {
    p->game = sal_table_game(p->table);
    p->known = save_seats_read(text, sal_table_players(p->table), &p->seats);
  }
  free(text);
  return p->table ? DONE : complain(FAILED, "%s: %s", path, why.message);
}

/* The game that was played last and is not over. */
static int open_last(struct session *p) {
  if (!save_latest(p->saved))
    return complain(FAILED, "%s", _("there is no saved game."));
  return open_saved(p, p->saved);
}

static int open_new(struct session *p, const struct wishes *w,
                    const struct command *c) {
  struct sal_plan plan = {0};
  if (!w->game)
    return misused(c, "%s", _("which game?"));
  if (!(plan.game = sal_game_find(w->game)))
    return misused(c, _("there is no game '%s'."), w->game);
  int status =
      read_setup(c, plan.game, w->players, w->option, w->options, &plan.setup);
  if (status == DONE)
    status = read_seed(w->seed, c, &plan.seed);
  if (status != DONE)
    return status;
  p->game = plan.game;
  p->table = sal_table_new(&plan);
  return p->table ? DONE
                  : complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
}

/* ---- Seats --------------------------------------------------------------------- */

static int seat_bot(struct session *p, int seat, const char *level) {
  const char *command = sal_skip(level, "cmd:");
  if (command) {
    if (!(p->program[seat] = outside_new(command)))
      return complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
    const char *word = strrchr(command, '/');
    snprintf(p->name[seat], sizeof p->name[seat], _("Bot %d (%.30s)"), seat + 1,
             word ? word + 1 : command);
  } else {
    if (!(p->bot[seat] = sal_bot_find(level)))
      return complain(FAILED, _("there is no bot '%s'."), level);
    snprintf(p->name[seat], sizeof p->name[seat], _("Bot %d (%s)"), seat + 1,
             _(p->bot[seat]->title));
  }
  p->names[seat] = p->name[seat];
  snprintf(p->seats.level[seat], sizeof p->seats.level[seat], "%s", level);
  return DONE;
}

static void name_seat(struct session *p, int seat, const char *name) {
  if (!name || !*name)
    return;
  snprintf(p->name[seat], sizeof p->name[seat], "%s", name);
  p->names[seat] = p->name[seat];
  snprintf(p->seats.name[seat], SAVE_NAME_MAX, "%s", name);
}

/* As the saved game tells: the same people, the same bots, the same names. */
static int seat_again(struct session *p) {
  const int players = sal_table_players(p->table);
  int first = SAL_SPECTATOR;
  for (int i = 0; i < players; i++) {
    char level[SAVE_LEVEL_MAX];
    strcpy(level, p->seats.level[i]);
    const int status = level[0] ? seat_bot(p, i, level) : DONE;
    if (status != DONE)
      return status;
    char name[SAVE_NAME_MAX];
    strcpy(name, p->seats.name[i]);
    name_seat(p, i, name);
    if (!level[0] && p->people++ == 0)
      first = i;
  }
  p->watcher = p->people == 1 ? first : SAL_SPECTATOR;
  return DONE;
}

/* Who is a person: `people` seats from `seat` on that have no bot. */
static int seat_everyone(struct session *p, const struct wishes *w,
                         const struct command *c) {
  const int players = sal_table_players(p->table);
  p->seconds = w->seconds;
  p->record = w->record;
  if (p->known)
    return seat_again(p);
  if (w->people > players || w->seat >= players)
    return misused(c, _("there are only %d seats."), players);
  int first = SAL_SPECTATOR;
  for (int k = 0; k < players; k++) {
    const int i = (k + w->seat) % players;
    const bool person = !w->bots[i] && p->people < w->people;
    if (person && p->people++ == 0)
      first = i;
    const int status =
        person ? DONE : seat_bot(p, i, w->bots[i] ? w->bots[i] : w->bot);
    if (status != DONE)
      return status;
    name_seat(p, i, w->names[i]);
  }
  p->watcher = p->people == 1 ? first : SAL_SPECTATOR;
  return DONE;
}

/* With a seed that was asked for, the bots have the same luck again too. */
static void seed_luck(struct session *p, const struct wishes *w) {
  struct sal_key bots;
  uint64_t start;
  const struct sal_key *seed = w->seed ? sal_table_seed(p->table) : NULL;
  if (seed)
    sal_chain_key(seed, 1, &bots);
  else
    sal_key_random(&bots);
  memcpy(&start, bots.bytes, sizeof start);
  sal_rng_seed(&p->rng, start);
}

int session_open(struct session *p, const struct wishes *w,
                 const struct command *c) {
  memset(p, 0, sizeof *p);
  int status = w->resume ? open_last(p)
               : w->load ? open_saved(p, w->load)
                         : open_new(p, w, c);
  if (status == DONE)
    status = seat_everyone(p, w, c);
  if (status == DONE && p->people > 0 && !p->saved[0] &&
      sal_table_to_act(p->table) && !save_choose(p->game->info.id, p->saved))
    p->saved[0] = '\0';
  if (status == DONE &&
      !(p->legal = calloc(p->game->info.legal_max, sizeof *p->legal)))
    status = complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
  if (status != DONE)
    return status;
  seed_luck(p, w);
  cli_words_init(&p->words, p->names);
  if (sal_table_waiting(p->table))
    return complain(FAILED, "%s", _(session_no_seed));
  return DONE;
}

void session_close(struct session *p) {
  for (int i = 0; i < SAL_SEATS_MAX; i++)
    outside_free(p->program[i]);
  free(p->legal);
  sal_table_free(p->table);
}
