#ifndef ALEA_SYMMETRY_MITER_H
#define ALEA_SYMMETRY_MITER_H

/* Proving that a candidate is a symmetry: the network beside its image.
 *
 * A circuit holds the network over the fluents and moves as they are, and for
 * each candidate a second copy that is fed with them permuted.  Gates that are
 * written alike become one at once.  Where gates of the copy had the values of
 * gates of the network all through some random play, they are asked to be
 * proved equal (equivalence.h), and then are one from there on: so large
 * functions are compared piece by piece ("SAT sweeping": Kuehlmann, ICCAD
 * 2004).  When all roots have met their images the candidate is proved, for all
 * states, whether play reaches them or not: so the image of an image is one,
 * too. */

#include "symmetry/commuting.h"
#include "symmetry/equivalence.h"

typedef struct alea_miter {
  alea_mem *mem;
  const alea_net *net;
  const alea_commuting *commuting;
  alea_circuit circuit;
  alea_equivalence equivalence;
  uint32_t *lits[2];        /* per node of the net: its literal, and that of its image */
  uint64_t *signatures[2];  /* per node: a hash of its values, or of their negations; 0: constant */
  uint8_t *first[2];        /* per node: its first value, and FIRST_SCATTERED */
  alea_lane_walk scattered; /* states for gates that play shows as constant */
  alea_hash_map by_signature; /* nodes of the net */
  alea_slit playing;          /* a legal move of each role is made; 0: not stated yet */
  alea_u32s scratch;
  uint64_t misses;          /* questions in vain about gates, for the candidate at hand */
  uint32_t fixpoints_asked; /* the same about gates that follow fixpoints, in vain or not */
} alea_miter;

/* All is borrowed; the deadline may be NULL. */
alea_status alea_miter_init(alea_miter *miter, const alea_commuting *commuting,
                            const alea_deadline *deadline, alea_mem *mem);
void alea_miter_clear(alea_miter *miter); /* a zeroed one too */

/* Tries to prove that 'map' is a symmetry; 'walk' provides states, and
 * 'commuting' room for their images. */
alea_status alea_miter_prove(alea_miter *miter, alea_commuting *commuting, alea_lane_walk *walk,
                             const uint32_t *map, bool *proved);

/* miter_fixpoint.c: whether the gate nodes[0] of the network equals the image of
 * nodes[1], where both follow from parts with cycles; "no" means "not proved". */
alea_status alea_miter_ask_fixpoint(alea_miter *miter, alea_commuting *commuting,
                                    alea_lane_walk *walk, const uint32_t *map,
                                    const uint32_t nodes[2], bool *equal);

#endif
