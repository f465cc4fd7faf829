#ifndef ALEA_TESTS_CONFORMANCE_RUN_H
#define ALEA_TESTS_CONFORMANCE_RUN_H

/* Runs an engine over the conformance cases of the corpus (kinds
 * "statemachine" and "derived" of conformance/cases.json). */

#include "support/load.h"

typedef struct conformance_result {
  unsigned passed, failed, skipped; /* cases */
} conformance_result;

/* False if there are no cases in 'folder'.  Prints failures to stderr. */
bool conformance_run(const char *folder, make_game *make, conformance_result *result);

#endif
