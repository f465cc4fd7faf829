#ifndef ALEA_MATCH_SIZES_H
#define ALEA_MATCH_SIZES_H

/* Sizes of a game as a stochastic constraint network. */

#include "encode/template.h"
#include "match/open.h"

typedef struct alea_network_sizes {
  alea_template_sizes before, after; /* preprocessing */
  double seconds;                    /* CPU time spent on the translation */
} alea_network_sizes;

/* The sizes by one encoder.  ALEA_LIMIT: no network within 'seconds' of CPU
 * time, or before the deadline in 'mem' was cancelled.  ALEA_UNSUPPORTED: the game has no rules in
 * GDL. */
alea_status alea_sizes_of(const alea_opened *opened, alea_encoder encoder, double seconds,
                          alea_network_sizes *sizes, alea_mem *mem);

#endif
