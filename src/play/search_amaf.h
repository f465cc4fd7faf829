#ifndef ALEA_PLAY_SEARCH_AMAF_H
#define ALEA_PLAY_SEARCH_AMAF_H

/* All moves as first in a tree search (GRAVE's tables): the nodes on the way to a leaf learn of
 * the moves that were made below them, in the tree and in the games played from the leaf. */

#include "play/search.h"

/* Whether nodes keep such tables at all: not where moves are made over and over and are picked by
 * their own trials alone. */
static inline bool alea_search_keeps_amaf(const alea_search *search) {
  bool own_trials = search->ranking.repeats && search->options.repeat_pick != NULL;
  return search->options.amaf && !own_trials;
}

/* Whether a node on the line has a table, or is to have one: it was visited often, and there are
 * not several who choose there, who would not ask for it. */
bool alea_search_teaches(const alea_search *search, const alea_line *line);
/* Notes a game that was played from the line's leaf; one that there is no memory for teaches
 * nothing. */
void alea_search_note_game(alea_search *search, alea_line *line, const alea_played *moves,
                           size_t count, const float *rewards);
/* Tells the nodes on the line of the games that were noted, and forgets those. */
void alea_search_spread_games(alea_search *search, alea_line *line);

#endif
