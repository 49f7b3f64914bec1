/* WebSockets on a connection. See ws.h; frames.h reads and writes the frames.
 * Here are the handshake, the pace, and when to close.
 *
 * Main invariant: from the first close frame on, nothing of the client is acted
 * upon. */
#include "ws.h"
#include "base/network.h"
#include "http.h"
#include "messages.h"
#include "people/connections.h"
#include "people/moderation.h"
#include "people/people.h"
#include "rooms/rooms.h"
#include "sha1.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMPLAINTS_MAX = 50 /* hasty messages until it is closed */ };

/* Many at once are fine if they come seldom: so many seconds' worth. Frames
 * include pings and fragments, so more of them may come. */
static const double burst_seconds = 5, frames_a_message = 3;

/* ---- The handshake -------------------------------------------------------- */

const char *ws_problem(const struct conn *c) {
  const struct http *h = c->http;
  const char *key = http_header(h, "sec-websocket-key");
  const char *version = http_header(h, "sec-websocket-version");
  unsigned char nonce[16];
  size_t length = 0;
  if (!http_upgrades(h) || !http_lists(h, "upgrade", "websocket") ||
      !http_lists(h, "connection", "upgrade"))
    return "this is for WebSockets";
  if (!version || strcmp(version, "13") != 0)
    return "the WebSocket version is not 13";
  if (!key || strlen(key) != 24 ||
      sodium_base642bin(nonce, sizeof nonce, key, 24, NULL, &length, NULL,
                        sodium_base64_VARIANT_ORIGINAL) != 0 ||
      length != sizeof nonce)
    return "the key of the WebSocket is not sound";
  return NULL;
}

static void answer_handshake(struct conn *c) {
  char text[80], accept[32], reply[256];
  uint8_t digest[SHA1_SIZE];
  snprintf(text, sizeof text, "%s%s", http_header(c->http, "sec-websocket-key"),
           "258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
  sha1(text, strlen(text), digest);
  sodium_bin2base64(accept, sizeof accept, digest, sizeof digest,
                    sodium_base64_VARIANT_ORIGINAL);
  const int n = snprintf(reply, sizeof reply,
                         "HTTP/1.1 101 Switching Protocols\r\n"
                         "Upgrade: websocket\r\nConnection: Upgrade\r\n"
                         "Sec-WebSocket-Accept: %s\r\n\r\n",
                         accept);
  conn_write(c, reply, (size_t)n);
}

/* ---- Life ----------------------------------------------------------------- */

void ws_open(struct conn *c, struct person *person, const char *session) {
  struct server *srv = c->server;
  struct ws *w = calloc(1, sizeof *w);
  if (!w) {
    http_refuse(c, 503, SAL_NO_MEMORY, NULL);
    return;
  }
  w->conn = c;
  w->person = person;
  w->subscriber = (struct subscriber){.conn = c, .person = person->id};
  w->subscriber.payer.person = person->id;
  network_key(c->address, w->subscriber.payer.network);
  snprintf(w->session, sizeof w->session, "%s", session);
  w->heard = server_now(srv);
  const double burst = burst_seconds * srv->options.pace;
  bucket_fill(&w->frame_rate, w->heard, frames_a_message * burst);
  bucket_fill(&w->message_rate, w->heard, burst);
  answer_handshake(c);
  if (c->closed) {
    ws_free(w);
    return;
  }
  http_free(c->http);
  c->http = NULL;
  c->ws = w;
  c->deadline = w->heard + (uint64_t)(srv->options.ping * 1000);
  srv->ws_count++;
  messages_greet(c);
}

void ws_leave(struct conn *c) {
  if (!c->ws)
    return;
  rooms_forget(&c->ws->subscriber);
  c->server->ws_count--;
}

void ws_free(struct ws *w) {
  if (w)
    free(w->frames.message);
  free(w);
}

/* ---- What comes -------------------------------------------------------------- */

static void send_frame(struct conn *c, int opcode, const char *text,
                       size_t length) {
  uint8_t head[FRAMES_HEAD_MAX];
  conn_write(c, (const char *)head, frames_head(head, opcode, length));
  conn_write(c, text, length);
}

/* A message that comes too fast is refused, and in the end so is the
 * connection. */
static bool hasty(struct ws *w) {
  const double pace = w->conn->server->options.pace;
  if (bucket_take(&w->message_rate, w->heard, pace, burst_seconds * pace)) {
    w->complaints = 0;
    return false;
  }
  return ++w->complaints > 0;
}

static void close_for(struct conn *c, int code, const char *why) {
  conn_blame(c, why);
  ws_close(c, code, why);
}

static void read_message(struct ws *w, const struct frame *m) {
  w->conn->server->counters.messages++;
  if (m->opcode != FRAME_TEXT)
    ws_close(w->conn, CLOSE_UNSUPPORTED, "text only");
  else
    requests_answer(w->conn, m->text, m->length, hasty(w));
  if (w->complaints > COMPLAINTS_MAX && !w->conn->closing)
    close_for(w->conn, CLOSE_POLICY, "a flood of messages");
}

static void read_frame(struct ws *w, const struct frame *f) {
  const double pace = frames_a_message * w->conn->server->options.pace;
  if (!bucket_take(&w->frame_rate, w->heard, pace, burst_seconds * pace)) {
    close_for(w->conn, CLOSE_POLICY, "a flood of frames");
    return;
  }
  switch (f->opcode) {
  case -1: /* a fragment */
  case FRAME_PONG: break;
  case FRAME_PING: send_frame(w->conn, FRAME_PONG, f->text, f->length); break;
  case FRAME_CLOSE: ws_close(w->conn, f->close, ""); break;
  default: read_message(w, f);
  }
}

/* Silence is asked about; a message that has begun must be whole in time,
 * however it trickles. */
static void set_deadline(struct conn *c) {
  struct ws *w = c->ws;
  const struct server_options *o = &c->server->options;
  if (!frames_is_open(&w->frames))
    w->begun = 0;
  else if (!w->begun)
    w->begun = w->heard;
  c->deadline = w->heard + (uint64_t)(o->ping * 1000);
  if (w->begun && w->begun + (uint64_t)(o->timeout * 1000) < c->deadline)
    c->deadline = w->begun + (uint64_t)(o->timeout * 1000);
}

void ws_feed(struct conn *c, const char *data, size_t length) {
  struct free_list *free_messages = &c->server->free_messages;
  struct ws *w = c->ws;
  struct frame f;
  int came = 1;
  w->heard = server_now(c->server);
  w->feeding = true;
  while (length > 0 && came >= 0 && !w->bye && !c->closing) {
    came = frames_read(&w->frames, free_messages, &data, &length, &f);
    if (came > 0)
      read_frame(w, &f);
    frames_release(&w->frames, free_messages);
  }
  w->feeding = false;
  if (came < 0)
    close_for(c, -came, "this is no sound WebSocket");
  if (w->bye)
    conn_finish(c);
  if (!c->closing)
    set_deadline(c);
}

/* ---- What goes out ----------------------------------------------------------- */

void ws_send(struct conn *c, const char *text, size_t length) {
  if (!c->closing && !c->ws->bye)
    send_frame(c, FRAME_TEXT, text, length);
}

void ws_close(struct conn *c, int code, const char *reason) {
  char text[FRAMES_CONTROL_MAX];
  struct ws *w = c->ws;
  if (c->closing || w->bye)
    return;
  text[0] = (char)(code >> 8);
  text[1] = (char)code;
  const size_t n = strnlen(reason, sizeof text - 2);
  memcpy(text + 2, reason, n);
  send_frame(c, FRAME_CLOSE, text, code == CLOSE_NO_CODE ? 0 : n + 2);
  w->bye = true;
  if (!w->feeding) /* else ws_feed does it */
    conn_finish(c);
}

void ws_silent(struct conn *c) {
  const struct server_options *o = &c->server->options;
  const struct ws *w = c->ws;
  const uint64_t now = server_now(c->server);
  const uint64_t patience = (uint64_t)(o->ping * 1000);
  if (w->begun && now - w->begun >= (uint64_t)(o->timeout * 1000)) {
    close_for(c, CLOSE_POLICY, "a message that trickles");
  } else if (now - w->heard >= 2 * patience) {
    conn_drop(c);
  } else {
    c->deadline = now + patience;
    send_frame(c, FRAME_PING, "", 0);
  }
}

/* ---- What the layers below ask -------------------------------------------- */

struct conn *ws_find(struct server *srv, uint64_t id) {
  struct conn *c = id ? conn_find(srv, id) : NULL;
  return c && c->ws ? c : NULL;
}

void connections_end_session(struct server *srv, const char *session) {
  for (struct conn *c = srv->first, *next; c; c = next) {
    next = c->next;
    if (c->ws && strcmp(c->ws->session, session) == 0)
      ws_close(c, CLOSE_POLICY, "the session has ended");
  }
}

void connections_rename_session(struct server *srv, const char *session,
                                const char *name) {
  for (struct conn *c = srv->first; c; c = c->next)
    if (c->ws && strcmp(c->ws->session, session) == 0)
      snprintf(c->ws->session, sizeof c->ws->session, "%s", name);
}

void connections_end_banned(struct server *srv) {
  for (struct conn *c = srv->first, *next; c; c = next) {
    next = c->next;
    if (c->ws && !c->closing &&
        (moderation_bans_person(srv->moderation, c->ws->person->id) ||
         moderation_bans_address(srv->moderation, c->address)))
      ws_close(c, CLOSE_POLICY, "not welcome");
  }
}

void connections_hold_people(struct server *srv) {
  for (struct conn *c = srv->first; c; c = c->next)
    if (c->ws)
      c->ws->person->held = true;
}
