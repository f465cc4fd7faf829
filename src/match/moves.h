#ifndef ALEA_MATCH_MOVES_H
#define ALEA_MATCH_MOVES_H

/* Joint moves as text.
 *
 * One joint move per line: the moves in role order as GDL text separated by
 * spaces, e.g. `(mark 1 1) noop`.  Empty lines and comments (`;`) are skipped.
 * A line `---` returns to the initial position, so that one file can hold
 * several plays. */

#include "base/diag.h"
#include "game/game.h"

typedef struct alea_moves {
  const char *at;   /* borrowed text, NUL-terminated */
  const char *file; /* for diagnostics */
  uint32_t line;
} alea_moves;

void alea_moves_init(alea_moves *moves, const char *text, const char *file);

typedef enum alea_moves_next {
  ALEA_MOVES_END,
  ALEA_MOVES_JOINT, /* played */
  ALEA_MOVES_RESET, /* the cursor is at the initial position again */
} alea_moves_next;

/* Reads the next line and plays it on 'cursor'.  ALEA_INPUT: the line is not
 * a legal joint move here (the position is terminal, the number of moves is
 * wrong, a move is not legal for its role); 'diag' names line and role. */
alea_status alea_moves_play(alea_moves *moves, alea_cursor *cursor, alea_moves_next *next,
                            alea_mem *mem, alea_diag *diag);
/* The same; a joint move that was played is stored in 'joint', one move per
 * role. */
alea_status alea_moves_play_joint(alea_moves *moves, alea_cursor *cursor, alea_moves_next *next,
                                  alea_move *joint, alea_mem *mem, alea_diag *diag);

#endif
