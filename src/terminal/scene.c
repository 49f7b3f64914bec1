/* The model of a table on the screen: see the header. */
#include "scene.h"

#include <stdlib.h>
#include <string.h>

void scene_forget(struct scene *s) {
  for (size_t i = 0; i < s->logged; i++) {
    free(s->log[i]);
    free(s->rule[i]);
  }
  s->logged = 0;
}

void scene_free(struct scene *s) {
  scene_forget(s);
  json_decref(s->told);
  free(s->choices);
  s->told = NULL;
  s->state = NULL;
  s->choices = NULL;
  s->count = 0;
}

const char *scene_say(const struct scene *s, const char *msgid) {
  return s->words->text(s->words, msgid);
}

/* ---- The log -------------------------------------------------------------- */

void scene_log(struct scene *s, const char *sentence, const char *rule) {
  const size_t last = s->logged - 1;
  if (!*sentence)
    return;
  if (s->logged && strcmp(s->log[last], sentence) == 0) {
    s->times[last]++;
    return;
  }
  if (s->logged == SCENE_LOG_MAX) {
    free(s->log[0]);
    free(s->rule[0]);
    memmove(s->log, s->log + 1, (SCENE_LOG_MAX - 1) * sizeof *s->log);
    memmove(s->times, s->times + 1, (SCENE_LOG_MAX - 1) * sizeof *s->times);
    memmove(s->rule, s->rule + 1, (SCENE_LOG_MAX - 1) * sizeof *s->rule);
    s->logged--;
  }
  char *copy = strdup(sentence);
  if (!copy)
    return;
  s->log[s->logged] = copy;
  s->times[s->logged] = 1;
  s->rule[s->logged++] = rule ? strdup(rule) : NULL;
}

const char *scene_rule(const struct scene *s) {
  if (s->refused_by[0])
    return s->refused_by;
  for (size_t i = s->logged; i > 0; i--)
    if (s->rule[i - 1])
      return s->rule[i - 1];
  return NULL;
}

/* ---- What is told --------------------------------------------------------- */

static const char *text_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

bool scene_tell(struct scene *s, json_t *told) {
  const json_t *legal = json_object_get(told, "legal"),
               *says = json_object_get(told, "legal_say"),
               *words = json_object_get(told, "words");
  const size_t count = json_array_size(legal);
  struct scene_choice *choices = calloc(count + 1, sizeof *choices);
  if (!choices) {
    json_decref(told);
    return false;
  }
  for (size_t i = 0; i < count; i++) {
    const char *say = json_string_value(json_array_get(says, i));
    choices[i].notation = json_string_value(json_array_get(legal, i));
    choices[i].say = say ? say : "";
    if (!choices[i].notation ||
        strlen(choices[i].notation) >= SAL_ACTION_TEXT_MAX)
      choices[i].notation = "";
  }
  json_decref(s->told);
  free(s->choices);
  s->told = told;
  s->refused_by[0] = '\0';
  s->choices = choices;
  s->count = count;
  s->state = json_object_get(told, "state");
  s->prompt = text_of(told, "prompt");
  s->position = text_of(told, "position");
  s->may_undo = json_is_true(json_object_get(told, "may_undo"));
  s->players = (int)scene_number(s, "players");
  for (size_t i = 0; i < json_array_size(words); i++) {
    const json_t *word = json_array_get(words, i);
    scene_log(s, text_of(word, "text"),
              json_string_value(json_object_get(word, "rule")));
  }
  return true;
}

/* ---- Facts ---------------------------------------------------------------- */

long scene_number(const struct scene *s, const char *key) {
  return (long)json_integer_value(json_object_get(s->state, key));
}

long scene_number_at(const struct scene *s, const char *key, int i) {
  return (long)json_integer_value(
      json_array_get(json_object_get(s->state, key), (size_t)i));
}

const char *scene_text(const struct scene *s, const char *key) {
  return text_of(s->state, key);
}

const json_t *scene_list(const struct scene *s, const char *key, int i) {
  const json_t *list = json_object_get(s->state, key);
  return i < 0 ? list : json_array_get(list, (size_t)i);
}

bool scene_null(const struct scene *s, const char *key) {
  const json_t *value = json_object_get(s->state, key);
  return !value || json_is_null(value);
}

static bool has_seat(const json_t *list, int seat) {
  for (size_t i = 0; i < json_array_size(list); i++)
    if (json_integer_value(json_array_get(list, i)) == seat)
      return true;
  return false;
}

bool scene_asked(const struct scene *s, int seat) {
  return has_seat(json_object_get(s->state, "to_act"), seat);
}

bool scene_over(const struct scene *s) {
  return json_is_true(json_object_get(s->state, "over"));
}

bool scene_won(const struct scene *s, int seat) {
  return has_seat(json_object_get(s->state, "winners"), seat);
}

bool scene_amounts(const struct scene *s) {
  for (size_t i = 0; i < s->count; i++)
    if (sal_skip(s->choices[i].notation, "bet ") ||
        sal_skip(s->choices[i].notation, "bid "))
      return true;
  return false;
}
