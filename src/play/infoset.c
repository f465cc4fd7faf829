/* Information-set search. */
#include "play/infoset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "game/position.h"

enum { MOST_DEPTH = 4096 };
static const float never_tried = 1e6f;

/* Statistics of all moves below a set. */
typedef struct move_table {
  alea_infoset_head head;
  alea_amaf amaf[]; /* by move */
} move_table;

static uint32_t roles_of(const alea_infosets *s) { return s->setup->game->role_count; }

/* ---- set up ---- */

static alea_status make_lines(alea_infosets *s) {
  uint32_t count = s->options.batch, roles = roles_of(s);
  s->line = s->lines = alea_mem_calloc(s->mem, count, sizeof *s->lines);
  if (s->lines == NULL) return alea_mem_lack(s->mem);
  for (uint32_t i = 0; i < count; i++) {
    s->lines[i].lo = alea_mem_calloc(s->mem, (size_t)3 * roles, sizeof(float));
    if (s->lines[i].lo == NULL) return alea_mem_lack(s->mem);
    s->lines[i].hi = s->lines[i].lo + roles;
    s->lines[i].guess = s->lines[i].hi + roles;
  }
  return alea_leaf_batch_reserve(&s->leaves, count);
}

static void clear_lines(alea_infosets *s) {
  uint32_t count = s->options.batch;
  for (uint32_t i = 0; s->lines != NULL && i < count; i++) {
    alea_vec_clear(s->mem, &s->lines[i].picks);
    alea_vec_clear(s->mem, &s->lines[i].trace);
    alea_vec_clear(s->mem, &s->lines[i].words);
    alea_mem_free(s->mem, s->lines[i].lo, 3 * sizeof(float) * roles_of(s));
  }
  alea_mem_free(s->mem, s->lines, count * sizeof *s->lines);
  alea_leaf_batch_clear(&s->leaves);
}

/* Two tables share the memory where there are two. */
static alea_status make_tables(alea_infosets *s) {
  size_t memory = s->options.amaf ? s->options.memory / 2 : s->options.memory;
  alea_status status =
      alea_infoset_table_init(&s->table, sizeof(alea_option_arm), memory, s->stats, s->mem);
  if (status != ALEA_OK || !s->options.amaf) return status;
  return alea_infoset_table_init(&s->moves, sizeof(alea_amaf), memory, &s->move_counts, s->mem);
}

/* The options as they count here. */
static alea_search_options options_of(const alea_search_options *options) {
  alea_search_options own = *options;
  if (!own.sets_alike) {
    own.amaf = false;
    own.playouts = own.batch = 1;
    own.hooks = (alea_search_hooks){0};
  }
  if (own.batch < 1) own.batch = 1;
  return own;
}

alea_status alea_infosets_init(alea_infosets *sets, const alea_player_setup *setup,
                               const alea_search_options *options, alea_player_stats *stats) {
  alea_mem *mem = setup->mem;
  uint32_t roles = setup->game->role_count;
  *sets = (alea_infosets){.setup = setup, .mem = mem, .stats = stats};
  sets->options = options_of(options);
  alea_leaf_batch_init(&sets->leaves, setup);
  alea_rng_seed_stream(&sets->rng, setup->seed, 3);
  alea_status status = make_tables(sets);
  if (status != ALEA_OK) return status;
  sets->joint = alea_mem_calloc(mem, roles, sizeof *sets->joint);
  sets->keys = alea_mem_calloc(mem, roles, sizeof *sets->keys);
  sets->rewards = alea_mem_calloc(mem, roles, sizeof *sets->rewards);
  if (sets->joint == NULL || sets->keys == NULL || sets->rewards == NULL) return alea_mem_lack(mem);
  status = alea_cursor_new(setup->game, mem, &sets->cursor);
  if (status == ALEA_OK)
    status = alea_rollout_init(&sets->rollout, setup->game, ALEA_ROLLOUT_UNIFORM, 1,
                               sets->options.step_cap, mem);
  if (status == ALEA_OK && sets->options.playouts * sets->options.batch > 1)
    status = alea_leaf_batch_open(&sets->leaves, setup, &sets->rng);
  return status == ALEA_OK ? make_lines(sets) : status;
}

void alea_infosets_clear(alea_infosets *sets) {
  if (sets->mem == NULL) return;
  alea_mem *mem = sets->mem;
  uint32_t roles = sets->setup->game->role_count;
  alea_infoset_table_clear(&sets->table);
  alea_infoset_table_clear(&sets->moves);
  alea_mem_free(mem, sets->joint, roles * sizeof *sets->joint);
  alea_mem_free(mem, sets->keys, roles * sizeof *sets->keys);
  alea_mem_free(mem, sets->rewards, roles * sizeof *sets->rewards);
  clear_lines(sets);
  alea_vec_clear(mem, &sets->choices);
  alea_rollout_clear(&sets->rollout);
  alea_cursor_free(sets->cursor);
}

static int by_move(const void *a, const void *b) {
  alea_move x = ((const alea_option_arm *)a)->move, y = ((const alea_option_arm *)b)->move;
  return x < y ? -1 : x > y;
}

/* A new set with these moves; NULL where memory is up. */
static alea_infoset *make_set(alea_infosets *s, uint64_t key, alea_list legal) {
  alea_infoset *set = alea_infoset_table_add(&s->table, key, legal.count);
  if (set == NULL) return NULL;
  for (uint32_t i = 0; i < legal.count; i++) set->arms[i].move = legal.ids[i];
  qsort(set->arms, legal.count, sizeof *set->arms, by_move);
  return set;
}

static uint64_t set_key(uint64_t key, uint32_t role) { return alea_hash_join(key, role); }

/* The arm of 'move', or NULL where the set does not know it. */
static alea_option_arm *find_arm(alea_infoset *set, alea_move move) {
  alea_option_arm wanted = {.move = move};
  return bsearch(&wanted, set->arms, set->head.count, sizeof *set->arms, by_move);
}

/* ---- move statistics (GRAVE) ---- */

/* Sets get a table once they are about to be visited often. */
static move_table *moves_below(alea_infosets *s, const alea_infoset *set, uint32_t role) {
  if (!s->options.amaf || set->head.visits < s->options.ref / 2) return NULL;
  move_table *table = alea_infoset_table_find(&s->moves, set->head.key);
  if (table != NULL) return table;
  return alea_infoset_table_add(&s->moves, set->head.key,
                                alea_game_move_count(s->setup->game, role));
}

/* The nearest table of the role on the way down that is based on enough
 * simulations. */
static const move_table *reference(const alea_infosets *s, uint32_t role) {
  for (size_t i = s->line->picks.count; i-- > 0;) {
    const alea_infoset_pick *p = &s->line->picks.data[i];
    if (p->role == role && p->moves != NULL && p->set->head.visits > s->options.ref)
      return (const move_table *)(const void *)p->moves;
  }
  return NULL;
}

/* All moves as first: for each set of the way down the moves of its role from
 * there on, in the tree and then in 'more'. */
static void add_moves(move_table *table, uint32_t role, const alea_played *moves, size_t count,
                      float reward) {
  for (size_t i = 0; i < count; i++) {
    if (moves[i].role != role || moves[i].move >= table->head.count) continue;
    table->amaf[moves[i].move].visits += 1;
    table->amaf[moves[i].move].sum += reward;
  }
}

static void spread_moves(const alea_infoset_line *line, const alea_played *more, size_t count,
                         const float *rewards) {
  for (size_t i = 0; i < line->picks.count; i++) {
    const alea_infoset_pick *p = &line->picks.data[i];
    move_table *table = (move_table *)(void *)p->moves;
    if (table == NULL) continue;
    add_moves(table, p->role, line->trace.data + p->trace, line->trace.count - p->trace,
              rewards[p->role]);
    add_moves(table, p->role, more, count, rewards[p->role]);
  }
}

/* ---- one simulation ---- */

/* UCB1, or GRAVE's value with the same exploration: what is hidden makes the
 * same move worth now this, now that, so arms have to be tried again. */
static float score(const alea_infosets *s, const alea_option_arm *arm, const move_table *table,
                   float logs) {
  const alea_amaf *all =
      table != NULL && arm->move < table->head.count ? &table->amaf[arm->move] : NULL;
  bool known = all != NULL && all->visits > 0;
  float n = (float)arm->visits, c = (float)s->options.c;
  if (n <= 0) return known ? all->sum / all->visits + c * sqrtf(2 * logs) : never_tried;
  float mean = arm->sum / n;
  if (known) {
    float m = all->visits, beta = m / (m + n + (float)s->options.bias * m * n);
    mean = (1 - beta) * mean + beta * all->sum / m;
  }
  return mean + c * sqrtf(2 * logs / n);
}

/* The best of the legal moves. */
static alea_option_arm *pick_arm(alea_infosets *s, alea_infoset *set, const move_table *table,
                                 alea_list legal) {
  float best = -1, logs = logf((float)set->head.visits + 1);
  alea_option_arm *found = NULL;
  uint32_t at = alea_rng_below(&s->rng, legal.count);
  for (uint32_t i = 0; i < legal.count; i++, at = at + 1 == legal.count ? 0 : at + 1) {
    alea_option_arm *arm = find_arm(set, legal.ids[at]);
    if (arm == NULL) continue;
    float value = score(s, arm, table, logs);
    if (value <= best) continue;
    best = value;
    found = arm;
  }
  return found;
}

/* A move for one role; '*fresh' when its information set was new. */
static alea_status choose(alea_infosets *s, uint32_t role, alea_list legal, bool *fresh) {
  if (legal.count == 0) return ALEA_NONE;
  s->joint[role] = legal.ids[legal.count > 1 ? alea_rng_below(&s->rng, legal.count) : 0];
  if (legal.count == 1 || (int)role == s->setup->game->random_role) return ALEA_OK;
  uint64_t key = set_key(s->keys[role], role);
  alea_infoset *set = alea_infoset_table_find(&s->table, key);
  if (set == NULL) {
    *fresh = true;
    set = make_set(s, key, legal);
  }
  if (set == NULL) return ALEA_OK;
  alea_infoset_pick p = {.set = set, .role = role, .trace = (uint32_t)s->line->trace.count};
  p.moves = (alea_infoset_head *)(void *)moves_below(s, set, role);
  const move_table *own = (const move_table *)(const void *)p.moves;
  bool enough = own != NULL && set->head.visits > s->options.ref;
  const alea_option_arm *arm = pick_arm(s, set, enough ? own : reference(s, role), legal);
  if (arm == NULL) return ALEA_OK;
  s->joint[role] = arm->move;
  p.arm = (uint32_t)(arm - set->arms);
  return alea_vec_push(s->mem, &s->line->picks, p) ? ALEA_OK : alea_mem_lack(s->mem);
}

/* Percepts are joined to the keys, and the choices to the trace. */
static alea_status note_step(alea_infosets *s) {
  for (uint32_t r = 0; r < roles_of(s); r++) {
    alea_list percepts;
    alea_status status = alea_cursor_percepts(s->cursor, r, &percepts);
    if (status != ALEA_OK) return status;
    s->keys[r] = alea_belief_key(s->keys[r], s->joint[r], alea_belief_percepts_hash(percepts));
    if (s->options.amaf && !alea_vec_push(s->mem, &s->line->trace, (alea_played){r, s->joint[r]}))
      return alea_mem_lack(s->mem);
  }
  return ALEA_OK;
}

/* One step down the trees.  ALEA_NONE: the play is over. */
static alea_status step(alea_infosets *s, bool *fresh) {
  bool terminal;
  alea_status status = alea_cursor_terminal(s->cursor, &terminal);
  if (status == ALEA_OK && terminal) return ALEA_NONE;
  for (uint32_t r = 0; status == ALEA_OK && r < roles_of(s); r++) {
    alea_list legal;
    status = alea_cursor_legal(s->cursor, r, &legal);
    if (status == ALEA_OK) status = choose(s, r, legal, fresh);
  }
  if (status == ALEA_OK) status = alea_cursor_play(s->cursor, s->joint);
  return status == ALEA_OK ? note_step(s) : status;
}

/* What the player's hooks say of the cursor's position, where a playout is to
 * begin; '*exact': all is sure there. */
static alea_status ask_hooks(alea_infosets *s, bool *exact) {
  const alea_search_hooks *hooks = &s->options.hooks;
  alea_infoset_line *line = s->line;
  alea_node node = {.lo = line->lo, .hi = line->hi};
  for (uint32_t r = 0; r < roles_of(s); r++) {
    bool chance = (int)r == s->setup->game->random_role;
    line->lo[r] = 0;
    line->hi[r] = chance ? 0 : 1;
  }
  alea_status status = alea_cursor_terminal(s->cursor, &node.terminal);
  if (status == ALEA_OK && hooks->bound != NULL)
    status = hooks->bound(hooks->context, s->cursor, &node);
  *exact = node.exact;
  if (status != ALEA_OK || node.terminal || hooks->guess == NULL) return status;
  const float *guess = hooks->guess(hooks->context, s->cursor);
  line->guessed = guess != NULL;
  if (guess != NULL) memcpy(line->guess, guess, roles_of(s) * sizeof *guess);
  return ALEA_OK;
}

/* Adds what the hooks said to the rewards of playouts. */
static void heed_hooks(alea_infosets *s) {
  const alea_search_hooks *hooks = &s->options.hooks;
  const alea_infoset_line *line = s->line;
  if (hooks->bound == NULL && hooks->guess == NULL) return;
  for (uint32_t r = 0; r < roles_of(s); r++) {
    if (line->guessed) s->rewards[r] += hooks->mix * (line->guess[r] - s->rewards[r]);
    if (s->rewards[r] < line->lo[r]) s->rewards[r] = line->lo[r];
    if (s->rewards[r] > line->hi[r]) s->rewards[r] = line->hi[r];
  }
}

/* From a position of the belief down to where a set was new; the cursor
 * stays there. */
static alea_status descend(alea_infosets *s, const alea_belief *belief, bool *exact) {
  const alea_particle *particle = alea_belief_draw(belief, &s->rng);
  const alea_search_hooks *hooks = &s->options.hooks;
  memcpy(s->keys, particle->keys, roles_of(s) * sizeof *s->keys);
  s->line->picks.count = s->line->trace.count = 0;
  s->line->guessed = *exact = false;
  alea_status status = alea_particle_load(particle, s->cursor);
  bool fresh = false;
  for (uint32_t depth = 0; status == ALEA_OK && !fresh && depth < MOST_DEPTH; depth++)
    status = step(s, &fresh);
  if (status == ALEA_NONE) status = ALEA_OK;
  if (status != ALEA_OK || (hooks->bound == NULL && hooks->guess == NULL)) return status;
  return ask_hooks(s, exact);
}

/* A pull has the mean s->rewards. */
static void add_rewards(alea_infosets *s) {
  for (size_t i = 0; i < s->line->picks.count; i++) {
    const alea_infoset_pick *p = &s->line->picks.data[i];
    p->set->arms[p->arm].sum += s->rewards[p->role];
  }
}

/* Visits are counted on the way down, so that a batch spreads out. */
static void add_visits(alea_infosets *s) {
  for (size_t i = 0; i < s->line->picks.count; i++) {
    const alea_infoset_pick *p = &s->line->picks.data[i];
    p->set->head.visits++;
    p->set->arms[p->arm].visits++;
  }
}

/* The rewards are sure where the line ended. */
static void add_exact(alea_infosets *s) {
  memcpy(s->rewards, s->line->lo, roles_of(s) * sizeof *s->rewards);
  if (s->options.amaf) spread_moves(s->line, NULL, 0, s->rewards);
  add_visits(s);
  add_rewards(s);
  s->stats->exact++;
  s->stats->sims++;
}

static alea_status simulate(alea_infosets *s, const alea_belief *belief) {
  bool exact;
  alea_status status = descend(s, belief, &exact);
  if (status != ALEA_OK) return status;
  if (exact) {
    add_exact(s);
    return ALEA_OK;
  }
  status = alea_rollout_run(&s->rollout, s->cursor, &s->rng, &s->line->trace, s->rewards);
  if (status != ALEA_OK) return status;
  if (s->options.amaf) spread_moves(s->line, NULL, 0, s->rewards);
  heed_hooks(s);
  add_visits(s);
  add_rewards(s);
  s->stats->sims++;
  return ALEA_OK;
}

/* ---- many at once ---- */

/* Line i waits for leaf i of the batch. */
static alea_status gather(alea_infosets *s, const alea_belief *belief, alea_batch_size size) {
  alea_leaf_batch_begin(&s->leaves);
  for (uint32_t i = 0; i < size.leaves; i++) {
    bool exact;
    s->line = &s->lines[s->leaves.count];
    alea_status status = descend(s, belief, &exact);
    if (status != ALEA_OK) return status;
    if (exact) {
      add_exact(s);
      continue;
    }
    status = alea_position_keep(&s->line->words, s->cursor, s->mem);
    if (status != ALEA_OK) return status;
    const alea_u64s *leaf = &s->line->words;
    alea_leaf_batch_add(&s->leaves, leaf->data, leaf->count, size.playouts);
    add_visits(s);
  }
  return ALEA_OK;
}

static void hear(void *context, uint32_t request, const alea_played *moves, size_t count,
                 const uint8_t *goals) {
  alea_infosets *s = context;
  for (uint32_t r = 0; r < roles_of(s); r++) s->rewards[r] = (float)goals[r] / 100;
  spread_moves(&s->lines[request], moves, count, s->rewards);
}

static alea_status simulate_batch(alea_infosets *s, const alea_belief *belief, uint64_t limit,
                                  uint64_t left) {
  alea_batch_size wanted = {s->options.batch, s->options.playouts};
  alea_batch_size size = alea_leaf_batch_fit(wanted, limit, left);
  alea_sample_listener listener = {.context = s, .heard = hear};
  alea_sample_options options = {.step_cap = s->options.step_cap};
  if (s->options.amaf) options.listener = &listener;
  alea_status status = gather(s, belief, size);
  if (status == ALEA_OK) status = alea_leaf_batch_run(&s->leaves, &options);
  for (uint32_t i = 0; status == ALEA_OK && i < s->leaves.count; i++) {
    s->stats->sims += alea_leaf_batch_rewards(&s->leaves, i, s->rewards);
    s->line = &s->lines[i];
    heed_hooks(s);
    add_rewards(s);
  }
  s->line = s->lines;
  return status;
}

static alea_status simulate_all(alea_infosets *s, const alea_belief *belief,
                                alea_time_manager *time_manager) {
  uint64_t before = s->stats->sims, done = 0, limit = time_manager->limit;
  bool many = s->leaves.sampler != NULL;
  while (!alea_time_manager_over(time_manager, done)) {
    alea_status status =
        many ? simulate_batch(s, belief, limit, limit - done) : simulate(s, belief);
    if (status == ALEA_LIMIT && (time_manager->late || alea_mem_late(s->mem))) break;
    if (status != ALEA_OK) return status;
    done = s->stats->sims - before;
  }
  return ALEA_OK;
}

alea_status alea_infosets_run(alea_infosets *sets, const alea_belief *belief,
                              alea_time_manager *time_manager) {
  alea_infoset_table *tables[] = {&sets->table, &sets->moves};
  for (int i = 0; i < (sets->options.amaf ? 2 : 1); i++) {
    alea_infoset_table_make_room(tables[i]);
    if (!sets->options.reuse) alea_infoset_table_empty(tables[i]);
  }
  sets->rollout.time_manager = time_manager;
  alea_status status = simulate_all(sets, belief, time_manager);
  /* It belongs to the caller, who may be done with it whatever the status. */
  sets->rollout.time_manager = NULL;
  return status;
}

/* ---- the answer ---- */

static alea_infoset *root_of(alea_infosets *s, const alea_belief *belief) {
  uint64_t key = set_key(belief->now.data[0].keys[s->setup->role], s->setup->role);
  return alea_infoset_table_find(&s->table, key);
}

alea_status alea_infosets_best(alea_infosets *sets, const alea_belief *belief, alea_move *move) {
  const alea_infoset *root = root_of(sets, belief);
  if (root == NULL) return ALEA_NONE;
  const alea_option_arm *best = &root->arms[0];
  for (uint32_t i = 1; i < root->head.count; i++)
    if (root->arms[i].visits > best->visits) best = &root->arms[i];
  *move = best->move;
  return ALEA_OK;
}

void alea_infosets_analyse(alea_infosets *sets, const alea_belief *belief,
                           alea_analysis *analysis) {
  const alea_infoset *root = belief->live > 0 ? root_of(sets, belief) : NULL;
  sets->choices.count = 0;
  uint32_t most = 0;
  for (uint32_t i = 0; root != NULL && i < root->head.count; i++) {
    const alea_option_arm *arm = &root->arms[i];
    double value = arm->visits > 0 ? 100 * (double)arm->sum / arm->visits : -1;
    alea_choice choice = {arm->move, arm->visits, value, ALEA_PROOF_NONE};
    if (!alea_vec_push(sets->mem, &sets->choices, choice)) return;
    if (arm->visits > most) most = arm->visits, analysis->value = value;
  }
  analysis->choices = sets->choices.data;
  analysis->count = sets->choices.count;
}
