/* Covers by arguments. */
#include "planning/exact_cover.h"

#include <string.h>

#include "base/symbols.h"

enum { MOST_ARGUMENTS = 8 };

/* ---- rows ---- */

/* The parts of "(mark 1 2)" or "noop", as symbols; more than fit are counted. */
static uint32_t split(const char *text, alea_symbols *symbols, uint32_t *parts, bool *failed) {
  uint32_t count = 0;
  bool term = text[0] == '(';
  const char *at = term ? text + 1 : text;
  while (*at != '\0' && *at != ')') {
    size_t length = 0;
    int depth = 0;
    for (; at[length] != '\0'; length++) {
      if (depth == 0 && term && (at[length] == ' ' || at[length] == ')')) break;
      depth += (at[length] == '(') - (at[length] == ')');
    }
    alea_symbol symbol = alea_symbols_add(symbols, at, length);
    *failed |= symbol == ALEA_NO_SYMBOL;
    if (count <= MOST_ARGUMENTS) parts[count] = symbol;
    count++;
    at += length;
    if (*at == ' ') at++;
  }
  return count;
}

static alea_status read_rows(alea_rows *rows, const alea_game *game, const alea_u32s *moves,
                             alea_symbols *symbols, alea_text *text) {
  for (uint32_t i = 0; i < rows->count; i++) {
    uint32_t parts[MOST_ARGUMENTS + 1] = {0};
    bool failed = false;
    alea_text_truncate(text, 0);
    alea_game_move_text(game, 0, moves->data[i], false, text);
    uint32_t width = split(alea_text_string(text), symbols, parts, &failed);
    if (failed || text->failed) return alea_mem_lack(rows->mem);
    if (i == 0) {
      rows->width = width;
      rows->cells = alea_mem_calloc(rows->mem, rows->count, width * sizeof *rows->cells);
      if (rows->cells == NULL) return alea_mem_lack(rows->mem);
    }
    if (width != rows->width || width > MOST_ARGUMENTS + 1) return ALEA_UNSUPPORTED;
    memcpy(rows->cells + (size_t)i * width, parts, width * sizeof *parts);
  }
  return ALEA_OK;
}

alea_status alea_rows_init(alea_rows *rows, const alea_game *game, const alea_u32s *moves,
                           alea_mem *mem) {
  *rows = (alea_rows){.mem = mem, .count = (uint32_t)moves->count};
  alea_symbols *symbols = alea_symbols_new(mem);
  alea_text text;
  alea_text_init(&text, mem);
  alea_status status =
      symbols != NULL ? read_rows(rows, game, moves, symbols, &text) : alea_mem_lack(mem);
  alea_text_clear(&text);
  alea_symbols_free(symbols);
  return status;
}

void alea_rows_clear(alea_rows *rows) {
  alea_mem_free(rows->mem, rows->cells, (size_t)rows->count * rows->width * sizeof *rows->cells);
}

/* ---- covers ---- */

static bool agree(const alea_rows *rows, uint32_t mask, uint32_t i, uint32_t j) {
  const uint32_t *a = rows->cells + (size_t)i * rows->width;
  const uint32_t *b = rows->cells + (size_t)j * rows->width;
  for (uint32_t k = 0; k < rows->width; k++)
    if ((mask >> k & 1) && a[k] != b[k]) return false;
  return true;
}

/* Adds the class of row i: it and all behind that agree with it. */
static bool add_class(alea_exact_cover *c, const alea_rows *rows, uint32_t mask, uint32_t i,
                      uint8_t *sorted) {
  for (uint32_t j = i; j < rows->count; j++) {
    if (sorted[j] || !agree(rows, mask, i, j)) continue;
    sorted[j] = 1;
    if (!alea_vec_push(c->mem, &c->members, j)) return false;
  }
  return alea_vec_push(c->mem, &c->ends, (uint32_t)c->members.count);
}

alea_status alea_exact_cover_init(alea_exact_cover *cover, const alea_rows *rows, uint32_t mask,
                                  alea_mem *mem) {
  *cover = (alea_exact_cover){.mem = mem};
  uint8_t *sorted = alea_mem_calloc(mem, rows->count, 1);
  bool good = sorted != NULL;
  for (uint32_t i = 0; good && i < rows->count; i++)
    if (!sorted[i]) good = add_class(cover, rows, mask, i, sorted);
  alea_mem_free(mem, sorted, rows->count);
  return good ? ALEA_OK : alea_mem_lack(mem);
}

void alea_exact_cover_clear(alea_exact_cover *cover) {
  alea_vec_clear(cover->mem, &cover->members);
  alea_vec_clear(cover->mem, &cover->ends);
}

bool alea_exact_cover_holds(const alea_exact_cover *cover, const uint8_t *apart, uint32_t count) {
  uint32_t first = 0;
  for (size_t k = 0; k < cover->ends.count; first = cover->ends.data[k++])
    for (uint32_t i = first; i < cover->ends.data[k]; i++)
      for (uint32_t j = first; j < i; j++)
        if (!apart[(size_t)cover->members.data[i] * count + cover->members.data[j]]) return false;
  return true;
}
