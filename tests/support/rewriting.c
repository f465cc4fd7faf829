/* Opening rewriting games. */
#include "support/rewriting.h"

#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "support/load.h"
#include "toss/game.h"
#include "toss/toss.h"

alea_game *open_rewriting_text(const char *text, alea_mem *mem) {
  alea_toss_file *file;
  alea_game *game;
  assert_int_equal(alea_toss_read(&file, text, strlen(text), "x", mem, NULL), ALEA_OK);
  assert_int_equal(alea_toss_game_new(&game, file, NULL, mem, NULL), ALEA_OK);
  return game;
}

alea_game *open_rewriting_game(const char *name, alea_mem *mem) {
  size_t length;
  char *text = load_file(&length, "%s/games/%s.toss", ALEA_SOURCE_DIR, name);
  assert_non_null(text);
  alea_game *game = open_rewriting_text(text, mem);
  free(text);
  return game;
}
