/* Set quantifiers ([TOSS10 §3]): `ex X` becomes a satisfiability question for
 * CaDiCaL.  The body is a circuit whose inputs are the memberships in X;
 * everything else is known.  A block of existential quantifiers is one
 * question. */
#include <string.h>

#include "sat/sat.h"
#include "toss/symbolic.h"

enum { MOST_BLOCK = 8 };

typedef struct asker {
  alea_toss_env *env;
  uint32_t slots[MOST_BLOCK];
  size_t count;
  alea_toss_lit *members; /* set * capacity + element */
} asker;

static alea_toss_lit atom(void *context, uint32_t relation, const uint32_t *tuple) {
  const asker *a = context;
  return alea_toss_structure_has(a->env->structure, relation, tuple) ? ALEA_TOSS_LIT_TRUE
                                                                     : ALEA_TOSS_LIT_FALSE;
}

static alea_toss_lit member(void *context, uint32_t slot, uint32_t element) {
  const asker *a = context;
  for (size_t i = 0; i < a->count; i++) {
    if (a->slots[i] == slot) return a->members[i * a->env->structure->capacity + element];
  }
  return UINT32_MAX;
}

/* Node n of the circuit is variable n + 1, so that node 0, which is true, is
 * the constant of sat/sat.h. */
static alea_slit literal(alea_toss_lit lit) {
  alea_slit variable = (alea_slit)(lit / 2) + 1;
  return lit & 1 ? -variable : variable;
}

/* Adds the clauses of every gate up to the root, and the root. */
static void add_circuit(alea_sat *sat, const alea_toss_circuit *c, alea_toss_lit root,
                        alea_slit *inputs) {
  while (sat->variables <= (int)(root / 2)) alea_sat_variable(sat);
  for (uint32_t node = 1; node <= root / 2; node++) {
    const alea_toss_gate *gate = &c->gates.data[node];
    if (gate->count == 0) continue;
    for (uint32_t i = 0; i < gate->count; i++) inputs[i] = literal(c->inputs.data[gate->first + i]);
    alea_sat_define(sat, literal(2 * node), false, inputs, gate->count);
  }
  alea_slit top = literal(root);
  alea_sat_clause(sat, &top, 1);
}

static bool satisfiable(alea_toss_circuit *c, alea_toss_lit root) {
  if (root <= ALEA_TOSS_LIT_FALSE) return root == ALEA_TOSS_LIT_TRUE;
  size_t size = (c->inputs.count + 1) * sizeof(alea_slit);
  alea_slit *inputs = alea_mem_alloc(c->mem, size);
  alea_sat sat = {0};
  bool result = false;
  if (inputs == NULL || !alea_sat_init(&sat, ALEA_SAT_LONG, 0)) {
    c->failed = true;
  } else {
    add_circuit(&sat, c, root, inputs);
    result = alea_sat_solve(&sat, 0) == ALEA_VERDICT_PROVED;
  }
  alea_sat_clear(&sat);
  alea_mem_free(c->mem, inputs, size);
  return result;
}

static uint32_t open_block(asker *a, uint32_t code) {
  const alea_toss_logic *l = a->env->logic;
  while (a->count < MOST_BLOCK && l->codes.data[code].op == ALEA_TOSS_OP_EXISTS_SET &&
         !l->codes.data[code].negated) {
    a->slots[a->count++] = l->codes.data[code].slot;
    code = l->kids.data[l->codes.data[code].first];
  }
  return code;
}

bool alea_toss_exists_set(alea_toss_env *env, uint32_t code, uint32_t slot) {
  uint32_t n = env->structure->capacity;
  asker a = {.env = env, .slots = {slot}, .count = 1};
  code = open_block(&a, code);
  size_t size = a.count * n * sizeof *a.members;
  a.members = alea_mem_alloc(env->mem, size);
  if (a.members == NULL) {
    env->status = ALEA_SYSTEM;
    return false;
  }
  alea_toss_circuit circuit;
  alea_toss_circuit_init(&circuit, env->mem);
  for (size_t i = 0; i < a.count * n; i++) {
    bool alive = env->structure->alive[i % n] != 0;
    a.members[i] = alive ? alea_toss_circuit_input(&circuit) : ALEA_TOSS_LIT_FALSE;
  }
  alea_toss_symbolic s = {.circuit = &circuit,
                          .env = env,
                          .atom = atom,
                          .member = member,
                          .context = &a,
                          .labels = true};
  alea_toss_lit root = alea_toss_symbolic_formula(&s, code);
  if (circuit.failed) s.status = ALEA_LIMIT;
  bool result = s.status == ALEA_OK && satisfiable(&circuit, root);
  if (s.status != ALEA_OK) {
    env->status = ALEA_LIMIT; /* nested set quantifiers over many elements */
  } else if (circuit.failed) {
    env->status = ALEA_SYSTEM;
  }
  alea_toss_circuit_clear(&circuit);
  alea_mem_free(env->mem, a.members, size);
  return result;
}
