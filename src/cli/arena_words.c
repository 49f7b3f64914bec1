/* Sentences of tournaments: how bots failed, and what a test has decided. */
#include "arena_report.h"
#include "play_plain.h"

#include <string.h>

const char *fault_title(enum arena_fault f) {
  static const char *const titles[] = {
      [ARENA_FINE] = "",
      [ARENA_ILLEGAL] = N_("illegal"),
      [ARENA_LATE] = N_("late"),
      [ARENA_ENDED] = N_("crashed"),
      [ARENA_GARBLED] = N_("garbled"),
  };
  return f == ARENA_FINE ? "" : _(titles[f]);
}

static const char *what_happened(const struct arena_note *n) {
  static const char *const sentences[] = {
      [ARENA_FINE] = "",
      [ARENA_ILLEGAL] =
          N_("Game {game}, seat {seat}, {bot}: the action '{answer}' is not "
             "allowed."),
      [ARENA_LATE] = N_("Game {game}, seat {seat}, {bot}: no answer in time."),
      [ARENA_ENDED] =
          N_("Game {game}, seat {seat}, {bot}: the program has ended."),
      [ARENA_GARBLED] = N_("Game {game}, seat {seat}, {bot}: the answer "
                           "'{answer}' has no action."),
  };
  return sentences[n->fault];
}

/* The rule, or that the game has no such action at all. */
static void add_reason(const struct sal_game *g, const struct arena_note *n,
                       struct sal_text *out) {
  const struct sal_rule *rule = *n->rule ? sal_rule_find(g, n->rule) : NULL;
  if (n->fault != ARENA_ILLEGAL)
    return;
  sal_text_char(out, ' ');
  sal_text_add(out, rule ? _(rule->text)
                         : _("The game has no such action in its notation."));
  if (rule) {
    sal_text_add(out, " (");
    sal_text_add(out, rule->id);
    sal_text_char(out, ')');
  }
}

void fault_say(const struct arena_plan *p, const struct arena_note *n,
               struct sal_text *out) {
  uint8_t bot[SAL_SEATS_MAX];
  struct sal_speaker w;
  arena_seating(p, n->game, bot);
  const struct sal_place places[] = {
      {"game", SAL_PLACE_NUMBER, NULL, (int32_t)n->game},
      {"seat", SAL_PLACE_NUMBER, NULL, n->seat},
      {"bot", SAL_PLACE_TEXT, p->bot[bot[n->seat]].name, 0},
      {"answer", SAL_PLACE_TEXT, n->answer, 0}};
  cli_words_init(&w, NULL);
  sal_say(out, &w.words, false, what_happened(n), places, 4);
  add_reason(p->game, n, out);
}

/* Each line of a text two columns in. */
static void print_inside(const char *text) {
  while (*text) {
    char line[1000];
    const size_t n = strcspn(text, "\n");
    snprintf(line, sizeof line, "  %.*s", (int)n, text);
    print_lines(n ? line : "\n", 4);
    text += n + (text[n] == '\n');
  }
}

void print_faults(const struct arena_plan *p, const struct arena_notes *notes) {
  for (int i = 0; i < notes->count; i++) {
    char sentence[FAULT_SAY_MAX];
    struct sal_text t;
    sal_text_init(&t, sentence, sizeof sentence);
    fault_say(p, &notes->note[i], &t);
    putchar('\n');
    print_lines(sentence, 2);
    if (notes->note[i].position)
      print_inside(notes->note[i].position);
  }
  const size_t more = notes->all - (size_t)notes->count;
  if (more) {
    putchar('\n');
    printf(_("… and %zu more; --records and --csv list all of them.\n"), more);
  }
}

const char *sprt_verdict_id(enum sprt_verdict v) {
  static const char *const ids[] = {[SPRT_OPEN] = "open",
                                    [SPRT_NOT_STRONGER] = "not stronger",
                                    [SPRT_STRONGER] = "stronger"};
  return ids[v];
}

const char *sprt_say(const struct sprt *s, const char *bot,
                     char text[SPRT_SAY_MAX]) {
  char line[SPRT_SAY_MAX / 2];
  switch (s->verdict) {
  case SPRT_STRONGER:
    snprintf(line, sizeof line,
             _("Deals: %zu. Decided: %s is stronger, by at least %g Elo rather "
               "than at most %g."),
             s->seen.count, bot, s->elo[1], s->elo[0]);
    break;
  case SPRT_NOT_STRONGER:
    snprintf(line, sizeof line,
             _("Deals: %zu. Decided: %s is stronger by at most %g Elo, not by "
               "%g."),
             s->seen.count, bot, s->elo[0], s->elo[1]);
    break;
  default:
    snprintf(
        line, sizeof line,
        _("Deals: %zu. Not decided: whether %s is stronger by %g Elo or by "
          "%g."),
        s->seen.count, bot, s->elo[0], s->elo[1]);
  }
  const int length = snprintf(text, SPRT_SAY_MAX, "%s", line);
  snprintf(text + length, SPRT_SAY_MAX - (size_t)length,
           _(" Log likelihood ratio %.2f, bounds ±%.2f (risk 5 %%)."), s->ratio,
           SPRT_BOUND);
  return text;
}
