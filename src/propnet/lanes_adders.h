#ifndef ALEA_PROPNET_LANES_ADDERS_H
#define ALEA_PROPNET_LANES_ADDERS_H

/* Numbers on bit planes: plane k is the unit of the bits of value 2^k, one for each lane. */

#include "propnet/lane_word.h"

static inline alea_lane_unit alea_lane_select(alea_lane_unit mask, alea_lane_unit yes,
                                              alea_lane_unit no) {
  return (mask & yes) | (~mask & no);
}

static inline void alea_lane_full_add(alea_lane_unit a, alea_lane_unit b, alea_lane_unit c,
                                      alea_lane_unit *sum, alea_lane_unit *carry) {
  alea_lane_unit x = a ^ b;
  *carry = alea_lane_select(x, c, a);
  *sum = x ^ c;
}

static inline void alea_lane_half_add(alea_lane_unit a, alea_lane_unit b, alea_lane_unit *sum,
                                      alea_lane_unit *carry) {
  *carry = a & b;
  *sum = a ^ b;
}

/* How many of eight are set, in 4 planes. */
static inline void alea_lane_count_group(const alea_lane_unit *x, alea_lane_unit *count) {
  alea_lane_unit sa, sb, sc, ca, cb, cc, cd, t, fa, fb;
  alea_lane_full_add(x[0], x[1], x[2], &sa, &ca);
  alea_lane_full_add(x[3], x[4], x[5], &sb, &cb);
  alea_lane_full_add(sa, sb, x[6], &sc, &cc);
  alea_lane_half_add(sc, x[7], &count[0], &cd);
  alea_lane_full_add(ca, cb, cc, &t, &fa);
  alea_lane_half_add(t, cd, &count[1], &fb);
  alea_lane_half_add(fa, fb, &count[2], &count[3]);
}

#endif
