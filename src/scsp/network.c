/* Stochastic networks: building. */
#include "scsp/core.h"

alea_scsp *alea_scsp_new(alea_mem *mem, uint32_t players) {
  alea_scsp *scsp = alea_mem_zalloc(mem, sizeof *scsp);
  if (scsp == NULL) return NULL;
  scsp->mem = mem;
  scsp->players = players > ALEA_SCSP_MAX_PLAYERS ? ALEA_SCSP_MAX_PLAYERS : players;
  scsp->csp = alea_csp_new(mem);
  if (scsp->csp != NULL) return scsp;
  alea_scsp_free(scsp);
  return NULL;
}

void alea_scsp_free(alea_scsp *scsp) {
  if (scsp == NULL) return;
  alea_csp_free(scsp->csp);
  alea_vec_clear(scsp->mem, &scsp->chances);
  alea_vec_clear(scsp->mem, &scsp->softs);
  alea_mem_free(scsp->mem, scsp, sizeof *scsp);
}

alea_status alea_scsp_state(const alea_scsp *scsp) { return scsp->csp->state; }
uint32_t alea_scsp_players(const alea_scsp *scsp) { return scsp->players; }
alea_csp *alea_scsp_network(alea_scsp *scsp) { return scsp->csp; }
const alea_csp *alea_scsp_network_of(const alea_scsp *scsp) { return scsp->csp; }

void alea_scsp_adopt(alea_scsp *scsp, alea_csp *csp) {
  alea_csp_free(scsp->csp);
  scsp->csp = csp;
}

void alea_scsp_threshold(alea_scsp *scsp, uint32_t player, double theta) {
  if (player < scsp->players) scsp->theta[player] = theta;
}

double alea_scsp_get_threshold(const alea_scsp *scsp, uint32_t player) {
  return scsp->theta[player];
}

bool alea_scsp_is_chance(const alea_scsp *scsp, alea_csp_var var) {
  for (size_t i = 0; i < scsp->chances.count; i++)
    if (scsp->chances.data[i].var == var) return true;
  return false;
}

alea_status alea_scsp_chance(alea_scsp *scsp, alea_csp_var var, const alea_csp_var *parents,
                             uint32_t parent_count, const double *probabilities) {
  alea_csp *csp = scsp->csp;
  if (csp->state != ALEA_OK) return csp->state;
  if (var >= csp->vars.count || alea_scsp_is_chance(scsp, var)) return csp_fail(csp, ALEA_USAGE);
  size_t rows = 1;
  for (uint32_t i = 0; i < parent_count; i++) {
    if (parents[i] >= var) return csp_fail(csp, ALEA_USAGE);
    if (rows > (1u << 24) / csp->vars.data[parents[i]].size) return csp_fail(csp, ALEA_LIMIT);
    rows *= csp->vars.data[parents[i]].size;
  }
  size_t cells = rows * csp->vars.data[var].size;
  scsp_chance chance = {var, parent_count, csp_copy(csp, parents, parent_count, sizeof *parents),
                        csp_copy(csp, probabilities, cells, sizeof *probabilities)};
  if (csp->state != ALEA_OK) return csp->state;
  if (!alea_vec_push(scsp->mem, &scsp->chances, chance)) return csp_fail(csp, ALEA_SYSTEM);
  return ALEA_OK;
}

alea_status alea_scsp_channel(alea_scsp *scsp, alea_csp_var var, const alea_csp_var *flags) {
  alea_csp *csp = scsp->csp;
  if (csp->state != ALEA_OK) return csp->state;
  if (var >= csp->vars.count || alea_scsp_is_chance(scsp, var)) return csp_fail(csp, ALEA_USAGE);
  uint32_t size = csp->vars.data[var].size;
  for (uint32_t i = 0; i < size; i++)
    if (flags[i] >= var || csp_value(&csp->vars.data[flags[i]], 0) < 0 ||
        csp_value(&csp->vars.data[flags[i]], csp->vars.data[flags[i]].size - 1) > 1)
      return csp_fail(csp, ALEA_USAGE);
  scsp_chance chance = {var, size, csp_copy(csp, flags, size, sizeof *flags), NULL};
  if (csp->state != ALEA_OK) return csp->state;
  if (!alea_vec_push(scsp->mem, &scsp->chances, chance)) return csp_fail(csp, ALEA_SYSTEM);
  return ALEA_OK;
}

double scsp_channelled(const alea_csp *csp, const alea_csp_var *parent, uint32_t parents,
                       uint32_t index, const uint32_t *indexes) {
  uint32_t raised = 0;
  bool mine = false;
  for (uint32_t i = 0; i < parents; i++) {
    bool flag = csp_value(&csp->vars.data[parent[i]], indexes[parent[i]]) == 1;
    raised += flag;
    if (i == index) mine = flag;
  }
  return mine ? 1.0 / raised : 0;
}

alea_status alea_scsp_uniform(alea_scsp *scsp, alea_csp_var var) {
  alea_csp *csp = scsp->csp;
  if (var >= csp->vars.count) return csp_fail(csp, ALEA_USAGE);
  uint32_t size = csp->vars.data[var].size;
  double *row = csp_alloc(csp, size, sizeof *row);
  if (row == NULL) return csp->state;
  for (uint32_t i = 0; i < size; i++) row[i] = 1.0 / size;
  return alea_scsp_chance(scsp, var, NULL, 0, row);
}

bool scsp_soft_copy(alea_csp *csp, const alea_csp_var *scope, uint32_t arity, const int32_t *tuples,
                    const double *payments, size_t count, uint32_t players, scsp_soft *soft) {
  for (uint32_t i = 0; i < arity; i++)
    if (scope[i] >= csp->vars.count) csp_fail(csp, ALEA_USAGE);
  *soft = (scsp_soft){arity, csp_copy(csp, scope, arity, sizeof *scope), count,
                      csp_copy(csp, tuples, count * arity, sizeof *tuples),
                      csp_copy(csp, payments, count * players, sizeof *payments)};
  return csp->state == ALEA_OK;
}

alea_status alea_scsp_soft(alea_scsp *scsp, const alea_csp_var *scope, uint32_t arity,
                           const int32_t *tuples, const double *payments, size_t count) {
  scsp_soft soft;
  if (!scsp_soft_copy(scsp->csp, scope, arity, tuples, payments, count, scsp->players, &soft))
    return scsp->csp->state;
  if (!alea_vec_push(scsp->mem, &scsp->softs, soft)) return csp_fail(scsp->csp, ALEA_SYSTEM);
  return ALEA_OK;
}

double scsp_soft_pay(const alea_csp *csp, const scsp_soft *soft, uint32_t players, uint32_t player,
                     const uint32_t *indexes) {
  for (size_t t = 0; t < soft->count; t++) {
    const int32_t *tuple = &soft->tuples[t * soft->arity];
    bool match = true;
    for (uint32_t i = 0; i < soft->arity && match; i++)
      match = tuple[i] == ALEA_CSP_STAR ||
              tuple[i] == csp_value(&csp->vars.data[soft->scope[i]], indexes[soft->scope[i]]);
    if (match) return soft->payments[t * players + player];
  }
  return 0;
}
