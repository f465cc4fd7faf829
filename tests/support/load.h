#ifndef ALEA_TESTS_LOAD_H
#define ALEA_TESTS_LOAD_H

/* Reads files for tests and benches, and loads rulesheets as games of any engine. */

#include "base/diag.h"
#include "game/game.h"
#include "gdl/program.h"

/* The whole file whose path is formatted as by printf, and a NUL after it; NULL
 * if it cannot be opened.  The caller frees it. */
char *load_file(size_t *length, const char *path, ...) __attribute__((format(printf, 2, 3)));

/* Makes a game of the engine under test and takes ownership of the program. */
typedef alea_status make_game(alea_game **game, alea_program *program, alea_mem *mem,
                              alea_diag *diag);

/* Reads a rulesheet and makes its game, which the caller owns.  On failure
 * errors are printed to stderr. */
alea_status load_game(const char *path, make_game *make, alea_mem *mem, alea_game **game);
alea_status load_text(const char *text, size_t length, const char *name, make_game *make,
                      alea_mem *mem, alea_game **game);

#endif
