#ifndef ALEA_TOSS_EVALUATION_H
#define ALEA_TOSS_EVALUATION_H

/* Evaluation games of the kind that are learnt ([TOSS10 §5, §6]): for each
 * location a list of formulas over the doubled signature {R, R_old}.  The
 * first that holds after a move leads to a vertex of chance whose edges carry
 * payoffs; they say how plays are believed to end.
 *
 * An evaluation is written as text, one line per formula in order:
 *
 *   EVAL 0 ex x (B_old(x) and W(x)) => (1, 0) 0.75; (0, 1) 0.25
 *
 * where 0 is the location the move was made from and payoffs are goals / 100.
 * Payoffs may also be terms, one for each player, with functions f and f_old:
 *
 *   EVAL 0 true => value 1 / (1 + :far(e)); 0 */

#include "base/rng.h"
#include "toss/game.h"

enum { ALEA_TOSS_MOST_OUTCOMES = 16 };

typedef struct alea_toss_outcome {
  double payoffs[ALEA_TOSS_MOST_PLAYERS];
  double probability;
} alea_toss_outcome;

typedef struct alea_toss_verdict {
  uint32_t location; /* index of the location before the move */
  uint32_t node;     /* the formula as a node of the file */
  uint32_t code;     /* the compiled formula */
  bool has_terms;    /* payoffs are terms, not outcomes */
  uint32_t terms[ALEA_TOSS_MOST_PLAYERS];
  uint32_t outcome_count;
  alea_toss_outcome outcomes[ALEA_TOSS_MOST_OUTCOMES];
} alea_toss_verdict;

/* Immutable once made; the doubled structure of a move is in a stage, one per
 * thread. */
typedef struct alea_toss_evaluation {
  alea_mem *mem;
  const alea_toss_game *game; /* borrowed */
  alea_toss_file *file;       /* the doubled signature, and the formulas */
  alea_toss_rules *rules;
  uint32_t *now, *old; /* per relation of the game: relation of the file, or NONE */
  uint32_t *function_now, *function_old; /* per function of the game */
  ALEA_VEC(alea_toss_verdict) verdicts;
} alea_toss_evaluation;

typedef struct alea_toss_stage {
  alea_toss_structure *structure;
  alea_toss_env env;
  alea_mem *mem;
} alea_toss_stage;

/* Reads an evaluation for a game of the interpreter ('text' may be NULL: the
 * signature alone).  ALEA_USAGE: not such a game; ALEA_INPUT: 'diag' says why. */
alea_status alea_toss_evaluation_new(alea_toss_evaluation **evaluation, const alea_game *game,
                                     const char *text, alea_mem *mem, alea_diag *diag);
void alea_toss_evaluation_free(alea_toss_evaluation *evaluation); /* NULL is a no-op. */

alea_status alea_toss_stage_init(alea_toss_stage *stage, const alea_toss_evaluation *evaluation,
                                 alea_mem *mem);
void alea_toss_stage_clear(alea_toss_stage *stage);
/* Prepares the stage for the move from the position 'before' to 'after'. */
alea_status alea_toss_stage_set(alea_toss_stage *stage, const alea_toss_evaluation *evaluation,
                                const alea_toss_structure *before,
                                const alea_toss_structure *after);
/* The verdict on the move, as an index of the verdicts; their count means
 * none. */
uint32_t alea_toss_evaluation_verdict(const alea_toss_evaluation *evaluation,
                                      alea_toss_stage *stage, uint32_t location);
/* One play from the vertex of a verdict, with payoffs drawn at random; and its
 * mean.  Not for verdicts with terms. */
void alea_toss_verdict_play(const alea_toss_evaluation *evaluation, uint32_t verdict, alea_rng *rng,
                            double *payoffs);
void alea_toss_verdict_mean(const alea_toss_evaluation *evaluation, uint32_t verdict,
                            double *payoffs);
/* The values of the terms of a verdict on the stage, clamped to 0 to 1. */
void alea_toss_verdict_value(const alea_toss_evaluation *evaluation, alea_toss_stage *stage,
                             uint32_t verdict, double *payoffs);

/* Compiles a finite discrete game as alea_toss_ground does, with judged moves:
 * the move `(judged 2 (mark b2))` is legal if `(mark b2)` is and verdict 2
 * holds after it; the number of verdicts means none.  'evaluation' may be NULL:
 * the plain game.  ALEA_UNSUPPORTED also if several players move at once or
 * payoffs are terms. */
alea_status alea_toss_ground_judged(alea_ground **ground, const alea_toss_file *file,
                                    const alea_toss_evaluation *evaluation, alea_mem *mem,
                                    alea_diag *diag);

/* The structure and the location of a cursor of the interpreter. */
const alea_toss_structure *alea_toss_cursor_structure(alea_cursor *cursor, uint32_t *location);

#endif
