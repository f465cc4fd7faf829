#ifndef ALEA_TOURNAMENT_RESULTS_H
#define ALEA_TOURNAMENT_RESULTS_H

/* Summaries of a database of results. */

#include "play/player.h"
#include "tournament/stats.h"
#include "tournament/store.h"

/* One pairing.  Scores are those of the first player: win 1 (a strictly larger
 * goal than all others), draw 1/2.  If it has all seats, a win is 100 in each
 * of them and there are no draws. */
typedef struct alea_result {
  const char *game, *budget, *first, *second; /* second NULL: 'first' has all seats */
  uint64_t planned, done, completed, faults;
  uint64_t wins, draws, losses;
  double goal, other_goal; /* means */
  double steps, seconds;   /* means per match */
  const char *engines;     /* that the matches were played on; "" before the first */
  double *scores;          /* of completed matches, in the order of their numbers */
  uint32_t *numbers;       /* those numbers */
  int32_t *lowest;         /* and the lowest goal of a player */
  size_t score_count;
} alea_result;

/* One player over all pairings. */
typedef struct alea_player_result {
  const char *name;
  uint64_t matches, wins, draws, losses; /* against others */
  alea_rating rating;
  uint64_t moves; /* all of its moves */
  double seconds, slowest;
  double sims, nodes;
} alea_player_result;

/* Counters of one player in one game: means per match and seat. */
typedef struct alea_effort_result {
  const char *game, *name;
  uint64_t seats;
#define ALEA_EFFORT_FIELD(field, help) double field;
  ALEA_PLAYER_STATS(ALEA_EFFORT_FIELD)
#undef ALEA_EFFORT_FIELD
} alea_effort_result;

typedef struct alea_run_result {
  const char *started, *version, *host;
  uint64_t workers, cores, matches;
} alea_run_result;

typedef struct alea_results {
  alea_mem *mem;
  alea_arena arena;
  ALEA_VEC(alea_result) pairings;
  ALEA_VEC(alea_player_result) players;
  ALEA_VEC(alea_effort_result) efforts;
  ALEA_VEC(alea_run_result) runs;
  const char *name; /* of the tournament, as the last run had it; NULL where it has none */
} alea_results;

/* The results must be cleared in any case. */
alea_status alea_results_load(alea_results *results, alea_result_store *store, alea_mem *mem,
                              alea_diag *diag);
void alea_results_clear(alea_results *results);

static inline double alea_result_score(const alea_result *r) {
  return (double)r->wins + 0.5 * (double)r->draws;
}
static inline double alea_result_percent(const alea_result *r) {
  return r->completed > 0 ? 100 * alea_result_score(r) / (double)r->completed : 0;
}
/* The pairing of a game, a budget and two players (second NULL: alone); a NULL
 * budget matches any.  NULL if there is none.  '*turned': it is stored with the
 * players exchanged. */
const alea_result *alea_results_find(const alea_results *results, const char *game,
                                     const char *budget, const char *first, const char *second,
                                     bool *turned);
/* The mean of a counter (a name of ALEA_PLAYER_STATS) of a player in a game.
 * False: there is no such counter, or the player did not play the game. */
bool alea_results_counter(const alea_results *results, const char *game, const char *player,
                          const char *counter, double *mean);

#endif
