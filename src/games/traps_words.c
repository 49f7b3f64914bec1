/* Traps in facts and in sentences; the rules are in traps.c. Nothing here sees
 * more than a view or an event that was cut for its viewer. */
#include "traps.h"

/* ---- Facts -------------------------------------------------------------- */

/* The cards of a pile that lie face down, bottom first. */
static void json_down(struct sal_json *j, pile p) {
  sal_json_list(j, NULL);
  for (unsigned i = 0; i < down(p); i++)
    sal_json_string(j, NULL, card_names[card_at(p, i)]);
  sal_json_end(j, ']');
}

/* Those that were turned up, the first one first. */
static void json_revealed(struct sal_json *j, pile p) {
  sal_json_list(j, NULL);
  for (unsigned i = laid(p); i > down(p); i--)
    sal_json_string(j, NULL, card_names[card_at(p, i - 1)]);
  sal_json_end(j, ']');
}

static void facts_by_seat(const struct traps *s, struct sal_json *j) {
  const int n = s->players;
  sal_json_list(j, "tokens");
  for (int seat = 0; seat < n; seat++)
    sal_json_int(j, NULL, s->tokens[seat]);
  sal_json_end(j, ']');
  sal_json_list(j, "hands");
  for (int seat = 0; seat < n; seat++)
    json_hand(j, NULL, s->hands[seat]);
  sal_json_end(j, ']');
  sal_json_list(j, "piles");
  for (int seat = 0; seat < n; seat++)
    json_down(j, s->piles[seat]);
  sal_json_end(j, ']');
  sal_json_list(j, "revealed");
  for (int seat = 0; seat < n; seat++)
    json_revealed(j, s->piles[seat]);
  sal_json_end(j, ']');
  sal_json_list(j, "known");
  for (int seat = 0; seat < n; seat++)
    json_aid(j, NULL, widen(s->known[seat]), s->memory);
  sal_json_end(j, ']');
}

void traps_facts(const sal_view *view, struct sal_json *j) {
  static const char *const phase_names[] = {"deal",   "deal",  "deal",
                                            "place",  "build", "bet",
                                            "reveal", "give",  "over"};
  const struct traps *s = &as_view(view)->s;
  sal_json_string(j, "phase", phase_names[s->phase]);
  sal_json_int(j, "round", s->round);
  sal_json_int(j, "first", s->first);
  sal_json_string(j, "target", card_names[s->target]);
  json_hand(j, "doors_left", s->doors_left);
  sal_json_int(j, "pot", s->pot);
  sal_json_int(j, "supply", s->supply);
  facts_by_seat(s, j);
  sal_json_bits(j, "passed", s->passed);
  sal_json_int(j, "high_bet", s->high_bet);
  if (s->high_bettor == NO_SEAT)
    sal_json_null(j, "high_bettor");
  else
    sal_json_int(j, "high_bettor", s->high_bettor);
  sal_json_int(j, "points", s->points);
}

/* ---- Facts of events ---------------------------------------------------- */

static const char *event_card(const struct sal_event *e, int i) {
  return card_names[e->value[i] == SAL_HIDDEN ? NO_CARD : e->value[i]];
}

static int64_t event_round(const struct sal_event *e) {
  return e->value[0] + (int64_t)HALF * e->value[1];
}

/* The reason of a round's end is told as the id of its rule. */
static const char *const reason_ids[] = {"traps.success", "traps.fail.pot",
                                         "traps.fail.cards", "traps.stop",
                                         "traps.trap.own-all-four"};

/* What an event tells besides its name and seat. */
static void event_values(const struct sal_event *e, struct sal_json *j) {
  switch (e->kind) {
  case DEALT:
    sal_json_list(j, "cards");
    for (int i = 0; i < e->count; i++)
      sal_json_string(j, NULL, event_card(e, i));
    sal_json_end(j, ']');
    return;
  case PLACED:
  case BUILT: sal_json_string(j, "card", event_card(e, 0)); return;
  case BET_MADE: sal_json_int(j, "number", e->value[0]); return;
  case REVEALED:
  case TRAP:
    sal_json_int(j, "pile", e->value[0]);
    sal_json_string(j, "card", event_card(e, 1));
    if (e->kind == TRAP)
      sal_json_int(j, "tokens", PAY_TRAP);
    return;
  case GIVEN:
    sal_json_int(j, "to", e->value[0]);
    sal_json_int(j, "tokens", PAY_TRAP);
    return;
  case STOPPED: sal_json_int(j, "tokens", PAY_STOP); return;
  case ALL_FOUR:
  case BET_MET:
  case BET_FAILED: sal_json_int(j, "tokens", e->value[0]); return;
  case ROUND_OVER:
    sal_json_int(j, "tokens", e->value[1]);
    sal_json_string(j, "reason", reason_ids[e->value[0]]);
    sal_json_int(j, "pot", e->value[2]);
    return;
  default: return;
  }
}

void traps_event_facts(const struct sal_event *e, struct sal_json *j) {
  static const char *const names[] = {
      [DEALT] = "dealt",           [ROUND] = "round",
      [PLACED] = "placed",         [BUILT] = "built",
      [BET_MADE] = "bet",          [PASSED] = "passed",
      [REVEALED] = "revealed",     [TRAP] = "trap",
      [GIVEN] = "given",           [ALL_FOUR] = "all_four",
      [STOPPED] = "stopped",       [BET_MET] = "bet_met",
      [BET_FAILED] = "bet_failed", [ROUND_OVER] = "round_over",
      [GAME_OVER] = "game_over"};
  sal_json_string(j, "event", names[e->kind]);
  switch (e->kind) {
  case ROUND:
    sal_json_int(j, "round", event_round(e));
    sal_json_int(j, "first", e->seat);
    sal_json_string(j, "target", event_card(e, 2));
    sal_json_int(j, "pot", e->value[3]);
    return;
  case GAME_OVER:
    sal_json_list(j, "winners");
    sal_json_int(j, NULL, e->seat);
    sal_json_end(j, ']');
    return;
  default:
    sal_json_int(j, "seat", e->seat);
    event_values(e, j);
    return;
  }
}

/* ---- Prompt ------------------------------------------------------------- */

/* All who have not placed are asked at once. */
static void prompt_place(const struct view *v, const struct sal_words *w,
                         struct sal_text *t) {
  unsigned asked = v->s.asked & (SAL_CHANCE_BIT - 1);
  if (v->viewer >= 0 && (asked >> v->viewer & 1)) {
    sal_say(t, w, true, N_("Lay a card face down: the bottom of your pile."),
            NULL, 0);
    return;
  }
  sal_say(t, w, false, N_("Still to place a card:"), NULL, 0);
  for (const char *gap = " "; asked; asked &= asked - 1, gap = ", ") {
    sal_text_add(t, gap);
    w->seat(w, __builtin_ctz(asked), t);
  }
  sal_text_char(t, '.');
}

static const char *question(const struct traps *s, int seat) {
  switch (s->phase) {
  case BUILD:
    if (s->hands[seat])
      return N_("[Your turn: build|{seat} may build] or bet.");
    return N_("[You have|{seat} has] no card left and must bet.");
  case BET:
    if (s->high_bet < BET_MAX)
      return N_("[Your turn: bet|{seat} may bet] more than {bet}, or pass.");
    return N_(
        "[You have|{seat} has] to pass: {bet} is the highest possible bet.");
  case REVEAL:
    if (s->tokens[seat])
      return N_(
          "[Turn|{seat} may turn] up a card or stop: {points} of {bet} points.");
    return N_("[Turn|{seat} turns] up a card: {points} of {bet} points.");
  case GIVE:
    return N_("[Give|{seat} gives] a token to a player with fewer than 4.");
  default: return N_("[You have|{seat} has] won.");
  }
}

void traps_prompt(const sal_view *view, const struct sal_words *w,
                  struct sal_text *t) {
  const struct view *v = as_view(view);
  const struct traps *s = &v->s;
  if (s->phase <= PLACE) {
    prompt_place(v, w, t);
    return;
  }
  const int seat = __builtin_ctz(s->phase == OVER ? rich(s) : s->asked);
  sal_say(t, w, seat == v->viewer, question(s, seat),
          (struct sal_place[]){place_seat("seat", seat),
                               place_number("bet", s->high_bet),
                               place_number("points", s->points)},
          3);
}

/* ---- Position ----------------------------------------------------------- */

static void text_label(struct sal_text *t, const struct sal_words *w,
                       const char *label) {
  sal_say(t, w, false, label, NULL, 0);
  sal_text_char(t, ' ');
}

/* What a seat has and has done, in one line. */
static void text_standing(struct sal_text *t, const struct sal_words *w,
                          const struct traps *s, int seat) {
  const struct sal_place p[] = {place_seat("seat", seat),
                                place_number("tokens", s->tokens[seat]),
                                place_number("bet", s->high_bet)};
  sal_say_n(t, w, false,
            NN_("{seat}: {tokens} token", "{seat}: {tokens} tokens"),
            s->tokens[seat], p, 3);
  if (s->first == seat)
    sal_say(t, w, false, N_(", first player"), p, 3);
  if (s->passed >> seat & 1)
    sal_say(t, w, false, N_(", has passed"), p, 3);
  if (s->high_bettor == seat)
    sal_say(t, w, false, N_(", has bet {bet}"), p, 3);
  sal_text_char(t, '\n');
}

/* The pile as it lies, bottom first; what was turned up lies beside it. */
static void text_pile(struct sal_text *t, const struct sal_words *w, pile p) {
  text_label(t, w, N_("  pile:"));
  if (down(p) == 0)
    sal_text_char(t, '-');
  for (unsigned i = 0; i < down(p); i++) {
    sal_text_add(t, i ? " " : "");
    sal_text_add(t, card_names[card_at(p, i)]);
  }
  if (down(p) == laid(p))
    return;
  text_label(t, w, N_("  turned up:"));
  for (unsigned i = laid(p); i > down(p); i--) {
    sal_text_add(t, i < laid(p) ? " " : "");
    sal_text_add(t, card_names[card_at(p, i - 1)]);
  }
}

static void text_seat(struct sal_text *t, const struct sal_words *w,
                      const struct traps *s, int seat) {
  text_standing(t, w, s, seat);
  text_label(t, w, N_("    hand:"));
  text_hand(t, s->hands[seat]);
  text_pile(t, w, s->piles[seat]);
  sal_text_char(t, '\n');
  if (s->known[seat] && !s->memory)
    row(t, w, N_("    shown in earlier rounds:"), widen(s->known[seat]));
}

void traps_position(const sal_view *view, const struct sal_words *w,
                    struct sal_text *t) {
  const struct traps *s = &as_view(view)->s;
  const struct sal_place p[] = {
      place_number("round", s->round), place_number("pot", s->pot),
      place_number("supply", s->supply), place_number("points", s->points),
      place_number("bet", s->high_bet)};
  sal_say(t, w, false, N_("Round {round}. Pot: {pot}. Supply: {supply}.\n"), p,
          5);
  if (s->target < DOORS) {
    const struct sal_place card = place_card("card", s->target);
    sal_say(t, w, false, N_("The target is the {card}.\n"), &card, 1);
  }
  row(t, w, N_("Doors still to come:"), s->doors_left);
  if (s->phase >= REVEAL)
    sal_say(t, w, false, N_("Points: {points} of {bet}.\n"), p, 5);
  for (int seat = 0; seat < s->players; seat++)
    text_seat(t, w, s, seat);
}

/* ---- Events ------------------------------------------------------------- */

/* The cards by name: "Red Lady, Blue/Red". */
static void list_cards(const struct sal_event *e, const struct sal_words *w,
                       struct sal_text *out) {
  for (int i = 0; i < e->count; i++) {
    sal_text_add(out, i ? ", " : "");
    sal_say(out, w, false, card_title((unsigned)e->value[i]), NULL, 0);
  }
}

static void say_dealt(const struct sal_event *e, bool you,
                      const struct sal_words *w, struct sal_text *t) {
  const bool hidden = e->value[0] == SAL_HIDDEN;
  char cards[32 * HAND_MAX];
  struct sal_text list;
  sal_text_init(&list, cards, sizeof cards);
  if (!hidden)
    list_cards(e, w, &list);
  const struct sal_place p[] = {place_seat("seat", e->seat),
                                place_number("count", e->count),
                                {"cards", SAL_PLACE_TEXT, cards, 0}};
  sal_say(t, w, you,
          hidden ? N_("{seat} is dealt {count} cards.")
                 : N_("[You are|{seat} is] dealt {cards}."),
          p, 3);
}

static void say_round(const struct sal_event *e, bool you,
                      const struct sal_words *w, struct sal_text *t) {
  const struct sal_place p[] = {place_seat("seat", e->seat),
                                place_number("round", event_round(e)),
                                place_card("card", (unsigned)e->value[2]),
                                place_number("pot", e->value[3])};
  sal_say_n(t, w, you,
            NN_("Round {round}: the target is the {card}, the pot holds {pot} "
                "token, [you are|{seat} is] first.",
                "Round {round}: the target is the {card}, the pot holds {pot} "
                "tokens, [you are|{seat} is] first."),
            (unsigned long)e->value[3], p, 4);
}

static void say_laid(const struct sal_event *e, bool you,
                     const struct sal_words *w, struct sal_text *t) {
  const bool placed = e->kind == PLACED;
  struct sal_place p[2] = {place_seat("seat", e->seat)};
  if (e->value[0] == SAL_HIDDEN) {
    sal_say(t, w, you,
            placed ? N_("{seat} has placed a card.")
                   : N_("{seat} builds: one more card face down."),
            p, 1);
    return;
  }
  p[1] = place_card("card", (unsigned)e->value[0]);
  sal_say(t, w, you,
          placed ? N_("[You place|{seat} places] the {card}.")
                 : N_("[You build|{seat} builds] with the {card}."),
          p, 2);
}

static void say_revealed(const struct sal_event *e, int viewer,
                         const struct sal_words *w, struct sal_text *t) {
  const int owner = e->value[0];
  const struct sal_place p[] = {place_seat("seat", e->seat),
                                place_seat("pile", owner),
                                place_card("card", (unsigned)e->value[1])};
  const char *say = N_("[You turn|{seat} turns] up the {card} in {pile}'s "
                       "pile.");
  if (owner == e->seat)
    say = N_("[You turn up the {card} in your own pile|{seat} turns up the "
             "{card} in their own pile].");
  else if (owner == viewer)
    say = N_("{seat} turns up the {card} in your pile.");
  sal_say(t, w, e->seat == viewer, say, p, 3);
}

static void say_trap(const struct sal_event *e, int viewer,
                     const struct sal_words *w, struct sal_text *t) {
  const int owner = e->value[0];
  const struct sal_place p = place_seat("seat", owner);
  sal_say(t, w, owner == viewer,
          owner == e->seat ? N_("A trap in [your|{seat}'s] own pile!")
                           : N_("A trap! [You take|{seat} takes] a token."),
          &p, 1);
}

static void say_given(const struct sal_event *e, int viewer,
                      const struct sal_words *w, struct sal_text *t) {
  const struct sal_place p[] = {place_seat("seat", e->seat),
                                place_seat("to", e->value[0])};
  sal_say(t, w, e->seat == viewer,
          e->value[0] == viewer
              ? N_("{seat} gives you the token.")
              : N_("[You give|{seat} gives] the token to {to}."),
          p, 2);
}

/* Singular and plural of what a number of tokens does. */
struct plural {
  const char *one, *many;
};

static struct plural tokens_sentence(unsigned kind) {
  switch (kind) {
  case BET_MET:
    return (struct plural){
        NN_("[You meet your bet and take|{seat} meets the bet and takes] "
            "{tokens} token.",
            "[You meet your bet and take|{seat} meets the bet and takes] "
            "{tokens} tokens.")};
  case BET_FAILED:
    return (struct plural){
        NN_("[You fail and pay|{seat} fails and pays] {tokens} token to the "
            "supply.",
            "[You fail and pay|{seat} fails and pays] {tokens} tokens to the "
            "supply.")};
  default:
    return (struct plural){
        NN_("All the others have four tokens: [you pay|{seat} pays] {tokens} "
            "token into the pot.",
            "All the others have four tokens: [you pay|{seat} pays] {tokens} "
            "tokens into the pot.")};
  }
}

/* Who is to pay has no token. */
static const char *no_tokens_sentence(unsigned kind) {
  return kind == BET_FAILED
             ? N_("[You fail, and have|{seat} fails, and has] no token to pay.")
             : N_("All the others have four tokens: [you have|{seat} has] no "
                  "token to pay.");
}

static void say_tokens(const struct sal_event *e, bool you,
                       const struct sal_words *w, struct sal_text *t) {
  const struct plural say = tokens_sentence(e->kind);
  const struct sal_place p[] = {place_seat("seat", e->seat),
                                place_number("tokens", e->value[0])};
  if (e->value[0] == 0)
    sal_say(t, w, you, no_tokens_sentence(e->kind), p, 1);
  else
    sal_say_n(t, w, you, say.one, say.many, (unsigned long)e->value[0], p, 2);
}

/* Sentences that need no more than the seat and a number. */
static const char *plain_sentence(unsigned kind) {
  switch (kind) {
  case BET_MADE: return N_("[You bet|{seat} bets] {number}.");
  case PASSED: return N_("[You pass|{seat} passes].");
  case STOPPED:
    return N_("[You pay a token into the pot and stop|{seat} pays a token into "
              "the pot and stops].");
  case ROUND_OVER: return N_("The round is over.");
  default: return N_("[You win|{seat} wins] the game.");
  }
}

const char *traps_event_rule(const struct sal_event *e) {
  static const char *const ids[] = {[DEALT] = "traps.setup.deal",
                                    [ROUND] = "traps.round.start",
                                    [PLACED] = "traps.place.together",
                                    [BUILT] = "traps.build.card",
                                    [BET_MADE] = "traps.bet.opens",
                                    [PASSED] = "traps.bet.pass",
                                    [REVEALED] = "traps.reveal.points",
                                    [TRAP] = "traps.reveal.trap",
                                    [GIVEN] = "traps.trap.theirs",
                                    [ALL_FOUR] = "traps.trap.own-all-four",
                                    [STOPPED] = "traps.stop",
                                    [BET_MET] = "traps.success",
                                    [BET_FAILED] = "traps.fail.pay",
                                    [GAME_OVER] = "traps.win"};
  if (e->kind == ROUND_OVER)
    return reason_ids[e->value[0]];
  return ids[e->kind];
}

void traps_event_say(const struct sal_event *e, int viewer,
                     const struct sal_words *w, struct sal_text *t) {
  const bool you = e->seat == viewer;
  switch (e->kind) {
  case DEALT: say_dealt(e, you, w, t); return;
  case ROUND: say_round(e, you, w, t); return;
  case PLACED:
  case BUILT: say_laid(e, you, w, t); return;
  case REVEALED: say_revealed(e, viewer, w, t); return;
  case TRAP: say_trap(e, viewer, w, t); return;
  case GIVEN: say_given(e, viewer, w, t); return;
  case ALL_FOUR:
  case BET_MET:
  case BET_FAILED: say_tokens(e, you, w, t); return;
  default:
    sal_say(t, w, you, plain_sentence(e->kind),
            (struct sal_place[]){place_seat("seat", e->seat),
                                 place_number("number", e->value[0])},
            2);
    return;
  }
}

/* ---- Actions ------------------------------------------------------------ */

static const char *label(enum verb verb) {
  switch (verb) {
  case PLACES: return N_("Place the {card}");
  case BUILDS: return N_("Build with the {card}");
  case BETS: return N_("Bet {number}");
  case PASSES: return N_("Pass");
  case REVEALS: return N_("Turn up a card in [your own|{seat}'s] pile");
  case STOPS: return N_("Pay a token and stop");
  default: return N_("Give the token to {seat}");
  }
}

void traps_action_say(const sal_view *view, sal_action a,
                      const struct sal_words *w, struct sal_text *t) {
  const unsigned n = number_of(a);
  sal_say(t, w, as_view(view)->viewer == n, label(verb_of(a)),
          (struct sal_place[]){place_card("card", n < KINDS ? n : 0),
                               place_number("number", n),
                               place_seat("seat", (int)n)},
          3);
}
