/* The self-check: searches by brute force, over the domains before a
 * propagation, for supports of the values it removed. */
#include "csp/core.h"

enum { CHECK_LIMIT = 1 << 14 }; /* tuples tried per check */

bool csp_snapshot_take(csp_engine *engine, const csp_prop *prop, csp_snapshot *snapshot) {
  uint64_t product = 1;
  size_t words = 0;
  if (prop->constraint->repeats) return false;
  for (uint32_t i = 0; i < prop->arity; i++) {
    const csp_domain *domain = csp_dom(engine, prop->scope[i]);
    words += domain->word_count;
    product *= domain->size;
    if (domain->words == NULL || product > CHECK_LIMIT) return false;
  }
  snapshot->count = words;
  snapshot->words = alea_mem_alloc(engine->mem, words * sizeof *snapshot->words);
  if (snapshot->words == NULL) return false;
  size_t at = 0;
  for (uint32_t i = 0; i < prop->arity; i++) {
    const csp_domain *domain = csp_dom(engine, prop->scope[i]);
    memcpy(&snapshot->words[at], domain->words, domain->word_count * sizeof(uint64_t));
    at += domain->word_count;
  }
  return true;
}

typedef struct cursor {
  const uint64_t *words; /* the old domain */
  uint32_t size;         /* indexes in the old domain's bitset */
  uint32_t at;
} check_walk;

static bool cursor_next(check_walk *cursor, uint32_t from) {
  for (cursor->at = from; cursor->at < cursor->size; cursor->at++)
    if (cursor->words[cursor->at >> 6] >> (cursor->at & 63) & 1) return true;
  return false;
}

static bool next_tuple(check_walk *cursors, uint32_t arity) {
  uint32_t i = arity;
  while (i > 0 && !cursor_next(&cursors[i - 1], cursors[i - 1].at + 1))
    cursor_next(&cursors[--i], 0);
  return i > 0;
}

/* Counts the tuples of the old domains that satisfy the constraint although one
 * of their values was removed. */
static uint64_t lost(csp_engine *engine, const csp_prop *prop, check_walk *cursors, int32_t *values,
                     bool held) {
  uint64_t errors = 0;
  do {
    bool alive = held;
    for (uint32_t i = 0; i < prop->arity; i++) {
      const csp_domain *domain = csp_dom(engine, prop->scope[i]);
      values[i] = csp_value(domain->var, cursors[i].at);
      alive = alive && csp_has(domain, cursors[i].at);
    }
    if (!alive && prop->type->check(engine->csp, prop->constraint, values)) errors++;
  } while (next_tuple(cursors, prop->arity));
  return errors;
}

void csp_snapshot_check(csp_engine *engine, const csp_prop *prop, csp_snapshot *snapshot,
                        bool held) {
  size_t n = prop->arity;
  check_walk *cursors = alea_mem_calloc(engine->mem, n, sizeof *cursors);
  int32_t *values = alea_mem_calloc(engine->mem, n, sizeof *values);
  if (cursors != NULL && values != NULL && n > 0) {
    size_t at = 0;
    for (uint32_t i = 0; i < n; i++) {
      const csp_domain *domain = csp_dom(engine, prop->scope[i]);
      cursors[i] = (check_walk){&snapshot->words[at], domain->var->size, 0};
      cursor_next(&cursors[i], 0);
      at += domain->word_count;
    }
    engine->self_check_errors += lost(engine, prop, cursors, values, held);
  }
  alea_mem_free(engine->mem, cursors, n * sizeof *cursors);
  alea_mem_free(engine->mem, values, n * sizeof *values);
  alea_mem_free(engine->mem, snapshot->words, snapshot->count * sizeof *snapshot->words);
}
