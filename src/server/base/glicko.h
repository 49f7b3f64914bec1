/* Ratings by Glicko-2: how strong somebody is, how sure that is, and how much
 * they swing. Pure arithmetic; the scale is that of Elo, a newcomer has 1500. */
#ifndef SAL_SERVER_GLICKO_H
#define SAL_SERVER_GLICKO_H

#include <stddef.h>

struct glicko {
  double rating, deviation, volatility;
};

extern const struct glicko glicko_newcomer;

/* One opponent and what came of it: 1 won, 0.5 drawn, 0 lost. */
struct glicko_meeting {
  struct glicko opponent;
  double score;
  double weight; /* 1: in full */
};

/* What one rating period with these meetings, at least one, makes of a player.
 * `tau` bounds how fast the volatility changes. */
struct glicko glicko_after(const struct glicko *player,
                           const struct glicko_meeting *meetings, size_t count,
                           double tau);
/* So many periods without a game: less sure, up to what a newcomer is. */
struct glicko glicko_idle(const struct glicko *player, double periods);

#endif
