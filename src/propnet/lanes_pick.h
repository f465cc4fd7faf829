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
#include "game/sampler.h"
#include "propnet/lane_word.h"
#include "propnet/lanes_load.h"
#include "propnet/lanes_program.h"

/* What a role chose last: groups whose slots are not all false. */
typedef struct alea_lanes_picked {
  const alea_lanes_group *from; /* the role's groups in the program that chose */
  uint32_t *groups;
  uint32_t count;
} alea_lanes_picked;

typedef struct alea_lanes_picker {
  alea_mem *mem;
  alea_lane_word s0, s1; /* xorshift128+, one generator for each 64 lanes */
  alea_rng rng;          /* for the few lanes that reject again and again */
  uint32_t role_count, group_count;
  alea_lanes_picked *roles;
  uint8_t *marks; /* per group: scratch, all 0 between calls */
  alea_lane_block scratch;
  const alea_sample_guide *guide; /* NULL: all legal moves alike; the caller sets it */
  alea_lanes_group *plain_groups; /* groups whose legal moves lie one after the other ... */
  alea_lane_block allowed;        /* ... here: those that the guide leaves */
} alea_lanes_picker;

/* A picker for programs of 'roles' roles with up to 'groups' groups each.  A
 * picker that was not initialised because of this may be cleared. */
alea_status ALEA_LANES_FN(picker_init)(alea_lanes_picker *picker, uint32_t roles, uint32_t groups,
                                       uint64_t seed, alea_mem *mem);
void ALEA_LANES_FN(picker_clear)(alea_lanes_picker *picker);

/* Allocates what a guide needs, before the first one is used. */
alea_status ALEA_LANES_FN(picker_prepare_guide)(alea_lanes_picker *picker);

/* Makes all moves false in all lanes, as they must be before slots of moves
 * are written by anything but the picker, and after. */
void ALEA_LANES_FN(picker_retract)(alea_lanes_picker *picker, alea_lane_word *slots);

/* Chooses a move of role 'role' in the lanes 'live', and anything elsewhere.
 * Returns the lanes of 'live' where the role has no legal move. */
alea_lane_word ALEA_LANES_FN(pick)(alea_lanes_picker *picker, const alea_lanes_program *program,
                                   uint32_t role, alea_lane_word *slots, alea_lane_word live);

/* When all roles have chosen: fills the program's scatters. */
void ALEA_LANES_FN(picker_scatter)(const alea_lanes_picker *picker,
                                   const alea_lanes_program *program, alea_lane_word *slots);

#endif
