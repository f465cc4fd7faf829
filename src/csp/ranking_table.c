/* Ranking games: the table of positions whose answer is known, and its file. */
#include <errno.h>
#include <stdio.h>

#include "base/hash.h"
#include "csp/ranking.h"

/* A word: the upper bits of the mixed key, six of work, one that it is used and
 * one of the answer.  The lower bits of the key are those of the bucket, of
 * which there are at least RANKING_LEAST. */
enum { WORD_USED = 2, WORK_SHIFT = 2, WORK_MOST = 63, WORD_LOW = 255 };

static uint32_t work_of(uint64_t word) { return (uint32_t)(word >> WORK_SHIFT) & WORK_MOST; }

bool ranking_table_init(ranking_table *table, alea_mem *mem, uint64_t bytes) {
  uint64_t buckets = RANKING_LEAST, size = RANKING_WAYS * sizeof *table->words;
  while (2 * buckets * size <= bytes) buckets *= 2;
  table->mask = buckets - 1;
  table->words = alea_mem_calloc(mem, buckets, size);
  return table->words != NULL;
}

void ranking_table_clear(ranking_table *table, alea_mem *mem) {
  if (table->words != NULL)
    alea_mem_free(mem, table->words, (table->mask + 1) * RANKING_WAYS * sizeof *table->words);
  table->words = NULL;
}

static uint64_t *bucket_of(const ranking_table *table, uint64_t mixed) {
  return &table->words[(mixed & table->mask) * RANKING_WAYS];
}

static bool same_key(uint64_t word, uint64_t mixed) {
  return (word & WORD_USED) != 0 && ((word ^ mixed) & ~(uint64_t)WORD_LOW) == 0;
}

bool ranking_table_find(const ranking_table *table, uint64_t mixed, bool *answer) {
  const uint64_t *words = bucket_of(table, mixed);
  for (int i = 0; i < RANKING_WAYS; i++)
    if (same_key(words[i], mixed)) {
      *answer = words[i] & 1;
      return true;
    }
  return false;
}

void ranking_table_store(ranking_table *table, uint64_t mixed, bool answer, uint32_t work) {
  uint64_t *words = bucket_of(table, mixed);
  int least = 0;
  for (int i = 0; i < RANKING_WAYS; i++) {
    if (words[i] == 0 || same_key(words[i], mixed)) {
      least = i;
      break;
    }
    if (work_of(words[i]) < work_of(words[least])) least = i;
  }
  words[least] = (mixed & ~(uint64_t)WORD_LOW) |
                 (uint64_t)(work > WORK_MOST ? WORK_MOST : work) << WORK_SHIFT | WORD_USED | answer;
}

/* ---- the file ---- */

/* A head of HEAD bytes, then the entries, a key and its low byte each, in
 * little-endian order, and a sum over everything. */
enum { MAGIC = 8, HEAD = MAGIC + 4 * 8, ENTRY = 9, BLOCK = 4096, LEAST_WORK = 6 };
static const char magic[MAGIC] = {'a', 'l', 'e', 'a', 'r', 'k', '0', '1'};

static void put(uint8_t *at, uint64_t word) {
  for (int i = 0; i < 8; i++) at[i] = (uint8_t)(word >> 8 * i);
}

static uint64_t get(const uint8_t *at) {
  uint64_t word = 0;
  for (int i = 0; i < 8; i++) word |= (uint64_t)at[i] << 8 * i;
  return word;
}

typedef struct ranking_file {
  FILE *file;
  uint64_t sum;
  bool failed;
} ranking_file;

static void write_block(ranking_file *f, const uint8_t *bytes, size_t count) {
  f->sum = alea_hash_join(f->sum, alea_hash_bytes(bytes, count));
  if (fwrite(bytes, 1, count, f->file) != count) f->failed = true;
}

static bool read_block(ranking_file *f, uint8_t *bytes, size_t count) {
  if (fread(bytes, 1, count, f->file) != count) return false;
  f->sum = alea_hash_join(f->sum, alea_hash_bytes(bytes, count));
  return true;
}

static bool worth_it(uint64_t word) {
  return (word & WORD_USED) != 0 && work_of(word) >= LEAST_WORK;
}

static void write_entries(ranking_file *f, const ranking_table *table) {
  uint8_t block[BLOCK * ENTRY];
  size_t filled = 0;
  for (uint64_t i = 0; i < (table->mask + 1) * RANKING_WAYS; i++) {
    uint64_t word = table->words[i];
    if (!worth_it(word)) continue;
    /* The low byte of the key is the bucket's. */
    put(&block[filled * ENTRY], (word & ~(uint64_t)WORD_LOW) | (i / RANKING_WAYS & WORD_LOW));
    block[filled * ENTRY + 8] = (uint8_t)(word & WORD_LOW);
    if (++filled < BLOCK) continue;
    write_block(f, block, filled * ENTRY);
    filled = 0;
  }
  if (filled > 0) write_block(f, block, filled * ENTRY);
}

/* Written beside the old one and put in its place whole. */
const char *ranking_table_save(const ranking_table *table, alea_mem *mem, const char *path,
                               uint64_t print, const uint64_t spent[2]) {
  size_t length = strlen(path) + sizeof ".new";
  char *beside = alea_mem_alloc(mem, length);
  uint64_t count = 0;
  uint8_t head[HEAD], sum[8];
  if (beside == NULL) return "no memory to write it";
  snprintf(beside, length, "%s.new", path);
  for (uint64_t i = 0; i < (table->mask + 1) * RANKING_WAYS; i++)
    count += worth_it(table->words[i]);
  memcpy(head, magic, MAGIC);
  put(head + MAGIC, print);
  put(head + MAGIC + 8, count);
  put(head + MAGIC + 16, spent[0]);
  put(head + MAGIC + 24, spent[1]);
  ranking_file f = {.file = fopen(beside, "wb")};
  if (f.file != NULL) {
    write_block(&f, head, sizeof head);
    write_entries(&f, table);
    put(sum, f.sum);
    if (fwrite(sum, 1, sizeof sum, f.file) != sizeof sum) f.failed = true;
    if (fclose(f.file) != 0) f.failed = true;
  }
  bool good = f.file != NULL && !f.failed && rename(beside, path) == 0;
  const char *trouble = good ? NULL : strerror(errno);
  if (!good && f.file != NULL) (void)remove(beside);
  alea_mem_free(mem, beside, length);
  return trouble;
}

static const char *read_entries(ranking_file *f, ranking_table *table, uint64_t count) {
  uint8_t block[BLOCK * ENTRY], sum[8];
  while (count > 0) {
    size_t some = count < BLOCK ? (size_t)count : BLOCK;
    if (!read_block(f, block, some * ENTRY)) return "it ends too early";
    for (size_t i = 0; i < some; i++) {
      uint8_t low = block[i * ENTRY + 8];
      ranking_table_store(table, get(&block[i * ENTRY]), low & 1, low >> WORK_SHIFT);
    }
    count -= some;
  }
  uint64_t expected = f->sum;
  if (fread(sum, 1, sizeof sum, f->file) != sizeof sum) return "it ends too early";
  if (get(sum) != expected || fgetc(f->file) != EOF) return "it is damaged (its sum is wrong)";
  return NULL;
}

const char *ranking_table_load(ranking_table *table, const char *path, uint64_t print,
                               uint64_t spent[2]) {
  uint8_t head[HEAD];
  const char *trouble = NULL;
  ranking_file f = {.file = fopen(path, "rb")};
  if (f.file == NULL) return errno == ENOENT ? NULL : strerror(errno);
  if (!read_block(&f, head, sizeof head) || memcmp(head, magic, MAGIC) != 0)
    trouble = "it is no file of this solver";
  else if (get(head + MAGIC) != print)
    trouble = "it belongs to another network";
  else
    trouble = read_entries(&f, table, get(head + MAGIC + 8));
  spent[0] = get(head + MAGIC + 16);
  spent[1] = get(head + MAGIC + 24);
  fclose(f.file);
  return trouble;
}
