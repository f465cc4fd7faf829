/* Small static relations as bitmaps: the tests that filter joins then touch
 * one bit instead of a table of millions of terms. */
#include "ground/work.h"

enum { MAX_BITS = 1 << 24, MAX_DENSE_ARITY = 8 };

/* Numbers the constants that occur in static facts. */
static bool rank_constants(work *w, const pred *q) {
  size_t terms = alea_terms_count(w->terms);
  while (w->ranks.count < terms)
    if (!alea_vec_push(w->mem, &w->ranks, 0)) return false;
  for (size_t k = 0; k < q->atoms.count; k++) {
    const alea_term *args = alea_terms_args(w->terms, q->atoms.data[k]);
    for (uint32_t i = 0; i < q->arity; i++)
      if (w->ranks.data[args[i]] == 0) w->ranks.data[args[i]] = ++w->rank_count;
  }
  return true;
}

static bool is_worth_it(const pred *q) {
  if (q->arity == 0 || q->arity > MAX_DENSE_ARITY || q->atoms.count == 0) return false;
  double bits = 1;
  for (uint32_t i = 0; i < q->arity; i++) bits *= q->distinct[i];
  return bits <= MAX_BITS;
}

/* A column has an entry per constant of all static facts: where these are
 * many and the predicate's own are few, looking up terms is cheaper, and many
 * such predicates would cost their number times the constants. */
static bool has_short_columns(const work *w, const pred *q) {
  return w->rank_count <= 4096 || w->rank_count / 64 <= q->atoms.count;
}

static size_t bit_of(const work *w, const dense *d, const alea_term *args, uint32_t arity) {
  size_t bit = 0;
  for (uint32_t i = 0; i < arity; i++)
    bit += d->columns[(size_t)i * d->rank_count + w->ranks.data[args[i]] - 1];
  return bit;
}

/* Offsets per column: the stride of the column times the value's number. */
static size_t lay_out_columns(const work *w, const pred *q, dense *d) {
  size_t stride = 1;
  for (uint32_t i = 0; i < q->arity; i++) {
    uint32_t *column = d->columns + (size_t)i * d->rank_count, values = 0;
    for (uint32_t r = 0; r < d->rank_count; r++) column[r] = NO_ID;
    for (size_t k = 0; k < q->atoms.count; k++) {
      alea_term t = alea_terms_args(w->terms, q->atoms.data[k])[i];
      uint32_t *slot = &column[w->ranks.data[t] - 1];
      if (*slot == NO_ID) *slot = (uint32_t)(stride * values++);
    }
    stride *= values;
  }
  return stride;
}

bool work_make_dense(work *w, uint32_t p) {
  pred *q = &w->preds.data[p];
  if (!is_worth_it(q)) return true;
  if (!rank_constants(w, q)) return false;
  if (!has_short_columns(w, q)) return true;
  dense *d = alea_mem_zalloc(w->mem, sizeof *d);
  if (d == NULL) return false;
  q->dense = d;
  d->rank_count = w->rank_count;
  d->columns = alea_mem_calloc(w->mem, (size_t)q->arity * d->rank_count, sizeof *d->columns);
  if (d->columns == NULL) return false;
  d->word_count = (lay_out_columns(w, q, d) + 63) / 64;
  d->bits = alea_mem_calloc(w->mem, d->word_count, sizeof *d->bits);
  if (d->bits == NULL) return false;
  for (size_t k = 0; k < q->atoms.count; k++) {
    size_t bit = bit_of(w, d, alea_terms_args(w->terms, q->atoms.data[k]), q->arity);
    d->bits[bit / 64] |= (uint64_t)1 << (bit % 64);
  }
  return true;
}

void work_free_dense(work *w, uint32_t p) {
  pred *q = &w->preds.data[p];
  dense *d = q->dense;
  if (d == NULL) return;
  size_t columns = (size_t)q->arity * d->rank_count * sizeof *d->columns;
  alea_mem_free(w->mem, d->columns, d->columns != NULL ? columns : 0);
  alea_mem_free(w->mem, d->bits, d->word_count * sizeof *d->bits);
  alea_mem_free(w->mem, d, sizeof *d);
  q->dense = NULL;
}
