#ifndef ALEA_PLAY_INFOSET_TABLE_H
#define ALEA_PLAY_INFOSET_TABLE_H

/* Information sets by key: a hash table of what a search knows of each.
 *
 * A set is a head and its arms, one per move; what an arm holds is up to the
 * search, whose type of sets begins with an alea_infoset_head and ends with an
 * array of arms.  The table owns the sets.  They stay where they are until the
 * table is emptied or cleared. */

#include "base/hash_map.h"
#include "play/player.h"

typedef struct alea_infoset_head {
  uint64_t key;
  uint32_t visits;
  uint32_t count; /* arms */
} alea_infoset_head;

typedef struct alea_infoset_table {
  alea_mem *mem;
  alea_player_stats *stats; /* `nodes` counts new sets, `full` those there was no room for */
  size_t arm_bytes;
  size_t limit, used;  /* bytes of the table and of all sets */
  alea_hash_words map; /* pointers to the sets, by key */
} alea_infoset_table;

/* For arms of 'arm_bytes' each, in at most 'limit' bytes. */
alea_status alea_infoset_table_init(alea_infoset_table *table, size_t arm_bytes, size_t limit,
                                    alea_player_stats *stats, alea_mem *mem);
void alea_infoset_table_clear(alea_infoset_table *table);
/* Forgets all sets. */
void alea_infoset_table_empty(alea_infoset_table *table);
/* Forgets all sets where they take more than half of the memory. */
void alea_infoset_table_make_room(alea_infoset_table *table);
/* The set of 'key', or NULL. */
void *alea_infoset_table_find(const alea_infoset_table *table, uint64_t key);
/* A new set of 'key', which has none, with 'arms' arms that are all zero; NULL
 * where there is no room. */
void *alea_infoset_table_add(alea_infoset_table *table, uint64_t key, uint32_t arms);

#endif
