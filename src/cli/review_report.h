/* Reviews for people, for `salotto review`. */
#ifndef SAL_CLI_REVIEW_REPORT_H
#define SAL_CLI_REVIEW_REPORT_H

#include "cli.h"
#include "salotto/review.h"

enum { PERCENT_TEXT = 32 };

/* Millionths as a percentage with one decimal, in the language in use: "41.2 %";
 * with a sign where asked for. */
void percent_text(int32_t parts, bool sign, char out[PERCENT_TEXT]);
/* Thousandths of a bit with two decimals and a sign: "−0.82". */
void bits_text(int64_t thousandths, char out[PERCENT_TEXT]);

/* ---- Sentences, for lines and for the screen: review_text.c ---------------- */

/* "Anna: take RL", "Cards are drawn." */
void review_say_step(const sal_review *r, size_t i, const struct sal_words *w,
                     struct sal_text *out);
/* The chances after a step, and whom the draw or hidden cards helped if it was
 * much. */
void review_say_luck(const sal_review *r, const struct sal_review_step *s,
                     const struct sal_words *w, struct sal_text *out);
/* What a decision with a choice was worth. */
void review_say_mark(const sal_review *r, size_t step,
                     const struct sal_words *w, struct sal_text *out);
/* Who plays as often as a candidate tells. */
const char *review_best_player(const sal_review *r);
/* What somebody could infer; whether that is worth a line. */
void review_say_inference(const sal_review *r, const struct sal_inference *n,
                          const struct sal_words *w, struct sal_text *out);
bool review_notable(const struct sal_inference *n);
/* "12. Anna: take RL (+23.1 %)": a step, and what it did to a seat's chance. */
void review_say_moment(const sal_review *r, size_t step, int seat,
                       const struct sal_words *w, struct sal_text *out);
/* Of a seat when all is done: in sentences, and how many of each mark. */
void review_say_seat(const sal_review *r, const struct sal_review_seat *s,
                     int seat, const struct sal_words *w, struct sal_text *out);
void review_say_marks(const struct sal_review_seat *s, struct sal_text *out);
/* "Where the tokens came from: bet met +6, bet failed −1." and "Bluffs that
 * worked: 12, 31.", by the numbers of the steps; nothing where there are none. */
void review_say_earned(const sal_review *r, const struct sal_review_seat *s,
                       struct sal_text *out);
void review_say_bluffs(const sal_review *r, const struct sal_review_seat *s,
                       int seat, struct sal_text *out);
/* Who played best. */
void review_say_verdict(const sal_review *r, const struct sal_words *w,
                        struct sal_text *out);

/* ---- Reports ---------------------------------------------------------------- */

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
  struct sal_setup setup;
  long games, seed;
  uint32_t playouts, simulations;
  bool json;
};
/* Who does what a hint names. */
extern const struct sal_bot bot_of_hints;
int review_calibrate(const struct review_study *s);
int review_levels(const struct review_study *s);
int review_hints(const struct review_study *s);

#endif
