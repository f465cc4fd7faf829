#ifndef ALEA_TESTS_FORWARD_CHECK_H
#define ALEA_TESTS_FORWARD_CHECK_H

/* Forward checking on a template, by the definition of each constraint and
 * without anything that propagates: slow, and the oracle of what does. */

#include "encode/template.h"

typedef struct forward_check forward_check;
forward_check *forward_check_new(const alea_template *t, alea_mem *mem);
void forward_check_free(forward_check *f);
/* The state variables' values are in 'values' (one per variable of the
 * template, room for all).  Derives what follows up to the actions; false where
 * nothing is consistent. */
bool forward_check_state(forward_check *f, uint32_t *values);
/* Allowed values of action variable 'var', given the earlier ones: marks in
 * allowed[0 .. size-1]; returns how many. */
uint32_t forward_check_allowed(forward_check *f, uint32_t *values, alea_csp_var var, bool *allowed);
/* Derives what follows from the actions; false where nothing is consistent. */
bool forward_check_finish(forward_check *f, uint32_t *values);

#endif
