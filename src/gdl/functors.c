/* Functor table: open addressing. */
#include "gdl/functors.h"

#include "base/hash.h"

enum { FIRST_SLOTS = 64 };

void alea_functors_init(alea_functors *functors, alea_mem *mem) {
  *functors = (alea_functors){.mem = mem};
}

void alea_functors_clear(alea_functors *functors) {
  alea_mem_free(functors->mem, functors->slots, functors->slot_count * sizeof *functors->slots);
  alea_vec_clear(functors->mem, &functors->list);
  alea_functors_init(functors, functors->mem);
}

static uint64_t hash_functor(alea_functor f) {
  return alea_hash_mix(alea_hash_join(alea_hash_join(f.kind, f.name), f.arity));
}

static size_t find_slot(const alea_functors *functors, alea_functor f) {
  size_t mask = functors->slot_count - 1;
  size_t i = (size_t)hash_functor(f) & mask;
  for (; functors->slots[i] != 0; i = (i + 1) & mask) {
    alea_functor g = functors->list.data[functors->slots[i] - 1];
    if (g.name == f.name && g.arity == f.arity && g.kind == f.kind) break;
  }
  return i;
}

static bool grow(alea_functors *functors) {
  size_t old = functors->slot_count;
  size_t count = old == 0 ? FIRST_SLOTS : 2 * old;
  uint32_t *slots = alea_mem_calloc(functors->mem, count, sizeof *slots);
  if (slots == NULL) return false;
  alea_mem_free(functors->mem, functors->slots, old * sizeof *slots);
  functors->slots = slots;
  functors->slot_count = count;
  for (size_t k = 0; k < functors->list.count; k++)
    slots[find_slot(functors, functors->list.data[k])] = (uint32_t)k + 1;
  return true;
}

uint32_t alea_functors_find(const alea_functors *functors, alea_symbol name, uint32_t arity,
                            uint32_t kind) {
  if (functors->slot_count == 0) return ALEA_NO_FUNCTOR;
  uint32_t slot = functors->slots[find_slot(functors, (alea_functor){name, arity, kind})];
  return slot != 0 ? slot - 1 : ALEA_NO_FUNCTOR;
}

uint32_t alea_functors_add(alea_functors *functors, alea_symbol name, uint32_t arity,
                           uint32_t kind) {
  alea_functor f = {name, arity, kind};
  if (2 * (functors->list.count + 1) > functors->slot_count && !grow(functors))
    return ALEA_NO_FUNCTOR;
  size_t slot = find_slot(functors, f);
  if (functors->slots[slot] != 0) return functors->slots[slot] - 1;
  if (!alea_vec_push(functors->mem, &functors->list, f)) return ALEA_NO_FUNCTOR;
  functors->slots[slot] = (uint32_t)functors->list.count;
  return (uint32_t)functors->list.count - 1;
}
