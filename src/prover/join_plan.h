#ifndef ALEA_PROVER_JOIN_PLAN_H
#define ALEA_PROVER_JOIN_PLAN_H

/* In which order to join the body of a rule.
 *
 * A subgoal fixes some arguments of its predicate and leaves the others free;
 * that is its shape.  For a shape, each rule of the predicate gets a plan: its
 * literals as steps, in an order chosen greedily: tests as soon as all their
 * variables are bound, then whatever is expected to branch least.  Which
 * variables are bound before a step depends on the plan alone, so a step knows
 * its index columns and the variables that it binds. */

#include "prover/facts.h"

typedef enum alea_step_kind {
  ALEA_STEP_DISTINCT,  /* test: two terms differ */
  ALEA_STEP_HOLDS,     /* test: a ground fluent holds */
  ALEA_STEP_NOT_HOLDS, /* test: it does not */
  ALEA_STEP_ROWS,      /* rows of a relation */
  ALEA_STEP_NO_ROW,    /* test: a ground row is not in a relation */
  ALEA_STEP_CALL,      /* answers of a subgoal */
  ALEA_STEP_NOT_CALL,  /* test: a ground subgoal has no answer */
} alea_step_kind;

typedef struct alea_step {
  uint8_t kind;            /* alea_step_kind */
  alea_relation *relation; /* ROWS, NO_ROW */
  alea_arena *arena;       /* ROWS, NO_ROW: where indexes of the relation live */
  alea_pred pred;          /* CALL, NOT_CALL */
  const alea_literal *literal;
  const alea_rule_node_id *args; /* one per column or argument; none for DISTINCT */
  uint32_t arg_count;
  alea_columns bound;    /* ROWS, NO_ROW: columns that are ground when the step begins */
  const uint32_t *fresh; /* variables that the step binds */
  uint32_t fresh_count;
} alea_step;

typedef struct alea_join_plan {
  const alea_rule *rule;
  uint32_t step_count;
  alea_step steps[];
} alea_join_plan;

/* The plans of one predicate for one set of bound arguments. */
typedef struct alea_call_shape {
  struct alea_call_shape *older;
  const bool *bound;            /* per argument */
  const alea_join_plan **plans; /* per rule of the predicate */
} alea_call_shape;

/* One per solver: plans refer to its facts, and to how many there are when
 * the plan is made. */
typedef struct alea_join_planner {
  alea_mem *mem;
  alea_arena arena;
  alea_facts *facts;        /* borrowed */
  alea_call_shape **shapes; /* per predicate, newest first */
  bool *known;              /* scratch: which variables are bound, per variable */
  size_t known_count;
} alea_join_planner;

/* 'planner' is cleared by the caller in any case; false without memory. */
bool alea_join_planner_init(alea_join_planner *planner, alea_facts *facts, alea_mem *mem);
void alea_join_planner_clear(alea_join_planner *planner);

/* The plans for a subgoal whose free arguments are ALEA_NO_TERM in 'key';
 * NULL without memory. */
const alea_call_shape *alea_join_planner_shape(alea_join_planner *planner, alea_pred pred,
                                               const alea_term *key);

#endif
