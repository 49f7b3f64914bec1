/* Lines of a round of Doors as text, and what is explored as JSON. */
#include "salotto/solve.h"
#include "salotto/text.h"

#include <math.h>
#include <string.h>

enum { WORD = 16 };

static const char *const kinds[SAL_DOORS_KINDS] = {"RL", "BL", "RT",
                                                   "BT", "BR", "LT"};
static const char *const sayings[SAL_DOORS_END + 1] = {
    "red", "blue", "lady", "tiger", "RL", "BL", "RT", "BT", "claim", "end"};

const char *sal_doors_kind_name(int kind) { return kinds[kind]; }
const char *sal_doors_saying_name(int saying) { return sayings[saying]; }

/* ---- Reading --------------------------------------------------------------- */

static int find_name(const char *const *names, int count, const char *text,
                     size_t n) {
  for (int i = 0; i < count; i++)
    if (strlen(names[i]) == n && memcmp(names[i], text, n) == 0)
      return i;
  return -1;
}

static bool read_offer(const char *word, struct sal_doors_line *out) {
  for (;;) {
    const size_t n = strcspn(word, ",");
    const int kind = find_name(kinds, SAL_DOORS_KINDS, word, n);
    if (kind < 0)
      return false;
    out->history.offer[kind]++;
    if (!word[n])
      return true;
    word += n + 1;
  }
}

static bool read_saying(const char *word, struct sal_doors_line *out) {
  int saying = -1;
  if (strncmp(word, "guess:", 6) == 0)
    saying = find_name(sayings, SAL_DOORS_GUESSES, word + 6, strlen(word + 6));
  else if (strcmp(word, "claim") == 0)
    saying = SAL_DOORS_CLAIM;
  else if (strcmp(word, "end") == 0)
    saying = SAL_DOORS_END;
  const unsigned picks = out->history.picks;
  if (saying < 0 || out->said != SAL_DOORS_SILENT || !picks || picks % 2)
    return false;
  out->said = (uint8_t)saying;
  return true;
}

/* A turn that went on has been ended, even if the line does not say so. */
static bool read_pick(const char *word, struct sal_doors_line *out) {
  const size_t n = strcspn(word, ":");
  const int kind = find_name(kinds, SAL_DOORS_KINDS, word, n);
  const bool collector = out->history.picks % 2 == 0;
  if (kind < 0 || out->history.picks == SAL_DOORS_PICKS ||
      (out->said != SAL_DOORS_SILENT && out->said != SAL_DOORS_END))
    return false;
  out->said = SAL_DOORS_SILENT;
  if (!word[n]) {
    out->due = true;
    out->picked = (uint8_t)kind;
    if (collector && out->history.picks)
      out->said = SAL_DOORS_END;
    return true;
  }
  const int refill =
      find_name(kinds, SAL_DOORS_KINDS, word + n + 1, strlen(word + n + 1));
  if (refill < 0)
    return false;
  out->history.pick[out->history.picks] = (uint8_t)kind;
  out->history.refill[out->history.picks++] = (uint8_t)refill;
  return true;
}

bool sal_doors_line_read(const char *text, struct sal_doors_line *out,
                         size_t *at) {
  size_t number = 0;
  memset(out, 0, sizeof *out);
  out->said = SAL_DOORS_SILENT;
  for (;; number++) {
    char word[WORD];
    text += strspn(text, " .");
    const size_t n = strcspn(text, " .");
    if (at)
      *at = number;
    if (n == 0)
      return number > 0;
    if (n >= sizeof word || out->due)
      return false;
    memcpy(word, text, n);
    word[n] = '\0';
    text += n;
    if (!(number == 0 ? read_offer(word, out)
                      : read_saying(word, out) || read_pick(word, out)))
      return false;
  }
}

/* ---- Writing ----------------------------------------------------------------- */

static void write_pick(struct sal_text *out, int kind, int refill) {
  sal_text_char(out, ' ');
  sal_text_add(out, kinds[kind]);
  if (refill >= 0) {
    sal_text_char(out, ':');
    sal_text_add(out, kinds[refill]);
  }
}

void sal_doors_line_write(const struct sal_doors_line *line,
                          struct sal_text *out) {
  const struct sal_doors_history *h = &line->history;
  const char *gap = "";
  for (int k = 0; k < SAL_DOORS_KINDS; k++)
    for (int n = 0; n < h->offer[k]; n++, gap = ",") {
      sal_text_add(out, gap);
      sal_text_add(out, kinds[k]);
    }
  for (int i = 0; i < h->picks; i++)
    write_pick(out, h->pick[i], h->refill[i]);
  if (line->said < SAL_DOORS_GUESSES)
    sal_text_add(out, " guess:");
  else if (line->said < SAL_DOORS_SILENT && !line->due)
    sal_text_char(out, ' ');
  if (line->said < SAL_DOORS_SILENT && !line->due)
    sal_text_add(out, sayings[line->said]);
  if (line->due)
    write_pick(out, line->picked, -1);
}

/* ---- Telling ------------------------------------------------------------------- */

/* Six decimals; null where there is no number. */
static void tell_number(struct sal_json *j, const char *key, double x) {
  char text[32] = "null";
  struct sal_text t;
  sal_text_init(&t, text, sizeof text);
  if (isnan(x)) {
    sal_json_raw(j, key, "null");
    return;
  }
  const long long millionths = llround(x * 1e6);
  const unsigned long long n =
      (unsigned long long)(millionths < 0 ? -millionths : millionths);
  if (millionths < 0)
    sal_text_char(&t, '-');
  sal_text_int(&t, (int64_t)(n / 1000000));
  sal_text_char(&t, '.');
  for (unsigned long long d = 100000; d; d /= 10)
    sal_text_char(&t, (char)('0' + n / d % 10));
  sal_json_raw(j, key, text);
}

static void tell_numbers(struct sal_json *j, const char *key, const double *x) {
  sal_json_list(j, key);
  for (int i = 0; i < 4; i++)
    tell_number(j, NULL, x[i]);
  sal_json_end(j, ']');
}

static void tell_floats(struct sal_json *j, const char *key, const float *x) {
  double wide[4];
  for (int i = 0; i < 4; i++)
    wide[i] = (double)x[i];
  tell_numbers(j, key, wide);
}

static void tell_cards(struct sal_json *j, const char *key,
                       const uint8_t *cards) {
  sal_json_list(j, key);
  for (int k = 0; k < SAL_DOORS_KINDS; k++)
    for (int n = 0; n < cards[k]; n++)
      sal_json_string(j, NULL, kinds[k]);
  sal_json_end(j, ']');
}

static void tell_beliefs(const struct sal_doors_explored *x, bool of_collector,
                         const char *key, struct sal_json *j) {
  double believed[4][4];
  sal_doors_explored_beliefs(x, of_collector, believed);
  sal_json_object(j, key);
  tell_numbers(j, "table", of_collector ? x->collector_is : x->guesser_is);
  tell_numbers(j, "reach",
               of_collector ? x->reach_collector : x->reach_guesser);
  sal_json_list(j, "by");
  for (int own = 0; own < 4; own++)
    tell_numbers(j, NULL, believed[own]);
  sal_json_end(j, ']');
  sal_json_end(j, '}');
}

static void tell_option(const struct sal_doors_explored *x,
                        const struct sal_doors_option *o, struct sal_json *j) {
  sal_json_object(j, NULL);
  sal_json_string(j, "do",
                  x->place == SAL_DOORS_AT_SAY ? sayings[o->what]
                                               : kinds[o->what]);
  if (x->place == SAL_DOORS_AT_DRAW) {
    tell_number(j, "chance", (double)o->chance[0]);
  } else {
    tell_floats(j, "chance", o->chance);
    tell_floats(j, "worth", o->worth);
  }
  sal_json_end(j, '}');
}

void sal_doors_explored_tell(const struct sal_doors_explored *x,
                             const struct sal_doors_line *line, int blueprint,
                             struct sal_json *j) {
  static const char *const places[] = {"take", "draw", "discard", "say",
                                       "over"};
  char text[256];
  struct sal_text t;
  sal_text_init(&t, text, sizeof text);
  sal_doors_line_write(line, &t);
  sal_json_string(j, "line", text);
  sal_json_string(j, "unit", blueprint ? "chance" : "tokens");
  sal_json_string(j, "place", places[x->place]);
  sal_json_int(j, "turn", x->turn);
  sal_json_string(j, "mover", x->collector ? "collector" : "guesser");
  tell_cards(j, "offer", x->offer);
  tell_cards(j, "collection", x->collection);
  tell_cards(j, "discards", x->discards);
  tell_cards(j, "deck", x->deck);
  sal_json_list(j, "sets");
  for (int i = 0; i < 4; i++)
    if (x->sets >> i & 1)
      sal_json_string(j, NULL, kinds[i]);
  sal_json_end(j, ']');
  tell_beliefs(x, true, "collector", j);
  tell_beliefs(x, false, "guesser", j);
  sal_json_bool(j, "rare", sal_doors_explored_rare(x));
  sal_json_list(j, "options");
  for (size_t i = 0; i < x->count; i++)
    tell_option(x, &x->option[i], j);
  sal_json_end(j, ']');
  if (x->place == SAL_DOORS_AT_END)
    tell_floats(j, "wins", x->wins);
}
