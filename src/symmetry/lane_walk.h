#ifndef ALEA_SYMMETRY_LANE_WALK_H
#define ALEA_SYMMETRY_LANE_WALK_H

/* Random plays of a network, 64 side by side, with the value of every node.
 *
 * Bit i of a word belongs to play i.  A play that has ended starts again, so
 * after a while the states are of all stages.  It serves those who need the
 * values of gates, or of positions that play does not reach (images under a
 * permutation); who only needs playouts asks for a sampler (game/sampler.h).
 *
 * The network is borrowed. */

#include "base/rng.h"
#include "propnet/propnet.h"

typedef struct alea_lane_walk {
  alea_mem *mem;
  const alea_net *net;
  alea_rng rng;
  uint64_t *values; /* per node */
  uint64_t ended;   /* plays whose state is terminal, or where some role has no move */
  uint64_t states;  /* seen so far */
  uint64_t *kept;   /* scratch, per fluent: the next state */
} alea_lane_walk;

alea_status alea_lane_walk_init(alea_lane_walk *walk, const alea_net *net, uint64_t seed,
                                alea_mem *mem);
void alea_lane_walk_clear(alea_lane_walk *walk); /* a zeroed one too */

/* Chooses a legal move for each role of each play that goes on, and gives
 * values to all nodes.  In plays that have ended the moves are none. */
void alea_lane_walk_look(alea_lane_walk *walk);
/* On to the states after these moves. */
void alea_lane_walk_step(alea_lane_walk *walk);

/* Instead of play: in each state any fluents hold, in some few and in some
 * many, and each role makes one move, legal or not.  Gives values to all nodes. */
void alea_lane_walk_scatter(alea_lane_walk *walk);

/* Gives values to the gates of the phases first .. last, from those of the
 * leaves and of the phases before. */
void alea_lane_evaluate(const alea_net *net, alea_net_phase first, alea_net_phase last,
                        uint64_t *values);

static inline uint64_t alea_lane_value(const uint64_t *values, alea_lit lit) {
  return lit & 1 ? ~values[lit >> 1] : values[lit >> 1];
}

#endif
