/* Symbol table: open addressing over folded names. */
#include "base/symbols.h"

#include <string.h>

#include "base/hash.h"
#include "base/hash_map.h"
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
  alea_hash_map map;
};

enum { FIRST_SYMBOLS = 128 };

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
  if (!alea_hash_map_init(&symbols->map, mem, FIRST_SYMBOLS)) {
    alea_mem_free(mem, symbols, sizeof *symbols);
    return NULL;
  }
  return symbols;
}

void alea_symbols_free(alea_symbols *symbols) {
  if (symbols == NULL) return;
  alea_mem *mem = symbols->mem;
  alea_hash_map_clear(&symbols->map, mem);
  alea_vec_clear(mem, &symbols->entries);
  alea_arena_clear(&symbols->arena);
  alea_mem_free(mem, symbols, sizeof *symbols);
}

static alea_symbol find(const alea_symbols *symbols, const char *name, size_t length,
                        uint32_t hash) {
  alea_hash_probe probe = alea_hash_map_probe(&symbols->map, hash);
  while (alea_hash_map_next(&symbols->map, &probe)) {
    const symbols_entry *e = &symbols->entries.data[probe.id];
    if (e->hash == hash && same(e, name, length)) return probe.id;
  }
  return ALEA_NO_SYMBOL;
}

static uint64_t hash_of(const void *symbols, uint32_t symbol) {
  return ((const alea_symbols *)symbols)->entries.data[symbol].hash;
}

static alea_symbol insert(alea_symbols *symbols, const char *name, size_t length, uint32_t hash) {
  if (!alea_hash_map_reserve(&symbols->map, symbols->mem, hash_of, symbols)) return ALEA_NO_SYMBOL;
  char *spelling = alea_arena_strdup(&symbols->arena, name, length);
  char *text = alea_arena_strdup(&symbols->arena, name, length);
  if (spelling == NULL || text == NULL) return ALEA_NO_SYMBOL;
  for (size_t i = 0; i < length; i++) text[i] = fold(text[i]);
  symbols_entry e = {text, spelling, (uint32_t)length, hash, false};
  if (!alea_vec_push(symbols->mem, &symbols->entries, e)) return ALEA_NO_SYMBOL;
  alea_symbol symbol = (alea_symbol)symbols->entries.count - 1;
  alea_hash_map_add(&symbols->map, hash, symbol);
  return symbol;
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
  alea_symbol known = find(symbols, name, length, hash);
  if (known == ALEA_NO_SYMBOL) return insert(symbols, name, length, hash);
  symbols_entry *e = &symbols->entries.data[known];
  if (e->open) take_spelling(symbols, e, name);
  return known;
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
  return find(symbols, name, length, hash_name(name, length));
}

size_t alea_symbols_count(const alea_symbols *symbols) { return symbols->entries.count; }

const char *alea_symbols_text(const alea_symbols *symbols, alea_symbol symbol) {
  return symbols->entries.data[symbol].text;
}

const char *alea_symbols_spelling(const alea_symbols *symbols, alea_symbol symbol) {
  return symbols->entries.data[symbol].spelling;
}
