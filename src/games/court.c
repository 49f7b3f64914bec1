/* Courts in use, and the small things that all who read them need.
 *
 * The registry is how a state without pointers refers to a court: it holds the
 * court's number. Main invariant: a slot never changes once its number has been
 * given out, so readers need no lock. */
#include "court.h"

#include <pthread.h>
#include <string.h>

const char *const chip_names[] = {"crown", "sceptre", "helmet",
                                  "ring",  "letter",  NULL};
const char *const tier_names[] = {"light", "medium", "dark", NULL};
const char *const contest_names[] = {"most", "pay", "min", NULL};
const char *const reward_names[] = {
    "chip",           "shield",        "gold", "place_marker",
    "influence_card", "intrigue_card", NULL};
const char *const power_names[] = {
    "gold2", "gold3", "mark2",  "mark3", "card",   "intr", "swap",   "foothold",
    "inner", "any2",  "bribe1", "tie",   "recoup", "wild", "shield", NULL};
const char *const item_names[] = {"influence_card", "intrigue_card",
                                  "mission_chip", "marker_on_tile", NULL};

/* ---- The registry -------------------------------------------------------- */

struct court court_registry[COURTS_MAX];
static int32_t court_count;
static pthread_mutex_t courts_lock = PTHREAD_MUTEX_INITIALIZER;

int32_t court_add(const struct court *c) {
  pthread_mutex_lock(&courts_lock);
  int32_t i = 0;
  while (i < court_count && memcmp(&court_registry[i], c, sizeof *c) != 0)
    i++;
  if (i == court_count && i < COURTS_MAX)
    memcpy(&court_registry[court_count++], c, sizeof *c);
  pthread_mutex_unlock(&courts_lock);
  return i < COURTS_MAX ? i + 1 : -1;
}

/* ---- Missions' ids ------------------------------------------------------- */

static const char alphabet[] =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

uint32_t mission_code(const char *id, size_t length) {
  uint32_t code = 0;
  if (length < 1 || length > ID_LENGTH)
    return 0;
  for (size_t i = 0; i < ID_LENGTH; i++) {
    const char *at = i < length && id[i] ? strchr(alphabet, id[i]) : NULL;
    if (i < length && !at)
      return 0;
    code = code << 6 | (at ? (uint32_t)(at - alphabet + 1) : 0);
  }
  return code;
}

void mission_id(uint32_t code, struct sal_text *out) {
  for (int shift = 6 * (ID_LENGTH - 1); shift >= 0; shift -= 6)
    if (code >> shift & 63)
      sal_text_char(out, alphabet[(code >> shift & 63) - 1]);
}

/* ---- Names --------------------------------------------------------------- */

static size_t columns_of(const char *s) {
  size_t n = 0;
  for (; *s; s++)
    n += ((unsigned char)*s & 0xC0) != 0x80;
  return n;
}

void pad_to(struct sal_text *out, size_t from, size_t column) {
  for (size_t n = columns_of(out->at + from); n < column; n++)
    sal_text_char(out, ' ');
}

void add_columns(struct sal_text *out, const char *s, size_t columns) {
  const char *end = s;
  while (*end && columns > 0) {
    do
      end++;
    while (((unsigned char)*end & 0xC0) == 0x80);
    columns--;
  }
  sal_text_addn(out, s, (size_t)(end - s));
}

const char *short_name(const char *name, size_t columns) {
  while (columns_of(name) > columns) {
    const char *blank = strchr(name, ' ');
    if (!blank)
      break;
    name = blank + 1;
  }
  return name;
}

const char *person_name(const struct court_tile *t) {
  enum { SHORT = 20 };
  const char *name = short_name(t->name, SHORT);
  const char *rest = name == t->name ? NULL : sal_skip(name, "de ");
  return rest ? rest : name;
}
