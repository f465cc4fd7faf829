/* Compiling rules: what they match and what they change. */
#include "toss/rules.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_EXACT = 4096 }; /* tuples over the left side that one relation may have */
#define NONE ALEA_TOSS_NONE

typedef alea_toss_rules rules_t;

static alea_status memory_status(const alea_mem *mem) { return alea_mem_lack(mem); }

void alea_toss_rules_free(rules_t *r) {
  if (r == NULL) return;
  alea_mem *mem = r->mem;
  for (size_t i = 0; r->patterns != NULL && i < r->rule_count; i++) {
    alea_mem_free(mem, r->patterns[i].exact, r->relation_count + 1);
  }
  size_t players = r->file->players.count;
  alea_mem_free(mem, r->patterns, r->rule_count * sizeof *r->patterns);
  alea_mem_free(mem, r->changing, r->relation_count + 1);
  alea_mem_free(mem, r->stored, r->relation_count + 1);
  alea_mem_free(mem, r->walkable, r->relation_count + 1);
  alea_mem_free(mem, r->payoffs, r->file->locations.count * players * sizeof *r->payoffs);
  alea_mem_free(mem, r->params, r->name_count * sizeof *r->params);
  alea_mem_free(mem, r->dynamics_codes, r->dynamics_count * sizeof *r->dynamics_codes);
  alea_mem_free(mem, r->update_codes, r->update_count * sizeof *r->update_codes);
  alea_mem_free(mem, r->first_dynamics, r->rule_count * sizeof *r->first_dynamics);
  alea_mem_free(mem, r->first_update, r->rule_count * sizeof *r->first_update);
  alea_toss_logic_clear(&r->logic);
  alea_toss_notes_free(r->notes);
  alea_toss_structure_free(r->start);
  alea_mem_free(mem, r, sizeof *r);
}

/* ---- what changes ---- */

bool alea_toss_is_preserving(const alea_toss_rule *rule) {
  if (rule->left.elements.count != rule->right.elements.count) return false;
  unsigned seen = 0;
  for (size_t i = 0; i < rule->right.elements.count; i++) {
    if (rule->replaces[i] == NONE) return false;
    seen |= 1u << rule->replaces[i];
  }
  return seen == (1u << rule->left.elements.count) - 1;
}

static void mark_changes(rules_t *r, const alea_toss_rule *rule) {
  if (!alea_toss_is_preserving(rule)) memset(r->changing, 1, r->relation_count);
  for (size_t i = 0; i < rule->right.tuples.count; i++) {
    r->changing[rule->right.tuples.data[i].relation] = 1;
  }
  for (size_t i = 0; i < rule->exact.count; i++) r->changing[rule->exact.data[i]] = 1;
}

/* Whether a formula depends only on what never changes. */
static bool is_constant(const rules_t *r, uint32_t id) {
  const alea_toss_node *node = &r->file->nodes.data[id];
  const uint32_t *kids = r->file->kids.data + node->first;
  switch (node->kind) {
    case ALEA_TOSS_REL: return !r->changing[node->target];
    case ALEA_TOSS_FUNCTION: return false;
    case ALEA_TOSS_EQUAL:
    case ALEA_TOSS_IN: return true;
    default: break;
  }
  for (uint32_t i = 0; i < node->count; i++) {
    if (!is_constant(r, kids[i])) return false;
  }
  return true;
}

static void find_changes(rules_t *r) {
  bool all_preserve = !r->file->given_start;
  if (r->file->given_start) memset(r->changing, 1, r->relation_count);
  for (size_t i = 0; i < r->rule_count; i++) {
    mark_changes(r, &r->file->rules.data[i]);
    all_preserve &= alea_toss_is_preserving(&r->file->rules.data[i]);
  }
  for (size_t i = 0; i < r->relation_count; i++) {
    const alea_toss_relation *relation = &r->file->relations.data[i];
    if (relation->body == NONE) {
      r->stored[i] = 1;
      continue;
    }
    r->changing[i] = !all_preserve || !is_constant(r, relation->body);
    r->stored[i] = !r->changing[i];
  }
}

/* ---- the starting structure ---- */

alea_toss_structure *alea_toss_rules_structure(const rules_t *r, alea_mem *mem) {
  size_t count = r->relation_count;
  uint32_t *arities = alea_mem_calloc(mem, count, sizeof *arities);
  if (arities == NULL) return NULL;
  for (size_t i = 0; i < count; i++) arities[i] = r->file->relations.data[i].arity;
  alea_toss_structure *s = alea_toss_structure_new(r->capacity, (uint32_t)count, arities,
                                                   (uint32_t)r->file->functions.count, mem);
  alea_mem_free(mem, arities, count * sizeof *arities);
  return s;
}

static alea_status draw(alea_toss_structure *s, const alea_toss_picture *picture) {
  for (size_t i = 0; i < picture->elements.count; i++) alea_toss_structure_element(s);
  for (size_t i = 0; i < picture->tuples.count; i++) {
    const alea_toss_tuple *tuple = &picture->tuples.data[i];
    if (!alea_toss_structure_add(s, tuple->relation, picture->ids.data + tuple->first)) {
      return memory_status(s->mem);
    }
  }
  for (size_t i = 0; i < picture->values.count; i++) {
    const alea_toss_value *value = &picture->values.data[i];
    s->values[(size_t)value->function * s->capacity + value->element] =
        alea_interval_decimal(value->number);
  }
  return ALEA_OK;
}

static alea_status make_start(rules_t *r) {
  r->start = alea_toss_rules_structure(r, r->mem);
  if (r->start == NULL) return memory_status(r->mem);
  alea_status status = draw(r->start, &r->file->start);
  if (status != ALEA_OK) return status;
  uint8_t *materialise = alea_mem_zalloc(r->mem, r->relation_count + 1);
  if (materialise == NULL) return memory_status(r->mem);
  for (size_t i = 0; i < r->relation_count; i++) {
    materialise[i] = r->stored[i] && r->file->relations.data[i].body != NONE;
  }
  status = alea_toss_materialise(r->file, r->start, materialise, r->notes, r->mem);
  alea_mem_free(r->mem, materialise, r->relation_count + 1);
  return status;
}

/* ---- one rule ---- */

typedef struct rules_builder {
  rules_t *rules;
  alea_toss_pattern *pattern;
  ALEA_VEC(uint32_t) conjuncts;
  alea_status status;
} rules_builder;

static void add_conjunct(rules_builder *b, uint32_t code) {
  if (code == UINT32_MAX || !alea_vec_push(b->rules->mem, &b->conjuncts, code)) {
    b->status = memory_status(b->rules->mem);
  }
}

static void slots_of(const alea_toss_pattern *p, const uint32_t *positions, uint32_t count,
                     uint32_t *slots) {
  for (uint32_t i = 0; i < count; i++) slots[i] = p->left_slots[positions[i]];
}

static const alea_toss_tuple *drawn(const alea_toss_picture *picture, uint32_t relation,
                                    const uint32_t *positions, uint32_t arity) {
  for (size_t i = 0; i < picture->tuples.count; i++) {
    const alea_toss_tuple *tuple = &picture->tuples.data[i];
    if (tuple->relation == relation &&
        memcmp(picture->ids.data + tuple->first, positions, arity * sizeof *positions) == 0) {
      return tuple;
    }
  }
  return NULL;
}

static void add_drawn(rules_builder *b) {
  const alea_toss_picture *left = &b->pattern->rule->left;
  for (size_t i = 0; i < left->tuples.count && b->status == ALEA_OK; i++) {
    const alea_toss_tuple *tuple = &left->tuples.data[i];
    uint32_t slots[ALEA_TOSS_MOST_ARITY], code;
    if (tuple->optional) continue;
    slots_of(b->pattern, left->ids.data + tuple->first, tuple->count, slots);
    b->status = alea_toss_compile_atom(&b->rules->logic, tuple->relation, slots, false, &code);
    if (b->status == ALEA_OK) add_conjunct(b, code);
  }
}

/* Exact relations: tuples that are not drawn must be absent. */
static void add_absent(rules_builder *b, uint32_t relation) {
  uint32_t arity = b->rules->file->relations.data[relation].arity, n = b->pattern->left_count;
  uint32_t positions[ALEA_TOSS_MOST_ARITY], slots[ALEA_TOSS_MOST_ARITY];
  uint64_t total = 1;
  for (uint32_t i = 0; i < arity; i++) total *= n;
  if (total > MOST_EXACT) {
    size_t rule = (size_t)(b->pattern - b->rules->patterns);
    alea_toss_notes_add(b->rules->notes, ALEA_TOSS_NOTE_EXACT, (uint32_t)rule, 0);
    b->status = ALEA_LIMIT;
    return;
  }
  for (uint64_t code = 0; code < total && b->status == ALEA_OK; code++) {
    uint64_t rest = code;
    for (uint32_t i = 0; i < arity; i++, rest /= n) positions[i] = (uint32_t)(rest % n);
    if (drawn(&b->pattern->rule->left, relation, positions, arity) != NULL) continue;
    slots_of(b->pattern, positions, arity, slots);
    add_conjunct(b, alea_toss_code_atom(&b->rules->logic, relation, slots, true));
  }
}

static void add_embedding(rules_builder *b) {
  alea_toss_pattern *p = b->pattern;
  add_drawn(b);
  for (size_t i = 0; i < p->rule->exact.count && b->status == ALEA_OK; i++) {
    add_absent(b, p->rule->exact.data[i]);
  }
  for (uint32_t i = 0; i < p->left_count; i++) {
    for (uint32_t j = 0; j < i && b->status == ALEA_OK; j++) {
      add_conjunct(
          b, alea_toss_code_equal(&b->rules->logic, p->left_slots[j], p->left_slots[i], true));
    }
  }
}

/* The conjunction of what was added so far, as one code. */
static uint32_t conjunction(rules_builder *b) {
  alea_toss_logic *l = &b->rules->logic;
  alea_toss_code code = {.op = ALEA_TOSS_OP_AND,
                         .first = (uint32_t)l->kids.count,
                         .count = (uint32_t)b->conjuncts.count};
  for (size_t i = 0; i < b->conjuncts.count; i++) {
    if (!alea_vec_push(l->mem, &l->kids, b->conjuncts.data[i])) b->status = ALEA_SYSTEM;
  }
  if (b->status != ALEA_OK || !alea_vec_push(l->mem, &l->codes, code)) b->status = ALEA_SYSTEM;
  return (uint32_t)l->codes.count - 1;
}

/* Names that conditions and equations of a rule may use. */
static size_t bindings_of(const rules_t *r, const alea_toss_pattern *p, bool right,
                          alea_toss_binding *bindings) {
  const alea_toss_picture *side = right ? &p->rule->right : &p->rule->left;
  const uint32_t *slots = right ? p->right_slots : p->left_slots;
  size_t count = 0;
  for (size_t i = 0; i < side->elements.count; i++) {
    bindings[count++] = (alea_toss_binding){side->elements.data[i], ALEA_TOSS_ELEMENT, slots[i]};
  }
  for (uint32_t name = 0; name < r->name_count; name++) {
    if (r->params[name] == NONE || count == 200) continue;
    bindings[count++] = (alea_toss_binding){name, ALEA_TOSS_NUMERIC, r->params[name]};
  }
  return count;
}

static void compile_condition(rules_builder *b, uint32_t node, bool right, uint32_t *code) {
  *code = NONE;
  if (node == NONE || b->status != ALEA_OK) return;
  alea_toss_binding bindings[200];
  size_t count = bindings_of(b->rules, b->pattern, right, bindings);
  b->status = alea_toss_compile(&b->rules->logic, node, bindings, count, code);
}

static void find_heirs(alea_toss_pattern *p) {
  for (size_t i = 0; i < ALEA_TOSS_MOST_SIDE; i++) p->heir[i] = NONE;
  for (uint32_t i = p->right_count; i-- > 0;) {
    if (p->rule->replaces[i] != NONE) p->heir[p->rule->replaces[i]] = i;
  }
}

static void compile_equations(rules_builder *b, size_t rule) {
  rules_t *r = b->rules;
  const alea_toss_rule *source = b->pattern->rule;
  for (size_t i = 0; i < source->dynamics.count; i++) {
    compile_condition(b, source->dynamics.data[i].term, false,
                      &r->dynamics_codes[r->first_dynamics[rule] + i]);
  }
  for (size_t i = 0; i < source->update.count; i++) {
    compile_condition(b, source->update.data[i].term, false,
                      &r->update_codes[r->first_update[rule] + i]);
  }
}

static alea_status compile_rule(rules_t *r, size_t index) {
  alea_toss_pattern *p = &r->patterns[index];
  p->rule = &r->file->rules.data[index];
  p->left_count = (uint32_t)p->rule->left.elements.count;
  p->right_count = (uint32_t)p->rule->right.elements.count;
  p->preserving = alea_toss_is_preserving(p->rule);
  p->exact = alea_mem_zalloc(r->mem, r->relation_count + 1);
  if (p->exact == NULL) return memory_status(r->mem);
  for (size_t i = 0; i < p->rule->exact.count; i++) p->exact[p->rule->exact.data[i]] = 1;
  for (uint32_t i = 0; i < p->left_count; i++) p->left_slots[i] = r->logic.elements++;
  for (uint32_t i = 0; i < p->right_count; i++) p->right_slots[i] = r->logic.elements++;
  find_heirs(p);
  rules_builder b = {.rules = r, .pattern = p};
  add_embedding(&b);
  if (b.status == ALEA_OK) p->embedding = conjunction(&b);
  uint32_t pre;
  compile_condition(&b, p->rule->pre, false, &pre);
  if (pre != NONE && b.status == ALEA_OK) add_conjunct(&b, pre);
  if (b.status == ALEA_OK) {
    b.status = alea_toss_plan_new(&r->logic, p->left_slots, p->left_count, b.conjuncts.data,
                                  b.conjuncts.count, &p->plan);
  }
  compile_condition(&b, p->rule->inv, false, &p->inv);
  compile_condition(&b, p->rule->post, true, &p->post);
  compile_equations(&b, index);
  alea_vec_clear(r->mem, &b.conjuncts);
  return b.status;
}

/* ---- all of it ---- */

static void find_params(rules_t *r) {
  memset(r->params, 0xff, r->name_count * sizeof *r->params);
  for (size_t i = 0; i < r->file->nodes.count; i++) {
    const alea_toss_node *node = &r->file->nodes.data[i];
    if (node->kind == ALEA_TOSS_REAL && r->params[node->name] == NONE) {
      r->params[node->name] = r->logic.reals++;
    }
  }
}

static alea_status compile_payoffs(rules_t *r) {
  size_t players = r->file->players.count;
  for (size_t i = 0; i < r->file->locations.count; i++) {
    for (size_t j = 0; j < players; j++) {
      uint32_t node = r->file->locations.data[i].sides[j].payoff;
      r->payoffs[i * players + j] = NONE;
      if (node == NONE) continue;
      alea_status status =
          alea_toss_compile(&r->logic, node, NULL, 0, &r->payoffs[i * players + j]);
      if (status != ALEA_OK) return status;
    }
  }
  return ALEA_OK;
}

static alea_status allocate(rules_t *r) {
  const alea_toss_file *f = r->file;
  alea_mem *mem = r->mem;
  r->changing = alea_mem_zalloc(mem, r->relation_count + 1);
  r->stored = alea_mem_zalloc(mem, r->relation_count + 1);
  r->walkable = alea_mem_zalloc(mem, r->relation_count + 1);
  r->patterns = alea_mem_calloc(mem, r->rule_count, sizeof *r->patterns);
  r->payoffs = alea_mem_calloc(mem, f->locations.count * f->players.count, sizeof *r->payoffs);
  r->params = alea_mem_calloc(mem, r->name_count, sizeof *r->params);
  r->first_dynamics = alea_mem_calloc(mem, r->rule_count, sizeof *r->first_dynamics);
  r->first_update = alea_mem_calloc(mem, r->rule_count, sizeof *r->first_update);
  if (r->first_dynamics == NULL || r->first_update == NULL) return memory_status(mem);
  for (size_t i = 0; i < r->rule_count; i++) {
    r->first_dynamics[i] = (uint32_t)r->dynamics_count;
    r->first_update[i] = (uint32_t)r->update_count;
    r->dynamics_count += f->rules.data[i].dynamics.count;
    r->update_count += f->rules.data[i].update.count;
  }
  r->dynamics_codes = alea_mem_calloc(mem, r->dynamics_count, sizeof *r->dynamics_codes);
  r->update_codes = alea_mem_calloc(mem, r->update_count, sizeof *r->update_codes);
  bool good = r->changing != NULL && r->stored != NULL && r->walkable != NULL &&
              r->patterns != NULL && r->payoffs != NULL && r->params != NULL &&
              r->dynamics_codes != NULL && r->update_codes != NULL;
  return good ? ALEA_OK : memory_status(mem);
}

static alea_status build(rules_t *r, uint32_t spare, bool certain) {
  alea_status status = allocate(r);
  if (status != ALEA_OK) return status;
  r->notes = alea_toss_notes_new(r->file, r->mem);
  if (r->notes == NULL) return memory_status(r->mem);
  find_changes(r);
  for (size_t i = 0; i < r->relation_count; i++) {
    r->walkable[i] = r->stored[i] && !(certain && r->changing[i]);
  }
  bool grows = false;
  for (size_t i = 0; i < r->rule_count; i++)
    grows |= !alea_toss_is_preserving(&r->file->rules.data[i]);
  r->capacity = (uint32_t)r->file->start.elements.count + (grows ? spare : 0);
  if (r->capacity == 0) r->capacity = 1;
  alea_toss_logic_init(&r->logic, r->file, r->stored, r->walkable, r->mem);
  r->logic.notes = r->notes;
  find_params(r);
  status = make_start(r);
  for (size_t i = 0; i < r->rule_count && status == ALEA_OK; i++) status = compile_rule(r, i);
  return status == ALEA_OK ? compile_payoffs(r) : status;
}

alea_status alea_toss_rules_new(rules_t **rules, const alea_toss_file *file, uint32_t spare,
                                bool certain, alea_mem *mem, alea_diag *diag) {
  *rules = NULL;
  rules_t *r = alea_mem_zalloc(mem, sizeof *r);
  if (r == NULL) return memory_status(mem);
  r->mem = mem;
  r->file = file;
  r->relation_count = file->relations.count;
  r->rule_count = file->rules.count;
  r->name_count = file->names.texts.count;
  alea_status status = build(r, spare, certain);
  if (status != ALEA_OK) {
    alea_toss_notes_report(r->notes, diag);
    alea_toss_rules_free(r);
    return status;
  }
  *rules = r;
  return ALEA_OK;
}
