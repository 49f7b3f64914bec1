/* Rooms in play. See rooms.h. */
#include "rooms.h"
#include "think.h"
#include "heartbeat.h"
#include "outgoing.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
  LINE_MAX_LENGTH = 16,
  FREE_MAX = 64,
  CLOSE_OVER_MS = 10 * 60 * 1000,    /* a game that is over and left alone */
  CLOSE_UNBEGUN_MS = 30 * 60 * 1000, /* a table where nobody waits */
  COME_BACK_MS = 20 * 1000, /* within which people do, after a restart */
  CLOSE_UNWATCHED_MS = 2 * 60 * 1000 /* a game among bots */
};

struct rooms {
  struct server *server;
  struct hash_table table;
  struct heartbeat heartbeat;
  struct lobby lobby;
  struct opening *openings; /* on their way to the store */
  size_t clocks;            /* rooms where time runs, at the last sweep */
  /* Intents are large for the sake of the few that say much; the last ones are
   * used again, while the processor has them at hand. */
  struct free_list free_intents;
};

/* ---- States --------------------------------------------------------------- */

#define TO(state) (1u << (state))

/* What is broken stays so, whatever else comes to an end. */
void room_enter(struct active_room *active, enum room_phase to) {
  static const unsigned allowed[PHASES] = {
      [PHASE_ASLEEP] = TO(PHASE_AWAKE) | TO(PHASE_BROKEN),
      [PHASE_AWAKE] = TO(PHASE_ASLEEP) | TO(PHASE_FINISHING) | TO(PHASE_BROKEN),
      [PHASE_FINISHING] =
          TO(PHASE_FINISHED) | TO(PHASE_AWAKE) | TO(PHASE_BROKEN),
      [PHASE_FINISHED] = TO(PHASE_BROKEN)};
  if (active->phase == PHASE_BROKEN)
    return;
  (void)allowed; /* without assertions */
  assert(allowed[active->phase] & TO(to));
  active->phase = to;
}

/* The only way from one step to another. */
static void room_do(struct active_room *active, enum room_step to) {
  static const unsigned allowed[STEPS] = {
      [STEP_IDLE] = TO(STEP_WRITING) | TO(STEP_RETRY),
      [STEP_WRITING] = TO(STEP_IDLE),
      [STEP_RETRY] = TO(STEP_IDLE) | TO(STEP_WRITING)};
  (void)allowed;
  assert(allowed[active->step] & TO(to));
  active->step = to;
}

/* While something is written the next step follows anyway. */
void room_retry(struct active_room *active) {
  if (active->step == STEP_IDLE)
    room_do(active, STEP_RETRY);
}

/* ---- The set -------------------------------------------------------------- */

struct active_room *rooms_find(struct rooms *r, const char *id) {
  char key[ROOM_ID + 1] = "";
  const size_t n = strlen(id);
  memcpy(key, id, n <= ROOM_ID ? n : 0);
  return n <= ROOM_ID ? hash_find(&r->table, key) : NULL;
}

/* `each` may end the room. */
void rooms_each(struct rooms *r,
                void (*each)(struct active_room *active, void *context),
                void *context) {
  for (struct active_room *a = hash_next(&r->table, NULL), *next; a; a = next) {
    next = hash_next(&r->table, a);
    each(a, context);
  }
}

size_t rooms_count(const struct rooms *r) { return r->table.count; }

size_t rooms_waiting_of(struct rooms *r, int64_t person) {
  size_t n = 0;
  for (const struct active_room *a = NULL; (a = hash_next(&r->table, a));)
    n += a->room->head.by == person && !a->room->table && !a->room->ended;
  return n;
}

struct lobby *rooms_lobby(struct rooms *r) {
  return &r->lobby;
}

struct rooms *rooms_new(struct server *srv) {
  struct rooms *r = calloc(1, sizeof *r);
  if (!r)
    return NULL;
  r->server = srv;
  hash_init(&r->table, offsetof(struct active_room, id), ROOM_ID + 1);
  return r;
}

/* Takes the room over; NULL (and the room is freed) if memory is short. */
static struct active_room *add_room(struct rooms *r, struct room *room) {
  struct active_room *active = calloc(1, sizeof *active);
  if (active)
    strcpy(active->id, room->id);
  if (!active || !hash_add(&r->table, active)) {
    room_free(room);
    free(active);
    return NULL;
  }
  active->room = room;
  active->server = r->server;
  active->line_end = &active->line;
  active->phase = PHASE_AWAKE;
  active->quiet_since = server_now(r->server);
  for (int s = 0; s < SAL_SEATS_MAX; s++)
    bucket_fill(&active->advice[s], active->quiet_since, 3);
  r->lobby.fresh = false;
  return active;
}

static void free_active_room(void *gone) {
  struct active_room *active = gone;
  for (struct intent *i = active->line, *next; i; i = next) {
    next = i->next;
    free(i);
  }
  for (int s = 0; s < SAL_SEATS_MAX; s++)
    free(active->accepting[s]);
  store_moves_free(&active->moves);
  chat_log_free(&active->chat);
  room_free(active->room);
  free(active);
}

/* Nobody may listen any more, and nothing be on its way. */
static void remove_room(struct active_room *active) {
  struct rooms *r = active->server->rooms;
  assert(!active->listeners && active->step != STEP_WRITING &&
         !active->thinking && !active->advising);
  hash_remove(&r->table, active);
  r->lobby.fresh = false;
  free_active_room(active);
}

void rooms_free(struct rooms *r) {
  if (r) {
    hash_free(&r->table, free_active_room);
    free_list_clear(&r->free_intents);
    free(r->lobby.tables);
  }
  free(r);
}

/* ---- After a restart ------------------------------------------------------ */

struct loading {
  struct rooms *rooms;
  struct active_room *active_room;
  char skipped[STORE_ROOM_MAX + 1]; /* a room that could not be rebuilt */
  int64_t newest;                   /* when the last move was made */
};

/* A room that does not fit this program is left in the store as it is, and
 * does not keep the others from opening. */
static void skip_room(struct loading *g, const struct store_move *m,
                      const struct sal_refusal *why) {
  char some[7] = ""; /* the whole id would open the door */
  memcpy(some, m->room, sizeof some - 1);
  server_log("error", "room-not-rebuilt", "table", some, "why", why->message,
             NULL);
  strcpy(g->skipped, m->room);
  if (g->active_room)
    remove_room(g->active_room);
  g->active_room = NULL;
}

static int load_move(void *context, const struct store_move *m) {
  struct loading *g = context;
  struct sal_refusal why;
  if (strcmp(m->room, g->skipped) == 0)
    return 0;
  if (m->at > g->newest)
    g->newest = m->at;
  if (!g->active_room || strcmp(g->active_room->room->id, m->room) != 0) {
    struct room *room = room_open(m, &why);
    g->active_room = room ? add_room(g->rooms, room) : NULL;
    if (room &&
        (!g->active_room || !store_moves_add(&g->active_room->moves, m)))
      return SAL_NO_MEMORY;
    if (!room)
      skip_room(g, m, &why);
    return 0;
  }
  struct room *room = g->active_room->room;
  if (m->seq != room->seq) {
    sal_refuse(&why, SAL_BAD_RECORD, NULL, "a move is missing");
    skip_room(g, m, &why);
  } else if (room_replay(room, m, &why) != 0) {
    skip_room(g, m, &why);
  } else if (!store_moves_add(&g->active_room->moves, m)) {
    return SAL_NO_MEMORY;
  }
  return 0;
}

/* Where a clock was set back since, time would stand still for who is to move: it
 * goes on from the last move instead. */
int rooms_load(struct rooms *r) {
  struct loading g = {.rooms = r};
  int error = heartbeat_read(&r->heartbeat, r->server->store);
  if (!error)
    error = store_each_move(r->server->store, load_move, &g);
  if (g.newest > server_time())
    server_time_is(g.newest);
  return error;
}

/* ---- Listening ------------------------------------------------------------ */

/* Mask of the seats whose person listens. */
static unsigned listening(const struct active_room *active) {
  unsigned mask = 0;
  for (const struct listener *i = active->listeners; i; i = i->next_here) {
    const int seat = room_seat_of(active->room, i->subscriber->person);
    mask |= seat >= 0 ? 1u << seat : 0;
  }
  return mask;
}

/* Who goes is told about a moment later, not while the listeners are being told
 * something else; and who only loads a page again is not seen to go. */
static void announce_presence(struct active_room *active) {
  const unsigned now = listening(active), was = active->present;
  active->server->rooms->lobby.fresh = false;
  active->presence_moved = false;
  active->present = now;
  for (int s = 0; s < active->room->head.setup.players; s++)
    if ((now ^ was) >> s & 1)
      messages_presence(active, s, now >> s & 1);
}

bool rooms_listens(const struct active_room *active,
                   const struct subscriber *s) {
  for (const struct listener *i = s->tables; i; i = i->next_table)
    if (i->active_room == active)
      return true;
  return false;
}

bool rooms_listen(struct active_room *active, struct subscriber *s) {
  struct listener *i = calloc(1, sizeof *i);
  if (!i)
    return false;
  *i = (struct listener){active, s, s->conn, active->listeners, s->tables};
  active->listeners = s->tables = i;
  announce_presence(active);
  think_watch_changed(active);
  rooms_go_on(active); /* bots may have waited for somebody to look on */
  return true;
}

static void cut_here(struct listener *gone) {
  struct active_room *active = gone->active_room;
  struct listener **at = &active->listeners;
  while (*at != gone)
    at = &(*at)->next_here;
  *at = gone->next_here;
  active->presence_moved = true;
  active->server->rooms->lobby.fresh = false;
  if (active->listeners)
    return;
  active->quiet_since = server_now(active->server);
  think_watch_changed(active);
}

void rooms_unlisten(struct active_room *active, struct subscriber *s) {
  for (struct listener **at = &s->tables; *at; at = &(*at)->next_table)
    if ((*at)->active_room == active) {
      struct listener *gone = *at;
      *at = gone->next_table;
      cut_here(gone);
      free(gone);
      return;
    }
}

void rooms_forget(struct subscriber *s) {
  for (struct listener *i = s->tables, *next; i; i = next) {
    next = i->next_table;
    cut_here(i);
    free(i);
  }
  s->tables = NULL;
}

/* ---- The line of moves ---------------------------------------------------- */

static void post_next(struct active_room *active);
static void open_rematch(struct active_room *active);
static void rematch_is_open(struct active_room *old,
                            struct active_room *active);

static void answer_refusal(struct server *srv, const struct room *r,
                           const struct intent *i,
                           const struct sal_refusal *why) {
  struct conn *c = ws_find(srv, i->conn);
  if (c)
    messages_refuse_at(c, (struct re){i->re, i->tag}, r, why);
}

/* What the server itself does next: begin, or ask a bot. */
void rooms_go_on(struct active_room *active) {
  struct room *r = active->room;
  if (active->server->closing || active->phase == PHASE_BROKEN || r->ended ||
      active->line)
    return;
  if (room_unrevealed(r) && !active->reveal_by) {
    const double seconds = active->server->options.reveal_seconds;
    active->reveal_by =
        server_now(active->server) + (uint64_t)(seconds * 1000) + 1;
    messages_reveal(active);
  }
  if (!r->table && room_is_full(r) && !room_unrevealed(r)) {
    struct intent start = {.move = {.seat = -1, .kind = "start"}};
    rooms_submit(active, &start);
    return;
  }
  if (!r->table)
    return;
  if (!room_in_play(r)) {
    if (active->phase == PHASE_ASLEEP) /* it ended before it woke */
      room_enter(active, PHASE_AWAKE);
    if (active->phase == PHASE_AWAKE)
      finish_start(active);
    return;
  }
  for (int s = 0; s < r->head.setup.players; s++)
    if ((room_asked(r) >> s & 1) && room_bot_at(r, s)) {
      if (!active->thinking)
        think_start(active, s);
      return;
    }
}

static struct intent *copy_intent(struct rooms *r, const struct intent *from) {
  struct intent *i = free_list_take(&r->free_intents, sizeof *i);
  if (!i)
    return NULL;
  memcpy(i, from,
         offsetof(struct intent, move.text) + strlen(from->move.text) + 1);
  return i;
}

static void pop_intent(struct active_room *active) {
  struct rooms *r = active->server->rooms;
  struct intent *gone = active->line;
  active->line = gone->next;
  if (!active->line)
    active->line_end = &active->line;
  active->line_length--;
  free_list_put(&r->free_intents, gone, FREE_MAX);
}

/* The move is durable: it is made, told, answered. */
static void apply_durable_move(struct active_room *active,
                               const struct store_move *m, sal_action action) {
  struct room *r = active->room;
  struct sal_refusal why;
  const size_t events = r->table ? sal_table_event_count(r->table) : 0;
  if (room_make(r, m, action, &why) != 0) {
    room_enter(active, PHASE_BROKEN);
    server_log("error", "move-not-made", "why", why.message, NULL);
    return;
  }
  active->server->counters.moves++;
  if (strcmp(m->kind, "woke") == 0 && active->phase == PHASE_ASLEEP)
    room_enter(active, PHASE_AWAKE);
  if (strcmp(m->kind, "act") != 0)
    active->present = listening(active); /* which this move tells */
  if (strcmp(m->kind, "act") != 0 || !room_in_play(r))
    active->server->rooms->lobby.fresh = false;
  messages_moved(active, m, events);
}

static struct active_room *active_room_of(struct store_job *job) {
  return (struct active_room *)((char *)job -
                                offsetof(struct active_room, job));
}

/* Tells whoever asked that the move is made; what comes of it they hear with
 * the others. */
static void acknowledge(struct active_room *active, const struct intent *i) {
  struct conn *c = ws_find(active->server, i->conn);
  struct sal_refusal why;
  if (!c)
    return;
  if (strcmp(i->move.kind, "hint") != 0) {
    messages_done(c, i);
  } else if (!advise_start(active, i)) {
    sal_refuse(&why, SAL_NO_MEMORY, NULL, NULL);
    answer_refusal(active->server, active->room, i, &why);
  }
}

static void move_is_durable(struct store_job *job, int error) {
  struct active_room *active = active_room_of(job);
  struct intent *i = active->line;
  struct sal_refusal why;
  room_do(active, STEP_IDLE);
  if (error) {
    free(job->move);
    sal_refuse(&why, error, NULL, NULL);
    answer_refusal(active->server, active->room, i, &why);
    room_retry(active);
    pop_intent(active);
    /* What waits behind would meet the same trouble, but may try. */
    if (active->line)
      post_next(active);
    return;
  }
  active->moves.at[active->moves.count++] = job->move;
  acknowledge(active, i);
  apply_durable_move(active, job->move, i->action);
  if (strcmp(i->move.kind, "rematch") == 0)
    open_rematch(active);
  if (i->since)
    server_move_is_written(active->server, i->since);
  pop_intent(active);
  post_next(active);
}

/* The room's own copy is what goes to the store; so nothing can fail once it is
 * durable. */
static bool post_move(struct active_room *active, struct intent *i) {
  strcpy(i->move.room, active->room->id);
  i->move.seq = active->room->seq;
  struct store_move *copy =
      store_moves_reserve(&active->moves) ? store_move_copy(&i->move) : NULL;
  if (!copy)
    return false;
  room_do(active, STEP_WRITING);
  active->job.call = store_append;
  active->job.move = copy;
  active->job.before = &active->moves;
  active->job.done = move_is_durable;
  store_post(active->server->store, &active->job);
  return true;
}

/* Posts the first move of the line that may be made; refuses those before it. */
static void post_next(struct active_room *active) {
  while (active->line && active->step != STEP_WRITING) {
    struct sal_refusal why;
    active->line->move.at = server_time();
    if (active->phase == PHASE_BROKEN)
      sal_refuse(&why, SAL_NO_MEMORY, NULL, NULL);
    else if (room_check(active->room, &active->line->move,
                        active->line->known_seq, &active->line->action,
                        &why) == 0) {
      if (post_move(active, active->line))
        return;
      sal_refuse(&why, SAL_NO_MEMORY, NULL, NULL);
    }
    answer_refusal(active->server, active->room, active->line, &why);
    pop_intent(active);
  }
  if (active->step != STEP_WRITING)
    rooms_go_on(active);
}

void rooms_submit(struct active_room *active, const struct intent *wanted) {
  struct sal_refusal why;
  struct intent *i = NULL;
  if (active->server->closing)
    sal_refuse(&why, SAL_CLOSING, NULL, NULL);
  else if (active->line_length >= LINE_MAX_LENGTH)
    sal_refuse(&why, SAL_SLOW_DOWN, NULL, NULL);
  else if (!(i = copy_intent(active->server->rooms, wanted)))
    sal_refuse(&why, SAL_NO_MEMORY, NULL, NULL);
  if (!i) {
    answer_refusal(active->server, active->room, wanted, &why);
    return;
  }
  i->next = NULL;
  *active->line_end = i;
  active->line_end = &i->next;
  if (active->line_length++ == 0)
    post_next(active);
}

/* ---- New rooms ------------------------------------------------------------ */

struct opening {
  struct store_job job; /* first, so that `done` finds the rest */
  struct opening *next; /* of those on their way */
  struct server *server;
  struct crew_payer opener;
  bool has_bots;
  struct intent intent;
  struct room *room; /* or why not */
  struct sal_refusal why;
};

static bool has_bots(const struct room_head *head) {
  for (int s = 0; s < head->setup.players; s++)
    if (head->bot[s])
      return true;
  return false;
}

/* Whether bots play there, or soon will, for somebody who looks on. A game that
 * waits for a person who has gone asks nothing of them. */
static bool keeps_bots_busy(const struct active_room *active) {
  const struct room *r = active->room;
  return has_bots(&r->head) && !r->ended && (!r->table || room_in_play(r)) &&
         (active->listeners || active->thinking);
}

struct counting {
  const struct crew_payer *opener;
  struct rooms_with_bots found;
};

static void count_bots_of(struct counting *n, const struct crew_payer *p) {
  n->found.of_person += p->person == n->opener->person;
  n->found.of_address +=
      memcmp(p->network, n->opener->network, CREW_NETWORK) == 0;
}

static void count_with_bots(struct active_room *active, void *context) {
  if (keeps_bots_busy(active))
    count_bots_of(context, &active->opener);
}

struct rooms_with_bots rooms_with_bots(struct rooms *r,
                                       const struct crew_payer *opener) {
  struct counting n = {.opener = opener};
  rooms_each(r, count_with_bots, &n);
  for (const struct opening *o = r->openings; o; o = o->next)
    if (o->has_bots)
      count_bots_of(&n, &o->opener);
  return n.found;
}

/* Its keys take a while. */
static void open_room(struct store_job *job) {
  struct opening *o = (struct opening *)job;
  o->room = room_open(&o->intent.move, &o->why);
}

static void unlist_opening(const struct opening *gone) {
  struct opening **at = &gone->server->rooms->openings;
  while (*at != gone)
    at = &(*at)->next;
  *at = gone->next;
}

bool rooms_opens(const struct rooms *r, const char *id) {
  const struct opening *o = r->openings;
  while (o && strcmp(o->intent.move.room, id) != 0)
    o = o->next;
  return o != NULL;
}

static void room_is_durable(struct store_job *job, int error) {
  struct opening *o = (struct opening *)job;
  struct server *srv = o->server;
  struct sal_refusal why = o->why;
  struct conn *c = ws_find(srv, o->intent.conn);
  struct room *room = o->room;
  if (error) {
    sal_refuse(&why, error, NULL, NULL);
    room_free(room);
    room = NULL;
  }
  struct active_room *active = room ? add_room(srv->rooms, room) : NULL;
  if (active && !store_moves_add(&active->moves, job->move)) {
    remove_room(active); /* it is there when the server starts again */
    active = NULL;
  }
  unlist_opening(o);
  if (room && !active)
    sal_refuse(&why, SAL_NO_MEMORY, NULL, NULL);
  if (active) {
    active->opener = o->opener;
    srv->counters.moves++;
  }
  if (active && c)
    messages_opened(c, &o->intent, active);
  else if (!active)
    answer_refusal(srv, NULL, &o->intent, &why);
  struct active_room *before =
      active && *active->room->head.before
          ? rooms_find(srv->rooms, active->room->head.before)
          : NULL;
  if (before)
    rematch_is_open(before, active);
  if (active)
    rooms_go_on(active); /* only bots sit there, perhaps */
  free(o);
}

static void post_opening(struct rooms *r, const struct room_head *head,
                         const struct crew_payer *opener,
                         const struct intent *from, const char *id) {
  const bool full = rooms_count(r) >= (size_t)r->server->options.tables;
  struct opening *o = full ? NULL : calloc(1, sizeof *o);
  struct sal_refusal why;
  if (!o) {
    sal_refuse(&why, SAL_FULL, NULL, NULL);
    answer_refusal(r->server, NULL, from, &why);
    return;
  }
  struct sal_text t;
  o->server = r->server;
  o->opener = *opener;
  o->has_bots = has_bots(head);
  o->next = r->openings;
  r->openings = o;
  o->intent = *from;
  struct store_move *m = &o->intent.move;
  if (id)
    strcpy(m->room, id);
  else
    room_new_id(m->room);
  m->seat = -1;
  m->at = server_time();
  strcpy(m->kind, "open");
  sal_text_init(&t, m->text, sizeof m->text);
  room_head_write(head, &t);
  assert(t.lost == 0);
  o->job.call = store_append;
  o->job.move = m;
  o->job.work = open_room;
  o->job.done = room_is_durable;
  store_post(r->server->store, &o->job);
}

void rooms_create(struct rooms *r, const struct room_head *head,
                  const struct crew_payer *opener, const struct intent *from) {
  post_opening(r, head, opener, from, NULL);
}

/* ---- Rematches ------------------------------------------------------------ */

/* The rematch of a room whose moves name it; does nothing if it is there.
 * The old room's move comes first and names the new one, so that there is only
 * one; if the server fell in between, the new one is opened when it wakes. One
 * that was closed already is in the store, which refuses it a second time. */
static void open_rematch(struct active_room *active) {
  struct room_head head;
  const struct intent nobody = {.re = "rematch"};
  if (!*active->room->next ||
      rooms_find(active->server->rooms, active->room->next))
    return;
  room_head_again(active->room, &head);
  post_opening(active->server->rooms, &head, &active->opener, &nobody,
               active->room->next);
}

static void seat_again(struct active_room *active, int seat,
                       const struct room_sitting *s) {
  const int to = (seat + 1) % active->room->head.setup.players;
  struct intent i = {.move = {.seat = to, .kind = "sit"}};
  struct sal_text t;
  sal_text_init(&t, i.move.text, sizeof i.move.text);
  room_sit_write(s, &t);
  if (active->room->seat[to].kind == SEAT_INVITED)
    rooms_submit(active, &i);
}

static void rematch_is_open(struct active_room *old,
                            struct active_room *active) {
  messages_rematch(old);
  for (int s = 0; s < SAL_SEATS_MAX; s++)
    if (old->accepting[s]) {
      seat_again(active, s, old->accepting[s]);
      free(old->accepting[s]);
      old->accepting[s] = NULL;
    }
}

void rooms_accept(struct active_room *active, int seat,
                  const struct room_sitting *s) {
  struct active_room *next =
      *active->room->next
          ? rooms_find(active->server->rooms, active->room->next)
          : NULL;
  if (next) {
    seat_again(next, seat, s);
    return;
  }
  if (!active->accepting[seat])
    active->accepting[seat] = malloc(sizeof *s);
  if (active->accepting[seat])
    *active->accepting[seat] = *s;
}

/* ---- Deleting an account -------------------------------------------------- */

static void stand_up(struct active_room *active, void *context) {
  const struct room *r = active->room;
  struct intent i = {0};
  i.move.seat = room_seat_of(r, *(const int64_t *)context);
  if (i.move.seat < 0 || r->ended || (r->table && !room_in_play(r)))
    return;
  strcpy(i.move.kind, r->table ? "resign" : "leave");
  strcpy(i.move.text, r->table ? room_resign_text(r, true) : "");
  rooms_submit(active, &i);
}

void rooms_stand_up(struct server *srv, int64_t person) {
  rooms_each(srv->rooms, stand_up, &person);
}

struct renaming {
  int64_t person;
  const char *name;
};

/* In the text of the move with which somebody sat down. There is no room for a
 * longer one: then it has none. */
static void rename_sitter(struct store_move *m, const struct renaming *to) {
  json_t *sit = json_loads(m->text, 0, NULL);
  const json_t *who = json_object_get(sit, "person");
  const char *names[] = {to->name, ""};
  bool done = !json_is_integer(who) || json_integer_value(who) != to->person;
  for (int i = 0; i < 2 && !done; i++) {
    json_object_set_new(sit, "name", json_string(names[i]));
    char *text = json_dumps(sit, JSON_COMPACT);
    done = text && strlen(text) <= strlen(m->text);
    if (done)
      strcpy(m->text, text);
    free(text);
  }
  json_decref(sit);
}

static void rename_at(struct active_room *active, void *context) {
  const struct renaming *to = context;
  for (int s = 0; s < active->room->head.setup.players; s++)
    if (active->room->seat[s].person == to->person)
      strcpy(active->room->seat[s].name, to->name);
  for (size_t i = 0; i < active->moves.count; i++)
    if (strcmp(active->moves.at[i]->kind, "sit") == 0)
      rename_sitter(active->moves.at[i], to);
  active->server->rooms->lobby.fresh = false;
}

void rooms_rename(struct server *srv, int64_t person, const char *name) {
  struct renaming to = {person, name};
  rooms_each(srv->rooms, rename_at, &to);
}

/* ---- Housekeeping --------------------------------------------------------- */

/* The time that the server was closed counts against nobody: a move says since
 * when. Until then it was open for sure. */
static void resume_clock(struct active_room *active) {
  const struct rooms *r = active->server->rooms;
  const int64_t last = active->room->last_at;
  struct intent woke = {.move = {.seat = -1, .kind = "woke"}};
  struct sal_text t;
  sal_text_init(&t, woke.move.text, sizeof woke.move.text);
  sal_text_int(&t, r->heartbeat.beat.at > last ? r->heartbeat.beat.at : last);
  rooms_submit(active, &woke);
}

/* A game that ended before a restart has been left alone since it ended. */
static void count_quiet_before(struct active_room *active) {
  const int64_t most = CLOSE_OVER_MS - COME_BACK_MS;
  const int64_t over = server_time() - active->room->over_at;
  if (active->room->over_at && over > 0)
    active->quiet_since -= (uint64_t)(over < most ? over : most);
}

static void wake_room(struct active_room *active, void *context) {
  (void)context;
  count_quiet_before(active);
  active->called = room_asked(active->room);
  if (active->room->clock.running) {
    room_enter(active, PHASE_ASLEEP);
    resume_clock(active);
  } else
    rooms_go_on(active);
  open_rematch(active);
}

void rooms_wake(struct rooms *r) { rooms_each(r, wake_room, NULL); }

/* When the server fills up, nobody is waited for at a table whose game is over
 * and written down. */
static bool is_abandoned(const struct active_room *active, uint64_t now) {
  const struct room *r = active->room;
  const struct server *srv = active->server;
  if (active->listeners || (room_in_play(r) && room_has_people(r)))
    return false;
  if (room_in_play(r)) /* among bots, and nobody looks on */
    return now - active->quiet_since > CLOSE_UNWATCHED_MS;
  if (active->phase == PHASE_FINISHED &&
      rooms_count(srv->rooms) > (size_t)srv->options.tables / 2)
    return true;
  return now - active->quiet_since >
         (uint64_t)(r->table ? CLOSE_OVER_MS : CLOSE_UNBEGUN_MS);
}

/* Whoever has no time left is away. */
static void look_at_clock(struct active_room *active, int64_t time) {
  const unsigned out = clock_out(&active->room->clock, time);
  for (int s = 0; s < SAL_SEATS_MAX; s++)
    if (out >> s & 1) {
      const struct intent away = {.move = {.seat = s, .kind = "away"}};
      rooms_submit(active, &away);
    }
}

/* Who does not tell their part in time has zeros. */
static void stop_waiting(struct active_room *active, uint64_t now) {
  const struct intent start = {
      .move = {.seat = -1, .kind = "start", .text = "zeros"}};
  if (now >= active->reveal_by)
    rooms_submit(active, &start);
}

static void sweep_room(struct active_room *active, void *context) {
  struct rooms *r = active->server->rooms;
  const uint64_t now = *(const uint64_t *)context;
  if (active->presence_moved)
    announce_presence(active);
  r->clocks += active->room->clock.running != 0;
  if (active->line || active->advising)
    return;
  if (active->phase == PHASE_ASLEEP)
    resume_clock(active); /* the store would not take it */
  else if (active->room->clock.running && active->phase != PHASE_BROKEN)
    look_at_clock(active, server_time());
  if (room_unrevealed(active->room) && active->reveal_by)
    stop_waiting(active, now);
  if (active->line || active->thinking)
    return;
  if (active->room->ended) {
    if (!active->listeners)
      remove_room(active);
  } else if (is_abandoned(active, now)) {
    const struct intent end = {.move = {.seat = -1, .kind = "end"}};
    rooms_submit(active, &end);
  } else if (active->step == STEP_RETRY) {
    room_do(active, STEP_IDLE);
    rooms_go_on(active);
  }
}

uint64_t rooms_writes(const struct rooms *r) { return r->heartbeat.writes; }

void rooms_try_to_write(struct rooms *r) {
  heartbeat_try(&r->heartbeat, r->server);
}

void rooms_sweep(struct rooms *r) {
  uint64_t now = server_now(r->server);
  if (r->server->closing)
    return;
  r->clocks = 0;
  rooms_each(r, sweep_room, &now);
  if (r->clocks > 0)
    heartbeat_note(&r->heartbeat, r->server);
}
