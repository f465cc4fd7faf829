#ifndef ALEA_PROPNET_REBUILD_H
#define ALEA_PROPNET_REBUILD_H

/* State of alea_graph_rebuild, shared by the files that implement it:
 * simplify.c (the pass), local.c (one AND at a time), cycles.c (parts with
 * cycles). */

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
  alea_u32s stamps;         /* per literal of 'to', see local.c */
  uint32_t epoch;
  uint32_t *role_of_move; /* per move */
  uint32_t *role_stamp;   /* per role: epoch in which role_move is known */
  uint32_t *role_move;    /* per role: the move that is made */

  uint64_t *slots; /* structural hashing: hash << 32 | gate + 1, or 0 */
  size_t slot_count, slots_used;

  alea_u32s list; /* inputs of the gate being made */
  alea_u32s work;
  bool any_cycle; /* 'to' has cyclic gates */
  bool failed;    /* out of memory */
} alea_rebuild;

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
