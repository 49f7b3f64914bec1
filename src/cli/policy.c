/* The policies that lie inside the program. */
#include "cli.h"

const sal_doors_policy *shipped_policy(void) {
  static sal_doors_policy *opened;
  size_t size;
  const char *bytes = opened ? NULL : embedded_file("doors.policy", &size);
  if (bytes)
    opened = sal_doors_policy_open((const unsigned char *)bytes, size);
  return opened;
}

const sal_traps_policy *shipped_traps(void) {
  static sal_traps_policy *opened;
  size_t size;
  const char *bytes = opened ? NULL : embedded_file("traps.policy", &size);
  if (bytes)
    opened = sal_traps_policy_open((const unsigned char *)bytes, size);
  return opened;
}

void teach_master(void) {
  sal_master_teach(shipped_policy());
  sal_master_teach_traps(shipped_traps());
}
