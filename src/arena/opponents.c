/* The list of opponents. They play in the arena alone, so their sentences are
 * not shown to people at a table. */
#include "kinds.h"

#include <string.h>

#define THINKS(kind)                                                           \
  static void think_##kind(const struct sal_question *q, struct sal_rng *rng,  \
                           struct sal_thought *out) {                          \
    think_by(policy_##kind, q, rng, out);                                      \
  }
THINKS(flat)
THINKS(tree)
THINKS(rollout)
THINKS(reader)
THINKS(learner)
THINKS(shy)
THINKS(honest)
THINKS(bluffer)
THINKS(shader)
THINKS(denier)
THINKS(rusher)
THINKS(flooder)

/* clang-format off */
static const struct sal_bot
  flat = {"flat", "flat", "Flat rollouts.", think_flat, policy_flat},
  tree = {"tree", "tree", "A former expert: a tree in which everybody learns.", think_tree, policy_tree},
  rollout = {"rollout", "rollout", "The expert without solved endings.", think_rollout, policy_rollout},
  reader = {"reader", "reader", "Knows the policy of the bot it plays against.", think_reader, policy_reader},
  learner = {"learner", "learner", "Has learnt how the bots play that it sits among.", think_learner, policy_learner},
  shy = {"shy", "shy", "Never guesses.", think_shy, policy_shy},
  honest = {"honest", "honest", "Takes what fits, bets what it has.", think_honest, policy_honest},
  bluffer = {"bluffer", "bluffer", "Pretends to be or to have something else.", think_bluffer, policy_bluffer},
  shader = {"shader", "shader", "Bids half of what a lot is worth to it.", think_shader, policy_shader},
  denier = {"denier", "denier", "Bids for what the others may want.", think_denier, policy_denier},
  rusher = {"rusher", "rusher", "Wants missions and nothing else.", think_rusher, policy_rusher},
  flooder = {"flooder", "flooder", "Lays as many markers as possible.", think_flooder, policy_flooder};
/* clang-format on */

const struct sal_bot *const arena_opponents[] = {
    &flat,    &tree,   &rollout, &reader, &learner, &shy, &honest,
    &bluffer, &shader, &denier,  &rusher, &flooder, NULL};

const struct sal_bot *opponent_find(const char *id) {
  for (size_t i = 0; arena_opponents[i]; i++)
    if (strcmp(arena_opponents[i]->id, id) == 0)
      return arena_opponents[i];
  return sal_bot_find(id);
}

bool opponent_studies(const struct sal_bot *bot) {
  return bot == &reader || bot == &learner;
}

bool opponent_plays(const struct sal_bot *bot, const struct sal_game *g,
                    int players) {
  static const struct {
    const char *bot, *games;
    int least, most; /* players */
  } only[] = {{"shy", "doors", 2, 2},
              {"honest", "doors traps", 2, 6},
              {"bluffer", "doors traps", 2, 6},
              {"shader", "favor", 2, 6},
              {"denier", "favor", 2, 6},
              {"rusher", "louis", 2, 6},
              {"flooder", "louis", 2, 6},
              {"rollout", "favor", 2, 2},
              {"reader", "doors favor traps louis", 2, 2},
              {"learner", "favor traps louis", 3, 6},
              {"master", "doors", 2, 2}}; /* elsewhere it is the expert */
  for (size_t i = 0; i < sizeof only / sizeof *only; i++)
    if (strcmp(only[i].bot, bot->id) == 0)
      return players >= only[i].least && players <= only[i].most &&
             strstr(only[i].games, g->info.id) != NULL;
  return true;
}
