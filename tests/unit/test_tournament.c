/* Plans, outcomes and the store. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "tournament/results.h"
#include "tournament/scheduler.h"

typedef struct fixture {
  alea_mem mem;
  alea_diag diag;
  alea_yaml_file file;
  alea_tournament_plan plan;
  char path[64];
} fixture;

static void open_plan(fixture *f, const char *text, uint32_t seats) {
  alea_mem_init(&f->mem, 0);
  alea_diag_init(&f->diag, &f->mem);
  assert_int_equal(alea_yaml_read(&f->file, text, strlen(text), "test", &f->mem, &f->diag),
                   ALEA_OK);
  alea_tournament_plan_options options = {.seats = seats, .seed = -1};
  alea_status status =
      alea_tournament_plan_new(&f->plan, &f->file, f->file.root, &options, &f->mem);
  if (status != ALEA_OK) fail_msg("%s", f->diag.entries.data[0].message);
}

static void close_plan(fixture *f) {
  alea_tournament_plan_clear(&f->plan);
  alea_yaml_clear(&f->file);
  alea_diag_clear(&f->diag);
  assert_int_equal(f->mem.used, 0);
}

/* The seed of match 3 of a pairing, wherever in a plan the pairing stands. */
static uint64_t seed_of(const char *text, const char *key) {
  fixture f;
  uint64_t seed = 0;
  open_plan(&f, text, 2);
  for (size_t i = 0; i < f.plan.pairings.count; i++)
    if (strcmp(f.plan.pairings.data[i].key, key) == 0)
      seed = alea_tournament_plan_unit(&f.plan, f.plan.pairings.data[i].before + 3).seed;
  close_plan(&f);
  assert_int_not_equal(seed, 0);
  return seed;
}

static void units_do_not_depend_on_the_rest(void **state) {
  (void)state;
  const char *key = "a | sims=5 | uct against random | seed 1";
  uint64_t alone =
      seed_of("{games: [a], players: [uct, random], budget: {sims: 5}, matches: 4}", key);
  uint64_t among = seed_of(
      "{games: [b, a], players: [mc, uct, random], budgets: [{sims: 9}, {sims: 5}], matches: 9}",
      key);
  assert_true(alone == among);
}

static void pairs(void **state) {
  (void)state;
  fixture f;
  open_plan(&f,
            "{games: [a, {game: b, matches: 3, pairings: alike}, {game: c, pairings: first}],"
            "players: [uct, mc, random], budget: {sims: 5}, matches: 4}",
            2);
  assert_int_equal(f.plan.pairings.count, 3 + 3 + 2);
  assert_int_equal(f.plan.units, 3 * 4 + 3 * 3 + 2 * 4);
  for (uint64_t u = 0; u < f.plan.units; u++) {
    alea_unit unit = alea_tournament_plan_unit(&f.plan, u);
    assert_int_equal(unit.pairing->before + unit.number, u);
    assert_true(unit.number < unit.pairing->matches);
  }
  close_plan(&f);
  open_plan(&f,
            "{games: [a, {game: b, matches: 2}], players: [uct, mc, random], budget: {sims: 5},"
            "matches: 9, pairings: [[uct, mc], {pair: [uct, random], most: 4}]}",
            2);
  assert_int_equal(f.plan.pairings.count, 4);
  assert_int_equal(f.plan.units, 9 + 4 + 2 + 2);
  close_plan(&f);
  open_plan(&f, "{games: [a], players: [uct, mc, random], budget: {sims: 5}, rounds: gauntlet}", 2);
  assert_int_equal(f.plan.pairings.count, 2);
  close_plan(&f);
  open_plan(&f, "{games: [a], players: [uct, mc, random], budget: {sims: 5}, rounds: round-robin}",
            2);
  assert_int_equal(f.plan.pairings.count, 3);
  close_plan(&f);
  open_plan(&f, "{games: [a], players: [uct, mc, random], budget: {sims: 5}, rounds: swiss}", 2);
  assert_int_equal(f.plan.pairings.count, 0); /* they come with the results */
  assert_int_equal(f.plan.rounds, 2);
  assert_int_equal(alea_tournament_plan_pair(&f.plan, 1, 0, 2), ALEA_OK);
  assert_int_equal(alea_tournament_plan_pair(&f.plan, 2, 0, 2), ALEA_OK);
  assert_int_equal(f.plan.units, 4);
  assert_string_not_equal(f.plan.pairings.data[0].key, f.plan.pairings.data[1].key);
  close_plan(&f);
  open_plan(&f,
            "{games: [a], players: [{player: \"http://h:1\", seats: 3}, {name: b, player: "
            "\"http://h:2\"}], budget: {time: 1}, forfeit-after: 7, wait: 2}",
            2);
  assert_true(f.plan.remote);
  assert_int_equal(f.plan.players.data[0].seats, 3);
  assert_int_equal(f.plan.players.data[1].seats, 1);
  assert_false(alea_tournament_plan_wall(&f.plan)); /* nobody here keeps the clock */
  close_plan(&f);
  open_plan(&f, "{games: [a], players: [uct, mc], budget: {time: 1, clock: cpu}}", 1);
  assert_int_equal(f.plan.pairings.count, 2); /* alone, each of them */
  assert_false(alea_tournament_plan_wall(&f.plan));
  close_plan(&f);
}

static void roles_rotate(void **state) {
  (void)state;
  fixture f;
  open_plan(&f, "{games: [a], players: [uct, mc], budget: {sims: 5}, matches: 7}", 3);
  uint32_t seen[3] = {0};
  for (uint64_t u = 0; u < 7; u++) {
    const char *players[3], *names[3];
    alea_unit unit = alea_tournament_plan_unit(&f.plan, u);
    alea_match_options options = alea_tournament_plan_match(&f.plan, &unit, players, names);
    assert_int_equal(options.rotate, u % 3);
    assert_string_equal(players[0], "uct");
    assert_string_equal(players[1], "mc");
    assert_string_equal(players[2], "mc");
    seen[options.rotate]++;
  }
  assert_true(seen[0] == 3 && seen[1] == 2 && seen[2] == 2);
  close_plan(&f);
}

/* ---- outcomes ---- */

static alea_unit_outcome_seat seats[] = {{"x", "uct", 0, 100, 1.5, "{}"},
                                         {"o", "mc", 1, 0, 2.5, "{\"sims\":3}"},
                                         {"random", "random", -1, 0, 0, "{}"}};
static alea_unit_outcome_move moves[] = {
    {"(mark 1 1)", "", 0.5}, {"noop", "TO", 0.25}, {"a", "", 0},
    {"noop", "", 0.5},       {"b", "IL c", 0.25},  {"d", "", 0}};
static const char *start_errors[] = {"", "CE", ""};

static alea_unit_outcome sample(uint64_t unit) {
  return (alea_unit_outcome){.unit = unit,
                             .message = "",
                             .engine = "net",
                             .host = "here",
                             .version = "1",
                             .started = 12,
                             .seconds = 4,
                             .cpu_seconds = 3,
                             .roles = 3,
                             .steps = 2,
                             .faults = 3,
                             .completed = true,
                             .seats = seats,
                             .moves = moves,
                             .start_errors = start_errors};
}

static void bytes(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text one, two;
  alea_arena arena;
  alea_text_init(&one, &mem);
  alea_text_init(&two, &mem);
  alea_arena_init(&arena, &mem);
  alea_unit_outcome outcome = sample(77), back;
  alea_unit_outcome_pack(&outcome, &one);
  assert_int_equal(alea_unit_outcome_unpack(&back, one.data, one.length, &arena), ALEA_OK);
  assert_string_equal(back.moves[4].error, "IL c");
  assert_int_equal(back.seats[2].entrant, -1);
  alea_unit_outcome_pack(&back, &two);
  assert_int_equal(one.length, two.length);
  assert_memory_equal(one.data, two.data, one.length);
  /* Cut short anywhere, or longer by a byte, it is refused; so is nonsense. */
  for (size_t length = 0; length < one.length; length++) {
    char *exact = malloc(length > 0 ? length : 1);
    assert_non_null(exact);
    memcpy(exact, one.data, length);
    assert_int_equal(alea_unit_outcome_unpack(&back, exact, length, &arena), ALEA_INPUT);
    free(exact);
  }
  alea_text_char(&one, 'x');
  assert_int_equal(alea_unit_outcome_unpack(&back, one.data, one.length, &arena), ALEA_INPUT);
  alea_arena_clear(&arena);
  alea_text_clear(&one);
  alea_text_clear(&two);
  assert_int_equal(mem.used, 0);
}

static double score(int first, int second, int third, bool alike) {
  alea_unit_outcome_seat three[] = {{"a", "p", 0, first, 0, "{}"},
                                    {"b", "q", alike ? 0 : 1, second, 0, "{}"},
                                    {"c", "q", alike ? 0 : 1, third, 0, "{}"}};
  alea_unit_outcome outcome = {.roles = 3, .seats = three, .completed = true};
  return alea_unit_outcome_score(&outcome);
}

static void scores(void **state) {
  (void)state;
  assert_true(score(60, 50, 40, false) == 1);
  assert_true(score(50, 50, 40, false) == 0.5);
  assert_true(score(50, 0, 51, false) == 0);
  assert_true(score(100, 100, 100, true) == 1);
  assert_true(score(100, 99, 100, true) == 0);
  alea_unit_outcome aborted = {.completed = false};
  assert_true(alea_unit_outcome_score(&aborted) == -1);
}

/* ---- the store ---- */

static const char plan_text[] =
    "{games: [a], players: [uct, mc], budget: {sims: 5}, matches: 4, seed: 3}";

static void new_path(fixture *f) {
  strcpy(f->path, "/tmp/alea-store-XXXXXX");
  int file = mkstemp(f->path);
  assert_true(file >= 0);
  close(file);
}

static void remove_all(fixture *f) {
  static const char *const ends[] = {"", "-lock", "-wal", "-shm"};
  for (size_t i = 0; i < 4; i++) {
    char name[80];
    snprintf(name, sizeof name, "%s%s", f->path, ends[i]);
    unlink(name);
  }
}

static alea_result_store *open_store(fixture *f, bool *done) {
  alea_result_store *store = NULL;
  alea_result_store_run run = {.description = "x", .host = "h", .workers = 1, .cores = 1};
  assert_int_equal(alea_result_store_open(&store, f->path, &f->mem, &f->diag), ALEA_OK);
  assert_int_equal(alea_result_store_plan(store, &f->plan, &run, done), ALEA_OK);
  return store;
}

static void stored_once(void **state) {
  (void)state;
  fixture f;
  bool done[4] = {0}, fresh;
  open_plan(&f, plan_text, 2);
  new_path(&f);
  alea_result_store *store = open_store(&f, done);
  assert_false(done[0] || done[1] || done[2] || done[3]);
  alea_unit_outcome outcome = sample(2);
  assert_int_equal(alea_result_store_put(store, &f.plan, &outcome, &fresh), ALEA_OK);
  assert_true(fresh);
  assert_int_equal(alea_result_store_put(store, &f.plan, &outcome, &fresh), ALEA_OK);
  assert_false(fresh);
  assert_int_equal(alea_result_store_close(store), ALEA_OK);
  store = open_store(&f, done);
  assert_true(done[2] && !done[0] && !done[1] && !done[3]);
  assert_int_equal(alea_result_store_put(store, &f.plan, &outcome, &fresh), ALEA_OK);
  assert_false(fresh);
  assert_int_equal(alea_result_store_close(store), ALEA_OK);
  remove_all(&f);
  close_plan(&f);
}

/* ---- the scheduler, with a pool that plays nothing ---- */

typedef struct idle_pool {
  alea_pool pool;
  uint64_t given[200];
  size_t count;
  bool busy;
  alea_text bytes;
} idle_pool;

static alea_status give(alea_pool *pool, uint64_t unit, uint32_t depth) {
  idle_pool *p = (idle_pool *)pool;
  (void)depth;
  if (p->busy) return ALEA_NONE;
  assert_true(p->count < 200);
  p->given[p->count++] = unit;
  p->busy = true;
  return ALEA_OK;
}

static alea_status wait_for(alea_pool *pool, double seconds, alea_pool_event *event) {
  idle_pool *p = (idle_pool *)pool;
  (void)seconds;
  alea_unit_outcome outcome = sample(p->given[p->count - 1]);
  alea_text_truncate(&p->bytes, 0);
  alea_unit_outcome_pack(&outcome, &p->bytes);
  *event = (alea_pool_event){
      .kind = ALEA_POOL_RESULT, .bytes = p->bytes.data, .length = p->bytes.length};
  p->busy = false;
  return ALEA_OK;
}

/* Twenty matches of each pairing, then forty; those that are stored are left out. */
static void in_rounds(void **state) {
  (void)state;
  static const alea_pool_class class = {.give = give, .wait = wait_for};
  fixture f;
  bool done[65 + 5 + 65] = {0};
  open_plan(&f,
            "{games: [a], players: [uct, mc, random], budget: {sims: 5}, matches: 65,"
            "pairings: [[uct, mc], {pair: [uct, random], most: 5}, [mc, random]]}",
            2);
  new_path(&f);
  alea_result_store *store = open_store(&f, done);
  idle_pool pool = {.pool = {.class = &class, .mem = &f.mem, .plan = &f.plan}};
  alea_text_init(&pool.bytes, &f.mem);
  alea_tournament tournament = {
      .plan = &f.plan, .store = store, .pool = &pool.pool, .diag = &f.diag};
  alea_progress progress;
  done[3] = true;
  assert_int_equal(alea_tournament_run(&tournament, done, &progress, &f.mem), ALEA_OK);
  static const struct {
    uint64_t from, to; /* units */
  } parts[] = {{0, 3}, {4, 20}, {65, 70}, {70, 90}, {20, 60}, {90, 130}, {60, 65}, {130, 135}};
  size_t at = 0;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    for (uint64_t unit = parts[i].from; unit < parts[i].to; unit++)
      assert_int_equal(pool.given[at++], unit);
  assert_int_equal(at, pool.count);
  alea_text_clear(&pool.bytes);
  assert_int_equal(alea_result_store_close(store), ALEA_OK);
  remove_all(&f);
  close_plan(&f);
}

static void adds_up(void **state) {
  (void)state;
  fixture f;
  bool done[4] = {0}, fresh;
  alea_result_store *store;
  alea_results results;
  open_plan(&f, plan_text, 2);
  new_path(&f);
  store = open_store(&f, done);
  for (uint64_t u = 0; u < 3; u++) {
    alea_unit_outcome outcome = sample(u);
    outcome.completed = u != 1;
    assert_int_equal(alea_result_store_put(store, &f.plan, &outcome, &fresh), ALEA_OK);
  }
  assert_int_equal(alea_result_store_commit(store), ALEA_OK);
  /* Others may read while it is open. */
  alea_result_store *reader = NULL;
  assert_int_equal(alea_result_store_read(&reader, f.path, &f.mem, &f.diag), ALEA_OK);
  assert_int_equal(alea_results_load(&results, reader, &f.mem, &f.diag), ALEA_OK);
  assert_int_equal(results.pairings.count, 1);
  const alea_result *r = &results.pairings.data[0];
  assert_true(r->planned == 4 && r->done == 3 && r->completed == 2 && r->wins == 2);
  assert_true(r->goal == 100 && r->other_goal == 0 && r->faults == 9);
  assert_true(r->score_count == 2 && r->numbers[0] == 0 && r->numbers[1] == 2);
  assert_int_equal(results.players.count, 2);
  assert_true(results.players.data[1].losses == 2 && results.players.data[1].sims == 9);
  assert_true(results.players.data[0].slowest == 0.5);
  assert_true(results.players.data[0].rating.elo > results.players.data[1].rating.elo);
  alea_results_clear(&results);
  assert_int_equal(alea_result_store_close(reader), ALEA_OK);
  assert_int_equal(alea_result_store_close(store), ALEA_OK);
  remove_all(&f);
  close_plan(&f);
}

static void refuses_other_files(void **state) {
  (void)state;
  fixture f;
  alea_result_store *store = NULL;
  open_plan(&f, plan_text, 2);
  new_path(&f);
  FILE *file = fopen(f.path, "w");
  assert_non_null(file);
  fputs("this is no database, but it is long enough to look like a file of some kind", file);
  fclose(file);
  assert_int_equal(alea_result_store_open(&store, f.path, &f.mem, &f.diag), ALEA_INPUT);
  assert_null(store);
  assert_int_equal(alea_result_store_read(&store, "/no/such/file.db", &f.mem, &f.diag),
                   ALEA_SYSTEM);
  sqlite3 *db;
  unlink(f.path);
  assert_int_equal(sqlite3_open(f.path, &db), SQLITE_OK);
  assert_int_equal(sqlite3_exec(db, "CREATE TABLE t(x)", NULL, NULL, NULL), SQLITE_OK);
  sqlite3_close(db);
  assert_int_equal(alea_result_store_open(&store, f.path, &f.mem, &f.diag), ALEA_INPUT);
  remove_all(&f);
  close_plan(&f);
}

static void refuses_other_rules(void **state) {
  (void)state;
  fixture f;
  bool done[4] = {0};
  open_plan(&f, plan_text, 2);
  new_path(&f);
  assert_int_equal(alea_result_store_close(open_store(&f, done)), ALEA_OK);
  f.plan.games.data[0].rules = 99;
  alea_result_store *store = NULL;
  alea_result_store_run run = {.description = "", .host = ""};
  assert_int_equal(alea_result_store_open(&store, f.path, &f.mem, &f.diag), ALEA_OK);
  assert_int_equal(alea_result_store_plan(store, &f.plan, &run, done), ALEA_INPUT);
  assert_string_equal(f.diag.entries.data[0].code, "rules-changed");
  assert_int_equal(alea_result_store_close(store), ALEA_OK);
  remove_all(&f);
  close_plan(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(units_do_not_depend_on_the_rest),
      cmocka_unit_test(pairs),
      cmocka_unit_test(roles_rotate),
      cmocka_unit_test(bytes),
      cmocka_unit_test(scores),
      cmocka_unit_test(in_rounds),
      cmocka_unit_test(stored_once),
      cmocka_unit_test(adds_up),
      cmocka_unit_test(refuses_other_files),
      cmocka_unit_test(refuses_other_rules),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
