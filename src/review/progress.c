/* What a review says of a seat in short, to be kept and added up: how well each
 * role was played, and which kinds of mistakes were made. */
#include "inside.h"

#include <string.h>

enum { KINDS_MAX = 24, VERB = 16 };

/* Mistakes of one kind: what was done, and what was better; the same word twice:
 * it should have been done otherwise. */
struct kind {
  char did[VERB], better[VERB];
  enum seat_role role;
  size_t count;
  int64_t lost;
};

struct role {
  size_t decisions;
  int64_t lost, stake;
};

struct tally {
  struct role role[ROLES];
  size_t kinds;
  struct kind kind[KINDS_MAX];
};

static const char *const role_names[ROLES] = {"", "collector", "guesser"};

/* The first word of an action. */
static void verb_of(const sal_review *r, sal_action a, char out[VERB]) {
  char text[SAL_ACTION_TEXT_MAX];
  struct sal_text t;
  sal_text_init(&t, text, sizeof text);
  r->game->action_text(a, &t);
  const size_t n = strcspn(text, " ");
  memcpy(out, text, n < VERB ? n : VERB - 1);
  out[n < VERB ? n : VERB - 1] = '\0';
}

static void add_mistake(const sal_review *r, const struct sal_review_step *s,
                        enum seat_role role, struct tally *t) {
  struct kind one = {.role = role}, *k = t->kind;
  verb_of(r, s->action, one.did);
  verb_of(r, s->weighed[0].action, one.better);
  while (k < t->kind + t->kinds &&
         (k->role != role || strcmp(k->did, one.did) != 0 ||
          strcmp(k->better, one.better) != 0))
    k++;
  if (k == t->kind + KINDS_MAX)
    return;
  if (k == t->kind + t->kinds) {
    *k = one;
    t->kinds++;
  }
  k->count++;
  k->lost += s->lost;
}

static void count_steps(const sal_review *r, int seat, struct tally *t) {
  for (size_t i = 0; i < r->done; i++) {
    const struct sal_review_step *s = &r->steps[i];
    if (s->seat != seat || s->kind != SAL_REVIEW_MOVE ||
        s->mark == SAL_MARK_FORCED)
      continue;
    const struct secret_kind *k = secret_of(r->game);
    const sal_view *view = (const sal_view *)r->views[i].bytes;
    const enum seat_role role = k && k->role ? k->role(view, seat) : ROLE_NONE;
    t->role[role].decisions++;
    t->role[role].lost += s->lost;
    t->role[role].stake += review_stake(s);
    if (s->mark >= SAL_MARK_INACCURACY && s->count > 1)
      add_mistake(r, s, role, t);
  }
}

static void write_role(const struct tally *t, int role, struct sal_json *j) {
  const struct role *o = &t->role[role];
  sal_json_object(j, NULL);
  sal_json_string(j, "role", role_names[role]);
  sal_json_int(j, "decisions", (int64_t)o->decisions);
  review_write_part(j, "lost", o->lost);
  review_write_part(j, "stake", o->stake);
  sal_json_end(j, '}');
}

static void write_kind(const struct kind *k, struct sal_json *j) {
  sal_json_object(j, NULL);
  sal_json_string(j, "role", role_names[k->role]);
  sal_json_string(j, "did", k->did);
  sal_json_string(j, "better", k->better);
  sal_json_int(j, "count", (int64_t)k->count);
  review_write_part(j, "lost", k->lost);
  sal_json_end(j, '}');
}

void review_write_kinds(const sal_review *r, int seat, struct sal_json *j) {
  struct tally t = {.kinds = 0};
  count_steps(r, seat, &t);
  sal_json_list(j, "roles");
  for (int role = 0; role < ROLES; role++)
    if (t.role[role].decisions)
      write_role(&t, role, j);
  sal_json_end(j, ']');
  sal_json_list(j, "mistakes");
  for (size_t i = 0; i < t.kinds; i++)
    write_kind(&t.kind[i], j);
  sal_json_end(j, ']');
}

void sal_review_tell_progress(const sal_review *r, int seat,
                              struct sal_json *j) {
  struct sal_review_seat s;
  sal_review_seat(r, seat, &s);
  review_write_part(j, "accuracy", s.accuracy);
  review_write_part(j, "lost", s.lost);
  review_write_part(j, "luck", s.luck);
  review_write_part(j, "won", r->result[seat]);
  sal_json_int(j, "players", r->players);
  review_write_kinds(r, seat, j);
}
