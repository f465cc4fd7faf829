#ifndef ALEA_NRA_NRA_H
#define ALEA_NRA_NRA_H

/* Arithmetic of the real numbers, with quantifiers: Z3, whose nlsat decides
 * polynomial constraints, and nlqsat those with quantifiers in turn.  No other
 * folder includes the header of the solver.
 *
 * Expressions are terms or formulas.  They live until the next
 * alea_nra_begin, which starts a new question; NULL goes through every
 * function, so that a lack of memory is noticed once, at the question.
 *
 * The budget is counted in steps of the solver, not in seconds: the same
 * question has the same answer on every machine.  A question that is not
 * answered within it stays unknown.  One object belongs to one thread. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/verdict.h"

typedef struct alea_nra alea_nra;
typedef struct _Z3_ast *alea_nra_expr;

alea_nra *alea_nra_new(void);      /* NULL without memory */
void alea_nra_free(alea_nra *nra); /* NULL is a no-op */

/* Forgets all expressions. */
void alea_nra_begin(alea_nra *nra);

/* The number that is written with the fewest digits among those that the
 * double stands for: 0.1 is a tenth.  NULL where it is not finite. */
alea_nra_expr alea_nra_number(alea_nra *nra, double x);
/* A variable of its own. */
alea_nra_expr alea_nra_variable(alea_nra *nra);
alea_nra_expr alea_nra_add(alea_nra *nra, alea_nra_expr a, alea_nra_expr b);
alea_nra_expr alea_nra_mul(alea_nra *nra, alea_nra_expr a, alea_nra_expr b);
alea_nra_expr alea_nra_neg(alea_nra *nra, alea_nra_expr a);
alea_nra_expr alea_nra_pow(alea_nra *nra, alea_nra_expr a, unsigned n);

alea_nra_expr alea_nra_truth(alea_nra *nra, bool value);
alea_nra_expr alea_nra_less(alea_nra *nra, alea_nra_expr a, alea_nra_expr b);
alea_nra_expr alea_nra_equal(alea_nra *nra, alea_nra_expr a, alea_nra_expr b);
alea_nra_expr alea_nra_not(alea_nra *nra, alea_nra_expr a);
alea_nra_expr alea_nra_and(alea_nra *nra, const alea_nra_expr *parts, size_t count);
alea_nra_expr alea_nra_or(alea_nra *nra, const alea_nra_expr *parts, size_t count);
/* Variables are bound, so that nothing outside the body speaks of them. */
alea_nra_expr alea_nra_exists(alea_nra *nra, const alea_nra_expr *variables, size_t count,
                              alea_nra_expr body);

/* Whether some values of the free variables make the formula true.
 * ALEA_SYSTEM: the solver lacked memory. */
alea_status alea_nra_ask(alea_nra *nra, alea_nra_expr formula, alea_verdict *answer);

#endif
