/* The null game: the smallest game with chance, a secret and a choice. Copy it
 * when adding a game (docs/adding-a-game.md); it is in no lobby.
 *
 * Each player is dealt a coin, heads or tails, that only they see. In turn each
 * either shows it or keeps it. Everyone who showed heads wins; if nobody did,
 * all win. */
#include "salotto/game.h"

#include <assert.h>
#include <string.h>

enum { TAILS, HEADS, HIDDEN };
enum { FLIP = 2, SHOW = 4, KEEP = 5 };
enum event { FLIPPED = 1, SHOWN, KEPT, GAME_OVER };

struct null {
  uint8_t players, flipped, done;
  uint8_t coin[SAL_SEATS_MAX];
  uint8_t shown; /* mask of seats */
};

struct view {
  struct null s;
  int viewer;
};

static struct null *as_state(sal_state *s) { return (struct null *)s; }
static const struct null *as_const_state(const sal_state *s) {
  return (const struct null *)s;
}
static const struct view *as_view(const sal_view *v) {
  return (const struct view *)v;
}

static void init(sal_state *state, const struct sal_setup *setup) {
  struct null *s = as_state(state);
  memset(s, 0, sizeof *s);
  s->players = (uint8_t)setup->players;
}

static unsigned to_act(const sal_state *state) {
  const struct null *s = as_const_state(state);
  if (s->flipped < s->players)
    return SAL_CHANCE_BIT;
  return s->done == s->players ? 0 : 1u << s->done;
}

static size_t legal(const sal_state *state, int seat, sal_action *out) {
  if (!(to_act(state) >> seat & 1))
    return 0;
  out[0] = SHOW;
  out[1] = KEEP;
  return 2;
}

static const char *check(const sal_state *state, int seat, sal_action a) {
  /* null.turn: a seat that is asked may do either. */
  (void)state;
  (void)seat;
  (void)a;
  return NULL;
}

static void tell(struct sal_log *log, struct sal_event e) {
  if (log)
    log->emit(log, &e);
}

static void apply(sal_state *state, int seat, sal_action a,
                  struct sal_log *log) {
  struct null *s = as_state(state);
  if (seat == SAL_CHANCE) {
    const uint8_t owner = s->flipped++;
    s->coin[owner] = a & 1;
    tell(log, (struct sal_event){.kind = FLIPPED,
                                 .seat = (int8_t)owner,
                                 .seen_by = (uint8_t)(1 << owner),
                                 .count = 1,
                                 .value = {(int16_t)(a & 1)}});
    return;
  }
  assert(seat == s->done);
  s->done++;
  if (a == SHOW) {
    s->shown |= (uint8_t)(1 << seat);
    tell(log, (struct sal_event){.kind = SHOWN,
                                 .seat = (int8_t)seat,
                                 .open = 1,
                                 .count = 1,
                                 .reveals = true,
                                 .value = {s->coin[seat]}});
  } else {
    tell(log, (struct sal_event){.kind = KEPT, .seat = (int8_t)seat});
  }
  if (s->done == s->players)
    tell(log, (struct sal_event){.kind = GAME_OVER, .seat = -1});
}

static void chance(const sal_state *state, struct sal_chance *c) {
  *c = (struct sal_chance){
      .pile = 0, .index = as_const_state(state)->flipped, .count = 2};
  c->outcome[0] = (struct sal_outcome){FLIP | TAILS, 1};
  c->outcome[1] = (struct sal_outcome){FLIP | HEADS, 1};
}

static void sample(sal_state *state, struct sal_rng *rng) {
  while (to_act(state) == SAL_CHANCE_BIT)
    apply(state, SAL_CHANCE, FLIP | sal_rng_below(rng, 2), NULL);
}

static int closed(const sal_state *state) { return to_act(state) == 0; }

static void scores(const sal_state *state, int32_t *out) {
  const struct null *s = as_const_state(state);
  for (int i = 0; i < s->players; i++)
    out[i] = (s->shown >> i & 1) && s->coin[i] == HEADS;
}

static unsigned winners(const sal_state *state) {
  const struct null *s = as_const_state(state);
  unsigned mask = 0;
  if (s->done < s->players)
    return 0;
  for (int i = 0; i < s->players; i++)
    if ((s->shown >> i & 1) && s->coin[i] == HEADS)
      mask |= 1u << i;
  return mask ? mask : (1u << s->players) - 1;
}

static void options(const sal_state *state, int32_t *out) {
  (void)state;
  (void)out;
}

static void view(const sal_state *state, int viewer, sal_view *out) {
  struct view *v = (struct view *)out;
  memset(v, 0, sizeof *v); /* views are compared byte by byte */
  v->s = *as_const_state(state);
  v->viewer = viewer;
  if (viewer == SAL_EVERYTHING || v->s.done == v->s.players)
    return;
  for (int i = 0; i < SAL_SEATS_MAX && i < v->s.players; i++)
    if (i != viewer && !(v->s.shown >> i & 1))
      v->s.coin[i] = HIDDEN;
}

static void resample(const sal_view *view, struct sal_rng *rng,
                     sal_state *state) {
  struct null *s = as_state(state);
  *s = as_view(view)->s;
  for (int i = 0; i < SAL_SEATS_MAX; i++)
    if (s->coin[i] == HIDDEN)
      s->coin[i] = (uint8_t)sal_rng_below(rng, 2);
}

static void tensor(const sal_view *view, float *t) {
  const struct null *s = &as_view(view)->s;
  memset(t, 0, (2 * SAL_SEATS_MAX + 1) * sizeof *t);
  for (int i = 0; i < s->players; i++)
    if (s->coin[i] != HIDDEN)
      t[2 * i + s->coin[i]] = 1;
  t[2 * SAL_SEATS_MAX] = s->done;
}

static const char *const coin_names[] = {"tails", "heads", "??"};

static void facts(const sal_view *view, struct sal_json *j) {
  const struct null *s = &as_view(view)->s;
  sal_json_string(j, "phase",
                  s->flipped < s->players ? "deal"
                  : s->done == s->players ? "over"
                                          : "turn");
  sal_json_list(j, "coins");
  for (int i = 0; i < s->players; i++)
    sal_json_string(j, NULL, coin_names[s->coin[i]]);
  sal_json_end(j, ']');
}

static void event_facts(const struct sal_event *e, struct sal_json *j) {
  static const char *const names[] = {[FLIPPED] = "dealt",
                                      [SHOWN] = "shown",
                                      [KEPT] = "kept",
                                      [GAME_OVER] = "game_over"};
  sal_json_string(j, "event", names[e->kind]);
  if (e->seat >= 0)
    sal_json_int(j, "seat", e->seat);
  if (e->count)
    sal_json_string(j, "coin",
                    e->value[0] == SAL_HIDDEN ? "??" : coin_names[e->value[0]]);
}

static void prompt(const sal_view *view, const struct sal_words *w,
                   struct sal_text *t) {
  const struct view *v = as_view(view);
  if (v->s.done == v->s.players)
    sal_text_add(t, "The game is over.");
  else
    sal_say(t, w, v->s.done == v->viewer,
            "[You show|{seat} shows] the coin, or not.",
            &(struct sal_place){"seat", SAL_PLACE_SEAT, NULL, v->s.done}, 1);
}

static void position(const sal_view *view, const struct sal_words *w,
                     struct sal_text *t) {
  (void)w;
  const struct null *s = &as_view(view)->s;
  for (int i = 0; i < s->players; i++) {
    sal_text_add(t, coin_names[s->coin[i]]);
    sal_text_char(t, i + 1 < s->players ? ' ' : '\n');
  }
}

static void event_say(const struct sal_event *e, int viewer,
                      const struct sal_words *w, struct sal_text *t) {
  static const char *const says[] = {
      [FLIPPED] = "[You get|{seat} gets] a coin.",
      [SHOWN] = "[You show|{seat} shows] {coin}.",
      [KEPT] = "[You keep|{seat} keeps] the coin hidden.",
      [GAME_OVER] = "The game is over."};
  sal_say(t, w, e->seat == viewer, says[e->kind],
          (struct sal_place[]){
              {"seat", SAL_PLACE_SEAT, NULL, e->seat},
              {"coin", SAL_PLACE_TEXT,
               e->value[0] == SAL_HIDDEN ? "??" : coin_names[e->value[0]], 0}},
          2);
}

static const char *event_rule(const struct sal_event *e) {
  static const char *const ids[] = {[FLIPPED] = "null.turn",
                                    [SHOWN] = "null.turn",
                                    [KEPT] = "null.turn",
                                    [GAME_OVER] = "null.win"};
  return ids[e->kind];
}

static void action_say(const sal_view *v, sal_action a,
                       const struct sal_words *w, struct sal_text *t) {
  (void)v;
  (void)w;
  sal_text_add(t, a == SHOW ? "Show the coin" : "Keep it hidden");
}

static void action_text(sal_action a, struct sal_text *out) {
  sal_text_add(out, a == SHOW   ? "show"
                    : a == KEEP ? "keep"
                                : coin_names[a & 1]);
}

static sal_action action_parse(const char *text) {
  return strcmp(text, "show") == 0   ? SHOW
         : strcmp(text, "keep") == 0 ? KEEP
                                     : 0;
}

static int piles(const struct sal_setup *setup, int entry,
                 struct sal_pile *out) {
  (void)entry;
  out[0] = (struct sal_pile){"coins", 0, 0, setup->players, false};
  return 1;
}

static int stock(const struct sal_setup *setup, int pile, const char *name) {
  (void)pile;
  return strcmp(name, "heads") == 0 || strcmp(name, "tails") == 0
             ? setup->players
             : 0;
}

static const char *selfcheck(const sal_state *state) {
  return as_const_state(state)->done > as_const_state(state)->players
             ? "too many turns"
             : NULL;
}

static const struct sal_rule rules[] = {
    {"null.turn", "In turn, each shows the coin or keeps it hidden."},
    {"null.win", "Everyone who showed heads wins; if nobody did, all win."},
    {NULL, NULL}};

static const struct sal_option option_list[] = {
    {NULL, SAL_OPTION_SEAT, NULL, NULL}};

static size_t action_index(const sal_state *state, int seat, sal_action a) {
  (void)state;
  (void)seat;
  return a == SHOW ? 0 : 1;
}

static sal_action action_at(const sal_state *state, int seat, size_t i) {
  const sal_action a = i == 0 ? SHOW : KEEP;
  return i < 2 && check(state, seat, a) == NULL ? a : 0;
}

const struct sal_game sal_null = {
    .info = {.id = "null",
             .title = "Null",
             .tagline = "Show your coin, or not.",
             .goal = "Show heads.",
             .role = "You hold a coin that only you see.",
             .players_min = 2,
             .players_max = SAL_SEATS_MAX,
             .players_usual = 2,
             .minutes = 1,
             .state_size = sizeof(struct null),
             .view_size = sizeof(struct view),
             .legal_max = 2,
             .action_count = 2,
             .tensor_size = 2 * SAL_SEATS_MAX + 1,
             .longest = 2 * SAL_SEATS_MAX,
             .score_min = 0,
             .score_max = 1,
             .options = option_list,
             .rules = rules},
    .init = init,
    .to_act = to_act,
    .legal = legal,
    .check = check,
    .apply = apply,
    .chance = chance,
    .sample = sample,
    .closed = closed,
    .scores = scores,
    .winners = winners,
    .options = options,
    .view = view,
    .resample = resample,
    .tensor = tensor,
    .facts = facts,
    .event_facts = event_facts,
    .prompt = prompt,
    .position = position,
    .event_say = event_say,
    .event_rule = event_rule,
    .action_say = action_say,
    .action_text = action_text,
    .action_parse = action_parse,
    .action_index = action_index,
    .action_at = action_at,
    .piles = piles,
    .stock = stock,
    .selfcheck = selfcheck,
};
