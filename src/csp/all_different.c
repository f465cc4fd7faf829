/* All different, generalised arc consistent by matching (Regin, AAAI 1994).
 *
 * Edges run from each variable to its matched value and from every other
 * value of its domain to the variable.  A value stays in a domain exactly
 * when its edge is matched, lies in one strongly connected part, or starts
 * at a value that an unmatched value reaches.  With exceptions, or where the
 * values spread too far for an array, only fixed values are removed. */
#include "csp/constraints.h"

enum { MAX_SPREAD = 1 << 14 };

typedef struct matching {
  uint32_t n, m;   /* variables, values */
  int64_t *offset; /* of a variable's value 0 from 'base' */
  int64_t base;    /* smallest value */
  uint32_t *match; /* variable -> value or NONE */
  uint32_t *owner; /* value -> variable or NONE */
  uint32_t *from;  /* augmenting search: value -> variable that reached it */
  bool *seen;
  /* Tarjan, on n + m nodes: variables first, then values */
  uint32_t *number, *low, *part, *stack, *calls, *next;
  bool *reached; /* from an unmatched value */
} matching;

static bool all_different_check(const alea_csp *csp, const csp_constraint *constraint,
                                const int32_t *values) {
  (void)csp;
  const csp_values *except = constraint->data;
  for (uint32_t i = 0; i < constraint->arity; i++) {
    bool free = false;
    for (size_t e = 0; e < except->count; e++) free = free || values[i] == except->values[e];
    for (uint32_t j = 0; j < i && !free; j++)
      if (values[i] == values[j]) return false;
  }
  return true;
}

/* Domains are mostly ranges, in which a value is its index and an offset. */
static bool has(const csp_engine *engine, const csp_prop *prop, const matching *g, uint32_t x,
                uint32_t v) {
  const csp_domain *domain = csp_dom(engine, prop->scope[x]);
  if (domain->var->values != NULL) return csp_has_value(domain, g->base + v);
  int64_t index = (int64_t)v - g->offset[x];
  return index >= 0 && index < domain->var->size && csp_has(domain, (uint32_t)index);
}

static uint32_t place_of(const csp_domain *domain, const matching *g, uint32_t x, uint32_t index) {
  if (domain->var->values == NULL) return (uint32_t)(index + g->offset[x]);
  return (uint32_t)(csp_value(domain->var, index) - g->base);
}

static bool all_different_start(csp_engine *engine, csp_prop *prop) {
  const csp_values *except = prop->constraint->data;
  int64_t lo = INT64_MAX, hi = INT64_MIN;
  for (uint32_t i = 0; i < prop->arity; i++) {
    const csp_domain *domain = csp_dom(engine, prop->scope[i]);
    if (csp_min(domain) < lo) lo = csp_min(domain);
    if (csp_max(domain) > hi) hi = csp_max(domain);
  }
  bool full = except->count == 0 && prop->arity > 1 && hi - lo < MAX_SPREAD;
  for (uint32_t i = 0; i < prop->arity; i++)
    if (!csp_watch_add(engine, prop, i, full ? UINT32_MAX : 1, false)) return false;
  if (!full) return true;
  uint32_t n = prop->arity, m = (uint32_t)(hi - lo + 1), nodes = n + m + 1;
  matching *g = alea_arena_alloc(&engine->arena, sizeof *g);
  int64_t *offset = alea_arena_alloc(&engine->arena, n * sizeof *offset);
  uint32_t *words = alea_arena_alloc(&engine->arena, 9 * nodes * sizeof *words);
  bool *flags = alea_arena_alloc(&engine->arena, 2 * nodes * sizeof *flags);
  if (g == NULL || offset == NULL || words == NULL || flags == NULL) return false;
  for (uint32_t x = 0; x < n; x++) offset[x] = csp_dom(engine, prop->scope[x])->var->base - lo;
  *g = (matching){n,
                  m,
                  offset,
                  lo,
                  words,
                  words + nodes,
                  words + 2 * nodes,
                  flags,
                  words + 3 * nodes,
                  words + 4 * nodes,
                  words + 5 * nodes,
                  words + 6 * nodes,
                  words + 7 * nodes,
                  words + 8 * nodes,
                  flags + nodes};
  for (uint32_t x = 0; x < n; x++) g->match[x] = ALEA_CSP_NONE;
  prop->state = g;
  return true;
}

/* Finds a value for variable 'root' by an alternating breadth-first search. */
static bool augment(const csp_engine *engine, const csp_prop *prop, matching *g, uint32_t root) {
  uint32_t head = 0, tail = 0;
  uint32_t *queue = g->stack;
  memset(g->seen, 0, g->m * sizeof *g->seen);
  queue[tail++] = root;
  while (head < tail) {
    uint32_t x = queue[head++];
    const csp_domain *domain = csp_dom(engine, prop->scope[x]);
    for
      CSP_EACH(index, domain) {
        uint32_t v = place_of(domain, g, x, index);
        if (g->seen[v]) continue;
        g->seen[v] = true;
        g->from[v] = x;
        if (g->owner[v] != ALEA_CSP_NONE) {
          queue[tail++] = g->owner[v];
          continue;
        }
        for (uint32_t value = v;;) { /* flip the path back to the root */
          uint32_t y = g->from[value], before = g->match[y];
          g->match[y] = value;
          g->owner[value] = y;
          if (y == root) return true;
          value = before;
        }
      }
  }
  return false;
}

/* Keeps what is still valid of the last matching and completes it. */
static bool match_all(const csp_engine *engine, const csp_prop *prop, matching *g) {
  for (uint32_t v = 0; v < g->m; v++) g->owner[v] = ALEA_CSP_NONE;
  for (uint32_t x = 0; x < g->n; x++) {
    uint32_t v = g->match[x];
    if (v != ALEA_CSP_NONE && g->owner[v] == ALEA_CSP_NONE && has(engine, prop, g, x, v))
      g->owner[v] = x;
    else
      g->match[x] = ALEA_CSP_NONE;
  }
  for (uint32_t x = 0; x < g->n; x++)
    if (g->match[x] == ALEA_CSP_NONE && !augment(engine, prop, g, x)) return false;
  return true;
}

/* The successor of a node from position *next on, against the direction of the
 * edges, which makes the same parts: from a variable the other values of its
 * domain, from a value the variable that has it.  NONE at the end. */
static uint32_t successor(const csp_engine *engine, const csp_prop *prop, const matching *g,
                          uint32_t node, uint32_t *next) {
  if (node >= g->n) return (*next)++ == 0 ? g->owner[node - g->n] : ALEA_CSP_NONE;
  const csp_domain *domain = csp_dom(engine, prop->scope[node]);
  for (uint32_t index = csp_next(domain, *next); index != UINT32_MAX;
       index = csp_next(domain, index + 1)) {
    uint32_t v = place_of(domain, g, node, index);
    if (v == g->match[node]) continue;
    *next = index + 1;
    return g->n + v;
  }
  *next = UINT32_MAX;
  return ALEA_CSP_NONE;
}

typedef struct all_different_tarjan {
  uint32_t counter, parts, depth, height;
} all_different_tarjan;

static void enter(matching *g, all_different_tarjan *t, uint32_t node) {
  g->number[node] = g->low[node] = ++t->counter;
  g->next[node] = 0;
  g->calls[t->depth++] = node;
  g->stack[t->height++] = node;
}

static void leave(matching *g, all_different_tarjan *t, uint32_t node) {
  t->depth--;
  if (t->depth > 0) {
    uint32_t parent = g->calls[t->depth - 1];
    if (g->low[node] < g->low[parent]) g->low[parent] = g->low[node];
  }
  if (g->low[node] != g->number[node]) return;
  t->parts++;
  uint32_t member;
  do {
    member = g->stack[--t->height];
    g->part[member] = t->parts;
  } while (member != node);
}

static void components(const csp_engine *engine, const csp_prop *prop, matching *g) {
  all_different_tarjan t = {0};
  uint32_t nodes = g->n + g->m;
  memset(g->number, 0, nodes * sizeof *g->number);
  memset(g->part, 0, nodes * sizeof *g->part);
  for (uint32_t root = 0; root < g->n; root++) {
    if (g->number[root] != 0) continue;
    enter(g, &t, root);
    while (t.depth > 0) {
      uint32_t node = g->calls[t.depth - 1];
      uint32_t to = successor(engine, prop, g, node, &g->next[node]);
      if (to == ALEA_CSP_NONE)
        leave(g, &t, node);
      else if (g->number[to] == 0)
        enter(g, &t, to);
      else if (g->part[to] == 0 && g->number[to] < g->low[node])
        g->low[node] = g->number[to];
    }
  }
}

/* Marks values that an alternating path from an unmatched value reaches. */
static void reach(const csp_engine *engine, const csp_prop *prop, matching *g) {
  uint32_t head = 0, tail = 0;
  uint32_t *queue = g->stack;
  for (uint32_t v = 0; v < g->m; v++) {
    g->reached[v] = g->owner[v] == ALEA_CSP_NONE;
    if (g->reached[v]) queue[tail++] = v;
  }
  while (head < tail) {
    uint32_t v = queue[head++];
    for (uint32_t x = 0; x < g->n; x++) {
      uint32_t to = g->match[x];
      if (g->reached[to] || !has(engine, prop, g, x, v)) continue;
      g->reached[to] = true;
      queue[tail++] = to;
    }
  }
}

static bool remove_fixed(csp_engine *engine, csp_prop *prop) {
  const csp_values *except = prop->constraint->data;
  for (uint32_t i = 0; i < prop->arity; i++) {
    const csp_domain *domain = csp_dom(engine, prop->scope[i]);
    if (domain->size != 1) continue;
    int32_t value = csp_min(domain);
    bool free = false;
    for (size_t e = 0; e < except->count; e++) free = free || value == except->values[e];
    for (uint32_t j = 0; j < prop->arity && !free; j++)
      if (j != i && !csp_remove_value(engine, prop->scope[j], value)) return false;
  }
  return true;
}

static bool all_different_propagate(csp_engine *engine, csp_prop *prop) {
  matching *g = prop->state;
  if (g == NULL) return remove_fixed(engine, prop);
  engine->effort += 4 * (uint64_t)(g->n + g->m);
  if (!match_all(engine, prop, g)) return false;
  components(engine, prop, g);
  reach(engine, prop, g);
  for (uint32_t x = 0; x < g->n; x++) {
    const csp_domain *domain = csp_dom(engine, prop->scope[x]);
    if (domain->size == 1) continue;
    for
      CSP_EACH(index, domain) {
        uint32_t v = place_of(domain, g, x, index);
        if (g->match[x] == v || g->reached[v] || g->part[x] == g->part[g->n + v]) continue;
        if (!csp_remove(engine, prop->scope[x], index)) return false;
      }
  }
  return true;
}

/* Not idempotent for the plain version, in which a removal may fix another. */
const csp_type csp_all_different_type = {
    "allDifferent", 3, false, all_different_check, all_different_start, all_different_propagate};

alea_status alea_csp_all_different(alea_csp *csp, const alea_csp_var *vars, uint32_t count,
                                   const int32_t *except, size_t except_count) {
  csp_values *data = csp_alloc(csp, 1, sizeof *data);
  if (data == NULL) return csp->state;
  *data = (csp_values){except_count, csp_copy(csp, except, except_count, sizeof *except)};
  return csp_post(csp, &csp_all_different_type, vars, count, data);
}
