#ifndef ALEA_PROVER_SETTLE_H
#define ALEA_PROVER_SETTLE_H

/* Answers that hold on condition, and how to settle them.
 *
 * Where subgoals depend on each other through negation, the solver goes on as
 * if the negation held and notes the condition.  The conditional derivations
 * of a finished group of tables are a ground program of their own; alea_settle
 * finds its well-founded model by the alternating fixpoint (Van Gelder, "The
 * alternating fixpoint of logic programs with negation", 1993). */

#include "base/status.h"
#include "prover/answer_table.h"

/* One condition, and those before it: that 'answer' of 'table' holds, or,
 * with ALEA_NO_ANSWER, that the ground 'table' has no answer. */
typedef struct alea_condition {
  const struct alea_condition *others;
  const alea_answer_table *table;
  uint32_t answer;
} alea_condition;

/* A derivation: 'answer' of 'table' holds if all conditions do. */
typedef struct alea_instance {
  alea_answer_table *table;
  uint32_t answer;
  const alea_condition *conditions;
} alea_instance;

/* Removes the answers that do not hold from the 'table_count' tables of a
 * group and proves the others.  'instances' has all conditional derivations
 * of their answers; conditions speak about tables of the group only.
 * ALEA_INPUT: some answer is neither true nor false.  ALEA_LIMIT: the deadline
 * of 'mem' passed. */
alea_status alea_settle(alea_answer_table **tables, size_t table_count,
                        const alea_instance *instances, size_t instance_count, const alea_mem *mem);

#endif
