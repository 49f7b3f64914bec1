/* Limits: what they allow, what they forget, and what they still know after the process
 * that counted. */
#include "store_bench.h"

#include "people/limits.h"
#include "store/limit_store.h"

static struct server *server;
static const uint8_t anna[LIMIT_KEY] = {1}, bruno[LIMIT_KEY] = {2};

static void open_server(void) {
  open_store();
  server = calloc(1, sizeof *server);
  uv_loop_init(&server->loop);
  server->options.pace = 20;
  server->store = bench->store;
  server->limits = limits_new(server);
  assert_int_equal(limits_load(server->limits), 0);
  start();
}

static void close_server(void) {
  limits_free(server->limits);
  close_store();
  uv_loop_close(&server->loop);
  free(server);
}

/* All that has changed, as the ticks of the server would. */
static void write_all(void) {
  limits_tick(server->limits);
  settle();
}

static void begin_again(void) {
  close_server();
  open_server();
}

/* Every so many milliseconds of the time that the store goes by. */
static void let_pass(int64_t ms) { server_time_is(server_time() + ms); }

static uint64_t begun; /* this program, by uv_hrtime */

/* As much as that, less what is forgotten of it while the tests run: on a busy
 * machine that takes seconds. */
static void is_about(double value, double expected, double rate) {
  const double forgotten = rate * (double)(uv_hrtime() - begun) / 1e9;
  assert_true(value > expected - forgotten - 0.2 && value < expected + 0.2);
}

static int uses(enum limit what, const uint8_t *key, int tries) {
  int count = 0;
  for (int i = 0; i < tries; i++)
    count += limits_may(server->limits, what, key);
  return count;
}

/* As much as is allowed, for each by themselves, and for each kind of thing. */
static void so_much_is_allowed(void **state) {
  (void)state;
  open_server();
  assert_int_equal(uses(LIMIT_COURTS, anna, 30), 20);
  assert_int_equal(uses(LIMIT_COURTS, bruno, 5), 5);
  assert_int_equal(uses(LIMIT_REPORTS, anna, 30), 5);
  assert_int_equal(uses(LIMIT_TABLES, anna, 30), 10);
  server->options.pace = 1;
  assert_int_equal(uses(LIMIT_TABLES, bruno, 30), 1);
  for (int i = 0; i < 30; i++)
    limits_use(server->limits, LIMIT_WRONG_FROM, anna);
  is_about(limits_used(server->limits, LIMIT_WRONG_FROM, anna), 30, 0.1);
  assert_true(limits_used(server->limits, LIMIT_WRONG_FROM, bruno) == 0);
  close_server();
}

static void an_address_is_a_household(void **state) {
  (void)state;
  open_server();
  struct limits *l = server->limits;
  for (int i = 0; i < 100; i++)
    assert_true(limits_address_may(l, LIMIT_MAKES,
                                   i % 2 ? "2001:db8::1" : "2001:db8::2"));
  assert_false(limits_address_may(l, LIMIT_MAKES, "2001:db8::3"));
  assert_true(limits_address_may(l, LIMIT_MAKES, "2001:db8:0:1::3"));
  for (int i = 0; i < 5; i++)
    assert_true(limits_person_may(l, LIMIT_REPORTS, 7));
  assert_false(limits_person_may(l, LIMIT_REPORTS, 7));
  assert_true(limits_person_may(l, LIMIT_REPORTS, 8));
  close_server();
}

/* The process that serves next counts on, as if no other had. */
static void they_outlive_the_process(void **state) {
  (void)state;
  open_server();
  assert_int_equal(uses(LIMIT_COURTS, anna, 30), 20);
  assert_int_equal(uses(LIMIT_COURTS, bruno, 5), 5);
  write_all();
  assert_int_equal(uses(LIMIT_COURTS, bruno, 5), 5);
  write_all();
  begin_again();
  assert_int_equal(uses(LIMIT_COURTS, anna, 30), 0);
  is_about(limits_used(server->limits, LIMIT_COURTS, bruno), 10, 1.0 / 120);
  let_pass(3 * 120 * 1000);
  begin_again();
  assert_int_equal(uses(LIMIT_COURTS, anna, 30), 3);
  begin_again(); /* what was not written is not known */
  assert_int_equal(uses(LIMIT_COURTS, anna, 30), 3);
  close_server();
}

/* What is forgotten within seconds is not worth writing, nor is it. */
static void small_change_is_not_written(void **state) {
  (void)state;
  struct store_figures before;
  open_server();
  before = store_figures(bench->store);
  assert_int_equal(uses(LIMIT_CHAT, anna, 5), 5);
  assert_int_equal(uses(LIMIT_READS, anna, 40), 40);
  assert_int_equal(uses(LIMIT_MAKES, anna, 2), 2);
  limits_use(server->limits, LIMIT_RIGHT, anna);
  write_all();
  assert_int_equal(store_figures(bench->store).jobs, before.jobs);
  begin_again();
  assert_true(limits_used(server->limits, LIMIT_MAKES, anna) == 0);
  assert_true(limits_used(server->limits, LIMIT_RIGHT, anna) == 0);
  close_server();
}

static int count_limit(void *context, const struct store_limit *l) {
  (void)l;
  ++*(int *)context;
  return 0;
}

static int rows(void) {
  int count = 0;
  close_server();
  open_store();
  assert_int_equal(store_each_limit(bench->store, count_limit, &count), 0);
  close_store();
  open_server();
  return count;
}

/* Rows are there as long as they count, and until the server that serves next begins. */
static void what_is_out_is_deleted(void **state) {
  (void)state;
  open_server();
  for (int i = 0; i < 5; i++)
    limits_use(server->limits, LIMIT_WRONG_FROM, anna);
  for (int i = 0; i < 20; i++)
    limits_use(server->limits, LIMIT_WRONG_FROM, bruno);
  write_all();
  assert_int_equal(rows(), 2);
  write_all();
  let_pass(100 * 1000);
  assert_int_equal(rows(), 2);
  is_about(limits_used(server->limits, LIMIT_WRONG_FROM, bruno), 10, 0.1);
  assert_true(limits_used(server->limits, LIMIT_WRONG_FROM, anna) == 0);
  write_all(); /* of its own accord, once it has begun */
  assert_int_equal(rows(), 1);
  let_pass(110 * 1000);
  write_all();
  assert_int_equal(rows(), 0);
  close_server();
}

/* A clock that is put back lengthens nothing. */
static void clocks_may_go_back(void **state) {
  (void)state;
  open_server();
  for (int i = 0; i < 20; i++)
    limits_use(server->limits, LIMIT_WRONG_FROM, anna);
  write_all();
  let_pass(-3600 * 1000);
  begin_again();
  is_about(limits_used(server->limits, LIMIT_WRONG_FROM, anna), 20, 0.1);
  write_all();
  let_pass(100 * 1000);
  begin_again();
  is_about(limits_used(server->limits, LIMIT_WRONG_FROM, anna), 10, 0.1);
  close_server();
}

/* What the store did not take, it is given again; not by a server that ends. */
static void a_failure_is_made_good(void **state) {
  (void)state;
  struct fault f = {"commit"};
  open_server();
  store_inject(bench->store, fail_there, &f);
  assert_int_equal(uses(LIMIT_COURTS, anna, 7), 7);
  write_all();
  assert_int_equal(store_figures(bench->store).failures, 1);
  write_all();
  assert_int_equal(store_figures(bench->store).failures, 2);
  f.where = NULL;
  write_all();
  store_inject(bench->store, NULL, NULL);
  begin_again();
  is_about(limits_used(server->limits, LIMIT_COURTS, anna), 7, 1.0 / 120);
  f.where = "commit";
  store_inject(bench->store, fail_there, &f);
  assert_int_equal(uses(LIMIT_COURTS, anna, 1), 1);
  server->closing = true;
  write_all();
  assert_int_equal(store_figures(bench->store).failures, 1);
  write_all();
  assert_int_equal(store_figures(bench->store).failures, 1);
  close_server();
}

static int spoil(struct store_job *job, store_db *db) {
  (void)job;
  return sql_do(
      db,
      "INSERT INTO allowance VALUES ('courts:01', 5, 1, 2), ('', 5, 1,"
      " 2), ('nothing:00', 5, 1, 2), ('courts', 5, 1, 2)",
      "");
}

/* Rows that this version does not know are none. */
static void odd_rows_are_passed_over(void **state) {
  (void)state;
  open_server();
  struct store_job *job = calloc(1, sizeof *job);
  job->call = spoil;
  job->done = noted;
  store_post(bench->store, job);
  settle();
  assert_int_equal(bench->failed, 0);
  begin_again();
  assert_int_equal(uses(LIMIT_COURTS, anna, 30), 20);
  limits_forget(server->limits);
  assert_int_equal(uses(LIMIT_COURTS, anna, 30), 20);
  close_server();
}

int main(void) {
  begun = uv_hrtime();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(so_much_is_allowed, set_up, tear_down),
      cmocka_unit_test_setup_teardown(an_address_is_a_household, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(they_outlive_the_process, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(small_change_is_not_written, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(what_is_out_is_deleted, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(clocks_may_go_back, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_failure_is_made_good, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(odd_rows_are_passed_over, set_up,
                                      tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
