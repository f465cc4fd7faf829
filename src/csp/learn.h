#ifndef ALEA_CSP_LEARN_H
#define ALEA_CSP_LEARN_H

/* Clause learning beside the search: the network as clauses, for CaDiCaL.
 *
 * A variable is order encoded, x >= v for each value v it has left at the root
 * (Tamura et al., Constraints 2009), with literals x = v where a constraint
 * asks for them.  Constraints that have no encoding, or a too large one, are
 * left out: every model is tried on the engine, and what fails there becomes a
 * clause over few of its values, found by propagation.  Hence a model that the
 * engine accepts is a solution, and clauses without a model prove that there is
 * none. */

#include "base/verdict.h"
#include "csp/core.h"

typedef struct csp_learner csp_learner;

/* Encodes the network over the domains of the engine, which is at its root,
 * propagated.  NULL: out of memory, or larger than 'bytes'. */
csp_learner *csp_learner_new(csp_engine *engine, const alea_deadline *deadline, size_t bytes);
void csp_learner_free(csp_learner *learner); /* NULL is a no-op */

/* From now on the objective is better than 'best'. */
void csp_learner_bound(csp_learner *learner, int64_t best);
/* Searches for a solution until about 'conflicts' of them, less where there are
 * many clauses and each costs more.  "Proved": the
 * engine has a new level in which the variables have the values of a solution.
 * "Refuted": there is none. */
alea_verdict csp_learner_run(csp_learner *learner, uint64_t conflicts);

#endif
