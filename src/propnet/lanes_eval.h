#ifndef ALEA_PROPNET_LANES_EVAL_H
#define ALEA_PROPNET_LANES_EVAL_H

/* Running programs of lanes. */

#include "propnet/lane_word.h"
#include "propnet/lanes_program.h"

/* Performs one section of 'program' on 'slots', which are
 * program->slot_count words, the first of them all ones. */
void alea_lanes_eval(const alea_lanes_program *program, alea_lanes_section section,
                     alea_lane_word *slots);

/* The value of a slot literal. */
static inline alea_lane_word alea_lanes_value(const alea_lane_word *slots, uint32_t lit) {
  alea_lane_word w = slots[lit >> 1];
  if ((lit & 1) != 0)
    for (int u = 0; u < ALEA_LANE_UNITS; u++) w.unit[u] = ~w.unit[u];
  return w;
}

#endif
