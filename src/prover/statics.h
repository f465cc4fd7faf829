#ifndef ALEA_PROVER_STATICS_H
#define ALEA_PROVER_STATICS_H

/* Evaluates once what no position can change.
 *
 * A predicate whose rules mention neither `true` nor `does`, even indirectly,
 * has the same answers in every position.  Where all of them can be found with
 * little work, they take the place of its rules, as facts.  Where they cannot
 * (large or infinite relations of which a game needs a corner), the rules
 * stay, and each cursor tables the subgoals that come up. */

#include "prover/rules.h"

/* ALEA_LIMIT, ALEA_SYSTEM: no memory; the rules are as they were. */
alea_status alea_rules_evaluate_statics(alea_rules *rules, alea_program *program);

#endif
