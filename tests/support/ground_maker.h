#ifndef ALEA_TESTS_GROUND_MAKER_H
#define ALEA_TESTS_GROUND_MAKER_H

/* Ground programs without a grounder: from a small text, and from the .net
 * files of the yardsticks.  No memory is a failed assertion here. */

#include "base/diag.h"
#include "ground/ground.h"

/* One statement per line; `~` negates, `true` and `false` are literals, `#`
 * starts a comment, names that are nothing else are derived atoms:
 *
 *   role white
 *   fluent p 1            (1: holds at the start)
 *   move white m
 *   rule head lit lit ... (a rule of a derived atom)
 *   next p lit
 *   legal white m lit
 *   terminal lit
 *   goal white 100 lit
 *   sees white hello lit
 *
 * A move is written white:m in a literal.  Roles, fluents and moves come
 * before everything else, moves role by role.  Next, legal and terminal are
 * false unless said. */
alea_ground *ground_from_text(const char *text, alea_mem *mem);

/* NULL if the file does not exist. */
alea_ground *ground_from_net_file(const char *path, alea_mem *mem);
/* The same from a rulesheet, or a network where 'path' ends in .net; NULL also
 * where it is not valid, 'diag' says why. */
alea_ground *ground_from_file(const char *path, alea_mem *mem, alea_diag *diag);

/* Parts, for tests that construct programs: atoms are numbered as in an
 * alea_ground, rules may come in any order. */
typedef struct ground_maker {
  alea_ground *ground;
} ground_maker;

void ground_maker_begin(ground_maker *maker, alea_mem *mem, uint32_t roles, uint32_t fluents,
                        const uint32_t *moves_per_role, uint32_t derived);
void ground_maker_rule(ground_maker *maker, alea_atom head, const alea_glit *lits, uint32_t count);
/* Sorts the rules; the caller owns the result. */
alea_ground *ground_maker_end(ground_maker *maker);

#endif
