/* Plans, and the places of their values. */
#include "gpu/plan.h"

#define NONE ALEA_GPU_NONE

/* ---- places ---- */

/* Places that are free again, and how many there are in all. */
typedef struct plan_pool {
  alea_u32s free;
  uint32_t count;
} plan_pool;

typedef struct plan_placer {
  alea_gpu_plan *plan;
  alea_mem *mem;
  plan_pool held, brief;
  uint32_t *made, *made_next; /* values by the level that makes them: the first of a
                               * level, and the next of a value, */
  uint32_t *gone, *gone_next; /* and by the last level that reads them */
  size_t level_count;
  bool ok;
} plan_placer;

/* Whether a value lives while moves are drawn. */
static bool is_held(const alea_gpu_plan *plan, const alea_gpu_value *value) {
  uint32_t first = alea_gpu_draw_level(plan, 0);
  uint32_t end = alea_gpu_draw_level(plan, plan->program->role_count);
  return value->made < end && value->last >= first;
}

static plan_pool *pool_of(plan_placer *p, uint32_t value) {
  return is_held(p->plan, &p->plan->values.data[value]) ? &p->held : &p->brief;
}

static void give_place(plan_placer *p, uint32_t value) {
  plan_pool *pool = pool_of(p, value);
  uint32_t place = pool->free.count > 0 ? pool->free.data[--pool->free.count] : pool->count++;
  p->plan->values.data[value].place = place | (pool == &p->brief ? ALEA_GPU_BRIEF : ALEA_GPU_HELD);
}

static void take_place(plan_placer *p, uint32_t value) {
  uint32_t place = p->plan->values.data[value].place & ~(ALEA_GPU_BRIEF | ALEA_GPU_HELD);
  p->ok = p->ok && alea_vec_push(p->mem, &pool_of(p, value)->free, place);
}

/* The rows of moves, before all other held slots. */
static void place_moves(plan_placer *p) {
  alea_gpu_plan *plan = p->plan;
  const alea_lanes_program *program = plan->program;
  for (uint32_t r = 0; r < program->role_count; r++) {
    const alea_lanes_role *role = &program->roles[r];
    plan->row[r] = p->held.count;
    for (uint32_t i = 0; role->group_count > 0 && i < role->move_count; i++) {
      uint32_t legal = plan->legal.data[role->first_group * ALEA_LANES_GROUP + i] >> 1;
      uint32_t chosen = alea_gpu_chosen_slot(program, role, i);
      plan->values.data[legal].place = p->held.count | ALEA_GPU_HELD;
      if (chosen != NONE) plan->values.data[chosen].place = p->held.count | ALEA_GPU_HELD;
      p->held.count += (i + 1) % ALEA_GPU_LEAF == 0 ? 2 : 1;
    }
  }
}

/* Values that need a place, by level. */
static void sort_values(plan_placer *p) {
  const alea_gpu_plan *plan = p->plan;
  for (size_t k = 0; k < p->level_count; k++) p->made[k] = p->gone[k] = NONE;
  for (uint32_t v = 0; v < plan->values.count; v++) {
    const alea_gpu_value *value = &plan->values.data[v];
    if (value->made == 0 || value->place != NONE) continue;
    p->made_next[v] = p->made[value->made];
    p->made[value->made] = v;
    p->gone_next[v] = p->gone[value->last];
    p->gone[value->last] = v;
  }
}

static void place_values(plan_placer *p) {
  alea_gpu_plan *plan = p->plan;
  place_moves(p);
  sort_values(p);
  for (size_t level = 1; level < p->level_count; level++) {
    for (uint32_t v = p->gone[level - 1]; v != NONE; v = p->gone_next[v]) take_place(p, v);
    for (uint32_t v = p->made[level]; v != NONE; v = p->made_next[v]) give_place(p, v);
  }
  plan->held = p->held.count;
  plan->brief = p->brief.count;
}

alea_status alea_gpu_plan_place(alea_gpu_plan *plan) {
  size_t values = plan->values.count, levels = (size_t)plan->last + 2;
  plan_placer p = {.plan = plan, .mem = plan->mem, .level_count = levels, .ok = true};
  p.made_next = alea_mem_calloc(p.mem, values, sizeof *p.made_next);
  p.gone_next = alea_mem_calloc(p.mem, values, sizeof *p.gone_next);
  p.made = alea_mem_calloc(p.mem, levels, sizeof *p.made);
  p.gone = alea_mem_calloc(p.mem, levels, sizeof *p.gone);
  p.ok = p.made_next != NULL && p.gone_next != NULL && p.made != NULL && p.gone != NULL;
  if (p.ok) place_values(&p);
  alea_mem_free(p.mem, p.made_next, values * sizeof *p.made_next);
  alea_mem_free(p.mem, p.gone_next, values * sizeof *p.gone_next);
  alea_mem_free(p.mem, p.made, levels * sizeof *p.made);
  alea_mem_free(p.mem, p.gone, levels * sizeof *p.gone);
  alea_vec_clear(p.mem, &p.held.free);
  alea_vec_clear(p.mem, &p.brief.free);
  return p.ok ? ALEA_OK : alea_mem_lack(plan->mem);
}

void alea_gpu_plan_settle(alea_gpu_plan *plan, const alea_gpu_layout *layout) {
  uint32_t first_kept = plan->program->first_kept_slot;
  for (uint32_t v = 0; v < plan->values.count; v++) {
    uint32_t *place = &plan->values.data[v].place;
    if (v <= plan->fluent_count)
      *place = v; /* true, and the fluents */
    else if (v >= first_kept && v < plan->base_count)
      *place = alea_gpu_first_kept(layout) + v - first_kept;
    else if (*place != NONE && (*place & ALEA_GPU_BRIEF) != 0)
      *place = alea_gpu_first_brief(layout) + (*place & ~ALEA_GPU_BRIEF);
    else if (*place != NONE && (*place & ALEA_GPU_HELD) != 0)
      *place = alea_gpu_first_held(layout) + (*place & ~ALEA_GPU_HELD);
  }
}

/* ---- plans ---- */

alea_status alea_gpu_plan_init(alea_gpu_plan *plan, const alea_lanes_program *program,
                               const alea_net *net, uint32_t window, alea_mem *mem) {
  *plan = (alea_gpu_plan){
      .mem = mem, .program = program, .window = window, .fluent_count = net->fluent_count};
  plan->base_count = program->first_kept_slot + program->kept_count;
  plan->goals = alea_mem_calloc(mem, program->goal_count, sizeof *plan->goals);
  plan->only = alea_mem_calloc(mem, program->role_count, sizeof *plan->only);
  plan->row = alea_mem_calloc(mem, program->role_count, sizeof *plan->row);
  plan->next = alea_mem_calloc(mem, net->fluent_count, sizeof *plan->next);
  bool good = plan->goals != NULL && plan->only != NULL && plan->row != NULL && plan->next != NULL;
  alea_status status = good ? alea_gpu_plan_read(plan, net) : alea_mem_lack(mem);
  if (status == ALEA_OK) status = alea_gpu_plan_level(plan);
  if (status == ALEA_OK) status = alea_gpu_plan_place(plan);
  if (status != ALEA_OK) alea_gpu_plan_clear(plan);
  return status;
}

void alea_gpu_plan_clear(alea_gpu_plan *plan) {
  alea_mem *mem = plan->mem;
  if (mem == NULL) return;
  alea_mem_free(mem, plan->goals, plan->program->goal_count * sizeof *plan->goals);
  alea_mem_free(mem, plan->only, plan->program->role_count * sizeof *plan->only);
  alea_mem_free(mem, plan->row, plan->program->role_count * sizeof *plan->row);
  alea_mem_free(mem, plan->next, plan->fluent_count * sizeof *plan->next);
  alea_vec_clear(mem, &plan->instructions);
  alea_vec_clear(mem, &plan->values);
  alea_vec_clear(mem, &plan->loops);
  alea_vec_clear(mem, &plan->groups);
  alea_vec_clear(mem, &plan->legal);
  *plan = (alea_gpu_plan){0};
}
