#ifndef ALEA_PROVER_RULE_TERMS_H
#define ALEA_PROVER_RULE_TERMS_H

/* Terms of rules and the ground terms that they stand for: matching and
 * building.  bindings[v] is the term of the rule's variable v, ALEA_NO_TERM
 * where it is unbound. */

#include "base/vec.h"
#include "prover/rules.h"

typedef struct alea_rule_terms {
  alea_mem *mem;
  const alea_rules *rules;
  alea_terms *terms;         /* of the cursor, see alea_rules_copy_terms */
  ALEA_VEC(alea_term) words; /* a stack; whoever pushes sets its count back */
  alea_status *status;       /* gets the first failure, where it is ALEA_OK so far */
} alea_rule_terms;

void alea_rule_terms_clear(alea_rule_terms *b);

/* Pushes a term on the stack; false without memory. */
bool alea_rule_terms_push(alea_rule_terms *b, alea_term term);

/* Does the term of a rule match a ground one?  Binds variables on the way,
 * also when it fails. */
bool alea_rule_terms_match(const alea_rule_terms *b, alea_rule_node_id id, alea_term term,
                           alea_term *bindings);
/* The same for 'count' arguments and the terms of a row. */
bool alea_rule_terms_match_all(const alea_rule_terms *b, const alea_rule_node_id *args,
                               uint32_t count, const alea_term *row, alea_term *bindings);

/* The ground term that a term of a rule stands for; ALEA_NO_TERM where a
 * variable is unbound, on failure, or, unless 'make', where no such term was
 * ever made. */
alea_term alea_rule_terms_build(alea_rule_terms *b, alea_rule_node_id id, const alea_term *bindings,
                                bool make);
/* The same where no variable is unbound: a failure if one is. */
alea_term alea_rule_terms_build_new(alea_rule_terms *b, alea_rule_node_id id,
                                    const alea_term *bindings);

#endif
