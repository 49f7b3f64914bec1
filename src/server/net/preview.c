/* Previews of links. See preview.h.
 *
 * Main invariant: a preview tells what anybody with the link may know anyway:
 * the game, and at a table that waits who invites. Whatever is not plain ASCII
 * of ours is escaped, and no address but the server's own gets in. */
#include "preview.h"
#include "people/limits.h"
#include "http.h"
#include "pages.h"
#include "people/accounts.h"
#include "questions.h"
#include "rooms/rooms.h"
#include "store/public_queries.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Languages ------------------------------------------------------------ */

static const struct server_language *
find_language(const struct server_language *all, const char *word, size_t n) {
  for (; all->id; all++)
    if (strlen(all->id) == n && strncasecmp(all->id, word, n) == 0)
      return all;
  return NULL;
}

/* The weight of one entry of Accept-Language; 1 if it says none. */
static double weight_of(const char *entry, size_t n) {
  const char *q = memchr(entry, ';', n);
  q = q ? strstr(q, "q=") : NULL;
  return q && q < entry + n ? strtod(q + 2, NULL) : 1;
}

const struct server_language *preview_language(const struct conn *c) {
  const struct server_language *all = c->server->options.languages;
  const struct server_language *best = find_language(all, "en", 2);
  const char *at = http_header(c->http, "accept-language");
  double most = 0;
  best = best ? best : all;
  while (at && *at) {
    at += strspn(at, " ,");
    const size_t n = strcspn(at, ",");
    const struct server_language *l =
        find_language(all, at, strcspn(at, "-;, "));
    const double weight = weight_of(at, n);
    if (l && weight > most) {
      best = l;
      most = weight;
    }
    at += n;
  }
  return best;
}

/* ---- What there is to say -------------------------------------------------- */

struct preview {
  const struct server_language *language;
  const char *title; /* a message, with {name} and {game} in it */
  char name[STORE_NAME_MAX + 1];
  const struct sal_game *game; /* or NULL */
  char path[64];               /* of the page */
};

static void escape(struct sal_text *out, const char *text) {
  for (; *text; text++)
    switch (*text) {
    case '&': sal_text_add(out, "&amp;"); break;
    case '<': sal_text_add(out, "&lt;"); break;
    case '>': sal_text_add(out, "&gt;"); break;
    case '"': sal_text_add(out, "&quot;"); break;
    default: sal_text_char(out, *text);
    }
}

static const char *text_of(const struct preview *p, const char *message) {
  return sal_catalogue_text(&p->language->catalogue, message);
}

static const char *game_title(const struct preview *p) {
  return p->game ? text_of(p, p->game->info.title) : "";
}

/* The title with its places filled in. */
static void write_title(struct sal_text *out, const struct preview *p) {
  const char *at = text_of(p, p->title);
  while (*at) {
    const char *rest;
    if ((rest = sal_skip(at, "{name}")))
      escape(out, p->name);
    else if ((rest = sal_skip(at, "{game}")))
      escape(out, game_title(p));
    else {
      const char one[2] = {*at, '\0'};
      escape(out, one);
      rest = at + 1;
    }
    at = rest;
  }
}

static void write_about(struct sal_text *out, const struct preview *p) {
  escape(out,
         text_of(p, p->game ? p->game->info.tagline
                            : N_("A parlour for four games of hidden cards.")));
}

static void open_tag(struct sal_text *out, const char *kind, const char *name) {
  sal_text_add(out, "<meta ");
  sal_text_add(out, kind);
  sal_text_add(out, "=\"");
  sal_text_add(out, name);
  sal_text_add(out, "\" content=\"");
}

static void plain_tag(struct sal_text *out, const char *name,
                      const char *value) {
  open_tag(out, "property", name);
  escape(out, value);
  sal_text_add(out, "\" />\n");
}

static void url_tag(struct sal_text *out, const char *name, const char *origin,
                    const char *path) {
  open_tag(out, "property", name);
  escape(out, origin);
  escape(out, path);
  sal_text_add(out, "\" />\n");
}

/* There is a picture of each game that comes with the program; one from a plugin
 * gets the picture for all. */
static const char *picture_of(const struct preview *p) {
  static const struct {
    const char *game, *path;
  } drawn[] = {{"doors", "/previews/doors.png"},
               {"favor", "/previews/favor.png"},
               {"traps", "/previews/traps.png"},
               {"louis", "/previews/louis.png"}};
  for (size_t i = 0; p->game && i < sizeof drawn / sizeof *drawn; i++)
    if (strcmp(drawn[i].game, p->game->info.id) == 0)
      return drawn[i].path;
  return "/previews/salotto.png";
}

static void write_preview(const struct server *srv, const struct preview *p,
                          struct sal_text *out) {
  sal_text_add(out, "<title>");
  write_title(out, p);
  sal_text_add(out, "</title>\n");
  open_tag(out, "name", "description");
  write_about(out, p);
  sal_text_add(out, "\" />\n");
  plain_tag(out, "og:site_name", "Salotto");
  plain_tag(out, "og:type", "website");
  open_tag(out, "property", "og:title");
  write_title(out, p);
  sal_text_add(out, "\" />\n");
  open_tag(out, "property", "og:description");
  write_about(out, p);
  sal_text_add(out, "\" />\n");
  url_tag(out, "og:url", srv->origin, p->path);
  url_tag(out, "og:image", srv->origin, picture_of(p));
  plain_tag(out, "og:image:type", "image/png");
  plain_tag(out, "og:image:width", "1200");
  plain_tag(out, "og:image:height", "630");
  plain_tag(out, "og:image:alt", p->game ? game_title(p) : "Salotto");
  open_tag(out, "name", "twitter:card");
  sal_text_add(out, "summary_large_image\" />\n");
}

static void send_page(struct conn *c, const struct preview *p) {
  char lines[PREVIEW_MAX];
  struct sal_text out;
  sal_text_init(&out, lines, sizeof lines);
  write_preview(c->server, p, &out);
  pages_send_index(c, out.lost ? "" : lines);
}

/* ---- Tables ---------------------------------------------------------------- */

/* Who invites: whoever opened the table, or else sits there first. */
static void name_host(struct preview *p, const struct active_room *active) {
  const struct room *r = active->room;
  const struct person *by =
      r->head.by ? people_get(active->server->people, r->head.by) : NULL;
  if (by)
    strcpy(p->name, by->name);
  for (int s = 0; !*p->name && s < r->head.setup.players; s++)
    if (r->seat[s].kind == SEAT_PERSON)
      strcpy(p->name, r->seat[s].name);
}

static void describe_room(struct preview *p, const struct active_room *active) {
  p->game = active->room->head.game;
  if (!active->room->table)
    name_host(p, active);
  p->title =
      *p->name ? N_("{name} invites you to {game}") : N_("A game of {game}");
}

struct preview_question {
  struct game_query query; /* first, so that `done` finds the rest */
  struct server *server;
  uint64_t conn;
  struct preview preview;
};

static void game_is_found(struct store_job *job, int error) {
  struct preview_question *q = (struct preview_question *)job;
  struct conn *c = question_end(q->server, q->conn);
  q->preview.game = error ? NULL : sal_game_find(q->query.game);
  if (q->preview.game)
    q->preview.title = N_("Replay of {game}");
  if (c)
    send_page(c, &q->preview);
  free(q);
}

/* Asks the store which game it was; false: it is not to be asked now, and the
 * page does without. */
static bool ask_for_game(struct conn *c, const struct preview *p,
                         const char *room) {
  if (c->server->closing ||
      !limits_address_may(c->server->limits, LIMIT_READS, c->address))
    return false;
  struct preview_question *q = calloc(1, sizeof *q);
  if (!q)
    return false;
  q->server = c->server;
  q->conn = c->id;
  q->preview = *p;
  strcpy(q->query.room, room);
  q->query.job.call = query_game_of_room;
  q->query.job.done = game_is_found;
  if (question_try(c, &q->query.job))
    return true;
  free(q);
  return false;
}

/* ---- Pages ----------------------------------------------------------------- */

/* The part of the path at its beginning, if it is short and plain; what comes
 * after it. */
static const char *next_part(const char *path, char *out, size_t size) {
  const size_t n = strcspn(path, "/?#");
  *out = '\0';
  if (n < size && strspn(path, "abcdefghijklmnopqrstuvwxyz0123456789") >= n) {
    memcpy(out, path, n);
    out[n] = '\0';
  }
  return path[n] == '/' ? path + n + 1 : "";
}

static void note_path(struct preview *p, const char *page, const char *what) {
  struct sal_text t;
  sal_text_init(&t, p->path, sizeof p->path);
  sal_text_char(&t, '/');
  sal_text_add(&t, page);
  if (*what) {
    sal_text_char(&t, '/');
    sal_text_add(&t, what);
  }
}

/* What a page about a game is called; NULL: it is none. */
static const char *title_of_page(const char *page) {
  static const struct {
    const char *page, *title;
  } titles[] = {{"rules", N_("Rules of {game}")},
                {"learn", N_("Learn {game} by playing")},
                {"problems", N_("Problems of {game}")},
                {"new", "{game}"},
                {"play", "{game}"},
                {"leaders", N_("Leaderboard of {game}")}};
  for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
    if (strcmp(titles[i].page, page) == 0)
      return titles[i].title;
  return NULL;
}

/* By the number of somebody with an account. */
static void describe_person(struct server *srv, struct preview *p,
                            const char *number) {
  const struct person *who = people_get(srv->people, atoll(number));
  if (!who || !accounts_has(srv->accounts, who))
    return;
  strcpy(p->name, who->name);
  p->title = N_("{name} plays at Salotto");
}

void preview_answer(struct conn *c) {
  char page[16], what[ROOM_ID + 1];
  struct preview p = {.language = preview_language(c), .title = "Salotto"};
  next_part(next_part(http_url(c->http) + 1, page, sizeof page), what,
            sizeof what);
  note_path(&p, page, what);
  const bool table = strcmp(page, "t") == 0 || strcmp(page, "replay") == 0;
  if (strcmp(page, "p") == 0) {
    describe_person(c->server, &p, what);
  } else if (table && strlen(what) == ROOM_ID) {
    const struct active_room *active = rooms_find(c->server->rooms, what);
    if (active && !active->room->ended)
      describe_room(&p, active);
    else if (ask_for_game(c, &p, what))
      return;
  } else if (title_of_page(page)) {
    p.game = sal_game_find(what);
    p.title = p.game ? title_of_page(page) : p.title;
  }
  send_page(c, &p);
}
