/* The check on the case of letters: sentences that differ by it alone are one
 * sentence, which nobody writes down twice on purpose. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "gdl/checks.h"

/* A sentence or rule of the text, by what it says. */
typedef struct case_entry {
  uint64_t hash;
  uint32_t expr;
} case_entry;

typedef struct case_reader {
  const alea_sexprs *exprs;
  const alea_symbols *symbols;
  const char *text;
  size_t length;
  ALEA_VEC(size_t) lines; /* where they begin */
} case_reader;

/* LF, CR and CR LF each end one line, as for the scanner. */
static bool find_lines(case_reader *c) {
  alea_mem *mem = c->exprs->mem;
  size_t start = c->length >= 3 && memcmp(c->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  bool ok = alea_vec_push(mem, &c->lines, start);
  for (size_t i = start; ok && i < c->length; i++) {
    bool pair = c->text[i] == '\r' && i + 1 < c->length && c->text[i + 1] == '\n';
    if ((c->text[i] == '\n' || c->text[i] == '\r') && !pair)
      ok = alea_vec_push(mem, &c->lines, i + 1);
  }
  return ok;
}

/* The atom as it was written; NULL where the reader has made it of something else. */
static const char *written(const case_reader *c, const alea_sexpr *item, size_t length) {
  if (item->line == 0 || item->line > c->lines.count) return NULL;
  size_t at = c->lines.data[item->line - 1] + item->column - 1;
  return at <= c->length && length <= c->length - at ? c->text + at : NULL;
}

static bool is_written_alike(const case_reader *c, uint32_t a, uint32_t b) {
  const alea_sexpr *items = c->exprs->items.data;
  for (uint32_t i = a, j = b; i < items[a].after; i++, j++) {
    if (items[i].atom == ALEA_NO_SYMBOL) continue;
    size_t length = strlen(alea_symbols_text(c->symbols, items[i].atom));
    const char *one = written(c, &items[i], length), *other = written(c, &items[j], length);
    if (one != NULL && other != NULL && memcmp(one, other, length) != 0) return false;
  }
  return true;
}

static bool says_the_same(const case_reader *c, uint32_t a, uint32_t b) {
  const alea_sexpr *items = c->exprs->items.data;
  if (items[a].after - a != items[b].after - b) return false;
  for (uint32_t i = a, j = b; i < items[a].after; i++, j++)
    if (items[i].atom != items[j].atom || items[i].after - i != items[j].after - j) return false;
  return true;
}

static int by_hash(const void *x, const void *y) {
  const case_entry *a = x, *b = y;
  if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
  return a->expr < b->expr ? -1 : a->expr > b->expr;
}

bool alea_check_letter_case(alea_reporter *reporter, const alea_sexprs *exprs,
                            const alea_symbols *symbols, const char *text, size_t length) {
  case_reader c = {.exprs = exprs, .symbols = symbols, .text = text, .length = length};
  ALEA_VEC(case_entry) list = {0};
  const alea_sexpr *items = exprs->items.data;
  bool ok = find_lines(&c);
  for (uint32_t i = 0; ok && i < exprs->items.count; i = items[i].after) {
    case_entry entry = {.hash = items[i].after - i, .expr = i};
    for (uint32_t k = i; k < items[i].after; k++)
      entry.hash = alea_hash_join(entry.hash, items[k].atom);
    ok = alea_vec_push(exprs->mem, &list, entry);
  }
  if (ok && list.count > 0) qsort(list.data, list.count, sizeof *list.data, by_hash);
  for (size_t k = 1; ok && k < list.count; k++) {
    uint32_t one = list.data[k - 1].expr, other = list.data[k].expr;
    if (list.data[k].hash != list.data[k - 1].hash || !says_the_same(&c, one, other) ||
        is_written_alike(&c, one, other))
      continue;
    alea_report(reporter, ALEA_CODE_CASE_DUPLICATE, items[other].line, items[other].column,
                "this is line %u again; capital and small letters are not told apart",
                (unsigned)items[one].line);
  }
  alea_vec_clear(exprs->mem, &list);
  alea_vec_clear(exprs->mem, &c.lines);
  return ok;
}
