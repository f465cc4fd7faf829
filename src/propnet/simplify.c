/* Rebuilding a graph: dead gates go, equal gates become one, constants fold.
 *
 * One pass over the gates in evaluation order.  When a gate is reached its
 * inputs are already final, so local.c can simplify it by looking down; the
 * result is looked up in a table of all gates made so far. */
#include <string.h>

#include "base/hash.h"
#include "propnet/rebuild.h"

/* A second or so for networks with very many moves. */
#define SET_BUDGET UINT64_C(100000000)

/* ---- structural hashing ---- */

static uint32_t hash_gate(alea_gate_kind kind, const alea_lit *inputs, uint32_t count) {
  uint64_t hash = count * 2u + (uint32_t)kind;
  for (uint32_t i = 0; i < count; i++) hash = alea_hash_join(hash, inputs[i]);
  return (uint32_t)(alea_hash_mix(hash) >> 32);
}

static bool same_gate(const alea_graph *graph, const alea_graph_gate *gate, alea_gate_kind kind,
                      const alea_lit *inputs, uint32_t count) {
  return gate->count == count && gate->kind == (uint32_t)kind &&
         memcmp(graph->inputs.data + gate->first, inputs, count * sizeof *inputs) == 0;
}

static void insert(alea_rebuild *r, uint32_t hash, uint32_t gate) {
  if (alea_hash_words_reserve(&r->gates, r->mem, alea_hash_of_tag))
    alea_hash_words_add(&r->gates, hash, alea_hash_tag(hash, gate));
  else
    r->failed = true;
}

static alea_lit lookup(const alea_rebuild *r, alea_gate_kind kind, const alea_lit *inputs,
                       uint32_t count, uint32_t hash) {
  alea_word_probe probe = alea_hash_words_probe(&r->gates, hash);
  while (alea_hash_words_next(&r->gates, &probe)) {
    if (alea_hash_of_tag(probe.word) != hash) continue;
    uint32_t gate = alea_hash_tag_id(probe.word);
    if (same_gate(r->to, &r->to->gates.data[gate], kind, inputs, count))
      return 2 * (r->to->leaf_count + gate);
  }
  return ALEA_NO_LIT;
}

alea_lit alea_rebuild_find(const alea_rebuild *r, alea_gate_kind kind, const alea_lit *inputs,
                           uint32_t count) {
  return lookup(r, kind, inputs, count, hash_gate(kind, inputs, count));
}

void alea_rebuild_enter(alea_rebuild *r, uint32_t gate) {
  const alea_graph_gate *g = &r->to->gates.data[gate];
  const alea_lit *inputs = r->to->inputs.data + g->first;
  insert(r, hash_gate((alea_gate_kind)g->kind, inputs, g->count), gate);
}

alea_lit alea_rebuild_append(alea_rebuild *r, alea_gate_kind kind, const alea_lit *inputs,
                             uint32_t count) {
  alea_lit lit = alea_graph_add(r->to, kind, inputs, count);
  uint32_t set = kind == ALEA_GATE_AND ? alea_rebuild_set_of_and(r, inputs, count) : 0;
  if (lit == ALEA_NO_LIT || !alea_vec_push(r->mem, &r->shared, 0) ||
      !alea_vec_push(r->mem, &r->move_sets, set) || !alea_vec_push(r->mem, &r->stamps, 0) ||
      !alea_vec_push(r->mem, &r->stamps, 0)) {
    r->failed = true;
    return ALEA_LIT_FALSE;
  }
  return lit;
}

/* An OR on a cycle stays an OR, so it may be the twin of this AND. */
static alea_lit find_cyclic_twin(alea_rebuild *r, const alea_lit *inputs, uint32_t count) {
  r->work.count = 0;
  if (!alea_vec_reserve(r->mem, &r->work, count)) {
    r->failed = true;
    return ALEA_LIT_FALSE;
  }
  for (uint32_t i = 0; i < count; i++) r->work.data[r->work.count++] = inputs[i] ^ 1;
  alea_sort_u32(r->work.data, count);
  return alea_rebuild_find(r, ALEA_GATE_OR, r->work.data, count);
}

alea_lit alea_rebuild_cons(alea_rebuild *r, alea_gate_kind kind, const alea_lit *inputs,
                           uint32_t count) {
  uint32_t hash = hash_gate(kind, inputs, count);
  alea_lit lit = lookup(r, kind, inputs, count, hash);
  if (lit == ALEA_NO_LIT && r->any_cycle) {
    lit = find_cyclic_twin(r, inputs, count);
    if (lit != ALEA_NO_LIT) lit ^= 1;
  }
  if (lit != ALEA_NO_LIT) {
    if (alea_graph_is_gate(r->to, lit)) r->shared.data[(lit >> 1) - r->to->leaf_count] = 1;
    return lit;
  }
  lit = alea_rebuild_append(r, kind, inputs, count);
  if (!r->failed) insert(r, hash, (lit >> 1) - r->to->leaf_count);
  return lit;
}

/* ---- the pass ---- */

static void count_uses(alea_rebuild *r, const alea_parts *parts) {
  const alea_graph *from = r->from;
  for (size_t k = 0; k < parts->order.count; k++) {
    const alea_graph_gate *g = &from->gates.data[parts->order.data[k]];
    for (uint32_t i = 0; i < g->count; i++) {
      alea_lit lit = from->inputs.data[g->first + i];
      if (alea_graph_is_gate(from, lit)) r->uses[(lit >> 1) - from->leaf_count]++;
    }
  }
  for (size_t i = 0; i < from->roots.count; i++) {
    alea_lit lit = from->roots.data[i];
    if (alea_graph_is_gate(from, lit)) r->uses[(lit >> 1) - from->leaf_count]++;
  }
}

/* Translates a gate outside cycles. */
static void translate(alea_rebuild *r, uint32_t gate) {
  const alea_graph *from = r->from;
  alea_graph_gate g = from->gates.data[gate];
  alea_lit flip = g.kind == ALEA_GATE_OR ? 1 : 0;
  r->list.count = 0;
  if (!alea_vec_reserve(r->mem, &r->list, g.count)) {
    r->failed = true;
    return;
  }
  for (uint32_t i = 0; i < g.count; i++) {
    alea_lit lit = from->inputs.data[g.first + i];
    r->list.data[r->list.count++] = alea_rebuild_map(r, lit) ^ flip;
  }
  size_t before = r->to->gates.count;
  alea_lit result = alea_rebuild_and(r);
  if (r->failed) return;
  r->map[from->leaf_count + gate] = result ^ flip;
  if (!alea_graph_is_gate(r->to, result)) return;
  uint32_t made = (result >> 1) - r->to->leaf_count;
  if (made < before || r->uses[gate] > 1) r->shared.data[made] = 1;
  if (r->to->gates.data[made].origin == 0) r->to->gates.data[made].origin = g.origin;
}

static alea_status translate_all(alea_rebuild *r, const alea_parts *parts) {
  size_t cycle = 0;
  for (size_t i = 0; i < parts->order.count && !r->failed; i++) {
    if (alea_mem_given_up(r->mem)) return ALEA_LIMIT;
    if (cycle == parts->cycles.count || parts->cycles.data[cycle].first != i) {
      translate(r, parts->order.data[i]);
      continue;
    }
    uint32_t size = parts->cycles.data[cycle].last - parts->cycles.data[cycle].first + 1;
    alea_status status = alea_rebuild_cycle(r, parts->order.data + i, size);
    if (status != ALEA_OK) return status;
    i += size - 1;
    cycle++;
  }
  if (r->failed) return alea_graph_no_memory(r->mem);
  for (size_t i = 0; i < r->from->roots.count; i++) {
    alea_lit lit = r->from->roots.data[i];
    if (!alea_vec_push(r->mem, &r->to->roots, alea_rebuild_map(r, lit)))
      return alea_graph_no_memory(r->mem);
  }
  return ALEA_OK;
}

/* ---- sweeping ---- */

static void mark_lit(const alea_graph *graph, uint32_t *number, alea_lit lit) {
  if (alea_graph_is_gate(graph, lit)) number[(lit >> 1) - graph->leaf_count] = 1;
}

/* number[gate] becomes 1 for gates that are read, 0 for others.  Inputs come
 * before readers but on cycles, which are kept whole. */
static void mark_alive(const alea_graph *graph, uint32_t *number) {
  for (size_t i = 0; i < graph->roots.count; i++) mark_lit(graph, number, graph->roots.data[i]);
  for (size_t k = 0; k < graph->gates.count; k++)
    if (graph->gates.data[k].cyclic) number[k] = 1;
  for (size_t k = graph->gates.count; k-- > 0;) {
    const alea_graph_gate *g = &graph->gates.data[k];
    for (uint32_t i = 0; number[k] != 0 && i < g->count; i++)
      mark_lit(graph, number, graph->inputs.data[g->first + i]);
  }
}

static alea_lit renumber(const alea_graph *graph, const uint32_t *number, alea_lit lit) {
  if (!alea_graph_is_gate(graph, lit)) return lit;
  return 2 * (graph->leaf_count + number[(lit >> 1) - graph->leaf_count]) + (lit & 1);
}

/* Removes what was simplified away again in the same pass: such gates would
 * count as readers of others. */
static bool sweep(alea_graph *graph) {
  size_t count = graph->gates.count, kept = 0, at = 0;
  uint32_t *number = alea_mem_calloc(graph->mem, count, sizeof *number);
  if (number == NULL) return false;
  mark_alive(graph, number);
  for (size_t k = 0; k < count; k++) number[k] = number[k] != 0 ? (uint32_t)kept++ : UINT32_MAX;
  for (size_t k = 0; k < count; k++) {
    if (number[k] == UINT32_MAX) continue;
    alea_graph_gate g = graph->gates.data[k];
    uint32_t first = (uint32_t)at; /* inputs lie in the order of gates, so at <= g.first */
    for (uint32_t i = 0; i < g.count; i++)
      graph->inputs.data[at++] = renumber(graph, number, graph->inputs.data[g.first + i]);
    g.first = first;
    graph->gates.data[number[k]] = g;
  }
  graph->gates.count = kept;
  graph->inputs.count = at;
  for (size_t i = 0; i < graph->roots.count; i++)
    graph->roots.data[i] = renumber(graph, number, graph->roots.data[i]);
  alea_mem_free(graph->mem, number, count * sizeof *number);
  return true;
}

/* ---- the whole ---- */

static bool allocate(alea_rebuild *r) {
  const alea_lit *leaves = r->from->leaves.data;
  const alea_ground *ground = r->from->ground;
  size_t nodes = r->from->leaf_count + r->from->gates.count;
  r->map = alea_mem_alloc(r->mem, nodes * sizeof *r->map);
  r->uses = alea_mem_calloc(r->mem, r->from->gates.count, sizeof *r->uses);
  r->role_of_move = alea_mem_calloc(r->mem, ground->move_count, sizeof *r->role_of_move);
  r->role_stamp = alea_mem_calloc(r->mem, ground->role_count, sizeof *r->role_stamp);
  r->role_move = alea_mem_calloc(r->mem, ground->role_count, sizeof *r->role_move);
  r->role_sets = alea_mem_calloc(r->mem, ground->role_count, sizeof *r->role_sets);
  if (r->map == NULL || r->uses == NULL || r->role_of_move == NULL || r->role_stamp == NULL ||
      r->role_move == NULL || r->role_sets == NULL ||
      !alea_vec_reserve(r->mem, &r->stamps, 2 * r->from->leaf_count))
    return false;
  for (uint32_t i = 0; i < r->from->leaf_count; i++) r->map[i] = leaves[i];
  for (size_t i = r->from->leaf_count; i < nodes; i++) r->map[i] = ALEA_NO_LIT;
  r->stamps.count = 2 * r->from->leaf_count;
  memset(r->stamps.data, 0, r->stamps.count * sizeof *r->stamps.data);
  for (uint32_t role = 0; role < ground->role_count; role++)
    for (uint32_t m = ground->move_first[role]; m < ground->move_first[role + 1]; m++)
      r->role_of_move[m] = role;
  return true;
}

static void release(alea_rebuild *r) {
  const alea_ground *ground = r->from->ground;
  alea_mem *mem = r->mem;
  alea_mem_free(mem, r->map, (r->from->leaf_count + r->from->gates.count) * sizeof *r->map);
  alea_mem_free(mem, r->uses, r->from->gates.count * sizeof *r->uses);
  alea_mem_free(mem, r->role_of_move, ground->move_count * sizeof *r->role_of_move);
  alea_mem_free(mem, r->role_stamp, ground->role_count * sizeof *r->role_stamp);
  alea_mem_free(mem, r->role_move, ground->role_count * sizeof *r->role_move);
  alea_mem_free(mem, r->role_sets, ground->role_count * sizeof *r->role_sets);
  alea_vec_clear(mem, &r->shared);
  alea_vec_clear(mem, &r->move_sets);
  alea_vec_clear(mem, &r->stamps);
  alea_hash_words_clear(&r->gates, mem);
  alea_vec_clear(mem, &r->list);
  alea_vec_clear(mem, &r->work);
}

alea_status alea_graph_rebuild(alea_graph *graph, unsigned what, alea_diag *diag) {
  alea_graph to;
  alea_graph_init(&to, graph->ground, graph->mem);
  alea_rebuild r = {.from = graph, .to = &to, .mem = graph->mem, .what = what, .diag = diag};
  r.set_budget = SET_BUDGET;
  alea_parts parts;
  alea_status status = alea_parts_find(&parts, graph);
  if (status != ALEA_OK) return status;
  to.leaves = graph->leaves; /* handed over, or back */
  if (allocate(&r)) {
    count_uses(&r, &parts);
    status = translate_all(&r, &parts);
    if (status == ALEA_OK && !sweep(&to)) status = alea_graph_no_memory(graph->mem);
  } else {
    status = alea_graph_no_memory(graph->mem);
  }
  release(&r);
  alea_parts_clear(&parts, graph->mem);
  if (status != ALEA_OK) {
    to.leaves = (alea_u32s){0};
    alea_graph_clear(&to);
    return status;
  }
  graph->leaves = (alea_u32s){0};
  alea_graph_clear(graph);
  *graph = to;
  return ALEA_OK;
}
