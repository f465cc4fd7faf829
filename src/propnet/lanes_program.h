#ifndef ALEA_PROPNET_LANES_PROGRAM_H
#define ALEA_PROPNET_LANES_PROGRAM_H

/* A program for the evaluator of lanes: the logic of a game, possibly at one
 * tick of its clock, as runs of operations on slots.
 *
 * A slot holds one word of lanes.  Slot 0 is true, slots 1 .. fluent_count
 * are the fluents, then come the moves, then a slot that is false, one that
 * takes what nobody reads, then values that are kept from step to step, and then
 * the slots of values in between, which are used again as soon as their value is
 * dead.  A slot literal is 2 * slot +
 * complemented.
 *
 * Programs are immutable and shared by threads; each has its own slots.
 *
 * Code: a run is a header, form << 24 | count, and for each of its operations
 * the byte offsets of the result's slot and of the operands' slots.  Headers
 * with a form of ALEA_LANES_LONG and above are explained at the evaluator. */

#include "propnet/lanes_ops.h"

/* Moves of a role are chosen from in groups of eight. */
enum { ALEA_LANES_GROUP = 8 };
typedef struct alea_lanes_group {
  uint32_t legal[ALEA_LANES_GROUP];  /* byte offsets of slots that say which are legal */
  uint32_t chosen[ALEA_LANES_GROUP]; /* slots where the choice goes */
  alea_move move[ALEA_LANES_GROUP];  /* of the role; ALEA_NO_MOVE fills up the last group */
} alea_lanes_group;

typedef struct alea_lanes_role {
  uint32_t first_group;
  uint32_t group_count; /* after the last come empty groups, to a multiple of eight */
  uint32_t move_count;  /* that may be legal at all */
  uint32_t only;        /* with one such move: the slot that says it is legal */
  alea_move only_move;  /* and which it is */
} alea_lanes_role;

/* A loop whose leaves are kept. */
typedef struct alea_lanes_kept_loop {
  uint32_t part;    /* in kept->parts */
  uint32_t section; /* alea_lanes_section */
  size_t at;        /* in 'code': the word after its header */
  uint32_t length;  /* what that word says where the loop may be passed over */
} alea_lanes_kept_loop;

typedef struct alea_lanes_program {
  alea_mem *mem;
  alea_u32s code;
  size_t section_end[ALEA_LANES_SECTIONS]; /* in 'code' */
  uint32_t slot_count;
  uint32_t terminal; /* slot literal */
  uint32_t *goals;   /* slot literals, per entry of net->goals */
  size_t goal_count;
  /* A role with one move always plays it: it has no groups. */
  ALEA_VEC(alea_lanes_group) groups;
  alea_lanes_role *roles;
  uint32_t role_count;
  /* ORs of moves that are collected from the chosen moves (lanes_scatter.c):
   * the slot of move m is added to slots scatter_slots.data[scatter_first[m]]
   * ... [scatter_first[m + 1] - 1].  NULL when there are none. */
  uint32_t *scatter_first;
  alea_u32s scatter_slots, scatter_cleared; /* the latter: all of them, once */
  uint32_t first_move_slot, move_count;
  /* Values that are kept from step to step (lanes_kept.h). */
  uint32_t first_kept_slot, kept_count;
  ALEA_VEC(alea_lanes_kept_loop) kept_loops;
  uint8_t *changes; /* per fluent: a step may change it */
  /* For reports. */
  uint32_t op_count[ALEA_LANES_SECTIONS];
  uint32_t operand_count[ALEA_LANES_SECTIONS];
  uint32_t run_count;
} alea_lanes_program;

enum { ALEA_LANES_TRUE_SLOT = 0, ALEA_LANES_FIRST_FLUENT = 1 };
static inline uint32_t alea_lanes_false_slot(const alea_net *net) { return net->first_gate; }

/* The planes, words of one bit each, of numbers up to 'n'. */
static inline uint32_t alea_lanes_planes(uint32_t n) {
  uint32_t planes = 0;
  for (; n != 0; n >>= 1) planes++;
  return planes;
}

typedef enum alea_lanes_part {
  ALEA_LANES_STEP,      /* state, goals and next */
  ALEA_LANES_ONLY_GOALS /* goals, from the fluents alone */
} alea_lanes_part;

typedef struct alea_lanes_tuning {
  uint32_t lanes;  /* bits of a word */
  uint32_t chosen; /* compile as if so many moves were made at once: tests make rare paths
                    * common; 0 = 'lanes' */
  uint32_t window; /* operations among which equal ones come together, for the evaluator's sake;
                    * 0 = as many as it likes */
  bool all_moves;  /* chosen moves stand in their slots even if no state depends on them */
} alea_lanes_tuning;

/* Compiles 'net' at tick 'tick' of 'clock', or for all positions where 'clock' is
 * NULL.  'kept' may be NULL.  The program is owned by the caller and keeps no
 * pointer to the net. */
alea_status alea_lanes_program_init(alea_lanes_program *program, const alea_net *net,
                                    const alea_lanes_clock *clock, uint32_t tick,
                                    const alea_lanes_kept *kept, alea_lanes_part part,
                                    const alea_lanes_tuning *tuning, alea_mem *mem);
void alea_lanes_program_clear(alea_lanes_program *program);

#endif
