/* Advice for a person: from the same measure as reviews, with a reason.
 *
 * Main invariant: the action that is named has the highest value that is told,
 * or is the one that best play does most often among equally good ones; and
 * what is told as the reason speaks for it, in the numbers that are said. */
#include "inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORLDS = 400 };
/* What a secret must be told apart by, to be a reason. */
static const double TELLING = 0.1;

/* ---- What an action would tell -------------------------------------------- */

/* The deal again from its first decision, as the seat saw it: possible where all
 * that happened since is public. */
struct rerun {
  const struct sal_question *q;
  const struct secret_kind *kind;
  struct measure *m;
  union sal_state_box start;
};

static double chance_to_win(const struct rerun *r, const sal_state *s, int seat,
                            sal_action a) {
  const struct sal_game *g = r->q->game;
  union sal_view_box box;
  g->view(s, seat, (sal_view *)box.bytes);
  const struct sal_question q = {.game = g,
                                 .players = r->q->players,
                                 .seat = seat,
                                 .view = (const sal_view *)box.bytes,
                                 .legal = r->m->legal,
                                 .count = g->legal(s, seat, r->m->legal)};
  for (size_t i = 0; i < q.count; i++)
    if (q.legal[i] == a) {
      measure_habit(&q, r->m->weight);
      return 0.9 * r->m->weight[i] + 0.1 / (double)q.count;
    }
  return 0;
}

/* How likely all that the seat did, and then `last`, is if its secret is x; 0
 * also if it cannot be played again, or ends the deal: then the secret is out. */
static double likely(const struct rerun *r, int viewer, int x,
                     sal_action last) {
  const struct sal_game *g = r->q->game;
  const struct sal_memory *m = r->q->memory;
  const int me = r->q->seat;
  union sal_state_box box = r->start;
  sal_state *s = (sal_state *)box.bytes;
  double p = 1;
  if (r->kind->truth(s, me) != x && !r->kind->suppose(s, viewer, me, x, NULL))
    return 0;
  for (size_t i = 0; i < m->count; i++) {
    const struct sal_seen *seen = &m->step[i];
    const unsigned asked = g->to_act(s);
    if (!seen->action ||
        (seen->seat == SAL_CHANCE ? asked != SAL_CHANCE_BIT
                                  : !(asked >> seen->seat & 1)))
      return 0;
    if (seen->seat == me)
      p *= chance_to_win(r, s, me, seen->action);
    else if (seen->seat >= 0 && g->check(s, seen->seat, seen->action))
      return 0;
    if (p <= 0)
      return 0;
    g->apply(s, seen->seat, seen->action, NULL);
  }
  p *= chance_to_win(r, s, me, last);
  if (p > 0)
    g->apply(s, me, last, NULL);
  return g->closed(s) == g->closed((const sal_state *)r->start.bytes) ? p : 0;
}

/* How likely the next seat would hold the truth to be after an action; below 0:
 * nobody can say. */
static double told_truth(const struct rerun *r, int viewer, sal_action a) {
  const int truth =
      r->kind->truth((const sal_state *)r->start.bytes, r->q->seat);
  double sum = 0, mine = 0;
  for (int x = 0; x < r->kind->count && truth >= 0; x++) {
    const double p = likely(r, viewer, x, a);
    sum += p;
    mine += x == truth ? p : 0;
  }
  return sum > 0 ? mine / sum : -1;
}

/* Whether the seat has an identity to hide: the Guesser of Doors has none that
 * anybody guesses. */
static bool hides(const struct secret_kind *k, const struct sal_question *q) {
  return k && k->suppose && !k->draws &&
         (!k->role || k->role(q->view, q->seat) == ROLE_COLLECTOR);
}

/* A reason only where the action tells less than the other. */
static void find_telling(const struct sal_question *q, struct measure *m,
                         sal_action action, sal_action other,
                         struct sal_rng *rng, struct sal_thought *out) {
  struct rerun r = {.q = q, .kind = secret_of(q->game), .m = m};
  const int viewer = (q->seat + 1) % q->players;
  if (!hides(r.kind, q) || !q->memory || !q->memory->begun ||
      q->memory->count == SAL_MEMORY_MAX)
    return;
  memset(&r.start, 0, sizeof r.start);
  q->game->resample((const sal_view *)q->memory->start.bytes, rng,
                    (sal_state *)r.start.bytes);
  const double here = told_truth(&r, viewer, action);
  const double there = told_truth(&r, viewer, other);
  if (here < 0 || there < 0 || there - here < TELLING)
    return;
  out->reason = SAL_REASON_TELLS;
  out->viewer = viewer;
  out->here = here;
  out->there = there;
}

/* ---- Advice ------------------------------------------------------------------ */

static void fill_thought(const struct sal_question *q, const struct decision *d,
                         struct sal_thought *out) {
  uint64_t worlds = 0;
  out->mixed = d->mixed;
  for (size_t i = 0; i < d->count; i++) {
    worlds += d->option[i].worlds;
    if (i < SAL_CANDIDATES)
      out->candidate[out->count++] = (struct sal_candidate){
          q->legal[d->option[i].number], d->option[i].value,
          d->mixed ? d->option[i].often : i == 0};
  }
  out->simulations = worlds;
  out->action = out->candidate[0].action;
}

static int64_t percent(double part) { return (int64_t)(100 * part + 0.5); }
static int64_t tenths(double part) { return (int64_t)(10 * part + 0.5); }

/* Better more often than worse; or else by more. */
static void find_worlds(const struct option_value *o, struct sal_thought *out) {
  const bool often = percent(o->ahead) > percent(o->behind);
  const bool more = percent(o->gain) > percent(o->loss) &&
                    o->ahead * o->gain > o->behind * o->loss;
  if (!often && !more)
    return;
  out->reason = often ? SAL_REASON_WORLDS : SAL_REASON_GAINS;
  out->here = often ? o->ahead : o->gain;
  out->there = often ? o->behind : o->loss;
}

void advice_reason(const struct sal_question *q, struct measure *m,
                   const struct decision *d, size_t other, struct sal_rng *rng,
                   struct sal_thought *out) {
  const struct option_value *o = &d->option[other];
  find_worlds(o, out);
  find_telling(q, m, q->legal[d->option[0].number], q->legal[o->number], rng,
               out);
}

void sal_advise(const struct sal_question *q, struct sal_rng *rng,
                struct sal_thought *out) {
  struct decision d;
  memset(out, 0, sizeof *out);
  out->action = q->legal[0];
  struct measure *m = q->count > 1 ? measure_new(q->game, q->players) : NULL;
  if (!m)
    return;
  const uint32_t cap = q->budget.simulations;
  measure_decision(m, q, 0, cap && cap < WORLDS ? cap : WORLDS, rng, &d);
  if (d.count)
    fill_thought(q, &d, out);
  if (d.count > 1)
    advice_reason(q, m, &d, 1, rng, out);
  measure_free(m);
}

bool sal_is_solved(const struct sal_game *g) {
  return strcmp(g->info.id, "doors") == 0 || strcmp(g->info.id, "traps") == 0;
}

/* ---- In words ------------------------------------------------------------------ */

static void say_mix(const struct sal_game *g, const struct sal_thought *t,
                    const struct sal_words *w, const struct sal_place *places,
                    size_t count, struct sal_text *out) {
  /* By whether the game is solved, and whether there is a rival. */
  static const char *const mixes[2][2] = {
      {/* xgettext:no-c-format */
       N_("The master does this {often} % of the time."),
       /* xgettext:no-c-format */
       N_("The master does this {often} % of the time, “{other}” "
          "{seldom} %.")},
      {/* xgettext:no-c-format */
       N_("Optimal play does this {often} % of the time."),
       /* xgettext:no-c-format */
       N_("Optimal play does this {often} % of the time, “{other}” "
          "{seldom} %.")}};
  const bool rival = t->count > 1 && percent(t->candidate[1].share) >= 5;
  sal_text_char(out, ' ');
  sal_say(out, w, false, mixes[sal_is_solved(g)][rival], places, count);
}

static void say_reason(const struct sal_thought *t, const struct sal_words *w,
                       const struct sal_place *places, size_t count,
                       struct sal_text *out) {
  sal_text_char(out, ' ');
  if (t->reason == SAL_REASON_TELLS)
    sal_say(
        out, w, false,
        N_("After this {viewer} would guess the truth about you in {here} of "
           "10 cases; after “{other}” in {there}."),
        places, count);
  else if (t->reason == SAL_REASON_WORLDS)
    sal_say(out, w, false,
            N_("It does better than the next best in {here} of {cases} cases "
               "that fit what you know, and worse in {there}."),
            places, count);
  else if (t->reason == SAL_REASON_GAINS)
    sal_say(out, w, false, /* xgettext:no-c-format */
            N_("Where it does better than the next best it gains {here} % on "
               "average, and where it does worse it loses only {there} %."),
            places, count);
  else
    sal_say(out, w, false, N_("It is hardly better than the next best."),
            places, count);
}

/* Of ten cases, or of a hundred where ten do not tell it apart. */
static int64_t cases(const struct sal_thought *t) {
  const bool ten =
      t->reason == SAL_REASON_TELLS ||
      (t->reason == SAL_REASON_WORLDS && tenths(t->here) > tenths(t->there));
  return ten ? 10 : 100;
}

void sal_advice_say(const struct sal_question *q, const struct sal_thought *t,
                    const struct sal_words *w, struct sal_text *out) {
  char action[256], other[256] = "";
  struct sal_text text;
  sal_text_init(&text, action, sizeof action);
  q->game->action_say(q->view, t->action, w, &text);
  sal_text_init(&text, other, sizeof other);
  if (t->count > 1)
    q->game->action_say(q->view, t->candidate[1].action, w, &text);
  const struct sal_candidate *c = t->candidate;
  const int64_t of = cases(t);
  const int64_t here = of == 10 ? tenths(t->here) : percent(t->here);
  int64_t there = of == 10 ? tenths(t->there) : percent(t->there);
  if (t->reason == SAL_REASON_WORLDS && there > of - here)
    there = of - here; /* both rounded up would be more cases than there are */
  const struct sal_place places[] = {
      {"action", SAL_PLACE_TEXT, action, 0},
      {"other", SAL_PLACE_TEXT, other, 0},
      {"percent", SAL_PLACE_NUMBER, NULL, percent(c[0].value)},
      {"less", SAL_PLACE_NUMBER, NULL, percent(c[1].value)},
      {"often", SAL_PLACE_NUMBER, NULL, percent(c[0].share)},
      {"seldom", SAL_PLACE_NUMBER, NULL, percent(c[1].share)},
      {"viewer", SAL_PLACE_SEAT, NULL, t->viewer},
      {"cases", SAL_PLACE_NUMBER, NULL, of},
      {"here", SAL_PLACE_NUMBER, NULL, here},
      {"there", SAL_PLACE_NUMBER, NULL, there}};
  const size_t count = sizeof places / sizeof *places;
  if (t->count == 0) {
    sal_say(out, w, false, N_("{action}: there is no other choice."), places,
            count);
    return;
  }
  if (t->mixed || t->count < 2)
    sal_say(out, w, false, N_("{action}: estimate {percent} %."), places,
            count);
  else
    sal_say(out, w, false,
            N_("{action}: estimate {percent} %; next best: {other}, {less} %."),
            places, count);
  if (t->mixed)
    say_mix(q->game, t, w, places, count, out);
  if (t->count > 1 && (!t->mixed || t->reason == SAL_REASON_TELLS))
    say_reason(t, w, places, count, out);
}
