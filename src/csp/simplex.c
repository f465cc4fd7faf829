/* The dual simplex method on a dense tableau, with bounds on every column.
 *
 * The tableau has one row for each basic column: x_basic + sum of entries times
 * the columns outside the basis = a constant.  Columns lp->columns and up are the
 * slacks of the rows. */
#include "csp/simplex.h"

#include <math.h>
#include <string.h>

enum { MAX_WORK = 400000000 }; /* entries of the tableau that are rewritten */

static const double tiny = 1e-9;

typedef struct lp_state {
  const csp_lp *lp;
  size_t m, n;     /* rows, and all columns */
  double *table;   /* m * n */
  double *reduced; /* reduced cost of each column */
  double *value;   /* of each basic column, by row */
  uint32_t *basis; /* column of each row */
  bool *basic;     /* by column */
  bool *upper;     /* a column outside the basis is at its upper bound */
} lp_state;

static double low(const lp_state *s, size_t column) {
  return column < s->lp->columns ? s->lp->lower[column] : 0;
}

static double high(const lp_state *s, size_t column) {
  if (column < s->lp->columns) return s->lp->upper[column];
  return s->lp->equal[column - s->lp->columns] ? 0 : INFINITY;
}

static double at(const lp_state *s, size_t column) {
  return s->upper[column] ? high(s, column) : low(s, column);
}

/* The basis of the slacks; every other column at the bound that costs least. */
static void first_basis(lp_state *s) {
  const csp_lp *lp = s->lp;
  for (size_t j = 0; j < lp->columns; j++) {
    s->reduced[j] = lp->cost[j];
    s->upper[j] = lp->cost[j] < 0;
  }
  for (size_t r = 0; r < s->m; r++) {
    double *row = &s->table[r * s->n];
    s->value[r] = (double)lp->rhs[r];
    for (size_t e = lp->starts[r]; e < lp->starts[r + 1]; e++) {
      row[lp->entries[e].column] += (double)lp->entries[e].value;
      s->value[r] -= (double)lp->entries[e].value * at(s, lp->entries[e].column);
    }
    row[lp->columns + r] = 1;
    s->basis[r] = (uint32_t)(lp->columns + r);
    s->basic[lp->columns + r] = true;
  }
}

/* The row whose column is farthest outside its bounds; m if all are inside. */
static size_t leaving_row(const lp_state *s, bool *above) {
  size_t best = s->m;
  double worst = 1e-7;
  for (size_t r = 0; r < s->m; r++) {
    double under = low(s, s->basis[r]) - s->value[r], over = s->value[r] - high(s, s->basis[r]);
    if (under > worst || over > worst) {
      worst = under > over ? under : over;
      best = r;
      *above = over > under;
    }
  }
  return best;
}

/* The column that keeps all reduced costs on their side; n if there is none: the
 * rows contradict each other. */
static size_t entering_column(const lp_state *s, size_t r, bool above) {
  const double *row = &s->table[r * s->n];
  size_t best = s->n;
  double least = INFINITY, largest = 0;
  for (size_t j = 0; j < s->n; j++) {
    if (s->basic[j] || low(s, j) == high(s, j)) continue;
    double entry = above ? row[j] : -row[j];
    if (s->upper[j] ? entry > -tiny : entry < tiny) continue;
    double ratio = fabs(s->reduced[j]) / fabs(entry);
    if (ratio < least - tiny || (ratio < least + tiny && fabs(entry) > largest)) {
      least = ratio < least ? ratio : least;
      largest = fabs(entry);
      best = j;
    }
  }
  return best;
}

static void eliminate(lp_state *s, size_t r, size_t column) {
  double *row = &s->table[r * s->n], scale = 1 / row[column];
  for (size_t j = 0; j < s->n; j++) row[j] *= scale;
  for (size_t i = 0; i < s->m; i++) {
    double *other = &s->table[i * s->n], factor = other[column];
    if (i == r || fabs(factor) < 1e-12) continue;
    for (size_t j = 0; j < s->n; j++) other[j] -= factor * row[j];
    other[column] = 0;
  }
  double factor = s->reduced[column];
  for (size_t j = 0; j < s->n; j++) s->reduced[j] -= factor * row[j];
  s->reduced[column] = 0;
}

/* Moves the entering column until the leaving one is at its bound. */
static void pivot(lp_state *s, size_t r, size_t column, bool above) {
  uint32_t leaves = s->basis[r];
  double bound = above ? high(s, leaves) : low(s, leaves), entry = s->table[r * s->n + column];
  double step = (s->value[r] - bound) / entry;
  for (size_t i = 0; i < s->m; i++) s->value[i] -= step * s->table[i * s->n + column];
  double entered = at(s, column) + step;
  eliminate(s, r, column);
  s->basic[leaves] = false;
  s->upper[leaves] = above;
  s->basic[column] = true;
  s->basis[r] = (uint32_t)column;
  s->value[r] = entered;
}

/* The multiplier of a row is the reduced cost of its slack, negated. */
static void best_multipliers(const lp_state *s, double *multipliers) {
  for (size_t r = 0; r < s->m; r++) multipliers[r] = -s->reduced[s->lp->columns + r];
}

/* No column can move the basic one of row r back to its bounds: the rows as they
 * are added up in it contradict the bounds. */
static void contradiction(const lp_state *s, size_t row, bool above, double *multipliers) {
  const double *slacks = &s->table[row * s->n + s->lp->columns];
  for (size_t r = 0; r < s->m; r++) multipliers[r] = above ? slacks[r] : -slacks[r];
}

static void run(lp_state *s, double *multipliers) {
  size_t steps = MAX_WORK / (s->m * s->n + 1) + 1;
  for (size_t k = 0; k < steps; k++) {
    bool above = false;
    size_t r = leaving_row(s, &above);
    size_t column = r < s->m ? entering_column(s, r, above) : 0;
    if (column == s->n) {
      contradiction(s, r, above, multipliers);
      return;
    }
    if (r == s->m) break;
    pivot(s, r, column, above);
  }
  best_multipliers(s, multipliers);
}

bool csp_lp_multipliers(alea_mem *mem, const csp_lp *lp, size_t cells, double *multipliers) {
  size_t m = lp->rows, n = lp->columns + m;
  if (m == 0 || n > cells / m) return false;
  lp_state s = {.lp = lp, .m = m, .n = n};
  s.table = alea_mem_calloc(mem, m * n, sizeof *s.table);
  s.reduced = alea_mem_calloc(mem, n, sizeof *s.reduced);
  s.value = alea_mem_calloc(mem, m, sizeof *s.value);
  s.basis = alea_mem_calloc(mem, m, sizeof *s.basis);
  s.basic = alea_mem_calloc(mem, n, sizeof *s.basic);
  s.upper = alea_mem_calloc(mem, n, sizeof *s.upper);
  bool good = s.table != NULL && s.reduced != NULL && s.value != NULL && s.basis != NULL &&
              s.basic != NULL && s.upper != NULL;
  if (good) {
    first_basis(&s);
    run(&s, multipliers);
  }
  for (size_t r = 0; r < m && good; r++)
    if (!lp->equal[r] && multipliers[r] > 0) multipliers[r] = 0;
  alea_mem_free(mem, s.table, m * n * sizeof *s.table);
  alea_mem_free(mem, s.reduced, n * sizeof *s.reduced);
  alea_mem_free(mem, s.value, m * sizeof *s.value);
  alea_mem_free(mem, s.basis, m * sizeof *s.basis);
  alea_mem_free(mem, s.basic, n * sizeof *s.basic);
  alea_mem_free(mem, s.upper, n * sizeof *s.upper);
  return good;
}
