#ifndef ALEA_MINIMAX_COUNTING_FLUENTS_H
#define ALEA_MINIMAX_COUNTING_FLUENTS_H

/* Fluents that only count until the game is over, as steps or moves without a capture
 * are counted: neither what is legal, nor a goal, nor any other fluent depends on
 * them.  The network shows which these are.
 *
 * Two positions that differ in them alone are the same but for the time that is
 * left.  Who comes back to one has made no progress, and if that goes on the count
 * runs out: what the goals are then can be asked. */

#include "base/vec.h"
#include "game/game.h"

typedef struct alea_counting_fluents {
  alea_mem *mem;
  size_t word_count;
  uint64_t *words; /* the fluents */
  uint32_t last;   /* one with which the game is over; ALEA_NO_FLUENT: there is none */
} alea_counting_fluents;

/* Of the cursor's game, which is of the engine `net`; the cursor is at its first
 * position afterwards.  The caller clears it with any status. */
alea_status alea_counting_fluents_init(alea_counting_fluents *counting, alea_cursor *cursor,
                                       alea_mem *mem);
void alea_counting_fluents_clear(alea_counting_fluents *counting); /* a zeroed one too */

/* The position in which the count of another has run out, where there is a last one. */
void alea_counting_fluents_run_out(const alea_counting_fluents *counting, const uint64_t *words,
                                   uint64_t *over);

#endif
