/* MAC-UCB with hidden information: the way down, and which arm of an
 * information set is picked. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "game/position.h"
#include "play/mac_belief.h"

enum { FEW = 5 /* samples below which a bound says nothing */ };
static const float never_tried = 1e6f;

/* ---- information sets ---- */

static int by_number(const void *a, const void *b) {
  alea_move x = *(const alea_move *)a, y = *(const alea_move *)b;
  return x < y ? -1 : x > y;
}

static int by_move(const void *a, const void *b) {
  return by_number(&((const alea_mac_option *)a)->move, &((const alea_mac_option *)b)->move);
}

/* The arm of 'move', or NULL where the set does not know it. */
static alea_mac_option *find_arm(alea_mac_set *set, alea_move move) {
  alea_mac_option wanted = {.move = move};
  return bsearch(&wanted, set->arms, set->head.count, sizeof *set->arms, by_move);
}

/* Before anything was played all roles know the position, and moves that its
 * symmetries map to each other are one arm. */
static alea_status join_symmetric(alea_mac_belief *s, const uint64_t *words, uint32_t role,
                                  alea_mac_set *set) {
  alea_mac *m = s->mac;
  alea_symmetry_table *images = &m->images;
  uint32_t count = set->head.count;
  double start = alea_mac_now(m);
  uint32_t *classes = alea_mem_calloc(m->mem, count, sizeof *classes);
  if (classes == NULL) return alea_mem_lack(m->mem);
  alea_game_symmetry_orbits(images->symmetry, words, images->words, role, s->legal.data, count,
                            classes);
  for (uint32_t i = 0; i < count; i++) {
    if (classes[i] == i) continue;
    set->arms[i].like = classes[i] + 1;
    m->stats->symmetry_hits++;
  }
  alea_mem_free(m->mem, classes, count * sizeof *classes);
  alea_mac_charge(m, ALEA_MAC_SOLVING, start, images->symmetry->group.generator_count);
  return ALEA_OK;
}

/* Later, moves of the root are one arm that are mapped to each other by what leaves
 * all that the role did and saw as it is. */
static alea_status join_observed(alea_mac_belief *s, alea_mac_set *set) {
  alea_mac *m = s->mac;
  uint32_t count = set->head.count;
  s->joined = true;
  if (count != s->legal.count) return ALEA_OK; /* positions of the belief disagree */
  double start = alea_mac_now(m);
  uint32_t *classes = alea_mem_calloc(m->mem, count, sizeof *classes);
  if (classes == NULL) return alea_mem_lack(m->mem);
  alea_status status =
      alea_observed_symmetry_orbits(s->observed, m->images.symmetry, s->legal.data, count, classes);
  for (uint32_t i = 0; status == ALEA_OK && i < count; i++) {
    if (classes[i] == i || set->arms[i].move != s->legal.data[i]) continue;
    set->arms[i].like = classes[i] + 1;
    m->stats->symmetry_hits++;
  }
  alea_mem_free(m->mem, classes, count * sizeof *classes);
  alea_mac_charge(m, ALEA_MAC_SOLVING, start, m->images.symmetry->group.element_count);
  return status;
}

/* The set of the role's key, made where it is new; NULL where memory is up. */
static alea_mac_set *find_set(alea_mac_belief *s, uint32_t role, bool *fresh) {
  uint64_t key = alea_hash_join(s->keys[role], role);
  alea_mac_set *set = alea_infoset_table_find(&s->sets, key);
  *fresh = set == NULL;
  if (set != NULL) return set;
  set = alea_infoset_table_add(&s->sets, key, (uint32_t)s->legal.count);
  for (size_t i = 0; set != NULL && i < s->legal.count; i++) set->arms[i].move = s->legal.data[i];
  return set;
}

alea_mac_set *alea_mac_belief_root(const alea_mac_belief *s) {
  return alea_infoset_table_find(&s->sets, alea_hash_join(s->root, s->mac->setup->role));
}

/* ---- one arm ---- */

/* Whether the arm was pruned; judged once in a round of thresholds. */
static bool is_dead(const alea_mac_belief *s, uint32_t role, alea_mac_option *arm) {
  alea_mac *m = s->mac;
  if (arm->round == m->prunings) return arm->dead;
  bool was = arm->dead;
  float theta = m->theta[role] - 1e-5f, n = (float)arm->visits;
  arm->round = m->prunings;
  arm->dead = theta > 0 && arm->visits >= FEW && arm->sum / n + sqrtf(2 * logf(n + 1) / n) < theta;
  m->stats->pruned += arm->dead && !was;
  return arm->dead;
}

/* UCB1; solving counts the stages below an arm as well, or it would go the same
 * way until the next sample. */
static float score(const alea_mac_belief *s, const alea_mac_option *arm, bool solving, float logs) {
  float n = (float)arm->visits + (solving ? (float)arm->solved : 0);
  if (n < 1) return never_tried;
  float mean = arm->visits > 0 ? arm->sum / (float)arm->visits : 0.5f;
  return mean + (float)s->mac->v->c * sqrtf(2 * logs / n);
}

/* The best of the legal arms that 'all' lets through; NULL: none. */
static alea_mac_option *find_best(const alea_mac_belief *s, alea_mac_set *set, uint32_t role,
                                  bool solving, bool all) {
  uint32_t count = (uint32_t)s->legal.count, at = alea_rng_below(&s->mac->rng, count);
  float best = -1, tried = (float)set->head.visits + 1;
  for (uint32_t i = 0; solving && i < set->head.count; i++) tried += (float)set->arms[i].solved;
  float logs = logf(tried);
  alea_mac_option *found = NULL;
  for (uint32_t i = 0; i < count; i++, at = at + 1 == count ? 0 : at + 1) {
    alea_mac_option *arm = find_arm(set, s->legal.data[at]);
    if (arm == NULL || arm->like != 0 || (!all && is_dead(s, role, arm))) continue;
    float value = score(s, arm, solving, logs);
    if (value <= best) continue;
    best = value;
    found = arm;
  }
  return found;
}

/* All arms pruned: the threshold was too high for this set. */
static alea_mac_option *pick_arm(const alea_mac_belief *s, alea_mac_set *set, uint32_t role,
                                 bool solving) {
  alea_mac_option *found = find_best(s, set, role, solving, false);
  if (found != NULL) return found;
  for (uint32_t i = 0; i < set->head.count; i++) set->arms[i].dead = false;
  return find_best(s, set, role, solving, true);
}

uint32_t alea_mac_belief_best_of(const alea_mac_set *set) {
  float best = -1;
  uint32_t found = UINT32_MAX;
  for (uint32_t i = 0; i < set->head.count; i++) {
    const alea_mac_option *arm = &set->arms[i];
    if (arm->visits == 0) continue;
    float mean = arm->sum / (float)arm->visits;
    bool same = mean <= best + ALEA_VALUE_TOLERANCE && found != UINT32_MAX;
    if (mean < best - ALEA_VALUE_TOLERANCE || (same && arm->visits <= set->arms[found].visits))
      continue;
    best = mean;
    found = i;
  }
  return found;
}

/* ---- one step ---- */

/* The moves of the role at the stage, in the frame of the position itself. */
static alea_status list_legal(alea_mac_belief *s, const alea_node *node, uint32_t image,
                              uint32_t role) {
  alea_mac *m = s->mac;
  uint32_t first = node->firsts[role], count = node->firsts[role + 1] - first;
  s->legal.count = 0;
  if (!alea_vec_reserve(m->mem, &s->legal, count)) return alea_mem_lack(m->mem);
  for (uint32_t i = 0; i < count; i++)
    s->legal.data[i] = alea_symmetry_table_move(&m->images, image, role, node->moves[first + i]);
  s->legal.count = count;
  if (image != 0) qsort(s->legal.data, count, sizeof *s->legal.data, by_number);
  return ALEA_OK;
}

/* Whether the role follows the line here instead of trying arms. */
static bool follows_line(const alea_mac_belief *s, const alea_mac_way *way) {
  return s->mac->line && way->depth < s->line_depth;
}

/* A move for one role of a solved stage. */
static alea_status choose(alea_mac_belief *s, alea_mac_work at, const alea_node *node,
                          uint32_t image, uint32_t role, alea_mac_way *way) {
  alea_mac *m = s->mac;
  alea_status status = list_legal(s, node, image, role);
  uint32_t count = (uint32_t)s->legal.count;
  if (status != ALEA_OK || count == 0) return status != ALEA_OK ? status : ALEA_NONE;
  m->joint[role] = s->legal.data[count > 1 ? alea_rng_below(&m->rng, count) : 0];
  if (count == 1 || (int)role == m->setup->game->random_role) return ALEA_OK;
  bool fresh;
  alea_mac_set *set = find_set(s, role, &fresh);
  if (set == NULL) return ALEA_OK;
  bool alone = node->choosers == 1;
  if (fresh && s->initial && way->depth == 0 && alone && alea_mac_may_use_symmetry(m)) {
    size_t words;
    status = join_symmetric(s, alea_cursor_state(m->cursor, &words), role, set);
    if (status != ALEA_OK) return status;
  }
  if (s->observed != NULL && !s->initial && !s->joined && way->depth == 0 && alone &&
      role == m->setup->role && alea_mac_may_use_symmetry(m)) {
    status = join_observed(s, set);
    if (status != ALEA_OK) return status;
  }
  uint32_t best = follows_line(s, way) ? alea_mac_belief_best_of(set) : UINT32_MAX;
  const alea_mac_option *arm =
      best != UINT32_MAX ? &set->arms[best] : pick_arm(s, set, role, at == ALEA_MAC_SOLVING);
  if (arm == NULL) return ALEA_OK;
  m->joint[role] = arm->move;
  alea_mac_pick_made made = {set, (uint32_t)(arm - set->arms), role, !alone};
  return alea_vec_push(m->mem, &way->picks, made) ? ALEA_OK : alea_mem_lack(m->mem);
}

static alea_status note_observations(alea_mac_belief *s) {
  alea_mac *m = s->mac;
  for (uint32_t r = 0; r < alea_mac_roles(m); r++) {
    alea_list percepts;
    alea_status status = alea_cursor_percepts(m->cursor, r, &percepts);
    if (status != ALEA_OK) return status;
    s->keys[r] = alea_belief_key(s->keys[r], m->joint[r], alea_belief_percepts_hash(percepts));
  }
  return ALEA_OK;
}

/* Makes a joint move at a solved stage. */
static alea_status step(alea_mac_belief *s, alea_mac_work at, alea_node_id id, uint32_t image,
                        alea_mac_way *way) {
  alea_mac *m = s->mac;
  alea_status status = ALEA_OK;
  for (uint32_t r = 0; status == ALEA_OK && r < alea_mac_roles(m); r++)
    status = choose(s, at, alea_mac_at(m, id), image, r, way);
  if (status == ALEA_OK) status = alea_cursor_play(m->cursor, m->joint);
  if (status == ALEA_OK) status = note_observations(s);
  if (!m->timed) m->effort[at] += 1;
  way->depth++;
  return status;
}

/* ---- the way ---- */

/* Solves a stage; the time is solving's, whatever the way is for. */
static alea_status solve(alea_mac_belief *s, alea_mac_work at, alea_node_id id, bool *done) {
  alea_mac *m = s->mac;
  double start = alea_mac_now(m);
  alea_status status = alea_mac_solve(m, id, done);
  if (m->timed && at != ALEA_MAC_SOLVING) {
    double spent = alea_mac_now(m) - start;
    m->effort[ALEA_MAC_SOLVING] += spent;
    m->effort[at] -= spent;
  }
  return status;
}

/* Whether a stage so far down is solved by whoever comes: that of the drawn
 * position, and those of a line. */
static bool is_due(const alea_mac_belief *s, const alea_mac_way *way) {
  return way->depth <= (s->mac->line ? s->line_depth : 0);
}

/* What ends a way at a stage: '*on' is false then. */
static alea_status arrive(alea_mac_belief *s, alea_mac_work at, alea_node_id id, alea_mac_way *way,
                          bool *on) {
  alea_mac *m = s->mac;
  alea_node *node = alea_mac_at(m, id);
  *on = false;
  if (way->depth >= m->horizon || way->depth >= ALEA_MAC_DEPTH) return ALEA_OK;
  if (m->line && way->depth > s->line_depth) return ALEA_OK;
  if (!node->solved) {
    bool sampling = at == ALEA_MAC_SAMPLING, done = true;
    if (sampling && !is_due(s, way)) return ALEA_OK;
    alea_status status = solve(s, at, id, &done);
    if (status != ALEA_OK || !done) return status;
    way->solved = true;
    if (!sampling) return ALEA_OK;
    node = alea_mac_at(m, id);
  }
  way->known = node->terminal;
  if (node->terminal) memcpy(m->rewards, node->lo, alea_mac_roles(m) * sizeof *m->rewards);
  *on = !node->terminal;
  return ALEA_OK;
}

alea_status alea_mac_belief_descend(alea_mac_belief *s, const alea_belief *belief, alea_mac_work at,
                                    alea_mac_way *way) {
  alea_mac *m = s->mac;
  const alea_particle *particle = alea_belief_draw(belief, &m->rng);
  memcpy(s->keys, particle->keys, alea_mac_roles(m) * sizeof *s->keys);
  way->picks.count = way->nodes.count = 0;
  way->depth = 0;
  way->known = way->solved = false;
  alea_status status = alea_particle_load(particle, m->cursor);
  for (bool on = true; status == ALEA_OK && on;) {
    alea_node_id id;
    uint32_t image;
    status = alea_mac_meet(m, at, &id, &image);
    if (status != ALEA_OK || id == 0) break;
    if (!alea_vec_push(m->mem, &way->nodes, id)) return alea_mem_lack(m->mem);
    status = arrive(s, at, id, way, &on);
    if (status == ALEA_OK && on) status = step(s, at, id, image, way);
  }
  if (status == ALEA_NONE) status = ALEA_OK; /* somebody cannot move: the sampler says what then */
  if (way->depth > s->deepest) s->deepest = way->depth;
  if (status != ALEA_OK || at == ALEA_MAC_SOLVING || way->known) return status;
  return alea_position_keep(&way->words, m->cursor, m->mem);
}
