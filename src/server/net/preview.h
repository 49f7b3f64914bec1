/* What a link to a page says of itself where it is shared: title, description
 * and picture, as Open Graph has them, inside the head of the page. */
#ifndef SAL_SERVER_PREVIEW_H
#define SAL_SERVER_PREVIEW_H

#include "conn.h"

enum { PREVIEW_MAX = 4096 };

/* The language of the server that the browser asks for first. */
const struct server_language *preview_language(const struct conn *c);

/* Answers with the page at the path of the request, whose preview it writes;
 * perhaps after it has asked the store. */
void preview_answer(struct conn *c);

#endif
