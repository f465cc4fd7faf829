/* Factoring: a&b | a&c becomes a&(b|c).
 *
 * In a rebuilt graph an OR of ANDs is an AND of negated ANDs, and so is an AND
 * of ORs read from its negation: one routine serves both.  For each gate the
 * literal that most of its inner ANDs share is taken out, then the next; what
 * remains inside is a gate of its own and factored in turn.  Inner ANDs with
 * other readers are left alone, since they must be computed anyway.  Each
 * extraction from k ANDs saves k - 1 two-input gates.
 *
 * On cycles ORs are ORs, and the same is done to them in their own form; a | a&b
 * becomes a there, which elsewhere rebuilding does.  The functions stay the
 * same, so the least fixpoint does, too. */
#include <string.h>

#include "base/heap.h"
#include "propnet/graph.h"

typedef struct factoring {
  alea_graph *graph;
  alea_mem *mem;
  bool cyclic;       /* the current gate is an OR on a cycle, otherwise an AND of negated ANDs */
  alea_u32s uses;    /* per gate */
  alea_u32s count;   /* per literal: inner ANDs of the current gate with it */
  alea_u32s row;     /* per literal: its row in 'occurrences' while count != 0 */
  alea_u32s touched; /* literals with a count */
  alea_u32s occurrences;
  alea_u32s children;      /* inner ANDs of the current gate, gate numbers */
  ALEA_VEC(uint8_t) taken; /* per child */
  alea_u64s heap;          /* count << 32 | ~literal, largest on top */
  alea_u32s scratch;
} factoring;

/* ---- the inner ANDs of one gate ---- */

/* How the current gate reads its inner ANDs. */
static alea_lit sign_of(const factoring *f) { return f->cyclic ? 0 : 1; }

static bool is_child(const factoring *f, alea_lit lit) {
  if ((lit & 1) != sign_of(f) || !alea_graph_is_gate(f->graph, lit)) return false;
  const alea_graph_gate *g = alea_graph_gate_of(f->graph, lit);
  return g->kind == ALEA_GATE_AND && (g->cyclic != 0) == f->cyclic && g->count >= 2 &&
         f->uses.data[(lit >> 1) - f->graph->leaf_count] == 1;
}

/* Whether an inner AND reads a literal with a count. */
static bool reads_counted(const factoring *f, alea_lit child) {
  const alea_graph_gate *g = alea_graph_gate_of(f->graph, child);
  for (uint32_t i = 0; i < g->count; i++)
    if (f->count.data[f->graph->inputs.data[g->first + i]] != 0) return true;
  return false;
}

/* Inner ANDs that imply another input of their OR go. */
static void absorb(factoring *f, uint32_t gate) {
  alea_graph_gate *g = &f->graph->gates.data[gate];
  alea_lit *inputs = f->graph->inputs.data + g->first;
  uint32_t count = g->count, kept = 0;
  for (uint32_t i = 0; i < count; i++) f->count.data[inputs[i]] = 1;
  for (uint32_t i = 0; i < count; i++) {
    f->count.data[inputs[i]] = 0;
    if (is_child(f, inputs[i]) && reads_counted(f, inputs[i])) continue;
    f->count.data[inputs[i]] = 1;
    inputs[kept++] = inputs[i];
  }
  for (uint32_t i = 0; i < kept; i++) f->count.data[inputs[i]] = 0;
  g->count = kept & 0x3fffffffu;
}

static bool collect_children(factoring *f, uint32_t gate) {
  const alea_graph *graph = f->graph;
  alea_graph_gate g = graph->gates.data[gate];
  f->children.count = f->taken.count = 0;
  for (uint32_t i = 0; i < g.count; i++) {
    alea_lit lit = graph->inputs.data[g.first + i];
    if (!is_child(f, lit)) continue;
    if (!alea_vec_push(f->mem, &f->children, (lit >> 1) - graph->leaf_count) ||
        !alea_vec_push(f->mem, &f->taken, 0))
      return false;
  }
  return true;
}

/* Fills count, row, occurrences and the heap for the children. */
static bool index_children(factoring *f) {
  const alea_graph *graph = f->graph;
  f->touched.count = 0;
  size_t total = 0;
  for (size_t c = 0; c < f->children.count; c++) {
    alea_graph_gate g = graph->gates.data[f->children.data[c]];
    total += g.count;
    for (uint32_t i = 0; i < g.count; i++) {
      alea_lit lit = graph->inputs.data[g.first + i];
      if (f->count.data[lit]++ == 0 && !alea_vec_push(f->mem, &f->touched, lit)) return false;
    }
  }
  f->occurrences.count = f->heap.count = 0;
  if (!alea_vec_reserve(f->mem, &f->occurrences, total) ||
      !alea_vec_reserve(f->mem, &f->heap, f->touched.count))
    return false;
  uint32_t at = 0;
  for (size_t i = 0; i < f->touched.count; i++) {
    alea_lit lit = f->touched.data[i];
    f->row.data[lit] = at;
    at += f->count.data[lit];
    if (f->count.data[lit] >= 2)
      f->heap.data[f->heap.count++] = (uint64_t)f->count.data[lit] << 32 | (uint32_t)~lit;
  }
  for (size_t c = 0; c < f->children.count; c++) {
    alea_graph_gate g = graph->gates.data[f->children.data[c]];
    for (uint32_t i = 0; i < g.count; i++)
      f->occurrences.data[f->row.data[graph->inputs.data[g.first + i]]++] = (uint32_t)c;
  }
  /* The rows were moved to their ends; a row ends where it began plus the
   * number of all its entries, which 'count' is about to lose. */
  for (size_t i = 0; i < f->touched.count; i++)
    f->row.data[f->touched.data[i]] -= f->count.data[f->touched.data[i]];
  alea_heap_make(&f->heap);
  return true;
}

static void remove_input(alea_graph *graph, uint32_t gate, alea_lit lit) {
  alea_graph_gate *g = &graph->gates.data[gate];
  alea_lit *inputs = graph->inputs.data + g->first;
  uint32_t i = 0;
  while (inputs[i] != lit) i++;
  memmove(inputs + i, inputs + i + 1, (g->count - i - 1) * sizeof *inputs);
  g->count--;
}

/* ---- extraction ---- */

static alea_lit add_gate(factoring *f, alea_gate_kind kind, const alea_lit *inputs,
                         uint32_t count) {
  alea_lit lit = alea_graph_add(f->graph, kind, inputs, count);
  if (lit != ALEA_NO_LIT) alea_graph_gate_of(f->graph, lit)->cyclic = f->cyclic;
  if (lit == ALEA_NO_LIT || !alea_vec_push(f->mem, &f->uses, 1) ||
      !alea_vec_push(f->mem, &f->count, 0) || !alea_vec_push(f->mem, &f->count, 0) ||
      !alea_vec_push(f->mem, &f->row, 0) || !alea_vec_push(f->mem, &f->row, 0))
    return ALEA_NO_LIT;
  return lit;
}

/* Takes child 'c' out of the counts and removes 'lit' from it; what is left of
 * it, with the sign of children, goes to scratch. */
static bool take_child(factoring *f, uint32_t c, alea_lit lit) {
  alea_graph *graph = f->graph;
  uint32_t gate = f->children.data[c];
  alea_graph_gate g = graph->gates.data[gate];
  for (uint32_t i = 0; i < g.count; i++) f->count.data[graph->inputs.data[g.first + i]]--;
  f->taken.data[c] = 1;
  remove_input(graph, gate, lit);
  alea_lit rest = 2 * (graph->leaf_count + gate);
  if (graph->gates.data[gate].count == 1) rest = graph->inputs.data[graph->gates.data[gate].first];
  return alea_vec_push(f->mem, &f->scratch, rest ^ sign_of(f));
}

/* lit & OR(rests) in place of 'entries' children: goes to 'made', with the sign of children. */
static bool extract(factoring *f, alea_lit lit, uint32_t entries, alea_u32s *made) {
  f->scratch.count = 0;
  for (uint32_t i = 0; i < entries; i++) {
    uint32_t c = f->occurrences.data[f->row.data[lit] + i];
    if (!f->taken.data[c] && !take_child(f, c, lit)) return false;
  }
  alea_gate_kind kind = f->cyclic ? ALEA_GATE_OR : ALEA_GATE_AND;
  alea_lit inner = add_gate(f, kind, f->scratch.data, (uint32_t)f->scratch.count);
  if (inner == ALEA_NO_LIT) return false;
  alea_lit product[2] = {lit, inner ^ sign_of(f)};
  alea_lit outer = add_gate(f, ALEA_GATE_AND, product, 2);
  return outer != ALEA_NO_LIT && alea_vec_push(f->mem, made, outer ^ sign_of(f));
}

/* Rewrites the inputs of 'gate': children that were taken go, 'made' comes. */
static void rewrite(factoring *f, uint32_t gate, const alea_u32s *made) {
  alea_graph *graph = f->graph;
  alea_graph_gate *g = &graph->gates.data[gate];
  alea_lit *inputs = graph->inputs.data + g->first;
  uint32_t kept = 0;
  size_t c = 0; /* children are in the order of the inputs */
  for (uint32_t i = 0; i < g->count; i++) {
    bool child = c < f->children.count &&
                 inputs[i] == (2 * (graph->leaf_count + f->children.data[c]) | sign_of(f));
    if (child && f->taken.data[c++]) continue;
    inputs[kept++] = inputs[i];
  }
  /* At least two children went for each gate that came. */
  for (size_t i = 0; i < made->count; i++) inputs[kept++] = made->data[i];
  g->count = kept & 0x3fffffffu;
}

/* ANDs outside cycles, ORs on them. */
static bool takes_part(const alea_graph_gate *gate) {
  return (gate->kind == ALEA_GATE_OR) == (gate->cyclic != 0);
}

static bool factor_gate(factoring *f, uint32_t gate, alea_u32s *made) {
  f->cyclic = f->graph->gates.data[gate].cyclic != 0;
  if (f->cyclic) absorb(f, gate);
  if (!collect_children(f, gate)) return false;
  if (f->children.count < 2) return true;
  bool ok = index_children(f);
  made->count = 0;
  while (ok && f->heap.count > 0) {
    uint64_t top = f->heap.data[0];
    alea_lit lit = ~(uint32_t)top;
    uint32_t now = f->count.data[lit];
    if (now < top >> 32) { /* others took some of its ANDs */
      if (now >= 2) {
        alea_heap_lower_top(&f->heap, (uint64_t)now << 32 | (uint32_t)top);
      } else {
        alea_heap_pop(&f->heap);
      }
      continue;
    }
    alea_heap_pop(&f->heap);
    /* The row holds all its entries, taken ones too: it ends at the next. */
    uint32_t entries = 0, row = f->row.data[lit];
    for (uint32_t left = now; left > 0; entries++)
      left -= f->taken.data[f->occurrences.data[row + entries]] == 0;
    ok = extract(f, lit, entries, made);
  }
  for (size_t i = 0; i < f->touched.count; i++) f->count.data[f->touched.data[i]] = 0;
  if (ok && made->count > 0) rewrite(f, gate, made);
  return ok;
}

static bool count_uses(factoring *f) {
  const alea_graph *graph = f->graph;
  size_t gates = graph->gates.count, lits = 2 * (graph->leaf_count + gates);
  if (!alea_vec_reserve(f->mem, &f->uses, gates) || !alea_vec_reserve(f->mem, &f->count, lits) ||
      !alea_vec_reserve(f->mem, &f->row, lits))
    return false;
  f->uses.count = gates;
  f->count.count = f->row.count = lits;
  if (gates > 0) memset(f->uses.data, 0, gates * sizeof *f->uses.data);
  memset(f->count.data, 0, lits * sizeof *f->count.data);
  memset(f->row.data, 0, lits * sizeof *f->row.data);
  for (size_t k = 0; k < gates; k++) {
    alea_graph_gate g = graph->gates.data[k];
    for (uint32_t i = 0; i < g.count; i++) {
      alea_lit lit = graph->inputs.data[g.first + i];
      if (alea_graph_is_gate(graph, lit)) f->uses.data[(lit >> 1) - graph->leaf_count]++;
    }
  }
  for (size_t i = 0; i < graph->roots.count; i++) {
    alea_lit lit = graph->roots.data[i];
    if (alea_graph_is_gate(graph, lit)) f->uses.data[(lit >> 1) - graph->leaf_count]++;
  }
  return true;
}

alea_status alea_graph_factor(alea_graph *graph) {
  factoring f = {.graph = graph, .mem = graph->mem};
  alea_u32s made = {0};
  bool ok = count_uses(&f);
  /* Gates made on the way are at the end and get their turn too. */
  for (size_t gate = 0; ok && gate < graph->gates.count; gate++)
    if (takes_part(&graph->gates.data[gate])) ok = factor_gate(&f, (uint32_t)gate, &made);
  alea_vec_clear(f.mem, &f.uses);
  alea_vec_clear(f.mem, &f.count);
  alea_vec_clear(f.mem, &f.row);
  alea_vec_clear(f.mem, &f.touched);
  alea_vec_clear(f.mem, &f.occurrences);
  alea_vec_clear(f.mem, &f.children);
  alea_vec_clear(f.mem, &f.taken);
  alea_vec_clear(f.mem, &f.heap);
  alea_vec_clear(f.mem, &f.scratch);
  alea_vec_clear(f.mem, &made);
  return ok ? ALEA_OK : alea_graph_no_memory(graph->mem);
}
