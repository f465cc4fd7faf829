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

typedef struct part_object part_object;

typedef struct game_object {
  PyObject head;
  alea_ruleset *rules;   /* NULL once the match that lent the game is over */
  PyObject *diagnostics; /* what reading had to say: a list */
  PyObject *texts;       /* per role a dict: the texts of moves asked for, by number */
  uint32_t roles;
  bool lent;          /* it belongs to a match; its parts end with the match */
  part_object *parts; /* of a lent game */
} game_object;

typedef enum part_use { PART_FREE, PART_BUSY, PART_OVER } part_use;

/* How every object that is made from a game begins. */
struct part_object {
  PyObject head;
  game_object *game;
  part_use use;
  void (*drop)(part_object *part); /* frees what the library made; the object remains */
  part_object *next, **link;       /* among the parts of a lent game */
};

typedef struct state_object {
  part_object part;
  alea_state *state;
  alea_move *joint; /* room for one move per role */
} state_object;

typedef struct batch_object {
  part_object part;
  alea_batch *batch;
  int32_t device; /* number of the GPU that it is on, or -1 */
} batch_object;

extern PyTypeObject *alea_py_game, *alea_py_state, *alea_py_batch, *alea_py_agent, *alea_py_picture;

/* Make the types and functions and add them to the module; false with an exception set. */
bool alea_py_add_game(PyObject *module);
bool alea_py_add_state(PyObject *module);
bool alea_py_add_batch(PyObject *module);
bool alea_py_add_agent(PyObject *module);
bool alea_py_add_guest(PyObject *module);
bool alea_py_add_match(PyObject *module);
bool alea_py_add_picture(PyObject *module);
bool alea_py_add_problem(PyObject *module);
bool alea_py_add_type(PyObject *module, PyTypeObject **type, PyType_Spec *spec, const char *name);

/* ---- parts of games ---- */

/* A new part of 'game', all zero but its head; NULL with an exception set. */
void *alea_py_part(PyTypeObject *type, game_object *game, void (*drop)(part_object *part));
/* The tp_dealloc and tp_traverse of parts. */
void alea_py_part_dealloc(PyObject *self);
int alea_py_part_traverse(PyObject *self, visitproc visit, void *arg);
/* The attribute 'game'. */
PyObject *alea_py_part_game(PyObject *self, void *closure);
/* Why a part cannot be used: NULL with an exception set. */
PyObject *alea_py_closed(const part_object *part);
/* The same for a game that was lent. */
PyObject *alea_py_over(void);
/* A Game over rules that belong to a match, and its end. */
game_object *alea_py_lend(alea_ruleset *rules);
void alea_py_recall(game_object *game);
/* A State of 'game' with a copy of 'state'. */
PyObject *alea_py_wrap_state(game_object *game, const alea_state *state);

/* ---- exceptions in Python code that the library calls ---- */

/* Between these two the first exception of a callback of this thread is kept; _end
 * sets it again and returns false if there was one.  Elsewhere it is printed. */
bool alea_py_catch(void);
bool alea_py_catch_end(bool outer);
void alea_py_caught(PyObject *where);
/* Whether one is kept: then there is no use in calling more. */
bool alea_py_pending(void);

/* A new object of a type, all zero but its head. */
void *alea_py_make(PyTypeObject *type);
/* Ends an object whose members are gone. */
void alea_py_end(PyObject *self);

/* ---- batches on a device (device.c): methods of a Batch ---- */

/* Plays the actions of a DLPack capsule, or random ones for None; whether all were legal. */
PyObject *alea_py_device_step(PyObject *self, PyObject *actions);
/* (array) -> its address, filled. */
PyObject *alea_py_device_array(PyObject *self, PyObject *number);
/* (array, first column, columns or -1 for a vector) -> a DLPack capsule, which keeps the batch. */
PyObject *alea_py_device_dlpack(PyObject *self, PyObject *args);
/* The exception for a call of a batch that failed. */
PyObject *alea_py_batch_fail(const batch_object *own, alea_status status, const char *what);

/* ---- errors: all return NULL, so that a call can return them ---- */

/* alea.AleaError with a status, a message and, if not NULL, diagnostics. */
PyObject *alea_py_fail(alea_status status, PyObject *diagnostics, const char *format, ...);

/* ---- values ---- */

/* The characters of a str, lent by it.  One with a zero inside is refused: the library would
 * not see what follows. */
const char *alea_py_chars(PyObject *value);
/* A list of dicts; the diagnostics are freed.  NULL with an exception set. */
PyObject *alea_py_diagnostics(alea_diagnostics *list);
PyObject *alea_py_texts(const char *const *texts, size_t count);
/* Converters for "O&": numbers of 64 and 32 bits without sign, which Python's own
 * formats would cut off in silence. */
int alea_py_u64(PyObject *value, void *number);
int alea_py_u32(PyObject *value, void *number);
/* A role by number or name. */
bool alea_py_role(const game_object *game, PyObject *value, uint32_t *role);
/* A move of a role by number or text, or ALEA_NO_MOVE for None. */
bool alea_py_move(const game_object *game, uint32_t role, PyObject *value, alea_move *move);
/* The text of a move; a new reference. */
PyObject *alea_py_move_text(const game_object *game, uint32_t role, alea_move move);

#endif
