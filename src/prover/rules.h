#ifndef ALEA_PROVER_RULES_H
#define ALEA_PROVER_RULES_H

/* The program, sorted for interpretation: rules by predicate, facts as rows
 * of terms, ground terms of the rules as numbers.
 *
 * Built once and then read by all cursors.  The numbers of ground terms are
 * those of program->terms; a cursor has a term table of its own that begins
 * with the same terms in the same order (alea_rules_copy_terms), so they mean
 * the same there. */

#include "base/diag.h"
#include "base/status.h"
#include "gdl/program.h"
#include "prover/pairmap.h"

typedef uint32_t alea_pred;
#define ALEA_NO_PRED UINT32_MAX
#define ALEA_NO_FUNCTOR UINT32_MAX

typedef enum alea_pred_kind {
  ALEA_PRED_FACTS,   /* facts only, perhaps none */
  ALEA_PRED_DERIVED, /* some rule has a body */
  ALEA_PRED_TRUE,    /* true/1: the position */
  ALEA_PRED_DOES,    /* does/2: the joint move */
} alea_pred_kind;

/* How long an answer stays valid: what the predicate depends on. */
typedef enum alea_level { ALEA_STATIC, ALEA_STATE, ALEA_JOINT, ALEA_LEVELS } alea_level;

typedef struct alea_pred_info {
  uint32_t arity;
  uint8_t kind;                    /* alea_pred_kind */
  uint8_t level;                   /* alea_level */
  uint32_t first_rule, rule_count; /* with bodies: rules->order[first_rule ...] */
  uint32_t first_fact, fact_count; /* rows of 'arity' terms from fact_terms[first_fact] */
} alea_pred_info;

typedef struct alea_rules {
  alea_mem *mem;
  const alea_program *program; /* borrowed */
  alea_term *node_term;        /* per node: its term if ground, else ALEA_NO_TERM */
  alea_pred *literal_pred;     /* per literal; ALEA_NO_PRED for `distinct` */
  uint32_t *literal_functor;   /* per literal: functor of the fluent in `true`, or NO_FUNCTOR */
  alea_pairmap pred_ids;       /* (name, arity) */
  alea_pairmap functor_ids;    /* (name, 2 * arity + written as a list) of fluents */
  alea_pred_info *preds;       /* pred_ids.pairs.count of them */
  uint32_t *order;             /* rules with a body, by predicate, else as in the text */
  alea_term *fact_terms;
  size_t fact_term_count;
  uint32_t base_terms; /* how many terms every cursor starts with */
} alea_rules;

/* ALEA_LIMIT: terms nested deeper than ALEA_MAX_NESTING, or no memory left
 * under the limit of 'mem'.  '*rules' is owned by the caller. */
alea_status alea_rules_new(alea_rules **rules, alea_program *program, alea_mem *mem,
                           alea_diag *diag);
void alea_rules_free(alea_rules *rules); /* NULL is a no-op. */

/* The predicate, or ALEA_NO_PRED where the program does not mention it. */
alea_pred alea_rules_find(const alea_rules *rules, alea_symbol name, uint32_t arity);
/* A place in the rulesheet that outlives the program, for 'diag'. */
alea_place alea_rules_place(const alea_program *program, uint32_t line, uint32_t column,
                            alea_diag *diag);
/* A term table that begins with the terms of the program; NULL without memory. */
alea_terms *alea_rules_copy_terms(const alea_rules *rules, alea_mem *mem);

/* Functions that walk a term of a rule recurse; this bounds them. */
enum { ALEA_MAX_NESTING = 512 };

#endif
