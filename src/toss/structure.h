#ifndef ALEA_TOSS_STRUCTURE_H
#define ALEA_TOSS_STRUCTURE_H

/* Finite relational structures with real labels ([TOSS10 §1, §2]).
 *
 * Elements are numbers below a fixed capacity; some are alive.  A relation is a
 * set of tuples of live elements in a hash table; for joins, the tuples with a
 * given element at a given position form a doubly linked list.  A label is an
 * interval that contains the true value.
 *
 * Invariant: every tuple is in the table and in the list of each of its
 * positions; unused slots are in the free list. */

#include "base/status.h"
#include "base/vec.h"
#include "toss/interval.h"

#define ALEA_TOSS_NO_SLOT UINT32_MAX

typedef struct alea_toss_table {
  uint32_t arity, count;
  uint32_t slot_count, slot_capacity, free_slot;
  uint32_t *tuples; /* slot * arity; an unused slot holds the next one in its chain */
  uint32_t *links;  /* (slot * arity + position) * 2: next and previous in the list */
  uint32_t *chains; /* slot: next in the bucket, unless dense */
  uint8_t *used;    /* per slot */
  uint32_t *heads;  /* position * capacity + element */
  uint32_t *buckets;
  size_t bucket_count;
  bool dense; /* buckets are indexed by the tuple itself */
} alea_toss_table;

typedef struct alea_toss_structure {
  alea_mem *mem;
  uint32_t capacity, alive_count;
  uint8_t *alive;
  uint32_t relation_count, function_count;
  alea_toss_table *tables;
  alea_interval *values; /* function * capacity + element */
} alea_toss_structure;

/* An empty structure with 'capacity' numbers for elements.  NULL if out of memory. */
alea_toss_structure *alea_toss_structure_new(uint32_t capacity, uint32_t relation_count,
                                             const uint32_t *arities, uint32_t function_count,
                                             alea_mem *mem);
void alea_toss_structure_free(alea_toss_structure *s); /* NULL is a no-op. */
/* Makes 'to', of the same signature and capacity, equal to 'from'. */
bool alea_toss_structure_copy(alea_toss_structure *to, const alea_toss_structure *from);

/* Revives the smallest dead number; ALEA_TOSS_NO_SLOT if all are alive. */
uint32_t alea_toss_structure_element(alea_toss_structure *s);
/* Removes an element together with its tuples; its labels become 0. */
void alea_toss_structure_kill(alea_toss_structure *s, uint32_t element);

/* The slot of a tuple; ALEA_TOSS_NO_SLOT if it is not in the relation. */
uint32_t alea_toss_structure_find(const alea_toss_structure *s, uint32_t relation,
                                  const uint32_t *tuple);
static inline bool alea_toss_structure_has(const alea_toss_structure *s, uint32_t relation,
                                           const uint32_t *tuple) {
  return alea_toss_structure_find(s, relation, tuple) != ALEA_TOSS_NO_SLOT;
}
/* Adding a present tuple and removing an absent one change nothing.  False if
 * out of memory. */
bool alea_toss_structure_add(alea_toss_structure *s, uint32_t relation, const uint32_t *tuple);
void alea_toss_structure_remove(alea_toss_structure *s, uint32_t relation, const uint32_t *tuple);
void alea_toss_structure_empty(alea_toss_structure *s, uint32_t relation);

static inline const uint32_t *alea_toss_table_tuple(const alea_toss_table *t, uint32_t slot) {
  return t->tuples + (size_t)slot * t->arity;
}
/* The tuples with 'element' at 'position': first, and the next after 'slot'. */
static inline uint32_t alea_toss_table_first(const alea_toss_structure *s, uint32_t relation,
                                             uint32_t position, uint32_t element) {
  return s->tables[relation].heads[(size_t)position * s->capacity + element];
}
static inline uint32_t alea_toss_table_next(const alea_toss_table *t, uint32_t slot,
                                            uint32_t position) {
  return t->links[((size_t)slot * t->arity + position) * 2];
}

#endif
