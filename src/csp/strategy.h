#ifndef ALEA_CSP_STRATEGY_H
#define ALEA_CSP_STRATEGY_H

/* Strategies of Strategic CSP: who wins, and how.
 *
 * A walk goes through the quantified variables in their order.  Each gets a
 * value from whoever is to choose it, and at every point the solver tells
 * which side wins and by what value.  The existential side wins if in the end
 * the network has a solution, and where a universal variable has no value that
 * is consistent; the universal side wins otherwise.
 *
 * A strategy is a tree of such walks: of the winning side one value per
 * variable, of the other every value that it may choose. */

#include "base/text.h"
#include "csp/strategic.h"

typedef struct alea_strategic_walk alea_strategic_walk;

/* ALEA_LIMIT, ALEA_SYSTEM: no memory.  ALEA_INPUT: the file of the options is
 * not right; the walk is there, but only its result is of use, which says why.
 * The caller frees it. */
alea_status alea_strategic_walk_new(alea_strategic_walk **walk, const alea_strategic *strategic,
                                    const alea_strategic_options *options);
void alea_strategic_walk_free(alea_strategic_walk *walk); /* NULL is a no-op */
/* What the searches took so far; status and seconds are those of the last one. */
const alea_strategic_result *alea_strategic_walk_result(const alea_strategic_walk *walk);
/* Writes the file of the options, if there is one.  NULL, or what went wrong. */
const char *alea_strategic_walk_save(alea_strategic_walk *walk);
/* How many variables have values, which are these. */
uint32_t alea_strategic_walk_count(const alea_strategic_walk *walk);
const int32_t *alea_strategic_walk_values(const alea_strategic_walk *walk);
/* The values that the next variable may take, ascending; none at the end.  They
 * live until the next call. */
const int32_t *alea_strategic_walk_choices(alea_strategic_walk *walk, uint32_t *count);
/* Gives the next variable one of these values, or takes the last one back. */
void alea_strategic_walk_push(alea_strategic_walk *walk, int32_t value);
void alea_strategic_walk_pop(alea_strategic_walk *walk);
/* Whether the existential side wins from here.  ALEA_LIMIT: time is up. */
alea_status alea_strategic_walk_answer(alea_strategic_walk *walk, bool *exists);
/* A value of the next variable with which the side that chooses it wins;
 * ALEA_NO: it loses with each. */
alea_status alea_strategic_walk_best(alea_strategic_walk *walk, int32_t *value);

typedef struct alea_strategy_edge {
  int32_t value;
  uint32_t node; /* where it leads */
} alea_strategy_edge;

typedef struct alea_strategy_node {
  uint32_t at;           /* the variable to be chosen, by its place in the order */
  uint32_t first, edges; /* 0 edges: the play is decided, or the tree ends here */
  bool cut;              /* it goes on, beyond the depth that was asked for */
} alea_strategy_node;

typedef struct alea_strategy {
  alea_mem *mem;
  const alea_strategic *strategic;    /* borrowed */
  bool exists;                        /* of which side */
  ALEA_VEC(alea_strategy_node) nodes; /* parents first */
  ALEA_VEC(alea_strategy_edge) edges;
} alea_strategy;

void alea_strategy_init(alea_strategy *strategy, const alea_strategic *strategic, alea_mem *mem);
void alea_strategy_clear(alea_strategy *strategy);
/* Grows the tree from where the walk stands, so many variables deep; 0 is to
 * the end.  ALEA_LIMIT: time, or more than 1,000,000 nodes. */
alea_status alea_strategy_grow(alea_strategy *strategy, alea_strategic_walk *walk, uint32_t depth);
void alea_strategy_print(const alea_strategy *strategy, alea_text *text);
void alea_strategy_json(const alea_strategy *strategy, alea_text *text);
void alea_strategy_svg(const alea_strategy *strategy, alea_text *text);

/* Replays the strategy that 'walk' finds against every answer, by a walk of its
 * own that has none of the solver's extensions, each position once; at the ends
 * the assignment is tested against the constraints.  In a ranking game a play
 * ends with the first line, which decides it.  '*plays' gets the number of
 * ends, '*positions' that of positions.  ALEA_NO: it does not win, and 'why'
 * says after which values. */
alea_status alea_strategy_verify(const alea_strategic *strategic, alea_strategic_walk *walk,
                                 uint64_t *positions, uint64_t *plays, alea_text *why);

#endif
