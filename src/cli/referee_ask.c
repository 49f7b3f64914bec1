/* What the referee answers with the help of bots: what a level would do, worlds
 * that fit, and a position as numbers. Nothing here changes a table. */
#include "cli.h"
#include "referee_inside.h"

#include <stdlib.h>
#include <string.h>

/* A whole number of the request, within bounds; absent: `otherwise`. False:
 * refused. */
static bool number_field(struct referee *r, const char *name, json_int_t least,
                         json_int_t most, json_int_t otherwise,
                         json_int_t *out) {
  const json_t *v = referee_present(r->request, name);
  *out = v ? json_integer_value(v) : otherwise;
  if (!v || (json_is_integer(v) && *out >= least && *out <= most))
    return true;
  char message[SAL_MESSAGE_MAX];
  snprintf(message, sizeof message,
           "\"%s\" is a whole number from %lld to %lld.", name,
           (long long)least, (long long)most);
  referee_refuse_as(r, SAL_BAD_REQUEST, message);
  return false;
}

enum { SIMULATIONS_USUAL = 400, SIMULATIONS_MAX = 1000000, MS_MAX = 60000 };

/* The level, the budget and the luck of a request to a bot. */
static const struct sal_bot *
read_bot(struct referee *r, struct sal_budget *budget, struct sal_rng *rng) {
  const char *level = json_string_value(json_object_get(r->request, "level"));
  const struct sal_bot *bot = level ? sal_bot_find(level) : NULL;
  json_int_t simulations, ms, luck;
  if (!bot) {
    char message[SAL_MESSAGE_MAX];
    struct sal_text t;
    sal_text_init(&t, message, sizeof message);
    sal_text_add(&t, "\"level\" is one of");
    for (size_t i = 0; sal_bots[i]; i++) {
      sal_text_char(&t, ' ');
      sal_text_add(&t, sal_bots[i]->id);
    }
    sal_text_char(&t, '.');
    referee_refuse_as(r, SAL_BAD_REQUEST, message);
    return NULL;
  }
  if (!number_field(r, "simulations", 1, SIMULATIONS_MAX, SIMULATIONS_USUAL,
                    &simulations) ||
      !number_field(r, "ms", 1, MS_MAX, 0, &ms) ||
      !number_field(r, "luck", 0, INT32_MAX, 0, &luck))
    return NULL;
  *budget = ms ? sal_budget_seconds((double)ms / 1e3)
               : sal_budget_simulations((uint32_t)simulations);
  sal_rng_seed(rng, (uint64_t)luck);
  return bot;
}

static void put_policy(struct referee *r, int seat,
                       const struct sal_policy *p) {
  size_t n;
  const sal_action *legal = sal_table_choices(r->table, seat, &n);
  fputs(",\"policy\":[", r->out);
  for (size_t i = 0; i < n; i++) {
    fputs(i ? ",{\"action\":" : "{\"action\":", r->out);
    referee_text(r, legal[i]);
    fprintf(r->out, ",\"chance\":%.6g", p->chance[i]);
    if (p->valued && p->value[i] >= 0)
      fprintf(r->out, ",\"value\":%.6g", p->value[i]);
    fputc('}', r->out);
  }
  fputc(']', r->out);
}

/* Asks a level; nothing is played. */
void referee_bot(struct referee *r) {
  struct sal_refusal why;
  struct sal_budget budget;
  struct sal_rng rng;
  struct sal_thought thought;
  size_t n;
  int seat;
  const struct sal_bot *bot;
  if (!referee_seat(r, &seat) || !(bot = read_bot(r, &budget, &rng)))
    return;
  if (sal_table_asks(r->table, seat, &why) ||
      sal_table_ask(r->table, seat, bot, &budget, &rng, &thought, &why)) {
    referee_refuse(r, &why);
    return;
  }
  sal_table_choices(r->table, seat, &n);
  struct sal_policy p = {.chance = calloc(n, sizeof *p.chance),
                         .value = calloc(n, sizeof *p.value)};
  const bool all = json_is_true(json_object_get(r->request, "policy"));
  if (!p.chance || !p.value ||
      (all && sal_table_policy(r->table, seat, bot, &budget, &rng, &p, &why))) {
    referee_refuse_as(r, SAL_NO_MEMORY, NULL);
  } else {
    referee_begin(r, true);
    fputs(",\"action\":", r->out);
    referee_text(r, thought.action);
    fprintf(r->out, ",\"simulations\":%llu",
            (unsigned long long)thought.simulations);
    if (all)
      put_policy(r, seat, &p);
    referee_end(r);
  }
  free(p.chance);
  free(p.value);
}

enum { WORLDS_MAX = 32 };

/* Worlds for who is not asked: all as likely. */
static void plain_worlds(struct referee *r, int viewer, struct sal_rng *rng,
                         union sal_state_box *world, double *weight,
                         size_t count) {
  const struct sal_game *g = sal_table_game(r->table);
  union sal_view_box box;
  sal_table_view(r->table, viewer, (sal_view *)box.bytes);
  for (size_t i = 0; i < count; i++) {
    memset(&world[i], 0, sizeof world[i]);
    g->resample((const sal_view *)box.bytes, rng, (sal_state *)world[i].bytes);
    weight[i] = 1.0 / (double)count;
  }
}

/* Worlds that fit what a seat knows, with weights. */
void referee_sample(struct referee *r) {
  static union sal_state_box world[WORLDS_MAX];
  double weight[WORLDS_MAX];
  struct sal_rng rng;
  json_int_t wanted, luck;
  int seat;
  if (!referee_seat(r, &seat) ||
      !number_field(r, "count", 1, WORLDS_MAX, 1, &wanted) ||
      !number_field(r, "luck", 0, INT32_MAX, 0, &luck))
    return;
  size_t count = (size_t)wanted;
  sal_rng_seed(&rng, (uint64_t)luck);
  if (sal_table_asks(r->table, seat, NULL) ||
      sal_table_worlds(r->table, seat, &rng, world, weight, &count, NULL)) {
    count = (size_t)wanted;
    plain_worlds(r, seat, &rng, world, weight, count);
  }
  referee_begin(r, true);
  fputs(",\"worlds\":[", r->out);
  for (size_t i = 0; i < count; i++) {
    struct sal_text t;
    struct sal_json j;
    sal_text_init(&t, r->scratch, sizeof r->scratch);
    sal_json_init(&j, &t);
    sal_state_facts(sal_table_game(r->table), (const sal_state *)world[i].bytes,
                    sal_table_players(r->table), SAL_EVERYTHING,
                    sal_table_length(r->table), &j, NULL);
    fprintf(r->out, "%s{\"weight\":%.6g,\"state\":%s}", i ? "," : "", weight[i],
            r->scratch);
  }
  fputc(']', r->out);
  referee_end(r);
}

static void put_floats(struct referee *r, const char *key, const float *number,
                       size_t count) {
  fprintf(r->out, ",\"%s\":[", key);
  for (size_t i = 0; i < count; i++)
    fprintf(r->out, "%s%.6g", i ? "," : "", (double)number[i]);
  fputc(']', r->out);
}

/* What a seat sees and knows, as numbers, and the numbers of its actions. */
void referee_tensor(struct referee *r) {
  const struct sal_game *g = sal_table_game(r->table);
  const size_t size = sal_information_size(g);
  struct sal_recall recall;
  union sal_view_box box;
  int seat;
  if (!referee_seat(r, &seat))
    return;
  float *number = calloc(size, sizeof *number);
  if (!number) {
    referee_refuse_as(r, SAL_NO_MEMORY, NULL);
    return;
  }
  sal_table_recall(r->table, seat, &recall);
  sal_table_view(r->table, seat, (sal_view *)box.bytes);
  sal_information(g, sal_table_players(r->table), seat, &recall,
                  (const sal_view *)box.bytes, number);
  referee_begin(r, true);
  put_floats(r, "observation", number, g->info.tensor_size);
  put_floats(r, "information", number, size);
  referee_actions(r, seat);
  if (g->info.action_count && seat >= 0) {
    size_t n;
    const sal_action *legal = sal_table_choices(r->table, seat, &n);
    fputs(",\"numbers\":[", r->out);
    for (size_t i = 0; i < n; i++)
      fprintf(r->out, "%s%zu", i ? "," : "",
              sal_table_number(r->table, seat, legal[i]));
    fputc(']', r->out);
  }
  referee_end(r);
  free(number);
}
