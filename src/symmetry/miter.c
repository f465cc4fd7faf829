/* The network beside its image. */
#include "symmetry/miter.h"

#include <string.h>

#include "base/hash.h"

enum {
  LOOKS = 64,          /* 64 states each, for the signatures */
  MOST_PARTNERS = 256, /* gates of the same signature that are asked about */
  MOST_MISSES = 64,    /* of the solver, for one candidate */
  MOST_ROOTS = 64,     /* that have not met their images by themselves */
  MOST_FIXPOINTS = 8   /* questions about fixpoints, the same */
};
static const alea_equivalence_limits OF_GATES = {.conflicts = 200, .diagrams_decide = true};
static const alea_equivalence_limits OF_ROOTS = {.conflicts = 5000};

static size_t nodes_of(const alea_miter *m) {
  return m->net->first_gate + (size_t)m->net->gate_count;
}

/* ---- signatures ----
 *
 * A node that varies in play is signed by that.  One that does not is signed by
 * scattered states: a full board is rare in play. */

enum { FIRST_VALUE = 1, SCATTERED = 2 }; /* bits of m->first */

static void sign(const alea_miter *m, int copy, const uint64_t *values, bool start) {
  for (size_t i = 0; i < nodes_of(m); i++) {
    if (start) {
      m->first[copy][i] = values[i] & 1;
      m->signatures[copy][i] = 0;
    }
    uint64_t word = m->first[copy][i] & FIRST_VALUE ? ~values[i] : values[i];
    uint64_t *signature = &m->signatures[copy][i];
    if (word != 0 || *signature != 0) *signature = alea_hash_join(*signature, word);
  }
}

static void sign_constants(const alea_miter *m, int copy, const uint64_t *values, bool start) {
  for (size_t i = 0; i < nodes_of(m); i++) {
    uint8_t *first = &m->first[copy][i];
    uint64_t *signature = &m->signatures[copy][i];
    if (start && *signature == 0) *first = SCATTERED | (values[i] & 1);
    if (!(*first & SCATTERED)) continue;
    uint64_t word = *first & FIRST_VALUE ? ~values[i] : values[i];
    if (word != 0 || *signature != 0) *signature = alea_hash_join(*signature, word);
  }
}

static uint64_t signature_of(const void *miter, uint32_t node) {
  return ((const alea_miter *)miter)->signatures[0][node];
}

static alea_status find_signatures(alea_miter *m, alea_commuting *c, alea_lane_walk *walk,
                                   const uint32_t *map) {
  for (int look = 0; look < LOOKS; look++) {
    if (alea_deadline_passed(m->equivalence.deadline)) return ALEA_LIMIT;
    alea_lane_walk_look(walk);
    alea_commuting_evaluate(c, walk, map);
    sign(m, 0, walk->values, look == 0);
    sign(m, 1, c->values, look == 0);
    alea_lane_walk_step(walk);
  }
  for (int look = 0; look < LOOKS; look++) {
    alea_lane_walk_scatter(&m->scattered);
    alea_commuting_evaluate(c, &m->scattered, map);
    sign_constants(m, 0, m->scattered.values, look == 0);
    sign_constants(m, 1, c->values, look == 0);
  }
  alea_hash_map_empty(&m->by_signature);
  for (uint32_t i = m->net->first_gate; i < nodes_of(m); i++) {
    if (m->signatures[0][i] == 0) continue;
    if (!alea_hash_map_reserve(&m->by_signature, m->mem, signature_of, m))
      return alea_mem_lack(m->mem);
    alea_hash_map_add(&m->by_signature, m->signatures[0][i], i);
  }
  return ALEA_OK;
}

/* ---- copies ---- */

static uint32_t literal(const alea_miter *m, int copy, alea_lit lit) {
  return m->lits[copy][lit >> 1] ^ (lit & 1);
}

static bool make_gate(alea_miter *m, int copy, uint32_t node) {
  const alea_net_gate *gate = &m->net->gates[node - m->net->first_gate];
  m->scratch.count = 0;
  if (!alea_vec_reserve(m->mem, &m->scratch, gate->input_count)) return false;
  for (uint32_t i = 0; i < gate->input_count; i++)
    m->scratch.data[i] = literal(m, copy, m->net->inputs.data[gate->first_input + i]);
  uint32_t lit = alea_circuit_gate_of(&m->circuit, gate->kind == ALEA_GATE_OR, m->scratch.data,
                                      gate->input_count);
  m->lits[copy][node] = lit;
  return lit != ALEA_NO_CIRCUIT_LIT;
}

/* Where states for a candidate come from. */
typedef struct miter_states {
  alea_commuting *commuting;
  alea_lane_walk *walk;
  const uint32_t *map;
} miter_states;

/* Looks for a gate of the network that the gate of the copy is equal to. */
static alea_status meet(alea_miter *m, const miter_states *states, uint32_t node) {
  uint64_t signature = m->signatures[1][node];
  uint32_t asked = 0;
  alea_status status = ALEA_OK;
  bool equal = signature == 0;
  alea_hash_probe probe = alea_hash_map_probe(&m->by_signature, signature);
  while (status == ALEA_OK && !equal && asked < MOST_PARTNERS && m->misses < MOST_MISSES &&
         alea_hash_map_next(&m->by_signature, &probe)) {
    if (m->signatures[0][probe.id] != signature) continue;
    uint32_t partner = m->lits[0][probe.id] ^ (m->first[0][probe.id] != m->first[1][node]);
    uint64_t undecided = m->equivalence.undecided;
    status = alea_equivalence_ask(&m->equivalence, m->lits[1][node], partner, ALEA_SLIT_TRUE,
                                  &OF_GATES, &equal);
    if (status == ALEA_OK && !equal && m->net->cycles.count > 0 &&
        m->first[0][probe.id] == m->first[1][node] && m->fixpoints_asked++ < MOST_FIXPOINTS)
      status = alea_miter_ask_fixpoint(m, states->commuting, states->walk, states->map,
                                       (const uint32_t[2]){probe.id, node}, &equal);
    asked++;
    m->misses += m->equivalence.undecided - undecided;
    if (status == ALEA_OK && equal) m->lits[1][node] = partner;
  }
  return status;
}

enum { GATES_PER_LOOK = 1024 };

/* The gates of a copy, whose leaves have their literals; 'states' for the second
 * copy. */
static alea_status make_copy(alea_miter *m, int copy, const miter_states *states) {
  const alea_net *net = m->net;
  alea_status status = ALEA_OK;
  size_t part = 0;
  m->lits[copy][0] = 0;
  for (uint32_t node = net->first_gate; node < nodes_of(m) && status == ALEA_OK;) {
    uint32_t end = node + 1, before = (uint32_t)m->circuit.gates.count;
    bool good = true;
    if (node % GATES_PER_LOOK == 0 && alea_deadline_passed(m->equivalence.deadline))
      return ALEA_LIMIT;
    if (part < net->cycles.count && net->cycles.data[part].first == node) {
      end = net->cycles.data[part].last + 1;
      good = alea_circuit_add_part(&m->circuit, net, net->cycles.data[part++], m->lits[copy]);
    } else {
      good = make_gate(m, copy, node);
    }
    if (!good) return alea_mem_lack(m->mem);
    if (copy == 1 && m->circuit.gates.count > before && end == node + 1)
      status = meet(m, states, node);
    node = end;
  }
  return status;
}

/* ---- roots ---- */

/* States that a literal that implies: they are not terminal, and each role makes
 * one legal move. */
static alea_status state_playing(alea_miter *m) {
  const alea_net *net = m->net;
  alea_sat *sat = &m->equivalence.sat;
  if (m->playing != 0) return ALEA_OK;
  alea_slit playing = alea_sat_variable(sat);
  ALEA_VEC(alea_slit) moves = {0};
  bool good = true;
  for (uint32_t r = 0; good && r < net->role_count; r++) {
    moves.count = 0;
    for (uint32_t i = net->move_first[r]; good && i < net->move_first[r + 1]; i++) {
      alea_slit move =
          alea_equivalence_literal(&m->equivalence, m->lits[0][1 + net->fluent_count + i]);
      alea_slit legal = alea_equivalence_literal(&m->equivalence, literal(m, 0, net->legal[i]));
      good = move != 0 && legal != 0 && alea_vec_push(m->mem, &moves, move);
      if (good) alea_sat_clause3(sat, -playing, -move, legal);
    }
    if (good) alea_sat_at_most_one(sat, moves.data, moves.count);
    good = good && alea_vec_push(m->mem, &moves, -playing);
    if (good) alea_sat_clause(sat, moves.data, moves.count);
  }
  alea_vec_clear(m->mem, &moves);
  alea_slit end =
      good ? alea_equivalence_literal(&m->equivalence, literal(m, 0, net->terminal)) : 0;
  if (end == 0) return alea_mem_lack(m->mem);
  alea_sat_clause2(sat, -playing, -end);
  m->playing = playing;
  return ALEA_OK;
}

/* Where a root of this kind matters. */
static alea_status where_it_matters(alea_miter *m, alea_root_kind kind, alea_slit *given) {
  *given = ALEA_SLIT_TRUE;
  if (kind == ALEA_ROOT_TERMINAL) return ALEA_OK;
  if (kind == ALEA_ROOT_NEXT || kind == ALEA_ROOT_SEES) {
    alea_status status = state_playing(m);
    *given = m->playing;
    return status;
  }
  alea_slit end = alea_equivalence_literal(&m->equivalence, literal(m, 0, m->net->terminal));
  *given = kind == ALEA_ROOT_GOAL ? end : -end;
  return end != 0 ? ALEA_OK : alea_mem_lack(m->mem);
}

static alea_status compare_roots(alea_miter *m, const uint32_t *map, bool *proved) {
  const alea_commuting *c = m->commuting;
  alea_status status = ALEA_OK;
  uint32_t asked = 0;
  *proved = true;
  for (uint32_t i = 0; i < c->roots.count && *proved && status == ALEA_OK; i++) {
    uint32_t image = alea_commuting_image(c, map, i);
    *proved = image != UINT32_MAX;
    if (!*proved) break;
    uint32_t a = literal(m, 0, c->roots.data[i].lit), b = literal(m, 1, c->roots.data[image].lit);
    if (a == b) continue;
    *proved = asked++ < MOST_ROOTS;
    if (!*proved) break;
    alea_slit given;
    status = where_it_matters(m, c->roots.data[i].kind, &given);
    if (status == ALEA_OK)
      status = alea_equivalence_ask(&m->equivalence, a, b, given, &OF_ROOTS, proved);
  }
  *proved = *proved && status == ALEA_OK;
  return status;
}

/* Goals first: they are what counts. */
static alea_status order_variables(alea_miter *m) {
  static const alea_root_kind order[] = {ALEA_ROOT_GOAL, ALEA_ROOT_TERMINAL, ALEA_ROOT_LEGAL,
                                         ALEA_ROOT_NEXT, ALEA_ROOT_SEES};
  const alea_commuting *c = m->commuting;
  m->scratch.count = 0;
  for (size_t k = 0; k < sizeof order / sizeof *order; k++)
    for (uint32_t i = 0; i < c->roots.count; i++)
      if (c->roots.data[i].kind == order[k] &&
          !alea_vec_push(m->mem, &m->scratch, literal(m, 0, c->roots.data[i].lit)))
        return alea_mem_lack(m->mem);
  return alea_equivalence_order(&m->equivalence, m->scratch.data, m->scratch.count);
}

/* ---- the object ---- */

alea_status alea_miter_init(alea_miter *m, const alea_commuting *commuting,
                            const alea_deadline *deadline, alea_mem *mem) {
  const alea_net *net = commuting->net;
  *m = (alea_miter){.mem = mem, .net = net, .commuting = commuting};
  for (int copy = 0; copy < 2; copy++) {
    m->lits[copy] = alea_mem_calloc(mem, nodes_of(m), sizeof *m->lits[copy]);
    m->signatures[copy] = alea_mem_calloc(mem, nodes_of(m), sizeof *m->signatures[copy]);
    m->first[copy] = alea_mem_calloc(mem, nodes_of(m), sizeof *m->first[copy]);
    if (m->lits[copy] == NULL || m->signatures[copy] == NULL || m->first[copy] == NULL)
      return alea_mem_lack(mem);
  }
  uint32_t leaves = net->fluent_count + net->move_count;
  alea_status status = alea_lane_walk_init(&m->scattered, net, 1, mem);
  if (status == ALEA_OK) status = alea_circuit_init(&m->circuit, leaves, mem);
  if (status == ALEA_OK)
    status = alea_equivalence_init(&m->equivalence, &m->circuit, deadline, mem);
  if (status != ALEA_OK) return status;
  for (uint32_t p = 0; p < leaves; p++) m->lits[0][1 + p] = 2 * (1 + p);
  status = make_copy(m, 0, NULL);
  return status == ALEA_OK ? order_variables(m) : status;
}

void alea_miter_clear(alea_miter *m) {
  if (m->mem == NULL) return;
  for (int copy = 0; copy < 2; copy++) {
    alea_mem_free(m->mem, m->lits[copy], nodes_of(m) * sizeof *m->lits[copy]);
    alea_mem_free(m->mem, m->signatures[copy], nodes_of(m) * sizeof *m->signatures[copy]);
    alea_mem_free(m->mem, m->first[copy], nodes_of(m) * sizeof *m->first[copy]);
  }
  alea_lane_walk_clear(&m->scattered);
  alea_equivalence_clear(&m->equivalence);
  alea_circuit_clear(&m->circuit);
  alea_hash_map_clear(&m->by_signature, m->mem);
  alea_vec_clear(m->mem, &m->scratch);
}

alea_status alea_miter_prove(alea_miter *m, alea_commuting *commuting, alea_lane_walk *walk,
                             const uint32_t *map, bool *proved) {
  *proved = false;
  miter_states states = {commuting, walk, map};
  m->misses = m->fixpoints_asked = 0;
  for (uint32_t p = 0; p < m->circuit.leaves; p++) m->lits[1][1 + map[p]] = 2 * (1 + p);
  alea_status status = find_signatures(m, commuting, walk, map);
  if (status == ALEA_OK) status = make_copy(m, 1, &states);
  return status == ALEA_OK ? compare_roots(m, map, proved) : status;
}
