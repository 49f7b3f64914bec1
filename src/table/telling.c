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

/* "WHAT ought to be DUE, not TOLD". */
static bool differs(struct telling *g, size_t line, const char *what,
                    const char *due, const char *told) {
  struct sal_text m;
  sal_text_init(&m, g->fault, sizeof g->fault);
  sal_text_add(&m, what);
  sal_text_add(&m, " ");
  sal_text_clip(&m, due, 120);
  sal_text_add(&m, ", not ");
  sal_text_clip(&m, told, 120);
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
    return differs(g, told->pile_line, "here is", "no new pile", told->pile);
  if (told->pile && strcmp(buffer, told->pile) != 0)
    return differs(g, told->pile_line, "the new pile is", buffer, told->pile);
  sal_text_clear(&text);
  draw_address(plan, c, &text);
  if (told->address && strcmp(buffer, told->address) != 0)
    return differs(g, told->line, "the draw here has the address", buffer,
                   told->address);
  return true;
}

void telling_refuse(struct telling *g, const struct sal_plan *plan,
                    const struct sal_chance *c, int due, bool dealt) {
  const struct told *told = last(g);
  char buffer[100];
  struct sal_text text;
  sal_text_init(&text, buffer, sizeof buffer);
  sal_text_add(&text, "the draw at ");
  draw_address(plan, c, &text);
  if (due < 0) { /* no key: it is only known what cannot be */
    differs(g, told->line, buffer, "is one that can come", told->outcome);
    return;
  }
  sal_text_add(&text, dealt ? " is, by the deal," : " is, by the key,");
  struct sal_text card;
  sal_text_init(&card, g->due, sizeof g->due);
  plan->game->action_text(c->outcome[due].action, &card);
  differs(g, told->line, buffer, g->due, told->outcome);
}
