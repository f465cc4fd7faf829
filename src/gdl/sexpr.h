#ifndef ALEA_GDL_SEXPR_H
#define ALEA_GDL_SEXPR_H

/* S-expressions with places: the text of a rulesheet as a tree.
 *
 * Tokens are `(`, `)` and every other run of bytes that are neither space nor
 * parenthesis nor `;`; a `;` starts a comment up to LF or CR.  Bytes that are
 * not ASCII are ordinary.  The tree lives in one array in the order of the
 * text, so that walking it needs no recursion. */

#include "base/diag.h"
#include "base/status.h"
#include "base/symbols.h"
#include "base/text.h"

typedef struct alea_sexpr {
  alea_symbol atom; /* ALEA_NO_SYMBOL for a list */
  uint32_t after;   /* index after the last descendant of this expression */
  uint32_t line, column;
} alea_sexpr;

/* A list at index i has its first element at i + 1 and ends before
 * items[i].after; the sibling of an element j is items[j].after. */
typedef struct alea_sexprs {
  alea_mem *mem;
  ALEA_VEC(alea_sexpr) items;
} alea_sexprs;

typedef struct alea_sexpr_limits {
  size_t max_bytes;   /* 0 = 64 MiB */
  uint32_t max_depth; /* 0 = 256 */
} alea_sexpr_limits;

/* Reads all expressions of 'text' into 'list', which the caller has zeroed
 * but for 'mem' and clears in any case.  ALEA_INPUT: unbalanced parentheses,
 * each reported with its place, and 'list' holds the expressions that are whole;
 * or a NUL byte, and it holds none.  ALEA_LIMIT: a limit; ALEA_SYSTEM: no
 * memory.  'limits' may be NULL. */
alea_status alea_sexprs_read(alea_sexprs *list, const char *text, size_t length, const char *file,
                             const alea_sexpr_limits *limits, alea_symbols *symbols,
                             alea_diag *diag);
void alea_sexprs_clear(alea_sexprs *list);

/* Appends expression 'index' as KIF text in canonical form (lower case, one
 * space between elements), or in the original spelling. */
void alea_sexprs_print(const alea_sexprs *list, uint32_t index, const alea_symbols *symbols,
                       bool spelling, alea_text *out);

static inline bool alea_sexpr_is_list(const alea_sexprs *list, uint32_t i) {
  return list->items.data[i].atom == ALEA_NO_SYMBOL;
}

/* The name of an atom, or of a list whose first element is an atom. */
static inline alea_symbol alea_sexpr_name(const alea_sexprs *list, uint32_t i) {
  return list->items.data[alea_sexpr_is_list(list, i) ? i + 1 : i].atom;
}

/* The first argument of expression i; there is none if it equals
 * items[i].after. */
static inline uint32_t alea_sexpr_first_arg(const alea_sexprs *list, uint32_t i) {
  return alea_sexpr_is_list(list, i) ? i + 2 : i + 1;
}

/* The number of arguments; 0 for an atom.  Walks the siblings. */
static inline uint32_t alea_sexpr_arity(const alea_sexprs *list, uint32_t i) {
  uint32_t count = 0;
  uint32_t end = list->items.data[i].after;
  for (uint32_t a = alea_sexpr_first_arg(list, i); a < end; a = list->items.data[a].after) count++;
  return count;
}

/* Variables are the names that begin with `?`. */
static inline bool alea_symbol_is_variable(const alea_symbols *symbols, alea_symbol name) {
  return name != ALEA_NO_SYMBOL && alea_symbols_text(symbols, name)[0] == '?';
}

#endif
