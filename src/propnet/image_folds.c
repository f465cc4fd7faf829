/* Folding: a gate with one reader needs no counter of its own.
 *
 *     x or (a and b)    is    2 x + a + b >= 2
 *
 * A square is seen by a rook if the rook stands beside it, or if the square between is
 * empty and seen: chains of such pairs are what changes most in games with lines, and a counter
 * with weights does with one visit what two gates did with two.
 *
 * A gate is active as long as less keeps it from that than its weight, which is 1 where nothing
 * is folded into it, and else what its child's inputs come to when that is just active; its own
 * inputs count as much. */
#include <string.h>

#include "propnet/image.h"

typedef struct folds_finder {
  alea_image *image;
  const alea_net *net;
  uint32_t *uses;  /* per gate: readers and roots */
  uint32_t *total; /* per gate: the weights of all that it counts */
} folds_finder;

void alea_net_count_uses(const alea_net *net, uint32_t *uses) {
  uint32_t leaves = net->first_gate;
#define ALEA_COUNT_USE(lit) \
  if ((lit) >> 1 >= leaves) uses[((lit) >> 1) - leaves]++
  for (size_t i = 0; i < net->inputs.count; i++) ALEA_COUNT_USE(net->inputs.data[i]);
  for (uint32_t i = 0; i < net->move_count; i++) ALEA_COUNT_USE(net->legal[i]);
  for (uint32_t i = 0; i < net->fluent_count; i++) ALEA_COUNT_USE(net->next[i]);
  for (size_t i = 0; i < net->goals.count; i++) ALEA_COUNT_USE(net->goals.data[i].lit);
  for (size_t i = 0; i < net->percepts.count; i++) ALEA_COUNT_USE(net->percepts.data[i].lit);
  ALEA_COUNT_USE(net->terminal);
#undef ALEA_COUNT_USE
}

static bool is_folded(const alea_image *image, uint32_t node, uint32_t gate) {
  return node >= image->net->first_gate && image->folded[node - image->net->first_gate] == gate + 1;
}

static bool is_cyclic(const alea_net *net, uint32_t node) {
  return net->cycles.count > 0 && alea_net_part_of(net, node) != UINT32_MAX;
}

static bool reads(const alea_net *net, const alea_net_gate *g, uint32_t node) {
  for (uint32_t i = 0; i < g->input_count; i++)
    if (net->inputs.data[g->first_input + i] >> 1 == node) return true;
  return false;
}

/* Notes whether a gate reads what another counts: no counter may have an input twice. */
typedef struct folds_overlap {
  const alea_net *net;
  const alea_net_gate *gate;
  bool found;
} folds_overlap;

static void look_for(void *context, const alea_image_input *input) {
  folds_overlap *o = context;
  o->found = o->found || reads(o->net, o->gate, input->node);
}

static bool overlap(const folds_finder *f, uint32_t child, uint32_t gate) {
  folds_overlap o = {f->net, &f->net->gates[gate], false};
  alea_image_each_input(f->image, child, 0, f->net->gates[child].input_count, look_for, &o);
  return o.found;
}

/* What the inputs of a gate, counted from the other side, come to when it is just active: that
 * much keeps its reader from being so. */
static uint32_t weight_of(const folds_finder *f, uint32_t child) {
  return f->total[child] - f->image->weight[child] + 1;
}

/* Whether the gate that 'lit' reads can be folded into 'gate': being active it keeps 'gate' from
 * being so. */
static bool can_fold(const folds_finder *f, uint32_t gate, alea_lit lit) {
  const alea_net *net = f->net;
  if (lit >> 1 < net->first_gate || is_cyclic(net, lit >> 1)) return false;
  uint32_t child = (lit >> 1) - net->first_gate, inputs = net->gates[gate].input_count;
  if (f->uses[child] != 1 || f->total[child] > ALEA_MOST_INPUTS ||
      !alea_net_counts_up(net, net->first_gate + gate, lit) ||
      alea_image_leaves_out(f->image, gate, lit >> 1))
    return false;
  uint32_t weight = weight_of(f, child);
  return weight <= ALEA_MOST_WEIGHT &&
         weight * (inputs - 1) + f->total[child] <= ALEA_MOST_INPUTS && !overlap(f, child, gate);
}

/* Gates come in the order of the net: a child was seen before its reader. */
static void fold_gate(folds_finder *f, uint32_t gate) {
  const alea_net *net = f->net;
  const alea_net_gate *g = &net->gates[gate];
  f->total[gate] = g->input_count;
  if (is_cyclic(net, net->first_gate + gate) || g->input_count > ALEA_MOST_INPUTS) return;
  for (uint32_t i = 0; i < g->input_count; i++) {
    alea_lit lit = net->inputs.data[g->first_input + i];
    if (!can_fold(f, gate, lit)) continue;
    uint32_t child = (lit >> 1) - net->first_gate;
    f->image->folded[child] = gate + 1;
    f->image->weight[gate] = (uint8_t)weight_of(f, child);
    f->total[gate] = f->image->weight[gate] * (g->input_count - 1) + f->total[child];
    return;
  }
}

bool alea_image_fold(alea_image *image, alea_mem *mem) {
  const alea_net *net = image->net;
  size_t gates = net->gate_count;
  folds_finder f = {.image = image, .net = net};
  image->folded = alea_image_zeros(image, gates, sizeof *image->folded);
  image->weight = alea_image_zeros(image, gates, sizeof *image->weight);
  f.uses = alea_mem_calloc(mem, gates, sizeof *f.uses);
  f.total = alea_mem_calloc(mem, gates, sizeof *f.total);
  bool ok = image->folded != NULL && image->weight != NULL && f.uses != NULL && f.total != NULL;
  if (ok) memset(image->weight, 1, gates);
  if (ok) alea_net_count_uses(net, f.uses);
  for (uint32_t gate = 0; ok && gate < gates; gate++) fold_gate(&f, gate);
  alea_mem_free(mem, f.uses, gates * sizeof *f.uses);
  alea_mem_free(mem, f.total, gates * sizeof *f.total);
  return ok;
}

/* What is folded counts in the other direction: it keeps its reader from being active when
 * nothing keeps it from that. */
static void each_folded(const alea_image *image, uint32_t child, alea_image_input input,
                        alea_image_visit visit, void *context) {
  const alea_net *net = image->net;
  const alea_net_gate *c = &net->gates[child];
  bool turned = input.up;
  for (uint32_t i = 0; i < c->input_count; i++) {
    alea_lit lit = net->inputs.data[c->first_input + i];
    input.node = lit >> 1;
    input.weight = image->weight[child];
    input.up = alea_net_counts_up(net, net->first_gate + child, lit) != turned;
    if (is_folded(image, input.node, child)) {
      input.up = !turned;
      each_folded(image, input.node - net->first_gate, input, visit, context);
    } else {
      visit(context, &input);
    }
  }
}

void alea_image_each_input(const alea_image *image, uint32_t gate, uint32_t begin, uint32_t end,
                           alea_image_visit visit, void *context) {
  const alea_net *net = image->net;
  for (uint32_t i = begin; i < end; i++) {
    alea_lit lit = net->inputs.data[net->gates[gate].first_input + i];
    alea_image_input input = {.node = lit >> 1, .weight = image->weight[gate]};
    if (alea_image_leaves_out(image, gate, input.node)) continue;
    input.counter = gate;
    input.up = true;
    if (is_folded(image, input.node, gate)) {
      each_folded(image, input.node - net->first_gate, input, visit, context);
      continue;
    }
    input.counter = alea_image_counter_of(image, gate, i);
    input.up = alea_net_counts_up(net, net->first_gate + gate, lit);
    visit(context, &input);
  }
}
