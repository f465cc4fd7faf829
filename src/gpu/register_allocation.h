#ifndef ALEA_GPU_REGISTER_ALLOCATION_H
#define ALEA_GPU_REGISTER_ALLOCATION_H

/* Register allocation for the code of large games.
 *
 * Such code has a thousand live values or more, a thread 255 registers.  The compiler of CUDA
 * spills about twice as often as is necessary, and into the device's memory.  Since all uses are
 * known, Belady's rule is optimal: the value whose next use is furthest is spilled [BEL66].  A
 * spilled value lies near, in the memory that a block shares, or far, in the thread's local memory;
 * near are those that are accessed most often for their length.  Reloads come some statements
 * before the use, earlier for what is far.
 *
 * Statements are noted first, in order; then the allocation is made; then the statements are
 * written again, each after its moves.  The code is the body of a loop: a value that is read before
 * it is written is loop-carried.  Nothing is moved within a condition: values are read from where
 * they are. */

#include "base/mem.h"
#include "base/vec.h"

typedef enum alea_gpu_access {
  ALEA_GPU_READ,
  ALEA_GPU_WRITE, /* after all readings of its statement */
  ALEA_GPU_CONDITIONAL_READ,
  ALEA_GPU_CONDITIONAL_WRITE, /* of a value that is not read after the condition */
  ALEA_GPU_RESTART, /* live values of slots from 1 to this one may change, in their registers or
                     * places */
} alea_gpu_access;

typedef struct alea_gpu_event {
  uint32_t statement, slot;
  alea_gpu_access access;
} alea_gpu_event;

typedef enum alea_gpu_move_kind {
  ALEA_GPU_SPILL, /* from its register to its place */
  ALEA_GPU_DROP,  /* the same without a store: the place has the value */
  ALEA_GPU_RELOAD,
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
  uint32_t pressure;  /* as long as no more are in registers */
} alea_gpu_limits;

typedef struct alea_gpu_allocation {
  alea_mem *mem;
  uint32_t slot_count;
  /* Statements. */
  uint32_t statement; /* the last one, from 1 on */
  uint32_t pending;   /* the slot that it writes, or 0 */
  bool in_condition;  /* within a condition */
  bool loops;         /* the body has loops: not supported */
  bool lacks_memory;
  ALEA_VEC(alea_gpu_event) events;
  alea_u32s crowded; /* statements at which crowded code begins and ends, in turn */
  /* The allocation. */
  ALEA_VEC(alea_gpu_move) moves; /* ascending; the last are at the end of the iteration */
  uint32_t near_count, far_count;
  uint32_t *place; /* per slot: where it lies now, ALEA_GPU_NO_PLACE is in its register; at first
                    * at the beginning of a iteration */
  size_t next;     /* of the moves */
  alea_u64s dead;  /* statement << 32 | slot, ascending: what a restart leaves alone */
} alea_gpu_allocation;

void alea_gpu_allocation_init(alea_gpu_allocation *r, uint32_t slot_count, alea_mem *mem);
void alea_gpu_allocation_clear(alea_gpu_allocation *r);

/* A statement begins, the last one has ended. */
void alea_gpu_allocation_begin(alea_gpu_allocation *r);
void alea_gpu_allocation_note(alea_gpu_allocation *r, uint32_t slot, alea_gpu_access access);
/* From the next statement on other variables need registers, too, or no longer. */
void alea_gpu_allocation_crowd(alea_gpu_allocation *r, bool crowded);

/* Makes the allocation; false without memory. */
bool alea_gpu_allocation_make(alea_gpu_allocation *r, const alea_gpu_limits *limits);
/* Whether the restart at 'statement' writes 'slot': only what is live has a place. */
bool alea_gpu_allocation_restarts(const alea_gpu_allocation *r, uint32_t statement, uint32_t slot);

#endif
