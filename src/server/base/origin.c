/* The origin of the public URL. See origin.h. */
#include "origin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unicode/uidna.h>

enum { HOST_MAX = ORIGIN_MAX / 2 };

/* The host as it goes over the wire: small letters, other scripts in ASCII. */
static bool write_host(const char *host, size_t length, char out[HOST_MAX]) {
  UErrorCode status = U_ZERO_ERROR;
  UIDNAInfo info = UIDNA_INFO_INITIALIZER;
  if (length == 0 || length >= HOST_MAX)
    return false;
  if (host[0] == '[') { /* an address of IPv6 */
    for (size_t i = 0; i < length; i++)
      out[i] =
          (char)(host[i] >= 'A' && host[i] <= 'F' ? host[i] + 32 : host[i]);
    out[length] = '\0';
    return strspn(out + 1, "0123456789abcdef:.") == length - 2 &&
           out[length - 1] == ']';
  }
  UIDNA *idna = uidna_openUTS46(UIDNA_NONTRANSITIONAL_TO_ASCII, &status);
  const int32_t n = uidna_nameToASCII_UTF8(idna, host, (int32_t)length, out,
                                           HOST_MAX, &info, &status);
  if (idna)
    uidna_close(idna);
  return U_SUCCESS(status) && info.errors == 0 && n > 0;
}

/* ":8014" and the like; "" if it goes without saying. */
static bool write_port(const char *port, int usual, char out[8]) {
  char *end = NULL;
  const long n = *port == ':' ? strtol(port + 1, &end, 10) : usual;
  if (*port == ':' && (end - port < 2 || end - port > 6 || *end ||
                       strspn(port + 1, "0123456789") != strlen(port + 1)))
    return false;
  if (n < 1 || n > 65535)
    return false;
  *out = '\0';
  if (n != usual)
    snprintf(out, 8, ":%ld", n);
  return true;
}

bool origin_of(const char *url, char out[ORIGIN_MAX]) {
  const bool secure = strncasecmp(url, "https://", 8) == 0;
  if (!secure && strncasecmp(url, "http://", 7) != 0)
    return false;
  const char *host = url + (secure ? 8 : 7);
  const size_t length = strcspn(host, "/");
  const char *bracket = host[0] == '[' ? memchr(host, ']', length) : NULL;
  const size_t before_port =
      bracket ? (size_t)(bracket - host) + 1 : strcspn(host, ":/");
  char name[HOST_MAX], rest[8], port[8];
  if (length - before_port >= sizeof rest || strpbrk(host, "?#@\\ "))
    return false;
  memcpy(rest, host + before_port, length - before_port);
  rest[length - before_port] = '\0';
  if ((*rest && *rest != ':') || !write_host(host, before_port, name) ||
      !write_port(rest, secure ? 443 : 80, port))
    return false;
  snprintf(out, ORIGIN_MAX, "http%s://%s%s", secure ? "s" : "", name, port);
  return true;
}
