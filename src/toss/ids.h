#ifndef ALEA_TOSS_IDS_H
#define ALEA_TOSS_IDS_H

/* Moves and fluents as numbers, shared by all cursors of a game.
 *
 * Each is a short sequence of words, numbered in order of discovery within its
 * space.  Guarded by a mutex; it has an alea_mem of its own. */

#include <stdint.h>

#include "base/mem.h"

typedef struct alea_toss_ids alea_toss_ids;

alea_toss_ids *alea_toss_ids_new(uint32_t spaces, alea_mem *mem);
void alea_toss_ids_free(alea_toss_ids *ids); /* NULL is a no-op. */
uint32_t alea_toss_ids_count(alea_toss_ids *ids, uint32_t space);
/* UINT32_MAX if out of memory. */
uint32_t alea_toss_ids_add(alea_toss_ids *ids, uint32_t space, const uint32_t *key,
                           uint32_t length);
/* UINT32_MAX if it has no number. */
uint32_t alea_toss_ids_find(alea_toss_ids *ids, uint32_t space, const uint32_t *key,
                            uint32_t length);
/* Copies the key into 'key' and returns its length; 0 if there is no such
 * number or the key is longer than 'most'. */
uint32_t alea_toss_ids_key(alea_toss_ids *ids, uint32_t space, uint32_t id, uint32_t *key,
                           uint32_t most);

#endif
