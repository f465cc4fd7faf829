/* Tables over one variable: entailed once their values are kept. */
#include "csp/constraints.h"

static bool unary_start(csp_engine *engine, csp_prop *prop) {
  const csp_table *table = prop->constraint->data;
  uint32_t words = engine->domains[prop->scope[0]].word_count;
  uint64_t *mask = alea_arena_alloc(&engine->arena, words * sizeof *mask);
  if (mask == NULL) return false;
  memset(mask, table->forbidden ? 0xff : 0, words * sizeof *mask);
  for (size_t i = 0; i < table->count; i++) {
    uint32_t index = table->rows[i];
    if (index == CSP_ANY)
      memset(mask, 0xff, words * sizeof *mask);
    else if (table->forbidden)
      mask[index >> 6] &= ~(UINT64_C(1) << (index & 63));
    else
      mask[index >> 6] |= UINT64_C(1) << (index & 63);
  }
  prop->state = mask;
  return true;
}

static bool unary_propagate(csp_engine *engine, csp_prop *prop) {
  return csp_keep(engine, prop->scope[0], prop->state);
}

const csp_type csp_unary_type = {"unary", 0, true, csp_table_check, unary_start, unary_propagate};
