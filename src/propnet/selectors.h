#ifndef ALEA_PROPNET_SELECTORS_H
#define ALEA_PROPNET_SELECTORS_H

/* State of alea_graph_select, shared by the files that implement it: selectors.c (what to
 * replace), selector_terms.c (terms that imply others), selector_rows.c (by what), selector_fit.c
 * (what else rows can replace) and selector_pull.c (what ORs of such gates have in common). */

#include "base/hash_map.h"
#include "propnet/graph.h"

enum { ALEA_MAX_FAMILIES = 16 };
#define ALEA_NO_TERM UINT32_MAX
#define ALEA_NO_CONTEXT UINT32_MAX

/* One alternative of an OR: an AND of a selector, of what it chooses, and of what other
 * alternatives have in common with it. */
typedef struct alea_selector_use {
  uint64_t key; /* what is common, as a hash */
  uint32_t selector;
  uint32_t gate;
  uint32_t chosen, chosen_count; /* literals, in 'chosen' */
} alea_selector_use;

/* Alternatives of one OR that have the same in common. */
typedef struct alea_selector_group {
  uint32_t reader;       /* the gate that negates the OR */
  uint32_t first, count; /* in 'uses' */
  uint32_t row;          /* 1 + the row that replaces what is chosen, or 0 */
} alea_selector_group;

/* A selector with what it chooses, as found; 'term' is the AND of both as a set of literals. */
typedef struct alea_selector_pair {
  uint32_t selector;
  alea_lit lit;
  uint32_t term;
} alea_selector_pair;

/* A set of terms, made of parts of blocks. */
typedef struct alea_selector_row {
  uint32_t first, count; /* nodes of trees, in 'row_nodes', ascending */
  uint32_t rank;         /* it depends on no gate after this one */
} alea_selector_row;

/* Classes of terms that many rows have in common, and a tree over them: leaves are the classes,
 * filled up with true, and a node says that no class below it holds.  Node n of a block has the
 * children 2n and 2n + 1; the root is 1. */
typedef struct alea_selector_block {
  uint32_t first, count; /* classes, in 'block_classes' */
  uint32_t node;         /* the number of its node 0 */
  uint32_t leaves;       /* a power of two */
  uint32_t rank;
} alea_selector_block;

/* A gate that matters only where a selector holds, and may be what some row says there. */
typedef struct alea_selector_query {
  uint32_t gate, selector;
  uint32_t terms; /* where they begin in 'gate_terms' */
} alea_selector_query;

typedef struct alea_selectors {
  alea_graph *graph;
  alea_mem *mem;
  size_t gates; /* before others are added */

  ALEA_VEC(alea_selector_use) found; /* in one OR */
  uint32_t *seen;                    /* per literal: alternatives of that OR that have it */
  ALEA_VEC(alea_selector_use) uses;
  alea_u32s chosen;
  ALEA_VEC(alea_selector_group) groups; /* the largest first */
  uint32_t *family; /* per fluent node: a number, 0, or UINT32_MAX: not proved */
  uint32_t family_size[1 + ALEA_MAX_FAMILIES];

  ALEA_VEC(alea_selector_pair) pairs;
  alea_hash_map pair_ids;
  alea_u32s lits, first_lit; /* of terms, sorted */
  alea_u32s selector_of;     /* per term */
  alea_hash_map term_ids;
  uint32_t terms;
  bool complete;        /* no term is added any more */
  uint32_t *terms_of;   /* per alternative: 1 + where its terms begin in 'gate_terms', or 0 */
  alea_u32s gate_terms; /* of alternatives: their number, then the terms */

  alea_u32s term_rank;            /* per term: the last gate that it reads */
  alea_u32s stronger_first;       /* per term: where its terms begin in 'stronger' ... */
  alea_u32s stronger;             /* ... those that imply it: they ask for more */
  alea_u32s of_selector, term_at; /* terms by selector: per fluent node where they begin */

  ALEA_VEC(alea_selector_row) rows;
  alea_u32s row_nodes;
  ALEA_VEC(alea_selector_query) queries;
  alea_u32s row_lits; /* per row: the literal that no term of it holds */
  alea_hash_map row_ids;
  alea_u32s group_of; /* per row: the first group that has it */
  uint32_t *row_of;   /* per gate: 1 + the row that replaces it beside a selector, or 0 */
  uint32_t *beside;   /* per gate with a row: that selector */
  uint32_t *context;  /* per gate: the selector without which it does not matter, if any */
  uint64_t *bits;     /* rows of 'row_words' words: which terms; NULL: too many */
  size_t row_words;

  alea_u32s class_of;                 /* per term */
  alea_u32s class_terms, class_first; /* per class */
  ALEA_VEC(alea_selector_block) blocks;
  alea_u32s block_classes;
  alea_u32s block_of, leaf_of; /* per class */
  alea_u32s node_block;        /* per node: its block */
  alea_u32s node_lits;         /* per node: the literal that no term below it holds */
  alea_hash_map made;          /* gates that were made, by their inputs */

  uint8_t *marked;  /* per gate: an alternative of the present group */
  uint8_t *visited; /* per gate: rows replace it */
  uint64_t cost;    /* two-input gates of those, and of the ORs that read them */
  alea_u32s work;
} alea_selectors;

static inline uint32_t alea_selector_term_size(const alea_selectors *s, uint32_t term) {
  return s->first_lit.data[term + 1] - s->first_lit.data[term];
}

/* The selector among the inputs of a gate, or 0. */
uint32_t alea_selectors_selector_in(const alea_selectors *s, const alea_graph_gate *g);
/* The AND of s->work, one gate for equal inputs; consumes them.  ALEA_NO_LIT without memory. */
alea_lit alea_selectors_and(alea_selectors *s);

/* Finds what implies what among the terms, which are complete; stops early past the deadline.
 * False without memory. */
bool alea_selectors_relate_terms(alea_selectors *s, const alea_deadline *deadline);

/* Finds rows of terms as parts of blocks; '*worth' is false where gates for them would not be much
 * less than what there is, or time is up.  False without memory. */
bool alea_selectors_find_rows(alea_selectors *s, const alea_deadline *deadline, bool *worth);
/* Adds to 'row_nodes' the largest parts of a block whose leaves are all set in 'whole', a byte for
 * each node; false without memory. */
bool alea_selectors_add_nodes(alea_selectors *s, uint32_t block, uint8_t *whole);
/* Finds rows for queries; stops early past the deadline.  False without memory. */
bool alea_selectors_fit_queries(alea_selectors *s, const alea_deadline *deadline);
/* Makes the nodes of all blocks; false without memory. */
bool alea_selectors_make_nodes(alea_selectors *s);
/* The literal that no term of a row holds, but for those of a block (UINT32_MAX: none). */
alea_lit alea_selectors_make_row(alea_selectors *s, uint32_t row, uint32_t without);
/* Takes out of ORs what all alternatives ask; false without memory. */
bool alea_selectors_pull(alea_selectors *s, const alea_deadline *deadline);

#endif
