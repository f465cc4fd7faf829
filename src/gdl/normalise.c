/* The queue of rules that drives the four stages of normalisation. */
#include "gdl/normalise.h"

#include <stdio.h>

bool alea_normalise_no_memory(alea_normaliser *n) {
  n->status = alea_mem_lack(n->mem);
  return false;
}

bool alea_normalise_limit(alea_normaliser *n, const char *what) {
  const alea_sexpr *origin = &n->exprs->items.data[n->origin];
  alea_report(n->reporter, ALEA_CODE_TOO_LARGE, origin->line, origin->column,
              "expanding this rule gives too many %s", what);
  n->status = ALEA_LIMIT;
  return false;
}

static bool build(alea_normaliser *n, alea_symbol atom) {
  if (n->exprs->items.count >= n->max_exprs) return alea_normalise_limit(n, "terms");
  alea_sexpr e = n->exprs->items.data[n->origin]; /* for its place */
  e.atom = atom;
  e.after = (uint32_t)n->exprs->items.count + 1;
  return alea_vec_push(n->mem, &n->exprs->items, e) ? true : alea_normalise_no_memory(n);
}

bool alea_build_name(alea_normaliser *n, alea_symbol name) { return build(n, name); }

bool alea_build_open(alea_normaliser *n, uint32_t *list) {
  *list = (uint32_t)n->exprs->items.count;
  return build(n, ALEA_NO_SYMBOL);
}

void alea_build_close(alea_normaliser *n, uint32_t list) {
  n->exprs->items.data[list].after = (uint32_t)n->exprs->items.count;
}

alea_symbol alea_new_aux_name(alea_normaliser *n) {
  char name[32];
  for (;;) {
    int length = snprintf(name, sizeof name, "aux-%u", (unsigned)++n->aux_count);
    alea_symbols *symbols = n->program->symbols;
    if (alea_symbols_find(symbols, name, (size_t)length) != ALEA_NO_SYMBOL) continue;
    alea_symbol symbol = alea_symbols_add(symbols, name, (size_t)length);
    if (symbol == ALEA_NO_SYMBOL) alea_normalise_no_memory(n);
    return symbol;
  }
}

bool alea_build_aux(alea_normaliser *n, const alea_symbol *variables, size_t count,
                    uint32_t *atom) {
  alea_symbol name = alea_new_aux_name(n);
  if (name == ALEA_NO_SYMBOL) return false;
  *atom = (uint32_t)n->exprs->items.count;
  if (count == 0) return build(n, name);
  if (!alea_build_open(n, atom) || !build(n, name)) return false;
  for (size_t i = 0; i < count; i++)
    if (!build(n, variables[i])) return false;
  alea_build_close(n, *atom);
  return true;
}

bool alea_queue_rule(alea_normaliser *n, uint32_t head, const alea_item *items, size_t count) {
  alea_raw_rule rule = {head, (uint32_t)n->bodies.count, (uint32_t)count, n->origin};
  if (!alea_vec_reserve(n->mem, &n->bodies, count) || !alea_vec_push(n->mem, &n->queue, rule))
    return alea_normalise_no_memory(n);
  for (size_t i = 0; i < count; i++) n->bodies.data[n->bodies.count++] = items[i];
  return true;
}

bool alea_mark_variables(alea_normaliser *n, uint32_t expr, alea_marks *marks, alea_u32s *list) {
  uint32_t end = n->exprs->items.data[expr].after;
  for (uint32_t i = expr; i < end; i++) {
    alea_symbol name = n->exprs->items.data[i].atom;
    if (!alea_symbol_is_variable(n->program->symbols, name) || alea_marks_has(marks, name))
      continue;
    if (!alea_marks_set(marks, name, 1)) return alea_normalise_no_memory(n);
    if (list != NULL && !alea_vec_push(n->mem, list, name)) return alea_normalise_no_memory(n);
  }
  return true;
}

static bool queue_text_rule(alea_normaliser *n, uint32_t expr) {
  const alea_sexprs *exprs = n->exprs;
  n->origin = expr;
  bool rule = alea_sexpr_is_list(exprs, expr) && alea_sexpr_name(exprs, expr) == ALEA_SYM_IMPLIED;
  if (!rule) return alea_queue_rule(n, expr, NULL, 0);
  uint32_t head = expr + 2;
  if (!alea_queue_rule(n, head, NULL, 0)) return false;
  uint32_t end = exprs->items.data[expr].after;
  for (uint32_t i = exprs->items.data[head].after; i < end; i = exprs->items.data[i].after) {
    if (!alea_vec_push(n->mem, &n->bodies, (alea_item){i, false}))
      return alea_normalise_no_memory(n);
    n->queue.data[n->queue.count - 1].item_count++;
  }
  return true;
}

static bool run(alea_normaliser *n) {
  for (uint32_t i = 0; i < n->text_end; i = n->exprs->items.data[i].after)
    if (!queue_text_rule(n, i)) return false;
  for (size_t i = 0; i < n->queue.count; i++) {
    alea_raw_rule rule = n->queue.data[i]; /* a copy: the queue grows */
    n->head = rule.head;
    n->origin = rule.origin;
    if (!alea_expand_rule(n, &rule)) return false;
  }
  return true;
}

static void clear(alea_normaliser *n) {
  alea_vec_clear(n->mem, &n->queue);
  alea_vec_clear(n->mem, &n->bodies);
  alea_vec_clear(n->mem, &n->lits);
  alea_marks_clear(&n->bound);
  alea_marks_clear(&n->seen);
  alea_marks_clear(&n->binding);
  alea_marks_clear(&n->number);
  alea_marks_clear(&n->warned);
  alea_domains_free(n->domains);
}

alea_status alea_normalise(alea_program *program, alea_sexprs *exprs,
                           const alea_program_options *options, alea_reporter *reporter) {
  alea_normaliser n = {.program = program, .mem = program->mem, .exprs = exprs};
  n.reporter = reporter;
  n.text_end = (uint32_t)exprs->items.count;
  n.max_rules = options->max_rules;
  n.max_depth = options->max_depth;
  n.max_ways = options->max_ways;
  /* Substitution can double a term repeatedly; real texts stay far below this
   * limit. */
  n.max_exprs = exprs->items.count * 8 + 1000000;
  if (n.max_exprs > UINT32_MAX / 2) n.max_exprs = UINT32_MAX / 2;
  alea_marks *marks[] = {&n.bound, &n.seen, &n.binding, &n.number, &n.warned};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) alea_marks_init(marks[i], n.mem);
  alea_status status = run(&n) ? ALEA_OK : n.status;
  clear(&n);
  return status;
}
