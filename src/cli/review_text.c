/* A review in lines of text. */
#include "play_plain.h"
#include "review_report.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 2000, NOTABLE = 10000 };

void percent_text(int32_t parts, bool sign, char out[PERCENT_TEXT]) {
  const int32_t size = abs(parts), tenths = (size + 500) / 1000;
  snprintf(out, PERCENT_TEXT, "%s%d%c%d %%",
           parts < 0 && tenths ? "−"
           : sign              ? "+"
                               : "",
           tenths / 10, strcmp(language(), "it") == 0 ? ',' : '.', tenths % 10);
}

static const struct sal_game *game_of(const sal_review *r) {
  return sal_table_game(sal_review_table(r));
}

/* "Anna 41.2 %, Bruno 58.8 %" */
static void add_chances(const sal_review *r, const int32_t *value,
                        const struct sal_words *w, struct sal_text *out) {
  char number[PERCENT_TEXT];
  for (int i = 0; i < sal_table_players(sal_review_table(r)); i++) {
    sal_text_add(out, i ? ", " : "");
    w->seat(w, i, out);
    sal_text_char(out, ' ');
    percent_text(value[i], false, number);
    sal_text_add(out, number);
  }
}

void review_text_head(const sal_review *r, const struct sal_words *w) {
  char line[LINE];
  struct sal_text t;
  const struct sal_review_wish wish = sal_review_wish_of(r);
  printf(_("%s: review. %u playouts a position, %u worlds a decision, seed "
           "%llu.\n"),
         _(game_of(r)->info.title), wish.playouts, wish.worlds,
         (unsigned long long)wish.seed);
  sal_text_init(&t, line, sizeof line);
  sal_text_add(&t, _("Chances at the start: "));
  add_chances(r, sal_review_start(r), w, &t);
  sal_text_add(&t, ".\n");
  print_lines(line, 2);
}

/* ---- Steps ------------------------------------------------------------------ */

static void say_action(const sal_review *r, size_t step, sal_action a,
                       const struct sal_words *w, struct sal_text *out) {
  sal_review_say_action(r, step, a, w, out);
}

static void print_events(const sal_review *r, const struct sal_review_step *s,
                         const struct sal_words *w) {
  char line[LINE];
  struct sal_text t;
  for (size_t n = s->event; n < s->event + s->events; n++) {
    sal_text_init(&t, line, sizeof line);
    sal_text_add(&t, "     ");
    sal_table_event_say(sal_review_table(r), n, SAL_EVERYTHING, w, &t);
    print_lines(line, 7);
  }
}

static void print_luck(const sal_review *r, const struct sal_review_step *s,
                       const struct sal_words *w) {
  char line[LINE], number[PERCENT_TEXT];
  struct sal_text t;
  sal_text_init(&t, line, sizeof line);
  sal_text_add(&t, "     ");
  add_chances(r, s->value, w, &t);
  sal_text_add(&t, ". ");
  int lucky = 0;
  for (int i = 1; i < sal_table_players(sal_review_table(r)); i++)
    if (s->luck[i] > s->luck[lucky])
      lucky = i;
  percent_text(s->luck[lucky], true, number);
  const struct sal_place places[] = {{"seat", SAL_PLACE_SEAT, NULL, lucky},
                                     {"percent", SAL_PLACE_TEXT, number, 0}};
  if (s->luck[lucky] >= NOTABLE)
    sal_say(&t, w, false, N_("Luck for {seat}: {percent}."), places, 2);
  print_lines(line, 5);
}

static void print_mark(const sal_review *r, size_t step,
                       const struct sal_words *w) {
  const struct sal_review_step *s = sal_review_at(r, step);
  char line[LINE], best[LINE], lost[PERCENT_TEXT], value[PERCENT_TEXT],
      error[PERCENT_TEXT], often[PERCENT_TEXT];
  struct sal_text t;
  sal_text_init(&t, best, sizeof best);
  int32_t doubt = 0, share = -1;
  for (size_t i = 0; i < s->count; i++)
    if (s->weighed[i].action == s->action) {
      doubt = s->weighed[i].error;
      share = s->weighed[i].often;
    }
  if (s->count)
    say_action(r, step, s->weighed[0].action, w, &t);
  percent_text(s->lost, false, lost);
  percent_text(s->best, false, value);
  percent_text(doubt, false, error);
  percent_text(share, false, often);
  const struct sal_place places[] = {
      {"mark", SAL_PLACE_WORD, sal_mark_title(s->mark), 0},
      {"lost", SAL_PLACE_TEXT, lost, 0},
      {"error", SAL_PLACE_TEXT, error, 0},
      {"best", SAL_PLACE_TEXT, best, 0},
      {"often", SAL_PLACE_TEXT, often, 0},
      {"percent", SAL_PLACE_TEXT, value, 0}};
  sal_text_init(&t, line, sizeof line);
  sal_text_add(&t, "     ");
  if (s->kind == SAL_REVIEW_RESIGNED)
    sal_say(&t, w, false, N_("Resigned with a chance of {lost}."), places, 6);
  else if (s->mark <= SAL_MARK_BEST)
    sal_say(&t, w, false, N_("{mark} ({percent})."), places, 6);
  else
    sal_say(&t, w, false,
            N_("{mark}: {lost} lost (± {error}). Best: {best}, {percent}."),
            places, 6);
  if (s->mixed && share >= 0) {
    sal_text_char(&t, ' ');
    sal_say(&t, w, false, N_("Optimal play does this {often} of the time."),
            places, 6);
  }
  print_lines(line, 7);
}

/* "Bruno reads the identity: RL 33 → 52 %, …; 0.61 bits" */
static void print_inference(const sal_review *r, const struct sal_inference *n,
                            const struct sal_words *w) {
  char line[LINE], bars[LINE], bits[PERCENT_TEXT];
  struct sal_text t;
  sal_text_init(&t, bars, sizeof bars);
  for (int i = 0; i < SAL_SECRETS; i++) {
    const char *label = sal_secret_label(game_of(r), i);
    if (!label || (n->before[i] == 0 && n->after[i] == 0))
      continue;
    sal_text_add(&t, t.len ? ", " : "");
    sal_text_add(&t, label);
    sal_text_add(&t, i == n->truth ? "* " : " ");
    sal_text_int(&t, (n->before[i] + 5000) / 10000);
    sal_text_add(&t, " → ");
    sal_text_int(&t, (n->after[i] + 5000) / 10000);
    sal_text_add(&t, " %");
  }
  snprintf(bits, sizeof bits, "%+.2f", n->bits / 1000.0);
  const struct sal_place places[] = {{"seat", SAL_PLACE_SEAT, NULL, n->by},
                                     {"bars", SAL_PLACE_TEXT, bars, 0},
                                     {"bits", SAL_PLACE_TEXT, bits, 0}};
  sal_text_init(&t, line, sizeof line);
  sal_text_add(&t, "     ");
  sal_say(&t, w, false,
          n->model == SAL_BY_HABIT
              ? N_("{seat} can infer: {bars} ({bits} bits).")
              : N_("{seat} against optimal play: {bars} ({bits} bits)."),
          places, 3);
  print_lines(line, 7);
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
  if (s->kind == SAL_REVIEW_DRAW) {
    sal_text_add(&t, _("Cards are drawn."));
  } else {
    w->seat(w, s->seat, &t);
    sal_text_add(&t, ": ");
    if (s->kind == SAL_REVIEW_MOVE)
      say_action(r, i, s->action, w, &t);
    else
      sal_text_add(&t, _("resigns"));
  }
  print_lines(line, 5);
  if (s->kind == SAL_REVIEW_DRAW)
    print_events(r, s, w);
  if (s->kind != SAL_REVIEW_DRAW && s->mark != SAL_MARK_FORCED)
    print_mark(r, i, w);
  for (size_t n = 0; n < s->inferences; n++)
    if (abs(s->inference[n].bits) >= 50)
      print_inference(r, &s->inference[n], w);
  print_luck(r, s, w);
}

/* ---- The end ---------------------------------------------------------------- */

static void print_marks(const struct sal_review_seat *s) {
  printf("    ");
  for (int m = SAL_MARK_BEST; m < SAL_MARKS; m++)
    printf("%s%s: %zu", m > SAL_MARK_BEST ? ", " : "",
           _(sal_mark_title((enum sal_mark)m)), s->marks[m]);
  putchar('\n');
}

static void print_moments(const sal_review *r, const struct sal_words *w,
                          int seat, const struct sal_review_seat *s) {
  char line[LINE], number[PERCENT_TEXT];
  struct sal_text t;
  for (size_t i = 0; i < s->moments; i++) {
    const struct sal_review_step *step = sal_review_at(r, s->moment[i]);
    const int32_t before = s->moment[i]
                               ? sal_review_at(r, s->moment[i] - 1)->value[seat]
                               : sal_review_start(r)[seat];
    snprintf(line, sizeof line, "    %zu. ", s->moment[i] + 1);
    sal_text_init(&t, line + strlen(line), sizeof line - strlen(line));
    if (step->seat == SAL_CHANCE) {
      sal_text_add(&t, _("Cards are drawn."));
    } else {
      w->seat(w, step->seat, &t);
      sal_text_add(&t, ": ");
      if (step->kind == SAL_REVIEW_MOVE)
        say_action(r, s->moment[i], step->action, w, &t);
      else
        sal_text_add(&t, _("resigns"));
    }
    percent_text(step->value[seat] - before, true, number);
    sal_text_add(&t, " (");
    sal_text_add(&t, number);
    sal_text_add(&t, ")");
    print_lines(line, 7);
  }
}

static void print_seat(const sal_review *r, int seat,
                       const struct sal_words *w) {
  struct sal_review_seat s;
  char line[LINE], accuracy[PERCENT_TEXT], luck[PERCENT_TEXT],
      play[PERCENT_TEXT], others[PERCENT_TEXT], lost[PERCENT_TEXT];
  struct sal_text t;
  sal_review_seat(r, seat, &s);
  percent_text(s.accuracy, false, accuracy);
  percent_text(s.luck, true, luck);
  percent_text(s.play, true, play);
  percent_text(s.others, true, others);
  percent_text(s.lost, false, lost);
  const struct sal_place places[] = {{"seat", SAL_PLACE_SEAT, NULL, seat},
                                     {"accuracy", SAL_PLACE_TEXT, accuracy, 0},
                                     {"luck", SAL_PLACE_TEXT, luck, 0},
                                     {"play", SAL_PLACE_TEXT, play, 0},
                                     {"others", SAL_PLACE_TEXT, others, 0},
                                     {"lost", SAL_PLACE_TEXT, lost, 0}};
  sal_text_init(&t, line, sizeof line);
  sal_text_add(&t, "\n  ");
  sal_say(&t, w, false,
          N_("{seat}: accuracy {accuracy}, {lost} lost in all. Luck {luck}, "
             "own play {play}, play of the others {others}."),
          places, 6);
  print_lines(line, 4);
  print_marks(&s);
  print_moments(r, w, seat, &s);
}

void review_text_seats(const sal_review *r, const struct sal_words *w,
                       int seat) {
  char line[LINE];
  struct sal_text t;
  const int deserved = sal_review_deserved(r);
  const unsigned winners = sal_table_winners(sal_review_table(r));
  const struct sal_place place = {"seat", SAL_PLACE_SEAT, NULL, deserved};
  printf("\n%s\n", _("Summary"));
  for (int i = 0; i < sal_table_players(sal_review_table(r)); i++)
    if (seat < 0 || i == seat)
      print_seat(r, i, w);
  sal_text_init(&t, line, sizeof line);
  sal_say(&t, w, false,
          winners >> deserved & 1
              ? N_("{seat} played best and won.")
              : N_("With even luck {seat} would have deserved the game."),
          &place, 1);
  putchar('\n');
  print_lines(line, 2);
}
