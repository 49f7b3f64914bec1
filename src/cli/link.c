/* A connection to a server: see the header. */
#include "link.h"

#include "salotto/buffer.h"
#include "server/net/sha1.h"

#include <curl/curl.h>
#include <errno.h>
#include <poll.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <wslay/wslay.h>

enum {
  CAP_SECONDS = 30,
  HEAD_MAX = 8192,
  ANSWER_MAX = 1 << 24,
  WAITING_MAX = 64
};

struct link {
  char *base, *cookies;
  CURL *web;    /* requests */
  CURL *stream; /* the WebSocket; NULL: closed */
  curl_socket_t socket;
  wslay_event_context_ptr frames;
  json_t *waiting; /* messages that have come, a list */
  uint8_t *early;  /* what came with the answer to the handshake */
  size_t early_length, early_taken;
  bool broken;
};

struct link *link_new(const char *base, const char *cookies) {
  struct link *l = calloc(1, sizeof *l);
  if (!l)
    return NULL;
  curl_global_init(CURL_GLOBAL_DEFAULT);
  l->base = strdup(base);
  l->cookies = strdup(cookies);
  l->web = curl_easy_init();
  l->waiting = json_array();
  if (l->base && l->cookies && l->web && l->waiting) {
    curl_easy_setopt(l->web, CURLOPT_COOKIEFILE, l->cookies);
    return l;
  }
  link_free(l);
  return NULL;
}

/* Cookies are sessions: for their owner alone. */
static void keep_cookies(struct link *l) {
  if (!l->web || !l->cookies || !*l->cookies)
    return;
  const mode_t mask = umask(0077);
  curl_easy_setopt(l->web, CURLOPT_COOKIEJAR, l->cookies);
  curl_easy_setopt(l->web, CURLOPT_COOKIELIST, "FLUSH");
  umask(mask);
}

static void close_stream(struct link *l) {
  if (l->frames)
    wslay_event_context_free(l->frames);
  if (l->stream)
    curl_easy_cleanup(l->stream);
  free(l->early);
  l->frames = NULL;
  l->stream = NULL;
  l->early = NULL;
  l->early_length = l->early_taken = 0;
}

void link_free(struct link *l) {
  if (!l)
    return;
  close_stream(l);
  keep_cookies(l);
  if (l->web)
    curl_easy_cleanup(l->web);
  json_decref(l->waiting);
  free(l->base);
  free(l->cookies);
  free(l);
}

/* Certificates of one's own, as other programs take them. */
static void trust(CURL *c) {
  const char *file = getenv("SSL_CERT_FILE");
  if (file && *file)
    curl_easy_setopt(c, CURLOPT_CAINFO, file);
}

/* ---- Requests ----------------------------------------------------------------- */

static size_t take_answer(char *bytes, size_t size, size_t count, void *to) {
  struct sal_buffer *answer = to;
  const size_t n = size * count;
  const bool fits = answer->len + n <= ANSWER_MAX;
  return fits && sal_buffer_add(answer, bytes, n) ? n : 0;
}

static void say_problem(struct sal_text *problem, const char *base,
                        const char *why) {
  char text[500];
  snprintf(text, sizeof text, _("%s cannot be reached: %s."), base, why);
  sal_text_add(problem, text);
}

/* Why curl gave up: in the reader's words what happens most. */
static const char *why_not(CURLcode code) {
  switch (code) {
  case CURLE_COULDNT_RESOLVE_HOST: return _("there is no host of this name");
  case CURLE_COULDNT_CONNECT: return _("nothing answers at this address");
  case CURLE_PEER_FAILED_VERIFICATION:
    return _("its certificate is not trusted");
  default: return curl_easy_strerror(code);
  }
}

/* The answer as text, to be freed; NULL and a sentence. */
static char *request(struct link *l, const char *path, const char *body,
                     size_t *length, struct sal_text *problem) {
  char url[1000], origin[600];
  struct sal_buffer answer = {0};
  struct curl_slist *headers = NULL;
  snprintf(url, sizeof url, "%s%s", l->base, path);
  snprintf(origin, sizeof origin, "Origin: %s", l->base);
  headers = curl_slist_append(headers, origin);
  headers = curl_slist_append(headers, "Content-Type: application/json");
  curl_easy_setopt(l->web, CURLOPT_URL, url);
  curl_easy_setopt(l->web, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(l->web, CURLOPT_TIMEOUT, (long)CAP_SECONDS);
  curl_easy_setopt(l->web, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(l->web, CURLOPT_WRITEFUNCTION, take_answer);
  curl_easy_setopt(l->web, CURLOPT_WRITEDATA, &answer);
  trust(l->web);
  curl_easy_setopt(l->web, CURLOPT_USERAGENT, "salotto/" SAL_VERSION);
  if (body)
    curl_easy_setopt(l->web, CURLOPT_POSTFIELDS, body);
  else
    curl_easy_setopt(l->web, CURLOPT_HTTPGET, 1L);
  const CURLcode code = curl_easy_perform(l->web);
  curl_slist_free_all(headers);
  keep_cookies(l);
  if (code != CURLE_OK) {
    say_problem(problem, l->base, why_not(code));
    sal_buffer_free(&answer);
    return NULL;
  }
  *length = answer.len;
  return answer.at ? sal_buffer_take(&answer) : calloc(1, 1);
}

json_t *link_ask(struct link *l, const char *path, const char *body,
                 struct sal_text *problem) {
  size_t length;
  char *text = request(l, path, body, &length, problem);
  json_t *answer = text ? json_loadb(text, length, 0, NULL) : NULL;
  if (text && !answer)
    say_problem(problem, l->base, _("it is not a Salotto server"));
  free(text);
  return answer;
}

char *link_text(struct link *l, const char *path, struct sal_text *problem) {
  size_t length;
  char *text = request(l, path, NULL, &length, problem);
  if (text && strncmp(text, "salotto record", 14) == 0)
    return text;
  free(text);
  return NULL;
}

/* ---- The WebSocket: bytes --------------------------------------------------------- */

static bool wait_for(curl_socket_t s, short events) {
  struct pollfd p = {.fd = s, .events = events};
  return poll(&p, 1, CAP_SECONDS * 1000) > 0;
}

static bool send_all(struct link *l, const char *text, size_t length) {
  while (length > 0) {
    size_t sent = 0;
    const CURLcode code = curl_easy_send(l->stream, text, length, &sent);
    if (code == CURLE_AGAIN) {
      if (!wait_for(l->socket, POLLOUT))
        return false;
    } else if (code != CURLE_OK) {
      return false;
    }
    text += sent;
    length -= sent;
  }
  return true;
}

static ssize_t read_bytes(wslay_event_context_ptr ctx, uint8_t *buffer,
                          size_t length, int flags, void *data) {
  struct link *l = data;
  size_t n = 0;
  (void)flags;
  if (l->early_taken < l->early_length) {
    n = l->early_length - l->early_taken;
    n = n < length ? n : length;
    memcpy(buffer, l->early + l->early_taken, n);
    l->early_taken += n;
    return (ssize_t)n;
  }
  const CURLcode code = curl_easy_recv(l->stream, buffer, length, &n);
  if (code == CURLE_OK && n > 0)
    return (ssize_t)n;
  if (code != CURLE_AGAIN)
    l->broken = true;
  wslay_event_set_error(ctx, code == CURLE_AGAIN ? WSLAY_ERR_WOULDBLOCK
                                                 : WSLAY_ERR_CALLBACK_FAILURE);
  return -1;
}

static ssize_t write_bytes(wslay_event_context_ptr ctx, const uint8_t *bytes,
                           size_t length, int flags, void *data) {
  struct link *l = data;
  (void)flags;
  if (send_all(l, (const char *)bytes, length))
    return (ssize_t)length;
  l->broken = true;
  wslay_event_set_error(ctx, WSLAY_ERR_CALLBACK_FAILURE);
  return -1;
}

static int make_mask(wslay_event_context_ptr ctx, uint8_t *buffer,
                     size_t length, void *data) {
  (void)ctx;
  (void)data;
  randombytes_buf(buffer, length);
  return 0;
}

static void take_message(wslay_event_context_ptr ctx,
                         const struct wslay_event_on_msg_recv_arg *m,
                         void *data) {
  struct link *l = data;
  (void)ctx;
  if (m->opcode == WSLAY_CONNECTION_CLOSE)
    l->broken = true;
  if (m->opcode != WSLAY_TEXT_FRAME)
    return;
  json_t *message = json_loadb((const char *)m->msg, m->msg_length, 0, NULL);
  if (json_is_object(message))
    json_array_append_new(l->waiting, message);
  else
    json_decref(message);
}

/* ---- The handshake ------------------------------------------------------------------ */

/* The cookie of the server, as a header, from curl's list. */
static void add_cookies(struct link *l, struct sal_text *out) {
  struct curl_slist *list = NULL;
  const char *gap = "Cookie: ";
  curl_easy_getinfo(l->web, CURLINFO_COOKIELIST, &list);
  for (const struct curl_slist *c = list; c; c = c->next) {
    const char *name = c->data;
    for (int tabs = 0; tabs < 5 && name; tabs++)
      name = (name = strchr(name, '\t')) ? name + 1 : NULL;
    const char *value = name ? strchr(name, '\t') : NULL;
    if (!value)
      continue;
    sal_text_add(out, gap);
    sal_text_addn(out, name, (size_t)(value - name));
    sal_text_char(out, '=');
    sal_text_add(out, value + 1);
    gap = "; ";
  }
  if (*gap == ';')
    sal_text_add(out, "\r\n");
  curl_slist_free_all(list);
}

static void make_key(char key[32], char accept[64]) {
  uint8_t bytes[16], hash[SHA1_SIZE];
  char both[100];
  randombytes_buf(bytes, sizeof bytes);
  sodium_bin2base64(key, 32, bytes, sizeof bytes,
                    sodium_base64_VARIANT_ORIGINAL);
  const int n = snprintf(both, sizeof both,
                         "%s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", key);
  sha1(both, (size_t)n, hash);
  sodium_bin2base64(accept, 64, hash, sizeof hash,
                    sodium_base64_VARIANT_ORIGINAL);
}

/* Reads the head of the answer; what follows it is kept. */
static bool read_answer_head(struct link *l, char head[HEAD_MAX]) {
  size_t have = 0;
  for (;;) {
    size_t n = 0;
    const CURLcode code =
        curl_easy_recv(l->stream, head + have, HEAD_MAX - 1 - have, &n);
    if (code == CURLE_AGAIN) {
      if (!wait_for(l->socket, POLLIN))
        return false;
      continue;
    }
    if (code != CURLE_OK || n == 0)
      return false;
    have += n;
    head[have] = '\0';
    char *end = strstr(head, "\r\n\r\n");
    if (end) {
      end += 4;
      l->early_length = have - (size_t)(end - head);
      l->early_taken = 0;
      if (!(l->early = malloc(l->early_length + 1)))
        return false;
      memcpy(l->early, end, l->early_length);
      *end = '\0';
      return true;
    }
    if (have >= HEAD_MAX - 1)
      return false;
  }
}

static bool shake_hands(struct link *l) {
  char request[HEAD_MAX], head[HEAD_MAX], key[32], accept[64];
  struct sal_text t;
  const char *host = strstr(l->base, "://");
  make_key(key, accept);
  sal_text_init(&t, request, sizeof request);
  sal_text_add(&t, "GET /ws HTTP/1.1\r\nHost: ");
  sal_text_add(&t, host ? host + 3 : l->base);
  sal_text_add(&t, "\r\nOrigin: ");
  sal_text_add(&t, l->base);
  sal_text_add(&t, "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                   "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ");
  sal_text_add(&t, key);
  sal_text_add(&t, "\r\n");
  add_cookies(l, &t);
  sal_text_add(&t, "\r\n");
  return !t.lost && send_all(l, request, t.len) && read_answer_head(l, head) &&
         strncmp(head, "HTTP/1.1 101", 12) == 0 && strstr(head, accept);
}

bool link_open(struct link *l, struct sal_text *problem) {
  static const struct wslay_event_callbacks callbacks = {
      .recv_callback = read_bytes,
      .send_callback = write_bytes,
      .genmask_callback = make_mask,
      .on_msg_recv_callback = take_message};
  close_stream(l);
  l->broken = false;
  if (!(l->stream = curl_easy_init()))
    return false;
  curl_easy_setopt(l->stream, CURLOPT_URL, l->base);
  curl_easy_setopt(l->stream, CURLOPT_CONNECT_ONLY, 1L);
  curl_easy_setopt(l->stream, CURLOPT_CONNECTTIMEOUT, (long)CAP_SECONDS);
  curl_easy_setopt(l->stream, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(l->stream, CURLOPT_HTTP_VERSION,
                   (long)CURL_HTTP_VERSION_1_1);
  trust(l->stream);
  CURLcode code = curl_easy_perform(l->stream);
  if (code == CURLE_OK)
    code = curl_easy_getinfo(l->stream, CURLINFO_ACTIVESOCKET, &l->socket);
  if (code != CURLE_OK)
    say_problem(problem, l->base, why_not(code));
  else if (!shake_hands(l))
    say_problem(problem, l->base, _("it refuses the connection"));
  else if (wslay_event_context_client_init(&l->frames, &callbacks, l) == 0)
    return true;
  close_stream(l);
  return false;
}

bool link_is_open(const struct link *l) { return l->stream && !l->broken; }

int link_descriptor(const struct link *l) {
  return link_is_open(l) ? (int)l->socket : -1;
}

/* ---- Messages ------------------------------------------------------------------------ */

void link_send(struct link *l, json_t *message) {
  char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;
  json_decref(message);
  if (text && link_is_open(l)) {
    const struct wslay_event_msg m = {.opcode = WSLAY_TEXT_FRAME,
                                      .msg = (const uint8_t *)text,
                                      .msg_length = strlen(text)};
    if (wslay_event_queue_msg(l->frames, &m) != 0 ||
        wslay_event_send(l->frames) != 0)
      l->broken = true;
  }
  free(text);
}

json_t *link_receive(struct link *l) {
  if (json_array_size(l->waiting) == 0 && link_is_open(l)) {
    if (wslay_event_recv(l->frames) != 0)
      l->broken = true;
    if (!l->broken && wslay_event_want_write(l->frames)) /* a pong */
      wslay_event_send(l->frames);
  }
  json_t *first = json_array_get(l->waiting, 0);
  if (!first)
    return NULL;
  json_incref(first);
  json_array_remove(l->waiting, 0);
  return first;
}
