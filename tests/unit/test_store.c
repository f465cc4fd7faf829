/* Databases of results that somebody else made: damage is a status. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "tournament/results.h"

static char path[64];

static void remove_all(void) {
  static const char *const ends[] = {"", "-lock", "-wal", "-shm"};
  for (size_t i = 0; i < 4; i++) {
    char name[80];
    snprintf(name, sizeof name, "%s%s", path, ends[i]);
    unlink(name);
  }
}

static void run_sql(const char *sql) {
  sqlite3 *db;
  assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
  char *why = NULL;
  if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK) fail_msg("%s: %s", sql, why);
  sqlite3_close(db);
}

/* A database with one match, as a store writes it. */
static void make_database(void) {
  strcpy(path, "/tmp/alea-store-XXXXXX");
  int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_result_store *store;
  assert_int_equal(alea_result_store_open(&store, path, &mem, NULL), ALEA_OK);
  assert_int_equal(alea_result_store_close(store), ALEA_OK);
  assert_int_equal(mem.used, 0);
  run_sql(
      "PRAGMA journal_mode=DELETE;"
      "INSERT INTO runs VALUES(1,'2026-01-01T00:00:00Z','1','h',1,1,'x');"
      "INSERT INTO games VALUES('nim','0123456789abcdef',2);"
      "INSERT INTO pairings VALUES(1,'k','nim','b','uct','uct','random','random');"
      "INSERT INTO matches VALUES(4294967296,1,0,7,0,1,1,1,1.0,3,0,'net','1','h',0,0.5,0.5);"
      "INSERT INTO matches(id,pairing,number,seed,rotation,done) VALUES(4294967297,1,1,8,1,0);"
      "INSERT INTO seats VALUES(4294967296,0,'a',0,'uct',100,0.5,'{\"sims\":9}');"
      "INSERT INTO seats VALUES(4294967296,1,'b',1,'random',0,0.5,NULL);"
      "INSERT INTO moves VALUES(4294967296,1,0,'m',NULL,0.25);");
}

/* Reads the database as `alea report` does. */
static alea_status load(bool *explained) {
  alea_mem mem;
  alea_diag diag;
  alea_mem_init(&mem, 0);
  alea_diag_init(&diag, &mem);
  alea_result_store *store = NULL;
  alea_status status = alea_result_store_read(&store, path, &mem, &diag);
  if (status == ALEA_OK) {
    alea_results results;
    status = alea_results_load(&results, store, &mem, &diag);
    alea_results_clear(&results);
  }
  (void)alea_result_store_close(store);
  *explained = diag.errors > 0;
  alea_diag_clear(&diag);
  assert_int_equal(mem.used, 0);
  return status;
}

/* Opens it as `alea tournament` does. */
static alea_status open_to_write(void) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_result_store *store = NULL;
  alea_status status = alea_result_store_open(&store, path, &mem, NULL);
  (void)alea_result_store_close(store);
  assert_int_equal(mem.used, 0);
  return status;
}

static void reads_what_a_store_writes(void **state) {
  (void)state;
  bool explained;
  make_database();
  assert_int_equal(load(&explained), ALEA_OK);
  assert_false(explained);
  assert_int_equal(open_to_write(), ALEA_OK);
  remove_all();
}

static void values_are_checked(void **state) {
  (void)state;
  static const char *const damages[] = {
      "UPDATE info SET value=NULL",
      "UPDATE info SET value=x'00'",
      "INSERT INTO info VALUES('more',NULL)",
      "UPDATE matches SET completed=4611686018427387904",
      "UPDATE matches SET completed=-1",
      "UPDATE matches SET completed=2",
      "UPDATE matches SET completed='many'",
      "UPDATE matches SET done=9223372036854775807",
      "UPDATE matches SET done=NULL",
      "UPDATE matches SET score=1e308",
      "UPDATE matches SET score=NULL",
      "UPDATE matches SET score='won'",
      "UPDATE matches SET number=4294967296 WHERE number=1",
      "UPDATE matches SET number=-1 WHERE number=1",
      "UPDATE matches SET steps=-9223372036854775808",
      "UPDATE matches SET seconds=9e999",
      "UPDATE matches SET pairing=NULL",
      "UPDATE pairings SET id=2305843009213693952",
      "UPDATE pairings SET id=-1",
      "UPDATE pairings SET id=2147483648",
      "UPDATE pairings SET game=NULL",
      "UPDATE pairings SET first=NULL",
      "UPDATE pairings SET budget=x'ff00'",
      "UPDATE pairings SET second=NULL",
      "UPDATE seats SET entrant=7",
      "UPDATE seats SET statistics='{'",
      "UPDATE seats SET goal=1e300",
      "UPDATE moves SET seconds='slow'",
      "UPDATE runs SET host=NULL",
      "UPDATE runs SET workers=-5",
      "DROP TABLE seats; CREATE VIEW seats AS SELECT 1 AS match",
      "CREATE TRIGGER t AFTER UPDATE ON matches BEGIN DELETE FROM seats; END",
  };
  for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
    make_database();
    run_sql(damages[i]);
    bool explained;
    alea_status status = load(&explained);
    if (status != ALEA_INPUT || !explained) fail_msg("read, %s: %d", damages[i], status);
    status = open_to_write();
    if (status != ALEA_INPUT) fail_msg("write, %s: %d", damages[i], status);
    remove_all();
  }
}

static void missing_parts_are_named(void **state) {
  (void)state;
  static const char *const damages[] = {
      "DROP TABLE matches",
      "DROP TABLE moves",
      "DROP TABLE info",
      "ALTER TABLE matches DROP COLUMN score",
      "ALTER TABLE pairings RENAME COLUMN budget TO cost",
      "ALTER TABLE seats DROP COLUMN statistics",
  };
  for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
    make_database();
    run_sql(damages[i]);
    bool explained;
    alea_status status = load(&explained);
    if (status != ALEA_INPUT || !explained) fail_msg("%s: %d", damages[i], status);
    remove_all();
  }
}

/* Cut at any page, and with pages overwritten. */
static void damaged_files_are_refused(void **state) {
  (void)state;
  make_database();
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  static char bytes[1 << 20];
  size_t length = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  assert_true(length > 8192);
  for (size_t cut = 1024; cut < length; cut += 4096) {
    file = fopen(path, "wb");
    assert_non_null(file);
    fwrite(bytes, 1, cut, file);
    fclose(file);
    bool explained;
    alea_status status = load(&explained);
    if (status != ALEA_INPUT || !explained) fail_msg("cut at %zu: %d", cut, status);
  }
  for (size_t page = 4096; page < length; page += 4096) {
    file = fopen(path, "wb");
    assert_non_null(file);
    fwrite(bytes, 1, length, file);
    fseek(file, (long)page, SEEK_SET);
    for (int i = 0; i < 64; i++) fputc(0xa5, file);
    fclose(file);
    bool explained;
    (void)load(&explained); /* an index may go unnoticed; nothing may break */
  }
  remove_all();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_what_a_store_writes),
      cmocka_unit_test(values_are_checked),
      cmocka_unit_test(missing_parts_are_named),
      cmocka_unit_test(damaged_files_are_refused),
  };
  return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
