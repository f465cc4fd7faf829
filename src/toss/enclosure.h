#ifndef ALEA_TOSS_ENCLOSURE_H
#define ALEA_TOSS_ENCLOSURE_H

/* Solutions of differential equations, enclosed (D74).
 *
 * Each step first finds a tube: a box that the solution does not leave during the
 * step, by Picard's and Lindelöf's theorem with the Taylor series up to the order
 * of the method (Nedialkov, Jackson, Pryce, Reliable Computing 7, 2001).  The
 * remainder of the series over that tube, in Lagrange's form, then bounds the
 * error of the step.  What is known at the end is a point plus an interval vector
 * in a turned frame, so that a rotation does not blow up a box (Lohner's
 * method); the frame comes from a QR factorisation.
 *
 * A solution is lost where no tube is found any more, because it grows without
 * bound, leaves the domain of a term, or because the enclosure got too wide. */

#include "toss/tape.h"

typedef struct alea_enclosure {
  const alea_tape *tape;
  uint32_t order;     /* of the step at hand: 1 where a rough operation switches */
  double time;        /* at the beginning of the step */
  double end;         /* of the step */
  alea_interval *box; /* the unknowns at its beginning */
  alea_interval *next;
  alea_interval *tube; /* during it */
  alea_interval *offset, *shifted, *matrix, *product;
  double *centre, *frame; /* the box is centre + frame * offset */
  alea_tape_series at_box, at_centre, at_tube;
  double hint; /* for the length of a rough step */
  bool turned; /* the frame is kept: there are not too many unknowns */
  bool spread; /* the offset is not zero: the box is no point */
} alea_enclosure;

/* The unknowns are within 'start' at time 0. */
alea_status alea_enclosure_init(alea_enclosure *e, const alea_tape *tape,
                                const alea_interval *start);
void alea_enclosure_clear(alea_enclosure *e);

/* Looks for a step that ends at 'until' or before it; 'whole' is the time of the
 * whole journey, the measure for what is too short.  False: lost. */
bool alea_enclosure_look(alea_enclosure *e, double until, double whole);
/* The unknowns between two times of that step, counted from its beginning. */
void alea_enclosure_between(const alea_enclosure *e, double from, double to, alea_interval *box);
/* Makes the step: its end is the new time. */
void alea_enclosure_go(alea_enclosure *e);

#endif
