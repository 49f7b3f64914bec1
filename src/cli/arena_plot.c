/* Plots of a tournament as SVG, for the page.
 *
 * Every plot is an image with a title and a description that says what it
 * shows, and takes its colours from the page: currentColor for lines and
 * letters, the classes c0 to c7 for bots. */
#include "arena_report.h"

#include <math.h>

/* Names stand on the left of AXIS, data between AXIS and AXIS + SPAN. As wide as
 * a telephone, so that letters can be read there. */
enum { WIDTH = 400, AXIS = 130, SPAN = 205, ROW = 22, FOOT = 40 };

void put_escaped(FILE *out, const char *text) {
  for (; *text; text++)
    switch (*text) {
    case '<': fputs("&lt;", out); break;
    case '>': fputs("&gt;", out); break;
    case '&': fputs("&amp;", out); break;
    case '"': fputs("&quot;", out); break;
    default: fputc(*text, out);
    }
}

/* ---- Pieces -------------------------------------------------------------- */

static void open_plot(FILE *out, int height, const char *title) {
  fprintf(out, "<svg role=\"img\" viewBox=\"0 0 %d %d\"><title>", WIDTH,
          height);
  put_escaped(out, title);
  fputs("</title>\n", out);
}

static void put_label(FILE *out, double x, double y, const char *anchor,
                      const char *text) {
  fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
  put_escaped(out, text);
  fputs("</text>\n", out);
}

static void put_line(FILE *out, const char *class, double x1, double y1,
                     double x2, double y2) {
  fprintf(out,
          "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" "
          "y2=\"%.1f\"/>\n",
          class, x1, y1, x2, y2);
}

static void put_bar(FILE *out, int colour, double x, double y, double width,
                    double height) {
  fprintf(out,
          "<rect class=\"c%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
          "height=\"%.1f\"/>\n",
          colour, x, y, width, height);
}

/* A name beside its row, cut to what fits there. */
static void put_row_name(FILE *out, double y, const char *name) {
  enum { FITS = 16 };
  char cut[4 * FITS + 1];
  struct sal_text text;
  sal_text_init(&text, cut, sizeof cut);
  shorten(name, FITS, &text);
  put_label(out, AXIS - 10, y, "end", cut);
}

/* The smallest of 1, 2, 5, 10, 20, … that is not below `least`. */
static double round_step(double least) {
  double step = pow(10, floor(log10(fmax(least, 1))));
  if (step < least)
    step *= 2;
  if (step < least)
    step *= 2.5;
  if (step < least)
    step *= 2;
  return step;
}

/* ---- Ratings ------------------------------------------------------------- */

struct scale {
  double from, to;
};

static double place_on_axis(const struct scale *s, double value) {
  return AXIS + SPAN * (value - s->from) / (s->to - s->from);
}

static struct scale rating_scale(const struct tournament_report *r,
                                 double *step) {
  double low = 1500, high = 1500;
  for (int i = 0; i < r->plan->bots; i++) {
    low = fmin(low, r->figures->bot[i].rating.low);
    high = fmax(high, r->figures->bot[i].rating.high);
  }
  *step = round_step(fmax(high - low, 20) / 4);
  return (struct scale){floor(low / *step) * *step - *step / 2,
                        ceil(high / *step) * *step + *step / 2};
}

static void describe_ratings(FILE *out, const struct tournament_report *r) {
  fputs("<desc>", out);
  for (int i = 0; i < r->plan->bots; i++) {
    const struct interval *v = &r->figures->bot[i].rating;
    put_escaped(out, r->plan->bot[i].name);
    fprintf(out, _(": %.0f (%.0f to %.0f). "), v->mean, v->low, v->high);
  }
  fputs("</desc>\n", out);
}

void plot_ratings(FILE *out, const struct tournament_report *r) {
  double step;
  const struct scale s = rating_scale(r, &step);
  const int bottom = 10 + ROW * r->plan->bots;
  open_plot(out, bottom + FOOT, _("Ratings and their intervals"));
  describe_ratings(out, r);
  for (double v = ceil(s.from / step) * step; v <= s.to; v += step) {
    char text[32];
    snprintf(text, sizeof text, "%.0f", v);
    put_line(out, "grid", place_on_axis(&s, v), 5, place_on_axis(&s, v),
             bottom);
    put_label(out, place_on_axis(&s, v), bottom + 18, "middle", text);
  }
  for (int i = 0; i < r->plan->bots; i++) {
    const struct interval *v = &r->figures->bot[i].rating;
    const double y = 10 + ROW * (i + 0.5);
    char text[32];
    put_row_name(out, y + 4, r->plan->bot[i].name);
    put_line(out, "whisker", place_on_axis(&s, v->low), y,
             place_on_axis(&s, v->high), y);
    fprintf(out, "<circle class=\"c%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"/>\n", i,
            place_on_axis(&s, v->mean), y);
    snprintf(text, sizeof text, "%.0f", v->mean);
    put_label(out, WIDTH - 5, y + 4, "end", text);
  }
  fputs("</svg>\n", out);
}

/* ---- Wins by seat -------------------------------------------------------- */

static void put_rate(FILE *out, double y, int colour, const char *name,
                     double rate) {
  char text[32];
  put_row_name(out, y + 15, name);
  if (colour >= 0)
    put_bar(out, colour, AXIS, y + 3, SPAN * rate, ROW - 6);
  snprintf(text, sizeof text, "%.1f %%", 100 * rate);
  put_label(out, WIDTH - 5, y + 15, "end", text);
}

/* A group of rows: the bots at one seat, then whoever had it. */
static double plot_seat(FILE *out, const struct tournament_report *r, int seat,
                        double y) {
  char text[64];
  const struct interval *all = &r->figures->seat[seat];
  snprintf(text, sizeof text, _("seat %d"), seat);
  fprintf(out, "<g class=\"strong\">");
  put_label(out, 5, y + 15, "start", text);
  fputs("</g>\n", out);
  y += ROW;
  for (int i = 0; r->plan->bots > 1 && i < r->plan->bots; i++, y += ROW)
    put_rate(out, y, i, r->plan->bot[i].name, r->figures->bot[i].wins_at[seat]);
  put_rate(out, y, -1, _("whoever has it"), all->mean);
  put_line(out, "whisker", AXIS + SPAN * all->low, y + ROW / 2.0,
           AXIS + SPAN * all->high, y + ROW / 2.0);
  fprintf(out, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>\n",
          AXIS + SPAN * all->mean, y + ROW / 2.0);
  return y + ROW + 8;
}

void plot_seats(FILE *out, const struct tournament_report *r) {
  const int seats = r->plan->setup.players;
  const int rows = r->plan->bots > 1 ? r->plan->bots + 2 : 2;
  const int bottom = 10 + seats * (ROW * rows + 8);
  const double even = AXIS + (double)SPAN / seats;
  open_plot(out, bottom + FOOT, _("Wins by seat"));
  fputs("<desc>", out);
  for (int s = 0; s < seats; s++)
    fprintf(out, _("Seat %d wins %.1f %% (%.1f to %.1f). "), s,
            100 * r->figures->seat[s].mean, 100 * r->figures->seat[s].low,
            100 * r->figures->seat[s].high);
  fputs("</desc>\n", out);
  for (int percent = 0; percent <= 100; percent += 25) {
    const double x = AXIS + SPAN * percent / 100.0;
    char text[16];
    snprintf(text, sizeof text, "%d %%", percent);
    put_line(out, "grid", x, 5, x, bottom);
    put_label(out, x, bottom + 18, "middle", text);
  }
  double y = 10;
  for (int s = 0; s < seats; s++)
    y = plot_seat(out, r, s, y);
  put_line(out, "even", even, 5, even, bottom);
  put_label(out, even, bottom + 34, "middle", _("all alike"));
  fputs("</svg>\n", out);
}

/* ---- Histograms ---------------------------------------------------------- */

static void bin_name(const struct histogram *h, int bin, char *out,
                     size_t size) {
  const int from = h->low + bin * h->width;
  if (h->width == 1)
    snprintf(out, size, "%d", from);
  else
    snprintf(out, size, "%d–%d", from, from + h->width - 1);
}

static size_t most_in(const struct histogram *h) {
  size_t most = 1;
  for (int i = 0; i < h->bins; i++)
    most = h->count[i] > most ? h->count[i] : most;
  return most;
}

static void describe_bins(FILE *out, const struct histogram *h) {
  fputs("<desc>", out);
  for (int i = 0; i < h->bins; i++) {
    char name[32];
    bin_name(h, i, name, sizeof name);
    fprintf(out, "%s: %zu. ", name, h->count[i]);
  }
  fputs("</desc>\n", out);
}

static void put_bins(FILE *out, const struct histogram *h, int colour,
                     double left, double bottom, double height) {
  const double wide = (WIDTH - left - 10) / fmax(h->bins, 6);
  const int every = h->bins > 12 ? 4 : h->bins > 6 ? 2 : 1;
  const size_t most = most_in(h);
  for (int i = 0; i < h->bins; i++) {
    char name[32];
    const double tall = height * (double)h->count[i] / (double)most;
    put_bar(out, colour, left + wide * i + 1, bottom - tall, wide - 2, tall);
    bin_name(h, i, name, sizeof name);
    if (i % every == 0)
      put_label(out, left + wide * (i + 0.5), bottom + 18, "middle", name);
  }
}

static void plot_histogram(FILE *out, const struct histogram *h, int colour,
                           int height, const char *title) {
  const double left = 60, bottom = height + 15;
  char text[32];
  open_plot(out, height + 15 + FOOT, title);
  describe_bins(out, h);
  put_line(out, "grid", left, 15, WIDTH - 10, 15);
  put_line(out, "base", left, bottom, WIDTH - 10, bottom);
  snprintf(text, sizeof text, "%zu", most_in(h));
  put_label(out, left - 8, 19, "end", text);
  put_label(out, left - 8, bottom + 4, "end", "0");
  put_label(out, 5, bottom - height / 2.0, "start", _("games"));
  put_bins(out, h, colour, left, bottom, height);
  fputs("</svg>\n", out);
}

void plot_lengths(FILE *out, const struct tournament_report *r) {
  plot_histogram(out, &r->figures->lengths, 0, 180, _("Length of the games"));
}

void plot_scores(FILE *out, const struct tournament_report *r, int bot) {
  plot_histogram(out, &r->figures->bot[bot].scores, bot, 110,
                 r->plan->bot[bot].name);
}
