#ifndef ALEA_PROVER_FACTS_H
#define ALEA_PROVER_FACTS_H

/* What is given and not derived: the facts of the program, the fluents of
 * the position, the moves of the joint move.  One per solver.
 *
 * The position is kept three ways: as a stamp per term (does this fluent
 * hold?), as one relation of all fluents, and as one relation per functor
 * that some rule asks about, with a column per argument. */

#include "prover/relation.h"
#include "prover/rules.h"

typedef struct alea_facts {
  alea_mem *mem;
  const alea_rules *rules;        /* borrowed */
  alea_terms *terms;              /* borrowed: the solver's */
  alea_arena arenas[ALEA_LEVELS]; /* rows and indexes, by how long they live */
  alea_relation *stated;          /* per predicate: its facts */
  alea_relation *functors;        /* per functor of rules->functor_ids */
  alea_relation fluents;          /* one column */
  alea_relation does;             /* role, move */
  alea_u32s stamps;               /* per term: 'stamp' when the fluent holds */
  uint32_t stamp;
  alea_u32s order; /* scratch: functor of each fluent */
  alea_u32s sizes; /* scratch: fluents of each functor */
} alea_facts;

/* 'facts' is cleared by the caller in any case; false without memory. */
bool alea_facts_init(alea_facts *facts, const alea_rules *rules, alea_terms *terms, alea_mem *mem);
void alea_facts_clear(alea_facts *facts);

/* The position, without duplicates, and no joint move.  False without memory;
 * no fluent holds then. */
bool alea_facts_set_state(alea_facts *facts, const alea_term *fluents, uint32_t count);
/* The joint move as 'count' pairs of role and move. */
bool alea_facts_set_does(alea_facts *facts, const alea_term *pairs, uint32_t count);

static inline bool alea_facts_holds(const alea_facts *facts, alea_term fluent) {
  return fluent < facts->stamps.count && facts->stamps.data[fluent] == facts->stamp;
}

#endif
