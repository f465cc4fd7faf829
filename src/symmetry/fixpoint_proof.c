/* Implications about least fixpoints, by induction. */
#include "symmetry/fixpoint_proof.h"

enum { MOST_ROUNDS = 300, CONFLICTS = 20000 };

typedef struct fixpoint_prover {
  alea_equivalence *e;
  alea_slit *step; /* per node of the circuit: its literal before the step, or 0 */
  size_t nodes;
  alea_u32s todo;               /* gates whose literal is not defined yet */
  ALEA_VEC(alea_slit) befores;  /* per claim: its gate holds before the step; 0 once dropped */
  ALEA_VEC(alea_slit) claimed;  /* per claim: its literal */
  ALEA_VEC(alea_slit) failures; /* per claim: it fails after the step */
  ALEA_VEC(alea_slit) lits;     /* scratch */
} fixpoint_prover;

/* ---- one step ---- */

/* Gates of kind OR are open; those of kind AND follow from them at once. */
static alea_slit before_step(fixpoint_prover *p, uint32_t lit) {
  uint32_t node = lit >> 1;
  alea_circuit_kind kind = p->e->circuit->gates.data[node].kind;
  if (kind != ALEA_CIRCUIT_CYCLE_OR && kind != ALEA_CIRCUIT_CYCLE_AND)
    return alea_equivalence_literal(p->e, lit);
  if (p->step[node] == 0) {
    if (kind == ALEA_CIRCUIT_CYCLE_AND && !alea_vec_push(p->e->mem, &p->todo, node)) return 0;
    p->step[node] = alea_sat_variable(&p->e->sat);
  }
  return lit & 1 ? -p->step[node] : p->step[node];
}

static bool collect_inputs(fixpoint_prover *p, uint32_t node) {
  const alea_circuit_gate *gate = &p->e->circuit->gates.data[node];
  p->lits.count = 0;
  for (uint32_t i = 0; i < gate->count; i++) {
    alea_slit lit = before_step(p, p->e->circuit->inputs.data[gate->first + i]);
    if (lit == 0 || !alea_vec_push(p->e->mem, &p->lits, lit)) return false;
  }
  return true;
}

/* Whether the gate holds after the step; 0 without memory. */
static alea_slit after_step(fixpoint_prover *p, uint32_t node) {
  if (!collect_inputs(p, node)) return 0;
  alea_slit after = alea_sat_gate(&p->e->sat, true, p->lits.data, p->lits.count);
  while (p->todo.count > 0) {
    uint32_t gate = p->todo.data[--p->todo.count];
    if (!collect_inputs(p, gate)) return 0;
    alea_sat_define(&p->e->sat, p->step[gate], false, p->lits.data, p->lits.count);
  }
  return after;
}

/* Claims of one gate stand together. */
static bool state_claims(fixpoint_prover *p, const alea_fixpoint_claim *claims, size_t count) {
  alea_sat *sat = &p->e->sat;
  alea_slit after = 0;
  for (size_t i = 0; i < count; i++) {
    if (i == 0 || claims[i].gate != claims[i - 1].gate) after = after_step(p, claims[i].gate);
    alea_slit before = before_step(p, 2 * claims[i].gate);
    alea_slit lit = alea_equivalence_literal(p->e, claims[i].lit);
    if (after == 0 || before == 0 || lit == 0) return false;
    alea_slit fails[2] = {after, -lit};
    if (!alea_vec_push(p->e->mem, &p->befores, before) ||
        !alea_vec_push(p->e->mem, &p->claimed, lit) ||
        !alea_vec_push(p->e->mem, &p->failures, alea_sat_gate(sat, false, fails, 2)))
      return false;
  }
  return true;
}

/* ---- the induction ---- */

/* A literal under which the claims that are left hold before the step.  Those
 * of the last round are not taken back one by one: thousands of assumptions
 * cost more than the clauses. */
static alea_slit assume_claims(fixpoint_prover *p) {
  alea_slit round = alea_sat_variable(&p->e->sat);
  for (size_t i = 0; i < p->befores.count; i++)
    if (p->befores.data[i] != 0)
      alea_sat_clause3(&p->e->sat, -round, -p->befores.data[i], p->claimed.data[i]);
  return round;
}

/* Drops what fails, until nothing does. */
static alea_status induce(fixpoint_prover *p, alea_slit not_b, bool *closed) {
  alea_sat *sat = &p->e->sat;
  *closed = false;
  for (int round = 0; round < MOST_ROUNDS && !*closed && !alea_sat_over(sat); round++) {
    alea_slit asking = alea_sat_variable(sat);
    p->lits.count = 0;
    if (!alea_vec_reserve(p->e->mem, &p->lits, p->failures.count + 1))
      return alea_mem_lack(p->e->mem);
    p->lits.data[p->lits.count++] = -asking;
    for (size_t i = 0; i < p->failures.count; i++)
      if (p->befores.data[i] != 0) p->lits.data[p->lits.count++] = p->failures.data[i];
    alea_sat_clause(sat, p->lits.data, p->lits.count);
    alea_slit claims = assume_claims(p);
    alea_sat_assume(sat, claims);
    alea_sat_assume(sat, asking);
    alea_sat_assume(sat, not_b);
    alea_verdict answer = alea_sat_solve(sat, CONFLICTS);
    *closed = answer == ALEA_VERDICT_REFUTED;
    if (answer != ALEA_VERDICT_PROVED) break;
    for (size_t i = 0; i < p->failures.count; i++)
      if (p->befores.data[i] != 0 && alea_sat_value(sat, p->failures.data[i]))
        p->befores.data[i] = 0;
    alea_sat_clause(sat, &(alea_slit){-claims}, 1);
  }
  return ALEA_OK;
}

/* With the claims that are left, does a still hold without b? */
static alea_status conclude(fixpoint_prover *p, uint32_t a, alea_slit not_b,
                            const alea_fixpoint_claim *claims, bool *implied) {
  alea_sat *sat = &p->e->sat;
  alea_slit then = alea_sat_variable(sat), x = alea_equivalence_literal(p->e, a);
  if (x == 0) return alea_mem_lack(p->e->mem);
  for (size_t i = 0; i < p->befores.count; i++) {
    if (p->befores.data[i] == 0) continue;
    alea_slit gate = alea_equivalence_literal(p->e, 2 * claims[i].gate);
    if (gate == 0) return alea_mem_lack(p->e->mem);
    alea_sat_clause3(sat, -then, -gate, p->claimed.data[i]);
  }
  alea_sat_assume(sat, then);
  alea_sat_assume(sat, x);
  alea_sat_assume(sat, not_b);
  *implied = alea_sat_solve(sat, CONFLICTS) == ALEA_VERDICT_REFUTED;
  return ALEA_OK;
}

alea_status alea_fixpoint_implies(alea_equivalence *e, uint32_t a, uint32_t b,
                                  const alea_fixpoint_claim *claims, size_t count, bool *implied) {
  fixpoint_prover p = {.e = e, .nodes = e->circuit->gates.count};
  bool closed = false;
  *implied = false;
  p.step = alea_mem_calloc(e->mem, p.nodes, sizeof *p.step);
  alea_slit not_b = p.step != NULL ? alea_equivalence_literal(e, b ^ 1) : 0;
  alea_status status = ALEA_OK;
  if (not_b == 0 || !state_claims(&p, claims, count)) status = alea_mem_lack(e->mem);
  if (status == ALEA_OK) status = induce(&p, not_b, &closed);
  if (status == ALEA_OK && closed) status = conclude(&p, a, not_b, claims, implied);
  alea_mem_free(e->mem, p.step, p.nodes * sizeof *p.step);
  alea_vec_clear(e->mem, &p.todo);
  alea_vec_clear(e->mem, &p.befores);
  alea_vec_clear(e->mem, &p.claimed);
  alea_vec_clear(e->mem, &p.failures);
  alea_vec_clear(e->mem, &p.lits);
  return status;
}

alea_status alea_fixpoint_gates(const alea_circuit *c, uint32_t lit, alea_u32s *gates,
                                alea_mem *mem) {
  uint8_t *seen = alea_mem_calloc(mem, c->gates.count, 1);
  alea_u32s todo = {0};
  bool good = seen != NULL && alea_vec_push(mem, &todo, lit >> 1);
  while (good && todo.count > 0) {
    uint32_t node = todo.data[--todo.count];
    const alea_circuit_gate *gate = &c->gates.data[node];
    if (seen[node]) continue;
    seen[node] = 1;
    if (gate->kind == ALEA_CIRCUIT_CYCLE_OR) good = alea_vec_push(mem, gates, node);
    for (uint32_t i = 0; good && i < gate->count; i++)
      good = alea_vec_push(mem, &todo, c->inputs.data[gate->first + i] >> 1);
  }
  alea_mem_free(mem, seen, c->gates.count);
  alea_vec_clear(mem, &todo);
  return good ? ALEA_OK : alea_mem_lack(mem);
}
