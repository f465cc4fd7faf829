/* Matches for tests. */
#include "support/match_run.h"

#include <string.h>

#include "cmocka_all.h"

void open_game(alea_opened *opened, const char *name) {
  alea_open_options options = {.engine = ALEA_ENGINE_AUTO, .ground_seconds = 60};
  assert_int_equal(alea_open(opened, name, &options, NULL), ALEA_OK);
}

void open_sheet(alea_opened *opened, const char *text) {
  alea_open_options options = {.engine = ALEA_ENGINE_NET, .ground_seconds = 60};
  assert_int_equal(alea_open_rules(opened, "sheet", text, strlen(text), &options, NULL, NULL),
                   ALEA_OK);
}

void run_match(const alea_opened *opened, const char *const *players, size_t count, uint64_t sims,
               uint64_t seed, int goals[2], alea_text *json) {
  alea_match_options options = {.players = players,
                                .player_count = count,
                                .sims = sims,
                                .seed = seed,
                                .step_cap = 500,
                                .engine = ALEA_ENGINE_AUTO};
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_record record;
  alea_record_init(&record, &mem);
  assert_int_equal(alea_match_run(&record, opened, &options, NULL, NULL, NULL), ALEA_OK);
  assert_true(record.completed);
  assert_int_equal(record.faults, 0);
  assert_int_equal(record.errors.count, record.moves.count + record.roles);
  for (uint32_t r = 0; r < 2 && r < record.roles; r++) goals[r] = record.goals[r];
  if (json != NULL) alea_record_json(&record, json);
  alea_record_clear(&record);
  assert_int_equal(mem.used, 0);
}
