/* Players written in Python, registered with the library under a name.
 *
 * The library calls them in any thread, so each call takes the lock of the
 * interpreter.  A guest is made by calling the registered object with a game, a
 * role, a seed and options; it has the methods '_think' and '_observe', see
 * alea/player.py. */
#include "binding.h"

#include <stdlib.h>
#include <string.h>

typedef struct guest {
  PyObject *player;
  game_object *game;
  uint32_t role;
} guest;

/* ---- whether to stop: a function that is valid during one call of '_think' ---- */

typedef struct stopper {
  bool (*stop)(void *context); /* NULL after the call */
  void *context;
} stopper;

static void stopper_free(PyObject *capsule) { PyMem_Free(PyCapsule_GetPointer(capsule, NULL)); }

static PyObject *ask_stopper(PyObject *capsule, PyObject *Py_UNUSED(none)) {
  const stopper *own = PyCapsule_GetPointer(capsule, NULL);
  if (own == NULL) return NULL;
  return PyBool_FromLong(own->stop == NULL || own->stop(own->context));
}

static PyMethodDef stop_method = {
    "stop", ask_stopper, METH_NOARGS,
    "stop()\n--\n\nWhether the time is over, or somebody asks for the move.\n"};

static PyObject *make_stopper(stopper **made, bool (*stop)(void *), void *context) {
  *made = PyMem_Malloc(sizeof **made);
  if (*made == NULL) return PyErr_NoMemory();
  **made = (stopper){stop, context};
  PyObject *capsule = PyCapsule_New(*made, NULL, stopper_free);
  if (capsule == NULL) {
    PyMem_Free(*made);
    return NULL;
  }
  PyObject *function = PyCFunction_New(&stop_method, capsule);
  Py_DECREF(capsule);
  return function;
}

/* ---- the functions of the class ---- */

/* What a call that failed means to the library. */
static alea_status give_up(PyObject *where) {
  alea_py_caught(where);
  return ALEA_NONE;
}

static void guest_release(guest *own) {
  Py_XDECREF(own->player);
  if (own->game != NULL) alea_py_recall(own->game);
  Py_XDECREF((PyObject *)own->game);
  PyMem_Free(own);
}

static alea_status guest_make(void *context, const alea_agent_seat *seat, void **self) {
  PyGILState_STATE lock = PyGILState_Ensure();
  guest *own = PyMem_Calloc(1, sizeof *own);
  if (own != NULL) own->game = alea_py_lend(seat->rules);
  if (own != NULL && own->game != NULL) {
    own->role = seat->role;
    own->player =
        PyObject_CallFunction(context, "OIKs", (PyObject *)own->game, (unsigned)seat->role,
                              (unsigned long long)seat->seed, seat->options);
  }
  alea_status status = own != NULL && own->player != NULL ? ALEA_OK : give_up(context);
  if (status == ALEA_OK)
    *self = own;
  else if (own != NULL)
    guest_release(own);
  PyGILState_Release(lock);
  return status;
}

static void guest_free(void *self) {
  if (!Py_IsInitialized()) return;
  PyGILState_STATE lock = PyGILState_Ensure();
  guest_release(self);
  PyGILState_Release(lock);
}

/* The position as the player gets it: its own copy, or None where it is hidden. */
static PyObject *position(const guest *own, const alea_state *state) {
  return state != NULL ? alea_py_wrap_state(own->game, state) : Py_NewRef(Py_None);
}

static alea_status guest_think(void *self, alea_state *state, const alea_agent_budget *budget,
                               bool (*stop)(void *), void *context, alea_move *move) {
  guest *own = self;
  alea_status status = ALEA_OK;
  stopper *asked = NULL;
  PyGILState_STATE lock = PyGILState_Ensure();
  PyObject *where = position(own, state);
  PyObject *function = where != NULL ? make_stopper(&asked, stop, context) : NULL;
  PyObject *answer = NULL;
  if (function != NULL)
    answer = PyObject_CallMethod(own->player, "_think", "OdKO", where, budget->seconds,
                                 (unsigned long long)budget->sims, function);
  if (function != NULL) asked->stop = NULL;
  if (answer == NULL || !alea_py_move(own->game, own->role, answer, move))
    status = give_up(own->player);
  else if (*move == ALEA_NO_MOVE)
    status = ALEA_NONE;
  Py_XDECREF(answer);
  Py_XDECREF(function);
  Py_XDECREF(where);
  PyGILState_Release(lock);
  return status;
}

static alea_status guest_observe(void *self, const alea_agent_news *news) {
  guest *own = self;
  PyGILState_STATE lock = PyGILState_Ensure();
  PyObject *where = position(own, news->state);
  PyObject *text = alea_py_move_text(own->game, own->role, news->own);
  PyObject *percepts = alea_py_texts(news->percepts, news->percept_count);
  PyObject *answer = NULL;
  if (where != NULL && text != NULL && percepts != NULL)
    answer = PyObject_CallMethod(own->player, "_observe", "OOO", where, text, percepts);
  if (answer == NULL) alea_py_caught(own->player);
  Py_XDECREF(answer);
  Py_XDECREF(percepts);
  Py_XDECREF(text);
  Py_XDECREF(where);
  PyGILState_Release(lock);
  return ALEA_OK;
}

/* ---- registering ---- */

/* The texts and the object live until the program ends, as the library wants it. */
static PyObject *register_player(PyObject *Py_UNUSED(module), PyObject *args) {
  const char *name, *summary;
  PyObject *maker;
  if (!PyArg_ParseTuple(args, "ssO:register", &name, &summary, &maker)) return NULL;
  if (!PyCallable_Check(maker))
    return PyErr_Format(PyExc_TypeError, "a player is a class, not %R", maker);
  alea_agent_class class = {.size = sizeof class,
                            .name = strdup(name),
                            .summary = strdup(summary),
                            .context = Py_NewRef(maker),
                            .make = guest_make,
                            .free = guest_free,
                            .think = guest_think,
                            .observe = guest_observe};
  alea_status status =
      class.name != NULL && class.summary != NULL ? alea_agent_register(&class) : ALEA_SYSTEM;
  if (status == ALEA_OK) Py_RETURN_NONE;
  free((char *)(uintptr_t) class.name);
  free((char *)(uintptr_t) class.summary);
  Py_DECREF(maker);
  if (status == ALEA_USAGE)
    return alea_py_fail(status, NULL,
                        "no player can be called '%s': there is one, or the name has other "
                        "characters than letters, digits and '-'",
                        name);
  return alea_py_fail(status, NULL, "player '%s' could not be registered: %s", name,
                      alea_status_text(status));
}

bool alea_py_add_guest(PyObject *module) {
  static PyMethodDef functions[] = {
      {"register", register_player, METH_VARARGS, NULL},
      {NULL, NULL, 0, NULL},
  };
  return PyModule_AddFunctions(module, functions) == 0;
}
