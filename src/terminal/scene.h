/* What a table looks like to who sits before the screen: the model that is
 * drawn. It is filled from what a table tells a seat (sal_table_tell,
 * docs/server.md), so a game in this program, a replay and a server's table look
 * the same, and nothing hidden can be in it. */
#ifndef SAL_TERMINAL_SCENE_H
#define SAL_TERMINAL_SCENE_H

#include "salotto/game.h"

#include <jansson.h>

enum { SCENE_NAME_MAX = 40, SCENE_LOG_MAX = 500, SCENE_NOTICE_MAX = 2000 };

struct scene_choice {
  const char *notation; /* both live as long as `told` */
  const char *say;      /* "" if it was not told */
};

struct scene {
  const struct sal_words *words;
  char game[32];  /* its id */
  char title[64]; /* its name, in the language in use */
  int seat;       /* through whose eyes; SAL_SPECTATOR, SAL_EVERYTHING */
  int players;
  char names[SAL_SEATS_MAX][SCENE_NAME_MAX];
  char clock[SAL_SEATS_MAX][16]; /* "" without one */
  json_t *told;                  /* the last message, or NULL */
  const json_t *state;           /* of it */
  const char *prompt, *position;
  size_t count;
  struct scene_choice *choices;
  bool may_undo;
  char *log[SCENE_LOG_MAX]; /* sentences, the last one last */
  int times[SCENE_LOG_MAX]; /* how often in a row */
  char *rule[SCENE_LOG_MAX];
  size_t logged;
  char notice[SCENE_NOTICE_MAX]; /* an answer to what was typed, or "" */
  char refused_by[64];           /* the rule of the last refusal, or "" */
};

void scene_free(struct scene *s);
/* Takes over what a table told; its sentences go to the log. False without
 * memory. */
bool scene_tell(struct scene *s, json_t *told);
/* Forgets the log and what was told: another pair of eyes. */
void scene_forget(struct scene *s);
void scene_log(struct scene *s, const char *sentence, const char *rule);
/* The rule of the last refusal, else of the last event, or NULL. */
const char *scene_rule(const struct scene *s);

/* The words of the program for the screen. */
const char *scene_say(const struct scene *s, const char *msgid)
    __attribute__((format_arg(2)));

/* Facts of the state; what is not there is 0, false or "". */
long scene_number(const struct scene *s, const char *key);
long scene_number_at(const struct scene *s, const char *key, int i);
const char *scene_text(const struct scene *s, const char *key);
const json_t *scene_list(const struct scene *s, const char *key, int i);
bool scene_null(const struct scene *s, const char *key);
bool scene_asked(const struct scene *s, int seat);
bool scene_over(const struct scene *s);
bool scene_won(const struct scene *s, int seat);
/* Whether a bare number is an amount here ("bet 5", "bid 2"). */
bool scene_amounts(const struct scene *s);

#endif
