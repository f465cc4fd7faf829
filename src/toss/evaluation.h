#ifndef ALEA_TOSS_EVALUATION_H
#define ALEA_TOSS_EVALUATION_H

/* Evaluation games ([TOSS10 §5, §6]): what a move is worth is what a small game
 * on the structure of the move is worth, which has relations R after and R_old
 * before it (doubled.h).  An evaluation is text, read line by line; `//` starts
 * a comment.  Statements for one location of the game are tried in order:
 *
 *   EVAL 0 ex x (B_old(x) and W(x)) => (1, 0) 0.75; (0, 1) 0.25
 *
 * where 0 is the location the move was made from: if the formula holds after the
 * move, a vertex of chance follows whose edges carry payoffs, goals / 100.  A list
 * of such cases is a game without choices, and is learnt.  Payoffs may also be
 * terms, one for each player:
 *
 *   EVAL 0 true => value 1 / (1 + :far(e)); 0
 *
 * Any rewriting game over the doubled signature can take the place of a case:
 *
 *   GAME 0
 *   RULE Beat: [x | B(x); W_old(x) | ] -> [x | | ]
 *   LOC 0 { PLAYER white { PAYOFF 0.5 MOVES [Beat -> 1] } ... }
 *   END
 *
 * It has the players and, unless it gives another, the RANGE of the game, and
 * begins at its first location.  In it players minimise regret over the values of
 * their moves, so that its value is that of an equilibrium; after `GAME 0 uniform`
 * they choose uniformly.  `SELF 0` is the game itself, played on from where the
 * move led, with uniform choices. */

#include "base/rng.h"
#include "toss/doubled.h"

enum { ALEA_TOSS_MOST_OUTCOMES = 16 };

typedef struct alea_toss_outcome {
  double payoffs[ALEA_TOSS_MOST_PLAYERS];
  double probability;
} alea_toss_outcome;

typedef enum alea_toss_verdict_kind {
  ALEA_TOSS_OUTCOMES, /* a vertex of chance */
  ALEA_TOSS_TERMS,
  ALEA_TOSS_GAME,
  ALEA_TOSS_SELF,
} alea_toss_verdict_kind;

typedef struct alea_toss_verdict {
  alea_toss_verdict_kind kind;
  uint32_t location; /* index of the location before the move */
  uint32_t node;     /* the formula as a node of the file; NONE: always */
  uint32_t code;     /* the compiled formula */
  uint32_t terms[ALEA_TOSS_MOST_PLAYERS];
  uint32_t outcome_count;
  alea_toss_outcome outcomes[ALEA_TOSS_MOST_OUTCOMES];
  uint32_t game; /* index of the games */
} alea_toss_verdict;

typedef struct alea_toss_evaluation_game {
  alea_game *game;
  alea_toss_doubled doubled;
  bool uniform;
} alea_toss_evaluation_game;

/* Immutable once made; the structure of a move is in a stage, one per thread. */
typedef struct alea_toss_evaluation {
  alea_mem *mem;
  const alea_toss_game *game; /* borrowed */
  alea_toss_file *file;       /* the doubled signature, and the formulas */
  alea_toss_rules *rules;
  alea_toss_doubled doubled;
  ALEA_VEC(alea_toss_verdict) verdicts;
  ALEA_VEC(alea_toss_evaluation_game) games;
} alea_toss_evaluation;

typedef struct alea_toss_stage {
  alea_toss_structure *structure;
  alea_toss_env env;
  alea_mem *mem;
  alea_toss_transition move; /* the arrays are borrowed from the caller of stage_set */
  uint32_t location;         /* after it */
  alea_cursor **cursors;     /* one per game */
  size_t cursor_count;
  alea_cursor *self; /* of the game itself */
} alea_toss_stage;

/* Reads an evaluation for a game of the interpreter ('text' may be NULL: the
 * signature alone).  ALEA_USAGE: not such a game; ALEA_INPUT: 'diag' says where
 * and why. */
alea_status alea_toss_evaluation_new(alea_toss_evaluation **evaluation, const alea_game *game,
                                     const char *text, alea_mem *mem, alea_diag *diag);
void alea_toss_evaluation_free(alea_toss_evaluation *evaluation); /* NULL is a no-op. */
/* Reads the statements (evaluation_read.c); formulas are not compiled yet. */
alea_status alea_toss_evaluation_read(alea_toss_evaluation *evaluation, const char *text,
                                      alea_diag *diag);

alea_status alea_toss_stage_init(alea_toss_stage *stage, const alea_toss_evaluation *evaluation,
                                 alea_mem *mem);
void alea_toss_stage_clear(alea_toss_stage *stage);
/* Prepares the stage for a move that led to 'location'.  What 'move' points to
 * must stay as it is until the move has been judged. */
alea_status alea_toss_stage_set(alea_toss_stage *stage, const alea_toss_evaluation *evaluation,
                                const alea_toss_transition *move, uint32_t location);
/* The verdict on the move, as an index of the verdicts; their count means
 * none. */
uint32_t alea_toss_evaluation_verdict(const alea_toss_evaluation *evaluation,
                                      alea_toss_stage *stage, uint32_t location);

/* What a verdict foretells of the move on the stage: the mean payoffs, 0 to 1, of
 * 'plays' plays of its game, or their value if 'plays' is 0; and the mean of
 * their squares.  No verdict foretells 1/2.  'stage' may be NULL for outcomes.
 * ALEA_LIMIT: the game is too large for its value to be found. */
alea_status alea_toss_verdict_assess(const alea_toss_evaluation *evaluation, alea_toss_stage *stage,
                                     uint32_t verdict, uint32_t plays, alea_rng *rng,
                                     double *payoffs, double *squares);
/* The same where like moves must be compared without noise: the value, or for
 * games with uniform choices a few plays that are the same for every move. */
alea_status alea_toss_verdict_steady(const alea_toss_evaluation *evaluation, alea_toss_stage *stage,
                                     uint32_t verdict, double *payoffs);
/* Whether all verdicts are outcomes. */
bool alea_toss_evaluation_is_list(const alea_toss_evaluation *evaluation);

/* Compiles a finite discrete game as alea_toss_ground does, with judged moves:
 * the move `(judged 2 (mark b2))` is legal if `(mark b2)` is and verdict 2
 * holds after it; the number of verdicts means none.  'evaluation' may be NULL:
 * the plain game.  Goals are those of a search, without rounding:
 * ALEA_UNSUPPORTED also if a payoff is no whole percentage of the range, if
 * several players move at once, or if a verdict is no list of outcomes. */
alea_status alea_toss_ground_judged(alea_ground **ground, const alea_toss_file *file,
                                    const alea_toss_evaluation *evaluation, alea_mem *mem,
                                    alea_diag *diag);

#endif
