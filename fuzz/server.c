/* Fuzzing the server's input, with a whole server behind it: a store of its own,
 * one person, one table. The first byte says what the rest is: bytes on a fresh
 * connection, bytes on a WebSocket, or messages, one a line, in which sixteen
 * T's stand for the id of the table.
 *
 * Main invariant: every message gets exactly one answer. */
#define _GNU_SOURCE
#include "base/crew.h"
#include "people/accounts.h"
#include "net/addresses.h"
#include "net/conn.h"
#include "net/http.h"
#include "people/moderation.h"
#include "net/messages.h"
#include "net/pages.h"
#include "people/limits.h"
#include "people/people.h"
#include "net/ws.h"
#include "server.h"

#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct server *server;
static struct person *person;
static char cookie[TOKEN_MAX + 1];
static struct active_room *table;

static void run_until_idle(void) {
  do
    conn_flush(server), uv_run(&server->loop, UV_RUN_NOWAIT);
  while (store_waiting(server->store) > 0 || server->work_open > 0 ||
         crew_open(server->thinkers) > 0 || crew_open(server->hashers) > 0);
}

static void note_guest(struct server *srv, uint64_t conn, struct person *p,
                       const char *token, int error) {
  (void)srv, (void)conn, (void)error;
  person = p;
  strcpy(cookie, token);
}

static void note_table(struct active_room *active, void *context) {
  (void)context;
  table = active;
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
  rooms_create(server->rooms, &head, &(struct crew_payer){0}, &i);
  run_until_idle();
  rooms_each(server->rooms, note_table, NULL);
}

/* In memory where there is such a folder; it goes when the program ends. */
static char folder[40];

static void remove_store(void) {
  static const char *const ends[] = {"/store", "/store-wal", "/store-shm"};
  char path[64];
  for (int i = 0; i < 3; i++) {
    snprintf(path, sizeof path, "%s%s", folder, ends[i]);
    unlink(path);
  }
  rmdir(folder);
}

static const char *store_path(void) {
  static char path[64];
  strcpy(folder, access("/dev/shm", W_OK) == 0 ? "/dev/shm/salotto-fuzz-XXXXXX"
                                               : "/tmp/salotto-fuzz-XXXXXX");
  if (!mkdtemp(folder) || atexit(remove_store) != 0)
    abort();
  snprintf(path, sizeof path, "%s/store", folder);
  return path;
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  struct sal_refusal why;
  (void)argc, (void)argv;
  if (sodium_init() < 0)
    abort();
  server_log_off();
  server = calloc(1, sizeof *server);
  uv_loop_init(&server->loop);
  server->options = server_defaults;
  server->options.bot_seconds = 0;
  server->slot_count = 16;
  server->slots = calloc(16, sizeof *server->slots);
  strcpy(server->origin, "http://a");
  server->people = people_new(server);
  server->limits = limits_new(server);
  server->accounts = accounts_new(server);
  server->addresses = addresses_new(server);
  server->rooms = rooms_new(server);
  server->pages = pages_new(&server->options);
  server->moderation = moderation_new(server);
  server->thinkers = crew_new(&server->loop, 1, false, 0);
  server->hashers = crew_new(&server->loop, 1, false, 0);
  server->store = store_open(store_path(), &why);
  if (!server->store || !server->thinkers || !server->hashers ||
      store_start(server->store, &server->loop) != 0)
    abort();
  people_guest(server->people, "Anna", NULL, 0, note_guest);
  run_until_idle();
  return 0;
}

/* Every input finds the same server: one table, just opened. */
static void tidy_rooms(void) {
  rooms_free(server->rooms);
  server->rooms = rooms_new(server);
  limits_forget(server->limits);
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
  conn_flush(server);
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
      requests_answer(c, line, n, false);
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
  struct conn *c = conn_adopt(server, pair[0]);
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
    run_until_idle();
    drain(pair[1]);
  } while (!c->closed && c->tcp.write_queue_size > 0);
  if (asked >= 0 && !c->closing && count_answers() != asked)
    abort();
  conn_drop(c);
  close(pair[1]);
  run_until_idle();
  return 0;
}
