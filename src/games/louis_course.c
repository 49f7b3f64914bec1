/* The course of Louis XIV: station by station, who is asked and what happens
 * unasked.
 *
 * Main invariant: between two calls either somebody is asked, or draws are due,
 * or the game is over; `louis_advance` walks from one such point to the next.
 * Who is asked follows from open facts alone (view.structure): a station looks
 * at sizes, supplies and open cards, never into a hand. */
#include "louis_moves.h"

/* ---- Setup --------------------------------------------------------------- */

/* louis.setup.player, louis.setup.markers */
void louis_begin_with(struct louis *s, unsigned first) {
  const struct court *c = court_of(s);
  s->first = s->start = (uint8_t)first;
  for (unsigned turn = 0; turn < s->players; turn++) {
    const unsigned seat = seat_at(s, turn);
    s->gold[seat] = c->gold;
    s->personal[seat] = c->personal[s->players - 2][turn];
    s->general[seat] = (uint8_t)(c->markers - s->personal[seat]);
  }
  go(s, AT_MISSIONS_DEALT);
}

/* louis.setup.player */
static void course_missions_dealt(struct louis *s, struct sal_log *log) {
  const struct court *c = court_of(s);
  if (s->turn == s->players) {
    go(s, s->plain ? AT_ROUND : AT_SETUP);
    return;
  }
  louis_draw(s, PILE_LIGHT + c->dealt[s->nth], seat_at(s, s->turn), 1, log);
  if (++s->nth == c->dealt_count) {
    s->nth = 0;
    s->turn++;
  }
}

/* louis.setup.favourite */
static void course_setup(struct louis *s, struct sal_log *log) {
  (void)log;
  if (s->turn == s->players)
    go(s, AT_ROUND);
  else
    ask(s, seat_at(s, s->turn++));
}

/* ---- Supply -------------------------------------------------------------- */

/* louis.setup.rounds */
static void course_round(struct louis *s, struct sal_log *log) {
  if (s->round++ > 0)
    s->start = (uint8_t)seat_at(s, 1);
  memset(s->withdrawn, 0, sizeof s->withdrawn);
  memset(s->used, 0, sizeof s->used);
  TELL(log, E_ROUND, s->start, s->round);
  go(s, AT_MONEY);
  if (s->players == 3 && (s->round - 1) / 3 == 1)
    louis_draw(s, PILE_INTRIGUE, s->start, 1, log);
}

static void course_money(struct louis *s, struct sal_log *log) {
  if (s->nth++ == 0)
    louis_draw(s, PILE_MONEY, NOBODY, 1, log);
  else
    go(s, AT_POWERS);
}

/* louis.supply.powers */
static void course_powers(struct louis *s, struct sal_log *log) {
  if (s->turn == s->players) {
    go(s, AT_WITHDRAW);
    return;
  }
  const unsigned seat = seat_at(s, s->turn++);
  const uint8_t *power = s->power[seat];
  const unsigned gold = 2u * power[GOLD2] + 3u * power[GOLD3];
  const unsigned markers =
      make_ready(s, seat, 2u * power[MARK2] + 3u * power[MARK3]);
  s->gold[seat] = (uint16_t)(s->gold[seat] + gold);
  if (gold || markers)
    TELL(log, E_POWER, seat, (int)gold, (int)markers);
  louis_draw(s, PILE_INTRIGUE, seat, power[INTR], log);
}

static void course_withdraw(struct louis *s, struct sal_log *log) {
  (void)log;
  if (s->turn == s->players) {
    go(s, AT_DEAL);
    return;
  }
  const unsigned seat = seat_at(s, s->turn++);
  if (s->board[seat])
    ask(s, seat);
}

/* louis.supply.deal */
static void course_deal(struct louis *s, struct sal_log *log) {
  if (s->turn == s->players) {
    go(s, AT_SWAP);
    return;
  }
  const unsigned seat = seat_at(s, s->turn++);
  louis_draw(s, PILE_INFLUENCE, seat, court_of(s)->hand + s->power[seat][CARD],
             log);
}

/* louis.supply.swap: `nth` counts the powers that are done with. */
static void course_swap(struct louis *s, struct sal_log *log) {
  (void)log;
  if (s->turn == s->players) {
    go(s, AT_EXCHANGE);
    return;
  }
  const unsigned seat = seat_at(s, s->turn);
  if (s->nth < s->power[seat][SWAP] && s->influence_size[seat]) {
    ask(s, seat);
  } else {
    s->nth = 0;
    s->turn++;
  }
}

/* louis.privilege.1 */
static void course_exchange(struct louis *s, struct sal_log *log) {
  (void)log;
  if (s->turn == s->players) {
    go(s, s->players == 2 ? AT_NEUTRAL : AT_FOOTHOLD);
    return;
  }
  const unsigned seat = seat_at(s, s->turn++);
  if (privilege(s, seat, 0) && s->influence_size[seat])
    ask(s, seat);
}

/* louis.supply.neutral: all are turned up before any is discarded. */
static void course_neutral(struct louis *s, struct sal_log *log) {
  if (s->nth++ == 0) {
    louis_draw(s, PILE_INFLUENCE, NOBODY, court_of(s)->neutral_cards, log);
    return;
  }
  s->influence_deck.open += s->turned_up;
  s->turned_up = 0;
  go(s, AT_FOOTHOLD);
}

/* ---- Influence ----------------------------------------------------------- */

/* louis.influence.foothold: `nth` is the next mission laid open. */
static void course_foothold(struct louis *s, struct sal_log *log) {
  (void)log;
  if (s->turn == s->players) {
    go(s, AT_LAST_CARDS);
    return;
  }
  const unsigned seat = seat_at(s, s->turn);
  while (s->nth < s->laid_count && (s->laid[s->nth] / MISSIONS_MAX != seat ||
                                    foothold_mission(s)->tiles == 0))
    s->nth++;
  if (s->nth < s->laid_count && ready(s, seat)) {
    ask(s, seat);
  } else {
    s->nth = 0;
    s->turn++;
  }
}

static void course_last_cards(struct louis *s, struct sal_log *log) {
  if (s->turn == s->players)
    go(s, AT_INFLUENCE);
  else
    louis_drop_last_card(s, seat_at(s, s->turn++), log);
}

/* louis.influence.last-card: round and round, who is done is skipped. */
static void course_influence(struct louis *s, struct sal_log *log) {
  (void)log;
  for (int i = 0; i < s->players; i++) {
    const unsigned seat = seat_at(s, s->turn);
    s->turn = (uint8_t)(s->turn + 1 < s->players ? s->turn + 1 : 0);
    if (s->influence_size[seat]) {
      ask(s, seat);
      return;
    }
  }
  go(s, AT_INTRIGUE);
}

/* ---- Evaluation ---------------------------------------------------------- */

/* louis.intrigue.ask */
static void course_intrigue(struct louis *s, struct sal_log *log) {
  (void)log;
  const bool lies_open =
      bag_count(s->intrigue_deck.open, s->tile) == court_of(s)->intrigue_each;
  if (lies_open || s->turn == s->players) {
    go(s, AT_COUNT);
    return;
  }
  const unsigned seat = seat_at(s, s->turn++);
  if (s->intrigue_size[seat] && ready(s, seat))
    ask(s, seat);
}

/* Where being first matters: louis.eval.tie-power. */
static bool first_counts(const struct louis *s) {
  return side_up(s, s->tile)->contest != MIN || s->tile == s->louis ||
         s->tile == s->favourite;
}

/* louis.eval.first */
static void course_count(struct louis *s, struct sal_log *log) {
  const uint8_t *here = s->markers[s->tile];
  unsigned best = s->neutral[s->tile], leader = NOBODY, present = 0;
  for (unsigned seat = 0; seat < s->players; seat++) {
    present |= here[seat];
    if (here[seat] == best)
      leader = NOBODY;
    else if (here[seat] > best) {
      leader = seat;
      best = here[seat];
    }
  }
  memcpy(s->counted, here, sizeof s->counted);
  s->best = (uint8_t)best;
  s->leader = (uint8_t)leader;
  if (!present) {
    go(s, AT_HOME);
    return;
  }
  TELL(log, E_COUNTED, leader, s->tile, s->neutral[s->tile], s->players,
       here[0], here[1], here[2], here[3]);
  go(s, leader == NOBODY && first_counts(s) ? AT_TIE : AT_REWARD);
}

/* louis.eval.tie-power */
static void course_tie(struct louis *s, struct sal_log *log) {
  (void)log;
  if (s->leader != NOBODY || s->turn == s->players) {
    go(s, AT_REWARD);
    return;
  }
  const unsigned seat = seat_at(s, s->turn++);
  if (s->counted[seat] == s->best &&
      s->used[seat][USED_TIE] < s->power[seat][TIE])
    ask(s, seat);
}

static bool in_stock(const struct deck *d) { return d->left || d->open; }

/* louis.eval.shortage */
static bool can_be_served(const struct louis *s, unsigned seat) {
  const struct court_tile *t = &court_of(s)->tile[s->tile];
  switch (t->reward) {
  case CHIP_REWARD: return s->stock[t->chip] > 0;
  case SHIELD_REWARD: return s->shields_left > 0;
  case PLACE_REWARD: return ready(s, seat) > 0;
  case INFLUENCE_REWARD: return in_stock(&s->influence_deck);
  case INTRIGUE_REWARD: return in_stock(&s->intrigue_deck);
  default: return true;
  }
}

static bool may_pay(const struct louis *s, unsigned seat) {
  return s->counted[seat] && s->gold[seat] >= louis_price(s, seat);
}

/* Turn 0 is who is first, then come the others in turn order. */
static void course_reward(struct louis *s, struct sal_log *log) {
  const struct court_side *side = side_up(s, s->tile);
  const unsigned turn = s->turn++;
  if (turn > s->players || (turn > 0 && side->contest == MOST)) {
    go(s, AT_CROWN);
    return;
  }
  const unsigned seat = turn == 0 ? s->leader : seat_at(s, turn - 1);
  if (seat == NOBODY || (turn > 0 && seat == s->leader) ||
      !can_be_served(s, seat))
    return;
  /* louis.eval.most, louis.eval.pay, louis.eval.min */
  if (side->contest == MIN ? s->counted[seat] >= side->n : turn == 0) {
    s->winners |= (uint8_t)(1u << seat);
    louis_serve(s, seat, log);
  } else if (side->contest == PAY && may_pay(s, seat)) {
    s->station = AT_PAY;
    ask(s, seat);
  }
}

/* louis.eval.louis */
static void course_crown(struct louis *s, struct sal_log *log) {
  if (s->tile == s->louis && s->leader != NOBODY && s->stock[CROWN]) {
    take_chips(s, s->leader, CROWN, 1);
    TELL(log, E_CROWN, s->leader, s->tile);
  }
  go(s, s->tile == s->favourite ? AT_FAVOURITE : AT_RECOUP);
}

static void course_favourite(struct louis *s, struct sal_log *log) {
  if (s->turn == s->players) {
    go(s, AT_RECOUP);
    return;
  }
  const unsigned seat = seat_at(s, s->turn++);
  if (!s->counted[seat])
    return;
  if (s->board[seat] != (1 << SPACES) - 1 && ready(s, seat))
    ask(s, seat);
  else
    louis_favour(s, seat, 0, log);
}

/* louis.eval.recoup */
static void course_recoup(struct louis *s, struct sal_log *log) {
  (void)log;
  if (s->turn == s->players || !s->winners) {
    go(s, AT_HOME);
    return;
  }
  const unsigned seat = seat_at(s, s->turn++);
  if ((s->winners >> seat & 1) &&
      s->used[seat][USED_RECOUP] < s->power[seat][RECOUP])
    ask(s, seat);
}

/* louis.eval.home, louis.eval.flip */
static void course_home(struct louis *s, struct sal_log *log) {
  int general[SEATS] = {0}, personal[SEATS] = {0};
  unsigned moved = 0;
  for (unsigned seat = 0; seat < s->players; seat++) {
    const uint8_t n = s->counted[seat];
    moved |= n;
    s->markers[s->tile][seat] = (uint8_t)(s->markers[s->tile][seat] - n);
    if (s->winners >> seat & 1) {
      s->general[seat] = (uint8_t)(s->general[seat] + n);
      general[seat] = n;
    } else {
      s->personal[seat] = (uint8_t)(s->personal[seat] + n);
      personal[seat] = n;
    }
  }
  s->neutral[s->tile] = 0;
  if (moved)
    TELL(log, E_HOME, NOBODY, s->tile, s->players, general[0], general[1],
         general[2], general[3], personal[0], personal[1], personal[2],
         personal[3]);
  if (s->winners) {
    s->black ^= (uint16_t)(1u << s->tile);
    TELL(log, E_FLIPPED, NOBODY, s->tile, s->black >> s->tile & 1);
  }
  memset(s->counted, 0, sizeof s->counted);
  s->best = s->winners = 0;
  s->leader = NOBODY;
  /* louis.eval.order */
  s->tile = (uint8_t)(s->tile + 1 < TILES ? s->tile + 1 : 0);
  go(s, s->tile ? AT_INTRIGUE : AT_MISSION);
}

/* ---- Missions ------------------------------------------------------------ */

/* Each player wholly before the next; `nth` counts what was fulfilled. */
static void course_mission(struct louis *s, struct sal_log *log) {
  (void)log;
  if (s->turn == s->players) {
    go(s, AT_ROUND_END);
    return;
  }
  const unsigned seat = seat_at(s, s->turn);
  if (missions_held(s, seat) &&
      (chip_total(s->chips[seat]) >= 2 || may_trade(s)))
    ask(s, seat);
  else
    s->station = AT_MISSION_END;
}

static void course_draw(struct louis *s, struct sal_log *log) {
  const unsigned seat = seat_at(s, s->turn), stacks = stacks_with_cards(s);
  if (__builtin_popcount(stacks) > 1) {
    ask(s, seat);
    return;
  }
  s->station = AT_MISSION;
  if (stacks)
    louis_draw(s, PILE_LIGHT + (unsigned)__builtin_ctz(stacks), seat, 1, log);
}

/* louis.mission.done */
static void course_mission_end(struct louis *s, struct sal_log *log) {
  const unsigned seat = seat_at(s, s->turn);
  s->station = AT_KEEP;
  louis_give_shields(s, seat, s->power[seat][SHIELD], log);
}

void louis_next_player(struct louis *s) {
  s->station = AT_MISSION;
  s->turn++;
  s->nth = 0;
}

static void course_keep(struct louis *s, struct sal_log *log) {
  const unsigned seat = seat_at(s, s->turn);
  const unsigned total = chip_total(s->chips[seat]);
  if (last_round(s) || total < 2) {
    louis_next_player(s);
    return;
  }
  unsigned kind = 0;
  while (s->chips[seat][kind] == 0)
    kind++;
  if (s->chips[seat][kind] < total || privilege(s, seat, 3))
    ask(s, seat);
  else
    louis_keep(s, seat, kind + 1, log);
}

/* ---- The end ------------------------------------------------------------- */

static void course_round_end(struct louis *s, struct sal_log *log) {
  TELL(log, E_ROUND_OVER, NOBODY, s->round);
  go(s, last_round(s) ? AT_END : AT_ROUND);
}

/* louis.end.shields, louis.end.favourite */
static unsigned shields_due(const struct louis *s, unsigned seat) {
  const struct court *c = court_of(s);
  unsigned n =
      s->gold[seat] / c->gold_a_shield +
      (unsigned)__builtin_popcount(s->board[seat]) / c->favour_a_shield;
  if (c->items >> INFLUENCE_ITEM & 1)
    n += s->influence_size[seat];
  if (c->items >> INTRIGUE_ITEM & 1)
    n += s->intrigue_size[seat];
  if (c->items >> CHIP_ITEM & 1)
    n += chip_total(s->chips[seat]);
  for (int t = 0; t < TILES && (c->items >> MARKER_ITEM & 1); t++)
    n += s->markers[t][seat];
  return n;
}

static void course_end(struct louis *s, struct sal_log *log) {
  if (s->turn == s->players) {
    go(s, AT_RESULT);
    return;
  }
  const unsigned seat = seat_at(s, s->turn++);
  louis_give_shields(s, seat, shields_due(s, seat), log);
}

static void course_result(struct louis *s, struct sal_log *log) {
  go(s, AT_OVER);
  if (!log)
    return;
  int32_t points[SEATS], majorities[SEATS];
  louis_points(s, points, majorities);
  REVEAL(log, E_GAME_OVER, NOBODY, (int)louis_winners((const sal_state *)s),
         s->players, points[0], points[1], points[2], points[3], majorities[0],
         majorities[1], majorities[2], majorities[3]);
}

/* ---- Walking on ---------------------------------------------------------- */

typedef void station_fn(struct louis *s, struct sal_log *log);

static station_fn *const course[STATIONS] = {
    [AT_MISSIONS_DEALT] = course_missions_dealt,
    [AT_SETUP] = course_setup,
    [AT_ROUND] = course_round,
    [AT_MONEY] = course_money,
    [AT_POWERS] = course_powers,
    [AT_WITHDRAW] = course_withdraw,
    [AT_DEAL] = course_deal,
    [AT_SWAP] = course_swap,
    [AT_EXCHANGE] = course_exchange,
    [AT_NEUTRAL] = course_neutral,
    [AT_FOOTHOLD] = course_foothold,
    [AT_LAST_CARDS] = course_last_cards,
    [AT_INFLUENCE] = course_influence,
    [AT_INTRIGUE] = course_intrigue,
    [AT_COUNT] = course_count,
    [AT_TIE] = course_tie,
    [AT_REWARD] = course_reward,
    [AT_CROWN] = course_crown,
    [AT_FAVOURITE] = course_favourite,
    [AT_RECOUP] = course_recoup,
    [AT_HOME] = course_home,
    [AT_MISSION] = course_mission,
    [AT_DRAW] = course_draw,
    [AT_MISSION_END] = course_mission_end,
    [AT_KEEP] = course_keep,
    [AT_ROUND_END] = course_round_end,
    [AT_END] = course_end,
    [AT_RESULT] = course_result};

/* Two bytes tested in one condition are loaded as one word, and a processor that
 * has just stored one of them waits: hence two tests (docs/performance.md). */
void louis_advance(struct louis *s, struct sal_log *log) {
  while (s->asked == NOBODY) {
    if (s->draws || s->station == AT_OVER)
      return;
    course[s->station](s, log);
  }
}

void louis_begin(struct louis *s, const struct sal_setup *setup) {
  const struct court *c;
  memset(s, 0, sizeof *s);
  s->players = (uint8_t)setup->players;
  s->plain = (uint8_t)setup->option[0];
  s->court = (uint8_t)setup->option[1];
  s->brief = (uint8_t)setup->option[3];
  s->memory = (uint8_t)setup->option[4];
  c = court_of(s);
  s->influence_deck.cards = court_influence(c);
  s->influence_deck.left = (uint8_t)bag_total(s->influence_deck.cards);
  s->intrigue_deck.cards = court_intrigue(c);
  s->intrigue_deck.left = (uint8_t)bag_total(s->intrigue_deck.cards);
  s->shield_deck = court_shields(c);
  s->shields_left = (uint8_t)bag_total(s->shield_deck);
  s->mission_deck = court_missions(c);
  for (int t = 0; t < TIERS; t++)
    s->missions_left[t] = (uint8_t)__builtin_popcountll(c->tier[t]);
  s->money_deck = (uint16_t)((1u << c->money_count) - 1);
  memcpy(s->stock, c->chips, sizeof s->stock);
  s->louis = s->favourite = s->asked = s->leader = NOBODY;
  if (setup->option[2] == SAL_BY_LOT) {
    s->draw_pile = PILE_LOT;
    s->draws = 1;
  } else {
    louis_begin_with(s, (unsigned)setup->option[2]);
    louis_advance(s, NULL);
  }
}

unsigned louis_to_act(const sal_state *state) {
  const struct louis *s = as_const_state(state);
  return s->draws ? SAL_CHANCE_BIT : s->asked == NOBODY ? 0 : 1u << s->asked;
}
