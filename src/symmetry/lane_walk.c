/* Random plays of a network, 64 side by side. */
#include "symmetry/lane_walk.h"

#include <string.h>

/* ---- gates ---- */

static uint64_t gate_value(const alea_net *net, uint32_t node, const uint64_t *values) {
  const alea_net_gate *gate = &net->gates[node - net->first_gate];
  const alea_lit *inputs = net->inputs.data + gate->first_input;
  uint64_t value = alea_lane_value(values, inputs[0]);
  if (gate->kind == ALEA_GATE_AND)
    for (uint32_t i = 1; i < gate->input_count; i++) value &= alea_lane_value(values, inputs[i]);
  else
    for (uint32_t i = 1; i < gate->input_count; i++) value |= alea_lane_value(values, inputs[i]);
  return value;
}

/* The least fixpoint of a part, from below. */
static void evaluate_part(const alea_net *net, alea_net_cycle part, uint64_t *values) {
  for (uint32_t k = part.first; k <= part.last; k++) values[k] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t k = part.first; k <= part.last; k++) {
      uint64_t value = gate_value(net, k, values);
      changed |= value != values[k];
      values[k] = value;
    }
  }
}

void alea_lane_evaluate(const alea_net *net, alea_net_phase first, alea_net_phase last,
                        uint64_t *values) {
  uint32_t node = first == ALEA_PHASE_STATE ? net->first_gate : net->phase_end[first - 1];
  size_t part = 0;
  while (part < net->cycles.count && net->cycles.data[part].first < node) part++;
  while (node < net->phase_end[last]) {
    if (part < net->cycles.count && net->cycles.data[part].first == node) {
      evaluate_part(net, net->cycles.data[part], values);
      node = net->cycles.data[part++].last + 1;
    } else {
      values[node] = gate_value(net, node, values);
      node++;
    }
  }
}

/* ---- plays ---- */

static void start_again(alea_lane_walk *w, uint64_t plays) {
  for (uint32_t f = 0; f < w->net->fluent_count; f++)
    w->values[1 + f] = (w->values[1 + f] & ~plays) | (w->net->init[f] ? plays : 0);
}

alea_status alea_lane_walk_init(alea_lane_walk *w, const alea_net *net, uint64_t seed,
                                alea_mem *mem) {
  *w = (alea_lane_walk){.mem = mem, .net = net};
  w->values = alea_mem_calloc(mem, net->first_gate + (size_t)net->gate_count, sizeof *w->values);
  w->kept = alea_mem_calloc(mem, net->fluent_count, sizeof *w->kept);
  if (w->values == NULL || w->kept == NULL) return alea_mem_lack(mem);
  alea_rng_seed(&w->rng, seed);
  w->values[0] = ~(uint64_t)0;
  start_again(w, ~(uint64_t)0);
  return ALEA_OK;
}

void alea_lane_walk_clear(alea_lane_walk *w) {
  if (w->net == NULL) return;
  alea_mem_free(w->mem, w->values,
                (w->net->first_gate + (size_t)w->net->gate_count) * sizeof *w->values);
  alea_mem_free(w->mem, w->kept, w->net->fluent_count * sizeof *w->kept);
}

/* A legal move for each play, each with the same chance: the k-th that is met
 * replaces the one before with chance 1/k. */
static void choose(alea_lane_walk *w, uint32_t role) {
  const alea_net *net = w->net;
  uint32_t met[64] = {0}, chosen[64] = {0};
  uint64_t *made = w->values + 1 + net->fluent_count;
  for (uint32_t m = net->move_first[role]; m < net->move_first[role + 1]; m++) {
    made[m] = 0;
    uint64_t legal = alea_lane_value(w->values, net->legal[m]) & ~w->ended;
    for (; legal != 0; legal &= legal - 1) {
      unsigned play = (unsigned)__builtin_ctzll(legal);
      if (alea_rng_below(&w->rng, ++met[play]) == 0) chosen[play] = m;
    }
  }
  for (unsigned play = 0; play < 64; play++) {
    if (met[play] == 0)
      w->ended |= (uint64_t)1 << play;
    else
      made[chosen[play]] |= (uint64_t)1 << play;
  }
}

void alea_lane_walk_look(alea_lane_walk *w) {
  const alea_net *net = w->net;
  alea_lane_evaluate(net, ALEA_PHASE_STATE, ALEA_PHASE_GOAL, w->values);
  w->ended = alea_lane_value(w->values, net->terminal);
  for (uint32_t r = 0; r < net->role_count; r++) choose(w, r);
  for (uint32_t m = 0; m < net->move_count; m++) w->values[1 + net->fluent_count + m] &= ~w->ended;
  alea_lane_evaluate(net, ALEA_PHASE_NEXT, ALEA_PHASE_SEES, w->values);
  w->states += 64;
}

void alea_lane_walk_step(alea_lane_walk *w) {
  const alea_net *net = w->net;
  for (uint32_t f = 0; f < net->fluent_count; f++)
    w->kept[f] = alea_lane_value(w->values, net->next[f]);
  memcpy(w->values + 1, w->kept, net->fluent_count * sizeof *w->kept);
  start_again(w, w->ended);
}

/* Each state has its own chance that a fluent holds, so that sums of any size
 * occur. */
void alea_lane_walk_scatter(alea_lane_walk *w) {
  const alea_net *net = w->net;
  uint32_t chance[64];
  for (unsigned play = 0; play < 64; play++)
    chance[play] = (uint32_t)(alea_rng_next(&w->rng) >> 48);
  for (uint32_t f = 0; f < net->fluent_count; f++) {
    uint64_t word = 0;
    for (unsigned play = 0; play < 64; play += 4) {
      uint64_t random = alea_rng_next(&w->rng);
      for (unsigned k = 0; k < 4; k++)
        word |= (uint64_t)((random >> 16 * k & 0xffff) <= chance[play + k]) << (play + k);
    }
    w->values[1 + f] = word;
  }
  uint64_t *made = w->values + 1 + net->fluent_count;
  memset(made, 0, net->move_count * sizeof *made);
  for (uint32_t r = 0; r < net->role_count; r++) {
    uint32_t first = net->move_first[r], count = net->move_first[r + 1] - first;
    for (unsigned play = 0; play < 64 && count > 0; play++)
      made[first + alea_rng_below(&w->rng, count)] |= (uint64_t)1 << play;
  }
  alea_lane_evaluate(net, ALEA_PHASE_STATE, ALEA_PHASE_SEES, w->values);
}
