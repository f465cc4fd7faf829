#ifndef ALEA_GPU_REGISTERS_H
#define ALEA_GPU_REGISTERS_H

/* Which values of long straight-line code lie in registers, and when.
 *
 * The code of a large game has a thousand values that are needed later at any time; a thread has
 * 255 registers.  Left to itself the compiler of CUDA puts the rest into memory that is far away,
 * and reads it again at most places.  So it is told: the value whose next reading is furthest
 * leaves its register [BEL66], and comes back some statements before it is read.  What has left
 * lies near, in what a block shares, or far; those that are read most in the shortest time lie
 * near.
 *
 * First all statements are noted, in their order; then a plan is made; then the statements are
 * written, and the plan says what to move before each.  They are one turn of a loop: what is read
 * before it is written comes from the turn before.  Within a condition nothing is moved, and values
 * are read from where they lie. */

#include "base/mem.h"
#include "base/vec.h"

typedef enum alea_gpu_access {
  ALEA_GPU_READ,
  ALEA_GPU_WRITE,       /* after all readings of its statement */
  ALEA_GPU_READ_APART,  /* within a condition: from where it lies */
  ALEA_GPU_WRITE_APART, /* of a value that is not needed after the condition */
  ALEA_GPU_RESTART, /* within a condition: values from the turn before may change where they lie */
} alea_gpu_access;

typedef struct alea_gpu_event {
  uint32_t statement, slot;
  alea_gpu_access access;
} alea_gpu_event;

typedef enum alea_gpu_move_kind {
  ALEA_GPU_STORE, /* leaves its register */
  ALEA_GPU_LEAVE, /* the same, and its place has it already */
  ALEA_GPU_LOAD,
} alea_gpu_move_kind;

/* Before a statement. */
typedef struct alea_gpu_move {
  uint32_t statement, slot;
  alea_gpu_move_kind kind;
  uint32_t place;    /* below near_count: near; else near_count more than its number far away */
  uint32_t earliest; /* statement that a load may come before */
} alea_gpu_move;

enum { ALEA_GPU_NO_PLACE = UINT32_MAX };

typedef struct alea_gpu_limits {
  uint32_t registers; /* for values */
  uint32_t crowded;   /* in statements that need others for themselves */
  uint32_t near;      /* places of a thread in what its block shares */
  uint32_t ahead;     /* statements between loading and reading what is near, */
  uint32_t far_ahead; /* and what is far away, */
  uint32_t held;      /* as long as no more are in registers */
} alea_gpu_limits;

typedef struct alea_gpu_registers {
  alea_mem *mem;
  uint32_t slot_count;
  /* What is noted. */
  uint32_t statement; /* the last one, from 1 on */
  uint32_t pending;   /* the slot that it writes, or 0 */
  bool apart;         /* within a condition */
  bool loops;         /* there are loops within: there is no plan for such code */
  bool lacks_memory;
  ALEA_VEC(alea_gpu_event) events;
  alea_u32s crowded; /* statements at which this begins and ends, by turns */
  /* The plan. */
  ALEA_VEC(alea_gpu_move) moves; /* ascending; the last are at the end of the turn */
  uint32_t near_count, far_count;
  uint32_t *place; /* per slot: where it lies now, ALEA_GPU_NO_PLACE is in its register; at first
                    * at the beginning of a turn */
  size_t next;     /* of the moves */
} alea_gpu_registers;

void alea_gpu_registers_init(alea_gpu_registers *r, uint32_t slot_count, alea_mem *mem);
void alea_gpu_registers_clear(alea_gpu_registers *r);

/* A statement begins, the last one has ended. */
void alea_gpu_registers_begin(alea_gpu_registers *r);
void alea_gpu_registers_note(alea_gpu_registers *r, uint32_t slot, alea_gpu_access access);
/* From the next statement on others need registers, or no longer. */
void alea_gpu_registers_crowd(alea_gpu_registers *r, bool crowded);

/* Makes the plan; false without memory. */
bool alea_gpu_registers_plan(alea_gpu_registers *r, const alea_gpu_limits *limits);

#endif
