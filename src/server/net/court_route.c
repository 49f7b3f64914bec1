/* Court files. See court_route.h.
 *
 * Main invariant: the id of a court is told when the store has it, so every
 * table that names one can be opened again. */
#include "court_route.h"
#include "http.h"
#include "json_line.h"
#include "people/limits.h"
#include "people/people.h"
#include "preview.h"
#include "rooms/courts.h"
#include "routes.h"

#include "salotto/court.h"

#include <stdlib.h>
#include <string.h>

enum { PROBLEMS_MAX = 5 };

/* ---- What is wrong --------------------------------------------------------- */

struct complaint {
  const char *text;
  struct sal_speaker speaker;
  struct sal_text out;
  char told[2048];
  int count;
};

static void add_problem(void *context, const char *where, const char *sentence,
                        const struct sal_place *places, size_t count) {
  struct complaint *p = context;
  const char *line = sal_catalogue_text(p->speaker.catalogue, N_("line"));
  if (p->count++ >= PROBLEMS_MAX)
    return;
  if (p->out.len)
    sal_text_char(&p->out, '\n');
  if (*where) { /* else the sentence has the line */
    sal_text_add(&p->out, line);
    sal_text_char(&p->out, ' ');
    sal_text_int(&p->out, json_line(p->text, where));
    sal_text_add(&p->out, ", ");
    sal_text_add(&p->out, where);
    sal_text_add(&p->out, ": ");
  }
  sal_say(&p->out, &p->speaker.words, false, sentence, places, count);
}

/* Whether it is sound; else the request is refused with what is wrong. */
static bool is_sound(struct conn *c, const char *text, size_t length) {
  struct complaint p = {.text = text};
  sal_speaker_init(&p.speaker, &preview_language(c)->catalogue, NULL);
  sal_text_init(&p.out, p.told, sizeof p.told);
  if (strlen(text) == length && sal_court_check(text, length, add_problem, &p))
    return true;
  http_refuse(c, 400, SAL_BAD_OPTION,
              p.out.len ? p.told : N_("The file holds a zero byte."));
  return false;
}

/* ---- Keeping it ------------------------------------------------------------ */

struct handing_in {
  struct court_job court; /* first, so that `done` finds the rest */
  struct server *server;
  uint64_t conn;
  int32_t value;
};

static void answer_id(struct conn *c, const char *id) {
  char body[64];
  struct sal_text t;
  struct sal_json j;
  sal_text_init(&t, body, sizeof body);
  sal_json_init(&j, &t);
  sal_json_object(&j, NULL);
  sal_json_bool(&j, "ok", true);
  sal_json_string(&j, "court", id);
  sal_json_end(&j, '}');
  http_respond(c, 200, "application/json", "", body, t.len);
}

static void court_is_durable(struct store_job *job, int error) {
  struct handing_in *h = (struct handing_in *)job;
  struct conn *c = conn_find(h->server, h->conn);
  if (!error)
    courts_know(h->court.id, h->value);
  if (c && c->http && error)
    http_refuse(c, 503, error,
                error == SAL_FULL
                    ? N_("The server holds as many court files as it can.")
                    : NULL);
  else if (c && c->http)
    answer_id(c, h->court.id);
  free(h->court.text);
  free(h);
}

static void keep_court(struct conn *c, const struct sal_game *g,
                       int32_t value) {
  char line[SAL_OPTION_TEXT_MAX];
  struct sal_text t;
  struct handing_in *h = calloc(1, sizeof *h);
  sal_text_init(&t, line, sizeof line);
  g->option_write(courts_option(g), value, &t);
  if (!h || !(h->court.text = strdup(line))) {
    free(h);
    http_refuse(c, 503, SAL_NO_MEMORY, NULL);
    return;
  }
  courts_id(g, value, h->court.id);
  h->court.now = server_time();
  h->court.job.call = court_store_add;
  h->court.job.done = court_is_durable;
  h->server = c->server;
  h->conn = c->id;
  h->value = value;
  store_post(c->server->store, &h->court.job);
}

/* ---- The request ----------------------------------------------------------- */

static void add_court(struct conn *c, const struct sal_game *g,
                      const char *text, size_t length) {
  char why[SAL_MESSAGE_MAX];
  struct sal_text problem;
  int32_t value;
  sal_text_init(&problem, why, sizeof why);
  if (!is_sound(c, text, length))
    return;
  if (g->option_read(courts_option(g), text, length, &value, &problem))
    keep_court(c, g, value);
  else
    http_refuse(c, 503, SAL_FULL, why);
}

void court_route_add(struct conn *c) {
  char token[TOKEN_MAX + 1];
  struct person *p = routes_person(c, token);
  const struct sal_game *g = sal_game_find("louis");
  size_t length;
  const char *body = http_body(c->http, &length);
  if (!p) {
    http_refuse(c, 401, SAL_NOT_ALLOWED,
                N_("You are not signed in: sign in first."));
  } else if (courts_option(g) < 0) {
    http_refuse(c, 404, SAL_UNKNOWN_GAME, NULL);
  } else if (!limits_person_may(c->server->limits, LIMIT_COURTS, p->id)) {
    http_refuse(c, 429, SAL_SLOW_DOWN, NULL);
  } else {
    char *text = strndup(body, length);
    if (text)
      add_court(c, g, text, length);
    else
      http_refuse(c, 503, SAL_NO_MEMORY, NULL);
    free(text);
  }
}
