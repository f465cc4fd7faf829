/* Fuzzing descriptions of tournaments: no input crashes, leaks, or is refused
 * without a reason; of an accepted one every unit can be asked for. */
#include <stdlib.h>

#include "fuzz/mutate.h"
#include "tournament/plan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_at_units(const alea_tournament_plan *plan) {
  const char *players[2], *names[2];
  for (size_t i = 0; i < plan->pairings.count; i++) {
    const alea_pairing *pairing = &plan->pairings.data[i];
    uint64_t last = pairing->before + pairing->matches - 1;
    if (last >= plan->units) abort();
    alea_unit unit = alea_tournament_plan_unit(plan, last);
    if (unit.pairing != pairing || unit.number != pairing->matches - 1) abort();
    alea_match_options options = alea_tournament_plan_match(plan, &unit, players, names);
    if (options.sims == 0 && options.time <= 0) abort();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  alea_mem mem;
  alea_mem_init(&mem, (size_t)64 << 20);
  alea_diag diag;
  alea_diag_init(&diag, &mem);
  alea_yaml_file file;
  alea_status status = alea_yaml_read(&file, (const char *)data, size, "input", &mem, &diag);
  if (status == ALEA_INPUT && diag.errors == 0) abort();
  if (status == ALEA_OK) {
    alea_tournament_plan plan;
    alea_tournament_plan_options options = {.seats = 2, .seed = -1};
    status = alea_tournament_plan_new(&plan, &file, file.root, &options, &mem);
    if (status == ALEA_INPUT && diag.errors == 0) abort();
    if (status == ALEA_OK) look_at_units(&plan);
    alea_tournament_plan_clear(&plan);
  }
  fuzz_note(status == ALEA_OK);
  alea_yaml_clear(&file);
  alea_diag_clear(&diag);
  if (mem.used != 0) abort();
  return 0;
}
