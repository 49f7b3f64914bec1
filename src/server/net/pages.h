/* The files of the browser's part, from inside the program or from a folder. */
#ifndef SAL_SERVER_PAGES_H
#define SAL_SERVER_PAGES_H

#include "conn.h"

/* Notes the files that the options name. NULL if memory is short. */
struct pages *pages_new(const struct server_options *o);
void pages_free(struct pages *p);
/* Answers if the path is a file or a page; else says false and does nothing. */
bool pages_answer(struct conn *c);
/* Answers whoever reads pages and asks for one that does not exist with the page
 * that says so, and 404; else says false and does nothing. */
bool pages_answer_missing(struct conn *c);
/* Answers with the page, and these lines in its head between the marks. */
void pages_send_index(struct conn *c, const char *preview);

#endif
