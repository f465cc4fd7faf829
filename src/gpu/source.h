#ifndef ALEA_GPU_SOURCE_H
#define ALEA_GPU_SOURCE_H

/* A game as straight-line code, 32 games to a word.
 *
 * The programs that the engine `lanes` interprets are written out: every slot
 * is a local variable, every operation a statement, and what plays is one loop
 * over the ticks of the game's clock.  The text is C for a CUDA compiler and for
 * any other C compiler alike: on a GPU each thread plays 32 games and their
 * successors, on a CPU a function does what a thread would do, for tests.
 *
 * Moves are drawn as in propnet/lanes_pick.h: counted by adders, a number below
 * the count drawn by rejection, and the move found by subtraction, in groups
 * of eight where there are many.  All legal moves are equally likely.
 *
 * A thread has a number of games to begin (its quota), and every one of them is
 * played to its end: results do not favour short games.  Games are given up
 * after at least `cap` steps and at most 5/4 of that, since their ages are kept
 * in four cohorts. */

#include "base/text.h"
#include "propnet/lanes_compile.h"

/* The lanes that the source is made from: for words of 32 games, without
 * scatters. */
alea_status alea_gpu_lanes_new(alea_lanes **lanes, const alea_net *net, alea_mem *mem);

/* What a thread is told: the arguments of the function `alea_play`. */
enum {
  ALEA_GPU_BLOCK = 128, /* threads of a block */
  ALEA_GPU_COUNTS = 3,  /* playouts, unfinished, states; then games per goal in net->goals */
  ALEA_GPU_COHORTS = 4,
  ALEA_GPU_FEWEST_BLOCKS = 2, /* that a processor holds, of any game's code */
};

/* Appends the source of 'lanes' (alea_gpu_lanes_new).  Its function
 *
 *   alea_play(starts, jobs, out, threads_per_job, cap, seed, words, memory)
 *
 * plays job j in threads j * threads_per_job and following, which need not be whole blocks (every
 * thread of a block must have a job, if only one of no games): jobs[2 * j] games from
 * the position starts[j * fluents ...], a word of all zeros or ones for each
 * fluent, which is at tick jobs[2 * j + 1] of the clock.  What comes out is added
 * to out[j * (ALEA_GPU_COUNTS + goals) ...].  'words' and 'memory' are for the form that
 * interprets (gpu/interpreter.h).  A lack of memory shows in 'text'.  'shared' are the bytes that a
 * block can share; returned is how many of them the code takes at its launch. */
size_t alea_gpu_source(const alea_lanes *lanes, size_t shared, alea_text *text);

/* Blocks that a processor holds of that code, about; the same on every device. */
uint32_t alea_gpu_held_blocks(const alea_lanes *lanes);

/* Appends what the code of every game begins with: types, counting of bits, random numbers,
 * and what it tells as it plays, on a CPU. */
void alea_gpu_put_prologue(alea_text *text);

#endif
