/* Gates of the miter that follow fixpoints: claims from states, and the proof.
 *
 * Claims are made of gates that are about the same things: they read a common
 * fluent, directly or through one conjunction.  (All pairs of gates would be
 * many more claims, most of them false in states that are hard to find.) */
#include "symmetry/fixpoint_proof.h"
#include "symmetry/miter.h"

enum {
  MOST_CLAIMS = 40000,
  LOOK_GATES = 1 << 17, /* evaluated in all looks: */
  LEAST_LOOKS = 4,
  MOST_LOOKS = 64
};

/* The gates of one side, and where their values are. */
typedef struct fixpoint_side {
  int copy;
  uint32_t lit;        /* the literal of the circuit that is asked about */
  uint32_t node;       /* and its node of the net */
  alea_u32s gates;     /* of the circuit */
  alea_u32s net_nodes; /* theirs */
  alea_u32s leaves;    /* literals that a gate reads, gate after gate */
  alea_u32s leaf_ends; /* of each gate in 'leaves' */
} fixpoint_side;

typedef struct claim_finder {
  alea_miter *m;
  fixpoint_side sides[2];
  uint8_t *refuted; /* per pair of gates: 1: both hold, and the second side does not; 2: only the
                       first holds; 4, 8: the same with the sides exchanged */
  size_t pairs;
  ALEA_VEC(alea_fixpoint_claim) claims;
} claim_finder;

static bool is_leaf(const alea_circuit *c, uint32_t lit) {
  return lit > 1 && c->gates.data[lit >> 1].kind == ALEA_CIRCUIT_LEAF;
}

/* The leaves that a gate reads, directly or through one conjunction. */
static bool find_leaves(const alea_circuit *c, uint32_t node, alea_u32s *leaves, alea_mem *mem) {
  const alea_circuit_gate *gate = &c->gates.data[node];
  bool good = true;
  for (uint32_t i = 0; good && i < gate->count; i++) {
    uint32_t input = c->inputs.data[gate->first + i];
    const alea_circuit_gate *inner = &c->gates.data[input >> 1];
    if (is_leaf(c, input)) good = alea_vec_push(mem, leaves, input);
    if (inner->kind != ALEA_CIRCUIT_CYCLE_AND) continue;
    for (uint32_t k = 0; good && k < inner->count; k++)
      if (is_leaf(c, c->inputs.data[inner->first + k]))
        good = alea_vec_push(mem, leaves, c->inputs.data[inner->first + k]);
  }
  return good;
}

static alea_list leaves_of(const fixpoint_side *side, size_t gate) {
  uint32_t first = gate > 0 ? side->leaf_ends.data[gate - 1] : 0;
  return (alea_list){side->leaves.data + first, side->leaf_ends.data[gate] - first};
}

static bool share_leaf(const fixpoint_side *a, size_t i, const fixpoint_side *b, size_t k) {
  alea_list these = leaves_of(a, i), those = leaves_of(b, k);
  for (uint32_t n = 0; n < these.count; n++)
    if (alea_list_has(those, these.ids[n])) return true;
  return false;
}

/* The gates under the literal, with nodes of the net; false without memory. */
static bool find_side(claim_finder *f, fixpoint_side *side) {
  const alea_net *net = f->m->net;
  alea_mem *mem = f->m->mem;
  if (alea_fixpoint_gates(&f->m->circuit, side->lit, &side->gates, mem) != ALEA_OK) return false;
  for (size_t i = 0; i < side->gates.count; i++) {
    uint32_t found = 0;
    for (size_t part = 0; part < net->cycles.count && found == 0; part++)
      for (uint32_t n = net->cycles.data[part].first; n <= net->cycles.data[part].last; n++)
        if (f->m->lits[side->copy][n] == 2 * side->gates.data[i]) found = n;
    if (!alea_vec_push(mem, &side->net_nodes, found) ||
        !find_leaves(&f->m->circuit, side->gates.data[i], &side->leaves, mem) ||
        !alea_vec_push(mem, &side->leaf_ends, (uint32_t)side->leaves.count))
      return false;
  }
  return true;
}

/* Which claims the states at hand refute. */
static void look(claim_finder *f, const uint64_t *const values[2]) {
  const fixpoint_side *a = &f->sides[0], *b = &f->sides[1];
  uint64_t not_a = ~values[0][a->node], not_b = ~values[1][b->node];
  uint8_t *refuted = f->refuted;
  for (size_t i = 0; i < a->gates.count; i++) {
    uint64_t u = values[0][a->net_nodes.data[i]];
    for (size_t k = 0; k < b->gates.count; k++, refuted++) {
      uint64_t v = values[1][b->net_nodes.data[k]];
      *refuted = (uint8_t)(*refuted | ((u & v & not_b) != 0) | ((u & ~v & not_b) != 0) << 1 |
                           ((u & v & not_a) != 0) << 2 | ((v & ~u & not_a) != 0) << 3);
    }
  }
}

static void refute_claims(claim_finder *f, alea_commuting *c, alea_lane_walk *walk,
                          const uint32_t *map) {
  uint32_t looks = LOOK_GATES / f->m->net->gate_count;
  looks = looks < LEAST_LOOKS ? LEAST_LOOKS : looks > MOST_LOOKS ? MOST_LOOKS : looks;
  for (uint32_t i = 0; i < 2 * looks; i++) {
    alea_lane_walk *states = i % 2 == 0 ? walk : &f->m->scattered;
    if (states == walk)
      alea_lane_walk_look(states);
    else
      alea_lane_walk_scatter(states);
    alea_commuting_evaluate(c, states, map);
    look(f, (const uint64_t *const[2]){states->values, c->values});
    if (states == walk) alea_lane_walk_step(states);
  }
}

static bool claim(claim_finder *f, uint32_t gate, uint32_t lit) {
  return alea_vec_push(f->m->mem, &f->claims, ((alea_fixpoint_claim){gate, lit}));
}

/* What gate i of one side may imply: what it reads, and gates of the other side
 * or their negations. */
static bool claim_all(claim_finder *f, int from, size_t i) {
  const fixpoint_side *a = &f->sides[from], *b = &f->sides[1 - from];
  alea_list leaves = leaves_of(a, i);
  bool good = true;
  for (uint32_t n = 0; good && n < leaves.count; n++)
    if (!alea_list_has((alea_list){leaves.ids, n}, leaves.ids[n]))
      good = claim(f, a->gates.data[i], leaves.ids[n]);
  for (size_t k = 0; good && k < b->gates.count; k++) {
    uint8_t refuted =
        from == 0 ? f->refuted[i * b->gates.count + k] : f->refuted[k * a->gates.count + i] >> 2;
    if ((refuted & 3) == 3 || !share_leaf(a, i, b, k)) continue;
    if (!(refuted & 1)) good = claim(f, a->gates.data[i], 2 * b->gates.data[k] | 1);
    if (good && !(refuted & 2)) good = claim(f, a->gates.data[i], 2 * b->gates.data[k]);
  }
  return good;
}

/* Whether one side implies the other, by what its gates imply. */
static alea_status imply(claim_finder *f, int from, bool *implied) {
  const fixpoint_side *a = &f->sides[from], *b = &f->sides[1 - from];
  f->claims.count = 0;
  for (size_t i = 0; i < a->gates.count; i++)
    if (!claim_all(f, from, i)) return alea_mem_lack(f->m->mem);
  return alea_fixpoint_implies(&f->m->equivalence, a->lit, b->lit, f->claims.data, f->claims.count,
                               implied);
}

static alea_status ask(claim_finder *f, alea_commuting *c, alea_lane_walk *walk,
                       const uint32_t *map, bool *equal) {
  for (int i = 0; i < 2; i++)
    if (!find_side(f, &f->sides[i])) return alea_mem_lack(f->m->mem);
  f->pairs = f->sides[0].gates.count * f->sides[1].gates.count;
  if (f->pairs == 0 || f->pairs > MOST_CLAIMS) return ALEA_OK;
  f->refuted = alea_mem_calloc(f->m->mem, f->pairs, 1);
  if (f->refuted == NULL) return alea_mem_lack(f->m->mem);
  refute_claims(f, c, walk, map);
  alea_status status = imply(f, 0, equal);
  if (status == ALEA_OK && *equal) status = imply(f, 1, equal);
  return status;
}

alea_status alea_miter_ask_fixpoint(alea_miter *m, alea_commuting *c, alea_lane_walk *walk,
                                    const uint32_t *map, const uint32_t nodes[2], bool *equal) {
  claim_finder f = {.m = m};
  *equal = false;
  for (int i = 0; i < 2; i++)
    f.sides[i] = (fixpoint_side){.copy = i, .lit = m->lits[i][nodes[i]], .node = nodes[i]};
  alea_status status = ask(&f, c, walk, map, equal);
  *equal = *equal && status == ALEA_OK;
  for (int i = 0; i < 2; i++) {
    alea_vec_clear(m->mem, &f.sides[i].gates);
    alea_vec_clear(m->mem, &f.sides[i].net_nodes);
    alea_vec_clear(m->mem, &f.sides[i].leaves);
    alea_vec_clear(m->mem, &f.sides[i].leaf_ends);
  }
  alea_mem_free(m->mem, f.refuted, f.refuted != NULL ? f.pairs : 0);
  alea_vec_clear(m->mem, &f.claims);
  return status;
}
