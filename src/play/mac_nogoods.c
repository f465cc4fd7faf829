/* MAC-UCB: the symmetries of a stage with its nogoods, as printed ([SYM16 §4],
 * D30).
 *
 * The paper adds the nogoods as a constraint to the stage and computes the
 * automorphisms of the larger graph.  A vertex for each nogood, tied to its
 * fluents and its move, is permuted as they are: so these automorphisms are those
 * of the stage that map the set of nogoods onto itself, and it is enough to go
 * through the listed elements.  Of a group that is not listed the generators are
 * gone through, which may leave less than the paper has. */
#include <string.h>

#include "base/hash.h"
#include "play/mac.h"

static size_t width(const alea_mac *m) { return m->images.symmetry->word_count; }

static uint64_t hash_nogood(const uint64_t *words, size_t count, alea_mac_nogood nogood) {
  uint64_t hash = alea_hash_bytes(words, count * sizeof *words);
  return alea_hash_mix(hash + ((uint64_t)nogood.role << 32 | nogood.move));
}

static uint64_t hash_of_nogood(const void *mac, uint32_t i) {
  const alea_mac *m = mac;
  return hash_nogood(m->nogoods.words.data + i * width(m), width(m), m->nogoods.list.data[i]);
}

/* Where it is in the map, or would be. */
static alea_hash_probe find(const alea_mac *m, const uint64_t *words, alea_mac_nogood nogood) {
  const alea_mac_nogoods *n = &m->nogoods;
  alea_hash_probe probe = alea_hash_map_probe(&n->map, hash_nogood(words, width(m), nogood));
  while (alea_hash_map_next(&n->map, &probe)) {
    const alea_mac_nogood *other = &n->list.data[probe.id];
    if (other->role == nogood.role && other->move == nogood.move &&
        memcmp(n->words.data + probe.id * width(m), words, width(m) * sizeof *words) == 0)
      break;
  }
  return probe;
}

void alea_mac_add_nogood(alea_mac *m, const alea_node *node, uint32_t arm) {
  alea_mac_nogoods *n = &m->nogoods;
  if (m->v->sym != ALEA_MAC_SYM_PAPER || m->images.symmetry == NULL || n->incomplete) return;
  alea_mac_nogood nogood = {node->chooser, node->moves[node->firsts[node->chooser] + arm]};
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

static bool maps_nogoods(const alea_mac *m, const uint32_t *permutation) {
  const alea_game_symmetry *s = m->images.symmetry;
  const alea_mac_nogoods *n = &m->nogoods;
  for (size_t i = 0; i < n->list.count; i++) {
    alea_mac_nogood image = n->list.data[i];
    image.move = alea_game_symmetry_move(s, permutation, image.role, image.move);
    alea_game_symmetry_words(s, permutation, n->words.data + i * width(m), m->images.words);
    if (find(m, m->images.words, image).id == ALEA_HASH_NONE) return false;
  }
  return true;
}

alea_status alea_mac_heed_nogoods(alea_mac *m, alea_mac_work at) {
  alea_mac_nogoods *n = &m->nogoods;
  if (m->v->sym != ALEA_MAC_SYM_PAPER) return ALEA_OK;
  if (n->incomplete) return alea_mem_lack(m->mem);
  if (n->list.count == n->heeded) return ALEA_OK;
  const alea_game_symmetry *s = m->images.symmetry;
  bool small = alea_game_symmetry_is_small(s);
  uint32_t count = small ? s->group.element_count : s->group.generator_count, left = 0;
  double start = alea_mac_now(m);
  m->images.excluded = 0;
  for (uint32_t e = 0; e < count && e < 64; e++) {
    bool stays = maps_nogoods(
        m, small ? alea_game_symmetry_element(s, e) : alea_game_symmetry_generator(s, e));
    left += stays;
    if (!stays) m->images.excluded |= (uint64_t)1 << e;
  }
  n->heeded = n->list.count;
  m->stats->graphs++;
  m->stats->nogoods += n->list.count;
  m->stats->automorphisms += left;
  alea_mac_charge(m, at, start, count);
  return ALEA_OK;
}

void alea_mac_forget_nogoods(alea_mac *m) {
  alea_hash_map_empty(&m->nogoods.map);
  m->nogoods.words.count = m->nogoods.list.count = m->nogoods.heeded = 0;
  m->nogoods.incomplete = false;
  m->images.excluded = 0;
}

void alea_mac_clear_nogoods(alea_mac *m) {
  alea_vec_clear(m->mem, &m->nogoods.words);
  alea_vec_clear(m->mem, &m->nogoods.list);
  alea_hash_map_clear(&m->nogoods.map, m->mem);
}
