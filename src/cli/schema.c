/* salotto schema: what states, events and messages look like, for programs that
 * read them in a typed language.
 *
 * States and events are what the games themselves write: games are played, the
 * same each time, by bots and at random, for every number of players and every
 * value of every option, and what every viewer is told is looked at. Messages
 * are as the server says them (src/server/net/message_schema.c); the tests hold
 * every message that they get against that. */
#include "cli.h"
#include "server.h"
#include "shape.h"

#include <stdlib.h>
#include <string.h>

/* So many positions are looked at for each number of players, and of each option
 * a part of that. */
enum {
  LOOKS = 6000,
  LOOKS_OPTION = 1500,
  SIMULATIONS = 20,
  TEXT_MAX = 1 << 22
};

struct learner {
  const struct sal_game *game;
  struct shape *state;
  json_t *names; /* of events, each with its place in the list below */
  struct shape **events;
  size_t count, size;
  struct sal_buffer text;
  struct sal_rng rng;
  int looks;
  bool no_memory;
};

/* ---- Looking ----------------------------------------------------------------- */

struct look {
  const sal_table *table;
  int viewer;
  size_t event;
};

static void write_state(struct sal_json *j, const void *what) {
  const struct look *l = what;
  sal_table_facts(l->table, l->viewer, j, NULL);
}

static void write_event(struct sal_json *j, const void *what) {
  const struct look *l = what;
  sal_table_event_facts(l->table, l->event, l->viewer, j);
}

/* NULL: no memory. */
static json_t *read_back(struct learner *e, sal_write *write,
                         const struct look *l) {
  json_t *value = sal_buffer_compose(&e->text, write, l, TEXT_MAX)
                      ? json_loadb(e->text.at, e->text.len, 0, NULL)
                      : NULL;
  e->no_memory |= !value;
  return value;
}

static struct shape *event_named(struct learner *e, const char *name) {
  json_t *at = json_object_get(e->names, name);
  if (at)
    return e->events[json_integer_value(at)];
  void *events = e->events;
  const bool room =
      sal_array_grow(&events, e->count, &e->size, sizeof *e->events);
  e->events = events;
  struct shape *new = room ? shape_new() : NULL;
  if (!new)
    return NULL;
  json_object_set_new(e->names, name, json_integer((json_int_t)e->count));
  return e->events[e->count++] = new;
}

static void look_at_event(struct learner *e, const struct look *l) {
  json_t *value = read_back(e, write_event, l);
  const char *name = json_string_value(json_object_get(value, "event"));
  struct shape *s = name ? event_named(e, name) : NULL;
  e->no_memory |= !s || !shape_learn(s, value);
  json_decref(value);
}

/* An option that is a file is "given" where there is one. */
static void learn_state(struct learner *e, json_t *state) {
  const struct sal_option *o = e->game->info.options;
  json_t *options = json_object_get(state, "options");
  e->no_memory |= !shape_learn(e->state, state);
  for (; o->name; o++)
    if (o->kind == SAL_OPTION_FILE) {
      json_object_set_new(options, o->name, json_string("given"));
      e->no_memory |= !shape_learn(e->state, state);
    }
}

/* What one viewer sees, each in turn; events as everybody sees them. */
static void look_at(struct learner *e, const sal_table *t, size_t since) {
  const int players = sal_table_players(t);
  struct look l = {t, e->looks++ % (players + 1) + SAL_SPECTATOR, since};
  json_t *state = read_back(e, write_state, &l);
  if (state)
    learn_state(e, state);
  json_decref(state);
  for (l.viewer = SAL_SPECTATOR; l.viewer < players; l.viewer++)
    for (l.event = since; l.event < sal_table_event_count(t); l.event++)
      look_at_event(e, &l);
}

/* ---- Playing ----------------------------------------------------------------- */

/* What a bot does that plays passably: so that what seldom happens at random
 * comes up too, a bet that is met, a claim. */
static sal_action ask_bot(struct learner *e, const sal_table *t, int seat,
                          const sal_action *legal, size_t count) {
  union sal_view_box view;
  struct sal_thought thought = {0};
  memset(&view, 0, sizeof view);
  sal_table_view(t, seat, (sal_view *)view.bytes);
  const struct sal_question q = {.game = e->game,
                                 .players = sal_table_players(t),
                                 .seat = seat,
                                 .view = (const sal_view *)view.bytes,
                                 .legal = legal,
                                 .count = count,
                                 .budget = sal_budget_simulations(SIMULATIONS)};
  sal_bot_find("regular")->think(&q, &e->rng, &thought);
  return thought.action;
}

static void act(struct learner *e, sal_table *t, bool bot) {
  const unsigned asked = sal_table_to_act(t);
  int seat = (int)sal_rng_below(&e->rng, (uint32_t)sal_table_players(t));
  while (!(asked >> seat & 1))
    seat = (seat + 1) % sal_table_players(t);
  size_t n;
  const sal_action *legal = sal_table_choices(t, seat, &n);
  if (n == 0) {
    e->no_memory = true;
    return;
  }
  const sal_action a = bot ? ask_bot(e, t, seat, legal, n)
                           : legal[sal_rng_below(&e->rng, (uint32_t)n)];
  e->no_memory |= sal_table_play(t, seat, a, NULL) != 0;
}

static void play_one(struct learner *e, const struct sal_setup *setup,
                     uint64_t seed) {
  struct sal_plan plan = {.game = e->game, .setup = *setup};
  sal_key_number(seed, &plan.seed);
  sal_rng_seed(&e->rng, seed);
  sal_table *t = sal_table_new(&plan);
  e->no_memory |= !t;
  size_t since = 0;
  while (!e->no_memory) {
    look_at(e, t, since);
    since = sal_table_event_count(t);
    if (sal_table_to_act(t) == 0)
      break;
    act(e, t, seed % 2 == 1);
  }
  /* One is undone, and one ends early. */
  if (t && !e->no_memory && seed % 2 == 0 && sal_table_players(t) == 2 &&
      sal_table_rewind(t, 0, NULL) == 0) {
    look_at(e, t, since);
    since = sal_table_event_count(t);
    if (sal_table_resign(t, 1, NULL) == 0)
      look_at(e, t, since);
  }
  sal_table_free(t);
}

static void play_many(struct learner *e, const struct sal_setup *setup,
                      int looks) {
  const int until = e->looks + looks;
  for (uint64_t seed = 0; !e->no_memory && e->looks < until; seed++)
    play_one(e, setup, seed);
}

static void play_all(struct learner *e, int players) {
  const struct sal_option *o = e->game->info.options;
  struct sal_setup setup;
  sal_setup_default(e->game, players, &setup);
  play_many(e, &setup, LOOKS);
  for (int i = 0; o && o[i].name; i++)
    for (int w = 0; o[i].kind == SAL_OPTION_WORD && o[i].words[w]; w++) {
      sal_setup_default(e->game, players, &setup);
      setup.option[i] = w;
      play_many(e, &setup, LOOKS_OPTION);
    }
}

static json_t *describe(const struct sal_game *g) {
  struct learner e = {.game = g, .state = shape_new(), .names = json_object()};
  for (int p = g->info.players_min; p <= g->info.players_max; p++)
    play_all(&e, p);
  json_t *events = json_object(), *out = NULL, *at;
  const char *name;
  json_object_foreach(e.names, name, at) json_object_set_new(
      events, name, shape_write(e.events[json_integer_value(at)]));
  if (!e.no_memory)
    out = json_pack("{s:o, s:O}", "state", shape_write(e.state), "events",
                    events);
  json_decref(events);
  for (size_t i = 0; i < e.count; i++)
    shape_free(e.events[i]);
  free(e.events);
  shape_free(e.state);
  json_decref(e.names);
  sal_buffer_free(&e.text);
  return out;
}

static bool describe_games(const struct sal_game *only, json_t *into) {
  bool ok = true;
  for (size_t i = 0; ok && sal_games[i]; i++)
    if (!only || only == sal_games[i]) {
      json_t *g = describe(sal_games[i]);
      ok = g && json_object_set_new(into, sal_games[i]->info.id, g) == 0;
    }
  return ok;
}

/* What the server says; nothing in a program without one. */
static json_t *describe_messages(void) {
#ifdef SALOTTO_NO_SERVER
  return json_object();
#else
  return json_loads(server_message_schema(), 0, NULL);
#endif
}

static int run_schema(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : NULL;
  const bool messages = !what || strcmp(what, "messages") == 0;
  const struct sal_game *only = messages ? NULL : sal_game_find(what);
  if (argc > 2)
    return misused(&command_schema, _("unexpected argument '%s'."), argv[2]);
  if (!messages && !only)
    return misused(&command_schema, _("there is no game '%s'."), what);
  json_t *all = json_object();
  bool ok = true;
  if (!what || only) {
    json_t *games = json_object();
    ok = describe_games(only, games) &&
         json_object_set(all, "games", games) == 0;
    json_decref(games);
  }
  if (messages)
    ok = ok && json_object_set_new(all, "messages", describe_messages()) == 0;
  ok = ok && json_dumpf(all, stdout, JSON_INDENT(1)) == 0;
  putchar('\n');
  json_decref(all);
  return ok ? DONE : complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
}

const struct command command_schema = {
    "schema", N_("print what states, events and messages look like"),
    N_("[GAME | messages]"),
    N_("Prints one JSON object: of every game, or of one, what its states and "
       "events\nlook like, and what the messages of the server look like. "
       "docs/server.md\nexplains the notation; tools/types makes TypeScript "
       "of it.\n"),
    run_schema};
