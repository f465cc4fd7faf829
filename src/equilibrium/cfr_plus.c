/* Two walks for an iteration, three for a measurement. */
#include "equilibrium/cfr_plus.h"

static bool init_tables(alea_cfr_plus *cfr, bool single, alea_mem *mem) {
  uint64_t places = alea_public_root(cfr->graph)->places;
  return alea_move_weights_init(&cfr->regrets, places, single, mem) &&
         alea_move_weights_init(&cfr->averages, places, single, mem);
}

alea_status alea_cfr_plus_init(alea_cfr_plus *cfr, const alea_public_graph *graph, alea_mem *mem) {
  *cfr = (alea_cfr_plus){.graph = graph};
  if (!alea_public_walk_init(&cfr->walk, graph, mem)) return alea_mem_lack(mem);
  if (init_tables(cfr, false, mem)) return ALEA_OK;
  if (!mem->hit_limit) return ALEA_SYSTEM;
  alea_move_weights_clear(&cfr->regrets);
  alea_move_weights_clear(&cfr->averages);
  return init_tables(cfr, true, mem) ? ALEA_OK : alea_mem_lack(mem);
}

void alea_cfr_plus_clear(alea_cfr_plus *cfr) {
  alea_move_weights_clear(&cfr->regrets);
  alea_move_weights_clear(&cfr->averages);
  alea_public_walk_clear(&cfr->walk);
}

void alea_cfr_plus_run(alea_cfr_plus *cfr) {
  double t = (double)++cfr->iterations;
  for (uint32_t player = 0; player < 2; player++)
    alea_public_walk_learn(&cfr->walk, player, &cfr->regrets, &cfr->averages, t * t);
}

void alea_cfr_plus_measure(alea_cfr_plus *cfr, alea_exploitability *result) {
  result->value = alea_public_walk_value(&cfr->walk, ALEA_WALK_EXPECT, 0, &cfr->averages);
  for (uint32_t p = 0; p < 2; p++)
    result->responses[p] = alea_public_walk_value(&cfr->walk, ALEA_WALK_BEST, p, &cfr->averages);
  result->gap = (result->responses[0] + result->responses[1] - cfr->graph->sum) / 2;
}
