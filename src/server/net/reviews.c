/* Reviews of finished games. See reviews.h. */
#include "reviews.h"
#include "base/crew.h"
#include "base/network.h"
#include "history.h"
#include "http.h"
#include "rooms/rooms.h"
#include "routes.h"
#include "store/progress_store.h"
#include "store/review_store.h"

#include "salotto/review.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Reviews that are kept, and those that are computed at a time: in all, and of
 * one address. */
enum { KEPT = 32, OPEN_MAX = 8, OPEN_OF_ADDRESS = 2 };
/* What goes out at once; a connection takes no more than a MiB. */
enum { TOLD_MAX = 700 * 1024 };
static const double TURN_SECONDS = 0.2;

struct job {
  struct crew_task task; /* first, so that the crew's calls find the rest */
  struct server *server;
  char id[ROOM_ID + 1];
  char *record;
  bool working;
  uint64_t used;
  int64_t at, sitter[SAL_SEATS_MAX]; /* when it was played, and who sat there */
  /* Of the thread, while it works. */
  sal_table *table;
  sal_review *review;
  /* What the loop may look at: these steps do not change any more. */
  size_t told;
  bool failed;
};

struct reviews {
  struct job *kept[KEPT];
};

static bool is_whole(const struct job *j) {
  return !j->failed && j->told == sal_review_steps(j->review);
}

static void free_job(struct job *j) {
  sal_review_free(j->review);
  sal_table_free(j->table);
  free(j->record);
  free(j);
}

void reviews_free(struct server *srv) {
  for (int i = 0; srv->reviews && i < KEPT; i++)
    if (srv->reviews->kept[i])
      free_job(srv->reviews->kept[i]);
  free(srv->reviews);
  srv->reviews = NULL;
}

/* ---- The store ------------------------------------------------------------------ */

static void free_note(struct store_job *job, int error) {
  (void)error; /* one too many is seen to be done when it is taken up */
  free(job);
}

/* That it is under way, or not any more: so whoever serves next goes on with it. */
static void note_review(struct server *srv, const char *id,
                        const struct crew_payer *payer, store_call *call) {
  struct review_job *r = calloc(1, sizeof *r);
  if (!r)
    return;
  r->job.call = call;
  r->job.done = free_note;
  memcpy(r->review.room, id, ROOM_ID);
  r->review.payer = *payer;
  store_post(srv->store, &r->job);
}

/* ---- Computing ---------------------------------------------------------------- */

static double seconds_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void work_on_thread(struct crew_task *task) {
  struct job *j = (struct job *)task;
  const double until = seconds_now() + TURN_SECONDS;
  if (!j->review) {
    j->table = sal_table_load(j->record, strlen(j->record), NULL, NULL);
    j->review = j->table ? sal_review_new(j->table, NULL, NULL) : NULL;
  }
  while (j->review && seconds_now() < until && sal_review_next(j->review))
    ;
}

static void progress_is_kept(struct store_job *job, int error) {
  (void)error; /* the next review of the game keeps it */
  free(job);
}

/* What it says of a person, in short. */
static void keep_progress(const struct job *j, int seat) {
  struct progress_job *p = calloc(1, sizeof *p);
  struct sal_text text;
  struct sal_json json;
  if (!p)
    return;
  p->job.call = progress_store_add;
  p->job.done = progress_is_kept;
  p->person = j->sitter[seat];
  p->at = j->at;
  memcpy(p->room, j->id, ROOM_ID);
  snprintf(p->game, sizeof p->game, "%s", sal_table_game(j->table)->info.id);
  sal_text_init(&text, p->text, sizeof p->text);
  sal_json_init(&json, &text);
  sal_json_object(&json, NULL);
  sal_review_tell_progress(j->review, seat, &json);
  sal_json_end(&json, '}');
  if (text.lost == 0)
    store_post(j->server->store, &p->job);
  else
    free(p);
}

static void review_is_done(const struct job *j) {
  for (int i = 0; i < sal_table_players(j->table); i++)
    if (j->sitter[i])
      keep_progress(j, i);
}

static void turn_is_over(struct crew_task *task, bool ran) {
  struct job *j = (struct job *)task;
  j->server->work_open--;
  j->working = false;
  j->failed = !ran || !j->review;
  if (!j->failed)
    j->told = sal_review_done(j->review);
  if (is_whole(j))
    review_is_done(j);
  if (is_whole(j) || (j->failed && !j->server->closing))
    note_review(j->server, j->id, &j->task.payer, review_store_remove);
  if (is_whole(j) || j->failed || j->server->closing)
    return;
  j->working = true;
  j->server->work_open++;
  crew_post(j->server->thinkers, &j->task);
}

/* ---- Which are kept ------------------------------------------------------------ */

static struct job *find_review(const struct reviews *r, const char *id) {
  for (int i = 0; i < KEPT; i++)
    if (r->kept[i] && strcmp(r->kept[i]->id, id) == 0)
      return r->kept[i];
  return NULL;
}

/* A place for another one: the one that was not asked for longest goes. NULL:
 * too many are being computed. */
static struct job **make_place(struct reviews *r,
                               const uint8_t network[CREW_NETWORK]) {
  struct job **best = NULL;
  int open = 0, mine = 0;
  for (int i = 0; i < KEPT; i++) {
    struct job **j = &r->kept[i];
    const bool working = *j && (*j)->working;
    open += working;
    mine +=
        working && memcmp((*j)->task.payer.network, network, CREW_NETWORK) == 0;
    if (!working && (!best || (*best && (!*j || (*j)->used < (*best)->used))))
      best = j;
  }
  return open < OPEN_MAX && mine < OPEN_OF_ADDRESS ? best : NULL;
}

static struct job *begin_review(struct server *srv, const char *id,
                                const struct replay *p,
                                const struct crew_payer *payer,
                                struct job **place) {
  struct job *j = calloc(1, sizeof *j);
  if (j)
    j->record = strdup(p->text);
  if (!j || !j->record) {
    free(j);
    return NULL;
  }
  if (*place)
    free_job(*place);
  *place = j;
  memcpy(j->id, id, ROOM_ID);
  j->server = srv;
  j->task.run = work_on_thread;
  j->task.done = turn_is_over;
  j->task.rank = CREW_RANKS - 1;
  j->task.payer = *payer;
  j->at = p->at;
  memcpy(j->sitter, p->sitter, sizeof j->sitter);
  j->working = true;
  srv->work_open++;
  crew_post(srv->thinkers, &j->task);
  return j;
}

static bool have_reviews(struct server *srv) {
  if (!srv->reviews)
    srv->reviews = calloc(1, sizeof *srv->reviews);
  return srv->reviews != NULL;
}

/* ---- Telling --------------------------------------------------------------------- */

struct telling {
  const struct job *job;
  const struct sal_words *words;
  size_t since;
};

static void write_review(struct sal_json *j, const void *what) {
  const struct telling *t = what;
  const sal_review *r = t->job->told ? t->job->review : NULL;
  size_t i = t->since;
  sal_json_object(j, NULL);
  sal_json_bool(j, "ok", true);
  if (r)
    sal_review_tell_head(r, j);
  sal_json_int(j, "done", (int64_t)t->job->told);
  sal_json_list(j, "steps");
  for (; i < t->job->told && j->out->len + j->out->lost < TOLD_MAX; i++)
    sal_review_tell_step(r, i, t->words, j);
  sal_json_end(j, ']');
  sal_json_int(j, "next", (int64_t)i);
  if (r && !t->job->working && i == sal_review_steps(r))
    sal_review_tell_seats(r, t->words, j);
  sal_json_end(j, '}');
}

static void answer_review(struct conn *c, const struct replay *p,
                          const struct job *j) {
  static const struct sal_catalogue english;
  const char *name[SAL_SEATS_MAX] = {0};
  struct sal_speaker words;
  size_t length;
  int64_t since = 0;
  history_number(c, "since", &since);
  for (int i = 0; i < SAL_SEATS_MAX; i++)
    name[i] = p->name[i][0] ? p->name[i] : NULL;
  sal_speaker_init(&words, p->catalogue ? p->catalogue : &english, name);
  const struct telling t = {j, &words.words, (size_t)since};
  const char *text = server_compose(c->server, write_review, &t, &length);
  if (text)
    http_respond(c, 200, "application/json", "", text, length);
  else
    http_refuse(c, 503, SAL_NO_MEMORY, NULL);
}

static void respond_review(struct conn *c, const struct past_game *g) {
  struct server *srv = c->server;
  struct crew_payer payer = {.person = g->replay.person};
  const char *id = g->load.room;
  if (!g->replay.over) {
    http_refuse(c, 403, SAL_NOT_ALLOWED, "The game is not over yet.");
    return;
  }
  if (!have_reviews(srv)) {
    http_refuse(c, 503, SAL_NO_MEMORY, NULL);
    return;
  }
  struct job *j = find_review(srv->reviews, id);
  if (!j || (j->failed && !j->working)) {
    network_key(c->address, payer.network);
    struct job **place = make_place(srv->reviews, payer.network);
    for (int i = 0; j && i < KEPT; i++)
      if (srv->reviews->kept[i] == j && place)
        place = &srv->reviews->kept[i]; /* once more in its own place */
    if (!place) {
      http_refuse(c, 503, SAL_BUSY, NULL);
      return;
    }
    j = begin_review(srv, id, &g->replay, &payer, place);
    if (j)
      note_review(srv, id, &payer, review_store_add);
  }
  if (!j) {
    http_refuse(c, 503, SAL_NO_MEMORY, NULL);
    return;
  }
  j->used = server_now(srv);
  answer_review(c, &g->replay, j);
}

/* ---- Asking ------------------------------------------------------------------------ */

bool reviews_respond(struct conn *c) {
  const char *id = sal_skip(http_url(c->http), "/api/review/");
  if (!id || !http_reads(c->http) || strcspn(id, "?") != ROOM_ID)
    return false;
  struct past_game *g = past_game_new(c, id, respond_review);
  if (!g)
    return true;
  g->replay.record = true;
  past_game_ask(c, g);
  return true;
}

/* ---- Going on ---------------------------------------------------------------------- */

/* One that was under way when the server that served before ended. */
struct going_on {
  struct load_job load; /* first, so that `done` finds the rest */
  struct server *server;
  struct replay replay;
  struct crew_payer payer;
};

static void play_again(struct store_job *job) {
  struct going_on *g = (struct going_on *)job;
  g->replay.moves = &g->load.moves;
  replay_make(&g->replay);
}

static void go_on(struct going_on *g) {
  struct server *srv = g->server;
  const char *id = g->load.room;
  if (!have_reviews(srv) || find_review(srv->reviews, id))
    return; /* somebody has asked for it again */
  struct job **place = make_place(srv->reviews, g->payer.network);
  if (place)
    begin_review(srv, id, &g->replay, &g->payer, place);
}

static void review_is_loaded(struct store_job *job, int error) {
  struct going_on *g = (struct going_on *)job;
  if (!error && g->replay.over && !g->server->closing)
    go_on(g);
  else if (error != SAL_STORE && !g->server->closing)
    note_review(g->server, g->load.room, &g->payer, review_store_remove);
  store_moves_free(&g->load.moves);
  free(g->replay.text);
  free(g);
}

static void load_review(struct server *srv, const struct stored_review *r) {
  struct going_on *g = calloc(1, sizeof *g);
  if (!g)
    return;
  g->server = srv;
  g->payer = r->payer;
  g->replay.person = r->payer.person;
  memcpy(g->load.room, r->room, sizeof g->load.room);
  g->replay.record = true;
  g->load.job.work = play_again;
  g->load.job.done = review_is_loaded;
  if (!history_find_moves(srv, &g->load) ||
      !store_ask(srv->store, &g->load.job)) {
    store_moves_free(&g->load.moves);
    free(g);
  }
}

struct taking_up {
  struct reviews_job all; /* first, so that `done` finds the rest */
  struct server *server;
};

static void reviews_are_known(struct store_job *job, int error) {
  struct taking_up *t = (struct taking_up *)job;
  for (size_t i = 0; !error && !t->server->closing && i < t->all.count; i++)
    load_review(t->server, &t->all.review[i]);
  free(t);
}

void reviews_open(struct server *srv) {
  struct taking_up *t = calloc(1, sizeof *t);
  if (!t)
    return;
  t->server = srv;
  t->all.job.call = review_store_take;
  t->all.job.done = reviews_are_known;
  store_post(srv->store, &t->all.job);
}
