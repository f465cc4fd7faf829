#ifndef ALEA_PROPNET_SELECTORS_H
#define ALEA_PROPNET_SELECTORS_H

/* State of alea_graph_select, shared by the files that implement it: selectors.c (what to replace)
 * and selector_rows.c (by what). */

#include "base/hash_map.h"
#include "propnet/graph.h"

enum { ALEA_MAX_FAMILIES = 16, ALEA_MAX_LEFT = 8 };

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

typedef struct alea_selector_row {
  uint32_t cluster;
  uint32_t terms; /* how many */
  uint32_t rank;  /* it depends on no gate after this one */
  uint32_t left_count;
  uint32_t left[ALEA_MAX_LEFT]; /* of a derived row: classes of the cluster that it lacks */
} alea_selector_row;

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

  ALEA_VEC(alea_selector_row) rows;
  ALEA_VEC(alea_selector_query) queries;
  alea_u32s row_lits; /* per row: the literal that no term of it holds */
  alea_hash_map row_ids;
  alea_u32s group_of; /* per row: the first group that has it */
  uint32_t *row_of;   /* per gate: 1 + the row that replaces it beside a selector, or 0 */
  uint32_t *beside;   /* per gate with a row: that selector */
  uint32_t *context;  /* per gate: the selector without which it does not matter, if any */
  uint64_t *bits;     /* rows of 'row_words' words: which terms; NULL: too many */
  size_t row_words;

  uint8_t *marked;  /* per gate: an alternative of the present group */
  uint8_t *visited; /* per gate: rows replace it */
  uint64_t cost;    /* two-input gates of those, and of the ORs that read them */
  alea_u32s work;
} alea_selectors;

static inline uint32_t alea_selector_term_size(const alea_selectors *s, uint32_t term) {
  return s->first_lit.data[term + 1] - s->first_lit.data[term];
}

/* Makes gates for all rows, and finds rows for queries.  '*worth' is false, and no gate is made,
 * where that would not be much less than what there is.  False without memory. */
bool alea_selectors_make_rows(alea_selectors *s, bool *worth);

#endif
