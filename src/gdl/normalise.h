#ifndef ALEA_GDL_NORMALISE_H
#define ALEA_GDL_NORMALISE_H

/* Normalisation: from S-expressions to rules in normal form; used inside
 * src/gdl only.
 *
 * A rule passes through four stages, one file each:
 *
 *   expand.c    body formula -> conjunctions of literals (disjunctive form)
 *   equality.c  (not (distinct a b)) -> substitution
 *   safety.c    binds or projects away what no positive literal binds
 *   emit.c      literals -> nodes of the program
 *
 * Each stage may create auxiliary rules.  These are S-expressions, too: they
 * are appended to those of the text, queued after its rules, and pass through
 * the same stages.  The input must have passed alea_check_form. */

#include "gdl/marks.h"
#include "gdl/program.h"
#include "gdl/report.h"

/* A formula of a body, perhaps negated. */
typedef struct alea_item {
  uint32_t expr;
  bool negated;
} alea_item;
typedef ALEA_VEC(alea_item) alea_items;

typedef struct alea_raw_rule {
  uint32_t head;
  uint32_t first_item; /* body: normaliser->bodies.data[first_item ...] */
  uint32_t item_count;
  uint32_t origin; /* the rule of the text it comes from, for places */
} alea_raw_rule;

typedef enum alea_lit_kind { LIT_TRUE, LIT_FALSE, LIT_DISTINCT, LIT_EQUAL } alea_lit_kind;

typedef struct alea_rule_lit {
  alea_lit_kind kind;
  uint32_t a, b; /* expressions; b for DISTINCT and EQUAL only */
} alea_rule_lit;
typedef ALEA_VEC(alea_rule_lit) alea_rule_lits;

typedef struct alea_normaliser {
  alea_program *program;
  alea_mem *mem;
  alea_sexprs *exprs;
  alea_reporter *reporter;
  uint32_t text_end; /* expressions from here on are auxiliary */
  uint32_t max_rules, max_ways;
  uint32_t max_depth;
  size_t max_exprs;
  alea_status status; /* why a stage returned false */

  ALEA_VEC(alea_raw_rule) queue;
  alea_items bodies;
  uint32_t aux_count;

  /* The current conjunction. */
  uint32_t head, origin;
  alea_rule_lits lits;

  alea_marks bound, seen, binding, number; /* by variable symbol */
  alea_marks warned;                       /* variable -> origin + 1 */
  struct alea_domains *domains;            /* made when first needed */
} alea_normaliser;

/* Appends the rules of all top-level expressions of 'exprs' (which grows) to
 * 'program'. */
alea_status alea_normalise(alea_program *program, alea_sexprs *exprs,
                           const alea_program_options *options, alea_reporter *reporter);

/* The stages.  All return false with n->status set on failure. */
bool alea_expand_rule(alea_normaliser *n, const alea_raw_rule *rule);
/* Sets '*holds' to false if two terms can never be equal. */
bool alea_resolve_equalities(alea_normaliser *n, bool *holds);
/* Sets '*keep' to false if there is no safe reading. */
bool alea_make_safe(alea_normaliser *n, bool *keep);
bool alea_emit_rule(alea_normaliser *n);

/* Failures; both return false. */
bool alea_normalise_no_memory(alea_normaliser *n);
bool alea_normalise_limit(alea_normaliser *n, const char *what);

/* Builders of new expressions, placed at the current origin. */
bool alea_build_name(alea_normaliser *n, alea_symbol name);
bool alea_build_open(alea_normaliser *n, uint32_t *list);
void alea_build_close(alea_normaliser *n, uint32_t list);
/* A new atom `(aux-N v1 v2 ...)`, or `aux-N` without variables. */
bool alea_build_aux(alea_normaliser *n, const alea_symbol *variables, size_t count, uint32_t *atom);
/* A name `aux-N` that the text does not use. */
alea_symbol alea_new_aux_name(alea_normaliser *n);
/* Queues the rule 'head' <= 'items'. */
bool alea_queue_rule(alea_normaliser *n, uint32_t head, const alea_item *items, size_t count);

/* Adds the variables of 'expr' to 'marks', and the new ones to 'list' unless
 * that is NULL. */
bool alea_mark_variables(alea_normaliser *n, uint32_t expr, alea_marks *marks, alea_u32s *list);

/* Sets '*predicate' to one that holds for the terms which may occur at the
 * position of 'variable' in the atom 'head' (see domain.c), or '*endless' if
 * there are infinitely many. */
bool alea_domain_of(alea_normaliser *n, uint32_t head, alea_symbol variable, alea_symbol *predicate,
                    bool *endless);
void alea_domains_free(struct alea_domains *domains);

#endif
