/* Packing and reading blueprints; see blueprint.h. */
#include "blueprint.h"

#include "../doors/bytes.h"
#include "../doors/coder.h"

#include <stdlib.h>
#include <string.h>

enum {
  ALL = 1 << 20,   /* the chance of one's own hand; times WHOLE is 32 bits */
  SELDOM = 1 << 6, /* less is passed over */
  TOP_BITS = 5,    /* of a share these are foreseen, the rest is told */
  LOW_BITS = 7,
  PLACING = 0,
  BUILDING = 1,
  ANSWERING = 2,
  DIGGING = 3,
  KINDS_OF_CHOICE = 4
};

/* What is likely, by the kind of choice, the option, and whether something was
 * given to an option before. */
struct likely {
  odds none[KINDS_OF_CHOICE][OPTIONS_MAX][2];
  odds all[KINDS_OF_CHOICE][OPTIONS_MAX][2];
  odds top[KINDS_OF_CHOICE][OPTIONS_MAX][1 << TOP_BITS];
};

struct stream {
  struct coder coder;
  struct likely likely;
};

struct pass {
  const struct model *model;
  const struct blueprint_kind *kind;
  const struct round *from;          /* when writing */
  const struct blueprint_reader *to; /* when reading */
  struct stream begin, opened;       /* up to opening bets; after one */
  struct stream *now;
  struct plan plan[POSITIONS][BET_TOP + 1];
  struct piece {
    unsigned char *bytes;
    const unsigned char *in;
    size_t size;
  } piece[POSITIONS][BET_TOP + 1]; /* after each opening bet */
  bool failed;
};

static void likely_begin(struct likely *l) {
  odds *o = (odds *)l;
  for (size_t i = 0; i < sizeof *l / sizeof *o; i++)
    o[i] = ODDS_EVEN;
}

/* ---- One choice ------------------------------------------------------------ */

/* Rounds shares to 4095ths that add up; the largest remainders go up. */
static void round_shares(const float *share, int n, quota *out) {
  float sum = 0, rest[OPTIONS_MAX];
  int left = WHOLE;
  for (int o = 0; o < n; o++)
    sum += share[o];
  for (int o = 0; o < n; o++) {
    const float exact = sum > 0 ? share[o] / sum * WHOLE : 0;
    out[o] = (quota)exact;
    rest[o] = exact - (float)out[o];
    left -= out[o];
  }
  if (!(sum > 0))
    out[0] = WHOLE;
  for (; sum > 0 && left > 0; left--) {
    int most = 0;
    for (int o = 1; o < n; o++)
      if (rest[o] > rest[most])
        most = o;
    out[most]++;
    rest[most] = -1;
  }
}

/* One share of what is left: none of it, all, or a number. */
static unsigned code_share(struct pass *k, int kind, int o, unsigned left,
                           unsigned share) {
  const bool some = left < WHOLE;
  struct coder *c = &k->now->coder;
  struct likely *l = &k->now->likely;
  if (!coder_bit(c, &l->none[kind][o][some], share > 0))
    return 0;
  if (!coder_bit(c, &l->all[kind][o][some], share < left))
    return left;
  unsigned x = coder_tree(c, l->top[kind][o], TOP_BITS, share >> LOW_BITS);
  for (int i = LOW_BITS - 1; i >= 0; i--) {
    odds even = ODDS_EVEN;
    x = x << 1 | coder_bit(c, &even, share >> i & 1);
  }
  return x < left ? x : left; /* more only in a file that lies */
}

/* `open` tells which options there are; the last of them is what is left. */
static void code_choice(struct pass *k, int kind, int n, unsigned open,
                        quota *share) {
  unsigned left = WHOLE;
  for (int o = 0; o < n; o++) {
    unsigned x = 0;
    if ((open >> o & 1) && left > 0)
      x = open >> o > 1 ? code_share(k, kind, o, left, share[o]) : left;
    share[o] = (quota)x;
    left -= x;
  }
}

/* ---- Digging --------------------------------------------------------------- */

static const struct plan *plan_for(struct pass *k, int p, int bet) {
  struct plan *plan = &k->plan[p][bet];
  const int side = k->kind->side;
  if (!plan->own && !plan_make(plan, k->model, position_pile(p, side),
                               position_pile(p, !side), bet, &k->kind->pay))
    k->failed = true;
  return plan;
}

static unsigned options_at(const struct point *at) {
  unsigned open = (unsigned)(at->stop != NOWHERE) << STOPS |
                  (unsigned)(at->dig != NOWHERE) << DIGS;
  for (int w = 0; w < WORTHS; w++)
    open |= (unsigned)(at->turn[w] != NOWHERE) << TURNS;
  return open;
}

static void simplest(const struct point *at, quotas share, int lane) {
  const int o = __builtin_ctz(options_at(at));
  share[o][lane] = WHOLE;
}

static void pass_on(int next, uint32_t chance, uint32_t (*flow)[LANES],
                    int lane) {
  if (next >= 0)
    flow[next][lane] += chance;
}

static void code_point(struct pass *k, const struct point *at, int lane,
                       const shares *sum, uint32_t (*flow)[LANES],
                       uint32_t chance, quotas out) {
  float exact[OPTIONS];
  quota share[OPTIONS] = {0};
  for (int o = 0; sum && o < OPTIONS; o++)
    exact[o] = (*sum)[o][lane];
  if (sum)
    round_shares(exact, OPTIONS, share);
  code_choice(k, DIGGING, OPTIONS, options_at(at), share);
  for (int o = 0; o < OPTIONS; o++)
    out[o][lane] = share[o];
  for (int w = 0; w < WORTHS; w++)
    pass_on(at->turn[w], chance * share[TURNS] / WHOLE, flow, lane);
  pass_on(at->dig, chance * share[DIGS] / WHOLE, flow, lane);
}

static void code_digging(struct pass *k, int p, unsigned s,
                         const uint32_t *reach) {
  const struct plan *plan = plan_for(k, p, bet_high(s));
  const shares *sum = k->from ? round_dug(k->from, p, s) : NULL;
  const size_t n = (size_t)(plan->count ? plan->count : 1);
  uint32_t(*flow)[LANES] = calloc(n, sizeof *flow);
  quotas *share = calloc(n, sizeof *share);
  if (k->failed || !flow || !share) {
    k->failed = true;
    free(flow);
    free(share);
    return;
  }
  for (int i = 0; i < plan->own->types; i++) {
    const struct type *t = &plan->own->type[i];
    pass_on(plan->begin[t->class], reach[i], flow, t->hand);
  }
  for (int e = plan->count - 1; e >= 0; e--)
    for (int lane = 0; lane < HANDS; lane++)
      if (flow[e][lane] >= SELDOM)
        code_point(k, &plan->point[e], lane, sum ? &sum[e] : NULL, flow,
                   flow[e][lane], share[e]);
      else
        simplest(&plan->point[e], share[e], lane);
  if (k->to && k->to->dug)
    k->to->dug(k->to->context, p, s, plan, share);
  free(flow);
  free(share);
}

/* ---- Histories ------------------------------------------------------------ */

static void blueprint_visit(struct pass *k, int p, unsigned s,
                            const uint32_t *reach);

enum { PIECE_ROOM = 1 << 18 };

/* What follows an opening bet is a piece of its own. */
static void open_bet(struct pass *k, int p, int bet, const uint32_t *reach) {
  struct piece *piece = &k->piece[p][bet];
  likely_begin(&k->opened.likely);
  if (k->from) {
    piece->bytes = malloc(PIECE_ROOM);
    if (!piece->bytes) {
      k->failed = true;
      return;
    }
    coder_write_begin(&k->opened.coder, piece->bytes, PIECE_ROOM);
  } else {
    if (k->to->wants && !k->to->wants(k->to->context, p, bet))
      return;
    coder_read_begin(&k->opened.coder, piece->in, piece->size);
  }
  k->now = &k->opened;
  blueprint_visit(k, p, 1u << (bet - 1), reach);
  k->now = &k->begin;
  if (k->from) {
    piece->size = coder_write_end(&k->opened.coder);
    k->failed |= k->opened.coder.full;
  }
}

static void follow_bet(struct pass *k, int p, unsigned s, int bet,
                       const uint32_t *reach) {
  if (s == 0)
    open_bet(k, p, bet, reach);
  else
    blueprint_visit(k, p, s | 1u << (bet - 1), reach);
}

static unsigned open_options(const struct pass *k, int p, unsigned s,
                             const struct type *t) {
  const unsigned all = (1u << history_options(p, s)) - 1;
  unsigned closed = 0;
  for (int w = 0; s == 0 && w < BUILDS; w++)
    if (p == k->kind->cut || t->child[w] == NO_TYPE)
      closed |= 1u << w;
  return all & ~closed;
}

static void code_row(struct pass *k, int p, unsigned s, const uint32_t *reach,
                     const struct piles *piles, quota *chance) {
  const int n = history_options(p, s), types = piles->types;
  int stride = 0;
  const float *sums = k->from ? round_sums(k->from, p, s, &stride) : NULL;
  for (int i = 0; i < types; i++) {
    quota share[OPTIONS_MAX] = {0};
    float exact[OPTIONS_MAX];
    if (reach[i] < SELDOM) {
      share[s ? 0 : BUILDS] = WHOLE; /* pass, or bet one */
    } else {
      for (int o = 0; sums && o < n; o++)
        exact[o] = sums[o * stride + i];
      if (sums)
        round_shares(exact, n, share);
      code_choice(k, s ? ANSWERING : BUILDING, n,
                  open_options(k, p, s, &piles->type[i]), share);
    }
    for (int o = 0; o < n; o++)
      chance[o * types + i] = share[o];
  }
}

/* The chances after one option; those that were passed over end here. */
static void reach_after(const uint32_t *reach, const quota *chance, int types,
                        uint32_t *out) {
  for (int i = 0; i < types; i++)
    out[i] = reach[i] < SELDOM ? 0 : reach[i] * chance[i] / WHOLE;
}

static void decide_row(struct pass *k, int p, unsigned s,
                       const uint32_t *reach) {
  const int side = k->kind->side, cards = position_pile(p, side);
  const struct piles *piles = &k->model->piles[cards];
  const int high = bet_high(s), lead = history_lead(s), types = piles->types;
  uint32_t next[TYPES_MAX];
  quota *chance = calloc((size_t)(OPTIONS_MAX * types), sizeof *chance);
  if (!chance) {
    k->failed = true;
    return;
  }
  code_row(k, p, s, reach, piles, chance);
  if (k->to && k->to->row)
    k->to->row(k->to->context, p, s, chance);
  for (int b = high + 1; b <= position_top(p); b++) {
    reach_after(reach, chance + (lead + b - high - 1) * types, types, next);
    follow_bet(k, p, s, b, next);
  }
  if (s == 0 && p < k->kind->cut) {
    const struct piles *to = &k->model->piles[cards + 1];
    for (int i = 0; i < to->types; i++) {
      const struct type *t = &to->type[i];
      const uint32_t from = reach[t->parent];
      next[i] = from < SELDOM
                    ? 0
                    : from * chance[t->card[cards] * types + t->parent] / WHOLE;
    }
    blueprint_visit(k, p + 1, 0, next);
  }
  free(chance);
}

static void wait(struct pass *k, int p, unsigned s, const uint32_t *reach) {
  if (s)
    code_digging(k, p, s, reach);
  for (int b = bet_high(s) + 1; b <= position_top(p); b++)
    follow_bet(k, p, s, b, reach);
  if (s == 0 && p < k->kind->cut)
    blueprint_visit(k, p + 1, 0, reach);
}

static void blueprint_visit(struct pass *k, int p, unsigned s,
                            const uint32_t *reach) {
  const int side = k->kind->side;
  const int types = k->model->piles[position_pile(p, side)].types;
  bool some = false;
  for (int i = 0; i < types; i++)
    some |= reach[i] >= SELDOM;
  if (!some || k->failed)
    return;
  if (history_actor(p, s) == side)
    decide_row(k, p, s, reach);
  else
    wait(k, p, s, reach);
}

static void place_rows(struct pass *k) {
  const struct piles *one = &k->model->piles[1];
  uint32_t reach[LANES * WORTHS];
  quota chance[LANES * WORTHS] = {0};
  for (int h = 0; h < HANDS; h++) {
    float exact[WORTHS] = {0};
    quota share[OPTIONS_MAX] = {0};
    unsigned open = 0;
    for (int i = 0; i < one->types; i++)
      if (one->type[i].hand == h) {
        open |= 1u << one->type[i].card[0];
        exact[one->type[i].card[0]] =
            k->from ? round_placed(k->from, k->kind->side)[i] : 0;
      }
    if (k->from)
      round_shares(exact, WORTHS, share);
    code_choice(k, PLACING, WORTHS, open, share);
    for (int i = 0; i < one->types; i++)
      if (one->type[i].hand == h)
        chance[i] = share[one->type[i].card[0]];
  }
  for (int i = 0; i < one->types; i++)
    reach[i] = (uint32_t)ALL * chance[i] / WHOLE;
  if (k->to && k->to->placed)
    k->to->placed(k->to->context, chance);
  blueprint_visit(k, 0, 0, reach);
}

/* ---- Both ways -------------------------------------------------------------- */

static struct pass *pass_new(const struct blueprint_kind *kind) {
  struct pass *k = calloc(1, sizeof *k);
  if (!k)
    return NULL;
  k->model = traps_model();
  k->kind = kind;
  k->now = &k->begin;
  likely_begin(&k->begin.likely);
  return k;
}

static bool pass_end(struct pass *k) {
  const bool ok = !k->failed;
  for (int p = 0; p < POSITIONS; p++)
    for (int b = 0; b <= BET_TOP; b++) {
      plan_free(&k->plan[p][b]);
      free(k->piece[p][b].bytes);
    }
  free(k);
  return ok;
}

/* A blueprint is the sizes of its pieces, then the beginning, then the pieces. */
enum { SIZE_BYTES = 3 };

static size_t head_size(int cut) {
  size_t n = SIZE_BYTES;
  for (int p = 0; p <= cut; p++)
    n += (size_t)position_top(p) * SIZE_BYTES;
  return n;
}

/* Lays the pieces behind each other; the number of bytes, 0 without room. */
static size_t gather(struct pass *k, size_t begun, unsigned char *out,
                     size_t room) {
  size_t head = SIZE_BYTES, at = head_size(k->kind->cut) + begun;
  put(out, begun, SIZE_BYTES);
  for (int p = 0; p <= k->kind->cut; p++)
    for (int b = 1; b <= position_top(p); b++, head += SIZE_BYTES) {
      const struct piece *piece = &k->piece[p][b];
      if (piece->size > room - at)
        return 0;
      put(out + head, piece->size, SIZE_BYTES);
      if (piece->size)
        memcpy(out + at, piece->bytes, piece->size);
      at += piece->size;
    }
  return at;
}

size_t blueprint_pack(const struct round *r, const struct blueprint_kind *kind,
                      unsigned char *out, size_t room) {
  const size_t head = head_size(kind->cut);
  struct pass *k = room > head ? pass_new(kind) : NULL;
  if (!k)
    return 0;
  k->from = r;
  coder_write_begin(&k->begin.coder, out + head, room - head);
  place_rows(k);
  size_t n = coder_write_end(&k->begin.coder);
  k->failed |= k->begin.coder.full;
  n = k->failed ? 0 : gather(k, n, out, room);
  return pass_end(k) ? n : 0;
}

/* Where the pieces lie; what is too long is cut. */
static void scatter(struct pass *k, const unsigned char *bytes, size_t n,
                    struct piece *begun) {
  size_t head = 0, at = head_size(k->kind->cut);
  for (int p = -1; p <= k->kind->cut; p++)
    for (int b = 1; b <= (p < 0 ? 1 : position_top(p)); b++) {
      struct piece *piece = p < 0 ? begun : &k->piece[p][b];
      const size_t size = get(bytes + head, SIZE_BYTES);
      piece->in = bytes + at;
      piece->size = size < n - at ? size : n - at;
      at += piece->size;
      head += SIZE_BYTES;
    }
}

bool blueprint_read(const unsigned char *bytes, size_t n,
                    const struct blueprint_kind *kind,
                    const struct blueprint_reader *to) {
  struct piece begun;
  struct pass *k = pass_new(kind);
  if (!k)
    return false;
  k->to = to;
  if (n < head_size(kind->cut))
    k->failed = true;
  if (!k->failed) {
    scatter(k, bytes, n, &begun);
    coder_read_begin(&k->begin.coder, begun.in, begun.size);
    place_rows(k);
  }
  return pass_end(k);
}
