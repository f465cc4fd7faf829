#ifndef ALEA_SAT_SAT_H
#define ALEA_SAT_SAT_H

/* A SAT solver: CaDiCaL, with gates, constants and limits.  No other folder
 * includes the header of the solver.
 *
 * A literal is a signed variable; 1 is true and -1 false in every model, and
 * gates over constants are folded before they become clauses.  Clauses and
 * what was learned from them stay from one question to the next; questions
 * differ in their assumptions.
 *
 * The solver allocates for itself.  What it is given is counted and estimated
 * ('bytes'); callers ask alea_sat_full before they add more. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/verdict.h"

typedef int alea_slit;
enum { ALEA_SLIT_TRUE = 1, ALEA_SLIT_FALSE = -1 };

typedef struct alea_sat {
  struct CCaDiCaL *solver;
  int variables;
  uint64_t clauses;
  size_t bytes; /* estimate of what the solver holds */
  size_t limit;
  const alea_deadline *deadline;
} alea_sat;

typedef enum alea_sat_style {
  ALEA_SAT_LONG, /* few hard questions */
  ALEA_SAT_SHORT /* many easy ones: no effort before the search itself */
} alea_sat_style;

/* False: no memory.  'limit' bytes as estimated; 0 = 1 GiB. */
bool alea_sat_init(alea_sat *sat, alea_sat_style style, size_t limit);
void alea_sat_clear(alea_sat *sat); /* A zeroed one is a no-op. */
bool alea_sat_full(const alea_sat *sat);
bool alea_sat_over(const alea_sat *sat); /* full, or past the deadline */

alea_slit alea_sat_variable(alea_sat *sat);
/* Adds a clause, unless a literal is true; false literals are left out. */
void alea_sat_clause(alea_sat *sat, const alea_slit *lits, size_t count);
void alea_sat_clause2(alea_sat *sat, alea_slit a, alea_slit b);
void alea_sat_clause3(alea_sat *sat, alea_slit a, alea_slit b, alea_slit c);

/* A literal that equals the conjunction (or, with 'or', the disjunction) of
 * the literals, which are reordered.  A constant or one of them where that is
 * enough. */
alea_slit alea_sat_gate(alea_sat *sat, bool or, alea_slit *lits, size_t count);
/* The clauses of the same for a given literal, none of them simplified. */
void alea_sat_define(alea_sat *sat, alea_slit gate, bool or, const alea_slit *lits, size_t count);
/* At most one of the literals holds. */
void alea_sat_at_most_one(alea_sat *sat, const alea_slit *lits, size_t count);

/* To be assumed in the next question. */
void alea_sat_assume(alea_sat *sat, alea_slit lit);
/* Asks whether there is a model: proved, refuted, or unknown after
 * 'conflicts' of them (0 = no such limit) or past the deadline. */
alea_verdict alea_sat_solve(alea_sat *sat, uint64_t conflicts);
/* After "proved", until something is added: the literal holds. */
bool alea_sat_value(const alea_sat *sat, alea_slit lit);
/* After "refuted", until something is added: the assumption was used. */
bool alea_sat_failed(const alea_sat *sat, alea_slit lit);

#endif
