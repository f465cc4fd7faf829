#ifndef ALEA_PYTHON_INTERRUPT_H
#define ALEA_PYTHON_INTERRUPT_H

/* Calls of the library that a signal which Python handles ends early. */

#include "binding.h" /* first: Python.h says which features there are */

#include <signal.h>

typedef struct interrupt_scope interrupt_scope;
struct interrupt_scope {
  void (*stop)(void *context); /* called by a handler of signals */
  void *context;
  volatile sig_atomic_t stopped;
  interrupt_scope *outer; /* the call that this one is made in */
  bool armed;             /* in the main thread alone, where Python runs its handlers */
};

/* Raises an alea_stop_flag: a 'stop' of the following. */
void alea_py_raise(void *flag);

/* Between these two, SIGINT, SIGTERM and SIGALRM call 'stop' if Python handles them.
 * _end runs Python's handlers, and is false with an exception set if one raises. */
void alea_py_interrupt_begin(interrupt_scope *scope, void (*stop)(void *), void *context);
bool alea_py_interrupt_end(interrupt_scope *scope);

#endif
