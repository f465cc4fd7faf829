#ifndef ALEA_TESTS_LOAD_H
#define ALEA_TESTS_LOAD_H

/* From a rulesheet to a game of any engine. */

#include "base/diag.h"
#include "game/game.h"
#include "gdl/program.h"

/* Makes a game of the engine under test from a program it takes over. */
typedef alea_status make_game(alea_game **game, alea_program *program, alea_mem *mem,
                              alea_diag *diag);

/* Reads a rulesheet and makes its game, which the caller owns.  Errors are
 * printed to stderr when that fails. */
alea_status load_game(const char *path, make_game *make, alea_mem *mem, alea_game **game);
alea_status load_text(const char *text, size_t length, const char *name, make_game *make,
                      alea_mem *mem, alea_game **game);

#endif
