/* Evaluations of the others, in games of more than two. */
#include "play/other_evals.h"

#include "play/eval_file.h"
#include "play/shipped_evals.h"

enum { OWN_PARTS = 2 }; /* of what there is to learn with; each of the others has one */

alea_status alea_other_evals_init(alea_other_evals *o, const alea_player_setup *setup) {
  const alea_game *game = setup->game;
  *o = (alea_other_evals){0};
  if (game->role_count - (game->random_role >= 0) <= 2) return ALEA_OK; /* chance wants nothing */
  o->mem = setup->mem;
  o->role_count = game->role_count;
  o->evals = alea_mem_calloc(o->mem, o->role_count, sizeof *o->evals);
  o->known = alea_mem_calloc(o->mem, o->role_count, sizeof *o->known);
  if (o->evals == NULL || o->known == NULL) return alea_mem_lack(o->mem);
  alea_status status = ALEA_OK;
  for (uint32_t r = 0; status == ALEA_OK && r < o->role_count; r++)
    if (r != setup->role && (int)r != game->random_role)
      status = alea_linear_eval_init(&o->evals[r], game, r, o->mem);
  return status;
}

void alea_other_evals_clear(alea_other_evals *o) {
  if (o->mem == NULL) return;
  for (uint32_t r = 0; o->evals != NULL && r < o->role_count; r++)
    alea_linear_eval_clear(&o->evals[r]);
  alea_mem_free(o->mem, o->evals, o->role_count * sizeof *o->evals);
  alea_mem_free(o->mem, o->known, o->role_count * sizeof *o->known);
  *o = (alea_other_evals){0};
}

/* Whether the role is one of the others. */
static bool is_other(const alea_other_evals *o, uint32_t role) {
  return o->evals[role].mem != NULL;
}

alea_status alea_other_evals_ship(alea_other_evals *o) {
  alea_status status = ALEA_OK;
  for (uint32_t r = 0; status == ALEA_OK && r < o->role_count; r++)
    if (is_other(o, r)) status = alea_shipped_eval_read(&o->evals[r], &o->known[r]);
  return status;
}

alea_status alea_other_evals_read(alea_other_evals *o, const char *path) {
  for (uint32_t r = 0; r < o->role_count; r++) {
    if (!is_other(o, r)) continue;
    alea_status status = alea_eval_file_read(&o->evals[r], path, NULL);
    if (status == ALEA_LIMIT) return status;
    o->known[r] = status == ALEA_OK;
  }
  return ALEA_OK;
}

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
  o->known[role] = false;
  alea_linear_eval_clear(&o->evals[role]);
  alea_status status = alea_linear_eval_init(&o->evals[role], setup->game, role, o->mem);
  if (status == ALEA_OK) status = alea_eval_learn(&o->evals[role], &theirs, &some);
  o->known[role] = status == ALEA_OK && o->evals[role].plays > 0;
  return status;
}

alea_status alea_other_evals_learn(alea_other_evals *o, alea_linear_eval *own,
                                   const alea_player_setup *setup,
                                   const alea_eval_lessons *lessons) {
  if (o->mem == NULL) return alea_eval_learn(own, setup, lessons);
  uint32_t parts = OWN_PARTS;
  for (uint32_t r = 0; r < o->role_count; r++) parts += is_other(o, r);
  alea_status status = ALEA_OK;
  for (uint32_t r = 0; status == ALEA_OK && r < o->role_count; r++)
    if (is_other(o, r)) status = learn_other(o, r, setup, lessons, parts);
  alea_budget budget = alea_budget_part(lessons->budget, (double)OWN_PARTS / parts);
  alea_eval_lessons rest = *lessons;
  rest.budget = &budget;
  return status == ALEA_OK ? alea_eval_learn(own, setup, &rest) : status;
}
