#ifndef ALEA_PROVER_SOLVER_H
#define ALEA_PROVER_SOLVER_H

/* The solver: answers questions about one position, from the rules.
 *
 * SLG resolution (Chen and Warren, "Tabled evaluation with delaying for
 * general logic programs", 1996) with explicit stacks.  A solver belongs to
 * one thread.  What it has derived stays until the position (or the joint
 * move) changes that it was derived from. */

#include "base/status.h"
#include "prover/answer_table.h"

typedef struct alea_solver alea_solver;

/* 'rules' is borrowed.  The position is empty, the joint move absent. */
alea_status alea_solver_new(alea_solver **solver, const alea_rules *rules, uint64_t max_inferences,
                            alea_mem *mem);
void alea_solver_free(alea_solver *solver); /* NULL is a no-op. */

/* The terms of this solver: those of the program first, with their numbers. */
alea_terms *alea_solver_terms(alea_solver *solver);

/* The position: fluents without duplicates.  Removes the joint move. */
alea_status alea_solver_set_state(alea_solver *solver, const alea_term *fluents, uint32_t count);
/* The joint move, as pairs of role and move; count 0 removes it. */
alea_status alea_solver_set_does(alea_solver *solver, const alea_term *pairs, uint32_t count);

/* All ground atoms of 'pred' that hold and agree with 'key' where that is not
 * ALEA_NO_TERM.  The table is valid until the position or the joint move
 * changes, or a question fails.  ALEA_LIMIT: inferences, memory, or the deadline
 * of the memory; ALEA_INPUT: see prover.h. */
alea_status alea_solver_ask(alea_solver *solver, alea_pred pred, const alea_term *key,
                            const alea_answer_table **answers);

/* Did the last question end because it needed too many inferences, or a term
 * of more than ALEA_TERM_SIZE_LIMIT names? */
bool alea_solver_gave_up(const alea_solver *solver);
/* Inferences made since the solver was made: a measure of work that does not
 * depend on the machine. */
uint64_t alea_solver_inferences(const alea_solver *solver);

#endif
