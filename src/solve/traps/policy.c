/* Solving through the public header, and the file of the policy; see
 * policy.h. */
#include "policy.h"

#include "../doors/bytes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int sal_traps_score(int first, int second) { return 1 + first * GOAL + second; }

/* The round of a blueprint. */
static struct task blueprint_task(const struct equity *e, int blueprint,
                                  int cut) {
  if (blueprint == 0)
    return tokens_task(cut);
  return match_task(e, (blueprint - 1) / GOAL, (blueprint - 1) % GOAL, cut);
}

/* ---- Solving --------------------------------------------------------------- */

struct sal_traps_solver {
  struct task task;
  struct round *round;
};

static struct equity inside(const struct sal_traps_equity *e) {
  struct equity out;
  memcpy(out.of, e->of, sizeof out.of);
  return out;
}

sal_traps_solver *
sal_traps_solver_new(int blueprint, const struct sal_traps_equity *e, int cut) {
  sal_traps_solver *s = calloc(1, sizeof *s);
  if (!s)
    return NULL;
  const struct equity worth = inside(e);
  s->task = blueprint_task(&worth, blueprint, cut);
  s->task.keep = 3;
  s->round = round_new(&s->task);
  if (s->round)
    return s;
  free(s);
  return NULL;
}

void sal_traps_solver_free(sal_traps_solver *s) {
  if (s)
    round_free(s->round);
  free(s);
}

void sal_traps_solver_iterate(sal_traps_solver *s) { round_iterate(s->round); }

void sal_traps_solver_divide(sal_traps_solver *s,
                             const struct sal_solve_team *team) {
  round_divide(s->round, team);
}

void sal_traps_solver_gather(sal_traps_solver *s) { round_gather(s->round); }

uint32_t sal_traps_solver_done(const sal_traps_solver *s) {
  return round_done(s->round);
}

struct sal_traps_bounds sal_traps_solver_bounds(sal_traps_solver *s) {
  const struct bounds b = round_bounds(s->round);
  return (struct sal_traps_bounds){b.low, b.high};
}

bool sal_traps_solver_ends(const sal_traps_solver *s,
                           struct sal_traps_ends *out) {
  struct ends ends;
  if (!round_ends(s->round, &s->task, &ends))
    return false;
  for (int side = 0; side < 2; side++) {
    const double *of = ends.of[side];
    out->met[side] = of[MET];
    out->met_trap[side] = of[MET_TRAP];
    out->stop[side] = of[STOP];
    out->stop_trap[side] = of[STOP_TRAP];
    out->two_traps[side] =
        of[THEIRS_ENDS] + of[OWN_ENDS] + of[THEIRS_TWO] + of[OWN_TWO];
    out->overbid[side] = ends.over[side];
  }
  memcpy(out->opened, ends.opened, sizeof out->opened);
  return true;
}

double sal_traps_sweep(struct sal_traps_equity *e, int cut, int iterations,
                       const struct sal_solve_team *team,
                       void (*told)(int first, int second, double gap)) {
  static const struct sal_solve_team alone = {.count = 1};
  struct equity worth = inside(e);
  const double change =
      match_sweep(&worth, cut, iterations, team ? team : &alone, told);
  if (change >= 0)
    memcpy(e->of, worth.of, sizeof worth.of);
  return change;
}

size_t sal_traps_solver_pack(const sal_traps_solver *s, unsigned char *out,
                             size_t room) {
  const int side = s->task.cut & 1;
  const struct blueprint_kind kind = {side, s->task.cut, s->task.pay[side]};
  return blueprint_pack(s->round, &kind, out, room);
}

/* ---- The file -------------------------------------------------------------- */

enum {
  MARK_BYTES = 8,
  WORTH_BYTES = 4 * GOAL * GOAL,
  ENTRY_BYTES = 8,
  HEAD_BYTES = MARK_BYTES + WORTH_BYTES + 2 * BLUEPRINTS * ENTRY_BYTES + 4,
  SUM_BYTES = 8
};
static const char mark[MARK_BYTES] = {'s', 'a', 'l', 't', 'r', 'a', 'p', '1'};

/* Worths are kept as whole numbers, so that what is played does not depend on
 * how a machine rounds. */
static const double worth_unit = 1e-6;

static bool get_worths(const unsigned char *in, struct equity *e) {
  for (int i = 0; i < GOAL * GOAL; i++) {
    const double x = (double)get(in + 4 * i, 4) * worth_unit - 1;
    if (!(x >= -1 && x <= 1))
      return false;
    e->of[i / GOAL][i % GOAL] = x;
  }
  return true;
}

static unsigned char *entry_at(unsigned char *bytes, int blueprint, int side) {
  return bytes + MARK_BYTES + WORTH_BYTES +
         (size_t)(2 * blueprint + side) * ENTRY_BYTES;
}

size_t sal_traps_policy_pack(
    const struct sal_traps_packed blueprints[SAL_TRAPS_BLUEPRINTS][2],
    const struct sal_traps_equity *e, const char *note, unsigned char *out,
    size_t room) {
  const size_t length = strlen(note);
  size_t at = HEAD_BYTES + length, size = at;
  for (int i = 0; i < 2 * BLUEPRINTS; i++)
    size += blueprints[i / 2][i % 2].size;
  if (length >= SAL_TRAPS_NOTE_MAX || size + SUM_BYTES > room)
    return 0;
  memcpy(out, mark, MARK_BYTES);
  for (int i = 0; i < GOAL * GOAL; i++)
    put(out + MARK_BYTES + 4 * i,
        (uint64_t)llround((e->of[i / GOAL][i % GOAL] + 1) / worth_unit), 4);
  for (int i = 0; i < 2 * BLUEPRINTS; i++) {
    const struct sal_traps_packed *s = &blueprints[i / 2][i % 2];
    put(entry_at(out, i / 2, i % 2), (uint64_t)s->cut, 4);
    put(entry_at(out, i / 2, i % 2) + 4, s->size, 4);
    memcpy(out + at, s->bytes, s->size);
    at += s->size;
  }
  put(out + HEAD_BYTES - 4, length, 4);
  memcpy(out + HEAD_BYTES, note, length);
  put(out + size, checksum(out, size), SUM_BYTES);
  return size + SUM_BYTES;
}

/* Where everything lies; false if it does not add up. */
static bool read_traps_head(sal_traps_policy *p, const unsigned char *bytes,
                            size_t n) {
  if (n < HEAD_BYTES + SUM_BYTES || n > SAL_TRAPS_POLICY_MAX ||
      memcmp(bytes, mark, MARK_BYTES) != 0 ||
      get(bytes + n - SUM_BYTES, SUM_BYTES) != checksum(bytes, n - SUM_BYTES) ||
      !get_worths(bytes + MARK_BYTES, &p->equity))
    return false;
  const size_t length = get(bytes + HEAD_BYTES - 4, 4);
  size_t at = HEAD_BYTES + length;
  if (length >= SAL_TRAPS_NOTE_MAX || at > n - SUM_BYTES)
    return false;
  memcpy(p->note, bytes + HEAD_BYTES, length);
  for (int i = 0; i < 2 * BLUEPRINTS; i++) {
    const unsigned char *entry = entry_at((unsigned char *)bytes, i / 2, i % 2);
    const uint64_t cut = get(entry, 4), size = get(entry + 4, 4);
    if (cut >= POSITIONS || (int)(cut & 1) != i % 2 ||
        size > n - SUM_BYTES - at)
      return false;
    p->blueprint[i / 2][i % 2] =
        (struct sal_traps_packed){bytes + at, size, (int)cut};
    at += size;
  }
  return at == n - SUM_BYTES;
}

sal_traps_policy *sal_traps_policy_open(const unsigned char *bytes, size_t n) {
  sal_traps_policy *p = calloc(1, sizeof *p);
  if (p && read_traps_head(p, bytes, n))
    return p;
  free(p);
  return NULL;
}

void sal_traps_policy_close(sal_traps_policy *p) { free(p); }

const char *sal_traps_policy_note(const sal_traps_policy *p) { return p->note; }

struct sal_traps_equity sal_traps_policy_equity(const sal_traps_policy *p) {
  struct sal_traps_equity e;
  memcpy(e.of, p->equity.of, sizeof e.of);
  return e;
}

struct sal_traps_packed sal_traps_policy_blueprint(const sal_traps_policy *p,
                                                   int blueprint, int side) {
  return p->blueprint[blueprint][side];
}

bool policy_read(const sal_traps_policy *p, int blueprint, int side,
                 const struct blueprint_reader *to) {
  const struct sal_traps_packed *s = &p->blueprint[blueprint][side];
  const struct task t = blueprint_task(&p->equity, blueprint, s->cut);
  const struct blueprint_kind kind = {side, s->cut, t.pay[side]};
  return blueprint_read(s->bytes, s->size, &kind, to);
}
