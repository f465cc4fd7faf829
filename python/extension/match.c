/* Matches, and the program `alea` as a function. */
#include "interrupt.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- matches ---- */

typedef struct match_watch {
  PyObject *call; /* called with a state after each step; None: nobody */
  game_object *game;
} match_watch;

/* Shows the position to whoever looks on.  An interrupt of Python ends the match
 * here, as does an exception of a player. */
static bool show_step(void *context, alea_state *state) {
  const match_watch *watch = context;
  if (alea_py_pending()) return false;
  PyGILState_STATE lock = PyGILState_Ensure();
  bool watched = watch->call != Py_None, good = PyErr_CheckSignals() == 0;
  PyObject *copy = good && watched ? alea_py_wrap_state(watch->game, state) : NULL;
  PyObject *answer = copy != NULL ? PyObject_CallFunction(watch->call, "O", copy) : NULL;
  if (watched) good = answer != NULL;
  if (!good) alea_py_caught(watch->call);
  bool more = good && answer != Py_False;
  Py_XDECREF(answer);
  Py_XDECREF(copy);
  PyGILState_Release(lock);
  return more;
}

/* (completed, goals, steps, faults, json) */
static PyObject *describe(const alea_match_result *result, uint32_t roles) {
  PyObject *goals = PyTuple_New((Py_ssize_t)roles);
  for (uint32_t r = 0; goals != NULL && r < roles; r++) {
    int goal = alea_match_goal(result, r);
    PyObject *item = goal >= 0 ? PyLong_FromLong(goal) : Py_NewRef(Py_None);
    if (item == NULL || PyTuple_SetItem(goals, (Py_ssize_t)r, item) < 0) Py_CLEAR(goals);
  }
  if (goals == NULL) return NULL;
  return Py_BuildValue("(NNIIs)", PyBool_FromLong(alea_match_completed(result)), goals,
                       (unsigned)alea_match_steps(result), (unsigned)alea_match_faults(result),
                       alea_match_json(result));
}

static PyObject *run_match(game_object *game, alea_match_settings *settings) {
  alea_match_result *result = NULL;
  alea_diagnostics *list = NULL;
  alea_stop_flag *stop;
  interrupt_scope scope;
  if (alea_stop_flag_new(&stop) != ALEA_OK) return PyErr_NoMemory();
  settings->stop = stop;
  bool outer = alea_py_catch();
  alea_py_interrupt_begin(&scope, alea_py_raise, stop);
  PyThreadState *thread = PyEval_SaveThread();
  alea_status status = alea_match_play(&result, game->rules, settings, &list);
  PyEval_RestoreThread(thread);
  bool free = alea_py_interrupt_end(&scope);
  alea_stop_flag_free(stop);
  PyObject *diagnostics = alea_py_diagnostics(list), *made = NULL;
  if (alea_py_catch_end(outer) && free && diagnostics != NULL) {
    if (status == ALEA_OK)
      made = describe(result, game->roles);
    else
      alea_py_fail(status, diagnostics, "no match of %s: %s", alea_ruleset_label(game->rules),
                   alea_status_text(status));
  }
  Py_XDECREF(diagnostics);
  alea_match_result_free(result);
  return made;
}

/* Room for 'count' texts lent by the strings of a tuple, and NULL; to be freed. */
static const char **lend_names(PyObject *tuple, Py_ssize_t count) {
  const char **names = PyMem_Calloc((size_t)count + 1, sizeof *names);
  if (names == NULL) PyErr_NoMemory();
  for (Py_ssize_t i = 0; names != NULL && i < count; i++) {
    names[i] = alea_py_chars(PyTuple_GetItem(tuple, i));
    if (names[i] != NULL) continue;
    PyMem_Free(names);
    return NULL;
  }
  return names;
}

static PyObject *play_match(PyObject *Py_UNUSED(module), PyObject *args) {
  match_watch watch;
  PyObject *players;
  alea_match_settings settings = {.size = sizeof settings, .context = &watch};
  if (!PyArg_ParseTuple(args, "O!O!O&ddO&O&O&O:play_match", alea_py_game, &watch.game,
                        &PyTuple_Type, &players, alea_py_u64, &settings.sims, &settings.start,
                        &settings.time, alea_py_u64, &settings.seed, alea_py_u32, &settings.rotate,
                        alea_py_u32, &settings.steps, &watch.call))
    return NULL;
  if (watch.game->rules == NULL) return alea_py_over();
  settings.player_count = (size_t)PyTuple_Size(players);
  const char **names = lend_names(players, PyTuple_Size(players));
  if (names == NULL) return NULL;
  settings.players = names;
  settings.step = show_step;
  PyObject *made = run_match(watch.game, &settings);
  PyMem_Free(names);
  return made;
}

/* ---- the program ---- */

/* Tournaments fork their workers.  In the thread that runs the program, and there
 * alone, a fork prepares Python as os.fork does. */
static _Thread_local bool in_program;
static _Thread_local PyGILState_STATE fork_lock;

static void before_fork(void) {
  if (!in_program) return;
  fork_lock = PyGILState_Ensure();
  PyOS_BeforeFork();
}

static void after_fork_parent(void) {
  if (!in_program) return;
  PyOS_AfterFork_Parent();
  PyGILState_Release(fork_lock);
}

static void after_fork_child(void) {
  if (!in_program) return;
  PyOS_AfterFork_Child();
  PyGILState_Release(fork_lock);
}

/* The program takes over signals that Python handles; they are given back. */
static int run_program(int count, char **words) {
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
  enum { NUMBERS = sizeof numbers / sizeof *numbers };
  struct sigaction before[NUMBERS];
  sigset_t mask;
  for (size_t i = 0; i < NUMBERS; i++) sigaction(numbers[i], NULL, &before[i]);
  pthread_sigmask(SIG_SETMASK, NULL, &mask);
  /* As in the program itself: interrupting ends it. */
  signal(SIGINT, SIG_DFL);
  bool outer = in_program; /* a player of the program may run it, too */
  in_program = true;
  int status = alea_main(count, words);
  in_program = outer;
  fflush(stdout);
  for (size_t i = 0; i < NUMBERS; i++) sigaction(numbers[i], &before[i], NULL);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  return status;
}

/* Copies, because argv belongs to the program. */
static void free_words(char **words) {
  for (size_t i = 0; words != NULL && words[i] != NULL; i++) free(words[i]);
  PyMem_Free(words);
}

static char **copy_words(PyObject *tuple, Py_ssize_t count) {
  const char **lent = lend_names(tuple, count);
  char **words = lent != NULL ? PyMem_Calloc((size_t)count + 1, sizeof *words) : NULL;
  bool good = words != NULL;
  for (Py_ssize_t i = 0; good && i < count; i++) good = (words[i] = strdup(lent[i])) != NULL;
  PyMem_Free(lent);
  if (good) return words;
  if (!PyErr_Occurred()) PyErr_NoMemory();
  free_words(words);
  return NULL;
}

static PyObject *call_program(PyObject *Py_UNUSED(module), PyObject *tuple) {
  static bool prepared;
  if (!PyTuple_Check(tuple)) return PyErr_Format(PyExc_TypeError, "main takes a tuple of texts");
  if (!prepared && pthread_atfork(before_fork, after_fork_parent, after_fork_child) != 0)
    return PyErr_NoMemory();
  prepared = true;
  int count = (int)PyTuple_Size(tuple);
  char **words = copy_words(tuple, count);
  if (words == NULL) return NULL;
  PyThreadState *thread = PyEval_SaveThread();
  int status = run_program(count, words);
  PyEval_RestoreThread(thread);
  free_words(words);
  return PyLong_FromLong(status);
}

bool alea_py_add_match(PyObject *module) {
  static PyMethodDef functions[] = {
      {"play_match", play_match, METH_VARARGS, NULL},
      {"main", call_program, METH_O, NULL},
      {NULL, NULL, 0, NULL},
  };
  return PyModule_AddFunctions(module, functions) == 0;
}
