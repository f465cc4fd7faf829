#ifndef ALEA_SYMMETRY_SEMANTIC_SYMMETRY_H
#define ALEA_SYMMETRY_SEMANTIC_SYMMETRY_H

/* Symmetries that the rules have but do not show (D56).
 *
 * The graph of symmetry.h finds what is symmetric in how the rules are written.
 * Rules that count discs column by column, or follow a chain from one side to
 * the other, say the same of a board and its mirror image in different words.
 * So candidates are made (candidates.h: renamed arguments, and automorphisms of
 * the rules without their ends), refuted in states of random play
 * (commuting.h), and those that are left are proved (miter.h).  What is proved
 * holds in every state, and may be used like what the graph finds.  What was only tested is
 * counted, and used by nobody.
 *
 * Symmetries that exchange roles are counted separately: the image of a
 * position is worth to one role what the position is worth to the other. */

#include "propnet/propnet.h"
#include "symmetry/generated_group.h"

typedef struct alea_semantic_symmetry {
  alea_symmetry *symmetry;              /* proved, roles stay: what the graph found, and more */
  alea_generated_group group;           /* all that is proved, roles exchanged or not */
  alea_symmetry_orders kept, exchanged; /* proved: roles stay; and may change */
  alea_symmetry_orders kept_tested, exchanged_tested; /* and with what was only tested */
  uint32_t candidates, proved, tested; /* tested and not proved; what follows from others does not
                                          count */
  uint64_t states;                     /* of random play, in which those tested commuted */
  bool large; /* the group is too large to be listed, and no more was looked for */
} alea_semantic_symmetry;

typedef struct alea_semantic_options {
  const alea_deadline *deadline; /* may be NULL */
  uint64_t states;               /* of random play; 0 = 16,384 */
  uint64_t seed;
  bool exchange; /* look for those that exchange roles, too, and count them */
} alea_semantic_options;

struct alea_program;

/* 'graph' are the symmetries of 'ground' that the graph found; 'net' is made of
 * 'ground' and takes nothing for granted (plain, any_move).  ALEA_LIMIT: the
 * deadline passed; what is there holds all the same.  The caller clears the
 * result with any status. */
alea_status alea_semantic_symmetry_init(alea_semantic_symmetry *result,
                                        const struct alea_program *program,
                                        const alea_ground *ground, const alea_net *net,
                                        const alea_symmetry *graph,
                                        const alea_semantic_options *options, alea_mem *mem);
void alea_semantic_symmetry_clear(alea_semantic_symmetry *result); /* a zeroed one too */

#endif
