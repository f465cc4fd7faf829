/* MAC-UCB: the symmetries of a stage with its nogoods, as printed ([SYM16 §4],
 * D30, D62).
 *
 * A stage that is solved while there are new nogoods has its graph built with all
 * of them and handed to nauty (symmetry/stage_symmetry.h), as long as symmetry is
 * within its share.  Positions that are solved then have their images stored by
 * the group that was found; those stored before stay.  Where the nogoods are the
 * same as last time the group is, too, and where there are none it is that of the
 * stage alone: neither is found again. */
#include <string.h>

#include "base/hash.h"
#include "encode/services.h"
#include "play/mac.h"

enum { GRAPH_PER_IMAGE = 4 }; /* vertices and edges that cost nauty what an image costs, about */

static size_t width(const alea_mac *m) { return m->images.symmetry->word_count; }

static uint64_t hash_nogood(const uint64_t *words, size_t count, alea_stage_nogood nogood) {
  uint64_t hash = alea_hash_bytes(words, count * sizeof *words);
  return alea_hash_mix(hash + ((uint64_t)nogood.role << 32 | nogood.move));
}

static uint64_t hash_of_nogood(const void *mac, uint32_t i) {
  const alea_mac *m = mac;
  return hash_nogood(m->nogoods.words.data + i * width(m), width(m), m->nogoods.list.data[i]);
}

/* Where it is in the map, or would be. */
static alea_hash_probe find(const alea_mac *m, const uint64_t *words, alea_stage_nogood nogood) {
  const alea_mac_nogoods *n = &m->nogoods;
  alea_hash_probe probe = alea_hash_map_probe(&n->map, hash_nogood(words, width(m), nogood));
  while (alea_hash_map_next(&n->map, &probe)) {
    const alea_stage_nogood *other = &n->list.data[probe.id];
    if (other->role == nogood.role && other->move == nogood.move &&
        memcmp(n->words.data + probe.id * width(m), words, width(m) * sizeof *words) == 0)
      break;
  }
  return probe;
}

void alea_mac_add_nogood(alea_mac *m, const alea_node *node, uint32_t arm) {
  alea_mac_nogoods *n = &m->nogoods;
  if (n->stage == NULL || n->incomplete) return;
  alea_stage_nogood nogood = {node->chooser, node->moves[node->firsts[node->chooser] + arm]};
  n->incomplete = !alea_hash_map_reserve(&n->map, m->mem, hash_of_nogood, m) ||
                  !alea_vec_reserve(m->mem, &n->words, width(m)) ||
                  !alea_vec_reserve(m->mem, &n->list, 1);
  if (n->incomplete) return;
  alea_hash_probe probe = find(m, node->words, nogood);
  if (probe.id != ALEA_HASH_NONE) return;
  memcpy(n->words.data + n->words.count, node->words, width(m) * sizeof *node->words);
  n->words.count += width(m);
  n->list.data[n->list.count] = nogood;
  alea_hash_map_put(&n->map, probe, (uint32_t)n->list.count++);
}

alea_status alea_mac_open_nogoods(alea_mac *m, const alea_game_symmetry *group,
                                  const alea_deadline *deadline) {
  alea_mac_nogoods *n = &m->nogoods;
  alea_status status = alea_services_stage_symmetry(m->setup->services, deadline, &n->stage);
  if (status != ALEA_OK) return status;
  n->no_group = group;
  alea_symmetry_table_use(&m->images, group);
  return ALEA_OK;
}

/* When nauty has to stop, so that symmetry keeps its share of the move. */
static const alea_deadline *end_of_share(const alea_mac *m, alea_deadline *deadline) {
  if (!m->timed) return NULL;
  double left = m->v->sym_share * m->seconds - m->effort[ALEA_MAC_SYMMETRY];
  if (left < 1e-3) left = 1e-3;
  *deadline = m->clock == ALEA_CLOCK_CPU ? (alea_deadline){.thread_at = alea_clock_thread() + left}
                                         : alea_deadline_in(left);
  return deadline;
}

/* Elements where they are listed, else generators. */
static uint64_t count_symmetries(const alea_game_symmetry *group) {
  return alea_game_symmetry_is_small(group) ? group->group.element_count
                                            : group->group.generator_count;
}

alea_status alea_mac_heed_nogoods(alea_mac *m, alea_mac_work at) {
  alea_mac_nogoods *n = &m->nogoods;
  if (n->stage == NULL) return ALEA_OK;
  if (n->incomplete) return alea_mem_lack(m->mem);
  if (n->list.count == n->heeded) return ALEA_OK;
  alea_deadline deadline;
  alea_game_symmetry *group;
  double start = alea_mac_now(m);
  alea_status status =
      alea_stage_symmetry_group(n->stage, n->words.data, n->list.data, n->list.count,
                                end_of_share(m, &deadline), m->mem, &group);
  if (group == NULL) return status;
  alea_symmetry_table_use(&m->images, group);
  alea_game_symmetry_free(n->group);
  n->group = group;
  n->heeded = n->list.count;
  m->stats->graphs++;
  m->stats->nogoods += n->list.count;
  m->stats->automorphisms += count_symmetries(group);
  size_t size = alea_stage_symmetry_size(n->stage) + n->list.count;
  alea_mac_charge(m, at, start, (uint32_t)(size / GRAPH_PER_IMAGE));
  return ALEA_OK;
}

void alea_mac_forget_nogoods(alea_mac *m) {
  alea_mac_nogoods *n = &m->nogoods;
  alea_hash_map_empty(&n->map);
  n->words.count = n->list.count = n->heeded = 0;
  n->incomplete = false;
  if (n->group == NULL) return;
  alea_symmetry_table_use(&m->images, n->no_group);
  alea_game_symmetry_free(n->group);
  n->group = NULL;
}

void alea_mac_clear_nogoods(alea_mac *m) {
  alea_game_symmetry_free(m->nogoods.group);
  alea_vec_clear(m->mem, &m->nogoods.words);
  alea_vec_clear(m->mem, &m->nogoods.list);
  alea_hash_map_clear(&m->nogoods.map, m->mem);
}
