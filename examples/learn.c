/* Many games at once for a learner: 256 games of Doors, 100 steps each, with
 * observations and masks in arrays of the program's own; and what one seat of a
 * single game knows, as numbers.
 *
 *   cc -std=c17 learn.c $(pkg-config --cflags --libs salotto) -o learn */
#include <salotto/salotto.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 256, STEPS = 100 };

int main(void) {
  struct sal_batch_plan plan = {
      .game = sal_game_find("doors"), .count = COUNT, .seed = 1};
  const struct sal_info *info = &plan.game->info;
  struct sal_refusal why;
  sal_setup_default(plan.game, 2, &plan.setup);
  sal_batch *b = sal_batch_new(&plan, &why);
  int32_t action[COUNT];
  uint8_t over[COUNT];
  unsigned ended = 0;
  float *observation = calloc(COUNT * info->tensor_size, sizeof *observation);
  uint8_t *mask = calloc(COUNT, info->action_count);
  const struct sal_batch_out out = {
      .observation = observation, .mask = mask, .over = over};
  for (int step = 0; b && observation && mask && step < STEPS; step++) {
    sal_batch_choose(b, action); /* a learner would look at `observation` */
    if (sal_batch_step(b, action, &out, &why))
      break;
    for (int i = 0; i < COUNT; i++)
      ended += over[i];
  }
  printf("%u games ended; %zu numbers are seen, %zu are known\n", ended,
         info->tensor_size, sal_information_size(plan.game));
  sal_batch_free(b);
  free(observation);
  free(mask);
  return ended ? 0 : 1;
}
