/* The database of results. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "tournament/store.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tournament/validate.h"

/* Statements that are used for every match. */
#define STATEMENTS(row)                                                                 \
  row(put_match,                                                                        \
      "UPDATE matches SET done=1, run=?2, completed=?3, score=?4, steps=?5, faults=?6," \
      " engine=?7, version=?8, host=?9, started=?10, seconds=?11, cpu_seconds=?12"      \
      " WHERE id=?1 AND done=0")                                                        \
      row(put_seat, "INSERT INTO seats VALUES(?1,?2,?3,?4,?5,?6,?7,?8)")                \
          row(put_move, "INSERT INTO moves VALUES(?1,?2,?3,?4,?5,?6)")

enum {
#define NUMBER(name, text) SQL_##name,
  STATEMENTS(NUMBER)
#undef NUMBER
      STATEMENT_COUNT
};

struct alea_result_store {
  alea_mem *mem;
  alea_diag *diag;  /* must outlive the store */
  const char *path; /* borrowed */
  sqlite3 *db;
  sqlite3_stmt *statements[STATEMENT_COUNT];
  int lock;             /* descriptor of the locked file, -1: none */
  bool pending;         /* a transaction is open */
  uint64_t kept, fresh; /* new outcomes: durable, and in the open transaction */
  int64_t run;
  uint64_t *first_ids; /* per pairing of the plan: id of its match 0 */
  size_t pairings;
};

static const char schema[] =
    "CREATE TABLE IF NOT EXISTS info(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS runs(id INTEGER PRIMARY KEY, started TEXT, version TEXT,"
    " host TEXT, cores INTEGER, workers INTEGER, description TEXT);"
    "CREATE TABLE IF NOT EXISTS games(name TEXT PRIMARY KEY, rules TEXT, seats INTEGER)"
    " WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS pairings(id INTEGER PRIMARY KEY, key TEXT UNIQUE, game TEXT,"
    " budget TEXT, first TEXT, first_player TEXT, second TEXT, second_player TEXT);"
    "CREATE TABLE IF NOT EXISTS matches(id INTEGER PRIMARY KEY, pairing INTEGER, number INTEGER,"
    " seed INTEGER, rotation INTEGER, done INTEGER, run INTEGER, completed INTEGER, score REAL,"
    " steps INTEGER, faults INTEGER, engine TEXT, version TEXT, host TEXT, started INTEGER,"
    " seconds REAL, cpu_seconds REAL, UNIQUE(pairing, number));"
    "CREATE TABLE IF NOT EXISTS seats(match INTEGER, role INTEGER, name TEXT, entrant INTEGER,"
    " player TEXT, goal INTEGER, seconds REAL, statistics TEXT, PRIMARY KEY(match, role))"
    " WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS moves(match INTEGER, step INTEGER, role INTEGER, move TEXT,"
    " error TEXT, seconds REAL, PRIMARY KEY(match, step, role)) WITHOUT ROWID;"
    "INSERT OR IGNORE INTO info VALUES('format', 'alea results 1');";

static alea_status fail(alea_result_store *store, const char *what) {
  alea_place place = {store->path, 0, 0};
  const char *why = store->db != NULL ? sqlite3_errmsg(store->db) : strerror(errno);
  alea_diag_error(store->diag, place, "database", "%s: %s", what, why);
  int error = store->db != NULL ? sqlite3_errcode(store->db) : SQLITE_OK;
  return error == SQLITE_CORRUPT || error == SQLITE_NOTADB ? ALEA_INPUT : ALEA_SYSTEM;
}

static alea_status run_sql(alea_result_store *store, const char *sql) {
  bool good = sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK;
  return good ? ALEA_OK : fail(store, "the database refuses");
}

struct sqlite3 *alea_result_store_handle(alea_result_store *store) {
  return store->db;
}

/* ---- opening and closing ---- */

static alea_status make(alea_result_store **made, const char *path, alea_mem *mem,
                        alea_diag *diag) {
  alea_result_store *store = alea_mem_zalloc(mem, sizeof *store);
  *made = store;
  if (store == NULL) return ALEA_SYSTEM;
  *store = (alea_result_store){.mem = mem, .diag = diag, .path = path, .lock = -1};
  return ALEA_OK;
}

/* The path of the lock: beside the file that all links lead to, which is made if
 * it does not exist.  An empty file is an empty database. */
static bool name_lock(alea_result_store *store, alea_text *name) {
  int file = open(store->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return false;
  close(file); /* before SQLite opens it: closing releases the locks of a process */
  char *real = realpath(store->path, NULL);
  if (real == NULL) return false;
  alea_text_format(name, "%s-lock", real);
  free(real);
  return !name->failed;
}

/* The lock is not inherited by child processes and is released when its owner
 * is killed. */
static alea_status take_lock(alea_result_store *store) {
  alea_text name;
  alea_text_init(&name, store->mem);
  if (name_lock(store, &name))
    store->lock = open(alea_text_string(&name), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  alea_text_clear(&name);
  if (store->lock < 0) return fail(store, "cannot be opened");
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (fcntl(store->lock, F_SETLK, &lock) == 0) return ALEA_OK;
  alea_place place = {store->path, 0, 0};
  alea_diag_error(store->diag, place, "in-use", "another tournament is writing this database");
  return ALEA_SYSTEM;
}

/* Whether the file is a database of results, or empty. */
static alea_status check_format(alea_result_store *store) {
  sqlite3_stmt *query = NULL;
  bool empty = true;
  int result = sqlite3_prepare_v2(store->db, "SELECT name FROM sqlite_schema", -1, &query, NULL);
  while (result == SQLITE_OK && sqlite3_step(query) == SQLITE_ROW) empty = false;
  sqlite3_finalize(query);
  if (result != SQLITE_OK) return fail(store, "cannot be read");
  if (empty) return ALEA_OK;
  result =
      sqlite3_prepare_v2(store->db, "SELECT value FROM info WHERE key='format'", -1, &query, NULL);
  const char *format = NULL;
  if (result == SQLITE_OK && sqlite3_step(query) == SQLITE_ROW)
    format = (const char *)sqlite3_column_text(query, 0);
  bool ours = format != NULL && strcmp(format, "alea results 1") == 0;
  sqlite3_finalize(query);
  if (ours) return ALEA_OK;
  alea_place place = {store->path, 0, 0};
  alea_diag_error(store->diag, place, "database", "is a database, but not one of results");
  return ALEA_INPUT;
}

static alea_status prepare_all(alea_result_store *store) {
  static const char *const texts[] = {
#define TEXT(name, text) text,
      STATEMENTS(TEXT)
#undef TEXT
  };
  for (size_t i = 0; i < STATEMENT_COUNT; i++) {
    int result = sqlite3_prepare_v3(store->db, texts[i], -1, SQLITE_PREPARE_PERSISTENT,
                                    &store->statements[i], NULL);
    if (result != SQLITE_OK) return fail(store, "the database refuses");
  }
  return ALEA_OK;
}

static alea_status open_for_writing(alea_result_store *store) {
  alea_status status = take_lock(store);
  if (status != ALEA_OK) return status;
  if (sqlite3_open(store->path, &store->db) != SQLITE_OK) return fail(store, "cannot be opened");
  sqlite3_busy_timeout(store->db, 10000);
  status = run_sql(store, "PRAGMA trusted_schema=OFF");
  if (status == ALEA_OK) status = check_format(store);
  if (status == ALEA_OK) status = run_sql(store, "PRAGMA journal_mode=WAL");
  if (status == ALEA_OK) status = run_sql(store, "PRAGMA synchronous=NORMAL");
  if (status == ALEA_OK) status = run_sql(store, "BEGIN IMMEDIATE");
  if (status == ALEA_OK) status = run_sql(store, schema);
  if (status == ALEA_OK) status = run_sql(store, "COMMIT");
  if (status == ALEA_OK) status = alea_result_store_validate(store->db, store->path, store->diag);
  return status == ALEA_OK ? prepare_all(store) : status;
}

alea_status alea_result_store_open(alea_result_store **store, const char *path, alea_mem *mem,
                                   alea_diag *diag) {
  alea_status status = make(store, path, mem, diag);
  if (status == ALEA_OK) status = open_for_writing(*store);
  if (status != ALEA_OK) {
    (void)alea_result_store_close(*store);
    *store = NULL;
  }
  return status;
}

/* Whether a write-ahead log with something in it lies beside the database. */
static bool has_log(alea_result_store *store) {
  alea_text name;
  struct stat about;
  alea_text_init(&name, store->mem);
  alea_text_format(&name, "%s-wal", store->path);
  bool some = name.failed || (stat(alea_text_string(&name), &about) == 0 && about.st_size > 0);
  alea_text_clear(&name);
  return some;
}

/* Where nothing can be written, SQLite cannot make the shared memory of its log;
 * without a log it needs none. */
static bool reopen_as_it_is(alea_result_store *store) {
  alea_text uri;
  alea_text_init(&uri, store->mem);
  alea_text_put(&uri, "file:");
  for (const char *c = store->path; *c != '\0'; c++)
    alea_text_format(&uri, strchr("%?#", *c) != NULL ? "%%%02X" : "%c", (unsigned char)*c);
  alea_text_put(&uri, "?immutable=1");
  sqlite3_close(store->db);
  store->db = NULL;
  int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
  bool good =
      !uri.failed && sqlite3_open_v2(alea_text_string(&uri), &store->db, flags, NULL) == SQLITE_OK;
  alea_text_clear(&uri);
  return good;
}

static bool can_read(alea_result_store *store) {
  int result = sqlite3_exec(store->db, "SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL);
  return result != SQLITE_CANTOPEN && result != SQLITE_READONLY;
}

/* Nothing is believed of a database that is read. */
static alea_status check(alea_result_store *store) {
  alea_status status = run_sql(store, "PRAGMA trusted_schema=OFF");
  if (status == ALEA_OK) status = check_format(store);
  if (status == ALEA_OK) status = alea_result_store_validate(store->db, store->path, store->diag);
  return status;
}

static alea_status open_for_reading(alea_result_store *store) {
  if (sqlite3_open_v2(store->path, &store->db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
    return fail(store, "cannot be opened");
  sqlite3_busy_timeout(store->db, 10000);
  if (!can_read(store) && !has_log(store) && !reopen_as_it_is(store))
    return fail(store, "cannot be opened");
  return check(store);
}

/* Numbers of a database's header say whether it has a log, which one in memory has not. */
static alea_status open_bytes(alea_result_store *store, const char *bytes, size_t length) {
  enum { WRITE_VERSION = 18, READ_VERSION = 19, HEADER = 100, WITHOUT_LOG = 1 };
  unsigned char *copy = length >= HEADER ? sqlite3_malloc64(length) : NULL;
  if (length < HEADER) {
    alea_diag_error(store->diag, ((alea_place){store->path, 0, 0}), "database",
                    "is not a database");
    return ALEA_INPUT;
  }
  if (copy == NULL) return ALEA_SYSTEM;
  memcpy(copy, bytes, length);
  copy[WRITE_VERSION] = copy[READ_VERSION] = WITHOUT_LOG;
  if (sqlite3_open(":memory:", &store->db) != SQLITE_OK) {
    sqlite3_free(copy);
    return fail(store, "cannot be opened");
  }
  int flags = SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY;
  sqlite3_int64 size = (sqlite3_int64)length;
  if (sqlite3_deserialize(store->db, "main", copy, size, size, (unsigned)flags) != SQLITE_OK)
    return fail(store, "cannot be read");
  return check(store);
}

alea_status alea_result_store_read(alea_result_store **store, const char *path, alea_mem *mem,
                                   alea_diag *diag) {
  alea_status status = make(store, path, mem, diag);
  if (status == ALEA_OK) status = open_for_reading(*store);
  if (status != ALEA_OK) {
    (void)alea_result_store_close(*store);
    *store = NULL;
  }
  return status;
}

alea_status alea_result_store_take(alea_result_store **store, const char *bytes, size_t length,
                                   const char *name, alea_mem *mem, alea_diag *diag) {
  alea_status status = make(store, name, mem, diag);
  if (status == ALEA_OK) status = open_bytes(*store, bytes, length);
  if (status != ALEA_OK) {
    (void)alea_result_store_close(*store);
    *store = NULL;
  }
  return status;
}

alea_status alea_result_store_close(alea_result_store *store) {
  if (store == NULL) return ALEA_OK;
  alea_status status = store->db != NULL ? alea_result_store_commit(store) : ALEA_OK;
  for (size_t i = 0; i < STATEMENT_COUNT; i++) sqlite3_finalize(store->statements[i]);
  sqlite3_close(store->db);
  if (store->lock >= 0) close(store->lock);
  alea_mem_free(store->mem, store->first_ids, store->pairings * sizeof *store->first_ids);
  alea_mem_free(store->mem, store, sizeof *store);
  return status;
}

/* ---- the plan ---- */

/* Runs a statement with up to eight texts bound to its end. */
static alea_status run_texts(alea_result_store *store, const char *sql, const char *const *texts,
                             int count) {
  sqlite3_stmt *statement = NULL;
  int result = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);
  for (int i = 0; result == SQLITE_OK && i < count; i++)
    result = sqlite3_bind_text(statement, i + 1, texts[i], -1, SQLITE_TRANSIENT);
  if (result == SQLITE_OK) result = sqlite3_step(statement);
  sqlite3_finalize(statement);
  return result == SQLITE_DONE || result == SQLITE_ROW ? ALEA_OK
                                                       : fail(store, "the database refuses");
}

/* The first column of the first row as a number; -1 if there is none. */
static int64_t ask_number(alea_result_store *store, const char *sql, const char *text) {
  sqlite3_stmt *statement = NULL;
  int64_t number = -1;
  if (sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) == SQLITE_OK &&
      sqlite3_bind_text(statement, 1, text, -1, SQLITE_TRANSIENT) == SQLITE_OK &&
      sqlite3_step(statement) == SQLITE_ROW) {
    number = sqlite3_column_int64(statement, 0);
  }
  sqlite3_finalize(statement);
  return number;
}

static alea_status enter_game(alea_result_store *store, const alea_tournament_plan_game *game) {
  char rules[32], seats[16];
  snprintf(rules, sizeof rules, "%016" PRIx64, game->rules);
  snprintf(seats, sizeof seats, "%u", game->seats);
  const char *const texts[] = {game->name, rules, seats};
  alea_status status =
      run_texts(store, "INSERT OR IGNORE INTO games VALUES(?1,?2,CAST(?3 AS INTEGER))", texts, 3);
  if (status != ALEA_OK) return status;
  sqlite3_stmt *query = NULL;
  bool same = false;
  if (sqlite3_prepare_v2(store->db, "SELECT 1 FROM games WHERE name=?1 AND rules=?2", -1, &query,
                         NULL) == SQLITE_OK) {
    sqlite3_bind_text(query, 1, game->name, -1, SQLITE_STATIC);
    sqlite3_bind_text(query, 2, rules, -1, SQLITE_STATIC);
    same = sqlite3_step(query) == SQLITE_ROW;
  }
  sqlite3_finalize(query);
  if (same) return ALEA_OK;
  alea_place place = {store->path, 0, 0};
  alea_diag_error(store->diag, place, "rules-changed",
                  "holds matches of '%s' with other rules; use another database", game->name);
  return ALEA_INPUT;
}

static alea_status enter_pairing(alea_result_store *store, const alea_tournament_plan *plan,
                                 const alea_pairing *p) {
  bool two = p->second != ALEA_TOURNAMENT_PLAN_NOBODY;
  const alea_tournament_plan_player *first = &plan->players.data[p->first];
  const alea_tournament_plan_player *second = two ? &plan->players.data[p->second] : NULL;
  const char *const texts[] = {p->key,
                               plan->games.data[p->game].name,
                               plan->budgets.data[p->budget].label,
                               first->name,
                               first->text,
                               two ? second->name : NULL,
                               two ? second->text : NULL};
  return run_texts(store,
                   "INSERT OR IGNORE INTO pairings(key, game, budget, first, first_player, second,"
                   " second_player) VALUES(?1,?2,?3,?4,?5,?6,?7)",
                   texts, 7);
}

/* Inserts rows for the matches of a pairing that have none.  The id of a match
 * combines the id of the pairing and the number of the match, so it is known
 * without a query. */
enum { ID_SHIFT = 32 };

static alea_status enter_matches(alea_result_store *store, const alea_tournament_plan *plan,
                                 const alea_pairing *p, int64_t id) {
  sqlite3_stmt *insert = NULL;
  int result = sqlite3_prepare_v2(store->db,
                                  "INSERT OR IGNORE INTO matches(id, pairing, number, seed,"
                                  " rotation, done) VALUES(?1,?2,?3,?4,?5,0)",
                                  -1, &insert, NULL);
  uint32_t seats = plan->games.data[p->game].seats;
  for (uint32_t i = 0; result == SQLITE_OK && i < p->matches; i++) {
    alea_unit unit = alea_tournament_plan_unit(plan, p->before + i);
    sqlite3_bind_int64(insert, 1, (id << ID_SHIFT) + i);
    sqlite3_bind_int64(insert, 2, id);
    sqlite3_bind_int64(insert, 3, i);
    sqlite3_bind_int64(insert, 4, (int64_t)unit.seed);
    sqlite3_bind_int64(insert, 5, i % seats);
    if (sqlite3_step(insert) != SQLITE_DONE) result = SQLITE_ERROR;
    sqlite3_reset(insert);
  }
  alea_status status = result == SQLITE_OK ? ALEA_OK : fail(store, "the database refuses");
  sqlite3_finalize(insert);
  return status;
}

static alea_status find_done(alea_result_store *store, const alea_pairing *p, int64_t id,
                             bool *done) {
  sqlite3_stmt *query = NULL;
  int result = sqlite3_prepare_v2(
      store->db, "SELECT number FROM matches WHERE pairing=?1 AND done=1", -1, &query, NULL);
  if (result == SQLITE_OK) sqlite3_bind_int64(query, 1, id);
  while (result == SQLITE_OK && (result = sqlite3_step(query)) == SQLITE_ROW) {
    int64_t number = sqlite3_column_int64(query, 0);
    if (number >= 0 && number < p->matches) done[p->before + (uint64_t)number] = true;
    result = SQLITE_OK;
  }
  alea_status status = result == SQLITE_DONE ? ALEA_OK : fail(store, "cannot be read");
  sqlite3_finalize(query);
  return status;
}

static alea_status enter_run(alea_result_store *store, const alea_result_store_run *run) {
  char now[32], cores[16], workers[16];
  time_t seconds = time(NULL);
  struct tm parts;
  strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &parts));
  snprintf(cores, sizeof cores, "%u", run->cores);
  snprintf(workers, sizeof workers, "%u", run->workers);
  const char *const texts[] = {now, ALEA_VERSION, run->host, cores, workers, run->description};
  alea_status status =
      run_texts(store,
                "INSERT INTO runs(started, version, host, cores, workers, description)"
                " VALUES(?1,?2,?3,CAST(?4 AS INTEGER),CAST(?5 AS INTEGER),?6)",
                texts, 6);
  store->run = sqlite3_last_insert_rowid(store->db);
  return status;
}

static alea_status enter_all(alea_result_store *store, const alea_tournament_plan *plan,
                             const alea_result_store_run *run, bool *done) {
  alea_status status = run != NULL ? enter_run(store, run) : ALEA_OK;
  for (size_t i = 0; status == ALEA_OK && i < plan->games.count; i++)
    status = enter_game(store, &plan->games.data[i]);
  for (size_t i = 0; status == ALEA_OK && i < plan->pairings.count; i++) {
    const alea_pairing *p = &plan->pairings.data[i];
    if ((status = enter_pairing(store, plan, p)) != ALEA_OK) break;
    int64_t id = ask_number(store, "SELECT id FROM pairings WHERE key=?1", p->key);
    if (id < 0 || id > INT32_MAX) return fail(store, "has no room for pairings");
    store->first_ids[i] = (uint64_t)id << ID_SHIFT;
    status = enter_matches(store, plan, p, id);
    if (status == ALEA_OK) status = find_done(store, p, id, done);
  }
  return status;
}

alea_status alea_result_store_plan(alea_result_store *store, const alea_tournament_plan *plan,
                                   const alea_result_store_run *run, bool *done) {
  if (store->first_ids != NULL)
    alea_mem_free(store->mem, store->first_ids, store->pairings * sizeof *store->first_ids);
  store->pairings = plan->pairings.count;
  store->first_ids = alea_mem_calloc(store->mem, store->pairings, sizeof *store->first_ids);
  if (store->first_ids == NULL) return ALEA_SYSTEM;
  alea_status status = run_sql(store, "BEGIN IMMEDIATE");
  if (status != ALEA_OK) return status;
  status = enter_all(store, plan, run, done);
  if (status == ALEA_OK) return run_sql(store, "COMMIT");
  (void)sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
  return status;
}

/* ---- outcomes ---- */

static bool finish_row(sqlite3_stmt *statement) {
  bool good = sqlite3_step(statement) == SQLITE_DONE;
  return sqlite3_reset(statement) == SQLITE_OK && good;
}

static void bind_text(sqlite3_stmt *statement, int at, const char *text) {
  sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC);
}

static bool put_match(alea_result_store *store, const alea_unit_outcome *o, int64_t id) {
  sqlite3_stmt *put = store->statements[SQL_put_match];
  sqlite3_bind_int64(put, 1, id);
  sqlite3_bind_int64(put, 2, store->run);
  sqlite3_bind_int(put, 3, o->completed);
  if (o->completed) {
    sqlite3_bind_double(put, 4, alea_unit_outcome_score(o));
  } else {
    sqlite3_bind_null(put, 4);
  }
  sqlite3_bind_int64(put, 5, o->steps);
  sqlite3_bind_int64(put, 6, o->faults);
  bind_text(put, 7, o->engine);
  bind_text(put, 8, o->version);
  bind_text(put, 9, o->host);
  sqlite3_bind_int64(put, 10, o->started);
  sqlite3_bind_double(put, 11, o->seconds);
  sqlite3_bind_double(put, 12, o->cpu_seconds);
  return finish_row(put);
}

static bool put_seats(alea_result_store *store, const alea_unit_outcome *o, int64_t id) {
  sqlite3_stmt *put = store->statements[SQL_put_seat];
  for (uint32_t r = 0; r < o->roles; r++) {
    const alea_unit_outcome_seat *seat = &o->seats[r];
    sqlite3_bind_int64(put, 1, id);
    sqlite3_bind_int64(put, 2, r);
    bind_text(put, 3, seat->role);
    sqlite3_bind_int(put, 4, seat->entrant);
    bind_text(put, 5, seat->player);
    if (seat->goal >= 0) {
      sqlite3_bind_int(put, 6, seat->goal);
    } else {
      sqlite3_bind_null(put, 6);
    }
    sqlite3_bind_double(put, 7, seat->seconds);
    bind_text(put, 8, seat->statistics);
    if (!finish_row(put)) return false;
  }
  return true;
}

static bool put_move(sqlite3_stmt *put, int64_t id, uint32_t step, uint32_t role,
                     const alea_unit_outcome_move *move) {
  sqlite3_bind_int64(put, 1, id);
  sqlite3_bind_int64(put, 2, step);
  sqlite3_bind_int64(put, 3, role);
  bind_text(put, 4, move->move);
  if (move->error[0] != '\0') {
    bind_text(put, 5, move->error);
  } else {
    sqlite3_bind_null(put, 5);
  }
  sqlite3_bind_double(put, 6, move->seconds);
  return finish_row(put);
}

/* Steps count from 1; step 0 has a row only for a player that failed to
 * start. */
static bool put_moves(alea_result_store *store, const alea_unit_outcome *o, int64_t id) {
  sqlite3_stmt *put = store->statements[SQL_put_move];
  for (uint32_t r = 0; r < o->roles; r++) {
    alea_unit_outcome_move start = {.error = o->start_errors[r]};
    if (start.error[0] != '\0' && !put_move(put, id, 0, r, &start)) return false;
  }
  for (uint32_t s = 0; s < o->steps; s++)
    for (uint32_t r = 0; r < o->roles; r++)
      if (!put_move(put, id, s + 1, r, &o->moves[s * o->roles + r])) return false;
  return true;
}

static void roll_back(alea_result_store *store) {
  (void)sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
  store->pending = false;
  store->fresh = 0;
}

alea_status alea_result_store_put(alea_result_store *store, const alea_tournament_plan *plan,
                                  const alea_unit_outcome *outcome, bool *fresh) {
  alea_unit unit = alea_tournament_plan_unit(plan, outcome->unit);
  size_t pairing = (size_t)(unit.pairing - plan->pairings.data);
  int64_t id = (int64_t)store->first_ids[pairing] + unit.number;
  *fresh = false;
  if (!store->pending) {
    alea_status status = run_sql(store, "BEGIN IMMEDIATE");
    if (status != ALEA_OK) return status;
    store->pending = true;
  }
  if (!put_match(store, outcome, id)) return fail(store, "cannot store a match");
  *fresh = sqlite3_changes(store->db) == 1;
  if (!*fresh) return ALEA_OK;
  bool good = put_seats(store, outcome, id) && put_moves(store, outcome, id);
  store->fresh += good;
  if (good) return ALEA_OK;
  /* A match must not become visible in part. */
  alea_status status = fail(store, "cannot store a match");
  roll_back(store);
  return status;
}

/* If the disk is full, what was not durable before is not stored, and not
 * counted. */
alea_status alea_result_store_commit(alea_result_store *store) {
  if (!store->pending) return ALEA_OK;
  alea_status status = run_sql(store, "COMMIT");
  if (status == ALEA_OK) store->kept += store->fresh;
  if (status != ALEA_OK) roll_back(store);
  store->fresh = 0;
  store->pending = false;
  return status;
}

uint64_t alea_result_store_kept(const alea_result_store *store) { return store->kept; }
