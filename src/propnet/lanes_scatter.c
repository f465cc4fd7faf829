/* Disjunctions of moves, for games with thousands of moves.
 *
 * "Some move from this square" is the OR of many moves, of which hardly any is
 * made: with 512 lanes at most 512 words of 100,000 are not zero.  Such ORs
 * are not evaluated but collected: their slots start as false, and each move
 * that was chosen adds its word to the ORs that it is part of.
 *
 * In the logic such an OR is a gate whose inputs are complemented moves or
 * other gates of the kind.  Those that something else reads are collected;
 * those that only others of the kind read are needed no more. */
#include "propnet/lanes_ops.h"

typedef struct lanes_scatter_finder {
  alea_lanes_ops *ops;
  const alea_lanes_logic *logic;
  alea_mem *mem;
  uint8_t *pure;   /* per node: an OR of moves, complemented */
  uint8_t *wanted; /* per node: pure, and read by something else */
  uint32_t *seen;  /* per node: the last disjunction that visited it */
  alea_u32s stack;
  uint64_t saved; /* operands that need not be read */
} lanes_scatter_finder;

static bool is_move(const lanes_scatter_finder *x, uint32_t node) {
  return node > x->logic->net->fluent_count && node < x->logic->net->first_gate;
}

/* Needed for next, and not merged into another gate. */
static bool concerns(const lanes_scatter_finder *x, uint32_t node) {
  const alea_lanes_node *n = &x->logic->nodes.data[node];
  return n->count != 0 && n->uses != 0 && x->ops->need[node] == 1u << ALEA_LANES_NEXT;
}

static bool is_pure(const lanes_scatter_finder *x, uint32_t node) {
  const alea_lanes_node *n = &x->logic->nodes.data[node];
  if (!concerns(x, node) || n->segment % 2 == 1) return false;
  for (uint32_t k = 0; k < n->count; k++) {
    alea_lit in = x->logic->inputs.data[n->first + k];
    bool ok = (in & 1) != 0 ? is_move(x, in >> 1) : x->pure[in >> 1] != 0;
    if (!ok) return false;
  }
  return true;
}

static void classify(lanes_scatter_finder *x) {
  const alea_lanes_logic *logic = x->logic;
  for (uint32_t i = logic->net->first_gate; i < logic->nodes.count; i++) {
    x->pure[i] = is_pure(x, i);
    if (x->pure[i]) x->saved += logic->nodes.data[i].count;
  }
  for (uint32_t i = logic->net->first_gate; i < logic->nodes.count; i++) {
    const alea_lanes_node *n = &logic->nodes.data[i];
    if (x->pure[i] || !concerns(x, i)) continue;
    for (uint32_t k = 0; k < n->count; k++) {
      uint32_t in = logic->inputs.data[n->first + k] >> 1;
      if (x->pure[in]) x->wanted[in] = 1;
    }
  }
  for (uint32_t f = 0; f < logic->net->fluent_count; f++)
    if (x->pure[logic->next[f] >> 1]) x->wanted[logic->next[f] >> 1] = 1;
}

static bool visit(lanes_scatter_finder *x, uint32_t node, uint32_t mark) {
  if (x->seen[node] == mark) return true;
  x->seen[node] = mark;
  if (is_move(x, node)) return alea_vec_push(x->mem, &x->ops->scattered, node);
  return alea_vec_push(x->mem, &x->stack, node);
}

/* The moves of the disjunction 'root'. */
static bool collect(lanes_scatter_finder *x, uint32_t root) {
  alea_lanes_scatter scatter = {.value = root, .first = (uint32_t)x->ops->scattered.count};
  if (!visit(x, root, root)) return false;
  while (x->stack.count > 0) {
    const alea_lanes_node *n = &x->logic->nodes.data[x->stack.data[--x->stack.count]];
    for (uint32_t k = 0; k < n->count; k++)
      if (!visit(x, x->logic->inputs.data[n->first + k] >> 1, root)) return false;
  }
  scatter.count = (uint32_t)x->ops->scattered.count - scatter.first;
  x->ops->inverted[root] = 1;
  return alea_vec_push(x->mem, &x->ops->scatters, scatter);
}

/* Collecting visits every OR that a chosen move is part of, evaluating reads
 * every operand.  A visit costs as much as six operands, measured on both
 * forms of amazons. */
static bool pays(const lanes_scatter_finder *x, uint32_t lanes) {
  uint32_t moves = 0;
  for (uint32_t m = 0; m < x->logic->net->move_count; m++)
    moves += (x->ops->need[1 + x->logic->net->fluent_count + m] & 1u << ALEA_LANES_NEXT) != 0;
  if (moves == 0) return false;
  double chosen = moves < lanes ? moves : lanes;
  double each = (double)x->ops->scattered.count / moves;
  return 6 * chosen * each + (double)x->ops->scatters.count < (double)x->saved;
}

static bool find(lanes_scatter_finder *x, uint32_t lanes) {
  classify(x);
  for (uint32_t i = x->logic->net->first_gate; i < x->logic->nodes.count; i++) {
    /* A list much longer than what it saves cannot pay. */
    if (x->ops->scattered.count > 64 * (x->saved + 1)) break;
    if (x->wanted[i] && !collect(x, i)) return false;
  }
  if (pays(x, lanes)) return true;
  for (size_t i = 0; i < x->ops->scatters.count; i++)
    x->ops->inverted[x->ops->scatters.data[i].value] = 0;
  x->ops->scatters.count = x->ops->scattered.count = 0;
  return true;
}

alea_status alea_lanes_find_scatters(alea_lanes_ops *ops, uint32_t lanes) {
  alea_mem *mem = ops->mem;
  size_t nodes = ops->logic->nodes.count;
  lanes_scatter_finder x = {.ops = ops, .logic = ops->logic, .mem = mem};
  x.pure = alea_mem_calloc(mem, nodes, 1);
  x.wanted = alea_mem_calloc(mem, nodes, 1);
  x.seen = alea_mem_calloc(mem, nodes, sizeof *x.seen);
  bool ok = x.pure != NULL && x.wanted != NULL && x.seen != NULL && find(&x, lanes);
  alea_mem_free(mem, x.pure, nodes);
  alea_mem_free(mem, x.wanted, nodes);
  alea_mem_free(mem, x.seen, nodes * sizeof *x.seen);
  alea_vec_clear(mem, &x.stack);
  return ok ? ALEA_OK : alea_mem_lack(mem);
}
