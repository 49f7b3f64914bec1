/* Louis XIV with La Favorita, for two to four: twelve tiles of a court, four
 * rounds of four phases, hidden hands and missions.
 *
 * This file says what the game is: its rules, options, results and what must
 * always hold. louis.h lists the others. The values of tiles, cards and
 * missions are data: court.h. */
#include "aids.h"
#include "louis.h"
#include "salotto/tensor.h"

static void init(sal_state *s, const struct sal_setup *setup) {
  louis_begin(as_state(s), setup);
}

static void options(const sal_state *s, int32_t *out) {
  out[0] = as_const_state(s)->plain;
  out[1] = as_const_state(s)->court;
  out[2] = as_const_state(s)->first;
  out[3] = as_const_state(s)->brief;
  out[4] = as_const_state(s)->memory;
}

/* Missions and shields come from shuffles that stay in use until the end. */
static int closed(const sal_state *s) {
  return as_const_state(s)->station == AT_OVER ? as_const_state(s)->shuffles + 1
                                               : 0;
}

/* ---- Results ------------------------------------------------------------- */

/* louis.end.majority */
static void count_majorities(const struct louis *s, int32_t *out) {
  for (unsigned kind = 1; kind <= SHIELD_KINDS_MAX; kind++) {
    unsigned most = 1; /* none for a kind nobody has */
    for (unsigned seat = 0; seat < s->players; seat++)
      if (bag_count(s->shields[seat], kind) > most)
        most = bag_count(s->shields[seat], kind);
    for (unsigned seat = 0; seat < s->players; seat++)
      out[seat] += bag_count(s->shields[seat], kind) == most;
  }
}

/* louis.end.score */
void louis_points(const struct louis *s, int32_t *out, int32_t *majorities) {
  const struct court *c = court_of(s);
  memset(majorities, 0, SEATS * sizeof *majorities);
  memset(out, 0, SEATS * sizeof *out);
  if (s->station == AT_OVER)
    count_majorities(s, majorities);
  for (unsigned seat = 0; seat < s->players; seat++)
    out[seat] = c->shield_points * s->shield_count[seat] +
                c->mission_points * s->fulfilled[seat] + majorities[seat];
}

static void scores(const sal_state *s, int32_t *out) {
  int32_t points[SEATS], majorities[SEATS];
  louis_points(as_const_state(s), points, majorities);
  memcpy(out, points, as_const_state(s)->players * sizeof *out);
}

/* louis.end.score: points, then missions, then gold beyond the last full 3. */
unsigned louis_winners(const sal_state *state) {
  const struct louis *s = as_const_state(state);
  int32_t points[SEATS], majorities[SEATS], best = -1;
  unsigned winners = 0;
  if (s->station != AT_OVER)
    return 0;
  louis_points(s, points, majorities);
  for (unsigned seat = 0; seat < s->players; seat++) {
    const int32_t rank =
        (points[seat] * (MISSIONS_MAX + 1) + s->fulfilled[seat]) * 100 +
        s->gold[seat] % court_of(s)->gold_a_shield;
    if (rank > best)
      winners = 0;
    if (rank >= best) {
      winners |= 1u << seat;
      best = rank;
    }
  }
  return winners;
}

/* ---- Deals --------------------------------------------------------------- */

static int piles(const struct sal_setup *setup, int entry,
                 struct sal_pile *out) {
  const struct court *c = court_at(setup->option[1]);
  const bool again = entry > 0; /* a reshuffle takes what is there */
  out[PILE_INFLUENCE] = (struct sal_pile){
      "influence", 0, 0, (int)bag_total(court_influence(c)), again};
  out[PILE_INTRIGUE] = (struct sal_pile){
      "intrigue", 0, 0, (int)bag_total(court_intrigue(c)), again};
  if (again)
    return PILE_MONEY;
  out[PILE_MONEY] = (struct sal_pile){"money", 0, 0, c->money_count, false};
  for (unsigned t = 0; t < TIERS; t++)
    out[PILE_LIGHT + t] = (struct sal_pile){
        tier_names[t], 0, 0, __builtin_popcountll(c->tier[t]), false};
  out[PILE_SHIELDS] = (struct sal_pile){
      "shields", 0, 0, (int)bag_total(court_shields(c)), false};
  return PILES;
}

static int money_stock(const struct court *c, const char *name) {
  int32_t tile, gold;
  int n = 0;
  const char *rest = sal_number_read(name, &tile);
  if (!rest || *rest != ':' || !(rest = sal_number_read(rest + 1, &gold)) ||
      *rest)
    return 0;
  for (int i = 0; i < c->money_count; i++)
    n += c->money[i].tile + 1 == tile && c->money[i].gold == gold;
  return n;
}

static int mission_stock(const struct court *c, int tier, const char *name) {
  const uint32_t code = mission_code(name, strlen(name));
  int n = 0;
  for (int m = 0; m < c->mission_count; m++)
    n += c->mission[m].code == code && c->mission[m].tier == tier;
  return n;
}

static int stock(const struct sal_setup *setup, int pile, const char *name) {
  const struct court *c = court_at(setup->option[1]);
  int32_t n;
  if (pile == PILE_MONEY)
    return money_stock(c, name);
  if (pile >= PILE_LIGHT && pile <= PILE_DARK)
    return mission_stock(c, pile - PILE_LIGHT, name);
  if (pile == PILE_INFLUENCE && strcmp(name, "J") == 0)
    return c->jokers;
  const char *rest = sal_number_read(name, &n);
  if (!rest || *rest || n < 1)
    return 0;
  if (pile == PILE_SHIELDS)
    return n <= c->shield_kinds ? c->shields_each : 0;
  if (n > TILES)
    return 0;
  return pile == PILE_INFLUENCE ? c->influence_each : c->intrigue_each;
}

/* ---- The court ----------------------------------------------------------- */

/* Keeps the first problem as a sentence. */
static void keep_problem(void *context, const char *where, const char *sentence,
                         const struct sal_place *places, size_t count) {
  struct sal_text *out = context;
  if (out->len)
    return;
  if (where) { /* NULL: it is not the file's fault */
    sal_text_add(out, N_("The court file is invalid: "));
    sal_text_add(out, where);
    sal_text_add(out, *where ? ": " : "");
  }
  sal_say(out, &sal_words_plain, false, sentence, places, count);
}

static bool option_read(int option, const char *text, size_t length,
                        int32_t *value, struct sal_text *problem) {
  (void)option;
  struct court court;
  if (!court_read(text, length, &court,
                  &(struct court_report){keep_problem, problem}))
    return false;
  const int32_t added = court_add(&court);
  if (added < 0)
    sal_text_add(problem, N_("There are too many different courts in use."));
  else
    *value = added;
  return added >= 0;
}

static void option_write(int option, int32_t value, struct sal_text *out) {
  (void)option;
  court_write(court_at(value), out);
}

/* ---- What must always hold ----------------------------------------------- */

/* louis.markers.conserve */
static bool markers_conserved(const struct louis *s) {
  for (unsigned seat = 0; seat < s->players; seat++) {
    unsigned n = ready(s, seat) + (unsigned)__builtin_popcount(s->board[seat]);
    for (int t = 0; t < TILES; t++)
      n += s->markers[t][seat];
    if (n != court_of(s)->markers)
      return false;
  }
  return true;
}

static bool chips_conserved(const struct louis *s) {
  for (int k = 0; k < CHIP_KINDS; k++) {
    unsigned n = s->stock[k];
    for (unsigned seat = 0; seat < s->players; seat++)
      n += s->chips[seat][k];
    if (n != court_of(s)->chips[k])
      return false;
  }
  return true;
}

static bool cards_conserved(const struct louis *s) {
  const struct court *c = court_of(s);
  bag influence =
      s->influence_deck.cards + s->influence_deck.open + s->turned_up;
  bag intrigue = s->intrigue_deck.cards + s->intrigue_deck.open;
  bag shields = s->shield_deck;
  for (unsigned seat = 0; seat < s->players; seat++) {
    influence += s->influence[seat];
    intrigue += s->intrigue[seat];
    shields += s->shields[seat];
  }
  return influence == court_influence(c) && intrigue == court_intrigue(c) &&
         shields == court_shields(c);
}

static bool missions_conserved(const struct louis *s) {
  uint64_t all = s->mission_deck;
  int n = __builtin_popcountll(all);
  for (unsigned seat = 0; seat < s->players; seat++) {
    all |= s->missions[seat] | s->traded[seat];
    n += __builtin_popcountll(s->missions[seat]) +
         __builtin_popcountll(s->traded[seat]);
  }
  for (int i = 0; i < s->laid_count; i++, n++)
    all |= UINT64_C(1) << s->laid[i] % MISSIONS_MAX;
  return all == court_missions(court_of(s)) && n == court_of(s)->mission_count;
}

/* The sizes tell how much there is also where a view hides what. */
static bool sizes_right(const struct louis *s) {
  bool right = s->influence_deck.left == bag_total(s->influence_deck.cards) &&
               s->intrigue_deck.left == bag_total(s->intrigue_deck.cards) &&
               s->shields_left == bag_total(s->shield_deck);
  for (unsigned seat = 0; seat < s->players; seat++) {
    right &= s->influence_size[seat] == bag_total(s->influence[seat]) &&
             s->intrigue_size[seat] == bag_total(s->intrigue[seat]) &&
             s->shield_count[seat] ==
                 bag_total(s->shields[seat]) + s->kindless[seat];
    for (int t = 0; t < TIERS; t++) {
      const uint64_t tier = court_of(s)->tier[t];
      right &=
          s->tiers[seat][t] == __builtin_popcountll(s->missions[seat] & tier) &&
          s->traded_tiers[seat][t] ==
              __builtin_popcountll(s->traded[seat] & tier);
    }
  }
  for (int t = 0; t < TIERS; t++)
    right &= s->missions_left[t] ==
             __builtin_popcountll(s->mission_deck & court_of(s)->tier[t]);
  return right;
}

static bool powers_right(const struct louis *s) {
  uint8_t power[SEATS][POWERS] = {{0}}, fulfilled[SEATS] = {0};
  for (int i = 0; i < s->laid_count; i++) {
    const unsigned seat = s->laid[i] / MISSIONS_MAX;
    power[seat][court_of(s)->mission[s->laid[i] % MISSIONS_MAX].power]++;
    fulfilled[seat]++;
  }
  return memcmp(power, s->power, sizeof power) == 0 &&
         memcmp(fulfilled, s->fulfilled, sizeof fulfilled) == 0;
}

static const char *selfcheck(const sal_state *state) {
  const struct louis *s = as_const_state(state);
  if (s->station == AT_LOT)
    return NULL;
  if (!markers_conserved(s))
    return "a player's markers do not add up";
  if (!chips_conserved(s))
    return "the chips do not add up";
  if (!cards_conserved(s))
    return "the cards or shields do not add up";
  if (!missions_conserved(s))
    return "the missions do not add up";
  if (!sizes_right(s))
    return "a hand or deck is not as large as it says";
  if (!powers_right(s))
    return "the powers are not those of the missions laid open";
  if (s->round > rounds_of(s))
    return "there are too many rounds";
  if (s->plain && (s->board[0] | s->board[1] | s->board[2] | s->board[3]))
    return "there is a Favourite board without La Favorita";
  return NULL;
}

/* ---- The game ------------------------------------------------------------ */

/* clang-format off */
static const struct sal_rule rules[] = {
  {"louis.markers.conserve", N_("A player's markers are ready, in the general supply, on tiles or on the Favourite board: 16 in all, always.")},
  {"louis.cards.open", N_("Played and discarded cards lie open; only when a card must be drawn from an empty deck is its open pile shuffled into a new one.")},
  {"louis.court.adjacent", N_("Tiles that touch at a corner are neighbours.")},
  {"louis.court.diagonals", N_("The tiles lie on straight diagonals, such as 12-4-1-7.")},
  {"louis.court.opposite", N_("Tile 1 is opposite tile 3, and tile 2 opposite tile 4.")},
  {"louis.turn.phase", N_("Only the actions of the current step are allowed.")},
  {"louis.actions.text", N_("An action has one spelling: spaces, tiles and cards ascending with J last, chips in the order crown, sceptre, helmet, ring, letter.")},
  {"louis.setup.tiles", N_("All tiles start with the red side up.")},
  {"louis.setup.player", N_("Each player starts with 5 gold and, unseen by others, one light and one medium mission.")},
  {"louis.setup.markers", N_("Each player starts with 11 ready markers and 5 in the general supply; with four players the third has 10 and the fourth 9 ready.")},
  {"louis.setup.favourite", N_("At the start each player puts one marker from the general supply on one of the four spaces of their Favourite board.")},
  {"louis.setup.rounds", N_("There are four rounds of four phases; each round the player to the left becomes first, and with three players whoever is first twice draws an intrigue card.")},
  {"louis.supply.money", N_("A money card sends Louis to its tile and gives everyone its gold.")},
  {"louis.supply.favourite", N_("The Favourite stands across from Louis.")},
  {"louis.supply.powers", N_("The supply powers of completed missions work in turn order, in full and automatically.")},
  {"louis.supply.withdraw", N_("Before the deal a player may make markers on their Favourite board ready; those spaces give nothing this round.")},
  {"louis.supply.deal", N_("Everyone draws 5 influence cards, one player after the other, and one more for each power card.")},
  {"louis.supply.swap", N_("The power change lets a player discard one card from their hand and draw another.")},
  {"louis.privilege.1", N_("With a marker on space 1 a player may discard any of their influence cards and draw the same number.")},
  {"louis.supply.neutral", N_("With two players five influence cards are turned up, and each brings 2 neutral markers to its tile, a joker to Louis.")},
  {"louis.influence.foothold", N_("Before cards are played, missions place their free markers, from the general supply first; these do not move on.")},
  {"louis.influence.last-card", N_("Each turn one card is played; as soon as only one is left in hand, it is discarded.")},
  {"louis.influence.place", N_("A card puts 1 to 3 ready markers on its own tile; a joker 1 or 2 on any tile.")},
  {"louis.influence.move", N_("Some of the markers just placed may go on to a neighbouring tile, and from there to a neighbour of that one; at least one stays on each tile, and no tile is visited twice.")},
  {"louis.privilege.2", N_("With a marker on space 2 the markers of one card may go to any tile on a straight diagonal; at least one step must be longer than usual.")},
  {"louis.influence.recover", N_("Instead, a player may discard any card from their hand to make 3 of their markers in the general supply ready.")},
  {"louis.influence.no-pass", N_("A card must be played, or discarded to recover markers; passing is not possible.")},
  {"louis.eval.order", N_("The tiles are evaluated from 1 to 12; each is finished before the next.")},
  {"louis.intrigue.ask", N_("Before a tile is counted, everyone with an intrigue card and a marker to use is asked, unless that tile's intrigue card already lies open.")},
  {"louis.intrigue.effect", N_("Only the tile's own intrigue card works here: it adds 1 marker from the general supply, or 1 or 2 ready ones.")},
  {"louis.privilege.3", N_("With a marker on space 3 an intrigue card may add one more: 2 from the general supply or 3 ready ones.")},
  {"louis.eval.first", N_("Whoever has more markers on the tile than anyone else has the majority; neutral ones count like a player's.")},
  {"louis.eval.tie-power", N_("The power tie, once a round, gives the majority to a player who is tied for it, where it matters.")},
  {"louis.eval.most", N_("On a majority side only the player who has the majority gets the reward.")},
  {"louis.eval.pay", N_("On a pay side the player with the majority gets the reward free, and every other player present may buy it once, while stock lasts.")},
  {"louis.eval.min", N_("On a min side everyone with at least that many markers gets the reward.")},
  {"louis.eval.louis", N_("On Louis's tile the player with the majority gets a crown as well.")},
  {"louis.eval.rewards", N_("Rewards are taken from stock; as many free markers are placed as the reward says, or as the player has left.")},
  {"louis.eval.shortage", N_("When stock runs short, the player with the majority is served first, then the others in turn order; a player who gets nothing has not won the reward.")},
  {"louis.favourite.award", N_("On the Favourite's tile the player with the majority receives 2 markers, everyone else present 1; each becomes ready or goes to an empty space.")},
  {"louis.favourite.short", N_("If the general supply is short, ready markers may fill the spaces named; without markers nothing can be filled.")},
  {"louis.eval.home", N_("Counted markers go to the general supply if they won the reward by influence, else they are ready again.")},
  {"louis.eval.recoup", N_("The power recovery, once a round, makes up to 2 of the markers that go to the general supply ready instead.")},
  {"louis.eval.flip", N_("A tile turns over if somebody won its reward by influence.")},
  {"louis.mission.fulfil", N_("A player who completes a mission pays two of their chips, lays it open and draws another from a stack that has cards.")},
  {"louis.mission.exchange", N_("A player who has completed none this round may trade a mission: it leaves the game, and they draw another from a stack that is not empty. Not in the last round.")},
  {"louis.mission.done", N_("A player with nothing more to complete is done; then powers for the end of the round take effect.")},
  {"louis.mission.keep-one", N_("A player keeps at most one chip for the next round.")},
  {"louis.privilege.4", N_("With a marker on space 4 a player may keep two or three chips.")},
  {"louis.privilege.cost", N_("Using a privilege moves its marker to the general supply, before it works; a space holds one marker.")},
  {"louis.privilege.optional", N_("Nobody has to use a privilege, and each works only in its own phase.")},
  {"louis.mission.cost", N_("The two chips must be those that the mission asks for; a crown stands for any.")},
  {"louis.mission.powers", N_("A completed mission gives its power, and only that, from the moment it lies open.")},
  {"louis.end.shields", N_("At the end everyone draws a shield for each card, chip and marker on a tile that is left, and for every 3 gold.")},
  {"louis.end.favourite", N_("At the end every 2 markers on the Favourite board give a shield.")},
  {"louis.end.majority", N_("For each kind of shield whoever has the most of it gets one point, all of them if they are tied.")},
  {"louis.end.score", N_("Points are shields, majorities and 5 for each mission; a tie goes to more missions, then to more gold left over when counted in threes.")},
  {"louis.variant.rounds", N_("A table may play two rounds; the second is then the last.")},
  {NULL, NULL}};

static const char *const favorita_words[] = {"on", "off", NULL};
static const char *const favorita_says[] = {N_("with it"), N_("without it"), NULL};

static const struct sal_help help_list[] = {
  {"influence", N_("Choose a card, then the tiles for your markers: they start on the tile of the card and may move on to neighbours.")},
  {"pay", N_("You are present without the majority: you may buy the reward for gold.")},
  {"tie", N_("There is a tie here. Your power decides it in your favour.")},
  {"intrigue", N_("Here you may play the intrigue card of this tile: it adds markers of yours before the tile is counted.")},
  {"mission", N_("Complete a mission with two chips: 5 points and a power for the rest of the game. Or go on without.")},
  {"draw", N_("Draw a new mission: dark ones cost two chips of a kind and have stronger powers.")},
  {"favourite", N_("Put markers on your Favourite board, where each space gives a privilege, or make them ready.")},
  {"setup", N_("Move a marker to a space of your Favourite board: each space gives a privilege.")},
  {NULL, NULL}};

static const struct sal_amount amounts[] = {{"recover", RECOVERS}, {NULL, 0}};

static const char *const round_words[] = {"all", "2", NULL};
static const char *const round_says[] = {N_("four rounds"), N_("two rounds (variant)"), NULL};

static const struct sal_option option_list[] = {
  {"favorita", SAL_OPTION_WORD, favorita_words, N_("With the expansion La Favorita or without."), N_("Expansion La Favorita"), favorita_says, false},
  {"court", SAL_OPTION_FILE, NULL, N_("Another court: a file with the values of tiles, cards and missions."), N_("Court file"), NULL, false},
  {"first", SAL_OPTION_SEAT, NULL, N_("Who starts the first round."), N_("First player"), NULL, false},
  {"rounds", SAL_OPTION_WORD, round_words, N_("How many rounds the game has."), N_("Rounds"), round_says, false},
  {"memory", SAL_OPTION_WORD, memory_words, N_("Whether the table lists what attentive players could remember or count."), N_("Memory aids"), memory_says, false},
  {NULL, SAL_OPTION_SEAT, NULL, NULL}};
/* clang-format on */

/* The most steps of a game with any court. Each mission serves at most one
 * power a round; a hand is at most HAND_MAX. */
enum {
  SUPPLY_STEPS = 2 + MISSIONS_MAX + SEATS + SEATS * HAND_MAX +
                 2 * MISSIONS_MAX + SEATS + SEATS * (1 + HAND_MAX) +
                 NEUTRAL_CARDS_MAX,
  INFLUENCE_STEPS = MISSIONS_MAX + SEATS * HAND_MAX,
  TILE_STEPS = SEATS * (6 + AMOUNT_MAX),
  MISSION_STEPS = 3 * MISSIONS_MAX + SEATS * 4 + MISSIONS_MAX,
  ROUND_STEPS =
      SUPPLY_STEPS + INFLUENCE_STEPS + TILES * TILE_STEPS + MISSION_STEPS,
  END_STEPS = SHIELD_KINDS_MAX * SHIELDS_EACH_MAX,
  LONGEST = 1 + SEATS * (DEALT_MAX + 1) + ROUNDS_MAX * ROUND_STEPS + END_STEPS
};

/* The most gold, and so the most shields, that a seat can come by. */
enum {
  MOST_GOLD =
      GOLD_MAX + ROUNDS_MAX * (GOLD_MAX * (1 + TILES) + 3 * MISSIONS_MAX),
  MOST_SHIELDS = MOST_GOLD + SHIELD_KINDS_MAX * SHIELDS_EACH_MAX +
                 ROUNDS_MAX * MISSIONS_MAX + HAND_MAX + TILES * CARDS_EACH_MAX +
                 CHIP_KINDS * CHIPS_MAX + MARKERS_MAX + SPACES,
  MOST_POINTS = SHIELD_POINTS_MAX * MOST_SHIELDS + SHIELD_KINDS_MAX +
                MISSION_POINTS_MAX * MISSIONS_MAX
};
_Static_assert(SAL_LOUIS_SEATS == SAL_LOUIS_TRADED + MISSIONS_MAX &&
                   SAL_LOUIS_TENSOR == SAL_LOUIS_SEATS + SEATS * SAL_LOUIS_SEAT,
               "the parts of the tensor stand where they say");
_Static_assert(MOST_POINTS <= INT16_MAX, "an event holds any score");

const struct sal_game sal_louis = {
    .info = {.id = "louis",
             .title = N_("Louis XIV"),
             .tagline = N_("Win the favour of the court, round by round, with "
                           "markers, gold and intrigue."),
             .goal = N_("Have the most points after four rounds: a mission is "
                        "worth 5, a shield 1."),
             .role = N_("You send markers to the people of the court, and turn "
                        "what they give you into missions."),
             .players_min = 2,
             .players_max = SEATS,
             .players_usual = 3,
             .minutes = 60,
             .state_size = sizeof(struct louis),
             .view_size = sizeof(struct view),
             .legal_max = LOUIS_LEGAL_MAX,
             .action_count = LOUIS_ACTIONS,
             .tensor_size = SAL_LOUIS_TENSOR,
             .longest = LONGEST,
             .score_min = 0,
             .score_max = MOST_POINTS,
             .options = option_list,
             .rules = rules,
             .help = help_list,
             .amounts = amounts},
    .init = init,
    .to_act = louis_to_act,
    .legal = louis_legal,
    .check = louis_check,
    .apply = louis_apply,
    .chance = louis_chance,
    .sample = louis_sample,
    .playout = louis_playout,
    .closed = closed,
    .scores = scores,
    .winners = louis_winners,
    .options = options,
    .view = louis_view,
    .resample = louis_resample,
    .tensor = louis_tensor,
    .facts = louis_facts,
    .event_facts = louis_event_facts,
    .prompt = louis_prompt,
    .position = louis_position,
    .event_say = louis_event_say,
    .event_rule = louis_event_rule,
    .action_say = louis_action_say,
    .action_text = louis_action_text,
    .action_parse = louis_action_parse,
    .action_index = louis_action_index,
    .action_at = louis_action_at,
    .piles = piles,
    .stock = stock,
    .selfcheck = selfcheck,
    .option_read = option_read,
    .option_write = option_write,
};
