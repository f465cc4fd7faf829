/* Definitions become constraints: explicit tables where the product of the
 * domains is small, rule propagators where it is not (D8, D13).
 *
 * The sum of all tables is bounded too, small ones first: a thousand tables of
 * 2^18 rows would say no more than the rules they were made from. */
#include <stdlib.h>
#include <string.h>

#include "encode/core.h"

enum { TABLE_ROWS = 1 << 18, TABLE_CELLS = 1 << 22 };

typedef struct post_poster {
  encode_encoding *e;
  alea_csp_var *scope; /* of the definition at hand, ascending */
  uint32_t arity;
  uint32_t *position; /* per variable: place in the scope + 1 */
  int32_t *row;       /* per variable: its value, while tuples are listed */
  ALEA_VEC(int32_t) rows;
} post_poster;

static int by_number(const void *a, const void *b) {
  alea_csp_var x = *(const alea_csp_var *)a, y = *(const alea_csp_var *)b;
  return (x > y) - (x < y);
}

static void include(post_poster *p, alea_csp_var var) {
  if (p->position[var] != 0) return;
  p->scope[p->arity] = var;
  p->position[var] = ++p->arity;
}

static void find_scope(post_poster *p, const encode_def *def) {
  const encode_encoding *e = p->e;
  for (uint32_t i = 0; i < p->arity; i++) p->position[p->scope[i]] = 0;
  p->arity = 0;
  for (uint32_t h = 0; h < def->head_count; h++) include(p, e->heads.data[def->first_head + h]);
  for (uint32_t r = 0; r < def->rule_count; r++) {
    const alea_csp_rule *rule = &e->rules.data[def->first_rule + r];
    for (uint32_t i = 0; i < rule->count; i++) include(p, e->lits.data[rule->first + i].var);
  }
  qsort(p->scope, p->arity, sizeof *p->scope, by_number);
}

/* The product of the domains in the scope; infinity is fine. */
static double product(const post_poster *p) {
  double cells = 1;
  for (uint32_t i = 0; i < p->arity; i++) cells *= alea_csp_size(p->e->csp, p->scope[i]);
  return cells;
}

/* ---- tables ---- */

static bool body_holds(const post_poster *p, const alea_csp_rule *rule) {
  const alea_csp_lit *lits = p->e->lits.data + rule->first;
  for (uint32_t i = 0; i < rule->count; i++)
    if ((p->row[lits[i].var] == lits[i].value) == lits[i].negative) return false;
  return true;
}

static bool push_row(post_poster *p) {
  for (uint32_t i = 0; i < p->arity; i++)
    if (!alea_vec_push(p->e->t->mem, &p->rows, p->row[p->scope[i]])) return false;
  return true;
}

/* Appends the rows for the values now given to all but the head. */
static bool push_heads(post_poster *p, const encode_def *def, alea_csp_var head, bool *derived) {
  const encode_encoding *e = p->e;
  uint32_t size = alea_csp_size(e->csp, head), count = 0, highest = 0;
  memset(derived, 0, size);
  for (uint32_t r = 0; r < def->rule_count; r++) {
    const alea_csp_rule *rule = &e->rules.data[def->first_rule + r];
    uint32_t value = (uint32_t)rule->value;
    if (derived[value] || !body_holds(p, rule)) continue;
    derived[value] = true;
    count++;
    if (value > highest) highest = value;
  }
  if (def->kind == ENCODE_DEF_CHOICE) {
    for (uint32_t v = 0; v < size; v++) {
      p->row[head] = (int32_t)v;
      if (derived[v] && !push_row(p)) return false;
    }
    return true;
  }
  if (count > 1 && def->kind == ENCODE_DEF_DEFINE) return true; /* two values: no tuple */
  p->row[head] = (int32_t)highest;
  return push_row(p);
}

static bool post_table(post_poster *p, const encode_def *def) {
  const encode_encoding *e = p->e;
  alea_csp_var head = e->heads.data[def->first_head];
  bool *derived = alea_mem_calloc(e->t->mem, alea_csp_size(e->csp, head), sizeof *derived);
  bool good = derived != NULL;
  p->rows.count = 0;
  for (uint32_t i = 0; i < p->arity; i++) p->row[p->scope[i]] = 0;
  for (bool more = true; more && good;) {
    good = push_heads(p, def, head, derived);
    p->row[head] = 0;
    uint32_t i = p->arity;
    for (; i > 0; i--) { /* the last variable turns fastest; the head does not turn */
      alea_csp_var var = p->scope[i - 1];
      if (var == head) continue;
      if (++p->row[var] < (int32_t)alea_csp_size(e->csp, var)) break;
      p->row[var] = 0;
    }
    more = i > 0;
  }
  alea_mem_free(e->t->mem, derived, alea_csp_size(e->csp, head) * sizeof *derived);
  if (good)
    alea_csp_table(e->csp, p->scope, p->arity, p->rows.data, p->rows.count / p->arity, false);
  return good;
}

/* ---- rules ---- */

static bool post_rules(post_poster *p, const encode_def *def) {
  encode_encoding *e = p->e;
  const alea_csp_var *heads = e->heads.data + def->first_head;
  const alea_csp_rule *rules = e->rules.data + def->first_rule;
  if (def->kind == ENCODE_DEF_CHOICE) {
    alea_csp_choice(e->csp, heads[0], rules, def->rule_count, e->lits.data);
    return true;
  }
  int32_t *defaults = alea_mem_calloc(e->t->mem, def->head_count, sizeof *defaults);
  if (defaults == NULL) return false;
  alea_csp_program(e->csp, heads, defaults, def->head_count, rules, def->rule_count, e->lits.data,
                   def->kind == ENCODE_DEF_HIGHEST);
  alea_mem_free(e->t->mem, defaults, def->head_count * sizeof *defaults);
  return true;
}

/* ---- all ---- */

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The largest product that still becomes a table. */
static double choose_limit(post_poster *p, bool *failed) {
  const encode_encoding *e = p->e;
  double rows = e->options->table_rows != 0 ? (double)e->options->table_rows : TABLE_ROWS;
  double cells = e->options->table_cells != 0 ? (double)e->options->table_cells : TABLE_CELLS;
  ALEA_VEC(double) sizes = {0};
  double limit = 0;
  for (size_t i = 0; i < e->defs.count && !*failed; i++) {
    find_scope(p, &e->defs.data[i]);
    double size = product(p);
    if (e->defs.data[i].head_count == 1 && size <= rows)
      *failed = !alea_vec_push(e->t->mem, &sizes, size);
  }
  if (sizes.count > 0) qsort(sizes.data, sizes.count, sizeof *sizes.data, by_size);
  for (size_t i = 0; i < sizes.count && cells > 0; i++) {
    cells -= sizes.data[i]; /* about the cells: rows are fewer, but wide */
    if (cells > 0) limit = sizes.data[i];
  }
  alea_vec_clear(e->t->mem, &sizes);
  return limit;
}

alea_status encode_post_defs(encode_encoding *e) {
  uint32_t vars = alea_csp_var_count(e->csp);
  alea_mem *mem = e->t->mem;
  post_poster p = {.e = e};
  p.scope = alea_mem_calloc(mem, vars, sizeof *p.scope);
  p.position = alea_mem_calloc(mem, vars, sizeof *p.position);
  p.row = alea_mem_calloc(mem, vars, sizeof *p.row);
  bool failed = p.scope == NULL || p.position == NULL || p.row == NULL;
  double limit = failed ? 0 : choose_limit(&p, &failed);
  bool late = false;
  for (size_t i = 0; i < e->defs.count && !failed && !late; i++) {
    const encode_def *def = &e->defs.data[i];
    find_scope(&p, def);
    /* what becomes a state variable keeps the domain of one: no unary table */
    bool fixed = p.arity == 1 && (e->kinds.data[p.scope[0]] == ALEA_VAR_NEXT ||
                                  e->kinds.data[p.scope[0]] == ALEA_VAR_TERMINAL);
    if (def->head_count == 1 && product(&p) <= limit && !fixed)
      failed = !post_table(&p, def);
    else
      failed = !post_rules(&p, def);
    late = alea_deadline_passed(e->options->deadline);
  }
  alea_vec_clear(mem, &p.rows);
  alea_mem_free(mem, p.scope, vars * sizeof *p.scope);
  alea_mem_free(mem, p.position, vars * sizeof *p.position);
  alea_mem_free(mem, p.row, vars * sizeof *p.row);
  if (late) return ALEA_LIMIT;
  return failed ? ALEA_SYSTEM : alea_csp_state(e->csp);
}
