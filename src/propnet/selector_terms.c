/* Terms of selectors: which gates they read, and which imply which.
 *
 * A term is an AND of literals, so it implies each term that asks for a part of them.  "A rook
 * attacks the king, whatever stands on s" is implied by "a rook attacks the king": an OR that has
 * the first may have the second, too, and is then more like others. */
#include "base/hash.h"
#include "propnet/selectors.h"

#define MOST_PAIRS UINT64_C(100000000) /* of terms that are compared */

/* The last gate that a term reads: inputs come before their readers. */
static uint32_t rank_of(const alea_selectors *s, uint32_t term) {
  uint32_t rank = 0;
  for (uint32_t i = s->first_lit.data[term]; i < s->first_lit.data[term + 1]; i++) {
    alea_lit lit = s->lits.data[i];
    uint32_t gate = alea_graph_is_gate(s->graph, lit) ? (lit >> 1) - s->graph->leaf_count : 0;
    if (gate > rank) rank = gate;
  }
  return rank;
}

/* Sorts terms by their selector. */
static bool sort_terms(alea_selectors *s) {
  size_t fluents = 2 + (size_t)s->graph->ground->fluent_count;
  for (size_t i = 0; i < fluents; i++)
    if (!alea_vec_push(s->mem, &s->of_selector, 0)) return false;
  for (uint32_t t = 0; t < s->terms; t++) s->of_selector.data[s->selector_of.data[t] + 1]++;
  for (size_t i = 1; i < fluents; i++) s->of_selector.data[i] += s->of_selector.data[i - 1];
  if (!alea_vec_reserve(s->mem, &s->term_at, s->terms)) return false;
  s->term_at.count = s->terms;
  for (uint32_t t = s->terms; t-- > 0;) /* places are filled from their ends */
    s->term_at.data[--s->of_selector.data[s->selector_of.data[t] + 1]] = t;
  for (size_t i = 1; i < fluents; i++) s->of_selector.data[i - 1] = s->of_selector.data[i];
  s->of_selector.data[fluents - 1] = s->terms;
  return true;
}

/* The literals of a term as a set of 64 classes: a filter for comparisons. */
static uint64_t signature(const alea_selectors *s, uint32_t term) {
  uint64_t bits = 0;
  for (uint32_t i = s->first_lit.data[term]; i < s->first_lit.data[term + 1]; i++)
    bits |= UINT64_C(1) << (alea_hash_mix(s->lits.data[i]) & 63);
  return bits;
}

/* Whether all literals of 'a' are among those of 'b'; both are sorted. */
static bool is_part(const alea_selectors *s, uint32_t a, uint32_t b) {
  const uint32_t *one = s->lits.data + s->first_lit.data[a];
  const uint32_t *two = s->lits.data + s->first_lit.data[b];
  uint32_t count = alea_selector_term_size(s, a), most = alea_selector_term_size(s, b), at = 0;
  if (count >= most) return false;
  for (uint32_t i = 0; i < count; i++, at++) {
    while (at < most && two[at] < one[i]) at++;
    if (at == most || two[at] != one[i]) return false;
  }
  return true;
}

static bool relate(alea_selectors *s, const uint64_t *signatures, uint32_t term) {
  uint32_t selector = s->selector_of.data[term];
  for (uint32_t i = s->of_selector.data[selector]; i < s->of_selector.data[selector + 1]; i++) {
    uint32_t other = s->term_at.data[i];
    if ((signatures[term] & ~signatures[other]) != 0 || !is_part(s, term, other)) continue;
    if (!alea_vec_push(s->mem, &s->stronger, other)) return false;
  }
  return true;
}

static uint64_t pairs_of_terms(const alea_selectors *s) {
  uint64_t pairs = 0;
  for (size_t i = 1; i < s->of_selector.count; i++) {
    uint64_t count = s->of_selector.data[i] - s->of_selector.data[i - 1];
    pairs += count * count;
  }
  return pairs;
}

bool alea_selectors_relate_terms(alea_selectors *s, const alea_deadline *deadline) {
  if (!sort_terms(s)) return false;
  bool few = pairs_of_terms(s) <= MOST_PAIRS;
  uint64_t *signatures = alea_mem_alloc(s->mem, (1 + s->terms) * sizeof *signatures);
  bool ok = signatures != NULL && alea_vec_push(s->mem, &s->stronger_first, 0);
  for (uint32_t t = 0; ok && t < s->terms; t++) signatures[t] = signature(s, t);
  for (uint32_t t = 0; ok && t < s->terms; t++) {
    if (t % 64 == 0 && alea_deadline_passed(deadline)) few = false;
    ok = alea_vec_push(s->mem, &s->term_rank, rank_of(s, t)) &&
         (!few || relate(s, signatures, t)) &&
         alea_vec_push(s->mem, &s->stronger_first, (uint32_t)s->stronger.count);
  }
  alea_mem_free(s->mem, signatures, (1 + s->terms) * sizeof *signatures);
  return ok;
}
