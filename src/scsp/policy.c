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
  /* Of a walk that was given up: the first variables have these values, and 'rest' is paid from
   * the one that is next on. */
  uint32_t *given;
  uint32_t given_count;
  double rest;
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

/* The edge of a variable whose value is given. */
static double grow_given(grower *g, uint32_t at) {
  double value = g->rest;
  g->walk->indexes[at] = g->given[at];
  add_edge(g, g->given[at], 1, value);
  g->rest -= scsp_due(g->walk->plan, at, g->walk->indexes);
  return value;
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
      node.value = next.at < g->given_count ? grow_given(g, next.at) : grow_edges(g, next.at);
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

/* The walk was given up: the best policy that is wholly known begins with the values that lead to
 * it, and all below is known.  There is a little time to write it down. */
static void keep(grower *g, double value, alea_deadline *deadline) {
  static const double grace = 0.25;
  scsp_walk *walk = g->walk;
  for (uint32_t v = 0; v < walk->kept; v++) g->given[v] = walk->indexes[v];
  g->given[walk->kept] = walk->frames[walk->kept].choice;
  g->given_count = walk->kept + 1;
  g->rest = value;
  *deadline = alea_deadline_in(grace);
  walk->stopped = ALEA_SCSP_UNLIMITED;
}

static void grow(grower *g, alea_mem *mem, alea_scsp_result *result) {
  /* To write it down is not to search: no node counts, and nobody is told. */
  alea_scsp_options later = {.aim = g->walk->options->aim,
                             .player = g->walk->options->player,
                             .deadline = g->walk->options->deadline};
  scsp_value value = scsp_walk_run(g->walk, 0);
  scsp_walk_conclude(g->walk, value, result);
  if (!value.feasible) return;
  if (result->found) keep(g, value.c, &later.deadline);
  g->walk->options = &later;
  grow_tree(g, mem);
  if (g->walk->stopped == ALEA_SCSP_UNLIMITED && !g->no_memory) return;
  alea_policy_clear(g->policy);
  alea_policy_init(g->policy, mem);
  if (result->found) return;
  result->limit = g->no_memory ? scsp_lack(mem) : g->walk->stopped;
  result->status = scsp_limit_status(result->limit);
  result->found = true;
}

static uint32_t widest_of(const scsp_plan *plan) {
  uint32_t widest = 1;
  for (uint32_t v = 0; v < plan->count; v++)
    if (plan->places[v].words > widest) widest = plan->places[v].words;
  return widest;
}

alea_status alea_scsp_policy(const alea_scsp *scsp, const alea_scsp_options *options,
                             alea_policy *policy, alea_scsp_result *result) {
  double start = alea_clock_thread();
  *result = (alea_scsp_result){.status = scsp->csp->state};
  if (result->status != ALEA_OK) return result->status;
  scsp_plan *plan = scsp_plan_new(scsp, options->player, 0, &options->deadline, &result->limit);
  if (plan == NULL) return result->status = scsp_limit_status(result->limit);
  size_t n = plan->count + 1;
  scsp_walk walk;
  double *most = alea_arena_alloc(&plan->arena, n * sizeof *most);
  grower g = {.walk = &walk,
              .policy = policy,
              .set = alea_arena_alloc(&plan->arena, widest_of(plan) * sizeof *g.set),
              .given = alea_arena_alloc(&plan->arena, n * sizeof *g.given)};
  if (scsp_walk_init(&walk, plan, options, true) && g.set != NULL && g.given != NULL &&
      most != NULL) {
    scsp_most_paid(plan, most);
    walk.most = most;
    grow(&g, scsp->mem, result);
  } else {
    result->limit = scsp_lack(scsp->mem);
    result->status = scsp_limit_status(result->limit);
  }
  scsp_walk_clear(&walk);
  scsp_plan_free(plan);
  result->seconds = alea_clock_thread() - start;
  return result->status;
}
