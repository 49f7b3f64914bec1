/* The battery: information states tell apart just those histories that a player
 * of perfect memory can tell apart.
 *
 * The test keeps a transcript of its own: who acted, the events as the viewer
 * heard them, the bytes of the view. Over many random games the same transcript
 * must give the same numbers, and other transcripts other numbers. */
#include "battery.h"

#include "salotto/information.h"

enum { MOMENTS = 3000, GAMES = 200, STEPS = 120 };

struct moment {
  uint64_t transcript, numbers;
};

static uint64_t mixed(uint64_t h, const void *bytes, size_t n) {
  const unsigned char *p = bytes;
  for (size_t i = 0; i < n; i++)
    h = (h ^ p[i]) * UINT64_C(0x100000001b3);
  return h ^ h >> 29;
}

struct listener {
  struct sal_log log;
  const struct trial *t;
  uint64_t heard[SAL_SEATS_MAX + 1]; /* by viewer + 1 */
};

static void listen(struct sal_log *log, const struct sal_event *e) {
  struct listener *l = (struct listener *)log;
  for (int viewer = SAL_SPECTATOR; viewer < l->t->setup.players; viewer++) {
    char text[4096];
    struct sal_event cut;
    struct sal_text out;
    struct sal_json j;
    sal_event_cut(e, viewer, &cut);
    sal_text_init(&out, text, sizeof text);
    sal_json_init(&j, &out);
    sal_json_object(&j, NULL);
    l->t->g->event_facts(&cut, &j);
    sal_json_end(&j, '}');
    uint64_t *h = &l->heard[viewer + 1];
    *h = mixed(*h, text, out.len + 1);
  }
}

struct history {
  union sal_state_box box;
  struct listener listener;
  struct sal_recall recall[SAL_SEATS_MAX + 1];
};

static void begin(struct history *h, const struct trial *t) {
  memset(h, 0, sizeof *h);
  h->listener = (struct listener){.log = {listen}, .t = t};
  t->g->init((sal_state *)h->box.bytes, &t->setup);
  for (int v = SAL_SPECTATOR; v < t->setup.players; v++)
    sal_recall_begin(&h->recall[v + 1], t->g, v,
                     (const sal_state *)h->box.bytes);
}

static void step(struct history *h, const struct trial *t, int seat,
                 sal_action a) {
  union sal_state_box copy = h->box;
  sal_state *s = (sal_state *)h->box.bytes;
  t->g->apply((sal_state *)copy.bytes, seat, a, &h->listener.log);
  const unsigned hidden = sal_recall_apply(t->g, s, seat, a);
  for (int v = SAL_SPECTATOR; v < t->setup.players; v++) {
    union sal_view_box seen;
    uint64_t *heard = &h->listener.heard[v + 1];
    *heard = mixed(*heard, &seat, sizeof seat);
    look(t, s, v, &seen);
    *heard = mixed(*heard, seen.bytes, t->g->info.view_size);
    sal_recall_note(&h->recall[v + 1], t->g, v, s, seat, a,
                    v < 0 ? hidden != 0 : hidden >> v & 1);
  }
}

static struct moment moment_of(const struct history *h, const struct trial *t,
                               int viewer, float *numbers) {
  union sal_view_box seen;
  const sal_view *v = look(t, (const sal_state *)h->box.bytes, viewer, &seen);
  sal_information(t->g, t->setup.players, viewer, &h->recall[viewer + 1], v,
                  numbers);
  return (struct moment){
      mixed(h->listener.heard[viewer + 1], &viewer, sizeof viewer),
      mixed(1469598103934665603u + (uint64_t)(viewer + 1), numbers,
            sal_information_size(t->g) * sizeof *numbers)};
}

static int by_transcript(const void *a, const void *b) {
  const struct moment *x = a, *y = b;
  if (x->transcript != y->transcript)
    return x->transcript < y->transcript ? -1 : 1;
  return x->numbers < y->numbers ? -1 : x->numbers > y->numbers;
}

static int by_numbers(const void *a, const void *b) {
  const struct moment *x = a, *y = b;
  if (x->numbers != y->numbers)
    return x->numbers < y->numbers ? -1 : 1;
  return x->transcript < y->transcript ? -1 : x->transcript > y->transcript;
}

static const char *compare(struct moment *m, size_t count) {
  size_t met = 0;
  qsort(m, count, sizeof *m, by_transcript);
  for (size_t i = 1; i < count; i++) {
    const bool same = m[i].transcript == m[i - 1].transcript;
    met += same;
    if (same && m[i].numbers != m[i - 1].numbers)
      return "who has seen the same has another information state: it tells "
             "something hidden";
  }
  qsort(m, count, sizeof *m, by_numbers);
  for (size_t i = 1; i < count; i++)
    if (m[i].numbers == m[i - 1].numbers &&
        m[i].transcript != m[i - 1].transcript)
      return "two histories that can be told apart have one information state";
  return met ? NULL : "no two games ever looked the same: nothing was tested";
}

const char *part_information(const struct trial *t) {
  struct moment *m = calloc(MOMENTS, sizeof *m);
  sal_action *legal = calloc(t->g->info.legal_max, sizeof *legal);
  float *numbers = calloc(sal_information_size(t->g), sizeof *numbers);
  static struct history h;
  size_t count = 0;
  for (uint64_t game = 0; game < GAMES && count < MOMENTS; game++) {
    struct sal_rng rng;
    const sal_state *s = (const sal_state *)h.box.bytes;
    sal_rng_seed(&rng, 40 + game);
    begin(&h, t);
    unsigned asked;
    /* Beginnings, where games meet; some go on, so that long ones come too. */
    const int steps = game % 16 ? 24 : STEPS;
    for (int i = 0; i < steps && (asked = t->g->to_act(s)) != 0; i++) {
      if (asked == SAL_CHANCE_BIT) {
        struct sal_chance c;
        t->g->chance(s, &c);
        step(&h, t, SAL_CHANCE, sal_chance_draw(&c, &rng));
      } else {
        const int seat = any_seat(asked, &rng);
        const size_t n = t->g->legal(s, seat, legal);
        /* of few actions, so that games meet */
        const size_t k = sal_rng_below(&rng, (uint32_t)(n < 3 ? n : 3));
        step(&h, t, seat, legal[k]);
      }
      for (int v = SAL_SPECTATOR;
           v < t->setup.players && count < MOMENTS && (i % 4 == 3 || i < 8);
           v++)
        m[count++] = moment_of(&h, t, v, numbers);
    }
  }
  const char *problem = compare(m, count);
  free(numbers);
  free(legal);
  free(m);
  return problem;
}
