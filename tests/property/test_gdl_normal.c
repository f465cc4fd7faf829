/* Normal form means the same as the text: random bodies are evaluated as
 * written and as normalised, for all values of their variables.
 *
 * The world has two constants and random relations p/1 and q/2.  The rule is
 *
 *     (<= (h ?x ?y) (d ?x) (d ?y) FORMULA)
 *
 * with `or`, `and`, `not`, `distinct` nested at will, and negations over a
 * variable of their own, which read "there is no".  Small limits on the
 * expansion send the disjunctions through auxiliary predicates. */
#include <string.h>

#include "base/rng.h"
#include "cmocka_all.h"
#include "gdl/program.h"

enum { VALUES = 2, MAX_DEPTH = 4, MAX_FORMULAS = 4096, MAX_VARIABLES = 12 };

typedef enum kind { P, Q, DISTINCT, NOT, AND, OR, NO_Z } kind;

typedef struct formula {
  kind kind;
  int a, b;         /* terms: 0, 1 constants; 2 is ?x, 3 is ?y, 4 is the own variable */
  int first, count; /* parts, in 'parts' */
  int z;            /* number of the own variable, for NO_Z and the atoms below it */
} formula;

typedef struct world {
  alea_rng rng;
  bool p[VALUES], q[VALUES][VALUES];
  formula formulas[MAX_FORMULAS];
  int parts[MAX_FORMULAS];
  int formula_count, part_count, z_count;
} world;

static int below(world *w, uint32_t n) { return (int)alea_rng_below(&w->rng, n); }

static int new_formula(world *w, kind k) {
  assert_true(w->formula_count < MAX_FORMULAS);
  w->formulas[w->formula_count] = (formula){.kind = k};
  return w->formula_count++;
}

static int grow_atom(world *w, int z) {
  int i = new_formula(w, (kind)below(w, 3));
  formula *f = &w->formulas[i];
  f->z = z;
  f->a = below(w, 4);
  f->b = below(w, 4);
  /* Inside "there is no", atoms speak of the own variable, and positively. */
  if (z != 0) {
    f->kind = Q;
    if (below(w, 2) != 0) f->a = 4;
    if (f->a != 4 || below(w, 2) != 0) f->b = 4;
  }
  return i;
}

/* Makes a formula with room for 'count' parts. */
static int grow_list(world *w, kind k, int count) {
  int i = new_formula(w, k);
  w->formulas[i].first = w->part_count;
  w->formulas[i].count = count;
  w->part_count += count;
  assert_true(w->part_count < MAX_FORMULAS);
  return i;
}

static int grow_no_z(world *w) {
  int count = 1 + below(w, 3);
  int i = grow_list(w, NO_Z, count);
  int z = ++w->z_count;
  w->formulas[i].z = z;
  for (int k = 0; k < count; k++) w->parts[w->formulas[i].first + k] = grow_atom(w, z);
  return i;
}

static int grow(world *w, int depth) {
  static const kind kinds[] = {NOT, AND, AND, OR, OR, NO_Z, P, Q};
  kind k = depth == 0 ? P : kinds[below(w, 8)];
  if (k == P || k == Q) return grow_atom(w, 0);
  if (k == NO_Z) return grow_no_z(w);
  int count = k == NOT ? 1 : below(w, 5);
  int i = grow_list(w, k, count);
  for (int n = 0; n < count; n++) {
    int part = grow(w, depth - 1);
    w->parts[w->formulas[i].first + n] = part;
  }
  return i;
}

static void print_term(int term, int z, alea_text *out) {
  static const char *const names[] = {"0", "1", "?x", "?y"};
  if (term == 4) {
    alea_text_format(out, " ?z%d", z);
  } else {
    alea_text_format(out, " %s", names[term]);
  }
}

static void print_formula(const world *w, int i, alea_text *out) {
  static const char *const names[] = {"p", "q", "distinct", "not", "and", "or", "not (and"};
  const formula *f = &w->formulas[i];
  alea_text_format(out, "(%s", names[f->kind]);
  if (f->kind <= DISTINCT) print_term(f->a, f->z, out);
  if (f->kind == Q || f->kind == DISTINCT) print_term(f->b, f->z, out);
  for (int k = 0; k < f->count; k++) {
    alea_text_char(out, ' ');
    print_formula(w, w->parts[f->first + k], out);
  }
  alea_text_put(out, f->kind == NO_Z ? "))" : ")");
}

/* Does the formula hold for these values of ?x, ?y and the own variable? */
static bool eval(const world *w, int i, int x, int y, int z) {
  const formula *f = &w->formulas[i];
  int values[] = {0, 1, x, y, z};
  int a = values[f->a], b = values[f->b];
  bool all = true, any = false;
  switch (f->kind) {
    case P: return w->p[a];
    case Q: return w->q[a][b];
    case DISTINCT: return a != b;
    case NO_Z:
      for (int v = 0; v < VALUES; v++) {
        all = true;
        for (int k = 0; k < f->count; k++) all &= eval(w, w->parts[f->first + k], x, y, v);
        any |= all;
      }
      return !any;
    default: break;
  }
  for (int k = 0; k < f->count; k++) {
    bool part = eval(w, w->parts[f->first + k], x, y, z);
    all &= part;
    any |= part;
  }
  return f->kind == NOT ? !any : f->kind == AND ? all : any;
}

/* The normal form by brute force.  Terms are constants or variables here. */
static int value_of(const alea_program *p, alea_rule_node_id id, const int *binding) {
  const alea_rule_node *n = &p->nodes.data[id];
  if (n->kind == ALEA_NODE_VARIABLE) return binding[n->name];
  return alea_symbols_text(p->symbols, n->name)[0] - '0';
}

static bool holds(const alea_program *p, alea_rule_node_id atom, const int *binding);

static bool body_holds(const alea_program *p, const alea_rule *rule, const int *binding) {
  for (uint32_t i = 0; i < rule->literal_count; i++) {
    const alea_literal *l = &p->literals.data[rule->first_literal + i];
    bool ok = l->kind == ALEA_LITERAL_DISTINCT
                  ? value_of(p, l->atom, binding) != value_of(p, l->other, binding)
                  : holds(p, l->atom, binding) == (l->kind == ALEA_LITERAL_TRUE);
    if (!ok) return false;
  }
  return true;
}

static bool rule_gives(const alea_program *p, const alea_rule *rule, alea_rule_node_id atom,
                       const int *outer) {
  assert_true(rule->variable_count <= MAX_VARIABLES);
  const alea_rule_node *want = &p->nodes.data[atom], *head = &p->nodes.data[rule->head];
  if (want->name != head->name || want->arg_count != head->arg_count) return false;
  for (uint32_t code = 0; code < 1u << rule->variable_count; code++) {
    int binding[MAX_VARIABLES];
    for (uint32_t v = 0; v < rule->variable_count; v++) binding[v] = (int)(code >> v & 1);
    bool same = true;
    for (uint32_t k = 0; same && k < want->arg_count; k++)
      same = value_of(p, alea_program_args(p, atom)[k], outer) ==
             value_of(p, alea_program_args(p, rule->head)[k], binding);
    if (same && body_holds(p, rule, binding)) return true;
  }
  return false;
}

/* Nothing is recursive, so asking rule by rule ends. */
static bool holds(const alea_program *p, alea_rule_node_id atom, const int *binding) {
  for (size_t i = 0; i < p->rules.count; i++)
    if (rule_gives(p, &p->rules.data[i], atom, binding)) return true;
  return false;
}

static void print_world(const world *w, alea_text *out) {
  alea_text_put(out, "(role r) (d 0) (d 1)");
  for (int a = 0; a < VALUES; a++) {
    if (w->p[a]) alea_text_format(out, " (p %d)", a);
    for (int b = 0; b < VALUES; b++)
      if (w->q[a][b]) alea_text_format(out, " (q %d %d)", a, b);
  }
  alea_text_put(out, "\n(<= (want ?x ?y) (h ?x ?y))");
}

/* The atom (h ?x ?y) in the body of the first rule with conditions. */
static alea_rule_node_id find_query(const alea_program *p) {
  for (size_t i = 0; i < p->rules.count; i++)
    if (p->rules.data[i].literal_count > 0)
      return p->literals.data[p->rules.data[i].first_literal].atom;
  fail();
  return 0;
}

static void try_world(uint64_t seed, uint32_t max_ways) {
  static world w;
  memset(&w, 0, sizeof w);
  alea_rng_seed(&w.rng, seed);
  for (int a = 0; a < VALUES; a++) {
    w.p[a] = below(&w, 2) != 0;
    for (int b = 0; b < VALUES; b++) w.q[a][b] = below(&w, 2) != 0;
  }
  int root = grow(&w, MAX_DEPTH);
  alea_mem mem;
  alea_text text;
  alea_mem_init(&mem, 0);
  alea_text_init(&text, &mem);
  print_world(&w, &text);
  alea_text_put(&text, "\n(<= (h ?x ?y) (d ?x) (d ?y) ");
  print_formula(&w, root, &text);
  alea_text_char(&text, ')');
  alea_program *p;
  alea_program_options options = {.max_ways = max_ways};
  assert_int_equal(alea_program_new(&p, text.data, text.length, "t", &options, &mem, NULL),
                   ALEA_OK);
  for (int x = 0; x < VALUES; x++)
    for (int y = 0; y < VALUES; y++) {
      int binding[] = {x, y};
      if (holds(p, find_query(p), binding) != eval(&w, root, x, y, 0))
        fail_msg("seed %llu, x=%d y=%d: %s", (unsigned long long)seed, x, y, text.data);
    }
  alea_program_free(p);
  alea_text_clear(&text);
  assert_int_equal(mem.used, 0);
}

static void normal_form_means_the_same(void **state) {
  (void)state;
  static const uint32_t max_ways[] = {1, 2, 4, 64};
  for (uint64_t seed = 1; seed <= 3000; seed++) try_world(seed, max_ways[seed % 4]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(normal_form_means_the_same)};
  return cmocka_run_group_tests_name("gdl normal form", tests, NULL, NULL);
}
