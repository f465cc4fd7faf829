#ifndef ALEA_ENCODE_OBLIVIOUS_H
#define ALEA_ENCODE_OBLIVIOUS_H

/* The class of games that [SCSP14 §2] translates: those with an oblivious
 * environment.  Every fluent name has an instance in the initial state, and the
 * legal moves of chance are facts, the same in every state. */

#include "base/text.h"
#include "ground/ground.h"

/* Whether the game, one with chance, is of the class; where it is not, 'why'
 * gets the reason, half a sentence. */
bool alea_is_oblivious(const alea_ground *ground, alea_text *why);

#endif
