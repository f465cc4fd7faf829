/* Roots and their images, and the test in random play. */
#include "symmetry/commuting.h"

static bool add_root(alea_commuting *c, alea_root_kind kind, alea_lit lit) {
  return alea_vec_push(c->mem, &c->roots, ((alea_root){kind, lit}));
}

static bool list_roots(alea_commuting *c) {
  const alea_net *net = c->net;
  bool good = add_root(c, ALEA_ROOT_TERMINAL, net->terminal);
  c->first_legal = (uint32_t)c->roots.count;
  for (uint32_t m = 0; good && m < net->move_count; m++)
    good = add_root(c, ALEA_ROOT_LEGAL, net->legal[m]);
  c->first_goal = (uint32_t)c->roots.count;
  for (size_t i = 0; good && i < net->goals.count; i++)
    good = add_root(c, ALEA_ROOT_GOAL, net->goals.data[i].lit);
  c->first_next = (uint32_t)c->roots.count;
  for (uint32_t f = 0; good && f < net->fluent_count; f++)
    good = add_root(c, ALEA_ROOT_NEXT, net->next[f]);
  c->first_sees = (uint32_t)c->roots.count;
  for (size_t i = 0; good && i < net->percepts.count; i++)
    good = add_root(c, ALEA_ROOT_SEES, net->percepts.data[i].lit);
  return good;
}

static size_t percept_pairs(const alea_commuting *c) {
  return (size_t)c->net->role_count * c->net->percept_count;
}

static size_t nodes_of(const alea_net *net) { return net->first_gate + (size_t)net->gate_count; }

alea_status alea_commuting_init(alea_commuting *c, const alea_net *net,
                                const alea_candidates *candidates, alea_mem *mem) {
  *c = (alea_commuting){.mem = mem, .net = net, .candidates = candidates};
  c->percept_root = alea_mem_calloc(mem, percept_pairs(c), sizeof *c->percept_root);
  c->values = alea_mem_calloc(mem, nodes_of(net), sizeof *c->values);
  if (c->percept_root == NULL || c->values == NULL || !list_roots(c)) return alea_mem_lack(mem);
  for (size_t i = 0; i < percept_pairs(c); i++) c->percept_root[i] = UINT32_MAX;
  for (size_t i = 0; i < net->percepts.count; i++) {
    const alea_net_percept *p = &net->percepts.data[i];
    c->percept_root[(size_t)p->role * net->percept_count + p->percept] =
        c->first_sees + (uint32_t)i;
  }
  c->values[0] = ~(uint64_t)0;
  return ALEA_OK;
}

void alea_commuting_clear(alea_commuting *c) {
  if (c->net == NULL) return;
  alea_vec_clear(c->mem, &c->roots);
  alea_mem_free(c->mem, c->percept_root, percept_pairs(c) * sizeof *c->percept_root);
  alea_mem_free(c->mem, c->values, nodes_of(c->net) * sizeof *c->values);
}

/* ---- images ---- */

/* The goal of the same value, and the same rank among equals. */
static uint32_t goal_image(const alea_commuting *c, const uint32_t *map, uint32_t goal) {
  const alea_net_goal *goals = c->net->goals.data;
  uint32_t role = alea_candidates_roles(c->candidates, map)[goals[goal].role], rank = 0;
  for (uint32_t i = 0; i < goal; i++)
    rank += goals[i].role == goals[goal].role && goals[i].value == goals[goal].value;
  for (uint32_t i = 0; i < c->net->goals.count; i++)
    if (goals[i].role == role && goals[i].value == goals[goal].value && rank-- == 0)
      return c->first_goal + i;
  return UINT32_MAX;
}

uint32_t alea_commuting_image(const alea_commuting *c, const uint32_t *map, uint32_t root) {
  const alea_candidates *k = c->candidates;
  if (root >= c->first_sees) {
    const alea_net_percept *p = &c->net->percepts.data[root - c->first_sees];
    uint32_t role = alea_candidates_roles(k, map)[p->role];
    uint32_t percept = alea_candidates_percepts(k, map)[p->percept];
    return c->percept_root[(size_t)role * c->net->percept_count + percept];
  }
  if (root >= c->first_next) return c->first_next + map[root - c->first_next];
  if (root >= c->first_goal) return goal_image(c, map, root - c->first_goal);
  if (root < c->first_legal) return root;
  uint32_t fluents = c->net->fluent_count;
  return c->first_legal + map[fluents + root - c->first_legal] - fluents;
}

/* ---- the test ---- */

static void map_leaves(alea_commuting *c, const alea_lane_walk *walk, const uint32_t *map) {
  uint32_t leaves = c->net->fluent_count + c->net->move_count;
  for (uint32_t p = 0; p < leaves; p++) c->values[1 + map[p]] = walk->values[1 + p];
}

void alea_commuting_evaluate(alea_commuting *c, const alea_lane_walk *walk, const uint32_t *map) {
  map_leaves(c, walk, map);
  alea_lane_evaluate(c->net, ALEA_PHASE_STATE, ALEA_PHASE_SEES, c->values);
}

static bool test_roots(const alea_commuting *c, const alea_lane_walk *walk, const uint32_t *map,
                       uint32_t first, uint32_t end) {
  uint64_t terminal = alea_lane_value(walk->values, c->net->terminal);
  for (uint32_t i = first; i < end; i++) {
    const alea_root *root = &c->roots.data[i];
    uint32_t image = alea_commuting_image(c, map, i);
    if (image == UINT32_MAX) return false;
    uint64_t matters = root->kind == ALEA_ROOT_TERMINAL ? ~(uint64_t)0
                       : root->kind == ALEA_ROOT_LEGAL  ? ~terminal
                       : root->kind == ALEA_ROOT_GOAL   ? terminal
                                                        : ~walk->ended;
    uint64_t differ = alea_lane_value(walk->values, root->lit) ^
                      alea_lane_value(c->values, c->roots.data[image].lit);
    if ((differ & matters) != 0) return false;
  }
  return true;
}

bool alea_commuting_test(alea_commuting *c, const alea_lane_walk *walk, const uint32_t *map) {
  map_leaves(c, walk, map);
  alea_lane_evaluate(c->net, ALEA_PHASE_STATE, ALEA_PHASE_GOAL, c->values);
  if (!test_roots(c, walk, map, 0, c->first_next)) return false;
  alea_lane_evaluate(c->net, ALEA_PHASE_NEXT, ALEA_PHASE_SEES, c->values);
  return test_roots(c, walk, map, c->first_next, (uint32_t)c->roots.count);
}
