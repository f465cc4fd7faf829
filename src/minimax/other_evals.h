#ifndef ALEA_MINIMAX_OTHER_EVALS_H
#define ALEA_MINIMAX_OTHER_EVALS_H

/* What each of several others wants: evaluations of their own, in games of more than two.
 *
 * Two who share out 100 want the opposite of each other, and one evaluation says all.  Among three
 * what is good for one says little of what the others do: they go their own ways. */

#include "game/player_setup.h"
#include "minimax/linear_eval.h"

typedef struct alea_other_evals {
  alea_mem *mem; /* NULL: there are none */
  uint32_t role_count;
  alea_linear_eval *evals; /* by role, */
  bool *known;             /* and whether there is one; not for the player's own */
} alea_other_evals;

/* None is known.  The caller clears it with any status; in games of two players, chance apart, and
 * fewer it stays empty. */
alea_status alea_other_evals_init(alea_other_evals *others, const alea_player_setup *setup);
void alea_other_evals_clear(alea_other_evals *others); /* a zeroed one too */

/* Whether a role is one of the others, where there are some. */
static inline bool alea_other_evals_include(const alea_other_evals *others, uint32_t role) {
  return others->evals[role].mem != NULL;
}

/* That of a role, or NULL. */
static inline const alea_linear_eval *alea_other_evals_of(const alea_other_evals *others,
                                                          uint32_t role) {
  return others != NULL && others->mem != NULL && others->known[role] ? &others->evals[role] : NULL;
}

/* Takes those that ship with the game, or those of a file; of roles that have none nothing is
 * known. */
alea_status alea_other_evals_ship(alea_other_evals *others);
alea_status alea_other_evals_read(alea_other_evals *others, const char *path);

#endif
