#ifndef ALEA_MATCH_SURVEY_H
#define ALEA_MATCH_SURVEY_H

/* Properties of a game observed in random play: who moves when, what players
 * observe, how long it lasts, and whether it is well-formed in the sense of the
 * GDL specification.
 *
 * Random play can refute "playable", "terminating" and "monotonic", and prove
 * "weakly winnable"; the opposite stays unknown unless the game is small enough
 * to be searched exhaustively. */

#include "base/verdict.h"
#include "game/game.h"

typedef enum alea_turns { ALEA_TURN_SOLO, ALEA_TURN_TAKING, ALEA_TURN_SIMULTANEOUS } alea_turns;

typedef struct alea_survey {
  uint32_t plays;
  uint64_t steps;
  uint32_t longest, shortest;
  uint32_t most_moves;      /* legal moves of one role in one position */
  alea_turns turns;         /* chance does not count as a player */
  bool private_percepts;    /* two players observed different percepts */
  uint64_t states;          /* distinct positions; 0 unless searched exhaustively */
  alea_verdict playable;    /* every role always has a move */
  alea_verdict terminating; /* every play ends */
  alea_verdict monotonic;   /* exactly one goal each, never decreasing */
  alea_verdict winnable;    /* each player gets 100 in some play */
} alea_survey;

/* Plays 'plays' games of at most 'step_cap' steps from the initial position,
 * fewer if the deadline passes, and searches games of at most 'most_states'
 * positions exhaustively.  The cursor returns to the initial position. */
alea_status alea_survey_run(alea_survey *survey, alea_cursor *cursor, uint32_t plays,
                            uint32_t step_cap, uint32_t most_states, uint64_t seed,
                            const alea_deadline *deadline, alea_mem *mem);

#endif
