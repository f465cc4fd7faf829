/* Following a match by what its manager reports. */
#include "net/follower.h"

alea_status alea_follower_init(alea_follower *follower, alea_player *player, const alea_game *game,
                               uint32_t role, alea_mem *mem) {
  *follower = (alea_follower){.mem = mem, .player = player, .game = game, .role = role};
  alea_text_init(&follower->text, mem);
  follower->joint = alea_mem_calloc(mem, game->role_count, sizeof *follower->joint);
  if (follower->joint == NULL) return ALEA_SYSTEM;
  return alea_cursor_new(game, mem, &follower->cursor);
}

void alea_follower_clear(alea_follower *follower) {
  if (follower->mem == NULL) return;
  alea_cursor_free(follower->cursor);
  if (follower->joint != NULL)
    alea_mem_free(follower->mem, follower->joint,
                  follower->game->role_count * sizeof *follower->joint);
  alea_vec_clear(follower->mem, &follower->percepts);
  alea_text_clear(&follower->text);
}

/* The text of a slice, NUL-terminated, in 'f->text'. */
static const char *text_of(alea_follower *f, alea_slice slice) {
  alea_text_truncate(&f->text, 0);
  alea_text_add(&f->text, slice.at, slice.length);
  return alea_text_string(&f->text);
}

/* Sets the move of 'role' in the joint move.  False unless it is legal: engines
 * accept legal moves only. */
static bool set_move(alea_follower *f, uint32_t role, alea_slice move) {
  alea_list legal; /* first: the prover numbers moves as it finds them */
  if (alea_cursor_legal(f->cursor, role, &legal) != ALEA_OK) return false;
  f->joint[role] = alea_game_move_find(f->game, role, text_of(f, move));
  return alea_list_has(legal, f->joint[role]);
}

static bool read_joint(alea_follower *f, alea_slice events) {
  uint32_t count = 0, roles = f->game->role_count;
  for (alea_slice move; alea_slice_take(&events, &move) == ALEA_SLICE_TERM; count++)
    if (count == roles || !set_move(f, count, move)) return false;
  return count == roles;
}

/* Reads percepts `(did role move)`, one for each role. */
static bool read_did(alea_follower *f, alea_slice events) {
  const alea_game *game = f->game;
  uint32_t count = 0;
  for (uint32_t r = 0; r < game->role_count; r++) f->joint[r] = ALEA_NO_MOVE;
  for (alea_slice told; alea_slice_take(&events, &told) == ALEA_SLICE_TERM; count++) {
    alea_slice word, role, move, end;
    if (!alea_slice_is_list(told)) return false;
    alea_slice inside = alea_slice_inside(told);
    if (alea_slice_take(&inside, &word) != ALEA_SLICE_TERM ||
        alea_slice_take(&inside, &role) != ALEA_SLICE_TERM ||
        alea_slice_take(&inside, &move) != ALEA_SLICE_TERM ||
        alea_slice_take(&inside, &end) != ALEA_SLICE_END || !alea_slice_same(word, f->did))
      return false;
    uint32_t r = 0;
    while (r < game->role_count && !alea_slice_is(role, game->role_text[r])) r++;
    if (r == game->role_count || f->joint[r] != ALEA_NO_MOVE || !set_move(f, r, move)) return false;
  }
  return count == game->role_count;
}

static alea_status follow_joint(alea_follower *f, alea_slice events) {
  bool terminal;
  alea_status status = alea_cursor_terminal(f->cursor, &terminal);
  if (status != ALEA_OK) return status;
  bool told = f->did.length > 0 && read_did(f, events);
  if (terminal || (!told && !read_joint(f, events))) return ALEA_INPUT;
  alea_observation seen = {.own = f->joint[f->role], .joint = f->joint};
  status = alea_cursor_play(f->cursor, f->joint);
  return status == ALEA_OK ? alea_player_observe(f->player, &seen) : status;
}

/* Percepts that the rules do not have are ignored.  From now on the position is
 * not known. */
static alea_status follow_percepts(alea_follower *f, alea_slice own, alea_slice events) {
  const alea_game *game = f->game;
  alea_observation seen = {.own = alea_game_move_find(game, f->role, text_of(f, own))};
  if (own.length == 0 || seen.own == ALEA_NO_MOVE) return ALEA_INPUT;
  f->percepts.count = 0;
  for (alea_slice percept; alea_slice_take(&events, &percept) == ALEA_SLICE_TERM;) {
    uint32_t id = alea_game_percept_find(game, text_of(f, percept));
    if (id != ALEA_NO_PERCEPT && !alea_vec_push(f->mem, &f->percepts, id)) return ALEA_SYSTEM;
  }
  seen.percepts = (alea_list){f->percepts.data, (uint32_t)f->percepts.count};
  alea_cursor_free(f->cursor);
  f->cursor = NULL;
  return alea_player_observe(f->player, &seen);
}

/* Plays the joint move that was read.  The player is told its own move and what
 * it sees of the step, as if the manager knew `sees`; the moves of the others
 * serve to find that out and the legal moves. */
static alea_status observe_joint(alea_follower *f) {
  alea_observation seen = {.own = f->joint[f->role]};
  alea_status status = alea_cursor_play(f->cursor, f->joint);
  if (status == ALEA_OK) status = alea_cursor_percepts(f->cursor, f->role, &seen.percepts);
  f->joints++;
  return status == ALEA_OK ? alea_player_observe(f->player, &seen) : status;
}

static bool are_percepts(alea_follower *f, alea_slice events) {
  for (alea_slice term; alea_slice_take(&events, &term) == ALEA_SLICE_TERM;)
    if (alea_game_percept_find(f->game, text_of(f, term)) == ALEA_NO_PERCEPT) return false;
  return true;
}

/* A step of a game with percepts.  ggp-base's manager does not know `sees` and
 * sends joint moves in every game, Dresden's sends percepts in the same form:
 * a list that is a legal joint move of the position is one.  After joint moves,
 * a list that is neither is a mistake of the manager's. */
static alea_status follow_hidden(alea_follower *f, alea_slice own, alea_slice events) {
  bool terminal = false;
  alea_status status = ALEA_OK;
  if (f->cursor == NULL) return follow_percepts(f, own, events);
  if ((status = alea_cursor_terminal(f->cursor, &terminal)) != ALEA_OK) return status;
  if (!terminal && read_joint(f, events)) return observe_joint(f);
  if (f->joints > 0 && (events.length == 0 || !are_percepts(f, events))) return ALEA_INPUT;
  return follow_percepts(f, own, events);
}

alea_status alea_follower_step(alea_follower *f, bool numbered, alea_slice own, alea_slice events) {
  if (!f->game->has_sees) return follow_joint(f, events);
  return numbered ? follow_percepts(f, own, events) : follow_hidden(f, own, events);
}
