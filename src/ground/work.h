#ifndef ALEA_GROUND_WORK_H
#define ALEA_GROUND_WORK_H

/* What the stages of grounding share; private to this folder.
 *
 *   analyse.c   predicates, which of them are static, strata, what is needed
 *   split.c     long bodies into small joins with projection
 *   demand.c    magic sets: what of a large predicate anybody asks for
 *   plan.c      rules into join plans, patterns and indexes
 *   dense.c     small static relations as bitmaps
 *   join.c      the evaluation: facts that trigger plans
 *   ranges.c    large disjunctions that differ little, from common ranges
 *   finish.c    constants folded, dead rules dropped, the ground program
 *
 * An atom of the program is a term `(predicate argument ...)` of work->terms,
 * also where the predicate has no arguments. */

#include "base/clock.h"
#include "base/diag.h"
#include "base/hash_map.h"
#include "gdl/program.h"
#include "ground/ground.h"

#define NO_ID UINT32_MAX

/* ---- rules as they are rewritten ---- */

typedef struct wlit {
  uint8_t kind;  /* alea_literal_kind */
  uint32_t pred; /* of TRUE and FALSE literals */
  alea_rule_node_id atom, other;
} wlit;

typedef struct wrule {
  alea_rule_node_id head;
  uint32_t head_pred;
  uint32_t first, count; /* work->lits */
  uint32_t variable_count;
  bool demand; /* derives a demand: its instances are not part of the game */
  uint32_t line, column;
} wrule;

typedef struct pred {
  alea_symbol name;
  uint32_t arity;
  bool is_static;       /* depends on neither true nor does: evaluated exactly */
  bool needed;          /* reached from a root */
  bool fixed;           /* true, does and the roots: never restricted by demand */
  uint32_t stratum;     /* static predicates: evaluated in this order */
  bool restricted;      /* has a demand predicate */
  uint64_t bound;       /* argument positions that the demand fixes */
  uint32_t demand_pred; /* where restricted */
  bool is_demand;
  alea_u32s rules;     /* with this head, indices in work->rules */
  alea_u32s atoms;     /* visible facts, in order of arrival */
  alea_u32s plans;     /* triggered by a fact of this predicate */
  alea_u32s indexes;   /* over this predicate */
  uint64_t required;   /* positions that must be bound before it is asked (split.c) */
  uint32_t *distinct;  /* static: distinct values per argument, or NULL */
  struct dense *dense; /* static: the relation as a bitmap, or NULL */
} pred;

/* ---- plans ---- */

/* A step of matching a ground term against a pattern.  Registers hold
 * subterms; register 0 is the atom. */
typedef enum match_kind {
  MATCH_LIST,  /* argument 'arg' of 'from' is a list (name, arity) -> register 'to' */
  MATCH_CONST, /* ... is the term 'value' */
  MATCH_BIND,  /* ... is the value of variable 'value' from now on */
  MATCH_SAME,  /* ... equals the value of variable 'value' */
  MATCH_KEY,   /* ... is part of the key (indexes only) */
} match_kind;

typedef struct match_op {
  uint8_t kind;
  uint16_t from, arg, to;
  uint32_t value, arity;
} match_op;

/* A step of building a term: a stack machine. */
typedef enum build_kind { BUILD_CONST, BUILD_VAR, BUILD_LIST } build_kind;
typedef struct build_op {
  uint8_t kind;
  uint32_t value; /* term, variable, or name of the list */
  uint32_t arity;
} build_op;

typedef struct span {
  uint32_t first, count;
} span;

typedef struct index_slot {
  uint64_t hash; /* 0: empty */
  uint32_t head; /* newest entry + 1 */
} index_slot;

typedef struct index_entry {
  alea_term atom;
  uint32_t older; /* entry + 1 with the same hash, 0 at the end */
} index_entry;

/* Visible facts of one predicate and shape, by the values of some leaves. */
typedef struct findex {
  uint32_t pred;
  span ops; /* match ops that check the shape and collect the key */
  uint32_t key_count;
  ALEA_VEC(index_entry) entries;
  index_slot *slots;
  size_t slot_count, used;
} findex;

/* A static relation over few constants as a bitmap: one bit per combination
 * of the values that occur. */
typedef struct dense {
  uint64_t *bits;
  size_t word_count;
  uint32_t rank_count; /* columns have this many entries */
  uint32_t *columns;   /* columns[i * rank_count + rank]: offset of the value, or NO_ID */
} dense;

typedef enum step_kind {
  STEP_SCAN,     /* for each visible fact with the key */
  STEP_HAS,      /* the atom is a visible fact */
  STEP_HAS_NOT,  /* static negation */
  STEP_BIT,      /* HAS or HAS_NOT in a bitmap; 'key' builds the arguments */
  STEP_DISTINCT, /* two terms differ */
  STEP_DENY,     /* dynamic negation: recorded, always passes */
} step_kind;

typedef struct step {
  uint8_t kind;
  bool skip_trigger; /* the fact that triggered the plan does not count here */
  bool record;       /* the fact is a literal of the instance */
  bool wanted;       /* BIT: the value that passes */
  uint32_t index;    /* SCAN */
  span key;          /* SCAN: one build op per key leaf (CONST or VAR) */
  span match;        /* SCAN: ops that bind and verify */
  span build, other; /* HAS, HAS_NOT, DENY: the atom; DISTINCT: two terms */
  uint32_t pred;
} step;

typedef struct plan {
  uint32_t rule;
  bool record;         /* instances are kept */
  bool record_trigger; /* ... and the trigger is one of their literals */
  bool grouped;        /* one chain of facts under static tests (ranges.c) */
  span match;          /* of the trigger; empty where there is none */
  span steps;
  span head;        /* build ops */
  uint32_t head_at; /* the head's variables are bound after this many steps */
} plan;

/* ---- everything ---- */

typedef struct work {
  alea_mem *mem;
  alea_diag *diag;
  const char *file;
  const alea_deadline *deadline;
  uint64_t max_instances;
  bool plain;

  alea_symbols *symbols;
  alea_terms *terms;
  ALEA_VEC(alea_rule_node) nodes;
  ALEA_VEC(alea_rule_node_id) children;
  ALEA_VEC(wlit) lits;
  ALEA_VEC(wrule) rules;
  ALEA_VEC(pred) preds;
  alea_hash_map pred_map; /* by name and arity */
  ALEA_VEC(alea_symbol) roles;
  alea_u32s by_stratum; /* all predicates, in the order of their strata */
  uint32_t fresh;       /* number of the next auxiliary name */

  ALEA_VEC(match_op) match_ops;
  ALEA_VEC(build_op) build_ops;
  ALEA_VEC(step) steps;
  ALEA_VEC(plan) plans;
  ALEA_VEC(findex) indexes;

  alea_u32s ranks; /* per term: number among the constants of static facts + 1, or 0 */
  uint32_t rank_count;
  ALEA_VEC(uint8_t) flags; /* per term: FACT, VISIBLE */
  alea_u32s agenda;        /* facts that are not visible yet */
  alea_u32s later;         /* the same, to be shown when the agenda is empty */
  alea_u32s instances;     /* head, count, count literals (2 * term + negated), ... */
  uint64_t instance_count;
  uint64_t ticks;
  alea_u32s seen;      /* per term: scratch of count_distinct */
  uint32_t seen_stamp; /* what 'seen' was marked with last */

  alea_u32s chain, passed; /* ranges.c: facts of a chain, prefix sums of those that pass */
  alea_symbol range_name;
  alea_u32s bindings;  /* per variable */
  alea_u32s registers; /* of the matcher */
  alea_u32s stack;     /* of the term builder */
} work;

enum { FACT = 1, VISIBLE = 2 };

/* The predicate of (name, arity), made when new; NO_ID without memory. */
uint32_t work_pred(work *w, alea_symbol name, uint32_t arity);
/* A new node; NO_ID without memory. */
alea_rule_node_id work_variable_node(work *w, uint32_t variable);
/* A list node over existing nodes. */
alea_rule_node_id work_list_node(work *w, alea_symbol name, const alea_rule_node_id *args,
                                 uint32_t count);
/* A new symbol `stem-N` that no rulesheet uses. */
alea_symbol work_fresh_symbol(work *w, const char *stem);
/* Calls 'see' for every variable below 'node' (with repetitions). */
void work_each_variable(const work *w, alea_rule_node_id node,
                        void (*see)(void *context, uint32_t v), void *context);
/* ALEA_LIMIT with a diagnostic when the deadline has passed.  Every loop whose
 * length the rules decide asks, here or in join.c. */
alea_status work_check_time(work *w);
/* Fails with ALEA_LIMIT or ALEA_SYSTEM, whichever explains a failed allocation. */
alea_status work_no_memory(work *w);

alea_status work_analyse(work *w);    /* analyse.c */
alea_status work_split(work *w);      /* split.c */
alea_status work_demand(work *w);     /* demand.c */
alea_status work_run_static(work *w); /* join.c */
alea_status work_run_dynamic(work *w);
alea_status work_plan_rule(work *w, uint32_t rule, uint32_t trigger, uint32_t *plan); /* plan.c */
alea_status work_finish(work *w, alea_ground *ground);                                /* finish.c */

/* plan.c: the order in which to join the literals of a rule.  'order' gets
 * the numbers of the positive literals but 'trigger' (NO_ID for none).
 * 'bound' holds one byte per variable and is updated. */
alea_status work_order(work *w, const wrule *rule, uint32_t trigger, uint8_t *bound,
                       alea_u32s *order);

/* dense.c: makes the bitmap of a complete static predicate where it pays. */
bool work_make_dense(work *w, uint32_t pred);
void work_free_dense(work *w, uint32_t pred);

/* join.c: for a new index over facts that are already there. */
bool work_index_add(work *w, findex *index, alea_term atom);

#endif
