/* Clauses for tables, literals, linear constraints, and values of lists. */
#include "csp/learn_core.h"

enum { MAX_ROWS = 1 << 16, MAX_TRIED = 1 << 10 };

/* ---- tables ---- */

static alea_slit cell(csp_learner *l, const csp_prop *prop, uint32_t column, uint32_t entry) {
  if (entry == CSP_ANY) return ALEA_SLIT_TRUE;
  alea_csp_var var = prop->scope[column];
  return learn_eq(l, var, csp_value(csp_dom(l->engine, var)->var, entry));
}

static bool row_lives(const csp_learner *l, const csp_prop *prop, const uint32_t *row) {
  for (uint32_t c = 0; c < prop->arity; c++)
    if (row[c] != CSP_ANY && !csp_has(csp_dom(l->engine, prop->scope[c]), row[c])) return false;
  return true;
}

static void exclude_row(csp_learner *l, const csp_prop *prop, const uint32_t *row) {
  for (uint32_t c = 0; c < prop->arity; c++) learn_add(l, -cell(l, prop, c, row[c]));
  learn_end(l);
}

static bool has_row(const csp_table *table, const uint32_t *row) {
  size_t lo = 0, hi = table->count;
  while (lo < hi) {
    size_t middle = lo + (hi - lo) / 2;
    const uint32_t *other = &table->rows[middle * table->arity];
    uint32_t c = 0;
    while (c < table->arity && other[c] == row[c]) c++;
    if (c == table->arity) return true;
    if (other[c] < row[c])
      lo = middle + 1;
    else
      hi = middle;
  }
  return false;
}

/* A small table by the tuples it lacks: no new literals, and where it is the
 * table of a function, one clause for each argument and wrong value. */
static bool exclude_others(csp_learner *l, const csp_prop *prop, const csp_table *table) {
  uint64_t product = 1;
  uint32_t at[8];
  if (table->has_star || prop->arity > 8) return false;
  for (uint32_t c = 0; c < prop->arity; c++) {
    product *= csp_dom(l->engine, prop->scope[c])->size;
    at[c] = csp_dom(l->engine, prop->scope[c])->min;
    if (product > MAX_TRIED) return false;
  }
  if (product > 4 * table->count + 16) return false;
  for (bool more = true; more;) {
    if (!has_row(table, at)) exclude_row(l, prop, at);
    uint32_t c = prop->arity;
    for (more = false; c > 0 && !more; c--) {
      const csp_domain *domain = csp_dom(l->engine, prop->scope[c - 1]);
      uint32_t next = csp_next(domain, at[c - 1] + 1);
      more = next != UINT32_MAX;
      at[c - 1] = more ? next : domain->min;
    }
  }
  return true;
}

/* Each value of a variable needs a row that has it. */
static void support_values(csp_learner *l, const csp_prop *prop, const csp_table *table,
                           uint32_t column, const alea_slit *rows) {
  const csp_domain *domain = csp_dom(l->engine, prop->scope[column]);
  for
    CSP_EACH(index, domain) {
      learn_add(l, -cell(l, prop, column, index));
      for (size_t r = 0; r < table->count; r++) {
        uint32_t entry = table->rows[r * table->arity + column];
        if (entry == index || entry == CSP_ANY) learn_add(l, rows[r]);
      }
      learn_end(l);
    }
}

/* A new literal that implies the cells of the row. */
static alea_slit row_literal(csp_learner *l, const csp_prop *prop, const csp_table *table,
                             size_t r) {
  const uint32_t *row = &table->rows[r * table->arity];
  if (!row_lives(l, prop, row)) return ALEA_SLIT_FALSE;
  alea_slit lit = alea_sat_variable(&l->sat);
  for (uint32_t c = 0; c < table->arity; c++) learn_clause2(l, -lit, cell(l, prop, c, row[c]));
  return lit;
}

static bool encode_rows(csp_learner *l, const csp_prop *prop, const csp_table *table) {
  if (table->count > MAX_ROWS) return false;
  alea_slit *rows = alea_mem_alloc(l->mem, (table->count + 1) * sizeof *rows);
  if (rows == NULL) {
    l->no_memory = true;
    return false;
  }
  if (table->arity == 2 && !table->has_star) {
    for (uint32_t c = 0; c < 2; c++) {
      for (size_t r = 0; r < table->count; r++)
        rows[r] = row_lives(l, prop, &table->rows[2 * r])
                      ? cell(l, prop, 1 - c, table->rows[2 * r + 1 - c])
                      : ALEA_SLIT_FALSE;
      support_values(l, prop, table, c, rows);
    }
  } else {
    for (size_t r = 0; r < table->count; r++) rows[r] = row_literal(l, prop, table, r);
    for (uint32_t c = 0; c < table->arity; c++) support_values(l, prop, table, c, rows);
  }
  alea_mem_free(l->mem, rows, (table->count + 1) * sizeof *rows);
  return true;
}

static bool encode_table(csp_learner *l, const csp_prop *prop) {
  const csp_table *table = prop->constraint->data;
  if (prop->type == &csp_unary_type) return true; /* the root has removed the values */
  if (!table->forbidden) return exclude_others(l, prop, table) || encode_rows(l, prop, table);
  for (size_t r = 0; r < table->count; r++) exclude_row(l, prop, &table->rows[r * table->arity]);
  return true;
}

/* ---- literals ---- */

static alea_slit literal(csp_learner *l, const csp_prop *prop, csp_literal lit) {
  alea_slit equal = learn_eq(l, prop->scope[lit.position], lit.value);
  return lit.negative ? -equal : equal;
}

static bool encode_clause(csp_learner *l, const csp_prop *prop) {
  const csp_clause *clause = prop->constraint->data;
  for (size_t i = 0; i < clause->count; i++) learn_add(l, literal(l, prop, clause->lits[i]));
  learn_end(l);
  return true;
}

/* The head implies some body, each body implies the head. */
static bool encode_rules(csp_learner *l, const csp_prop *prop) {
  const csp_rules *rules = prop->constraint->data;
  alea_slit head = literal(l, prop, rules->head);
  alea_slit *bodies = alea_mem_alloc(l->mem, (rules->bodies + 1) * sizeof *bodies);
  if (bodies == NULL) {
    l->no_memory = true;
    return false;
  }
  for (size_t b = 0; b < rules->bodies; b++) {
    bodies[b] = alea_sat_variable(&l->sat);
    for (uint32_t i = rules->starts[b]; i < rules->starts[b + 1]; i++)
      learn_clause2(l, -bodies[b], literal(l, prop, rules->lits[i]));
    learn_add(l, head);
    for (uint32_t i = rules->starts[b]; i < rules->starts[b + 1]; i++)
      learn_add(l, -literal(l, prop, rules->lits[i]));
    learn_end(l);
  }
  learn_add(l, -head);
  for (size_t b = 0; b < rules->bodies; b++) learn_add(l, bodies[b]);
  learn_end(l);
  alea_mem_free(l->mem, bodies, (rules->bodies + 1) * sizeof *bodies);
  return true;
}

static bool encode_iff(csp_learner *l, const csp_prop *prop) {
  const csp_pair *pair = prop->constraint->data;
  alea_slit a = learn_eq(l, prop->scope[0], pair->a), b = learn_eq(l, prop->scope[1], pair->b);
  learn_clause2(l, -a, b);
  learn_clause2(l, a, -b);
  return true;
}

/* ---- sums ---- */

static learn_number *new_terms(csp_learner *l, size_t count) {
  learn_number *terms = alea_arena_alloc(&l->arena, (count + 1) * sizeof *terms);
  if (terms == NULL) l->no_memory = true;
  return terms;
}

static bool encode_linear(csp_learner *l, const csp_prop *prop) {
  const csp_linear *linear = prop->constraint->data;
  learn_number *terms = new_terms(l, prop->arity);
  int64_t rhs = linear->rhs;
  uint32_t n = 0;
  if (terms == NULL) return false;
  for (uint32_t i = 0; i < prop->arity; i++) {
    const csp_domain *domain = csp_dom(l->engine, prop->scope[i]);
    if (domain->size == 1)
      rhs -= linear->coeffs[i] * csp_min(domain);
    else
      terms[n++] = learn_term(l, prop->scope[i], linear->coeffs[i]);
  }
  if (n == 0) return true; /* the root has checked it */
  return learn_sum(l, terms, n, linear->op, rhs);
}

/* How many of the list take a counted value: flags, less the total, add up to 0. */
static bool encode_count(csp_learner *l, const csp_prop *prop) {
  const csp_values *set = prop->constraint->data;
  uint32_t list = prop->arity - 1, n = 0;
  learn_number *terms = new_terms(l, prop->arity);
  int64_t sure = 0;
  if (terms == NULL) return false;
  for (uint32_t i = 0; i < list; i++) {
    for (size_t v = 0; v < set->count; v++) {
      alea_slit lit = learn_eq(l, prop->scope[i], set->values[v]);
      if (!alea_vec_push(l->mem, &l->lits, lit)) l->no_memory = true;
    }
    alea_slit member =
        l->no_memory ? ALEA_SLIT_FALSE : alea_sat_gate(&l->sat, true, l->lits.data, l->lits.count);
    l->lits.count = 0;
    if (member == ALEA_SLIT_TRUE) sure++;
    if (member != ALEA_SLIT_TRUE && member != ALEA_SLIT_FALSE) terms[n++] = learn_flag(l, member);
  }
  terms[n++] = learn_term(l, prop->scope[list], -1);
  return learn_sum(l, terms, n, ALEA_EQ, -sure);
}

/* ---- values of lists ---- */

/* At most one variable takes a value; with as many values as variables exactly
 * one does. */
static bool encode_all_different(csp_learner *l, const csp_prop *prop) {
  const csp_values *except = prop->constraint->data;
  ALEA_VEC(int64_t) values = {0};
  for (uint32_t i = 0; i < prop->arity; i++)
    for (uint32_t k = 0; k < l->numbers[prop->scope[i]].count; k++) {
      int64_t value = l->numbers[prop->scope[i]].values[k];
      bool known = false;
      for (size_t e = 0; e < except->count; e++) known = known || except->values[e] == value;
      for (size_t v = 0; v < values.count && !known; v++) known = values.data[v] == value;
      if (!known && !alea_vec_push(l->mem, &values, value)) l->no_memory = true;
    }
  bool exact = except->count == 0 && values.count == prop->arity;
  for (size_t v = 0; v < values.count && !l->no_memory; v++) {
    for (uint32_t i = 0; i < prop->arity; i++) {
      alea_slit lit = learn_eq(l, prop->scope[i], values.data[v]);
      if (lit != ALEA_SLIT_FALSE && !alea_vec_push(l->mem, &l->lits, lit)) l->no_memory = true;
    }
    const alea_slit *lits = l->lits.data;
    alea_sat_at_most_one(&l->sat, lits, l->lits.count);
    if (exact) alea_sat_clause(&l->sat, lits, l->lits.count);
    l->lits.count = 0;
  }
  alea_vec_clear(l->mem, &values);
  return true;
}

/* Where the literal holds, the two variables are equal. */
static void equal_if(csp_learner *l, alea_slit when, alea_csp_var a, alea_csp_var b) {
  for (int s = 0; s < 2; s++) {
    const learn_number *number = &l->numbers[s == 0 ? a : b];
    alea_csp_var other = s == 0 ? b : a;
    for (uint32_t k = 0; k < number->count; k++) {
      learn_clause3(l, -when, -number->ge[k], learn_ge(l, other, number->values[k]));
      learn_clause3(l, -when, number->ge[k + 1], learn_le(l, other, number->values[k]));
    }
  }
}

static bool encode_element(csp_learner *l, const csp_prop *prop) {
  const csp_element *element = prop->constraint->data;
  alea_csp_var index = prop->scope[element->count], value = prop->scope[element->count + 1];
  for (uint32_t i = 0; i < element->count; i++) {
    alea_slit chosen = learn_eq(l, index, (int64_t)element->base + i);
    if (chosen != ALEA_SLIT_FALSE) equal_if(l, chosen, prop->scope[i], value);
  }
  return true;
}

/* result >= v if and only if some variable is; for the minimum with signs
 * turned. */
static bool encode_extremum(csp_learner *l, const csp_prop *prop, bool maximum) {
  uint32_t list = prop->arity - 1;
  for (uint32_t i = 0; i <= list; i++) {
    const learn_number *number = &l->numbers[prop->scope[i]];
    for (uint32_t k = 0; k < number->count; k++) {
      int64_t v = number->values[k];
      alea_csp_var result = prop->scope[list];
      if (i < list) {
        if (maximum)
          learn_clause2(l, -number->ge[k], learn_ge(l, result, v));
        else
          learn_clause2(l, number->ge[k + 1], learn_le(l, result, v));
        continue;
      }
      learn_add(l, maximum ? -learn_ge(l, result, v) : -learn_le(l, result, v));
      for (uint32_t j = 0; j < list; j++)
        learn_add(l, maximum ? learn_ge(l, prop->scope[j], v) : learn_le(l, prop->scope[j], v));
      learn_end(l);
    }
  }
  return true;
}

bool learn_encode(csp_learner *l, const csp_prop *prop) {
  const csp_type *type = prop->type;
  if (csp_is_table(type)) return encode_table(l, prop);
  if (type == &csp_clause_type) return encode_clause(l, prop);
  if (type == &csp_rules_type) return encode_rules(l, prop);
  if (type == &csp_iff_type) return encode_iff(l, prop);
  if (type == &csp_linear_type || type == &csp_order_type) return encode_linear(l, prop);
  if (type == &csp_count_type) return encode_count(l, prop);
  if (type == &csp_all_different_type) return encode_all_different(l, prop);
  if (type == &csp_element_type) return encode_element(l, prop);
  if (type == &csp_maximum_type) return encode_extremum(l, prop, true);
  if (type == &csp_minimum_type) return encode_extremum(l, prop, false);
  return false;
}
