/* Results, ratings and progress, in a store in memory or where SALOTTO_TEST_STORE
 * says. */
#include "store/progress_store.h"
#include "store/results.h"
#include "store/sql.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static store_db *db;

static int set_up(void **state) {
  (void)state;
  const char *where = getenv("SALOTTO_TEST_STORE");
  struct sal_refusal why;
  if (sql_open(where ? where : ":memory:", SQL_CREATE, &db, &why) != 0 ||
      !sql_begin(db))
    return -1;
  return db->driver->run(
             db, "INSERT INTO person (id, name, at) VALUES (7, 'Anna', 0),"
                 " (8, 'Bruno', 0), (9, 'a guest', 0);"
                 "INSERT INTO account (name, person, secret, at)"
                 " VALUES ('Anna', 7, '', 0), ('Bruno', 8, '', 0)")
             ? 0
             : -1;
}

static int tear_down(void **state) {
  (void)state;
  sql_rollback(db);
  sql_close(db);
  return 0;
}

/* Anna (7) and bots; places in order of the seats. */
static struct result some(int number, int players, const int *places) {
  struct result r = {.at = 1000000 + number * 86400000LL,
                     .rated = true,
                     .seats = players,
                     .game = "traps"};
  snprintf(r.room, sizeof r.room, "room%012d", number);
  for (int i = 0; i < players; i++) {
    r.seat[i].place = places[i];
    r.seat[i].counts = true;
    if (i == 0)
      r.seat[i].person = 7;
    else
      strcpy(r.seat[i].bot, i == 1 ? "expert" : "novice");
  }
  return r;
}

static double rating_of(int64_t person, const char *bot) {
  struct sql_query *q =
      sql_ask(db, "SELECT rating FROM rating WHERE person = ?1 AND bot = ?2",
              "it", person, bot);
  const double v = sql_row(q) ? sql_double(q, 0) : 0;
  assert_int_equal(sql_end(q), 0);
  return v;
}

static void one_result_for_a_room(void **state) {
  (void)state;
  struct result r = some(1, 2, (int[]){1, 2});
  bool fresh;
  assert_int_equal(result_write(db, &r, &fresh), 0);
  assert_true(fresh);
  const double won = rating_of(7, "");
  assert_true(won > 1600 && rating_of(0, "expert") < 1400);
  assert_true(r.seat[0].before == 1500 && r.seat[0].after == won);
  assert_int_equal(result_write(db, &r, &fresh), 0);
  assert_false(fresh);
  assert_true(rating_of(7, "") == won);
}

static void what_is_not_rated_changes_nothing(void **state) {
  (void)state;
  struct result r = some(1, 2, (int[]){1, 2});
  bool fresh;
  r.rated = false;
  assert_int_equal(result_write(db, &r, &fresh), 0);
  assert_true(fresh && rating_of(7, "") == 0);
}

/* Three equal newcomers: the middle one stays, and two novices at one table
 * are one novice. */
static void meetings_of_every_two(void **state) {
  (void)state;
  struct result r = some(1, 3, (int[]){2, 1, 3});
  bool fresh;
  assert_int_equal(result_write(db, &r, &fresh), 0);
  assert_true(fabs(rating_of(7, "") - 1500) < 1e-6);
  assert_true(fabs(rating_of(0, "expert") + rating_of(0, "novice") - 3000) <
              1e-6);
  struct result twins = some(2, 4, (int[]){1, 4, 2, 2});
  assert_int_equal(result_write(db, &twins, &fresh), 0);
  assert_true(twins.seat[2].after == twins.seat[3].after);
}

static void ratings_can_be_computed_again(void **state) {
  (void)state;
  bool fresh;
  for (int i = 0; i < 40; i++) {
    const int places[][3] = {{1, 2, 3}, {3, 1, 2}, {1, 1, 3}, {2, 2, 1}};
    struct result r = some(i, 2 + i % 2, places[i * 7 % 4]);
    r.rated = i % 5 != 0;
    assert_int_equal(result_write(db, &r, &fresh), 0);
  }
  const double anna = rating_of(7, ""), expert = rating_of(0, "expert"),
               novice = rating_of(0, "novice");
  assert_true(anna > 0 && anna != 1500);
  assert_int_equal(sql_do(db, "UPDATE rating SET rating = 1", ""), 0);
  assert_int_equal(ratings_recompute(db), 0);
  assert_true(rating_of(7, "") == anna && rating_of(0, "expert") == expert &&
              rating_of(0, "novice") == novice);
}

/* Anna has won against another person. */
static struct result won_against(int64_t person, int number, int64_t at) {
  struct result r = some(number, 2, (int[]){1, 2});
  r.seat[1].person = person;
  r.seat[1].bot[0] = '\0';
  r.at = at;
  return r;
}

static void guests_do_not_count(void **state) {
  (void)state;
  bool fresh;
  for (int i = 0; i < 40; i++) {
    struct result r = won_against(9, i, 1000 * i);
    assert_int_equal(result_write(db, &r, &fresh), 0);
    assert_true(fresh && !r.rated);
    assert_string_equal(r.unrated, "guests");
  }
  assert_true(rating_of(7, "") == 0 && rating_of(9, "") == 0);
  /* With a third who has an account, only those two have met. */
  struct result r = some(50, 3, (int[]){1, 2, 3});
  r.seat[1] = won_against(9, 50, 0).seat[1];
  assert_int_equal(result_write(db, &r, &fresh), 0);
  assert_true(r.rated && rating_of(9, "") == 0);
  assert_true(fabs(rating_of(7, "") + rating_of(0, "novice") - 3000) < 1e-6);
}

static void short_games_do_not_count(void **state) {
  (void)state;
  bool fresh;
  struct result r = won_against(8, 1, 0);
  r.seat[1].counts = false;
  assert_int_equal(result_write(db, &r, &fresh), 0);
  assert_true(!r.rated && rating_of(7, "") == 0);
  assert_string_equal(r.unrated, "short");
}

/* Of the meetings of a day three count in full, three more and more less. */
static void repeated_partners_count_less(void **state) {
  (void)state;
  bool fresh;
  double gain[8];
  for (int i = 0; i < 8; i++) {
    struct result r = won_against(8, i, 1000 * i);
    assert_int_equal(result_write(db, &r, &fresh), 0);
    gain[i] = r.rated ? r.seat[0].after - r.seat[0].before : 0;
    assert_int_equal(r.rated, i < 6);
  }
  for (int i = 1; i < 6; i++)
    assert_true(gain[i] > 0 && gain[i] < gain[i - 1]);
  assert_true(gain[4] < gain[2] / 2 && gain[5] < gain[2] / 4);
  struct result other = some(20, 2, (int[]){1, 2});
  other.at = 20000; /* another partner */
  assert_int_equal(result_write(db, &other, &fresh), 0);
  assert_true(other.rated);
  struct result later = won_against(8, 30, 86400000 + 6000);
  assert_int_equal(result_write(db, &later, &fresh), 0);
  assert_true(later.rated); /* the next day */
  const double anna = rating_of(7, "");
  assert_int_equal(ratings_recompute(db), 0);
  assert_true(rating_of(7, "") == anna);
}

/* ---- Progress ---------------------------------------------------------------- */

static int keep(int64_t person, int number, const char *text) {
  struct progress_job p = {.person = person, .at = 1000 * number};
  snprintf(p.room, sizeof p.room, "room%012d", number);
  strcpy(p.game, "traps");
  strcpy(p.text, text);
  return progress_store_add(&p.job, db);
}

static json_t *kept(int64_t person) {
  struct query_job q = {.person = person};
  assert_int_equal(query_progress(&q.job, db), 0);
  json_t *answer = json_loads(q.text, 0, NULL);
  free(q.text);
  assert_true(json_is_true(json_object_get(answer, "ok")));
  json_t *games = json_incref(json_object_get(answer, "games"));
  json_decref(answer);
  return games;
}

/* The oldest first, each as the review told it; only one's own. */
static void progress_is_told_to_its_person(void **state) {
  (void)state;
  assert_int_equal(keep(7, 2, "{\"accuracy\":0.9,\"roles\":[]}"), 0);
  assert_int_equal(keep(7, 1, "{\"accuracy\":0.5,\"roles\":[]}"), 0);
  assert_int_equal(keep(8, 1, "{\"accuracy\":0.25,\"roles\":[]}"), 0);
  json_t *games = kept(7),
         *wanted = json_loads(
             "[{\"table\":\"room000000000001\",\"game\":\"traps\",\"at\":1000,"
             "\"accuracy\":0.5,\"roles\":[]},"
             "{\"table\":\"room000000000002\",\"game\":\"traps\",\"at\":2000,"
             "\"accuracy\":0.9,\"roles\":[]}]",
             0, NULL);
  assert_non_null(wanted);
  assert_true(json_equal(games, wanted));
  json_decref(games);
  json_decref(wanted);
}

/* A game that is reviewed again counts once, as it was told last. */
static void progress_of_a_game_counts_once(void **state) {
  (void)state;
  assert_int_equal(keep(7, 1, "{\"accuracy\":0.5}"), 0);
  assert_int_equal(keep(7, 1, "{\"accuracy\":0.75}"), 0);
  json_t *games = kept(7);
  assert_int_equal(json_array_size(games), 1);
  assert_true(json_real_value(json_object_get(json_array_get(games, 0),
                                              "accuracy")) == 0.75);
  json_decref(games);
}

/* Nothing is kept of who has left for good, and of others not for ever. */
static void progress_is_kept_of_who_is_there(void **state) {
  (void)state;
  assert_int_equal(keep(9, 1, "{}"), 0);
  json_t *games = kept(9);
  assert_int_equal(json_array_size(games), 0);
  json_decref(games);
  for (int i = 1; i <= PROGRESS_KEPT + 2; i++)
    assert_int_equal(keep(7, i, "{}"), 0);
  games = kept(7);
  assert_int_equal(json_array_size(games), PROGRESS_KEPT);
  assert_int_equal(
      json_integer_value(json_object_get(json_array_get(games, 0), "at")),
      3000);
  json_decref(games);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(one_result_for_a_room, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_is_not_rated_changes_nothing, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(meetings_of_every_two, set_up, tear_down),
      cmocka_unit_test_setup_teardown(ratings_can_be_computed_again, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(guests_do_not_count, set_up, tear_down),
      cmocka_unit_test_setup_teardown(short_games_do_not_count, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(repeated_partners_count_less, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(progress_is_told_to_its_person, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(progress_of_a_game_counts_once, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(progress_is_kept_of_who_is_there, set_up,
                                      tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
