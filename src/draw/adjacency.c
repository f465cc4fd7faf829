/* Which cells are neighbours, by the rules: six directions are a board of
 * hexagons.
 *
 * A relation of four coordinates that is defined by successor facts, such as
 *
 *   (<= (touches ?x1 ?y ?x2 ?y) (right ?x1 ?x2) (row ?y))
 *   (<= (touches ?x ?y1 ?x ?y2) (up ?y1 ?y2) (column ?x))
 *   (<= (touches ?x1 ?y2 ?x2 ?y1) (right ?x1 ?x2) (up ?y1 ?y2))
 *
 * has one direction for each rule: (1, 0), (0, 1), (1, -1).  Those three, each or
 * its opposite, and no other make hexagons. */
#include <string.h>

#include "draw/core.h"
#include "gdl/program.h"

/* Sets of directions, by bit: 0 along columns, 1 along rows, 2 and 3 the two
 * diagonals. */
enum { ALONG = 1, UP = 2, FALLING = 4, RISING = 8, OTHER = 16 };

/* Whether a relation of two arguments has facts alone: one that rules define, such as "next to",
 * may go both ways. */
static bool is_given(const alea_program *program, alea_symbol relation) {
  bool has_facts = false;
  for (size_t i = 0; i < program->rules.count; i++) {
    const alea_rule_node *head = &program->nodes.data[program->rules.data[i].head];
    if (head->name != relation || head->arg_count != 2) continue;
    if (program->rules.data[i].literal_count > 0) return false;
    has_facts = true;
  }
  return has_facts;
}

/* The step from one coordinate to the other in a rule: 0 for the same variable,
 * 1 or -1 if a literal of two arguments leads from one to the other; 2 if there
 * is none. */
static int step_between(const alea_program *program, const alea_rule *rule, alea_rule_node_id from,
                        alea_rule_node_id to) {
  const alea_rule_node *a = &program->nodes.data[from], *b = &program->nodes.data[to];
  if (a->kind != ALEA_NODE_VARIABLE || b->kind != ALEA_NODE_VARIABLE) return 2;
  if (a->name == b->name) return 0;
  for (uint32_t i = 0; i < rule->literal_count; i++) {
    const alea_literal *literal = &program->literals.data[rule->first_literal + i];
    const alea_rule_node *atom = &program->nodes.data[literal->atom];
    if (literal->kind != ALEA_LITERAL_TRUE || atom->arg_count != 2) continue;
    const alea_rule_node_id *args = alea_program_args(program, literal->atom);
    const alea_rule_node *x = &program->nodes.data[args[0]], *y = &program->nodes.data[args[1]];
    if (x->kind != ALEA_NODE_VARIABLE || y->kind != ALEA_NODE_VARIABLE) continue;
    int step = x->name == a->name && y->name == b->name   ? 1
               : x->name == b->name && y->name == a->name ? -1
                                                          : 0;
    if (step != 0) return is_given(program, atom->name) ? step : 2;
  }
  return 2;
}

/* The direction of a rule whose head ends in four coordinates; 0 if it gives
 * none, as a rule that refers to another relation. */
static unsigned direction_of(const alea_program *program, const alea_rule *rule) {
  const alea_rule_node *head = &program->nodes.data[rule->head];
  const alea_rule_node_id *args = alea_program_args(program, rule->head) + head->arg_count - 4;
  int dx = step_between(program, rule, args[0], args[2]);
  int dy = step_between(program, rule, args[1], args[3]);
  if (dx == 2 || dy == 2) return 0;
  if (dx == 0 && dy == 0) return OTHER;
  if (dy == 0) return ALONG;
  if (dx == 0) return UP;
  return dx == dy ? RISING : FALLING;
}

static bool same_predicate(const alea_program *program, size_t a, size_t b) {
  const alea_rule_node *first = &program->nodes.data[program->rules.data[a].head];
  const alea_rule_node *second = &program->nodes.data[program->rules.data[b].head];
  return first->name == second->name && first->arg_count == second->arg_count;
}

/* The directions of all rules of the predicate of a rule; 0 if an earlier rule has it. */
static unsigned directions_of(const alea_program *program, size_t rule) {
  unsigned directions = 0;
  for (size_t i = 0; i < program->rules.count; i++) {
    if (program->rules.data[i].literal_count == 0 || !same_predicate(program, i, rule)) continue;
    if (i < rule) return 0;
    directions |= direction_of(program, &program->rules.data[i]);
  }
  return directions;
}

alea_cells alea_drawing_adjacency(const alea_program *program) {
  for (size_t i = 0; i < program->rules.count; i++) {
    const alea_rule_node *head = &program->nodes.data[program->rules.data[i].head];
    if (program->rules.data[i].literal_count == 0) continue; /* there may be many facts */
    if (head->arg_count < 4 || head->arg_count > 5 || head->name < ALEA_SYM_FIRST_FREE) continue;
    unsigned directions = directions_of(program, i);
    if (directions == (ALONG | UP | FALLING)) return ALEA_CELLS_HEX;
    if (directions == (ALONG | UP | RISING)) return ALEA_CELLS_SLANTED;
  }
  return ALEA_CELLS_GUESS;
}
