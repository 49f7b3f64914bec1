/* Views as text for programs with the same library: version, game, a sum over
 * all of it, and the bytes. */
#include "salotto/error.h"
#include "salotto/game.h"

#include <string.h>

/* FNV-1a over the game's id and the bytes: against damage, not against malice. */
static uint64_t sum_of(const struct sal_game *g, const void *bytes) {
  const unsigned char *p = bytes;
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (const char *c = g->info.id; *c; c++)
    h = (h ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
  for (size_t i = 0; i < g->info.view_size; i++)
    h = (h ^ p[i]) * UINT64_C(0x100000001b3);
  return h;
}

void sal_view_pack(const struct sal_game *g, const sal_view *v,
                   struct sal_text *out) {
  const uint64_t sum = sum_of(g, v);
  uint8_t bytes[8];
  for (int i = 0; i < 8; i++)
    bytes[i] = (uint8_t)(sum >> 8 * i);
  sal_text_add(out, SAL_VERSION ":");
  sal_text_add(out, g->info.id);
  sal_text_char(out, ':');
  sal_text_hex(out, bytes, sizeof bytes);
  sal_text_char(out, ':');
  sal_text_hex(out, (const uint8_t *)v, g->info.view_size);
}

static int damaged(struct sal_refusal *why) {
  return sal_refuse(why, SAL_BAD_RECORD, NULL,
                    "This is no packed view, or it was damaged.");
}

int sal_view_unpack(const struct sal_game *g, const char *text,
                    union sal_view_box *out, struct sal_refusal *why) {
  union sal_view_box box;
  uint8_t bytes[8];
  char sum_text[17] = "";
  uint64_t sum = 0;
  const char *rest = sal_skip(text, SAL_VERSION ":");
  if (!rest)
    return strchr(text, ':') ? sal_refuse(why, SAL_BAD_RECORD, NULL,
                                          "This view was packed by another "
                                          "version of the library.")
                             : damaged(why);
  if (!(rest = sal_skip(rest, g->info.id)) || *rest++ != ':')
    return sal_refuse(why, SAL_BAD_RECORD, NULL,
                      "This is a view of another game.");
  if (strlen(rest) != 17 + 2 * g->info.view_size || rest[16] != ':')
    return damaged(why);
  memcpy(sum_text, rest, 16);
  memset(&box, 0, sizeof box);
  if (!sal_hex_read(sum_text, bytes, sizeof bytes) ||
      !sal_hex_read(rest + 17, box.bytes, g->info.view_size))
    return damaged(why);
  for (int i = 0; i < 8; i++)
    sum |= (uint64_t)bytes[i] << 8 * i;
  if (sum != sum_of(g, box.bytes))
    return damaged(why);
  *out = box;
  return 0;
}
