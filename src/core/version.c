/* Which version this is. meson.build holds the numbers of api.h against its
 * own. */
#include "salotto/api.h"

const char *sal_version(void) { return SAL_VERSION; }
int sal_version_number(void) { return SAL_VERSION_NUMBER; }
