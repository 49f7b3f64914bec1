/* Fuzzing the notation: any text is refused, or read as an action that is
 * written back as the same text; checking it in any position does not crash.
 * (Louis XIV reads some misspelt phrases, to name the rule that they break, as
 * actions of their own that no text stands for.) */
#include "salotto/salotto.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char text[256], again[SAL_ACTION_TEXT_MAX];
  if (size >= sizeof text)
    return 0;
  memcpy(text, data, size);
  text[size] = '\0';
  for (size_t i = 0; sal_games[i]; i++) {
    const struct sal_game *g = sal_games[i];
    const sal_action a = g->action_parse(text);
    if (!a)
      continue;
    struct sal_text out;
    sal_text_init(&out, again, sizeof again);
    g->action_text(a, &out);
    if (strcmp(text, again) != 0 && g->action_parse(again) == a)
      abort();
    struct sal_plan plan = {.game = g};
    sal_setup_default(g, g->info.players_max, &plan.setup);
    sal_table *t = sal_table_new(&plan);
    for (int seat = 0; seat < g->info.players_max; seat++)
      sal_table_act(t, seat, text, NULL);
    sal_table_free(t);
  }
  return 0;
}
