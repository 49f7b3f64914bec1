/* Records: the whole table as lines of text, written and read.
 *
 *   salotto record 2
 *   game doors                     setup: game, players, options
 *   players 2
 *   option first 0
 *   seed 00…07                     or only the commitment, and
 *   commit 5f…                     the keys of shuffles that are over
 *   part 0 a1…                     the seats' own randomness, if any
 *   pledge 0 7e…                   the hash of it, told before the parts were
 *   deal 1 identities 0 RT BL      what was fixed instead of shuffled
 *   key 1 9c…
 *   = RT 1 identities 0 0          an outcome of chance, and its address
 *   pile 2 influence 1 1 J         what a pile was made of during the game
 *   0 take RL                      an action: seat, notation
 *   resign 1                       a seat gave up, at a table of two
 *   over 0                         the winners, when the game is over
 *
 * Reading plays it: every line is checked, and what does not fit is refused
 * with its line number. */
#include "inside.h"

#include <stdlib.h>
#include <string.h>

static const char heading[] = "salotto record 2";
/* Without addresses and piles; it is read like the other. */
static const char first_heading[] = "salotto record 1";

/* ---- Writing ------------------------------------------------------------ */

static void add_line(struct sal_buffer *l, const char *word, int64_t number,
                     const char *rest) {
  char buffer[SAL_ACTION_TEXT_MAX + 32];
  struct sal_text t;
  sal_text_init(&t, buffer, sizeof buffer);
  sal_text_add(&t, word);
  if (number >= 0) {
    if (*word)
      sal_text_char(&t, ' ');
    sal_text_int(&t, number);
  }
  sal_buffer_text(l, buffer);
  if (rest) {
    sal_buffer_text(l, " ");
    sal_buffer_text(l, rest);
  }
  sal_buffer_text(l, "\n");
}

static void add_key(struct sal_buffer *l, const char *word, int64_t number,
                    const struct sal_key *key) {
  char hex[2 * SAL_KEY_SIZE + 1];
  struct sal_text t;
  sal_text_init(&t, hex, sizeof hex);
  sal_text_hex(&t, key->bytes, SAL_KEY_SIZE);
  add_line(l, word, number, hex);
}

static void add_options(struct sal_buffer *l, const struct sal_plan *plan) {
  const struct sal_option *options = plan->game->info.options;
  for (int i = 0; options[i].name; i++) {
    char text[SAL_OPTION_TEXT_MAX];
    struct sal_text t;
    sal_text_init(&t, text, sizeof text);
    sal_text_add(&t, options[i].name);
    sal_text_char(&t, ' ');
    if (sal_option_text(plan->game, i, plan->setup.option[i], &t))
      add_line(l, "option", -1, text);
  }
}

/* How many shuffles have been drawn from. */
static int begun(const sal_table *t) {
  const struct sal_game *g = t->plan.game;
  union sal_state_box box;
  sal_state *s = (sal_state *)box.bytes;
  int count = 0;
  g->init(s, &t->plan.setup);
  for (size_t i = 0; i < t->step_count; i++) {
    if (t->steps[i].seat == SAL_CHANCE) {
      struct sal_chance c;
      g->chance(s, &c);
      count = c.entry + 1 > count ? c.entry + 1 : count;
    }
    g->apply(s, t->steps[i].seat, t->steps[i].action, NULL);
  }
  return count;
}

/* The keys of shuffles that are over; the last link serves many and waits for
 * the end of the game. */
static void add_open_keys(struct sal_buffer *l, const sal_table *t) {
  const bool over = sal_table_to_act(t) == 0;
  const int closed = over ? begun(t) : t->plan.game->closed(state_in(t));
  for (int entry = 0; entry < closed; entry++) {
    const int link = chain_link(entry);
    if (link == SAL_CHAIN && !over)
      return;
    struct sal_key key;
    sal_key_cache_get(&t->key_cache, link, &key);
    add_key(l, "key", entry + 1, &key);
    if (link == SAL_CHAIN)
      return;
  }
}

/* How many steps belong to shuffles that are over: up to the action that ended
 * the last of them. */
static size_t open_steps(const sal_table *t) {
  const struct sal_game *g = t->plan.game;
  const int closed = g->closed(state_in(t));
  union sal_state_box box;
  sal_state *s = (sal_state *)box.bytes;
  if (sal_table_to_act(t) == 0)
    return t->step_count;
  if (closed == 0)
    return 0;
  g->init(s, &t->plan.setup);
  size_t i = 0;
  while (i < t->step_count && g->closed(s) < closed) {
    g->apply(s, t->steps[i].seat, t->steps[i].action, NULL);
    i++;
  }
  return i;
}

static void add_draw(struct sal_buffer *l, const struct sal_plan *p,
                     const sal_state *s, const char *outcome) {
  char buffer[PILE_TEXT_MAX];
  struct sal_text text;
  struct sal_chance c;
  p->game->chance(s, &c);
  sal_text_init(&text, buffer, sizeof buffer);
  if (draw_pile(p, &c, &text))
    add_line(l, "pile", -1, buffer);
  sal_text_clear(&text);
  sal_text_add(&text, outcome);
  sal_text_char(&text, ' ');
  draw_address(p, &c, &text);
  add_line(l, "=", -1, buffer);
}

/* Plays the first steps again, to know where each draw stands. */
static void add_steps(struct sal_buffer *l, const sal_table *t, size_t count) {
  const struct sal_plan *p = &t->plan;
  union sal_state_box box;
  sal_state *s = (sal_state *)box.bytes;
  p->game->init(s, &p->setup);
  for (size_t i = 0; i < count; i++) {
    const struct step *step = &t->steps[i];
    char text[SAL_ACTION_TEXT_MAX];
    struct sal_text out;
    sal_text_init(&out, text, sizeof text);
    p->game->action_text(step->action, &out);
    if (step->seat == SAL_CHANCE)
      add_draw(l, p, s, text);
    else
      add_line(l, "", step->seat, text);
    p->game->apply(s, step->seat, step->action, NULL);
  }
}

char *sal_table_record(const sal_table *t, bool secret) {
  const struct sal_plan *p = &t->plan;
  struct sal_buffer l = {0};
  sal_buffer_text(&l, heading);
  sal_buffer_text(&l, "\n");
  add_line(&l, "game", -1, p->game->info.id);
  add_line(&l, "players", p->setup.players, NULL);
  add_options(&l, p);
  if (t->has_seed && secret)
    add_key(&l, "seed", -1, &p->seed);
  struct sal_key commitment;
  if (sal_table_commitment(t, &commitment))
    add_key(&l, "commit", -1, &commitment);
  for (int i = 0; i < p->parts; i++)
    add_key(&l, "part", i, &p->part[i]);
  for (int i = 0; i < p->parts; i++)
    if (p->pledged >> i & 1)
      add_key(&l, "pledge", i, &p->pledge[i]);
  if (p->deals)
    deals_record(p->deals, &l);
  if (!t->has_seed)
    for (size_t i = 0; i < t->opened_count; i++)
      add_key(&l, "key", t->opened[i].entry + 1, &t->opened[i].key);
  else if (!secret)
    add_open_keys(&l, t);
  add_steps(&l, t, secret ? t->step_count : open_steps(t));
  if (t->resigned >= 0)
    add_line(&l, "resign", t->resigned, NULL);
  if (sal_table_to_act(t) == 0) {
    const unsigned winners = sal_table_winners(t);
    sal_buffer_text(&l, "over");
    for (int s = 0; s < SAL_SEATS_MAX; s++)
      if (winners >> s & 1) {
        const char seat[] = {' ', (char)('0' + s), '\0'};
        sal_buffer_text(&l, seat);
      }
    sal_buffer_text(&l, "\n");
  }
  return sal_buffer_take(&l);
}

/* ---- Reading ------------------------------------------------------------ */

struct reading {
  char *text; /* a copy, cut into lines */
  char **line;
  size_t line_count, line_cap;
  size_t at;         /* the line being read, from 0 */
  size_t wrong_line; /* the one that was refused, from 1 */
  struct telling telling;
  struct opened *opened;
  size_t opened_count, opened_cap;
  struct sal_key commitment;
  bool has_commitment, has_seed;
  size_t commit_line, part_line[SAL_SEATS_MAX];
  size_t *deal_line; /* of each list of the deals */
  size_t deal_count, deal_cap;
  int32_t last_deal;
  struct sal_plan plan;
  const struct sal_words *words; /* of what is refused */
  struct sal_refusal *why;
};

/* Refuses line `line`, counted from 0. The problem is a message, or a sentence
 * that was already said in these words. */
static int wrong_at(struct reading *r, size_t line, const char *problem) {
  char buffer[SAL_MESSAGE_MAX];
  struct sal_text t;
  const struct sal_place places[] = {
      {"line", SAL_PLACE_NUMBER, NULL, (int64_t)line + 1},
      {"problem", SAL_PLACE_WORD, problem, 0}};
  sal_text_init(&t, buffer, sizeof buffer);
  r->wrong_line = line + 1;
  sal_say(&t, r->words, false, N_("Line {line}: {problem}"), places, 2);
  if (t.len && t.at[t.len - 1] != '.')
    sal_text_char(&t, '.');
  return sal_refuse(r->why, SAL_BAD_RECORD, NULL, buffer);
}

/* Refuses the line that is being read. */
static int wrong(struct reading *r, const char *problem) {
  return wrong_at(r, r->at, problem);
}

static int no_memory(const struct reading *r) {
  return sal_refuse(r->why, SAL_NO_MEMORY, NULL, NULL);
}

static int cut_lines(struct reading *r, const char *record, size_t length) {
  if (memchr(record, '\0', length))
    return sal_refuse(r->why, SAL_BAD_RECORD, NULL,
                      r->words->text(r->words, N_("The record holds a byte "
                                                  "that is not text.")));
  r->text = malloc(length + 1);
  if (!r->text)
    return no_memory(r);
  memcpy(r->text, record, length);
  r->text[length] = '\0';
  for (char *s = r->text; *s;) {
    char *end = s + strcspn(s, "\n");
    const bool last = *end == '\0';
    *end = '\0';
    if (end > s && end[-1] == '\r')
      end[-1] = '\0';
    void *line = r->line;
    if (!sal_array_grow(&line, r->line_count, &r->line_cap, sizeof *r->line))
      return no_memory(r);
    r->line = line;
    r->line[r->line_count++] = s;
    s = last ? end : end + 1;
  }
  return 0;
}

/* The next line that says something, or NULL at the end. */
static char *here(struct reading *r) {
  while (r->at < r->line_count &&
         (r->line[r->at][0] == '\0' || r->line[r->at][0] == '#'))
    r->at++;
  return r->at < r->line_count ? r->line[r->at] : NULL;
}

static int read_game(struct reading *r) {
  const char *line = here(r), *rest;
  if (!line || (strcmp(line, heading) != 0 && strcmp(line, first_heading) != 0))
    return wrong(r, N_("a record begins with \"salotto record 2\""));
  r->at++;
  line = here(r);
  if (!line || !(rest = sal_skip(line, "game ")))
    return wrong(r, N_("the game must be named here: \"game doors\""));
  if (!(r->plan.game = sal_game_find(rest)))
    return wrong(r, N_("there is no such game"));
  r->at++;
  line = here(r);
  int32_t players;
  if (!line || !(rest = sal_skip(line, "players ")) ||
      !(rest = sal_number_read(rest, &players)) || *rest)
    return wrong(r, N_("the number of players must stand here: \"players 2\""));
  if (players < r->plan.game->info.players_min ||
      players > r->plan.game->info.players_max)
    return wrong(r, N_("the game is not for that many players"));
  sal_setup_default(r->plan.game, players, &r->plan.setup);
  r->at++;
  return 0;
}

static int read_option_line(struct reading *r, char *rest) {
  const struct sal_game *g = r->plan.game;
  char *blank = strchr(rest, ' ');
  if (!blank)
    return wrong(r, N_("an option has a name and a value"));
  *blank = '\0';
  const int o = sal_option_find(g, rest);
  if (o < 0)
    return wrong(r, N_("the game has no such option"));
  int32_t *value = &r->plan.setup.option[o];
  if (g->info.options[o].kind == SAL_OPTION_FILE) {
    char buffer[SAL_MESSAGE_MAX];
    struct sal_text problem;
    sal_text_init(&problem, buffer, sizeof buffer);
    if (!g->option_read(o, blank + 1, strlen(blank + 1), value, &problem))
      return wrong(r, buffer);
    return 0;
  }
  if (!sal_option_parse(g, o, r->plan.setup.players, blank + 1, value))
    return wrong(r, N_("the option has no such value"));
  return 0;
}

static int read_part(struct reading *r, const char *rest) {
  int32_t seat;
  if (!(rest = sal_number_read(rest, &seat)) || *rest != ' ' ||
      seat != r->plan.parts || seat >= r->plan.setup.players ||
      !sal_hex_read(rest + 1, r->plan.part[seat].bytes, SAL_KEY_SIZE))
    return wrong(r, N_("a part is a seat, in order, and 64 hex digits"));
  r->part_line[seat] = r->at;
  r->plan.parts++;
  return 0;
}

static int read_pledge(struct reading *r, const char *rest) {
  int32_t seat;
  if (!(rest = sal_number_read(rest, &seat)) || *rest != ' ' ||
      seat >= r->plan.setup.players || (r->plan.pledged >> seat & 1) ||
      !sal_hex_read(rest + 1, r->plan.pledge[seat].bytes, SAL_KEY_SIZE))
    return wrong(r, N_("a pledge is a seat, once, and 64 hex digits"));
  r->plan.pledged |= 1u << seat;
  return 0;
}

static int read_key(struct reading *r, const char *rest) {
  int32_t entry;
  struct opened o;
  if (!(rest = sal_number_read(rest, &entry)) || *rest != ' ' || entry < 1 ||
      !sal_hex_read(rest + 1, o.key.bytes, SAL_KEY_SIZE))
    return wrong(r, N_("a key is the number of a shuffle and 64 hex digits"));
  o.entry = entry - 1;
  if (!r->has_commitment ||
      !sal_chain_check(&r->commitment, chain_link(o.entry), &o.key))
    return wrong(r, N_("this key is not the one that was committed to"));
  void *opened = r->opened;
  if (!sal_array_grow(&opened, r->opened_count, &r->opened_cap, sizeof o))
    return no_memory(r);
  r->opened = opened;
  r->opened[r->opened_count++] = o;
  return 0;
}

/* deal ENTRY PILE LIST CARD… */
static int read_deal(struct reading *r, char *rest) {
  int32_t entry, list;
  const char *after = sal_number_read(rest, &entry);
  char *pile = after ? rest + (after - rest) + 1 : NULL;
  char *blank = after && *after == ' ' ? strchr(pile, ' ') : NULL;
  if (!blank || entry < 1)
    return wrong(r, N_("a deal is a number, a pile, a list and its cards"));
  *blank = '\0';
  after = sal_number_read(blank + 1, &list);
  if (!after || (*after && *after != ' '))
    return wrong(r, N_("a deal is a number, a pile, a list and its cards"));
  if (!r->plan.deals &&
      !(r->plan.deals = sal_deals_new(r->plan.game, &r->plan.setup)))
    return no_memory(r);
  deals_use_words(r->plan.deals, r->words);
  if (entry < r->last_deal)
    return wrong(r, N_("deals come in the order of their numbers"));
  void *lines = r->deal_line;
  if (!sal_array_grow(&lines, r->deal_count, &r->deal_cap,
                      sizeof *r->deal_line))
    return no_memory(r);
  r->deal_line = lines;
  r->deal_line[r->deal_count++] = r->at;
  r->last_deal = entry;
  struct sal_refusal why;
  if (sal_deals_open(r->plan.deals, entry - 1, pile, list, &why) != 0)
    return wrong(r, why.message);
  for (char *card = blank + 1 + (after - (blank + 1)); *card == ' ';) {
    char *end = card + 1 + strcspn(card + 1, " ");
    const char next = *end;
    *end = '\0';
    if (sal_deals_card(r->plan.deals, card + 1, &why) != 0)
      return wrong(r, why.message);
    *end = next;
    card = end;
  }
  return 0;
}

/* Everything before the first step. */
static int read_first_lines(struct reading *r) {
  int error = read_game(r);
  for (char *line; !error && (line = here(r)); r->at++) {
    char *rest;
    if ((rest = (char *)sal_skip(line, "option ")))
      error = read_option_line(r, rest);
    else if ((rest = (char *)sal_skip(line, "seed "))) {
      r->has_seed = true;
      if (!sal_hex_read(rest, r->plan.seed.bytes, SAL_KEY_SIZE))
        error = wrong(r, N_("a seed is 64 hex digits"));
    } else if ((rest = (char *)sal_skip(line, "commit "))) {
      r->has_commitment = true;
      r->commit_line = r->at;
      if (!sal_hex_read(rest, r->commitment.bytes, SAL_KEY_SIZE))
        error = wrong(r, N_("a commitment is 64 hex digits"));
    } else if ((rest = (char *)sal_skip(line, "part ")))
      error = read_part(r, rest);
    else if ((rest = (char *)sal_skip(line, "pledge ")))
      error = read_pledge(r, rest);
    else if ((rest = (char *)sal_skip(line, "key ")))
      error = read_key(r, rest);
    else if ((rest = (char *)sal_skip(line, "deal ")))
      error = read_deal(r, rest);
    else
      break;
    if (error)
      return error;
  }
  return error;
}

/* A part is the one that was pledged, or zeros. */
static bool keeps_pledge(const struct sal_plan *p, int seat, bool *withheld) {
  static const struct sal_key zeros;
  struct sal_key hash;
  sal_part_pledge(&p->part[seat], &hash);
  const bool kept = sal_key_equal(&hash, &p->pledge[seat]);
  *withheld = !kept && sal_key_equal(&p->part[seat], &zeros);
  return kept || *withheld;
}

static int check_pledges(struct reading *r) {
  bool withheld;
  if (r->plan.pledged && !r->plan.parts)
    return wrong(r, N_("there are pledges without parts"));
  for (int i = 0; i < r->plan.parts; i++)
    if ((r->plan.pledged >> i & 1) && !keeps_pledge(&r->plan, i, &withheld))
      return wrong_at(r, r->part_line[i],
                      N_("this part is not the one that its seat had pledged"));
  return 0;
}

static int check_head(struct reading *r) {
  struct sal_refusal why;
  size_t list;
  const int error = check_pledges(r);
  if (error)
    return error;
  if (r->plan.parts && r->plan.parts != r->plan.setup.players)
    return wrong_at(r, r->part_line[r->plan.parts - 1],
                    N_("the random parts of the other seats are missing"));
  if (r->plan.deals && deals_check(r->plan.deals, &list, &why) != 0)
    return wrong_at(r, r->deal_line[list], why.message);
  if (r->has_seed && r->has_commitment) {
    struct sal_key k;
    sal_chain_key(&r->plan.seed, 0, &k);
    if (!sal_key_equal(&k, &r->commitment))
      return wrong_at(r, r->commit_line,
                      N_("the seed is not the one that was committed to"));
  }
  return 0;
}

/* Collects the draws that the rest of the record tells. */
static int collect_told(struct reading *r) {
  struct telling *g = &r->telling;
  const size_t from = r->at;
  struct told told = {0};
  for (char *line; (line = here(r)); r->at++) {
    char *rest = (char *)sal_skip(line, "pile ");
    if (rest) {
      told.pile = rest;
      told.pile_line = r->at;
      continue;
    }
    rest = (char *)sal_skip(line, "= ");
    if (!rest && told.pile)
      break;
    if (!rest)
      continue;
    told.outcome = rest;
    told.line = r->at;
    if ((told.address = strchr(rest, ' ')))
      *told.address++ = '\0';
    void *draws = g->draw;
    if (!sal_array_grow(&draws, g->count, &g->cap, sizeof told))
      return no_memory(r);
    g->draw = draws;
    g->draw[g->count++] = told;
    told = (struct told){0};
  }
  if (told.pile)
    return wrong_at(r, told.pile_line, N_("after a pile comes its first draw"));
  r->at = from;
  if (g->count == 0 && !r->has_seed && !r->has_commitment)
    return wrong(r, N_("the record has no seed, no commitment and no draw"));
  return 0;
}

static int read_over(struct reading *r, const sal_table *t, const char *rest) {
  unsigned mask = 0;
  for (; rest[0] == ' ' && rest[1] >= '0' && rest[1] < '0' + SAL_SEATS_MAX;
       rest += 2)
    mask |= 1u << (rest[1] - '0');
  if (*rest)
    return wrong(r, N_("after \"over\" come the winners' seats"));
  if (sal_table_to_act(t) != 0)
    return wrong(r, N_("the game is not over"));
  if (sal_table_winners(t) != mask)
    return wrong(r, N_("these are not the winners"));
  return 0;
}

/* Draws stand before the next step of a seat. */
static void look_ahead(struct reading *r, size_t from) {
  while (from < r->line_count &&
         (r->line[from][0] == '\0' || r->line[from][0] == '#' ||
          sal_skip(r->line[from], "= ") || sal_skip(r->line[from], "pile ")))
    from++;
  r->telling.until = from;
}

/* The draws that the record tells must stand where they happen: at each step
 * all those before it, and no others, have come. */
static int check_place(struct reading *r, const sal_table *t, size_t passed) {
  const struct telling *g = &r->telling;
  const bool end = r->at == r->line_count;
  if (passed > g->at)
    return wrong_at(r, g->draw[g->at].line, N_("nothing is drawn here"));
  if (g->count == 0 || !(g->left_out || (t->waiting && !end)))
    return 0;
  return end ? wrong_at(r, r->at - 1, N_("after this line a draw is missing"))
             : wrong(r, N_("before this line a draw is missing"));
}

/* An action that the table has refused, in the words of whoever reads. */
static int refused(struct reading *r, const sal_table *t, const char *action,
                   const struct sal_refusal *why) {
  char buffer[SAL_MESSAGE_MAX];
  struct sal_text m;
  sal_text_init(&m, buffer, sizeof buffer);
  if (why->code == SAL_BAD_ACTION)
    table_say_unknown(t, action, r->words, &m);
  else if (why->code == SAL_NOT_YOUR_TURN)
    table_say_turn(t, r->words, &m);
  else
    sal_text_add(&m, why->message);
  return wrong(r, buffer);
}

/* One line that is neither a draw nor a pile. */
static int read_step(struct reading *r, sal_table *t, const char *line) {
  struct sal_refusal why;
  const char *rest;
  int32_t seat;
  if ((rest = sal_skip(line, "resign "))) {
    if (!(rest = sal_number_read(rest, &seat)) || *rest ||
        seat >= r->plan.setup.players)
      return wrong(r, N_("after \"resign\" comes a seat"));
    return sal_table_resign(t, seat, &why) == 0 ? 0 : wrong(r, why.message);
  }
  if (!(rest = sal_number_read(line, &seat)) || *rest != ' ' ||
      seat >= r->plan.setup.players)
    return wrong(r, N_("this is not a line of a record"));
  look_ahead(r, r->at + 1);
  const int error = sal_table_act(t, seat, rest + 1, &why);
  if (error == SAL_NO_MEMORY)
    return no_memory(r);
  if (error && *r->telling.fault)
    return wrong_at(r, r->telling.line, why.message);
  return error ? refused(r, t, rest + 1, &why) : 0;
}

static int read_steps(struct reading *r, sal_table *t) {
  size_t passed = 0;
  bool over = false;
  for (char *line; (line = here(r)); r->at++) {
    const char *rest;
    if (over)
      return wrong(r, N_("after \"over\" nothing can follow"));
    if (sal_skip(line, "pile "))
      continue;
    if (sal_skip(line, "= ")) {
      passed++;
      continue;
    }
    int error = check_place(r, t, passed);
    if (!error && (rest = sal_skip(line, "over"))) {
      error = read_over(r, t, rest);
      over = true;
    } else if (!error) {
      error = read_step(r, t, line);
    }
    if (error)
      return error;
  }
  return check_place(r, t, passed);
}

static void count_origins(const sal_table *t, struct sal_audit *audit) {
  for (int i = 0; i < t->plan.setup.players; i++) {
    bool withheld = false;
    if ((t->plan.pledged >> i & 1) && keeps_pledge(&t->plan, i, &withheld))
      *(withheld ? &audit->withheld : &audit->pledged) |= 1u << i;
  }
  audit->actions = t->actions;
  audit->keys = t->opened_count;
  audit->parts = t->plan.parts;
  for (size_t i = 0; i < t->step_count; i++) {
    if (t->steps[i].seat != SAL_CHANCE)
      continue;
    switch ((enum origin)t->steps[i].origin) {
    case DEALT: audit->draws_given++; break;
    case DRAWN: audit->draws_checked++; break;
    case TOLD: audit->draws_unchecked++; break;
    }
  }
}

/* The table that the lines describe, or NULL with the refusal filled in. */
static sal_table *build_table(struct reading *r) {
  if (read_first_lines(r) != 0 || check_head(r) != 0 || collect_told(r) != 0) {
    sal_deals_free(r->plan.deals);
    return NULL;
  }
  sal_table *t = table_prepare(&r->plan);
  if (!t) {
    no_memory(r);
    return NULL;
  }
  t->has_seed = r->has_seed;
  t->telling = &r->telling;
  t->has_commitment = r->has_commitment;
  t->commitment = r->commitment;
  t->opened = r->opened; /* the table's from now on */
  t->opened_count = r->opened_count;
  r->opened = NULL;
  look_ahead(r, r->at);
  int error = table_start(t);
  if (error == SAL_NO_MEMORY)
    no_memory(r);
  else if (error)
    wrong_at(r, r->telling.line, r->telling.fault);
  else
    error = read_steps(r, t);
  t->telling = NULL;
  if (error) {
    sal_table_free(t);
    return NULL;
  }
  if (r->plan.deals) /* the words may not outlive this call */
    deals_use_words(r->plan.deals, &sal_words_plain);
  return t;
}

sal_table *sal_table_load(const char *record, size_t length,
                          struct sal_audit *audit, struct sal_refusal *why) {
  return sal_table_load_in(record, length, &sal_words_plain, audit, why);
}

sal_table *sal_table_load_in(const char *record, size_t length,
                             const struct sal_words *words,
                             struct sal_audit *audit, struct sal_refusal *why) {
  struct reading r = {.words = words, .why = why, .telling.words = words};
  sal_table *t = cut_lines(&r, record, length) == 0 ? build_table(&r) : NULL;
  if (audit) {
    memset(audit, 0, sizeof *audit);
    audit->committed = r.has_commitment;
    audit->seeded = r.has_seed;
    audit->line = r.wrong_line;
    memcpy(audit->due, r.telling.due, sizeof audit->due);
    if (t)
      count_origins(t, audit);
  }
  free(r.text);
  free(r.line);
  free(r.telling.draw);
  free(r.deal_line);
  free(r.opened);
  return t;
}
