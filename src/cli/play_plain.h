/* A game in lines of text. */
#ifndef SAL_CLI_PLAY_PLAIN_H
#define SAL_CLI_PLAY_PLAIN_H

#include "session.h"

/* Plays to the end, or until somebody leaves; the exit status. */
int play_plain(struct session *p);
/* Lets bots play; `seconds` between two events, 0: as fast as they can. */
int watch_plain(struct session *p, double seconds);

/* The game and the commitment to its deals, which stay in the scrollback. */
void print_welcome(const struct session *p);
/* Who is asked for what, or who has won. */
void print_prompt(struct session *p);

/* ---- Lines for people: lines.c -------------------------------------------- */

/* Writes text: at most as wide as the terminal (80 columns elsewhere), broken at
 * words, in ASCII where the locale says so, cards in colour on a terminal that
 * has them. Lines after the first of a sentence begin `indent` columns in. */
void print_lines(const char *text, int indent);
/* The same for one sentence, whose further lines begin two columns in. */
void print_sentence(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
/* Text as it stands, line by line, but in ASCII and colour as above. */
void print_block(const char *text);
/* Reads a line with the prompt "> ", without its end and the blanks around it;
 * false at the end of input. On a terminal it can be edited, lines from before
 * come back, and Tab completes what begins a word of `offered` (ends with NULL).
 */
enum { LINE_MAX_LEN = 1000 };
bool read_line(char *line, const char *const *offered);

/* Something else that goes on while a line is typed: a server's table. */
struct beside {
  void *self;
  /* Readable when something has come; -1: `ready` is called every second. */
  int (*descriptor)(void *self);
  /* Takes it; calls hide_line before it prints. False: no line is wanted any
   * more. */
  bool (*ready)(void *self);
  /* What Tab completes now. */
  const char *const *(*offered)(void *self);
};
/* Reads a line as above; false also if none is wanted any more. */
bool read_line_beside(char *line, const struct beside *b);
/* Takes the line that is being typed off the screen; it is there again after
 * what is printed. */
void hide_line(void);

#endif
