#ifndef ALEA_CSP_CONSTRAINTS_H
#define ALEA_CSP_CONSTRAINTS_H

/* The data of each kind of constraint in the network.
 *
 * Its propagator, the writers and the preprocessing read it.  The propagator of
 * each kind is in a file of its own; this header is the list of kinds. */

#include "csp/core.h"

/* Tuples by value index, row by row, sorted, no repeats. */
typedef struct csp_table {
  uint32_t arity;
  size_t count;
  const uint32_t *rows; /* entries are indexes, or CSP_ANY */
  bool forbidden;
  bool has_star;
} csp_table;
#define CSP_ANY UINT32_MAX

typedef struct csp_literal {
  uint32_t position; /* in the scope */
  int32_t value;
  bool negative;
} csp_literal;

typedef struct csp_clause {
  size_t count;
  const csp_literal *lits;
} csp_clause;

typedef struct csp_rules {
  csp_literal head;
  size_t bodies;
  const uint32_t *starts; /* bodies + 1 */
  const csp_literal *lits;
} csp_rules;

typedef struct csp_rule {
  uint32_t head; /* scope position */
  int32_t value;
  uint32_t first, count; /* lits[first ...] */
} csp_rule;

typedef struct csp_program {
  uint32_t head_count; /* the first variables of the scope */
  const int32_t *defaults;
  size_t rule_count, lit_count;
  const csp_rule *rules;
  const csp_literal *lits;
  bool highest, recursive;
} csp_program; /* choice: one head, no default */

typedef struct csp_linear {
  const int64_t *coeffs;
  alea_op op; /* LE, EQ or NE after normalisation */
  int64_t rhs;
} csp_linear;

typedef struct csp_values {
  size_t count;
  const int32_t *values;
} csp_values; /* all different: the exceptions; count: the values counted */

typedef struct csp_element {
  uint32_t count; /* scope: list, index, value */
  int32_t base;
} csp_element;

typedef struct csp_channel {
  uint32_t left, right; /* scope: left list, right list */
  int32_t left_base, right_base;
} csp_channel;

typedef struct csp_lex {
  uint32_t count; /* scope: left list, right list */
  bool strict;
} csp_lex;

typedef struct csp_differ {
  uint32_t count; /* scope: left list, right list */
  size_t except_count;
  const int32_t *except; /* tuples that may repeat */
} csp_differ;

typedef struct csp_circuit {
  int32_t base;
} csp_circuit;

typedef struct csp_boxes {
  uint32_t count, dims; /* scope: origins box by box, lengths box by box */
  bool zero_ignored;
} csp_boxes;

typedef struct csp_tasks {
  uint32_t count; /* scope: origins, lengths, heights, limit */
} csp_tasks;

typedef struct csp_regular {
  uint32_t states, start;
  const bool *final;
  size_t edge_count;
  const alea_csp_edge *edges;
} csp_regular;

typedef struct csp_pair {
  int32_t a, b;
} csp_pair; /* not both: the two values; iff: the value of each side */

extern const csp_type csp_unary_type, csp_binary_type, csp_compact_type, csp_negative_type;
extern const csp_type csp_clause_type, csp_rules_type, csp_linear_type, csp_all_different_type;
extern const csp_type csp_element_type, csp_count_type, csp_maximum_type, csp_minimum_type;
extern const csp_type csp_channel_type, csp_lex_type, csp_regular_type, csp_not_both_type;
extern const csp_type csp_parity_type, csp_intension_type, csp_iff_type, csp_order_type;
extern const csp_type csp_differ_type, csp_circuit_type, csp_boxes_type, csp_tasks_type;
extern const csp_type csp_program_type, csp_choice_type;

static inline bool csp_is_table(const csp_type *type) {
  return type == &csp_unary_type || type == &csp_binary_type || type == &csp_compact_type ||
         type == &csp_negative_type;
}

/* Posts a table given by indexes; 'rows' is copied. */
alea_status csp_post_rows(alea_csp *csp, const alea_csp_var *scope, uint32_t arity,
                          const uint32_t *rows, size_t count, bool forbidden);
/* Sorts rows and drops repeats, in place; returns the new count, or SIZE_MAX
 * if out of memory. */
size_t csp_rows_sort(alea_mem *mem, uint32_t *rows, size_t count, uint32_t arity);
bool csp_table_check(const alea_csp *csp, const csp_constraint *constraint, const int32_t *values);

#endif
