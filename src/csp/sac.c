/* Singleton arc consistency, SAC-1 (Debruyne and Bessiere, IJCAI 1997): removes
 * a value if assigning it makes propagation fail. */
#include "csp/core.h"

static bool holds(csp_engine *engine, alea_csp_var var, uint32_t index) {
  csp_push(engine);
  csp_assign(engine, var, index);
  bool held = csp_propagate(engine);
  csp_pop(engine);
  return held;
}

bool csp_sac(csp_engine *engine, const alea_deadline *deadline, uint64_t probes, uint64_t *removed,
             bool *complete) {
  uint32_t quiet = 0; /* consecutive variables without a removal */
  uint64_t tried = 0;
  *complete = false;
  for (uint32_t var = 0; quiet < engine->var_count; var = (var + 1) % engine->var_count) {
    quiet++;
    const csp_domain *domain = csp_dom(engine, var);
    for
      CSP_EACH(v, domain) {
        if (domain->size == 1) break;
        if (alea_deadline_passed(deadline) || (probes > 0 && tried++ >= probes)) return true;
        if (holds(engine, var, v)) continue;
        if (engine->no_memory || !csp_remove(engine, var, v) || !csp_propagate(engine))
          return false;
        ++*removed;
        quiet = 0;
      }
  }
  *complete = true;
  return true;
}
