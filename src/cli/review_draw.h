/* A review on the whole screen: what is drawn. */
#ifndef SAL_CLI_REVIEW_DRAW_H
#define SAL_CLI_REVIEW_DRAW_H

#include "salotto/review.h"
#include "terminal/draw.h"

struct review_view {
  const sal_review *review;  /* NULL: nothing is computed yet */
  size_t done, total;        /* steps */
  size_t at;                 /* the step that is looked at; total: the end */
  int seat;                  /* whose chances */
  bool open;                 /* all cards, else what that seat saw */
  bool board;                /* where not all fits: the board, not the chart */
  bool fine;                 /* the terminal has bars of eighths */
  int skip;                  /* lines of the text that are above */
  const struct scene *scene; /* the position at the step */
  const char *notice;
  /* Out: where the chart came to be, for the mouse; the lines that are below. */
  int chart_row, chart_rows, chart_column, chart_width;
  int more;
};

void draw_review(struct canvas *c, struct review_view *v);
/* The step of a column of the chart. */
size_t review_step_at(const struct review_view *v, int column);

#endif
