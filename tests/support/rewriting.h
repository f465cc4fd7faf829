#ifndef ALEA_TESTS_REWRITING_H
#define ALEA_TESTS_REWRITING_H

/* Opens rewriting games for the interpreter; the caller frees them. */

#include "game/game.h"

alea_game *open_rewriting_text(const char *text, alea_mem *mem);
/* One that ships. */
alea_game *open_rewriting_game(const char *name, alea_mem *mem);

#endif
