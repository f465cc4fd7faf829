/* Forward checking on a template.
 *
 * Variables are assigned in their order.  A constraint is looked at when all
 * of its variables but the last are assigned, and leaves the last one only the
 * values it allows; a recursive definition gives all its heads at once. */
#include "support/forward_check.h"

#include <string.h>

#include "scsp/core.h"

struct forward_check {
  const alea_template *t;
  const alea_csp *csp;
  alea_mem *mem;
  uint32_t *first; /* per variable, and one more: constraints that end with it */
  uint32_t *ending;
  bool *allowed, *given; /* scratch, as long as the largest domain */
  size_t widest;
  bool *fired; /* scratch for recursive definitions */
  size_t most_rules;
};

static alea_csp_var last_of(const csp_constraint *c) {
  alea_csp_var last = 0;
  /* a recursive definition is due at its first head: all others follow it */
  if (c->type == &csp_program_type) {
    const csp_program *program = c->data;
    if (program->recursive) {
      last = c->scope[0];
      for (uint32_t i = 1; i < program->head_count; i++)
        if (c->scope[i] < last) last = c->scope[i];
      return last;
    }
  }
  for (uint32_t i = 0; i < c->arity; i++)
    if (c->scope[i] > last) last = c->scope[i];
  return last;
}

forward_check *forward_check_new(const alea_template *t, alea_mem *mem) {
  forward_check *f = alea_mem_zalloc(mem, sizeof *f);
  if (f == NULL) return NULL;
  const alea_csp *csp = t->scsp->csp;
  f->t = t;
  f->csp = csp;
  f->mem = mem;
  for (uint32_t v = 0; v < t->var_count; v++)
    if (csp->vars.data[v].size > f->widest) f->widest = csp->vars.data[v].size;
  for (size_t i = 0; i < csp->constraints.count; i++) {
    const csp_constraint *c = &csp->constraints.data[i];
    const csp_program *program = c->type == &csp_program_type ? c->data : NULL;
    if (program != NULL && program->rule_count > f->most_rules) f->most_rules = program->rule_count;
  }
  f->first = alea_mem_calloc(mem, t->var_count + 2, sizeof *f->first);
  f->ending = alea_mem_calloc(mem, csp->constraints.count, sizeof *f->ending);
  f->allowed = alea_mem_calloc(mem, f->widest, sizeof *f->allowed);
  f->given = alea_mem_calloc(mem, f->widest, sizeof *f->given);
  f->fired = alea_mem_calloc(mem, f->most_rules, sizeof *f->fired);
  if (f->first == NULL || f->ending == NULL || f->allowed == NULL || f->given == NULL ||
      f->fired == NULL) {
    forward_check_free(f);
    return NULL;
  }
  for (size_t i = 0; i < csp->constraints.count; i++)
    f->first[last_of(&csp->constraints.data[i]) + 2]++;
  for (uint32_t v = 2; v < t->var_count + 2; v++) f->first[v] += f->first[v - 1];
  for (size_t i = 0; i < csp->constraints.count; i++)
    f->ending[f->first[last_of(&csp->constraints.data[i]) + 1]++] = (uint32_t)i;
  return f;
}

void forward_check_free(forward_check *f) {
  if (f == NULL) return;
  alea_mem_free(f->mem, f->first, (f->t->var_count + 2) * sizeof *f->first);
  alea_mem_free(f->mem, f->ending, f->csp->constraints.count * sizeof *f->ending);
  alea_mem_free(f->mem, f->allowed, f->widest * sizeof *f->allowed);
  alea_mem_free(f->mem, f->given, f->widest * sizeof *f->given);
  alea_mem_free(f->mem, f->fired, f->most_rules * sizeof *f->fired);
  alea_mem_free(f->mem, f, sizeof *f);
}

/* Values here are indexes into the domains of the network. */
static int32_t value_of(const forward_check *f, const uint32_t *values, alea_csp_var var) {
  return csp_value(&f->csp->vars.data[var], values[var]);
}

/* ---- tables: rows are sorted, the last variable is the last column ---- */

static int compare(const csp_constraint *c, const uint32_t *row, const uint32_t *values) {
  for (uint32_t i = 0; i + 1 < c->arity; i++) {
    uint32_t x = row[i], y = values[c->scope[i]];
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}

static void give_table(forward_check *f, const csp_constraint *c, const uint32_t *values) {
  const csp_table *table = c->data;
  size_t low = 0, high = table->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (compare(c, &table->rows[middle * c->arity], values) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < table->count && compare(c, &table->rows[low * c->arity], values) == 0; low++)
    f->given[table->rows[low * c->arity + c->arity - 1]] = true;
}

/* ---- rules ---- */

static bool body_holds(const forward_check *f, const csp_constraint *c, const csp_rule *rule,
                       const uint32_t *values) {
  const csp_program *p = c->data;
  for (uint32_t i = 0; i < rule->count; i++) {
    csp_literal lit = p->lits[rule->first + i];
    if ((value_of(f, values, c->scope[lit.position]) == lit.value) == lit.negative) return false;
  }
  return true;
}

static void give_rules(forward_check *f, const csp_constraint *c, const uint32_t *values) {
  const csp_program *p = c->data;
  const csp_variable *head = &f->csp->vars.data[c->scope[0]];
  bool choice = c->type == &csp_choice_type;
  uint32_t found = 0;
  int32_t value = choice ? 0 : p->defaults[0];
  for (size_t r = 0; r < p->rule_count; r++) {
    if (!body_holds(f, c, &p->rules[r], values)) continue;
    int32_t derived = p->rules[r].value;
    if (choice) {
      uint32_t index = csp_index(head, derived);
      if (index != ALEA_CSP_NONE) f->given[index] = true;
      continue;
    }
    if (found > 0 && derived != value && !p->highest) return; /* two values: none */
    if (found == 0 || derived > value) value = derived;
    found++;
  }
  uint32_t index = choice ? ALEA_CSP_NONE : csp_index(head, value);
  if (index != ALEA_CSP_NONE) f->given[index] = true;
}

/* The heads start from their defaults; rules fire until none does. */
static bool set_heads(forward_check *f, const csp_constraint *c, uint32_t *values) {
  const csp_program *p = c->data;
  for (uint32_t h = 0; h < p->head_count; h++) {
    values[c->scope[h]] = csp_index(&f->csp->vars.data[c->scope[h]], p->defaults[h]);
    if (values[c->scope[h]] == ALEA_CSP_NONE) return false;
  }
  memset(f->fired, 0, p->rule_count * sizeof *f->fired);
  for (bool more = true; more;) {
    more = false;
    for (size_t r = 0; r < p->rule_count; r++) {
      const csp_rule *rule = &p->rules[r];
      if (f->fired[r] || !body_holds(f, c, rule, values)) continue;
      alea_csp_var head = c->scope[rule->head];
      uint32_t index = csp_index(&f->csp->vars.data[head], rule->value);
      bool fresh = value_of(f, values, head) == p->defaults[rule->head];
      if (index == ALEA_CSP_NONE || (!fresh && values[head] != index)) return false;
      f->fired[r] = more = true;
      values[head] = index;
    }
  }
  return true;
}

/* ---- variables ---- */

static bool is_part(const csp_constraint *c) {
  return c->type == &csp_program_type && ((const csp_program *)c->data)->recursive;
}

uint32_t forward_check_allowed(forward_check *f, uint32_t *values, alea_csp_var var,
                               bool *allowed) {
  uint32_t size = f->csp->vars.data[var].size, count = 0;
  memset(allowed, 1, size * sizeof *allowed);
  for (uint32_t k = f->first[var]; k < f->first[var + 1]; k++) {
    const csp_constraint *c = &f->csp->constraints.data[f->ending[k]];
    if (is_part(c)) continue;
    memset(f->given, 0, size * sizeof *f->given);
    if (csp_is_table(c->type))
      give_table(f, c, values);
    else
      give_rules(f, c, values);
    for (uint32_t i = 0; i < size; i++) allowed[i] = allowed[i] && f->given[i];
  }
  for (uint32_t i = 0; i < size; i++) count += allowed[i];
  return count;
}

/* Assigns variable 'var', which others determine. */
static bool determine(forward_check *f, uint32_t *values, alea_csp_var var, uint32_t *parts) {
  for (uint32_t k = f->first[var]; k < f->first[var + 1]; k++) {
    const csp_constraint *c = &f->csp->constraints.data[f->ending[k]];
    if (!is_part(c)) continue;
    *parts = ((const csp_program *)c->data)->head_count;
    return set_heads(f, c, values);
  }
  if (forward_check_allowed(f, values, var, f->allowed) == 0) return false;
  values[var] = 0;
  while (!f->allowed[values[var]]) values[var]++;
  return true;
}

/* Heads of a recursive definition have consecutive numbers. */
static bool extend(forward_check *f, uint32_t *values, uint32_t from, uint32_t to) {
  while (from < to) {
    uint32_t parts = 1;
    if (!determine(f, values, from, &parts)) return false;
    from += parts;
  }
  return true;
}

bool forward_check_state(forward_check *f, uint32_t *values) {
  const alea_template *t = f->t;
  uint32_t first = t->closing;
  while (first < t->moving && t->kinds[first] == ALEA_VAR_FLAG) first++;
  return extend(f, values, t->state_count + 1, first);
}

bool forward_check_finish(forward_check *f, uint32_t *values) {
  return extend(f, values, f->t->moving, f->t->var_count);
}
