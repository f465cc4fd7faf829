#ifndef ALEA_BASE_STATUS_H
#define ALEA_BASE_STATUS_H

/* The result of a fallible call.  The values are the exit statuses of the
 * program, so that a command can return the status of the library. */
typedef enum alea_status {
  ALEA_OK = 0,     /* done */
  ALEA_NO = 1,     /* the answer is "no": invalid, unsatisfiable, a mismatch */
  ALEA_USAGE = 2,  /* the caller asked for something that does not exist */
  ALEA_INPUT = 3,  /* the input is wrong; a diagnostic says where */
  ALEA_LIMIT = 4,  /* a configured limit was reached (time, memory, size) */
  ALEA_SYSTEM = 5, /* the machine failed: out of memory, I/O, network */
} alea_status;

/* A short English word for 'status', for messages. */
const char *alea_status_text(alea_status status);

#endif
