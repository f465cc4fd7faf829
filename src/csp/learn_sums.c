/* Sums of numbers in order encoding.
 *
 * Partial sums are numbers themselves, over the values that terms so far can
 * add up to and the terms to come can still complete.  The term with the most
 * values comes last and needs no partial sum. */
#include <stdlib.h>

#include "csp/learn_core.h"

enum {
  MAX_SUMS = 1 << 14,  /* values of a partial sum */
  MAX_PAIRS = 1 << 19, /* of values of a partial sum and a term */
};

learn_number learn_term(csp_learner *l, alea_csp_var var, int64_t factor) {
  const learn_number *number = &l->numbers[var];
  uint32_t n = number->count;
  int64_t *values = alea_arena_alloc(&l->arena, n * sizeof *values);
  alea_slit *ge = alea_arena_alloc(&l->arena, ((size_t)n + 1) * sizeof *ge);
  if (values == NULL || ge == NULL) {
    l->no_memory = true;
    return *number;
  }
  for (uint32_t k = 0; k < n; k++) values[k] = factor * number->values[factor > 0 ? k : n - 1 - k];
  for (uint32_t k = 0; k <= n; k++) ge[k] = factor > 0 ? number->ge[k] : -number->ge[n - k];
  return (learn_number){n, values, ge};
}

learn_number learn_flag(csp_learner *l, alea_slit lit) {
  static const int64_t bits[] = {0, 1};
  bool open = lit != ALEA_SLIT_TRUE && lit != ALEA_SLIT_FALSE;
  alea_slit *ge = alea_arena_alloc(&l->arena, 3 * sizeof *ge);
  if (ge == NULL) {
    l->no_memory = true;
    return (learn_number){0};
  }
  ge[0] = ALEA_SLIT_TRUE;
  ge[1] = open ? lit : ALEA_SLIT_FALSE;
  ge[2] = ALEA_SLIT_FALSE;
  return (learn_number){open ? 2 : 1, lit == ALEA_SLIT_TRUE ? &bits[1] : bits, ge};
}

typedef struct sum_window { /* what a partial sum may be */
  int64_t lo, hi;
} sum_window;

static int by_number(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static int by_size(const void *a, const void *b) {
  const learn_number *x = a, *y = b;
  if (x->count != y->count) return x->count < y->count ? -1 : 1;
  return (x->values[0] > y->values[0]) - (x->values[0] < y->values[0]);
}

static int64_t clip(int64_t sum, const sum_window *w, bool both) {
  return !both && sum < w->lo ? w->lo : sum;
}

/* The values of a + b within the window; below it all count as its lower end,
 * unless the sum is exact. */
static bool sum_values(csp_learner *l, const learn_number *a, const learn_number *b,
                       const sum_window *w, bool both, learn_number *out) {
  size_t pairs = (size_t)a->count * b->count, kept = 0, distinct = 0;
  if (pairs > MAX_PAIRS) return false;
  int64_t *all = alea_mem_alloc(l->mem, pairs * sizeof *all);
  if (all == NULL) return false;
  for (uint32_t i = 0; i < a->count; i++)
    for (uint32_t j = 0; j < b->count; j++) {
      int64_t sum = clip(a->values[i] + b->values[j], w, both);
      if (sum >= w->lo && sum <= w->hi) all[kept++] = sum;
    }
  if (kept > 1) qsort(all, kept, sizeof *all, by_number);
  for (size_t i = 0; i < kept; i++)
    if (distinct == 0 || all[i] != all[distinct - 1]) all[distinct++] = all[i];
  int64_t *values = NULL;
  if (distinct <= MAX_SUMS) values = alea_arena_alloc(&l->arena, (distinct + 1) * sizeof *values);
  if (values != NULL && distinct > 0) memcpy(values, all, distinct * sizeof *values);
  alea_mem_free(l->mem, all, pairs * sizeof *all);
  *out = (learn_number){(uint32_t)distinct, values, NULL};
  return values != NULL;
}

/* The sum is at least (and with 'both' at most) a + b. */
static bool add_numbers(csp_learner *l, const learn_number *a, const learn_number *b,
                        const sum_window *w, bool both, learn_number *out) {
  if (!sum_values(l, a, b, w, both, out)) return false;
  if (out->count == 0) {
    learn_end(l); /* the empty clause: no sum is possible */
    return true;
  }
  out->ge = learn_order(l, out->count);
  if (out->ge == NULL) return false;
  for (uint32_t i = 0; i < a->count; i++)
    for (uint32_t j = 0; j < b->count; j++) {
      int64_t sum = a->values[i] + b->values[j];
      learn_clause3(l, -a->ge[i], -b->ge[j], learn_number_ge(out, sum));
      if (both) learn_clause3(l, a->ge[i + 1], b->ge[j + 1], -learn_number_ge(out, sum + 1));
    }
  return true;
}

/* a + b is at most 'rhs': one clause for each value of a. */
static void at_most(csp_learner *l, const learn_number *a, const learn_number *b, int64_t rhs) {
  for (uint32_t i = 0; i < a->count; i++)
    learn_clause2(l, -a->ge[i], -learn_number_ge(b, rhs - a->values[i] + 1));
}

static void at_least(csp_learner *l, const learn_number *a, const learn_number *b, int64_t rhs) {
  for (uint32_t i = 0; i < a->count; i++)
    learn_clause2(l, a->ge[i + 1], learn_number_ge(b, rhs - a->values[i]));
}

static void unequal(csp_learner *l, const learn_number *a, const learn_number *b, int64_t rhs) {
  for (uint32_t i = 0; i < a->count; i++) {
    learn_add(l, -a->ge[i]);
    learn_add(l, a->ge[i + 1]);
    learn_add(l, -learn_number_ge(b, rhs - a->values[i]));
    learn_add(l, learn_number_ge(b, rhs - a->values[i] + 1));
    learn_end(l);
  }
}

bool learn_sum(csp_learner *l, learn_number *terms, uint32_t count, alea_op op, int64_t rhs) {
  static const int64_t zero = 0;
  static const alea_slit constant[] = {ALEA_SLIT_TRUE, ALEA_SLIT_FALSE};
  learn_number sum = {1, &zero, constant};
  int64_t least = 0, most = 0;
  if (l->no_memory || count == 0) return false;
  qsort(terms, count, sizeof *terms, by_size);
  for (uint32_t i = 0; i < count; i++) {
    least += terms[i].values[0];
    most += terms[i].values[terms[i].count - 1];
  }
  for (uint32_t i = 0; i + 1 < count; i++) {
    least -= terms[i].values[0];
    most -= terms[i].values[terms[i].count - 1];
    sum_window w = {rhs - most, rhs - least};
    if (op == ALEA_NE) w = (sum_window){INT64_MIN, INT64_MAX};
    learn_number next;
    if (!add_numbers(l, &sum, &terms[i], &w, op != ALEA_LE, &next)) return false;
    sum = next;
    if (sum.count == 0) return true;
  }
  const learn_number *last = &terms[count - 1];
  if (op == ALEA_NE) unequal(l, &sum, last, rhs);
  if (op != ALEA_NE) at_most(l, &sum, last, rhs);
  if (op == ALEA_EQ) at_least(l, &sum, last, rhs);
  return true;
}
