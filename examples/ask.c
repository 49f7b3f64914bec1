/* Bots at a table: what the regular would do and how likely, what the expert
 * answers, and what the seat may believe about the other's identity.
 *
 *   cc -std=c17 ask.c $(pkg-config --cflags --libs salotto) -o ask */
#include <salotto/salotto.h>
#include <stdio.h>

enum { CHOICES = 64, WORLDS = 16 };

static void print_action(const sal_table *t, sal_action a) {
  char text[SAL_ACTION_TEXT_MAX];
  struct sal_text out;
  sal_text_init(&out, text, sizeof text);
  sal_table_game(t)->action_text(a, &out);
  fputs(text, stdout);
}

/* All choices of the seat with their chances. */
static int show_policy(const sal_table *t, int seat, struct sal_rng *rng) {
  double chance[CHOICES], value[CHOICES];
  struct sal_policy p = {.chance = chance, .value = value};
  size_t count;
  const sal_action *choices = sal_table_choices(t, seat, &count);
  if (count > CHOICES ||
      sal_table_policy(t, seat, sal_bot_find("regular"), NULL, rng, &p, NULL))
    return -1;
  for (size_t i = 0; i < count; i++) {
    print_action(t, choices[i]);
    printf(" %.0f %%\n", 100 * chance[i]);
  }
  return 0;
}

int main(void) {
  static union sal_state_box world[WORLDS];
  struct sal_plan plan = {.game = sal_game_find("doors")};
  const struct sal_budget budget = sal_budget_simulations(200);
  double weight[WORLDS];
  size_t worlds = WORLDS;
  struct sal_rng rng;
  struct sal_thought thought;
  sal_setup_default(plan.game, 2, &plan.setup);
  sal_key_number(7, &plan.seed);
  sal_rng_seed(&rng, 1);
  sal_table *t = sal_table_new(&plan);
  if (!t)
    return 1;
  const int seat = sal_table_to_act(t) & 1 ? 0 : 1;
  if (show_policy(t, seat, &rng) ||
      sal_table_ask(t, seat, sal_bot_find("expert"), &budget, &rng, &thought,
                    NULL) ||
      sal_table_worlds(t, seat, &rng, world, weight, &worlds, NULL))
    return 1;
  fputs("The expert: ", stdout);
  print_action(t, thought.action);
  printf("\n%zu worlds fit, the first with weight %.3f\n", worlds, weight[0]);
  const int played = sal_table_play(t, seat, thought.action, NULL);
  sal_table_free(t);
  return played;
}
