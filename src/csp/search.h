#ifndef ALEA_CSP_SEARCH_H
#define ALEA_CSP_SEARCH_H

/* The searches behind alea_csp_solve, on an engine at its root level. */

#include "csp/core.h"

typedef struct csp_search {
  const alea_csp_options *options;
  csp_engine *engine;
  alea_csp_result *result;
  double *scores;  /* weighted degree per variable */
  int32_t *values; /* the solution handed to the caller */
  alea_rng rng;
  bool stop;    /* the caller, a limit or the goal ended the search */
  bool limited; /* ... and it was a limit */
  bool has_best;
  uint64_t until_check; /* nodes until the next check of the clock */
} csp_search;

/* They return when the tree is exhausted or search->stop is set. */
void csp_search_mac(csp_search *search);     /* search.c */
void csp_search_forward(csp_search *search); /* forward.c */
/* MAC to count: if the tree is large, a search in the order ALEA_CSP_DOM takes
 * turns with this one, and the first to finish has the count.  Which order is
 * the better one differs by orders of magnitude: weights find what is hard, and
 * spoil the effect of lexicographic constraints. */
void csp_search_either(csp_search *search);

/* Shared parts (solve.c). */
void csp_initial_scores(csp_search *search);
uint64_t csp_until_check(const alea_csp *csp); /* nodes from one check of the clock to the next */
bool csp_node(csp_search *search, uint32_t depth); /* counts a node; false: stop */
/* All variables are fixed in this engine: a solution. */
void csp_solution(csp_search *search, const csp_engine *engine);
/* The next variable to branch on, ALEA_CSP_NONE if all are fixed; 'assigned'
 * (or NULL) marks variables to skip although they are not fixed. */
alea_csp_var csp_choose(csp_search *search, const bool *assigned);
uint32_t csp_choose_value(csp_search *search, alea_csp_var var);
/* Increases the weight after a failure of constraint 'prop'. */
void csp_blame(csp_search *search, uint32_t prop);

#endif
