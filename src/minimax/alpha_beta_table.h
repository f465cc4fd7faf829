#ifndef ALEA_MINIMAX_ALPHA_BETA_TABLE_H
#define ALEA_MINIMAX_ALPHA_BETA_TABLE_H

/* The table of positions of the minimax search, which threads share without locks.
 *
 * An entry is two words, the second its content and the first the hash of the
 * position mixed with it: what two threads have written half each belongs to no
 * position (Hyatt and Mann 2002).  Four entries make a bucket, a line of the cache.
 * What is stored always enters; it replaces what is known of the same position, or
 * else the entry of the bucket that is worth least, by depth and age. */

#include <stdatomic.h>

#include "base/mem.h"
#include "game/game.h"

typedef enum ab_bound { AB_NO_ENTRY, AB_EXACT, AB_AT_LEAST, AB_AT_MOST } ab_bound;

enum { AB_TABLE_MOST_DEPTH = 1023, AB_TABLE_AGES = 16 };

typedef struct ab_entry {
  int32_t value;  /* less than 2^27 in size */
  alea_move move; /* of the first chooser; ALEA_NO_MOVE: not known, or too large a number */
  int depth;      /* 0 .. AB_TABLE_MOST_DEPTH */
  ab_bound bound;
  uint32_t age; /* search that wrote it, modulo AB_TABLE_AGES */
} ab_entry;

typedef struct ab_table {
  alea_mem *mem;
  char *block; /* what was allocated */
  size_t block_size;
  _Atomic uint64_t *words; /* aligned to lines of the cache */
  size_t buckets;          /* a power of two */
} ab_table;

/* As many buckets as fit into so many bytes, but a least number.  False without memory. */
bool ab_table_init(ab_table *table, size_t bytes, alea_mem *mem);
void ab_table_clear(ab_table *table); /* a zeroed one too */
void ab_table_forget(ab_table *table);

bool ab_table_find(const ab_table *table, uint64_t hash, ab_entry *entry);
/* A move that is not known leaves the one that was. */
void ab_table_store(ab_table *table, uint64_t hash, const ab_entry *entry);

#endif
