/* The policies that lie inside the program, or as files beside it. */
#include "cli.h"

#ifdef SALOTTO_POLICIES
#include <string.h>
#include <unistd.h>

/* Each file is read once, when it is first asked for. */
const char *policy_bytes(const char *game, size_t *size) {
  static struct policy_file {
    const char *game, *path, *bytes;
    size_t size;
  } files[] = {{.game = "doors", .path = SALOTTO_POLICIES "/doors.policy"},
               {.game = "favor", .path = SALOTTO_POLICIES "/favor.policy"},
               {.game = "traps", .path = SALOTTO_POLICIES "/traps.policy"}};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    struct policy_file *f = &files[i];
    if (strcmp(f->game, game) != 0)
      continue;
    if (!f->bytes && access(f->path, R_OK) == 0)
      f->bytes = read_file(f->path, &f->size);
    *size = f->size;
    return f->bytes;
  }
  return NULL;
}
#else
const char *policy_bytes(const char *game, size_t *size) {
  char name[40];
  snprintf(name, sizeof name, "%s.policy", game);
  return embedded_file(name, size);
}
#endif

const sal_doors_policy *shipped_policy(void) {
  static sal_doors_policy *opened;
  size_t size;
  const char *bytes = opened ? NULL : policy_bytes("doors", &size);
  if (bytes)
    opened = sal_doors_policy_open((const unsigned char *)bytes, size);
  return opened;
}

const sal_traps_policy *shipped_traps(void) {
  static sal_traps_policy *opened;
  size_t size;
  const char *bytes = opened ? NULL : policy_bytes("traps", &size);
  if (bytes)
    opened = sal_traps_policy_open((const unsigned char *)bytes, size);
  return opened;
}

const sal_favor_policy *shipped_favor(void) {
  static sal_favor_policy *opened;
  size_t size;
  const char *bytes = opened ? NULL : policy_bytes("favor", &size);
  if (bytes)
    opened = sal_favor_policy_open((const unsigned char *)bytes, size);
  return opened;
}

int without_policy(void) {
  return complain(FAILED, "%s",
                  _("this program was built without the master's policies."));
}

void teach_master(void) {
  sal_master_teach(shipped_policy());
  sal_master_teach_favor(shipped_favor());
  sal_master_teach_traps(shipped_traps());
}
