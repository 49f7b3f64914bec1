/* A bot for `salotto arena` that is linked with the library: flat Monte Carlo, in
 * any game for two or more, without a word about any of them. Its view comes
 * packed in the message; worlds, rules and results come from the library.
 * docs/arena.md has the words.
 *
 *   cc -O2 -std=c17 rollout.c $(pkg-config --cflags --libs salotto) -o rollout
 *   salotto arena --game doors --games 100 --bot novice --bot cmd:./rollout
 *
 * For each world that looks the same to the seat, each action is played, then the
 * game goes on at random; the action with the best mean result is the answer.
 * That is good enough to beat the novice at Doors. At Traps it loses to anybody:
 * who bets at random makes every bet look bad. */
#define _POSIX_C_SOURCE 200809L /* getline */
#include <salotto/salotto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORLDS = 40, DECISIONS = 2000 };

struct player {
  const struct sal_game *game;
  int players, seat;
  struct sal_rng rng;
  sal_action *legal, *spare; /* with room for all actions of the game */
  double *value;
};

/* The number or the text behind a key; actions and names need no escapes. */
static const char *value_of(const char *line, const char *key) {
  const char *at = strstr(line, key);
  return at ? at + strlen(key) : "";
}

static void text_of(const char *line, const char *key, char *out, size_t size) {
  const char *at = value_of(line, key);
  snprintf(out, size, "%.*s", (int)strcspn(at, "\""), at);
}

static int begin(struct player *p, const char *line) {
  char id[32];
  text_of(line, "\"game\":\"", id, sizeof id);
  p->game = sal_game_find(id);
  if (!p->game)
    return -1;
  p->players = atoi(value_of(line, "\"players\":"));
  p->seat = atoi(value_of(line, "\"seat\":"));
  sal_rng_seed(&p->rng, strtoull(value_of(line, "\"seed\":"), NULL, 10));
  const size_t most = p->game->info.legal_max;
  free(p->legal);
  free(p->spare);
  free(p->value);
  p->legal = calloc(most, sizeof *p->legal);
  p->spare = calloc(most, sizeof *p->spare);
  p->value = calloc(most, sizeof *p->value);
  return p->legal && p->spare && p->value ? 0 : -1;
}

/* What a world is worth to the seat after an action and a game at random. */
static double outcome(struct player *p, const sal_state *world, sal_action a) {
  union sal_state_box box;
  sal_state *s = (sal_state *)box.bytes;
  double part[SAL_SEATS_MAX];
  memcpy(box.bytes, world, p->game->info.state_size);
  p->game->apply(s, p->seat, a, NULL);
  sal_playout(p->game, s, &p->rng, DECISIONS, p->spare);
  sal_value(p->game, s, p->players, part);
  return part[p->seat];
}

static sal_action choose(struct player *p, const sal_view *view) {
  union sal_state_box box;
  sal_state *world = (sal_state *)box.bytes;
  size_t count = 0, best = 0;
  memset(p->value, 0, p->game->info.legal_max * sizeof *p->value);
  for (int w = 0; w < WORLDS; w++) {
    p->game->resample(view, &p->rng, world);
    count = p->game->legal(world, p->seat, p->legal);
    for (size_t i = 0; i < count; i++)
      p->value[i] += outcome(p, world, p->legal[i]);
  }
  for (size_t i = 1; i < count; i++)
    if (p->value[i] > p->value[best])
      best = i;
  return p->legal[best];
}

static int answer(struct player *p, const char *line) {
  char packed[SAL_PACKED_MAX], text[SAL_ACTION_TEXT_MAX];
  union sal_view_box view;
  struct sal_refusal why;
  struct sal_text out;
  text_of(line, "\"packed\":\"", packed, sizeof packed);
  if (sal_view_unpack(p->game, packed, &view, &why)) {
    fprintf(stderr, "rollout: %s\n", why.message);
    return -1;
  }
  sal_text_init(&out, text, sizeof text);
  p->game->action_text(choose(p, (const sal_view *)view.bytes), &out);
  printf("{\"action\":\"%s\"}\n", text);
  return fflush(stdout);
}

int main(void) {
  struct player p = {0};
  char *line = NULL;
  size_t size = 0;
  int status = 0;
  while (!status && getline(&line, &size, stdin) > 0) {
    if (strstr(line, "\"type\":\"new\""))
      status = begin(&p, line);
    else if (strstr(line, "\"type\":\"move\""))
      status = answer(&p, line);
  }
  free(line);
  free(p.legal);
  free(p.spare);
  free(p.value);
  return status ? 1 : 0;
}
