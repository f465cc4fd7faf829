#ifndef ALEA_CSP_STRATEGIC_WALK_H
#define ALEA_CSP_STRATEGIC_WALK_H

/* Internals of walks through strategic networks (csp/strategy.h). */

#include "csp/strategic_core.h"
#include "csp/strategy.h"

struct alea_strategic_walk {
  alea_strategic_options options;
  alea_strategic_result result;
  strategic_play play;
  uint32_t at;   /* variables that have a value */
  uint32_t dead; /* after so many values the state was inconsistent; NONE: it is not */
  int32_t *values, *choices;
};

#endif
