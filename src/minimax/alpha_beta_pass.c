/* Passing: where a chooser is better off than it needs even if the other moves twice, its
 * moves need not be looked at (null moves; Donninger 1993).
 *
 * Rules know no such move.  Fluents that always hold where one of two roles chooses alone
 * and never where the other does are those of the turn; the search itself sees which
 * these are.  To pass is to exchange them.  What the rules would make of such a position is
 * not asked: whether passing foretells what moves can do is measured.  At first, and now and
 * then for good, the moves are searched all the same; only while passing was hardly ever
 * wrong it is believed.  So games in which having to move is bad are left alone. */
#include <string.h>

#include "minimax/alpha_beta_core.h"

enum {
  ENOUGH_SEEN = 500, /* positions of either role, before the turn is told by them */
};

void ab_note_turn(alea_alpha_beta *ab, uint32_t ply) {
  ab_turns *t = &ab->turns;
  if (!ab->passes || t->known || ab->roles != 2 || !ab_is_alone(ab, ply) || ab->plies[ply].passed)
    return;
  uint32_t role = ab_chooser(ab, ply, 0);
  const uint64_t *words = ab->words + ply * ab->word_count;
  bool first = t->seen[role]++ == 0;
  for (size_t w = 0; w < ab->word_count; w++) {
    t->always[role][w] = first ? words[w] : t->always[role][w] & words[w];
    t->ever[role][w] |= words[w];
  }
  if (t->seen[0] < ENOUGH_SEEN || t->seen[1] < ENOUGH_SEEN) return;
  uint64_t any[2] = {0};
  for (uint32_t r = 0; r < 2; r++)
    for (size_t w = 0; w < ab->word_count; w++) any[r] |= t->always[r][w] &= ~t->ever[1 - r][w];
  t->known = true;
  t->usable = any[0] != 0 && any[1] != 0;
}

bool ab_pass(alea_alpha_beta *ab, uint32_t ply) {
  const ab_turns *t = &ab->turns;
  if (!t->usable || !ab_is_alone(ab, ply)) return false;
  uint32_t role = ab_chooser(ab, ply, 0);
  const uint64_t *from = ab->words + ply * ab->word_count;
  ab_stand(ab, ply); /* what the cursor may stand at behind it is overwritten */
  uint64_t *to = ab->words + (ply + 1) * ab->word_count;
  for (size_t w = 0; w < ab->word_count; w++)
    to[w] = (from[w] & ~t->always[role][w]) | t->always[1 - role][w];
  ab_renew(ab, ply);
  ab->plies[ply + 1].passed = true;
  return true;
}
