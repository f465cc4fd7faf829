/* Preprocessing of tables ([MACUCB16 §4.1], D8, D10): one table per scope,
 * unary tables into the domains, universal variables projected out. */
#include <stdlib.h>

#include "base/hash.h"
#include "csp/constraints.h"

/* A positive table being processed; rows by index of the original domains. */
typedef struct simplify_work {
  uint32_t arity;
  alea_csp_var *scope;
  uint32_t *rows;
  size_t count, room; /* rows used, words allocated */
  bool gone;
} table_work;

typedef struct simplifier {
  const alea_csp *csp;
  alea_mem *mem;
  alea_arena arena;
  table_work *works;
  size_t count;
  bool **domains; /* per variable: value still there */
  alea_csp_simplified *report;
  bool inconsistent, no_memory;
} simplifier;

enum { EXPAND_LIMIT = 1 << 16 }; /* limit of tuples for the complement of a forbidden table */

static void *room(simplifier *s, size_t count, size_t size) {
  void *block = alea_arena_alloc(&s->arena, count * size + 1);
  if (block == NULL) s->no_memory = true;
  return block;
}

/* ---- input ---- */

static bool convertible(const alea_csp *csp, const csp_constraint *constraint) {
  if (!csp_is_table(constraint->type)) return false;
  const csp_table *table = constraint->data;
  if (table->has_star) return false;
  if (!table->forbidden) return true;
  uint64_t product = 1;
  for (uint32_t i = 0; i < constraint->arity; i++) {
    product *= csp->vars.data[constraint->scope[i]].size;
    if (product > EXPAND_LIMIT) return false;
  }
  return true;
}

/* All tuples of the domains that are not in the (sorted) forbidden table. */
static void expand(simplifier *s, const csp_constraint *constraint, table_work *work) {
  const csp_table *table = constraint->data;
  size_t product = 1, next = 0;
  uint32_t n = constraint->arity;
  for (uint32_t i = 0; i < n; i++) product *= s->csp->vars.data[constraint->scope[i]].size;
  work->rows = room(s, product * n, sizeof *work->rows);
  uint32_t *at = room(s, n, sizeof *at);
  if (s->no_memory) return;
  memset(at, 0, n * sizeof *at);
  for (size_t t = 0; t < product; t++) {
    bool listed = next < table->count && memcmp(at, &table->rows[next * n], n * sizeof *at) == 0;
    if (listed)
      next++;
    else
      memcpy(&work->rows[work->count++ * n], at, n * sizeof *at);
    for (uint32_t i = n; i-- > 0 && ++at[i] == s->csp->vars.data[constraint->scope[i]].size;)
      at[i] = 0;
  }
}

/* Orders the columns by variable, so that equal scopes are recognised. */
static void order_columns(simplifier *s, table_work *work) {
  uint32_t n = work->arity, *row = room(s, n, sizeof *row), *to = room(s, n, sizeof *to);
  alea_csp_var *scope = room(s, n, sizeof *scope);
  if (s->no_memory) return;
  for (uint32_t i = 0; i < n; i++) {
    to[i] = 0;
    for (uint32_t j = 0; j < n; j++) to[i] += work->scope[j] < work->scope[i];
    scope[to[i]] = work->scope[i];
  }
  for (size_t r = 0; r < work->count; r++) {
    for (uint32_t i = 0; i < n; i++) row[to[i]] = work->rows[r * n + i];
    memcpy(&work->rows[r * n], row, n * sizeof *row);
  }
  work->scope = scope;
  if (csp_rows_sort(s->mem, work->rows, work->count, n) == SIZE_MAX) s->no_memory = true;
}

static void take_in(simplifier *s, const csp_constraint *constraint) {
  const csp_table *table = constraint->data;
  table_work *work = &s->works[s->count++];
  *work = (struct simplify_work){.arity = constraint->arity};
  work->scope = room(s, constraint->arity, sizeof *work->scope);
  if (s->no_memory) return;
  memcpy(work->scope, constraint->scope, constraint->arity * sizeof *work->scope);
  if (table->forbidden) {
    expand(s, constraint, work);
  } else {
    size_t cells = table->count * table->arity;
    work->count = table->count;
    work->rows = room(s, cells, sizeof *work->rows);
    if (!s->no_memory && cells != 0) memcpy(work->rows, table->rows, cells * sizeof *work->rows);
  }
  if (!s->no_memory) order_columns(s, work);
}

/* ---- merging ---- */

static int by_scope(const void *a, const void *b) {
  const table_work *x = a, *y = b;
  if (x->arity != y->arity) return x->arity < y->arity ? -1 : 1;
  for (uint32_t i = 0; i < x->arity; i++)
    if (x->scope[i] != y->scope[i]) return x->scope[i] < y->scope[i] ? -1 : 1;
  return 0;
}

/* Both are sorted: keeps the common rows in 'a'. */
static void intersect(table_work *a, const table_work *b) {
  size_t kept = 0, j = 0;
  uint32_t n = a->arity;
  for (size_t i = 0; i < a->count; i++) {
    int order = 1;
    for (; j < b->count; j++) {
      order = 0;
      for (uint32_t c = 0; c < n && order == 0; c++) {
        uint32_t x = a->rows[i * n + c], y = b->rows[j * n + c];
        order = (x > y) - (x < y);
      }
      if (order <= 0) break;
    }
    if (j == b->count) break;
    if (order == 0) memmove(&a->rows[kept++ * n], &a->rows[i * n], n * sizeof *a->rows);
  }
  a->count = kept;
}

static bool merge(simplifier *s) {
  bool changed = false;
  if (s->count > 1) qsort(s->works, s->count, sizeof *s->works, by_scope);
  table_work *first = NULL;
  for (size_t i = 0; i < s->count; i++) {
    table_work *work = &s->works[i];
    if (work->gone) continue;
    if (first != NULL && by_scope(first, work) == 0) {
      intersect(first, work);
      work->gone = changed = true;
      s->report->merged++;
    } else {
      first = work;
    }
  }
  return changed;
}

/* ---- unary tables and domains ---- */

static bool use_unary(simplifier *s) {
  bool changed = false;
  for (size_t i = 0; i < s->count; i++) {
    table_work *work = &s->works[i];
    if (work->gone || work->arity != 1) continue;
    uint32_t size = s->csp->vars.data[work->scope[0]].size;
    size_t next = 0;
    for (uint32_t v = 0; v < size; v++) {
      bool in = next < work->count && work->rows[next] == v;
      next += in;
      if (in || !s->domains[work->scope[0]][v]) continue;
      s->domains[work->scope[0]][v] = false;
    }
    work->gone = changed = true;
    s->report->unary++;
  }
  return changed;
}

/* Drops rows with removed values. */
static void filter_rows(simplifier *s, table_work *work) {
  size_t kept = 0;
  uint32_t n = work->arity;
  for (size_t r = 0; r < work->count; r++) {
    bool valid = true;
    for (uint32_t c = 0; c < n && valid; c++)
      valid = s->domains[work->scope[c]][work->rows[r * n + c]];
    if (valid) memmove(&work->rows[kept++ * n], &work->rows[r * n], n * sizeof *work->rows);
  }
  work->count = kept;
}

static uint32_t domain_size(const simplifier *s, alea_csp_var var) {
  uint32_t size = 0;
  for (uint32_t v = 0; v < s->csp->vars.data[var].size; v++) size += s->domains[var][v];
  return size;
}

/* ---- universal variables ---- */

/* A quick test that excludes most columns: the rows beside each value would
 * have to be equal, and so would the sums of their hashes. */
static bool may_be_universal(simplifier *s, const table_work *work, uint32_t c) {
  uint32_t n = work->arity, values = s->csp->vars.data[work->scope[c]].size;
  uint64_t *sums = alea_mem_calloc(s->mem, values, sizeof *sums), first = 0;
  bool same = sums != NULL, found = false;
  if (sums == NULL) s->no_memory = true;
  for (size_t r = 0; r < work->count && same; r++) {
    const uint32_t *row = &work->rows[r * n];
    uint64_t rest = 0;
    for (uint32_t i = 0; i < n; i++)
      if (i != c) rest += alea_hash_mix(((uint64_t)i << 32) + row[i] + 1);
    sums[row[c]] += alea_hash_mix(rest + 1);
  }
  for (uint32_t v = 0; v < values && same; v++) {
    if (!s->domains[work->scope[c]][v]) continue;
    same = !found || sums[v] == first;
    first = sums[v];
    found = true;
  }
  alea_mem_free(s->mem, sums, values * sizeof *sums);
  return same;
}

/* Column c is universal if the table has |D| rows for every projected row. */
static bool drop_universal(simplifier *s, table_work *work, uint32_t c) {
  uint32_t n = work->arity, size = domain_size(s, work->scope[c]);
  if (size == 0 || work->count % size != 0 || !may_be_universal(s, work, c)) return false;
  uint32_t *rows = room(s, work->count * (n - 1), sizeof *rows);
  if (s->no_memory) return false;
  for (size_t r = 0; r < work->count; r++)
    for (uint32_t i = 0, to = 0; i < n; i++)
      if (i != c) rows[r * (n - 1) + to++] = work->rows[r * n + i];
  size_t distinct = work->count > 0;
  if (n > 1) distinct = csp_rows_sort(s->mem, rows, work->count, n - 1);
  if (distinct == SIZE_MAX) s->no_memory = true;
  if (s->no_memory || distinct * size != work->count) return false;
  work->rows = rows;
  work->count = distinct;
  work->arity = n - 1;
  memmove(&work->scope[c], &work->scope[c + 1], (n - 1 - c) * sizeof *work->scope);
  s->report->universal++;
  return true;
}

static bool drop_universals(simplifier *s) {
  bool changed = false;
  for (size_t i = 0; i < s->count && !s->no_memory; i++) {
    table_work *work = &s->works[i];
    if (work->gone) continue;
    filter_rows(s, work);
    for (uint32_t c = 0; c < work->arity;)
      if (work->count > 0 && drop_universal(s, work, c))
        changed = true;
      else
        c++;
    if (work->arity == 0 || work->count == 0) {
      s->inconsistent = s->inconsistent || work->count == 0;
      if (work->arity == 0) {
        work->gone = true;
        s->report->dropped++;
      }
    }
  }
  return changed;
}

/* ---- the result ---- */

static void build_vars(simplifier *s, alea_csp *out) {
  for (uint32_t v = 0; v < s->csp->vars.count; v++) {
    const csp_variable *var = &s->csp->vars.data[v];
    int32_t *values = room(s, var->size, sizeof *values);
    size_t count = 0;
    if (values == NULL) return;
    for (uint32_t i = 0; i < var->size; i++)
      if (s->domains[v][i]) values[count++] = csp_value(var, i);
    if (count == 0) { /* keep one value, so that the variable exists */
      s->inconsistent = true;
      values[count++] = csp_value(var, 0);
    }
    alea_csp_values(out, var->name, values, count);
    if (var->hidden) alea_csp_hide(out, v);
    if (v >= out->vars.count) return;
    out->vars.data[v].unused = var->unused;
    out->vars.data[v].symbolic = var->symbolic;
  }
}

static void build_table(simplifier *s, alea_csp *out, const table_work *work) {
  size_t cells = work->count * work->arity;
  int32_t *tuples = room(s, cells, sizeof *tuples);
  if (tuples == NULL) return;
  for (size_t i = 0; i < cells; i++)
    tuples[i] = csp_value(&s->csp->vars.data[work->scope[i % work->arity]], work->rows[i]);
  alea_csp_table(out, work->scope, work->arity, tuples, work->count, false);
}

/* Unchanged tables still contain indexes of the old domains. */
static void repost_table(simplifier *s, alea_csp *out, const csp_constraint *constraint) {
  const csp_table *table = constraint->data;
  size_t cells = table->count * table->arity;
  int32_t *tuples = room(s, cells, sizeof *tuples);
  if (tuples == NULL) return;
  for (size_t i = 0; i < cells; i++)
    tuples[i] =
        table->rows[i] == CSP_ANY
            ? ALEA_CSP_STAR
            : csp_value(&s->csp->vars.data[constraint->scope[i % table->arity]], table->rows[i]);
  alea_csp_table(out, constraint->scope, table->arity, tuples, table->count, table->forbidden);
}

static void build(simplifier *s, alea_csp *out) {
  build_vars(s, out);
  for (size_t i = 0; i < s->count; i++)
    if (!s->works[i].gone) build_table(s, out, &s->works[i]);
  for (size_t c = 0; c < s->csp->constraints.count; c++) {
    const csp_constraint *constraint = &s->csp->constraints.data[c];
    if (convertible(s->csp, constraint)) continue;
    if (csp_is_table(constraint->type))
      repost_table(s, out, constraint);
    else
      csp_post(out, constraint->type, constraint->scope, constraint->arity, constraint->data);
  }
  out->objective = s->csp->objective;
  out->maximise = s->csp->maximise;
  out->false_ = s->csp->false_ || s->inconsistent;
}

static void prepare(simplifier *s) {
  const alea_csp *csp = s->csp;
  s->works = room(s, csp->constraints.count, sizeof *s->works);
  s->domains = room(s, csp->vars.count, sizeof *s->domains);
  for (size_t v = 0; v < csp->vars.count && !s->no_memory; v++) {
    s->domains[v] = room(s, csp->vars.data[v].size, sizeof(bool));
    if (!s->no_memory) memset(s->domains[v], 1, csp->vars.data[v].size);
  }
  for (size_t c = 0; c < csp->constraints.count && !s->no_memory; c++)
    if (convertible(csp, &csp->constraints.data[c])) take_in(s, &csp->constraints.data[c]);
}

alea_csp *alea_csp_simplify(const alea_csp *csp, alea_csp_simplified *report, bool *inconsistent) {
  *report = (alea_csp_simplified){0};
  simplifier s = {.csp = csp, .mem = csp->mem, .report = report};
  alea_arena_init(&s.arena, csp->mem);
  prepare(&s);
  for (bool changed = true; changed && !s.no_memory;) {
    changed = merge(&s);
    changed = use_unary(&s) || changed;
    changed = drop_universals(&s) || changed;
  }
  alea_csp *out = s.no_memory ? NULL : alea_csp_new(csp->mem);
  if (out != NULL) build(&s, out);
  if (out != NULL && (s.no_memory || out->state != ALEA_OK)) {
    alea_csp_free(out);
    out = NULL;
  }
  *inconsistent = s.inconsistent;
  alea_arena_clear(&s.arena);
  return out;
}
