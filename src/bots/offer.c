/* The games and the levels of bots as front ends offer them.
 *
 * Main invariant: whatever a front end says about a game before it begins is
 * here, from `info` and the list of bots, so that a game in the list needs no
 * line of code anywhere else to be offered. */
#include "salotto/bot.h"

#include <string.h>

const char *sal_bot_name(const struct sal_bot *b, int seat) {
  return b->people ? b->people[seat].name : b->title;
}

enum sal_temper sal_bot_temper(const struct sal_bot *b, int seat) {
  return b->people ? b->people[seat].temper : SAL_EVEN;
}

const char *sal_temper_id(enum sal_temper t) {
  static const char *const ids[SAL_TEMPERS] = {[SAL_EVEN] = "even",
                                               [SAL_CAUTIOUS] = "cautious",
                                               [SAL_DARING] = "daring",
                                               [SAL_BLUFFER] = "bluffer",
                                               [SAL_MISER] = "miser"};
  return ids[t];
}

/* Whether a word is in a list with blanks between. */
static bool listed(const char *list, const char *word) {
  const size_t n = strlen(word);
  for (; list; list = strchr(list, ' ') ? strchr(list, ' ') + 1 : NULL)
    if (strncmp(list, word, n) == 0 && (list[n] == ' ' || list[n] == '\0'))
      return true;
  return false;
}

bool sal_bot_offered(const struct sal_bot *b, const struct sal_game *g) {
  return !b->study && (!b->only || listed(b->only, g->info.id));
}

static void offer_text(struct sal_json *j, const char *key,
                       const struct sal_words *w, const char *message) {
  if (message)
    sal_json_string(j, key, w->text(w, message));
}

/* ---- Options --------------------------------------------------------------- */

/* The values alone, by the option's name: all that a program needs. */
static void write_values(struct sal_json *j, const struct sal_option *o) {
  sal_json_list(j, o->name);
  for (int i = 0; o->kind == SAL_OPTION_WORD && o->words[i]; i++)
    sal_json_string(j, NULL, o->words[i]);
  if (o->kind == SAL_OPTION_SEAT)
    sal_json_string(j, NULL, "seat");
  sal_json_end(j, ']');
}

static const char *kind_name(enum sal_option_kind kind) {
  return kind == SAL_OPTION_SEAT   ? "seat"
         : kind == SAL_OPTION_WORD ? "word"
                                   : "file";
}

/* The option as a field of a form. */
static void write_choice(struct sal_json *j, const struct sal_option *o,
                         const struct sal_words *w) {
  sal_json_object(j, NULL);
  sal_json_string(j, "name", o->name);
  sal_json_string(j, "kind", kind_name(o->kind));
  offer_text(j, "title", w, o->title ? o->title : o->name);
  offer_text(j, "about", w, o->about);
  if (o->by_language)
    sal_json_bool(j, "by_language", true);
  sal_json_list(j, "values");
  for (int i = 0; o->kind == SAL_OPTION_WORD && o->words[i]; i++) {
    sal_json_object(j, NULL);
    sal_json_string(j, "value", o->words[i]);
    offer_text(j, "title", w, o->says ? o->says[i] : o->words[i]);
    sal_json_end(j, '}');
  }
  sal_json_end(j, ']');
  sal_json_end(j, '}');
}

static void write_options(struct sal_json *j, const struct sal_option *list,
                          const struct sal_words *w) {
  sal_json_object(j, "options");
  for (const struct sal_option *o = list; o->name; o++)
    if (o->kind != SAL_OPTION_FILE)
      write_values(j, o);
  sal_json_end(j, '}');
  sal_json_list(j, "choices");
  for (const struct sal_option *o = list; o->name; o++)
    write_choice(j, o, w);
  sal_json_end(j, ']');
}

/* ---- Games and levels ------------------------------------------------------ */

static void write_rules(struct sal_json *j, const struct sal_rule *list,
                        const struct sal_words *w, bool sentences) {
  sal_json_list(j, "rules");
  for (const struct sal_rule *r = list; r->id; r++) {
    if (!sentences) {
      sal_json_string(j, NULL, r->id);
      continue;
    }
    sal_json_object(j, NULL);
    sal_json_string(j, "id", r->id);
    offer_text(j, "text", w, r->text);
    sal_json_end(j, '}');
  }
  sal_json_end(j, ']');
}

static void write_help(struct sal_json *j, const struct sal_help *list,
                       const struct sal_words *w) {
  sal_json_object(j, "help");
  for (const struct sal_help *h = list; h && h->phase; h++)
    offer_text(j, h->phase, w, h->text);
  sal_json_end(j, '}');
}

static void write_amounts(struct sal_json *j, const struct sal_amount *list) {
  sal_json_object(j, "amounts");
  for (const struct sal_amount *a = list; a && a->name; a++)
    sal_json_int(j, a->name, a->value);
  sal_json_end(j, '}');
}

static void write_game(struct sal_json *j, const struct sal_game *g,
                       const struct sal_words *w, bool rules) {
  const struct sal_info *info = &g->info;
  sal_json_object(j, NULL);
  sal_json_string(j, "game", info->id);
  offer_text(j, "title", w, info->title);
  offer_text(j, "tagline", w, info->tagline);
  offer_text(j, "goal", w, info->goal);
  offer_text(j, "role", w, info->role);
  sal_json_list(j, "players");
  sal_json_int(j, NULL, info->players_min);
  sal_json_int(j, NULL, info->players_max);
  sal_json_end(j, ']');
  sal_json_int(j, "usual",
               info->players_usual ? info->players_usual : info->players_min);
  sal_json_int(j, "minutes", info->minutes);
  write_amounts(j, info->amounts);
  write_options(j, info->options, w);
  sal_json_list(j, "levels");
  for (size_t i = 0; sal_bots[i]; i++)
    if (sal_bot_offered(sal_bots[i], g))
      sal_json_string(j, NULL, sal_bots[i]->id);
  sal_json_end(j, ']');
  write_rules(j, info->rules, w, rules);
  if (rules)
    write_help(j, info->help, w);
  sal_json_end(j, '}');
}

void sal_offer_tell(const struct sal_words *w, bool rules, struct sal_json *j) {
  sal_json_list(j, "games");
  for (size_t i = 0; sal_games[i]; i++)
    write_game(j, sal_games[i], w, rules);
  sal_json_end(j, ']');
  sal_json_list(j, "levels");
  for (size_t i = 0; sal_bots[i]; i++) {
    sal_json_object(j, NULL);
    sal_json_string(j, "level", sal_bots[i]->id);
    offer_text(j, "title", w, sal_bots[i]->title);
    offer_text(j, "about", w, sal_bots[i]->about);
    if (sal_bots[i]->seats)
      sal_json_int(j, "seats", sal_bots[i]->seats);
    sal_json_list(j, "people");
    for (int seat = 0; sal_bots[i]->people && seat < SAL_SEATS_MAX; seat++)
      sal_json_string(j, NULL, sal_bots[i]->people[seat].name);
    sal_json_end(j, ']');
    sal_json_list(j, "tempers");
    for (int seat = 0; sal_bots[i]->people && seat < SAL_SEATS_MAX; seat++)
      sal_json_string(j, NULL, sal_temper_id(sal_bots[i]->people[seat].temper));
    sal_json_end(j, ']');
    sal_json_end(j, '}');
  }
  sal_json_end(j, ']');
}

void sal_games_tell(struct sal_json *j) {
  sal_offer_tell(&sal_words_plain, false, j);
}
