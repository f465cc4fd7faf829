/* Fuzz target of databases of results.  An input is a file of SQLite, or SQL that
 * changes a database that a store has made: it passes SQLite's own checks then,
 * and ours have to find what is wrong with it.  What is accepted is reported in
 * every form. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/mutate.h"
#include "tournament/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MEMORY_LIMIT ((size_t)64 << 20)

static char path[64];

/* In memory where the system has such files: most of the time would go into waiting for a disk. */
static void choose_path(void) {
  const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  snprintf(path, sizeof path, "%s/alea-fuzz-store-%ld", folder, (long)getpid());
}

static void remove_all(void) {
  static const char *const ends[] = {"", "-lock", "-wal", "-shm", "-journal"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    char name[80];
    snprintf(name, sizeof name, "%s%s", path, ends[i]);
    unlink(name);
  }
}

/* Rows may be changed; other files, settings and tables may not. */
static int allow(void *context, int action, const char *a, const char *b, const char *c,
                 const char *d) {
  (void)context, (void)a, (void)b, (void)c, (void)d;
  bool rows = action == SQLITE_INSERT || action == SQLITE_UPDATE || action == SQLITE_DELETE ||
              action == SQLITE_SELECT || action == SQLITE_READ;
  return rows ? SQLITE_OK : SQLITE_DENY;
}

static int give_up(void *context) {
  (void)context;
  return 1;
}

static void write_file(const uint8_t *data, size_t size) {
  FILE *file = fopen(path, "wb");
  if (file == NULL || fwrite(data, 1, size, file) != size) abort();
  fclose(file);
}

/* A store without results is made once, and its bytes are written for each input. */
static void make_database(void) {
  static uint8_t bytes[1 << 18];
  static size_t size;
  alea_mem mem;
  alea_result_store *store;
  if (size != 0) {
    write_file(bytes, size);
    return;
  }
  alea_mem_init(&mem, 0);
  if (alea_result_store_open(&store, path, &mem, NULL) != ALEA_OK) abort();
  if (alea_result_store_close(store) != ALEA_OK || mem.used != 0) abort();
  FILE *file = fopen(path, "rb");
  if (file == NULL || (size = fread(bytes, 1, sizeof bytes, file)) == sizeof bytes) abort();
  fclose(file);
}

/* Statements that are wrong are left out; the others count. */
static void change_database(const char *sql, size_t size) {
  sqlite3 *db;
  char *copy = malloc(size + 1);
  if (copy == NULL || sqlite3_open(path, &db) != SQLITE_OK) abort();
  memcpy(copy, sql, size);
  copy[size] = '\0';
  sqlite3_exec(db, "PRAGMA journal_mode=DELETE; PRAGMA synchronous=OFF", NULL, NULL, NULL);
  sqlite3_set_authorizer(db, allow, NULL);
  sqlite3_progress_handler(db, 100000, give_up, NULL);
  for (const char *at = copy; *at != '\0';) {
    sqlite3_stmt *statement = NULL;
    const char *rest = at;
    if (sqlite3_prepare_v2(db, at, -1, &statement, &rest) == SQLITE_OK && statement != NULL)
      while (sqlite3_step(statement) == SQLITE_ROW) continue;
    sqlite3_finalize(statement);
    const char *end = strchr(at, ';'); /* go on behind what was wrong */
    at = rest > at ? rest : end != NULL ? end + 1 : "";
  }
  sqlite3_close(db);
  free(copy);
}

static void report(alea_results *results, alea_mem *mem) {
  alea_text text;
  alea_doc doc;
  alea_text_init(&text, mem);
  alea_doc_init(&doc, mem);
  alea_report_doc(results, "fuzz", &doc);
  alea_report_csv(results, &text);
  alea_report_json(results, &text);
  alea_doc_clear(&doc);
  alea_text_clear(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  alea_mem mem;
  alea_diag diag;
  alea_results results = {0};
  alea_result_store *store = NULL;
  bool binary = size > 6 && memcmp(data, "SQLite", 6) == 0;
  choose_path();
  remove_all();
  if (binary) write_file(data, size);
  if (!binary) make_database();
  if (!binary) change_database((const char *)data, size);
  alea_mem_init(&mem, MEMORY_LIMIT);
  alea_diag_init(&diag, &mem);
  alea_status status = alea_result_store_read(&store, path, &mem, &diag);
  fuzz_note(status == ALEA_OK);
  if (status == ALEA_OK) {
    status = alea_results_load(&results, store, &mem, &diag);
    if (status == ALEA_OK) report(&results, &mem);
    alea_results_clear(&results);
  }
  if (status != ALEA_OK && diag.errors == 0 && !mem.hit_limit) abort(); /* no without a reason */
  (void)alea_result_store_close(store);
  alea_diag_clear(&diag);
  if (mem.used != 0) abort();
  remove_all();
  return 0;
}
