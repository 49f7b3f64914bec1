/* In which line of a JSON text something stands. */
#ifndef SAL_SERVER_JSON_LINE_H
#define SAL_SERVER_JSON_LINE_H

/* The line, counted from 1, of the value at a path such as "tiles[2].red.n" in a
 * text that is sound JSON; of what it would be in, if it is not there. */
int json_line(const char *text, const char *path);

#endif
