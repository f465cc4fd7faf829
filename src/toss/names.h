#ifndef ALEA_TOSS_NAMES_H
#define ALEA_TOSS_NAMES_H

/* Names as small numbers, case-sensitive.
 *
 * In a structure rewriting game `x` is an element and `X` a set, so
 * base/symbols.h cannot be used. */

#include <stdint.h>

#include "base/arena.h"
#include "base/hash_map.h"
#include "base/vec.h"

typedef struct alea_toss_names {
  alea_mem *mem;
  alea_arena arena;
  ALEA_VEC(const char *) texts;
  alea_hash_map map;
} alea_toss_names;

void alea_toss_names_init(alea_toss_names *names, alea_mem *mem);
void alea_toss_names_clear(alea_toss_names *names);
/* The number of a name, which is added if new; UINT32_MAX if out of memory. */
uint32_t alea_toss_names_add(alea_toss_names *names, const char *text, size_t length);
/* UINT32_MAX if there is no such name. */
uint32_t alea_toss_names_find(const alea_toss_names *names, const char *text, size_t length);

#endif
