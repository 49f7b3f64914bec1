/* Fuzzing the server's input, with a whole house behind it: a store in memory,
 * one person, one table. The first byte says what the rest is: bytes on a fresh
 * connection, bytes on a WebSocket, or messages, one a line, in which sixteen
 * T's stand for the id of the table.
 *
 * Main invariant: every message gets exactly one answer. */
#define _GNU_SOURCE
#include "accounts.h"
#include "addresses.h"
#include "conn.h"
#include "http.h"
#include "keeper.h"
#include "messages.h"
#include "pages.h"
#include "people.h"
#include "ws.h"

#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct house *house;
static struct person *person;
static char cookie[TOKEN_MAX + 1];
static struct live *table;

static void settle(void) {
  do
    conn_flush(house), uv_run(&house->loop, UV_RUN_NOWAIT);
  while (store_waiting(house->store) > 0 || house->work_open > 0);
}

static void note_guest(struct house *h, uint64_t conn, struct person *p,
                       const char *token, int error) {
  (void)h, (void)conn, (void)error;
  person = p;
  strcpy(cookie, token);
}

static void note_table(struct live *l, void *context) {
  (void)context;
  table = l;
}

static void open_table(void) {
  struct room_head head;
  struct intent i = {.re = "create"};
  json_t *j = json_loads("{\"game\":\"doors\",\"players\":2,"
                         "\"seats\":[\"open\",\"random\"]}",
                         0, NULL);
  if (room_head_read(j, false, &head, NULL) != 0)
    abort();
  json_decref(j);
  sal_key_random(&head.seed);
  rooms_create(house->rooms, &head, &i);
  settle();
  rooms_each(house->rooms, note_table, NULL);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  struct sal_refusal why;
  (void)argc, (void)argv;
  if (sodium_init() < 0)
    abort();
  house_log_off();
  house = calloc(1, sizeof *house);
  uv_loop_init(&house->loop);
  house->options = server_defaults;
  house->options.bot_seconds = 0;
  house->slot_count = 16;
  house->slots = calloc(16, sizeof *house->slots);
  strcpy(house->origin, "http://a");
  house->people = people_new(house);
  house->accounts = accounts_new(house);
  house->addresses = addresses_new(house);
  house->rooms = rooms_new(house);
  house->pages = pages_new(&house->options);
  house->keeper = keeper_new(house);
  house->store = store_open(":memory:", &why);
  if (!house->store || store_start(house->store, &house->loop) != 0)
    abort();
  people_guest(house->people, "Anna", NULL, 0, note_guest);
  settle();
  return 0;
}

/* Every input finds the same house: one table, just opened. */
static void tidy_rooms(void) {
  rooms_free(house->rooms);
  house->rooms = rooms_new(house);
  bucket_fill(&person->chat, house_now(house), 5);
  bucket_fill(&person->tables, house_now(house), 10);
  open_table();
}

static void shake_hands(struct conn *c) {
  char request[512];
  const int n = snprintf(request, sizeof request,
                         "GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n"
                         "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                         "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                         "Origin: http://a\r\nCookie: salotto=%s\r\n\r\n",
                         cookie);
  http_feed(c, request, (size_t)n);
  if (!c->ws)
    abort();
}

/* What the client was sent. */
static struct {
  char *data;
  size_t length, size;
} heard;

static void drain(int fd) {
  ssize_t n = 0;
  conn_flush(house);
  do {
    heard.length += (size_t)n;
    if (heard.size - heard.length < 65536)
      heard.data = realloc(heard.data, heard.size += 1 << 20);
    n = read(fd, heard.data + heard.length, heard.size - heard.length - 1);
  } while (n > 0);
}

static bool is_answer(const char *text, size_t length) {
  return memmem(text, length, "\"re\":\"", 6) ||
         memmem(text, length, "\"op\":\"error\"", 12);
}

/* How many frames are answers; the handshake comes first. */
static int count_answers(void) {
  heard.data[heard.length] = '\0';
  const char *at = strstr(heard.data, "\r\n\r\n");
  const char *end = heard.data + heard.length;
  int count = 0;
  for (at = at ? at + 4 : end; at < end;) {
    const unsigned char *u = (const unsigned char *)at;
    size_t n = u[1], head = 2;
    if (n == 126) {
      n = (size_t)(u[2] << 8 | u[3]);
      head = 4;
    } else if (n == 127) {
      n = (size_t)u[6] << 24 | (size_t)u[7] << 16 | (size_t)u[8] << 8 | u[9];
      head = 10;
    }
    if (head + n > (size_t)(end - at))
      abort();
    count += is_answer(at + head, n);
    at += head + n;
  }
  return count;
}

static void feed_bytes(struct conn *c, const char *data, size_t size) {
  const size_t half = size / 2; /* in two parts, as networks do */
  const size_t part[2] = {half, size - half};
  for (int i = 0; i < 2; i++) {
    if (part[i] > 0 && !c->closing) {
      if (c->ws)
        ws_feed(c, data, part[i]);
      else
        http_feed(c, data, part[i]);
    }
    data += part[i];
  }
}

/* Returns how many there were. */
static int feed_lines(struct conn *c, int fd, const char *data, size_t size) {
  const char *end = data + size;
  int count = 0;
  while (data < end && !c->closing) {
    const char *stop = memchr(data, '\n', (size_t)(end - data));
    if (!stop)
      stop = end;
    char line[4097];
    const size_t n = (size_t)(stop - data);
    if (n < sizeof line) {
      memcpy(line, data, n);
      line[n] = '\0';
      for (char *t; (t = strstr(line, "TTTTTTTTTTTTTTTT"));)
        memcpy(t, table->room->id, ROOM_ID);
      messages_answer(c, line, n, false);
      count++;
      drain(fd);
    }
    data = stop + 1;
  }
  return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int pair[2];
  if (size < 1 || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
    return 0;
  fcntl(pair[1], F_SETFL, O_NONBLOCK);
  tidy_rooms();
  struct conn *c = conn_adopt(house, pair[0]);
  const char *rest = (const char *)data + 1;
  int asked = -1;
  heard.length = 0;
  if (!c)
    abort();
  switch (data[0] % 3) {
  case 0: feed_bytes(c, rest, size - 1); break;
  case 1:
    shake_hands(c);
    feed_bytes(c, rest, size - 1);
    break;
  default: shake_hands(c); asked = feed_lines(c, pair[1], rest, size - 1);
  }
  do {
    settle();
    drain(pair[1]);
  } while (!c->closed && c->tcp.write_queue_size > 0);
  if (asked >= 0 && !c->closing && count_answers() != asked)
    abort();
  conn_drop(c);
  close(pair[1]);
  settle();
  return 0;
}
