#ifndef ALEA_PROPNET_LANES_H
#define ALEA_PROPNET_LANES_H

/* The engine 'lanes': hundreds of games at once, one bit each.
 *
 * Every gate of the network is one operation on a word that holds its value
 * in all games, and the moves are chosen on such words too (lanes_pick.h).
 * Where the game has a clock, such as whose turn it is, the lanes are kept at
 * the same tick of it and each tick has a program of its own (lanes_clock.h).
 *
 * What asks for many games from few positions is best served by wide words; a
 * tree search asks for a few games at a time, and narrow words return them
 * sooner.  So there are two widths.
 *
 * An alea_lanes is compiled once and immutable: any number of samplers on any
 * number of threads may share it.  It keeps a pointer to the net. */

#include "game/sampler.h"
#include "propnet/propnet.h"

typedef struct alea_lanes alea_lanes;

typedef enum alea_lanes_width { ALEA_LANES_NARROW = 128, ALEA_LANES_WIDE = 512 } alea_lanes_width;

/* Compiles 'net', which must outlive the result; the caller owns it. */
alea_status alea_lanes_new(alea_lanes **lanes, const alea_net *net, alea_lanes_width width,
                           alea_mem *mem);
void alea_lanes_free(alea_lanes *lanes); /* NULL is a no-op. */

typedef struct alea_lanes_info {
  uint32_t lanes;     /* games at once */
  uint32_t ticks;     /* of the clock, 0 without one */
  uint32_t slots;     /* words of lanes in use, the most of a program */
  uint32_t kept;      /* of them those that are kept from step to step */
  uint32_t state_ops; /* operations per step, the mean over the ticks */
  uint32_t goal_ops;
  uint32_t next_ops;
  uint32_t operands; /* words read by state and next together */
  uint32_t runs;
  uint32_t choices;    /* moves that are chosen from per step, all roles */
  bool goals_deferred; /* finished games are put aside, and their goals evaluated together */
} alea_lanes_info;
void alea_lanes_describe(const alea_lanes *lanes, alea_lanes_info *info);

/* A sampler over 'lanes', which must outlive it.  'game' is what the sampler
 * reports as its game and may be NULL. */
alea_status alea_lanes_sampler_new_shared(alea_sampler **sampler, const alea_lanes *lanes,
                                          const alea_game *game, uint64_t seed, alea_mem *mem);
/* The same with wide lanes of its own.  ALEA_USAGE: 'game' is not of engine net. */
alea_status alea_lanes_sampler_new(alea_sampler **sampler, const alea_game *game, uint64_t seed,
                                   alea_mem *mem);

/* What alea_lanes_choose measured: states per CPU second, 0 = not measured. */
typedef struct alea_lanes_choice {
  double lanes, plain;
  bool chosen; /* lanes, not the plain sampler */
} alea_lanes_choice;

/* The faster of the lanes and the plain sampler for 'game', by playing with
 * both for about 'seconds' of CPU time together; where the game is no net, or
 * its lanes need more memory than allowed, the plain one.  'why' may be NULL.
 * Which sampler it is may differ from call to call where they are equal. */
alea_status alea_lanes_choose(alea_sampler **sampler, const alea_game *game, uint64_t seed,
                              double seconds, alea_lanes_choice *why, alea_mem *mem);

#endif
