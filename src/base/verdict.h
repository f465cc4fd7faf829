#ifndef ALEA_BASE_VERDICT_H
#define ALEA_BASE_VERDICT_H

/* Verdicts: the answers of services that search with a budget.
 *
 * A question is proved or refuted, or its answer stays unknown.  Running out of
 * the budget is not a failure: the answer is then "unknown". */

#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/status.h"

typedef enum alea_verdict {
  ALEA_VERDICT_UNKNOWN,
  ALEA_VERDICT_PROVED,
  ALEA_VERDICT_REFUTED
} alea_verdict;

/* "unknown", "proved", "refuted". */
const char *alea_verdict_text(alea_verdict answer);

/* The first limit that is reached ends the work.  Without a deadline the answer
 * depends on the question and the budget alone. */
typedef struct alea_effort {
  const alea_deadline *deadline; /* may be NULL */
  uint64_t conflicts;            /* of the clause learner; 0 = no such limit */
  uint64_t nodes;                /* positions visited; 0 = no such limit */
  size_t memory;                 /* bytes; 0 = 1 GiB */
} alea_effort;

#endif
