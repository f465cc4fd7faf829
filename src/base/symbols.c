/* Symbol table: open addressing over folded names. */
#include "base/symbols.h"

#include <string.h>

#include "base/hash.h"
#include "base/vec.h"

typedef struct symbols_entry {
  const char *text;
  const char *spelling;
  uint32_t length;
  uint32_t hash;
  bool open; /* the spelling is not yet determined */
} symbols_entry;

struct alea_symbols {
  alea_mem *mem;
  alea_arena arena;
  ALEA_VEC(symbols_entry) entries;
  uint32_t *slots;   /* symbol + 1, or 0 */
  size_t slot_count; /* a power of two, at least twice the entries */
};

static char fold(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static uint32_t hash_name(const char *name, size_t length) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)fold(name[i])) * 0x100000001b3u;
  return (uint32_t)alea_hash_mix(hash);
}

static bool same(const symbols_entry *e, const char *name, size_t length) {
  if (e->length != length) return false;
  for (size_t i = 0; i < length; i++)
    if (e->text[i] != fold(name[i])) return false;
  return true;
}

alea_symbols *alea_symbols_new(alea_mem *mem) {
  alea_symbols *symbols = alea_mem_zalloc(mem, sizeof *symbols);
  if (symbols == NULL) return NULL;
  symbols->mem = mem;
  alea_arena_init(&symbols->arena, mem);
  symbols->slot_count = 256;
  symbols->slots = alea_mem_calloc(mem, symbols->slot_count, sizeof *symbols->slots);
  if (symbols->slots == NULL) {
    alea_mem_free(mem, symbols, sizeof *symbols);
    return NULL;
  }
  return symbols;
}

void alea_symbols_free(alea_symbols *symbols) {
  if (symbols == NULL) return;
  alea_mem *mem = symbols->mem;
  alea_mem_free(mem, symbols->slots, symbols->slot_count * sizeof *symbols->slots);
  alea_vec_clear(mem, &symbols->entries);
  alea_arena_clear(&symbols->arena);
  alea_mem_free(mem, symbols, sizeof *symbols);
}

/* The slot that holds the name, or the empty slot where it belongs. */
static size_t find_slot(const alea_symbols *symbols, const char *name, size_t length,
                        uint32_t hash) {
  size_t mask = symbols->slot_count - 1;
  size_t i = hash & mask;
  while (symbols->slots[i] != 0) {
    const symbols_entry *e = &symbols->entries.data[symbols->slots[i] - 1];
    if (e->hash == hash && same(e, name, length)) break;
    i = (i + 1) & mask;
  }
  return i;
}

static bool double_slots(alea_symbols *symbols) {
  size_t count = 2 * symbols->slot_count;
  uint32_t *slots = alea_mem_calloc(symbols->mem, count, sizeof *slots);
  if (slots == NULL) return false;
  for (size_t k = 0; k < symbols->entries.count; k++) {
    size_t i = symbols->entries.data[k].hash & (count - 1);
    while (slots[i] != 0) i = (i + 1) & (count - 1);
    slots[i] = (uint32_t)k + 1;
  }
  alea_mem_free(symbols->mem, symbols->slots, symbols->slot_count * sizeof *slots);
  symbols->slots = slots;
  symbols->slot_count = count;
  return true;
}

static alea_symbol insert(alea_symbols *symbols, const char *name, size_t length, uint32_t hash,
                          size_t slot) {
  char *spelling = alea_arena_strdup(&symbols->arena, name, length);
  char *text = alea_arena_strdup(&symbols->arena, name, length);
  if (spelling == NULL || text == NULL) return ALEA_NO_SYMBOL;
  for (size_t i = 0; i < length; i++) text[i] = fold(text[i]);
  symbols_entry e = {text, spelling, (uint32_t)length, hash, false};
  if (!alea_vec_push(symbols->mem, &symbols->entries, e)) return ALEA_NO_SYMBOL;
  symbols->slots[slot] = (uint32_t)symbols->entries.count;
  return (alea_symbol)symbols->entries.count - 1;
}

/* If memory is lacking, the spelling stays unchanged. */
static void take_spelling(alea_symbols *symbols, symbols_entry *e, const char *name) {
  const char *spelling = alea_arena_strdup(&symbols->arena, name, e->length);
  if (spelling != NULL) e->spelling = spelling;
  e->open = false;
}

alea_symbol alea_symbols_add(alea_symbols *symbols, const char *name, size_t length) {
  if (length >= UINT32_MAX || symbols->entries.count >= UINT32_MAX - 1) return ALEA_NO_SYMBOL;
  uint32_t hash = hash_name(name, length);
  size_t slot = find_slot(symbols, name, length, hash);
  if (symbols->slots[slot] != 0) {
    symbols_entry *known = &symbols->entries.data[symbols->slots[slot] - 1];
    if (known->open) take_spelling(symbols, known, name);
    return symbols->slots[slot] - 1;
  }
  if (2 * (symbols->entries.count + 1) > symbols->slot_count) {
    if (!double_slots(symbols)) return ALEA_NO_SYMBOL;
    slot = find_slot(symbols, name, length, hash);
  }
  return insert(symbols, name, length, hash, slot);
}

alea_symbol alea_symbols_add_word(alea_symbols *symbols, const char *name, size_t length) {
  alea_symbol symbol = alea_symbols_add(symbols, name, length);
  if (symbol != ALEA_NO_SYMBOL) symbols->entries.data[symbol].open = true;
  return symbol;
}

void alea_symbols_settle(alea_symbols *symbols) {
  for (size_t i = 0; i < symbols->entries.count; i++) symbols->entries.data[i].open = false;
}

alea_symbol alea_symbols_find(const alea_symbols *symbols, const char *name, size_t length) {
  size_t slot = find_slot(symbols, name, length, hash_name(name, length));
  return symbols->slots[slot] != 0 ? symbols->slots[slot] - 1 : ALEA_NO_SYMBOL;
}

size_t alea_symbols_count(const alea_symbols *symbols) { return symbols->entries.count; }

const char *alea_symbols_text(const alea_symbols *symbols, alea_symbol symbol) {
  return symbols->entries.data[symbol].text;
}

const char *alea_symbols_spelling(const alea_symbols *symbols, alea_symbol symbol) {
  return symbols->entries.data[symbol].spelling;
}
