/* Positions where the game cannot go on. */
#include "game/stuck.h"

alea_status alea_stuck_look(alea_stuck *stuck, alea_cursor *cursor, uint32_t moves) {
  bool terminal;
  if (stuck->found) return ALEA_OK;
  alea_status status = alea_cursor_terminal(cursor, &terminal);
  if (status != ALEA_OK || terminal) return status;
  for (uint32_t r = 0; r < cursor->game->role_count; r++) {
    alea_list legal;
    if ((status = alea_cursor_legal(cursor, r, &legal)) != ALEA_OK) return status;
    if (legal.count > 0) continue;
    *stuck = (alea_stuck){true, r, moves + 1};
    break;
  }
  return ALEA_OK;
}

alea_status alea_stuck_report(const alea_stuck *stuck, const alea_game *game, const char *file,
                              alea_diag *diag) {
  if (!stuck->found) return ALEA_OK;
  alea_diag_error(diag, ((alea_place){file, 0, 0}), "no-legal-move",
                  "%s has no legal move at step %u, but the game is not over",
                  game->role_spelling[stuck->role], stuck->step);
  return ALEA_INPUT;
}

alea_status alea_stuck_refuse(alea_cursor *cursor, uint32_t moves, const char *file,
                              alea_diag *diag) {
  alea_stuck stuck = {0};
  alea_status status = alea_stuck_look(&stuck, cursor, moves);
  return status == ALEA_OK ? alea_stuck_report(&stuck, cursor->game, file, diag) : status;
}
