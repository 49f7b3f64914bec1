/* What holds for all games: events as others see them, options, chance. */
#include "salotto/game.h"

#include "salotto/error.h"

#include <assert.h>
#include <string.h>

void sal_event_cut(const struct sal_event *full, int viewer,
                   struct sal_event *out) {
  *out = *full;
  if (viewer == SAL_EVERYTHING)
    return;
  if (viewer >= 0 && (full->seen_by >> viewer & 1))
    return;
  for (int i = full->open; i < full->count; i++)
    out->value[i] = SAL_HIDDEN;
}

const struct sal_rule *sal_rule_find(const struct sal_game *g, const char *id) {
  for (const struct sal_rule *r = g->info.rules; r->id; r++)
    if (strcmp(r->id, id) == 0)
      return r;
  return NULL;
}

void sal_setup_default(const struct sal_game *g, int players,
                       struct sal_setup *out) {
  memset(out, 0, sizeof *out);
  out->players = players;
  for (int i = 0; g->info.options[i].name; i++)
    if (g->info.options[i].kind == SAL_OPTION_SEAT)
      out->option[i] = SAL_BY_LOT;
}

static int refuse_players(const struct sal_info *info, int players,
                          struct sal_refusal *why) {
  char message[SAL_MESSAGE_MAX];
  struct sal_text text;
  sal_text_init(&text, message, sizeof message);
  sal_text_add(&text, info->title);
  sal_text_add(&text, " is for ");
  sal_text_int(&text, info->players_min);
  if (info->players_max > info->players_min) {
    sal_text_add(&text, " to ");
    sal_text_int(&text, info->players_max);
  }
  sal_text_add(&text, " players, not ");
  sal_text_int(&text, players);
  sal_text_char(&text, '.');
  return sal_refuse(why, SAL_BAD_OPTION, NULL, message);
}

static bool option_in_range(const struct sal_option *o, int players,
                            int32_t value) {
  int32_t words = 0;
  switch (o->kind) {
  case SAL_OPTION_SEAT:
    return value == SAL_BY_LOT || (value >= 0 && value < players);
  case SAL_OPTION_WORD:
    while (o->words[words])
      words++;
    return value >= 0 && value < words;
  default: return value >= 0; /* what `option_read` made */
  }
}

int sal_setup_check(const struct sal_game *g, const struct sal_setup *setup,
                    struct sal_refusal *why) {
  const struct sal_info *info = &g->info;
  if (setup->players < info->players_min || setup->players > info->players_max)
    return refuse_players(info, setup->players, why);
  for (int i = 0; info->options[i].name; i++)
    if (!option_in_range(&info->options[i], setup->players, setup->option[i])) {
      char message[SAL_MESSAGE_MAX];
      struct sal_text text;
      sal_text_init(&text, message, sizeof message);
      sal_text_add(&text, "The option ");
      sal_text_add(&text, info->options[i].name);
      sal_text_add(&text, " has no value ");
      sal_text_int(&text, setup->option[i]);
      sal_text_char(&text, '.');
      return sal_refuse(why, SAL_BAD_OPTION, NULL, message);
    }
  return SAL_OK;
}

int sal_option_find(const struct sal_game *g, const char *name) {
  for (int i = 0; g->info.options[i].name; i++)
    if (strcmp(g->info.options[i].name, name) == 0)
      return i;
  return -1;
}

bool sal_option_parse(const struct sal_game *g, int option, int players,
                      const char *text, int32_t *value) {
  const struct sal_option *o = &g->info.options[option];
  if (o->kind == SAL_OPTION_SEAT) {
    int32_t seat;
    const char *rest = sal_number_read(text, &seat);
    if (!rest || *rest || seat >= players)
      return false;
    *value = seat;
    return true;
  }
  if (o->kind == SAL_OPTION_WORD)
    for (int i = 0; o->words[i]; i++)
      if (strcmp(o->words[i], text) == 0) {
        *value = i;
        return true;
      }
  return false;
}

bool sal_option_text(const struct sal_game *g, int option, int32_t value,
                     struct sal_text *out) {
  const struct sal_option *o = &g->info.options[option];
  if (o->kind == SAL_OPTION_WORD)
    sal_text_add(out, o->words[value]);
  else if (o->kind == SAL_OPTION_SEAT && value != SAL_BY_LOT)
    sal_text_int(out, value);
  else if (o->kind == SAL_OPTION_FILE && value != 0)
    g->option_write(option, value, out);
  else
    return false;
  return true;
}

sal_action sal_chance_read(const struct sal_game *g, const struct sal_chance *c,
                           const char *text) {
  for (size_t i = 0; i < c->count; i++) {
    char buffer[SAL_ACTION_TEXT_MAX];
    struct sal_text t;
    sal_text_init(&t, buffer, sizeof buffer);
    g->action_text(c->outcome[i].action, &t);
    if (strcmp(buffer, text) == 0)
      return c->outcome[i].action;
  }
  return 0;
}

sal_action sal_chance_draw(const struct sal_chance *c, struct sal_rng *rng) {
  uint32_t total = 0;
  for (size_t i = 0; i < c->count; i++)
    total += c->outcome[i].weight;
  uint32_t k = sal_rng_below(rng, total);
  size_t i = 0;
  while (k >= c->outcome[i].weight)
    k -= c->outcome[i++].weight;
  return c->outcome[i].action;
}
