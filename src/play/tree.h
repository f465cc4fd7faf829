#ifndef ALEA_PLAY_TREE_H
#define ALEA_PLAY_TREE_H

/* What the tree-searching players (uct, grave, alea) share: a belief, the
 * search that fits the game, and the clock.  Such a player is an option table
 * and an init that turns it into alea_search_options. */

#include "play/belief_search.h"
#include "play/infoset.h"
#include "play/root_parallel.h"
#include "play/search.h"

typedef struct alea_tree {
  alea_player player; /* first: it is an alea_player */
  alea_belief belief;
  alea_search search;           /* where everybody sees the position */
  alea_root_parallel *parallel; /* that searches with it; NULL: nobody */
  alea_infosets sets;           /* where the game has `sees`, */
  alea_belief_search beliefs;   /* and, where one role plays, this: as the options say */
  bool over_beliefs;            /* the latter was made for the last move */
  alea_pace pace;
  alea_particle ahead; /* the position that is pondered */
} alea_tree;

alea_status alea_tree_init(alea_player *player, const alea_search_options *options,
                           uint32_t particles);
void alea_tree_clear(alea_player *player);
alea_status alea_tree_start(alea_player *player, const alea_budget *budget);
alea_status alea_tree_select(alea_player *player, const alea_budget *budget, alea_move *move);
alea_status alea_tree_observe(alea_player *player, const alea_observation *observation);
void alea_tree_analyse(alea_player *player, alea_analysis *analysis);
/* Nothing is expected where the game has `sees`: what the others know is hidden. */
bool alea_tree_expect(alea_player *player, alea_cursor *cursor, const alea_u32s *before,
                      alea_move *joint, bool *proved);
/* Finds the position that is worth pondering, which becomes 'tree->ahead': where everybody's move
 * is known, with the role's own, what comes next; else the present one, most of whose tree will be
 * of use.  Not '*found' where the game is over, or hides anything. */
alea_status alea_tree_look_ahead(alea_tree *tree, alea_move own, bool *found);
/* Does nothing where the game has `sees`. */
alea_status alea_tree_ponder(alea_player *player, alea_move own, const atomic_bool *stop);

/* All members of such a player's class but name and summary, in a file with
 * `values`, `rows` and `init`. */
#define ALEA_TREE_PLAYER_MEMBERS                                                               \
  .options = rows, .option_count = sizeof rows / sizeof *rows, .values_size = sizeof(values),  \
  .size = sizeof(alea_tree), .init = init, .clear = alea_tree_clear, .start = alea_tree_start, \
  .select = alea_tree_select, .observe = alea_tree_observe, .analyse = alea_tree_analyse,      \
  .expect = alea_tree_expect, .ponder = alea_tree_ponder

#endif
