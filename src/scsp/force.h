#ifndef ALEA_SCSP_FORCE_H
#define ALEA_SCSP_FORCE_H

/* What one role can force within d plies, whatever all others (chance among
 * them) do:
 *
 *   win       the game ends within d plies with goal 100 for the role
 *   prevent   the game does not end within d plies with goal 100 for another
 *             role
 *
 * A ply is a joint move.  Where several roles choose at once, the role has to
 * find one move that does against all replies, not knowing them: "refuted"
 * says that no single move does, not that a mixture is worthless.
 *
 * First the relaxation: the stages are unrolled (scsp/unroll.h) and the
 * question is whether the end in question is possible at all, with everybody's
 * help.  If not, that is the answer; and so with each first move.  Then and/or
 * search over positions, pruned by the same question at every position with
 * two plies or more to go: the moves made so far are assumptions, and what the
 * solver learns from one branch serves the others. */

#include "game/game.h"
#include "scsp/ruling.h"

typedef enum alea_force_kind { ALEA_FORCE_WIN, ALEA_FORCE_PREVENT } alea_force_kind;

typedef struct alea_force_result {
  alea_ruling answer;
  alea_move move;      /* proved: one that does; else ALEA_NO_MOVE */
  uint32_t moves;      /* legal moves of the role */
  uint32_t candidates; /* of them, those that the relaxation left */
  bool relaxed;        /* the relaxation alone gave the answer */
  uint64_t nodes;      /* positions met */
  uint64_t questions;  /* to the solver */
  uint64_t pruned;     /* positions that a question decided */
} alea_force_result;

typedef struct alea_force_options {
  alea_effort effort; /* conflicts are a limit for each question, 0 = 2,000 */
  bool plain;         /* without the relaxation */
} alea_force_options;

/* At the position 'words' (NULL = the initial one), which must not be an end.
 * 'depth' is at least 1.  Without a network there is no relaxation, but the
 * answer is as right. */
alea_status alea_force_run(alea_force_result *result, const alea_game *game, const uint64_t *words,
                           size_t word_count, uint32_t role, alea_force_kind kind, uint32_t depth,
                           const alea_force_options *options, alea_mem *mem);

#endif
