#include "support/brute_force.h"

#include <stdlib.h>

uint64_t brute_force_count(const alea_csp *csp) {
  uint32_t n = alea_csp_var_count(csp);
  uint32_t *indexes = calloc((size_t)n + 1, sizeof *indexes);
  int32_t *values = calloc((size_t)n + 1, sizeof *values);
  if (indexes == NULL || values == NULL) abort();
  uint64_t count = 0;
  for (bool more = true; more;) {
    for (uint32_t i = 0; i < n; i++) values[i] = alea_csp_value(csp, i, indexes[i]);
    count += alea_csp_check(csp, values);
    uint32_t i = n;
    while (i > 0 &&
           ++indexes[i - 1] >= (alea_csp_unused(csp, i - 1) ? 1 : alea_csp_size(csp, i - 1)))
      indexes[--i] = 0;
    more = i > 0;
  }
  free(indexes);
  free(values);
  return count;
}
