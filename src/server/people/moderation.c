/* Bans, mutes and tables to close, as administrators write them into the store,
 * and deleting what is too old. See moderation.h. */
#include "moderation.h"
#include "accounts.h"
#include "base/network.h"
#include "connections.h"
#include "people.h"
#include "rooms/rooms.h"

#include <stdlib.h>
#include <string.h>

enum { LOOK_MS = 1000, SWEEP_MS = 3600 * 1000 };

struct moderation {
  struct server *server;
  struct account_job look, sweep;
  bool looking, sweeping;
  bool looked; /* at least once */
  uint64_t looked_at, swept_at;
  int64_t *person;
  size_t persons;
  int64_t *muted;
  size_t mutes;
  struct network *network;
  size_t networks;
};

struct moderation *moderation_new(struct server *srv) {
  struct moderation *mod = calloc(1, sizeof *mod);
  if (mod)
    mod->server = srv;
  return mod;
}

int moderation_load(struct moderation *mod) {
  return store_admin_seen(mod->server->store, &mod->look.seen);
}

void moderation_free(struct moderation *mod) {
  if (!mod)
    return;
  json_decref(mod->look.found);
  json_decref(mod->sweep.found);
  free(mod->person);
  free(mod->muted);
  free(mod->network);
  free(mod);
}

bool moderation_bans_person(const struct moderation *mod, int64_t person) {
  for (size_t i = 0; i < mod->persons; i++)
    if (mod->person[i] == person)
      return true;
  return false;
}

bool moderation_mutes(const struct moderation *mod, int64_t person) {
  for (size_t i = 0; i < mod->mutes; i++)
    if (mod->muted[i] == person)
      return true;
  return false;
}

bool moderation_bans_address(const struct moderation *mod,
                             const char *address) {
  struct network it;
  if (mod->networks == 0 || !network_read(address, &it))
    return false;
  for (size_t i = 0; i < mod->networks; i++)
    if (network_holds(&mod->network[i], &it))
      return true;
  return false;
}

/* ---- Looking -------------------------------------------------------------- */

static bool note_bans(struct moderation *mod, const json_t *bans) {
  const size_t n = json_array_size(bans);
  int64_t *person = calloc(n + 1, sizeof *person);
  struct network *network = calloc(n + 1, sizeof *network);
  if (!person || !network) {
    free(person);
    free(network);
    return false;
  }
  free(mod->person);
  free(mod->network);
  mod->person = person;
  mod->network = network;
  mod->persons = mod->networks = 0;
  for (size_t i = 0; i < n; i++) {
    const json_t *ban = json_array_get(bans, i);
    const json_t *who = json_object_get(ban, "person");
    const char *text = json_string_value(json_object_get(ban, "network"));
    if (json_is_integer(who))
      person[mod->persons++] = json_integer_value(who);
    else if (text && network_read(text, &network[mod->networks]))
      mod->networks++;
  }
  return true;
}

static bool note_mutes(struct moderation *mod, const json_t *mutes) {
  const size_t n = json_array_size(mutes);
  int64_t *muted = calloc(n + 1, sizeof *muted);
  if (!muted)
    return false;
  for (size_t i = 0; i < n; i++)
    muted[i] =
        json_integer_value(json_object_get(json_array_get(mutes, i), "person"));
  free(mod->muted);
  mod->muted = muted;
  mod->mutes = n;
  return true;
}

/* The store has it already: it is told here, and done to what is in memory. */
static void follow_log(struct moderation *mod, const json_t *log) {
  struct server *srv = mod->server;
  size_t i;
  json_t *row;
  json_array_foreach(log, i, row) {
    const char *act = json_string_value(json_object_get(row, "act"));
    const char *who = json_string_value(json_object_get(row, "who"));
    const char *name = json_string_value(json_object_get(row, "name"));
    server_log("info", "admin", "act", act, "who", who, NULL);
    if (strcmp(act, "reset-name") == 0 && strlen(name) <= STORE_NAME_MAX) {
      const int64_t person = strtoll(who, NULL, 10);
      accounts_set_name(srv->accounts, person, name);
      people_set_name(srv->people, person, name);
      rooms_rename(srv, person, name);
    }
  }
}

static void send_banned_away(struct moderation *mod) {
  connections_end_banned(mod->server);
  for (size_t i = 0; i < mod->persons; i++)
    rooms_stand_up(mod->server, mod->person[i]);
}

static void grant_wishes(struct moderation *mod, const json_t *wishes) {
  size_t i;
  json_t *wish;
  json_array_foreach(wishes, i, wish) {
    const char *room = json_string_value(json_object_get(wish, "room"));
    struct active_room *active =
        room ? rooms_find(mod->server->rooms, room) : NULL;
    const struct intent end = {.move = {.seat = -1, .kind = "end"}};
    if (active && !active->room->ended)
      rooms_submit(active, &end);
  }
}

static void looked(struct store_job *job, int error) {
  struct moderation *mod =
      (struct moderation *)((char *)job - offsetof(struct moderation, look));
  json_t *found = mod->look.found;
  mod->look.found = NULL;
  mod->looking = false;
  const json_t *wishes = json_object_get(found, "wishes");
  if (error || (found && (!note_bans(mod, json_object_get(found, "bans")) ||
                          !note_mutes(mod, json_object_get(found, "mutes"))))) {
    mod->look.again = true;
  } else if (found) {
    follow_log(mod, json_object_get(found, "log"));
    mod->looked = true;
    mod->look.again = json_array_size(wishes) > 0; /* until they are granted */
    send_banned_away(mod);
    grant_wishes(mod, wishes);
  }
  json_decref(found);
}

/* ---- Sweeping ------------------------------------------------------------- */

static void swept(struct store_job *job, int error) {
  struct moderation *mod =
      (struct moderation *)((char *)job - offsetof(struct moderation, sweep));
  json_t *found = mod->sweep.found, *row;
  size_t i;
  mod->sweep.found = NULL;
  mod->sweeping = false;
  if (!error) {
    json_array_foreach(found, i, row)
        people_expire(mod->server->people,
                      json_string_value(json_object_get(row, "session")));
    people_forget_unused(mod->server->people);
  }
  if (json_array_size(found) < SWEEP_MAX)
    mod->swept_at = server_now(mod->server);
  json_decref(found);
}

static void post_account_job(struct moderation *mod, struct account_job *d,
                             account_call *call, store_done *done) {
  d->now = server_time();
  d->job.call = call;
  d->job.done = done;
  store_post(mod->server->store, &d->job);
}

void moderation_tick(struct moderation *mod) {
  const uint64_t now = server_now(mod->server);
  if (mod->server->closing)
    return;
  if (!mod->looking && (!mod->looked || now - mod->looked_at >= LOOK_MS)) {
    mod->looking = true;
    mod->looked_at = now;
    post_account_job(mod, &mod->look, account_store_news, looked);
  }
  if (!mod->sweeping &&
      (mod->swept_at == 0 || now - mod->swept_at >= SWEEP_MS)) {
    mod->sweeping = true;
    post_account_job(mod, &mod->sweep, account_store_sweep, swept);
  }
}
