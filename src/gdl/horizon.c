/* A bound on the length of plays, from a fluent that counts the steps.
 *
 * The pattern, found in about half of all rulesheets:
 *
 *     (init (step 1))
 *     (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
 *     (succ 1 2) (succ 2 3) ...
 *     (<= terminal (true (step 60)))
 *
 * Nothing the players do can stop such a counter, so its values follow from
 * the rules alone: start at `init`, take successors, count until a value that
 * makes the state terminal. */
#include "gdl/classify.h"
#include "gdl/marks.h"

enum { MAX_COUNTERS = 16, MAX_ROUNDS = 8 };
#define NONE UINT32_MAX

typedef struct horizon_step {
  alea_symbol from, to;
  uint32_t next; /* with the same 'from', or NONE */
} horizon_step;

typedef struct counter {
  const alea_program *p;
  alea_mem *mem;
  alea_marks ends_game;          /* propositions that imply `terminal` */
  ALEA_VEC(alea_symbol) fluents; /* candidates: counted fluents that may end the game */
  alea_symbol fluent;            /* the one under examination */
  alea_marks last;               /* its values that end the game */
  ALEA_VEC(horizon_step) steps;
  alea_marks first_step; /* value -> number in 'steps' */
  ALEA_VEC(alea_symbol) now, then;
  alea_marks in_then;
} counter;

static const alea_rule_node *node(const counter *c, alea_rule_node_id id) {
  return &c->p->nodes.data[id];
}

static alea_rule_node_id arg(const counter *c, alea_rule_node_id id, uint32_t i) {
  return alea_program_args(c->p, id)[i];
}

static bool is_relation(const counter *c, alea_rule_node_id id, alea_symbol name, uint32_t arity) {
  return node(c, id)->name == name && node(c, id)->arg_count == arity &&
         node(c, id)->kind != ALEA_NODE_VARIABLE;
}

static bool is_fact(const alea_rule *rule) { return rule->literal_count == 0; }

/* The value v of an atom (word (f v)) with a unary f, or NONE; '*fluent' gets
 * f. */
static alea_rule_node_id counted_value(const counter *c, alea_rule_node_id atom, alea_symbol word,
                                       alea_symbol *fluent) {
  if (!is_relation(c, atom, word, 1)) return NONE;
  alea_rule_node_id term = arg(c, atom, 0);
  if (node(c, term)->kind != ALEA_NODE_LIST || node(c, term)->arg_count != 1) return NONE;
  *fluent = node(c, term)->name;
  return arg(c, term, 0);
}

/* The same for the fluent under examination only. */
static alea_rule_node_id own_value(const counter *c, alea_rule_node_id atom, alea_symbol word) {
  alea_symbol fluent;
  alea_rule_node_id value = counted_value(c, atom, word, &fluent);
  return value != NONE && fluent == c->fluent ? value : NONE;
}

static const alea_literal *literal(const counter *c, const alea_rule *rule, uint32_t i) {
  return &c->p->literals.data[rule->first_literal + i];
}

/* Collects propositions that imply `terminal`: `terminal` itself, then p for
 * (<= terminal p), and so on. */
static bool find_ends(counter *c) {
  if (!alea_marks_set(&c->ends_game, ALEA_SYM_TERMINAL, 1)) return false;
  bool again = true;
  for (int round = 0; again && round < MAX_ROUNDS; round++) {
    again = false;
    for (size_t i = 0; i < c->p->rules.count; i++) {
      const alea_rule *rule = &c->p->rules.data[i];
      const alea_rule_node *head = node(c, rule->head);
      if (rule->literal_count != 1 || head->arg_count != 0) continue;
      if (!alea_marks_has(&c->ends_game, head->name)) continue;
      const alea_literal *l = literal(c, rule, 0);
      const alea_rule_node *atom = node(c, l->atom);
      if (l->kind != ALEA_LITERAL_TRUE || atom->arg_count != 0) continue;
      if (alea_marks_has(&c->ends_game, atom->name)) continue;
      if (!alea_marks_set(&c->ends_game, atom->name, 1)) return false;
      again = true;
    }
  }
  return true;
}

static bool is_end_rule(const counter *c, const alea_rule *rule) {
  const alea_rule_node *head = node(c, rule->head);
  return head->arg_count == 0 && alea_marks_has(&c->ends_game, head->name);
}

/* Lists the fluents that occur in rules for the end. */
static bool find_fluents(counter *c) {
  for (size_t i = 0; i < c->p->rules.count && c->fluents.count < MAX_COUNTERS; i++) {
    const alea_rule *rule = &c->p->rules.data[i];
    if (!is_end_rule(c, rule) || rule->literal_count > 2) continue;
    for (uint32_t k = 0; k < rule->literal_count; k++) {
      alea_symbol fluent;
      if (literal(c, rule, k)->kind != ALEA_LITERAL_TRUE) continue;
      if (counted_value(c, literal(c, rule, k)->atom, ALEA_SYM_TRUE, &fluent) == NONE) continue;
      bool known = false;
      for (size_t f = 0; f < c->fluents.count; f++) known |= c->fluents.data[f] == fluent;
      if (!known && !alea_vec_push(c->mem, &c->fluents, fluent)) return false;
    }
  }
  return true;
}

/* Marks the constants of the facts (relation constant). */
static bool mark_facts(counter *c, alea_symbol relation) {
  for (size_t i = 0; i < c->p->rules.count; i++) {
    const alea_rule *rule = &c->p->rules.data[i];
    if (!is_fact(rule) || !is_relation(c, rule->head, relation, 1)) continue;
    const alea_rule_node *value = node(c, arg(c, rule->head, 0));
    if (value->kind == ALEA_NODE_CONSTANT && !alea_marks_set(&c->last, value->name, 1))
      return false;
  }
  return true;
}

/* (<= terminal (true (step 60))), or (<= terminal (true (step ?x)) (end ?x)). */
static bool add_last(counter *c, const alea_rule *rule) {
  for (uint32_t k = 0; k < rule->literal_count; k++) {
    const alea_literal *l = literal(c, rule, k);
    alea_rule_node_id id =
        l->kind == ALEA_LITERAL_TRUE ? own_value(c, l->atom, ALEA_SYM_TRUE) : NONE;
    if (id == NONE) continue;
    const alea_rule_node *value = node(c, id);
    if (rule->literal_count == 1 && value->kind == ALEA_NODE_CONSTANT)
      return alea_marks_set(&c->last, value->name, 1);
    if (rule->literal_count != 2 || value->kind != ALEA_NODE_VARIABLE) continue;
    const alea_literal *other = literal(c, rule, 1 - k);
    if (other->kind != ALEA_LITERAL_TRUE || node(c, other->atom)->arg_count != 1) continue;
    const alea_rule_node *end = node(c, arg(c, other->atom, 0));
    if (end->kind == ALEA_NODE_VARIABLE && end->name == value->name &&
        !mark_facts(c, node(c, other->atom)->name))
      return false;
  }
  return true;
}

static bool find_last(counter *c) {
  alea_marks_reset(&c->last);
  for (size_t i = 0; i < c->p->rules.count; i++) {
    const alea_rule *rule = &c->p->rules.data[i];
    if (is_end_rule(c, rule) && !add_last(c, rule)) return false;
  }
  return true;
}

static bool add_step(counter *c, const alea_rule_node *from, const alea_rule_node *to) {
  if (from->kind != ALEA_NODE_CONSTANT || to->kind != ALEA_NODE_CONSTANT) return true;
  horizon_step s = {from->name, to->name, alea_marks_get(&c->first_step, from->name)};
  return alea_marks_set(&c->first_step, from->name, (uint32_t)c->steps.count) &&
         alea_vec_push(c->mem, &c->steps, s);
}

/* All facts of a binary relation as steps, read forwards or backwards. */
static bool add_relation(counter *c, alea_symbol relation, bool backwards) {
  for (size_t i = 0; i < c->p->rules.count; i++) {
    const alea_rule *rule = &c->p->rules.data[i];
    if (!is_fact(rule) || !is_relation(c, rule->head, relation, 2)) continue;
    const alea_rule_node *a = node(c, arg(c, rule->head, 0)), *b = node(c, arg(c, rule->head, 1));
    if (!add_step(c, backwards ? b : a, backwards ? a : b)) return false;
  }
  return true;
}

/* Whether the condition is true in every state that is not terminal. */
static bool is_harmless(const counter *c, const alea_literal *l) {
  return l->kind == ALEA_LITERAL_FALSE && node(c, l->atom)->name == ALEA_SYM_TERMINAL &&
         node(c, l->atom)->arg_count == 0;
}

/* (<= (next (step b)) (true (step a))), or with variables and a successor
 * relation.  Rules with more conditions may fail to fire; they are ignored,
 * since only certain steps prove a bound. */
static bool add_next_rule(counter *c, const alea_rule *rule, alea_rule_node_id to) {
  alea_rule_node_id from = NONE;
  const alea_literal *link = NULL;
  for (uint32_t k = 0; k < rule->literal_count; k++) {
    const alea_literal *l = literal(c, rule, k);
    if (is_harmless(c, l)) continue;
    if (l->kind != ALEA_LITERAL_TRUE) return true;
    alea_rule_node_id value = own_value(c, l->atom, ALEA_SYM_TRUE);
    if (value != NONE && from == NONE) {
      from = value;
    } else if (link == NULL && node(c, l->atom)->arg_count == 2) {
      link = l;
    } else {
      return true;
    }
  }
  if (from == NONE) return true;
  if (link == NULL) return add_step(c, node(c, from), node(c, to));
  const alea_rule_node *x = node(c, from), *y = node(c, to);
  const alea_rule_node *a = node(c, arg(c, link->atom, 0)), *b = node(c, arg(c, link->atom, 1));
  bool variables = x->kind == ALEA_NODE_VARIABLE && y->kind == ALEA_NODE_VARIABLE &&
                   a->kind == ALEA_NODE_VARIABLE && b->kind == ALEA_NODE_VARIABLE &&
                   x->name != y->name;
  if (!variables) return true;
  bool forwards = a->name == x->name && b->name == y->name;
  bool backwards = a->name == y->name && b->name == x->name;
  return (!forwards && !backwards) || add_relation(c, node(c, link->atom)->name, backwards);
}

static bool find_steps(counter *c) {
  alea_marks_reset(&c->first_step);
  c->steps.count = c->now.count = 0;
  for (size_t i = 0; i < c->p->rules.count; i++) {
    const alea_rule *rule = &c->p->rules.data[i];
    alea_rule_node_id start = is_fact(rule) ? own_value(c, rule->head, ALEA_SYM_INIT) : NONE;
    if (start != NONE && node(c, start)->kind == ALEA_NODE_CONSTANT &&
        !alea_vec_push(c->mem, &c->now, node(c, start)->name))
      return false;
    alea_rule_node_id to = own_value(c, rule->head, ALEA_SYM_NEXT);
    if (to != NONE && !add_next_rule(c, rule, to)) return false;
  }
  return true;
}

static bool is_over(const counter *c) {
  for (size_t i = 0; i < c->now.count; i++)
    if (alea_marks_has(&c->last, c->now.data[i])) return true;
  return false;
}

/* Replaces the current values by their successors. */
static bool advance(counter *c) {
  alea_marks_reset(&c->in_then);
  c->then.count = 0;
  for (size_t i = 0; i < c->now.count; i++) {
    uint32_t k = alea_marks_get(&c->first_step, c->now.data[i]);
    for (; k != NONE; k = c->steps.data[k].next) {
      alea_symbol to = c->steps.data[k].to;
      if (alea_marks_has(&c->in_then, to)) continue;
      if (!alea_marks_set(&c->in_then, to, 1) || !alea_vec_push(c->mem, &c->then, to)) return false;
    }
  }
  c->now.count = 0;
  for (size_t i = 0; i < c->then.count; i++)
    if (!alea_vec_push(c->mem, &c->now, c->then.data[i])) return false;
  return true;
}

/* A counter with one value at a time reaches its end within as many moves as
 * there are steps, or never. */
static bool count_moves(counter *c, uint32_t *horizon) {
  for (uint32_t moves = 0; moves <= c->steps.count && c->now.count > 0; moves++) {
    if (is_over(c)) {
      *horizon = moves;
      return true;
    }
    if (!advance(c)) return false;
  }
  *horizon = 0;
  return true;
}

static bool run(counter *c, uint32_t *horizon) {
  if (!find_ends(c) || !find_fluents(c)) return false;
  for (size_t i = 0; i < c->fluents.count; i++) {
    uint32_t moves;
    c->fluent = c->fluents.data[i];
    if (!find_last(c) || !find_steps(c) || !count_moves(c, &moves)) return false;
    if (moves > 0 && (*horizon == 0 || moves < *horizon)) *horizon = moves;
  }
  return true;
}

bool alea_find_horizon(uint32_t *horizon, const alea_program *program, alea_mem *mem) {
  counter c = {.p = program, .mem = mem};
  alea_marks *marks[] = {&c.ends_game, &c.last, &c.first_step, &c.in_then};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) alea_marks_init(marks[i], mem);
  *horizon = 0;
  bool ok = run(&c, horizon);
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) alea_marks_clear(marks[i]);
  alea_vec_clear(mem, &c.fluents);
  alea_vec_clear(mem, &c.steps);
  alea_vec_clear(mem, &c.now);
  alea_vec_clear(mem, &c.then);
  return ok;
}
