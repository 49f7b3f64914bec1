/* Endings of Doors in closed form; see ending.h.
 *
 * Rows are over the Guesser's identities, numbers are what the Collector wins,
 * so the Guesser looks for the smallest. */
#include "ending.h"
#include "guess.h"

#include <assert.h>
#include <string.h>

/* ---- Making ------------------------------------------------------------- */

static unsigned mask_number(struct ending *e, unsigned mask) {
  for (unsigned i = 0; i < e->masks; i++)
    if (e->mask[i] == mask)
      return i;
  assert(e->masks < MASKS);
  e->mask[e->masks] = (uint8_t)mask;
  return e->masks++;
}

/* The masks that discards can leave, without those that hold another: the
 * fewer can complete a set, the better for the Guesser. */
static unsigned minimal_masks(const struct position *p, unsigned *out) {
  unsigned all[KINDS], n = 0, kept = 0;
  for (unsigned kind = 0; kind < KINDS; kind++)
    if (count(p->offer, kind))
      all[n++] = set_seekers(p->collection, p->offer - one(kind));
  for (unsigned i = 0; i < n; i++) {
    bool keep = true;
    for (unsigned j = 0; j < n && keep; j++)
      keep = (all[j] & all[i]) != all[j] || (all[j] == all[i] && j >= i);
    if (keep)
      out[kept++] = all[i];
  }
  return kept;
}

/* The chances of the masks after a discard that leaves `left`. */
static void mask_chances(struct ending *e, const struct position *p,
                         unsigned left, float *chance) {
  const float each = 1.0f / (float)total(p->deck);
  for (unsigned kind = 0; kind < KINDS; kind++)
    if (count(p->deck, kind)) {
      const unsigned mask = left | set_seekers(p->collection, one(kind));
      chance[mask_number(e, mask)] += each * (float)count(p->deck, kind);
    }
}

static bool same_choice(const struct scene *a, const struct scene *b) {
  return a->discards == b->discards &&
         memcmp(a->mask_chance, b->mask_chance, sizeof a->mask_chance) == 0;
}

static void add_scene(struct ending *e, const struct scene *s) {
  unsigned i = 0;
  while (i < e->scenes && !same_choice(&e->scene[i], s))
    i++;
  if (i == e->scenes) {
    assert(e->scenes < SCENES);
    e->scene[e->scenes++] = *s;
  } else {
    e->scene[i].chance += s->chance;
  }
}

/* What follows one refill of the offer. */
static void add_refill(struct ending *e, const struct position *p,
                       float chance) {
  unsigned left[KINDS];
  const unsigned n = minimal_masks(p, left);
  assert(n <= DISCARDS);
  struct scene s = {.chance = chance, .discards = (uint8_t)n};
  for (unsigned d = 0; d < n; d++)
    mask_chances(e, p, left[d], s.mask_chance[d]);
  if (n > 1)
    add_scene(e, &s);
  for (unsigned m = 0; n == 1 && m < e->masks; m++)
    e->settled[m] += chance * s.mask_chance[0][m];
}

void ending_make(struct ending *e, const struct position *p, unsigned kind) {
  memset(e, 0, sizeof *e);
  struct position q = position_pick(*p, kind);
  e->owners = (uint8_t)set_owners(q.collection);
  const float each = 1.0f / (float)total(q.deck);
  for (unsigned refill = 0; refill < KINDS; refill++)
    if (count(q.deck, refill)) {
      const struct position r = position_refill(q, refill);
      add_refill(e, &r, each * (float)count(q.deck, refill));
    }
}

/* ---- The Guesser's answers ---------------------------------------------- */

/* The Guesser's actions at one decision, and how much each is chosen. */
enum { MOST_OPTIONS = GUESS_WAYS + 1 };
struct options {
  vec value[MOST_OPTIONS];
  vec weight[MOST_OPTIONS];
  vec best; /* the smallest value */
};

static inline void find_best(struct options *o, unsigned n) {
  o->best = o->value[0];
  for (unsigned i = 1; i < n; i++)
    o->best = smaller(o->best, o->value[i]);
}

/* Options within `slack` of the best share the choice, the nearer the more.
 * A slack of nearly nothing stands in for a reach of nothing. */
static inline void weigh_option(struct options *o, unsigned n, vec slack) {
  vec sum = {0};
  slack = larger(slack, splat(1e-30f));
  for (unsigned i = 0; i < n; i++) {
    o->weight[i] = larger(slack - (o->value[i] - o->best), splat(0));
    sum += o->weight[i];
  }
  const vec scale = splat(1) / sum;
  for (unsigned i = 0; i < n; i++)
    o->weight[i] *= scale;
}

/* The fourth turn: a guess or, for who can, a claim. */
enum { OWN_SET = GUESS_WAYS, GUESS_OPTIONS };

static inline void guess_options(const struct ending *e, const struct worth *w,
                                 const struct others *p, vec sum,
                                 struct options *o) {
  guess_values(w, p, sum, o->value);
  /* To who cannot claim, the claim is out of reach of any slack. */
  o->value[OWN_SET] =
      chosen(lanes_of(e->owners), sum * w->guesser_set, splat(1e30f));
  find_best(o, GUESS_OPTIONS);
}

/* The fifth turn against those who are left: three names or the end. */
enum { THE_END = NAMES, LAST_OPTIONS };

static inline void last_values(const struct worth *w, const struct others *p,
                               vec sum, struct options *o) {
  for (int i = 0; i < NAMES; i++)
    o->value[i] = sum * w->wrong + p->of[i] * (w->both - w->wrong);
  o->value[THE_END] = sum * w->deck_out;
  find_best(o, LAST_OPTIONS);
}

/* What the Collector of each other identity wins by a guess or claim. */
static inline struct others option_pays(const struct worth *w,
                                        const struct options *o) {
  struct others pays = guess_pays(w, o->weight);
  for (int i = 0; i < NAMES; i++)
    pays.of[i] += o->weight[OWN_SET] * w->guesser_set;
  return pays;
}

/* The same where the fourth turn ends and `mask` can complete a set; `weight`
 * is of the options of the fifth turn. */
static inline struct others last_pays(const struct worth *w, unsigned mask,
                                      const vec *weight) {
  const vec base = splat(w->wrong) + weight[THE_END] * (w->deck_out - w->wrong);
  const lanes in = lanes_of(mask);
  const vec done = splat(w->set);
  const struct others lost = others_of((vec)in);
  struct others pays;
  for (int i = 0; i < NAMES; i++)
    pays.of[i] = chosen((lanes)lost.of[i], done,
                        base + weight[i] * (w->both - w->wrong));
  return pays;
}

/* ---- One mask ----------------------------------------------------------- */

/* The fourth turn after discard and refill: guess, or end and see. */
struct decision {
  vec end;                /* how much the end is chosen */
  vec last[LAST_OPTIONS]; /* and what then on the fifth turn */
};

static inline vec end_value(const struct worth *w, const struct others *left,
                            vec sum, struct options *o) {
  const vec stay = others_sum(left);
  last_values(w, left, stay, o);
  return (sum - stay) * w->set + o->best;
}

static inline struct decision decide_node(const struct worth *w, vec reach,
                                          unsigned mask, vec sum, vec guess,
                                          float softness, vec *best) {
  const struct others left = others_of(without(reach, lanes_of(mask)));
  struct options o, two;
  two.value[0] = guess;
  two.value[1] = end_value(w, &left, sum, &o);
  find_best(&two, 2);
  weigh_option(&two, 2, sum * softness);
  weigh_option(&o, LAST_OPTIONS, others_sum(&left) * softness);
  *best = two.best;
  struct decision d = {.end = two.weight[1]};
  for (int i = 0; i < LAST_OPTIONS; i++)
    d.last[i] = o.weight[i];
  return d;
}

/* ---- All masks ---------------------------------------------------------- */

/* The values of the discards, from those of the masks. */
static inline void discard_values(const struct scene *s, unsigned masks,
                                  const vec *best, struct options *o) {
  o->value[0] = splat(0);
  for (unsigned i = 0; i < s->discards; i++) {
    vec sum = {0};
    for (unsigned m = 0; m < masks; m++)
      sum += best[m] * s->mask_chance[i][m];
    o->value[i] = sum;
  }
  find_best(o, s->discards);
}

/* The Guesser's choice of discard: adds the chances of masks that follow. */
static inline void choose_discard(const struct scene *s, unsigned masks,
                                  const vec *best, vec slack, vec *chance,
                                  struct options *o) {
  discard_values(s, masks, best, o);
  weigh_option(o, s->discards, slack);
  for (unsigned i = 0; i < s->discards; i++)
    for (unsigned m = 0; m < masks; m++)
      chance[m] += o->weight[i] * (s->chance * s->mask_chance[i][m]);
}

/* All that the Guesser does in an ending. */
struct answer {
  struct options guess, discard[SCENES];
  struct decision decision[MASKS];
  vec chance[MASKS]; /* of each mask, by the discards */
};

static inline void find_answer(const struct ending *e, const struct worth *w,
                               vec seen, float softness, struct answer *a) {
  const vec reach = without(seen, lanes_of(e->owners));
  const struct others p = others_of(reach);
  const vec sum = others_sum(&p);
  const vec slack = sum * softness;
  vec best[MASKS];
  guess_options(e, w, &p, sum, &a->guess);
  weigh_option(&a->guess, GUESS_OPTIONS, slack);
  for (unsigned m = 0; m < e->masks; m++) {
    a->decision[m] = decide_node(w, reach, e->mask[m], sum, a->guess.best,
                                 softness, &best[m]);
    a->chance[m] = splat(e->settled[m]);
  }
  for (unsigned s = 0; s < e->scenes; s++)
    choose_discard(&e->scene[s], e->masks, best, slack, a->chance,
                   &a->discard[s]);
}

struct others ending_play(const struct ending *e, const struct worth *w,
                          vec seen, float softness) {
  const lanes owners = lanes_of(e->owners);
  struct answer a;
  find_answer(e, w, seen, softness, &a);
  struct others pays = {{{0}, {0}, {0}}};
  vec guesses = splat(1);
  for (unsigned m = 0; m < e->masks; m++) {
    const vec end = a.chance[m] * a.decision[m].end;
    const struct others last = last_pays(w, e->mask[m], a.decision[m].last);
    guesses -= end;
    for (int i = 0; i < NAMES; i++)
      pays.of[i] += end * last.of[i];
  }
  const struct others guessed = option_pays(w, &a.guess);
  const struct others claimed = others_of((vec)owners);
  for (int i = 0; i < NAMES; i++)
    pays.of[i] = chosen((lanes)claimed.of[i], splat(w->set),
                        pays.of[i] + guesses * guessed.of[i]);
  return pays;
}

void ending_note(const struct ending *e, const struct worth *w, vec seen,
                 float softness, vec share, struct ending_sums *sums) {
  struct answer a;
  vec guesses = share;
  find_answer(e, w, seen, softness, &a);
  for (unsigned m = 0; m < e->masks; m++) {
    const vec here = share * a.chance[m], end = here * a.decision[m].end;
    guesses -= end;
    sums->mask[m] += here;
    for (int i = 0; i < LAST_OPTIONS; i++)
      sums->last[m][i] += end * a.decision[m].last[i];
  }
  guesses = larger(guesses, splat(0)); /* but for rounding it is not less */
  for (int i = 0; i < GUESS_OPTIONS; i++)
    sums->guess[i] += guesses * a.guess.weight[i];
  for (unsigned s = 0; s < e->scenes; s++)
    for (unsigned i = 0; i < e->scene[s].discards; i++)
      sums->discard[s][i] += share * a.discard[s].weight[i];
}

/* ---- Reading an ending back ---------------------------------------------- */

/* The scene of a refill: as add_refill made it, or -1 if one discard is best
 * for sure. */
static int scene_of(const struct ending *e, const struct position *p,
                    unsigned n, const unsigned *left) {
  struct ending like = *e;
  struct scene s = {.discards = (uint8_t)n};
  if (n < 2)
    return -1;
  for (unsigned d = 0; d < n; d++)
    mask_chances(&like, p, left[d], s.mask_chance[d]);
  int i = 0;
  while (i < e->scenes - 1 && !same_choice(&e->scene[i], &s))
    i++;
  return i;
}

void ending_discards(const struct ending *e, const struct ending_sums *sums,
                     const struct position *p, vec chance[KINDS]) {
  unsigned left[KINDS];
  const unsigned n = minimal_masks(p, left);
  const int scene = scene_of(e, p, n, left);
  vec total = {0};
  for (unsigned d = 0; scene >= 0 && d < n; d++)
    total += sums->discard[scene][d];
  const lanes some = some_of(total);
  for (unsigned kind = 0; kind < KINDS; kind++)
    chance[kind] = splat(0);
  for (unsigned d = 0; d < n; d++) {
    unsigned kind = 0;
    while (!count(p->offer, kind) ||
           set_seekers(p->collection, p->offer - one(kind)) != left[d])
      kind++;
    chance[kind] =
        scene < 0
            ? splat(1)
            : chosen(some,
                     sums->discard[scene][d] / chosen(some, total, splat(1)),
                     splat(1 / (float)n));
  }
}

/* Where nobody comes by the sums, the turn is ended. */
void ending_guesses(const struct ending *e, const struct ending_sums *sums,
                    unsigned mask, struct ending_choice *out) {
  unsigned m = 0;
  while (m + 1u < e->masks && e->mask[m] != mask)
    m++;
  vec ends = {0}, guesses = {0};
  for (int i = 0; i < LAST_OPTIONS; i++)
    ends += sums->last[m][i];
  for (int i = 0; i < GUESS_OPTIONS; i++)
    guesses += sums->guess[i];
  const lanes come = some_of(sums->mask[m]), end = some_of(ends),
              guess = some_of(guesses);
  const vec all = smaller(
      chosen(come, ends / chosen(come, sums->mask[m], splat(1)), splat(1)),
      splat(1));
  out->end = chosen(guess, all, splat(1));
  for (int i = 0; i < GUESS_OPTIONS; i++)
    out->guess[i] = chosen(guess,
                           (splat(1) - out->end) * sums->guess[i] /
                               chosen(guess, guesses, splat(1)),
                           splat(0));
  for (int i = 0; i < LAST_OPTIONS; i++)
    out->last[i] = chosen(end, sums->last[m][i] / chosen(end, ends, splat(1)),
                          splat(i == THE_END));
}

vec ending_best(const struct ending *e, const struct worth *w, vec reach) {
  const struct others everybody = others_of(reach);
  const vec rest = without(reach, lanes_of(e->owners));
  const struct others p = others_of(rest);
  const vec sum = others_sum(&p);
  struct options guess, last;
  guess_options(e, w, &p, sum, &guess);
  vec best[MASKS], value = (others_sum(&everybody) - sum) * w->set;
  for (unsigned m = 0; m < e->masks; m++) {
    const struct others left = others_of(without(rest, lanes_of(e->mask[m])));
    best[m] = smaller(guess.best, end_value(w, &left, sum, &last));
    value += best[m] * e->settled[m];
  }
  for (unsigned s = 0; s < e->scenes; s++) {
    struct options o;
    discard_values(&e->scene[s], e->masks, best, &o);
    value += o.best * e->scene[s].chance;
  }
  return value;
}
