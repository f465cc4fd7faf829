/* Algorithm 1 of [SCSP14 §5], corrected (D11): the first policy that reaches a
 * threshold, and the best one by raising the threshold.
 *
 * A decision is taken as soon as it reaches what is needed.  At a chance
 * variable what the values so far have brought is taken off what the next ones
 * must bring, and the variable is given up when even the most its other values
 * could pay is not enough.  The policy is a tree with a branch for each value of
 * chance: the printed algorithm keeps one list of decisions, in which a later
 * branch overwrites an earlier one. */
#include <math.h>

#include "scsp/walk.h"

typedef ALEA_VEC(alea_policy_edge) edge_list;

typedef struct first_frame {
  double stop; /* enough: a decision that reaches this is taken */
  double need; /* below this the branch may be cut */
  double acc;  /* decision: best so far; chance: sum so far */
  double left; /* chance: mass not yet tried */
  bool feasible;
  edge_list edges; /* of the node to be: the best decision, or the values of chance */
} first_frame;

typedef struct first_search {
  const scsp_plan *plan;
  alea_mem *mem;
  scsp_walk walk; /* its values and sets are used, not its walk */
  first_frame *frames;
  double reached;      /* by the policy that was found last; -INFINITY before */
  double *bounds;      /* per variable: upper bound of what is paid from it on */
  alea_policy *policy; /* as found, children first; NULL: none wanted */
  bool no_memory;
} first_search;

/* ---- the policy ---- */

/* Adds the node of a variable with its edges, or a leaf; returns its number. */
static uint32_t add_node(first_search *s, alea_csp_var var, const edge_list *edges, double value) {
  if (s->policy == NULL) return 0;
  alea_policy *policy = s->policy;
  size_t count = edges != NULL ? edges->count : 0;
  alea_policy_node node = {var, (uint32_t)policy->edges.count, (uint32_t)count, value};
  bool good = policy->nodes.count < UINT32_MAX && policy->edges.count + count < UINT32_MAX;
  for (size_t i = 0; i < count && good; i++)
    good = alea_vec_push(s->mem, &policy->edges, edges->data[i]);
  if (!good || !alea_vec_push(s->mem, &policy->nodes, node)) s->no_memory = true;
  return (uint32_t)policy->nodes.count - 1;
}

static void add_edge(first_search *s, uint32_t at, uint32_t node, double value) {
  if (s->policy == NULL) return;
  const scsp_frame *frame = &s->walk.frames[at];
  edge_list *edges = &s->frames[at].edges;
  if (!s->plan->places[at].chance) edges->count = 0; /* a better decision */
  alea_policy_edge edge = {s->walk.indexes[at], node, frame->probability, value};
  if (!alea_vec_push(s->mem, edges, edge)) s->no_memory = true;
}

/* Numbers the nodes that the policy is made of anew, parents first. */
static bool put_in_order(const alea_policy *found, uint32_t root, alea_policy *out) {
  alea_u32s queue = {0}; /* of nodes found, in the order of those made */
  bool good = alea_vec_push(out->mem, &queue, root);
  for (size_t i = 0; i < queue.count && good; i++) {
    alea_policy_node node = found->nodes.data[queue.data[i]];
    const alea_policy_edge *edges = found->edges.data + node.first;
    node.first = (uint32_t)out->edges.count;
    for (uint32_t e = 0; e < node.edges && good; e++) {
      alea_policy_edge edge = edges[e];
      good = alea_vec_push(out->mem, &queue, edge.node);
      edge.node = (uint32_t)queue.count - 1;
      good = good && alea_vec_push(out->mem, &out->edges, edge);
    }
    good = good && alea_vec_push(out->mem, &out->nodes, node);
  }
  alea_vec_clear(out->mem, &queue);
  return good;
}

/* ---- the search ---- */

static void first_open(first_search *s, uint32_t at, double stop, double need) {
  bool chance = s->plan->places[at].chance;
  first_frame *f = &s->frames[at];
  scsp_frame *frame = &s->walk.frames[at];
  f->stop = stop;
  f->need = need;
  f->left = 1;
  f->acc = chance ? 0 : -INFINITY;
  f->feasible = chance;
  f->edges.count = 0;
  frame->next = 0;
  scsp_allowed(s->plan, at, s->walk.indexes, frame->allowed);
  frame->raised = chance ? scsp_raised(s->plan, at, s->walk.indexes) : 0;
}

static void look_around(first_search *s, uint32_t at) {
  const alea_scsp_options *options = s->walk.options;
  s->walk.nodes++;
  s->walk.until_look -= s->plan->places[at].cost;
  if (options->max_nodes != 0 && s->walk.nodes > options->max_nodes)
    s->walk.stopped = ALEA_SCSP_NODES;
  if (s->walk.until_look > 0) return;
  s->walk.until_look = SCSP_LOOK;
  if (alea_deadline_passed(&options->deadline)) s->walk.stopped = ALEA_SCSP_TIME;
  if (options->on_progress == NULL) return;
  alea_scsp_progress progress = {s->walk.nodes, at, s->reached, s->bounds[0]};
  options->on_progress(options->data, &progress);
}

/* The next value worth trying; false when the frame is decided. */
static bool first_next(first_search *s, uint32_t at) {
  const scsp_place *place = &s->plan->places[at];
  first_frame *f = &s->frames[at];
  scsp_frame *frame = &s->walk.frames[at];
  if (!place->chance && f->feasible && f->acc >= f->stop) return false;
  /* The upper cut: even the best rest would not reach the target. */
  if (place->chance && f->acc + f->left * s->bounds[at] < f->need - 1e-12) return false;
  while (frame->next < place->size) {
    uint32_t v = s->walk.indexes[at] = frame->next++;
    bool allowed = scsp_in(frame->allowed, v);
    frame->probability = 1;
    if (place->chance) {
      frame->probability = scsp_probability(s->plan, at, frame->raised, s->walk.indexes);
      if (!(frame->probability > 0)) continue;
      if (!allowed) {
        f->feasible = false;
        return false;
      }
    } else if (!allowed) {
      continue;
    }
    frame->due = scsp_due(s->plan, at, s->walk.indexes);
    look_around(s, at);
    return true;
  }
  return false;
}

static void first_take(first_search *s, uint32_t at, double value, bool feasible, uint32_t node) {
  first_frame *f = &s->frames[at];
  scsp_frame *frame = &s->walk.frames[at];
  value += frame->due;
  if (s->plan->places[at].chance) {
    f->feasible = f->feasible && feasible;
    f->acc += frame->probability * value;
    f->left -= frame->probability;
    if (!f->feasible) frame->next = s->plan->places[at].size;
    add_edge(s, at, node, value);
  } else if (feasible && (!f->feasible || value > f->acc)) {
    f->acc = value;
    f->feasible = true;
    add_edge(s, at, node, value);
  }
}

/* What a value of 'at' must bring, into the frame of the next variable. */
static void first_descend(first_search *s, uint32_t at) {
  const first_frame *f = &s->frames[at];
  const scsp_frame *frame = &s->walk.frames[at];
  double stop = f->stop, need = f->need;
  if (s->plan->places[at].chance) { /* the other values may pay nothing, or the most */
    stop = (stop - f->acc) / frame->probability;
    need = (need - f->acc - (f->left - frame->probability) * s->bounds[at]) / frame->probability;
  }
  first_open(s, at + 1, stop - frame->due, need - frame->due);
}

static double first_run(first_search *s, double theta, bool *feasible, uint32_t *root) {
  uint32_t at = 0, count = s->plan->count;
  *feasible = true;
  *root = 0;
  if (count == 0) {
    *root = add_node(s, ALEA_CSP_NONE, NULL, 0);
    return scsp_end_pay(s->plan);
  }
  first_open(s, 0, theta, theta);
  while (s->walk.stopped == ALEA_SCSP_UNLIMITED && !s->no_memory) {
    double value = scsp_end_pay(s->plan);
    bool good = true;
    uint32_t node;
    if (first_next(s, at)) {
      if (at + 1 < count) {
        first_descend(s, at++);
        continue;
      }
      node = add_node(s, ALEA_CSP_NONE, NULL, value);
      first_take(s, at, value, good, node);
      continue;
    }
    value = s->frames[at].acc;
    good = s->frames[at].feasible;
    node = good ? add_node(s, at, &s->frames[at].edges, value) : 0;
    if (at == 0) {
      *feasible = good;
      *root = node;
      return value;
    }
    first_take(s, --at, value, good, node);
  }
  *feasible = false;
  return 0;
}

/* Whether there is a policy that pays 'theta' or more; '*value' is what the one
 * found pays, '*root' its node. */
static bool reach(first_search *s, double theta, double *value, uint32_t *root) {
  bool feasible = false;
  if (s->policy != NULL) s->policy->nodes.count = s->policy->edges.count = 0;
  *value = s->plan->impossible ? 0 : first_run(s, theta, &feasible, root);
  return feasible && *value >= theta - 1e-12;
}

static void conclude(const first_search *s, alea_scsp_result *result) {
  result->nodes = s->walk.nodes;
  result->limit = s->no_memory ? scsp_lack(s->mem) : s->walk.stopped;
  if (s->no_memory || s->walk.stopped != ALEA_SCSP_UNLIMITED)
    result->status = scsp_limit_status(result->limit);
}

/* Raises the threshold to just above what was found, until nothing is. */
static void search_best(first_search *s, alea_policy *policy, alea_scsp_result *result) {
  double theta = -INFINITY, value;
  uint32_t root;
  result->status = ALEA_NO;
  while (reach(s, theta, &value, &root)) {
    result->status = ALEA_OK;
    result->value = s->reached = value;
    result->found = true;
    theta = value + 1e-9;
    if (policy == NULL) continue;
    policy->nodes.count = policy->edges.count = 0;
    if (!put_in_order(s->policy, root, policy)) s->no_memory = true;
  }
}

static void search_first(first_search *s, double theta, alea_policy *policy,
                         alea_scsp_result *result) {
  uint32_t root;
  bool reached = reach(s, theta, &result->value, &root);
  result->status = reached ? ALEA_OK : ALEA_NO;
  if (reached && policy != NULL && !put_in_order(s->policy, root, policy)) s->no_memory = true;
}

alea_status alea_scsp_search(const alea_scsp *scsp, const alea_scsp_options *options,
                             const double *theta, alea_policy *policy, alea_scsp_result *result) {
  double started = alea_clock_thread();
  *result = (alea_scsp_result){.status = scsp->csp->state};
  if (result->status != ALEA_OK) return result->status;
  if (options->player >= scsp->players) return result->status = ALEA_USAGE;
  scsp_plan *plan = scsp_plan_new(scsp, options->player, 0, &options->deadline, &result->limit);
  if (plan == NULL) return result->status = scsp_limit_status(result->limit);
  size_t n = plan->count + 1;
  alea_policy found;
  alea_policy_init(&found, scsp->mem);
  first_search s = {.plan = plan,
                    .mem = scsp->mem,
                    .policy = policy != NULL ? &found : NULL,
                    .reached = -INFINITY};
  s.frames = alea_mem_calloc(scsp->mem, n, sizeof *s.frames);
  s.bounds = alea_mem_calloc(scsp->mem, n, sizeof *s.bounds);
  if (!scsp_walk_init(&s.walk, plan, options, false) || s.frames == NULL || s.bounds == NULL) {
    s.no_memory = true;
  } else {
    scsp_most_paid(plan, s.bounds);
    if (theta == NULL)
      search_best(&s, policy, result);
    else
      search_first(&s, *theta, policy, result);
  }
  conclude(&s, result);
  for (size_t i = 0; s.frames != NULL && i < n; i++) alea_vec_clear(scsp->mem, &s.frames[i].edges);
  alea_mem_free(scsp->mem, s.frames, n * sizeof *s.frames);
  alea_mem_free(scsp->mem, s.bounds, n * sizeof *s.bounds);
  alea_policy_clear(&found);
  scsp_walk_clear(&s.walk);
  scsp_plan_free(plan);
  result->seconds = alea_clock_thread() - started;
  return result->status;
}
