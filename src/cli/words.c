/* Language: which one, and words from its catalogue.
 *
 * The C library only looks catalogues up under a locale that exists on the
 * machine; C.UTF-8 always does, and LANGUAGE then names the catalogue. */
#include "cli.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char chosen[3] = "en";

const char *language(void) { return chosen; }

/* The catalogues lie beside the program in a build, or where installed. */
static void find_catalogues(void) {
  char path[4096];
  const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 32);
  const char *dir = SAL_LOCALE_DIR;
  if (n > 0) {
    path[n] = '\0';
    char *slash = strrchr(path, '/');
    static const char *const beside[] = {"/po", "/../po", "/../share/locale"};
    for (size_t i = 0; slash && i < sizeof beside / sizeof *beside; i++) {
      strcpy(slash, beside[i]);
      if (access(path, X_OK) == 0) {
        dir = path;
        break;
      }
    }
  }
  bindtextdomain("salotto", dir);
  bind_textdomain_codeset("salotto", "UTF-8");
  textdomain("salotto");
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
  setlocale(LC_ALL, "C.UTF-8");
  setenv("LANGUAGE", chosen, 1);
  find_catalogues();
}

static const char *word_text(const struct sal_words *w, const char *msgid) {
  (void)w;
  return gettext(msgid);
}

static const char *word_plural(const struct sal_words *w, const char *one,
                               const char *many, unsigned long n) {
  (void)w;
  return ngettext(one, many, n);
}

static void word_seat(const struct sal_words *w, int seat,
                      struct sal_text *out) {
  const struct cli_words *c = (const struct cli_words *)w;
  if (c->names && c->names[seat])
    sal_text_add(out, c->names[seat]);
  else
    sal_say(out, w, false, N_("Player {number}"),
            &(struct sal_place){"number", SAL_PLACE_NUMBER, NULL, seat + 1}, 1);
}

void cli_words_init(struct cli_words *w, const char *const *names) {
  w->words = (struct sal_words){word_text, word_plural, word_seat};
  w->names = names;
}
