/* What an administrator does to a store. See admin.h. */
#include "admin.h"
#include "net/push.h"
#include "net/push_seal.h"
#include "rooms/courts.h"
#include "rooms/room.h"
#include "store/store_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CLOSE_TRIES = 100, CLOSE_PAUSE_US = 100000 };

struct admin *admin_open(const struct server_options *o, bool old,
                         struct sal_refusal *why) {
  char path[SERVER_PATH];
  struct stat there;
  umask(077);
  if (!server_store(o, "", path))
    sal_refuse(why, SAL_STORE, NULL, strerror(ENAMETOOLONG));
  else if (!server_shares(o) && stat(path, &there) != 0)
    sal_refuse(why, SAL_STORE, NULL, strerror(errno));
  else
    return admin_attach(path, old, why);
  return NULL;
}

/* A store in a file is locked; of one that is shared it is looked whether anybody
 * serves it. What admin_unlock wants, or an error with a sentence. */
enum { NO_FILE = 1 << 30 };
static int lock_out_servers(struct admin *a, const struct server_options *o,
                            struct sal_refusal *why) {
  if (!server_shares(o))
    return server_lock(o, false, why);
  const int servers = admin_servers(a);
  return servers == 0  ? NO_FILE
         : servers < 0 ? admin_store_error(a, why)
                       : sal_refuse(why, SAL_STORE, NULL,
                                    N_("another server has it open"));
}

static void let_servers_in(int lock) {
  if (lock != NO_FILE)
    server_unlock(lock);
}

bool admin_is_served(struct admin *a, const struct server_options *o) {
  struct sal_refusal why;
  const int lock = lock_out_servers(a, o, &why);
  if (lock >= 0)
    let_servers_in(lock);
  return lock < 0;
}

int admin_close_table(struct admin *a, const struct server_options *o,
                      const char *id, struct sal_refusal *why) {
  char room[STORE_ROOM_MAX + 1];
  if (!*id || !admin_find_table(a, id, room))
    return sal_refuse(why, SAL_NO_TABLE, NULL,
                      N_("No open table has an id that begins like this, or "
                         "more than one has."));
  char some[7] = ""; /* whoever reads the log need not get in */
  memcpy(some, room, sizeof some - 1);
  if (admin_note(a, "close", some, "", "", why) != 0)
    return why->code;
  const int lock = lock_out_servers(a, o, why);
  if (lock >= 0) {
    const int error = admin_end_table(a, room, why);
    let_servers_in(lock);
    return error;
  }
  if (admin_wish_end(a, room, why) != 0)
    return why->code;
  for (int i = 0; i < CLOSE_TRIES; i++) {
    if (!admin_find_table(a, room, room))
      return 0;
    usleep(CLOSE_PAUSE_US);
  }
  return sal_refuse(why, SAL_LATE, NULL,
                    N_("The server has not closed the table yet; it will."));
}

/* ---- Copies and versions -------------------------------------------------- */

/* Written under another name first: the file is there whole, or not at all. */
int admin_backup(struct admin *a, const char *path, struct sal_refusal *why) {
  char part[SERVER_PATH];
  if ((size_t)snprintf(part, sizeof part, "%s.part", path) >= sizeof part)
    return sal_refuse(why, SAL_IO, NULL, strerror(ENAMETOOLONG));
  if (access(path, F_OK) == 0)
    return sal_refuse(why, SAL_IO, NULL, strerror(EEXIST));
  unlink(part);
  if (admin_copy(a, part, why) != 0) {
    unlink(part);
    return why->code;
  }
  const int fd = open(part, O_RDONLY | O_CLOEXEC);
  const bool ok = fd >= 0 && fsync(fd) == 0 && rename(part, path) == 0;
  if (!ok)
    sal_refuse(why, SAL_IO, NULL, strerror(errno));
  if (fd >= 0)
    close(fd);
  return ok ? 0 : why->code;
}

/* Not while a server is open: its moves would have to wait for this. */
int admin_ratings(struct admin *a, const struct server_options *o,
                  struct sal_refusal *why) {
  const int lock = lock_out_servers(a, o, why);
  if (lock < 0)
    return why->code;
  const int error = admin_rate_again(a, why);
  let_servers_in(lock);
  return error;
}

/* A file with its lock: an old one as `copy` too. */
static int migrate_file(const struct server_options *o, const char *copy,
                        struct sal_refusal *why) {
  struct admin *a = NULL;
  struct store *s = NULL;
  const int lock = server_lock(o, false, why);
  if (lock < 0)
    return why->code;
  int error = 0;
  if (!(a = admin_open(o, true, why)) || admin_backup(a, copy, why) != 0)
    error = why->code;
  if (!error && !(s = store_open(admin_path(a), why)))
    error = why->code;
  if (s)
    store_close(s);
  admin_free(a);
  close(lock);
  return error;
}

int admin_migrate(const struct server_options *o, const char *copy,
                  struct sal_refusal *why) {
  if (!server_shares(o))
    return migrate_file(o, copy, why);
  struct store *s = store_open(o->store, why);
  if (s)
    store_close(s);
  return s ? 0 : why->code;
}

/* Nobody may serve what moves: 0, and what keeps servers out until the program
 * ends; a file that is not there yet needs nothing. */
static int hold_store(const char *where, bool create, struct sal_refusal *why) {
  struct server_options o = server_defaults;
  o.store = where;
  if (!server_shares(&o)) {
    const int lock =
        create && access(where, F_OK) != 0 ? 0 : server_lock(&o, false, why);
    return lock < 0 ? lock : 0;
  }
  struct admin *a = create ? NULL : admin_open(&o, true, why);
  const int lock = create ? 0 : a ? lock_out_servers(a, &o, why) : why->code;
  admin_free(a);
  return lock < 0 ? lock : 0;
}

int admin_move(const char *from, const char *to, struct store_copied *out,
               struct sal_refusal *why) {
  umask(077);
  int error = hold_store(from, false, why);
  if (!error)
    error = hold_store(to, true, why);
  return error ? error : store_copy(from, to, out, why);
}

/* ---- Checking ------------------------------------------------------------- */

struct checking {
  void (*problem)(const char *table, const char *what);
  struct admin_figures *figures;
  struct room *room;
  char skipped[STORE_ROOM_MAX + 1];
};

static void complain(struct checking *c, const char *table, const char *what) {
  c->figures->problems++;
  c->problem(table, what);
}

static void give_up(struct checking *c, const struct store_move *m,
                    const char *what) {
  complain(c, m->room, what);
  strcpy(c->skipped, m->room);
  room_free(c->room);
  c->room = NULL;
}

static int play_move(void *context, const struct store_move *m) {
  struct checking *c = context;
  struct sal_refusal why;
  c->figures->moves++;
  if (strcmp(c->skipped, m->room) == 0)
    return 0;
  if (!c->room || strcmp(c->room->id, m->room) != 0) {
    room_free(c->room);
    c->figures->tables++;
    if (!(c->room = room_open(m, &why)))
      give_up(c, m, why.message);
  } else if (m->seq != c->room->seq) {
    give_up(c, m, "a move is missing");
  } else if (room_replay(c->room, m, &why) != 0) {
    give_up(c, m, why.message);
  }
  return 0;
}

static void tell_fault(void *context, const char *what) {
  complain(context, NULL, what);
}

int admin_check(struct admin *a,
                void (*problem)(const char *table, const char *what),
                struct admin_figures *out) {
  struct checking c = {.problem = problem, .figures = out};
  memset(out, 0, sizeof *out);
  admin_each_fault(a, tell_fault, &c);
  int error = admin_each_court(a, courts_load, NULL);
  if (!error)
    error = admin_each_move(a, play_move, &c);
  room_free(c.room);
  return error;
}

/* ---- Keys ------------------------------------------------------------------ */

bool admin_push_keys(const struct server_options *o, char path[SERVER_PATH]) {
  if (!push_keys_path(o, path, SERVER_PATH)) {
    errno = ENAMETOOLONG;
    return false;
  }
  if (mkdir(o->data, 0700) != 0 && errno != EEXIST)
    return false;
  return push_keys_make(path);
}
