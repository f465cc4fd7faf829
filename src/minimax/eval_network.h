#ifndef ALEA_MINIMAX_EVAL_NETWORK_H
#define ALEA_MINIMAX_EVAL_NETWORK_H

/* What a linear evaluation does not see, by an efficiently updatable network (Nasu 2018): one
 * hidden layer over the fluents, whose units are cut to 0..1, in 16-bit integers.  A move changes
 * few fluents, so the sums of the units are carried along from position to position.
 *
 * Where a symmetry exchanges the two roles, the network looks at a position twice, as it is and as
 * its image, and what it says is the difference: what is good for one is as bad for the other,
 * and need not be learnt twice.
 *
 * What it says is added to the score of the linear evaluation, which goes on to tell what moves
 * change: the order of moves and what is loud are by the linear part alone. */

#include "base/mem.h"

enum {
  ALEA_NETWORK_UNITS = 32,
  ALEA_NETWORK_VIEWS = 2,
  ALEA_NETWORK_ONE = 128, /* a unit that is fully on */
  ALEA_NETWORK_MOST = 255 /* weight, in parts of ALEA_NETWORK_ONE */
};

/* The sums of the units at a position, for each view. */
typedef struct alea_network_sums {
  int16_t of[ALEA_NETWORK_VIEWS][ALEA_NETWORK_UNITS];
} alea_network_sums;

typedef struct alea_eval_network {
  alea_mem *mem; /* NULL: there is no network */
  uint32_t fluent_count;
  uint32_t *image; /* of each fluent, where roles can be exchanged; or NULL */
  int16_t (*weights)[ALEA_NETWORK_UNITS]; /* by fluent */
  int16_t bias[ALEA_NETWORK_UNITS];
  int16_t out[ALEA_NETWORK_UNITS];
  int32_t rest;  /* what is said where all units are off */
  int32_t drift; /* a step seldom changes what is said by more */
} alea_eval_network;

/* 'image' is copied, and may be NULL.  All weights are 0; the caller clears it with any status. */
alea_status alea_eval_network_init(alea_eval_network *network, uint32_t fluent_count,
                                   const uint32_t *image, alea_mem *mem);
/* Lets it look at images of positions, too: those of fluents are to be set, and are 0 at first
 * where there were none.  False: no memory. */
bool alea_eval_network_see(alea_eval_network *network);
void alea_eval_network_clear(alea_eval_network *network); /* a zeroed one too */
alea_status alea_eval_network_copy(alea_eval_network *copy, const alea_eval_network *network);
/* What was learnt, for the other role. */
void alea_eval_network_turn(alea_eval_network *network);

/* The sums at a position, and behind a step from one whose sums are known. */
void alea_eval_network_begin(const alea_eval_network *network, const uint64_t *words,
                             size_t word_count, alea_network_sums *sums);
void alea_eval_network_step(const alea_eval_network *network, const uint64_t *from,
                            const uint64_t *to, size_t word_count, const alea_network_sums *before,
                            alea_network_sums *after);
/* What is said there, as a score. */
int32_t alea_eval_network_value(const alea_eval_network *network, const alea_network_sums *sums);

#endif
