#ifndef ALEA_MATCH_TYPED_MOVE_H
#define ALEA_MATCH_TYPED_MOVE_H

/* Moves as people type them.
 *
 * A line means a legal move when it is, in this order,
 *
 *   the move itself          (drop 3)
 *   the same, less fussy     drop 3, Drop,3
 *   its arguments            3, or 2 2 for (mark 2 2)
 *   its last names, joined   e2e4 for (move wp e 2 e 4)
 *   a beginning of each      d 3, d3; with names left out after the first, mo e2
 *   coordinates              b3 for (mark 2 3), as boards count columns by letters
 *   its number in the list   #7, or 7 where nothing above has it; only if asked for
 *
 * The first of these that fits any move decides; where it fits several, the line
 * is ambiguous. */

#include "base/vec.h"
#include "game/game.h"

typedef struct alea_typed_moves {
  alea_mem *mem;
  alea_text text;    /* of one move; scratch */
  alea_text typed;   /* the line, in small pieces; scratch */
  alea_u32s fitting; /* the moves that the line may mean */
  alea_u32s sorted;  /* the legal moves, as people look for them */
} alea_typed_moves;

void alea_typed_moves_init(alea_typed_moves *typed, alea_mem *mem);
void alea_typed_moves_clear(alea_typed_moves *typed);
/* The legal moves at the cursor's position in the order of their words, numbers by
 * their values: what lists show and numbers count.  'legal' is valid until the next
 * call. */
alea_status alea_typed_moves_legal(alea_typed_moves *typed, alea_cursor *cursor, uint32_t role,
                                   alea_list *legal);
/* Fills 'fitting' with the moves of 'legal' that the line may mean: one where it
 * is clear, none where it means none.  With 'numbers' it may be a number in the
 * list.  ALEA_SYSTEM: no memory. */
alea_status alea_typed_moves_read(alea_typed_moves *typed, const alea_game *game, uint32_t role,
                                  alea_list legal, bool numbers, const char *line);

#endif
