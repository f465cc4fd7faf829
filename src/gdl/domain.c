/* Domains of argument positions, for variables that a rule leaves unbound.
 *
 * A position is an argument place of a predicate or function, wherever it is
 * used: (cell _ 2 _) is one position.  Two positions are in one class if some
 * rule has one variable at both; the terms that may occur at a position are
 * those written anywhere in its class.  (This is the "domain graph" of Schiffel
 * and Thielscher, made symmetric: an unbound variable needs the terms that fit,
 * not those that can be derived.)
 *
 * The domain of a class becomes an auxiliary predicate: a fact per ground term,
 * and a rule per function that occurs there with variables inside. */
#include "gdl/functors.h"
#include "gdl/normalise.h"

enum { PREDICATE, FUNCTION };

typedef struct occurrence {
  uint32_t position, expr;
} occurrence;

typedef struct alea_domains {
  alea_normaliser *n;
  alea_functors functors;
  alea_u32s first_position;         /* per functor */
  alea_u32s parent;                 /* per position: union-find */
  ALEA_VEC(occurrence) occurrences; /* of terms that are not variables */
  alea_marks variable_position;     /* within one rule */
  alea_marks class_name;            /* class -> auxiliary predicate */
  alea_marks endless;               /* class -> 0 or 1 */
  alea_u32s pending;                /* classes with a name whose rules are not yet written */
} alea_domains;

static uint32_t find_class(alea_domains *d, uint32_t position) {
  uint32_t *parent = d->parent.data;
  while (parent[position] != position) {
    parent[position] = parent[parent[position]];
    position = parent[position];
  }
  return position;
}

static void join(alea_domains *d, uint32_t a, uint32_t b) {
  a = find_class(d, a);
  b = find_class(d, b);
  if (a < b) d->parent.data[b] = a;
  if (b < a) d->parent.data[a] = b;
}

/* Predicates over the same objects share their positions. */
static alea_symbol family(alea_symbol name, uint32_t arity) {
  bool fluent = name == ALEA_SYM_INIT || name == ALEA_SYM_NEXT || name == ALEA_SYM_BASE;
  bool move = name == ALEA_SYM_LEGAL || name == ALEA_SYM_INPUT;
  if (fluent && arity == 1) return ALEA_SYM_TRUE;
  if (move && arity == 2) return ALEA_SYM_DOES;
  return name;
}

/* The first position of a functor; adds new functors.  ALEA_UNMARKED on
 * failure. */
static uint32_t positions_of(alea_domains *d, alea_symbol name, uint32_t arity, uint32_t kind) {
  alea_normaliser *n = d->n;
  if (kind == PREDICATE) name = family(name, arity);
  uint32_t functor = alea_functors_add(&d->functors, name, arity, kind);
  if (functor == ALEA_NO_FUNCTOR) goto no_memory;
  if (functor < d->first_position.count) return d->first_position.data[functor];
  if (!alea_vec_reserve(n->mem, &d->parent, arity) ||
      !alea_vec_push(n->mem, &d->first_position, (uint32_t)d->parent.count))
    goto no_memory;
  for (uint32_t i = 0; i < arity; i++) {
    d->parent.data[d->parent.count] = (uint32_t)d->parent.count;
    d->parent.count++;
  }
  return d->first_position.data[functor];
no_memory:
  alea_normalise_no_memory(n);
  return ALEA_UNMARKED;
}

static bool visit_term(alea_domains *d, uint32_t position, uint32_t expr) {
  alea_normaliser *n = d->n;
  alea_symbol name = n->exprs->items.data[expr].atom;
  if (!alea_symbol_is_variable(n->program->symbols, name))
    return alea_vec_push(n->mem, &d->occurrences, (occurrence){position, expr})
               ? true
               : alea_normalise_no_memory(n);
  uint32_t other = alea_marks_get(&d->variable_position, name);
  if (other != ALEA_UNMARKED) {
    join(d, other, position);
    return true;
  }
  return alea_marks_set(&d->variable_position, name, position) ? true : alea_normalise_no_memory(n);
}

typedef struct walk_frame {
  uint32_t end, position; /* of the next argument */
} walk_frame;
typedef ALEA_VEC(walk_frame) walk_frames;

static bool open_functor(alea_domains *d, walk_frames *stack, uint32_t expr, uint32_t kind) {
  alea_normaliser *n = d->n;
  if (!alea_sexpr_is_list(n->exprs, expr)) return true;
  uint32_t arity = alea_sexpr_arity(n->exprs, expr);
  uint32_t first = positions_of(d, alea_sexpr_name(n->exprs, expr), arity, kind);
  if (first == ALEA_UNMARKED) return false;
  walk_frame frame = {n->exprs->items.data[expr].after, first};
  if (arity == 0) return true;
  return alea_vec_push(n->mem, stack, frame) ? true : alea_normalise_no_memory(n);
}

/* Visits every term of an atom with its position. */
static bool visit_atom(alea_domains *d, uint32_t atom) {
  alea_normaliser *n = d->n;
  walk_frames stack = {0};
  bool ok = open_functor(d, &stack, atom, PREDICATE);
  uint32_t end = n->exprs->items.data[atom].after;
  for (uint32_t i = alea_sexpr_first_arg(n->exprs, atom); ok && i < end;
       i = alea_sexpr_first_arg(n->exprs, i)) {
    while (stack.data[stack.count - 1].end == i) stack.count--;
    ok = visit_term(d, stack.data[stack.count - 1].position++, i) &&
         open_functor(d, &stack, i, FUNCTION);
  }
  alea_vec_clear(n->mem, &stack);
  return ok;
}

static bool is_connective(alea_symbol name) {
  return name == ALEA_SYM_NOT || name == ALEA_SYM_AND || name == ALEA_SYM_OR ||
         name == ALEA_SYM_IMPLIED;
}

/* Visits the atoms of a top-level expression. */
static bool visit_rule(alea_domains *d, uint32_t rule) {
  const alea_sexprs *exprs = d->n->exprs;
  uint32_t end = exprs->items.data[rule].after;
  alea_marks_reset(&d->variable_position);
  for (uint32_t i = rule; i < end;) {
    alea_symbol name = alea_sexpr_name(exprs, i);
    if (alea_sexpr_is_list(exprs, i) && is_connective(name)) {
      i += 2;
      continue;
    }
    if (name != ALEA_SYM_DISTINCT && !visit_atom(d, i)) return false;
    i = exprs->items.data[i].after;
  }
  return true;
}

static bool join_roles(alea_domains *d) {
  static const alea_symbol names[] = {ALEA_SYM_DOES, ALEA_SYM_GOAL, ALEA_SYM_SEES};
  uint32_t role = positions_of(d, ALEA_SYM_ROLE, 1, PREDICATE);
  if (role == ALEA_UNMARKED) return false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    uint32_t position = positions_of(d, names[i], 2, PREDICATE);
    if (position == ALEA_UNMARKED) return false;
    join(d, role, position);
  }
  return true;
}

static alea_domains *domains_new(alea_normaliser *n) {
  alea_domains *d = alea_mem_zalloc(n->mem, sizeof *d);
  if (d == NULL) {
    alea_normalise_no_memory(n);
    return NULL;
  }
  d->n = n;
  alea_functors_init(&d->functors, n->mem);
  alea_marks_init(&d->variable_position, n->mem);
  alea_marks_init(&d->class_name, n->mem);
  alea_marks_init(&d->endless, n->mem);
  bool ok = join_roles(d);
  for (uint32_t i = 0; ok && i < n->text_end; i = n->exprs->items.data[i].after)
    ok = visit_rule(d, i);
  if (ok) return d;
  alea_domains_free(d);
  return NULL;
}

void alea_domains_free(alea_domains *d) {
  if (d == NULL) return;
  alea_mem *mem = d->n->mem;
  alea_functors_clear(&d->functors);
  alea_vec_clear(mem, &d->first_position);
  alea_vec_clear(mem, &d->parent);
  alea_vec_clear(mem, &d->occurrences);
  alea_vec_clear(mem, &d->pending);
  alea_marks_clear(&d->variable_position);
  alea_marks_clear(&d->class_name);
  alea_marks_clear(&d->endless);
  alea_mem_free(mem, d, sizeof *d);
}

/* The auxiliary predicate of a class; its rules are written later. */
static alea_symbol name_class(alea_domains *d, uint32_t class) {
  uint32_t known = alea_marks_get(&d->class_name, class);
  if (known != ALEA_UNMARKED) return known;
  alea_symbol name = alea_new_aux_name(d->n);
  if (name == ALEA_NO_SYMBOL) return name;
  if (!alea_marks_set(&d->class_name, class, name) ||
      !alea_vec_push(d->n->mem, &d->pending, class)) {
    alea_normalise_no_memory(d->n);
    return ALEA_NO_SYMBOL;
  }
  return name;
}

static bool is_ground(const alea_normaliser *n, uint32_t expr) {
  uint32_t end = n->exprs->items.data[expr].after;
  for (uint32_t i = expr; i < end; i++)
    if (alea_symbol_is_variable(n->program->symbols, n->exprs->items.data[i].atom)) return false;
  return true;
}

static bool write_fact(alea_domains *d, alea_symbol predicate, uint32_t term) {
  alea_normaliser *n = d->n;
  uint32_t list;
  if (!alea_build_open(n, &list) || !alea_build_name(n, predicate)) return false;
  uint32_t shift = (uint32_t)n->exprs->items.count - term;
  uint32_t end = n->exprs->items.data[term].after;
  for (uint32_t i = term; i < end; i++) {
    if (!alea_build_name(n, n->exprs->items.data[i].atom)) return false;
    n->exprs->items.data[i + shift].after = n->exprs->items.data[i].after + shift;
  }
  alea_build_close(n, list);
  return alea_queue_rule(n, list, NULL, 0);
}

/* `(predicate variable)`, as an item of a body. */
static bool write_guard(alea_normaliser *n, alea_symbol predicate, alea_symbol variable,
                        alea_item *item) {
  *item = (alea_item){0, false};
  if (!alea_build_open(n, &item->expr) || !alea_build_name(n, predicate) ||
      !alea_build_name(n, variable))
    return false;
  alea_build_close(n, item->expr);
  return true;
}

static alea_symbol numbered_variable(alea_normaliser *n, uint32_t number) {
  char name[16] = "?";
  size_t length = 1;
  do name[length++] = (char)('a' + number % 26);
  while ((number /= 26) > 0);
  alea_symbol symbol = alea_symbols_add(n->program->symbols, name, length);
  if (symbol == ALEA_NO_SYMBOL) alea_normalise_no_memory(n);
  return symbol;
}

static bool push_guard(alea_domains *d, uint32_t position, alea_symbol variable, alea_items *body) {
  alea_symbol predicate = name_class(d, find_class(d, position));
  alea_item item;
  if (predicate == ALEA_NO_SYMBOL || !write_guard(d->n, predicate, variable, &item)) return false;
  return alea_vec_push(d->n->mem, body, item) ? true : alea_normalise_no_memory(d->n);
}

/* (predicate (f ?a ?b)) <= (domain-of-f-1 ?a) (domain-of-f-2 ?b) */
static bool write_rule(alea_domains *d, alea_symbol predicate, uint32_t functor) {
  alea_normaliser *n = d->n;
  alea_functor f = d->functors.list.data[functor];
  alea_u32s variables = {0};
  alea_items body = {0};
  bool ok = true;
  for (uint32_t i = 0; ok && i < f.arity; i++) {
    alea_symbol variable = numbered_variable(n, i);
    ok = variable != ALEA_NO_SYMBOL &&
         push_guard(d, d->first_position.data[functor] + i, variable, &body);
    if (ok && !alea_vec_push(n->mem, &variables, variable)) ok = alea_normalise_no_memory(n);
  }
  uint32_t head, term;
  ok = ok && alea_build_open(n, &head) && alea_build_name(n, predicate) &&
       alea_build_open(n, &term) && alea_build_name(n, f.name);
  for (uint32_t i = 0; ok && i < f.arity; i++) ok = alea_build_name(n, variables.data[i]);
  if (ok) {
    alea_build_close(n, term);
    alea_build_close(n, head);
    ok = alea_queue_rule(n, head, body.data, body.count);
  }
  alea_vec_clear(n->mem, &variables);
  alea_vec_clear(n->mem, &body);
  return ok;
}

static uint32_t functor_of(const alea_domains *d, uint32_t expr) {
  const alea_sexprs *exprs = d->n->exprs;
  return alea_functors_find(&d->functors, alea_sexpr_name(exprs, expr),
                            alea_sexpr_arity(exprs, expr), FUNCTION);
}

/* Marks in 'reached' the classes of terms that may occur inside terms of
 * 'class'. */
static bool reach(alea_domains *d, uint32_t class, alea_marks *reached, alea_u32s *list) {
  if (!alea_vec_push(d->n->mem, list, class)) return alea_normalise_no_memory(d->n);
  for (size_t next = 0; next < list->count; next++) {
    for (size_t i = 0; i < d->occurrences.count; i++) {
      occurrence o = d->occurrences.data[i];
      if (find_class(d, o.position) != list->data[next] || is_ground(d->n, o.expr)) continue;
      uint32_t functor = functor_of(d, o.expr);
      for (uint32_t k = 0; k < d->functors.list.data[functor].arity; k++) {
        uint32_t to = find_class(d, d->first_position.data[functor] + k);
        if (alea_marks_has(reached, to)) continue;
        if (!alea_marks_set(reached, to, 1) || !alea_vec_push(d->n->mem, list, to))
          return alea_normalise_no_memory(d->n);
      }
    }
  }
  return true;
}

/* Whether terms of 'class' can occur inside terms of 'class'. */
static bool holds_itself(alea_domains *d, uint32_t class, bool *answer) {
  alea_marks reached;
  alea_u32s list = {0};
  alea_marks_init(&reached, d->n->mem);
  bool ok = reach(d, class, &reached, &list);
  *answer = alea_marks_has(&reached, class);
  alea_marks_clear(&reached);
  alea_vec_clear(d->n->mem, &list);
  return ok;
}

/* Whether 'class' has infinitely many terms, such as lists of lists. */
static bool find_endless(alea_domains *d, uint32_t class, bool *endless) {
  uint32_t known = alea_marks_get(&d->endless, class);
  *endless = known == 1;
  if (known != ALEA_UNMARKED) return true;
  alea_marks reached;
  alea_u32s list = {0};
  alea_marks_init(&reached, d->n->mem);
  bool ok = reach(d, class, &reached, &list);
  for (size_t i = 0; ok && !*endless && i < list.count; i++)
    ok = holds_itself(d, list.data[i], endless);
  alea_marks_clear(&reached);
  alea_vec_clear(d->n->mem, &list);
  if (ok && !alea_marks_set(&d->endless, class, *endless)) ok = alea_normalise_no_memory(d->n);
  return ok;
}

static bool write_class(alea_domains *d, uint32_t class) {
  alea_normaliser *n = d->n;
  alea_symbol predicate = alea_marks_get(&d->class_name, class);
  alea_marks written; /* constants, and functors after them */
  alea_marks_init(&written, n->mem);
  bool ok = true;
  for (size_t i = 0; ok && i < d->occurrences.count; i++) {
    occurrence o = d->occurrences.data[i];
    if (find_class(d, o.position) != class) continue;
    bool ground = is_ground(n, o.expr);
    bool list = alea_sexpr_is_list(n->exprs, o.expr);
    if (ground && list) {
      ok = write_fact(d, predicate, o.expr);
      continue;
    }
    uint32_t key = ground ? 2 * alea_sexpr_name(n->exprs, o.expr) : 2 * functor_of(d, o.expr) + 1;
    if (alea_marks_has(&written, key)) continue;
    ok = alea_marks_set(&written, key, 1) ? true : alea_normalise_no_memory(n);
    ok = ok && (ground ? write_fact(d, predicate, o.expr) : write_rule(d, predicate, key / 2));
  }
  alea_marks_clear(&written);
  return ok;
}

static bool write_pending(alea_domains *d) {
  while (d->pending.count > 0)
    if (!write_class(d, d->pending.data[--d->pending.count])) return false;
  return true;
}

/* The position of the first occurrence of 'variable' in 'atom'. */
static uint32_t position_in(alea_domains *d, uint32_t atom, alea_symbol variable) {
  alea_marks_reset(&d->variable_position);
  return visit_atom(d, atom) ? alea_marks_get(&d->variable_position, variable) : ALEA_UNMARKED;
}

bool alea_domain_of(alea_normaliser *n, uint32_t head, alea_symbol variable, alea_symbol *predicate,
                    bool *endless) {
  if (n->domains == NULL) n->domains = domains_new(n);
  alea_domains *d = n->domains;
  if (d == NULL) return false;
  uint32_t position = position_in(d, head, variable);
  if (position == ALEA_UNMARKED) return false;
  uint32_t class = find_class(d, position);
  if (!find_endless(d, class, endless)) return false;
  if (*endless) return true;
  *predicate = name_class(d, class);
  return *predicate != ALEA_NO_SYMBOL && write_pending(d);
}
