#ifndef ALEA_PYTHON_BINDING_H
#define ALEA_PYTHON_BINDING_H

/* The module alea._alea: the C interface as Python types, and nothing more.
 *
 * Each type here is the base of a class of the same name in the package `alea`,
 * which adds what is easier to say in Python.  What costs per move is done here.
 *
 * Only the limited API is used, so one file serves every Python from 3.11 on.
 *
 * Threads: calls that may take long give up the lock of the interpreter.  The
 * object is marked as busy meanwhile, and another thread that uses it then gets an
 * error instead of a broken game. */

#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>

#include "alea/alea.h"

typedef struct game_object {
  PyObject_HEAD
  alea_ruleset *rules;
  PyObject *diagnostics; /* what reading had to say: a list */
  PyObject *texts;       /* per role a dict: the texts of moves asked for, by number */
  uint32_t roles;
} game_object;

typedef struct state_object {
  PyObject_HEAD
  alea_state *state;
  game_object *game;
  alea_move *joint; /* room for one move per role */
  bool busy;
} state_object;

extern PyTypeObject *alea_py_game, *alea_py_state, *alea_py_batch;

/* Make the types and add them to the module; false with an exception set. */
bool alea_py_add_game(PyObject *module);
bool alea_py_add_state(PyObject *module);
bool alea_py_add_batch(PyObject *module);
bool alea_py_add_type(PyObject *module, PyTypeObject **type, PyType_Spec *spec, const char *name);

/* A new object of a type, all zero but its head. */
void *alea_py_make(PyTypeObject *type);
/* Ends an object whose members are gone. */
void alea_py_end(PyObject *self);

/* ---- errors: all return NULL, so that a call can return them ---- */

/* alea.AleaError with a status, a message and, if not NULL, diagnostics. */
PyObject *alea_py_fail(alea_status status, PyObject *diagnostics, const char *format, ...);
PyObject *alea_py_busy(void);

/* ---- values ---- */

/* A list of dicts; the diagnostics are freed.  NULL with an exception set. */
PyObject *alea_py_diagnostics(alea_diagnostics *list);
PyObject *alea_py_texts(const char *const *texts, size_t count);
/* A role by number or name. */
bool alea_py_role(const game_object *game, PyObject *value, uint32_t *role);
/* A move of a role by number or text, or ALEA_NO_MOVE for None. */
bool alea_py_move(const game_object *game, uint32_t role, PyObject *value, alea_move *move);
/* The text of a move; a new reference. */
PyObject *alea_py_move_text(const game_object *game, uint32_t role, alea_move move);

#endif
