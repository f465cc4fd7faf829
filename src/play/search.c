/* Tree search: one simulation, and what comes before and after all of them. */
#include "play/search_amaf.h"

#include <string.h>

enum {
  MOST_DEPTH = 4096, /* nodes on one way down */
  LOOKS = 8,         /* parts of a portion, between which the clock is looked at */
  LOOKS_KEPT = 256,
  LATE_LOOK = 3, /* the visit at which a node is looked at where little is to be found */
  PARTS = 4,     /* of a batch, one of which is played at once with patience */
};

static const double PER_SECOND = 100000; /* simulations that are as much as a second */
static const float FEW_ENDS = 0.02f;     /* the share of looks that find an end which is little */

/* The part of what playouts have learned of moves that counts after a move of
 * the match: the positions to come are others, but not all that different. */
static const float KEPT_STATISTICS = 0.4f;

static uint32_t roles_of(const alea_search *s) { return s->setup->game->role_count; }

static bool evaluates(const alea_search *s) {
  return s->options.eval != NULL && s->options.eval->ready;
}

/* Whether moves are made over and over, and options say what to do there. */
static bool has_repeated_proofs(const alea_search *s) {
  return s->ranking.repeats && s->options.repeat_proofs;
}

/* Whether the best move is looked for at the root, whatever that costs. */
static bool is_patient(const alea_search *s) { return s->patient && s->ranking.repeats; }

/* ---- the root ---- */

/* Makes the node of the cursor's position. */
static alea_status make_node(alea_search *s, alea_node_id *id) {
  alea_status status = alea_node_store_make(&s->store, s->cursor, id);
  const alea_search_hooks *hooks = &s->options.hooks;
  if (status != ALEA_OK || *id == 0) return status;
  alea_node *node = alea_node_store_at(&s->store, *id);
  if (hooks->bound != NULL) status = hooks->bound(hooks->context, s->cursor, node);
  if (status != ALEA_OK || !evaluates(s)) return status;
  alea_tree_eval_node(s->options.eval, node);
  return alea_tree_eval_arms(s->options.eval, s->cursor, node);
}

alea_status alea_search_root(alea_search *search, const alea_particle *position) {
  alea_status status = alea_particle_load(position, search->cursor);
  if (status != ALEA_OK) return status;
  search->verdict = NULL;
  search->store.with_hopes = evaluates(search);
  search->root = search->options.reuse ? alea_node_store_find(&search->store, search->cursor) : 0;
  if (search->root != 0) {
    alea_node_store_keep(&search->store, search->root);
    search->root = alea_node_store_find(&search->store, search->cursor);
    search->stats->reused += alea_node_store_count(&search->store);
    alea_rollout_fade(&search->rollout, KEPT_STATISTICS);
    alea_move_ranking_fade(&search->ranking, KEPT_STATISTICS);
  }
  if (search->root != 0) return ALEA_OK;
  alea_node_store_empty(&search->store);
  return make_node(search, &search->root);
}

/* ---- down ---- */

/* The moves of 'node' that 'picks' stand for, and the trace of those that
 * were choices. */
static bool spell_joint(alea_search *s, const alea_node *node, const uint32_t *picks) {
  for (uint32_t r = 0; r < roles_of(s); r++) {
    s->joint[r] = node->moves[node->firsts[r] + picks[r]];
    if (node->firsts[r + 1] - node->firsts[r] < 2) continue;
    if (!alea_vec_push(s->mem, &s->line->trace, (alea_played){r, s->joint[r]})) return false;
  }
  return true;
}

/* The child by an arm is also that of the arms symmetric to it. */
static void share_child(alea_node *node, uint32_t arm, alea_node_id id) {
  uint32_t p = node->chooser, count = node->firsts[p + 1] - node->firsts[p];
  for (uint32_t a = arm + 1; a < count; a++)
    if (node->representatives[a] == arm) node->children[a] = id;
}

/* The child of 'node' by the joint move, made if it must be; '*id' is 0 where
 * the store is full, and the cursor then stands there. */
static alea_status go_down(alea_search *s, alea_node *node, uint32_t joint, alea_node_id *id) {
  if (node->children != NULL && node->children[joint] != 0) {
    *id = node->children[joint];
    return ALEA_OK;
  }
  alea_status status = alea_cursor_load(s->cursor, node->words, node->word_count);
  if (status == ALEA_OK) status = alea_cursor_play(s->cursor, s->joint);
  if (status != ALEA_OK) return status;
  *id = alea_node_store_find(&s->store, s->cursor);
  bool fresh = *id == 0;
  if (!fresh) {
    s->stats->transpositions++;
  } else {
    status = make_node(s, id);
    s->stats->nodes += *id != 0;
    s->stats->full += status == ALEA_OK && *id == 0;
  }
  if (node->children != NULL) node->children[joint] = *id;
  if (node->representatives != NULL && *id != 0) {
    share_child(node, joint, *id);
    if (status == ALEA_OK && fresh)
      status = alea_symmetric_moves_mark(&s->symmetric_moves, &s->store,
                                         alea_node_store_at(&s->store, *id));
  }
  return status;
}

/* The nearest table at or above the end of the path that is based on enough
 * simulations. */
static const alea_amaf *reference(const alea_search *s) {
  for (size_t i = s->line->path.count; alea_search_keeps_amaf(s) && i-- > 0;) {
    const alea_node *node = alea_node_store_at(&s->store, s->line->path.data[i].id);
    if (node->amaf != NULL && node->visits > s->options.ref) return node->amaf;
  }
  return NULL;
}

/* The pick of a role that chooses at 'node', the end of the path. */
static uint32_t pick_arm(alea_search *s, const alea_node *node, uint32_t role, uint32_t turn,
                         const alea_amaf *amaf) {
  const uint32_t *first = s->store.amaf_first;
  bool repeats = s->ranking.repeats && s->options.repeat_pick != NULL;
  alea_pick p = {.node = node, .role = role, .c = s->options.c, .turn = turn};
  if (repeats) p.c = s->options.repeat_c;
  if (node->choosers == 1 && alea_free_order_is_shown(&s->order)) p.c = s->options.fill_c;
  p.bias = s->options.bias;
  if (node->hoped && role == node->chooser) p.hopes = node->hopes;
  if (p.hopes != NULL) p.weight_of_hopes = s->options.eval->weight;
  if (amaf != NULL) p.amaf = amaf + first[role], p.amaf_count = first[role + 1] - first[role];
  if (is_patient(s) && s->line->path.count == 1 && node->choosers == 1)
    return alea_pick_halving(&p, s->spent);
  uint32_t pick = repeats ? s->options.repeat_pick(&p) : s->options.pick(&p);
  uint32_t starved = s->options.floor > 0 ? alea_pick_starved(&p, s->options.floor) : UINT32_MAX;
  if (starved == UINT32_MAX || starved == pick) return pick;
  s->line->path.data[s->line->path.count - 1].forced = true;
  return starved;
}

/* One pick for each role at the end of the path. */
static bool pick_joint(alea_search *s, const alea_node *node) {
  const alea_amaf *amaf = reference(s);
  for (uint32_t r = 0; r < roles_of(s); r++) {
    uint32_t count = node->firsts[r + 1] - node->firsts[r], pick = 0;
    if (count > 1) {
      pick = alea_rng_below(&s->rng, count);
      if ((int)r != s->setup->game->random_role) pick = pick_arm(s, node, r, pick, amaf);
    }
    if (!alea_vec_push(s->mem, &s->line->picks, pick)) return false;
  }
  return true;
}

/* Whether a simulation ends here: the value is known, the node is new, or it
 * was passed before in this simulation (positions may repeat). */
static bool is_leaf(const alea_search *s, const alea_node *node) {
  return (node->exact && (s->options.exact || node->terminal)) || node->visits == 0 ||
         node->stamp == s->stamp || s->line->path.count >= MOST_DEPTH;
}

/* Whether a simulation was given up for lack of time, not of memory. */
static bool gave_up(const alea_search *s, alea_status status) {
  return status == ALEA_LIMIT && (s->time_manager->late || alea_mem_late(s->mem));
}

/* The successors by arms first .. last, at most a part of a portion; what is
 * found goes to 'at' and behind.  ALEA_LIMIT: it is late. */
static alea_status expand(alea_search *s, const alea_node *node, uint32_t first, uint32_t last,
                          uint32_t at) {
  uint32_t count = last - first, most = s->portion / LOOKS;
  if (alea_time_manager_late(s->time_manager)) return ALEA_LIMIT;
  return alea_sampler_expand(s->sampler, node->words, node->word_count, node->chooser,
                             node->moves + first, count < most ? count : most, s->joint,
                             s->ends.data + at, s->goals.data + (size_t)at * roles_of(s));
}

/* Keeps the share of looks that found an end of the game. */
static void note_look(alea_search *s, bool found) {
  s->looks++;
  uint32_t weight = s->looks < LOOKS_KEPT ? s->looks : LOOKS_KEPT;
  s->ends_found += ((found ? 1 : 0) - s->ends_found) / (float)weight;
}

/* Looks one move ahead for games that end there: decisive moves (Teytaud and
 * Teytaud 2010) become exact children at once. */
static alea_status look_ahead(alea_search *s, alea_node *node) {
  uint32_t roles = roles_of(s), p = node->chooser;
  uint32_t first = node->firsts[p] + node->looks++ * s->portion;
  uint32_t count = node->firsts[p + 1] - first;
  if (count > s->portion) count = s->portion;
  node->looked = first + count == node->firsts[p + 1];
  s->ends.count = s->goals.count = 0;
  if (!alea_vec_reserve(s->mem, &s->ends, count) ||
      !alea_vec_reserve(s->mem, &s->goals, (size_t)count * roles)) {
    return alea_mem_lack(s->mem);
  }
  for (uint32_t r = 0; r < roles; r++) s->joint[r] = node->moves[node->firsts[r]];
  alea_status status = ALEA_OK;
  for (uint32_t a = 0; status == ALEA_OK && a < count; a += s->portion / LOOKS)
    status = expand(s, node, first + a, first + count, a);
  if (gave_up(s, status)) node->looks--, node->looked = false; /* some other time */
  if (status != ALEA_OK) return status;
  s->stats->decisive++;
  bool found = false;
  for (uint32_t a = 0; a < count; a++) found = found || s->ends.data[a];
  note_look(s, found);
  for (uint32_t a = 0; status == ALEA_OK && found && a < count; a++) {
    alea_node_id id;
    uint32_t joint = first + a - node->firsts[p]; /* one chooser: its arm */
    if (!s->ends.data[a] || node->children[joint] != 0 || alea_node_is_symmetric(node, joint))
      continue;
    s->joint[p] = node->moves[first + a];
    status = go_down(s, node, joint, &id);
  }
  if (status == ALEA_OK) alea_exact_update(&s->store, node);
  return status;
}

/* Where games hardly ever end by a move that can be made, a look at new nodes is wasted:
 * a node is looked at when it is visited again. */
static bool wants_look(const alea_search *s, const alea_node *node) {
  int chance = s->setup->game->random_role;
  bool rare = s->looks >= LOOKS_KEPT && s->ends_found < FEW_ENDS;
  uint32_t due = has_repeated_proofs(s) ? 1 : s->options.look;
  if (rare && due < LATE_LOOK) due = LATE_LOOK;
  return s->options.look > 0 && node->visits + 1 >= due && !node->looked && node->choosers == 1 &&
         node->children != NULL &&
         (chance < 0 || node->firsts[chance + 1] - node->firsts[chance] == 1);
}

/* From the root to the leaf of the line, which is NULL where the store was
 * full; the cursor then stands where the playout is to begin. */
static alea_status descend(alea_search *s) {
  alea_node_id id = s->root;
  s->line->path.count = s->line->picks.count = s->line->trace.count = 0;
  s->line->sampled = false;
  s->stamp++;
  for (;;) {
    alea_node *node = alea_node_store_at(&s->store, id);
    alea_status status = ALEA_OK;
    s->line->leaf = node;
    s->line->repeated = node->stamp == s->stamp;
    if (wants_look(s, node) && !node->exact) status = look_ahead(s, node);
    if (status != ALEA_OK || is_leaf(s, node)) return status;
    node->stamp = s->stamp;
    alea_stop stop = {.id = id, .picks = (uint32_t)s->line->picks.count};
    stop.trace = (uint32_t)s->line->trace.count;
    if (!alea_vec_push(s->mem, &s->line->path, stop) || !pick_joint(s, node))
      return alea_mem_lack(s->mem);
    const uint32_t *picks = s->line->picks.data + stop.picks;
    if (!spell_joint(s, node, picks)) return alea_mem_lack(s->mem);
    status = go_down(s, node, alea_node_joint(node, roles_of(s), picks), &id);
    if (status == ALEA_OK && id == 0) s->line->leaf = NULL;
    if (status != ALEA_OK || id == 0) return status;
  }
}

/* ---- the value of a leaf ---- */

static bool is_known(const alea_search *s, const alea_node *leaf) {
  return leaf != NULL && leaf->exact && (s->options.exact || leaf->terminal);
}

/* Tells of a game that went down the line, and on by 'more'. */
static void tell(alea_search *s, const alea_line *line, const alea_played *more, size_t count) {
  const alea_search_hooks *hooks = &s->options.hooks;
  if (hooks->heard != NULL) hooks->heard(hooks->context, &line->trace, more, count, s->rewards);
}

/* Mixes what the player guesses of the cursor's position into the rewards of
 * playouts from it. */
static void mix_guess(alea_search *s, const float *guess) {
  for (uint32_t r = 0; guess != NULL && r < roles_of(s); r++)
    s->rewards[r] += s->options.hooks.mix * (guess[r] - s->rewards[r]);
}

/* The same with what the evaluation hopes. */
static void mix_hope(alea_search *s, const alea_node *leaf) {
  const alea_tree_eval *eval = s->options.eval;
  if (leaf == NULL || !evaluates(s)) return;
  for (uint32_t r = 0; r < roles_of(s); r++)
    s->rewards[r] += eval->mix * (alea_tree_eval_hope(eval, leaf, r) - s->rewards[r]);
}

static const float *guess_of(const alea_search *s) {
  const alea_search_hooks *hooks = &s->options.hooks;
  return hooks->guess != NULL ? hooks->guess(hooks->context, s->cursor) : NULL;
}

/* The value of the line's leaf, by what is known or by one playout. */
static alea_status evaluate(alea_search *s) {
  const alea_node *leaf = s->line->leaf;
  s->stats->sims++;
  if (is_known(s, leaf)) {
    memcpy(s->rewards, leaf->lo, roles_of(s) * sizeof *s->rewards);
    s->stats->exact++;
    if (leaf->terminal) tell(s, s->line, NULL, 0);
    return ALEA_OK;
  }
  alea_status status =
      leaf != NULL ? alea_cursor_load(s->cursor, leaf->words, leaf->word_count) : ALEA_OK;
  if (status != ALEA_OK) return status;
  const float *guess = guess_of(s);
  status = alea_rollout_run(&s->rollout, s->cursor, &s->rng, &s->line->trace, s->rewards);
  if (status == ALEA_OK) tell(s, s->line, NULL, 0);
  mix_guess(s, guess);
  mix_hope(s, leaf);
  return status;
}

/* ---- up ---- */

static void add_rewards(alea_search *s, alea_node *node, const uint32_t *picks,
                        const float *rewards) {
  node->visits++;
  for (uint32_t r = 0; r < roles_of(s); r++) {
    alea_arm *arm = &node->arms[node->firsts[r] + picks[r]];
    arm->visits++;
    arm->sum += rewards[r];
    arm->squares += rewards[r] * rewards[r];
  }
}

/* A reward outside the bounds of a node is replaced by the bound: what is
 * sure is sure, even when its arms are no longer tried. */
static void clamp(const alea_node *node, uint32_t roles, int chance, float *rewards) {
  for (uint32_t r = 0; r < roles; r++) {
    if ((int)r == chance) continue;
    if (rewards[r] < node->lo[r]) rewards[r] = node->lo[r];
    if (rewards[r] > node->hi[r]) rewards[r] = node->hi[r];
  }
}

/* Whether the arm that was tried is now known to lose, where others may not. */
static bool is_refuted(const alea_node *node, const uint32_t *picks) {
  uint32_t p = node->chooser;
  if (node->choosers != 1) return false;
  const alea_arm *arm = &node->arms[node->firsts[p] + picks[p]];
  return arm->hi < ALEA_VALUE_TOLERANCE && node->hi[p] > ALEA_VALUE_TOLERANCE;
}

/* Adds the rewards to the nodes on the way.  An arm that was tried only because
 * it had been left alone learns of it, and what is above does not: nobody would
 * have gone there, and a mean of moves that nobody makes is worth less.  Nor does what is
 * above learn of an arm that has just been found to lose: it will not be tried again. */
static void back_up(alea_search *s) {
  int chance = s->setup->game->random_role;
  alea_node *leaf = s->line->leaf;
  bool news = leaf != NULL && leaf->exact;
  /* A leaf that was passed before on the same way is counted there. */
  if (leaf != NULL && !s->line->repeated) leaf->visits++;
  /* Sampled games were heard of one by one. */
  if (!s->line->sampled && alea_search_teaches(s, s->line)) {
    alea_search_note_game(s, s->line, NULL, 0, s->rewards);
    alea_search_spread_games(s, s->line);
  }
  alea_rollout_learn(&s->rollout, &s->line->trace, s->rewards);
  bool counts = true, refutes = s->options.refute || (has_repeated_proofs(s) && !s->patient);
  const alea_node *child = evaluates(s) ? leaf : NULL;
  for (size_t i = s->line->path.count; i-- > 0;) {
    const alea_stop *stop = &s->line->path.data[i];
    alea_node *node = alea_node_store_at(&s->store, stop->id);
    if (child != NULL)
      alea_tree_eval_back_up(s->options.eval, node,
                             s->line->picks.data[stop->picks + node->chooser], child);
    if (evaluates(s)) child = node;
    if (counts) add_rewards(s, node, s->line->picks.data + stop->picks, s->rewards);
    if (stop->forced) counts = false;
    if (!s->options.exact) continue;
    news = news && alea_exact_update(&s->store, node);
    if (refutes && is_refuted(node, s->line->picks.data + stop->picks)) counts = false;
    clamp(node, roles_of(s), chance, s->rewards);
  }
}

static alea_status simulate(alea_search *s) {
  alea_status status = descend(s);
  if (status == ALEA_OK) status = evaluate(s);
  if (status == ALEA_OK) back_up(s);
  return status;
}

/* ---- many at once ---- */

/* Counts the line as lost by everybody until its value is known, so that the
 * next ways down of the batch go elsewhere (virtual loss; Chaslot et al. 2008). */
static void count_visits(alea_search *s, uint32_t by) {
  for (size_t i = 0; i < s->line->path.count; i++) {
    alea_node *node = alea_node_store_at(&s->store, s->line->path.data[i].id);
    const uint32_t *picks = s->line->picks.data + s->line->path.data[i].picks;
    node->visits += by;
    for (uint32_t r = 0; r < roles_of(s); r++) node->arms[node->firsts[r] + picks[r]].visits += by;
  }
  s->line->leaf->visits += by;
}

/* Goes down as often as 'size' says.  Lines that need no sampler are finished
 * at once, the others wait for it. */
static alea_status gather(alea_search *s, alea_batch_size size) {
  alea_leaf_batch *leaves = &s->batch->leaves;
  alea_leaf_batch_begin(leaves);
  for (uint32_t i = 0; i < size.leaves; i++) {
    s->line = &s->batch->lines[leaves->count];
    alea_status status = descend(s);
    if (gave_up(s, status)) return ALEA_OK; /* those that wait will not be played */
    if (status != ALEA_OK) return status;
    if (is_known(s, s->line->leaf) || s->line->leaf == NULL || s->line->repeated) {
      status = evaluate(s);
      if (gave_up(s, status)) return ALEA_OK;
      if (status != ALEA_OK) return status;
      back_up(s);
      continue;
    }
    const alea_node *leaf = s->line->leaf;
    s->line->sampled = true;
    alea_leaf_batch_add(leaves, leaf->words, leaf->word_count, size.playouts);
    count_visits(s, 1);
    s->line->teaches = alea_search_teaches(s, s->line);
  }
  return ALEA_OK;
}

/* Whether moves are ranked by sampled games: where several choose at once a move is worth what the
 * answers make of it. */
static bool is_ranking(const alea_search *s) {
  const alea_node *root = alea_node_store_at(&s->store, s->root);
  return s->ranking.mem != NULL && !s->ranking.vain && root->choosers <= 1;
}

static bool is_late(void *time_manager) { return alea_time_manager_late(time_manager); }

/* A sampled game of line 'request' has ended. */
static void hear(void *context, uint32_t request, const alea_played *moves, size_t count,
                 const uint8_t *goals) {
  alea_search *s = context;
  alea_line *line = &s->batch->lines[request];
  for (uint32_t r = 0; r < roles_of(s); r++) s->rewards[r] = (float)goals[r] / 100;
  if (line->teaches) alea_search_note_game(s, line, moves, count, s->rewards);
  if (is_ranking(s)) alea_move_ranking_add(&s->ranking, moves, count, s->rewards);
  tell(s, line, moves, count);
}

/* Visits of the root that stand for lines of which nothing is known yet. */
static uint32_t count_waiting(const alea_search *s) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < ALEA_SAMPLE_SLOTS; i++) count += s->batches[i].leaves.count;
  return count;
}

/* Adds the value of a leaf to its line. */
static alea_status add_leaf(alea_search *s) {
  const alea_node *leaf = s->line->leaf;
  if (s->options.hooks.guess != NULL) {
    alea_status status = alea_cursor_load(s->cursor, leaf->words, leaf->word_count);
    if (status != ALEA_OK) return status;
    mix_guess(s, guess_of(s));
  }
  mix_hope(s, leaf);
  back_up(s);
  return ALEA_OK;
}

/* Adds up what the sampler found, and empties the batch.  With a status that is not ALEA_OK the
 * lines are only taken back. */
static alea_status collect(alea_search *s, alea_status status) {
  alea_leaf_batch *leaves = &s->batch->leaves;
  bool cut =
      s->time_manager->late && alea_node_store_at(&s->store, s->root)->visits > count_waiting(s);
  for (uint32_t i = 0; i < leaves->count; i++) {
    s->line = &s->batch->lines[i];
    count_visits(s, (uint32_t)-1);
    alea_search_spread_games(s, s->line);
    uint64_t games = status == ALEA_OK ? alea_leaf_batch_rewards(leaves, i, s->rewards) : 0;
    if (games == 0) continue;                                  /* no time was left for it */
    if (cut && games < leaves->requests[i].playouts) continue; /* those are the short ones */
    s->stats->sims += games;
    status = add_leaf(s);
  }
  alea_leaf_batch_begin(leaves);
  s->line = &s->batch->lines[0];
  return status;
}

static double now(const alea_search *s) {
  const alea_budget *budget = &s->time_manager->budget;
  return budget->seconds > 0 ? alea_budget_now(budget) : 0;
}

/* Waits for a batch if it is in flight, and adds up what came of it. */
static alea_status land(alea_search *s, alea_line_batch *batch, alea_status status) {
  s->batch = batch;
  if (batch->leaves.in_flight) {
    alea_status played = alea_leaf_batch_finish(&batch->leaves);
    alea_time_manager_note(s->time_manager, now(s) - batch->began);
    if (status == ALEA_OK && !gave_up(s, played)) status = played;
  }
  return collect(s, status);
}

/* NULL where none is; two are only while the older is landed. */
static alea_line_batch *find_in_flight(alea_search *s) {
  for (uint32_t i = 0; i < ALEA_SAMPLE_SLOTS; i++)
    if (s->batches[i].leaves.in_flight) return &s->batches[i];
  return NULL;
}

/* How the sampler is to play. */
static alea_sample_options sampler_options(alea_search *s) {
  alea_sample_options options = {.step_cap = s->options.step_cap, .over_context = s->time_manager};
  options.over = is_late;
  if (evaluates(s) && s->options.eval->cut > 0) {
    options.step_cap = s->options.eval->cut;
    options.worth = &s->options.eval->worth;
  }
  s->listener = (alea_sample_listener){.context = s, .heard = hear};
  bool listens = is_ranking(s) || s->options.hooks.heard != NULL;
  for (uint32_t i = 0; i < s->batch->leaves.count; i++)
    listens = listens || s->batch->lines[i].teaches;
  if (listens) options.listener = &s->listener;
  if (!is_ranking(s)) return options;
  const alea_node *root = alea_node_store_at(&s->store, s->root);
  uint32_t legal = root->firsts[root->chooser + 1] - root->firsts[root->chooser];
  options.guide = alea_move_ranking_guide(&s->ranking, legal);
  return options;
}

/* How many leaves the next batch is to have, and how often each is to be played from. */
static alea_batch_size choose_size(const alea_search *s, uint64_t limit, uint64_t left) {
  alea_batch_size wanted = {s->options.batch, s->options.playouts};
  if (has_repeated_proofs(s) && limit != UINT64_MAX && wanted.playouts > 1) wanted.playouts /= 2;
  if (is_patient(s) && limit != UINT64_MAX) wanted.leaves = (wanted.leaves + PARTS - 1) / PARTS;
  return alea_leaf_batch_fit(wanted, limit, left);
}

/* Finds out, a play at a time, whether a board is filled in any order. */
static alea_status try_order(alea_search *s) {
  if (!s->ranking.vain || s->ranking.repeats || s->order.rollout.mem == NULL) return ALEA_OK;
  const alea_node *root = alea_node_store_at(&s->store, s->root);
  return alea_free_order_try(&s->order, s->cursor, root->words, root->word_count, s->time_manager);
}

/* A batch of simulations whose playouts the sampler makes all together; no
 * more than 'left' playouts of 'limit'.  While it is in flight the one
 * before it is landed; where that has all that is left, nothing new is begun. */
static alea_status simulate_batch(alea_search *s, uint64_t limit, uint64_t left) {
  alea_line_batch *older = find_in_flight(s);
  alea_line_batch *batch = &s->batches[older == &s->batches[0]];
  uint64_t expected = older != NULL ? older->games : 0;
  if (left <= expected) return land(s, older, ALEA_OK);
  alea_batch_size size = choose_size(s, limit, left - expected);
  s->batch = batch;
  alea_status status = try_order(s);
  if (status == ALEA_OK) status = gather(s, size);
  alea_sample_options options = sampler_options(s);
  if (status == ALEA_OK) status = alea_leaf_batch_start(&batch->leaves, &options);
  batch->games = (uint64_t)batch->leaves.count * size.playouts;
  if (batch->leaves.in_flight) batch->began = now(s);
  if (gave_up(s, status)) status = ALEA_OK; /* what was played counts */
  if (older != NULL) status = land(s, older, status);
  return batch->leaves.in_flight ? status : land(s, batch, status);
}

/* Symmetries are looked for once there is time, and begin at the root. */
static alea_status find_symmetric(alea_search *s) {
  if (!s->options.symmetric_moves) return ALEA_OK;
  alea_status status =
      alea_symmetric_moves_learn(&s->symmetric_moves, s->setup, &s->time_manager->budget);
  if (status != ALEA_OK) return status;
  return alea_symmetric_moves_mark(&s->symmetric_moves, &s->store,
                                   alea_node_store_at(&s->store, s->root));
}

/* Simulates until the time manager says so or the root is exact. */
static alea_status simulate_all(alea_search *s) {
  const alea_node *root = alea_node_store_at(&s->store, s->root);
  uint64_t before = s->stats->sims, done = 0, limit = s->time_manager->limit;
  alea_status status = ALEA_OK;
  while (status == ALEA_OK && !(root->exact && s->options.exact) &&
         !alea_time_manager_over(s->time_manager, done)) {
    status = s->sampled ? simulate_batch(s, limit, limit - done) : simulate(s);
    done = s->stats->sims - before;
    s->spent = alea_time_manager_share(s->time_manager, done);
  }
  /* A simulation that is not finished in time leaves no trace. */
  if (gave_up(s, status)) status = ALEA_OK;
  alea_line_batch *last;
  while ((last = find_in_flight(s)) != NULL) status = land(s, last, status);
  return gave_up(s, status) ? ALEA_OK : status;
}

bool alea_search_has_patience(const alea_search *search, const alea_budget *budget) {
  double least = (double)search->options.patience, sims = (double)budget->sims;
  if (search->options.patience == 0 || search->preparing) return false;
  if (budget->sims > 0 && sims < least) return false;
  if (budget->seconds > 0 && budget->seconds < least / PER_SECOND) return false;
  return budget->sims > 0 || budget->seconds > 0;
}

alea_status alea_search_run(alea_search *search, alea_time_manager *time_manager) {
  if (search->root == 0) return ALEA_OK;
  search->time_manager = search->rollout.time_manager = time_manager;
  search->patient = alea_search_has_patience(search, &time_manager->budget);
  search->spent = 0;
  alea_status status = find_symmetric(search);
  if (status == ALEA_OK) status = simulate_all(search);
  /* It belongs to the caller, who may be done with it whatever the status. */
  search->time_manager = search->rollout.time_manager = NULL;
  return status;
}
