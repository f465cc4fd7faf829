/* Large disjunctions that differ little are built from common ranges.
 *
 * Chess asks "is the king attacked by anyone but the piece on square c", for
 * every c: sixty disjunctions over the same thirty attackers, each with one or
 * none left out.  A plan whose instances are "head <= one fact of a chain, if
 * a static test passes" therefore does not record one instance per fact.  It
 * covers the facts that pass by maximal ranges of a binary tree over the
 * chain; a range is an auxiliary atom, made once, that holds when one of its
 * facts does.  Leaving out one fact of n costs log n instances. */
#include "ground/join.h"

typedef struct cover {
  work *w;
  const run *r;
  uint32_t index, chain; /* what identifies the chain: its newest entry */
} cover;

static bool record_pair(work *w, alea_term head, alea_term body) {
  if (!alea_vec_reserve(w->mem, &w->instances, 3)) return false;
  uint32_t *out = w->instances.data + w->instances.count;
  out[0] = head;
  out[1] = 1;
  out[2] = 2 * body;
  w->instances.count += 3;
  w->instance_count++;
  return true;
}

/* The atom of the facts lo .. hi-1 of the chain; ALEA_NO_TERM without memory. */
static alea_term range_atom(const cover *c, uint32_t lo, uint32_t hi) {
  work *w = c->w;
  if (hi - lo == 1) return w->chain.data[lo];
  /* Not terms, but four numbers that make the atom unique. */
  alea_term key[4] = {c->index, c->chain, lo, hi};
  alea_term atom = alea_terms_list(w->terms, w->range_name, key, 4);
  if (atom == ALEA_NO_TERM || !work_cover_flags(w)) return ALEA_NO_TERM;
  if (w->flags.data[atom] & FACT) return atom;
  w->flags.data[atom] |= FACT;
  uint32_t p = work_pred(w, w->range_name, 4);
  if (p == NO_ID || !alea_vec_push(w->mem, &w->preds.data[p].atoms, atom)) return ALEA_NO_TERM;
  uint32_t middle = lo + (hi - lo) / 2; /* the recursion is as deep as log n */
  alea_term left = range_atom(c, lo, middle), right = range_atom(c, middle, hi);
  if (left == ALEA_NO_TERM || right == ALEA_NO_TERM) return ALEA_NO_TERM;
  return record_pair(w, atom, left) && record_pair(w, atom, right) ? atom : ALEA_NO_TERM;
}

/* Records "head <= range" for the maximal ranges inside lo .. hi-1 in which
 * every fact passes; w->passed holds prefix sums. */
static bool cover_range(const cover *c, uint32_t lo, uint32_t hi) {
  uint32_t passed = c->w->passed.data[hi] - c->w->passed.data[lo];
  if (passed == 0) return true;
  if (passed == hi - lo) {
    alea_term atom = range_atom(c, lo, hi);
    return atom != ALEA_NO_TERM && record_pair(c->w, c->r->head, atom);
  }
  uint32_t middle = lo + (hi - lo) / 2;
  return cover_range(c, lo, middle) && cover_range(c, middle, hi);
}

static bool tests_pass(work *w, run *r, uint32_t first, uint32_t end, alea_status *status) {
  for (uint32_t i = first; i < end; i++)
    if (!work_pass(w, r, i, status)) return false;
  return true;
}

/* Walks the chain of the scan and notes which facts pass the tests after it. */
static alea_status collect(work *w, run *r, uint32_t scan, uint32_t entry) {
  const step *s = &r->steps[scan];
  alea_status status = ALEA_OK;
  w->chain.count = w->passed.count = 0;
  uint32_t passed = 0;
  if (!alea_vec_push(w->mem, &w->passed, 0)) return work_no_memory(w);
  while (entry != 0 && status == ALEA_OK) {
    if (w->chain.count % 4096 == 4095 && work_check_time(w) != ALEA_OK) return ALEA_LIMIT;
    index_entry e = w->indexes.data[s->index].entries.data[entry - 1];
    entry = e.older;
    passed +=
        work_match(w, s->match, e.atom) && tests_pass(w, r, scan + 1, r->p->steps.count, &status);
    if (!alea_vec_push(w->mem, &w->chain, e.atom) || !alea_vec_push(w->mem, &w->passed, passed))
      return work_no_memory(w);
  }
  return status;
}

alea_status work_run_grouped(work *w, run *r) {
  uint32_t scan = 0;
  alea_status status = ALEA_OK;
  while (r->steps[scan].kind != STEP_SCAN) scan++;
  if (!tests_pass(w, r, 0, scan, &status)) return status;
  uint32_t entry = work_first_entry(w, &r->steps[scan]);
  status = collect(w, r, scan, entry);
  uint32_t count = (uint32_t)w->chain.count;
  if (status != ALEA_OK || w->passed.data[count] == 0) return status;
  status = work_make_head(w, r);
  cover c = {w, r, r->steps[scan].index, entry};
  if (status == ALEA_OK && !cover_range(&c, 0, count)) status = work_no_memory(w);
  return status;
}
