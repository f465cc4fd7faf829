/* Random playouts and perft. */
#include "game/playout.h"

#include <string.h>

#include "base/vec.h"
#include "game/position.h"

/* Picks a move for every role.  ALEA_NONE: some role has none. */
static alea_status pick_joint(alea_cursor *cursor, alea_rng *rng, alea_move *joint) {
  for (uint32_t r = 0; r < cursor->game->role_count; r++) {
    alea_list legal;
    alea_status status = alea_cursor_legal(cursor, r, &legal);
    if (status != ALEA_OK) return status;
    if (legal.count == 0) return ALEA_NONE;
    joint[r] = legal.ids[legal.count == 1 ? 0 : alea_rng_below(rng, legal.count)];
  }
  return ALEA_OK;
}

/* Plays to the end with room for one joint move. */
static alea_status play_out(alea_cursor *cursor, alea_rng *rng, uint32_t step_cap, alea_move *joint,
                            alea_playout *result) {
  for (;;) {
    bool terminal;
    alea_status status = alea_cursor_terminal(cursor, &terminal);
    if (status != ALEA_OK) return status;
    if (terminal) {
      result->finished = true;
      return ALEA_OK;
    }
    if (result->steps == step_cap) return ALEA_OK;
    status = pick_joint(cursor, rng, joint);
    if (status == ALEA_NONE) return ALEA_OK;
    if (status == ALEA_OK) status = alea_cursor_play(cursor, joint);
    if (status != ALEA_OK) return status;
    result->steps++;
  }
}

/* Joint moves of games with more roles than this need memory from the heap. */
enum { FEW_ROLES = 64 };

alea_status alea_playout_run(alea_cursor *cursor, alea_rng *rng, uint32_t step_cap,
                             alea_playout *result) {
  *result = (alea_playout){0};
  uint32_t roles = cursor->game->role_count;
  if (step_cap == 0) step_cap = ALEA_DEFAULT_STEP_CAP;
  alea_move few[FEW_ROLES];
  if (roles <= FEW_ROLES) return play_out(cursor, rng, step_cap, few, result);
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_move *many = alea_mem_calloc(&mem, roles, sizeof *many);
  if (many == NULL) return ALEA_SYSTEM;
  alea_status status = play_out(cursor, rng, step_cap, many, result);
  alea_mem_free(&mem, many, roles * sizeof *many);
  return status;
}

/* ---- perft ---- */

/* A position on the path, with its legal moves and the joint move to play
 * next as an odometer over them. */
typedef struct playout_level {
  alea_u64s words;
  alea_u32s moves;  /* of all roles, one after the other */
  alea_u32s firsts; /* role r: moves.data[firsts[r] .. firsts[r + 1]) */
  alea_u32s wheels; /* per role: offset of its move */
  bool started;
} playout_level;

static alea_status copy_legal(alea_cursor *cursor, playout_level *v, alea_mem *mem) {
  v->moves.count = v->firsts.count = v->wheels.count = 0;
  v->started = false;
  for (uint32_t r = 0; r < cursor->game->role_count; r++) {
    alea_list legal;
    alea_status status = alea_cursor_legal(cursor, r, &legal);
    if (status != ALEA_OK) return status;
    if (legal.count == 0) return ALEA_NONE;
    if (!alea_vec_push(mem, &v->firsts, (uint32_t)v->moves.count) ||
        !alea_vec_push(mem, &v->wheels, 0) || !alea_vec_reserve(mem, &v->moves, legal.count))
      return alea_mem_lack(mem);
    memcpy(v->moves.data + v->moves.count, legal.ids, legal.count * sizeof *legal.ids);
    v->moves.count += legal.count;
  }
  return alea_vec_push(mem, &v->firsts, (uint32_t)v->moves.count) ? ALEA_OK : alea_mem_lack(mem);
}

/* Notes where the cursor is and what can be played there.  ALEA_NONE: nothing. */
static alea_status enter_level(alea_cursor *cursor, playout_level *v, uint32_t moves,
                               alea_stuck *stuck, alea_mem *mem) {
  bool terminal;
  alea_status status = alea_cursor_terminal(cursor, &terminal);
  if (status != ALEA_OK) return status;
  if (terminal) return ALEA_NONE;
  status = alea_position_keep(&v->words, cursor, mem);
  if (status == ALEA_OK) status = copy_legal(cursor, v, mem);
  if (status != ALEA_NONE) return status;
  status = alea_stuck_look(stuck, cursor, moves);
  return status == ALEA_OK ? ALEA_NONE : status;
}

static uint64_t count_joint(const playout_level *v) {
  uint64_t product = 1;
  for (size_t r = 0; r + 1 < v->firsts.count; r++)
    product *= v->firsts.data[r + 1] - v->firsts.data[r];
  return product;
}

/* The next joint move, the last role's wheel turning fastest. */
static bool next_joint(playout_level *v, alea_move *joint) {
  size_t roles = v->wheels.count;
  if (v->started) {
    size_t r = roles;
    while (r > 0) {
      r--;
      if (++v->wheels.data[r] < v->firsts.data[r + 1] - v->firsts.data[r]) break;
      v->wheels.data[r] = 0;
      if (r == 0) return false;
    }
  }
  v->started = true;
  for (size_t r = 0; r < roles; r++)
    joint[r] = v->moves.data[v->firsts.data[r] + v->wheels.data[r]];
  return true;
}

/* Depth first over the levels; the last level is only counted, not played. */
static alea_status count_levels(alea_cursor *cursor, uint32_t depth, const alea_deadline *deadline,
                                uint64_t *counts, alea_stuck *stuck, playout_level *levels,
                                alea_move *joint, alea_mem *mem) {
  alea_status status = enter_level(cursor, &levels[0], 0, stuck, mem);
  if (status != ALEA_OK) return status == ALEA_NONE ? ALEA_OK : status;
  counts[0] += count_joint(&levels[0]);
  uint32_t at = 0;
  for (;;) {
    if (alea_deadline_passed(deadline)) return ALEA_LIMIT;
    if (at + 1 == depth || !next_joint(&levels[at], joint)) {
      if (at == 0) return ALEA_OK;
      at--;
      continue;
    }
    status = alea_cursor_load(cursor, levels[at].words.data, levels[at].words.count);
    if (status == ALEA_OK) status = alea_cursor_play(cursor, joint);
    if (status == ALEA_OK) status = enter_level(cursor, &levels[at + 1], at + 1, stuck, mem);
    if (status == ALEA_NONE) continue;
    if (status != ALEA_OK) return status;
    at++;
    counts[at] += count_joint(&levels[at]);
  }
}

alea_status alea_perft(alea_cursor *cursor, uint32_t depth, const alea_deadline *deadline,
                       uint64_t *counts, alea_mem *mem) {
  alea_stuck stuck = {0};
  return alea_perft_stuck(cursor, depth, deadline, counts, &stuck, mem);
}

alea_status alea_perft_stuck(alea_cursor *cursor, uint32_t depth, const alea_deadline *deadline,
                             uint64_t *counts, alea_stuck *stuck, alea_mem *mem) {
  if (depth == 0) return ALEA_OK;
  memset(counts, 0, depth * sizeof *counts);
  uint32_t roles = cursor->game->role_count;
  playout_level *levels = alea_mem_calloc(mem, depth, sizeof *levels);
  alea_move *joint = alea_mem_calloc(mem, roles, sizeof *joint);
  alea_u64s start = {0};
  alea_status status = levels != NULL && joint != NULL ? alea_position_keep(&start, cursor, mem)
                                                       : alea_mem_lack(mem);
  if (status == ALEA_OK) {
    status = count_levels(cursor, depth, deadline, counts, stuck, levels, joint, mem);
    alea_status back = alea_cursor_load(cursor, start.data, start.count);
    if (status == ALEA_OK) status = back;
  }
  for (uint32_t i = 0; levels != NULL && i < depth; i++) {
    alea_vec_clear(mem, &levels[i].words);
    alea_vec_clear(mem, &levels[i].moves);
    alea_vec_clear(mem, &levels[i].firsts);
    alea_vec_clear(mem, &levels[i].wheels);
  }
  alea_vec_clear(mem, &start);
  alea_mem_free(mem, levels, depth * sizeof *levels);
  alea_mem_free(mem, joint, roles * sizeof *joint);
  return status;
}
