/* X-Forwarded-For. See forwarded.h. */
#include "forwarded.h"
#include "base/network.h"

#include <string.h>

/* Where the entry begins that stands so many places before the end; the first,
 * if there are fewer: then a proxy was passed by, and those that are left have
 * written all there is. */
static const char *entry_from_end(const char *list, int places,
                                  const char **end) {
  const char *begin = list + strlen(list);
  do {
    *end = begin;
    while (begin > list && begin[-1] != ',')
      begin--;
    if (--places == 0 || begin == list)
      return begin;
    begin--; /* over the comma */
  } while (true);
}

static bool is_port(const char *text) {
  const size_t n = strlen(text);
  return text[0] == ':' && n > 1 && n <= 6 &&
         strspn(text + 1, "0123456789") == n - 1;
}

/* "[2001:db8::1]:443", "192.0.2.1:443", and both without a port. In place. */
static bool cut_port(char *text) {
  char *close = strchr(text, ']');
  if (text[0] == '[') {
    if (!close || (close[1] && !is_port(close + 1)))
      return false;
    *close = '\0';
    memmove(text, text + 1, strlen(text));
    return true;
  }
  char *colon = strchr(text, ':');
  if (!colon || strchr(colon + 1, ':'))
    return true; /* none, or those of IPv6 */
  if (!is_port(colon))
    return false;
  *colon = '\0';
  return true;
}

bool forwarded_client(const char *list, int hops, char out[FORWARDED_MAX]) {
  const char *end;
  char entry[FORWARDED_MAX + 8]; /* with brackets and a port */
  const char *begin = entry_from_end(list, hops, &end);
  while (begin < end && (*begin == ' ' || *begin == '\t'))
    begin++;
  while (end > begin && (end[-1] == ' ' || end[-1] == '\t'))
    end--;
  const size_t n = (size_t)(end - begin);
  if (n == 0 || n >= sizeof entry)
    return false;
  memcpy(entry, begin, n);
  entry[n] = '\0';
  struct network address;
  if (!cut_port(entry) || strlen(entry) >= FORWARDED_MAX ||
      strchr(entry, '/') || !network_read(entry, &address))
    return false;
  strcpy(out, entry);
  return true;
}
