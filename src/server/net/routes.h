/* Which path is what, and what the answers share. */
#ifndef SAL_SERVER_ROUTES_H
#define SAL_SERVER_ROUTES_H

#include "conn.h"
#include "people/accounts.h"

#include <jansson.h>

/* Answers the request that waits at the connection, now or later. */
void routes_answer(struct conn *c);

/* Whose cookie the request has, and the token in it; NULL: nobody's. */
struct person *routes_person(struct conn *c, char token[TOKEN_MAX + 1]);
/* The body as JSON, or NULL; to be given back. */
json_t *routes_body(const struct conn *c);
/* A text of the body that may be a password, or NULL. */
const char *routes_password(const json_t *body, const char *key);
/* The "name" of the body, as it is kept; false, and refused. */
bool routes_name(struct conn *c, const json_t *body, char out[NAME_SIZE]);

/* The status of HTTP for an error of ours. */
int routes_status(int error);
void routes_respond_person(struct conn *c, const struct person *p);
/* The same, and the cookie has that token from now on. */
void routes_renew_cookie(struct conn *c, const struct person *p,
                         const char *token);
/* Who asks, for what takes a password. */
struct accounts_asker routes_asker(const struct conn *c);
/* Done, and the cookie goes. */
void routes_clear_cookie(struct conn *c);

#endif
