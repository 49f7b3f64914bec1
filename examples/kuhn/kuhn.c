/* Kuhn poker as a plugin: a game outside the tree of Salotto.
 *
 * Three cards: jack, queen, king. Both players put in one chip and get a card.
 * In turn they pass or bet one chip; a bet is met by a bet, or the hand is
 * given up. The higher card wins the chips.
 *
 * The equilibrium is known: the first player loses 1/18 of a chip a hand.
 *
 *   ./build && salotto play kuhn --plugin kuhn.so
 *   salotto solve kuhn --plugin kuhn.so
 */
#include <salotto/game.h>

#include <assert.h>
#include <string.h>

enum { JACK, QUEEN, KING, HIDDEN, CARDS = 3 };
enum { PASS = 1, BET = 2, DEAL = 4 };
enum event { DEALT = 1, PASSED, MADE_BET, SHOWN, GAME_OVER };

struct kuhn {
  uint8_t card[2];
  uint8_t dealt; /* cards */
  uint8_t acted; /* times */
  uint8_t bets;  /* bit i: the i-th action was a bet */
};

struct kuhn_view {
  struct kuhn s;
  int viewer;
};

static struct kuhn *state_of(sal_state *s) { return (struct kuhn *)s; }
static const struct kuhn *const_state(const sal_state *s) {
  return (const struct kuhn *)s;
}
static const struct kuhn_view *view_of(const sal_view *v) {
  return (const struct kuhn_view *)v;
}

/* ---- Rules ----------------------------------------------------------------- */

/* pass pass, pass bet ?, bet ?: the third action comes only after pass, bet. */
static bool is_over(const struct kuhn *k) {
  return k->acted == 3 || (k->acted == 2 && k->bets != 2);
}

/* kuhn.win: chips that seat 0 wins. */
static int payoff(const struct kuhn *k) {
  const int higher = k->card[0] > k->card[1] ? 1 : -1;
  switch (k->acted << 4 | k->bets) {
  case 2 << 4 | 0: return higher;     /* pass, pass */
  case 2 << 4 | 1: return 1;          /* bet, pass */
  case 2 << 4 | 3: return 2 * higher; /* bet, bet */
  case 3 << 4 | 2: return -1;         /* pass, bet, pass */
  default: return 2 * higher;         /* pass, bet, bet */
  }
}

/* Whether the cards were compared: nobody folded. */
static bool is_showdown(const struct kuhn *k) {
  return k->bets == 0 || k->bets == 3 || k->bets == 6;
}

static void init(sal_state *state, const struct sal_setup *setup) {
  (void)setup;
  memset(state_of(state), 0, sizeof(struct kuhn));
  state_of(state)->card[0] = state_of(state)->card[1] = HIDDEN;
}

static unsigned to_act(const sal_state *state) {
  const struct kuhn *k = const_state(state);
  if (k->dealt < 2)
    return SAL_CHANCE_BIT;
  return is_over(k) ? 0 : 1u << (k->acted & 1);
}

static size_t legal(const sal_state *state, int seat, sal_action *out) {
  if (!(to_act(state) >> seat & 1))
    return 0;
  out[0] = PASS;
  out[1] = BET;
  return 2;
}

static const char *check(const sal_state *state, int seat, sal_action a) {
  /* kuhn.turn: who is asked may do either. */
  (void)state, (void)seat, (void)a;
  return NULL;
}

static void tell(struct sal_log *log, struct sal_event e) {
  if (log)
    log->emit(log, &e);
}

static void tell_end(const struct kuhn *k, struct sal_log *log) {
  for (int seat = 0; is_showdown(k) && seat < 2; seat++)
    tell(log, (struct sal_event){.kind = SHOWN,
                                 .seat = (int8_t)seat,
                                 .open = 1,
                                 .count = 1,
                                 .reveals = true,
                                 .value = {k->card[seat]}});
  tell(log, (struct sal_event){.kind = GAME_OVER, .seat = -1});
}

static void apply(sal_state *state, int seat, sal_action a,
                  struct sal_log *log) {
  struct kuhn *k = state_of(state);
  if (seat == SAL_CHANCE) {
    const uint8_t owner = k->dealt++;
    k->card[owner] = a & 3;
    tell(log, (struct sal_event){.kind = DEALT,
                                 .seat = (int8_t)owner,
                                 .seen_by = (uint8_t)(1 << owner),
                                 .count = 1,
                                 .value = {(int16_t)(a & 3)}});
    return;
  }
  assert(to_act(state) >> seat & 1);
  k->bets |= (uint8_t)((a == BET) << k->acted++);
  tell(log, (struct sal_event){.kind = a == BET ? MADE_BET : PASSED,
                               .seat = (int8_t)seat});
  if (is_over(k))
    tell_end(k, log);
}

static void chance(const sal_state *state, struct sal_chance *c) {
  const struct kuhn *k = const_state(state);
  *c = (struct sal_chance){.pile = 0, .index = k->dealt};
  for (unsigned card = 0; card < CARDS; card++)
    if (card != k->card[0])
      c->outcome[c->count++] = (struct sal_outcome){DEAL | card, 1};
}

static void sample(sal_state *state, struct sal_rng *rng) {
  while (to_act(state) == SAL_CHANCE_BIT) {
    struct sal_chance c;
    chance(state, &c);
    apply(state, SAL_CHANCE, sal_chance_draw(&c, rng), NULL);
  }
}

static int closed(const sal_state *state) { return to_act(state) == 0; }

static void scores(const sal_state *state, int32_t *out) {
  const struct kuhn *k = const_state(state);
  out[0] = is_over(k) ? payoff(k) : 0;
  out[1] = -out[0];
}

static unsigned winners(const sal_state *state) {
  const struct kuhn *k = const_state(state);
  return !is_over(k) ? 0 : payoff(k) > 0 ? 1 : 2;
}

static void options(const sal_state *state, int32_t *out) {
  (void)state, (void)out;
}

/* ---- Views ----------------------------------------------------------------- */

static void view(const sal_state *state, int viewer, sal_view *out) {
  struct kuhn_view *v = (struct kuhn_view *)out;
  memset(v, 0, sizeof *v);
  v->s = *const_state(state);
  v->viewer = viewer;
  if (viewer == SAL_EVERYTHING || is_over(&v->s))
    return;
  for (int i = 0; i < 2; i++)
    if (i != viewer)
      v->s.card[i] = HIDDEN;
}

/* Every pair of different cards that fits is as likely as any other. */
static void resample(const sal_view *out, struct sal_rng *rng,
                     sal_state *state) {
  struct kuhn *k = state_of(state);
  *k = view_of(out)->s;
  for (int i = 0; i < k->dealt; i++)
    while (k->card[i] == HIDDEN || (i == 1 && k->card[1] == k->card[0])) {
      k->card[i] = (uint8_t)sal_rng_below(rng, CARDS);
      if (i == 0 && k->card[0] == k->card[1])
        k->card[0] = HIDDEN;
    }
}

/* Cards as one of three for each seat, then each action and whether it bet. */
enum { TENSOR = 2 * CARDS + 6 };

static void tensor(const sal_view *out, float *t) {
  const struct kuhn *k = &view_of(out)->s;
  memset(t, 0, TENSOR * sizeof *t);
  for (int i = 0; i < 2; i++)
    if (k->card[i] != HIDDEN)
      t[CARDS * i + k->card[i]] = 1;
  for (int i = 0; i < k->acted; i++) {
    t[2 * CARDS + 2 * i] = 1;
    t[2 * CARDS + 2 * i + 1] = (float)(k->bets >> i & 1);
  }
}

/* ---- Words ----------------------------------------------------------------- */

static const char *const card_names[] = {"J", "Q", "K", "??"};
static const char *const card_words[] = {"jack", "queen", "king", "??"};

static void facts(const sal_view *out, struct sal_json *j) {
  const struct kuhn *k = &view_of(out)->s;
  sal_json_string(j, "phase",
                  k->dealt < 2 ? "deal"
                  : is_over(k) ? "over"
                               : "turn");
  sal_json_list(j, "cards");
  for (int i = 0; i < 2; i++)
    sal_json_string(j, NULL, card_names[k->card[i]]);
  sal_json_end(j, ']');
  sal_json_list(j, "actions");
  for (int i = 0; i < k->acted; i++)
    sal_json_string(j, NULL, k->bets >> i & 1 ? "bet" : "pass");
  sal_json_end(j, ']');
}

static const char *card_of(const struct sal_event *e,
                           const char *const *names) {
  return names[e->value[0] == SAL_HIDDEN ? HIDDEN : e->value[0]];
}

static void event_facts(const struct sal_event *e, struct sal_json *j) {
  static const char *const names[] = {[DEALT] = "dealt",
                                      [PASSED] = "passed",
                                      [MADE_BET] = "bet",
                                      [SHOWN] = "shown",
                                      [GAME_OVER] = "game_over"};
  sal_json_string(j, "event", names[e->kind]);
  if (e->seat >= 0)
    sal_json_int(j, "seat", e->seat);
  if (e->count)
    sal_json_string(j, "card", card_of(e, card_names));
}

static void prompt(const sal_view *out, const struct sal_words *w,
                   struct sal_text *t) {
  const struct kuhn_view *v = view_of(out);
  const int seat = v->s.acted & 1;
  if (is_over(&v->s))
    sal_text_add(t, "The game is over.");
  else
    sal_say(t, w, seat == v->viewer, "[You pass or bet|{seat} passes or bets].",
            &(struct sal_place){"seat", SAL_PLACE_SEAT, NULL, seat}, 1);
}

static void position(const sal_view *out, const struct sal_words *w,
                     struct sal_text *t) {
  const struct kuhn *k = &view_of(out)->s;
  (void)w;
  sal_text_add(t, "Cards:");
  for (int i = 0; i < 2; i++) {
    sal_text_char(t, ' ');
    sal_text_add(t, card_words[k->card[i]]);
  }
  for (int i = 0; i < k->acted; i++)
    sal_text_add(t, k->bets >> i & 1 ? ", bet" : ", pass");
  sal_text_char(t, '\n');
}

static void event_say(const struct sal_event *e, int viewer,
                      const struct sal_words *w, struct sal_text *t) {
  static const char *const says[] = {[DEALT] = "[You get|{seat} gets] a card.",
                                     [PASSED] = "[You pass|{seat} passes].",
                                     [MADE_BET] = "[You bet|{seat} bets].",
                                     [SHOWN] =
                                         "[You show|{seat} shows] the {card}.",
                                     [GAME_OVER] = "The game is over."};
  sal_say(
      t, w, e->seat == viewer,
      e->kind == DEALT && e->value[0] != SAL_HIDDEN
          ? "[You get|{seat} gets] the {card}."
          : says[e->kind],
      (struct sal_place[]){{"seat", SAL_PLACE_SEAT, NULL, e->seat},
                           {"card", SAL_PLACE_TEXT, card_of(e, card_words), 0}},
      2);
}

static const char *event_rule(const struct sal_event *e) {
  static const char *const ids[] = {[DEALT] = "kuhn.deal",
                                    [PASSED] = "kuhn.turn",
                                    [MADE_BET] = "kuhn.turn",
                                    [SHOWN] = "kuhn.win",
                                    [GAME_OVER] = "kuhn.win"};
  return ids[e->kind];
}

static void action_say(const sal_view *v, sal_action a,
                       const struct sal_words *w, struct sal_text *t) {
  (void)v, (void)w;
  sal_text_add(t, a == BET ? "Bet" : "Pass");
}

static void action_text(sal_action a, struct sal_text *out) {
  sal_text_add(out, a == PASS ? "pass" : a == BET ? "bet" : card_names[a & 3]);
}

static sal_action action_parse(const char *text) {
  return strcmp(text, "pass") == 0 ? PASS : strcmp(text, "bet") == 0 ? BET : 0;
}

/* ---- Deals and the table of contents ---------------------------------------- */

static int piles(const struct sal_setup *setup, int entry,
                 struct sal_pile *out) {
  (void)setup, (void)entry;
  out[0] = (struct sal_pile){"cards", 0, 0, 2, false};
  return 1;
}

static int stock(const struct sal_setup *setup, int pile, const char *name) {
  (void)setup, (void)pile;
  for (int i = 0; i < CARDS; i++)
    if (strcmp(name, card_names[i]) == 0)
      return 1;
  return 0;
}

static const char *selfcheck(const sal_state *state) {
  const struct kuhn *k = const_state(state);
  return k->dealt == 2 && k->card[0] == k->card[1] ? "the same card twice"
                                                   : NULL;
}

static const struct sal_rule rules[] = {
    {"kuhn.deal", "Each player puts in one chip and gets one of three cards."},
    {"kuhn.turn", "In turn, pass or bet one chip."},
    {"kuhn.win",
     "The higher card wins the chips, or the one bet that is not met."},
    {NULL, NULL}};

static const struct sal_option option_list[] = {{.name = NULL}};

static const struct sal_game kuhn = {
    .info = {.id = "kuhn",
             .title = "Kuhn poker",
             .tagline = "Three cards, one chip, one bluff.",
             .goal = "Win the chips with the higher card, or with a bet that "
                     "is not met.",
             .role = "You hold one of three cards, which only you see.",
             .players_min = 2,
             .players_max = 2,
             .players_usual = 2,
             .minutes = 1,
             .state_size = sizeof(struct kuhn),
             .view_size = sizeof(struct kuhn_view),
             .legal_max = 2,
             .tensor_size = TENSOR,
             .longest = 5,
             .score_min = -2,
             .score_max = 2,
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
    .piles = piles,
    .stock = stock,
    .selfcheck = selfcheck,
};

extern const struct sal_plugin sal_plugin;
__attribute__((visibility("default"))) const struct sal_plugin sal_plugin = {
    SAL_PLUGIN_INTERFACE, sizeof(struct sal_game),
    (const struct sal_game *const[]){&kuhn, NULL}};
