/* A tournament as one page that needs nothing else: no script, no font, no
 * picture from anywhere. It is well-formed XML too, follows the reader's wish
 * for light or dark, and says in tables whatever it shows in plots. */
#include "arena_report.h"

#include <math.h>

static const char style[] =
    ":root{color-scheme:light dark;--paper:#fbfaf7;--ink:#22242a;--faint:"
    "#8a8d96;--rule:#dddad2;--c0:#1f6f8b;--c1:#c0562f;--c2:#4b7d3c;--c3:"
    "#8a4f9e;--c4:#b58a1b;--c5:#3f5fa8;--c6:#a63d5f;--c7:#5f6b6d}\n"
    "@media(prefers-color-scheme:dark){:root{--paper:#17181c;--ink:#e6e4de;"
    "--faint:#8f929b;--rule:#34363d;--c0:#5cb3cf;--c1:#ee8a63;--c2:#86bf73;"
    "--c3:#c48fd8;--c4:#dcb64c;--c5:#8aa6ea;--c6:#e07c9d;--c7:#a3afb1}}\n"
    "body{background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,"
    "sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}\n"
    "h1{font-size:1.6rem;margin-bottom:0}h2{font-size:1.15rem;margin:2.2rem 0 "
    ".6rem}\n"
    "p.small{color:var(--faint);font-size:.9rem}\n"
    ".wide{overflow-x:auto}\n"
    "table{border-collapse:collapse;font-size:.9rem;width:100%}\n"
    "th,td{text-align:right;padding:.25rem .6rem;border-bottom:1px solid "
    "var(--rule);font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    "th:first-child,td:first-child{text-align:left;white-space:normal;"
    "overflow-wrap:anywhere;min-width:7rem}\n"
    /* On a telephone a name has a line of its own above its figures. */
    "@media(max-width:36rem){body{margin:1rem auto}tr{display:grid;"
    "grid-template-columns:repeat(var(--columns),1fr);border-bottom:1px solid "
    "var(--rule)}th,td{padding:.15rem .2rem;border:0;white-space:normal;"
    "font-size:.85rem}th:first-child{grid-column:1/-1}thead "
    "th:first-child{display:none}}\n"
    "pre{white-space:pre-wrap;font-size:.85rem;margin:.4rem 0 1rem 1rem}\n"
    "summary{overflow-wrap:anywhere}\n"
    "figure{margin:0}svg{width:100%;max-width:32rem;height:auto;font-size:"
    "13px}\n"
    "svg text{fill:currentColor}.strong text{font-weight:600}\n"
    ".grid{stroke:var(--rule)}.base{stroke:currentColor}\n"
    ".whisker{stroke:currentColor;stroke-width:2}.dot{fill:currentColor}\n"
    ".even{stroke:currentColor;stroke-dasharray:4 4}\n"
    ".c0{fill:var(--c0)}.c1{fill:var(--c1)}.c2{fill:var(--c2)}.c3{fill:"
    "var(--c3)}.c4{fill:var(--c4)}.c5{fill:var(--c5)}.c6{fill:var(--c6)}"
    ".c7{fill:var(--c7)}\n";

/* ---- Pieces -------------------------------------------------------------- */

static void put_tagged(FILE *out, const char *tag, const char *text) {
  fprintf(out, "<%s>", tag);
  put_escaped(out, text);
  fprintf(out, "</%s>\n", tag);
}

static void put_column(FILE *out, const char *heading) {
  fputs("<th scope=\"col\">", out);
  put_escaped(out, heading);
  fputs("</th>", out);
}

static void put_row(FILE *out, const char *name) {
  fputs("<tr><th scope=\"row\">", out);
  put_escaped(out, name);
  fputs("</th>", out);
}

/* With so many columns of figures. */
static void open_table(FILE *out, const char *first, int columns) {
  fprintf(out,
          "<div class=\"wide\"><table style=\"--columns:%d\">\n<thead><tr>",
          columns);
  put_column(out, first);
}

static const char close_head[] = "</tr></thead>\n<tbody>\n";
static const char close_table[] = "</tbody></table></div>\n";

static void put_percent(FILE *out, double rate) {
  fprintf(out, "<td>%.2f %%</td>", 100 * rate);
}

static void put_score(FILE *out, double score) {
  if (isfinite(score))
    fprintf(out, "<td>%.2f</td>", score);
  else
    fputs("<td>–</td>", out);
}

/* ---- Sections ------------------------------------------------------------ */

static void put_head(FILE *out, const struct tournament_report *r) {
  const struct arena_plan *p = r->plan;
  char title[200];
  snprintf(title, sizeof title, _("%s: a tournament"), _(p->game->info.title));
  fprintf(
      out,
      "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" "
      "lang=\"%s\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta "
      "name=\"viewport\" content=\"width=device-width,initial-scale=1\"/>\n",
      language());
  put_tagged(out, "title", title);
  fprintf(out, "<style>\n%s</style>\n</head>\n<body>\n<main>\n", style);
  put_tagged(out, "h1", title);
  fputs("<p>", out);
  fprintf(out, _("%s, %d players: %zu games, %zu deals, seed %llu.\n"),
          _(p->game->info.title), p->setup.players, r->figures->games,
          r->figures->deals, (unsigned long long)p->seed);
  fputs("</p>\n<p class=\"small\">", out);
  fputs(_("Every deal was played with every bot in every seat. Intervals are "
          "of 95 %, taken between deals."),
        out);
  if (!r->repeatable) {
    fputs(" ", out);
    fputs(
        _("A clock or an outside program took part: another run may come out differently.\n"),
        out);
  }
  fputs("</p>\n", out);
}

static void put_bots(FILE *out, const struct tournament_report *r) {
  put_tagged(out, "h2", _("Bots"));
  open_table(out, _("Bot"), 5);
  put_column(out, _("wins"));
  put_column(out, _("95 %"));
  put_column(out, _("score"));
  put_column(out, _("rating"));
  put_column(out, _("95 %"));
  fputs(close_head, out);
  for (int i = 0; i < r->plan->bots; i++) {
    const struct bot_figures *b = &r->figures->bot[i];
    put_row(out, r->plan->bot[i].name);
    put_percent(out, b->wins.mean);
    fprintf(out, "<td>%.2f–%.2f %%</td>", 100 * b->wins.low,
            100 * b->wins.high);
    put_score(out, b->score.mean);
    fprintf(out, "<td>%.0f</td><td>%.0f–%.0f</td></tr>\n", b->rating.mean,
            b->rating.low, b->rating.high);
  }
  fputs(close_table, out);
  put_tagged(out, "h2", _("Ratings and their intervals"));
  fputs("<figure>\n", out);
  plot_ratings(out, r);
  fputs("</figure>\n", out);
}

static void put_seats(FILE *out, const struct tournament_report *r) {
  char text[64];
  put_tagged(out, "h2", _("Wins by seat"));
  fputs("<figure>\n", out);
  plot_seats(out, r);
  fputs("</figure>\n", out);
  open_table(out, _("Bot"), r->plan->setup.players);
  for (int s = 0; s < r->plan->setup.players; s++) {
    snprintf(text, sizeof text, _("seat %d"), s);
    put_column(out, text);
  }
  fputs(close_head, out);
  for (int i = 0; i < r->plan->bots; i++) {
    put_row(out, r->plan->bot[i].name);
    for (int s = 0; s < r->plan->setup.players; s++)
      put_percent(out, r->figures->bot[i].wins_at[s]);
    fputs("</tr>\n", out);
  }
  put_row(out, _("whoever has it"));
  for (int s = 0; s < r->plan->setup.players; s++)
    put_percent(out, r->figures->seat[s].mean);
  fputs("</tr>\n", out);
  fputs(close_table, out);
}

static void put_lengths(FILE *out, const struct tournament_report *r) {
  const uint32_t *q = r->figures->length_quartile;
  put_tagged(out, "h2", _("Length of the games"));
  fputs("<figure>\n", out);
  plot_lengths(out, r);
  fputs("<figcaption>", out);
  fprintf(out,
          _("\nActions in a game: %.1f on average, from %u to %u; in half of "
            "the games\nfrom %u to %u.\n"),
          r->figures->length_mean, q[0], q[4], q[1], q[3]);
  fputs("</figcaption>\n</figure>\n", out);
}

static void put_scores(FILE *out, const struct tournament_report *r) {
  put_tagged(out, "h2", _("Scores"));
  for (int i = 0; i < r->plan->bots; i++) {
    const struct interval *s = &r->figures->bot[i].score;
    fputs("<figure>\n<figcaption>", out);
    put_escaped(out, r->plan->bot[i].name);
    fprintf(out, _(": %.2f on average"), s->mean);
    fputs("</figcaption>\n", out);
    plot_scores(out, r, i);
    fputs("</figure>\n", out);
  }
}

/* The first faults, each with the position. */
static void put_notes(FILE *out, const struct tournament_report *r) {
  for (int i = 0; i < r->notes->count; i++) {
    const struct arena_note *n = &r->notes->note[i];
    char sentence[FAULT_SAY_MAX];
    struct sal_text t;
    sal_text_init(&t, sentence, sizeof sentence);
    fault_say(r->plan, n, &t);
    fputs("<details><summary>", out);
    put_escaped(out, sentence);
    fputs("</summary>\n", out);
    if (n->position)
      put_tagged(out, "pre", n->position);
    fputs("</details>\n", out);
  }
}

static void put_faults(FILE *out, const struct tournament_report *r) {
  if (r->figures->whole == r->figures->games)
    return;
  put_tagged(out, "h2", _("Games lost by a fault"));
  open_table(out, _("Bot"), ARENA_FAULTS - 1);
  for (enum arena_fault f = ARENA_FINE + 1; f < ARENA_FAULTS; f++)
    put_column(out, fault_title(f));
  fputs(close_head, out);
  for (int i = 0; i < r->plan->bots; i++) {
    put_row(out, r->plan->bot[i].name);
    for (enum arena_fault f = ARENA_FINE + 1; f < ARENA_FAULTS; f++)
      fprintf(out, "<td>%zu</td>", r->figures->bot[i].faults[f]);
    fputs("</tr>\n", out);
  }
  fputs(close_table, out);
  put_notes(out, r);
}

static void put_sprt(FILE *out, const struct tournament_report *r) {
  char text[SPRT_SAY_MAX];
  if (r->sprt)
    put_tagged(out, "p", sprt_say(r->sprt, r->plan->bot[0].name, text));
}

void arena_html(FILE *out, const struct tournament_report *r) {
  put_head(out, r);
  put_sprt(out, r);
  put_bots(out, r);
  put_seats(out, r);
  if (r->figures->whole > 0) {
    put_lengths(out, r);
    put_scores(out, r);
  }
  put_faults(out, r);
  fputs("</main>\n</body>\n</html>\n", out);
}
