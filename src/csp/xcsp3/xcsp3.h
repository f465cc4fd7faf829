#ifndef ALEA_CSP_XCSP3_XCSP3_H
#define ALEA_CSP_XCSP3_XCSP3_H

/* XCSP3-core: reading and writing.
 *
 * Read: var and array (ranges and lists of integers, symbols, "for" and "as"),
 * extension (supports, conflicts, stars, and entries that are sets, ranges or
 * comparisons), intension, allDifferent (list, lists, matrix, except),
 * allEqual, ordered, lex (lists, matrix), precedence, sum, count, nValues,
 * cardinality, knapsack, binPacking, minimum, maximum, minimumArg,
 * maximumArg, element (list, matrix), channel, instantiation, clause, regular, mdd,
 * stretch, flow, circuit, noOverlap, cumulative; group, slide and block; one
 * objective.  docs/CONSTRAINTS.md has the variants of each.  A
 * list may hold expressions wherever it may hold variables.  Whatever else
 * occurs is refused by name and line, never ignored.
 *
 * Symbols may occur where only the equality of values matters; elsewhere they
 * are refused.  They are written as numbers.
 *
 * Where the specification leaves room:
 *   - channel keeps values within the places of the other list;
 *   - a condition of binPacking holds for the bin of every value, empty or not;
 *   - a lexicographic objective is read as one number with the variables as
 *     digits, and that number is the value reported;
 *   - an expression that is undefined (division by zero) does not hold.
 *
 * Beyond core, for stochastic and quantified networks, as best known from
 * the XCSP3 specification and tools:
 *   - type="SCSP": a variable (or array, or domain of an array) with attribute
 *     type="stochastic" lists its values as value:probability, e.g.
 *     "0:1/6 1:5/6" or "0:0.5 1:0.5";
 *   - <quantification> <exists> x y </exists> <forall> z </forall> ...; a
 *     variable not listed there is a state variable.  type="QCSP" quantifies
 *     over all values, any other type over those the state allows (Strategic
 *     CSP; we write type="StrategicCSP"), and the attributes check="exact|ac"
 *     and existential="definition|consistent" of <quantification> say how
 *     (strategic.h);
 *   - <stages> with one <stage> list of variables per stage, in order.  They
 *     are checked, since the order of decisions comes from elsewhere: every
 *     variable is in exactly one stage; declarations (or quantifiers) follow
 *     the stages; within a stage decisions are declared before what is drawn;
 *   - class="hidden" on a variable: auxiliary, its value follows from others. */

#include "csp/strategic.h"

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
  bool classical; /* type="QCSP": every value of a universal variable counts */
  alea_strategic_check check;
  alea_strategic_existential existential;
  ALEA_VEC(alea_xcsp3_chance) chances;
  ALEA_VEC(alea_xcsp3_quantifier) quantifiers; /* in order */
  ALEA_VEC(uint32_t) stages;                   /* stage of each listed variable ... */
  ALEA_VEC(alea_csp_var) staged;               /* ... in this order */
} alea_xcsp3;

/* Reads an instance from memory; 'file' is its name in diagnostics and must
 * outlive them.  On success 'instance' is filled and must be cleared; it owns
 * instance->csp. */
alea_status alea_xcsp3_read(alea_xcsp3 *instance, alea_mem *mem, const char *text, size_t length,
                            const char *file, alea_diag *diag);
void alea_xcsp3_clear(alea_xcsp3 *instance, alea_mem *mem);

/* Appends 'csp' as XCSP3 text.  Constraints without an XCSP3 form (rules,
 * programs, not-both, parity lines) are written as intension.  'more' (may be
 * NULL) has the parts that are not plain: chances, quantifiers, stages,
 * classical.  Names that XCSP3 does not allow are changed.  ALEA_LIMIT: a
 * recursive program, which has no such form. */
alea_status alea_xcsp3_write(const alea_csp *csp, const alea_xcsp3 *more, alea_text *text);

/* Moves the network of an instance into a quantified network that the caller
 * frees; NULL if out of memory. */
alea_strategic *alea_xcsp3_take_strategic(alea_xcsp3 *instance, alea_mem *mem);
/* Writes the network with its quantifiers; hints for the solver (classes,
 * outcome) have no XCSP3 form and are lost. */
alea_status alea_xcsp3_write_strategic(const alea_strategic *strategic, alea_text *text);

#endif
