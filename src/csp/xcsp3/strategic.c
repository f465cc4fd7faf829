/* Quantified networks in XCSP3. */
#include "csp/strategic_core.h"
#include "csp/xcsp3/xcsp3.h"

alea_strategic *alea_xcsp3_take_strategic(alea_xcsp3 *instance, alea_mem *mem) {
  alea_strategic *s = alea_strategic_new(mem);
  if (s == NULL) return NULL;
  alea_strategic_adopt(s, instance->csp);
  instance->csp = NULL;
  alea_strategic_set_classical(s, instance->classical);
  alea_strategic_set_check(s, instance->check);
  alea_strategic_set_existential(s, instance->existential);
  for (size_t i = 0; i < instance->quantifiers.count; i++)
    alea_strategic_quantify(s, instance->quantifiers.data[i].var,
                            instance->quantifiers.data[i].universal);
  return s;
}

alea_status alea_xcsp3_write_strategic(const alea_strategic *s, alea_text *text) {
  alea_xcsp3 more = {.classical = s->classical, .check = s->check, .existential = s->existential};
  bool good = true;
  for (size_t i = 0; i < s->order.count && good; i++)
    good = alea_vec_push(s->mem, &more.quantifiers,
                         (alea_xcsp3_quantifier){s->order.data[i].var, s->order.data[i].universal});
  alea_status status = good ? alea_xcsp3_write(s->csp, &more, text) : ALEA_SYSTEM;
  alea_vec_clear(s->mem, &more.quantifiers);
  return status;
}
