/* What whoever starts the server decides. */
#ifndef SAL_SERVER_OPTIONS_H
#define SAL_SERVER_OPTIONS_H

#include "salotto/catalogue.h"

#include <stdbool.h>
#include <stddef.h>

enum { SERVER_WELCOME_MAX = 1000 }; /* bytes */

/* A language that the server speaks. */
struct server_language {
  const char *id; /* "it" */
  struct sal_catalogue catalogue;
};

/* A file of the pages; a list of them ends with one that has no name. */
struct server_page {
  const char *name, *text, *end;
};

struct server_options {
  const char *host;
  int port;               /* 0: the system chooses */
  const char *data;       /* the folder; made if it is not there */
  const char *store;      /* a file, or a shared one; NULL: one in the folder */
  const char *peer;       /* where servers of the same store reach this one */
  const char *public_url; /* as browsers know it; NULL: what it listens on */
  int trusted_hops;       /* proxies whose X-Forwarded-For is believed */
  int connections;        /* most at once */
  int per_address;        /* of them from one address */
  int tables;             /* most at once */
  int pace;               /* messages a second that a connection may send */
  double bot_seconds;     /* from question to answer */
  int bot_threads;        /* that bots think on; 0: as many as cores */
  int bot_tables;         /* in play with bots, of one person */
  double reveal_seconds;  /* for people to tell the parts they pledged */
  double timeout;         /* seconds for a request to arrive */
  double ping;            /* seconds of silence before a WebSocket is asked */
  const struct server_language *languages; /* ends with a NULL id */
  const struct server_page *pages;         /* inside the program, or NULL */
  const char *web; /* a folder to serve instead, or NULL */
  /* What the master knows of a game, for pages; NULL: nothing. */
  const char *(*policy)(const char *game, size_t *size);
  bool push_anywhere;  /* for tests: push services on this machine, by http */
  const char *welcome; /* for everybody who comes in, or NULL */
  int log_level;       /* see server_log_level */
  /* Called once when it listens, with its address. */
  void (*ready)(const char *url);
  /* Reads them again, or NULL; false with a sentence. What they point to stays
   * until the server has ended. */
  bool (*read_again)(struct server_options *out, char *why, size_t size);
};

/* The number of "info", "warning" or "error"; false: it is none. */
bool server_log_level(const char *text, int *out);

#endif
