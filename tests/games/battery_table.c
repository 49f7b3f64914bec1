/* The battery: the game at a table: records, undo, the same seed again. */
#include "battery.h"

static sal_table *seat_table(const struct trial *t, uint64_t seed) {
  struct sal_plan plan = {.game = t->g, .setup = t->setup};
  sal_key_number(seed, &plan.seed);
  return sal_table_new(&plan);
}

static void table_text(const sal_table *table, char *out) {
  struct sal_text text;
  struct sal_json j;
  sal_text_init(&text, out, TEXT_SIZE);
  sal_json_init(&j, &text);
  sal_table_facts(table, SAL_EVERYTHING, &j, NULL);
}

/* A random legal action of a random seat that is asked. */
static int choose(const struct trial *t, const sal_table *table,
                  sal_action *legal, struct sal_rng *rng, char *name) {
  const int seat = any_seat(sal_table_to_act(table), rng);
  const size_t n = sal_table_legal(table, seat, legal);
  action_name(t, legal[sal_rng_below(rng, (uint32_t)n)], name);
  return seat;
}

/* ---- Records ------------------------------------------------------------ */

static const char *compare_record(const sal_table *table) {
  static char here[TEXT_SIZE], there[TEXT_SIZE];
  struct sal_refusal why;
  struct sal_audit audit;
  const char *problem = NULL;
  char *record = sal_table_record(table, true);
  sal_table *copy = sal_table_load(record, strlen(record), &audit, &why);
  if (!copy) {
    problem = wrong("the record is refused: %s\n%s", why.message, record);
  } else {
    table_text(table, here);
    table_text(copy, there);
    if (strcmp(here, there) != 0)
      problem = wrong("loaded as %s\n# instead of %s", there, here);
    else if (!audit.committed)
      problem = "the record has no commitment";
    else if (audit.draws_unchecked)
      problem = "with the seed every draw can be checked";
    else if (sal_table_event_count(copy) != sal_table_event_count(table))
      problem = "the loaded table has other events";
    char *again = sal_table_record(copy, true);
    if (!problem && strcmp(record, again) != 0)
      problem =
          wrong("saved again it reads\n%s# instead of\n%s", again, record);
    free(again);
  }
  sal_table_free(copy);
  free(record);
  return problem;
}

/* A record for everybody: loads, checks out, and ends with the last deal that
 * is over. */
static const char *check_public_record(const sal_table *table) {
  struct sal_refusal why;
  struct sal_audit audit;
  const char *problem = NULL;
  char *record = sal_table_record(table, false);
  sal_table *copy = sal_table_load(record, strlen(record), &audit, &why);
  if (!copy)
    problem = wrong("the open record is refused: %s\n%s", why.message, record);
  else if (strstr(record, "\nseed "))
    problem = "an open record tells the seed";
  else if (!audit.committed || audit.draws_unchecked)
    problem = "an open record holds draws that cannot be checked";
  else if (sal_table_to_act(table) == 0 &&
           sal_table_length(copy) != sal_table_length(table))
    problem = "the open record of a game that is over is not whole";
  else if (sal_table_to_act(table) != 0 && !sal_table_waiting(copy))
    problem = "an open record goes into the deal in play";
  sal_table_free(copy);
  free(record);
  return problem;
}

const char *part_records(const struct trial *t) {
  if (!sal_game_find(t->g->info.id))
    return NULL; /* a game of the tests, which no record can name */
  sal_action *legal = calloc(t->g->info.legal_max, sizeof *legal);
  const char *problem = NULL;
  for (uint64_t game = 0; game < 4 && !problem; game++) {
    struct sal_rng rng;
    sal_table *table = seat_table(t, game);
    sal_rng_seed(&rng, game);
    int steps = 0;
    while (sal_table_to_act(table) && !problem && steps < 400) {
      char name[SAL_ACTION_TEXT_MAX];
      /* every step at first, then now and then: a record is read in full */
      if (steps < 60 || steps % 16 == 0)
        problem = compare_record(table);
      if (!problem && steps % 8 == 0)
        problem = check_public_record(table);
      const int seat = choose(t, table, legal, &rng, name);
      if (!problem && sal_table_act(table, seat, name, NULL) != 0)
        problem = wrong("'%s' is legal and refused", name);
      steps++;
    }
    if (!problem)
      problem = compare_record(table);
    if (!problem)
      problem = check_public_record(table);
    sal_table_free(table);
  }
  free(legal);
  return problem;
}

/* ---- Undo --------------------------------------------------------------- */

static const char *try_undo(sal_table *table, int seat, const char *name,
                            const char *before, const char *after) {
  static char now[TEXT_SIZE];
  struct sal_refusal why;
  const size_t events = sal_table_event_count(table);
  const int other = seat == 0 ? 1 : 0;
  if (sal_table_undo(table, other, &why) == 0)
    return wrong("seat %d took '%s' of seat %d back", other, name, seat);
  if (sal_table_undo(table, seat, &why) != 0) {
    table_text(table, now);
    if (why.code != SAL_NO_UNDO || strcmp(now, after) != 0)
      return "an undo that was refused changed the table";
    return NULL;
  }
  table_text(table, now);
  if (strcmp(now, before) != 0)
    return wrong("after undo of '%s': %s\n# instead of %s", name, now, before);
  if (sal_table_event_count(table) != events + 1)
    return "an undo is one event more";
  if (sal_table_act(table, seat, name, NULL) != 0)
    return wrong("'%s' is refused after its undo", name);
  table_text(table, now);
  return strcmp(now, after) == 0
             ? NULL
             : wrong("'%s' after its undo gives %s\n# instead of %s", name, now,
                     after);
}

const char *part_undo(const struct trial *t) {
  sal_action *legal = calloc(t->g->info.legal_max, sizeof *legal);
  static char before[TEXT_SIZE], after[TEXT_SIZE];
  const char *problem = NULL;
  for (uint64_t game = 0; game < 10 && !problem; game++) {
    struct sal_rng rng;
    sal_table *table = seat_table(t, 50 + game);
    sal_rng_seed(&rng, 50 + game);
    for (int steps = 0; sal_table_to_act(table) && !problem && steps < 300;
         steps++) {
      char name[SAL_ACTION_TEXT_MAX];
      const int seat = choose(t, table, legal, &rng, name);
      table_text(table, before);
      if (sal_table_act(table, seat, name, NULL) != 0)
        problem = wrong("'%s' is legal and refused", name);
      table_text(table, after);
      if (!problem)
        problem = try_undo(table, seat, name, before, after);
    }
    sal_table_free(table);
  }
  free(legal);
  return problem;
}

/* ---- The same again ----------------------------------------------------- */

const char *part_twin_tables(const struct trial *t) {
  sal_action *legal = calloc(t->g->info.legal_max, sizeof *legal);
  static char here[TEXT_SIZE], there[TEXT_SIZE];
  const char *problem = NULL;
  bool differ = false;
  for (uint64_t game = 0; game < 10 && !problem; game++) {
    struct sal_rng rng;
    sal_table *a = seat_table(t, game), *b = seat_table(t, game);
    sal_table *c = seat_table(t, game + 1);
    sal_rng_seed(&rng, game);
    table_text(a, here);
    table_text(c, there);
    differ |= strcmp(here, there) != 0;
    while (sal_table_to_act(a) && !problem) {
      char name[SAL_ACTION_TEXT_MAX];
      struct sal_refusal why;
      const int seat = choose(t, a, legal, &rng, name);
      if (sal_table_act(a, seat, "no such action", &why) != SAL_BAD_ACTION)
        problem = "nonsense is not refused as a bad action";
      if (sal_table_act(a, seat, name, NULL) != 0 ||
          sal_table_act(b, seat, name, NULL) != 0)
        problem = wrong("'%s' is refused", name);
      table_text(a, here);
      table_text(b, there);
      if (!problem && strcmp(here, there) != 0)
        problem = wrong("%s\n# and %s", here, there);
    }
    if (!problem &&
        sal_table_act(a, 0, "no such action", NULL) != SAL_GAME_OVER)
      problem = "after the end every action is refused as game-over";
    sal_table_free(a);
    sal_table_free(b);
    sal_table_free(c);
  }
  free(legal);
  if (!problem && !differ)
    problem = "ten seeds give the same table";
  return problem;
}
