#ifndef ALEA_UNROLL_CORE_H
#define ALEA_UNROLL_CORE_H

/* The inside of an unrolling, for the files of this folder and for planning. */

#include "propnet/propnet.h"
#include "unroll/unroll.h"

/* The literals of one state and, once it is played, of its stage. */
typedef struct unroll_layer {
  alea_slit *lits; /* by node; 0 where not encoded */
  alea_slit play;
  alea_slit *prefix; /* with a partial order: the move is one of 0 .. k-1, for k = 0 .. count */
  bool goals;        /* gates of the phase GOAL are encoded */
  bool played;       /* moves and the phase NEXT (and SEES) are encoded */
} unroll_layer;

/* A set of gates of one cyclic part that support only each other: when no
 * literal of 'supports' holds, none of them does. */
typedef struct unroll_loop {
  uint32_t part;                         /* index in net->cycles */
  uint32_t first, count;                 /* members: loop_nodes.data[first ...] */
  uint32_t first_support, support_count; /* loop_supports.data[first_support ...] */
} unroll_loop;

struct alea_unroll {
  alea_mem *mem;
  const alea_net *net;
  alea_unroll_options options;
  alea_sat sat;
  uint32_t nodes; /* of the net */
  ALEA_VEC(unroll_layer) layers;
  ALEA_VEC(alea_slit) scratch;
  ALEA_VEC(unroll_loop) loops;
  alea_u32s loop_nodes;
  alea_u32s loop_supports; /* literals of the net */

  /* Derivation inside cyclic parts; members are numbered part after part. */
  uint32_t member_count;
  uint32_t *part_first;   /* per part: its first member */
  uint32_t *reader_first; /* per member: readers[reader_first[m] ...] are members, CSR */
  uint32_t *readers;
  uint32_t reader_count;
  uint32_t *missing; /* per member: inputs that still must hold; 0 = derived */
  alea_u32s queue;

  uint64_t questions;
};

/* The literal of a net literal in a layer. */
static inline alea_slit unroll_layer_lit(const unroll_layer *layer, alea_lit lit) {
  return lit & 1 ? -layer->lits[lit >> 1] : layer->lits[lit >> 1];
}

alea_status unroll_no_memory(const alea_mem *mem);

/* An unrolling without any layer. */
alea_status unroll_make(alea_unroll **unroll, const alea_game *game,
                        const alea_unroll_options *options, alea_mem *mem);
/* Adds a layer whose fluents are not yet known. */
alea_status unroll_layer_push(alea_unroll *u);
/* Adds a layer with the gates of the phase STATE, where just these fluents hold
 * or any. */
alea_status unroll_layer_push_known(alea_unroll *u, alea_list fluents);
alea_status unroll_layer_push_open(alea_unroll *u);
/* Makes the gates of a phase. */
alea_status unroll_layer_phase(alea_unroll *u, unroll_layer *layer, alea_net_phase phase);
/* Makes moves and what follows from them. */
alea_status unroll_layer_play(alea_unroll *u, unroll_layer *layer);

/* loops.c: cyclic parts. */
alea_status unroll_loops_init(alea_unroll *u);
void unroll_loops_clear(alea_unroll *u);
/* Makes the gates of a part in a layer. */
alea_status unroll_loops_encode(alea_unroll *u, unroll_layer *layer, size_t part);
/* Tests the model: '*found' says that it was unfounded, and a loop formula was
 * added for that. */
alea_status unroll_loops_test(alea_unroll *u, bool *found);

#endif
