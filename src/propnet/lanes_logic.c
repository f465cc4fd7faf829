/* From a net to the ANDs that lanes evaluate: assumptions put in, constants
 * folded, equal gates merged, cycles cut open. */
#include "propnet/lanes_logic.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/hash_map.h"
#include "propnet/lanes_order.h"

/* The literal of a gate that has not been added; only gates of the part at hand are read
 * before they are. */
#define NOT_YET UINT32_MAX

/* Scratch of the translation. */
typedef struct lanes_logic_builder {
  alea_lanes_logic *logic;
  alea_mem *mem;
  const alea_lanes_kept *keep;   /* may be NULL */
  const alea_lanes_clock *clock; /* may be NULL */
  const uint8_t *fixed;          /* per fluent: what the clock says; NULL: nothing */
  uint32_t tick;
  alea_lit *map;                      /* net node -> literal of the logic */
  uint32_t *leaf;                     /* net node -> its feedback leaf, 0 = none yet */
  size_t node_count;                  /* of the net: size of 'map' and 'leaf' */
  alea_hash_map gates;                /* by their inputs */
  alea_u32s lits;                     /* inputs of the gate at hand */
  ALEA_VEC(alea_lanes_feedback) kept; /* feedbacks of the part at hand */
  uint32_t segment;
  alea_lanes_order order; /* of the part at hand */
} lanes_logic_builder;

static int compare_lits(const void *a, const void *b) {
  alea_lit x = *(const alea_lit *)a, y = *(const alea_lit *)b;
  return (x > y) - (x < y);
}

/* Sorts the inputs of an AND and drops what does not matter.  False when the
 * AND is false. */
static bool tidy(alea_u32s *lits) {
  if (lits->count > 1) qsort(lits->data, lits->count, sizeof *lits->data, compare_lits);
  size_t kept = 0;
  for (size_t i = 0; i < lits->count; i++) {
    alea_lit lit = lits->data[i];
    if (lit == ALEA_LIT_FALSE) return false;
    if (lit == ALEA_LIT_TRUE || (kept > 0 && lits->data[kept - 1] == lit)) continue;
    if (kept > 0 && lits->data[kept - 1] == (lit ^ 1)) return false;
    lits->data[kept++] = lit;
  }
  lits->count = kept;
  return true;
}

static bool same_inputs(const alea_lanes_logic *logic, uint32_t node, const alea_u32s *lits) {
  const alea_lanes_node *n = &logic->nodes.data[node];
  return n->count == lits->count &&
         memcmp(logic->inputs.data + n->first, lits->data, lits->count * sizeof *lits->data) == 0;
}

uint32_t alea_lanes_kept_part_of(const alea_lanes_logic *logic, uint32_t segment) {
  for (size_t i = 0; i < logic->kept.count; i++)
    if (logic->kept.data[i].segment == segment) return logic->kept.data[i].part;
  return ALEA_LANES_NOT_KEPT;
}

/* Gates of a part that is kept are its own. */
static bool may_share(const lanes_logic_builder *b, uint32_t node) {
  uint32_t segment = b->logic->nodes.data[node].segment;
  return segment == b->segment || alea_lanes_kept_part_of(b->logic, segment) == ALEA_LANES_NOT_KEPT;
}

/* The AND of 'b->lits' (tidy, two or more) as a node, 0 without memory. */
static uint32_t find_or_add(lanes_logic_builder *b) {
  alea_lanes_logic *logic = b->logic;
  uint64_t hash = alea_hash_u32s(b->lits.data, b->lits.count);
  alea_hash_probe probe = alea_hash_map_probe(&b->gates, hash);
  while (alea_hash_map_next(&b->gates, &probe))
    if (same_inputs(logic, probe.id, &b->lits) && may_share(b, probe.id)) return probe.id;
  uint32_t node = (uint32_t)logic->nodes.count;
  alea_lanes_node gate = {.first = (uint32_t)logic->inputs.count,
                          .count = (uint32_t)b->lits.count,
                          .segment = b->segment};
  if (!alea_vec_reserve(b->mem, &logic->inputs, b->lits.count)) return 0;
  if (!alea_vec_push(b->mem, &logic->nodes, gate)) return 0;
  memcpy(logic->inputs.data + logic->inputs.count, b->lits.data,
         b->lits.count * sizeof *b->lits.data);
  logic->inputs.count += b->lits.count;
  alea_hash_map_put(&b->gates, probe, node);
  return node;
}

/* The leaf through which 'net_node' is read before it is computed. */
static uint32_t feedback_leaf(lanes_logic_builder *b, uint32_t net_node) {
  if (b->leaf[net_node] != 0) return b->leaf[net_node];
  uint32_t node = (uint32_t)b->logic->nodes.count;
  if (!alea_vec_push(b->mem, &b->logic->nodes, (alea_lanes_node){.segment = b->segment})) return 0;
  alea_lanes_feedback feedback = {.leaf = node, .target = net_node, .segment = b->segment};
  if (!alea_vec_push(b->mem, &b->logic->feedbacks, feedback)) return 0;
  return b->leaf[net_node] = node;
}

static alea_status add_gate(lanes_logic_builder *b, uint32_t node) {
  const alea_net *net = b->logic->net;
  const alea_net_gate *gate = &net->gates[node - net->first_gate];
  alea_lit flip = gate->kind == ALEA_GATE_OR;
  b->lits.count = 0;
  if (b->map[node] != NOT_YET) return ALEA_OK; /* known */
  if (alea_mem_given_up(b->mem)) return ALEA_LIMIT;
  for (uint32_t i = 0; i < gate->input_count; i++) {
    alea_lit in = net->inputs.data[gate->first_input + i];
    alea_lit lit = b->map[in >> 1];
    if (b->map[in >> 1] == NOT_YET) {
      uint32_t leaf = feedback_leaf(b, in >> 1);
      if (leaf == 0) return alea_mem_lack(b->mem);
      lit = 2 * leaf;
    }
    if (!alea_vec_push(b->mem, &b->lits, lit ^ (in & 1) ^ flip)) return alea_mem_lack(b->mem);
  }
  if (!tidy(&b->lits)) {
    b->map[node] = ALEA_LIT_FALSE ^ flip;
  } else if (b->lits.count == 0) {
    b->map[node] = ALEA_LIT_TRUE ^ flip;
  } else if (b->lits.count == 1) {
    b->map[node] = b->lits.data[0] ^ flip;
  } else {
    uint32_t made = find_or_add(b);
    if (made == 0) return alea_mem_lack(b->mem);
    b->map[node] = 2 * made ^ flip;
  }
  return ALEA_OK;
}

/* ---- cyclic parts ---- */

/* The feedback of a leaf, NULL for other nodes.  Leaves are in ascending order. */
const alea_lanes_feedback *alea_lanes_feedback_of(const alea_lanes_logic *logic, uint32_t node) {
  size_t low = 0, high = logic->feedbacks.count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (logic->feedbacks.data[middle].leaf < node)
      low = middle + 1;
    else
      high = middle;
  }
  bool found = low < logic->feedbacks.count && logic->feedbacks.data[low].leaf == node;
  return found ? &logic->feedbacks.data[low] : NULL;
}

/* What 'lit' comes to when leaves are replaced by what they wait for.  Leaves
 * that wait for nothing but each other never become true. */
static alea_lit follow(const alea_lanes_logic *logic, alea_lit lit) {
  for (size_t steps = 0; steps <= logic->feedbacks.count; steps++) {
    const alea_lanes_feedback *feedback = alea_lanes_feedback_of(logic, lit >> 1);
    if (feedback == NULL) return lit;
    lit = feedback->target ^ (lit & 1);
  }
  return ALEA_LIT_FALSE ^ (lit & 1);
}

/* Puts what they stand for in place of leaves that need no iteration, because
 * the part became acyclic there when gates were simplified. */
static void replace_leaves(alea_lanes_logic *logic, uint32_t first_node, uint32_t segment) {
  for (size_t i = first_node; i < logic->nodes.count; i++) {
    const alea_lanes_node *node = &logic->nodes.data[i];
    for (uint32_t k = 0; k < node->count; k++) {
      alea_lit *in = &logic->inputs.data[node->first + k];
      if (*in >> 1 < first_node || logic->nodes.data[*in >> 1].count != 0) continue;
      alea_lit end = follow(logic, *in);
      bool gate = logic->nodes.data[end >> 1].count != 0;
      if (!gate || logic->nodes.data[end >> 1].segment != segment) *in = end;
    }
  }
}

/* The part made of the net's gates first .. last is complete; its nodes are
 * those from 'first_node' on, its feedbacks those from 'first_feedback' on. */
static void close_part(lanes_logic_builder *b, uint32_t first, uint32_t last, uint32_t first_node,
                       size_t first_feedback) {
  alea_lanes_logic *logic = b->logic;
  for (size_t i = first_feedback; i < logic->feedbacks.count; i++) /* were net nodes until now */
    logic->feedbacks.data[i].target = b->map[logic->feedbacks.data[i].target];
  replace_leaves(logic, first_node, b->segment);
  for (uint32_t node = first; node <= last; node++) b->map[node] = follow(logic, b->map[node]);
  size_t kept = first_feedback;
  for (size_t i = first_feedback; i < logic->feedbacks.count; i++) {
    alea_lanes_feedback feedback = logic->feedbacks.data[i];
    feedback.target = follow(logic, feedback.target);
    uint32_t target = feedback.target >> 1;
    if (target < first_node || logic->nodes.data[target].count == 0) continue;
    b->kept.data[kept++ - first_feedback] = feedback;
  }
  if (kept > first_feedback)
    memcpy(logic->feedbacks.data + first_feedback, b->kept.data,
           (kept - first_feedback) * sizeof *b->kept.data);
  logic->feedbacks.count = kept;
}

/* Every value of 'part' that is kept gets a leaf, read early or not. */
static bool add_kept_leaves(lanes_logic_builder *b, const alea_lanes_kept_part *part) {
  alea_lanes_kept_segment segment = {b->segment, (uint32_t)(part - b->keep->parts.data)};
  for (uint32_t i = 0; i < part->node_count; i++)
    if (feedback_leaf(b, b->keep->nodes.data[part->first_node + i]) == 0) return false;
  return alea_vec_push(b->mem, &b->logic->kept, segment);
}

/* From now on values of 'part' are read through their leaves.  Those that need none, being
 * constant or something outside, have lost theirs. */
static void read_leaves(lanes_logic_builder *b, const alea_lanes_kept_part *part) {
  for (uint32_t i = part->first_node; i < part->first_node + part->node_count; i++) {
    uint32_t node = b->keep->nodes.data[i];
    const alea_lanes_feedback *feedback = alea_lanes_feedback_of(b->logic, b->leaf[node]);
    if (feedback == NULL) continue;
    b->logic->feedbacks.data[feedback - b->logic->feedbacks.data].kept = 1 + i;
    b->map[node] = 2 * feedback->leaf;
  }
}

static alea_status add_part(lanes_logic_builder *b, size_t cycle) {
  uint32_t first = b->logic->net->cycles.data[cycle].first;
  uint32_t last = b->logic->net->cycles.data[cycle].last;
  uint32_t first_node = (uint32_t)b->logic->nodes.count;
  size_t first_feedback = b->logic->feedbacks.count;
  const alea_lanes_kept_part *part = NULL;
  if (b->keep != NULL) part = alea_lanes_kept_find(b->keep, cycle);
  b->segment++;
  if (!alea_lanes_order_part(&b->order, b->logic->net, cycle, b->mem)) return alea_mem_lack(b->mem);
  for (size_t i = 0; i < b->order.nodes.count; i++) {
    alea_status status = add_gate(b, b->order.nodes.data[i]);
    if (status != ALEA_OK) return status;
  }
  if (part != NULL && !add_kept_leaves(b, part)) return alea_mem_lack(b->mem);
  b->kept.count = 0;
  if (!alea_vec_reserve(b->mem, &b->kept, b->logic->feedbacks.count - first_feedback))
    return alea_mem_lack(b->mem);
  close_part(b, first, last, first_node, first_feedback);
  if (part != NULL) read_leaves(b, part);
  b->segment++;
  return ALEA_OK;
}

/* Gates [first, end) of the net, cyclic parts as segments of their own. */
static alea_status add_gates(lanes_logic_builder *b, uint32_t first, uint32_t end) {
  const alea_net *net = b->logic->net;
  size_t cycle = 0;
  while (cycle < net->cycles.count && net->cycles.data[cycle].first < first) cycle++;
  for (uint32_t node = first; node < end; node++) {
    bool cyclic = cycle < net->cycles.count && net->cycles.data[cycle].first == node;
    alea_status status = cyclic ? add_part(b, cycle) : add_gate(b, node);
    if (status != ALEA_OK) return status;
    if (cyclic) node = net->cycles.data[cycle++].last;
  }
  return ALEA_OK;
}

static alea_lit mapped(const lanes_logic_builder *b, alea_lit lit) {
  return b->map[lit >> 1] ^ (lit & 1);
}

/* The only move of 'role' that may be legal, ALEA_NO_MOVE when there are
 * several or none. */
static uint32_t only_move(const alea_lanes_logic *logic, uint32_t role) {
  uint32_t only = ALEA_NO_MOVE;
  for (uint32_t m = logic->net->move_first[role]; m < logic->net->move_first[role + 1]; m++) {
    if (logic->legal[m] == ALEA_LIT_FALSE) continue;
    if (only != ALEA_NO_MOVE) return ALEA_NO_MOVE;
    only = m;
  }
  return only;
}

/* What legality says of the moves that will be chosen. */
static void know_moves(lanes_logic_builder *b) {
  alea_lanes_logic *logic = b->logic;
  const alea_net *net = logic->net;
  for (uint32_t m = 0; m < net->move_count; m++) {
    logic->legal[m] = mapped(b, net->legal[m]);
    logic->moves[m] = logic->legal[m] == ALEA_LIT_FALSE ? ALEA_LANES_FALSE : ALEA_LANES_FREE;
  }
  for (uint32_t r = 0; r < net->role_count; r++) {
    uint32_t only = only_move(logic, r);
    if (only != ALEA_NO_MOVE) logic->moves[only] = ALEA_LANES_TRUE;
  }
  for (uint32_t m = 0; m < net->move_count; m++)
    if (logic->moves[m] != ALEA_LANES_FREE)
      b->map[1 + net->fluent_count + m] =
          logic->moves[m] == ALEA_LANES_TRUE ? ALEA_LIT_TRUE : ALEA_LIT_FALSE;
}

static void set_roots(lanes_logic_builder *b) {
  alea_lanes_logic *logic = b->logic;
  const alea_net *net = logic->net;
  for (uint32_t f = 0; f < net->fluent_count; f++) {
    bool known = b->fixed != NULL && b->fixed[f] != ALEA_LANES_FREE;
    logic->next[f] = known ? 2 * (1 + f) : mapped(b, net->next[f]);
  }
  for (size_t g = 0; g < net->goals.count; g++) logic->goals[g] = mapped(b, net->goals.data[g].lit);
  logic->terminal = mapped(b, net->terminal);
  logic->last_segment = b->segment;
}

static bool allocate(lanes_logic_builder *b) {
  alea_lanes_logic *logic = b->logic;
  const alea_net *net = logic->net;
  b->node_count = (size_t)net->first_gate + net->gate_count;
  b->map = alea_mem_calloc(b->mem, b->node_count, sizeof *b->map);
  b->leaf = alea_mem_calloc(b->mem, b->node_count, sizeof *b->leaf);
  bool room = alea_hash_map_init(&b->gates, b->mem, net->gate_count);
  logic->next = alea_mem_calloc(b->mem, net->fluent_count, sizeof *logic->next);
  logic->legal = alea_mem_calloc(b->mem, net->move_count, sizeof *logic->legal);
  logic->moves = alea_mem_calloc(b->mem, net->move_count, sizeof *logic->moves);
  logic->goals = alea_mem_calloc(b->mem, net->goals.count, sizeof *logic->goals);
  return b->map != NULL && b->leaf != NULL && room && logic->next != NULL && logic->legal != NULL &&
         logic->moves != NULL && logic->goals != NULL;
}

static alea_lit constant(bool value) { return value ? ALEA_LIT_TRUE : ALEA_LIT_FALSE; }

/* What the clock says of gates: where an OR is false, so are the fluents in it, which are
 * stored all the same. */
static void know_gates(lanes_logic_builder *b) {
  const alea_lanes_clock *clock = b->clock;
  for (size_t i = 0; i < clock->gates.count; i++) {
    const alea_lanes_clock_gate *gate = &clock->gates.data[i];
    bool value = clock->gate_values.data[b->tick * clock->gates.count + i];
    b->map[gate->node] = constant(value);
    for (uint32_t k = 0; value == gate->complement && k < gate->count; k++) {
      alea_lit lit = clock->lits.data[gate->first + k];
      b->map[lit >> 1] = constant((lit & 1) != 0);
    }
  }
}

static bool add_leaves(lanes_logic_builder *b) {
  const alea_net *net = b->logic->net;
  for (uint32_t node = net->first_gate; node < b->node_count; node++) b->map[node] = NOT_YET;
  for (uint32_t node = 0; node < net->first_gate; node++) {
    if (!alea_vec_push(b->mem, &b->logic->nodes, (alea_lanes_node){0})) return false;
    b->map[node] = 2 * node;
  }
  if (b->clock != NULL) know_gates(b);
  for (uint32_t f = 0; b->fixed != NULL && f < net->fluent_count; f++)
    if (b->fixed[f] != ALEA_LANES_FREE) b->map[1 + f] = constant(b->fixed[f] == ALEA_LANES_TRUE);
  return true;
}

static alea_status build(lanes_logic_builder *b) {
  const alea_net *net = b->logic->net;
  if (!allocate(b) || !add_leaves(b)) return alea_mem_lack(b->mem);
  uint32_t moves_from = net->phase_end[ALEA_PHASE_GOAL];
  alea_status status = add_gates(b, net->first_gate, moves_from);
  if (status != ALEA_OK) return status;
  know_moves(b);
  status = add_gates(b, moves_from, net->phase_end[ALEA_PHASE_NEXT]);
  if (status != ALEA_OK) return status;
  set_roots(b);
  return ALEA_OK;
}

alea_status alea_lanes_logic_init(alea_lanes_logic *logic, const alea_net *net,
                                  const alea_lanes_clock *clock, uint32_t tick,
                                  const alea_lanes_kept *kept, alea_mem *mem) {
  *logic = (alea_lanes_logic){.mem = mem, .net = net};
  lanes_logic_builder b = {.logic = logic, .mem = mem, .keep = kept, .clock = clock, .tick = tick};
  if (clock != NULL) b.fixed = clock->fixed + (size_t)tick * net->fluent_count;
  alea_status status = build(&b);
  alea_mem_free(mem, b.map, b.node_count * sizeof *b.map);
  alea_mem_free(mem, b.leaf, b.node_count * sizeof *b.leaf);
  alea_hash_map_clear(&b.gates, mem);
  alea_vec_clear(mem, &b.lits);
  alea_vec_clear(mem, &b.kept);
  alea_lanes_order_clear(&b.order, mem);
  if (status != ALEA_OK) alea_lanes_logic_clear(logic);
  return status;
}

void alea_lanes_logic_clear(alea_lanes_logic *logic) {
  const alea_net *net = logic->net;
  alea_mem *mem = logic->mem;
  alea_vec_clear(mem, &logic->nodes);
  alea_vec_clear(mem, &logic->inputs);
  alea_vec_clear(mem, &logic->feedbacks);
  alea_vec_clear(mem, &logic->kept);
  alea_mem_free(mem, logic->next, net->fluent_count * sizeof *logic->next);
  alea_mem_free(mem, logic->legal, net->move_count * sizeof *logic->legal);
  alea_mem_free(mem, logic->moves, net->move_count * sizeof *logic->moves);
  alea_mem_free(mem, logic->goals, net->goals.count * sizeof *logic->goals);
  *logic = (alea_lanes_logic){.mem = mem, .net = net};
}

/* ---- collapsing ---- */

/* A root is used twice as far as absorption is concerned: it must stay. */
static void use_root(alea_lanes_logic *logic, alea_lit lit) {
  logic->nodes.data[lit >> 1].uses += 2;
}

static void count_uses(alea_lanes_logic *logic) {
  const alea_net *net = logic->net;
  for (uint32_t f = 0; f < net->fluent_count; f++) use_root(logic, logic->next[f]);
  for (uint32_t m = 0; m < net->move_count; m++) use_root(logic, logic->legal[m]);
  for (size_t g = 0; g < net->goals.count; g++) use_root(logic, logic->goals[g]);
  use_root(logic, logic->terminal);
  for (size_t i = 0; i < logic->feedbacks.count; i++)
    use_root(logic, logic->feedbacks.data[i].target);
  /* Readers have larger numbers, so a node without uses is dead by its turn. */
  for (size_t i = logic->nodes.count; i-- > net->first_gate;) {
    const alea_lanes_node *node = &logic->nodes.data[i];
    if (node->uses == 0) continue;
    for (uint32_t k = 0; k < node->count; k++)
      logic->nodes.data[logic->inputs.data[node->first + k] >> 1].uses++;
  }
}

static bool absorbable(const alea_lanes_logic *logic, alea_lit lit, uint32_t segment) {
  const alea_lanes_node *node = &logic->nodes.data[lit >> 1];
  return (lit & 1) == 0 && node->count != 0 && node->uses == 1 && node->segment == segment;
}

/* Appends the inputs of 'node' to 'lits', those of absorbed gates instead of
 * the gates.  They were spliced themselves before, so one level is enough. */
static bool splice(alea_lanes_logic *logic, uint32_t node, const alea_u32s *spliced,
                   alea_u32s *lits) {
  const alea_lanes_node *n = &logic->nodes.data[node];
  lits->count = 0;
  for (uint32_t k = 0; k < n->count; k++) {
    alea_lit lit = logic->inputs.data[n->first + k];
    alea_lanes_node *child = &logic->nodes.data[lit >> 1];
    if (!absorbable(logic, lit, n->segment)) {
      if (!alea_vec_push(logic->mem, lits, lit)) return false;
      continue;
    }
    if (!alea_vec_reserve(logic->mem, lits, child->count)) return false;
    for (uint32_t j = 0; j < child->count; j++)
      lits->data[lits->count++] = spliced->data[child->first + j];
    child->uses = 0;
  }
  return true;
}

/* Appends one gate's spliced inputs to 'spliced' and makes them its own.  An
 * input met twice through two absorbed gates counts as one use less. */
static bool collapse_gate(alea_lanes_logic *logic, uint32_t node, alea_u32s *spliced,
                          alea_u32s *lits) {
  if (alea_mem_given_up(logic->mem) || !splice(logic, node, spliced, lits)) return false;
  qsort(lits->data, lits->count, sizeof *lits->data, compare_lits);
  if (!alea_vec_reserve(logic->mem, spliced, lits->count)) return false;
  alea_lanes_node *n = &logic->nodes.data[node];
  n->first = (uint32_t)spliced->count;
  for (size_t i = 0; i < lits->count; i++) {
    if (i > 0 && lits->data[i] == lits->data[i - 1]) {
      logic->nodes.data[lits->data[i] >> 1].uses--;
    } else {
      spliced->data[spliced->count++] = lits->data[i];
    }
  }
  n->count = (uint32_t)spliced->count - n->first;
  return true;
}

alea_status alea_lanes_logic_collapse(alea_lanes_logic *logic) {
  count_uses(logic);
  alea_u32s spliced = {0}, lits = {0};
  bool ok = true;
  for (uint32_t i = logic->net->first_gate; ok && i < logic->nodes.count; i++) {
    alea_lanes_node *node = &logic->nodes.data[i];
    if (node->count != 0 && node->uses != 0) ok = collapse_gate(logic, i, &spliced, &lits);
  }
  alea_vec_clear(logic->mem, &lits);
  alea_vec_clear(logic->mem, &logic->inputs);
  logic->inputs.data = spliced.data;
  logic->inputs.count = spliced.count;
  logic->inputs.capacity = spliced.capacity;
  return ok ? ALEA_OK : alea_mem_lack(logic->mem);
}

/* ---- splitting ---- */

static bool is_unmade_move(const alea_lanes_logic *logic, alea_lit lit) {
  uint32_t node = lit >> 1;
  return (lit & 1) != 0 && node > logic->net->fluent_count && node < logic->net->first_gate;
}

/* Moves the 'count' complemented moves among a gate's inputs to a new gate. */
static bool split_gate(alea_lanes_logic *logic, uint32_t node, uint32_t count) {
  alea_lanes_node *n = &logic->nodes.data[node];
  alea_lanes_node fresh = {
      .first = (uint32_t)logic->inputs.count, .count = count, .segment = n->segment, .uses = 1};
  if (!alea_vec_reserve(logic->mem, &logic->inputs, count)) return false;
  uint32_t kept = 0;
  for (uint32_t k = 0; k < n->count; k++) {
    alea_lit in = logic->inputs.data[n->first + k];
    if (is_unmade_move(logic, in))
      logic->inputs.data[logic->inputs.count++] = in;
    else
      logic->inputs.data[n->first + kept++] = in;
  }
  logic->inputs.data[n->first + kept++] = 2 * (alea_lit)logic->nodes.count;
  n->count = kept;
  return alea_vec_push(logic->mem, &logic->nodes, fresh);
}

alea_status alea_lanes_logic_split(alea_lanes_logic *logic, uint32_t least) {
  uint32_t end = (uint32_t)logic->nodes.count;
  for (uint32_t i = logic->net->first_gate; i < end; i++) {
    const alea_lanes_node *n = &logic->nodes.data[i];
    uint32_t moves = 0;
    for (uint32_t k = 0; k < n->count && n->uses != 0 && n->segment % 2 == 0; k++)
      moves += is_unmade_move(logic, logic->inputs.data[n->first + k]);
    if (moves >= least && moves < n->count && !split_gate(logic, i, moves))
      return alea_mem_lack(logic->mem);
  }
  return ALEA_OK;
}
