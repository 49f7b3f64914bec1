/* Favor in facts and in sentences; the rules are in favor.c. Nothing here sees
 * more than a view or an event that was cut for its viewer. */
#include "favor.h"

/* ---- Facts -------------------------------------------------------------- */

static void json_seat(struct sal_json *j, const char *key, int seat) {
  if (seat < 0 || seat >= SEATS)
    sal_json_null(j, key);
  else
    sal_json_int(j, key, seat);
}

void favor_facts(const sal_view *view, struct sal_json *j) {
  static const char *const phase_names[] = {"deal", "deal", "deal",  "deal",
                                            "turn", "bid",  "final", "over"};
  const struct favor *s = &as_view(view)->s;
  const size_t n = s->players;
  sal_json_string(j, "phase", phase_names[s->phase]);
  sal_json_int(j, "day", s->day);
  sal_json_int(j, "first", s->first);
  sal_json_list(j, "gems");
  for (size_t i = 0; i < n; i++)
    sal_json_int(j, NULL, s->gems[i]);
  sal_json_end(j, ']');
  sal_json_int(j, "out_of_play", s->out_of_play);
  sal_json_list(j, "points");
  for (size_t i = 0; i < n; i++)
    sal_json_int(j, NULL, points(s, (int)i));
  sal_json_end(j, ']');
  json_hand(j, "lot", s->lot);
  sal_json_list(j, "collections");
  for (size_t i = 0; i < n; i++)
    json_hand(j, NULL, s->collection[i]);
  sal_json_end(j, ']');
  json_hand(j, "discards", s->discards);
  sal_json_int(j, "deck_count", total(s->deck));
  json_aid(j, "deck_left", s->deck, s->memory);
  json_cards(j, "identities", s->identity, n);
  json_seat(j, "caller", s->caller);
  sal_json_int(j, "high_bid", s->high_bid);
  json_seat(j, "high_bidder", s->high_bidder);
  sal_json_list(j, "day_points");
  for (int d = 0; d < days_done(s); d++) {
    sal_json_list(j, NULL);
    for (size_t i = 0; i < n; i++)
      sal_json_int(j, NULL, s->day_points[d][i]);
    sal_json_end(j, ']');
  }
  sal_json_end(j, ']');
  if (s->last[0] == NO_CARD)
    sal_json_null(j, "last");
  else
    json_cards(j, "last", s->last, n);
}

/* What the n-th card of a kind counts as. Two specials at one kind change two
 * cards of it, or the only one. */
static unsigned counts_as(const struct result *r, unsigned card, unsigned n) {
  const unsigned second = r->uses.colour == card && count(r->cards, card) > 1;
  unsigned as = card;
  if (r->uses.colour == card && n == 0)
    as ^= OTHER_COLOUR;
  if (r->uses.role == card && n == second)
    as ^= OTHER_ROLE;
  return as;
}

static int worth(unsigned card, unsigned identity) {
  static const int8_t pay[] = {PAY_NONE, PAY_ONE, PAY_EXACT};
  return card < DOORS ? pay[match(card, identity)] : 0;
}

static void json_special(struct sal_json *j, const char *key, unsigned card) {
  if (card == NO_CARD)
    sal_json_null(j, key);
  else
    sal_json_string(j, key, card_names[card]);
}

/* Each card with what it counts as, if a special changed it, and its worth. */
static void json_worths(struct sal_json *j, const struct result *r) {
  sal_json_list(j, NULL);
  for (unsigned k = 0; k < KINDS; k++)
    for (unsigned n = 0; n < count(r->cards, k); n++) {
      const unsigned as = counts_as(r, k, n);
      sal_json_object(j, NULL);
      sal_json_string(j, "card", card_names[k]);
      if (as != k)
        sal_json_string(j, "as", card_names[as]);
      sal_json_int(j, "points", worth(as, r->identity));
      sal_json_end(j, '}');
    }
  sal_json_end(j, ']');
}

static void json_day_over(const struct sal_event *e, struct sal_json *j) {
  struct result r[SEATS];
  const int n = result_count(e);
  for (int i = 0; i < n; i++)
    r[i] = get_result(e, i);
  sal_json_int(j, "day", e->value[0]);
  sal_json_list(j, "card_points");
  for (int i = 0; i < n; i++)
    sal_json_int(j, NULL, r[i].card_points);
  sal_json_end(j, ']');
  sal_json_list(j, "specials");
  for (int i = 0; i < n; i++) {
    sal_json_object(j, NULL);
    json_special(j, "BR", r[i].uses.colour);
    json_special(j, "LT", r[i].uses.role);
    sal_json_end(j, '}');
  }
  sal_json_end(j, ']');
  sal_json_list(j, "bonus");
  for (int i = 0; i < n; i++)
    sal_json_int(j, NULL, r[i].bonus);
  sal_json_end(j, ']');
  sal_json_list(j, "scores");
  for (int i = 0; i < n; i++)
    sal_json_int(j, NULL, r[i].total);
  sal_json_end(j, ']');
  sal_json_list(j, "cards");
  for (int i = 0; i < n; i++)
    json_worths(j, &r[i]);
  sal_json_end(j, ']');
}

static void json_value_cards(struct sal_json *j, const char *key,
                             const struct sal_event *e) {
  sal_json_list(j, key);
  for (int i = 0; i < e->count; i++)
    sal_json_string(j, NULL, card_names[e->value[i]]);
  sal_json_end(j, ']');
}

void favor_event_facts(const struct sal_event *e, struct sal_json *j) {
  static const char *const names[] = {[DAY] = "day",
                                      [DEALT] = "dealt",
                                      [LOT_OPENED] = "lot_opened",
                                      [ADDED] = "added",
                                      [AUCTION] = "auction",
                                      [BID_MADE] = "bid",
                                      [PASSED] = "passed",
                                      [SOLD] = "sold",
                                      [UNSOLD] = "unsold",
                                      [FINAL_AUCTION] = "final",
                                      [IDENTITIES] = "identities",
                                      [DAY_OVER] = "day_over",
                                      [GAME_OVER] = "game_over"};
  sal_json_string(j, "event", names[e->kind]);
  switch (e->kind) {
  case DAY:
    sal_json_int(j, "day", e->value[0]);
    sal_json_int(j, "first", e->seat);
    break;
  case DEALT:
  case ADDED:
    sal_json_int(j, "seat", e->seat);
    sal_json_string(j, "card",
                    e->value[0] == SAL_HIDDEN ? "??" : card_names[e->value[0]]);
    break;
  case LOT_OPENED: json_value_cards(j, "lot", e); break;
  case AUCTION:
  case PASSED:
  case FINAL_AUCTION: sal_json_int(j, "seat", e->seat); break;
  case BID_MADE:
    sal_json_int(j, "seat", e->seat);
    sal_json_int(j, "number", e->value[0]);
    break;
  case SOLD:
    sal_json_int(j, "seat", e->seat);
    sal_json_int(j, "price", e->value[0]);
    json_seat(j, "caller", e->value[1]);
    break;
  case IDENTITIES: json_value_cards(j, "identities", e); break;
  case DAY_OVER: json_day_over(e, j); break;
  case GAME_OVER:
    sal_json_list(j, "winners");
    sal_json_int(j, NULL, e->seat);
    sal_json_end(j, ']');
    break;
  default: break;
  }
}

/* ---- Words -------------------------------------------------------------- */

void favor_prompt(const sal_view *view, const struct sal_words *w,
                  struct sal_text *t) {
  const struct view *v = as_view(view);
  const struct favor *s = &v->s;
  const int seat = s->phase == OVER ? s->winner : s->turn;
  const char *ask;
  if (s->phase == OVER)
    ask = N_("[You have|{seat} has] won.");
  else if (s->phase == TURN)
    ask = N_("[Your turn: add|{seat} may add] a card or call an auction.");
  else if (s->gems[seat] <= s->high_bid)
    ask = N_("[You have|{seat} has] too few gems to bid and can only pass.");
  else if (s->phase == BID)
    ask = N_("[You may|{seat} may] bid {least} or more, or pass.");
  else
    ask = N_("Final auction: [you may|{seat} may] bid {least} or more, or "
             "pass.");
  const struct sal_place p[] = {place_seat("seat", seat),
                                place_number("least", s->high_bid + 1)};
  sal_say(t, w, seat == v->viewer, ask, p, 2);
}

static void say_auction(const struct favor *s, const struct sal_words *w,
                        struct sal_text *t) {
  const struct sal_place p[] = {place_seat("caller", s->caller),
                                place_number("bid", s->high_bid),
                                place_seat("seat", s->high_bidder)};
  if (s->phase == BID)
    sal_say(t, w, false, N_("Auction called by {caller}."), p, 1);
  else
    sal_say(t, w, false, N_("Final auction."), NULL, 0);
  sal_text_char(t, ' ');
  if (s->high_bid)
    sal_say(t, w, false, N_("Highest bid: {bid} by {seat}."), p, 3);
  else
    sal_say(t, w, false, N_("No bid yet."), NULL, 0);
  sal_text_char(t, '\n');
}

void favor_position(const sal_view *view, const struct sal_words *w,
                    struct sal_text *t) {
  const struct view *v = as_view(view);
  const struct favor *s = &v->s;
  sal_say(t, w, false,
          s->edition == ITALIAN
              ? N_("Day {day} of {days} (Italian edition), begun by {seat}.\n")
              : N_("Day {day} of {days} (English edition), begun by {seat}.\n"),
          (struct sal_place[]){place_number("day", s->day),
                               place_number("days", last_day(s)),
                               place_seat("seat", s->first)},
          3);
  row(t, w, N_("  Lot:        "), s->lot);
  if (!s->memory)
    row(t, w, N_("  In the deck:"), s->deck);
  row(t, w, N_("  Discarded:  "), s->discards);
  for (int i = 0; i < s->players; i++) {
    sal_say(t, w, false, N_("  {seat}: gems {gems}, points {points}\n    "),
            (struct sal_place[]){place_seat("seat", i),
                                 place_number("gems", s->gems[i]),
                                 place_number("points", points(s, i))},
            3);
    text_hand(t, s->collection[i]);
    sal_text_char(t, '\n');
  }
  sal_say(t, w, false, N_("  Gems out of play: {gems}\n"),
          (struct sal_place[]){place_number("gems", s->out_of_play)}, 1);
  if (s->phase == BID || s->phase == FINAL)
    say_auction(s, w, t);
  for (int i = 0; i < s->players; i++)
    if (s->identity[i] < DOORS)
      sal_say(t, w, i == v->viewer, N_("[You are|{seat} is] the {card}.\n"),
              (struct sal_place[]){place_seat("seat", i),
                                   place_card("card", s->identity[i])},
              2);
}

/* Who gets the price of a lot. */
static void say_payment(const struct sal_event *e, int viewer,
                        const struct sal_words *w, struct sal_text *t) {
  const int price = e->value[0], caller = e->value[1];
  const int share = e->value[2], out = e->value[3];
  const struct sal_place p[] = {
      place_seat("seat", caller), place_number("gems", price),
      place_number("share", share), place_number("out", out)};
  if (caller >= 0 && caller != e->seat)
    sal_say_n(t, w, caller == viewer,
              NN_(" [You get|{seat} gets] {gems} gem.",
                  " [You get|{seat} gets] {gems} gems."),
              (unsigned long)price, p, 4);
  if (share)
    sal_say_n(t, w, false,
              NN_(" Each opponent gets {share} gem.",
                  " Each opponent gets {share} gems."),
              (unsigned long)share, p, 4);
  if (out)
    sal_say_n(
        t, w, false,
        NN_(" {out} gem goes out of play.", " {out} gems go out of play."),
        (unsigned long)out, p, 4);
}

static void say_cards(const struct sal_event *e, const struct sal_words *w,
                      struct sal_text *t) {
  for (int i = 0; i < e->count; i++) {
    sal_text_add(t, i ? ", " : " ");
    sal_text_add(t, w->text(w, card_title((unsigned)e->value[i])));
  }
  sal_text_char(t, '.');
}

static void say_identities(const struct sal_event *e, const struct sal_words *w,
                           struct sal_text *t) {
  for (int i = 0; i < e->count; i++) {
    sal_text_add(t, i ? ", " : " ");
    w->seat(w, i, t);
    sal_text_char(t, ' ');
    sal_text_add(t, w->text(w, card_title((unsigned)e->value[i])));
  }
  sal_text_char(t, '.');
}

static void say_worths(const struct result *r, const struct sal_words *w,
                       struct sal_text *t) {
  const char *gap = " ";
  for (unsigned k = 0; k < KINDS; k++)
    for (unsigned n = 0; n < count(r->cards, k); n++, gap = ", ") {
      const unsigned as = counts_as(r, k, n);
      const struct sal_place p[] = {
          place_card("card", k), place_card("as", as),
          place_number("points", worth(as, r->identity))};
      sal_text_add(t, gap);
      sal_say(t, w, false,
              as == k ? N_("{card} {points}") : N_("{card} as {as} {points}"),
              p, 3);
    }
  sal_text_char(t, '.');
}

static void say_special(unsigned special, unsigned changed,
                        const struct sal_words *w, struct sal_text *t) {
  const struct sal_place p[] = {
      place_card("special", special),
      place_card("card", changed == NO_CARD ? special : changed)};
  sal_say(t, w, false,
          changed == NO_CARD ? N_(" The {special} stays unused.")
                             : N_(" The {special} changes the {card}."),
          p, 2);
}

/* favor.score.best: the table is shown how the points came about. */
static void say_result(const struct result *r, int seat, int viewer,
                       const struct sal_words *w, struct sal_text *t) {
  const int sum = r->card_points + r->bonus;
  const struct sal_place p[] = {place_seat("seat", seat),
                                place_card("card", r->identity),
                                place_number("points", sum),
                                place_number("total", r->total),
                                place_number("cards", r->card_points),
                                place_number("bonus", r->bonus)};
  sal_say_n(
      t, w, seat == viewer,
      NN_(" [You score|{seat} scores] {points} point as the {card}: cards "
          "{cards}, gem bonus {bonus}, total so far {total}.",
          " [You score|{seat} scores] {points} points as the {card}: cards "
          "{cards}, gem bonus {bonus}, total so far {total}."),
      (unsigned)(sum < 0 ? -sum : sum), p, 6);
  if (r->cards) {
    sal_say(t, w, false, N_(" Cards:"), NULL, 0);
    say_worths(r, w, t);
  }
  if (count(r->cards, BR))
    say_special(BR, r->uses.colour, w, t);
  if (count(r->cards, LT))
    say_special(LT, r->uses.role, w, t);
}

const char *favor_event_rule(const struct sal_event *e) {
  static const char *const ids[] = {[DAY] = "favor.setup.first",
                                    [DEALT] = "favor.setup.identity",
                                    [LOT_OPENED] = "favor.setup.lot",
                                    [ADDED] = "favor.add.one",
                                    [AUCTION] = "favor.auction.order",
                                    [BID_MADE] = "favor.bid.once",
                                    [PASSED] = "favor.bid.pass",
                                    [SOLD] = "favor.auction.pay-caller",
                                    [UNSOLD] = "favor.auction.none",
                                    [FINAL_AUCTION] = "favor.final.trigger",
                                    [IDENTITIES] = "favor.day.end",
                                    [DAY_OVER] = "favor.score.best",
                                    [GAME_OVER] = "favor.win.points"};
  return ids[e->kind];
}

void favor_event_say(const struct sal_event *e, int viewer,
                     const struct sal_words *w, struct sal_text *t) {
  const bool you = e->seat == viewer && viewer >= 0;
  const bool card_known = e->count && (unsigned)e->value[0] < KINDS;
  const struct sal_place p[] = {
      place_seat("seat", e->seat), place_number("number", e->value[0]),
      place_card("card", card_known ? (unsigned)e->value[0] : 0)};
  switch (e->kind) {
  case DAY:
    sal_say(t, w, you, N_("Day {number} begins; [you go|{seat} goes] first."),
            p, 3);
    return;
  case DEALT:
    sal_say(t, w, you,
            card_known ? N_("[You are|{seat} is] the {card}.")
                       : N_("{seat} gets an identity."),
            p, 3);
    return;
  case LOT_OPENED:
    sal_say(t, w, you, N_("A new lot opens:"), NULL, 0);
    say_cards(e, w, t);
    return;
  case ADDED:
    sal_say(t, w, you, N_("[You add|{seat} adds] the {card} to the lot."), p,
            3);
    return;
  case AUCTION:
    sal_say(t, w, you, N_("[You call|{seat} calls] an auction."), p, 3);
    return;
  case BID_MADE:
    sal_say_n(t, w, you,
              NN_("[You bid|{seat} bids] {number} gem.",
                  "[You bid|{seat} bids] {number} gems."),
              (unsigned long)e->value[0], p, 3);
    return;
  case PASSED:
    sal_say(t, w, you, N_("[You pass|{seat} passes]."), p, 3);
    return;
  case SOLD:
    sal_say_n(t, w, you,
              NN_("[You take|{seat} takes] the lot for {number} gem.",
                  "[You take|{seat} takes] the lot for {number} gems."),
              (unsigned long)e->value[0], p, 3);
    say_payment(e, viewer, w, t);
    return;
  case UNSOLD:
    sal_say(t, w, you, N_("Nobody has bid: the lot goes to the discards."),
            NULL, 0);
    return;
  case FINAL_AUCTION:
    sal_say(t, w, you,
            N_("The deck is empty: final auction, and [you have|{seat} has] "
               "the first chance."),
            p, 3);
    return;
  case IDENTITIES:
    sal_say(t, w, you, N_("Identities:"), NULL, 0);
    say_identities(e, w, t);
    return;
  case DAY_OVER:
    sal_say(t, w, you, N_("Day {number} is over."), p, 3);
    for (int i = 0; i < result_count(e); i++) {
      const struct result r = get_result(e, i);
      say_result(&r, i, viewer, w, t);
    }
    return;
  case GAME_OVER:
    sal_say(t, w, you, N_("[You win|{seat} wins] the game."), p, 3);
    return;
  default: return;
  }
}

void favor_action_say(const sal_view *view, sal_action a,
                      const struct sal_words *w, struct sal_text *t) {
  (void)view;
  const struct sal_place p = place_number("number", (int)number_of(a));
  switch (verb_of(a)) {
  case ADDS: sal_say(t, w, false, N_("Add a card to the lot"), NULL, 0); return;
  case CALLS: sal_say(t, w, false, N_("Call an auction"), NULL, 0); return;
  case BIDS:
    sal_say_n(t, w, false, NN_("Bid {number} gem", "Bid {number} gems"),
              number_of(a), &p, 1);
    return;
  default: sal_say(t, w, false, N_("Pass"), NULL, 0); return;
  }
}
