/* salotto admin: administers a server, running or not. */
#include "cli.h"

#include "admin.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct wanted {
  struct server_options options;
  const char *why;
  bool check; /* migrate: only look */
};

/* A subcommand: the words after its name. */
struct task {
  const char *name;
  int words_min, words_max;
  bool old; /* it may be given a store of an older version */
  int (*run)(struct admin *a, const struct wanted *w, char **words);
  bool bare; /* it needs no store */
};

static int failed(const struct sal_refusal *why) {
  return complain(FAILED, "%s",
                  *why->message ? _(why->message)
                                : _(sal_error_text(why->code)));
}

static int not_opened(const struct wanted *w, const struct sal_refusal *why) {
  return complain(FAILED, _("%s: the store cannot be opened: %s."),
                  server_store_shown(&w->options), _(why->message));
}

/* For tasks that want a server that is not running. */
static int failed_or_served(struct admin *a, const struct wanted *w,
                            const struct sal_refusal *why) {
  return admin_is_served(a, &w->options) ? not_opened(w, why) : failed(why);
}

static void print_time(int64_t ms) {
  const time_t at = (time_t)(ms / 1000);
  struct tm utc;
  char text[32] = "-";
  if (ms > 0 && gmtime_r(&at, &utc))
    strftime(text, sizeof text, "%Y-%m-%d %H:%M", &utc);
  printf("%-16s", text);
}

/* ---- list ----------------------------------------------------------------- */

static void print_table(void *context, const struct admin_table *t) {
  (void)context;
  printf("%-18s%-8s%7d%7d  ", t->id, t->game, t->players, t->moves);
  print_time(t->at);
  printf("  %s\n", t->begun ? _("in play") : _("waiting"));
}

static int list_tables(struct admin *a) {
  printf("%-18s%-8s%7s%7s  %s\n", _("table"), _("game"), _("players"),
         _("moves"), _("last move (UTC)"));
  return admin_tables(a, print_table, NULL);
}

static void print_person(void *context, const struct admin_person *p) {
  (void)context;
  printf("%8lld%10d%7d  ", (long long)p->id, p->sessions, p->seats);
  print_time(p->seen);
  printf("  %-8s%s%s\n", p->account ? _("account") : _("guest"),
         *p->name ? p->name : "-", p->banned ? " *" : "");
}

static int list_people(struct admin *a) {
  printf("%8s%10s%7s  %-18s%-8s%s\n", _("person"), _("sessions"), _("seats"),
         _("seen (UTC)"), "", _("name"));
  return admin_people(a, print_person, NULL);
}

static void print_ban(void *context, const struct admin_ban *b) {
  (void)context;
  print_time(b->at);
  if (b->person)
    printf("  %-20lld%s\n", (long long)b->person, b->why);
  else
    printf("  %-20s%s\n", b->network, b->why);
}

static int list_bans(struct admin *a) {
  printf("%-16s  %-20s%s\n", _("since (UTC)"), _("who"), _("why"));
  return admin_bans(a, print_ban, NULL);
}

static int list_mutes(struct admin *a) {
  printf("%-16s  %-20s%s\n", _("since (UTC)"), _("who"), _("why"));
  return admin_mutes(a, print_ban, NULL);
}

/* "Anna (7)" */
static void print_who(const char *name, int64_t person, int width) {
  char text[120];
  snprintf(text, sizeof text, "%s (%lld)", *name ? name : "-",
           (long long)person);
  printf("%-*s", width, text);
}

static void print_report(void *context, const struct admin_report *r) {
  (void)context;
  printf("%6lld  ", (long long)r->id);
  print_time(r->at);
  printf("  ");
  print_who(r->about_name, r->about, 22);
  print_who(r->by_name, r->by, 22);
  printf("%s\n", r->why);
}

static int list_reports(struct admin *a) {
  printf("%6s  %-16s  %-22s%-22s%s\n", _("report"), _("at (UTC)"), _("about"),
         _("from"), _("why"));
  return admin_reports(a, print_report, NULL);
}

static void print_act(void *context, const struct admin_act *l) {
  (void)context;
  print_time(l->at);
  printf("  %-12s%-20s%s\n", l->act, l->who, l->why);
}

static int list_log(struct admin *a) {
  printf("%-16s  %-12s%-20s%s\n", _("at (UTC)"), _("what"), _("who"), _("why"));
  return admin_log(a, print_act, NULL);
}

static int list(struct admin *a, const struct wanted *w, char **words) {
  const char *what = words[0] ? words[0] : "tables";
  int error;
  (void)w;
  if (strcmp(what, "tables") == 0)
    error = list_tables(a);
  else if (strcmp(what, "people") == 0)
    error = list_people(a);
  else if (strcmp(what, "bans") == 0)
    error = list_bans(a);
  else if (strcmp(what, "mutes") == 0)
    error = list_mutes(a);
  else if (strcmp(what, "reports") == 0)
    error = list_reports(a);
  else if (strcmp(what, "log") == 0)
    error = list_log(a);
  else
    return misused(&command_admin, _("'%s' is not recognised."), what);
  return error ? complain(FAILED, "%s", _(sal_error_text(error))) : DONE;
}

/* ---- Changes -------------------------------------------------------------- */

static int close_table(struct admin *a, const struct wanted *w, char **words) {
  struct sal_refusal why;
  (void)w;
  if (admin_close_table(a, &w->options, words[0], &why) != 0)
    return failed(&why);
  puts(_("The table is closed."));
  return DONE;
}

static int ban(struct admin *a, const struct wanted *w, char **words) {
  struct sal_refusal why;
  if (admin_ban(a, words[0], w->why ? w->why : "", &why) != 0)
    return failed(&why);
  puts(admin_is_served(a, &w->options)
           ? _("Banned; the server acts on it within seconds.")
           : _("Banned."));
  return DONE;
}

static int unban(struct admin *a, const struct wanted *w, char **words) {
  struct sal_refusal why;
  (void)w;
  if (admin_unban(a, words[0], &why) != 0)
    return failed(&why);
  puts(_("The ban is lifted."));
  return DONE;
}

/* ---- Moderation ------------------------------------------------------------ */

static void print_head(void *context, const struct admin_report *r) {
  (void)context;
  printf(_("Report %lld, table %s, "), (long long)r->id, r->table);
  print_time(r->at);
  printf("\n%s ", _("About:"));
  print_who(r->about_name, r->about, 0);
  printf("\n%s ", _("From:"));
  print_who(r->by_name, r->by, 0);
  printf("\n%s %s\n%s\n", _("Why:"), r->why, _("Chat of that table:"));
}

static void print_line(void *context, const struct admin_line *l) {
  (void)context;
  printf("  ");
  print_time(l->at);
  printf("  ");
  print_who(l->name, l->person, 0);
  printf(": %s\n", l->text);
}

static bool read_id(const char *text, int64_t *out) {
  long n;
  const bool ok = read_number(text, 1, 1000000000, &n);
  *out = n;
  return ok;
}

static int show_report(struct admin *a, const struct wanted *w, char **words) {
  struct sal_refusal why;
  int64_t id;
  (void)w;
  if (!read_id(words[0], &id))
    return misused(&command_admin, _("'%s' is not recognised."), words[0]);
  if (admin_report(a, id, print_head, print_line, NULL, &why) != 0)
    return failed(&why);
  return DONE;
}

static int resolve(struct admin *a, const struct wanted *w, char **words) {
  struct sal_refusal why;
  int64_t id;
  if (!read_id(words[0], &id))
    return misused(&command_admin, _("'%s' is not recognised."), words[0]);
  if (admin_resolve(a, id, w->why ? w->why : "", &why) != 0)
    return failed(&why);
  puts(_("The report is resolved."));
  return DONE;
}

static int mute(struct admin *a, const struct wanted *w, char **words) {
  struct sal_refusal why;
  if (admin_mute(a, words[0], w->why ? w->why : "", &why) != 0)
    return failed(&why);
  puts(admin_is_served(a, &w->options)
           ? _("Muted; the server acts on it within seconds.")
           : _("Muted."));
  return DONE;
}

static int unmute(struct admin *a, const struct wanted *w, char **words) {
  struct sal_refusal why;
  (void)w;
  if (admin_unmute(a, words[0], &why) != 0)
    return failed(&why);
  puts(_("No longer muted."));
  return DONE;
}

static int reset_name(struct admin *a, const struct wanted *w, char **words) {
  struct sal_refusal why;
  if (admin_reset_name(a, words[0], w->why ? w->why : "", &why) != 0)
    return failed(&why);
  puts(_("The name is reset."));
  return DONE;
}

static int ratings(struct admin *a, const struct wanted *w, char **words) {
  struct sal_refusal why;
  (void)words;
  if (admin_ratings(a, &w->options, &why) != 0)
    return failed_or_served(a, w, &why);
  puts(_("All ratings have been recalculated."));
  return DONE;
}

/* ---- Copies, versions, checks --------------------------------------------- */

static int backup(struct admin *a, const struct wanted *w, char **words) {
  struct sal_refusal why;
  (void)w;
  if (admin_backup(a, words[0], &why) != 0)
    return complain(FAILED, _("%s: cannot be written: %s."), words[0],
                    _(why.message));
  printf(_("A copy of the store is in %s.\n"), words[0]);
  return DONE;
}

static int move_store(char **words) {
  const char *stores[2];
  struct store_copied copied;
  struct sal_refusal why;
  char hash[17];
  for (int i = 0; i < 2; i++)
    if (!(stores[i] = server_store_name(words[i])))
      return misused(&command_admin, _("'%s' is not recognised."), words[i]);
  if (admin_move(stores[0], stores[1], &copied, &why) != 0)
    return complain(FAILED, _("nothing was moved: %s."), _(why.message));
  for (int i = 0; i < 8; i++)
    snprintf(hash + 2 * i, 3, "%02x", copied.hash[i]);
  printf(_("%lld rows were moved; their hash is %s on both sides.\n"),
         (long long)copied.rows, hash);
  return DONE;
}

static int bring_up_to_date(struct admin *a, const struct wanted *w) {
  const int version = admin_version(a), newest = admin_newest(a);
  char copy[SERVER_PATH], end[40];
  struct sal_refusal why;
  if (version == newest) {
    printf(_("The store has version %d, as it should.\n"), version);
    return DONE;
  }
  printf(_("The store has version %d, this program writes %d.\n"), version,
         newest);
  if (w->check)
    return FAILED;
  snprintf(end, sizeof end, ".version-%d", version);
  if (!server_store(&w->options, end, copy))
    return complain(FAILED, "%s", _("the name of the store is too long."));
  if (admin_migrate(&w->options, copy, &why) != 0)
    return failed_or_served(a, w, &why);
  if (server_shares(&w->options))
    printf(_("The store has version %d, as it should.\n"), newest);
  else
    printf(_("It is up to date now; the old one is in %s.\n"), copy);
  return DONE;
}

static int migrate(struct admin *none, const struct wanted *w, char **words) {
  struct sal_refusal why;
  (void)none;
  if (words[0])
    return words[1] ? move_store(words)
                    : misused(&command_admin, _("wrong arguments for '%s'."),
                              "migrate");
  struct admin *a = admin_open(&w->options, true, &why);
  if (!a)
    return not_opened(w, &why);
  const int status = bring_up_to_date(a, w);
  admin_free(a);
  return status;
}

static void print_problem(const char *table, const char *what) {
  if (table)
    printf(_("table %s: %s\n"), table, what);
  else
    printf("%s\n", what);
}

static int check(struct admin *a, const struct wanted *w, char **words) {
  struct admin_figures f;
  (void)w, (void)words;
  const int error = admin_check(a, print_problem, &f);
  if (error)
    return complain(FAILED, "%s", _(sal_error_text(error)));
  printf(_("Tables played again: %d; moves: %d.\n"), f.tables, f.moves);
  if (f.problems == 0)
    puts(_("The store is intact."));
  return f.problems == 0 ? DONE : FAILED;
}

/* ---- push-keys ------------------------------------------------------------ */

static int push_keys(struct admin *a, const struct wanted *w, char **words) {
  char path[SERVER_PATH];
  (void)a, (void)words;
  if (!admin_push_keys(&w->options, path))
    return complain(FAILED, "%s: %s", path, strerror(errno));
  printf(_("Keys for push are in %s. Restart the server, and keep the file: "
           "with other keys\nbrowsers have to subscribe again.\n"),
         path);
  return DONE;
}

/* ---- The command ---------------------------------------------------------- */

static const struct task tasks[] = {
    {"list", 0, 1, false, list},
    {"close", 1, 1, false, close_table},
    {"ban", 1, 1, false, ban},
    {"unban", 1, 1, false, unban},
    {"report", 1, 1, false, show_report},
    {"resolve", 1, 1, false, resolve},
    {"mute", 1, 1, false, mute},
    {"unmute", 1, 1, false, unmute},
    {"reset-name", 1, 1, false, reset_name},
    {"backup", 1, 1, true, backup},
    {"migrate", 0, 2, true, migrate, true},
    {"check", 0, 0, false, check},
    {"ratings", 0, 0, false, ratings},
    {"push-keys", 0, 0, false, push_keys, true},
};

static const struct task *find_task(const char *name) {
  for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++)
    if (strcmp(tasks[i].name, name) == 0)
      return &tasks[i];
  return NULL;
}

static int run_task(const struct task *t, const struct wanted *w,
                    char **words) {
  struct sal_refusal why;
  if (t->bare)
    return t->run(NULL, w, words);
  struct admin *a = admin_open(&w->options, t->old, &why);
  if (!a)
    return not_opened(w, &why);
  const int status = t->run(a, w, words);
  admin_free(a);
  return status;
}

static int read_admin_options(int argc, char **argv, struct wanted *out) {
  static const struct option options[] = {{"data", required_argument, 0, 'd'},
                                          {"store", required_argument, 0, 's'},
                                          {"why", required_argument, 0, 'w'},
                                          {"check", no_argument, 0, 'c'},
                                          {0}};
  opterr = 0;
  for (int c, at;
       at = optind, (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    switch (c) {
    case 'd': out->options.data = optarg; break;
    case 's': out->options.store = server_store_name(optarg); break;
    case 'w': out->why = optarg; break;
    case 'c': out->check = true; break;
    default:
      return misused(&command_admin, _("'%s' is not recognised."), argv[at]);
    }
    if (c == 's' && !out->options.store)
      return misused(&command_admin, _("'%s' is not a valid value for --%s."),
                     optarg, "store");
  }
  return DONE;
}

static int run_admin(int argc, char **argv) {
  struct wanted w = {.options = server_defaults};
  const int status = read_admin_options(argc, argv, &w);
  if (status != DONE)
    return status;
  if (optind == argc)
    return misused(&command_admin, "%s", _("no command given."));
  const struct task *t = find_task(argv[optind]);
  const int words = argc - optind - 1;
  if (!t)
    return misused(&command_admin, _("'%s' is not recognised."), argv[optind]);
  if (words < t->words_min || words > t->words_max)
    return misused(&command_admin, _("wrong arguments for '%s'."), t->name);
  return run_task(t, &w, argv + optind + 1);
}

const struct command command_admin = {
    "admin", N_("administer a server: list, close, ban, back up, check"),
    N_("[OPTION...] TASK [WORD]"),
    N_("Works on the store, whether a server has it open or not.\n"
       "\n"
       "Tasks:\n"
       "  list [WHAT]                tables (the default), people (a * marks those who\n"
       "                             are banned), bans, mutes, reports, or log: what\n"
       "                             was done here\n"
       "  close TABLE                closes a table; the beginning of its id is\n"
       "                             enough\n"
       "  ban WHO [--why TEXT]       suspends somebody: an address, with /BITS a\n"
       "                             network, the number of a person, or the name\n"
       "                             of an account\n"
       "  unban WHO                  lifts the ban\n"
       "  report N                   a report, with the chat of its table\n"
       "  resolve N [--why TEXT]     takes it off the list\n"
       "  mute WHO [--why TEXT]      lets a person play but not chat\n"
       "  unmute WHO                 lets them chat again\n"
       "  reset-name WHO [--why TEXT]\n"
       "                             renames somebody to 'Guest N'\n"
       "  backup FILE                a whole copy of the store\n"
       "  migrate [--check]          brings an old store up to date and keeps the\n"
       "                             old one beside it; the server must be stopped\n"
       "  migrate FROM TO            moves all that one store holds into another, as\n"
       "                             sqlite:PATH or postgresql://HOST/NAME; servers\n"
       "                             must be stopped, the new store empty\n"
       "  check                      looks at the store and plays every table again\n"
       "  ratings                    computes all ratings anew from the results; the\n"
       "                             server must be stopped\n"
       "  push-keys                  makes the keys for notifications to browsers\n"
       "                             while no page is open (Web Push)\n"
       "\n"
       "Options:\n"
       "  --data DIR           the folder of the store (data)\n"
       "  --store STORE        the store, if it is not DIR/salotto.db: sqlite:PATH, or\n"
       "                       postgresql://HOST/NAME\n"
       "\n"
       "Examples:\n"
       "  salotto admin --data /var/lib/salotto list people\n"
       "  salotto admin --data /var/lib/salotto ban 192.0.2.0/24 --why floods\n"),
    run_admin};
