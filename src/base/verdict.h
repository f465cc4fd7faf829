#ifndef ALEA_BASE_VERDICT_H
#define ALEA_BASE_VERDICT_H

/* What the services over several stages have in common: a question gets one
 * of three answers, within a budget.  Running out of the budget is no failure:
 * the answer is then "unknown". */

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

/* Whichever limit is reached first ends the work.  Without a deadline (and
 * without anybody raising its flag) an answer depends on nothing but the
 * question and the budget. */
typedef struct alea_effort {
  const alea_deadline *deadline; /* may be NULL */
  uint64_t conflicts;            /* of the clause learner; 0 = no such limit */
  uint64_t nodes;                /* positions looked at; 0 = no such limit */
  size_t memory;                 /* bytes; 0 = 1 GiB */
} alea_effort;

#endif
