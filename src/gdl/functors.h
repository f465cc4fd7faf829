#ifndef ALEA_GDL_FUNCTORS_H
#define ALEA_GDL_FUNCTORS_H

/* Predicates and functions as small numbers.
 *
 * A functor is a name, a number of arguments and a kind that the user of the
 * table chooses. */

#include "base/hash_map.h"
#include "base/symbols.h"
#include "base/vec.h"

typedef struct alea_functor {
  alea_symbol name;
  uint32_t arity;
  uint32_t kind;
} alea_functor;

#define ALEA_NO_FUNCTOR UINT32_MAX

typedef struct alea_functors {
  alea_mem *mem;
  ALEA_VEC(alea_functor) list; /* by number, in order of first use */
  alea_hash_map map;
} alea_functors;

void alea_functors_init(alea_functors *functors, alea_mem *mem);
void alea_functors_clear(alea_functors *functors);
/* The number of a functor, which is added if new; ALEA_NO_FUNCTOR if out of
 * memory. */
uint32_t alea_functors_add(alea_functors *functors, alea_symbol name, uint32_t arity,
                           uint32_t kind);
/* ALEA_NO_FUNCTOR if it was never added. */
uint32_t alea_functors_find(const alea_functors *functors, alea_symbol name, uint32_t arity,
                            uint32_t kind);

#endif
