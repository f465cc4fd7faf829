#ifndef ALEA_EQUILIBRIUM_PUBLIC_ENDS_H
#define ALEA_EQUILIBRIUM_PUBLIC_ENDS_H

/* Payoffs at the ends of a public state, for quick sums.
 *
 * What a hand expects at an end is the sum, over the hands of the other player,
 * of its reach and an entry of a matrix.  Many rows of the matrix are multiples
 * of each other, and so are many columns: in liar's dice all that matters of a
 * hand is how often it shows the face of the bid.  The matrix is kept as
 *
 *   entry (i, j) = row scale (i) * core (row class (i), column class (j)) * column scale (j)
 *
 * so that a sum over all pairs costs rows + columns + the core, which is
 * the whole matrix at worst. */

#include "equilibrium/public_graph.h"

struct alea_public_end {
  uint32_t hands[2];   /* of the player whose payoffs these are, of the other */
  uint32_t classes[2]; /* of rows, of columns */
  size_t class_of[2];  /* in 'end_classes', by hand */
  size_t members;      /* in 'end_classes': columns by class, after where each class ends */
  size_t scales[2];    /* in 'end_numbers', by hand */
  size_t core;         /* in 'end_numbers', row by row */
};

/* Fills 'ends' for all states on some path.  False: no memory. */
bool alea_public_ends_fill(alea_public_graph *graph);
/* Adds to values[i] what hand i of 'player' expects at the ends of 'state', which
 * has some, where 'reach' times 'share' is that of the other's hands.  'sums' has
 * room for the hands of both players. */
void alea_public_end_add(const alea_public_graph *graph, const alea_public_state *state,
                         uint32_t player, const double *reach, double share, double *sums,
                         double *values);

#endif
