/* MAC-UCB: the cache that outlives a match ([MACUCB16 §4.4, §5.2]), as a file.
 *
 * It holds positions with their exact value, or with samples enough to be
 * worth the space.  Read back they are bare nodes of the store, which take
 * part in the search like any other.  All numbers are little-endian:
 *
 *   "ALEAMAC" 1   magic and version, 8 bytes
 *   u64           fingerprint of game, engine and numbering
 *   u32           roles
 *   u64           entries, then each of them:
 *     u64 hash, u32 words, u32 samples, u8 exact, words * u64,
 *     roles * f32 value (exact or mean)
 *   u64           hash of everything before it
 *
 * A file that is damaged or was made for another game is refused as a whole. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "play/mac.h"

enum {
  MAGIC = 8,
  HEAD = MAGIC + 8 + 4 + 8,
  ENTRY = 8 + 4 + 4 + 1, /* without words and values */
  FEWEST = 32,           /* samples that make a position worth keeping */
  MOST_WORDS = 1 << 16,
};
static const char magic[MAGIC] = {'A', 'L', 'E', 'A', 'M', 'A', 'C', 1};

/* ---- bytes ---- */

typedef ALEA_VEC(uint8_t) bytes;

static void put(uint8_t *at, uint64_t value, size_t count) {
  for (size_t i = 0; i < count; i++) at[i] = (uint8_t)(value >> (8 * i));
}

static uint64_t get(const uint8_t *at, size_t count) {
  uint64_t value = 0;
  for (size_t i = 0; i < count; i++) value |= (uint64_t)at[i] << (8 * i);
  return value;
}

static void put_float(uint8_t *at, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  put(at, bits, sizeof bits);
}

static float get_float(const uint8_t *at) {
  uint32_t bits = (uint32_t)get(at, sizeof bits);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static size_t entry_size(uint32_t words, uint32_t roles) {
  return ENTRY + (size_t)words * 8 + (size_t)roles * 4;
}

/* What the numbers in the file depend on: the engine, how it numbers moves,
 * and how it writes and hashes the initial position. */
static alea_status fingerprint(alea_mac *m, uint64_t *print) {
  const alea_game *game = m->setup->game;
  alea_status status = alea_cursor_reset(m->cursor);
  if (status != ALEA_OK) return status;
  size_t count;
  const uint64_t *words = alea_cursor_state(m->cursor, &count);
  uint64_t hash = alea_hash_join(alea_cursor_hash(m->cursor), count);
  for (size_t i = 0; i < count; i++) hash = alea_hash_join(hash, words[i]);
  hash = alea_hash_join(hash, alea_hash_bytes(game->class->engine, strlen(game->class->engine)));
  alea_text text;
  alea_text_init(&text, m->mem);
  for (uint32_t r = 0; r < game->role_count; r++) {
    alea_list legal;
    if ((status = alea_cursor_legal(m->cursor, r, &legal)) != ALEA_OK) break;
    alea_text_put(&text, game->role_text[r]);
    for (uint32_t i = 0; i < legal.count; i++) {
      alea_text_char(&text, '\n');
      alea_game_move_text(game, r, legal.ids[i], false, &text);
    }
  }
  if (status == ALEA_OK && text.failed) status = alea_mem_lack(m->mem);
  *print = alea_hash_join(hash, alea_hash_bytes(alea_text_string(&text), text.length));
  alea_text_clear(&text);
  return status;
}

/* ---- reading ---- */

static alea_status read_file(alea_mac *m, FILE *file, bytes *in) {
  for (;;) {
    if (in->count > m->v->memory) return ALEA_LIMIT;
    if (!alea_vec_reserve(m->mem, in, 1 << 16)) return alea_mem_lack(m->mem);
    size_t got = fread(in->data + in->count, 1, 1 << 16, file);
    in->count += got;
    if (got < 1 << 16) return ferror(file) ? ALEA_SYSTEM : ALEA_OK;
  }
}

/* Why the bytes are no cache of this game; NULL: they are. */
static const char *find_fault(const alea_mac *m, const bytes *in, uint64_t print) {
  if (in->count < HEAD + 8 || memcmp(in->data, magic, MAGIC - 1) != 0) return "is no cache file";
  if (in->data[MAGIC - 1] != (uint8_t)magic[MAGIC - 1]) return "is of another version";
  if (get(in->data + in->count - 8, 8) != alea_hash_bytes(in->data, in->count - 8))
    return "is damaged: its checksum is wrong";
  if (get(in->data + MAGIC, 8) != print ||
      get(in->data + MAGIC + 8, 4) != m->setup->game->role_count)
    return "was made for another game";
  return NULL;
}

/* One position; false where it does not fit the store any more. */
static alea_status take_entry(alea_mac *m, const uint8_t *at, uint32_t words, alea_u64s *buffer,
                              bool *fits) {
  uint32_t roles = m->setup->game->role_count;
  buffer->count = 0;
  if (!alea_vec_reserve(m->mem, buffer, words)) return alea_mem_lack(m->mem);
  for (uint32_t i = 0; i < words; i++)
    buffer->data[buffer->count++] = get(at + ENTRY + 8 * (size_t)i, 8);
  const uint8_t *values = at + ENTRY + 8 * (size_t)words;
  uint64_t hash = get(at, 8);
  alea_node_id id = alea_node_store_find_words(&m->store, hash, buffer->data, words);
  if (id != 0) return ALEA_OK;
  alea_status status = alea_node_store_make_bare(&m->store, hash, buffer->data, words, &id);
  *fits = id != 0;
  if (status != ALEA_OK || id == 0) return status;
  alea_node *node = alea_node_store_at(&m->store, id);
  node->visits = (uint32_t)get(at + 12, 4);
  node->exact = at[16] != 0;
  node->looked = true;
  for (uint32_t r = 0; r < roles; r++) {
    float value = get_float(values + 4 * (size_t)r);
    if (!(value >= 0 && value <= 1)) value = 0;
    node->sums[r] = value * (float)node->visits;
    if (node->exact) node->lo[r] = node->hi[r] = value;
  }
  return ALEA_OK;
}

static alea_status take_entries(alea_mac *m, const bytes *in) {
  uint32_t roles = m->setup->game->role_count;
  uint64_t count = get(in->data + MAGIC + 12, 8);
  size_t at = HEAD, end = in->count - 8;
  alea_u64s buffer = {0};
  alea_status status = ALEA_OK;
  bool fits = true;
  for (uint64_t i = 0; status == ALEA_OK && fits && i < count; i++) {
    if (end - at < ENTRY) break;
    uint32_t words = (uint32_t)get(in->data + at + 8, 4);
    if (words > MOST_WORDS || end - at < entry_size(words, roles)) break;
    /* The search needs room too. */
    if (m->store.used > m->store.limit / 2) break;
    status = take_entry(m, in->data + at, words, &buffer, &fits);
    at += entry_size(words, roles);
  }
  alea_vec_clear(m->mem, &buffer);
  return status;
}

/* A file that is not there is an empty cache; that it can be written is tried
 * now, when somebody can still be told. */
static alea_status begin_file(alea_mac *m, alea_text *message) {
  if (errno != ENOENT) {
    alea_text_format(message, "cache file '%s' cannot be read: %s", m->v->cache_file,
                     strerror(errno));
    return ALEA_SYSTEM;
  }
  return alea_mac_save(m, message);
}

alea_status alea_mac_load(alea_mac *mac, alea_text *message) {
  const char *path = mac->v->cache_file;
  if (path == NULL || path[0] == '\0') {
    alea_text_put(message, "cache=keep needs cache-file=FILE");
    return ALEA_USAGE;
  }
  FILE *file = fopen(path, "rb");
  if (file == NULL) return begin_file(mac, message);
  bytes in = {0};
  uint64_t print;
  alea_status status = read_file(mac, file, &in);
  fclose(file);
  if (status == ALEA_LIMIT)
    alea_text_format(message, "cache file '%s' is larger than the player's memory", path);
  if (status == ALEA_OK) status = fingerprint(mac, &print);
  const char *fault = status == ALEA_OK ? find_fault(mac, &in, print) : NULL;
  if (fault != NULL) {
    alea_text_format(message, "cache file '%s' %s", path, fault);
    status = ALEA_INPUT;
  }
  if (status == ALEA_OK) status = take_entries(mac, &in);
  alea_vec_clear(mac->mem, &in);
  return status;
}

/* ---- writing ---- */

typedef struct worth {
  alea_node_id id;
  uint32_t visits;
  bool exact;
} worth;

/* Exact values first, then by samples; the number settles the rest. */
static int by_worth(const void *a, const void *b) {
  const worth *x = a, *y = b;
  if (x->exact != y->exact) return x->exact ? -1 : 1;
  if (x->visits != y->visits) return x->visits > y->visits ? -1 : 1;
  return x->id < y->id ? -1 : x->id > y->id;
}

typedef ALEA_VEC(worth) worths;

static bool list_worth(alea_mac *m, worths *list) {
  for (size_t i = 1; i < m->store.nodes.count; i++) {
    const alea_node *node = m->store.nodes.data[i];
    if (node == NULL || node->terminal || (!node->exact && node->visits < FEWEST)) continue;
    worth w = {(alea_node_id)i, node->visits, node->exact};
    if (!alea_vec_push(m->mem, list, w)) return false;
  }
  if (list->count > 1) qsort(list->data, list->count, sizeof *list->data, by_worth);
  return true;
}

static bool put_entry(alea_mac *m, const alea_node *node, bytes *out) {
  uint32_t roles = m->setup->game->role_count;
  size_t size = entry_size(node->word_count, roles);
  if (!alea_vec_reserve(m->mem, out, size)) return false;
  uint8_t *at = out->data + out->count;
  put(at, node->hash, 8);
  put(at + 8, node->word_count, 4);
  put(at + 12, node->visits, 4);
  at[16] = node->exact;
  for (uint32_t w = 0; w < node->word_count; w++)
    put(at + ENTRY + 8 * (size_t)w, node->words[w], 8);
  uint8_t *values = at + ENTRY + 8 * (size_t)node->word_count;
  for (uint32_t r = 0; r < roles; r++) {
    float mean = node->visits > 0 ? node->sums[r] / (float)node->visits : 0;
    put_float(values + 4 * (size_t)r, node->exact ? node->lo[r] : mean);
  }
  out->count += size;
  return true;
}

/* At most half of the memory, so that it can be read again. */
static alea_status fill(alea_mac *m, uint64_t print, bytes *out) {
  worths list = {0};
  uint64_t count = 0;
  bool good = alea_vec_reserve(m->mem, out, HEAD) && list_worth(m, &list);
  if (good) {
    memcpy(out->data, magic, MAGIC);
    put(out->data + MAGIC, print, 8);
    put(out->data + MAGIC + 8, m->setup->game->role_count, 4);
    out->count = HEAD;
  }
  for (size_t i = 0; good && i < list.count && out->count < m->v->memory / 4; i++) {
    good = put_entry(m, alea_node_store_at(&m->store, list.data[i].id), out);
    count++;
  }
  alea_vec_clear(m->mem, &list);
  if (!good || !alea_vec_reserve(m->mem, out, 8)) return alea_mem_lack(m->mem);
  put(out->data + MAGIC + 12, count, 8);
  put(out->data + out->count, alea_hash_bytes(out->data, out->count), 8);
  out->count += 8;
  return ALEA_OK;
}

/* Written beside the old one and put in its place whole. */
static bool write_file(alea_mac *m, const bytes *out, const char *path, const char *beside) {
  FILE *file = fopen(beside, "wb");
  if (file == NULL) return false;
  bool good = fwrite(out->data, 1, out->count, file) == out->count;
  good = fclose(file) == 0 && good;
  (void)m;
  if (good && rename(beside, path) == 0) return true;
  int error = errno;
  (void)remove(beside);
  errno = error;
  return false;
}

alea_status alea_mac_save(alea_mac *mac, alea_text *message) {
  const char *path = mac->v->cache_file;
  bytes out = {0};
  uint64_t print;
  alea_text beside;
  alea_text_init(&beside, mac->mem);
  alea_text_format(&beside, "%s.new", path);
  alea_status status = beside.failed ? alea_mem_lack(mac->mem) : fingerprint(mac, &print);
  if (status == ALEA_OK) status = fill(mac, print, &out);
  if (status == ALEA_OK && !write_file(mac, &out, path, alea_text_string(&beside))) {
    if (message != NULL)
      alea_text_format(message, "cache file '%s' cannot be written: %s", path, strerror(errno));
    status = ALEA_SYSTEM;
  }
  alea_vec_clear(mac->mem, &out);
  alea_text_clear(&beside);
  return status;
}
