#ifndef ALEA_GDL_MARKS_H
#define ALEA_GDL_MARKS_H

/* A scratch map from symbols (or other small numbers) to numbers that is
 * emptied in constant time: an entry is valid only while its stamp is current. */

#include <string.h>

#include "base/vec.h"

#define ALEA_UNMARKED UINT32_MAX

typedef struct alea_mark {
  uint32_t stamp, value;
} alea_mark;

typedef struct alea_marks {
  alea_mem *mem;
  ALEA_VEC(alea_mark) entries; /* all of 'capacity' is initialised */
  uint32_t stamp;
} alea_marks;

static inline void alea_marks_init(alea_marks *marks, alea_mem *mem) {
  *marks = (alea_marks){.mem = mem, .stamp = 1};
}

static inline void alea_marks_clear(alea_marks *marks) {
  alea_vec_clear(marks->mem, &marks->entries);
}

/* Removes all entries. */
static inline void alea_marks_reset(alea_marks *marks) {
  if (++marks->stamp != 0) return;
  if (marks->entries.capacity > 0)
    memset(marks->entries.data, 0, marks->entries.capacity * sizeof *marks->entries.data);
  marks->stamp = 1;
}

/* The value set for 'key', or ALEA_UNMARKED. */
static inline uint32_t alea_marks_get(const alea_marks *marks, uint32_t key) {
  if (key >= marks->entries.capacity || marks->entries.data[key].stamp != marks->stamp)
    return ALEA_UNMARKED;
  return marks->entries.data[key].value;
}

static inline bool alea_marks_has(const alea_marks *marks, uint32_t key) {
  return key < marks->entries.capacity && marks->entries.data[key].stamp == marks->stamp;
}

/* False if out of memory. */
static inline bool alea_marks_set(alea_marks *marks, uint32_t key, uint32_t value) {
  size_t old = marks->entries.capacity;
  if (key >= old) {
    if (!alea_vec_reserve(marks->mem, &marks->entries, (size_t)key + 1)) return false;
    memset(marks->entries.data + old, 0,
           (marks->entries.capacity - old) * sizeof *marks->entries.data);
  }
  marks->entries.data[key] = (alea_mark){marks->stamp, value};
  return true;
}

#endif
