#ifndef ALEA_PROPNET_LANES_KEPT_H
#define ALEA_PROPNET_LANES_KEPT_H

/* Cyclic parts whose values are kept from one step to the next.
 *
 * A cyclic part is the least fixpoint of a function F(x, v), x being what it reads
 * from outside and v its own values.  Rules are stratified, so F is monotone in v;
 * and it is monotone in x when x is taken as literals.  A literal rises if, once true,
 * it stays true until the game ends: a fluent f whose next value follows from f, the
 * complement of one whose complement does, and ANDs and ORs of literals that rise.
 * Where all of x rises, the value v of the last step is below the fixpoint of this
 * one and v <= F(x, v): iterating from v instead of from nothing ends at the same
 * least fixpoint, after a round or two instead of dozens.  That holds for a v of any
 * earlier step too.  Connections in Hex are the example: stones only ever come.
 *
 * The values that are kept are those that the part reads before they are computed,
 * and those that something outside reads.  They have slots of their own, the same in
 * all programs of a game, and must be false in lanes where a game begins. */

#include "propnet/propnet.h"

typedef struct alea_lanes_kept_part {
  uint32_t cycle;                        /* in net->cycles */
  uint32_t first_node, node_count;       /* in 'nodes' */
  uint32_t first_support, support_count; /* in 'support': the fluents it depends on */
} alea_lanes_kept_part;

typedef struct alea_lanes_kept {
  alea_mem *mem;
  ALEA_VEC(alea_lanes_kept_part) parts; /* ascending */
  alea_u32s nodes;                      /* of the net; kept value k is that of nodes.data[k] */
  alea_u32s support;
} alea_lanes_kept;

/* Finds the parts of 'net' whose values may be kept.  Owned by the caller; keeps no
 * pointer to the net. */
alea_status alea_lanes_kept_init(alea_lanes_kept *kept, const alea_net *net, alea_mem *mem);
void alea_lanes_kept_clear(alea_lanes_kept *kept);

/* The part of cycle number 'cycle', NULL when it is not kept. */
const alea_lanes_kept_part *alea_lanes_kept_find(const alea_lanes_kept *kept, size_t cycle);

#endif
