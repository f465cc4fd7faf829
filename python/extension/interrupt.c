/* Long calls of the library that a signal ends early.
 *
 * Python's own handler only notes a signal; the Python function for it runs when the
 * interpreter goes on, which it does not while the library thinks.  So during such
 * a call of the main thread a second handler stands before Python's: it tells the
 * library to stop, and then lets Python note the signal. */
#define _GNU_SOURCE /* gettid */
#include "interrupt.h"

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

/* Those that people set handlers for in order to break off. */
static const int numbers[] = {SIGINT, SIGTERM, SIGALRM};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

static struct sigaction before[NUMBERS];  /* what was there before the outermost call */
static _Atomic(interrupt_scope *) current; /* the innermost call of the main thread */
static atomic_int handling;               /* handlers at work, perhaps in other threads */

static void handle(int number) {
  atomic_fetch_add(&handling, 1);
  interrupt_scope *scope = atomic_load(&current);
  if (scope != NULL) {
    scope->stopped = 1;
    scope->stop(scope->context);
  }
  atomic_fetch_sub(&handling, 1);
  for (size_t i = 0; i < NUMBERS; i++)
    if (numbers[i] == number) before[i].sa_handler(number);
}

/* Whether a program has a handler, which is then Python's, for a signal. */
static bool is_handled(const struct sigaction *action) {
  return (action->sa_flags & SA_SIGINFO) == 0 && action->sa_handler != SIG_DFL &&
         action->sa_handler != SIG_IGN;
}

void alea_py_raise(void *flag) { alea_stop_flag_raise(flag); }

void alea_py_interrupt_begin(interrupt_scope *scope, void (*stop)(void *), void *context) {
  *scope = (interrupt_scope){.stop = stop, .context = context, .armed = gettid() == getpid()};
  if (!scope->armed) return;
  scope->outer = atomic_load(&current);
  atomic_store(&current, scope);
  if (scope->outer != NULL) return;
  for (size_t i = 0; i < NUMBERS; i++) {
    sigaction(numbers[i], NULL, &before[i]);
    if (!is_handled(&before[i])) continue;
    struct sigaction ours = before[i];
    ours.sa_handler = handle;
    sigaction(numbers[i], &ours, NULL);
  }
}

bool alea_py_interrupt_end(interrupt_scope *scope) {
  if (!scope->armed) return true;
  if (scope->outer == NULL)
    for (size_t i = 0; i < NUMBERS; i++) {
      struct sigaction now;
      sigaction(numbers[i], NULL, &now);
      if (is_handled(&now) && now.sa_handler == handle) sigaction(numbers[i], &before[i], NULL);
    }
  atomic_store(&current, scope->outer);
  while (atomic_load(&handling) > 0) sched_yield(); /* another thread's may still hold 'scope' */
  return !scope->stopped || PyErr_CheckSignals() == 0;
}
