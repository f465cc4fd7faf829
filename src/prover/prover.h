#ifndef ALEA_PROVER_PROVER_H
#define ALEA_PROVER_PROVER_H

/* The prover: a game that interprets its rules.
 *
 * Nothing is grounded beforehand.  Each question (what is legal, what comes
 * next) is answered from the rules and the position, top down, with a table
 * per distinct subgoal, so that recursion ends and nothing is derived twice
 * in one position.  Slow compared with a network, but it needs no memory for
 * what never happens and reads the rules in the plainest way: the oracle of
 * the tests, and the fallback where grounding is too big.
 *
 * The meaning of the rules is their well-founded model, which is the perfect
 * model wherever the ground program is stratified; it need not be stratified
 * by predicate name.  Where the model is not total (an atom that depends on
 * its own negation) a question answers ALEA_INPUT.
 *
 * Fluents, moves and percepts are numbered as they are met, in one numbering
 * for all cursors of the game, guarded by a mutex; everything else a cursor
 * needs is its own.  alea_game_move_find numbers any move whose names all
 * occur in the rules, whether or not it will ever be legal: the prover cannot
 * know.  A goal value that is not a number 0..100 does not count. */

#include "game/game.h"
#include "gdl/program.h"

typedef struct alea_prover_options {
  uint64_t max_inferences; /* steps to answer one question; 0 = 2^40 */
} alea_prover_options;

/* A game that interprets 'program', which now belongs to the game (and is
 * freed on failure as well).  'options' may be NULL.  'mem' serves the game
 * alone; the shared numbering has a ledger of its own with the same limit,
 * because several threads add to it.  ALEA_LIMIT: the rules are nested too
 * deeply, the initial position needs more than 'max_inferences' or a term of
 * more than ALEA_TERM_SIZE_LIMIT names, or the limit of 'mem' was reached; ALEA_INPUT: there is no
 * initial position because the rules contradict themselves.  'diag' says which. */
alea_status alea_prover_game_new(alea_game **game, alea_program *program,
                                 const alea_prover_options *options, alea_mem *mem,
                                 alea_diag *diag);

#endif
