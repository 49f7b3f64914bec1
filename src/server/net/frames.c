/* WebSocket frames. See frames.h. */
#include "frames.h"

#include <string.h>

enum { FREE_MAX = 4 };

bool frames_is_open(const struct frames *f) {
  return f->have > 0 || f->in_payload || f->opcode != 0;
}

/* ---- Texts ------------------------------------------------------------------ */

/* How many bytes the character takes that begins so, and which second bytes it
 * may have: no overlong forms, no surrogates, nothing above U+10FFFF. 0: none
 * begins so. */
static int character(uint8_t first, uint8_t *low, uint8_t *high) {
  *low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  *high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  return first < 0x80                    ? 1
         : first >= 0xc2 && first < 0xe0 ? 2
         : first >= 0xe0 && first < 0xf0 ? 3
         : first >= 0xf0 && first < 0xf5 ? 4
                                         : 0;
}

static bool is_utf8(const char *text, size_t n) {
  const uint8_t *s = (const uint8_t *)text, *end = s + n;
  while (s < end) {
    uint8_t low, high;
    if (*s < 0x80) { /* nearly always */
      s++;
      continue;
    }
    const int size = character(*s, &low, &high);
    if (size == 0 || end - s < size ||
        (size > 1 && (s[1] < low || s[1] > high)))
      return false;
    for (int i = 2; i < size; i++)
      if ((s[i] & 0xc0) != 0x80)
        return false;
    s += size;
  }
  return true;
}

/* ---- Heads ------------------------------------------------------------------ */

static bool is_control(int opcode) { return (opcode & 8) != 0; }

static int opcode_of(const struct frames *f) { return f->head[0] & 0xf; }
static bool is_last(const struct frames *f) { return f->head[0] & 0x80; }

/* Bytes of the length after the second byte. */
static int long_length(const struct frames *f) {
  const int n = f->head[1] & 0x7f;
  return n == 126 ? 2 : n == 127 ? 8 : 0;
}

/* How long the head is, as far as that is known. */
static int head_size(const struct frames *f) {
  return f->have < 2 ? 2 : 2 + long_length(f) + 4;
}

/* What is wrong with the first two bytes, or 0. */
static int check_start(const struct frames *f) {
  const int opcode = opcode_of(f);
  if (f->head[0] & 0x70 || !(f->head[1] & 0x80))
    return -CLOSE_PROTOCOL; /* no extension was agreed on; clients mask */
  if (is_control(opcode))
    return opcode <= FRAME_PONG && is_last(f) && long_length(f) == 0
               ? 0
               : -CLOSE_PROTOCOL;
  if (opcode > FRAME_BINARY || (opcode == FRAME_MORE) != (f->opcode != 0))
    return -CLOSE_PROTOCOL;
  return 0;
}

/* The length, which must be written as briefly as it can be. */
static int read_length(struct frames *f) {
  const int more = long_length(f);
  uint64_t n = more ? 0 : f->head[1] & 0x7f;
  for (int i = 0; i < more; i++)
    n = n << 8 | f->head[2 + i];
  if ((more == 2 && n < 126) || (more == 8 && (n < 1 << 16 || n >> 63)))
    return -CLOSE_PROTOCOL;
  if (!is_control(opcode_of(f)) && n > FRAMES_MESSAGE_MAX - f->length)
    return -CLOSE_TOO_BIG;
  f->left = n;
  return 0;
}

static int start_payload(struct frames *f, struct free_list *free_messages) {
  const int opcode = opcode_of(f);
  const int error = read_length(f);
  if (error)
    return error;
  f->in_payload = true;
  f->masked = 0;
  f->control_length = 0;
  if (is_control(opcode))
    return 0;
  if (opcode != FRAME_MORE)
    f->opcode = opcode;
  if (!f->message)
    f->message = free_list_take(free_messages, FRAMES_MESSAGE_MAX + 1);
  return f->message ? 0 : -CLOSE_NO_MEMORY;
}

static int read_frame_head(struct frames *f, struct free_list *free_messages,
                           const char **data, size_t *n) {
  while (*n > 0 && f->have < head_size(f)) {
    f->head[f->have++] = (uint8_t)(*data)[0];
    (*data)++;
    (*n)--;
    const int error = f->have == 2 ? check_start(f) : 0;
    if (error)
      return error;
  }
  return f->have == head_size(f) && f->have > 2
             ? start_payload(f, free_messages)
             : 0;
}

/* ---- Payloads --------------------------------------------------------------- */

static void read_payload(struct frames *f, const char **data, size_t *n) {
  const uint8_t *mask = f->head + f->have - 4;
  const size_t part = f->left < *n ? (size_t)f->left : *n;
  const bool control = is_control(opcode_of(f));
  char *to = control ? f->control + f->control_length : f->message + f->length;
  for (size_t i = 0; i < part; i++)
    to[i] = (char)((*data)[i] ^ mask[(f->masked + i) & 3]);
  f->masked += part;
  if (control)
    f->control_length = (uint8_t)(f->control_length + part);
  else
    f->length += part;
  f->left -= part;
  *data += part;
  *n -= part;
}

/* Codes that may be sent (section 7.4). */
static bool is_close_code(int code) {
  return (code >= 1000 && code <= 1014 && code != 1004 && code != 1005 &&
          code != 1006) ||
         (code >= 3000 && code < 5000);
}

static int end_control(struct frames *f, struct frame *out) {
  f->control[f->control_length] = '\0';
  *out = (struct frame){opcode_of(f), f->control, f->control_length,
                        CLOSE_NO_CODE};
  if (out->opcode != FRAME_CLOSE || f->control_length == 0)
    return 1;
  if (f->control_length < 2)
    return -CLOSE_PROTOCOL;
  out->close = (uint8_t)f->control[0] << 8 | (uint8_t)f->control[1];
  if (!is_close_code(out->close))
    return -CLOSE_PROTOCOL;
  return is_utf8(f->control + 2, out->length - 2) ? 1 : -CLOSE_NOT_UTF8;
}

static int end_data(struct frames *f, struct frame *out) {
  *out = (struct frame){.opcode = -1};
  if (!is_last(f))
    return 1;
  f->message[f->length] = '\0';
  *out = (struct frame){f->opcode, f->message, f->length, 0};
  f->opcode = 0;
  f->length = 0;
  return out->opcode != FRAME_TEXT || is_utf8(out->text, out->length)
             ? 1
             : -CLOSE_NOT_UTF8;
}

int frames_read(struct frames *f, struct free_list *free_messages,
                const char **data, size_t *n, struct frame *out) {
  if (!f->in_payload) {
    const int error = read_frame_head(f, free_messages, data, n);
    if (error || !f->in_payload)
      return error;
  }
  read_payload(f, data, n);
  if (f->left > 0)
    return 0;
  f->in_payload = false;
  f->have = 0;
  return is_control(opcode_of(f)) ? end_control(f, out) : end_data(f, out);
}

void frames_release(struct frames *f, struct free_list *free_messages) {
  if (f->message && f->opcode == 0) {
    free_list_put(free_messages, f->message, FREE_MAX);
    f->message = NULL;
  }
}

/* ---- Writing ---------------------------------------------------------------- */

size_t frames_head(uint8_t head[FRAMES_HEAD_MAX], int opcode, size_t length) {
  const size_t n = length < 126 ? 2 : length < 1 << 16 ? 4 : 10;
  head[0] = (uint8_t)(0x80 | opcode);
  head[1] = (uint8_t)(n == 2 ? length : n == 4 ? 126 : 127);
  for (size_t i = 2; i < n; i++)
    head[i] = (uint8_t)(length >> 8 * (n - 1 - i));
  return n;
}
