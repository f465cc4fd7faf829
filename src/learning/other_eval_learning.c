/* Learning what the others want, in games of more than two. */
#include "learning/other_eval_learning.h"

enum { OWN_PARTS = 2 }; /* of what there is to learn with; each of the others has one */

static uint64_t part_of(uint64_t count, uint32_t parts) {
  return count < UINT64_MAX ? count / parts : count; /* which is as many as there is time for */
}

/* Learns what one of the others wants, from plays alone. */
static alea_status learn_other(alea_other_evals *o, uint32_t role, const alea_player_setup *setup,
                               const alea_eval_lessons *lessons, uint32_t parts) {
  alea_player_setup theirs = *setup;
  alea_budget budget = alea_budget_part(lessons->budget, 1.0 / parts);
  alea_eval_lessons some = {
      .plays = part_of(lessons->plays, OWN_PARTS), .budget = &budget, .rng = lessons->rng};
  theirs.role = role;
  alea_linear_eval *eval = &o->evals[role];
  alea_status status = ALEA_OK;
  if (eval->plays > 0) { /* what was learnt before is forgotten */
    alea_linear_eval_clear(eval);
    status = alea_linear_eval_init(eval, setup->game, role, o->mem);
  }
  if (status == ALEA_OK) status = alea_eval_learn(eval, &theirs, &some);
  o->known[role] = status == ALEA_OK && eval->plays > 0;
  return status;
}

alea_status alea_other_evals_learn(alea_other_evals *o, alea_linear_eval *own,
                                   const alea_player_setup *setup,
                                   const alea_eval_lessons *lessons) {
  if (o->mem == NULL) return alea_eval_learn(own, setup, lessons);
  uint32_t parts = OWN_PARTS;
  for (uint32_t r = 0; r < o->role_count; r++) parts += alea_other_evals_include(o, r);
  alea_status status = ALEA_OK;
  for (uint32_t r = 0; status == ALEA_OK && r < o->role_count; r++)
    if (alea_other_evals_include(o, r)) status = learn_other(o, r, setup, lessons, parts);
  alea_budget budget = alea_budget_part(lessons->budget, (double)OWN_PARTS / parts);
  alea_eval_lessons rest = *lessons;
  rest.budget = &budget;
  return status == ALEA_OK ? alea_eval_learn(own, setup, &rest) : status;
}
