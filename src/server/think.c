/* Bots think on worker threads, from a copy of what their seat sees: to move,
 * and to advise a person.
 *
 * Main invariant: no state and no table crosses to a worker, only a view, the
 * legal actions and a memory, all copied. A move comes a fixed time after the
 * question, so that how long a bot took tells nobody anything; advice comes
 * when it is there, to the person who asked alone. */
#include "messages.h"

#include "salotto/memory.h"

#include <stdlib.h>
#include <string.h>

struct thinking {
  uv_work_t work;
  uv_timer_t pace;
  struct live *live;
  int64_t answers;
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

static void on_worker(uv_work_t *work) {
  struct thinking *t = work->data;
  t->bot->think(&t->question, &t->rng, &t->thought);
}

/* Everything that the bot will know. NULL: no memory. */
static struct thinking *prepare(struct live *l, int seat,
                                const struct sal_bot *bot) {
  const struct room *r = l->room;
  const struct sal_game *g = r->head.game;
  const double seconds = l->house->options.bot_seconds;
  struct thinking *t =
      calloc(1, sizeof *t + g->info.legal_max * sizeof *t->legal);
  if (!t)
    return NULL;
  t->live = l;
  t->bot = bot;
  t->answers = r->seq - 1;
  t->due = house_now(l->house) + (uint64_t)(seconds * 1000);
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
static void answer(uv_timer_t *timer) {
  struct thinking *t = timer->data;
  struct live *l = t->live;
  struct intent i = {.answers = t->answers,
                     .move = {.seat = t->question.seat, .kind = "act"}};
  struct sal_text text;
  sal_text_init(&text, i.move.text, sizeof i.move.text);
  t->question.game->action_text(t->thought.action, &text);
  l->thinking = false;
  l->house->work_open--;
  l->house->counters.thoughts++;
  uv_close((uv_handle_t *)timer, on_timer_closed);
  rooms_submit(l, &i);
}

static void after_work(uv_work_t *work, int status) {
  struct thinking *t = work->data;
  const uint64_t now = house_now(t->live->house);
  (void)status; /* never cancelled */
  uv_timer_start(&t->pace, answer, t->due > now ? t->due - now : 0, 0);
}

void think_start(struct live *l, int seat) {
  struct house *h = l->house;
  struct thinking *t = prepare(l, seat, room_bot_at(l->room, seat));
  if (!t) {
    l->stalled = true;
    return;
  }
  uv_timer_init(&h->loop, &t->pace);
  if (uv_queue_work(&h->loop, &t->work, on_worker, after_work) != 0) {
    l->stalled = true;
    uv_close((uv_handle_t *)&t->pace, on_timer_closed);
    return;
  }
  l->thinking = true;
  h->work_open++;
}

/* ---- Advice --------------------------------------------------------------- */

static void after_advice(uv_work_t *work, int status) {
  struct thinking *t = work->data;
  struct live *l = t->live;
  struct conn *c = conn_find(l->house, t->asked.conn);
  (void)status;
  l->advising--;
  l->house->work_open--;
  l->house->counters.thoughts++;
  if (c && c->ws)
    messages_hint(c, &t->asked, l->room, &t->question, &t->thought);
  free(t);
}

bool advise_start(struct live *l, const struct intent *asked) {
  struct house *h = l->house;
  struct thinking *t = prepare(l, asked->move.seat, sal_bot_find("expert"));
  if (!t)
    return false;
  t->asked = *asked;
  if (uv_queue_work(&h->loop, &t->work, on_worker, after_advice) != 0) {
    free(t);
    return false;
  }
  l->advising++;
  h->work_open++;
  return true;
}
