/* The line that a player expects. */
#include "play/main_line.h"

#include "game/position.h"

typedef struct line_walk {
  alea_main_line *line;
  alea_player *player;
  alea_cursor *cursor;
  alea_mem *mem;
  alea_move *joint; /* of the step at work; ALEA_NO_MOVE where the player is to be asked */
} line_walk;

/* Enters the only moves there are; '*open': somebody else has a choice, '*stuck':
 * somebody has no move. */
static alea_status fill_forced(line_walk *w, bool *open, bool *stuck) {
  const alea_game *game = w->cursor->game;
  for (uint32_t r = 0; r < game->role_count; r++) {
    alea_list legal;
    alea_status status = alea_cursor_legal(w->cursor, r, &legal);
    if (status != ALEA_OK) return status;
    if (legal.count == 0) *stuck = true;
    if (!alea_vec_push(w->mem, &w->line->chooses, legal.count > 1)) return ALEA_SYSTEM;
    if (legal.count == 1) w->joint[r] = legal.ids[0];
    if (w->joint[r] == ALEA_NO_MOVE) *open = true;
  }
  return ALEA_OK;
}

/* Whether all moves of the step are legal: what the player says comes from
 * another cursor. */
static alea_status confirm(line_walk *w, bool *legal) {
  const alea_game *game = w->cursor->game;
  *legal = true;
  for (uint32_t r = 0; r < game->role_count && *legal; r++) {
    alea_status status = alea_cursor_admits(w->cursor, r, w->joint[r], legal);
    if (status != ALEA_OK) return status;
  }
  return ALEA_OK;
}

/* One step; '*on' is false where the line is at its end. */
static alea_status step(line_walk *w, bool *on) {
  alea_main_line *line = w->line;
  uint32_t roles = w->cursor->game->role_count;
  bool open = false, stuck = false, proved = true, legal = false;
  *on = false;
  alea_status status = alea_cursor_terminal(w->cursor, &line->ended);
  if (status != ALEA_OK || line->ended || line->steps == ALEA_LONGEST_LINE) return status;
  status = fill_forced(w, &open, &stuck);
  bool known = status == ALEA_OK && !stuck;
  if (known && open)
    known = w->player->class->expect(w->player, w->cursor, &line->joints, w->joint, &proved);
  if (known) status = confirm(w, &legal);
  if (status != ALEA_OK || !legal) {
    line->chooses.count = line->steps * roles;
    return status;
  }
  int chance = w->cursor->game->random_role;
  bool drawn = chance >= 0 && line->chooses.data[line->steps * roles + (uint32_t)chance];
  line->proved = line->proved && proved && !drawn;
  for (uint32_t r = 0; r < roles; r++) {
    if (!alea_vec_push(w->mem, &line->joints, w->joint[r])) return ALEA_SYSTEM;
  }
  line->steps++;
  *on = true;
  return alea_cursor_play(w->cursor, w->joint);
}

alea_status alea_main_line_follow(alea_main_line *line, alea_player *player, alea_cursor *cursor,
                                  const alea_choice *first, alea_mem *mem) {
  uint32_t roles = cursor->game->role_count;
  line->joints.count = line->chooses.count = line->steps = 0;
  line->proved = first->proof != ALEA_PROOF_NONE;
  line->ended = false;
  if (player->class->expect == NULL) return ALEA_OK;
  alea_u64s words = {0};
  alea_move *joint = alea_mem_calloc(mem, roles, sizeof *joint);
  alea_status status = joint != NULL ? alea_position_keep(&words, cursor, mem) : ALEA_SYSTEM;
  line_walk walk = {line, player, cursor, mem, joint};
  for (bool on = status == ALEA_OK; on && status == ALEA_OK;) {
    for (uint32_t r = 0; r < roles; r++) joint[r] = ALEA_NO_MOVE;
    if (line->steps == 0) joint[player->setup.role] = first->move;
    status = step(&walk, &on);
  }
  if (line->steps == 0 || !line->ended) line->proved = false;
  alea_status back = words.count > 0 ? alea_cursor_load(cursor, words.data, words.count) : ALEA_OK;
  alea_vec_clear(mem, &words);
  alea_mem_free(mem, joint, roles * sizeof *joint);
  return status != ALEA_OK ? status : back;
}

void alea_main_line_clear(alea_main_line *line, alea_mem *mem) {
  alea_vec_clear(mem, &line->joints);
  alea_vec_clear(mem, &line->chooses);
}
