/* From a program of lanes to instructions: single assignments, and trees for chains. */
#include <stdlib.h>
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

/* Terms that wait to become part of an instruction. */
typedef struct plan_queued {
  plan_term term;
  uint32_t depth, order;
} plan_queued;
typedef struct plan_queue {
  ALEA_VEC(plan_queued) terms;
  size_t taken; /* of them, from the first on */
} plan_queue;

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
  plan_queue ors, singles, parts; /* of one op: parts are literals, too, made on the way */
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
      alea_lanes_form form = alea_lanes_form_of_run(number, &code);
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

/* Terms of one operation, each with how late it is known.  The earliest are taken first; so
 * parts, which are made of them, are queued in the order in which they are known, too. */
static bool queue_term(gpu_plan_reader *r, plan_queue *queue, plan_term term, uint32_t loop) {
  plan_queued queued = {
      .term = term, .depth = depth_of(r, &term, loop), .order = (uint32_t)queue->terms.count};
  return alea_vec_push(r->mem, &queue->terms, queued);
}

static int compare_queued(const void *a, const void *b) {
  const plan_queued *x = a, *y = b;
  if (x->depth != y->depth) return x->depth < y->depth ? -1 : 1;
  return (x->order > y->order) - (x->order < y->order);
}

static void sort_queue(plan_queue *queue) {
  if (queue->terms.count > 0)
    qsort(queue->terms.data, queue->terms.count, sizeof *queue->terms.data, compare_queued);
}

static size_t waiting(const plan_queue *queue) { return queue->terms.count - queue->taken; }

static void empty(plan_queue *queue) { queue->terms.count = queue->taken = 0; }

/* The queue of 'a' and 'b' whose first term is known earlier; neither is empty, or only one. */
static plan_queue *earlier(plan_queue *a, plan_queue *b) {
  if (waiting(a) == 0 || waiting(b) == 0) return waiting(a) == 0 ? b : a;
  return b->terms.data[b->taken].depth < a->terms.data[a->taken].depth ? b : a;
}

/* The terms of an operation, with those of what it absorbed. */
static void queue_terms(gpu_plan_reader *r, uint32_t op) {
  empty(&r->ors);
  empty(&r->singles);
  empty(&r->parts);
  r->stack.count = 0;
  r->ok = r->ok && alea_vec_push(r->mem, &r->stack, op);
  while (r->ok && r->stack.count > 0) {
    const plan_op *o = &r->ops.data[r->stack.data[--r->stack.count]];
    for (uint32_t k = 0; r->ok && k < o->count; k++) {
      plan_term term = r->terms.data[o->first + k];
      uint32_t maker = term.b == NONE ? r->maker.data[term.a >> 1] : NONE;
      if (maker != NONE && r->ops.data[maker].absorbed)
        r->ok = alea_vec_push(r->mem, &r->stack, maker);
      else
        r->ok = queue_term(r, term.b != NONE ? &r->ors : &r->singles, term, r->ops.data[op].loop);
    }
  }
  sort_queue(&r->ors);
  sort_queue(&r->singles);
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

/* Takes a literal from the queue where the earliest is, true if there is none. */
static uint32_t take_single(gpu_plan_reader *r, uint32_t *depth) {
  plan_queue *queue = earlier(&r->singles, &r->parts);
  if (waiting(queue) == 0) return TRUE;
  const plan_queued *queued = &queue->terms.data[queue->taken++];
  if (queued->depth > *depth) *depth = queued->depth;
  return queued->term.a;
}

/* How late the next two literals are known. */
static uint32_t depth_of_singles(gpu_plan_reader *r) {
  size_t singles = r->singles.taken, parts = r->parts.taken;
  uint32_t depth = 0;
  (void)take_single(r, &depth);
  (void)take_single(r, &depth);
  r->singles.taken = singles;
  r->parts.taken = parts;
  return depth;
}

/* Takes the earliest terms into an instruction, as many as fit. */
static void take_terms(gpu_plan_reader *r, alea_gpu_instruction *made) {
  uint32_t depth = 0;
  while (made->pairs < ALEA_GPU_PAIRS) {
    size_t singles = waiting(&r->singles) + waiting(&r->parts);
    const plan_queued * or = waiting(&r->ors) > 0 ? &r->ors.terms.data[r->ors.taken] : NULL;
    if (singles == 0 && or == NULL) break;
    if (or != NULL && (singles == 0 || or->depth < depth_of_singles(r))) {
      put_pair(made, or->term.a, or->term.b, true);
      if (or->depth > depth) depth = or->depth;
      r->ors.taken++;
    } else {
      uint32_t first = take_single(r, &depth), second = take_single(r, &depth);
      put_pair(made, first, second, false);
    }
  }
  r->depth.data[made->value] = depth + 1;
}

/* One operation as a tree of instructions. */
static void put_operation(gpu_plan_reader *r, uint32_t index) {
  const plan_op op = r->ops.data[index];
  alea_gpu_instruction made = {.section = op.section, .loop = op.loop};
  queue_terms(r, index);
  while (r->ok &&
         waiting(&r->ors) + (waiting(&r->singles) + waiting(&r->parts) + 1) / 2 > ALEA_GPU_PAIRS) {
    alea_gpu_instruction part = made;
    part.value = add_value(r, NONE, op.loop);
    if (!r->ok) return;
    take_terms(r, &part);
    r->ok = alea_vec_push(r->mem, &r->plan->instructions, part) &&
            queue_term(r, &r->parts, (plan_term){2 * part.value, NONE}, op.loop);
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
  alea_vec_clear(r->mem, &r->ors.terms);
  alea_vec_clear(r->mem, &r->singles.terms);
  alea_vec_clear(r->mem, &r->parts.terms);
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
