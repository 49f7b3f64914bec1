/* salotto serve: the parlour for people in their browsers.
 *
 * Main invariant: an option is described once, in `settings`; the command line
 * and the config file are both read by that table, so neither knows a name or
 * a value that the other does not. */
#include "base/origin.h"
#include "cli.h"
#include "server.h"

#include <ctype.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

extern const struct server_page sal_pages[]; /* from pages.S */

static void say_ready(const char *url) {
  printf(_("Listening on %s\n"), url);
  fflush(stdout);
}

/* ---- Values --------------------------------------------------------------- */

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

static bool read_data(char *text, struct server_options *o) {
  o->data = text;
  return *text != '\0';
}

static bool read_store(char *text, struct server_options *o) {
  o->store = server_store_name(text);
  return o->store != NULL;
}

static bool read_peer(char *text, struct server_options *o) {
  o->peer = text;
  return strchr(text, ':') != NULL;
}

static bool read_public(char *text, struct server_options *o) {
  char origin[ORIGIN_MAX];
  o->public_url = text;
  return origin_of(text, origin);
}

/* How many proxies stand before the server; "yes" is one. */
static bool read_proxy(char *text, struct server_options *o) {
  static const char *const words[] = {"false", "true", "no",
                                      "yes",   "off",  "on"};
  long n;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(text, words[i]) == 0) {
      o->trusted_hops = i % 2;
      return true;
    }
  const bool ok = read_number(text, 0, 16, &n);
  o->trusted_hops = (int)n;
  return ok;
}

static bool read_count(const char *text, int *out) {
  long n;
  const bool ok = read_number(text, 1, 1000000, &n);
  *out = (int)n;
  return ok;
}

static bool read_connections(char *text, struct server_options *o) {
  return read_count(text, &o->connections);
}

static bool read_tables(char *text, struct server_options *o) {
  return read_count(text, &o->tables);
}

static bool read_address(char *text, struct server_options *o) {
  return read_count(text, &o->per_address);
}

static bool read_pace(char *text, struct server_options *o) {
  return read_count(text, &o->pace);
}

static bool read_seconds(const char *text, double most, double *out) {
  char *end;
  *out = strtod(text, &end);
  return *text && !*end && *out >= 0 && *out <= most;
}

static bool read_reveal_seconds(char *text, struct server_options *o) {
  return read_seconds(text, 600, &o->reveal_seconds);
}

static bool read_bot_seconds(char *text, struct server_options *o) {
  return read_seconds(text, 60, &o->bot_seconds);
}

static bool read_timeout(char *text, struct server_options *o) {
  return read_seconds(text, 600, &o->timeout);
}

static bool read_ping(char *text, struct server_options *o) {
  return read_seconds(text, 600, &o->ping);
}

static bool read_bot_threads(char *text, struct server_options *o) {
  long n;
  const bool ok = read_number(text, 1, 256, &n);
  o->bot_threads = (int)n;
  return ok;
}

static bool read_bot_tables(char *text, struct server_options *o) {
  return read_count(text, &o->bot_tables);
}

static bool read_push_anywhere(char *text, struct server_options *o) {
  o->push_anywhere = strcmp(text, "yes") == 0;
  return o->push_anywhere || strcmp(text, "no") == 0;
}

static bool read_welcome(char *text, struct server_options *o) {
  o->welcome = *text ? text : NULL;
  return strlen(text) <= SERVER_WELCOME_MAX;
}

static bool read_log_level(char *text, struct server_options *o) {
  return server_log_level(text, &o->log_level);
}

/* In the config file; on the command line every command takes it. */
static bool read_plugin(char *text, struct server_options *o) {
  (void)o;
  return *text && load_plugin(text) == DONE;
}

static bool read_web(char *text, struct server_options *o) {
  o->web = text;
  return *text != '\0';
}

/* ---- The table ------------------------------------------------------------ */

static const struct setting {
  const char *name;
  bool flag; /* on the command line it may stand alone */
  bool (*read)(char *value, struct server_options *o);
} settings[] = {
    {"listen", false, read_listen},
    {"data", false, read_data},
    {"store", false, read_store},
    {"peer", false, read_peer},
    {"public-url", false, read_public},
    {"trust-proxy", true, read_proxy},
    {"connections", false, read_connections},
    {"per-address", false, read_address},
    {"tables", false, read_tables},
    {"pace", false, read_pace},
    {"bot-seconds", false, read_bot_seconds},
    {"reveal-seconds", false, read_reveal_seconds},
    {"timeout", false, read_timeout},
    {"ping", false, read_ping},
    {"bot-threads", false, read_bot_threads},
    {"bot-tables", false, read_bot_tables},
    {"push-anywhere", true, read_push_anywhere},
    {"welcome", false, read_welcome},
    {"log-level", false, read_log_level},
    {"web", false, read_web},
    {"plugin", false, read_plugin},
};

enum { SETTINGS = sizeof settings / sizeof *settings, CONFIG = SETTINGS };

static const struct setting *find_setting(const char *name) {
  for (int i = 0; i < SETTINGS; i++)
    if (strcmp(settings[i].name, name) == 0)
      return &settings[i];
  return NULL;
}

/* ---- The config file ------------------------------------------------------ */

/* Cuts blanks off both ends, in place. */
static char *trim(char *s) {
  while (isspace((unsigned char)*s))
    s++;
  char *end = s + strlen(s);
  while (end > s && isspace((unsigned char)end[-1]))
    end--;
  *end = '\0';
  return s;
}

/* One reading of file and command line. The options point into its texts; so
 * every reading is kept until the end. */
struct reading {
  struct reading *before;
  struct server_options options;
  char *text[SETTINGS + 1]; /* copies of the arguments, and the file */
  char why[400];            /* what is wrong, if something is */
  bool in_file;             /* and where */
};

__attribute__((format(printf, 3, 4))) static int
wrong(struct reading *r, int status, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(r->why, sizeof r->why, format, args);
  va_end(args);
  return status;
}

static int read_line(struct reading *r, const char *path, int number,
                     char *line) {
  char *equals = strchr(line, '=');
  if (equals)
    *equals = '\0';
  char *name = trim(line);
  if (!*name && !equals)
    return DONE;
  if (!equals)
    return wrong(r, USAGE, _("%s, line %d: this is not 'name = value'."), path,
                 number);
  const struct setting *s = find_setting(name);
  if (!s)
    return wrong(r, USAGE, _("%s, line %d: there is no setting '%s'."), path,
                 number, name);
  char *value = trim(equals + 1);
  char shown[200];
  snprintf(shown, sizeof shown, "%s", value);
  if (!s->read(value, &r->options))
    return wrong(r, USAGE, _("%s, line %d: '%s' is not a valid value for %s."),
                 path, number, shown, name);
  return DONE;
}

static int read_config(struct reading *r, const char *path) {
  size_t length;
  char *text = r->text[CONFIG] = read_file(path, &length);
  if (!text)
    return FAILED; /* read_file has said why */
  int number = 1, status = DONE;
  r->in_file = true;
  for (char *line = text, *next; line && status == DONE;
       line = next, number++) {
    next = strchr(line, '\n');
    if (next)
      *next++ = '\0';
    if (*(line += strspn(line, " \t")) != '#')
      status = read_line(r, path, number, line);
  }
  r->in_file = status != DONE;
  return status;
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

/* ---- The command ---------------------------------------------------------- */

/* What each option of the command line is given, by its place in `settings`;
 * the last is the config file. */
static char *given[SETTINGS + 1];
static struct reading *last_reading;

/* What a flag is given: what stands behind its '=', or a number that follows. */
static char *value_of_flag(int argc, char **argv) {
  static char yes[] = "yes";
  if (optarg)
    return optarg;
  if (optind < argc && isdigit((unsigned char)*argv[optind]))
    return argv[optind++];
  return yes;
}

static int read_arguments(int argc, char **argv) {
  struct option options[SETTINGS + 2] = {0};
  for (int i = 0; i < SETTINGS; i++)
    options[i] = (struct option){
        settings[i].name,
        settings[i].flag ? optional_argument : required_argument, NULL, i};
  options[CONFIG] = (struct option){"config", required_argument, NULL, CONFIG};
  opterr = 0;
  for (int c, at;
       at = optind, (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    if (c == '?')
      return misused(&command_serve, _("'%s' is not recognised."), argv[at]);
    given[c] =
        c < SETTINGS && settings[c].flag ? value_of_flag(argc, argv) : optarg;
  }
  if (optind < argc)
    return misused(&command_serve, _("'%s' is not recognised."), argv[optind]);
  return DONE;
}

/* The file first, whatever stands before it: the command line has the last
 * word. */
static int read_serve_options(struct reading *r) {
  int status = given[CONFIG] ? read_config(r, given[CONFIG]) : DONE;
  for (int i = 0; i < SETTINGS && status == DONE; i++) {
    if (!given[i])
      continue;
    r->text[i] = strdup(given[i]);
    if (!r->text[i] || !settings[i].read(r->text[i], &r->options))
      status = wrong(r, USAGE, _("'%s' is not a valid value for --%s."),
                     given[i], settings[i].name);
  }
  return status;
}

static struct reading *new_reading(void) {
  struct reading *r = calloc(1, sizeof *r);
  if (!r)
    return NULL;
  r->options = server_defaults;
  r->before = last_reading;
  return last_reading = r;
}

static void free_last_reading(void) {
  struct reading *r = last_reading;
  last_reading = r->before;
  for (int i = 0; i <= SETTINGS; i++)
    free(r->text[i]);
  free(r);
}

/* SIGHUP: the same once more. */
static bool read_again(struct server_options *out, char *why, size_t size) {
  struct reading *r = new_reading();
  if (r && read_serve_options(r) == DONE) {
    *out = r->options;
    return true;
  }
  snprintf(why, size, "%s",
           !r        ? sal_error_text(SAL_NO_MEMORY)
           : *r->why ? r->why
                     : "the file cannot be read");
  if (r)
    free_last_reading();
  return false;
}

static int serve(const struct server_options *o) {
  struct sal_refusal why;
  if (server_run(o, &why) == 0)
    return DONE;
  if (why.code == SAL_STORE)
    return complain(FAILED, _("%s: the store cannot be opened: %s."),
                    server_store_shown(o), _(why.message));
  if (why.code == SAL_IO)
    return complain(FAILED, _("cannot listen on %s, port %d: %s."), o->host,
                    o->port, why.message);
  return complain(FAILED, "%s", _(sal_error_text(why.code)));
}

static int run_serve(int argc, char **argv) {
  int status = read_arguments(argc, argv);
  struct reading *r = status == DONE ? new_reading() : NULL;
  if (!r)
    return status;
  status = read_serve_options(r);
  if (status == USAGE && r->in_file)
    complain(USAGE, "%s", r->why);
  else if (status == USAGE)
    misused(&command_serve, "%s", r->why);
  teach_master();
  if (status == DONE) {
    r->options.ready = say_ready;
    r->options.read_again = read_again;
    r->options.languages = languages();
    r->options.pages = sal_pages;
    r->options.policy = policy_bytes;
    status = serve(&r->options);
  }
  while (last_reading)
    free_last_reading();
  return status;
}

const struct command command_serve = {
    "serve", N_("start the server: tables for people and bots, over HTTP"),
    N_("[OPTION...]"),
    N_("Options:\n"
       "  --listen [HOST:]PORT  where to listen (127.0.0.1:8014); port 0: the\n"
       "                        system chooses one, which is printed\n"
       "  --data DIR            the folder of the store (data); made if needed\n"
       "  --store STORE         the store, if it is not DIR/salotto.db:\n"
       "                        sqlite:PATH, or postgresql://HOST/NAME, which several\n"
       "                        servers may share\n"
       "  --peer HOST:PORT      where the other servers of that store reach this one\n"
       "                        (the address that it listens on)\n"
       "  --public-url URL      the address that people type, when the server is\n"
       "                        behind a proxy with TLS; other origins are refused\n"
       "  --trust-proxy [N]     the server is behind N proxies (1): trust their\n"
       "                        X-Forwarded-For\n"
       "  --web DIR             serve the pages from a folder, not from inside the\n"
       "                        program\n"
       "  --plugin FILE.so      add the games of a plugin\n"
       "  --config FILE         read options from a file, one 'name = value' a\n"
       "                        line; the command line overrides it\n"
       "  --connections N       at most so many at once (10000)\n"
       "  --per-address N       at most so many from one address (200)\n"
       "  --tables N            at most so many, games just over included (20000)\n"
       "  --pace N              messages a second that each may send (20)\n"
       "  --bot-tables N        tables with bots that one person may have at once (10)\n"
       "  --bot-threads N       threads that bots think on (as many as cores)\n"
       "  --bot-seconds S       from a bot's turn to its move (0.7)\n"
       "  --reveal-seconds S    time for players to reveal the random parts that\n"
       "                        they pledged (20)\n"
       "  --timeout S           time for a whole request to arrive (10)\n"
       "  --ping S              silence before a WebSocket is pinged (25)\n"
       "  --welcome TEXT        shown to everybody in the lobby\n"
       "  --log-level LEVEL     info, warning or error: the least that is logged (info)\n"
       "\n"
       "Examples:\n"
       "  salotto serve\n"
       "      for this machine alone: open http://127.0.0.1:8014\n"
       "  salotto serve --listen 0.0.0.0:8014 \\\n"
       "      --public-url http://parlour.lan:8014\n"
       "      for a household, under the name that people type\n"
       "  salotto serve --config /etc/salotto.conf\n"
       "      for the public, behind a proxy with TLS; the file says:\n"
       "          data = /var/lib/salotto\n"
       "          public-url = https://play.example.org\n"
       "          trust-proxy = yes\n"
       "\n"
       "SIGTERM stops the server: people are told, moves under way are saved.\n"
       "SIGHUP reads the options again: limits, welcome and log level change at once.\n"
       "'salotto admin' administers a server that runs. docs/operating.md is for\n"
       "administrators, docs/server.md for those who write a client.\n"),
    run_serve};
