#ifndef ALEA_PROPNET_LANES_ORDER_H
#define ALEA_PROPNET_LANES_ORDER_H

/* The order in which lanes evaluate the gates of a cyclic part.
 *
 * A value that comes before its reader gets there in the same round, others one round
 * later, and through a leaf.  So ANDs come in the order in which they would become true,
 * one after the other, if everything outside the part were true: connections in Hex
 * from the edge on.  An OR comes just before its first reader, since all that it reads
 * may come late: then hardly an OR needs a leaf. */

#include "propnet/propnet.h"

typedef struct alea_lanes_order {
  alea_u32s nodes; /* of the part, in their order */
  alea_u32s place; /* place.data[node - first]: where it is in 'nodes' */
} alea_lanes_order;

/* Orders the part 'cycle' of 'net'; a cleared or zeroed order may be used again.  False
 * without memory. */
bool alea_lanes_order_part(alea_lanes_order *order, const alea_net *net, size_t cycle,
                           alea_mem *mem);
void alea_lanes_order_clear(alea_lanes_order *order, alea_mem *mem);

#endif
