#ifndef ALEA_TESTS_RANDOM_GDL_H
#define ALEA_TESTS_RANDOM_GDL_H

/* Random small rulesheets, for comparing engines.
 *
 * Every sheet has one to three roles (sometimes `random`), facts, init rules,
 * and legal, next, terminal, goal and sees rules over derived predicates with
 * recursion, negation, distinct, or, functions, and variables for a whole move
 * or fluent.  The terms that can arise are finite, every rule is safe, and
 * every role always has the move `noop`.
 *
 * A tame sheet is stratified once ground, though not always by predicate name.
 * A wild one uses negation freely and may have no perfect model. */

#include <stdbool.h>

#include "base/rng.h"
#include "base/text.h"

/* Appends the rulesheet number 'seed'. */
void random_gdl(alea_text *out, uint64_t seed, bool wild);

#endif
