/* Agents: a player, named with its options, at one role of a game.
 *
 * Thinking gives up the lock of the interpreter.  Meanwhile the agent is busy for
 * everything but 'stop' and 'analysis', which any thread may call. */
#include "interrupt.h"

PyTypeObject *alea_py_agent;

enum { MOST_CHOICES = 4096 };

typedef struct agent_object {
  part_object part;
  alea_agent *agent;
  uint32_t role;
} agent_object;

static void drop_agent(part_object *part) {
  agent_object *own = (agent_object *)part;
  alea_agent_free(own->agent);
  own->agent = NULL;
}

static PyObject *agent_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
  static char *names[] = {"player", "game", "role", "seed", "memory", "evaluation", NULL};
  const char *player;
  game_object *game;
  PyObject *role = NULL;
  uint64_t memory = 0;
  alea_agent_options options = {.size = sizeof options};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "sO!|O$O&O&z:Agent", names, &player,
                                   alea_py_game, &game, &role, alea_py_u64, &options.seed,
                                   alea_py_u64, &memory, &options.evaluation))
    return NULL;
  agent_object *own = alea_py_part(type, game, drop_agent);
  if (own == NULL) return NULL;
  if (role == NULL || alea_py_role(game, role, &own->role)) {
    alea_diagnostics *list = NULL;
    options.role = own->role;
    options.memory = (size_t)memory;
    bool outer = alea_py_catch();
    alea_status status = alea_agent_new(&own->agent, game->rules, player, &options, &list);
    PyObject *diagnostics = alea_py_diagnostics(list);
    if (alea_py_catch_end(outer) && diagnostics != NULL && status != ALEA_OK)
      alea_py_fail(status, diagnostics, "player '%s' does not play %s", player,
                   alea_ruleset_label(game->rules));
    Py_XDECREF(diagnostics);
    if (!PyErr_Occurred()) return (PyObject *)own;
  }
  Py_DECREF((PyObject *)own);
  return NULL;
}

/* ---- thinking ---- */

static void stop_agent(void *agent) { alea_agent_stop(agent); }

/* Runs alea_agent_start (move NULL) or alea_agent_think; false with an exception. */
static bool run(agent_object *own, PyObject *args, PyObject *keywords, alea_move *move) {
  static char *names[] = {"seconds", "sims", NULL};
  alea_agent_budget budget = {.size = sizeof budget};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$dO&", names, &budget.seconds, alea_py_u64,
                                   &budget.sims))
    return false;
  if (own->part.use != PART_FREE) {
    alea_py_closed(&own->part);
    return false;
  }
  if (budget.sims == 0 && budget.seconds <= 0) { /* for ever, in C */
    if (move == NULL) budget.sims = 1;
    if (move != NULL) budget.seconds = 1;
  }
  bool outer = alea_py_catch();
  interrupt_scope scope;
  own->part.use = PART_BUSY;
  alea_py_interrupt_begin(&scope, stop_agent, own->agent);
  PyThreadState *thread = PyEval_SaveThread();
  alea_status status = move == NULL ? alea_agent_start(own->agent, &budget)
                                    : alea_agent_think(own->agent, &budget, move);
  PyEval_RestoreThread(thread);
  own->part.use = PART_FREE;
  bool free = alea_py_interrupt_end(&scope);
  if (!alea_py_catch_end(outer) || !free) return false;
  if (status == ALEA_NONE)
    alea_py_fail(status, NULL, "there is no legal move, or the player knows of none");
  else if (status != ALEA_OK)
    alea_py_fail(status, NULL, "the player found no move: %s", alea_status_text(status));
  return status == ALEA_OK;
}

static PyObject *agent_start(PyObject *self, PyObject *args, PyObject *keywords) {
  if (!run((agent_object *)self, args, keywords, NULL)) return NULL;
  Py_RETURN_NONE;
}

static PyObject *agent_think(PyObject *self, PyObject *args, PyObject *keywords) {
  agent_object *own = (agent_object *)self;
  alea_move move;
  if (!run(own, args, keywords, &move)) return NULL;
  return alea_py_move_text(own->part.game, own->role, move);
}

static PyObject *agent_stop(PyObject *self, PyObject *Py_UNUSED(none)) {
  agent_object *own = (agent_object *)self;
  if (own->part.use == PART_OVER) return alea_py_closed(&own->part);
  alea_agent_stop(own->agent);
  Py_RETURN_NONE;
}

static PyObject *agent_follow(PyObject *self, PyObject *value) {
  agent_object *own = (agent_object *)self;
  state_object *state = (state_object *)value;
  int right = PyObject_IsInstance(value, (PyObject *)alea_py_state);
  if (right < 0) return NULL;
  if (right == 0) return PyErr_Format(PyExc_TypeError, "follow takes a State, not %R", value);
  if (own->part.use != PART_FREE) return alea_py_closed(&own->part);
  if (state->part.use != PART_FREE) return alea_py_closed(&state->part);
  bool outer = alea_py_catch();
  alea_status status = alea_agent_follow(own->agent, state->state);
  if (!alea_py_catch_end(outer)) return NULL;
  if (status == ALEA_OK) Py_RETURN_NONE;
  if (status == ALEA_USAGE)
    return alea_py_fail(status, NULL, "follow needs a state of the same Game, after a step");
  return alea_py_fail(status, NULL, "the player lost track: %s", alea_status_text(status));
}

/* ---- analysis ---- */

static PyObject *one_choice(const agent_object *own, const alea_choice *choice) {
  PyObject *text = alea_py_move_text(own->part.game, own->role, choice->move);
  if (text == NULL) return NULL;
  return Py_BuildValue("(NKdz)", text, (unsigned long long)choice->visits, choice->value,
                       alea_proof_text(choice->proof));
}

/* (value, proof, sims, nodes, choices) */
static PyObject *agent_analysis(PyObject *self, PyObject *Py_UNUSED(none)) {
  agent_object *own = (agent_object *)self;
  if (own->part.use == PART_OVER) return alea_py_closed(&own->part);
  alea_agent_report report = {.size = sizeof report};
  alea_choice *choices = PyMem_Calloc(MOST_CHOICES, sizeof *choices);
  if (choices == NULL) return PyErr_NoMemory();
  size_t count = alea_agent_analysis(own->agent, choices, MOST_CHOICES, &report);
  if (count > MOST_CHOICES) count = MOST_CHOICES;
  PyObject *list = PyList_New((Py_ssize_t)count);
  for (size_t i = 0; list != NULL && i < count; i++) {
    PyObject *item = one_choice(own, &choices[i]);
    if (item == NULL || PyList_SetItem(list, (Py_ssize_t)i, item) < 0) Py_CLEAR(list);
  }
  PyMem_Free(choices);
  if (list == NULL) return NULL;
  return Py_BuildValue("(dzKKN)", report.value, alea_proof_text(report.proof),
                       (unsigned long long)report.sims, (unsigned long long)report.nodes, list);
}

static PyObject *agent_role(PyObject *self, void *Py_UNUSED(closure)) {
  return PyLong_FromUnsignedLong(((agent_object *)self)->role);
}

static PyMethodDef methods[] = {
    {"start", (PyCFunction)(void (*)(void))agent_start, METH_VARARGS | METH_KEYWORDS,
     "start($self, /, *, seconds=0, sims=0)\n--\n\nThe match begins; the player may think "
     "ahead.\n\n"
     "Without a limit it does not.\n"},
    {"think", (PyCFunction)(void (*)(void))agent_think, METH_VARARGS | METH_KEYWORDS,
     "think($self, /, *, seconds=0, sims=0)\n--\n\nChooses a move for the present position: its "
     "text.\n\nIt ends at the first limit (without any, after a second), or by `stop` from\n"
     "another thread.  A signal that Python handles, such as Ctrl-C, ends it too: the\n"
     "handler runs, and unless it raises, the best move so far counts.\n"},
    {"stop", agent_stop, METH_NOARGS,
     "stop($self, /)\n--\n\nEnds thinking early, from any thread; the best move so far counts.\n"},
    {"follow", agent_follow, METH_O,
     "follow($self, state, /)\n--\n\nTells the player of the last step of a state of its game.\n"},
    {"_analysis", agent_analysis, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef members[] = {
    {"game", alea_py_part_game, NULL, "The game that it plays.", NULL},
    {"role", agent_role, NULL, "The number of its role.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

bool alea_py_add_agent(PyObject *module) {
  static PyType_Slot slots[] = {
      {Py_tp_new, (void *)agent_new},
      {Py_tp_dealloc, (void *)alea_py_part_dealloc},
      {Py_tp_traverse, (void *)alea_py_part_traverse},
      {Py_tp_methods, methods},
      {Py_tp_getset, members},
      {0, NULL},
  };
  static PyType_Spec spec = {"alea._alea.Agent", sizeof(agent_object), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};
  return alea_py_add_type(module, &alea_py_agent, &spec, "Agent");
}
