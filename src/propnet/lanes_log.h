#ifndef ALEA_PROPNET_LANES_LOG_H
#define ALEA_PROPNET_LANES_LOG_H

/* What was played in each lane, for the listener of a sampler.
 *
 * A row holds the moves that one role made at one step, a column is a lane, so
 * a game is a piece of a column.  Rows are used in turn: of a game longer than
 * that the first moves are forgotten. */

#include "propnet/lanes_pick.h"

enum { ALEA_LANES_LOG_ROWS = 256 };

typedef struct alea_lanes_log {
  uint32_t moves[ALEA_LANES_LOG_ROWS][ALEA_LANES]; /* move + 1; 0 = none */
  uint32_t roles[ALEA_LANES_LOG_ROWS];
  uint64_t rows;                /* written so far */
  uint64_t started[ALEA_LANES]; /* per lane: rows written before its game */
  uint64_t ended[ALEA_LANES];   /* and at its end */
  alea_played game[ALEA_LANES_LOG_ROWS];
  uint32_t *names; /* scratch: what a row has for a pick, by its number */
  size_t name_count;
} alea_lanes_log;

/* For programs with up to 'groups' groups for each role; NULL: there is no memory. */
alea_lanes_log *ALEA_LANES_FN(log_new)(uint32_t groups, alea_mem *mem);
void ALEA_LANES_FN(log_free)(alea_lanes_log *log, alea_mem *mem); /* NULL is a no-op. */

/* New games begin in 'lanes', and games end there. */
void ALEA_LANES_FN(log_start)(alea_lanes_log *log, alea_lane_word lanes);
void ALEA_LANES_FN(log_end)(alea_lanes_log *log, alea_lane_word lanes);
/* Writes down what the roles have picked in 'live'. */
void ALEA_LANES_FN(log_picks)(alea_lanes_log *log, const alea_lanes_picker *picker,
                              const alea_lanes_program *program, const alea_lane_word *slots,
                              alea_lane_word live);
/* The game that ended in 'lane', in log->game; how many moves. */
size_t ALEA_LANES_FN(log_game)(alea_lanes_log *log, uint32_t lane);

#endif
