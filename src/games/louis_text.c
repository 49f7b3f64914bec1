/* The notation of Louis XIV: actions to text and back.
 *
 * Reading knows no position, so two faults are left for `check` to judge: words
 * in another order than the one spelling (MISORDERED, louis.actions.text), and
 * numbers that are no tile, space, card or count (NO_SUCH). What cannot be read
 * at all is 0. */
#include "louis.h"

static const char *const verb_names[VERBS] = {
    [DO_PASS] = "pass",         [DO_FAVOUR] = "favour",
    [DO_WITHDRAW] = "withdraw", [DO_SWAP] = "swap",
    [DO_EXCHANGE] = "exchange", [DO_FOOTHOLD] = "foothold",
    [DO_PLAY] = "play",         [DO_JUMP] = "jump",
    [DO_RECOVER] = "recover",   [DO_INTRIGUE] = "intrigue",
    [DO_TIE] = "tie",           [DO_PAY] = "pay",
    [DO_PUT] = "put",           [DO_TAKE] = "keep",
    [DO_RECOUP] = "recoup",     [DO_FULFIL] = "fulfil",
    [DO_TRADE] = "trade",       [DO_DONE] = "done",
    [DO_DRAW] = "draw",         [DO_KEEP] = "keep"};

/* ---- Writing ------------------------------------------------------------- */

static void add_word(struct sal_text *out, const char *word) {
  sal_text_char(out, ' ');
  sal_text_add(out, word);
}

static void add_number(struct sal_text *out, unsigned n) {
  sal_text_char(out, ' ');
  sal_text_int(out, n);
}

static void add_card(struct sal_text *out, unsigned card) {
  if (card == JOKER)
    sal_text_char(out, 'J');
  else
    sal_text_int(out, card + 1);
}

static void add_cards(struct sal_text *out, bag cards) {
  for (unsigned card = 0; card < CARD_KINDS; card++)
    for (unsigned i = 0; i < bag_count(cards, card); i++) {
      sal_text_char(out, ' ');
      add_card(out, card);
    }
}

static void add_path(struct sal_text *out, uint64_t arguments) {
  sal_text_char(out, ' ');
  add_card(out, arguments & 15);
  for (unsigned i = 0; i < PATH_MAX_STEPS && step_tile(arguments, i); i++) {
    add_number(out, step_tile(arguments, i));
    sal_text_char(out, ':');
    sal_text_int(out, step_markers(arguments, i));
  }
}

static void add_intrigue(struct sal_text *out, uint64_t arguments) {
  add_word(out, arguments & FROM_PERSONAL ? "personal" : "general");
  add_number(out, arguments & 3);
  if (arguments & WITH_FAVOUR)
    add_word(out, "favour");
}

static void add_kept(struct sal_text *out, uint64_t arguments) {
  for (int i = 0; i < 3; i++) {
    const unsigned k = (unsigned)(arguments >> (3 * i)) & 7;
    if (k)
      add_word(out, chip_names[k - 1]);
  }
  if (arguments & KEEP_WITH_FAVOUR)
    add_word(out, "favour");
}

/* The outcomes of chance are named like the cards of a deal. */
static bool outcome_text(sal_action a, struct sal_text *out) {
  const uint64_t arguments = arguments_of(a);
  switch (verb_of(a)) {
  case GET_SEAT:
  case GET_SHIELD: sal_text_int(out, (int64_t)arguments); return true;
  case GET_CARD: add_card(out, (unsigned)arguments); return true;
  case GET_MONEY:
    sal_text_int(out, (int64_t)(arguments & 15) + 1);
    sal_text_char(out, ':');
    sal_text_int(out, (int64_t)(arguments >> 4));
    return true;
  case GET_MISSION: mission_id(code_in(arguments), out); return true;
  default: return false;
  }
}

void louis_action_text(sal_action a, struct sal_text *out) {
  const uint64_t arguments = arguments_of(a);
  if (outcome_text(a, out))
    return;
  sal_text_add(out, verb_names[verb_of(a)]);
  switch (verb_of(a)) {
  case DO_FAVOUR:
  case DO_WITHDRAW:
    for (unsigned space = 0; space < SPACES; space++)
      if (arguments >> space & 1)
        add_number(out, space + 1);
    return;
  case DO_SWAP:
  case DO_RECOVER: add_cards(out, bag_one(arguments & 15)); return;
  case DO_EXCHANGE: add_cards(out, arguments); return;
  case DO_FOOTHOLD:
  case DO_PUT:
    add_number(out, arguments & 15);
    if (arguments >> 4)
      add_number(out, (unsigned)(arguments >> 4));
    return;
  case DO_PLAY:
  case DO_JUMP: add_path(out, arguments); return;
  case DO_INTRIGUE: add_intrigue(out, arguments); return;
  case DO_FULFIL:
    sal_text_char(out, ' ');
    mission_id(code_in(arguments), out);
    add_word(out, chip_names[arguments >> CODE_BITS & 7]);
    add_word(out, chip_names[arguments >> (CODE_BITS + 3) & 7]);
    return;
  case DO_TRADE:
    sal_text_char(out, ' ');
    mission_id(code_in(arguments), out);
    add_word(out, tier_names[arguments >> CODE_BITS & 3]);
    return;
  case DO_DRAW: add_word(out, tier_names[arguments & 3]); return;
  case DO_KEEP: add_kept(out, arguments); return;
  default: return;
  }
}

/* ---- Reading ------------------------------------------------------------- */

/* A phrase being read: what is left of it, and the faults so far. */
struct phrase {
  const char *at;
  sal_action faults;
  bool unreadable;
};

static bool more(const struct phrase *p) {
  return !p->unreadable && *p->at != '\0';
}

static void expect(struct phrase *p, char c) {
  if (*p->at == c)
    p->at++;
  else
    p->unreadable = true;
}

/* A number from 1 to `most`; any other is counted as 1 and noted. */
static unsigned read_number(struct phrase *p, unsigned most) {
  int32_t n = 0;
  const char *rest = sal_number_read(p->at, &n);
  if (!rest) {
    p->unreadable = true;
    return 1;
  }
  p->at = rest;
  if (n >= 1 && (unsigned)n <= most)
    return (unsigned)n;
  p->faults |= NO_SUCH;
  return 1;
}

static unsigned read_card(struct phrase *p) {
  if (*p->at != 'J')
    return read_number(p, TILES) - 1;
  p->at++;
  return JOKER;
}

/* One of the words, or 0 if there is none; the phrase goes on after it. */
static unsigned read_word(struct phrase *p, const char *const *words) {
  const size_t length = strcspn(p->at, " ");
  for (unsigned i = 0; words[i]; i++)
    if (strlen(words[i]) == length && memcmp(words[i], p->at, length) == 0) {
      p->at += length;
      return i;
    }
  p->unreadable = true;
  return 0;
}

static uint32_t read_mission(struct phrase *p) {
  const size_t length = strcspn(p->at, " ");
  const uint32_t code = mission_code(p->at, length);
  p->at += length;
  p->unreadable |= code == 0;
  return code;
}

static uint64_t read_spaces(struct phrase *p) {
  unsigned mask = 0, last = 0;
  do {
    expect(p, ' ');
    const unsigned space = read_number(p, SPACES);
    if (space <= last)
      p->faults |= MISORDERED;
    last = space;
    mask |= 1u << (space - 1);
  } while (more(p));
  return mask;
}

static uint64_t read_cards(struct phrase *p) {
  bag cards = 0;
  unsigned last = 0;
  do {
    expect(p, ' ');
    const unsigned card = read_card(p);
    if (card < last)
      p->faults |= MISORDERED;
    last = card;
    if (bag_count(cards, card) < 15)
      cards += bag_one(card);
    else
      p->faults |= NO_SUCH;
  } while (more(p));
  return cards;
}

static uint64_t read_tiles(struct phrase *p) {
  expect(p, ' ');
  const unsigned first = read_number(p, TILES);
  unsigned second = 0;
  if (more(p)) {
    expect(p, ' ');
    second = read_number(p, TILES);
    if (second < first)
      p->faults |= MISORDERED;
  }
  return tile_pair(first, second);
}

static uint64_t read_path(struct phrase *p) {
  expect(p, ' ');
  uint64_t path = read_card(p);
  unsigned i = 0;
  do {
    expect(p, ' ');
    const unsigned tile = read_number(p, TILES) - 1;
    expect(p, ':');
    const unsigned markers = read_number(p, PATH_MAX_STEPS);
    if (i == PATH_MAX_STEPS)
      p->faults |= NO_SUCH;
    else
      path |= step(i++, tile, markers);
  } while (more(p));
  return path;
}

/* " favour" at the end of a phrase. */
static bool read_favour(struct phrase *p) {
  if (strcmp(p->at, " favour") != 0)
    return false;
  p->at += strlen(p->at);
  return true;
}

static uint64_t read_intrigue(struct phrase *p) {
  static const char *const sources[] = {"general", "personal", NULL};
  expect(p, ' ');
  uint64_t arguments = read_word(p, sources) ? FROM_PERSONAL : 0;
  expect(p, ' ');
  arguments |= read_number(p, 3);
  return arguments | (read_favour(p) ? WITH_FAVOUR : 0);
}

static uint64_t read_fulfil(struct phrase *p) {
  expect(p, ' ');
  const uint32_t code = read_mission(p);
  expect(p, ' ');
  const unsigned a = read_word(p, chip_names);
  expect(p, ' ');
  const unsigned b = read_word(p, chip_names);
  if (b < a)
    p->faults |= MISORDERED;
  return fulfil_with(code, a, b);
}

static uint64_t read_trade(struct phrase *p) {
  expect(p, ' ');
  const uint32_t code = read_mission(p);
  expect(p, ' ');
  return coded(code, read_word(p, tier_names));
}

static uint64_t read_stack(struct phrase *p) {
  expect(p, ' ');
  return read_word(p, tier_names);
}

/* One to three chips, and perhaps the favour. */
static uint64_t read_kept(struct phrase *p) {
  uint64_t arguments = 0;
  unsigned last = 0;
  for (int i = 0; i < 3 && more(p); i++) {
    if (i > 0 && read_favour(p))
      return arguments | KEEP_WITH_FAVOUR;
    expect(p, ' ');
    const unsigned chip = read_word(p, chip_names) + 1;
    if (chip < last)
      p->faults |= MISORDERED;
    last = chip;
    arguments |= (uint64_t)chip << (3 * i);
  }
  return arguments | (read_favour(p) ? KEEP_WITH_FAVOUR : 0);
}

static uint64_t read_one_card(struct phrase *p) {
  expect(p, ' ');
  return read_card(p);
}

typedef uint64_t read_fn(struct phrase *p);

static read_fn *const readers[VERBS] = {
    [DO_FAVOUR] = read_spaces,     [DO_WITHDRAW] = read_spaces,
    [DO_SWAP] = read_one_card,     [DO_EXCHANGE] = read_cards,
    [DO_FOOTHOLD] = read_tiles,    [DO_PLAY] = read_path,
    [DO_JUMP] = read_path,         [DO_RECOVER] = read_one_card,
    [DO_INTRIGUE] = read_intrigue, [DO_PUT] = read_tiles,
    [DO_FULFIL] = read_fulfil,     [DO_TRADE] = read_trade,
    [DO_DRAW] = read_stack,        [DO_KEEP] = read_kept};

sal_action louis_action_parse(const char *text) {
  const size_t length = strcspn(text, " ");
  enum verb verb = DO_PASS;
  /* `keep` alone comes before `keep CHIP` */
  while (verb <= DO_KEEP && (strlen(verb_names[verb]) != length ||
                             memcmp(verb_names[verb], text, length) != 0 ||
                             (verb == DO_TAKE && text[length])))
    verb++;
  if (verb > DO_KEEP)
    return 0;
  struct phrase p = {.at = text + length};
  const uint64_t arguments = readers[verb] ? readers[verb](&p) : 0;
  if (p.unreadable || *p.at)
    return 0;
  return action(verb, arguments) | p.faults;
}
