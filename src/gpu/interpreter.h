#ifndef ALEA_GPU_INTERPRETER_H
#define ALEA_GPU_INTERPRETER_H

/* A game as data for a kernel that interprets it.
 *
 * Straight-line code (gpu/source.h) of a large network takes a compiler minutes, and most of its
 * values live in memory anyway.  Here the kernel is small and the same for all games but for a few
 * sizes; it reads a plan (gpu/plan.h) as tables.  A block of threads plays 32 games for each word
 * of its width and each copy; their slots lie in the memory that the block shares,
 * [copy][slot][word], and the threads divide the instructions of a level among them.  Moves are
 * counted in a tree.
 *
 * The function plays as that of gpu/source.h does, with the same random numbers: the same
 * arguments give the same counts.  Its C runs on a CPU as well. */

#include "base/text.h"
#include "propnet/lanes_compile.h"

/* How a block is made. */
typedef struct alea_gpu_shape {
  uint32_t width;    /* words of a slot: 1, 2 or 4 */
  uint32_t copies;   /* of all slots: an instruction is performed for each */
  uint32_t threads;  /* a multiple of 32 */
  uint32_t resident; /* blocks that a processor should hold */
  uint32_t window;   /* of its plans (gpu/plan.h) */
  bool outside;      /* slots lie outside, since they do not fit what a block shares */
} alea_gpu_shape;

/* What such a kernel reads and needs. */
typedef struct alea_gpu_tables {
  alea_u32s words;
  alea_gpu_shape shape;
  uint32_t code_at, told_at; /* in 'words': the instructions, before which is the table that each
                              * block copies, and the moves of leaves */
  uint32_t slots;            /* of a copy */
  uint32_t first_kept;       /* slot */
  uint32_t levels;           /* of a step, the most of a tick */
  size_t shared;             /* bytes that a block shares, */
  size_t memory;             /* and that it has outside */
} alea_gpu_tables;

/* The tables of 'lanes' (alea_gpu_lanes_new), owned by the caller, for blocks that share
 * 'shared' bytes at most.  ALEA_LIMIT: it has too many slots, or levels. */
alea_status alea_gpu_tables_init(alea_gpu_tables *tables, const alea_lanes *lanes, size_t shared,
                                 alea_mem *mem);
/* For blocks of a given shape; what is 0 there is chosen. */
alea_status alea_gpu_tables_shape(alea_gpu_tables *tables, const alea_lanes *lanes,
                                  const alea_gpu_shape *shape, size_t shared, alea_mem *mem);
void alea_gpu_tables_clear(alea_gpu_tables *tables, alea_mem *mem);

/* The threads of gpu/source.h whose games a block plays. */
static inline uint32_t alea_gpu_shape_wide(const alea_gpu_shape *shape) {
  return shape->width * shape->copies;
}

/* Appends the source for 'lanes' and their tables.  The function is
 *
 *   alea_play(starts, jobs, out, threads_per_job, cap, seed, words, memory)
 *
 * as in gpu/source.h, where 'words' are those of the tables, and 'memory' has tables->memory
 * bytes for each block.  A block does what as many threads would as it is wide; on a CPU
 * its thread 0 does everything. */
void alea_gpu_interpreter(const alea_lanes *lanes, const alea_gpu_tables *tables, alea_text *text);

#endif
