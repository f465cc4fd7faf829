#ifndef ALEA_PROVER_ANSWER_TABLE_H
#define ALEA_PROVER_ANSWER_TABLE_H

/* Tables: the answers to subgoals.
 *
 * A subgoal is a predicate with some arguments given and the others free; its
 * table collects the ground atoms that match, each once, in the order of
 * their discovery.  A table is complete when no answer can be missing; until
 * then the solver also keeps here who waits for more (see solver.c).
 *
 * Tables that live equally long share a store, with one arena for all. */

#include "base/hash_map.h"
#include "prover/join_plan.h"

typedef struct alea_waiter alea_waiter;

enum {
  ALEA_ANSWER_PROVED = 1, /* unconditionally */
  ALEA_ANSWER_LOW = 2,    /* scratch bits of alea_settle */
  ALEA_ANSWER_HIGH = 4,
  ALEA_ANSWER_NEXT = 8,
};

typedef struct alea_answer_table {
  alea_pred pred;
  uint32_t arity;
  const alea_term *key; /* per argument; ALEA_NO_TERM where free */
  uint64_t hash;        /* of predicate and key */
  const alea_call_shape *shape;
  alea_arena *arena; /* of its store */
  bool ground;       /* nothing free: at most one answer */
  bool complete;

  alea_term *rows; /* count * arity */
  uint8_t *flags;  /* per answer; all PROVED when complete */
  uint32_t count, capacity;
  alea_hash_map map; /* only for larger tables; its slots are in the arena */

  /* While incomplete: position among the incomplete tables, the lowest
   * position that this table may depend on, and the waiting rules. */
  uint32_t position, low;
  bool queued; /* in the solver's work list */
  alea_waiter *first_waiter, *last_waiter;
} alea_answer_table;

typedef struct alea_answer_table_store {
  alea_mem *mem;
  alea_arena arena;
  alea_hash_words tables; /* pointers */
} alea_answer_table_store;

void alea_answer_table_store_init(alea_answer_table_store *store, alea_mem *mem);
void alea_answer_table_store_clear(alea_answer_table_store *store); /* forgets all; usable again */

/* The table of a subgoal, or NULL. */
alea_answer_table *alea_answer_table_store_find(const alea_answer_table_store *store,
                                                alea_pred pred, const alea_term *key,
                                                uint32_t arity);
/* A new, empty, incomplete table; NULL without memory. */
alea_answer_table *alea_answer_table_store_add(alea_answer_table_store *store, alea_pred pred,
                                               const alea_term *key, uint32_t arity);

#define ALEA_NO_ANSWER UINT32_MAX

/* The number of the answer 'row', new (then with flags 0, and '*added') or
 * not; ALEA_NO_ANSWER without memory. */
uint32_t alea_answer_table_add(alea_answer_table *table, const alea_term *row, bool *added);
/* Drops the answers that have none of the bits 'keep', and sets the flags of
 * the others to ALEA_ANSWER_PROVED; nothing may be added afterwards. */
void alea_answer_table_keep(alea_answer_table *table, uint8_t keep);

static inline const alea_term *alea_answer_table_row(const alea_answer_table *table,
                                                     uint32_t answer) {
  return table->rows + (size_t)answer * table->arity;
}
/* Is some answer flagged with one of 'bits'? */
static inline bool alea_answer_table_has(const alea_answer_table *table, uint8_t bits) {
  for (uint32_t i = 0; i < table->count; i++)
    if (table->flags[i] & bits) return true;
  return false;
}

#endif
