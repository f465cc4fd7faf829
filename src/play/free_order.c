/* The same moves in another order. */
#include "play/free_order.h"

#include <string.h>

enum { PLAYS = 64 }; /* which all have to come to the same */

alea_status alea_free_order_init(alea_free_order *o, const alea_game *game, uint64_t seed,
                                 uint32_t step_cap, alea_mem *mem) {
  *o = (alea_free_order){0};
  uint32_t roles = game->role_count;
  alea_rng_seed(&o->rng, seed);
  alea_status status = alea_rollout_init(&o->rollout, game, ALEA_ROLLOUT_UNIFORM, 0, step_cap, mem);
  if (status != ALEA_OK) return status;
  o->next = alea_mem_calloc(mem, roles, sizeof *o->next);
  o->rewards = alea_mem_calloc(mem, roles, sizeof *o->rewards);
  o->again = alea_mem_calloc(mem, roles, sizeof *o->again);
  if (o->next == NULL || o->rewards == NULL || o->again == NULL) return alea_mem_lack(mem);
  return ALEA_OK;
}

void alea_free_order_clear(alea_free_order *o) {
  alea_mem *mem = o->rollout.mem;
  if (mem == NULL) return;
  uint32_t roles = o->rollout.game->role_count;
  alea_mem_free(mem, o->next, roles * sizeof *o->next);
  alea_mem_free(mem, o->rewards, roles * sizeof *o->rewards);
  alea_mem_free(mem, o->again, roles * sizeof *o->again);
  alea_vec_clear(mem, &o->trace);
  alea_rollout_clear(&o->rollout);
  *o = (alea_free_order){0};
}

/* Each role's moves change places among themselves. */
static void shuffle(alea_free_order *o) {
  alea_played *moves = o->trace.data;
  for (uint32_t i = 0; i < o->trace.count; i++) {
    uint32_t other;
    do other = alea_rng_below(&o->rng, i + 1);
    while (moves[other].role != moves[i].role);
    alea_move move = moves[i].move;
    moves[i].move = moves[other].move;
    moves[other].move = move;
  }
}

/* The role's next move in the other order, or its only one; ALEA_NO_MOVE: none that is legal. */
static alea_move next_move(alea_free_order *o, uint32_t role, alea_list legal) {
  if (legal.count == 1) return legal.ids[0];
  uint32_t *next = &o->next[role];
  while (*next < o->trace.count && o->trace.data[*next].role != role) (*next)++;
  if (*next >= o->trace.count) return ALEA_NO_MOVE;
  alea_move move = o->trace.data[(*next)++].move;
  return alea_list_has(legal, move) ? move : ALEA_NO_MOVE;
}

static alea_status choose_next(void *context, alea_cursor *cursor, alea_move *joint) {
  alea_free_order *o = context;
  for (uint32_t r = 0; r < o->rollout.game->role_count; r++) {
    alea_list legal;
    alea_status status = alea_cursor_legal(cursor, r, &legal);
    if (status != ALEA_OK) return status;
    joint[r] = next_move(o, r, legal);
    if (joint[r] == ALEA_NO_MOVE) return ALEA_NONE;
  }
  return ALEA_OK;
}

/* The play that the trace is of, with its moves in another order. */
static alea_status play_again(alea_free_order *o, alea_cursor *cursor) {
  shuffle(o);
  memset(o->next, 0, o->rollout.game->role_count * sizeof *o->next);
  return alea_rollout_play(&o->rollout, cursor, choose_next, o, o->again);
}

alea_status alea_free_order_try(alea_free_order *o, alea_cursor *cursor, const uint64_t *words,
                                size_t count, struct alea_time_manager *time_manager) {
  if (o->plays == PLAYS || o->same < o->plays) return ALEA_OK;
  bool ended = false;
  o->trace.count = 0;
  o->rollout.time_manager = time_manager;
  alea_status status = alea_cursor_load(cursor, words, count);
  if (status == ALEA_OK)
    status = alea_rollout_run(&o->rollout, cursor, &o->rng, &o->trace, o->rewards);
  if (status == ALEA_OK) status = alea_cursor_load(cursor, words, count);
  if (status == ALEA_OK) status = play_again(o, cursor);
  if (status == ALEA_OK) status = alea_cursor_terminal(cursor, &ended);
  if (status != ALEA_OK) return status;
  size_t size = o->rollout.game->role_count * sizeof *o->rewards;
  o->plays++;
  o->same += ended && memcmp(o->rewards, o->again, size) == 0;
  return ALEA_OK;
}

bool alea_free_order_is_shown(const alea_free_order *o) { return o->same == PLAYS; }
