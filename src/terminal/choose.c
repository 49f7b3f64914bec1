/* The choices of a decision, step by step: see the header. */
#include "draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_march(const char *action) {
  return sal_skip(action, "play ") || sal_skip(action, "jump ");
}

/* The bytes of the first two words. */
static size_t two_words(const char *action) {
  const char *blank = strchr(action, ' ');
  return blank ? (size_t)(blank - action) + 1 + strcspn(blank + 1, " ")
               : strlen(action);
}

/* "play 5 5:2 4:1" without how many stay where: "play 5 5 4". */
static void without_markers(const char *action, char *out) {
  for (const char *at = action; *at; at++)
    if (*at == ':')
      at += strspn(at + 1, "0123456789");
    else
      *out++ = *at;
  *out = '\0';
}

/* What an action has in common with others at a step. */
static void choice_key(const struct scene *s, const char *action, int step,
                       char key[SAL_ACTION_TEXT_MAX]) {
  const bool many = s->count > CHOOSE_FLAT_MAX;
  if (many && step == 0)
    snprintf(key, SAL_ACTION_TEXT_MAX, "%.*s", (int)two_words(action), action);
  else if (many && step == 1 && is_march(action))
    without_markers(action, key);
  else
    snprintf(key, SAL_ACTION_TEXT_MAX, "%s", action);
}

static bool chosen(const struct choose *c, const struct scene *s,
                   const char *action) {
  for (int step = 0; step < c->step; step++) {
    char key[SAL_ACTION_TEXT_MAX];
    choice_key(s, action, step, key);
    if (strcmp(key, c->chosen[step]) != 0)
      return false;
  }
  return true;
}

/* ---- Labels --------------------------------------------------------------- */

/* How many bytes all choices with this key say alike at their beginning, up to a
 * colon or the end of a word. */
static size_t said_alike(const struct scene *s, int step, const char *key,
                         const char **say) {
  size_t alike = 0;
  *say = NULL;
  for (size_t i = 0; i < s->count; i++) {
    char other[SAL_ACTION_TEXT_MAX];
    choice_key(s, s->choices[i].notation, step, other);
    if (strcmp(key, other) != 0)
      continue;
    const char *next = s->choices[i].say;
    size_t same = 0;
    if (!*say) {
      *say = next;
      alike = strcspn(next, ":");
    }
    while (same < alike && (*say)[same] == next[same])
      same++;
    alike = same;
  }
  while (alike > 0 && (*say)[alike] && !strchr(" :,", (*say)[alike]))
    alike--;
  return alike;
}

/* "Play Colbert (7)", as the choices with that card say it. */
static void label_card(const struct scene *s, const char *key,
                       char out[CHOOSE_LABEL_MAX]) {
  const char *card = strchr(key, ' '), *say;
  const size_t alike = said_alike(s, 0, key, &say);
  struct sal_text t;
  sal_text_init(&t, out, CHOOSE_LABEL_MAX);
  if (!alike) {
    sal_text_add(&t, key);
    return;
  }
  sal_text_addn(&t, say, alike);
  if (card && card[1] >= '0' && card[1] <= '9') {
    sal_text_add(&t, " (");
    sal_text_add(&t, card + 1);
    sal_text_char(&t, ')');
  }
}

/* A tile, by its person if they are told. */
static void add_tile(const struct scene *s, const char *tile,
                     struct sal_text *out) {
  char person[CHOOSE_LABEL_MAX];
  if (louis_person(s, atoi(tile), person, sizeof person))
    sal_text_add(out, person);
  else
    sal_text_addn(out, tile, strcspn(tile, " "));
}

/* What many choices have in common: "Place on Montespan …", or the words that
 * all of them begin with. */
static void label_group(const struct scene *s, int step, const char *key,
                        char out[CHOOSE_LABEL_MAX]) {
  const char *tile = sal_skip(key, "put "), *say;
  const size_t alike = said_alike(s, step, key, &say);
  char person[CHOOSE_LABEL_MAX];
  struct sal_text t;
  sal_text_init(&t, person, sizeof person);
  if (tile)
    add_tile(s, tile, &t);
  sal_text_init(&t, out, CHOOSE_LABEL_MAX);
  if (tile)
    sal_say(&t, s->words, false, N_("Place on {tile}"),
            &(struct sal_place){"tile", SAL_PLACE_TEXT, person, 0}, 1);
  else if (alike)
    sal_text_addn(&t, say, alike);
  else
    sal_text_add(&t, key);
  sal_text_add(&t, " …");
}

/* "Montespan → Le Grand Dauphin" */
static void label_path(const struct scene *s, const char *key,
                       char out[CHOOSE_LABEL_MAX]) {
  struct sal_text t;
  sal_text_init(&t, out, CHOOSE_LABEL_MAX);
  const char *tiles = key + two_words(key);
  for (tiles += strspn(tiles, " "); *tiles;) {
    const size_t n = strcspn(tiles, " ");
    add_tile(s, tiles, &t);
    tiles += n + strspn(tiles + n, " ");
    sal_text_add(&t, *tiles ? " → " : "");
  }
}

/* What a choice says after the colon: "2 there, 1 on Le Grand Dauphin". */
static void label_markers(const struct scene_choice *choice,
                          char out[CHOOSE_LABEL_MAX]) {
  const char *colon = strstr(choice->say, ": ");
  snprintf(out, CHOOSE_LABEL_MAX, "%s", colon ? colon + 2 : choice->notation);
}

static void label(const struct scene *s, int step, struct choose_entry *e) {
  if (step > 0 && is_march(e->key)) {
    if (step == 1)
      label_path(s, e->key, e->label);
    else
      label_markers(&s->choices[e->action], e->label);
    return;
  }
  if (e->action >= 0) {
    const struct scene_choice *choice = &s->choices[e->action];
    snprintf(e->label, sizeof e->label, "%s",
             choice->say[0] ? choice->say : choice->notation);
    return;
  }
  if (is_march(e->key))
    label_card(s, e->key, e->label);
  else
    label_group(s, step, e->key, e->label);
}

/* ---- Steps ---------------------------------------------------------------- */

static void list(struct choose *c, const struct scene *s) {
  c->count = c->cursor = c->top = 0;
  for (size_t i = 0; i < s->count; i++) {
    char key[SAL_ACTION_TEXT_MAX];
    const char *action = s->choices[i].notation;
    if (!chosen(c, s, action))
      continue;
    choice_key(s, action, c->step, key);
    int at = 0;
    while (at < c->count && strcmp(c->entries[at].key, key) != 0)
      at++;
    if (at == c->count) {
      c->entries[c->count++] = (struct choose_entry){.action = (int)i};
      strcpy(c->entries[at].key, key);
    }
    if (++c->entries[at].count > 1)
      c->entries[at].action = -1;
  }
  for (int i = 0; i < c->count; i++)
    label(s, c->step, &c->entries[i]);
}

/* A number for the choices of a scene. */
static uint64_t question_of(const struct scene *s) {
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < s->count; i++)
    for (const char *at = s->choices[i].notation;; at++) {
      hash = (hash ^ (unsigned char)*at) * 1099511628211u;
      if (!*at)
        break;
    }
  return hash | 1;
}

bool choose_start(struct choose *c, const struct scene *s) {
  const uint64_t question = question_of(s);
  if (c->question == question)
    return true;
  struct choose_entry *entries =
      realloc(c->entries, (s->count + 1) * sizeof *entries);
  if (!entries)
    return false;
  c->entries = entries;
  c->question = question;
  c->step = 0;
  list(c, s);
  return true;
}

void choose_free(struct choose *c) {
  free(c->entries);
  c->entries = NULL;
  c->count = 0;
}

int choose_take(struct choose *c, const struct scene *s, int entry) {
  while (entry >= 0 && entry < c->count) {
    const struct choose_entry *e = &c->entries[entry];
    if (e->action >= 0) {
      c->question = 0;
      return e->action;
    }
    strcpy(c->chosen[c->step++], e->key);
    list(c, s);
    entry = c->count == 1 ? 0 : -1; /* nothing to choose here */
  }
  return -1;
}

bool choose_back(struct choose *c, const struct scene *s) {
  if (c->step == 0)
    return false;
  do
    c->step--, list(c, s);
  while (c->step > 0 && c->count == 1);
  return true;
}

const char *choose_asks(const struct choose *c, const struct scene *s) {
  if (c->count < 2 || s->count <= CHOOSE_FLAT_MAX)
    return "";
  if (c->step == 0 && is_march(s->choices[0].notation))
    return scene_say(s, N_("Which card?"));
  if (c->step == 1 && is_march(c->chosen[0]))
    return scene_say(s, N_("Which path?"));
  if (c->step == 2)
    return scene_say(s, N_("How many markers stay on each tile?"));
  return c->step ? scene_say(s, N_("Which one?")) : "";
}
