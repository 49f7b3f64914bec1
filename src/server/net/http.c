/* HTTP on a connection, parsed by llhttp. See http.h.
 *
 * What llhttp leaves to us: caps on everything, header tricks that it lets
 * through (a blank before the colon, folded lines, bodies in chunks), headers
 * that may stand only once, and the pace of it all.
 *
 * Main invariant: between a complete request and its answer nothing is parsed;
 * bytes that come in between are thrown away and the connection is closed after
 * the answer. So no client can have two requests waiting. */
#include "http.h"
#include "preview.h"
#include "routes.h"

#include <llhttp.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
  HEAD_MAX = HTTP_HEAD_MAX, /* all of URL and headers */
  HEADERS_MAX = 64,
  BODY_MAX = 4096,
  LARGE_MAX = 32768, /* of a court file */
  LARGE_AT_ONCE = 16,
  REQUESTS_MAX = 1000, /* on one connection */
  FREE_MAX = 256,
  IDLE_MS = 30000 /* between two of them */
};

struct header {
  uint16_t name, value; /* where they stand in `head` */
};

struct http {
  llhttp_t parser;
  struct conn *conn;
  bool begun;   /* the first byte of a request has come */
  bool waiting; /* for the answer */
  bool upgrade; /* the client wants another protocol */
  bool in_value, last;
  int requests;
  const char *problem; /* why it is refused */
  int status;          /* and how */
  size_t length, count, body_length;
  const char *chunk; /* what is being fed */
  char before;       /* the byte before it */
  struct header header[HEADERS_MAX];
  char head[HEAD_MAX];
  char *large; /* instead of `body`, or NULL */
  char body[BODY_MAX];
};

/* ---- Parsing -------------------------------------------------------------- */

static int refuse_raw(struct http *h, int status, const char *problem) {
  if (!h->problem) {
    h->problem = problem;
    h->status = status;
  }
  return -1;
}

static int keep_bytes(struct http *h, const char *at, size_t n) {
  if (n >= HEAD_MAX - 1 - h->length)
    return refuse_raw(h, 431, "the head of the request is too long");
  memcpy(h->head + h->length, at, n);
  h->length += n;
  h->head[h->length] = '\0';
  return 0;
}

static int on_url(llhttp_t *p, const char *at, size_t n) {
  return keep_bytes(p->data, at, n);
}

static int on_field(llhttp_t *p, const char *at, size_t n) {
  struct http *h = p->data;
  if (h->in_value || h->count == 0) {
    if (h->count == HEADERS_MAX)
      return refuse_raw(h, 431, "too many headers");
    if (h->length + 1 >= HEAD_MAX)
      return refuse_raw(h, 431, "the head of the request is too long");
    h->length++; /* past the zero of what stands before */
    h->header[h->count++] = (struct header){(uint16_t)h->length, 0};
    h->in_value = false;
  }
  if (memchr(at, ' ', n))
    return refuse_raw(h, 400, "a blank in the name of a header");
  return keep_bytes(h, at, n);
}

/* An empty value begins too, or the next name would be added to this one. */
static int begin_value(struct http *h) {
  if (h->in_value)
    return 0;
  if (h->length + 1 >= HEAD_MAX)
    return refuse_raw(h, 431, "the head of the request is too long");
  h->head[++h->length] = '\0';
  h->header[h->count - 1].value = (uint16_t)h->length;
  h->in_value = true;
  return 0;
}

static int on_value(llhttp_t *p, const char *at, size_t n) {
  struct http *h = p->data;
  if (n > 0 && (at > h->chunk ? at[-1] : h->before) == '\n')
    return refuse_raw(h, 400, "a header over several lines");
  return begin_value(h) != 0 ? -1 : keep_bytes(h, at, n);
}

static int on_value_end(llhttp_t *p) { return begin_value(p->data); }

static const char *once_only[] = {"host",
                                  "content-length",
                                  "origin",
                                  "cookie",
                                  "upgrade",
                                  "connection",
                                  "sec-websocket-key",
                                  "sec-websocket-version"};

static size_t times(const struct http *h, const char *name) {
  size_t n = 0;
  for (size_t i = 0; i < h->count; i++)
    n += strcasecmp(h->head + h->header[i].name, name) == 0;
  return n;
}

/* Room for a body that is longer than all others may be: for a court file, and
 * for a few at once. */
static bool take_large(struct http *h, uint64_t length) {
  struct server *srv = h->conn->server;
  if (length > LARGE_MAX || srv->large_bodies >= LARGE_AT_ONCE ||
      !http_is(h, "POST", "/api/court") || !(h->large = malloc(LARGE_MAX)))
    return false;
  srv->large_bodies++;
  return true;
}

static void drop_large(struct http *h) {
  if (h->large)
    h->conn->server->large_bodies--;
  free(h->large);
  h->large = NULL;
}

static int on_headers(llhttp_t *p) {
  struct http *h = p->data;
  for (size_t i = 0; i < sizeof once_only / sizeof *once_only; i++)
    if (times(h, once_only[i]) > 1)
      return refuse_raw(h, 400, "a header stands twice");
  if (p->http_major != 1 || (p->http_minor != 1 && p->http_minor != 0))
    return refuse_raw(h, 505, "this is not HTTP/1.1");
  if (p->http_minor == 1 && times(h, "host") != 1)
    return refuse_raw(h, 400, "there is no Host");
  if (http_header(h, "transfer-encoding"))
    return refuse_raw(h, 411, "the length of the body is not told");
  if (p->content_length > BODY_MAX && !take_large(h, p->content_length))
    return refuse_raw(h, 413, "the body is too long");
  h->upgrade = p->upgrade;
  return 0;
}

static int on_body(llhttp_t *p, const char *at, size_t n) {
  struct http *h = p->data;
  if (n > (h->large ? LARGE_MAX : BODY_MAX) - h->body_length)
    return refuse_raw(h, 413, "the body is too long");
  memcpy((h->large ? h->large : h->body) + h->body_length, at, n);
  h->body_length += n;
  return 0;
}

static int on_complete(llhttp_t *p) {
  struct http *h = p->data;
  h->waiting = true;
  h->last = !llhttp_should_keep_alive(p) || h->upgrade ||
            ++h->requests >= REQUESTS_MAX;
  return HPE_PAUSED;
}

static const llhttp_settings_t settings = {
    .on_url = on_url,
    .on_header_field = on_field,
    .on_header_value = on_value,
    .on_header_value_complete = on_value_end,
    .on_headers_complete = on_headers,
    .on_body = on_body,
    .on_message_complete = on_complete,
};

/* Ready for the next request. */
static void rewind_http(struct http *h) {
  llhttp_init(&h->parser, HTTP_REQUEST, &settings);
  h->parser.data = h;
  h->begun = h->waiting = h->upgrade = h->in_value = false;
  h->problem = NULL;
  h->length = h->count = h->body_length = 0;
  h->head[0] = '\0';
  sodium_memzero(h->body, sizeof h->body); /* it may have held a password */
  drop_large(h);
  h->before = '\0';
  h->conn->deadline = server_now(h->conn->server) + IDLE_MS;
}

/* These are large and live shortly. Those that are done with are kept for the
 * next: else what lives long would settle in the gaps they leave, and the memory
 * would grow with every connection. */
struct http *http_new(struct conn *c) {
  struct server *server = c->server;
  struct http *h = free_list_take(&server->free_http, sizeof *h);
  if (!h)
    return NULL;
  h->conn = c;
  h->large = NULL;
  h->last = false;
  h->requests = 0;
  h->status = 0;
  rewind_http(h);
  c->deadline = server_now(server) + (uint64_t)(server->options.timeout * 1000);
  return h;
}

void http_free(struct http *h) {
  if (!h)
    return;
  struct server *server = h->conn->server;
  sodium_memzero(h->head, sizeof h->head); /* it may have held a token */
  sodium_memzero(h->body, sizeof h->body);
  drop_large(h);
  free_list_put(&server->free_http, h, FREE_MAX);
}

/* The time for a whole request runs from its first byte, so that a client that
 * trickles gains nothing; for the first request, from the connection. */
static void start_clock(struct http *h) {
  struct conn *c = h->conn;
  if (!h->begun && h->requests > 0)
    c->deadline =
        server_now(c->server) + (uint64_t)(c->server->options.timeout * 1000);
  h->begun = true;
}

void http_feed(struct conn *c, const char *data, size_t length) {
  struct http *h = c->http;
  if (h->waiting) {
    h->last = true;
    return;
  }
  start_clock(h);
  h->chunk = data;
  const llhttp_errno_t error = llhttp_execute(&h->parser, data, length);
  h->before = data[length - 1];
  if (h->waiting && !h->problem) {
    const char *end = llhttp_get_error_pos(&h->parser);
    if (error != HPE_PAUSED_UPGRADE && end && end < data + length)
      h->last = true; /* more than one request at once */
    if (h->upgrade && end && end < data + length)
      refuse_raw(h, 400, "bytes before the handshake is answered");
  }
  if (error == HPE_OK)
    return;
  if (h->problem || !h->waiting) {
    conn_blame(c, h->problem ? h->problem : "this is not HTTP");
    h->waiting = h->last = true;
    http_refuse(c, h->problem ? h->status : 400, SAL_BAD_REQUEST,
                h->problem ? h->problem : "this is not HTTP");
    return;
  }
  c->server->counters.requests++;
  c->deadline =
      server_now(c->server) + (uint64_t)(c->server->options.timeout * 1000);
  routes_answer(c);
}

/* ---- Looking at a request ------------------------------------------------- */

bool http_is(const struct http *h, const char *method, const char *path) {
  const size_t n = strlen(path);
  const char *name = llhttp_method_name((llhttp_method_t)h->parser.method);
  return (!method || strcmp(name, method) == 0) &&
         strncmp(h->head, path, n) == 0 &&
         (h->head[n] == '\0' || h->head[n] == '?');
}

bool http_upgrades(const struct http *h) { return h->upgrade; }

const char *http_url(const struct http *h) { return h->head; }

bool http_reads(const struct http *h) {
  return h->parser.method == HTTP_GET || h->parser.method == HTTP_HEAD;
}

const char *http_header(const struct http *h, const char *name) {
  for (size_t i = 0; i < h->count; i++)
    if (strcasecmp(h->head + h->header[i].name, name) == 0)
      return h->head + h->header[i].value;
  return NULL;
}

void http_header_lines(const struct http *h, const char *name, char *out,
                       size_t size) {
  struct sal_text t;
  sal_text_init(&t, out, size);
  for (size_t i = 0; i < h->count; i++)
    if (strcasecmp(h->head + h->header[i].name, name) == 0) {
      if (t.len > 0)
        sal_text_add(&t, ",");
      sal_text_add(&t, h->head + h->header[i].value);
    }
  if (t.lost > 0)
    sal_text_clear(&t);
}

const char *http_body(const struct http *h, size_t *length) {
  *length = h->body_length;
  return h->large ? h->large : h->body;
}

bool http_lists(const struct http *h, const char *name, const char *word) {
  const char *s = http_header(h, name);
  const size_t n = strlen(word);
  while (s && *s) {
    s += strspn(s, ", \t");
    const size_t len = strcspn(s, ", \t");
    if (len == n && strncasecmp(s, word, n) == 0)
      return true;
    s += len;
  }
  return false;
}

bool http_cookie(const struct http *h, const char *name, char *out,
                 size_t size) {
  const char *s = http_header(h, "cookie");
  const size_t n = strlen(name);
  while (s && *s) {
    s += strspn(s, "; ");
    const size_t len = strcspn(s, ";");
    if (len > n && strncmp(s, name, n) == 0 && s[n] == '=') {
      if (len - n - 1 >= size)
        return false;
      memcpy(out, s + n + 1, len - n - 1);
      out[len - n - 1] = '\0';
      return true;
    }
    s += len;
  }
  return false;
}

bool http_same_origin(const struct conn *c, bool required) {
  const char *origin = http_header(c->http, "origin");
  return origin ? strcmp(origin, c->server->origin) == 0 : !required;
}

/* ---- Answering ------------------------------------------------------------ */

void http_send(struct conn *c, int status, const char *lines, const char *body,
               size_t length) {
  struct http *h = c->http;
  char head[2048], size[48] = "";
  if (status != 304) /* whose length would be that of what is not sent */
    snprintf(size, sizeof size, "Content-Length: %zu\r\n", length);
  const int n =
      snprintf(head, sizeof head,
               "HTTP/1.1 %d %s\r\n%sX-Content-Type-Options: nosniff\r\n"
               "%s%s\r\n",
               status, llhttp_status_name((llhttp_status_t)status), size,
               h->last ? "Connection: close\r\n" : "", lines);
  if (n < 0 || (size_t)n >= sizeof head) {
    conn_drop(c);
    return;
  }
  conn_write(c, head, (size_t)n);
  if (h->parser.method != HTTP_HEAD)
    conn_write(c, body, length);
  if (h->last)
    conn_finish(c);
  else
    rewind_http(h);
}

void http_respond(struct conn *c, int status, const char *type,
                  const char *more, const char *body, size_t length) {
  char lines[1024];
  const int n = snprintf(lines, sizeof lines,
                         "Content-Type: %s\r\nCache-Control: no-store\r\n"
                         "Content-Security-Policy: default-src 'none'\r\n%s",
                         type, more);
  if (n < 0 || (size_t)n >= sizeof lines)
    conn_drop(c);
  else
    http_send(c, status, lines, body, length);
}

void http_refuse(struct conn *c, int status, int code, const char *message) {
  char body[512];
  struct sal_text t;
  struct sal_json j;
  sal_text_init(&t, body, sizeof body);
  sal_json_init(&j, &t);
  sal_json_object(&j, NULL);
  sal_json_bool(&j, "ok", false);
  sal_json_object(&j, "error");
  sal_json_string(&j, "code", sal_error_name(code));
  /* In the language that whoever asks reads, as far as there is one. */
  message = sal_catalogue_text(&preview_language(c)->catalogue,
                               message ? message : sal_error_text(code));
  sal_json_string(&j, "message", message);
  sal_json_end(&j, '}');
  sal_json_end(&j, '}');
  http_respond(c, status, "application/json",
               status == 429 || status == 503 ? "Retry-After: 2\r\n" : "", body,
               t.len);
}

bool http_is_overdue(struct conn *c) {
  struct http *h = c->http;
  if (!h || !h->waiting)
    return false;
  h->last = true;
  http_refuse(c, 503, SAL_BUSY, NULL);
  return true;
}
