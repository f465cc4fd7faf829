#ifndef ALEA_PLANNING_CLOCKS_H
#define ALEA_PLANNING_CLOCKS_H

/* Fluents that change with every move, whichever it is, where a stage is a set
 * of moves (planning/parallel_plan.h): what a clock shows between stages depends on how many
 * moves were made before, so moves are counted, in clauses. */

#include "planning/effects.h"
#include "unroll/core.h"

typedef struct alea_clocks {
  alea_mem *mem;
  alea_u32s fluents;           /* empty: nothing needs counting */
  ALEA_VEC(uint8_t) hands;     /* what they show after 0, 1, ... moves */
  ALEA_VEC(alea_slit) counts;  /* at least 0, 1, ... moves were made before the last layer */
  ALEA_VEC(alea_slit) exactly; /* scratch */
  uint32_t longest;            /* moves that can be counted */
} alea_clocks;

/* The clocks among the effects, at a position with the fluents 'now'.  ALEA_UNSUPPORTED:
 * some are not understood, or 'moves' in a stage and 'longest' in a play are
 * too many to count.  With any status the caller clears it. */
alea_status alea_clocks_init(alea_clocks *clocks, const alea_effects *effects, alea_list now,
                             size_t moves, uint32_t longest, alea_mem *mem);
void alea_clocks_clear(alea_clocks *clocks); /* a zeroed one too */

/* Counts one more move where the literal 'made' holds; more than can be counted
 * are not made. */
void alea_clocks_count(alea_clocks *clocks, alea_sat *sat, alea_slit made);
/* Sets the clocks of a layer by what was counted. */
alea_status alea_clocks_set(alea_clocks *clocks, alea_unroll *u, unroll_layer *layer);

#endif
