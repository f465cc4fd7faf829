#ifndef ALEA_BASE_STATUS_H
#define ALEA_BASE_STATUS_H

/* How a fallible call ended.
 *
 * ALEA_NO, ALEA_NONE and ALEA_UNSUPPORTED are answers, not failures, and a
 * header says where a call gives them:
 *   ALEA_NO           a question with the answers yes and no was asked
 *   ALEA_NONE         something was asked for that may or may not exist
 *   ALEA_UNSUPPORTED  this game or build is not one for which it can be done
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

/* The exit status of the program, 0 to 5 as above: what is not there or cannot
 * be done is an answer "no" (1) to whoever asked for it. */
int alea_status_exit(alea_status status);

#endif
