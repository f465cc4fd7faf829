/* The compiled evaluator against the plainest reading of the logic, on random
 * structures and random formulas, every fourth with sets; the circuits against
 * both.
 *
 * Environment: ALEA_FULL=1 tries 80,000 of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "cmocka_all.h"
#include "toss/rules.h"
#include "toss/symbolic.h"

enum { ELEMENTS = 5, MOST_GATES = 1 << 20 };

/* ---- random formulas, as text ---- */

typedef struct writer {
  alea_rng rng;
  alea_text text;
  char vars[8], sets[4]; /* in scope */
  unsigned var_count, set_count, set_most;
} writer;

static unsigned pick(writer *w, unsigned n) { return alea_rng_below(&w->rng, n); }
static char var(writer *w) { return w->vars[pick(w, w->var_count)]; }

static void term(writer *w, int depth);

static void formula(writer *w, int depth) {
  alea_text *out = &w->text;
  static const char names[] = "xyzuvw";
  switch (pick(w, depth > 0 ? 12 : 4)) {
    case 0: alea_text_format(out, "P(%c)", var(w)); return;
    case 1: alea_text_format(out, "E(%c, %c)", var(w), var(w)); return;
    case 2: alea_text_format(out, "%c = %c", var(w), var(w)); return;
    case 3:
      if (w->set_count != 0) {
        alea_text_format(out, "%c in %c", var(w), w->sets[pick(w, w->set_count)]);
      } else {
        alea_text_format(out, "D(%c, %c)", var(w), var(w));
      }
      return;
    case 4:
      alea_text_put(out, "not (");
      formula(w, depth - 1);
      break;
    case 5:
    case 6:
    case 7: {
      bool both = pick(w, 2) == 0;
      alea_text_char(out, '(');
      formula(w, depth - 1);
      alea_text_put(out, both ? " and " : " or ");
      formula(w, depth - 1);
      break;
    }
    case 8:
      if (w->set_count < w->set_most) {
        char name = "XY"[w->set_count];
        alea_text_format(out, "%s %c (", pick(w, 2) == 0 ? "ex" : "all", name);
        w->sets[w->set_count++] = name;
        formula(w, depth - 1);
        w->set_count--;
        break;
      } /* fall through */
    case 9:
    case 10: {
      char name = names[w->var_count < 6 ? w->var_count : pick(w, 6)];
      bool twice = w->var_count == 8;
      alea_text_format(out, "%s %c (", pick(w, 2) == 0 ? "ex" : "all", name);
      if (!twice) w->vars[w->var_count++] = name;
      formula(w, depth - 1);
      if (!twice) w->var_count--;
      break;
    }
    default:
      alea_text_char(out, '(');
      term(w, depth - 1);
      alea_text_put(out, pick(w, 2) == 0 ? " < " : " = ");
      term(w, depth - 1);
  }
  alea_text_char(out, ')');
}

static void term(writer *w, int depth) {
  alea_text *out = &w->text;
  switch (pick(w, depth > 0 ? 6 : 1)) {
    case 0: alea_text_format(out, "%d", (int)pick(w, 5) - 1); return;
    case 1: alea_text_format(out, ":(P(%c))", var(w)); return;
    case 2:
      alea_text_char(out, '(');
      term(w, depth - 1);
      alea_text_put(out, pick(w, 2) == 0 ? " + " : " * ");
      term(w, depth - 1);
      alea_text_char(out, ')');
      return;
    case 3:
      alea_text_put(out, ":(");
      formula(w, depth - 1);
      alea_text_char(out, ')');
      return;
    default:
      alea_text_format(out, "%s (s | ", pick(w, 3) == 0 ? "Prod" : "Sum");
      if (w->var_count < 8) w->vars[w->var_count++] = 's';
      formula(w, depth - 1);
      alea_text_put(out, " : ");
      term(w, depth - 1);
      w->var_count--;
      alea_text_char(out, ')');
  }
}

/* ---- the plain evaluator ---- */

typedef struct plain {
  const alea_toss_file *file;
  const alea_toss_structure *structure;
  uint32_t names[32];
  uint32_t values[32]; /* elements, or sets as bits */
  unsigned count;
} plain;

static uint32_t value_of(const plain *p, uint32_t name) {
  for (unsigned i = p->count; i-- > 0;) {
    if (p->names[i] == name) return p->values[i];
  }
  fail_msg("unbound");
  return 0;
}

static double plain_term(plain *p, uint32_t id);

static bool plain_formula(plain *p, uint32_t id) {
  const alea_toss_node *n = &p->file->nodes.data[id];
  const uint32_t *kids = p->file->kids.data + n->first;
  switch (n->kind) {
    case ALEA_TOSS_TRUE: return true;
    case ALEA_TOSS_FALSE: return false;
    case ALEA_TOSS_EQUAL: return value_of(p, kids[0]) == value_of(p, kids[1]);
    case ALEA_TOSS_IN: return value_of(p, kids[1]) >> value_of(p, kids[0]) & 1;
    case ALEA_TOSS_NOT: return !plain_formula(p, kids[0]);
    case ALEA_TOSS_LESS: return plain_term(p, kids[0]) < plain_term(p, kids[1]);
    case ALEA_TOSS_SAME: return plain_term(p, kids[0]) == plain_term(p, kids[1]);
    case ALEA_TOSS_AND:
    case ALEA_TOSS_OR: {
      bool all = n->kind == ALEA_TOSS_AND;
      for (uint32_t i = 0; i < n->count; i++) {
        if (plain_formula(p, kids[i]) != all) return !all;
      }
      return all;
    }
    case ALEA_TOSS_REL: {
      uint32_t tuple[8];
      for (uint32_t i = 0; i < n->count; i++) tuple[i] = value_of(p, kids[i]);
      const alea_toss_relation *r = &p->file->relations.data[n->target];
      if (r->body == ALEA_TOSS_NONE) return alea_toss_structure_has(p->structure, n->target, tuple);
      plain inner = {.file = p->file, .structure = p->structure, .count = r->arity};
      for (uint32_t i = 0; i < r->arity; i++) {
        inner.names[i] = p->file->kids.data[r->first_param + i];
        inner.values[i] = tuple[i];
      }
      return plain_formula(&inner, r->body);
    }
    default: break;
  }
  bool exists = n->kind == ALEA_TOSS_EXISTS, result = !exists;
  uint32_t most = n->sort == ALEA_TOSS_SET ? 1u << ELEMENTS : ELEMENTS;
  p->names[p->count++] = n->name;
  for (uint32_t v = 0; v < most && result != exists; v++) {
    p->values[p->count - 1] = v;
    if (plain_formula(p, kids[0]) == exists) result = exists;
  }
  p->count--;
  return result;
}

static double plain_term(plain *p, uint32_t id) {
  const alea_toss_node *n = &p->file->nodes.data[id];
  const uint32_t *kids = p->file->kids.data + n->first;
  double value = 0;
  switch (n->kind) {
    case ALEA_TOSS_NUMBER: return n->number;
    case ALEA_TOSS_CHAR: return plain_formula(p, kids[0]);
    case ALEA_TOSS_NEG: return -plain_term(p, kids[0]);
    case ALEA_TOSS_ADD:
    case ALEA_TOSS_MUL:
      value = plain_term(p, kids[0]);
      for (uint32_t i = 1; i < n->count; i++) {
        double next = plain_term(p, kids[i]);
        value = n->kind == ALEA_TOSS_ADD ? value + next : value * next;
      }
      return value;
    default: break;
  }
  bool product = n->kind == ALEA_TOSS_PROD;
  value = product;
  p->names[p->count++] = n->name;
  for (uint32_t v = 0; v < ELEMENTS; v++) {
    p->values[p->count - 1] = v;
    if (!plain_formula(p, kids[0])) continue;
    double next = plain_term(p, kids[1]);
    value = product ? value * next : value + next;
  }
  p->count--;
  return value;
}

/* ---- the comparison ---- */

typedef struct truth {
  const alea_toss_structure *structure;
  alea_toss_circuit *circuit;
  alea_toss_lit lits[2][ELEMENTS * ELEMENTS];
  uint32_t relations[2];
} truth;

static alea_toss_lit atom(void *context, uint32_t relation, const uint32_t *tuple) {
  truth *t = context;
  int which = relation == t->relations[1];
  return t->lits[which][which ? tuple[0] * ELEMENTS + tuple[1] : tuple[0]];
}

static bool value_of_lit(const alea_toss_circuit *c, const uint8_t *inputs, alea_toss_lit lit) {
  static uint8_t values[MOST_GATES];
  for (size_t i = 0; i < c->gates.count; i++) {
    const alea_toss_gate *g = &c->gates.data[i];
    values[i] = g->count != 0 ? 1 : inputs[i];
    for (uint32_t k = 0; k < g->count; k++) {
      alea_toss_lit in = c->inputs.data[g->first + k];
      values[i] &= values[in / 2] ^ (in & 1);
    }
  }
  return values[lit / 2] ^ (lit & 1);
}

/* The circuit of the formula at x, y, with the structure's tuples as inputs. */
static bool by_circuit(const alea_toss_file *file, const alea_toss_structure *s, uint32_t body,
                       const alea_toss_binding *bindings, uint32_t x, uint32_t y, bool expected,
                       alea_mem *mem) {
  uint8_t stored[8] = {0}, walkable[8] = {0}, inputs[64] = {1};
  truth t = {.structure = s};
  for (uint32_t i = 0; i < file->relations.count; i++) {
    const alea_toss_relation *r = &file->relations.data[i];
    stored[i] = r->body == ALEA_TOSS_NONE;
    if (stored[i]) t.relations[r->arity == 2] = i;
  }
  alea_toss_logic logic;
  alea_toss_logic_init(&logic, file, stored, walkable, mem);
  logic.elements = 2;
  uint32_t code;
  assert_int_equal(alea_toss_compile(&logic, body, bindings, 2, &code), ALEA_OK);
  alea_toss_env env;
  assert_int_equal(alea_toss_env_init(&env, &logic, s, mem), ALEA_OK);
  alea_toss_circuit circuit;
  alea_toss_circuit_init(&circuit, mem);
  for (int which = 0; which < 2; which++) {
    for (uint32_t i = 0; i < (which ? ELEMENTS * ELEMENTS : ELEMENTS); i++) {
      uint32_t tuple[2] = {which ? i / ELEMENTS : i, i % ELEMENTS};
      t.lits[which][i] = alea_toss_circuit_input(&circuit);
      inputs[t.lits[which][i] / 2] = alea_toss_structure_has(s, t.relations[which], tuple);
    }
  }
  env.elements[0] = x;
  env.elements[1] = y;
  alea_toss_symbolic sym = {.circuit = &circuit, .env = &env, .atom = atom, .context = &t};
  alea_toss_lit lit = alea_toss_symbolic_formula(&sym, code);
  /* too many different values of a term are an honest no; the largest circuits
   * are not looked at */
  if (sym.status != ALEA_OK) assert_int_equal(sym.status, ALEA_UNSUPPORTED);
  bool known = sym.status == ALEA_OK && circuit.gates.count < MOST_GATES;
  bool result = known ? value_of_lit(&circuit, inputs, lit) : expected;
  alea_toss_circuit_clear(&circuit);
  alea_toss_env_clear(&env);
  alea_toss_logic_clear(&logic);
  return result;
}

static void compare_one(uint64_t seed) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  writer w = {.vars = "xy", .var_count = 2, .set_most = seed % 4 == 0 ? 2 : 0};
  alea_rng_seed(&w.rng, seed);
  alea_text_init(&w.text, &mem);
  alea_text_put(&w.text,
                "PLAYERS p REL D(x, y) = ex z (E(x, z) and E(z, y) and not P(z))\nREL F(x, y) = ");
  formula(&w, 5);
  alea_text_put(&w.text, "\nLOC 0 { } START [a, b, c, d, e | P:1 {}; E:2 {} | ]");
  alea_toss_file *file;
  assert_int_equal(alea_toss_read(&file, w.text.data, w.text.length, "x", &mem, NULL), ALEA_OK);
  alea_toss_rules *rules;
  assert_int_equal(alea_toss_rules_new(&rules, file, 0, false, &mem, NULL), ALEA_OK);
  alea_toss_structure *s = rules->start;
  uint32_t defined = 1, first_stored = 2; /* D, F, P, E */
  for (uint32_t i = 0; i < ELEMENTS; i++) {
    if (pick(&w, 2) == 0) alea_toss_structure_add(s, first_stored, &i);
    for (uint32_t j = 0; j < ELEMENTS; j++) {
      uint32_t tuple[2] = {i, j};
      if (pick(&w, 3) == 0) alea_toss_structure_add(s, first_stored + 1, tuple);
    }
  }
  const alea_toss_relation *r = &file->relations.data[defined];
  uint8_t stored[4] = {0, 0, 1, 1};
  alea_toss_logic logic;
  alea_toss_logic_init(&logic, file, stored, stored, &mem);
  alea_toss_binding bindings[2] = {
      {file->kids.data[r->first_param], ALEA_TOSS_ELEMENT, 0},
      {file->kids.data[r->first_param + 1], ALEA_TOSS_ELEMENT, 1},
  };
  logic.elements = 2;
  uint32_t code;
  assert_int_equal(alea_toss_compile(&logic, r->body, bindings, 2, &code), ALEA_OK);
  alea_toss_env env;
  assert_int_equal(alea_toss_env_init(&env, &logic, s, &mem), ALEA_OK);
  for (uint32_t x = 0; x < ELEMENTS; x++) {
    for (uint32_t y = 0; y < ELEMENTS; y++) {
      plain p = {.file = file, .structure = s, .count = 2};
      p.names[0] = bindings[0].name, p.values[0] = x;
      p.names[1] = bindings[1].name, p.values[1] = y;
      bool expected = plain_formula(&p, r->body);
      env.elements[0] = x;
      env.elements[1] = y;
      if (alea_toss_holds(&env, code) != expected)
        fail_msg("seed %llu: %s", (unsigned long long)seed, w.text.data);
      if ((x + y) % 4 == 0 &&
          by_circuit(file, s, r->body, bindings, x, y, expected, &mem) != expected) {
        fail_msg("circuit, seed %llu: %s", (unsigned long long)seed, w.text.data);
      }
    }
  }
  alea_toss_env_clear(&env);
  alea_toss_logic_clear(&logic);
  alea_toss_rules_free(rules);
  alea_toss_free(file);
  alea_text_clear(&w.text);
  assert_int_equal(mem.used, 0);
}

static void random_formulas(void **state) {
  (void)state;
  const char *full = getenv("ALEA_FULL");
  uint64_t formulas = full != NULL && *full == '1' ? 80000 : 1500;
  for (uint64_t seed = 1; seed <= formulas; seed++) compare_one(seed);
}

/* ---- closed formulas with known answers ---- */

static void expect(const char *formula_text, const char *start, double expected) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text text;
  alea_text_init(&text, &mem);
  alea_text_format(&text, "PLAYERS p LOC 0 { PLAYER p { PAYOFF %s } } START %s", formula_text,
                   start);
  alea_toss_file *file;
  alea_diag diag;
  alea_diag_init(&diag, &mem);
  if (alea_toss_read(&file, text.data, text.length, "x", &mem, &diag) != ALEA_OK) {
    fail_msg("%s: %s", text.data, diag.entries.data[0].message);
  }
  alea_diag_clear(&diag);
  alea_toss_rules *rules;
  assert_int_equal(alea_toss_rules_new(&rules, file, 0, false, &mem, NULL), ALEA_OK);
  alea_toss_env env;
  assert_int_equal(alea_toss_env_init(&env, &rules->logic, rules->start, &mem), ALEA_OK);
  alea_interval value = alea_toss_evaluate(&env, rules->payoffs[0]);
  assert_int_equal(env.status, ALEA_OK);
  double middle = alea_interval_middle(value);
  if (isinf(expected) ? middle != expected : !(fabs(middle - expected) < 1e-9)) {
    fail_msg("%s is %g, not %g", formula_text, middle, expected);
  }
  alea_toss_env_clear(&env);
  alea_toss_rules_free(rules);
  alea_toss_free(file);
  alea_text_clear(&text);
  assert_int_equal(mem.used, 0);
}

static void reals(void **state) {
  (void)state;
  const char *one = "[a | | v {a -> 3}]";
  expect(":(ex :t (:t * :t = 2))", one, 1);
  expect(":(ex :t (:t * :t = -1))", one, 0);
  expect(":(ex :t (:t^2 < 0))", one, 0);
  expect(":(all :t (:t^2 + 1 > 0))", one, 1);
  expect(":(ex :t (:t^2 = 0))", one, 1);
  expect(":(ex :t (:t^2 - 4 * :t + 4 = 0 and :t > 1))", one, 1);
  expect(":(ex :t (:t^4 - 10 * :t^2 + 9 = 0 and :t > 2))", one, 1);
  expect(":(ex :t (:t^4 - 10 * :t^2 + 9 = 0 and :t > 4))", one, 0);
  expect(":(all :t (:t^3 - :t < 1 or :t > 1))", one, 1);
  expect(":(ex :t (:t > 2 and :t < 3 and :t^2 > 8))", one, 1);
  expect(":(ex :t (:t > 2 and :t < 3 and :t^2 > 9))", one, 0);
  expect(":(ex :t all x (:v(x) < :t))", one, 1);
  expect("Min (:t | :t^2 = 2)", one, -sqrt(2));
  expect("Min (:t | :t > 0 and :t^2 = 2)", one, sqrt(2));
  expect("Min (:t | :t > 5)", one, 5);
  expect("Min (:t | :t < 5)", one, -INFINITY);
  expect("Min (:t | :t < 5 and :t > 6)", one, INFINITY);
  /* beyond degree 4 */
  expect("Min (:t | :t^5 = 3)", one, pow(3, 0.2));
  expect("Min (:t | :t^7 - 2 * :t > 4 and :t > 0)", one, 1.3099812373738449);
  expect("Min (:t | Root(2, :t) > 3)", one, 9);
  expect("Min (:t | 1 / :t > 4 and :t > 0.01)", one, 0.01);
  expect("Min (:t | :t^6 < 0 - 1)", one, INFINITY);
  expect("Min (:t | :t^5 < 7)", one, -INFINITY);
  expect(":(ex :t (:t^6 = 64 and :t < 0))", one, 1);
  expect(":(ex :t (:t^6 = 64 and :t > 3))", one, 0);
  expect(":(ex :t (:t^5 > 1000000 and :t < 16))", one, 1);
  expect(":(all :t (:t^6 + 1 > 0))", one, 1);
  /* several quantifiers */
  expect(":(ex :r (ex :s (:r = 2 * :s and :s = 4)))", one, 1);
  expect(":(ex :r, :s (:r * :s = 1 and :r + :s = 2))", one, 1);
  expect(":(ex :r, :s (:r * :s = 1 and :r + :s = 1))", one, 0);
  expect(":(ex :r, :s (:r^2 + :s^2 = 1 and :r = :s and :r > 0))", one, 1);
  expect(":(ex :r, :s, :t (:r + :s + :t = 6 and :r * :s * :t = 6 and :r < :s and :s < :t))", one,
         1);
  expect(":(all :r ex :s (:s > :r))", one, 1);
  expect(":(ex :s all :r (:s > :r))", one, 0);
  expect(":(all :r ex :s (:s * :s = :r))", one, 0);
  expect(":(all :r (:r < 0 or ex :s (:s * :s = :r)))", one, 1);
  expect(":(ex :r all :s (:s^2 > :r or :s^2 = :r))", one, 1);
  expect(":(all :r ex :s all :t (:t^2 + :s > :r))", one, 1);
  expect(":(ex :r (:r^2 - 0.2 * :r + 0.01 = 0))", one, 1); /* a double root at a tenth */
  expect(":(ex :r (3 * :r = 0.3 and :r = 0.1 and :r * :r < 1))", one, 1);
  expect(":(ex :r, :s (Root(2, :r) = :s and :s = 3 and :r < 10))", one, 1);
  expect(":(ex :r, :s (:r / :s = 2 and :s = 3 and :r^2 = 36))", one, 1);
  expect(":(ex :r (ex x (:v(x) = :r * :r) and all x (:v(x) < :r + 2)))", one, 1);
  expect(":(ex :r (:(:r > 2) + :(:r * :r < 9) = 2))", one, 1);
  expect(":(ex :r (:(:r > 2) + :(:r * :r < 4) = 2))", one, 0);
  expect(":(ex :r, :s (Sum (x | :v(x) > :r : :v(x) * :s) = 6 and :s < :r))", one, 1);
  expect("Min (:r | ex :s (:s^2 + :r^2 = 4))", one, -2);
  expect("Min (:r | all :s (:s^2 + :r > 1))", one, 1);
  expect("Min (:r | ex :s (:s * :r = 1 and :s > 0))", one, 0);
  expect("Sum (x | true : :v(x) * :v(x)) + Root(2, 16) - Root(3, 8)", one, 11);
  expect(":(1 / 3 + 1 / 3 + 1 / 3 = 1)", one, 1);
  expect(":(1 / 3 < 1 / 3)", one, 0);
}

/* Reachability needs a set; so does a colouring. */
static void sets(void **state) {
  (void)state;
  const char *path20 =
      "[a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t | A(a); Z(t); E {(a,b);(b,c);(c,d);(d,e);(e,f);"
      "(f,g);(g,h);(h,i);(i,j);(j,k);(k,l);(l,m);(m,n);(n,o);(o,p);(p,q);(q,r);(r,s);(s,t)} | ]";
  const char *path6 = "[a,b,c,d,e,f | E {(a,b);(b,c);(c,d);(d,e);(e,f)} | ]";
  const char *broken =
      "[a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p | A(a); Z(p); E {(a,b);(b,c);(c,d);(e,f);(f,g);(g,h);"
      "(h,i);(i,j);(j,k);(k,l);(l,m);(m,n);(n,o);(o,p)} | ]";
  const char *reach =
      ":(all x, y ((A(x) and Z(y)) -> all X ((x in X and all u, v ((u in X and E(u, v)) -> v in X))"
      " -> y in X)))";
  expect(reach, path20, 1);
  expect(reach, broken, 0);
  const char *two =
      ":(ex X all x, y (E(x, y) -> ((x in X and not y in X) or (y in X and not x in X))))";
  expect(two, path20, 1);
  expect(two, "[a,b,c | E {(a,b);(b,c);(c,a)} | ]", 0);
  const char *odd13 =
      "[a,b,c,d,e,f,g,h,i,j,k,l,m | E {(a,b);(b,c);(c,d);(d,e);(e,f);(f,g);(g,h);(h,i);(i,j);(j,k);"
      "(k,l);(l,m);(m,a)} | ]";
  expect(two, odd13, 0);
  expect(
      ":(ex X, Y all x, y ((x in X or x in Y or not x in X) and (E(x, y) -> not (x in X and y in "
      "X))"
      " and (E(x, y) -> not (x in Y and y in Y)) and (E(x, y) -> (x in X or x in Y or y in X or y "
      "in Y))))",
      odd13, 1);
  /* One after the other: some set that meets every clique of two, but holds no
   * edge; and for every set one that is its complement. */
  const char *both =
      ":(ex X all Y (all x, y (E(x, y) -> not (x in X and y in X)) and"
      " ((ex x (x in Y and x in X)) or not (all x (x in X -> x in Y)) or"
      " all x (not x in X))))";
  expect(both, odd13, 1);
  expect(":(all X ex Y all x ((x in X and not x in Y) or (x in Y and not x in X)))", path6, 1);
  expect(":(ex X all Y all x (x in X -> x in Y))", path20, 1);
  expect(":(ex X (ex x (x in X) and all Y all x (x in X -> x in Y)))", path20, 0);
  expect(":(all X ex Y all Z ((ex x (x in X) and not ex x (x in Y)) or all x (x in Z -> x in Z)))",
         path20, 1);
  /* three colours for the cycle of thirteen, in one block */
  expect(
      ":(ex X, Y all x, y (not (x in X and x in Y) and (E(x, y) -> (not (x in X and y in X) and"
      " not (x in Y and y in Y) and (x in X or x in Y or y in X or y in Y)))))",
      odd13, 1);
  /* a number for every set */
  expect(":(all X ex :r (:r * :r = Sum (x | x in X : 1)))", "[a, b, c | | ]", 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_formulas),
      cmocka_unit_test(reals),
      cmocka_unit_test(sets),
  };
  return cmocka_run_group_tests_name("toss logic", tests, NULL, NULL);
}
