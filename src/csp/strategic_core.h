#ifndef ALEA_CSP_STRATEGIC_CORE_H
#define ALEA_CSP_STRATEGIC_CORE_H

/* Internals of Strategic CSP: the network and the symmetries of its state. */

#include "base/arena.h"
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

/* ---- the search ---- */

typedef struct choice_frame {
  uint32_t *candidates; /* value indexes, room for the whole domain */
  uint32_t count, next;
  uint64_t key[2]; /* of the state, for the table */
} choice_frame;

typedef struct table_entry {
  uint64_t check;
  uint64_t key; /* 0: empty; the lowest bit is the answer */
} table_entry;

/* A constraint y=a <=> x=b of a quantified variable y: propagated once, when y
 * has its value, and entailed from then on, so never woken. */
typedef struct direct_link {
  alea_csp_var state;
  uint32_t value; /* b, as an index; NONE if x cannot have it */
  uint32_t mine;  /* a */
} direct_link;

typedef struct delayed { /* constraints that are activated with one quantified variable */
  direct_link *direct;
  uint32_t direct_count;
  uint32_t *by_value; /* a link with mine = the value, or NONE: tested first */
  uint32_t *other;    /* constraints to activate */
  uint32_t other_count;
} delayed;

typedef struct strategic_play {
  const alea_strategic *strategic;
  const alea_strategic_options *options;
  alea_strategic_result *result;
  csp_engine *engine;
  alea_arena arena;
  uint32_t depth; /* number of quantified variables */
  delayed *delays;
  choice_frame *frames;
  uint32_t *position; /* of a variable in the order; NONE for state variables */
  uint32_t state_count;
  alea_csp_var *state; /* state variables, then other variables that are part of the key: */
  uint32_t key_count;  /* quantified variables of constraints that are not direct */
  table_entry *table;
  uint64_t table_mask;
  uint32_t *history; /* 2 kinds * largest domain: how often a value was decisive */
  uint32_t *replies; /* the last decisive reply to a value, per kind */
  uint32_t widest;
  strategic_group group;
  struct ranking_search *ranking; /* in place of the engine's search; or NULL */
  uint64_t forced;                /* its propagations */
  uint64_t until_check;           /* nodes until the next check of the clock, */
  uint32_t values_until_check;    /* and values */
  uint32_t level;                 /* the node, for progress */
  uint32_t base;                  /* the node that is asked about */
  double start;
  bool exact;      /* consistency by search, not by propagation alone */
  bool exact_keys; /* no classes of values in keys: the hints are not believed */
  bool any_exists; /* existential variables may take inconsistent values */
  bool stopped, no_memory;
} strategic_play;

/* 'options' become those of the instance as well, and are borrowed. */
void strategic_init(strategic_play *p, const alea_strategic *strategic,
                    alea_strategic_options *options, alea_strategic_result *result);
/* Makes the engine, with the constraints of quantified variables inert, and the
 * table (strategic_prepare.c).  False: no memory. */
bool strategic_prepare(strategic_play *p);
void strategic_clear(strategic_play *p);
/* Propagates for the first time; false: the network has no solution. */
bool strategic_begin(strategic_play *p);
/* The key of the state at node j, mapped by a symmetry: variable image[v] in
 * place of v; NULL is the identity. */
void strategic_key(const strategic_play *p, uint32_t j, const uint32_t *image, uint64_t key[2]);
/* Whether the j-th quantified variable may take value 'index': assigned and
 * propagated, and with the exact check a solution found.  One level of the
 * engine is the caller's to push and pop. */
bool strategic_assign(strategic_play *p, uint32_t j, uint32_t index);
/* Whether the plain network has a solution from here: MAC over the state. */
bool strategic_has_solution(strategic_play *p);
/* The answer of node j where the state is inconsistent. */
bool strategic_inconsistent(const strategic_play *p, uint32_t j);
/* Enters into the result what engine and symmetries count. */
void strategic_account(strategic_play *p);
/* The answer of node 'base', whose variables above have their values. */
bool strategic_run(strategic_play *p, uint32_t base);

bool strategic_group_find(const alea_strategic *strategic, const alea_deadline *deadline,
                          strategic_group *group);
void strategic_group_clear(const alea_strategic *strategic, strategic_group *group);

#endif
