#ifndef ALEA_EXPERIMENT_SYMMETRY_GAIN_H
#define ALEA_EXPERIMENT_SYMMETRY_GAIN_H

/* The benefit of symmetries in a game: how many there are, and how much smaller
 * the search of MAC-UCB is with them.
 *
 * Searches with and without symmetries start from the same positions of a
 * random play and make the same number of pulls.  The time that the first
 * spends on symmetry is taken from its sampling; the second solves as much per
 * pull, so that both trees have the same chance to grow. */

#include "match/open.h"

typedef struct alea_symmetry_gain_options {
  uint64_t sims;      /* pulls of one search */
  uint32_t positions; /* searched at most */
  double seconds;     /* CPU time: for finding the symmetries, and for all searches */
  uint64_t seed;
} alea_symmetry_gain_options;

typedef struct alea_symmetry_gain {
  uint64_t rules;         /* ground rules, the vertices of the symmetry graph; 0: unknown */
  double order;           /* of the group; 0: not found in time */
  uint32_t generators;    /* number found */
  uint32_t positions;     /* searched; 0: none, and the rest is meaningless */
  uint64_t with, without; /* positions stored by the searches with and without symmetries */
  uint64_t hits;          /* positions that the first recognised as symmetric to others */
} alea_symmetry_gain;

/* Measures an open game.  Members that are unknown are 0: without a network,
 * with `sees` (where the players do not use symmetries) or without time. */
alea_status alea_symmetry_gain_measure(alea_symmetry_gain *gain, const alea_opened *opened,
                                       const alea_symmetry_gain_options *options, alea_mem *mem);

/* 1 - with / without; 0 if nothing was searched. */
static inline double alea_symmetry_gain_smaller(const alea_symmetry_gain *gain) {
  return gain->without > 0 ? 1 - (double)gain->with / (double)gain->without : 0;
}
/* The fraction of positions that did not have to be stored. */
static inline double alea_symmetry_gain_known(const alea_symmetry_gain *gain) {
  uint64_t met = gain->hits + gain->with;
  return met > 0 ? (double)gain->hits / (double)met : 0;
}

#endif
