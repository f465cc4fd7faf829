/* Reads formulas and terms, by precedence:  ->  or  and  not/ex/all  < = >  + -
 * * /  ^  and atoms.  One parser serves both; every operator checks which of
 * the two it needs. */
#include "toss/parser.h"

typedef alea_toss_parser parser;

static alea_toss_node *node_of(parser *p, uint32_t id) { return &p->file->nodes.data[id]; }

/* The height of a node over 'kids'; the limit bounds the depth of every
 * recursion. */
static uint16_t height_over(parser *p, const uint32_t *kids, uint32_t count) {
  uint16_t height = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (node_of(p, kids[i])->height > height) height = node_of(p, kids[i])->height;
  }
  return (uint16_t)(height + 1);
}

static uint32_t add(parser *p, alea_toss_node node, const uint32_t *kids, uint32_t count,
                    bool nodes) {
  if (!alea_toss_good(p)) return 0;
  node.first = (uint32_t)p->file->kids.count;
  node.count = count;
  node.target = ALEA_TOSS_NONE;
  node.height = nodes ? height_over(p, kids, count) : 1;
  if (node.height > ALEA_TOSS_DEEPEST) {
    alea_toss_point(p, node.line, node.column);
    alea_toss_fail(p, "too-deep",
                   "formulas may be nested at most %d deep; name parts of it with REL",
                   ALEA_TOSS_DEEPEST);
    return 0;
  }
  for (uint32_t i = 0; i < count; i++) alea_toss_push(p, &p->file->kids, kids[i]);
  alea_toss_push(p, &p->file->nodes, node);
  return (uint32_t)p->file->nodes.count - 1;
}

static alea_toss_node blank(const parser *p, alea_toss_kind kind) {
  return (alea_toss_node){.kind = kind, .line = p->token.line, .column = p->token.column};
}

static uint32_t want(parser *p, uint32_t id, bool term) {
  if (!alea_toss_good(p)) return 0;
  const alea_toss_node *node = node_of(p, id);
  if (alea_toss_is_term(node->kind) == term && node->kind != ALEA_TOSS_VARIABLE) return id;
  alea_toss_point(p, node->line, node->column);
  alea_toss_fail(p, "wrong-kind",
                 node->kind == ALEA_TOSS_VARIABLE ? "an element by itself says nothing"
                 : term                           ? "expected a number here, not a formula"
                                                  : "expected a formula here, not a number");
  return 0;
}

static uint32_t unary(parser *p);
static uint32_t expression(parser *p);

/* A node costs at most four levels of recursion, two of them for parentheses: what
 * the printer writes of a file that was read is not too deep for the reader. */
static bool enter(parser *p) {
  if (!alea_toss_good(p)) return false;
  if (p->depth < 4 * ALEA_TOSS_DEEPEST + 4) return p->depth++, true;
  alea_toss_fail(p, "too-deep", "formulas may be nested at most %d deep; name parts of it with REL",
                 ALEA_TOSS_DEEPEST);
  return false;
}

/* Reads operands of an operator that takes any number of them. */
typedef ALEA_VEC(uint32_t) operands;

static uint32_t chain(parser *p, alea_toss_kind kind, const char *word,
                      uint32_t (*operand)(parser *), bool term) {
  alea_toss_node node = blank(p, kind);
  uint32_t first = operand(p);
  if (!alea_toss_at(p, word)) return first;
  operands list = {0};
  alea_toss_push(p, &list, want(p, first, term));
  while (alea_toss_accept(p, word)) alea_toss_push(p, &list, want(p, operand(p), term));
  uint32_t id = add(p, node, list.data, (uint32_t)list.count, true);
  alea_vec_clear(p->file->mem, &list);
  return id;
}

/* ---- atoms ---- */

static uint32_t read_relation(parser *p, alea_toss_node node) {
  uint32_t args[ALEA_TOSS_MOST_ARITY], count = 0;
  while (alea_toss_good(p) && !alea_toss_at(p, ")")) {
    if (count == ALEA_TOSS_MOST_ARITY) {
      alea_toss_fail(p, "too-many", "more than %d arguments", ALEA_TOSS_MOST_ARITY);
      return 0;
    }
    args[count++] = alea_toss_name(p, "a variable");
    if (!alea_toss_accept(p, ",")) break;
  }
  alea_toss_expect(p, ")");
  node.kind = ALEA_TOSS_REL;
  return add(p, node, args, count, false);
}

static uint32_t read_word(parser *p) {
  alea_toss_node node = blank(p, ALEA_TOSS_VARIABLE);
  if (alea_toss_accept(p, "true")) {
    node.kind = ALEA_TOSS_TRUE;
    return add(p, node, NULL, 0, false);
  }
  if (alea_toss_accept(p, "false")) {
    node.kind = ALEA_TOSS_FALSE;
    return add(p, node, NULL, 0, false);
  }
  node.name = alea_toss_name(p, "a formula or a term");
  if (alea_toss_accept(p, "(")) return read_relation(p, node);
  return add(p, node, NULL, 0, false);
}

/* After the colon: `:(formula)`, `:f(x)''`, `:a`. */
static uint32_t read_colon(parser *p, alea_toss_node node) {
  if (alea_toss_accept(p, "(")) {
    uint32_t kid = want(p, expression(p), false);
    alea_toss_expect(p, ")");
    node.kind = ALEA_TOSS_CHAR;
    return add(p, node, &kid, 1, true);
  }
  node.name = alea_toss_name(p, "a name after ':'");
  if (!alea_toss_accept(p, "(")) {
    node.kind = ALEA_TOSS_REAL;
    return add(p, node, NULL, 0, false);
  }
  node.kind = ALEA_TOSS_FUNCTION;
  uint32_t arg = alea_toss_name(p, "a variable");
  alea_toss_expect(p, ")");
  while (alea_toss_accept(p, "'")) node.order++;
  return add(p, node, &arg, 1, false);
}

/* `Sum (x, y | formula : term)`: one node per variable, the guard innermost. */
static uint32_t read_sum(parser *p, alea_toss_kind kind) {
  alea_toss_node node = blank(p, kind);
  uint32_t vars[ALEA_TOSS_MOST_ARITY], count = 0;
  alea_toss_expect(p, "(");
  do {
    if (count == ALEA_TOSS_MOST_ARITY) {
      alea_toss_fail(p, "too-many", "more than %d variables", ALEA_TOSS_MOST_ARITY);
      return 0;
    }
    vars[count++] = alea_toss_name(p, "a variable");
  } while (alea_toss_accept(p, ","));
  alea_toss_expect(p, "|");
  uint32_t kids[2];
  kids[0] = want(p, expression(p), false);
  alea_toss_expect(p, ":");
  kids[1] = want(p, expression(p), true);
  alea_toss_expect(p, ")");
  uint32_t id = 0;
  for (uint32_t i = count; i-- > 0 && alea_toss_good(p);) {
    node.name = vars[i];
    id = add(p, node, kids, 2, true);
    kids[0] = add(p, blank(p, ALEA_TOSS_TRUE), NULL, 0, false);
    kids[1] = id;
  }
  return id;
}

static uint32_t read_min(parser *p) {
  alea_toss_node node = blank(p, ALEA_TOSS_MIN);
  node.sort = ALEA_TOSS_NUMERIC;
  alea_toss_expect(p, "(");
  alea_toss_expect(p, ":");
  node.name = alea_toss_name(p, "a real variable");
  alea_toss_expect(p, "|");
  uint32_t kid = want(p, expression(p), false);
  alea_toss_expect(p, ")");
  return add(p, node, &kid, 1, true);
}

static uint32_t read_root(parser *p) {
  alea_toss_node node = blank(p, ALEA_TOSS_ROOT);
  alea_toss_expect(p, "(");
  alea_toss_token number = p->token;
  node.number = alea_toss_integer(p, 64);
  if (alea_toss_good(p) && node.number < 2) {
    alea_toss_point(p, number.line, number.column);
    alea_toss_fail(p, "bad-number", "roots are from 2 to 64");
  }
  alea_toss_expect(p, ",");
  uint32_t kid = want(p, expression(p), true);
  alea_toss_expect(p, ")");
  return add(p, node, &kid, 1, true);
}

static uint32_t read_negative(parser *p, alea_toss_node node);

static uint32_t primary(parser *p) {
  if (!alea_toss_good(p)) return 0;
  alea_toss_node node = blank(p, ALEA_TOSS_NUMBER);
  if (p->token.kind == ALEA_TOSS_DIGITS) {
    node.number = alea_toss_number(p);
    return add(p, node, NULL, 0, false);
  }
  if (alea_toss_accept(p, "(")) {
    uint32_t id = expression(p);
    alea_toss_expect(p, ")");
    return id;
  }
  if (alea_toss_accept(p, ":")) return read_colon(p, node);
  if (alea_toss_accept(p, "-")) return read_negative(p, node);
  if (alea_toss_accept(p, "Sum")) return read_sum(p, ALEA_TOSS_SUM);
  if (alea_toss_accept(p, "Prod")) return read_sum(p, ALEA_TOSS_PROD);
  if (alea_toss_accept(p, "Min")) return read_min(p);
  if (alea_toss_accept(p, "Root")) return read_root(p);
  return read_word(p);
}

static uint32_t power(parser *p) {
  uint32_t id = primary(p);
  while (alea_toss_good(p) && alea_toss_at(p, "^")) {
    alea_toss_node node = blank(p, ALEA_TOSS_POW);
    alea_toss_advance(p);
    node.number = alea_toss_integer(p, 64);
    id = want(p, id, true);
    id = add(p, node, &id, 1, true);
  }
  return id;
}

static uint32_t read_negative(parser *p, alea_toss_node node) {
  if (p->token.kind == ALEA_TOSS_DIGITS) {
    node.number = -alea_toss_number(p);
    return add(p, node, NULL, 0, false);
  }
  if (!enter(p)) return 0;
  uint32_t kid = want(p, power(p), true);
  p->depth--;
  node.kind = ALEA_TOSS_NEG;
  return add(p, node, &kid, 1, true);
}

/* ---- terms ---- */

static uint32_t quotient(parser *p) {
  uint32_t id = power(p);
  while (alea_toss_good(p) && alea_toss_at(p, "/")) {
    alea_toss_node node = blank(p, ALEA_TOSS_DIV);
    alea_toss_advance(p);
    uint32_t kids[2] = {want(p, id, true), want(p, power(p), true)};
    id = add(p, node, kids, 2, true);
  }
  return id;
}

static uint32_t product(parser *p) { return chain(p, ALEA_TOSS_MUL, "*", quotient, true); }

static uint32_t negated(parser *p, uint32_t kid) {
  kid = want(p, kid, true);
  if (!alea_toss_good(p)) return 0;
  const alea_toss_node *of = node_of(p, kid);
  alea_toss_node node = {.kind = ALEA_TOSS_NEG, .line = of->line, .column = of->column};
  return add(p, node, &kid, 1, true);
}

static uint32_t sum(parser *p) {
  alea_toss_node node = blank(p, ALEA_TOSS_ADD);
  uint32_t first = product(p);
  if (!alea_toss_at(p, "+") && !alea_toss_at(p, "-")) return first;
  operands list = {0};
  alea_toss_push(p, &list, want(p, first, true));
  for (;;) {
    if (alea_toss_accept(p, "+")) {
      alea_toss_push(p, &list, want(p, product(p), true));
    } else if (alea_toss_accept(p, "-")) {
      alea_toss_push(p, &list, negated(p, product(p)));
    } else {
      break;
    }
  }
  uint32_t id = add(p, node, list.data, (uint32_t)list.count, true);
  alea_vec_clear(p->file->mem, &list);
  return id;
}

/* ---- formulas ---- */

static uint32_t negation(parser *p, alea_toss_node node, uint32_t kid) {
  node.kind = ALEA_TOSS_NOT;
  return add(p, node, &kid, 1, true);
}

static bool is_variable(parser *p, uint32_t id) {
  return alea_toss_good(p) && node_of(p, id)->kind == ALEA_TOSS_VARIABLE;
}

static uint32_t compare(parser *p, alea_toss_kind kind, alea_toss_node node, uint32_t a,
                        uint32_t b) {
  if (!alea_toss_good(p)) return 0;
  uint32_t kids[2] = {a, b};
  node.kind = kind;
  if (kind == ALEA_TOSS_SAME && is_variable(p, a) && is_variable(p, b)) {
    node.kind = ALEA_TOSS_EQUAL;
    kids[0] = node_of(p, a)->name, kids[1] = node_of(p, b)->name;
    return add(p, node, kids, 2, false);
  }
  want(p, a, true);
  want(p, b, true);
  return add(p, node, kids, 2, true);
}

static uint32_t member(parser *p, alea_toss_node node, uint32_t element) {
  if (!is_variable(p, element)) {
    if (alea_toss_good(p)) alea_toss_point(p, node.line, node.column);
    alea_toss_fail(p, "wrong-kind", "'in' wants an element on its left");
    return 0;
  }
  uint32_t kids[2] = {node_of(p, element)->name, alea_toss_name(p, "a set")};
  node.kind = ALEA_TOSS_IN;
  return add(p, node, kids, 2, false);
}

static uint32_t comparison(parser *p) {
  alea_toss_node node = blank(p, ALEA_TOSS_LESS);
  uint32_t left = sum(p);
  if (!alea_toss_good(p)) return 0;
  if (alea_toss_accept(p, "<")) return compare(p, ALEA_TOSS_LESS, node, left, sum(p));
  if (alea_toss_accept(p, "=")) return compare(p, ALEA_TOSS_SAME, node, left, sum(p));
  if (alea_toss_accept(p, ">")) {
    uint32_t right = sum(p);
    return compare(p, ALEA_TOSS_LESS, node, right, left);
  }
  if (alea_toss_accept(p, "!=")) {
    return negation(p, node, compare(p, ALEA_TOSS_SAME, node, left, sum(p)));
  }
  /* a <= b is "not b < a": true as well where the intervals overlap. */
  if (alea_toss_accept(p, "<=")) {
    uint32_t right = sum(p);
    return negation(p, node, compare(p, ALEA_TOSS_LESS, node, right, left));
  }
  if (alea_toss_accept(p, ">=")) {
    return negation(p, node, compare(p, ALEA_TOSS_LESS, node, left, sum(p)));
  }
  if (alea_toss_accept(p, "in")) return member(p, node, left);
  return left;
}

/* `ex x, X, :a body`: the form of the name gives the sort, as in the paper. */
static uint32_t quantified(parser *p, alea_toss_node node) {
  if (alea_toss_accept(p, ":")) {
    node.sort = ALEA_TOSS_NUMERIC;
  } else {
    char c = p->token.kind == ALEA_TOSS_WORD ? *p->token.text : 'x';
    node.sort = c >= 'A' && c <= 'Z' ? ALEA_TOSS_SET : ALEA_TOSS_ELEMENT;
  }
  node.name = alea_toss_name(p, "a variable");
  if (!enter(p)) return 0;
  uint32_t kid =
      alea_toss_accept(p, ",") ? quantified(p, blank(p, node.kind)) : want(p, unary(p), false);
  p->depth--;
  return add(p, node, &kid, 1, true);
}

static uint32_t unary(parser *p) {
  if (!enter(p)) return 0;
  uint32_t id;
  alea_toss_node node = blank(p, ALEA_TOSS_NOT);
  if (alea_toss_accept(p, "not")) {
    id = negation(p, node, want(p, unary(p), false));
  } else if (alea_toss_accept(p, "ex")) {
    node.kind = ALEA_TOSS_EXISTS;
    id = quantified(p, node);
  } else if (alea_toss_accept(p, "all")) {
    node.kind = ALEA_TOSS_FORALL;
    id = quantified(p, node);
  } else {
    id = comparison(p);
  }
  p->depth--;
  return id;
}

static uint32_t conjunction(parser *p) { return chain(p, ALEA_TOSS_AND, "and", unary, false); }
static uint32_t disjunction(parser *p) { return chain(p, ALEA_TOSS_OR, "or", conjunction, false); }

/* a -> b -> c is a -> (b -> c). */
static uint32_t expression(parser *p) {
  if (!enter(p)) return 0;
  alea_toss_node node = blank(p, ALEA_TOSS_OR);
  uint32_t id = disjunction(p);
  if (alea_toss_accept(p, "->")) {
    uint32_t kids[2] = {negation(p, node, want(p, id, false)), want(p, expression(p), false)};
    id = add(p, node, kids, 2, true);
  }
  p->depth--;
  return id;
}

uint32_t alea_toss_formula(parser *p) { return want(p, expression(p), false); }
uint32_t alea_toss_term(parser *p) { return want(p, expression(p), true); }
