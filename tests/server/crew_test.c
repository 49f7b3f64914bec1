/* Threads and the fair line before them: who comes next. One thread, and tasks
 * that take a little of the processor, however busy the machine is. */
#include "base/crew.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { TASKS = 64, CROWD = 12, BEFORE = 5 };

struct errand {
  struct crew_task task;
  bool done, ran;
  int place; /* the how manieth was done */
};

struct scene {
  uv_loop_t loop;
  struct crew *crew;
  struct errand errand[TASKS];
  int posted, done;
};

static struct scene *scene;

static double seconds_of_thread(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void work(struct crew_task *t) {
  const double end = seconds_of_thread() + 0.005;
  (void)t;
  while (seconds_of_thread() < end)
    ;
}

static void is_done(struct crew_task *t, bool ran) {
  struct errand *e = (struct errand *)t;
  e->done = true;
  e->ran = ran;
  e->place = scene->done++;
}

static struct errand *ask(int address, int person, int rank) {
  struct errand *e = &scene->errand[scene->posted++];
  e->task.run = work;
  e->task.done = is_done;
  e->task.payer.network[0] = (uint8_t)address;
  e->task.payer.person = person;
  e->task.rank = rank;
  crew_post(scene->crew, &e->task);
  return e;
}

static void until_done(int count) {
  while (scene->done < count)
    uv_run(&scene->loop, UV_RUN_ONCE);
}

static int open_scene(void **state) {
  scene = calloc(1, sizeof *scene);
  *state = scene;
  if (!scene || uv_loop_init(&scene->loop) != 0)
    return -1;
  scene->crew = crew_new(&scene->loop, 1, false, 0);
  return scene->crew ? 0 : -1;
}

static int close_scene(void **state) {
  struct scene *s = *state;
  crew_stop(s->crew);
  while (crew_open(s->crew) > 0)
    uv_run(&s->loop, UV_RUN_ONCE);
  crew_close(s->crew);
  uv_run(&s->loop, UV_RUN_DEFAULT);
  crew_free(s->crew);
  const int left = uv_loop_close(&s->loop);
  free(s);
  return left;
}

static void urgent_first(void **state) {
  (void)state;
  ask(1, 1, 2); /* runs at once */
  const struct errand *late = ask(1, 1, 2), *middle = ask(1, 1, 1),
                      *urgent = ask(1, 1, 0);
  struct errand *moved = ask(1, 1, 2);
  crew_move(scene->crew, &moved->task, 0);
  until_done(5);
  assert_true(urgent->place < moved->place);
  assert_true(moved->place < middle->place);
  assert_true(middle->place < late->place);
}

/* One who asks for twenty and one who asks for three, at another address or at
 * the same: the three are not behind the twenty. */
static void shared_out(void **state) {
  (void)state;
  for (int same = 0; same < 2; same++) {
    const int before = scene->done;
    const struct errand *last = NULL;
    for (int i = 0; i < 20; i++)
      ask(1, 1, 0);
    for (int i = 0; i < 3; i++)
      last = ask(same ? 1 : 2, 2, 0);
    until_done(before + 23);
    assert_true(last->place - before < 12);
  }
}

/* Many persons of one address count as one. */
static void by_address(void **state) {
  (void)state;
  const struct errand *last = NULL;
  for (int i = 0; i < 20; i++)
    ask(1, i, 0);
  for (int i = 0; i < 3; i++)
    last = ask(2, 1, 0);
  until_done(23);
  assert_true(last->place < 12);
}

/* Somebody who has asked before, and comes back while many addresses ask for
 * all they can get, waits for what runs and not for a round of them. */
static void seldom_asked(void **state) {
  (void)state;
  for (int i = 0; i < BEFORE; i++)
    ask(1, 1, 0);
  until_done(BEFORE);
  const uint64_t since = uv_now(&scene->loop);
  for (; uv_now(&scene->loop) < since + 200; uv_update_time(&scene->loop))
    uv_sleep(10);
  for (int i = 0; i < 4 * CROWD; i++)
    ask(2 + i % CROWD, 1, 0);
  until_done(BEFORE + CROWD + CROWD / 2);
  const int before = scene->done;
  const struct errand *seldom = ask(1, 1, 0);
  until_done(BEFORE + 4 * CROWD + 1);
  assert_true(seldom->place - before <= 1);
}

static void counted(void **state) {
  (void)state;
  const uint8_t network[CREW_NETWORK] = {1};
  ask(1, 1, 0);
  struct errand *waits = ask(1, 2, 0), *other = ask(2, 1, 0);
  assert_int_equal(crew_open(scene->crew), 3);
  assert_int_equal(crew_open_of(scene->crew, network), 2);
  assert_true(crew_take_back(scene->crew, &waits->task));
  assert_int_equal(crew_open(scene->crew), 2);
  crew_stop(scene->crew);
  assert_true(other->done && !other->ran);
  until_done(2);
  assert_int_equal(crew_open(scene->crew), 0);
  assert_false(waits->done);
  assert_true(scene->errand[0].ran);
}

/* ---- Helpers ---------------------------------------------------------------- */

static void begins(struct crew_helper *h, struct crew_task *t) {
  assert_ptr_equal(h->task, t);
}

static struct errand *ask_elsewhere(int address) {
  struct errand *e = &scene->errand[scene->posted];
  e->task.travels = true;
  return ask(address, 1, 0);
}

/* The only thread is busy from the beginning to the end of what follows. */
static atomic_bool may_end;

static void work_long(struct crew_task *t) {
  (void)t;
  while (!atomic_load(&may_end))
    uv_sleep(1);
}

static void busy_thread(void) {
  struct errand *e = &scene->errand[scene->posted++];
  atomic_store(&may_end, false);
  e->task.run = work_long;
  e->task.done = is_done;
  crew_post(scene->crew, &e->task);
}

static void helped(void **state) {
  (void)state;
  struct crew_helper h = {.run = begins};
  busy_thread();
  const struct errand *stays = ask(1, 1, 0), *first = ask_elsewhere(1),
                      *second = ask_elsewhere(2);
  crew_add_helper(scene->crew, &h);
  assert_int_equal(crew_helpers(scene->crew), 1);
  assert_ptr_equal(h.task, &second->task); /* the other waits behind its own */
  crew_helper_has_run(scene->crew, &h, 0.01);
  assert_true(second->done && second->ran && !first->done && !stays->done);
  assert_null(h.task); /* what is first there does not travel */
  crew_remove_helper(scene->crew, &h);
  atomic_store(&may_end, true);
  until_done(4);
  assert_true(stays->ran && first->ran);
}

static void pays_for_help(void **state) {
  (void)state;
  struct crew_helper h = {.run = begins};
  busy_thread();
  struct errand *dear = ask_elsewhere(1), *dear_too = ask_elsewhere(1),
                *cheap = ask_elsewhere(2), *cheap_too = ask_elsewhere(2);
  crew_add_helper(scene->crew, &h);
  assert_ptr_equal(h.task, &dear->task);
  crew_helper_has_run(scene->crew, &h, 5);
  assert_ptr_equal(h.task, &cheap->task);
  crew_helper_has_run(scene->crew, &h, 0.01);
  assert_ptr_equal(h.task, &cheap_too->task);
  crew_helper_has_run(scene->crew, &h, 0.01);
  assert_ptr_equal(h.task, &dear_too->task);
  crew_helper_has_run(scene->crew, &h, 0.01);
  crew_remove_helper(scene->crew, &h);
  atomic_store(&may_end, true);
  until_done(5);
}

static void helper_gone(void **state) {
  (void)state;
  struct crew_helper h = {.run = begins}, other = {.run = begins};
  busy_thread();
  const struct errand *e = ask_elsewhere(1);
  crew_add_helper(scene->crew, &h);
  crew_add_helper(scene->crew, &other);
  assert_ptr_equal(h.task, &e->task);
  crew_remove_helper(scene->crew, &h);
  assert_null(other.task); /* it is run here now */
  assert_false(e->done);
  atomic_store(&may_end, true);
  until_done(2);
  assert_true(e->ran);
  crew_remove_helper(scene->crew, &other);
  assert_int_equal(crew_helpers(scene->crew), 0);
}

static void stopped_elsewhere(void **state) {
  (void)state;
  struct crew_helper h = {.run = begins};
  busy_thread();
  const struct errand *e = ask_elsewhere(1);
  crew_add_helper(scene->crew, &h);
  crew_stop(scene->crew);
  assert_true(e->done && !e->ran);
  assert_null(h.task);
  crew_remove_helper(scene->crew, &h);
  atomic_store(&may_end, true);
  until_done(2);
}

int main(void) {
#define CASE(f) cmocka_unit_test_setup_teardown(f, open_scene, close_scene)
  const struct CMUnitTest tests[] = {
      CASE(urgent_first),  CASE(shared_out),  CASE(by_address),
      CASE(seldom_asked),  CASE(counted),     CASE(helped),
      CASE(pays_for_help), CASE(helper_gone), CASE(stopped_elsewhere),
  };
  return cmocka_run_group_tests_name("crew", tests, NULL, NULL);
}
