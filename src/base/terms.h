#ifndef ALEA_BASE_TERMS_H
#define ALEA_BASE_TERMS_H

/* Ground terms, hash-consed: equal terms have the same number.
 *
 * A term is a constant `f`, or a list `(f t1 ... tn)` with n >= 0; `f` and
 * `(f)` are different terms.  Ground atoms are terms, too: `(true (cell 1 1
 * b))`.  Numbers are dense and count from 0; a term never changes or
 * disappears. */

#include "base/hash_map.h"
#include "base/symbols.h"
#include "base/text.h"
#include "base/vec.h"

typedef uint32_t alea_term;
#define ALEA_NO_TERM UINT32_MAX

/* Public only so that the functions below are inlined: the grounder calls them
 * tens of millions of times.  No other code accesses the fields. */
typedef struct alea_term_cell {
  alea_symbol name;
  uint32_t first; /* arguments are args.data[first ...] */
  uint32_t arity; /* ALEA_TERM_LIST bit: written in parentheses */
  uint32_t hash;
  uint32_t depth : 8; /* written in parentheses within parentheses; saturates */
  uint32_t size : 24; /* names in the written term; saturates */
} alea_term_cell;
#define ALEA_TERM_LIST 0x80000000u
#define ALEA_TERM_MOST_DEPTH 0xffu
#define ALEA_TERM_MOST_SIZE 0xffffffu

/* Equal subterms are shared, so a term may be exponentially larger when it is
 * written (or walked as a tree) than it is in the table: `(p t t)` of `(p t t)`
 * of ...  What comes from rules is refused beyond this size. */
#define ALEA_TERM_SIZE_LIMIT 65536u

/* A term whose arguments are being written or copied. */
typedef struct alea_term_frame {
  alea_term term;
  uint32_t next; /* argument */
} alea_term_frame;

typedef struct alea_terms {
  alea_mem *mem;
  alea_symbols *symbols;
  bool owns_symbols;
  ALEA_VEC(alea_term_cell) cells;
  ALEA_VEC(alea_term) args;
  alea_hash_words map;             /* tags: most cells on the way need no look */
  ALEA_VEC(alea_term_frame) stack; /* scratch of alea_terms_copy */
  ALEA_VEC(alea_term) done;
} alea_terms;

/* 'symbols' is borrowed and must outlive the table; with NULL the table makes
 * and owns its symbols.  NULL without memory. */
alea_terms *alea_terms_new(alea_symbols *symbols, alea_mem *mem);
void alea_terms_free(alea_terms *terms); /* NULL is a no-op. */

/* ALEA_NO_TERM if out of memory. */
alea_term alea_terms_constant(alea_terms *terms, alea_symbol name);
alea_term alea_terms_list(alea_terms *terms, alea_symbol name, const alea_term *args,
                          uint32_t count);
/* Like the two above, but ALEA_NO_TERM if the term does not exist yet. */
alea_term alea_terms_find_constant(const alea_terms *terms, alea_symbol name);
alea_term alea_terms_find_list(const alea_terms *terms, alea_symbol name, const alea_term *args,
                               uint32_t count);
/* Reads one ground term from KIF text; ALEA_NO_TERM if it is malformed, too
 * deep (64), or if out of memory.  'end', if not NULL, gets the first unread
 * byte. */
alea_term alea_terms_parse(alea_terms *terms, const char *text, const char **end);
/* The term of 'from' as a term of 'to', whose symbols may be others;
 * ALEA_NO_TERM without memory.  'from' is only read. */
alea_term alea_terms_copy(alea_terms *to, const alea_terms *from, alea_term term);

static inline uint32_t alea_terms_count(const alea_terms *terms) {
  return (uint32_t)terms->cells.count;
}
static inline alea_symbols *alea_terms_symbols(const alea_terms *terms) { return terms->symbols; }
static inline alea_symbol alea_terms_name(const alea_terms *terms, alea_term term) {
  return terms->cells.data[term].name;
}
static inline bool alea_terms_is_list(const alea_terms *terms, alea_term term) {
  return (terms->cells.data[term].arity & ALEA_TERM_LIST) != 0;
}
/* The number of arguments, 0 for constants. */
static inline uint32_t alea_terms_arity(const alea_terms *terms, alea_term term) {
  return terms->cells.data[term].arity & ~ALEA_TERM_LIST;
}
/* How deep lists nest: 0 for constants, at most ALEA_TERM_MOST_DEPTH. */
static inline uint32_t alea_terms_depth(const alea_terms *terms, alea_term term) {
  return terms->cells.data[term].depth;
}
/* How many names the term has when it is written out, at most ALEA_TERM_MOST_SIZE. */
static inline uint32_t alea_terms_size(const alea_terms *terms, alea_term term) {
  return terms->cells.data[term].size;
}
/* Valid until a term is added. */
static inline const alea_term *alea_terms_args(const alea_terms *terms, alea_term term) {
  return terms->args.data + terms->cells.data[term].first;
}

/* Appends the canonical text (lower case), or with 'spelling' the text in the
 * first spelling. */
void alea_terms_print(const alea_terms *terms, alea_term term, bool spelling, alea_text *out);

#endif
