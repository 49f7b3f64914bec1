/* The battery: no hidden fact reaches a viewer, as a theorem checked in
 * thousands of reached states. */
#include "battery.h"

enum { POOL = 64 };

/* Everything a viewer can get out of a state, in one buffer. */
struct glimpse {
  char text[TEXT_SIZE];
  size_t len;
  unsigned char view[SAL_VIEW_MAX];
  float tensor[4096];
};

static void add(struct glimpse *g, const char *s) {
  const size_t n = strlen(s);
  if (g->len + n + 2 < sizeof g->text) {
    memcpy(g->text + g->len, s, n);
    g->len += n;
    g->text[g->len++] = '\n';
    g->text[g->len] = '\0';
  }
}

static void glimpse(const struct trial *t, const sal_state *s, int viewer,
                    const sal_action *pool, size_t pool_count,
                    sal_action *legal, struct glimpse *out) {
  static char buffer[TEXT_SIZE];
  union sal_view_box box;
  struct sal_text text;
  const sal_view *v = look(t, s, viewer, &box);
  const unsigned asked = t->g->to_act(s);
  memset(out, 0, sizeof *out);
  memcpy(out->view, box.bytes, t->g->info.view_size);
  facts_of(t, s, viewer, buffer);
  add(out, buffer);
  sal_text_init(&text, buffer, sizeof buffer);
  t->g->prompt(v, &sal_words_plain, &text);
  sal_text_char(&text, '\n');
  t->g->position(v, &sal_words_plain, &text);
  add(out, buffer);
  int32_t scores[SAL_SEATS_MAX];
  sal_text_clear(&text);
  t->g->scores(s, scores);
  sal_text_int(&text, asked);
  for (int i = 0; i < t->setup.players; i++) {
    sal_text_char(&text, ' ');
    sal_text_int(&text, scores[i]);
  }
  sal_text_int(&text, t->g->closed(s));
  add(out, buffer);
  if (viewer >= 0) {
    const size_t n = t->g->legal(s, viewer, legal);
    for (size_t i = 0; i < n; i++) {
      action_name(t, legal[i], buffer);
      add(out, buffer);
      sal_text_clear(&text);
      t->g->action_say(v, legal[i], &sal_words_plain, &text);
      add(out, buffer);
    }
    for (size_t i = 0; i < pool_count && (asked >> viewer & 1); i++) {
      const char *rule = t->g->check(s, viewer, pool[i]);
      add(out, rule ? rule : "allowed");
    }
  }
  if (t->g->info.tensor_size <= sizeof out->tensor / sizeof *out->tensor)
    t->g->tensor(v, out->tensor);
}

static const char *compare(const struct glimpse *a, const struct glimpse *b,
                           int viewer) {
  if (a->len != b->len || memcmp(a->text, b->text, a->len) != 0)
    return wrong("viewer %d sees\n%s\n# and, with other hidden facts,\n%s",
                 viewer, a->text, b->text);
  if (memcmp(a->view, b->view, sizeof a->view) != 0)
    return wrong("viewer %d: the bytes of the view differ", viewer);
  if (memcmp(a->tensor, b->tensor, sizeof a->tensor) != 0)
    return wrong("viewer %d: the tensors differ", viewer);
  return NULL;
}

static const char *check_state(const struct trial *t, const sal_state *s,
                               const sal_action *pool, size_t pool_count,
                               sal_action *legal, struct sal_rng *rng,
                               size_t *changed) {
  static struct glimpse here, there;
  for (int viewer = SAL_SPECTATOR; viewer < t->setup.players; viewer++) {
    union sal_state_box box;
    union sal_view_box seen;
    sal_state *other = (sal_state *)box.bytes;
    memset(&box, 0, sizeof box);
    glimpse(t, s, viewer, pool, pool_count, legal, &here);
    for (int i = 0; i < 2; i++) {
      t->g->resample(look(t, s, viewer, &seen), rng, other);
      const char *problem = t->g->selfcheck(other);
      if (problem)
        return wrong("viewer %d resampled a state where %s", viewer, problem);
      *changed += memcmp(s, other, t->g->info.state_size) != 0;
      glimpse(t, other, viewer, pool, pool_count, legal, &there);
      if ((problem = compare(&here, &there, viewer)))
        return problem;
    }
  }
  return NULL;
}

/* In mid-deal: who resamples a view gets a state that looks the same and waits
 * for the same draw. */
static const char *check_draw(const struct trial *t, const sal_state *s,
                              struct sal_rng *rng) {
  struct sal_chance due, again;
  t->g->chance(s, &due);
  for (int viewer = SAL_SPECTATOR; viewer < t->setup.players; viewer++) {
    union sal_state_box box;
    union sal_view_box here, there;
    sal_state *other = (sal_state *)box.bytes;
    memset(&box, 0, sizeof box);
    t->g->resample(look(t, s, viewer, &here), rng, other);
    const char *problem = t->g->selfcheck(other);
    if (problem)
      return wrong("in mid-deal viewer %d resampled a state where %s", viewer,
                   problem);
    look(t, other, viewer, &there);
    if (memcmp(&here, &there, sizeof here) != 0)
      return wrong("in mid-deal viewer %d resampled another view", viewer);
    if (t->g->to_act(other) != SAL_CHANCE_BIT)
      return wrong("in mid-deal viewer %d resampled no draw", viewer);
    t->g->chance(other, &again);
    if (again.count == 0 || again.entry != due.entry ||
        again.pile != due.pile || again.list != due.list ||
        again.index != due.index)
      return wrong("in mid-deal viewer %d resampled another draw", viewer);
  }
  return NULL;
}

const char *part_views(const struct trial *t) {
  sal_action *legal = calloc(t->g->info.legal_max, sizeof *legal);
  sal_action pool[POOL];
  size_t pool_count = 0, changed = 0, states = 0;
  const char *problem = NULL;
  for (uint64_t game = 0; game < 2000 && states < 1500 && !problem; game++) {
    union sal_state_box box;
    sal_state *s = (sal_state *)box.bytes;
    struct sal_rng rng;
    memset(&box, 0, sizeof box);
    sal_rng_seed(&rng, 900 + game);
    t->g->init(s, &t->setup);
    unsigned asked;
    while (!problem && (asked = t->g->to_act(s)) != 0) {
      if (asked == SAL_CHANCE_BIT) {
        struct sal_chance c;
        problem = check_draw(t, s, &rng);
        t->g->chance(s, &c);
        t->g->apply(s, SAL_CHANCE, sal_chance_draw(&c, &rng), NULL);
        continue;
      }
      if (sal_rng_below(&rng, 4) == 0) {
        problem = check_state(t, s, pool, pool_count, legal, &rng, &changed);
        states++;
      }
      const int seat = any_seat(asked, &rng);
      const size_t n = t->g->legal(s, seat, legal);
      const sal_action a = legal[sal_rng_below(&rng, (uint32_t)n)];
      pool[pool_count < POOL ? pool_count++ : sal_rng_below(&rng, POOL)] = a;
      t->g->apply(s, seat, a, NULL);
    }
  }
  free(legal);
  if (!problem && changed * 10 < states)
    problem = "resampling hardly ever changes a hidden fact";
  return problem;
}

/* ---- Twins: two worlds that a viewer cannot tell apart ------------------ */

/* What a viewer was told, as JSON and in words, until something is opened. */
struct told {
  struct sal_log log;
  const struct trial *t;
  int viewer;
  bool opened; /* a secret was opened to everybody */
  size_t len;
  char text[TEXT_SIZE];
};

static void hear(struct sal_log *log, const struct sal_event *e) {
  struct told *told = (struct told *)log;
  struct sal_event cut;
  struct sal_text text;
  struct sal_json j;
  told->opened |= e->reveals;
  sal_event_cut(e, told->viewer, &cut);
  sal_text_init(&text, told->text + told->len, TEXT_SIZE - told->len);
  sal_json_init(&j, &text);
  sal_json_object(&j, NULL);
  told->t->g->event_facts(&cut, &j);
  sal_json_end(&j, '}');
  told->t->g->event_say(&cut, told->viewer, &sal_words_plain, &text);
  sal_text_char(&text, '\n');
  told->len += text.len;
}

static void start_hearing(struct told *told, const struct trial *t,
                          int viewer) {
  told->log.emit = hear;
  told->t = t;
  told->viewer = viewer;
  told->opened = false;
  told->len = 0;
  told->text[0] = '\0';
}

/* Tries an action or outcome on a copy of B; keeps it if the viewer is told the
 * same as in A. */
static bool same_step(const struct trial *t, union sal_state_box *b, int seat,
                      sal_action a, const struct told *in_a,
                      struct told *in_b) {
  union sal_state_box copy = *b;
  start_hearing(in_b, t, in_a->viewer);
  t->g->apply((sal_state *)copy.bytes, seat, a, &in_b->log);
  if (in_b->len != in_a->len || memcmp(in_b->text, in_a->text, in_b->len) != 0)
    return false;
  *b = copy;
  return true;
}

/* B follows A with other hidden outcomes. True: a step was found. */
static bool follow(const struct trial *t, union sal_state_box *b, int seat,
                   sal_action a, sal_action *legal, const struct told *in_a,
                   struct told *in_b, struct sal_rng *rng) {
  sal_state *s = (sal_state *)b->bytes;
  size_t n;
  struct sal_chance c;
  if (seat == SAL_CHANCE) {
    t->g->chance(s, &c);
    n = c.count;
    for (size_t i = 0; i < n && in_a->len == 0; i++)
      if (c.outcome[i].action == a) /* told later, if to everybody */
        return same_step(t, b, seat, a, in_a, in_b);
  } else if (seat == in_a->viewer) {
    return t->g->check(s, seat, a) == NULL &&
           same_step(t, b, seat, a, in_a, in_b);
  } else {
    n = t->g->legal(s, seat, legal);
  }
  const size_t from = sal_rng_below(rng, (uint32_t)n);
  for (size_t i = 0; i < n && i < 200; i++) {
    const size_t k = (from + i) % n;
    if (same_step(t, b, seat,
                  seat == SAL_CHANCE ? c.outcome[k].action : legal[k], in_a,
                  in_b))
      return true;
  }
  return false;
}

static const char *twin_game(const struct trial *t, int viewer, uint64_t seed,
                             sal_action *legal, size_t *apart) {
  static struct told in_a, in_b;
  static struct glimpse here, there;
  union sal_state_box box_a, box_b;
  memset(&box_a, 0, sizeof box_a);
  memset(&box_b, 0, sizeof box_b);
  sal_state *a = (sal_state *)box_a.bytes, *b = (sal_state *)box_b.bytes;
  struct sal_rng rng;
  sal_rng_seed(&rng, seed);
  t->g->init(a, &t->setup);
  t->g->init(b, &t->setup);
  unsigned asked;
  for (int steps = 0; (asked = t->g->to_act(a)) != 0 && steps < 300; steps++) {
    int seat = SAL_CHANCE;
    sal_action action;
    if (t->g->to_act(b) != asked)
      return wrong("viewer %d: who is asked depends on hidden facts", viewer);
    if (asked == SAL_CHANCE_BIT) {
      struct sal_chance c;
      t->g->chance(a, &c);
      action = sal_chance_draw(&c, &rng);
    } else {
      seat = any_seat(asked, &rng);
      const size_t n = t->g->legal(a, seat, legal);
      action = legal[sal_rng_below(&rng, (uint32_t)n)];
    }
    start_hearing(&in_a, t, viewer);
    t->g->apply(a, seat, action, &in_a.log);
    if (in_a.opened)
      return NULL; /* from here on the worlds may differ for all to see */
    if (!follow(t, &box_b, seat, action, legal, &in_a, &in_b, &rng))
      return seat >= 0 && seat == viewer
                 ? wrong("viewer %d cannot do the same in a world that looks "
                         "the same, or is told otherwise: %s",
                         viewer, in_a.text)
                 : NULL; /* the other cannot do it there: no twin any more */
    *apart += memcmp(a, b, t->g->info.state_size) != 0;
    if (t->g->to_act(a) == SAL_CHANCE_BIT)
      continue;
    if (t->g->to_act(a) == 0)
      return NULL; /* when the game is over everything is open */
    glimpse(t, a, viewer, NULL, 0, legal, &here);
    glimpse(t, b, viewer, NULL, 0, legal, &there);
    const char *problem = compare(&here, &there, viewer);
    if (problem)
      return problem;
  }
  return NULL;
}

const char *part_twins(const struct trial *t) {
  sal_action *legal = calloc(t->g->info.legal_max, sizeof *legal);
  const char *problem = NULL;
  size_t apart = 0;
  for (uint64_t game = 0; game < 150 && !problem; game++)
    for (int viewer = SAL_SPECTATOR; viewer < t->setup.players && !problem;
         viewer++)
      problem = twin_game(t, viewer, game, legal, &apart);
  free(legal);
  if (!problem && apart == 0)
    problem = "the twins never differed: nothing was tested";
  return problem;
}

/* ---- Bots --------------------------------------------------------------- */

/* A step, noted as each seat sees it. */
static void play(const struct trial *t, sal_state *s, int seat, sal_action a,
                 struct sal_memory *memory) {
  const unsigned hidden = sal_memory_apply(t->g, s, seat, a);
  for (int i = 0; i < t->setup.players; i++)
    sal_memory_note(&memory[i], t->g, i, s, seat, a, hidden >> i & 1);
}

const char *part_thinking(const struct trial *t) {
  sal_action *legal = calloc(t->g->info.legal_max, sizeof *legal);
  struct sal_memory *memory = calloc(SAL_SEATS_MAX, sizeof *memory);
  const char *problem = legal && memory ? NULL : "there was no memory";
  for (size_t i = 0; sal_bots[i] && !problem; i++) {
    union sal_state_box box, other;
    union sal_view_box seen;
    sal_state *s = (sal_state *)box.bytes;
    struct sal_rng rng;
    sal_rng_seed(&rng, i);
    t->g->init(s, &t->setup);
    for (int seat = 0; seat < t->setup.players; seat++)
      sal_memory_clear(&memory[seat]);
    unsigned asked;
    for (int steps = 0; (asked = t->g->to_act(s)) != 0 && !problem; steps++) {
      if (asked == SAL_CHANCE_BIT) {
        struct sal_chance c;
        t->g->chance(s, &c);
        play(t, s, SAL_CHANCE, sal_chance_draw(&c, &rng), memory);
        continue;
      }
      const int seat = any_seat(asked, &rng);
      sal_action chosen[2];
      for (int world = 0; world < 2; world++) {
        sal_state *w = world == 0 ? s : (sal_state *)other.bytes;
        if (world == 1)
          t->g->resample(look(t, s, seat, &seen), &rng, w);
        struct sal_question q = {.game = t->g,
                                 .players = t->setup.players,
                                 .seat = seat,
                                 .view = look(t, w, seat, &seen),
                                 .legal = legal,
                                 .count = t->g->legal(w, seat, legal),
                                 .memory = &memory[seat],
                                 .budget = sal_budget_simulations(20)};
        struct sal_rng own;
        struct sal_thought thought;
        sal_rng_seed(&own, (uint64_t)steps);
        sal_bots[i]->think(&q, &own, &thought);
        chosen[world] = thought.action;
        if (t->g->check(w, seat, chosen[world]))
          problem =
              wrong("the bot %s chose an illegal action", sal_bots[i]->id);
      }
      if (!problem && chosen[0] != chosen[1])
        problem = wrong("the choice of the bot %s depends on hidden facts",
                        sal_bots[i]->id);
      play(t, s, seat, chosen[0], memory);
    }
  }
  free(memory);
  free(legal);
  return problem;
}
