#ifndef ALEA_TOSS_TOSS_H
#define ALEA_TOSS_TOSS_H

/* Structure rewriting games as implementations of the game interface.
 *
 * alea_toss_game_new interprets the rules: slow, and the oracle of the tests.
 * alea_toss_ground compiles a finite discrete game to a ground program, which
 * the networks play.  Both use the same names of moves and fluents: `(mark b2)`
 * applies the label `mark` at the matched elements, `noop` waits, `(x b2)` is a
 * tuple, `(location 1)` the location in the game graph. */

#include "game/game.h"
#include "ground/ground.h"
#include "toss/syntax.h"

typedef struct alea_toss_options {
  uint32_t spare_elements; /* for games that add elements; 0 = 64 */
} alea_toss_options;

/* A game that interprets 'file' and takes ownership of it, even on failure.
 * 'options' may be NULL. */
alea_status alea_toss_game_new(alea_game **game, alea_toss_file *file,
                               const alea_toss_options *options, alea_mem *mem, alea_diag *diag);

/* Compiles a finite discrete game.  ALEA_UNSUPPORTED: it adds or deletes
 * elements, has functions, real or set quantifiers, or labels for many matches;
 * 'diag' gets a warning that says which, and the game must be interpreted.
 * ALEA_LIMIT: too large. */
alea_status alea_toss_ground(alea_ground **ground, const alea_toss_file *file, alea_mem *mem,
                             alea_diag *diag);

/* Whether the game has chance: then it has a role `random`. */
bool alea_toss_has_chance(const alea_toss_file *file);

#endif
