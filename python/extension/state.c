/* States.  Nothing here is copied that the state lends: it becomes Python values
 * at once, because the next call ends the loan. */
#include "binding.h"

PyTypeObject *alea_py_state;

/* ---- making ---- */

static void drop_state(part_object *part) {
  state_object *own = (state_object *)part;
  alea_state_free(own->state);
  PyMem_Free(own->joint);
  own->state = NULL;
  own->joint = NULL;
}

/* A state of 'game' that has no alea_state yet. */
static state_object *make(PyTypeObject *type, game_object *game) {
  state_object *own = alea_py_part(type, game, drop_state);
  if (own == NULL) return NULL;
  own->joint = PyMem_Calloc(game->roles + 1, sizeof *own->joint);
  if (own->joint != NULL) return own;
  Py_DECREF((PyObject *)own);
  PyErr_NoMemory();
  return NULL;
}

static PyObject *state_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
  static char *names[] = {"game", "seed", NULL};
  game_object *game;
  uint64_t seed = 0;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!|$O&:State", names, alea_py_game, &game,
                                   alea_py_u64, &seed))
    return NULL;
  state_object *own = make(type, game);
  if (own == NULL) return NULL;
  alea_status status = alea_state_new(&own->state, game->rules, seed);
  if (status == ALEA_OK) return (PyObject *)own;
  alea_py_fail(status, NULL, "no state of %s could be made: %s", alea_ruleset_label(game->rules),
               alea_status_text(status));
  Py_DECREF((PyObject *)own);
  return NULL;
}

/* A state of this type like another one, of the same game. */
static PyObject *clone(PyTypeObject *type, game_object *game, const alea_state *state) {
  state_object *copy = make(type, game);
  if (copy == NULL) return NULL;
  alea_status status = alea_state_clone(&copy->state, state);
  if (status == ALEA_OK) return (PyObject *)copy;
  Py_DECREF((PyObject *)copy);
  return alea_py_fail(status, NULL, "the state could not be cloned: %s", alea_status_text(status));
}

static PyObject *state_clone(PyObject *self, PyObject *Py_UNUSED(none)) {
  state_object *own = (state_object *)self;
  if (own->part.use != PART_FREE) return alea_py_closed(&own->part);
  return clone(Py_TYPE(self), own->part.game, own->state);
}

PyObject *alea_py_wrap_state(game_object *game, const alea_state *state) {
  PyObject *module = PyImport_ImportModule("alea.game");
  PyObject *type = module != NULL ? PyObject_GetAttrString(module, "State") : NULL;
  PyObject *made = type != NULL ? clone((PyTypeObject *)type, game, state) : NULL;
  Py_XDECREF(type);
  Py_XDECREF(module);
  return made;
}

static PyObject *state_copy(PyObject *self, PyObject *other) {
  state_object *own = (state_object *)self, *from = (state_object *)other;
  int right = PyObject_IsInstance(other, (PyObject *)alea_py_state);
  if (right < 0) return NULL;
  if (right == 0) return PyErr_Format(PyExc_TypeError, "copy takes a State, not %R", other);
  if (own->part.use != PART_FREE || from->part.use != PART_FREE)
    return alea_py_closed(own->part.use != PART_FREE ? &own->part : &from->part);
  alea_status status = alea_state_copy(own->state, from->state);
  if (status == ALEA_OK) Py_RETURN_NONE;
  return alea_py_fail(status, NULL, "only a state of the same Game can be copied");
}

/* ---- questions ---- */

/* NULL and an exception if the last question had no full answer. */
static bool answered(const state_object *own) {
  alea_status status = alea_state_status(own->state);
  if (status == ALEA_OK) return true;
  alea_py_fail(status, NULL, "the engine gave up at this position: %s", alea_status_text(status));
  return false;
}

static PyObject *state_terminal(PyObject *self, void *Py_UNUSED(closure)) {
  state_object *own = (state_object *)self;
  if (own->part.use != PART_FREE) return alea_py_closed(&own->part);
  bool terminal = alea_state_terminal(own->state);
  if (!answered(own)) return NULL;
  return PyBool_FromLong(terminal);
}

static PyObject *goal_of(state_object *own, uint32_t role) {
  int goal = alea_state_goal(own->state, role);
  if (!answered(own)) return NULL;
  if (goal < 0) Py_RETURN_NONE;
  return PyLong_FromLong(goal);
}

static PyObject *state_goal(PyObject *self, PyObject *role_value) {
  state_object *own = (state_object *)self;
  uint32_t role;
  if (own->part.use != PART_FREE) return alea_py_closed(&own->part);
  return alea_py_role(own->part.game, role_value, &role) ? goal_of(own, role) : NULL;
}

static PyObject *state_goals(PyObject *self, void *Py_UNUSED(closure)) {
  state_object *own = (state_object *)self;
  if (own->part.use != PART_FREE) return alea_py_closed(&own->part);
  PyObject *made = PyTuple_New((Py_ssize_t)own->part.game->roles);
  for (uint32_t r = 0; made != NULL && r < own->part.game->roles; r++) {
    PyObject *goal = goal_of(own, r);
    if (goal == NULL || PyTuple_SetItem(made, (Py_ssize_t)r, goal) < 0) Py_CLEAR(made);
  }
  return made;
}

static PyObject *state_depth(PyObject *self, void *Py_UNUSED(closure)) {
  state_object *own = (state_object *)self;
  return own->part.use != PART_FREE ? alea_py_closed(&own->part)
                                    : PyLong_FromUnsignedLong(alea_state_depth(own->state));
}

static PyObject *state_hash(PyObject *self, void *Py_UNUSED(closure)) {
  state_object *own = (state_object *)self;
  return own->part.use != PART_FREE ? alea_py_closed(&own->part)
                                    : PyLong_FromUnsignedLongLong(alea_state_hash(own->state));
}

/* The legal moves of a role as numbers or as texts. */
static PyObject *list_legal(PyObject *self, PyObject *role_value, bool as_text) {
  state_object *own = (state_object *)self;
  uint32_t role;
  size_t count;
  if (own->part.use != PART_FREE) return alea_py_closed(&own->part);
  if (!alea_py_role(own->part.game, role_value, &role)) return NULL;
  const alea_move *moves = alea_state_legal(own->state, role, &count);
  if (!answered(own)) return NULL;
  PyObject *made = PyList_New((Py_ssize_t)count);
  for (size_t i = 0; made != NULL && i < count; i++) {
    PyObject *item = as_text ? alea_py_move_text(own->part.game, role, moves[i])
                             : PyLong_FromUnsignedLong(moves[i]);
    if (item == NULL || PyList_SetItem(made, (Py_ssize_t)i, item) < 0) Py_CLEAR(made);
  }
  return made;
}

static PyObject *state_legal(PyObject *self, PyObject *role) {
  return list_legal(self, role, false);
}

static PyObject *state_legal_moves(PyObject *self, PyObject *role) {
  return list_legal(self, role, true);
}

static PyObject *state_is_legal(PyObject *self, PyObject *args) {
  state_object *own = (state_object *)self;
  PyObject *role_value, *move_value;
  uint32_t role;
  alea_move move;
  if (own->part.use != PART_FREE) return alea_py_closed(&own->part);
  if (!PyArg_ParseTuple(args, "OO:is_legal", &role_value, &move_value)) return NULL;
  if (!alea_py_role(own->part.game, role_value, &role)) return NULL;
  if (!alea_py_move(own->part.game, role, move_value, &move)) return NULL;
  bool legal = alea_state_is_legal(own->state, role, move);
  return answered(own) ? PyBool_FromLong(legal) : NULL;
}

static PyObject *state_percepts(PyObject *self, PyObject *role_value) {
  state_object *own = (state_object *)self;
  uint32_t role;
  size_t count;
  if (own->part.use != PART_FREE) return alea_py_closed(&own->part);
  if (!alea_py_role(own->part.game, role_value, &role)) return NULL;
  const char *const *texts = alea_state_percepts(own->state, role, &count);
  return answered(own) ? alea_py_texts(texts, count) : NULL;
}

static PyObject *state_fluents(PyObject *self, PyObject *Py_UNUSED(none)) {
  state_object *own = (state_object *)self;
  size_t count;
  if (own->part.use != PART_FREE) return alea_py_closed(&own->part);
  const char *const *texts = alea_state_fluents(own->state, &count);
  return answered(own) ? alea_py_texts(texts, count) : NULL;
}

static PyObject *state_bits(PyObject *self, PyObject *Py_UNUSED(none)) {
  state_object *own = (state_object *)self;
  size_t words;
  if (own->part.use != PART_FREE) return alea_py_closed(&own->part);
  const uint64_t *bits = alea_state_bits(own->state, &words);
  if (bits == NULL)
    return alea_py_fail(ALEA_UNSUPPORTED, NULL, "%s has no network, so fluents are no bits",
                        alea_ruleset_label(own->part.game->rules));
  return PyBytes_FromStringAndSize((const char *)bits, (Py_ssize_t)(words * sizeof *bits));
}

/* The joint move that led here, or None. */
static PyObject *state_last(PyObject *self, void *Py_UNUSED(closure)) {
  state_object *own = (state_object *)self;
  if (own->part.use != PART_FREE) return alea_py_closed(&own->part);
  const alea_move *joint = alea_state_last(own->state);
  if (joint == NULL) Py_RETURN_NONE;
  PyObject *made = PyTuple_New((Py_ssize_t)own->part.game->roles);
  for (uint32_t r = 0; made != NULL && r < own->part.game->roles; r++) {
    PyObject *text = alea_py_move_text(own->part.game, r, joint[r]);
    if (text == NULL || PyTuple_SetItem(made, (Py_ssize_t)r, text) < 0) Py_CLEAR(made);
  }
  return made;
}

/* ---- moving ---- */

/* Says which of the moves asked for could not be made. */
static PyObject *explain(state_object *own, alea_status status) {
  if (status == ALEA_USAGE) return alea_py_fail(status, NULL, "the game is over");
  if (status == ALEA_NONE)
    return alea_py_fail(status, NULL, "a role that is to move at random has no legal move");
  for (uint32_t r = 0; status == ALEA_INPUT && r < own->part.game->roles; r++) {
    alea_move move = own->joint[r];
    if (move == ALEA_NO_MOVE || alea_state_is_legal(own->state, r, move)) continue;
    PyObject *text = alea_py_move_text(own->part.game, r, move);
    if (text != NULL)
      alea_py_fail(status, NULL, "%s may not play %U here",
                   alea_ruleset_role_name(own->part.game->rules, r), text);
    Py_XDECREF(text);
    return NULL;
  }
  return alea_py_fail(status, NULL, "the step failed: %s", alea_status_text(status));
}

/* The moves of 'apply' given one by one, or as one tuple or list. */
static bool read_joint(state_object *own, PyObject *const *args, Py_ssize_t count) {
  Py_ssize_t roles = (Py_ssize_t)own->part.game->roles;
  PyObject *pack = count == 1 && (PyTuple_Check(args[0]) || PyList_Check(args[0])) ? args[0] : NULL;
  if (pack != NULL) count = PySequence_Size(pack);
  if (count != roles) {
    PyErr_Format(PyExc_TypeError, "apply takes one move per role: %zd, not %zd", roles, count);
    return false;
  }
  bool good = true;
  for (Py_ssize_t r = 0; good && r < roles; r++) {
    PyObject *value = pack != NULL ? PySequence_GetItem(pack, r) : Py_NewRef(args[r]);
    good = value != NULL && alea_py_move(own->part.game, (uint32_t)r, value, &own->joint[r]);
    Py_XDECREF(value);
  }
  return good;
}

static PyObject *state_apply(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  state_object *own = (state_object *)self;
  if (own->part.use != PART_FREE) return alea_py_closed(&own->part);
  if (count > 0 && !read_joint(own, args, count)) return NULL;
  if (own->part.use != PART_FREE)
    return alea_py_closed(&own->part); /* reading may have run other threads */
  alea_status status = alea_state_step(own->state, count > 0 ? own->joint : NULL);
  if (status != ALEA_OK) return explain(own, status);
  Py_RETURN_NONE;
}

static PyObject *state_undo(PyObject *self, PyObject *Py_UNUSED(none)) {
  state_object *own = (state_object *)self;
  if (own->part.use != PART_FREE) return alea_py_closed(&own->part);
  alea_status status = alea_state_undo(own->state);
  if (status == ALEA_OK) Py_RETURN_NONE;
  if (status == ALEA_NONE) return alea_py_fail(status, NULL, "there is no step to undo");
  return alea_py_fail(status, NULL, "undoing failed: %s", alea_status_text(status));
}

static PyObject *state_reset(PyObject *self, PyObject *Py_UNUSED(none)) {
  state_object *own = (state_object *)self;
  if (own->part.use != PART_FREE) return alea_py_closed(&own->part);
  alea_status status = alea_state_reset(own->state);
  if (status == ALEA_OK) Py_RETURN_NONE;
  return alea_py_fail(status, NULL, "resetting failed: %s", alea_status_text(status));
}

static PyObject *state_seed(PyObject *self, PyObject *value) {
  state_object *own = (state_object *)self;
  uint64_t seed;
  if (!alea_py_u64(value, &seed)) return NULL;
  if (own->part.use != PART_FREE) return alea_py_closed(&own->part);
  alea_state_seed(own->state, seed);
  Py_RETURN_NONE;
}

static PyObject *state_play_out(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"steps", NULL};
  state_object *own = (state_object *)self;
  uint32_t steps = 0;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O&:play_out", names, alea_py_u32, &steps))
    return NULL;
  if (own->part.use != PART_FREE) return alea_py_closed(&own->part);
  own->part.use = PART_BUSY;
  PyThreadState *thread = PyEval_SaveThread();
  alea_status status = alea_state_playout(own->state, steps);
  PyEval_RestoreThread(thread);
  own->part.use = PART_FREE;
  if (status == ALEA_OK) return state_goals(self, NULL);
  if (status == ALEA_LIMIT)
    return alea_py_fail(status, NULL, "the end was not reached within the steps allowed");
  return explain(own, status);
}

/* ---- keeping positions ---- */

static PyObject *no_network(const state_object *own) {
  return alea_py_fail(ALEA_UNSUPPORTED, NULL, "%s has no network: positions cannot be written",
                      alea_ruleset_label(own->part.game->rules));
}

static PyObject *state_save(PyObject *self, PyObject *Py_UNUSED(none)) {
  state_object *own = (state_object *)self;
  if (own->part.use != PART_FREE) return alea_py_closed(&own->part);
  size_t size = alea_state_save(own->state, NULL, 0);
  if (size == 0) return no_network(own);
  PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
  if (bytes != NULL) alea_state_save(own->state, PyBytes_AsString(bytes), size);
  return bytes;
}

static PyObject *state_load(PyObject *self, PyObject *value) {
  state_object *own = (state_object *)self;
  Py_buffer view;
  if (PyObject_GetBuffer(value, &view, PyBUF_SIMPLE) < 0) return NULL;
  if (own->part.use != PART_FREE) {
    PyBuffer_Release(&view);
    return alea_py_closed(&own->part);
  }
  alea_status status = alea_state_load(own->state, view.buf, (size_t)view.len);
  PyBuffer_Release(&view);
  if (status == ALEA_OK) Py_RETURN_NONE;
  if (status == ALEA_UNSUPPORTED) return no_network(own);
  return alea_py_fail(status, NULL, "these bytes are no position of %s",
                      alea_ruleset_label(own->part.game->rules));
}

/* 'texts' is filled with what the strings of the tuple lend. */
static bool lend_texts(PyObject *tuple, const char **texts, Py_ssize_t count) {
  for (Py_ssize_t i = 0; i < count; i++) {
    PyObject *item = PyTuple_GetItem(tuple, i);
    if (!PyUnicode_Check(item)) {
      PyErr_Format(PyExc_TypeError, "a fluent is a text, not %R", item);
      return false;
    }
    texts[i] = alea_py_chars(item);
    if (texts[i] == NULL) return false;
  }
  return true;
}

static PyObject *enter(state_object *own, PyObject *tuple, const char **texts) {
  size_t wrong = 0;
  if (own->part.use != PART_FREE) return alea_py_closed(&own->part);
  alea_status status =
      alea_state_set_fluents(own->state, texts, (size_t)PyTuple_Size(tuple), &wrong);
  if (status == ALEA_OK) Py_RETURN_NONE;
  if (status == ALEA_UNSUPPORTED) return no_network(own);
  if (status != ALEA_INPUT)
    return alea_py_fail(status, NULL, "the position was not set: %s", alea_status_text(status));
  return alea_py_fail(status, NULL, "%s has no fluent %R",
                      alea_ruleset_label(own->part.game->rules),
                      PyTuple_GetItem(tuple, (Py_ssize_t)wrong));
}

static PyObject *state_set_fluents(PyObject *self, PyObject *value) {
  PyObject *tuple = PySequence_Tuple(value), *result = NULL;
  if (tuple == NULL) return NULL;
  const char **texts = PyMem_Calloc((size_t)PyTuple_Size(tuple) + 1, sizeof *texts);
  if (texts == NULL)
    PyErr_NoMemory();
  else if (lend_texts(tuple, texts, PyTuple_Size(tuple)))
    result = enter((state_object *)self, tuple, texts);
  PyMem_Free(texts);
  Py_DECREF(tuple);
  return result;
}

/* ---- the type ---- */

static PyMethodDef methods[] = {
    {"legal", state_legal, METH_O,
     "legal($self, role, /)\n--\n\nThe legal moves of a role as numbers: a list.\n\n"
     ">>> len(Game('tictactoe').state().legal(0))\n9\n"},
    {"legal_moves", state_legal_moves, METH_O,
     "legal_moves($self, role, /)\n--\n\nThe legal moves of a role as texts: a list.\n\n"
     ">>> Game('tictactoe').state().legal_moves('oplayer')\n['noop']\n"},
    {"is_legal", state_is_legal, METH_VARARGS,
     "is_legal($self, role, move, /)\n--\n\nWhether a role may play a move here.\n\n"
     "Where moves have real parameters, more are legal than `legal` lists.\n"},
    {"apply", (PyCFunction)(void (*)(void))state_apply, METH_FASTCALL,
     "apply($self, /, *moves)\n--\n\nPlays one move per role, in the order of roles.\n\n"
     "A move is its number, its text, or None for one drawn at random.  Without\n"
     "arguments all are drawn.  Numbers are fastest.\n\n"
     ">>> state = Game('tictactoe').state()\n"
     ">>> state.apply('(mark 2 2)', 'noop')\n"
     ">>> state.apply('noop', '(mark 2 2)')\n"
     "Traceback (most recent call last):\n...\n"
     "alea.errors.AleaError: oplayer may not play (mark 2 2) here\n"},
    {"undo", state_undo, METH_NOARGS,
     "undo($self, /)\n--\n\nTakes back the last step.\n\n"
     "Random numbers are not drawn again.\n"},
    {"reset", state_reset, METH_NOARGS,
     "reset($self, /)\n--\n\nBack to the initial position; random numbers go on.\n"},
    {"seed", state_seed, METH_O,
     "seed($self, seed, /)\n--\n\nRandom numbers are drawn anew from a seed.\n"},
    {"play_out", (PyCFunction)(void (*)(void))state_play_out, METH_VARARGS | METH_KEYWORDS,
     "play_out($self, steps=0)\n--\n\nPlays at random to the end and returns the goals.\n\n"
     "More than `steps` steps (0: 10,000) are an error.  Steps can be undone.\n\n"
     ">>> sum(Game('tictactoe').state(seed=1).play_out())\n100\n"},
    {"clone", state_clone, METH_NOARGS,
     "clone($self, /)\n--\n\nA second state like this one, with its history and seed.\n"},
    {"copy_from", state_copy, METH_O,
     "copy_from($self, other, /)\n--\n\nTo the position and history of another state.\n"},
    {"goal", state_goal, METH_O,
     "goal($self, role, /)\n--\n\nThe goal of a role here, 0 to 100, or None.\n"},
    {"percepts", state_percepts, METH_O,
     "percepts($self, role, /)\n--\n\nWhat a role was told with this position: a list of texts.\n"},
    {"fluents", state_fluents, METH_NOARGS,
     "fluents($self, /)\n--\n\nThe fluents that hold, as texts in ascending order: a list.\n\n"
     ">>> Game('tictactoe').state().fluents()[-1]\n'(control xplayer)'\n"},
    {"bits", state_bits, METH_NOARGS,
     "bits($self, /)\n--\n\nThe fluents that hold, as bytes: words of 64 bits in the byte order\n"
     "of the machine, as Batch.load wants them.\n"},
    {"save", state_save, METH_NOARGS,
     "save($self, /)\n--\n\nThe position as bytes, the same on every machine.\n"},
    {"load", state_load, METH_O,
     "load($self, data, /)\n--\n\nTo a position that `save` wrote; history is forgotten.\n"},
    {"set_fluents", state_set_fluents, METH_O,
     "set_fluents($self, fluents, /)\n--\n\nTo the position in which exactly these fluents "
     "hold.\n"},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef members[] = {
    {"game", alea_py_part_game, NULL, "The game that it is a state of.", NULL},
    {"terminal", state_terminal, NULL, "Whether the game is over here.", NULL},
    {"goals", state_goals, NULL,
     "The goals of all roles here, 0 to 100, or None: a tuple.  Meant for the end.", NULL},
    {"depth", state_depth, NULL, "Joint moves since the initial position.", NULL},
    {"hash", state_hash, NULL, "A number of 64 bits; equal positions have equal ones.", NULL},
    {"last", state_last, NULL, "The joint move that led here: a tuple of texts, or None.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

bool alea_py_add_state(PyObject *module) {
  static PyType_Slot slots[] = {
      {Py_tp_new, (void *)state_new},
      {Py_tp_dealloc, (void *)alea_py_part_dealloc},
      {Py_tp_traverse, (void *)alea_py_part_traverse},
      {Py_tp_methods, methods},
      {Py_tp_getset, members},
      {0, NULL},
  };
  static PyType_Spec spec = {"alea._alea.State", sizeof(state_object), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};
  return alea_py_add_type(module, &alea_py_state, &spec, "State");
}
