/* What comes out of a state of Louis XIV: views, worlds that fit them, numbers
 * for learners, and JSON.
 *
 * Main invariant: in a view whatever is hidden lies with its deck, as if it had
 * never been drawn; so two states that look the same give the same bytes. */
#include "louis.h"
#include "salotto/tensor.h"

/* ---- Views --------------------------------------------------------------- */

static bool is_open(const struct view *v, unsigned seat) {
  return v->viewer == SAL_EVERYTHING || v->s.station == AT_OVER ||
         v->viewer == (int)seat;
}

static void hide(struct louis *s, unsigned seat) {
  s->influence_deck.cards += s->influence[seat];
  s->intrigue_deck.cards += s->intrigue[seat];
  s->shield_deck += s->shields[seat];
  s->mission_deck |= s->missions[seat] | s->traded[seat];
  s->influence[seat] = s->intrigue[seat] = s->shields[seat] = 0;
  s->missions[seat] = s->traded[seat] = 0;
}

void louis_view(const sal_state *state, int viewer, sal_view *out) {
  struct view *v = (struct view *)out;
  memset(v, 0, sizeof *v);
  memcpy(&v->s, state, sizeof v->s);
  v->viewer = viewer;
  for (unsigned seat = 0; seat < v->s.players; seat++)
    if (!is_open(v, seat))
      hide(&v->s, seat);
}

/* ---- Worlds -------------------------------------------------------------- */

/* Takes so many things at random out of a bag. Cards of one name are different
 * things, so a world is as likely as the shuffles that lead to it. */
static bag deal_out(bag *from, unsigned n, struct sal_rng *rng) {
  bag dealt = 0;
  for (unsigned left = bag_total(*from); n > 0; n--, left--) {
    const bag one = bag_one(bag_pick(*from, sal_rng_below(rng, left)));
    *from -= one;
    dealt += one;
  }
  return dealt;
}

static uint64_t deal_missions(struct louis *s, unsigned tier, unsigned n,
                              struct sal_rng *rng) {
  const uint64_t stack = court_of(s)->tier[tier];
  uint64_t dealt = 0;
  for (; n > 0; n--) {
    uint64_t left = s->mission_deck & stack;
    uint32_t skip = sal_rng_below(rng, (uint32_t)__builtin_popcountll(left));
    while (skip--)
      left &= left - 1;
    dealt |= left & -left;
    s->mission_deck &= ~dealt;
  }
  return dealt;
}

void louis_resample(const sal_view *view, struct sal_rng *rng,
                    sal_state *state) {
  const struct view *v = as_view(view);
  struct louis *s = as_state(state);
  memcpy(s, &v->s, sizeof *s);
  for (unsigned seat = 0; seat < s->players; seat++) {
    if (is_open(v, seat))
      continue;
    s->influence[seat] =
        deal_out(&s->influence_deck.cards, s->influence_size[seat], rng);
    s->intrigue[seat] =
        deal_out(&s->intrigue_deck.cards, s->intrigue_size[seat], rng);
    s->shields[seat] =
        deal_out(&s->shield_deck,
                 (unsigned)s->shield_count[seat] - s->kindless[seat], rng);
    for (unsigned t = 0; t < TIERS; t++) {
      s->missions[seat] |= deal_missions(s, t, s->tiers[seat][t], rng);
      s->traded[seat] |= deal_missions(s, t, s->traded_tiers[seat][t], rng);
    }
  }
}

/* ---- Tensor -------------------------------------------------------------- */

static void put_bag(float *t, bag b, unsigned from, unsigned kinds,
                    float unit) {
  for (unsigned k = 0; k < kinds; k++)
    t[k] = (float)bag_count(b, from + k) / unit;
}

/* Where there is nothing yet; most bits are 0. */
static void put_mask(float *t, uint64_t mask) {
  for (; mask; mask &= mask - 1)
    t[__builtin_ctzll(mask)] = 1;
}

static void put_bytes(float *t, const uint8_t *values, unsigned n, float unit) {
  for (unsigned i = 0; i < n; i++)
    t[i] = (float)values[i] / unit;
}

/* The stations where somebody is asked, in the order of the tensor. */
static const uint8_t asked_at[] = {
    AT_SETUP,     AT_WITHDRAW, AT_SWAP,    AT_EXCHANGE, AT_FOOTHOLD,
    AT_INFLUENCE, AT_INTRIGUE, AT_TIE,     AT_PAY,      AT_PUT,
    AT_FAVOURITE, AT_RECOUP,   AT_MISSION, AT_DRAW,     AT_KEEP};

static void put_table(float *t, const struct louis *s) {
  for (unsigned i = 0; i < sizeof asked_at; i++)
    t[SAL_LOUIS_PHASE + i] = s->station == asked_at[i];
  if (s->louis != NOBODY)
    t[SAL_LOUIS_LOUIS + s->louis] = 1;
  if (s->favourite != NOBODY)
    t[SAL_LOUIS_FAVOURITE + s->favourite] = 1;
  if (evaluating(s))
    t[SAL_LOUIS_TILE + s->tile] = 1;
  put_mask(t + SAL_LOUIS_BLACK, s->black);
  put_bytes(t + SAL_LOUIS_NEUTRAL, s->neutral, TILES, 4);
  put_bytes(t + SAL_LOUIS_STOCK, s->stock, CHIP_KINDS, 6);
  put_bytes(t + SAL_LOUIS_STACKS, s->missions_left, TIERS, 10);
  put_bag(t + SAL_LOUIS_UNSEEN, s->influence_deck.cards, 0, CARD_KINDS, 2);
  put_bag(t + SAL_LOUIS_OPEN, s->influence_deck.open, 0, CARD_KINDS, 2);
  put_bag(t + SAL_LOUIS_PLOTS, s->intrigue_deck.cards, 0, TILES, 1);
  put_bag(t + SAL_LOUIS_PLAYED, s->intrigue_deck.open, 0, TILES, 1);
  put_mask(t + SAL_LOUIS_MONEY, s->money_deck);
  t[SAL_LOUIS_DECKS] = (float)s->influence_deck.left / 10;
  t[SAL_LOUIS_DECKS + 1] = (float)s->intrigue_deck.left / 10;
  t[SAL_LOUIS_DECKS + 2] = (float)s->shields_left / 10;
  /* in a game of two rounds these are the last two */
  const unsigned before = court_of(s)->rounds - rounds_of(s);
  t[SAL_LOUIS_ROUND] = (float)(s->round + before) / 4;
  t[SAL_LOUIS_NTH] = s->nth;
  t[SAL_LOUIS_PLAIN] = s->plain;
}

static void put_own(float *t, const struct louis *s, unsigned seat) {
  put_bag(t + SAL_LOUIS_HAND, s->influence[seat], 0, CARD_KINDS, 2);
  put_bag(t + SAL_LOUIS_INTRIGUE, s->intrigue[seat], 0, TILES, 1);
  put_bag(t + SAL_LOUIS_SHIELDS, s->shields[seat], 1, SHIELD_KINDS_MAX, 2);
  put_mask(t + SAL_LOUIS_MISSIONS, s->missions[seat]);
  put_mask(t + SAL_LOUIS_TRADED, s->traded[seat]);
}

/* What everybody knows of one seat. */
static void put_seat(float *t, const struct louis *s, unsigned seat) {
  t[SAL_LOUIS_GOLD] = (float)s->gold[seat] / 10;
  t[SAL_LOUIS_READY] = (float)s->personal[seat] / 10;
  t[SAL_LOUIS_GENERAL] = (float)s->general[seat] / 10;
  put_mask(t + SAL_LOUIS_BOARD, s->board[seat]);
  put_mask(t + SAL_LOUIS_WITHDRAWN, s->withdrawn[seat]);
  put_bytes(t + SAL_LOUIS_CHIPS, s->chips[seat], CHIP_KINDS, 1);
  t[SAL_LOUIS_SIZES] = (float)s->influence_size[seat] / 5;
  t[SAL_LOUIS_SIZES + 1] = s->intrigue_size[seat];
  t[SAL_LOUIS_SIZES + 2] = (float)s->shield_count[seat] / 10;
  put_bytes(t + SAL_LOUIS_TIERS, s->tiers[seat], TIERS, 1);
  for (int tile = 0; tile < TILES; tile++)
    t[SAL_LOUIS_MARKERS + tile] = (float)s->markers[tile][seat] / 3;
  t[SAL_LOUIS_COUNTED] = (float)s->counted[seat] / 3;
  put_bytes(t + SAL_LOUIS_USED, s->used[seat], USED_KINDS, 1);
  for (int i = 0; i < s->laid_count; i++)
    if (s->laid[i] / MISSIONS_MAX == seat)
      t[SAL_LOUIS_LAID + s->laid[i] % MISSIONS_MAX] = 1;
  t[SAL_LOUIS_ASKED] = s->asked == seat;
}

void louis_tensor(const sal_view *view, float *t) {
  const struct view *v = as_view(view);
  const unsigned me = v->viewer < 0 ? 0 : (unsigned)v->viewer;
  memset(t, 0, SAL_LOUIS_TENSOR * sizeof *t);
  put_table(t, &v->s);
  put_own(t, &v->s, me);
  for (unsigned i = 0; i < v->s.players; i++)
    put_seat(t + SAL_LOUIS_SEATS + i * SAL_LOUIS_SEAT, &v->s,
             (me + i) % v->s.players);
}

/* ---- JSON ---------------------------------------------------------------- */

static const char *const phase_names[STATIONS] = {[AT_SETUP] = "setup",
                                                  [AT_WITHDRAW] = "withdraw",
                                                  [AT_SWAP] = "swap",
                                                  [AT_EXCHANGE] = "exchange",
                                                  [AT_FOOTHOLD] = "foothold",
                                                  [AT_INFLUENCE] = "influence",
                                                  [AT_INTRIGUE] = "intrigue",
                                                  [AT_TIE] = "tie",
                                                  [AT_PAY] = "pay",
                                                  [AT_PUT] = "put",
                                                  [AT_FAVOURITE] = "favourite",
                                                  [AT_RECOUP] = "recoup",
                                                  [AT_MISSION] = "mission",
                                                  [AT_DRAW] = "draw",
                                                  [AT_KEEP] = "keep",
                                                  [AT_OVER] = "over"};

static void json_card(struct sal_json *j, const char *key, unsigned card) {
  if (card == JOKER)
    sal_json_string(j, key, "J");
  else
    sal_json_int(j, key, card + 1);
}

static void json_cards(struct sal_json *j, const char *key, bag cards) {
  sal_json_list(j, key);
  for (unsigned k = 0; k < CARD_KINDS; k++)
    for (unsigned i = 0; i < bag_count(cards, k); i++)
      json_card(j, NULL, k);
  sal_json_end(j, ']');
}

static void json_hidden(struct sal_json *j, unsigned n) {
  sal_json_list(j, NULL);
  while (n--)
    sal_json_string(j, NULL, "??");
  sal_json_end(j, ']');
}

static void json_code(struct sal_json *j, const char *key, uint32_t code) {
  char id[ID_LENGTH + 1];
  struct sal_text text;
  sal_text_init(&text, id, sizeof id);
  mission_id(code, &text);
  sal_json_string(j, key, id);
}

/* A list of numbers, one a seat. */
static void json_bytes(struct sal_json *j, const char *key,
                       const uint8_t *values, unsigned n) {
  sal_json_list(j, key);
  for (unsigned i = 0; i < n; i++)
    sal_json_int(j, NULL, values[i]);
  sal_json_end(j, ']');
}

static void json_tile_or_null(struct sal_json *j, const char *key,
                              unsigned tile) {
  if (tile == NOBODY)
    sal_json_null(j, key);
  else
    sal_json_int(j, key, tile + 1);
}

static void json_chips(struct sal_json *j, const char *key,
                       const uint8_t *chips) {
  sal_json_object(j, key);
  for (int k = 0; k < CHIP_KINDS; k++)
    sal_json_int(j, chip_names[k], chips[k]);
  sal_json_end(j, '}');
}

static void facts_board(const struct louis *s, struct sal_json *j) {
  sal_json_list(j, "tiles");
  for (int t = 0; t < TILES; t++) {
    sal_json_object(j, NULL);
    sal_json_string(j, "side", s->black >> t & 1 ? "black" : "red");
    json_bytes(j, "markers", s->markers[t], s->players);
    sal_json_int(j, "neutral", s->neutral[t]);
    sal_json_end(j, '}');
  }
  sal_json_end(j, ']');
  sal_json_list(j, "gold");
  for (unsigned seat = 0; seat < s->players; seat++)
    sal_json_int(j, NULL, s->gold[seat]);
  sal_json_end(j, ']');
  json_bytes(j, "personal", s->personal, s->players);
  json_bytes(j, "general", s->general, s->players);
  sal_json_list(j, "boards");
  for (unsigned seat = 0; seat < s->players; seat++) {
    sal_json_list(j, NULL);
    for (int i = 0; i < SPACES; i++)
      sal_json_bool(j, NULL, s->board[seat] >> i & 1);
    sal_json_end(j, ']');
  }
  sal_json_end(j, ']');
  sal_json_list(j, "chips");
  for (unsigned seat = 0; seat < s->players; seat++)
    json_chips(j, NULL, s->chips[seat]);
  sal_json_end(j, ']');
  json_chips(j, "stock", s->stock);
}

static void json_missions(struct sal_json *j, const struct louis *s,
                          uint64_t mask) {
  sal_json_list(j, NULL);
  for (; mask; mask &= mask - 1)
    json_code(j, NULL, court_of(s)->mission[__builtin_ctzll(mask)].code);
  sal_json_end(j, ']');
}

static void json_shields(struct sal_json *j, const struct louis *s,
                         unsigned seat) {
  sal_json_list(j, NULL);
  for (unsigned i = 0; i < s->kindless[seat]; i++)
    sal_json_int(j, NULL, 0);
  for (unsigned k = 1; k <= SHIELD_KINDS_MAX; k++)
    for (unsigned i = 0; i < bag_count(s->shields[seat], k); i++)
      sal_json_int(j, NULL, k);
  sal_json_end(j, ']');
}

static void facts_hands(const struct view *v, struct sal_json *j) {
  const struct louis *s = &v->s;
  sal_json_list(j, "influence");
  for (unsigned seat = 0; seat < s->players; seat++)
    if (is_open(v, seat))
      json_cards(j, NULL, s->influence[seat]);
    else
      json_hidden(j, s->influence_size[seat]);
  sal_json_end(j, ']');
  sal_json_list(j, "intrigue");
  for (unsigned seat = 0; seat < s->players; seat++)
    if (is_open(v, seat))
      json_cards(j, NULL, s->intrigue[seat]);
    else
      json_hidden(j, s->intrigue_size[seat]);
  sal_json_end(j, ']');
  sal_json_list(j, "missions");
  for (unsigned seat = 0; seat < s->players; seat++)
    if (is_open(v, seat))
      json_missions(j, s, s->missions[seat]);
    else
      json_hidden(j, missions_held(s, seat));
  sal_json_end(j, ']');
  sal_json_list(j, "shields");
  for (unsigned seat = 0; seat < s->players; seat++)
    if (is_open(v, seat))
      json_shields(j, s, seat);
    else
      json_hidden(j, s->shield_count[seat]);
  sal_json_end(j, ']');
}

static void facts_missions(const struct louis *s, struct sal_json *j) {
  sal_json_list(j, "fulfilled");
  for (unsigned seat = 0; seat < s->players; seat++) {
    sal_json_list(j, NULL);
    for (int i = 0; i < s->laid_count; i++)
      if (s->laid[i] / MISSIONS_MAX == seat)
        json_code(j, NULL,
                  court_of(s)->mission[s->laid[i] % MISSIONS_MAX].code);
    sal_json_end(j, ']');
  }
  sal_json_end(j, ']');
  sal_json_list(j, "tiers");
  for (unsigned seat = 0; seat < s->players; seat++) {
    sal_json_list(j, NULL);
    for (int t = 0; t < TIERS; t++)
      for (int i = 0; i < s->tiers[seat][t]; i++)
        sal_json_string(j, NULL, tier_names[t]);
    sal_json_end(j, ']');
  }
  sal_json_end(j, ']');
  sal_json_list(j, "used");
  for (unsigned seat = 0; seat < s->players; seat++) {
    sal_json_object(j, NULL);
    sal_json_int(j, "tie", s->used[seat][USED_TIE]);
    sal_json_int(j, "recoup", s->used[seat][USED_RECOUP]);
    sal_json_int(j, "wild", s->used[seat][USED_WILD]);
    sal_json_end(j, '}');
  }
  sal_json_end(j, ']');
}

static void facts_decks(const struct louis *s, struct sal_json *j) {
  sal_json_object(j, "decks");
  sal_json_int(j, "money", __builtin_popcount(s->money_deck));
  sal_json_int(j, "influence", s->influence_deck.left);
  sal_json_int(j, "intrigue", s->intrigue_deck.left);
  for (int t = 0; t < TIERS; t++)
    sal_json_int(j, tier_names[t], s->missions_left[t]);
  sal_json_int(j, "shields", s->shields_left);
  sal_json_end(j, '}');
  sal_json_object(j, "discards");
  json_cards(j, "influence", s->influence_deck.open);
  json_cards(j, "intrigue", s->intrigue_deck.open);
  sal_json_end(j, '}');
}

void louis_facts(const sal_view *view, struct sal_json *j) {
  const struct view *v = as_view(view);
  const struct louis *s = &v->s;
  int32_t points[SEATS], majorities[SEATS];
  sal_json_string(j, "phase", s->draws ? "deal" : phase_names[s->station]);
  sal_json_int(j, "round", s->round ? s->round : 1);
  sal_json_int(j, "rounds", rounds_of(s));
  sal_json_int(j, "start", s->start);
  json_tile_or_null(j, "louis", s->louis);
  json_tile_or_null(j, "favourite", s->favourite);
  facts_board(s, j);
  facts_hands(v, j);
  facts_missions(s, j);
  json_tile_or_null(j, "evaluating", evaluating(s) ? s->tile : NOBODY);
  louis_points(s, points, majorities);
  sal_json_list(j, "points");
  for (unsigned seat = 0; seat < s->players; seat++)
    sal_json_int(j, NULL, points[seat]);
  sal_json_end(j, ']');
  facts_decks(s, j);
  sal_json_list(j, "withdrawn");
  for (unsigned seat = 0; seat < s->players; seat++)
    json_from_one(j, NULL, s->withdrawn[seat]);
  sal_json_end(j, ']');
  if (s->station == AT_FOOTHOLD && s->asked != NOBODY)
    json_code(j, "asked", foothold_mission(s)->code);
  else
    sal_json_null(j, "asked");
}

/* ---- Events as JSON ------------------------------------------------------ */

static const char *const event_names[EVENTS] = {[E_ROUND] = "round",
                                                [E_DEALT] = "dealt",
                                                [E_FAVOURED] = "favoured",
                                                [E_MONEY] = "money",
                                                [E_POWER] = "power",
                                                [E_WITHDRAWN] = "withdrawn",
                                                [E_RESHUFFLED] = "reshuffled",
                                                [E_SWAPPED] = "swapped",
                                                [E_EXCHANGED] = "exchanged",
                                                [E_TURNED_UP] = "turned_up",
                                                [E_FOOTHOLD] = "foothold",
                                                [E_PLAYED] = "played",
                                                [E_RECOVERED] = "recovered",
                                                [E_DISCARDED] = "discarded",
                                                [E_INTRIGUE] = "intrigue",
                                                [E_PASSED] = "passed",
                                                [E_COUNTED] = "counted",
                                                [E_TIE] = "tie",
                                                [E_PAID] = "paid",
                                                [E_REWARDED] = "rewarded",
                                                [E_PUT] = "put",
                                                [E_CROWN] = "crown",
                                                [E_FAVOURITE] = "favourite",
                                                [E_RECOUPED] = "recouped",
                                                [E_HOME] = "home",
                                                [E_FLIPPED] = "flipped",
                                                [E_FULFILLED] = "fulfilled",
                                                [E_TRADED] = "traded",
                                                [E_DONE] = "done",
                                                [E_KEPT] = "kept",
                                                [E_ROUND_OVER] = "round_over",
                                                [E_GAME_OVER] = "game_over"};

static const char *const pile_names[] = {
    "influence", "intrigue", "money", "light", "medium", "dark", "shields"};

static void json_values(struct sal_json *j, const char *key,
                        const int16_t *values, int n) {
  sal_json_list(j, key);
  for (int i = 0; i < n; i++)
    sal_json_int(j, NULL, values[i]);
  sal_json_end(j, ']');
}

/* One or two tiles, counted from 1. */
static void json_tiles(struct sal_json *j, const int16_t *values) {
  json_values(j, "tiles", values, values[1] ? 2 : 1);
}

static void json_dealt(const struct sal_event *e, struct sal_json *j) {
  const int pile = e->value[0];
  sal_json_string(j, "pile", pile_names[pile]);
  if (e->value[1] == SAL_HIDDEN)
    sal_json_string(j, "card", "??");
  else if (pile == PILE_SHIELDS)
    sal_json_int(j, "card", e->value[2]);
  else if (pile >= PILE_LIGHT)
    json_code(j, "card", event_code(&e->value[1]));
  else
    json_card(j, "card", (unsigned)e->value[2]);
}

static void json_played(const struct sal_event *e, struct sal_json *j) {
  json_card(j, "card", (unsigned)e->value[0]);
  sal_json_bool(j, "jump", e->value[1]);
  sal_json_list(j, "path");
  for (int i = 2; i < 8 && e->value[i]; i += 2)
    json_values(j, NULL, &e->value[i], 2);
  sal_json_end(j, ']');
}

static void json_rewarded(const struct sal_event *e, struct sal_json *j) {
  sal_json_int(j, "tile", e->value[0] + 1);
  if (e->value[1] == CHIP_REWARD) {
    sal_json_string(j, "reward", "chip");
    sal_json_string(j, "chip", chip_names[e->value[2]]);
  } else {
    sal_json_string(j, "reward", reward_names[e->value[1]]);
  }
  sal_json_int(j, "amount", e->value[3]);
}

static void json_chip_list(const int16_t *values, int n, int from,
                           struct sal_json *j) {
  sal_json_list(j, "chips");
  for (int i = 0; i < n; i++)
    if (values[i] >= from)
      sal_json_string(j, NULL, chip_names[values[i] - from]);
  sal_json_end(j, ']');
}

static void json_game_over(const struct sal_event *e, struct sal_json *j) {
  sal_json_bits(j, "winners", (unsigned)e->value[0]);
  json_values(j, "points", &e->value[2], e->value[1]);
  json_values(j, "majorities", &e->value[6], e->value[1]);
}

void louis_event_facts(const struct sal_event *e, struct sal_json *j) {
  const int16_t *v = e->value;
  sal_json_string(j, "event", event_names[e->kind]);
  if (e->seat >= 0 && e->kind != E_ROUND && e->kind != E_COUNTED)
    sal_json_int(j, "seat", e->seat);
  switch (e->kind) {
  case E_ROUND:
    sal_json_int(j, "round", v[0]);
    sal_json_int(j, "start", e->seat);
    return;
  case E_DEALT: json_dealt(e, j); return;
  case E_FAVOURED:
  case E_WITHDRAWN: json_from_one(j, "spaces", (unsigned)v[0]); return;
  case E_MONEY:
    sal_json_int(j, "louis", v[0] + 1);
    sal_json_int(j, "gold", v[1]);
    json_tile_or_null(j, "favourite", (unsigned)v[2]);
    return;
  case E_POWER:
    sal_json_int(j, "gold", v[0]);
    sal_json_int(j, "personal", v[1]);
    return;
  case E_RESHUFFLED: sal_json_string(j, "pile", pile_names[v[0]]); return;
  case E_EXCHANGED: json_cards(j, "cards", event_bag(v)); return;
  case E_TURNED_UP:
    json_card(j, "card", (unsigned)v[0]);
    sal_json_int(j, "tile", v[1] + 1);
    sal_json_int(j, "neutral", v[2]);
    return;
  case E_FOOTHOLD:
    json_code(j, "mission", event_code(v));
    json_tiles(j, v + 2);
    return;
  case E_PLAYED: json_played(e, j); return;
  case E_SWAPPED:
  case E_DISCARDED: json_card(j, "card", (unsigned)v[0]); return;
  case E_RECOVERED:
    json_card(j, "card", (unsigned)v[0]);
    sal_json_int(j, "number", v[1]);
    return;
  case E_INTRIGUE:
    sal_json_int(j, "tile", v[0] + 1);
    sal_json_int(j, "number", v[1]);
    sal_json_string(j, "from", v[2] ? "personal" : "general");
    sal_json_bool(j, "favour", v[3]);
    return;
  case E_COUNTED:
    sal_json_int(j, "tile", v[0] + 1);
    if (e->seat < 0)
      sal_json_null(j, "first");
    else
      sal_json_int(j, "first", e->seat);
    sal_json_int(j, "neutral", v[1]);
    json_values(j, "markers", v + 3, v[2]);
    return;
  case E_TIE:
  case E_CROWN: sal_json_int(j, "tile", v[0] + 1); return;
  case E_PAID:
    sal_json_int(j, "tile", v[0] + 1);
    sal_json_int(j, "gold", v[1]);
    return;
  case E_REWARDED: json_rewarded(e, j); return;
  case E_PUT: json_tiles(j, v); return;
  case E_FAVOURITE:
    json_from_one(j, "spaces", (unsigned)v[0]);
    sal_json_int(j, "from_general", v[1]);
    sal_json_int(j, "from_personal", v[2]);
    sal_json_int(j, "to_personal", v[3]);
    return;
  case E_RECOUPED: sal_json_int(j, "number", v[0]); return;
  case E_HOME:
    sal_json_int(j, "tile", v[0] + 1);
    json_values(j, "general", v + 2, v[1]);
    json_values(j, "personal", v + 6, v[1]);
    return;
  case E_FLIPPED:
    sal_json_int(j, "tile", v[0] + 1);
    sal_json_string(j, "side", v[1] ? "black" : "red");
    return;
  case E_FULFILLED:
    json_code(j, "mission", event_code(v));
    json_chip_list(v + 2, 2, 0, j);
    return;
  case E_TRADED:
    sal_json_string(j, "stack", tier_names[v[0]]);
    sal_json_string(j, "tier", tier_names[v[1]]);
    if (v[2] == SAL_HIDDEN)
      sal_json_string(j, "mission", "??");
    else
      json_code(j, "mission", event_code(v + 2));
    return;
  case E_KEPT:
    json_chip_list(v, 3, 1, j);
    sal_json_bool(j, "favour", v[3]);
    return;
  case E_ROUND_OVER: sal_json_int(j, "round", v[0]); return;
  case E_GAME_OVER: json_game_over(e, j); return;
  default: return;
  }
}
