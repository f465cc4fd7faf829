#ifndef ALEA_GDL_OUTLINE_H
#define ALEA_GDL_OUTLINE_H

/* The atoms of a rulesheet as written, rule by rule, with the relations they
 * use as small numbers; used inside src/gdl only. */

#include "gdl/functors.h"
#include "gdl/sexpr.h"

typedef struct alea_use {
  uint32_t expr;     /* the atom */
  uint32_t relation; /* functor number, kind 0 */
  uint32_t rule;
  bool head;
  bool negated; /* under an odd number of `not`s */
} alea_use;

typedef struct alea_outline_rule {
  uint32_t expr;      /* of the fact or the rule */
  uint32_t first_use; /* its head; its body follows, up to the next rule's */
} alea_outline_rule;

typedef struct alea_outline {
  alea_mem *mem;
  const alea_sexprs *exprs;
  const alea_symbols *symbols;
  alea_functors relations;
  ALEA_VEC(alea_use) uses;
  ALEA_VEC(alea_outline_rule) rules; /* and one more, which ends the last */
} alea_outline;

/* 'exprs' must have passed alea_check_form and be kept.  False without
 * memory; the caller clears in any case. */
bool alea_outline_init(alea_outline *outline, const alea_sexprs *exprs,
                       const alea_symbols *symbols);
void alea_outline_clear(alea_outline *outline);

static inline size_t alea_outline_rule_count(const alea_outline *o) { return o->rules.count - 1; }

/* Whether expression i is a list with this name. */
static inline bool alea_sexpr_is_call(const alea_sexprs *list, uint32_t i, alea_symbol name) {
  return alea_sexpr_is_list(list, i) && list->items.data[i + 1].atom == name;
}

#endif
