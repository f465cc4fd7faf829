/* Batches.  The arrays are the caller's: whatever has the buffer protocol, of the
 * right size.  The bit planes are the batch's own, lent by its buffer; because
 * arrays may keep them for ever, games that a match lends have no batches. */
#include "binding.h"

PyTypeObject *alea_py_batch;

/* ---- making ---- */

static void drop_batch(part_object *part) {
  batch_object *own = (batch_object *)part;
  alea_batch_free(own->batch);
  own->batch = NULL;
}

/* A device by its number, or -1. */
static int take_device(PyObject *value, void *device) {
  long number = PyLong_AsLong(value);
  if (number == -1 && PyErr_Occurred() != NULL) return 0;
  if (number < -1 || number > INT32_MAX) {
    PyErr_SetString(PyExc_ValueError, "device: there is no such number");
    return 0;
  }
  *(int32_t *)device = (int32_t)number;
  return 1;
}

static PyObject *batch_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
  static char *names[] = {"game",  "count",    "seed",   "auto_reset",
                          "steps", "percepts", "device", NULL};
  game_object *game;
  Py_ssize_t count;
  int auto_reset = 0, percepts = 0;
  int32_t device = -1;
  char why[600];
  alea_batch_options options = {.size = sizeof options, .why = why, .why_size = sizeof why};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!n|$O&pO&pO&:Batch", names, alea_py_game,
                                   &game, &count, alea_py_u64, &options.seed, &auto_reset,
                                   alea_py_u32, &options.steps, &percepts, take_device, &device))
    return NULL;
  if (count < 0) return alea_py_fail(ALEA_USAGE, NULL, "a batch of %zd states", count);
  if (game->lent)
    return alea_py_fail(ALEA_UNSUPPORTED, NULL,
                        "a game that a match lends has no batches; open it by its name");
  batch_object *own = alea_py_part(type, game, drop_batch);
  if (own == NULL) return NULL;
  own->device = device;
  options.auto_reset = auto_reset != 0;
  options.percepts = percepts != 0;
  options.device = device >= 0 ? ALEA_BATCH_CUDA : ALEA_BATCH_CPU;
  options.device_number = device >= 0 ? (uint32_t)device : 0;
  PyThreadState *thread = PyEval_SaveThread();
  alea_status status = alea_batch_new(&own->batch, game->rules, (size_t)count, &options);
  PyEval_RestoreThread(thread);
  if (status == ALEA_OK) return (PyObject *)own;
  Py_DECREF((PyObject *)own);
  return alea_py_fail(status, NULL, "no batch of %zd states of %s: %s", count,
                      alea_ruleset_label(game->rules), why);
}

PyObject *alea_py_batch_fail(const batch_object *own, alea_status status, const char *what) {
  const char *why = alea_batch_trouble(own->batch);
  return alea_py_fail(status, NULL, "%s: %s", what, *why != '\0' ? why : alea_status_text(status));
}

/* ---- arrays ---- */

/* Takes an array of 'length' items of 'size' bytes; None is none. */
static bool take(PyObject *value, Py_buffer *view, size_t length, size_t size, int flags,
                 const char *name) {
  view->obj = NULL;
  view->buf = NULL;
  if (value == Py_None) return true;
  if (PyObject_GetBuffer(value, view, PyBUF_C_CONTIGUOUS | flags) < 0) return false;
  if ((size_t)view->itemsize == size && (size_t)view->len == length * size) return true;
  PyErr_Format(PyExc_ValueError, "%s: %zu items of %zu bytes are needed, not %zd bytes of %zd each",
               name, length, size, view->len, view->itemsize);
  PyBuffer_Release(view);
  return false;
}

enum { OUTPUTS = 7 };

typedef struct outputs {
  Py_buffer views[OUTPUTS];
  int taken;
  alea_batch_arrays arrays;
} outputs;

static void release_outputs(outputs *out) {
  while (out->taken > 0) PyBuffer_Release(&out->views[--out->taken]);
}

/* flags, rewards, legal, legal_bits, fluents, fluent_floats, fluent_bits */
static bool take_outputs(const batch_object *own, PyObject *const *values, outputs *out) {
  const alea_batch *b = own->batch;
  size_t count = alea_batch_count(b), moves = alea_batch_move_width(b);
  size_t fluents = alea_batch_fluent_width(b), roles = own->part.game->roles;
  const struct {
    const char *name;
    size_t width, size;
  } shapes[OUTPUTS] = {
      {"flags", 1, 1},
      {"rewards", roles, sizeof(float)},
      {"legal", moves, 1},
      {"legal_bits", alea_batch_move_words(b), sizeof(uint64_t)},
      {"fluents", fluents, 1},
      {"fluent_floats", fluents, sizeof(float)},
      {"fluent_bits", alea_batch_fluent_words(b), sizeof(uint64_t)},
  };
  for (out->taken = 0; out->taken < OUTPUTS; out->taken++)
    if (!take(values[out->taken], &out->views[out->taken], count * shapes[out->taken].width,
              shapes[out->taken].size, PyBUF_WRITABLE, shapes[out->taken].name)) {
      release_outputs(out);
      return false;
    }
  out->arrays = (alea_batch_arrays){.size = sizeof out->arrays,
                                    .flags = out->views[0].buf,
                                    .rewards = out->views[1].buf,
                                    .legal = out->views[2].buf,
                                    .legal_bits = out->views[3].buf,
                                    .fluents = out->views[4].buf,
                                    .fluent_floats = out->views[5].buf,
                                    .fluent_bits = out->views[6].buf};
  return true;
}

/* ---- playing ---- */

static PyObject *batch_step(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  batch_object *own = (batch_object *)self;
  outputs out;
  Py_buffer actions;
  if (count != OUTPUTS + 1) return PyErr_Format(PyExc_TypeError, "_step takes eight arrays");
  if (!take(args[0], &actions, alea_batch_count(own->batch) * own->part.game->roles,
            sizeof(int32_t), 0, "actions"))
    return NULL;
  PyObject *result = NULL;
  if (take_outputs(own, args + 1, &out)) {
    if (own->part.use != PART_FREE) {
      alea_py_closed(&own->part);
    } else {
      own->part.use = PART_BUSY;
      PyThreadState *thread = PyEval_SaveThread();
      alea_status status = alea_batch_step(own->batch, actions.buf, &out.arrays);
      PyEval_RestoreThread(thread);
      own->part.use = PART_FREE;
      if (status == ALEA_OK || status == ALEA_INPUT)
        result = PyBool_FromLong(status == ALEA_OK);
      else
        alea_py_batch_fail(own, status, "the step failed");
    }
    release_outputs(&out);
  }
  PyBuffer_Release(&actions);
  return result;
}

/* Fills seven arrays by 'call'. */
static PyObject *fill_outputs(PyObject *self, PyObject *const *args, Py_ssize_t count,
                              alea_status (*call)(alea_batch *, const alea_batch_arrays *),
                              const char *what) {
  batch_object *own = (batch_object *)self;
  outputs out;
  alea_status status = ALEA_USAGE;
  if (count != OUTPUTS) return PyErr_Format(PyExc_TypeError, "seven arrays are needed");
  if (!take_outputs(own, args, &out)) return NULL;
  bool free = own->part.use == PART_FREE;
  if (free) {
    own->part.use = PART_BUSY;
    PyThreadState *thread = PyEval_SaveThread();
    status = call(own->batch, &out.arrays);
    PyEval_RestoreThread(thread);
    own->part.use = PART_FREE;
  }
  release_outputs(&out);
  if (!free) return alea_py_closed(&own->part);
  if (status == ALEA_OK) Py_RETURN_NONE;
  return alea_py_batch_fail(own, status, what);
}

static PyObject *batch_look(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  return fill_outputs(self, args, count, alea_batch_look, "looking failed");
}

static PyObject *batch_fetch(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  return fill_outputs(self, args, count, alea_batch_device_fetch, "the arrays cannot be copied");
}

/* The two arrays of alea_batch_percepts as bytes, copies: the next step may move them. */
static PyObject *batch_percepts(PyObject *self, PyObject *Py_UNUSED(none)) {
  batch_object *own = (batch_object *)self;
  if (own->part.use != PART_FREE) return alea_py_closed(&own->part);
  const uint64_t *first;
  const uint32_t *list;
  alea_status status = alea_batch_percepts(own->batch, &first, &list);
  if (status == ALEA_USAGE)
    return alea_py_fail(status, NULL, "the batch was made without percepts=True");
  if (status != ALEA_OK)
    return alea_py_fail(status, NULL, "the percepts are lost: %s", alea_status_text(status));
  size_t count = alea_batch_count(own->batch) * own->part.game->roles;
  return Py_BuildValue("(y#y#)", (const char *)first, (Py_ssize_t)((count + 1) * sizeof *first),
                       first[count] > 0 ? (const char *)list : "",
                       (Py_ssize_t)(first[count] * sizeof *list));
}

static PyObject *batch_reset(PyObject *self, PyObject *value) {
  batch_object *own = (batch_object *)self;
  Py_buffer which;
  if (!take(value, &which, alea_batch_count(own->batch), 1, 0, "which")) return NULL;
  bool free = own->part.use == PART_FREE;
  if (free) alea_batch_reset(own->batch, which.buf);
  PyBuffer_Release(&which);
  if (!free) return alea_py_closed(&own->part);
  Py_RETURN_NONE;
}

static PyObject *batch_play_out(PyObject *self, PyObject *value) {
  batch_object *own = (batch_object *)self;
  Py_buffer goals;
  uint64_t steps = 0;
  alea_status status = ALEA_USAGE;
  if (!take(value, &goals, alea_batch_count(own->batch) * own->part.game->roles, sizeof(float),
            PyBUF_WRITABLE, "goals"))
    return NULL;
  bool ready = own->part.use == PART_FREE && goals.buf != NULL;
  if (ready) {
    own->part.use = PART_BUSY;
    PyThreadState *thread = PyEval_SaveThread();
    status = alea_batch_playout(own->batch, goals.buf, &steps);
    PyEval_RestoreThread(thread);
    own->part.use = PART_FREE;
  }
  PyBuffer_Release(&goals);
  if (!ready) return alea_py_closed(&own->part);
  if (status == ALEA_OK) return PyLong_FromUnsignedLongLong(steps);
  return alea_py_batch_fail(own, status, "playing out failed");
}

static PyObject *batch_load(PyObject *self, PyObject *args) {
  batch_object *own = (batch_object *)self;
  Py_ssize_t first, count;
  PyObject *value;
  Py_buffer words;
  if (!PyArg_ParseTuple(args, "nnO:_load", &first, &count, &value)) return NULL;
  if (first < 0 || count < 0 || (size_t)first > alea_batch_count(own->batch) ||
      (size_t)count > alea_batch_count(own->batch) - (size_t)first)
    return alea_py_fail(ALEA_USAGE, NULL, "the batch has no states %zd to %zd", first,
                        first + count - 1);
  if (!take(value, &words, (size_t)count * alea_batch_fluent_words(own->batch), sizeof(uint64_t), 0,
            "positions"))
    return NULL;
  bool ready = own->part.use == PART_FREE && words.buf != NULL;
  alea_status status = ALEA_USAGE;
  if (ready) status = alea_batch_load(own->batch, (size_t)first, (size_t)count, words.buf);
  PyBuffer_Release(&words);
  if (!ready) return alea_py_closed(&own->part);
  if (status == ALEA_OK) Py_RETURN_NONE;
  if (status == ALEA_LIMIT || status == ALEA_SYSTEM)
    return alea_py_batch_fail(own, status, "loading failed");
  return alea_py_fail(status, NULL, "these are no positions of %s",
                      alea_ruleset_label(own->part.game->rules));
}

/* ---- sizes ---- */

static PyObject *batch_sizes(PyObject *self, PyObject *Py_UNUSED(none)) {
  const alea_batch *b = ((batch_object *)self)->batch;
  return Py_BuildValue("(nIIII)", (Py_ssize_t)alea_batch_count(b),
                       (unsigned)alea_batch_move_width(b), (unsigned)alea_batch_move_words(b),
                       (unsigned)alea_batch_fluent_width(b), (unsigned)alea_batch_fluent_words(b));
}

static PyObject *batch_first_moves(PyObject *self, void *Py_UNUSED(closure)) {
  batch_object *own = (batch_object *)self;
  PyObject *made = PyTuple_New((Py_ssize_t)own->part.game->roles + 1);
  for (uint32_t r = 0; made != NULL && r <= own->part.game->roles; r++) {
    PyObject *first = PyLong_FromUnsignedLong(alea_batch_first_move(own->batch, r));
    if (first == NULL || PyTuple_SetItem(made, (Py_ssize_t)r, first) < 0) Py_CLEAR(made);
  }
  return made;
}

static PyObject *batch_playing(PyObject *self, void *Py_UNUSED(closure)) {
  batch_object *own = (batch_object *)self;
  return own->part.use != PART_FREE ? alea_py_closed(&own->part)
                                    : PyLong_FromSize_t(alea_batch_playing(own->batch));
}

/* The planes, read only: whole blocks of 512 states. */
static int batch_buffer(PyObject *self, Py_buffer *view, int flags) {
  const alea_batch *b = ((batch_object *)self)->batch;
  if (((batch_object *)self)->device >= 0) {
    PyErr_SetString(PyExc_BufferError, "the planes of this batch lie on a device");
    return -1;
  }
  size_t blocks = (alea_batch_count(b) + 511) / 512;
  size_t bytes = blocks * alea_batch_fluent_width(b) * 8 * sizeof(uint64_t);
  return PyBuffer_FillInfo(view, self, (void *)(uintptr_t)alea_batch_planes(b), (Py_ssize_t)bytes,
                           1, flags);
}

static PyMethodDef methods[] = {
    {"_step", (PyCFunction)(void (*)(void))batch_step, METH_FASTCALL, NULL},
    {"_look", (PyCFunction)(void (*)(void))batch_look, METH_FASTCALL, NULL},
    {"_fetch", (PyCFunction)(void (*)(void))batch_fetch, METH_FASTCALL, NULL},
    {"_device_step", alea_py_device_step, METH_O, NULL},
    {"_device_array", alea_py_device_array, METH_O, NULL},
    {"_dlpack", alea_py_device_dlpack, METH_VARARGS, NULL},
    {"_percepts", batch_percepts, METH_NOARGS, NULL},
    {"_reset", batch_reset, METH_O, NULL},
    {"_play_out", batch_play_out, METH_O, NULL},
    {"_load", batch_load, METH_VARARGS, NULL},
    {"_sizes", batch_sizes, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef members[] = {
    {"game", alea_py_part_game, NULL, "The game that these are states of.", NULL},
    {"playing", batch_playing, NULL, "How many states are not terminal.", NULL},
    {"first_moves", batch_first_moves, NULL,
     "Where the moves of each role begin in `legal`, and where the last ones end.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

bool alea_py_add_batch(PyObject *module) {
  static PyType_Slot slots[] = {
      {Py_tp_new, (void *)batch_new},
      {Py_tp_dealloc, (void *)alea_py_part_dealloc},
      {Py_tp_traverse, (void *)alea_py_part_traverse},
      {Py_tp_methods, methods},
      {Py_tp_getset, members},
      {Py_bf_getbuffer, (void *)batch_buffer},
      {0, NULL},
  };
  static PyType_Spec spec = {"alea._alea.Batch", sizeof(batch_object), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};
  return alea_py_add_type(module, &alea_py_batch, &spec, "Batch");
}
