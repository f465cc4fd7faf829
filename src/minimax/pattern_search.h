#ifndef ALEA_MINIMAX_PATTERN_SEARCH_H
#define ALEA_MINIMAX_PATTERN_SEARCH_H

/* Conjunctions of fluents behind a literal of the network: its disjunctive form, of which only
 * what has to hold is kept.  What must not hold, what moves decide, and what has too many
 * conjunctions to be listed, or is defined by itself, is left out as if it were true. */

#include "base/vec.h"
#include "propnet/propnet.h"

enum {
  ALEA_PATTERN_MOST = 4096,     /* conjunctions of a literal */
  ALEA_PATTERN_LENGTH = 24,     /* fluents of one */
  ALEA_PATTERN_LEAST_LENGTH = 2 /* of one that is listed */
};

/* Conjunctions, one after the other; each is its length, and then its fluents in ascending
 * order. */
typedef alea_u32s alea_conjunctions;

/* Appends the conjunctions of 'lit', each once, that are long enough. */
alea_status alea_pattern_search(const alea_net *net, alea_lit lit, alea_conjunctions *found,
                                alea_mem *mem);

#endif
