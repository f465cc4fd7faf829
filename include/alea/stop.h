#ifndef ALEA_STOP_H
#define ALEA_STOP_H

/* Ending long calls early: a flag that a match or a solver looks at.
 *
 *   alea_stop_flag *stop;
 *   if (alea_stop_flag_new(&stop) != ALEA_OK) ...
 *   alea_solve_settings settings = {.size = sizeof settings, .stop = stop};
 *   status = alea_problem_solve(&solution, problem, &settings);
 *
 * Meanwhile another thread, or a handler of signals, calls alea_stop_flag_raise.  The
 * call ends within a fraction of a second, as it does when its time is over.  One
 * flag may serve many calls.  Players have a call of their own, alea_agent_stop. */

#include <stdbool.h>

#include "alea/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct alea_stop_flag alea_stop_flag;

/* A flag that is not raised, owned by the caller; the calls that look at it must
 * have returned before it is freed. */
ALEA_API alea_status alea_stop_flag_new(alea_stop_flag **stop);
ALEA_API void alea_stop_flag_free(alea_stop_flag *stop); /* NULL is a no-op. */

/* Raises the flag, or lowers it, for calls to come.  From any thread and from
 * handlers of signals. */
ALEA_API void alea_stop_flag_raise(alea_stop_flag *stop);
ALEA_API void alea_stop_flag_lower(alea_stop_flag *stop);
ALEA_API bool alea_stop_flag_raised(const alea_stop_flag *stop);

#ifdef __cplusplus
}
#endif

#endif
