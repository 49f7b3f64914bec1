/* The parlour server, as the program starts it. */
#ifndef SAL_SERVER_SERVER_H
#define SAL_SERVER_SERVER_H

#include "salotto/catalogue.h"
#include "salotto/error.h"

/* A language that the house speaks. */
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
  const char *store;      /* the file; NULL: salotto.db in the folder */
  const char *public_url; /* as browsers know it; NULL: what it listens on */
  bool trust_proxy;       /* believe X-Forwarded-For */
  int connections;        /* most at once */
  int per_address;        /* of them from one address */
  int tables;             /* most at once */
  int pace;               /* messages a second that a connection may send */
  double bot_seconds;     /* from question to answer */
  double reveal_seconds;  /* for people to tell the parts they pledged */
  double timeout;         /* seconds for a request to arrive */
  double ping;            /* seconds of silence before a WebSocket is asked */
  const struct server_language *languages; /* ends with a NULL id */
  const struct server_page *pages;         /* inside the program, or NULL */
  const char *web; /* a folder to serve instead, or NULL */
  /* Called once when it listens, with its address. */
  void (*ready)(const char *url);
};

/* The defaults, which --help tells. */
extern const struct server_options server_defaults;

enum { SERVER_PATH = 4096 };
/* Where the store of these options is, with something at the end; false: the
 * name is too long. */
bool server_store(const struct server_options *o, const char *end,
                  char out[SERVER_PATH]);
/* Takes the lock of the store, which is held until the file is closed; a file,
 * or an error with a sentence: another server has it. */
int server_lock(const struct server_options *o, struct sal_refusal *why);

/* Serves until SIGTERM or SIGINT. 0, or an error with a sentence. */
int server_run(const struct server_options *options, struct sal_refusal *why);

#endif
