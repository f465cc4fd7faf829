#ifndef ALEA_MODELS_INSTANCE_H
#define ALEA_MODELS_INSTANCE_H

/* A constraint instance of any kind, as it is read from XCSP3 or our JSON. */

#include "csp/csp.h"
#include "csp/strategic.h"
#include "scsp/scsp.h"

/* Exactly one of these is set once it is read. */
typedef struct alea_network_instance {
  alea_csp *csp;
  alea_strategic *strategic;
  alea_scsp *scsp;
  alea_process *process;
} alea_network_instance;

/* Where the bytes come from, and how long reading may take. */
typedef struct alea_network_instance_source {
  const char *text; /* ends with a NUL that 'length' does not count */
  size_t length;
  const char *file; /* for diagnostics; must outlive them */
  const alea_deadline *deadline;
} alea_network_instance_source;

/* Reads an instance: JSON if it begins with a brace, else XCSP3.  The caller
 * clears it in any case.  ALEA_INPUT: 'diag' says where it is wrong.  ALEA_LIMIT:
 * the deadline passed, and '*late' is true, or the limit of 'mem' was reached. */
alea_status alea_network_instance_read(alea_network_instance *instance,
                                       const alea_network_instance_source *source, alea_mem *mem,
                                       alea_diag *diag, bool *late);
void alea_network_instance_clear(alea_network_instance *instance); /* a zeroed one too */

#endif
