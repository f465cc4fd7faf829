/* Fuzz target of what programs save for themselves: tables of `solve --save` and
 * caches of `mac-ucb`.  Bytes at random would fail at the sum over the file; so an
 * input is text, edits of a file that is good:
 *
 *   table | cache     which one
 *   put PLACE WIDTH NUMBER
 *   cut LENGTH        shortens it; `grow LENGTH` makes it longer
 *   sum               the edits so far pass the check of the sum
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "csp/ranking.h"
#include "fuzz/mutate.h"
#include "match/open.h"
#include "play/player.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 1 << 16, HEAD = 40, BLOCK = 4096 * 9 };
static const uint64_t PRINT = 77; /* stands for the network */
static char path[64];
static uint8_t file_bytes[MOST_BYTES];
static size_t file_size;

/* A file as it is before any edit; made once. */
typedef struct saved_base {
  uint8_t bytes[MOST_BYTES];
  size_t size;
} saved_base;

static void read_back(saved_base *base) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) abort();
  base->size = fread(base->bytes, 1, MOST_BYTES, file);
  fclose(file);
}

static void write_out(void) {
  FILE *file = fopen(path, "wb");
  if (file == NULL || fwrite(file_bytes, 1, file_size, file) != file_size) abort();
  fclose(file);
}

/* ---- tables ---- */

static void make_table(void) {
  alea_mem mem;
  ranking_table table;
  alea_mem_init(&mem, 0);
  if (!ranking_table_init(&table, &mem, 1 << 16)) abort();
  for (uint64_t i = 0; i < 200; i++)
    ranking_table_store(&table, alea_hash_mix(i), i % 3 == 0, 6 + (uint32_t)(i % 20));
  if (ranking_table_save(&table, &mem, path, PRINT, (uint64_t[2]){1, 2}) != NULL) abort();
  ranking_table_clear(&table, &mem);
  if (mem.used != 0) abort();
}

/* As the file says: the head, then whole blocks of entries, and the rest. */
static uint64_t sum_of_table(void) {
  uint64_t sum = alea_hash_join(0, alea_hash_bytes(file_bytes, HEAD));
  for (size_t at = HEAD, some; at < file_size - 8; at += some) {
    some = file_size - 8 - at < BLOCK ? file_size - 8 - at : BLOCK;
    sum = alea_hash_join(sum, alea_hash_bytes(file_bytes + at, some));
  }
  return sum;
}

static bool load_table(void) {
  alea_mem mem;
  ranking_table table;
  uint64_t spent[2];
  alea_mem_init(&mem, 0);
  if (!ranking_table_init(&table, &mem, 1 << 16)) abort();
  bool good = ranking_table_load(&table, path, PRINT, spent) == NULL;
  ranking_table_clear(&table, &mem);
  if (mem.used != 0) abort();
  return good;
}

/* ---- caches ---- */

static alea_opened *open_game(void) {
  static alea_opened opened;
  static bool open;
  if (open) return &opened;
  static const char rules[] =
      "(role a)(role b)(init (n 0))(succ 0 1)(succ 1 2)(succ 2 3)(succ 3 4)(legal a x)(legal a y)"
      "(legal b x)(legal b y)(<= (next (n ?j)) (true (n ?i)) (succ ?i ?j))(<= (next odd) (does a x)"
      "(does b y))(<= (next odd) (true odd))(<= terminal (true (n 4)))(<= (goal a 100) (true odd))"
      "(<= (goal a 0) (not (true odd)))(<= (goal b 0) (true odd))(<= (goal b 100) (not (true "
      "odd)))";
  alea_open_options options = {.engine = ALEA_ENGINE_NET, .ground_seconds = 10};
  open =
      alea_open_rules(&opened, "rules", rules, sizeof rules - 1, &options, NULL, NULL) == ALEA_OK;
  if (!open) abort();
  return &opened;
}

/* Plays one move with the cache; was it accepted? */
static bool use_cache(uint64_t sims) {
  alea_opened *opened = open_game();
  alea_mem mem;
  alea_mem_init(&mem, (size_t)256 << 20);
  alea_text message, name;
  alea_text_init(&message, &mem);
  alea_text_init(&name, &mem);
  alea_text_format(&name, "mac-ucb:cache=keep,cache-file=%s", path);
  alea_player_setup setup = {
      .game = opened->game, .seed = 1, .mem = &mem, .services = opened->services};
  alea_player *player = NULL;
  alea_status status = alea_player_new(&player, alea_text_string(&name), &setup, &message);
  if (status != ALEA_OK && message.length == 0 && !mem.hit_limit) abort(); /* no without a reason */
  alea_budget budget = {.sims = sims};
  alea_move move;
  if (status == ALEA_OK) (void)alea_player_select(player, &budget, &move);
  alea_player_free(player);
  alea_text_clear(&message);
  alea_text_clear(&name);
  if (mem.used != 0) abort();
  return status == ALEA_OK;
}

/* ---- edits ---- */

static void begin_file(bool table) {
  static saved_base bases[2];
  saved_base *base = &bases[table];
  unlink(path);
  if (base->size == 0) {
    if (table)
      make_table();
    else
      (void)use_cache(2000);
    read_back(base);
  }
  memcpy(file_bytes, base->bytes, MOST_BYTES);
  file_size = base->size;
}

static void put_number(size_t place, size_t width, uint64_t number) {
  for (size_t i = 0; i < width && i < 8 && place + i < file_size; i++)
    file_bytes[place + i] = (uint8_t)(number >> (8 * i));
}

static void put_sum(bool table) {
  if (file_size < HEAD + 8) return;
  put_number(file_size - 8, 8, table ? sum_of_table() : alea_hash_bytes(file_bytes, file_size - 8));
}

static void edit(const char *line, bool table) {
  unsigned long long a = 0, b = 0, c = 0;
  if (sscanf(line, "put %llu %llu %llu", &a, &b, &c) == 3)
    put_number((size_t)(a % (file_size + 1)), (size_t)(b % 9), c);
  else if (sscanf(line, "cut %llu", &a) == 1)
    file_size = (size_t)(a % (file_size + 1));
  else if (sscanf(line, "grow %llu", &a) == 1)
    file_size += (size_t)(a % (MOST_BYTES - file_size));
  else if (strncmp(line, "sum", 3) == 0)
    put_sum(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1), *rest = NULL;
  if (text == NULL) abort();
  memcpy(text, data, size);
  text[size] = '\0';
  bool table = strncmp(text, "table", 5) == 0;
  snprintf(path, sizeof path, "/tmp/alea-fuzz-saved-%ld", (long)getpid());
  begin_file(table);
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
    edit(line, table);
  write_out();
  fuzz_note(table ? load_table() : use_cache(50));
  unlink(path);
  free(text);
  return 0;
}
