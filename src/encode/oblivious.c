/* Games with an oblivious environment, told from their ground rules. */
#include "encode/oblivious.h"

/* Whether a fluent of the same name and arity holds at the start. */
static bool starts_somewhere(const alea_ground *g, uint32_t fluent) {
  alea_symbol name = alea_terms_name(g->terms, g->fluents[fluent]);
  uint32_t arity = alea_terms_arity(g->terms, g->fluents[fluent]);
  for (uint32_t f = 0; f < g->fluent_count; f++)
    if (g->init[f] && alea_terms_name(g->terms, g->fluents[f]) == name &&
        alea_terms_arity(g->terms, g->fluents[f]) == arity)
      return true;
  return false;
}

bool alea_is_oblivious(const alea_ground *g, alea_text *why) {
  uint32_t chance = (uint32_t)g->random_role;
  for (uint32_t m = g->move_first[chance]; m < g->move_first[chance + 1]; m++) {
    if (g->legal[m] == ALEA_GLIT_TRUE) continue;
    alea_text_put(why, "the move ");
    alea_terms_print(g->terms, g->moves[m], false, why);
    alea_text_put(why, " of chance depends on the state");
    return false;
  }
  for (uint32_t f = 0; f < g->fluent_count; f++) {
    /* most fluents of one name are side by side */
    if (f > 0 &&
        alea_terms_name(g->terms, g->fluents[f]) == alea_terms_name(g->terms, g->fluents[f - 1]))
      continue;
    if (starts_somewhere(g, f)) continue;
    alea_text_put(why, "no fluent ");
    alea_text_put(why, alea_symbols_text(g->symbols, alea_terms_name(g->terms, g->fluents[f])));
    alea_text_put(why, " holds at the start");
    return false;
  }
  return true;
}
