/* Guessing moves from the moves before. */
#include "net/guess.h"

enum { LONGEST_ROUND = 8 };

/* The share of moves that equal the one 'round' turns before. */
static double repeats(const alea_slice *moves, size_t count, size_t round) {
  size_t same = 0;
  for (size_t i = round; i < count; i++) same += alea_slice_same(moves[i], moves[i - round]);
  return (double)same / (double)(count - round);
}

size_t alea_guess_again(const alea_slice *moves, size_t count) {
  size_t best = 1;
  double most = -1;
  for (size_t round = 1; round <= LONGEST_ROUND && 2 * round <= count; round++) {
    double share = repeats(moves, count, round);
    if (share > most + 1e-9) most = share, best = round;
  }
  return count == 0 ? 0 : count - best;
}
