/* Reading and playing joint moves. */
#include "match/moves.h"

#include <string.h>

void alea_moves_init(alea_moves *moves, const char *text, const char *file) {
  *moves = (alea_moves){.at = text, .file = file};
}

/* Takes the next line that is not empty and stores its length, without comment
 * and trailing space, in '*length'.  NULL at the end. */
static const char *take_line(alea_moves *moves, size_t *length) {
  while (*moves->at != '\0') {
    const char *line = moves->at;
    size_t whole = strcspn(line, "\n");
    moves->at = line + whole + (line[whole] == '\n');
    moves->line++;
    size_t kept = strcspn(line, ";\n");
    while (kept > 0 && strchr(" \t\r", line[kept - 1]) != NULL) kept--;
    size_t blank = strspn(line, " \t\r");
    if (kept <= blank) continue;
    *length = kept;
    return line;
  }
  return NULL;
}

/* Length of the GDL term at 'text', at most 'length'; 0 when the parentheses
 * do not balance. */
static size_t term_length(const char *text, size_t length) {
  if (text[0] == ')') return 0;
  if (text[0] != '(') {
    size_t i = 0;
    while (i < length && strchr(" \t\r()", text[i]) == NULL) i++;
    return i;
  }
  size_t depth = 0;
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '(') depth++;
    if (text[i] == ')' && --depth == 0) return i + 1;
  }
  return 0;
}

static alea_status find_move(alea_cursor *cursor, uint32_t role, const char *text, alea_move *move,
                             bool *legal) {
  alea_list list; /* first: the prover numbers moves as it finds them */
  alea_status status = alea_cursor_legal(cursor, role, &list);
  if (status != ALEA_OK) return status;
  *move = alea_game_move_find(cursor->game, role, text);
  return alea_cursor_admits(cursor, role, *move, legal);
}

/* Reads one term of the line for each role. */
static alea_status read_joint(const alea_moves *moves, const char *line, size_t length,
                              alea_cursor *cursor, alea_move *joint, alea_text *text,
                              alea_diag *diag) {
  const alea_game *game = cursor->game;
  size_t at = 0;
  for (uint32_t role = 0;; role++) {
    while (at < length && strchr(" \t\r", line[at]) != NULL) at++;
    alea_place place = {moves->file, moves->line, (uint32_t)at + 1};
    if (role == game->role_count && at == length) return ALEA_OK;
    if (role == game->role_count || at == length) {
      alea_diag_error(diag, place, "move-count", "a joint move has %u moves, one for each role; %s",
                      game->role_count, at == length ? "some are missing" : "there are more");
      return ALEA_INPUT;
    }
    size_t term = term_length(line + at, length - at);
    if (term == 0) {
      alea_diag_error(diag, place, "parentheses", "the parentheses of role %s's move do not match",
                      game->role_spelling[role]);
      return ALEA_INPUT;
    }
    alea_text_truncate(text, 0);
    alea_text_add(text, line + at, term);
    if (text->failed) return ALEA_SYSTEM;
    bool legal;
    alea_status status = find_move(cursor, role, alea_text_string(text), &joint[role], &legal);
    if (status != ALEA_OK) return status;
    if (!legal) {
      alea_diag_error(diag, place, "illegal-move", "role %s has no legal move %s here",
                      game->role_spelling[role], alea_text_string(text));
      return ALEA_INPUT;
    }
    at += term;
  }
}

/* Plays the line and stores its moves in 'joint'. */
static alea_status play_line(const alea_moves *moves, const char *line, size_t length,
                             alea_cursor *cursor, alea_move *joint, alea_mem *mem,
                             alea_diag *diag) {
  bool terminal;
  alea_status status = alea_cursor_terminal(cursor, &terminal);
  if (status != ALEA_OK) return status;
  if (terminal) {
    alea_diag_error(diag, ((alea_place){moves->file, moves->line, 1}), "game-over",
                    "the game is over, no role can move");
    return ALEA_INPUT;
  }
  alea_text text;
  alea_text_init(&text, mem);
  status = read_joint(moves, line, length, cursor, joint, &text, diag);
  if (status == ALEA_OK) status = alea_cursor_play(cursor, joint);
  alea_text_clear(&text);
  return status;
}

alea_status alea_moves_play(alea_moves *moves, alea_cursor *cursor, alea_moves_next *next,
                            alea_mem *mem, alea_diag *diag) {
  size_t size = cursor->game->role_count * sizeof(alea_move);
  alea_move *joint = alea_mem_alloc(mem, size);
  if (joint == NULL) return ALEA_SYSTEM;
  alea_status status = alea_moves_play_joint(moves, cursor, next, joint, mem, diag);
  alea_mem_free(mem, joint, size);
  return status;
}

alea_status alea_moves_play_joint(alea_moves *moves, alea_cursor *cursor, alea_moves_next *next,
                                  alea_move *joint, alea_mem *mem, alea_diag *diag) {
  size_t length;
  const char *line = take_line(moves, &length);
  if (line == NULL) {
    *next = ALEA_MOVES_END;
    return ALEA_OK;
  }
  size_t blank = strspn(line, " \t\r");
  if (length - blank == 3 && memcmp(line + blank, "---", 3) == 0) {
    *next = ALEA_MOVES_RESET;
    return alea_cursor_reset(cursor);
  }
  *next = ALEA_MOVES_JOINT;
  return play_line(moves, line, length, cursor, joint, mem, diag);
}
