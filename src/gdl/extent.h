#ifndef ALEA_GDL_EXTENT_H
#define ALEA_GDL_EXTENT_H

/* What can occur at the arguments of a program; used inside src/gdl only.
 *
 * A position is one argument of a predicate or of a function: the first of
 * `cell` with three arguments, wherever it is used.  Heads produce terms: a
 * constant or function written there occurs at its position, and a variable
 * brings what occurs at a position of the same variable in the body.  (This is
 * the domain graph of Schiffel and Thielscher, with its directions.)  `init` and
 * `next` produce for `true`, and `legal` for `does`.
 *
 * The result is an upper bound: what does not occur can never be derived, while
 * what occurs may still be impossible.  `base` and `input` produce nothing
 * unless a condition asks for them. */

#include "base/hash_map.h"
#include "gdl/functors.h"
#include "gdl/marks.h"
#include "gdl/program.h"

/* The kinds of functors. */
enum { ALEA_EXTENT_PREDICATE, ALEA_EXTENT_FUNCTION, ALEA_EXTENT_CONSTANT };

typedef struct alea_extent_member {
  uint32_t position;
  uint32_t element; /* functor: a constant, or a function */
  uint32_t next;    /* member of the same position; UINT32_MAX: none */
} alea_extent_member;

typedef struct alea_extent_edge {
  uint32_t to;
  uint32_t next; /* edge from the same position; UINT32_MAX: none */
} alea_extent_edge;

typedef struct alea_extent_position {
  uint32_t functor; /* whose argument it is */
  uint32_t argument;
  uint32_t member, edge; /* the first; UINT32_MAX: none */
  uint32_t count;        /* members */
} alea_extent_position;

/* A term of an atom. */
typedef struct alea_extent_term {
  alea_rule_node_id node;
  uint32_t position;
  uint32_t parent; /* index in the list of the term around it; UINT32_MAX: none */
} alea_extent_term;
typedef ALEA_VEC(alea_extent_term) alea_extent_terms;

typedef struct alea_extent {
  alea_mem *mem;
  const alea_program *program;
  alea_functors functors;
  alea_u32s first_position; /* per functor */
  alea_marks defined;       /* predicates with a fact or a rule */
  ALEA_VEC(alea_extent_position) positions;
  ALEA_VEC(alea_extent_member) members;
  ALEA_VEC(alea_extent_edge) edges;
  alea_hash_words known;               /* members and edges */
  alea_extent_terms head, body, terms; /* scratch */
} alea_extent;

/* False without memory; the caller clears in any case. */
bool alea_extent_init(alea_extent *extent, const alea_program *program);
void alea_extent_clear(alea_extent *extent);

/* The predicate of an atom, `true` for `init` and `next`, `does` for `legal`;
 * ALEA_NO_FUNCTOR without memory. */
uint32_t alea_extent_predicate(alea_extent *extent, alea_rule_node_id atom);
/* All terms of an atom, each before those inside it. */
bool alea_extent_spread(alea_extent *extent, alea_rule_node_id atom, alea_extent_terms *terms);
/* The functor of a constant or a list; ALEA_NO_FUNCTOR without memory. */
uint32_t alea_extent_element(alea_extent *extent, alea_rule_node_id node);
bool alea_extent_has(const alea_extent *extent, uint32_t position, uint32_t element);

/* The index in 'extent->terms' of the first term of 'atom' that occurs nowhere
 * at its position.  ALEA_NO_FUNCTOR: there is none, or nothing at all occurs
 * there, which has its own cause.  False without memory. */
bool alea_extent_mismatch(alea_extent *extent, alea_rule_node_id atom, uint32_t *index);

#endif
