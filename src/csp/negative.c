/* Forbidden tuples by counting (Verhaeghe, Lecoutre and Schaus, AAAI 2017,
 * section 3): a value has lost all supports exactly if the number of valid
 * forbidden rows that contain it is the number of combinations of the other
 * variables. */
#include "csp/constraints.h"

typedef struct negative {
  uint32_t words;
  uint64_t *current;         /* recomputed at every run: no trail needed */
  const uint64_t **supports; /* per column: size rows of 'words' words */
} negative;

static bool negative_start(csp_engine *engine, csp_prop *prop) {
  const csp_table *table = prop->constraint->data;
  size_t words = (table->count + 63) / 64;
  negative *state = alea_arena_alloc(&engine->arena, sizeof *state);
  uint64_t *current = alea_arena_alloc(&engine->arena, (words + 1) * sizeof *current);
  const uint64_t **columns = alea_arena_alloc(&engine->arena, prop->arity * sizeof *columns);
  if (state == NULL || current == NULL || columns == NULL) return false;
  for (uint32_t c = 0; c < prop->arity; c++) {
    size_t cells = csp_dom(engine, prop->scope[c])->var->size * words;
    uint64_t *bits = alea_arena_alloc(&engine->arena, (cells + 1) * sizeof *bits);
    if (bits == NULL) return false;
    memset(bits, 0, cells * sizeof *bits);
    for (size_t i = 0; i < table->count; i++)
      bits[table->rows[i * prop->arity + c] * words + (i >> 6)] |= UINT64_C(1) << (i & 63);
    columns[c] = bits;
  }
  *state = (negative){(uint32_t)words, current, columns};
  prop->state = state;
  return csp_watch_scope(engine, prop, false);
}

/* Rows whose entries are all in their domains. */
static void valid_rows(const csp_engine *engine, const csp_prop *prop, negative *state) {
  memset(state->current, 0xff, state->words * sizeof *state->current);
  for (uint32_t c = 0; c < prop->arity; c++) {
    const csp_domain *domain = csp_dom(engine, prop->scope[c]);
    for (uint32_t w = 0; w < state->words; w++) {
      uint64_t any = 0;
      for
        CSP_EACH(v, domain) any |= state->supports[c][(size_t)v * state->words + w];
      state->current[w] &= any;
    }
  }
}

static bool filter(csp_engine *engine, csp_prop *prop, const negative *state, uint32_t c,
                   double others) {
  const csp_domain *domain = csp_dom(engine, prop->scope[c]);
  for
    CSP_EACH(v, domain) {
      const uint64_t *supports = &state->supports[c][(size_t)v * state->words];
      uint64_t held = 0;
      for (uint32_t w = 0; w < state->words; w++)
        held += (uint64_t)__builtin_popcountll(state->current[w] & supports[w]);
      if ((double)held >= others && !csp_remove(engine, prop->scope[c], v)) return false;
    }
  return true;
}

static bool negative_propagate(csp_engine *engine, csp_prop *prop) {
  negative *state = prop->state;
  const csp_table *table = prop->constraint->data;
  /* In floating point: a table cannot have more than 2^53 rows anyway. */
  double product = 1;
  for (uint32_t c = 0; c < prop->arity; c++) product *= csp_dom(engine, prop->scope[c])->size;
  double largest = 0;
  for (uint32_t c = 0; c < prop->arity; c++)
    if (csp_dom(engine, prop->scope[c])->size > largest)
      largest = csp_dom(engine, prop->scope[c])->size;
  if (product / largest > (double)table->count)
    return true; /* no value can have lost all supports */
  valid_rows(engine, prop, state);
  for (uint32_t c = 0; c < prop->arity; c++)
    if (!filter(engine, prop, state, c, product / csp_dom(engine, prop->scope[c])->size))
      return false;
  return true;
}

/* One pass is not a fixpoint: removing a value shrinks the products. */
const csp_type csp_negative_type = {"forbidden",       2, false, csp_table_check, negative_start,
                                    negative_propagate};
