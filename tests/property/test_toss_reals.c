/* Real quantifiers against exact enumeration: formulas over one or two real
 * variables whose comparisons are products of linear forms with small whole
 * coefficients.  All that matters happens where such lines cross, so a sample at
 * each crossing and one between any two decide; in fractions, without error.
 *
 * Environment: ALEA_FULL=1 tries 20,000 of each kind. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "cmocka_all.h"
#include "toss/rules.h"

enum { MOST_LINES = 12, MOST_NODES = 32, MOST_VALUES = 256 };

typedef struct fraction {
  int64_t n, d; /* d > 0 */
} fraction;

/* s * :s + t * :t + c */
typedef struct line {
  int s, t, c;
} line;

typedef enum node_kind { NODE_AND, NODE_OR, NODE_NOT, NODE_SIGN } node_kind;

typedef struct node {
  node_kind kind;
  int kids[2];
  int lines[2]; /* the factors; the second is -1 where there is one */
  char sign;    /* '<', '=', '>' */
} node;

typedef struct random_formula {
  alea_rng rng;
  alea_text text;
  line lines[MOST_LINES];
  node nodes[MOST_NODES];
  int line_count, node_count, variables;
  bool all[2]; /* the quantifiers, outer first */
} random_formula;

static int pick(random_formula *f, unsigned n) { return (int)alea_rng_below(&f->rng, n); }

/* ---- making ---- */

static int add_line(random_formula *f) {
  if (f->line_count == MOST_LINES) return pick(f, MOST_LINES);
  line *l = &f->lines[f->line_count];
  *l = (line){pick(f, 7) - 3, f->variables > 1 ? pick(f, 7) - 3 : 0, pick(f, 9) - 4};
  return f->line_count++;
}

static void write_line(random_formula *f, const line *l) {
  alea_text_format(&f->text, "(%d * :s", l->s);
  if (f->variables > 1) alea_text_format(&f->text, " + %d * :t", l->t);
  alea_text_format(&f->text, " + %d)", l->c);
}

static int add_sign(random_formula *f, int at) {
  node *n = &f->nodes[at];
  n->kind = NODE_SIGN;
  n->lines[0] = add_line(f);
  n->lines[1] = pick(f, 3) == 0 ? add_line(f) : -1;
  n->sign = "<=>"[pick(f, 3)];
  write_line(f, &f->lines[n->lines[0]]);
  if (n->lines[1] >= 0) {
    alea_text_put(&f->text, " * ");
    write_line(f, &f->lines[n->lines[1]]);
  }
  alea_text_format(&f->text, " %c 0", n->sign);
  return at;
}

static int add_node(random_formula *f, int depth) {
  int at = f->node_count++;
  int kind = depth == 0 || f->node_count > MOST_NODES - 4 ? 0 : pick(f, 5);
  if (kind < 1) return add_sign(f, at);
  alea_text_put(&f->text, kind == 1 ? "not (" : "(");
  f->nodes[at].kind = kind == 1 ? NODE_NOT : kind < 4 ? NODE_AND : NODE_OR;
  int first = add_node(f, depth - 1), second = -1;
  if (kind > 1) {
    alea_text_put(&f->text, kind < 4 ? ") and (" : ") or (");
    second = add_node(f, depth - 1);
  }
  alea_text_char(&f->text, ')');
  f->nodes[at].kids[0] = first;
  f->nodes[at].kids[1] = second;
  return at;
}

/* ---- the oracle ---- */

static fraction make(int64_t n, int64_t d) {
  if (d < 0) n = -n, d = -d;
  int64_t a = n < 0 ? -n : n, b = d;
  while (b != 0) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a == 0 ? (fraction){0, 1} : (fraction){n / a, d / a};
}

static int order(const void *a, const void *b) {
  const fraction *x = a, *y = b;
  int64_t left = x->n * y->d, right = y->n * x->d;
  return left < right ? -1 : left > right;
}

static int sign_at(const line *l, fraction s, fraction t) {
  int64_t value = l->s * s.n * t.d + l->t * t.n * s.d + l->c * s.d * t.d;
  return value < 0 ? -1 : value > 0;
}

static bool holds(const random_formula *f, int at, fraction s, fraction t) {
  const node *n = &f->nodes[at];
  switch (n->kind) {
    case NODE_AND: return holds(f, n->kids[0], s, t) && holds(f, n->kids[1], s, t);
    case NODE_OR: return holds(f, n->kids[0], s, t) || holds(f, n->kids[1], s, t);
    case NODE_NOT: return !holds(f, n->kids[0], s, t);
    default: break;
  }
  int sign = sign_at(&f->lines[n->lines[0]], s, t);
  if (n->lines[1] >= 0) sign *= sign_at(&f->lines[n->lines[1]], s, t);
  return n->sign == '<' ? sign < 0 : n->sign == '=' ? sign == 0 : sign > 0;
}

/* Adds a value between each two, and one at each end. */
static int between(fraction *values, int count) {
  qsort(values, (size_t)count, sizeof *values, order);
  int all = count;
  for (int i = 0; i + 1 < count; i++) {
    fraction a = values[i], b = values[i + 1];
    if (order(&a, &b) != 0) values[all++] = make(a.n * b.d + b.n * a.d, 2 * a.d * b.d);
  }
  if (count == 0) values[all++] = (fraction){0, 1};
  if (count > 0) {
    values[all++] = make(values[0].n - values[0].d, values[0].d);
    values[all++] = make(values[count - 1].n + values[count - 1].d, values[count - 1].d);
  }
  return all;
}

static bool inner(const random_formula *f, fraction s) {
  if (f->variables == 1) return holds(f, 0, s, (fraction){0, 1});
  fraction values[MOST_VALUES];
  int count = 0;
  for (int i = 0; i < f->line_count; i++) {
    const line *l = &f->lines[i];
    if (l->t != 0) values[count++] = make(-(l->s * s.n + l->c * s.d), l->t * s.d);
  }
  count = between(values, count);
  for (int i = 0; i < count; i++)
    if (holds(f, 0, s, values[i]) != f->all[1]) return !f->all[1];
  return f->all[1];
}

static bool outer(const random_formula *f) {
  fraction values[MOST_VALUES];
  int count = 0;
  for (int i = 0; i < f->line_count; i++) {
    const line *a = &f->lines[i];
    if (a->t == 0 && a->s != 0) values[count++] = make(-a->c, a->s);
    for (int j = 0; j < i; j++) {
      const line *b = &f->lines[j];
      int det = a->s * b->t - b->s * a->t;
      if (det != 0) values[count++] = make(a->t * b->c - b->t * a->c, det);
    }
  }
  count = between(values, count);
  for (int i = 0; i < count; i++)
    if (inner(f, values[i]) != f->all[0]) return !f->all[0];
  return f->all[0];
}

/* ---- comparing ---- */

static bool evaluate(const char *text, size_t length, alea_mem *mem) {
  alea_toss_file *file;
  assert_int_equal(alea_toss_read(&file, text, length, "x", mem, NULL), ALEA_OK);
  alea_toss_rules *rules;
  assert_int_equal(alea_toss_rules_new(&rules, file, 0, false, mem, NULL), ALEA_OK);
  alea_toss_env env;
  assert_int_equal(alea_toss_env_init(&env, &rules->logic, rules->start, mem), ALEA_OK);
  alea_interval value = alea_toss_evaluate(&env, rules->payoffs[0]);
  assert_int_equal(env.status, ALEA_OK);
  if (env.undecided != 0) fail_msg("undecided: %s", text);
  alea_toss_env_clear(&env);
  alea_toss_rules_free(rules);
  alea_toss_free(file);
  return value.lo == 1;
}

static void compare_one(uint64_t seed, int variables) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  random_formula f = {.variables = variables};
  alea_rng_seed_stream(&f.rng, seed, (uint64_t)variables);
  alea_text_init(&f.text, &mem);
  alea_text_put(&f.text, "PLAYERS p LOC 0 { PLAYER p { PAYOFF :(");
  for (int i = 0; i < variables; i++) {
    f.all[i] = pick(&f, 2) == 0;
    alea_text_format(&f.text, "%s :%c (", f.all[i] ? "all" : "ex", "st"[i]);
  }
  add_node(&f, 3);
  alea_text_put(&f.text, variables > 1 ? ")))" : "))");
  alea_text_put(&f.text, " } } START [a | | ]");
  if (evaluate(f.text.data, f.text.length, &mem) != outer(&f))
    fail_msg("seed %llu: %s", (unsigned long long)seed, f.text.data);
  alea_text_clear(&f.text);
  assert_int_equal(mem.used, 0);
}

static uint64_t formulas(uint64_t few) {
  const char *full = getenv("ALEA_FULL");
  return full != NULL && *full == '1' ? 20000 : few;
}

static void one_variable(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= formulas(1500); seed++) compare_one(seed, 1);
}

static void two_variables(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= formulas(400); seed++) compare_one(seed, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_variable),
      cmocka_unit_test(two_variables),
  };
  return cmocka_run_group_tests_name("real quantifiers", tests, NULL, NULL);
}
