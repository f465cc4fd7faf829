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

/* ---- showing ---- */

typedef struct shown {
  uint32_t node, depth;
  uint32_t edge, from; /* that leads here, and the node it is of */
} shown;

static void print_edge(const alea_policy *policy, const alea_scsp *scsp, shown at,
                       alea_text *text) {
  const alea_policy_edge *edge = &policy->edges.data[at.edge];
  const alea_policy_node *from = &policy->nodes.data[at.from];
  const csp_variable *var = &scsp->csp->vars.data[from->var];
  alea_text_format(text, "%s = %d", var->name, csp_value(var, edge->index));
  if (from->edges > 1 || edge->probability < 1)
    alea_text_format(text, "  (probability %.6g)", edge->probability);
}

void alea_policy_print(const alea_policy *policy, const alea_scsp *scsp, alea_text *text) {
  ALEA_VEC(shown) open = {0};
  if (policy->nodes.count == 0) return;
  bool good = alea_vec_push(policy->mem, &open, (shown){0, 0, UINT32_MAX, 0});
  while (good && open.count > 0) {
    shown at = open.data[--open.count];
    const alea_policy_node *node = &policy->nodes.data[at.node];
    if (at.edge != UINT32_MAX) {
      for (uint32_t i = 1; i < at.depth; i++) alea_text_put(text, "  ");
      print_edge(policy, scsp, at, text);
      alea_text_format(text, "  -> %.10g\n", policy->edges.data[at.edge].value);
    } else {
      alea_text_format(text, "value %.10g\n", node->value);
    }
    for (uint32_t e = node->edges; e-- > 0 && good;)
      good = alea_vec_push(policy->mem, &open,
                           (shown){policy->edges.data[node->first + e].node, at.depth + 1,
                                   node->first + e, at.node});
  }
  if (!good) text->failed = true;
  alea_vec_clear(policy->mem, &open);
}

/* Leaves get columns from left to right; an inner node stands over its first
 * and last child.  Nodes are numbered parents first, so one backward pass
 * places all. */
void alea_policy_svg(const alea_policy *policy, const alea_scsp *scsp, alea_text *text) {
  size_t n = policy->nodes.count;
  double *x = alea_mem_calloc(policy->mem, n, sizeof *x);
  uint32_t *depth = alea_mem_calloc(policy->mem, n, sizeof *depth);
  if (x == NULL || depth == NULL) text->failed = true;
  uint32_t column = 0, deepest = 0;
  for (size_t i = 0; i < n && !text->failed; i++) {
    const alea_policy_node *node = &policy->nodes.data[i];
    if (node->edges == 0) x[i] = 60.0 * column++ + 40;
    if (depth[i] > deepest) deepest = depth[i];
    for (uint32_t e = 0; e < node->edges; e++)
      depth[policy->edges.data[node->first + e].node] = depth[i] + 1;
  }
  for (size_t i = n; i-- > 0 && !text->failed;) {
    const alea_policy_node *node = &policy->nodes.data[i];
    if (node->edges != 0)
      x[i] = (x[policy->edges.data[node->first].node] +
              x[policy->edges.data[node->first + node->edges - 1].node]) /
             2;
  }
  alea_text_format(text,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
                   "font-family=\"sans-serif\" font-size=\"11\">\n",
                   60 * column + 40, 60 * deepest + 80);
  for (size_t i = 0; i < n && !text->failed; i++) {
    const alea_policy_node *node = &policy->nodes.data[i];
    double y = 60.0 * depth[i] + 30;
    for (uint32_t e = 0; e < node->edges; e++) {
      const alea_policy_edge *edge = &policy->edges.data[node->first + e];
      const csp_variable *var = &scsp->csp->vars.data[node->var];
      alea_text_format(text,
                       "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#888\"/>\n"
                       "<text x=\"%.1f\" y=\"%.1f\">%d</text>\n",
                       x[i], y, x[edge->node], y + 60, (x[i] + x[edge->node]) / 2 + 3, y + 34,
                       csp_value(var, edge->index));
    }
    bool chance = node->var != ALEA_CSP_NONE && alea_scsp_is_chance(scsp, node->var);
    alea_text_format(
        text, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"14\" fill=\"%s\" stroke=\"#333\"/>\n", x[i], y,
        node->edges == 0 ? "#ffffff"
        : chance         ? "#ffe0a0"
                         : "#a0d0ff");
    if (node->var != ALEA_CSP_NONE)
      alea_text_format(text, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.12s</text>\n",
                       x[i], y + 4, scsp->csp->vars.data[node->var].name);
  }
  alea_text_put(text, "</svg>\n");
  alea_mem_free(policy->mem, x, n * sizeof *x);
  alea_mem_free(policy->mem, depth, n * sizeof *depth);
}
