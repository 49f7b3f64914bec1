/* salotto verify: whether a record is what it says.
 *
 * Main invariant: nothing is called proven that was not recomputed from keys
 * that are in the file and lead to the commitment in the file. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* The rules hold, but not every draw is proven. */
enum { UNPROVEN = 3, JSON_MAX = 4096 };

static void print_commitment(const sal_table *table) {
  char hex[2 * SAL_KEY_SIZE + 1];
  struct sal_text t;
  struct sal_key key;
  sal_table_commitment(table, &key);
  sal_text_init(&t, hex, sizeof hex);
  sal_text_hex(&t, key.bytes, SAL_KEY_SIZE);
  printf("  %s\n", hex);
}

static void report_parts(const struct sal_audit *a) {
  if (!a->parts)
    puts(_("No player added randomness: whoever ran the table chose the "
           "seed alone."));
  for (int s = 0; s < a->parts; s++)
    if (a->withheld >> s & 1)
      printf(_("Seat %d pledged a random part and did not reveal it: zeros "
               "were used.\n"),
             s);
    else if (a->pledged >> s & 1)
      printf(_("The random part of seat %d is the one it had pledged.\n"), s);
}

/* What ties the draws to something that was told before the first card. */
static void report_keys(const sal_table *table, const struct sal_audit *a) {
  if (!a->committed) {
    puts(_("Not checked: the record has no commitment, so the seed could have "
           "been chosen afterwards."));
    return;
  }
  if (a->seeded)
    puts(_("The seed fits the commitment below."));
  else if (a->keys)
    printf(_("%zu opened keys fit the commitment below.\n"), a->keys);
  else
    puts(_("Not checked: the commitment below; the record has no seed and no "
           "opened key."));
  print_commitment(table);
  puts(
      _("Compare it with the one you were told before the first card: a record "
        "cannot prove that."));
}

static void report_audit(const sal_table *table, const struct sal_audit *a) {
  printf(_("%s, %d players, %zu actions: every action follows the rules.\n"),
         _(sal_table_game(table)->info.title), sal_table_players(table),
         a->actions);
  if (sal_table_to_act(table) != 0)
    puts(_("The game is not over: this is the record so far."));
  if (a->draws_checked)
    printf(_("%zu draws were recomputed and are right.\n"), a->draws_checked);
  if (a->draws_given)
    printf(_("Not random: %zu draws were fixed by deals that the record "
             "shows.\n"),
           a->draws_given);
  if (a->draws_unchecked)
    printf(_("Not checked: %zu draws whose key is not in the record.\n"),
           a->draws_unchecked);
  report_parts(a);
  report_keys(table, a);
  puts(sal_audit_proven(a) ? _("Verdict: proven.")
                           : _("Verdict: the rules hold, the draws are not "
                               "proven."));
}

/* ---- JSON ----------------------------------------------------------------- */

static void json_commitment(struct sal_json *j, const sal_table *table,
                            const struct sal_audit *a) {
  char hex[2 * SAL_KEY_SIZE + 1];
  struct sal_text t;
  struct sal_key key;
  if (!a->committed) {
    sal_json_null(j, "commitment");
    return;
  }
  sal_table_commitment(table, &key);
  sal_text_init(&t, hex, sizeof hex);
  sal_text_hex(&t, key.bytes, SAL_KEY_SIZE);
  sal_json_string(j, "commitment", hex);
}

static void json_sound(struct sal_json *j, const sal_table *table,
                       const struct sal_audit *a) {
  sal_json_string(j, "verdict", sal_audit_proven(a) ? "proven" : "unproven");
  sal_json_string(j, "game", sal_table_game(table)->info.id);
  sal_json_int(j, "players", sal_table_players(table));
  sal_json_bool(j, "over", sal_table_to_act(table) == 0);
  sal_json_bits(j, "winners", sal_table_winners(table));
  sal_json_int(j, "actions", (int64_t)a->actions);
  sal_json_object(j, "draws");
  sal_json_int(j, "proven", a->committed ? (int64_t)a->draws_checked : 0);
  sal_json_int(j, "recomputed", (int64_t)a->draws_checked);
  sal_json_int(j, "fixed", (int64_t)a->draws_given);
  sal_json_int(j, "unchecked", (int64_t)a->draws_unchecked);
  sal_json_end(j, '}');
  json_commitment(j, table, a);
  sal_json_bool(j, "seed", a->seeded);
  sal_json_int(j, "keys", (int64_t)a->keys);
  sal_json_int(j, "parts", a->parts);
  sal_json_bits(j, "pledged", a->pledged);
  sal_json_bits(j, "withheld", a->withheld);
}

static void json_wrong(struct sal_json *j, const struct sal_audit *a,
                       const struct sal_refusal *why) {
  sal_json_string(j, "verdict", "wrong");
  if (a->line)
    sal_json_int(j, "line", (int64_t)a->line);
  else
    sal_json_null(j, "line");
  if (*a->due)
    sal_json_string(j, "due", a->due);
  sal_json_string(j, "message", why->message);
}

static void print_json(const sal_table *table, const struct sal_audit *a,
                       const struct sal_refusal *why) {
  char buffer[JSON_MAX];
  struct sal_text t;
  struct sal_json j;
  sal_text_init(&t, buffer, sizeof buffer);
  sal_json_init(&j, &t);
  sal_json_object(&j, NULL);
  if (table)
    json_sound(&j, table, a);
  else
    json_wrong(&j, a, why);
  sal_json_end(&j, '}');
  puts(buffer);
}

/* ---- The command ---------------------------------------------------------- */

static int verify(const char *path, bool json) {
  size_t length;
  char *text = read_file(path, &length);
  if (!text)
    return FAILED;
  struct sal_audit audit;
  struct sal_refusal why;
  sal_table *t = json ? sal_table_load(text, length, &audit, &why)
                      : load_record(text, length, &audit, &why);
  free(text);
  if (json)
    print_json(t, &audit, &why);
  else if (t)
    report_audit(t, &audit);
  else
    complain(FAILED, "%s: %s", path, why.message);
  if (!t)
    return FAILED;
  sal_table_free(t);
  return sal_audit_proven(&audit) ? DONE : UNPROVEN;
}

static int run_verify(int argc, char **argv) {
  const char *path = NULL;
  bool json = false;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--json") == 0)
      json = true;
    else if (argv[i][0] == '-' && argv[i][1])
      return misused(&command_verify, _("there is no option '%s'."), argv[i]);
    else if (path)
      return misused(&command_verify, "%s", _("name one record."));
    else
      path = argv[i];
  }
  if (!path)
    return misused(&command_verify, "%s", _("name one record."));
  return verify(path, json);
}

const struct command command_verify = {
    "verify", N_("check a record: its actions, its draws, its commitment"),
    N_("[--json] RECORD"),
    N_("Plays the record again; '-' reads it from standard input. Every action "
       "must\nfollow the rules, every draw must be the one that the seed or "
       "the opened keys\ngive, and the keys must lead to the commitment. What "
       "could not be checked is\nsaid. docs/fair-deals.md says what that "
       "proves.\n\n"
       "  --json   the verdict as one JSON object\n\n"
       "Exit status: 0 every draw is proven, 3 the rules hold but not every "
       "draw is\nproven, 1 the record is wrong or cannot be read.\n"),
    run_verify};
