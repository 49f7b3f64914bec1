/* Trains the nets of Favor for two; see ../net.h.
 *
 *   favor-train STEPS LANES FILE [SEED [SECONDS]]
 *
 * Many tables play a day against themselves at once. At each turn both sides
 * look one event ahead: what follows is solved (CFR+), and what lies behind it
 * is what the net says. What came out at the turn is what the net shall say
 * before the cards were drawn. So the last cards are learnt first, from the
 * payoffs, and all before from what comes after. Day three comes first; what a
 * lead is worth after day two is what its net says of the start, and so on.
 *
 * STEPS are for each day; with SECONDS they become as many as fit. Without a
 * graphics card (compiled as C++) the same runs on the processor, slowly: for
 * tests. Everything is drawn by the seed. */
#include "../turn.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

#ifdef __CUDACC__
#include <cublas_v2.h>
#define KERNEL static __global__ void
#define DEVICE static __device__
#else
#define KERNEL static void
#define DEVICE static
#endif

enum {
  GROUP = 16, /* threads of a table: one an event */
  TABLES = 8, /* of a block */
  ITERATIONS = 32,
  BATCH_PARTS = 4,
  LEAD_MAX = 35,
  SYMMETRIES = 8
};
static const float EXPLORE = 0.25f, TREMBLE = 0.02f, ANY_RANGE = 0.1f;

/* ---- The card, or the processor --------------------------------------------- */

#ifdef __CUDACC__
static void check(cudaError_t e, int line) {
  if (e != cudaSuccess) {
    fprintf(stderr, "train.cu:%d: %s\n", line, cudaGetErrorString(e));
    exit(1);
  }
}
#define CHECK(call) check(call, __LINE__)
static cublasHandle_t blas;

static void begin() {
  if (cublasCreate(&blas) != CUBLAS_STATUS_SUCCESS)
    exit(1);
  cublasSetMathMode(blas, CUBLAS_TF32_TENSOR_OP_MATH);
}
static void *room(size_t bytes) {
  void *p;
  CHECK(cudaMalloc(&p, bytes));
  CHECK(cudaMemset(p, 0, bytes));
  return p;
}
static void send(void *to, const void *from, size_t bytes) {
  CHECK(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
}
static void fetch(void *to, const void *from, size_t bytes) {
  CHECK(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
}
/* A kernel is called for every number below n. */
#define EACH(kernel, n, ...)                                                   \
  do {                                                                         \
    kernel<<<((n) + 255) / 256, 256>>>(n, __VA_ARGS__);                        \
    CHECK(cudaGetLastError());                                                 \
  } while (0)
#define FOR_ME(i, n)                                                           \
  const int i = blockIdx.x * blockDim.x + threadIdx.x;                         \
  if (i < n)
#else
static void begin() {}
static void *room(size_t bytes) { return calloc(1, bytes); }
static void send(void *to, const void *from, size_t bytes) {
  memcpy(to, from, bytes);
}
static void fetch(void *to, const void *from, size_t bytes) {
  memcpy(to, from, bytes);
}
#define EACH(kernel, n, ...) kernel(n, __VA_ARGS__)
#define FOR_ME(i, n) for (int i = 0; i < n; i++)
#endif

/* Matrices lie in rows. y = x w', dx = dy w, dw = dy' x; n rows of x. */
#ifdef __CUDACC__
static void gemm(cublasOperation_t ta, cublasOperation_t tb, int m, int n,
                 int k, const float *a, int lda, const float *b, int ldb,
                 float *c, int ldc) {
  const float one = 1, none = 0;
  if (cublasSgemm(blas, ta, tb, m, n, k, &one, a, lda, b, ldb, &none, c, ldc) !=
      CUBLAS_STATUS_SUCCESS) {
    fprintf(stderr, "train.cu: cublasSgemm failed\n");
    exit(1);
  }
}
static void forward(const float *x, const float *w, float *y, int n, int in,
                    int out) {
  gemm(CUBLAS_OP_T, CUBLAS_OP_N, out, n, in, w, in, x, in, y, out);
}
static void back_input(const float *dy, const float *w, float *dx, int n,
                       int in, int out) {
  gemm(CUBLAS_OP_N, CUBLAS_OP_N, in, n, out, w, in, dy, out, dx, in);
}
static void back_weights(const float *dy, const float *x, float *dw, int n,
                         int in, int out) {
  gemm(CUBLAS_OP_N, CUBLAS_OP_T, in, out, n, x, in, dy, out, dw, in);
}
#else
static void forward(const float *x, const float *w, float *y, int n, int in,
                    int out) {
  for (int r = 0; r < n; r++)
    for (int o = 0; o < out; o++) {
      float sum = 0;
      for (int i = 0; i < in; i++)
        sum += x[r * in + i] * w[o * in + i];
      y[r * out + o] = sum;
    }
}
static void back_input(const float *dy, const float *w, float *dx, int n,
                       int in, int out) {
  memset(dx, 0, sizeof *dx * (size_t)n * (size_t)in);
  for (int r = 0; r < n; r++)
    for (int o = 0; o < out; o++)
      for (int i = 0; i < in; i++)
        dx[r * in + i] += dy[r * out + o] * w[o * in + i];
}
static void back_weights(const float *dy, const float *x, float *dw, int n,
                         int in, int out) {
  memset(dw, 0, sizeof *dw * (size_t)in * (size_t)out);
  for (int r = 0; r < n; r++)
    for (int o = 0; o < out; o++)
      for (int i = 0; i < in; i++)
        dw[o * in + i] += dy[r * out + o] * x[r * in + i];
}
#endif

/* ---- Luck --------------------------------------------------------------------- */

MODEL uint32_t luck(uint64_t *state) { /* splitmix64 */
  uint64_t z = *state += 0x9e3779b97f4a7c15ull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return (uint32_t)((z ^ z >> 31) >> 32);
}
MODEL float unit(uint64_t *s) { return (float)(luck(s) >> 8) / 16777216.0f; }
MODEL int below(uint64_t *s, int n) {
  return (int)((uint64_t)luck(s) * (uint64_t)n >> 32);
}
MODEL float normal(uint64_t *s) {
  float sum = -6;
  for (int i = 0; i < 12; i++)
    sum += unit(s);
  return sum;
}

/* ---- Tables ------------------------------------------------------------------- */

struct table {
  struct position p;         /* before cards are drawn */
  struct sal_favor_ending e; /* what stays the same all day; ranges */
  uint64_t rng;
  int symmetry; /* of the record */
  struct position turn;
  bool final;
};

MODEL void any_range(uint64_t *rng, float *range) {
  const float sharp = 4 * unit(rng);
  float sum = 0;
  for (int i = 0; i < TYPES; i++)
    sum += range[i] = powf(unit(rng) + 1e-3f, sharp);
  for (int i = 0; i < TYPES; i++)
    range[i] /= sum;
}

MODEL void new_day(struct table *t, int day) {
  const uint64_t rng = t->rng;
  const uint8_t stock[KINDS] = {3, 3, 3, 3, 1, 1};
  memset(t, 0, sizeof *t);
  t->rng = rng;
  memcpy(t->p.deck, stock, sizeof stock);
  t->p.gems[0] = t->p.gems[1] = 5;
  t->e.day = (uint8_t)day;
  t->e.last = day == 3;
  t->e.english = below(&t->rng, 2) != 0;
  t->e.first = t->p.turn = (uint8_t)below(&t->rng, 2);
  if (day > 1) {
    const float spread = below(&t->rng, 10) < 7 ? 6 : 13;
    float lead = roundf(spread * normal(&t->rng));
    lead = fminf(fmaxf(lead, -LEAD_MAX), LEAD_MAX);
    t->e.lead = (int8_t)lead;
  }
  for (int s = 0; s < 2; s++)
    for (int i = 0; i < TYPES; i++)
      t->e.range[s][i] = 0.25f;
}

MODEL int turned_kind(int kind, int symmetry) {
  if (kind >= TYPES)
    return symmetry & 4 ? 9 - kind : kind;
  const int k = kind ^ (symmetry & 3);
  return symmetry & 4 ? (k & 1) << 1 | k >> 1 : k;
}

MODEL void turn_cards(uint8_t *cards, int symmetry) {
  uint8_t old[KINDS];
  memcpy(old, cards, sizeof old);
  for (int k = 0; k < KINDS; k++)
    cards[turned_kind(k, symmetry)] = old[k];
}

/* The kind of a card of the deck. */
MODEL int any_card(struct table *t, const uint8_t *deck) {
  int at = below(&t->rng, model_cards(deck)), k = 0;
  while (at >= deck[k])
    at -= deck[k++];
  return k;
}

MODEL void draw_cards(struct table *t) {
  struct position *p = &t->turn;
  *p = t->p;
  for (int n = model_draws(p, t->e.day); n > 0; n--) {
    const int k = any_card(t, p->deck);
    p->deck[k]--;
    p->lot[k]++;
  }
  t->final = model_cards(p->deck) == 0;
}

KERNEL seed_tables(int n, struct table *tables, uint64_t seed, int day) {
  FOR_ME(i, n) {
    tables[i].rng = seed + (uint64_t)i * 0x632be59bd9b4e019ull;
    for (int k = 0; k < 4; k++)
      luck(&tables[i].rng);
    new_day(&tables[i], day);
    /* On day one every event takes one card: tables begin at different ones. */
    for (int k = i % 14; k > 0; k--)
      tables[i].p.deck[any_card(&tables[i], tables[i].p.deck)]--;
  }
}

/* What is recorded of a table before the draw; then the draw. */
KERNEL record_and_draw(int n, struct table *tables, float *x, float *ranges) {
  FOR_ME(i, n) {
    struct table *t = &tables[i];
    for (int s = 0; s < 2; s++)
      if (unit(&t->rng) < ANY_RANGE)
        any_range(&t->rng, t->e.range[s]);
    t->symmetry = below(&t->rng, SYMMETRIES);
    struct position p = t->p;
    turn_cards(p.deck, t->symmetry);
    turn_cards(p.lot, t->symmetry);
    turn_cards(p.collection[0], t->symmetry);
    turn_cards(p.collection[1], t->symmetry);
    net_input(&p, t->e.lead, t->e.first, t->e.english, x + (size_t)i * NET_IN);
    for (int s = 0; s < 2; s++)
      for (int k = 0; k < TYPES; k++)
        ranges[i * NET_RANGES + 4 * s + turned_kind(k, t->symmetry)] =
            t->e.range[s ? !p.turn : p.turn][k];
    draw_cards(t);
  }
}

/* ---- Events ------------------------------------------------------------------- */

/* Of each event of each table: its kind, what the net reads of it, or what it
 * pays, to who is on turn at the root. */
KERNEL list_events(int n, const struct table *tables,
                   const struct sal_favor_worth *worth, uint8_t *kind, float *x,
                   float *pay) {
  FOR_ME(i, n) {
    const struct table *t = &tables[i / EVENTS];
    const int me = t->turn.turn;
    struct position p;
    kind[i] = (uint8_t)model_event(&t->turn, t->final, i % EVENTS, &p);
    float *in = x + (size_t)i * NET_IN;
    if (kind[i] == BEFORE_DRAW)
      net_input(&p, t->e.lead, t->e.first, t->e.english, in);
    else
      for (int k = 0; k < NET_IN; k++)
        in[k] = 0;
    if (kind[i] == DAY_OVER)
      turn_pays(&t->e, &worth[t->e.english], &p, me, pay + i * NET_PAIRS);
  }
}

/* ---- The net ------------------------------------------------------------------ */

struct head {
  float range[NET_HEAD][NET_RANGES], inner[NET_HEAD][NET_HEAD], bias[NET_HEAD],
      pair[NET_PAIRS][NET_HEAD];
};

KERNEL add_bias(int n, float *y, const float *bias, int width, int relu) {
  FOR_ME(i, n) {
    const float v = y[i] + bias[i % width];
    y[i] = relu && v < 0 ? 0 : v;
  }
}

/* What the head makes of the trunk and two ranges that sum to 1. */
DEVICE void ask_head(const struct head *h, const float *trunk,
                     const float *range, float *pairs) {
  float z[NET_HEAD];
#ifdef __CUDACC__
#pragma unroll
#endif
  for (int m = 0; m < NET_HEAD; m++) {
    float sum = trunk[m];
#ifdef __CUDACC__
#pragma unroll
#endif
    for (int k = 0; k < NET_RANGES; k++)
      sum += h->range[m][k] * range[k];
    z[m] = sum > 0 ? sum : 0;
  }
  for (int o = 0; o < NET_PAIRS; o++)
    pairs[o] = trunk[NET_HEAD + o];
  for (int q = 0; q < NET_HEAD; q++) {
    float sum = h->bias[q];
#ifdef __CUDACC__
#pragma unroll
#endif
    for (int m = 0; m < NET_HEAD; m++)
      sum += h->inner[q][m] * z[m];
    if (sum < 0)
      sum = 0;
#ifdef __CUDACC__
#pragma unroll
#endif
    for (int o = 0; o < NET_PAIRS; o++)
      pairs[o] += h->pair[o][q] * sum;
  }
  for (int o = 0; o < NET_PAIRS; o++)
    pairs[o] = tanhf(pairs[o]);
}

/* ---- Solving a turn ------------------------------------------------------------ */

/* A turn, and the sum of what it was worth in all iterations. */
struct solve {
  struct turn t;
  float total[2][TYPES];
};

DEVICE void value_event(struct turn *t, int event, const struct head *h,
                        const float *trunk, const float *pay) {
  float range[NET_RANGES], pairs[NET_PAIRS];
  const float *reach = t->reach[event];
  float *value = t->value[event];
  if (t->kind[event] == DAY_OVER) {
    turn_values(pay, reach, reach + 4, value, value + 4);
    return;
  }
  turn_ranges(reach, range);
  ask_head(h, trunk, range, pairs);
  turn_values(pairs, reach + 4, reach, value + 4, value);
}

/* ---- Going on ------------------------------------------------------------------- */

DEVICE int pick(uint64_t *rng, const float *weight, int count) {
  float sum = 0;
  for (int i = 0; i < count; i++)
    sum += weight[i];
  if (unit(rng) < EXPLORE || !(sum > 1e-20f))
    return below(rng, count);
  float at = unit(rng) * sum;
  for (int i = 0; i < count; i++)
    if ((at -= weight[i]) < 0)
      return i;
  return count - 1;
}

/* One decision by the average strategies; the range follows. */
DEVICE int decide(const struct turn *s, uint64_t *rng, int side, int at,
                  int count, float *range) {
  float weight[BIDS] = {0}, sum = 0;
  for (int i = 0; i < TYPES; i++)
    for (int o = 0; o < count; o++)
      weight[o] += range[i] * s->chance[side][i][at + o];
  const int o = pick(rng, weight, count);
  for (int i = 0; i < TYPES; i++)
    sum += range[i] *=
        (1 - TREMBLE) * s->chance[side][i][at + o] + TREMBLE / (float)count;
  for (int i = 0; i < TYPES; i++)
    range[i] /= sum;
  return o;
}

DEVICE void go_on(struct turn *s, struct table *t) {
  const int me = t->turn.turn;
  float *mine = t->e.range[me], *theirs = t->e.range[!me];
  int event = 0;
  for (int k = 0; k < 8; k++)
    turn_choose(s, k / 4, s->sum[k / 4][k % 4], s->chance[k / 4][k % 4]);
  if (s->final || decide(s, &t->rng, 0, 0, 2, mine)) {
    const int first = s->final ? 0 : 1;
    const int bid =
        decide(s, &t->rng, first, FIRST, turn_bids(s), first ? theirs : mine);
    event = 1 + 2 * bid;
    if (turn_can_raise(s, bid))
      event +=
          decide(s, &t->rng, !first, LAST + 2 * bid, 2, first ? mine : theirs);
  }
  struct position next;
  if (model_event(&t->turn, t->final, event, &next) == DAY_OVER)
    new_day(t, t->e.day);
  else
    t->p = next;
}

/* What the record shall say: values a type, to who was on turn. */
DEVICE void tell_target(const struct solve *s, const struct table *t,
                        float weights, float *target) {
  for (int k = 0; k < NET_RANGES; k++) {
    const float *other = t->e.range[k < 4 ? !t->turn.turn : t->turn.turn];
    float sum = 0;
    for (int i = 0; i < TYPES; i++)
      sum += i == k % 4 ? 0 : other[i];
    target[(k & 4) + turned_kind(k % 4, t->symmetry)] =
        sum > 1e-6f ? s->total[k / 4][k % 4] / weights / sum : 0;
  }
}

/* ---- All turns at once ------------------------------------------------------------ */

#ifdef __CUDACC__
#define LANES for (int lane = threadIdx.x % GROUP, once = 1; once; once = 0)
#define JOIN __syncwarp()
#else
#define LANES for (int lane = 0; lane < GROUP; lane++)
#define JOIN
#endif

DEVICE float range_of(const struct table *t, int side, int type) {
  return t->e.range[side ? !t->turn.turn : t->turn.turn][type];
}

DEVICE void solve_table(struct solve *s, struct table *t, const struct head *h,
                        const uint8_t *kind, const float *trunk,
                        const float *pay, float *target) {
  float weights = 0;
  LANES {
    for (size_t i = (size_t)lane; i < sizeof *s / 4; i += GROUP)
      ((float *)s)[i] = 0;
  }
  JOIN;
  LANES {
    if (lane < EVENTS)
      s->t.kind[lane] = kind[lane];
    if (lane == EVENTS)
      s->t.final = t->final;
  }
  JOIN;
  LANES {
    if (lane < 8) {
      turn_begin(&s->t, s->t.chance[lane / 4][lane % 4]);
      turn_spread(&s->t, lane / 4, lane % 4, range_of(t, lane / 4, lane % 4));
    }
  }
  JOIN;
  for (int half = 0; half < 2 * ITERATIONS; half++) {
    const int n = half / 2 + 1, side = half & 1;
    const float weight = (float)(n * n);
    weights += side ? 0 : weight;
    LANES {
      if (lane < EVENTS && s->t.kind[lane] != NO_EVENT)
        value_event(&s->t, lane, h, trunk + lane * NET_TRUNK_OUT,
                    pay + lane * NET_PAIRS);
    }
    JOIN;
    LANES {
      if (lane < TYPES) {
        s->total[side][lane] += weight * turn_update(&s->t, side, lane, weight);
        turn_spread(&s->t, side, lane, range_of(t, side, lane));
      }
    }
    JOIN;
  }
  LANES {
    if (lane == 0) {
      tell_target(s, t, weights, target);
      go_on(&s->t, t);
    }
  }
  JOIN;
}

KERNEL solve_turns(int n, struct table *tables, const struct head *head,
                   const uint8_t *kind, const float *trunk, const float *pay,
                   float *target) {
#ifdef __CUDACC__
  __shared__ struct head h;
  __shared__ struct solve s[TABLES];
  for (int i = threadIdx.x; i < (int)(sizeof h / 4); i += blockDim.x)
    ((float *)&h)[i] = ((const float *)head)[i];
  __syncthreads();
  const int group = threadIdx.x / GROUP;
  const int i = blockIdx.x * TABLES + group;
  if (i < n)
    solve_table(&s[group], &tables[i], &h, kind + i * EVENTS,
                trunk + (size_t)i * EVENTS * NET_TRUNK_OUT,
                pay + (size_t)i * EVENTS * NET_PAIRS, target + i * NET_RANGES);
#else
  struct solve s;
  for (int i = 0; i < n; i++)
    solve_table(&s, &tables[i], head, kind + i * EVENTS,
                trunk + (size_t)i * EVENTS * NET_TRUNK_OUT,
                pay + (size_t)i * EVENTS * NET_PAIRS, target + i * NET_RANGES);
#endif
}

/* ---- Learning ------------------------------------------------------------------- */

KERNEL mix_head(int n, float *z, const float *trunk) {
  FOR_ME(i, n) {
    const float v =
        z[i] + trunk[(size_t)(i / NET_HEAD) * NET_TRUNK_OUT + i % NET_HEAD];
    z[i] = v > 0 ? v : 0;
  }
}

KERNEL finish_pairs(int n, float *pairs, const float *trunk) {
  FOR_ME(i, n) {
    pairs[i] = tanhf(pairs[i] + trunk[(size_t)(i / NET_PAIRS) * NET_TRUNK_OUT +
                                      NET_HEAD + i % NET_PAIRS]);
  }
}

/* Turns pairs into what they should change by; `error`: squares of a row. */
KERNEL compare_pairs(int n, float *pairs, const float *ranges,
                     const float *target, float *error, float scale) {
  FOR_ME(r, n) {
    const float *mine = ranges + r * NET_RANGES, *theirs = mine + 4;
    float *m = pairs + r * NET_PAIRS, value[NET_RANGES], off[NET_RANGES];
    float squares = 0;
    turn_values(m, mine, theirs, value, value + 4);
    for (int k = 0; k < NET_RANGES; k++) {
      const float *other = k < 4 ? theirs : mine;
      float sum = 0;
      for (int i = 0; i < TYPES; i++)
        sum += i == k % 4 ? 0 : other[i];
      off[k] = sum > 1e-6f ? value[k] / sum - target[r * NET_RANGES + k] : 0;
      squares += sum * off[k] * off[k];
    }
    error[r] = squares;
    for (int i = 0; i < TYPES; i++)
      for (int j = 0; j < TYPES; j++)
        if (i != j) {
          float *p = &m[net_pair(i, j)];
          *p = scale * (off[i] * theirs[j] - off[4 + j] * mine[i]) *
               (1 - *p * *p);
        }
  }
}

/* Where an output was cut off, nothing goes back. */
KERNEL cut(int n, float *d, const float *y) {
  FOR_ME(i, n) {
    if (!(y[i] > 0))
      d[i] = 0;
  }
}

KERNEL join_trunk(int n, float *d, const float *dz, const float *dpairs) {
  FOR_ME(i, n) {
    const int r = i / NET_TRUNK_OUT, c = i % NET_TRUNK_OUT;
    d[i] = c < NET_HEAD ? dz[r * NET_HEAD + c]
                        : dpairs[r * NET_PAIRS + c - NET_HEAD];
  }
}

KERNEL fill(int n, float *x, float v) {
  FOR_ME(i, n) { x[i] = v; }
}

struct moment {
  float mean, square;
};

KERNEL adam(int n, float *w, const float *g, struct moment *m, float rate,
            float fix_mean, float fix_square) {
  FOR_ME(i, n) {
    m[i].mean = 0.9f * m[i].mean + 0.1f * g[i];
    m[i].square = 0.999f * m[i].square + 0.001f * g[i] * g[i];
    w[i] -=
        rate * m[i].mean * fix_mean / (sqrtf(m[i].square * fix_square) + 1e-8f);
  }
}

struct learner {
  int rows; /* at most */
  float *w, *g;
  struct moment *m;
  long steps;
  float *h1, *h2, *trunk, *z, *q, *pairs; /* what went forward */
  float *d1, *d2, *dtrunk, *dz, *dq, *ones, *error;
};

static float *part(float *w, int which) { return w + net_begins(which); }

static float *floats(size_t n) { return (float *)room(n * sizeof(float)); }

static struct learner new_learner(int rows) {
  struct learner l;
  const size_t n = (size_t)rows, all = (size_t)net_begins(NET_PARTS);
  memset(&l, 0, sizeof l);
  l.rows = rows;
  l.w = floats(all);
  l.g = floats(all);
  l.m = (struct moment *)room(all * sizeof(struct moment));
  l.h1 = floats(n * NET_WIDTH);
  l.h2 = floats(n * NET_WIDTH);
  l.d1 = floats(n * NET_WIDTH);
  l.d2 = floats(n * NET_WIDTH);
  l.trunk = floats(n * NET_TRUNK_OUT);
  l.dtrunk = floats(n * NET_TRUNK_OUT);
  l.z = floats(n * NET_HEAD);
  l.dz = floats(n * NET_HEAD);
  l.q = floats(n * NET_HEAD);
  l.dq = floats(n * NET_HEAD);
  l.pairs = floats(n * NET_PAIRS);
  l.ones = floats(n);
  l.error = floats(n);
  EACH(fill, rows, l.ones, 1.0f);
  return l;
}

static void begin_weights(struct learner *l, uint64_t seed) {
  std::vector<float> w((size_t)net_begins(NET_PARTS));
  for (int p = 0; p < NET_PARTS; p++)
    for (int i = 0; i < net_rows(p) * net_columns(p); i++) {
      const float size = sqrtf(2.0f / (float)net_columns(p));
      const float less = p == PAIR_WEIGHTS || p == OUT_WEIGHTS ? 0.3f : 1;
      w[(size_t)(net_begins(p) + i)] =
          net_rows(p) == 1 ? 0 : less * size * normal(&seed);
    }
  send(l->w, w.data(), w.size() * sizeof(float));
  l->steps = 0;
  EACH(fill, 2 * net_begins(NET_PARTS), (float *)l->m, 0.0f);
}

/* The trunk of so many rows, into h1, h2 and out. */
static void ask_trunk(float *w, const float *x, int n, float *h1, float *h2,
                      float *out) {
  forward(x, part(w, IN_WEIGHTS), h1, n, NET_IN, NET_WIDTH);
  EACH(add_bias, n * NET_WIDTH, h1, part(w, IN_BIAS), NET_WIDTH, 1);
  forward(h1, part(w, MIDDLE_WEIGHTS), h2, n, NET_WIDTH, NET_WIDTH);
  EACH(add_bias, n * NET_WIDTH, h2, part(w, MIDDLE_BIAS), NET_WIDTH, 1);
  forward(h2, part(w, OUT_WEIGHTS), out, n, NET_WIDTH, NET_TRUNK_OUT);
  EACH(add_bias, n * NET_TRUNK_OUT, out, part(w, OUT_BIAS), NET_TRUNK_OUT, 0);
}

static void ask_net(struct learner *l, const float *x, const float *ranges,
                    int n) {
  ask_trunk(l->w, x, n, l->h1, l->h2, l->trunk);
  forward(ranges, part(l->w, RANGE_WEIGHTS), l->z, n, NET_RANGES, NET_HEAD);
  EACH(mix_head, n * NET_HEAD, l->z, l->trunk);
  forward(l->z, part(l->w, HEAD_WEIGHTS), l->q, n, NET_HEAD, NET_HEAD);
  EACH(add_bias, n * NET_HEAD, l->q, part(l->w, HEAD_BIAS), NET_HEAD, 1);
  forward(l->q, part(l->w, PAIR_WEIGHTS), l->pairs, n, NET_HEAD, NET_PAIRS);
  EACH(finish_pairs, n * NET_PAIRS, l->pairs, l->trunk);
}

/* What every weight should change by, into g. */
static void find_gradient(struct learner *l, const float *x,
                          const float *ranges, const float *target, int n) {
  float *w = l->w, *g = l->g;
  ask_net(l, x, ranges, n);
  EACH(compare_pairs, n, l->pairs, ranges, target, l->error, 2.0f / (float)n);
  back_weights(l->pairs, l->q, part(g, PAIR_WEIGHTS), n, NET_HEAD, NET_PAIRS);
  back_input(l->pairs, part(w, PAIR_WEIGHTS), l->dq, n, NET_HEAD, NET_PAIRS);
  EACH(cut, n * NET_HEAD, l->dq, l->q);
  back_weights(l->dq, l->z, part(g, HEAD_WEIGHTS), n, NET_HEAD, NET_HEAD);
  back_weights(l->dq, l->ones, part(g, HEAD_BIAS), n, 1, NET_HEAD);
  back_input(l->dq, part(w, HEAD_WEIGHTS), l->dz, n, NET_HEAD, NET_HEAD);
  EACH(cut, n * NET_HEAD, l->dz, l->z);
  back_weights(l->dz, ranges, part(g, RANGE_WEIGHTS), n, NET_RANGES, NET_HEAD);
  EACH(join_trunk, n * NET_TRUNK_OUT, l->dtrunk, l->dz, l->pairs);
  back_weights(l->dtrunk, l->h2, part(g, OUT_WEIGHTS), n, NET_WIDTH,
               NET_TRUNK_OUT);
  back_weights(l->dtrunk, l->ones, part(g, OUT_BIAS), n, 1, NET_TRUNK_OUT);
  back_input(l->dtrunk, part(w, OUT_WEIGHTS), l->d2, n, NET_WIDTH,
             NET_TRUNK_OUT);
  EACH(cut, n * NET_WIDTH, l->d2, l->h2);
  back_weights(l->d2, l->h1, part(g, MIDDLE_WEIGHTS), n, NET_WIDTH, NET_WIDTH);
  back_weights(l->d2, l->ones, part(g, MIDDLE_BIAS), n, 1, NET_WIDTH);
  back_input(l->d2, part(w, MIDDLE_WEIGHTS), l->d1, n, NET_WIDTH, NET_WIDTH);
  EACH(cut, n * NET_WIDTH, l->d1, l->h1);
  back_weights(l->d1, x, part(g, IN_WEIGHTS), n, NET_IN, NET_WIDTH);
  back_weights(l->d1, l->ones, part(g, IN_BIAS), n, 1, NET_WIDTH);
}

static void learn(struct learner *l, const float *x, const float *ranges,
                  const float *target, int n, float rate) {
  find_gradient(l, x, ranges, target, n);
  l->steps++;
  EACH(adam, net_begins(NET_PARTS), l->w, l->g, l->m, rate,
       1 / (1 - powf(0.9f, (float)l->steps)),
       1 / (1 - powf(0.999f, (float)l->steps)));
}

/* ---- A day ------------------------------------------------------------------------ */

struct workshop {
  int lanes;
  struct table *tables;
  struct sal_favor_worth *worth; /* by edition */
  float *x, *ranges, *target;    /* records */
  uint8_t *kind;                 /* of events, and so on */
  float *event_x, *h1, *h2, *trunk, *pay;
  struct learner learner;
};

static struct workshop open_workshop(int lanes) {
  struct workshop w;
  const size_t n = (size_t)lanes, all = n * EVENTS;
  memset(&w, 0, sizeof w);
  w.lanes = lanes;
  w.tables = (struct table *)room(n * sizeof(struct table));
  w.worth = (struct sal_favor_worth *)room(2 * sizeof(struct sal_favor_worth));
  w.x = floats(n * NET_IN);
  w.ranges = floats(n * NET_RANGES);
  w.target = floats(n * NET_RANGES);
  w.kind = (uint8_t *)room(all);
  w.event_x = floats(all * NET_IN);
  w.h1 = floats(all * NET_WIDTH);
  w.h2 = floats(all * NET_WIDTH);
  w.trunk = floats(all * NET_TRUNK_OUT);
  w.pay = floats(all * NET_PAIRS);
  w.learner = new_learner(lanes < 512 ? 512 : lanes);
  return w;
}

/* Every table plays one event. */
static void play_on(struct workshop *w) {
  const int n = w->lanes;
  float *weights = w->learner.w;
  EACH(record_and_draw, n, w->tables, w->x, w->ranges);
  EACH(list_events, n * EVENTS, w->tables, w->worth, w->kind, w->event_x,
       w->pay);
  ask_trunk(weights, w->event_x, n * EVENTS, w->h1, w->h2, w->trunk);
  const struct head *head = (const struct head *)part(weights, RANGE_WEIGHTS);
#ifdef __CUDACC__
  solve_turns<<<(n + TABLES - 1) / TABLES, TABLES * GROUP>>>(
      n, w->tables, head, w->kind, w->trunk, w->pay, w->target);
  CHECK(cudaGetLastError());
#else
  solve_turns(n, w->tables, head, w->kind, w->trunk, w->pay, w->target);
#endif
}

static double mean_error(const struct workshop *w, int n) {
  std::vector<float> e((size_t)n);
  double sum = 0;
  fetch(e.data(), w->learner.error, e.size() * sizeof(float));
  for (float x : e)
    sum += x;
  return sum / n / 6; /* the weights of a row sum to six */
}

static double now() {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* How many steps were made. */
static int teach_day(struct workshop *w, int day, int steps, double seconds,
                     uint64_t seed) {
  const int part = w->lanes / BATCH_PARTS;
  const double from = now();
  EACH(seed_tables, w->lanes, w->tables, seed * 1000003 + (uint64_t)day, day);
  begin_weights(&w->learner, seed * 77 + (uint64_t)day);
  for (int s = 0; s < steps; s++) {
    if (s == 200 && !(mean_error(w, part) < 1)) {
      fprintf(stderr, "favor-train: does not learn\n");
      exit(1);
    }
    if (seconds > 0 && s == 200) /* one look at the clock; then it is counted */
      steps = (int)(200 * seconds / (now() - from));
    const float done = (float)s / (float)steps;
    const float rate = 1e-3f * (0.5f + 0.5f * cosf(3.14159265f * done)) + 2e-6f;
    play_on(w);
    for (int b = 0; b < BATCH_PARTS; b++) {
      const size_t at = (size_t)b * (size_t)part;
      learn(&w->learner, w->x + at * NET_IN, w->ranges + at * NET_RANGES,
            w->target + at * NET_RANGES, part, rate);
    }
    if (s % (steps / 20 + 1) == 0 || s + 1 == steps)
      printf("day %d, step %d of %d: mean square %.5f, %.0f s\n", day, s, steps,
             mean_error(w, part), now() - from);
    fflush(stdout);
  }
  return steps;
}

/* What a lead is worth before a day, by its net: side 0's, by the edition and
 * by who begins. */
static void read_worths(struct workshop *w, int day,
                        struct sal_favor_worth *out) {
  enum { LEADS = 2 * SAL_FAVOR_LEAD + 1, ROWS = 2 * LEADS };
  std::vector<float> x(ROWS * NET_IN), ranges(ROWS * NET_RANGES, 0.25f),
      pairs(ROWS * NET_PAIRS);
  struct table t;
  t.rng = 1;
  new_day(&t, day);
  t.p.turn = 0;
  for (int r = 0; r < ROWS; r++)
    net_input(&t.p, r % LEADS - SAL_FAVOR_LEAD, 0, r / LEADS != 0,
              &x[(size_t)r * NET_IN]);
  float *dx = floats(x.size()), *dr = floats(ranges.size());
  send(dx, x.data(), x.size() * sizeof(float));
  send(dr, ranges.data(), ranges.size() * sizeof(float));
  ask_net(&w->learner, dx, dr, ROWS);
  fetch(pairs.data(), w->learner.pairs, pairs.size() * sizeof(float));
  for (int r = 0; r < ROWS; r++) {
    const int lead = r % LEADS;
    float sum = 0;
    for (int k = 0; k < NET_PAIRS; k++)
      sum += pairs[(size_t)(r * NET_PAIRS + k)] / NET_PAIRS;
    if (abs(lead - SAL_FAVOR_LEAD) > LEAD_MAX)
      sum = lead > SAL_FAVOR_LEAD ? 1 : -1;
    out[r / LEADS].of[1][lead] = sum;
    out[r / LEADS].of[0][LEADS - 1 - lead] = -sum;
  }
}

/* ---- The file ---------------------------------------------------------------------- */

static void put_bytes(std::vector<unsigned char> *f, const void *from,
                      size_t n) {
  const unsigned char *b = (const unsigned char *)from;
  f->insert(f->end(), b, b + n);
}

/* A row of a trunk's matrix as whole numbers of one byte. */
static void put_row(std::vector<unsigned char> *f, const float *row, int n) {
  float most = 1e-12f;
  for (int i = 0; i < n; i++)
    most = fmaxf(most, fabsf(row[i]));
  const float unit = most / 127;
  put_bytes(f, &unit, sizeof unit);
  for (int i = 0; i < n; i++)
    f->push_back((unsigned char)(signed char)lrintf(row[i] / unit));
}

static void put_net(std::vector<unsigned char> *f, const float *w) {
  for (int p = 0; p < NET_PARTS; p++) {
    const float *of = w + net_begins(p);
    const int rows = net_rows(p), columns = net_columns(p);
    if (p != IN_WEIGHTS && p != MIDDLE_WEIGHTS && p != OUT_WEIGHTS)
      put_bytes(f, of, sizeof *of * (size_t)(rows * columns));
    else
      for (int r = 0; r < rows; r++)
        put_row(f, of + r * columns, columns);
  }
}

static uint64_t checksum(const std::vector<unsigned char> &f) {
  uint64_t h = 0xcbf29ce484222325ull ^ f.size();
  for (unsigned char byte : f) {
    h = (h ^ byte) * 0x100000001b3ull;
    h ^= h >> 29;
  }
  return h;
}

static void write_file(const char *path,
                       const std::vector<float> nets[NET_DAYS],
                       const char *note) {
  std::vector<unsigned char> f;
  const uint32_t length = (uint32_t)strlen(note);
  put_bytes(&f, "salfavo1", 8);
  put_bytes(&f, &length, 4);
  put_bytes(&f, note, length);
  for (int d = 0; d < NET_DAYS; d++)
    put_net(&f, nets[d].data());
  const uint64_t sum = checksum(f);
  put_bytes(&f, &sum, 8);
  FILE *out = fopen(path, "wb");
  if (!out || fwrite(f.data(), 1, f.size(), out) != f.size() || fclose(out)) {
    fprintf(stderr, "favor-train: %s cannot be written\n", path);
    exit(1);
  }
}

int main(int argc, char **argv) {
  if (argc < 4) {
    fprintf(stderr, "favor-train STEPS LANES FILE [SEED [SECONDS]]\n");
    return 2;
  }
  const int steps = atoi(argv[1]), lanes = atoi(argv[2]);
  const uint64_t seed = argc > 4 ? (uint64_t)atoll(argv[4]) : 1;
  const double seconds = argc > 5 ? atof(argv[5]) : 0;
  std::vector<float> nets[NET_DAYS];
  struct sal_favor_worth worth[2];
  char note[200];
  int made[NET_DAYS];
  begin();
  struct workshop w = open_workshop(lanes);
  sal_favor_worth_last(&worth[0]);
  worth[1] = worth[0];
  for (int day = NET_DAYS; day >= 1; day--) {
    send(w.worth, worth, sizeof worth);
    made[day - 1] = teach_day(&w, day, steps, seconds, seed);
    nets[day - 1].resize((size_t)net_begins(NET_PARTS));
    fetch(nets[day - 1].data(), w.learner.w,
          nets[day - 1].size() * sizeof(float));
    read_worths(&w, day, worth);
    for (int lead = -9; lead <= 9; lead += 3)
      printf("before day %d, %+d: %.3f, %.3f\n", day, lead,
             worth[0].of[1][lead + SAL_FAVOR_LEAD],
             worth[1].of[1][lead + SAL_FAVOR_LEAD]);
  }
  snprintf(
      note, sizeof note,
      "favor-train %s %s FILE %llu %.0f: %d, %d and %d steps on days three, "
      "two and one",
      argv[1], argv[2], (unsigned long long)seed, seconds, made[2], made[1],
      made[0]);
  write_file(argv[3], nets, note);
  return 0;
}
