/* The nets of Favor for two in plain arithmetic, and their file; see
 * policy.h. */
#include "policy.h"

#include "../doors/bytes.h"

#include <math.h>
#include <stdlib.h>

/* ---- Asking ---------------------------------------------------------------- */

enum { CHUNK = 8 }; /* rows that stay in registers */

/* The numbers that are not 0, and which they are. */
static int list_some(const float *in, int count, uint16_t *which) {
  int n = 0;
  for (int i = 0; i < count; i++)
    if (in[i] != 0)
      which[n++] = (uint16_t)i;
  return n;
}

/* Adds the rows of what goes in, all of it without `which`, to so many rows of
 * what comes out. */
static inline void add_rows(const vec *rows, int width, const float *in,
                            const uint16_t *which, int some, vec *out,
                            int count) {
  vec sum[CHUNK];
  for (int k = 0; k < count; k++)
    sum[k] = out[k];
  for (int i = 0; i < some; i++) {
    const int at = which ? which[i] : i;
    const vec *row = rows + (size_t)at * (size_t)width;
    const vec x = splat(in[at]);
    for (int k = 0; k < count; k++)
      sum[k] += row[k] * x;
  }
  for (int k = 0; k < count; k++)
    out[k] = sum[k];
}

/* out += rows' in, in chunks; those of pairs are left over. */
static inline void add_chunks(const vec *rows, int width, const float *in,
                              const uint16_t *which, int some, vec *out) {
  int at = 0;
  for (; at + CHUNK <= width; at += CHUNK)
    add_rows(rows + at, width, in, which, some, out + at, CHUNK);
  if (at < width)
    add_rows(rows + at, width, in, which, some, out + at, PAIR_ROWS);
}

/* Of the trunk, where much is 0. */
static void add_layer(const vec *rows, int width, const float *in, int count,
                      vec *out) {
  uint16_t which[NET_WIDTH];
  const int some = list_some(in, count, which);
  add_chunks(rows, width, in, which, some, out);
}

static void cut_off(vec *v, int width, float *out) {
  for (int k = 0; k < width; k++) {
    v[k] = larger(v[k], splat(0));
    memcpy(out + VEC * k, &v[k], sizeof v[k]);
  }
}

void net_trunk(const struct net *n, const float *in, struct trunk *out) {
  vec wide[WIDE_ROWS];
  float one[NET_WIDTH], two[NET_WIDTH];
  memcpy(wide, n->in_bias, sizeof wide);
  add_layer(n->in[0], WIDE_ROWS, in, NET_IN, wide);
  cut_off(wide, WIDE_ROWS, one);
  memcpy(wide, n->middle_bias, sizeof wide);
  add_layer(n->middle[0], WIDE_ROWS, one, NET_WIDTH, wide);
  cut_off(wide, WIDE_ROWS, two);
  memcpy(out->of, n->out_bias, sizeof out->of);
  add_layer(n->out[0], TRUNK_ROWS, two, NET_WIDTH, out->of);
}

/* Within a millionth of tanh, and the same on every machine. */
static vec squash(vec x) {
  const vec y = smaller(larger(x, splat(-9)), splat(9)) / splat(8), z = y * y;
  /* A fraction near 0, then tanh 2y = 2 tanh y / (1 + tanh² y), three times. */
  vec t = y * (splat(945) + z * (splat(105) + z)) /
          (splat(945) + z * (splat(420) + splat(15) * z));
  for (int i = 0; i < 3; i++)
    t = splat(2) * t / (splat(1) + t * t);
  return t;
}

void net_pairs(const struct net *n, const struct trunk *t, const float *ranges,
               float *pairs) {
  vec row[HEAD_ROWS], out[PAIR_ROWS];
  float one[NET_HEAD], two[NET_HEAD];
  memcpy(row, t->of, sizeof row);
  add_chunks(n->range[0], HEAD_ROWS, ranges, NULL, NET_RANGES, row);
  cut_off(row, HEAD_ROWS, one);
  memcpy(row, n->head_bias, sizeof row);
  add_chunks(n->head[0], HEAD_ROWS, one, NULL, NET_HEAD, row);
  cut_off(row, HEAD_ROWS, two);
  memcpy(out, t->of + HEAD_ROWS, sizeof out);
  add_chunks(n->pair[0], PAIR_ROWS, two, NULL, NET_HEAD, out);
  for (int k = 0; k < PAIR_ROWS; k++)
    out[k] = squash(out[k]);
  memcpy(pairs, out, sizeof out);
}

/* ---- What a lead is worth -------------------------------------------------- */

enum { LEAD_KNOWN = 35 }; /* the nets were not taught more */

/* Before a day, of who begins it. */
static float worth_before(const struct net *n, int lead, bool english) {
  struct position p = {.deck = {3, 3, 3, 3, 1, 1}, .gems = {5, 5}};
  float in[NET_IN], ranges[NET_RANGES], pairs[NET_PAIRS], sum = 0;
  struct trunk t;
  if (lead > LEAD_KNOWN || lead < -LEAD_KNOWN)
    return lead > 0 ? 1 : -1;
  for (int k = 0; k < NET_RANGES; k++)
    ranges[k] = 1.0f / TYPES;
  net_input(&p, lead, 0, english, in);
  net_trunk(n, in, &t);
  net_pairs(n, &t, ranges, pairs);
  for (int k = 0; k < NET_PAIRS; k++)
    sum += pairs[k];
  return sum / NET_PAIRS;
}

static void fill_worths(sal_favor_policy *p) {
  for (int english = 0; english < 2; english++) {
    sal_favor_worth_last(&p->worth[NET_DAYS - 1][english]);
    for (int day = 0; day + 1 < NET_DAYS; day++)
      for (int lead = -SAL_FAVOR_LEAD; lead <= SAL_FAVOR_LEAD; lead++) {
        const float v = worth_before(&p->net[day + 1], lead, english);
        p->worth[day][english].of[1][SAL_FAVOR_LEAD + lead] = v;
        p->worth[day][english].of[0][SAL_FAVOR_LEAD - lead] = -v;
      }
  }
}

/* ---- The file -------------------------------------------------------------- */

enum { MARK_BYTES = 8, SUM_BYTES = 8 };
static const char mark[MARK_BYTES] = {'s', 'a', 'l', 'f', 'a', 'v', 'o', '1'};

static float get_float(const unsigned char *bytes) {
  const uint32_t bits = (uint32_t)get(bytes, 4);
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static bool in_bytes(int part) {
  return part == IN_WEIGHTS || part == MIDDLE_WEIGHTS || part == OUT_WEIGHTS;
}

static size_t part_size(int part) {
  const size_t rows = (size_t)net_rows(part), n = (size_t)net_columns(part);
  return in_bytes(part) ? rows * (4 + n) : rows * n * 4;
}

/* One part, turned; false for what is no number. */
static bool read_part(const unsigned char *bytes, int part, float *out) {
  const int rows = net_rows(part), columns = net_columns(part);
  const bool small = in_bytes(part);
  for (int r = 0; r < rows; r++) {
    const float unit = small ? get_float(bytes) : 0;
    bytes += small ? 4 : 0;
    for (int c = 0; c < columns; c++) {
      const float x =
          small ? unit * (float)(signed char)*bytes : get_float(bytes);
      if (!(x > -1e4f && x < 1e4f))
        return false;
      out[c * rows + r] = x;
      bytes += small ? 1 : 4;
    }
  }
  return true;
}

static bool read_net(const unsigned char *bytes, struct net *n) {
  void *const parts[NET_PARTS] = {
      n->in,       n->in_bias, n->middle, n->middle_bias, n->out,
      n->out_bias, n->range,   n->head,   n->head_bias,   n->pair};
  for (int p = 0; p < NET_PARTS; p++) {
    if (!read_part(bytes, p, parts[p]))
      return false;
    bytes += part_size(p);
  }
  return true;
}

static size_t net_size(void) {
  size_t size = 0;
  for (int p = 0; p < NET_PARTS; p++)
    size += part_size(p);
  return size;
}

static bool read_favor_file(sal_favor_policy *p, const unsigned char *bytes,
                            size_t n) {
  const size_t head = MARK_BYTES + 4, nets = NET_DAYS * net_size();
  if (n < head + nets + SUM_BYTES || memcmp(bytes, mark, MARK_BYTES) != 0 ||
      get(bytes + n - SUM_BYTES, SUM_BYTES) != checksum(bytes, n - SUM_BYTES))
    return false;
  const size_t length = get(bytes + MARK_BYTES, 4);
  if (length >= SAL_FAVOR_NOTE_MAX || n != head + length + nets + SUM_BYTES)
    return false;
  memcpy(p->note, bytes + head, length);
  for (size_t day = 0; day < NET_DAYS; day++)
    if (!read_net(bytes + head + length + day * net_size(), &p->net[day]))
      return false;
  return true;
}

sal_favor_policy *sal_favor_policy_open(const unsigned char *bytes, size_t n) {
  sal_favor_policy *p = aligned_alloc(16, sizeof *p);
  if (!p)
    return NULL;
  memset(p, 0, sizeof *p);
  if (!read_favor_file(p, bytes, n)) {
    free(p);
    return NULL;
  }
  fill_worths(p);
  return p;
}

void sal_favor_policy_close(sal_favor_policy *p) { free(p); }

const char *sal_favor_policy_note(const sal_favor_policy *p) { return p->note; }
