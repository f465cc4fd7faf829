/* MAC-UCB: solving and sampling in turns. */
#include "play/mac.h"

#include <string.h>

#include "game/position.h"
#include "scsp/services.h"
#include "scsp/stage_table.h"

enum {
  MOST_DEPTH = 4096, /* stages on one way down */
  CHUNK = 8,         /* stages solved between two looks at the clock */
  MOST_SEED = 256,   /* samples that a position brings along for a new arm */
  SHORT = 8,         /* no horizon below this */
  MOST_LOOPS = 24,   /* times the bounds of a position that follows itself are computed */
};

static const double image_cost = 1.0 / 16; /* in units of counted effort */

static uint32_t roles_of(const alea_mac *m) { return m->setup->game->role_count; }
static alea_node *node_at(const alea_mac *m, alea_node_id id) {
  return alea_store_at(&m->store, id);
}

/* ---- set up ---- */

static alea_status make_lines(alea_mac *m) {
  uint32_t count = m->line_count = (uint32_t)m->v->batch, roles = roles_of(m);
  m->lines = alea_mem_calloc(m->mem, count, sizeof *m->lines);
  m->requests = alea_mem_calloc(m->mem, count, sizeof *m->requests);
  m->results = alea_mem_calloc(m->mem, count, sizeof *m->results);
  m->sums = alea_mem_calloc(m->mem, (size_t)count * 2 * roles, sizeof *m->sums);
  m->joint = alea_mem_calloc(m->mem, roles, sizeof *m->joint);
  m->rewards = alea_mem_calloc(m->mem, roles, sizeof *m->rewards);
  m->theta = alea_mem_calloc(m->mem, roles, sizeof *m->theta);
  if (m->lines == NULL || m->requests == NULL || m->results == NULL || m->sums == NULL ||
      m->joint == NULL || m->rewards == NULL || m->theta == NULL)
    return alea_mem_lack(m->mem);
  for (uint32_t i = 0; i < count; i++) {
    m->results[i].sum = m->sums + (size_t)i * 2 * roles;
    m->results[i].sum_squares = m->results[i].sum + roles;
  }
  return ALEA_OK;
}

static void clear_lines(alea_mac *m) {
  uint32_t count = m->line_count, roles = roles_of(m);
  for (uint32_t i = 0; m->lines != NULL && i < count; i++) {
    alea_vec_clear(m->mem, &m->lines[i].path);
    alea_vec_clear(m->mem, &m->lines[i].picks);
    alea_vec_clear(m->mem, &m->lines[i].words);
  }
  alea_mem_free(m->mem, m->lines, count * sizeof *m->lines);
  alea_mem_free(m->mem, m->requests, count * sizeof *m->requests);
  alea_mem_free(m->mem, m->results, count * sizeof *m->results);
  alea_mem_free(m->mem, m->sums, (size_t)count * 2 * roles * sizeof *m->sums);
  alea_mem_free(m->mem, m->joint, roles * sizeof *m->joint);
  alea_mem_free(m->mem, m->rewards, roles * sizeof *m->rewards);
  alea_mem_free(m->mem, m->theta, roles * sizeof *m->theta);
}

/* So long may it take to make a constraint network of the game. */
static const double template_seconds = 60;

/* The one place that knows the engines of stages. */
static alea_status make_stage(alea_mac *m, alea_stage_method method, alea_text *message) {
  alea_stage_options options = {.method = method};
  if (strcmp(m->v->prop, "table") != 0)
    return alea_stage_new_net(&m->stage, m->setup->game, &options, m->mem);
  const alea_template *t = NULL;
  alea_deadline deadline = alea_deadline_in(template_seconds);
  alea_status status =
      m->setup->services != NULL
          ? alea_services_template(m->setup->services, ALEA_ENCODER_GROUND, &deadline, &t)
          : ALEA_NO;
  if (status == ALEA_OK)
    return alea_stage_new_table(&m->stage, t, m->setup->game, &options, NULL, m->mem);
  if (status == ALEA_SYSTEM) return status;
  alea_text_put(message,
                "prop=table: no constraint network of this game can be made, use prop=net");
  return ALEA_USAGE;
}

static alea_status make_sampler(alea_mac *m) {
  uint64_t seed = alea_rng_next(&m->rng);
  alea_status status = m->setup->sampler != NULL
                           ? m->setup->sampler(m->setup->sampler_context, seed, m->mem, &m->sampler)
                           : alea_sampler_new_plain(&m->sampler, m->setup->game, seed, m->mem);
  if (status == ALEA_OK) m->many = strcmp(m->sampler->class->engine, "plain") != 0;
  return status;
}

static void read_words(alea_mac *m) {
  const alea_mac_values *v = m->v;
  static const char *const selects[] = {"decoupled", "joint-own", "maximin", "coop"};
  for (int i = 0; i < 4; i++)
    if (strcmp(v->select, selects[i]) == 0) m->select = (alea_mac_select)i;
  m->threshold = strcmp(v->theta, "literal") == 0 ? ALEA_MAC_LITERAL
                 : strcmp(v->theta, "sound") == 0 ? ALEA_MAC_SOUND
                                                  : ALEA_MAC_NO_THETA;
  m->exact = strcmp(v->cache, "off") != 0;
  m->line = strcmp(v->descent, "line") == 0;
}

alea_status alea_mac_init(alea_mac *mac, const alea_player_setup *setup, const alea_mac_values *v,
                          alea_stage_method method, alea_player_stats *stats, alea_text *message) {
  *mac = (alea_mac){.setup = setup, .v = v, .mem = setup->mem, .stats = stats};
  alea_rng_seed_stream(&mac->rng, setup->seed, 2);
  read_words(mac);
  alea_status status = make_lines(mac);
  if (status == ALEA_OK) status = make_stage(mac, method, message);
  if (status == ALEA_OK) status = make_sampler(mac);
  if (status == ALEA_OK) status = alea_cursor_new(setup->game, mac->mem, &mac->cursor);
  if (status == ALEA_OK)
    status = alea_store_init(&mac->store, setup->game, v->memory, false, mac->mem);
  if (status == ALEA_OK && strcmp(v->cache, "keep") == 0) status = alea_mac_load(mac, message);
  return status;
}

void alea_mac_clear(alea_mac *mac) {
  if (mac->mem == NULL) return;
  alea_images_clear(&mac->images);
  alea_sampler_free(mac->sampler);
  alea_stage_free(mac->stage);
  alea_store_clear(&mac->store);
  alea_cursor_free(mac->cursor);
  alea_vec_clear(mac->mem, &mac->choices);
  alea_vec_clear(mac->mem, &mac->prefix);
  clear_lines(mac);
}

alea_status alea_mac_mirror(alea_mac *mac, double seconds) {
  struct alea_services *services = mac->setup->services;
  if (mac->mirrored || services == NULL || strcmp(mac->v->sym, "off") == 0) return ALEA_OK;
  const alea_mirror *mirror;
  alea_deadline deadline = alea_deadline_in(seconds);
  bool apart = strcmp(mac->v->sym, "paper") == 0;
  alea_status status = alea_services_mirror(services, apart, &deadline, &mirror);
  /* Too little time now: there may be more of it later. */
  if (status == ALEA_LIMIT) return ALEA_OK;
  mac->mirrored = true;
  if (status != ALEA_OK || alea_mirror_is_trivial(mirror)) return ALEA_OK;
  return alea_images_init(&mac->images, mirror, (uint32_t)mac->v->images, mac->v->memory / 4,
                          mac->mem);
}

/* ---- effort ---- */

static double now(const alea_mac *m) {
  if (!m->timed) return 0;
  return m->clock == ALEA_CLOCK_CPU ? alea_clock_thread() : alea_clock_wall();
}

static double all_effort(const alea_mac *m) {
  return m->effort[ALEA_MAC_SOLVING] + m->effort[ALEA_MAC_SAMPLING] + m->effort[ALEA_MAC_MIRRORING];
}

static void note_shares(alea_mac *m) {
  double all = all_effort(m);
  if (all <= 0) return;
  m->stats->solving = (uint64_t)(1000 * m->effort[ALEA_MAC_SOLVING] / all + 0.5);
  m->stats->sampling = (uint64_t)(1000 * m->effort[ALEA_MAC_SAMPLING] / all + 0.5);
  m->stats->mirroring = (uint64_t)(1000 * m->effort[ALEA_MAC_MIRRORING] / all + 0.5);
}

/* ---- positions ---- */

/* Whether symmetry may still be worked at. */
static bool may_mirror(const alea_mac *m) {
  return m->images.mirror != NULL &&
         m->effort[ALEA_MAC_MIRRORING] <= m->v->sym_share * all_effort(m);
}

/* The position that the cursor's is an image of, or 0.  Time is taken out of
 * what the caller is at. */
static alea_node_id find_image(alea_mac *m, alea_mac_work at, const uint64_t *words,
                               uint32_t *how) {
  double start = now(m);
  alea_node_id id = alea_images_find(&m->images, words, how);
  double spent = m->timed ? now(m) - start : image_cost * m->images.mirror->group.element_count;
  m->effort[ALEA_MAC_MIRRORING] += spent;
  if (m->timed) m->effort[at] -= spent;
  m->stats->symmetry_hits += id != 0;
  return id;
}

static void add_images(alea_mac *m, alea_mac_work at, const uint64_t *words, alea_node_id id) {
  double start = now(m);
  uint32_t made = alea_images_add(&m->images, words, id);
  double spent = m->timed ? now(m) - start : image_cost * made;
  m->effort[ALEA_MAC_MIRRORING] += spent;
  if (m->timed) m->effort[at] -= spent;
  m->stats->images += made;
}

/* The node of the cursor's position: known, like one that is known, or new. */
static alea_status meet(alea_mac *m, alea_mac_work at, alea_node_id *id, uint32_t *how) {
  size_t count;
  const uint64_t *words = alea_cursor_state(m->cursor, &count);
  uint64_t hash = alea_cursor_hash(m->cursor);
  *how = 0;
  *id = alea_store_find_words(&m->store, hash, words, count);
  if (*id != 0) {
    m->stats->transpositions++;
    m->stats->cache_hits += node_at(m, *id)->looked; /* the mark of what was read from a file */
    node_at(m, *id)->looked = false;
    return ALEA_OK;
  }
  bool mirror = may_mirror(m);
  if (mirror && (*id = find_image(m, at, words, how)) != 0) return ALEA_OK;
  alea_status status = alea_store_make_bare(&m->store, hash, words, count, id);
  if (status != ALEA_OK) return status;
  m->stats->nodes += *id != 0;
  m->stats->full += *id == 0;
  if (mirror && *id != 0 && alea_mirror_is_small(m->images.mirror)) add_images(m, at, words, *id);
  return ALEA_OK;
}

static void spell(alea_mac *mac, const alea_node *node, const uint32_t *picks) {
  for (uint32_t r = 0; r < roles_of(mac); r++)
    mac->joint[r] = node->moves[node->firsts[r] + picks[r]];
}

/* Whether a joint move is an arm of the one who chooses. */
static bool is_plain(const alea_mac *m, const alea_node *node) {
  int chance = m->setup->game->random_role;
  return node->choosers == 1 && node->children != NULL &&
         (chance < 0 || node->firsts[chance + 1] - node->firsts[chance] == 1);
}

/* An arm that leads to a position which was sampled before starts with what
 * is known of it. */
static void seed_arm(alea_mac *m, alea_node *node, uint32_t a, const alea_node *child) {
  alea_arm *arm = &node->arms[node->firsts[node->chooser] + a];
  if (arm->visits > 0 || child->visits == 0 || child->sums == NULL) return;
  uint32_t n = child->visits < MOST_SEED ? child->visits : MOST_SEED;
  arm->visits = n;
  arm->sum = (float)n * child->sums[node->chooser] / (float)child->visits;
  for (uint32_t r = 0; r < roles_of(m); r++)
    node->sums[r] += (float)n * child->sums[r] / (float)child->visits;
  node->visits += n;
}

/* Arms that lead to one position are one arm. */
static void join_twins(alea_node *node, uint32_t joint, alea_node_id id) {
  alea_arm_work *efforts = node->efforts + node->firsts[node->chooser];
  for (uint32_t i = 0; i < node->joint_count; i++) {
    if (efforts[i].twin == joint + 1) node->children[i] = id;
    if (i == joint || node->children[i] != id || efforts[i].twin == joint + 1) continue;
    uint32_t older = i < joint ? i : joint, younger = i < joint ? joint : i;
    if (efforts[younger].twin == 0 && efforts[older].twin == 0) efforts[younger].twin = older + 1;
  }
}

static alea_status link_child(alea_mac *m, alea_mac_work at, alea_node_id from,
                              const uint32_t *picks, alea_node_id *id) {
  alea_node *node = node_at(m, from);
  uint32_t how, joint = alea_node_joint(node, roles_of(m), picks);
  if (node->children != NULL && node->children[joint] != 0) {
    *id = node->children[joint];
    return ALEA_OK;
  }
  spell(m, node, picks);
  alea_status status = alea_cursor_load(m->cursor, node->words, node->word_count);
  if (status == ALEA_OK) status = alea_cursor_play(m->cursor, m->joint);
  if (status == ALEA_OK) status = meet(m, at, id, &how);
  if (!m->timed && at == ALEA_MAC_SOLVING) m->effort[at] += 1;
  if (status != ALEA_OK || *id == 0 || node->children == NULL) return status;
  node->children[joint] = *id;
  if (!is_plain(m, node)) return ALEA_OK;
  join_twins(node, joint, *id);
  seed_arm(m, node, joint, node_at(m, *id));
  return ALEA_OK;
}

/* ---- down ---- */

static bool is_known(const alea_mac *m, const alea_node *node) {
  return node->exact && (m->exact || node->terminal);
}

static bool is_leaf(const alea_mac *m, const alea_mac_line *line, const alea_node *node) {
  return !node->solved || is_known(m, node) || node->stamp == m->stamp ||
         line->path.count >= MOST_DEPTH || line->path.count >= m->horizon;
}

static bool push_stop(alea_mac *m, alea_mac_line *line, alea_node_id id) {
  alea_mac_stop stop = {id, (uint32_t)line->picks.count};
  if (!alea_vec_reserve(m->mem, &line->picks, roles_of(m))) return false;
  line->picks.count += roles_of(m);
  return alea_vec_push(m->mem, &line->path, stop);
}

/* From the base to the first stage that is not solved, or needs no solving. */
static alea_status descend(alea_mac *m, alea_mac_work at, alea_mac_line *line) {
  alea_node_id id = m->base;
  line->path.count = line->picks.count = 0;
  line->repeated = false;
  m->stamp++;
  for (;;) {
    alea_node *node = node_at(m, id);
    line->leaf = id;
    line->repeated = node->stamp == m->stamp;
    if (is_leaf(m, line, node)) return ALEA_OK;
    node->stamp = m->stamp;
    if (!push_stop(m, line, id)) return alea_mem_lack(m->mem);
    uint32_t *picks = line->picks.data + line->picks.count - roles_of(m);
    alea_mac_prune(m, node);
    alea_mac_pick(m, node, at == ALEA_MAC_SOLVING, picks);
    alea_status status = link_child(m, at, id, picks, &id);
    if (status != ALEA_OK) return status;
    if (id != 0) continue;
    line->leaf = 0;
    return alea_position_keep(&line->words, m->cursor, m->mem);
  }
}

/* Computes the bounds of a node anew.  Where chance may lead from a position
 * to itself, bounds close step by step: a few at once. */
static bool update_node(alea_mac *m, alea_node_id id) {
  alea_node *node = node_at(m, id);
  bool loops = false, changed = alea_exact_update(&m->store, node);
  if (!changed || node->exact || m->setup->game->random_role < 0 || node->children == NULL)
    return changed;
  for (uint32_t j = 0; j < node->joint_count && !loops; j++) loops = node->children[j] == id;
  for (int i = 0; loops && i < MOST_LOOPS && !node->exact; i++)
    if (!alea_exact_update(&m->store, node)) break;
  return true;
}

/* Carries what is exact up a way, as far as something changes. */
static void update_bounds(alea_mac *m, const alea_mac_line *line) {
  if (!m->exact || line->leaf == 0 || (!line->repeated && !node_at(m, line->leaf)->exact)) return;
  size_t i = line->path.count;
  while (i-- > 0)
    if (!update_node(m, line->path.data[i].id)) return;
  for (i = m->prefix.count; i-- > 0;)
    if (!update_node(m, m->prefix.data[i])) return;
}

/* ---- solving ---- */

/* Moves that the symmetries of the position map to each other are one arm. */
static alea_status find_orbits(alea_mac *m, alea_node *node) {
  uint32_t first = node->firsts[node->chooser], count = node->firsts[node->chooser + 1] - first;
  alea_images *images = &m->images;
  double start = now(m);
  uint32_t *classes = alea_mem_calloc(m->mem, count, sizeof *classes);
  if (classes == NULL) return alea_mem_lack(m->mem);
  alea_mirror_orbits(images->mirror, node->words, images->words, node->chooser, node->moves + first,
                     count, classes);
  for (uint32_t i = 0; i < count; i++) {
    if (classes[i] != i) {
      node->efforts[first + i].twin = classes[i] + 1;
      m->stats->symmetry_hits++;
    }
  }
  alea_mem_free(m->mem, classes, count * sizeof *classes);
  uint32_t made = alea_mirror_is_small(images->mirror) ? images->mirror->group.element_count
                                                       : images->mirror->group.generator_count;
  double spent = m->timed ? now(m) - start : image_cost * made;
  m->effort[ALEA_MAC_MIRRORING] += spent;
  if (m->timed) m->effort[ALEA_MAC_SOLVING] -= spent;
  return ALEA_OK;
}

/* Solves the stage; '*done' is false where the store is full. */
static alea_status solve(alea_mac *m, alea_node_id id, bool *done) {
  alea_stage_solution solution;
  const alea_node *bare = node_at(m, id);
  alea_status status = alea_stage_solve(m->stage, bare->words, bare->word_count, &solution);
  if (status != ALEA_OK) return status;
  if (!m->timed) m->effort[ALEA_MAC_SOLVING] += 1;
  *done = alea_store_fill(&m->store, id, &solution);
  if (!*done) {
    m->stats->full++;
    return ALEA_OK;
  }
  m->stats->solved++;
  m->stats->arms += solution.arm_count;
  alea_node *node = node_at(m, id);
  if (node->terminal || !may_mirror(m)) return ALEA_OK;
  if (!alea_mirror_is_small(m->images.mirror)) add_images(m, ALEA_MAC_SOLVING, node->words, id);
  return is_plain(m, node) ? find_orbits(m, node) : ALEA_OK;
}

static void count_solved(alea_mac *m, const alea_mac_line *line) {
  for (size_t i = 0; i < line->path.count; i++) {
    alea_node *node = node_at(m, line->path.data[i].id);
    const uint32_t *picks = line->picks.data + line->path.data[i].picks;
    for (uint32_t r = 0; r < roles_of(m); r++) node->efforts[node->firsts[r] + picks[r]].solved++;
  }
}

/* One step of sequential resolution; '*done' when there was one to make. */
static alea_status exploit(alea_mac *m, bool *done) {
  alea_mac_line *line = &m->lines[0];
  *done = false;
  /* A line solves the stage where it is; sampling does the rest. */
  if (m->line && node_at(m, m->base)->solved) return ALEA_OK;
  alea_status status = descend(m, ALEA_MAC_SOLVING, line);
  if (status != ALEA_OK || line->leaf == 0) return status;
  bool solved = node_at(m, line->leaf)->solved;
  if (!solved && !is_known(m, node_at(m, line->leaf))) {
    status = solve(m, line->leaf, done);
    if (status != ALEA_OK) return status;
  }
  count_solved(m, line);
  /* That something which was known is now known here is progress too. */
  if (is_known(m, node_at(m, line->leaf))) {
    *done = true;
    if (!m->timed) m->effort[ALEA_MAC_SOLVING] += 1;
  }
  update_bounds(m, line);
  return ALEA_OK;
}

/* A few steps; '*idle' when all of them led nowhere. */
static alea_status exploit_some(alea_mac *m, alea_watch *watch, uint64_t done, bool *idle) {
  alea_status status = ALEA_OK;
  double start = now(m);
  *idle = true;
  for (int i = 0; status == ALEA_OK && i < CHUNK && !is_known(m, node_at(m, m->root)); i++) {
    bool progress;
    status = exploit(m, &progress);
    if (progress) *idle = false;
    if (!progress && !m->timed) m->effort[ALEA_MAC_SOLVING] += 1;
    m->over = alea_watch_over(watch, done);
    if (m->over) break;
  }
  if (m->timed) m->effort[ALEA_MAC_SOLVING] += now(m) - start;
  return status;
}

/* ---- sampling ---- */

/* A pull that is under way counts as lost by all, so that the next of the
 * batch go elsewhere. */
static void count_visits(alea_mac *m, const alea_mac_line *line, uint32_t by) {
  for (size_t i = 0; i < line->path.count; i++) {
    alea_node *node = node_at(m, line->path.data[i].id);
    const uint32_t *picks = line->picks.data + line->path.data[i].picks;
    node->visits += by;
    for (uint32_t r = 0; r < roles_of(m); r++) node->arms[node->firsts[r] + picks[r]].visits += by;
  }
  if (line->leaf != 0 && !line->repeated) node_at(m, line->leaf)->visits += by;
}

/* What is sure is sure. */
static void clamp(const alea_mac *m, const alea_node *node) {
  for (uint32_t r = 0; r < roles_of(m); r++) {
    if ((int)r == m->setup->game->random_role) continue;
    if (m->rewards[r] < node->lo[r]) m->rewards[r] = node->lo[r];
    if (m->rewards[r] > node->hi[r]) m->rewards[r] = node->hi[r];
  }
}

static void add_sums(const alea_mac *m, alea_node *node, float n) {
  for (uint32_t r = 0; r < roles_of(m); r++) node->sums[r] += n * m->rewards[r];
}

/* Adds 'n' samples whose mean is m->rewards; the visits are counted. */
static void back_up(alea_mac *m, const alea_mac_line *line, uint32_t n) {
  update_bounds(m, line);
  if (line->leaf != 0 && !line->repeated) add_sums(m, node_at(m, line->leaf), (float)n);
  for (size_t i = line->path.count; i-- > 0;) {
    alea_node *node = node_at(m, line->path.data[i].id);
    const uint32_t *picks = line->picks.data + line->path.data[i].picks;
    for (uint32_t r = 0; r < roles_of(m); r++) {
      alea_arm *arm = &node->arms[node->firsts[r] + picks[r]];
      arm->sum += (float)n * m->rewards[r];
      arm->squares += (float)n * m->rewards[r] * m->rewards[r];
    }
    if (m->exact) clamp(m, node);
    add_sums(m, node, (float)n);
  }
}

static uint32_t weight_of(const alea_mac *m, uint64_t left) {
  uint32_t wanted = m->many ? (uint32_t)m->v->playouts : 1;
  return wanted <= left ? wanted : (uint32_t)left;
}

/* Goes down 'most' times.  Pulls whose value is known are finished at once,
 * the others wait for the sampler, '*count' of them in front. */
static alea_status gather(alea_mac *m, uint32_t most, uint32_t weight, uint32_t *count) {
  *count = 0;
  for (uint32_t i = 0; i < most; i++) {
    alea_mac_line *line = &m->lines[*count];
    alea_status status = descend(m, ALEA_MAC_SAMPLING, line);
    if (status != ALEA_OK) return status;
    const alea_node *leaf = line->leaf != 0 ? node_at(m, line->leaf) : NULL;
    count_visits(m, line, weight);
    if (leaf != NULL && is_known(m, leaf)) {
      memcpy(m->rewards, leaf->lo, roles_of(m) * sizeof *m->rewards);
      back_up(m, line, weight);
      m->stats->exact += weight;
      m->stats->sims += weight;
      if (is_known(m, node_at(m, m->base))) return ALEA_OK;
      continue;
    }
    m->requests[(*count)++] =
        leaf != NULL ? (alea_sample_request){leaf->words, leaf->word_count, weight}
                     : (alea_sample_request){line->words.data, line->words.count, weight};
  }
  return ALEA_OK;
}

/* A horizon that cuts more than one playout in fifty is too near. */
static void adapt_horizon(alea_mac *m, uint64_t states, uint64_t playouts, uint64_t unfinished) {
  if (playouts == 0 || m->v->horizon > 0) return;
  double length = (double)states / (double)playouts;
  m->length = m->length > 0 ? 0.7 * m->length + 0.3 * length : length;
  double wanted = 1.5 * m->length + SHORT;
  if (m->horizon == UINT32_MAX || wanted > m->horizon) m->horizon = (uint32_t)wanted;
  if (50 * unfinished > playouts && m->horizon < 10000) m->horizon *= 2;
}

static void collect(alea_mac *m, uint32_t count, uint32_t weight) {
  uint64_t states = 0, playouts = 0, unfinished = 0;
  for (uint32_t i = 0; i < count; i++) {
    const alea_sample_result *result = &m->results[i];
    double all = (double)(result->playouts + result->unfinished);
    for (uint32_t r = 0; r < roles_of(m); r++)
      m->rewards[r] = all > 0 ? (float)(result->sum[r] / all / 100) : 0;
    states += result->states;
    playouts += weight;
    unfinished += result->unfinished;
    back_up(m, &m->lines[i], weight);
  }
  m->stats->sims += playouts;
  if (!m->timed)
    m->effort[ALEA_MAC_SAMPLING] += (double)states / (m->many ? ALEA_MAC_LANES : 1) + count;
  adapt_horizon(m, states, playouts, unfinished);
}

/* Playouts one by one are best led by those before them: batches take a small
 * part of the time.  A batch of many costs the same full or not. */
static void adapt_batch(alea_mac *m, const alea_watch *watch, double spent) {
  if (!m->timed || m->many) return;
  if (spent < 0.001 * watch->budget.seconds && m->batch < m->line_count) m->batch *= 2;
  if (spent > 0.004 * watch->budget.seconds && m->batch > 1) m->batch /= 2;
  if (m->batch > m->line_count) m->batch = m->line_count;
}

static alea_status explore(alea_mac *m, alea_watch *watch, uint64_t left) {
  uint32_t count, weight = weight_of(m, left), most = m->batch;
  double start = now(m);
  if (left / weight < most) most = (uint32_t)(left / weight);
  uint64_t before = m->stats->sims;
  alea_sample_options options = {.step_cap = m->horizon == UINT32_MAX ? 0 : m->horizon};
  alea_status status = gather(m, most, weight, &count);
  if (status == ALEA_OK && count > 0)
    status = alea_sampler_run(m->sampler, m->requests, count, &options, m->results);
  if (status != ALEA_OK) return status;
  collect(m, count, weight);
  uint64_t made = m->stats->sims - before;
  m->since_pruning += made;
  m->base_pulls += made;
  if (!m->timed) m->effort[ALEA_MAC_SAMPLING] += (double)(most - count);
  double spent = now(m) - start;
  if (m->timed) m->effort[ALEA_MAC_SAMPLING] += spent;
  adapt_batch(m, watch, spent);
  return ALEA_OK;
}

/* ---- a line of stages ---- */

static void best_pick(alea_mac *m, const alea_node *node, uint32_t role, uint32_t *pick) {
  uint32_t best = alea_mac_best_of(m, node, role);
  if (best != UINT32_MAX) *pick = best;
}

/* The base moves to the best arm's child, or back to the root. */
static alea_status move_base(alea_mac *m) {
  alea_node *node = node_at(m, m->base);
  uint32_t picks[64];
  m->base_pulls = 0;
  bool on = node->solved && !is_known(m, node) && m->prefix.count + 1 < m->horizon &&
            m->prefix.count < MOST_DEPTH && roles_of(m) <= 64;
  if (on) {
    alea_node_id id;
    alea_mac_pick(m, node, false, picks);
    for (uint32_t r = 0; r < roles_of(m); r++)
      if ((int)r != m->setup->game->random_role && node->firsts[r + 1] - node->firsts[r] > 1)
        best_pick(m, node, r, &picks[r]);
    alea_status status = link_child(m, ALEA_MAC_SOLVING, m->base, picks, &id);
    if (status != ALEA_OK) return status;
    if (id != 0 && !is_known(m, node_at(m, id))) {
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
    alea_store_empty(&mac->store);
    alea_images_empty(&mac->images);
  }
  status = meet(mac, ALEA_MAC_SOLVING, &mac->root, &mac->root_image);
  if (mac->root != 0 && mac->store.used > mac->store.limit / 2) {
    /* Positions that can no longer come make room. */
    alea_store_keep(&mac->store, mac->root);
    alea_images_empty(&mac->images);
    if (mac->store.count > 0) {
      const alea_node *like = node_at(mac, mac->root);
      add_images(mac, ALEA_MAC_SOLVING, like->words, mac->root);
    }
    mac->root = 0;
  }
  if (status == ALEA_OK && mac->root == 0) {
    if (mac->store.used > mac->store.limit / 2) alea_store_empty(&mac->store);
    status = alea_particle_load(position, mac->cursor);
    if (status == ALEA_OK) status = meet(mac, ALEA_MAC_SOLVING, &mac->root, &mac->root_image);
  }
  mac->base = mac->root;
  mac->prefix.count = 0;
  mac->base_pulls = mac->since_pruning = 0;
  memset(mac->theta, 0, roles_of(mac) * sizeof *mac->theta);
  mac->prunings++; /* thresholds begin anew */
  memset(mac->effort, 0, sizeof mac->effort);
  return status;
}

/* The root is solved whatever is known of it: a move has to be named. */
static alea_status solve_root(alea_mac *m) {
  alea_node *root = node_at(m, m->root);
  bool done = true;
  alea_status status = root->solved ? ALEA_OK : solve(m, m->root, &done);
  root = node_at(m, m->root);
  if (status != ALEA_OK || !done || root->terminal || !root->exact) return status;
  /* A value without the arm that has it, from the cache: found again. */
  bool shown = false;
  uint32_t me = m->setup->role;
  for (uint32_t a = root->firsts[me]; a < root->firsts[me + 1]; a++)
    if (root->arms[a].hi - root->arms[a].lo < 1e-6f) shown = true;
  if (shown) return ALEA_OK;
  root->exact = false;
  for (uint32_t r = 0; r < roles_of(m); r++)
    if ((int)r != m->setup->game->random_role) root->lo[r] = 0, root->hi[r] = 1;
  return ALEA_OK;
}

static void begin(alea_mac *m, const alea_watch *watch) {
  m->timed = watch->budget.seconds > 0;
  m->clock = watch->budget.clock;
  m->horizon = m->v->horizon > 0 ? (uint32_t)m->v->horizon : UINT32_MAX;
  m->length = 0;
  m->over = false;
  m->prune_every = (uint64_t)m->v->pulls;
  m->batch = m->timed && !m->many ? 1 : m->line_count;
  if (watch->limit == UINT64_MAX) return;
  uint64_t weight = weight_of(m, watch->limit);
  if (m->prune_every > watch->limit / 10 + 1) m->prune_every = watch->limit / 10 + 1;
  if (m->batch > watch->limit / weight / 16) m->batch = (uint32_t)(watch->limit / weight / 16);
  if (m->batch < 1) m->batch = 1;
}

static bool wants_solving(const alea_mac *m) {
  return m->effort[ALEA_MAC_SOLVING] <= m->v->rho * all_effort(m);
}

static alea_status work(alea_mac *m, alea_watch *watch, uint64_t done) {
  bool idle = true;
  alea_status status = ALEA_OK;
  if (wants_solving(m) || !node_at(m, m->base)->solved)
    status = exploit_some(m, watch, done, &idle);
  /* Nothing left to solve: time for samples. */
  if (status == ALEA_OK && idle && !m->over && !is_known(m, node_at(m, m->root)))
    status = explore(m, watch, watch->limit - done);
  if (status != ALEA_OK) return status;
  if (m->since_pruning >= m->prune_every) {
    m->since_pruning = 0;
    alea_mac_raise(m);
  }
  bool enough = m->base_pulls >= m->prune_every || is_known(m, node_at(m, m->base));
  return m->line && enough ? move_base(m) : ALEA_OK;
}

alea_status alea_mac_run(alea_mac *mac, alea_watch *watch) {
  if (mac->root == 0) return ALEA_OK;
  begin(mac, watch);
  uint64_t before = mac->stats->sims, done = 0;
  alea_status status = solve_root(mac);
  while (status == ALEA_OK && node_at(mac, mac->root)->solved &&
         !is_known(mac, node_at(mac, mac->root)) && !mac->over && !alea_watch_over(watch, done)) {
    status = work(mac, watch, done);
    done = mac->stats->sims - before;
  }
  note_shares(mac);
  return status;
}

/* ---- the answer ---- */

alea_status alea_mac_best(alea_mac *mac, alea_move *move) {
  if (mac->root == 0) return ALEA_NO;
  alea_node *root = node_at(mac, mac->root);
  uint32_t role = mac->setup->role;
  if (!root->solved || root->terminal || root->firsts[role] == root->firsts[role + 1])
    return ALEA_NO;
  uint32_t arm = alea_mac_best_of(mac, root, role);
  if (arm == UINT32_MAX) return ALEA_NO;
  *move =
      alea_images_move(&mac->images, mac->root_image, role, root->moves[root->firsts[role] + arm]);
  return ALEA_OK;
}

static alea_proof proof_of(const alea_mac *m, float lo, float hi) {
  if (!m->exact || hi - lo > 1e-6f) return ALEA_PROOF_NONE;
  if (lo > 1 - 1e-6f) return ALEA_PROOF_WIN;
  return lo < 1e-6f ? ALEA_PROOF_LOSS : ALEA_PROOF_EXACT;
}

void alea_mac_analyse(alea_mac *mac, alea_analysis *analysis) {
  mac->choices.count = 0;
  if (mac->root == 0) return;
  alea_node *root = node_at(mac, mac->root);
  uint32_t role = mac->setup->role;
  if (!root->solved || root->terminal) return;
  for (uint32_t a = root->firsts[role]; a < root->firsts[role + 1]; a++) {
    alea_choice choice = {.value = -1};
    float value = alea_mac_value(mac, root, a, &choice.visits);
    choice.move = alea_images_move(&mac->images, mac->root_image, role, root->moves[a]);
    choice.proof = proof_of(mac, root->arms[a].lo, root->arms[a].hi);
    if (value >= 0) choice.value = 100.0 * (double)value;
    if (!alea_vec_push(mac->mem, &mac->choices, choice)) break;
  }
  analysis->choices = mac->choices.data;
  analysis->count = mac->choices.count;
  analysis->proof = proof_of(mac, root->lo[role], root->hi[role]);
  uint32_t best = alea_mac_best_of(mac, root, role);
  uint64_t visits;
  float value = -1;
  if (best != UINT32_MAX) value = alea_mac_value(mac, root, root->firsts[role] + best, &visits);
  if (value >= 0) analysis->value = 100.0 * (double)value;
}
