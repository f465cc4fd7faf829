/* From a program of lanes to instructions: single assignments, and trees for chains. */
#include <string.h>

#include "gpu/plan.h"
#include "propnet/lanes_form.h"

#define NONE ALEA_GPU_NONE
enum { TRUE = 0, FALSE = 1 }; /* literals */

/* What an AND is of: literals, and ORs of two. */
typedef struct plan_term {
  uint32_t a, b; /* 'b' may be NONE */
} plan_term;

/* An AND of any number of terms. */
typedef struct plan_op {
  uint32_t first, count; /* in 'terms' */
  uint32_t value, loop;
  uint8_t section;
  bool invert, cell, begins;
  bool absorbed; /* by the only one that reads it */
} plan_op;

typedef struct gpu_plan_reader {
  alea_gpu_plan *plan;
  alea_mem *mem;
  uint32_t *now; /* per slot: the literal that is in it */
  ALEA_VEC(plan_op) ops;
  ALEA_VEC(plan_term) terms;
  alea_u32s maker;   /* per value: the op, or NONE */
  alea_u32s forward; /* per value: the literal that it is now, or NONE */
  alea_u32s uses;    /* per value */
  alea_u32s depth;   /* per value: instructions on the longest way to it in its section */
  ALEA_VEC(plan_term) flat, wait; /* terms of one op: ORs, and single literals */
  alea_u32s stack;
  uint32_t loop; /* the one that is read */
  uint8_t section;
  bool ok;
} gpu_plan_reader;

static uint32_t slot_of(uint32_t offset) { return offset / (uint32_t)sizeof(uint32_t); }

static uint32_t add_value(gpu_plan_reader *r, uint32_t maker, uint32_t loop) {
  r->ok = r->ok &&
          alea_vec_push(r->mem, &r->plan->values, (alea_gpu_value){.place = NONE, .loop = loop}) &&
          alea_vec_push(r->mem, &r->maker, maker) && alea_vec_push(r->mem, &r->forward, NONE) &&
          alea_vec_push(r->mem, &r->uses, 0) && alea_vec_push(r->mem, &r->depth, 0);
  return r->ok ? (uint32_t)r->plan->values.count - 1 : 0;
}

/* ---- operations ---- */

/* An operation while its terms are added. */
typedef struct plan_and {
  size_t first;
  bool is_false, in_loop;
} plan_and;

static plan_and begin_and(const gpu_plan_reader *r) { return (plan_and){.first = r->terms.count}; }

/* Adds `a or b`; 'b' may be NONE. */
static void add_term(gpu_plan_reader *r, plan_and *and, uint32_t a, uint32_t b) {
  if (a == TRUE || b == TRUE) return;
  if (b == FALSE) b = NONE;
  if (a == FALSE) {
    a = b;
    b = NONE;
  }
  if (a == NONE || a == FALSE) {
    and->is_false = true;
    return;
  }
  uint32_t loop = r->loop;
  if (loop != 0 && (r->plan->values.data[a >> 1].loop == loop ||
                    (b != NONE && r->plan->values.data[b >> 1].loop == loop)))
    and->in_loop = true;
  r->ok = r->ok && alea_vec_push(r->mem, &r->terms, (plan_term){a, b});
}

/* The literal of what was added.  No instruction is needed for a constant or a copy.  What a loop
 * computes from outside alone is made before it, if there is room for that. */
static uint32_t end_and(gpu_plan_reader *r, const plan_and *and, bool invert) {
  size_t count = r->terms.count - and->first;
  const plan_term *term = r->terms.data + and->first;
  uint32_t literal = NONE;
  if (!r->ok) return TRUE;
  if (and->is_false)
    literal = FALSE;
  else if (count == 0)
    literal = TRUE;
  else if (count == 1 && term->b == NONE)
    literal = term->a;
  if (literal != NONE) {
    r->terms.count = and->first;
    return literal ^ (invert ? 1 : 0);
  }
  plan_op op = {.first = (uint32_t) and->first,
                .count = (uint32_t)count,
                .loop = and->in_loop || r->plan->window != UINT32_MAX ? r->loop : 0,
                .section = r->section,
                .invert = invert};
  op.value = add_value(r, (uint32_t)r->ops.count, op.loop);
  r->ok = r->ok && alea_vec_push(r->mem, &r->ops, op);
  return 2 * op.value;
}

/* An operation for 'value', which is the only thing it is for. */
static void add_copy(gpu_plan_reader *r, uint32_t literal, plan_op op) {
  op.first = (uint32_t)r->terms.count;
  op.count = 1;
  op.section = r->section;
  r->ok = r->ok && alea_vec_push(r->mem, &r->terms, (plan_term){literal, NONE}) &&
          alea_vec_push(r->mem, &r->ops, op);
}

/* One operation; returns the code after it. */
static const uint32_t *read_operation(gpu_plan_reader *r, const uint32_t *code,
                                      const alea_lanes_form *form) {
  plan_and and = begin_and(r);
  uint32_t slot = slot_of(*code++);
  for (int k = 0; k < form->plain + form->negated; k++)
    add_term(r, &and, r->now[slot_of(*code++)] ^ (k >= form->plain ? 1 : 0), NONE);
  for (int k = 0; k < form->nand + form->imply + form->either; k++, code += 2) {
    uint32_t first = k >= form->nand + form->imply ? 0 : 1, second = k < form->nand ? 1 : 0;
    add_term(r, &and, r->now[slot_of(code[0])] ^ first, r->now[slot_of(code[1])] ^ second);
  }
  r->now[slot] = end_and(r, &and, form->invert != 0);
  return code;
}

/* ---- loops ---- */

static const uint32_t *begin_loop(gpu_plan_reader *r, const uint32_t *code, uint32_t count,
                                  bool kept) {
  alea_gpu_loop loop = {.section = r->section};
  if (kept) loop.passed_over = *code++ != 0;
  r->ok = r->ok && alea_vec_push(r->mem, &r->plan->loops, loop);
  r->loop = (uint32_t)r->plan->loops.count;
  for (uint32_t i = 0; r->ok && i < count; i++) {
    uint32_t slot = slot_of(code[i]), cell = kept ? slot : add_value(r, NONE, r->loop);
    if (!r->ok) break;
    r->plan->values.data[cell].loop = r->loop;
    r->plan->values.data[cell].cell = true;
    r->now[slot] = 2 * cell;
    if (!kept) add_copy(r, FALSE, (plan_op){.value = cell, .loop = r->loop, .begins = true});
  }
  return code + count;
}

/* A value of the loop that a cell becomes is written there and nowhere else. */
static void feed(gpu_plan_reader *r, uint32_t cell, uint32_t literal) {
  uint32_t value = literal >> 1, maker = r->maker.data[value];
  plan_op *op = maker != NONE ? &r->ops.data[maker] : NULL;
  if (op != NULL && op->loop == r->loop && !op->cell) {
    op->cell = true;
    op->value = cell;
    op->invert = op->invert != ((literal & 1) != 0);
    r->forward.data[value] = 2 * cell | (literal & 1);
  } else {
    add_copy(r, literal, (plan_op){.value = cell, .loop = r->loop, .cell = true});
  }
}

static const uint32_t *end_loop(gpu_plan_reader *r, const uint32_t *code, uint32_t count) {
  for (; r->ok && count > 0; count--, code += 3)
    feed(r, r->now[slot_of(code[0])] >> 1, r->now[slot_of(code[1])] ^ (code[2] != 0 ? 1 : 0));
  r->loop = 0;
  return code;
}

/* ---- sections ---- */

static const alea_lanes_form forms[] = {
#define FORM(p, q, n, i, e) {p, q, n, i, e, 0}, {p, q, n, i, e, 1},
    ALEA_LANES_FORMS(FORM)
#undef FORM
};

static void read_section(gpu_plan_reader *r, alea_lanes_section section) {
  const alea_lanes_program *p = r->plan->program;
  const uint32_t *code = p->code.data + (section == 0 ? 0 : p->section_end[section - 1]);
  const uint32_t *end = p->code.data + p->section_end[section];
  r->section = (uint8_t)section;
  while (r->ok && code < end) {
    uint32_t header = *code++, count = header & 0xffffff, number = header >> 24;
    if (number == ALEA_LANES_LOOP || number == ALEA_LANES_KEPT) {
      code = begin_loop(r, code, count, number == ALEA_LANES_KEPT);
    } else if (number == ALEA_LANES_AGAIN) {
      code = end_loop(r, code, count);
    } else {
      alea_lanes_form form =
          number < ALEA_LANES_LONG ? forms[number] : alea_lanes_form_unpack(*code++);
      for (; r->ok && count > 0; count--) code = read_operation(r, code, &form);
    }
  }
}

static void read_legal(gpu_plan_reader *r) {
  const alea_lanes_program *p = r->plan->program;
  for (size_t g = 0; r->ok && g < p->groups.count; g++)
    for (int i = 0; i < ALEA_LANES_GROUP; i++) {
      bool move = p->groups.data[g].move[i] != ALEA_NO_MOVE;
      uint32_t literal = move ? r->now[slot_of(p->groups.data[g].legal[i])] : NONE;
      r->ok = r->ok && alea_vec_push(r->mem, &r->plan->legal, literal);
    }
  for (uint32_t i = 0; i < p->role_count; i++) r->plan->only[i] = r->now[p->roles[i].only];
  r->plan->terminal = r->now[p->terminal >> 1] ^ (p->terminal & 1);
}

/* Every fluent that changes gets a value of its own, made by an operation outside of loops. */
static void read_next(gpu_plan_reader *r) {
  alea_gpu_plan *plan = r->plan;
  uint8_t *taken = alea_mem_calloc(r->mem, plan->values.count, 1);
  size_t count = plan->values.count;
  r->ok = r->ok && taken != NULL;
  for (uint32_t f = 0; r->ok && f < plan->fluent_count; f++) {
    uint32_t own = ALEA_LANES_FIRST_FLUENT + f, literal = r->now[own], value = literal >> 1;
    plan->next[f] = literal;
    if (literal == 2 * own) continue;
    uint32_t maker = r->maker.data[value];
    if ((literal & 1) != 0 || maker == NONE || r->ops.data[maker].loop != 0 || taken[value] != 0) {
      uint32_t copy = add_value(r, (uint32_t)r->ops.count, 0);
      add_copy(r, literal, (plan_op){.value = copy});
      plan->next[f] = 2 * copy;
    } else {
      taken[value] = 1;
    }
  }
  alea_mem_free(r->mem, taken, count);
}

/* Marks what is read when moves have been drawn. */
static void mark_late(const gpu_plan_reader *r, uint8_t *late) {
  for (size_t i = 0; i < r->ops.count; i++) {
    const plan_op *op = &r->ops.data[i];
    for (uint32_t k = 0; op->section == ALEA_LANES_NEXT && k < op->count; k++) {
      const plan_term *term = &r->terms.data[op->first + k];
      late[term->a >> 1] = 1;
      if (term->b != NONE) late[term->b >> 1] = 1;
    }
  }
  for (uint32_t f = 0; f < r->plan->fluent_count; f++) late[r->plan->next[f] >> 1] = 1;
}

/* Every move gets a value for its legality, of its own and made by an operation outside of loops.
 */
static void separate_legal(gpu_plan_reader *r) {
  alea_gpu_plan *plan = r->plan;
  size_t count = plan->values.count;
  uint8_t *taken = alea_mem_calloc(r->mem, count, 1);
  r->ok = r->ok && taken != NULL;
  r->section = ALEA_LANES_STATE;
  if (r->ok) mark_late(r, taken);
  for (uint32_t i = 0; r->ok && i < plan->program->role_count; i++)
    if (plan->program->roles[i].move_count == 1) taken[plan->only[i] >> 1] = 1;
  for (size_t i = 0; r->ok && i < plan->legal.count; i++) {
    uint32_t literal = plan->legal.data[i], value = literal >> 1;
    if (literal == NONE) continue;
    uint32_t maker = r->maker.data[value];
    if ((literal & 1) != 0 || maker == NONE || r->ops.data[maker].loop != 0 ||
        r->ops.data[maker].section != ALEA_LANES_STATE || taken[value] != 0) {
      uint32_t copy = add_value(r, (uint32_t)r->ops.count, 0);
      add_copy(r, literal, (plan_op){.value = copy});
      value = copy;
    } else {
      taken[value] = 1;
    }
    plan->legal.data[i] = 2 * value;
  }
  alea_mem_free(r->mem, taken, count);
}

static void read_program(gpu_plan_reader *r) {
  const alea_lanes_program *p = r->plan->program;
  read_section(r, ALEA_LANES_STATE);
  if (r->ok) read_legal(r);
  read_section(r, ALEA_LANES_GOAL);
  for (size_t g = 0; g < p->goal_count; g++)
    r->plan->goals[g] = r->now[p->goals[g] >> 1] ^ (p->goals[g] & 1);
  read_section(r, ALEA_LANES_NEXT);
  if (r->ok) read_next(r);
  if (r->ok) separate_legal(r);
}

/* ---- who reads what ---- */

static void resolve(const gpu_plan_reader *r, uint32_t *literal) {
  if (*literal == NONE) return;
  uint32_t forward = r->forward.data[*literal >> 1];
  if (forward != NONE) *literal = forward ^ (*literal & 1);
  r->uses.data[*literal >> 1]++;
}

static void resolve_all(gpu_plan_reader *r) {
  alea_gpu_plan *plan = r->plan;
  for (size_t i = 0; i < r->terms.count; i++) {
    resolve(r, &r->terms.data[i].a);
    resolve(r, &r->terms.data[i].b);
  }
  for (size_t i = 0; i < plan->legal.count; i++) resolve(r, &plan->legal.data[i]);
  for (uint32_t i = 0; i < plan->program->role_count; i++) resolve(r, &plan->only[i]);
  for (size_t g = 0; g < plan->program->goal_count; g++) resolve(r, &plan->goals[g]);
  for (uint32_t f = 0; f < plan->fluent_count; f++) resolve(r, &plan->next[f]);
  resolve(r, &plan->terminal);
}

/* An AND that only one AND reads, of the same section and loop and near it, is part of that. */
static void absorb(gpu_plan_reader *r) {
  for (size_t i = 0; i < r->ops.count; i++) {
    const plan_op *op = &r->ops.data[i];
    for (uint32_t k = 0; k < op->count; k++) {
      const plan_term *term = &r->terms.data[op->first + k];
      uint32_t value = term->a >> 1, maker = r->maker.data[value];
      if (term->b != NONE || maker == NONE || r->uses.data[value] != 1) continue;
      plan_op *other = &r->ops.data[maker];
      other->absorbed = !other->cell && other->invert == ((term->a & 1) != 0) &&
                        other->section == op->section && other->loop == op->loop &&
                        maker / r->plan->window == i / r->plan->window;
    }
  }
}

/* ---- instructions ---- */

/* How late a term of an operation of 'loop' is known.  Cells are there at once. */
static uint32_t depth_of(const gpu_plan_reader *r, const plan_term *term, uint32_t loop) {
  uint32_t most = 0, literals[2] = {term->a, term->b};
  for (int k = 0; k < 2; k++) {
    if (literals[k] == NONE) continue;
    const alea_gpu_value *value = &r->plan->values.data[literals[k] >> 1];
    uint32_t depth = r->depth.data[literals[k] >> 1];
    if ((loop == 0 || (value->loop == loop && !value->cell)) && depth > most) most = depth;
  }
  return most;
}

/* Puts a term among 'flat' (ORs) or 'wait' (literals), the latest first. */
static void queue_term(gpu_plan_reader *r, plan_term term, uint32_t loop) {
  uint32_t depth = depth_of(r, &term, loop);
  bool pair = term.b != NONE;
  r->ok = r->ok &&
          (pair ? alea_vec_push(r->mem, &r->flat, term) : alea_vec_push(r->mem, &r->wait, term));
  if (!r->ok) return;
  plan_term *terms = pair ? r->flat.data : r->wait.data;
  size_t i = (pair ? r->flat.count : r->wait.count) - 1;
  for (; i > 0 && depth_of(r, &terms[i - 1], loop) < depth; i--) terms[i] = terms[i - 1];
  terms[i] = term;
}

/* The terms of an operation, with those of what it absorbed. */
static void queue_terms(gpu_plan_reader *r, uint32_t op) {
  r->flat.count = r->wait.count = r->stack.count = 0;
  r->ok = r->ok && alea_vec_push(r->mem, &r->stack, op);
  while (r->ok && r->stack.count > 0) {
    const plan_op *o = &r->ops.data[r->stack.data[--r->stack.count]];
    for (uint32_t k = 0; r->ok && k < o->count; k++) {
      plan_term term = r->terms.data[o->first + k];
      uint32_t maker = term.b == NONE ? r->maker.data[term.a >> 1] : NONE;
      if (maker != NONE && r->ops.data[maker].absorbed)
        r->ok = alea_vec_push(r->mem, &r->stack, maker);
      else
        queue_term(r, term, r->ops.data[op].loop);
    }
  }
}

/* Puts a pair of an instruction where it belongs: ORs come first. */
static void put_pair(alea_gpu_instruction *made, uint32_t a, uint32_t b, bool either) {
  uint32_t at = either ? made->ors++ : made->pairs;
  for (uint32_t k = made->pairs; k > at; k--) {
    made->literals[2 * k] = made->literals[2 * k - 2];
    made->literals[2 * k + 1] = made->literals[2 * k - 1];
  }
  made->literals[2 * at] = a;
  made->literals[2 * at + 1] = b;
  made->pairs++;
}

/* Takes the earliest terms into an instruction, as many as fit. */
static void take_terms(gpu_plan_reader *r, alea_gpu_instruction *made) {
  uint32_t depth = 0, loop = made->loop;
  while (made->pairs < ALEA_GPU_PAIRS && r->flat.count + r->wait.count > 0) {
    size_t singles = r->wait.count < 2 ? r->wait.count : 2, ors = r->flat.count;
    uint32_t later = singles > 0 ? depth_of(r, &r->wait.data[r->wait.count - singles], loop) : 0;
    if (ors > 0 && (singles == 0 || depth_of(r, &r->flat.data[ors - 1], loop) < later)) {
      later = depth_of(r, &r->flat.data[ors - 1], loop);
      put_pair(made, r->flat.data[ors - 1].a, r->flat.data[ors - 1].b, true);
      r->flat.count--;
    } else {
      put_pair(made, r->wait.data[r->wait.count - 1].a,
               singles == 2 ? r->wait.data[r->wait.count - 2].a : TRUE, false);
      r->wait.count -= singles;
    }
    if (later > depth) depth = later;
  }
  r->depth.data[made->value] = depth + 1;
}

/* One operation as a tree of instructions. */
static void put_operation(gpu_plan_reader *r, uint32_t index) {
  const plan_op op = r->ops.data[index];
  alea_gpu_instruction made = {.section = op.section, .loop = op.loop};
  queue_terms(r, index);
  while (r->ok && r->flat.count + (r->wait.count + 1) / 2 > ALEA_GPU_PAIRS) {
    alea_gpu_instruction part = made;
    part.value = add_value(r, NONE, op.loop);
    if (!r->ok) return;
    take_terms(r, &part);
    r->ok = alea_vec_push(r->mem, &r->plan->instructions, part);
    queue_term(r, (plan_term){2 * part.value, NONE}, op.loop);
  }
  made.value = op.value;
  made.invert = op.invert;
  made.cell = op.cell;
  made.begins = op.begins;
  if (r->ok) take_terms(r, &made);
  r->ok = r->ok && alea_vec_push(r->mem, &r->plan->instructions, made);
}

static void put_operations(gpu_plan_reader *r) {
  for (int section = 0; section < ALEA_LANES_SECTIONS; section++) {
    memset(r->depth.data, 0, r->depth.count * sizeof *r->depth.data); /* what was made is there */
    for (uint32_t i = 0; r->ok && i < r->ops.count; i++)
      if (r->ops.data[i].section == section && !r->ops.data[i].absorbed) put_operation(r, i);
  }
}

static void clear(gpu_plan_reader *r) {
  alea_mem_free(r->mem, r->now, r->plan->program->slot_count * sizeof *r->now);
  alea_vec_clear(r->mem, &r->ops);
  alea_vec_clear(r->mem, &r->terms);
  alea_vec_clear(r->mem, &r->maker);
  alea_vec_clear(r->mem, &r->forward);
  alea_vec_clear(r->mem, &r->uses);
  alea_vec_clear(r->mem, &r->depth);
  alea_vec_clear(r->mem, &r->flat);
  alea_vec_clear(r->mem, &r->wait);
  alea_vec_clear(r->mem, &r->stack);
}

alea_status alea_gpu_plan_read(alea_gpu_plan *plan, const alea_net *net) {
  gpu_plan_reader r = {.plan = plan, .mem = plan->mem, .ok = true};
  r.now = alea_mem_calloc(r.mem, plan->program->slot_count, sizeof *r.now);
  r.ok = r.now != NULL;
  for (uint32_t s = 0; r.ok && s < plan->base_count; s++) {
    add_value(&r, NONE, 0);
    r.now[s] = 2 * s;
  }
  if (r.ok) r.now[alea_lanes_false_slot(net)] = FALSE;
  if (r.ok) read_program(&r);
  if (r.ok) resolve_all(&r);
  if (r.ok) absorb(&r);
  if (r.ok) put_operations(&r);
  clear(&r);
  return r.ok ? ALEA_OK : alea_mem_lack(plan->mem);
}
