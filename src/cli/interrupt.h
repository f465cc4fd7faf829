#ifndef ALEA_CLI_INTERRUPT_H
#define ALEA_CLI_INTERRUPT_H

/* Ctrl-C in commands that work for a while: the first one asks the work to end, so
 * that what was found so far is kept and printed, and the exit status is that of a
 * limit; the second one ends the program at once, with the same status.  SIGTERM
 * and SIGHUP, unless it is ignored (nohup), count alike. */

#include <stdatomic.h>
#include <stdbool.h>

#include "base/status.h"

/* Catches the signals from now on; the result is raised by the first of them, can be
 * the `stop` of a deadline or a budget, and may be raised by others as well. */
atomic_bool *alea_cli_catch_stop(void);
/* Whether it was raised. */
bool alea_cli_stopped(void);
/* "alea: stopped ..." on standard error, once, if it was raised and 'status' is that
 * of a limit or none: the status is then that of a limit.  'what' ends the sentence. */
alea_status alea_cli_tell_stopped(alea_status status, const char *what, ...)
    __attribute__((format(printf, 2, 3)));

#endif
