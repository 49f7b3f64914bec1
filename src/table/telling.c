/* What a record tells of chance: where each draw stands, and what a pile was
 * made of that came about in the course of the game. */
#include "inside.h"

#include <string.h>

static const char *pile_name(const struct sal_plan *plan,
                             const struct sal_chance *c, bool *loose) {
  struct sal_pile piles[SAL_PILES_MAX];
  if (c->pile < 0)
    return "lot";
  plan->game->piles(&plan->setup, c->entry, piles);
  *loose = piles[c->pile].loose;
  return piles[c->pile].name;
}

void draw_address(const struct sal_plan *plan, const struct sal_chance *c,
                  struct sal_text *out) {
  bool loose;
  sal_text_int(out, c->entry + 1);
  sal_text_char(out, ' ');
  sal_text_add(out, pile_name(plan, c, &loose));
  sal_text_char(out, ' ');
  sal_text_int(out, c->list);
  sal_text_char(out, ' ');
  sal_text_int(out, c->index);
}

bool draw_pile(const struct sal_plan *plan, const struct sal_chance *c,
               struct sal_text *out) {
  bool loose = false;
  const char *name = pile_name(plan, c, &loose);
  if (!loose || c->index > 0)
    return false;
  sal_text_int(out, c->entry + 1);
  sal_text_char(out, ' ');
  sal_text_add(out, name);
  for (size_t i = 0; i < c->count; i++)
    for (uint32_t n = 0; n < c->outcome[i].weight; n++) {
      sal_text_char(out, ' ');
      plan->game->action_text(c->outcome[i].action, out);
    }
  return true;
}

const struct told *telling_next(struct telling *g) {
  return g && g->at < g->count && g->draw[g->at].line < g->until
             ? &g->draw[g->at++]
             : NULL;
}

static const struct told *last(const struct telling *g) {
  return &g->draw[g->at - 1];
}

/* The fault of a line, in which `due` ought to stand and `told` does. */
static bool differs(struct telling *g, size_t line, const char *message,
                    const char *address, const char *due, const char *told) {
  char is[160], not [160];
  struct sal_text first, second, m;
  sal_text_init(&first, is, sizeof is);
  sal_text_clip(&first, due, 120);
  sal_text_init(&second, not, sizeof not );
  sal_text_clip(&second, told, 120);
  const struct sal_place places[] = {{"address", SAL_PLACE_TEXT, address, 0},
                                     {"due", SAL_PLACE_TEXT, is, 0},
                                     {"told", SAL_PLACE_TEXT, not, 0}};
  sal_text_init(&m, g->fault, sizeof g->fault);
  sal_say(&m, g->words, false, message, places, 3);
  g->line = line;
  return false;
}

bool telling_check(struct telling *g, const struct sal_plan *plan,
                   const struct sal_chance *c) {
  const struct told *told = last(g);
  char buffer[PILE_TEXT_MAX];
  struct sal_text text;
  sal_text_init(&text, buffer, sizeof buffer);
  if (told->pile && !draw_pile(plan, c, &text))
    return differs(g, told->pile_line, N_("no new pile begins here: {told}"),
                   "", "", told->pile);
  if (told->pile && strcmp(buffer, told->pile) != 0)
    return differs(g, told->pile_line, N_("the new pile is {due}, not {told}"),
                   "", buffer, told->pile);
  sal_text_clear(&text);
  draw_address(plan, c, &text);
  if (told->address && strcmp(buffer, told->address) != 0)
    return differs(g, told->line,
                   N_("the draw here has the address {due}, not {told}"), "",
                   buffer, told->address);
  return true;
}

void telling_refuse(struct telling *g, const struct sal_plan *plan,
                    const struct sal_chance *c, int due, bool dealt) {
  const struct told *told = last(g);
  char address[100];
  struct sal_text text, card;
  sal_text_init(&text, address, sizeof address);
  draw_address(plan, c, &text);
  if (due < 0) { /* no key: it is only known what cannot be */
    differs(g, told->line, N_("{told} cannot be drawn at {address}"), address,
            "", told->outcome);
    return;
  }
  sal_text_init(&card, g->due, sizeof g->due);
  plan->game->action_text(c->outcome[due].action, &card);
  differs(g, told->line,
          dealt ? N_("by the deal, the draw at {address} is {due}, not {told}")
                : N_("by the key, the draw at {address} is {due}, not {told}"),
          address, g->due, told->outcome);
}
