/* Checks on the dependency graph of relations: negation and growth through
 * recursion, and dependence on the state and on the moves. */
#include <stdlib.h>

#include "gdl/checks.h"
#include "gdl/scc.h"

enum { NEEDS_STATE = 1, NEEDS_MOVES = 2 };

typedef struct grapher {
  alea_reporter *r;
  const alea_outline *o;
  uint32_t relations;
  alea_edges edges;    /* from a head to each of its conditions */
  uint32_t *component; /* per relation */
  uint8_t *needs;      /* per component */
} grapher;

static const alea_use *head_of(const grapher *g, const alea_use *use) {
  return &g->o->uses.data[g->o->rules.data[use->rule].first_use];
}

static const char *name_of(const grapher *g, const alea_use *use) {
  return alea_symbols_spelling(g->o->symbols, alea_sexpr_name(g->o->exprs, use->expr));
}

static bool is_recursive(const grapher *g, const alea_use *use) {
  return g->component[use->relation] == g->component[head_of(g, use)->relation];
}

static bool collect_edges(grapher *g) {
  for (size_t i = 0; i < g->o->uses.count; i++) {
    const alea_use *use = &g->o->uses.data[i];
    alea_edge edge = {head_of(g, use)->relation, use->relation};
    if (!use->head && !alea_vec_push(g->o->mem, &g->edges, edge)) return false;
  }
  return true;
}

static void check_negation(grapher *g, const alea_use *use) {
  if (!use->negated || !is_recursive(g, use)) return;
  const alea_sexpr *at = &g->o->exprs->items.data[use->expr];
  alea_report(g->r, ALEA_CODE_UNSTRATIFIED, at->line, at->column,
              "%s is negated here, but whether it holds depends on %s itself", name_of(g, use),
              name_of(g, head_of(g, use)));
}

static bool is_ground(const grapher *g, uint32_t expr) {
  uint32_t end = g->o->exprs->items.data[expr].after;
  for (uint32_t i = expr; i < end; i++)
    if (alea_symbol_is_variable(g->o->symbols, g->o->exprs->items.data[i].atom)) return false;
  return true;
}

static bool same_term(const alea_sexprs *e, uint32_t a, uint32_t b) {
  const alea_sexpr *x = &e->items.data[a], *y = &e->items.data[b];
  uint32_t length = x->after - a;
  if (y->after - b != length) return false;
  for (uint32_t i = 0; i < length; i++)
    if (x[i].atom != y[i].atom || x[i].after - a != y[i].after - b) return false;
  return true;
}

static bool occurs_in(const alea_sexprs *e, uint32_t term, uint32_t atom) {
  uint32_t end = e->items.data[atom].after;
  for (uint32_t i = alea_sexpr_first_arg(e, atom); i < end; i++)
    if (same_term(e, term, i)) return true;
  return false;
}

static bool is_argument_of(const alea_sexprs *e, uint32_t term, uint32_t atom) {
  uint32_t end = e->items.data[atom].after;
  for (uint32_t i = alea_sexpr_first_arg(e, atom); i < end; i = e->items.data[i].after)
    if (same_term(e, term, i)) return true;
  return false;
}

/* Whether 'term' is bounded by a condition outside the recursion. */
static bool is_bounded(const grapher *g, const alea_use *use, uint32_t term) {
  const alea_outline *o = g->o;
  uint32_t end = o->rules.data[use->rule + 1].first_use;
  for (uint32_t i = o->rules.data[use->rule].first_use + 1; i < end; i++) {
    const alea_use *other = &o->uses.data[i];
    if (!other->negated && !is_recursive(g, other) && occurs_in(o->exprs, term, other->expr))
      return true;
  }
  return false;
}

/* The recursion restriction of GDL (Love et al. 2008, definition 14): an
 * argument that is passed around a cycle is ground, or occurs in the head, or
 * is bounded by a condition outside the cycle.  It may occur anywhere inside
 * that condition, since most conditions have the form (true (cell ?x ?y)). */
static void check_recursion(grapher *g, const alea_use *use) {
  const alea_sexprs *e = g->o->exprs;
  if (use->negated || !is_recursive(g, use)) return;
  uint32_t head = head_of(g, use)->expr;
  for (uint32_t term = alea_sexpr_first_arg(e, use->expr); term < e->items.data[use->expr].after;
       term = e->items.data[term].after) {
    if (is_ground(g, term) || is_argument_of(e, term, head) || is_bounded(g, use, term)) continue;
    alea_report(g->r, ALEA_CODE_RECURSION, e->items.data[term].line, e->items.data[term].column,
                "%s depends on itself here, and nothing outside that recursion bounds this "
                "argument",
                name_of(g, use));
  }
}

static uint8_t own_needs(alea_functor f) {
  switch (f.name) {
    case ALEA_SYM_DOES: return f.arity == 2 ? NEEDS_STATE | NEEDS_MOVES : 0;
    case ALEA_SYM_TRUE:
    case ALEA_SYM_NEXT: return f.arity == 1 ? NEEDS_STATE : 0;
    case ALEA_SYM_LEGAL:
    case ALEA_SYM_GOAL:
    case ALEA_SYM_SEES: return f.arity == 2 ? NEEDS_STATE : 0;
    case ALEA_SYM_TERMINAL: return f.arity == 0 ? NEEDS_STATE : 0;
    default: return 0;
  }
}

static int by_start(const void *a, const void *b) {
  const alea_edge *x = a, *y = b;
  return (x->from > y->from) - (x->from < y->from);
}

/* A component has a larger number than all components that it reaches, so one
 * pass over the edges in that order suffices. */
static void spread_needs(grapher *g) {
  for (uint32_t i = 0; i < g->relations; i++)
    g->needs[g->component[i]] |= own_needs(g->o->relations.list.data[i]);
  for (size_t i = 0; i < g->edges.count; i++) {
    alea_edge *edge = &g->edges.data[i];
    *edge = (alea_edge){g->component[edge->from], g->component[edge->to]};
  }
  if (g->edges.count > 0) qsort(g->edges.data, g->edges.count, sizeof *g->edges.data, by_start);
  for (size_t i = 0; i < g->edges.count; i++)
    g->needs[g->edges.data[i].from] |= g->needs[g->edges.data[i].to];
}

static void check_needs(grapher *g, const alea_use *use) {
  const alea_use *head = head_of(g, use);
  alea_functor f = g->o->relations.list.data[head->relation];
  const alea_sexpr *at = &g->o->exprs->items.data[use->expr];
  uint8_t needs = g->needs[g->component[use->relation]];
  bool fixed = (f.name == ALEA_SYM_INIT || f.name == ALEA_SYM_BASE) && f.arity == 1;
  fixed |= f.name == ALEA_SYM_INPUT && f.arity == 2;
  bool before_moves = (f.name == ALEA_SYM_LEGAL || f.name == ALEA_SYM_GOAL) && f.arity == 2;
  before_moves |= f.name == ALEA_SYM_TERMINAL && f.arity == 0;
  bool asks = g->o->relations.list.data[use->relation].name == ALEA_SYM_DOES;
  if (fixed && (needs & NEEDS_STATE))
    alea_report(g->r, ALEA_CODE_KEYWORD_DEPENDENCY, at->line, at->column,
                "`%s` must be known before the game starts, but %s depends on the state",
                alea_symbols_text(g->o->symbols, f.name), name_of(g, use));
  if (before_moves && (needs & NEEDS_MOVES))
    alea_report(g->r, ALEA_CODE_KEYWORD_DEPENDENCY, at->line, at->column,
                "`%s` must be known before the players move, but %s depends on `does`; let `next` "
                "note what was done, and ask for that with `true`",
                alea_symbols_text(g->o->symbols, f.name),
                asks ? "this condition" : name_of(g, use));
}

static bool run(grapher *g) {
  if (g->component == NULL || g->needs == NULL || !collect_edges(g)) return false;
  if (!alea_find_components(&g->edges, g->relations, g->component, g->o->mem)) return false;
  spread_needs(g);
  for (size_t i = 0; i < g->o->uses.count; i++) {
    const alea_use *use = &g->o->uses.data[i];
    if (use->head) continue;
    check_negation(g, use);
    check_recursion(g, use);
    check_needs(g, use);
  }
  return true;
}

bool alea_check_dependencies(alea_reporter *reporter, const alea_outline *outline) {
  grapher g = {.r = reporter, .o = outline};
  g.relations = (uint32_t)outline->relations.list.count;
  g.component = alea_mem_calloc(outline->mem, g.relations, sizeof *g.component);
  g.needs = alea_mem_calloc(outline->mem, g.relations, sizeof *g.needs);
  bool ok = run(&g);
  alea_mem_free(outline->mem, g.component, g.relations * sizeof *g.component);
  alea_mem_free(outline->mem, g.needs, g.relations * sizeof *g.needs);
  alea_vec_clear(outline->mem, &g.edges);
  return ok;
}
