/* The goal distance, computed from the leaves up. */
#include "planning/goal_distance.h"

/* Two views of a node: [0] as it is, [1] negated.  A conjunction weighs as much
 * as its conjuncts, all else 1. */
typedef struct grade {
  float value[2], weight[2];
} grade;

struct alea_goal_distance {
  alea_mem *mem;
  const alea_net *net;
  alea_lit lit;
  grade *grades;    /* per node */
  alea_u32s leaves; /* fluents below the literal */
  alea_u32s gates;  /* gates below it, ascending: inputs first */
  alea_u32s cyclic; /* those of them that lie on a cycle */
};

static const float MOST_WEIGHT = 1e6F;
static const float NEARLY = 1 - 0x1p-24F; /* where rounding would make it 1 */

static uint32_t node_count(const alea_net *net) { return net->first_gate + net->gate_count; }

static const alea_lit *inputs_of(const alea_net *net, const alea_net_gate *gate) {
  return net->inputs.data + gate->first_input;
}

/* ---- what lies below ---- */

static void mark_inputs(const alea_net *net, uint32_t node, uint8_t *below) {
  const alea_net_gate *gate = &net->gates[node - net->first_gate];
  for (uint32_t i = 0; i < gate->input_count; i++) below[inputs_of(net, gate)[i] >> 1] = 1;
}

/* Members of a cycle read each other, in any order. */
static void mark_cycle(const alea_net_cycle *cycle, uint8_t *below) {
  bool any = false;
  for (uint32_t node = cycle->first; node <= cycle->last; node++) any |= below[node];
  for (uint32_t node = cycle->first; any && node <= cycle->last; node++) below[node] = 1;
}

static void mark(const alea_net *net, alea_lit lit, uint8_t *below) {
  size_t cycle = net->cycles.count;
  below[lit >> 1] = 1;
  for (uint32_t node = node_count(net); node-- > net->first_gate;) {
    if (cycle > 0 && net->cycles.data[cycle - 1].last == node)
      mark_cycle(&net->cycles.data[--cycle], below);
    if (below[node]) mark_inputs(net, node, below);
  }
}

static alea_status list_between(alea_goal_distance *d, const uint8_t *below, uint32_t first,
                                uint32_t end, alea_u32s *nodes) {
  for (uint32_t node = first; node < end; node++)
    if (below[node] && !alea_vec_push(d->mem, nodes, node)) return alea_mem_lack(d->mem);
  return ALEA_OK;
}

static alea_status list(alea_goal_distance *d, const uint8_t *below) {
  const alea_net *net = d->net;
  alea_status status = list_between(d, below, 1, 1 + net->fluent_count, &d->leaves);
  if (status == ALEA_OK)
    status = list_between(d, below, net->first_gate, node_count(net), &d->gates);
  for (size_t i = 0; status == ALEA_OK && i < net->cycles.count; i++) {
    alea_net_cycle cycle = net->cycles.data[i];
    status = list_between(d, below, cycle.first, cycle.last + 1, &d->cyclic);
  }
  return status;
}

/* ---- weights ---- */

/* Of the conjunction of the inputs, or with 'negated' of their negations. */
static float weight_of(const alea_goal_distance *d, const alea_net_gate *gate, uint32_t negated) {
  float sum = 0;
  for (uint32_t i = 0; i < gate->input_count; i++) {
    alea_lit lit = inputs_of(d->net, gate)[i];
    sum += d->grades[lit >> 1].weight[(lit & 1) ^ negated];
  }
  return sum < MOST_WEIGHT ? sum : MOST_WEIGHT;
}

static void weigh(alea_goal_distance *d) {
  for (uint32_t node = 0; node < node_count(d->net); node++)
    d->grades[node] = (grade){.weight = {1, 1}};
  d->grades[0].value[0] = 1;
  for (size_t i = 0; i < d->gates.count; i++) {
    const alea_net_gate *gate = &d->net->gates[d->gates.data[i] - d->net->first_gate];
    uint32_t conjunction = gate->kind == ALEA_GATE_AND ? 0 : 1; /* the view that is one */
    d->grades[d->gates.data[i]].weight[conjunction] = weight_of(d, gate, conjunction);
  }
}

alea_status alea_goal_distance_new(alea_goal_distance **distance, const alea_net *net, alea_lit lit,
                                   alea_mem *mem) {
  alea_goal_distance *d = *distance = alea_mem_zalloc(mem, sizeof *d);
  if (d == NULL) return alea_mem_lack(mem);
  uint32_t count = node_count(net);
  d->mem = mem;
  d->net = net;
  d->lit = lit;
  d->grades = alea_mem_calloc(mem, count, sizeof *d->grades);
  uint8_t *below = alea_mem_calloc(mem, count, sizeof *below);
  alea_status status = d->grades != NULL && below != NULL ? ALEA_OK : alea_mem_lack(mem);
  if (status == ALEA_OK) {
    mark(net, lit, below);
    status = list(d, below);
  }
  alea_mem_free(mem, below, count * sizeof *below);
  if (status == ALEA_OK) {
    weigh(d);
    return ALEA_OK;
  }
  alea_goal_distance_free(d);
  *distance = NULL;
  return status;
}

void alea_goal_distance_free(alea_goal_distance *d) {
  if (d == NULL) return;
  alea_vec_clear(d->mem, &d->leaves);
  alea_vec_clear(d->mem, &d->gates);
  alea_vec_clear(d->mem, &d->cyclic);
  alea_mem_free(d->mem, d->grades, node_count(d->net) * sizeof *d->grades);
  alea_mem_free(d->mem, d, sizeof *d);
}

/* ---- values ---- */

static void grade_gate(alea_goal_distance *d, uint32_t node) {
  const alea_net_gate *gate = &d->net->gates[node - d->net->first_gate];
  uint32_t conjunction = gate->kind == ALEA_GATE_AND ? 0 : 1;
  float sum = 0, weights = 0, most = 0, least = 1;
  for (uint32_t i = 0; i < gate->input_count; i++) {
    alea_lit lit = inputs_of(d->net, gate)[i];
    const grade *input = &d->grades[lit >> 1];
    uint32_t view = (lit & 1) ^ conjunction;
    sum += input->weight[view] * input->value[view];
    weights += input->weight[view];
    if (input->value[view] < least) least = input->value[view];
    if (input->value[1 - view] > most) most = input->value[1 - view];
  }
  float mean = sum / weights;
  d->grades[node].value[conjunction] = least < 1 && mean > NEARLY ? NEARLY : mean;
  d->grades[node].value[1 - conjunction] = most;
}

static void set(alea_goal_distance *d, uint32_t node, bool holds) {
  d->grades[node].value[0] = holds;
  d->grades[node].value[1] = !holds;
}

double alea_goal_distance_at(alea_goal_distance *d, const uint64_t *words) {
  for (size_t i = 0; i < d->leaves.count; i++) {
    uint32_t fluent = d->leaves.data[i] - 1;
    set(d, d->leaves.data[i], words[fluent / 64] >> (fluent % 64) & 1);
  }
  for (size_t i = 0; i < d->cyclic.count; i++) set(d, d->cyclic.data[i], false);
  for (size_t i = 0; i < d->gates.count; i++) grade_gate(d, d->gates.data[i]);
  return d->grades[d->lit >> 1].value[d->lit & 1];
}
