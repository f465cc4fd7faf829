#ifndef ALEA_SYMMETRY_ARGUMENT_SORTS_H
#define ALEA_SYMMETRY_ARGUMENT_SORTS_H

/* Sorts of arguments: which arguments of fluents, moves and percepts range over
 * the same things, as the rules show.
 *
 * Two arguments are of one sort where a variable of a rule stands in both.
 * Predicates that do not depend on the state are passed over: `(succ ?a ?b)`
 * is written of columns and of rows, and would make them one sort.
 *
 * A sort lists the constants that stand there in the ground program, in the
 * order in which people write them: 2 before 10, b before c. */

#include "gdl/functors.h"
#include "gdl/program.h"
#include "ground/ground.h"

#define ALEA_NO_SORT UINT32_MAX
enum {
  ALEA_SORT_MOST_DEPTH = 8,      /* arguments deeper in a term have no sort */
  ALEA_SORT_MOST_CONSTANTS = 512 /* no more are listed, and the sort is of no use */
};

typedef struct alea_sort {
  alea_u32s constants; /* terms of the ground program, in order */
  bool in_moves;       /* moves have arguments of this sort */
} alea_sort;

typedef struct alea_argument_sorts {
  alea_mem *mem;
  const alea_program *program; /* borrowed */
  const alea_ground *ground;   /* borrowed */
  alea_functors functors;      /* of the program */
  alea_u32s first_slot;        /* per functor: its argument 0 among all arguments */
  alea_u32s parent;            /* per slot: union-find, then the number of its sort */
  ALEA_VEC(alea_sort) list;
} alea_argument_sorts;

alea_status alea_argument_sorts_init(alea_argument_sorts *sorts, const alea_program *program,
                                     const alea_ground *ground, alea_mem *mem);
void alea_argument_sorts_clear(alea_argument_sorts *sorts); /* a zeroed one too */

/* The sort of each argument of a ground term is sorts->parent.data[slot + i];
 * ALEA_NO_SORT: its functor is not in the rules. */
uint32_t alea_argument_sorts_slot(const alea_argument_sorts *sorts, alea_term term);
/* The place of a constant in its sort, or UINT32_MAX. */
uint32_t alea_sort_index(const alea_sort *sort, alea_term constant);

#endif
