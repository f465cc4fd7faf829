#ifndef ALEA_BASE_SUGGEST_H
#define ALEA_BASE_SUGGEST_H

/* "Did you mean ...?": the known word nearest to a mistyped one. */

#include <stddef.h>

/* Counts insertions, deletions, changes and swaps of neighbours between two
 * words, without regard to case; stops at 'limit' and returns it when the
 * words are at least that far apart.  Words over 63 bytes are 'limit' apart. */
size_t alea_suggest_distance(const char *a, const char *b, size_t limit);

typedef struct alea_suggestion {
  const char *wanted;
  const char *nearest; /* NULL: nothing near enough */
  size_t distance;
} alea_suggestion;

/* Start with alea_suggest_start, offer every known word, read 'nearest'. */
void alea_suggest_start(alea_suggestion *suggestion, const char *wanted);
void alea_suggest_offer(alea_suggestion *suggestion, const char *known);

#endif
