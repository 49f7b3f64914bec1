/* A review in lines of text. */
#include "play_plain.h"
#include "review_report.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 2000, NOTABLE = 10000, CANDIDATES = 5 };

static char decimal_point(void) {
  return strcmp(language(), "it") == 0 ? ',' : '.';
}

void percent_text(int32_t parts, bool sign, char out[PERCENT_TEXT]) {
  const int32_t size = abs(parts), tenths = (size + 500) / 1000;
  snprintf(out, PERCENT_TEXT, "%s%d%c%d %%",
           parts < 0 && tenths ? "−"
           : sign              ? "+"
                               : "",
           tenths / 10, decimal_point(), tenths % 10);
}

void bits_text(int64_t thousandths, char out[PERCENT_TEXT]) {
  const long hundredths = (labs((long)thousandths) + 5) / 10;
  snprintf(out, PERCENT_TEXT, "%s%ld%c%02ld",
           thousandths < 0 && hundredths ? "−" : "+", hundredths / 100,
           decimal_point(), hundredths % 100);
}

static const struct sal_game *game_of(const sal_review *r) {
  return sal_table_game(sal_review_table(r));
}

/* ---- Sentences -------------------------------------------------------------- */

static void review_say_chances(const sal_review *r, const int32_t *value,
                               const struct sal_words *w,
                               struct sal_text *out) {
  char number[PERCENT_TEXT];
  for (int i = 0; i < sal_table_players(sal_review_table(r)); i++) {
    sal_text_add(out, i ? ", " : "");
    w->seat(w, i, out);
    sal_text_char(out, ' ');
    percent_text(value[i], false, number);
    sal_text_add(out, number);
  }
}

void review_say_step(const sal_review *r, size_t i, const struct sal_words *w,
                     struct sal_text *out) {
  const struct sal_review_step *s = sal_review_at(r, i);
  if (s->kind == SAL_REVIEW_DRAW) {
    sal_text_add(out, _("Cards are drawn."));
    return;
  }
  w->seat(w, s->seat, out);
  sal_text_add(out, ": ");
  if (s->kind == SAL_REVIEW_MOVE)
    sal_review_say_action(r, i, s->action, w, out);
  else
    sal_text_add(out, _("resigns"));
}

void review_say_luck(const sal_review *r, const struct sal_review_step *s,
                     const struct sal_words *w, struct sal_text *out) {
  char number[PERCENT_TEXT];
  review_say_chances(r, s->value, w, out);
  sal_text_char(out, '.');
  const bool draw = s->kind == SAL_REVIEW_DRAW;
  const int32_t *luck = draw ? s->luck : s->hidden;
  int lucky = 0;
  for (int i = 1; i < sal_table_players(sal_review_table(r)); i++)
    if (luck[i] > luck[lucky])
      lucky = i;
  percent_text(luck[lucky], true, number);
  const struct sal_place places[] = {{"seat", SAL_PLACE_SEAT, NULL, lucky},
                                     {"percent", SAL_PLACE_TEXT, number, 0}};
  if (luck[lucky] < NOTABLE)
    return;
  sal_text_char(out, ' ');
  sal_say(out, w, false,
          draw ? N_("Luck for {seat}: {percent}.")
               : N_("Hidden cards helped {seat}: {percent}."),
          places, 2);
}

void review_say_mark(const sal_review *r, size_t step,
                     const struct sal_words *w, struct sal_text *out) {
  const struct sal_review_step *s = sal_review_at(r, step);
  char best[LINE], lost[PERCENT_TEXT], value[PERCENT_TEXT], error[PERCENT_TEXT],
      often[PERCENT_TEXT];
  struct sal_text t;
  sal_text_init(&t, best, sizeof best);
  int32_t doubt = 0, share = -1, worth = s->best;
  for (size_t i = 0; i < s->count; i++)
    if (s->weighed[i].action == s->action) {
      worth = s->mark <= SAL_MARK_BEST ? s->weighed[i].value : worth;
      doubt = s->weighed[i].error;
      share = s->weighed[i].often;
    }
  if (s->count)
    sal_review_say_action(r, step, s->weighed[0].action, w, &t);
  percent_text(s->lost, false, lost);
  percent_text(worth, false, value);
  percent_text(doubt, false, error);
  percent_text(share, false, often);
  const struct sal_place places[] = {
      {"mark", SAL_PLACE_WORD, sal_mark_title(s->mark), 0},
      {"lost", SAL_PLACE_TEXT, lost, 0},
      {"error", SAL_PLACE_TEXT, error, 0},
      {"best", SAL_PLACE_TEXT, best, 0},
      {"often", SAL_PLACE_TEXT, often, 0},
      {"percent", SAL_PLACE_TEXT, value, 0}};
  if (s->kind == SAL_REVIEW_RESIGNED)
    sal_say(out, w, false, N_("Resigned with a chance of {lost}."), places, 6);
  else if (s->mark <= SAL_MARK_BEST)
    sal_say(out, w, false, N_("{mark} ({percent})."), places, 6);
  else
    sal_say(out, w, false,
            N_("{mark}: {lost} lost (± {error}). Best: {best}, {percent}."),
            places, 6);
  if (s->mixed && share >= 0) {
    sal_text_char(out, ' ');
    sal_say(out, w, false,
            sal_is_solved(game_of(r))
                ? N_("Optimal play does this {often} of the time.")
                : N_("The master does this {often} of the time."),
            places, 6);
  }
}

const char *review_best_player(const sal_review *r) {
  return sal_is_solved(game_of(r)) ? N_("optimal play") : N_("the master");
}

static void say_candidate(const sal_review *r, size_t step,
                          const struct sal_weighed *c,
                          const struct sal_words *w, struct sal_text *out) {
  char number[PERCENT_TEXT];
  sal_review_say_action(r, step, c->action, w, out);
  percent_text(c->value, false, number);
  sal_text_char(out, ' ');
  sal_text_add(out, number);
  percent_text(c->error, false, number);
  sal_text_add(out, " ± ");
  sal_text_add(out, number);
  if (c->often < 0)
    return;
  percent_text(c->often, false, number);
  sal_text_add(out, ", ");
  sal_text_add(out, _(review_best_player(r)));
  sal_text_char(out, ' ');
  sal_text_add(out, number);
}

/* What else could have been done: the first five candidates with their values and
 * standard errors, and what was played; nothing where there is one. */
static void say_weighed(const sal_review *r, size_t step,
                        const struct sal_words *w, struct sal_text *out) {
  const struct sal_review_step *s = sal_review_at(r, step);
  const char *before = ": ";
  if (s->count < 2)
    return;
  sal_text_add(out, _("Candidates"));
  for (size_t i = 0; i < s->count; i++) {
    if (i >= CANDIDATES && s->weighed[i].action != s->action)
      continue;
    sal_text_add(out, before);
    before = "; ";
    say_candidate(r, step, &s->weighed[i], w, out);
  }
  sal_text_char(out, '.');
}

/* "Bruno can infer the identity: RL* 33 → 52 %, … (+0.61 bits)." The star is at
 * the truth, which is told however unlikely it seemed. */
void review_say_inference(const sal_review *r, const struct sal_inference *n,
                          const struct sal_words *w, struct sal_text *out) {
  char bars[LINE], bits[PERCENT_TEXT];
  struct sal_text t;
  sal_text_init(&t, bars, sizeof bars);
  for (int i = 0; i < SAL_SECRETS; i++) {
    const char *label = sal_secret_label(game_of(r), i);
    if (!label || (n->before[i] < 5000 && n->after[i] < 5000 && i != n->truth))
      continue;
    sal_text_add(&t, t.len ? ", " : "");
    sal_text_add(&t, _(label));
    sal_text_add(&t, i == n->truth ? "* " : " ");
    sal_text_int(&t, (n->before[i] + 5000) / 10000);
    sal_text_add(&t, " → ");
    sal_text_int(&t, (n->after[i] + 5000) / 10000);
    sal_text_add(&t, " %");
  }
  bits_text(n->bits, bits);
  const struct sal_place places[] = {
      {"seat", SAL_PLACE_SEAT, NULL, n->by},
      {"secret", SAL_PLACE_WORD, sal_secret_title(game_of(r)), 0},
      {"bars", SAL_PLACE_TEXT, bars, 0},
      {"bits", SAL_PLACE_TEXT, bits, 0}};
  sal_say(out, w, false,
          n->model == SAL_BY_HABIT
              ? N_("{seat} can infer {secret}: {bars} ({bits} bits).")
              : N_("{seat} against optimal play: {bars} ({bits} bits)."),
          places, 4);
}

void review_say_moment(const sal_review *r, size_t step, int seat,
                       const struct sal_words *w, struct sal_text *out) {
  char number[PERCENT_TEXT];
  const int32_t before =
      (step ? sal_review_at(r, step - 1)->value : sal_review_start(r))[seat];
  sal_text_int(out, (int)step + 1);
  sal_text_add(out, ". ");
  review_say_step(r, step, w, out);
  percent_text(sal_review_at(r, step)->value[seat] - before, true, number);
  sal_text_add(out, " (");
  sal_text_add(out, number);
  sal_text_add(out, ")");
}

static void say_bits(const struct sal_review_seat *s, const struct sal_words *w,
                     struct sal_text *out) {
  char gave[PERCENT_TEXT], read[PERCENT_TEXT];
  bits_text(s->gave, gave);
  bits_text(s->read, read);
  const struct sal_place places[] = {{"gave", SAL_PLACE_TEXT, gave, 0},
                                     {"read", SAL_PLACE_TEXT, read, 0}};
  sal_text_char(out, ' ');
  sal_say(out, w, false,
          N_("Told the others {gave} bits, read {read} bits of them."), places,
          2);
}

void review_say_seat(const sal_review *r, const struct sal_review_seat *s,
                     int seat, const struct sal_words *w,
                     struct sal_text *out) {
  char accuracy[PERCENT_TEXT], luck[PERCENT_TEXT], hidden[PERCENT_TEXT],
      play[PERCENT_TEXT], others[PERCENT_TEXT], lost[PERCENT_TEXT];
  percent_text(s->accuracy, false, accuracy);
  percent_text(s->luck, true, luck);
  percent_text(s->hidden, true, hidden);
  percent_text(s->play, true, play);
  percent_text(s->others, true, others);
  percent_text(s->lost, false, lost);
  const struct sal_place places[] = {{"seat", SAL_PLACE_SEAT, NULL, seat},
                                     {"accuracy", SAL_PLACE_TEXT, accuracy, 0},
                                     {"luck", SAL_PLACE_TEXT, luck, 0},
                                     {"hidden", SAL_PLACE_TEXT, hidden, 0},
                                     {"play", SAL_PLACE_TEXT, play, 0},
                                     {"others", SAL_PLACE_TEXT, others, 0},
                                     {"lost", SAL_PLACE_TEXT, lost, 0}};
  sal_say(
      out, w, false,
      N_("{seat}: accuracy {accuracy}, {lost} lost in all. Luck {luck}, hidden "
         "cards {hidden}, own play {play}, play of the others {others}."),
      places, 7);
  if (sal_secret_name(game_of(r)))
    say_bits(s, w, out);
}

void review_say_marks(const struct sal_review_seat *s, struct sal_text *out) {
  for (int m = SAL_MARK_BEST; m < SAL_MARKS; m++) {
    sal_text_add(out, m > SAL_MARK_BEST ? ", " : "");
    sal_text_add(out, _(sal_mark_title((enum sal_mark)m)));
    sal_text_add(out, ": ");
    sal_text_int(out, (int)s->marks[m]);
  }
}

static void say_signed(int32_t n, struct sal_text *out) {
  sal_text_add(out, n < 0 ? "−" : "+");
  sal_text_int(out, abs(n));
}

void review_say_earned(const sal_review *r, const struct sal_review_seat *s,
                       struct sal_text *out) {
  const struct sal_cause *cause = sal_causes(game_of(r));
  const char *before = ": ";
  for (int i = 0; cause[i].rule; i++) {
    if (s->earned[i] == 0)
      continue;
    if (out->len == 0)
      sal_text_add(out, _(sal_causes_title(game_of(r))));
    sal_text_add(out, before);
    before = ", ";
    sal_text_add(out, _(cause[i].title));
    sal_text_char(out, ' ');
    say_signed(s->earned[i], out);
  }
  sal_text_add(out, out->len ? "." : "");
}

void review_say_bluffs(const sal_review *r, const struct sal_review_seat *s,
                       int seat, struct sal_text *out) {
  const char *before = ": ";
  if (s->bluffs == 0)
    return;
  sal_text_add(out, _("Bluffs that worked"));
  for (size_t i = 0; i < sal_review_done(r); i++) {
    const struct sal_review_step *step = sal_review_at(r, i);
    if (step->seat != seat || !sal_review_bluffed(step))
      continue;
    sal_text_add(out, before);
    before = ", ";
    sal_text_int(out, (int64_t)i + 1);
  }
  sal_text_char(out, '.');
}

void review_say_verdict(const sal_review *r, const struct sal_words *w,
                        struct sal_text *out) {
  const int deserved = sal_review_deserved(r);
  const unsigned winners = sal_table_winners(sal_review_table(r));
  const struct sal_place place = {"seat", SAL_PLACE_SEAT, NULL, deserved};
  sal_say(out, w, false,
          winners >> deserved & 1
              ? N_("{seat} played best and won.")
              : N_("With even luck {seat} would have deserved the game."),
          &place, 1);
}

/* ---- Lines ------------------------------------------------------------------ */

void review_text_head(const sal_review *r, const struct sal_words *w) {
  char line[LINE];
  struct sal_text t;
  const struct sal_review_wish wish = sal_review_wish_of(r);
  printf(
      _("%s: review. %u playouts per position, %u worlds per decision, seed %llu.\n"),
      _(game_of(r)->info.title), wish.playouts, wish.worlds,
      (unsigned long long)wish.seed);
  sal_text_init(&t, line, sizeof line);
  sal_text_add(&t, _("Chances at the start: "));
  review_say_chances(r, sal_review_start(r), w, &t);
  sal_text_add(&t, ".\n");
  print_lines(line, 2);
}

/* Begins a line so many columns in. */
static void begin_line(struct sal_text *t, char line[LINE], int columns) {
  sal_text_init(t, line, LINE);
  for (int i = 0; i < columns; i++)
    sal_text_char(t, ' ');
}

/* The end of a game is told in several lines. */
static void print_event(const char *words) {
  char line[LINE + 8];
  while (*(words += strspn(words, " \n"))) {
    const size_t length = strcspn(words, "\n");
    snprintf(line, sizeof line, "     %.*s", (int)length, words);
    print_lines(line, 7);
    words += length;
  }
}

static void print_events(const sal_review *r, const struct sal_review_step *s,
                         const struct sal_words *w) {
  char words[LINE];
  struct sal_text t;
  for (size_t n = s->event; n < s->event + s->events; n++) {
    sal_text_init(&t, words, sizeof words);
    sal_table_event_say(sal_review_table(r), n, SAL_EVERYTHING, w, &t);
    print_event(words);
  }
}

static void print_inferences(const sal_review *r,
                             const struct sal_review_step *s,
                             const struct sal_words *w) {
  char line[LINE];
  struct sal_text t;
  for (size_t n = 0; n < s->inferences; n++)
    if (review_notable(&s->inference[n])) {
      begin_line(&t, line, 5);
      review_say_inference(r, &s->inference[n], w, &t);
      print_lines(line, 7);
    }
}

bool review_notable(const struct sal_inference *n) {
  return abs(n->bits) >= 50;
}

void review_text_step(const sal_review *r, size_t i, const struct sal_words *w,
                      int seat) {
  const struct sal_review_step *s = sal_review_at(r, i);
  char line[LINE];
  struct sal_text t;
  if (s->kind != SAL_REVIEW_DRAW && seat >= 0 && s->seat != seat)
    return;
  sal_text_init(&t, line, sizeof line);
  snprintf(line, sizeof line, "%3zu. ", i + 1);
  t.len = strlen(line);
  review_say_step(r, i, w, &t);
  print_lines(line, 5);
  if (s->kind == SAL_REVIEW_DRAW)
    print_events(r, s, w);
  if (s->kind != SAL_REVIEW_DRAW && s->mark != SAL_MARK_FORCED) {
    begin_line(&t, line, 5);
    review_say_mark(r, i, w, &t);
    print_lines(line, 7);
    begin_line(&t, line, 5);
    say_weighed(r, i, w, &t);
    if (t.len > 5)
      print_lines(line, 7);
  }
  print_inferences(r, s, w);
  begin_line(&t, line, 5);
  review_say_luck(r, s, w, &t);
  print_lines(line, 5);
}

/* A line of its own, if there is anything to say. */
static void print_indented(const char *text) {
  char line[LINE + 8];
  if (!*text)
    return;
  snprintf(line, sizeof line, "    %s", text);
  print_lines(line, 6);
}

static void print_more(const sal_review *r, const struct sal_review_seat *s,
                       int seat) {
  char text[LINE];
  struct sal_text t;
  sal_text_init(&t, text, sizeof text);
  review_say_earned(r, s, &t);
  print_indented(text);
  sal_text_init(&t, text, sizeof text);
  review_say_bluffs(r, s, seat, &t);
  print_indented(text);
}

static void print_seat(const sal_review *r, int seat,
                       const struct sal_words *w) {
  struct sal_review_seat s;
  char line[LINE];
  struct sal_text t;
  sal_review_seat(r, seat, &s);
  putchar('\n');
  begin_line(&t, line, 2);
  review_say_seat(r, &s, seat, w, &t);
  print_lines(line, 4);
  begin_line(&t, line, 4);
  review_say_marks(&s, &t);
  print_lines(line, 4);
  print_more(r, &s, seat);
  for (size_t i = 0; i < s.moments; i++) {
    begin_line(&t, line, 4);
    review_say_moment(r, s.moment[i], seat, w, &t);
    print_lines(line, 7);
  }
}

void review_text_seats(const sal_review *r, const struct sal_words *w,
                       int seat) {
  char line[LINE];
  struct sal_text t;
  printf("\n%s\n", _("Summary"));
  for (int i = 0; i < sal_table_players(sal_review_table(r)); i++)
    if (seat < 0 || i == seat)
      print_seat(r, i, w);
  sal_text_init(&t, line, sizeof line);
  review_say_verdict(r, w, &t);
  putchar('\n');
  print_lines(line, 2);
}
