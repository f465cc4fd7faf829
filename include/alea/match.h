#ifndef ALEA_MATCH_H
#define ALEA_MATCH_H

/* Matches: players, clocks, and a record of what happened.
 *
 *   const char *players[] = {"alea", "uct:c=1"};
 *   alea_match_settings settings = {
 *       .size = sizeof settings, .players = players, .player_count = 2, .sims = 1000};
 *   alea_match_result *result;
 *   if (alea_match_play(&result, rules, &settings, NULL) == ALEA_OK)
 *     puts(alea_match_json(result));
 *   alea_match_result_free(result);
 *
 * The manager keeps the true position; a player is told what its role is told.  A
 * move that is illegal, late or missing is replaced by a random legal one and
 * recorded.  With simulations alone and a seed, the record is the same, byte for
 * byte, on every run. */

#include "alea/player.h"
#include "alea/stop.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct alea_match_settings {
  size_t size;                /* sizeof(alea_match_settings) */
  const char *const *players; /* names with options, in role order, none for chance */
  size_t player_count;
  uint64_t sims;   /* simulations per move; 0: no such limit */
  double start;    /* seconds before the first move */
  double time;     /* seconds per move; 0: no such limit, or 1 where there are no sims either */
  uint64_t seed;   /* of the players and of chance */
  uint32_t rotate; /* role i is played by player (i + rotate) mod player_count */
  uint32_t steps;  /* after which the match is aborted; 0 is 10,000 */
  /* Called before the first step and after each, with the true position; false
   * ends the match.  NULL: nobody is called. */
  bool (*step)(void *context, alea_state *state);
  void *context;
  const alea_stop_flag *stop; /* when raised, the match is aborted, also in the middle of a move;
                            may be NULL */
} alea_match_settings;

typedef struct alea_match_result alea_match_result;

/* Plays a match; the caller owns the result.  ALEA_USAGE: something is wrong with
 * the players, as a diagnostic says.  ALEA_INPUT: a role had no legal move before
 * the game was over.  ALEA_LIMIT: it was stopped before the first position.  The
 * players run in the calling thread. */
ALEA_API alea_status alea_match_play(alea_match_result **result, alea_ruleset *rules,
                                     const alea_match_settings *settings,
                                     alea_diagnostics **diagnostics);
ALEA_API void alea_match_result_free(alea_match_result *result); /* NULL is a no-op. */

/* Whether the game reached its end. */
ALEA_API bool alea_match_completed(const alea_match_result *result);
/* The goal of a role, 0..100; -1 if the match was not completed. */
ALEA_API int alea_match_goal(const alea_match_result *result, uint32_t role);
ALEA_API uint32_t alea_match_steps(const alea_match_result *result);
/* Moves that were illegal, late or missing. */
ALEA_API uint32_t alea_match_faults(const alea_match_result *result);
/* The record as one JSON object with the keys of ggp-base; lent. */
ALEA_API const char *alea_match_json(const alea_match_result *result);

#ifdef __cplusplus
}
#endif

#endif
