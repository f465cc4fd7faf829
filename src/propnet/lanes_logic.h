#ifndef ALEA_PROPNET_LANES_LOGIC_H
#define ALEA_PROPNET_LANES_LOGIC_H

/* The logic that lanes evaluate: a net, possibly under assumptions about some
 * fluents, as ANDs of many literals with complemented edges (an OR is an AND
 * with all edges complemented).
 *
 * Nodes 0 .. first_gate-1 are those of the net: true, fluents, moves.  Later
 * nodes are gates, or feedback leaves: a cyclic part of the net is cut open,
 * and the value that goes round is read through a leaf that starts as false,
 * or as what was kept (lanes_kept.h), and is set to its target until nothing changes.  Apart from
 * that the logic is acyclic, and inputs have smaller numbers (see alea_lanes_logic_split).
 *
 * A segment is a stretch of nodes that is evaluated together: even segments
 * once, odd ones (the cyclic parts) repeatedly. */

#include "propnet/lanes_clock.h"
#include "propnet/lanes_kept.h"

typedef struct alea_lanes_node {
  uint32_t first, count; /* inputs; none for leaves */
  uint32_t segment;
  uint32_t uses; /* by gates and roots; 0 once absorbed by its only reader */
} alea_lanes_node;

typedef struct alea_lanes_feedback {
  uint32_t leaf;
  alea_lit target;
  uint32_t segment;
  uint32_t kept; /* 1 + the number of the kept value that the leaf is, 0 = none */
} alea_lanes_feedback;

/* The segment of a part whose values are kept.  Outside it nothing reads its gates, only
 * their leaves: where the values are what they were, it need not be evaluated. */
typedef struct alea_lanes_kept_segment {
  uint32_t segment;
  uint32_t part; /* in kept->parts */
} alea_lanes_kept_segment;

typedef struct alea_lanes_logic {
  alea_mem *mem;
  const alea_net *net;
  ALEA_VEC(alea_lanes_node) nodes;
  ALEA_VEC(alea_lit) inputs;
  ALEA_VEC(alea_lanes_feedback) feedbacks; /* by ascending segment */
  ALEA_VEC(alea_lanes_kept_segment) kept;  /* ascending */
  alea_lit *next;  /* per fluent; known ones are never stored, they stay as they are */
  alea_lit *legal; /* per move */
  alea_lit *goals; /* per entry of net->goals */
  alea_lit terminal;
  uint32_t last_segment; /* evaluated once, after all others */
  uint8_t *moves;        /* per move: what is known of a chosen move (alea_lanes_known) */
} alea_lanes_logic;

/* Translates 'net' at tick 'tick' of 'clock'; NULL means that nothing is known.  Values of the
 * parts in 'kept' are kept, NULL: of none.  A role with only one possible move is taken to play it.
 * The logic is owned by the caller; it keeps a pointer to the net. */
alea_status alea_lanes_logic_init(alea_lanes_logic *logic, const alea_net *net,
                                  const alea_lanes_clock *clock, uint32_t tick,
                                  const alea_lanes_kept *kept, alea_mem *mem);
void alea_lanes_logic_clear(alea_lanes_logic *logic);

/* Merges every gate that has one reader, an AND reading it uncomplemented,
 * into that reader, and counts the uses of what remains. */
alea_status alea_lanes_logic_collapse(alea_lanes_logic *logic);

/* Gives gates that read 'least' or more complemented moves, and other things, a
 * gate for these moves alone.  For a collapsed logic; such gates come after
 * their readers. */
alea_status alea_lanes_logic_split(alea_lanes_logic *logic, uint32_t least);

/* The part of 'segment' in kept->parts, or ALEA_LANES_NOT_KEPT. */
#define ALEA_LANES_NOT_KEPT UINT32_MAX
uint32_t alea_lanes_kept_part_of(const alea_lanes_logic *logic, uint32_t segment);

/* The feedback whose leaf 'node' is, NULL for other nodes. */
const alea_lanes_feedback *alea_lanes_feedback_of(const alea_lanes_logic *logic, uint32_t node);

#endif
