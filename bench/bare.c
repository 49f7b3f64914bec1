/* The limit for the server's bench: a bare loop that reads the same messages as
 * salotto serve, appends them to a file, syncs once for all that came together,
 * and sends as many bytes to both people of a pair. No game, no rooms, nothing
 * is checked; so nothing that keeps its word about moves can be faster by much.
 *
 *   bare PORT FILE BYTES
 *
 * BYTES are what a move sends to both people together; bench/load says how many
 * they were. It speaks as salotto does, as far as bench/load listens. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CONNS = 1 << 14, BUFFER = 1 << 13, LOG = 1 << 22, TABLES = 1 << 16 };

struct conn {
  int fd;
  bool open; /* the WebSocket is */
  size_t length;
  char in[BUFFER];
};

struct table {
  struct conn *seat[2];
  long seq;
};

static struct table tables[TABLES];
static long table_count;
static char text_log[LOG];
static size_t log_length;
static int log_fd, view_bytes;
static struct table *moved[CONNS];
static size_t moved_count;

static void fail(const char *what) {
  fprintf(stderr, "bare: %s: %s\n", what, strerror(errno));
  exit(1);
}

static void say(struct conn *c, const char *data, size_t n) {
  if (c->fd >= 0 && send(c->fd, data, n, MSG_NOSIGNAL) != (ssize_t)n &&
      errno != EPIPE && errno != ECONNRESET)
    fail("send");
}

/* A text frame of at least that many bytes; blanks fill it. */
static void message(struct conn *c, const char *text, int least) {
  static char out[1 << 16];
  int n = (int)strlen(text);
  if (n < least - 4)
    n = least - 4;
  const int head = n < 126 ? 2 : 4;
  out[0] = (char)0x81;
  out[1] = (char)(n < 126 ? n : 126);
  if (head == 4) {
    out[2] = (char)(n >> 8);
    out[3] = (char)n;
  }
  snprintf(out + head, sizeof out - 4, "%-*s", n, text);
  say(c, out, (size_t)(head + n));
}

static void tell(struct table *t) {
  char text[200];
  for (int i = 0; i < 2; i++) {
    snprintf(
        text, sizeof text,
        "{\"op\":\"moved\",\"table\":\"%016lx\",\"seq\":%ld,\"legal\":[%s]}",
        (long)(t - tables), t->seq, t->seq % 2 == i ? "\"take RL\"" : "");
    message(t->seat[i], text, view_bytes);
  }
}

static struct table *table_in(const char *text) {
  const char *id = strstr(text, "\"table\":\"");
  return &tables[id ? strtoul(id + 9, NULL, 16) % TABLES : 0];
}

static void heard(struct conn *c, const char *text, size_t length) {
  char out[100];
  if (strncmp(text, "{\"op\":\"act\"", 11) == 0) {
    struct table *t = table_in(text);
    if (log_length + length + 1 > LOG)
      fail("a long round");
    memcpy(text_log + log_length, text, length);
    text_log[log_length + length] = '\n';
    log_length += length + 1;
    t->seq++;
    moved[moved_count++] = t;
  } else if (strncmp(text, "{\"op\":\"create\"", 14) == 0) {
    snprintf(out, sizeof out,
             "{\"op\":\"table\",\"re\":\"create\",\"table\":\"%016lx\"}",
             table_count++ % TABLES);
    message(c, out, 0);
  } else if (strncmp(text, "{\"op\":\"sit\"", 11) == 0) {
    struct table *t = table_in(text);
    t->seat[strstr(text, "\"seat\":1") != NULL] = c;
    if (t->seat[0] && t->seat[1])
      tell(t);
  }
}

/* One whole thing at the front of the buffer; its length, or 0. */
static size_t take_frame(struct conn *c) {
  const unsigned char *u = (const unsigned char *)c->in;
  if (c->length < 8)
    return 0;
  size_t n = u[1] & 127, head = 6;
  if (n == 126) {
    n = (size_t)(u[2] << 8 | u[3]);
    head = 8;
  }
  if (c->length < head + n)
    return 0;
  for (size_t i = 0; i < n; i++)
    c->in[head + i] = (char)(c->in[head + i] ^ c->in[head - 4 + i % 4]);
  const char after = c->in[head + n];
  c->in[head + n] = '\0';
  heard(c, c->in + head, n);
  c->in[head + n] = after;
  return head + n;
}

static size_t take_request(struct conn *c) {
  static const char guest[] = "HTTP/1.1 200 OK\r\nSet-Cookie: salotto=x;\r\n"
                              "Content-Length: 2\r\n\r\n{}";
  static const char shaken[] = "HTTP/1.1 101 Switching Protocols\r\n\r\n";
  c->in[c->length] = '\0';
  const char *end = strstr(c->in, "\r\n\r\n");
  if (!end)
    return 0;
  const size_t n = (size_t)(end + 4 - c->in);
  if (strncmp(c->in, "POST", 4) == 0) {
    if (c->length < n + 15)
      return 0;
    say(c, guest, sizeof guest - 1);
    return n + 15;
  }
  say(c, shaken, sizeof shaken - 1);
  c->open = true;
  message(c, "{\"op\":\"hello\"}", 0);
  return n;
}

static void receive(struct conn *c) {
  const ssize_t got = recv(c->fd, c->in + c->length, BUFFER - 1 - c->length, 0);
  if (got <= 0) {
    close(c->fd);
    c->fd = -1;
    return; /* its memory may still be named by a table */
  }
  c->length += (size_t)got;
  for (size_t used = 1; used > 0;) {
    used = c->open ? take_frame(c) : take_request(c);
    c->length -= used;
    memmove(c->in, c->in + used, c->length);
  }
}

/* All that came in one round is durable before anybody hears of it. */
static void end_round(void) {
  if (log_length == 0)
    return;
  if (write(log_fd, text_log, log_length) != (ssize_t)log_length ||
      fdatasync(log_fd) != 0)
    fail("the log");
  log_length = 0;
  for (size_t i = 0; i < moved_count; i++)
    tell(moved[i]);
  moved_count = 0;
}

int main(int argc, char **argv) {
  static struct epoll_event events[4096];
  const int listener = socket(AF_INET, SOCK_STREAM, 0), one = 1;
  const int poller = epoll_create1(0);
  struct epoll_event e = {.events = EPOLLIN};
  if (argc != 4)
    return 2;
  struct sockaddr_in at = {.sin_family = AF_INET,
                           .sin_port = htons((uint16_t)atoi(argv[1])),
                           .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  log_fd = open(argv[2], O_WRONLY | O_CREAT | O_APPEND, 0600);
  view_bytes = atoi(argv[3]) / 2;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (log_fd < 0 || bind(listener, (struct sockaddr *)&at, sizeof at) != 0 ||
      listen(listener, 512) != 0)
    fail("listen");
  epoll_ctl(poller, EPOLL_CTL_ADD, listener, &e);
  puts("Listening");
  fflush(stdout);
  for (;;) {
    const int n = epoll_wait(poller, events, 4096, -1);
    for (int i = 0; i < n; i++) {
      if (events[i].data.ptr) {
        receive(events[i].data.ptr);
        continue;
      }
      struct conn *c = calloc(1, sizeof *c);
      if (!c || (c->fd = accept(listener, NULL, NULL)) < 0)
        fail("accept");
      setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
      struct epoll_event more = {.events = EPOLLIN, .data.ptr = c};
      epoll_ctl(poller, EPOLL_CTL_ADD, c->fd, &more);
    }
    end_round();
  }
}
