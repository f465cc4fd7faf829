#ifndef ALEA_PROPNET_LANES_PICK_H
#define ALEA_PROPNET_LANES_PICK_H

/* Choosing moves: for every lane one of the legal moves of a role, each with
 * exactly the same probability, by operations on whole words.
 *
 * The legal moves of each lane are counted with carry-save adders, in groups
 * of eight and blocks of eight groups.  A number below the count is drawn on
 * bit planes, by rejection.  Then the blocks and groups are walked, their
 * counts subtracted from the number until it would become negative: that
 * group has the move.  The eight legal bits of that group, whichever it is,
 * are collected for each lane, so that the last step, one of eight, is done
 * once for all groups. */

#include "base/rng.h"
#include "propnet/lane_word.h"
#include "propnet/lanes_program.h"

typedef struct alea_lanes_picker {
  alea_mem *mem;
  alea_lane_word s0, s1; /* xorshift128+, one generator for each 64 lanes */
  alea_rng rng;          /* for the few lanes that reject again and again */
  struct alea_lanes_tally *tallies;
  size_t tally_count; /* the most groups of a role, for each unit of a word */
} alea_lanes_picker;

/* A picker for roles of up to 'groups' groups. */
alea_status alea_lanes_picker_init(alea_lanes_picker *picker, uint32_t groups, uint64_t seed,
                                   alea_mem *mem);
void alea_lanes_picker_clear(alea_lanes_picker *picker);

/* Chooses a move of role 'role' in the lanes 'live', and anything elsewhere.
 * Returns the lanes of 'live' where the role has no legal move. */
alea_lane_word alea_lanes_pick(alea_lanes_picker *picker, const alea_lanes_program *program,
                               uint32_t role, alea_lane_word *slots, alea_lane_word live);

#endif
