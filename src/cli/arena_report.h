/* Reports of a tournament, for `salotto arena`. */
#ifndef SAL_CLI_ARENA_REPORT_H
#define SAL_CLI_ARENA_REPORT_H

#include "arena_play.h"
#include "figures.h"

struct tournament_report {
  const struct arena_plan *plan;
  const struct arena_game *games;
  const struct figures *figures;
  const struct arena_notes *notes;
  const struct sprt *sprt; /* NULL: nothing was asked */
  bool repeatable; /* no clock and no outside program had a hand in it */
};

/* What a bot took for its moves with a choice, in games that were played just
 * now; mean and longest are 0 where it had none. */
struct bot_time {
  uint64_t moves;
  double mean, longest; /* seconds */
};
struct bot_time bot_time(const struct tournament_report *r, int bot);

/* For people, in 80 columns. */
void arena_text(FILE *out, const struct tournament_report *r);
/* One JSON object. */
void arena_json(FILE *out, const struct tournament_report *r);
/* One row a game. */
void arena_csv(FILE *out, const struct tournament_report *r);
/* One page that needs nothing else. */
void arena_html(FILE *out, const struct tournament_report *r);

/* The name, cut to so many characters; at most four bytes each are written. */
void shorten(const char *name, int most, struct sal_text *out);

/* A fault as sentences: which game, what was answered, which rule forbids it. */
void fault_say(const struct arena_plan *p, const struct arena_note *n,
               struct sal_text *out);
/* The first faults with their positions, for people; how many more there were. */
void print_faults(const struct arena_plan *p, const struct arena_notes *notes);
enum { FAULT_SAY_MAX = 2000, SPRT_SAY_MAX = 1200 };
/* What the test says of its question; returns `text`. */
const char *sprt_say(const struct sprt *s, const char *bot,
                     char text[SPRT_SAY_MAX]);

/* A number that need not be whole, and what the test says, as members. */
void json_figure(struct sal_json *j, const char *key, double value);
void json_sprt(struct sal_json *j, const struct sprt *s);

/* "stronger", "not stronger", "open": the words of the data. */
const char *sprt_verdict_id(enum sprt_verdict v);

/* The name of a fault, as a heading; translated. */
const char *fault_title(enum arena_fault f);

/* ---- Plots: SVG for the page, arena_plot.c ------------------------------- */

/* Text between tags or in an attribute. */
void put_escaped(FILE *out, const char *text);

void plot_ratings(FILE *out, const struct tournament_report *r);
void plot_seats(FILE *out, const struct tournament_report *r);
void plot_lengths(FILE *out, const struct tournament_report *r);
void plot_scores(FILE *out, const struct tournament_report *r, int bot);

#endif
