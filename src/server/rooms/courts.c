/* Courts by their ids. See courts.h. */
#include "courts.h"

#include <pthread.h>
#include <sodium.h>
#include <string.h>

static struct {
  char id[COURT_ID + 1];
  int32_t value;
} known[COURTS_STORED_MAX];
static size_t count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int courts_option(const struct sal_game *g) {
  const int o = g ? sal_option_find(g, "court") : -1;
  return o >= 0 && g->info.options[o].kind == SAL_OPTION_FILE ? o : -1;
}

void courts_id(const struct sal_game *g, int32_t value, char id[COURT_ID + 1]) {
  char line[SAL_OPTION_TEXT_MAX];
  unsigned char hash[crypto_generichash_BYTES];
  struct sal_text t;
  sal_text_init(&t, line, sizeof line);
  g->option_write(courts_option(g), value, &t);
  crypto_generichash(hash, sizeof hash, (const unsigned char *)line, t.len,
                     NULL, 0);
  sodium_bin2hex(id, COURT_ID + 1, hash, COURT_ID / 2);
}

bool courts_find(const char *id, int32_t *value) {
  bool found = false;
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < count && !found; i++)
    if (strcmp(known[i].id, id) == 0) {
      *value = known[i].value;
      found = true;
    }
  pthread_mutex_unlock(&lock);
  return found;
}

void courts_know(const char *id, int32_t value) {
  int32_t before;
  if (courts_find(id, &before))
    return;
  pthread_mutex_lock(&lock);
  if (count < COURTS_STORED_MAX) {
    strcpy(known[count].id, id);
    known[count++].value = value;
  }
  pthread_mutex_unlock(&lock);
}

int courts_load(void *context, const char *id, const char *text) {
  const struct sal_game *g = sal_game_find("louis");
  char why[SAL_MESSAGE_MAX];
  struct sal_text problem;
  int32_t value;
  (void)context;
  sal_text_init(&problem, why, sizeof why);
  if (id && text && strlen(id) == COURT_ID && courts_option(g) >= 0 &&
      g->option_read(courts_option(g), text, strlen(text), &value, &problem))
    courts_know(id, value);
  return 0;
}
