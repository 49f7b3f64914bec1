/* The battery: rules, refusals, chance, words. */
#include "battery.h"

#include <math.h>

/* ---- Random games ------------------------------------------------------- */

enum { GAMES = 60, ADDRESSES_MAX = 20000 };

struct addresses {
  struct sal_address seen[ADDRESSES_MAX];
  size_t count;
};

/* Each draw of a game has an address of its own; the table relies on it. */
static const char *new_address(struct addresses *a,
                               const struct sal_chance *c) {
  const struct sal_address here = {c->entry, c->pile, c->list, c->index};
  for (size_t i = a->count > 400 ? a->count - 400 : 0; i < a->count; i++)
    if (memcmp(&a->seen[i], &here, sizeof here) == 0)
      return wrong("two draws at entry %d pile %d list %d index %d", c->entry,
                   c->pile, c->list, c->index);
  if (a->count < ADDRESSES_MAX)
    a->seen[a->count++] = here;
  return NULL;
}

static const char *check_chance(const struct trial *t,
                                const struct sal_chance *c) {
  struct sal_pile piles[SAL_PILES_MAX];
  const int n = t->g->piles(&t->setup, c->entry, piles);
  if (c->count < 1 || c->count > SAL_OUTCOMES_MAX)
    return wrong("a draw has %zu outcomes", c->count);
  if (c->pile >= n)
    return wrong("a draw is from pile %d of %d", c->pile, n);
  for (size_t i = 0; i < c->count; i++) {
    char name[SAL_ACTION_TEXT_MAX];
    action_name(t, c->outcome[i].action, name);
    if (c->outcome[i].weight == 0 || c->outcome[i].action == 0)
      return wrong("the outcome %s has no weight or no action", name);
    if (c->pile >= 0 && t->g->stock(&t->setup, c->pile, name) == 0)
      return wrong("the outcome %s is in no pile", name);
    for (size_t k = 0; k < i; k++)
      if (c->outcome[k].action == c->outcome[i].action)
        return wrong("the outcome %s is listed twice", name);
  }
  return NULL;
}

/* Dense actions: each legal one has its own number, which leads back to it, and
 * no other number leads anywhere. */
static const char *check_dense(const struct trial *t, const sal_state *s,
                               int seat, const sal_action *legal, size_t n) {
  static uint8_t taken[8192];
  const size_t count = t->g->info.action_count;
  if (count > sizeof taken)
    return wrong("%zu dense actions are more than this test knows", count);
  memset(taken, 0, sizeof taken);
  for (size_t i = 0; i < n; i++) {
    char name[SAL_ACTION_TEXT_MAX];
    action_name(t, legal[i], name);
    const size_t index = t->g->action_index(s, seat, legal[i]);
    if (index >= count)
      return wrong("'%s' has the number %zu of %zu", name, index, count);
    if (taken[index]++)
      return wrong("'%s' shares its number %zu with another", name, index);
    if (t->g->action_at(s, seat, index) != legal[i])
      return wrong("'%s' is not what its number %zu leads to", name, index);
  }
  for (size_t index = 0; index < count; index++)
    if (!taken[index] && t->g->action_at(s, seat, index))
      return wrong("the number %zu leads to what is not legal", index);
  return t->g->action_at(s, seat, count) ? "a number too high is taken" : NULL;
}

static const char *check_seat(const struct trial *t, const sal_state *s,
                              int seat, sal_action *legal, bool asked) {
  const size_t n = t->g->legal(s, seat, legal);
  if (n > t->g->info.legal_max)
    return wrong("%zu legal actions, more than legal_max", n);
  if (!asked)
    return n == 0 ? NULL : "a seat that is not asked has legal actions";
  if (n == 0)
    return "a seat that is asked has no legal action";
  for (size_t i = 0; i < n; i++) {
    char name[SAL_ACTION_TEXT_MAX];
    action_name(t, legal[i], name);
    if (t->g->action_parse(name) != legal[i])
      return wrong("'%s' is not read back as the same action", name);
    const char *rule = t->g->check(s, seat, legal[i]);
    if (rule)
      return wrong("'%s' is listed as legal and refused by %s", name, rule);
    for (size_t k = 0; k < i && n < 400; k++)
      if (legal[k] == legal[i])
        return wrong("'%s' is listed twice", name);
  }
  return t->g->info.action_count ? check_dense(t, s, seat, legal, n) : NULL;
}

static const char *check_end(const struct trial *t, const sal_state *s) {
  int32_t scores[SAL_SEATS_MAX];
  const unsigned winners = t->g->winners(s);
  if (winners == 0 || winners >> t->setup.players)
    return "a game that is over has no winners among its seats";
  t->g->scores(s, scores);
  for (int i = 0; i < t->setup.players; i++)
    if (scores[i] < t->g->info.score_min || scores[i] > t->g->info.score_max)
      return wrong("seat %d scores %d, out of range", i, scores[i]);
  return NULL;
}

static const char *random_game(const struct trial *t, uint64_t seed,
                               sal_action *legal, struct addresses *seen) {
  union sal_state_box box;
  sal_state *s = (sal_state *)box.bytes;
  struct sal_rng rng;
  const char *problem = NULL;
  size_t steps = 0;
  unsigned asked;
  sal_rng_seed(&rng, seed);
  seen->count = 0;
  memset(&box, 0xa5, sizeof box);
  t->g->init(s, &t->setup);
  while ((asked = t->g->to_act(s)) != 0) {
    if (++steps > (t->g->info.longest ? t->g->info.longest : STEPS_MAX))
      return "the game does not end";
    if (t->g->winners(s))
      return "a game that goes on has winners";
    if (asked == SAL_CHANCE_BIT) {
      struct sal_chance c;
      static char text[TEXT_SIZE];
      t->g->chance(s, &c);
      if ((problem = check_chance(t, &c)) || (problem = new_address(seen, &c)))
        return problem;
      facts_of(t, s, SAL_SPECTATOR, text);
      if (!strstr(text, "\"phase\":\"deal\""))
        return wrong("while a draw is due the phase is \"deal\": %s", text);
      t->g->apply(s, SAL_CHANCE, sal_chance_draw(&c, &rng), NULL);
    } else {
      for (int i = 0; i < t->setup.players; i++)
        if ((problem = check_seat(t, s, i, legal, asked >> i & 1)))
          return problem;
      const int seat = any_seat(asked, &rng);
      const size_t n = t->g->legal(s, seat, legal);
      t->g->apply(s, seat, legal[sal_rng_below(&rng, (uint32_t)n)], NULL);
    }
    if ((problem = t->g->selfcheck(s)))
      return problem;
  }
  return check_end(t, s);
}

const char *part_random_games(const struct trial *t) {
  sal_action *legal = calloc(t->g->info.legal_max, sizeof *legal);
  struct addresses *seen = malloc(sizeof *seen);
  const char *problem = NULL;
  for (uint64_t i = 0; i < GAMES && !problem; i++)
    problem = random_game(t, i, legal, seen);
  free(legal);
  free(seen);
  return problem;
}

/* ---- Refusals ----------------------------------------------------------- */

/* Every action seen in any of many games is tried in the positions of others. */
struct pool {
  sal_action at[2000];
  size_t count;
};

static void pool_add(struct pool *p, sal_action a) {
  for (size_t i = 0; i < p->count; i++)
    if (p->at[i] == a)
      return;
  if (p->count < sizeof p->at / sizeof *p->at)
    p->at[p->count++] = a;
}

static const char *refuse_all_else(const struct trial *t, const sal_state *s,
                                   int seat, const sal_action *legal, size_t n,
                                   const struct pool *p) {
  for (size_t i = 0; i < p->count; i++) {
    bool listed = false;
    for (size_t k = 0; k < n; k++)
      listed |= legal[k] == p->at[i];
    const char *rule = t->g->check(s, seat, p->at[i]);
    char name[SAL_ACTION_TEXT_MAX];
    action_name(t, p->at[i], name);
    if (listed != (rule == NULL))
      return wrong("'%s' is %s but %s", name, listed ? "listed" : "not listed",
                   rule ? rule : "allowed");
    if (rule && !sal_rule_find(t->g, rule))
      return wrong("'%s' is refused by %s, which is no rule", name, rule);
  }
  return NULL;
}

const char *part_refusals(const struct trial *t) {
  sal_action *legal = calloc(t->g->info.legal_max, sizeof *legal);
  struct pool *p = calloc(1, sizeof *p);
  const char *problem = NULL;
  for (uint64_t game = 0; game < 40 && !problem; game++) {
    union sal_state_box box;
    sal_state *s = (sal_state *)box.bytes;
    struct sal_rng rng;
    sal_rng_seed(&rng, 1000 + game);
    t->g->init(s, &t->setup);
    int steps = 0;
    for (unsigned asked; !problem && (asked = t->g->to_act(s)) != 0;) {
      if (asked == SAL_CHANCE_BIT) {
        t->g->sample(s, &rng);
        continue;
      }
      const int seat = any_seat(asked, &rng);
      const size_t n = t->g->legal(s, seat, legal);
      pool_add(p, legal[sal_rng_below(&rng, (uint32_t)n)]);
      if (game >= 20 && steps++ < 60)
        problem = refuse_all_else(t, s, seat, legal, n, p);
      t->g->apply(s, seat, legal[sal_rng_below(&rng, (uint32_t)n)], NULL);
    }
  }
  static const char *const nonsense[] = {"",     " ",      "xyzzy", "claim ",
                                         " end", "bid -1", "take",  "take ??"};
  for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense && !problem; i++)
    if (t->g->action_parse(nonsense[i]))
      problem = wrong("'%s' is read as an action", nonsense[i]);
  free(legal);
  free(p);
  return problem;
}

/* ---- The law of chance -------------------------------------------------- */

enum { LEAVES_MAX = 1200, SAMPLES_A_LEAF = 100 };

struct leaf {
  uint64_t hash;
  double weight;
  uint32_t count;
};

struct law {
  struct leaf leaf[LEAVES_MAX];
  size_t count;
  bool too_many;
};

static uint64_t hash_text(const char *s, uint64_t h) {
  for (; *s; s++)
    h = (h ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
  return h;
}

static uint64_t hash_state(const struct trial *t, const sal_state *s) {
  static char text[TEXT_SIZE];
  facts_of(t, s, SAL_EVERYTHING, text);
  return hash_text(text, t->g->to_act(s));
}

static struct leaf *leaf_of(struct law *l, uint64_t hash) {
  for (size_t i = 0; i < l->count; i++)
    if (l->leaf[i].hash == hash)
      return &l->leaf[i];
  return NULL;
}

static void walk(const struct trial *t, const sal_state *s, double weight,
                 struct law *l, int depth) {
  if (t->g->to_act(s) != SAL_CHANCE_BIT) {
    const uint64_t h = hash_state(t, s);
    struct leaf *leaf = leaf_of(l, h);
    if (!leaf && l->count == LEAVES_MAX) {
      l->too_many = true;
      return;
    }
    if (!leaf) {
      leaf = &l->leaf[l->count++];
      *leaf = (struct leaf){h, 0, 0};
    }
    leaf->weight += weight;
    return;
  }
  struct sal_chance c;
  double sum = 0;
  t->g->chance(s, &c);
  for (size_t i = 0; i < c.count; i++)
    sum += c.outcome[i].weight;
  for (size_t i = 0; i < c.count && !l->too_many; i++) {
    union sal_state_box next;
    if (depth > 7) {
      l->too_many = true;
      return;
    }
    memcpy(&next, s, t->g->info.state_size);
    t->g->apply((sal_state *)next.bytes, SAL_CHANCE, c.outcome[i].action, NULL);
    walk(t, (sal_state *)next.bytes, weight * c.outcome[i].weight / sum, l,
         depth + 1);
  }
}

/* Chi-square against the exact weights; 6 standard deviations are allowed, and
 * the seeds are fixed, so this never fails by bad luck. */
static const char *compare_law(const struct trial *t, const sal_state *s,
                               struct law *l, struct sal_rng *rng) {
  memset(l, 0, sizeof *l);
  walk(t, s, 1, l, 0);
  if (l->too_many || l->count < 2)
    return NULL;
  const size_t samples = l->count * SAMPLES_A_LEAF;
  for (size_t i = 0; i < samples; i++) {
    union sal_state_box next;
    memcpy(&next, s, t->g->info.state_size);
    t->g->sample((sal_state *)next.bytes, rng);
    struct leaf *leaf = leaf_of(l, hash_state(t, (sal_state *)next.bytes));
    if (!leaf)
      return "sample gives a state that chance does not";
    leaf->count++;
  }
  double chi = 0;
  for (size_t i = 0; i < l->count; i++) {
    const double expected = l->leaf[i].weight * (double)samples;
    chi += (l->leaf[i].count - expected) * (l->leaf[i].count - expected) /
           expected;
  }
  const double free = (double)l->count - 1;
  if (chi > free + 6 * sqrt(2 * free) + 6)
    return wrong("sample does not have the law of chance: chi-square %.1f at "
                 "%.0f degrees of freedom",
                 chi, free);
  return NULL;
}

const char *part_sample_law(const struct trial *t) {
  sal_action *legal = calloc(t->g->info.legal_max, sizeof *legal);
  struct law *l = malloc(sizeof *l);
  const char *problem = NULL;
  int compared = 0;
  for (uint64_t game = 0; game < 3 && !problem; game++) {
    union sal_state_box box;
    sal_state *s = (sal_state *)box.bytes;
    struct sal_rng rng;
    sal_rng_seed(&rng, 77 + game);
    t->g->init(s, &t->setup);
    for (unsigned asked; !problem && (asked = t->g->to_act(s)) != 0;) {
      if (asked == SAL_CHANCE_BIT) {
        if (compared++ < 40)
          problem = compare_law(t, s, l, &rng);
        /* One draw at a time, to meet states in the middle of a deal too. */
        struct sal_chance c;
        t->g->chance(s, &c);
        t->g->apply(s, SAL_CHANCE, sal_chance_draw(&c, &rng), NULL);
        continue;
      }
      const int seat = any_seat(asked, &rng);
      const size_t n = t->g->legal(s, seat, legal);
      t->g->apply(s, seat, legal[sal_rng_below(&rng, (uint32_t)n)], NULL);
    }
  }
  free(legal);
  free(l);
  return problem;
}

/* ---- Playouts ------------------------------------------------------------- */

/* The game's own playout and the loop over legal, apply and sample, a few
 * decisions at a time: the same numbers drawn, the same bytes. */
static const char *compare_playouts(const struct trial *t, uint64_t seed,
                                    sal_action *legal) {
  struct sal_game plain = *t->g;
  plain.playout = NULL;
  union sal_state_box box, twin;
  sal_state *s = (sal_state *)box.bytes;
  struct sal_rng rng, pace;
  sal_rng_seed(&rng, 500 + seed);
  sal_rng_seed(&pace, seed);
  t->g->init(s, &t->setup);
  /* from the middle of a deal too */
  for (uint64_t i = 0; i < seed % 8 && t->g->to_act(s) == SAL_CHANCE_BIT; i++) {
    struct sal_chance c;
    t->g->chance(s, &c);
    t->g->apply(s, SAL_CHANCE, sal_chance_draw(&c, &rng), NULL);
  }
  while (t->g->to_act(s) != 0) {
    struct sal_rng theirs = rng;
    memcpy(twin.bytes, box.bytes, t->g->info.state_size);
    const uint64_t most = sal_rng_below(&pace, 6);
    const uint64_t n = sal_playout(t->g, s, &rng, most, legal);
    if (n != sal_playout(&plain, (sal_state *)twin.bytes, &theirs, most, legal))
      return wrong("playout plays %d decisions", (int)n);
    if (memcmp(box.bytes, twin.bytes, t->g->info.state_size) != 0 ||
        memcmp(&rng, &theirs, sizeof rng) != 0)
      return "playout is not what legal, apply and sample do";
    if (n < most && t->g->to_act(s) != 0)
      return "playout stops before the game is over";
    if (t->g->to_act(s) == SAL_CHANCE_BIT)
      return "playout leaves a draw due";
    if (t->g->selfcheck(s))
      return t->g->selfcheck(s);
  }
  return NULL;
}

const char *part_playouts(const struct trial *t) {
  sal_action *legal = calloc(t->g->info.legal_max, sizeof *legal);
  const char *problem = NULL;
  for (uint64_t seed = 0; seed < 60 && !problem; seed++)
    problem = compare_playouts(t, seed, legal);
  free(legal);
  return problem;
}

/* ---- Allocation --------------------------------------------------------- */

/* The linker sends the library's calls here (--wrap, see meson.build). */
static size_t allocations;
void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
void *__wrap_malloc(size_t n) {
  allocations++;
  return __real_malloc(n);
}
void *__wrap_calloc(size_t n, size_t size) {
  allocations++;
  return __real_calloc(n, size);
}
void *__wrap_realloc(void *p, size_t n) {
  allocations++;
  return __real_realloc(p, n);
}

const char *part_no_allocation(const struct trial *t) {
  sal_action *legal = calloc(t->g->info.legal_max, sizeof *legal);
  float *tensor = calloc(t->g->info.tensor_size, sizeof *tensor);
  union sal_state_box box, other;
  union sal_view_box seen;
  sal_state *s = (sal_state *)box.bytes;
  struct sal_rng rng;
  sal_rng_seed(&rng, 5);
  const size_t before = allocations;
  for (int game = 0; game < 20; game++) {
    t->g->init(s, &t->setup);
    for (unsigned asked; (asked = t->g->to_act(s)) != 0;) {
      if (asked == SAL_CHANCE_BIT) {
        t->g->sample(s, &rng);
        continue;
      }
      const int seat = any_seat(asked, &rng);
      const sal_view *v = look(t, s, seat, &seen);
      t->g->resample(v, &rng, (sal_state *)other.bytes);
      sal_playout(t->g, (sal_state *)other.bytes, &rng, 10, legal);
      t->g->tensor(v, tensor);
      const size_t n = t->g->legal(s, seat, legal);
      t->g->apply(s, seat, legal[sal_rng_below(&rng, (uint32_t)n)], NULL);
    }
  }
  const size_t made = allocations - before;
  free(legal);
  free(tensor);
  return made ? wrong("%zu allocations in 20 games", made) : NULL;
}

/* ---- Words -------------------------------------------------------------- */

static const char *check_sentence(const char *what, const char *s) {
  size_t column = 0;
  if (!*s)
    return wrong("%s is empty", what);
  for (const char *p = s; *p; p++) {
    if (*p == '\n')
      column = 0;
    else if (((unsigned char)*p & 0xC0) != 0x80 && ++column > 80)
      return wrong("%s is wider than 80 columns: %s", what, s);
    if (*p == '{' || *p == '[' || *p == '|')
      return wrong("%s has a place left open: %s", what, s);
  }
  return NULL;
}

struct saying {
  struct sal_log log;
  const struct trial *t;
  const char *problem;
};

static void say_event(struct sal_log *log, const struct sal_event *e) {
  struct saying *say = (struct saying *)log;
  for (int viewer = SAL_EVERYTHING; viewer < say->t->setup.players; viewer++) {
    char buffer[4096];
    struct sal_text text;
    struct sal_event cut;
    sal_text_init(&text, buffer, sizeof buffer);
    sal_event_cut(e, viewer, &cut);
    say->t->g->event_say(&cut, viewer, &sal_words_plain, &text);
    const char *rule = say->t->g->event_rule(&cut);
    if (!buffer[0])
      say->problem = wrong("event %d has no sentence", e->kind);
    else if (!rule || !sal_rule_find(say->t->g, rule))
      say->problem = wrong("event %d follows no rule", e->kind);
    else if (strchr(buffer, '{') || strchr(buffer, '|'))
      say->problem =
          wrong("event %d has a place left open: %s", e->kind, buffer);
  }
}

static const char *check_words(const struct trial *t, const sal_state *s,
                               const sal_action *legal, size_t n) {
  const char *problem = NULL;
  for (int viewer = SAL_EVERYTHING; viewer < t->setup.players && !problem;
       viewer++) {
    static char buffer[TEXT_SIZE];
    union sal_view_box box;
    struct sal_text text;
    const sal_view *v = look(t, s, viewer, &box);
    sal_text_init(&text, buffer, sizeof buffer);
    t->g->prompt(v, &sal_words_plain, &text);
    if ((problem = check_sentence("the prompt", buffer)))
      break;
    sal_text_clear(&text);
    t->g->position(v, &sal_words_plain, &text);
    if ((problem = check_sentence("the position", buffer)))
      break;
    for (size_t i = 0; i < n && i < 50 && !problem; i++) {
      sal_text_clear(&text);
      t->g->action_say(v, legal[i], &sal_words_plain, &text);
      problem = check_sentence("an action", buffer);
    }
  }
  return problem;
}

const char *part_words(const struct trial *t) {
  sal_action *legal = calloc(t->g->info.legal_max, sizeof *legal);
  struct saying say = {{say_event}, t, NULL};
  for (uint64_t game = 0; game < 10 && !say.problem; game++) {
    union sal_state_box box;
    sal_state *s = (sal_state *)box.bytes;
    struct sal_rng rng;
    sal_rng_seed(&rng, 300 + game);
    t->g->init(s, &t->setup);
    for (unsigned asked; !say.problem && (asked = t->g->to_act(s)) != 0;) {
      if (asked == SAL_CHANCE_BIT) {
        play_chance(t, s, &say.log, &rng);
        continue;
      }
      const int seat = any_seat(asked, &rng);
      const size_t n = t->g->legal(s, seat, legal);
      if (!say.problem)
        say.problem = check_words(t, s, legal, n);
      t->g->apply(s, seat, legal[sal_rng_below(&rng, (uint32_t)n)], &say.log);
    }
    if (!say.problem)
      say.problem = check_words(t, s, legal, 0);
  }
  free(legal);
  return say.problem;
}

/* ---- Signature ---------------------------------------------------------- */

uint64_t signature(const struct trial *t, int games) {
  sal_action *legal = calloc(t->g->info.legal_max, sizeof *legal);
  static char text[TEXT_SIZE];
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (int game = 0; game < games; game++) {
    union sal_state_box box;
    sal_state *s = (sal_state *)box.bytes;
    struct sal_rng rng;
    sal_rng_seed(&rng, (uint64_t)game);
    t->g->init(s, &t->setup);
    for (unsigned asked; (asked = t->g->to_act(s)) != 0;) {
      char name[SAL_ACTION_TEXT_MAX];
      if (asked == SAL_CHANCE_BIT) {
        play_chance(t, s, NULL, &rng);
        continue;
      }
      const int seat = __builtin_ctz(asked);
      const size_t n = t->g->legal(s, seat, legal);
      const sal_action a = legal[sal_rng_below(&rng, (uint32_t)n)];
      action_name(t, a, name);
      h = hash_text(name, h + (uint64_t)seat);
      t->g->apply(s, seat, a, NULL);
    }
    facts_of(t, s, SAL_EVERYTHING, text);
    h = hash_text(text, h);
  }
  free(legal);
  return h;
}
