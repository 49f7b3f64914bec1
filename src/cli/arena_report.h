/* Reports of a tournament, for `salotto arena`. */
#ifndef SAL_CLI_ARENA_REPORT_H
#define SAL_CLI_ARENA_REPORT_H

#include "cli.h"
#include "figures.h"

struct tournament_report {
  const struct arena_plan *plan;
  const struct arena_game *games;
  const struct figures *figures;
  bool repeatable; /* no clock and no outside program had a hand in it */
};

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
