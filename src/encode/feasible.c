/* Forward checking of the part with chance, against a threshold. */
#include "encode/feasible.h"

#include <string.h>

enum { MOST_ROLES = 64 };

bool alea_is_feasible(float theta, uint32_t values, alea_chance_bound *bound, void *data) {
  float sum = 0, wanted = theta * (float)values;
  for (uint32_t v = 0; v < values; v++) {
    sum += bound(data, v);
    if (sum + (float)(values - v - 1) < wanted) return false;
  }
  return true;
}

/* An arm, and the successors that chance makes of it. */
typedef struct feasible_arm {
  alea_stage *stage;
  const alea_stage_solution *solution;
  alea_move joint[MOST_ROLES];
  alea_position_bound *bound;
  void *data;
  alea_status status;
} feasible_arm;

static float bound_of(void *data, uint32_t value) {
  feasible_arm *arm = data;
  int chance = arm->stage->game->random_role;
  const uint64_t *words;
  size_t count;
  float most = 1;
  if (chance >= 0) arm->joint[chance] = arm->solution->moves[arm->solution->firsts[chance] + value];
  if (arm->status == ALEA_OK) arm->status = alea_stage_next(arm->stage, arm->joint, &words, &count);
  if (arm->status == ALEA_OK) arm->status = arm->bound(arm->data, words, count, &most);
  return most;
}

alea_status alea_stage_feasible(alea_stage *stage, const alea_stage_solution *solution, float theta,
                                alea_position_bound *bound, void *data, uint8_t *allowed) {
  uint32_t roles = stage->game->role_count, values = 1;
  int chance = stage->game->random_role;
  feasible_arm arm = {.stage = stage, .solution = solution, .bound = bound, .data = data};
  if (roles > MOST_ROLES) return ALEA_LIMIT;
  if (chance >= 0) values = solution->firsts[chance + 1] - solution->firsts[chance];
  for (uint64_t i = 0; i < solution->arm_count && arm.status == ALEA_OK; i++) {
    memcpy(arm.joint, solution->arms + i * roles, roles * sizeof *arm.joint);
    allowed[i] = alea_is_feasible(theta, values, bound_of, &arm);
  }
  return arm.status;
}
