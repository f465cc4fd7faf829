/* Reading and writing stochastic networks as XCSP3. */
#include "scsp/xcsp3.h"

#include "scsp/core.h"

alea_scsp *alea_xcsp3_take_scsp(alea_xcsp3 *instance, alea_mem *mem) {
  alea_scsp *scsp = alea_scsp_new(mem, 1);
  if (scsp == NULL) return NULL;
  alea_scsp_adopt(scsp, instance->csp);
  instance->csp = NULL;
  for (size_t i = 0; i < instance->chances.count; i++)
    alea_scsp_chance(scsp, instance->chances.data[i].var, NULL, 0,
                     instance->chances.data[i].probabilities);
  return scsp;
}

static const char *without_form(const alea_scsp *scsp) {
  if (scsp->players != 1) return "several players";
  if (scsp->softs.count != 0) return "payments";
  if (scsp->theta[0] != 0) return "a threshold";
  for (size_t i = 0; i < scsp->chances.count; i++)
    if (scsp->chances.data[i].parents != 0) return "conditional probabilities";
  return NULL;
}

/* A stage ends where a decision follows what was drawn. */
static bool add_stages(const alea_scsp *scsp, alea_xcsp3 *more) {
  uint32_t stage = 0;
  bool drawn = false;
  for (alea_csp_var v = 0; v < scsp->csp->vars.count; v++) {
    bool chance = alea_scsp_is_chance(scsp, v);
    if (scsp->csp->vars.data[v].hidden) continue;
    stage += drawn && !chance;
    drawn = chance;
    if (!alea_vec_push(scsp->mem, &more->staged, v) ||
        !alea_vec_push(scsp->mem, &more->stages, stage))
      return false;
  }
  return true;
}

/* 'probabilities' is only read by the writer. */
static bool add_chances(const alea_scsp *scsp, alea_xcsp3 *more) {
  for (size_t i = 0; i < scsp->chances.count; i++) {
    const scsp_chance *chance = &scsp->chances.data[i];
    uint32_t size = scsp->csp->vars.data[chance->var].size;
    double *copy = alea_arena_alloc(&more->arena, size * sizeof *copy);
    if (copy == NULL) return false;
    memcpy(copy, chance->rows, size * sizeof *copy);
    if (!alea_vec_push(scsp->mem, &more->chances, (alea_xcsp3_chance){chance->var, copy}))
      return false;
  }
  return true;
}

alea_status alea_xcsp3_write_scsp(const alea_scsp *scsp, alea_text *text, const char **why) {
  *why = without_form(scsp);
  if (*why != NULL) return ALEA_USAGE;
  alea_xcsp3 more = {0};
  alea_arena_init(&more.arena, scsp->mem);
  bool good = add_chances(scsp, &more) && add_stages(scsp, &more);
  alea_status status = good ? alea_xcsp3_write(scsp->csp, &more, text) : ALEA_SYSTEM;
  alea_xcsp3_clear(&more, scsp->mem);
  return status;
}
