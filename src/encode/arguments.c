/* Domains from the argument graph ([SCSP14 §4.3], D6): what can stand at each
 * position of each predicate, as a least fixpoint over the rules as written.
 *
 * Functions are eliminated by taking the functor of a fluent, a move or a
 * percept for a predicate; what is nested deeper is one interned term
 * ([SCSP14 §4.1]).  The product of its positions is the domain that the
 * paper gives a variable.  Only its size is computed: values without a ground
 * instance have no support in any constraint and never enter the network. */
#include <stdlib.h>
#include <string.h>

#include "encode/core.h"
#include "gdl/program.h"

enum { MOST_VALUES = 1 << 16, MOST_ROUNDS = 10000 };

typedef enum name_sort { RELATION, FLUENT, MOVE, PERCEPT } name_sort;

typedef struct value_set {
  alea_u32s values; /* sorted */
} value_set;

typedef struct predicate {
  name_sort sort;
  alea_symbol name;
  uint32_t arity;
  uint32_t first; /* positions.data[first ...] */
  bool dynamic;   /* depends on the state or a move */
} predicate;

typedef struct arguments {
  encode_encoding *e;
  const alea_program *program;
  alea_mem *mem;
  alea_terms *terms;
  ALEA_VEC(predicate) predicates;
  ALEA_VEC(value_set) positions;
  ALEA_VEC(value_set) variables; /* of the rule at hand */
  ALEA_VEC(bool) bound;
  bool failed, wide;
} arguments;

/* ---- sets ---- */

static bool find(const value_set *set, uint32_t value, size_t *at) {
  size_t low = 0, high = set->values.count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (set->values.data[middle] < value)
      low = middle + 1;
    else
      high = middle;
  }
  *at = low;
  return low < set->values.count && set->values.data[low] == value;
}

static bool add(arguments *a, value_set *set, uint32_t value) {
  size_t at;
  if (find(set, value, &at)) return false;
  if (set->values.count >= MOST_VALUES) {
    a->wide = true;
    return false;
  }
  if (!alea_vec_push(a->mem, &set->values, value)) {
    a->failed = true;
    return false;
  }
  memmove(&set->values.data[at + 1], &set->values.data[at],
          (set->values.count - 1 - at) * sizeof *set->values.data);
  set->values.data[at] = value;
  return true;
}

/* What a variable of the rule can be: 'from' meets what was known. */
static void meet(arguments *a, uint32_t variable, const value_set *from) {
  value_set *set = &a->variables.data[variable];
  if (!a->bound.data[variable]) {
    set->values.count = 0;
    for (size_t i = 0; i < from->values.count; i++)
      if (!alea_vec_push(a->mem, &set->values, from->values.data[i])) a->failed = true;
    a->bound.data[variable] = true;
    return;
  }
  size_t kept = 0, at;
  for (size_t i = 0; i < set->values.count; i++)
    if (find(from, set->values.data[i], &at)) set->values.data[kept++] = set->values.data[i];
  set->values.count = kept;
}

/* ---- predicates ---- */

static predicate *predicate_of(arguments *a, name_sort sort, alea_symbol name, uint32_t arity) {
  for (size_t i = 0; i < a->predicates.count; i++) {
    predicate *p = &a->predicates.data[i];
    if (p->sort == sort && p->name == name && p->arity == arity) return p;
  }
  predicate p = {sort, name, arity, (uint32_t)a->positions.count, sort != RELATION};
  for (uint32_t i = 0; i < arity; i++)
    if (!alea_vec_push(a->mem, &a->positions, (value_set){0})) a->failed = true;
  if (a->failed || !alea_vec_push(a->mem, &a->predicates, p)) {
    a->failed = true;
    return NULL;
  }
  return &a->predicates.data[a->predicates.count - 1];
}

/* The predicate that an atom stands for, and the node with its arguments;
 * NULL where a variable stands for a whole fluent. */
static predicate *classify(arguments *a, alea_rule_node_id atom, alea_rule_node_id *inside) {
  const alea_rule_node *node = &a->program->nodes.data[atom];
  const alea_rule_node_id *args = alea_program_args(a->program, atom);
  name_sort sort = RELATION;
  *inside = atom;
  if (node->arg_count == 1 && (node->name == ALEA_SYM_TRUE || node->name == ALEA_SYM_INIT ||
                               node->name == ALEA_SYM_NEXT || node->name == ALEA_SYM_BASE)) {
    sort = FLUENT;
    *inside = args[0];
  } else if (node->arg_count == 2 && (node->name == ALEA_SYM_LEGAL || node->name == ALEA_SYM_DOES ||
                                      node->name == ALEA_SYM_INPUT)) {
    sort = MOVE;
    *inside = args[1];
  } else if (node->arg_count == 2 && node->name == ALEA_SYM_SEES) {
    sort = PERCEPT;
    *inside = args[1];
  }
  node = &a->program->nodes.data[*inside];
  if (node->kind == ALEA_NODE_VARIABLE) return NULL;
  return predicate_of(a, sort, node->name, node->arg_count);
}

/* ---- bodies ---- */

/* Arguments of the terms in 'set' that look like the pattern, by position. */
static bool match(arguments *a, alea_rule_node_id pattern, const value_set *set) {
  const alea_rule_node *node = &a->program->nodes.data[pattern];
  size_t at;
  if (node->kind == ALEA_NODE_VARIABLE) {
    meet(a, node->name, set);
    return a->variables.data[node->name].values.count > 0;
  }
  if (node->kind == ALEA_NODE_CONSTANT) {
    alea_term term = alea_terms_constant(a->terms, node->name);
    return find(set, term, &at);
  }
  /* a nested term: only its outer form is compared; variables inside keep
   * what is known of them, which can only widen a domain */
  for (size_t i = 0; i < set->values.count; i++)
    if (alea_terms_name(a->terms, set->values.data[i]) == node->name &&
        alea_terms_arity(a->terms, set->values.data[i]) == node->arg_count)
      break;
    else if (i + 1 == set->values.count)
      return false;
  const alea_rule_node_id *args = alea_program_args(a->program, pattern);
  for (uint32_t k = 0; k < node->arg_count; k++) {
    value_set column = {0};
    if (a->program->nodes.data[args[k]].kind != ALEA_NODE_VARIABLE) continue;
    for (size_t i = 0; i < set->values.count; i++) {
      alea_term term = set->values.data[i];
      if (alea_terms_name(a->terms, term) == node->name &&
          alea_terms_arity(a->terms, term) == node->arg_count)
        add(a, &column, alea_terms_args(a->terms, term)[k]);
    }
    meet(a, a->program->nodes.data[args[k]].name, &column);
    alea_vec_clear(a->mem, &column.values);
  }
  return set->values.count > 0;
}

static bool match_body(arguments *a, const alea_rule *rule) {
  for (uint32_t i = 0; i < rule->literal_count && !a->failed; i++) {
    const alea_literal *literal = &a->program->literals.data[rule->first_literal + i];
    alea_rule_node_id inside;
    if (literal->kind != ALEA_LITERAL_TRUE) continue;
    predicate *p = classify(a, literal->atom, &inside);
    if (p == NULL || a->failed) continue;
    uint32_t first = p->first;
    const alea_rule_node_id *args = alea_program_args(a->program, inside);
    for (uint32_t k = 0; k < p->arity; k++)
      if (!match(a, args[k], &a->positions.data[first + k])) return false;
  }
  return true;
}

/* ---- heads ---- */

static bool add_pattern(arguments *a, uint32_t position, alea_rule_node_id pattern);

/* Every term that the pattern of a nested head argument can become. */
static bool add_nested(arguments *a, uint32_t position, alea_rule_node_id pattern) {
  const alea_rule_node *node = &a->program->nodes.data[pattern];
  const alea_rule_node_id *args = alea_program_args(a->program, pattern);
  alea_term terms[16];
  size_t at[16] = {0};
  bool changed = false;
  if (node->arg_count > 16) return a->wide = true, false;
  for (uint64_t tries = 0; tries < MOST_VALUES && !a->failed; tries++) {
    for (uint32_t k = 0; k < node->arg_count; k++) {
      const alea_rule_node *arg = &a->program->nodes.data[args[k]];
      if (arg->kind == ALEA_NODE_VARIABLE) {
        const value_set *set = &a->variables.data[arg->name];
        if (set->values.count == 0) return changed;
        terms[k] = set->values.data[at[k]];
      } else if (arg->kind == ALEA_NODE_CONSTANT) {
        terms[k] = alea_terms_constant(a->terms, arg->name);
      } else {
        return a->wide = true, changed; /* deeper nesting: left to the ground instances */
      }
    }
    alea_term term = alea_terms_list(a->terms, node->name, terms, node->arg_count);
    changed = add(a, &a->positions.data[position], term) || changed;
    uint32_t k = node->arg_count;
    for (; k > 0; k--) {
      const alea_rule_node *arg = &a->program->nodes.data[args[k - 1]];
      if (arg->kind == ALEA_NODE_VARIABLE &&
          ++at[k - 1] < a->variables.data[arg->name].values.count)
        break;
      at[k - 1] = 0;
    }
    if (k == 0) return changed;
  }
  a->wide = true;
  return changed;
}

static bool add_pattern(arguments *a, uint32_t position, alea_rule_node_id pattern) {
  const alea_rule_node *node = &a->program->nodes.data[pattern];
  bool changed = false;
  if (node->kind == ALEA_NODE_CONSTANT)
    return add(a, &a->positions.data[position], alea_terms_constant(a->terms, node->name));
  if (node->kind == ALEA_NODE_LIST) return add_nested(a, position, pattern);
  const value_set *from = &a->variables.data[node->name];
  for (size_t i = 0; i < from->values.count && a->bound.data[node->name]; i++)
    changed = add(a, &a->positions.data[position], from->values.data[i]) || changed;
  return changed;
}

static bool apply(arguments *a, const alea_rule *rule) {
  alea_rule_node_id inside;
  bool changed = false;
  while (a->variables.count < rule->variable_count && !a->failed)
    a->failed = !alea_vec_push(a->mem, &a->variables, (value_set){0}) ||
                !alea_vec_push(a->mem, &a->bound, false);
  for (uint32_t i = 0; i < rule->variable_count && !a->failed; i++) a->bound.data[i] = false;
  if (a->failed || !match_body(a, rule)) return false;
  predicate *p = classify(a, rule->head, &inside);
  if (p == NULL) return false;
  uint32_t first = p->first, arity = p->arity;
  const alea_rule_node_id *args = alea_program_args(a->program, inside);
  for (uint32_t k = 0; k < arity && !a->failed; k++)
    changed = add_pattern(a, first + k, args[k]) || changed;
  return changed;
}

/* ---- what is static ---- */

static void find_dynamic(arguments *a) {
  for (bool more = true; more && !a->failed;) {
    more = false;
    for (size_t r = 0; r < a->program->rules.count; r++) {
      const alea_rule *rule = &a->program->rules.data[r];
      alea_rule_node_id inside;
      predicate *head = classify(a, rule->head, &inside);
      if (head == NULL || head->dynamic) continue;
      bool dynamic = false;
      for (uint32_t i = 0; i < rule->literal_count; i++) {
        const alea_literal *literal = &a->program->literals.data[rule->first_literal + i];
        if (literal->kind == ALEA_LITERAL_DISTINCT) continue;
        const predicate *body = classify(a, literal->atom, &inside);
        dynamic = dynamic || body == NULL || body->dynamic;
      }
      if (!dynamic) continue;
      classify(a, rule->head, &inside)->dynamic = true; /* the table may have moved */
      more = true;
    }
  }
}

/* ---- sizes ---- */

static double position_size(const arguments *a, const predicate *p, uint32_t k) {
  return (double)a->positions.data[p->first + k].values.count;
}

/* The product over the positions that are no keys. */
static double product(arguments *a, name_sort sort, alea_symbol name, uint32_t arity,
                      uint32_t keys) {
  const predicate *p = predicate_of(a, sort, name, arity);
  double size = 1;
  if (p == NULL) return 1;
  for (uint32_t k = 0; k < arity; k++)
    if (k >= 32 || !(keys >> k & 1)) size *= position_size(a, p, k);
  return size;
}

static alea_symbol in_program(const arguments *a, alea_symbol name) {
  const char *text = alea_symbols_text(a->e->t->ground->symbols, name);
  return alea_symbols_find(a->program->symbols, text, strlen(text));
}

/* A domain is never smaller than what the ground instances need. */
static void widen(encode_encoding *e, alea_csp_var var, double size) {
  if (size + 1 > e->products.data[var]) e->products.data[var] = size + 1;
}

static void size_groups(arguments *a) {
  static const name_sort sorts[] = {[ENCODE_CLASS_FLUENTS] = FLUENT,
                                    [ENCODE_CLASS_DERIVED] = RELATION,
                                    [ENCODE_CLASS_PERCEPTS] = PERCEPT};
  encode_encoding *e = a->e;
  for (size_t i = 0; i < e->groups.groups.count && !a->failed; i++) {
    const encode_group *group = &e->groups.groups.data[i];
    const encode_class *class = &e->groups.classes.data[group->class];
    alea_symbol name = class->name == ALEA_NO_SYMBOL ? ALEA_NO_SYMBOL : in_program(a, class->name);
    if (class->whole || name == ALEA_NO_SYMBOL) continue;
    double size = product(a, sorts[class->kind], name, class->arity, class->keys);
    widen(e, e->group_var[i], size);
    if (class->kind == ENCODE_CLASS_FLUENTS) widen(e, e->t->next[e->group_var[i]], size);
  }
}

/* Moves: the products of the functors that the role uses, side by side. */
static void size_actions(arguments *a) {
  const alea_ground *g = a->e->t->ground;
  for (uint32_t r = 0; r < g->role_count && !a->failed; r++) {
    double size = 0;
    for (uint32_t m = g->move_first[r]; m < g->move_first[r + 1]; m++) {
      alea_symbol name = alea_terms_name(g->terms, g->moves[m]);
      uint32_t arity = alea_terms_arity(g->terms, g->moves[m]);
      bool first = true;
      for (uint32_t k = g->move_first[r]; k < m && first; k++)
        first = alea_terms_name(g->terms, g->moves[k]) != name ||
                alea_terms_arity(g->terms, g->moves[k]) != arity;
      if (first && in_program(a, name) != ALEA_NO_SYMBOL)
        size += product(a, MOVE, in_program(a, name), arity, 0);
    }
    widen(a->e, a->e->t->action[r], size);
  }
}

/* Static relations, and `role`, are variables that nothing depends on: they
 * are counted with the unary constraint that lists their tuples, and gone. */
static void count_statics(arguments *a) {
  alea_template *t = a->e->t;
  for (size_t i = 0; i < a->predicates.count; i++) {
    const predicate *p = &a->predicates.data[i];
    if (p->sort != RELATION || p->dynamic || p->name == ALEA_SYM_GOAL ||
        p->name == ALEA_SYM_TERMINAL)
      continue;
    double size = 1;
    for (uint32_t k = 0; k < p->arity; k++) size *= position_size(a, p, k);
    t->log.statics++;
    t->before.vars++;
    t->before.constraints++;
    if (size + 1 > t->before.max_domain) t->before.max_domain = size + 1;
  }
}

static void clear(arguments *a) {
  for (size_t i = 0; i < a->positions.count; i++)
    alea_vec_clear(a->mem, &a->positions.data[i].values);
  for (size_t i = 0; i < a->variables.count; i++)
    alea_vec_clear(a->mem, &a->variables.data[i].values);
  alea_vec_clear(a->mem, &a->positions);
  alea_vec_clear(a->mem, &a->variables);
  alea_vec_clear(a->mem, &a->bound);
  alea_vec_clear(a->mem, &a->predicates);
  alea_terms_free(a->terms);
}

alea_status encode_argument_domains(encode_encoding *e) {
  arguments a = {.e = e, .program = e->program, .mem = e->t->mem};
  a.terms = alea_terms_new(e->program->symbols, a.mem);
  a.failed = a.terms == NULL;
  bool late = false;
  for (int round = 0; round < MOST_ROUNDS && !a.failed && !late; round++) {
    bool changed = false;
    for (size_t r = 0; r < a.program->rules.count && !a.failed; r++)
      changed = apply(&a, &a.program->rules.data[r]) || changed;
    late = alea_deadline_passed(e->options->deadline);
    if (!changed) break;
  }
  if (!a.failed && !late) {
    find_dynamic(&a);
    size_groups(&a);
    size_actions(&a);
    count_statics(&a);
  }
  alea_status status = late ? ALEA_LIMIT : a.failed ? ALEA_SYSTEM : ALEA_OK;
  clear(&a);
  return status;
}
