#ifndef ALEA_TOSS_ARENA_H
#define ALEA_TOSS_ARENA_H

/* Arenas: where the searches of rewriting games play.
 *
 * An arena has positions, joint actions, and the verdict of an evaluation on
 * each.  A finite discrete game is played as a network whose moves are judged
 * (evaluation.h): the list of legal moves then includes the verdict of the
 * evaluation on every move.  All other games are played by the interpreter,
 * which tries each move; the tests compare the two.  An arena belongs to one
 * thread. */

#include "toss/evaluation.h"

enum { ALEA_TOSS_MOST_JOINTS = 16384 };

/* Makes a game from a ground program, as the propositional networks do. */
typedef alea_status alea_toss_builder(alea_game **game, const alea_ground *ground, alea_mem *mem);

/* The meaning of the moves of one role in the arena. */
typedef struct alea_toss_meaning {
  uint32_t *verdicts; /* per move of the network */
  alea_move *moves;   /* and the move of the interpreter; ALEA_NO_MOVE = not known yet */
  uint32_t count;
} alea_toss_meaning;

typedef struct alea_toss_arena {
  alea_mem *mem;
  const alea_toss_game *source;           /* the interpreter; borrowed */
  const alea_toss_evaluation *evaluation; /* borrowed; may be NULL */
  alea_game *network;                     /* NULL: the interpreter plays */
  alea_cursor *cursor;
  uint32_t players, roles;
  alea_toss_meaning meanings[ALEA_TOSS_MOST_PLAYERS + 1];
  alea_toss_stage stage; /* of the interpreter, with an evaluation */
  alea_toss_structure *before;
  alea_u64s here; /* scratch */
} alea_toss_arena;

/* The joint actions of a position.  Joint action a_0 + counts[0] * (a_1 +
 * counts[1] * ...); chance, where there is any, comes last. */
typedef struct alea_toss_joints {
  uint32_t counts[ALEA_TOSS_MOST_PLAYERS + 1];
  uint32_t total, chance;
  uint32_t mover; /* the only player with a choice, or the first; NONE if several have one */
} alea_toss_joints;

/* Opens an arena at the initial position.  'source' is a game of the
 * interpreter; without 'build' the interpreter plays.  ALEA_USAGE: 'source' is
 * no such game.  Must be closed in any case. */
alea_status alea_toss_arena_open(alea_toss_arena *arena, const alea_game *source,
                                 const alea_toss_evaluation *evaluation, alea_toss_builder *build,
                                 alea_mem *mem);
void alea_toss_arena_close(alea_toss_arena *arena);

/* ALEA_LIMIT: more than ALEA_TOSS_MOST_JOINTS. */
alea_status alea_toss_arena_joints(alea_toss_arena *arena, alea_toss_joints *joints);
/* The moves of a joint action at the position; and playing a joint action. */
alea_status alea_toss_arena_moves(alea_toss_arena *arena, const alea_toss_joints *joints,
                                  uint32_t code, alea_move *moves);
alea_status alea_toss_arena_play(alea_toss_arena *arena, const alea_toss_joints *joints,
                                 uint32_t code);
/* Judges every joint action: verdicts[code], and the payoffs that the verdict
 * foretells (alea_toss_verdict_assess) in values[code * players + p], with the
 * means of their squares.  The position does not change. */
alea_status alea_toss_arena_judge(alea_toss_arena *arena, const alea_toss_joints *joints,
                                  uint32_t plays, alea_rng *rng, uint32_t *verdicts, double *values,
                                  double *squares);
/* Evaluates one joint move of the interpreter, played with 'numbers' of the
 * players, which may be NULL: its verdict, and what that foretells without noise.
 * The arena is then at the position after the move.  Not for networks. */
alea_status alea_toss_arena_try(alea_toss_arena *arena, const alea_move *joint,
                                const alea_toss_numbers *numbers, uint32_t *verdict,
                                double *payoffs);
/* Payoffs at the position, 0 to 1. */
alea_status alea_toss_arena_payoffs(alea_toss_arena *arena, double *payoffs);

/* The number of the interpreter for a move of the arena. */
alea_move alea_toss_arena_export(alea_toss_arena *arena, uint32_t role, alea_move move);
/* Plays a joint move given in the numbers of the interpreter. */
alea_status alea_toss_arena_follow(alea_toss_arena *arena, const alea_move *joint);

#endif
