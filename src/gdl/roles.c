/* Finds the roles: nearly always facts; otherwise a small join over facts. */
#include "gdl/roles.h"

#include "gdl/marks.h"

enum { MAX_STEPS = 1000000 };

typedef struct roles_pair {
  alea_rule_node_id pattern, fact;
} roles_pair;

typedef struct roles_finder {
  alea_program *p;
  alea_reporter *reporter;
  const alea_rule *rule;            /* the role rule under evaluation */
  ALEA_VEC(alea_rule_node_id) bind; /* per variable: a ground node, or ALEA_NO_SYMBOL */
  alea_u32s trail;                  /* variables bound, in order */
  ALEA_VEC(roles_pair) todo;
  alea_marks known; /* the roles so far */
  uint32_t steps;
  alea_status status;
} roles_finder;

static bool fail(roles_finder *f, alea_status status) {
  f->status = status;
  return false;
}

static bool no_memory(roles_finder *f) { return fail(f, alea_mem_lack(f->p->mem)); }

static bool complain(roles_finder *f, alea_code code, const char *message) {
  alea_report(f->reporter, code, f->rule->line, f->rule->column, "%s", message);
  return fail(f, ALEA_INPUT);
}

static bool add_role(roles_finder *f, alea_symbol name) {
  alea_program *p = f->p;
  if (alea_marks_has(&f->known, name)) return true;
  if (!alea_marks_set(&f->known, name, 1)) return no_memory(f);
  if (name == ALEA_SYM_RANDOM) p->random_role = (int)p->roles.count;
  return alea_vec_push(p->mem, &p->roles, name) ? true : no_memory(f);
}

/* Matches a pattern with a ground term and binds variables; '*same' is the
 * result. */
static bool match(roles_finder *f, alea_rule_node_id pattern, alea_rule_node_id fact, bool *same) {
  alea_program *p = f->p;
  f->todo.count = 0;
  *same = true;
  if (!alea_vec_push(p->mem, &f->todo, (roles_pair){pattern, fact})) return no_memory(f);
  while (f->todo.count > 0 && *same) {
    if (f->steps++ > MAX_STEPS)
      return complain(f, ALEA_CODE_ROLE_UNKNOWN,
                      "this rule for `role` takes too long to evaluate; write the roles as facts");
    roles_pair next = f->todo.data[--f->todo.count];
    const alea_rule_node *a = &p->nodes.data[next.pattern], *b = &p->nodes.data[next.fact];
    if (a->kind == ALEA_NODE_VARIABLE && f->bind.data[a->name] == ALEA_NO_SYMBOL) {
      f->bind.data[a->name] = next.fact;
      if (!alea_vec_push(p->mem, &f->trail, a->name)) return no_memory(f);
      continue;
    }
    if (a->kind == ALEA_NODE_VARIABLE) a = &p->nodes.data[f->bind.data[a->name]];
    *same = a->kind == b->kind && a->name == b->name && a->arg_count == b->arg_count;
    for (uint32_t i = 0; *same && i < a->arg_count; i++) {
      roles_pair inner = {p->children.data[a->first_arg + i], p->children.data[b->first_arg + i]};
      if (!alea_vec_push(p->mem, &f->todo, inner)) return no_memory(f);
    }
  }
  return true;
}

static void undo(roles_finder *f, size_t trail) {
  while (f->trail.count > trail) f->bind.data[f->trail.data[--f->trail.count]] = ALEA_NO_SYMBOL;
}

static bool same_predicate(const alea_program *p, alea_rule_node_id a, alea_rule_node_id b) {
  return p->nodes.data[a].name == p->nodes.data[b].name &&
         p->nodes.data[a].arg_count == p->nodes.data[b].arg_count;
}

/* Advances '*next' past the next fact that matches 'atom', or sets '*found' to
 * false. */
static bool next_fact(roles_finder *f, alea_rule_node_id atom, size_t *next, bool *found) {
  size_t trail = f->trail.count;
  for (*found = false; !*found && *next < f->p->rules.count; ++*next) {
    const alea_rule *rule = &f->p->rules.data[*next];
    if (!same_predicate(f->p, atom, rule->head)) continue;
    if (rule->literal_count > 0)
      return complain(f, ALEA_CODE_ROLE_UNKNOWN,
                      "this rule for `role` needs more than facts; write the roles as facts such "
                      "as (role white)");
    if (!match(f, atom, rule->head, found)) return false;
    if (!*found) undo(f, trail);
  }
  return true;
}

/* Checks the literals that are not positive atoms under the bindings. */
static bool check_rest(roles_finder *f, bool *holds) {
  *holds = true;
  for (uint32_t i = 0; *holds && i < f->rule->literal_count; i++) {
    const alea_literal *l = &f->p->literals.data[f->rule->first_literal + i];
    size_t next = 0;
    bool found = false;
    if (l->kind == ALEA_LITERAL_FALSE && !next_fact(f, l->atom, &next, &found)) return false;
    if (l->kind == ALEA_LITERAL_DISTINCT) {
      /* All variables are bound, so an instance of 'other' is ground. */
      const alea_rule_node *other = &f->p->nodes.data[l->other];
      if (other->kind == ALEA_NODE_LIST && other->arg_count > 0)
        return complain(f, ALEA_CODE_ROLE_UNKNOWN,
                        "this rule for `role` is too complex; write the roles as facts");
      alea_rule_node_id ground =
          other->kind == ALEA_NODE_VARIABLE ? f->bind.data[other->name] : l->other;
      if (!match(f, l->atom, ground, &found)) return false;
    }
    *holds = !found;
  }
  return true;
}

static bool conclude(roles_finder *f) {
  bool holds;
  if (!check_rest(f, &holds)) return false;
  if (!holds) return true;
  const alea_rule_node *arg = &f->p->nodes.data[alea_program_args(f->p, f->rule->head)[0]];
  if (arg->kind == ALEA_NODE_VARIABLE) arg = &f->p->nodes.data[f->bind.data[arg->name]];
  if (arg->kind == ALEA_NODE_CONSTANT) return add_role(f, arg->name);
  return complain(f, ALEA_CODE_BAD_ROLE, "a role must be a plain name, not a list");
}

/* Depth-first join over the positive literals. */
typedef struct join_frame {
  uint32_t literal;
  size_t next, trail;
} join_frame;

static bool join(roles_finder *f) {
  alea_mem *mem = f->p->mem;
  ALEA_VEC(join_frame) stack = {0};
  bool ok = alea_vec_push(mem, &stack, (join_frame){0, 0, 0}) ? true : no_memory(f);
  while (ok && stack.count > 0) {
    join_frame *top = &stack.data[stack.count - 1];
    undo(f, top->trail);
    const alea_literal *body = f->p->literals.data + f->rule->first_literal;
    bool found = false;
    if (top->literal == f->rule->literal_count) {
      ok = conclude(f);
    } else if (body[top->literal].kind == ALEA_LITERAL_TRUE) {
      ok = next_fact(f, body[top->literal].atom, &top->next, &found);
    } else {
      found = top->next++ == 0;
    }
    if (!ok || !found) {
      stack.count--;
    } else {
      join_frame deeper = {top->literal + 1, 0, f->trail.count};
      ok = alea_vec_push(mem, &stack, deeper) ? true : no_memory(f);
    }
  }
  alea_vec_clear(mem, &stack);
  return ok;
}

static bool evaluate(roles_finder *f, const alea_rule *rule) {
  f->rule = rule;
  f->trail.count = f->bind.count = 0;
  for (uint32_t i = 0; i < rule->variable_count; i++)
    if (!alea_vec_push(f->p->mem, &f->bind, ALEA_NO_SYMBOL)) return no_memory(f);
  return join(f);
}

static bool find_all(roles_finder *f) {
  for (size_t i = 0; i < f->p->rules.count; i++) {
    const alea_rule *rule = &f->p->rules.data[i];
    const alea_rule_node *head = &f->p->nodes.data[rule->head];
    if (head->name == ALEA_SYM_ROLE && head->arg_count == 1 && !evaluate(f, rule)) return false;
  }
  if (f->p->roles.count > 0) return true;
  alea_report(f->reporter, ALEA_CODE_NO_ROLE, 0, 0,
              "no player is named; a rulesheet needs facts such as (role white)");
  return fail(f, ALEA_INPUT);
}

alea_status alea_find_roles(alea_program *program, alea_reporter *reporter) {
  roles_finder f = {.p = program, .reporter = reporter};
  alea_marks_init(&f.known, program->mem);
  bool ok = find_all(&f);
  alea_marks_clear(&f.known);
  alea_vec_clear(program->mem, &f.bind);
  alea_vec_clear(program->mem, &f.trail);
  alea_vec_clear(program->mem, &f.todo);
  return ok ? ALEA_OK : f.status;
}
