/* Random joint moves. */
#include "game/random_joint.h"

alea_status alea_random_joint(alea_cursor *cursor, uint32_t roles, alea_rng *rng, alea_move *joint,
                              uint32_t *chooser, bool *stuck) {
  *chooser = roles;
  *stuck = false;
  for (uint32_t r = 0; r < roles; r++) {
    alea_list legal;
    alea_status status = alea_cursor_legal(cursor, r, &legal);
    if (status != ALEA_OK) return status;
    if (legal.count == 0) return *stuck = true, ALEA_OK;
    if (legal.count > 1) *chooser = r;
    joint[r] = legal.ids[legal.count > 1 ? alea_rng_below(rng, legal.count) : 0];
  }
  return ALEA_OK;
}
