#ifndef ALEA_NET_SLICES_H
#define ALEA_NET_SLICES_H

/* Slices: pieces of a message, as GDL terms.
 *
 * A slice borrows from the message.  A term is an atom, or a list with its
 * parentheses; comments (`;` to the end of the line) and space separate terms.
 * Nothing here allocates or recurses. */

#include <stdbool.h>
#include <stddef.h>

typedef struct alea_slice {
  const char *at;
  size_t length;
} alea_slice;

typedef enum alea_slice_next {
  ALEA_SLICE_END,   /* only space is left */
  ALEA_SLICE_TERM,  /* a term was taken */
  ALEA_SLICE_WRONG, /* parentheses do not match, or there is a NUL byte */
} alea_slice_next;

/* Takes the next term from the front of 'rest'. */
alea_slice_next alea_slice_take(alea_slice *rest, alea_slice *term);

static inline bool alea_slice_is_list(alea_slice term) {
  return term.length > 0 && term.at[0] == '(';
}
/* The text between the parentheses of a list. */
static inline alea_slice alea_slice_inside(alea_slice list) {
  return (alea_slice){list.at + 1, list.length - 2};
}
/* Equality that ignores the case of ASCII letters. */
bool alea_slice_is(alea_slice term, const char *word);
bool alea_slice_same(alea_slice a, alea_slice b);
/* `nil` in any case, `()`, or no term at all. */
bool alea_slice_is_nil(alea_slice term);

#endif
