/* Sending. See push_sender.h.
 *
 * Main invariant: the address that a socket is opened to is looked at, not the
 * name that somebody gave; so no name leads into the server's own network. Only
 * `line`, `done` and `quit` are shared, under the lock. */
#include "push_sender.h"
#include "base/network.h"

#include "salotto/text.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
  LINE_MAX_LETTERS = 256,
  SECONDS_MAX = 20,         /* for one message */
  ANSWER_MAX = 4096,        /* bytes of the answer that are read, for nothing */
  TOKEN_SECONDS = 12 * 3600 /* that a token is good for */
};

struct push_sender {
  struct push_sending how;
  uv_thread_t thread;
  uv_mutex_t lock;
  uv_cond_t more;
  uv_async_t wake;
  struct push_letter *line, **line_end, *done;
  int length;
  atomic_bool quit;
};

/* ---- Addresses ------------------------------------------------------------- */

bool push_endpoint_is_sound(const char *endpoint, bool anywhere) {
  const char *host = sal_skip(endpoint, "https://");
  if (!host && anywhere)
    host = sal_skip(endpoint, "http://");
  if (!host || !*host || strchr("/:?#@", *host))
    return false;
  const size_t n = strcspn(host, "/?#");
  if (memchr(host, '@', n)) /* a name and a password */
    return false;
  for (const char *s = endpoint; *s; s++)
    if (*s <= ' ' || *s > '~' || strchr("\"<>\\^`{|}", *s))
      return false;
  return strlen(endpoint) <= PUSH_ENDPOINT_MAX;
}

/* Addresses that lead to no push service, but perhaps to something of ours. */
static bool is_private(const char *address) {
  static const char *const networks[] = {
      "0.0.0.0/8",      "10.0.0.0/8",     "100.64.0.0/10", "127.0.0.0/8",
      "169.254.0.0/16", "172.16.0.0/12",  "192.0.0.0/24",  "192.0.2.0/24",
      "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
      "203.0.113.0/24", "224.0.0.0/3",    "::/96",         "64:ff9b::/96",
      "100::/64",       "2001::/32",      "2001:db8::/32", "2002::/16",
      "fc00::/7",       "fe80::/10",      "fec0::/10",     "ff00::/8"};
  struct network a, n;
  if (!network_read(address, &a))
    return true;
  for (size_t i = 0; i < sizeof networks / sizeof *networks; i++)
    if (network_read(networks[i], &n) && network_holds(&n, &a))
      return true;
  return false;
}

static bool text_of_address(const struct curl_sockaddr *a, char *out,
                            socklen_t size) {
  const struct sockaddr *s = &a->addr;
  if (s->sa_family == AF_INET)
    return inet_ntop(AF_INET, &((const struct sockaddr_in *)s)->sin_addr, out,
                     size);
  return s->sa_family == AF_INET6 &&
         inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)s)->sin6_addr, out,
                   size);
}

static curl_socket_t open_socket(void *context, curlsocktype purpose,
                                 struct curl_sockaddr *a) {
  const struct push_sender *s = context;
  char text[INET6_ADDRSTRLEN];
  (void)purpose;
  if (!text_of_address(a, text, sizeof text) ||
      (!s->how.anywhere && is_private(text)))
    return CURL_SOCKET_BAD;
  return socket(a->family, a->socktype | SOCK_CLOEXEC, a->protocol);
}

/* ---- One message ----------------------------------------------------------- */

static size_t read_nothing(char *data, size_t size, size_t n, void *context) {
  size_t *read = context;
  (void)data;
  *read += size * n;
  return *read > ANSWER_MAX ? 0 : size * n;
}

static int may_go_on(void *context, curl_off_t a, curl_off_t b, curl_off_t c,
                     curl_off_t d) {
  const struct push_sender *s = context;
  (void)a, (void)b, (void)c, (void)d;
  return atomic_load(&s->quit);
}

static bool read_key(const char *text, uint8_t *out, size_t size) {
  size_t n = 0;
  return sodium_base642bin(out, size, text, strlen(text), NULL, &n, NULL,
                           sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0 &&
         n == size;
}

static struct curl_slist *headers_of(const struct push_sender *s,
                                     const char *endpoint) {
  char token[PUSH_TOKEN_MAX], origin[PUSH_ENDPOINT_MAX + 1];
  const size_t host = (size_t)(strstr(endpoint, "://") + 3 - endpoint);
  const size_t n = host + strcspn(endpoint + host, "/?#");
  memcpy(origin, endpoint, n);
  origin[n] = '\0';
  if (!push_token(s->how.keys, origin, s->how.contact,
                  (int64_t)time(NULL) + TOKEN_SECONDS, token))
    return NULL;
  const char *const lines[] = {token,
                               "Content-Encoding: aes128gcm",
                               "Content-Type: application/octet-stream",
                               "TTL: 86400",
                               "Urgency: normal",
                               "Expect:"};
  struct curl_slist *all = NULL;
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    struct curl_slist *longer = curl_slist_append(all, lines[i]);
    if (!longer) {
      curl_slist_free_all(all);
      return NULL;
    }
    all = longer;
  }
  return all;
}

static void send_sealed(struct push_sender *s, struct push_letter *l,
                        const uint8_t *body, size_t length) {
  CURL *c = curl_easy_init();
  struct curl_slist *headers = c ? headers_of(s, l->target.endpoint) : NULL;
  size_t read = 0;
  if (headers) {
    curl_easy_setopt(c, CURLOPT_URL, l->target.endpoint);
    curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR,
                     s->how.anywhere ? "http,https" : "https");
    curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(c, CURLOPT_PROXY, ""); /* it would choose the address */
    curl_easy_setopt(c, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(c, CURLOPT_OPENSOCKETDATA, s);
    curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(c, CURLOPT_TIMEOUT, (long)SECONDS_MAX);
    curl_easy_setopt(c, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(c, CURLOPT_XFERINFOFUNCTION, may_go_on);
    curl_easy_setopt(c, CURLOPT_XFERINFODATA, s);
    curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, read_nothing);
    curl_easy_setopt(c, CURLOPT_WRITEDATA, &read);
    curl_easy_setopt(c, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE, (long)length);
    curl_easy_setopt(c, CURLOPT_POSTFIELDS, (const char *)body);
    if (curl_easy_perform(c) == CURLE_OK)
      curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &l->status);
  }
  curl_slist_free_all(headers);
  curl_easy_cleanup(c);
}

static void send_letter(struct push_sender *s, struct push_letter *l) {
  uint8_t point[PUSH_POINT], auth[PUSH_AUTH], sealed[PUSH_SEALED_MAX];
  size_t length;
  if (read_key(l->target.key, point, sizeof point) &&
      read_key(l->target.auth, auth, sizeof auth) &&
      push_seal(point, auth, l->text, strlen(l->text), sealed, &length))
    send_sealed(s, l, sealed, length);
}

/* ---- The thread ------------------------------------------------------------ */

static struct push_letter *next_letter(struct push_sender *s) {
  uv_mutex_lock(&s->lock);
  while (!s->line && !s->quit)
    uv_cond_wait(&s->more, &s->lock);
  struct push_letter *l = s->quit ? NULL : s->line;
  if (l) {
    s->line = l->next;
    s->line_end = s->line ? s->line_end : &s->line;
    s->length--;
  }
  uv_mutex_unlock(&s->lock);
  return l;
}

static void send_letters(void *context) {
  struct push_sender *s = context;
  for (struct push_letter *l; (l = next_letter(s));) {
    send_letter(s, l);
    uv_mutex_lock(&s->lock);
    l->next = s->done;
    s->done = l;
    uv_mutex_unlock(&s->lock);
    uv_async_send(&s->wake);
  }
}

static void free_letters(struct push_letter *l) {
  while (l) {
    struct push_letter *next = l->next;
    free(l);
    l = next;
  }
}

static void tell_done(uv_async_t *wake) {
  struct push_sender *s = wake->data;
  uv_mutex_lock(&s->lock);
  struct push_letter *done = s->done;
  s->done = NULL;
  uv_mutex_unlock(&s->lock);
  for (const struct push_letter *l = done; l; l = l->next)
    s->how.told(s->how.context, l);
  free_letters(done);
}

struct push_sender *push_sender_new(uv_loop_t *loop,
                                    const struct push_sending *how) {
  struct push_sender *s = calloc(1, sizeof *s);
  if (!s || curl_global_init(CURL_GLOBAL_DEFAULT) != 0) {
    free(s);
    return NULL;
  }
  s->how = *how;
  s->line_end = &s->line;
  uv_mutex_init(&s->lock);
  uv_cond_init(&s->more);
  uv_async_init(loop, &s->wake, tell_done);
  s->wake.data = s;
  if (uv_thread_create(&s->thread, send_letters, s) == 0)
    return s;
  uv_close((uv_handle_t *)&s->wake, NULL);
  uv_run(loop, UV_RUN_NOWAIT);
  push_sender_free(s);
  return NULL;
}

bool push_sender_take(struct push_sender *s, struct push_letter *letter) {
  uv_mutex_lock(&s->lock);
  const bool room = s->length < LINE_MAX_LETTERS;
  if (room) {
    letter->next = NULL;
    *s->line_end = letter;
    s->line_end = &letter->next;
    s->length++;
    uv_cond_signal(&s->more);
  }
  uv_mutex_unlock(&s->lock);
  return room;
}

void push_sender_close(struct push_sender *s) {
  uv_mutex_lock(&s->lock);
  s->quit = true;
  uv_cond_signal(&s->more);
  uv_mutex_unlock(&s->lock);
  uv_thread_join(&s->thread);
  uv_close((uv_handle_t *)&s->wake, NULL);
}

void push_sender_free(struct push_sender *s) {
  if (!s)
    return;
  free_letters(s->line);
  free_letters(s->done);
  uv_cond_destroy(&s->more);
  uv_mutex_destroy(&s->lock);
  curl_global_cleanup();
  free(s);
}
