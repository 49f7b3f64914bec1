/* Language: which one, and words from its catalogue inside the program. */
#include "cli.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

struct embedded {
  const char *name, *text, *end;
};
extern const struct embedded sal_embedded[]; /* from embedded.S */

static struct sal_catalogue spoken; /* English until one is chosen */
static char chosen[3] = "en";

const char *embedded_file(const char *name, size_t *size) {
  for (const struct embedded *e = sal_embedded; e->name; e++)
    if (strcmp(e->name, name) == 0) {
      if (size)
        *size = (size_t)(e->end - e->text);
      return e->text;
    }
  return NULL;
}

const char *language(void) { return chosen; }

const char *translated(const char *message) {
  return sal_catalogue_text(&spoken, message);
}

const char *in_italian(const char *message) {
  static struct sal_catalogue italian;
  static bool opened;
  size_t size;
  const char *mo = opened ? NULL : embedded_file("it.mo", &size);
  opened = true;
  if (mo)
    sal_catalogue_open(&italian, mo, size);
  return sal_catalogue_text(&italian, message);
}

void choose_language(const char *wanted) {
  static const char *const asked[] = {"LANGUAGE", "LC_ALL", "LC_MESSAGES",
                                      "LANG"};
  for (size_t i = 0; !wanted && i < sizeof asked / sizeof *asked; i++) {
    const char *value = getenv(asked[i]);
    if (value && *value)
      wanted = value;
  }
  const bool italian = wanted && strncmp(wanted, "it", 2) == 0;
  strcpy(chosen, italian ? "it" : "en");
  spoken = (struct sal_catalogue){0};
  size_t size;
  const char *mo = italian ? embedded_file("it.mo", &size) : NULL;
  if (mo)
    sal_catalogue_open(&spoken, mo, size);
  /* what the system says of errors, as far as it has the language */
  setenv("LANGUAGE", chosen, 1);
  setlocale(LC_MESSAGES, "");
}

bool read_language(const char *text) {
  if (strcmp(text, "en") != 0 && strcmp(text, "it") != 0)
    return false;
  choose_language(text);
  return true;
}

void cli_words_init(struct sal_speaker *w, const char *const *names) {
  sal_speaker_init(w, &spoken, names);
}

sal_table *load_record(const char *text, size_t length, struct sal_audit *audit,
                       struct sal_refusal *why) {
  struct sal_speaker w;
  cli_words_init(&w, NULL);
  return sal_table_load_in(text, length, &w.words, audit, why);
}
