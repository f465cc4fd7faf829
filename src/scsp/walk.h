#ifndef ALEA_SCSP_WALK_H
#define ALEA_SCSP_WALK_H

/* The walk over a planned network: expectation at chance variables, best (or
 * worst) value at decisions, without recursion.
 *
 * A value may depend on the yet unknown value V of the state the walk began
 * in (a process can stay where it is): it is c + p*V. */

#include "scsp/core.h"

typedef struct scsp_value {
  double c, p;
  bool feasible;
} scsp_value;

typedef struct scsp_frame {
  uint64_t rest, allowed;
  scsp_value best;    /* decision: best so far; chance: sum so far */
  double probability; /* of the value being tried */
  double due;
  uint64_t key;
  uint32_t parent; /* the variable whose value is being tried above this one */
} scsp_frame;

/* What is known after the variables before 'place', as far as they matter. */
typedef struct scsp_known {
  uint64_t key;
  uint32_t place;
  bool feasible;
  double c;
} scsp_known;

typedef struct scsp_walk {
  const scsp_plan *plan;
  const alea_scsp_options *options;
  uint32_t end; /* variables from here on are left out; all are in at first */
  uint32_t *indexes;
  scsp_frame *frames;
  bool caches;
  ALEA_VEC(scsp_known) known;
  alea_hash_map known_map; /* by place and key */
  double guess;            /* V when decisions are compared */
  bool mixed;              /* a decision had an alternative with p != 0 */
  bool stopped, no_memory;
  uint64_t nodes, hits, until_look;
  /* The value after the last variable; NULL means 0. */
  scsp_value (*leaf)(void *data, const uint32_t *indexes);
  void *data;
} scsp_walk;

bool scsp_walk_init(scsp_walk *walk, const scsp_plan *plan, const alea_scsp_options *options,
                    bool cached);
void scsp_walk_clear(scsp_walk *walk);
/* The value with the variables before 'from' assigned in walk->indexes. */
scsp_value scsp_walk_run(scsp_walk *walk, uint32_t from);

#endif
