#ifndef ALEA_TOSS_CURSOR_H
#define ALEA_TOSS_CURSOR_H

/* Internals of cursors of the interpreter: a structure, a location, and the
 * legal moves. */

#include "toss/game.h"

typedef struct alea_toss_cursor {
  alea_cursor cursor;
  const alea_toss_game *game;
  alea_mem *mem;
  alea_toss_structure *structure, *scratch;
  alea_toss_env env;
  uint32_t location;
  bool listed;        /* 'legal' of the players belongs to this position */
  bool chance_listed; /* and that of chance, whose moves may be many */
  uint32_t *origins;  /* as alea_toss_cursor_origins says */
  alea_u32s legal[ALEA_TOSS_MOST_PLAYERS + 1];
  alea_u32s fluents;
  alea_toss_matches matches;
  ALEA_VEC(uint64_t) words;
  const alea_toss_numbers *numbers; /* of the players, instead of those of moves; or NULL */
} alea_toss_cursor;

static inline alea_toss_cursor *alea_toss_cursor_of(alea_cursor *cursor) {
  return (alea_toss_cursor *)(void *)cursor;
}

/* Members of the cursor's class: the position as words, and as fluents. */
const uint64_t *alea_toss_cursor_state(alea_cursor *cursor, size_t *count);
alea_status alea_toss_cursor_load(alea_cursor *cursor, const uint64_t *words, size_t count);
uint64_t alea_toss_cursor_hash(alea_cursor *cursor);
alea_status alea_toss_cursor_fluents(alea_cursor *cursor, alea_list *out);

#endif
