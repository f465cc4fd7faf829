/* Sizes of games as constraint networks. */
#include "match/sizes.h"

/* The translation of whole games to constraint networks is not part of this
 * program yet; what depends on it says "not available". */
alea_status alea_sizes_of(const alea_opened *opened, alea_scsp_sizes *sizes, alea_mem *mem) {
  (void)opened, (void)mem;
  *sizes = (alea_scsp_sizes){0};
  return ALEA_NO;
}
