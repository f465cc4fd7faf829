/* Finding the cyclic parts that only ever grow while a game goes on. */
#include "propnet/lanes_kept.h"

#include "propnet/lanes_order.h"

/* How many gates of a next value are looked at for a proof that a fluent stays. */
enum { MOST_LOOKS = 256 };
/* What is known of a node: bits. */
enum { RISES = 1, FALLS = 2 };

typedef struct lanes_kept_finder {
  alea_lanes_kept *kept;
  const alea_net *net;
  alea_mem *mem;
  size_t node_count;
  uint8_t *trend;   /* per node */
  uint8_t *wanted;  /* per node: in a part, and read early or from outside */
  uint32_t *within; /* per node: 1 + its cycle, 0 = none */
  uint32_t *seen;   /* per node: the last search that visited it */
  uint32_t *place;  /* per node of a part: where it comes in it */
  alea_u32s stack;
} lanes_kept_finder;

static const alea_net_gate *gate_at(const alea_net *net, uint32_t node) {
  return &net->gates[node - net->first_gate];
}

/* ---- what stays ---- */

/* Whether 'lit' is true wherever 'fluent' is, by the form of its gates; looks at 'looks' of
 * them at most. */
static bool follows(const alea_net *net, alea_lit fluent, alea_lit lit, int *looks) {
  if (lit == fluent || lit == ALEA_LIT_TRUE) return true;
  if (lit >> 1 < net->first_gate || --*looks < 0) return false;
  const alea_net_gate *gate = gate_at(net, lit >> 1);
  bool any = (gate->kind == ALEA_GATE_OR) == ((lit & 1) == 0);
  for (uint32_t i = 0; i < gate->input_count; i++) {
    alea_lit in = net->inputs.data[gate->first_input + i] ^ (lit & 1);
    if (follows(net, fluent, in, looks) == any) return any;
  }
  return !any;
}

static void judge_fluents(lanes_kept_finder *x) {
  x->trend[0] = RISES | FALLS;
  for (uint32_t f = 0; f < x->net->fluent_count; f++) {
    alea_lit fluent = 2 * (1 + f), next = x->net->next[f];
    int up = MOST_LOOKS, down = MOST_LOOKS;
    if (follows(x->net, fluent, next, &up)) x->trend[1 + f] |= RISES;
    if (follows(x->net, fluent ^ 1, next ^ 1, &down)) x->trend[1 + f] |= FALLS;
  }
}

/* The trend of a gate as far as inputs outside its own part go. */
static uint8_t trend_of(const lanes_kept_finder *x, uint32_t node) {
  const alea_net_gate *gate = gate_at(x->net, node);
  uint8_t trend = RISES | FALLS;
  for (uint32_t i = 0; i < gate->input_count; i++) {
    alea_lit in = x->net->inputs.data[gate->first_input + i];
    uint8_t of = x->trend[in >> 1];
    if (x->within[node] != 0 && x->within[in >> 1] == x->within[node]) continue;
    if ((in & 1) != 0) of = (uint8_t)((of & RISES) << 1 | (of & FALLS) >> 1);
    trend &= of;
  }
  return trend;
}

/* Gates that depend on the state alone. */
static void judge_gates(lanes_kept_finder *x) {
  const alea_net *net = x->net;
  for (uint32_t node = net->first_gate; node < net->phase_end[ALEA_PHASE_STATE]; node++) {
    uint32_t last = node;
    if (x->within[node] != 0) last = net->cycles.data[x->within[node] - 1].last;
    uint8_t trend = RISES | FALLS;
    for (uint32_t i = node; i <= last; i++) trend &= trend_of(x, i);
    for (; node < last; node++) x->trend[node] = trend;
    x->trend[last] = trend;
  }
}

/* ---- what is read ---- */

static void want(lanes_kept_finder *x, uint32_t node, uint32_t reader) {
  bool outside = x->within[node] != x->within[reader];
  if (x->within[node] != 0 && (outside || x->place[node] >= x->place[reader])) x->wanted[node] = 1;
}

/* 'x->within[0]' is none, so node 0 stands for the roots. */
static void find_wanted(lanes_kept_finder *x) {
  const alea_net *net = x->net;
  for (uint32_t node = net->first_gate; node < x->node_count; node++) {
    const alea_net_gate *gate = gate_at(net, node);
    for (uint32_t i = 0; i < gate->input_count; i++)
      want(x, net->inputs.data[gate->first_input + i] >> 1, node);
  }
  for (uint32_t f = 0; f < net->fluent_count; f++) want(x, net->next[f] >> 1, 0);
  for (uint32_t m = 0; m < net->move_count; m++) want(x, net->legal[m] >> 1, 0);
  for (size_t g = 0; g < net->goals.count; g++) want(x, net->goals.data[g].lit >> 1, 0);
  want(x, net->terminal >> 1, 0);
}

/* ---- what it depends on ---- */

static bool visit(lanes_kept_finder *x, uint32_t node, uint32_t mark) {
  if (x->seen[node] == mark) return true;
  x->seen[node] = mark;
  if (node > x->net->fluent_count) return alea_vec_push(x->mem, &x->stack, node);
  return node == 0 || alea_vec_push(x->mem, &x->kept->support, node - 1);
}

static bool find_support(lanes_kept_finder *x, const alea_net_cycle *cycle, uint32_t mark) {
  for (uint32_t node = cycle->first; node <= cycle->last; node++)
    if (!visit(x, node, mark)) return false;
  while (x->stack.count > 0) {
    const alea_net_gate *gate = gate_at(x->net, x->stack.data[--x->stack.count]);
    for (uint32_t i = 0; i < gate->input_count; i++)
      if (!visit(x, x->net->inputs.data[gate->first_input + i] >> 1, mark)) return false;
  }
  return true;
}

static bool keep(lanes_kept_finder *x, uint32_t c) {
  alea_lanes_kept *kept = x->kept;
  const alea_net_cycle *cycle = &x->net->cycles.data[c];
  alea_lanes_kept_part part = {.cycle = c,
                               .first_node = (uint32_t)kept->nodes.count,
                               .first_support = (uint32_t)kept->support.count};
  for (uint32_t node = cycle->first; node <= cycle->last; node++)
    if (x->wanted[node] && !alea_vec_push(x->mem, &kept->nodes, node)) return false;
  if (!find_support(x, cycle, c + 1)) return false;
  part.node_count = (uint32_t)kept->nodes.count - part.first_node;
  part.support_count = (uint32_t)kept->support.count - part.first_support;
  return alea_vec_push(x->mem, &kept->parts, part);
}

static bool place_parts(lanes_kept_finder *x) {
  alea_lanes_order order = {0};
  bool ok = true;
  for (uint32_t c = 0; ok && c < x->net->cycles.count; c++) {
    ok = alea_lanes_order_part(&order, x->net, c, x->mem);
    for (uint32_t i = 0; ok && i < order.nodes.count; i++) {
      x->within[order.nodes.data[i]] = c + 1;
      x->place[order.nodes.data[i]] = i;
    }
  }
  alea_lanes_order_clear(&order, x->mem);
  return ok;
}

static bool find(lanes_kept_finder *x) {
  const alea_net *net = x->net;
  if (!place_parts(x)) return false;
  judge_fluents(x);
  judge_gates(x);
  find_wanted(x);
  for (uint32_t c = 0; c < net->cycles.count; c++) {
    uint32_t first = net->cycles.data[c].first;
    if (first >= net->phase_end[ALEA_PHASE_STATE]) break;
    if ((x->trend[first] & RISES) != 0 && !keep(x, c)) return false;
  }
  return true;
}

alea_status alea_lanes_kept_init(alea_lanes_kept *kept, const alea_net *net, alea_mem *mem) {
  *kept = (alea_lanes_kept){.mem = mem};
  if (net->cycles.count == 0) return ALEA_OK;
  lanes_kept_finder x = {.kept = kept,
                         .net = net,
                         .mem = mem,
                         .node_count = (size_t)net->first_gate + net->gate_count};
  x.trend = alea_mem_calloc(mem, x.node_count, 1);
  x.wanted = alea_mem_calloc(mem, x.node_count, 1);
  x.within = alea_mem_calloc(mem, x.node_count, sizeof *x.within);
  x.seen = alea_mem_calloc(mem, x.node_count, sizeof *x.seen);
  x.place = alea_mem_calloc(mem, x.node_count, sizeof *x.place);
  bool ok = x.place != NULL && x.trend != NULL && x.wanted != NULL && x.within != NULL &&
            x.seen != NULL && find(&x);
  alea_mem_free(mem, x.trend, x.node_count);
  alea_mem_free(mem, x.wanted, x.node_count);
  alea_mem_free(mem, x.within, x.node_count * sizeof *x.within);
  alea_mem_free(mem, x.seen, x.node_count * sizeof *x.seen);
  alea_mem_free(mem, x.place, x.node_count * sizeof *x.place);
  alea_vec_clear(mem, &x.stack);
  if (!ok) alea_lanes_kept_clear(kept);
  return ok ? ALEA_OK : alea_mem_lack(mem);
}

void alea_lanes_kept_clear(alea_lanes_kept *kept) {
  alea_vec_clear(kept->mem, &kept->parts);
  alea_vec_clear(kept->mem, &kept->nodes);
  alea_vec_clear(kept->mem, &kept->support);
}

const alea_lanes_kept_part *alea_lanes_kept_find(const alea_lanes_kept *kept, size_t cycle) {
  for (size_t i = 0; i < kept->parts.count; i++)
    if (kept->parts.data[i].cycle == cycle) return &kept->parts.data[i];
  return NULL;
}
