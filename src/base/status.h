#ifndef ALEA_BASE_STATUS_H
#define ALEA_BASE_STATUS_H

/* The result of a fallible call, which is that of the public interface. */

#include "alea/status.h"

/* The exit status of the program, 0 to 5; ALEA_NONE and ALEA_UNSUPPORTED become
 * 1, the answer "no". */
int alea_status_exit(alea_status status);

#endif
