#ifndef ALEA_GPU_INTERPRETER_H
#define ALEA_GPU_INTERPRETER_H

/* A game as data for a kernel that interprets it.
 *
 * Straight-line code (gpu/source.h) of a large network takes a compiler minutes, and most of
 * its values live in memory anyway.  Here the kernel is small and the same for all games but
 * for a few sizes; it reads the programs of the engine `lanes` as tables.  All threads of
 * a warp perform the same instruction, and slots lie in memory as [block][slot][thread], so
 * that a warp reads and writes whole lines.  Speed is bound by memory: a state costs as many
 * bits as its program has operands and results, an eighth of a byte each.
 *
 * The function plays as that of gpu/source.h does, with the same random numbers: the same
 * arguments give the same counts.  Its C runs on a CPU as well. */

#include "base/text.h"
#include "propnet/lanes_compile.h"

/* What such a kernel reads and needs. */
typedef struct alea_gpu_tables {
  alea_u32s words;
  size_t block_words; /* memory of a block of threads */
} alea_gpu_tables;

/* Appends the source for 'lanes' (alea_gpu_lanes_new).  The function is
 *
 *   alea_play(starts, jobs, out, blocks_per_job, cap, seed, words, memory)
 *
 * as in gpu/source.h, where 'words' are those of the tables, and 'memory' has block_words
 * words for each block. */
void alea_gpu_interpreter(const alea_lanes *lanes, alea_text *text);

/* The tables of 'lanes', owned by the caller.  ALEA_LIMIT: it has too many slots. */
alea_status alea_gpu_tables_init(alea_gpu_tables *tables, const alea_lanes *lanes, alea_mem *mem);
void alea_gpu_tables_clear(alea_gpu_tables *tables, alea_mem *mem);

#endif
