/* Conjunctions behind a literal, from its inputs to the literal itself. */
#include "minimax/pattern_search.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WORK = 1 << 22 }; /* numbers that are written, after which no more is expanded */

/* What is known of a literal: where its conjunctions begin in 'terms', and how many. */
typedef struct literal_terms {
  size_t first;
  uint32_t count; /* 0: it is left out */
  bool needed;
} literal_terms;

typedef struct term_finder {
  const alea_net *net;
  alea_mem *mem;
  literal_terms *known; /* by literal */
  alea_u32s terms;      /* as in alea_conjunctions */
  alea_u32s last, next; /* scratch: a product of some inputs, and of one more */
  size_t work;
} term_finder;

static bool is_gate(const alea_net *net, alea_lit lit) { return lit >> 1 >= net->first_gate; }

static bool is_fluent(const alea_net *net, alea_lit lit) {
  return (lit & 1) == 0 && lit >> 1 >= 1 && lit >> 1 <= net->fluent_count;
}

/* Whether a literal is a conjunction: a negated disjunction is one. */
static bool is_and(const alea_net *net, alea_lit lit) {
  bool and_gate = net->gates[(lit >> 1) - net->first_gate].kind == ALEA_GATE_AND;
  return and_gate != ((lit & 1) != 0);
}

/* Cycles are in ascending order. */
static bool is_in_cycle(const alea_net *net, uint32_t node) {
  size_t low = 0, high = net->cycles.count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (net->cycles.data[middle].last < node)
      low = middle + 1;
    else
      high = middle;
  }
  return low < net->cycles.count && net->cycles.data[low].first <= node;
}

/* The i-th input of a gate's literal. */
static alea_lit input_of(const alea_net *net, alea_lit lit, uint32_t i) {
  const alea_net_gate *gate = &net->gates[(lit >> 1) - net->first_gate];
  return net->inputs.data[gate->first_input + i] ^ (lit & 1);
}

static uint32_t input_count(const alea_net *net, alea_lit lit) {
  return net->gates[(lit >> 1) - net->first_gate].input_count;
}

/* Inputs have smaller numbers than their gate, but for cycles, which are not looked into. */
static void mark_needed(term_finder *f, alea_lit root) {
  f->known[root].needed = true;
  for (alea_lit lit = root | 1; lit + 1 > 2 * f->net->first_gate; lit--) {
    if (!f->known[lit].needed || is_in_cycle(f->net, lit >> 1)) continue;
    for (uint32_t i = 0; i < input_count(f->net, lit); i++)
      f->known[input_of(f->net, lit, i)].needed = true;
  }
}

/* Appends the union of two conjunctions; false without memory. '*fits': it is not too long. */
static bool join(term_finder *f, const uint32_t *a, const uint32_t *b, bool *fits) {
  uint32_t both[2 * ALEA_PATTERN_LENGTH + 1], count = 0, i = 1, k = 1;
  while (i <= a[0] || k <= b[0]) {
    bool left = k > b[0] || (i <= a[0] && a[i] <= b[k]);
    if (left && k <= b[0] && a[i] == b[k]) k++;
    both[++count] = left ? a[i++] : b[k++];
  }
  *fits = count <= ALEA_PATTERN_LENGTH;
  both[0] = count;
  if (!*fits) return true;
  if (!alea_vec_reserve(f->mem, &f->next, count + 1)) return false;
  memcpy(f->next.data + f->next.count, both, (count + 1) * sizeof *both);
  f->next.count += count + 1;
  f->work += count + 1;
  return true;
}

/* All unions of a conjunction in 'last' and one of the input; false without memory. */
static bool multiply(term_finder *f, const literal_terms *input, uint32_t *count) {
  f->next.count = 0;
  bool fits = true;
  uint64_t product = (uint64_t)*count * input->count;
  for (size_t at = 0; at < f->last.count && product <= ALEA_PATTERN_MOST && fits;
       at += f->last.data[at] + 1) {
    size_t other = input->first;
    for (uint32_t i = 0; i < input->count && fits; i++, other += f->terms.data[other] + 1)
      if (!join(f, f->last.data + at, f->terms.data + other, &fits)) return false;
  }
  alea_u32s swap = f->last;
  f->last = f->next;
  f->next = swap;
  *count = product <= ALEA_PATTERN_MOST && fits ? (uint32_t)product : 0;
  return true;
}

/* The product of the inputs that are known; none of them, or too much: nothing is known. */
static bool expand_and(term_finder *f, alea_lit lit) {
  uint32_t count = 1, used = 0;
  f->last.count = 0;
  if (!alea_vec_push(f->mem, &f->last, 0)) return false;
  for (uint32_t i = 0; i < input_count(f->net, lit) && count > 0; i++) {
    const literal_terms *input = &f->known[input_of(f->net, lit, i)];
    if (input->count == 0) continue;
    used++;
    if (!multiply(f, input, &count)) return false;
  }
  literal_terms *out = &f->known[lit];
  out->first = f->terms.count;
  if (used == 0 || count == 0) return true;
  out->count = count;
  if (!alea_vec_reserve(f->mem, &f->terms, f->last.count)) return false;
  memcpy(f->terms.data + f->terms.count, f->last.data, f->last.count * sizeof *f->last.data);
  f->terms.count += f->last.count;
  return true;
}

static bool expand_or(term_finder *f, alea_lit lit) {
  literal_terms *out = &f->known[lit];
  uint64_t count = 0;
  out->first = f->terms.count;
  for (uint32_t i = 0; i < input_count(f->net, lit); i++)
    count += f->known[input_of(f->net, lit, i)].count;
  if (count > ALEA_PATTERN_MOST) return true;
  for (uint32_t i = 0; i < input_count(f->net, lit); i++) {
    const literal_terms *input = &f->known[input_of(f->net, lit, i)];
    size_t end = input->first;
    for (uint32_t k = 0; k < input->count; k++) end += f->terms.data[end] + 1;
    size_t size = input->count > 0 ? end - input->first : 0;
    if (!alea_vec_reserve(f->mem, &f->terms, size)) return false;
    if (size > 0)
      memcpy(f->terms.data + f->terms.count, f->terms.data + input->first,
             size * sizeof *f->terms.data);
    f->terms.count += size;
    f->work += size;
  }
  out->count = (uint32_t)count;
  return true;
}

static bool expand(term_finder *f, alea_lit lit) {
  literal_terms *out = &f->known[lit];
  if (!out->needed) return true;
  if (is_fluent(f->net, lit)) {
    *out = (literal_terms){.first = f->terms.count, .count = 1};
    return alea_vec_push(f->mem, &f->terms, 1) && alea_vec_push(f->mem, &f->terms, (lit >> 1) - 1);
  }
  if (!is_gate(f->net, lit) || is_in_cycle(f->net, lit >> 1) || f->work > MOST_WORK) return true;
  return is_and(f->net, lit) ? expand_and(f, lit) : expand_or(f, lit);
}

static int compare(const void *a, const void *b) {
  const uint32_t *x = *(const uint32_t *const *)a, *y = *(const uint32_t *const *)b;
  for (uint32_t i = 0; i <= x[0]; i++)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}

/* Appends the conjunctions of the root, sorted, each once. */
static bool list(term_finder *f, const literal_terms *root, alea_conjunctions *found) {
  const uint32_t **order = alea_mem_calloc(f->mem, root->count + 1, sizeof *order);
  if (order == NULL) return false;
  const uint32_t *at = f->terms.data + root->first;
  for (uint32_t i = 0; i < root->count; i++, at += at[0] + 1) order[i] = at;
  if (root->count > 0) qsort(order, root->count, sizeof *order, compare);
  bool good = true;
  for (uint32_t i = 0; good && i < root->count; i++) {
    bool again = i > 0 && compare(&order[i - 1], &order[i]) == 0;
    if (again || order[i][0] < ALEA_PATTERN_LEAST_LENGTH) continue;
    good = alea_vec_reserve(f->mem, found, order[i][0] + 1);
    if (!good) break;
    memcpy(found->data + found->count, order[i], (order[i][0] + 1) * sizeof *found->data);
    found->count += order[i][0] + 1;
  }
  alea_mem_free(f->mem, order, (root->count + 1) * sizeof *order);
  return good;
}

alea_status alea_pattern_search(const alea_net *net, alea_lit lit, alea_conjunctions *found,
                                alea_mem *mem) {
  term_finder f = {.net = net, .mem = mem};
  size_t literals = 2 * ((size_t)net->first_gate + net->gate_count);
  if (!is_gate(net, lit)) return ALEA_OK;
  f.known = alea_mem_calloc(mem, literals, sizeof *f.known);
  if (f.known == NULL) return alea_mem_lack(mem);
  mark_needed(&f, lit);
  bool good = true;
  for (alea_lit l = 2; good && l <= (lit | 1); l++) good = expand(&f, l);
  good = good && list(&f, &f.known[lit], found);
  alea_mem_free(mem, f.known, literals * sizeof *f.known);
  alea_vec_clear(mem, &f.terms);
  alea_vec_clear(mem, &f.last);
  alea_vec_clear(mem, &f.next);
  return good ? ALEA_OK : alea_mem_lack(mem);
}
