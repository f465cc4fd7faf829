#ifndef ALEA_MATCH_SIZES_H
#define ALEA_MATCH_SIZES_H

/* How large a game is as a stochastic constraint network. */

#include "match/open.h"

typedef struct alea_scsp_sizes {
  uint64_t vars, constraints;
  double max_domain;
  double seconds; /* spent on the translation */
} alea_scsp_sizes;

/* ALEA_NO: not available for this game in this program. */
alea_status alea_sizes_of(const alea_opened *opened, alea_scsp_sizes *sizes, alea_mem *mem);

#endif
