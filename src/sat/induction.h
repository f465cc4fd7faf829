#ifndef ALEA_SAT_INDUCTION_H
#define ALEA_SAT_INDUCTION_H

/* Which groups of literals exclude each other in every state, by induction.
 *
 * The clauses speak of a state and of what follows from it.  Each group is a
 * hypothesis, that at most one of some literals holds now, and a claim, that
 * at most one of others does: the same fluents, one step later.  All
 * hypotheses are assumed together; a model of the clauses in which a claim
 * fails gives the group up, until there is no such model (Houdini: Flanagan
 * and Leino, FME 2001).  The groups left are proved, where the hypotheses hold
 * at the start.  They are the largest set of groups that proves itself, so
 * they do not depend on the order of the models. */

#include "base/vec.h"
#include "sat/sat.h"

/* What a question of the induction goes through; 'data' is the caller's. */
typedef alea_status alea_induction_solver(void *data, const alea_slit *assumptions, size_t count,
                                          uint64_t conflicts, alea_verdict *answer);

typedef struct alea_induction_group {
  uint32_t question;
  alea_slit hypothesis; /* implies that at most one holds now; 0 = none */
  alea_slit failure;    /* equals that two hold of which the claim speaks */
  bool given_up;
} alea_induction_group;

typedef struct alea_induction {
  alea_mem *mem;
  alea_sat *sat;                /* borrowed */
  alea_induction_solver *solve; /* NULL = alea_sat_solve */
  void *data;
  ALEA_VEC(alea_induction_group) groups;
  ALEA_VEC(alea_slit) lits; /* scratch */
} alea_induction;

void alea_induction_clear(alea_induction *induction); /* a zeroed one too */

/* Adds a group, with the next number: of 'now' at most one is the hypothesis
 * (none where the count is 0), of 'then' at most one is the claim.  ALEA_LIMIT
 * where the clauses are too many. */
alea_status alea_induction_add(alea_induction *induction, uint32_t question, const alea_slit *now,
                               size_t now_count, const alea_slit *then, size_t then_count);

typedef struct alea_induction_limits {
  uint64_t conflicts;      /* of one question about all groups; 0 = no limit */
  uint32_t rounds;         /* questions about all groups; 0 = no limit */
  bool each;               /* past the conflicts, each group is asked about alone */
  uint64_t each_conflicts; /* of one such question; 0 = no limit */
  uint32_t each_questions; /* such questions, after which the rest is given up; 0 = no limit */
} alea_induction_limits;

/* Asks the question 'question' where 'given' holds, with the hypotheses of all
 * groups that are not given up.  '*proved': the claims of the groups of the
 * question that are left hold.  Without an answer they are all given up. */
alea_status alea_induction_run(alea_induction *induction, uint32_t question, alea_slit given,
                               const alea_induction_limits *limits, bool *proved);

#endif
