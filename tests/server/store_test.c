/* The battery that any store must pass, written against store.h alone: durable
 * before done, one truth a number, errors that come back. What only SQLite has is
 * in sqlite_test.c. */
#include "store/limit_store.h"
#include "store/review_store.h"
#include "store_bench.h"

static uv_sem_t moved;

static void moves_survive(void **state) {
  (void)state;
  int count = 0;
  open_store();
  start();
  for (int i = 0; i < 300; i++)
    post("a", i, "take RL");
  settle();
  assert_int_equal(bench->done, 300);
  assert_true(store_figures(bench->store).batches < 300);
  close_store();
  open_store();
  assert_int_equal(store_each_move(bench->store, count_move, &count), 0);
  assert_int_equal(count, 300);
  close_store();
}

static void ended_rooms_stay_away(void **state) {
  (void)state;
  int count = 0;
  open_store();
  start();
  post("a", 0, "x");
  post("b", 0, "x");
  post("b", 1, "end");
  settle();
  close_store();
  open_store();
  assert_int_equal(store_each_move(bench->store, count_move, &count), 0);
  assert_int_equal(count, 1);
  close_store();
}

/* A room is opened once, whoever asks for it again. */
static void a_second_opening_is_refused_alone(void **state) {
  (void)state;
  open_store();
  start();
  post("a", 0, "first");
  post("a", 0, "second");
  post("a", 1, "third");
  settle();
  assert_int_equal(bench->done, 2);
  assert_int_equal(bench->late, 1);
  close_store();
}

/* Makes moves of two rooms in turn, and ends the first as a room does: with the
 * list of its moves. */
static void play_and_end(int count) {
  struct store_moves list = {0};
  for (int i = 0; i < count; i++) {
    struct store_job *a = post("a", i, "x");
    struct store_move *m = a->move;
    a->move = store_move_copy(m);
    free(m);
    assert_true(store_moves_reserve(&list));
    list.at[list.count++] = a->move;
    a->call = store_append;
    a->done = loaded; /* the list has it */
    post("b", i, "y");
    settle();
    free(a);
  }
  post("a", count, "end")->before = &list;
  settle();
  store_moves_free(&list);
}

static void a_game_is_read_as_a_whole(void **state) {
  (void)state;
  open_store();
  start();
  play_and_end(10);
  assert_int_equal(bench->failed, 0);
  static struct load_job jobs[3];
  static const char *const rooms[] = {"a", "b", "c"};
  for (int i = 0; i < 3; i++) {
    jobs[i] =
        (struct load_job){.job = {.call = store_load_room, .done = loaded}};
    strcpy(jobs[i].room, rooms[i]);
    assert_true(store_ask(bench->store, &jobs[i].job));
  }
  settle();
  assert_int_equal(jobs[0].job.error, 0);
  assert_int_equal(jobs[0].moves.count, 11);
  for (int i = 0; i < 11; i++) {
    assert_int_equal(jobs[0].moves.at[i]->seq, i);
    assert_string_equal(jobs[0].moves.at[i]->room, "a");
    assert_string_equal(jobs[0].moves.at[i]->text, i < 10 ? "x" : "end");
  }
  store_moves_free(&jobs[0].moves);
  /* One that goes on is the server's; one that never was is nobody's. */
  assert_int_equal(jobs[1].job.error, SAL_NO_TABLE);
  assert_int_equal(jobs[2].job.error, SAL_NO_TABLE);
  close_store();
}

static int wait_for_move(struct store_job *job, store_db *db) {
  (void)job, (void)db;
  uv_sem_post(&held);
  uv_sem_wait(&moved);
  return 0;
}

static void move_is_there(struct store_job *job, int error) {
  uv_sem_post(&moved);
  noted(job, error);
}

/* The question ends only after a move that comes later is durable. */
static void a_question_stops_no_move(void **state) {
  (void)state;
  static struct store_job slow;
  slow =
      (struct store_job){.call = wait_for_move, .done = loaded, .slow = true};
  uv_sem_init(&moved, 0);
  uv_sem_init(&held, 0);
  open_store();
  start();
  assert_true(store_ask(bench->store, &slow));
  uv_sem_wait(&held);
  post("a", 0, "x")->done = move_is_there;
  settle();
  assert_int_equal(bench->done, 2);
  close_store();
  uv_sem_destroy(&moved);
  uv_sem_destroy(&held);
}

static int answer_at_once(struct store_job *job, store_db *db) {
  (void)job, (void)db;
  uv_sem_post(&moved);
  return 0;
}

/* Of two slow ones the second waits, and a quick one does not. */
static void slow_questions_leave_room(void **state) {
  (void)state;
  static struct store_job slow[2], quick;
  uv_sem_init(&moved, 0);
  uv_sem_init(&held, 0);
  open_store();
  start();
  for (int i = 0; i < 2; i++) {
    slow[i] =
        (struct store_job){.call = wait_for_move, .done = loaded, .slow = true};
    assert_true(store_ask(bench->store, &slow[i]));
  }
  uv_sem_wait(&held);
  quick = (struct store_job){.call = answer_at_once, .done = loaded};
  assert_true(store_ask(bench->store, &quick)); /* lets the first one go */
  uv_sem_wait(&held);
  uv_sem_post(&moved);
  settle();
  assert_int_equal(bench->done, 3);
  close_store();
  uv_sem_destroy(&moved);
  uv_sem_destroy(&held);
}

/* More than may wait are refused; they are the caller's then. */
static void the_line_is_bounded(void **state) {
  (void)state;
  static struct store_job held_jobs[2], jobs[STORE_QUESTIONS_MAX + 1];
  uv_sem_init(&moved, 0);
  uv_sem_init(&held, 0);
  open_store();
  start();
  for (int i = 0; i < 2; i++) {
    held_jobs[i] = (struct store_job){.call = wait_for_move, .done = loaded};
    assert_true(store_ask(bench->store, &held_jobs[i]));
    uv_sem_wait(&held);
  }
  for (int i = 0; i <= STORE_QUESTIONS_MAX; i++) {
    jobs[i] = (struct store_job){.call = answer_at_once, .done = loaded};
    assert_int_equal(store_ask(bench->store, &jobs[i]),
                     i < STORE_QUESTIONS_MAX);
  }
  uv_sem_post(&moved);
  uv_sem_post(&moved);
  settle();
  assert_int_equal(bench->done, STORE_QUESTIONS_MAX + 2);
  close_store();
  uv_sem_destroy(&moved);
  uv_sem_destroy(&held);
}

/* Whatever fails, and wherever: nothing is acknowledged, nothing is there
 * afterwards, and the same move goes through when the trouble is over. */
static void faults_come_back(void **state) {
  (void)state;
  static const char *const places[] = {"begin", "run", "commit"};
  int seq = 0;
  for (size_t p = 0; p < 3; p++)
    for (int again = 0; again < 2; again++) {
      struct fault f = {places[p]};
      open_store();
      store_inject(bench->store, fail_there, &f);
      start();
      bench->done = bench->failed = 0;
      post("a", seq, "x");
      settle();
      assert_int_equal(bench->failed, 1);
      assert_int_equal(bench->done, 0);
      close_store();
      f.where = NULL;
      int count = 0;
      open_store();
      assert_int_equal(store_each_move(bench->store, count_move, &count), 0);
      assert_int_equal(count, seq);
      start();
      post("a", seq++, "x");
      settle();
      assert_int_equal(bench->done, 1);
      close_store();
    }
}

/* A commit that failed in name only: what was not acknowledged is taken back,
 * whatever comes next. Where others may have seen it, it stays, and whoever tries
 * that number again is late. */
static void what_failed_in_name_is_settled(void **state) {
  (void)state;
  struct fault f = {NULL};
  int count = 0;
  open_store();
  store_inject(bench->store, fail_there, &f);
  start();
  post("a", 0, "x");
  settle();
  f.where = "after";
  post("a", 1, "lost");
  post("a", 2, "end");
  settle();
  f.where = "commit"; /* once more, for good measure */
  post("a", 1, "lost");
  settle();
  assert_int_equal(bench->failed, 3);
  f.where = NULL;
  post("a", 1, "x");
  settle();
  assert_int_equal(bench->done, bench->shared ? 1 : 2);
  assert_int_equal(bench->late, bench->shared);
  close_store();
  open_store();
  assert_int_equal(store_each_move(bench->store, count_move, &count), 0);
  assert_int_equal(count, bench->shared ? 0 : 2); /* it has ended there */
  close_store();
}

static const char *const texts[] = {
    "", "\"", "\\", "a\nb\tc\x01", "perch\xc3\xa9", "[1,2]", "null"};
enum { TEXTS = sizeof texts / sizeof *texts };

static int same_text(void *context, const struct store_move *m) {
  size_t *seen = context;
  assert_int_equal(m->seq, *seen);
  assert_string_equal(m->text, texts[(*seen)++]);
  return 0;
}

/* Whatever an act says comes back as it was. */
static void texts_stay_whole(void **state) {
  (void)state;
  open_store();
  start();
  for (int i = 0; i < TEXTS; i++)
    post("a", i, texts[i]);
  settle();
  fall();
  size_t seen = 0;
  open_store();
  assert_int_equal(store_each_move(bench->store, same_text, &seen), 0);
  assert_int_equal(seen, TEXTS);
  close_store();
}

static int note_session(void *context, const struct store_session *m) {
  struct store_session *out = context;
  *out = *m;
  return 0;
}

static void post_person(int hash, const char *name) {
  struct store_job *job = calloc(1, sizeof *job);
  job->call = store_add_person;
  job->done = noted;
  memset(job->session.hash, hash, STORE_HASH);
  strcpy(job->session.name, name);
  store_post(bench->store, job);
}

static void sessions_come_and_go(void **state) {
  (void)state;
  struct store_session seen = {0};
  open_store();
  start();
  post_person(7, "Anna");
  settle();
  close_store();
  open_store();
  assert_int_equal(store_each_session(bench->store, note_session, &seen), 0);
  assert_string_equal(seen.name, "Anna");
  assert_int_equal(seen.person, 1);
  start();
  struct store_job *job = calloc(1, sizeof *job);
  job->call = store_end_session;
  job->done = noted;
  memset(job->session.hash, 7, STORE_HASH);
  store_post(bench->store, job);
  settle();
  close_store();
  memset(&seen, 0, sizeof seen);
  open_store();
  assert_int_equal(store_each_session(bench->store, note_session, &seen), 0);
  assert_int_equal(seen.person, 0);
  close_store();
}

/* However a name is written, one account has it. */
static void accounts_are_unique(void **state) {
  (void)state;
  struct store_account seen = {0};
  open_store();
  start();
  post_person(1, "Anna");
  post_person(2, "ANNA");
  settle();
  post_account(1);
  post_account(2);
  settle();
  assert_int_equal(bench->done, 3);
  assert_int_equal(bench->late, 1);
  close_store();
  open_store();
  assert_int_equal(store_each_account(bench->store, note_account, &seen), 0);
  assert_int_equal(seen.person, 1);
  assert_string_equal(seen.name, "Anna");
  assert_string_equal(seen.secret, "hash");
  close_store();
}

static void post_limits(int64_t now, bool sweeps, size_t count,
                        const struct store_limit *rows) {
  struct limits_job *j = calloc(1, sizeof *j);
  static struct store_limit kept[4];
  memcpy(kept, rows, count * sizeof *rows);
  j->job.call = limit_store_write;
  j->job.done = noted;
  j->now = now;
  j->sweeps = sweeps;
  j->count = count;
  j->row = kept;
  store_post(bench->store, &j->job);
  settle();
}

/* Name, number and times of all, in the order of their names. */
static int note_limit(void *context, const struct store_limit *l) {
  char *all = context;
  const size_t n = strlen(all);
  snprintf(all + n, 1000 - n, "%s %.1f %d %d;", l->name, l->used, (int)l->at,
           (int)l->until);
  return 0;
}

static void expect_limits(const char *expected) {
  char all[1000] = "";
  close_store();
  open_store();
  assert_int_equal(store_each_limit(bench->store, note_limit, all), 0);
  assert_string_equal(all, expected);
  start();
}

/* What limits have counted is there again, once each; what is out is deleted, and what is
 * of a time that has not come. */
static void limits_come_back(void **state) {
  (void)state;
  const struct store_limit none = {0};
  open_store();
  start();
  post_limits(
      100, false, 2,
      (struct store_limit[]){{"a", 1.5, 100, 200}, {"b", 20, 100, 5000}});
  expect_limits("a 1.5 100 200;b 20.0 100 5000;");
  post_limits(150, true, 1, &(struct store_limit){"a", 2.5, 150, 300});
  expect_limits("a 2.5 150 300;b 20.0 100 5000;");
  post_limits(300, true, 0, &none);
  expect_limits("b 20.0 100 5000;");
  post_limits(99, true, 0, &none);
  expect_limits("");
  assert_int_equal(bench->failed, 0);
  close_store();
}

static void post_review(store_call *call, const char *room) {
  struct review_job *r = calloc(1, sizeof *r);
  r->job.call = call;
  r->job.done = noted;
  strcpy(r->review.room, room);
  r->review.payer.person = room[0];
  memset(r->review.payer.network, room[0], CREW_NETWORK);
  store_post(bench->store, &r->job);
  settle();
}

static size_t take_reviews(struct reviews_job *all) {
  *all =
      (struct reviews_job){.job = {.call = review_store_take, .done = loaded}};
  store_post(bench->store, &all->job);
  settle();
  assert_int_equal(all->job.error, 0);
  return all->count;
}

/* What is under way is taken up by whoever serves next, with who pays for it; what is done
 * is not; nor what has been taken up too often. */
static void reviews_are_taken_up(void **state) {
  (void)state;
  static struct reviews_job all;
  open_store();
  start();
  post_review(review_store_add, "a");
  post_review(review_store_add, "b");
  post_review(review_store_add, "b");
  post_review(review_store_remove, "a");
  close_store();
  for (int i = 0; i < REVIEW_TRIES; i++) {
    open_store();
    start();
    assert_int_equal(take_reviews(&all), 1);
    assert_string_equal(all.review[0].room, "b");
    assert_int_equal(all.review[0].payer.person, 'b');
    for (int n = 0; n < CREW_NETWORK; n++)
      assert_int_equal(all.review[0].payer.network[n], 'b');
    close_store();
  }
  open_store();
  start();
  assert_int_equal(take_reviews(&all), 0);
  assert_int_equal(bench->failed, 0);
  close_store();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(moves_survive, set_up, tear_down),
      cmocka_unit_test_setup_teardown(ended_rooms_stay_away, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_second_opening_is_refused_alone, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(a_game_is_read_as_a_whole, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(a_question_stops_no_move, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(slow_questions_leave_room, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(the_line_is_bounded, set_up, tear_down),
      cmocka_unit_test_setup_teardown(faults_come_back, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_failed_in_name_is_settled, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(texts_stay_whole, set_up, tear_down),
      cmocka_unit_test_setup_teardown(sessions_come_and_go, set_up, tear_down),
      cmocka_unit_test_setup_teardown(accounts_are_unique, set_up, tear_down),
      cmocka_unit_test_setup_teardown(limits_come_back, set_up, tear_down),
      cmocka_unit_test_setup_teardown(reviews_are_taken_up, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
