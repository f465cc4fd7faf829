/* Cyclic parts of an unrolled network: constants when a stage is made, loop
 * formulas when a model needs them. */
#include <string.h>

#include "unroll/core.h"

typedef enum belief { SURE, POSSIBLE, MODEL } belief; /* which literals outside a part count */

static bool holds(const alea_unroll *u, alea_slit lit, belief from) {
  if (from == SURE) return lit == ALEA_SLIT_TRUE;
  if (from == POSSIBLE) return lit != ALEA_SLIT_FALSE;
  return alea_sat_value(&u->sat, lit);
}

static const alea_net_gate *gate_at(const alea_unroll *u, uint32_t node) {
  return &u->net->gates[node - u->net->first_gate];
}

static bool inside(const alea_net_cycle *cycle, alea_lit lit) {
  return (lit >> 1) >= cycle->first && (lit >> 1) <= cycle->last;
}

/* ---- readers ---- */

/* Counts the inner edges, or with 'writing' stores them. */
static void walk_edges(alea_unroll *u, bool writing) {
  for (size_t p = 0; p < u->net->cycles.count; p++) {
    const alea_net_cycle *cycle = &u->net->cycles.data[p];
    for (uint32_t node = cycle->first; node <= cycle->last; node++) {
      const alea_net_gate *gate = gate_at(u, node);
      for (uint32_t i = 0; i < gate->input_count; i++) {
        alea_lit lit = u->net->inputs.data[gate->first_input + i];
        if (!inside(cycle, lit)) continue;
        uint32_t member = u->part_first[p] + (lit >> 1) - cycle->first;
        if (writing) u->readers[u->reader_first[member]] = u->part_first[p] + node - cycle->first;
        u->reader_first[member]++;
      }
    }
  }
}

static alea_status make_readers(alea_unroll *u) {
  walk_edges(u, false);
  for (uint32_t m = 0; m < u->member_count; m++) {
    uint32_t count = u->reader_first[m];
    u->reader_first[m] = u->reader_count;
    u->reader_count += count;
  }
  u->readers = alea_mem_calloc(u->mem, u->reader_count, sizeof *u->readers);
  if (u->readers == NULL) return unroll_no_memory(u->mem);
  walk_edges(u, true);
  /* Writing moved each start to the next one's place. */
  memmove(u->reader_first + 1, u->reader_first, u->member_count * sizeof *u->reader_first);
  u->reader_first[0] = 0;
  return ALEA_OK;
}

alea_status unroll_loops_init(alea_unroll *u) {
  size_t parts = u->net->cycles.count;
  if (parts == 0) return ALEA_OK;
  u->part_first = alea_mem_calloc(u->mem, parts, sizeof *u->part_first);
  if (u->part_first == NULL) return unroll_no_memory(u->mem);
  for (size_t p = 0; p < parts; p++) {
    u->part_first[p] = u->member_count;
    u->member_count += u->net->cycles.data[p].last - u->net->cycles.data[p].first + 1;
  }
  u->reader_first = alea_mem_calloc(u->mem, u->member_count + (size_t)1, sizeof *u->reader_first);
  u->missing = alea_mem_calloc(u->mem, u->member_count, sizeof *u->missing);
  if (u->reader_first == NULL || u->missing == NULL) return unroll_no_memory(u->mem);
  return make_readers(u);
}

void unroll_loops_clear(alea_unroll *u) {
  alea_mem_free(u->mem, u->part_first, u->net->cycles.count * sizeof *u->part_first);
  alea_mem_free(u->mem, u->reader_first, (u->member_count + (size_t)1) * sizeof *u->reader_first);
  alea_mem_free(u->mem, u->missing, u->member_count * sizeof *u->missing);
  alea_mem_free(u->mem, u->readers, u->reader_count * sizeof *u->readers);
  alea_vec_clear(u->mem, &u->queue);
  alea_vec_clear(u->mem, &u->loops);
  alea_vec_clear(u->mem, &u->loop_nodes);
  alea_vec_clear(u->mem, &u->loop_supports);
}

/* ---- derivation ---- */

/* Inputs of the gate that must still come to hold, with no member derived. */
static uint32_t count_missing(const alea_unroll *u, const unroll_layer *layer,
                              const alea_net_cycle *cycle, uint32_t node, belief from) {
  const alea_net_gate *gate = gate_at(u, node);
  uint32_t holding = 0;
  for (uint32_t i = 0; i < gate->input_count; i++) {
    alea_lit lit = u->net->inputs.data[gate->first_input + i];
    holding += !inside(cycle, lit) && holds(u, unroll_layer_lit(layer, lit), from);
  }
  if (gate->kind == ALEA_GATE_AND) return gate->input_count - holding;
  return holding > 0 ? 0 : 1;
}

/* Derives the members of a part: missing[m] is 0 for those that follow. */
static bool derive(alea_unroll *u, const unroll_layer *layer, size_t part, belief from) {
  const alea_net_cycle *cycle = &u->net->cycles.data[part];
  uint32_t first = u->part_first[part];
  u->queue.count = 0;
  for (uint32_t node = cycle->first; node <= cycle->last; node++) {
    uint32_t member = first + node - cycle->first;
    u->missing[member] = count_missing(u, layer, cycle, node, from);
    if (u->missing[member] == 0 && !alea_vec_push(u->mem, &u->queue, member)) return false;
  }
  for (size_t i = 0; i < u->queue.count; i++) {
    uint32_t member = u->queue.data[i];
    for (uint32_t k = u->reader_first[member]; k < u->reader_first[member + 1]; k++) {
      uint32_t reader = u->readers[k];
      if (u->missing[reader] == 0 || --u->missing[reader] > 0) continue;
      if (!alea_vec_push(u->mem, &u->queue, reader)) return false;
    }
  }
  return true;
}

/* ---- loop formulas ---- */

static bool is_member(const alea_unroll *u, const unroll_loop *loop, uint32_t node) {
  /* Members are ascending. */
  uint32_t low = loop->first, high = loop->first + loop->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (u->loop_nodes.data[middle] < node) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < loop->first + loop->count && u->loop_nodes.data[low] == node;
}

/* An OR gate can be supported from outside the set; an AND gate cannot, for
 * one of its inputs is a member. */
static alea_status find_supports(alea_unroll *u, unroll_loop *loop) {
  loop->first_support = (uint32_t)u->loop_supports.count;
  for (uint32_t i = 0; i < loop->count; i++) {
    const alea_net_gate *gate = gate_at(u, u->loop_nodes.data[loop->first + i]);
    if (gate->kind == ALEA_GATE_AND) continue;
    for (uint32_t k = 0; k < gate->input_count; k++) {
      alea_lit lit = u->net->inputs.data[gate->first_input + k];
      if ((lit & 1) == 0 && is_member(u, loop, lit >> 1)) continue;
      if (!alea_vec_push(u->mem, &u->loop_supports, lit)) return unroll_no_memory(u->mem);
    }
  }
  loop->support_count = (uint32_t)u->loop_supports.count - loop->first_support;
  return ALEA_OK;
}

static alea_status add_formula(alea_unroll *u, const unroll_layer *layer, const unroll_loop *loop) {
  u->scratch.count = 0;
  if (!alea_vec_reserve(u->mem, &u->scratch, loop->support_count)) return unroll_no_memory(u->mem);
  for (uint32_t i = 0; i < loop->support_count; i++) {
    alea_lit lit = u->loop_supports.data[loop->first_support + i];
    u->scratch.data[i] = unroll_layer_lit(layer, lit);
  }
  alea_slit some = alea_sat_gate(&u->sat, true, u->scratch.data, loop->support_count);
  for (uint32_t i = 0; i < loop->count; i++)
    alea_sat_clause2(&u->sat, -layer->lits[u->loop_nodes.data[loop->first + i]], some);
  return ALEA_OK;
}

/* Remembers the members of a part that hold in the model and do not follow. */
static alea_status find_loop(alea_unroll *u, const unroll_layer *layer, size_t part) {
  const alea_net_cycle *cycle = &u->net->cycles.data[part];
  unroll_loop loop = {.part = (uint32_t)part, .first = (uint32_t)u->loop_nodes.count};
  if (!derive(u, layer, part, MODEL)) return unroll_no_memory(u->mem);
  for (uint32_t node = cycle->first; node <= cycle->last; node++) {
    if (u->missing[u->part_first[part] + node - cycle->first] == 0) continue;
    if (!alea_sat_value(&u->sat, layer->lits[node])) continue;
    if (!alea_vec_push(u->mem, &u->loop_nodes, node)) return unroll_no_memory(u->mem);
    loop.count++;
  }
  if (loop.count == 0) return ALEA_OK;
  alea_status status = find_supports(u, &loop);
  if (status == ALEA_OK && !alea_vec_push(u->mem, &u->loops, loop)) return unroll_no_memory(u->mem);
  return status;
}

static alea_status add_everywhere(alea_unroll *u, const unroll_loop *loop) {
  alea_status status = ALEA_OK;
  for (size_t t = 0; status == ALEA_OK && t < u->layers.count; t++) {
    const unroll_layer *layer = &u->layers.data[t];
    if (layer->lits[u->net->cycles.data[loop->part].first] != 0)
      status = add_formula(u, layer, loop);
  }
  return status;
}

alea_status unroll_loops_test(alea_unroll *u, bool *found) {
  size_t known = u->loops.count;
  alea_status status = ALEA_OK;
  *found = false;
  /* All of the model is read before a clause is added, which ends it. */
  for (size_t t = 0; t < u->layers.count; t++) {
    const unroll_layer *layer = &u->layers.data[t];
    for (size_t p = 0; status == ALEA_OK && p < u->net->cycles.count; p++)
      if (layer->lits[u->net->cycles.data[p].first] != 0) status = find_loop(u, layer, p);
  }
  *found = u->loops.count > known;
  for (size_t i = known; status == ALEA_OK && i < u->loops.count; i++)
    status = add_everywhere(u, &u->loops.data[i]);
  return status;
}

/* ---- making a part ---- */

/* Constants, and new variables for the rest. */
static bool place_members(alea_unroll *u, unroll_layer *layer, size_t part) {
  const alea_net_cycle *cycle = &u->net->cycles.data[part];
  if (!derive(u, layer, part, POSSIBLE)) return false;
  for (uint32_t node = cycle->first; node <= cycle->last; node++) {
    bool possible = u->missing[u->part_first[part] + node - cycle->first] == 0;
    layer->lits[node] = possible ? 0 : ALEA_SLIT_FALSE;
  }
  if (!derive(u, layer, part, SURE)) return false;
  for (uint32_t node = cycle->first; node <= cycle->last; node++) {
    if (layer->lits[node] != 0) continue;
    bool sure = u->missing[u->part_first[part] + node - cycle->first] == 0;
    layer->lits[node] = sure ? ALEA_SLIT_TRUE : alea_sat_variable(&u->sat);
  }
  return true;
}

alea_status unroll_loops_encode(alea_unroll *u, unroll_layer *layer, size_t part) {
  const alea_net_cycle *cycle = &u->net->cycles.data[part];
  if (!place_members(u, layer, part)) return unroll_no_memory(u->mem);
  for (uint32_t node = cycle->first; node <= cycle->last; node++) {
    const alea_net_gate *gate = gate_at(u, node);
    alea_slit lit = layer->lits[node];
    if (lit == ALEA_SLIT_TRUE || lit == ALEA_SLIT_FALSE) continue;
    u->scratch.count = 0;
    if (!alea_vec_reserve(u->mem, &u->scratch, gate->input_count)) return unroll_no_memory(u->mem);
    for (uint32_t i = 0; i < gate->input_count; i++)
      u->scratch.data[i] = unroll_layer_lit(layer, u->net->inputs.data[gate->first_input + i]);
    alea_sat_define(&u->sat, lit, gate->kind == ALEA_GATE_OR, u->scratch.data, gate->input_count);
  }
  alea_status status = ALEA_OK;
  for (size_t i = 0; status == ALEA_OK && i < u->loops.count; i++)
    if (u->loops.data[i].part == part) status = add_formula(u, layer, &u->loops.data[i]);
  return status;
}
