/* Set quantifiers ([TOSS10 §3]): `ex X` becomes a question for CaDiCaL.  The
 * body is a circuit whose inputs say which elements X holds; all else is
 * known.  An existential block in front is one question. */
#include <ccadical.h>
#include <string.h>

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

static int variable(alea_toss_lit lit) { return lit & 1 ? -(int)(lit / 2) : (int)(lit / 2); }

static void clause(CCaDiCaL *solver, int a, int b) {
  ccadical_add(solver, a);
  if (b != 0) ccadical_add(solver, b);
  ccadical_add(solver, 0);
}

/* Tseitin's clauses for every gate, and the root. */
static bool satisfiable(const alea_toss_circuit *c, alea_toss_lit root) {
  if (root <= ALEA_TOSS_LIT_FALSE) return root == ALEA_TOSS_LIT_TRUE;
  CCaDiCaL *solver = ccadical_init();
  for (uint32_t node = 1; node <= root / 2; node++) {
    const alea_toss_gate *gate = &c->gates.data[node];
    if (gate->count == 0) continue;
    for (uint32_t i = 0; i < gate->count; i++) {
      clause(solver, -(int)node, variable(c->inputs.data[gate->first + i]));
    }
    for (uint32_t i = 0; i < gate->count; i++) {
      ccadical_add(solver, -variable(c->inputs.data[gate->first + i]));
    }
    clause(solver, (int)node, 0);
  }
  clause(solver, variable(root), 0);
  bool result = ccadical_solve(solver) == 10;
  ccadical_release(solver);
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
  if (s.status != ALEA_OK) env->status = ALEA_LIMIT; /* alternating sets over many elements */
  alea_toss_circuit_clear(&circuit);
  alea_mem_free(env->mem, a.members, size);
  return result;
}
