/* Binary decision diagrams with negated edges. */
#include "symmetry/bdd.h"

#include "base/hash.h"

enum { CACHE_ENTRIES = 1 << 18 };

bool alea_bdd_init(alea_bdd *b, uint32_t limit, alea_mem *mem) {
  *b = (alea_bdd){.mem = mem, .limit = limit};
  b->cache = alea_mem_calloc(mem, CACHE_ENTRIES, sizeof *b->cache);
  alea_bdd_node constant = {.variable = UINT32_MAX};
  return b->cache != NULL && alea_vec_push(mem, &b->nodes, constant);
}

void alea_bdd_clear(alea_bdd *b) {
  if (b->mem == NULL) return;
  alea_vec_clear(b->mem, &b->nodes);
  alea_hash_map_clear(&b->map, b->mem);
  alea_mem_free(b->mem, b->cache, CACHE_ENTRIES * sizeof *b->cache);
  *b = (alea_bdd){0};
}

static uint64_t hash_node(const alea_bdd_node *n) {
  return alea_hash_mix(((uint64_t)n->low << 32 | n->high) + n->variable * 0x9e3779b97f4a7c15u);
}

static uint64_t hash_of_node(const void *bdd, uint32_t id) {
  return hash_node(&((const alea_bdd *)bdd)->nodes.data[id]);
}

static alea_bdd_edge make(alea_bdd *b, uint32_t variable, alea_bdd_edge low, alea_bdd_edge high) {
  if (low == ALEA_BDD_NO_EDGE || high == ALEA_BDD_NO_EDGE) return ALEA_BDD_NO_EDGE;
  if (low == high) return low;
  uint32_t negated = high & 1;
  alea_bdd_node node = {variable, low ^ negated, high ^ negated};
  if (!alea_hash_map_reserve(&b->map, b->mem, hash_of_node, b)) return ALEA_BDD_NO_EDGE;
  alea_hash_probe probe = alea_hash_map_probe(&b->map, hash_node(&node));
  while (alea_hash_map_next(&b->map, &probe)) {
    const alea_bdd_node *other = &b->nodes.data[probe.id];
    if (other->variable == variable && other->low == node.low && other->high == node.high)
      return 2 * probe.id | negated;
  }
  if (b->nodes.count >= b->limit || !alea_vec_push(b->mem, &b->nodes, node))
    return ALEA_BDD_NO_EDGE;
  uint32_t id = (uint32_t)b->nodes.count - 1;
  alea_hash_map_put(&b->map, probe, id);
  return 2 * id | negated;
}

alea_bdd_edge alea_bdd_variable(alea_bdd *b, uint32_t variable) {
  return make(b, variable, ALEA_BDD_EDGE_FALSE, ALEA_BDD_EDGE_TRUE);
}

static alea_bdd_edge branch(const alea_bdd *b, alea_bdd_edge edge, uint32_t variable, bool high) {
  const alea_bdd_node *node = &b->nodes.data[edge >> 1];
  if (node->variable != variable) return edge;
  return (high ? node->high : node->low) ^ (edge & 1);
}

alea_bdd_edge alea_bdd_and(alea_bdd *b, alea_bdd_edge x, alea_bdd_edge y) {
  if (x == ALEA_BDD_NO_EDGE || y == ALEA_BDD_NO_EDGE) return ALEA_BDD_NO_EDGE;
  if (x == ALEA_BDD_EDGE_FALSE || y == ALEA_BDD_EDGE_FALSE || x == (y ^ 1))
    return ALEA_BDD_EDGE_FALSE;
  if (x == ALEA_BDD_EDGE_TRUE || x == y) return y;
  if (y == ALEA_BDD_EDGE_TRUE) return x;
  alea_bdd_edge first = x < y ? x : y, second = x < y ? y : x;
  size_t place = alea_hash_mix((uint64_t)first << 32 | second) % CACHE_ENTRIES;
  alea_bdd_entry *entry = &b->cache[place];
  if (entry->a == first && entry->b == second) return entry->result;
  if (b->steps == 0 || alea_mem_given_up(b->mem)) return ALEA_BDD_NO_EDGE;
  b->steps--;
  uint32_t u = b->nodes.data[first >> 1].variable, v = b->nodes.data[second >> 1].variable;
  uint32_t top = u < v ? u : v;
  alea_bdd_edge low = alea_bdd_and(b, branch(b, first, top, false), branch(b, second, top, false));
  alea_bdd_edge high = alea_bdd_and(b, branch(b, first, top, true), branch(b, second, top, true));
  alea_bdd_edge result = make(b, top, low, high);
  if (result != ALEA_BDD_NO_EDGE) *entry = (alea_bdd_entry){first, second, result};
  return result;
}
