#ifndef ALEA_NET_GUESS_H
#define ALEA_NET_GUESS_H

/* A guess at a legal move, where none could be found in time.
 *
 * In games with hidden information a player may need longer than its clock to
 * find a position that agrees with all it has seen.  An answer that is no move
 * is illegal for certain; what was legal before may be legal again.  Turns come
 * round: the move made a round ago is the best guess, and the length of a round
 * is the one at which moves so far repeat most. */

#include "net/slices.h"

/* Which of 'count' moves, the oldest first, to make again; 'count' if there is
 * none. */
size_t alea_guess_again(const alea_slice *moves, size_t count);

#endif
