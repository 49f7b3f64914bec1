/* Networks in text. See network.h. */
#include "network.h"

#include "salotto/text.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>

enum {
  LINE_IDLE_S = 2, /* after which a quiet line is tried */
  LINE_MS = 5000   /* within which the other side must answer */
};

bool network_read(const char *text, struct network *out) {
  char copy[64];
  const size_t n = strcspn(text, "/");
  if (n >= sizeof copy)
    return false;
  memcpy(copy, text, n);
  copy[n] = '\0';
  struct in_addr four;
  int most = 128;
  memset(out, 0, sizeof *out);
  if (inet_pton(AF_INET, copy, &four) == 1) {
    out->bytes[10] = out->bytes[11] = 0xff;
    memcpy(out->bytes + 12, &four, 4);
    most = 32;
  } else if (inet_pton(AF_INET6, copy, out->bytes) != 1) {
    return false;
  }
  out->bits = 128;
  if (!text[n])
    return true;
  int32_t bits;
  const char *rest = sal_number_read(text + n + 1, &bits);
  out->bits = 128 - most + bits;
  return rest && !*rest && bits <= most;
}

void network_key(const char *text, uint8_t out[16]) {
  static const uint8_t four[12] = {[10] = 0xff, [11] = 0xff};
  struct network n;
  if (!network_read(text, &n))
    memset(&n, 0, sizeof n);
  if (memcmp(n.bytes, four, sizeof four) != 0)
    memset(n.bytes + 8, 0, 8);
  memcpy(out, n.bytes, 16);
}

bool network_holds(const struct network *n, const struct network *address) {
  for (int i = 0; i < n->bits; i += 8) {
    const int left = n->bits - i;
    const int mask = left >= 8 ? 0xff : 0xff00 >> left & 0xff;
    if ((n->bytes[i / 8] ^ address->bytes[i / 8]) & mask)
      return false;
  }
  return true;
}

void network_watch_line(uv_tcp_t *line) {
  const unsigned most = LINE_MS;
  uv_os_fd_t fd;
  uv_tcp_keepalive(line, 1, LINE_IDLE_S);
  if (uv_fileno((uv_handle_t *)line, &fd) == 0)
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &most, sizeof most);
}

struct sending {
  uv_write_t write; /* first, so that whoever frees it frees the rest */
  char bytes[];
};

bool network_send(uv_tcp_t *line, const void *bytes, size_t size,
                  uv_write_cb done) {
  struct sending *s = malloc(sizeof *s + size);
  if (!s)
    return false;
  memcpy(s->bytes, bytes, size);
  const uv_buf_t out = uv_buf_init(s->bytes, (unsigned)size);
  if (uv_write(&s->write, (uv_stream_t *)line, &out, 1, done) == 0)
    return true;
  free(s);
  return false;
}
