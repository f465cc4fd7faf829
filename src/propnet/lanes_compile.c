/* Compiling a game for lanes: one program per tick of its clock, one for all
 * other positions, one for the goals of finished games. */
#include "propnet/lanes_compile.h"

static void measure_needs(alea_lanes *lanes, const alea_lanes_program *program) {
  if (program->slot_count > lanes->slot_count) lanes->slot_count = program->slot_count;
  for (uint32_t r = 0; r < program->role_count; r++)
    if (program->roles[r].group_count > lanes->group_count)
      lanes->group_count = program->roles[r].group_count;
}

/* Words that a section reads and writes. */
static uint64_t traffic(const alea_lanes_program *program, alea_lanes_section section) {
  return (uint64_t)program->op_count[section] + program->operand_count[section];
}

/* Putting a finished game aside reads two words and writes one per fluent;
 * that pays when evaluating its goals at once costs more. */
static void decide_deferral(alea_lanes *lanes) {
  const alea_lanes_program *typical = lanes->clock.ticks > 0 ? &lanes->ticks[0] : &lanes->general;
  lanes->goals_deferred =
      traffic(typical, ALEA_LANES_GOAL) > 3 * (uint64_t)lanes->net->fluent_count;
}

/* By insertion: goals are few, and those of a role mostly in order already. */
static bool order_goals(alea_lanes *lanes) {
  const alea_net *net = lanes->net;
  lanes->goal_order = alea_mem_calloc(lanes->mem, net->goals.count, sizeof *lanes->goal_order);
  if (lanes->goal_order == NULL) return false;
  for (uint32_t g = 0; g < net->goals.count; g++) {
    const alea_net_goal *goal = &net->goals.data[g];
    uint32_t at = g;
    for (; at > 0; at--) {
      const alea_net_goal *before = &net->goals.data[lanes->goal_order[at - 1]];
      if (before->role != goal->role || before->value >= goal->value) break;
      lanes->goal_order[at] = lanes->goal_order[at - 1];
    }
    lanes->goal_order[at] = g;
  }
  return true;
}

/* Whether the values of a part are at the end of 'before' as they were evaluated there. */
static bool stays(const alea_lanes_kept *kept, const alea_lanes_program *before, uint32_t part) {
  const alea_lanes_kept_part *p = &kept->parts.data[part];
  bool evaluated = false;
  for (size_t i = 0; i < before->kept_loops.count; i++)
    evaluated |= before->kept_loops.data[i].part == part &&
                 before->kept_loops.data[i].section == ALEA_LANES_STATE;
  for (uint32_t i = 0; i < p->support_count; i++)
    if (before->changes[kept->support.data[p->first_support + i]]) return false;
  return evaluated;
}

/* Marks the loops that may be passed over, since nobody changed what they depend on: in
 * Hex those of the player whose turn it was not. */
static void mark_stays(alea_lanes *lanes) {
  uint32_t ticks = lanes->clock.ticks;
  for (uint32_t t = 0; t < ticks; t++) {
    alea_lanes_program *program = &lanes->ticks[t];
    for (size_t i = 0; i < program->kept_loops.count; i++) {
      const alea_lanes_kept_loop *loop = &program->kept_loops.data[i];
      if (loop->section == ALEA_LANES_STATE &&
          stays(&lanes->kept, &lanes->ticks[(t + ticks - 1) % ticks], loop->part))
        program->code.data[loop->at] = loop->length;
    }
  }
}

static alea_status compile(alea_lanes *lanes, const alea_lanes_tuning *tuning) {
  const alea_net *net = lanes->net;
  const alea_lanes_kept *kept = &lanes->kept;
  alea_mem *mem = lanes->mem;
  alea_status status = alea_lanes_clock_init(&lanes->clock, net, mem);
  if (status == ALEA_OK) status = alea_lanes_kept_init(&lanes->kept, net, mem);
  for (uint32_t t = 0; status == ALEA_OK && t < lanes->clock.ticks; t++) {
    status = alea_lanes_program_init(&lanes->ticks[t], net, &lanes->clock, t, kept, ALEA_LANES_STEP,
                                     tuning, mem);
    if (status == ALEA_OK) measure_needs(lanes, &lanes->ticks[t]);
  }
  if (status == ALEA_OK)
    status =
        alea_lanes_program_init(&lanes->general, net, NULL, 0, kept, ALEA_LANES_STEP, tuning, mem);
  if (status == ALEA_OK)
    status = alea_lanes_program_init(&lanes->goals, net, NULL, 0, NULL, ALEA_LANES_ONLY_GOALS,
                                     tuning, mem);
  if (status != ALEA_OK) return status;
  mark_stays(lanes);
  measure_needs(lanes, &lanes->general);
  decide_deferral(lanes);
  return order_goals(lanes) ? ALEA_OK : alea_mem_lack(mem);
}

alea_status alea_lanes_new(alea_lanes **lanes, const alea_net *net, alea_lanes_width width,
                           alea_mem *mem) {
  alea_lanes_tuning tuning = {.lanes = width};
  return alea_lanes_new_tuned(lanes, net, &tuning, mem);
}

alea_status alea_lanes_new_tuned(alea_lanes **lanes, const alea_net *net,
                                 const alea_lanes_tuning *tuning, alea_mem *mem) {
  *lanes = NULL;
  alea_lanes *made = alea_mem_zalloc(mem, sizeof *made);
  if (made == NULL) return alea_mem_lack(mem);
  made->mem = mem;
  made->net = net;
  made->width = tuning->lanes;
  alea_status status = compile(made, tuning);
  if (status != ALEA_OK)
    alea_lanes_free(made);
  else
    *lanes = made;
  return status;
}

void alea_lanes_free(alea_lanes *lanes) {
  if (lanes == NULL) return;
  for (uint32_t t = 0; t < ALEA_LANES_MAX_TICKS; t++)
    if (lanes->ticks[t].mem != NULL) alea_lanes_program_clear(&lanes->ticks[t]);
  if (lanes->general.mem != NULL) alea_lanes_program_clear(&lanes->general);
  if (lanes->goals.mem != NULL) alea_lanes_program_clear(&lanes->goals);
  if (lanes->clock.mem != NULL) alea_lanes_clock_clear(&lanes->clock);
  if (lanes->kept.mem != NULL) alea_lanes_kept_clear(&lanes->kept);
  alea_mem_free(lanes->mem, lanes->goal_order, lanes->net->goals.count * sizeof *lanes->goal_order);
  alea_mem_free(lanes->mem, lanes, sizeof *lanes);
}

void alea_lanes_describe(const alea_lanes *lanes, alea_lanes_info *info) {
  *info = (alea_lanes_info){.lanes = lanes->width,
                            .ticks = lanes->clock.ticks,
                            .slots = lanes->slot_count,
                            .kept = (uint32_t)lanes->kept.nodes.count,
                            .goals_deferred = lanes->goals_deferred};
  uint32_t count = lanes->clock.ticks > 0 ? lanes->clock.ticks : 1;
  for (uint32_t t = 0; t < count; t++) {
    const alea_lanes_program *p = lanes->clock.ticks > 0 ? &lanes->ticks[t] : &lanes->general;
    info->state_ops += p->op_count[ALEA_LANES_STATE];
    info->goal_ops += p->op_count[ALEA_LANES_GOAL];
    info->next_ops += p->op_count[ALEA_LANES_NEXT];
    info->operands += p->operand_count[ALEA_LANES_STATE] + p->operand_count[ALEA_LANES_NEXT];
    info->runs += p->run_count;
    for (uint32_t r = 0; r < p->role_count; r++)
      info->choices += p->roles[r].move_count > 1 ? p->roles[r].move_count : 0;
  }
  info->state_ops /= count;
  info->goal_ops /= count;
  info->next_ops /= count;
  info->operands /= count;
  info->runs /= count;
  info->choices /= count;
}
