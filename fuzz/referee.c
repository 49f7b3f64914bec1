/* Fuzzing the referee: lines of anything; each that is not blank gets exactly
 * one line of reply, which begins as a reply does. */
#include "referee.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct referee *r = referee_new();
  const char *at = (const char *)data, *end = at + size;
  bool more = true;
  while (more && at < end) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    if (!stop)
      stop = end;
    char *reply = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&reply, &length);
    more = referee_line(r, at, (size_t)(stop - at), out);
    fclose(out);
    if (length > 0 && (memcmp(reply, "{\"ok\":", 6) != 0 ||
                       strchr(reply, '\n') != reply + length - 1))
      abort();
    free(reply);
    at = stop + 1;
  }
  referee_free(r);
  return 0;
}
