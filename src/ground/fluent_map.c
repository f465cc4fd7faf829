/* Fluents by term. */
#include "ground/fluent_map.h"

#define NOT_ASKED (UINT32_MAX - 1)

static bool fill(alea_mem *mem, alea_u32s *list, size_t count, uint32_t value) {
  while (list->count < count)
    if (!alea_vec_push(mem, list, value)) return false;
  return true;
}

bool alea_fluent_map_init(alea_fluent_map *m, const alea_ground *g, const alea_game *game,
                          alea_mem *mem) {
  *m = (alea_fluent_map){.game = game, .mem = mem, .terms = alea_terms_new(NULL, mem)};
  bool good = m->terms != NULL;
  for (uint32_t f = 0; f < g->fluent_count && good; f++) {
    alea_term term = alea_terms_copy(m->terms, g->terms, g->fluents[f]);
    good = term != ALEA_NO_TERM && fill(mem, &m->of_term, term + (size_t)1, UINT32_MAX);
    if (good) m->of_term.data[term] = f;
  }
  return good;
}

void alea_fluent_map_clear(alea_fluent_map *m) {
  if (m->mem == NULL) return;
  alea_terms_free(m->terms);
  alea_vec_clear(m->mem, &m->of_term);
  alea_vec_clear(m->mem, &m->known);
  *m = (alea_fluent_map){0};
}

uint32_t alea_fluent_map_find(alea_fluent_map *m, uint32_t fluent) {
  if (!fill(m->mem, &m->known, fluent + (size_t)1, NOT_ASKED)) {
    m->failed = true;
    return UINT32_MAX;
  }
  if (m->known.data[fluent] != NOT_ASKED) return m->known.data[fluent];
  alea_term term = alea_game_fluent_term(m->game, fluent, m->terms);
  m->failed |= term == ALEA_NO_TERM;
  if (m->failed) return UINT32_MAX;
  return m->known.data[fluent] = term < m->of_term.count ? m->of_term.data[term] : UINT32_MAX;
}
