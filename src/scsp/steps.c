/* Hard constraints of a compiled network: each becomes a function from the
 * values of earlier variables to the allowed values of a later one.
 *
 * A small one is a dense array.  A large table is searched by halving, rules
 * are evaluated, and only what is neither is asked value by value. */
#include "scsp/core.h"

enum {
  DENSE_CELLS = 1 << 22, /* of one constraint */
  RULE_CELLS = 1 << 12,  /* beyond this rules are cheaper evaluated than tabled */
  CHECK_CELLS = 1 << 20, /* constraints that are only asked */
};

bool scsp_split_scope(scsp_plan *plan, const alea_csp_var *scope, uint32_t arity, scsp_step *step,
                      alea_csp_var *last, size_t *cells) {
  alea_csp_var *vars = alea_arena_alloc(&plan->arena, (arity + 1) * sizeof *vars);
  uint32_t *strides = alea_arena_alloc(&plan->arena, (arity + 1) * sizeof *strides);
  if (vars == NULL || strides == NULL) return false;
  *last = 0;
  *cells = 1;
  for (uint32_t i = 0; i < arity; i++)
    if (scope[i] > *last) *last = scope[i];
  for (uint32_t i = 0; i < arity; i++) {
    bool known = scope[i] == *last;
    for (uint32_t j = 0; j < step->count && !known; j++) known = vars[j] == scope[i];
    if (!known) vars[step->count++] = scope[i];
  }
  for (uint32_t i = step->count; i-- > 0;) {
    strides[i] = (uint32_t)(*cells == SIZE_MAX ? 0 : *cells);
    if (*cells != SIZE_MAX) *cells *= plan->scsp->csp->vars.data[vars[i]].size;
    if (*cells > DENSE_CELLS) *cells = SIZE_MAX;
  }
  step->vars = vars;
  step->strides = strides;
  return true;
}

void scsp_decode(const scsp_plan *plan, const scsp_step *step, size_t cell, uint32_t *indexes) {
  for (uint32_t i = 0; i < step->count; i++)
    indexes[step->vars[i]] =
        (uint32_t)(cell / step->strides[i]) % plan->scsp->csp->vars.data[step->vars[i]].size;
}

/* ---- asking the constraint ---- */

static bool holds(const scsp_plan *plan, const csp_constraint *constraint,
                  const uint32_t *indexes) {
  const alea_csp *csp = plan->scsp->csp;
  int32_t few[64] = {0};
  size_t bytes = constraint->arity * sizeof(int32_t);
  int32_t *values = constraint->arity <= 64 ? few : alea_mem_alloc(plan->mem, bytes);
  if (values == NULL) return false;
  for (uint32_t i = 0; i < constraint->arity; i++)
    values[i] = csp_value(&csp->vars.data[constraint->scope[i]], indexes[constraint->scope[i]]);
  bool result = constraint->type->check(csp, constraint, values);
  if (values != few) alea_mem_free(plan->mem, values, bytes);
  return result;
}

static void ask_each(const scsp_plan *plan, const scsp_step *step, uint32_t at, uint32_t *indexes,
                     uint64_t *set) {
  for (uint32_t v = 0; v < plan->places[at].size; v++) {
    indexes[at] = v;
    if (holds(plan, step->constraint, indexes)) set[v >> 6] |= UINT64_C(1) << (v & 63);
  }
}

/* ---- tables ---- */

static int compare_row(const scsp_step *step, size_t row, const uint32_t *indexes) {
  const uint32_t *entries = &step->rows[row * (step->count + 1)];
  for (uint32_t i = 0; i < step->count; i++)
    if (entries[i] != indexes[step->vars[i]]) return entries[i] < indexes[step->vars[i]] ? -1 : 1;
  return 0;
}

static void find_rows(const scsp_step *step, const uint32_t *indexes, uint64_t *set) {
  size_t low = 0, high = step->row_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (compare_row(step, middle, indexes) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < step->row_count && compare_row(step, low, indexes) == 0; low++) {
    uint32_t value = step->rows[low * (step->count + 1) + step->count];
    set[value >> 6] |= UINT64_C(1) << (value & 63);
  }
}

/* Rows with the columns in the step's order, sorted, unless they are so already. */
static bool take_rows(scsp_plan *plan, const csp_constraint *constraint, alea_csp_var last,
                      scsp_step *step) {
  const csp_table *table = constraint->data;
  uint32_t arity = step->count + 1;
  step->rows = table->rows;
  step->row_count = table->count;
  bool same = true;
  for (uint32_t i = 0; i < arity; i++)
    same = same && constraint->scope[i] == (i < step->count ? step->vars[i] : last);
  if (same) return true;
  uint32_t *rows = alea_arena_alloc(&plan->arena, (table->count * arity + 1) * sizeof *rows);
  if (rows == NULL) return false;
  for (size_t r = 0; r < table->count; r++)
    for (uint32_t c = 0; c < arity; c++)
      for (uint32_t i = 0; i < arity; i++)
        if (constraint->scope[c] == (i < step->count ? step->vars[i] : last))
          rows[r * arity + i] = table->rows[r * arity + c];
  step->row_count = csp_rows_sort(plan->mem, rows, table->count, arity);
  step->rows = rows;
  return step->row_count != SIZE_MAX;
}

/* ---- rules ---- */

static bool lit_holds(scsp_lit lit, const uint32_t *indexes) {
  return (indexes[lit.var] == lit.index) != lit.negative;
}

static bool body_holds(const scsp_rules *p, const scsp_rule *rule, const uint32_t *indexes) {
  for (uint32_t i = 0; i < rule->count; i++)
    if (!lit_holds(p->lits[rule->first + i], indexes)) return false;
  return true;
}

static void put_value(const scsp_plan *plan, alea_csp_var var, int32_t value, uint64_t *set) {
  uint32_t index = csp_index(&plan->scsp->csp->vars.data[var], value);
  if (index != ALEA_CSP_NONE) set[index >> 6] |= UINT64_C(1) << (index & 63);
}

static void run_rules(const scsp_plan *plan, const scsp_rules *p, uint32_t head,
                      const uint32_t *indexes, uint64_t *set) {
  int32_t value = p->choice ? 0 : p->defaults[head];
  bool found = false;
  for (uint32_t r = p->rule_first[head]; r < p->rule_first[head + 1]; r++) {
    const scsp_rule *rule = &p->rules[r];
    if (!body_holds(p, rule, indexes)) continue;
    if (p->choice) {
      put_value(plan, p->head[head], rule->value, set);
      continue;
    }
    if (found && rule->value != value && !p->highest) return; /* two values: none */
    if (!found || rule->value > value) value = rule->value;
    found = true;
  }
  if (!p->choice) put_value(plan, p->head[head], value, set);
}

/* A literal over a head asks what has been derived, any other the value. */
static bool inner_holds(const scsp_rules *p, const scsp_rule *rule, const uint32_t *indexes) {
  const bool *derived = p->fired + p->rule_first[p->heads];
  for (uint32_t i = 0; i < rule->count; i++) {
    const scsp_lit *lit = &p->lits[rule->first + i];
    if (lit->head == ALEA_CSP_NONE) {
      if (!lit_holds(*lit, indexes)) return false;
    } else if (!derived[lit->head] || p->given[lit->head] != lit->value) {
      return false;
    }
  }
  return true;
}

/* The least model: rules fire until none does. */
static void run_recursive(const scsp_rules *p, const uint32_t *indexes) {
  uint32_t rules = p->rule_first[p->heads];
  bool *derived = p->fired + rules;
  memset(p->fired, 0, (rules + p->heads) * sizeof *p->fired);
  memcpy(p->given, p->defaults, p->heads * sizeof *p->given);
  *p->possible = true;
  for (bool more = true; more && *p->possible;) {
    more = false;
    for (uint32_t r = 0; r < rules; r++) {
      const scsp_rule *rule = &p->rules[r];
      if (p->fired[r] || !inner_holds(p, rule, indexes)) continue;
      if (derived[rule->head] && p->given[rule->head] != rule->value) *p->possible = false;
      p->fired[r] = derived[rule->head] = more = true;
      p->given[rule->head] = rule->value;
    }
  }
}

static void recall_recursive(const scsp_plan *plan, const scsp_rules *p, uint32_t head,
                             const uint32_t *indexes, uint64_t *set) {
  bool same = *p->ready;
  for (uint32_t i = 0; i < p->inputs && same; i++) same = p->seen[i] == indexes[p->input[i]];
  if (!same) {
    run_recursive(p, indexes);
    for (uint32_t i = 0; i < p->inputs; i++) p->seen[i] = indexes[p->input[i]];
    *p->ready = true;
  }
  if (*p->possible) put_value(plan, p->head[head], p->given[head], set);
}

/* ---- compiling rules ---- */

static bool is_rules(const csp_constraint *constraint) {
  return constraint->type == &csp_program_type || constraint->type == &csp_choice_type;
}

/* Whether every head follows from variables before it. */
static bool goes_forward(const csp_constraint *constraint) {
  const csp_program *p = constraint->data;
  if (p->recursive && p->highest) return false;
  uint32_t heads = constraint->type == &csp_choice_type ? 1 : p->head_count;
  alea_csp_var first = constraint->scope[0];
  for (uint32_t h = 1; h < heads; h++)
    if (constraint->scope[h] < first) first = constraint->scope[h];
  for (size_t r = 0; r < p->rule_count; r++)
    for (uint32_t i = 0; i < p->rules[r].count; i++) {
      csp_literal lit = p->lits[p->rules[r].first + i];
      alea_csp_var var = constraint->scope[lit.position];
      if (p->recursive && lit.position < heads) {
        if (lit.negative) return false;
      } else if (var >= (p->recursive ? first : constraint->scope[p->rules[r].head])) {
        return false;
      }
    }
  return true;
}

static bool copy_rules(scsp_plan *plan, const csp_constraint *constraint, scsp_rules *out) {
  const csp_program *p = constraint->data;
  uint32_t *starts = alea_arena_alloc(&plan->arena, (out->heads + 2) * sizeof *starts);
  scsp_rule *rules = alea_arena_alloc(&plan->arena, (p->rule_count + 1) * sizeof *rules);
  scsp_lit *lits = alea_arena_alloc(&plan->arena, (p->lit_count + 1) * sizeof *lits);
  if (starts == NULL || rules == NULL || lits == NULL) return false;
  memset(starts, 0, (out->heads + 2) * sizeof *starts);
  for (size_t r = 0; r < p->rule_count; r++) starts[p->rules[r].head + 2]++;
  for (uint32_t h = 2; h < out->heads + 2; h++) starts[h] += starts[h - 1];
  for (size_t r = 0; r < p->rule_count; r++) {
    const csp_rule *rule = &p->rules[r];
    rules[starts[rule->head + 1]++] =
        (scsp_rule){rule->head, rule->value, rule->first, rule->count};
  }
  for (size_t i = 0; i < p->lit_count; i++) {
    csp_literal lit = p->lits[i];
    alea_csp_var var = constraint->scope[lit.position];
    uint32_t index = csp_index(&plan->scsp->csp->vars.data[var], lit.value);
    bool inner = out->recursive && lit.position < out->heads;
    lits[i] = (scsp_lit){var, index, lit.value, inner ? lit.position : ALEA_CSP_NONE, lit.negative};
  }
  out->rule_first = starts;
  out->rules = rules;
  out->lits = lits;
  return true;
}

static scsp_rules *compile_rules(scsp_plan *plan, const csp_constraint *constraint) {
  const csp_program *p = constraint->data;
  scsp_rules *out = alea_arena_alloc(&plan->arena, sizeof *out);
  if (out == NULL) return NULL;
  *out = (scsp_rules){.choice = constraint->type == &csp_choice_type,
                      .highest = p->highest,
                      .recursive = p->recursive,
                      .head = constraint->scope,
                      .defaults = p->defaults};
  out->heads = out->choice ? 1 : p->head_count;
  out->inputs = constraint->arity - out->heads;
  out->input = constraint->scope + out->heads;
  if (!copy_rules(plan, constraint, out)) return NULL;
  if (!out->recursive) return out;
  out->seen = alea_arena_alloc(&plan->arena, (out->inputs + 1) * sizeof *out->seen);
  out->given = alea_arena_alloc(&plan->arena, out->heads * sizeof *out->given);
  out->fired = alea_arena_alloc(&plan->arena, p->rule_count + out->heads + 2);
  if (out->seen == NULL || out->given == NULL || out->fired == NULL) return NULL;
  out->ready = out->fired + p->rule_count + out->heads;
  out->possible = out->ready + 1;
  *out->ready = *out->possible = false;
  return out;
}

/* One step per head; each reads all the inputs of a recursive program, and those
 * of its own rules otherwise. */
static bool add_heads(scsp_plan *plan, const csp_constraint *constraint, const scsp_rules *rules) {
  const csp_program *p = constraint->data;
  size_t lits = p->lit_count < UINT16_MAX ? p->lit_count : UINT16_MAX;
  for (uint32_t h = 0; h < rules->heads; h++) {
    scsp_step step = {.vars = rules->input,
                      .count = rules->inputs,
                      .rules = rules,
                      .head = h,
                      .constraint = constraint};
    scsp_place *place = &plan->places[rules->head[h]];
    place->cost += (uint32_t)(rules->recursive ? rules->inputs : lits / rules->heads) + 2;
    if (!alea_vec_push(plan->mem, &place->hard, step)) return false;
  }
  return true;
}

/* ---- all ---- */

/* What the step allows, into a set of zeroes. */
static void give(const scsp_plan *plan, const scsp_step *step, uint32_t at, uint32_t *indexes,
                 uint64_t *set) {
  if (step->rows != NULL)
    find_rows(step, indexes, set);
  else if (step->rules == NULL)
    ask_each(plan, step, at, indexes, set);
  else if (step->rules->recursive)
    recall_recursive(plan, step->rules, step->head, indexes, set);
  else
    run_rules(plan, step->rules, step->head, indexes, set);
}

static bool make_dense(scsp_plan *plan, scsp_step *step, uint32_t at, size_t cells,
                       uint32_t *indexes) {
  uint32_t words = plan->places[at].words;
  uint64_t *masks = alea_arena_alloc(&plan->arena, cells * words * sizeof *masks);
  if (masks == NULL) return false;
  memset(masks, 0, cells * words * sizeof *masks);
  if (step->rows != NULL) {
    for (size_t r = 0; r < step->row_count; r++) {
      const uint32_t *row = &step->rows[r * (step->count + 1)];
      size_t cell = 0;
      for (uint32_t i = 0; i < step->count; i++) cell += (size_t)row[i] * step->strides[i];
      uint32_t value = row[step->count];
      masks[cell * words + (value >> 6)] |= UINT64_C(1) << (value & 63);
    }
  } else {
    for (size_t cell = 0; cell < cells; cell++) {
      scsp_decode(plan, step, cell, indexes);
      give(plan, step, at, indexes, &masks[cell * words]);
    }
  }
  step->masks = masks;
  return true;
}

/* How many cells times values a dense array of the constraint may have. */
static size_t dense_room(const scsp_plan *plan, const scsp_step *step) {
  size_t room = CHECK_CELLS;
  if (step->rows != NULL) room = 64 * step->row_count + RULE_CELLS;
  if (step->rules != NULL) room = RULE_CELLS;
  return room < plan->budget ? room : plan->budget;
}

static bool has_repeats(const csp_constraint *constraint) {
  for (uint32_t i = 1; i < constraint->arity; i++)
    for (uint32_t k = 0; k < i; k++)
      if (constraint->scope[i] == constraint->scope[k]) return true;
  return false;
}

bool scsp_add_hard(scsp_plan *plan, const csp_constraint *constraint, uint32_t *indexes) {
  scsp_step step = {.constraint = constraint};
  const csp_table *table = csp_is_table(constraint->type) ? constraint->data : NULL;
  bool forward = is_rules(constraint) && goes_forward(constraint);
  const scsp_rules *rules = forward ? compile_rules(plan, constraint) : NULL;
  if (forward && rules == NULL) return false;
  if (forward && rules->heads > 1) return add_heads(plan, constraint, rules);
  alea_csp_var last;
  size_t cells;
  if (!scsp_split_scope(plan, constraint->scope, constraint->arity, &step, &last, &cells))
    return false;
  step.rules = rules;
  if (table != NULL && !table->forbidden && !table->has_star && !has_repeats(constraint) &&
      !take_rows(plan, constraint, last, &step))
    return false;
  scsp_place *place = &plan->places[last];
  size_t each = step.rows != NULL ? place->words : place->size;
  bool dense = cells != SIZE_MAX && cells <= dense_room(plan, &step) / each;
  if (dense && !make_dense(plan, &step, last, cells, indexes)) return false;
  if (dense) plan->budget -= cells * each;
  size_t cost = 2;
  if (!dense && rules != NULL) cost = ((const csp_program *)constraint->data)->lit_count + 2;
  if (!dense && rules == NULL) cost = step.rows != NULL ? 32 : (size_t)place->size * step.count + 2;
  place->cost += (uint32_t)(cost < 1 << 20 ? cost : 1 << 20);
  return alea_vec_push(plan->mem, &place->hard, step);
}

/* Counts up to two. */
static uint32_t count_set(const uint64_t *set, uint32_t words) {
  uint32_t count = 0;
  for (uint32_t w = 0; w < words && count < 2; w++)
    if (set[w] != 0) count += (set[w] & (set[w] - 1)) == 0 ? 1 : 2;
  return count < 2 ? count : 2;
}

/* Most variables have a domain of one word. */
static uint32_t allowed_word(const scsp_plan *plan, uint32_t at, uint32_t *indexes, uint64_t *set) {
  const scsp_place *place = &plan->places[at];
  uint64_t word = ~UINT64_C(0) >> (64 - place->size);
  for (size_t i = 0; i < place->hard.count && word != 0; i++) {
    const scsp_step *step = &place->hard.data[i];
    uint64_t mask = 0;
    if (step->masks != NULL)
      mask = step->masks[scsp_cell(step, indexes)];
    else
      give(plan, step, at, indexes, &mask);
    word &= mask;
  }
  *set = word;
  return word == 0 ? 0 : (word & (word - 1)) == 0 ? 1 : 2;
}

uint32_t scsp_allowed(const scsp_plan *plan, uint32_t at, uint32_t *indexes, uint64_t *set) {
  const scsp_place *place = &plan->places[at];
  uint32_t words = place->words, count = 2;
  if (words == 1) return allowed_word(plan, at, indexes, set);
  for (uint32_t w = 0; w < words; w++) set[w] = ~UINT64_C(0);
  set[words - 1] >>= words * 64 - place->size;
  if (place->hard.count == 0) return count_set(set, words);
  for (size_t i = 0; i < place->hard.count && count != 0; i++) {
    const scsp_step *step = &place->hard.data[i];
    const uint64_t *mask = plan->scratch;
    if (step->masks != NULL) {
      mask = &step->masks[scsp_cell(step, indexes) * words];
    } else {
      memset(plan->scratch, 0, words * sizeof *plan->scratch);
      give(plan, step, at, indexes, plan->scratch);
    }
    for (uint32_t w = 0; w < words; w++) set[w] &= mask[w];
    count = count_set(set, words);
  }
  return count;
}
