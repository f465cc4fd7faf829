/* Circuits in which equal gates are one. */
#include "symmetry/circuit.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

alea_status alea_circuit_init(alea_circuit *c, uint32_t leaves, alea_mem *mem) {
  *c = (alea_circuit){.mem = mem, .leaves = leaves};
  for (uint32_t i = 0; i <= leaves; i++)
    if (!alea_vec_push(mem, &c->gates, (alea_circuit_gate){.kind = ALEA_CIRCUIT_LEAF}))
      return alea_mem_lack(mem);
  return ALEA_OK;
}

void alea_circuit_clear(alea_circuit *c) {
  if (c->mem == NULL) return;
  alea_vec_clear(c->mem, &c->gates);
  alea_vec_clear(c->mem, &c->inputs);
  alea_vec_clear(c->mem, &c->shapes);
  alea_vec_clear(c->mem, &c->shaped);
  alea_hash_map_clear(&c->map, c->mem);
  alea_hash_map_clear(&c->shape_map, c->mem);
}

/* ---- conjunctions ---- */

static uint64_t hash_of_gate(const void *circuit, uint32_t node) {
  const alea_circuit *c = circuit;
  return alea_hash_u32s(c->inputs.data + c->gates.data[node].first, c->gates.data[node].count);
}

/* A gate over the inputs, which are copied; ALEA_NO_CIRCUIT_LIT without memory. */
static uint32_t push_gate(alea_circuit *c, alea_circuit_kind kind, const uint32_t *lits,
                          uint32_t count) {
  alea_circuit_gate gate = {kind, (uint32_t)c->inputs.count, count};
  if (!alea_vec_reserve(c->mem, &c->inputs, count) || !alea_vec_push(c->mem, &c->gates, gate))
    return ALEA_NO_CIRCUIT_LIT;
  if (count > 0) memcpy(c->inputs.data + c->inputs.count, lits, count * sizeof *lits);
  c->inputs.count += count;
  return 2 * (uint32_t)(c->gates.count - 1);
}

static uint32_t find_and(alea_circuit *c, const uint32_t *lits, uint32_t count) {
  if (!alea_hash_map_reserve(&c->map, c->mem, hash_of_gate, c)) return ALEA_NO_CIRCUIT_LIT;
  alea_hash_probe probe = alea_hash_map_probe(&c->map, alea_hash_u32s(lits, count));
  while (alea_hash_map_next(&c->map, &probe)) {
    const alea_circuit_gate *gate = &c->gates.data[probe.id];
    if (gate->count == count &&
        memcmp(c->inputs.data + gate->first, lits, count * sizeof *lits) == 0)
      return 2 * probe.id;
  }
  uint32_t lit = push_gate(c, ALEA_CIRCUIT_AND, lits, count);
  if (lit != ALEA_NO_CIRCUIT_LIT) alea_hash_map_put(&c->map, probe, lit / 2);
  return lit;
}

uint32_t alea_circuit_gate_of(alea_circuit *c, bool or, uint32_t *lits, uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) lits[i] ^= or ;
  qsort(lits, count, sizeof *lits, by_number);
  for (uint32_t i = 0; i < count; i++) {
    if (lits[i] == 0 || (kept > 0 && lits[kept - 1] == lits[i])) continue;
    if (lits[i] == 1 || (kept > 0 && lits[kept - 1] == (lits[i] ^ 1))) return 1 ^ or ;
    lits[kept++] = lits[i];
  }
  if (kept == 0) return 0 ^ or ;
  if (kept == 1) return lits[0] ^ or ;
  uint32_t lit = find_and(c, lits, kept);
  return lit == ALEA_NO_CIRCUIT_LIT ? lit : lit ^ or ;
}

/* ---- parts with cycles ----
 *
 * Gates of a part that unfold to the same are equal in the least fixpoint, since
 * they are so at every step from below.  A hash of the unfolding proposes which,
 * and the definitions confirm it: gates of one class must have the same kind
 * and, up to classes, the same inputs. */

typedef struct part_classes {
  alea_circuit *circuit;
  const alea_net *net;
  alea_net_cycle part;
  const uint32_t *lits; /* by node of the net, for what is outside */
  uint32_t count;
  uint64_t *shape, *before; /* per gate */
  uint32_t *class;          /* per gate: the first that is like it */
  uint32_t *node;           /* per gate that is first: its node in the circuit */
  alea_u32s definition, other;
} part_classes;

static bool is_inside(const part_classes *p, alea_lit lit) {
  return lit >> 1 >= p->part.first && lit >> 1 <= p->part.last;
}

static const alea_net_gate *gate_at(const part_classes *p, uint32_t i) {
  return &p->net->gates[p->part.first + i - p->net->first_gate];
}

static uint32_t outside_literal(const part_classes *p, alea_lit lit) {
  return p->lits[lit >> 1] ^ (lit & 1);
}

static void hash_once(part_classes *p) {
  memcpy(p->before, p->shape, p->count * sizeof *p->shape);
  for (uint32_t i = 0; i < p->count; i++) {
    const alea_net_gate *gate = gate_at(p, i);
    uint64_t sum = 0;
    for (uint32_t k = 0; k < gate->input_count; k++) {
      alea_lit lit = p->net->inputs.data[gate->first_input + k];
      sum += is_inside(p, lit) ? alea_hash_mix(p->before[(lit >> 1) - p->part.first])
                               : alea_hash_join(1, outside_literal(p, lit));
    }
    p->shape[i] = alea_hash_join(alea_hash_join(2, gate->kind), sum);
  }
}

typedef struct shaped_gate {
  uint64_t shape;
  uint32_t gate;
} shaped_gate;

static int by_shape(const void *x, const void *y) {
  const shaped_gate *a = x, *b = y;
  if (a->shape != b->shape) return a->shape < b->shape ? -1 : 1;
  return a->gate < b->gate ? -1 : a->gate > b->gate;
}

/* Fills in the classes by shape; how many there are, 0 without memory. */
static uint32_t class_by_shape(part_classes *p) {
  shaped_gate *sorted = alea_mem_calloc(p->circuit->mem, p->count, sizeof *sorted);
  uint32_t classes = 0;
  if (sorted == NULL) return 0;
  for (uint32_t i = 0; i < p->count; i++) sorted[i] = (shaped_gate){p->shape[i], i};
  qsort(sorted, p->count, sizeof *sorted, by_shape);
  for (uint32_t i = 0; i < p->count; i++) {
    bool first = i == 0 || sorted[i].shape != sorted[i - 1].shape;
    p->class[sorted[i].gate] = first ? sorted[i].gate : p->class[sorted[i - 1].gate];
    classes += first;
  }
  alea_mem_free(p->circuit->mem, sorted, p->count * sizeof *sorted);
  return classes;
}

/* The inputs of a gate in order: outside as literals, inside as nodes of their
 * classes, or before there are nodes by the numbers of the classes. */
static bool define(const part_classes *p, uint32_t i, alea_u32s *definition) {
  const alea_net_gate *gate = gate_at(p, i);
  definition->count = 0;
  if (!alea_vec_reserve(p->circuit->mem, definition, gate->input_count)) return false;
  for (uint32_t k = 0; k < gate->input_count; k++) {
    alea_lit lit = p->net->inputs.data[gate->first_input + k];
    uint32_t class = is_inside(p, lit) ? p->class[(lit >> 1) - p->part.first] : 0;
    definition->data[definition->count++] =
        is_inside(p, lit) ? 2 * p->node[class] : outside_literal(p, lit);
  }
  qsort(definition->data, definition->count, sizeof *definition->data, by_number);
  size_t kept = 0;
  for (size_t k = 0; k < definition->count; k++)
    if (kept == 0 || definition->data[kept - 1] != definition->data[k])
      definition->data[kept++] = definition->data[k];
  definition->count = kept;
  return true;
}

/* Whether the definitions of each class agree; a number beyond all nodes stands
 * for each class. */
static bool confirm_classes(part_classes *p, bool *good) {
  for (uint32_t i = 0; i < p->count; i++) p->node[i] = (UINT32_MAX >> 1) - i - 1;
  for (uint32_t i = 0; i < p->count; i++) {
    uint32_t first = p->class[i];
    if (first == i) continue;
    *good = define(p, i, &p->definition) && define(p, first, &p->other);
    if (!*good) return false;
    if (gate_at(p, i)->kind != gate_at(p, first)->kind || p->definition.count != p->other.count ||
        memcmp(p->definition.data, p->other.data, p->other.count * sizeof *p->other.data) != 0)
      return false;
  }
  return true;
}

enum { MOST_ROUNDS = 256 };

static bool find_classes(part_classes *p) {
  uint32_t classes = 0;
  for (uint32_t i = 0; i < p->count; i++) p->shape[i] = gate_at(p, i)->kind;
  for (int round = 0; round < MOST_ROUNDS; round++) {
    hash_once(p);
    uint32_t now = class_by_shape(p);
    if (now == 0) return false;
    if (now == classes) break;
    classes = now;
  }
  bool good = true;
  if (!confirm_classes(p, &good))
    for (uint32_t i = 0; i < p->count; i++) p->class[i] = i;
  return good;
}

static uint64_t hash_of_shape(const void *circuit, uint32_t i) {
  return ((const alea_circuit *)circuit)->shapes.data[i];
}

/* Whether there is a part with the same definitions already; then p->node
 * tells where. */
static bool find_part(part_classes *p, bool *good) {
  alea_circuit *c = p->circuit;
  for (uint32_t i = 0; i < p->count; i++) {
    if (p->class[i] != i) continue;
    alea_hash_probe probe = alea_hash_map_probe(&c->shape_map, p->shape[i]);
    bool found = false;
    while (!found && alea_hash_map_next(&c->shape_map, &probe))
      found = c->shapes.data[probe.id] == p->shape[i];
    if (!found) return false;
    p->node[i] = c->shaped.data[probe.id];
  }
  for (uint32_t i = 0; i < p->count; i++) {
    if (p->class[i] != i) continue;
    if (!(*good = define(p, i, &p->definition))) return false;
    const alea_circuit_gate *gate = &c->gates.data[p->node[i]];
    bool or = gate->kind == ALEA_CIRCUIT_CYCLE_OR;
    if (or != (gate_at(p, i)->kind == ALEA_GATE_OR) || gate->count != p->definition.count ||
        memcmp(c->inputs.data + gate->first, p->definition.data,
               gate->count * sizeof *p->definition.data) != 0)
      return false;
  }
  return true;
}

/* Nodes come first, so that definitions can refer to each other. */
static bool make_part(part_classes *p) {
  alea_circuit *c = p->circuit;
  for (uint32_t i = 0; i < p->count; i++) {
    if (p->class[i] != i) continue;
    uint32_t lit = push_gate(c, ALEA_CIRCUIT_CYCLE_AND, NULL, 0);
    if (lit == ALEA_NO_CIRCUIT_LIT) return false;
    p->node[i] = lit / 2;
    if (!alea_hash_map_reserve(&c->shape_map, c->mem, hash_of_shape, c) ||
        !alea_vec_push(c->mem, &c->shapes, p->shape[i]) ||
        !alea_vec_push(c->mem, &c->shaped, p->node[i]))
      return false;
    alea_hash_map_add(&c->shape_map, p->shape[i], (uint32_t)c->shapes.count - 1);
  }
  for (uint32_t i = 0; i < p->count; i++) {
    if (p->class[i] != i) continue;
    if (!define(p, i, &p->definition) || !alea_vec_reserve(c->mem, &c->inputs, p->definition.count))
      return false;
    bool or = gate_at(p, i)->kind == ALEA_GATE_OR;
    c->gates.data[p->node[i]] =
        (alea_circuit_gate){ or ? ALEA_CIRCUIT_CYCLE_OR : ALEA_CIRCUIT_CYCLE_AND,
                             (uint32_t)c->inputs.count, (uint32_t)p->definition.count};
    memcpy(c->inputs.data + c->inputs.count, p->definition.data,
           p->definition.count * sizeof *p->definition.data);
    c->inputs.count += p->definition.count;
  }
  return true;
}

bool alea_circuit_add_part(alea_circuit *c, const alea_net *net, alea_net_cycle part,
                           uint32_t *lits) {
  part_classes p = {.circuit = c, .net = net, .part = part, .lits = lits};
  p.count = part.last - part.first + 1;
  p.shape = alea_mem_calloc(c->mem, p.count, sizeof *p.shape);
  p.before = alea_mem_calloc(c->mem, p.count, sizeof *p.before);
  p.class = alea_mem_calloc(c->mem, p.count, sizeof *p.class);
  p.node = alea_mem_calloc(c->mem, p.count, sizeof *p.node);
  bool good =
      p.shape != NULL && p.before != NULL && p.class != NULL && p.node != NULL && find_classes(&p);
  if (good && !find_part(&p, &good) && good) good = make_part(&p);
  for (uint32_t i = 0; good && i < p.count; i++) lits[part.first + i] = 2 * p.node[p.class[i]];
  alea_mem_free(c->mem, p.shape, p.count * sizeof *p.shape);
  alea_mem_free(c->mem, p.before, p.count * sizeof *p.before);
  alea_mem_free(c->mem, p.class, p.count * sizeof *p.class);
  alea_mem_free(c->mem, p.node, p.count * sizeof *p.node);
  alea_vec_clear(c->mem, &p.definition);
  alea_vec_clear(c->mem, &p.other);
  return good;
}
