/* A tournament for people to read: tables of at most 80 columns. */
#include "arena_report.h"
#include "play_plain.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

enum { NAME_WIDTH = 24 };

/* ---- Cells --------------------------------------------------------------- */

/* Characters, not bytes: the bytes after the first of one do not count. */
static bool starts_character(char c) {
  return ((unsigned char)c & 0xc0) != 0x80;
}

static int width_of(const char *s) {
  int n = 0;
  for (; *s; s++)
    n += starts_character(*s);
  return n;
}

void shorten(const char *name, int most, struct sal_text *out) {
  const bool whole = width_of(name) <= most;
  int n = 0;
  for (; *name; name++) {
    n += starts_character(*name);
    if (!whole && n == most)
      break;
    sal_text_char(out, *name);
  }
  if (!whole)
    sal_text_add(out, "…");
}

/* A name on the left, cut to its column. */
static void put_name(FILE *out, const char *name) {
  char cut[4 * NAME_WIDTH + 1];
  struct sal_text text;
  sal_text_init(&text, cut, sizeof cut);
  shorten(name, NAME_WIDTH - 1, &text);
  fprintf(out, "%s%*s", cut, NAME_WIDTH - width_of(cut), "");
}

/* A text on the right of its column. */
__attribute__((format(printf, 3, 4))) static void
put_cell(FILE *out, int width, const char *format, ...) {
  char text[128];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  const int blanks = width - width_of(text);
  fprintf(out, "%*s%s", blanks > 0 ? blanks : 0, "", text);
}

static void put_score(FILE *out, int width, double score) {
  if (isfinite(score))
    put_cell(out, width, "%.2f", score);
  else
    put_cell(out, width, "–");
}

static void put_margin(FILE *out, int width, int digits,
                       const struct interval *i) {
  if (isfinite(i->high))
    put_cell(out, width, "±%.*f", digits, i->high - i->mean);
  else
    put_cell(out, width, "%s", "");
}

/* ---- Tables -------------------------------------------------------------- */

static void put_heading(FILE *out, const struct tournament_report *r) {
  const struct arena_plan *p = r->plan;
  fprintf(out, _("%s, %d players: %zu games, %zu deals, seed %llu.\n"),
          _(p->game->info.title), p->setup.players, r->figures->games,
          r->figures->deals, (unsigned long long)p->seed);
  if (!r->repeatable)
    fputs(
        _("A clock or an outside program took part: another run may come out differently.\n"),
        out);
}

static void put_bots(FILE *out, const struct tournament_report *r) {
  fputc('\n', out);
  put_name(out, _("Bot"));
  put_cell(out, 8, "%s", _("wins"));
  put_cell(out, 16, "%s", _("95 %"));
  put_cell(out, 9, "%s", _("score"));
  put_cell(out, 7, "%s", "");
  put_cell(out, 9, "%s", _("rating"));
  fputc('\n', out);
  for (int i = 0; i < r->plan->bots; i++) {
    const struct bot_figures *b = &r->figures->bot[i];
    put_name(out, r->plan->bot[i].name);
    put_cell(out, 8, "%.2f %%", 100 * b->wins.mean);
    put_cell(out, 16, "%.2f–%.2f %%", 100 * b->wins.low, 100 * b->wins.high);
    put_score(out, 9, b->score.mean);
    put_margin(out, 7, 2, &b->score);
    put_cell(out, 9, "%.0f", b->rating.mean);
    put_margin(out, 6, 0, &b->rating);
    fputc('\n', out);
  }
  put_name(out, _("all alike"));
  put_cell(out, 8, "%.2f %%", 100.0 / r->plan->setup.players);
  fputc('\n', out);
}

static void put_seats(FILE *out, const struct tournament_report *r) {
  const int seats = r->plan->setup.players;
  fputc('\n', out);
  put_name(out, _("Wins by seat"));
  for (int s = 0; s < seats; s++)
    put_cell(out, 9, _("seat %d"), s);
  fputc('\n', out);
  for (int i = 0; r->plan->bots > 1 && i < r->plan->bots; i++) {
    put_name(out, r->plan->bot[i].name);
    for (int s = 0; s < seats; s++)
      put_cell(out, 9, "%.2f %%", 100 * r->figures->bot[i].wins_at[s]);
    fputc('\n', out);
  }
  put_name(out, _("whoever has it"));
  for (int s = 0; s < seats; s++)
    put_cell(out, 9, "%.2f %%", 100 * r->figures->seat[s].mean);
  fputc('\n', out);
  put_name(out, _("  95 %, from"));
  for (int s = 0; s < seats; s++)
    put_cell(out, 9, "%.2f %%", 100 * r->figures->seat[s].low);
  fputc('\n', out);
  put_name(out, _("  to"));
  for (int s = 0; s < seats; s++)
    put_cell(out, 9, "%.2f %%", 100 * r->figures->seat[s].high);
  fputc('\n', out);
}

/* With two bots the table of wins says the same. */
static void put_pairs(FILE *out, const struct tournament_report *r) {
  if (r->plan->bots < 3)
    return;
  fputc('\n', out);
  put_name(out, _("Ahead, in percent"));
  for (int k = 0; k < r->plan->bots; k++)
    put_cell(out, 7, "(%d)", k + 1);
  fputc('\n', out);
  for (int i = 0; i < r->plan->bots; i++) {
    char name[256];
    snprintf(name, sizeof name, "(%d) %s", i + 1, r->plan->bot[i].name);
    put_name(out, name);
    for (int k = 0; k < r->plan->bots; k++)
      if (k == i)
        put_cell(out, 7, "–");
      else
        put_cell(out, 7, "%.1f",
                 100 * r->figures->before[i][k] / r->figures->met[i][k]);
    fputc('\n', out);
  }
}

static void put_lengths(FILE *out, const struct figures *f) {
  const uint32_t *q = f->length_quartile;
  if (f->whole > 0)
    fprintf(out,
            _("\nActions in a game: %.1f on average, from %u to %u; in half of "
              "the games\nfrom %u to %u.\n"),
            f->length_mean, q[0], q[4], q[1], q[3]);
}

static void put_faults(FILE *out, const struct tournament_report *r) {
  if (r->figures->whole == r->figures->games) {
    fputs(_("Every game was played to its end.\n"), out);
    return;
  }
  fputc('\n', out);
  put_name(out, _("Games lost by a fault"));
  for (enum arena_fault f = ARENA_FINE + 1; f < ARENA_FAULTS; f++)
    put_cell(out, 10, "%s", fault_title(f));
  fputc('\n', out);
  for (int i = 0; i < r->plan->bots; i++) {
    put_name(out, r->plan->bot[i].name);
    for (enum arena_fault f = ARENA_FINE + 1; f < ARENA_FAULTS; f++)
      put_cell(out, 10, "%zu", r->figures->bot[i].faults[f]);
    fputc('\n', out);
  }
  fprintf(out, _("Scores and lengths are those of the other %zu games.\n"),
          r->figures->whole);
  print_faults(r->plan, r->notes);
}

static void put_sprt(FILE *out, const struct tournament_report *r) {
  char text[SPRT_SAY_MAX];
  if (!r->sprt)
    return;
  fputc('\n', out);
  print_lines(sprt_say(r->sprt, r->plan->bot[0].name, text), 0);
}

void arena_text(FILE *out, const struct tournament_report *r) {
  put_heading(out, r);
  put_bots(out, r);
  put_seats(out, r);
  put_pairs(out, r);
  put_lengths(out, r->figures);
  put_sprt(out, r);
  put_faults(out, r);
}
