/* Clauses, gates and questions for CaDiCaL. */
#include "sat/sat.h"

#include <ccadical.h>
#include <limits.h>
#include <stdlib.h>

/* ---- set up ---- */

/* Per variable and per clause, from what the process grows by: values,
 * phases, two watch lists, queue and heap; header and two watches. */
enum { VARIABLE_BYTES = 200, CLAUSE_BYTES = 64 };

static int out_of_time(void *state) {
  const alea_sat *sat = state;
  return alea_deadline_passed(sat->deadline);
}

bool alea_sat_init(alea_sat *sat, alea_sat_style style, size_t limit) {
  *sat = (alea_sat){.limit = limit > 0 ? limit : (size_t)1 << 30};
  sat->solver = ccadical_init();
  if (sat->solver == NULL) return false;
  ccadical_set_option(sat->solver, "quiet", 1);
  if (style == ALEA_SAT_SHORT) ccadical_set_option(sat->solver, "lucky", 0);
  ccadical_set_terminate(sat->solver, sat, out_of_time);
  alea_slit truth = alea_sat_variable(sat);
  ccadical_add(sat->solver, truth);
  ccadical_add(sat->solver, 0);
  return true;
}

void alea_sat_clear(alea_sat *sat) {
  if (sat->solver != NULL) ccadical_release(sat->solver);
  *sat = (alea_sat){0};
}

bool alea_sat_full(const alea_sat *sat) {
  return sat->bytes > sat->limit || sat->variables > INT_MAX / 2;
}

bool alea_sat_over(const alea_sat *sat) {
  return alea_sat_full(sat) || alea_deadline_passed(sat->deadline);
}

/* ---- clauses ---- */

alea_slit alea_sat_variable(alea_sat *sat) {
  sat->bytes += VARIABLE_BYTES;
  return ++sat->variables;
}

void alea_sat_clause(alea_sat *sat, const alea_slit *lits, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (lits[i] == ALEA_SLIT_TRUE) return;
  for (size_t i = 0; i < count; i++)
    if (lits[i] != ALEA_SLIT_FALSE) ccadical_add(sat->solver, lits[i]);
  ccadical_add(sat->solver, 0);
  sat->clauses++;
  sat->bytes += CLAUSE_BYTES + count * sizeof *lits;
}

void alea_sat_clause2(alea_sat *sat, alea_slit a, alea_slit b) {
  alea_sat_clause(sat, (alea_slit[]){a, b}, 2);
}

void alea_sat_clause3(alea_sat *sat, alea_slit a, alea_slit b, alea_slit c) {
  alea_sat_clause(sat, (alea_slit[]){a, b, c}, 3);
}

/* ---- gates ---- */

static int by_variable(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b, vx = abs(x), vy = abs(y);
  if (vx != vy) return vx < vy ? -1 : 1;
  return (x > y) - (x < y);
}

/* Sorts the literals, drops doubles and neutral ones.  A constant that decides
 * the gate is returned, else 0. */
static alea_slit simplify(bool or, alea_slit *lits, size_t *count) {
  alea_slit decides = or ? ALEA_SLIT_TRUE : ALEA_SLIT_FALSE;
  size_t kept = 0;
  for (size_t i = 0; i < *count; i++) {
    if (lits[i] == decides) return decides;
    if (lits[i] != -decides) lits[kept++] = lits[i];
  }
  qsort(lits, kept, sizeof *lits, by_variable);
  size_t last = 0;
  for (size_t i = 0; i < kept; i++) {
    if (last > 0 && lits[last - 1] == lits[i]) continue;
    if (last > 0 && lits[last - 1] == -lits[i]) return decides;
    lits[last++] = lits[i];
  }
  *count = last;
  if (last == 0) return -decides;
  return last == 1 ? lits[0] : 0;
}

alea_slit alea_sat_gate(alea_sat *sat, bool or, alea_slit *lits, size_t count) {
  alea_slit simple = simplify(or, lits, &count);
  if (simple != 0) return simple;
  alea_slit gate = alea_sat_variable(sat);
  alea_sat_define(sat, gate, or, lits, count);
  return gate;
}

void alea_sat_define(alea_sat *sat, alea_slit gate, bool or, const alea_slit *lits, size_t count) {
  int sign = or ? 1 : -1;
  for (size_t i = 0; i < count; i++) alea_sat_clause2(sat, sign * gate, -sign * lits[i]);
  for (size_t i = 0; i < count; i++)
    if (sign * lits[i] == ALEA_SLIT_TRUE) return;
  ccadical_add(sat->solver, -sign * gate);
  for (size_t i = 0; i < count; i++)
    if (sign * lits[i] != ALEA_SLIT_FALSE) ccadical_add(sat->solver, sign * lits[i]);
  ccadical_add(sat->solver, 0);
  sat->clauses++;
  sat->bytes += CLAUSE_BYTES + count * sizeof *lits;
}

/* Pairwise for a few; beyond, chunks of three with a new literal that says
 * "one of these" and stands for them in the next chunk. */
enum { FEW = 5, CHUNK = 3 };

static void pairwise(alea_sat *sat, const alea_slit *lits, size_t count) {
  for (size_t i = 0; i < count; i++)
    for (size_t j = i + 1; j < count; j++) alea_sat_clause2(sat, -lits[i], -lits[j]);
}

void alea_sat_at_most_one(alea_sat *sat, const alea_slit *lits, size_t count) {
  alea_slit chunk[FEW + 1];
  size_t at = 0;
  alea_slit some = ALEA_SLIT_FALSE; /* one of the literals before 'at' */
  while (count - at > FEW - 1) {
    size_t n = 0;
    if (some != ALEA_SLIT_FALSE) chunk[n++] = some;
    for (size_t i = 0; i < CHUNK; i++) chunk[n++] = lits[at++];
    pairwise(sat, chunk, n);
    some = alea_sat_variable(sat);
    for (size_t i = 0; i < n; i++) alea_sat_clause2(sat, -chunk[i], some);
  }
  size_t n = 0;
  if (some != ALEA_SLIT_FALSE) chunk[n++] = some;
  while (at < count) chunk[n++] = lits[at++];
  pairwise(sat, chunk, n);
}

/* ---- questions ---- */

void alea_sat_assume(alea_sat *sat, alea_slit lit) {
  if (lit != ALEA_SLIT_TRUE) ccadical_assume(sat->solver, lit);
}

alea_verdict alea_sat_solve(alea_sat *sat, uint64_t conflicts) {
  if (conflicts > 0)
    ccadical_limit(sat->solver, "conflicts", conflicts < INT_MAX ? (int)conflicts : INT_MAX);
  switch (ccadical_solve(sat->solver)) {
    case 10: return ALEA_VERDICT_PROVED;
    case 20: return ALEA_VERDICT_REFUTED;
    default: return ALEA_VERDICT_UNKNOWN;
  }
}

bool alea_sat_value(const alea_sat *sat, alea_slit lit) {
  if (lit == ALEA_SLIT_TRUE || lit == ALEA_SLIT_FALSE) return lit > 0;
  return (ccadical_val(sat->solver, abs(lit)) > 0) == (lit > 0);
}

bool alea_sat_failed(const alea_sat *sat, alea_slit lit) {
  return lit != ALEA_SLIT_TRUE && ccadical_failed(sat->solver, lit) != 0;
}
