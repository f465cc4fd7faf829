/* Sharing pairs: inputs that occur together in several gates become a gate.
 *
 * The most frequent pairs first, and again on what this leaves (greedy common
 * subexpressions, as in Rajski and Vasudevamurthy, IEEE TCAD 11, 1992, for
 * single cubes).  A pair in k gates saves k - 1 two-input gates.
 *
 * Counts of pairs live in a hash table and are adjusted as gates change; a
 * heap orders them lazily.  Counts steer, they do not decide: what is
 * replaced is found from the lists of occurrences.  So wide gates, whose
 * pairs would be too many, may count only inputs near each other. */
#include <string.h>

#include "base/hash.h"
#include "base/hash_map.h"
#include "base/heap.h"
#include "propnet/graph.h"

enum {
  WIDE = 64,           /* gates with more inputs count neighbours only ... */
  NEAR = 12,           /* ... up to this distance */
  MAX_PAIRS = 6000000, /* pairs counted at the start */
  CHECK_CLOCK_EVERY = 256,
};

typedef struct pairs_pair {
  alea_lit a, b; /* a < b */
  uint32_t count;
} pairs_pair;

typedef struct pairs_row {
  uint32_t first, count; /* occurrences.data[first ...] */
} pairs_row;

typedef struct sharing {
  alea_graph *graph;
  alea_mem *mem;
  uint32_t wide;
  ALEA_VEC(pairs_pair) pairs;
  alea_hash_map map;        /* pairs by their literals */
  alea_u64s heap;           /* count << 32 | ~pair */
  ALEA_VEC(pairs_row) rows; /* per literal */
  alea_u32s occurrences;    /* gates; a row may hold gates that lost the literal */
  alea_u32s found;
} sharing;

/* ---- the table of counts ---- */

static uint64_t hash_pair(alea_lit a, alea_lit b) { return alea_hash_mix((uint64_t)a << 32 | b); }

static uint64_t hash_of(const void *pairs, uint32_t pair) {
  const pairs_pair *p = (const pairs_pair *)pairs + pair;
  return hash_pair(p->a, p->b);
}

/* The probe ends at the pair or where it belongs. */
static alea_hash_probe find_pair(const sharing *s, alea_lit a, alea_lit b) {
  alea_hash_probe probe = alea_hash_map_probe(&s->map, hash_pair(a, b));
  while (alea_hash_map_next(&s->map, &probe)) {
    const pairs_pair *p = &s->pairs.data[probe.id];
    if (p->a == a && p->b == b) break;
  }
  return probe;
}

static bool count_pair(sharing *s, alea_lit a, alea_lit b) {
  if (a > b) {
    alea_lit swap = a;
    a = b;
    b = swap;
  }
  if (!alea_hash_map_reserve(&s->map, s->mem, hash_of, s->pairs.data)) return false;
  alea_hash_probe probe = find_pair(s, a, b);
  if (probe.id != ALEA_HASH_NONE) {
    s->pairs.data[probe.id].count++;
    return true;
  }
  pairs_pair p = {a, b, 1};
  if (!alea_vec_push(s->mem, &s->pairs, p)) return false;
  alea_hash_map_put(&s->map, probe, (uint32_t)s->pairs.count - 1);
  return true;
}

static void uncount_pair(sharing *s, alea_lit a, alea_lit b) {
  uint32_t pair = a < b ? find_pair(s, a, b).id : find_pair(s, b, a).id;
  if (pair == ALEA_HASH_NONE) return;
  pairs_pair *p = &s->pairs.data[pair];
  if (p->count > 0) p->count--;
}

/* ---- the start ---- */

static bool takes_part(const alea_graph_gate *g) {
  return g->kind == ALEA_GATE_AND && !g->cyclic && g->count >= 2;
}

static bool make_rows(sharing *s) {
  const alea_graph *graph = s->graph;
  size_t lits = 2 * (graph->leaf_count + graph->gates.count);
  if (!alea_vec_reserve(s->mem, &s->rows, lits)) return false;
  s->rows.count = lits;
  memset(s->rows.data, 0, lits * sizeof *s->rows.data);
  for (size_t k = 0; k < graph->gates.count; k++) {
    alea_graph_gate g = graph->gates.data[k];
    for (uint32_t i = 0; takes_part(&g) && i < g.count; i++)
      s->rows.data[graph->inputs.data[g.first + i]].count++;
  }
  uint32_t at = 0;
  for (size_t i = 0; i < lits; i++) {
    s->rows.data[i].first = at;
    at += s->rows.data[i].count;
    s->rows.data[i].count = 0;
  }
  if (!alea_vec_reserve(s->mem, &s->occurrences, at)) return false;
  s->occurrences.count = at;
  for (size_t k = 0; k < graph->gates.count; k++) {
    alea_graph_gate g = graph->gates.data[k];
    for (uint32_t i = 0; takes_part(&g) && i < g.count; i++) {
      pairs_row *r = &s->rows.data[graph->inputs.data[g.first + i]];
      s->occurrences.data[r->first + r->count++] = (uint32_t)k;
    }
  }
  return true;
}

/* Literals read once cannot be in a shared pair. */
static bool is_common(const sharing *s, alea_lit lit) { return s->rows.data[lit].count >= 2; }

static bool count_gate(sharing *s, const alea_graph_gate *g) {
  const alea_lit *inputs = s->graph->inputs.data + g->first;
  uint32_t reach = g->count > s->wide ? NEAR : g->count;
  for (uint32_t i = 0; i < g->count; i++) {
    if (!is_common(s, inputs[i])) continue;
    for (uint32_t k = i + 1; k < g->count && k <= i + reach; k++)
      if (is_common(s, inputs[k]) && !count_pair(s, inputs[i], inputs[k])) return false;
  }
  return true;
}

/* The width up to which all pairs are counted, such that they fit. */
static uint32_t choose_width(const sharing *s) {
  uint32_t wide = WIDE;
  for (; wide > NEAR; wide /= 2) {
    uint64_t pairs = 0;
    for (size_t k = 0; k < s->graph->gates.count; k++) {
      uint64_t n = s->graph->gates.data[k].count;
      pairs += n > wide ? n * NEAR : n * (n - 1) / 2;
    }
    if (pairs <= MAX_PAIRS) break;
  }
  return wide;
}

static bool count_all(sharing *s) {
  s->wide = choose_width(s);
  for (size_t k = 0; k < s->graph->gates.count; k++)
    if (takes_part(&s->graph->gates.data[k]) && s->pairs.count < MAX_PAIRS &&
        !count_gate(s, &s->graph->gates.data[k]))
      return false;
  for (size_t k = 0; k < s->pairs.count; k++)
    if (s->pairs.data[k].count >= 2 &&
        !alea_vec_push(s->mem, &s->heap,
                       (uint64_t)s->pairs.data[k].count << 32 | (uint32_t) ~(uint32_t)k))
      return false;
  alea_heap_make(&s->heap);
  return true;
}

/* ---- extraction ---- */

/* Inputs stay sorted: removing keeps the order and new gates have the
 * largest numbers. */
static bool has_input(const alea_graph *graph, uint32_t gate, alea_lit lit) {
  const alea_graph_gate *g = &graph->gates.data[gate];
  const alea_lit *inputs = graph->inputs.data + g->first;
  uint32_t low = 0, high = g->count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (inputs[middle] < lit)
      low = middle + 1;
    else
      high = middle;
  }
  return low < g->count && inputs[low] == lit;
}

/* Gates that read both, into s->found; drops what is stale in the shorter row. */
static bool find_readers(sharing *s, alea_lit a, alea_lit b) {
  if (s->rows.data[a].count > s->rows.data[b].count) {
    alea_lit swap = a;
    a = b;
    b = swap;
  }
  pairs_row *r = &s->rows.data[a];
  uint32_t *gates = s->occurrences.data + r->first;
  uint32_t kept = 0;
  s->found.count = 0;
  for (uint32_t i = 0; i < r->count; i++) {
    if (!has_input(s->graph, gates[i], a)) continue;
    gates[kept++] = gates[i];
    if (has_input(s->graph, gates[i], b) && !alea_vec_push(s->mem, &s->found, gates[i]))
      return false;
  }
  r->count = kept;
  return true;
}

/* Replaces a and b by 'both' in one gate and adjusts the counts. */
static bool replace(sharing *s, uint32_t gate, alea_lit a, alea_lit b, alea_lit both) {
  alea_graph_gate *g = &s->graph->gates.data[gate];
  alea_lit *inputs = s->graph->inputs.data + g->first;
  bool narrow = g->count <= s->wide;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < g->count; i++)
    if (inputs[i] != a && inputs[i] != b) inputs[kept++] = inputs[i];
  for (uint32_t i = 0; i < kept; i++) {
    if (narrow) {
      uncount_pair(s, a, inputs[i]);
      uncount_pair(s, b, inputs[i]);
    }
    /* A wide gate counts the new gate with the latest inputs. */
    if ((narrow || i + NEAR >= kept) && is_common(s, inputs[i]) && !count_pair(s, both, inputs[i]))
      return false;
  }
  inputs[kept++] = both;
  g->count = kept & 0x3fffffffu;
  return true;
}

static bool extract(sharing *s, alea_lit a, alea_lit b) {
  alea_lit inputs[2] = {a, b};
  alea_lit both = alea_graph_add(s->graph, ALEA_GATE_AND, inputs, 2);
  if (both == ALEA_NO_LIT) return false;
  pairs_row occurrences = {(uint32_t)s->occurrences.count, (uint32_t)s->found.count}, none = {0};
  if (!alea_vec_push(s->mem, &s->rows, occurrences) || !alea_vec_push(s->mem, &s->rows, none))
    return false;
  size_t first_new = s->pairs.count;
  for (size_t i = 0; i < s->found.count; i++) {
    uint32_t gate = s->found.data[i];
    if (!alea_vec_push(s->mem, &s->occurrences, gate) || !replace(s, gate, a, b, both))
      return false;
  }
  for (size_t k = first_new; k < s->pairs.count; k++)
    if (s->pairs.data[k].count >= 2 &&
        !alea_heap_push(s->mem, &s->heap,
                        (uint64_t)s->pairs.data[k].count << 32 | (uint32_t) ~(uint32_t)k))
      return false;
  return true;
}

/* Handles the top of the heap. */
static bool step(sharing *s) {
  uint64_t top = s->heap.data[0];
  uint32_t k = ~(uint32_t)top, expected = (uint32_t)(top >> 32);
  pairs_pair p = s->pairs.data[k];
  if (p.count == expected) {
    if (!find_readers(s, p.a, p.b)) return false;
    if (s->found.count >= expected) {
      alea_heap_pop(&s->heap);
      s->pairs.data[k].count = 0;
      return extract(s, p.a, p.b);
    }
    p.count = s->pairs.data[k].count = (uint32_t)s->found.count;
  }
  /* The count has fallen since it was filed. */
  if (p.count >= 2)
    alea_heap_lower_top(&s->heap, (uint64_t)p.count << 32 | (uint32_t)top);
  else
    alea_heap_pop(&s->heap);
  return true;
}

alea_status alea_graph_share_pairs(alea_graph *graph, const alea_deadline *deadline) {
  sharing s = {.graph = graph, .mem = graph->mem};
  bool ok = make_rows(&s) && count_all(&s);
  for (uint32_t n = 1; ok && s.heap.count > 0; n++) {
    ok = step(&s);
    if (n % CHECK_CLOCK_EVERY == 0 && alea_deadline_passed(deadline)) break;
  }
  alea_vec_clear(s.mem, &s.pairs);
  alea_hash_map_clear(&s.map, s.mem);
  alea_vec_clear(s.mem, &s.heap);
  alea_vec_clear(s.mem, &s.rows);
  alea_vec_clear(s.mem, &s.occurrences);
  alea_vec_clear(s.mem, &s.found);
  return ok ? ALEA_OK : alea_graph_no_memory(graph->mem);
}
