/* Exclusive fluents: proofs that at most one of a family ever holds.
 *
 * Only the places of a king are written down, not that there is one king.  The proof is by
 * induction: at most one holds at the start, and one at most after a move if so before.  A move
 * that is made is legal, and what its legality implies is found by one pass over the gates: which
 * member of the family must hold, and whose turn it is.  Then the gates of the next values are
 * evaluated in three values (false, true, unknown), many cases at a time: a case is one move of one
 * role and the member that holds before; all else is unknown, but that others do not move out of
 * turn.  Every joint move has a move of that role, so the cases are all there are. */
#include <string.h>

#include "propnet/graph.h"

enum { WORDS = 4, CASES = 64 * WORDS, NONE = 0, MAX_TURNS = 4 };
#define IMPOSSIBLE UINT32_MAX
#define MOST_WORK UINT64_C(100000000) /* gates times blocks of cases */

/* What is possible, a bit per case. */
typedef struct exclusive_value {
  uint64_t false_too[WORDS], true_too[WORDS];
} exclusive_value;

typedef struct exclusive_proof {
  const alea_graph *graph;
  alea_mem *mem;
  const uint32_t *family; /* nodes */
  uint32_t size;
  uint32_t *must;            /* per literal: the member that it implies, NONE, or IMPOSSIBLE */
  uint32_t turns[MAX_TURNS]; /* fluents that many legalities ask for */
  uint32_t turn_count;
  uint8_t *implied;        /* per literal: bit 2t: turn t holds, bit 2t + 1: it does not */
  uint32_t *place;         /* per gate: its place in 'values' behind the leaves, or UINT32_MAX */
  alea_u32s cone;          /* gates that the next values need, inputs first */
  exclusive_value *values; /* per leaf, then per gate of the cone */
  uint32_t cases;          /* in the present block */
} exclusive_proof;

/* ---- what a literal implies ---- */

static uint32_t implied_by_all(const exclusive_proof *p, const alea_graph_gate *g) {
  uint32_t found = NONE;
  for (uint32_t i = 0; i < g->count; i++) {
    uint32_t one = p->must[p->graph->inputs.data[g->first + i]];
    if (one == IMPOSSIBLE || (one != NONE && found != NONE && one != found)) return IMPOSSIBLE;
    if (one != NONE) found = one;
  }
  return found;
}

/* The same where one input at least is false. */
static uint32_t implied_by_some(const exclusive_proof *p, const alea_graph_gate *g) {
  uint32_t found = IMPOSSIBLE;
  for (uint32_t i = 0; i < g->count; i++) {
    uint32_t one = p->must[p->graph->inputs.data[g->first + i] ^ 1];
    if (one == IMPOSSIBLE) continue;
    if (found != IMPOSSIBLE && one != found) return NONE;
    found = one;
  }
  return found;
}

static uint8_t turns_implied(const exclusive_proof *p, const alea_graph_gate *g, alea_lit negated) {
  uint8_t bits = negated != 0 ? 0xff : 0;
  for (uint32_t i = 0; i < g->count; i++) {
    uint8_t one = p->implied[p->graph->inputs.data[g->first + i] ^ negated];
    bits = (uint8_t)(negated != 0 ? bits & one : bits | one);
  }
  return bits;
}

static void find_implied(exclusive_proof *p) {
  const alea_graph *graph = p->graph;
  p->must[ALEA_LIT_FALSE] = IMPOSSIBLE;
  p->implied[ALEA_LIT_FALSE] = 0xff;
  for (uint32_t k = 0; k < p->size; k++) p->must[2 * p->family[k]] = 1 + k;
  for (uint32_t t = 0; t < p->turn_count; t++) {
    p->implied[2 * p->turns[t]] = (uint8_t)(1u << 2 * t);
    p->implied[2 * p->turns[t] + 1] = (uint8_t)(2u << 2 * t);
  }
  for (uint32_t k = 0; k < graph->gates.count; k++) {
    const alea_graph_gate *g = &graph->gates.data[k];
    alea_lit lit = 2 * (graph->leaf_count + k);
    p->must[lit] = implied_by_all(p, g);
    p->must[lit + 1] = implied_by_some(p, g);
    p->implied[lit] = turns_implied(p, g, 0);
    p->implied[lit + 1] = turns_implied(p, g, 1);
  }
}

/* ---- whose turn it is ---- */

static void count_fluents(const alea_graph *graph, alea_lit lit, uint32_t *count) {
  if (lit >> 1 >= 1 && lit >> 1 <= graph->ground->fluent_count) count[lit >> 1]++;
}

/* Counts the fluents that an AND has, or the alternatives of an OR. */
static void count_conditions(const alea_graph *graph, alea_lit legal, bool deeper,
                             uint32_t *count) {
  if (!alea_graph_is_gate(graph, legal)) {
    count_fluents(graph, legal, count);
    return;
  }
  const alea_graph_gate *g = alea_graph_gate_of(graph, legal);
  for (uint32_t i = 0; i < g->count; i++) {
    alea_lit lit = graph->inputs.data[g->first + i] ^ (legal & 1);
    if ((legal & 1) == 0) count_fluents(graph, lit, count);
    if ((legal & 1) != 0 && deeper) count_conditions(graph, lit, false, count);
  }
}

/* The fluents that most legalities ask for: whether they do is found out by find_implied. */
static bool find_turns(exclusive_proof *p) {
  const alea_ground *ground = p->graph->ground;
  size_t fluents = 1 + (size_t)ground->fluent_count;
  uint32_t *count = alea_mem_calloc(p->mem, fluents, sizeof *count);
  if (count == NULL) return false;
  for (uint32_t m = 0; m < ground->move_count; m++)
    count_conditions(p->graph, p->graph->roots.data[alea_root_legal(p->graph) + m], true, count);
  for (uint32_t k = 0; k < p->size; k++) count[p->family[k]] = 0;
  for (; p->turn_count < MAX_TURNS; p->turn_count++) {
    uint32_t most = 0;
    for (uint32_t f = 1; f < fluents; f++)
      if (count[f] > count[most]) most = f;
    if (most == 0) break;
    p->turns[p->turn_count] = most;
    count[most] = 0;
  }
  alea_mem_free(p->mem, count, fluents * sizeof *count);
  return true;
}

/* ---- next values in three values ---- */

static alea_lit next_of(const exclusive_proof *p, uint32_t k) {
  return p->graph->roots.data[alea_root_next(p->graph) + p->family[k] - 1];
}

static void need(exclusive_proof *p, alea_lit lit) {
  if (alea_graph_is_gate(p->graph, lit)) p->place[(lit >> 1) - p->graph->leaf_count] = 0;
}

static bool find_cone(exclusive_proof *p) {
  const alea_graph *graph = p->graph;
  memset(p->place, 0xff, graph->gates.count * sizeof *p->place);
  for (uint32_t k = 0; k < p->size; k++) need(p, next_of(p, k));
  for (size_t k = graph->gates.count; k-- > 0;) { /* inputs come before their readers */
    const alea_graph_gate *g = &graph->gates.data[k];
    if (p->place[k] == UINT32_MAX) continue;
    for (uint32_t i = 0; i < g->count; i++) need(p, graph->inputs.data[g->first + i]);
  }
  for (uint32_t k = 0; k < graph->gates.count; k++) {
    if (p->place[k] == UINT32_MAX) continue;
    p->place[k] = graph->leaf_count + (uint32_t)p->cone.count;
    if (!alea_vec_push(p->mem, &p->cone, k)) return false;
  }
  p->values = alea_mem_alloc(p->mem, (graph->leaf_count + p->cone.count) * sizeof *p->values);
  return p->values != NULL;
}

static inline const exclusive_value *value_of(const exclusive_proof *p, alea_lit lit) {
  uint32_t node = lit >> 1;
  return &p->values[node < p->graph->leaf_count ? node : p->place[node - p->graph->leaf_count]];
}

static void evaluate(exclusive_proof *p) {
  const alea_graph *graph = p->graph;
  for (size_t at = 0; at < p->cone.count; at++) {
    const alea_graph_gate *g = &graph->gates.data[p->cone.data[at]];
    exclusive_value all = {{0}, {0}};
    memset(all.true_too, 0xff, sizeof all.true_too);
    for (uint32_t i = 0; i < g->count; i++) {
      alea_lit lit = graph->inputs.data[g->first + i];
      const exclusive_value *v = value_of(p, lit);
      const uint64_t *no = (lit & 1) != 0 ? v->true_too : v->false_too;
      const uint64_t *yes = (lit & 1) != 0 ? v->false_too : v->true_too;
      for (int w = 0; w < WORDS; w++) all.false_too[w] |= no[w], all.true_too[w] &= yes[w];
    }
    p->values[graph->leaf_count + at] = all;
  }
}

/* A move is made in its turn only. */
static void keep_turns(exclusive_proof *p, uint32_t move) {
  uint8_t bits = p->implied[p->graph->roots.data[alea_root_legal(p->graph) + move]];
  exclusive_value *v = &p->values[1 + p->graph->ground->fluent_count + move];
  for (uint32_t t = 0; t < p->turn_count; t++) {
    const exclusive_value *turn = &p->values[p->turns[t]];
    for (int w = 0; w < WORDS; w++) {
      if ((bits >> 2 * t & 1) != 0) v->true_too[w] &= turn->true_too[w];
      if ((bits >> 2 * t & 2) != 0) v->true_too[w] &= turn->false_too[w];
    }
  }
}

/* The one move that a role can make is made. */
static void make_last_move(exclusive_proof *p, uint32_t role) {
  const alea_ground *ground = p->graph->ground;
  uint64_t one[WORDS] = {0}, two[WORDS] = {0};
  exclusive_value *moves = p->values + 1 + ground->fluent_count;
  for (uint32_t m = ground->move_first[role]; m < ground->move_first[role + 1]; m++)
    for (int w = 0; w < WORDS; w++) {
      two[w] |= one[w] & moves[m].true_too[w];
      one[w] |= moves[m].true_too[w];
    }
  for (uint32_t m = ground->move_first[role]; m < ground->move_first[role + 1]; m++)
    for (int w = 0; w < WORDS; w++) moves[m].false_too[w] &= ~moves[m].true_too[w] | two[w];
}

static void find_others(exclusive_proof *p, uint32_t role) {
  const alea_ground *ground = p->graph->ground;
  for (uint32_t other = 0; other < ground->role_count; other++) {
    if (other == role) continue;
    for (uint32_t m = ground->move_first[other]; m < ground->move_first[other + 1]; m++)
      keep_turns(p, m);
    make_last_move(p, other);
  }
}

/* Whether one member at most can hold after each case of the block. */
static bool block_holds(exclusive_proof *p, uint32_t role) {
  uint64_t one[WORDS] = {0}, two = 0;
  if (p->cases == 0) return true;
  find_others(p, role);
  evaluate(p);
  for (uint32_t k = 0; k < p->size; k++) {
    alea_lit lit = next_of(p, k);
    const exclusive_value *v = value_of(p, lit);
    const uint64_t *yes = (lit & 1) != 0 ? v->false_too : v->true_too;
    for (uint32_t w = 0; w < WORDS; w++) {
      uint64_t used = p->cases >= 64 * (w + 1) ? UINT64_MAX
                      : p->cases <= 64 * w     ? 0
                                               : (UINT64_C(1) << p->cases % 64) - 1;
      two |= one[w] & yes[w] & used;
      one[w] |= yes[w];
    }
  }
  return two == 0;
}

static void clear_block(exclusive_proof *p, uint32_t role) {
  const alea_ground *ground = p->graph->ground;
  memset(p->values, 0xff, p->graph->leaf_count * sizeof *p->values);
  memset(p->values[0].false_too, 0, sizeof p->values[0].false_too); /* the constant */
  for (uint32_t k = 0; k < p->size; k++)
    memset(p->values[p->family[k]].true_too, 0, sizeof p->values[0].true_too);
  for (uint32_t m = ground->move_first[role]; m < ground->move_first[role + 1]; m++)
    memset(p->values[1 + ground->fluent_count + m].true_too, 0, sizeof p->values[0].true_too);
  p->cases = 0;
}

static void set(exclusive_proof *p, uint32_t node, bool value) {
  exclusive_value *v = &p->values[node];
  uint64_t bit = UINT64_C(1) << p->cases % 64;
  uint64_t *holds = value ? v->true_too : v->false_too, *not = value ? v->false_too : v->true_too;
  holds[p->cases / 64] |= bit;
  not [p->cases / 64] &= ~bit;
}

/* One case: 'move' is made where 'member' (1 + k, or NONE) holds.  False: refuted. */
static bool add_case(exclusive_proof *p, uint32_t role, uint32_t move, uint32_t member) {
  uint8_t bits = p->implied[p->graph->roots.data[alea_root_legal(p->graph) + move]];
  set(p, 1 + p->graph->ground->fluent_count + move, true);
  if (member != NONE) set(p, p->family[member - 1], true);
  for (uint32_t t = 0; t < p->turn_count; t++)
    if ((bits >> 2 * t & 3) != 0) set(p, p->turns[t], (bits >> 2 * t & 1) != 0);
  if (++p->cases < CASES) return true;
  bool holds = block_holds(p, role);
  clear_block(p, role);
  return holds;
}

static bool holds_for_moves_of(exclusive_proof *p, uint32_t role) {
  const alea_ground *ground = p->graph->ground;
  bool holds = true;
  clear_block(p, role);
  for (uint32_t m = ground->move_first[role]; holds && m < ground->move_first[role + 1]; m++) {
    uint32_t must = p->must[p->graph->roots.data[alea_root_legal(p->graph) + m]];
    if (must == IMPOSSIBLE) continue;
    if (must != NONE) holds = add_case(p, role, m, must);
    for (uint32_t k = 0; must == NONE && holds && k <= p->size; k++)
      holds = add_case(p, role, m, k);
  }
  return holds && block_holds(p, role);
}

/* ---- the whole ---- */

static bool holds_at_start(const alea_graph *graph, const uint32_t *family, uint32_t size) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < size; k++) count += graph->ground->init[family[k] - 1];
  return count <= 1;
}

static bool is_too_much(const exclusive_proof *p) {
  uint64_t cases = (uint64_t)p->graph->ground->move_count * (p->size + 1);
  return cases / CASES > MOST_WORK / (1 + p->cone.count);
}

alea_status alea_graph_prove_exclusive(const alea_graph *graph, const uint32_t *family,
                                       uint32_t size, bool *proved) {
  exclusive_proof p = {.graph = graph, .mem = graph->mem, .family = family, .size = size};
  size_t gates = graph->gates.count, lits = 2 * (graph->leaf_count + gates);
  *proved = false;
  if (!holds_at_start(graph, family, size)) return ALEA_OK;
  p.must = alea_mem_calloc(p.mem, lits, sizeof *p.must);
  p.implied = alea_mem_calloc(p.mem, lits, sizeof *p.implied);
  p.place = alea_mem_alloc(p.mem, gates * sizeof *p.place);
  bool ok =
      p.must != NULL && p.implied != NULL && p.place != NULL && find_turns(&p) && find_cone(&p);
  if (ok && !is_too_much(&p)) {
    find_implied(&p);
    for (uint32_t role = 0; role < graph->ground->role_count && !*proved; role++)
      *proved = holds_for_moves_of(&p, role);
  }
  if (p.values != NULL)
    alea_mem_free(p.mem, p.values, (graph->leaf_count + p.cone.count) * sizeof *p.values);
  alea_vec_clear(p.mem, &p.cone);
  alea_mem_free(p.mem, p.must, lits * sizeof *p.must);
  alea_mem_free(p.mem, p.implied, lits * sizeof *p.implied);
  alea_mem_free(p.mem, p.place, gates * sizeof *p.place);
  return ok ? ALEA_OK : alea_graph_no_memory(graph->mem);
}
