#ifndef ALEA_PROPNET_LANES_EVAL_H
#define ALEA_PROPNET_LANES_EVAL_H

/* Running programs of lanes. */

#include "propnet/lane_word.h"
#include "propnet/lanes_program.h"

/* Performs one section of 'program' on 'slots', which are
 * program->slot_count words, the first of them all ones. */
void ALEA_LANES_FN(eval)(const alea_lanes_program *program, alea_lanes_section section,
                         alea_lane_word *slots);

/* Before NEXT is performed the moves must be in their slots and the program's
 * scatters filled: cleared, then every move that is made in some lane added; a
 * move may be added more than once. */
void ALEA_LANES_FN(clear_scatters)(const alea_lanes_program *program, alea_lane_word *slots);
static inline void alea_lanes_scatter_move(const alea_lanes_program *program, uint32_t slot,
                                           alea_lane_word *slots) {
  uint32_t move = slot - program->first_move_slot;
  for (uint32_t i = program->scatter_first[move]; i < program->scatter_first[move + 1]; i++) {
    alea_lane_word *to = &slots[program->scatter_slots.data[i]];
    *to = alea_lane_or(*to, slots[slot]);
  }
}

/* The value of a slot literal. */
static inline alea_lane_word alea_lanes_value(const alea_lane_word *slots, uint32_t lit) {
  alea_lane_word w = slots[lit >> 1];
  if ((lit & 1) != 0)
    for (int u = 0; u < ALEA_LANE_UNITS; u++) w.unit[u] = ~w.unit[u];
  return w;
}

#endif
