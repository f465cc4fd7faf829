/* MAC-UCB: solving and sampling in turns. */
#include "play/mac.h"

#include <string.h>

#include "encode/services.h"
#include "encode/stage_table.h"

enum {
  MOST_PULLS = 10000, /* between two rounds of pruning, as printed */
  ROUNDS = 12,        /* of a move with fewer, a little more than the ten that it is to have */
};

/* ---- set up ---- */

static alea_status make_lines(alea_mac *m) {
  uint32_t count = m->line_count = (uint32_t)m->v->batch, roles = alea_mac_roles(m);
  m->lines = alea_mem_calloc(m->mem, count, sizeof *m->lines);
  m->joint = alea_mem_calloc(m->mem, roles, sizeof *m->joint);
  m->rewards = alea_mem_calloc(m->mem, roles, sizeof *m->rewards);
  m->theta = alea_mem_calloc(m->mem, roles, sizeof *m->theta);
  m->domains = alea_mem_calloc(m->mem, roles, sizeof *m->domains);
  if (m->lines == NULL || m->joint == NULL || m->rewards == NULL || m->theta == NULL ||
      m->domains == NULL)
    return alea_mem_lack(m->mem);
  return alea_leaf_batch_reserve(&m->leaves, count);
}

static void clear_lines(alea_mac *m) {
  uint32_t count = m->line_count, roles = alea_mac_roles(m);
  for (uint32_t i = 0; m->lines != NULL && i < count; i++) {
    alea_vec_clear(m->mem, &m->lines[i].path);
    alea_vec_clear(m->mem, &m->lines[i].picks);
    alea_vec_clear(m->mem, &m->lines[i].words);
  }
  alea_mem_free(m->mem, m->lines, count * sizeof *m->lines);
  alea_mem_free(m->mem, m->joint, roles * sizeof *m->joint);
  alea_mem_free(m->mem, m->rewards, roles * sizeof *m->rewards);
  alea_mem_free(m->mem, m->theta, roles * sizeof *m->theta);
  alea_mem_free(m->mem, m->domains, roles * sizeof *m->domains);
}

static alea_status make_net(alea_mac *m) {
  alea_stage_options options = {.method = m->method};
  m->constrained = false;
  return alea_stage_new_net(&m->stage, m->setup->game, &options, m->mem);
}

/* The template is the game's, made once for all of its players. */
static alea_status make_table(alea_mac *m, const alea_deadline *deadline, bool fixed,
                              alea_stage **stage) {
  alea_stage_options options = {.method = m->method};
  alea_stage_table_options table = {.fixed = fixed};
  const alea_template *t = NULL;
  *stage = NULL;
  if (m->setup->services == NULL) return ALEA_UNSUPPORTED;
  alea_status status =
      alea_services_template(m->setup->services, ALEA_ENCODER_GROUND, deadline, &t);
  if (status != ALEA_OK) return status;
  m->sizes = t->after;
  return alea_stage_new_table(stage, t, m->setup->game, &options, &table, m->mem);
}

/* The one place that knows the engines of stages. */
static alea_status make_stage(alea_mac *m, alea_text *message) {
  if (m->v->prop != ALEA_MAC_PROP_TABLE) return make_net(m);
  alea_status status = make_table(m, NULL, false, &m->stage);
  m->constrained = status == ALEA_OK;
  if (status == ALEA_OK || status == ALEA_SYSTEM) return status;
  alea_text_put(message,
                "prop=table: no constraint network of this game can be made, use prop=net");
  return ALEA_USAGE;
}

static const char no_rules[] =
    "the game has no ground rules to make constraints of: the game's own engine solved the stages";
static const char not_made[] =
    "no constraint network could be made within the limits: the game's own network solved the "
    "stages";
static const char left[] =
    "a position did not fit the constraint network: the game's own network solved the stages "
    "since then";

alea_status alea_mac_leave_constraints(alea_mac *m) {
  m->fallback = left;
  alea_stage_free(m->stage);
  m->stage = NULL;
  return make_net(m);
}

alea_status alea_mac_find_stage(alea_mac *m, const alea_deadline *deadline) {
  alea_stage *stage;
  if (m->v->prop != ALEA_MAC_PROP_AUTO || m->stage_done) return ALEA_OK;
  m->stage_done = true;
  alea_status status = make_table(m, deadline, true, &stage);
  if (status == ALEA_SYSTEM) return status;
  if (status != ALEA_OK) {
    m->fallback = m->setup->services == NULL ? no_rules : not_made;
    return ALEA_OK;
  }
  alea_stage_free(m->stage);
  m->stage = stage;
  m->constrained = true;
  return ALEA_OK;
}

alea_status alea_mac_init(alea_mac *mac, const alea_player_setup *setup, const alea_mac_values *v,
                          alea_stage_method method, alea_player_stats *stats, alea_text *message) {
  *mac = (alea_mac){.setup = setup, .v = v, .mem = setup->mem, .stats = stats, .method = method};
  alea_leaf_batch_init(&mac->leaves, setup);
  alea_rng_seed_stream(&mac->rng, setup->seed, 2);
  mac->exact = v->cache != ALEA_MAC_CACHE_OFF;
  mac->line = v->descent == ALEA_MAC_LINE;
  alea_status status = make_lines(mac);
  if (status == ALEA_OK) status = make_stage(mac, message);
  if (status == ALEA_OK && setup->unhurried) status = alea_mac_find_stage(mac, NULL);
  if (status == ALEA_OK && setup->unhurried) status = alea_mac_find_symmetric(mac, NULL);
  bool one = v->batch * v->playouts == 1;
  if (status == ALEA_OK)
    status = one ? alea_leaf_batch_open_plain(&mac->leaves, setup, &mac->rng)
                 : alea_leaf_batch_open(&mac->leaves, setup, &mac->rng);
  if (status == ALEA_OK) status = alea_cursor_new(setup->game, mac->mem, &mac->cursor);
  if (status == ALEA_OK)
    status = alea_node_store_init(&mac->store, setup->game, v->memory, false, mac->mem);
  if (status == ALEA_OK && v->cache == ALEA_MAC_CACHE_KEEP) status = alea_mac_load(mac, message);
  return status;
}

void alea_mac_clear(alea_mac *mac) {
  if (mac->mem == NULL) return;
  alea_symmetry_table_clear(&mac->images);
  alea_mac_clear_nogoods(mac);
  alea_leaf_batch_clear(&mac->leaves);
  alea_stage_free(mac->stage);
  alea_node_store_clear(&mac->store);
  alea_cursor_free(mac->cursor);
  alea_vec_clear(mac->mem, &mac->choices);
  alea_vec_clear(mac->mem, &mac->prefix);
  alea_vec_clear(mac->mem, &mac->pruned);
  clear_lines(mac);
}

alea_status alea_mac_find_symmetric(alea_mac *mac, const alea_deadline *deadline) {
  struct alea_services *services = mac->setup->services;
  if (mac->symmetry_done || services == NULL || mac->v->sym == ALEA_MAC_SYM_OFF) return ALEA_OK;
  const alea_game_symmetry *symmetry;
  static const alea_symmetry_kind kinds[] = {[ALEA_MAC_SYM_GAME] = ALEA_SYMMETRY_GAME,
                                             [ALEA_MAC_SYM_SOUND] = ALEA_SYMMETRY_SHOWN,
                                             [ALEA_MAC_SYM_PAPER] = ALEA_SYMMETRY_STAGE};
  alea_status status =
      alea_services_game_symmetry(services, kinds[mac->v->sym], deadline, &symmetry);
  /* Too little time now: there may be more of it later. */
  if (status == ALEA_LIMIT) return ALEA_OK;
  mac->symmetry_done = true;
  if (status != ALEA_OK || alea_game_symmetry_is_trivial(symmetry)) return ALEA_OK;
  status = alea_symmetry_table_init(&mac->images, symmetry, (uint32_t)mac->v->images,
                                    mac->v->memory / 4, mac->mem);
  if (status != ALEA_OK || mac->v->sym != ALEA_MAC_SYM_PAPER) return status;
  return alea_mac_open_nogoods(mac, symmetry, deadline);
}

/* ---- a line of stages ---- */

static void best_pick(alea_mac *m, const alea_node *node, uint32_t role, uint32_t *pick) {
  uint32_t best = alea_mac_best_of(m, node, role);
  if (best != UINT32_MAX) *pick = best;
}

/* The base moves to the best arm's child, or back to the root. */
static alea_status move_base(alea_mac *m) {
  alea_node *node = alea_mac_at(m, m->base);
  uint32_t picks[64];
  m->base_pulls = 0;
  bool on = node->solved && !alea_mac_knows(m, node) && m->prefix.count + 1 < m->horizon &&
            m->prefix.count < ALEA_MAC_DEPTH && alea_mac_roles(m) <= 64;
  if (on) {
    alea_node_id id;
    alea_mac_pick(m, node, false, picks);
    for (uint32_t r = 0; r < alea_mac_roles(m); r++)
      if ((int)r != m->setup->game->random_role && node->firsts[r + 1] - node->firsts[r] > 1)
        best_pick(m, node, r, &picks[r]);
    alea_status status = alea_mac_link(m, ALEA_MAC_SOLVING, m->base, picks, &id);
    if (status != ALEA_OK) return status;
    if (id != 0 && !alea_mac_knows(m, alea_mac_at(m, id))) {
      if (!alea_vec_push(m->mem, &m->prefix, m->base)) return alea_mem_lack(m->mem);
      m->base = id;
      return ALEA_OK;
    }
  }
  m->prefix.count = 0;
  m->base = m->root;
  alea_mac_raise(m);
  return ALEA_OK;
}

/* ---- the main loop ---- */

alea_status alea_mac_root(alea_mac *mac, const alea_particle *position) {
  alea_status status = alea_particle_load(position, mac->cursor);
  if (status != ALEA_OK) return status;
  if (!mac->exact) { /* cache=off */
    alea_node_store_empty(&mac->store);
    alea_symmetry_table_empty(&mac->images);
  }
  status = alea_mac_meet(mac, ALEA_MAC_SOLVING, &mac->root, &mac->root_image);
  if (mac->root != 0 && mac->store.used > mac->store.limit / 2) {
    /* Positions that can no longer come make room. */
    alea_node_store_keep(&mac->store, mac->root);
    alea_symmetry_table_empty(&mac->images);
    if (alea_node_store_count(&mac->store) > 0) {
      const alea_node *like = alea_mac_at(mac, mac->root);
      alea_mac_add_symmetric(mac, ALEA_MAC_SOLVING, like->words, mac->root);
    }
    mac->root = 0;
  }
  if (status == ALEA_OK && mac->root == 0) {
    if (mac->store.used > mac->store.limit / 2) alea_node_store_empty(&mac->store);
    status = alea_particle_load(position, mac->cursor);
    if (status == ALEA_OK)
      status = alea_mac_meet(mac, ALEA_MAC_SOLVING, &mac->root, &mac->root_image);
  }
  mac->base = mac->root;
  mac->prefix.count = 0;
  alea_mac_begin_move(mac);
  return status;
}

void alea_mac_begin_move(alea_mac *mac) {
  mac->base_pulls = mac->since_pruning = 0;
  memset(mac->theta, 0, alea_mac_roles(mac) * sizeof *mac->theta);
  mac->prunings++; /* thresholds begin anew */
  alea_mac_forget_nogoods(mac);
  memset(mac->effort, 0, sizeof mac->effort);
}

/* The root is solved whatever is known of it: a move has to be named. */
static alea_status solve_root(alea_mac *m) {
  alea_node *root = alea_mac_at(m, m->root);
  bool done = true;
  alea_status status = root->solved ? ALEA_OK : alea_mac_solve(m, m->root, &done);
  root = alea_mac_at(m, m->root);
  if (status != ALEA_OK || !done || root->terminal || !root->exact) return status;
  /* A value without the arm that has it, from the cache: found again. */
  bool shown = false;
  uint32_t me = m->setup->role;
  for (uint32_t a = root->firsts[me]; a < root->firsts[me + 1]; a++)
    if (alea_arm_is_exact(&root->arms[a])) shown = true;
  if (shown) return ALEA_OK;
  root->exact = false;
  for (uint32_t r = 0; r < alea_mac_roles(m); r++)
    if ((int)r != m->setup->game->random_role) root->lo[r] = 0, root->hi[r] = 1;
  return ALEA_OK;
}

/* A move of so many pulls has at least ten rounds of pruning, and no more than
 * as printed (D17). */
static void scale_pulls(alea_mac *m, double expected) {
  double every = expected / ROUNDS;
  m->prune_every = every < MOST_PULLS ? (uint64_t)every + 1 : MOST_PULLS;
}

void alea_mac_begin_run(alea_mac *m, const alea_time_manager *time_manager) {
  m->seconds = time_manager->budget.seconds;
  m->timed = m->seconds > 0;
  m->clock = time_manager->budget.clock;
  m->horizon = m->v->horizon > 0 ? (uint32_t)m->v->horizon : UINT32_MAX;
  m->length = 0;
  m->over = false;
  m->prune_every = m->v->pulls > 0 ? (uint64_t)m->v->pulls : MOST_PULLS;
  m->rounds = 0;
  if (time_manager->limit == UINT64_MAX) return;
  if (m->v->pulls == 0) scale_pulls(m, (double)time_manager->limit);
}

/* A budget of simulations ends no search that only solves. */
static const double most_solving = 0.999;

bool alea_mac_wants_solving(const alea_mac *m) {
  double share = m->v->rho < most_solving ? m->v->rho : most_solving;
  return m->effort[ALEA_MAC_SOLVING] <= share * alea_mac_effort(m);
}

/* Whether a round of pruning is due.  On a clock the number of pulls that a move
 * will have is what its pace so far makes of the time; where there are too few to
 * tell, the time itself sees to it that there are ten rounds, of what solving has
 * found. */
bool alea_mac_is_round_due(alea_mac *m, const alea_time_manager *time_manager, uint64_t done) {
  if (m->timed && m->v->pulls == 0) {
    double share = alea_time_manager_share(time_manager, done);
    if (share > 0) scale_pulls(m, (double)done / share);
    if (share * ROUNDS >= m->rounds + 1) return true;
  }
  return m->since_pruning >= m->prune_every;
}

static alea_status work(alea_mac *m, alea_time_manager *time_manager, uint64_t done) {
  bool idle = true;
  alea_status status = ALEA_OK;
  if (alea_mac_wants_solving(m) || !alea_mac_at(m, m->base)->solved)
    status = alea_mac_exploit(m, time_manager, done, &idle);
  /* Nothing left to solve: time for samples. */
  if (status == ALEA_OK && idle && !m->over && !alea_mac_knows(m, alea_mac_at(m, m->root)))
    status = alea_mac_explore(m, time_manager, time_manager->limit - done);
  if (status != ALEA_OK) return status;
  if (alea_mac_is_round_due(m, time_manager, done)) {
    m->since_pruning %= m->prune_every; /* a batch is seldom a round */
    alea_mac_raise(m);
  }
  bool enough = m->base_pulls >= m->prune_every || alea_mac_knows(m, alea_mac_at(m, m->base));
  return m->line && enough ? move_base(m) : ALEA_OK;
}

void alea_mac_note_shares(alea_mac *m) {
  double all = alea_mac_effort(m);
  if (all <= 0) return;
  m->stats->solving = (uint64_t)(1000 * m->effort[ALEA_MAC_SOLVING] / all + 0.5);
  m->stats->sampling = (uint64_t)(1000 * m->effort[ALEA_MAC_SAMPLING] / all + 0.5);
  m->stats->mirroring = (uint64_t)(1000 * m->effort[ALEA_MAC_SYMMETRY] / all + 0.5);
}

alea_status alea_mac_run(alea_mac *mac, alea_time_manager *time_manager) {
  if (mac->root == 0) return ALEA_OK;
  alea_mac_begin_run(mac, time_manager);
  uint64_t before = mac->stats->sims, done = 0;
  alea_status status = solve_root(mac);
  while (status == ALEA_OK && alea_mac_at(mac, mac->root)->solved &&
         !alea_mac_knows(mac, alea_mac_at(mac, mac->root)) && !mac->over &&
         !alea_time_manager_over(time_manager, done)) {
    status = work(mac, time_manager, done);
    done = mac->stats->sims - before;
  }
  alea_mac_note_shares(mac);
  return status;
}

/* ---- the answer ---- */

alea_status alea_mac_best(alea_mac *mac, alea_move *move) {
  if (mac->root == 0) return ALEA_NONE;
  alea_node *root = alea_mac_at(mac, mac->root);
  uint32_t role = mac->setup->role;
  if (!root->solved || root->terminal || root->firsts[role] == root->firsts[role + 1])
    return ALEA_NONE;
  uint32_t arm = alea_mac_best_of(mac, root, role);
  if (arm == UINT32_MAX) return ALEA_NONE;
  *move = alea_symmetry_table_move(&mac->images, mac->root_image, role,
                                   root->moves[root->firsts[role] + arm]);
  return ALEA_OK;
}

static alea_proof proof_of(const alea_mac *m, float lo, float hi) {
  return m->exact ? alea_exact_proof(lo, hi) : ALEA_PROOF_NONE;
}

/* What is told of the root's stage. */
static const alea_stage_analysis *view_stage(alea_mac *m, const alea_node *root) {
  alea_stage_analysis *view = &m->view;
  *view = (alea_stage_analysis){.engine = m->stage->class->engine,
                                .rounds = m->rounds,
                                .choices = m->domains,
                                .chooser = root->chooser};
  if (m->constrained) view->variables = m->sizes.vars, view->constraints = m->sizes.constraints;
  m->pruned.count = 0;
  for (uint32_t r = 0; r < alea_mac_roles(m); r++) {
    uint32_t first = root->firsts[r], end = root->firsts[r + 1];
    m->domains[r] = (alea_stage_choice){.values = end - first, .threshold = m->theta[r]};
    for (uint32_t a = first; root->efforts != NULL && a < end; a++) {
      if (!root->efforts[a].dead) continue;
      m->domains[r].pruned++;
      alea_move move = alea_symmetry_table_move(&m->images, m->root_image, r, root->moves[a]);
      if (r == root->chooser && !alea_vec_push(m->mem, &m->pruned, move)) return NULL;
    }
  }
  view->pruned = m->pruned.data;
  view->pruned_count = m->pruned.count;
  return view;
}

void alea_mac_analyse(alea_mac *mac, alea_analysis *analysis) {
  mac->choices.count = 0;
  if (mac->root == 0) return;
  alea_node *root = alea_mac_at(mac, mac->root);
  uint32_t role = mac->setup->role;
  if (!root->solved || root->terminal) return;
  for (uint32_t a = root->firsts[role]; a < root->firsts[role + 1]; a++) {
    alea_choice choice = {.value = -1};
    float value = alea_mac_value(mac, root, a, &choice.visits);
    choice.move = alea_symmetry_table_move(&mac->images, mac->root_image, role, root->moves[a]);
    choice.proof = proof_of(mac, root->arms[a].lo, root->arms[a].hi);
    if (value >= 0) choice.value = 100.0 * (double)value;
    if (!alea_vec_push(mac->mem, &mac->choices, choice)) break;
  }
  analysis->choices = mac->choices.data;
  analysis->count = mac->choices.count;
  analysis->proof = proof_of(mac, root->lo[role], root->hi[role]);
  analysis->stage = view_stage(mac, root);
  uint32_t best = alea_mac_best_of(mac, root, role);
  uint64_t visits;
  float value = -1;
  if (best != UINT32_MAX) value = alea_mac_value(mac, root, root->firsts[role] + best, &visits);
  if (value >= 0) analysis->value = 100.0 * (double)value;
}

/* ---- the main line ---- */

/* The node of the cursor's position or of one that it is the image of; 0: none. */
static alea_node_id find_known(alea_mac *m, alea_cursor *cursor, uint32_t *image) {
  size_t count;
  *image = 0;
  alea_node_id id = alea_node_store_find(&m->store, cursor);
  if (id != 0 || m->images.symmetry == NULL) return id;
  return alea_symmetry_table_find(&m->images, alea_cursor_state(cursor, &count), image);
}

/* The arm that is expected of a player, as an offset; false: none is. */
static bool expect_arm(alea_mac *m, const alea_node *node, uint32_t role, uint32_t *pick,
                       bool *proved) {
  uint32_t first = node->firsts[role];
  *pick = node->firsts[role + 1] > first ? alea_mac_best_of(m, node, role) : UINT32_MAX;
  if (*pick == UINT32_MAX) return false;
  if (!m->exact || !alea_arm_is_exact(&node->arms[first + *pick])) *proved = false;
  return true;
}

static uint32_t arm_of(const alea_mac *m, const alea_node *node, uint32_t role, uint32_t image,
                       alea_move move) {
  uint32_t first = node->firsts[role], a = first;
  while (a < node->firsts[role + 1] &&
         alea_symmetry_table_move(&m->images, image, role, node->moves[a]) != move)
    a++;
  return a - first;
}

bool alea_mac_expect(alea_mac *mac, alea_cursor *cursor, alea_move *joint, bool *proved) {
  uint32_t image, roles = alea_mac_roles(mac), picks[ALEA_LINE_ROLES] = {0};
  int chance = mac->setup->game->random_role;
  alea_node_id id = roles <= ALEA_LINE_ROLES ? find_known(mac, cursor, &image) : 0;
  if (id == 0) return false;
  const alea_node *node = alea_mac_at(mac, id);
  if (!node->solved || node->terminal) return false;
  alea_rng before = mac->rng; /* ties are broken by chance: play must not feel it */
  bool known = true;
  for (uint32_t r = 0; r < roles && known; r++) {
    if (joint[r] != ALEA_NO_MOVE) {
      picks[r] = arm_of(mac, node, r, image, joint[r]);
      known = picks[r] < node->firsts[r + 1] - node->firsts[r];
    } else if ((int)r != chance) {
      known = expect_arm(mac, node, r, &picks[r], proved);
    }
  }
  mac->rng = before;
  if (!known) return false;
  if (chance >= 0 && joint[chance] == ALEA_NO_MOVE)
    alea_node_store_commonest(&mac->store, node, (uint32_t)chance, picks);
  for (uint32_t r = 0; r < roles; r++)
    joint[r] =
        alea_symmetry_table_move(&mac->images, image, r, node->moves[node->firsts[r] + picks[r]]);
  return true;
}
