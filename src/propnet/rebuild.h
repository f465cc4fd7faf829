#ifndef ALEA_PROPNET_REBUILD_H
#define ALEA_PROPNET_REBUILD_H

/* State of alea_graph_rebuild, shared by the files that implement it:
 * simplify.c (the pass), local.c (one AND at a time), moves.c, turns.c and
 * intersect.c (what is known of moves), cycles.c (parts with cycles). */

#include "base/hash_map.h"
#include "propnet/graph.h"

typedef struct alea_rebuild {
  const alea_graph *from;
  alea_graph *to;
  alea_mem *mem;
  unsigned what;
  alea_diag *diag;
  alea_lit *map;  /* per node of 'from': its literal in 'to', or ALEA_NO_LIT */
  uint32_t *uses; /* per gate of 'from': readers and roots */

  ALEA_VEC(uint8_t) shared; /* per gate of 'to': may have more than one reader */
  alea_u32s move_sets;      /* per gate of 'to', see moves.c */
  uint64_t set_budget;      /* moves that may still be looked at in sets */
  alea_u32s stamps;         /* per literal of 'to', see local.c */
  uint32_t epoch;
  uint32_t *role_of_move; /* per move */
  uint32_t *role_stamp;   /* per role: epoch in which role_move is known */
  uint32_t *role_move;    /* per role: the move that is made */
  uint32_t *role_sets;    /* per role: moves in the sets of the list, see moves.c */

  alea_hash_words gates; /* structural hashing: tags of the gates of 'to' */

  alea_u32s list; /* inputs of the gate being made */
  alea_u32s work;
  bool any_cycle; /* 'to' has cyclic gates */
  bool failed;    /* out of memory */
} alea_rebuild;

static inline uint32_t alea_rebuild_move(const alea_rebuild *r, alea_lit lit) {
  return (lit >> 1) - 1 - r->from->ground->fluent_count;
}

/* The legality of 'move' as a literal of 'to', ALEA_LIT_TRUE if not known.
 * Gates of legality come before all that read moves. */
alea_lit alea_rebuild_legality(const alea_rebuild *r, uint32_t move);
/* The literal of 'to' for one of 'from' whose gates are translated. */
static inline alea_lit alea_rebuild_map(const alea_rebuild *r, alea_lit lit) {
  alea_lit mapped = r->map[lit >> 1];
  if (mapped == ALEA_LEAF_LEGALITY) mapped = alea_rebuild_legality(r, alea_rebuild_move(r, lit));
  return mapped ^ (lit & 1);
}

/* What to note in move_sets of an AND with these inputs. */
uint32_t alea_rebuild_set_of_and(const alea_rebuild *r, const alea_lit *inputs, uint32_t count);
/* Replaces gates that are sets of moves by the moves themselves where together
 * they have more than half of a role's moves; the list is then unsorted. */
void alea_rebuild_expand_sets(alea_rebuild *r, bool *changed);
/* Each role makes exactly one move: rewrites the move literals of r->list,
 * which is sorted, and tells in *changed whether it must be sorted again.
 * false: the AND is constantly false, or no memory. */
bool alea_rebuild_moves(alea_rebuild *r, bool *changed);
/* Joins case distinctions among the inputs, see turns.c; the list is then
 * unsorted. */
void alea_rebuild_join_cases(alea_rebuild *r, bool *changed);

/* Replaces several sets of moves among the inputs by what they have in common,
 * see intersect.c; the list is then unsorted. */
void alea_rebuild_intersect(alea_rebuild *r, bool *changed);

/* The literal of the AND of r->list; consumes the list. */
alea_lit alea_rebuild_and(alea_rebuild *r);
/* The gate with these inputs (sorted, proper), made when new. */
alea_lit alea_rebuild_cons(alea_rebuild *r, alea_gate_kind kind, const alea_lit *inputs,
                           uint32_t count);
/* The same, but ALEA_NO_LIT where there is none. */
alea_lit alea_rebuild_find(const alea_rebuild *r, alea_gate_kind kind, const alea_lit *inputs,
                           uint32_t count);
/* Enters gate number 'gate' of 'to' into the table of known gates. */
void alea_rebuild_enter(alea_rebuild *r, uint32_t gate);
/* Appends a gate without looking for an equal one. */
alea_lit alea_rebuild_append(alea_rebuild *r, alea_gate_kind kind, const alea_lit *inputs,
                             uint32_t count);

/* Translates a part with a cycle: gates members[0 .. count-1] of 'from'. */
alea_status alea_rebuild_cycle(alea_rebuild *r, const uint32_t *members, uint32_t count);

#endif
