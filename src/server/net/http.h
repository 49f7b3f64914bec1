/* HTTP/1.1 as far as the server needs it: one request at a time, small ones. */
#ifndef SAL_SERVER_HTTP_H
#define SAL_SERVER_HTTP_H

#include "conn.h"

struct http *http_new(struct conn *c);
void http_free(struct http *h);
/* Bytes from the client. */
void http_feed(struct conn *c, const char *data, size_t length);

/* The request that waits for an answer. */
bool http_is(const struct http *h, const char *method, const char *path);
bool http_upgrades(const struct http *h);
/* The path and the query as they came. */
const char *http_url(const struct http *h);
/* Whether it is GET or HEAD. */
bool http_reads(const struct http *h);
/* The value of a header by its name in small letters, or NULL. */
const char *http_header(const struct http *h, const char *name);
/* All lines of that name, in their order, with commas between; "" if there is
 * none, or if they do not fit. */
enum { HTTP_HEAD_MAX = 8192 }; /* no request has more */
void http_header_lines(const struct http *h, const char *name, char *out,
                       size_t size);
const char *http_body(const struct http *h, size_t *length);
/* Whether a header that is a list of words holds this one. */
bool http_lists(const struct http *h, const char *name, const char *word);
/* Copies a cookie's value; false if there is none or it does not fit. */
bool http_cookie(const struct http *h, const char *name, char *out,
                 size_t size);
/* Whether the request comes from a page of ours; `required` also refuses one
 * that does not say. */
bool http_same_origin(const struct conn *c, bool required);

/* The answer; `more` is further header lines, each with its end, or "". */
void http_respond(struct conn *c, int status, const char *type,
                  const char *more, const char *body, size_t length);
/* The same with all header lines but the length given. */
void http_send(struct conn *c, int status, const char *head, const char *body,
               size_t length);
/* The time is up: a request that waits for its answer is told so; false: none
 * does. */
bool http_is_overdue(struct conn *c);
/* {"ok":false,"error":{…}} with that status. */
void http_refuse(struct conn *c, int status, int code, const char *message);

#endif
