/* MAC-UCB: sampling, what arms are worth by pulls that go down and play on at
 * random. */
#include <string.h>

#include "play/mac.h"

enum { SHORT = 8 }; /* no horizon below this */

/* A pull that is under way counts as lost by all, so that the next of the
 * batch go elsewhere. */
static void count_visits(alea_mac *m, const alea_mac_line *line) {
  for (size_t i = 0; i < line->path.count; i++) {
    alea_node *node = alea_mac_at(m, line->path.data[i].id);
    const uint32_t *picks = line->picks.data + line->path.data[i].picks;
    node->visits++;
    for (uint32_t r = 0; r < alea_mac_roles(m); r++)
      node->arms[node->firsts[r] + picks[r]].visits++;
  }
  if (line->leaf != 0 && !line->repeated) alea_mac_at(m, line->leaf)->visits++;
}

/* What is sure is sure. */
static void clamp(const alea_mac *m, const alea_node *node) {
  for (uint32_t r = 0; r < alea_mac_roles(m); r++) {
    if ((int)r == m->setup->game->random_role) continue;
    if (m->rewards[r] < node->lo[r]) m->rewards[r] = node->lo[r];
    if (m->rewards[r] > node->hi[r]) m->rewards[r] = node->hi[r];
  }
}

static void add_sums(const alea_mac *m, alea_node *node) {
  for (uint32_t r = 0; r < alea_mac_roles(m); r++) node->sums[r] += m->rewards[r];
}

/* Adds a pull whose playouts have the mean m->rewards; the visit is counted. */
static void back_up(alea_mac *m, const alea_mac_line *line) {
  alea_mac_close(m, line);
  if (line->leaf != 0 && !line->repeated) add_sums(m, alea_mac_at(m, line->leaf));
  for (size_t i = line->path.count; i-- > 0;) {
    alea_node *node = alea_mac_at(m, line->path.data[i].id);
    const uint32_t *picks = line->picks.data + line->path.data[i].picks;
    for (uint32_t r = 0; r < alea_mac_roles(m); r++) {
      alea_arm *arm = &node->arms[node->firsts[r] + picks[r]];
      arm->sum += m->rewards[r];
      arm->squares += m->rewards[r] * m->rewards[r];
    }
    if (m->exact) clamp(m, node);
    add_sums(m, node);
  }
}

/* Goes down as often as 'size' says.  Pulls whose value is known are finished at once,
 * the others wait for the sampler: line i for leaf i of the batch. */
static alea_status gather(alea_mac *m, alea_batch_size size) {
  alea_leaf_batch_begin(&m->leaves);
  for (uint32_t i = 0; i < size.leaves; i++) {
    alea_mac_line *line = &m->lines[m->leaves.count];
    alea_status status = alea_mac_descend(m, ALEA_MAC_SAMPLING, line);
    if (status != ALEA_OK) return status;
    const alea_node *leaf = line->leaf != 0 ? alea_mac_at(m, line->leaf) : NULL;
    count_visits(m, line);
    if (leaf != NULL && alea_mac_knows(m, leaf)) {
      memcpy(m->rewards, leaf->lo, alea_mac_roles(m) * sizeof *m->rewards);
      back_up(m, line);
      m->stats->exact++;
      m->stats->sims++;
      if (alea_mac_knows(m, alea_mac_at(m, m->base))) return ALEA_OK;
      continue;
    }
    if (leaf != NULL)
      alea_leaf_batch_add(&m->leaves, leaf->words, leaf->word_count, size.playouts);
    else
      alea_leaf_batch_add(&m->leaves, line->words.data, line->words.count, size.playouts);
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

void alea_mac_note_samples(alea_mac *m) {
  uint64_t states = 0, playouts = 0, unfinished = 0;
  for (uint32_t i = 0; i < m->leaves.count; i++) {
    const alea_sample_result *result = &m->leaves.results[i];
    states += result->states;
    playouts += result->playouts + result->unfinished;
    unfinished += result->unfinished;
  }
  m->stats->sims += playouts;
  if (!m->timed)
    m->effort[ALEA_MAC_SAMPLING] +=
        (double)states / (m->leaves.many ? ALEA_MAC_LANES : 1) + m->leaves.count;
  adapt_horizon(m, states, playouts, unfinished);
}

static void collect(alea_mac *m) {
  for (uint32_t i = 0; i < m->leaves.count; i++) {
    alea_leaf_batch_rewards(&m->leaves, i, m->rewards);
    back_up(m, &m->lines[i]);
  }
  alea_mac_note_samples(m);
}

alea_status alea_mac_explore(alea_mac *m, alea_time_manager *time_manager, uint64_t left) {
  alea_batch_size wanted = {m->line_count, (uint32_t)m->v->playouts};
  alea_batch_size size = alea_leaf_batch_fit(wanted, time_manager->limit, left);
  double start = alea_mac_now(m);
  uint64_t before = m->stats->sims;
  alea_sample_options options = {.step_cap = m->horizon == UINT32_MAX ? 0 : m->horizon};
  alea_status status = gather(m, size);
  if (status == ALEA_OK) status = alea_leaf_batch_run(&m->leaves, &options);
  if (status != ALEA_OK) return status;
  collect(m);
  uint64_t made = m->stats->sims - before;
  m->since_pruning += made;
  m->base_pulls += made;
  if (!m->timed) m->effort[ALEA_MAC_SAMPLING] += (double)(size.leaves - m->leaves.count);
  if (m->timed) m->effort[ALEA_MAC_SAMPLING] += alea_mac_now(m) - start;
  return ALEA_OK;
}
