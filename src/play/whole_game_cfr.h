#ifndef ALEA_PLAY_WHOLE_GAME_CFR_H
#define ALEA_PLAY_WHOLE_GAME_CFR_H

/* CFR+ over the whole of a game with hidden information, for a player.
 *
 * The game is solved from its start, whatever the player has seen since, and the
 * average strategy is read at the player's information set.  To solve from the
 * present information set on would be quicker and is not safe: what the others
 * do from here on would be fitted to a belief that takes their moves so far for
 * chance, and the solution is exploitable however long one iterates.
 *
 * The player's place in the game is followed by what it does and sees. */

#include "equilibrium/cfr_plus.h"
#include "play/player.h"

typedef struct alea_whole_game_cfr {
  alea_mem mem; /* of all that is below */
  uint32_t role;
  uint32_t player; /* 0 or 1 */
  bool tried;      /* to open the game */
  bool open;       /* the game is small enough, and its graph and CFR+ are there */
  bool settled;    /* the average strategy stands */
  alea_public_graph graph;
  alea_cfr_plus cfr;
  /* Where the player is; the steps since the last node of the graph, through
   * states that are passed over, are a view of their own. */
  uint32_t state, hand;
  uint64_t place;
  uint32_t steps;
  alea_u32s items; /* scratch */
} alea_whole_game_cfr;

/* It keeps to 'memory' bytes of its own, and is given up with 'mem'. */
void alea_whole_game_cfr_init(alea_whole_game_cfr *whole, uint32_t role, size_t memory,
                              const alea_mem *mem);
void alea_whole_game_cfr_clear(alea_whole_game_cfr *whole); /* a zeroed one too */
/* Opens the game, at its start; 'open' says whether it could be: there are two
 * players, the sum of their goals is constant, and its positions and the nodes of
 * its tree are 'most' or fewer. */
void alea_whole_game_cfr_open(alea_whole_game_cfr *whole, const alea_game *game, uint64_t most,
                              alea_deadline deadline);
/* The player did and saw this.  Without memory, or where the rules do not allow
 * it, the game is no longer open. */
void alea_whole_game_cfr_observe(alea_whole_game_cfr *whole, const alea_observation *observation);
/* To be called when a move is chosen: the average strategy stands from now on if it
 * is near an equilibrium (exploitability 0.001, a tenth of a goal).  There are games
 * with many equilibria, through which averages drift for ever; moves of one match
 * should be of one of them. */
void alea_whole_game_cfr_settle(alea_whole_game_cfr *whole);
/* How many moves the player has here, 0 where that is not known. */
uint32_t alea_whole_game_cfr_moves(const alea_whole_game_cfr *whole);
/* One of them, and its probability in the average strategy. */
alea_move alea_whole_game_cfr_move(const alea_whole_game_cfr *whole, uint32_t index,
                                   double *probability);

#endif
