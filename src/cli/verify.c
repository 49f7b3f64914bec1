/* salotto verify: whether a record is what it says. */
#include "cli.h"

#include <stdlib.h>

static int report(const sal_table *table, const struct sal_audit *a) {
  const struct sal_game *g = sal_table_game(table);
  printf(_("%s, %d players, %zu actions: every action follows the rules.\n"),
         _(g->info.title), sal_table_players(table), a->actions);
  if (a->draws_given)
    printf(_("%zu draws were fixed by deals that the record shows.\n"),
           a->draws_given);
  if (a->draws_checked)
    printf(_("%zu draws were recomputed and are right.\n"), a->draws_checked);
  if (a->draws_unchecked)
    printf(_("%zu draws cannot be checked yet: their key is not opened.\n"),
           a->draws_unchecked);
  for (int s = 0; s < SAL_SEATS_MAX; s++)
    if (a->withheld >> s & 1)
      printf(_("Seat %d had pledged a part and did not tell it: zeros were "
               "used.\n"),
             s);
    else if (a->pledged >> s & 1)
      printf(_("The part of seat %d is the one that it had pledged.\n"), s);
  if (!a->committed) {
    puts(_("The record has no commitment: the seed could have been chosen."));
    return DONE;
  }
  char hex[2 * SAL_KEY_SIZE + 1];
  struct sal_text t;
  struct sal_key key;
  sal_table_commitment(table, &key);
  sal_text_init(&t, hex, sizeof hex);
  sal_text_hex(&t, key.bytes, SAL_KEY_SIZE);
  printf(_("The keys fit the commitment\n  %s\nwhich must be the one you were "
           "told before the first card.\n"),
         hex);
  return DONE;
}

static int run(int argc, char **argv) {
  if (argc != 2)
    return misused(&command_verify, "%s", _("name one record."));
  size_t length;
  char *text = read_file(argv[1], &length);
  if (!text)
    return FAILED;
  struct sal_audit audit;
  struct sal_refusal why;
  sal_table *t = sal_table_load(text, length, &audit, &why);
  free(text);
  if (!t)
    return complain(FAILED, "%s: %s", argv[1], why.message);
  const int status = report(t, &audit);
  sal_table_free(t);
  return status;
}

const struct command command_verify = {
    "verify", N_("check a record: its actions, its draws, its commitment"),
    "RECORD",
    N_("Plays the record again. Every action must follow the rules, every draw "
       "must be\nthe one that the seed or the opened keys give, and the keys "
       "must be those that\nwere committed to before the first card. "
       "docs/fair-deals.md says what that proves.\n"),
    run};
