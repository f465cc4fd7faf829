/* Tables over two variables of at most 64 values each: one word of supports per
 * value (AC3bit; Lecoutre and Vion, CPL 2008), preferred to compact-table
 * because a single AND decides a value.
 *
 * At most 'conflicts' values of x exclude a value of y; while x has more values
 * than that, every value of y is supported.  The watch on x is therefore
 * inactive until its domain is that small: for x != y this means until x is
 * fixed. */
#include "csp/constraints.h"

typedef struct binary {
  uint32_t limit[2];           /* wake when the domain of side s is at most this */
  const uint64_t *supports[2]; /* supports[s][v]: values of the other side that v allows */
} binary;

static bool binary_start(csp_engine *engine, csp_prop *prop) {
  const csp_table *table = prop->constraint->data;
  const csp_domain *domains[2] = {csp_dom(engine, prop->scope[0]), csp_dom(engine, prop->scope[1])};
  uint32_t sizes[2] = {domains[0]->var->size, domains[1]->var->size};
  binary *state = alea_arena_alloc(&engine->arena, sizeof *state);
  uint64_t *words = alea_arena_alloc(&engine->arena, (sizes[0] + sizes[1]) * sizeof *words);
  if (state == NULL || words == NULL) return false;
  uint64_t *sides[2] = {words, words + sizes[0]};
  memset(words, 0, (sizes[0] + sizes[1]) * sizeof *words);
  for (size_t i = 0; i < table->count; i++) {
    uint32_t a = table->rows[2 * i], b = table->rows[2 * i + 1];
    sides[0][a] |= UINT64_C(1) << b;
    sides[1][b] |= UINT64_C(1) << a;
  }
  for (int s = 0; s < 2; s++) {
    uint64_t all = ~UINT64_C(0) >> (64 - sizes[!s]);
    uint32_t conflicts = 0;
    for (uint32_t v = 0; v < sizes[s]; v++) {
      if (table->forbidden) sides[s][v] = all & ~sides[s][v];
      uint32_t against = sizes[!s] - (uint32_t)__builtin_popcountll(sides[s][v]);
      if (against > conflicts) conflicts = against;
    }
    state->limit[!s] = conflicts;
    state->supports[s] = sides[s];
  }
  prop->state = state;
  return csp_watch_add(engine, prop, 0, state->limit[0], false) &&
         csp_watch_add(engine, prop, 1, state->limit[1], false);
}

/* Keeps the values of side 'to' that side 'from' supports; iterates over the
 * smaller domain. */
static bool revise(csp_engine *engine, const csp_prop *prop, const binary *state, int from) {
  const csp_domain *source = csp_dom(engine, prop->scope[from]);
  const csp_domain *target = csp_dom(engine, prop->scope[!from]);
  uint64_t values = source->word, candidates = target->word, keep = 0;
  if (source->size == 1) {
    keep = state->supports[from][source->min];
  } else if (source->size <= target->size) {
    const uint64_t *supports = state->supports[from];
    for (; values != 0 && (candidates & ~keep) != 0; values &= values - 1)
      keep |= supports[__builtin_ctzll(values)];
  } else {
    const uint64_t *supports = state->supports[!from];
    for (; candidates != 0; candidates &= candidates - 1) {
      uint32_t v = (uint32_t)__builtin_ctzll(candidates);
      if (supports[v] & values) keep |= UINT64_C(1) << v;
    }
  }
  return csp_keep_word(engine, prop->scope[!from], 0, keep);
}

static bool binary_propagate(csp_engine *engine, csp_prop *prop) {
  const binary *state = prop->state;
  /* The values that side 1 loses here had no support on side 0, so they support
   * nothing there: one revision each way reaches the fixpoint. */
  uint64_t dirty = prop->dirty;
  for (int s = 0; s < 2; s++)
    if ((dirty >> s & 1) && csp_dom(engine, prop->scope[s])->size <= state->limit[s] &&
        !revise(engine, prop, state, s))
      return false;
  return true;
}

const csp_type csp_binary_type = {"binary",        0, true, csp_table_check, binary_start,
                                  binary_propagate};
