/* A review as one page that needs nothing else: no script, no font, no picture
 * from anywhere. It is well-formed XML too, follows the reader's wish for light
 * or dark, and says in tables whatever the chart shows. */
#include "arena_report.h"
#include "review_report.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 2000, WIDTH = 720, HEIGHT = 260, LEFT = 52, FOOT = 28 };

static const char style[] =
    ":root{color-scheme:light dark;--paper:#fbfaf7;--ink:#22242a;--faint:"
    "#6b6e77;--rule:#dddad2;--c0:#1f6f8b;--c1:#c0562f;--c2:#4b7d3c;--c3:"
    "#8a4f9e;--c4:#8a6a10;--c5:#3f5fa8}\n"
    "@media(prefers-color-scheme:dark){:root{--paper:#17181c;--ink:#e6e4de;"
    "--faint:#a0a3ac;--rule:#34363d;--c0:#5cb3cf;--c1:#ee8a63;--c2:#86bf73;"
    "--c3:#c48fd8;--c4:#dcb64c;--c5:#8aa6ea}}\n"
    "body{background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,"
    "sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem}\n"
    "h1{font-size:1.6rem;margin-bottom:0}h2{font-size:1.15rem;margin:2.2rem 0 "
    ".6rem}h3{font-size:1rem;margin:1.4rem 0 .2rem}\n"
    "p.small,.small{color:var(--faint);font-size:.9rem}\n"
    ".wide{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem;"
    "width:100%}\n"
    "th,td{text-align:left;padding:.25rem .5rem;border-bottom:1px solid "
    "var(--rule);vertical-align:top;font-variant-numeric:tabular-nums}\n"
    "td.n,th.n{text-align:right;white-space:nowrap}\n"
    "figure{margin:0}svg{width:100%;height:auto;font-size:13px}\n"
    "svg text{fill:currentColor}.grid{stroke:var(--rule)}\n"
    ".bar{display:inline-block;height:.55em;background:var(--c0)}.bar.was{"
    "background:var(--rule)}\n"
    ".blunder,.mistake{font-weight:600}\n"
    "pre{overflow-x:auto;margin:.3rem 0}"
    "tbody.step{border-bottom:1px solid var(--rule)}.step td{border:0}.step "
    "td:nth-child(2){min-width:9rem}\n"
    ".more>*{max-width:min(46rem,calc(100vw - 4rem));margin:0 0 .5rem}.more "
    "ul{padding-left:1.2rem}\n"
    "tbody:target{outline:2px solid var(--c0)}\n";

struct page {
  FILE *out;
  const sal_review *r;
  const struct sal_words *w;
  const struct sal_game *game;
  int players, seat;
};

/* ---- Pieces ----------------------------------------------------------------- */

static void put_seat_name(const struct page *p, int seat) {
  char name[LINE];
  struct sal_text t;
  sal_text_init(&t, name, sizeof name);
  p->w->seat(p->w, seat, &t);
  put_escaped(p->out, name);
}

static void put_action(const struct page *p, size_t step, sal_action a) {
  char text[LINE];
  struct sal_text t;
  sal_text_init(&t, text, sizeof text);
  sal_review_say_action(p->r, step, a, p->w, &t);
  put_escaped(p->out, text);
}

static void put_percent(const struct page *p, int32_t parts, bool sign) {
  char number[PERCENT_TEXT];
  percent_text(parts, sign, number);
  number[strlen(number) - 2] = '\0'; /* its blank may not end a line */
  fprintf(p->out, "%s\u00a0%%", number);
}

/* A sentence, in which no blank before a % ends a line. */
static void put_figures(const struct page *p, char *text) {
  for (char *blank; (blank = strstr(text, " %")) != NULL; text = blank + 1) {
    *blank = '\0';
    put_escaped(p->out, text);
    fputs("\u00a0", p->out);
  }
  put_escaped(p->out, text);
}

static void put_heading(const struct page *p, const char *tag,
                        const char *text) {
  fprintf(p->out, "<%s>", tag);
  put_escaped(p->out, text);
  fprintf(p->out, "</%s>\n", tag);
}

static void put_column(const struct page *p, const char *text) {
  fputs("<th scope=\"col\">", p->out);
  put_escaped(p->out, text);
  fputs("</th>", p->out);
}

/* Of one seat alone there are only its own decisions, and draws. */
static bool has_row(const struct page *p, size_t i) {
  const struct sal_review_step *s = sal_review_at(p->r, i);
  return p->seat < 0 || s->kind == SAL_REVIEW_DRAW || s->seat == p->seat;
}

/* What was done in a step. */
static void put_step_name(const struct page *p, size_t i) {
  const struct sal_review_step *s = sal_review_at(p->r, i);
  if (s->kind == SAL_REVIEW_DRAW) {
    put_escaped(p->out, _("Cards are drawn."));
    return;
  }
  put_seat_name(p, s->seat);
  fputs(": ", p->out);
  if (s->kind == SAL_REVIEW_MOVE)
    put_action(p, i, s->action);
  else
    put_escaped(p->out, _("resigns"));
}

/* ---- The chart --------------------------------------------------------------- */

static double x_of(const struct page *p, size_t step) {
  const size_t count = sal_review_steps(p->r);
  return LEFT + (double)(WIDTH - LEFT - 8) * (double)step /
                    (double)(count ? count : 1);
}

static double y_of(int32_t parts) {
  return 8 + (double)(HEIGHT - FOOT - 8) * (SAL_SURE - parts) / SAL_SURE;
}

static void put_grid(const struct page *p) {
  for (int percent = 0; percent <= 100; percent += 25) {
    const double y = y_of(SAL_SURE / 100 * percent);
    fprintf(p->out,
            "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" "
            "y2=\"%.1f\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%d %%"
            "</text>\n",
            LEFT, y, WIDTH - 8, y, LEFT - 6, y + 4, percent);
  }
}

static void put_curve(const struct page *p, int seat) {
  fprintf(p->out,
          "<polyline fill=\"none\" stroke=\"var(--c%d)\" stroke-width=\"2\" "
          "points=\"%.1f,%.1f",
          seat, x_of(p, 0), y_of(sal_review_start(p->r)[seat]));
  for (size_t i = 0; i < sal_review_done(p->r); i++)
    fprintf(p->out, " %.1f,%.1f", x_of(p, i + 1),
            y_of(sal_review_at(p->r, i)->value[seat]));
  fputs("\"/>\n", p->out);
}

/* A dot for every mistake, which leads to its row. */
static void put_dots(const struct page *p) {
  for (size_t i = 0; i < sal_review_done(p->r); i++) {
    const struct sal_review_step *s = sal_review_at(p->r, i);
    if (s->kind == SAL_REVIEW_DRAW || s->mark < SAL_MARK_MISTAKE ||
        !has_row(p, i))
      continue;
    fprintf(p->out,
            "<a href=\"#s%zu\"><circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" "
            "fill=\"var(--c%d)\"><title>",
            i + 1, x_of(p, i + 1), y_of(s->value[s->seat]), s->seat);
    fprintf(p->out, "%zu. ", i + 1);
    put_step_name(p, i);
    fputs("</title></circle></a>\n", p->out);
  }
}

static void put_chart(const struct page *p) {
  fprintf(p->out, "<figure><svg role=\"img\" viewBox=\"0 0 %d %d\"><title>",
          WIDTH, HEIGHT);
  put_escaped(p->out, _("The chance to win over the game"));
  fputs("</title>\n", p->out);
  put_grid(p);
  for (int i = 0; i < p->players; i++)
    put_curve(p, i);
  put_dots(p);
  for (int i = 0; i < p->players; i++) {
    fprintf(p->out,
            "<rect x=\"%d\" y=\"%d\" width=\"10\" height=\"10\" "
            "fill=\"var(--c%d)\"/><text x=\"%d\" y=\"%d\">",
            LEFT + i * 110, HEIGHT - 14, i, LEFT + 14 + i * 110, HEIGHT - 4);
    put_seat_name(p, i);
    fputs("</text>\n", p->out);
  }
  fputs("</svg></figure>\n", p->out);
}

/* ---- The summary -------------------------------------------------------------- */

static void put_row(const struct page *p, const char *title,
                    void (*cell)(const struct page *p,
                                 const struct sal_review_seat *s, int which),
                    int which) {
  fputs("<tr><th scope=\"row\">", p->out);
  put_escaped(p->out, title);
  fputs("</th>", p->out);
  for (int i = 0; i < p->players; i++) {
    struct sal_review_seat s;
    sal_review_seat(p->r, i, &s);
    fputs("<td class=\"n\">", p->out);
    cell(p, &s, which);
    fputs("</td>", p->out);
  }
  fputs("</tr>\n", p->out);
}

enum { ACCURACY, LOST, LUCK, HIDDEN, PLAY, OTHERS, GAVE, READ };

static void put_part(const struct page *p, const struct sal_review_seat *s,
                     int which) {
  const int32_t part[] = {s->accuracy, s->lost, s->luck,
                          s->hidden,   s->play, s->others};
  put_percent(p, part[which], which >= LUCK);
}

static void put_bits(const struct page *p, const struct sal_review_seat *s,
                     int which) {
  char number[PERCENT_TEXT];
  bits_text(which == GAVE ? s->gave : s->read, number);
  fputs(number, p->out);
}

static void put_mark(const struct page *p, const struct sal_review_seat *s,
                     int which) {
  fprintf(p->out, "%zu", s->marks[which]);
}

static void put_bluffs(const struct page *p, const struct sal_review_seat *s,
                       int which) {
  (void)which;
  fprintf(p->out, "%zu", s->bluffs);
}

static void put_earned(const struct page *p, const struct sal_review_seat *s,
                       int which) {
  const int32_t n = s->earned[which];
  fprintf(p->out, "%s%d", n < 0 ? "−" : n > 0 ? "+" : "", abs(n));
}

/* Tokens or points by cause, as far as there were any. */
static void put_causes(const struct page *p) {
  const struct sal_cause *cause = sal_causes(p->game);
  if (!cause->rule)
    return;
  fprintf(p->out, "<tr><th scope=\"row\" colspan=\"%d\">", p->players + 1);
  put_escaped(p->out, _(sal_causes_title(p->game)));
  fputs("</th></tr>\n", p->out);
  for (int i = 0; cause[i].rule; i++) {
    bool any = false;
    for (int seat = 0; seat < p->players; seat++) {
      struct sal_review_seat s;
      sal_review_seat(p->r, seat, &s);
      any |= s.earned[i] != 0;
    }
    if (any)
      put_row(p, _(cause[i].title), put_earned, i);
  }
}

static void put_seats(const struct page *p) {
  fputs("<div class=\"wide\"><table><thead><tr><td></td>", p->out);
  for (int i = 0; i < p->players; i++) {
    fputs("<th scope=\"col\" class=\"n\">", p->out);
    put_seat_name(p, i);
    fputs("</th>", p->out);
  }
  fputs("</tr></thead>\n<tbody>\n", p->out);
  put_row(p, _("Accuracy"), put_part, ACCURACY);
  put_row(p, _("Lost by errors"), put_part, LOST);
  put_row(p, _("Luck"), put_part, LUCK);
  put_row(p, _("Hidden cards"), put_part, HIDDEN);
  put_row(p, _("Own play"), put_part, PLAY);
  put_row(p, _("Play of the others"), put_part, OTHERS);
  if (sal_secret_name(p->game)) {
    put_row(p, _("Told the others, in bits"), put_bits, GAVE);
    put_row(p, _("Read of the others, in bits"), put_bits, READ);
    put_row(p, _("Bluffs that worked"), put_bluffs, 0);
  }
  for (int m = SAL_MARK_BEST; m < SAL_MARKS; m++)
    put_row(p, _(sal_mark_title((enum sal_mark)m)), put_mark, m);
  put_causes(p);
  fputs("</tbody></table></div>\n", p->out);
}

/* What the numbers mean, and who deserved the game. */
static void put_verdict(const struct page *p) {
  char text[LINE];
  struct sal_text t;
  fputs("<p class=\"small\">", p->out);
  put_escaped(
      p->out,
      _("Luck is the effect of the draws; hidden cards are what the player to "
        "move could not know. Together with the play of everyone they add up "
        "to the result."));
  fputs("</p>\n<p>", p->out);
  sal_text_init(&t, text, sizeof text);
  review_say_verdict(p->r, p->w, &t);
  put_escaped(p->out, text);
  fputs("</p>\n", p->out);
}

static void put_moments(const struct page *p) {
  for (int i = 0; i < p->players; i++) {
    struct sal_review_seat s;
    if (p->seat >= 0 && i != p->seat)
      continue;
    sal_review_seat(p->r, i, &s);
    fputs("<h3>", p->out);
    put_seat_name(p, i);
    fputs("</h3>\n<ul>\n", p->out);
    for (size_t k = 0; k < s.moments; k++) {
      const size_t at = s.moment[k];
      const int32_t before = at ? sal_review_at(p->r, at - 1)->value[i]
                                : sal_review_start(p->r)[i];
      fprintf(p->out, has_row(p, at) ? "<li><a href=\"#s%zu\">" : "<li>",
              at + 1);
      fprintf(p->out, "%zu.%s ", at + 1, has_row(p, at) ? "</a>" : "");
      put_step_name(p, at);
      fputs(" (", p->out);
      put_percent(p, sal_review_at(p->r, at)->value[i] - before, true);
      fputs(")</li>\n", p->out);
    }
    fputs("</ul>\n", p->out);
  }
}

/* Which bluffs worked: links to their rows. */
static void put_bluff_list(const struct page *p) {
  const char *after = "";
  for (size_t i = 0; i < sal_review_done(p->r); i++) {
    if (!has_row(p, i) || !sal_review_bluffed(sal_review_at(p->r, i)))
      continue;
    if (!*after) {
      put_heading(p, "h2", _("Bluffs that worked"));
      fputs("<ul>\n", p->out);
      after = "</ul>\n";
    }
    fprintf(p->out, "<li><a href=\"#s%zu\">%zu.</a> ", i + 1, i + 1);
    put_step_name(p, i);
    fputs("</li>\n", p->out);
  }
  fputs(after, p->out);
}

/* ---- Steps --------------------------------------------------------------------- */

static void put_candidate(const struct page *p, size_t i,
                          const struct sal_weighed *c) {
  const bool played = c->action == sal_review_at(p->r, i)->action;
  fputs(played ? "<li><b>" : "<li>", p->out);
  put_action(p, i, c->action);
  fputs(played ? "</b>, " : ", ", p->out);
  put_percent(p, c->value, false);
  fputs(" ± ", p->out);
  put_percent(p, c->error, false);
  if (c->often >= 0) {
    fputs(" · ", p->out);
    put_escaped(p->out, _(review_best_player(p->r)));
    fputc(' ', p->out);
    put_percent(p, c->often, false);
  }
  fputs("</li>", p->out);
}

/* The first five, and what was played. */
static void put_weighed(const struct page *p, size_t i) {
  const struct sal_review_step *s = sal_review_at(p->r, i);
  fputs("<ul class=\"small\">", p->out);
  for (size_t k = 0; k < s->count; k++)
    if (k < 5 || s->weighed[k].action == s->action)
      put_candidate(p, i, &s->weighed[k]);
  fputs("</ul>", p->out);
}

static void put_bar(const struct page *p, const char *kind, int32_t part) {
  fprintf(p->out, "<span class=\"%s\" style=\"width:%.2fem\"></span>", kind,
          part * 3e-6);
}

/* A sentence, and bars of what was believed before and after the action. */
static void put_beliefs(const struct page *p, const struct sal_review_step *s) {
  char text[LINE];
  struct sal_text t;
  for (size_t k = 0; k < s->inferences; k++) {
    const struct sal_inference *n = &s->inference[k];
    if (!review_notable(n))
      continue;
    sal_text_init(&t, text, sizeof text);
    review_say_inference(p->r, n, p->w, &t);
    fputs("<div class=\"small\">", p->out);
    put_figures(p, text);
    for (int x = 0; x < SAL_SECRETS && sal_secret_label(p->game, x); x++) {
      fprintf(p->out, "%s", x ? " " : "<br/>");
      put_escaped(p->out, _(sal_secret_label(p->game, x)));
      fputc(' ', p->out);
      put_bar(p, "bar was", n->before[x]);
      put_bar(p, "bar", n->after[x]);
    }
    fputs("</div>", p->out);
  }
}

/* The position as the seat saw it. */
static void put_known(const struct page *p, size_t i) {
  enum { POSITION = 1 << 14 };
  char *text = malloc(POSITION);
  struct sal_text t;
  if (!text)
    return;
  sal_text_init(&t, text, POSITION);
  sal_review_say_known(p->r, i, p->w, &t);
  fputs("<details class=\"small\"><summary>", p->out);
  put_escaped(p->out, _("What this player knew"));
  fputs("</summary><pre>", p->out);
  put_escaped(p->out, text);
  fputs("</pre></details>", p->out);
  free(text);
}

static void put_events(const struct page *p, const struct sal_review_step *s) {
  char text[LINE];
  struct sal_text t;
  fputs("<div class=\"small\">", p->out);
  for (size_t n = s->event; n < s->event + s->events; n++) {
    sal_text_init(&t, text, sizeof text);
    sal_table_event_say(sal_review_table(p->r), n, SAL_EVERYTHING, p->w, &t);
    put_escaped(p->out, text);
    fputs("<br/>", p->out);
  }
  fputs("</div>", p->out);
}

/* What is told of a step below its row, as wide as the table. */
static void put_more(const struct page *p, size_t i) {
  const struct sal_review_step *s = sal_review_at(p->r, i);
  fputs("<tr><td class=\"more\" colspan=\"7\">", p->out);
  if (s->kind == SAL_REVIEW_DRAW) {
    put_events(p, s);
  } else {
    put_weighed(p, i);
    put_beliefs(p, s);
  }
  if (s->kind == SAL_REVIEW_MOVE)
    put_known(p, i);
  fputs("</td></tr>", p->out);
}

static void put_step(const struct page *p, size_t i) {
  const struct sal_review_step *s = sal_review_at(p->r, i);
  const bool choice = s->kind != SAL_REVIEW_DRAW && s->mark != SAL_MARK_FORCED;
  const int seat = p->seat >= 0 ? p->seat : 0;
  fprintf(p->out,
          "<tbody class=\"step\" id=\"s%zu\"><tr><td class=\"n\">%zu</td><td>",
          i + 1, i + 1);
  put_step_name(p, i);
  fprintf(p->out, "</td><td class=\"%s\">",
          choice ? sal_mark_name(s->mark) : "none");
  if (choice)
    put_escaped(p->out, _(sal_mark_title(s->mark)));
  fputs("</td><td class=\"n\">", p->out);
  if (choice)
    put_percent(p, s->lost, false);
  fputs("</td><td class=\"n\">", p->out);
  put_percent(p, s->luck[seat], true);
  fputs("</td><td class=\"n\">", p->out);
  put_percent(p, s->hidden[seat], true);
  fputs("</td><td class=\"n\">", p->out);
  put_percent(p, s->value[seat], false);
  fputs("</td></tr>", p->out);
  if (s->kind == SAL_REVIEW_DRAW ? s->events > 0 : s->count > 0)
    put_more(p, i);
  fputs("</tbody>\n", p->out);
}

static void put_steps(const struct page *p) {
  char heading[LINE];
  struct sal_text t;
  fputs("<div class=\"wide\"><table><thead><tr>", p->out);
  put_column(p, _("No."));
  put_column(p, _("What was done"));
  put_column(p, _("Mark"));
  put_column(p, _("Lost"));
  sal_text_init(&t, heading, sizeof heading);
  const struct sal_place place = {"seat", SAL_PLACE_SEAT, NULL,
                                  p->seat >= 0 ? p->seat : 0};
  sal_say(&t, p->w, false, N_("Luck of {seat}"), &place, 1);
  put_column(p, heading);
  put_column(p, _("Hidden cards"));
  sal_text_init(&t, heading, sizeof heading);
  sal_say(&t, p->w, false, N_("Chance of {seat}"), &place, 1);
  put_column(p, heading);
  fputs("</tr></thead>\n", p->out);
  for (size_t i = 0; i < sal_review_done(p->r); i++)
    if (has_row(p, i))
      put_step(p, i);
  fputs("</table></div>\n", p->out);
}

char *review_html(const sal_review *r, const struct sal_words *w, int seat) {
  char *text = NULL;
  size_t size;
  const sal_table *t = sal_review_table(r);
  struct page p = {.out = open_memstream(&text, &size),
                   .r = r,
                   .w = w,
                   .game = sal_table_game(t),
                   .players = sal_table_players(t),
                   .seat = seat};
  char title[200];
  if (!p.out)
    return NULL;
  snprintf(title, sizeof title, _("%s: review"), _(p.game->info.title));
  fprintf(p.out,
          "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" "
          "lang=\"%s\"><head><meta charset=\"utf-8\"/><meta name=\"viewport\" "
          "content=\"width=device-width,initial-scale=1\"/><title>",
          language());
  put_escaped(p.out, title);
  fprintf(p.out, "</title>\n<style>%s</style></head><body>\n", style);
  put_heading(&p, "h1", title);
  put_heading(&p, "h2", _("The chance to win over the game"));
  put_chart(&p);
  put_heading(&p, "h2", _("Summary"));
  put_seats(&p);
  put_verdict(&p);
  put_heading(&p, "h2", _("What decided the game"));
  put_moments(&p);
  put_bluff_list(&p);
  put_heading(&p, "h2", _("Step by step"));
  put_steps(&p);
  fputs("</body></html>\n", p.out);
  if (fclose(p.out) == 0)
    return text;
  free(text);
  return NULL;
}
