/* Compiles nodes to codes: negation normal form, definitions expanded,
 * plans. */
#include <string.h>

#include "toss/logic.h"

enum { MOST_CODES = 4000000, DEEPEST = 2000, MOST_SCOPE = 512 };
#define NONE ALEA_TOSS_NONE

typedef alea_toss_logic logic_t;
typedef alea_toss_code code_t;

typedef struct scope {
  const alea_toss_binding *bindings;
  size_t count;
  const struct scope *outer;
} scope;

typedef struct compile_compiler {
  logic_t *logic;
  uint32_t node; /* that is compiled, or NONE */
  alea_status status;
  unsigned depth;
} compile_compiler;

typedef ALEA_VEC(uint32_t) list;

void alea_toss_logic_init(logic_t *logic, const alea_toss_file *file, const uint8_t *stored,
                          const uint8_t *walkable, alea_mem *mem) {
  *logic = (logic_t){.mem = mem, .file = file, .stored = stored, .walkable = walkable};
}

void alea_toss_logic_clear(logic_t *logic) {
  alea_vec_clear(logic->mem, &logic->codes);
  alea_vec_clear(logic->mem, &logic->kids);
  alea_vec_clear(logic->mem, &logic->plans);
  alea_vec_clear(logic->mem, &logic->steps);
}

static void no_memory(compile_compiler *c) {
  if (c->status == ALEA_OK) c->status = alea_mem_lack(c->logic->mem);
}

static void push(compile_compiler *c, list *vec, uint32_t item) {
  if (c->status == ALEA_OK && !alea_vec_push(c->logic->mem, vec, item)) no_memory(c);
}

static uint32_t emit(compile_compiler *c, code_t code, const uint32_t *kids, uint32_t count) {
  logic_t *l = c->logic;
  if (c->status != ALEA_OK) return 0;
  if (l->size++ >= MOST_CODES) {
    c->status = ALEA_LIMIT;
    return 0;
  }
  code.first = (uint32_t)l->kids.count;
  code.count = count;
  code.node = c->node;
  if (!alea_vec_reserve(l->mem, &l->kids, 1)) no_memory(c);
  for (uint32_t i = 0; i < count; i++) {
    if (!alea_vec_push(l->mem, &l->kids, kids[i])) no_memory(c);
  }
  if (c->status != ALEA_OK || !alea_vec_push(l->mem, &l->codes, code)) {
    no_memory(c);
    return 0;
  }
  return (uint32_t)l->codes.count - 1;
}

static uint32_t constant(compile_compiler *c, bool value) {
  return emit(c, (code_t){.op = ALEA_TOSS_OP_TRUE, .negated = !value}, NULL, 0);
}

static const alea_toss_binding *look_up(const scope *s, uint32_t name, bool numeric) {
  for (; s != NULL; s = s->outer) {
    for (size_t i = s->count; i-- > 0;) {
      const alea_toss_binding *b = &s->bindings[i];
      if (b->name == name && (b->sort == ALEA_TOSS_NUMERIC) == numeric) return b;
    }
  }
  return NULL;
}

static uint32_t slot_of(const scope *s, uint32_t name, bool numeric) {
  const alea_toss_binding *b = look_up(s, name, numeric);
  return b != NULL ? b->slot : 0; /* the checker ensures that there is one */
}

static uint32_t compile(compile_compiler *c, uint32_t id, const scope *s, bool negated);

/* ---- plans ---- */

static bool plan_mentions(const logic_t *l, uint32_t plan, uint32_t slot);

static bool mentions(const logic_t *l, uint32_t id, uint32_t slot) {
  const code_t *code = &l->codes.data[id];
  const uint32_t *kids = l->kids.data + code->first;
  switch (code->op) {
    case ALEA_TOSS_OP_ATOM:
    case ALEA_TOSS_OP_EQUAL:
    case ALEA_TOSS_OP_FUNCTION:
      for (uint32_t i = 0; i < code->count; i++) {
        if (kids[i] == slot) return true;
      }
      return false;
    case ALEA_TOSS_OP_IN: return kids[0] == slot;
    case ALEA_TOSS_OP_EXISTS: return plan_mentions(l, code->plan, slot);
    case ALEA_TOSS_OP_SUM:
    case ALEA_TOSS_OP_PROD:
      if (plan_mentions(l, code->plan, slot)) return true;
      break;
    default: break;
  }
  for (uint32_t i = 0; i < code->count; i++) {
    if (mentions(l, kids[i], slot)) return true;
  }
  return false;
}

static bool checks_mention(const logic_t *l, uint32_t first, uint32_t count, uint32_t slot) {
  for (uint32_t i = 0; i < count; i++) {
    if (mentions(l, l->kids.data[first + i], slot)) return true;
  }
  return false;
}

static bool plan_mentions(const logic_t *l, uint32_t id, uint32_t slot) {
  const alea_toss_plan *plan = &l->plans.data[id];
  if (checks_mention(l, plan->first_check, plan->check_count, slot)) return true;
  for (uint32_t i = 0; i < plan->step_count; i++) {
    const alea_toss_step *step = &l->steps.data[plan->first_step + i];
    if (step->atom != NONE && mentions(l, step->atom, slot)) return true;
    if (checks_mention(l, step->first_check, step->check_count, slot)) return true;
  }
  return false;
}

typedef struct compile_planner {
  compile_compiler *c;
  const uint32_t *slots;
  uint8_t *bound; /* per slot of 'slots' */
  size_t slot_count;
  list conjuncts; /* still open */
} compile_planner;

static bool is_open(const compile_planner *p, uint32_t slot) {
  for (size_t i = 0; i < p->slot_count; i++) {
    if (p->slots[i] == slot) return !p->bound[i];
  }
  return false;
}

static void bind(compile_planner *p, uint32_t slot) {
  for (size_t i = 0; i < p->slot_count; i++) {
    if (p->slots[i] == slot) p->bound[i] = 1;
  }
}

static bool is_ready(const compile_planner *p, uint32_t code) {
  for (size_t i = 0; i < p->slot_count; i++) {
    if (!p->bound[i] && mentions(p->c->logic, code, p->slots[i])) return false;
  }
  return true;
}

/* The order of checks: cheap ones first. */
static int cost_of(const logic_t *l, uint32_t id) {
  switch (l->codes.data[id].op) {
    case ALEA_TOSS_OP_TRUE:
    case ALEA_TOSS_OP_EQUAL:
    case ALEA_TOSS_OP_IN: return 0;
    case ALEA_TOSS_OP_ATOM: return 1;
    case ALEA_TOSS_OP_LESS:
    case ALEA_TOSS_OP_SAME: return 2;
    default: return 3;
  }
}

/* Moves the conjuncts that can be checked now to the checks of the step. */
static void take_checks(compile_planner *p, uint32_t *first, uint32_t *count) {
  logic_t *l = p->c->logic;
  *first = (uint32_t)l->kids.count;
  *count = 0;
  for (int cost = 0; cost <= 3; cost++) {
    size_t kept = 0;
    for (size_t i = 0; i < p->conjuncts.count; i++) {
      uint32_t code = p->conjuncts.data[i];
      if (cost_of(l, code) != cost || !is_ready(p, code)) {
        p->conjuncts.data[kept++] = code;
        continue;
      }
      if (!alea_vec_push(l->mem, &l->kids, code)) no_memory(p->c);
      ++*count;
    }
    p->conjuncts.count = kept;
  }
}

/* Rates this atom as the next step: smaller is better, NONE never. */
static uint32_t rate(const compile_planner *p, uint32_t id) {
  const logic_t *l = p->c->logic;
  const code_t *code = &l->codes.data[id];
  if (code->op != ALEA_TOSS_OP_ATOM || code->negated || !l->walkable[code->target]) return NONE;
  uint32_t open = 0;
  for (uint32_t i = 0; i < code->count; i++) open += is_open(p, l->kids.data[code->first + i]);
  if (open == 0) return NONE;
  if (open < code->count) return open;
  return code->count == 1 ? 100 : 200 + code->count;
}

static alea_toss_step walk(compile_planner *p, size_t at) {
  const logic_t *l = p->c->logic;
  uint32_t id = p->conjuncts.data[at];
  const code_t *code = &l->codes.data[id];
  alea_toss_step step = {.atom = id, .slot = NONE, .index = NONE};
  for (uint32_t i = 0; i < code->count; i++) {
    uint32_t slot = l->kids.data[code->first + i];
    if (is_open(p, slot)) {
      step.binds |= 1u << i;
      bind(p, slot);
    } else if (step.index == NONE && step.binds == 0) {
      step.index = i;
    }
  }
  /* An index after the first binding position is as good if its slot was bound
   * before. */
  for (uint32_t i = 0; step.index == NONE && i < code->count; i++) {
    uint32_t slot = l->kids.data[code->first + i];
    bool fresh = false;
    for (uint32_t j = 0; j < code->count; j++) {
      fresh |= (step.binds >> j & 1) != 0 && l->kids.data[code->first + j] == slot;
    }
    if (!fresh) step.index = i;
  }
  memmove(p->conjuncts.data + at, p->conjuncts.data + at + 1,
          (p->conjuncts.count - at - 1) * sizeof *p->conjuncts.data);
  p->conjuncts.count--;
  return step;
}

static bool next_step(compile_planner *p, alea_toss_step *step) {
  size_t best = 0;
  uint32_t rating = NONE;
  for (size_t i = 0; i < p->conjuncts.count; i++) {
    uint32_t r = rate(p, p->conjuncts.data[i]);
    if (r < rating) rating = r, best = i;
  }
  if (rating != NONE) {
    *step = walk(p, best);
    return true;
  }
  for (size_t i = 0; i < p->slot_count; i++) {
    if (p->bound[i]) continue;
    p->bound[i] = 1;
    *step = (alea_toss_step){.atom = NONE, .slot = p->slots[i], .index = NONE};
    return true;
  }
  return false;
}

static void flatten(compile_planner *p, uint32_t id) {
  const code_t code = p->c->logic->codes.data[id];
  if (code.op != ALEA_TOSS_OP_AND) {
    push(p->c, &p->conjuncts, id);
    return;
  }
  for (uint32_t i = 0; i < code.count; i++) flatten(p, p->c->logic->kids.data[code.first + i]);
}

static void fill_plan(compile_planner *p, alea_toss_plan *plan) {
  logic_t *l = p->c->logic;
  ALEA_VEC(alea_toss_step) steps = {0};
  take_checks(p, &plan->first_check, &plan->check_count);
  alea_toss_step step;
  while (p->c->status == ALEA_OK && next_step(p, &step)) {
    take_checks(p, &step.first_check, &step.check_count);
    if (!alea_vec_push(l->mem, &steps, step)) no_memory(p->c);
  }
  plan->first_step = (uint32_t)l->steps.count;
  plan->step_count = (uint32_t)steps.count;
  for (size_t i = 0; i < steps.count; i++) {
    if (!alea_vec_push(l->mem, &l->steps, steps.data[i])) no_memory(p->c);
  }
  alea_vec_clear(l->mem, &steps);
}

static uint32_t make_plan(compile_compiler *c, const uint32_t *slots, size_t slot_count,
                          const uint32_t *conjuncts, size_t count) {
  logic_t *l = c->logic;
  if (c->status != ALEA_OK) return 0;
  compile_planner p = {.c = c, .slots = slots, .slot_count = slot_count};
  p.bound = alea_mem_zalloc(l->mem, slot_count + 1);
  if (p.bound == NULL) {
    no_memory(c);
    return 0;
  }
  for (size_t i = 0; i < count; i++) flatten(&p, conjuncts[i]);
  alea_toss_plan plan = {0};
  if (c->status == ALEA_OK) fill_plan(&p, &plan);
  if (c->status == ALEA_OK && !alea_vec_push(l->mem, &l->plans, plan)) no_memory(c);
  alea_vec_clear(l->mem, &p.conjuncts);
  alea_mem_free(l->mem, p.bound, slot_count + 1);
  return (uint32_t)l->plans.count - 1;
}

/* ---- formulas ---- */

static uint32_t join(compile_compiler *c, alea_toss_op op, const list *parts) {
  if (parts->count == 1) return parts->data[0];
  return emit(c, (code_t){.op = op}, parts->data, (uint32_t)parts->count);
}

static uint32_t several(compile_compiler *c, const alea_toss_node *node, const scope *s,
                        bool negated) {
  bool conjunction = (node->kind == ALEA_TOSS_AND) != negated;
  list parts = {0};
  for (uint32_t i = 0; i < node->count; i++) {
    push(c, &parts, compile(c, c->logic->file->kids.data[node->first + i], s, negated));
  }
  uint32_t code =
      c->status == ALEA_OK ? join(c, conjunction ? ALEA_TOSS_OP_AND : ALEA_TOSS_OP_OR, &parts) : 0;
  alea_vec_clear(c->logic->mem, &parts);
  return code;
}

static uint32_t exists_of(compile_compiler *c, const uint32_t *slots, size_t count, uint32_t body,
                          bool negated) {
  uint32_t plan = make_plan(c, slots, count, &body, 1);
  return emit(c, (code_t){.op = ALEA_TOSS_OP_EXISTS, .negated = negated, .plan = plan}, NULL, 0);
}

/* ex x (a or b) is (ex x a) or (ex x b): each has a plan of its own. */
static uint32_t exists_over(compile_compiler *c, const uint32_t *slots, size_t count, uint32_t body,
                            bool negated) {
  if (c->status != ALEA_OK) return 0;
  const code_t code = c->logic->codes.data[body];
  if (code.op != ALEA_TOSS_OP_OR) return exists_of(c, slots, count, body, negated);
  list parts = {0};
  for (uint32_t i = 0; i < code.count; i++) {
    push(c, &parts, exists_over(c, slots, count, c->logic->kids.data[code.first + i], negated));
  }
  uint32_t id =
      c->status == ALEA_OK ? join(c, negated ? ALEA_TOSS_OP_AND : ALEA_TOSS_OP_OR, &parts) : 0;
  alea_vec_clear(c->logic->mem, &parts);
  return id;
}

/* A block of equal element quantifiers. */
static uint32_t elements_block(compile_compiler *c, uint32_t id, const scope *s, bool negated) {
  const alea_toss_file *f = c->logic->file;
  alea_toss_kind kind = f->nodes.data[id].kind;
  alea_toss_binding bindings[ALEA_TOSS_DEEPEST];
  uint32_t slots[ALEA_TOSS_DEEPEST];
  size_t count = 0;
  while (f->nodes.data[id].kind == kind && f->nodes.data[id].sort == ALEA_TOSS_ELEMENT &&
         count < ALEA_TOSS_DEEPEST) {
    slots[count] = c->logic->elements++;
    bindings[count] = (alea_toss_binding){f->nodes.data[id].name, ALEA_TOSS_ELEMENT, slots[count]};
    count++;
    id = f->kids.data[f->nodes.data[id].first];
  }
  scope inner = {bindings, count, s};
  bool all = kind == ALEA_TOSS_FORALL; /* not ex x not body */
  uint32_t body = compile(c, id, &inner, all);
  return exists_over(c, slots, count, body, all != negated);
}

static uint32_t quantifier(compile_compiler *c, uint32_t id, const scope *s, bool negated) {
  const alea_toss_node *node = &c->logic->file->nodes.data[id];
  if (node->sort == ALEA_TOSS_ELEMENT) return elements_block(c, id, s, negated);
  bool all = node->kind == ALEA_TOSS_FORALL, set = node->sort == ALEA_TOSS_SET;
  alea_toss_binding binding = {node->name, node->sort, set ? c->logic->sets++ : c->logic->reals++};
  scope inner = {&binding, 1, s};
  uint32_t kid = compile(c, c->logic->file->kids.data[node->first], &inner, all);
  code_t code = {.op = set ? ALEA_TOSS_OP_EXISTS_SET : ALEA_TOSS_OP_EXISTS_REAL,
                 .negated = all != negated,
                 .slot = binding.slot};
  return emit(c, code, &kid, 1);
}

static uint32_t atom(compile_compiler *c, uint32_t relation, const uint32_t *slots, bool negated) {
  const alea_toss_relation *r = &c->logic->file->relations.data[relation];
  if (c->logic->stored[relation]) {
    return emit(c, (code_t){.op = ALEA_TOSS_OP_ATOM, .negated = negated, .target = relation}, slots,
                r->arity);
  }
  alea_toss_binding bindings[ALEA_TOSS_MOST_ARITY];
  for (uint32_t i = 0; i < r->arity; i++) {
    uint32_t name = c->logic->file->kids.data[r->first_param + i];
    bindings[i] = (alea_toss_binding){name, ALEA_TOSS_ELEMENT, slots[i]};
  }
  scope inner = {bindings, r->arity, NULL};
  return compile(c, r->body, &inner, negated);
}

static uint32_t atomic(compile_compiler *c, const alea_toss_node *node, const scope *s,
                       bool negated) {
  const uint32_t *kids = c->logic->file->kids.data + node->first;
  uint32_t slots[ALEA_TOSS_MOST_ARITY];
  for (uint32_t i = 0; i < node->count; i++) slots[i] = slot_of(s, kids[i], false);
  if (node->kind == ALEA_TOSS_REL) return atom(c, node->target, slots, negated);
  alea_toss_op op = node->kind == ALEA_TOSS_IN ? ALEA_TOSS_OP_IN : ALEA_TOSS_OP_EQUAL;
  return emit(c, (code_t){.op = op, .negated = negated}, slots, 2);
}

static uint32_t formula(compile_compiler *c, uint32_t id, const scope *s, bool negated) {
  const alea_toss_node *node = &c->logic->file->nodes.data[id];
  const uint32_t *kids = c->logic->file->kids.data + node->first;
  switch (node->kind) {
    case ALEA_TOSS_TRUE: return constant(c, !negated);
    case ALEA_TOSS_FALSE: return constant(c, negated);
    case ALEA_TOSS_NOT: return compile(c, kids[0], s, !negated);
    case ALEA_TOSS_AND:
    case ALEA_TOSS_OR: return several(c, node, s, negated);
    case ALEA_TOSS_EXISTS:
    case ALEA_TOSS_FORALL: return quantifier(c, id, s, negated);
    case ALEA_TOSS_LESS:
    case ALEA_TOSS_SAME: {
      uint32_t parts[2];
      parts[0] = compile(c, kids[0], s, false);
      parts[1] = compile(c, kids[1], s, false);
      alea_toss_op op = node->kind == ALEA_TOSS_LESS ? ALEA_TOSS_OP_LESS : ALEA_TOSS_OP_SAME;
      return emit(c, (code_t){.op = op, .negated = negated}, parts, 2);
    }
    default: return atomic(c, node, s, negated);
  }
}

/* ---- terms ---- */

static uint32_t sum(compile_compiler *c, const alea_toss_node *node, const scope *s) {
  const uint32_t *kids = c->logic->file->kids.data + node->first;
  alea_toss_binding binding = {node->name, ALEA_TOSS_ELEMENT, c->logic->elements++};
  scope inner = {&binding, 1, s};
  uint32_t guard = compile(c, kids[0], &inner, false);
  uint32_t term = compile(c, kids[1], &inner, false);
  uint32_t plan = make_plan(c, &binding.slot, 1, &guard, 1);
  alea_toss_op op = node->kind == ALEA_TOSS_SUM ? ALEA_TOSS_OP_SUM : ALEA_TOSS_OP_PROD;
  return emit(c, (code_t){.op = op, .plan = plan, .slot = binding.slot}, &term, 1);
}

static uint32_t least(compile_compiler *c, const alea_toss_node *node, const scope *s) {
  alea_toss_binding binding = {node->name, ALEA_TOSS_NUMERIC, c->logic->reals++};
  scope inner = {&binding, 1, s};
  uint32_t kid = compile(c, c->logic->file->kids.data[node->first], &inner, false);
  return emit(c, (code_t){.op = ALEA_TOSS_OP_MIN, .slot = binding.slot}, &kid, 1);
}

static alea_toss_op op_of(alea_toss_kind kind) {
  switch (kind) {
    case ALEA_TOSS_ADD: return ALEA_TOSS_OP_ADD;
    case ALEA_TOSS_MUL: return ALEA_TOSS_OP_MUL;
    case ALEA_TOSS_NEG: return ALEA_TOSS_OP_NEG;
    case ALEA_TOSS_DIV: return ALEA_TOSS_OP_DIV;
    case ALEA_TOSS_POW: return ALEA_TOSS_OP_POW;
    case ALEA_TOSS_ROOT: return ALEA_TOSS_OP_ROOT;
    default: return ALEA_TOSS_OP_CHAR;
  }
}

static uint32_t term(compile_compiler *c, const alea_toss_node *node, const scope *s) {
  const uint32_t *kids = c->logic->file->kids.data + node->first;
  switch (node->kind) {
    case ALEA_TOSS_NUMBER:
      return emit(c,
                  (code_t){.op = ALEA_TOSS_OP_NUMBER,
                           .number = node->number,
                           .value = alea_interval_decimal(node->number)},
                  NULL, 0);
    case ALEA_TOSS_REAL: {
      code_t code = {.op = ALEA_TOSS_OP_REAL, .slot = slot_of(s, node->name, true)};
      return emit(c, code, NULL, 0);
    }
    case ALEA_TOSS_FUNCTION: {
      uint32_t slot = slot_of(s, kids[0], false);
      code_t code = {.op = ALEA_TOSS_OP_FUNCTION, .target = node->target, .order = node->order};
      return emit(c, code, &slot, 1);
    }
    case ALEA_TOSS_SUM:
    case ALEA_TOSS_PROD: return sum(c, node, s);
    case ALEA_TOSS_MIN: return least(c, node, s);
    default: break;
  }
  list parts = {0};
  for (uint32_t i = 0; i < node->count; i++) push(c, &parts, compile(c, kids[i], s, false));
  code_t code = {.op = op_of(node->kind), .number = node->number};
  uint32_t id = emit(c, code, parts.data, (uint32_t)parts.count);
  alea_vec_clear(c->logic->mem, &parts);
  return id;
}

static uint32_t compile(compile_compiler *c, uint32_t id, const scope *s, bool negated) {
  if (c->status != ALEA_OK) return 0;
  if (c->depth >= DEEPEST) {
    c->status = ALEA_LIMIT;
    return 0;
  }
  c->depth++;
  uint32_t around = c->node;
  c->node = id;
  const alea_toss_node *node = &c->logic->file->nodes.data[id];
  uint32_t code = alea_toss_is_term(node->kind) ? term(c, node, s) : formula(c, id, s, negated);
  c->node = around;
  c->depth--;
  return code;
}

alea_status alea_toss_compile(logic_t *logic, uint32_t node, const alea_toss_binding *bindings,
                              size_t count, uint32_t *code) {
  compile_compiler c = {.logic = logic, .node = NONE};
  scope s = {bindings, count, NULL};
  *code = compile(&c, node, &s, false);
  if (c.status == ALEA_LIMIT && !logic->mem->hit_limit)
    alea_toss_notes_add(logic->notes, ALEA_TOSS_NOTE_EXPANSION, node, 0);
  return c.status;
}

uint32_t alea_toss_code_atom(logic_t *logic, uint32_t relation, const uint32_t *slots,
                             bool negated) {
  compile_compiler c = {.logic = logic, .node = NONE};
  code_t code = {.op = ALEA_TOSS_OP_ATOM, .negated = negated, .target = relation};
  uint32_t id = emit(&c, code, slots, logic->file->relations.data[relation].arity);
  return c.status == ALEA_OK ? id : UINT32_MAX;
}

uint32_t alea_toss_code_equal(logic_t *logic, uint32_t a, uint32_t b, bool negated) {
  compile_compiler c = {.logic = logic, .node = NONE};
  uint32_t slots[2] = {a, b};
  uint32_t id = emit(&c, (code_t){.op = ALEA_TOSS_OP_EQUAL, .negated = negated}, slots, 2);
  return c.status == ALEA_OK ? id : UINT32_MAX;
}

alea_status alea_toss_compile_atom(logic_t *logic, uint32_t relation, const uint32_t *slots,
                                   bool negated, uint32_t *code) {
  compile_compiler c = {.logic = logic, .node = NONE};
  *code = atom(&c, relation, slots, negated);
  return c.status;
}

alea_status alea_toss_plan_new(logic_t *logic, const uint32_t *slots, size_t slot_count,
                               const uint32_t *conjuncts, size_t count, uint32_t *plan) {
  compile_compiler c = {.logic = logic, .node = NONE};
  *plan = make_plan(&c, slots, slot_count, conjuncts, count);
  return c.status;
}
