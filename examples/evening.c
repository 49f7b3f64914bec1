/* A table from the first card to the last: whoever is asked does the first thing
 * that is allowed, and what happened is told as seat 1 saw it.
 *
 *   cc -std=c17 evening.c $(pkg-config --cflags --libs salotto) -o evening */
#include <salotto/salotto.h>
#include <stdio.h>

int main(void) {
  struct sal_plan plan = {.game = sal_game_find("doors")};
  struct sal_refusal why;
  sal_setup_default(plan.game, 2, &plan.setup);
  sal_key_number(7, &plan.seed); /* a real table: sal_key_random */
  if (sal_plan_check(&plan, &why)) {
    fprintf(stderr, "%s\n", why.message);
    return 1;
  }
  sal_table *t = sal_table_new(&plan);
  if (!t)
    return 1;
  for (unsigned asked; (asked = sal_table_to_act(t)) != 0;) {
    const int seat = asked & 1 ? 0 : 1;
    size_t count;
    const sal_action *choices = sal_table_choices(t, seat, &count);
    sal_table_play(t, seat, choices[0], NULL);
  }
  char text[400];
  struct sal_text out;
  sal_text_init(&out, text, sizeof text);
  for (size_t n = 0; n < sal_table_event_count(t); n++) {
    sal_text_clear(&out);
    sal_table_event_say(t, n, 1, &sal_words_plain, &out);
    puts(text);
  }
  sal_table_free(t);
  return 0;
}
