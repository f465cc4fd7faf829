/* MAC: binary branching x = v | x != v with propagation at every node; restarts
 * and nogoods from restarts are options.
 *
 * A frame is one x = v; its refutation x != v is posted on the level below, so
 * the depth of the trail is the number of frames. */
#include "csp/search.h"
#include "csp/constraints.h"

typedef struct decision {
  alea_csp_var var;
  uint32_t index;
  bool positive;
} decision;

typedef struct mac {
  csp_search *search;
  ALEA_VEC(decision) branch; /* positive and negative decisions, oldest first */
  uint64_t cutoff;           /* failures left before the next restart; 0 = none */
  uint64_t luby;             /* number of the current run, from 1 */
} mac_state;

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

/* ---- nogoods from restarts (Lecoutre et al., IJCAI 2007) ---- */

/* Each refuted decision together with the positive ones before it. */
static bool add_nogood(mac_state *mac, size_t at) {
  csp_engine *engine = mac->search->engine;
  const decision *branch = mac->branch.data;
  size_t count = 1;
  for (size_t i = 0; i < at; i++) count += branch[i].positive;
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
  if (!search->options->nogoods) return search->options->goal != ALEA_CSP_COUNT;
  return search->engine->prop_capacity - search->engine->prop_count > mac->branch.count;
}

static bool restart(mac_state *mac) {
  csp_search *search = mac->search;
  csp_engine *engine = search->engine;
  csp_pop_to(engine, 0);
  if (search->options->nogoods) {
    for (size_t i = 0; i < mac->branch.count; i++)
      if (!mac->branch.data[i].positive && !add_nogood(mac, i)) engine->no_memory = true;
    if (!csp_engine_layout(engine)) engine->no_memory = true;
  }
  mac->branch.count = 0;
  mac->cutoff = search->options->restart * luby(++mac->luby);
  csp_schedule_all(engine);
  return !engine->no_memory;
}

/* ---- branch and bound ---- */

static bool apply_bound(csp_search *search) {
  const alea_csp *csp = search->engine->csp;
  if (!search->has_best) return true;
  int64_t best = search->result->best;
  return csp->maximise ? csp_at_least(search->engine, csp->objective, best + 1)
                       : csp_at_most(search->engine, csp->objective, best - 1);
}

/* ---- the tree ---- */

static bool branch_on(mac_state *mac, alea_csp_var var) {
  csp_search *search = mac->search;
  decision choice = {var, csp_choose_value(search, var), true};
  if (!alea_vec_push(search->engine->mem, &mac->branch, choice)) {
    search->engine->no_memory = true;
    return false;
  }
  csp_push(search->engine);
  csp_assign(search->engine, var, choice.index);
  return csp_node(search, (uint32_t)csp_level(search->engine));
}

/* Undoes the newest x = v and posts x != v instead; false if the tree is
 * exhausted. */
static bool refute(mac_state *mac) {
  csp_search *search = mac->search;
  while (mac->branch.count > 0 && !mac->branch.data[mac->branch.count - 1].positive)
    mac->branch.count--;
  if (mac->branch.count == 0) return false;
  decision *last = &mac->branch.data[mac->branch.count - 1];
  csp_pop(search->engine);
  last->positive = false;
  csp_remove(search->engine, last->var, last->index);
  apply_bound(search);
  return csp_node(search, (uint32_t)csp_level(search->engine));
}

/* Processes one node: propagates, then descends or backtracks.  False ends the
 * search. */
static bool step(mac_state *mac) {
  csp_search *search = mac->search;
  csp_engine *engine = search->engine;
  engine->failed = ALEA_CSP_NONE;
  if (csp_propagate(engine)) {
    alea_csp_var var = csp_choose(search, NULL);
    if (var != ALEA_CSP_NONE) return branch_on(mac, var);
    csp_solution(search);
    if (search->stop) return false;
  } else {
    if (engine->no_memory) return false;
    search->result->failures++;
    csp_blame(search, engine->failed);
    if (mac->cutoff != 0 && --mac->cutoff == 0) {
      if (can_restart(mac)) {
        /* The failed decision is refuted first, so that it becomes a nogood. */
        return refute(mac) && restart(mac) && apply_bound(search);
      }
    }
  }
  return refute(mac);
}

void csp_search_mac(csp_search *search) {
  mac_state mac = {.search = search, .luby = 1};
  if (search->options->restart != 0) mac.cutoff = search->options->restart;
  if (csp_node(search, 0))
    while (step(&mac)) {
    }
  csp_pop_to(search->engine, 0);
  alea_vec_clear(search->engine->mem, &mac.branch);
}
