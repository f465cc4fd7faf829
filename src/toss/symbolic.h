#ifndef ALEA_TOSS_SYMBOLIC_H
#define ALEA_TOSS_SYMBOLIC_H

/* Symbolic evaluation: formulas as circuits, with literals as truth values.
 *
 * The caller provides the literals of tuples and of memberships.  Plans must
 * walk only relations whose tuples are certain. */

#include "toss/circuit.h"
#include "toss/logic.h"

typedef struct alea_toss_case { /* a term has this value if 'lit' holds */
  alea_interval value;
  alea_toss_lit lit;
} alea_toss_case;
typedef ALEA_VEC(alea_toss_case) alea_toss_cases;

typedef struct alea_toss_symbolic {
  alea_toss_circuit *circuit;
  alea_toss_env *env; /* binds variables; its structure has the certain relations */
  alea_toss_lit (*atom)(void *context, uint32_t relation, const uint32_t *tuple);
  alea_toss_lit (*member)(void *context, uint32_t slot, uint32_t element); /* may be NULL */
  /* A quantifier over sets or numbers, or a comparison of terms with too many
   * values, not negated; NULL: sets are enumerated, others not expressible. */
  alea_toss_lit (*quantifier)(void *context, uint32_t code);
  void *context;
  bool labels;        /* functions have the values of the structure */
  alea_status status; /* ALEA_UNSUPPORTED: not expressible as a circuit */
} alea_toss_symbolic;

alea_toss_lit alea_toss_symbolic_formula(alea_toss_symbolic *s, uint32_t code);
/* Appends the cases of a term: exclusive and exhaustive, with distinct
 * values. */
void alea_toss_symbolic_term(alea_toss_symbolic *s, uint32_t code, alea_toss_cases *cases);

/* Calls 'visit' for the assignments of a plan that are not impossible, with the
 * literal that tells when the assignment satisfies it. */
typedef void alea_toss_symbolic_visit(alea_toss_symbolic *s, alea_toss_lit lit, void *context);
void alea_toss_symbolic_plan(alea_toss_symbolic *s, uint32_t plan, alea_toss_symbolic_visit *visit,
                             void *context);

#endif
