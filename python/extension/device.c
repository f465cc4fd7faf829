/* Batches on a device, and DLPack: how libraries hand arrays to each other without a copy.
 *
 * A capsule lends an array of a batch and keeps the batch.  It is of the first version of the
 * protocol, which every library takes. */
#include <stdint.h>
#include <stdlib.h>

#include "binding.h"

/* The structs of DLPack, as they are laid out. */
typedef struct dl_tensor {
  void *data;
  int32_t device_type, device_id;
  int32_t ndim;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides; /* of elements; strides may be NULL: dense */
  uint64_t byte_offset;
} dl_tensor;

typedef struct dl_managed {
  dl_tensor tensor;
  void *owner;
  void (*deleter)(struct dl_managed *managed);
} dl_managed;

enum { DL_INT = 0, DL_UINT = 1, DL_FLOAT = 2, DL_BOOL = 6, DL_CUDA = 2, DL_CUDA_MANAGED = 13 };

static const struct array_type {
  uint8_t code, bits;
} types[] = {
    [ALEA_BATCH_ARRAY_FLAGS] = {DL_UINT, 8},
    [ALEA_BATCH_ARRAY_REWARDS] = {DL_FLOAT, 32},
    [ALEA_BATCH_ARRAY_LEGAL] = {DL_BOOL, 8},
    [ALEA_BATCH_ARRAY_LEGAL_BITS] = {DL_UINT, 64},
    [ALEA_BATCH_ARRAY_FLUENTS] = {DL_UINT, 8},
    [ALEA_BATCH_ARRAY_FLUENT_FLOATS] = {DL_FLOAT, 32},
    [ALEA_BATCH_ARRAY_FLUENT_BITS] = {DL_UINT, 64},
    [ALEA_BATCH_ARRAY_TERMINATED] = {DL_BOOL, 8},
    [ALEA_BATCH_ARRAY_REFUSED] = {DL_BOOL, 8},
};
enum { ARRAYS = sizeof types / sizeof *types };

/* ---- steps ---- */

/* Whether a tensor is int32 [count, roles], dense, on the device of the batch. */
static bool suits(const batch_object *own, const dl_tensor *t) {
  size_t count = alea_batch_count(own->batch), roles = own->part.game->roles;
  bool type = t->code == DL_INT && t->bits == 32 && t->lanes == 1;
  bool shape = t->ndim == 2 && t->shape[0] == (int64_t)count && t->shape[1] == (int64_t)roles;
  bool there = (t->device_type == DL_CUDA || t->device_type == DL_CUDA_MANAGED) &&
               t->device_id == own->device;
  if (!type)
    PyErr_SetString(PyExc_TypeError, "actions on a device are int32; convert them there");
  else if (!shape)
    PyErr_Format(PyExc_ValueError, "actions are [%zu, %zu]: states and roles", count, roles);
  else if (!there)
    PyErr_Format(PyExc_ValueError, "the actions are not on device %d, where the batch is",
                 (int)own->device);
  else if (t->strides != NULL && count > 0 && roles > 0 &&
           ((count > 1 && t->strides[0] != (int64_t)roles) || (roles > 1 && t->strides[1] != 1)))
    PyErr_SetString(PyExc_ValueError, "actions on a device lie one after the other, by state");
  return PyErr_Occurred() == NULL;
}

static PyObject *step(batch_object *own, const int32_t *actions) {
  own->part.use = PART_BUSY;
  PyThreadState *thread = PyEval_SaveThread();
  alea_status status = alea_batch_device_step(own->batch, actions);
  PyEval_RestoreThread(thread);
  own->part.use = PART_FREE;
  if (status == ALEA_OK || status == ALEA_INPUT) return PyBool_FromLong(status == ALEA_OK);
  return alea_py_batch_fail(own, status, "the step failed");
}

PyObject *alea_py_device_step(PyObject *self, PyObject *actions) {
  batch_object *own = (batch_object *)self;
  if (own->part.use != PART_FREE) return alea_py_closed(&own->part);
  if (actions == Py_None) return step(own, NULL);
  dl_managed *taken = PyCapsule_GetPointer(actions, "dltensor");
  if (taken == NULL) return NULL;
  if (!suits(own, &taken->tensor)) return NULL; /* the capsule frees it */
  const char *data = taken->tensor.data;
  return step(own, (const int32_t *)(const void *)(data + taken->tensor.byte_offset));
}

/* ---- arrays ---- */

static bool take_number(PyObject *value, alea_batch_array *array) {
  long number = PyLong_AsLong(value);
  if (number == -1 && PyErr_Occurred() != NULL) return false;
  *array = (alea_batch_array)number;
  if (number >= 0 && number < ARRAYS) return true;
  PyErr_SetString(PyExc_ValueError, "there is no such array");
  return false;
}

/* The address of an array, filled; false with an exception set. */
static bool find(batch_object *own, alea_batch_array array, const void **at) {
  if (own->part.use != PART_FREE) return (void)alea_py_closed(&own->part), false;
  own->part.use = PART_BUSY;
  PyThreadState *thread = PyEval_SaveThread();
  alea_status status = alea_batch_device_array(own->batch, array, at);
  PyEval_RestoreThread(thread);
  own->part.use = PART_FREE;
  if (status == ALEA_OK) return true;
  alea_py_batch_fail(own, status, "the array cannot be filled");
  return false;
}

PyObject *alea_py_device_array(PyObject *self, PyObject *number) {
  alea_batch_array array;
  const void *at;
  if (!take_number(number, &array) || !find((batch_object *)self, array, &at)) return NULL;
  return PyLong_FromUnsignedLongLong((unsigned long long)(uintptr_t)at);
}

/* A tensor that is lent, with its sizes. */
typedef struct lent_tensor {
  dl_managed managed;
  int64_t shape[2], strides[2];
} lent_tensor;

/* Any thread may call this, and Python may be gone. */
static void release(dl_managed *managed) {
  if (Py_IsInitialized() != 0) {
    PyGILState_STATE state = PyGILState_Ensure();
    Py_DECREF((PyObject *)managed->owner);
    PyGILState_Release(state);
  }
  free(managed);
}

/* A capsule that nobody took. */
static void drop(PyObject *capsule) {
  if (PyCapsule_IsValid(capsule, "dltensor") == 0) return;
  dl_managed *managed = PyCapsule_GetPointer(capsule, "dltensor");
  if (managed != NULL) managed->deleter(managed);
}

static size_t row_length(const batch_object *own, alea_batch_array array) {
  const alea_batch *b = own->batch;
  switch (array) {
    case ALEA_BATCH_ARRAY_REWARDS: return own->part.game->roles;
    case ALEA_BATCH_ARRAY_LEGAL: return alea_batch_move_width(b);
    case ALEA_BATCH_ARRAY_LEGAL_BITS: return alea_batch_move_words(b);
    case ALEA_BATCH_ARRAY_FLUENTS:
    case ALEA_BATCH_ARRAY_FLUENT_FLOATS: return alea_batch_fluent_width(b);
    case ALEA_BATCH_ARRAY_FLUENT_BITS: return alea_batch_fluent_words(b);
    default: return 1;
  }
}

static void describe(lent_tensor *lent, const batch_object *own, alea_batch_array array,
                     const void *at, size_t first, Py_ssize_t columns) {
  size_t width = row_length(own, array), offset = first * (types[array].bits / 8u);
  lent->shape[0] = (int64_t)alea_batch_count(own->batch);
  lent->shape[1] = (int64_t)columns;
  lent->strides[0] = (int64_t)width;
  lent->strides[1] = 1;
  lent->managed.tensor = (dl_tensor){.data = (void *)((uintptr_t)at + (at != NULL ? offset : 0)),
                                     .device_type = DL_CUDA,
                                     .device_id = own->device,
                                     .ndim = columns < 0 ? 1 : 2,
                                     .code = types[array].code,
                                     .bits = types[array].bits,
                                     .lanes = 1,
                                     .shape = lent->shape,
                                     .strides = lent->strides};
}

PyObject *alea_py_device_dlpack(PyObject *self, PyObject *args) {
  batch_object *own = (batch_object *)self;
  PyObject *number;
  Py_ssize_t first, columns;
  alea_batch_array array;
  const void *at;
  if (!PyArg_ParseTuple(args, "Onn:_dlpack", &number, &first, &columns)) return NULL;
  if (!take_number(number, &array) || !find(own, array, &at)) return NULL;
  size_t width = row_length(own, array);
  if (first < 0 || (size_t)first > width ||
      (columns >= 0 && (size_t)columns > width - (size_t)first))
    return PyErr_Format(PyExc_ValueError, "the array has no such columns");
  lent_tensor *lent = calloc(1, sizeof *lent);
  if (lent == NULL) return PyErr_NoMemory();
  describe(lent, own, array, at, (size_t)first, columns);
  lent->managed.owner = self;
  lent->managed.deleter = release;
  Py_INCREF(self);
  PyObject *capsule = PyCapsule_New(&lent->managed, "dltensor", drop);
  if (capsule == NULL) release(&lent->managed);
  return capsule;
}
