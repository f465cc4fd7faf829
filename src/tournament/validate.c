/* What the columns of a database of results may hold. */
#include "tournament/validate.h"

#include <sqlite3.h>

/* Conditions in SQL.  A comparison with NULL is NULL, not false: the query
 * below asks for rows where the condition IS NOT TRUE. */
#define IS_TEXT(column) "typeof(" #column ")='text'"
#define IS_OPTIONAL_TEXT(column) "typeof(" #column ") IN ('text','null')"
#define IS_INTEGER(column) "typeof(" #column ")='integer'"
#define IS_COUNT(column) IS_INTEGER(column) " AND " #column " BETWEEN 0 AND 4294967295"
#define IS_OPTIONAL_COUNT(column) #column " IS NULL OR (" IS_COUNT(column) ")"
#define IS_SECONDS(column)                                                      \
#column " IS NULL OR (typeof(" #column ") IN ('real','integer') AND " #column \
          " BETWEEN 0 AND 1e15)"

/* Ids of matches hold the id of the pairing above 32 bits: 31 are left. */
/* clang-format off */
#define COLUMNS(row)                                                               \
  row(info, key, IS_TEXT(key))                                                     \
  row(info, value, IS_TEXT(value))                                                 \
  row(runs, id, IS_INTEGER(id))                                                    \
  row(runs, started, IS_TEXT(started))                                             \
  row(runs, version, IS_TEXT(version))                                             \
  row(runs, host, IS_TEXT(host))                                                   \
  row(runs, cores, IS_COUNT(cores))                                                \
  row(runs, workers, IS_COUNT(workers))                                            \
  row(runs, description, IS_OPTIONAL_TEXT(description))                            \
  row(games, name, IS_TEXT(name))                                                  \
  row(games, rules, IS_TEXT(rules))                                                \
  row(games, seats, IS_COUNT(seats))                                               \
  row(pairings, id, IS_INTEGER(id) " AND id BETWEEN 1 AND 2147483647")             \
  row(pairings, key, IS_TEXT(key))                                                 \
  row(pairings, game, IS_TEXT(game))                                               \
  row(pairings, budget, IS_TEXT(budget))                                           \
  row(pairings, first, IS_TEXT(first))                                             \
  row(pairings, first_player, IS_TEXT(first_player))                               \
  row(pairings, second, IS_OPTIONAL_TEXT(second))                                  \
  row(pairings, second_player, IS_OPTIONAL_TEXT(second_player))                    \
  row(matches, id, IS_INTEGER(id))                                                 \
  row(matches, pairing, IS_INTEGER(pairing))                                       \
  row(matches, number, IS_COUNT(number))                                           \
  row(matches, seed, IS_INTEGER(seed))                                             \
  row(matches, rotation, IS_COUNT(rotation))                                       \
  row(matches, done, IS_INTEGER(done) " AND done IN (0,1)")                        \
  row(matches, run, "run IS NULL OR " IS_INTEGER(run))                             \
  row(matches, completed, "completed IS NULL OR (" IS_INTEGER(completed)           \
                          " AND completed IN (0,1))")                              \
  row(matches, score, "CASE WHEN completed=1 THEN typeof(score) IN ('real','integer')" \
                      " AND score BETWEEN 0 AND 1 ELSE score IS NULL END")         \
  row(matches, steps, IS_OPTIONAL_COUNT(steps))                                    \
  row(matches, faults, IS_OPTIONAL_COUNT(faults))                                  \
  row(matches, engine, IS_OPTIONAL_TEXT(engine))                                   \
  row(matches, version, IS_OPTIONAL_TEXT(version))                                 \
  row(matches, host, IS_OPTIONAL_TEXT(host))                                       \
  row(matches, started, "started IS NULL OR " IS_INTEGER(started))                 \
  row(matches, seconds, IS_SECONDS(seconds))                                       \
  row(matches, cpu_seconds, IS_SECONDS(cpu_seconds))                               \
  row(seats, match, IS_INTEGER(match))                                             \
  row(seats, role, IS_COUNT(role))                                                 \
  row(seats, name, IS_OPTIONAL_TEXT(name))                                         \
  row(seats, entrant, IS_INTEGER(entrant) " AND entrant BETWEEN -1 AND 1 AND"      \
                      " (entrant < 1 OR match NOT IN (SELECT m.id FROM matches m"  \
                      " JOIN pairings p ON p.id=m.pairing WHERE p.second IS NULL))") \
  row(seats, player, IS_OPTIONAL_TEXT(player))                                     \
  row(seats, goal, "goal IS NULL OR (" IS_INTEGER(goal) " AND goal BETWEEN 0 AND 100)") \
  row(seats, seconds, IS_SECONDS(seconds))                                         \
  row(seats, statistics, "statistics IS NULL OR (" IS_TEXT(statistics)             \
                         " AND json_valid(statistics))")                           \
  row(moves, match, IS_INTEGER(match))                                             \
  row(moves, step, IS_COUNT(step))                                                 \
  row(moves, role, IS_COUNT(role))                                                 \
  row(moves, move, IS_OPTIONAL_TEXT(move))                                         \
  row(moves, error, IS_OPTIONAL_TEXT(error))                                       \
  row(moves, seconds, IS_SECONDS(seconds))
/* clang-format on */

/* In double quotes a missing column would be read as a text; the table's name
 * before it prevents that. */
typedef struct column_check {
  const char *table, *column, *damaged; /* a query with a row where there is damage */
} column_check;

static const column_check checks[] = {
#define CHECK(table, column, condition) \
  {#table, #column,                     \
   "SELECT " #table "." #column " FROM " #table " WHERE (" condition ") IS NOT TRUE LIMIT 1"},
    COLUMNS(CHECK)
#undef CHECK
};

static alea_status damage(const char *path, alea_diag *diag, const char *what, const char *where) {
  alea_diag_error(diag, ((alea_place){path, 0, 0}), "damaged", "is damaged: %s %s", what, where);
  return ALEA_INPUT;
}

/* Whether a query has a row; a query that fails is damage, too. */
static alea_status has_row(sqlite3 *db, const char *sql, bool *row, const char *path,
                           alea_diag *diag) {
  sqlite3_stmt *query = NULL;
  int result = sqlite3_prepare_v2(db, sql, -1, &query, NULL);
  if (result == SQLITE_OK) result = sqlite3_step(query);
  *row = result == SQLITE_ROW;
  alea_status status = ALEA_OK;
  if (result == SQLITE_NOMEM || result == SQLITE_BUSY || result == SQLITE_IOERR) {
    alea_diag_error(diag, ((alea_place){path, 0, 0}), "database", "cannot be read: %s",
                    sqlite3_errmsg(db));
    status = ALEA_SYSTEM;
  } else if (result != SQLITE_ROW && result != SQLITE_DONE) {
    status = damage(path, diag, "it cannot be read:", sqlite3_errmsg(db));
  }
  sqlite3_finalize(query);
  return status;
}

/* A view or a virtual table in the place of a table could run anything. */
static const char strange_sql[] =
    "SELECT name FROM sqlite_schema WHERE name IN ('info','runs','games','pairings','matches',"
    "'seats','moves') AND (type<>'table' OR sql NOT LIKE 'CREATE TABLE %')"
    " UNION ALL SELECT name FROM sqlite_schema WHERE type='trigger'";

alea_status alea_result_store_validate(sqlite3 *db, const char *path, alea_diag *diag) {
  bool row = false;
  alea_status status = has_row(db, strange_sql, &row, path, diag);
  if (status == ALEA_OK && row) status = damage(path, diag, "it has tables that", "are none");
  for (size_t i = 0; status == ALEA_OK && i < sizeof checks / sizeof *checks; i++) {
    const column_check *c = &checks[i];
    status = has_row(db, c->damaged, &row, path, diag);
    if (status != ALEA_OK || !row) continue;
    alea_diag_error(diag, ((alea_place){path, 0, 0}), "damaged",
                    "is damaged: a value in column '%s' of table '%s' is not one of a store",
                    c->column, c->table);
    status = ALEA_INPUT;
  }
  return status;
}
