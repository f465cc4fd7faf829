/* Equality of literals of a circuit, by diagrams and by clauses. */
#include "symmetry/equivalence.h"

#include <stdlib.h>

#define UNKNOWN_EDGE (ALEA_BDD_NO_EDGE - 1)
enum { MOST_DIAGRAM_NODES = 1 << 22 };
static const uint64_t MOST_STEPS = 4000000; /* of one question */

/* ---- diagrams ---- */

static bool grow_edges(alea_equivalence *e) {
  while (e->edges.count < e->circuit->gates.count)
    if (!alea_vec_push(e->mem, &e->edges, UNKNOWN_EDGE)) return false;
  return true;
}

static alea_bdd_edge edge_of_gate(alea_equivalence *e, uint32_t node) {
  const alea_circuit_gate *gate = &e->circuit->gates.data[node];
  if (node == 0) return ALEA_BDD_EDGE_TRUE;
  if (gate->kind == ALEA_CIRCUIT_LEAF)
    return e->rank[node] != 0 ? alea_bdd_variable(&e->bdd, e->rank[node]) : ALEA_BDD_NO_EDGE;
  if (gate->kind != ALEA_CIRCUIT_AND) return ALEA_BDD_NO_EDGE;
  alea_bdd_edge edge = ALEA_BDD_EDGE_TRUE;
  for (uint32_t i = 0; i < gate->count && edge != ALEA_BDD_NO_EDGE; i++) {
    uint32_t lit = e->circuit->inputs.data[gate->first + i];
    alea_bdd_edge input = e->edges.data[lit >> 1];
    edge = alea_bdd_and(&e->bdd, edge, input == ALEA_BDD_NO_EDGE ? input : input ^ (lit & 1));
  }
  return edge;
}

/* The longest way down to a leaf; cycles count as leaves. */
static void find_depths(const alea_circuit *c, uint32_t *depths) {
  for (size_t node = 0; node < c->gates.count; node++) {
    const alea_circuit_gate *gate = &c->gates.data[node];
    for (uint32_t i = 0; gate->kind == ALEA_CIRCUIT_AND && i < gate->count; i++) {
      uint32_t depth = depths[c->inputs.data[gate->first + i] >> 1] + 1;
      if (depth > depths[node]) depths[node] = depth;
    }
  }
}

static int deepest_first(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x > y ? -1 : x < y;
}

typedef struct leaf_order {
  alea_equivalence *equivalence;
  uint32_t *depths; /* per node; UINT32_MAX once it was met */
  alea_u64s inputs; /* scratch: depth and node */
} leaf_order;

/* Depth first, shallow inputs before deep ones: of a sum that grows step by
 * step the last summand is decided first, so that the diagrams of all partial
 * sums are parts of the last. */
static bool meet_leaves(leaf_order *o, uint32_t root) {
  alea_equivalence *e = o->equivalence;
  e->todo.count = 0;
  if (!alea_vec_push(e->mem, &e->todo, root)) return false;
  while (e->todo.count > 0) {
    uint32_t node = e->todo.data[--e->todo.count];
    const alea_circuit_gate *gate = &e->circuit->gates.data[node];
    if (o->depths[node] == UINT32_MAX) continue;
    o->depths[node] = UINT32_MAX;
    if (gate->kind == ALEA_CIRCUIT_LEAF && node > 0 && e->ranks + 1 < ALEA_BDD_MOST_VARIABLES)
      e->rank[node] = ++e->ranks;
    o->inputs.count = 0;
    for (uint32_t i = 0; i < gate->count; i++) {
      uint32_t input = e->circuit->inputs.data[gate->first + i] >> 1;
      if (!alea_vec_push(e->mem, &o->inputs, (uint64_t)o->depths[input] << 32 | input))
        return false;
    }
    if (o->inputs.count > 1)
      qsort(o->inputs.data, o->inputs.count, sizeof *o->inputs.data, deepest_first);
    for (size_t i = 0; i < o->inputs.count; i++)
      if (!alea_vec_push(e->mem, &e->todo, (uint32_t)o->inputs.data[i])) return false;
  }
  return true;
}

alea_status alea_equivalence_order(alea_equivalence *e, const uint32_t *lits, size_t count) {
  size_t nodes = e->circuit->gates.count;
  leaf_order o = {e, alea_mem_calloc(e->mem, nodes, sizeof *o.depths), {0}};
  bool good = o.depths != NULL;
  if (good) find_depths(e->circuit, o.depths);
  for (size_t i = 0; good && i < count; i++) good = meet_leaves(&o, lits[i] >> 1);
  alea_mem_free(e->mem, o.depths, nodes * sizeof *o.depths);
  alea_vec_clear(e->mem, &o.inputs);
  return good ? ALEA_OK : alea_mem_lack(e->mem);
}

/* Inputs of conjunctions have smaller numbers, so the stack only goes down. */
static alea_status find_edge(alea_equivalence *e, uint32_t root, alea_bdd_edge *edge) {
  if (!grow_edges(e) || !alea_vec_push(e->mem, &e->todo, root)) return alea_mem_lack(e->mem);
  while (e->todo.count > 0) {
    uint32_t node = e->todo.data[e->todo.count - 1];
    const alea_circuit_gate *gate = &e->circuit->gates.data[node];
    size_t before = e->todo.count;
    for (uint32_t i = 0; gate->kind == ALEA_CIRCUIT_AND && i < gate->count; i++) {
      uint32_t input = e->circuit->inputs.data[gate->first + i] >> 1;
      if (e->edges.data[input] == UNKNOWN_EDGE && !alea_vec_push(e->mem, &e->todo, input))
        return alea_mem_lack(e->mem);
    }
    if (e->todo.count > before) continue;
    e->todo.count--;
    if (e->edges.data[node] == UNKNOWN_EDGE) e->edges.data[node] = edge_of_gate(e, node);
  }
  *edge = e->edges.data[root];
  return ALEA_OK;
}

static alea_status ask_diagrams(alea_equivalence *e, uint32_t a, uint32_t b, bool *equal,
                                bool *decided) {
  alea_bdd_edge x = ALEA_BDD_NO_EDGE, y = ALEA_BDD_NO_EDGE;
  e->bdd.steps = MOST_STEPS;
  e->todo.count = 0;
  alea_status status = find_edge(e, a >> 1, &x);
  if (status == ALEA_OK && x != ALEA_BDD_NO_EDGE) status = find_edge(e, b >> 1, &y);
  *decided = status == ALEA_OK && y != ALEA_BDD_NO_EDGE;
  *equal = *decided && (x ^ (a & 1)) == (y ^ (b & 1));
  return status;
}

/* ---- clauses ---- */

static bool grow_variables(alea_equivalence *e) {
  while (e->variables.count < e->circuit->gates.count)
    if (!alea_vec_push(e->mem, &e->variables, 0)) return false;
  return true;
}

static alea_slit variable_of(alea_equivalence *e, uint32_t node) {
  if (e->variables.data[node] == 0) {
    e->variables.data[node] = node == 0 ? ALEA_SLIT_TRUE : alea_sat_variable(&e->sat);
    if (e->circuit->gates.data[node].kind != ALEA_CIRCUIT_LEAF &&
        !alea_vec_push(e->mem, &e->todo, node))
      return 0;
  }
  return e->variables.data[node];
}

static bool define_gate(alea_equivalence *e, uint32_t node) {
  const alea_circuit_gate *gate = &e->circuit->gates.data[node];
  e->lits.count = 0;
  if (!alea_vec_reserve(e->mem, &e->lits, gate->count)) return false;
  for (uint32_t i = 0; i < gate->count; i++) {
    uint32_t lit = e->circuit->inputs.data[gate->first + i];
    alea_slit variable = variable_of(e, lit >> 1);
    if (variable == 0) return false;
    e->lits.data[e->lits.count++] = lit & 1 ? -variable : variable;
  }
  alea_sat_define(&e->sat, e->variables.data[node], gate->kind == ALEA_CIRCUIT_CYCLE_OR,
                  e->lits.data, e->lits.count);
  return true;
}

alea_slit alea_equivalence_literal(alea_equivalence *e, uint32_t lit) {
  e->todo.count = 0;
  if (!grow_variables(e)) return 0;
  alea_slit variable = variable_of(e, lit >> 1);
  while (variable != 0 && e->todo.count > 0)
    if (!define_gate(e, e->todo.data[--e->todo.count])) return 0;
  return lit & 1 ? -variable : variable;
}

static alea_status ask_clauses(alea_equivalence *e, uint32_t a, uint32_t b, alea_slit given,
                               uint64_t conflicts, bool *equal) {
  alea_slit x = alea_equivalence_literal(e, a), y = x != 0 ? alea_equivalence_literal(e, b) : 0;
  if (y == 0) return alea_mem_lack(e->mem);
  *equal = !alea_sat_full(&e->sat);
  for (int way = 0; way < 2 && *equal; way++) {
    alea_sat_assume(&e->sat, given);
    alea_sat_assume(&e->sat, way == 0 ? x : -x);
    alea_sat_assume(&e->sat, way == 0 ? -y : y);
    *equal = alea_sat_solve(&e->sat, conflicts) == ALEA_VERDICT_REFUTED;
  }
  return ALEA_OK;
}

/* ---- the object ---- */

alea_status alea_equivalence_init(alea_equivalence *e, const alea_circuit *circuit,
                                  const alea_deadline *deadline, alea_mem *mem) {
  *e = (alea_equivalence){.mem = mem, .circuit = circuit, .deadline = deadline};
  e->rank = alea_mem_calloc(mem, circuit->leaves + (size_t)1, sizeof *e->rank);
  if (e->rank == NULL) return alea_mem_lack(mem);
  if (!alea_bdd_init(&e->bdd, MOST_DIAGRAM_NODES, mem)) return alea_mem_lack(mem);
  if (!alea_sat_init(&e->sat, ALEA_SAT_SHORT, 0)) return ALEA_SYSTEM;
  e->sat.deadline = deadline;
  return ALEA_OK;
}

void alea_equivalence_clear(alea_equivalence *e) {
  if (e->mem == NULL) return;
  alea_bdd_clear(&e->bdd);
  alea_sat_clear(&e->sat);
  alea_mem_free(e->mem, e->rank, (e->circuit->leaves + (size_t)1) * sizeof *e->rank);
  alea_vec_clear(e->mem, &e->edges);
  alea_vec_clear(e->mem, &e->variables);
  alea_vec_clear(e->mem, &e->lits);
  alea_vec_clear(e->mem, &e->todo);
}

alea_status alea_equivalence_ask(alea_equivalence *e, uint32_t a, uint32_t b, alea_slit given,
                                 const alea_equivalence_limits *limits, bool *equal) {
  bool decided = *equal = a == b;
  if (*equal) return ALEA_OK;
  alea_status status = ask_diagrams(e, a, b, equal, &decided);
  e->by_diagram += *equal;
  if (status != ALEA_OK || *equal || (decided && limits->diagrams_decide) ||
      alea_deadline_passed(e->deadline))
    return status;
  status = ask_clauses(e, a, b, given, limits->conflicts, equal);
  e->by_clauses += *equal;
  e->undecided += !*equal;
  return status;
}
