/* Games. */
#include "binding.h"

PyTypeObject *alea_py_game;

enum { TEXT_SIZE = 256 };

static void game_dealloc(PyObject *self) {
  game_object *game = (game_object *)self;
  alea_ruleset_free(game->rules);
  Py_XDECREF(game->diagnostics);
  Py_XDECREF(game->texts);
  alea_py_end(self);
}

/* ---- opening ---- */

typedef struct game_source {
  const char *name, *text;
  Py_ssize_t length;
  alea_ruleset_options options;
} game_source;

static bool read_arguments(PyObject *args, PyObject *keywords, game_source *source) {
  static char *names[] = {"name", "text", "engine", "seconds", "memory", "strict", NULL};
  uint64_t memory = 0;
  int strict = 0;
  source->options.size = sizeof source->options;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "s|$z#zdO&p:Game", names, &source->name,
                                   &source->text, &source->length, &source->options.engine,
                                   &source->options.seconds, alea_py_u64, &memory, &strict))
    return false;
  source->options.memory = (size_t)memory;
  source->options.strict = strict != 0;
  return true;
}

static alea_status open_rules(game_object *game, const game_source *source,
                              alea_diagnostics **diagnostics) {
  PyThreadState *thread = PyEval_SaveThread();
  alea_status status =
      source->text == NULL
          ? alea_ruleset_open(&game->rules, source->name, &source->options, diagnostics)
          : alea_ruleset_read(&game->rules, source->name, source->text, (size_t)source->length,
                              &source->options, diagnostics);
  PyEval_RestoreThread(thread);
  return status;
}

/* Says what is wrong: the first error where there is one. */
static PyObject *refuse(const game_object *game, const game_source *source, alea_status status) {
  if (PyList_Size(game->diagnostics) > 0)
    return alea_py_fail(status, game->diagnostics, "%s: the rules cannot be played", source->name);
  if (status == ALEA_USAGE)
    return alea_py_fail(status, NULL,
                        "there is no game or file '%s', or no engine of that name; "
                        "alea.shipped_games() lists the games",
                        source->name);
  return alea_py_fail(status, NULL, "%s cannot be opened: %s", source->name,
                      alea_status_text(status));
}

static bool prepare_texts(game_object *game) {
  game->roles = alea_ruleset_role_count(game->rules);
  game->texts = PyList_New(0);
  for (uint32_t r = 0; game->texts != NULL && r < game->roles; r++) {
    PyObject *of_role = PyDict_New();
    if (of_role == NULL || PyList_Append(game->texts, of_role) < 0) Py_CLEAR(game->texts);
    Py_XDECREF(of_role);
  }
  return game->texts != NULL;
}

static PyObject *game_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
  game_source source = {0};
  alea_diagnostics *diagnostics = NULL;
  if (!read_arguments(args, keywords, &source)) return NULL;
  game_object *game = alea_py_make(type);
  if (game == NULL) return NULL;
  alea_status status = open_rules(game, &source, &diagnostics);
  game->diagnostics = alea_py_diagnostics(diagnostics);
  bool good = game->diagnostics != NULL;
  if (good && status != ALEA_OK) good = refuse(game, &source, status) != NULL;
  if (good && prepare_texts(game)) return (PyObject *)game;
  Py_DECREF((PyObject *)game);
  return NULL;
}

game_object *alea_py_lend(alea_ruleset *rules) {
  PyObject *module = PyImport_ImportModule("alea.game");
  PyObject *type = module != NULL ? PyObject_GetAttrString(module, "Game") : NULL;
  game_object *game = type != NULL ? alea_py_make((PyTypeObject *)type) : NULL;
  Py_XDECREF(type);
  Py_XDECREF(module);
  if (game == NULL) return NULL;
  game->rules = alea_ruleset_share(rules);
  game->lent = true;
  game->diagnostics = PyList_New(0);
  if (game->diagnostics != NULL && prepare_texts(game)) return game;
  Py_DECREF((PyObject *)game);
  return NULL;
}

/* ---- texts ---- */

PyObject *alea_py_move_text(const game_object *game, uint32_t role, alea_move move) {
  PyObject *of_role = PyList_GetItem(game->texts, (Py_ssize_t)role);
  PyObject *number = PyLong_FromUnsignedLong(move);
  PyObject *text = number != NULL ? PyDict_GetItemWithError(of_role, number) : NULL;
  Py_XINCREF(text);
  if (text == NULL && !PyErr_Occurred()) {
    char small[TEXT_SIZE], *buffer = small;
    size_t length = alea_ruleset_move_text(game->rules, role, move, small, sizeof small);
    if (length >= sizeof small) buffer = PyMem_Malloc(length + 1);
    if (buffer == NULL) PyErr_NoMemory();
    if (buffer != NULL && buffer != small)
      alea_ruleset_move_text(game->rules, role, move, buffer, length + 1);
    if (buffer != NULL) text = PyUnicode_FromStringAndSize(buffer, (Py_ssize_t)length);
    if (buffer != small) PyMem_Free(buffer);
    if (text != NULL && PyDict_SetItem(of_role, number, text) < 0) Py_CLEAR(text);
  }
  Py_XDECREF(number);
  return text;
}

static PyObject *game_move_text(PyObject *self, PyObject *args) {
  game_object *game = (game_object *)self;
  if (game->rules == NULL) return alea_py_over();
  PyObject *role_value, *move_value;
  uint32_t role;
  alea_move move;
  if (!PyArg_ParseTuple(args, "OO:move_text", &role_value, &move_value)) return NULL;
  if (!alea_py_role(game, role_value, &role) || !alea_py_move(game, role, move_value, &move))
    return NULL;
  if (move == ALEA_NO_MOVE) Py_RETURN_NONE;
  return alea_py_move_text(game, role, move);
}

static PyObject *game_move_number(PyObject *self, PyObject *args) {
  game_object *game = (game_object *)self;
  if (game->rules == NULL) return alea_py_over();
  PyObject *role_value, *move_value;
  uint32_t role;
  alea_move move;
  if (!PyArg_ParseTuple(args, "OU:move_number", &role_value, &move_value)) return NULL;
  if (!alea_py_role(game, role_value, &role) || !alea_py_move(game, role, move_value, &move))
    return NULL;
  return PyLong_FromUnsignedLong(move);
}

static PyObject *game_moves(PyObject *self, PyObject *role_value) {
  game_object *game = (game_object *)self;
  if (game->rules == NULL) return alea_py_over();
  uint32_t role;
  if (!alea_py_role(game, role_value, &role)) return NULL;
  uint32_t count = alea_ruleset_move_count(game->rules, role);
  PyObject *made = PyList_New((Py_ssize_t)count);
  for (uint32_t m = 0; made != NULL && m < count; m++) {
    PyObject *text = alea_py_move_text(game, role, m);
    if (text == NULL || PyList_SetItem(made, (Py_ssize_t)m, text) < 0) Py_CLEAR(made);
  }
  return made;
}

/* Things that the network numbers: fluents, percepts. */
typedef size_t text_writer(const alea_ruleset *rules, uint32_t number, char *buffer, size_t size);

static PyObject *text_of(const game_object *game, uint32_t number, text_writer *write) {
  char small[TEXT_SIZE];
  size_t length = write(game->rules, number, small, sizeof small);
  if (length < sizeof small) return PyUnicode_FromStringAndSize(small, (Py_ssize_t)length);
  char *buffer = PyMem_Malloc(length + 1);
  if (buffer == NULL) return PyErr_NoMemory();
  write(game->rules, number, buffer, length + 1);
  PyObject *text = PyUnicode_FromStringAndSize(buffer, (Py_ssize_t)length);
  PyMem_Free(buffer);
  return text;
}

static PyObject *texts_of(const game_object *game, uint32_t count, text_writer *write) {
  PyObject *made = PyList_New((Py_ssize_t)count);
  for (uint32_t i = 0; made != NULL && i < count; i++) {
    PyObject *text = text_of(game, i, write);
    if (text == NULL || PyList_SetItem(made, (Py_ssize_t)i, text) < 0) Py_CLEAR(made);
  }
  return made;
}

static PyObject *game_fluents(PyObject *self, PyObject *Py_UNUSED(none)) {
  const game_object *game = (game_object *)self;
  if (game->rules == NULL) return alea_py_over();
  return texts_of(game, alea_ruleset_fluent_count(game->rules), alea_ruleset_fluent_text);
}

static PyObject *game_percepts(PyObject *self, PyObject *Py_UNUSED(none)) {
  const game_object *game = (game_object *)self;
  if (game->rules == NULL) return alea_py_over();
  return texts_of(game, alea_ruleset_percept_count(game->rules), alea_ruleset_percept_text);
}

static PyObject *game_fluent_number(PyObject *self, PyObject *value) {
  game_object *game = (game_object *)self;
  if (game->rules == NULL) return alea_py_over();
  const char *text = alea_py_chars(value);
  if (text == NULL) return NULL;
  uint32_t fluent = alea_ruleset_fluent_find(game->rules, text);
  if (fluent == ALEA_NO_FLUENT)
    return alea_py_fail(ALEA_INPUT, NULL, "%s has no fluent %R", alea_ruleset_label(game->rules),
                        value);
  return PyLong_FromUnsignedLong(fluent);
}

/* ---- what a game is ---- */

/* The rules of a game that is asked for something; NULL with an exception set. */
static const alea_ruleset *rules_of(PyObject *self) {
  game_object *game = (game_object *)self;
  if (game->rules == NULL) alea_py_over();
  return game->rules;
}

static PyObject *game_label(PyObject *self, void *Py_UNUSED(closure)) {
  const alea_ruleset *rules = rules_of(self);
  return rules != NULL ? PyUnicode_FromString(alea_ruleset_label(rules)) : NULL;
}

static PyObject *game_engine(PyObject *self, void *Py_UNUSED(closure)) {
  const alea_ruleset *rules = rules_of(self);
  return rules != NULL ? PyUnicode_FromString(alea_ruleset_engine(rules)) : NULL;
}

static PyObject *game_kind(PyObject *self, void *Py_UNUSED(closure)) {
  const alea_ruleset *rules = rules_of(self);
  return rules != NULL ? PyLong_FromUnsignedLong(alea_ruleset_kind(rules)) : NULL;
}

static PyObject *game_random_role(PyObject *self, void *Py_UNUSED(closure)) {
  const alea_ruleset *rules = rules_of(self);
  if (rules == NULL) return NULL;
  int role = alea_ruleset_random_role(rules);
  if (role < 0) Py_RETURN_NONE;
  return PyLong_FromLong(role);
}

static PyObject *game_roles(PyObject *self, void *Py_UNUSED(closure)) {
  const alea_ruleset *rules = rules_of(self);
  if (rules == NULL) return NULL;
  uint32_t count = alea_ruleset_role_count(rules);
  PyObject *made = PyTuple_New((Py_ssize_t)count);
  for (uint32_t r = 0; made != NULL && r < count; r++) {
    PyObject *name = PyUnicode_FromString(alea_ruleset_role_name(rules, r));
    if (name == NULL || PyTuple_SetItem(made, (Py_ssize_t)r, name) < 0) Py_CLEAR(made);
  }
  return made;
}

static PyObject *game_fluent_count(PyObject *self, void *Py_UNUSED(closure)) {
  const alea_ruleset *rules = rules_of(self);
  return rules != NULL ? PyLong_FromUnsignedLong(alea_ruleset_fluent_count(rules)) : NULL;
}

static PyObject *game_diagnostics(PyObject *self, void *Py_UNUSED(closure)) {
  return Py_NewRef(((game_object *)self)->diagnostics);
}

static PyMethodDef methods[] = {
    {"moves", game_moves, METH_O,
     "moves($self, role, /)\n--\n\nThe texts of all moves of a role, by their numbers.\n\n"
     "All of them with a network; those met so far without one.\n\n"
     ">>> Game('tictactoe').moves('xplayer')[-1]\n'(mark 3 3)'\n"},
    {"move_text", game_move_text, METH_VARARGS,
     "move_text($self, role, move, /)\n--\n\nThe text of a move that is given by its number.\n\n"
     ">>> game = Game('tictactoe')\n"
     ">>> game.move_text(0, game.move_number(0, '( MARK 2  2 )'))\n'(mark 2 2)'\n"},
    {"move_number", game_move_number, METH_VARARGS,
     "move_number($self, role, text, /)\n--\n\nThe number of a move that is given by its text.\n"},
    {"fluents", game_fluents, METH_NOARGS,
     "fluents($self, /)\n--\n\nThe texts of all fluents, by their numbers.\n\n"
     "Empty for a game without a network.\n\n"
     ">>> Game('tictactoe').fluents()[0]\n'(cell 1 1 b)'\n"},
    {"percepts", game_percepts, METH_NOARGS,
     "percepts($self, /)\n--\n\nThe texts of all percepts, by their numbers in "
     "`Batch.percepts`.\n\n"
     "Without a network, or where nobody is told anything, the list is empty.\n\n"
     ">>> Game('guess-dice').percepts()\n['(phase guess)', '(phase over)']\n"},
    {"fluent_number", game_fluent_number, METH_O,
     "fluent_number($self, text, /)\n--\n\nThe number of a fluent that is given by its text.\n"},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef members[] = {
    {"label", game_label, NULL, "The name or path by which it was opened.", NULL},
    {"engine", game_engine, NULL, "What plays it: 'net', 'prover' or 'toss'.", NULL},
    {"_kind", game_kind, NULL, NULL, NULL},
    {"random_role", game_random_role, NULL, "The number of the role played by chance, or None.",
     NULL},
    {"roles", game_roles, NULL, "The names of the roles, in their order: a tuple.", NULL},
    {"fluent_count", game_fluent_count, NULL,
     "How many fluents the network has; 0 without a network.", NULL},
    {"_diagnostics", game_diagnostics, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

bool alea_py_add_game(PyObject *module) {
  static PyType_Slot slots[] = {
      {Py_tp_new, (void *)game_new},
      {Py_tp_dealloc, (void *)game_dealloc},
      {Py_tp_methods, methods},
      {Py_tp_getset, members},
      {0, NULL},
  };
  static PyType_Spec spec = {"alea._alea.Game", sizeof(game_object), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  return alea_py_add_type(module, &alea_py_game, &spec, "Game");
}
