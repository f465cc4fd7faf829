#ifndef ALEA_PROPNET_LANES_EVAL_H
#define ALEA_PROPNET_LANES_EVAL_H

/* Running programs of lanes. */

#include "propnet/lane_word.h"
#include "propnet/lanes_program.h"

/* What the kept slots hold (lanes_kept.h). */
typedef enum alea_lanes_memory {
  ALEA_LANES_ANEW,  /* nothing of use */
  ALEA_LANES_GROWN, /* in each lane values of an earlier state of its game, or false */
  ALEA_LANES_LAST,  /* values of the last state, which the program of the tick before
                     * evaluated in all lanes that matter */
} alea_lanes_memory;

/* Performs one section of 'program' on 'slots', which are
 * program->slot_count words, the first of them all ones. */
void ALEA_LANES_FN(eval)(const alea_lanes_program *program, alea_lanes_section section,
                         alea_lanes_memory memory, alea_lane_word *slots);

/* Makes what is kept false in 'lanes', where games begin. */
void ALEA_LANES_FN(forget)(const alea_lanes_program *program, alea_lane_word lanes,
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
