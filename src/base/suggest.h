#ifndef ALEA_BASE_SUGGEST_H
#define ALEA_BASE_SUGGEST_H

/* "Did you mean ...?": the known word nearest to a mistyped one. */

#include <stddef.h>

/* Counts insertions, deletions, changes and transpositions of neighbours
 * between two words, ignoring case; stops at 'limit' and returns it if the
 * words are at least that far apart.  Words over 63 bytes have the distance
 * 'limit'. */
size_t alea_suggest_distance(const char *a, const char *b, size_t limit);

typedef struct alea_suggestion {
  const char *wanted;
  const char *nearest; /* NULL: none is near enough */
  size_t distance;
} alea_suggestion;

/* Usage: alea_suggest_start, then offer every known word, then read
 * 'nearest'. */
void alea_suggest_start(alea_suggestion *suggestion, const char *wanted);
void alea_suggest_offer(alea_suggestion *suggestion, const char *known);

#endif
