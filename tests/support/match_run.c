/* Matches for tests. */
#include "support/match_run.h"

#include <string.h>

#include "cmocka_all.h"
#include "ground/ground.h"

void open_game(alea_opened *opened, const char *name) {
  alea_open_options options = {.engine = "auto", .ground_seconds = 60};
  assert_int_equal(alea_open(opened, name, &options, NULL), ALEA_OK);
}

void open_sheet(alea_opened *opened, const char *text) {
  *opened = (alea_opened){.label = "sheet"};
  alea_mem_init(&opened->mem, 0);
  alea_text_init(&opened->source, &opened->mem);
  alea_ground *ground = NULL;
  alea_net *net = NULL;
  assert_int_equal(
      alea_program_new(&opened->program, text, strlen(text), "sheet", NULL, &opened->mem, NULL),
      ALEA_OK);
  assert_int_equal(alea_ground_new(&ground, opened->program, NULL, &opened->mem, NULL), ALEA_OK);
  assert_int_equal(alea_net_new(&net, ground, NULL, &opened->mem, NULL), ALEA_OK);
  alea_ground_free(ground);
  assert_int_equal(alea_net_game_new(&opened->game, net, &opened->mem), ALEA_OK);
  opened->net = alea_net_of_game(opened->game);
}

void run_match(const alea_opened *opened, const char *const *players, size_t count, uint64_t sims,
               uint64_t seed, int goals[2], alea_text *json) {
  alea_match_options options = {.players = players,
                                .player_count = count,
                                .sims = sims,
                                .seed = seed,
                                .step_cap = 500,
                                .engine = "auto"};
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
