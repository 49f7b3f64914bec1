/* The frames of a WebSocket (RFC 6455, section 5) as a server reads and writes
 * them: masks, fragments, control frames between fragments, UTF-8.
 *
 * Pure: bytes in, frames out. Main invariant: between two messages a stream has
 * no memory but this struct. */
#ifndef SAL_SERVER_FRAMES_H
#define SAL_SERVER_FRAMES_H

#include "base/free_list.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  FRAME_MORE = 0x0, /* of a message in fragments */
  FRAME_TEXT = 0x1,
  FRAME_BINARY = 0x2,
  FRAME_CLOSE = 0x8,
  FRAME_PING = 0x9,
  FRAME_PONG = 0xa
};
enum {
  FRAMES_MESSAGE_MAX = 8192,
  FRAMES_CONTROL_MAX = 125,
  FRAMES_HEAD_MAX = 14 /* with a long length and a mask */
};
/* Why a WebSocket is closed (section 7.4). */
enum {
  CLOSE_PROTOCOL = 1002,
  CLOSE_UNSUPPORTED = 1003,
  CLOSE_NO_CODE = 1005, /* never sent */
  CLOSE_NOT_UTF8 = 1007,
  CLOSE_POLICY = 1008,
  CLOSE_TOO_BIG = 1009,
  CLOSE_NO_MEMORY = 1011
};

/* All zeros at first. */
struct frames {
  uint8_t head[FRAMES_HEAD_MAX]; /* of the frame at work, as far as it came */
  uint8_t have;
  bool in_payload;
  uint64_t left; /* of the payload */
  size_t masked; /* bytes of it that were unmasked */
  int opcode;    /* of the message that has begun; 0: none has */
  char *message; /* its text so far; NULL: there is none */
  size_t length;
  uint8_t control_length;
  char control[FRAMES_CONTROL_MAX + 1];
};

/* What has come whole. The text ends with NUL, is valid until the next call, and
 * is UTF-8 if the opcode is FRAME_TEXT. */
struct frame {
  int opcode; /* of a control frame or a whole message; -1: of a fragment */
  const char *text;
  size_t length;
  int close; /* of FRAME_CLOSE: its code, or CLOSE_NO_CODE */
};

/* Reads up to the end of one frame and moves `data` on. 1: `out` has come; 0:
 * more bytes are needed; else minus the code to close with, and the stream is
 * not read any more. Memory for messages comes from `free_messages`. */
int frames_read(struct frames *f, struct free_list *free_messages,
                const char **data, size_t *n, struct frame *out);
/* Whether a message, or a frame, has begun and is not whole. */
bool frames_is_open(const struct frames *f);
/* When the frame that came last has been used. */
void frames_release(struct frames *f, struct free_list *free_messages);

/* The head of a whole, unmasked frame; how long it is. */
size_t frames_head(uint8_t head[FRAMES_HEAD_MAX], int opcode, size_t length);

#endif
