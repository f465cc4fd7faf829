/* The stage engine `net`: the arc-consistent closure of a stage whose state is
 * fixed is what the game's own engine computes, so a cursor propagates.
 *
 * The legal moves are the domains that propagation leaves, and because a
 * playable game lets every player move whatever the others do, every
 * combination is a solution (K2): enumeration never goes back.  Forward
 * checking alone does not know that before it has tried each arm with each
 * value of chance, and does so. */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "encode/stage.h"
#include "game/position.h"

enum {
  MOST_ARMS = 20000,
  MOST_TRIES = 1 << 16, /* successors that forward checking looks at */
};

typedef struct net_stage {
  alea_stage base; /* first: it is an alea_stage */
  alea_mem *mem;
  alea_cursor *cursor;
  alea_u64s words; /* the position solved last */
  bool away;       /* the cursor has left it */
  int *goals;
  uint32_t *firsts;
  alea_move *joint;
  alea_u32s moves, arms;
} net_stage;

static net_stage *self_of(alea_stage *stage) { return (net_stage *)(void *)stage; }

/* ---- domains ---- */

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

/* Most engines list moves in order already. */
static void sort_moves(uint32_t *moves, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    if (moves[i - 1] < moves[i]) continue;
    qsort(moves, count, sizeof *moves, by_number);
    return;
  }
}

static alea_status add_domain(net_stage *s, uint32_t role) {
  alea_list legal;
  alea_status status = alea_cursor_legal(s->cursor, role, &legal);
  if (status != ALEA_OK) return status;
  if (!alea_vec_reserve(s->mem, &s->moves, legal.count)) return alea_mem_lack(s->mem);
  uint32_t *at = s->moves.data + s->moves.count;
  if (legal.count > 0) memcpy(at, legal.ids, legal.count * sizeof *at);
  sort_moves(at, legal.count);
  s->moves.count += legal.count;
  s->firsts[role + 1] = (uint32_t)s->moves.count;
  return ALEA_OK;
}

static bool is_chance(const net_stage *s, uint32_t role) {
  return (int)role == s->base.game->random_role;
}

/* Domains of all roles and the number of arms, 0 where a role cannot move. */
static alea_status find_domains(net_stage *s, uint64_t *arm_count) {
  alea_status status = ALEA_OK;
  s->moves.count = 0;
  *arm_count = 1;
  for (uint32_t r = 0; status == ALEA_OK && r < s->base.game->role_count; r++) {
    status = add_domain(s, r);
    uint64_t count = s->firsts[r + 1] - s->firsts[r];
    if (count == 0) *arm_count = 0;
    if (is_chance(s, r)) continue;
    *arm_count = *arm_count > UINT64_MAX / (count + 1) ? UINT64_MAX : *arm_count * count;
  }
  return status;
}

/* ---- arms ---- */

static alea_move move_of(const net_stage *s, uint32_t role, uint32_t pick) {
  return s->moves.data[s->firsts[role] + pick];
}

/* Lists the combinations, the last role turning fastest. */
static alea_status list_arms(net_stage *s, uint64_t count) {
  uint32_t roles = s->base.game->role_count;
  s->arms.count = 0;
  if (!alea_vec_reserve(s->mem, &s->arms, count * roles)) return alea_mem_lack(s->mem);
  uint32_t *out = s->arms.data;
  uint64_t block = count; /* arms over which the role's move stays the same */
  for (uint32_t r = 0; r < roles; r++) {
    uint32_t size = is_chance(s, r) ? 1 : s->firsts[r + 1] - s->firsts[r];
    block /= size;
    uint64_t left = block;
    for (uint64_t i = 0, pick = 0; i < count; i++) {
      out[i * roles + r] = is_chance(s, r) ? ALEA_NO_MOVE : move_of(s, r, (uint32_t)pick);
      if (--left > 0) continue;
      left = block;
      pick = pick + 1 == size ? 0 : pick + 1;
    }
  }
  s->arms.count = count * roles;
  return ALEA_OK;
}

static alea_status go_back(net_stage *s) {
  if (!s->away) return ALEA_OK;
  alea_status status = alea_cursor_load(s->cursor, s->words.data, s->words.count);
  if (status == ALEA_OK) s->away = false;
  return status;
}

static alea_status go_on(net_stage *s, const alea_move *joint) {
  alea_status status = go_back(s);
  if (status != ALEA_OK) return status;
  s->away = true;
  s->base.stats.propagations++;
  return alea_cursor_play(s->cursor, joint);
}

/* Forward checking: every arm with every value of chance. */
static alea_status try_arms(net_stage *s, uint64_t count) {
  uint32_t roles = s->base.game->role_count, values = 1, tries = 0;
  int chance = s->base.game->random_role;
  if (chance >= 0) values = s->firsts[chance + 1] - s->firsts[chance];
  for (uint64_t i = 0; i < count; i++) {
    memcpy(s->joint, s->arms.data + i * roles, roles * sizeof *s->joint);
    for (uint32_t v = 0; v < values; v++) {
      if (tries++ >= MOST_TRIES) return go_back(s);
      if (chance >= 0) s->joint[chance] = move_of(s, (uint32_t)chance, v);
      alea_status status = go_on(s, s->joint);
      if (status != ALEA_OK) return status;
    }
  }
  return go_back(s);
}

static alea_status find_arms(net_stage *s, alea_stage_solution *solution) {
  alea_status status = find_domains(s, &solution->arm_count);
  uint64_t count = solution->arm_count;
  if (status != ALEA_OK || count == 0 || count > s->base.options.max_arms) return status;
  status = list_arms(s, count);
  solution->arms = s->arms.data;
  if (status == ALEA_OK && s->base.options.method == ALEA_STAGE_FC) status = try_arms(s, count);
  return status;
}

/* ---- the interface ---- */

static alea_status enter(net_stage *s, const uint64_t *words, size_t count) {
  alea_status status = alea_position_copy(&s->words, words, count, s->mem);
  if (status != ALEA_OK) return status;
  s->away = true;
  s->base.stats.propagations++;
  return go_back(s);
}

static alea_status solve(alea_stage *stage, const uint64_t *words, size_t count,
                         alea_stage_solution *solution) {
  net_stage *s = self_of(stage);
  *solution = (alea_stage_solution){.goals = s->goals, .firsts = s->firsts};
  alea_status status = enter(s, words, count);
  if (status == ALEA_OK) status = alea_cursor_terminal(s->cursor, &solution->terminal);
  for (uint32_t r = 0; status == ALEA_OK && r < stage->game->role_count; r++)
    status = alea_cursor_goal(s->cursor, r, &s->goals[r]);
  if (status != ALEA_OK) return status;
  if (solution->terminal) {
    memset(s->firsts, 0, (stage->game->role_count + 1) * sizeof *s->firsts);
  } else {
    status = find_arms(s, solution);
  }
  solution->moves = s->moves.data;
  stage->stats.solved++;
  stage->stats.arms += solution->arm_count;
  stage->stats.nodes += 1 + (solution->arms != NULL ? solution->arm_count : 0);
  return status;
}

static alea_status next(alea_stage *stage, const alea_move *joint, const uint64_t **words,
                        size_t *count) {
  net_stage *s = self_of(stage);
  alea_status status = go_on(s, joint);
  if (status == ALEA_OK) *words = alea_cursor_state(s->cursor, count);
  return status;
}

static void free_stage(alea_stage *stage) {
  net_stage *s = self_of(stage);
  alea_mem *mem = s->mem;
  uint32_t roles = stage->game->role_count;
  alea_cursor_free(s->cursor);
  alea_vec_clear(mem, &s->words);
  alea_vec_clear(mem, &s->moves);
  alea_vec_clear(mem, &s->arms);
  alea_mem_free(mem, s->goals, roles * sizeof *s->goals);
  alea_mem_free(mem, s->firsts, (roles + 1) * sizeof *s->firsts);
  alea_mem_free(mem, s->joint, roles * sizeof *s->joint);
  alea_mem_free(mem, s, sizeof *s);
}

static const alea_stage_class net_class = {
    .engine = "net", .state = 1, .free = free_stage, .solve = solve, .next = next};

static alea_status set_up(net_stage *s) {
  uint32_t roles = s->base.game->role_count;
  s->goals = alea_mem_calloc(s->mem, roles, sizeof *s->goals);
  s->firsts = alea_mem_calloc(s->mem, roles + 1, sizeof *s->firsts);
  s->joint = alea_mem_calloc(s->mem, roles, sizeof *s->joint);
  if (s->goals == NULL || s->firsts == NULL || s->joint == NULL) return alea_mem_lack(s->mem);
  return alea_cursor_new(s->base.game, s->mem, &s->cursor);
}

alea_status alea_stage_new_net(alea_stage **stage, const alea_game *game,
                               const alea_stage_options *options, alea_mem *mem) {
  *stage = NULL;
  net_stage *s = alea_mem_zalloc(mem, sizeof *s);
  if (s == NULL) return alea_mem_lack(mem);
  s->base = (alea_stage){.class = &net_class, .game = game};
  if (options != NULL) s->base.options = *options;
  if (s->base.options.max_arms == 0) s->base.options.max_arms = MOST_ARMS;
  s->mem = mem;
  alea_status status = set_up(s);
  if (status != ALEA_OK) {
    free_stage(&s->base);
    return status;
  }
  *stage = &s->base;
  return ALEA_OK;
}
