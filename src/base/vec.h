#ifndef ALEA_BASE_VEC_H
#define ALEA_BASE_VEC_H

/* Growable arrays of any type, as plain structs with three fields:
 *
 *   typedef ALEA_VEC(uint32_t) alea_u32s;
 *   alea_u32s v = {0};
 *   if (!alea_vec_push(mem, &v, 7)) ...out of memory, v unchanged...
 *   v.data[0]; v.count;
 *   alea_vec_clear(mem, &v);
 *
 * The array is owned by whoever owns the struct; 'mem' must be the same in
 * every call on one vector. */

#include <stdint.h>

#include "base/mem.h"

#define ALEA_VEC(type) \
  struct {             \
    type *data;        \
    size_t count;      \
    size_t capacity;   \
  }

typedef ALEA_VEC(uint32_t) alea_u32s;
typedef ALEA_VEC(uint64_t) alea_u64s;

/* True if there is room for 'extra' more elements, after growing if
 * necessary. */
#define alea_vec_reserve(mem, vec, extra)                                               \
  ((vec)->capacity - (vec)->count >= (size_t)(extra) ||                                 \
   alea_vec_grow((mem), (void **)&(vec)->data, &(vec)->capacity, (vec)->count, (extra), \
                 sizeof *(vec)->data))

/* Appends one element; false if out of memory.  The element is read before the array grows, so it
 * may come from there. */
#define alea_vec_push(mem, vec, ...)                              \
  __extension__({                                                 \
    __typeof__(*(vec)->data) alea_pushed = (__VA_ARGS__);         \
    bool alea_has_room = alea_vec_reserve((mem), (vec), 1);       \
    if (alea_has_room) (vec)->data[(vec)->count++] = alea_pushed; \
    alea_has_room;                                                \
  })

/* Frees the array; the vector is empty and usable again. */
#define alea_vec_clear(mem, vec)                                                                 \
  (alea_mem_free((mem), (vec)->data, (vec)->capacity * sizeof *(vec)->data), (vec)->data = NULL, \
   (vec)->count = (vec)->capacity = 0)

/* Used by alea_vec_reserve only. */
bool alea_vec_grow(alea_mem *mem, void **data, size_t *capacity, size_t count, size_t extra,
                   size_t element);

#endif
