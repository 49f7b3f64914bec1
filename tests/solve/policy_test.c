/* The shipped policy: its file, the numbers of histories, solving at the table,
 * and the check of it all. */
#include "../teach.h"
#include "player.h"

#include "guess.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static const sal_doors_policy *policy;
static struct sal_rng rng;

static unsigned below(unsigned n) { return sal_rng_below(&rng, n); }

/* ---- Histories ----------------------------------------------------------- */

static unsigned random_kind(bag b) {
  unsigned n = below(total(b)), kind = 0;
  while (n >= count(b, kind))
    n -= count(b, kind++);
  return kind;
}

static struct history random_history(unsigned picks) {
  struct history h = {0};
  while (total(h.offer) < OFFER)
    h.offer += one(random_kind(ALL_CLUES - h.offer));
  for (unsigned i = 0; i < picks; i++) {
    struct position p;
    h.picks = (uint8_t)i;
    assert_true(history_position(&h, &p));
    h.pick[i] = (uint8_t)random_kind(p.offer);
    h.refill[i] = (uint8_t)random_kind(p.deck);
    h.picks = (uint8_t)(i + 1);
  }
  return h;
}

static struct sal_doors_history public_history(const struct history *h) {
  struct sal_doors_history out = {.picks = h->picks};
  for (unsigned k = 0; k < KINDS; k++)
    out.offer[k] = (uint8_t)count(h->offer, k);
  memcpy(out.pick, h->pick, h->picks);
  memcpy(out.refill, h->refill, h->picks);
  return out;
}

/* Every number on the blueprint belongs to a history. */
static void test_numbers(void **state) {
  (void)state;
  static uint8_t seen[FIRST_GUESSES];
  struct sal_doors_offer offers[SAL_DOORS_OFFERS];
  unsigned found = 0;
  sal_doors_offers(offers);
  for (int o = 0; o < SAL_DOORS_OFFERS; o++)
    for (unsigned i = 0; i < KINDS * KINDS * KINDS * KINDS; i++) {
      struct history h = {.picks = 2};
      struct position p;
      unsigned symmetry;
      for (unsigned k = 0; k < KINDS; k++)
        h.offer += offers[o].start.offer[k] * one(k);
      h.pick[0] = (uint8_t)(i % 6);
      h.refill[0] = (uint8_t)(i / 6 % 6);
      h.pick[1] = (uint8_t)(i / 36 % 6);
      h.refill[1] = (uint8_t)(i / 216);
      if (!history_position(&h, &p))
        continue;
      h = history_turned(&h, &symmetry);
      const uint32_t number = blueprint_first_guess(&h);
      assert_true(number < FIRST_GUESSES);
      found += !seen[number];
      seen[number] = 1;
    }
  assert_int_equal(found, FIRST_GUESSES);
}

static void test_turned(void **state) {
  (void)state;
  for (int n = 0; n < 30; n++) {
    const struct history h = random_history(3);
    unsigned symmetry;
    const struct history first = history_turned(&h, &symmetry);
    const struct history turned = history_image(&h, symmetry);
    assert_memory_equal(&first, &turned, sizeof first);
    const uint32_t number = blueprint_second_discard(&first);
    assert_true(number < SECOND_DISCARDS);
    for (unsigned s = 0; s < SYMMETRIES; s++) {
      const struct history image = history_image(&h, s);
      const struct history again = history_turned(&image, &symmetry);
      assert_int_equal(blueprint_first_guess(&again),
                       blueprint_first_guess(&first));
      assert_int_equal(blueprint_first_discard(&again),
                       blueprint_first_discard(&first));
    }
  }
}

/* ---- The file ------------------------------------------------------------ */

static void fill(struct blueprint *s) {
  unsigned char *bytes = (unsigned char *)s;
  for (size_t i = 0; i < sizeof *s; i++)
    bytes[i] = (unsigned char)below(256);
  uint8_t *parts = s->first_take[0][0];
  /* of picks the parts are chances: the last is what is left */
  for (size_t node = 0; node < OFFERS + FIRST_GUESSES + FIRST_DISCARDS; node++)
    for (unsigned i = 0; i < IDENTITIES; i++) {
      uint8_t *at = parts + node * OFFER * IDENTITIES + i;
      unsigned left = 255;
      for (unsigned k = 0; k < OFFER - 1; k++) {
        at[k * IDENTITIES] = (uint8_t)below(left + 1);
        left -= at[k * IDENTITIES];
      }
      at[(OFFER - 1) * IDENTITIES] = (uint8_t)left;
    }
}

static void test_packing(void **state) {
  (void)state;
  enum { ROOM = 1 << 20, BITS = 12 };
  struct blueprint *s = malloc(sizeof *s), *back = calloc(1, sizeof *back);
  unsigned char *bytes = malloc(ROOM);
  assert_true(s && back && bytes);
  fill(s);
  const size_t n = policy_pack_blueprint(s, BITS, bytes, ROOM);
  assert_true(n > 0);
  assert_int_equal(policy_pack_blueprint(s, BITS, bytes, n - 1), 0);
  assert_int_equal(policy_pack_blueprint(s, BITS, bytes, ROOM), n);
  sal_doors_policy p = {.bytes = bytes};
  p.blueprint[7].bits = BITS;
  p.blueprint[7].size = n;
  assert_true(policy_unpack(&p, 7, back));
  assert_memory_equal(s->first_take, back->first_take, sizeof s->first_take);
  assert_memory_equal(s->second_take, back->second_take, sizeof s->second_take);
  assert_memory_equal(s->discard, back->discard, sizeof s->discard);
  assert_memory_equal(s->guess, back->guess, sizeof s->guess);
  for (int i = 0; i < SECOND_DISCARDS; i++)
    for (int k = 0; k < IDENTITIES; k++) {
      assert_true(abs(s->collector[i][k] - back->collector[i][k]) <= 16);
      assert_true(abs(s->guesser[i][k] - back->guesser[i][k]) <= 16);
    }
  /* What lies is read without harm. */
  for (int i = 0; i < 20; i++) {
    for (size_t k = 0; k < n; k++)
      bytes[k] = (unsigned char)below(256);
    p.blueprint[7].size = below((unsigned)n);
    memset(back, 0, sizeof *back);
    assert_true(policy_unpack(&p, 7, back));
  }
  free(s);
  free(back);
  free(bytes);
}

static size_t whole_size(const sal_doors_policy *p) {
  return p->blueprint[BLUEPRINTS - 1].at + p->blueprint[BLUEPRINTS - 1].size +
         8;
}

static void test_damaged(void **state) {
  (void)state;
  const size_t n = whole_size(policy);
  unsigned char *copy = malloc(n);
  assert_non_null(copy);
  memcpy(copy, policy->bytes, n);
  sal_doors_policy *p = sal_doors_policy_open(copy, n);
  assert_non_null(p);
  sal_doors_policy_close(p);
  for (int i = 0; i < 12; i++) {
    const size_t at = i < 6 ? below(4000) : below((unsigned)n);
    copy[at] ^= (unsigned char)(1u << below(8));
    assert_null(sal_doors_policy_open(copy, n));
    memcpy(copy, policy->bytes, n);
  }
  assert_null(sal_doors_policy_open(copy, n - 1));
  assert_null(sal_doors_policy_open(copy, 100));
  assert_null(sal_doors_policy_open(copy, 0));
  free(copy);
}

/* Worths are chances, in order, and fit each other: what a score promises is
 * what the score after it was solved for. */
static void test_worths(void **state) {
  (void)state;
  const struct sal_doors_worth t = sal_doors_policy_worth(policy, 0);
  assert_memory_equal(&t, &sal_doors_tokens, sizeof t);
  assert_true(strstr(sal_doors_policy_note(policy), "tools/doors-policy"));
  for (int c = 0; c < 10; c++)
    for (int g = 0; g < 10; g++) {
      const struct sal_doors_worth w =
          sal_doors_policy_worth(policy, sal_doors_policy_score(c, g));
      assert_true(w.set <= 1 && w.both >= 0 && w.set > w.both);
      if (c >= 4)
        assert_true(w.set == 1);
      if (g >= 5)
        assert_true(w.both == 0);
    }
}

/* ---- Playing ------------------------------------------------------------- */

static const struct sal_doors_effort little = {.iterations = 3};

/* Chances of one identity; they must be of what is there, and be all. */
static void assert_sound(const struct sal_doors_chances *c,
                         const struct position *p, bool picks) {
  for (unsigned i = 0; i < IDENTITIES; i++) {
    float sum = 0;
    for (unsigned k = 0; k < KINDS; k++) {
      assert_true(c->pick[k][i] >= 0);
      assert_true(count(p->offer, k) || c->pick[k][i] == 0);
      sum += picks ? c->pick[k][i] : 0;
    }
    for (unsigned k = 0; !picks && k <= SAL_DOORS_END; k++) {
      assert_true(c->say[k][i] >= 0);
      sum += c->say[k][i];
    }
    if (!picks && !(set_owners(p->collection) >> i & 1))
      assert_true(c->say[SAL_DOORS_CLAIM][i] < 1e-6f);
    assert_true(fabsf(sum - 1) < 1e-3f);
  }
}

static void test_sound(void **state) {
  (void)state;
  sal_doors_player *player = sal_doors_player_new(policy);
  assert_non_null(player);
  for (int n = 0; n < 6; n++) {
    const struct history whole = random_history(10);
    const int blueprint = n < 3 ? 0 : (int)below(SAL_DOORS_BLUEPRINTS);
    for (unsigned picks = 0; picks <= 10; picks++) {
      struct history h = whole;
      struct position p;
      struct sal_doors_chances c;
      h.picks = (uint8_t)picks;
      assert_true(history_position(&h, &p));
      const struct sal_doors_history own = public_history(&h);
      if (picks % 2 == 0 && picks < 10) {
        const struct position take = p.step == GUESS ? position_end(p) : p;
        assert_true(
            sal_doors_player_ask(player, blueprint, &own, true, &little, &c));
        assert_sound(&c, &take, true);
      }
      if (picks > 0) {
        assert_true(
            sal_doors_player_ask(player, blueprint, &own, false, &little, &c));
        assert_sound(&c, &p, picks % 2);
      }
    }
  }
  sal_doors_player_free(player);
}

static void assert_turned(const struct sal_doors_chances *a,
                          const struct sal_doors_chances *b, unsigned s) {
  for (unsigned i = 0; i < IDENTITIES; i++) {
    const unsigned j = symmetry_kind(s, i);
    for (unsigned k = 0; k < KINDS; k++)
      assert_true(fabsf(a->pick[k][i] - b->pick[symmetry_kind(s, k)][j]) <
                  1e-5f);
    for (unsigned k = 0; k < SAL_DOORS_GUESSES; k++) {
      unsigned mask = 0, other = 0;
      for (unsigned id = 0; id < IDENTITIES; id++)
        if (guess_right[k] >> id & 1)
          mask |= 1u << symmetry_kind(s, id);
      while (guess_right[other] != mask)
        other++;
      assert_true(fabsf(a->say[k][i] - b->say[other][j]) < 1e-5f);
    }
    assert_true(fabsf(a->say[SAL_DOORS_END][i] - b->say[SAL_DOORS_END][j]) <
                1e-5f);
  }
}

/* A position that no symmetry leaves alone, in all 8 orientations. */
static void test_orientations(void **state) {
  (void)state;
  sal_doors_player *player = sal_doors_player_new(policy);
  struct history h = {.picks = 5, /* RL,RL,RL,BR */
                      .offer = 3 * one(RL) + one(BR),
                      .pick = {RL, BR, RL, BL, BT},
                      .refill = {BL, BT, RT, BL, LT}};
  struct sal_doors_chances a, b;
  for (unsigned picks = 0; picks <= 5; picks++)
    for (unsigned s = 0; s < SYMMETRIES; s++) {
      h.picks = (uint8_t)picks;
      const struct history turned = history_image(&h, s);
      const struct sal_doors_history one_way = public_history(&h),
                                     other_way = public_history(&turned);
      const bool collector = picks % 2 == 0 && picks != 2;
      assert_true(
          sal_doors_player_ask(player, 0, &one_way, collector, &little, &a));
      assert_true(
          sal_doors_player_ask(player, 0, &other_way, collector, &little, &b));
      assert_turned(&a, &b, s);
    }
  sal_doors_player_free(player);
}

static void test_refused(void **state) {
  (void)state;
  sal_doors_player *player = sal_doors_player_new(policy);
  struct history h = random_history(4);
  struct sal_doors_history own = public_history(&h);
  struct sal_doors_chances c;
  assert_false(sal_doors_player_ask(player, SAL_DOORS_BLUEPRINTS, &own, true,
                                    &little, &c));
  own.picks = 11;
  assert_false(sal_doors_player_ask(player, 0, &own, false, &little, &c));
  own.picks = 3; /* the Collector does not discard */
  assert_false(sal_doors_player_ask(player, 0, &own, true, &little, &c));
  own.pick[1] = 6;
  assert_false(sal_doors_player_ask(player, 0, &own, false, &little, &c));
  own = public_history(&h);
  own.offer[0]++;
  assert_false(sal_doors_player_ask(player, 0, &own, true, &little, &c));
  sal_doors_player_free(player);
}

/* ---- Solving at the table ------------------------------------------------- */

/* A second discard with few histories below it, turned. */
static struct history small_second(void) {
  struct history best = {0};
  uint64_t least = UINT64_MAX;
  for (int n = 0; n < 60; n++) {
    const struct history h = random_history(3);
    unsigned symmetry;
    const struct history turned = history_turned(&h, &symmetry);
    struct position p;
    struct board b;
    assert_true(history_position(&turned, &p));
    assert_true(board_make(&b, &p));
    if (b.states[0].histories < least) {
      least = b.states[0].histories;
      best = turned;
    }
    board_free(&b);
  }
  return best;
}

/* A player who has solved a second discard. */
static sal_doors_player *solved(const struct history *h, bool collector,
                                uint32_t iterations) {
  struct history after = *h;
  struct position p;
  sal_doors_player *player = sal_doors_player_new(policy);
  const struct sal_doors_effort effort = {.iterations = iterations};
  struct sal_doors_chances c;
  assert_non_null(player);
  if (collector) { /* is asked after the discard */
    assert_true(history_position(h, &p));
    after.pick[3] = (uint8_t)random_kind(p.offer);
    after.refill[3] = (uint8_t)random_kind(p.deck);
    after.picks = 4;
  }
  const struct sal_doors_history own = public_history(&after);
  player_note_all(player);
  assert_true(sal_doors_player_ask(player, 0, &own, collector, &effort, &c));
  return player;
}

/* The same for a history that this side comes to often: there chances in 255ths
 * are near enough to what was solved. */
static sal_doors_player *often_solved(struct history *h, bool collector,
                                      uint32_t iterations) {
  for (;;) {
    *h = small_second();
    sal_doors_player *player = solved(h, collector, 1);
    const bool often = player->resolve.scale > 0.25f;
    sal_doors_player_free(player);
    if (often)
      return solved(h, collector, iterations);
  }
}

/* Nobody gets much more than the blueprint promises. */
static void test_safe(void **state) {
  (void)state;
  for (int collector = 0; collector < 2; collector++) {
    struct history h;
    sal_doors_player *player = often_solved(&h, collector, 128);
    const struct resolve *r = &player->resolve;
    const struct others met = others_of(r->own);
    const vec all = others_sum(&met),
              got = resolve_best(r) / splat(r->scale) - r->counterfactual;
    for (int i = 0; i < IDENTITIES; i++)
      assert_true(collector ? got[i] > -0.2f * all[i] - 1e-3f
                            : got[i] < 0.2f * all[i] + 1e-3f);
    sal_doors_player_free(player);
  }
}

/* The walk over all rules with the player's answers finds what the solver says
 * of its own strategy: blueprints, seeking, endings and turning are all in it. */
static void test_check(void **state) {
  (void)state;
  enum { ITERATIONS = 12 };
  for (int collector = 0; collector < 2; collector++) {
    struct history h;
    sal_doors_player *player = often_solved(&h, collector, ITERATIONS);
    const struct sal_doors_history own = public_history(&h);
    const struct resolve *r = &player->resolve;
    const vec best = resolve_best(r) / splat(r->scale);
    double reach[IDENTITIES], value[IDENTITIES];
    for (int i = 0; i < IDENTITIES; i++)
      reach[i] = (double)r->own[i];
    assert_true(policy_check_from(policy, 0, &own, collector, ITERATIONS, reach,
                                  value));
    for (int i = 0; i < IDENTITIES; i++)
      assert_true(fabs(value[i] - (double)best[i]) < 2e-3);
    sal_doors_player_free(player);
  }
}

/* The file as it was written: its parts, packed again, are the same bytes; and
 * nothing is written where there is no room for all of it. */
static void test_packed_again(void **state) {
  (void)state;
  struct packed_blueprint parts[BLUEPRINTS];
  size_t end = 0;
  for (int i = 0; i < BLUEPRINTS; i++) {
    parts[i] = (struct packed_blueprint){
        policy->blueprint[i].worth, policy->blueprint[i].bits,
        policy->bytes + policy->blueprint[i].at, policy->blueprint[i].size};
    end = policy->blueprint[i].at + policy->blueprint[i].size;
  }
  const size_t room = end + 8; /* the checksum */
  unsigned char *bytes = malloc(room);
  assert_non_null(bytes);
  assert_int_equal(policy_pack(parts, policy->note, bytes, room - 1), 0);
  assert_int_equal(policy_pack(parts, policy->note, bytes, room), room);
  assert_memory_equal(bytes, policy->bytes, room);
  free(bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      {"packed again, the file is the same", test_packed_again, NULL, NULL,
       NULL},
      {"every number on a blueprint belongs to a history", test_numbers, NULL,
       NULL, NULL},
      {"a history has the same numbers in all 8 orientations", test_turned,
       NULL, NULL, NULL},
      {"what is packed comes back, and what lies does no harm", test_packing,
       NULL, NULL, NULL},
      {"a damaged policy is refused", test_damaged, NULL, NULL, NULL},
      {"the blueprints are of tokens and of all scores", test_worths, NULL,
       NULL, NULL},
      {"every answer is chances of what can be done", test_sound, NULL, NULL,
       NULL},
      {"the same answers in all 8 orientations", test_orientations, NULL, NULL,
       NULL},
      {"histories that cannot be", test_refused, NULL, NULL, NULL},
      {"solving again gives nobody much more than promised", test_safe, NULL,
       NULL, NULL},
      {"the check by the rules finds what the solver says", test_check, NULL,
       NULL, NULL},
  };
  policy = shipped_policy();
  sal_rng_seed(&rng, 8);
  if (!policy) {
    fprintf(stderr, "SALOTTO_POLICY names no sound policy\n");
    return 2;
  }
  return cmocka_run_group_tests_name("policy", tests, NULL, NULL);
}
