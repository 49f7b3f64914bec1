/* salotto serve: the parlour for people in their browsers. */
#include "cli.h"
#include "server.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

extern const struct server_page sal_pages[]; /* from pages.S */

enum { CONNECTIONS, BOT_SECONDS, TIMEOUT, PING };

static void say_ready(const char *url) {
  printf(_("Listening on %s\n"), url);
  fflush(stdout);
}

/* "HOST:PORT", "[HOST]:PORT" or "PORT". The host is cut off in place. */
static bool read_listen(char *text, struct server_options *o) {
  char *colon = strrchr(text, ':');
  int32_t port;
  const char *rest = sal_number_read(colon ? colon + 1 : text, &port);
  if (!rest || *rest || port > 65535)
    return false;
  o->port = port;
  if (!colon)
    return true;
  *colon = '\0';
  if (*text == '[') {
    char *close = strchr(text, ']');
    if (!close || close[1])
      return false;
    *close = '\0';
    text++;
  }
  o->host = strcmp(text, "localhost") == 0 ? "127.0.0.1" : text;
  return *o->host != '\0';
}

static bool read_seconds(const char *text, double most, double *out) {
  char *end;
  *out = strtod(text, &end);
  return *text && !*end && *out >= 0 && *out <= most;
}

static bool read_public(const char *text, struct server_options *o) {
  o->public_url = text;
  const char *host = sal_skip(text, "https://");
  if (!host)
    host = sal_skip(text, "http://");
  return host && *host && *host != '/' && strlen(text) < 200;
}

static bool read_count(const char *text, int *out) {
  int32_t n;
  const char *rest = sal_number_read(text, &n);
  *out = n;
  return rest && !*rest && n > 0 && n <= 1000000;
}

static bool read_option(int letter, char *value, struct server_options *o) {
  switch (letter) {
  case 'l': return read_listen(value, o);
  case 'd': o->data = value; return *value != '\0';
  case 'u': return read_public(value, o);
  case 'w': o->web = value; return *value != '\0';
  case 't': o->trust_proxy = true; return true;
  case CONNECTIONS: return read_count(value, &o->connections);
  case BOT_SECONDS: return read_seconds(value, 60, &o->bot_seconds);
  case TIMEOUT: return read_seconds(value, 600, &o->timeout);
  case PING: return read_seconds(value, 600, &o->ping);
  default: return false;
  }
}

/* English, and every catalogue inside the program. */
static const struct server_language *languages(void) {
  static struct server_language list[] = {{"en", {0}}, {"it", {0}}, {0}};
  size_t size;
  const char *mo = embedded_file("it.mo", &size);
  if (!mo || !sal_catalogue_open(&list[1].catalogue, mo, size))
    list[1].id = NULL;
  return list;
}

static int run(int argc, char **argv) {
  static const struct option options[] = {
      {"listen", required_argument, NULL, 'l'},
      {"data", required_argument, NULL, 'd'},
      {"public-url", required_argument, NULL, 'u'},
      {"web", required_argument, NULL, 'w'},
      {"trust-proxy", no_argument, NULL, 't'},
      {"connections", required_argument, NULL, CONNECTIONS},
      {"bot-seconds", required_argument, NULL, BOT_SECONDS},
      {"timeout", required_argument, NULL, TIMEOUT},
      {"ping", required_argument, NULL, PING},
      {NULL, 0, NULL, 0}};
  struct server_options o = server_defaults;
  struct sal_refusal why;
  opterr = 0;
  o.ready = say_ready;
  o.languages = languages();
  o.pages = sal_pages;
  for (int c, at;
       at = optind, (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    if (c == '?')
      return misused(&command_serve, _("'%s' is not understood."), argv[at]);
    if (!read_option(c, optarg, &o))
      return misused(&command_serve, _("'%s' is no value for this option."),
                     optarg);
  }
  if (optind < argc)
    return misused(&command_serve, _("'%s' is not understood."), argv[optind]);
  if (server_run(&o, &why) == 0)
    return DONE;
  if (why.code == SAL_STORE)
    return complain(FAILED, _("%s: the store cannot be opened: %s."), o.data,
                    why.message);
  if (why.code == SAL_IO)
    return complain(FAILED, _("cannot listen on %s, port %d: %s."), o.host,
                    o.port, why.message);
  return complain(FAILED, "%s", _(sal_error_text(why.code)));
}

const struct command command_serve = {
    "serve", N_("open the parlour: tables for people and bots, over HTTP"),
    "[OPTION...]",
    N_("Options:\n"
       "  --listen [HOST:]PORT  where to listen (127.0.0.1:8014); port 0: the\n"
       "                        system chooses one, which is printed\n"
       "  --data DIR            the folder of the store (data); made if needed\n"
       "  --public-url URL      the address that people type, when a proxy with\n"
       "                        TLS stands before; pages of others are refused\n"
       "  --trust-proxy         believe the proxy's X-Forwarded-For\n"
       "  --web DIR             serve the pages from a folder, not from inside the\n"
       "                        program\n"
       "  --connections N       most at once (10000)\n"
       "  --bot-seconds S       from a bot's turn to its move (0.7)\n"
       "  --timeout S           for a whole request to arrive (10)\n"
       "  --ping S              silence before a WebSocket is asked (25)\n"
       "\n"
       "SIGTERM closes the house: people are told, moves on their way are kept.\n"
       "docs/operating.md is for who runs it, docs/server.md for who writes a\n"
       "client.\n"),
    run};
