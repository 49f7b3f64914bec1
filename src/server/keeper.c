/* The operator's word, and the broom. See keeper.h. */
#include "keeper.h"
#include "addresses.h"
#include "me.h"
#include "people.h"
#include "rooms.h"
#include "ws.h"

#include <stdlib.h>
#include <string.h>

enum { LOOK_MS = 1000, SWEEP_MS = 3600 * 1000 };

struct keeper {
  struct house *house;
  struct deed look, sweep;
  bool looking, sweeping;
  bool looked; /* at least once */
  uint64_t looked_at, swept_at;
  int64_t *person;
  size_t persons;
  struct network *network;
  size_t networks;
};

struct keeper *keeper_new(struct house *h) {
  struct keeper *k = calloc(1, sizeof *k);
  if (k)
    k->house = h;
  return k;
}

void keeper_free(struct keeper *k) {
  if (!k)
    return;
  json_decref(k->look.found);
  json_decref(k->sweep.found);
  free(k->person);
  free(k->network);
  free(k);
}

bool keeper_bans_person(const struct keeper *k, int64_t person) {
  for (size_t i = 0; i < k->persons; i++)
    if (k->person[i] == person)
      return true;
  return false;
}

bool keeper_bans_address(const struct keeper *k, const char *address) {
  struct network it;
  if (k->networks == 0 || !network_read(address, &it))
    return false;
  for (size_t i = 0; i < k->networks; i++)
    if (network_holds(&k->network[i], &it))
      return true;
  return false;
}

/* ---- Looking -------------------------------------------------------------- */

static bool note_bans(struct keeper *k, const json_t *bans) {
  const size_t n = json_array_size(bans);
  int64_t *person = calloc(n + 1, sizeof *person);
  struct network *network = calloc(n + 1, sizeof *network);
  if (!person || !network) {
    free(person);
    free(network);
    return false;
  }
  free(k->person);
  free(k->network);
  k->person = person;
  k->network = network;
  k->persons = k->networks = 0;
  for (size_t i = 0; i < n; i++) {
    const json_t *ban = json_array_get(bans, i);
    const json_t *who = json_object_get(ban, "person");
    const char *text = json_string_value(json_object_get(ban, "network"));
    if (json_is_integer(who))
      person[k->persons++] = json_integer_value(who);
    else if (text && network_read(text, &network[k->networks]))
      k->networks++;
  }
  return true;
}

static void send_away(struct keeper *k) {
  for (struct conn *c = k->house->first, *next; c; c = next) {
    next = c->next;
    if (c->ws && !c->closing &&
        (keeper_bans_person(k, c->ws->person->id) ||
         keeper_bans_address(k, c->address)))
      ws_close(c, 1008, "not welcome");
  }
  for (size_t i = 0; i < k->persons; i++)
    me_stand_up(k->house, k->person[i]);
}

static void grant(struct keeper *k, const json_t *wishes) {
  size_t i;
  json_t *wish;
  json_array_foreach(wishes, i, wish) {
    const char *room = json_string_value(json_object_get(wish, "room"));
    struct live *l = room ? rooms_find(k->house->rooms, room) : NULL;
    const struct intent end = {.move = {.seat = -1, .kind = "end"}};
    if (l && !l->room->ended)
      rooms_submit(l, &end);
  }
}

static void looked(struct store_job *job, int error) {
  struct keeper *k =
      (struct keeper *)((char *)job - offsetof(struct keeper, look));
  json_t *found = k->look.found;
  k->look.found = NULL;
  k->looking = false;
  const json_t *wishes = json_object_get(found, "wishes");
  if (error || (found && !note_bans(k, json_object_get(found, "bans")))) {
    k->look.again = true;
  } else if (found) {
    if (k->looked)
      house_log("info", "admin", NULL);
    k->looked = true;
    k->look.again = json_array_size(wishes) > 0; /* until they are granted */
    send_away(k);
    grant(k, wishes);
  }
  json_decref(found);
}

/* ---- Sweeping ------------------------------------------------------------- */

static void swept(struct store_job *job, int error) {
  struct keeper *k =
      (struct keeper *)((char *)job - offsetof(struct keeper, sweep));
  json_t *found = k->sweep.found, *row;
  size_t i;
  k->sweep.found = NULL;
  k->sweeping = false;
  if (!error) {
    json_array_foreach(found, i, row) people_expire(
        k->house->people, json_string_value(json_object_get(row, "session")));
    people_tidy(k->house->people);
  }
  if (json_array_size(found) < SWEEP_MAX)
    k->swept_at = house_now(k->house);
  json_decref(found);
}

static void post(struct keeper *k, struct deed *d, ledger_call *call,
                 store_done *done) {
  d->now = house_time();
  d->job.task = STORE_CALL;
  d->job.call = call;
  d->job.done = done;
  store_post(k->house->store, &d->job);
}

void keeper_tick(struct keeper *k) {
  const uint64_t now = house_now(k->house);
  if (k->house->closing)
    return;
  if (!k->looking && (!k->looked || now - k->looked_at >= LOOK_MS)) {
    k->looking = true;
    k->looked_at = now;
    post(k, &k->look, ledger_news, looked);
  }
  if (!k->sweeping && (k->swept_at == 0 || now - k->swept_at >= SWEEP_MS)) {
    k->sweeping = true;
    post(k, &k->sweep, ledger_sweep, swept);
  }
}
