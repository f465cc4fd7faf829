#ifndef ALEA_PROPNET_LANES_OPS_H
#define ALEA_PROPNET_LANES_OPS_H

/* The logic as operations: what one visit to the evaluator computes.
 *
 * An operation is the AND of some values, some complemented values and some
 * pairs, where a pair is the complement of an AND of two.  So gates whose
 * value is read once cost neither a store nor a load: memory traffic, not
 * logic, is what bounds the evaluator.
 *
 * Values are numbered: first the nodes of the logic, then what the operations
 * need in between.  An inverted value is stored complemented. */

#include "propnet/lanes_logic.h"

/* When operations are performed.  Goals are evaluated only where a lane has
 * finished, and nothing that comes later may rely on them. */
typedef enum alea_lanes_section {
  ALEA_LANES_STATE, /* legal and terminal */
  ALEA_LANES_GOAL,
  ALEA_LANES_NEXT,
  ALEA_LANES_SECTIONS
} alea_lanes_section;

enum {
  ALEA_LANES_MAX_OPERANDS = 12, /* longer ANDs are chained */
};
#define ALEA_LANES_NO_FLUENT UINT32_MAX

/* How many operands of each sort, in the order in which they are stored. */
typedef struct alea_lanes_form {
  uint8_t plain;   /* a */
  uint8_t negated; /* not a */
  uint8_t nand;    /* not (a and b) */
  uint8_t imply;   /* not (a and not b) */
  uint8_t either;  /* a or b */
  uint8_t invert;  /* complement the result */
} alea_lanes_form;

typedef struct alea_lanes_op {
  uint32_t value;
  uint32_t first; /* operands: values */
  alea_lanes_form form;
  uint32_t segment;
  uint32_t fluent; /* the fluent whose next value this is, or ALEA_LANES_NO_FLUENT */
} alea_lanes_op;

static inline uint32_t alea_lanes_form_operands(const alea_lanes_form *f) {
  return (uint32_t)(f->plain + f->negated + 2 * (f->nand + f->imply + f->either));
}
/* Equal forms have equal keys. */
static inline uint32_t alea_lanes_form_key(const alea_lanes_form *f) {
  return (uint32_t)f->plain | (uint32_t)f->negated << 5 | (uint32_t)f->nand << 10 |
         (uint32_t)f->imply << 14 | (uint32_t)f->either << 18 | (uint32_t)f->invert << 22;
}

/* An OR of moves that is collected from the chosen moves instead of being
 * evaluated; its value is stored inverted, as the OR. */
typedef struct alea_lanes_scatter {
  uint32_t value;
  uint32_t first, count; /* in 'scattered': the nodes of its moves */
} alea_lanes_scatter;

typedef struct alea_lanes_ops {
  alea_mem *mem;
  const alea_lanes_logic *logic;
  ALEA_VEC(alea_lanes_op) ops;
  alea_u32s operands;
  size_t section_end[ALEA_LANES_SECTIONS]; /* in 'ops' */
  uint32_t value_count;
  uint8_t *need;     /* per node: bit per section */
  uint8_t *inverted; /* per node */
  ALEA_VEC(alea_lanes_scatter) scatters;
  alea_u32s scattered;
  uint8_t *collected; /* per node: among the scatters */
  uint32_t *legal;    /* per move: the value, never inverted, that says it is legal */
} alea_lanes_ops;

/* Operations of a collapsed 'logic', section by section, segments ascending,
 * near each other what is used together.  With 'only_goals' the goals from
 * nothing but the fluents, as the only section.  'chosen' is how many moves
 * of a role may be made at once, in different lanes: where it is much less than
 * the moves there are, ORs of moves become scatters.  Owned by the caller;
 * keeps a pointer to the logic. */
alea_status alea_lanes_ops_init(alea_lanes_ops *ops, const alea_lanes_logic *logic, bool only_goals,
                                uint32_t chosen);
void alea_lanes_ops_clear(alea_lanes_ops *ops);

/* Finds scatters once it is known what next needs; used by the above. */
alea_status alea_lanes_find_scatters(alea_lanes_ops *ops, uint32_t lanes);

/* The section in which a node's value is computed when 'section' reads it. */
static inline alea_lanes_section alea_lanes_home(const alea_lanes_ops *ops, uint32_t node,
                                                 alea_lanes_section section) {
  bool shared = node < ops->logic->nodes.count && (ops->need[node] & 1u << ALEA_LANES_STATE);
  return shared ? ALEA_LANES_STATE : section;
}

/* Reorders operations so that equal forms follow each other, as far as what
 * depends on what allows, within windows of 'window' operations.  Operations
 * that would overwrite a fluent still to be read come as late as possible;
 * those that come too early all the same lose their 'fluent' and are followed
 * by copies at the end.  Sets section_end anew. */
alea_status alea_lanes_ops_schedule(alea_lanes_ops *ops, uint32_t window);

#endif
