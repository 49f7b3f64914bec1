/* Reviews for people, for `salotto review`. */
#ifndef SAL_CLI_REVIEW_REPORT_H
#define SAL_CLI_REVIEW_REPORT_H

#include "cli.h"
#include "salotto/review.h"

enum { PERCENT_TEXT = 16 };

/* Millionths as a percentage with one decimal, in the language in use: "41.2 %";
 * with a sign where asked for. */
void percent_text(int32_t parts, bool sign, char out[PERCENT_TEXT]);

/* For people, in 80 columns: a step when it is there, and the end. `seat`: only
 * this one's decisions; -1: all. */
void review_text_head(const sal_review *r, const struct sal_words *w);
void review_text_step(const sal_review *r, size_t i, const struct sal_words *w,
                      int seat);
void review_text_seats(const sal_review *r, const struct sal_words *w,
                       int seat);

/* One page that needs nothing else; NULL without memory, else to be freed. */
char *review_html(const sal_review *r, const struct sal_words *w, int seat);

/* Plays games of bots and holds the measure against what came of them. */
struct review_study {
  const struct sal_game *game;
  const struct sal_bot *bot[SAL_SEATS_MAX];
  int players;
  long games, seed;
  uint32_t playouts, simulations;
  bool json;
};
int review_calibrate(const struct review_study *s);
int review_levels(const struct review_study *s);
int review_hints(const struct review_study *s);

#endif
