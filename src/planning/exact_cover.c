/* Covers by arguments. */
#include "planning/exact_cover.h"

enum { MOST_ARGUMENTS = 8 };

static alea_status fill_row(alea_rows *rows, uint32_t row, const alea_terms *terms,
                            alea_term term) {
  uint32_t arity = alea_terms_arity(terms, term), *cells = alea_rows_at(rows, row);
  if (1 + arity != rows->width || arity > MOST_ARGUMENTS) return ALEA_UNSUPPORTED;
  cells[0] = alea_terms_name(terms, term);
  for (uint32_t k = 0; k < arity; k++) cells[1 + k] = alea_terms_args(terms, term)[k];
  return ALEA_OK;
}

static alea_status fill_rows(alea_rows *rows, const alea_game *game, const alea_u32s *moves,
                             alea_terms *terms, alea_mem *mem) {
  alea_status status = ALEA_OK;
  for (uint32_t i = 0; status == ALEA_OK && i < moves->count; i++) {
    alea_term term = alea_game_move_term(game, 0, moves->data[i], terms);
    if (term == ALEA_NO_TERM) return alea_mem_lack(mem);
    uint32_t width = 1 + alea_terms_arity(terms, term);
    if (i == 0) status = alea_rows_init(rows, (uint32_t)moves->count, width, mem);
    if (status == ALEA_OK) status = fill_row(rows, i, terms, term);
  }
  return status;
}

alea_status alea_exact_cover_rows(alea_rows *rows, const alea_game *game, const alea_u32s *moves,
                                  alea_mem *mem) {
  *rows = (alea_rows){0};
  alea_terms *terms = alea_terms_new(NULL, mem);
  alea_status status =
      terms != NULL ? fill_rows(rows, game, moves, terms, mem) : alea_mem_lack(mem);
  alea_terms_free(terms);
  return status;
}

bool alea_exact_cover_holds(const alea_groups *cover, const uint8_t *apart, uint32_t count) {
  for (size_t k = 0; k < cover->ends.count; k++) {
    uint32_t first = alea_groups_first(cover, k);
    for (uint32_t i = first; i < cover->ends.data[k]; i++)
      for (uint32_t j = first; j < i; j++)
        if (!apart[(size_t)cover->members.data[i] * count + cover->members.data[j]]) return false;
  }
  return true;
}
