/* The positions of a record: see the header. */
#include "cli.h"
#include "positions.h"

#include <stdlib.h>
#include <string.h>

/* Whether a line is an action of a seat, or gives up. */
static bool is_step(const char *line) {
  return (*line >= '0' && *line <= '9') || sal_skip(line, "resign ");
}

/* Draws belong to the step before. */
bool positions_open(struct positions *p, const char *text, size_t length) {
  size_t lines = 2;
  for (size_t i = 0; i < length; i++)
    lines += text[i] == '\n';
  *p = (struct positions){.text = text, .end = calloc(lines, sizeof *p->end)};
  if (!p->end)
    return false;
  for (size_t i = 0; i < length;) {
    const size_t line = strcspn(text + i, "\n");
    if (is_step(text + i))
      p->end[p->steps++] = i;
    i += line + 1;
  }
  p->end[p->steps] = length;
  return true;
}

void positions_close(struct positions *p) { free(p->end); }

sal_table *positions_at(const struct positions *p, int step,
                        struct sal_refusal *why) {
  return load_record(p->text, p->end[step], NULL, why);
}
