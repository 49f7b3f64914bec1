/* WebSockets on a connection, framed by wslay. See ws.h.
 *
 * wslay checks masks, opcodes, control frames and UTF-8, and joins fragments;
 * ours are the caps, the pace, and when to close.
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
#include <wslay/wslay.h>

enum {
  MESSAGE_MAX = 8192,
  COMPLAINTS_MAX = 50, /* hasty messages until it is closed */
  CLOSE_POLICY = 1008
};

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

/* ---- wslay's callbacks ---------------------------------------------------- */

static ssize_t give_input(wslay_event_context_ptr ctx, uint8_t *buf, size_t len,
                          int flags, void *user) {
  struct ws *w = ((struct server *)user)->feeding;
  (void)flags;
  if (w->input_length == 0) {
    wslay_event_set_error(ctx, WSLAY_ERR_WOULDBLOCK);
    return -1;
  }
  const size_t n = len < w->input_length ? len : w->input_length;
  memcpy(buf, w->input, n);
  w->input += n;
  w->input_length -= n;
  return (ssize_t)n;
}

/* The connection takes everything or is dropped; it never blocks. */
static ssize_t take_output(wslay_event_context_ptr ctx, const uint8_t *data,
                           size_t len, int flags, void *user) {
  struct ws *w = ((struct server *)user)->feeding;
  (void)ctx, (void)flags;
  conn_write(w->conn, (const char *)data, len);
  return (ssize_t)len;
}

static void on_frame(wslay_event_context_ptr ctx,
                     const struct wslay_event_on_frame_recv_start_arg *frame,
                     void *user) {
  struct ws *w = ((struct server *)user)->feeding;
  (void)ctx, (void)frame;
  const double pace = frames_a_message * w->conn->server->options.pace;
  if (!bucket_take(&w->frames, w->heard, pace, burst_seconds * pace)) {
    conn_blame(w->conn, "a flood of frames");
    ws_close(w->conn, CLOSE_POLICY, "a flood of frames");
  }
}

/* A message that comes too fast is refused, and in the end so is the
 * connection. */
static bool hasty(struct ws *w) {
  const double pace = w->conn->server->options.pace;
  if (bucket_take(&w->messages, w->heard, pace, burst_seconds * pace)) {
    w->complaints = 0;
    return false;
  }
  return ++w->complaints > 0;
}

static void on_message(wslay_event_context_ptr ctx,
                       const struct wslay_event_on_msg_recv_arg *m,
                       void *user) {
  struct ws *w = ((struct server *)user)->feeding;
  if (wslay_is_ctrl_frame(m->opcode) || w->conn->closing || w->bye)
    return;
  if (wslay_event_want_write(ctx)) /* a pong that came before is due first */
    wslay_event_send(ctx);
  w->conn->server->counters.messages++;
  if (m->opcode != WSLAY_TEXT_FRAME)
    ws_close(w->conn, 1003, "text only");
  else
    requests_answer(w->conn, (const char *)m->msg, m->msg_length, hasty(w));
  if (w->complaints > COMPLAINTS_MAX && !w->conn->closing) {
    conn_blame(w->conn, "a flood of messages");
    ws_close(w->conn, CLOSE_POLICY, "a flood of messages");
  }
}

static const struct wslay_event_callbacks callbacks = {
    .recv_callback = give_input,
    .send_callback = take_output,
    .on_frame_recv_start_callback = on_frame,
    .on_msg_recv_callback = on_message,
};

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
  bucket_fill(&w->frames, w->heard, frames_a_message * burst);
  bucket_fill(&w->messages, w->heard, burst);
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
  if (w && w->wslay)
    wslay_event_context_free(w->wslay);
  free(w);
}

void ws_free_spare(struct server *srv) {
  if (srv->spare_wslay)
    wslay_event_context_free(srv->spare_wslay);
  srv->spare_wslay = NULL;
}

/* ---- Frames ---------------------------------------------------------------- */

/* wslay takes some nine kilobytes for each stream. A stream that stands between
 * two messages has nothing to remember, and nearly all stand there nearly
 * always; so one wslay goes round, and only who is in the middle of a message
 * keeps one. Where a stream stands, this follows; what it means, wslay says. */
static void follow_frames(struct frames *f, const char *data, size_t n) {
  while (n > 0) {
    if (f->left > 0) {
      const size_t part = f->left < n ? (size_t)f->left : n;
      f->left -= part;
      data += part;
      n -= part;
      continue;
    }
    f->head[f->have++] = (uint8_t)*data++;
    n--;
    const uint8_t size = f->have < 2 ? 0 : f->head[1] & 0x7f;
    const int more = size == 126 ? 2 : size == 127 ? 8 : 0;
    const int mask = f->have >= 2 && f->head[1] & 0x80 ? 4 : 0;
    if (f->have < 2 || f->have < 2 + more + mask)
      continue;
    f->left = more ? 0 : size;
    for (int i = 0; i < more; i++)
      f->left = f->left << 8 | f->head[2 + i];
    if ((f->head[0] & 8) == 0) /* not a control frame */
      f->open = !(f->head[0] & 0x80);
    f->have = 0;
  }
}

static bool between_messages(const struct frames *f) {
  return f->left == 0 && f->have == 0 && !f->open;
}

/* A wslay for what comes now; false: memory is short. */
static bool take_wslay(struct server *srv, struct ws *w) {
  if (w->wslay)
    return true;
  if (srv->spare_wslay) {
    w->wslay = srv->spare_wslay;
    srv->spare_wslay = NULL;
    return true;
  }
  if (wslay_event_context_server_init(&w->wslay, &callbacks, srv) != 0) {
    w->wslay = NULL;
    return false;
  }
  wslay_event_config_set_max_recv_msg_length(w->wslay, MESSAGE_MAX);
  return true;
}

/* Only one that has seen nothing wrong, and no goodbye, is as good as new. */
static void give_wslay(struct server *srv, struct ws *w) {
  if (srv->spare_wslay || !between_messages(&w->frames_seen) ||
      !wslay_event_get_read_enabled(w->wslay) ||
      wslay_event_get_close_received(w->wslay) ||
      wslay_event_want_write(w->wslay))
    return;
  srv->spare_wslay = w->wslay;
  w->wslay = NULL;
}

/* Silence is asked about; a message that has begun must be whole in time,
 * however it trickles. */
static void set_deadline(struct conn *c) {
  const struct ws *w = c->ws;
  const struct server_options *o = &c->server->options;
  c->deadline = w->heard + (uint64_t)(o->ping * 1000);
  if (w->begun && w->begun + (uint64_t)(o->timeout * 1000) < c->deadline)
    c->deadline = w->begun + (uint64_t)(o->timeout * 1000);
}

/* Sends what wslay has to say: pongs, and the goodbye after a violation. */
static void flush(struct conn *c) {
  struct ws *w = c->ws;
  if (wslay_event_send(w->wslay) != 0)
    conn_drop(c);
  else if (wslay_event_get_close_sent(w->wslay))
    conn_finish(c);
}

void ws_feed(struct conn *c, const char *data, size_t length) {
  struct server *srv = c->server;
  struct ws *w = c->ws;
  if (!take_wslay(srv, w)) {
    conn_drop(c);
    return;
  }
  w->input = data;
  w->input_length = length;
  w->heard = server_now(srv);
  follow_frames(&w->frames_seen, data, length);
  srv->feeding = w;
  const int error = wslay_event_recv(w->wslay);
  w->input = NULL;
  if (!w->bye && !c->closing) {
    /* wslay stops reading by itself when it has seen a violation, and has the
     * goodbye ready. */
    if (error != 0 || (!wslay_event_get_read_enabled(w->wslay) &&
                       !wslay_event_get_close_received(w->wslay)))
      conn_blame(c, "this is no sound WebSocket");
    flush(c);
  }
  if (error != 0 || w->bye)
    conn_finish(c);
  if (c->closing)
    return;
  if (between_messages(&w->frames_seen))
    w->begun = 0;
  else if (!w->begun)
    w->begun = w->heard;
  set_deadline(c);
  give_wslay(srv, w);
}

/* Framed here and not by wslay, which would copy it once more and send head and
 * text apart. Of what wslay has to send nothing is ever left in its queue, so
 * frames do not get into each other. */
static void send_frame(struct conn *c, int opcode, const char *text,
                       size_t length) {
  char head[10];
  size_t n = 2;
  head[0] = (char)(0x80 | opcode);
  if (length < 126) {
    head[1] = (char)length;
  } else {
    n = length < 1 << 16 ? 4 : 10;
    head[1] = n == 4 ? 126 : 127;
    for (size_t i = 2; i < n; i++)
      head[i] = (char)(length >> 8 * (n - 1 - i));
  }
  conn_write(c, head, n);
  conn_write(c, text, length);
}

void ws_send(struct conn *c, const char *text, size_t length) {
  if (!c->closing && !c->ws->bye)
    send_frame(c, WSLAY_TEXT_FRAME, text, length);
}

void ws_close(struct conn *c, int code, const char *reason) {
  char text[125];
  struct ws *w = c->ws;
  if (c->closing || w->bye)
    return;
  text[0] = (char)(code >> 8);
  text[1] = (char)code;
  const size_t n = strnlen(reason, sizeof text - 2);
  memcpy(text + 2, reason, n);
  send_frame(c, WSLAY_CONNECTION_CLOSE, text, n + 2);
  w->bye = true;
  w->input_length = 0; /* what else has come is not looked at */
  if (!w->input)       /* else ws_feed does it */
    conn_finish(c);
}

void ws_silent(struct conn *c) {
  const struct server_options *o = &c->server->options;
  const struct ws *w = c->ws;
  const uint64_t now = server_now(c->server);
  const uint64_t patience = (uint64_t)(o->ping * 1000);
  if (w->begun && now - w->begun >= (uint64_t)(o->timeout * 1000)) {
    conn_blame(c, "a message that trickles");
    ws_close(c, CLOSE_POLICY, "a message that trickles");
  } else if (now - w->heard >= 2 * patience) {
    conn_drop(c);
  } else {
    c->deadline = now + patience;
    send_frame(c, WSLAY_PING, "", 0);
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
      ws_close(c, 1008, "the session has ended");
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
      ws_close(c, 1008, "not welcome");
  }
}

void connections_hold_people(struct server *srv) {
  for (struct conn *c = srv->first; c; c = c->next)
    if (c->ws)
      c->ws->person->held = true;
}
