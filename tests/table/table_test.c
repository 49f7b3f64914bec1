/* The table: refusals, deals, records that are wrong, memory that runs out. */
#include "salotto/salotto.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct sal_plan doors_plan(void) {
  struct sal_plan p = {.game = sal_game_find("doors")};
  sal_setup_default(p.game, 2, &p.setup);
  p.setup.option[0] = 0;
  sal_key_number(11, &p.seed);
  return p;
}

static sal_table *doors_table(void) {
  const struct sal_plan p = doors_plan();
  return sal_table_new(&p);
}

static void facts(const sal_table *t, int viewer, char *out, size_t size) {
  struct sal_text text;
  struct sal_json j;
  sal_text_init(&text, out, size);
  sal_json_init(&j, &text);
  sal_table_facts(t, viewer, &j, NULL);
}

/* Plays the first legal action of whoever is asked, n times. */
static void play(sal_table *t, int n) {
  sal_action legal[200];
  while (n-- > 0 && sal_table_to_act(t)) {
    const int seat = __builtin_ctz(sal_table_to_act(t));
    char text[SAL_ACTION_TEXT_MAX];
    struct sal_text out;
    sal_text_init(&out, text, sizeof text);
    sal_table_legal(t, seat, legal);
    sal_table_game(t)->action_text(legal[0], &out);
    assert_int_equal(sal_table_act(t, seat, text, NULL), 0);
  }
}

static size_t times(const char *text, const char *part) {
  size_t n = 0;
  while ((text = strstr(text, part))) {
    n++;
    text += strlen(part);
  }
  return n;
}

/* A seat is told its own card and choices, in words if it likes; who watches
 * neither. Each event has one sentence. */
static void test_tell(void **state) {
  (void)state;
  sal_table *t = doors_table();
  static char told[3][20000];
  static const struct {
    int viewer;
    const struct sal_words *words;
  } to[] = {
      {0, &sal_words_plain}, {0, NULL}, {SAL_SPECTATOR, &sal_words_plain}};
  play(t, 6);
  for (int i = 0; i < 3; i++) {
    struct sal_text text;
    struct sal_json j;
    sal_text_init(&text, told[i], sizeof told[i]);
    sal_json_init(&j, &text);
    sal_json_object(&j, NULL);
    sal_table_tell(t, to[i].viewer, 0, to[i].words, &j);
    sal_json_end(&j, '}');
    assert_int_equal(text.lost, 0);
  }
  assert_int_equal(times(told[0], "\"event\":"), sal_table_event_count(t));
  assert_int_equal(times(told[0], "\"text\":"), sal_table_event_count(t));
  assert_int_equal(times(told[0], "\"rule\":"), sal_table_event_count(t));
  assert_int_equal(times(told[1], "\"text\":"), 0);
  assert_null(strstr(told[1], "\"prompt\""));
  assert_non_null(strstr(told[1], "\"legal\":[\""));
  assert_non_null(strstr(told[0], "\"legal_say\":[\""));
  assert_null(strstr(told[2], "\"legal"));
  assert_non_null(strstr(told[0], "You are the "));
  assert_null(strstr(told[2], "You are the "));
  sal_table_free(t);
}

/* A table of Louis XIV at which somebody plays a first card, with privilege 2. */
static sal_table *louis_table(uint64_t seed) {
  struct sal_plan p = {.game = sal_game_find("louis")};
  sal_setup_default(p.game, 2, &p.setup);
  sal_key_number(seed, &p.seed);
  sal_table *t = sal_table_new(&p);
  for (int i = 0; i < 4; i++) /* both for the board, both before the deal */
    assert_int_equal(sal_table_act(t, __builtin_ctz(sal_table_to_act(t)),
                                   i < 2 ? "favour 2" : "pass", NULL),
                     0);
  return t;
}

/* Every choice has its sentence, also the last of some hundreds. */
static void test_tell_all(void **state) {
  (void)state;
  static char told[100000];
  size_t n = 0;
  for (uint64_t seed = 1; n <= 200; seed++) {
    sal_table *t = louis_table(seed);
    const int seat = __builtin_ctz(sal_table_to_act(t));
    struct sal_text text;
    struct sal_json j;
    sal_table_choices(t, seat, &n);
    sal_text_init(&text, told, sizeof told);
    sal_json_init(&j, &text);
    sal_json_object(&j, NULL);
    sal_table_tell(t, seat, sal_table_event_count(t), &sal_words_plain, &j);
    sal_json_end(&j, '}');
    assert_int_equal(text.lost, 0);
    sal_table_free(t);
  }
  const char *says = strstr(told, "\"legal_say\":[\"");
  assert_non_null(says);
  assert_int_equal(times(says, "\",\"") + 1, n);
}

static void test_refusals(void **state) {
  (void)state;
  sal_table *t = doors_table();
  struct sal_refusal why;
  char before[4000], after[4000];
  facts(t, SAL_EVERYTHING, before, sizeof before);
  assert_int_equal(sal_table_act(t, 1, "take RL", &why), SAL_NOT_YOUR_TURN);
  assert_string_equal(why.message, "Seat 0 must take a card.");
  assert_null(why.rule);
  assert_int_equal(sal_table_act(t, 0, "bid 3", &why), SAL_BAD_ACTION);
  assert_int_equal(sal_table_act(t, 0, "end", &why), SAL_ILLEGAL);
  assert_string_equal(why.rule, "doors.turn.phase");
  assert_int_equal(sal_table_try(t, 0, "end", NULL), SAL_ILLEGAL);
  facts(t, SAL_EVERYTHING, after, sizeof after);
  assert_string_equal(before, after);
  sal_table_free(t);
}

static void test_actions(void **state) {
  (void)state;
  sal_table *t = doors_table();
  play(t, 5);
  assert_int_equal(sal_table_length(t), 5);
  char text[SAL_ACTION_TEXT_MAX];
  struct sal_text out;
  int seat;
  sal_text_init(&out, text, sizeof text);
  sal_table_action(t, 0, &seat, &out);
  assert_int_equal(seat, 0);
  assert_memory_equal(text, "take ", 5);
  sal_text_clear(&out);
  sal_table_action(t, 1, &seat, &out);
  assert_int_equal(seat, 1);
  assert_memory_equal(text, "discard ", 8);
  sal_table_free(t);
}

static void test_bad_deals(void **state) {
  (void)state;
  struct sal_refusal why;
  const struct sal_plan p = doors_plan();
  struct sal_deals *d = sal_deals_new(p.game, &p.setup);
  assert_int_equal(sal_deals_open(d, 0, "hands", 0, &why), SAL_BAD_DEAL);
  assert_int_equal(sal_deals_open(d, 0, "deck", 1, &why), SAL_BAD_DEAL);
  assert_int_equal(sal_deals_open(d, 0, "deck", 0, &why), 0);
  assert_int_equal(sal_deals_card(d, "XX", &why), SAL_BAD_DEAL);
  assert_int_equal(sal_deals_card(d, "a very long name of a card", &why),
                   SAL_BAD_DEAL);
  assert_int_equal(sal_deals_card(d, "BR", &why), 0);
  assert_int_equal(sal_deals_check(d, &why), 0);
  assert_int_equal(sal_deals_card(d, "BR", &why), 0);
  assert_int_equal(sal_deals_check(d, &why), SAL_BAD_DEAL); /* there is one */
  assert_int_equal(sal_deals_open(d, 0, "deck", 0, &why), SAL_BAD_DEAL);
  sal_deals_free(d);
  d = sal_deals_new(p.game, &p.setup);
  assert_int_equal(sal_deals_open(d, 0, "identities", 0, &why), 0);
  assert_int_equal(sal_deals_check(d, &why), SAL_BAD_DEAL); /* too few */
  assert_int_equal(sal_deals_card(d, "BR", &why), SAL_BAD_DEAL);
  assert_int_equal(sal_deals_card(d, "RL", &why), 0);
  assert_int_equal(sal_deals_card(d, "RL", &why), 0);
  assert_int_equal(sal_deals_check(d, &why), SAL_BAD_DEAL); /* twice the same */
  assert_int_equal(sal_deals_card(d, "BL", &why), SAL_BAD_DEAL); /* too many */
  sal_deals_free(d);
  /* Every list is looked at, not only the first. */
  d = sal_deals_new(p.game, &p.setup);
  for (int entry = 0; entry < 3; entry++) {
    assert_int_equal(sal_deals_open(d, entry, "identities", 0, &why), 0);
    assert_int_equal(sal_deals_card(d, "RL", &why), 0);
    assert_int_equal(sal_deals_check(d, &why), SAL_BAD_DEAL); /* too few */
    assert_int_equal(sal_deals_card(d, "BL", &why), 0);
    assert_int_equal(sal_deals_check(d, &why), 0);
    assert_int_equal(sal_deals_open(d, entry, "deck", 0, &why), 0);
    assert_int_equal(sal_deals_card(d, "LT", &why), 0);
    assert_int_equal(sal_deals_check(d, &why), 0);
  }
  assert_int_equal(sal_deals_card(d, "LT", &why), 0);
  assert_int_equal(sal_deals_check(d, &why), SAL_BAD_DEAL); /* there is one */
  assert_non_null(strstr(why.message, "Deal 3, deck"));
  sal_deals_free(d);
  /* And every card of a list. */
  d = sal_deals_new(p.game, &p.setup);
  assert_int_equal(sal_deals_open(d, 0, "deck", 0, &why), 0);
  assert_int_equal(sal_deals_card(d, "RL", &why), 0);
  assert_int_equal(sal_deals_card(d, "LT", &why), 0);
  assert_int_equal(sal_deals_check(d, &why), 0);
  assert_int_equal(sal_deals_card(d, "LT", &why), 0);
  assert_int_equal(sal_deals_check(d, &why), SAL_BAD_DEAL);
  sal_deals_free(d);
}

/* Where each seat has a list, all have one; lists of other piles do not count. */
static void test_lists_of_seats(void **state) {
  (void)state;
  struct sal_refusal why;
  struct sal_setup setup;
  const struct sal_game *traps = sal_game_find("traps");
  sal_setup_default(traps, 3, &setup);
  struct sal_deals *d = sal_deals_new(traps, &setup);
  for (int seat = 0; seat < 3; seat++) {
    assert_int_equal(sal_deals_open(d, 0, "hands", seat, &why), 0);
    assert_int_equal(sal_deals_card(d, "RL", &why), 0);
    assert_int_equal(sal_deals_check(d, &why), seat < 2 ? SAL_BAD_DEAL : 0);
  }
  assert_int_equal(sal_deals_open(d, 0, "hands", 3, &why), SAL_BAD_DEAL);
  assert_int_equal(sal_deals_open(d, 0, "doors", 0, &why), 0);
  assert_int_equal(sal_deals_card(d, "RL", &why), 0);
  assert_int_equal(sal_deals_check(d, &why), 0);
  sal_deals_free(d);
}

/* ---- Records that are wrong --------------------------------------------- */

static void refuse_record(const char *text, const char *part) {
  struct sal_refusal why;
  assert_null(sal_table_load(text, strlen(text), NULL, &why));
  assert_int_equal(why.code, SAL_BAD_RECORD);
  if (!strstr(why.message, part))
    fail_msg("'%s' does not say '%s'", why.message, part);
}

#define HEAD "salotto record 1\ngame doors\nplayers 2\n"
#define FIRST "option first 0\n"
#define SEED                                                                   \
  "seed 000000000000000000000000000000000000000000000000000000000000000b\n"

static void test_bad_records(void **state) {
  (void)state;
  refuse_record("", "begins with");
  refuse_record("salotto record 3\n", "begins with");
  refuse_record("salotto record 1\nplayers 2\n", "Line 2");
  refuse_record("salotto record 1\ngame chess\n", "no such game");
  refuse_record("salotto record 1\ngame doors\nplayers 3\n",
                "that many players");
  refuse_record(HEAD "option color red\n", "no such option");
  refuse_record(HEAD "option first 2\n", "no such value");
  refuse_record(HEAD "option first\n", "a name and a value");
  refuse_record(HEAD "seed 12\n", "64 hex digits");
  refuse_record(HEAD "commit 12\n", "64 hex digits");
  refuse_record(HEAD, "no seed");
  refuse_record(HEAD FIRST SEED "0 take XX\n", "not an action");
  refuse_record(HEAD SEED FIRST "1 take RL\n", "Line 6");
  refuse_record(HEAD SEED "7 take RL\n", "not a line");
  refuse_record(HEAD SEED "nonsense\n", "not a line");
  refuse_record(HEAD SEED "over 0\n", "not over");
  refuse_record(HEAD SEED "over 9\n", "winners' seats");
  refuse_record(HEAD FIRST SEED "resign 0\nover 1\nover 1\n",
                "nothing can follow");
  refuse_record(HEAD SEED "= RL\n", "draw");
  refuse_record(HEAD "deal 1 deck 0 XX\n" SEED, "no such card");
  refuse_record(HEAD "deal 2 deck 0 RL\ndeal 1 deck 0 RL\n" SEED, "order");
  refuse_record(HEAD "deal 1 identities 0 RL\n" SEED, "too few");
  refuse_record(HEAD "deal one\n" SEED, "a deal is");
  refuse_record(HEAD "part 1 00\n" SEED, "a part is");
  refuse_record(HEAD "key 1 00\n" SEED, "a key is");
  refuse_record(HEAD "part 0 00000000000000000000000000000000000000000000000000"
                     "00000000000000\n" SEED,
                "are missing");
  refuse_record(HEAD SEED
                "commit 0000000000000000000000000000000000000000000000000000000"
                "000000000\n",
                "committed");
  struct sal_refusal why;
  assert_null(sal_table_load("salotto\0record", 14, NULL, &why));
  assert_int_equal(why.code, SAL_BAD_RECORD);
}

/* A draw, the seed or the commitment that is changed in any place is noticed. */
static void test_damaged_records(void **state) {
  (void)state;
  sal_table *t = doors_table();
  play(t, 12);
  char *record = sal_table_record(t, true);
  const size_t length = strlen(record);
  size_t refused = 0, tried = 0;
  const char *line = record;
  for (size_t at = 0; at < length; at++) {
    if (record[at] == '\n')
      line = record + at + 1;
    if (!sal_skip(line, "= ") && !sal_skip(line, "seed ") &&
        !sal_skip(line, "commit "))
      continue;
    const char old = record[at];
    record[at] = old == '0' ? '1' : old == 'R' ? 'B' : old == 'L' ? 'T' : old;
    if (record[at] == old)
      continue;
    struct sal_refusal why;
    sal_table *copy = sal_table_load(record, length, NULL, &why);
    tried++;
    refused += copy == NULL;
    sal_table_free(copy);
    record[at] = old;
  }
  free(record);
  sal_table_free(t);
  assert_true(tried > 50);
  assert_int_equal(refused, tried);
}

/* A record for everybody ends with the last deal that is over: nothing of the
 * round in play is in it, and the table it gives waits there. */
static void test_public_record(void **state) {
  (void)state;
  sal_table *t = doors_table();
  play(t, 8); /* into the third round */
  char *record = sal_table_record(t, false);
  struct sal_audit audit;
  struct sal_refusal why;
  sal_table *copy = sal_table_load(record, strlen(record), &audit, &why);
  assert_non_null(copy);
  assert_true(audit.committed);
  assert_true(audit.draws_checked > 10);
  assert_int_equal(audit.draws_unchecked, 0);
  assert_int_equal(sal_table_length(copy), 6);
  assert_null(sal_table_seed(copy));
  assert_true(sal_table_waiting(copy));
  char before[4000], after[4000];
  facts(copy, SAL_EVERYTHING, before, sizeof before);
  assert_non_null(strstr(before, "\"identities\":[\"??\",\"??\"]"));
  assert_int_equal(sal_table_act(copy, 0, "take RL", &why), SAL_BAD_RECORD);
  facts(copy, SAL_EVERYTHING, after, sizeof after);
  assert_string_equal(before, after);
  sal_table_free(copy);
  free(record);
  sal_table_free(t);
}

/* The seats' own parts change the cards, and the record carries them. */
static void test_parts(void **state) {
  (void)state;
  struct sal_plan p = doors_plan();
  char plain[4000], mixed[4000], loaded[4000];
  sal_table *t = sal_table_new(&p);
  facts(t, SAL_EVERYTHING, plain, sizeof plain);
  sal_table_free(t);
  p.parts = 2;
  sal_key_number(1, &p.part[0]);
  sal_key_number(2, &p.part[1]);
  t = sal_table_new(&p);
  facts(t, SAL_EVERYTHING, mixed, sizeof mixed);
  assert_string_not_equal(plain, mixed);
  char *record = sal_table_record(t, true);
  sal_table *copy = sal_table_load(record, strlen(record), NULL, NULL);
  assert_non_null(copy);
  facts(copy, SAL_EVERYTHING, loaded, sizeof loaded);
  assert_string_equal(mixed, loaded);
  sal_table_free(copy);
  free(record);
  sal_table_free(t);
}

/* A record written by hand needs no draws. */
static void test_short_record(void **state) {
  (void)state;
  static const char text[] =
      "# a comment\r\n" HEAD FIRST SEED "deal 1 deck 0 RL RL BL BL RT\n\n"
      "0 take RL\n1 discard RT";
  struct sal_audit audit;
  struct sal_refusal why;
  sal_table *t = sal_table_load(text, sizeof text - 1, &audit, &why);
  assert_non_null(t);
  assert_int_equal(sal_table_length(t), 2);
  assert_int_equal(audit.draws_given, 5);
  assert_false(audit.committed);
  sal_table_free(t);
}

/* What is wrong is told with the line where it stands. */
static void refuse_line(const char *text, size_t line, const char *part) {
  struct sal_audit audit;
  struct sal_refusal why;
  assert_null(sal_table_load(text, strlen(text), &audit, &why));
  if (audit.line != line || !strstr(why.message, part))
    fail_msg("'%s' does not say '%s' of line %zu", why.message, part, line);
}

static void test_wrong_lines(void **state) {
  (void)state;
  refuse_line(HEAD SEED "# a remark\n"
                        "part 0 00000000000000000000000000000000000000000000000"
                        "00000000000000000\n",
              6, "are missing");
  /* HEAD is three lines, SEED and FIRST one each: draws begin on line 6. */
  struct sal_audit audit;
  struct sal_refusal why;
  static const char wrong[] = HEAD SEED FIRST "= XX\n";
  assert_null(sal_table_load(wrong, strlen(wrong), &audit, &why));
  assert_int_equal(audit.line, 6);
  assert_non_null(strstr(why.message, audit.due));
  assert_true(*audit.due);
  /* The true draws, each by what is due where they end. */
  char text[2000] = HEAD SEED FIRST;
  for (size_t line = 6; line < 12; line++) {
    const size_t length = strlen(text);
    strcat(text, "= XX\n");
    assert_null(sal_table_load(text, strlen(text), &audit, &why));
    assert_int_equal(audit.line, line);
    text[length] = '\0';
    strcat(strcat(strcat(text, "= "), audit.due), "\n");
  }
  sal_table *t = sal_table_load(text, strlen(text), &audit, &why);
  assert_non_null(t);
  assert_int_equal(audit.draws_checked, 6);
  sal_action legal[64];
  char action[SAL_ACTION_TEXT_MAX];
  struct sal_text out;
  sal_text_init(&out, action, sizeof action);
  sal_table_legal(t, 0, legal);
  sal_table_game(t)->action_text(legal[0], &out);
  sal_table_free(t);
  char *end = text + strlen(text);
  strcpy(end, "= RL\n");
  refuse_line(text, 12, "nothing is drawn here");
  strcpy(end, "= RL\n0 take RL\n");
  refuse_line(text, 12, "nothing is drawn here");
  strcat(strcat(strcpy(end, "0 "), action), "\n# the end\n");
  refuse_line(text, 13, "after this line a draw is missing");
  strcat(strcat(strcpy(end, "0 "), action), "\n1 discard RL\n");
  refuse_line(text, 13, "before this line a draw is missing");
  strcat(strcat(strcpy(end, "0 "), action), "\n\n= XX 1 deck 0 4\n");
  refuse_line(text, 14, "not XX");
  /* The true one: with nothing but remarks before it, not a step too late. */
  assert_null(sal_table_load(text, strlen(text), &audit, &why));
  sprintf(end, "0 %s\n\n# a remark\n= %s\n", action, audit.due);
  t = sal_table_load(text, strlen(text), NULL, &why);
  assert_non_null(t);
  sal_table_free(t);
  sprintf(end, "0 %s\n1 discard RL\n= %s\n", action, audit.due);
  refuse_line(text, 13, "before this line a draw is missing");
  strcat(strcat(strcpy(end, "0 "), action), "\n= RL 1 deck 0 5\n");
  refuse_line(text, 13, "1 deck 0 4");
  strcat(strcat(strcpy(end, "0 "), action), "\npile 1 deck RL\n= RL\n");
  refuse_line(text, 13, "no new pile");
  strcpy(end, "pile 1 deck RL\n0 take RL\n");
  refuse_line(text, 12, "first draw");
  strcpy(end, "resign 2\n");
  refuse_line(text, 12, "a seat");
  refuse_line(HEAD "deal 1 identities 0 RL BL\ndeal 2 identities 0 RL\n" SEED,
              5, "too few");
}

/* Without keys a draw is believed, and the audit says so. */
static void test_unproven(void **state) {
  (void)state;
  static const char text[] = HEAD FIRST
      "commit 11111111111111111111111111111111111111111111111111111111111111"
      "11\n= BT\n= RL\n= BL\n= RL\n= BT\n= LT\n";
  struct sal_audit audit;
  sal_table *t = sal_table_load(text, strlen(text), &audit, NULL);
  assert_non_null(t);
  assert_true(audit.committed && !audit.seeded && audit.keys == 0);
  assert_int_equal(audit.draws_unchecked, 6);
  assert_false(sal_audit_proven(&audit));
  sal_table_free(t);
}

/* At a table of two who resigns ends the game, in the record too. */
static void test_resigning(void **state) {
  (void)state;
  sal_table *t = doors_table();
  play(t, 8);
  struct sal_refusal why;
  char told[400];
  struct sal_text out;
  assert_int_equal(sal_table_resign(t, 0, &why), 0);
  assert_int_equal(sal_table_resign(t, 1, &why), SAL_GAME_OVER);
  assert_int_equal(sal_table_undo(t, 0, &why), SAL_GAME_OVER);
  assert_int_equal(sal_table_act(t, 0, "take RL", &why), SAL_GAME_OVER);
  assert_int_equal(sal_table_to_act(t), 0);
  assert_int_equal(sal_table_winners(t), 2);
  sal_action legal[64];
  assert_int_equal(sal_table_legal(t, 1, legal), 0);
  static const char *const sentences[] = {
      "You resign. Seat 1 wins the game.", "Seat 0 resigns. You win the game.",
      "Seat 0 resigns. Seat 1 wins the game."};
  static const int viewers[] = {0, 1, SAL_SPECTATOR};
  for (int i = 0; i < 3; i++) {
    sal_text_init(&out, told, sizeof told);
    sal_table_event_say(t, sal_table_event_count(t) - 1, viewers[i],
                        &sal_words_plain, &out);
    assert_string_equal(told, sentences[i]);
  }
  char before[4000], after[4000];
  facts(t, SAL_EVERYTHING, before, sizeof before);
  assert_non_null(
      strstr(before, "\"to_act\":[],\"over\":true,\"winners\":[1]"));
  for (int secret = 0; secret < 2; secret++) {
    char *record = sal_table_record(t, secret);
    assert_non_null(strstr(record, "\nresign 0\nover 1\n"));
    struct sal_audit audit;
    sal_table *copy = sal_table_load(record, strlen(record), &audit, &why);
    assert_non_null(copy);
    assert_true(sal_audit_proven(&audit));
    facts(copy, SAL_EVERYTHING, after, sizeof after);
    assert_string_equal(before, after);
    sal_table_free(copy);
    free(record);
  }
  sal_table_free(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_tell),
                                     cmocka_unit_test(test_tell_all),
                                     cmocka_unit_test(test_refusals),
                                     cmocka_unit_test(test_actions),
                                     cmocka_unit_test(test_bad_deals),
                                     cmocka_unit_test(test_lists_of_seats),
                                     cmocka_unit_test(test_bad_records),
                                     cmocka_unit_test(test_damaged_records),
                                     cmocka_unit_test(test_public_record),
                                     cmocka_unit_test(test_parts),
                                     cmocka_unit_test(test_short_record),
                                     cmocka_unit_test(test_wrong_lines),
                                     cmocka_unit_test(test_unproven),
                                     cmocka_unit_test(test_resigning)};
  return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
