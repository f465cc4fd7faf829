/* Information sets by key: open addressing with linear probing. */
#include "play/infoset_table.h"

enum { FIRST_SLOTS = 1024 };

static size_t set_bytes(const alea_infoset_table *t, uint32_t arms) {
  return sizeof(alea_infoset_head) + arms * t->arm_bytes;
}

alea_status alea_infoset_table_init(alea_infoset_table *table, size_t arm_bytes, size_t limit,
                                    alea_player_stats *stats, alea_mem *mem) {
  *table = (alea_infoset_table){.mem = mem, .stats = stats, .arm_bytes = arm_bytes, .limit = limit};
  table->slots = alea_mem_calloc(mem, FIRST_SLOTS, sizeof *table->slots);
  if (table->slots == NULL) return alea_mem_lack(mem);
  table->slot_count = FIRST_SLOTS;
  table->used = FIRST_SLOTS * sizeof *table->slots;
  return ALEA_OK;
}

static void empty(alea_infoset_table *t) {
  for (size_t i = 0; i < t->slot_count; i++) {
    if (t->slots[i] == NULL) continue;
    size_t bytes = set_bytes(t, t->slots[i]->count);
    t->used -= bytes;
    alea_mem_free(t->mem, t->slots[i], bytes);
    t->slots[i] = NULL;
  }
  t->count = 0;
}

void alea_infoset_table_clear(alea_infoset_table *table) {
  if (table->mem == NULL) return;
  empty(table);
  alea_mem_free(table->mem, table->slots, table->slot_count * sizeof *table->slots);
}

void alea_infoset_table_make_room(alea_infoset_table *table) {
  if (table->used > table->limit / 2) empty(table);
}

/* Where 'key' is or would be. */
static size_t slot_of(const alea_infoset_table *t, uint64_t key) {
  size_t mask = t->slot_count - 1, at = key & mask;
  while (t->slots[at] != NULL && t->slots[at]->key != key) at = (at + 1) & mask;
  return at;
}

void *alea_infoset_table_find(const alea_infoset_table *table, uint64_t key) {
  return table->slots[slot_of(table, key)];
}

/* Makes a slot for one more set; a table is at most three quarters full. */
static bool grow(alea_infoset_table *t) {
  if ((t->count + 1) * 4 < t->slot_count * 3) return true;
  size_t bytes = t->slot_count * sizeof *t->slots, old_count = t->slot_count;
  if (t->used + bytes > t->limit) return false;
  alea_infoset_head **slots = alea_mem_zalloc(t->mem, 2 * bytes), **old = t->slots;
  if (slots == NULL) return false;
  t->slots = slots;
  t->slot_count *= 2;
  t->used += bytes;
  for (size_t i = 0; i < old_count; i++)
    if (old[i] != NULL) slots[slot_of(t, old[i]->key)] = old[i];
  alea_mem_free(t->mem, old, bytes);
  return true;
}

void *alea_infoset_table_add(alea_infoset_table *table, uint64_t key, uint32_t arms) {
  size_t bytes = set_bytes(table, arms);
  if (!grow(table) || table->used + bytes > table->limit) {
    table->stats->full++;
    return NULL;
  }
  alea_infoset_head *set = alea_mem_zalloc(table->mem, bytes);
  if (set == NULL) return NULL;
  set->key = key;
  set->count = arms;
  table->slots[slot_of(table, key)] = set;
  table->used += bytes;
  table->count++;
  table->stats->nodes++;
  return set;
}
