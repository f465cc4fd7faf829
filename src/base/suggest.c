/* Optimal string alignment distance with three rows. */
#include "base/suggest.h"

#include <string.h>

enum { LONGEST = 63 };

static char fold(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

size_t alea_suggest_distance(const char *a, const char *b, size_t limit) {
  size_t rows[3][LONGEST + 1];
  size_t m = strlen(a), n = strlen(b);
  if (m > LONGEST || n > LONGEST) return limit;
  for (size_t j = 0; j <= n; j++) rows[0][j] = j;
  for (size_t i = 1; i <= m; i++) {
    size_t *row = rows[i % 3], *above = rows[(i - 1) % 3], *two_above = rows[(i + 1) % 3];
    row[0] = i;
    for (size_t j = 1; j <= n; j++) {
      char x = fold(a[i - 1]), y = fold(b[j - 1]);
      row[j] = least(least(row[j - 1], above[j]) + 1, above[j - 1] + (x != y));
      if (i > 1 && j > 1 && x == fold(b[j - 2]) && fold(a[i - 2]) == y) {
        row[j] = least(row[j], two_above[j - 2] + 1);
      }
    }
  }
  return least(rows[m % 3][n], limit);
}

void alea_suggest_start(alea_suggestion *suggestion, const char *wanted) {
  /* A third of the letters may be wrong. */
  *suggestion = (alea_suggestion){.wanted = wanted, .distance = strlen(wanted) / 3 + 2};
}

void alea_suggest_offer(alea_suggestion *suggestion, const char *known) {
  size_t distance = alea_suggest_distance(suggestion->wanted, known, suggestion->distance);
  if (distance >= suggestion->distance) return;
  suggestion->distance = distance;
  suggestion->nearest = known;
}
