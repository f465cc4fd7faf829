#ifndef ALEA_TOSS_FLOW_H
#define ALEA_TOSS_FLOW_H

/* Internals of continuous evolution, shared by flow.c, flow_equations.c and
 * flow_invariants.c: the equations of all acts, summed, as a tape.
 *
 * The unknowns of a label f(a) with equations up to order m are f, f', ...,
 * f^(m-1); derivatives start at 0 with each move. */

#include "toss/enclosure.h"
#include "toss/game.h"

enum { ALEA_TOSS_MOST_ORDER = 4 }; /* of a derivative */

typedef struct alea_toss_unknown {
  uint32_t function, element, order;
} alea_toss_unknown;

/* A part of an equation that is no smooth function of the labels: a truth value,
 * a minimum, or whether a sum counts an element; with what it speaks of. */
typedef struct alea_toss_rough {
  uint32_t code; /* of a term; NONE: the plan of a sum */
  uint32_t plan;
  uint32_t *elements; /* per slot of the environment */
  alea_interval *reals;
} alea_toss_rough;

/* How far an invariant is known to hold. */
typedef struct alea_toss_watch {
  bool opaque;         /* it has quantifiers over numbers or sets */
  bool doubtful;       /* nothing has been certain since it began */
  alea_interval *hull; /* of the unknowns while it was doubtful */
} alea_toss_watch;

typedef struct alea_toss_flow_state {
  const alea_toss_rules *rules;
  alea_toss_env *env;
  alea_toss_structure *structure;
  const alea_toss_act *acts;
  size_t act_count;
  ALEA_VEC(alea_toss_unknown) unknowns;
  uint32_t *index;            /* order * cells + cell: unknown + 1, or 0 */
  alea_interval *derivatives; /* used by the environment */
  size_t cells;               /* functions * capacity */
  alea_tape tape;
  ALEA_VEC(alea_toss_rough) roughs;
  alea_toss_watch *watches; /* per act */
  alea_interval *start;     /* the unknowns at the start, and later at the end */
  alea_interval *box;       /* room for one value per unknown */
  alea_enclosure enclosure;
} alea_toss_flow_state;

static inline size_t alea_toss_flow_cell(const alea_toss_flow_state *f, uint32_t function,
                                         uint32_t element) {
  return (size_t)function * f->structure->capacity + element;
}

/* Copies values of the unknowns to where formulas read them. */
void alea_toss_flow_show(alea_toss_flow_state *f, const alea_interval *box);
/* Binds the elements and parameters of an act. */
void alea_toss_flow_bind(const alea_toss_flow_state *f, const alea_toss_act *act);

/* Finds the unknowns and their values, and writes the tape.  ALEA_LIMIT: too many operations. */
alea_status alea_toss_flow_equations(alea_toss_flow_state *f);

/* Prepares the watches; '*broken' is an act whose invariant certainly fails at
 * the start, or SIZE_MAX. */
alea_status alea_toss_flow_watch(alea_toss_flow_state *f, size_t *broken);
/* Goes through the step that the enclosure has found.  Where an invariant fails
 * for certain, '*broken' is its act, '*time' a time since the beginning of the
 * step at which it has failed, and 'box' contains the unknowns at the instant of
 * failure, whenever that was. */
void alea_toss_flow_inspect(alea_toss_flow_state *f, size_t *broken, double *time,
                            alea_interval *box);

#endif
