/* What the actions of Louis XIV do. They were judged before (louis_legal.c);
 * where the course goes on from there is for the stations (louis_course.c). */
#include "louis_moves.h"

/* ---- Events -------------------------------------------------------------- */

void louis_tell(struct sal_log *log, enum event kind, unsigned seat,
                const int *values, size_t count, bool reveals) {
  struct sal_event e = {.kind = (uint8_t)kind,
                        .seat = seat == NOBODY ? -1 : (int8_t)seat,
                        .open = (uint8_t)count,
                        .count = (uint8_t)count,
                        .reveals = reveals};
  for (size_t i = 0; i < count; i++)
    e.value[i] = (int16_t)values[i];
  log->emit(log, &e);
}

/* A card that only its owner sees. A mission's code takes two values. */
void louis_tell_dealt(struct sal_log *log, unsigned seat, unsigned pile,
                      uint32_t card) {
  if (!log)
    return;
  const struct sal_event e = {
      .kind = E_DEALT,
      .seat = (int8_t)seat,
      .seen_by = (uint8_t)(1u << seat),
      .open = 1,
      .count = 3,
      .value = {(int16_t)pile, (int16_t)(card >> 15), card & 0x7fff}};
  log->emit(log, &e);
}

static void tell_plain(struct sal_log *log, enum event kind, unsigned seat) {
  if (log)
    louis_tell(log, kind, seat, NULL, 0, false);
}

/* ---- Markers ------------------------------------------------------------- */

/* louis.influence.foothold, louis.eval.rewards: a free marker comes from
 * general, when that is empty from personal. */
static void place_free(struct louis *s, unsigned seat, unsigned tile) {
  if (s->general[seat])
    s->general[seat]--;
  else
    s->personal[seat]--;
  s->markers[tile][seat]++;
}

static void place_pair(struct louis *s, unsigned seat, uint64_t tiles) {
  place_free(s, seat, (unsigned)(tiles & 15) - 1);
  if (tiles >> 4)
    place_free(s, seat, (unsigned)(tiles >> 4) - 1);
}

static void first_favour(struct louis *s, unsigned seat, unsigned spaces,
                         struct sal_log *log) {
  s->general[seat]--;
  s->board[seat] |= (uint8_t)spaces;
  TELL(log, E_FAVOURED, seat, (int)spaces);
}

static void withdraw(struct louis *s, unsigned seat, unsigned spaces,
                     struct sal_log *log) {
  const unsigned n = (unsigned)__builtin_popcount(spaces);
  s->board[seat] &= (uint8_t)~spaces;
  s->withdrawn[seat] |= (uint8_t)spaces;
  s->personal[seat] = (uint8_t)(s->personal[seat] + n);
  TELL(log, E_WITHDRAWN, seat, (int)spaces);
}

static void foothold(struct louis *s, unsigned seat, uint64_t tiles,
                     struct sal_log *log) {
  const uint32_t code = foothold_mission(s)->code;
  TELL(log, E_FOOTHOLD, seat, (int)(code >> 15), (int)(code & 0x7fff),
       (int)(tiles & 15), (int)(tiles >> 4));
  place_pair(s, seat, tiles);
  s->nth++;
}

/* louis.favourite.award, louis.favourite.short */
void louis_favour(struct louis *s, unsigned seat, unsigned spaces,
                  struct sal_log *log) {
  const unsigned named = (unsigned)__builtin_popcount(spaces);
  const unsigned due = least(favour_due(s, seat), s->general[seat]);
  const unsigned from_general = least(named, due);
  const unsigned from_personal = named - from_general;
  const unsigned rest = due - from_general;
  s->general[seat] = (uint8_t)(s->general[seat] - due);
  s->personal[seat] = (uint8_t)(s->personal[seat] + rest - from_personal);
  s->board[seat] |= (uint8_t)spaces;
  if (named || due)
    TELL(log, E_FAVOURITE, seat, (int)spaces, (int)due, (int)from_personal,
         (int)rest);
}

static void recoup(struct louis *s, unsigned seat, struct sal_log *log) {
  const unsigned n = least(2, s->counted[seat]);
  s->used[seat][USED_RECOUP]++;
  s->markers[s->tile][seat] = (uint8_t)(s->markers[s->tile][seat] - n);
  s->counted[seat] = (uint8_t)(s->counted[seat] - n);
  s->personal[seat] = (uint8_t)(s->personal[seat] + n);
  TELL(log, E_RECOUPED, seat, (int)n);
}

/* ---- Cards --------------------------------------------------------------- */

/* louis.influence.last-card */
void louis_drop_last_card(struct louis *s, unsigned seat, struct sal_log *log) {
  if (s->influence_size[seat] != 1)
    return;
  const unsigned card = bag_pick(s->influence[seat], 0);
  discard_influence(s, seat, card);
  REVEAL(log, E_DISCARDED, seat, (int)card);
}

/* louis.influence.place, louis.influence.move, louis.privilege.2 */
static void play(struct louis *s, unsigned seat, sal_action a,
                 struct sal_log *log) {
  const uint64_t arguments = arguments_of(a);
  const unsigned card = arguments & 15;
  int tile[PATH_MAX_STEPS] = {0}, stay[PATH_MAX_STEPS] = {0};
  const bool jump = verb_of(a) == DO_JUMP;
  if (jump)
    use_privilege(s, seat, 1);
  discard_influence(s, seat, card);
  for (unsigned i = 0; i < PATH_MAX_STEPS && step_tile(arguments, i); i++) {
    tile[i] = (int)step_tile(arguments, i);
    stay[i] = (int)step_markers(arguments, i);
    s->personal[seat] = (uint8_t)(s->personal[seat] - stay[i]);
    uint8_t *here = &s->markers[tile[i] - 1][seat];
    *here = (uint8_t)(*here + stay[i]);
  }
  REVEAL(log, E_PLAYED, seat, (int)card, jump, tile[0], stay[0], tile[1],
         stay[1], tile[2], stay[2]);
  louis_drop_last_card(s, seat, log);
}

static void recover(struct louis *s, unsigned seat, unsigned card,
                    struct sal_log *log) {
  discard_influence(s, seat, card);
  const unsigned n = make_ready(s, seat, RECOVERS);
  REVEAL(log, E_RECOVERED, seat, (int)card, (int)n);
  louis_drop_last_card(s, seat, log);
}

static void swap(struct louis *s, unsigned seat, unsigned card,
                 struct sal_log *log) {
  discard_influence(s, seat, card);
  REVEAL(log, E_SWAPPED, seat, (int)card);
  s->nth++;
  louis_draw(s, PILE_INFLUENCE, seat, 1, log);
}

static void exchange(struct louis *s, unsigned seat, bag cards,
                     struct sal_log *log) {
  const unsigned n = bag_total(cards);
  use_privilege(s, seat, 0);
  s->influence[seat] -= cards;
  s->influence_size[seat] = (uint8_t)(s->influence_size[seat] - n);
  s->influence_deck.open += cards;
  REVEAL(log, E_EXCHANGED, seat, (int)(cards & 0xfff),
         (int)(cards >> 12 & 0xfff), (int)(cards >> 24 & 0xfff),
         (int)(cards >> 36 & 0xfff), (int)(cards >> 48 & 0xfff));
  louis_draw(s, PILE_INFLUENCE, seat, n, log);
}

/* louis.intrigue.effect, louis.privilege.3 */
static void intrigue(struct louis *s, unsigned seat, uint64_t arguments,
                     struct sal_log *log) {
  const unsigned n = arguments & 3;
  uint8_t *from =
      arguments & FROM_PERSONAL ? &s->personal[seat] : &s->general[seat];
  if (arguments & WITH_FAVOUR)
    use_privilege(s, seat, 2);
  *from = (uint8_t)(*from - n);
  s->markers[s->tile][seat] = (uint8_t)(s->markers[s->tile][seat] + n);
  s->intrigue[seat] -= bag_one(s->tile);
  s->intrigue_size[seat]--;
  s->intrigue_deck.open += bag_one(s->tile);
  REVEAL(log, E_INTRIGUE, seat, s->tile, (int)n,
         (arguments & FROM_PERSONAL) != 0, (arguments & WITH_FAVOUR) != 0);
}

/* ---- Rewards ------------------------------------------------------------- */

/* louis.eval.rewards; one takes what is left (louis.eval.shortage). */
void louis_serve(struct louis *s, unsigned seat, struct sal_log *log) {
  const struct court_tile *t = &court_of(s)->tile[s->tile];
  unsigned n = t->amount;
  if (t->reward == CHIP_REWARD)
    n = least(n, s->stock[t->chip]);
  else if (t->reward == SHIELD_REWARD)
    n = least(n, s->shields_left);
  else if (t->reward == PLACE_REWARD)
    n = least(n, ready(s, seat));
  TELL(log, E_REWARDED, seat, s->tile, t->reward, t->chip, (int)n);
  switch (t->reward) {
  case CHIP_REWARD: take_chips(s, seat, t->chip, n); break;
  case SHIELD_REWARD: louis_give_shields(s, seat, n, log); break;
  case GOLD_REWARD: s->gold[seat] = (uint16_t)(s->gold[seat] + n); break;
  case PLACE_REWARD:
    s->station = AT_PUT;
    ask(s, seat);
    break;
  case INFLUENCE_REWARD: louis_draw(s, PILE_INFLUENCE, seat, n, log); break;
  default: louis_draw(s, PILE_INTRIGUE, seat, n, log); break;
  }
}

/* louis.eval.pay, power bribe1 */
unsigned louis_price(const struct louis *s, unsigned seat) {
  const unsigned n = side_up(s, s->tile)->n;
  const unsigned less = s->power[seat][BRIBE1];
  return n > less ? n - less : 1;
}

static void pay(struct louis *s, unsigned seat, struct sal_log *log) {
  const unsigned gold = louis_price(s, seat);
  s->gold[seat] = (uint16_t)(s->gold[seat] - gold);
  TELL(log, E_PAID, seat, s->tile, (int)gold);
  s->station = AT_REWARD;
  louis_serve(s, seat, log);
}

/* ---- Missions ------------------------------------------------------------ */

static unsigned misses(unsigned chip, unsigned cost) {
  return chip != CROWN && cost != ANY_CHIP && chip != cost;
}

unsigned louis_wild_needed(const struct court_mission *m, unsigned a,
                           unsigned b) {
  return least(misses(a, m->cost[0]) + misses(b, m->cost[1]),
               misses(a, m->cost[1]) + misses(b, m->cost[0]));
}

int louis_held(const struct louis *s, unsigned seat, uint32_t code) {
  for (uint64_t left = s->missions[seat]; left; left &= left - 1) {
    const int m = __builtin_ctzll(left);
    if (court_of(s)->mission[m].code == code)
      return m;
  }
  return -1;
}

/* louis.mission.fulfil */
static void fulfil(struct louis *s, unsigned seat, uint64_t arguments,
                   struct sal_log *log) {
  const int m = louis_held(s, seat, code_in(arguments));
  const struct court_mission *mission = &court_of(s)->mission[m];
  const unsigned a = (unsigned)(arguments >> CODE_BITS) & 7;
  const unsigned b = (unsigned)(arguments >> (CODE_BITS + 3)) & 7;
  s->used[seat][USED_WILD] =
      (uint8_t)(s->used[seat][USED_WILD] + louis_wild_needed(mission, a, b));
  s->chips[seat][a]--;
  s->chips[seat][b]--;
  s->stock[a]++;
  s->stock[b]++;
  s->missions[seat] &= ~(UINT64_C(1) << m);
  s->tiers[seat][mission->tier]--;
  s->laid[s->laid_count++] = (uint8_t)(seat * MISSIONS_MAX + (unsigned)m);
  s->fulfilled[seat]++;
  s->power[seat][mission->power]++;
  s->nth++;
  s->station = AT_DRAW;
  REVEAL(log, E_FULFILLED, seat, (int)(mission->code >> 15),
         (int)(mission->code & 0x7fff), (int)a, (int)b);
}

/* louis.mission.exchange */
static void trade(struct louis *s, unsigned seat, uint64_t arguments,
                  struct sal_log *log) {
  const int m = louis_held(s, seat, code_in(arguments));
  const struct court_mission *mission = &court_of(s)->mission[m];
  const unsigned stack = (unsigned)(arguments >> CODE_BITS);
  s->missions[seat] &= ~(UINT64_C(1) << m);
  s->traded[seat] |= UINT64_C(1) << m;
  s->tiers[seat][mission->tier]--;
  s->traded_tiers[seat][mission->tier]++;
  s->station = AT_MISSION_END;
  if (log) {
    const struct sal_event e = {.kind = E_TRADED,
                                .seat = (int8_t)seat,
                                .seen_by = (uint8_t)(1u << seat),
                                .open = 2,
                                .count = 4,
                                .value = {(int16_t)stack, mission->tier,
                                          (int16_t)(mission->code >> 15),
                                          mission->code & 0x7fff}};
    log->emit(log, &e);
  }
  louis_draw(s, PILE_LIGHT + stack, seat, 1, log);
}

/* louis.mission.keep-one, louis.privilege.4: all others go back. */
void louis_keep(struct louis *s, unsigned seat, uint64_t arguments,
                struct sal_log *log) {
  if (arguments & KEEP_WITH_FAVOUR)
    use_privilege(s, seat, 3);
  TELL(log, E_KEPT, seat, (int)(arguments & 7), (int)(arguments >> 3 & 7),
       (int)(arguments >> 6 & 7), (arguments & KEEP_WITH_FAVOUR) != 0);
  for (int k = 0; k < CHIP_KINDS; k++) {
    s->stock[k] = (uint8_t)(s->stock[k] + s->chips[seat][k]);
    s->chips[seat][k] = 0;
  }
  for (int i = 0; i < 3; i++) {
    const unsigned kept = (unsigned)(arguments >> (3 * i)) & 7;
    if (kept)
      take_chips(s, seat, kept - 1, 1);
  }
  louis_next_player(s);
}

/* ---- All of them --------------------------------------------------------- */

static void pass(struct louis *s, unsigned seat, struct sal_log *log) {
  tell_plain(log, E_PASSED, seat);
  if (s->station == AT_SWAP)
    s->nth = s->power[seat][SWAP];
  else if (s->station == AT_FOOTHOLD)
    s->nth++;
  else if (s->station == AT_PAY)
    s->station = AT_REWARD;
}

static void act(struct louis *s, unsigned seat, sal_action a,
                struct sal_log *log) {
  const uint64_t arguments = arguments_of(a);
  const unsigned small = (unsigned)arguments & 15;
  switch (verb_of(a)) {
  case DO_PASS: pass(s, seat, log); break;
  case DO_FAVOUR:
    if (s->station == AT_SETUP)
      first_favour(s, seat, small, log);
    else
      louis_favour(s, seat, small, log);
    break;
  case DO_WITHDRAW: withdraw(s, seat, small, log); break;
  case DO_SWAP: swap(s, seat, small, log); break;
  case DO_EXCHANGE: exchange(s, seat, arguments, log); break;
  case DO_FOOTHOLD: foothold(s, seat, arguments, log); break;
  case DO_PLAY:
  case DO_JUMP: play(s, seat, a, log); break;
  case DO_RECOVER: recover(s, seat, small, log); break;
  case DO_INTRIGUE: intrigue(s, seat, arguments, log); break;
  case DO_TIE:
    s->used[seat][USED_TIE]++;
    s->leader = (uint8_t)seat;
    TELL(log, E_TIE, seat, s->tile);
    break;
  case DO_PAY: pay(s, seat, log); break;
  case DO_PUT:
    TELL(log, E_PUT, seat, (int)(arguments & 15), (int)(arguments >> 4));
    place_pair(s, seat, arguments);
    s->station = AT_REWARD;
    break;
  case DO_TAKE: louis_favour(s, seat, 0, log); break;
  case DO_RECOUP: recoup(s, seat, log); break;
  case DO_FULFIL: fulfil(s, seat, arguments, log); break;
  case DO_TRADE: trade(s, seat, arguments, log); break;
  case DO_DONE:
    tell_plain(log, E_DONE, seat);
    s->station = AT_MISSION_END;
    break;
  case DO_DRAW:
    s->station = AT_MISSION;
    louis_draw(s, PILE_LIGHT + small, seat, 1, log);
    break;
  case DO_KEEP: louis_keep(s, seat, arguments, log); break;
  default: assert(false && "no action of Louis XIV");
  }
}

/* Tells whoever listens, with the court put behind the event's own values: an
 * event is put into words without a state, and names the people of the court. */
struct court_log {
  struct sal_log log;
  struct sal_log *to;
  uint8_t court;
};

static void emit_with_court(struct sal_log *log, const struct sal_event *e) {
  const struct court_log *l = (const struct court_log *)log;
  struct sal_event told = *e;
  assert(e->count <= EVENT_COURT);
  told.value[EVENT_COURT] = l->court;
  l->to->emit(l->to, &told);
}

void louis_apply(sal_state *state, int seat, sal_action a,
                 struct sal_log *listener) {
  struct louis *s = as_state(state);
  struct court_log told = {{emit_with_court}, listener, s->court};
  struct sal_log *log = listener ? &told.log : NULL;
  if (seat == SAL_CHANCE) {
    louis_get(s, a, log);
  } else {
    assert(seat == s->asked && louis_check(state, seat, a) == NULL);
    s->asked = NOBODY;
    act(s, (unsigned)seat, a, log);
  }
  louis_advance(s, log);
}
