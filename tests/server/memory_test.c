/* A server that now and then gets no memory: whichever allocation fails, the
 * server lives, every guest is answered or sent away, and nothing is lost. And
 * one whose clock stands still.
 *
 * The server runs in a thread of this program, whose malloc, calloc, realloc and
 * uv_now are wrapped at link time. The guest is the main thread, over a real socket. */
#define _GNU_SOURCE
#include "server.h"

#include "../short_memory.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#include <cmocka.h>

enum { HEARD = 1 << 22, CAP_SECONDS = 600 };

/* ---- Time that stands still --------------------------------------------------- */

static atomic_bool time_stands;
static atomic_long looks;      /* at the clock */
static atomic_ullong last_now; /* even */

uint64_t __real_uv_now(const uv_loop_t *loop);
uint64_t __wrap_uv_now(const uv_loop_t *loop);

uint64_t __wrap_uv_now(const uv_loop_t *loop) {
  atomic_fetch_add(&looks, 1);
  if (!atomic_load(&time_stands))
    atomic_store(&last_now, __real_uv_now(loop) & ~1ull);
  return atomic_load(&last_now);
}

/* ---- The server -------------------------------------------------------------- */

static struct {
  char folder[40];
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int port; /* 0: not open; -1: it could not open */
  int result;
} host;

static void tell_port(int port) {
  pthread_mutex_lock(&host.lock);
  host.port = port;
  pthread_cond_signal(&host.changed);
  pthread_mutex_unlock(&host.lock);
}

static void is_ready(const char *url) {
  tell_port(atoi(strrchr(url, ':') + 1));
}

static void *run_server(void *unused) {
  struct sal_refusal why = {0};
  struct server_options o = server_defaults;
  (void)unused;
  o.port = 0;
  o.data = host.folder;
  o.pace = 100000;
  o.per_address = 1000;
  o.bot_seconds = 0;
  o.bot_threads = 1;
  o.trusted_hops = 1; /* so that each visit comes from elsewhere */
  o.timeout = o.ping = CAP_SECONDS;
  o.ready = is_ready;
  server_log_level("error", &o.log_level);
  host.result = server_run(&o, &why);
  assert_true(host.result == 0 || *why.message);
  tell_port(-1);
  return NULL;
}

/* Whether it has opened. */
static bool open_server(void) {
  host.port = 0;
  pthread_create(&host.thread, NULL, run_server, NULL);
  pthread_mutex_lock(&host.lock);
  while (host.port == 0)
    pthread_cond_wait(&host.changed, &host.lock);
  const int port = host.port;
  pthread_mutex_unlock(&host.lock);
  if (port > 0)
    return true;
  pthread_join(host.thread, NULL);
  return false;
}

static int close_server(void) {
  kill(getpid(), SIGTERM);
  pthread_join(host.thread, NULL);
  return host.result;
}

/* ---- A guest ----------------------------------------------------------------- */

static struct {
  int fd;
  char data[HEARD];
  size_t length, seen;
  char cookie[128], table[32];
  int visits;
} guest;

static bool dial(void) {
  const struct timeval cap = {.tv_sec = CAP_SECONDS};
  const struct sockaddr_in to = {.sin_family = AF_INET,
                                 .sin_port = htons((uint16_t)host.port),
                                 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  guest.length = guest.seen = 0;
  guest.data[0] = '\0';
  guest.fd = socket(AF_INET, SOCK_STREAM, 0);
  assert_true(guest.fd >= 0);
  setsockopt(guest.fd, SOL_SOCKET, SO_RCVTIMEO, &cap, sizeof cap);
  return connect(guest.fd, (const struct sockaddr *)&to, sizeof to) == 0;
}

static void say(const char *data, size_t length) {
  while (length > 0) {
    const ssize_t n = send(guest.fd, data, length, MSG_NOSIGNAL);
    if (n <= 0)
      return; /* it was sent away, which the next read says */
    data += n;
    length -= (size_t)n;
  }
}

/* False: the server has closed. It must not be silent for ever. */
static bool hear_more(void) {
  assert_true(guest.length < HEARD - 1);
  const ssize_t n =
      recv(guest.fd, guest.data + guest.length, HEARD - 1 - guest.length, 0);
  if (n < 0 && errno != ECONNRESET)
    fail_msg("no answer, and the connection stays: %s",
             guest.data + guest.seen);
  guest.length += n > 0 ? (size_t)n : 0;
  guest.data[guest.length] = '\0';
  return n > 0;
}

/* What comes back for a request, until the server closes. */
static const char *ask(const char *method, const char *path, const char *body) {
  char request[4096];
  const int n = snprintf(
      request, sizeof request,
      "%s %s HTTP/1.1\r\nHost: a\r\nConnection: close\r\nCookie: %s\r\n"
      "X-Forwarded-For: 10.1.%d.%d\r\nContent-Length: %zu\r\n\r\n%s",
      method, path, guest.cookie, guest.visits >> 8, guest.visits & 255,
      strlen(body), body);
  if (dial()) {
    say(request, (size_t)n);
    while (hear_more())
      ;
  }
  close(guest.fd);
  return guest.data;
}

static bool note_cookie(const char *answer) {
  const char *c = strstr(answer, "Set-Cookie: ");
  if (c)
    snprintf(guest.cookie, sizeof guest.cookie, "%.*s",
             (int)strcspn(c + 12, ";"), c + 12);
  return c != NULL;
}

/* A frame with a mask of zeros. */
static void say_frame(int opcode, const char *text) {
  char frame[2048] = {(char)(0x80 | opcode)};
  const size_t n = strlen(text);
  assert_true(n < sizeof frame - 8);
  size_t at = 2;
  if (n < 126) {
    frame[1] = (char)(0x80 | n);
  } else {
    frame[1] = (char)(0x80 | 126);
    frame[2] = (char)(n >> 8);
    frame[3] = (char)n;
    at = 4;
  }
  memcpy(frame + at + 4, text, n);
  say(frame, at + 4 + n);
}

/* Waits for the answer to the message of that number; false: sent away. The
 * bytes of frames are looked through as they are. */
static bool hear_answer(int id) {
  char tag[32];
  snprintf(tag, sizeof tag, "\"id\":%d", id);
  for (;;) {
    const char *from = guest.data + guest.seen;
    const char *found =
        memmem(from, guest.length - guest.seen, tag, strlen(tag));
    if (found && !isdigit((unsigned char)found[strlen(tag)])) {
      guest.seen = (size_t)(found - guest.data);
      return true;
    }
    if (!hear_more())
      return false;
  }
}

/* One message; T stands for the table. */
static bool message(const char *text) {
  static int id;
  char line[1024], whole[1100];
  size_t n = 0;
  for (const char *s = text; *s; s++)
    n += (size_t)snprintf(line + n, sizeof line - n, "%.*s", *s == '@' ? 99 : 1,
                          *s == '@' ? guest.table : s);
  snprintf(whole, sizeof whole, "{\"id\":%d,%s}", ++id, line);
  say_frame(1, whole);
  return hear_answer(id);
}

static bool open_websocket(void) {
  char request[512];
  const int n = snprintf(request, sizeof request,
                         "GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n"
                         "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                         "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                         "Origin: http://127.0.0.1:%d\r\nCookie: %s\r\n\r\n",
                         host.port, guest.cookie);
  if (!dial())
    return false;
  say(request, (size_t)n);
  while (!strstr(guest.data, "\r\n\r\n"))
    if (!hear_more())
      return false;
  return strncmp(guest.data, "HTTP/1.1 101", 12) == 0;
}

/* The last place of a text in what was heard, in which there may be NULs; NULL:
 * there is none. */
static const char *heard(const char *text) {
  const char *at = guest.data, *end = guest.data + guest.length, *found = NULL;
  while ((at = memmem(at, (size_t)(end - at), text, strlen(text))))
    found = at++;
  return found;
}

static void note_table(void) {
  const char *t = heard("\"table\":\"");
  if (t)
    snprintf(guest.table, sizeof guest.table, "%.*s", (int)strcspn(t + 9, "\""),
             t + 9);
}

/* The first thing that one may do, if the table has asked. */
static bool act(void) {
  char line[200];
  const char *legal = heard("\"legal\":[\""), *seq = legal;
  while (seq && seq > guest.data && strncmp(seq, "\"seq\":", 6) != 0)
    seq--;
  if (!legal)
    return true;
  snprintf(line, sizeof line,
           "\"op\":\"act\",\"table\":\"@\",\"seq\":%d,\"action\":\"%.*s\"",
           atoi(seq + 6), (int)strcspn(legal + 10, "\""), legal + 10);
  return message(line);
}

/* A game against a bot, and all that can be asked at a table. Whether everything
 * was answered. */
static bool visit_table(void) {
  static const char *const messages[] = {
      "\"op\":\"join\",\"table\":\"@\",\"lang\":\"it\"",
      "\"op\":\"sit\",\"table\":\"@\",\"seat\":0",
      "\"op\":\"chat\",\"table\":\"@\",\"text\":\"Buonasera\"",
      "\"op\":\"hint\",\"table\":\"@\"",
      "\"op\":\"why\",\"table\":\"@\",\"action\":\"end\"",
      "\"op\":\"undo\",\"table\":\"@\",\"seq\":3",
      "\"op\":\"lobby\"",
      "\"op\":\"mine\"",
      "\"op\":\"record\",\"table\":\"@\"",
      "\"op\":\"resign\",\"table\":\"@\"",
      "\"op\":\"record\",\"table\":\"@\"",
      "\"op\":\"rematch\",\"table\":\"@\""};
  guest.table[0] = '\0';
  bool answered =
      open_websocket() &&
      message("\"op\":\"create\",\"game\":\"doors\",\"players\":2,\"seats\":"
              "[\"open\",\"novice\"],\"options\":{\"first\":0}");
  note_table();
  for (size_t i = 0; answered && i < sizeof messages / sizeof *messages; i++)
    answered = message(messages[i]) && (i % 3 || act());
  if (answered)
    say_frame(8, "");
  close(guest.fd);
  return answered;
}

static void visit_pages(void) {
  static const char *const paths[] = {"/api/me",
                                      "/api/lobby",
                                      "/api/mine",
                                      "/api/history",
                                      "/api/leaders?game=doors",
                                      "/api/profile?person=1",
                                      "/api/sessions",
                                      "/api/export",
                                      "/metrics",
                                      "/healthz",
                                      "/nothing"};
  char path[80];
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
    ask("GET", paths[i], "");
  snprintf(path, sizeof path, "/api/replay/%s?seat=0", guest.table);
  ask("GET", path, "");
  snprintf(path, sizeof path, "/api/record/%s", guest.table);
  ask("GET", path, "");
  snprintf(path, sizeof path, "/api/table/%s", guest.table);
  ask("GET", path, "");
}

/* A new guest, unless there is no memory for one. */
static bool comes_in(void) {
  return note_cookie(ask("POST", "/api/guest", "{\"name\":\"Anna\"}"));
}

static void whole_visit(void) {
  guest.visits++;
  if (!comes_in())
    return;
  visit_table();
  visit_pages();
}

/* ---- The tests --------------------------------------------------------------- */

/* A visit in which the n-th allocation fails, for one n after the other; then
 * one in which none does. */
static void every_visit_is_survived(void **state) {
  (void)state;
  assert_true(open_server());
  whole_visit();
  long n = 0;
  do {
    n += n < 60 ? 1 : 7;
    atomic_store(&until_failure, n);
    whole_visit();
  } while (atomic_exchange(&until_failure, 0) == 0); /* that many were used */
  assert_true(n > 60);
  assert_true(comes_in());
  assert_true(visit_table());
  assert_int_equal(close_server(), 0);
}

/* The same while it opens, with people, games and past games in its store: it
 * opens, or says that there is no memory; what is stored stays. */
static void every_start_is_survived(void **state) {
  (void)state;
  int opened = 0, refused = 0;
  for (long n = 1; opened < 3; n += n < 30 ? 1 : n / 5) {
    atomic_store(&until_failure, n);
    const bool is_open = open_server();
    const long left = atomic_exchange(&until_failure, 0);
    opened += is_open && left > 0; /* so many were not needed */
    refused += !is_open;
    if (is_open)
      assert_int_equal(close_server(), 0);
  }
  assert_true(refused > 5);
  assert_true(open_server());
  assert_non_null(strstr(ask("GET", "/api/me", ""), " 200 "));
  assert_int_equal(close_server(), 0);
}

/* Random parts are waited for as long as it was said: not less, however close
 * together the server asks for them and looks at the clock. */
static void parts_are_waited_for(void **state) {
  (void)state;
  assert_true(open_server());
  atomic_store(&time_stands, true);
  guest.visits++;
  assert_true(comes_in() && open_websocket());
  assert_true(message("\"op\":\"create\",\"game\":\"doors\",\"players\":2,"
                      "\"seats\":[\"open\",\"novice\"]"));
  note_table();
  assert_true(message(
      "\"op\":\"sit\",\"table\":\"@\",\"seat\":0,\"part_hash\":"
      "\"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\""));
  /* Nobody says anything: it looks when it sees to its rooms. */
  for (const long now = atomic_load(&looks); atomic_load(&looks) < now + 30;)
    usleep(1000);
  guest.length = guest.seen = 0; /* what was heard until now */
  assert_true(message("\"op\":\"join\",\"table\":\"@\""));
  assert_non_null(heard("\"revealing\":true"));
  atomic_store(&time_stands, false);
  say_frame(8, "");
  close(guest.fd);
  assert_int_equal(close_server(), 0);
}

static int make_folder(void **state) {
  (void)state;
  strcpy(host.folder, access("/dev/shm", W_OK) == 0
                          ? "/dev/shm/salotto-memory-XXXXXX"
                          : "/tmp/salotto-memory-XXXXXX");
  pthread_mutex_init(&host.lock, NULL);
  pthread_cond_init(&host.changed, NULL);
  return mkdtemp(host.folder) ? 0 : -1;
}

static int remove_folder(void **state) {
  static const char *const files[] = {"salotto.db", "salotto.db-wal",
                                      "salotto.db-shm"};
  char path[80];
  (void)state;
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    snprintf(path, sizeof path, "%s/%s", host.folder, files[i]);
    unlink(path);
  }
  return rmdir(host.folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_visit_is_survived),
      cmocka_unit_test(every_start_is_survived),
      cmocka_unit_test(parts_are_waited_for),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
