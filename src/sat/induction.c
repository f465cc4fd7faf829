/* Groups of literals, given up where a model refutes them. */
#include "sat/induction.h"

void alea_induction_clear(alea_induction *n) {
  if (n->mem == NULL) return;
  alea_vec_clear(n->mem, &n->groups);
  alea_vec_clear(n->mem, &n->lits);
}

/* ---- groups ---- */

/* 'guard' implies that none of the literals follows another: each clause of a
 * chain carries the guard. */
static void guard_exclusive(alea_sat *sat, alea_slit guard, const alea_slit *lits, size_t count) {
  alea_slit some = ALEA_SLIT_FALSE;
  for (size_t i = 0; i < count; i++) {
    alea_sat_clause3(sat, -guard, -some, -lits[i]);
    alea_slit next = alea_sat_variable(sat);
    alea_sat_clause2(sat, -some, next);
    alea_sat_clause2(sat, -lits[i], next);
    some = next;
  }
}

/* A literal that equals that two of the literals hold: the model of a question
 * then names every group that it refutes. */
static alea_slit two_hold(alea_sat *sat, const alea_slit *lits, size_t count) {
  alea_slit some = ALEA_SLIT_FALSE; /* one of those before */
  alea_slit two = ALEA_SLIT_FALSE;
  for (size_t i = 0; i < count; i++) {
    alea_slit both = alea_sat_gate(sat, false, (alea_slit[]){some, lits[i]}, 2);
    two = alea_sat_gate(sat, true, (alea_slit[]){two, both}, 2);
    some = alea_sat_gate(sat, true, (alea_slit[]){some, lits[i]}, 2);
  }
  return two;
}

alea_status alea_induction_add(alea_induction *n, uint32_t question, const alea_slit *now,
                               size_t now_count, const alea_slit *then, size_t then_count) {
  alea_induction_group group = {.question = question};
  if (now_count > 0) {
    group.hypothesis = alea_sat_variable(n->sat);
    guard_exclusive(n->sat, group.hypothesis, now, now_count);
  }
  group.failure = two_hold(n->sat, then, then_count);
  if (!alea_vec_push(n->mem, &n->groups, group)) return alea_mem_lack(n->mem);
  return alea_sat_full(n->sat) ? ALEA_LIMIT : ALEA_OK;
}

/* ---- questions ---- */

static bool is_asked(const alea_induction_group *group, uint32_t question) {
  return !group->given_up && group->question == question;
}

/* Whether 'asking' can hold where the hypotheses do. */
static alea_status solve(alea_induction *n, alea_slit asking, alea_slit given, uint64_t conflicts,
                         alea_verdict *answer) {
  n->lits.count = 0;
  if (!alea_vec_reserve(n->mem, &n->lits, n->groups.count + 2)) return alea_mem_lack(n->mem);
  n->lits.data[n->lits.count++] = asking;
  if (given != ALEA_SLIT_TRUE) n->lits.data[n->lits.count++] = given;
  for (size_t i = 0; i < n->groups.count; i++) {
    const alea_induction_group *group = &n->groups.data[i];
    if (!group->given_up && group->hypothesis != 0)
      n->lits.data[n->lits.count++] = group->hypothesis;
  }
  if (n->solve != NULL) return n->solve(n->data, n->lits.data, n->lits.count, conflicts, answer);
  for (size_t i = 0; i < n->lits.count; i++) alea_sat_assume(n->sat, n->lits.data[i]);
  *answer = alea_sat_solve(n->sat, conflicts);
  return ALEA_OK;
}

/* Whether some group of the question fails; those that do are given up. */
static alea_status ask_all(alea_induction *n, uint32_t question, alea_slit given,
                           uint64_t conflicts, alea_verdict *answer) {
  n->lits.count = 0;
  if (!alea_vec_reserve(n->mem, &n->lits, n->groups.count + 1)) return alea_mem_lack(n->mem);
  alea_slit asking = alea_sat_variable(n->sat);
  n->lits.data[n->lits.count++] = -asking;
  for (size_t i = 0; i < n->groups.count; i++)
    if (is_asked(&n->groups.data[i], question))
      n->lits.data[n->lits.count++] = n->groups.data[i].failure;
  alea_sat_clause(n->sat, n->lits.data, n->lits.count);
  alea_status status = solve(n, asking, given, conflicts, answer);
  if (status != ALEA_OK || *answer != ALEA_VERDICT_PROVED) return status;
  for (size_t i = 0; i < n->groups.count; i++)
    if (is_asked(&n->groups.data[i], question) && alea_sat_value(n->sat, n->groups.data[i].failure))
      n->groups.data[i].given_up = true;
  return ALEA_OK;
}

/* Group by group, until no hypothesis falls any more: the solver then sees
 * what it is about. */
static alea_status ask_each(alea_induction *n, uint32_t question, alea_slit given,
                            const alea_induction_limits *limits, bool *proved) {
  uint32_t questions = 0;
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < n->groups.count; i++) {
      alea_induction_group *group = &n->groups.data[i];
      alea_verdict answer;
      if (!is_asked(group, question)) continue;
      if (limits->each_questions > 0 && questions++ >= limits->each_questions) return ALEA_OK;
      alea_status status = solve(n, group->failure, given, limits->each_conflicts, &answer);
      if (status != ALEA_OK) return status;
      if (answer == ALEA_VERDICT_REFUTED) continue;
      if (alea_deadline_passed(n->sat->deadline)) return ALEA_OK;
      group->given_up = true;
      again |= group->hypothesis != 0;
    }
  }
  *proved = true;
  return ALEA_OK;
}

alea_status alea_induction_run(alea_induction *n, uint32_t question, alea_slit given,
                               const alea_induction_limits *limits, bool *proved) {
  alea_verdict answer = ALEA_VERDICT_PROVED;
  alea_status status = ALEA_OK;
  *proved = false;
  for (uint32_t round = 0; limits->rounds == 0 || round < limits->rounds; round++) {
    status = ask_all(n, question, given, limits->conflicts, &answer);
    if (status != ALEA_OK || answer != ALEA_VERDICT_PROVED) break;
  }
  *proved = status == ALEA_OK && answer == ALEA_VERDICT_REFUTED;
  if (status == ALEA_OK && answer == ALEA_VERDICT_UNKNOWN && limits->each &&
      !alea_deadline_passed(n->sat->deadline))
    status = ask_each(n, question, given, limits, proved);
  for (size_t i = 0; i < n->groups.count && !*proved; i++)
    n->groups.data[i].given_up |= n->groups.data[i].question == question;
  return status;
}
