#ifndef ALEA_TOURNAMENT_ROUNDS_H
#define ALEA_TOURNAMENT_ROUNDS_H

/* Events in rounds: the pairings of a round follow from the results of the rounds
 * before it, and from nothing else, so that an interrupted event goes on as it
 * would have gone on anyway.
 *
 * Swiss: entrants are ranked by their points (win 1, draw 1/2), then by their
 * order in the file.  The best is paired with the next one that it has not met,
 * and so on down; nobody meets the same entrant twice as long as a pairing without
 * that is found.  With an odd number the last one that had no bye yet has one,
 * which counts as a win of everything it could have won.
 *
 * Knockout: entrants are seeded by their order in the file, so that the first two
 * meet in the final; if their number is no power of two, the first ones have a
 * bye.  Whoever has more points goes on; with equal points the one that is named
 * first. */

#include "tournament/store.h"

/* Adds the pairings of the next round to the plan, if all matches of the rounds
 * in it are stored; '*more' tells whether there is one.  Plans that have no
 * rounds have no next one.  After the final of a knockout event the plan has its
 * winner. */
alea_status alea_rounds_next(alea_tournament_plan *plan, alea_result_store *store, bool *more);

/* The points that an entrant has for byes in the rounds of a Swiss plan. */
double alea_rounds_byes(const alea_tournament_plan *plan, uint32_t entrant);

/* ---- the pairings themselves ---- */

/* What a Swiss pairing is made from, per entrant. */
typedef struct alea_swiss_entrant {
  double points;
  bool had_bye;
  const bool *met; /* by entrant */
} alea_swiss_entrant;

/* Pairs 'count' entrants: opponents[i] is the opponent of i, or
 * ALEA_TOURNAMENT_PLAN_NOBODY for the bye. */
alea_status alea_swiss_pair(const alea_swiss_entrant *entrants, uint32_t count, uint32_t *opponents,
                            alea_mem *mem);

/* The seed (from 0) at 'slot' of a bracket of 'size' slots, a power of two: the
 * seeds of slots 2i and 2i + 1 meet in the first round. */
uint32_t alea_bracket_seed(uint32_t slot, uint32_t size);

#endif
