/* Summaries of a database of results. */
#include "tournament/results.h"

#include <sqlite3.h>
#include <string.h>

typedef struct loader {
  alea_results *results;
  sqlite3 *db;
  alea_diag *diag;
} loader;

/* Receives the rows of a query. */
typedef alea_status take_row(loader *l, sqlite3_stmt *row);

static alea_status query(loader *l, const char *sql, take_row *take) {
  sqlite3_stmt *statement = NULL;
  int result = sqlite3_prepare_v2(l->db, sql, -1, &statement, NULL);
  alea_status status = ALEA_OK;
  while (result == SQLITE_OK && status == ALEA_OK) {
    int step = sqlite3_step(statement);
    if (step == SQLITE_DONE) break;
    if (step != SQLITE_ROW) result = step;
    if (step == SQLITE_ROW) status = take(l, statement);
  }
  if (result != SQLITE_OK) {
    alea_diag_error(l->diag, ((alea_place){0}), "database", "cannot be read: %s",
                    sqlite3_errmsg(l->db));
    status = ALEA_SYSTEM;
  }
  sqlite3_finalize(statement);
  return status;
}

static alea_status no_memory(const loader *l) { return alea_mem_lack(l->results->mem); }

/* The store was validated when it was opened, but another process may have
 * written since: what sizes memory is checked again. */
static alea_status damaged(const loader *l, const char *table) {
  alea_diag_error(l->diag, ((alea_place){0}), "damaged", "is damaged: table '%s'", table);
  return ALEA_INPUT;
}

static const char *text_at(loader *l, sqlite3_stmt *row, int column) {
  const char *text = (const char *)sqlite3_column_text(row, column);
  return text != NULL ? alea_arena_strdup(&l->results->arena, text, strlen(text)) : NULL;
}

static uint64_t count_at(sqlite3_stmt *row, int column) {
  int64_t count = sqlite3_column_int64(row, column);
  return count > 0 ? (uint64_t)count : 0;
}

/* ---- pairings ---- */

static const char pairings_sql[] =
    "SELECT p.game, p.budget, p.first, p.second, count(m.id), total(m.done), total(m.completed),"
    " total(m.faults), total(m.completed AND m.score=1), total(m.completed AND m.score=0.5),"
    " total(m.completed AND m.score=0), avg(m.steps), avg(m.seconds),"
    " coalesce(group_concat(DISTINCT m.engine), '')"
    " FROM pairings p LEFT JOIN matches m ON m.pairing=p.id GROUP BY p.id ORDER BY p.id";

static alea_status take_pairing(loader *l, sqlite3_stmt *row) {
  alea_result r = {.game = text_at(l, row, 0),
                   .budget = text_at(l, row, 1),
                   .first = text_at(l, row, 2),
                   .second = text_at(l, row, 3),
                   .planned = count_at(row, 4),
                   .done = count_at(row, 5),
                   .completed = count_at(row, 6),
                   .faults = count_at(row, 7),
                   .wins = count_at(row, 8),
                   .draws = count_at(row, 9),
                   .losses = count_at(row, 10),
                   .steps = sqlite3_column_double(row, 11),
                   .seconds = sqlite3_column_double(row, 12),
                   .engines = text_at(l, row, 13)};
  if (r.game == NULL || r.budget == NULL || r.first == NULL || r.engines == NULL)
    return damaged(l, "pairings");
  /* There are as many rows as planned matches: that bounds the memory. */
  if (r.completed > r.planned) return damaged(l, "matches");
  r.scores = alea_arena_alloc(&l->results->arena, (size_t)r.completed * sizeof *r.scores);
  r.numbers = alea_arena_alloc(&l->results->arena, (size_t)r.completed * sizeof *r.numbers);
  r.lowest = alea_arena_alloc(&l->results->arena, (size_t)r.completed * sizeof *r.lowest);
  bool good = r.scores != NULL && r.numbers != NULL && r.lowest != NULL &&
              alea_vec_push(l->results->mem, &l->results->pairings, r);
  return good ? ALEA_OK : no_memory(l);
}

/* Rows ordered by pairing. */
static const char scores_sql[] =
    "SELECT (SELECT count(*) FROM pairings q WHERE q.id < m.pairing), m.score, m.number,"
    " (SELECT min(s.goal) FROM seats s WHERE s.match=m.id AND s.entrant >= 0) FROM matches m"
    " WHERE m.completed=1 ORDER BY m.pairing, m.number";

/* The pairing of a row, or NULL. */
static alea_result *pairing_of(loader *l, sqlite3_stmt *row) {
  size_t at = (size_t)count_at(row, 0);
  return at < l->results->pairings.count ? &l->results->pairings.data[at] : NULL;
}

static alea_status take_score(loader *l, sqlite3_stmt *row) {
  alea_result *r = pairing_of(l, row);
  if (r == NULL || r->score_count == r->completed) return ALEA_OK;
  r->numbers[r->score_count] = (uint32_t)count_at(row, 2);
  r->lowest[r->score_count] = sqlite3_column_int(row, 3);
  r->scores[r->score_count++] = sqlite3_column_double(row, 1);
  return ALEA_OK;
}

static const char goals_sql[] =
    "SELECT (SELECT count(*) FROM pairings q WHERE q.id < m.pairing), s.entrant, avg(s.goal)"
    " FROM seats s JOIN matches m ON m.id=s.match WHERE s.entrant >= 0 AND m.completed=1"
    " GROUP BY m.pairing, s.entrant";

static alea_status take_goal(loader *l, sqlite3_stmt *row) {
  alea_result *r = pairing_of(l, row);
  if (r == NULL) return ALEA_OK;
  double goal = sqlite3_column_double(row, 2);
  if (sqlite3_column_int(row, 1) == 0) r->goal = goal;
  if (sqlite3_column_int(row, 1) == 1) r->other_goal = goal;
  return ALEA_OK;
}

/* ---- players ---- */

static alea_player_result *find_player(alea_results *results, const char *name) {
  for (size_t i = 0; i < results->players.count; i++)
    if (strcmp(results->players.data[i].name, name) == 0) return &results->players.data[i];
  if (!alea_vec_push(results->mem, &results->players, (alea_player_result){.name = name}))
    return NULL;
  return &results->players.data[results->players.count - 1];
}

static alea_status add_players(alea_results *results) {
  for (size_t i = 0; i < results->pairings.count; i++) {
    const alea_result *r = &results->pairings.data[i];
    alea_player_result *first = find_player(results, r->first);
    if (first == NULL) return ALEA_SYSTEM;
    if (r->second == NULL) continue;
    first->matches += r->completed;
    first->wins += r->wins;
    first->draws += r->draws;
    first->losses += r->losses;
    alea_player_result *second = find_player(results, r->second);
    if (second == NULL) return ALEA_SYSTEM;
    second->matches += r->completed;
    second->wins += r->losses;
    second->draws += r->draws;
    second->losses += r->wins;
  }
  return ALEA_OK;
}

static const char thought_sql[] =
    "SELECT CASE s.entrant WHEN 0 THEN p.first ELSE p.second END AS who, total(m.steps),"
    " total(s.seconds), total(json_extract(s.statistics, '$.sims')),"
    " total(json_extract(s.statistics, '$.nodes'))"
    " FROM seats s JOIN matches m ON m.id=s.match JOIN pairings p ON p.id=m.pairing"
    " WHERE s.entrant >= 0 GROUP BY who";

static alea_status take_thought(loader *l, sqlite3_stmt *row) {
  const char *name = text_at(l, row, 0);
  if (name == NULL) return ALEA_OK;
  alea_player_result *player = find_player(l->results, name);
  if (player == NULL) return no_memory(l);
  player->moves = count_at(row, 1);
  player->seconds = sqlite3_column_double(row, 2);
  player->sims = sqlite3_column_double(row, 3);
  player->nodes = sqlite3_column_double(row, 4);
  return ALEA_OK;
}

#define MEAN(field, help) ", avg(coalesce(json_extract(s.statistics, '$." #field "'), 0))"
static const char efforts_sql[] =
    "SELECT p.game, CASE s.entrant WHEN 0 THEN p.first ELSE p.second END AS who,"
    " count(*)" ALEA_PLAYER_STATS(MEAN)
    " FROM seats s JOIN matches m ON m.id=s.match JOIN pairings p ON p.id=m.pairing"
    " WHERE s.entrant >= 0 GROUP BY p.game, who";
#undef MEAN

static alea_status take_effort(loader *l, sqlite3_stmt *row) {
  alea_effort_result e = {
      .game = text_at(l, row, 0), .name = text_at(l, row, 1), .seats = count_at(row, 2)};
  int column = 3;
#define TAKE(field, help) e.field = sqlite3_column_double(row, column++);
  ALEA_PLAYER_STATS(TAKE)
#undef TAKE
  bool good = e.game != NULL && e.name != NULL;
  return good && alea_vec_push(l->results->mem, &l->results->efforts, e) ? ALEA_OK : no_memory(l);
}

static const char slowest_sql[] =
    "SELECT CASE s.entrant WHEN 0 THEN p.first ELSE p.second END AS who, max(v.seconds)"
    " FROM moves v JOIN seats s ON s.match=v.match AND s.role=v.role"
    " JOIN matches m ON m.id=v.match JOIN pairings p ON p.id=m.pairing"
    " WHERE s.entrant >= 0 AND v.seconds > 0 GROUP BY who";

static alea_status take_slowest(loader *l, sqlite3_stmt *row) {
  const char *name = text_at(l, row, 0);
  alea_player_result *player = name != NULL ? find_player(l->results, name) : NULL;
  if (player == NULL) return no_memory(l);
  player->slowest = sqlite3_column_double(row, 1);
  return ALEA_OK;
}

static size_t index_of(const alea_results *results, const char *name) {
  size_t i = 0;
  while (strcmp(results->players.data[i].name, name) != 0) i++;
  return i;
}

static alea_status rate(alea_results *results) {
  size_t players = results->players.count, count = 0;
  alea_mem *mem = results->mem;
  size_t room = results->pairings.count;
  alea_encounter *list = alea_mem_calloc(mem, room, sizeof *list);
  alea_rating *ratings = alea_mem_calloc(mem, players, sizeof *ratings);
  alea_status status = list != NULL && ratings != NULL ? ALEA_OK : ALEA_SYSTEM;
  for (size_t i = 0; status == ALEA_OK && i < room; i++) {
    const alea_result *r = &results->pairings.data[i];
    if (r->second == NULL || r->completed == 0) continue;
    list[count++] = (alea_encounter){.first = index_of(results, r->first),
                                     .second = index_of(results, r->second),
                                     .matches = (double)r->completed,
                                     .score = alea_result_score(r)};
  }
  if (status == ALEA_OK) status = alea_bradley_terry(list, count, players, ratings, mem);
  for (size_t i = 0; status == ALEA_OK && i < players; i++)
    results->players.data[i].rating = ratings[i];
  if (list != NULL) alea_mem_free(mem, list, room * sizeof *list);
  if (ratings != NULL) alea_mem_free(mem, ratings, players * sizeof *ratings);
  return status;
}

/* ---- runs ---- */

static const char runs_sql[] =
    "SELECT started, version, host, workers, cores,"
    " (SELECT count(*) FROM matches m WHERE m.run=r.id), description FROM runs r ORDER BY id";

/* The name in a description; an unreadable one has none. */
static alea_status take_name(loader *l, const char *description) {
  alea_results *results = l->results;
  alea_yaml_file file;
  alea_status status =
      alea_yaml_read(&file, description, strlen(description), "", results->mem, NULL);
  const char *name = status == ALEA_OK ? alea_yaml_text(file.root, "name", NULL) : NULL;
  if (name != NULL) results->name = alea_arena_strdup(&results->arena, name, strlen(name));
  bool good = name == NULL || results->name != NULL;
  alea_yaml_clear(&file);
  return good ? ALEA_OK : no_memory(l);
}

static alea_status take_run(loader *l, sqlite3_stmt *row) {
  alea_run_result run = {.started = text_at(l, row, 0),
                         .version = text_at(l, row, 1),
                         .host = text_at(l, row, 2),
                         .workers = count_at(row, 3),
                         .cores = count_at(row, 4),
                         .matches = count_at(row, 5)};
  bool good = run.started != NULL && run.version != NULL && run.host != NULL;
  const char *description = text_at(l, row, 6);
  good = good && description != NULL && alea_vec_push(l->results->mem, &l->results->runs, run);
  return good ? take_name(l, description) : no_memory(l);
}

alea_status alea_results_load(alea_results *results, alea_result_store *store, alea_mem *mem,
                              alea_diag *diag) {
  *results = (alea_results){.mem = mem};
  alea_arena_init(&results->arena, mem);
  loader l = {.results = results, .db = alea_result_store_handle(store), .diag = diag};
  alea_status status = query(&l, "BEGIN", NULL); /* all queries see the same matches */
  if (status == ALEA_OK) status = query(&l, pairings_sql, take_pairing);
  if (status == ALEA_OK) status = query(&l, scores_sql, take_score);
  if (status == ALEA_OK) status = query(&l, goals_sql, take_goal);
  if (status == ALEA_OK) status = add_players(results);
  if (status == ALEA_OK) status = query(&l, thought_sql, take_thought);
  if (status == ALEA_OK) status = query(&l, efforts_sql, take_effort);
  if (status == ALEA_OK) status = query(&l, slowest_sql, take_slowest);
  if (status == ALEA_OK) status = query(&l, runs_sql, take_run);
  (void)sqlite3_exec(l.db, "COMMIT", NULL, NULL, NULL);
  return status == ALEA_OK ? rate(results) : status;
}

void alea_results_clear(alea_results *results) {
  alea_vec_clear(results->mem, &results->pairings);
  alea_vec_clear(results->mem, &results->players);
  alea_vec_clear(results->mem, &results->efforts);
  alea_vec_clear(results->mem, &results->runs);
  alea_arena_clear(&results->arena);
}

static bool same(const char *a, const char *b) {
  return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

const alea_result *alea_results_find(const alea_results *results, const char *game,
                                     const char *budget, const char *first, const char *second,
                                     bool *turned) {
  for (size_t i = 0; i < results->pairings.count; i++) {
    const alea_result *r = &results->pairings.data[i];
    if (!same(r->game, game) || (budget != NULL && !same(r->budget, budget))) continue;
    *turned = !(same(r->first, first) && same(r->second, second));
    if (!*turned || (second != NULL && same(r->first, second) && same(r->second, first))) return r;
  }
  return NULL;
}

bool alea_results_counter(const alea_results *results, const char *game, const char *player,
                          const char *counter, double *mean) {
  for (size_t i = 0; i < results->efforts.count; i++) {
    const alea_effort_result *e = &results->efforts.data[i];
    if (strcmp(e->game, game) != 0 || strcmp(e->name, player) != 0) continue;
#define LOOK(field, help)             \
  if (strcmp(counter, #field) == 0) { \
    *mean = e->field;                 \
    return true;                      \
  }
    ALEA_PLAYER_STATS(LOOK)
#undef LOOK
  }
  return false;
}
