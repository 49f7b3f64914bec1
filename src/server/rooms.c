/* Rooms in play. See rooms.h. */
#include "rooms.h"
#include "alive.h"
#include "messages.h"
#include "people.h"
#include "ws.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
  BUCKETS = 1 << 14,
  LINE_MAX_LENGTH = 16,
  SPARES_MAX = 64,
  CLOSE_OVER_MS = 10 * 60 * 1000,   /* a game that is over and left alone */
  CLOSE_UNBEGUN_MS = 30 * 60 * 1000 /* a table where nobody waits */
};

struct rooms {
  struct house *house;
  struct live *bucket[BUCKETS];
  size_t count;
  struct alive alive;
  struct lobby lobby;
  size_t clocks; /* rooms where time runs, at the last sweep */
  /* Intents are large for the sake of the few that say much; the last ones are
   * used again, while the processor has them at hand. */
  struct spares spare;
};

/* ---- The set -------------------------------------------------------------- */

static struct live **place_of(struct rooms *r, const char *id) {
  const uint32_t hash = store_room_hash(id);
  struct live **at = &r->bucket[hash % BUCKETS];
  while (*at && ((*at)->hash != hash || strcmp((*at)->room->id, id) != 0))
    at = &(*at)->next;
  return at;
}

struct live *rooms_find(struct rooms *r, const char *id) {
  return *place_of(r, id);
}

void rooms_each(struct rooms *r, void (*each)(struct live *l, void *context),
                void *context) {
  for (size_t i = 0; i < BUCKETS; i++)
    for (struct live *l = r->bucket[i], *next; l; l = next) {
      next = l->next; /* `each` may end the room */
      each(l, context);
    }
}

size_t rooms_count(const struct rooms *r) { return r->count; }

struct lobby *rooms_lobby(struct rooms *r) {
  return &r->lobby;
}

struct rooms *rooms_new(struct house *h) {
  struct rooms *r = calloc(1, sizeof *r);
  if (r)
    r->house = h;
  return r;
}

/* Takes the room over; NULL (and the room is freed) if memory is short. */
static struct live *add_room(struct rooms *r, struct room *room) {
  struct live *l = calloc(1, sizeof *l);
  if (!l) {
    room_free(room);
    return NULL;
  }
  l->room = room;
  l->hash = store_room_hash(room->id);
  l->house = r->house;
  l->line_end = &l->line;
  l->quiet_since = house_now(r->house);
  for (int s = 0; s < SAL_SEATS_MAX; s++)
    bucket_fill(&l->advice[s], l->quiet_since, 3);
  *place_of(r, room->id) = l;
  r->count++;
  r->lobby.fresh = false;
  return l;
}

static void free_live(struct live *l) {
  for (struct intent *i = l->line, *next; i; i = next) {
    next = i->next;
    free(i);
  }
  for (int s = 0; s < SAL_SEATS_MAX; s++)
    free(l->accepting[s]);
  room_free(l->room);
  free(l);
}

/* Nobody may listen any more, and nothing be on its way. */
static void remove_room(struct live *l) {
  struct rooms *r = l->house->rooms;
  struct live **at = place_of(r, l->room->id);
  assert(!l->listeners && !l->busy && !l->thinking && !l->advising);
  *at = l->next;
  r->count--;
  r->lobby.fresh = false;
  free_live(l);
}

static void free_each(struct live *l, void *context) {
  (void)context;
  free_live(l);
}

void rooms_free(struct rooms *r) {
  if (r) {
    rooms_each(r, free_each, NULL);
    spares_free(&r->spare);
    free(r->lobby.tables);
  }
  free(r);
}

/* ---- After a restart ------------------------------------------------------ */

struct loading {
  struct rooms *rooms;
  struct live *live;
  char skipped[STORE_ROOM_MAX + 1]; /* a room that could not be rebuilt */
};

/* A room that does not fit this program is left in the store as it is, and
 * does not keep the others from opening. */
static void skip_room(struct loading *g, const struct store_move *m,
                      const struct sal_refusal *why) {
  char some[7] = ""; /* the whole id would open the door */
  memcpy(some, m->room, sizeof some - 1);
  house_log("error", "room-not-rebuilt", "table", some, "why", why->message,
            NULL);
  strcpy(g->skipped, m->room);
  if (g->live)
    remove_room(g->live);
  g->live = NULL;
}

static int load_move(void *context, const struct store_move *m) {
  struct loading *g = context;
  struct sal_refusal why;
  if (strcmp(m->room, g->skipped) == 0)
    return 0;
  if (!g->live || strcmp(g->live->room->id, m->room) != 0) {
    struct room *room = room_open(m, &why);
    g->live = room ? add_room(g->rooms, room) : NULL;
    if (room && !g->live)
      return SAL_NO_MEMORY;
    if (!room)
      skip_room(g, m, &why);
    return 0;
  }
  struct room *room = g->live->room;
  if (m->seq != room->seq) {
    sal_refuse(&why, SAL_BAD_RECORD, NULL, "a move is missing");
    skip_room(g, m, &why);
  } else if (room_check(room, m, room->seq - 1, &why) != 0 ||
             room_make(room, m, &why) != 0) {
    skip_room(g, m, &why);
  }
  return 0;
}

int rooms_load(struct rooms *r) {
  struct loading g = {.rooms = r};
  const int error = alive_read(&r->alive, r->house->store);
  return error ? error : store_each_move(r->house->store, load_move, &g);
}

/* ---- Listening ------------------------------------------------------------ */

/* Mask of the seats whose person listens. */
static unsigned listening(const struct live *l) {
  unsigned mask = 0;
  for (const struct listener *i = l->listeners; i; i = i->next_here) {
    const int seat = room_seat_of(l->room, i->conn->ws->person->id);
    mask |= seat >= 0 ? 1u << seat : 0;
  }
  return mask;
}

/* Who goes is told about a moment later, not while the listeners are being told
 * something else; and who only loads a page again is not seen to go. */
static void tell_presence(struct live *l) {
  const unsigned now = listening(l), was = l->present;
  l->house->rooms->lobby.fresh = false;
  l->presence_moved = false;
  l->present = now;
  for (int s = 0; s < l->room->head.setup.players; s++)
    if ((now ^ was) >> s & 1)
      messages_presence(l, s, now >> s & 1);
}

bool rooms_listens(const struct live *l, const struct conn *c) {
  for (const struct listener *i = c->ws->tables; i; i = i->next_table)
    if (i->live == l)
      return true;
  return false;
}

bool rooms_listen(struct live *l, struct conn *c) {
  struct listener *i = calloc(1, sizeof *i);
  if (!i)
    return false;
  *i = (struct listener){l, c, l->listeners, c->ws->tables};
  l->listeners = c->ws->tables = i;
  tell_presence(l);
  return true;
}

static void cut_here(struct listener *gone) {
  struct live *l = gone->live;
  struct listener **at = &l->listeners;
  while (*at != gone)
    at = &(*at)->next_here;
  *at = gone->next_here;
  l->presence_moved = true;
  l->house->rooms->lobby.fresh = false;
  if (!l->listeners)
    l->quiet_since = house_now(l->house);
}

void rooms_unlisten(struct live *l, struct conn *c) {
  for (struct listener **at = &c->ws->tables; *at; at = &(*at)->next_table)
    if ((*at)->live == l) {
      struct listener *gone = *at;
      *at = gone->next_table;
      cut_here(gone);
      free(gone);
      return;
    }
}

void rooms_forget(struct conn *c) {
  for (struct listener *i = c->ws->tables, *next; i; i = next) {
    next = i->next_table;
    cut_here(i);
    free(i);
  }
  c->ws->tables = NULL;
}

/* ---- The line of moves ---------------------------------------------------- */

static void advance(struct live *l);
static void rematch_is_open(struct live *old, struct live *l);

static void answer_refusal(struct house *h, const struct room *r,
                           const struct intent *i,
                           const struct sal_refusal *why) {
  struct conn *c = i->conn ? conn_find(h, i->conn) : NULL;
  if (c && c->ws)
    messages_refuse_at(c, (struct re){i->re, i->tag}, r, why);
}

/* What the house itself does next: begin, or ask a bot. */
static void nudge(struct live *l) {
  struct room *r = l->room;
  if (l->house->closing || l->broken || r->ended || l->line)
    return;
  if (room_unrevealed(r) && !l->revealing) {
    l->revealing = house_now(l->house) | 1; /* never 0 */
    messages_reveal(l);
  }
  if (!r->table && room_is_full(r) && !room_unrevealed(r)) {
    struct intent start = {.move = {.seat = -1, .kind = "start"}};
    rooms_submit(l, &start);
    return;
  }
  if (!r->table)
    return;
  if (!room_in_play(r)) {
    if (!l->finishing && !l->finished)
      finish_start(l);
    return;
  }
  for (int s = 0; s < r->head.setup.players; s++)
    if ((room_asked(r) >> s & 1) && room_bot_at(r, s)) {
      if (!l->thinking)
        think_start(l, s);
      return;
    }
}

static struct intent *copy_intent(struct rooms *r, const struct intent *from) {
  struct intent *i = spares_take(&r->spare, sizeof *i);
  if (!i)
    return NULL;
  memcpy(i, from,
         offsetof(struct intent, move.text) + strlen(from->move.text) + 1);
  return i;
}

static void pop(struct live *l) {
  struct rooms *r = l->house->rooms;
  struct intent *gone = l->line;
  l->line = gone->next;
  if (!l->line)
    l->line_end = &l->line;
  l->line_length--;
  spares_give(&r->spare, gone, SPARES_MAX);
}

/* The move is durable: it is made, told, answered. */
static void make(struct live *l, const struct store_move *m) {
  struct room *r = l->room;
  struct sal_refusal why;
  const size_t events = r->table ? sal_table_event_count(r->table) : 0;
  if (room_make(r, m, &why) != 0) {
    l->broken = true;
    house_log("error", "move-not-made", "why", why.message, NULL);
    return;
  }
  l->house->counters.moves++;
  if (strcmp(m->kind, "woke") == 0)
    l->asleep = false;
  if (strcmp(m->kind, "act") != 0)
    l->present = listening(l); /* which this move tells */
  if (strcmp(m->kind, "act") != 0 || !room_in_play(r))
    l->house->rooms->lobby.fresh = false;
  messages_moved(l, m, events);
}

static struct live *live_of(struct store_job *job) {
  return (struct live *)((char *)job - offsetof(struct live, job));
}

/* Another has taken the number: a commit that was thought to have failed, or
 * another process. The store is right; what it holds is made here too. */
static void caught_up(struct store_job *job, int error) {
  struct live *l = live_of(job);
  struct sal_refusal why;
  l->busy = false;
  if (error || room_check(l->room, job->move, l->room->seq - 1, &why) != 0) {
    l->broken = true;
    house_log("error", "room-behind-store", NULL);
  } else {
    make(l, job->move);
  }
  pop(l);
  advance(l);
}

static void catch_up(struct live *l) {
  l->busy = true;
  l->job.task = STORE_READ;
  l->job.done = caught_up;
  store_post(l->house->store, &l->job);
}

/* What who asked is told now; what else a move brings they hear with the
 * others. */
static void acknowledge(struct live *l, const struct intent *i) {
  struct conn *c = i->conn ? conn_find(l->house, i->conn) : NULL;
  struct sal_refusal why;
  if (!c || !c->ws)
    return;
  if (strcmp(i->move.kind, "hint") != 0) {
    messages_done(c, i);
  } else if (!advise_start(l, i)) {
    sal_refuse(&why, SAL_NO_MEMORY, NULL, NULL);
    answer_refusal(l->house, l->room, i, &why);
  }
}

static void is_durable(struct store_job *job, int error) {
  struct live *l = live_of(job);
  struct intent *i = l->line;
  struct sal_refusal why;
  l->busy = false;
  if (error) {
    sal_refuse(&why, error, NULL, NULL);
    answer_refusal(l->house, l->room, i, &why);
    if (error == SAL_LATE) {
      catch_up(l);
      return;
    }
    l->stalled = true;
    pop(l);
    /* What waits behind would meet the same trouble, but may try. */
    if (l->line)
      advance(l);
    return;
  }
  acknowledge(l, i);
  make(l, &i->move);
  if (strcmp(i->move.kind, "rematch") == 0)
    rooms_rematch(l);
  if (i->since)
    house_move_is_written(l->house, i->since);
  pop(l);
  advance(l);
}

static void post(struct live *l, struct intent *i) {
  strcpy(i->move.room, l->room->id);
  i->move.seq = l->room->seq;
  l->busy = true;
  l->job.task = STORE_MOVE;
  l->job.move = &i->move;
  l->job.done = is_durable;
  store_post(l->house->store, &l->job);
}

/* Sends the first of the line that may be made on its way. */
static void advance(struct live *l) {
  while (l->line && !l->busy) {
    struct sal_refusal why;
    l->line->move.at = house_time();
    if (l->broken)
      sal_refuse(&why, SAL_NO_MEMORY, NULL, NULL);
    else if (room_check(l->room, &l->line->move, l->line->answers, &why) == 0) {
      post(l, l->line);
      return;
    }
    answer_refusal(l->house, l->room, l->line, &why);
    pop(l);
  }
  if (!l->busy)
    nudge(l);
}

void rooms_submit(struct live *l, const struct intent *wanted) {
  struct sal_refusal why;
  struct intent *i = NULL;
  if (l->house->closing)
    sal_refuse(&why, SAL_CLOSING, NULL, NULL);
  else if (l->line_length >= LINE_MAX_LENGTH)
    sal_refuse(&why, SAL_SLOW_DOWN, NULL, NULL);
  else if (!(i = copy_intent(l->house->rooms, wanted)))
    sal_refuse(&why, SAL_NO_MEMORY, NULL, NULL);
  if (!i) {
    answer_refusal(l->house, l->room, wanted, &why);
    return;
  }
  i->next = NULL;
  *l->line_end = i;
  l->line_end = &i->next;
  if (l->line_length++ == 0)
    advance(l);
}

/* ---- New rooms ------------------------------------------------------------ */

struct opening {
  struct store_job job; /* first, so that `done` finds the rest */
  struct house *house;
  struct intent intent;
  struct room *room; /* or why not */
  struct sal_refusal why;
};

/* Its keys take a while. */
static void furnish(struct store_job *job) {
  struct opening *o = (struct opening *)job;
  o->room = room_open(&o->intent.move, &o->why);
}

static void opened(struct store_job *job, int error) {
  struct opening *o = (struct opening *)job;
  struct house *h = o->house;
  struct sal_refusal why = o->why;
  struct conn *c = conn_find(h, o->intent.conn);
  struct room *room = o->room;
  if (error) {
    sal_refuse(&why, error, NULL, NULL);
    room_free(room);
    room = NULL;
  }
  struct live *l = room ? add_room(h->rooms, room) : NULL;
  if (room && !l)
    sal_refuse(&why, SAL_NO_MEMORY, NULL, NULL);
  if (l)
    h->counters.moves++;
  if (l && c && c->ws)
    messages_opened(c, &o->intent, l);
  else if (!l)
    answer_refusal(h, NULL, &o->intent, &why);
  struct live *before = l && *l->room->head.before
                            ? rooms_find(h->rooms, l->room->head.before)
                            : NULL;
  if (before)
    rematch_is_open(before, l);
  if (l)
    nudge(l); /* only bots sit there, perhaps */
  free(o);
}

static void create(struct rooms *r, const struct room_head *head,
                   const struct intent *from, const char *id) {
  const bool full = r->count >= (size_t)r->house->options.tables;
  struct opening *o = full ? NULL : calloc(1, sizeof *o);
  struct sal_refusal why;
  if (!o) {
    sal_refuse(&why, SAL_FULL, NULL, NULL);
    answer_refusal(r->house, NULL, from, &why);
    return;
  }
  struct sal_text t;
  o->house = r->house;
  o->intent = *from;
  struct store_move *m = &o->intent.move;
  if (id)
    strcpy(m->room, id);
  else
    room_new_id(m->room);
  m->seat = -1;
  m->at = house_time();
  strcpy(m->kind, "open");
  sal_text_init(&t, m->text, sizeof m->text);
  room_head_write(head, &t);
  assert(t.lost == 0);
  o->job.task = STORE_MOVE;
  o->job.move = m;
  o->job.work = furnish;
  o->job.done = opened;
  store_post(r->house->store, &o->job);
}

void rooms_create(struct rooms *r, const struct room_head *head,
                  const struct intent *from) {
  create(r, head, from, NULL);
}

/* ---- Rematches ------------------------------------------------------------ */

/* The old room's move comes first and names the new one, so that there is only
 * one; if the house fell in between, the new one is opened when it wakes. One
 * that was closed already is in the store, which refuses it a second time. */
void rooms_rematch(struct live *l) {
  struct room_head head;
  const struct intent nobody = {.re = "rematch"};
  if (!*l->room->next || rooms_find(l->house->rooms, l->room->next))
    return;
  room_head_again(l->room, &head);
  create(l->house->rooms, &head, &nobody, l->room->next);
}

static void seat_again(struct live *l, int seat, const struct room_sitting *s) {
  const int to = (seat + 1) % l->room->head.setup.players;
  struct intent i = {.move = {.seat = to, .kind = "sit"}};
  struct sal_text t;
  sal_text_init(&t, i.move.text, sizeof i.move.text);
  room_sit_write(s, &t);
  if (l->room->seat[to].kind == SEAT_INVITED)
    rooms_submit(l, &i);
}

static void rematch_is_open(struct live *old, struct live *l) {
  messages_rematch(old);
  for (int s = 0; s < SAL_SEATS_MAX; s++)
    if (old->accepting[s]) {
      seat_again(l, s, old->accepting[s]);
      free(old->accepting[s]);
      old->accepting[s] = NULL;
    }
}

void rooms_accept(struct live *l, int seat, const struct room_sitting *s) {
  struct live *next =
      *l->room->next ? rooms_find(l->house->rooms, l->room->next) : NULL;
  if (next) {
    seat_again(next, seat, s);
    return;
  }
  if (!l->accepting[seat])
    l->accepting[seat] = malloc(sizeof *s);
  if (l->accepting[seat])
    *l->accepting[seat] = *s;
}

/* ---- Housekeeping --------------------------------------------------------- */

/* The time that the house was closed counts against nobody: a move says since
 * when. Until then it was open for sure. */
static void resume_clock(struct live *l) {
  const struct rooms *r = l->house->rooms;
  const int64_t last = l->room->last_at;
  struct intent woke = {.move = {.seat = -1, .kind = "woke"}};
  struct sal_text t;
  sal_text_init(&t, woke.move.text, sizeof woke.move.text);
  sal_text_int(&t, r->alive.until > last ? r->alive.until : last);
  rooms_submit(l, &woke);
}

static void wake(struct live *l, void *context) {
  (void)context;
  l->asleep = l->room->clock.running != 0;
  if (l->asleep)
    resume_clock(l);
  else
    nudge(l);
  rooms_rematch(l);
}

void rooms_wake(struct rooms *r) { rooms_each(r, wake, NULL); }

/* When the house fills up, nobody is waited for at a table whose game is over
 * and written down. */
static bool is_abandoned(const struct live *l, uint64_t now) {
  const struct room *r = l->room;
  const struct house *h = l->house;
  if (l->listeners || room_in_play(r))
    return false;
  if (l->finished && h->rooms->count > (size_t)h->options.tables / 2)
    return true;
  return now - l->quiet_since >
         (uint64_t)(r->table ? CLOSE_OVER_MS : CLOSE_UNBEGUN_MS);
}

/* Whoever has no time left is away. */
static void look_at_clock(struct live *l, int64_t time) {
  const unsigned out = clock_out(&l->room->clock, time);
  for (int s = 0; s < SAL_SEATS_MAX; s++)
    if (out >> s & 1) {
      const struct intent away = {.move = {.seat = s, .kind = "away"}};
      rooms_submit(l, &away);
    }
}

/* Who does not tell their part in time has zeros. */
static void stop_waiting(struct live *l, uint64_t now) {
  const double seconds = l->house->options.reveal_seconds;
  struct intent start = {
      .move = {.seat = -1, .kind = "start", .text = "zeros"}};
  if (now - l->revealing > (uint64_t)(seconds * 1000))
    rooms_submit(l, &start);
}

static void sweep(struct live *l, void *context) {
  struct rooms *r = l->house->rooms;
  const uint64_t now = *(const uint64_t *)context;
  if (l->presence_moved)
    tell_presence(l);
  r->clocks += l->room->clock.running != 0;
  if (l->line || l->advising)
    return;
  if (l->asleep && !l->broken)
    resume_clock(l); /* the store would not take it */
  else if (l->room->clock.running && !l->broken)
    look_at_clock(l, house_time());
  if (room_unrevealed(l->room) && l->revealing)
    stop_waiting(l, now);
  if (l->line || l->thinking)
    return;
  if (l->room->ended) {
    if (!l->listeners)
      remove_room(l);
  } else if (is_abandoned(l, now)) {
    const struct intent end = {.move = {.seat = -1, .kind = "end"}};
    rooms_submit(l, &end);
  } else if (l->stalled) {
    l->stalled = false;
    nudge(l);
  }
}

void rooms_sweep(struct rooms *r) {
  uint64_t now = house_now(r->house);
  if (r->house->closing)
    return;
  r->clocks = 0;
  rooms_each(r, sweep, &now);
  if (r->clocks > 0)
    alive_note(&r->alive, r->house);
}
