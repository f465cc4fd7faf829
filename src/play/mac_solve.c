/* MAC-UCB: solving, the arms of one stage after the other, where bounds lead. */
#include "play/mac.h"

enum { CHUNK = 8 }; /* stages solved between two looks at the clock */

/* Moves that the symmetries of the position map to each other are one arm. */
static alea_status find_orbits(alea_mac *m, alea_node *node) {
  uint32_t first = node->firsts[node->chooser], count = node->firsts[node->chooser + 1] - first;
  alea_symmetry_table *images = &m->images;
  double start = alea_mac_now(m);
  uint32_t *classes = alea_mem_calloc(m->mem, count, sizeof *classes);
  if (classes == NULL) return alea_mem_lack(m->mem);
  alea_game_symmetry_orbits(images->symmetry, node->words, images->words, node->chooser,
                            node->moves + first, count, classes);
  for (uint32_t i = 0; i < count; i++) {
    if (classes[i] != i) {
      node->efforts[first + i].representative = classes[i] + 1;
      m->stats->symmetry_hits++;
    }
  }
  alea_mem_free(m->mem, classes, count * sizeof *classes);
  uint32_t made = alea_game_symmetry_is_small(images->symmetry)
                      ? images->symmetry->group.element_count
                      : images->symmetry->group.generator_count;
  alea_mac_charge(m, ALEA_MAC_SOLVING, start, made);
  return ALEA_OK;
}

alea_status alea_mac_solve(alea_mac *m, alea_node_id id, bool *done) {
  alea_stage_solution solution;
  const alea_node *bare = alea_mac_at(m, id);
  double before = alea_stage_work(m->stage);
  alea_status status = alea_stage_solve(m->stage, bare->words, bare->word_count, &solution);
  if (status == ALEA_NO && m->constrained) {
    /* the network was made for positions that are not like this one */
    status = alea_mac_leave_constraints(m);
    if (status == ALEA_OK)
      status = alea_stage_solve(m->stage, bare->words, bare->word_count, &solution);
  }
  if (status != ALEA_OK) return status;
  if (!m->timed) m->effort[ALEA_MAC_SOLVING] += alea_stage_work(m->stage) - before;
  *done = alea_node_store_fill(&m->store, id, &solution);
  if (!*done) {
    m->stats->full++;
    return ALEA_OK;
  }
  m->stats->solved++;
  m->stats->constrained += m->constrained;
  m->stats->arms += solution.arm_count;
  alea_node *node = alea_mac_at(m, id);
  status = alea_mac_restrict(m, node, &solution);
  if (status == ALEA_NO && m->constrained) status = alea_mac_leave_constraints(m);
  if (status != ALEA_OK) return status;
  if (node->terminal || !alea_mac_may_use_symmetry(m)) return ALEA_OK;
  status = alea_mac_heed_nogoods(m, ALEA_MAC_SOLVING);
  if (status != ALEA_OK) return status;
  if (m->images.images) alea_mac_add_symmetric(m, ALEA_MAC_SOLVING, node->words, id);
  return alea_mac_is_plain(m, node) ? find_orbits(m, node) : ALEA_OK;
}

static void count_solved(alea_mac *m, const alea_mac_line *line) {
  for (size_t i = 0; i < line->path.count; i++) {
    alea_node *node = alea_mac_at(m, line->path.data[i].id);
    const uint32_t *picks = line->picks.data + line->path.data[i].picks;
    for (uint32_t r = 0; r < alea_mac_roles(m); r++)
      node->efforts[node->firsts[r] + picks[r]].solved++;
  }
}

/* One step of sequential resolution; '*done' when there was one to make. */
static alea_status step(alea_mac *m, bool *done) {
  alea_mac_line *line = &m->lines[0];
  *done = false;
  /* A line solves the stage where it is; sampling does the rest. */
  if (m->line && alea_mac_at(m, m->base)->solved) return ALEA_OK;
  alea_status status = alea_mac_descend(m, ALEA_MAC_SOLVING, line);
  if (status != ALEA_OK || line->leaf == 0) return status;
  bool solved = alea_mac_at(m, line->leaf)->solved;
  if (!solved && !alea_mac_knows(m, alea_mac_at(m, line->leaf))) {
    status = alea_mac_solve(m, line->leaf, done);
    if (status != ALEA_OK) return status;
  }
  count_solved(m, line);
  /* That something which was known is now known here is progress too. */
  if (alea_mac_knows(m, alea_mac_at(m, line->leaf))) {
    *done = true;
    if (!m->timed) m->effort[ALEA_MAC_SOLVING] += 1;
  }
  alea_mac_close(m, line);
  return ALEA_OK;
}

alea_status alea_mac_exploit(alea_mac *m, alea_time_manager *time_manager, uint64_t done,
                             bool *idle) {
  alea_status status = ALEA_OK;
  double start = alea_mac_now(m);
  *idle = true;
  for (int i = 0; status == ALEA_OK && i < CHUNK && !alea_mac_knows(m, alea_mac_at(m, m->root));
       i++) {
    bool progress;
    status = step(m, &progress);
    if (progress) *idle = false;
    if (!progress && !m->timed) m->effort[ALEA_MAC_SOLVING] += 1;
    m->over = alea_time_manager_over(time_manager, done);
    if (m->over) break;
  }
  if (m->timed) m->effort[ALEA_MAC_SOLVING] += alea_mac_now(m) - start;
  return status;
}
