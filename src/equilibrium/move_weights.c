/* The two widths. */
#include "equilibrium/move_weights.h"

bool alea_move_weights_init(alea_move_weights *weights, uint64_t count, bool single,
                            alea_mem *mem) {
  *weights = (alea_move_weights){.mem = mem, .count = count};
  if (count > SIZE_MAX) return false;
  if (single)
    weights->narrow = alea_mem_calloc(mem, (size_t)count, sizeof *weights->narrow);
  else
    weights->wide = alea_mem_calloc(mem, (size_t)count, sizeof *weights->wide);
  return weights->narrow != NULL || weights->wide != NULL;
}

void alea_move_weights_clear(alea_move_weights *weights) {
  if (weights->mem == NULL) return;
  alea_mem_free(weights->mem, weights->narrow, (size_t)weights->count * sizeof *weights->narrow);
  alea_mem_free(weights->mem, weights->wide, (size_t)weights->count * sizeof *weights->wide);
}
