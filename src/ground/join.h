#ifndef ALEA_GROUND_JOIN_H
#define ALEA_GROUND_JOIN_H

/* A plan in the middle of being run: shared by join.c and ranges.c. */

#include "ground/work.h"

typedef struct run {
  const plan *p;
  const step *steps;
  alea_term trigger;
  alea_term head;    /* built already, or ALEA_NO_TERM */
  alea_term *atoms;  /* per step: the atom found or built */
  uint32_t *entries; /* per step: where the scan goes on */
} run;

bool work_cover_flags(work *w);
bool work_match(work *w, span code, alea_term atom);
/* The newest entry with the key of a SCAN step, or 0. */
uint32_t work_first_entry(const work *w, const step *s);
/* A test that needs no scan.  False: the branch fails; no memory shows in
 * '*status'. */
bool work_pass(work *w, run *r, uint32_t step, alea_status *status);
/* Builds the head unless it stands, and makes it a fact. */
alea_status work_make_head(work *w, run *r);

/* ranges.c: runs a plan that is 'grouped'. */
alea_status work_run_grouped(work *w, run *r);

#endif
