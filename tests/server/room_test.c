/* A room and its moves, without a loop, a store or a socket. */
#include "room.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct store_move move(const struct room *r, const char *kind, int seat,
                              const char *text) {
  struct store_move m = {.seq = r ? r->seq : 0, .seat = seat};
  snprintf(m.room, sizeof m.room, "%s", r ? r->id : "abcdefghijkmnpqr");
  snprintf(m.kind, sizeof m.kind, "%s", kind);
  snprintf(m.text, sizeof m.text, "%s", text);
  return m;
}

static struct room_head head_of(const char *json) {
  struct room_head head;
  json_t *j = json_loads(json, 0, NULL);
  assert_int_equal(room_head_read(j, false, &head, NULL), 0);
  json_decref(j);
  sal_key_number(5, &head.seed);
  return head;
}

static struct room *open_room(const char *json) {
  const struct room_head head = head_of(json);
  struct store_move m = move(NULL, "open", -1, "");
  struct sal_text t;
  sal_text_init(&t, m.text, sizeof m.text);
  room_head_write(&head, &t);
  struct room *r = room_open(&m, NULL);
  assert_non_null(r);
  assert_memory_equal(&r->head, &head, sizeof head);
  return r;
}

static int code_of(struct room *r, const char *kind, int seat, const char *text,
                   int64_t answers) {
  const struct store_move m = move(r, kind, seat, text);
  return room_check(r, &m, answers, NULL);
}

static void make(struct room *r, const char *kind, int seat, const char *text) {
  const struct store_move m = move(r, kind, seat, text);
  assert_int_equal(room_check(r, &m, r->seq - 1, NULL), 0);
  assert_int_equal(room_make(r, &m, NULL), 0);
}

static void sit(struct room *r, int seat, int64_t person) {
  char text[256];
  struct sal_text t;
  sal_text_init(&t, text, sizeof text);
  room_sit_write(person, "Anna \"the\" cat", NULL, &t);
  make(r, "sit", seat, text);
}

static const char doors[] =
    "{\"game\":\"doors\",\"players\":2,\"options\":{\"first\":0}}";

static void head_reads_back(void **state) {
  (void)state;
  struct room *r = open_room(
      "{\"game\":\"favor\",\"players\":3,\"options\":{\"edition\":\"en\"},"
      "\"seats\":[\"open\",\"novice\",\"open\"],\"listed\":false,"
      "\"spectators\":false,\"chat\":false,\"stand_in\":\"expert\"}");
  assert_int_equal(r->seat[1].kind, SEAT_BOT);
  assert_false(r->head.listed || r->head.spectators || r->head.chat);
  assert_string_equal(r->head.stand_in->id, "expert");
  room_free(r);
}

static void seats_fill_and_empty(void **state) {
  (void)state;
  struct room *r = open_room(doors);
  sit(r, 0, 7);
  assert_int_equal(room_seat_of(r, 7), 0);
  assert_string_equal(r->seat[0].name, "Anna \"the\" cat");
  assert_int_equal(code_of(r, "sit", 0, "{\"person\":8,\"name\":\"B\"}", 0),
                   SAL_SEAT_TAKEN);
  assert_int_equal(code_of(r, "sit", 1, "{\"person\":7,\"name\":\"B\"}", 0),
                   SAL_SEAT_TAKEN);
  assert_int_equal(code_of(r, "start", -1, "", 0), SAL_NOT_STARTED);
  assert_int_equal(code_of(r, "leave", 1, "", 0), SAL_NOT_SEATED);
  make(r, "leave", 0, "");
  assert_int_equal(room_seat_of(r, 7), -1);
  sit(r, 1, 7);
  sit(r, 0, 8);
  make(r, "start", -1, "");
  assert_int_equal(code_of(r, "leave", 0, "", 0), SAL_NOT_ALLOWED);
  assert_int_equal(code_of(r, "start", -1, "", 0), SAL_LATE);
  room_free(r);
}

static void bad_moves_are_refused(void **state) {
  (void)state;
  struct room *r = open_room(doors);
  assert_int_equal(code_of(r, "dance", 0, "", 0), SAL_BAD_REQUEST);
  assert_int_equal(code_of(r, "sit", 2, "", 0), SAL_BAD_REQUEST);
  assert_int_equal(code_of(r, "sit", -1, "", 0), SAL_BAD_REQUEST);
  assert_int_equal(code_of(r, "sit", 0, "not json", 0), SAL_BAD_REQUEST);
  assert_int_equal(code_of(r, "act", 0, "take RL", 0), SAL_NOT_STARTED);
  assert_int_equal(code_of(r, "resign", 0, "", 0), SAL_NOT_SEATED);
  make(r, "end", -1, "");
  assert_int_equal(code_of(r, "sit", 0, "", 0), SAL_NO_TABLE);
  room_free(r);
}

static void late_answers_are_refused(void **state) {
  (void)state;
  struct room *r = open_room(doors);
  sit(r, 0, 7);
  sit(r, 1, 8);
  make(r, "start", -1, "");
  sal_action legal[64];
  char text[SAL_ACTION_TEXT_MAX];
  struct sal_text t;
  sal_table_legal(r->table, 0, legal);
  sal_text_init(&t, text, sizeof text);
  r->head.game->action_text(legal[0], &t);
  const int64_t now = r->seq - 1;
  assert_int_equal(code_of(r, "act", 0, text, now), 0);
  assert_int_equal(code_of(r, "act", 0, text, now - 1), SAL_LATE);
  assert_int_equal(code_of(r, "act", 0, text, now + 1), SAL_LATE);
  assert_int_equal(code_of(r, "act", 1, text, now), SAL_NOT_YOUR_TURN);
  make(r, "act", 0, text);
  assert_int_equal(code_of(r, "act", 0, text, now), SAL_LATE);
  room_free(r);
}

/* Traps asks everybody to place at once. */
static void others_do_not_make_me_late(void **state) {
  (void)state;
  struct room *r = open_room("{\"game\":\"traps\",\"players\":3}");
  for (int s = 0; s < 3; s++)
    sit(r, s, 10 + s);
  make(r, "start", -1, "");
  const int64_t asked = r->seq - 1;
  assert_int_equal(room_asked(r), 7);
  for (int s = 0; s < 3; s++) {
    sal_action legal[64];
    char text[SAL_ACTION_TEXT_MAX];
    struct sal_text t;
    sal_table_legal(r->table, s, legal);
    sal_text_init(&t, text, sizeof text);
    r->head.game->action_text(legal[0], &t);
    assert_int_equal(code_of(r, "act", s, text, asked), 0);
    make(r, "act", s, text);
    assert_int_equal(code_of(r, "act", s, text, asked), SAL_LATE);
  }
  room_free(r);
}

static void stand_in_takes_over(void **state) {
  (void)state;
  struct room *r = open_room(doors);
  sit(r, 0, 7);
  sit(r, 1, 8);
  make(r, "start", -1, "");
  make(r, "resign", 0, "");
  assert_int_equal(r->seat[0].kind, SEAT_BOT);
  assert_int_equal(room_seat_of(r, 7), -1);
  assert_int_equal(code_of(r, "resign", 0, "", 0), SAL_NOT_SEATED);
  room_free(r);
}

static void no_head_no_room(void **state) {
  (void)state;
  static const char *const bad[] = {
      "",
      "[]",
      "{}",
      "{\"game\":\"doors\"}",
      "{\"game\":\"doors\",\"players\":2}", /* no seed */
      "{\"game\":\"doors\",\"players\":2,\"seed\":\"00\"}",
      "{\"game\":\"chess\",\"players\":2}",
      "{\"game\":\"doors\",\"players\":2,\"options\":[]}",
      "{\"game\":\"doors\",\"players\":2,\"seats\":7}",
      "{\"game\":\"doors\",\"players\":2,\"stand_in\":7}"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct sal_refusal why;
    const struct store_move m = move(NULL, "open", -1, bad[i]);
    assert_null(room_open(&m, &why));
    assert_true(why.code < 0);
  }
}

static void ids_differ(void **state) {
  (void)state;
  char a[ROOM_ID + 1], b[ROOM_ID + 1];
  room_new_id(a);
  room_new_id(b);
  assert_int_equal(strlen(a), ROOM_ID);
  assert_string_not_equal(a, b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(head_reads_back),
      cmocka_unit_test(seats_fill_and_empty),
      cmocka_unit_test(bad_moves_are_refused),
      cmocka_unit_test(late_answers_are_refused),
      cmocka_unit_test(others_do_not_make_me_late),
      cmocka_unit_test(stand_in_takes_over),
      cmocka_unit_test(no_head_no_room),
      cmocka_unit_test(ids_differ),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
