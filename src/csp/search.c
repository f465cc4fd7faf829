/* MAC: binary branching x = v | x != v with propagation at every node; restarts
 * and nogoods from restarts are options.
 *
 * A frame is one x = v; its refutation x != v is posted on the level below, so
 * the depth of the trail is the number of frames.
 *
 * With restarts, the variable of the last failed decision is tried first until
 * it has a value (last-conflict reasoning: Lecoutre et al., AIJ 2009), and
 * clause learning may take turns with the search: shares are counted in
 * the effort of propagation and in conflicts, not in seconds, so that runs are repeatable. */
#include "csp/search.h"
#include "csp/constraints.h"
#include "csp/learn.h"
#include "csp/relax.h"

typedef struct decision {
  alea_csp_var var;
  uint32_t index;
  bool positive;
  double share; /* of the tree, for both branches together */
} decision;

typedef struct mac {
  csp_search *search;
  ALEA_VEC(decision) branch; /* positive and negative decisions, oldest first */
  uint64_t cutoff;           /* failures left before the next restart; 0 = none */
  uint64_t luby;             /* number of the current run, from 1 */
  uint64_t length;           /* failures of the current run, where runs grow steadily */
  alea_csp_var last;         /* of the last failed decision, or NONE */
  double node, done;         /* shares of the tree: below this node, and finished */
  csp_learner *learner;
  csp_engine *root;                /* of the learner */
  bool learning;                   /* the learner takes turns; made when its first comes */
  uint64_t turn;                   /* propagations at which the turn of the learner comes */
  uint64_t share;                  /* effort of the next turn of the search */
  uint64_t conflicts;              /* of the next turn of the learner */
  bool relaxing;                   /* the linear relaxation is still to be made ... */
  uint64_t relax_at;               /* ... at this effort */
  const csp_constraint *surrogate; /* what it gave, until the next restart posts it */
  int64_t limit;                   /* no solution is better ... */
  bool has_limit;                  /* ... if this is set */
} mac_state;

enum {
  FIRST_SHARE = 25000000, /* effort of propagation before the first turn of the learner */
  FIRST_CONFLICTS = 2000, /* of its first turn, with few clauses */
  TURN = 4000000,         /* effort of a turn of each of two orders */
  SHORT_NOGOOD = 12,      /* literals of nogoods that are kept where solutions are not counted */
};

/* The Luby sequence 1 1 2 1 1 2 4 ... (Luby, Sinclair and Zuckerman, 1993). */
static uint64_t luby(uint64_t i) {
  for (uint64_t k = 1;; k++) {
    if (i == (UINT64_C(1) << k) - 1) return UINT64_C(1) << (k - 1);
    if (i < (UINT64_C(1) << k) - 1) {
      i -= (UINT64_C(1) << (k - 1)) - 1;
      k = 0;
    }
  }
}

/* Luby's sequence to count.  Otherwise runs grow by a quarter: what a run has
 * refuted is lost but for short nogoods, and some trees must be searched whole. */
static uint64_t cutoff(mac_state *mac) {
  const alea_csp_options *options = mac->search->options;
  mac->luby++;
  if (options->goal == ALEA_CSP_COUNT) return options->restart * luby(mac->luby);
  mac->length += mac->length / 4 + 1;
  return mac->length;
}

/* ---- nogoods from restarts (Lecoutre et al., IJCAI 2007) ---- */

/* Each refuted decision together with the positive ones before it.  Long ones
 * are kept only where the count depends on them. */
static bool add_nogood(mac_state *mac, size_t at) {
  csp_engine *engine = mac->search->engine;
  const decision *branch = mac->branch.data;
  size_t count = 1;
  for (size_t i = 0; i < at; i++) count += branch[i].positive;
  if (mac->search->options->goal != ALEA_CSP_COUNT &&
      (count > SHORT_NOGOOD || engine->prop_count == engine->prop_capacity))
    return true;
  csp_constraint *constraint = alea_arena_alloc(&engine->arena, sizeof *constraint);
  csp_clause *clause = alea_arena_alloc(&engine->arena, sizeof *clause);
  csp_literal *lits = alea_arena_alloc(&engine->arena, count * sizeof *lits);
  alea_csp_var *scope = alea_arena_alloc(&engine->arena, count * sizeof *scope);
  if (constraint == NULL || clause == NULL || lits == NULL || scope == NULL) return false;
  uint32_t n = 0;
  for (size_t i = 0; i <= at; i++) {
    if (!branch[i].positive && i != at) continue;
    const csp_variable *var = csp_dom(engine, branch[i].var)->var;
    scope[n] = branch[i].var;
    lits[n] = (csp_literal){n, csp_value(var, branch[i].index), true};
    n++;
  }
  *clause = (csp_clause){n, lits};
  *constraint = (csp_constraint){&csp_clause_type, n, true, scope, clause};
  mac->search->result->nogoods++;
  return csp_engine_add(engine, constraint) != NULL;
}

/* Without room for all nogoods of this run a restart would lose progress, so
 * the run continues to its end instead. */
static bool can_restart(const mac_state *mac) {
  const csp_search *search = mac->search;
  if (search->options->goal != ALEA_CSP_COUNT) return true;
  if (!search->options->nogoods) return false;
  return search->engine->prop_capacity - search->engine->prop_count > mac->branch.count;
}

static bool restart(mac_state *mac) {
  csp_search *search = mac->search;
  csp_engine *engine = search->engine;
  csp_pop_to(engine, 0);
  uint32_t before = engine->prop_count;
  for (size_t i = 0; i < mac->branch.count && search->options->nogoods; i++)
    if (!mac->branch.data[i].positive && !add_nogood(mac, i)) engine->no_memory = true;
  if (mac->surrogate != NULL && engine->prop_count < engine->prop_capacity &&
      csp_engine_add(engine, mac->surrogate) == NULL)
    engine->no_memory = true;
  mac->surrogate = NULL;
  if (engine->prop_count > before && !csp_engine_layout(engine)) engine->no_memory = true;
  mac->branch.count = 0;
  mac->node = 1;
  mac->done = 0;
  mac->cutoff = cutoff(mac);
  csp_schedule_all(engine);
  return !engine->no_memory;
}

/* ---- branch and bound ---- */

static bool bound_engine(const csp_search *search, csp_engine *engine) {
  const alea_csp *csp = engine->csp;
  if (!search->has_best) return true;
  int64_t best = search->result->best;
  return csp->maximise ? csp_at_least(engine, csp->objective, best + 1)
                       : csp_at_most(engine, csp->objective, best - 1);
}

static bool apply_bound(csp_search *search) { return bound_engine(search, search->engine); }

/* ---- the linear relaxation ---- */

static bool apply_limit(const mac_state *mac, csp_engine *engine) {
  const alea_csp *csp = engine->csp;
  if (!mac->has_limit) return true;
  return csp->maximise ? csp_at_most(engine, csp->objective, mac->limit)
                       : csp_at_least(engine, csp->objective, mac->limit);
}

/* Adds the constraint that follows from the relaxation to an engine at its root;
 * false: no better solution can satisfy it. */
static bool relax_root(mac_state *mac, csp_engine *root) {
  const alea_csp *csp = root->csp;
  mac->surrogate = csp_relax(root, &mac->search->engine->arena);
  if (mac->surrogate == NULL || csp_engine_add(root, mac->surrogate) == NULL ||
      !csp_engine_layout(root))
    return true;
  csp_schedule_all(root);
  bool held = csp_propagate(root);
  if (root->no_memory || !held) return root->no_memory;
  const csp_domain *objective = csp_dom(root, csp->objective);
  mac->has_limit = true;
  mac->limit = csp->maximise ? csp_max(objective) : csp_min(objective);
  mac->cutoff = 1; /* the search has it after the next failure */
  return true;
}

/* Once, when the search turns out to be long, for the best solution so far;
 * false: it is proved to be the best. */
static bool relax(mac_state *mac) {
  mac->relaxing = false;
  csp_engine *root = csp_engine_new(mac->search->engine->csp, 1);
  if (root == NULL) return true;
  csp_schedule_all(root);
  bool held = bound_engine(mac->search, root) && csp_propagate(root);
  held = root->no_memory || (held && relax_root(mac, root));
  csp_engine_free(root);
  return held;
}

/* ---- clause learning ---- */

/* An engine of its own, so that the search can stay where it is.  The bound of
 * the best solution so far makes its domains, and with them the clauses, fewer;
 * '*refuted': it leaves nothing. */
static bool start_learner(mac_state *mac, bool *refuted) {
  csp_search *search = mac->search;
  const csp_engine *engine = search->engine;
  const alea_mem *mem = engine->mem;
  mac->root = csp_engine_new(engine->csp, 0);
  if (mac->root == NULL) return false;
  csp_schedule_all(mac->root);
  *refuted =
      !bound_engine(search, mac->root) || !apply_limit(mac, mac->root) || !csp_propagate(mac->root);
  if (mac->root->no_memory) *refuted = false;
  if (*refuted || mac->root->no_memory) return false;
  mac->learner = csp_learner_new(mac->root, &search->options->deadline,
                                 mem->limit != 0 ? (mem->limit - mem->used) / 2 : 0);
  return mac->learner != NULL;
}

/* The turn of the learner.  A solution it finds is reported and a new bound;
 * false: it has proved that there is no other, or the search ends. */
static bool learn(mac_state *mac) {
  csp_search *search = mac->search;
  bool refuted = false;
  if (mac->learner == NULL) mac->learning = start_learner(mac, &refuted);
  if (refuted) return false;
  while (mac->learning) {
    if (search->has_best) csp_learner_bound(mac->learner, search->result->best);
    alea_verdict verdict = csp_learner_run(mac->learner, mac->conflicts);
    if (verdict == ALEA_VERDICT_REFUTED) return false;
    if (verdict == ALEA_VERDICT_UNKNOWN) break;
    csp_solution(search, mac->root);
    csp_pop_to(mac->root, 0);
    if (search->stop) return false;
  }
  mac->share += mac->share / 2;
  mac->conflicts += mac->conflicts / 2;
  mac->turn = search->engine->effort + mac->share;
  return true;
}

static bool due(const mac_state *mac) {
  return mac->learning && mac->search->engine->effort >= mac->turn;
}

/* ---- the tree ---- */

static bool branch_on(mac_state *mac, alea_csp_var var) {
  csp_search *search = mac->search;
  decision choice = {var, csp_choose_value(search, var), true, mac->node};
  if (!alea_vec_push(search->engine->mem, &mac->branch, choice)) {
    search->engine->no_memory = true;
    return false;
  }
  mac->node /= csp_dom(search->engine, var)->size; /* each value an equal share */
  csp_push(search->engine);
  csp_assign(search->engine, var, choice.index);
  return csp_node(search, (uint32_t)csp_level(search->engine));
}

/* Undoes the newest x = v and posts x != v instead; false if the tree is
 * exhausted. */
static bool refute(mac_state *mac) {
  csp_search *search = mac->search;
  mac->done += mac->node;
  while (mac->branch.count > 0 && !mac->branch.data[mac->branch.count - 1].positive)
    mac->branch.count--;
  if (mac->branch.count == 0) return false;
  decision *last = &mac->branch.data[mac->branch.count - 1];
  mac->last = last->var;
  csp_pop(search->engine);
  last->positive = false;
  mac->node = last->share - last->share / csp_dom(search->engine, last->var)->size;
  csp_remove(search->engine, last->var, last->index);
  apply_bound(search);
  return csp_node(search, (uint32_t)csp_level(search->engine));
}

/* The variable of the last conflict first, where the search restarts. */
static alea_csp_var next_variable(const mac_state *mac) {
  csp_search *search = mac->search;
  if (search->options->restart != 0 && search->options->goal != ALEA_CSP_COUNT &&
      mac->last != ALEA_CSP_NONE && csp_dom(search->engine, mac->last)->size > 1)
    return mac->last;
  return csp_choose(search, NULL);
}

/* Processes one node: propagates, then descends or backtracks.  False ends the
 * search. */
static bool step(mac_state *mac) {
  csp_search *search = mac->search;
  csp_engine *engine = search->engine;
  engine->failed = ALEA_CSP_NONE;
  if (csp_propagate(engine)) {
    alea_csp_var var = next_variable(mac);
    if (var != ALEA_CSP_NONE) return branch_on(mac, var);
    csp_solution(search, engine);
    if (search->stop) return false;
  } else {
    if (engine->no_memory) return false;
    search->result->failures++;
    csp_blame(search, engine->failed);
    if (mac->relaxing && engine->effort >= mac->relax_at && !relax(mac)) return false;
    if (due(mac) && !learn(mac)) return false;
    if (mac->cutoff != 0 && --mac->cutoff == 0 && can_restart(mac)) {
      /* The failed decision is refuted first, so that it becomes a nogood. */
      return refute(mac) && restart(mac) && apply_bound(search);
    }
  }
  return refute(mac);
}

static mac_state mac_new(csp_search *search) {
  const alea_csp_options *options = search->options;
  uint64_t share = options->turn != 0 ? options->turn : FIRST_SHARE;
  return (mac_state){.search = search,
                     .luby = 1,
                     .cutoff = options->restart,
                     .length = options->restart,
                     .last = ALEA_CSP_NONE,
                     .node = 1,
                     .learning = options->learning == ALEA_CSP_BESIDE && options->restart != 0 &&
                                 options->goal != ALEA_CSP_COUNT,
                     .turn = share,
                     .share = share,
                     .relax_at = share,
                     .conflicts = FIRST_CONFLICTS,
                     .relaxing = options->goal == ALEA_CSP_BEST && options->restart != 0};
}

static void mac_end(mac_state *mac) {
  csp_pop_to(mac->search->engine, 0);
  csp_learner_free(mac->learner);
  csp_engine_free(mac->root);
  alea_vec_clear(mac->search->engine->mem, &mac->branch);
}

void csp_search_mac(csp_search *search) {
  mac_state mac = mac_new(search);
  if (csp_node(search, 0))
    while (step(&mac)) {
    }
  mac_end(&mac);
}

/* ---- two orders in turns ---- */

/* A turn; false: the search has ended. */
static bool run_for(mac_state *mac, uint64_t effort) {
  const csp_engine *engine = mac->search->engine;
  uint64_t end = engine->effort + effort;
  while (engine->effort < end)
    if (!step(mac)) return false;
  return true;
}

/* The other search, at the same root; false without memory for it. */
static bool other_search(const csp_search *search, alea_csp_options *options, csp_search *other) {
  csp_engine *engine = csp_engine_new(search->engine->csp, 0);
  if (engine == NULL) return false;
  *options = *search->options;
  options->order = ALEA_CSP_DOM;
  *other = *search;
  other->options = options;
  other->engine = engine;
  other->until_check = csp_until_check(engine->csp);
  csp_schedule_all(engine);
  return csp_propagate(engine);
}

/* The search that finished says how many solutions there are; the work of both
 * was done. */
static void take_over(csp_search *search, const csp_search *other, bool finished) {
  alea_csp_result *result = search->result;
  const alea_csp_result *more = other->result;
  result->nodes += more->nodes;
  result->failures += more->failures;
  search->engine->propagations += other->engine->propagations;
  search->limited = search->limited || (finished && other->limited);
  if (finished) result->solutions = more->solutions;
}

/* How much effort the second of two searches may have spent for one of the first.
 * The slower one, by the share of its tree that it has finished, gets half as
 * much as it is fast, at least a sixteenth. */
static double effort_ratio(double rate, double other_rate) {
  bool slower = other_rate < rate;
  double ratio = slower ? other_rate / rate : rate > 0 ? rate / other_rate : 0;
  double part = ratio > 0.125 ? ratio / 2 : 1.0 / 16;
  return slower ? part : 1 / part;
}

static bool other_is_due(const mac_state *mac, const mac_state *other) {
  double effort = (double)mac->search->engine->effort;
  double theirs = (double)other->search->engine->effort;
  return theirs <= effort * effort_ratio(mac->done / effort, other->done / theirs);
}

static void take_turns(mac_state *mac, csp_search *other, uint64_t turn) {
  mac_state second = mac_new(other);
  bool first_goes = true, second_goes = csp_node(other, 0) && run_for(&second, turn);
  while (first_goes && second_goes) {
    if (other_is_due(mac, &second))
      second_goes = run_for(&second, turn);
    else
      first_goes = run_for(mac, turn);
  }
  bool lost = other->engine->no_memory;
  while (lost && step(mac)) {
  }
  take_over(mac->search, other, !second_goes && !lost);
  mac_end(&second);
}

void csp_search_either(csp_search *search) {
  mac_state mac = mac_new(search);
  alea_csp_options options;
  alea_csp_result result = {0};
  csp_search other = {0};
  uint64_t turn = search->options->turn != 0 ? search->options->turn : TURN;
  if (csp_node(search, 0) && run_for(&mac, turn)) {
    if (other_search(search, &options, &other)) {
      other.result = &result;
      take_turns(&mac, &other, turn);
    } else {
      while (step(&mac)) {
      }
    }
    csp_engine_free(other.engine);
  }
  mac_end(&mac);
}
