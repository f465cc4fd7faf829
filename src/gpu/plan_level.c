/* When instructions are performed, and how long values live. */
#include "gpu/plan.h"

#define NONE ALEA_GPU_NONE

typedef struct plan_clock {
  alea_gpu_plan *plan;
  alea_mem *mem;
  uint32_t *stage; /* per value, within its section: loops that must have ended before it */
  uint32_t *key;   /* per instruction: its stage, and when in it (STEPS) */
  uint32_t *order; /* instructions by section and key */
  uint32_t *reader, *others; /* per fluent: an instruction that reads it last, and the last level
                              * at which another does */
  uint32_t level;            /* the next */
} plan_clock;

/* Within a stage: loops, those that may be passed over, and what reads their results. */
enum { LOOP, PASSED_OVER, PLAIN, STEPS };

/* ---- stages ---- */

static bool is_inside(const alea_gpu_plan *plan, const alea_gpu_instruction *i, uint32_t value) {
  return i->loop != 0 && !i->begins && plan->values.data[value].loop == i->loop;
}

/* The latest stage of what an instruction reads from outside of its loop. */
static uint32_t stage_of(const plan_clock *c, const alea_gpu_instruction *i) {
  const alea_gpu_plan *plan = c->plan;
  uint32_t most = 0;
  for (uint32_t k = 0; k < 2u * i->pairs; k++) {
    uint32_t value = i->literals[k] >> 1, loop = plan->values.data[value].loop;
    if (is_inside(plan, i, value)) continue;
    bool of_loop = loop != 0 && plan->loops.data[loop - 1].section == i->section;
    uint32_t stage = of_loop ? plan->loops.data[loop - 1].stage : c->stage[value];
    if (stage > most) most = stage;
  }
  return most;
}

/* The stages of a section's instructions first .. end-1.  With windows things are done in the
 * order of the program, and no two loops at once. */
static void find_stages(plan_clock *c, size_t first, size_t end) {
  alea_gpu_plan *plan = c->plan;
  bool ordered = plan->window != UINT32_MAX;
  uint32_t passed = 0; /* loops */
  for (size_t i = 0; i < plan->values.count; i++) c->stage[i] = 0;
  for (size_t i = first; i < end; i++) {
    const alea_gpu_instruction *at = &plan->instructions.data[i];
    if (ordered && at->loop != 0 && plan->loops.data[at->loop - 1].stage == 0)
      plan->loops.data[at->loop - 1].stage = ++passed;
    uint32_t stage = ordered ? passed : stage_of(c, at);
    if (at->loop == 0) {
      c->stage[at->value] = stage;
    } else if (!ordered && plan->loops.data[at->loop - 1].stage < stage + 1) {
      plan->loops.data[at->loop - 1].stage = stage + 1;
    }
    c->key[i] = stage * STEPS + PLAIN;
  }
  for (size_t i = first; i < end; i++) {
    const alea_gpu_instruction *at = &plan->instructions.data[i];
    const alea_gpu_loop *loop = at->loop != 0 ? &plan->loops.data[at->loop - 1] : NULL;
    if (loop != NULL && at->begins)
      c->key[i] = (loop->stage - 1) * STEPS + PLAIN;
    else if (loop != NULL)
      c->key[i] = loop->stage * STEPS + (loop->passed_over ? PASSED_OVER : LOOP);
  }
}

/* Sorts a section by key, keeping the order of equals. */
static bool sort_section(plan_clock *c, size_t first, size_t end) {
  uint32_t most = 0;
  for (size_t i = first; i < end; i++)
    if (c->key[i] > most) most = c->key[i];
  uint32_t *count = alea_mem_calloc(c->mem, (size_t)most + 2, sizeof *count);
  if (count == NULL) return false;
  for (size_t i = first; i < end; i++) count[c->key[i] + 1]++;
  for (uint32_t k = 0; k < most; k++) count[k + 1] += count[k];
  for (size_t i = first; i < end; i++) c->order[first + count[c->key[i]]++] = (uint32_t)i;
  alea_mem_free(c->mem, count, ((size_t)most + 2) * sizeof *count);
  return true;
}

/* ---- levels ---- */

/* The levels of instructions with one key, order[first] and following; returns their end.  A window
 * of them begins after the one before.  Within a loop cells are not waited for. */
static size_t level_group(plan_clock *c, size_t first, size_t end) {
  alea_gpu_plan *plan = c->plan;
  uint32_t base = c->level, begin = base, last = base, key = c->key[c->order[first]];
  size_t i = first;
  for (; i < end && c->key[c->order[i]] == key; i++) {
    alea_gpu_instruction *at = &plan->instructions.data[c->order[i]];
    if (i > first && (i - first) % plan->window == 0) begin = last + 1;
    at->level = begin;
    for (uint32_t k = 0; k < 2u * at->pairs; k++) {
      const alea_gpu_value *value = &plan->values.data[at->literals[k] >> 1];
      if (value->cell && is_inside(plan, at, at->literals[k] >> 1)) continue;
      if (value->level >= at->level) at->level = value->level + 1;
    }
    if (at->level > last) last = at->level;
    alea_gpu_value *made = &plan->values.data[at->value];
    if (!at->cell) made->made = made->level = at->level;
  }
  for (size_t k = first; k < i; k++) { /* cells are ready when their loop is */
    const alea_gpu_instruction *at = &plan->instructions.data[c->order[k]];
    if (at->cell) plan->values.data[at->value].level = last;
  }
  c->level = last + 1;
  alea_gpu_group group = {.first = base,
                          .last = last,
                          .section = plan->instructions.data[c->order[first]].section,
                          .loop = key % STEPS != PLAIN,
                          .passed_over = key % STEPS == PASSED_OVER};
  return alea_vec_push(c->mem, &plan->groups, group) ? i : SIZE_MAX;
}

static bool level_section(plan_clock *c, alea_lanes_section section) {
  const alea_gpu_plan *plan = c->plan;
  size_t first = 0, end;
  while (first < plan->instructions.count && plan->instructions.data[first].section < section)
    first++;
  for (end = first; end < plan->instructions.count; end++)
    if (plan->instructions.data[end].section != section) break;
  find_stages(c, first, end);
  if (!sort_section(c, first, end)) return false;
  while (first < end) {
    first = level_group(c, first, end);
    if (first == SIZE_MAX) return false;
  }
  return true;
}

static bool level_all(plan_clock *c) {
  alea_gpu_plan *plan = c->plan;
  const alea_lanes_program *p = plan->program;
  c->level = 1;
  if (!level_section(c, ALEA_LANES_STATE) || !level_section(c, ALEA_LANES_GOAL)) return false;
  plan->read_goals = c->level++;
  for (uint32_t r = 0; r < p->role_count; r++, c->level++) {
    const alea_lanes_role *role = &p->roles[r];
    for (uint32_t i = 0; role->group_count > 0 && i < role->move_count; i++) {
      uint32_t slot = alea_gpu_chosen_slot(p, role, i);
      if (slot != ALEA_GPU_NONE)
        plan->values.data[slot].made = plan->values.data[slot].level = c->level;
    }
  }
  bool good = level_section(c, ALEA_LANES_NEXT);
  plan->last = c->level - 1;
  return good;
}

/* ---- lives ---- */

static void live_until(plan_clock *c, uint32_t literal, uint32_t level, uint32_t reader) {
  alea_gpu_value *value = &c->plan->values.data[literal >> 1];
  uint32_t f = (literal >> 1) - ALEA_LANES_FIRST_FLUENT;
  if (f < c->plan->fluent_count && c->reader[f] != reader) {
    uint32_t other = value->last < level ? value->last : level;
    if (c->others[f] < other) c->others[f] = other;
    if (value->last < level) c->reader[f] = reader;
  }
  if (value->last < level) value->last = level;
}

static void find_lives_of_instructions(plan_clock *c) {
  alea_gpu_plan *plan = c->plan;
  size_t g = 0;
  for (uint32_t i = 0; i < plan->instructions.count; i++) {
    const alea_gpu_instruction *at = &plan->instructions.data[i];
    if (at->level < plan->groups.data[g].first) g = 0;
    while (at->level > plan->groups.data[g].last) g++;
    const alea_gpu_group *group = &plan->groups.data[g];
    for (uint32_t k = 0; k < 2u * at->pairs; k++) {
      const alea_gpu_value *value = &plan->values.data[at->literals[k] >> 1];
      bool brief = !group->loop || (value->made >= group->first && !value->cell);
      live_until(c, at->literals[k], brief ? at->level : group->last, i);
    }
    live_until(c, 2 * at->value, at->cell ? group->last : at->level, i);
  }
}

/* What a loop reads from outside must outlive it, and so must its cells. */
static void find_lives(plan_clock *c) {
  const alea_gpu_plan *plan = c->plan;
  const alea_lanes_program *p = plan->program;
  for (uint32_t f = 0; f < plan->fluent_count; f++) c->reader[f] = NONE;
  find_lives_of_instructions(c);
  live_until(c, plan->terminal, plan->read_goals, NONE);
  for (size_t i = 0; i < p->goal_count; i++) live_until(c, plan->goals[i], plan->read_goals, NONE);
  for (uint32_t r = 0; r < p->role_count; r++) {
    uint32_t draw = alea_gpu_draw_level(plan, r), first = p->roles[r].first_group;
    if (p->roles[r].move_count == 1) live_until(c, plan->only[r], draw, NONE);
    for (uint32_t i = 0; p->roles[r].group_count > 0 && i < p->roles[r].move_count; i++)
      live_until(c, plan->legal.data[first * ALEA_LANES_GROUP + i], draw, NONE);
  }
}

/* ---- the next position ---- */

/* The last level at which anybody but 'reader' reads fluent 'f'. */
static uint32_t last_other(const plan_clock *c, uint32_t f, uint32_t reader) {
  return c->reader[f] == reader ? c->others[f]
                                : c->plan->values.data[ALEA_LANES_FIRST_FLUENT + f].last;
}

/* Puts the instruction that makes the next value of fluent 'f' after all others that read the old
 * one, if it can be: nobody reads what it makes, nor is what it reads gone by then. */
static void delay(plan_clock *c, uint32_t index, uint32_t f, uint32_t first) {
  alea_gpu_plan *plan = c->plan;
  alea_gpu_instruction *at = &plan->instructions.data[index];
  alea_gpu_value *made = &plan->values.data[at->value];
  uint32_t level = last_other(c, f, index) + 1;
  if (at->level >= level || at->level < first || made->last > at->level) return;
  for (uint32_t k = 0; k < 2u * at->pairs; k++) {
    uint32_t value = at->literals[k] >> 1;
    if (!alea_gpu_is_fluent(plan, value)) continue;
    const alea_gpu_value *next =
        &plan->values.data[plan->next[value - ALEA_LANES_FIRST_FLUENT] >> 1];
    if (next->place == value && next->made <= level) return;
  }
  for (uint32_t k = 0; k < 2u * at->pairs; k++) live_until(c, at->literals[k], level, index);
  at->level = made->made = made->level = made->last = level;
  if (level > plan->last) plan->last = level;
}

/* The next value of a fluent is made in its place, where nobody reads the old one at the same
 * time or later; else it is copied at the end. */
static bool settle_next(plan_clock *c) {
  alea_gpu_plan *plan = c->plan;
  const alea_gpu_group *group =
      plan->groups.count > 0 ? &plan->groups.data[plan->groups.count - 1] : NULL;
  bool late = group != NULL && group->section == ALEA_LANES_NEXT && !group->loop;
  uint32_t first = late ? group->first : UINT32_MAX;
  for (size_t i = 0; i < plan->values.count; i++) c->stage[i] = NONE; /* who makes it */
  for (size_t i = 0; i < plan->instructions.count; i++)
    if (!plan->instructions.data[i].cell) c->stage[plan->instructions.data[i].value] = (uint32_t)i;
  for (uint32_t f = 0; f < plan->fluent_count; f++) {
    uint32_t own = ALEA_LANES_FIRST_FLUENT + f, value = plan->next[f] >> 1;
    if (value == own) continue;
    delay(c, c->stage[value], f, first);
    if (plan->values.data[value].made > last_other(c, f, c->stage[value]))
      plan->values.data[value].place = own;
  }
  uint32_t end = plan->last + 1;
  for (uint32_t f = 0; f < plan->fluent_count; f++) {
    uint32_t own = ALEA_LANES_FIRST_FLUENT + f, value = plan->next[f] >> 1;
    if (value == own || plan->values.data[value].place == own) continue;
    alea_gpu_instruction copy = {.literals = {2 * value, 0},
                                 .value = own,
                                 .level = end,
                                 .section = ALEA_LANES_NEXT,
                                 .pairs = 1};
    live_until(c, 2 * value, end, NONE);
    if (!alea_vec_push(c->mem, &plan->instructions, copy)) return false;
    plan->last = end;
  }
  return true;
}

/* What was put later belongs to a group, too. */
static bool extend_groups(plan_clock *c) {
  alea_gpu_plan *plan = c->plan;
  alea_gpu_group *group =
      plan->groups.count > 0 ? &plan->groups.data[plan->groups.count - 1] : NULL;
  uint32_t last = alea_gpu_draw_level(plan, plan->program->role_count) - 1;
  if (group != NULL && group->section == ALEA_LANES_NEXT) last = group->last;
  if (plan->last <= last) return true;
  if (group != NULL && group->section == ALEA_LANES_NEXT && !group->loop) {
    group->last = plan->last;
    return true;
  }
  return alea_vec_push(
      c->mem, &plan->groups,
      (alea_gpu_group){.first = last + 1, .last = plan->last, .section = ALEA_LANES_NEXT});
}

alea_status alea_gpu_plan_level(alea_gpu_plan *plan) {
  size_t values = plan->values.count, count = plan->instructions.count;
  plan_clock c = {.plan = plan, .mem = plan->mem};
  c.stage = alea_mem_calloc(c.mem, values, sizeof *c.stage);
  c.key = alea_mem_calloc(c.mem, count, sizeof *c.key);
  c.order = alea_mem_calloc(c.mem, count, sizeof *c.order);
  c.reader = alea_mem_calloc(c.mem, plan->fluent_count, sizeof *c.reader);
  c.others = alea_mem_calloc(c.mem, plan->fluent_count, sizeof *c.others);
  bool good = c.stage != NULL && c.key != NULL && c.order != NULL && c.reader != NULL &&
              c.others != NULL && level_all(&c);
  if (good) find_lives(&c);
  good = good && settle_next(&c) && extend_groups(&c);
  alea_mem_free(c.mem, c.stage, values * sizeof *c.stage);
  alea_mem_free(c.mem, c.key, count * sizeof *c.key);
  alea_mem_free(c.mem, c.order, count * sizeof *c.order);
  alea_mem_free(c.mem, c.reader, plan->fluent_count * sizeof *c.reader);
  alea_mem_free(c.mem, c.others, plan->fluent_count * sizeof *c.others);
  return good ? ALEA_OK : alea_mem_lack(plan->mem);
}
