/* What the moves of a person would change.
 *
 * Names of moves do not always tell which cells they touch: `(run 3 5)` may mean two dice
 * and `(sow 3)` a place.  So each move is made, and the page is told what holds afterwards and
 * did not before.  The true position is needed for that, so nothing is told in games with
 * `sees`, nor where another choice may matter. */
#include <string.h>

#include "game/position.h"
#include "page/table.h"

enum { MOST_MOVES = 48 };

/* The only moves that the others have, into t->joint; '*alone' if there are no others. */
static alea_status fill_joint(alea_page_table *t, uint32_t role, alea_move *joint, bool *alone) {
  *alone = true;
  for (uint32_t r = 0; r < t->game->role_count; r++) {
    alea_list legal;
    if (r == role) continue;
    alea_status status = alea_cursor_legal(t->cursor, r, &legal);
    if (status != ALEA_OK) return status;
    *alone = *alone && legal.count == 1;
    if (legal.count > 0) joint[r] = legal.ids[0];
  }
  return ALEA_OK;
}

/* What is in 'after' alone; both are sorted. */
static void put_new(const alea_listing *before, const alea_listing *after, alea_json *json) {
  size_t b = 0;
  alea_json_open(json, '[');
  for (size_t a = 0; a < after->items.count; a++) {
    const char *text = after->items.data[a];
    while (b < before->items.count && strcmp(before->items.data[b], text) < 0) b++;
    if (b == before->items.count || strcmp(before->items.data[b], text) != 0)
      alea_json_string(json, text);
  }
  alea_json_close(json, ']');
}

static alea_status put_all(alea_page_table *t, uint32_t role, const alea_u32s *moves,
                           alea_move *joint, const alea_listing *before, alea_json *json) {
  alea_u64s words = {0};
  alea_status status = alea_position_keep(&words, t->cursor, &t->mem);
  alea_json_open(json, '[');
  for (size_t i = 0; status == ALEA_OK && i < moves->count; i++) {
    joint[role] = moves->data[i];
    status = alea_cursor_play(t->cursor, joint);
    if (status == ALEA_OK) status = alea_listing_fluents(&t->listing, t->cursor);
    if (status == ALEA_OK) put_new(before, &t->listing, json);
    if (status == ALEA_OK) status = alea_cursor_load(t->cursor, words.data, words.count);
  }
  alea_json_close(json, ']');
  alea_vec_clear(&t->mem, &words);
  return status;
}

static alea_status copy_moves(alea_page_table *t, uint32_t role, alea_u32s *moves) {
  alea_list legal;
  alea_status status = alea_cursor_legal(t->cursor, role, &legal);
  for (uint32_t i = 0; status == ALEA_OK && i < legal.count; i++)
    if (!alea_vec_push(&t->mem, moves, legal.ids[i])) status = ALEA_SYSTEM;
  return status;
}

alea_status alea_page_table_put_effects(alea_page_table *t, uint32_t role, alea_json *json) {
  bool alone = false;
  size_t bytes = t->game->role_count * sizeof(alea_move);
  alea_u32s moves = {0};
  alea_listing before;
  alea_listing_init(&before, &t->mem);
  alea_move *joint = alea_mem_calloc(&t->mem, t->game->role_count, sizeof *joint);
  alea_status status = joint != NULL ? copy_moves(t, role, &moves) : ALEA_SYSTEM;
  if (status == ALEA_OK && !t->game->has_sees && moves.count <= MOST_MOVES)
    status = fill_joint(t, role, joint, &alone);
  alea_json_key(json, "effects");
  if (status == ALEA_OK && alone) {
    status = alea_listing_fluents(&before, t->cursor);
    if (status == ALEA_OK) status = put_all(t, role, &moves, joint, &before, json);
  } else {
    alea_json_null(json);
  }
  alea_listing_clear(&before);
  alea_vec_clear(&t->mem, &moves);
  alea_mem_free(&t->mem, joint, bytes);
  return status;
}
