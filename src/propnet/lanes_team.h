#ifndef ALEA_PROPNET_LANES_TEAM_H
#define ALEA_PROPNET_LANES_TEAM_H

/* Teams of lanes that play one game together, for play that tries moves (alea_sample_tries).
 *
 * The first lanes of a word lead; a lane and those whose number differs by a multiple of
 * the leaders' count are its team.  Before a step all of a team have the leader's position,
 * each draws a move of its own, and after the step the leader takes over the position that
 * is best for who moved.  Positions are compared by sums of weights on bit planes: for each
 * bit of a weight the fluents that have it are counted. */

#include "game/sampler.h"
#include "propnet/lanes_compile.h"
#include "propnet/lanes_load.h"

enum { ALEA_LANES_WEIGHT_BITS = 8 };

typedef struct alea_lanes_team {
  alea_mem *mem;
  const alea_lanes *lanes;
  const alea_sample_tries *tries;
  uint32_t lead_parts;                           /* 64-bit parts of a word that lead */
  alea_u32s counted[2 * ALEA_LANES_WEIGHT_BITS]; /* fluents by the bits of their weights, those
                                                     below 0 in the second half */
  alea_lane_word own, other; /* lanes in which the role, or another, chooses alone */
  alea_lane_word ended;      /* lanes whose game is over after the step, and */
  alea_lane_word won, lost;  /* those of them where the role gets more or less than half */
} alea_lanes_team;

/* Cleared by the caller with any status; ALEA_USAGE: a weight is out of range. */
alea_status ALEA_LANES_FN(team_init)(alea_lanes_team *team, const alea_lanes *lanes,
                                     const alea_sample_tries *tries, alea_mem *mem);
void ALEA_LANES_FN(team_clear)(alea_lanes_team *team); /* a zeroed one too */

/* The lanes that lead, and the teams of 'lanes', which do. */
alea_lane_word ALEA_LANES_FN(team_leaders)(const alea_lanes_team *team);
alea_lane_word ALEA_LANES_FN(team_of)(const alea_lanes_team *team, alea_lane_word lanes);

/* Gives the leaders' fluents to their teams. */
void ALEA_LANES_FN(team_spread)(const alea_lanes_team *team, alea_lane_word *fluents);
/* Notes who chooses, when it is known what is legal. */
void ALEA_LANES_FN(team_ask)(alea_lanes_team *team, const alea_lanes_program *program,
                             const alea_lane_word *slots);
/* Notes what has ended after the step; 'program' is that of the positions to which it led,
 * and slots of values in between are overwritten. */
void ALEA_LANES_FN(team_look)(alea_lanes_team *team, const alea_lanes_program *program,
                              alea_lane_word *slots);
/* Gives the leaders the best fluents of their teams. */
void ALEA_LANES_FN(team_decide)(const alea_lanes_team *team, alea_lane_word *fluents);

#endif
