/* Policies as trees: a best one is read off the cached walk, value by value. */
#include "scsp/walk.h"

void alea_policy_init(alea_policy *policy, alea_mem *mem) { *policy = (alea_policy){.mem = mem}; }

void alea_policy_clear(alea_policy *policy) {
  alea_vec_clear(policy->mem, &policy->nodes);
  alea_vec_clear(policy->mem, &policy->edges);
}

typedef struct grower {
  scsp_walk *walk;
  alea_policy *policy;
  uint64_t *set; /* scratch */
  bool no_memory;
} grower;

/* A branch still to be grown: the values on the path to it. */
typedef struct branch {
  uint32_t at;       /* variable to be assigned */
  uint32_t edge;     /* the edge that waits for this node; UINT32_MAX at the root */
  uint32_t value_at; /* the variable assigned on that edge ... */
  uint32_t value;    /* ... and its value */
} branch;

static double value_below(grower *g, uint32_t at, bool *feasible) {
  double due = scsp_due(g->walk->plan, at, g->walk->indexes);
  uint32_t value = g->walk->indexes[at];
  scsp_value rest = scsp_walk_run(g->walk, at + 1);
  g->walk->indexes[at] = value;
  *feasible = rest.feasible;
  return due + rest.c;
}

static void add_edge(grower *g, uint32_t index, double probability, double value) {
  alea_policy_edge edge = {index, 0, probability, value};
  if (!alea_vec_push(g->policy->mem, &g->policy->edges, edge)) g->no_memory = true;
}

/* Makes the edges of the node for variable 'at'; returns its value. */
static double grow_edges(grower *g, uint32_t at) {
  const scsp_plan *plan = g->walk->plan;
  const scsp_place *place = &plan->places[at];
  bool maximise = g->walk->options->aim == ALEA_SCSP_MAX, feasible;
  scsp_allowed(plan, at, g->walk->indexes, g->set);
  uint32_t raised = place->chance ? scsp_raised(plan, at, g->walk->indexes) : 0;
  double best = 0, sum = 0;
  uint32_t choice = UINT32_MAX;
  for (uint32_t v = 0; v < place->size; v++) {
    g->walk->indexes[at] = v;
    if (place->chance) {
      double p = scsp_probability(plan, at, raised, g->walk->indexes);
      if (!(p > 0)) continue;
      double value = value_below(g, at, &feasible);
      sum += p * value;
      add_edge(g, v, p, value);
      continue;
    }
    if (!scsp_in(g->set, v)) continue;
    double value = value_below(g, at, &feasible);
    if (!feasible || (choice != UINT32_MAX && !(maximise ? value > best : value < best))) continue;
    best = value;
    choice = v;
  }
  if (place->chance) return sum;
  add_edge(g, choice, 1, best);
  return best;
}

static void grow_tree(grower *g, alea_mem *mem) {
  ALEA_VEC(branch) open = {0};
  const scsp_plan *plan = g->walk->plan;
  alea_policy *policy = g->policy;
  if (!alea_vec_push(mem, &open, (branch){0, UINT32_MAX, UINT32_MAX, 0})) g->no_memory = true;
  while (open.count > 0 && !g->no_memory && g->walk->stopped == ALEA_SCSP_UNLIMITED) {
    branch next = open.data[--open.count];
    if (next.edge != UINT32_MAX) {
      policy->edges.data[next.edge].node = (uint32_t)policy->nodes.count;
      g->walk->indexes[next.value_at] = next.value;
    }
    uint32_t first = (uint32_t)policy->edges.count;
    alea_policy_node node = {ALEA_CSP_NONE, first, 0, 0};
    if (next.at < plan->count) {
      node.var = next.at;
      node.value = grow_edges(g, next.at);
      node.edges = (uint32_t)policy->edges.count - first;
    }
    if (policy->nodes.count >= UINT32_MAX || policy->edges.count >= UINT32_MAX ||
        !alea_vec_push(policy->mem, &policy->nodes, node))
      g->no_memory = true;
    /* Last first, so that branches are grown in the order of the values. */
    for (uint32_t e = node.edges; e-- > 0 && !g->no_memory;) {
      branch child = {next.at + 1, first + e, next.at, policy->edges.data[first + e].index};
      if (!alea_vec_push(mem, &open, child)) g->no_memory = true;
    }
  }
  alea_vec_clear(mem, &open);
}

static void grow(grower *g, alea_mem *mem, alea_scsp_result *result) {
  scsp_value value = scsp_walk_run(g->walk, 0);
  result->status = value.feasible ? ALEA_OK : ALEA_NO;
  result->value = value.c;
  if (value.feasible) grow_tree(g, mem);
  result->nodes = g->walk->nodes;
}

alea_status alea_scsp_policy(const alea_scsp *scsp, const alea_scsp_options *options,
                             alea_policy *policy, alea_scsp_result *result) {
  *result = (alea_scsp_result){.status = scsp->csp->state};
  if (result->status != ALEA_OK) return result->status;
  scsp_plan *plan = scsp_plan_new(scsp, options->player, 0, &options->deadline, &result->limit);
  if (plan == NULL) return result->status = scsp_limit_status(result->limit);
  uint32_t widest = 1;
  for (uint32_t v = 0; v < plan->count; v++)
    if (plan->places[v].words > widest) widest = plan->places[v].words;
  scsp_walk walk;
  grower g = {&walk, policy, alea_arena_alloc(&plan->arena, widest * sizeof *g.set), false};
  if (scsp_walk_init(&walk, plan, options, true) && g.set != NULL)
    grow(&g, scsp->mem, result);
  else
    g.no_memory = true;
  result->limit = g.no_memory ? scsp_lack(scsp->mem) : walk.stopped;
  if (g.no_memory || walk.stopped != ALEA_SCSP_UNLIMITED)
    result->status = scsp_limit_status(result->limit);
  scsp_walk_clear(&walk);
  scsp_plan_free(plan);
  return result->status;
}
