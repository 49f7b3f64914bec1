/* Playing: history, chance, events, undo. See salotto/table.h. */
#include "inside.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- Events ------------------------------------------------------------- */

struct table_log {
  struct sal_log log; /* first, so that emit can find the rest */
  sal_table *table;   /* NULL: only watch */
  bool reveals;
  unsigned unseen; /* seats that were not told all of it */
};

static void keep_event(struct sal_log *log, const struct sal_event *e) {
  struct table_log *l = (struct table_log *)log;
  l->reveals |= e->reveals;
  if (e->count > e->open)
    l->unseen |= ~(unsigned)e->seen_by;
  sal_table *t = l->table;
  if (!t)
    return;
  void *events = t->events;
  if (!sal_array_grow(&events, t->event_count, &t->event_cap, sizeof *e)) {
    t->no_memory = true;
    return;
  }
  t->events = events;
  t->events[t->event_count++] = *e;
}

size_t sal_table_event_count(const sal_table *t) { return t->event_count; }

void sal_table_event(const sal_table *t, size_t n, int viewer,
                     struct sal_event *out) {
  assert(n < t->event_count);
  sal_event_cut(&t->events[n], viewer, out);
}

void sal_table_event_facts(const sal_table *t, size_t n, int viewer,
                           struct sal_json *j) {
  struct sal_event e;
  sal_table_event(t, n, viewer, &e);
  sal_event_facts(t->plan.game, &e, n, j);
}

/* Who resigns at a table of two leaves the game to the other. */
static void say_resigned(int seat, int viewer, const struct sal_words *w,
                         struct sal_text *out) {
  const struct sal_place places[] = {
      {"seat", SAL_PLACE_SEAT, NULL, seat},
      {"winner", SAL_PLACE_SEAT, NULL, 1 - seat}};
  const char *message = N_("{seat} resigns. {winner} wins the game.");
  if (viewer == seat)
    message = N_("You resign. {winner} wins the game.");
  else if (viewer == 1 - seat)
    message = N_("{seat} resigns. You win the game.");
  sal_say(out, w, false, message, places, 2);
}

void sal_table_event_say(const sal_table *t, size_t n, int viewer,
                         const struct sal_words *w, struct sal_text *out) {
  struct sal_event e;
  sal_table_event(t, n, viewer, &e);
  if (e.kind == SAL_EVENT_UNDONE)
    sal_say(out, w, e.seat == viewer,
            N_("[You undo|{seat} undoes] the last action."),
            &(struct sal_place){"seat", SAL_PLACE_SEAT, NULL, e.seat}, 1);
  else if (e.kind == SAL_EVENT_RESIGNED)
    say_resigned(e.seat, viewer, w, out);
  else
    t->plan.game->event_say(&e, viewer, w, out);
}

/* ---- Chance ------------------------------------------------------------- */

/* The key that draws an entry, if the table has it. */
static const struct sal_key *draw_key(sal_table *t, int entry) {
  if (t->mixed_entry == entry)
    return &t->mixed;
  const int link = chain_link(entry);
  struct sal_key key;
  if (t->has_seed) {
    sal_key_cache_get(&t->key_cache, link, &key);
  } else {
    size_t i = 0;
    while (i < t->opened_count && chain_link(t->opened[i].entry) != link)
      i++;
    if (i == t->opened_count)
      return NULL;
    key = t->opened[i].key;
  }
  sal_key_mix(&key, t->plan.part, (size_t)t->plan.parts, &t->mixed);
  t->mixed_entry = entry;
  return &t->mixed;
}

/* The outcome that the key gives for a draw. */
static size_t keyed_outcome(const struct sal_key *key,
                            const struct sal_chance *c) {
  const struct sal_address where = {c->entry, c->pile, c->list, c->index};
  uint32_t sum = 0;
  for (size_t i = 0; i < c->count; i++)
    sum += c->outcome[i].weight;
  uint32_t k = sal_key_below(key, &where, sum);
  size_t i = 0;
  while (k >= c->outcome[i].weight)
    k -= c->outcome[i++].weight;
  return i;
}

/* Decides one draw: the deal first, then the key; a record that is being read
 * must tell the same. Returns the outcome's index, or -1 if the record is wrong
 * or does not go on (`waiting`). */
static int decide_draw(sal_table *t, struct sal_chance *c,
                       enum origin *origin) {
  struct telling *g = t->telling;
  const struct told *told = telling_next(g);
  int o = -1;
  if (told && !telling_check(g, &t->plan, c))
    return -1;
  *origin = DEALT;
  if (t->plan.deals && c->pile >= 0) {
    o = deals_take(t->plan.deals, c);
    if (o < 0)
      deals_reserve(t->plan.deals, c);
  }
  const struct sal_key *key = o < 0 ? draw_key(t, c->entry) : NULL;
  if (key) {
    *origin = DRAWN;
    o = (int)keyed_outcome(key, c);
  }
  if (!told) {
    t->waiting = o < 0;
    if (g)
      g->left_out |= o >= 0;
    return o;
  }
  const int named = outcome_named(t->plan.game, c, told->outcome);
  if (o < 0)
    *origin = TOLD;
  if (named < 0 || (o >= 0 && named != o)) {
    telling_refuse(g, &t->plan, c, o, *origin == DEALT);
    return -1;
  }
  return named;
}

static bool add_step(sal_table *t, struct step s) {
  void *steps = t->steps;
  if (!sal_array_grow(&steps, t->step_count, &t->step_cap, sizeof s))
    return false;
  t->steps = steps;
  s.event = t->event_count;
  t->steps[t->step_count++] = s;
  return true;
}

static void forget_choices(sal_table *t) {
  for (int s = 0; s < t->plan.setup.players; s++) {
    free(t->choices[s].list);
    t->choices[s] = (struct choices){0};
  }
}

/* Plays chance until a seat is asked or the game is over. */
static int play_chance(sal_table *t, struct table_log *log, bool *learned) {
  const struct sal_game *g = t->plan.game;
  while (g->to_act(state_in(t)) == SAL_CHANCE_BIT) {
    struct sal_chance c;
    enum origin origin;
    g->chance(state_in(t), &c);
    *learned |= c.count > 1;
    const int o = decide_draw(t, &c, &origin);
    if (t->waiting)
      return 0; /* as far as the record goes */
    if (o < 0)
      return SAL_BAD_RECORD;
    const sal_action a = c.outcome[o].action;
    g->apply(state_of(t), SAL_CHANCE, a, &log->log);
    if (!add_step(t, (struct step){a, SAL_CHANCE, (uint8_t)origin, false}))
      return SAL_NO_MEMORY;
  }
  return t->no_memory ? SAL_NO_MEMORY : 0;
}

/* ---- Life --------------------------------------------------------------- */

sal_table *table_prepare(const struct sal_plan *plan) {
  sal_table *t = calloc(1, sizeof *t);
  struct choices *choices =
      calloc((size_t)plan->setup.players, sizeof *choices);
  if (!t || !choices) {
    sal_deals_free(plan->deals);
    free(choices);
    free(t);
    return NULL;
  }
  t->choices = choices;
  t->plan = *plan;
  t->mixed_entry = -1;
  t->resigned = -1;
  t->has_seed = true;
  return t;
}

int table_start(sal_table *t) {
  struct table_log log = {{keep_event}, t, false, 0};
  bool learned = false;
  if (t->has_seed && t->plan.key_cache)
    t->key_cache = *t->plan.key_cache;
  else if (t->has_seed)
    sal_key_cache_fill(&t->plan.seed, &t->key_cache);
  t->plan.key_cache = NULL; /* it need not outlive this */
  t->plan.game->init(state_of(t), &t->plan.setup);
  return play_chance(t, &log, &learned);
}

int sal_plan_check(const struct sal_plan *plan, struct sal_refusal *why) {
  if (!plan->game)
    return sal_refuse(why, SAL_UNKNOWN_GAME, NULL, NULL);
  const int error = sal_setup_check(plan->game, &plan->setup, why);
  if (!error && plan->parts != 0 && plan->parts != plan->setup.players)
    return sal_refuse(why, SAL_BAD_REQUEST, NULL,
                      "Either every seat has a random part, or none.");
  return error;
}

sal_table *sal_table_new(const struct sal_plan *plan) {
  if (sal_plan_check(plan, NULL)) {
    sal_deals_free(plan->deals);
    return NULL;
  }
  sal_table *t = table_prepare(plan);
  if (t && table_start(t) != 0) {
    sal_table_free(t);
    return NULL;
  }
  return t;
}

void sal_table_free(sal_table *t) {
  if (!t)
    return;
  sal_deals_free(t->plan.deals);
  forget_choices(t);
  free(t->choices);
  free(t->steps);
  free(t->events);
  free(t->opened);
  free(t);
}

/* ---- Looking ------------------------------------------------------------ */

const struct sal_game *sal_table_game(const sal_table *t) {
  return t->plan.game;
}

int sal_table_players(const sal_table *t) { return t->plan.setup.players; }

const struct sal_key *sal_table_seed(const sal_table *t) {
  return t->has_seed ? &t->plan.seed : NULL;
}

bool sal_table_commitment(const sal_table *t, struct sal_key *out) {
  if (t->has_seed)
    sal_key_cache_get(&t->key_cache, 0, out);
  else
    *out = t->commitment;
  return t->has_seed || t->has_commitment;
}

unsigned sal_table_to_act(const sal_table *t) {
  if (t->resigned >= 0)
    return 0;
  return t->plan.game->to_act(state_in(t));
}

void sal_table_scores(const sal_table *t, int32_t *out) {
  t->plan.game->scores(state_in(t), out);
}

unsigned sal_table_winners(const sal_table *t) {
  if (t->resigned >= 0)
    return 1u << (1 - t->resigned);
  return t->plan.game->winners(state_in(t));
}

int sal_table_resigned(const sal_table *t) { return t->resigned; }

bool sal_table_waiting(const sal_table *t) { return t->waiting; }

/* Games list at most `legal_max`; few lists are that long. */
static void find_choices(const sal_table *t, int seat, struct choices *out) {
  const size_t most = t->plan.game->info.legal_max;
  sal_action *list = malloc(most * sizeof *list);
  if (!list)
    return;
  out->known = true;
  out->count = t->plan.game->legal(state_in(t), seat, list);
  if (out->count == 0) {
    free(list);
    return;
  }
  sal_action *shorter = realloc(list, out->count * sizeof *list);
  out->list = shorter ? shorter : list;
}

const sal_action *sal_table_choices(const sal_table *t, int seat,
                                    size_t *count) {
  struct choices *c = &t->choices[seat];
  if (!c->known && t->resigned < 0)
    find_choices(t, seat, c);
  *count = c->count;
  return c->list;
}

size_t sal_table_legal(const sal_table *t, int seat, sal_action *out) {
  size_t count;
  const sal_action *list = sal_table_choices(t, seat, &count);
  if (count > 0)
    memcpy(out, list, count * sizeof *out);
  return count;
}

void sal_table_view(const sal_table *t, int viewer, sal_view *v) {
  t->plan.game->view(state_in(t), viewer, v);
}

void sal_table_options(const sal_table *t, bool whole, struct sal_json *j,
                       const char *key) {
  sal_state_options(t->plan.game, state_in(t), whole, j, key);
}

void sal_table_facts(const sal_table *t, int viewer, struct sal_json *j,
                     const char *key) {
  const struct sal_course course = {t->plan.setup.players, t->actions,
                                    sal_table_to_act(t), sal_table_winners(t)};
  sal_course_facts(t->plan.game, state_in(t), &course, viewer, j, key);
}

size_t sal_table_steps(const sal_table *t) {
  return sal_table_to_act(t) == 0 ? t->step_count : 0;
}

struct sal_step sal_table_step(const sal_table *t, size_t i) {
  assert(i < sal_table_steps(t));
  const struct step *s = &t->steps[i];
  return (struct sal_step){s->action, s->seat, s->event};
}

const struct sal_setup *sal_table_setup(const sal_table *t) {
  return &t->plan.setup;
}

size_t sal_table_length(const sal_table *t) { return t->actions; }

static const struct step *action_at(const sal_table *t, size_t i) {
  assert(i < t->actions);
  const struct step *s = t->steps;
  while (s->seat == SAL_CHANCE || i-- > 0)
    s++;
  return s;
}

void sal_table_action(const sal_table *t, size_t i, int *seat,
                      struct sal_text *out) {
  const struct step *s = action_at(t, i);
  *seat = s->seat;
  t->plan.game->action_text(s->action, out);
}

bool sal_table_saw(const sal_table *t, size_t i, int viewer) {
  const struct step *s = action_at(t, i);
  if (viewer == SAL_EVERYTHING || viewer == s->seat)
    return true;
  return viewer >= 0 ? !(s->unseen >> viewer & 1) : s->unseen == 0;
}

/* ---- Acting ------------------------------------------------------------- */

void table_say_turn(const sal_table *t, const struct sal_words *words,
                    struct sal_text *out) {
  union sal_view_box v;
  sal_table_view(t, SAL_SPECTATOR, (sal_view *)v.bytes);
  t->plan.game->prompt((const sal_view *)v.bytes, words, out);
}

void table_say_unknown(const sal_table *t, const char *action,
                       const struct sal_words *words, struct sal_text *out) {
  char clipped[64];
  struct sal_text a;
  sal_text_init(&a, clipped, sizeof clipped);
  sal_text_clip(&a, action, 60);
  const struct sal_place places[] = {
      {"action", SAL_PLACE_TEXT, clipped, 0},
      {"game", SAL_PLACE_WORD, t->plan.game->info.title, 0}};
  sal_say(out, words, false, N_("\"{action}\" is not an action of {game}."),
          places, 2);
}

int sal_table_asks(const sal_table *t, int seat, struct sal_refusal *why) {
  char buffer[SAL_MESSAGE_MAX];
  struct sal_text m;
  const unsigned asked = sal_table_to_act(t);
  if (seat < 0 || seat >= t->plan.setup.players)
    return sal_refuse(why, SAL_BAD_REQUEST, NULL,
                      "There is no such seat at this table.");
  if (asked == 0)
    return sal_refuse(why, SAL_GAME_OVER, NULL, NULL);
  if (t->waiting)
    return sal_refuse(
        why, SAL_BAD_RECORD, NULL,
        N_("The record goes no further: it does not hold the seed."));
  if (asked >> seat & 1)
    return 0;
  sal_text_init(&m, buffer, sizeof buffer);
  table_say_turn(t, &sal_words_plain, &m);
  return sal_refuse(why, SAL_NOT_YOUR_TURN, NULL, buffer);
}

static int refuse_action(const sal_table *t, int seat, sal_action a,
                         struct sal_refusal *why) {
  const struct sal_game *g = t->plan.game;
  const char *rule = g->check(state_in(t), seat, a);
  if (!rule)
    return 0;
  return sal_refuse(why, SAL_ILLEGAL, rule, sal_rule_find(g, rule)->text);
}

sal_action sal_table_read(const sal_table *t, int seat, const char *text,
                          struct sal_refusal *why) {
  const struct sal_game *g = t->plan.game;
  if (sal_table_asks(t, seat, why))
    return 0;
  const sal_action a = g->action_parse(text);
  if (!a) {
    char buffer[SAL_MESSAGE_MAX];
    struct sal_text m;
    sal_text_init(&m, buffer, sizeof buffer);
    table_say_unknown(t, text, &sal_words_plain, &m);
    sal_refuse(why, SAL_BAD_ACTION, NULL, buffer);
    return 0;
  }
  return refuse_action(t, seat, a, why) ? 0 : a;
}

sal_action sal_table_numbered(const sal_table *t, int seat, size_t number,
                              struct sal_refusal *why) {
  const struct sal_game *g = t->plan.game;
  if (sal_table_asks(t, seat, why))
    return 0;
  const sal_action a = number < g->info.action_count
                           ? g->action_at(state_in(t), seat, number)
                           : 0;
  if (!a)
    sal_refuse(why, SAL_BAD_ACTION, NULL,
               "This is not the number of a legal action.");
  return a;
}

size_t sal_table_number(const sal_table *t, int seat, sal_action action) {
  assert(t->plan.game->info.action_count > 0);
  return t->plan.game->action_index(state_in(t), seat, action);
}

int sal_table_try(const sal_table *t, int seat, const char *text,
                  struct sal_refusal *why) {
  struct sal_refusal ours;
  if (!why)
    why = &ours;
  return sal_table_read(t, seat, text, why) ? 0 : why->code;
}

/* Plays the first `count` steps of the history again and forgets the rest. */
static void rewind_to(sal_table *t, size_t count) {
  const struct sal_game *g = t->plan.game;
  struct sal_deals *deals = t->plan.deals;
  if (deals)
    deals_rewind(deals);
  forget_choices(t);
  g->init(state_of(t), &t->plan.setup);
  t->actions = 0;
  for (size_t i = 0; i < count; i++) {
    const struct step *s = &t->steps[i];
    if (s->seat != SAL_CHANCE) {
      t->actions++;
    } else if (deals && s->origin == DEALT) {
      struct sal_chance c;
      g->chance(state_in(t), &c);
      deals_take(deals, &c);
    }
    g->apply(state_of(t), s->seat, s->action, NULL);
  }
  t->step_count = count;
  t->waiting = false;
}

/* Plays an action that is known to be legal. */
static int play_checked(sal_table *t, int seat, sal_action a,
                        struct sal_refusal *why) {
  const size_t step = t->step_count, event = t->event_count;
  if (!add_step(t, (struct step){a, (int8_t)seat, 0, false}))
    return sal_refuse(why, SAL_NO_MEMORY, NULL, NULL);
  struct table_log log = {{keep_event}, t, false, 0};
  forget_choices(t);
  t->plan.game->apply(state_of(t), seat, a, &log.log);
  t->steps[step].unseen = (uint8_t)log.unseen;
  t->actions++;
  bool learned = false;
  const int error = play_chance(t, &log, &learned);
  if (error) {
    rewind_to(t, step);
    t->event_count = event;
    t->no_memory = false;
    return sal_refuse(why, error, NULL,
                      error == SAL_BAD_RECORD ? t->telling->fault : NULL);
  }
  t->steps[step].learned = learned || log.reveals;
  return 0;
}

int sal_table_act(sal_table *t, int seat, const char *text,
                  struct sal_refusal *why) {
  struct sal_refusal ours;
  if (!why)
    why = &ours;
  const sal_action a = sal_table_read(t, seat, text, why);
  return a ? play_checked(t, seat, a, why) : why->code;
}

/* Any number may come as an action, and only listed ones mean something. */
int sal_table_play(sal_table *t, int seat, sal_action a,
                   struct sal_refusal *why) {
  const int error = sal_table_asks(t, seat, why);
  if (error)
    return error;
  size_t count, i = 0;
  const sal_action *list = sal_table_choices(t, seat, &count);
  if (count == 0)
    return sal_refuse(why, SAL_NO_MEMORY, NULL, NULL);
  while (i < count && list[i] != a)
    i++;
  if (i == count)
    return sal_refuse(why, SAL_BAD_ACTION, NULL,
                      "This is not a legal action of the seat.");
  return play_checked(t, seat, a, why);
}

/* The number of steps up to the last action of a seat. */
static size_t last_action(const sal_table *t) {
  size_t last = t->step_count;
  while (last > 0 && t->steps[last - 1].seat == SAL_CHANCE)
    last--;
  return last;
}

int sal_table_may_undo(const sal_table *t, int seat, struct sal_refusal *why) {
  if (t->resigned >= 0)
    return sal_refuse(why, SAL_GAME_OVER, NULL, NULL);
  const size_t last = last_action(t);
  if (last == 0)
    return sal_refuse(why, SAL_NO_UNDO, NULL, N_("Nothing has been done yet."));
  const struct step *s = &t->steps[last - 1];
  if (s->seat != seat)
    return sal_refuse(why, SAL_NO_UNDO, NULL,
                      N_("Somebody else has acted since."));
  if (s->learned)
    return sal_refuse(
        why, SAL_NO_UNDO, NULL,
        N_("It revealed something: a card was turned up or a secret was shown."));
  return 0;
}

/* Says that it was undone, and goes back to so many steps. */
static int take_back(sal_table *t, int seat, size_t steps,
                     struct sal_refusal *why) {
  struct table_log log = {{keep_event}, t, false, 0};
  const size_t from = t->steps[steps].event;
  const struct sal_event undone = {
      .kind = SAL_EVENT_UNDONE,
      .seat = (int8_t)seat,
      .open = 1,
      .count = 1,
      .value = {(int16_t)(from < INT16_MAX ? from : INT16_MAX)}};
  keep_event(&log.log, &undone);
  if (t->no_memory) {
    t->no_memory = false;
    return sal_refuse(why, SAL_NO_MEMORY, NULL, NULL);
  }
  rewind_to(t, steps);
  return 0;
}

int sal_table_undo(sal_table *t, int seat, struct sal_refusal *why) {
  const int error = sal_table_may_undo(t, seat, why);
  return error ? error : take_back(t, seat, last_action(t) - 1, why);
}

/* The number of steps up to the last action of this seat; 0: it has none. */
static size_t last_decision(const sal_table *t, int seat) {
  size_t last = t->step_count;
  while (last > 0 && t->steps[last - 1].seat != seat)
    last--;
  return last;
}

int sal_table_may_rewind(const sal_table *t, int seat,
                         struct sal_refusal *why) {
  if (t->resigned >= 0)
    return sal_refuse(why, SAL_GAME_OVER, NULL, NULL);
  if (last_decision(t, seat) == 0)
    return sal_refuse(why, SAL_NO_UNDO, NULL, N_("Nothing has been done yet."));
  return 0;
}

int sal_table_rewind(sal_table *t, int seat, struct sal_refusal *why) {
  const int error = sal_table_may_rewind(t, seat, why);
  return error ? error : take_back(t, seat, last_decision(t, seat) - 1, why);
}

int sal_table_resign(sal_table *t, int seat, struct sal_refusal *why) {
  assert(seat >= 0 && seat < t->plan.setup.players);
  if (sal_table_to_act(t) == 0)
    return sal_refuse(why, SAL_GAME_OVER, NULL, NULL);
  if (t->plan.setup.players != 2)
    return sal_refuse(why, SAL_NOT_ALLOWED, NULL,
                      N_("Resigning ends the game only at a table of two."));
  struct table_log log = {{keep_event}, t, false, 0};
  const struct sal_event resigned = {.kind = SAL_EVENT_RESIGNED,
                                     .seat = (int8_t)seat};
  keep_event(&log.log, &resigned);
  if (t->no_memory) {
    t->no_memory = false;
    return sal_refuse(why, SAL_NO_MEMORY, NULL, NULL);
  }
  t->resigned = seat;
  forget_choices(t);
  return 0;
}
