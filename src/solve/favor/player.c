/* A player through a day of Favor for two: looks ahead over the nets at each
 * turn, and solves the ending.
 *
 * Main invariant: what is solved at a turn depends on the start of the day and
 * on the steps up to that turn alone, all of them public, and on which side the
 * player is. So it can be kept, or be made anew, and says the same. */
#include "lookahead.h"

#include <stdlib.h>

enum { TURNS_MAX = 16, NODES_MAX = 250000, FEWEST = 25, ENDINGS = 3 };
/* Cards in the deck when an ending is solved, by the day. */
static const int BEGINS_AT[] = {0, 3, 4, 5};

/* A turn that was looked at. */
struct kept {
  uint64_t key; /* of the steps that led there; 0: none */
  struct solved solved;
};

struct sal_favor_player {
  const sal_favor_policy *policy;
  lookahead *look;
  struct kept kept[TURNS_MAX];
  /* The ending, and others that began when somebody gave gems away. */
  struct {
    uint64_t key;
    sal_favor_solver *solver;
  } ending[ENDINGS];
};

sal_favor_player *sal_favor_player_new(const sal_favor_policy *p) {
  sal_favor_player *player = calloc(1, sizeof *player);
  if (player) {
    player->policy = p;
    player->look = lookahead_new(p);
  }
  if (player && player->look)
    return player;
  free(player);
  return NULL;
}

void sal_favor_player_free(sal_favor_player *p) {
  if (!p)
    return;
  lookahead_free(p->look);
  for (int i = 0; i < ENDINGS; i++)
    sal_favor_solver_free(p->ending[i].solver);
  free(p);
}

/* ---- The course of a day --------------------------------------------------- */

struct course {
  sal_favor_player *player;
  struct sal_favor_thought *thought;
  const struct sal_favor_step *step;
  size_t count, at; /* steps, and how many were followed */
  struct outlook from;
  uint64_t key;
  int turns;
  const struct solved *solved; /* of this turn */
  int endings;                 /* that were begun */
};

static uint64_t mix_key(uint64_t key, const void *bytes, size_t n) {
  const unsigned char *b = bytes;
  for (size_t i = 0; i < n; i++) {
    key = (key ^ b[i]) * UINT64_C(0x100000001b3);
    key ^= key >> 29;
  }
  return key | 1;
}

static struct position table_of(const struct sal_favor_ending *e) {
  struct position p;
  memset(&p, 0, sizeof p);
  memcpy(p.deck, e->deck, sizeof p.deck);
  memcpy(p.lot, e->lot, sizeof p.lot);
  memcpy(p.collection, e->collection, sizeof p.collection);
  memcpy(p.gems, e->gems, sizeof p.gems);
  p.turn = e->turn;
  return p;
}

static void begin_course(struct course *c, const struct sal_favor_ending *start,
                         int me) {
  c->from.e = *start;
  c->from.me = me;
  c->from.turn = table_of(start);
  for (int k = 0; k < 2 * TYPES; k++)
    c->from.e.range[k / TYPES][k % TYPES] = 1.0f / TYPES;
  c->key = mix_key(UINT64_C(0xcbf29ce484222325) + (uint64_t)me, &c->from.turn,
                   sizeof c->from.turn);
  const int8_t facts[] = {(int8_t)start->day, (int8_t)start->first, start->lead,
                          start->english, start->last};
  c->key = mix_key(c->key, facts, sizeof facts);
  c->key =
      mix_key(c->key, &c->thought->iterations, sizeof c->thought->iterations);
  const bool timed = c->thought->more != NULL; /* may have been cut short */
  c->key = mix_key(c->key, &timed, sizeof timed);
}

/* NULL if there are no more. */
static const struct sal_favor_step *next_step(struct course *c) {
  if (c->at == c->count)
    return NULL;
  const struct sal_favor_step *s = &c->step[c->at++];
  const uint8_t bytes[] = {s->did, s->number};
  c->key = mix_key(c->key, bytes, sizeof bytes);
  return s;
}

/* ---- One turn -------------------------------------------------------------- */

static bool has_time(const struct sal_favor_thought *t) {
  return !t->more || t->more(t->context);
}

static bool look_in_course(struct course *c) {
  struct kept *k = &c->player->kept[c->turns];
  if (k->key != c->key) {
    k->key = 0;
    if ((c->turns > 0 && !has_time(c->thought)) ||
        !lookahead_solve(c->player->look, &c->from, c->thought, &k->solved))
      return false;
    k->key = c->key;
  }
  c->solved = &k->solved;
  return true;
}

/* So much of a range goes with what the average never does. */
static const float TREMBLE = 0.02f;

/* One side did this, at such options: its range follows. */
static void follow_option(struct course *c, int side, int first, int options,
                          int did) {
  const struct turn *t = &c->solved->turn;
  float *range = c->from.e.range[side ? !c->from.turn.turn : c->from.turn.turn];
  float sum = 0;
  for (int i = 0; i < TYPES; i++)
    sum += range[i] *= (1 - TREMBLE) * t->chance[side][i][first + did] +
                       TREMBLE / (float)options;
  for (int i = 0; i < TYPES; i++)
    range[i] /= sum;
}

/* Where a decision stands in an auction. */
struct auction {
  int speaker; /* side of the turn who speaks first */
  int bid;     /* as reckoned with; `high` is what was said */
  int high;
  bool raised;
};

/* The number of gems in a step; 0: passed. -1: neither. */
static int gems_said(const struct sal_favor_step *s) {
  return s->did == SAL_FAVOR_PASSED   ? 0
         : s->did == SAL_FAVOR_BIDDED ? s->number
                                      : -1;
}

static bool first_speaks(struct course *c, struct auction *a,
                         const struct sal_favor_step *s) {
  const int bids = turn_bids(&c->solved->turn);
  a->high = gems_said(s);
  if (a->high < 0)
    return false;
  a->bid = a->high < bids ? a->high : bids - 1;
  if (bids > 1)
    follow_option(c, a->speaker, FIRST, bids, a->bid);
  return true;
}

static bool last_speaks(struct course *c, struct auction *a,
                        const struct sal_favor_step *s) {
  const int said = gems_said(s);
  if (said < 0 || (said > 0 && said <= a->high))
    return false;
  a->raised = said > 0;
  if (turn_can_raise(&c->solved->turn, a->bid))
    follow_option(c, !a->speaker, LAST + 2 * a->bid, 2, a->raised);
  const int first = model_speaks_first(&c->from.turn, c->solved->turn.final);
  const int winner = a->raised ? !first : a->high ? first : -1;
  if (winner >= 0 && c->from.turn.gems[winner] < (said ? said : a->high))
    return false;
  c->from.before = c->from.turn;
  model_sell(&c->from.before, winner, said ? said : a->high,
             c->solved->turn.final);
  return true;
}

/* The cards of the next turn. False if they are not all there yet, or cannot
 * be. */
static bool draw_in_course(struct course *c) {
  struct position *p = &c->from.turn;
  *p = c->from.before;
  for (int n = model_draws(p, c->from.e.day); n > 0; n--) {
    const struct sal_favor_step *s = next_step(c);
    if (!s || s->did != SAL_FAVOR_DREW || s->number >= KINDS ||
        p->deck[s->number] == 0)
      return false;
    p->deck[s->number]--;
    p->lot[s->number]++;
  }
  return true;
}

/* ---- Answers --------------------------------------------------------------- */

/* What an option is worth to a type, over how likely the other comes there. */
static float worth_of_type(int side, int type, const float *value,
                           const float *reach) {
  float sum = 0;
  for (int i = 0; i < TYPES; i++)
    sum += i == type ? 0 : reach[TYPES * !side + i];
  return sum > 1e-20f ? value[TYPES * side + type] / sum : 0;
}

static void answer_turn(const struct turn *t, int type,
                        struct sal_favor_answer *out) {
  float value[2 * TYPES] = {0}, reach[2 * TYPES] = {0};
  *out = (struct sal_favor_answer){.options = 2, .least = 1};
  for (int b = 0; b < turn_bids(t); b++)
    for (int r = 0; r <= turn_can_raise(t, b); r++) {
      const int e = 1 + 2 * b + r;
      value[type] += t->chance[0][type][LAST + 2 * b + r] * t->value[e][type];
      for (int i = 0; i < TYPES && r == 0; i++)
        reach[TYPES + i] += t->reach[e][TYPES + i];
    }
  for (int o = 0; o < 2; o++)
    out->chance[o] = t->chance[0][type][o];
  out->value[0] = worth_of_type(0, type, t->value[0], t->reach[0]);
  out->value[1] = worth_of_type(0, type, value, reach);
}

static void answer_first(const struct turn *t, int side, int type,
                         struct sal_favor_answer *out) {
  *out = (struct sal_favor_answer){.options = turn_bids(t), .least = 1};
  for (int b = 0; b < out->options; b++) {
    float value[2 * TYPES] = {0}, reach[2 * TYPES] = {0};
    for (int r = 0; r <= turn_can_raise(t, b); r++)
      for (int k = 0; k < 2 * TYPES; k++) {
        value[k] += t->value[1 + 2 * b + r][k];
        reach[k] += t->reach[1 + 2 * b + r][k];
      }
    out->chance[b] = t->chance[side][type][FIRST + b];
    out->value[b] = worth_of_type(side, type, value, reach);
  }
}

static void answer_last(const struct turn *t, int side, int type,
                        const struct auction *a, struct sal_favor_answer *out) {
  *out = (struct sal_favor_answer){.options = 2, .least = a->high + 1};
  for (int r = 0; r < 2; r++) {
    const int e = 1 + 2 * a->bid + r;
    out->chance[r] = t->chance[side][type][LAST + 2 * a->bid + r];
    out->value[r] = worth_of_type(side, type, t->value[e], t->reach[e]);
  }
}

/* ---- Endings --------------------------------------------------------------- */

static sal_favor_solver *ending_of(const struct course *c) {
  return c->player->ending[c->endings - 1].solver;
}

/* False if that is too little to play by. */
static bool improve_ending(const struct course *c) {
  sal_favor_solver *s = ending_of(c);
  const uint32_t most = c->thought->iterations;
  while (sal_favor_solver_done(s) < most && has_time(c->thought)) {
    sal_favor_solver_iterate(s);
    c->thought->done++;
  }
  return sal_favor_solver_done(s) >= (most < FEWEST ? most : FEWEST);
}

/* What the other side gets at the turn that was solved, by type. */
static void offer_at(const struct course *c, float *out) {
  const struct turn *t = &c->solved->turn;
  const int side = c->from.turn.turn == c->from.me, mine = !side;
  const float *range = c->solved->range + TYPES * mine;
  for (int i = 0; i < TYPES; i++) {
    float sum = 0, others = 0;
    for (int e = 0; e < EVENTS; e++)
      if (t->kind[e] != NO_EVENT)
        sum += turn_part(t, side, i, e) * t->value[e][TYPES * side + i];
    for (int k = 0; k < TYPES; k++)
      others += k == i ? 0 : range[k];
    out[i] = others > 1e-6f ? sum / others : 0;
  }
}

static bool is_kept(const struct course *c) {
  return c->endings < ENDINGS && c->player->ending[c->endings].solver &&
         c->player->ending[c->endings].key == c->key;
}

/* The rest of the day, from this turn on. */
static sal_favor_solver *make_ending(const struct course *c) {
  const struct sal_favor_effort all = {.nodes = NODES_MAX};
  const struct position *p = &c->from.turn;
  struct sal_favor_ending e = c->from.e;
  memcpy(e.deck, p->deck, sizeof e.deck);
  memcpy(e.lot, p->lot, sizeof e.lot);
  memcpy(e.collection, p->collection, sizeof e.collection);
  memcpy(e.gems, p->gems, sizeof e.gems);
  e.turn = p->turn;
  return sal_favor_solver_new(
      &e, &c->player->policy->worth[e.day - 1][e.english], &all);
}

/* Solves it; the tree is kept as long as the day lasts. */
static bool open_ending(struct course *c, bool offered) {
  float offer[TYPES];
  if (c->endings == ENDINGS)
    return false;
  if (!is_kept(c)) {
    sal_favor_solver *s = make_ending(c);
    sal_favor_solver_free(c->player->ending[c->endings].solver);
    c->player->ending[c->endings].solver = s;
    c->player->ending[c->endings].key = c->key;
    if (s && offered) {
      offer_at(c, offer);
      sal_favor_solver_offer(s, !c->from.me, offer);
    }
  }
  c->endings++;
  return ending_of(c) && improve_ending(c);
}

/* ---- Asking ---------------------------------------------------------------- */

/* The auction of this turn; true if the question is in it. */
static bool in_auction(struct course *c, int type, struct auction *a,
                       struct sal_favor_answer *out) {
  const struct turn *t = &c->solved->turn;
  const int me = c->from.turn.turn == c->from.me ? 0 : 1;
  const struct sal_favor_step *s = next_step(c);
  if (!s) {
    if (me == a->speaker)
      answer_first(t, me, type, out);
    return true;
  }
  if (!first_speaks(c, a, s))
    return true;
  s = next_step(c);
  if (!s) {
    if (me != a->speaker && turn_can_raise(t, a->bid))
      answer_last(t, me, type, a, out);
    return true;
  }
  return !last_speaks(c, a, s);
}

/* Follows one turn; true if the question is in it, or nothing fits: then `out`
 * has no options. */
static bool ask_turn(struct course *c, int type, struct sal_favor_answer *out) {
  struct auction a = {.speaker = !c->solved->turn.final};
  const bool my_turn = c->from.turn.turn == c->from.me;
  int event = 0;
  if (!c->solved->turn.final) {
    const struct sal_favor_step *s = next_step(c);
    if (!s) {
      if (my_turn)
        answer_turn(&c->solved->turn, type, out);
      return true;
    }
    event = s->did == SAL_FAVOR_CALLED;
    if (!event && s->did != SAL_FAVOR_ADDED)
      return true;
    follow_option(c, 0, 0, 2, event);
    c->from.before = c->from.turn;
  }
  if (c->solved->turn.final || event) {
    if (in_auction(c, type, &a, out))
      return true;
    event = 1 + 2 * a.bid + a.raised;
  }
  c->from.before.turn = !c->from.turn.turn;
  memcpy(c->from.offer, c->solved->offer[event], sizeof c->from.offer);
  c->from.offered = true;
  return c->solved->turn.final || !draw_in_course(c);
}

static bool ask_ending(struct course *c, int side, int type,
                       struct sal_favor_answer *out);

/* After somebody gave gems away in an ending, the next turn is another one. */
static bool surprised(struct course *c, size_t began, int side, int type,
                      struct sal_favor_answer *out) {
  if (!sal_favor_solver_ranges(ending_of(c), c->step + began, c->at - began,
                               c->from.e.range) ||
      !open_ending(c, false))
    return false;
  return ask_ending(c, side, type, out);
}

/* The bid that does as much as any higher one. */
static bool gives_away(const struct position *p, int seat, int said, int high,
                       bool last) {
  const int theirs = p->gems[!seat];
  return said > (last ? high + 1 : theirs > 1 ? theirs : 1);
}

/* Follows the steps of an auction in an ending, only to see whether somebody
 * gives gems away; false if they end. */
static bool pass_auction(struct course *c, bool *surprise) {
  const int first = !c->from.turn.turn;
  const struct sal_favor_step *one = next_step(c), *two = next_step(c);
  if (!two || gems_said(one) < 0 || gems_said(two) < 0)
    return false;
  const int said = gems_said(one), answer = gems_said(two);
  *surprise = gives_away(&c->from.turn, first, said, 0, false) ||
              gives_away(&c->from.turn, !first, answer, said, true);
  const int winner = answer ? !first : said ? first : -1;
  const int price = answer ? answer : said;
  c->from.before = c->from.turn;
  if (winner >= 0 && c->from.turn.gems[winner] < price)
    return false;
  model_sell(&c->from.before, winner, price, false);
  return true;
}

static bool ask_ending(struct course *c, int side, int type,
                       struct sal_favor_answer *out) {
  const size_t began = c->at;
  bool surprise = false;
  while (model_cards(c->from.turn.deck) > 0) {
    const struct sal_favor_step *s = next_step(c);
    if (!s)
      break;
    c->from.before = c->from.turn;
    if (s->did != SAL_FAVOR_ADDED &&
        (s->did != SAL_FAVOR_CALLED || !pass_auction(c, &surprise)))
      break;
    c->from.before.turn = !c->from.turn.turn;
    if (!draw_in_course(c))
      break;
    if (surprise)
      return surprised(c, began, side, type, out);
  }
  return sal_favor_solver_ask(ending_of(c), side, type, c->step + began,
                              c->count - began, out);
}

bool sal_favor_player_ask(sal_favor_player *p,
                          const struct sal_favor_ending *start,
                          const struct sal_favor_step *steps, size_t count,
                          int side, int type, struct sal_favor_thought *thought,
                          struct sal_favor_answer *out) {
  struct course c = {
      .player = p, .thought = thought, .step = steps, .count = count};
  memset(out, 0, sizeof *out);
  if (type < 0 || type >= TYPES || side < 0 || side > 1 || start->day < 1 ||
      start->day > NET_DAYS || start->last != (start->day == NET_DAYS))
    return false;
  begin_course(&c, start, side);
  for (; c.turns < TURNS_MAX; c.turns++) {
    const bool ends = model_cards(c.from.turn.deck) <= BEGINS_AT[c.from.e.day];
    if (!(ends && is_kept(&c)) && !look_in_course(&c))
      return false;
    if (ends)
      return open_ending(&c, c.from.offered) && ask_ending(&c, side, type, out);
    if (ask_turn(&c, type, out))
      return out->options > 0;
  }
  return false;
}
