/* Which operations compute the logic, and in which order, for locality. */
#include "propnet/lanes_ops.h"

#include <string.h>

typedef struct lanes_ops_frame {
  uint32_t node;
  uint32_t child; /* next input to visit */
} lanes_ops_frame;

typedef struct mapper {
  alea_lanes_ops *ops;
  const alea_lanes_logic *logic;
  alea_mem *mem;
  uint8_t *done;   /* per node: bit per section */
  uint32_t *claim; /* per node: 1 + fluent whose slot may take its value */
  ALEA_VEC(lanes_ops_frame) stack;
  alea_u32s terms[5]; /* operands by sort, as in alea_lanes_form */
  alea_lanes_section section;
} mapper;

/* ---- what is needed ---- */

static bool is_gate(const alea_lanes_logic *logic, uint32_t node) {
  return logic->nodes.data[node].count != 0;
}

static bool push_need(mapper *x, alea_lit lit) {
  uint8_t bit = (uint8_t)(1u << x->section);
  if (x->ops->need[lit >> 1] & bit) return true;
  x->ops->need[lit >> 1] |= bit;
  return alea_vec_push(x->mem, &x->stack, (lanes_ops_frame){.node = lit >> 1});
}

/* Marks all that the pushed nodes depend on. */
static bool spread_need(mapper *x) {
  while (x->stack.count > 0) {
    uint32_t node = x->stack.data[--x->stack.count].node;
    const alea_lanes_node *n = &x->logic->nodes.data[node];
    if (node < x->logic->net->first_gate) continue;
    const alea_lanes_feedback *feedback =
        n->count == 0 ? alea_lanes_feedback_of(x->logic, node) : NULL;
    if (feedback != NULL && !push_need(x, feedback->target)) return false;
    for (uint32_t k = 0; k < n->count; k++)
      if (!push_need(x, x->logic->inputs.data[n->first + k])) return false;
  }
  return true;
}

/* A part that is kept is evaluated with the state wholly or not at all.  Parts read only
 * what comes before them, so the last is looked at first. */
static bool complete_kept(mapper *x) {
  const alea_lanes_logic *logic = x->logic;
  for (size_t i = logic->feedbacks.count; i > 0;) {
    uint32_t segment = logic->feedbacks.data[i - 1].segment, need = 0;
    size_t end = i;
    for (; i > 0 && logic->feedbacks.data[i - 1].segment == segment; i--)
      if (logic->feedbacks.data[i - 1].kept != 0)
        need |= x->ops->need[logic->feedbacks.data[i - 1].leaf];
    for (size_t k = i; (need & 1u << ALEA_LANES_STATE) != 0 && k < end; k++)
      if (!push_need(x, 2 * logic->feedbacks.data[k].leaf)) return false;
    if (!spread_need(x)) return false;
  }
  return true;
}

static bool mark_state(mapper *x) {
  x->section = ALEA_LANES_STATE;
  if (!push_need(x, x->logic->terminal)) return false;
  for (uint32_t m = 0; m < x->logic->net->move_count; m++)
    if (!push_need(x, x->logic->legal[m])) return false;
  return spread_need(x) && complete_kept(x);
}

static bool mark_goals(mapper *x) {
  x->section = ALEA_LANES_GOAL;
  for (size_t g = 0; g < x->logic->net->goals.count; g++)
    if (!push_need(x, x->logic->goals[g])) return false;
  return spread_need(x);
}

static bool mark_next(mapper *x) {
  x->section = ALEA_LANES_NEXT;
  for (uint32_t f = 0; f < x->logic->net->fluent_count; f++)
    if (x->logic->next[f] != 2 * (f + 1) && !push_need(x, x->logic->next[f])) return false;
  return spread_need(x);
}

/* Needed in this section and not there already. */
static bool computed_here(const mapper *x, uint32_t node) {
  uint8_t need = x->ops->need[node];
  bool earlier = x->section != ALEA_LANES_STATE && (need & 1u << ALEA_LANES_STATE);
  if (x->ops->collected[node]) return false;
  return is_gate(x->logic, node) && (need & 1u << x->section) && !earlier;
}

/* ---- operations ---- */

/* A gate that is computed as a pair of its only reader. */
static bool fused(const mapper *x, alea_lit lit, uint32_t segment) {
  const alea_lanes_node *node = &x->logic->nodes.data[lit >> 1];
  return (lit & 1) != 0 && node->count == 2 && node->uses == 1 && node->segment == segment &&
         !x->ops->collected[lit >> 1];
}

/* An input as this section sees it: where a cycle was through in an earlier
 * section, its result and not the leaf. */
static alea_lit input(const mapper *x, const alea_lanes_node *n, uint32_t k) {
  alea_lit lit = x->logic->inputs.data[n->first + k];
  uint32_t node = lit >> 1;
  if (x->section == ALEA_LANES_STATE || node < x->logic->net->first_gate || is_gate(x->logic, node))
    return lit;
  const alea_lanes_feedback *feedback = alea_lanes_feedback_of(x->logic, node);
  if (feedback->kept != 0) return lit; /* is the result, as soon as the part is through */
  alea_lit target = feedback->target;
  bool earlier = (x->ops->need[target >> 1] & 1u << ALEA_LANES_STATE) != 0;
  return earlier ? target ^ (lit & 1) : lit;
}

static bool negative(const mapper *x, alea_lit lit) {
  return (lit & 1) != x->ops->inverted[lit >> 1];
}

static bool add_pair(mapper *x, const alea_lanes_node *child) {
  alea_lit a = input(x, child, 0), b = input(x, child, 1);
  bool na = negative(x, a), nb = negative(x, b);
  alea_u32s *terms = &x->terms[na && nb ? 4 : na || nb ? 3 : 2];
  if (na && !nb) {
    alea_lit swap = a;
    a = b;
    b = swap;
  }
  return alea_vec_push(x->mem, terms, a >> 1) && alea_vec_push(x->mem, terms, b >> 1);
}

static bool collect_terms(mapper *x, const alea_lanes_node *n) {
  for (int sort = 0; sort < 5; sort++) x->terms[sort].count = 0;
  for (uint32_t k = 0; k < n->count; k++) {
    alea_lit lit = input(x, n, k);
    bool ok = fused(x, lit, n->segment)
                  ? add_pair(x, &x->logic->nodes.data[lit >> 1])
                  : alea_vec_push(x->mem, &x->terms[negative(x, lit)], lit >> 1);
    if (!ok) return false;
  }
  return true;
}

/* Moves up to 'room' operands from the terms into operation 'op'. */
static bool take_terms(mapper *x, alea_lanes_op *op, uint32_t room) {
  uint8_t *counts[5] = {&op->form.plain, &op->form.negated, &op->form.nand, &op->form.imply,
                        &op->form.either};
  for (int sort = 0; sort < 5; sort++) {
    uint32_t size = sort < 2 ? 1 : 2;
    while (x->terms[sort].count > 0 && room >= size) {
      for (uint32_t i = 0; i < size; i++) /* pairs are ordered: keep the order of their ends */
        if (!alea_vec_push(x->mem, &x->ops->operands,
                           x->terms[sort].data[x->terms[sort].count - size + i]))
          return false;
      x->terms[sort].count -= size;
      room -= size;
      ++*counts[sort];
    }
  }
  return true;
}

static size_t terms_left(const mapper *x) {
  size_t left = 0;
  for (int sort = 0; sort < 5; sort++) left += x->terms[sort].count;
  return left;
}

/* The operations of one gate: one, or a chain where it has many inputs. */
static bool add_ops(mapper *x, uint32_t node) {
  const alea_lanes_node *n = &x->logic->nodes.data[node];
  if (!collect_terms(x, n)) return false;
  uint32_t partial = UINT32_MAX;
  do {
    alea_lanes_op op = {.first = (uint32_t)x->ops->operands.count,
                        .segment = n->segment,
                        .fluent = ALEA_LANES_NO_FLUENT};
    uint32_t room = ALEA_LANES_MAX_OPERANDS;
    if (partial != UINT32_MAX) {
      if (!alea_vec_push(x->mem, &x->ops->operands, partial)) return false;
      op.form.plain = 1;
      room--;
    }
    if (!take_terms(x, &op, room)) return false;
    bool last = terms_left(x) == 0;
    op.value = partial = last ? node : x->ops->value_count++;
    if (last) op.form.invert = x->ops->inverted[node];
    if (last && x->section == ALEA_LANES_NEXT && x->claim[node] != 0)
      op.fluent = x->claim[node] - 1;
    if (!alea_vec_push(x->mem, &x->ops->ops, op)) return false;
  } while (terms_left(x) != 0);
  return true;
}

/* ---- order ---- */

static bool visit(mapper *x, uint32_t node) {
  uint8_t bit = (uint8_t)(1u << x->section);
  if (!computed_here(x, node) || (x->done[node] & bit)) return true;
  x->done[node] |= bit;
  return alea_vec_push(x->mem, &x->stack, (lanes_ops_frame){.node = node});
}

/* The input number 'k' of a node, counting those of fused gates instead of
 * the gates; false when there are no more. */
static bool nth_operand(const mapper *x, uint32_t node, uint32_t k, uint32_t *out) {
  const alea_lanes_logic *logic = x->logic;
  const alea_lanes_node *n = &logic->nodes.data[node];
  if (k >= 2 * n->count) return false;
  alea_lit lit = logic->inputs.data[n->first + k / 2];
  *out = lit >> 1;
  if (fused(x, lit, n->segment))
    *out = logic->inputs.data[logic->nodes.data[lit >> 1].first + k % 2] >> 1;
  return true;
}

/* The operations of 'root' and what it needs, inputs first, depth first: a
 * value is used soon after it is made. */
static bool add_cone(mapper *x, uint32_t root) {
  if (!visit(x, root)) return false;
  while (x->stack.count > 0) {
    lanes_ops_frame *top = &x->stack.data[x->stack.count - 1];
    uint32_t child, node = top->node;
    if (nth_operand(x, node, top->child, &child)) {
      top->child++;
      if (!visit(x, child)) return false;
    } else {
      x->stack.count--;
      if (!add_ops(x, node)) return false;
    }
  }
  return true;
}

/* Everything that is needed besides the roots: what feedback leaves wait for. */
static bool add_rest(mapper *x) {
  for (size_t i = 0; i < x->logic->feedbacks.count; i++)
    if (!add_cone(x, x->logic->feedbacks.data[i].target >> 1)) return false;
  return true;
}

/* Stable: by segment, so that the order within a segment stays. */
static bool sort_by_segment(mapper *x, size_t first) {
  alea_lanes_ops *ops = x->ops;
  size_t count = ops->ops.count - first;
  uint32_t segments = 0;
  for (size_t i = first; i < ops->ops.count; i++)
    if (ops->ops.data[i].segment >= segments) segments = ops->ops.data[i].segment + 1;
  size_t *start = alea_mem_calloc(x->mem, segments + 1, sizeof *start);
  alea_lanes_op *sorted = alea_mem_alloc(x->mem, count * sizeof *sorted);
  if (start != NULL && sorted != NULL) {
    for (size_t i = first; i < ops->ops.count; i++) start[ops->ops.data[i].segment + 1]++;
    for (uint32_t s = 0; s < segments; s++) start[s + 1] += start[s];
    for (size_t i = first; i < ops->ops.count; i++)
      sorted[start[ops->ops.data[i].segment]++] = ops->ops.data[i];
    if (count != 0) memcpy(ops->ops.data + first, sorted, count * sizeof *sorted);
  }
  bool ok = start != NULL && sorted != NULL;
  alea_mem_free(x->mem, start, (segments + 1) * sizeof *start);
  alea_mem_free(x->mem, sorted, count * sizeof *sorted);
  return ok;
}

/* A copy for each fluent whose next value no operation can leave in place. */
static bool add_copies(mapper *x) {
  const alea_lanes_logic *logic = x->logic;
  for (uint32_t f = 0; f < logic->net->fluent_count; f++) {
    alea_lit next = logic->next[f];
    if (next == 2 * (f + 1) || x->claim[next >> 1] == f + 1) continue;
    alea_lanes_op op = {.value = x->ops->value_count++,
                        .first = (uint32_t)x->ops->operands.count,
                        .segment = logic->last_segment,
                        .fluent = f};
    op.form.plain = !negative(x, next);
    op.form.negated = !op.form.plain;
    if (!alea_vec_push(x->mem, &x->ops->operands, next >> 1)) return false;
    if (!alea_vec_push(x->mem, &x->ops->ops, op)) return false;
  }
  return true;
}

/* Legal values are read uncomplemented, many at a time: gates that are one
 * complemented are stored inverted. */
static void invert_legal(mapper *x) {
  x->section = ALEA_LANES_STATE;
  for (uint32_t m = 0; m < x->logic->net->move_count; m++) {
    alea_lit legal = x->logic->legal[m];
    if ((legal & 1) != 0 && computed_here(x, legal >> 1)) x->ops->inverted[legal >> 1] = 1;
  }
}

/* Where move m's legality is found uncomplemented, if need be by an operation
 * for this only. */
static bool place_legal(mapper *x, uint32_t m) {
  alea_lit legal = x->logic->legal[m];
  x->ops->legal[m] = legal >> 1;
  if (!negative(x, legal) || legal == ALEA_LIT_FALSE) return true;
  alea_lanes_op op = {.value = x->ops->value_count++,
                      .first = (uint32_t)x->ops->operands.count,
                      .form = {.negated = 1},
                      .segment = x->logic->last_segment,
                      .fluent = ALEA_LANES_NO_FLUENT};
  x->ops->legal[m] = op.value;
  return alea_vec_push(x->mem, &x->ops->operands, legal >> 1) &&
         alea_vec_push(x->mem, &x->ops->ops, op);
}

static bool add_state(mapper *x) {
  x->section = ALEA_LANES_STATE;
  bool ok = add_cone(x, x->logic->terminal >> 1);
  for (uint32_t m = 0; ok && m < x->logic->net->move_count; m++)
    ok = add_cone(x, x->logic->legal[m] >> 1) && place_legal(x, m);
  ok = ok && add_rest(x) && sort_by_segment(x, 0);
  x->ops->section_end[ALEA_LANES_STATE] = x->ops->ops.count;
  return ok;
}

static bool add_goals(mapper *x) {
  x->section = ALEA_LANES_GOAL;
  size_t first = x->ops->ops.count;
  bool ok = true;
  for (size_t g = 0; ok && g < x->logic->net->goals.count; g++)
    ok = add_cone(x, x->logic->goals[g] >> 1);
  ok = ok && add_rest(x) && sort_by_segment(x, first);
  x->ops->section_end[ALEA_LANES_GOAL] = x->ops->ops.count;
  return ok;
}

static bool add_next(mapper *x) {
  x->section = ALEA_LANES_NEXT;
  size_t first = x->ops->ops.count;
  bool ok = true;
  for (uint32_t f = 0; ok && f < x->logic->net->fluent_count; f++)
    if (x->logic->next[f] != 2 * (f + 1)) ok = add_cone(x, x->logic->next[f] >> 1);
  ok = ok && add_rest(x) && add_copies(x) && sort_by_segment(x, first);
  x->ops->section_end[ALEA_LANES_NEXT] = x->ops->ops.count;
  return ok;
}

/* Decides which gates leave their value in a fluent: those that are the next
 * value of one, and are computed with the moves, once. */
static void claim_fluents(mapper *x) {
  const alea_lanes_logic *logic = x->logic;
  x->section = ALEA_LANES_NEXT;
  for (uint32_t f = 0; f < logic->net->fluent_count; f++) {
    uint32_t node = logic->next[f] >> 1;
    if (!computed_here(x, node) || x->claim[node] != 0) continue;
    if (x->ops->need[node] != 1u << ALEA_LANES_NEXT || logic->nodes.data[node].segment % 2 == 1)
      continue;
    x->claim[node] = f + 1;
    x->ops->inverted[node] = logic->next[f] & 1;
  }
}

static bool map_all(mapper *x, bool only_goals, uint32_t chosen) {
  if (only_goals) return mark_goals(x) && add_goals(x);
  if (!mark_state(x) || !mark_goals(x) || !mark_next(x)) return false;
  if (alea_lanes_find_scatters(x->ops, chosen) != ALEA_OK) return false;
  for (size_t i = 0; i < x->ops->scatters.count; i++)
    x->ops->collected[x->ops->scatters.data[i].value] = 1;
  claim_fluents(x);
  invert_legal(x);
  return add_state(x) && add_goals(x) && add_next(x);
}

alea_status alea_lanes_ops_init(alea_lanes_ops *ops, const alea_lanes_logic *logic, bool only_goals,
                                uint32_t chosen) {
  alea_mem *mem = logic->mem;
  size_t nodes = logic->nodes.count;
  *ops = (alea_lanes_ops){.mem = mem, .logic = logic, .value_count = (uint32_t)nodes};
  mapper x = {.ops = ops, .logic = logic, .mem = mem};
  ops->need = alea_mem_calloc(mem, nodes, 1);
  ops->inverted = alea_mem_calloc(mem, nodes, 1);
  ops->legal = alea_mem_calloc(mem, logic->net->move_count, sizeof *ops->legal);
  ops->collected = alea_mem_calloc(mem, nodes, 1);
  x.done = alea_mem_calloc(mem, nodes, 1);
  x.claim = alea_mem_calloc(mem, nodes, sizeof *x.claim);
  bool ok = ops->need != NULL && ops->inverted != NULL && ops->legal != NULL &&
            ops->collected != NULL && x.done != NULL && x.claim != NULL &&
            map_all(&x, only_goals, chosen);
  for (int s = 0; only_goals && s < ALEA_LANES_SECTIONS; s++)
    ops->section_end[s] = s < ALEA_LANES_GOAL ? 0 : ops->ops.count;
  alea_mem_free(mem, x.done, nodes);
  alea_mem_free(mem, x.claim, nodes * sizeof *x.claim);
  alea_vec_clear(mem, &x.stack);
  for (int sort = 0; sort < 5; sort++) alea_vec_clear(mem, &x.terms[sort]);
  if (!ok) alea_lanes_ops_clear(ops);
  return ok ? ALEA_OK : alea_mem_lack(mem);
}

void alea_lanes_ops_clear(alea_lanes_ops *ops) {
  size_t nodes = ops->logic->nodes.count;
  alea_vec_clear(ops->mem, &ops->ops);
  alea_vec_clear(ops->mem, &ops->operands);
  alea_mem_free(ops->mem, ops->need, nodes);
  alea_mem_free(ops->mem, ops->inverted, nodes);
  alea_mem_free(ops->mem, ops->legal, ops->logic->net->move_count * sizeof *ops->legal);
  alea_mem_free(ops->mem, ops->collected, nodes);
  alea_vec_clear(ops->mem, &ops->scatters);
  alea_vec_clear(ops->mem, &ops->scattered);
  ops->need = ops->inverted = ops->collected = NULL;
  ops->legal = NULL;
}
