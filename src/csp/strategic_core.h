#ifndef ALEA_CSP_STRATEGIC_CORE_H
#define ALEA_CSP_STRATEGIC_CORE_H

/* Internals of Strategic CSP: the network and the symmetries of its state. */

#include "csp/constraints.h"
#include "csp/strategic.h"

typedef struct quantified {
  alea_csp_var var;
  bool universal;
} quantified;

struct alea_strategic {
  alea_mem *mem;
  alea_csp *csp;
  ALEA_VEC(quantified) order;
  uint32_t **classes; /* per variable, or NULL: class of each value, then the position from which it
                         holds */
  uint32_t class_vars; /* length of 'classes' */
  const alea_csp_var *outcome_vars;
  uint32_t outcome_count;
  int32_t win, loss;
  bool classical; /* the instance is a QCSP */
  alea_strategic_check check;
  alea_strategic_existential existential;
};

/* The group of symmetries, as images of the state variables (all variables have
 * an entry; quantified ones are fixed but may permute their values). */
typedef struct strategic_group {
  uint32_t count; /* elements, the identity first */
  uint32_t vars;
  uint32_t *images; /* count * vars */
  double order;
} strategic_group;

enum { STRATEGIC_MAX_GROUP = 64 };

bool strategic_group_find(const alea_strategic *strategic, strategic_group *group);
void strategic_group_clear(const alea_strategic *strategic, strategic_group *group);

#endif
