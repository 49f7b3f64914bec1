/* Bots think on worker threads, from a copy of what their seat sees: to move,
 * and to advise a person.
 *
 * Main invariant: no state and no table crosses to a worker, only a view, the
 * legal actions and a memory, all copied. A move comes a fixed time after the
 * question, so that how long a bot took tells nobody anything; advice comes
 * when it is there, to the person who asked alone. */
#include "outgoing.h"

#include "salotto/memory.h"

#include <stdlib.h>
#include <string.h>

struct thinking {
  uv_work_t work;
  uv_timer_t pace;
  struct active_room *active_room;
  int64_t known_seq;
  uint64_t due; /* by the loop's clock */
  const struct sal_bot *bot;
  struct sal_question question;
  struct sal_rng rng;
  union sal_view_box view;
  struct sal_memory memory;
  struct sal_thought thought;
  struct intent asked; /* for advice: who asked */
  sal_action legal[];
};

static void think_on_worker(uv_work_t *work) {
  struct thinking *t = work->data;
  t->bot->think(&t->question, &t->rng, &t->thought);
}

/* Everything that the bot will know. NULL: no memory. */
static struct thinking *prepare_thinking(struct active_room *active, int seat,
                                         const struct sal_bot *bot) {
  const struct room *r = active->room;
  const struct sal_game *g = r->head.game;
  const double seconds = active->server->options.bot_seconds;
  struct thinking *t =
      calloc(1, sizeof *t + g->info.legal_max * sizeof *t->legal);
  if (!t)
    return NULL;
  t->active_room = active;
  t->bot = bot;
  t->known_seq = r->seq - 1;
  t->due = server_now(active->server) + (uint64_t)(seconds * 1000);
  sal_table_view(r->table, seat, (sal_view *)t->view.bytes);
  sal_table_memory(r->table, seat, &t->memory);
  struct sal_key random;
  uint64_t number;
  sal_key_random(&random);
  memcpy(&number, random.bytes, sizeof number);
  sal_rng_seed(&t->rng, number);
  t->question = (struct sal_question){
      .game = g,
      .players = r->head.setup.players,
      .seat = seat,
      .view = (const sal_view *)t->view.bytes,
      .legal = t->legal,
      .count = sal_table_legal(r->table, seat, t->legal),
      .memory = &t->memory,
      .budget = sal_budget_seconds(seconds > 0.02 ? 0.8 * seconds : 0.01)};
  t->work.data = t->pace.data = t;
  return t;
}

/* ---- Moves ---------------------------------------------------------------- */

static void on_timer_closed(uv_handle_t *timer) { free(timer->data); }

/* The room is the same; whether the question still stands, it will say. */
static void submit_thought(uv_timer_t *timer) {
  struct thinking *t = timer->data;
  struct active_room *active = t->active_room;
  struct intent i = {.known_seq = t->known_seq,
                     .move = {.seat = t->question.seat, .kind = "act"}};
  struct sal_text text;
  sal_text_init(&text, i.move.text, sizeof i.move.text);
  t->question.game->action_text(t->thought.action, &text);
  active->thinking = false;
  active->server->work_open--;
  active->server->counters.thoughts++;
  uv_close((uv_handle_t *)timer, on_timer_closed);
  rooms_submit(active, &i);
}

static void thought_is_there(uv_work_t *work, int status) {
  struct thinking *t = work->data;
  const uint64_t now = server_now(t->active_room->server);
  (void)status; /* never cancelled */
  uv_timer_start(&t->pace, submit_thought, t->due > now ? t->due - now : 0, 0);
}

void think_start(struct active_room *active, int seat) {
  struct server *srv = active->server;
  struct thinking *t =
      prepare_thinking(active, seat, room_bot_at(active->room, seat));
  if (!t) {
    active->stalled = true;
    return;
  }
  uv_timer_init(&srv->loop, &t->pace);
  if (uv_queue_work(&srv->loop, &t->work, think_on_worker, thought_is_there) !=
      0) {
    active->stalled = true;
    uv_close((uv_handle_t *)&t->pace, on_timer_closed);
    return;
  }
  active->thinking = true;
  srv->work_open++;
}

/* ---- Advice --------------------------------------------------------------- */

static void after_advice(uv_work_t *work, int status) {
  struct thinking *t = work->data;
  struct active_room *active = t->active_room;
  struct conn *c = ws_find(active->server, t->asked.conn);
  (void)status;
  active->advising--;
  active->server->work_open--;
  active->server->counters.thoughts++;
  if (c)
    messages_hint(c, &t->asked, active->room, &t->question, &t->thought);
  free(t);
}

bool advise_start(struct active_room *active, const struct intent *asked) {
  struct server *srv = active->server;
  struct thinking *t =
      prepare_thinking(active, asked->move.seat, sal_bot_find("expert"));
  if (!t)
    return false;
  t->asked = *asked;
  if (uv_queue_work(&srv->loop, &t->work, think_on_worker, after_advice) != 0) {
    free(t);
    return false;
  }
  active->advising++;
  srv->work_open++;
  return true;
}
