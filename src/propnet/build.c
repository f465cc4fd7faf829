/* From the ground program to a graph, and the order of the optimisations. */
#include <string.h>

#include "propnet/graph.h"

/* ---- translation ---- */

/* Atoms and nodes agree up to the moves; derived atom number k is gate k. */
static bool add_rule_gates(alea_graph *graph) {
  const alea_ground *ground = graph->ground;
  size_t derived = ground->atom_count - graph->leaf_count;
  if (!alea_vec_reserve(graph->mem, &graph->gates, derived + ground->rules.count)) return false;
  if (!alea_vec_reserve(graph->mem, &graph->inputs, ground->lits.count + ground->rules.count))
    return false;
  for (size_t i = 0; i < derived; i++) {
    alea_graph_gate gate = {.kind = ALEA_GATE_OR, .origin = (alea_atom)(graph->leaf_count + i)};
    graph->gates.data[graph->gates.count++] = gate;
  }
  return true;
}

/* Rules are sorted by head: 'count' rules from 'first' on define one atom. */
static bool add_atom(alea_graph *graph, size_t first, size_t count) {
  const alea_ground *ground = graph->ground;
  const alea_ground_rule *rules = ground->rules.data + first;
  alea_graph_gate *atom = &graph->gates.data[rules[0].head - graph->leaf_count];
  uint32_t at = (uint32_t)graph->inputs.count;
  if (count == 1) { /* the atom is the AND of its one body */
    const alea_lit *body = ground->lits.data + rules[0].first_lit;
    for (uint32_t i = 0; i < rules[0].lit_count; i++)
      if (!alea_vec_push(graph->mem, &graph->inputs, body[i])) return false;
    atom->kind = ALEA_GATE_AND;
    atom->first = at;
    atom->count = rules[0].lit_count & 0x3fffffffu;
    return true;
  }
  atom->first = at;
  atom->count = (uint32_t)count & 0x3fffffffu;
  if (!alea_vec_reserve(graph->mem, &graph->inputs, count)) return false;
  graph->inputs.count += count;
  for (size_t k = 0; k < count; k++) {
    const alea_lit *body = ground->lits.data + rules[k].first_lit;
    alea_lit lit = body[0];
    if (rules[k].lit_count != 1) {
      lit = alea_graph_add(graph, ALEA_GATE_AND, body, rules[k].lit_count);
      if (lit == ALEA_NO_LIT) return false;
      alea_graph_gate_of(graph, lit)->origin = rules[k].head;
    }
    graph->inputs.data[at + k] = lit;
  }
  return true;
}

static bool add_roots(alea_graph *graph) {
  const alea_ground *ground = graph->ground;
  alea_u32s *roots = &graph->roots;
  size_t count =
      ground->move_count + 1 + ground->goals.count + ground->fluent_count + ground->sees.count;
  if (!alea_vec_reserve(graph->mem, roots, count)) return false;
  for (uint32_t i = 0; i < ground->move_count; i++) roots->data[roots->count++] = ground->legal[i];
  roots->data[roots->count++] = ground->terminal;
  for (size_t i = 0; i < ground->goals.count; i++)
    roots->data[roots->count++] = ground->goals.data[i].lit;
  for (uint32_t i = 0; i < ground->fluent_count; i++) roots->data[roots->count++] = ground->next[i];
  for (size_t i = 0; i < ground->sees.count; i++)
    roots->data[roots->count++] = ground->sees.data[i].lit;
  return true;
}

alea_status alea_graph_from_ground(alea_graph *graph) {
  const alea_ground *ground = graph->ground;
  bool ok = add_rule_gates(graph);
  for (size_t i = 0; ok && i < ground->rules.count;) {
    size_t end = i + 1;
    while (end < ground->rules.count && ground->rules.data[end].head == ground->rules.data[i].head)
      end++;
    ok = add_atom(graph, i, end - i);
    i = end;
  }
  ok = ok && add_roots(graph) && alea_vec_reserve(graph->mem, &graph->leaves, graph->leaf_count);
  for (uint32_t i = 0; ok && i < graph->leaf_count; i++)
    graph->leaves.data[graph->leaves.count++] = 2 * i;
  return ok ? ALEA_OK : alea_graph_no_memory(graph->mem);
}

/* ---- the order of things ---- */

enum { LARGE = 200000 };

static bool has_cycles(const alea_graph *graph) {
  for (size_t i = 0; i < graph->gates.count; i++)
    if (graph->gates.data[i].cyclic) return true;
  return false;
}

/* Rebuilds until nothing changes any more.  Without cycles one pass would do;
 * a cycle may need several, each cutting it somewhere. */
static alea_status settle(alea_graph *graph, unsigned what, alea_diag *diag) {
  alea_status status = alea_graph_rebuild(graph, what, diag);
  for (int pass = 0; status == ALEA_OK && has_cycles(graph); pass++) {
    size_t gates = graph->gates.count, inputs = graph->inputs.count;
    /* Two passes let constants and aliases cut cycles; a negation that is
     * still on one is there for good. */
    status = alea_graph_rebuild(graph, pass < 2 ? what : what | ALEA_REBUILD_STRICT, diag);
    if (pass > 2 && gates == graph->gates.count && inputs == graph->inputs.count) break;
  }
  return status;
}

/* One round of factoring and, for few gates, of sharing. */
static alea_status compress_once(alea_graph *graph, unsigned what, const alea_net_options *options,
                                 alea_diag *diag) {
  alea_status status = alea_graph_factor(graph);
  if (status == ALEA_OK) status = alea_graph_rebuild(graph, what, diag);
  if (status != ALEA_OK || options->aim != ALEA_NET_FEW_GATES) return status;
  if (alea_deadline_passed(options->deadline)) return ALEA_OK;
  status = alea_graph_share_pairs(graph, options->deadline);
  return status == ALEA_OK ? alea_graph_rebuild(graph, what, diag) : status;
}

/* Rounds while they pay; large networks must gain more for another. */
static alea_status compress(alea_graph *graph, unsigned what, const alea_net_options *options,
                            alea_diag *diag) {
  for (;;) {
    uint64_t before = alea_graph_cost(graph), least = before / (before > LARGE ? 16 : 512);
    alea_status status = compress_once(graph, what, options, diag);
    if (status != ALEA_OK || alea_deadline_passed(options->deadline)) return status;
    if (alea_graph_cost(graph) + least >= before) return ALEA_OK;
  }
}

/* What there is to know about fluents and moves, before it is put to use. */
static alea_status learn(alea_graph *graph, unsigned what, const alea_net_options *options,
                         alea_diag *diag) {
  const unsigned cheap = what & (ALEA_REBUILD_FLATTEN | ALEA_REBUILD_MOVES);
  alea_status status = alea_graph_merge_fluents(graph, cheap, options->deadline);
  if (status == ALEA_OK) status = alea_graph_rebuild(graph, cheap, diag);
  if (status == ALEA_OK && !options->any_move) status = alea_graph_force_moves(graph);
  return status;
}

static alea_status optimise(alea_graph *graph, const alea_net_options *options, alea_diag *diag) {
  unsigned what = ALEA_REBUILD_FLATTEN | ALEA_REBUILD_DEEP;
  if (!options->any_move) what |= ALEA_REBUILD_MOVES;
  alea_status status = learn(graph, what, options, diag);
  if (status == ALEA_OK) status = alea_graph_rebuild(graph, what, diag);
  if (status != ALEA_OK || alea_deadline_passed(options->deadline)) return status;
  if (alea_graph_cost(graph) < LARGE) {
    status = alea_graph_rebuild(graph, what, diag);
  } else if (options->aim == ALEA_NET_FEW_GATES && !options->any_move) {
    status = alea_graph_select(graph, options->deadline);
    if (status == ALEA_OK) status = alea_graph_rebuild(graph, what, diag);
  }
  if (status == ALEA_OK && options->aim == ALEA_NET_FEW_CHANGES)
    status = alea_graph_split_legality(graph);
  if (status == ALEA_OK) status = compress(graph, what, options, diag);
  return status;
}

static alea_status build(alea_graph *graph, const alea_net_options *options, alea_diag *diag) {
  alea_status status = alea_graph_from_ground(graph);
  if (status == ALEA_OK) status = settle(graph, 0, diag);
  if (status == ALEA_OK && !options->plain) status = optimise(graph, options, diag);
  /* Optimising leaves gates behind that nobody reads. */
  if (status == ALEA_OK) status = settle(graph, 0, diag);
  uint32_t limit = options->max_gates != 0 ? options->max_gates : 50000000u;
  if (status == ALEA_OK && graph->gates.count > limit) {
    alea_diag_error(diag, (alea_place){0}, "too-many-gates",
                    "the network needs %zu gates, more than the limit of %u", graph->gates.count,
                    (unsigned)limit);
    return ALEA_LIMIT;
  }
  return status;
}

alea_status alea_net_new(alea_net **net, const alea_ground *ground, const alea_net_options *options,
                         alea_mem *mem, alea_diag *diag) {
  *net = NULL;
  const alea_net_options defaults = {0};
  if (options == NULL) options = &defaults;
  alea_graph graph;
  alea_graph_init(&graph, ground, mem);
  alea_status status = build(&graph, options, diag);
  if (status == ALEA_OK) status = alea_graph_freeze(&graph, net, diag);
  alea_graph_clear(&graph);
  if (status == ALEA_LIMIT && mem->hit_limit && !mem->over)
    alea_diag_error(diag, (alea_place){0}, "out-of-memory",
                    "the network needs more than the %zu bytes allowed", mem->limit);
  return status;
}
