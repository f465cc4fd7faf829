#ifndef ALEA_PROVER_GAME_H
#define ALEA_PROVER_GAME_H

/* What the game and the cursors of the prover know of each other. */

#include "game/game.h"
#include "prover/ids.h"
#include "prover/rules.h"

/* Spaces of the shared numbering; the moves of role r are in MOVES + r. */
enum { ALEA_SPACE_FLUENTS, ALEA_SPACE_PERCEPTS, ALEA_SPACE_MOVES };

typedef struct alea_prover {
  alea_game game; /* first: an alea_prover is an alea_game */
  alea_mem *mem;
  alea_program *program; /* owned */
  alea_rules *rules;     /* owned */
  alea_ids *ids;         /* owned; the one thing that changes, under its mutex */
  uint64_t max_inferences;
  const char **role_text, **role_spelling;
  alea_u64s initial; /* the initial position, as words */
  alea_pred pred_init, pred_legal, pred_next, pred_terminal, pred_goal, pred_sees;
} alea_prover;

/* A cursor that is not yet at a position; see alea_cursor_new. */
alea_status alea_prover_cursor_new(const alea_prover *prover, alea_mem *mem, alea_cursor **cursor);
/* Goes to the position that `init` describes and appends its words. */
alea_status alea_prover_cursor_init(alea_cursor *cursor, alea_mem *mem, alea_u64s *words);

#endif
