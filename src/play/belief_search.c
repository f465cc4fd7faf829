/* Search over beliefs. */
#include "play/belief_search.h"

#include <math.h>

enum {
  MOST_DEPTH = 1024,
  MOST_TRIES = 4,     /* arms tried by one simulation */
  MOST_LOOKED = 8,    /* scenarios that a look ahead has, */
  LOOKED_MOVES = 512, /* and successors, as long as that is one scenario at least */
  LOOK_PART = 64,     /* successors between two looks at the clock */
  STEPS_PER_SIM = 16, /* steps of scenarios that are as much as a playout */
  PLAYOUTS = 2,       /* of an arm that is tried, one for each belief behind it at least */
  ROOT_PLAYOUTS = 32, /* of the root, but no more than a part of a budget */
  ROOT_PART = 16,
};

/* What is won in one step more is worth a little less: of policies that are equal, the
 * shorter one. */
static const float HASTE = 0.9999f;
static const float TOLERANCE = 1e-5f;

bool alea_belief_search_fits(const alea_game *game) {
  return game->has_sees && game->role_count - (game->random_role >= 0 ? 1u : 0u) == 1;
}

/* ---- set up ---- */

alea_status alea_belief_search_init(alea_belief_search *search, const alea_player_setup *setup,
                                    const alea_search_options *options, alea_player_stats *stats) {
  alea_mem *mem = setup->mem;
  const alea_game *game = setup->game;
  *search = (alea_belief_search){.mem = mem, .setup = setup, .stats = stats, .c = options->c};
  alea_rng_seed_stream(&search->rng, setup->seed, 3);
  alea_leaf_batch_init(&search->leaves, setup);
  search->rewards = alea_mem_calloc(mem, game->role_count, sizeof *search->rewards);
  search->gain_count = alea_game_move_count(game, setup->role);
  search->gains = alea_mem_calloc(mem, search->gain_count, sizeof *search->gains);
  if (search->rewards == NULL || search->gains == NULL) return alea_mem_lack(mem);
  alea_status status =
      alea_belief_graph_init(&search->graph, game, setup->role, options->memory, mem);
  if (status == ALEA_OK)
    status =
        alea_rollout_init(&search->rollout, game, ALEA_ROLLOUT_UNIFORM, 1, options->step_cap, mem);
  return status == ALEA_OK ? alea_leaf_batch_open(&search->leaves, setup, &search->rng) : status;
}

void alea_belief_search_clear(alea_belief_search *search) {
  alea_mem *mem = search->mem;
  if (mem == NULL) return;
  alea_belief_graph_clear(&search->graph);
  alea_rollout_clear(&search->rollout);
  alea_leaf_batch_clear(&search->leaves);
  alea_mem_free(mem, search->rewards, search->setup->game->role_count * sizeof *search->rewards);
  alea_mem_free(mem, search->gains, search->gain_count * sizeof *search->gains);
  alea_vec_clear(mem, &search->trace);
  alea_vec_clear(mem, &search->path);
  alea_vec_clear(mem, &search->moves);
  alea_vec_clear(mem, &search->goals);
  alea_vec_clear(mem, &search->ends);
  alea_vec_clear(mem, &search->hopes);
  alea_vec_clear(mem, &search->choices);
}

static alea_belief_node *node_at(const alea_belief_search *s, alea_belief_id id) {
  return alea_belief_graph_at(&s->graph, id);
}

static bool is_late(void *context) {
  const alea_belief_search *s = context;
  return alea_time_manager_late(s->time_manager);
}

/* ---- first values ---- */

static const alea_scenario *draw(alea_belief_search *s, const alea_belief_node *node) {
  float lot = (float)alea_rng_below(&s->rng, 1 << 24) / (1 << 24);
  for (uint32_t i = 0; i + 1 < node->scenario_count; i++) {
    lot -= node->scenarios[i].weight;
    if (lot < 0) return &node->scenarios[i];
  }
  return &node->scenarios[node->scenario_count - 1];
}

/* The value of uniform play at 'node', by so many playouts. */
static alea_status value_node(alea_belief_search *s, alea_belief_node *node, uint32_t playouts) {
  float sum = 0, count = (float)playouts;
  for (uint32_t i = 0; i < playouts; i++) {
    const alea_scenario *scenario = draw(s, node);
    s->trace.count = 0;
    alea_status status = alea_cursor_load(s->graph.cursor, scenario->words, scenario->word_count);
    if (status == ALEA_OK)
      status = alea_rollout_run(&s->rollout, s->graph.cursor, &s->rng, &s->trace, s->rewards);
    if (status != ALEA_OK) return status;
    sum += s->rewards[s->setup->role];
  }
  s->stats->sims += playouts;
  float guess = (sum + 1) / (count + 2);
  node->value = node->base = sum / count;
  node->variance = node->base_variance = guess * (1 - guess) / count;
  node->valued = true;
  return ALEA_OK;
}

/* One playout for each belief behind an arm, and more where it is likely. */
static alea_status value_edges(alea_belief_search *s, const alea_belief_arm *arm) {
  for (uint32_t i = 0; i < arm->edge_count; i++) {
    alea_belief_node *to = node_at(s, arm->edges[i].to);
    if (to->valued) continue;
    s->stats->nodes++;
    float wanted = ceilf(PLAYOUTS * arm->edges[i].share);
    alea_status status = value_node(s, to, wanted > 1 ? (uint32_t)wanted : 1);
    if (status != ALEA_OK) return status;
  }
  return ALEA_OK;
}

/* ---- a look ahead ---- */

/* What a move gained elsewhere. */
static float gain_of(const alea_belief_search *s, alea_move move) {
  if (move >= s->gain_count) return 0;
  return s->gains[move].sum / (s->gains[move].count + 1);
}

/* Adds to 'hopes' what the moves that end the game at once bring in a scenario, and the
 * base value for the others. */
static alea_status look_at(alea_belief_search *s, const alea_belief_node *node,
                           const alea_scenario *scenario) {
  uint32_t roles = s->setup->game->role_count, role = s->setup->role;
  for (uint32_t first = 0; first < node->arm_count; first += LOOK_PART) {
    uint32_t count = node->arm_count - first < LOOK_PART ? node->arm_count - first : LOOK_PART;
    if (is_late(s)) return ALEA_LIMIT;
    alea_status status = alea_sampler_expand(
        s->leaves.sampler, scenario->words, scenario->word_count, role, s->moves.data + first,
        count, s->graph.joint, s->ends.data + first, s->goals.data + (size_t)first * roles);
    if (status != ALEA_OK) return status;
  }
  for (uint32_t a = 0; a < node->arm_count; a++) {
    int goal = s->goals.data[(size_t)a * roles + role];
    s->hopes.data[a] += !s->ends.data[a] ? node->base + gain_of(s, s->moves.data[a])
                        : goal > 0       ? (float)goal / 100
                                         : 0;
  }
  s->stats->decisive++;
  return ALEA_OK;
}

/* Fills the others' moves in; false where chance throws. */
static alea_status only_joint(alea_belief_search *s, const alea_scenario *scenario, bool *only) {
  alea_belief_graph *g = &s->graph;
  alea_status status = alea_cursor_load(g->cursor, scenario->words, scenario->word_count);
  for (uint32_t r = 0; status == ALEA_OK && r < s->setup->game->role_count; r++) {
    alea_list legal;
    status = alea_cursor_legal(g->cursor, r, &legal);
    if (status != ALEA_OK) return status;
    *only = *only && legal.count > 0 && (legal.count == 1 || r == s->setup->role);
    g->joint[r] = legal.count > 0 ? legal.ids[0] : 0;
  }
  return status;
}

static alea_status reserve_look(alea_belief_search *s, uint32_t arms) {
  size_t roles = s->setup->game->role_count;
  s->moves.count = s->goals.count = s->ends.count = s->hopes.count = 0;
  if (!alea_vec_reserve(s->mem, &s->moves, arms) ||
      !alea_vec_reserve(s->mem, &s->goals, arms * roles) ||
      !alea_vec_reserve(s->mem, &s->ends, arms) || !alea_vec_reserve(s->mem, &s->hopes, arms))
    return alea_mem_lack(s->mem);
  return ALEA_OK;
}

/* Opens a node: its arms get priors by a look one move ahead from some scenarios. */
static alea_status open_node(alea_belief_search *s, alea_belief_node *node) {
  alea_status status = alea_belief_graph_open(&s->graph, node);
  if (status == ALEA_OK) status = reserve_look(s, node->arm_count);
  if (status != ALEA_OK) return status;
  uint32_t most = LOOKED_MOVES / node->arm_count, looked = 0;
  most = most > MOST_LOOKED ? MOST_LOOKED : most < 1 ? 1 : most;
  for (uint32_t a = 0; a < node->arm_count; a++) {
    s->moves.data[a] = node->arms[a].move;
    s->hopes.data[a] = 0;
  }
  for (uint32_t i = 0; i < node->scenario_count && looked < most; i++) {
    bool only = true;
    status = only_joint(s, &node->scenarios[i], &only);
    if (status == ALEA_OK && !only) break;
    if (status == ALEA_OK) status = look_at(s, node, &node->scenarios[i]);
    if (status != ALEA_OK) break;
    looked++;
  }
  for (uint32_t a = 0; a < node->arm_count; a++) {
    alea_belief_arm *arm = &node->arms[a];
    arm->prior = looked > 0 ? s->hopes.data[a] / (float)looked : node->base + gain_of(s, arm->move);
  }
  return status;
}

/* ---- values from below ---- */

static void sum_arm(const alea_belief_search *s, alea_belief_arm *arm) {
  float value = 0, variance = 0, hi = 0;
  bool exact = true;
  for (uint32_t i = 0; i < arm->edge_count; i++) {
    const alea_belief_node *to = node_at(s, arm->edges[i].to);
    float share = arm->edges[i].share * HASTE;
    value += share * to->value;
    variance += share * share * to->variance;
    hi += share * to->hi;
    exact = exact && to->exact;
  }
  arm->value = arm->reward + value;
  arm->variance = variance;
  arm->exact = exact;
  arm->hi = exact ? arm->value : arm->reward + hi;
}

/* Whether an arm may still be worth a trial. */
static bool is_open(const alea_belief_arm *arm, float sure) {
  return !arm->alike && !arm->exact && arm->hi > sure + TOLERANCE;
}

/* The most that an exact arm is worth; -1: there is none. */
static float sure_value(const alea_belief_node *node) {
  float sure = -1;
  for (uint32_t a = 0; a < node->arm_count; a++)
    if (node->arms[a].exact && node->arms[a].value > sure) sure = node->arms[a].value;
  return sure;
}

/* Less the standard error. */
static float safe(float value, float variance) { return value - sqrtf(variance); }

/* The arm that is worth most for sure; UINT32_MAX: none was tried. */
static uint32_t best_arm(const alea_belief_node *node) {
  uint32_t best = UINT32_MAX;
  float most = -INFINITY;
  for (uint32_t a = 0; a < node->arm_count; a++) {
    const alea_belief_arm *arm = &node->arms[a];
    if (!arm->tried || arm->alike) continue;
    float value = safe(arm->value, arm->variance);
    if (value < most || value == most) continue;
    most = value;
    best = a;
  }
  return best;
}

/* The value of drawing the arms as often as they were visited, and uniform play once. */
static void mix(alea_belief_node *node) {
  float total = 1, value = node->base, variance = node->base_variance;
  for (uint32_t a = 0; a < node->arm_count; a++) {
    const alea_belief_arm *arm = &node->arms[a];
    float visits = (float)arm->visits;
    if (!arm->tried || arm->alike) continue;
    total += visits;
    value += visits * arm->value;
    variance += visits * visits * arm->variance;
  }
  node->value = value / total;
  node->variance = variance / (total * total);
}

static void sum_node(alea_belief_node *node) {
  float sure = sure_value(node), hi = sure;
  for (uint32_t a = 0; a < node->arm_count; a++) {
    const alea_belief_arm *arm = &node->arms[a];
    if (is_open(arm, sure) && arm->hi > hi) hi = arm->hi;
  }
  node->hi = hi;
  node->exact = sure >= 0 && hi <= sure + TOLERANCE;
  node->value = sure;
  node->variance = 0;
  if (node->exact) return;
  mix(node);
  uint32_t best = best_arm(node);
  if (best == UINT32_MAX) return;
  const alea_belief_arm *arm = &node->arms[best];
  if (safe(arm->value, arm->variance) < safe(node->value, node->variance)) return;
  node->value = arm->value;
  node->variance = arm->variance;
}

/* ---- one simulation ---- */

static void learn(alea_belief_search *s, const alea_belief_node *node, const alea_belief_arm *arm) {
  if (arm->move >= s->gain_count) return;
  s->gains[arm->move].sum += arm->value - node->value;
  s->gains[arm->move].count++;
}

/* Whether an arm that was just tried leads where an earlier one does. */
static bool is_alike(const alea_belief_node *node, const alea_belief_arm *arm) {
  for (uint32_t a = 0; a < node->arm_count; a++) {
    const alea_belief_arm *other = &node->arms[a];
    if (other == arm || !other->tried || other->alike) continue;
    if (other->edge_count != arm->edge_count || fabsf(other->reward - arm->reward) > TOLERANCE)
      continue;
    uint32_t same = 0;
    for (uint32_t i = 0; i < arm->edge_count; i++)
      for (uint32_t j = 0; j < arm->edge_count; j++)
        same += arm->edges[i].to == other->edges[j].to &&
                fabsf(arm->edges[i].share - other->edges[j].share) < TOLERANCE;
    if (same == arm->edge_count) return true;
  }
  return false;
}

static alea_status try_arm(alea_belief_search *s, alea_belief_node *node, alea_belief_arm *arm) {
  uint64_t steps = s->graph.steps;
  alea_status status = alea_belief_graph_try(&s->graph, node, arm, &s->rng, is_late, s);
  s->stats->sims += (s->graph.steps - steps) / STEPS_PER_SIM;
  if (status == ALEA_OK) status = value_edges(s, arm);
  if (status != ALEA_OK) {
    arm->tried = false;
    return status;
  }
  arm->alike = is_alike(node, arm);
  return ALEA_OK;
}

/* The arm with the best upper confidence bound; UINT32_MAX: none is open. */
static uint32_t pick_arm(const alea_belief_search *s, const alea_belief_node *node) {
  float sure = sure_value(node), logs = logf((float)node->visits + 1), most = -INFINITY;
  uint32_t best = UINT32_MAX;
  for (uint32_t a = 0; a < node->arm_count; a++) {
    const alea_belief_arm *arm = &node->arms[a];
    if (!is_open(arm, sure)) continue;
    float tries = arm->visits > 0 ? (float)arm->visits : 1;
    float value = (arm->tried ? arm->value : arm->prior) + (float)s->c * sqrtf(logs / tries);
    if (value <= most) continue;
    most = value;
    best = a;
  }
  return best;
}

/* The belief behind an arm that was visited least for its share; 0: all are exact. */
static alea_belief_id pick_edge(const alea_belief_search *s, const alea_belief_arm *arm) {
  alea_belief_id best = 0;
  float most = -1;
  for (uint32_t i = 0; i < arm->edge_count; i++) {
    const alea_belief_node *to = node_at(s, arm->edges[i].to);
    float wanted = arm->edges[i].share / (float)(to->visits + 1);
    if (to->exact || wanted <= most) continue;
    most = wanted;
    best = arm->edges[i].to;
  }
  return best;
}

/* From the root down to the last arm that is tried; the path is kept. */
static alea_status descend(alea_belief_search *s) {
  alea_belief_id id = s->root;
  uint32_t tried = 0;
  s->path.count = 0;
  s->stamp++;
  while (id != 0 && tried < MOST_TRIES && s->path.count < MOST_DEPTH) {
    alea_belief_node *node = node_at(s, id);
    if (node->exact || node->stamp == s->stamp) break;
    alea_status status = node->arm_count == 0 ? open_node(s, node) : ALEA_OK;
    if (status != ALEA_OK) return status;
    uint32_t a = pick_arm(s, node);
    if (a == UINT32_MAX) break;
    alea_belief_arm *arm = &node->arms[a];
    node->stamp = s->stamp;
    if (!arm->tried) {
      tried++;
      status = try_arm(s, node, arm);
      if (status != ALEA_OK) return status;
    }
    alea_belief_stop stop = {id, a};
    if (!alea_vec_push(s->mem, &s->path, stop)) return alea_mem_lack(s->mem);
    id = arm->alike ? 0 : pick_edge(s, arm);
  }
  return ALEA_OK;
}

static alea_status simulate(alea_belief_search *s) {
  alea_status status = descend(s);
  for (size_t i = s->path.count; i-- > 0;) {
    alea_belief_node *node = node_at(s, s->path.data[i].id);
    alea_belief_arm *arm = &node->arms[s->path.data[i].arm];
    node->visits++;
    arm->visits++;
    sum_arm(s, arm);
    sum_node(node);
    learn(s, node, arm);
  }
  s->stats->sims++;
  return status;
}

/* Playouts for the root: few where they are counted. */
static uint32_t root_playouts(const alea_time_manager *time_manager) {
  uint64_t share = time_manager->limit / ROOT_PART;
  if (share < 1) return 1;
  return share < ROOT_PLAYOUTS ? (uint32_t)share : ROOT_PLAYOUTS;
}

alea_status alea_belief_search_begin(alea_belief_search *search, const alea_belief *belief,
                                     alea_time_manager *time_manager) {
  uint32_t playouts = root_playouts(time_manager);
  alea_belief_graph_empty(&search->graph);
  search->root = 0;
  search->time_manager = search->rollout.time_manager = time_manager;
  alea_status status =
      alea_belief_graph_root(&search->graph, belief, &search->root, is_late, search);
  if (status == ALEA_OK) status = value_node(search, node_at(search, search->root), playouts);
  search->time_manager = search->rollout.time_manager = NULL;
  if (status != ALEA_OK) search->root = 0;
  if (time_manager->limit != UINT64_MAX && time_manager->limit > playouts)
    time_manager->limit -= playouts;
  return status;
}

alea_status alea_belief_search_run(alea_belief_search *search, alea_time_manager *time_manager) {
  uint64_t before = search->stats->sims;
  alea_status status = search->root != 0 ? ALEA_OK : ALEA_NONE;
  search->time_manager = search->rollout.time_manager = time_manager;
  while (status == ALEA_OK && !node_at(search, search->root)->exact &&
         !alea_time_manager_over(time_manager, search->stats->sims - before))
    status = simulate(search);
  /* It belongs to the caller. */
  search->time_manager = search->rollout.time_manager = NULL;
  if (status == ALEA_LIMIT) search->stats->full += !alea_time_manager_late(time_manager);
  return status == ALEA_LIMIT || status == ALEA_NONE ? ALEA_OK : status;
}

/* ---- the answer ---- */

static const alea_belief_node *root_of(const alea_belief_search *s) {
  return s->root != 0 ? node_at(s, s->root) : NULL;
}

float alea_belief_search_uniform(const alea_belief_search *search) {
  const alea_belief_node *root = root_of(search);
  return root != NULL ? root->base : 0;
}

alea_status alea_belief_search_best(const alea_belief_search *search, alea_move *move) {
  const alea_belief_node *root = root_of(search);
  uint32_t best = root != NULL ? best_arm(root) : UINT32_MAX;
  if (best == UINT32_MAX) return ALEA_NONE;
  *move = root->arms[best].move;
  return ALEA_OK;
}

void alea_belief_search_analyse(alea_belief_search *search, alea_analysis *analysis) {
  const alea_belief_node *root = root_of(search);
  search->choices.count = 0;
  if (root == NULL || root->arm_count == 0) return;
  for (uint32_t a = 0; a < root->arm_count; a++) {
    const alea_belief_arm *arm = &root->arms[a];
    double value = arm->tried ? 100 * (double)arm->value : -1;
    alea_choice choice = {arm->move, arm->visits, value, ALEA_PROOF_NONE};
    if (!alea_vec_push(search->mem, &search->choices, choice)) return;
  }
  uint32_t best = best_arm(root);
  if (best != UINT32_MAX) analysis->value = 100 * (double)root->arms[best].value;
  analysis->choices = search->choices.data;
  analysis->count = search->choices.count;
}
