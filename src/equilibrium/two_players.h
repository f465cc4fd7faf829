#ifndef ALEA_EQUILIBRIUM_TWO_PLAYERS_H
#define ALEA_EQUILIBRIUM_TWO_PLAYERS_H

/* A game of two players, and chance, as equilibria need it: a cursor, the legal
 * moves in one order, what each player learns from a step, and goals whose sum
 * is the same at every end.  Both forms of a game (equilibrium/extensive.h,
 * equilibrium/public_graph.h) are built with it. */

#include "base/diag.h"
#include "base/vec.h"
#include "game/game.h"

enum { ALEA_CHANCE_SLOT = 2, ALEA_SLOTS = 3, ALEA_MOST_STEPS = 10000 };

typedef struct alea_two_players {
  const alea_game *game;
  alea_mem *mem;
  alea_diag *diag; /* may be NULL */
  alea_cursor *cursor;
  uint32_t slots;              /* the players, then chance if there is any */
  uint32_t roles[ALEA_SLOTS];  /* by slot */
  alea_u32s legal[ALEA_SLOTS]; /* at the position at work, by slot, ascending */
  alea_u32s items;             /* one step of a view */
  uint32_t steps;              /* joint moves before the position at work; for messages */
  bool has_sum;                /* some end was seen */
  int sum;                     /* of the goals at it */
} alea_two_players;

/* A diagnostic, and the status as the value of the expression. */
#define ALEA_TWO_PLAYERS_REFUSE(two, status, ...) \
  (alea_diag_error((two)->diag, (alea_place){0}, __VA_ARGS__), (status))

/* ALEA_UNSUPPORTED: there are not two players.  The caller clears it with any
 * status. */
alea_status alea_two_players_init(alea_two_players *two, const alea_game *game, alea_mem *mem,
                                  alea_diag *diag);
void alea_two_players_clear(alea_two_players *two);
/* The goals 0..100 of both players at the end where the cursor stands; a goal
 * that is missing counts 0.  ALEA_UNSUPPORTED: another sum than before. */
alea_status alea_two_players_end(alea_two_players *two, int goals[2]);
/* Fills 'legal'.  ALEA_INPUT: some role has no move (game/stuck.h). */
alea_status alea_two_players_moves(alea_two_players *two);
/* How many joint moves there are, as many as 32 bits number at most. */
uint32_t alea_two_players_joint_count(const alea_two_players *two);
/* Plays the joint move of that index from the position that is 'words'; the last
 * slot's move changes fastest.  'picks' are the indices of the moves in 'legal',
 * and 'joint' the moves by role. */
alea_status alea_two_players_play(alea_two_players *two, const uint64_t *words, size_t count,
                                  uint32_t index, uint32_t picks[ALEA_SLOTS],
                                  alea_move joint[ALEA_SLOTS]);
/* Fills 'items' with what the player learns from the step that the cursor has
 * just made: its move and its percepts, ascending, or, in games without `sees`,
 * the moves of all roles.  ALEA_SYSTEM or ALEA_LIMIT: no memory. */
alea_status alea_two_players_look(alea_two_players *two, uint32_t player,
                                  const alea_move joint[ALEA_SLOTS]);

#endif
