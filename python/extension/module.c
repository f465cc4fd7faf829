/* The module itself, and what its types share. */
#include "binding.h"

#include <sched.h>
#include <string.h>

/* ---- objects ---- */

void *alea_py_make(PyTypeObject *type) {
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  return allocate(type, 0);
}

void alea_py_end(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

bool alea_py_add_type(PyObject *module, PyTypeObject **type, PyType_Spec *spec, const char *name) {
  *type = (PyTypeObject *)PyType_FromSpec(spec);
  return *type != NULL && PyModule_AddObjectRef(module, name, (PyObject *)*type) == 0;
}

/* ---- errors ---- */

PyObject *alea_py_fail(alea_status status, PyObject *diagnostics, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  PyObject *message = PyUnicode_FromFormatV(format, arguments);
  va_end(arguments);
  PyObject *errors = message != NULL ? PyImport_ImportModule("alea.errors") : NULL;
  PyObject *type = errors != NULL ? PyObject_GetAttrString(errors, "AleaError") : NULL;
  PyObject *made = NULL;
  if (type != NULL)
    made = PyObject_CallFunction(type, "OiO", message, (int)status,
                                 diagnostics != NULL ? diagnostics : Py_None);
  if (made != NULL) PyErr_SetObject(type, made);
  Py_XDECREF(made);
  Py_XDECREF(type);
  Py_XDECREF(errors);
  Py_XDECREF(message);
  return NULL;
}

PyObject *alea_py_over(void) {
  return alea_py_fail(ALEA_USAGE, NULL, "the match that this game belonged to is over");
}

PyObject *alea_py_closed(const part_object *part) {
  if (part->use == PART_OVER) return alea_py_over();
  return alea_py_fail(ALEA_USAGE, NULL, "in use by another thread; give each thread its own");
}

static _Thread_local bool catching;
static _Thread_local PyObject *kept_type, *kept_value, *kept_trace;

bool alea_py_catch(void) {
  bool outer = catching;
  catching = true;
  return outer;
}

bool alea_py_catch_end(bool outer) {
  catching = outer;
  if (kept_type == NULL) return true;
  PyErr_Restore(kept_type, kept_value, kept_trace);
  kept_type = kept_value = kept_trace = NULL;
  return false;
}

bool alea_py_pending(void) { return kept_type != NULL; }

void alea_py_caught(PyObject *where) {
  if (!catching || kept_type != NULL)
    PyErr_WriteUnraisable(where);
  else
    PyErr_Fetch(&kept_type, &kept_value, &kept_trace);
}

/* ---- parts of games ---- */

void *alea_py_part(PyTypeObject *type, game_object *game, void (*drop)(part_object *part)) {
  if (game->rules == NULL) return alea_py_over();
  part_object *part = alea_py_make(type);
  if (part == NULL) return NULL;
  part->game = (game_object *)Py_NewRef((PyObject *)game);
  part->drop = drop;
  if (!game->lent) return part;
  part->next = game->parts;
  part->link = &game->parts;
  if (part->next != NULL) part->next->link = &part->next;
  game->parts = part;
  return part;
}

static void close_part(part_object *part) {
  if (part->link != NULL) {
    *part->link = part->next;
    if (part->next != NULL) part->next->link = part->link;
  }
  part->link = NULL;
  if (part->use != PART_OVER) part->drop(part);
  part->use = PART_OVER;
}

void alea_py_part_dealloc(PyObject *self) {
  part_object *part = (part_object *)self;
  PyObject_GC_UnTrack(self);
  if (part->game != NULL) close_part(part);
  Py_XDECREF((PyObject *)part->game);
  alea_py_end(self);
}

int alea_py_part_traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT((PyObject *)((part_object *)self)->game);
  return 0;
}

PyObject *alea_py_part_game(PyObject *self, void *Py_UNUSED(closure)) {
  return Py_NewRef((PyObject *)((part_object *)self)->game);
}

void alea_py_recall(game_object *game) {
  while (game->parts != NULL) {
    if (game->parts->use != PART_BUSY) {
      close_part(game->parts);
      continue;
    }
    PyThreadState *thread = PyEval_SaveThread(); /* until the thread that uses it is done */
    sched_yield();
    PyEval_RestoreThread(thread);
  }
  alea_ruleset_free(game->rules);
  game->rules = NULL;
}

/* ---- values ---- */

const char *alea_py_chars(PyObject *value) {
  Py_ssize_t length = 0;
  const char *chars = PyUnicode_AsUTF8AndSize(value, &length);
  if (chars == NULL || strlen(chars) == (size_t)length) return chars;
  PyErr_SetString(PyExc_ValueError, "a text with a zero character");
  return NULL;
}

static PyObject *one_diagnostic(const alea_diag_entry *entry) {
  return Py_BuildValue("{s:z,s:I,s:I,s:s,s:s,s:s}", "file", entry->place.file, "line",
                       (unsigned)entry->place.line, "column", (unsigned)entry->place.column,
                       "severity", entry->severity == ALEA_ERROR ? "error" : "warning", "code",
                       entry->code, "message", entry->message);
}

PyObject *alea_py_diagnostics(alea_diagnostics *list) {
  PyObject *made = PyList_New(0);
  size_t count = alea_diagnostics_count(list);
  for (size_t i = 0; made != NULL && i < count; i++) {
    PyObject *item = one_diagnostic(alea_diagnostics_at(list, i));
    if (item == NULL || PyList_Append(made, item) < 0) Py_CLEAR(made);
    Py_XDECREF(item);
  }
  alea_diagnostics_free(list);
  return made;
}

PyObject *alea_py_texts(const char *const *texts, size_t count) {
  PyObject *made = PyList_New((Py_ssize_t)count);
  for (size_t i = 0; made != NULL && i < count; i++) {
    PyObject *text = PyUnicode_FromString(texts[i]);
    if (text == NULL || PyList_SetItem(made, (Py_ssize_t)i, text) < 0) Py_CLEAR(made);
  }
  return made;
}

int alea_py_u64(PyObject *value, void *number) {
  PyObject *index = PyNumber_Index(value);
  if (index == NULL) return 0;
  unsigned long long found = PyLong_AsUnsignedLongLong(index);
  Py_DECREF(index);
  if (PyErr_Occurred()) return 0;
  *(uint64_t *)number = found;
  return 1;
}

int alea_py_u32(PyObject *value, void *number) {
  uint64_t found;
  if (!alea_py_u64(value, &found)) return 0;
  *(uint32_t *)number = (uint32_t)found;
  if (found <= UINT32_MAX) return 1;
  PyErr_Format(PyExc_OverflowError, "%R is too large", value);
  return 0;
}

static bool role_by_name(const game_object *game, PyObject *value, uint32_t *role) {
  for (*role = 0; *role < game->roles; (*role)++)
    if (PyUnicode_CompareWithASCIIString(value, alea_ruleset_role_name(game->rules, *role)) == 0)
      return true;
  alea_py_fail(ALEA_USAGE, NULL, "%s has no role %R", alea_ruleset_label(game->rules), value);
  return false;
}

/* A number from a Python integer, or from what can stand for one; -1 with an exception. */
static long small_number(PyObject *value, const char *what) {
  if (!PyLong_Check(value) && !PyIndex_Check(value)) {
    PyErr_Format(PyExc_TypeError, "%s is its number or its text, not %R", what, value);
    return -1;
  }
  PyObject *index = PyNumber_Index(value);
  if (index == NULL) return -1;
  int overflow = 0;
  long number = PyLong_AsLongAndOverflow(index, &overflow);
  Py_DECREF(index);
  if (overflow == 0 && number >= 0) return number;
  if (!PyErr_Occurred()) alea_py_fail(ALEA_USAGE, NULL, "there is no %s %R", what, value);
  return -1;
}

bool alea_py_role(const game_object *game, PyObject *value, uint32_t *role) {
  if (PyUnicode_Check(value)) return role_by_name(game, value, role);
  long number = small_number(value, "role");
  if (number < 0) return false;
  *role = number < (long)game->roles ? (uint32_t)number : game->roles;
  if (*role < game->roles) return true;
  alea_py_fail(ALEA_USAGE, NULL, "%s has %u roles, numbered from 0; there is no role %ld",
               alea_ruleset_label(game->rules), (unsigned)game->roles, number);
  return false;
}

static bool move_by_text(const game_object *game, uint32_t role, PyObject *value, alea_move *move) {
  const char *text = alea_py_chars(value);
  if (text == NULL) return false;
  *move = alea_ruleset_move_find(game->rules, role, text);
  if (*move != ALEA_NO_MOVE) return true;
  alea_py_fail(ALEA_INPUT, NULL, "%s has no move %R", alea_ruleset_role_name(game->rules, role),
               value);
  return false;
}

bool alea_py_move(const game_object *game, uint32_t role, PyObject *value, alea_move *move) {
  *move = ALEA_NO_MOVE;
  if (value == Py_None) return true;
  if (PyUnicode_Check(value)) return move_by_text(game, role, value, move);
  long number = small_number(value, "move");
  if (number < 0) return false;
  if (number < (long)alea_ruleset_move_count(game->rules, role)) {
    *move = (alea_move)number;
    return true;
  }
  alea_py_fail(ALEA_INPUT, NULL, "%s has no move %ld", alea_ruleset_role_name(game->rules, role),
               number);
  return false;
}

/* ---- the module ---- */

static PyObject *shipped_games(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(none)) {
  PyObject *names = PyList_New(0);
  for (size_t i = 0; names != NULL && alea_shipped_name(i) != NULL; i++) {
    PyObject *name = PyUnicode_FromString(alea_shipped_name(i));
    if (name == NULL || PyList_Append(names, name) < 0) Py_CLEAR(names);
    Py_XDECREF(name);
  }
  return names;
}

static PyMethodDef functions[] = {
    {"shipped_games", shipped_games, METH_NOARGS,
     "shipped_games()\n--\n\nThe names of the games that ship.\n\n"
     ">>> 'tictactoe' in shipped_games()\nTrue\n"},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    "alea._alea",
    "The C interface of alea.",
    -1,
    functions,
    NULL,
    NULL,
    NULL,
    NULL,
};

PyMODINIT_FUNC PyInit__alea(void) {
  PyObject *module = PyModule_Create(&definition);
  if (module == NULL) return NULL;
  bool made = alea_py_add_game(module) && alea_py_add_state(module) && alea_py_add_batch(module) &&
              alea_py_add_agent(module) && alea_py_add_guest(module) && alea_py_add_match(module) &&
              alea_py_add_picture(module) && alea_py_add_problem(module) &&
              PyModule_AddStringConstant(module, "version", alea_version()) == 0;
  if (!made) Py_CLEAR(module);
  return module;
}
