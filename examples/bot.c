/* An outside bot for `salotto arena` without any library, in any game.
 * docs/arena.md has the words.
 *
 *   cc -O2 -o bot examples/bot.c
 *   salotto arena --game doors --games 200 --bot regular --bot cmd:./bot
 *
 * Its habit: claim whenever that is allowed, do not guess if there is anything
 * else to do, and else leave it to luck. The arena writes each message on one
 * line, without blanks between words, and actions need no escapes; so it is
 * enough to look for a word here. A bot that wants to understand the view
 * should use a JSON library instead. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ACTIONS_MAX = 4096 };

struct action {
  const char *text; /* not terminated */
  int length;
};

/* Where the value of a key begins; NULL: there is no such key. */
static const char *value_of(const char *line, const char *key) {
  const char *at = strstr(line, key);
  return at ? at + strlen(key) : NULL;
}

/* Reads the list ["take RL","take BT",...]. */
static size_t read_legal(const char *list, struct action *out) {
  size_t count = 0;
  while (*list == '"' && count < ACTIONS_MAX) {
    const char *from = list + 1;
    const char *to = strchr(from, '"');
    if (!to)
      break;
    out[count++] = (struct action){from, (int)(to - from)};
    list = to[1] == ',' ? to + 2 : to + 1;
  }
  return count;
}

static int starts_with(const struct action *a, const char *verb) {
  return strncmp(a->text, verb, strlen(verb)) == 0;
}

/* xorshift64*: small, and good enough for a bot. */
static uint64_t luck;

static size_t below(size_t n) {
  luck ^= luck >> 12;
  luck ^= luck << 25;
  luck ^= luck >> 27;
  return (size_t)((luck * UINT64_C(0x2545f4914f6cdd1d)) >> 33) % n;
}

static const struct action *choose(const struct action *legal, size_t count) {
  const struct action *liked[ACTIONS_MAX];
  size_t n = 0;
  for (size_t i = 0; i < count; i++) {
    if (starts_with(&legal[i], "claim"))
      return &legal[i];
    if (!starts_with(&legal[i], "guess"))
      liked[n++] = &legal[i];
  }
  return n ? liked[below(n)] : &legal[below(count)];
}

int main(void) {
  static struct action legal[ACTIONS_MAX];
  char *line = NULL;
  size_t size = 0;
  while (getline(&line, &size, stdin) > 0) {
    const char *seed = value_of(line, "\"seed\":");
    if (value_of(line, "{\"type\":\"new\"") && seed)
      luck = strtoull(seed, NULL, 10) | 1; /* never 0 */
    if (!value_of(line, "{\"type\":\"move\""))
      continue;
    const char *list = value_of(line, "\"legal\":[");
    const size_t count = list ? read_legal(list, legal) : 0;
    if (count == 0)
      break;
    const struct action *a = choose(legal, count);
    printf("{\"action\":\"%.*s\"}\n", a->length, a->text);
    fflush(stdout);
  }
  free(line);
  return 0;
}
