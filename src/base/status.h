#ifndef ALEA_BASE_STATUS_H
#define ALEA_BASE_STATUS_H

/* The result of a fallible call.
 *
 * ALEA_NO, ALEA_NONE and ALEA_UNSUPPORTED are answers, not failures; the header
 * of a call says when it returns them:
 *   ALEA_NO           the answer to a yes-or-no question
 *   ALEA_NONE         the requested object does not exist
 *   ALEA_UNSUPPORTED  not possible for this game or in this build
 * What is late, too large or too long is always ALEA_LIMIT. */
typedef enum alea_status {
  ALEA_OK = 0,          /* done */
  ALEA_NO = 1,          /* the answer is "no": invalid, unsatisfiable, a mismatch */
  ALEA_USAGE = 2,       /* the caller asked for something that does not exist */
  ALEA_INPUT = 3,       /* the input is wrong; a diagnostic says where */
  ALEA_LIMIT = 4,       /* a configured limit was reached (time, memory, size) */
  ALEA_SYSTEM = 5,      /* the machine failed: out of memory, I/O, network */
  ALEA_NONE = 6,        /* there is none: no legal move, no position, nobody free */
  ALEA_UNSUPPORTED = 7, /* cannot be done with this game or build */
} alea_status;

/* A short English word for 'status', for messages. */
const char *alea_status_text(alea_status status);

/* The exit status of the program, 0 to 5 as above; ALEA_NONE and
 * ALEA_UNSUPPORTED become 1, the answer "no". */
int alea_status_exit(alea_status status);

#endif
