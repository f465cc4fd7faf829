#ifndef ALEA_STATUS_H
#define ALEA_STATUS_H

/* What a call returns, and what it has to say about an input.
 *
 * A call that can fail returns an alea_status; 0 is success.  The values up to
 * ALEA_SYSTEM are the exit statuses of the program `alea`.  ALEA_NO, ALEA_NONE
 * and ALEA_UNSUPPORTED are answers rather than failures; the header of a call
 * says when it returns them:
 *   ALEA_NO           the answer to a yes-or-no question
 *   ALEA_NONE         the requested object does not exist
 *   ALEA_UNSUPPORTED  not possible for this game or in this build
 * What is late, too large or too long is always ALEA_LIMIT. */

#include <stddef.h>
#include <stdint.h>

#include "alea/version.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/* A short English word for 'status', for messages.  A constant. */
ALEA_API const char *alea_status_text(alea_status status);

/* ---- diagnostics ---- */

typedef enum alea_severity { ALEA_ERROR, ALEA_WARNING } alea_severity;

typedef struct alea_place {
  const char *file; /* may be NULL */
  uint32_t line;    /* from 1; 0 means no place */
  uint32_t column;  /* from 1, in bytes */
} alea_place;

/* One thing that is wrong with an input.  'code' is a stable word such as
 * "unsafe-variable" for programs, 'message' a sentence for people. */
typedef struct alea_diag_entry {
  alea_place place;
  alea_severity severity;
  const char *code;
  const char *message;
} alea_diag_entry;

/* What a call found, in the order of discovery.  A call that takes an
 * 'alea_diagnostics **' sets it to a list that the caller owns and frees, or to
 * NULL where there is nothing to say; the pointer itself may be NULL.  A list is
 * immutable: any number of threads may read it. */
typedef struct alea_diagnostics alea_diagnostics;

ALEA_API size_t alea_diagnostics_count(const alea_diagnostics *list); /* 0 for NULL */
/* Lives as long as the list; NULL beyond the last. */
ALEA_API const alea_diag_entry *alea_diagnostics_at(const alea_diagnostics *list, size_t index);
ALEA_API void alea_diagnostics_free(alea_diagnostics *list); /* NULL is a no-op. */

#ifdef __cplusplus
}
#endif

#endif
