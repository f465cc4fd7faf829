/* Children have larger numbers than their parents, so that a pass is two loops
 * over the nodes: reach probabilities forward, values backward. */
#include "equilibrium/cfr_plus.h"

#include <string.h>

alea_status alea_cfr_plus_init(alea_cfr_plus *cfr, const alea_extensive *tree, alea_mem *mem) {
  size_t moves = tree->moves.count, nodes = tree->nodes.count;
  *cfr = (alea_cfr_plus){.tree = tree, .mem = mem};
  cfr->regrets = alea_mem_calloc(mem, moves, sizeof(double));
  cfr->strategy = alea_mem_calloc(mem, moves, sizeof(double));
  cfr->sums = alea_mem_calloc(mem, moves, sizeof(double));
  cfr->own = alea_mem_calloc(mem, nodes, sizeof(double));
  cfr->others = alea_mem_calloc(mem, nodes, sizeof(double));
  cfr->values = alea_mem_calloc(mem, nodes, sizeof(double));
  if (cfr->regrets == NULL || cfr->strategy == NULL || cfr->sums == NULL || cfr->own == NULL ||
      cfr->others == NULL || cfr->values == NULL)
    return alea_mem_lack(mem);
  alea_extensive_uniform(tree, cfr->strategy);
  return ALEA_OK;
}

void alea_cfr_plus_clear(alea_cfr_plus *cfr) {
  if (cfr->mem == NULL) return;
  size_t moves = cfr->tree->moves.count, nodes = cfr->tree->nodes.count;
  alea_mem_free(cfr->mem, cfr->regrets, moves * sizeof(double));
  alea_mem_free(cfr->mem, cfr->strategy, moves * sizeof(double));
  alea_mem_free(cfr->mem, cfr->sums, moves * sizeof(double));
  alea_mem_free(cfr->mem, cfr->own, nodes * sizeof(double));
  alea_mem_free(cfr->mem, cfr->others, nodes * sizeof(double));
  alea_mem_free(cfr->mem, cfr->values, nodes * sizeof(double));
}

/* Probabilities proportional to 'weights', uniform where all are 0. */
static void normalise(const alea_extensive_set *set, const double *weights, double *strategy) {
  double total = 0;
  for (uint32_t i = 0; i < set->count; i++) total += weights[set->first + i];
  for (uint32_t i = 0; i < set->count; i++)
    strategy[set->first + i] = total > 0 ? weights[set->first + i] / total : 1.0 / set->count;
}

/* Reach probabilities of all nodes, and the player's part of the average.  With
 * perfect recall 'own' is the same in all nodes of a set; adding it once for
 * each node scales the sums of the set, and the average does not change. */
static void go_down(alea_cfr_plus *cfr, uint32_t player, double weight) {
  const alea_extensive *tree = cfr->tree;
  cfr->own[0] = cfr->others[0] = 1;
  for (size_t n = 0; n < tree->nodes.count; n++) {
    const alea_extensive_node *node = &tree->nodes.data[n];
    const alea_extensive_set *set =
        node->set != ALEA_CHANCE_SET ? &tree->sets.data[node->set] : NULL;
    bool mine = set != NULL && set->player == player;
    for (uint32_t i = 0; i < node->count; i++) {
      double share = set != NULL ? cfr->strategy[set->first + i] : 1.0 / node->count;
      cfr->own[node->first + i] = cfr->own[n] * (mine ? share : 1);
      cfr->others[node->first + i] = cfr->others[n] * (mine ? 1 : share);
      if (mine) cfr->sums[set->first + i] += weight * cfr->own[n] * share;
    }
  }
}

/* Values of all nodes, and the regrets of the player. */
static void go_up(alea_cfr_plus *cfr, uint32_t player) {
  const alea_extensive *tree = cfr->tree;
  double sign = player == 0 ? 1 : -1;
  for (size_t n = tree->nodes.count; n-- > 0;) {
    const alea_extensive_node *node = &tree->nodes.data[n];
    if (node->count == 0) {
      cfr->values[n] = tree->payoffs[node->first];
      continue;
    }
    const alea_extensive_set *set =
        node->set != ALEA_CHANCE_SET ? &tree->sets.data[node->set] : NULL;
    double value = 0;
    for (uint32_t i = 0; i < node->count; i++)
      value += (set != NULL ? cfr->strategy[set->first + i] : 1.0 / node->count) *
               cfr->values[node->first + i];
    cfr->values[n] = value;
    if (set == NULL || set->player != player) continue;
    for (uint32_t i = 0; i < node->count; i++)
      cfr->regrets[set->first + i] +=
          cfr->others[n] * sign * (cfr->values[node->first + i] - value);
  }
}

static void match_regrets(alea_cfr_plus *cfr, uint32_t player) {
  for (size_t s = 0; s < cfr->tree->sets.count; s++) {
    const alea_extensive_set *set = &cfr->tree->sets.data[s];
    if (set->player != player) continue;
    for (uint32_t i = set->first; i < set->first + set->count; i++)
      if (cfr->regrets[i] < 0) cfr->regrets[i] = 0;
    normalise(set, cfr->regrets, cfr->strategy);
  }
}

void alea_cfr_plus_run(alea_cfr_plus *cfr) {
  cfr->iterations++;
  for (uint32_t player = 0; player < 2; player++) {
    go_down(cfr, player, (double)cfr->iterations);
    go_up(cfr, player);
    match_regrets(cfr, player);
  }
}

void alea_cfr_plus_average(const alea_cfr_plus *cfr, double *strategy) {
  for (size_t s = 0; s < cfr->tree->sets.count; s++)
    normalise(&cfr->tree->sets.data[s], cfr->sums, strategy);
}
