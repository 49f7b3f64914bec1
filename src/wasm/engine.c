/* The engine inside a page: one table, asked by a worker of the page.
 *
 * Calls take numbers and texts closed by NUL, which the page writes into memory
 * from `engine_room`, and answer with numbers or with JSON that stays valid
 * until the next call. Whoever sits at the page asks for one seat; the worker
 * keeps the others' answers to itself, as a server would.
 *
 * Main invariant: what is told is made by `sal_table_tell` for one viewer. */
#include "salotto/bot.h"
#include "salotto/buffer.h"
#include "salotto/catalogue.h"
#include "salotto/memory.h"
#include "salotto/problem.h"
#include "salotto/review.h"
#include "salotto/solve.h"
#include "salotto/solve_favor.h"
#include "salotto/solve_traps.h"
#include "salotto/table.h"

#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name), used)) name

enum { SENTENCE = 2048 };

static struct sal_plan plan;
static sal_table *table;
static struct sal_catalogue catalogue;
static char *names[SAL_SEATS_MAX];

/* ---- Memory and answers -------------------------------------------------- */

static struct sal_buffer answer;

void *EXPORT(engine_room)(size_t size);
void *EXPORT(engine_room)(size_t size) { return malloc(size); }

void EXPORT(engine_free)(void *at);
void EXPORT(engine_free)(void *at) { free(at); }

struct members {
  sal_write *write;
  const void *what;
};

static void write_object(struct sal_json *j, const void *what) {
  const struct members *m = what;
  sal_json_object(j, NULL);
  m->write(j, m->what);
  sal_json_end(j, '}');
}

static const char *write_json(sal_write *write, const void *what) {
  const struct members m = {write, what};
  return sal_buffer_compose(&answer, write_object, &m, SIZE_MAX) ? answer.at
                                                                 : NULL;
}

static void write_nothing(struct sal_json *j, const void *what) {
  (void)what;
  sal_json_bool(j, "ok", true);
}

static void speaker_init(struct sal_speaker *s) {
  sal_speaker_init(s, &catalogue, (const char *const *)names);
}

static sal_table *load_record(const char *record, size_t length,
                              struct sal_audit *audit,
                              struct sal_refusal *why) {
  struct sal_speaker words;
  speaker_init(&words);
  return sal_table_load_in(record, length, &words.words, audit, why);
}

/* Who is asked for what instead: it follows from what all see. */
static void say_turn(char *out, size_t size) {
  struct sal_text t;
  struct sal_speaker words;
  union sal_view_box view;
  sal_text_init(&t, out, size);
  speaker_init(&words);
  sal_table_view(table, SAL_SPECTATOR, (sal_view *)view.bytes);
  plan.game->prompt((const sal_view *)view.bytes, &words.words, &t);
}

/* A refusal in the language of the page. */
static void write_refusal(struct sal_json *j, const void *what) {
  const struct sal_refusal *why = what;
  const char *message = why->message;
  char turn[SAL_MESSAGE_MAX];
  if (why->rule) {
    message = sal_rule_find(plan.game, why->rule)->text;
  } else if (why->code == SAL_NOT_YOUR_TURN) {
    say_turn(turn, sizeof turn);
    message = turn;
  } else if (why->code == SAL_BAD_ACTION) {
    message = sal_error_text(why->code);
  }
  sal_json_bool(j, "ok", false);
  sal_json_string(j, "code", sal_error_name(why->code));
  if (why->rule)
    sal_json_string(j, "rule", why->rule);
  sal_json_string(j, "message", sal_catalogue_text(&catalogue, message));
}

static const char *answered(int error, const struct sal_refusal *why) {
  return error ? write_json(write_refusal, why)
               : write_json(write_nothing, NULL);
}

/* ---- Setting up ---------------------------------------------------------- */

/* The bytes of a compiled catalogue, which stay the engine's. No size:
 * English. */
int EXPORT(engine_language)(const void *mo, size_t size);
int EXPORT(engine_language)(const void *mo, size_t size) {
  return sal_catalogue_open(&catalogue, mo, size) || size == 0;
}

void EXPORT(engine_name)(int seat, const char *name);
void EXPORT(engine_name)(int seat, const char *name) {
  free(names[seat]);
  names[seat] = *name ? strdup(name) : NULL;
}

/* Lays out a game with its default options and a random seed. */
int EXPORT(engine_lay)(const char *game, int players);
int EXPORT(engine_lay)(const char *game, int players) {
  const struct sal_game *g = sal_game_find(game);
  if (!g || players < g->info.players_min || players > g->info.players_max)
    return 0;
  sal_table_free(table);
  table = NULL;
  if (plan.deals)
    sal_deals_free(plan.deals);
  plan = (struct sal_plan){.game = g};
  sal_setup_default(g, players, &plan.setup);
  sal_key_random(&plan.seed);
  return 1;
}

int EXPORT(engine_option)(const char *name, const char *value);
int EXPORT(engine_option)(const char *name, const char *value) {
  const int option = sal_option_find(plan.game, name);
  return option >= 0 && sal_option_parse(plan.game, option, plan.setup.players,
                                         value, &plan.setup.option[option]);
}

/* Fixes the next card of a pile; `opens` for the first one of a list. */
const char *EXPORT(engine_deal)(int entry, const char *pile, int list,
                                const char *card);
const char *EXPORT(engine_deal)(int entry, const char *pile, int list,
                                const char *card) {
  struct sal_refusal why;
  if (!plan.deals)
    plan.deals = sal_deals_new(plan.game, &plan.setup);
  if (!plan.deals)
    return answered(sal_refuse(&why, SAL_NO_MEMORY, NULL, NULL), &why);
  return answered(*card ? sal_deals_card(plan.deals, card, &why)
                        : sal_deals_open(plan.deals, entry, pile, list, &why),
                  &why);
}

const char *EXPORT(engine_begin)(void);
const char *EXPORT(engine_begin)(void) {
  struct sal_refusal why;
  const int wrong = plan.deals ? sal_deals_check(plan.deals, &why) : 0;
  if (wrong)
    return answered(wrong, &why);
  table = sal_table_new(&plan);
  plan.deals = NULL; /* the table's */
  return answered(table ? 0 : sal_refuse(&why, SAL_NO_MEMORY, NULL, NULL),
                  &why);
}

/* ---- Playing ------------------------------------------------------------- */

unsigned EXPORT(engine_to_act)(void);
unsigned EXPORT(engine_to_act)(void) { return sal_table_to_act(table); }

struct telling {
  int viewer;
  size_t since;
};

static void write_told(struct sal_json *j, const void *what) {
  const struct telling *t = what;
  struct sal_speaker words;
  struct sal_key commitment;
  speaker_init(&words);
  if (sal_table_commitment(table, &commitment)) {
    char hex[2 * SAL_KEY_SIZE + 1];
    struct sal_text out;
    sal_text_init(&out, hex, sizeof hex);
    sal_text_hex(&out, commitment.bytes, SAL_KEY_SIZE);
    sal_json_string(j, "commitment", hex);
  }
  sal_table_tell(table, t->viewer, t->since, &words.words, j);
}

const char *EXPORT(engine_tell)(int viewer, size_t since);
const char *EXPORT(engine_tell)(int viewer, size_t since) {
  return write_json(write_told, &(struct telling){viewer, since});
}

const char *EXPORT(engine_act)(int seat, const char *action);
const char *EXPORT(engine_act)(int seat, const char *action) {
  struct sal_refusal why;
  return answered(sal_table_act(table, seat, action, &why), &why);
}

const char *EXPORT(engine_try)(int seat, const char *action);
const char *EXPORT(engine_try)(int seat, const char *action) {
  struct sal_refusal why;
  return answered(sal_table_try(table, seat, action, &why), &why);
}

const char *EXPORT(engine_undo)(int seat);
const char *EXPORT(engine_undo)(int seat) {
  struct sal_refusal why;
  return answered(sal_table_undo(table, seat, &why), &why);
}

/* Back to the seat's last decision, whatever was learned: among bots. */
const char *EXPORT(engine_rewind)(int seat);
const char *EXPORT(engine_rewind)(int seat) {
  struct sal_refusal why;
  return answered(sal_table_rewind(table, seat, &why), &why);
}

/* ---- Thinking ------------------------------------------------------------ */

struct thinking {
  struct sal_question question;
  struct sal_thought thought;
  bool advice;
};

static void write_action(struct sal_json *j, sal_action a) {
  char text[SAL_ACTION_TEXT_MAX];
  struct sal_text out;
  sal_text_init(&out, text, sizeof text);
  plan.game->action_text(a, &out);
  sal_json_string(j, "action", text);
}

static void write_thought(struct sal_json *j, const void *what) {
  const struct thinking *t = what;
  struct sal_speaker words;
  char text[SENTENCE];
  struct sal_text out;
  speaker_init(&words);
  sal_text_init(&out, text, sizeof text);
  sal_json_bool(j, "ok", true);
  write_action(j, t->thought.action);
  if (t->advice) {
    sal_advice_say(&t->question, &t->thought, &words.words, &out);
    sal_json_string(j, "say", text);
  }
  sal_json_list(j, "candidates");
  for (size_t i = 0; i < t->thought.count; i++) {
    const struct sal_candidate *c = &t->thought.candidate[i];
    sal_json_object(j, NULL);
    write_action(j, c->action);
    sal_json_int(j, "value", (int64_t)(100 * c->value + 0.5));
    sal_json_int(j, "share", (int64_t)(100 * c->share + 0.5));
    sal_json_end(j, '}');
  }
  sal_json_end(j, ']');
}

/* What a bot of that level would do at the seat, or would advise; values in
 * hundredths. */
const char *EXPORT(engine_think)(int seat, const char *level, double seconds,
                                 int advice);
const char *EXPORT(engine_think)(int seat, const char *level, double seconds,
                                 int advice) {
  static struct sal_memory memory;
  const struct sal_bot *bot = sal_bot_find(level);
  struct sal_refusal why;
  struct sal_rng rng;
  union sal_view_box view;
  struct sal_key random;
  uint64_t number;
  sal_action *legal = malloc(plan.game->info.legal_max * sizeof *legal);
  const size_t count =
      legal && seat >= 0 ? sal_table_legal(table, seat, legal) : 0;
  if (!bot || count == 0) {
    free(legal);
    return answered(sal_refuse(&why, SAL_NOT_YOUR_TURN, NULL, NULL), &why);
  }
  sal_table_view(table, seat, (sal_view *)view.bytes);
  sal_table_memory(table, seat, &memory);
  sal_key_random(&random);
  memcpy(&number, random.bytes, sizeof number);
  sal_rng_seed(&rng, number);
  struct thinking t = {{.game = plan.game,
                        .players = plan.setup.players,
                        .seat = seat,
                        .view = (const sal_view *)view.bytes,
                        .legal = legal,
                        .count = count,
                        .memory = &memory,
                        .budget = sal_budget_seconds(seconds),
                        .temper = sal_bot_temper(bot, seat)},
                       {0},
                       advice != 0};
  if (t.advice)
    sal_advise(&t.question, &rng, &t.thought);
  else
    bot->think(&t.question, &rng, &t.thought);
  const char *out = write_json(write_thought, &t);
  free(legal);
  return out;
}

/* Lets the master play by a policy (share/doors.policy and so on) that the page
 * has fetched into room of engine_room, which is kept from now on; 0 if it is no
 * sound one. Until the first the master is not offered. */
static sal_doors_policy *policy;
static sal_favor_policy *favor_policy;
static sal_traps_policy *traps_policy;

static bool teach_doors(const unsigned char *bytes, size_t n) {
  sal_doors_policy *fresh = sal_doors_policy_open(bytes, n);
  if (!fresh)
    return false;
  sal_master_teach(fresh);
  sal_doors_policy_close(policy);
  policy = fresh;
  return true;
}

static bool teach_favor(const unsigned char *bytes, size_t n) {
  sal_favor_policy *fresh = sal_favor_policy_open(bytes, n);
  if (!fresh)
    return false;
  sal_master_teach_favor(fresh);
  sal_favor_policy_close(favor_policy);
  favor_policy = fresh;
  return true;
}

static bool teach_traps(const unsigned char *bytes, size_t n) {
  sal_traps_policy *fresh = sal_traps_policy_open(bytes, n);
  if (!fresh)
    return false;
  sal_master_teach_traps(fresh);
  sal_traps_policy_close(traps_policy);
  traps_policy = fresh;
  return true;
}

int EXPORT(engine_teach)(const unsigned char *bytes, size_t n);
int EXPORT(engine_teach)(const unsigned char *bytes, size_t n) {
  return teach_doors(bytes, n) || teach_favor(bytes, n) ||
         teach_traps(bytes, n);
}

/* ---- Exploring ------------------------------------------------------------ */

struct explored {
  struct sal_doors_line line;
  struct sal_doors_explored at;
  int blueprint;
};

static void write_explored(struct sal_json *j, const void *what) {
  const struct explored *x = what;
  sal_json_bool(j, "ok", true);
  sal_doors_explored_tell(&x->at, &x->line, x->blueprint, j);
}

/* A place in a round of Doors by the policy that was taught (docs/review.md);
 * refused without one, or for a line that cannot be. */
const char *EXPORT(engine_explore)(const char *line, int blueprint,
                                   unsigned iterations, int worth);
const char *EXPORT(engine_explore)(const char *line, int blueprint,
                                   unsigned iterations, int worth) {
  static sal_doors_explorer *explorer;
  static const sal_doors_policy *known;
  struct explored x = {.blueprint = blueprint};
  struct sal_refusal why;
  if (known != policy) {
    sal_doors_explorer_free(explorer);
    explorer = policy ? sal_doors_explorer_new(policy) : NULL;
    known = policy;
  }
  if (explorer && sal_doors_line_read(line, &x.line, NULL) &&
      sal_doors_explore(explorer, blueprint, &x.line, iterations, worth != 0,
                        &x.at))
    return write_json(write_explored, &x);
  sal_refuse(&why, SAL_BAD_REQUEST, NULL, NULL);
  return write_json(write_refusal, &why);
}

/* ---- Records ------------------------------------------------------------- */

static void write_record(struct sal_json *j, const void *what) {
  sal_json_string(j, "record", what);
}

/* For everybody to see; with `secret` the worker's own, to play on from. */
const char *EXPORT(engine_record)(int secret);
const char *EXPORT(engine_record)(int secret) {
  char *text = sal_table_record(table, secret || sal_table_to_act(table) == 0);
  const char *out = text ? write_json(write_record, text) : NULL;
  free(text);
  return out;
}

/* Goes on with the game of a record; nothing changes if it is not sound. */
const char *EXPORT(engine_load)(const char *record, size_t length);
const char *EXPORT(engine_load)(const char *record, size_t length) {
  struct sal_refusal why;
  sal_table *loaded = load_record(record, length, NULL, &why);
  if (!loaded) {
    why.rule = NULL; /* of whatever game the record is of */
    return write_json(write_refusal, &why);
  }
  sal_table_free(table);
  sal_deals_free(plan.deals);
  table = loaded;
  plan = (struct sal_plan){.game = sal_table_game(loaded)};
  plan.setup.players = sal_table_players(loaded);
  return write_json(write_nothing, NULL);
}

static void write_audit(struct sal_json *j, const void *what) {
  const struct sal_audit *a = what;
  sal_json_bool(j, "ok", true);
  sal_json_int(j, "actions", (int64_t)a->actions);
  sal_json_int(j, "given", (int64_t)a->draws_given);
  sal_json_int(j, "checked", (int64_t)a->draws_checked);
  sal_json_int(j, "unchecked", (int64_t)a->draws_unchecked);
  sal_json_bool(j, "committed", a->committed);
  sal_json_bool(j, "seeded", a->seeded);
  sal_json_int(j, "keys", (int64_t)a->keys);
  sal_json_int(j, "parts", a->parts);
  sal_json_bits(j, "withheld", a->withheld);
  sal_json_bool(j, "proven", sal_audit_proven(a));
}

/* Reads a record and recomputes its deals; the table is not touched. */
const char *EXPORT(engine_verify)(const char *record, size_t length);
const char *EXPORT(engine_verify)(const char *record, size_t length) {
  struct sal_audit audit;
  struct sal_refusal why;
  sal_table *loaded = load_record(record, length, &audit, &why);
  if (!loaded) {
    why.rule = NULL; /* of whatever game the record is of */
    return write_json(write_refusal, &why);
  }
  sal_table_free(loaded);
  return write_json(write_audit, &audit);
}

/* ---- Reviews --------------------------------------------------------------- */

static sal_table *reviewed;
static sal_review *review;

static void write_review(struct sal_json *j, const void *what) {
  (void)what;
  sal_json_bool(j, "ok", true);
  sal_review_tell_head(review, j);
}

/* Begins to review the game of a record, in place of another; the table is not
 * touched. 0 playouts: the usual depth. The answer has all but steps and seats
 * (docs/review.md). */
const char *EXPORT(engine_review)(const char *record, size_t length,
                                  unsigned playouts);
const char *EXPORT(engine_review)(const char *record, size_t length,
                                  unsigned playouts) {
  const struct sal_review_wish wish = {1, playouts, (playouts + 3) / 4};
  struct sal_refusal why;
  sal_review_free(review);
  sal_table_free(reviewed);
  review = NULL;
  reviewed = load_record(record, length, NULL, &why);
  if (reviewed)
    review = sal_review_new(reviewed, &wish, &why);
  if (!review)
    why.rule = NULL; /* of whatever game the record is of */
  return review ? write_json(write_review, NULL)
                : write_json(write_refusal, &why);
}

static void write_next(struct sal_json *j, const void *what) {
  struct sal_speaker words;
  const bool *more = what;
  const size_t done = sal_review_done(review);
  speaker_init(&words);
  sal_json_bool(j, "ok", true);
  sal_json_int(j, "done", (int64_t)done);
  sal_json_list(j, "steps");
  if (*more)
    sal_review_tell_step(review, done - 1, &words.words, j);
  sal_json_end(j, ']');
  if (done == sal_review_steps(review))
    sal_review_tell_seats(review, &words.words, j);
}

/* The next step, and with the last one the seats. */
const char *EXPORT(engine_review_next)(void);
const char *EXPORT(engine_review_next)(void) {
  struct sal_refusal why;
  if (!review)
    return answered(sal_refuse(&why, SAL_NO_TABLE, NULL, NULL), &why);
  const bool more = sal_review_next(review);
  return write_json(write_next, &more);
}

/* ---- Problems -------------------------------------------------------------- */

struct weighed {
  const struct sal_weighing *w;
  const sal_view *view;
};

static void write_said(struct sal_json *j, const sal_view *view, sal_action a) {
  struct sal_speaker words;
  char text[SENTENCE];
  struct sal_text out;
  speaker_init(&words);
  sal_text_init(&out, text, sizeof text);
  plan.game->action_say(view, a, &words.words, &out);
  sal_json_string(j, "say", text);
}

static void write_weighed(struct sal_json *j, const void *what) {
  const struct weighed *t = what;
  sal_json_bool(j, "ok", true);
  sal_json_list(j, "weighed");
  for (size_t i = 0; i < t->w->count; i++) {
    sal_json_object(j, NULL);
    write_action(j, t->w->weighed[i].action);
    write_said(j, t->view, t->w->weighed[i].action);
    sal_json_int(j, "lost", sal_weighing_lost(t->w, i));
    sal_json_end(j, '}');
  }
  sal_json_end(j, ']');
}

/* What a seat could do and this action, compared from what the seat knows: what
 * each loses on the best, in millionths. */
const char *EXPORT(engine_weigh)(int seat, const char *action);
const char *EXPORT(engine_weigh)(int seat, const char *action) {
  enum { SEED = 1 };
  struct sal_refusal why;
  struct sal_weighing w;
  struct sal_rng rng;
  union sal_view_box view;
  const sal_action also = sal_table_read(table, seat, action, &why);
  if (!also)
    return write_json(write_refusal, &why);
  sal_rng_seed(&rng, SEED);
  const int wrong = sal_table_weigh(table, seat, also, 0, &rng, &w, &why);
  if (wrong)
    return answered(wrong, &why);
  sal_table_view(table, seat, (sal_view *)view.bytes);
  return write_json(write_weighed,
                    &(struct weighed){&w, (const sal_view *)view.bytes});
}

struct saying {
  const sal_view *view;
  sal_action action;
};

static void write_saying(struct sal_json *j, const void *what) {
  const struct saying *s = what;
  sal_json_bool(j, "ok", true);
  write_said(j, s->view, s->action);
}

/* What an action of a seat means, in words. */
const char *EXPORT(engine_say)(int seat, const char *action);
const char *EXPORT(engine_say)(int seat, const char *action) {
  struct sal_refusal why;
  union sal_view_box view;
  const sal_action a = sal_table_read(table, seat, action, &why);
  if (!a)
    return write_json(write_refusal, &why);
  sal_table_view(table, seat, (sal_view *)view.bytes);
  return write_json(write_saying,
                    &(struct saying){(const sal_view *)view.bytes, a});
}

static void write_themes(struct sal_json *j, const void *what) {
  sal_json_list(j, "themes");
  for (const struct sal_theme *t = what; t->id; t++) {
    sal_json_object(j, NULL);
    sal_json_string(j, "theme", t->id);
    sal_json_string(j, "title", sal_catalogue_text(&catalogue, t->title));
    sal_json_end(j, '}');
  }
  sal_json_end(j, ']');
}

/* What problems of a game are about. */
const char *EXPORT(engine_themes)(const char *game);
const char *EXPORT(engine_themes)(const char *game) {
  const struct sal_game *g = sal_game_find(game);
  static const struct sal_theme none;
  return write_json(write_themes, g ? sal_themes(g) : &none);
}

/* ---- The games ----------------------------------------------------------- */

/* The offer, and as `bots` the levels that can play at this moment. */
static void write_games(struct sal_json *j, const void *what) {
  struct sal_speaker words;
  (void)what;
  speaker_init(&words);
  sal_offer_tell(&words.words, true, j);
  sal_json_list(j, "bots");
  for (size_t i = 0; sal_bots[i]; i++)
    if (policy || favor_policy || traps_policy ||
        strcmp(sal_bots[i]->id, "master") != 0)
      sal_json_string(j, NULL, sal_bots[i]->id);
  sal_json_end(j, ']');
}

const char *EXPORT(engine_games)(void);
const char *EXPORT(engine_games)(void) { return write_json(write_games, NULL); }
