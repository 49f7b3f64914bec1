/* Bots think on threads of their own, from a copy of what their seat sees: to
 * move, and to advise a person.
 *
 * Main invariants: no state and no table crosses to a thread, only a view, the
 * legal actions and a memory, all copied when a thread is free and not before.
 * A move comes a fixed time after the question, so that how long a bot took
 * tells nobody anything; advice comes when it is there, to the person who asked
 * alone. Whoever a bot thinks for pays for the time (base/crew.h): tables that
 * somebody watches come first, then those where people sit, then those that
 * people have left; where only bots ever sat, and nobody watches, none thinks. */
#include "think.h"
#include "outgoing.h"

#include "salotto/memory.h"

#include <stdlib.h>
#include <string.h>

/* The least part of its time that a bot is left, however many are asked. */
static const double least_share = 0.1;

struct thinking {
  struct crew_task task; /* first, so that the crew's calls find the rest */
  uv_timer_t pace;
  bool paced; /* the answer is there and waits for its time */
  struct active_room *active_room;
  int seat;
  const struct sal_bot *bot;
  int64_t known_seq;
  uint64_t since;    /* by the loop's clock: when it was asked */
  struct mind *mind; /* NULL until a thread is free */
  struct sal_thought thought;
  struct intent *asks; /* for advice: who; else NULL */
};

/* ---- Time ------------------------------------------------------------------ */

static double seconds_for(const struct thinking *t) {
  const struct server *srv = t->active_room->server;
  const double all = srv->options.bot_seconds;
  const double share = crew_share(srv->thinkers, &t->task);
  const double seconds =
      0.8 * all * (share > least_share ? share : least_share);
  return seconds > 0.01 ? seconds : 0.01;
}

/* ---- For whom -------------------------------------------------------------- */

/* Watched; people sit there; they have gone. */
static int rank_of(const struct active_room *active) {
  const struct room *r = active->room;
  if (active->listeners)
    return 0;
  for (int s = 0; s < r->head.setup.players; s++)
    if (r->seat[s].kind == SEAT_PERSON)
      return 1;
  return 2;
}

/* Whoever opened the table, if they look on; else somebody who sits there and
 * does; else anybody who does; else whoever opened it. */
static struct crew_payer payer_of(const struct active_room *active) {
  const struct subscriber *best = NULL;
  for (const struct listener *l = active->listeners; l; l = l->next_here) {
    const struct subscriber *s = l->subscriber;
    if (s->payer.person == active->opener.person)
      return s->payer;
    if (!best || room_seat_of(active->room, s->payer.person) >= 0)
      best = s;
  }
  return best ? best->payer : active->opener;
}

/* ---- Thinking -------------------------------------------------------------- */

static void think_on_thread(struct crew_task *task) {
  struct thinking *t = (struct thinking *)task;
  mind_think(t->mind, &t->thought);
}

const struct mind *think_mind(const struct crew_task *task) {
  return ((const struct thinking *)task)->mind;
}

bool think_take(struct crew_task *task, const struct sal_thought *answer) {
  struct thinking *t = (struct thinking *)task;
  if (!mind_accepts(t->mind, answer))
    return false;
  t->thought = *answer;
  return true;
}

static void seed_rng(struct sal_rng *rng) {
  struct sal_key random;
  uint64_t number;
  sal_key_random(&random);
  memcpy(&number, random.bytes, sizeof number);
  sal_rng_seed(rng, number);
}

/* Whether the bot is still asked what it was asked. */
static bool still_asked(const struct thinking *t) {
  const struct room *r = t->active_room->room;
  return room_in_play(r) && (room_asked(r) >> t->seat & 1) &&
         (t->asks || room_bot_at(r, t->seat) == t->bot);
}

/* A thread is free: all that the bot will know is copied for it, once more if somebody
 * elsewhere has not answered. */
static bool make_up_mind(struct crew_task *task) {
  struct thinking *t = (struct thinking *)task;
  const struct room *r = t->active_room->room;
  const struct sal_game *g = r->head.game;
  struct mind *m = still_asked(t) ? mind_new(g, t->bot) : NULL;
  if (!m)
    return false;
  free(t->mind);
  t->mind = m;
  t->known_seq = r->seq - 1;
  sal_table_view(r->table, t->seat, (sal_view *)m->view.bytes);
  sal_table_memory(r->table, t->seat, &m->memory);
  seed_rng(&m->rng);
  m->players = r->head.setup.players;
  m->seat = t->seat;
  m->temper = t->bot ? sal_bot_temper(t->bot, t->seat) : SAL_EVEN;
  m->seconds = seconds_for(t);
  m->count = sal_table_legal(r->table, t->seat, m->legal);
  return true;
}

static void free_thinking(struct thinking *t) {
  free(t->mind);
  free(t->asks);
  free(t);
}

static struct thinking *new_thinking(struct active_room *active, int seat,
                                     const struct sal_bot *bot) {
  struct thinking *t = calloc(1, sizeof *t);
  if (!t)
    return NULL;
  t->active_room = active;
  t->seat = seat;
  t->bot = bot;
  t->since = server_now(active->server);
  t->task.begin = make_up_mind;
  t->task.run = think_on_thread;
  t->task.payer = payer_of(active);
  t->task.rank = rank_of(active);
  /* A court that somebody has handed in is known only where it was read. */
  t->task.travels = !room_has_own_court(&active->room->head);
  return t;
}

static void count_thought(const struct thinking *t) {
  struct counters *c = &t->active_room->server->counters;
  c->thoughts++;
  c->simulations += t->thought.simulations;
}

/* ---- Moves ------------------------------------------------------------------ */

static void on_timer_closed(uv_handle_t *timer) { free_thinking(timer->data); }

static void close_pace(struct thinking *t) {
  t->active_room->thinking = NULL;
  t->active_room->server->work_open--;
  uv_close((uv_handle_t *)&t->pace, on_timer_closed);
}

/* The room is the same; whether the question still stands, it will say. */
static void submit_thought(uv_timer_t *timer) {
  struct thinking *t = timer->data;
  struct active_room *active = t->active_room;
  struct intent i = {.known_seq = t->known_seq,
                     .move = {.seat = t->seat, .kind = "act"}};
  struct sal_text text;
  sal_text_init(&text, i.move.text, sizeof i.move.text);
  active->room->head.game->action_text(t->thought.action, &text);
  count_thought(t);
  close_pace(t);
  rooms_submit(active, &i);
}

/* Without an answer: what was asked has changed, or memory is short, which may
 * be better in a moment. */
static void end_thinking(struct thinking *t) {
  struct active_room *active = t->active_room;
  const bool again = still_asked(t);
  active->thinking = NULL;
  active->server->work_open--;
  free_thinking(t);
  if (again)
    room_retry(active);
  else
    rooms_go_on(active);
}

static void thought_is_there(struct crew_task *task, bool ran) {
  struct thinking *t = (struct thinking *)task;
  struct active_room *active = t->active_room;
  struct server *srv = active->server;
  if (!ran || srv->closing) {
    end_thinking(t);
    return;
  }
  const uint64_t now = server_now(srv);
  const uint64_t due = t->since + (uint64_t)(srv->options.bot_seconds * 1000);
  t->paced = true;
  uv_timer_init(&srv->loop, &t->pace);
  t->pace.data = t;
  uv_timer_start(&t->pace, submit_thought, due > now ? due - now : 0, 0);
}

void think_start(struct active_room *active, int seat) {
  if (!active->listeners && !room_has_people(active->room))
    return; /* until somebody looks on */
  struct thinking *t =
      new_thinking(active, seat, room_bot_at(active->room, seat));
  if (!t) {
    room_retry(active);
    return;
  }
  t->task.done = thought_is_there;
  active->thinking = t;
  active->server->work_open++;
  crew_post(active->server->thinkers, &t->task);
}

void think_watch_changed(struct active_room *active) {
  struct thinking *t = active->thinking;
  struct crew *crew = active->server->thinkers;
  if (!t)
    return;
  if (active->listeners || room_has_people(active->room)) {
    crew_move(crew, &t->task, rank_of(active));
  } else if (crew_take_back(crew, &t->task)) {
    active->thinking = NULL;
    active->server->work_open--;
    free_thinking(t);
  }
}

/* ---- Advice ----------------------------------------------------------------- */

static void advice_is_there(struct crew_task *task, bool ran) {
  struct thinking *t = (struct thinking *)task;
  struct active_room *active = t->active_room;
  struct conn *c = ws_find(active->server, t->asks->conn);
  struct sal_refusal why;
  active->advising--;
  active->server->work_open--;
  if (c && ran) {
    struct sal_question question;
    count_thought(t);
    mind_question(t->mind, &question);
    messages_hint(c, t->asks, active->room, &question, &t->thought);
  } else if (c) {
    sal_refuse(&why, active->server->closing ? SAL_CLOSING : SAL_LATE, NULL,
               NULL);
    messages_refuse_at(c, (struct re){t->asks->re, t->asks->tag}, active->room,
                       &why);
  }
  free_thinking(t);
}

bool advise_start(struct active_room *active, const struct intent *asked) {
  struct thinking *t = new_thinking(active, asked->move.seat, NULL);
  if (t)
    t->asks = malloc(sizeof *t->asks);
  if (!t || !t->asks) {
    free(t);
    return false;
  }
  *t->asks = *asked;
  t->task.done = advice_is_there;
  active->advising++;
  active->server->work_open++;
  crew_post(active->server->thinkers, &t->task);
  return true;
}

/* ---- Threads ----------------------------------------------------------------- */

int think_threads(const struct server_options *o) {
  const int cores = (int)uv_available_parallelism();
  return o->bot_threads ? o->bot_threads : cores > 2 ? cores : 2;
}

/* ---- The end ----------------------------------------------------------------- */

static void give_up(struct active_room *active, void *context) {
  (void)context;
  if (active->thinking && active->thinking->paced)
    close_pace(active->thinking);
}

void think_stop(struct server *srv) {
  minds_hurry(true);
  rooms_each(srv->rooms, give_up, NULL);
  crew_stop(srv->thinkers);
}
