/* Best responses by rank: when the sets of a rank are decided, everything below
 * all of their nodes already is. */
#include "equilibrium/best_response.h"

#include <string.h>

typedef struct response_search {
  const alea_extensive *tree;
  uint32_t player;
  const double *strategy;
  double *reach;   /* by node: probability by chance and the other player */
  double *values;  /* by node: the player's payoff, times its reach */
  double *gains;   /* by move of a set: what it yields over all nodes of the set */
  uint32_t *picks; /* by set: index of the best move */
} response_search;

/* The set of the node if the player at work chooses there, else NULL. */
static const alea_extensive_set *own_set(const response_search *r,
                                         const alea_extensive_node *node) {
  if (node->count == 0 || node->set == ALEA_CHANCE_SET) return NULL;
  const alea_extensive_set *set = &r->tree->sets.data[node->set];
  return set->player == r->player ? set : NULL;
}

/* From the root: ranks come in an order in which parents precede children. */
static void spread(response_search *r) {
  const alea_extensive *tree = r->tree;
  r->reach[0] = 1;
  for (size_t k = 0; k < tree->order.count; k++) {
    uint32_t n = tree->order.data[k];
    const alea_extensive_node *node = &tree->nodes.data[n];
    for (uint32_t i = 0; i < node->count; i++) {
      double share = 1;
      if (node->set == ALEA_CHANCE_SET)
        share = 1.0 / node->count;
      else if (own_set(r, node) == NULL)
        share = r->strategy[tree->sets.data[node->set].first + i];
      r->reach[node->first + i] = r->reach[n] * share;
    }
  }
}

static void decide(response_search *r, const alea_extensive_node *node) {
  const alea_extensive_set *set = own_set(r, node);
  uint32_t best = 0;
  for (uint32_t i = 1; i < set->count; i++)
    if (r->gains[set->first + i] > r->gains[set->first + best]) best = i;
  r->picks[node->set] = best;
}

static double value_of(const response_search *r, uint32_t n) {
  const alea_extensive_node *node = &r->tree->nodes.data[n];
  double value = 0;
  if (node->count == 0) {
    double payoff = r->tree->payoffs[node->first];
    return r->reach[n] * (r->player == 0 ? payoff : r->tree->sum - payoff);
  }
  if (own_set(r, node) != NULL) return r->values[node->first + r->picks[node->set]];
  for (uint32_t i = 0; i < node->count; i++) value += r->values[node->first + i];
  return value;
}

static void solve_rank(response_search *r, const uint32_t *nodes, size_t count) {
  const alea_extensive_node *all = r->tree->nodes.data;
  for (size_t k = 0; k < count; k++) {
    const alea_extensive_node *node = &all[nodes[k]];
    const alea_extensive_set *set = own_set(r, node);
    for (uint32_t i = 0; set != NULL && i < node->count; i++)
      r->gains[set->first + i] += r->values[node->first + i];
  }
  for (size_t k = 0; k < count; k++)
    if (own_set(r, &all[nodes[k]]) != NULL) decide(r, &all[nodes[k]]);
  for (size_t k = 0; k < count; k++) r->values[nodes[k]] = value_of(r, nodes[k]);
}

static void write_response(const response_search *r, double *response) {
  const alea_extensive *tree = r->tree;
  memcpy(response, r->strategy, tree->moves.count * sizeof *response);
  for (size_t s = 0; s < tree->sets.count; s++) {
    const alea_extensive_set *set = &tree->sets.data[s];
    for (uint32_t i = 0; set->player == r->player && i < set->count; i++)
      response[set->first + i] = i == r->picks[s];
  }
}

alea_status alea_best_response(const alea_extensive *tree, uint32_t player, const double *strategy,
                               alea_mem *mem, double *response, double *payoff) {
  size_t nodes = tree->nodes.count, moves = tree->moves.count, sets = tree->sets.count;
  response_search r = {.tree = tree, .player = player, .strategy = strategy};
  alea_status status = ALEA_OK;
  r.reach = alea_mem_calloc(mem, nodes, sizeof *r.reach);
  r.values = alea_mem_calloc(mem, nodes, sizeof *r.values);
  r.gains = alea_mem_calloc(mem, moves, sizeof *r.gains);
  r.picks = alea_mem_calloc(mem, sets, sizeof *r.picks);
  if (r.reach != NULL && r.values != NULL && r.gains != NULL && r.picks != NULL) {
    spread(&r);
    for (size_t k = tree->rank_ends.count; k-- > 0;) {
      size_t first = k > 0 ? tree->rank_ends.data[k - 1] : 0;
      solve_rank(&r, tree->order.data + first, tree->rank_ends.data[k] - first);
    }
    *payoff = r.values[0];
    if (response != NULL) write_response(&r, response);
  } else {
    status = alea_mem_lack(mem);
  }
  alea_mem_free(mem, r.reach, nodes * sizeof *r.reach);
  alea_mem_free(mem, r.values, nodes * sizeof *r.values);
  alea_mem_free(mem, r.gains, moves * sizeof *r.gains);
  alea_mem_free(mem, r.picks, sets * sizeof *r.picks);
  return status;
}

/* The expected payoff of the first player. */
static alea_status expect(const alea_extensive *tree, const double *strategy, alea_mem *mem,
                          double *value) {
  size_t count = tree->nodes.count;
  double *values = alea_mem_calloc(mem, count, sizeof *values);
  if (values == NULL) return alea_mem_lack(mem);
  for (size_t k = tree->order.count; k-- > 0;) {
    uint32_t n = tree->order.data[k];
    const alea_extensive_node *node = &tree->nodes.data[n];
    if (node->count == 0) values[n] = tree->payoffs[node->first];
    for (uint32_t i = 0; i < node->count; i++)
      values[n] += values[node->first + i] * (node->set == ALEA_CHANCE_SET
                                                  ? 1.0 / node->count
                                                  : strategy[tree->sets.data[node->set].first + i]);
  }
  *value = values[0];
  alea_mem_free(mem, values, count * sizeof *values);
  return ALEA_OK;
}

alea_status alea_exploitability_of(const alea_extensive *tree, const double *strategy,
                                   alea_mem *mem, alea_exploitability *result) {
  alea_status status = expect(tree, strategy, mem, &result->value);
  for (uint32_t p = 0; p < 2 && status == ALEA_OK; p++)
    status = alea_best_response(tree, p, strategy, mem, NULL, &result->responses[p]);
  if (status == ALEA_OK)
    result->gap = (result->responses[0] + result->responses[1] - tree->sum) / 2;
  return status;
}
