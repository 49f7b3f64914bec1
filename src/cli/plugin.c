/* Games from outside: shared objects that export `sal_plugin`.
 *
 * Main invariant: a plugin is loaded whole or refused with one sentence, before
 * any command runs; it stays loaded. */
#include "cli.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* A name without a slash would be looked for among the system's libraries. */
static void *open_file(const char *file) {
  char path[4096];
  snprintf(path, sizeof path, "%s%s", strchr(file, '/') ? "" : "./", file);
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static int register_games(const char *file, const struct sal_plugin *p) {
  for (size_t i = 0; p->games && p->games[i]; i++) {
    const char *id = p->games[i]->info.id;
    if (id && sal_game_find(id) == p->games[i])
      continue; /* the same plugin once more: a config file is read again */
    const char *problem = sal_game_register(p->games[i]);
    if (problem)
      return complain(FAILED, "%s: %s", file, _(problem));
  }
  return DONE;
}

int load_plugin(const char *file) {
  void *object = open_file(file);
  if (!object) {
    const char *problem = dlerror();
    return complain(FAILED, _("the plugin cannot be loaded: %s"),
                    problem ? problem : file);
  }
  const struct sal_plugin *p = dlsym(object, "sal_plugin");
  if (!p)
    return complain(
        FAILED, _("%s: this is not a plugin: it does not export 'sal_plugin'."),
        file);
  if (p->interface != SAL_PLUGIN_INTERFACE ||
      p->game_size != sizeof(struct sal_game))
    return complain(FAILED,
                    _("%s: the plugin was compiled for another version of "
                      "Salotto; compile it again."),
                    file);
  return register_games(file, p);
}

/* The file of `--plugin FILE` or `--plugin=FILE` at argv[*at], which is moved
 * past it; NULL if something else stands there. */
static const char *plugin_at(int argc, char **argv, int *at) {
  const char *value = sal_skip(argv[*at], "--plugin");
  if (!value || (*value && *value != '='))
    return NULL;
  if (*value)
    return value + 1;
  return ++*at < argc ? argv[*at] : "";
}

int load_plugins(int *argc, char **argv) {
  int kept = 1;
  for (int i = 1; i < *argc; i++) {
    if (strcmp(argv[i], "--") == 0) {
      while (i < *argc)
        argv[kept++] = argv[i++];
      break;
    }
    const char *file = plugin_at(*argc, argv, &i);
    if (!file) {
      argv[kept++] = argv[i];
      continue;
    }
    if (!*file)
      return complain(USAGE, "%s", _("--plugin needs the name of a file."));
    const int status = load_plugin(file);
    if (status != DONE)
      return status;
  }
  argv[kept] = NULL;
  *argc = kept;
  return DONE;
}
