#ifndef ALEA_PLAY_MAIN_LINE_H
#define ALEA_PLAY_MAIN_LINE_H

/* The main line (principal variation) of a move: the joint moves that a player
 * expects from it on.  The line is walked on a cursor, and the player only says
 * what it expects at each position (alea_player_class.expect), so that a player
 * with a tree, a plan or a table of proved positions answers alike.
 *
 * At positions where chance moves, the line goes on with the outcome that the
 * player knows most of. */

#include "base/vec.h"
#include "play/player.h"

enum { ALEA_LONGEST_LINE = 40 }; /* steps */

typedef struct alea_main_line {
  alea_u32s joints;       /* moves in role order, one step after the other */
  ALEA_VEC(bool) chooses; /* beside each move: whether the role had another */
  size_t steps;
  bool proved; /* the value of the first move is proved, nobody does better for himself than by
                  the others, and so they lead to a game's end with that value; never with chance */
  bool ended;  /* the game is over after the line */
} alea_main_line;

/* Fills 'line' with the line that begins with 'first', a choice of the player's
 * analysis, at the position of 'cursor', which is the present one; the cursor
 * returns there.  The line is empty where the player expects nothing.  A zeroed
 * line may be filled again and again. */
alea_status alea_main_line_follow(alea_main_line *line, alea_player *player, alea_cursor *cursor,
                                  const alea_choice *first, alea_mem *mem);
void alea_main_line_clear(alea_main_line *line, alea_mem *mem);

#endif
