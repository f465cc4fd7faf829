/* The invariants of a frozen net, and its direct evaluation. */
#include <assert.h>
#include <string.h>

#include "base/hash.h"
#include "base/hash_map.h"
#include "propnet/propnet.h"

static uint8_t value_of(const uint8_t *values, alea_lit lit) {
  return values[lit >> 1] ^ (uint8_t)(lit & 1);
}

static uint8_t gate_value(const alea_net *net, uint32_t node, const uint8_t *values) {
  const alea_net_gate *g = &net->gates[node - net->first_gate];
  const uint8_t stop = g->kind == ALEA_GATE_OR;
  for (uint32_t i = 0; i < g->input_count; i++)
    if (value_of(values, net->inputs.data[g->first_input + i]) == stop) return stop;
  return stop ^ 1;
}

/* Least fixpoint of a part: from all false upward until nothing changes. */
static void evaluate_cycle(const alea_net *net, alea_net_cycle cycle, uint8_t *values) {
  memset(values + cycle.first, 0, cycle.last - cycle.first + 1);
  bool changed = true;
  while (changed) {
    changed = false;
    for (uint32_t node = cycle.first; node <= cycle.last; node++) {
      if (values[node] != 0 || gate_value(net, node, values) == 0) continue;
      values[node] = 1;
      changed = true;
    }
  }
}

void alea_net_evaluate(const alea_net *net, uint8_t *values) {
  size_t cycle = 0;
  values[0] = 1;
  for (uint32_t node = net->first_gate; node < net->first_gate + net->gate_count; node++) {
    if (cycle < net->cycles.count && net->cycles.data[cycle].first == node) {
      evaluate_cycle(net, net->cycles.data[cycle], values);
      node = net->cycles.data[cycle++].last;
    } else {
      values[node] = gate_value(net, node, values);
    }
  }
}

#ifdef NDEBUG
#undef assert
#define assert(condition) ((condition) ? (void)0 : __builtin_trap())
#endif

static void check_root(const alea_net *net, alea_lit lit, bool moves_allowed) {
  uint32_t node = lit >> 1;
  assert(node < net->first_gate + net->gate_count);
  if (moves_allowed) return;
  assert(node <= net->fluent_count ||
         (node >= net->first_gate && node < net->phase_end[ALEA_PHASE_GOAL]));
}

static void check_roots(const alea_net *net) {
  for (uint32_t i = 0; i < net->move_count; i++) check_root(net, net->legal[i], false);
  check_root(net, net->terminal, false);
  for (size_t i = 0; i < net->goals.count; i++) {
    check_root(net, net->goals.data[i].lit, false);
    assert(i == 0 || net->goals.data[i - 1].role <= net->goals.data[i].role);
  }
  for (uint32_t i = 0; i < net->fluent_count; i++) check_root(net, net->next[i], true);
  for (size_t i = 0; i < net->percepts.count; i++) {
    check_root(net, net->percepts.data[i].lit, true);
    assert(i == 0 || net->percepts.data[i - 1].role <= net->percepts.data[i].role);
  }
}

static uint32_t phase_of(const alea_net *net, uint32_t node) {
  uint32_t phase = 0;
  while (node >= net->phase_end[phase]) phase++;
  return phase;
}

/* Inputs of one gate; 'part' is its part, a single node where it has no cycle. */
static void check_gate(const alea_net *net, uint32_t node, alea_net_cycle part) {
  const alea_net_gate *g = &net->gates[node - net->first_gate];
  assert(g->input_count >= 2);
  assert((size_t)g->first_input + g->input_count <= net->inputs.count);
  uint32_t phase = phase_of(net, node);
  for (uint32_t i = 0; i < g->input_count; i++) {
    alea_lit lit = net->inputs.data[g->first_input + i];
    assert(lit > ALEA_LIT_FALSE);
    if (i > 0) assert(net->inputs.data[g->first_input + i - 1] >> 1 < lit >> 1);
    uint32_t input = lit >> 1;
    if (input < net->first_gate) {
      assert(input <= net->fluent_count || phase >= ALEA_PHASE_NEXT);
    } else if (input >= part.first && input <= part.last) {
      assert((lit & 1) == 0);
    } else {
      assert(input < part.first);
      uint32_t from = phase_of(net, input);
      assert(from == ALEA_PHASE_STATE || from == phase ||
             (from == ALEA_PHASE_NEXT && phase == ALEA_PHASE_SEES));
    }
  }
}

static void check_gates(const alea_net *net) {
  size_t cycle = 0;
  for (uint32_t node = net->first_gate; node < net->first_gate + net->gate_count; node++) {
    if (cycle < net->cycles.count && node > net->cycles.data[cycle].last) cycle++;
    alea_net_cycle part = {node, node};
    if (cycle < net->cycles.count && node >= net->cycles.data[cycle].first)
      part = net->cycles.data[cycle];
    check_gate(net, node, part);
  }
}

/* No two gates with the same kind and inputs. */
static void check_distinct(const alea_net *net) {
  alea_hash_map map;
  if (!alea_hash_map_init(&map, net->mem, net->gate_count)) return;
  for (uint32_t k = 0; k < net->gate_count; k++) {
    const alea_net_gate *g = &net->gates[k];
    const alea_lit *inputs = net->inputs.data + g->first_input;
    uint64_t hash = alea_hash_u32s(inputs, g->input_count) + g->kind;
    alea_hash_probe probe = alea_hash_map_probe(&map, hash);
    while (alea_hash_map_next(&map, &probe)) {
      const alea_net_gate *other = &net->gates[probe.id];
      assert(other->kind != g->kind || other->input_count != g->input_count ||
             memcmp(net->inputs.data + other->first_input, inputs,
                    g->input_count * sizeof *inputs) != 0);
      (void)other;
    }
    alea_hash_map_put(&map, probe, k);
  }
  alea_hash_map_clear(&map, net->mem);
}

static void mark(uint8_t *alive, alea_lit lit) { alive[lit >> 1] = 1; }

static void check_alive(const alea_net *net) {
  size_t nodes = net->first_gate + net->gate_count;
  uint8_t *alive = alea_mem_calloc(net->mem, nodes, 1);
  if (alive == NULL) return;
  for (uint32_t i = 0; i < net->move_count; i++) mark(alive, net->legal[i]);
  for (uint32_t i = 0; i < net->fluent_count; i++) mark(alive, net->next[i]);
  for (size_t i = 0; i < net->goals.count; i++) mark(alive, net->goals.data[i].lit);
  for (size_t i = 0; i < net->percepts.count; i++) mark(alive, net->percepts.data[i].lit);
  mark(alive, net->terminal);
  size_t cycle = net->cycles.count;
  for (size_t node = nodes; node-- > net->first_gate;) {
    /* A part lives when one of its gates does. */
    if (cycle > 0 && node == net->cycles.data[cycle - 1].last) {
      alea_net_cycle part = net->cycles.data[--cycle];
      bool any = false;
      for (uint32_t k = part.first; k <= part.last; k++) any = any || alive[k];
      memset(alive + part.first, any, part.last - part.first + 1);
    }
    assert(alive[node]);
    const alea_net_gate *g = &net->gates[node - net->first_gate];
    for (uint32_t i = 0; i < g->input_count; i++) mark(alive, net->inputs.data[g->first_input + i]);
  }
  alea_mem_free(net->mem, alive, nodes);
}

void alea_net_check(const alea_net *net) {
  assert(net->first_gate == 1 + net->fluent_count + net->move_count);
  assert(net->move_first[0] == 0 && net->move_first[net->role_count] == net->move_count);
  assert(net->phase_end[ALEA_PHASE_SEES] == net->first_gate + net->gate_count);
  check_roots(net);
  check_gates(net);
  check_distinct(net);
  check_alive(net);
}
