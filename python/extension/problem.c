/* Constraint problems: one function that reads and solves. */
#include "interrupt.h"

typedef struct problem_call {
  const char *label, *text;
  Py_ssize_t length;
  alea_solve_settings settings;
  alea_problem *problem;
  alea_solution *solution;
} problem_call;

static PyObject *variable_names(const alea_problem *problem) {
  uint32_t count = alea_problem_variable_count(problem);
  PyObject *names = PyList_New((Py_ssize_t)count);
  for (uint32_t i = 0; names != NULL && i < count; i++) {
    PyObject *name = PyUnicode_FromString(alea_problem_variable(problem, i));
    if (name == NULL || PyList_SetItem(names, (Py_ssize_t)i, name) < 0) Py_CLEAR(names);
  }
  return names;
}

/* The solutions that were kept: a list of (values, text). */
static PyObject *list_solutions(const problem_call *call) {
  uint32_t width = alea_problem_variable_count(call->problem);
  PyObject *list = PyList_New(0);
  const int32_t *values;
  for (size_t i = 0; list != NULL; i++) {
    values = alea_solution_values(call->solution, i);
    if (values == NULL) break;
    PyObject *row = PyList_New((Py_ssize_t)width), *item = NULL;
    for (uint32_t v = 0; row != NULL && v < width; v++) {
      PyObject *number = PyLong_FromLong(values[v]);
      if (number == NULL || PyList_SetItem(row, (Py_ssize_t)v, number) < 0) Py_CLEAR(row);
    }
    const char *text = alea_solution_text(call->solution, i);
    if (row != NULL) item = Py_BuildValue("(Ns)", row, text != NULL ? text : "");
    if (item == NULL || PyList_Append(list, item) < 0) Py_CLEAR(list);
    Py_XDECREF(item);
  }
  return list;
}

/* (status, kind, count, value, nodes, variables, solutions) */
static PyObject *describe(const problem_call *call, alea_status status) {
  double value;
  bool valued = alea_solution_value(call->solution, &value);
  PyObject *worth = valued ? PyFloat_FromDouble(value) : Py_NewRef(Py_None);
  PyObject *names = variable_names(call->problem), *solutions = list_solutions(call);
  if (worth != NULL && names != NULL && solutions != NULL)
    return Py_BuildValue("(iiKNKNN)", (int)status, (int)alea_problem_kind_of(call->problem),
                         (unsigned long long)alea_solution_count(call->solution), worth,
                         (unsigned long long)alea_solution_nodes(call->solution), names, solutions);
  Py_XDECREF(worth);
  Py_XDECREF(names);
  Py_XDECREF(solutions);
  return NULL;
}

/* False with an exception set if a signal has ended it. */
static bool run_solver(problem_call *call, alea_status *status) {
  alea_stop_flag *stop;
  interrupt_scope scope;
  if (alea_stop_flag_new(&stop) != ALEA_OK) {
    PyErr_NoMemory();
    return false;
  }
  call->settings.stop = stop;
  alea_py_interrupt_begin(&scope, alea_py_raise, stop);
  PyThreadState *thread = PyEval_SaveThread();
  *status = alea_problem_solve(&call->solution, call->problem, &call->settings);
  PyEval_RestoreThread(thread);
  bool free = alea_py_interrupt_end(&scope);
  alea_stop_flag_free(stop);
  return free;
}

static PyObject *read_and_solve(problem_call *call) {
  alea_diagnostics *list = NULL;
  PyThreadState *thread = PyEval_SaveThread();
  alea_status status =
      call->text == NULL
          ? alea_problem_open(&call->problem, call->label, &list)
          : alea_problem_read(&call->problem, call->label, call->text, (size_t)call->length, &list);
  PyEval_RestoreThread(thread);
  PyObject *diagnostics = alea_py_diagnostics(list);
  if (diagnostics == NULL) return NULL;
  if (status != ALEA_OK)
    alea_py_fail(status, diagnostics, "%s cannot be solved: %s", call->label,
                 alea_status_text(status));
  Py_DECREF(diagnostics);
  if (status != ALEA_OK || !run_solver(call, &status)) return NULL;
  if (call->solution != NULL) return describe(call, status);
  if (status == ALEA_USAGE)
    return alea_py_fail(status, NULL, "%s: this aim does not go with such a problem", call->label);
  return alea_py_fail(status, NULL, "%s: %s", call->label, alea_status_text(status));
}

static PyObject *solve(PyObject *Py_UNUSED(module), PyObject *args) {
  problem_call call = {.settings.size = sizeof call.settings};
  int aim;
  long long horizon;
  if (!PyArg_ParseTuple(args, "sz#idO&O&L:solve", &call.label, &call.text, &call.length, &aim,
                        &call.settings.seconds, alea_py_u64, &call.settings.seed, alea_py_u64,
                        &call.settings.solutions, &horizon))
    return NULL;
  call.settings.aim = (alea_aim)aim;
  call.settings.horizon = horizon;
  PyObject *made = read_and_solve(&call);
  alea_solution_free(call.solution);
  alea_problem_free(call.problem);
  return made;
}

bool alea_py_add_problem(PyObject *module) {
  static PyMethodDef functions[] = {
      {"solve", solve, METH_VARARGS, NULL},
      {NULL, NULL, 0, NULL},
  };
  return PyModule_AddFunctions(module, functions) == 0;
}
