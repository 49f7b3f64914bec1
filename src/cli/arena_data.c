/* A tournament for programs to read: JSON and CSV. docs/arena.md says what
 * each field means; none is ever renamed. */
#include "arena_report.h"

#include <math.h>
#include <stdlib.h>

/* ---- JSON ---------------------------------------------------------------- */

/* Numbers that are not whole; what is unbounded is null. */
void json_figure(struct sal_json *j, const char *key, double value) {
  char text[40];
  snprintf(text, sizeof text, "%.10g", value);
  sal_json_raw(j, key, isfinite(value) ? text : "null");
}

static void json_interval(struct sal_json *j, const char *key,
                          const struct interval *i) {
  sal_json_object(j, key);
  json_figure(j, "mean", i->mean);
  json_figure(j, "low", i->low);
  json_figure(j, "high", i->high);
  sal_json_end(j, '}');
}

static void json_histogram(struct sal_json *j, const char *key,
                           const struct histogram *h) {
  sal_json_object(j, key);
  sal_json_int(j, "low", h->low);
  sal_json_int(j, "width", h->width);
  sal_json_list(j, "count");
  for (int i = 0; i < h->bins; i++)
    sal_json_int(j, NULL, (int64_t)h->count[i]);
  sal_json_end(j, ']');
  sal_json_end(j, '}');
}

static void json_bot(struct sal_json *j, const struct tournament_report *r,
                     int i) {
  const struct bot_figures *b = &r->figures->bot[i];
  sal_json_object(j, NULL);
  sal_json_string(j, "name", r->plan->bot[i].name);
  sal_json_int(j, "seats", (int64_t)b->seats);
  json_interval(j, "wins", &b->wins);
  sal_json_list(j, "wins_by_seat");
  for (int s = 0; s < r->plan->setup.players; s++)
    json_figure(j, NULL, b->wins_at[s]);
  sal_json_end(j, ']');
  json_interval(j, "score", &b->score);
  json_interval(j, "rating", &b->rating);
  sal_json_object(j, "faults");
  for (enum arena_fault f = ARENA_FINE + 1; f < ARENA_FAULTS; f++)
    sal_json_int(j, arena_fault_id(f), (int64_t)b->faults[f]);
  sal_json_end(j, '}');
  json_histogram(j, "scores", &b->scores);
  sal_json_end(j, '}');
}

static void json_matrix(struct sal_json *j, const char *key, int n,
                        const double (*m)[ARENA_BOTS_MAX]) {
  sal_json_list(j, key);
  for (int i = 0; i < n; i++) {
    sal_json_list(j, NULL);
    for (int k = 0; k < n; k++)
      json_figure(j, NULL, m[i][k]);
    sal_json_end(j, ']');
  }
  sal_json_end(j, ']');
}

static void json_lengths(struct sal_json *j, const struct figures *f) {
  sal_json_object(j, "length");
  json_figure(j, "mean", f->length_mean);
  sal_json_list(j, "quartiles");
  for (int i = 0; i < 5; i++)
    sal_json_int(j, NULL, f->length_quartile[i]);
  sal_json_end(j, ']');
  json_histogram(j, "histogram", &f->lengths);
  sal_json_end(j, '}');
}

static void json_notes(struct sal_json *j, const struct tournament_report *r) {
  sal_json_list(j, "failures");
  for (int i = 0; i < r->notes->count; i++) {
    const struct arena_note *n = &r->notes->note[i];
    uint8_t bot[SAL_SEATS_MAX];
    arena_seating(r->plan, n->game, bot);
    sal_json_object(j, NULL);
    sal_json_int(j, "game", (int64_t)n->game);
    sal_json_int(j, "seat", n->seat);
    sal_json_string(j, "bot", r->plan->bot[bot[n->seat]].name);
    sal_json_string(j, "fault", arena_fault_id(n->fault));
    sal_json_string(j, "answer", n->answer);
    if (*n->rule)
      sal_json_string(j, "rule", n->rule);
    else
      sal_json_null(j, "rule");
    sal_json_string(j, "position", n->position ? n->position : "");
    sal_json_end(j, '}');
  }
  sal_json_end(j, ']');
}

void json_sprt(struct sal_json *j, const struct sprt *s) {
  sal_json_object(j, "sprt");
  sal_json_string(j, "verdict", sprt_verdict_id(s->verdict));
  sal_json_list(j, "elo");
  json_figure(j, NULL, s->elo[0]);
  json_figure(j, NULL, s->elo[1]);
  sal_json_end(j, ']');
  json_figure(j, "risk", SPRT_RISK);
  json_figure(j, "ratio", s->ratio);
  json_figure(j, "bound", SPRT_BOUND);
  sal_json_int(j, "deals", (int64_t)s->seen.count);
  sal_json_end(j, '}');
}

/* The only member that is never the same twice. */
static void json_times(struct sal_json *j, const struct tournament_report *r) {
  sal_json_list(j, "times");
  for (int i = 0; i < r->plan->bots; i++) {
    const struct bot_time t = bot_time(r, i);
    sal_json_object(j, NULL);
    sal_json_string(j, "name", r->plan->bot[i].name);
    sal_json_int(j, "moves", (int64_t)t.moves);
    json_figure(j, "mean_ms", t.moves ? 1e3 * t.mean : NAN);
    json_figure(j, "longest_ms", t.moves ? 1e3 * t.longest : NAN);
    sal_json_end(j, '}');
  }
  sal_json_end(j, ']');
}

static void json_report(struct sal_json *j, const struct tournament_report *r) {
  const struct arena_plan *p = r->plan;
  char seed[24];
  snprintf(seed, sizeof seed, "%llu", (unsigned long long)p->seed);
  sal_json_object(j, NULL);
  sal_json_string(j, "game", p->game->info.id);
  sal_json_int(j, "players", p->setup.players);
  sal_json_raw(j, "seed", seed);
  sal_json_int(j, "games", (int64_t)r->figures->games);
  sal_json_int(j, "deals", (int64_t)r->figures->deals);
  sal_json_int(j, "whole", (int64_t)r->figures->whole);
  sal_json_bool(j, "repeatable", r->repeatable);
  sal_json_list(j, "bots");
  for (int i = 0; i < p->bots; i++)
    json_bot(j, r, i);
  sal_json_end(j, ']');
  sal_json_list(j, "seats");
  for (int s = 0; s < p->setup.players; s++)
    json_interval(j, NULL, &r->figures->seat[s]);
  sal_json_end(j, ']');
  json_matrix(j, "before", p->bots, r->figures->before);
  json_matrix(j, "met", p->bots, r->figures->met);
  json_lengths(j, r->figures);
  json_notes(j, r);
  if (r->sprt)
    json_sprt(j, r->sprt);
  json_times(j, r);
  sal_json_end(j, '}');
}

void arena_json(FILE *out, const struct tournament_report *r) {
  /* At most 8 bots with 24 bins and 6 seats: some 20,000 characters; and ten
   * positions. */
  static char buffer[1 << 19];
  struct sal_text text;
  struct sal_json j;
  sal_text_init(&text, buffer, sizeof buffer);
  sal_json_init(&j, &text);
  json_report(&j, r);
  fprintf(out, "%s\n", buffer);
}

/* ---- CSV ----------------------------------------------------------------- */

/* In quotes, with quotes doubled. */
static void csv_text(FILE *out, const char *text) {
  fputc('"', out);
  for (; *text; text++) {
    if (*text == '"')
      fputc('"', out);
    fputc(*text, out);
  }
  fputc('"', out);
}

void arena_csv(FILE *out, const struct tournament_report *r) {
  const struct arena_plan *p = r->plan;
  const size_t each = arena_games_per_deal(p);
  fputs("game,deal,whole,actions", out);
  for (int s = 0; s < p->setup.players; s++)
    fprintf(out, ",bot%d,rank%d,win%d,score%d,fault%d", s, s, s, s, s);
  fputc('\n', out);
  for (size_t i = 0; i < r->figures->games; i++) {
    const struct arena_game *g = &r->games[i];
    fprintf(out, "%zu,%zu,%d,%u", i, i / each, g->whole, g->length);
    for (int s = 0; s < p->setup.players; s++) {
      fputc(',', out);
      csv_text(out, p->bot[g->bot[s]].name);
      fprintf(out, ",%d,%.4g,%d,%s", g->rank[s], game_share(p, g, s),
              (int)g->score[s], arena_fault_id(g->fault[s]));
    }
    fputc('\n', out);
  }
}
