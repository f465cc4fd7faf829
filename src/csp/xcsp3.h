#ifndef ALEA_CSP_XCSP3_H
#define ALEA_CSP_XCSP3_H

/* XCSP3-core: reading and writing.
 *
 * Read: var and array (ranges and lists of integers, "for" and "as"),
 * extension (supports, conflicts, stars), intension, allDifferent (with
 * except, and lists), allEqual, ordered, lex, sum, count, nValues,
 * cardinality, minimum, maximum, element, channel, instantiation, regular,
 * mdd, group and block, one objective.  Whatever else occurs is refused by
 * name and line, never ignored.
 *
 * Beyond core, for stochastic and quantified networks, as best known from
 * the XCSP3 specification and tools:
 *   - type="SCSP": a variable with attribute type="stochastic" lists its
 *     values as value:probability, e.g. "0:1/6 1:5/6" or "0:0.5 1:0.5";
 *   - <quantification> <exists> x y </exists> <forall> z </forall> ... for
 *     type="QCSP"; a variable not listed there is a state variable of a
 *     Strategic CSP;
 *   - <stages> with one <stage> list of variables per stage, in order. */

#include "csp/csp.h"

/* The part of an instance that is not a plain network. */
typedef struct alea_xcsp3_chance {
  alea_csp_var var;
  double *probabilities; /* one per value index */
} alea_xcsp3_chance;

typedef struct alea_xcsp3_quantifier {
  alea_csp_var var;
  bool universal;
} alea_xcsp3_quantifier;

typedef struct alea_xcsp3 {
  alea_arena arena;
  alea_csp *csp;
  ALEA_VEC(alea_xcsp3_chance) chances;
  ALEA_VEC(alea_xcsp3_quantifier) quantifiers; /* in order */
  ALEA_VEC(uint32_t) stages;                   /* stage of each listed variable ... */
  ALEA_VEC(alea_csp_var) staged;               /* ... in this order */
} alea_xcsp3;

/* Reads an instance from memory; 'file' names it in diagnostics and must
 * outlive them.  On success 'instance' is filled and must be cleared, and
 * instance->csp is owned by it. */
alea_status alea_xcsp3_read(alea_xcsp3 *instance, alea_mem *mem, const char *text, size_t length,
                            const char *file, alea_diag *diag);
void alea_xcsp3_clear(alea_xcsp3 *instance, alea_mem *mem);

/* Appends 'csp' as XCSP3-core text; constraints without an XCSP3 form of
 * their own (rules, programs, not-both, parity lines) are written as
 * intension.  ALEA_LIMIT: a recursive program, which has no such form. */
alea_status alea_xcsp3_write(const alea_csp *csp, alea_text *text);

#endif
