/* Random games by sal_playout, to count instructions or to find out where they go:
 *
 *   cc -O2 -Iinclude bench/playouts.c -Lbuild -l:libsalotto.a -lsodium -ljansson \
 *      -lm -lpthread -o playouts
 *   ./playouts louis 20000
 *   valgrind --tool=callgrind ./playouts louis 1000
 */
#include <salotto/salotto.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv) {
  const struct sal_game *g = argc == 3 ? sal_game_find(argv[1]) : NULL;
  if (!g) {
    fputs("usage: playouts GAME GAMES\n", stderr);
    return 2;
  }
  struct sal_setup setup;
  struct sal_rng rng;
  union sal_state_box box;
  sal_action *legal = calloc(g->info.legal_max, sizeof *legal);
  uint64_t n = 0;
  sal_setup_default(g, g->info.players_min, &setup);
  sal_rng_seed(&rng, 1);
  const clock_t from = clock();
  for (int i = 0; legal && i < atoi(argv[2]); i++) {
    g->init((sal_state *)box.bytes, &setup);
    n += sal_playout(g, (sal_state *)box.bytes, &rng, UINT64_MAX, legal);
  }
  const double seconds = (double)(clock() - from) / CLOCKS_PER_SEC;
  printf("%llu decisions, %.2f million a second\n", (unsigned long long)n,
         (double)n / seconds / 1e6);
  free(legal);
  return 0;
}
