/* The table of positions of the minimax search. */
#include "minimax/alpha_beta_table.h"

#include <string.h>

enum {
  WAYS = 4,         /* entries of a bucket */
  WORDS = 2 * WAYS, /* the same in words */
  LINE = 64,        /* bytes */
  LEAST_BUCKETS = 1 << 10,
  VALUE_BITS = 28,
  MOVE_BITS = 20,
  DEPTH_BITS = 10,
  BOUND_BITS = 2,
  AGE_COST = 8, /* depth that an entry loses with each search since */
};
#define NO_MOVE ((UINT64_C(1) << MOVE_BITS) - 1)

bool ab_table_init(ab_table *table, size_t bytes, alea_mem *mem) {
  *table = (ab_table){.mem = mem, .buckets = LEAST_BUCKETS};
  while (2 * table->buckets * LINE <= bytes) table->buckets *= 2;
  table->block_size = (table->buckets + 1) * LINE;
  table->block = alea_mem_zalloc(mem, table->block_size);
  if (table->block == NULL) return false;
  size_t off = (LINE - (uintptr_t)table->block % LINE) % LINE;
  table->words = (void *)(table->block + off);
  return true;
}

void ab_table_clear(ab_table *table) {
  alea_mem_free(table->mem, table->block, table->block_size);
  *table = (ab_table){0};
}

void ab_table_forget(ab_table *table) { memset(table->block, 0, table->block_size); }

/* ---- entries ---- */

static uint64_t pack(const ab_entry *entry, uint64_t move) {
  uint64_t word = (uint64_t)(entry->value + (1 << (VALUE_BITS - 1)));
  word = word << MOVE_BITS | move;
  word = word << DEPTH_BITS | (uint64_t)entry->depth;
  word = word << BOUND_BITS | (uint64_t)entry->bound;
  return word * AB_TABLE_AGES | entry->age;
}

static uint64_t take(uint64_t *word, unsigned bits) {
  uint64_t low = *word & ((UINT64_C(1) << bits) - 1);
  *word >>= bits;
  return low;
}

static uint64_t move_of(uint64_t word) {
  word /= (uint64_t)AB_TABLE_AGES << (BOUND_BITS + DEPTH_BITS);
  return word & NO_MOVE;
}

static ab_entry unpack(uint64_t word) {
  ab_entry entry = {.age = (uint32_t)(word % AB_TABLE_AGES)};
  word /= AB_TABLE_AGES;
  entry.bound = (ab_bound)take(&word, BOUND_BITS);
  entry.depth = (int)take(&word, DEPTH_BITS);
  uint64_t move = take(&word, MOVE_BITS);
  entry.move = move == NO_MOVE ? ALEA_NO_MOVE : (alea_move)move;
  entry.value = (int32_t)word - (1 << (VALUE_BITS - 1));
  return entry;
}

static uint64_t look(const _Atomic uint64_t *word) {
  return atomic_load_explicit(word, memory_order_relaxed);
}

static _Atomic uint64_t *bucket_of(const ab_table *table, uint64_t hash) {
  return table->words + (hash & (table->buckets - 1)) * WORDS;
}

bool ab_table_find(const ab_table *table, uint64_t hash, ab_entry *entry) {
  const _Atomic uint64_t *at = bucket_of(table, hash);
  for (int i = 0; i < WORDS; i += 2) {
    uint64_t content = look(&at[i + 1]);
    if (content == 0 || (look(&at[i]) ^ content) != hash) continue;
    *entry = unpack(content);
    return true;
  }
  return false;
}

/* What an entry is worth to a search of this age; nothing where there is none. */
static int worth(uint64_t content, uint32_t age) {
  if (content == 0) return INT32_MIN;
  ab_entry entry = unpack(content);
  return entry.depth - AGE_COST * (int)((age - entry.age) % AB_TABLE_AGES);
}

void ab_table_store(ab_table *table, uint64_t hash, const ab_entry *entry) {
  _Atomic uint64_t *at = bucket_of(table, hash), *to = NULL;
  uint64_t move = entry->move < NO_MOVE ? entry->move : NO_MOVE;
  int least = 0;
  for (int i = 0; i < WORDS; i += 2) {
    uint64_t content = look(&at[i + 1]);
    if (content != 0 && (look(&at[i]) ^ content) == hash) {
      if (move == NO_MOVE) move = move_of(content);
      to = &at[i];
      break;
    }
    int value = worth(content, entry->age);
    if (to == NULL || value < least) least = value, to = &at[i];
  }
  uint64_t content = pack(entry, move);
  atomic_store_explicit(&to[0], hash ^ content, memory_order_relaxed);
  atomic_store_explicit(&to[1], content, memory_order_relaxed);
}
