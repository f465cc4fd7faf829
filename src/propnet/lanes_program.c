/* From operations to code: slots for values, runs of equal forms. */
#include "propnet/lanes_program.h"

#include <string.h>

#include "propnet/lanes_form.h"

/* Operations per window of the schedule.  Larger windows give longer runs and
 * more values alive: 512 keeps what lives within the first cache. */
enum { WINDOW = 512 };
/* So many times more moves than are made at once are worth looking at for
 * scatters in gates that read other things too. */
enum { MANY_MOVES = 4 };
#define NONE UINT32_MAX

typedef struct emitter {
  alea_lanes_program *program;
  const alea_lanes_ops *ops;
  const alea_net *net;
  alea_mem *mem;
  uint32_t word_bytes; /* of a slot */
  bool all_moves;
  uint32_t value_count;
  uint32_t *slot;    /* per value: where it is now */
  uint32_t *last;    /* per value: the operation before which its slot is free again */
  uint32_t *expires; /* per operation, and one more: the first value whose 'last' it is */
  uint32_t *chain;   /* per value: the next with the same 'last' */
  alea_u32s free;    /* slots to use again, the hottest last */
} emitter;

/* ---- how long values live ---- */

static bool is_temporary(const emitter *e, uint32_t value) {
  return value >= e->net->first_gate; /* the others have slots for good */
}

static size_t section_first(const alea_lanes_ops *ops, int section) {
  return section == 0 ? 0 : ops->section_end[section - 1];
}

/* The end of the segment that operation 'at' belongs to, within its section. */
static size_t segment_end(const alea_lanes_ops *ops, size_t at, size_t end) {
  uint32_t segment = ops->ops.data[at].segment;
  while (at < end && ops->ops.data[at].segment == segment) at++;
  return at;
}

static void live_until(emitter *e, uint32_t value, size_t at) {
  if (is_temporary(e, value) && e->last[value] < at) e->last[value] = (uint32_t)at;
}

/* Readings in operations first .. end-1 of 'section', of values that are
 * computed in 'home'.  What a cycle reads from outside must outlive it; so
 * must, for simplicity, what it computes. */
static void note_readings(emitter *e, alea_lanes_section section, alea_lanes_section home) {
  const alea_lanes_ops *ops = e->ops;
  size_t end = ops->section_end[section], stop = 0;
  for (size_t i = section_first(ops, section); i < end; i++) {
    const alea_lanes_op *op = &ops->ops.data[i];
    bool cycle = op->segment % 2 == 1;
    if (cycle && i >= stop) stop = segment_end(ops, i, end);
    uint32_t count = alea_lanes_form_operands(&op->form);
    for (uint32_t k = 0; k < count; k++) {
      uint32_t value = ops->operands.data[op->first + k];
      if (alea_lanes_home(ops, value, section) == home) live_until(e, value, cycle ? stop : i);
    }
    if (cycle && section == home) live_until(e, op->value, stop);
  }
}

static void note_roots(emitter *e, alea_lanes_section home, alea_lanes_part part) {
  const alea_lanes_logic *logic = e->ops->logic;
  size_t chosen = e->ops->section_end[ALEA_LANES_GOAL];
  if (part == ALEA_LANES_STEP && home == ALEA_LANES_STATE) {
    live_until(e, logic->terminal >> 1, chosen);
    for (uint32_t m = 0; m < e->net->move_count; m++) live_until(e, e->ops->legal[m], chosen);
  }
  for (size_t g = 0; g < e->net->goals.count; g++)
    if (home == alea_lanes_home(e->ops, logic->goals[g] >> 1, ALEA_LANES_GOAL))
      live_until(e, logic->goals[g] >> 1, chosen);
}

/* Sorts the values that 'home' computes by where they end. */
static void note_expiry(emitter *e, alea_lanes_section home) {
  const alea_lanes_ops *ops = e->ops;
  for (size_t i = section_first(ops, home); i < ops->section_end[home]; i++) {
    uint32_t value = ops->ops.data[i].value, at = e->last[value];
    if (at == 0) at = (uint32_t)i + 1; /* nobody reads it */
    e->chain[value] = e->expires[at];
    e->expires[at] = value;
  }
}

/* ---- slots ---- */

static uint32_t first_temporary(const emitter *e) {
  return e->program->first_kept_slot + e->program->kept_count;
}

static uint32_t take_slot(emitter *e) {
  if (e->free.count > 0) return e->free.data[--e->free.count];
  return e->program->slot_count++;
}

static bool release_expired(emitter *e, size_t at) {
  for (uint32_t v = e->expires[at]; v != NONE; v = e->chain[v])
    if (e->slot[v] >= first_temporary(e) && !alea_vec_push(e->mem, &e->free, e->slot[v]))
      return false;
  return true;
}

/* Once moves are chosen, what legality and the goals needed is dead; the gates
 * of the goals may be computed again for next, under the same numbers.
 * Collected ORs take their slots before: what the first operation of next is
 * the last to read must survive them. */
static bool release_before_next(emitter *e) {
  for (size_t i = 0; i < e->ops->scatters.count; i++)
    if (!alea_vec_push(e->mem, &e->program->scatter_cleared, take_slot(e))) return false;
  size_t at = e->ops->section_end[ALEA_LANES_GOAL];
  bool ok = release_expired(e, at);
  e->expires[at] = NONE;
  return ok;
}

static uint32_t slot_lit(const emitter *e, alea_lit lit) {
  bool inverted = e->ops->inverted[lit >> 1];
  return 2 * e->slot[lit >> 1] + ((lit & 1) != inverted);
}

/* ---- code ---- */

static bool put(emitter *e, uint32_t word) {
  return alea_vec_push(e->mem, &e->program->code, word);
}

static uint32_t offset(const emitter *e, uint32_t slot) { return slot * e->word_bytes; }

/* The number of the evaluator's loop for a form. */
static uint32_t form_number(const alea_lanes_form *form) {
  alea_lanes_form plain = *form;
  plain.invert = 0;
  uint32_t key = alea_lanes_form_key(&plain), number = 0;
#define MATCH(p, q, n, i, x)                                                               \
  {                                                                                        \
    alea_lanes_form line = {.plain = p, .negated = q, .nand = n, .imply = i, .either = x}; \
    if (alea_lanes_form_key(&line) == key) return 2 * number + form->invert;               \
    number++;                                                                              \
  }
  ALEA_LANES_FORMS(MATCH)
#undef MATCH
  return ALEA_LANES_LONG;
}

static bool emit_op(emitter *e, size_t at) {
  const alea_lanes_op *op = &e->ops->ops.data[at];
  uint32_t count = alea_lanes_form_operands(&op->form);
  size_t dst = e->program->code.count;
  if (!put(e, 0)) return false;
  for (uint32_t k = 0; k < count; k++)
    if (!put(e, offset(e, e->slot[e->ops->operands.data[op->first + k]]))) return false;
  if (!release_expired(e, at)) return false;
  e->slot[op->value] =
      op->fluent != ALEA_LANES_NO_FLUENT ? ALEA_LANES_FIRST_FLUENT + op->fluent : take_slot(e);
  e->program->code.data[dst] = offset(e, e->slot[op->value]);
  return true;
}

/* Operations first .. end-1, all of one form. */
static bool emit_run(emitter *e, size_t first, size_t end) {
  const alea_lanes_form *form = &e->ops->ops.data[first].form;
  uint32_t number = form_number(form);
  if (!put(e, number << 24 | (uint32_t)(end - first))) return false;
  if (number == ALEA_LANES_LONG && !put(e, ALEA_LANES_PACK(form))) return false;
  for (size_t i = first; i < end; i++)
    if (!emit_op(e, i)) return false;
  e->program->run_count++;
  return true;
}

static bool emit_straight(emitter *e, size_t first, size_t end) {
  while (first < end) {
    size_t stop = first + 1;
    uint32_t key = alea_lanes_form_key(&e->ops->ops.data[first].form);
    while (stop < end && stop - first < 1u << 23 &&
           alea_lanes_form_key(&e->ops->ops.data[stop].form) == key)
      stop++;
    if (!emit_run(e, first, stop)) return false;
    first = stop;
  }
  return true;
}

/* The first feedback of 'segment' or later. */
static size_t first_feedback(const emitter *e, uint32_t segment) {
  const alea_lanes_logic *logic = e->ops->logic;
  size_t low = 0, high = logic->feedbacks.count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (logic->feedbacks.data[middle].segment < segment)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Whether a feedback goes round in 'section', and not elsewhere or nowhere. */
static bool goes_round(const emitter *e, const alea_lanes_feedback *feedback, int section) {
  uint32_t target = feedback->target >> 1;
  return (e->ops->need[feedback->leaf] & 1u << section) != 0 &&
         alea_lanes_home(e->ops, target, (alea_lanes_section)section) ==
             (alea_lanes_section)section;
}

static bool put_leaf(emitter *e, const alea_lanes_feedback *feedback) {
  if (feedback->kept == 0) e->slot[feedback->leaf] = take_slot(e);
  return put(e, offset(e, e->slot[feedback->leaf]));
}

static bool put_feedback(emitter *e, const alea_lanes_feedback *feedback) {
  uint32_t target = slot_lit(e, feedback->target);
  return put(e, offset(e, e->slot[feedback->leaf])) && put(e, offset(e, target >> 1)) &&
         put(e, target & 1) &&
         (feedback->kept != 0 || alea_vec_push(e->mem, &e->free, e->slot[feedback->leaf]));
}

/* The header of a loop; '*kept' says whether its leaves are kept. */
static bool begin_cycle(emitter *e, int section, uint32_t segment, uint32_t count, bool *kept) {
  alea_lanes_kept_loop loop = {.part = alea_lanes_kept_part_of(e->ops->logic, segment),
                               .section = (uint32_t)section,
                               .at = e->program->code.count + 1};
  *kept = loop.part != ALEA_LANES_NOT_KEPT;
  if (!*kept) return put(e, (uint32_t)ALEA_LANES_LOOP << 24 | count);
  return put(e, (uint32_t)ALEA_LANES_KEPT << 24 | count) && put(e, 0) &&
         alea_vec_push(e->mem, &e->program->kept_loops, loop);
}

/* A cyclic part.  The leaves keep their slots until it is through. */
static bool emit_cycle(emitter *e, int section, size_t first, size_t end) {
  const alea_lanes_logic *logic = e->ops->logic;
  uint32_t segment = e->ops->ops.data[first].segment;
  size_t f0 = first_feedback(e, segment), f1 = first_feedback(e, segment + 1);
  uint32_t count = 0;
  for (size_t f = f0; f < f1; f++) count += goes_round(e, &logic->feedbacks.data[f], section);
  bool kept;
  if (!begin_cycle(e, section, segment, count, &kept)) return false;
  for (size_t f = f0; f < f1; f++)
    if (goes_round(e, &logic->feedbacks.data[f], section) &&
        !put_leaf(e, &logic->feedbacks.data[f]))
      return false;
  if (!emit_straight(e, first, end)) return false;
  if (!put(e, (uint32_t)ALEA_LANES_AGAIN << 24 | count)) return false;
  for (size_t f = f0; f < f1; f++)
    if (goes_round(e, &logic->feedbacks.data[f], section) &&
        !put_feedback(e, &logic->feedbacks.data[f]))
      return false;
  alea_lanes_program *program = e->program;
  if (!kept) return true;
  alea_lanes_kept_loop *loop = &program->kept_loops.data[program->kept_loops.count - 1];
  loop->length = (uint32_t)(program->code.count - loop->at - 1);
  return true;
}

static bool emit_section(emitter *e, int section) {
  const alea_lanes_ops *ops = e->ops;
  size_t first = section_first(ops, section), end = ops->section_end[section];
  e->program->op_count[section] = (uint32_t)(end - first);
  for (size_t i = first; i < end; i++)
    e->program->operand_count[section] += alea_lanes_form_operands(&ops->ops.data[i].form);
  while (first < end) {
    size_t stop = segment_end(ops, first, end);
    bool cycle = ops->ops.data[first].segment % 2 == 1;
    if (!(cycle ? emit_cycle(e, section, first, stop) : emit_straight(e, first, stop)))
      return false;
    first = stop;
  }
  e->program->section_end[section] = e->program->code.count;
  return true;
}

/* ---- scatters ---- */

/* The collected ORs are as if they were computed just before next. */
static void place_scatters(emitter *e) {
  const alea_lanes_ops *ops = e->ops;
  for (size_t i = 0; i < ops->scatters.count; i++) {
    uint32_t value = ops->scatters.data[i].value, at = e->last[value];
    e->slot[value] = e->program->scatter_cleared.data[i];
    e->chain[value] = e->expires[at];
    e->expires[at] = value;
  }
}

/* The slots that each move is added to, from the moves of each slot. */
static bool set_scatters(emitter *e) {
  const alea_lanes_ops *ops = e->ops;
  alea_lanes_program *program = e->program;
  size_t total = ops->scattered.count, moves = e->net->move_count;
  if (total == 0) return true;
  program->scatter_first = alea_mem_calloc(e->mem, moves + 1, sizeof *program->scatter_first);
  if (program->scatter_first == NULL || !alea_vec_reserve(e->mem, &program->scatter_slots, total))
    return false;
  uint32_t *first = program->scatter_first;
  for (size_t i = 0; i < total; i++) first[ops->scattered.data[i] - program->first_move_slot]++;
  uint32_t sum = 0;
  for (size_t m = 0; m <= moves; m++) first[m] = sum += first[m]; /* ends; then filled downward */
  for (size_t s = 0; s < ops->scatters.count; s++)
    for (uint32_t k = 0; k < ops->scatters.data[s].count; k++) {
      uint32_t node = ops->scattered.data[ops->scatters.data[s].first + k];
      program->scatter_slots.data[--first[node - program->first_move_slot]] =
          e->slot[ops->scatters.data[s].value];
    }
  program->scatter_slots.count = total;
  return true;
}

/* ---- roots ---- */

/* Fills up the last group with moves that are never legal. */
static alea_lanes_group empty_group(const emitter *e) {
  alea_lanes_group group;
  for (int i = 0; i < ALEA_LANES_GROUP; i++) {
    group.legal[i] = offset(e, alea_lanes_false_slot(e->net));
    group.chosen[i] = alea_lanes_false_slot(e->net) + 1;
    group.move[i] = ALEA_NO_MOVE;
  }
  return group;
}

static bool set_role(emitter *e, uint32_t r) {
  alea_lanes_program *program = e->program;
  alea_lanes_role *role = &program->roles[r];
  role->first_group = (uint32_t)program->groups.count;
  for (uint32_t m = e->net->move_first[r]; m < e->net->move_first[r + 1]; m++) {
    if (e->ops->logic->legal[m] == ALEA_LIT_FALSE) continue;
    uint32_t at = role->move_count++ % ALEA_LANES_GROUP;
    if (at == 0 && !alea_vec_push(e->mem, &program->groups, empty_group(e))) return false;
    alea_lanes_group *group = &program->groups.data[program->groups.count - 1];
    uint32_t node = 1 + e->net->fluent_count + m;
    role->only_move = group->move[at] = m - e->net->move_first[r];
    role->only = e->slot[e->ops->legal[m]];
    group->legal[at] = offset(e, role->only);
    if (e->all_moves || e->ops->need[node] != 0) group->chosen[at] = node;
  }
  if (role->move_count == 1) program->groups.count--;
  role->group_count = (uint32_t)program->groups.count - role->first_group;
  while ((program->groups.count - role->first_group) % ALEA_LANES_GROUP != 0)
    if (!alea_vec_push(e->mem, &program->groups, empty_group(e))) return false;
  return true;
}

static bool set_moves(emitter *e) {
  for (uint32_t r = 0; r < e->program->role_count; r++)
    if (!set_role(e, r)) return false;
  return true;
}

/* Sections one after the other: slots of the goals are free again for next. */
static bool emit_all(emitter *e, alea_lanes_part part) {
  for (int section = 0; section < ALEA_LANES_SECTIONS; section++) {
    for (int reader = section; reader < ALEA_LANES_SECTIONS; reader++)
      if (reader == section || section == ALEA_LANES_STATE)
        note_readings(e, (alea_lanes_section)reader, (alea_lanes_section)section);
    note_roots(e, (alea_lanes_section)section, part);
    note_expiry(e, (alea_lanes_section)section);
    if (section == ALEA_LANES_NEXT) {
      place_scatters(e);
      if (!set_scatters(e)) return false;
    }
    if (!emit_section(e, section)) return false;
    if (section == ALEA_LANES_STATE) {
      e->program->terminal = slot_lit(e, e->ops->logic->terminal);
      if (part == ALEA_LANES_STEP && !set_moves(e)) return false;
    }
    for (size_t g = 0; section == ALEA_LANES_GOAL && g < e->program->goal_count; g++)
      e->program->goals[g] = slot_lit(e, e->ops->logic->goals[g]);
    if (section == ALEA_LANES_GOAL && !release_before_next(e)) return false;
    for (uint32_t v = e->net->first_gate; v < e->value_count; v++)
      if (alea_lanes_home(e->ops, v, ALEA_LANES_NEXT) != ALEA_LANES_STATE) e->last[v] = 0;
  }
  return true;
}

static bool prepare(emitter *e) {
  alea_lanes_program *program = e->program;
  size_t ops = e->ops->ops.count;
  e->value_count = e->ops->value_count;
  e->slot = alea_mem_calloc(e->mem, e->value_count, sizeof *e->slot);
  e->last = alea_mem_calloc(e->mem, e->value_count, sizeof *e->last);
  e->chain = alea_mem_calloc(e->mem, e->value_count, sizeof *e->chain);
  e->expires = alea_mem_alloc(e->mem, (ops + 2) * sizeof *e->expires);
  program->goals = alea_mem_calloc(e->mem, program->goal_count, sizeof *program->goals);
  program->roles = alea_mem_calloc(e->mem, program->role_count, sizeof *program->roles);
  program->changes = alea_mem_calloc(e->mem, e->net->fluent_count, 1);
  if (e->slot == NULL || e->last == NULL || e->chain == NULL || e->expires == NULL ||
      program->goals == NULL || program->roles == NULL || program->changes == NULL)
    return false;
  for (uint32_t f = 0; f < e->net->fluent_count; f++)
    program->changes[f] = e->ops->logic->next[f] != 2 * (f + 1);
  memset(e->expires, 0xff, (ops + 2) * sizeof *e->expires);
  for (uint32_t v = 0; v < e->net->first_gate; v++) e->slot[v] = v;
  program->slot_count = first_temporary(e);
  for (size_t i = 0; i < e->ops->logic->feedbacks.count; i++) {
    const alea_lanes_feedback *feedback = &e->ops->logic->feedbacks.data[i];
    if (feedback->kept != 0)
      e->slot[feedback->leaf] = program->first_kept_slot + feedback->kept - 1;
  }
  return true;
}

static alea_status emit(alea_lanes_program *program, const alea_lanes_ops *ops,
                        alea_lanes_part part, const alea_lanes_tuning *tuning) {
  alea_mem *mem = program->mem;
  emitter e = {.program = program,
               .ops = ops,
               .net = ops->logic->net,
               .mem = mem,
               .word_bytes = tuning->lanes / 8,
               .all_moves = tuning->all_moves};
  bool ok = prepare(&e) && emit_all(&e, part);
  alea_mem_free(mem, e.slot, e.value_count * sizeof *e.slot);
  alea_mem_free(mem, e.last, e.value_count * sizeof *e.last);
  alea_mem_free(mem, e.chain, e.value_count * sizeof *e.chain);
  alea_mem_free(mem, e.expires, (ops->ops.count + 2) * sizeof *e.expires);
  alea_vec_clear(mem, &e.free);
  return ok ? ALEA_OK : alea_mem_lack(mem);
}

static alea_status compile(alea_lanes_program *program, alea_lanes_logic *logic,
                           alea_lanes_part part, const alea_lanes_tuning *tuning) {
  uint32_t chosen = tuning->chosen != 0 ? tuning->chosen : tuning->lanes;
  alea_status status = alea_lanes_logic_collapse(logic);
  if (status == ALEA_OK && logic->net->move_count / MANY_MOVES > chosen)
    status = alea_lanes_logic_split(logic, 2 * MANY_MOVES);
  if (status != ALEA_OK) return status;
  alea_lanes_ops ops;
  status = alea_lanes_ops_init(&ops, logic, part == ALEA_LANES_ONLY_GOALS, chosen);
  if (status != ALEA_OK) return status;
  status = alea_lanes_ops_schedule(&ops, tuning->window != 0 ? tuning->window : WINDOW);
  if (status == ALEA_OK) status = emit(program, &ops, part, tuning);
  alea_lanes_ops_clear(&ops);
  return status;
}

alea_status alea_lanes_program_init(alea_lanes_program *program, const alea_net *net,
                                    const alea_lanes_clock *clock, uint32_t tick,
                                    const alea_lanes_kept *kept, alea_lanes_part part,
                                    const alea_lanes_tuning *tuning, alea_mem *mem) {
  *program = (alea_lanes_program){.mem = mem,
                                  .goal_count = net->goals.count,
                                  .role_count = net->role_count,
                                  .first_move_slot = 1 + net->fluent_count,
                                  .move_count = net->move_count,
                                  .first_kept_slot = alea_lanes_false_slot(net) + 2,
                                  .kept_count = kept != NULL ? (uint32_t)kept->nodes.count : 0};
  alea_lanes_logic logic;
  alea_status status = alea_lanes_logic_init(&logic, net, clock, tick, kept, mem);
  if (status != ALEA_OK) return status;
  status = compile(program, &logic, part, tuning);
  alea_lanes_logic_clear(&logic);
  if (status != ALEA_OK) alea_lanes_program_clear(program);
  return status;
}

void alea_lanes_program_clear(alea_lanes_program *program) {
  alea_mem *mem = program->mem;
  alea_vec_clear(mem, &program->code);
  alea_vec_clear(mem, &program->groups);
  alea_vec_clear(mem, &program->scatter_slots);
  alea_vec_clear(mem, &program->scatter_cleared);
  alea_vec_clear(mem, &program->kept_loops);
  if (program->scatter_first != NULL)
    alea_mem_free(mem, program->scatter_first,
                  ((size_t)program->move_count + 1) * sizeof *program->scatter_first);
  program->scatter_first = NULL;
  alea_mem_free(mem, program->goals, program->goal_count * sizeof *program->goals);
  alea_mem_free(mem, program->roles, program->role_count * sizeof *program->roles);
  alea_mem_free(mem, program->changes, program->first_move_slot - 1);
  program->goals = NULL;
  program->roles = NULL;
  program->changes = NULL;
}
