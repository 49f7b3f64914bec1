/* A room and its moves, without a loop, a store or a socket. */
#include "rooms/translate.h"

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
                   int64_t known_seq) {
  const struct store_move m = move(r, kind, seat, text);
  sal_action action;
  return room_check(r, &m, known_seq, &action, NULL);
}

/* What whoever listens in English reads when a seat's move is refused. */
static void refuse_saying(const struct room *r, const char *kind, int seat,
                          const char *sentence) {
  static const struct sal_catalogue english;
  const struct store_move m = move(r, kind, seat, "");
  struct sal_refusal why;
  sal_action action;
  char text[SAL_MESSAGE_MAX];
  struct sal_text out;
  sal_text_init(&out, text, sizeof text);
  assert_true(room_check(r, &m, 0, &action, &why) < 0);
  translate_refusal(&english, r, &why, &out);
  assert_string_equal(text, sentence);
}

static void make(struct room *r, const char *kind, int seat, const char *text) {
  const struct store_move m = move(r, kind, seat, text);
  assert_int_equal(room_replay(r, &m, NULL), 0);
}

static void sit(struct room *r, int seat, int64_t person) {
  char text[256];
  struct sal_text t;
  sal_text_init(&t, text, sizeof text);
  struct room_sitting s = {.person = person, .name = "Anna \"the\" cat"};
  room_sit_write(&s, &t);
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
  refuse_saying(r, "leave", 0, "The game has begun; you can resign.");
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
  refuse_saying(r, "sit", 0, "This table is closed.");
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

/* At a table of two who resigns ends the game, and stays for the rematch. */
static void resigning_ends_a_game_of_two(void **state) {
  (void)state;
  struct room *r = open_room(doors);
  sit(r, 0, 7);
  sit(r, 1, 8);
  make(r, "start", -1, "");
  make(r, "resign", 0, room_resign_text(r, false));
  assert_false(room_in_play(r));
  assert_int_equal(sal_table_winners(r->table), 2);
  assert_int_equal(r->over_at, r->last_at);
  assert_int_equal(r->seat[0].kind, SEAT_PERSON);
  assert_int_equal(code_of(r, "resign", 1, "over", 0), SAL_GAME_OVER);
  room_free(r);
}

/* As stores from before have it. */
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

/* A move that is made at some moment. */
static int made_at(struct room *r, const char *kind, int seat, const char *text,
                   int64_t at) {
  struct store_move m = move(r, kind, seat, text);
  m.at = at;
  return room_replay(r, &m, NULL);
}

static const char *first_choice(const struct room *r, int seat) {
  static char text[SAL_ACTION_TEXT_MAX];
  sal_action legal[1024];
  struct sal_text t;
  assert_true(sal_table_legal(r->table, seat, legal) > 0);
  sal_text_init(&t, text, sizeof text);
  r->head.game->action_text(legal[0], &t);
  return text;
}

static void undo_is_a_move(void **state) {
  (void)state;
  struct room *r = open_room("{\"game\":\"traps\",\"players\":3}");
  for (int s = 0; s < 3; s++)
    sit(r, s, 10 + s);
  assert_int_equal(code_of(r, "undo", 0, "", 0), SAL_NOT_STARTED);
  make(r, "start", -1, "");
  assert_int_equal(code_of(r, "undo", 0, "", r->seq - 1), SAL_NO_UNDO);
  const int64_t before = r->seq - 1;
  make(r, "act", 0, first_choice(r, 0));
  assert_true(room_is_rated(r));
  assert_int_equal(code_of(r, "undo", 0, "", before), SAL_LATE);
  assert_int_equal(code_of(r, "undo", 1, "", r->seq - 1), SAL_NO_UNDO);
  make(r, "undo", 0, "");
  assert_int_equal(room_asked(r), 7);
  assert_false(room_is_rated(r));
  /* The same request again takes nothing more back. */
  assert_int_equal(code_of(r, "undo", 0, "", r->seq - 2), SAL_LATE);
  room_free(r);
}

/* One person among bots: undo goes back past what the bots did. */
static void practice_goes_back(void **state) {
  (void)state;
  struct room *r =
      open_room("{\"game\":\"doors\",\"players\":2,\"rated\":false,\"options\":"
                "{\"first\":0},\"seats\":[\"open\",\"open\"]}");
  assert_int_equal(code_of(r, "bot", 0, "nobody", 0), SAL_BAD_REQUEST);
  sit(r, 0, 7);
  assert_int_equal(code_of(r, "bot", 0, "novice", 0), SAL_SEAT_TAKEN);
  make(r, "bot", 1, "novice");
  assert_true(room_is_full(r) && r->seat[1].kind == SEAT_BOT);
  make(r, "start", -1, "");
  assert_int_equal(code_of(r, "bot", 1, "novice", 0), SAL_SEAT_TAKEN);
  assert_true(room_is_practice(r));
  assert_int_equal(code_of(r, "undo", 0, "", r->seq - 1), SAL_NO_UNDO);
  make(r, "act", 0, first_choice(r, 0));
  make(r, "act", 1, first_choice(r, 1));
  const size_t events = sal_table_event_count(r->table);
  make(r, "undo", 0, "");
  assert_int_equal(sal_table_length(r->table), 0);
  assert_int_equal(room_asked(r), 1);
  struct sal_event e;
  sal_table_event(r->table, events, 0, &e);
  assert_true(e.kind == SAL_EVENT_UNDONE && (size_t)e.value[0] < events);
  room_free(r);
}

static void rated_means_no_help(void **state) {
  (void)state;
  struct room_head head;
  json_t *j = json_loads("{\"game\":\"doors\",\"players\":2,\"rated\":true,"
                         "\"hints\":true}",
                         0, NULL);
  assert_int_equal(room_head_read(j, false, &head, NULL), SAL_BAD_REQUEST);
  json_decref(j);
  struct room *r = open_room("{\"game\":\"doors\",\"players\":2,\"rated\":true,"
                             "\"options\":{\"first\":0}}");
  sit(r, 0, 7);
  sit(r, 1, 8);
  make(r, "start", -1, "");
  assert_int_equal(code_of(r, "hint", 0, "", 0), SAL_NOT_ALLOWED);
  assert_int_equal(code_of(r, "undo", 0, "", 0), SAL_NOT_ALLOWED);
  room_free(r);
  r = open_room(doors);
  sit(r, 0, 7);
  sit(r, 1, 8);
  make(r, "start", -1, "");
  const int64_t asked = r->seq - 1;
  assert_int_equal(code_of(r, "hint", 1, "", 0), SAL_NOT_YOUR_TURN);
  make(r, "hint", 0, "");
  assert_false(room_is_rated(r));
  /* Asking for advice does not make the answer late. */
  assert_int_equal(code_of(r, "act", 0, first_choice(r, 0), asked), 0);
  room_free(r);
}

static void away_and_back(void **state) {
  (void)state;
  struct room *r =
      open_room("{\"game\":\"doors\",\"players\":2,\"options\":{\"first\":0},"
                "\"clock\":{\"kind\":\"move\",\"seconds\":10}}");
  sit(r, 0, 7);
  sit(r, 1, 8);
  assert_int_equal(made_at(r, "start", -1, "", 1000), 0);
  assert_int_equal(made_at(r, "away", 0, "", 10999), SAL_LATE);
  assert_int_equal(made_at(r, "away", 1, "", 99999), SAL_LATE);
  assert_int_equal(made_at(r, "back", 0, "", 11000), SAL_NOT_ALLOWED);
  const int64_t asked = r->seq - 1;
  assert_int_equal(made_at(r, "away", 0, "", 11000), 0);
  assert_ptr_equal(room_bot_at(r, 0), r->head.stand_in);
  assert_int_equal(r->clock.running, 0);
  assert_int_equal(room_seat_of(r, 7), 0);
  assert_int_equal(code_of(r, "act", 0, first_choice(r, 0), asked), SAL_LATE);
  assert_int_equal(made_at(r, "back", 0, "", 12000), 0);
  assert_null(room_bot_at(r, 0));
  assert_int_equal(r->clock.running, 1);
  assert_int_equal(clock_left(&r->clock, 0, 12000), 10000);
  assert_int_equal(made_at(r, "act", 0, first_choice(r, 0), 13000), 0);
  room_free(r);
}

/* The server closed at 5000 and opened at 60000. */
static void closed_time_does_not_count(void **state) {
  (void)state;
  struct room *r =
      open_room("{\"game\":\"doors\",\"players\":2,\"options\":{\"first\":0},"
                "\"clock\":{\"kind\":\"game\",\"seconds\":10}}");
  sit(r, 0, 7);
  sit(r, 1, 8);
  assert_int_equal(made_at(r, "start", -1, "", 1000), 0);
  assert_int_equal(made_at(r, "woke", -1, "x", 60000), SAL_BAD_REQUEST);
  assert_int_equal(made_at(r, "woke", -1, "5000", 60000), 0);
  assert_int_equal(clock_left(&r->clock, 0, 60000), 6000);
  assert_int_equal(clock_left(&r->clock, 0, 61000), 5000);
  assert_int_equal(clock_left(&r->clock, 1, 61000), 10000);
  room_free(r);
}

static void keys_and_rematches(void **state) {
  (void)state;
  struct room_head head =
      head_of("{\"game\":\"traps\",\"players\":3,\"options\":{\"first\":0},"
              "\"seats\":[\"open\",\"invited\",\"novice\"]}");
  strcpy(head.key, "abcdefghijkmnpqr");
  struct store_move m = move(NULL, "open", -1, "");
  struct sal_text t;
  sal_text_init(&t, m.text, sizeof m.text);
  room_head_write(&head, &t);
  struct room *r = room_open(&m, NULL);
  assert_non_null(r);
  assert_memory_equal(&r->head, &head, sizeof head);
  assert_int_equal(code_of(r, "sit", 1, "{\"person\":8,\"name\":\"B\"}", 0),
                   SAL_NOT_ALLOWED);
  assert_int_equal(code_of(r, "sit", 1,
                           "{\"person\":8,\"name\":\"B\",\"key\":"
                           "\"abcdefghijkmnpqs\"}",
                           0),
                   SAL_NOT_ALLOWED);
  make(r, "sit", 1,
       "{\"person\":8,\"name\":\"B\",\"key\":\"abcdefghijkmnpqr\"}");
  make(r, "leave", 1, "");
  assert_int_equal(r->seat[1].kind, SEAT_INVITED);
  make(r, "sit", 1,
       "{\"person\":8,\"name\":\"B\",\"key\":\"abcdefghijkmnpqr\"}");
  sit(r, 0, 7);
  make(r, "start", -1, "");
  assert_int_equal(code_of(r, "rematch", 0, "bbbbbbbbbbbbbbbb", 0),
                   SAL_NOT_STARTED);
  while (room_in_play(r)) {
    const int seat = __builtin_ctz(room_asked(r));
    make(r, "act", seat, first_choice(r, seat));
  }
  assert_int_equal(code_of(r, "rematch", 2, "bbbbbbbbbbbbbbbb", 0),
                   SAL_NOT_SEATED);
  make(r, "rematch", 0, "bbbbbbbbbbbbbbbb");
  assert_string_equal(r->next, "bbbbbbbbbbbbbbbb");
  assert_int_equal(code_of(r, "rematch", 1, "cccccccccccccccc", 0), SAL_LATE);

  struct room_head again;
  room_head_again(r, &again);
  assert_string_equal(again.bot[0]->id, "novice");
  assert_true(again.kept[1] == 7 && again.kept[2] == 8);
  sal_text_clear(&t);
  room_head_write(&again, &t);
  struct room *next = room_open(&m, NULL);
  assert_non_null(next);
  assert_memory_equal(&next->head, &again, sizeof again);
  assert_int_equal(code_of(next, "sit", 2, "{\"person\":7,\"name\":\"A\"}", 0),
                   SAL_NOT_ALLOWED);
  make(next, "sit", 2, "{\"person\":8,\"name\":\"B\"}");
  room_free(next);
  room_free(r);
}

/* Both have pledged; one tells its part, the other does not. */
static void pledges_come_before_parts(void **state) {
  (void)state;
  struct room *r = open_room(doors);
  char text[256], hex[2][65];
  struct sal_text t;
  for (int s = 0; s < 2; s++) {
    struct room_sitting who = {.person = 7 + s, .name = "A", .pledged = true};
    struct sal_key part;
    sal_key_number((uint64_t)(100 + s), &part);
    sal_part_pledge(&part, &who.pledge);
    sal_text_init(&t, hex[s], sizeof hex[s]);
    sal_text_hex(&t, part.bytes, SAL_KEY_SIZE);
    sal_text_init(&t, text, sizeof text);
    room_sit_write(&who, &t);
    assert_int_equal(room_unrevealed(r), 0);
    assert_int_equal(code_of(r, "part", s, hex[s], 0), SAL_NOT_ALLOWED);
    make(r, "sit", s, text);
  }
  assert_int_equal(room_unrevealed(r), 3);
  assert_int_equal(code_of(r, "leave", 0, "", 0), SAL_NOT_ALLOWED);
  assert_int_equal(code_of(r, "start", -1, "", 0), SAL_NOT_STARTED);
  assert_int_equal(code_of(r, "part", 0, hex[1], 0), SAL_BAD_REQUEST);
  make(r, "part", 0, hex[0]);
  assert_int_equal(code_of(r, "part", 0, hex[0], 0), SAL_NOT_ALLOWED);
  assert_int_equal(room_unrevealed(r), 2);
  assert_int_equal(code_of(r, "start", -1, "", 0), SAL_NOT_STARTED);
  make(r, "start", -1, "zeros");
  char *record = sal_table_record(r->table, true);
  struct sal_audit audit;
  struct sal_refusal why;
  sal_table *loaded = sal_table_load(record, strlen(record), &audit, &why);
  assert_non_null(loaded);
  assert_int_equal(audit.pledged, 1);
  assert_int_equal(audit.withheld, 2);
  sal_table_free(loaded);
  /* Another part than the one that was pledged is found out. */
  char *part = strstr(record, "part 0 ");
  part[7 + 63] = part[7 + 63] == '0' ? '1' : '0';
  assert_null(sal_table_load(record, strlen(record), &audit, &why));
  assert_non_null(strstr(why.message, "pledged"));
  free(record);
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
      "{\"game\":\"doors\",\"players\":2,\"stand_in\":7}",
      "{\"game\":\"doors\",\"players\":2,\"clock\":7}",
      "{\"game\":\"doors\",\"players\":2,\"clock\":{}}",
      "{\"game\":\"doors\",\"players\":2,\"clock\":{\"kind\":\"move\"}}",
      "{\"game\":\"doors\",\"players\":2,\"clock\":{\"kind\":\"move\","
      "\"seconds\":0}}",
      "{\"game\":\"doors\",\"players\":2,\"clock\":{\"kind\":\"slow\","
      "\"days\":31}}",
      "{\"game\":\"doors\",\"players\":2,\"clock\":{\"kind\":\"fast\","
      "\"seconds\":9}}",
      "{\"game\":\"doors\",\"players\":2,\"rated\":1}"};
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
      cmocka_unit_test(undo_is_a_move),
      cmocka_unit_test(practice_goes_back),
      cmocka_unit_test(rated_means_no_help),
      cmocka_unit_test(resigning_ends_a_game_of_two),
      cmocka_unit_test(away_and_back),
      cmocka_unit_test(closed_time_does_not_count),
      cmocka_unit_test(keys_and_rematches),
      cmocka_unit_test(pledges_come_before_parts),
      cmocka_unit_test(no_head_no_room),
      cmocka_unit_test(ids_differ),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
