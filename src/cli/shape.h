/* The shape of JSON values: what all those that were seen have in common. */
#ifndef SAL_CLI_SHAPE_H
#define SAL_CLI_SHAPE_H

#include <jansson.h>
#include <stdbool.h>

struct shape;

struct shape *shape_new(void);
void shape_free(struct shape *s);
/* One more value of that shape; false: no memory. */
bool shape_learn(struct shape *s, const json_t *value);
/* In the notation of docs/server.md: "int", "string|null", ["int"],
 * {"key": …, "sometimes?": …}, {"*": …} for a map; NULL: no memory. */
json_t *shape_write(const struct shape *s);

#endif
