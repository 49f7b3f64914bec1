/* salotto solve traps: the equilibrium of a round of Traps for two, and the
 * policy that the master plays by.
 *
 * What is printed is exact for the average strategies reached so far. All ranks solve each
 * round together, and the scores of a sweep side by side; rank 0 reads and writes. */
#include "play_plain.h"
#include "ranks.h"
#include "ticker.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct wish {
  int blueprint; /* SAL_TRAPS_BLUEPRINTS: all */
  long cut, iterations;
  double until;
  const char *file; /* the policy to be made, or NULL */
  bool json, ends;
  struct sal_traps_equity equity;
};

static void blueprint_name(int blueprint, char out[8]) {
  const int score = blueprint - 1;
  strcpy(out, blueprint ? "0-0" : "tokens");
  if (blueprint) {
    out[0] = (char)('0' + score / SAL_TRAPS_GOAL);
    out[2] = (char)('0' + score % SAL_TRAPS_GOAL);
  }
}

static struct sal_solve_team all_ranks(void) {
  return (struct sal_solve_team){ranks_number(), ranks_count(), ranks_merge};
}

static int without_memory(void) {
  return complain(FAILED, "%s", _(sal_error_text(SAL_NO_MEMORY)));
}

/* ---- A round --------------------------------------------------------------- */

static void print_bounds(const struct wish *w, int blueprint, int cut,
                         uint32_t done, struct sal_traps_bounds b) {
  char name[8];
  blueprint_name(blueprint, name);
  if (w->json)
    printf("{\"round\":\"%s\",\"cut\":%d,\"iteration\":%u,"
           "\"exploitability\":%.6f,\"low\":%.6f,\"high\":%.6f}\n",
           name, cut, done, b.high - b.low, b.low, b.high);
  else
    print_sentence(
        _("%s, cut %d  after %u: exploitability %.5f, value %+.5f to "
          "%+.5f\n"),
        name, cut, done, b.high - b.low, b.low, b.high);
  fflush(stdout);
}

/* A part of one at each rank; NULL if a rank has no memory for it. */
static sal_traps_solver *new_solver(const struct wish *w, int blueprint,
                                    int cut) {
  const struct sal_solve_team team = all_ranks();
  sal_traps_solver *s = sal_traps_solver_new(blueprint, &w->equity, cut);
  bool missing = !s;
  ranks_merge(&missing, sizeof missing);
  if (!missing) {
    sal_traps_solver_divide(s, &team);
    return s;
  }
  sal_traps_solver_free(s);
  return NULL;
}

/* Bounds cost as much as an iteration, so they are asked for ever less. */
static uint32_t next_look(uint32_t done, long last) {
  const uint32_t next = done < 8 ? 8 : 2 * done;
  return (long)next < last ? next : (uint32_t)last;
}

static struct sal_traps_bounds improve_traps(const struct wish *w,
                                             int blueprint, int cut,
                                             sal_traps_solver *s) {
  for (;;) {
    const uint32_t look = next_look(sal_traps_solver_done(s), w->iterations);
    while (sal_traps_solver_done(s) < look) {
      sal_traps_solver_iterate(s);
      ticker_tell(sal_traps_solver_done(s), -1);
    }
    const struct sal_traps_bounds b = sal_traps_solver_bounds(s);
    ticker_hide();
    print_bounds(w, blueprint, cut, look, b);
    if ((long)look >= w->iterations || b.high - b.low <= w->until)
      return b;
  }
}

static void print_pair(const char *key, const double x[2]) {
  printf("\"%s\":[%.5f,%.5f],", key, x[0], x[1]);
}

/* How rounds end, as JSON: of the first player as the digger, then the
 * second. */
static int print_ends(const sal_traps_solver *s) {
  struct sal_traps_ends e;
  if (!sal_traps_solver_ends(s, &e))
    return without_memory();
  printf("{");
  print_pair("met", e.met);
  print_pair("met_trap", e.met_trap);
  print_pair("stop", e.stop);
  print_pair("stop_trap", e.stop_trap);
  print_pair("two_traps", e.two_traps);
  print_pair("overbid", e.overbid);
  printf("\"opened\":[");
  for (int p = 0; p < SAL_TRAPS_CUTS; p++)
    printf("%s%.5f", p ? "," : "", e.opened[p]);
  puts("]}");
  return DONE;
}

static int solve_round(const struct wish *w) {
  sal_traps_solver *s = new_solver(w, w->blueprint, (int)w->cut);
  if (!s)
    return without_memory();
  improve_traps(w, w->blueprint, (int)w->cut, s);
  sal_traps_solver_gather(s);
  const int status = w->ends && ranks_number() == 0 ? print_ends(s) : DONE;
  sal_traps_solver_free(s);
  return status;
}

/* ---- The policy ------------------------------------------------------------- */

/* A policy in the making; `own` are blueprints made now, the others lie in the old
 * file. */
struct making {
  struct sal_traps_packed blueprint[SAL_TRAPS_BLUEPRINTS][2];
  unsigned char *own[SAL_TRAPS_BLUEPRINTS][2];
  char note[SAL_TRAPS_NOTE_MAX];
};

enum { BLUEPRINT_ROOM = 1 << 20 };

static int pack_blueprint(struct making *m, int blueprint, int side,
                          const sal_traps_solver *s, int cut) {
  unsigned char *bytes = malloc(BLUEPRINT_ROOM);
  const size_t n = bytes ? sal_traps_solver_pack(s, bytes, BLUEPRINT_ROOM) : 0;
  if (n == 0) {
    free(bytes);
    return without_memory();
  }
  free(m->own[blueprint][side]);
  m->own[blueprint][side] = bytes;
  m->blueprint[blueprint][side] = (struct sal_traps_packed){bytes, n, cut};
  return DONE;
}

static int make_blueprint(const struct wish *w, struct making *m,
                          int blueprint) {
  struct sal_traps_bounds b[2];
  int status = DONE;
  for (int side = 0; status == DONE && side < 2; side++) {
    const int cut = (int)w->cut + side;
    sal_traps_solver *s = new_solver(w, blueprint, cut);
    if (!s)
      return without_memory();
    b[side] = improve_traps(w, blueprint, cut, s);
    sal_traps_solver_gather(s);
    if (ranks_number() == 0)
      status = pack_blueprint(m, blueprint, side, s, cut);
    ranks_share(&status, sizeof status);
    sal_traps_solver_free(s);
  }
  if (blueprint == 0)
    snprintf(m->note, sizeof m->note,
             "Traps for two, made with tools/traps-policy. A first round for "
             "tokens is worth %+.4f to %+.4f to who begins, by the blueprints "
             "before they were rounded to 4095ths.",
             b[0].low, b[1].high);
  return status;
}

static int write_policy(const struct wish *w, const struct making *m) {
  unsigned char *bytes = malloc(SAL_TRAPS_POLICY_MAX);
  const size_t n =
      bytes ? sal_traps_policy_pack(m->blueprint, &w->equity, m->note, bytes,
                                    SAL_TRAPS_POLICY_MAX)
            : 0;
  const int status =
      n ? write_parts(w->file, bytes, n, NULL, 0) : without_memory();
  free(bytes);
  return status;
}

static void tell_score(int first, int second, double gap) {
  ticker_hide();
  fprintf(stderr, "%d-%d %.5f\n", first, second, gap);
}

/* The worths settle with short trees; one sweep over longer ones corrects
 * them. */
static int find_worths(struct wish *w) {
  static const struct {
    int cut, iterations;
  } sweeps[] = {{2, 100}, {2, 100}, {2, 100}, {2, 100}, {4, 150}};
  const struct sal_solve_team team = all_ranks();
  for (int i = 0; i < SAL_TRAPS_GOAL; i++)
    for (int k = 0; k < SAL_TRAPS_GOAL; k++)
      w->equity.of[i][k] = 0.02 + 0.09 * (i - k);
  for (size_t i = 0; i < sizeof sweeps / sizeof *sweeps; i++) {
    const double change = sal_traps_sweep(
        &w->equity, sweeps[i].cut, sweeps[i].iterations, &team, tell_score);
    if (change < 0)
      return without_memory();
    printf("{\"sweep\":%zu,\"cut\":%d,\"change\":%.6f}\n", i + 1, sweeps[i].cut,
           change);
    fflush(stdout);
  }
  for (int i = 0; i < SAL_TRAPS_GOAL; i++) /* as the file will have them */
    for (int k = 0; k < SAL_TRAPS_GOAL; k++)
      w->equity.of[i][k] = rint((w->equity.of[i][k] + 1) / 1e-6) * 1e-6 - 1;
  return DONE;
}

static void print_worths(const struct sal_traps_equity *e) {
  for (int i = 0; i < SAL_TRAPS_GOAL; i++)
    for (int k = 0; k < SAL_TRAPS_GOAL; k++)
      printf("{\"score\":\"%d-%d\",\"equity\":%.6f,\"wins\":%.4f}\n", i, k,
             e->of[i][k], 0.5 + 0.5 * e->of[i][k]);
}

static void go_on_from(struct wish *w, struct making *m,
                       const sal_traps_policy *old) {
  w->equity = sal_traps_policy_equity(old);
  strcpy(m->note, sal_traps_policy_note(old));
  for (int i = 0; i < 2 * SAL_TRAPS_BLUEPRINTS; i++)
    m->blueprint[i / 2][i % 2] = sal_traps_policy_blueprint(old, i / 2, i % 2);
}

/* `old` is rank 0's. */
static int make_policy(struct wish *w, const sal_traps_policy *old) {
  struct making m = {.note = ""};
  bool found = old;
  ranks_share(&found, sizeof found);
  if (old)
    go_on_from(w, &m, old);
  int status = found ? DONE : find_worths(w);
  ranks_share(&w->equity, sizeof w->equity);
  if (status == DONE)
    print_worths(&w->equity);
  for (int i = 0; status == DONE && i < SAL_TRAPS_BLUEPRINTS; i++)
    if (w->blueprint == SAL_TRAPS_BLUEPRINTS || w->blueprint == i) {
      status = make_blueprint(w, &m, i);
      if (status == DONE && old) /* whatever happens, this much is kept */
        status = write_policy(w, &m);
      ranks_share(&status, sizeof status);
    }
  if (status == DONE && !found && ranks_number() == 0)
    status = write_policy(w, &m);
  for (int i = 0; i < 2 * SAL_TRAPS_BLUEPRINTS; i++)
    free(m.own[i / 2][i % 2]);
  return status;
}

/* A file that is there is gone on from. */
static int open_old(const struct wish *w, char **bytes,
                    sal_traps_policy **old) {
  FILE *f = fopen(w->file, "rb");
  if (!f)
    return DONE;
  fclose(f);
  size_t n;
  if (!(*bytes = read_file(w->file, &n)))
    return FAILED;
  *old = sal_traps_policy_open((const unsigned char *)*bytes, n);
  return *old ? DONE
              : complain(FAILED,
                         _("%s: not a policy of Traps, or it is damaged."),
                         w->file);
}

static int start_policy(struct wish *w) {
  char *bytes = NULL;
  sal_traps_policy *old = NULL;
  int status = ranks_number() == 0 ? open_old(w, &bytes, &old) : DONE;
  ranks_share(&status, sizeof status);
  if (status == DONE)
    status = make_policy(w, old);
  sal_traps_policy_close(old);
  free(bytes);
  return status;
}

/* ---- Reading the wish --------------------------------------------------------- */

static const struct option longs[] = {
    {"round", required_argument, NULL, 'r'},
    {"cut", required_argument, NULL, 'c'},
    {"iterations", required_argument, NULL, 'i'},
    {"until", required_argument, NULL, 'u'},
    {"policy", required_argument, NULL, 'p'},
    {"ends", no_argument, NULL, 'e'},
    {"json", no_argument, NULL, 'j'},
    {NULL, 0, NULL, 0}};

bool read_traps_round(const char *text, int *blueprint) {
  const char last = (char)('0' + SAL_TRAPS_GOAL - 1);
  if (strcmp(text, "tokens") == 0) {
    *blueprint = 0;
    return true;
  }
  if (strlen(text) != 3 || text[1] != '-' || text[0] < '0' || text[0] > last ||
      text[2] < '0' || text[2] > last)
    return false;
  *blueprint = sal_traps_score(text[0] - '0', text[2] - '0');
  return true;
}

static bool read_solve_traps_option(int c, char *text, void *wish) {
  struct wish *w = wish;
  switch (c) {
  case 'r': return read_traps_round(text, &w->blueprint);
  case 'c': return read_number(text, 0, SAL_TRAPS_CUTS - 1, &w->cut);
  case 'i': return read_number(text, 1, 1000000, &w->iterations);
  case 'p': w->file = text; return *text != '\0';
  case 'e': w->ends = true; return true;
  case 'j': w->json = true; return true;
  default: return read_until(text, &w->until);
  }
}

static int read_solve_traps_wish(int argc, char **argv, struct wish *w) {
  const int misread = take_options(&command_solve_traps, argc, argv, longs,
                                   read_solve_traps_option, w);
  if (misread != DONE)
    return misread;
  if (argc - optind != 1)
    return misused(&command_solve_traps, _("'%s' is not recognised."),
                   argv[argc - 1]);
  if (w->file && w->cut % 2)
    return misused(&command_solve_traps, "%s",
                   _("a policy needs an even cut: the second player's is one "
                     "more."));
  return DONE;
}

static int solve_blueprints(struct wish *w) {
  if (w->file)
    return start_policy(w);
  if (w->blueprint == SAL_TRAPS_BLUEPRINTS)
    w->blueprint = 0;
  const sal_traps_policy *shipped = shipped_traps();
  if (w->blueprint && !shipped)
    return without_policy();
  if (w->blueprint)
    w->equity = sal_traps_policy_equity(shipped);
  return solve_round(w);
}

static int solve_traps(int argc, char **argv) {
  struct wish w = {.blueprint = SAL_TRAPS_BLUEPRINTS,
                   .cut = 4,
                   .iterations = 1000,
                   .until = 0};
  const int misread = read_solve_traps_wish(argc, argv, &w);
  if (misread != DONE)
    return misread;
  ticker_start(_("Solving Traps"));
  const int status = solve_blueprints(&w);
  ticker_stop();
  return status;
}

static int run_solve_traps(int argc, char **argv) {
  ranks_start();
  const int status = solve_traps(argc, argv);
  ranks_end();
  return status;
}

const struct command command_solve_traps = {
    "solve traps", N_("compute how a round of Traps for two is best played"),
    N_("[--round tokens|A-B] [--cut N] [--iterations N]\n"
       "               [--until E] [--ends] [--json]\n"
       "       salotto solve traps --policy FILE [--round R] [--cut N]\n"
       "               [--iterations N]"),
    N_("Improves the strategies of both players and tells from time to time how much\n"
       "could still be won against them: the exploitability, exact for both players\n"
       "together. The value to the first player lies in the interval shown, in the game\n"
       "where building ends at the cut. With an even cut the lower bound holds in the\n"
       "whole game, with an odd cut the upper.\n"
       "  --round R        for tokens (the default), or to win the match at a score, as\n"
       "                   1-1, tokens of the first player first\n"
       "  --cut N          0: one card each, 1: two and one, ... 5: four and three (4)\n"
       "  --iterations N   stop after so many (1000)\n"
       "  --until E        stop at this exploitability\n"
       "  --ends           then print how often rounds end in each way, as JSON\n"
       "  --policy FILE    make the policy for all scores, or go on with the file: solve\n"
       "                   its rounds again, or the one that --round names. The second\n"
       "                   player's cut is one more\n"
       "  --json           one JSON object a line\n"
       "\n"
       "docs/traps-solved.md has more.\n"),
    run_solve_traps};
