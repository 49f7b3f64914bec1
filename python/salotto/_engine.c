/* The engine for Python: bare states and batches over libsalotto.
 *
 * Only the stable ABI of CPython 3.11 is used, so that one build serves all
 * later versions. Three types: State (one game, also for trees: it can be copied,
 * and chance is walked by the caller or sampled), Batch (many games stepped in
 * one call, arrays written in place) and Table (records and reviews). What is
 * convenient is in Python, beside this file. */
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>

#include "salotto/salotto.h"

#include <stdlib.h>
#include <string.h>

static PyObject *refused; /* the exception salotto.Refused */

static PyObject *refuse(const struct sal_refusal *why) {
  PyErr_SetString(refused, why->message);
  return NULL;
}

/* Texts that CPython does not write to, though it does not say so. */
#define UNCONST(name) (char *)(uintptr_t)(name)

/* ---- Games ---------------------------------------------------------------- */

static const struct sal_game *game_named(const char *id) {
  const struct sal_game *g = sal_game_find(id);
  if (!g)
    PyErr_Format(refused, "There is no game '%s'.", id);
  return g;
}

static PyObject *option_words(const struct sal_option *o) {
  PyObject *list = PyList_New(0);
  for (int i = 0; list && o->kind == SAL_OPTION_WORD && o->words[i]; i++) {
    PyObject *word = PyUnicode_FromString(o->words[i]);
    if (!word || PyList_Append(list, word) < 0)
      Py_CLEAR(list);
    Py_XDECREF(word);
  }
  return list;
}

static PyObject *option_list(const struct sal_game *g) {
  PyObject *all = PyDict_New();
  for (int i = 0; all && g->info.options[i].name; i++) {
    PyObject *words = option_words(&g->info.options[i]);
    if (!words || PyDict_SetItemString(all, g->info.options[i].name, words) < 0)
      Py_CLEAR(all);
    Py_XDECREF(words);
  }
  return all;
}

static PyObject *engine_games(PyObject *self, PyObject *unused) {
  (void)self;
  (void)unused;
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && sal_games[i]; i++) {
    const struct sal_info *info = &sal_games[i]->info;
    PyObject *entry = Py_BuildValue(
        "{s:s,s:s,s:i,s:i,s:n,s:n,s:n,s:n,s:N}", "id", info->id, "title",
        info->title, "players_min", info->players_min, "players_max",
        info->players_max, "action_count", (Py_ssize_t)info->action_count,
        "observation_size", (Py_ssize_t)info->tensor_size, "information_size",
        (Py_ssize_t)sal_information_size(sal_games[i]), "longest",
        (Py_ssize_t)info->longest, "options", option_list(sal_games[i]));
    if (!entry || PyList_Append(list, entry) < 0)
      Py_CLEAR(list);
    Py_XDECREF(entry);
  }
  return list;
}

/* Options come as a dict of text, or None. */
static int read_options(const struct sal_game *g, PyObject *options,
                        struct sal_setup *setup) {
  PyObject *key, *value;
  Py_ssize_t at = 0;
  if (options == Py_None)
    return 0;
  if (!PyDict_Check(options)) {
    PyErr_SetString(PyExc_TypeError, "options is a dict of names and values");
    return -1;
  }
  while (PyDict_Next(options, &at, &key, &value)) {
    const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
    PyObject *said = name ? PyObject_Str(value) : NULL;
    const char *text = said ? PyUnicode_AsUTF8AndSize(said, NULL) : NULL;
    const int i = text ? sal_option_find(g, name) : -1;
    if (text && (i < 0 || !sal_option_parse(g, i, setup->players, text,
                                            &setup->option[i])))
      PyErr_Format(refused, "The game %s has no option %s=%s.", g->info.id,
                   name, text);
    Py_XDECREF(said);
    if (PyErr_Occurred())
      return -1;
  }
  return 0;
}

static int read_setup(const char *id, int players, PyObject *options,
                      const struct sal_game **g, struct sal_setup *setup) {
  struct sal_refusal why;
  if (!(*g = game_named(id)))
    return -1;
  sal_setup_default(*g, players, setup);
  if (read_options(*g, options, setup) < 0)
    return -1;
  if (sal_setup_check(*g, setup, &why)) {
    refuse(&why);
    return -1;
  }
  return 0;
}

/* ---- State ---------------------------------------------------------------- */

/* A step of the game so far: what information states, memories and the history
 * are made of. */
struct step {
  sal_action action;
  int seat;
};

struct state {
  PyObject_HEAD const struct sal_game *game;
  int players;
  struct sal_rng rng;
  union sal_state_box box;
  struct sal_setup setup;
  struct step *steps;
  size_t count, room;
  int supposed; /* resampled: its history is not known */
};

static sal_state *state_of(struct state *self) {
  return (sal_state *)self->box.bytes;
}

static PyObject *state_new(PyTypeObject *type, PyObject *args,
                           PyObject *keywords) {
  static char *names[] = {UNCONST("game"), UNCONST("players"),
                          UNCONST("options"), UNCONST("seed"), NULL};
  const char *id;
  int players;
  PyObject *options = Py_None;
  unsigned long long seed = 0;
  struct sal_setup setup;
  const struct sal_game *g;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "si|OK", names, &id,
                                   &players, &options, &seed) ||
      read_setup(id, players, options, &g, &setup) < 0)
    return NULL;
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  struct state *self = (struct state *)allocate(type, 0);
  if (!self)
    return NULL;
  self->game = g;
  self->players = players;
  self->setup = setup;
  sal_rng_seed(&self->rng, seed);
  g->init(state_of(self), &setup);
  return (PyObject *)self;
}

/* Plays a step that is legal, and remembers it. */
static int play(struct state *self, int seat, sal_action a) {
  if (self->count == self->room) {
    const size_t room = self->room ? 2 * self->room : 64;
    struct step *more = PyMem_Realloc(self->steps, room * sizeof *more);
    if (!more) {
      PyErr_NoMemory();
      return -1;
    }
    self->steps = more;
    self->room = room;
  }
  self->steps[self->count++] = (struct step){a, seat};
  self->game->apply(state_of(self), seat, a, NULL);
  return 0;
}

static void object_dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

static void state_dealloc(struct state *self) {
  PyMem_Free(self->steps);
  object_dealloc((PyObject *)self);
}

static PyObject *state_clone(struct state *self, PyObject *unused) {
  (void)unused;
  PyTypeObject *type = Py_TYPE((PyObject *)self);
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  struct state *copy = (struct state *)allocate(type, 0);
  if (!copy)
    return NULL;
  copy->game = self->game;
  copy->players = self->players;
  copy->rng = self->rng;
  copy->box = self->box;
  copy->setup = self->setup;
  copy->supposed = self->supposed;
  if (self->count) {
    copy->steps = PyMem_Malloc(self->count * sizeof *copy->steps);
    if (!copy->steps) {
      Py_DECREF((PyObject *)copy);
      return PyErr_NoMemory();
    }
    memcpy(copy->steps, self->steps, self->count * sizeof *copy->steps);
    copy->count = copy->room = self->count;
  }
  return (PyObject *)copy;
}

/* The seat, with several asked the first; -1 for chance, -2 when it is over. */
static int asked_of(struct state *self) {
  const unsigned asked = self->game->to_act(state_of(self));
  return asked == 0 ? -2 : asked == SAL_CHANCE_BIT ? -1 : __builtin_ctz(asked);
}

static PyObject *state_asked(struct state *self, PyObject *unused) {
  (void)unused;
  return PyLong_FromLong(asked_of(self));
}

static PyObject *state_legal(struct state *self, PyObject *unused) {
  (void)unused;
  const int seat = asked_of(self);
  PyObject *list = PyList_New(0);
  if (!list || seat < 0)
    return list;
  sal_action *legal = PyMem_Malloc(self->game->info.legal_max * sizeof *legal);
  if (!legal) {
    Py_DECREF(list);
    return PyErr_NoMemory();
  }
  const size_t n = self->game->legal(state_of(self), seat, legal);
  for (size_t i = 0; list && i < n; i++) {
    PyObject *number = PyLong_FromSize_t(
        self->game->action_index(state_of(self), seat, legal[i]));
    if (!number || PyList_Append(list, number) < 0)
      Py_CLEAR(list);
    Py_XDECREF(number);
  }
  PyMem_Free(legal);
  return list;
}

/* The action with that number; 0 and an exception if it is not legal. */
static sal_action action_numbered(struct state *self, PyObject *number) {
  const int seat = asked_of(self);
  const long i = PyLong_AsLong(number);
  if (i == -1 && PyErr_Occurred())
    return 0;
  const sal_action a =
      seat >= 0 && i >= 0
          ? self->game->action_at(state_of(self), seat, (size_t)i)
          : 0;
  if (!a)
    PyErr_Format(refused, "%ld is not a legal action here.", i);
  return a;
}

static PyObject *state_apply(struct state *self, PyObject *number) {
  const sal_action a = action_numbered(self, number);
  if (!a)
    return NULL;
  if (play(self, asked_of(self), a) < 0)
    return NULL;
  Py_RETURN_NONE;
}

static PyObject *text_of(const struct sal_game *g, sal_action a) {
  char room[SAL_ACTION_TEXT_MAX];
  struct sal_text text;
  sal_text_init(&text, room, sizeof room);
  g->action_text(a, &text);
  return PyUnicode_FromString(room);
}

static PyObject *state_text(struct state *self, PyObject *number) {
  const sal_action a = action_numbered(self, number);
  return a ? text_of(self->game, a) : NULL;
}

static PyObject *state_parse(struct state *self, PyObject *said) {
  const char *text = PyUnicode_AsUTF8AndSize(said, NULL);
  const int seat = asked_of(self);
  if (!text)
    return NULL;
  const sal_action a = self->game->action_parse(text);
  const char *rule = seat < 0 ? NULL
                     : a      ? self->game->check(state_of(self), seat, a)
                              : NULL;
  if (seat < 0 || !a || rule)
    return PyErr_Format(refused,
                        rule ? "'%s' is not legal here: %s"
                             : "'%s' is not an action here.",
                        text, rule);
  return PyLong_FromSize_t(self->game->action_index(state_of(self), seat, a));
}

/* What chance may bring, as (text, probability). */
static PyObject *state_outcomes(struct state *self, PyObject *unused) {
  (void)unused;
  struct sal_chance c;
  PyObject *list = PyList_New(0);
  double total = 0;
  if (!list || asked_of(self) != -1)
    return list;
  self->game->chance(state_of(self), &c);
  for (size_t i = 0; i < c.count; i++)
    total += c.outcome[i].weight;
  for (size_t i = 0; list && i < c.count; i++) {
    PyObject *pair =
        Py_BuildValue("Nd", text_of(self->game, c.outcome[i].action),
                      c.outcome[i].weight / total);
    if (!pair || PyList_Append(list, pair) < 0)
      Py_CLEAR(list);
    Py_XDECREF(pair);
  }
  return list;
}

static PyObject *state_draw(struct state *self, PyObject *number) {
  const long i = PyLong_AsLong(number);
  struct sal_chance c;
  if (i == -1 && PyErr_Occurred())
    return NULL;
  if (asked_of(self) != -1)
    return PyErr_Format(refused, "No draw is due.");
  self->game->chance(state_of(self), &c);
  if (i < 0 || (size_t)i >= c.count)
    return PyErr_Format(refused, "There is no outcome %ld.", i);
  if (play(self, SAL_CHANCE, c.outcome[i].action) < 0)
    return NULL;
  Py_RETURN_NONE;
}

/* Plays chance until a seat is asked or the game is over. */
static PyObject *state_sample(struct state *self, PyObject *unused) {
  (void)unused;
  while (asked_of(self) == -1) {
    struct sal_chance c;
    self->game->chance(state_of(self), &c);
    if (play(self, SAL_CHANCE, sal_chance_draw(&c, &self->rng)) < 0)
      return NULL;
  }
  Py_RETURN_NONE;
}

static PyObject *state_returns(struct state *self, PyObject *unused) {
  (void)unused;
  double returns[SAL_SEATS_MAX];
  sal_returns(self->game, state_of(self), self->players, returns);
  PyObject *list = PyList_New(self->players);
  for (int i = 0; list && i < self->players; i++) {
    PyObject *value = PyFloat_FromDouble(returns[i]);
    if (!value || PyList_SetItem(list, i, value) < 0)
      Py_CLEAR(list);
  }
  return list;
}

static PyObject *state_scores(struct state *self, PyObject *unused) {
  (void)unused;
  int32_t scores[SAL_SEATS_MAX];
  PyObject *list = PyList_New(self->players);
  self->game->scores(state_of(self), scores);
  for (int i = 0; list && i < self->players; i++)
    PyList_SetItem(list, i, PyLong_FromLong(scores[i]));
  return list;
}

static int read_seat(struct state *self, PyObject *number, int *seat) {
  const long i = PyLong_AsLong(number);
  if (i == -1 && PyErr_Occurred())
    return -1;
  if (i < SAL_SPECTATOR || i >= self->players) {
    PyErr_Format(refused, "There is no seat %ld.", i);
    return -1;
  }
  *seat = (int)i;
  return 0;
}

/* Writes what a seat (or -1, a spectator) sees into a buffer of floats. */
static PyObject *state_observe(struct state *self, PyObject *args) {
  PyObject *number, *target;
  Py_buffer room;
  int seat;
  if (!PyArg_ParseTuple(args, "OO", &number, &target) ||
      read_seat(self, number, &seat) < 0 ||
      PyObject_GetBuffer(target, &room, PyBUF_WRITABLE) < 0)
    return NULL;
  const size_t size = self->game->info.tensor_size * sizeof(float);
  if ((size_t)room.len == size) {
    union sal_view_box box;
    self->game->view(state_of(self), seat, (sal_view *)box.bytes);
    self->game->tensor((const sal_view *)box.bytes, room.buf);
  } else {
    PyErr_Format(PyExc_ValueError, "the buffer has %zd bytes, not %zd",
                 room.len, (Py_ssize_t)size);
  }
  PyBuffer_Release(&room);
  if (PyErr_Occurred())
    return NULL;
  Py_RETURN_NONE;
}

static int knows_history(struct state *self) {
  if (!self->supposed)
    return 1;
  PyErr_SetString(refused,
                  "This state was resampled: its history is not known.");
  return 0;
}

/* Writes what a seat of perfect memory knows into a buffer of floats. */
static PyObject *state_inform(struct state *self, PyObject *args) {
  const struct sal_game *g = self->game;
  PyObject *number, *target;
  Py_buffer room;
  int seat;
  if (!PyArg_ParseTuple(args, "OO", &number, &target) ||
      read_seat(self, number, &seat) < 0 || !knows_history(self) ||
      PyObject_GetBuffer(target, &room, PyBUF_WRITABLE) < 0)
    return NULL;
  const size_t size = sal_information_size(g) * sizeof(float);
  if ((size_t)room.len == size) {
    struct sal_recall recall;
    union sal_state_box box;
    union sal_view_box seen;
    sal_state *s = (sal_state *)box.bytes;
    g->init(s, &self->setup);
    sal_recall_begin(&recall, g, seat, s);
    for (size_t i = 0; i < self->count; i++) {
      const struct step *p = &self->steps[i];
      const unsigned hidden = sal_recall_apply(g, s, p->seat, p->action);
      sal_recall_note(&recall, g, seat, s, p->seat, p->action,
                      seat < 0 ? hidden != 0 : hidden >> seat & 1);
    }
    g->view(s, seat, (sal_view *)seen.bytes);
    sal_information(g, self->players, seat, &recall,
                    (const sal_view *)seen.bytes, room.buf);
  } else {
    PyErr_Format(PyExc_ValueError, "the buffer has %zd bytes, not %zd",
                 room.len, (Py_ssize_t)size);
  }
  PyBuffer_Release(&room);
  if (PyErr_Occurred())
    return NULL;
  Py_RETURN_NONE;
}

/* The steps so far, as (seat, text); seat -1 is chance. */
static PyObject *state_history(struct state *self, PyObject *unused) {
  (void)unused;
  PyObject *list = knows_history(self) ? PyList_New(0) : NULL;
  for (size_t i = 0; list && i < self->count; i++) {
    PyObject *pair = Py_BuildValue("iN", self->steps[i].seat,
                                   text_of(self->game, self->steps[i].action));
    if (!pair || PyList_Append(list, pair) < 0)
      Py_CLEAR(list);
    Py_XDECREF(pair);
  }
  return list;
}

enum { FACTS_SIZE = 1 << 16 };

/* What a seat sees, as JSON (docs/protocol.md). */
static PyObject *state_facts(struct state *self, PyObject *number) {
  int seat;
  struct sal_text text;
  struct sal_json j;
  if (read_seat(self, number, &seat) < 0)
    return NULL;
  char *room = PyMem_Malloc(FACTS_SIZE);
  if (!room)
    return PyErr_NoMemory();
  sal_text_init(&text, room, FACTS_SIZE);
  sal_json_init(&j, &text);
  sal_state_facts(self->game, state_of(self), self->players, seat, 0, &j, NULL);
  PyObject *said = PyUnicode_FromString(room);
  PyMem_Free(room);
  return said;
}

/* A state that looks the same to a seat, with other hidden cards. */
static PyObject *state_resample(struct state *self, PyObject *number) {
  int seat;
  union sal_view_box box;
  if (read_seat(self, number, &seat) < 0)
    return NULL;
  struct state *other = (struct state *)state_clone(self, NULL);
  if (!other)
    return NULL;
  self->game->view(state_of(self), seat, (sal_view *)box.bytes);
  self->game->resample((const sal_view *)box.bytes, &self->rng,
                       state_of(other));
  other->supposed = 1;
  return (PyObject *)other;
}

/* The same for a view that came packed from the arena or the referee. */
static PyObject *state_suppose(struct state *self, PyObject *packed) {
  const char *text = PyUnicode_AsUTF8AndSize(packed, NULL);
  union sal_view_box box;
  struct sal_refusal why;
  if (!text)
    return NULL;
  if (sal_view_unpack(self->game, text, &box, &why))
    return refuse(&why);
  struct state *other = (struct state *)state_clone(self, NULL);
  if (!other)
    return NULL;
  self->game->resample((const sal_view *)box.bytes, &self->rng,
                       state_of(other));
  other->supposed = 1;
  return (PyObject *)other;
}

/* What the seat remembers of the deal. */
static void remember(struct state *self, int seat, struct sal_memory *m) {
  const struct sal_game *g = self->game;
  union sal_state_box box;
  sal_state *s = (sal_state *)box.bytes;
  sal_memory_clear(m);
  g->init(s, &self->setup);
  for (size_t i = 0; i < self->count; i++) {
    const struct step *p = &self->steps[i];
    const unsigned hidden = sal_memory_apply(g, s, p->seat, p->action);
    sal_memory_note(m, g, seat, s, p->seat, p->action, hidden >> seat & 1);
  }
}

static struct sal_budget budget_of(unsigned simulations, double seconds) {
  return seconds > 0 ? sal_budget_seconds(seconds)
                     : sal_budget_simulations(simulations ? simulations : 400);
}

/* A question to a bot, and all that it points to. */
struct asking {
  struct sal_question q;
  union sal_view_box view;
  struct sal_memory memory;
  struct sal_policy policy;
  sal_action *legal;
};

static void asking_free(struct asking *a) {
  if (!a)
    return;
  PyMem_Free(a->legal);
  PyMem_Free(a->policy.chance);
  PyMem_Free(a->policy.value);
  PyMem_Free(a);
}

/* (level, simulations, seconds): the question of the seat whose turn it is, with
 * what it remembers; of a resampled state it has the view alone. */
static struct asking *asking_new(struct state *self, PyObject *args,
                                 const struct sal_bot **bot) {
  const char *level;
  unsigned int simulations = 0;
  double seconds = 0;
  if (!PyArg_ParseTuple(args, "s|Id", &level, &simulations, &seconds))
    return NULL;
  const int seat = asked_of(self);
  *bot = sal_bot_find(level);
  if (!*bot || seat < 0) {
    PyErr_Format(refused, *bot ? "No seat is asked." : "There is no bot '%s'.",
                 level);
    return NULL;
  }
  const size_t most = self->game->info.legal_max;
  struct asking *a = PyMem_Calloc(1, sizeof *a);
  if (!a || !(a->legal = PyMem_Calloc(most, sizeof *a->legal)) ||
      !(a->policy.chance = PyMem_Calloc(most, sizeof(double))) ||
      !(a->policy.value = PyMem_Calloc(most, sizeof(double)))) {
    asking_free(a);
    PyErr_NoMemory();
    return NULL;
  }
  self->game->view(state_of(self), seat, (sal_view *)a->view.bytes);
  if (!self->supposed)
    remember(self, seat, &a->memory);
  a->q = (struct sal_question){
      .game = self->game,
      .players = self->players,
      .seat = seat,
      .view = (const sal_view *)a->view.bytes,
      .legal = a->legal,
      .count = self->game->legal(state_of(self), seat, a->legal),
      .memory = self->supposed ? NULL : &a->memory,
      .budget = budget_of(simulations, seconds)};
  return a;
}

/* What one of Salotto's bots would do. */
static PyObject *state_ask(struct state *self, PyObject *args) {
  const struct sal_bot *bot;
  struct sal_thought thought;
  struct asking *a = asking_new(self, args, &bot);
  if (!a)
    return NULL;
  Py_BEGIN_ALLOW_THREADS;
  bot->think(&a->q, &self->rng, &thought);
  Py_END_ALLOW_THREADS;
  const int seat = a->q.seat;
  asking_free(a);
  return PyLong_FromSize_t(
      self->game->action_index(state_of(self), seat, thought.action));
}

/* All actions of the seat with how likely a bot does them and what they are
 * worth to it: (number, chance, value or None). */
static PyObject *state_policy(struct state *self, PyObject *args) {
  const struct sal_bot *bot;
  struct asking *a = asking_new(self, args, &bot);
  if (!a)
    return NULL;
  Py_BEGIN_ALLOW_THREADS;
  bot->policy(&a->q, &self->rng, &a->policy);
  Py_END_ALLOW_THREADS;
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && i < a->q.count; i++) {
    const Py_ssize_t n = (Py_ssize_t)self->game->action_index(
        state_of(self), a->q.seat, a->legal[i]);
    const double chance = a->policy.chance[i], value = a->policy.value[i];
    PyObject *entry = a->policy.valued && value >= 0
                          ? Py_BuildValue("ndd", n, chance, value)
                          : Py_BuildValue("ndO", n, chance, Py_None);
    if (!entry || PyList_Append(list, entry) < 0)
      Py_CLEAR(list);
    Py_XDECREF(entry);
  }
  asking_free(a);
  return list;
}

#define METHOD(name, call, flags, about)                                       \
  { name, (PyCFunction)(void (*)(void))(call), flags, about }

static PyMethodDef state_methods[] = {
    METHOD("clone", state_clone, METH_NOARGS, "An independent copy."),
    METHOD("asked", state_asked, METH_NOARGS,
           "The seat whose turn it is; -1: chance, -2: over."),
    METHOD("legal", state_legal, METH_NOARGS, "Its legal actions, as numbers."),
    METHOD("apply", state_apply, METH_O, "Plays an action."),
    METHOD("text", state_text, METH_O, "An action in the notation."),
    METHOD("parse", state_parse, METH_O, "The number of an action."),
    METHOD("outcomes", state_outcomes, METH_NOARGS,
           "What chance may bring, with probabilities."),
    METHOD("draw", state_draw, METH_O, "Plays an outcome of chance."),
    METHOD("sample", state_sample, METH_NOARGS, "Plays chance."),
    METHOD("returns", state_returns, METH_NOARGS,
           "The winners share 1, the others -1."),
    METHOD("scores", state_scores, METH_NOARGS, "Points or tokens by seat."),
    METHOD("observe", state_observe, METH_VARARGS,
           "Writes a seat's observation into a buffer of floats."),
    METHOD("inform", state_inform, METH_VARARGS,
           "Writes a seat's information state into a buffer of floats."),
    METHOD("history", state_history, METH_NOARGS,
           "The steps so far, as (seat, text)."),
    METHOD("policy", state_policy, METH_VARARGS,
           "A bot's chances and values for all actions."),
    METHOD("facts", state_facts, METH_O, "What a seat sees, as JSON."),
    METHOD("resample", state_resample, METH_O,
           "Another state that looks the same to a seat."),
    METHOD("suppose", state_suppose, METH_O,
           "A state that looks like a packed view."),
    METHOD("ask", state_ask, METH_VARARGS, "What a bot would do."),
    {NULL, NULL, 0, NULL}};

static PyType_Slot state_slots[] = {{Py_tp_new, state_new},
                                    {Py_tp_dealloc, state_dealloc},
                                    {Py_tp_methods, state_methods},
                                    {Py_tp_doc, UNCONST("One game.")},
                                    {0, NULL}};
static PyType_Spec state_spec = {"salotto._engine.State", sizeof(struct state),
                                 0, Py_TPFLAGS_DEFAULT, state_slots};

/* ---- Batch ---------------------------------------------------------------- */

enum { ARRAYS = 5 };

struct batch {
  PyObject_HEAD sal_batch *batch;
  const struct sal_game *game;
  size_t count, players;
  Py_buffer array[ARRAYS]; /* those that are bound have an object */
  struct sal_batch_out out;
};

static void unbind(struct batch *self) {
  for (int i = 0; i < ARRAYS; i++)
    if (self->array[i].obj)
      PyBuffer_Release(&self->array[i]);
  memset(&self->out, 0, sizeof self->out);
}

static PyObject *batch_new(PyTypeObject *type, PyObject *args,
                           PyObject *keywords) {
  static char *names[] = {UNCONST("game"),
                          UNCONST("count"),
                          UNCONST("players"),
                          UNCONST("options"),
                          UNCONST("seed"),
                          UNCONST("threads"),
                          NULL};
  const char *id;
  Py_ssize_t count;
  PyObject *options = Py_None;
  unsigned long long seed = 0;
  int players, threads = 1;
  struct sal_batch_plan plan = {0};
  struct sal_refusal why;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "sni|OKi", names, &id,
                                   &count, &players, &options, &seed,
                                   &threads) ||
      read_setup(id, players, options, &plan.game, &plan.setup) < 0)
    return NULL;
  plan.count = count > 0 ? (size_t)count : 0;
  plan.seed = seed;
  plan.threads = threads;
  sal_batch *b = sal_batch_new(&plan, &why);
  if (!b)
    return refuse(&why);
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  struct batch *self = (struct batch *)allocate(type, 0);
  if (!self) {
    sal_batch_free(b);
    return NULL;
  }
  self->batch = b;
  self->game = plan.game;
  self->count = plan.count;
  self->players = (size_t)players;
  return (PyObject *)self;
}

static void batch_dealloc(struct batch *self) {
  unbind(self);
  sal_batch_free(self->batch);
  object_dealloc((PyObject *)self);
}

/* Takes a writable buffer of just that size; None is no array. */
static int take_array(struct batch *self, int i, PyObject *object,
                      size_t bytes) {
  if (object == Py_None)
    return 0;
  if (PyObject_GetBuffer(object, &self->array[i], PyBUF_WRITABLE) < 0)
    return -1;
  if ((size_t)self->array[i].len == bytes)
    return 0;
  PyErr_Format(PyExc_ValueError, "array %d has %zd bytes, not %zd", i,
               self->array[i].len, (Py_ssize_t)bytes);
  return -1;
}

/* bind(seat, observation, mask, reward, over): where each call writes. */
static PyObject *batch_bind(struct batch *self, PyObject *args) {
  PyObject *object[ARRAYS];
  const size_t n = self->count;
  const size_t bytes[ARRAYS] = {
      n * sizeof(int32_t), n * self->game->info.tensor_size * sizeof(float),
      n * self->game->info.action_count, n * self->players * sizeof(float), n};
  if (!PyArg_ParseTuple(args, "OOOOO", &object[0], &object[1], &object[2],
                        &object[3], &object[4]))
    return NULL;
  unbind(self);
  for (int i = 0; i < ARRAYS; i++)
    if (take_array(self, i, object[i], bytes[i]) < 0) {
      unbind(self);
      return NULL;
    }
  self->out = (struct sal_batch_out){
      .seat = self->array[0].obj ? self->array[0].buf : NULL,
      .observation = self->array[1].obj ? self->array[1].buf : NULL,
      .mask = self->array[2].obj ? self->array[2].buf : NULL,
      .reward = self->array[3].obj ? self->array[3].buf : NULL,
      .over = self->array[4].obj ? self->array[4].buf : NULL};
  sal_batch_look(self->batch, &self->out);
  Py_RETURN_NONE;
}

static PyObject *batch_reset(struct batch *self, PyObject *unused) {
  (void)unused;
  Py_BEGIN_ALLOW_THREADS;
  sal_batch_reset(self->batch, &self->out);
  Py_END_ALLOW_THREADS;
  Py_RETURN_NONE;
}

/* A buffer of one int32 a game. */
static int take_actions(struct batch *self, PyObject *object, int flags,
                        Py_buffer *actions) {
  if (PyObject_GetBuffer(object, actions, flags) < 0)
    return -1;
  if ((size_t)actions->len == self->count * sizeof(int32_t))
    return 0;
  PyErr_Format(PyExc_ValueError, "actions are %zd numbers of 32 bits",
               (Py_ssize_t)self->count);
  PyBuffer_Release(actions);
  return -1;
}

static PyObject *batch_step(struct batch *self, PyObject *object) {
  Py_buffer actions;
  struct sal_refusal why;
  int status;
  if (take_actions(self, object, PyBUF_SIMPLE, &actions) < 0)
    return NULL;
  Py_BEGIN_ALLOW_THREADS;
  status = sal_batch_step(self->batch, actions.buf, &self->out, &why);
  Py_END_ALLOW_THREADS;
  PyBuffer_Release(&actions);
  if (status)
    return refuse(&why);
  Py_RETURN_NONE;
}

static PyObject *batch_choose(struct batch *self, PyObject *object) {
  Py_buffer actions;
  if (take_actions(self, object, PyBUF_WRITABLE, &actions) < 0)
    return NULL;
  sal_batch_choose(self->batch, actions.buf);
  PyBuffer_Release(&actions);
  Py_RETURN_NONE;
}

static PyObject *batch_random(struct batch *self, PyObject *steps) {
  const size_t n = PyLong_AsSize_t(steps);
  uint64_t played;
  if (n == (size_t)-1 && PyErr_Occurred())
    return NULL;
  Py_BEGIN_ALLOW_THREADS;
  played = sal_batch_random(self->batch, n, &self->out);
  Py_END_ALLOW_THREADS;
  return PyLong_FromUnsignedLongLong(played);
}

static PyMethodDef batch_methods[] = {
    METHOD("bind", batch_bind, METH_VARARGS,
           "bind(seat, observation, mask, reward, over): where calls write."),
    METHOD("reset", batch_reset, METH_NOARGS, "Starts every game anew."),
    METHOD("step", batch_step, METH_O, "Plays one action in every game."),
    METHOD("choose", batch_choose, METH_O,
           "Writes a random legal action for each game."),
    METHOD("random", batch_random, METH_O,
           "Plays so many random decisions in every game."),
    {NULL, NULL, 0, NULL}};

static PyType_Slot batch_slots[] = {{Py_tp_new, batch_new},
                                    {Py_tp_dealloc, batch_dealloc},
                                    {Py_tp_methods, batch_methods},
                                    {Py_tp_doc, UNCONST("Many games at once.")},
                                    {0, NULL}};
static PyType_Spec batch_spec = {"salotto._engine.Batch", sizeof(struct batch),
                                 0, Py_TPFLAGS_DEFAULT, batch_slots};

/* ---- Table ---------------------------------------------------------------- */

/* A game with its history: records that can be checked, reviews. */
struct table {
  PyObject_HEAD sal_table *table;
};

static PyObject *table_wrap(PyTypeObject *type, sal_table *t) {
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  struct table *self = (struct table *)allocate(type, 0);
  if (self)
    self->table = t;
  else
    sal_table_free(t);
  return (PyObject *)self;
}

static PyObject *table_new(PyTypeObject *type, PyObject *args,
                           PyObject *keywords) {
  static char *names[] = {UNCONST("game"),    UNCONST("players"),
                          UNCONST("options"), UNCONST("seed"),
                          UNCONST("record"),  NULL};
  const char *id, *record = NULL;
  int players;
  PyObject *options = Py_None, *seed = Py_None;
  struct sal_plan plan = {0};
  struct sal_refusal why;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "zi|OOz", names, &id,
                                   &players, &options, &seed, &record))
    return NULL;
  if (record) {
    sal_table *t = sal_table_load(record, strlen(record), NULL, &why);
    return t ? table_wrap(type, t) : refuse(&why);
  }
  if (read_setup(id ? id : "", players, options, &plan.game, &plan.setup) < 0)
    return NULL;
  if (seed == Py_None)
    sal_key_random(&plan.seed);
  else
    sal_key_number(PyLong_AsUnsignedLongLong(seed), &plan.seed);
  if (PyErr_Occurred())
    return NULL;
  sal_table *t = sal_table_new(&plan);
  return t ? table_wrap(type, t) : PyErr_NoMemory();
}

static void table_dealloc(struct table *self) {
  sal_table_free(self->table);
  object_dealloc((PyObject *)self);
}

static PyObject *seats_of(unsigned mask) {
  PyObject *list = PyList_New(0);
  for (int seat = 0; list && seat < SAL_SEATS_MAX; seat++) {
    if (!(mask >> seat & 1))
      continue;
    PyObject *number = PyLong_FromLong(seat);
    if (!number || PyList_Append(list, number) < 0)
      Py_CLEAR(list);
    Py_XDECREF(number);
  }
  return list;
}

static PyObject *table_to_act(struct table *self, PyObject *unused) {
  (void)unused;
  return seats_of(sal_table_to_act(self->table));
}

static PyObject *table_winners(struct table *self, PyObject *unused) {
  (void)unused;
  return seats_of(sal_table_winners(self->table));
}

static int table_seat(struct table *self, PyObject *number, int least,
                      int *seat) {
  const long i = PyLong_AsLong(number);
  if (i == -1 && PyErr_Occurred())
    return -1;
  if (i < least || i >= sal_table_players(self->table)) {
    PyErr_Format(refused, "There is no seat %ld.", i);
    return -1;
  }
  *seat = (int)i;
  return 0;
}

static PyObject *table_legal(struct table *self, PyObject *number) {
  int seat;
  size_t count;
  if (table_seat(self, number, 0, &seat) < 0)
    return NULL;
  const sal_action *legal = sal_table_choices(self->table, seat, &count);
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && i < count; i++) {
    PyObject *text = text_of(sal_table_game(self->table), legal[i]);
    if (!text || PyList_Append(list, text) < 0)
      Py_CLEAR(list);
    Py_XDECREF(text);
  }
  return list;
}

static PyObject *table_act(struct table *self, PyObject *args) {
  PyObject *number;
  const char *text;
  int seat;
  struct sal_refusal why;
  if (!PyArg_ParseTuple(args, "Os", &number, &text) ||
      table_seat(self, number, 0, &seat) < 0)
    return NULL;
  if (sal_table_act(self->table, seat, text, &why))
    return refuse(&why);
  Py_RETURN_NONE;
}

/* Text that a writer of the library makes, as long as it has to be. */
static PyObject *composed(sal_write *write, const void *what) {
  struct sal_buffer b = {0};
  PyObject *text = sal_buffer_compose(&b, write, what, SIZE_MAX)
                       ? PyUnicode_FromString(b.at)
                       : PyErr_NoMemory();
  sal_buffer_free(&b);
  return text;
}

struct telling {
  const sal_table *table;
  int seat;
};

static void tell_table(struct sal_json *j, const void *what) {
  const struct telling *t = what;
  sal_json_object(j, NULL);
  sal_table_tell(t->table, t->seat, 0, &sal_words_plain, j);
  sal_json_end(j, '}');
}

/* All that a seat (-1: a spectator) is told, as JSON. */
static PyObject *table_tell(struct table *self, PyObject *number) {
  int seat;
  if (table_seat(self, number, SAL_SPECTATOR, &seat) < 0)
    return NULL;
  return composed(tell_table, &(struct telling){self->table, seat});
}

static PyObject *table_ask(struct table *self, PyObject *args) {
  PyObject *number;
  const char *level;
  unsigned int simulations = 0;
  double seconds = 0;
  unsigned long long luck = 0;
  int seat, status;
  struct sal_refusal why;
  struct sal_thought thought;
  struct sal_rng rng;
  if (!PyArg_ParseTuple(args, "Os|IdK", &number, &level, &simulations, &seconds,
                        &luck) ||
      table_seat(self, number, 0, &seat) < 0)
    return NULL;
  const struct sal_bot *bot = sal_bot_find(level);
  if (!bot)
    return PyErr_Format(refused, "There is no bot '%s'.", level);
  const struct sal_budget budget = budget_of(simulations, seconds);
  sal_rng_seed(&rng, luck);
  status = sal_table_ask(self->table, seat, bot, &budget, &rng, &thought, &why);
  return status ? refuse(&why)
                : text_of(sal_table_game(self->table), thought.action);
}

static PyObject *table_undo(struct table *self, PyObject *number) {
  int seat;
  struct sal_refusal why;
  if (table_seat(self, number, 0, &seat) < 0)
    return NULL;
  if (sal_table_undo(self->table, seat, &why))
    return refuse(&why);
  Py_RETURN_NONE;
}

static PyObject *table_record(struct table *self, PyObject *secret) {
  const int whole = PyObject_IsTrue(secret);
  char *text = whole < 0 ? NULL : sal_table_record(self->table, whole);
  if (!text)
    return PyErr_Occurred() ? NULL : PyErr_NoMemory();
  PyObject *record = PyUnicode_FromString(text);
  free(text);
  return record;
}

static void tell_review(struct sal_json *j, const void *what) {
  sal_json_object(j, NULL);
  sal_review_tell(what, 0, &sal_words_plain, j);
  sal_json_end(j, '}');
}

/* The review of a game that is over, as JSON (docs/review.md). */
static PyObject *table_review(struct table *self, PyObject *args) {
  struct sal_review_wish wish;
  struct sal_refusal why;
  unsigned int playouts = 0;
  if (!PyArg_ParseTuple(args, "|I", &playouts))
    return NULL;
  if (playouts > SAL_PLAYOUTS_MAX)
    return PyErr_Format(refused, "There are at most %d playouts.",
                        (int)SAL_PLAYOUTS_MAX);
  sal_review_wish_default(sal_table_game(self->table), &wish);
  if (playouts)
    wish.playouts = wish.worlds = playouts;
  sal_review *r = sal_review_new(self->table, &wish, &why);
  if (!r)
    return refuse(&why);
  while (sal_review_next(r))
    ;
  PyObject *text = sal_review_done(r) == sal_review_steps(r)
                       ? composed(tell_review, r)
                       : PyErr_NoMemory();
  sal_review_free(r);
  return text;
}

static PyMethodDef table_methods[] = {
    METHOD("to_act", table_to_act, METH_NOARGS, "The seats that are asked."),
    METHOD("winners", table_winners, METH_NOARGS, "Empty until it is over."),
    METHOD("legal", table_legal, METH_O, "What a seat may do, as texts."),
    METHOD("act", table_act, METH_VARARGS, "act(seat, text): plays."),
    METHOD("tell", table_tell, METH_O, "What a seat is told, as JSON."),
    METHOD(
        "ask", table_ask, METH_VARARGS,
        "ask(seat, level, simulations, seconds, luck): what a bot would do."),
    METHOD("undo", table_undo, METH_O, "Takes back a seat's last action."),
    METHOD("record", table_record, METH_O,
           "The game as text; with a true argument the seed is in it."),
    METHOD("review", table_review, METH_VARARGS,
           "The review of a game that is over, as JSON."),
    {NULL, NULL, 0, NULL}};

static PyType_Slot table_slots[] = {{Py_tp_new, table_new},
                                    {Py_tp_dealloc, table_dealloc},
                                    {Py_tp_methods, table_methods},
                                    {Py_tp_doc, UNCONST("A table.")},
                                    {0, NULL}};
static PyType_Spec table_spec = {"salotto._engine.Table", sizeof(struct table),
                                 0, Py_TPFLAGS_DEFAULT, table_slots};

/* ---- The module ----------------------------------------------------------- */

static PyMethodDef functions[] = {
    METHOD("games", engine_games, METH_NOARGS, "The games, as dicts."),
    {NULL, NULL, 0, NULL}};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT,
                                    "_engine",
                                    "The engine of salotto.",
                                    -1,
                                    functions,
                                    NULL,
                                    NULL,
                                    NULL,
                                    NULL};

static int add_type(PyObject *m, const char *name, PyType_Spec *spec) {
  PyObject *type = PyType_FromSpec(spec);
  const int status = type ? PyModule_AddObjectRef(m, name, type) : -1;
  Py_XDECREF(type);
  return status;
}

PyMODINIT_FUNC PyInit__engine(void);
PyMODINIT_FUNC PyInit__engine(void) {
  PyObject *m = PyModule_Create(&module);
  if (!m)
    return NULL;
  refused = PyErr_NewException("salotto.Refused", PyExc_ValueError, NULL);
  if (!refused || PyModule_AddObjectRef(m, "Refused", refused) < 0 ||
      add_type(m, "State", &state_spec) < 0 ||
      add_type(m, "Batch", &batch_spec) < 0 ||
      add_type(m, "Table", &table_spec) < 0 ||
      PyModule_AddStringConstant(m, "version", sal_version()) < 0) {
    Py_DECREF(m);
    return NULL;
  }
  return m;
}
