#ifndef ALEA_BASE_SYMBOLS_H
#define ALEA_BASE_SYMBOLS_H

/* Symbols: names as small numbers.
 *
 * Two names that differ only in the case of ASCII letters are one symbol.  A
 * symbol has two texts: the folded one (lower case), by which names compare,
 * and the spelling in which it was first seen, which the protocol must echo. */

#include <stdint.h>

#include "base/arena.h"

typedef uint32_t alea_symbol;
#define ALEA_NO_SYMBOL UINT32_MAX

typedef struct alea_symbols alea_symbols;

/* NULL if out of memory. */
alea_symbols *alea_symbols_new(alea_mem *mem);
void alea_symbols_free(alea_symbols *symbols); /* NULL is a no-op. */

/* The symbol of a name, which is added if new; ALEA_NO_SYMBOL if out of memory.
 * Symbols are numbered 0, 1, 2, ... in order of first use. */
alea_symbol alea_symbols_add(alea_symbols *symbols, const char *name, size_t length);
/* The symbol of a name; ALEA_NO_SYMBOL if it was never added. */
alea_symbol alea_symbols_find(const alea_symbols *symbols, const char *name, size_t length);

/* Adds a keyword before any text is read.  Its spelling is that of the first
 * text that uses it, until alea_symbols_settle; from then on adding a known
 * name changes nothing. */
alea_symbol alea_symbols_add_word(alea_symbols *symbols, const char *name, size_t length);
void alea_symbols_settle(alea_symbols *symbols);

size_t alea_symbols_count(const alea_symbols *symbols);
const char *alea_symbols_text(const alea_symbols *symbols, alea_symbol symbol);     /* folded */
const char *alea_symbols_spelling(const alea_symbols *symbols, alea_symbol symbol); /* as seen */

#endif
