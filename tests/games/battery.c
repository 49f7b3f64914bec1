/* Runs the battery for one game; see battery.h. */
#include "battery.h"
#include "../teach.h"

#include "../tap.h"

#include <dlfcn.h>

extern const struct sal_game sal_null;

enum { SIGNED_GAMES = 10000 };

const char *wrong(const char *format, ...) {
  static char text[1 << 17];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return text;
}

static const struct {
  const char *name;
  part_fn *run;
} parts[] = {
    {"random games keep every invariant", part_random_games},
    {"legal and check agree; everything else is refused by a rule",
     part_refusals},
    {"sample has the law of chance", part_sample_law},
    {"playout is legal, apply and sample in one", part_playouts},
    {"nothing is allocated", part_no_allocation},
    {"sentences are whole and fit 80 columns", part_words},
    {"replay.exact: save and load give the same table at every step",
     part_records},
    {"undo goes back exactly, and only if nobody learned", part_undo},
    {"replay.exact: the same seed and actions give the same table",
     part_twin_tables},
    {"view.redacted, view.same: hidden facts change nothing a viewer gets",
     part_views},
    {"view.structure, view.spectator: what happens looks the same in every "
     "world that fits",
     part_twins},
    {"information states are what a player of perfect memory knows",
     part_information},
    {"view.redacted: no bot's choice changes with hidden facts", part_thinking},
};

static void run_trial(const struct trial *t) {
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    char name[256];
    const char *problem = parts[i].run(t);
    if (problem)
      tap_note("%s", problem);
    snprintf(name, sizeof name, "%s: %s", t->name, parts[i].name);
    tap_ok(problem == NULL, name);
  }
}

/* The committed signature of a trial, from tests/games/signatures. */
static bool find_signature(const char *file, const char *name, uint64_t *out) {
  char line[160], key[128];
  bool found = false;
  FILE *f = fopen(file, "r");
  while (f && fgets(line, sizeof line, f)) {
    unsigned long long value;
    if (sscanf(line, "%llx %127[^\n]", &value, key) == 2 &&
        strcmp(key, name) == 0) {
      *out = value;
      found = true;
    }
  }
  if (f)
    fclose(f);
  return found;
}

static void check_signature(const struct trial *t, const char *file) {
  char name[160];
  uint64_t expected;
  const uint64_t found = signature(t, SIGNED_GAMES);
  const bool known = find_signature(file, t->name, &expected);
  if (!known)
    tap_note("no signature is committed for %s; the games give %016llx",
             t->name, (unsigned long long)found);
  else if (found != expected)
    tap_note("committed %016llx, found %016llx: the game plays differently",
             (unsigned long long)expected, (unsigned long long)found);
  snprintf(name, sizeof name, "%s: signature of %d games", t->name,
           SIGNED_GAMES);
  tap_ok(known && found == expected, name);
}

/* Memory aids change what is shown, never what happens: the vectors have them. */
static bool changes_rules(const struct sal_option *o) {
  return o->kind == SAL_OPTION_WORD && strcmp(o->name, "memory") != 0;
}

/* Calls `with` for the options from the i-th on: as they are, and with every
 * other value, so that all of them are combined with each other. */
static void each_option(struct trial *t, int i, const char *file,
                        void (*with)(const struct trial *, const char *)) {
  const struct sal_option *o = &t->g->info.options[i];
  if (!o->name) {
    with(t, file);
    return;
  }
  each_option(t, i + 1, file, with);
  const size_t used = strlen(t->name);
  for (int v = 1; changes_rules(o) && o->words[v]; v++) {
    t->setup.option[i] = v;
    snprintf(t->name + used, sizeof t->name - used, " %s=%s", o->name,
             o->words[v]);
    each_option(t, i + 1, file, with);
    t->name[used] = '\0';
    t->setup.option[i] = 0;
  }
}

/* Calls `with` for every number of players and every combination of the word
 * options. */
static void each_trial(const struct sal_game *g, const char *file,
                       void (*with)(const struct trial *, const char *)) {
  for (int players = g->info.players_min; players <= g->info.players_max;
       players++) {
    struct trial t = {.g = g};
    sal_setup_default(g, players, &t.setup);
    snprintf(t.name, sizeof t.name, "%s %d", g->info.id, players);
    each_option(&t, 0, file, with);
  }
}

static void run_both(const struct trial *t, const char *file) {
  run_trial(t);
  if (strcmp(file, "--unsigned") != 0)
    check_signature(t, file);
}

static void print_signature(const struct trial *t, const char *file) {
  (void)file;
  printf("%016llx %s\n", (unsigned long long)signature(t, SIGNED_GAMES),
         t->name);
}

/* The first game of a plugin, registered. */
static const struct sal_game *outside_game(const char *file) {
  void *object = dlopen(file, RTLD_NOW);
  const struct sal_plugin *p = object ? dlsym(object, "sal_plugin") : NULL;
  if (!p) {
    fprintf(stderr, "battery: %s\n", dlerror());
    return NULL;
  }
  const char *problem = sal_game_register(p->games[0]);
  if (problem)
    fprintf(stderr, "battery: %s\n", problem);
  return problem ? NULL : p->games[0];
}

static const struct sal_game *game_named(const char *name) {
  if (strcmp(name, "null") == 0)
    return &sal_null;
  return strchr(name, '/') ? outside_game(name) : sal_game_find(name);
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr,
            "usage: battery GAME|./PLUGIN.so SIGNATURES|--sign|--unsigned\n");
    return 2;
  }
  const struct sal_game *g = game_named(argv[1]);
  if (!g) {
    fprintf(stderr, "battery: there is no game '%s'\n", argv[1]);
    return 2;
  }
  if (strcmp(argv[2], "--sign") == 0) {
    each_trial(g, NULL, print_signature);
    return 0;
  }
  sal_master_teach(shipped_policy());
  sal_master_teach_favor(shipped_favor());
  sal_master_teach_traps(shipped_traps());
  each_trial(g, argv[2], run_both);
  sal_master_teach(NULL);
  sal_master_teach_favor(NULL);
  sal_master_teach_traps(NULL);
  return tap_done();
}
