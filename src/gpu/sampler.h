#ifndef ALEA_GPU_SAMPLER_H
#define ALEA_GPU_SAMPLER_H

/* The engine 'gpu': playouts on a graphics processor, from plain rules.
 *
 * The network is compiled for the device (gpu/source.h), or interpreted there
 * where it is large (gpu/interpreter.h), 32 games to a word.  Code that takes
 * more than seconds to compile is made beside play, and until it is ready the network is
 * interpreted: both play the same games, so nobody can tell but by the clock.  Where a network has
 * so many values that its own code waits for memory, small launches are always
 * interpreted, which is two to three times sooner (D186).  What a trip to
 * the device does not pay for, and what it does not serve, is played by lanes in the same sampler:
 * batches of few games, listeners, guides, positions at no tick of the game's clock, and expansion.
 * If the device fails, lanes go on; the sampler's class says which it is.
 *
 * What the device plays is in flight until it is asked for (game/sampler.h): a launch takes as
 * long as its longest game, however few there are, so two at once take hardly longer than one.
 *
 * The result depends on the requests, the seed and the device's kind, not on
 * what else runs there.  A limit in seconds is one of the clock, not of CPU time. */

#include "game/sampler.h"
#include "gpu/device.h"

enum {
  /* Games of a batch that is worth the trip, by the size of the network: about where a
   * launch takes as long as lanes do (bench/gpu.md). */
  ALEA_GPU_LEAST_FEW = 1 << 13,        /* few variables: lanes are quick, and a launch costs most */
  ALEA_GPU_LEAST_MANY = 1 << 12,       /* more of them */
  ALEA_GPU_LEAST_LARGE = 1 << 10,      /* so many operations that lanes are slow */
  ALEA_GPU_MOST_OPERATIONS = 1 << 14,  /* of a step: larger networks are interpreted, since
                                        * they take minutes to compile, */
  ALEA_GPU_MOST_OPERANDS = 50000,      /* and those that read more for the same reason */
  ALEA_GPU_QUICK_OPERATIONS = 1 << 10, /* larger ones are compiled beside play, as are those
                                        * with many variables */
};

/* A sampler for 'game', which must be of engine net, or ALEA_UNSUPPORTED: then
 * 'why' (ALEA_GPU_WHY bytes) says why.  'info' may be NULL. */
alea_status alea_gpu_sampler_new(alea_sampler **sampler, const alea_game *game, uint64_t seed,
                                 alea_mem *mem, alea_gpu_code_info *info, char *why);

/* Waits until the game's own code is ready, if it is being made.  Until then every launch is
 * interpreted, which takes up to four times as long: who plays against a clock should not begin
 * before.  Not while anything is in flight. */
void alea_gpu_sampler_finish(alea_sampler *sampler);

#endif
