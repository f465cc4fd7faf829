/* Evaluations of the others, in games of more than two. */
#include "minimax/other_evals.h"

#include "minimax/eval_file.h"
#include "minimax/shipped_evals.h"

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

alea_status alea_other_evals_ship(alea_other_evals *o) {
  alea_status status = ALEA_OK;
  for (uint32_t r = 0; status == ALEA_OK && r < o->role_count; r++)
    if (alea_other_evals_include(o, r)) status = alea_shipped_eval_read(&o->evals[r], &o->known[r]);
  return status;
}

alea_status alea_other_evals_read(alea_other_evals *o, const char *path) {
  for (uint32_t r = 0; r < o->role_count; r++) {
    if (!alea_other_evals_include(o, r)) continue;
    alea_status status = alea_eval_file_read(&o->evals[r], path, NULL);
    if (status == ALEA_LIMIT) return status;
    o->known[r] = status == ALEA_OK;
  }
  return ALEA_OK;
}
