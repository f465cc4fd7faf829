#ifndef ALEA_TOSS_REAL_QUESTION_H
#define ALEA_TOSS_REAL_QUESTION_H

/* Real quantifiers as questions about real numbers (nra/nra.h), D44.
 *
 * All elements and sets are bound, and so are the real variables outside the
 * quantifier.  What is left is a formula over the real variables inside it:
 * quantifiers over elements become conjunctions and disjunctions over those
 * that satisfy what is not about these variables, roots and quotients become
 * variables with a definition, and a label that is known as an interval only
 * is less than something if every value in the interval is.
 *
 * Without an answer: minima and set quantifiers whose bodies speak of the
 * variables, questions that are too large, and what the solver does not decide
 * within its budget. */

#include "toss/logic.h"

/* Whether the body 'code' holds for some value of the real variable. */
alea_verdict alea_toss_ask_real(alea_toss_env *env, uint32_t code, uint32_t slot);
/* The least such value, between two adjacent numbers: minus infinity where
 * there are values below all doubles of use, infinity (and refuted) where
 * there are none. */
alea_verdict alea_toss_ask_least(alea_toss_env *env, uint32_t code, uint32_t slot,
                                 alea_interval *least);

/* Whether a check of a plan is left to the question at hand: it speaks of a
 * variable that has no value. */
bool alea_toss_is_open(const alea_toss_env *env, uint32_t code);

#endif
