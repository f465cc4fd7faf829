#ifndef ALEA_ENCODE_INDEPENDENT_BELIEF_H
#define ALEA_ENCODE_INDEPENDENT_BELIEF_H

/* The belief of the paper on shared information ([SYM16 §2]; the model `paper`
 * of D33): a state variable with a value that is seen has it, and every other
 * is drawn uniformly from its domain, a coin toss for what is only true or false.
 * What was known earlier is forgotten, and the states need not be possible;
 * this is here to be compared with.
 *
 * Variables are the fluents that differ in the last argument alone, where some
 * random plays never had two of them at once; a variable may be undefined
 * where the plays had it so.  A draw that ends the game, or leaves some role
 * without a move, is thrown away, at most 100 times. */

#include "game/game.h"

typedef struct alea_independent_belief alea_independent_belief;

/* For 'role' of a game; the seed is that of the random playouts.
 * ALEA_UNSUPPORTED: the game is not played by a network. */
alea_status alea_independent_belief_new(alea_independent_belief **independent,
                                        const alea_game *game, uint32_t role, uint64_t seed,
                                        alea_mem *mem);
void alea_independent_belief_free(alea_independent_belief *independent); /* NULL is a no-op. */

/* A position given what the role sees, as the words of a cursor until the next
 * call.  ALEA_NONE: no try could be used. */
alea_status alea_independent_belief_draw(alea_independent_belief *independent, alea_list percepts,
                                         alea_rng *rng, const uint64_t **words, size_t *count);

#endif
