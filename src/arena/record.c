/* What is written down of a game while it is played: its record, as
 * docs/records.md has it, and how bots have failed. A record has its draws as
 * they came and no seed: the cards of a tournament come from its own. */
#include "match.h"

#include <stdlib.h>
#include <string.h>

enum { POSITION_MAX = 1 << 14 };

static bool wanted(const struct desk *d) {
  return d->plan->listener && d->plan->listener->records;
}

static void add_number(struct sal_buffer *b, int64_t number) {
  char buffer[24];
  struct sal_text t;
  sal_text_init(&t, buffer, sizeof buffer);
  sal_text_int(&t, number);
  sal_buffer_text(b, buffer);
}

static void add_options(struct sal_buffer *b, const struct arena_plan *p) {
  const struct sal_option *options = p->game->info.options;
  for (int i = 0; options[i].name; i++) {
    char text[SAL_OPTION_TEXT_MAX];
    struct sal_text t;
    sal_text_init(&t, text, sizeof text);
    if (!sal_option_text(p->game, i, p->setup.option[i], &t))
      continue;
    sal_buffer_text(b, "option ");
    sal_buffer_text(b, options[i].name);
    sal_buffer_text(b, " ");
    sal_buffer_text(b, text);
    sal_buffer_text(b, "\n");
  }
}

/* "# by SEAT NAME -": the bot goes by the name that the tournament gave it. */
static void add_bot(struct desk *d, int seat) {
  sal_buffer_text(&d->record, "# by ");
  add_number(&d->record, seat);
  sal_buffer_text(&d->record, " ");
  sal_buffer_text(&d->record, desk_bot(d, seat)->name);
  sal_buffer_text(&d->record, " -\n");
}

void record_begin(struct desk *d) {
  if (!wanted(d))
    return;
  sal_buffer_clear(&d->record);
  sal_buffer_text(&d->record, "salotto record 2\ngame ");
  sal_buffer_text(&d->record, d->plan->game->info.id);
  sal_buffer_text(&d->record, "\nplayers ");
  add_number(&d->record, d->plan->setup.players);
  sal_buffer_text(&d->record, "\n");
  for (int i = 0; i < d->plan->setup.players; i++)
    add_bot(d, i);
  add_options(&d->record, d->plan);
}

void record_step(struct desk *d, int seat, sal_action a) {
  char text[SAL_ACTION_TEXT_MAX];
  struct sal_text t;
  if (!wanted(d))
    return;
  sal_text_init(&t, text, sizeof text);
  d->plan->game->action_text(a, &t);
  if (seat == SAL_CHANCE)
    sal_buffer_text(&d->record, "=");
  else
    add_number(&d->record, seat);
  sal_buffer_text(&d->record, " ");
  sal_buffer_text(&d->record, text);
  sal_buffer_text(&d->record, "\n");
}

void record_end(struct desk *d) {
  const sal_state *s = desk_state(d);
  if (!wanted(d))
    return;
  if (d->plan->game->to_act(s) == 0) {
    const unsigned winners = d->plan->game->winners(s);
    sal_buffer_text(&d->record, "over");
    for (int i = 0; i < d->plan->setup.players; i++)
      if (winners >> i & 1) {
        sal_buffer_text(&d->record, " ");
        add_number(&d->record, i);
      }
    sal_buffer_text(&d->record, "\n");
  }
  if (d->record.failed)
    d->trouble = ARENA_NO_MEMORY;
}

/* ---- Notes ---------------------------------------------------------------- */

static char *position_of(const struct desk *d, int seat) {
  union sal_view_box view;
  struct sal_text t;
  char *text = malloc(POSITION_MAX);
  if (!text)
    return NULL;
  memset(&view, 0, sizeof view);
  d->plan->game->view(desk_state(d), seat, (sal_view *)view.bytes);
  sal_text_init(&t, text, POSITION_MAX);
  d->plan->game->position((const sal_view *)view.bytes,
                          d->plan->words ? d->plan->words : &sal_words_plain,
                          &t);
  return text;
}

void note_fault(struct desk *d, int seat, enum arena_fault f, sal_action a) {
  if (!d->plan->listener || !d->plan->listener->failed ||
      d->notes == SAL_SEATS_MAX)
    return;
  struct arena_note *n = &d->note[d->notes++];
  const char *rule = a ? d->plan->game->check(desk_state(d), seat, a) : NULL;
  *n = (struct arena_note){.seat = seat, .fault = f};
  memcpy(n->answer, d->answer, sizeof n->answer);
  if (a && !n->answer[0]) { /* one of ours */
    struct sal_text t;
    sal_text_init(&t, n->answer, sizeof n->answer);
    d->plan->game->action_text(a, &t);
  }
  if (f == ARENA_ILLEGAL && rule) {
    struct sal_text t;
    sal_text_init(&t, n->rule, sizeof n->rule);
    sal_text_add(&t, rule);
  }
  n->position = position_of(d, seat);
}
