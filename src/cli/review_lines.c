/* The review of a finished game in lines, at the end of a game and in a replay.
 */
#include "local.h"
#include "play_plain.h"
#include "review_report.h"

#include <signal.h>

static volatile sig_atomic_t interrupted;

static void note_interrupt(int number) {
  (void)number;
  interrupted = 1;
}

/* Each step as soon as it is computed. */
static void print_review(sal_review *r, const struct sal_words *w) {
  review_text_head(r, w);
  while (!interrupted && sal_review_next(r)) {
    review_text_step(r, sal_review_done(r) - 1, w, -1);
    fflush(stdout);
  }
  if (interrupted)
    print_lines(_("The review was stopped."), 0);
  else
    review_text_seats(r, w, -1);
}

void review_lines(const struct replay_wish *w) {
  struct sal_refusal why;
  struct record_names names;
  struct sigaction stop = {.sa_handler = note_interrupt}, usual;
  sal_table *t = load_record(w->text, w->length, NULL, &why);
  if (!t) {
    print_lines(why.message, 0);
    return;
  }
  record_names(w, sal_table_players(t), &names);
  teach_master();
  interrupted = 0;
  sigaction(SIGINT, &stop, &usual);
  sal_review *r = sal_review_new(t, NULL, &why);
  if (r)
    print_review(r, &names.words.words);
  else
    print_lines(_(why.message), 0);
  sigaction(SIGINT, &usual, NULL);
  sal_review_free(r);
  sal_table_free(t);
}
