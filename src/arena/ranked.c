/* A tournament over several machines: blocks of games as tasks of the ranks
 * (ranks/ranks.h), and what was played of a block as bytes.
 *
 * The bytes are structs as they lie in memory, each game followed by its notes
 * and its record: all ranks run the same program. */
#include "ranked.h"

#include <stdlib.h>
#include <string.h>

/* What stands before the texts of a game. */
struct parcel {
  uint64_t number;
  uint32_t trouble;
  struct arena_game game;
  struct arena_time time;
  uint32_t notes;
  uint64_t record; /* bytes, 0: none */
};

/* A note, and how many bytes its position has. */
struct parcel_note {
  struct arena_note note;
  uint64_t position;
};

size_t ranked_block(size_t games, int ranks) {
  enum { MOST = 256, PARTS = 64 };
  const size_t n = games / ((size_t)ranks * PARTS);
  return n < 1 ? 1 : n > MOST ? MOST : n;
}

/* ---- Writing --------------------------------------------------------------- */

static void add_bytes(struct sal_buffer *b, const void *bytes, size_t n) {
  if (n)
    sal_buffer_add(b, bytes, n);
}

bool ranked_pack(const struct desk *d, size_t number, struct sal_buffer *out) {
  struct parcel p;
  memset(&p, 0, sizeof p);
  p.number = number;
  p.trouble = (uint32_t)d->trouble;
  p.game = *d->game;
  if (d->time)
    p.time = *d->time;
  p.notes = (uint32_t)d->notes;
  p.record = d->record.len;
  add_bytes(out, &p, sizeof p);
  add_bytes(out, d->record.at, d->record.len);
  for (int i = 0; i < d->notes; i++) {
    const char *position = d->note[i].position ? d->note[i].position : "";
    struct parcel_note n;
    memset(&n, 0, sizeof n);
    n.note = d->note[i];
    n.note.position = NULL;
    n.position = strlen(position);
    add_bytes(out, &n, sizeof n);
    add_bytes(out, position, n.position);
  }
  return !out->failed;
}

/* ---- Reading --------------------------------------------------------------- */

/* What is left to read. */
struct reader {
  const char *at;
  size_t left;
};

static bool take_bytes(struct reader *r, void *out, size_t n) {
  if (r->left < n)
    return false;
  memcpy(out, r->at, n);
  r->at += n;
  r->left -= n;
  return true;
}

/* A text of so many bytes; NULL: they are not there, or no memory. */
static char *take_text(struct reader *r, uint64_t n) {
  char *text = n <= r->left ? malloc((size_t)n + 1) : NULL;
  if (text && take_bytes(r, text, (size_t)n))
    text[n] = '\0';
  return text;
}

static bool take_note(struct reader *r, struct arena_note *out) {
  struct parcel_note n;
  if (!take_bytes(r, &n, sizeof n))
    return false;
  *out = n.note;
  return (out->position = take_text(r, n.position)) != NULL;
}

bool ranked_unpack(const char **bytes, size_t *left, struct ranked_game *out) {
  struct reader r = {*bytes, *left};
  struct parcel p;
  memset(out, 0, sizeof *out);
  if (!take_bytes(&r, &p, sizeof p) || p.notes > SAL_SEATS_MAX ||
      !(out->record = take_text(&r, p.record)))
    return false;
  out->number = (size_t)p.number;
  out->trouble = (enum arena_end)p.trouble;
  out->game = p.game;
  out->time = p.time;
  while (out->notes < (int)p.notes && take_note(&r, &out->note[out->notes]))
    out->notes++;
  *bytes = r.at;
  *left = r.left;
  if (out->notes == (int)p.notes)
    return true;
  ranked_free(out);
  return false;
}

void ranked_free(struct ranked_game *g) {
  while (g->notes > 0)
    free(g->note[--g->notes].position);
  free(g->record);
  g->record = NULL;
}
