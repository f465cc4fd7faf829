/* Set quantifiers ([TOSS10 §3]): `ex X` becomes a satisfiability question for
 * CaDiCaL.  The body is a circuit whose inputs are the memberships in X;
 * everything else is known.  A block of existential quantifiers is one
 * question.
 *
 * A quantifier inside the body is at first an input as well, whose meaning is
 * found out as far as it matters (counterexample-guided expansion: Janota,
 * Klieber, Marques-Silva, Clarke, SAT 2012).  Of each model it is asked whether
 * the quantifier is as the model has it, which is a question of the same kind.
 * Where it fails though the model has it true, its body is demanded of a set of
 * new inputs; where it holds though the model has it false, the body must fail
 * of the set that was found. */
#include <string.h>

#include "sat/sat.h"
#include "toss/symbolic.h"

enum { MOST_BLOCK = 8, MOST_ROUNDS = 20000 };
#define NO_ROW UINT32_MAX

/* A quantifier in the body, where its variables have certain values. */
typedef struct set_instance {
  uint32_t code;
  alea_toss_lit lit;  /* the input that stands for it, not negated */
  uint32_t *elements; /* per slot */
  uint32_t *rows;
  bool expanded; /* as a demand on new inputs: true is true from then on */
} set_instance;

typedef struct set_search {
  alea_toss_env *env;
  alea_toss_circuit circuit;
  alea_toss_symbolic symbolic;
  alea_sat sat;
  uint32_t added;                  /* nodes of the circuit that the solver has */
  uint32_t *rows;                  /* per slot of a set: its row of literals, or NO_ROW */
  ALEA_VEC(alea_toss_lit) members; /* row * capacity + element */
  ALEA_VEC(set_instance) instances;
  ALEA_VEC(alea_toss_lit) clauses; /* two literals each, to be added */
  uint32_t *elements;              /* of the environment, as they were */
  uint64_t *sets;
} set_search;

typedef alea_toss_lit lit_t;

static alea_mem *mem_of(const set_search *s) { return s->env->mem; }
static const alea_toss_code *code_of(const set_search *s, uint32_t id) {
  return &s->env->logic->codes.data[id];
}
static uint32_t kid_of(const set_search *s, uint32_t id) {
  return s->env->logic->kids.data[code_of(s, id)->first];
}
static size_t element_bytes(const set_search *s) {
  return s->env->element_slots * sizeof *s->env->elements;
}
static size_t set_bytes(const set_search *s) {
  return s->env->set_slots * s->env->set_words * sizeof *s->env->sets;
}
static size_t row_bytes(const set_search *s) { return s->env->set_slots * sizeof *s->rows; }
static void lack(set_search *s) { s->env->status = alea_mem_lack(mem_of(s)); }

/* ---- the circuit ---- */

static lit_t atom(void *context, uint32_t relation, const uint32_t *tuple) {
  const set_search *s = context;
  return alea_toss_structure_has(s->env->structure, relation, tuple) ? ALEA_TOSS_LIT_TRUE
                                                                     : ALEA_TOSS_LIT_FALSE;
}

static lit_t member(void *context, uint32_t slot, uint32_t element) {
  const set_search *s = context;
  if (s->rows[slot] == NO_ROW) return UINT32_MAX;
  return s->members.data[(size_t)s->rows[slot] * s->env->structure->capacity + element];
}

static void *copy(set_search *s, const void *data, size_t size) {
  void *made = alea_mem_alloc(mem_of(s), size);
  if (made == NULL) {
    lack(s);
  } else {
    memcpy(made, data, size);
  }
  return made;
}

static lit_t quantifier(void *context, uint32_t code) {
  set_search *s = context;
  set_instance i = {.code = code, .lit = alea_toss_circuit_input(&s->circuit)};
  i.elements = copy(s, s->env->elements, element_bytes(s));
  i.rows = copy(s, s->rows, row_bytes(s));
  if (i.elements == NULL || i.rows == NULL || !alea_vec_push(mem_of(s), &s->instances, i)) {
    alea_mem_free(mem_of(s), i.elements, i.elements != NULL ? element_bytes(s) : 0);
    alea_mem_free(mem_of(s), i.rows, i.rows != NULL ? row_bytes(s) : 0);
    lack(s);
  }
  return i.lit;
}

/* Binds a set to a row of inputs or, with 'bits', to what it is. */
static void bind_row(set_search *s, uint32_t slot, const uint64_t *bits) {
  uint32_t n = s->env->structure->capacity;
  s->rows[slot] = (uint32_t)(s->members.count / (n > 0 ? n : 1));
  for (uint32_t e = 0; e < n; e++) {
    lit_t lit = ALEA_TOSS_LIT_FALSE;
    if (bits != NULL && (bits[e / 64] >> (e % 64) & 1)) lit = ALEA_TOSS_LIT_TRUE;
    if (bits == NULL && s->env->structure->alive[e]) lit = alea_toss_circuit_input(&s->circuit);
    if (!alea_vec_push(mem_of(s), &s->members, lit)) lack(s);
  }
}

/* The block of quantifiers that begins with the set 'slot' over the body
 * 'code': all their slots.  Returns the body below them. */
static uint32_t open_block(const set_search *s, uint32_t code, uint32_t *slots, size_t *count) {
  while (*count < MOST_BLOCK && code_of(s, code)->op == ALEA_TOSS_OP_EXISTS_SET &&
         !code_of(s, code)->negated) {
    slots[(*count)++] = code_of(s, code)->slot;
    code = kid_of(s, code);
  }
  return code;
}

/* Node n of the circuit is variable n + 1, so that node 0, which is true, is
 * the constant of sat/sat.h. */
static alea_slit literal(lit_t lit) {
  alea_slit variable = (alea_slit)(lit / 2) + 1;
  return lit & 1 ? -variable : variable;
}

/* Tells the solver of the gates that are new. */
static void add_gates(set_search *s) {
  const alea_toss_circuit *c = &s->circuit;
  ALEA_VEC(alea_slit) inputs = {0};
  while (s->sat.variables < (int)c->gates.count) alea_sat_variable(&s->sat);
  for (; s->added < c->gates.count; s->added++) {
    const alea_toss_gate *gate = &c->gates.data[s->added];
    if (gate->count == 0) continue;
    inputs.count = 0;
    for (uint32_t i = 0; i < gate->count; i++)
      if (!alea_vec_push(mem_of(s), &inputs, literal(c->inputs.data[gate->first + i]))) lack(s);
    if (s->env->status != ALEA_OK) break;
    alea_sat_define(&s->sat, literal(2 * s->added), false, inputs.data, gate->count);
  }
  alea_vec_clear(mem_of(s), &inputs);
}

/* ---- models ---- */

static bool value_of(const set_search *s, lit_t lit) {
  if (lit <= ALEA_TOSS_LIT_FALSE) return lit == ALEA_TOSS_LIT_TRUE;
  /* The solver has not heard of a node that is new: any value will do. */
  if (lit / 2 >= s->added) return false;
  return alea_sat_value(&s->sat, literal(lit));
}

/* The sets of these rows, as the model has them. */
static void load_sets(set_search *s, const uint32_t *rows) {
  uint32_t n = s->env->structure->capacity;
  for (uint32_t slot = 0; slot < s->env->set_slots; slot++) {
    uint64_t *set = s->env->sets + slot * s->env->set_words;
    memcpy(set, s->sets + slot * s->env->set_words, s->env->set_words * sizeof *set);
    if (rows[slot] == NO_ROW) continue;
    memset(set, 0, s->env->set_words * sizeof *set);
    for (uint32_t e = 0; e < n; e++)
      if (value_of(s, s->members.data[(size_t)rows[slot] * n + e]))
        set[e / 64] |= (uint64_t)1 << (e % 64);
  }
}

static void add_clause(set_search *s, lit_t a, lit_t b) {
  if (!alea_vec_push(mem_of(s), &s->clauses, a) || !alea_vec_push(mem_of(s), &s->clauses, b))
    lack(s);
}

/* The body of an instance, of sets of new inputs or of those in the
 * environment. */
static lit_t body_of(set_search *s, const set_instance *i, bool fresh) {
  uint32_t slots[MOST_BLOCK + 1] = {code_of(s, i->code)->slot};
  size_t count = 1;
  uint32_t body = open_block(s, kid_of(s, i->code), slots, &count);
  memcpy(s->rows, i->rows, row_bytes(s));
  memcpy(s->env->elements, i->elements, element_bytes(s));
  for (size_t k = 0; k < count; k++)
    bind_row(s, slots[k], fresh ? NULL : s->env->sets + slots[k] * s->env->set_words);
  return alea_toss_symbolic_formula(&s->symbolic, body);
}

/* Forbids that the sets which the instance reads are as they are while its
 * input has this value: all that can be said of numbers. */
static void forbid(set_search *s, const set_instance *i, bool value) {
  uint32_t n = s->env->structure->capacity;
  ALEA_VEC(lit_t) same = {0};
  for (uint32_t slot = 0; slot < s->env->set_slots; slot++)
    for (uint32_t e = 0; i->rows[slot] != NO_ROW && e < n; e++) {
      lit_t lit = s->members.data[(size_t)i->rows[slot] * n + e];
      if (!alea_vec_push(mem_of(s), &same, value_of(s, lit) ? lit : lit ^ 1)) lack(s);
    }
  lit_t all = alea_toss_circuit_and(&s->circuit, same.data, same.count);
  alea_vec_clear(mem_of(s), &same);
  add_clause(s, all ^ 1, value ? i->lit ^ 1 : i->lit);
}

/* Whether the instance is as the model has it; if not, what follows is noted. */
static bool agrees(set_search *s, size_t at) {
  set_instance i = s->instances.data[at];
  bool claimed = value_of(s, i.lit), sets = code_of(s, i.code)->op == ALEA_TOSS_OP_EXISTS_SET;
  if (claimed && i.expanded) return true;
  memcpy(s->env->elements, i.elements, element_bytes(s));
  load_sets(s, i.rows);
  bool holds = alea_toss_holds(s->env, i.code) != code_of(s, i.code)->negated;
  if (holds == claimed || s->env->status != ALEA_OK) return true;
  if (!sets) {
    forbid(s, &i, claimed);
  } else if (claimed) {
    add_clause(s, i.lit ^ 1, body_of(s, &i, true));
    s->instances.data[at].expanded = true;
  } else {
    add_clause(s, i.lit, body_of(s, &i, false) ^ 1);
  }
  return false;
}

/* ---- the search ---- */

static alea_status trouble(const set_search *s) {
  if (s->env->status != ALEA_OK) return s->env->status;
  if (s->symbolic.status != ALEA_OK) return ALEA_LIMIT;
  return s->circuit.failed ? ALEA_SYSTEM : ALEA_OK;
}

static bool start(set_search *s) {
  s->rows = alea_mem_alloc(mem_of(s), row_bytes(s));
  s->elements = copy(s, s->env->elements, element_bytes(s));
  s->sets = copy(s, s->env->sets, set_bytes(s));
  alea_toss_circuit_init(&s->circuit, mem_of(s));
  if (s->rows != NULL) memset(s->rows, 0xff, row_bytes(s));
  s->symbolic = (alea_toss_symbolic){.circuit = &s->circuit,
                                     .env = s->env,
                                     .atom = atom,
                                     .member = member,
                                     .quantifier = quantifier,
                                     .context = s,
                                     .labels = true};
  bool good = s->rows != NULL && s->elements != NULL && s->sets != NULL &&
              alea_sat_init(&s->sat, ALEA_SAT_LONG, 0);
  if (!good) s->env->status = ALEA_SYSTEM;
  return good;
}

static void stop(set_search *s) {
  for (size_t i = 0; i < s->instances.count; i++) {
    alea_mem_free(mem_of(s), s->instances.data[i].elements, element_bytes(s));
    alea_mem_free(mem_of(s), s->instances.data[i].rows, row_bytes(s));
  }
  alea_vec_clear(mem_of(s), &s->instances);
  alea_vec_clear(mem_of(s), &s->members);
  alea_vec_clear(mem_of(s), &s->clauses);
  alea_toss_circuit_clear(&s->circuit);
  alea_sat_clear(&s->sat);
  if (s->elements != NULL) {
    memcpy(s->env->elements, s->elements, element_bytes(s));
    alea_mem_free(mem_of(s), s->elements, element_bytes(s));
  }
  if (s->sets != NULL) alea_mem_free(mem_of(s), s->sets, set_bytes(s));
  if (s->rows != NULL) alea_mem_free(mem_of(s), s->rows, row_bytes(s));
}

/* One question; '*again' where the model was none of the formula. */
static bool ask(set_search *s, bool *again) {
  add_gates(s);
  for (size_t i = 0; i < s->clauses.count; i += 2)
    alea_sat_clause2(&s->sat, literal(s->clauses.data[i]), literal(s->clauses.data[i + 1]));
  s->clauses.count = 0;
  *again = false;
  if (trouble(s) != ALEA_OK || alea_sat_solve(&s->sat, 0) != ALEA_VERDICT_PROVED) return false;
  size_t count = s->instances.count;
  for (size_t i = 0; i < count && trouble(s) == ALEA_OK; i++)
    if (!agrees(s, i)) *again = true;
  return true;
}

bool alea_toss_exists_set(alea_toss_env *env, uint32_t code, uint32_t slot) {
  set_search s = {.env = env};
  uint32_t slots[MOST_BLOCK + 1] = {slot}, *block = NULL;
  size_t count = 1;
  bool found = false, again = true;
  if (start(&s)) {
    uint32_t body = open_block(&s, code, slots, &count);
    for (size_t i = 0; i < count; i++) bind_row(&s, slots[i], NULL);
    block = copy(&s, s.rows, row_bytes(&s));
    lit_t root = alea_toss_symbolic_formula(&s.symbolic, body);
    add_clause(&s, root, root);
  }
  for (int round = 0; again && trouble(&s) == ALEA_OK; round++) {
    found = ask(&s, &again);
    if (again && round == MOST_ROUNDS) env->status = ALEA_LIMIT;
  }
  found = found && !again && trouble(&s) == ALEA_OK;
  if (trouble(&s) != ALEA_OK) env->status = trouble(&s);
  /* What was found stays in the environment. */
  if (found) load_sets(&s, block);
  if (!found && s.sets != NULL) memcpy(env->sets, s.sets, set_bytes(&s));
  if (block != NULL) alea_mem_free(env->mem, block, row_bytes(&s));
  stop(&s);
  return found;
}
