/* The load for the server's bench: people in pairs who play Doors over real
 * WebSockets, each pair at its own table.
 *
 *   load TONGUE PORT[/PUBLIC_PORT] PAIRS SECONDS THINK_MS [PID]
 *
 * PUBLIC_PORT is that of the public URL, if it is another.
 * TONGUE is "salotto", or "boardgame.io" for a server of that kind with the
 * game of bench/boardgame; all else is the same for both.
 *
 * Every person has a connection and a session of their own; all of them live in
 * this one process, on one epoll. A move's time runs from the moment it is sent
 * until the last of the two has the new view. Who is asked moves after THINK_MS
 * milliseconds, plus or minus a half; 0: at once. PAIRS people sit idle instead
 * if THINK_MS is "idle": they connect and say nothing.
 *
 * Salotto must run with --trust-proxy: each person comes from an address of
 * their own, so that limits on addresses hold as they would.
 *
 * The last line is JSON: moves, seconds, p50, p99 and max in milliseconds, the
 * bytes that both people of a pair were sent for a move, and with PID the resident memory of that process in kB before and after. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
  BUFFER = 1 << 15,
  KNOCKING_MAX = 100,
  TIMES_MAX = 1 << 24,
  TURN_US = 500,
  STALLED_US = 2000000
};

enum stage { ASLEEP, GUEST, HANDSHAKE, INSIDE };

struct person {
  int fd, number;
  enum stage stage;
  struct pair *pair;
  char cookie[64];
  char *in;
  size_t length;
  uint64_t due;    /* when it moves; 0: it is not asked */
  long seq;        /* the number of the last move that it was told, or -1 */
  char action[64]; /* what it will do; "": it is not asked */
};

struct pair {
  struct person person[2];
  char table[20];
  int matches;
  bool greeted[2];
  long waiting; /* the number of the move whose views are awaited, or -1 */
  uint64_t sent;
};

/* How a server is spoken to. */
struct tongue {
  const char *name;
  void (*knock)(struct person *p); /* its socket is connected */
  void (*open)(struct pair *q);
  void (*act)(const struct person *p);
  void (*heard)(struct person *p, const char *text);
};

static const struct tongue *tongue;
static int port, public_port, poller, knocking, inside;
static bool idle, counting;
static uint64_t think;
static struct pair *pairs;
static size_t pair_count;
static float *times; /* in ms */
static size_t time_count;
static uint64_t received; /* bytes, while it counts */
static uint32_t dice = 1;

static uint64_t now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static uint32_t roll(void) {
  dice ^= dice << 13;
  dice ^= dice >> 17;
  return dice ^= dice << 5;
}

static void fail(const char *what) {
  fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
  exit(1);
}

/* ---- Sending -------------------------------------------------------------- */

static void say(const struct person *p, const char *data, size_t n) {
  if (send(p->fd, data, n, MSG_NOSIGNAL) != (ssize_t)n)
    fail("send");
}

/* One text frame; the mask is zero, which masks nothing and is allowed. */
static void message(const struct person *p, const char *text) {
  char out[512];
  const size_t n = strlen(text);
  size_t head = 6;
  out[0] = (char)0x81;
  if (n < 126) {
    out[1] = (char)(0x80 | n);
  } else {
    out[1] = (char)(0x80 | 126);
    out[2] = (char)(n >> 8);
    out[3] = (char)n;
    head = 8;
  }
  memset(out + head - 4, 0, 4);
  memcpy(out + head, text, n);
  say(p, out, head + n);
}

static void knock(struct person *p) {
  const struct sockaddr_in to = {.sin_family = AF_INET,
                                 .sin_port = htons((uint16_t)port),
                                 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  const int one = 1;
  p->fd = socket(AF_INET, SOCK_STREAM, 0);
  if (p->fd < 0 || connect(p->fd, (const struct sockaddr *)&to, sizeof to) != 0)
    fail("connect");
  setsockopt(p->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  struct epoll_event e = {.events = EPOLLIN, .data.ptr = p};
  epoll_ctl(poller, EPOLL_CTL_ADD, p->fd, &e);
  p->in = malloc(BUFFER);
  knocking++;
  tongue->knock(p);
}

static void shake_hands(struct person *p, const char *path) {
  char out[500];
  const int n = snprintf(out, sizeof out,
                         "GET %s HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n"
                         "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                         "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                         "X-Forwarded-For: 10.%d.%d.%d\r\n"
                         "Origin: http://127.0.0.1:%d\r\nCookie: %s\r\n\r\n",
                         path, p->number >> 16 & 255, p->number >> 8 & 255,
                         p->number & 255, public_port, p->cookie);
  p->stage = HANDSHAKE;
  say(p, out, (size_t)n);
}

/* ---- Playing -------------------------------------------------------------- */

static void greeted(struct person *p) {
  struct pair *q = p->pair;
  const int me = (int)(p - q->person);
  q->greeted[me] = true;
  knocking--;
  inside++;
  if (!idle && q->greeted[1 - me])
    tongue->open(q);
}

static void make_move(struct person *p) {
  struct pair *q = p->pair;
  p->due = 0;
  q->waiting = p->seq + 1;
  q->sent = now_us();
  tongue->act(p);
}

static void plan(struct person *p) {
  if (!*p->action)
    return;
  p->due = now_us() + (think ? think / 2 + roll() % think : 0);
  if (!think)
    make_move(p);
}

/* Both have been told of the same move: it is counted, and the game goes on. */
static void both_know(struct pair *q) {
  if (q->person[0].seq == q->waiting && counting && time_count < TIMES_MAX)
    times[time_count++] = (float)(now_us() - q->sent) / 1000;
  q->waiting = -1;
  for (int i = 0; i < 2; i++)
    plan(&q->person[i]);
}

/* Somebody has the view after the move of that number. */
static void told(struct person *p, long seq, bool over) {
  struct pair *q = p->pair;
  p->seq = seq;
  if (q->person[0].seq != q->person[1].seq)
    return;
  both_know(q);
  if (over)
    tongue->open(q);
}

/* ---- Salotto -------------------------------------------------------------- */

static void salotto_knock(struct person *p) {
  char out[300];
  const int n =
      snprintf(out, sizeof out,
               "POST /api/guest HTTP/1.1\r\nHost: a\r\n"
               "X-Forwarded-For: 10.%d.%d.%d\r\n"
               "Content-Length: 15\r\n\r\n{\"name\":\"Anna\"}",
               p->number >> 16 & 255, p->number >> 8 & 255, p->number & 255);
  p->stage = GUEST;
  say(p, out, (size_t)n);
}

static void salotto_open(struct pair *q) {
  message(&q->person[roll() & 1], "{\"op\":\"create\",\"game\":\"doors\","
                                  "\"players\":2,\"listed\":false}");
}

static void salotto_leave(struct person *p) {
  char out[80];
  snprintf(out, sizeof out, "{\"op\":\"leave\",\"table\":\"%s\"}",
           p->pair->table);
  message(p, out);
}

static void salotto_act(const struct person *p) {
  char out[200];
  snprintf(out, sizeof out,
           "{\"op\":\"act\",\"table\":\"%s\",\"seq\":%ld,\"action\":\"%s\"}",
           p->pair->table, p->seq, p->action);
  message(p, out);
}

/* One of the actions in the list that begins there, as in the simplified Doors
 * of bench/boardgame: who can claim does, and nobody guesses. False: the list
 * is empty. */
static bool choose(const char *list, char *out, size_t size) {
  const char *end = strchr(list, ']'), *chosen = NULL;
  uint32_t count = 0;
  for (const char *s = list; s < end && (s = strchr(s, '"')) && s < end;) {
    const char *action = ++s;
    s += strcspn(s, "\"") + 1;
    if (strncmp(action, "claim\"", 6) == 0) {
      chosen = action;
      break;
    }
    if (strncmp(action, "guess ", 6) != 0 && roll() % ++count == 0)
      chosen = action;
  }
  if (!chosen)
    return false;
  const size_t n = strcspn(chosen, "\"");
  if (n >= size)
    fail("a long action");
  memcpy(out, chosen, n);
  out[n] = '\0';
  return true;
}

static void salotto_moved(struct person *p, const char *text) {
  const char *seq = strstr(text, "\"seq\":");
  const char *legal = strstr(text, "\"legal\":[");
  if (!seq ||
      strncmp(strstr(text, "\"table\":\"") + 9, p->pair->table, 16) != 0)
    return;
  const bool over = legal && strstr(text, "\"over\":true");
  if (!legal || !choose(legal + 9, p->action, sizeof p->action))
    *p->action = '\0';
  if (over)
    salotto_leave(p);
  told(p, strtol(seq + 6, NULL, 10), over);
}

/* Both come to the new table and sit down. */
static void salotto_opened(struct pair *q, const char *text) {
  const char *id = strstr(text, "\"table\":\"");
  char out[120];
  memcpy(q->table, id + 9, 16);
  for (int i = 0; i < 2; i++) {
    q->person[i].due = 0;
    q->person[i].seq = -1;
    snprintf(out, sizeof out, "{\"op\":\"join\",\"table\":\"%s\"}", q->table);
    message(&q->person[i], out);
    snprintf(out, sizeof out, "{\"op\":\"sit\",\"table\":\"%s\",\"seat\":%d}",
             q->table, i);
    message(&q->person[i], out);
  }
}

static void salotto_heard(struct person *p, const char *text) {
  if (strncmp(text, "{\"op\":\"moved\"", 13) == 0)
    salotto_moved(p, text);
  else if (strncmp(text, "{\"op\":\"hello\"", 13) == 0)
    greeted(p);
  else if (strncmp(text, "{\"op\":\"table\",\"re\":\"create\"", 26) == 0)
    salotto_opened(p->pair, text);
  else if (strncmp(text, "{\"op\":\"error\"", 13) == 0) {
    fprintf(stderr, "load: refused: %s\n", text);
    exit(1);
  }
}

/* ---- boardgame.io: Engine.IO 4, Socket.IO 5 -------------------------------- */

static void peer_knock(struct person *p) {
  shake_hands(p, "/socket.io/?EIO=4&transport=websocket");
}

static void peer_sync(const struct person *p) {
  char out[100];
  snprintf(out, sizeof out, "42/doors,[\"sync\",\"%s\",\"%d\",null,2]",
           p->pair->table, (int)(p - p->pair->person));
  message(p, out);
}

/* One after the other: the first makes the match. */
static void peer_open(struct pair *q) {
  snprintf(q->table, sizeof q->table, "%d-%d", q->person[0].number,
           q->matches++);
  q->person[0].seq = q->person[1].seq = -1;
  peer_sync(&q->person[0]);
}

static void peer_act(const struct person *p) {
  const int me = (int)(p - p->pair->person);
  char out[250];
  snprintf(out, sizeof out,
           "42/doors,[\"update\",{\"type\":\"MAKE_MOVE\",\"payload\":{%s,"
           "\"playerID\":\"%d\"}},%ld,\"%s\",\"%d\"]",
           p->action, me, p->seq, p->pair->table, me);
  message(p, out);
}

/* What to do in the state that comes first in the text. */
static void peer_choose(struct person *p, const char *text) {
  const char *offer = strstr(text, "\"offer\":[") + 9;
  const char *ending = strstr(text, "\"ending\":true");
  const char *asked = strstr(text, "\"currentPlayer\":\"") + 17;
  const char *end = strstr(text, "\"ctx\":");
  unsigned cards = 1;
  if (*asked - '0' != p - p->pair->person) {
    *p->action = '\0';
    return;
  }
  for (; *offer != ']'; offer++)
    cards += *offer == ',';
  if (ending && ending < end)
    strcpy(p->action, "\"type\":\"end\",\"args\":[]");
  else
    snprintf(p->action, sizeof p->action, "\"type\":\"pick\",\"args\":[%u]",
             roll() % cards);
}

static void peer_state(struct person *p, const char *text, bool first) {
  struct pair *q = p->pair;
  const char *id = strstr(text, "\",\"") + 3;
  const char *seq = strstr(text, "\"_stateID\":");
  const size_t n = strlen(q->table);
  if (!seq || strncmp(id, q->table, n) != 0 || id[n] != '"')
    return;
  const char *over = strstr(text, "\"gameover\":");
  const bool is_over = over && over < seq;
  *p->action = '\0';
  if (!is_over)
    peer_choose(p, text);
  if (first && p == &q->person[0]) {
    p->seq = strtol(seq + 11, NULL, 10);
    peer_sync(&q->person[1]);
  } else {
    told(p, strtol(seq + 11, NULL, 10), is_over);
  }
}

static void peer_heard(struct person *p, const char *text) {
  if (strncmp(text, "42/doors,[\"update\"", 18) == 0)
    peer_state(p, text + 9, false);
  else if (strncmp(text, "42/doors,[\"sync\"", 16) == 0)
    peer_state(p, text + 9, true);
  else if (*text == '0')
    message(p, "40/doors,");
  else if (*text == '2')
    message(p, "3");
  else if (strncmp(text, "40/doors,", 9) == 0)
    greeted(p);
  else if (strncmp(text, "44", 2) == 0) {
    fprintf(stderr, "load: refused: %s\n", text);
    exit(1);
  }
}

static const struct tongue tongues[] = {
    {"salotto", salotto_knock, salotto_open, salotto_act, salotto_heard},
    {"boardgame.io", peer_knock, peer_open, peer_act, peer_heard},
};

/* ---- Receiving ------------------------------------------------------------ */

/* Handles one whole thing at the front of the buffer; its length, or 0. */
static size_t take_frame(struct person *p) {
  const unsigned char *u = (const unsigned char *)p->in;
  if (p->length < 2 || (u[1] == 126 && p->length < 4))
    return 0;
  size_t n = u[1], head = 2;
  if (n == 126) {
    n = (size_t)(u[2] << 8 | u[3]);
    head = 4;
  }
  if (n == 127 || p->length < head + n)
    return 0;
  if ((u[0] & 15) == 8)
    fail("the server has closed a WebSocket");
  if ((u[0] & 15) == 9) {
    say(p, "\x8a\x80\0\0\0\0", 6);
    return head + n;
  }
  const char after = p->in[head + n]; /* there is always room for it */
  p->in[head + n] = '\0';
  tongue->heard(p, p->in + head);
  p->in[head + n] = after;
  return head + n;
}

static size_t take_head(struct person *p) {
  p->in[p->length] = '\0';
  char *end = strstr(p->in, "\r\n\r\n");
  if (!end)
    return 0;
  const size_t n = (size_t)(end + 4 - p->in);
  if (p->stage == HANDSHAKE) {
    if (strncmp(p->in, "HTTP/1.1 101", 12) != 0)
      fail("no handshake");
    p->stage = INSIDE;
    return n;
  }
  const char *length = strcasestr(p->in, "content-length: ");
  const char *cookie = strcasestr(p->in, "set-cookie: ");
  if (strncmp(p->in, "HTTP/1.1 200", 12) != 0 || !length || !cookie)
    fail("no guest");
  const size_t body = strtoul(length + 16, NULL, 10);
  if (p->length < n + body)
    return 0;
  snprintf(p->cookie, sizeof p->cookie, "%.*s", (int)strcspn(cookie + 12, ";"),
           cookie + 12);
  shake_hands(p, "/ws");
  return n + body;
}

static void receive(struct person *p) {
  const ssize_t got = recv(p->fd, p->in + p->length, BUFFER - 1 - p->length, 0);
  if (got <= 0)
    fail("the server has closed a connection");
  p->length += (size_t)got;
  received += counting ? (uint64_t)got : 0;
  for (size_t used = 1; used > 0;) {
    used = p->stage == INSIDE ? take_frame(p) : take_head(p);
    p->length -= used;
    memmove(p->in, p->in + used, p->length);
  }
}

/* ---- The whole ------------------------------------------------------------ */

static void move_due(void) {
  const uint64_t now = now_us();
  for (size_t i = 0; think && i < pair_count; i++)
    for (int k = 0; k < 2; k++) {
      struct person *p = &pairs[i].person[k];
      if (p->due && p->due <= now)
        make_move(p);
    }
}

/* Looks at all sockets at most 2,000 times a second: who is woken for each
 * message takes time from the server. What that adds to a move's time counts. */
static void turn(int wait_ms) {
  static struct epoll_event events[4096];
  static uint64_t last;
  const uint64_t now = now_us();
  if (now - last < TURN_US)
    usleep((unsigned)(last + TURN_US - now));
  last = now_us();
  const int n = epoll_wait(poller, events, 4096, wait_ms);
  for (int i = 0; i < n; i++)
    receive(events[i].data.ptr);
}

static int by_size(const void *a, const void *b) {
  const float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

static double at(double part) {
  return time_count ? (double)times[(size_t)(part * (double)(time_count - 1))]
                    : 0;
}

static long resident(const char *pid) {
  char path[64], line[200];
  long kb = 0;
  snprintf(path, sizeof path, "/proc/%s/status", pid ? pid : "self");
  FILE *f = fopen(path, "r");
  while (f && fgets(line, sizeof line, f))
    sscanf(line, "VmRSS: %ld", &kb);
  if (f)
    fclose(f);
  return kb;
}

static void let_in(void) {
  const size_t people = idle ? pair_count : 2 * pair_count;
  size_t next = 0;
  while (inside < (int)people) {
    while (next < people && knocking < KNOCKING_MAX) {
      struct pair *q = idle ? &pairs[next] : &pairs[next / 2];
      knock(&q->person[idle ? 0 : next % 2]);
      next++;
    }
    turn(100);
    move_due();
  }
}

static double run_for(double seconds) {
  const uint64_t begin = now_us();
  const uint64_t end = begin + (uint64_t)(seconds * 1e6);
  while (now_us() < end) {
    turn(think ? 1 : 10);
    move_due();
  }
  return (double)(now_us() - begin) / 1e6;
}

/* A move that nobody answers, or a game that does not go on, would only make
 * the rest look better. */
static void look_for_stalled(void) {
  const uint64_t now = now_us();
  for (size_t i = 0; !idle && i < pair_count; i++)
    if (now - pairs[i].sent > STALLED_US + 2 * think) {
      fprintf(stderr, "load: the game of pair %zu does not go on\n", i);
      exit(1);
    }
}

int main(int argc, char **argv) {
  for (size_t i = 0; argc > 5 && i < sizeof tongues / sizeof *tongues; i++)
    if (strcmp(tongues[i].name, argv[1]) == 0)
      tongue = &tongues[i];
  if (!tongue)
    return 2;
  port = atoi(argv[2]);
  const char *other = strchr(argv[2], '/');
  public_port = other ? atoi(other + 1) : port;
  pair_count = (size_t)atol(argv[3]);
  idle = strcmp(argv[5], "idle") == 0;
  think = idle ? 0 : (uint64_t)(atof(argv[5]) * 1000);
  pairs = calloc(pair_count, sizeof *pairs);
  times = malloc(TIMES_MAX * sizeof *times);
  poller = epoll_create1(0);
  for (size_t i = 0; i < pair_count; i++) {
    pairs[i].waiting = -1;
    for (int k = 0; k < 2; k++) {
      pairs[i].person[k].pair = &pairs[i];
      pairs[i].person[k].number = (int)(2 * i) + k;
    }
  }
  const char *pid = argc > 6 ? argv[6] : NULL;
  const long before = resident(pid);
  let_in();
  run_for(1.5); /* until it runs evenly */
  counting = true;
  const double seconds = run_for(atof(argv[4]));
  const long after = resident(pid);
  look_for_stalled();
  qsort(times, time_count, sizeof *times, by_size);
  printf("{\"moves\":%zu,\"seconds\":%.2f,\"rate\":%.0f,\"p50\":%.2f,"
         "\"p99\":%.2f,\"max\":%.2f,\"bytes\":%.0f,\"kb_before\":%ld,\"kb_after\":%ld}\n",
         time_count, seconds, (double)time_count / seconds, at(0.5), at(0.99),
         at(1), time_count ? (double)received / (double)time_count : 0, before,
         after);
  return 0;
}
