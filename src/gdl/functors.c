/* Functor table. */
#include "gdl/functors.h"

#include "base/hash.h"

void alea_functors_init(alea_functors *functors, alea_mem *mem) {
  *functors = (alea_functors){.mem = mem};
}

void alea_functors_clear(alea_functors *functors) {
  alea_hash_map_clear(&functors->map, functors->mem);
  alea_vec_clear(functors->mem, &functors->list);
  alea_functors_init(functors, functors->mem);
}

static uint64_t hash_functor(alea_functor f) {
  return alea_hash_mix(alea_hash_join(alea_hash_join(f.kind, f.name), f.arity));
}

static uint64_t hash_of(const void *functors, uint32_t number) {
  return hash_functor(((const alea_functors *)functors)->list.data[number]);
}

/* The probe ends at the functor or where it belongs. */
static alea_hash_probe find(const alea_functors *functors, alea_functor f) {
  alea_hash_probe probe = alea_hash_map_probe(&functors->map, hash_functor(f));
  while (alea_hash_map_next(&functors->map, &probe)) {
    alea_functor g = functors->list.data[probe.id];
    if (g.name == f.name && g.arity == f.arity && g.kind == f.kind) break;
  }
  return probe;
}

uint32_t alea_functors_find(const alea_functors *functors, alea_symbol name, uint32_t arity,
                            uint32_t kind) {
  return find(functors, (alea_functor){name, arity, kind}).id;
}

uint32_t alea_functors_add(alea_functors *functors, alea_symbol name, uint32_t arity,
                           uint32_t kind) {
  alea_functor f = {name, arity, kind};
  if (!alea_hash_map_reserve(&functors->map, functors->mem, hash_of, functors))
    return ALEA_NO_FUNCTOR;
  alea_hash_probe probe = find(functors, f);
  if (probe.id != ALEA_HASH_NONE) return probe.id;
  if (!alea_vec_push(functors->mem, &functors->list, f)) return ALEA_NO_FUNCTOR;
  uint32_t number = (uint32_t)functors->list.count - 1;
  alea_hash_map_put(&functors->map, probe, number);
  return number;
}
