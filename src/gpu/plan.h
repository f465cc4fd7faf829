#ifndef ALEA_GPU_PLAN_H
#define ALEA_GPU_PLAN_H

/* One tick of a game as levels of instructions, for a kernel that interprets it.
 *
 * The program of the engine `lanes` is a sequence for one thread.  Here it becomes single
 * assignments again: every value is made by one instruction, chains of ANDs are trees, and an
 * instruction's level is one more than the highest of those that make what it reads.  All
 * instructions of a level can be performed at once, by as many threads as there are.
 *
 * A cyclic part is a loop of levels.  The values that it feeds back are cells: they have one
 * place, begin with what is below the least fixpoint, and rise.  An instruction that
 * makes a cell writes it at once, and whoever reads it in the same round gets the old value or
 * the new one: rules are monotone there, so every order ends at the same fixpoint, when a whole
 * round changed nothing.  Loops that do not need each other are one.
 *
 * What says which moves of a role are legal lies in a row, in the order of its moves, and is
 * replaced by what says which is chosen.  So legality is made for this alone: nothing that comes
 * later reads it.
 *
 * Levels are numbered from 1 through the whole tick: legality and end, goals, the level at which
 * goals are read, one for the drawing of each role's move, and the next position.  Level 0 is
 * what is there before.
 *
 * A literal is 2 * value + complemented.  Values 0 .. base_count-1 are the slots of the program
 * up to what it keeps: true, the fluents, the chosen moves, and what is kept from step to step. */

#include "propnet/lanes_compile.h"

enum {
  ALEA_GPU_PAIRS = 3, /* of an instruction */
  ALEA_GPU_LEAF = 32, /* moves in a row; then a slot is left out, so that threads which read
                       * several rows at once read different banks */
};
#define ALEA_GPU_NONE UINT32_MAX

/* A value is the AND of up to three pairs; a pair is the OR of two literals, or the AND. */
typedef struct alea_gpu_instruction {
  uint32_t literals[2 * ALEA_GPU_PAIRS];
  uint32_t value, level;
  uint32_t loop;      /* 1 + its place in 'loops', or 0 */
  uint8_t section;    /* alea_lanes_section */
  uint8_t pairs, ors; /* how many, and how many of them are ORs, which come first */
  bool invert;        /* complement the result */
  bool cell;          /* 'value' is a cell of its loop */
  bool begins;        /* it makes a cell of loop 'loop' false, before that */
} alea_gpu_instruction;

typedef struct alea_gpu_value {
  uint32_t made;  /* the level that first writes it */
  uint32_t level; /* from the next one on it may be read */
  uint32_t last;  /* the last level that reads it */
  uint32_t place; /* ALEA_GPU_NONE: none yet */
  uint32_t loop;  /* 1 + the loop whose cell it is or that makes it, or 0 */
  bool cell;
} alea_gpu_value;

typedef struct alea_gpu_loop {
  uint8_t section;
  bool passed_over; /* where no games begin */
  uint32_t stage;
} alea_gpu_loop;

/* What is performed together: levels first .. last, over and over if it is a loop. */
typedef struct alea_gpu_group {
  uint32_t first, last;
  uint8_t section;
  bool loop, passed_over;
} alea_gpu_group;

/* Where slots lie, the same in all ticks: true, the fluents, what is kept, then those which
 * live while moves are drawn, with the moves of each role before others, then the rest, which
 * share their places with the counts of the drawing. */
typedef struct alea_gpu_layout {
  uint32_t fluents, kept; /* how many */
  uint32_t held;          /* slots that live while moves are drawn, */
  uint32_t brief;         /* and that do not */
} alea_gpu_layout;
static inline uint32_t alea_gpu_first_kept(const alea_gpu_layout *l) { return 1 + l->fluents; }
static inline uint32_t alea_gpu_first_held(const alea_gpu_layout *l) {
  return alea_gpu_first_kept(l) + l->kept;
}
static inline uint32_t alea_gpu_first_brief(const alea_gpu_layout *l) {
  return alea_gpu_first_held(l) + l->held;
}

typedef struct alea_gpu_plan {
  alea_mem *mem;
  const alea_lanes_program *program;
  uint32_t window; /* so many instructions are divided into levels at a time: fewer values live at
                    * once than if all were */
  uint32_t base_count, fluent_count;
  ALEA_VEC(alea_gpu_instruction) instructions;
  ALEA_VEC(alea_gpu_value) values;
  ALEA_VEC(alea_gpu_loop) loops;
  ALEA_VEC(alea_gpu_group) groups;
  uint32_t terminal, *goals; /* literals */
  alea_u32s legal;           /* literals, per place in the groups of the program; or
                              * ALEA_GPU_NONE, after the last move */
  uint32_t *only;            /* literals, per role */
  uint32_t *row;             /* per role: where its moves begin among the held slots */
  uint32_t *next;            /* literals, per fluent */
  uint32_t read_goals;       /* the level after the goals; those of the roles follow */
  uint32_t last;             /* of all levels */
  uint32_t held, brief;      /* slots that it needs */
} alea_gpu_plan;

/* The plan of a program without places, owned by the caller. */
alea_status alea_gpu_plan_init(alea_gpu_plan *plan, const alea_lanes_program *program,
                               const alea_net *net, uint32_t window, alea_mem *mem);
void alea_gpu_plan_clear(alea_gpu_plan *plan);

/* Its parts.  First the instructions, with next[f] a value that is made for fluent f alone,
 * wherever that changes, and legality one for each move; */
alea_status alea_gpu_plan_read(alea_gpu_plan *plan, const alea_net *net);
/* then levels, and how long values live; */
alea_status alea_gpu_plan_level(alea_gpu_plan *plan);
/* then places: those of held and of brief values are counted from 0, and marked, until
 * alea_gpu_plan_settle knows where they begin. */
#define ALEA_GPU_HELD 0x40000000u
#define ALEA_GPU_BRIEF 0x80000000u
alea_status alea_gpu_plan_place(alea_gpu_plan *plan);
void alea_gpu_plan_settle(alea_gpu_plan *plan, const alea_gpu_layout *layout);

static inline bool alea_gpu_is_fluent(const alea_gpu_plan *plan, uint32_t value) {
  return value >= ALEA_LANES_FIRST_FLUENT && value < ALEA_LANES_FIRST_FLUENT + plan->fluent_count;
}
/* The slot that says whether a move of a role is chosen, or ALEA_GPU_NONE where nobody reads it. */
static inline uint32_t alea_gpu_chosen_slot(const alea_lanes_program *program,
                                            const alea_lanes_role *role, uint32_t move) {
  const alea_lanes_group *group =
      &program->groups.data[role->first_group + move / ALEA_LANES_GROUP];
  uint32_t slot = group->chosen[move % ALEA_LANES_GROUP];
  return slot - program->first_move_slot < program->move_count ? slot : ALEA_GPU_NONE;
}
/* The level at which moves of a role are drawn. */
static inline uint32_t alea_gpu_draw_level(const alea_gpu_plan *plan, uint32_t role) {
  return plan->read_goals + 1 + role;
}

#endif
