/* The kernels of the solver on a graphics card; see device.h.
 *
 * Four neighbouring threads are one node, a thread an identity g; what the
 * solver's rows do by turning, threads do by exchanging numbers. All threads of
 * a warp take part in every exchange: those past the end work on the last node
 * and store nothing. */
#include "device.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

enum side { COLLECTOR, GUESSER };
enum { NAMES = 3, OTHER_COLOUR = 3, OTHER_ROLE = 4, GO_ON = 5 };
enum { BLOCK = 128 };

/* One level on the card: the trees's part, then what iterations change. */
struct tier {
  uint32_t n;
  const uint32_t *parent, *state, *first;
  const float *chance, *path;
  float *regret, *sum, *worth;     /* picks; worth: of last takes alone */
  float *guess_regret, *guess_sum; /* of the guess before a take */
  float *reach;                    /* the Collector's at a discard */
  float *out; /* after a pick of the one who picks, a row a pick */
  float *on;  /* the Guesser's after the guess */
  float *v;
};

struct common {
  const lean_state *states;
  const lean_ending *endings;
  const link *links;
  lean_worth w;
  float weight, present, softness;
};

/* ---- Small things -------------------------------------------------------- */

__device__ __forceinline__ size_t at(uint32_t row, uint32_t n, uint32_t i,
                                     uint32_t g) {
  return ((size_t)row * n + i) * 4 + g;
}

__device__ __forceinline__ float turned(float x, int e) {
  return __shfl_xor_sync(0xffffffffu, x, e);
}

struct place {
  uint32_t i, g;
  bool real;
};

__device__ __forceinline__ place here(uint32_t n) {
  const size_t t = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  const size_t i = t / 4;
  place p;
  p.real = i < n;
  p.i = p.real ? (uint32_t)i : n - 1;
  p.g = (uint32_t)(t & 3);
  return p;
}

template <int MOST>
__device__ __forceinline__ void match_regrets(const float *regret, int n,
                                              float *out) {
  float total = 0;
#pragma unroll
  for (int i = 0; i < MOST; i++)
    total += i < n ? regret[i] : 0.0f;
  const float scale = total > 0 ? 1 / total : 0;
#pragma unroll
  for (int i = 0; i < MOST; i++)
    out[i] = i >= n ? 0.0f : total > 0 ? regret[i] * scale : 1 / (float)n;
}

template <int MOST>
__device__ __forceinline__ void load(const float *from, const place &p,
                                     uint32_t n, int count, float *out) {
#pragma unroll
  for (int i = 0; i < MOST; i++)
    out[i] = i < count ? from[at(i, n, p.i, p.g)] : 0.0f;
}

/* Updates regrets and sums; returns the value of the node. */
template <int MOST>
__device__ __forceinline__ float
learn(const place &p, uint32_t n, int count, float sign, float share,
      const float *regret, const float *strategy, const float *value,
      float *regret_at, float *sum_at) {
  float mean = 0;
#pragma unroll
  for (int i = 0; i < MOST; i++)
    mean += i < count ? strategy[i] * value[i] : 0.0f;
#pragma unroll
  for (int i = 0; i < MOST; i++)
    if (p.real && i < count) {
      const size_t k = at(i, n, p.i, p.g);
      regret_at[k] = fmaxf(regret[i] + (value[i] - mean) * sign, 0.0f);
      sum_at[k] += share * strategy[i];
    }
  return mean;
}

/* ---- Guesses ------------------------------------------------------------- */

struct others {
  float of[NAMES];
};

__device__ __forceinline__ others others_of(float x) {
  return {{turned(x, 1), turned(x, 2), turned(x, 3)}};
}

__device__ __forceinline__ void
guess_values(const lean_worth &w, const others &p, float sum, float *value) {
  const float wrong = sum * w.wrong;
  const float name = w.both - w.wrong, trait = w.trait - w.wrong;
#pragma unroll
  for (int i = 0; i < NAMES; i++)
    value[i] = wrong + p.of[i] * name;
  value[OTHER_COLOUR] = wrong + (p.of[0] + p.of[2]) * trait;
  value[OTHER_ROLE] = wrong + (p.of[1] + p.of[2]) * trait;
}

__device__ __forceinline__ others guess_pays(const lean_worth &w,
                                             const float *weight) {
  const float name = w.both - w.wrong, trait = w.trait - w.wrong;
  const float colour = weight[OTHER_COLOUR] * trait;
  const float role = weight[OTHER_ROLE] * trait;
  const float wrong = (weight[0] + weight[1] + weight[2] +
                       weight[OTHER_COLOUR] + weight[OTHER_ROLE]) *
                      w.wrong;
  return {{wrong + weight[0] * name + colour, wrong + weight[1] * name + role,
           wrong + weight[2] * name + colour + role}};
}

__device__ __forceinline__ float from_guessers(float reach,
                                               const others &pays) {
  return turned(reach * pays.of[0], 1) + turned(reach * pays.of[1], 2) +
         turned(reach * pays.of[2], 3);
}

__device__ __forceinline__ float to_collectors(float reach,
                                               const others &pays) {
  return turned(reach, 1) * pays.of[0] + turned(reach, 2) * pays.of[1] +
         turned(reach, 3) * pays.of[2];
}

/* ---- Endings ------------------------------------------------------------- */

template <int MOST>
__device__ __forceinline__ float smallest(const float *value, int n) {
  float best = value[0];
#pragma unroll
  for (int i = 1; i < MOST; i++)
    best = i < n ? fminf(best, value[i]) : best;
  return best;
}

template <int MOST>
__device__ __forceinline__ void weigh(const float *value, int n, float best,
                                      float slack, float *weight) {
  float sum = 0;
  slack = fmaxf(slack, 1e-30f);
#pragma unroll
  for (int i = 0; i < MOST; i++) {
    weight[i] = i < n ? fmaxf(slack - (value[i] - best), 0.0f) : 0.0f;
    sum += weight[i];
  }
  const float scale = 1 / sum;
#pragma unroll
  for (int i = 0; i < MOST; i++)
    weight[i] *= scale;
}

__device__ __forceinline__ bool in(unsigned mask, unsigned i) {
  return mask >> i & 1;
}

__device__ __forceinline__ float left_by(unsigned mask, unsigned g,
                                         const others &p, others *left) {
  float stay = 0;
#pragma unroll
  for (int k = 0; k < NAMES; k++) {
    left->of[k] = in(mask, g ^ (unsigned)(k + 1)) ? 0.0f : p.of[k];
    stay += left->of[k];
  }
  return stay;
}

__device__ __forceinline__ void
last_values(const lean_worth &w, const others &left, float stay, float *value) {
#pragma unroll
  for (int k = 0; k < NAMES; k++)
    value[k] = stay * w.wrong + left.of[k] * (w.both - w.wrong);
  value[NAMES] = stay * w.deck_out;
}

/* As ending_play of the solver. */
__device__ __forceinline__ others ending_play(const lean_ending *e,
                                              const lean_worth &w, float seen,
                                              float softness, unsigned g) {
  const unsigned owners = e->owners;
  const others p = others_of(in(owners, g) ? 0.0f : seen);
  const float sum = p.of[0] + p.of[1] + p.of[2];
  float value[6], guess[6];
  guess_values(w, p, sum, value);
  value[5] = in(owners, g) ? sum * w.guesser_set : 1e30f;
  const float guess_best = smallest<6>(value, 6);
  weigh<6>(value, 6, guess_best, sum * softness, guess);

  float best[LEAN_MASKS], end[LEAN_MASKS], chance[LEAN_MASKS];
  others pays[LEAN_MASKS];
#pragma unroll
  for (int m = 0; m < LEAN_MASKS; m++) {
    best[m] = end[m] = chance[m] = 0;
    pays[m] = {{0, 0, 0}};
    if (m >= e->masks)
      continue;
    const unsigned mask = e->mask[m];
    others left;
    const float stay = left_by(mask, g, p, &left);
    float last[4], weight[4], two[2], choice[2];
    last_values(w, left, stay, last);
    const float last_best = smallest<4>(last, 4);
    two[0] = guess_best;
    two[1] = (sum - stay) * w.set + last_best;
    best[m] = fminf(two[0], two[1]);
    weigh<2>(two, 2, best[m], sum * softness, choice);
    weigh<4>(last, 4, last_best, stay * softness, weight);
    end[m] = choice[1];
    chance[m] = e->settled[m];
    const float base = w.wrong + weight[NAMES] * (w.deck_out - w.wrong);
#pragma unroll
    for (int k = 0; k < NAMES; k++)
      pays[m].of[k] = in(mask, g ^ (unsigned)(k + 1))
                          ? w.set
                          : base + weight[k] * (w.both - w.wrong);
  }
#pragma unroll
  for (int s = 0; s < LEAN_SCENES; s++) {
    if (s >= e->scenes)
      continue;
    float discard[LEAN_DISCARDS], weight[LEAN_DISCARDS];
#pragma unroll
    for (int d = 0; d < LEAN_DISCARDS; d++) {
      discard[d] = 0;
#pragma unroll
      for (int m = 0; m < LEAN_MASKS; m++)
        discard[d] += best[m] * e->scene[s].mask_chance[d][m];
    }
    const int n = e->scene[s].discards;
    weigh<2>(discard, n, smallest<2>(discard, n), sum * softness, weight);
#pragma unroll
    for (int d = 0; d < LEAN_DISCARDS; d++)
#pragma unroll
      for (int m = 0; m < LEAN_MASKS; m++)
        chance[m] +=
            weight[d] * (e->scene[s].chance * e->scene[s].mask_chance[d][m]);
  }
  others out = {{0, 0, 0}};
  float guesses = 1;
#pragma unroll
  for (int m = 0; m < LEAN_MASKS; m++) {
    const float ends = chance[m] * end[m];
    guesses -= ends;
#pragma unroll
    for (int k = 0; k < NAMES; k++)
      out.of[k] += ends * pays[m].of[k];
  }
  const others guessed = guess_pays(w, guess);
#pragma unroll
  for (int k = 0; k < NAMES; k++)
    out.of[k] =
        in(owners, g ^ (unsigned)(k + 1))
            ? w.set
            : out.of[k] + guesses * (guessed.of[k] + guess[5] * w.guesser_set);
  return out;
}

/* As ending_best of the solver. */
__device__ __forceinline__ float ending_best(const lean_ending *e,
                                             const lean_worth &w, float reach,
                                             unsigned g) {
  const others everybody = others_of(reach);
  const others p = others_of(in(e->owners, g) ? 0.0f : reach);
  const float sum = p.of[0] + p.of[1] + p.of[2];
  float value[6], best[LEAN_MASKS];
  guess_values(w, p, sum, value);
  value[5] = in(e->owners, g) ? sum * w.guesser_set : 1e30f;
  const float guess_best = smallest<6>(value, 6);
  float out =
      (everybody.of[0] + everybody.of[1] + everybody.of[2] - sum) * w.set;
#pragma unroll
  for (int m = 0; m < LEAN_MASKS; m++) {
    best[m] = 0;
    if (m >= e->masks)
      continue;
    others left;
    float last[4];
    const float stay = left_by(e->mask[m], g, p, &left);
    last_values(w, left, stay, last);
    best[m] = fminf(guess_best, (sum - stay) * w.set + smallest<4>(last, 4));
    out += best[m] * e->settled[m];
  }
  for (int s = 0; s < e->scenes; s++) {
    float discard[LEAN_DISCARDS];
#pragma unroll
    for (int d = 0; d < LEAN_DISCARDS; d++) {
      discard[d] = 0;
#pragma unroll
      for (int m = 0; m < LEAN_MASKS; m++)
        discard[d] += best[m] * e->scene[s].mask_chance[d][m];
    }
    out += smallest<2>(discard, e->scene[s].discards) * e->scene[s].chance;
  }
  return out;
}

/* ---- Down: reaches ------------------------------------------------------- */

__global__ void down_first_take(tier t, common c) {
  const place p = here(t.n);
  const int count = c.states[t.state[p.i]].choices;
  float regret[4], strategy[4];
  load<4>(t.regret, p, t.n, count, regret);
  match_regrets<4>(regret, count, strategy);
  for (int i = 0; p.real && i < count; i++)
    t.out[at(i, t.n, p.i, p.g)] = strategy[i];
  if (p.real)
    t.on[at(0, t.n, p.i, p.g)] = 1;
}

__global__ void down_discard(tier d, tier above, common c) {
  const place p = here(d.n);
  const uint32_t parent = d.parent[p.i] / 4, action = d.parent[p.i] % 4;
  const int count = c.states[d.state[p.i]].choices;
  float regret[4], strategy[4];
  load<4>(d.regret, p, d.n, count, regret);
  match_regrets<4>(regret, count, strategy);
  const float guesser = above.on[at(0, above.n, parent, p.g)];
  if (p.real)
    d.reach[at(0, d.n, p.i, p.g)] = above.out[at(action, above.n, parent, p.g)];
  for (int i = 0; p.real && i < count; i++)
    d.out[at(i, d.n, p.i, p.g)] = guesser * strategy[i];
}

__global__ void down_take(tier t, tier above, common c) {
  const place p = here(t.n);
  const uint32_t parent = t.parent[p.i] / 4, action = t.parent[p.i] % 4;
  const int count = c.states[t.state[p.i]].choices;
  float guess[6], said[6], regret[4], strategy[4];
  load<6>(t.guess_regret, p, t.n, 6, guess);
  match_regrets<6>(guess, 6, said);
  load<4>(t.regret, p, t.n, count, regret);
  match_regrets<4>(regret, count, strategy);
  const float collector = above.reach[at(0, above.n, parent, p.g)];
  const float guesser = above.out[at(action, above.n, parent, p.g)];
  if (p.real)
    t.on[at(0, t.n, p.i, p.g)] = guesser * said[GO_ON];
  for (int i = 0; p.real && i < count; i++)
    t.out[at(i, t.n, p.i, p.g)] = collector * strategy[i];
}

/* ---- Up: values ---------------------------------------------------------- */

/* What a guess adds to the value of going on. */
template <int SIDE>
__device__ __forceinline__ float learn_guess(const tier &t, const common &c,
                                             const place &p, float collector,
                                             float guesser, const float *regret,
                                             const float *strategy, float on) {
  if (SIDE == COLLECTOR)
    return on + from_guessers(guesser, guess_pays(c.w, strategy));
  float value[6];
  const others o = others_of(collector);
  guess_values(c.w, o, o.of[0] + o.of[1] + o.of[2], value);
  value[GO_ON] = on;
  return learn<6>(p, t.n, 6, -1, guesser * c.weight, regret, strategy, value,
                  t.guess_regret, t.guess_sum);
}

template <int SIDE>
__global__ void __launch_bounds__(BLOCK)
    learn_last(tier t, tier above, common c) {
  const place p = here(t.n);
  const uint32_t parent = t.parent[p.i] / 4, action = t.parent[p.i] % 4;
  const lean_state *state = &c.states[t.state[p.i]];
  const int count = state->choices;
  float guess[6], said[6], regret[4], strategy[4], value[4];
  load<4>(t.regret, p, t.n, count, regret);
  load<6>(t.guess_regret, p, t.n, 6, guess);
  const float collector = above.reach[at(0, above.n, parent, p.g)];
  const float guesser = above.out[at(action, above.n, parent, p.g)];
  float sums[4];
  load<4>(t.sum, p, t.n, count, sums);
  match_regrets<4>(regret, count, strategy);
  match_regrets<6>(guess, 6, said);
#pragma unroll
  for (int i = 0; i < 4; i++) {
    value[i] = 0;
    /* what is there for another node of the warp is computed and not used */
    if (!__any_sync(0xffffffffu, i < count))
      continue;
    const lean_ending *e = &c.endings[state->ending[i < count ? i : 0]];
    const float reach = collector * strategy[i];
    const others pays =
        ending_play(e, c.w, sums[i] + reach * c.present, c.softness, p.g);
    value[i] = SIDE == COLLECTOR ? from_guessers(guesser * said[GO_ON], pays)
                                 : to_collectors(reach, pays);
  }
  float on = 0;
  if (SIDE == COLLECTOR) {
#pragma unroll
    for (int i = 0; i < 4; i++)
      if (p.real && i < count)
        t.worth[at(i, t.n, p.i, p.g)] += value[i] * c.weight;
    on = 0;
#pragma unroll
    for (int i = 0; i < 4; i++)
      on += i < count ? strategy[i] * value[i] : 0.0f;
#pragma unroll
    for (int i = 0; i < 4; i++)
      if (p.real && i < count) {
        const size_t k = at(i, t.n, p.i, p.g);
        t.regret[k] = fmaxf(regret[i] + (value[i] - on), 0.0f);
        t.sum[k] = sums[i] + collector * c.weight * strategy[i];
      }
  } else {
#pragma unroll
    for (int i = 0; i < 4; i++)
      on += i < count ? value[i] : 0.0f;
  }
  const float v =
      learn_guess<SIDE>(t, c, p, collector, guesser, guess, said, on);
  if (p.real)
    t.v[at(0, t.n, p.i, p.g)] = v;
}

/* From the values of the discards: the Guesser learns, to the Collector they add
 * up. */
template <int SIDE>
__device__ __forceinline__ void
conclude_discard(const tier &d, const tier &above, const common &c,
                 const place &p, int count, const float *value) {
  float v = 0;
  if (SIDE == GUESSER) {
    float regret[4], strategy[4];
    load<4>(d.regret, p, d.n, count, regret);
    match_regrets<4>(regret, count, strategy);
    const float guesser = above.on[at(0, above.n, d.parent[p.i] / 4, p.g)];
    v = learn<4>(p, d.n, count, -1, guesser * c.weight, regret, strategy, value,
                 d.regret, d.sum);
  } else {
    for (int i = 0; i < 4; i++)
      v += value[i];
  }
  if (p.real)
    d.v[at(0, d.n, p.i, p.g)] = v;
}

template <int SIDE>
__global__ void learn_discard(tier d, tier above, tier below, common c) {
  const place p = here(d.n);
  const lean_state *state = &c.states[d.state[p.i]];
  const int count = state->choices;
  uint32_t child = d.first[p.i];
  float value[4] = {0, 0, 0, 0};
#pragma unroll
  for (int i = 0; i < 4; i++)
    for (int r = 0; i < count && r < state->refills[i]; r++, child++)
      value[i] += below.v[at(0, below.n, child, p.g)] * below.chance[child];
  conclude_discard<SIDE>(d, above, c, p, count, value);
}

/* The first discards: their children are listed and renamed. */
__device__ __forceinline__ void linked_values(const tier &d, const tier &below,
                                              const common &c, const place &p,
                                              const lean_state *state,
                                              float *value) {
  uint32_t at_link = d.first[p.i];
  for (int i = 0; i < 4; i++) {
    value[i] = 0;
    for (int r = 0; i < state->choices && r < state->refills[i]; r++) {
      const link l = c.links[at_link++];
      value[i] += below.v[at(0, below.n, l.child, l.renamed >> (2 * p.g) & 3)] *
                  l.chance;
    }
  }
}

template <int SIDE>
__global__ void learn_first_discard(tier d, tier above, tier below, common c) {
  const place p = here(d.n);
  const lean_state *state = &c.states[d.state[p.i]];
  const int count = state->choices;
  float value[4];
  linked_values(d, below, c, p, state, value);
  conclude_discard<SIDE>(d, above, c, p, count, value);
}

/* A take but the last; FIRST has no guess before it. */
template <int SIDE, bool FIRST>
__global__ void learn_take(tier t, tier above, tier below, common c) {
  const place p = here(t.n);
  const lean_state *state = &c.states[t.state[p.i]];
  const int count = state->choices;
  uint32_t child = t.first[p.i];
  float value[4] = {0, 0, 0, 0}, regret[4], strategy[4], on = 0;
#pragma unroll
  for (int i = 0; i < 4; i++)
    for (int r = 0; i < count && r < state->refills[i]; r++, child++)
      value[i] += below.v[at(0, below.n, child, p.g)] * below.chance[child];
  float collector = 1, guesser = 1;
  if (!FIRST) {
    const uint32_t parent = t.parent[p.i] / 4, action = t.parent[p.i] % 4;
    collector = above.reach[at(0, above.n, parent, p.g)];
    guesser = above.out[at(action, above.n, parent, p.g)];
  }
  if (SIDE == COLLECTOR) {
    load<4>(t.regret, p, t.n, count, regret);
    match_regrets<4>(regret, count, strategy);
    on = learn<4>(p, t.n, count, 1, collector * c.weight, regret, strategy,
                  value, t.regret, t.sum);
  } else {
    for (int i = 0; i < 4; i++)
      on += value[i];
  }
  if (!FIRST) {
    float guess[6], said[6];
    load<6>(t.guess_regret, p, t.n, 6, guess);
    match_regrets<6>(guess, 6, said);
    on = learn_guess<SIDE>(t, c, p, collector, guesser, guess, said, on);
  }
  if (p.real)
    t.v[at(0, t.n, p.i, p.g)] = on;
}

/* ---- Solving again from the second discard -------------------------------- */

/* Before the second discard the opponent of each identity may stop and take
 * what the blueprint promises, or play on: two regrets, and the reach is how much
 * is played on. */
struct gate {
  float *play, *stop;          /* regrets, a row each */
  const float *counterfactual; /* a row */
};

__device__ __forceinline__ float playing(float play, float stop) {
  return play + stop > 0 ? play / (play + stop) : 0.5f;
}

template <int HERO>
__global__ void open_gate(tier d, tier above, gate gate, common c) {
  const place p = here(d.n);
  const int count = c.states[d.state[p.i]].choices;
  const size_t k = at(0, d.n, p.i, p.g);
  const uint32_t parent = d.parent[p.i] / 4, action = d.parent[p.i] % 4;
  float regret[4], strategy[4];
  load<4>(d.regret, p, d.n, count, regret);
  match_regrets<4>(regret, count, strategy);
  const float plays = playing(gate.play[k], gate.stop[k]);
  const float guesser =
      HERO == GUESSER ? above.on[at(0, above.n, parent, p.g)] : plays;
  if (p.real)
    d.reach[k] =
        HERO == GUESSER ? plays : above.sum[at(action, above.n, parent, p.g)];
  for (int i = 0; p.real && i < count; i++)
    d.out[at(i, d.n, p.i, p.g)] = guesser * strategy[i];
}

template <int HERO> __global__ void learn_gate(tier d, gate gate) {
  const place p = here(d.n);
  const size_t k = at(0, d.n, p.i, p.g);
  const float sign = HERO == GUESSER ? 1 : -1;
  const float on = sign * d.v[k], off = sign * gate.counterfactual[k];
  const float plays = playing(gate.play[k], gate.stop[k]);
  const float mean = plays * on + (1 - plays) * off;
  if (p.real) {
    gate.play[k] = fmaxf(gate.play[k] + on - mean, 0.0f);
    gate.stop[k] = fmaxf(gate.stop[k] + off - mean, 0.0f);
  }
}

/* ---- Best responses ------------------------------------------------------ */

/* The Collector's average at a discard, which a guess after it answers. */
__global__ void average_reach(tier d, tier above) {
  const place p = here(d.n);
  const uint32_t parent = d.parent[p.i] / 4, action = d.parent[p.i] % 4;
  if (p.real)
    d.reach[at(0, d.n, p.i, p.g)] = above.sum[at(action, above.n, parent, p.g)];
}

template <int SIDE>
__device__ __forceinline__ float best_guess(const tier &t, const tier &above,
                                            const common &c, const place &p,
                                            float on) {
  if (SIDE == COLLECTOR) {
    float sum[6];
    load<6>(t.guess_sum, p, t.n, 6, sum);
    return on + from_guessers(1, guess_pays(c.w, sum));
  }
  float value[6];
  const others o =
      others_of(above.reach[at(0, above.n, t.parent[p.i] / 4, p.g)]);
  guess_values(c.w, o, o.of[0] + o.of[1] + o.of[2], value);
  return fminf(on, smallest<5>(value, 5));
}

/* What a pick is worth: PICKS says who picks. */
template <int SIDE, int PICKS>
__device__ __forceinline__ float decided(const float *value, int count) {
  float v = value[0];
  for (int i = 1; i < 4; i++)
    if (i < count)
      v = SIDE != PICKS        ? v + value[i]
          : PICKS == COLLECTOR ? fmaxf(v, value[i])
                               : fminf(v, value[i]);
  return v;
}

template <int SIDE>
__global__ void __launch_bounds__(BLOCK)
    best_last(tier t, tier above, common c) {
  const place p = here(t.n);
  const lean_state *state = &c.states[t.state[p.i]];
  const int count = state->choices;
  float value[4];
  if (SIDE == COLLECTOR) {
    load<4>(t.worth, p, t.n, count, value);
  } else {
    float sum[4];
    load<4>(t.sum, p, t.n, count, sum);
#pragma unroll
    for (int i = 0; i < 4; i++)
      value[i] = ending_best(&c.endings[state->ending[i < count ? i : 0]], c.w,
                             sum[i], p.g);
  }
  const float v =
      best_guess<SIDE>(t, above, c, p, decided<SIDE, COLLECTOR>(value, count));
  if (p.real)
    t.v[at(0, t.n, p.i, p.g)] = v;
}

template <int SIDE, bool LINKED>
__global__ void best_discard(tier d, tier below, common c) {
  const place p = here(d.n);
  const lean_state *state = &c.states[d.state[p.i]];
  float value[4] = {0, 0, 0, 0};
  if (LINKED) {
    linked_values(d, below, c, p, state, value);
  } else {
    uint32_t child = d.first[p.i];
#pragma unroll
    for (int i = 0; i < 4; i++)
      for (int r = 0; i < state->choices && r < state->refills[i]; r++, child++)
        value[i] += below.v[at(0, below.n, child, p.g)] * below.chance[child];
  }
  if (p.real)
    d.v[at(0, d.n, p.i, p.g)] = decided<SIDE, GUESSER>(value, state->choices);
}

template <int SIDE, bool FIRST>
__global__ void best_take(tier t, tier above, tier below, common c) {
  const place p = here(t.n);
  const lean_state *state = &c.states[t.state[p.i]];
  uint32_t child = t.first[p.i];
  float value[4] = {0, 0, 0, 0};
#pragma unroll
  for (int i = 0; i < 4; i++)
    for (int r = 0; i < state->choices && r < state->refills[i]; r++, child++)
      value[i] += below.v[at(0, below.n, child, p.g)] * below.chance[child];
  float v = decided<SIDE, COLLECTOR>(value, state->choices);
  if (!FIRST)
    v = best_guess<SIDE>(t, above, c, p, v);
  if (p.real)
    t.v[at(0, t.n, p.i, p.g)] = v;
}

/* ---- Last takes by state --------------------------------------------------- */

/* A block adds up the histories of one state, always in the same order. */
__global__ void gather_state(tier t, tier above, const uint32_t *begin,
                             const uint32_t *member, float *out) {
  __shared__ float part[BLOCK][4];
  const uint32_t s = blockIdx.x;
  const uint32_t g = threadIdx.x % 4, lane = threadIdx.x / 4;
  float sum[4] = {0, 0, 0, 0};
  for (uint32_t k = begin[s] + lane; k < begin[s + 1]; k += BLOCK / 4) {
    const uint32_t n = member[k];
    const float path = above.path[t.parent[n] / 4] * t.chance[n];
    for (int i = 0; i < 4; i++)
      sum[i] += t.sum[at(i, t.n, n, g)] * path;
  }
  for (int i = 0; i < 4; i++)
    part[threadIdx.x][i] = sum[i];
  __syncthreads();
  if (threadIdx.x >= 16)
    return;
  const uint32_t i = threadIdx.x / 4;
  float total = 0;
  for (uint32_t k = 0; k < BLOCK / 4; k++)
    total += part[4 * k + g][i];
  out[(size_t)s * 16 + i * 4 + g] = total;
}

/* ---- The solver ----------------------------------------------------------- */

struct device {
  tier level[LEVELS];
  common c;
  uint32_t state_count;
  uint32_t *begin, *member;
  float *gathered, *answers;
  std::vector<void *> held;
};

static const char *problem;

static void *take(device *d, size_t bytes) {
  void *p = NULL;
  const cudaError_t e = cudaMalloc(&p, bytes ? bytes : 16);
  if (e != cudaSuccess) {
    problem = cudaGetErrorString(e);
    return NULL;
  }
  d->held.push_back(p);
  return p;
}

static void *give(device *d, const void *from, size_t bytes) {
  void *p = take(d, bytes);
  if (p && cudaMemcpy(p, from, bytes, cudaMemcpyHostToDevice) != cudaSuccess)
    problem = "copying to the card failed";
  return p;
}

static float *rows(device *d, uint32_t n, int count) {
  return (float *)take(d, (size_t)n * 16 * (size_t)count);
}

static bool is_take(int l) { return l % 2 == 0; }

static void make_level(device *d, const level *from, int l) {
  tier *t = &d->level[l];
  const uint32_t n = from->count;
  memset(t, 0, sizeof *t);
  t->n = n;
  t->parent = (const uint32_t *)give(d, from->parent, n * sizeof(uint32_t));
  t->state = (const uint32_t *)give(d, from->state, n * sizeof(uint32_t));
  t->chance = (const float *)give(d, from->chance, n * sizeof(float));
  if (l < T4) {
    t->first = (const uint32_t *)give(d, from->first, n * sizeof(uint32_t));
    t->path = (const float *)give(d, from->path, n * sizeof(float));
    t->out = rows(d, n, 4);
  }
  t->regret = rows(d, n, 4);
  t->sum = rows(d, n, 4);
  t->v = rows(d, n, 1);
  if (l == T4)
    t->worth = rows(d, n, 4);
  if (is_take(l) && l > T1) {
    t->guess_regret = rows(d, n, 6);
    t->guess_sum = rows(d, n, 6);
  }
  if (is_take(l))
    t->on = rows(d, n, 1);
  else
    t->reach = rows(d, n, 1);
}

/* The last takes of each state, in their order. */
static void sort_last(device *d, const lean_trees *f) {
  const level *l = &f->level[T4];
  uint32_t *begin = (uint32_t *)calloc(f->state_count + 2, sizeof *begin);
  uint32_t *member =
      (uint32_t *)malloc(((size_t)l->count + 1) * sizeof *member);
  if (!begin || !member) {
    problem = "no memory";
  } else {
    for (uint32_t i = 0; i < l->count; i++)
      begin[l->state[i] + 2]++;
    for (uint32_t s = 2; s < f->state_count + 2; s++)
      begin[s] += begin[s - 1];
    for (uint32_t i = 0; i < l->count; i++)
      member[begin[l->state[i] + 1]++] = i;
    d->begin = (uint32_t *)give(d, begin, (f->state_count + 1) * sizeof *begin);
    d->member = (uint32_t *)give(d, member, l->count * sizeof *member);
    d->gathered = (float *)take(d, (size_t)f->state_count * 64);
  }
  free(begin);
  free(member);
}

struct device *device_new(const struct lean_trees *f) {
  device *d = new device();
  problem = NULL;
  for (int l = 0; l < LEVELS && !problem; l++)
    make_level(d, &f->level[l], l);
  if (!problem) {
    d->state_count = f->state_count;
    d->c.states = (const lean_state *)give(d, f->states,
                                           f->state_count * sizeof *f->states);
    d->c.endings = (const lean_ending *)give(
        d, f->endings, f->ending_count * sizeof *f->endings);
    d->c.links =
        (const link *)give(d, f->links, f->link_count * sizeof *f->links);
    d->answers = rows(d, f->level[D2].count, 1);
    sort_last(d, f);
  }
  if (!problem)
    return d;
  device_free(d);
  return NULL;
}

void device_free(struct device *d) {
  for (size_t i = 0; d && i < d->held.size(); i++)
    cudaFree(d->held[i]);
  delete d;
}

const char *device_problem(void) { return problem ? problem : ""; }

bool device_sound(void) {
  const cudaError_t e = cudaDeviceSynchronize();
  if (e != cudaSuccess)
    problem = cudaGetErrorString(e);
  return e == cudaSuccess;
}

__global__ void scale_rows(float *x, size_t n, float by) {
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    x[i] *= by;
}

static void keep_rows(float *x, uint32_t n, int count, float keep) {
  const size_t numbers = (size_t)n * 4 * (size_t)count;
  if (!x)
    return;
  if (keep == 0)
    cudaMemset(x, 0, numbers * sizeof *x);
  else
    scale_rows<<<4096, 256>>>(x, numbers, keep);
}

void device_begin(struct device *d, const struct lean_worth *w, float keep) {
  d->c.w = *w;
  for (int l = 0; l < LEVELS; l++) {
    tier *t = &d->level[l];
    keep_rows(t->regret, t->n, 4, keep);
    keep_rows(t->guess_regret, t->n, 6, keep);
    keep_rows(t->sum, t->n, 4, 0);
    keep_rows(t->guess_sum, t->n, 6, 0);
    keep_rows(t->worth, t->n, 4, 0);
  }
}

static unsigned grid(uint32_t n) {
  return (unsigned)(((size_t)n * 4 + BLOCK - 1) / BLOCK);
}
#define FOR(l) <<<grid(v[l].n), BLOCK>>>

static void down(device *d) {
  const tier *v = d->level;
  down_first_take FOR(T1)(v[T1], d->c);
  down_discard FOR(D1)(v[D1], v[T1], d->c);
  down_take FOR(T2)(v[T2], v[D1], d->c);
  down_discard FOR(D2)(v[D2], v[T2], d->c);
  down_take FOR(T3)(v[T3], v[D2], d->c);
  down_discard FOR(D3)(v[D3], v[T3], d->c);
}

template <int SIDE> static void pass(device *d) {
  const tier *v = d->level;
  down(d);
  learn_last<SIDE> FOR(T4)(v[T4], v[D3], d->c);
  learn_discard<SIDE> FOR(D3)(v[D3], v[T3], v[T4], d->c);
  learn_take<SIDE, false> FOR(T3)(v[T3], v[D2], v[D3], d->c);
  learn_discard<SIDE> FOR(D2)(v[D2], v[T2], v[T3], d->c);
  learn_take<SIDE, false> FOR(T2)(v[T2], v[D1], v[D2], d->c);
  learn_first_discard<SIDE> FOR(D1)(v[D1], v[T1], v[T2], d->c);
  learn_take<SIDE, true> FOR(T1)(v[T1], v[T1], v[D1], d->c);
}

/* As the solver's: later iterations weigh more, and how far from best the
 * Guesser's endings may be falls with the iterations. */
static float weight_at(uint32_t n) { return (float)n * (float)n; }

static float softness_at(const lean_worth *w, uint32_t n) {
  return 3 * ((w->set - w->both) / 11) * powf((float)n, -0.6f);
}

void device_iterate(struct device *d, uint32_t number) {
  d->c.softness = softness_at(&d->c.w, number);
  d->c.weight = weight_at(number);
  d->c.present = weight_at(number);
  pass<COLLECTOR>(d);
  d->c.present = weight_at(number + 1);
  pass<GUESSER>(d);
}

template <int SIDE> static void best_late(device *d) {
  const tier *v = d->level;
  best_last<SIDE> FOR(T4)(v[T4], v[D3], d->c);
  best_discard<SIDE, false> FOR(D3)(v[D3], v[T4], d->c);
  best_take<SIDE, false> FOR(T3)(v[T3], v[D2], v[D3], d->c);
  best_discard<SIDE, false> FOR(D2)(v[D2], v[T3], d->c);
}

template <int SIDE> static void best_early(device *d, float *out) {
  const tier *v = d->level;
  best_take<SIDE, false> FOR(T2)(v[T2], v[D1], v[D2], d->c);
  best_discard<SIDE, true> FOR(D1)(v[D1], v[T2], d->c);
  best_take<SIDE, true> FOR(T1)(v[T1], v[T1], v[D1], d->c);
  cudaMemcpy(out, v[T1].v, (size_t)v[T1].n * 16, cudaMemcpyDeviceToHost);
}

static void average_reaches(device *d) {
  const tier *v = d->level;
  average_reach FOR(D1)(v[D1], v[T1]);
  average_reach FOR(D2)(v[D2], v[T2]);
  average_reach FOR(D3)(v[D3], v[T3]);
}

void device_bounds(struct device *d, float *low, float *high) {
  const tier *v = d->level;
  average_reaches(d);
  best_late<GUESSER>(d);
  cudaMemcpy(d->answers, v[D2].v, (size_t)v[D2].n * 16,
             cudaMemcpyDeviceToDevice);
  best_early<GUESSER>(d, low);
  best_late<COLLECTOR>(d);
  best_early<COLLECTOR>(d, high);
}

/* ---- The pipeline --------------------------------------------------------- */

template <int SIDE, int HERO> static void late_pass(device *d, gate g) {
  const tier *v = d->level;
  open_gate<HERO> FOR(D2)(v[D2], v[T2], g, d->c);
  down_take FOR(T3)(v[T3], v[D2], d->c);
  down_discard FOR(D3)(v[D3], v[T3], d->c);
  learn_last<SIDE> FOR(T4)(v[T4], v[D3], d->c);
  learn_discard<SIDE> FOR(D3)(v[D3], v[T3], v[T4], d->c);
  learn_take<SIDE, false> FOR(T3)(v[T3], v[D2], v[D3], d->c);
  learn_discard<SIDE> FOR(D2)(v[D2], v[T2], v[T3], d->c);
  if (SIDE != HERO)
    learn_gate<HERO> FOR(D2)(v[D2], g);
}

template <int HERO>
static void solve_again(device *d, gate g, uint32_t iterations) {
  double weights = 0;
  const tier *d2 = &d->level[D2];
  for (uint32_t i = 1; i <= iterations; i++) {
    d->c.softness = softness_at(&d->c.w, i);
    d->c.weight = d->c.present = weight_at(i);
    late_pass<COLLECTOR, HERO>(d, g);
    d->c.present = weight_at(i + 1);
    late_pass<GUESSER, HERO>(d, g);
    weights += (double)weight_at(i);
  }
  if (HERO == COLLECTOR) { /* what is fixed counts in every iteration */
    average_reaches(d);
    scale_rows<<<1024, 256>>>(d2->reach, (size_t)d2->n * 4, (float)weights);
  }
  best_late<HERO == COLLECTOR ? GUESSER : COLLECTOR>(d);
  scale_rows<<<1024, 256>>>(d2->v, (size_t)d2->n * 4, (float)(1 / weights));
}

static void put(float *to, const float *from, uint32_t n, int count) {
  cudaMemcpy(to, from, (size_t)n * 16 * (size_t)count, cudaMemcpyHostToDevice);
}

bool device_pipeline(struct device *d, const struct lean_worth *w,
                     const struct lean_top *t, uint32_t iterations,
                     float *value) {
  const tier *t1 = &d->level[T1], *t2 = &d->level[T2];
  const size_t row = (size_t)d->level[D2].n * 16;
  gate g;
  device_begin(d, w, 0);
  problem = NULL;
  g.play = (float *)take(d, row);
  g.stop = (float *)take(d, row);
  g.counterfactual = (const float *)give(d, t->counterfactual, row);
  if (problem)
    return false;
  cudaMemset(g.play, 0, row);
  cudaMemset(g.stop, 0, row);
  if (t->collector) {
    put(t1->sum, t->takes, t1->n, 4);
    put(t2->sum, t->second_takes, t2->n, 4);
    solve_again<COLLECTOR>(d, g, iterations);
    best_early<GUESSER>(d, value);
  } else {
    put(t2->guess_sum, t->guesses, t2->n, 6);
    put(t2->on, t->guesses + (size_t)t2->n * 4 * 5, t2->n, 1);
    solve_again<GUESSER>(d, g, iterations);
    best_early<COLLECTOR>(d, value);
  }
  return true;
}

static void bring(void *out, const void *from, size_t bytes) {
  cudaMemcpy(out, from, bytes, cudaMemcpyDeviceToHost);
}

void device_second_discards(const struct device *d, float *collector,
                            float *guesser) {
  bring(collector, d->level[D2].v, (size_t)d->level[D2].n * 16);
  bring(guesser, d->answers, (size_t)d->level[D2].n * 16);
}

void device_pick_sums(const struct device *d, int l, float *out) {
  bring(out, d->level[l].sum, (size_t)d->level[l].n * 64);
}

void device_guess_sums(const struct device *d, int l, float *out) {
  bring(out, d->level[l].guess_sum, (size_t)d->level[l].n * 96);
}

void device_last_takes(const struct device *d, float *out) {
  gather_state<<<d->state_count, BLOCK>>>(d->level[T4], d->level[D3], d->begin,
                                          d->member, d->gathered);
  bring(out, d->gathered, (size_t)d->state_count * 64);
}
