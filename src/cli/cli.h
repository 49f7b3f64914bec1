/* What the subcommands share. */
#ifndef SAL_CLI_H
#define SAL_CLI_H

#include "salotto/salotto.h"

#include <stdio.h>

/* The message in the language in use. */
const char *translated(const char *message) __attribute__((format_arg(1)));
#define _(text) translated(text)
/* In Italian, whatever the language is. */
const char *in_italian(const char *message) __attribute__((format_arg(1)));

/* Exit statuses: 0 done, 1 failed, 2 the command was not understood. */
enum { DONE = 0, FAILED = 1, USAGE = 2 };

/* A subcommand: `run` gets its own name as argv[0]. */
struct command {
  const char *name;
  const char *about;    /* one line for the list, marked for translation */
  const char *synopsis; /* after "salotto NAME", marked likewise; may be "" */
  const char *help;     /* the rest of --help, marked for translation */
  int (*run)(int argc, char **argv);
};

extern const struct command command_play, command_watch, command_replay,
    command_join, command_referee, command_rules, command_verify, command_bench,
    command_arena, command_court, command_serve, command_solve,
    command_solve_traps, command_exploit, command_exploit_traps, command_admin,
    command_schema, command_review, command_explore, command_problems,
    command_notices;

/* "salotto: …" on standard error; returns `status`. */
int complain(int status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same with a word on where help is; returns USAGE. */
int misused(const struct command *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void print_help(const struct command *c);

/* Words in the language in use. */
void cli_words_init(struct sal_speaker *w, const char *const *names);
/* sal_table_load; what is wrong is said in the language of the program. */
sal_table *load_record(const char *text, size_t length, struct sal_audit *audit,
                       struct sal_refusal *why);
/* Chooses the language: `wanted` ("en", "it"), or what the environment says. */
void choose_language(const char *wanted);
/* The same for what an option says; false if there is no such language. */
bool read_language(const char *text);
/* "en" or "it": the language in use. */
const char *language(void);

/* A file that lies inside the program, closed by a NUL; NULL if there is none
 * of that name. */
const char *embedded_file(const char *name, size_t *size);

/* The policies that the master plays by, as bytes and opened, kept for good;
 * NULL: this program was built without, or there is no memory. */
const char *policy_bytes(const char *game, size_t *size);
int without_policy(void); /* complains, and returns the status */
const sal_doors_policy *shipped_policy(void);
const sal_traps_policy *shipped_traps(void);
const sal_favor_policy *shipped_favor(void);
/* A round of Traps: "tokens", or a score as "1-1"; its blueprint. */
bool read_traps_round(const char *text, int *blueprint);
/* Lets the master play by it: before bots are asked. */
void teach_master(void);

/* The whole of a file ("-": standard input), NUL-terminated, to be freed; NULL
 * with a complaint. */
char *read_file(const char *path, size_t *length);
/* Writes a file under a temporary name and renames it; 0 or a complaint. */
int write_file(const char *path, const char *text);
/* The same for bytes in two parts. */
int write_parts(const char *path, const void *head, size_t head_size,
                const void *body, size_t body_size);
/* Splits cards with commas between them ("RL,RL,BL,RT") into numbers by kind,
 * as salotto/solve.h has them; and back. */
enum { CARDS_TEXT = 3 * 14 };
bool read_cards(const char *text, uint8_t cards[SAL_DOORS_KINDS]);
void cards_text(const uint8_t cards[SAL_DOORS_KINDS], char out[CARDS_TEXT]);
/* A score as 3-7: the Collector's tokens and the Guesser's; its blueprint. */
bool read_score(const char *text, int *blueprint);
/* Six falling numbers with commas between them, for sal_doors_worth. */
bool read_worth(const char *text, struct sal_doors_worth *w);
/* Goes through the options: `read` takes each with its value (NULL: none) and
 * says whether it can be. DONE, or a complaint. */
struct option;
int take_options(const struct command *c, int argc, char **argv,
                 const struct option *longs,
                 bool (*read)(int option, char *value, void *wish), void *wish);
/* An exploitability to stop at: 0 or more. */
bool read_until(const char *text, double *out);
/* A whole number in a range. */
bool read_number(const char *text, long least, long most, long *out);
/* As many threads as there are cores. */
long core_count(void);

/* Sets an option from text; false and a sentence if it has no such value. */
bool set_option(const struct sal_game *g, struct sal_setup *setup,
                const char *name, const char *value, struct sal_text *problem);
/* A setup from what was asked for: players (0: as few as there may be) and
 * options as NAME=VALUE. DONE, or a complaint. */
int read_setup(const struct command *c, const struct sal_game *g, int players,
               const char *const *option, int options, struct sal_setup *out);

/* Solves a game that is not Doors: the rest of command_solve. */
int solve_small(const struct sal_game *g, int argc, char **argv);

/* Registers the games of a plugin; DONE or a complaint. */
int load_plugin(const char *file);
/* The same for every `--plugin FILE` among the arguments, which are taken out.
 */
int load_plugins(int *argc, char **argv);

/* Prints the rule book of a game, or one chapter or rule of it (false: none
 * such). */
bool print_rules_of(const struct sal_game *g, const char *part);

#endif
