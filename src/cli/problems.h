/* Problems for `salotto problems`: made, written as lines of JSON, read again
 * and verified. docs/problems.md has the format. */
#ifndef SAL_CLI_PROBLEMS_H
#define SAL_CLI_PROBLEMS_H

#include "cli.h"
#include "salotto/problem.h"

#include <jansson.h>
#include <stdatomic.h>

enum { SOLVERS = 3 }; /* the bots that a problem is held up to */

struct problem {
  long number; /* of the game it comes from, counted from 0 */
  int seat;
  const struct sal_theme *theme;
  double solved[SOLVERS]; /* how likely each bot is right */
  int rating;
  struct sal_weighing w;
};

/* For people: the position as the seat sees it, then what can be done, the best
 * first. */
void problem_print(const struct problem *p, const sal_table *t, FILE *file);

/* By what the bots find: the rating at which somebody has an even chance. */
int problem_rating(const double solved[SOLVERS]);

/* ---- Making: problems_make.c ------------------------------------------------ */

/* No game has more themes. */
enum { THEMES_MAX = 16 };

struct making {
  const struct sal_game *game;
  uint64_t seed;
  uint32_t themes;         /* that are wanted: bits */
  uint32_t worlds;         /* of each of the searches; 0: the usual number */
  const atomic_bool *stop; /* whether somebody wants it to end */
};
enum { SEARCHES = 3 };
/* In how many worlds each search compares. */
uint32_t making_worlds(const struct making *m);
/* The problem that a game of bots gives, and its table; NULL: it gives none, or
 * it was stopped. */
sal_table *problem_make(const struct making *m, long number,
                        struct problem *out);

/* Makes so many on all ranks (ranks/ranks.h), and writes them into a file or, if that
 * is NULL, prints them. The same for any number of ranks; DONE or a complaint. */
int problems_make_all(struct making *m, long count, const char *file,
                      bool json);

/* ---- Files: problems_file.c -------------------------------------------------- */

/* The first line, and one for a problem. */
json_t *problems_head(const struct making *m);
json_t *problem_line(const struct problem *p, const sal_table *t);
/* As a line of text; takes the object over. False without memory. */
bool write_json(json_t *object, FILE *out);

/* Calls for each problem of the text of a file; DONE or a complaint. */
typedef bool problem_fn(const struct problem *p, const sal_table *t,
                        void *context);
int problems_each(const char *path, const char *text, const struct sal_game *g,
                  problem_fn *tell, void *context);

#endif
