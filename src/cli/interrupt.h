#ifndef ALEA_CLI_INTERRUPT_H
#define ALEA_CLI_INTERRUPT_H

/* Ctrl-C in commands that work for a while: the first one asks the work to end, so
 * that what was found so far is kept and printed, and the exit status is that of a
 * limit; the second one ends the program at once, with the same status.  SIGTERM
 * and SIGHUP, unless it is ignored (nohup), count alike.
 *
 * Work looks for the flag in all of its long loops; what cannot look (a step of the
 * library that finds symmetries, a page that is being read from a slow disk) is ended
 * by a watchdog: a thread that sleeps until SIGTERM or SIGHUP, gives the command 0.8 s
 * to end in good order, and then ends the process, with what was printed until then
 * and the status of a limit (docs/DECISIONS.md, D115).  Ctrl-C is a person's, who may
 * want what is worth a few seconds, or presses it again. */

#include <stdatomic.h>
#include <stdbool.h>

#include "base/status.h"

/* Catches the signals from now on; the result is raised by the first of them, can be
 * the `stop` of a deadline or a budget, and may be raised by others as well. */
atomic_bool *alea_cli_catch_stop(void);
/* The same as the first of the signals, from another thread of the process. */
void alea_cli_ask_to_stop(void);
/* The command has something to write when it is stopped, which may take longer: the
 * watchdog waits for so many seconds instead. */
void alea_cli_stop_patience(double seconds);
/* The command is over: signals do what they did before, and nobody watches. */
void alea_cli_release_stop(void);
/* Whether it was raised. */
bool alea_cli_stopped(void);
/* "alea: stopped ..." on standard error, once, if it was raised and 'status' is that
 * of a limit or none: the status is then that of a limit.  'what' ends the sentence. */
alea_status alea_cli_tell_stopped(alea_status status, const char *what, ...)
    __attribute__((format(printf, 2, 3)));

#endif
